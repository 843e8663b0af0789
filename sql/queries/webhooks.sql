-- name: CreateWebhook :one
-- A new webhook, enabled.
INSERT INTO webhooks (organization_id, id, url, kinds, secret, created_by, changed_by)
VALUES (@organization_id::uuid, @id::uuid, @url::text, @kinds::text[], @secret::bytea, @actor_id::uuid, @actor_id::uuid)
RETURNING *;

-- name: CountWebhooks :one
-- How many webhooks an organisation has.
SELECT count(*)::int AS webhooks
FROM webhooks AS w
WHERE w.organization_id = @organization_id::uuid;

-- name: GetWebhook :one
-- One webhook, enabled or not.
SELECT w.*
FROM webhooks AS w
WHERE w.organization_id = @organization_id::uuid
  AND w.id = @id::uuid;

-- name: ListWebhooksAfter :many
-- Webhooks in the order of creation.
SELECT w.*
FROM webhooks AS w
WHERE w.organization_id = @organization_id::uuid
  AND w.id > @after_id::uuid
ORDER BY w.id
LIMIT least(@page_size::int, 201);

-- name: UpdateWebhookIfRevision :one
-- Changes the named fields of a webhook that is still at @revision. Enabling it forgets its failures. No row: it is gone or has moved on.
UPDATE webhooks AS w
SET url              = CASE WHEN @set_url::bool THEN @url::text ELSE w.url END,
    kinds            = CASE WHEN @set_kinds::bool THEN @kinds::text[] ELSE w.kinds END,
    enabled          = CASE WHEN @set_enabled::bool THEN @enabled::bool ELSE w.enabled END,
    disabled_because = CASE WHEN NOT @set_enabled::bool THEN w.disabled_because WHEN NOT @enabled::bool THEN coalesce(w.disabled_because, 'person') END,
    failures         = CASE WHEN @set_enabled::bool AND @enabled::bool THEN 0 ELSE w.failures END,
    failing_since    = CASE WHEN @set_enabled::bool AND @enabled::bool THEN NULL ELSE w.failing_since END,
    revision         = w.revision + 1,
    changed_at       = greatest(clock_timestamp(), w.changed_at + interval '1 microsecond'),
    changed_by       = @actor_id::uuid
WHERE w.organization_id = @organization_id::uuid
  AND w.id = @id::uuid
  AND w.revision = @revision::bigint
RETURNING w.*;

-- name: RotateWebhookSecretIfRevision :one
-- Gives a webhook another secret; the one it had signs beside it for a day. No row: it is gone or has moved on.
UPDATE webhooks AS w
SET secret          = @secret::bytea,
    previous_secret = w.secret,
    previous_until  = clock_timestamp() + interval '24 hours',
    revision        = w.revision + 1,
    changed_at      = greatest(clock_timestamp(), w.changed_at + interval '1 microsecond'),
    changed_by      = @actor_id::uuid
WHERE w.organization_id = @organization_id::uuid
  AND w.id = @id::uuid
  AND w.revision = @revision::bigint
RETURNING w.*;

-- name: DeleteWebhook :one
-- Deletes a webhook. What was sent to it can no longer be reached, and what was about to be is not sent. No row: gone already.
DELETE FROM webhooks AS w
WHERE w.organization_id = @organization_id::uuid
  AND w.id = @id::uuid
RETURNING w.id;

-- name: ListWebhooksForKind :many
-- The enabled webhooks that want events of a kind: those that name it, the part before its dot with the dot, or "*".
SELECT w.id
FROM webhooks AS w
WHERE w.organization_id = @organization_id::uuid
  AND w.enabled
  AND (@kind::text = ANY (w.kinds) OR split_part(@kind::text, '.', 1) || '.' = ANY (w.kinds) OR '*' = ANY (w.kinds))
ORDER BY w.id
LIMIT 200;

-- name: CreateWebhookDeliveries :exec
-- Has one event sent to webhooks that have not been sent it, with the events that do so. The arrays go together.
WITH recipient AS (
    SELECT unnest(@webhook_ids::uuid[]) AS webhook_id, unnest(@ids::uuid[]) AS id, unnest(@event_ids::uuid[]) AS event_id
), delivery AS (
    INSERT INTO webhook_deliveries (organization_id, id, webhook_id, event_id, kind, payload)
    SELECT @organization_id::uuid, r.id, r.webhook_id, @about_id::uuid, @kind::text, @payload::jsonb
    FROM recipient AS r
    ON CONFLICT (organization_id, webhook_id, event_id) DO NOTHING
    RETURNING id
)
INSERT INTO outbox_events (organization_id, id, kind, target_id)
SELECT @organization_id::uuid, r.event_id, 'webhook.send', r.id
FROM recipient AS r
JOIN delivery AS d ON d.id = r.id;

