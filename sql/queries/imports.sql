-- name: CreateImport :one
-- A file whose rows are still to come.
INSERT INTO imports (organization_id, id, file_name, format, source, created_by, changed_by)
VALUES (@organization_id::uuid, @id::uuid, @file_name::text, @format::text, @source::text, @actor_id::uuid, @actor_id::uuid)
RETURNING *;

-- name: CreateImportRows :exec
-- The next rows of a file that is being uploaded.
INSERT INTO import_rows (organization_id, import_id, position, line, cells)
SELECT @organization_id::uuid, @import_id::uuid, unnest(@positions::int[]), unnest(@lines::int[]), unnest(@cells::text[])::jsonb;

-- name: EndUpload :one
-- Says what a file turned out to be, or why it could not be read. No row: it is no longer being uploaded.
UPDATE imports AS i
SET state      = @state::text,
    failure    = sqlc.narg(failure)::text,
    encoding   = @encoding::text,
    separator  = @separator::text,
    sheet      = @sheet::text,
    sheets     = @sheets::text[],
    headers    = @headers::text[],
    layout     = @layout::text,
    mapping    = @mapping::text[],
    source     = @source::text,
    row_count  = @row_count::int,
    changed_at = clock_timestamp()
WHERE i.organization_id = @organization_id::uuid
  AND i.id = @id::uuid
  AND i.state = 'uploading'
RETURNING i.*;

-- name: GetImport :one
-- One import.
SELECT i.*
FROM imports AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.id = @id::uuid;

-- name: ListImportsBefore :many
-- Imports, newest first, behind @before_id.
SELECT i.*
FROM imports AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.id < @before_id::uuid
ORDER BY i.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListImportsOfUserBefore :many
-- As ListImportsBefore, those of one member.
SELECT i.*
FROM imports AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.created_by = @user_id::uuid
  AND i.id < @before_id::uuid
ORDER BY i.id DESC
LIMIT least(@page_size::int, 201);

-- name: UpdateImportIfRevision :one
-- Changes how a file is read. What an earlier check found of it no longer holds. No row: it has moved on, or is being worked on.
UPDATE imports AS i
SET mapping        = CASE WHEN @set_mapping::bool THEN @mapping::text[] ELSE i.mapping END,
    decimal_mark   = CASE WHEN @set_decimal_mark::bool THEN @decimal_mark::text ELSE i.decimal_mark END,
    date_order     = CASE WHEN @set_date_order::bool THEN @date_order::text ELSE i.date_order END,
    source         = CASE WHEN @set_source::bool THEN @source::text ELSE i.source END,
    cycle_id       = CASE WHEN @set_cycle::bool THEN sqlc.narg(cycle_id)::uuid ELSE i.cycle_id END,
    good_rows_only = CASE WHEN @set_good_rows_only::bool THEN @good_rows_only::bool ELSE i.good_rows_only END,
    default_state  = CASE WHEN @set_default_state::bool THEN @default_state::text ELSE i.default_state END,
    state          = 'uploaded',
    phase          = '',
    progress       = 0,
    phase_done     = 0,
    phase_total    = 0,
    counts         = '{}',
    failure        = NULL,
    revision       = i.revision + 1,
    changed_at     = clock_timestamp(),
    changed_by     = @actor_id::uuid
WHERE i.organization_id = @organization_id::uuid
  AND i.id = @id::uuid
  AND i.revision = @revision::bigint
  AND i.state IN ('uploaded', 'checked', 'cancelled', 'failed')
  AND cardinality(i.headers) > 0
RETURNING i.*;

-- name: StartImportIfRevision :one
-- Has a file checked, or checked and run. No row: it has moved on, or is not in a state for that.
UPDATE imports AS i
SET state          = @state::text,
    phase          = 'reading',
    work_id        = @work_id::uuid,
    after_position = 0,
    after_key      = '',
    progress       = 0,
    phase_done     = 0,
    phase_total    = i.row_count,
    counts         = '{}',
    failure        = NULL,
    revision       = i.revision + 1,
    changed_at     = clock_timestamp(),
    changed_by     = @actor_id::uuid
