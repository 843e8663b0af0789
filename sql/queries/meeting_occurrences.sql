-- name: GetVisibleOccurrence :one
-- One occurrence of a meeting that the actor may see. No row: it does not exist, or is not for their eyes.
SELECT sqlc.embed(o), sqlc.embed(m), organizer.name AS organizer_name, coalesce(a.response, '')::text AS response, clock_timestamp()::timestamptz AS now
FROM meeting_occurrences AS o
JOIN meetings AS m ON m.organization_id = o.organization_id AND m.id = o.meeting_id
JOIN users AS organizer ON organizer.id = m.organizer_id
LEFT JOIN meeting_attendees AS a ON a.organization_id = m.organization_id AND a.meeting_id = m.id AND a.user_id = @actor_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND (@sees_all::bool OR m.organizer_id = @actor_id::uuid OR m.team_id = ANY (@team_ids::uuid[]) OR a.user_id IS NOT NULL);

-- name: LockOccurrence :one
-- One occurrence, held until the transaction ends. What time it is then, GetClock says: the time in this statement may be from before it waited.
SELECT o.*
FROM meeting_occurrences AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
FOR UPDATE;

-- name: LockOccurrencesFrom :many
-- A meeting's occurrences that the rule has from a time on, held until the transaction ends. Whoever adds something to one waits, or was before this.
SELECT o.*
FROM meeting_occurrences AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.meeting_id = @meeting_id::uuid
  AND o.recurrence_at >= @from_at::timestamptz
ORDER BY o.recurrence_at
LIMIT 1500
FOR UPDATE;

-- name: ListHeldOccurrences :many
-- Those of these occurrences that hold something which must not be lost: answers, follow-ups or check-ins.
SELECT o.id
FROM meeting_occurrences AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id = ANY (@ids::uuid[])
  AND (EXISTS (SELECT FROM survey_participants AS p WHERE p.organization_id = o.organization_id AND p.occurrence_id = o.id)
    OR EXISTS (SELECT FROM follow_ups AS f WHERE f.organization_id = o.organization_id AND f.occurrence_id = o.id)
    OR EXISTS (SELECT FROM meeting_check_ins AS i WHERE i.organization_id = o.organization_id AND i.occurrence_id = o.id))
LIMIT 1500;

-- name: CreateOccurrences :batchexec
-- Has a meeting take place at a time that the rule has, unless it does already.
INSERT INTO meeting_occurrences (organization_id, id, meeting_id, recurrence_at, starts_at, ends_at, changed_by)
VALUES (@organization_id::uuid, @id::uuid, @meeting_id::uuid, @recurrence_at::timestamptz, @recurrence_at::timestamptz, @ends_at::timestamptz, @actor_id::uuid)
ON CONFLICT (organization_id, meeting_id, recurrence_at) DO NOTHING;

-- name: FollowRule :batchexec
-- Takes an occurrence to another time that the rule has. It is asked about and reminded of anew if that is another time.
UPDATE meeting_occurrences AS o
SET recurrence_at = @recurrence_at::timestamptz,
    starts_at     = @recurrence_at::timestamptz,
    ends_at       = @ends_at::timestamptz,
    moved         = false,
    reminded_at   = CASE WHEN o.starts_at = @recurrence_at::timestamptz THEN o.reminded_at END,
    revision      = o.revision + 1,
    changed_at    = greatest(clock_timestamp(), o.changed_at + interval '1 microsecond'),
    changed_by    = @actor_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND (o.recurrence_at, o.starts_at, o.ends_at) IS DISTINCT FROM (@recurrence_at::timestamptz, @recurrence_at::timestamptz, @ends_at::timestamptz);

-- name: DeleteOccurrences :exec
-- Takes out occurrences that the rule no longer has and that hold nothing. The transaction holds them.
DELETE FROM meeting_occurrences AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id = ANY (@ids::uuid[]);

-- name: ListOccurrencesOfUser :many
-- What somebody attends from a time on and before another, in the order of time, behind the given one. Those that were called off are there too.
SELECT sqlc.embed(o), m.title, m.place, m.team_id, m.time_zone, m.cancelled_at AS meeting_cancelled_at, a.response
FROM meeting_attendees AS a
JOIN meetings AS m ON m.organization_id = a.organization_id AND m.id = a.meeting_id
JOIN meeting_occurrences AS o ON o.organization_id = a.organization_id AND o.meeting_id = a.meeting_id
WHERE a.organization_id = @organization_id::uuid
  AND a.user_id = @user_id::uuid
  AND o.starts_at >= @from_at::timestamptz
  AND o.starts_at < @before_at::timestamptz
  AND (o.starts_at, o.id) > (@after_at::timestamptz, @after_id::uuid)
