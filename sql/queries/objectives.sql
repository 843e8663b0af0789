-- name: GetVisibleObjective :one
-- One objective that the actor may see, with its cycle, the names of its people, and whether its parent is one that they may not see. No row: it does not exist, or is not for their eyes.
SELECT sqlc.embed(o), sqlc.embed(c), owner.name AS owner_name, changer.name AS changed_by_name,
       (o.parent_objective_id IS NOT NULL AND NOT coalesce(objective_is_visible(parent.visibility, parent.owner_id, parent.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]), false))::bool AS parent_hidden
FROM objectives AS o
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
JOIN users AS owner ON owner.id = o.owner_id
JOIN users AS changer ON changer.id = o.changed_by
LEFT JOIN objectives AS parent ON parent.organization_id = o.organization_id AND parent.id = o.parent_objective_id
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]);

-- name: GetVisibleObjectiveForShare :one
-- As GetVisibleObjective, and neither objective nor cycle changes until the transaction ends.
SELECT sqlc.embed(o), sqlc.embed(c), owner.name AS owner_name, changer.name AS changed_by_name,
       (o.parent_objective_id IS NOT NULL AND NOT coalesce(objective_is_visible(parent.visibility, parent.owner_id, parent.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]), false))::bool AS parent_hidden
FROM objectives AS o
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
JOIN users AS owner ON owner.id = o.owner_id
JOIN users AS changer ON changer.id = o.changed_by
LEFT JOIN objectives AS parent ON parent.organization_id = o.organization_id AND parent.id = o.parent_objective_id
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
FOR SHARE OF o, c;

-- name: ListVisibleObjectives :many
-- Of as many as 200 objectives those that the actor may see, with their cycles, the names of their people, and whether their parent is one that the actor may not see.
SELECT sqlc.embed(o), sqlc.embed(c), owner.name AS owner_name, changer.name AS changed_by_name,
       (o.parent_objective_id IS NOT NULL AND NOT coalesce(objective_is_visible(parent.visibility, parent.owner_id, parent.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]), false))::bool AS parent_hidden
FROM objectives AS o
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
JOIN users AS owner ON owner.id = o.owner_id
JOIN users AS changer ON changer.id = o.changed_by
LEFT JOIN objectives AS parent ON parent.organization_id = o.organization_id AND parent.id = o.parent_objective_id
WHERE o.organization_id = @organization_id::uuid
  AND o.id = ANY (@ids::uuid[])
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY o.id
LIMIT 200;

-- name: ListVisibleObjectivesOfTeamInCycleAfter :many
-- Objectives of one team in one cycle that the actor may see and that are not archived, in the order of creation.
SELECT sqlc.embed(o), sqlc.embed(c), owner.name AS owner_name, changer.name AS changed_by_name,
       (o.parent_objective_id IS NOT NULL AND NOT coalesce(objective_is_visible(parent.visibility, parent.owner_id, parent.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]), false))::bool AS parent_hidden
FROM objectives AS o
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
JOIN users AS owner ON owner.id = o.owner_id
JOIN users AS changer ON changer.id = o.changed_by
LEFT JOIN objectives AS parent ON parent.organization_id = o.organization_id AND parent.id = o.parent_objective_id
WHERE o.organization_id = @organization_id::uuid
  AND o.team_id = @team_id::uuid
  AND o.cycle_id = @cycle_id::uuid
  AND o.id > @after_id::uuid
  AND o.archived_at IS NULL
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY o.id
LIMIT least(@page_size::int, 201);

-- name: ListVisibleObjectivesOfOwnerInCycleAfter :many
-- As ListVisibleObjectivesOfTeamInCycleAfter, of one owner.
SELECT sqlc.embed(o), sqlc.embed(c), owner.name AS owner_name, changer.name AS changed_by_name,
       (o.parent_objective_id IS NOT NULL AND NOT coalesce(objective_is_visible(parent.visibility, parent.owner_id, parent.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]), false))::bool AS parent_hidden
FROM objectives AS o
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
JOIN users AS owner ON owner.id = o.owner_id
JOIN users AS changer ON changer.id = o.changed_by
LEFT JOIN objectives AS parent ON parent.organization_id = o.organization_id AND parent.id = o.parent_objective_id
WHERE o.organization_id = @organization_id::uuid
  AND o.owner_id = @owner_id::uuid
  AND o.cycle_id = @cycle_id::uuid
  AND o.id > @after_id::uuid
  AND o.archived_at IS NULL
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY o.id
LIMIT least(@page_size::int, 201);

-- name: ScanObjectivesAfter :many
-- The next @scan objectives behind @from_id in the order of creation, of which shown says whether the actor may see them and they are asked for. How many are looked at has a bound, and how many are shown
-- has none from below: whoever pages goes on from the last one that was looked at.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id > @from_id::uuid
ORDER BY o.id
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesOfCycleAfter :many
-- As ScanObjectivesAfter, within one cycle.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.cycle_id = sqlc.narg(cycle_id)::uuid
  AND o.id > @from_id::uuid
ORDER BY o.id
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesOfTeamAfter :many
-- As ScanObjectivesAfter, of one team.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.team_id = sqlc.narg(team_id)::uuid
  AND o.id > @from_id::uuid
ORDER BY o.id
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesOfOwnerAfter :many
-- As ScanObjectivesAfter, of one owner.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.owner_id = sqlc.narg(owner_id)::uuid
  AND o.id > @from_id::uuid
ORDER BY o.id
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesBefore :many
-- As ScanObjectivesAfter, newest first.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id < @from_id::uuid
ORDER BY o.id DESC
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesOfCycleBefore :many
-- As ScanObjectivesAfter, within one cycle, newest first.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.cycle_id = sqlc.narg(cycle_id)::uuid
  AND o.id < @from_id::uuid
