-- name: GetTeam :one
-- One team, archived or not.
SELECT t.*
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.id = @id::uuid;

-- name: GetTeamForShare :one
-- One team that is not archived, and stays so until the transaction ends.
SELECT t.*
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.id = @id::uuid
  AND t.archived_at IS NULL
FOR SHARE;

-- name: LockTeam :one
-- One team, archived or not, held until the transaction ends, so that changes to who is in it come one after another.
SELECT t.*
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.id = @id::uuid
FOR UPDATE;

-- name: ListTeamsAfter :many
-- Teams in the order of creation, archived ones too.
SELECT t.*
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.id > @after_id::uuid
ORDER BY t.id
LIMIT least(@page_size::int, 201);

-- name: ListTeamsOfStateAfter :many
-- As ListTeamsAfter, only archived ones or only those in use.
SELECT t.*
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND (t.archived_at IS NOT NULL) = @archived::bool
  AND t.id > @after_id::uuid
ORDER BY t.id
LIMIT least(@page_size::int, 201);

-- name: ListMatchingTeamsAfter :many
-- As ListTeamsAfter, of as many as 1002 teams those that have all the words in their names, as MatchTeams; with @archived only archived ones or only those in use.
SELECT t.*
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.id = ANY (@ids::uuid[])
  AND t.id > @after_id::uuid
  AND (sqlc.narg(archived)::bool IS NULL OR (t.archived_at IS NOT NULL) = sqlc.narg(archived)::bool)
  AND NOT EXISTS (SELECT FROM unnest(@words::text[]) AS w (word) WHERE NOT search_contains(search_text(t.name), w.word))
ORDER BY t.id
LIMIT least(@page_size::int, 201);

-- name: CreateTeam :one
-- A new team without members.
INSERT INTO teams (organization_id, id, name, description, changed_by)
VALUES (@organization_id::uuid, @id::uuid, @name::text, sqlc.narg(description)::text, @actor_id::uuid)
RETURNING *;

-- name: UpdateTeamIfRevision :one
-- Changes the named fields of a team that is still at @revision. No row: it is gone or has moved on.
UPDATE teams AS t
SET name        = CASE WHEN @set_name::bool THEN @name::text ELSE t.name END,
    description = CASE WHEN @set_description::bool THEN sqlc.narg(description)::text ELSE t.description END,
    archived_at = CASE WHEN @set_archived::bool
                       THEN CASE WHEN @archived::bool THEN coalesce(t.archived_at, clock_timestamp()) END
                       ELSE t.archived_at END,
    revision    = t.revision + 1,
    changed_at  = greatest(clock_timestamp(), t.changed_at + interval '1 microsecond'),
    changed_by  = @actor_id::uuid
WHERE t.organization_id = @organization_id::uuid
  AND t.id = @id::uuid
  AND t.revision = @revision::bigint
RETURNING t.*;

-- name: ListTeamMembersAfter :many
-- A team's members in the order of their ids.
SELECT tm.user_id, tm.role, u.name, tm.created_at
FROM team_members AS tm
JOIN users AS u ON u.id = tm.user_id
WHERE tm.organization_id = @organization_id::uuid
  AND tm.team_id = @team_id::uuid
  AND tm.user_id > @after_id::uuid
ORDER BY tm.user_id
LIMIT least(@page_size::int, 201);

-- name: GetTeamMember :one
-- A member's place in a team. No row: none.
SELECT tm.user_id, tm.role, u.name, tm.created_at
FROM team_members AS tm
JOIN users AS u ON u.id = tm.user_id
WHERE tm.organization_id = @organization_id::uuid
  AND tm.team_id = @team_id::uuid
  AND tm.user_id = @user_id::uuid;

-- name: ListTeamLeads :many
-- Who leads a team and can act; no team has more leads than are worth asking.
SELECT tm.user_id
FROM team_members AS tm
JOIN memberships AS m ON m.organization_id = tm.organization_id AND m.user_id = tm.user_id
WHERE tm.organization_id = @organization_id::uuid
  AND tm.team_id = @team_id::uuid
  AND tm.role = 'lead'
  AND m.suspended_at IS NULL
ORDER BY tm.user_id
LIMIT 200;

-- name: ListAdministrators :many
-- Owners and admins who can act, at most 50: enough to know whether there is another one.
SELECT m.user_id
FROM memberships AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.role IN ('owner', 'admin')
  AND m.suspended_at IS NULL
ORDER BY m.user_id
LIMIT 50;

-- name: PutTeamMember :exec
-- Makes a member part of a team, or changes what they are in it.
INSERT INTO team_members (organization_id, team_id, user_id, role)
VALUES (@organization_id::uuid, @team_id::uuid, @user_id::uuid, @role::text)
ON CONFLICT (organization_id, team_id, user_id) DO UPDATE SET role = excluded.role;

-- name: DeleteTeamMember :one
-- Takes a member out of a team. No row: was not in it.
DELETE FROM team_members AS tm
WHERE tm.organization_id = @organization_id::uuid
  AND tm.team_id = @team_id::uuid
  AND tm.user_id = @user_id::uuid
RETURNING tm.user_id;
