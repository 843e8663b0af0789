-- name: CreateMail :exec
-- A mail to a member, and the event that has it sent, in one statement.
WITH event AS (
    INSERT INTO outbox_events (organization_id, id, kind, target_id, available_at)
    VALUES (@organization_id::uuid, @event_id::uuid, 'mail.send', @id::uuid, coalesce(sqlc.narg(available_at)::timestamptz, clock_timestamp()))
)
INSERT INTO mails (organization_id, id, user_id, template, detail, once)
VALUES (@organization_id::uuid, @id::uuid, @user_id::uuid, @template::text, @detail::jsonb, @once::bool);
