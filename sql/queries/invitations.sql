-- name: ListInvitees :many
-- What is there already of as many as 200 e-mail addresses: a membership, suspended or not, and an invitation that is open, overdue or not. A row for each address
-- of which there is something, and nothing of other organisations.
WITH wanted AS (
    SELECT unnest(@emails::text[]) AS email
)
SELECT w.email::text AS email, m.user_id, m.suspended_at, i.id AS invitation_id, coalesce(i.expires_at <= clock_timestamp(), false)::bool AS overdue
FROM wanted AS w
LEFT JOIN users AS u ON u.email = w.email
LEFT JOIN memberships AS m ON m.organization_id = @organization_id::uuid AND m.user_id = u.id
LEFT JOIN invitations AS i ON i.organization_id = @organization_id::uuid AND i.email = w.email AND i.accepted_at IS NULL AND i.revoked_at IS NULL
WHERE m.user_id IS NOT NULL OR i.id IS NOT NULL
LIMIT 200;

-- name: ListUsableTeams :many
-- Which of these teams there are and are not archived. As many as 1000.
SELECT t.id
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.id = ANY (@ids::uuid[])
  AND t.archived_at IS NULL
ORDER BY t.id
LIMIT 1000;

-- name: RevokeOverdueInvitations :exec
-- Ends invitations whose time is over, so that others can be made for the same addresses.
UPDATE invitations AS i
SET revoked_at = clock_timestamp(), revoked_by = @actor_id::uuid
WHERE i.organization_id = @organization_id::uuid
  AND i.id = ANY (@ids::uuid[])
  AND i.accepted_at IS NULL
  AND i.revoked_at IS NULL
  AND i.expires_at <= clock_timestamp();

