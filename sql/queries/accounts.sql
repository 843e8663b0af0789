-- name: GetAccount :one
-- What a member of the organisation has said of themself, and the hash that their password is compared with, if they have one.
SELECT u.id, u.name, u.email, u.locale, u.time_zone, u.password_hash
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = @user_id::uuid;

-- name: UpdateAccount :one
-- Changes what is named of a person's account, and leaves the rest as it is.
UPDATE users AS u
SET name       = coalesce(sqlc.narg(name)::text, u.name),
    locale     = coalesce(sqlc.narg(locale)::text, u.locale),
    time_zone  = coalesce(sqlc.narg(time_zone)::text, u.time_zone),
    changed_at = greatest(clock_timestamp(), u.changed_at + interval '1 microsecond')
WHERE u.id = @user_id::uuid
RETURNING u.id, u.name, u.email, u.locale, u.time_zone, u.password_hash;

-- name: ChangePasswordIfHash :one
-- Gives a person another password, if the one that was checked is still theirs, and ends all sessions of theirs but one, in every organisation. No row: it has been changed meanwhile.
UPDATE users AS u
SET password_hash   = @password_hash::text,
    sessions_since  = clock_timestamp(),
    kept_session_id = @session_id::uuid,
    changed_at      = greatest(clock_timestamp(), u.changed_at + interval '1 microsecond')
WHERE u.id = @user_id::uuid
  AND u.password_hash = @checked_hash::text
RETURNING u.id;

-- name: DeleteOtherSessionsOfUser :exec
-- Removes a member's sessions and tokens in one organisation, but for one.
DELETE FROM sessions AS s
WHERE s.organization_id = @organization_id::uuid
  AND s.user_id = @user_id::uuid
  AND s.id <> @session_id::uuid;

-- name: GetSignInState :one
-- How a member signs in, and whether they have proved who they are within @fresh_seconds: by signing in, or in the session since.
SELECT u.email, u.password_hash,
       (greatest(s.created_at, s.confirmed_at) > clock_timestamp() - make_interval(secs => @fresh_seconds::int))::bool AS fresh
FROM sessions AS s
JOIN users AS u ON u.id = s.user_id
WHERE s.organization_id = @organization_id::uuid
  AND s.user_id = @user_id::uuid
  AND s.id = @session_id::uuid;

-- name: ConfirmSessionIfHash :one
-- Notes that whoever is in a session knows the password, if the one that was checked is still theirs. No row: it has been changed meanwhile.
UPDATE sessions AS s
SET confirmed_at = clock_timestamp()
FROM users AS u
WHERE s.organization_id = @organization_id::uuid
  AND s.user_id = @user_id::uuid
  AND s.id = @session_id::uuid
  AND u.id = s.user_id
  AND u.password_hash = @checked_hash::text
RETURNING s.id;

-- name: EndOtherSessions :exec
-- Ends all sessions of a person but one, and all tokens, in every organisation.
UPDATE users AS u
SET sessions_since  = clock_timestamp(),
    kept_session_id = @session_id::uuid,
    changed_at      = greatest(clock_timestamp(), u.changed_at + interval '1 microsecond')
WHERE u.id = @user_id::uuid;
