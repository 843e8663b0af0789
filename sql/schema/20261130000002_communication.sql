-- migrate:up

-- What somebody should know. While one is unread, more of the same kind about the same thing join it: occurrences counts them, and latest_id, by which
-- the inbox is ordered, is new with each of them, and latest_xid is the transaction that wrote it, by which what somebody has seen is told from what came later.
-- objective_id is what has to be visible for it to be shown. actor_id is null where nobody did it, such as a date that came.
CREATE TABLE notifications (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    user_id         uuid NOT NULL,
    kind            text NOT NULL CHECK (char_length(kind) BETWEEN 1 AND 60),
    subject_kind    text NOT NULL CHECK (subject_kind IN ('objective', 'key_result', 'cycle', 'team', 'dialogue', 'broadcast', 'occurrence', 'follow_up', 'member', 'webhook')),
    subject_id      uuid NOT NULL,
    objective_id    uuid,
    title           text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 300),
    actor_id        uuid,
    detail          jsonb NOT NULL DEFAULT '{}',
    occurrences     integer NOT NULL DEFAULT 1 CHECK (occurrences > 0),
    latest_id       uuid NOT NULL,
    latest_xid      xid8 NOT NULL DEFAULT pg_current_xact_id(),
    read_at         timestamptz,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id),
    FOREIGN KEY (organization_id, actor_id) REFERENCES memberships (organization_id, user_id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id)
);
CREATE INDEX notifications_of_user ON notifications (organization_id, user_id, latest_id DESC);
CREATE INDEX notifications_unread ON notifications (organization_id, user_id, latest_id DESC) WHERE read_at IS NULL;
CREATE UNIQUE INDEX notifications_grouped ON notifications (organization_id, user_id, kind, subject_id) WHERE read_at IS NULL;
CREATE INDEX notifications_read ON notifications (organization_id, read_at) WHERE read_at IS NOT NULL;

-- Who was told of what lately, so that it is not told again at once: a mail about one thing, a reminder in one period, an event that is delivered twice (user_id is
-- nil then). Whoever writes the row may tell.
CREATE TABLE notice_claims (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    user_id         uuid NOT NULL,
    name            text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    subject_id      uuid NOT NULL,
    claimed_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, user_id, name, subject_id)
);
CREATE INDEX notice_claims_by_age ON notice_claims (organization_id, claimed_at);

-- What somebody wants to hear of otherwise than by default. mail: at once, in the next digest, or not at all.
CREATE TABLE notification_preferences (
    organization_id uuid NOT NULL,
    user_id         uuid NOT NULL,
    kind            text NOT NULL CHECK (char_length(kind) BETWEEN 1 AND 60),
    inbox           boolean NOT NULL DEFAULT true,
    mail            text NOT NULL DEFAULT 'digest' CHECK (mail IN ('immediate', 'digest', 'off')),
    PRIMARY KEY (organization_id, user_id, kind),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);

-- When somebody gets what has gathered, and the secret of the link that ends all mail to them. No row: the defaults. digest_sent_on is the last day of their own
-- calendar on which it was looked whether there is anything, and digest_through_id the newest notification that was in a digest.
CREATE TABLE mail_settings (
    organization_id   uuid NOT NULL,
    user_id           uuid NOT NULL,
    digest            text NOT NULL DEFAULT 'daily' CHECK (digest IN ('daily', 'weekly', 'off')),
    unsubscribed_at   timestamptz,
    digest_through_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    digest_sent_on    date,
    PRIMARY KEY (organization_id, user_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);

-- One mail to one person; an event in the outbox with the same id as target_id has it sent. What it says is made from template and detail when it is sent, in the
-- language and time zone that the person has then. sending: a server may have it, and if the program ended there, nobody can know (uncertain).
CREATE TABLE mails (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    user_id         uuid NOT NULL,
    template        text NOT NULL CHECK (char_length(template) BETWEEN 1 AND 60),
    detail          jsonb NOT NULL DEFAULT '{}',
    once            boolean NOT NULL DEFAULT false,
    state           text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'uncertain', 'unwanted')),
    failure         text CHECK (char_length(failure) <= 300),
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX mails_by_age ON mails (organization_id, created_at);

