-- name: CreateBroadcast :one
-- A new draft.
INSERT INTO broadcasts (organization_id, id, title, body, audience, team_ids, user_ids, by_mail, created_by, changed_by)
VALUES (@organization_id::uuid, @id::uuid, @title::text, @body::text, @audience::text, @team_ids::uuid[], @user_ids::uuid[], @by_mail::bool,
        @actor_id::uuid, @actor_id::uuid)
RETURNING *;

-- name: GetBroadcast :one
-- One broadcast, and whether it has reached @actor_id.
SELECT sqlc.embed(b),
       EXISTS (SELECT FROM broadcast_deliveries AS d
               WHERE d.organization_id = b.organization_id AND d.broadcast_id = b.id AND d.user_id = @actor_id::uuid)::bool AS received
FROM broadcasts AS b
WHERE b.organization_id = @organization_id::uuid
  AND b.id = @id::uuid;

-- name: ListBroadcastsBefore :many
-- Broadcasts, newest first, behind @before_id.
SELECT b.*
FROM broadcasts AS b
WHERE b.organization_id = @organization_id::uuid
  AND b.id < @before_id::uuid
ORDER BY b.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListBroadcastsInStateBefore :many
-- Those in one state, newest first, behind @before_id.
SELECT b.*
FROM broadcasts AS b
WHERE b.organization_id = @organization_id::uuid
  AND b.state = @state::text
  AND b.id < @before_id::uuid
ORDER BY b.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListBroadcastsOfTeamsBefore :many
-- Those to teams that are all among @team_ids, newest first, behind @before_id; in one state, if one is given. What it reads are the broadcasts to these teams.
SELECT b.*
FROM broadcasts AS b
WHERE b.organization_id = @organization_id::uuid
  AND b.team_ids[1] = ANY (@team_ids::uuid[])
  AND b.team_ids <@ @team_ids::uuid[]
  AND b.state = coalesce(sqlc.narg(state)::text, b.state)
  AND b.id < @before_id::uuid
ORDER BY b.id DESC
LIMIT least(@page_size::int, 201);

-- name: UpdateBroadcastIfRevision :one
-- Changes the named fields of a broadcast that has not begun to be sent and is still at @revision. No row: it is gone, has moved on, or is being sent.
UPDATE broadcasts AS b
SET title      = CASE WHEN @set_title::bool THEN @title::text ELSE b.title END,
    body       = CASE WHEN @set_body::bool THEN @body::text ELSE b.body END,
    audience   = CASE WHEN @set_audience::bool THEN @audience::text ELSE b.audience END,
    team_ids   = CASE WHEN @set_audience::bool THEN @team_ids::uuid[] ELSE b.team_ids END,
    user_ids   = CASE WHEN @set_audience::bool THEN @user_ids::uuid[] ELSE b.user_ids END,
    by_mail    = CASE WHEN @set_by_mail::bool THEN @by_mail::bool ELSE b.by_mail END,
    revision   = b.revision + 1,
    changed_at = greatest(clock_timestamp(), b.changed_at + interval '1 microsecond'),
    changed_by = @actor_id::uuid
WHERE b.organization_id = @organization_id::uuid
  AND b.id = @id::uuid
  AND b.revision = @revision::bigint
  AND b.state IN ('draft', 'scheduled')
RETURNING b.*;

-- name: ScheduleBroadcastIfRevision :one
-- Sets when a broadcast is sent, or sets it anew: the event that carries it out has @dispatch_id, and one from before finds nothing any more. No row: as above.
UPDATE broadcasts AS b
SET state        = 'scheduled',
    scheduled_at = @scheduled_at::timestamptz,
    dispatch_id  = @dispatch_id::uuid,
    revision     = b.revision + 1,
    changed_at   = greatest(clock_timestamp(), b.changed_at + interval '1 microsecond'),
    changed_by   = @actor_id::uuid
WHERE b.organization_id = @organization_id::uuid
  AND b.id = @id::uuid
  AND b.revision = @revision::bigint
  AND b.state IN ('draft', 'scheduled')
RETURNING b.*;

-- name: SendBroadcastIfRevision :one
-- Begins to send a broadcast at once. No row: as above, so that of all who press at the same time one sends it.
UPDATE broadcasts AS b
SET state        = 'sending',
    scheduled_at = NULL,
    dispatch_id  = @dispatch_id::uuid,
    revision     = b.revision + 1,
    changed_at   = greatest(clock_timestamp(), b.changed_at + interval '1 microsecond'),
    changed_by   = @actor_id::uuid