ORDER BY o.starts_at, o.id
LIMIT least(@page_size::int, 201);

-- name: ListOccurrencesOfTeam :many
-- As ListOccurrencesOfUser, of a team's meetings.
SELECT sqlc.embed(o), m.title, m.place, m.team_id, m.time_zone, m.cancelled_at AS meeting_cancelled_at, coalesce(a.response, '')::text AS response
FROM meetings AS m
JOIN meeting_occurrences AS o ON o.organization_id = m.organization_id AND o.meeting_id = m.id
LEFT JOIN meeting_attendees AS a ON a.organization_id = m.organization_id AND a.meeting_id = m.id AND a.user_id = @user_id::uuid
WHERE m.organization_id = @organization_id::uuid
  AND m.team_id = @team_id::uuid
  AND o.starts_at >= @from_at::timestamptz
  AND o.starts_at < @before_at::timestamptz
  AND (o.starts_at, o.id) > (@after_at::timestamptz, @after_id::uuid)
ORDER BY o.starts_at, o.id
LIMIT least(@page_size::int, 201);

-- name: ListOccurrencesOfMeetingAfter :many
-- As ListOccurrencesOfUser, of one meeting, which the caller has found visible.
SELECT sqlc.embed(o), m.title, m.place, m.team_id, m.time_zone, m.cancelled_at AS meeting_cancelled_at, coalesce(a.response, '')::text AS response
FROM meeting_occurrences AS o
JOIN meetings AS m ON m.organization_id = o.organization_id AND m.id = o.meeting_id
LEFT JOIN meeting_attendees AS a ON a.organization_id = m.organization_id AND a.meeting_id = m.id AND a.user_id = @user_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.meeting_id = @meeting_id::uuid
  AND o.starts_at >= @from_at::timestamptz
  AND o.starts_at < @before_at::timestamptz
  AND (o.starts_at, o.id) > (@after_at::timestamptz, @after_id::uuid)
ORDER BY o.starts_at, o.id
LIMIT least(@page_size::int, 201);

-- name: ListOccurrencesOfMeetingBefore :many
-- As ListOccurrencesOfMeetingAfter, from the latest back, before the given one.
SELECT sqlc.embed(o), m.title, m.place, m.team_id, m.time_zone, m.cancelled_at AS meeting_cancelled_at, coalesce(a.response, '')::text AS response
FROM meeting_occurrences AS o
JOIN meetings AS m ON m.organization_id = o.organization_id AND m.id = o.meeting_id
LEFT JOIN meeting_attendees AS a ON a.organization_id = m.organization_id AND a.meeting_id = m.id AND a.user_id = @user_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.meeting_id = @meeting_id::uuid
  AND o.starts_at >= @from_at::timestamptz
  AND o.starts_at < @before_at::timestamptz
  AND (o.starts_at, o.id) < (@until_at::timestamptz, @until_id::uuid)
ORDER BY o.starts_at DESC, o.id DESC
LIMIT least(@page_size::int, 201);

-- name: GetNextOccurrence :one
-- The next occurrence of a meeting that has not ended and was not called off. No row: there is none.
SELECT o.*
FROM meeting_occurrences AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.meeting_id = @meeting_id::uuid
  AND o.cancelled_at IS NULL
  AND o.starts_at >= @from_at::timestamptz
ORDER BY o.starts_at, o.id
LIMIT 1;

-- name: GetAnyOccurrence :one
-- The latest occurrence of a meeting. No row: it never takes place.
SELECT o.*
FROM meeting_occurrences AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.meeting_id = @meeting_id::uuid
ORDER BY o.starts_at DESC, o.id DESC
LIMIT 1;

-- name: MoveOccurrenceIfRevision :one
-- Takes one occurrence that is still at @revision to another time, by hand. No row: it is gone, called off, or has moved on.
UPDATE meeting_occurrences AS o
SET starts_at   = @starts_at::timestamptz,
    ends_at     = @ends_at::timestamptz,
    moved       = true,
    reminded_at = NULL,
    revision    = o.revision + 1,
    changed_at  = greatest(clock_timestamp(), o.changed_at + interval '1 microsecond'),
    changed_by  = @actor_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND o.revision = @revision::bigint
  AND o.cancelled_at IS NULL