-- Words to many. People's changes raise the revision: its words, its time, sending it, ending it; how far the sending has come does not. dispatch_id names the
-- present sending, scheduled or under way, or the present sending again: the events that carry it out have it as their target, so those of one that was
-- rescheduled, ended or done find nothing. Sending again is about what had failed before resend_before.
CREATE TABLE broadcasts (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    title           text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
    body            text NOT NULL CHECK (char_length(body) BETWEEN 1 AND 20000),
    audience        text NOT NULL CHECK (audience IN ('organization', 'teams', 'people')),
    team_ids        uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(team_ids) <= 200),
    user_ids        uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(user_ids) <= 1000),
    by_mail         boolean NOT NULL DEFAULT true,
    state           text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'scheduled', 'sending', 'sent', 'cancelled')),
    scheduled_at    timestamptz,
    dispatch_id     uuid,
    resend_before   timestamptz,
    reached_user_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    sent_at         timestamptz,
    revision        bigint NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by      uuid NOT NULL,
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_by      uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, created_by) REFERENCES memberships (organization_id, user_id),
    CONSTRAINT broadcasts_scheduled_has_time CHECK (state <> 'scheduled' OR scheduled_at IS NOT NULL),
    CONSTRAINT broadcasts_under_way_has_dispatch CHECK (state NOT IN ('scheduled', 'sending') OR dispatch_id IS NOT NULL),
    CONSTRAINT broadcasts_audience_named CHECK (CASE audience WHEN 'teams' THEN cardinality(team_ids) > 0 AND user_ids = '{}'
                                                              WHEN 'people' THEN cardinality(user_ids) > 0 AND team_ids = '{}'
                                                              ELSE team_ids = '{}' AND user_ids = '{}' END)
);
CREATE UNIQUE INDEX broadcasts_dispatch ON broadcasts (organization_id, dispatch_id) WHERE dispatch_id IS NOT NULL;
CREATE INDEX broadcasts_by_state ON broadcasts (organization_id, state, id DESC);
CREATE INDEX broadcasts_of_team ON broadcasts (organization_id, (team_ids[1]), id DESC);

-- What became of a broadcast for each of those it was meant for. round counts how often it was tried on purpose: sent once, and again for those it failed for.
CREATE TABLE broadcast_deliveries (
    organization_id uuid NOT NULL,
    broadcast_id    uuid NOT NULL,
    user_id         uuid NOT NULL,
    mail_id         uuid,
    state           text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed', 'uncertain')),
    failure         text CHECK (char_length(failure) <= 300),
    round           integer NOT NULL DEFAULT 1,
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, broadcast_id, user_id),
    FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id),
    FOREIGN KEY (organization_id, mail_id) REFERENCES mails (organization_id, id)
);
CREATE INDEX broadcast_deliveries_by_state ON broadcast_deliveries (organization_id, broadcast_id, state, user_id);
CREATE INDEX broadcast_deliveries_of_mail ON broadcast_deliveries (organization_id, mail_id) WHERE mail_id IS NOT NULL;

