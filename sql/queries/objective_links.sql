-- name: LockVisibleObjective :one
-- One objective that the actor may see, held until the transaction ends, so that what it supports is counted and changed by one at a time.
SELECT o.*
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
FOR NO KEY UPDATE;

-- name: CountLinks :one
-- How many objectives one supports. The caller holds it.
SELECT count(*) AS links
FROM objective_links AS l
WHERE l.organization_id = @organization_id::uuid
  AND l.objective_id = @objective_id::uuid;

-- name: CreateLink :execrows
-- Has an objective support another. No row: it did already.
INSERT INTO objective_links (organization_id, objective_id, supported_id, created_by)
VALUES (@organization_id::uuid, @objective_id::uuid, @supported_id::uuid, @actor_id::uuid)
ON CONFLICT (organization_id, objective_id, supported_id) DO NOTHING;

-- name: SettleLink :exec
-- Whoever says what an objective supports has looked: the link is theirs, and follows no copy any more.
UPDATE objective_links AS l
SET flagged = false
WHERE l.organization_id = @organization_id::uuid
  AND l.objective_id = @objective_id::uuid
  AND l.supported_id = @supported_id::uuid
  AND l.flagged;

-- name: DeleteLink :execrows
-- Ends that an objective supports another. No row: it did not.
DELETE FROM objective_links AS l
WHERE l.organization_id = @organization_id::uuid
  AND l.objective_id = @objective_id::uuid
  AND l.supported_id = @supported_id::uuid;

-- name: ScanSupportersAfter :many
-- What supports an objective, as ScanObjectivesAfter.
SELECT l.id,
       coalesce((SELECT ((o.archived_at IS NOT NULL) = @archived::bool
            AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
            AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
            AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
            AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
            AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))
                 FROM objectives AS o
                 WHERE o.organization_id = @organization_id::uuid
                   AND o.id = l.id), false)::bool AS shown
FROM (
    SELECT k.objective_id AS id
    FROM objective_links AS k
    WHERE k.organization_id = @organization_id::uuid
      AND k.supported_id = @objective_id::uuid
      AND k.objective_id > @from_id::uuid
    ORDER BY k.objective_id
    LIMIT least(@scan::int, 1000)
) AS l
ORDER BY l.id
LIMIT 1000;

-- name: ScanSupportedAfter :many
-- What an objective supports, as ScanObjectivesAfter. It supports at most 50.
SELECT l.id,
       coalesce((SELECT ((o.archived_at IS NOT NULL) = @archived::bool
            AND (sqlc.narg(state)::text IS NULL OR o.state = sqlc.narg(state)::text)
            AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
            AND (sqlc.narg(team_id)::uuid IS NULL OR coalesce(o.team_id = sqlc.narg(team_id)::uuid, false))
            AND (sqlc.narg(owner_id)::uuid IS NULL OR o.owner_id = sqlc.narg(owner_id)::uuid)
            AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))
                 FROM objectives AS o
                 WHERE o.organization_id = @organization_id::uuid
                   AND o.id = l.id), false)::bool AS shown
FROM (
    SELECT k.supported_id AS id
    FROM objective_links AS k
    WHERE k.organization_id = @organization_id::uuid
      AND k.objective_id = @objective_id::uuid
      AND k.supported_id > @from_id::uuid
    ORDER BY k.supported_id
    LIMIT least(@scan::int, 1000)
) AS l
ORDER BY l.id
LIMIT 1000;

-- name: CountLinksOfEach :many
-- How many objectives that the actor may see, archived ones left out, each of these, as many as 200, supports and is supported by. It supports at most 50; of what supports it the first 50
-- are looked at.
SELECT p.id::uuid AS id,
       (SELECT count(*) FROM (SELECT k.supported_id
                              FROM objective_links AS k
                              WHERE k.organization_id = @organization_id::uuid
                                AND k.objective_id = p.id
                              ORDER BY k.supported_id
                              LIMIT 50) AS l
                        JOIN objectives AS o ON o.organization_id = @organization_id::uuid AND o.id = l.supported_id
                        WHERE o.archived_at IS NULL
                          AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::int AS supported,
       (SELECT count(*) FROM (SELECT k.objective_id
                              FROM objective_links AS k
                              WHERE k.organization_id = @organization_id::uuid
                                AND k.supported_id = p.id
                              ORDER BY k.objective_id
                              LIMIT 50) AS l
                        JOIN objectives AS o ON o.organization_id = @organization_id::uuid AND o.id = l.objective_id
                        WHERE o.archived_at IS NULL
                          AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::int AS supporters
FROM (SELECT unnest(@ids::uuid[]) AS id) AS p
LIMIT 200;
