-- migrate:up

-- Who is asked to join. The link in the mail holds 256 bits, made from the key of the installation; the table holds SHA-256 of them. Sending again makes another link, and the one before
-- it leads nowhere any more. Neither accepted nor revoked, it is open, until expires_at.
CREATE TABLE invitations (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    email           text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254 AND email = lower(email)),
    role            text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    team_ids        uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(team_ids) <= 20),
    days            smallint NOT NULL CHECK (days BETWEEN 1 AND 30),
    token_hash      bytea NOT NULL CHECK (octet_length(token_hash) = 32),
    sendings        smallint NOT NULL DEFAULT 1 CHECK (sendings BETWEEN 1 AND 5),
    mail_id         uuid NOT NULL,
    sent_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at      timestamptz NOT NULL,
    invited_by      uuid NOT NULL,
    accepted_at     timestamptz,
    accepted_by     uuid,
    revoked_at      timestamptz,
    revoked_by      uuid,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, invited_by) REFERENCES memberships (organization_id, user_id),
    FOREIGN KEY (organization_id, accepted_by) REFERENCES memberships (organization_id, user_id),
    FOREIGN KEY (organization_id, revoked_by) REFERENCES memberships (organization_id, user_id),
    CONSTRAINT invitations_accepted_by_somebody CHECK ((accepted_at IS NULL) = (accepted_by IS NULL)),
    CONSTRAINT invitations_revoked_by_somebody CHECK ((revoked_at IS NULL) = (revoked_by IS NULL)),
    CONSTRAINT invitations_end_once CHECK (accepted_at IS NULL OR revoked_at IS NULL)
);
CREATE UNIQUE INDEX invitations_open ON invitations (organization_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX invitations_open_by_id ON invitations (organization_id, id) WHERE accepted_at IS NULL AND revoked_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON invitations TO kakeai_app;
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invitations USING (organization_id = (SELECT current_organization()));

-- A mail is for a member, or for somebody who is invited and may have no account yet.
ALTER TABLE mails
    ALTER COLUMN user_id DROP NOT NULL,
    ADD COLUMN invitation_id uuid,
    ADD CONSTRAINT mails_of_invitations FOREIGN KEY (organization_id, invitation_id) REFERENCES invitations (organization_id, id),
    ADD CONSTRAINT mails_are_for_somebody CHECK ((user_id IS NULL) <> (invitation_id IS NULL));

-- Sessions from before sessions_since have ended, whatever organisation they are in, but for the one that is kept: the person changed their password in it.
ALTER TABLE users ADD COLUMN sessions_since timestamptz, ADD COLUMN kept_session_id uuid;

-- Whoever accepts becomes a member, and, if they are new, a user. What belongs to a person is theirs to change.
GRANT INSERT ON users, memberships TO kakeai_app;
GRANT UPDATE (name, locale, time_zone, password_hash, sessions_since, kept_session_id) ON users TO kakeai_app;

-- By which processes find out that they have not all been given the same key. It cannot be reckoned back to the key.
CREATE TABLE key_fingerprints (
    name        text PRIMARY KEY CHECK (name IN ('cursor')),
    fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    noted_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT, UPDATE ON key_fingerprints TO kakeai_app;

-- migrate:down
DROP TABLE key_fingerprints;
REVOKE UPDATE (name, locale, time_zone, password_hash, sessions_since, kept_session_id) ON users FROM kakeai_app;
REVOKE INSERT ON users, memberships FROM kakeai_app;
ALTER TABLE users DROP COLUMN sessions_since, DROP COLUMN kept_session_id;
DELETE FROM mails WHERE invitation_id IS NOT NULL;
ALTER TABLE mails
    DROP CONSTRAINT mails_are_for_somebody,
    DROP COLUMN invitation_id,
    ALTER COLUMN user_id SET NOT NULL;
DROP TABLE invitations;