WHERE i.organization_id = @organization_id::uuid
  AND i.id = @id::uuid
  AND i.revision = @revision::bigint
  AND i.state IN ('uploaded', 'checked', 'cancelled', 'failed')
  AND cardinality(i.headers) > 0
RETURNING i.*;

-- name: CancelImport :one
-- Ends the work on a file; what has been committed of it stays. No row: nobody is at work on it.
UPDATE imports AS i
SET state      = 'cancelled',
    work_id    = NULL,
    revision   = i.revision + 1,
    changed_at = clock_timestamp(),
    changed_by = @actor_id::uuid
WHERE i.organization_id = @organization_id::uuid
  AND i.id = @id::uuid
  AND i.state IN ('checking', 'running')
RETURNING i.*;

-- name: GetImportOfWork :one
-- The file that somebody is to work on. No row: cancelled, done, or begun anew.
SELECT i.*
FROM imports AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.work_id = @work_id::uuid;

-- name: LockImportOfWork :one
-- As GetImportOfWork, held until the transaction ends: the steps of one piece of work come one after another.
SELECT i.*
FROM imports AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.work_id = @work_id::uuid
FOR UPDATE;

-- name: AdvanceImport :exec
-- Says how far the work on a file has come.
UPDATE imports AS i
SET phase          = @phase::text,
    after_position = @after_position::int,
    after_key      = @after_key::text,
    progress       = @progress::int,
    phase_done     = @phase_done::int,
    phase_total    = @phase_total::int,
    counts         = @counts::jsonb,
    changed_at     = clock_timestamp()
WHERE i.organization_id = @organization_id::uuid
  AND i.work_id = @work_id::uuid;

-- name: ReportImport :exec
-- Says, beside the transaction that writes all of a file, how much of it is written. Nothing happens once that has ended.
UPDATE imports AS i
SET phase_done = @phase_done::int,
    changed_at = clock_timestamp()
WHERE i.organization_id = @organization_id::uuid
  AND i.work_id = @work_id::uuid;

-- name: CountImportThings :one
-- How many things of one kind a file speaks of.
SELECT count(*)::int AS things
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = @kind::text;

-- name: EndImportWork :execrows
-- Ends the work on a file. No row: somebody was faster, by cancelling for instance.
UPDATE imports AS i
SET state      = @state::text,
    work_id    = NULL,
    failure    = sqlc.narg(failure)::text,
    counts     = @counts::jsonb,
    progress   = i.row_count,
    revision   = i.revision + 1,
    changed_at = clock_timestamp()
WHERE i.organization_id = @organization_id::uuid
  AND i.work_id = @work_id::uuid;

-- name: ListImportRowsAfter :many
-- The next rows of a file, with what was found of them.
SELECT r.*
FROM import_rows AS r
WHERE r.organization_id = @organization_id::uuid
  AND r.import_id = @import_id::uuid
  AND r.position > @after_position::int
ORDER BY r.position
LIMIT least(@page_size::int, 201);

-- name: ListImportRowsOfResultAfter :many
-- As ListImportRowsAfter, of one result.
SELECT r.*
FROM import_rows AS r
WHERE r.organization_id = @organization_id::uuid
  AND r.import_id = @import_id::uuid
  AND r.result = @result::text
  AND r.position > @after_position::int
ORDER BY r.position
LIMIT least(@page_size::int, 201);

-- name: SetImportRows :exec
-- What reading found of rows; what was found before is forgotten. That positions (below: keys) stand there twice is for the planner: without statistics it would compare all with all.
UPDATE import_rows AS r
SET objective_key  = w.objective_key,
    key_result_key = w.key_result_key,
    check_in_key   = w.check_in_key,
    result         = NULL,
    problems       = w.problems::jsonb
FROM (SELECT unnest(@positions::int[]) AS position, unnest(@objective_keys::text[]) AS objective_key, unnest(@key_result_keys::text[]) AS key_result_key,
             unnest(@check_in_keys::text[]) AS check_in_key, unnest(@problems::text[]) AS problems) AS w
