-- name: PutCalendarFeed :exec
-- The secret address of somebody's calendar; the one before ends.
INSERT INTO calendar_feeds AS f (organization_id, user_id, token_hash)
VALUES (@organization_id::uuid, @user_id::uuid, @token_hash::bytea)
ON CONFLICT (organization_id, user_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = clock_timestamp();

-- name: DeleteCalendarFeed :one
-- Ends the secret address of somebody's calendar. No row: there was none.
DELETE FROM calendar_feeds AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.user_id = @user_id::uuid
RETURNING f.user_id;

-- name: GetCalendarFeed :one
-- Whose calendar a secret address is, while they are a member who may sign in. No row: nobody's, or no longer.
SELECT f.user_id, o.name AS organization_name, clock_timestamp()::timestamptz AS now
FROM calendar_feeds AS f
JOIN memberships AS m ON m.organization_id = f.organization_id AND m.user_id = f.user_id
JOIN organizations AS o ON o.id = f.organization_id
WHERE f.organization_id = @organization_id::uuid
  AND f.token_hash = @token_hash::bytea
  AND m.suspended_at IS NULL;

-- name: ListMeetingsForCalendar :many
-- What somebody attends and has not declined, called off or not: meetings that go on, and those that take place between two times. The latest made first.
SELECT sqlc.embed(m), organizer.name AS organizer_name, organizer.email AS organizer_email
FROM meeting_attendees AS a
JOIN meetings AS m ON m.organization_id = a.organization_id AND m.id = a.meeting_id
JOIN users AS organizer ON organizer.id = m.organizer_id
WHERE a.organization_id = @organization_id::uuid
  AND a.user_id = @user_id::uuid
  AND a.response <> 'declined'
  AND EXISTS (SELECT FROM meeting_occurrences AS o
              WHERE o.organization_id = a.organization_id AND o.meeting_id = a.meeting_id AND o.starts_at >= @from_at::timestamptz AND o.starts_at < @before_at::timestamptz)
ORDER BY m.id DESC
LIMIT least(@page_size::int, 1000);

-- name: ListOccurrencesForCalendar :many
-- What takes place of these meetings between two times, called off or not.
SELECT o.*
FROM meeting_occurrences AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.meeting_id = ANY (@meeting_ids::uuid[])
  AND o.starts_at >= @from_at::timestamptz
  AND o.starts_at < @before_at::timestamptz
ORDER BY o.starts_at, o.id
LIMIT 20000;

-- name: ListAgendasForCalendar :many
-- What these meetings are about, in their order.
SELECT i.meeting_id, i.title
FROM meeting_agenda_items AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.meeting_id = ANY (@meeting_ids::uuid[])
ORDER BY i.meeting_id, i.position, i.id
LIMIT 50000;