WHERE b.organization_id = @organization_id::uuid
  AND b.id = @id::uuid
  AND b.revision = @revision::bigint
  AND b.state IN ('draft', 'scheduled')
RETURNING b.*;

-- name: CancelBroadcastIfRevision :one
-- Ends a broadcast that has not been sent to everybody. Whom it has reached, it has reached. No row: as above, or sent.
UPDATE broadcasts AS b
SET state        = 'cancelled',
    dispatch_id  = NULL,
    revision     = b.revision + 1,
    changed_at   = greatest(clock_timestamp(), b.changed_at + interval '1 microsecond'),
    changed_by   = @actor_id::uuid
WHERE b.organization_id = @organization_id::uuid
  AND b.id = @id::uuid
  AND b.revision = @revision::bigint
  AND b.state IN ('draft', 'scheduled', 'sending')
RETURNING b.*;

-- name: ResendBroadcastIfRevision :one
-- Begins to send a broadcast again to those it has failed for by now. Of all who press at the same time one does; one that is still under way is taken over.
UPDATE broadcasts AS b
SET dispatch_id   = @dispatch_id::uuid,
    resend_before = clock_timestamp(),
    revision      = b.revision + 1,
    changed_at    = greatest(clock_timestamp(), b.changed_at + interval '1 microsecond'),
    changed_by    = @actor_id::uuid
WHERE b.organization_id = @organization_id::uuid
  AND b.id = @id::uuid
  AND b.revision = @revision::bigint
  AND b.state = 'sent'
RETURNING b.*;

-- name: LockBroadcastOfDispatch :one
-- The broadcast whose present sending this is, held until the transaction ends. No row: that sending was rescheduled, ended or done.
SELECT sqlc.embed(b), u.name AS author
FROM broadcasts AS b
JOIN users AS u ON u.id = b.created_by
WHERE b.organization_id = @organization_id::uuid
  AND b.dispatch_id = @dispatch_id::uuid
FOR UPDATE OF b;

-- name: AdvanceBroadcast :exec
-- Notes how far the sending of a broadcast that the transaction holds has come: through @reached_user_id, or to its end.
UPDATE broadcasts AS b
SET state           = CASE WHEN @done::bool THEN 'sent' ELSE 'sending' END,
    reached_user_id = @reached_user_id::uuid,
    dispatch_id     = CASE WHEN @done::bool THEN NULL ELSE b.dispatch_id END,
    sent_at         = CASE WHEN @done::bool THEN clock_timestamp() END
WHERE b.organization_id = @organization_id::uuid
  AND b.id = @id::uuid;

-- name: EndBroadcastDispatch :exec
-- The end of a sending again that the transaction holds.
UPDATE broadcasts AS b
SET dispatch_id = NULL
WHERE b.organization_id = @organization_id::uuid
  AND b.id = @id::uuid;

-- name: RefuseBroadcast :one
-- Ends a broadcast that the transaction holds, because whoever had it sent may not do so any more.
UPDATE broadcasts AS b
SET state       = 'cancelled',
    dispatch_id = NULL,
    revision    = b.revision + 1,
    changed_at  = greatest(clock_timestamp(), b.changed_at + interval '1 microsecond')
WHERE b.organization_id = @organization_id::uuid
  AND b.id = @id::uuid
RETURNING b.revision;

-- name: ListBroadcastAudienceAfter :many
-- The next of those a broadcast is meant for, in the order of their ids, and whether they want such mail at once. Members who are suspended and teams that are archived do not
-- count. Of the three kinds of audience only the one asked for is read.
WITH audience AS (
    (SELECT m.user_id
     FROM memberships AS m
     WHERE m.organization_id = @organization_id::uuid
       AND @audience::text = 'organization'
       AND m.user_id > @after_id::uuid
       AND m.suspended_at IS NULL
     ORDER BY m.user_id
     LIMIT least(@page_size::int, 500))
    UNION ALL
    (SELECT DISTINCT tm.user_id
     FROM (SELECT unnest(@team_ids::uuid[]) AS team_id) AS named
     CROSS JOIN LATERAL (SELECT x.team_id, x.user_id
                         FROM team_members AS x
                         JOIN memberships AS m ON m.organization_id = x.organization_id AND m.user_id = x.user_id
                         WHERE x.organization_id = @organization_id::uuid
                           AND x.team_id = named.team_id
                           AND x.user_id > @after_id::uuid
                           AND m.suspended_at IS NULL
                         ORDER BY x.user_id
                         LIMIT 500) AS tm
     JOIN teams AS t ON t.organization_id = @organization_id::uuid AND t.id = tm.team_id
     WHERE @audience::text = 'teams'
       AND t.archived_at IS NULL
     ORDER BY tm.user_id
     LIMIT least(@page_size::int, 500))
    UNION ALL
    (SELECT m.user_id
     FROM memberships AS m
     WHERE m.organization_id = @organization_id::uuid
       AND @audience::text = 'people'
       AND m.user_id = ANY (@user_ids::uuid[])
       AND m.user_id > @after_id::uuid
       AND m.suspended_at IS NULL
     ORDER BY m.user_id
     LIMIT least(@page_size::int, 500))
)
SELECT a.user_id, u.name,
       (s.unsubscribed_at IS NULL AND coalesce(p.mail, 'immediate') = 'immediate')::bool AS wants_mail