WHERE r.organization_id = @organization_id::uuid
  AND r.import_id = @import_id::uuid
  AND r.position = ANY (@positions::int[])
  AND r.position = w.position;

-- name: AddImportProblems :exec
-- Further reasons against rows, each row named once.
UPDATE import_rows AS r
SET problems = r.problems || w.problems::jsonb
FROM (SELECT unnest(@positions::int[]) AS position, unnest(@problems::text[]) AS problems) AS w
WHERE r.organization_id = @organization_id::uuid
  AND r.import_id = @import_id::uuid
  AND r.position = ANY (@positions::int[])
  AND r.position = w.position;

-- name: ListExternalIDs :many
-- What is known under names of another program, for as many as 1000 of them.
SELECT x.kind, x.external_id, x.entity_id
FROM external_ids AS x
JOIN (SELECT unnest(@kinds::text[]) AS kind, unnest(@external_ids::text[]) AS external_id) AS w ON w.kind = x.kind AND w.external_id = x.external_id
WHERE x.organization_id = @organization_id::uuid
  AND x.source = @source::text
  AND x.kind = ANY (@kinds::text[])
  AND x.external_id = ANY (@external_ids::text[])
LIMIT 1000;

-- name: PutImportEntities :exec
-- What rows come to. The first row that names a thing decides what it is.
INSERT INTO import_entities (organization_id, work_id, import_id, kind, key, parent_key, position, entity_id, event_id, known, intent, aligned_to)
SELECT @organization_id::uuid, @work_id::uuid, @import_id::uuid, unnest(@kinds::text[]), unnest(@keys::text[]), unnest(@parent_keys::text[]), unnest(@positions::int[]),
       unnest(@entity_ids::uuid[]), unnest(@event_ids::uuid[]), unnest(@known::bool[]), unnest(@intents::text[])::jsonb, unnest(@aligned_to::text[])
ON CONFLICT (organization_id, work_id, kind, key) DO NOTHING;

-- name: ListImportEntities :many
-- Things of one kind by their keys, for as many as 1000 of them.
SELECT e.*
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = @kind::text
  AND e.key = ANY (@keys::text[])
LIMIT 1000;

-- name: ListImportEntitiesAfter :many
-- Things of one kind in the order of their keys.
SELECT e.*
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = @kind::text
  AND e.key > @after_key::text
ORDER BY e.key
LIMIT least(@page_size::int, 201);

-- name: ListImportChildren :many
-- The things of one kind that belong to others, in the order of the file: of at most 200, with at most 50 each in use.
SELECT e.*
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = @kind::text
  AND e.parent_key = ANY (@parent_keys::text[])
  AND e.parent_key <> ''
ORDER BY e.parent_key, e.position
LIMIT 20000;

-- name: PlanImportEntities :exec
-- What is to become of things of one kind.
UPDATE import_entities AS e
SET change        = w.change,
    from_revision = w.from_revision,
    plan          = w.plan::jsonb,
    entity_id     = w.entity_id
FROM (SELECT unnest(@keys::text[]) AS key, unnest(@changes::text[]) AS change, unnest(@from_revisions::bigint[]) AS from_revision, unnest(@plans::text[]) AS plan,
             unnest(@entity_ids::uuid[]) AS entity_id) AS w
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = @kind::text
  AND e.key = ANY (@keys::text[])
  AND e.key = w.key;

-- name: AlignImportEntities :exec
-- Where objectives stand in the alignment: parents before their children.
UPDATE import_entities AS e
SET depth  = w.depth,
    change = w.change,
    plan   = e.plan || jsonb_build_object('parent_objective_id', nullif(w.parent_id, ''), 'parent_key_result_id', nullif(w.parent_key_result_id, ''))
FROM (SELECT unnest(@keys::text[]) AS key, unnest(@depths::int[]) AS depth, unnest(@changes::text[]) AS change, unnest(@parent_ids::text[]) AS parent_id,
             unnest(@parent_key_result_ids::text[]) AS parent_key_result_id) AS w
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = 'objective'
  AND e.key = ANY (@keys::text[])
  AND e.key = w.key;

