-- name: ClaimIdempotencyKey :one
-- Takes a key for a request that is about to run in this transaction. Waits, up to the lock timeout, for another one with the same key.
-- No row: the key was used before; GetIdempotencyKey says for what.
INSERT INTO idempotency_keys (organization_id, actor_id, route, key, payload_hash)
VALUES (@organization_id::uuid, @actor_id::uuid, @route::text, @key::text, @payload_hash::bytea)
ON CONFLICT DO NOTHING
RETURNING key;

-- name: GetIdempotencyKey :one
-- What was answered under a key.
SELECT k.payload_hash, k.status, k.headers, k.body
FROM idempotency_keys AS k
WHERE k.organization_id = @organization_id::uuid
  AND k.actor_id = @actor_id::uuid
  AND k.route = @route::text
  AND k.key = @key::text;

-- name: AnswerIdempotencyKey :exec
-- Keeps the answer beside its key, in the transaction that made the change.
UPDATE idempotency_keys AS k
SET status = @status::smallint, headers = @headers::jsonb, body = @body::bytea
WHERE k.organization_id = @organization_id::uuid
  AND k.actor_id = @actor_id::uuid
  AND k.route = @route::text
  AND k.key = @key::text;
