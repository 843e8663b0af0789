-- migrate:up

-- Roles belong to the whole server, so another database or the operator may have made it already.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'kakeai_app') THEN
        CREATE ROLE kakeai_app LOGIN NOBYPASSRLS;
    END IF;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;

-- The organisation that the present transaction belongs to; null outside of any, and null equals nothing.
CREATE FUNCTION current_organization() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('kakeai.organization_id', true), '')::uuid $$;

-- Whoever is signing in, before the organisation is known; null everywhere else.
CREATE FUNCTION signing_in_user() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('kakeai.signing_in_user_id', true), '')::uuid $$;

-- revision belongs to the whole-organisation snapshot; ordinary writes never touch this row.
CREATE TABLE organizations (
    id         uuid PRIMARY KEY,
    name       text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    locale     text NOT NULL DEFAULT 'en' CHECK (locale IN ('ja', 'en')),
    time_zone  text NOT NULL DEFAULT 'UTC' CHECK (char_length(time_zone) BETWEEN 1 AND 64),
    cadence    text NOT NULL DEFAULT 'weekly' CHECK (cadence IN ('weekly', 'biweekly', 'monthly')),
    grace_days integer NOT NULL DEFAULT 7 CHECK (grace_days BETWEEN 0 AND 90),
    revision   bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A person, who may belong to several organisations. No password: they cannot sign in with one.
CREATE TABLE users (
    id            uuid PRIMARY KEY,
    email         text NOT NULL UNIQUE CHECK (char_length(email) BETWEEN 3 AND 254 AND email = lower(email)),
    name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    locale        text NOT NULL DEFAULT 'en' CHECK (locale IN ('ja', 'en')),
    time_zone     text NOT NULL DEFAULT 'UTC' CHECK (char_length(time_zone) BETWEEN 1 AND 64),
    password_hash text CHECK (char_length(password_hash) <= 300),
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE memberships (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    user_id         uuid NOT NULL REFERENCES users (id),
    role            text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    suspended_at    timestamptz,
    revision        bigint NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);
CREATE INDEX memberships_owners ON memberships (organization_id, user_id) WHERE role = 'owner' AND suspended_at IS NULL;

-- The browser holds the organisation's id and 256 random bits; the table holds SHA-256 of the bits.
CREATE TABLE sessions (
    organization_id uuid NOT NULL,
    token_hash      bytea NOT NULL CHECK (octet_length(token_hash) = 32),
    id              uuid NOT NULL,
    user_id         uuid NOT NULL,
    user_agent      text NOT NULL DEFAULT '' CHECK (char_length(user_agent) <= 400),
    address         text NOT NULL DEFAULT '' CHECK (char_length(address) <= 64),
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, token_hash),
    UNIQUE (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX sessions_of_user ON sessions (organization_id, user_id, id);

CREATE TABLE teams (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    name            text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    description     text CHECK (char_length(description) <= 10000),
    archived_at     timestamptz,
    revision        bigint NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_by      uuid NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX teams_name ON teams (organization_id, lower(name)) WHERE archived_at IS NULL;

CREATE TABLE team_members (
    organization_id uuid NOT NULL,
    team_id         uuid NOT NULL,
    user_id         uuid NOT NULL,
    role            text NOT NULL CHECK (role IN ('lead', 'member')),
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, team_id, user_id),
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX team_members_by_user ON team_members (organization_id, user_id, team_id);

-- FOR SHARE asks for some right to update, hence the grants on single columns.
GRANT SELECT ON organizations TO kakeai_app;
GRANT SELECT, UPDATE (changed_at) ON users TO kakeai_app;
GRANT SELECT, UPDATE ON memberships TO kakeai_app;
GRANT SELECT, INSERT, DELETE, UPDATE (expires_at) ON sessions TO kakeai_app;
GRANT SELECT, INSERT, UPDATE ON teams TO kakeai_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON team_members TO kakeai_app;

-- The second wall. The first is in every query: its organization_id.
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE memberships   ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions      ENABLE ROW LEVEL SECURITY;
ALTER TABLE teams         ENABLE ROW LEVEL SECURITY;
ALTER TABLE team_members  ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organizations USING (id = (SELECT current_organization()));
CREATE POLICY tenant ON memberships   USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON sessions      USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON teams         USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON team_members  USING (organization_id = (SELECT current_organization()));

-- Signing in begins without an organisation: a person may then read where they belong, and nothing else.
CREATE POLICY signing_in ON memberships FOR SELECT USING (user_id = (SELECT signing_in_user()));
CREATE POLICY signing_in ON organizations FOR SELECT USING (EXISTS (
    SELECT FROM memberships AS m WHERE m.organization_id = organizations.id AND m.user_id = (SELECT signing_in_user())));

-- migrate:down
DROP TABLE team_members, teams, sessions, memberships, users, organizations;
DROP FUNCTION current_organization, signing_in_user;