-- name: ListImportRowKeysAfter :many
-- What the next rows speak of, and whether there are reasons against them.
SELECT r.position, r.objective_key, r.key_result_key, r.check_in_key, (r.problems <> '[]'::jsonb)::bool AS has_problems
FROM import_rows AS r
WHERE r.organization_id = @organization_id::uuid
  AND r.import_id = @import_id::uuid
  AND r.position > @after_position::int
ORDER BY r.position
LIMIT least(@page_size::int, 1000);

-- name: ListImportChanges :many
-- What becomes of things of one kind, by their keys, for as many as 1000 of them.
SELECT e.key, e.change, e.position
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = @kind::text
  AND e.key = ANY (@keys::text[])
LIMIT 1000;

-- name: SetImportResults :exec
-- What becomes of rows. A row without reasons of its own gets the one given, if it is not empty.
UPDATE import_rows AS r
SET result   = w.result,
    problems = CASE WHEN w.problem = '' THEN r.problems ELSE r.problems || w.problem::jsonb END
FROM (SELECT unnest(@positions::int[]) AS position, unnest(@results::text[]) AS result, unnest(@problems::text[]) AS problem) AS w
WHERE r.organization_id = @organization_id::uuid
  AND r.import_id = @import_id::uuid
  AND r.position = ANY (@positions::int[])
  AND r.position = w.position;

-- name: CountImportResults :many
-- How many rows there are of each result.
SELECT coalesce(r.result, '')::text AS result, count(*)::int AS rows
FROM import_rows AS r
WHERE r.organization_id = @organization_id::uuid
  AND r.import_id = @import_id::uuid
GROUP BY r.result
LIMIT 5;

-- name: CountImportEntities :many
-- How many things of each kind become what.
SELECT e.kind, e.change, count(*)::int AS entities
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
GROUP BY e.kind, e.change
LIMIT 12;

-- name: ListMembersByEmail :many
-- Members who are not suspended, by their e-mail addresses, for as many as 1000 of them.
SELECT m.user_id, u.email, u.name
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND u.email = ANY (@emails::text[])
  AND m.suspended_at IS NULL
LIMIT 1000;

-- name: ListTeamsByName :many
-- Teams by their names in lower case, for as many as 1000 of them.
SELECT t.id, lower(t.name)::text AS lower_name
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.archived_at IS NULL
  AND lower(t.name) = ANY (@lower_names::text[])
LIMIT 1000;

-- name: ListCyclesByName :many
-- Cycles by their names in lower case, and the one with @cycle_id; at most 1000.
SELECT c.*
FROM cycles AS c
WHERE c.organization_id = @organization_id::uuid
  AND (lower(c.name) = ANY (@lower_names::text[]) OR c.id = coalesce(sqlc.narg(cycle_id)::uuid, '00000000-0000-0000-0000-000000000000'::uuid))
LIMIT 1000;

-- name: ListVisibleObjectivesByID :many
-- Objectives that the actor may see, by their ids, for as many as 200 of them.
SELECT o.*
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id = ANY (@ids::uuid[])
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
LIMIT 200;

-- name: ListKeyResultsByID :many
-- Key results by their ids, for as many as 200 of them.
SELECT k.*
FROM key_results AS k
WHERE k.organization_id = @organization_id::uuid
  AND k.id = ANY (@ids::uuid[])
LIMIT 200;

-- name: ListCheckInsByID :many
-- Check-ins by their ids, for as many as 200 of them.
SELECT i.*
FROM check_ins AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.id = ANY (@ids::uuid[])
LIMIT 200;

