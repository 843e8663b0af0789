-- name: GetOrganization :one
-- The organisation's settings.
SELECT o.*
FROM organizations AS o
WHERE o.id = @organization_id::uuid;

-- name: CreateOrganization :exec
-- A new, empty organisation. Only the owner's login may.
INSERT INTO organizations (id, name, locale, time_zone, cadence, grace_days)
VALUES (@organization_id::uuid, @name::text, @locale::text, @time_zone::text, @cadence::text, @grace_days::int);

-- name: CreateUser :exec
-- A new person.
INSERT INTO users (id, email, name, locale, time_zone, password_hash)
VALUES (@id::uuid, @email::text, @name::text, @locale::text, @time_zone::text, sqlc.narg(password_hash)::text);

-- name: CreateMembership :exec
-- Makes a person a member of an organisation.
INSERT INTO memberships (organization_id, user_id, role)
VALUES (@organization_id::uuid, @user_id::uuid, @role::text);

-- name: GetMember :one
-- One member, suspended or not.
SELECT m.organization_id, m.user_id, u.name, u.email, u.locale, u.time_zone, m.role, m.suspended_at, m.revision, m.created_at, m.changed_at
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = @user_id::uuid;

-- name: ListMembersAfter :many
-- Members in the order of their ids, suspended ones too.
SELECT m.organization_id, m.user_id, u.name, u.email, u.locale, u.time_zone, m.role, m.suspended_at, m.revision, m.created_at, m.changed_at
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id > @after_id::uuid
ORDER BY m.user_id
LIMIT least(@page_size::int, 201);

-- name: ListMembersOfTeamAfter :many
-- As ListMembersAfter, of one team.
SELECT m.organization_id, m.user_id, u.name, u.email, u.locale, u.time_zone, m.role, m.suspended_at, m.revision, m.created_at, m.changed_at
FROM team_members AS tm
JOIN memberships AS m ON m.organization_id = tm.organization_id AND m.user_id = tm.user_id
JOIN users AS u ON u.id = m.user_id
WHERE tm.organization_id = @organization_id::uuid
  AND tm.team_id = @team_id::uuid
  AND tm.user_id > @after_id::uuid
ORDER BY tm.user_id
LIMIT least(@page_size::int, 201);

-- name: ListMatchingMembersAfter :many
-- As ListMembersAfter, of as many as 1002 members those who have all the words in names or addresses, as MatchMembers.
SELECT m.organization_id, m.user_id, u.name, u.email, u.locale, u.time_zone, m.role, m.suspended_at, m.revision, m.created_at, m.changed_at
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = ANY (@ids::uuid[])
  AND m.user_id > @after_id::uuid
  AND NOT EXISTS (SELECT FROM unnest(@words::text[]) AS w (word) WHERE NOT search_contains(search_text(u.name || ' ' || u.email), w.word))
ORDER BY m.user_id
LIMIT least(@page_size::int, 201);

-- name: ListMemberNames :many
-- The names behind ids, for as many as 1000 of them.
SELECT m.user_id, u.name
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = ANY (@user_ids::uuid[])
LIMIT 1000;

-- name: UpdateMemberIfRevision :one
-- Changes role and suspension of a member who is still at @revision. No row: gone or changed meanwhile.
UPDATE memberships AS m
SET role         = CASE WHEN @set_role::bool THEN @role::text ELSE m.role END,
    suspended_at = CASE WHEN @set_suspended::bool
                        THEN CASE WHEN @suspended::bool THEN coalesce(m.suspended_at, clock_timestamp()) END
                        ELSE m.suspended_at END,
    revision     = m.revision + 1,
    changed_at   = greatest(clock_timestamp(), m.changed_at + interval '1 microsecond')
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = @user_id::uuid
  AND m.revision = @revision::bigint
RETURNING m.*;

-- name: LockOwners :many
-- The owners who can act, held until the transaction ends, so that two of them cannot step down at once. As many as matter.
SELECT m.user_id
FROM memberships AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.role = 'owner'
  AND m.suspended_at IS NULL
ORDER BY m.user_id
LIMIT 1000
FOR UPDATE;
