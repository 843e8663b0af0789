-- name: LockKeyResult :one
-- A key result, held until the transaction ends, so that its check-ins come one after another.
SELECT k.*
FROM key_results AS k
WHERE k.organization_id = @organization_id::uuid
  AND k.id = @id::uuid
FOR UPDATE;

-- name: GetCheckIn :one
-- One check-in of a key result.
SELECT i.*
FROM check_ins AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.key_result_id = @key_result_id::uuid
  AND i.id = @id::uuid;

-- name: CreateCheckIn :one
-- Adds a check-in. A correction stands at the time of what it corrects.
INSERT INTO check_ins (organization_id, id, key_result_id, value, done_step_ids, progress, confidence, note, corrects_id, checked_at, created_by)
VALUES (@organization_id::uuid, @id::uuid, @key_result_id::uuid, sqlc.narg(value)::numeric, @done_step_ids::uuid[], @progress::numeric,
        @confidence::smallint, sqlc.narg(note)::text, sqlc.narg(corrects_id)::uuid,
        coalesce(sqlc.narg(checked_at)::timestamptz, clock_timestamp()), @actor_id::uuid)
RETURNING *;

-- name: SetCurrentCheckIn :one
-- Makes the latest check-in that nothing corrects the key result's current one.
WITH latest AS (
    SELECT i.id, i.value, i.done_step_ids, i.confidence, i.checked_at
    FROM check_ins AS i
    WHERE i.organization_id = @organization_id::uuid
      AND i.key_result_id = @key_result_id::uuid
      AND NOT EXISTS (SELECT FROM check_ins AS n WHERE n.organization_id = i.organization_id AND n.corrects_id = i.id)
    ORDER BY i.checked_at DESC, i.id DESC
    LIMIT 1
)
UPDATE key_results AS k
SET current_check_in_id = l.id,
    current_value       = l.value,
    current_done_steps  = l.done_step_ids,
    current_confidence  = l.confidence,
    current_at          = l.checked_at
FROM latest AS l
WHERE k.organization_id = @organization_id::uuid
  AND k.id = @key_result_id::uuid
RETURNING k.*;

-- name: ListCheckInsBefore :many
-- A key result's check-ins, the latest first, behind the given one; corrected ones too, with what corrects them.
SELECT sqlc.embed(i), n.id AS corrected_by_id
FROM check_ins AS i
LEFT JOIN check_ins AS n ON n.organization_id = i.organization_id AND n.corrects_id = i.id
WHERE i.organization_id = @organization_id::uuid
  AND i.key_result_id = @key_result_id::uuid
  AND (i.checked_at, i.id) < (@before_at::timestamptz, @before_id::uuid)
ORDER BY i.checked_at DESC, i.id DESC
LIMIT least(@page_size::int, 201);