-- name: LockCyclesOfImport :one
-- Holds the cycles that new objectives of a run go to, and counts those that no longer take any.
SELECT count(*) FILTER (WHERE NOT (c.state IN ('preparation', 'active') OR @history::bool))::int AS closed
FROM (
    SELECT c.state
    FROM cycles AS c
    WHERE c.organization_id = @organization_id::uuid
      AND c.id IN (SELECT (e.plan->>'cycle_id')::uuid FROM import_entities AS e
                   WHERE e.organization_id = @organization_id::uuid AND e.work_id = @work_id::uuid AND e.kind = 'objective' AND e.change = 'create')
    ORDER BY c.id
    FOR SHARE
) AS c;

-- name: GetImportDepth :one
-- How many levels of alignment there are within a file; 0 where nothing in it contributes to anything in it.
SELECT coalesce(max(e.depth), 0)::int AS depth
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = 'objective';

-- name: ListImportApplicableAfter :many
-- The next objectives of one level that are to be written.
SELECT e.key, e.change
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = 'objective'
  AND e.key > @after_key::text
  AND e.depth = @depth::int
  AND e.change IN ('create', 'update')
ORDER BY e.key
LIMIT least(@page_size::int, 500);

-- name: RememberImported :exec
-- Under which names things are known from now on: objectives with these keys and their key results. One that has become known meanwhile is in the way.
INSERT INTO external_ids (organization_id, source, kind, external_id, entity_id)
SELECT e.organization_id, @source::text, e.kind, e.key, e.entity_id
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = 'objective'
  AND e.key = ANY (@keys::text[])
  AND e.change <> 'refused'
  AND NOT e.known
UNION ALL
SELECT k.organization_id, @source::text, k.kind, k.key, k.entity_id
FROM import_entities AS k
WHERE k.organization_id = @organization_id::uuid
  AND k.work_id = @work_id::uuid
  AND k.kind = 'key_result'
  AND k.parent_key = ANY (@keys::text[])
  AND k.parent_key <> ''
  AND k.change <> 'refused'
  AND NOT k.known;

-- name: CreateImportedObjectives :execrows
-- New objectives, as they were planned.
INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, parent_objective_id, parent_key_result_id, title, description, kind, visibility, state, score,
                        archived_at, created_at, changed_at, created_by, changed_by)
SELECT e.organization_id, e.entity_id, (e.plan->>'cycle_id')::uuid, (e.plan->>'team_id')::uuid, (e.plan->>'owner_id')::uuid, (e.plan->>'parent_objective_id')::uuid,
       (e.plan->>'parent_key_result_id')::uuid, e.plan->>'title', e.plan->>'description', e.plan->>'kind', e.plan->>'visibility', e.plan->>'state',
       (e.plan->>'score')::numeric, CASE WHEN (e.plan->>'archived')::bool THEN @at::timestamptz END, @at::timestamptz, @at::timestamptz, @actor_id::uuid, @actor_id::uuid
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = 'objective'
  AND e.change = 'create'
  AND e.key = ANY (@keys::text[]);

-- name: UpdateImportedObjectives :execrows
-- Objectives that are still at the revision they were planned from. Fewer than were planned: some have moved on.
UPDATE objectives AS o
SET title                = e.plan->>'title',
    description          = e.plan->>'description',
    kind                 = e.plan->>'kind',
    visibility           = e.plan->>'visibility',
    team_id              = (e.plan->>'team_id')::uuid,
    owner_id             = (e.plan->>'owner_id')::uuid,
    parent_objective_id  = (e.plan->>'parent_objective_id')::uuid,
    parent_key_result_id = (e.plan->>'parent_key_result_id')::uuid,
    revision             = o.revision + 1,
    changed_at           = greatest(@at::timestamptz, o.changed_at + interval '1 microsecond'),
    changed_by           = @actor_id::uuid
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = 'objective'
  AND e.change = 'update'
  AND e.key = ANY (@keys::text[])
  AND o.organization_id = @organization_id::uuid
  AND o.id = e.entity_id
  AND o.revision = e.from_revision
  AND o.archived_at IS NULL
  AND o.state <> 'closed';

