-- name: GetVisibleFollowUp :one
-- One follow-up that the actor may see: their own, or one of a meeting that they see. No row: it does not exist, or is not for their eyes.
SELECT sqlc.embed(f), sqlc.embed(o), sqlc.embed(m), coalesce(a.response, '')::text AS response
FROM follow_ups AS f
JOIN meeting_occurrences AS o ON o.organization_id = f.organization_id AND o.id = f.occurrence_id
JOIN meetings AS m ON m.organization_id = o.organization_id AND m.id = o.meeting_id
LEFT JOIN meeting_attendees AS a ON a.organization_id = m.organization_id AND a.meeting_id = m.id AND a.user_id = @actor_id::uuid
WHERE f.organization_id = @organization_id::uuid
  AND f.id = @id::uuid
  AND (@sees_all::bool OR f.assignee_id = @actor_id::uuid OR m.organizer_id = @actor_id::uuid OR m.team_id = ANY (@team_ids::uuid[]) OR a.user_id IS NOT NULL);

-- name: ListFollowUpsOfOccurrence :many
-- What was agreed in a meeting, in its order: an occurrence has at most 200.
SELECT f.*
FROM follow_ups AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.occurrence_id = @occurrence_id::uuid
ORDER BY f.id
LIMIT 200;

-- name: ListOpenFollowUpsOfUserAfter :many
-- What somebody has agreed to do and has not done, in the order it was agreed.
SELECT sqlc.embed(f), m.title AS meeting_title
FROM follow_ups AS f
JOIN meeting_occurrences AS o ON o.organization_id = f.organization_id AND o.id = f.occurrence_id
JOIN meetings AS m ON m.organization_id = o.organization_id AND m.id = o.meeting_id
WHERE f.organization_id = @organization_id::uuid
  AND f.assignee_id = @user_id::uuid
  AND f.done_at IS NULL
  AND f.id > @after_id::uuid
ORDER BY f.id
LIMIT least(@page_size::int, 201);

-- name: CreateFollowUp :one
-- Something to do, at revision 1.
INSERT INTO follow_ups (organization_id, id, occurrence_id, assignee_id, title, due_on, created_by, changed_by)
VALUES (@organization_id::uuid, @id::uuid, @occurrence_id::uuid, @assignee_id::uuid, @title::text, sqlc.narg(due_on)::date, @actor_id::uuid, @actor_id::uuid)
RETURNING *;

-- name: UpdateFollowUpIfRevision :one
-- Changes the named fields of a follow-up that is still at @revision. No row: it is gone or has moved on.
UPDATE follow_ups AS f
SET title       = CASE WHEN @set_title::bool THEN @title::text ELSE f.title END,
    assignee_id = CASE WHEN @set_assignee::bool THEN @assignee_id::uuid ELSE f.assignee_id END,
    due_on      = CASE WHEN @set_due::bool THEN sqlc.narg(due_on)::date ELSE f.due_on END,
    done_at     = CASE WHEN @set_done::bool THEN CASE WHEN @done::bool THEN coalesce(f.done_at, clock_timestamp()) END ELSE f.done_at END,
    revision    = f.revision + 1,
    changed_at  = greatest(clock_timestamp(), f.changed_at + interval '1 microsecond'),
    changed_by  = @actor_id::uuid
WHERE f.organization_id = @organization_id::uuid
  AND f.id = @id::uuid
  AND f.revision = @revision::bigint
RETURNING f.*;
