-- name: ScanRootsAfter :many
-- The next @scan objectives of a cycle that contribute to nothing and are not archived, as ScanObjectivesAfter. Together with ScanParentedAfter they are all of its roots.
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
  AND o.parent_objective_id IS NULL
  AND o.archived_at IS NULL
  AND o.id > @from_id::uuid
ORDER BY o.id
LIMIT least(@scan::int, 1000);

-- name: ScanParentedAfter :many
-- The next @scan objectives of a cycle that contribute to another and are not archived, of which shown says whether the actor may see them and the tree of this cycle does not
-- have their parent: it is hidden from the actor, archived, or of another cycle. To such an actor they are roots.
SELECT o.id,
       (objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
        AND NOT (parent.archived_at IS NULL AND parent.cycle_id = o.cycle_id
                 AND objective_is_visible(parent.visibility, parent.owner_id, parent.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])))::bool AS shown
FROM objectives AS o
JOIN objectives AS parent ON parent.organization_id = o.organization_id AND parent.id = o.parent_objective_id
WHERE o.organization_id = @organization_id::uuid
  AND o.cycle_id = @cycle_id::uuid
  AND o.parent_objective_id IS NOT NULL
  AND o.archived_at IS NULL
  AND o.id > @from_id::uuid
ORDER BY o.id
LIMIT least(@scan::int, 1000);

-- name: ScanChildrenAfter :many
-- What contributes to an objective, or to one of its key results, as ScanObjectivesAfter.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.parent_objective_id = @parent_id::uuid
  AND o.id > @from_id::uuid
ORDER BY o.id
LIMIT least(@scan::int, 1000);

-- name: ScanChildrenOfKeyResultAfter :many
-- What contributes to one key result, as ScanObjectivesAfter.
SELECT o.id,
       ((o.archived_at IS NOT NULL) = @archived::bool
        AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
        AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
        AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
        AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
        AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.parent_key_result_id = @key_result_id::uuid
  AND o.id > @from_id::uuid
ORDER BY o.id
LIMIT least(@scan::int, 1000);

-- name: CountChildren :many
-- How many of the objectives beneath these, as many as 200, the actor may see: of each the first 200 that contribute to it are looked at, and looked_at is 201 where there are more.
SELECT p.id::uuid AS id,
       (SELECT count(*) FROM (SELECT objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]) AND o.archived_at IS NULL AS shown
                              FROM objectives AS o
                              WHERE o.organization_id = @organization_id::uuid
                                AND o.parent_objective_id = p.id
                              ORDER BY o.id
                              LIMIT 200) AS s WHERE s.shown)::int AS children,
       (SELECT count(*) FROM (SELECT 1
                              FROM objectives AS o
                              WHERE o.organization_id = @organization_id::uuid
                                AND o.parent_objective_id = p.id
                              ORDER BY o.id
                              LIMIT 201) AS s)::int AS looked_at
FROM (SELECT unnest(@ids::uuid[]) AS id) AS p
LIMIT 200;

-- name: ListKeyResultTitles :many
-- What as many as 200 key results are called, those that were taken out too. The caller has found what contributes to them, by somebody who sees their objectives.
SELECT k.id, k.title
FROM (SELECT unnest(@ids::uuid[]) AS id) AS w
JOIN LATERAL (SELECT r.id, r.title
              FROM key_results AS r
              WHERE r.organization_id = @organization_id::uuid
                AND r.id = w.id
              LIMIT 1) AS k ON true
LIMIT 200;

-- name: HasContributors :one
-- Whether an objective that is not archived contributes to one, whoever may see it.
SELECT EXISTS (SELECT FROM objectives AS o
               WHERE o.organization_id = @organization_id::uuid
                 AND o.parent_objective_id = @parent_id::uuid
                 AND o.archived_at IS NULL)::bool AS contributed;

-- name: ListPathUp :many
-- An objective and what it contributes to, step by step up to a root or 64 steps; shown says of each whether the actor may see it.
WITH RECURSIVE up AS (
    SELECT o.organization_id, o.id, o.parent_objective_id, o.parent_key_result_id, 0 AS step
    FROM objectives AS o
    WHERE o.organization_id = @organization_id::uuid
      AND o.id = @id::uuid
    UNION ALL
    SELECT p.organization_id, p.id, p.parent_objective_id, p.parent_key_result_id, u.step + 1
    FROM up AS u
    JOIN objectives AS p ON p.organization_id = u.organization_id AND p.id = u.parent_objective_id
    WHERE u.step < 64
)
SELECT o.id, o.title, o.state, o.archived_at, o.cycle_id, u.parent_key_result_id, k.title AS key_result_title,
       objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])::bool AS shown
FROM up AS u
JOIN objectives AS o ON o.organization_id = @organization_id::uuid AND o.id = u.id
LEFT JOIN key_results AS k ON k.organization_id = o.organization_id AND k.id = u.parent_key_result_id
ORDER BY u.step DESC
LIMIT 65;
