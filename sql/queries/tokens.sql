-- name: LockPersonOfSession :one
-- Holds the person behind a session until the transaction ends: of one person's tokens one is made at a time, and none while what they sign in with changes. No row: the session has ended meanwhile.
SELECT u.id
FROM sessions AS s
JOIN users AS u ON u.id = s.user_id
WHERE s.organization_id = @organization_id::uuid
  AND s.user_id = @user_id::uuid
  AND s.id = @session_id::uuid
  AND (u.sessions_since IS NULL OR s.created_at > u.sessions_since OR s.id = u.kept_session_id)
FOR NO KEY UPDATE OF u;

-- name: CountTokensOfUser :one
-- How many tokens a member has that have not ended.
SELECT count(*)::int AS tokens
FROM sessions AS s
JOIN users AS u ON u.id = s.user_id
WHERE s.organization_id = @organization_id::uuid
  AND s.user_id = @user_id::uuid
  AND s.token_name IS NOT NULL
  AND s.expires_at > now()
  AND (u.sessions_since IS NULL OR s.created_at > u.sessions_since);

-- name: CreateToken :one
-- A token of a member's, as secret as a session's.
INSERT INTO sessions (organization_id, token_hash, id, user_id, user_agent, address, expires_at, token_name, token_scope)
VALUES (@organization_id::uuid, @token_hash::bytea, @id::uuid, @user_id::uuid, @user_agent::text, @address::text, clock_timestamp() + make_interval(days => @days::int), @name::text, @scope::text)
RETURNING *;

-- name: ListTokensOfUserAfter :many
-- A member's own tokens that have not ended, in the order they were made, with when and from where each was used last.
SELECT s.id, s.user_id, u.name AS owner, s.token_name, s.token_scope, s.created_at, s.expires_at, sa.accessed_at, sa.address
FROM sessions AS s
JOIN users AS u ON u.id = s.user_id
LEFT JOIN session_accesses AS sa ON sa.organization_id = s.organization_id AND sa.session_id = s.id
WHERE s.organization_id = @organization_id::uuid
  AND s.user_id = @user_id::uuid
  AND s.token_name IS NOT NULL
  AND s.id > @after_id::uuid
  AND s.expires_at > now()
  AND (u.sessions_since IS NULL OR s.created_at > u.sessions_since)
ORDER BY s.id
LIMIT least(@page_size::int, 201);

-- name: ListTokensAfter :many
-- As ListTokensOfUserAfter, everybody's.
SELECT s.id, s.user_id, u.name AS owner, s.token_name, s.token_scope, s.created_at, s.expires_at, sa.accessed_at, sa.address
FROM sessions AS s
JOIN users AS u ON u.id = s.user_id
LEFT JOIN session_accesses AS sa ON sa.organization_id = s.organization_id AND sa.session_id = s.id
WHERE s.organization_id = @organization_id::uuid
  AND s.token_name IS NOT NULL
  AND s.id > @after_id::uuid
  AND s.expires_at > now()
  AND (u.sessions_since IS NULL OR s.created_at > u.sessions_since)
ORDER BY s.id
LIMIT least(@page_size::int, 201);

-- name: GetToken :one
-- Whose token it is, and what they are in the organisation. No row: it has ended.
SELECT s.id, s.user_id, s.token_name, s.token_scope, m.role
FROM sessions AS s
JOIN memberships AS m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
JOIN users AS u ON u.id = s.user_id
WHERE s.organization_id = @organization_id::uuid
  AND s.id = @id::uuid
  AND s.token_name IS NOT NULL
  AND s.expires_at > now()
  AND (u.sessions_since IS NULL OR s.created_at > u.sessions_since);

-- name: DeleteToken :one
-- Ends a token. It waits for writes that are under way with it. No row: somebody was faster.
DELETE FROM sessions AS s
WHERE s.organization_id = @organization_id::uuid
  AND s.id = @id::uuid
  AND s.token_name IS NOT NULL
RETURNING s.id;
