-- name: CreateOutboxEvent :exec
-- Has something delivered, not before @available_at if that is given. It is not audited: what asks for it has been.
INSERT INTO outbox_events (organization_id, id, kind, target_id, available_at)
VALUES (@organization_id::uuid, @id::uuid, @kind::text, @target_id::uuid, coalesce(sqlc.narg(available_at)::timestamptz, clock_timestamp()));

-- name: ClaimEvents :many
-- Takes a turn of up to @turns organisations in the order of their ids, beginning behind @after_organization_id, and leases what it took: up to @batch
-- events that wait, those that go out or those that do not. Of one target it takes the oldest, and only if none before it is waiting or being delivered, and
-- with it those that come next without a gap. Whoever holds the oldest holds up all others, so these need no lock of their own. What may have ended its workers
-- twice is taken by itself, so that its neighbours do not count as guilty.
-- Walks from organisation to organisation by the index and stops when it has enough, so that its cost grows with the organisations that
-- wait, not with their events. clock_timestamp() would be no bound on the index, and an event that waits for its next attempt would be read at each claim.
WITH RECURSIVE waiting AS (
    (SELECT e.organization_id
     FROM outbox_events AS e
     WHERE e.state = 'waiting' AND e.outgoing = @outgoing::bool AND e.organization_id > @after_organization_id::uuid
     ORDER BY e.organization_id
     LIMIT 1)
    UNION ALL
    SELECT following.organization_id
    FROM waiting AS w
    CROSS JOIN LATERAL (
        SELECT e.organization_id
        FROM outbox_events AS e
        WHERE e.state = 'waiting' AND e.outgoing = @outgoing::bool AND e.organization_id > w.organization_id
        ORDER BY e.organization_id
        LIMIT 1
    ) AS following
), picked AS MATERIALIZED (
    SELECT turn.organization_id, turn.ids
    FROM waiting AS w
    CROSS JOIN LATERAL (
        SELECT next.organization_id, array_agg(next.id) AS ids
        FROM (
            SELECT run.organization_id, run.id
            FROM (
                SELECT e.organization_id, e.id, e.target_id, e.created_at, e.attempt
                FROM outbox_events AS e
                WHERE e.organization_id = w.organization_id
                  AND e.outgoing = @outgoing::bool
                  AND e.state = 'waiting'
                  AND e.available_at <= statement_timestamp()
                  AND e.contract <= @contract::smallint
                  AND NOT EXISTS (
                      SELECT
                      FROM outbox_events AS before
                      WHERE before.organization_id = e.organization_id
                        AND before.target_id = e.target_id
                        AND before.state IN ('waiting', 'running')
                        AND (before.created_at, before.id) < (e.created_at, e.id))
                ORDER BY e.available_at, e.created_at, e.id
                LIMIT least(@batch::int, 200)
                FOR UPDATE OF e SKIP LOCKED
            ) AS head
            CROSS JOIN LATERAL (
                SELECT f.organization_id, f.id,
                       bool_and(f.id = head.id
                                OR head.attempt < 2 AND f.attempt < 2 AND f.state = 'waiting' AND f.outgoing = @outgoing::bool
                                   AND f.contract <= @contract::smallint AND f.available_at <= statement_timestamp())
                           OVER (ORDER BY f.created_at, f.id) AS free
                FROM (
                    SELECT g.*
                    FROM outbox_events AS g
                    WHERE g.organization_id = head.organization_id
                      AND g.target_id = head.target_id
                      AND g.state IN ('waiting', 'running')
                      AND (g.created_at, g.id) >= (head.created_at, head.id)
                    ORDER BY g.created_at, g.id
                    LIMIT least(@batch::int, 200)
                ) AS f
            ) AS run
            WHERE run.free
            LIMIT least(@batch::int, 200)
        ) AS next
        GROUP BY next.organization_id
    ) AS turn
    LIMIT least(@turns::int, 1000)
)
UPDATE outbox_events AS e
SET state = 'running', attempt = e.attempt + 1, lease_number = e.lease_number + 1,
    lease_expires_at = clock_timestamp() + make_interval(secs => @lease_seconds::float8)
FROM (SELECT p.organization_id, unnest(p.ids) AS id FROM picked AS p LIMIT 200000) AS one
WHERE e.organization_id = one.organization_id
  AND e.id = one.id
  AND e.state = 'waiting'
RETURNING e.*;

