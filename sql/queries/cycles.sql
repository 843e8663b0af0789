-- name: GetCycle :one
-- One cycle.
SELECT c.*
FROM cycles AS c
WHERE c.organization_id = @organization_id::uuid
  AND c.id = @id::uuid;

-- name: GetCycleForShare :one
-- One cycle, whose state and dates stay as they are until the transaction ends.
SELECT c.*
FROM cycles AS c
WHERE c.organization_id = @organization_id::uuid
  AND c.id = @id::uuid
FOR SHARE;

-- name: ListCyclesAfter :many
-- Cycles in the order of creation.
SELECT c.*
FROM cycles AS c
WHERE c.organization_id = @organization_id::uuid
  AND c.id > @after_id::uuid
ORDER BY c.id
LIMIT least(@page_size::int, 201);

-- name: CreateCycle :one
-- A new cycle, in preparation.
INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, changed_by)
VALUES (@organization_id::uuid, @id::uuid, @name::text, @starts_on::date, @ends_on::date, @actor_id::uuid)
RETURNING *;

-- name: UpdateCycleIfRevision :one
-- Changes the named fields of a cycle that is still at @revision. No row: it is gone or has moved on.
UPDATE cycles AS c
SET name       = CASE WHEN @set_name::bool THEN @name::text ELSE c.name END,
    starts_on  = CASE WHEN @set_starts_on::bool THEN @starts_on::date ELSE c.starts_on END,
    ends_on    = CASE WHEN @set_ends_on::bool THEN @ends_on::date ELSE c.ends_on END,
    state      = CASE WHEN @set_state::bool THEN @state::text ELSE c.state END,
    revision   = c.revision + 1,
    changed_at = greatest(clock_timestamp(), c.changed_at + interval '1 microsecond'),
    changed_by = @actor_id::uuid
WHERE c.organization_id = @organization_id::uuid
  AND c.id = @id::uuid
  AND c.revision = @revision::bigint
RETURNING c.*;

-- name: CountObjectivesToScore :one
-- How many objectives of a cycle are approved and have no score, whoever may see them; counted up to 1001.
SELECT count(*)::int AS objectives
FROM (
    SELECT o.id
    FROM objectives AS o
    WHERE o.organization_id = @organization_id::uuid
      AND o.cycle_id = @cycle_id::uuid
      AND o.state = 'approved'
      AND o.archived_at IS NULL
    LIMIT 1001
) AS open;

-- name: ListVisibleObjectivesToScoreAfter :many
-- Objectives of a cycle that are approved and have no score, as far as the actor may see them, in the order of creation.
SELECT sqlc.embed(o), sqlc.embed(c), owner.name AS owner_name, changer.name AS changed_by_name,
       (o.parent_objective_id IS NOT NULL AND NOT coalesce(objective_is_visible(parent.visibility, parent.owner_id, parent.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]), false))::bool AS parent_hidden
FROM objectives AS o
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
JOIN users AS owner ON owner.id = o.owner_id
JOIN users AS changer ON changer.id = o.changed_by
LEFT JOIN objectives AS parent ON parent.organization_id = o.organization_id AND parent.id = o.parent_objective_id
WHERE o.organization_id = @organization_id::uuid
  AND o.cycle_id = @cycle_id::uuid
  AND o.id > @after_id::uuid
  AND o.state = 'approved'
  AND o.archived_at IS NULL
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY o.id
LIMIT least(@page_size::int, 201);
