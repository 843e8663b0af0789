-- name: LockJobTarget :exec
-- Waits for whoever is asking for the same kind of job for the same objective, until this transaction ends.
-- The two-number lock space is the jobs' own; two targets that share a hash only wait for each other.
SELECT pg_advisory_xact_lock(1802462571, hashtext(@target::text));

-- name: GetLiveJob :one
-- The job for a target and kind that is waiting or running. After LockJobTarget there is at most one, and no other is being made.
SELECT j.*
FROM ai_jobs AS j
WHERE j.organization_id = @organization_id::uuid
  AND j.objective_id = @objective_id::uuid
  AND j.kind = @kind::text
  AND j.state IN ('queued', 'running');

-- name: CreateJob :one
-- Queues a job. Workers from before there was a choice of coach leave those for the rules alone.
INSERT INTO ai_jobs (organization_id, id, kind, objective_id, dialogue_id, requested_by, coach, contract)
VALUES (@organization_id::uuid, @id::uuid, @kind::text, @objective_id::uuid, @dialogue_id::uuid, @actor_id::uuid, @coach::text,
        CASE WHEN @coach::text = 'rules' THEN 2 ELSE 1 END)
RETURNING *;

-- name: GetVisibleJob :one
-- One job about an objective that the actor may see, with that objective.
SELECT sqlc.embed(j), sqlc.embed(o)
FROM ai_jobs AS j
JOIN objectives AS o ON o.organization_id = j.organization_id AND o.id = j.objective_id
WHERE j.organization_id = @organization_id::uuid
  AND j.id = @id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]);

-- name: ListJobsOfDialogueAfter :many
-- A dialogue's jobs in the order they were asked for.
SELECT j.*
FROM ai_jobs AS j
WHERE j.organization_id = @organization_id::uuid
  AND j.dialogue_id = @dialogue_id::uuid
  AND j.id > @after_id::uuid
ORDER BY j.id
LIMIT least(@page_size::int, 201);

-- name: ListJobsOfDialogueBefore :many
-- A dialogue's jobs from the latest back, behind @before_id.
SELECT j.*
FROM ai_jobs AS j
WHERE j.organization_id = @organization_id::uuid
  AND j.dialogue_id = @dialogue_id::uuid
  AND j.id < @before_id::uuid
ORDER BY j.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListJobsBefore :many
-- An organisation's jobs, newest first, behind @before_id, with what their objectives are called; of those objectives that the actor may see. For whoever may see nearly all: what is hidden is read and thrown away.
SELECT sqlc.embed(j), o.title AS objective_title
FROM ai_jobs AS j
JOIN objectives AS o ON o.organization_id = j.organization_id AND o.id = j.objective_id
WHERE j.organization_id = @organization_id::uuid
  AND j.id < @before_id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY j.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListJobsOfStateBefore :many
-- As ListJobsBefore, those in one state.
SELECT sqlc.embed(j), o.title AS objective_title
FROM ai_jobs AS j
JOIN objectives AS o ON o.organization_id = j.organization_id AND o.id = j.objective_id
WHERE j.organization_id = @organization_id::uuid
  AND j.state = @state::text
  AND j.id < @before_id::uuid
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY j.id DESC
LIMIT least(@page_size::int, 201);

-- name: CancelJob :one
-- Ends a job that has not ended. Its worker, if it has one, no longer holds the lease. No row: it had ended.
UPDATE ai_jobs AS j
SET state = 'cancelled', lease_number = j.lease_number + 1, lease_expires_at = NULL, finished_at = clock_timestamp()
WHERE j.organization_id = @organization_id::uuid
  AND j.id = @id::uuid
  AND j.state IN ('queued', 'running')
RETURNING j.*;

-- name: ClaimJobs :many
-- Takes up to @batch waiting jobs, at most one of each organisation in the order of their ids, beginning behind
-- @after_organization_id, and leases them. Walks from organisation to organisation by the index and stops when it has
-- enough, so that its cost grows with the organisations that wait, not with their jobs. clock_timestamp() would be no
-- bound on the index, and a job that waits for its next attempt would be read at each claim.
WITH RECURSIVE waiting AS (
    (SELECT j.organization_id
     FROM ai_jobs AS j
     WHERE j.state = 'queued' AND j.organization_id > @after_organization_id::uuid
     ORDER BY j.organization_id
     LIMIT 1)
    UNION ALL
    SELECT following.organization_id
    FROM waiting AS w
    CROSS JOIN LATERAL (
        SELECT j.organization_id
        FROM ai_jobs AS j
        WHERE j.state = 'queued' AND j.organization_id > w.organization_id
        ORDER BY j.organization_id
        LIMIT 1
    ) AS following
), picked AS MATERIALIZED (
    SELECT next.organization_id, next.id
    FROM waiting AS w
    CROSS JOIN LATERAL (
        SELECT j.organization_id, j.id
        FROM ai_jobs AS j
        WHERE j.organization_id = w.organization_id
          AND j.state = 'queued'
          AND j.available_at <= statement_timestamp()
          AND j.contract <= @contract::smallint
        ORDER BY j.available_at, j.id
        LIMIT 1
        FOR UPDATE SKIP LOCKED
    ) AS next
    LIMIT least(@batch::int, 1000)
)
UPDATE ai_jobs AS j
SET state = 'running', attempt = j.attempt + 1, lease_number = j.lease_number + 1,
    lease_expires_at = clock_timestamp() + make_interval(secs => @lease_seconds::float8),
    started_at = coalesce(j.started_at, clock_timestamp())