RETURNING o.*;

-- name: CancelOccurrenceIfRevision :one
-- Calls off one occurrence that is still at @revision. No row: it is gone, called off already, or has moved on.
UPDATE meeting_occurrences AS o
SET cancelled_at = clock_timestamp(),
    revision     = o.revision + 1,
    changed_at   = greatest(clock_timestamp(), o.changed_at + interval '1 microsecond'),
    changed_by   = @actor_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND o.revision = @revision::bigint
  AND o.cancelled_at IS NULL
RETURNING o.*;

-- name: WriteMinutesIfRevision :one
-- Writes down what was said and decided, if the occurrence is still at @revision. No row: it is gone or has moved on.
UPDATE meeting_occurrences AS o
SET minutes    = @minutes::text,
    decisions  = @decisions::text[],
    revision   = o.revision + 1,
    changed_at = greatest(clock_timestamp(), o.changed_at + interval '1 microsecond'),
    changed_by = @actor_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND o.revision = @revision::bigint
RETURNING o.*;

-- name: RecordMeetingCheckIn :exec
-- Notes that a check-in was made in a meeting.
INSERT INTO meeting_check_ins (organization_id, occurrence_id, check_in_id)
VALUES (@organization_id::uuid, @occurrence_id::uuid, @check_in_id::uuid);

-- name: ListMeetingCheckIns :many
-- The first 200 check-ins that were made in a meeting, of key results that the actor may see.
SELECT sqlc.embed(i), k.title AS key_result_title, k.objective_id
FROM meeting_check_ins AS c
JOIN check_ins AS i ON i.organization_id = c.organization_id AND i.id = c.check_in_id
JOIN key_results AS k ON k.organization_id = i.organization_id AND k.id = i.key_result_id
JOIN objectives AS o ON o.organization_id = k.organization_id AND o.id = k.objective_id
WHERE c.organization_id = @organization_id::uuid
  AND c.occurrence_id = @occurrence_id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY c.check_in_id
LIMIT 200;

-- name: ListOccurrencesToRemindOf :many
-- Occurrences that begin within their meeting's time of reminding, and of which nobody was reminded yet.
-- The times are sub-selects because behind row-level security an index is asked for nothing that is made by coalesce.
SELECT o.id
FROM meeting_occurrences AS o
JOIN meetings AS m ON m.organization_id = o.organization_id AND m.id = o.meeting_id
WHERE o.organization_id = @organization_id::uuid
  AND o.cancelled_at IS NULL
  AND m.cancelled_at IS NULL
  AND o.reminded_at IS NULL
  AND m.remind_minutes > 0
  AND o.starts_at > (SELECT coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()))
  AND o.starts_at < (SELECT coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) + interval '7 days')
  AND o.starts_at <= (SELECT coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())) + make_interval(mins => m.remind_minutes)
ORDER BY o.starts_at, o.id
LIMIT 200;

-- name: ClaimOccurrenceReminder :one
-- Takes the reminder of an occurrence for this transaction. No row: it was taken before, or is too late or too early.
UPDATE meeting_occurrences AS o
SET reminded_at = coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())
FROM meetings AS m
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND m.organization_id = o.organization_id
  AND m.id = o.meeting_id
  AND o.cancelled_at IS NULL
  AND m.cancelled_at IS NULL
  AND o.reminded_at IS NULL
  AND o.starts_at > coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())
  AND o.starts_at <= coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) + make_interval(mins => m.remind_minutes)
RETURNING o.*;

-- name: ListOccurrencesToAskAbout :many
-- Occurrences that begin before a time, whose meeting has questions, and about which nobody was asked yet.
SELECT o.id
FROM meeting_occurrences AS o
JOIN meetings AS m ON m.organization_id = o.organization_id AND m.id = o.meeting_id
WHERE o.organization_id = @organization_id::uuid
  AND o.cancelled_at IS NULL
  AND m.cancelled_at IS NULL
  AND o.survey_asked_at IS NULL
  AND o.starts_at > (SELECT coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()))
  AND o.starts_at <= (SELECT coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) + make_interval(secs => @ahead_seconds::int))
  AND EXISTS (SELECT FROM survey_questions AS q WHERE q.organization_id = o.organization_id AND q.meeting_id = o.meeting_id AND q.retired_at IS NULL)
