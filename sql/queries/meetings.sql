-- name: GetVisibleMeeting :one
-- One meeting that the actor may see, with what they are to it. No row: it does not exist, or is not for their eyes.
SELECT sqlc.embed(m), organizer.name AS organizer_name, coalesce(a.response, '')::text AS response
FROM meetings AS m
JOIN users AS organizer ON organizer.id = m.organizer_id
LEFT JOIN meeting_attendees AS a ON a.organization_id = m.organization_id AND a.meeting_id = m.id AND a.user_id = @actor_id::uuid
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid
  AND (@sees_all::bool OR m.organizer_id = @actor_id::uuid OR m.team_id = ANY (@team_ids::uuid[]) OR a.user_id IS NOT NULL);

-- name: LockMeeting :one
-- One meeting, held until the transaction ends, so that what is done to its occurrences comes one after another.
SELECT m.*
FROM meetings AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid
FOR UPDATE;

-- name: GetMeetingForShare :one
-- One meeting, which nobody changes until the transaction ends.
SELECT m.*
FROM meetings AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid
FOR SHARE;

-- name: GetMeeting :one
-- One meeting, whoever asks: for what is done without anybody asking.
SELECT sqlc.embed(m), organizer.name AS organizer_name, organizer.email AS organizer_email
FROM meetings AS m
JOIN users AS organizer ON organizer.id = m.organizer_id
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid;

-- name: ListMeetingsOfUserAfter :many
-- Meetings that somebody attends, in the order of creation, cancelled ones too; with an occurrence between two times, where those are given.
SELECT sqlc.embed(m), organizer.name AS organizer_name, a.response
FROM meeting_attendees AS a
JOIN meetings AS m ON m.organization_id = a.organization_id AND m.id = a.meeting_id
JOIN users AS organizer ON organizer.id = m.organizer_id
WHERE a.organization_id = @organization_id::uuid
  AND a.user_id = @user_id::uuid
  AND a.meeting_id > @after_id::uuid
  AND (NOT @within::bool OR EXISTS (SELECT FROM meeting_occurrences AS o
                                    WHERE o.organization_id = a.organization_id AND o.meeting_id = a.meeting_id
                                      AND o.starts_at >= @from_at::timestamptz AND o.starts_at < @before_at::timestamptz))
ORDER BY a.meeting_id
LIMIT least(@page_size::int, 201);

-- name: ListMeetingsOfTeamAfter :many
-- As ListMeetingsOfUserAfter, of one team.
SELECT sqlc.embed(m), organizer.name AS organizer_name, coalesce(a.response, '')::text AS response
FROM meetings AS m
JOIN users AS organizer ON organizer.id = m.organizer_id
LEFT JOIN meeting_attendees AS a ON a.organization_id = m.organization_id AND a.meeting_id = m.id AND a.user_id = @user_id::uuid
WHERE m.organization_id = @organization_id::uuid
  AND m.team_id = @team_id::uuid
  AND m.id > @after_id::uuid
  AND (NOT @within::bool OR EXISTS (SELECT FROM meeting_occurrences AS o
                                    WHERE o.organization_id = m.organization_id AND o.meeting_id = m.id
                                      AND o.starts_at >= @from_at::timestamptz AND o.starts_at < @before_at::timestamptz))
ORDER BY m.id
LIMIT least(@page_size::int, 201);

-- name: ListRepeatingMeetingsAfter :many
-- Meetings that go on by a rule, for looking further ahead.
SELECT m.id
FROM meetings AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.recurrence IS NOT NULL
  AND m.cancelled_at IS NULL
  AND m.id > @after_id::uuid
ORDER BY m.id
LIMIT least(@page_size::int, 201);

-- name: CreateMeeting :one
-- A new meeting without attendees, agenda, questions or occurrences.
INSERT INTO meetings (organization_id, id, title, description, place, team_id, organizer_id, time_zone, starts_at_local, duration_minutes, recurrence,
                      survey_anonymous, survey_results, remind_minutes, created_by, changed_by)
VALUES (@organization_id::uuid, @id::uuid, @title::text, sqlc.narg(description)::text, sqlc.narg(place)::text, sqlc.narg(team_id)::uuid, @actor_id::uuid, @time_zone::text,
        @starts_at_local::timestamp, @duration_minutes::int, sqlc.narg(recurrence)::text, @survey_anonymous::bool, @survey_results::text, @remind_minutes::int,
        @actor_id::uuid, @actor_id::uuid)