FROM picked AS p
WHERE j.organization_id = p.organization_id
  AND j.id = p.id
RETURNING j.*;

-- name: ExtendLeases :many
-- A process's heartbeat: extends the leases it still holds. What does not come back is lost to it. Rows are locked in the order of their keys, as those of ExtendClockLeases are.
WITH held AS (
    SELECT unnest(@organization_ids::uuid[]) AS organization_id, unnest(@ids::uuid[]) AS id, unnest(@lease_numbers::bigint[]) AS lease_number
), locked AS MATERIALIZED (
    SELECT j.organization_id, j.id
    FROM held AS h
    JOIN ai_jobs AS j ON j.organization_id = h.organization_id AND j.id = h.id AND j.lease_number = h.lease_number AND j.state = 'running'
    ORDER BY j.organization_id, j.id
    LIMIT 10000
    FOR UPDATE OF j
)
UPDATE ai_jobs AS j
SET lease_expires_at = clock_timestamp() + make_interval(secs => @lease_seconds::float8)
FROM locked AS l
WHERE j.organization_id = l.organization_id
  AND j.id = l.id
RETURNING j.organization_id, j.id;

-- name: RequeueExpiredJobs :many
-- Puts jobs whose worker went silent back in the queue, at most 100 at a time. The attempt stays counted.
WITH expired AS (
    SELECT j.organization_id, j.id
    FROM ai_jobs AS j
    WHERE j.state = 'running'
      AND j.lease_expires_at < clock_timestamp()
    ORDER BY j.organization_id, j.id
    LIMIT 100
    FOR UPDATE SKIP LOCKED
)
UPDATE ai_jobs AS j
SET state = 'queued', lease_expires_at = NULL, available_at = clock_timestamp()
FROM expired AS e
WHERE j.organization_id = e.organization_id
  AND j.id = e.id
RETURNING j.organization_id, j.id, j.attempt;

-- name: LockJobIfLease :one
-- A job that nobody has claimed or cancelled since this lease, until the transaction ends. Unless it is running, either
-- the holder of this lease has ended or released it, or the lease ran out and the job is queued again. No row: the lease is lost.
SELECT j.*
FROM ai_jobs AS j
WHERE j.organization_id = @organization_id::uuid
  AND j.id = @id::uuid
  AND j.lease_number = @lease_number::bigint
FOR UPDATE;

-- name: FinishJobIfLease :one
-- Ends a job held under this lease. No row: the lease is lost.
UPDATE ai_jobs AS j
SET state = @state::text, failure = sqlc.narg(failure)::text, lease_expires_at = NULL, finished_at = clock_timestamp()
WHERE j.organization_id = @organization_id::uuid
  AND j.id = @id::uuid
  AND j.lease_number = @lease_number::bigint
  AND j.state = 'running'
RETURNING j.*;

-- name: ReleaseJobIfLease :one
-- Gives a job held under this lease back to the queue: after a failure that may pass, or, uncounted, because the worker is stopping.
-- No row: the lease is lost.
UPDATE ai_jobs AS j
SET state = 'queued', lease_expires_at = NULL, failure = sqlc.narg(failure)::text,
    attempt = j.attempt - CASE WHEN @uncounted::bool THEN 1 ELSE 0 END,
    available_at = clock_timestamp() + make_interval(secs => @delay_seconds::float8)
WHERE j.organization_id = @organization_id::uuid
  AND j.id = @id::uuid
  AND j.lease_number = @lease_number::bigint
  AND j.state = 'running'
RETURNING j.*;

-- name: ListNeighbours :many
-- Other objectives in the same cycle of the same owner or team that the actor may see: what a new one might repeat.
-- Each branch reads by its own index; an OR of the two would read the whole cycle.
SELECT n.id, n.title
FROM (
    (SELECT o.id, o.title
     FROM objectives AS o
     WHERE o.organization_id = @organization_id::uuid
       AND o.owner_id = @owner_id::uuid
       AND o.cycle_id = @cycle_id::uuid
       AND o.id <> @objective_id::uuid
       AND o.archived_at IS NULL
       AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
     ORDER BY o.id
     LIMIT 50)
    UNION
    (SELECT o.id, o.title
     FROM objectives AS o
     WHERE o.organization_id = @organization_id::uuid
       AND o.team_id = sqlc.narg(team_id)::uuid
       AND o.cycle_id = @cycle_id::uuid
       AND o.id <> @objective_id::uuid
       AND o.archived_at IS NULL
       AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
     ORDER BY o.id
     LIMIT 50)
) AS n
ORDER BY n.id
LIMIT 50;
