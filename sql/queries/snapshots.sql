-- name: ListOrganizationsAfter :many
-- Organisations in the order of their ids. Only the owner's login sees more than its own.
SELECT o.id, o.name
FROM organizations AS o
WHERE o.id > @after_id::uuid
ORDER BY o.id
LIMIT least(@page_size::int, 1000);

-- name: ListPeopleAfter :many
-- The people behind an organisation's memberships, in the order of their ids.
SELECT u.*
FROM users AS u
JOIN memberships AS m ON m.user_id = u.id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id > @after_id::uuid
ORDER BY m.user_id
LIMIT least(@page_size::int, 1000);

-- name: ListMembershipsAfter :many
-- Memberships in the order of the members' ids.
SELECT m.*
FROM memberships AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id > @after_id::uuid
ORDER BY m.user_id
LIMIT least(@page_size::int, 1000);

-- name: ListMembersOfTeamsAfter :many
-- Who is in these teams, in the order of the teams' ids and their own.
SELECT tm.*
FROM team_members AS tm
WHERE tm.organization_id = @organization_id::uuid
  AND tm.team_id = ANY (@ids::uuid[])
  AND (tm.team_id, tm.user_id) > (@after_team_id::uuid, @after_id::uuid)
ORDER BY tm.team_id, tm.user_id
LIMIT least(@page_size::int, 1000);

-- name: ListCyclesByIDAfter :many
-- Cycles in the order of their ids.
SELECT c.*
FROM cycles AS c
WHERE c.organization_id = @organization_id::uuid
  AND c.id > @after_id::uuid
ORDER BY c.id
LIMIT least(@page_size::int, 1000);

-- name: ListObjectivesAfter :many
-- All objectives, whoever may see them, in the order of their ids.
SELECT o.*
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id > @after_id::uuid
ORDER BY o.id
LIMIT least(@page_size::int, 1000);

-- name: ListKeyResultsOfObjectivesAfter :many
-- The key results of these objectives, archived ones too, in the order of the objectives' ids and their own order.
SELECT k.*
FROM key_results AS k
WHERE k.organization_id = @organization_id::uuid
  AND k.objective_id = ANY (@objective_ids::uuid[])
  AND (k.objective_id, k.position, k.id) > (@after_objective_id::uuid, @after_position::int, @after_id::uuid)
ORDER BY k.objective_id, k.position, k.id
LIMIT least(@page_size::int, 1000);

-- name: ListStepsOfKeyResultsAfter :many
-- The steps of these key results, in the order of the key results' ids and their own order.
SELECT s.*
FROM milestone_steps AS s
WHERE s.organization_id = @organization_id::uuid
  AND s.key_result_id = ANY (@key_result_ids::uuid[])
  AND (s.key_result_id, s.position, s.id) > (@after_key_result_id::uuid, @after_position::int, @after_id::uuid)
ORDER BY s.key_result_id, s.position, s.id
LIMIT least(@page_size::int, 1000);

-- name: ListCheckInsByIDAfter :many
-- All check-ins in the order of their ids.
SELECT i.*
FROM check_ins AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.id > @after_id::uuid
ORDER BY i.id
LIMIT least(@page_size::int, 1000);

-- name: ListHistoryAfter :many
-- All revisions of all objectives, in the order of the objectives' ids and the revisions.
SELECT h.*
FROM objective_history AS h
WHERE h.organization_id = @organization_id::uuid
  AND (h.objective_id, h.revision) > (@after_id::uuid, @after_revision::bigint)
ORDER BY h.objective_id, h.revision
LIMIT least(@page_size::int, 1000);

-- name: ListCommentsByIDAfter :many
-- All comments in the order of their ids.
SELECT c.*
FROM comments AS c
WHERE c.organization_id = @organization_id::uuid
  AND c.id > @after_id::uuid
ORDER BY c.id
LIMIT least(@page_size::int, 1000);

-- name: ListDialoguesByIDAfter :many
-- All dialogues in the order of their ids.
SELECT d.*
FROM dialogues AS d
WHERE d.organization_id = @organization_id::uuid
  AND d.id > @after_id::uuid
ORDER BY d.id
LIMIT least(@page_size::int, 1000);