-- Where another system wants to hear of events. The secret signs what is sent there; the one before it signs beside it until previous_until. failures counts the attempts
-- that failed since the last that did not, from failing_since on. disabled_because: by whom or by what it was switched off.
CREATE TABLE webhooks (
    organization_id  uuid NOT NULL REFERENCES organizations (id),
    id               uuid NOT NULL,
    url              text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2000),
    kinds            text[] NOT NULL DEFAULT '{}' CHECK (cardinality(kinds) <= 50),
    secret           bytea NOT NULL CHECK (octet_length(secret) BETWEEN 16 AND 64),
    previous_secret  bytea CHECK (octet_length(previous_secret) BETWEEN 16 AND 64),
    previous_until   timestamptz,
    enabled          boolean NOT NULL DEFAULT true,
    disabled_because text CHECK (disabled_because IN ('person', 'gone', 'failing')),
    failures         integer NOT NULL DEFAULT 0,
    failing_since    timestamptz,
    revision         bigint NOT NULL DEFAULT 1,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by       uuid NOT NULL,
    changed_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_by       uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT webhooks_disabled_because CHECK (enabled = (disabled_because IS NULL)),
    CONSTRAINT webhooks_previous_ends CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
    CONSTRAINT webhooks_failing_since CHECK ((failures = 0) = (failing_since IS NULL))
);

-- One event for one webhook, sent by an event of the outbox whose target_id is this id. No key leads to the webhook: when it is deleted, in one short statement, what was
-- sent to it can no longer be reached, and retention takes it away in its time.
CREATE TABLE webhook_deliveries (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    webhook_id      uuid NOT NULL,
    event_id        uuid NOT NULL,
    kind            text NOT NULL CHECK (char_length(kind) BETWEEN 1 AND 60),
    payload         jsonb NOT NULL,
    state           text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
    attempt         smallint NOT NULL DEFAULT 0,
    status          integer,
    failure         text CHECK (char_length(failure) <= 300),
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, webhook_id, event_id)
);
CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries (organization_id, webhook_id, state, id DESC);
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (organization_id, webhook_id, id DESC);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (organization_id, created_at);

-- What happened to objectives, for those who may see them at the time of reading. id is that of the event.
CREATE TABLE feed_entries (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    objective_id    uuid NOT NULL,
    action          text NOT NULL CHECK (char_length(action) BETWEEN 1 AND 60),
    actor_id        uuid,
    detail          jsonb NOT NULL DEFAULT '{}',
    happened_at     timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id)
);
CREATE INDEX feed_entries_of_objective ON feed_entries (organization_id, objective_id, id DESC);
CREATE INDEX feed_entries_by_time ON feed_entries (organization_id, happened_at);

-- What people owe: the key results that somebody has to report on, and the objectives that wait for a reviewer.
CREATE INDEX key_results_of_owner ON key_results (organization_id, owner_id, id) WHERE owner_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX objectives_in_review ON objectives (organization_id, team_id, id) WHERE state = 'submitted' AND archived_at IS NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON notice_claims, notifications, notification_preferences, mail_settings, mails, webhook_deliveries, webhooks TO kakeai_app;
GRANT SELECT, INSERT, UPDATE ON broadcasts, broadcast_deliveries TO kakeai_app;
GRANT SELECT, INSERT, DELETE ON feed_entries TO kakeai_app;

ALTER TABLE notifications            ENABLE ROW LEVEL SECURITY;
ALTER TABLE notice_claims            ENABLE ROW LEVEL SECURITY;
ALTER TABLE notification_preferences ENABLE ROW LEVEL SECURITY;
ALTER TABLE mail_settings            ENABLE ROW LEVEL SECURITY;
ALTER TABLE mails                    ENABLE ROW LEVEL SECURITY;
ALTER TABLE broadcasts               ENABLE ROW LEVEL SECURITY;
ALTER TABLE broadcast_deliveries     ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhooks                 ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_deliveries       ENABLE ROW LEVEL SECURITY;
ALTER TABLE feed_entries             ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications            USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON notice_claims            USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON notification_preferences USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON mail_settings            USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON mails                    USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON broadcasts               USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON broadcast_deliveries     USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON webhooks                 USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON webhook_deliveries       USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON feed_entries             USING (organization_id = (SELECT current_organization()));

-- migrate:down
DROP INDEX key_results_of_owner, objectives_in_review;
DROP TABLE feed_entries, notice_claims, webhook_deliveries, webhooks, broadcast_deliveries, broadcasts, mails, mail_settings, notification_preferences, notifications;
