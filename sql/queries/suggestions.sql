-- name: CreateSuggestion :one
-- A proposed change to the objective as it stood at @objective_revision.
INSERT INTO suggestions (organization_id, id, objective_id, objective_revision, dialogue_id, message_id, source, content)
VALUES (@organization_id::uuid, @id::uuid, @objective_id::uuid, @objective_revision::bigint, @dialogue_id::uuid, @message_id::uuid,
        @source::text, @content::jsonb)
RETURNING *;

-- name: ListSuggestionsAfter :many
-- A dialogue's suggestions in the order they were made.
SELECT g.*
FROM suggestions AS g
WHERE g.organization_id = @organization_id::uuid
  AND g.dialogue_id = @dialogue_id::uuid
  AND g.id > @after_id::uuid
ORDER BY g.id
LIMIT least(@page_size::int, 201);

-- name: ListSuggestionsBefore :many
-- A dialogue's suggestions from the latest back, behind @before_id.
SELECT g.*
FROM suggestions AS g
WHERE g.organization_id = @organization_id::uuid
  AND g.dialogue_id = @dialogue_id::uuid
  AND g.id < @before_id::uuid
ORDER BY g.id DESC
LIMIT least(@page_size::int, 201);

-- name: GetVisibleSuggestion :one
-- One suggestion to an objective that the actor may see, with that objective.
SELECT sqlc.embed(g), sqlc.embed(o)
FROM suggestions AS g
JOIN objectives AS o ON o.organization_id = g.organization_id AND o.id = g.objective_id
WHERE g.organization_id = @organization_id::uuid
  AND g.id = @id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]);

-- name: DecideSuggestionIfOpen :one
-- Accepts or rejects a suggestion that is still open. No row: somebody was faster, or the objective has moved on.
UPDATE suggestions AS g
SET state = @state::text, decided_by = @actor_id::uuid, decided_at = clock_timestamp(), note = sqlc.narg(note)::text
WHERE g.organization_id = @organization_id::uuid
  AND g.id = @id::uuid
  AND g.state = 'open'
RETURNING g.*;
