-- name: RecordSessionAccess :exec
-- Keeps that a session was used now, and from where. Nothing happens where the session has ended, or where a later use is known already.
WITH used AS (
    SELECT s.organization_id, s.id, clock_timestamp() AS accessed_at
    FROM sessions AS s
    WHERE s.organization_id = @organization_id::uuid
      AND s.token_hash = @token_hash::bytea
      AND s.expires_at > coalesce(sqlc.narg(now)::timestamptz, now())
    FOR KEY SHARE OF s
)
INSERT INTO session_accesses AS sa (organization_id, session_id, accessed_at, address)
SELECT u.organization_id, u.id, u.accessed_at, @address::text
FROM used AS u
ON CONFLICT (organization_id, session_id) DO UPDATE
SET accessed_at = excluded.accessed_at, address = excluded.address
WHERE sa.organization_id = @organization_id::uuid
  AND sa.accessed_at < excluded.accessed_at;