ORDER BY o.starts_at, o.id
LIMIT 200;

-- name: ClaimSurveyQuestion :one
-- Takes asking about an occurrence for this transaction. Where that is late already, nobody is reminded on top of it. No row: it was taken before, or is too late
-- or too early.
UPDATE meeting_occurrences AS o
SET survey_asked_at    = coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()),
    survey_reminded_at = CASE WHEN o.starts_at <= coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) + make_interval(secs => @remind_seconds::int)
                              THEN coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) ELSE o.survey_reminded_at END
FROM meetings AS m
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND m.organization_id = o.organization_id
  AND m.id = o.meeting_id
  AND o.cancelled_at IS NULL
  AND m.cancelled_at IS NULL
  AND o.survey_asked_at IS NULL
  AND o.starts_at > coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())
  AND o.starts_at <= coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) + make_interval(secs => @ahead_seconds::int)
RETURNING o.*;

-- name: ListSurveysToRemindOf :many
-- Occurrences that begin before a time, about which people were asked, and of which those who have not answered were not reminded yet.
SELECT o.id
FROM meeting_occurrences AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.cancelled_at IS NULL
  AND o.survey_asked_at IS NOT NULL
  AND o.survey_reminded_at IS NULL
  AND o.starts_at > (SELECT coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()))
  AND o.starts_at <= (SELECT coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) + make_interval(secs => @ahead_seconds::int))
ORDER BY o.starts_at, o.id
LIMIT 200;

-- name: ClaimSurveyReminder :one
-- Takes the survey's reminder of an occurrence for this transaction. No row: it was taken before, or is too late or too early.
UPDATE meeting_occurrences AS o
SET survey_reminded_at = coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())
FROM meetings AS m
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND m.organization_id = o.organization_id
  AND m.id = o.meeting_id
  AND o.cancelled_at IS NULL
  AND m.cancelled_at IS NULL
  AND o.survey_asked_at IS NOT NULL
  AND o.survey_reminded_at IS NULL
  AND o.starts_at > coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())
  AND o.starts_at <= coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) + make_interval(secs => @ahead_seconds::int)
RETURNING o.*;

-- name: ListAttendeesToRemind :many
-- Who attends an occurrence's meeting and has not declined; with @unanswered, only those who have not answered its survey.
SELECT a.user_id
FROM meeting_attendees AS a
JOIN memberships AS m ON m.organization_id = a.organization_id AND m.user_id = a.user_id
WHERE a.organization_id = @organization_id::uuid
  AND a.meeting_id = @meeting_id::uuid
  AND a.response <> 'declined'
  AND m.suspended_at IS NULL
  AND NOT (@unanswered::bool AND EXISTS (SELECT FROM survey_participants AS p
                                         WHERE p.organization_id = a.organization_id AND p.occurrence_id = @occurrence_id::uuid AND p.user_id = a.user_id))
ORDER BY a.user_id
LIMIT 500;

-- name: CreateMeetingNotice :one
-- Word of a meeting that is to reach its attendees, step by step.
INSERT INTO meeting_notices (organization_id, id, meeting_id, occurrence_id, kind, actor_id)
VALUES (@organization_id::uuid, @id::uuid, @meeting_id::uuid, sqlc.narg(occurrence_id)::uuid, @kind::text, @actor_id::uuid)
RETURNING *;

-- name: LockMeetingNotice :one
-- Word that is under way, held until the transaction ends. No row: it has reached everybody.
SELECT n.*
FROM meeting_notices AS n
WHERE n.organization_id = @organization_id::uuid
  AND n.id = @id::uuid
FOR UPDATE;

-- name: AdvanceMeetingNotice :exec
-- Remembers whom word has reached.
UPDATE meeting_notices AS n
SET reached_user_id = @reached_user_id::uuid
WHERE n.organization_id = @organization_id::uuid
  AND n.id = @id::uuid;

-- name: DeleteMeetingNotice :exec
-- Forgets word that has reached everybody.
DELETE FROM meeting_notices AS n
WHERE n.organization_id = @organization_id::uuid
  AND n.id = @id::uuid;

-- name: GetClock :one
-- What time it is by the database's clock.
SELECT clock_timestamp()::timestamptz AS now;
