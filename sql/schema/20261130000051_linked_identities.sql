-- migrate:up

-- What its owner names an identity by, and what its provider calls them, to be shown. A release from before says neither.
ALTER TABLE identities
    ADD COLUMN id       uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN shown_as text CHECK (char_length(shown_as) BETWEEN 1 AND 254),
    ADD CONSTRAINT identities_id UNIQUE (id);
GRANT DELETE, UPDATE (shown_as) ON identities TO kakeai_app;

-- The providers at which a person has removed their identity. There, their e-mail address does not lead to them any more: it would bring back at the next sign-in what they have removed.
CREATE TABLE removed_identities (
    user_id    uuid NOT NULL REFERENCES users (id),
    issuer     text NOT NULL CHECK (char_length(issuer) BETWEEN 1 AND 500),
    removed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (user_id, issuer)
);
GRANT SELECT, INSERT, DELETE, UPDATE (removed_at) ON removed_identities TO kakeai_app;

-- When whoever is in a session last proved who they are, if they did after they signed in.
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz;
GRANT UPDATE (confirmed_at) ON sessions TO kakeai_app;

-- migrate:down
REVOKE UPDATE (confirmed_at) ON sessions FROM kakeai_app;
ALTER TABLE sessions DROP COLUMN confirmed_at;
DROP TABLE removed_identities;
REVOKE DELETE, UPDATE (shown_as) ON identities FROM kakeai_app;
ALTER TABLE identities
    DROP CONSTRAINT identities_id,
    DROP COLUMN id,
    DROP COLUMN shown_as;
