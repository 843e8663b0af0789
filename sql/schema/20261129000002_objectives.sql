-- migrate:up

CREATE TABLE cycles (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    name            text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    starts_on       date NOT NULL,
    ends_on         date NOT NULL,
    state           text NOT NULL DEFAULT 'preparation' CHECK (state IN ('preparation', 'active', 'closed')),
    revision        bigint NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_by      uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT cycles_ends_after_start CHECK (ends_on >= starts_on)
);

-- An objective, its key results and their weights are one entity with one revision. Check-ins, comments and dialogue do not raise it.
CREATE TABLE objectives (
    organization_id      uuid NOT NULL REFERENCES organizations (id),
    id                   uuid NOT NULL,
    cycle_id             uuid NOT NULL,
    team_id              uuid,
    owner_id             uuid NOT NULL,
    parent_objective_id  uuid,
    parent_key_result_id uuid,
    title                text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 300),
    description          text CHECK (char_length(description) <= 10000),
    kind                 text NOT NULL DEFAULT 'committed' CHECK (kind IN ('committed', 'aspirational')),
    visibility           text NOT NULL DEFAULT 'organization' CHECK (visibility IN ('organization', 'team', 'private')),
    state                text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'submitted', 'approved', 'closed')),
    score                numeric(2, 1) CHECK (score BETWEEN 0 AND 1),
    archived_at          timestamptz,
    revision             bigint NOT NULL DEFAULT 1,
    created_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by           uuid NOT NULL,
    changed_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_by           uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, cycle_id) REFERENCES cycles (organization_id, id),
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id),
    FOREIGN KEY (organization_id, owner_id) REFERENCES memberships (organization_id, user_id),
    FOREIGN KEY (organization_id, parent_objective_id) REFERENCES objectives (organization_id, id),
    CONSTRAINT objectives_not_own_parent CHECK (parent_objective_id <> id),
    CONSTRAINT objectives_key_result_needs_parent CHECK (parent_key_result_id IS NULL OR parent_objective_id IS NOT NULL),
    CONSTRAINT objectives_team_visibility_needs_team CHECK (visibility <> 'team' OR team_id IS NOT NULL),
    CONSTRAINT objectives_closed_has_score CHECK ((state = 'closed') = (score IS NOT NULL))
);
CREATE INDEX objectives_of_cycle ON objectives (organization_id, cycle_id, id);
CREATE INDEX objectives_of_team ON objectives (organization_id, team_id, id) WHERE team_id IS NOT NULL;
CREATE INDEX objectives_of_owner ON objectives (organization_id, owner_id, id);
CREATE INDEX objectives_of_parent ON objectives (organization_id, parent_objective_id, id) WHERE parent_objective_id IS NOT NULL;

-- Whether an actor may see an objective: the one condition that every read uses. It has no sub-select, so PostgreSQL
-- inlines it into the query that calls it. lead_team_ids are those of team_ids that the actor leads; sees_all is true for owners and admins.
CREATE FUNCTION objective_is_visible(visibility text, owner_id uuid, team_id uuid, actor_id uuid, sees_all boolean, team_ids uuid[], lead_team_ids uuid[])
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT visibility = 'organization'
        OR owner_id = actor_id
        OR sees_all
        OR (visibility = 'team' AND coalesce(team_id = ANY (team_ids), false))
        OR (visibility = 'private' AND coalesce(team_id = ANY (lead_team_ids), false))
$$;

-- current_*: what the latest check-in that nothing corrects says; null while there is none. Written with the check-in.
CREATE TABLE key_results (
    organization_id     uuid NOT NULL,
    id                  uuid NOT NULL,
    objective_id        uuid NOT NULL,
    position            integer NOT NULL CHECK (position >= 0),
    title               text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 300),
    description         text CHECK (char_length(description) <= 10000),
    owner_id            uuid,
    kind                text NOT NULL CHECK (kind IN ('metric', 'threshold', 'milestone')),
    unit                text NOT NULL DEFAULT '' CHECK (char_length(unit) <= 40),
    baseline            numeric(21, 6),
    target              numeric(21, 6),
    stretch             numeric(21, 6),
    at_least            numeric(21, 6),
    at_most             numeric(21, 6),
    tolerance           numeric(21, 6),
    weight              numeric(9, 3) NOT NULL DEFAULT 1 CHECK (weight >= 0),
    archived_at         timestamptz,
    current_check_in_id uuid,
    current_value       numeric(21, 6),
    current_done_steps  uuid[] NOT NULL DEFAULT '{}',
    current_confidence  smallint,
    current_at          timestamptz,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id),
    FOREIGN KEY (organization_id, owner_id) REFERENCES memberships (organization_id, user_id),
    CONSTRAINT key_results_fields_of_kind CHECK (CASE kind
        WHEN 'metric'    THEN baseline IS NOT NULL AND target IS NOT NULL AND baseline <> target
                              AND num_nonnulls(at_least, at_most, tolerance) = 0
        WHEN 'threshold' THEN num_nonnulls(at_least, at_most) > 0 AND num_nonnulls(baseline, target, stretch) = 0
                              AND coalesce(at_least <= at_most, true) AND coalesce(tolerance > 0, true)
        ELSE num_nonnulls(baseline, target, stretch, at_least, at_most, tolerance) = 0 END),
    CONSTRAINT key_results_stretch_beyond_target CHECK (stretch IS NULL OR sign(stretch - target) = sign(target - baseline))
);
CREATE INDEX key_results_of_objective ON key_results (organization_id, objective_id, position, id);
ALTER TABLE objectives ADD FOREIGN KEY (organization_id, parent_key_result_id) REFERENCES key_results (organization_id, id);

