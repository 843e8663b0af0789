-- migrate:up

-- A file that somebody brings, from its upload to what became of it. mapping says for each column of the file which field it is; '' is none. work_id is the
-- target of the event that has it checked or run: another press gives it another, cancelling none, and events from before find nothing.
CREATE TABLE imports (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    file_name       text NOT NULL DEFAULT '' CHECK (char_length(file_name) <= 255),
    format          text NOT NULL CHECK (format IN ('csv', 'json')),
    encoding        text NOT NULL DEFAULT '' CHECK (char_length(encoding) <= 20),
    separator       text NOT NULL DEFAULT '' CHECK (char_length(separator) <= 1),
    headers         text[] NOT NULL DEFAULT '{}' CHECK (cardinality(headers) <= 200),
    layout          text NOT NULL DEFAULT '' CHECK (char_length(layout) <= 40),
    mapping         text[] NOT NULL DEFAULT '{}' CHECK (cardinality(mapping) <= 200),
    decimal_mark    text NOT NULL DEFAULT 'auto' CHECK (decimal_mark IN ('auto', 'point', 'comma')),
    date_order      text NOT NULL DEFAULT 'auto' CHECK (date_order IN ('auto', 'ymd', 'dmy', 'mdy')),
    source          text NOT NULL DEFAULT 'kakeai' CHECK (char_length(source) BETWEEN 1 AND 40),
    cycle_id        uuid,
    good_rows_only  boolean NOT NULL DEFAULT false,
    default_state   text NOT NULL DEFAULT 'draft' CHECK (default_state IN ('draft', 'approved')),
    state           text NOT NULL DEFAULT 'uploading' CHECK (state IN ('uploading', 'uploaded', 'checking', 'checked', 'running', 'done', 'cancelled', 'failed')),
    phase           text NOT NULL DEFAULT '' CHECK (phase IN ('', 'reading', 'objectives', 'alignment', 'check_ins', 'results', 'applying')),
    work_id         uuid,
    after_position  integer NOT NULL DEFAULT 0,
    after_key       text NOT NULL DEFAULT '',
    row_count       integer NOT NULL DEFAULT 0,
    progress        integer NOT NULL DEFAULT 0,
    counts          jsonb NOT NULL DEFAULT '{}',
    failure         text CHECK (char_length(failure) <= 60),
    revision        bigint NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by      uuid NOT NULL,
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_by      uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, created_by) REFERENCES memberships (organization_id, user_id),
    FOREIGN KEY (organization_id, changed_by) REFERENCES memberships (organization_id, user_id),
    FOREIGN KEY (organization_id, cycle_id) REFERENCES cycles (organization_id, id),
    UNIQUE (organization_id, work_id),
    CONSTRAINT imports_work_has_id CHECK ((state IN ('checking', 'running')) = (work_id IS NOT NULL))
);
CREATE INDEX imports_of_user ON imports (organization_id, created_by, id);
CREATE INDEX imports_by_age ON imports (organization_id, changed_at);

-- The file's rows, and what the latest check found of each. position counts from 1, line is where the row begins in the file.
CREATE TABLE import_rows (
    organization_id uuid NOT NULL,
    import_id       uuid NOT NULL,
    position        integer NOT NULL CHECK (position > 0),
    line            integer NOT NULL,
    cells           jsonb NOT NULL,
    objective_key   text NOT NULL DEFAULT '',
    key_result_key  text NOT NULL DEFAULT '',
    check_in_key    text NOT NULL DEFAULT '',
    result          text CHECK (result IN ('create', 'update', 'same', 'refused')),
    problems        jsonb NOT NULL DEFAULT '[]',
    PRIMARY KEY (organization_id, import_id, position),
    FOREIGN KEY (organization_id, import_id) REFERENCES imports (organization_id, id)
);
CREATE INDEX import_rows_by_result ON import_rows (organization_id, import_id, result, position) WHERE result IS NOT NULL;

-- What the rows come to, gathered for one check or run: each objective, key result and check-in once. plan is an objective's whole content as it will be, or a check-in's.
CREATE TABLE import_entities (
    organization_id uuid NOT NULL,
    work_id         uuid NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('objective', 'key_result', 'check_in')),
    key             text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 420),
    import_id       uuid NOT NULL,
    parent_key      text NOT NULL DEFAULT '',
    position        integer NOT NULL,
    entity_id       uuid NOT NULL,
    event_id        uuid NOT NULL,
    known           boolean NOT NULL,
    intent          jsonb NOT NULL,
    change          text NOT NULL DEFAULT 'refused' CHECK (change IN ('create', 'update', 'same', 'refused')),
    from_revision   bigint NOT NULL DEFAULT 0,
    plan            jsonb,
    aligned_to      text NOT NULL DEFAULT '',
    depth           integer NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, work_id, kind, key),
    FOREIGN KEY (organization_id, import_id) REFERENCES imports (organization_id, id)
);
-- These tables fill in seconds and have no statistics then. So there is no second index that a search by key could take for as good as the primary key.
CREATE INDEX import_entities_of_parent ON import_entities (organization_id, work_id, kind, parent_key, position) WHERE parent_key <> '';
CREATE INDEX import_entities_of_import ON import_entities (organization_id, import_id);

-- Under which name another program knows a thing, so that the same file brings it once. Things are never deleted, so neither are their names.
CREATE TABLE external_ids (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    source          text NOT NULL CHECK (char_length(source) BETWEEN 1 AND 40),
    kind            text NOT NULL CHECK (kind IN ('objective', 'key_result', 'check_in')),
    external_id     text NOT NULL CHECK (char_length(external_id) BETWEEN 1 AND 420),
    entity_id       uuid NOT NULL,
    PRIMARY KEY (organization_id, source, kind, external_id)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON imports, import_rows, import_entities TO kakeai_app;
GRANT SELECT, INSERT ON external_ids TO kakeai_app;
ALTER TABLE imports         ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_rows     ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_entities ENABLE ROW LEVEL SECURITY;
ALTER TABLE external_ids    ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON imports         USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON import_rows     USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON import_entities USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON external_ids    USING (organization_id = (SELECT current_organization()));

-- migrate:down
DROP TABLE external_ids, import_entities, import_rows, imports;
