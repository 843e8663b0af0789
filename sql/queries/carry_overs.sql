-- name: ListVisibleObjectivesToCarryAfter :many
-- A cycle's objectives that are not archived, as far as the actor may see them, in the order of creation.
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
  AND o.archived_at IS NULL
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY o.id
LIMIT least(@page_size::int, 201);

-- name: ListCarriedCopies :many
-- Which of these objectives, as many as 400, have a copy in a cycle, whoever may see it; there is one for each at most.
SELECT o.id, o.carried_from_id::uuid AS carried_from_id
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.carried_from_id = ANY (@ids::uuid[])
  AND o.cycle_id = @cycle_id::uuid
LIMIT 400;

-- name: ListCarriedKeyResults :many
-- The key results of these copies, as many as 400, that were carried over, each with what it was made from.
SELECT k.id, k.objective_id, k.carried_from_id::uuid AS carried_from_id
FROM key_results AS k
WHERE k.organization_id = @organization_id::uuid
  AND k.objective_id = ANY (@objective_ids::uuid[])
  AND k.carried_from_id IS NOT NULL
LIMIT 20000;

-- name: ListTeamsForShare :many
-- Which of these teams, as many as 400, are in use. None is archived or taken back until the transaction ends.
SELECT t.id
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.id = ANY (@ids::uuid[])
  AND t.archived_at IS NULL
ORDER BY t.id
LIMIT 400
FOR SHARE;

-- name: ListActiveMembers :many
-- Which of these people, as many as 1000, are members who are not suspended, with their names.
SELECT m.user_id, u.name
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = ANY (@user_ids::uuid[])
  AND m.suspended_at IS NULL
LIMIT 1000;

-- name: CarryObjective :one
-- A copy of an objective in another cycle: a draft at revision 1 by whoever wrote the original. No row: there is a copy already, perhaps of
-- somebody who carried it over at the same time, for whose end this has waited.
INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, parent_objective_id, parent_key_result_id, title, description, kind, visibility,
                        carried_from_id, alignment_flagged, created_by, changed_by)
VALUES (@organization_id::uuid, @id::uuid, @cycle_id::uuid, sqlc.narg(team_id)::uuid, @owner_id::uuid,
        sqlc.narg(parent_objective_id)::uuid, sqlc.narg(parent_key_result_id)::uuid, @title::text, sqlc.narg(description)::text, @kind::text,
        @visibility::text, @carried_from_id::uuid, @alignment_flagged::bool, @author_id::uuid, @actor_id::uuid)
ON CONFLICT DO NOTHING
RETURNING *;

-- name: CarryKeyResults :batchexec
-- The key results of a copy that this transaction has made.
INSERT INTO key_results (organization_id, id, objective_id, position, title, description, owner_id, kind, unit,
                         baseline, target, stretch, at_least, at_most, tolerance, weight, carried_from_id)
VALUES (@organization_id::uuid, @id::uuid, @objective_id::uuid, @position::int, @title::text, sqlc.narg(description)::text,
        sqlc.narg(owner_id)::uuid, @kind::text, @unit::text, sqlc.narg(baseline)::numeric, sqlc.narg(target)::numeric,
        sqlc.narg(stretch)::numeric, sqlc.narg(at_least)::numeric, sqlc.narg(at_most)::numeric, sqlc.narg(tolerance)::numeric,
        @weight::numeric, @carried_from_id::uuid);

-- name: LockCopiesBelow :many
-- The copies in a cycle that were made before their parents, the given originals, were carried along: held until the transaction ends, as
-- many as 1000, in one order for everybody. Closed and archived ones stay as they are.
SELECT o.*
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.parent_objective_id = ANY (@parent_ids::uuid[])
  AND o.cycle_id = @cycle_id::uuid
  AND o.alignment_flagged
  AND o.carried_from_id IS NOT NULL
  AND o.state <> 'closed'
  AND o.archived_at IS NULL
ORDER BY o.id
LIMIT 1000
FOR UPDATE;

-- name: RealignCopy :one
-- Points a copy that this transaction holds to the copy of its parent.
UPDATE objectives AS o
SET parent_objective_id  = @parent_objective_id::uuid,
    parent_key_result_id = sqlc.narg(parent_key_result_id)::uuid,
    alignment_flagged    = @alignment_flagged::bool,
    revision             = o.revision + 1,
    changed_at           = greatest(clock_timestamp(), o.changed_at + interval '1 microsecond'),
    changed_by           = @actor_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
RETURNING o.*;

