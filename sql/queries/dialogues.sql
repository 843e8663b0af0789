-- name: CreateDialogue :one
-- Opens a dialogue about an objective.
INSERT INTO dialogues (organization_id, id, objective_id, title, created_by)
VALUES (@organization_id::uuid, @id::uuid, @objective_id::uuid, @title::text, @actor_id::uuid)
RETURNING *;

-- name: ListDialoguesAfter :many
-- An objective's dialogues in the order they were opened.
SELECT d.*
FROM dialogues AS d
WHERE d.organization_id = @organization_id::uuid
  AND d.objective_id = @objective_id::uuid
  AND d.id > @after_id::uuid
ORDER BY d.id
LIMIT least(@page_size::int, 201);

-- name: GetVisibleDialogue :one
-- One dialogue about an objective that the actor may see, with that objective.
SELECT sqlc.embed(d), sqlc.embed(o)
FROM dialogues AS d
JOIN objectives AS o ON o.organization_id = d.organization_id AND o.id = d.objective_id
WHERE d.organization_id = @organization_id::uuid
  AND d.id = @id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]);

-- name: CreateMessage :one
-- Adds a turn to a dialogue: a member's, or the coach's with what it came from.
INSERT INTO messages (organization_id, id, dialogue_id, author_id, source, job_id, objective_revision, body, findings)
VALUES (@organization_id::uuid, @id::uuid, @dialogue_id::uuid, sqlc.narg(author_id)::uuid, sqlc.narg(source)::text, sqlc.narg(job_id)::uuid,
        sqlc.narg(objective_revision)::bigint, @body::text, @findings::jsonb)
RETURNING *;

-- name: ListMessagesAfter :many
-- A dialogue's messages in the order they were written.
SELECT m.*
FROM messages AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.dialogue_id = @dialogue_id::uuid
  AND m.id > @after_id::uuid
ORDER BY m.id
LIMIT least(@page_size::int, 201);

-- name: ListMessagesBefore :many
-- A dialogue's messages from the latest back, behind @before_id.
SELECT m.*
FROM messages AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.dialogue_id = @dialogue_id::uuid
  AND m.id < @before_id::uuid
ORDER BY m.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListLatestMessages :many
-- A dialogue's latest messages, newest first: as far back as the coach listens.
SELECT m.id, m.author_id, m.source, m.body, u.name AS author_name
FROM messages AS m
LEFT JOIN users AS u ON u.id = m.author_id
WHERE m.organization_id = @organization_id::uuid
  AND m.dialogue_id = @dialogue_id::uuid
ORDER BY m.id DESC
LIMIT 20;