-- name: ListJobsByIDAfter :many
-- All jobs, those that have not ended too, in the order of their ids.
SELECT j.*
FROM ai_jobs AS j
WHERE j.organization_id = @organization_id::uuid
  AND j.id > @after_id::uuid
ORDER BY j.id
LIMIT least(@page_size::int, 1000);

-- name: ListMessagesByIDAfter :many
-- All messages in the order of their ids.
SELECT m.*
FROM messages AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.id > @after_id::uuid
ORDER BY m.id
LIMIT least(@page_size::int, 1000);

-- name: ListSuggestionsByIDAfter :many
-- All suggestions in the order of their ids.
SELECT g.*
FROM suggestions AS g
WHERE g.organization_id = @organization_id::uuid
  AND g.id > @after_id::uuid
ORDER BY g.id
LIMIT least(@page_size::int, 1000);

-- name: ListAuditEventsAfter :many
-- The audit in the order of its ids.
SELECT e.*
FROM audit_events AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.id > @after_id::uuid
ORDER BY e.id
LIMIT least(@page_size::int, 1000);

-- name: ListAllNotificationPreferencesAfter :many
-- What everybody wants to hear of, in the order of people and of the bytes of kinds, whatever the database's language.
SELECT p.*
FROM notification_preferences AS p
WHERE p.organization_id = @organization_id::uuid
  AND (p.user_id, p.kind COLLATE "C") > (@after_user_id::uuid, @after_kind::text)
ORDER BY p.user_id, p.kind COLLATE "C"
LIMIT least(@page_size::int, 1000);

-- name: ListAllBroadcastsAfter :many
-- All broadcasts, those under way too, in the order of their ids.
SELECT b.*
FROM broadcasts AS b
WHERE b.organization_id = @organization_id::uuid
  AND b.id > @after_id::uuid
ORDER BY b.id
LIMIT least(@page_size::int, 1000);

-- name: ListAllMeetingsAfter :many
-- All meetings in the order of their ids.
SELECT m.*
FROM meetings AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.id > @after_id::uuid
ORDER BY m.id
LIMIT least(@page_size::int, 1000);

-- name: ListAllMeetingAttendeesAfter :many
-- Who attends, in the order of meetings and people.
SELECT a.*
FROM meeting_attendees AS a
WHERE a.organization_id = @organization_id::uuid
  AND (a.meeting_id, a.user_id) > (@after_meeting_id::uuid, @after_user_id::uuid)
ORDER BY a.meeting_id, a.user_id
LIMIT least(@page_size::int, 1000);

-- name: ListAllAgendaItemsAfter :many
-- The agendas of all meetings, in the order of the items' ids.
SELECT i.*
FROM meeting_agenda_items AS i
WHERE i.organization_id = @organization_id::uuid
  AND i.id > @after_id::uuid
ORDER BY i.id
LIMIT least(@page_size::int, 1000);

-- name: ListAllMaterialsAfter :many
-- The materials of all meetings, in the order of their ids.
SELECT l.*
FROM meeting_materials AS l
WHERE l.organization_id = @organization_id::uuid
  AND l.id > @after_id::uuid
ORDER BY l.id
LIMIT least(@page_size::int, 1000);

-- name: ListAllSurveyQuestionsAfter :many
-- The questions of all surveys, retired ones too, in the order of their ids.
SELECT q.*
FROM survey_questions AS q
WHERE q.organization_id = @organization_id::uuid
  AND q.id > @after_id::uuid
ORDER BY q.id
LIMIT least(@page_size::int, 1000);

-- name: ListAllOccurrencesAfter :many
-- When all meetings take place, in the order of ids.
SELECT o.*
FROM meeting_occurrences AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id > @after_id::uuid
ORDER BY o.id
LIMIT least(@page_size::int, 1000);

-- name: ListAllSurveyParticipantsAfter :many
-- Who has answered surveys, in the order of occurrences and people.
SELECT p.*
FROM survey_participants AS p
WHERE p.organization_id = @organization_id::uuid
  AND (p.occurrence_id, p.user_id) > (@after_occurrence_id::uuid, @after_user_id::uuid)
ORDER BY p.occurrence_id, p.user_id
LIMIT least(@page_size::int, 1000);