-- name: LockLinksToCarry :one
-- Holds the links of these objectives, as many as 50, in both directions and in one order for everybody: of two who carry the two ends of a link over at the same time the second
-- waits here, and then finds the other's copy. Where one of them is supported by very many, as many as 5000 are held.
SELECT count(*)::int AS held
FROM (
    SELECT l.objective_id
    FROM objective_links AS l
    JOIN (SELECT p.objective_id, p.supported_id
          FROM objective_links AS p
          WHERE p.organization_id = @organization_id::uuid
            AND p.objective_id = ANY (@ids::uuid[])
          UNION
          SELECT r.objective_id, r.supported_id
          FROM objective_links AS r
          WHERE r.organization_id = @organization_id::uuid
            AND r.supported_id = ANY (@ids::uuid[])) AS k ON k.objective_id = l.objective_id AND k.supported_id = l.supported_id
    WHERE l.organization_id = @organization_id::uuid
    ORDER BY l.objective_id, l.supported_id
    LIMIT 5000
    FOR NO KEY UPDATE OF l
) AS locked;

-- name: ListLinksToCarry :many
-- What these objectives, as many as 50, support, whoever may see it, and in which cycle that is. Each supports at most 50.
SELECT l.objective_id, l.supported_id, o.cycle_id AS supported_cycle_id
FROM objective_links AS l
JOIN objectives AS o ON o.organization_id = l.organization_id AND o.id = l.supported_id
WHERE l.organization_id = @organization_id::uuid
  AND l.objective_id = ANY (@ids::uuid[])
ORDER BY l.objective_id, l.supported_id
LIMIT 2500;

-- name: ListLinksThatFollow :many
-- The links of copies in a cycle that lead to these objectives, as many as 50, because they had no copy there when those were made: as many as 1000.
SELECT l.objective_id, l.supported_id
FROM objective_links AS l
JOIN objectives AS o ON o.organization_id = l.organization_id AND o.id = l.objective_id
WHERE l.organization_id = @organization_id::uuid
  AND l.supported_id = ANY (@ids::uuid[])
  AND l.flagged
  AND o.cycle_id = @cycle_id::uuid
  AND o.state <> 'closed'
  AND o.archived_at IS NULL
ORDER BY l.objective_id, l.supported_id
LIMIT 1000;

-- name: CarryLinks :exec
-- Has copies that this transaction has made support others. The three lists belong together.
INSERT INTO objective_links (organization_id, objective_id, supported_id, flagged, created_by)
SELECT @organization_id::uuid, n.objective_id, n.supported_id, n.flagged, @actor_id::uuid
FROM (SELECT unnest(@objective_ids::uuid[]) AS objective_id, unnest(@supported_ids::uuid[]) AS supported_id, unnest(@flagged::bool[]) AS flagged) AS n
ON CONFLICT (organization_id, objective_id, supported_id) DO NOTHING;

-- name: MoveLinksThatFollow :many
-- Leads what ListLinksThatFollow lists from these objectives to their copies. The two lists belong together. What is answered led to supported_id before.
WITH held AS (
    SELECT l.objective_id, l.supported_id
    FROM objective_links AS l
    JOIN objectives AS o ON o.organization_id = l.organization_id AND o.id = l.objective_id
    WHERE l.organization_id = @organization_id::uuid
      AND l.supported_id = ANY (@ids::uuid[])
      AND l.flagged
      AND o.cycle_id = @cycle_id::uuid
      AND o.state <> 'closed'
      AND o.archived_at IS NULL
    ORDER BY l.objective_id, l.supported_id
    LIMIT 1000
    FOR UPDATE OF l
), gone AS (
    DELETE FROM objective_links AS l
    USING held AS h
    WHERE l.organization_id = @organization_id::uuid
      AND l.objective_id = h.objective_id
      AND l.supported_id = h.supported_id
    RETURNING l.objective_id, l.supported_id, l.created_by
), made AS (
    INSERT INTO objective_links (organization_id, objective_id, supported_id, created_by)
    SELECT @organization_id::uuid, g.objective_id, c.copy_id, g.created_by
    FROM gone AS g
    JOIN (SELECT unnest(@ids::uuid[]) AS id, unnest(@copy_ids::uuid[]) AS copy_id) AS c ON c.id = g.supported_id
    ON CONFLICT (organization_id, objective_id, supported_id) DO NOTHING
)
SELECT g.objective_id, g.supported_id
FROM gone AS g
ORDER BY g.objective_id, g.supported_id
LIMIT 1000;
