-- name: GetUserForSignIn :one
-- The person behind an e-mail address, given in lower case, with what their password is checked against.
SELECT u.id, u.name, u.password_hash
FROM users AS u
WHERE u.email = @email::text;

-- name: SetSigningInUser :exec
-- Opens, until the transaction ends, the memberships of one person across organisations.
SELECT set_config('kakeai.signing_in_user_id', @user_id::text, true);

-- name: ListMembershipsForSignIn :many
-- Where a person may sign in, the earliest joined first. Sees anything only after SetSigningInUser.
SELECT m.organization_id, m.role, o.name
FROM memberships AS m
JOIN organizations AS o ON o.id = m.organization_id
WHERE m.user_id = @user_id::uuid
  AND m.suspended_at IS NULL
ORDER BY m.created_at, m.organization_id
LIMIT 200;

-- name: CreateSession :one
-- Signs a member in, if the password is still the one that was checked and the membership still stands. No row: not any more.
WITH still AS (
    SELECT m.organization_id, m.user_id
    FROM memberships AS m
    JOIN users AS u ON u.id = m.user_id
    WHERE m.organization_id = @organization_id::uuid
      AND m.user_id = @user_id::uuid
      AND m.suspended_at IS NULL
      AND u.password_hash = @password_hash::text
    FOR SHARE OF m, u
)
INSERT INTO sessions (organization_id, token_hash, id, user_id, user_agent, address, expires_at)
SELECT s.organization_id, @token_hash::bytea, @id::uuid, s.user_id, @user_agent::text, @address::text,
       clock_timestamp() + make_interval(secs => @lifetime_seconds::int)
FROM still AS s
RETURNING *;

-- name: ListSessionsOfUserAfter :many
-- A member's own sessions that have not ended, in the order they began. Tokens are not among them.
SELECT s.id, s.user_agent, s.address, s.created_at, s.expires_at, sa.accessed_at
FROM sessions AS s
JOIN users AS u ON u.id = s.user_id
LEFT JOIN session_accesses AS sa ON sa.organization_id = s.organization_id AND sa.session_id = s.id
WHERE s.organization_id = @organization_id::uuid
  AND s.user_id = @user_id::uuid
  AND s.id > @after_id::uuid
  AND s.token_name IS NULL
  AND s.expires_at > now()
  AND (u.sessions_since IS NULL OR s.created_at > u.sessions_since OR s.id = u.kept_session_id)
ORDER BY s.id
LIMIT least(@page_size::int, 201);

-- name: DeleteSession :one
-- Ends one of a member's own sessions. No row: there is none such.
DELETE FROM sessions AS s
WHERE s.organization_id = @organization_id::uuid
  AND s.user_id = @user_id::uuid
  AND s.id = @id::uuid
  AND s.token_name IS NULL
RETURNING s.id;

-- name: DeleteSessionsOfUser :exec
-- Ends all sessions of a member, and all tokens.
DELETE FROM sessions AS s
WHERE s.organization_id = @organization_id::uuid
  AND s.user_id = @user_id::uuid;
