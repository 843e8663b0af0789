-- name: ListSurveyQuestions :many
-- A meeting's questions that are still asked, in their order.
SELECT q.*
FROM survey_questions AS q
WHERE q.organization_id = @organization_id::uuid
  AND q.meeting_id = @meeting_id::uuid
  AND q.retired_at IS NULL
ORDER BY q.position, q.id
LIMIT 20;

-- name: ListQuestionsOfOccurrence :many
-- The questions that are asked about an occurrence, and those that were and are asked no more.
SELECT q.*
FROM survey_questions AS q
WHERE q.organization_id = @organization_id::uuid
  AND q.meeting_id = @meeting_id::uuid
  AND (q.retired_at IS NULL OR EXISTS (SELECT FROM survey_answers AS a
                                       WHERE a.organization_id = q.organization_id AND a.occurrence_id = @occurrence_id::uuid AND a.question_id = q.id))
ORDER BY q.position, q.id
LIMIT 200;

-- name: PutSurveyQuestions :batchexec
-- Writes questions of a meeting whose row the transaction has changed. What an answer refers to, the kind and the choices, stays as it was asked.
INSERT INTO survey_questions AS q (organization_id, id, meeting_id, position, kind, title, choices, required)
VALUES (@organization_id::uuid, @id::uuid, @meeting_id::uuid, @position::int, @kind::text, @title::text, @choices::text[], @required::bool)
ON CONFLICT (organization_id, id) DO UPDATE
SET position = excluded.position, title = excluded.title, required = excluded.required
WHERE q.meeting_id = excluded.meeting_id;

-- name: RetireSurveyQuestions :exec
-- Asks questions no more, in the transaction that has changed the meeting.
UPDATE survey_questions AS q
SET retired_at = clock_timestamp()
WHERE q.organization_id = @organization_id::uuid
  AND q.meeting_id = @meeting_id::uuid
  AND q.id = ANY (@ids::uuid[])
  AND q.retired_at IS NULL;

-- name: CountParticipants :one
-- How many have answered the survey of an occurrence, at most the 500 who attend and those who did.
SELECT count(*)::int
FROM survey_participants AS p
WHERE p.organization_id = @organization_id::uuid
  AND p.occurrence_id = @occurrence_id::uuid;

-- name: CountParticipantsOfUpcoming :one
-- How many have answered surveys of a meeting's occurrences that are still to come.
SELECT count(*)::int
FROM meeting_occurrences AS o
JOIN survey_participants AS p ON p.organization_id = o.organization_id AND p.occurrence_id = o.id
WHERE o.organization_id = @organization_id::uuid
  AND o.meeting_id = @meeting_id::uuid
  AND o.starts_at > clock_timestamp();

-- name: HasParticipated :one
-- Whether somebody has answered the survey of an occurrence.
SELECT EXISTS (SELECT FROM survey_participants AS p
               WHERE p.organization_id = @organization_id::uuid AND p.occurrence_id = @occurrence_id::uuid AND p.user_id = @user_id::uuid)::bool;

-- name: AddParticipant :one
-- Notes that somebody has answered. No row: it was noted before.
INSERT INTO survey_participants (organization_id, occurrence_id, user_id)
VALUES (@organization_id::uuid, @occurrence_id::uuid, @user_id::uuid)
ON CONFLICT DO NOTHING
RETURNING user_id;

-- name: ListAnswersOfUser :many
-- What somebody has answered in their own name.
SELECT a.question_id, a.scale, a.choice, a.body
FROM survey_answers AS a
WHERE a.organization_id = @organization_id::uuid
  AND a.occurrence_id = @occurrence_id::uuid
  AND a.user_id = @user_id::uuid
ORDER BY a.question_id
LIMIT 200;

-- name: ListAnswersOfKey :many
-- What the holder of a secret has answered.
SELECT a.question_id, a.scale, a.choice, a.body
FROM survey_answers AS a
WHERE a.organization_id = @organization_id::uuid
  AND a.occurrence_id = @occurrence_id::uuid
  AND a.answer_key = @answer_key::bytea
ORDER BY a.question_id
LIMIT 200;

-- name: DeleteAnswersOfUser :exec
-- Makes room for other answers of the same person.
DELETE FROM survey_answers AS a
WHERE a.organization_id = @organization_id::uuid
  AND a.occurrence_id = @occurrence_id::uuid
  AND a.user_id = @user_id::uuid;

-- name: DeleteAnswersOfKey :one
-- Makes room for other answers of whoever holds the secret, and returns how many there were.
WITH gone AS (
    DELETE FROM survey_answers AS a
    WHERE a.organization_id = @organization_id::uuid
      AND a.occurrence_id = @occurrence_id::uuid
      AND a.answer_key = @answer_key::bytea
    RETURNING a.id
)
SELECT count(*)::int FROM gone AS g;

-- name: CreateAnswers :batchexec
-- Writes answers whose room was made. Either @user_id or @answer_key is given.
INSERT INTO survey_answers (organization_id, id, occurrence_id, question_id, user_id, answer_key, scale, choice, body)
VALUES (@organization_id::uuid, gen_random_uuid(), @occurrence_id::uuid, @question_id::uuid, sqlc.narg(user_id)::uuid, sqlc.narg(answer_key)::bytea,
        sqlc.narg(scale)::smallint, sqlc.narg(choice)::smallint, sqlc.narg(body)::text);

-- name: ShuffleAnonymousAnswers :exec
-- Writes all anonymous answers of an occurrence anew, in random order and with other ids, so that no row tells by its place or its transaction when it came. The
-- transaction holds the occurrence, so that two who answer at once come one after another.
WITH lifted AS (
    DELETE FROM survey_answers AS a
    WHERE a.organization_id = @organization_id::uuid
      AND a.occurrence_id = @occurrence_id::uuid
      AND a.answer_key IS NOT NULL
    RETURNING a.organization_id, a.occurrence_id, a.question_id, a.answer_key, a.scale, a.choice, a.body
)
INSERT INTO survey_answers (organization_id, id, occurrence_id, question_id, answer_key, scale, choice, body)
SELECT l.organization_id, gen_random_uuid(), l.occurrence_id, l.question_id, l.answer_key, l.scale, l.choice, l.body
FROM lifted AS l
ORDER BY random();

-- name: ListSurveyTallies :many
-- How often each value of scales and choices was answered.
SELECT a.question_id, a.scale, a.choice, count(*)::int AS answers
FROM survey_answers AS a
WHERE a.organization_id = @organization_id::uuid
  AND a.occurrence_id = @occurrence_id::uuid
  AND a.body IS NULL
GROUP BY a.question_id, a.scale, a.choice
ORDER BY a.question_id, a.scale, a.choice
LIMIT 4000;

-- name: ListSurveyTexts :many
-- What was answered in words, in random order, the first 500; with the name where it was given in somebody's name.
SELECT a.question_id, a.user_id, a.body
FROM survey_answers AS a
WHERE a.organization_id = @organization_id::uuid
  AND a.occurrence_id = @occurrence_id::uuid
  AND a.body IS NOT NULL
ORDER BY random()
LIMIT 500;