-- name: PutImportedKeyResults :exec
-- The key results of objectives that the transaction has written, all of them as planned.
INSERT INTO key_results AS k (organization_id, id, objective_id, position, title, description, owner_id, kind, unit, baseline, target, stretch, at_least, at_most, tolerance, weight)
SELECT @organization_id::uuid, (w.k->>'id')::uuid, w.objective_id, w.position, w.k->>'title', w.k->>'description', (w.k->>'owner_id')::uuid, w.k->>'kind', w.k->>'unit',
       (w.k->>'baseline')::numeric, (w.k->>'target')::numeric, (w.k->>'stretch')::numeric, (w.k->>'at_least')::numeric, (w.k->>'at_most')::numeric,
       (w.k->>'tolerance')::numeric, (w.k->>'weight')::numeric
FROM (
    SELECT e.entity_id AS objective_id, jsonb_array_elements(e.plan->'key_results') AS k, generate_series(0, jsonb_array_length(e.plan->'key_results') - 1) AS position
    FROM import_entities AS e
    WHERE e.organization_id = @organization_id::uuid
      AND e.work_id = @work_id::uuid
      AND e.kind = 'objective'
      AND e.change IN ('create', 'update')
      AND e.key = ANY (@keys::text[])
) AS w
ON CONFLICT (organization_id, id) DO UPDATE
SET position = excluded.position, title = excluded.title, description = excluded.description, owner_id = excluded.owner_id, kind = excluded.kind, unit = excluded.unit,
    baseline = excluded.baseline, target = excluded.target, stretch = excluded.stretch, at_least = excluded.at_least, at_most = excluded.at_most,
    tolerance = excluded.tolerance, weight = excluded.weight
WHERE k.objective_id = excluded.objective_id;

-- name: PutImportedSteps :exec
-- The steps of the milestones among them. Steps that are no longer wanted are DeleteOtherMilestoneSteps' business.
INSERT INTO milestone_steps AS s (organization_id, id, key_result_id, position, title, weight)
SELECT @organization_id::uuid, (w.step->>'id')::uuid, w.key_result_id, w.position, w.step->>'title', (w.step->>'weight')::numeric
FROM (
    SELECT (p.k->>'id')::uuid AS key_result_id, jsonb_array_elements(p.k->'steps') AS step, generate_series(0, jsonb_array_length(p.k->'steps') - 1) AS position
    FROM (
        SELECT jsonb_array_elements(e.plan->'key_results') AS k
        FROM import_entities AS e
        WHERE e.organization_id = @organization_id::uuid
          AND e.work_id = @work_id::uuid
          AND e.kind = 'objective'
          AND e.change IN ('create', 'update')
          AND e.key = ANY (@keys::text[])
    ) AS p
) AS w
ON CONFLICT (organization_id, id) DO UPDATE
SET position = excluded.position, title = excluded.title, weight = excluded.weight
WHERE s.key_result_id = excluded.key_result_id;

-- name: DeleteUnplannedSteps :exec
-- Takes the steps away that updated objectives no longer have; the history keeps them.
DELETE FROM milestone_steps AS s
USING (
    SELECT (p.k->>'id')::uuid AS key_result_id, p.k->'steps' AS steps
    FROM (
        SELECT jsonb_array_elements(e.plan->'key_results') AS k
        FROM import_entities AS e
        WHERE e.organization_id = @organization_id::uuid
          AND e.work_id = @work_id::uuid
          AND e.kind = 'objective'
          AND e.change = 'update'
          AND e.key = ANY (@keys::text[])
    ) AS p
) AS w
WHERE s.organization_id = @organization_id::uuid
  AND s.key_result_id = w.key_result_id
  AND NOT w.steps @> jsonb_build_array(jsonb_build_object('id', s.id));