-- name: CreateInvitation :one
-- An invitation with the mail that tells of it and the event that has it sent. No row: there is an open one for that address, perhaps of somebody who was faster.
WITH invitation AS (
    INSERT INTO invitations (organization_id, id, email, role, team_ids, days, token_hash, mail_id, expires_at, invited_by)
    VALUES (@organization_id::uuid, @id::uuid, @email::text, @role::text, @team_ids::uuid[], @days::int, @token_hash::bytea, @mail_id::uuid,
            clock_timestamp() + make_interval(days => @days::int), @actor_id::uuid)
    ON CONFLICT (organization_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL DO NOTHING
    RETURNING id
), mail AS (
    INSERT INTO mails (organization_id, id, invitation_id, template)
    SELECT @organization_id::uuid, @mail_id::uuid, i.id, 'invitation'
    FROM invitation AS i
), event AS (
    INSERT INTO outbox_events (organization_id, id, kind, target_id, contract)
    SELECT @organization_id::uuid, @event_id::uuid, 'mail.send', @mail_id::uuid, 2
    FROM invitation AS i
)
SELECT i.id::uuid AS id
FROM invitation AS i;

-- name: ResendInvitation :one
-- Sends an open invitation again: another mail with another link, and all its days before it. No row: it is not open, was sent within the last minute, or five times.
WITH invitation AS (
    UPDATE invitations AS i
    SET sendings = i.sendings + 1, token_hash = @token_hash::bytea, mail_id = @mail_id::uuid, sent_at = clock_timestamp(),
        expires_at = clock_timestamp() + make_interval(days => i.days::int)
    WHERE i.organization_id = @organization_id::uuid
      AND i.id = @id::uuid
      AND i.sendings = @sendings::smallint
      AND i.sendings < 5
      AND i.sent_at <= clock_timestamp() - interval '1 minute'
      AND i.accepted_at IS NULL
      AND i.revoked_at IS NULL
    RETURNING id
), mail AS (
    INSERT INTO mails (organization_id, id, invitation_id, template)
    SELECT @organization_id::uuid, @mail_id::uuid, i.id, 'invitation'
    FROM invitation AS i
), event AS (
    INSERT INTO outbox_events (organization_id, id, kind, target_id, contract)
    SELECT @organization_id::uuid, @event_id::uuid, 'mail.send', @mail_id::uuid, 2
    FROM invitation AS i
)
SELECT i.id::uuid AS id
FROM invitation AS i;

-- name: RevokeInvitation :one
-- Ends an open invitation, overdue or not. No row: it had ended.
UPDATE invitations AS i
SET revoked_at = clock_timestamp(), revoked_by = @actor_id::uuid
WHERE i.organization_id = @organization_id::uuid
  AND i.id = @id::uuid
  AND i.accepted_at IS NULL
  AND i.revoked_at IS NULL
RETURNING i.id;

-- name: GetInvitation :one
-- One invitation, whoever it is from, and what has become of its mail, if that is known yet or still.
SELECT sqlc.embed(i), (i.expires_at <= clock_timestamp())::bool AS overdue, u.name AS inviter, m.state AS mail_state
FROM invitations AS i
JOIN users AS u ON u.id = i.invited_by
LEFT JOIN mails AS m ON m.organization_id = i.organization_id AND m.id = i.mail_id
WHERE i.organization_id = @organization_id::uuid
  AND i.id = @id::uuid;

-- name: ListInvitationsBefore :many
-- Invitations, newest first, behind @before_id.
SELECT sqlc.embed(i), (i.expires_at <= clock_timestamp())::bool AS overdue, u.name AS inviter, m.state AS mail_state
FROM invitations AS i
JOIN users AS u ON u.id = i.invited_by
LEFT JOIN mails AS m ON m.organization_id = i.organization_id AND m.id = i.mail_id
WHERE i.organization_id = @organization_id::uuid
  AND i.id < @before_id::uuid
ORDER BY i.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListOpenInvitationsBefore :many
-- Those that are neither accepted nor revoked, overdue or not.
SELECT sqlc.embed(i), (i.expires_at <= clock_timestamp())::bool AS overdue, u.name AS inviter, m.state AS mail_state
FROM invitations AS i
JOIN users AS u ON u.id = i.invited_by
LEFT JOIN mails AS m ON m.organization_id = i.organization_id AND m.id = i.mail_id
WHERE i.organization_id = @organization_id::uuid
  AND i.accepted_at IS NULL
  AND i.revoked_at IS NULL
  AND i.id < @before_id::uuid
ORDER BY i.id DESC
LIMIT least(@page_size::int, 201);

-- name: GetInvitationByToken :one
-- The invitation that a link leads to, whatever its state, what the organisation and whoever invited are called, and whether they may still invite.
SELECT sqlc.embed(i), (i.expires_at <= clock_timestamp())::bool AS overdue, o.name AS organization_name, o.locale, o.time_zone, u.name AS inviter,
       by.role AS inviter_role, by.suspended_at AS inviter_suspended_at
FROM invitations AS i
JOIN organizations AS o ON o.id = i.organization_id
JOIN users AS u ON u.id = i.invited_by
JOIN memberships AS by ON by.organization_id = i.organization_id AND by.user_id = i.invited_by
WHERE i.organization_id = @organization_id::uuid
  AND i.id = @id::uuid
  AND i.token_hash = @token_hash::bytea;

-- name: LockInvitation :one
-- Holds an invitation until the transaction ends, so that it is accepted, revoked or sent again one after the other.
SELECT i.id
FROM invitations AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.id = @id::uuid
FOR UPDATE;

-- name: FindInvitee :one
-- The person who has an e-mail address, and their membership, if they have one. No row: nobody has it.
SELECT u.id, u.name, m.user_id AS member_id, m.suspended_at
FROM users AS u
LEFT JOIN memberships AS m ON m.organization_id = @organization_id::uuid AND m.user_id = u.id
WHERE u.email = @email::text;

-- name: AcceptInvitation :exec
-- Ends an invitation that the transaction holds by somebody's joining.
UPDATE invitations AS i
SET accepted_at = clock_timestamp(), accepted_by = @user_id::uuid
WHERE i.organization_id = @organization_id::uuid
  AND i.id = @id::uuid;

-- name: JoinTeams :exec
-- Puts a new member in those of these teams that are still there.
INSERT INTO team_members (organization_id, team_id, user_id, role)
SELECT t.organization_id, t.id, @user_id::uuid, 'member'
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.id = ANY (@team_ids::uuid[])
  AND t.archived_at IS NULL
ON CONFLICT (organization_id, team_id, user_id) DO NOTHING;

-- name: GetInvitationToMail :one
-- A mail to somebody who is invited, with what it says. It is current as long as the invitation is open and no later mail has another link.
SELECT m.id, m.template, m.detail, m.once, m.state, m.changed_at, i.id AS invitation_id, i.sendings, i.email, i.expires_at, u.name AS inviter,
       (i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.mail_id = m.id AND i.expires_at > clock_timestamp())::bool AS current,
       o.name AS organization_name, o.locale, o.time_zone, clock_timestamp()::timestamptz AS now
FROM mails AS m
JOIN invitations AS i ON i.organization_id = m.organization_id AND i.id = m.invitation_id
JOIN organizations AS o ON o.id = m.organization_id
JOIN users AS u ON u.id = i.invited_by
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid;