RETURNING *;

-- name: UpdateMeetingIfRevision :one
-- Changes the named fields of a meeting that is still at @revision and not cancelled. No row: it is gone, cancelled, or has moved on.
UPDATE meetings AS m
SET title            = CASE WHEN @set_title::bool THEN @title::text ELSE m.title END,
    description      = CASE WHEN @set_description::bool THEN sqlc.narg(description)::text ELSE m.description END,
    place            = CASE WHEN @set_place::bool THEN sqlc.narg(place)::text ELSE m.place END,
    team_id          = CASE WHEN @set_team::bool THEN sqlc.narg(team_id)::uuid ELSE m.team_id END,
    time_zone        = @time_zone::text,
    starts_at_local  = @starts_at_local::timestamp,
    duration_minutes = @duration_minutes::int,
    recurrence       = sqlc.narg(recurrence)::text,
    survey_anonymous = @survey_anonymous::bool,
    survey_results   = @survey_results::text,
    remind_minutes   = CASE WHEN @set_remind::bool THEN @remind_minutes::int ELSE m.remind_minutes END,
    revision         = m.revision + 1,
    changed_at       = greatest(clock_timestamp(), m.changed_at + interval '1 microsecond'),
    changed_by       = @actor_id::uuid
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid
  AND m.revision = @revision::bigint
  AND m.cancelled_at IS NULL
RETURNING m.*;

-- name: CancelMeetingIfRevision :one
-- Calls off a meeting that is still at @revision. No row: it is gone, called off already, or has moved on.
UPDATE meetings AS m
SET cancelled_at = clock_timestamp(),
    revision     = m.revision + 1,
    changed_at   = greatest(clock_timestamp(), m.changed_at + interval '1 microsecond'),
    changed_by   = @actor_id::uuid
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid
  AND m.revision = @revision::bigint
  AND m.cancelled_at IS NULL
RETURNING m.*;

-- name: ListAttendeesAfter :many
-- Who attends a meeting, in the order of ids; suspended members are left out.
SELECT a.user_id, u.name, u.email, a.response, a.responded_at
FROM meeting_attendees AS a
JOIN memberships AS m ON m.organization_id = a.organization_id AND m.user_id = a.user_id
JOIN users AS u ON u.id = a.user_id
WHERE a.organization_id = @organization_id::uuid
  AND a.meeting_id = @meeting_id::uuid
  AND a.user_id > @after_id::uuid
  AND m.suspended_at IS NULL
ORDER BY a.user_id
LIMIT least(@page_size::int, 501);

-- name: CountAttendees :one
-- How many attend a meeting: a meeting has at most 500.
SELECT count(*)::int
FROM meeting_attendees AS a
WHERE a.organization_id = @organization_id::uuid
  AND a.meeting_id = @meeting_id::uuid;

-- name: GetAttendee :one
-- Somebody's place in a meeting. No row: none.
SELECT a.user_id, u.name, u.email, a.response, a.responded_at
FROM meeting_attendees AS a
JOIN users AS u ON u.id = a.user_id
WHERE a.organization_id = @organization_id::uuid
  AND a.meeting_id = @meeting_id::uuid
  AND a.user_id = @user_id::uuid;

-- name: AddAttendees :many
-- Invites members who are not suspended, and returns those who were not invited before.
INSERT INTO meeting_attendees (organization_id, meeting_id, user_id)
SELECT m.organization_id, @meeting_id::uuid, m.user_id
FROM memberships AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = ANY (@user_ids::uuid[])
  AND m.suspended_at IS NULL
ORDER BY m.user_id
LIMIT 500
ON CONFLICT DO NOTHING
RETURNING user_id;

-- name: RespondToMeeting :one
-- Whether somebody comes, as they say. No row: they are not invited.
UPDATE meeting_attendees AS a
SET response = @response::text, responded_at = clock_timestamp()
WHERE a.organization_id = @organization_id::uuid
  AND a.meeting_id = @meeting_id::uuid
  AND a.user_id = @user_id::uuid
RETURNING a.*;

-- name: DeleteAttendee :one
-- Takes somebody out of a meeting. No row: they were not in it.
DELETE FROM meeting_attendees AS a
WHERE a.organization_id = @organization_id::uuid
  AND a.meeting_id = @meeting_id::uuid
  AND a.user_id = @user_id::uuid