ORDER BY o.id DESC
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesOfTeamBefore :many
-- As ScanObjectivesAfter, of one team, newest first.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.team_id = sqlc.narg(team_id)::uuid
  AND o.id < @from_id::uuid
ORDER BY o.id DESC
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesOfOwnerBefore :many
-- As ScanObjectivesAfter, of one owner, newest first.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.owner_id = sqlc.narg(owner_id)::uuid
  AND o.id < @from_id::uuid
ORDER BY o.id DESC
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesOfCycleByTitleAfter :many
-- As ScanObjectivesAfter, within one cycle, in the order of their titles: behind the one that is @from_id, as it is called now.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.cycle_id = sqlc.narg(cycle_id)::uuid
  AND (o.title, o.id) > ((SELECT coalesce(max(x.title), '') FROM objectives AS x WHERE x.organization_id = @organization_id::uuid AND x.id = @from_id::uuid), @from_id::uuid)
ORDER BY o.title, o.id
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesOfCycleByProgressAfter :many
-- As ScanObjectivesAfter, within one cycle, of those that count there, the least progress first: behind the one that is @from_id, by the progress it has now.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objective_figures AS f
JOIN objectives AS o ON o.organization_id = f.organization_id AND o.id = f.objective_id
WHERE f.organization_id = @organization_id::uuid
  AND f.cycle_id = sqlc.narg(cycle_id)::uuid
  AND f.counted
  AND (f.progress_rank, f.objective_id) > ((SELECT coalesce(max(x.progress_rank), -1) FROM objective_figures AS x WHERE x.organization_id = @organization_id::uuid AND x.objective_id = @from_id::uuid), @from_id::uuid)
ORDER BY f.progress_rank, f.objective_id
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesOfCycleByProgressBefore :many
-- As ScanObjectivesOfCycleByProgressAfter, the most progress first.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objective_figures AS f
JOIN objectives AS o ON o.organization_id = f.organization_id AND o.id = f.objective_id
WHERE f.organization_id = @organization_id::uuid
  AND f.cycle_id = sqlc.narg(cycle_id)::uuid
  AND f.counted
  AND (f.progress_rank, f.objective_id) < ((SELECT coalesce(max(x.progress_rank), 10001) FROM objective_figures AS x WHERE x.organization_id = @organization_id::uuid AND x.objective_id = @from_id::uuid), @from_id::uuid)
ORDER BY f.progress_rank DESC, f.objective_id DESC
LIMIT least(@scan::int, 1000);

-- name: ScanObjectivesAmong :many
-- As ScanObjectivesAfter, among as many as 1000 of them.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id = ANY (@ids::uuid[])
ORDER BY o.id
LIMIT 1000;

-- name: GetObjectiveParentForShare :one
-- One step up the alignment. The row keeps its parent until the transaction ends.
SELECT o.id, o.parent_objective_id
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
FOR SHARE;

-- name: CreateObjective :one
-- A new draft without key results, at revision 1.
INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, parent_objective_id, parent_key_result_id,
                        title, description, kind, visibility, created_by, changed_by)
VALUES (@organization_id::uuid, @id::uuid, @cycle_id::uuid, sqlc.narg(team_id)::uuid, @owner_id::uuid,
        sqlc.narg(parent_objective_id)::uuid, sqlc.narg(parent_key_result_id)::uuid,
        @title::text, sqlc.narg(description)::text, @kind::text, @visibility::text, @actor_id::uuid, @actor_id::uuid)
RETURNING *;

-- name: UpdateObjectiveIfRevision :one
-- Changes the named fields of an objective that is still at @revision. No row: it is gone or has moved on.
UPDATE objectives AS o
SET title                = CASE WHEN @set_title::bool THEN @title::text ELSE o.title END,
    description          = CASE WHEN @set_description::bool THEN sqlc.narg(description)::text ELSE o.description END,
    kind                 = CASE WHEN @set_kind::bool THEN @kind::text ELSE o.kind END,
    visibility           = CASE WHEN @set_visibility::bool THEN @visibility::text ELSE o.visibility END,
    team_id              = CASE WHEN @set_team::bool THEN sqlc.narg(team_id)::uuid ELSE o.team_id END,
    owner_id             = CASE WHEN @set_owner::bool THEN @owner_id::uuid ELSE o.owner_id END,
    parent_objective_id  = CASE WHEN @set_parent::bool THEN sqlc.narg(parent_objective_id)::uuid ELSE o.parent_objective_id END,
    parent_key_result_id = CASE WHEN @set_parent::bool THEN sqlc.narg(parent_key_result_id)::uuid ELSE o.parent_key_result_id END,
    alignment_flagged    = o.alignment_flagged AND NOT @set_parent::bool,
    revision             = o.revision + 1,
    changed_at           = greatest(clock_timestamp(), o.changed_at + interval '1 microsecond'),
    changed_by           = @actor_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND o.revision = @revision::bigint
RETURNING o.*;

-- name: MoveObjectiveIfRevision :one
-- Takes an objective that is still at @revision to another state, with its score where it is closed. No row: it is gone or has moved on.
UPDATE objectives AS o
SET state       = @state::text,
    score       = sqlc.narg(score)::numeric,
    archived_at = CASE WHEN @archived::bool THEN coalesce(o.archived_at, clock_timestamp()) END,
    revision    = o.revision + 1,
    changed_at  = greatest(clock_timestamp(), o.changed_at + interval '1 microsecond'),
    changed_by  = @actor_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND o.revision = @revision::bigint
RETURNING o.*;
