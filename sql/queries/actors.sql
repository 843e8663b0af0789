-- name: GetActorForRead :one
-- Who is asking, as the database knows them now. No row: not signed in, suspended or expired.
SELECT s.organization_id, s.user_id, s.id AS session_id, s.token_scope, m.role, u.name, o.time_zone, o.cadence, o.grace_days, now()::timestamptz AS now,
       ARRAY(SELECT tm.team_id FROM team_members AS tm
             WHERE tm.organization_id = s.organization_id AND tm.user_id = s.user_id)::uuid[] AS team_ids,
       ARRAY(SELECT tm.team_id FROM team_members AS tm
             WHERE tm.organization_id = s.organization_id AND tm.user_id = s.user_id AND tm.role = 'lead')::uuid[] AS lead_team_ids
FROM sessions AS s
JOIN memberships AS m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
JOIN users AS u ON u.id = s.user_id
JOIN organizations AS o ON o.id = s.organization_id
WHERE s.organization_id = @organization_id::uuid
  AND s.token_hash = @token_hash::bytea
  AND s.expires_at > coalesce(sqlc.narg(now)::timestamptz, now())
  AND (u.sessions_since IS NULL OR s.created_at > u.sessions_since OR s.id = u.kept_session_id)
  AND m.suspended_at IS NULL;

-- name: GetActorForWrite :one
-- As GetActorForRead, and holds the rows: whoever revokes session or membership waits for this transaction, or stops it.
SELECT s.organization_id, s.user_id, s.id AS session_id, s.token_scope, m.role, u.name, o.time_zone, o.cadence, o.grace_days, now()::timestamptz AS now,
       ARRAY(SELECT tm.team_id FROM team_members AS tm
             WHERE tm.organization_id = s.organization_id AND tm.user_id = s.user_id)::uuid[] AS team_ids,
       ARRAY(SELECT tm.team_id FROM team_members AS tm
             WHERE tm.organization_id = s.organization_id AND tm.user_id = s.user_id AND tm.role = 'lead')::uuid[] AS lead_team_ids
FROM sessions AS s
JOIN memberships AS m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
JOIN users AS u ON u.id = s.user_id
JOIN organizations AS o ON o.id = s.organization_id
WHERE s.organization_id = @organization_id::uuid
  AND s.token_hash = @token_hash::bytea
  AND s.expires_at > coalesce(sqlc.narg(now)::timestamptz, now())
  AND (u.sessions_since IS NULL OR s.created_at > u.sessions_since OR s.id = u.kept_session_id)
  AND m.suspended_at IS NULL
FOR SHARE OF s, m;

-- name: GetActorOfJob :one
-- The member a job was requested by, with the eyes they have now. No row: gone or suspended.
SELECT m.organization_id, m.user_id, m.role, u.name, u.locale, o.time_zone,
       ARRAY(SELECT tm.team_id FROM team_members AS tm
             WHERE tm.organization_id = m.organization_id AND tm.user_id = m.user_id)::uuid[] AS team_ids,
       ARRAY(SELECT tm.team_id FROM team_members AS tm
             WHERE tm.organization_id = m.organization_id AND tm.user_id = m.user_id AND tm.role = 'lead')::uuid[] AS lead_team_ids
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
JOIN organizations AS o ON o.id = m.organization_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = @user_id::uuid
  AND m.suspended_at IS NULL;

-- name: GetActorOfJobForShare :one
-- As GetActorOfJob, and holds the membership: whoever suspends the member waits for this transaction, or stops it.
SELECT m.organization_id, m.user_id, m.role, u.name, u.locale, o.time_zone,
       ARRAY(SELECT tm.team_id FROM team_members AS tm
             WHERE tm.organization_id = m.organization_id AND tm.user_id = m.user_id)::uuid[] AS team_ids,
       ARRAY(SELECT tm.team_id FROM team_members AS tm
             WHERE tm.organization_id = m.organization_id AND tm.user_id = m.user_id AND tm.role = 'lead')::uuid[] AS lead_team_ids
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
JOIN organizations AS o ON o.id = m.organization_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = @user_id::uuid
  AND m.suspended_at IS NULL
FOR SHARE OF m;