-- name: RecordImportedObjectives :exec
-- What new revisions leave behind, as RecordObjectiveChange does for one.
WITH changed AS (
    SELECT e.entity_id, e.event_id, e.plan, e.position, o.revision, o.changed_at, CASE WHEN e.change = 'create' THEN 'objective.created' ELSE 'objective.updated' END AS action
    FROM import_entities AS e
    JOIN objectives AS o ON o.organization_id = @organization_id::uuid AND o.id = e.entity_id
    WHERE e.organization_id = @organization_id::uuid
      AND e.work_id = @work_id::uuid
      AND e.kind = 'objective'
      AND e.change IN ('create', 'update')
      AND e.key = ANY (@keys::text[])
), history AS (
    INSERT INTO objective_history (organization_id, objective_id, revision, action, content, changed_at, changed_by)
    SELECT @organization_id::uuid, c.entity_id, c.revision, c.action, c.plan, c.changed_at, @actor_id::uuid
    FROM changed AS c
), superseded AS (
    UPDATE suggestions AS g
    SET state = 'superseded', decided_at = clock_timestamp()
    FROM changed AS c
    WHERE g.organization_id = @organization_id::uuid
      AND g.objective_id = c.entity_id
      AND g.state = 'open'
      AND g.objective_revision < c.revision
), audit AS (
    INSERT INTO audit_events (organization_id, id, action, target_kind, target_id, target_revision, actor_id, detail)
    SELECT @organization_id::uuid, c.event_id, c.action, 'objective', c.entity_id, c.revision, @actor_id::uuid,
           jsonb_build_object('import_id', @import_id::uuid, 'row', c.position)
    FROM changed AS c
)
INSERT INTO outbox_events (organization_id, id, kind, target_id, target_revision)
SELECT @organization_id::uuid, c.event_id, c.action, c.entity_id, c.revision
FROM changed AS c;

-- name: ListImportCheckInsAfter :many
-- The keys of the next check-ins to be written.
SELECT e.key
FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = 'check_in'
  AND e.change = 'create'
  AND e.key > @after_key::text
ORDER BY e.key
LIMIT least(@page_size::int, 500);

-- name: LockKeyResultsOfImport :one
-- Holds the key results that check-ins are about to be added to, in one order.
SELECT count(*)::int AS held
FROM (
    SELECT k.id
    FROM key_results AS k
    WHERE k.organization_id = @organization_id::uuid
      AND k.id IN (SELECT (e.plan->>'key_result_id')::uuid FROM import_entities AS e
                   WHERE e.organization_id = @organization_id::uuid AND e.work_id = @work_id::uuid AND e.kind = 'check_in' AND e.key = ANY (@keys::text[]))
    ORDER BY k.id
    FOR UPDATE
) AS locked;

-- name: CreateImportedCheckIns :exec
-- Check-ins as they were planned, under the names by which they are known, and what they leave behind.
WITH wanted AS (
    SELECT e.key, e.entity_id, e.event_id, e.plan, e.position
    FROM import_entities AS e
    WHERE e.organization_id = @organization_id::uuid
      AND e.work_id = @work_id::uuid
      AND e.kind = 'check_in'
      AND e.change = 'create'
      AND e.key = ANY (@keys::text[])
), known AS (
    INSERT INTO external_ids (organization_id, source, kind, external_id, entity_id)
    SELECT @organization_id::uuid, @source::text, 'check_in', w.key, w.entity_id
    FROM wanted AS w
), made AS (
    INSERT INTO check_ins (organization_id, id, key_result_id, value, done_step_ids, progress, confidence, note, checked_at, created_by)
    SELECT @organization_id::uuid, w.entity_id, (w.plan->>'key_result_id')::uuid, (w.plan->>'value')::numeric,
           coalesce(nullif(w.plan->>'done_step_ids', ''), '{}')::uuid[], (w.plan->>'progress')::numeric, (w.plan->>'confidence')::smallint, w.plan->>'note',
           (w.plan->>'checked_at')::timestamptz, (w.plan->>'created_by')::uuid
    FROM wanted AS w
), audit AS (
    INSERT INTO audit_events (organization_id, id, action, target_kind, target_id, actor_id, detail)
    SELECT @organization_id::uuid, w.event_id, 'check_in.created', 'key_result', (w.plan->>'key_result_id')::uuid, @actor_id::uuid,
           jsonb_build_object('check_in_id', w.entity_id, 'objective_id', w.plan->>'objective_id', 'import_id', @import_id::uuid, 'row', w.position)
    FROM wanted AS w
)
INSERT INTO outbox_events (organization_id, id, kind, target_id)
SELECT @organization_id::uuid, w.event_id, 'check_in.created', (w.plan->>'key_result_id')::uuid
FROM wanted AS w;

