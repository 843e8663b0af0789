-- name: DeleteExpiredSessions :execrows
-- Deletes up to 500 sessions that have expired, with when they were last used.
DELETE FROM sessions AS s
USING (
    SELECT x.organization_id, x.id
    FROM sessions AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.expires_at < statement_timestamp()
    ORDER BY x.expires_at
    LIMIT 500
    FOR UPDATE SKIP LOCKED
) AS old
WHERE s.organization_id = old.organization_id
  AND s.id = old.id;

-- name: DeleteIdempotencyKeys :execrows
-- Deletes up to 500 keys of requests from before @before.
DELETE FROM idempotency_keys AS k
USING (
    SELECT x.organization_id, x.actor_id, x.route, x.key
    FROM idempotency_keys AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.created_at < @before::timestamptz
    ORDER BY x.created_at
    LIMIT 500
    FOR UPDATE SKIP LOCKED
) AS old
WHERE k.organization_id = old.organization_id
  AND k.actor_id = old.actor_id
  AND k.route = old.route
  AND k.key = old.key;

-- name: DeleteReadNotifications :execrows
-- Deletes up to 500 notifications that were read before @before.
DELETE FROM notifications AS n
USING (
    SELECT x.organization_id, x.id
    FROM notifications AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.read_at < @before::timestamptz
    ORDER BY x.read_at
    LIMIT 500
    FOR UPDATE SKIP LOCKED
) AS old
WHERE n.organization_id = old.organization_id
  AND n.id = old.id;

-- name: DeleteMails :execrows
-- Deletes up to 500 mails from before @before that nobody is still to send. What became of a broadcast stays, without its mail.
WITH old AS (
    SELECT x.organization_id, x.id
    FROM mails AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.created_at < @before::timestamptz
      AND x.state NOT IN ('waiting', 'sending')
    ORDER BY x.created_at
    LIMIT 500
    FOR UPDATE SKIP LOCKED
), parted AS (
    UPDATE broadcast_deliveries AS d
    SET mail_id = NULL
    FROM old AS o
    WHERE d.organization_id = o.organization_id
      AND d.mail_id = o.id
)
DELETE FROM mails AS m
USING old AS o
WHERE m.organization_id = o.organization_id
  AND m.id = o.id;

-- name: DeleteWebhookDeliveries :execrows
-- Deletes up to 500 deliveries to webhooks from before @before that nobody is still to make.
DELETE FROM webhook_deliveries AS d
USING (
    SELECT x.organization_id, x.id
    FROM webhook_deliveries AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.created_at < @before::timestamptz
      AND x.state <> 'waiting'
    ORDER BY x.created_at
    LIMIT 500
    FOR UPDATE SKIP LOCKED
) AS old
WHERE d.organization_id = old.organization_id
  AND d.id = old.id;

-- name: DeleteScheduledRuns :execrows
-- Deletes up to 500 runs that ended before @before, but the latest of each name, which says from when on it is due again.
DELETE FROM scheduled_runs AS r
USING (
    SELECT x.organization_id, x.name, x.due_at
    FROM scheduled_runs AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.finished_at < @before::timestamptz
      AND x.due_at < (
          SELECT latest.due_at
          FROM scheduled_runs AS latest
          WHERE latest.organization_id = @organization_id::uuid
            AND latest.name = x.name
          ORDER BY latest.due_at DESC
          LIMIT 1)
    ORDER BY x.finished_at
    LIMIT 500
    FOR UPDATE OF x SKIP LOCKED
) AS old
WHERE r.organization_id = old.organization_id
  AND r.name = old.name
  AND r.due_at = old.due_at;

-- name: DeleteFeedEntries :execrows
-- Deletes up to 500 entries of the feed about what happened before @before.
DELETE FROM feed_entries AS f
USING (
    SELECT x.organization_id, x.id
    FROM feed_entries AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.happened_at < @before::timestamptz
    ORDER BY x.happened_at
    LIMIT 500
) AS old
WHERE f.organization_id = old.organization_id
  AND f.id = old.id;

-- name: DeleteEndedInvitations :execrows
-- Deletes up to 500 invitations that were accepted, revoked or overdue before @before, but those of which a mail is still there.
DELETE FROM invitations AS i
USING (
    SELECT x.organization_id, x.id
    FROM invitations AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.ended_at < @before::timestamptz
      AND NOT EXISTS (
          SELECT 1
          FROM mails AS m
          WHERE m.organization_id = @organization_id::uuid
            AND m.invitation_id = x.id)
    ORDER BY x.ended_at
    LIMIT 500
    FOR UPDATE OF x SKIP LOCKED
) AS old
WHERE i.organization_id = old.organization_id
  AND i.id = old.id;
