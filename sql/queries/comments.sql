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