FROM audience AS a
JOIN users AS u ON u.id = a.user_id
LEFT JOIN mail_settings AS s ON s.organization_id = @organization_id::uuid AND s.user_id = a.user_id
LEFT JOIN notification_preferences AS p ON p.organization_id = @organization_id::uuid AND p.user_id = a.user_id AND p.kind = 'broadcast'
ORDER BY a.user_id
LIMIT 500;

-- name: CountBroadcastAudience :one
-- How many a broadcast would be sent to now, counted up to 100,000.
WITH audience AS (
    (SELECT m.user_id
     FROM memberships AS m
     WHERE m.organization_id = @organization_id::uuid
       AND @audience::text = 'organization'
       AND m.suspended_at IS NULL
     LIMIT 100000)
    UNION ALL
    (SELECT DISTINCT tm.user_id
     FROM team_members AS tm
     JOIN teams AS t ON t.organization_id = tm.organization_id AND t.id = tm.team_id
     JOIN memberships AS m ON m.organization_id = tm.organization_id AND m.user_id = tm.user_id
     WHERE tm.organization_id = @organization_id::uuid
       AND @audience::text = 'teams'
       AND tm.team_id = ANY (@team_ids::uuid[])
       AND t.archived_at IS NULL
       AND m.suspended_at IS NULL
     LIMIT 100000)
    UNION ALL
    (SELECT m.user_id
     FROM memberships AS m
     WHERE m.organization_id = @organization_id::uuid
       AND @audience::text = 'people'
       AND m.user_id = ANY (@user_ids::uuid[])
       AND m.suspended_at IS NULL
     LIMIT 100000)
)
SELECT count(*)::int AS recipients
FROM audience AS a;

-- name: DeliverBroadcast :many
-- Delivers a broadcast to members who have not had it yet, and returns them: a row each, and for those who have a mail id the mail, in the form of CreateMail, with the event
-- that has it sent. The arrays go together; the nil UUID in @mail_ids is no mail.
WITH recipient AS (
    SELECT unnest(@user_ids::uuid[]) AS user_id, unnest(@mail_ids::uuid[]) AS mail_id, unnest(@event_ids::uuid[]) AS event_id
), delivery AS (
    INSERT INTO broadcast_deliveries (organization_id, broadcast_id, user_id, mail_id, state)
    SELECT @organization_id::uuid, @broadcast_id::uuid, r.user_id, nullif(r.mail_id, '00000000-0000-0000-0000-000000000000'::uuid),
           CASE WHEN r.mail_id = '00000000-0000-0000-0000-000000000000'::uuid THEN 'delivered' ELSE 'waiting' END
    FROM recipient AS r
    ON CONFLICT (organization_id, broadcast_id, user_id) DO NOTHING
    RETURNING user_id, mail_id
), mail AS (
    INSERT INTO mails (organization_id, id, user_id, template, detail, once)
    SELECT @organization_id::uuid, d.mail_id, d.user_id, 'broadcast', @detail::jsonb, true
    FROM delivery AS d
    WHERE d.mail_id IS NOT NULL
), event AS (
    INSERT INTO outbox_events (organization_id, id, kind, target_id)
    SELECT @organization_id::uuid, r.event_id, 'mail.send', r.mail_id
    FROM recipient AS r
    JOIN delivery AS d ON d.mail_id = r.mail_id
)
SELECT d.user_id::uuid AS user_id
FROM delivery AS d
LIMIT 500;

