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
