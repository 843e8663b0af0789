-- migrate:up

-- Who did what, when and from where. It can be added to and read, never changed. actor_id is null where the program itself acted.
CREATE TABLE audit_events (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    action          text NOT NULL CHECK (char_length(action) BETWEEN 1 AND 60),
    target_kind     text NOT NULL CHECK (char_length(target_kind) BETWEEN 1 AND 40),
    target_id       uuid NOT NULL,
    target_revision bigint,
    actor_id        uuid,
    detail          jsonb NOT NULL DEFAULT '{}',
    request_id      text CHECK (char_length(request_id) <= 100),
    address         text CHECK (char_length(address) <= 64),
    happened_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_events_of_target ON audit_events (organization_id, target_id, id);

-- Ids only, so it stands outside the policy like ai_jobs: whoever delivers an event reads its content in the organisation's own scope.
CREATE TABLE outbox_events (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    kind            text NOT NULL CHECK (char_length(kind) BETWEEN 1 AND 60),
    target_id       uuid NOT NULL,
    target_revision bigint,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, id)
);

-- What was answered to an unsafe request that carried a key, written with the change that it made.
CREATE TABLE idempotency_keys (
    organization_id uuid NOT NULL,
    actor_id        uuid NOT NULL,
    route           text NOT NULL CHECK (char_length(route) <= 300),
    key             text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 200),
    payload_hash    bytea NOT NULL CHECK (octet_length(payload_hash) = 32),
    status          smallint,
    headers         jsonb NOT NULL DEFAULT '{}',
    body            bytea,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, actor_id, route, key),
    FOREIGN KEY (organization_id, actor_id) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (organization_id, created_at);

-- One row: the oldest release that may still write, and whether anything may.
CREATE TABLE runtime_state (
    singleton       boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    minimum_release integer NOT NULL DEFAULT 0,
    mode            text NOT NULL DEFAULT 'normal' CHECK (mode IN ('normal', 'read_only', 'maintenance'))
);
INSERT INTO runtime_state DEFAULT VALUES;

GRANT SELECT, INSERT ON audit_events, outbox_events TO kakeai_app;
GRANT SELECT, INSERT, UPDATE (status, headers, body), DELETE ON idempotency_keys TO kakeai_app;
GRANT SELECT ON runtime_state TO kakeai_app;

ALTER TABLE audit_events     ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_events     USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON idempotency_keys USING (organization_id = (SELECT current_organization()));

-- migrate:down
DROP TABLE runtime_state, idempotency_keys, outbox_events, audit_events;
