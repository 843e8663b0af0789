-- migrate:up

-- An event is claimed like a job: by state and lease, with lease_number as the fencing token. Those of one target are delivered in the order of
-- created_at, which is that of their commits, because whoever changed the target held its row. Events from before this migration were meant for nobody.
-- outgoing: somebody outside has to answer, which takes its time, so these are claimed apart and hold up nothing else. failure is a code, for no policy covers this table.
ALTER TABLE outbox_events
    ADD COLUMN outgoing         boolean NOT NULL GENERATED ALWAYS AS (kind LIKE '%.send') STORED,
    ADD COLUMN contract         smallint NOT NULL DEFAULT 1,
    ADD COLUMN state            text NOT NULL DEFAULT 'delivered' CHECK (state IN ('waiting', 'running', 'delivered', 'quarantined')),
    ADD COLUMN attempt          smallint NOT NULL DEFAULT 0,
    ADD COLUMN max_attempts     smallint NOT NULL DEFAULT 10,
    ADD COLUMN lease_number     bigint NOT NULL DEFAULT 0,
    ADD COLUMN lease_expires_at timestamptz,
    ADD COLUMN available_at     timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN failure          text CHECK (char_length(failure) <= 60),
    ADD COLUMN finished_at      timestamptz DEFAULT now(),
    ADD CONSTRAINT outbox_events_lease_while_running CHECK ((state = 'running') = (lease_expires_at IS NOT NULL)),
    ADD CONSTRAINT outbox_events_finished_has_time CHECK ((state IN ('waiting', 'running')) = (finished_at IS NULL));
ALTER TABLE outbox_events
    ALTER COLUMN state SET DEFAULT 'waiting',
    ALTER COLUMN available_at SET DEFAULT clock_timestamp(),
    ALTER COLUMN finished_at DROP DEFAULT;
ALTER TABLE outbox_events SET (fillfactor = 80);
CREATE INDEX outbox_events_waiting ON outbox_events (outgoing, organization_id, available_at, created_at, id) WHERE state = 'waiting';
CREATE INDEX outbox_events_running ON outbox_events (organization_id, id) WHERE state = 'running';
CREATE INDEX outbox_events_unfinished ON outbox_events (organization_id, target_id, created_at, id) WHERE state IN ('waiting', 'running');
CREATE INDEX outbox_events_quarantined ON outbox_events (organization_id, id) WHERE state = 'quarantined';
CREATE INDEX outbox_events_finished ON outbox_events (organization_id, finished_at) WHERE finished_at IS NOT NULL;
GRANT UPDATE, DELETE ON outbox_events TO kakeai_app;

-- When the scheduler has to look at an organisation next. Ids and times only, so it stands outside the policy and is claimed across organisations.
CREATE TABLE organization_clocks (
    organization_id  uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    due_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    lease_number     bigint NOT NULL DEFAULT 0,
    lease_expires_at timestamptz
);
CREATE INDEX organization_clocks_due ON organization_clocks (due_at, organization_id) WHERE lease_expires_at IS NULL;
CREATE INDEX organization_clocks_leased ON organization_clocks (organization_id) WHERE lease_expires_at IS NOT NULL;
INSERT INTO organization_clocks (organization_id) SELECT o.id FROM organizations AS o;

CREATE FUNCTION start_organization_clock() RETURNS trigger
LANGUAGE plpgsql
AS $$ BEGIN
    INSERT INTO organization_clocks (organization_id) VALUES (NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER organizations_have_clocks AFTER INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION start_organization_clock();

-- What was due when, and what came of it: one row for each run that was due, so that none happens twice. Of those that were skipped the latest has one, and so has
-- the moment from which on something is run at all. The latest row of a name says from when on it is due again, so it is kept.
CREATE TABLE scheduled_runs (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    name            text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
    due_at          timestamptz NOT NULL,
    attempt         smallint NOT NULL DEFAULT 1,
    started_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at     timestamptz,
    outcome         text CHECK (outcome IN ('succeeded', 'failed', 'skipped')),
    detail          jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (organization_id, name, due_at),
    CONSTRAINT scheduled_runs_finished_has_outcome CHECK ((finished_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX scheduled_runs_unfinished ON scheduled_runs (organization_id, due_at, name) WHERE finished_at IS NULL;
CREATE INDEX scheduled_runs_finished ON scheduled_runs (organization_id, finished_at) WHERE finished_at IS NOT NULL;
GRANT SELECT, UPDATE ON organization_clocks TO kakeai_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON scheduled_runs TO kakeai_app;
ALTER TABLE scheduled_runs ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON scheduled_runs USING (organization_id = (SELECT current_organization()));

-- Beside the session and not in it, so that telling the time of the last request never waits for a write that holds the session.
CREATE TABLE session_accesses (
    organization_id uuid NOT NULL,
    session_id      uuid NOT NULL,
    accessed_at     timestamptz NOT NULL,
    address         text NOT NULL DEFAULT '' CHECK (char_length(address) <= 64),
    PRIMARY KEY (organization_id, session_id),
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_end ON sessions (organization_id, expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON session_accesses TO kakeai_app;
ALTER TABLE session_accesses ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON session_accesses USING (organization_id = (SELECT current_organization()));

-- migrate:down
DROP TABLE session_accesses, scheduled_runs;
DROP INDEX sessions_by_end;
DROP TRIGGER organizations_have_clocks ON organizations;
DROP FUNCTION start_organization_clock;
DROP TABLE organization_clocks;
DROP INDEX outbox_events_waiting, outbox_events_running, outbox_events_unfinished, outbox_events_quarantined, outbox_events_finished;
ALTER TABLE outbox_events RESET (fillfactor);
REVOKE UPDATE, DELETE ON outbox_events FROM kakeai_app;
ALTER TABLE outbox_events
    DROP COLUMN outgoing, DROP COLUMN contract, DROP COLUMN state, DROP COLUMN attempt, DROP COLUMN max_attempts, DROP COLUMN lease_number,
    DROP COLUMN lease_expires_at, DROP COLUMN available_at, DROP COLUMN failure, DROP COLUMN finished_at;