-- name: ExtendEventLeases :many
-- A process's heartbeat: extends the leases it still holds. What does not come back is lost to it. Rows are locked in the same order as by
-- FinishEventsIfLease, which the same process may be running.
WITH held AS (
    SELECT unnest(@organization_ids::uuid[]) AS organization_id, unnest(@ids::uuid[]) AS id, unnest(@lease_numbers::bigint[]) AS lease_number
), locked AS MATERIALIZED (
    SELECT e.organization_id, e.id
    FROM held AS h
    JOIN outbox_events AS e ON e.organization_id = h.organization_id AND e.id = h.id AND e.lease_number = h.lease_number AND e.state = 'running'
    ORDER BY e.organization_id, e.id
    LIMIT 10000
    FOR UPDATE OF e
)
UPDATE outbox_events AS e
SET lease_expires_at = clock_timestamp() + make_interval(secs => @lease_seconds::float8)
FROM locked AS l
WHERE e.organization_id = l.organization_id
  AND e.id = l.id
RETURNING e.organization_id, e.id;

-- name: RequeueExpiredEvents :many
-- Puts events whose worker went silent back, at most 500 at a time. The attempt stays counted.
WITH expired AS (
    SELECT e.organization_id, e.id
    FROM outbox_events AS e
    WHERE e.state = 'running'
      AND e.lease_expires_at < clock_timestamp()
    ORDER BY e.organization_id, e.id
    LIMIT 500
    FOR UPDATE SKIP LOCKED
)
UPDATE outbox_events AS e
SET state = 'waiting', lease_expires_at = NULL
FROM expired AS x
WHERE e.organization_id = x.organization_id
  AND e.id = x.id
RETURNING e.organization_id, e.id, e.attempt;

-- name: GetEventIfLease :one
-- An event that nobody has claimed since this lease. Unless it is running, the holder of this lease has ended it or given it back, or the lease ran out
-- and it waits again. No row: the lease is lost.
SELECT e.*
FROM outbox_events AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.id = @id::uuid
  AND e.lease_number = @lease_number::bigint;

-- name: FinishEventsIfLease :many
-- Ends events of one organisation that are held under these leases, and returns those that were. One that only changes the database is not ended while an
-- earlier one of its target is waiting or held by others: its lease may have run out without that of this one, or somebody has put it back.
WITH held AS (
    SELECT unnest(@ids::uuid[]) AS id, unnest(@lease_numbers::bigint[]) AS lease_number
), locked AS MATERIALIZED (
    SELECT e.organization_id, e.id
    FROM held AS h
    JOIN outbox_events AS e ON e.organization_id = @organization_id::uuid AND e.id = h.id AND e.lease_number = h.lease_number AND e.state = 'running'
    WHERE e.outgoing
       OR NOT EXISTS (
           SELECT
           FROM outbox_events AS before
           WHERE before.organization_id = e.organization_id
             AND before.target_id = e.target_id
             AND before.state IN ('waiting', 'running')
             AND (before.created_at, before.id) < (e.created_at, e.id)
             AND before.id <> ALL (@ids::uuid[]))
    ORDER BY e.organization_id, e.id
    LIMIT 10000
    FOR UPDATE OF e
)
UPDATE outbox_events AS e
SET state = 'delivered', failure = NULL, lease_expires_at = NULL, finished_at = clock_timestamp()
FROM locked AS l
WHERE e.organization_id = l.organization_id
  AND e.id = l.id
RETURNING e.id;

-- name: ReleaseEventIfLease :one
-- Puts an event held under this lease back: after a failure that may pass, or, uncounted, because the worker is stopping or whoever is to have it asked for
-- patience. Up to 1000 events that wait behind it are moved along, so that claims do not read them in vain. No row: the lease is lost.
WITH released AS (
    UPDATE outbox_events AS e
    SET state = 'waiting', lease_expires_at = NULL, failure = sqlc.narg(failure)::text,
        attempt = e.attempt - CASE WHEN @uncounted::bool THEN 1 ELSE 0 END,
        available_at = clock_timestamp() + make_interval(secs => @delay_seconds::float8)
    WHERE e.organization_id = @organization_id::uuid
      AND e.id = @id::uuid
      AND e.lease_number = @lease_number::bigint
      AND e.state = 'running'
    RETURNING e.organization_id, e.id, e.target_id, e.created_at, e.available_at
), behind AS (
    SELECT f.organization_id, f.id, r.available_at
    FROM released AS r
    JOIN outbox_events AS f ON f.organization_id = r.organization_id AND f.target_id = r.target_id
    WHERE f.state = 'waiting'
      AND f.state IN ('waiting', 'running')
      AND (f.created_at, f.id) > (r.created_at, r.id)
      AND f.available_at < r.available_at
    ORDER BY f.created_at, f.id
    LIMIT 1000
    FOR UPDATE OF f SKIP LOCKED
), moved AS (
    UPDATE outbox_events AS f
    SET available_at = b.available_at
    FROM behind AS b
    WHERE f.organization_id = b.organization_id
      AND f.id = b.id
)
SELECT r.id FROM released AS r;

