-- name: ClaimClocks :many
-- Takes up to @batch organisations that the scheduler has to look at, those that are due longest first, and leases them.
WITH due AS MATERIALIZED (
    SELECT c.organization_id
    FROM organization_clocks AS c
    WHERE c.lease_expires_at IS NULL
      AND c.due_at <= statement_timestamp()
    ORDER BY c.due_at, c.organization_id
    LIMIT least(@batch::int, 1000)
    FOR UPDATE SKIP LOCKED
)
UPDATE organization_clocks AS c
SET lease_number = c.lease_number + 1, lease_expires_at = clock_timestamp() + make_interval(secs => @lease_seconds::float8)
WHERE c.organization_id IN (SELECT d.organization_id FROM due AS d)
RETURNING c.*;

-- name: ExtendClockLeases :many
-- A process's heartbeat: extends the leases it still holds. What does not come back is lost to it. Rows are locked in the order of their keys: a process that lost its leases may be
-- told of the same ones as the one that has them now.
WITH held AS (
    SELECT unnest(@organization_ids::uuid[]) AS organization_id, unnest(@lease_numbers::bigint[]) AS lease_number
), locked AS MATERIALIZED (
    SELECT c.organization_id
    FROM held AS h
    JOIN organization_clocks AS c ON c.organization_id = h.organization_id AND c.lease_number = h.lease_number AND c.lease_expires_at IS NOT NULL
    ORDER BY c.organization_id
    LIMIT 10000
    FOR UPDATE OF c
)
UPDATE organization_clocks AS c
SET lease_expires_at = clock_timestamp() + make_interval(secs => @lease_seconds::float8)
WHERE c.organization_id IN (SELECT l.organization_id FROM locked AS l LIMIT 10000)
RETURNING c.organization_id;

-- name: FreeExpiredClocks :many
-- Has organisations whose scheduler went silent looked at by another, at most 100 at a time.
WITH expired AS (
    SELECT c.organization_id
    FROM organization_clocks AS c
    WHERE c.lease_expires_at < clock_timestamp()
    ORDER BY c.organization_id
    LIMIT 100
    FOR UPDATE SKIP LOCKED
)
UPDATE organization_clocks AS c
SET lease_expires_at = NULL, due_at = clock_timestamp()
WHERE c.organization_id IN (SELECT x.organization_id FROM expired AS x)
RETURNING c.organization_id;

-- name: GetClockIfLease :one
-- What the time is, and where, for an organisation that is held under this lease, whose clock nobody takes until the transaction ends. No row: the lease is lost.
SELECT o.time_zone, clock_timestamp()::timestamptz AS now
FROM organization_clocks AS c
JOIN organizations AS o ON o.id = c.organization_id
WHERE c.organization_id = @organization_id::uuid
  AND c.lease_number = @lease_number::bigint
  AND c.lease_expires_at IS NOT NULL
FOR NO KEY UPDATE OF c;

-- name: SetClockIfLease :one
-- Gives an organisation back, to be looked at again at @due_at. No row: the lease is lost.
UPDATE organization_clocks AS c
SET due_at = @due_at::timestamptz, lease_expires_at = NULL
WHERE c.organization_id = @organization_id::uuid
  AND c.lease_number = @lease_number::bigint
  AND c.lease_expires_at IS NOT NULL
RETURNING c.organization_id;

-- name: ListLatestRuns :many
-- The latest run of each of these names that has one.
SELECT s.organization_id, s.name, s.due_at
FROM unnest(@names::text[]) AS n (name)
CROSS JOIN LATERAL (
    SELECT r.organization_id, r.name, r.due_at
    FROM scheduled_runs AS r
    WHERE r.organization_id = @organization_id::uuid
      AND r.name = n.name
    ORDER BY r.due_at DESC
    LIMIT 1
) AS s
LIMIT 1000;

-- name: ListUnfinishedRuns :many
-- What was begun and not finished, the oldest first: by a program that crashed, or that failed and is to try again.
SELECT r.*
FROM scheduled_runs AS r
WHERE r.organization_id = @organization_id::uuid
  AND r.finished_at IS NULL
ORDER BY r.due_at, r.name
LIMIT 200;

-- name: BeginRun :one
-- Begins a run, or begins it again if it was not finished; the attempt counts. No row: it was finished.
INSERT INTO scheduled_runs AS r (organization_id, name, due_at)
VALUES (@organization_id::uuid, @name::text, @due_at::timestamptz)
ON CONFLICT (organization_id, name, due_at) DO UPDATE
SET attempt = r.attempt + 1, started_at = clock_timestamp()
WHERE r.finished_at IS NULL
RETURNING r.*;

-- name: SkipRuns :exec
-- Writes that what was due until then is not made up for, so that the next due time is counted from there.
INSERT INTO scheduled_runs (organization_id, name, due_at, finished_at, outcome, detail)
SELECT @organization_id::uuid, n.name, n.due_at, clock_timestamp(), 'skipped', '{}'
FROM (SELECT unnest(@names::text[]) AS name, unnest(@due_ats::timestamptz[]) AS due_at) AS n
ON CONFLICT (organization_id, name, due_at) DO NOTHING;

-- name: FinishRun :execrows
-- Ends a run that has not ended.
UPDATE scheduled_runs AS r
SET finished_at = clock_timestamp(), outcome = @outcome::text, detail = @detail::jsonb
WHERE r.organization_id = @organization_id::uuid
  AND r.name = @name::text
  AND r.due_at = @due_at::timestamptz
  AND r.finished_at IS NULL;

-- name: UncountRun :execrows
-- Takes back that a run was begun: the program had to stop.
UPDATE scheduled_runs AS r
SET attempt = r.attempt - 1
WHERE r.organization_id = @organization_id::uuid
  AND r.name = @name::text
  AND r.due_at = @due_at::timestamptz
  AND r.finished_at IS NULL;
