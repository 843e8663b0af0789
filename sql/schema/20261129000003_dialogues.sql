-- migrate:up

-- A conversation of members and the coach about one objective. Whoever sees the objective sees it.
CREATE TABLE dialogues (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    objective_id    uuid NOT NULL,
    title           text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 300),
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by      uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id),
    FOREIGN KEY (organization_id, created_by) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX dialogues_of_objective ON dialogues (organization_id, objective_id, id);

-- Ids, states and leases only, never content: claiming looks across organisations, so this table stands outside the policy,
-- and what a job points to is read in its organisation's own scope. lease_number only ever rises; it is the fencing token.
-- Columns that a heartbeat changes are in no index, so that a heartbeat stays a heap-only update.
CREATE TABLE ai_jobs (
    organization_id  uuid NOT NULL,
    id               uuid NOT NULL,
    contract         smallint NOT NULL DEFAULT 1,
    kind             text NOT NULL CHECK (kind IN ('draft', 'feedback')),
    objective_id     uuid NOT NULL,
    dialogue_id      uuid NOT NULL,
    requested_by     uuid NOT NULL,
    state            text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'superseded')),
    attempt          smallint NOT NULL DEFAULT 0,
    max_attempts     smallint NOT NULL DEFAULT 5,
    lease_number     bigint NOT NULL DEFAULT 0,
    lease_expires_at timestamptz,
    available_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    failure          text CHECK (char_length(failure) <= 60),
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at       timestamptz,
    finished_at      timestamptz,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id),
    FOREIGN KEY (organization_id, dialogue_id) REFERENCES dialogues (organization_id, id),
    CONSTRAINT ai_jobs_lease_while_running CHECK ((state = 'running') = (lease_expires_at IS NOT NULL)),
    CONSTRAINT ai_jobs_finished_has_time CHECK ((state IN ('queued', 'running')) = (finished_at IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX ai_jobs_one_live ON ai_jobs (organization_id, objective_id, kind) WHERE state IN ('queued', 'running');
CREATE INDEX ai_jobs_waiting ON ai_jobs (organization_id, available_at, id) WHERE state = 'queued';
CREATE INDEX ai_jobs_running ON ai_jobs (organization_id, id) WHERE state = 'running';
CREATE INDEX ai_jobs_of_dialogue ON ai_jobs (organization_id, dialogue_id, id);

-- author_id is null where the coach speaks; source then says which rule set or model it was. findings are a feedback's single remarks.
CREATE TABLE messages (
    organization_id    uuid NOT NULL,
    id                 uuid NOT NULL,
    dialogue_id        uuid NOT NULL,
    author_id          uuid,
    source             text CHECK (char_length(source) BETWEEN 1 AND 200),
    job_id             uuid,
    objective_revision bigint,
    body               text NOT NULL CHECK (char_length(body) BETWEEN 1 AND 100000),
    findings           jsonb NOT NULL DEFAULT '[]',
    created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, dialogue_id) REFERENCES dialogues (organization_id, id),
    FOREIGN KEY (organization_id, author_id) REFERENCES memberships (organization_id, user_id),
    FOREIGN KEY (organization_id, job_id) REFERENCES ai_jobs (organization_id, id),
    CONSTRAINT messages_one_speaker CHECK ((author_id IS NULL) = (source IS NOT NULL)),
    CONSTRAINT messages_one_answer_per_job UNIQUE (organization_id, job_id)
);
CREATE INDEX messages_of_dialogue ON messages (organization_id, dialogue_id, id);

-- A change that the coach proposes to the objective as it stood at objective_revision, and to no other.
CREATE TABLE suggestions (
    organization_id    uuid NOT NULL,
    id                 uuid NOT NULL,
    objective_id       uuid NOT NULL,
    objective_revision bigint NOT NULL,
    dialogue_id        uuid NOT NULL,
    message_id         uuid NOT NULL,
    source             text NOT NULL CHECK (char_length(source) BETWEEN 1 AND 200),
    content            jsonb NOT NULL,
    state              text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'rejected', 'superseded')),
    decided_by         uuid,
    decided_at         timestamptz,
    note               text CHECK (char_length(note) <= 10000),
    created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id),
    FOREIGN KEY (organization_id, dialogue_id) REFERENCES dialogues (organization_id, id),
    FOREIGN KEY (organization_id, message_id) REFERENCES messages (organization_id, id),
    CONSTRAINT suggestions_decided CHECK ((state = 'open') = (decided_at IS NULL))
);
CREATE INDEX suggestions_of_dialogue ON suggestions (organization_id, dialogue_id, id);
CREATE INDEX suggestions_of_message ON suggestions (organization_id, message_id, id);
CREATE INDEX suggestions_open ON suggestions (organization_id, objective_id, id) WHERE state = 'open';

GRANT SELECT, INSERT ON dialogues, messages TO kakeai_app;
GRANT SELECT, INSERT, UPDATE ON ai_jobs, suggestions TO kakeai_app;

ALTER TABLE dialogues   ENABLE ROW LEVEL SECURITY;
ALTER TABLE messages    ENABLE ROW LEVEL SECURITY;
ALTER TABLE suggestions ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON dialogues   USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON messages    USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON suggestions USING (organization_id = (SELECT current_organization()));

-- migrate:down
DROP TABLE suggestions, messages, ai_jobs, dialogues;