-- name: GetWebhookDelivery :one
-- One delivery of a webhook.
SELECT d.*
FROM webhook_deliveries AS d
WHERE d.organization_id = @organization_id::uuid
  AND d.webhook_id = @webhook_id::uuid
  AND d.id = @id::uuid;

-- name: GetWebhookDeliveryForSending :one
-- A delivery that is to be sent, with what is needed for it, and the database's time, by which the older secret ends. No row: it has ended, or its webhook was deleted.
SELECT d.webhook_id, d.event_id, d.kind, d.payload, w.url, w.secret, w.previous_secret, w.previous_until, w.enabled, clock_timestamp()::timestamptz AS now
FROM webhook_deliveries AS d
JOIN webhooks AS w ON w.organization_id = d.organization_id AND w.id = d.webhook_id
WHERE d.organization_id = @organization_id::uuid
  AND d.id = @id::uuid
  AND d.state = 'waiting';

-- name: ListWebhookDeliveriesBefore :many
-- What was sent to a webhook, newest first, behind @before_id.
SELECT d.*
FROM webhook_deliveries AS d
WHERE d.organization_id = @organization_id::uuid
  AND d.webhook_id = @webhook_id::uuid
  AND d.id < @before_id::uuid
ORDER BY d.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListWebhookDeliveriesInStateBefore :many
-- What is in one state of it.
SELECT d.*
FROM webhook_deliveries AS d
WHERE d.organization_id = @organization_id::uuid
  AND d.webhook_id = @webhook_id::uuid
  AND d.state = @state::text
  AND d.id < @before_id::uuid
ORDER BY d.id DESC
LIMIT least(@page_size::int, 201);

-- name: NoteWebhookDelivery :exec
-- What came of an attempt to send a delivery that is waiting: its end, or, in the state waiting, that there will be another attempt. Where @attempt or @status is null, what is there stays.
UPDATE webhook_deliveries AS d
SET state      = @state::text,
    attempt    = coalesce(sqlc.narg(attempt)::smallint, d.attempt),
    status     = coalesce(sqlc.narg(status)::int, d.status),
    failure    = sqlc.narg(failure)::text,
    changed_at = clock_timestamp()
WHERE d.organization_id = @organization_id::uuid
  AND d.id = @id::uuid
  AND d.state = 'waiting';

-- name: ResendWebhookDelivery :one
-- Puts a delivery that has ended back, under its own id. Of two who do so at once one does. No row: it is waiting already, or there is none.
UPDATE webhook_deliveries AS d
SET state = 'waiting', attempt = 0, status = NULL, failure = NULL, changed_at = clock_timestamp()
WHERE d.organization_id = @organization_id::uuid
  AND d.webhook_id = @webhook_id::uuid
  AND d.id = @id::uuid
  AND d.state IN ('delivered', 'failed')
RETURNING d.*;

-- name: ForgetWebhookFailures :exec
-- After a success. It touches no row that has nothing to forget.
UPDATE webhooks AS w
SET failures = 0, failing_since = NULL
WHERE w.organization_id = @organization_id::uuid
  AND w.id = @id::uuid
  AND w.failures > 0;

-- name: CountWebhookFailure :one
-- Counts an attempt that failed, and switches the webhook off if @gone, or if it is the 50th or later in a row and the first was three days ago. switched_off is whether this one
-- did so. A webhook that is off stays as it is: no row.
UPDATE webhooks AS w
SET failures         = w.failures + 1,
    failing_since    = coalesce(w.failing_since, coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())),
    enabled          = NOT (@gone::bool OR (w.failures + 1 >= 50 AND w.failing_since <= coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) - interval '3 days')),
    disabled_because = CASE WHEN @gone::bool THEN 'gone'
                            WHEN w.failures + 1 >= 50 AND w.failing_since <= coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) - interval '3 days' THEN 'failing' END,
    revision         = CASE WHEN @gone::bool OR (w.failures + 1 >= 50 AND w.failing_since <= coalesce(sqlc.narg(now)::timestamptz, clock_timestamp()) - interval '3 days')
                            THEN w.revision + 1 ELSE w.revision END
WHERE w.organization_id = @organization_id::uuid
  AND w.id = @id::uuid
  AND w.enabled
RETURNING w.url, w.revision, (NOT w.enabled)::bool AS switched_off;
