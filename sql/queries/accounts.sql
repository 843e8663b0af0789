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