-- name: ListFailedDeliveries :many
-- Members for whom a broadcast had failed before a time, and who can act. Those it has been sent to again since then are not among them, whatever came of it.
SELECT d.user_id
FROM broadcast_deliveries AS d
JOIN memberships AS m ON m.organization_id = d.organization_id AND m.user_id = d.user_id
WHERE d.organization_id = @organization_id::uuid
  AND d.broadcast_id = @broadcast_id::uuid
  AND d.state = 'failed'
  AND d.changed_at <= @failed_before::timestamptz
  AND m.suspended_at IS NULL
ORDER BY d.user_id
LIMIT 500;

-- name: RedeliverBroadcast :many
-- Sends a broadcast again to those of these members for whom it is still in @state, and returns them. Each is compared and swapped by itself: whoever comes second finds it waiting.
-- That user_id is asked for twice keeps every plan from reading all that failed for each of them.
WITH recipient AS (
    SELECT unnest(@user_ids::uuid[]) AS user_id, unnest(@mail_ids::uuid[]) AS mail_id, unnest(@event_ids::uuid[]) AS event_id
), delivery AS (
    UPDATE broadcast_deliveries AS d
    SET state = 'waiting', failure = NULL, round = d.round + 1, mail_id = r.mail_id, changed_at = clock_timestamp()
    FROM recipient AS r
    WHERE d.organization_id = @organization_id::uuid
      AND d.broadcast_id = @broadcast_id::uuid
      AND d.user_id = r.user_id
      AND d.user_id = ANY (@user_ids::uuid[])
      AND d.state = @state::text
      AND d.changed_at <= @failed_before::timestamptz
    RETURNING d.user_id, d.mail_id
), mail AS (
    INSERT INTO mails (organization_id, id, user_id, template, detail, once)
    SELECT @organization_id::uuid, d.mail_id, d.user_id, 'broadcast', @detail::jsonb, true
    FROM delivery AS d
), event AS (
    INSERT INTO outbox_events (organization_id, id, kind, target_id)
    SELECT @organization_id::uuid, r.event_id, 'mail.send', r.mail_id
    FROM recipient AS r
    JOIN delivery AS d ON d.mail_id = r.mail_id
)
SELECT d.user_id::uuid AS user_id
FROM delivery AS d
LIMIT 500;

-- name: ListBroadcastDeliveriesAfter :many
-- What became of a broadcast for each member, in the order of their ids, behind @after_id.
SELECT d.user_id, u.name, d.state, d.failure, d.round, (d.mail_id IS NOT NULL)::bool AS by_mail, d.changed_at
FROM broadcast_deliveries AS d
JOIN users AS u ON u.id = d.user_id
WHERE d.organization_id = @organization_id::uuid
  AND d.broadcast_id = @broadcast_id::uuid
  AND d.user_id > @after_id::uuid
ORDER BY d.user_id
LIMIT least(@page_size::int, 201);

-- name: ListBroadcastDeliveriesInStateAfter :many
-- Those in one state.
SELECT d.user_id, u.name, d.state, d.failure, d.round, (d.mail_id IS NOT NULL)::bool AS by_mail, d.changed_at
FROM broadcast_deliveries AS d
JOIN users AS u ON u.id = d.user_id
WHERE d.organization_id = @organization_id::uuid
  AND d.broadcast_id = @broadcast_id::uuid
  AND d.state = @state::text
  AND d.user_id > @after_id::uuid
ORDER BY d.user_id
LIMIT least(@page_size::int, 201);

-- name: CountBroadcastDeliveries :one
-- How many members a broadcast has in each state. It reads one index, as far as the broadcast has reached.
SELECT count(*) FILTER (WHERE d.state = 'waiting')::int AS waiting,
       count(*) FILTER (WHERE d.state = 'delivered')::int AS delivered,
       count(*) FILTER (WHERE d.state = 'failed')::int AS failed,
       count(*) FILTER (WHERE d.state = 'uncertain')::int AS uncertain
FROM broadcast_deliveries AS d
WHERE d.organization_id = @organization_id::uuid
  AND d.broadcast_id = @broadcast_id::uuid;

-- name: ListOpenTeamIDs :many
-- Which of these teams there are, archived ones left out.
SELECT t.id
FROM (SELECT unnest(@team_ids::uuid[]) AS id LIMIT 200) AS asked
CROSS JOIN LATERAL (SELECT found.id
                    FROM teams AS found
                    WHERE found.organization_id = @organization_id::uuid AND found.id = asked.id AND found.archived_at IS NULL
                    LIMIT 1) AS t
LIMIT 200;