CREATE TABLE milestone_steps (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    key_result_id   uuid NOT NULL,
    position        integer NOT NULL CHECK (position >= 0),
    title           text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 300),
    weight          numeric(9, 3) NOT NULL DEFAULT 1 CHECK (weight >= 0),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, key_result_id) REFERENCES key_results (organization_id, id)
);
CREATE INDEX milestone_steps_of_key_result ON milestone_steps (organization_id, key_result_id, position, id);

-- Append-only. A correction names the check-in it corrects and stands at that one's time; done_step_ids are a milestone's steps, the others have a value.
CREATE TABLE check_ins (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    key_result_id   uuid NOT NULL,
    value           numeric(21, 6),
    done_step_ids   uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(done_step_ids) <= 100),
    progress        numeric NOT NULL,
    confidence      smallint NOT NULL CHECK (confidence BETWEEN 0 AND 10),
    note            text CHECK (char_length(note) <= 10000),
    corrects_id     uuid,
    checked_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by      uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, key_result_id) REFERENCES key_results (organization_id, id),
    FOREIGN KEY (organization_id, corrects_id) REFERENCES check_ins (organization_id, id),
    FOREIGN KEY (organization_id, created_by) REFERENCES memberships (organization_id, user_id),
    CONSTRAINT check_ins_corrected_once UNIQUE (organization_id, corrects_id)
);
CREATE INDEX check_ins_latest ON check_ins (organization_id, key_result_id, checked_at DESC, id DESC);

-- The whole content that each revision led to, so that any of them can be shown, compared and restored.
CREATE TABLE objective_history (
    organization_id uuid NOT NULL,
    objective_id    uuid NOT NULL,
    revision        bigint NOT NULL,
    action          text NOT NULL CHECK (char_length(action) BETWEEN 1 AND 60),
    note            text CHECK (char_length(note) <= 10000),
    content         jsonb NOT NULL,
    changed_at      timestamptz NOT NULL,
    changed_by      uuid NOT NULL,
    PRIMARY KEY (organization_id, objective_id, revision),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id)
);

CREATE TABLE comments (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    objective_id    uuid NOT NULL,
    author_id       uuid NOT NULL,
    body            text NOT NULL CHECK (char_length(body) BETWEEN 1 AND 10000),
    revision        bigint NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id),
    FOREIGN KEY (organization_id, author_id) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX comments_of_objective ON comments (organization_id, objective_id, id);

GRANT SELECT, INSERT, UPDATE ON cycles, objectives, key_results TO kakeai_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON milestone_steps TO kakeai_app;
GRANT SELECT, INSERT ON check_ins, objective_history TO kakeai_app;
GRANT SELECT, INSERT, UPDATE ON comments TO kakeai_app;

ALTER TABLE cycles            ENABLE ROW LEVEL SECURITY;
ALTER TABLE objectives        ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_results       ENABLE ROW LEVEL SECURITY;
ALTER TABLE milestone_steps   ENABLE ROW LEVEL SECURITY;
ALTER TABLE check_ins         ENABLE ROW LEVEL SECURITY;
ALTER TABLE objective_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE comments          ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON cycles            USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON objectives        USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON key_results       USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON milestone_steps   USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON check_ins         USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON objective_history USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON comments          USING (organization_id = (SELECT current_organization()));

-- migrate:down
ALTER TABLE objectives DROP CONSTRAINT objectives_organization_id_parent_key_result_id_fkey;
DROP TABLE comments, objective_history, check_ins, milestone_steps, key_results, objectives, cycles;
DROP FUNCTION objective_is_visible;
