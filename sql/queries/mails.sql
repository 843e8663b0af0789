-- name: CreateMail :exec
-- A mail to a member, and the event that has it sent, in one statement.
WITH event AS (
    INSERT INTO outbox_events (organization_id, id, kind, target_id, contract, available_at)
    VALUES (@organization_id::uuid, @event_id::uuid, 'mail.send', @id::uuid, @contract::smallint, coalesce(sqlc.narg(available_at)::timestamptz, clock_timestamp()))
)
INSERT INTO mails (organization_id, id, user_id, template, detail, once)
VALUES (@organization_id::uuid, @id::uuid, @user_id::uuid, @template::text, @detail::jsonb, @once::bool);

-- name: GetMailToSend :one
-- A mail with whoever it is for, as they are now, and what they want.
SELECT m.id, b.user_id, m.template, m.detail, m.once, m.state, m.changed_at, u.email, u.name, u.locale, u.time_zone, o.name AS organization_name,
       b.suspended_at, s.unsubscribed_at, coalesce(s.digest, 'daily')::text AS digest, clock_timestamp()::timestamptz AS now
FROM mails AS m
JOIN organizations AS o ON o.id = m.organization_id
JOIN memberships AS b ON b.organization_id = m.organization_id AND b.user_id = m.user_id
JOIN users AS u ON u.id = m.user_id
LEFT JOIN mail_settings AS s ON s.organization_id = m.organization_id AND s.user_id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid;

-- name: GetBroadcastToMail :one
-- What a broadcast says, and who has written it.
SELECT b.title, b.body, u.name AS author
FROM broadcasts AS b
JOIN users AS u ON u.id = b.created_by
WHERE b.organization_id = @organization_id::uuid
  AND b.id = @id::uuid;

-- name: BeginMailIfState :execrows
-- Says that a server is about to have a mail which is still in @state. No row: it is in another. Of several who begin a waiting one at once, one does.
UPDATE mails AS m
SET state = 'sending', changed_at = clock_timestamp()
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid
  AND m.state = @state::text;

-- name: PutBackMail :exec
-- Says that no server has a mail after all.
UPDATE mails AS m
SET state = 'waiting', changed_at = clock_timestamp()
WHERE m.organization_id = @organization_id::uuid
  AND m.id = @id::uuid
  AND m.state = 'sending';

-- name: EndMail :exec
-- What has become of a mail, and with it of the broadcast's delivery that it was for. One that has ended already stays as it ended, unless it was uncertain and has
-- turned out to be sent. If nobody can know, because a server may have it, what would be failed is uncertain.
WITH ended AS (
    UPDATE mails AS m
    SET state      = CASE WHEN m.state = 'sending' AND @state::text = 'failed' THEN 'uncertain' ELSE @state::text END,
        failure    = left(sqlc.narg(failure)::text, 300),
        changed_at = clock_timestamp()
    WHERE m.organization_id = @organization_id::uuid
      AND m.id = @id::uuid
      AND (m.state IN ('waiting', 'sending') OR m.state = 'uncertain' AND @state::text = 'sent')
    RETURNING m.id, m.state, m.failure
)
UPDATE broadcast_deliveries AS d
SET state      = CASE WHEN e.state = 'uncertain' THEN 'uncertain' ELSE @delivery::text END,
    failure    = CASE WHEN @delivery::text <> 'delivered' THEN e.failure END,
    changed_at = clock_timestamp()
FROM ended AS e
WHERE d.organization_id = @organization_id::uuid
  AND d.mail_id = e.id
  AND (d.state = 'waiting' OR d.state = 'uncertain' AND e.state = 'sent');

-- name: GetMailSettings :one
-- What a member wants to be sent, which is the defaults until they have said something.
SELECT b.user_id, o.name AS organization_name, u.email, coalesce(s.digest, 'daily')::text AS digest, s.unsubscribed_at
FROM memberships AS b
JOIN organizations AS o ON o.id = b.organization_id
JOIN users AS u ON u.id = b.user_id
LEFT JOIN mail_settings AS s ON s.organization_id = b.organization_id AND s.user_id = b.user_id
WHERE b.organization_id = @organization_id::uuid
  AND b.user_id = @user_id::uuid;

-- name: PutMailSettings :one
-- Changes what a member wants to be sent. Each field for itself: whoever sends one leaves the others as they are.
INSERT INTO mail_settings AS s (organization_id, user_id, digest, unsubscribed_at)
VALUES (@organization_id::uuid, @user_id::uuid, CASE WHEN @set_digest::bool THEN @digest::text ELSE 'daily' END,
        CASE WHEN @set_subscribed::bool AND NOT @subscribed::bool THEN clock_timestamp() END)
ON CONFLICT (organization_id, user_id) DO UPDATE
SET digest          = CASE WHEN @set_digest::bool THEN @digest::text ELSE s.digest END,
    unsubscribed_at = CASE WHEN NOT @set_subscribed::bool THEN s.unsubscribed_at
                           WHEN NOT @subscribed::bool THEN coalesce(s.unsubscribed_at, clock_timestamp()) END
RETURNING s.digest, s.unsubscribed_at;

-- name: Unsubscribe :execrows
-- Ends all mail to a member. No row: it had ended already.
INSERT INTO mail_settings AS s (organization_id, user_id, unsubscribed_at)
VALUES (@organization_id::uuid, @user_id::uuid, clock_timestamp())
ON CONFLICT (organization_id, user_id) DO UPDATE
SET unsubscribed_at = clock_timestamp()
WHERE s.unsubscribed_at IS NULL;