-- name: SetImportedCurrentCheckIns :exec
-- Makes the latest check-in that nothing corrects the current one, of each key result that these check-ins belong to.
UPDATE key_results AS k
SET current_check_in_id = l.id,
    current_value       = l.value,
    current_done_steps  = l.done_step_ids,
    current_confidence  = l.confidence,
    current_at          = l.checked_at
FROM (
    SELECT DISTINCT ON (i.key_result_id) i.key_result_id, i.id, i.value, i.done_step_ids, i.confidence, i.checked_at
    FROM check_ins AS i
    WHERE i.organization_id = @organization_id::uuid
      AND i.key_result_id IN (SELECT (e.plan->>'key_result_id')::uuid FROM import_entities AS e
                              WHERE e.organization_id = @organization_id::uuid AND e.work_id = @work_id::uuid AND e.kind = 'check_in' AND e.key = ANY (@keys::text[]))
      AND NOT EXISTS (SELECT FROM check_ins AS n WHERE n.organization_id = i.organization_id AND n.corrects_id = i.id)
    ORDER BY i.key_result_id, i.checked_at DESC, i.id DESC
) AS l
WHERE k.organization_id = @organization_id::uuid
  AND k.id = l.key_result_id;

-- name: MarkImportEntities :exec
-- Says of things that have been written that they are the same as in the file from now on, so that nothing is written twice.
UPDATE import_entities AS e
SET change = 'same'
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid
  AND e.kind = @kind::text
  AND e.key = ANY (@keys::text[])
  AND e.change IN ('create', 'update');

-- name: DeleteImportEntities :execrows
-- Deletes up to 500 things of imports that ended or were changed before @before.
DELETE FROM import_entities AS e
USING (
    SELECT x.organization_id, x.work_id, x.kind, x.key
    FROM import_entities AS x
    JOIN imports AS i ON i.organization_id = x.organization_id AND i.id = x.import_id
    WHERE x.organization_id = @organization_id::uuid
      AND i.changed_at < @before::timestamptz
      AND i.state NOT IN ('checking', 'running')
    LIMIT 500
) AS old
WHERE e.organization_id = old.organization_id
  AND e.work_id = old.work_id
  AND e.kind = old.kind
  AND e.key = old.key;

-- name: DeleteImportRows :execrows
-- Deletes up to 500 rows of files that nobody has touched since @before.
DELETE FROM import_rows AS r
USING (
    SELECT x.organization_id, x.import_id, x.position
    FROM import_rows AS x
    JOIN imports AS i ON i.organization_id = x.organization_id AND i.id = x.import_id
    WHERE x.organization_id = @organization_id::uuid
      AND i.changed_at < @before::timestamptz
      AND i.state NOT IN ('checking', 'running')
    LIMIT 500
) AS old
WHERE r.organization_id = old.organization_id
  AND r.import_id = old.import_id
  AND r.position = old.position;

-- name: DeleteImports :execrows
-- Deletes up to 500 imports that nobody has touched since @before and whose rows are gone.
DELETE FROM imports AS i
USING (
    SELECT x.organization_id, x.id
    FROM imports AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.changed_at < @before::timestamptz
      AND x.state NOT IN ('checking', 'running')
      AND NOT EXISTS (SELECT FROM import_rows AS r WHERE r.organization_id = x.organization_id AND r.import_id = x.id)
      AND NOT EXISTS (SELECT FROM import_entities AS e WHERE e.organization_id = x.organization_id AND e.import_id = x.id)
    LIMIT 500
) AS old
WHERE i.organization_id = old.organization_id
  AND i.id = old.id;

-- name: DeleteEntitiesOfWork :exec
-- Forgets what a check gathered, so that it can begin anew.
DELETE FROM import_entities AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.work_id = @work_id::uuid;