-- name: ListAllSurveyAnswersAfter :many
-- What was answered, in the order of ids, which of anonymous answers are random.
SELECT r.*
FROM survey_answers AS r
WHERE r.organization_id = @organization_id::uuid
  AND r.id > @after_id::uuid
ORDER BY r.id
LIMIT least(@page_size::int, 1000);

-- name: ListAllFollowUpsAfter :many
-- All follow-ups in the order of their ids.
SELECT f.*
FROM follow_ups AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.id > @after_id::uuid
ORDER BY f.id
LIMIT least(@page_size::int, 1000);

-- name: ListAllMeetingCheckInsAfter :many
-- Which check-ins were made in meetings, in the order of occurrences and check-ins.
SELECT c.*
FROM meeting_check_ins AS c
WHERE c.organization_id = @organization_id::uuid
  AND (c.occurrence_id, c.check_in_id) > (@after_occurrence_id::uuid, @after_check_in_id::uuid)
ORDER BY c.occurrence_id, c.check_in_id
LIMIT least(@page_size::int, 1000);

-- name: ListAllLinksAfter :many
-- What all objectives support, in the order of the keys.
SELECT l.*
FROM objective_links AS l
WHERE l.organization_id = @organization_id::uuid
  AND (l.objective_id, l.supported_id) > (@after_objective_id::uuid, @after_supported_id::uuid)
ORDER BY l.objective_id, l.supported_id
LIMIT least(@page_size::int, 1000);

-- name: ListAllExternalIDsAfter :many
-- What other programs call things, in the order of the names.
SELECT x.*
FROM external_ids AS x
WHERE x.organization_id = @organization_id::uuid
  AND (x.source, x.kind, x.external_id) > (@after_source::text, @after_kind::text, @after_external_id::text)
ORDER BY x.source, x.kind, x.external_id
LIMIT least(@page_size::int, 1000);

-- name: ListPeopleLike :many
-- Whoever has one of these ids or e-mail addresses already, in whichever organisation. For up to 500 of each.
SELECT u.id, u.email
FROM users AS u
WHERE u.id = ANY (@ids::uuid[]) OR u.email = ANY (@emails::text[])
ORDER BY u.id
LIMIT 1000;

-- name: RaiseOrganizationIfRevision :one
-- Settles the organisation's own fields and raises its revision. No row: another change of the whole organisation or of its settings came first.
UPDATE organizations AS o
SET name       = @name::text,
    locale     = @locale::text,
    time_zone  = @time_zone::text,
    cadence    = @cadence::text,
    grace_days = @grace_days::int,
    ai_enabled = @ai_enabled::bool,
    ai_monthly_tokens = sqlc.narg(ai_monthly_tokens)::bigint,
    revision   = o.revision + 1,
    changed_at = greatest(clock_timestamp(), o.changed_at + interval '1 microsecond')
WHERE o.id = @organization_id::uuid
  AND o.revision = @revision::bigint
RETURNING o.*;

-- name: LockObjectives :many
-- Holds these objectives until the transaction ends, in one order for everybody. For up to 1000 of them.
SELECT o.id, o.revision
FROM objectives AS o
WHERE o.organization_id = @organization_id::uuid
  AND o.id = ANY (@ids::uuid[])
ORDER BY o.id
LIMIT 1000
FOR UPDATE;

-- name: ReplaceObjectiveIfRevision :one
-- Gives an objective that is still at @revision this content. No row: it has moved on.
UPDATE objectives AS o
SET cycle_id             = @cycle_id::uuid,
    team_id              = sqlc.narg(team_id)::uuid,
    owner_id             = @owner_id::uuid,
    parent_objective_id  = sqlc.narg(parent_objective_id)::uuid,
    parent_key_result_id = sqlc.narg(parent_key_result_id)::uuid,
    title                = @title::text,
    description          = sqlc.narg(description)::text,
    kind                 = @kind::text,
    visibility           = @visibility::text,
    state                = @state::text,
    score                = sqlc.narg(score)::numeric,
    archived_at          = CASE WHEN @archived::bool THEN coalesce(o.archived_at, clock_timestamp()) END,
    revision             = o.revision + 1,
    changed_at           = greatest(clock_timestamp(), o.changed_at + interval '1 microsecond'),
    changed_by           = @actor_id::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND o.revision = @revision::bigint