-- name: ReturnEventsBehindIfLease :execrows
-- Puts events that are held under these leases back, uncounted, because one before them on their target was not delivered. They are due when that is.
WITH held AS (
    SELECT unnest(@ids::uuid[]) AS id, unnest(@lease_numbers::bigint[]) AS lease_number
), locked AS MATERIALIZED (
    SELECT e.organization_id, e.id, first.available_at
    FROM held AS h
    JOIN outbox_events AS e ON e.organization_id = @organization_id::uuid AND e.id = h.id AND e.lease_number = h.lease_number AND e.state = 'running'
    JOIN outbox_events AS first ON first.organization_id = e.organization_id AND first.id = @before_id::uuid
    ORDER BY e.organization_id, e.id
    LIMIT 200
    FOR UPDATE OF e
)
UPDATE outbox_events AS e
SET state = 'waiting', lease_expires_at = NULL, attempt = e.attempt - 1, available_at = greatest(e.available_at, l.available_at)
FROM locked AS l
WHERE e.organization_id = l.organization_id
  AND e.id = l.id;

-- name: QuarantineEventIfLease :one
-- Takes an event held under this lease out of the queue until somebody puts it back. No row: the lease is lost.
UPDATE outbox_events AS e
SET state = 'quarantined', failure = @failure::text, lease_expires_at = NULL, finished_at = clock_timestamp()
WHERE e.organization_id = @organization_id::uuid
  AND e.id = @id::uuid
  AND e.lease_number = @lease_number::bigint
  AND e.state = 'running'
RETURNING e.id;

-- name: MeasureOutbox :one
-- How much of the outbox is not delivered, and for how long, in seconds, what is due longest has waited.
WITH waiting AS (
    SELECT count(*) AS events,
           coalesce(extract(epoch FROM statement_timestamp() - min(e.available_at) FILTER (WHERE e.available_at <= statement_timestamp())), 0)::float8 AS lag_seconds
    FROM outbox_events AS e
    WHERE e.state = 'waiting'
), running AS (
    SELECT count(*) AS events FROM outbox_events AS e WHERE e.state = 'running'
), quarantined AS (
    SELECT count(*) AS events FROM outbox_events AS e WHERE e.state = 'quarantined'
)
SELECT w.events AS waiting, r.events AS running, q.events AS quarantined, w.lag_seconds
FROM waiting AS w
CROSS JOIN running AS r
CROSS JOIN quarantined AS q;

-- name: ListQuarantinedEventsAfter :many
-- Quarantined events of all organisations, behind (@after_organization_id, @after_id).
SELECT e.*
FROM outbox_events AS e
WHERE e.state = 'quarantined'
  AND (e.organization_id, e.id) > (@after_organization_id::uuid, @after_id::uuid)
ORDER BY e.organization_id, e.id
LIMIT least(@page_size::int, 201);

-- name: RetryQuarantinedEvents :execrows
-- Puts quarantined events back with all their attempts before them, of whichever organisations.
UPDATE outbox_events AS e
SET state = 'waiting', attempt = 0, finished_at = NULL, available_at = clock_timestamp()
WHERE e.state = 'quarantined'
  AND e.id = ANY(@ids::uuid[]);

-- name: MarkEventsDelivered :exec
-- Ends the waiting events of an organisation that tells of its past, up to a time: they are news to nobody.
UPDATE outbox_events AS e
SET state = 'delivered', finished_at = e.created_at
WHERE e.organization_id = @organization_id::uuid
  AND e.created_at < @before::timestamptz
  AND e.state = 'waiting';

-- name: DeleteFinishedEvents :execrows
-- Deletes up to 500 events that ended in @state before @before.
DELETE FROM outbox_events AS e
USING (
    SELECT f.organization_id, f.id
    FROM outbox_events AS f
    WHERE f.organization_id = @organization_id::uuid
      AND f.finished_at < @before::timestamptz
      AND f.state = @state::text
    ORDER BY f.finished_at
    LIMIT 500
    FOR UPDATE SKIP LOCKED
) AS old
WHERE e.organization_id = old.organization_id
  AND e.id = old.id;
