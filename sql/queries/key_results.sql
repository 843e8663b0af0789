-- name: ListKeyResultsOfObjective :many
-- The key results of an objective that the actor was found to see, archived ones too, in their order: one row for each, or for each step of a
-- milestone. At most 50 key results of one objective are in use, and at most 50 steps belong to one key result.
SELECT sqlc.embed(k), owner.name AS owner_name, s.id AS step_id, s.title AS step_title, s.weight AS step_weight
FROM key_results AS k
LEFT JOIN users AS owner ON owner.id = k.owner_id
LEFT JOIN milestone_steps AS s ON s.organization_id = k.organization_id AND s.key_result_id = k.id
WHERE k.organization_id = @organization_id::uuid
  AND k.objective_id = @objective_id::uuid
ORDER BY k.position, k.id, s.position, s.id
LIMIT 10000;

-- name: ListKeyResultsOfObjectives :many
-- As ListKeyResultsOfObjective, for as many as 200 of them. It is planned anew each time, since the best plan depends on how many they are, so what
-- shows one objective asks for one.
SELECT sqlc.embed(k), owner.name AS owner_name, s.id AS step_id, s.title AS step_title, s.weight AS step_weight
FROM key_results AS k
LEFT JOIN users AS owner ON owner.id = k.owner_id
LEFT JOIN milestone_steps AS s ON s.organization_id = k.organization_id AND s.key_result_id = k.id
WHERE k.organization_id = @organization_id::uuid
  AND k.objective_id = ANY (@objective_ids::uuid[])
ORDER BY k.objective_id, k.position, k.id, s.position, s.id
LIMIT 500000;

-- name: ListMilestoneSteps :many
-- The steps of a milestone key result, in their order. At most 50 belong to one.
SELECT s.*
FROM milestone_steps AS s
WHERE s.organization_id = @organization_id::uuid
  AND s.key_result_id = @key_result_id::uuid
ORDER BY s.position, s.id
LIMIT 50;

-- name: GetVisibleKeyResult :one
-- One key result of an objective that the actor may see.
SELECT sqlc.embed(k), sqlc.embed(o), sqlc.embed(c)
FROM key_results AS k
JOIN objectives AS o ON o.organization_id = k.organization_id AND o.id = k.objective_id
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
WHERE k.organization_id = @organization_id::uuid
  AND k.id = @id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]);

-- name: LockVisibleKeyResult :one
-- As GetVisibleKeyResult, for a check-in: the key result is the writer's own, and what it is measured by stands still.
SELECT sqlc.embed(k), sqlc.embed(o), sqlc.embed(c)
FROM key_results AS k
JOIN objectives AS o ON o.organization_id = k.organization_id AND o.id = k.objective_id
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
WHERE k.organization_id = @organization_id::uuid
  AND k.id = @id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
FOR SHARE OF o, c;

-- name: PutKeyResults :batchexec
-- Writes key results of an objective whose row the transaction has changed, so nobody else is at them.
INSERT INTO key_results AS k (organization_id, id, objective_id, position, title, description, owner_id, kind, unit,
                              baseline, target, stretch, at_least, at_most, tolerance, weight)
VALUES (@organization_id::uuid, @id::uuid, @objective_id::uuid, @position::int, @title::text, sqlc.narg(description)::text,
        sqlc.narg(owner_id)::uuid, @kind::text, @unit::text, sqlc.narg(baseline)::numeric, sqlc.narg(target)::numeric,
        sqlc.narg(stretch)::numeric, sqlc.narg(at_least)::numeric, sqlc.narg(at_most)::numeric, sqlc.narg(tolerance)::numeric,
        @weight::numeric)
ON CONFLICT (organization_id, id) DO UPDATE
SET position = excluded.position, title = excluded.title, description = excluded.description, owner_id = excluded.owner_id,
    kind = excluded.kind, unit = excluded.unit, baseline = excluded.baseline, target = excluded.target, stretch = excluded.stretch,
    at_least = excluded.at_least, at_most = excluded.at_most, tolerance = excluded.tolerance, weight = excluded.weight, archived_at = NULL
WHERE k.objective_id = excluded.objective_id;

-- name: ArchiveKeyResults :exec
-- Takes key results of one objective out of it; their check-ins stay.
UPDATE key_results AS k
SET archived_at = clock_timestamp()
WHERE k.organization_id = @organization_id::uuid
  AND k.objective_id = @objective_id::uuid
  AND k.id = ANY (@ids::uuid[])
  AND k.archived_at IS NULL;

-- name: PutMilestoneSteps :batchexec
-- Writes steps of milestone key results whose objective the transaction has changed.
INSERT INTO milestone_steps AS s (organization_id, id, key_result_id, position, title, weight)
VALUES (@organization_id::uuid, @id::uuid, @key_result_id::uuid, @position::int, @title::text, @weight::numeric)
ON CONFLICT (organization_id, id) DO UPDATE
SET position = excluded.position, title = excluded.title, weight = excluded.weight
WHERE s.key_result_id = excluded.key_result_id;

-- name: DeleteOtherMilestoneSteps :exec
-- Removes the steps of these key results that are not among @kept_ids; the history keeps them.
DELETE FROM milestone_steps AS s
WHERE s.organization_id = @organization_id::uuid
  AND s.key_result_id = ANY (@key_result_ids::uuid[])
  AND NOT s.id = ANY (@kept_ids::uuid[]);