RETURNING a.user_id;

-- name: ListAgenda :many
-- What a meeting is about, in its order. The title of an objective is for those who see it alone, so it is not here.
SELECT i.title, i.minutes, i.objective_id
FROM meeting_agenda_items AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.meeting_id = @meeting_id::uuid
ORDER BY i.position, i.id
LIMIT 50;

-- name: DeleteAgenda :exec
-- Makes room for another agenda, in the transaction that has changed the meeting.
DELETE FROM meeting_agenda_items AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.meeting_id = @meeting_id::uuid;

-- name: CreateAgendaItems :batchexec
-- Writes an agenda whose room DeleteAgenda has made.
INSERT INTO meeting_agenda_items (organization_id, id, meeting_id, position, title, minutes, objective_id)
VALUES (@organization_id::uuid, @id::uuid, @meeting_id::uuid, @position::int, @title::text, sqlc.narg(minutes)::int, sqlc.narg(objective_id)::uuid);

-- name: ListMaterials :many
-- What there is to read for a meeting, in its order, with what the pages say of themselves, as far as that is known.
SELECT i.url, i.title, p.state AS preview_state, p.title AS preview_title, p.description AS preview_description, p.site_name AS preview_site_name, p.image_url AS preview_image_url
FROM meeting_materials AS i
LEFT JOIN link_previews AS p ON p.organization_id = i.organization_id AND p.url_hash = i.url_hash
WHERE i.organization_id = @organization_id::uuid
  AND i.meeting_id = @meeting_id::uuid
ORDER BY i.position, i.id
LIMIT 50;

-- name: DeleteMaterials :exec
-- Makes room for other materials, in the transaction that has changed the meeting.
DELETE FROM meeting_materials AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.meeting_id = @meeting_id::uuid;

-- name: CreateMaterials :batchexec
-- Writes materials whose room DeleteMaterials has made.
INSERT INTO meeting_materials (organization_id, id, meeting_id, position, url, url_hash, title)
VALUES (@organization_id::uuid, @id::uuid, @meeting_id::uuid, @position::int, @url::text, @url_hash::bytea, sqlc.narg(title)::text);

-- name: ListVisibleObjectiveIDs :many
-- Which of these objectives the actor may see.
SELECT o.id
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id = ANY (@ids::uuid[])
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY o.id
LIMIT 200;

-- name: ListVisibleObjectivesOfAgenda :many
-- The objectives of a meeting's agenda that the actor may see and that take check-ins.
SELECT sqlc.embed(o), sqlc.embed(c), owner.name AS owner_name, changer.name AS changed_by_name,
       (o.parent_objective_id IS NOT NULL AND NOT coalesce(objective_is_visible(parent.visibility, parent.owner_id, parent.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]), false))::bool AS parent_hidden
FROM objectives AS o
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
JOIN users AS owner ON owner.id = o.owner_id
JOIN users AS changer ON changer.id = o.changed_by
LEFT JOIN objectives AS parent ON parent.organization_id = o.organization_id AND parent.id = o.parent_objective_id
WHERE o.organization_id = @organization_id::uuid
  AND o.id IN (SELECT i.objective_id FROM meeting_agenda_items AS i WHERE i.organization_id = @organization_id::uuid AND i.meeting_id = @meeting_id::uuid)
  AND o.archived_at IS NULL
  AND o.state = 'approved'
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY o.id
LIMIT 50;

-- name: ListVisibleObjectivesOfTeamInActiveCycles :many
-- A team's objectives that the actor may see and that take check-ins: the first 50, which is more than a meeting goes through.
SELECT sqlc.embed(o), sqlc.embed(c), owner.name AS owner_name, changer.name AS changed_by_name,
       (o.parent_objective_id IS NOT NULL AND NOT coalesce(objective_is_visible(parent.visibility, parent.owner_id, parent.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]), false))::bool AS parent_hidden
FROM objectives AS o
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
JOIN users AS owner ON owner.id = o.owner_id
JOIN users AS changer ON changer.id = o.changed_by
LEFT JOIN objectives AS parent ON parent.organization_id = o.organization_id AND parent.id = o.parent_objective_id
WHERE o.organization_id = @organization_id::uuid
  AND o.team_id = @team_id::uuid
  AND c.state = 'active'
  AND o.archived_at IS NULL
  AND o.state = 'approved'
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY o.id
LIMIT 50;
