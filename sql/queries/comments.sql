-- name: CreateComment :one
-- Adds a comment to an objective.
INSERT INTO comments (organization_id, id, objective_id, author_id, body)
VALUES (@organization_id::uuid, @id::uuid, @objective_id::uuid, @actor_id::uuid, @body::text)
RETURNING *;

-- name: ListCommentsAfter :many
-- An objective's comments in the order they were written.
SELECT m.*
FROM comments AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.objective_id = @objective_id::uuid
  AND m.id > @after_id::uuid
ORDER BY m.id
LIMIT least(@page_size::int, 201);

-- name: ListCommentsBefore :many
-- An objective's comments from the latest back, behind @before_id.
SELECT m.*
FROM comments AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.objective_id = @objective_id::uuid
  AND m.id < @before_id::uuid
ORDER BY m.id DESC
LIMIT least(@page_size::int, 201);

-- name: GetVisibleComment :one
-- One comment that has not been deleted, unless @with_deleted, with the objective it is on, if the actor may see that.
SELECT sqlc.embed(m), sqlc.embed(o)
FROM comments AS m
JOIN objectives AS o ON o.organization_id = m.organization_id AND o.id = m.objective_id
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid
  AND (m.deleted_at IS NULL OR @with_deleted::bool)
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]);

-- name: UpdateCommentIfRevision :one
-- Changes the words of a comment that is still at @revision. No row: it has moved on or was deleted.
UPDATE comments AS m
SET body       = @body::text,
    revision   = m.revision + 1,
    changed_at = greatest(clock_timestamp(), m.changed_at + interval '1 microsecond')
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid
  AND m.revision = @revision::bigint
  AND m.deleted_at IS NULL
RETURNING m.*;

-- name: DeleteComment :one
-- Takes the words out of a comment, whose place stays. No row: it was deleted before.
UPDATE comments AS m
SET body       = '',
    deleted_at = clock_timestamp(),
    revision   = m.revision + 1,
    changed_at = greatest(clock_timestamp(), m.changed_at + interval '1 microsecond')
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid
  AND m.deleted_at IS NULL
RETURNING m.*;

-- name: ListMembersWhoSeeObjective :many
-- Which of these people, as many as 1000, can be told of an objective: members who are not suspended and may see it.
SELECT m.user_id
FROM memberships AS m
JOIN objectives AS o ON o.organization_id = m.organization_id AND o.id = @objective_id::uuid
LEFT JOIN team_members AS tm ON tm.organization_id = m.organization_id AND tm.team_id = o.team_id AND tm.user_id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = ANY (@user_ids::uuid[])
  AND m.suspended_at IS NULL
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, m.user_id, m.role IN ('owner', 'admin'),
                           CASE WHEN tm.role IS NOT NULL THEN ARRAY[tm.team_id] ELSE '{}' END, CASE WHEN tm.role = 'lead' THEN ARRAY[tm.team_id] ELSE '{}' END)
LIMIT 1000;