RETURNING o.*;

-- name: CompleteObjective :one
-- Gives an objective that this transaction has made its place and state, still at revision 1. No row: it is older.
UPDATE objectives AS o
SET parent_objective_id  = sqlc.narg(parent_objective_id)::uuid,
    parent_key_result_id = sqlc.narg(parent_key_result_id)::uuid,
    state                = @state::text,
    score                = sqlc.narg(score)::numeric,
    archived_at          = CASE WHEN @archived::bool THEN coalesce(o.archived_at, clock_timestamp()) END
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid
  AND o.revision = 1
RETURNING o.*;

-- name: ReplaceKeyResults :batchexec
-- Writes key results of an objective that the transaction holds, archived ones too. What is measured of them stays.
INSERT INTO key_results AS k (organization_id, id, objective_id, position, title, description, owner_id, kind, unit,
                              baseline, target, stretch, at_least, at_most, tolerance, weight, archived_at)
VALUES (@organization_id::uuid, @id::uuid, @objective_id::uuid, @position::int, @title::text, sqlc.narg(description)::text,
        sqlc.narg(owner_id)::uuid, @kind::text, @unit::text, sqlc.narg(baseline)::numeric, sqlc.narg(target)::numeric,
        sqlc.narg(stretch)::numeric, sqlc.narg(at_least)::numeric, sqlc.narg(at_most)::numeric, sqlc.narg(tolerance)::numeric,
        @weight::numeric, CASE WHEN @archived::bool THEN clock_timestamp() END)
ON CONFLICT (organization_id, id) DO UPDATE
SET position = excluded.position, title = excluded.title, description = excluded.description, owner_id = excluded.owner_id,
    kind = excluded.kind, unit = excluded.unit, baseline = excluded.baseline, target = excluded.target, stretch = excluded.stretch,
    at_least = excluded.at_least, at_most = excluded.at_most, tolerance = excluded.tolerance, weight = excluded.weight,
    archived_at = CASE WHEN excluded.archived_at IS NULL THEN NULL ELSE coalesce(k.archived_at, excluded.archived_at) END
WHERE k.objective_id = excluded.objective_id;

-- name: PlaceKeyResultParents :exec
-- Completes objectives that were imported before the key results that they contribute to.
UPDATE objectives AS o
SET parent_key_result_id = p.key_result_id
FROM (SELECT unnest(@ids::uuid[]) AS id, unnest(@key_result_ids::uuid[]) AS key_result_id) AS p
WHERE o.organization_id = @organization_id::uuid
  AND o.id = p.id;

-- name: RepairCurrentCheckIn :execrows
-- Sets what is current of a key result whose current check-in is still the one that was read. No row: a check-in came in between.
UPDATE key_results AS k
SET current_check_in_id = sqlc.narg(check_in_id)::uuid,
    current_value       = sqlc.narg(value)::numeric,
    current_done_steps  = @done_step_ids::uuid[],
    current_confidence  = sqlc.narg(confidence)::smallint,
    current_at          = sqlc.narg(checked_at)::timestamptz
WHERE k.organization_id = @organization_id::uuid
  AND k.id = @id::uuid
  AND k.current_check_in_id IS NOT DISTINCT FROM sqlc.narg(read_check_in_id)::uuid;

-- name: RequeueExpiredJob :execrows
-- Puts a job back in the queue whose lease has run out since it was read under this lease. The attempt stays counted. No row: somebody has it.
UPDATE ai_jobs AS j
SET state = 'queued', lease_expires_at = NULL, available_at = clock_timestamp()
WHERE j.organization_id = @organization_id::uuid
  AND j.id = @id::uuid
  AND j.lease_number = @lease_number::bigint
  AND j.state = 'running'
  AND j.lease_expires_at < clock_timestamp();

-- name: SupersedeSuggestion :execrows
-- Ends an open suggestion that was made for an earlier revision.
UPDATE suggestions AS g
SET state = 'superseded', decided_at = clock_timestamp()
WHERE g.organization_id = @organization_id::uuid
  AND g.id = @id::uuid
  AND g.state = 'open';
