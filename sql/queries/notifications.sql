-- name: CreateNotifications :many
-- Tells members of things, each as they want to be told, and says whom and how. One entry of the arrays is one thing that one member should know; none of (user, kind, subject)
-- comes twice, and inbox and mail are what holds for whoever has not chosen otherwise. Who is suspended, or may not see the objective that it is about, is not told. What is
-- unread and the same takes it in. Rows are written in one order, so that two transactions that tell the same people wait for one another instead of for each other.
WITH wanted AS (
    SELECT unnest(@ids::uuid[]) AS id, unnest(@user_ids::uuid[]) AS user_id, unnest(@kinds::text[]) AS kind,
           unnest(@subject_kinds::text[]) AS subject_kind, unnest(@subject_ids::uuid[]) AS subject_id, unnest(@titles::text[]) AS title,
           unnest(@actor_ids::uuid[]) AS actor_id, unnest(@details::text[]) AS detail, unnest(@inbox::bool[]) AS inbox, unnest(@mail::text[]) AS mail
), told AS MATERIALIZED (
    SELECT w.id, w.user_id, w.kind, w.subject_kind, w.subject_id, o.id AS objective_id, w.title, nullif(w.actor_id, '00000000-0000-0000-0000-000000000000') AS actor_id,
           w.detail::jsonb AS detail, coalesce(p.inbox, w.inbox) AS inbox,
           CASE WHEN s.unsubscribed_at IS NOT NULL THEN 'off' ELSE coalesce(p.mail, w.mail) END AS mail
    FROM wanted AS w
    JOIN memberships AS m ON m.organization_id = @organization_id::uuid AND m.user_id = w.user_id
    LEFT JOIN notification_preferences AS p ON p.organization_id = @organization_id::uuid AND p.user_id = w.user_id AND p.kind = w.kind
    LEFT JOIN mail_settings AS s ON s.organization_id = @organization_id::uuid AND s.user_id = w.user_id
    LEFT JOIN key_results AS k ON k.organization_id = @organization_id::uuid AND k.id = w.subject_id AND w.subject_kind = 'key_result'
    LEFT JOIN dialogues AS d ON d.organization_id = @organization_id::uuid AND d.id = w.subject_id AND w.subject_kind = 'dialogue'
    LEFT JOIN objectives AS o ON o.organization_id = @organization_id::uuid
                             AND o.id = CASE w.subject_kind WHEN 'objective' THEN w.subject_id WHEN 'key_result' THEN k.objective_id WHEN 'dialogue' THEN d.objective_id END
    LEFT JOIN team_members AS tm ON tm.organization_id = @organization_id::uuid AND tm.team_id = o.team_id AND tm.user_id = w.user_id
    WHERE m.suspended_at IS NULL
      AND (w.subject_kind NOT IN ('objective', 'key_result', 'dialogue')
           OR objective_is_visible(o.visibility, o.owner_id, o.team_id, w.user_id, m.role IN ('owner', 'admin'),
                                   CASE WHEN tm.role IS NOT NULL THEN ARRAY[tm.team_id] ELSE '{}' END, CASE WHEN tm.role = 'lead' THEN ARRAY[tm.team_id] ELSE '{}' END))
), kept AS (
    INSERT INTO notifications AS n (organization_id, id, user_id, kind, subject_kind, subject_id, objective_id, title, actor_id, detail, latest_id)
    SELECT @organization_id::uuid, t.id, t.user_id, t.kind, t.subject_kind, t.subject_id, t.objective_id, t.title, t.actor_id, t.detail, t.id
    FROM told AS t
    WHERE t.inbox
    ORDER BY t.user_id, t.kind, t.subject_id
    ON CONFLICT (organization_id, user_id, kind, subject_id) WHERE read_at IS NULL
    DO UPDATE SET occurrences = n.occurrences + 1, latest_id = excluded.latest_id, latest_xid = pg_current_xact_id(), title = excluded.title, actor_id = excluded.actor_id,
                  detail = excluded.detail, objective_id = excluded.objective_id, changed_at = greatest(clock_timestamp(), n.changed_at + interval '1 microsecond')
)
SELECT t.id::uuid AS id, t.user_id::uuid AS user_id, t.kind::text AS kind, t.subject_id::uuid AS subject_id, t.inbox::bool AS inbox, t.mail::text AS mail
FROM told AS t
ORDER BY t.user_id, t.kind, t.subject_id
LIMIT 10000;

-- name: ClaimNotices :many
-- Takes the right to tell of something, unless it was taken at @before or later; without @before, within the last ten minutes. What comes back is this transaction's to
-- tell: of several at once one gets it, and the others have waited for its end. None of (user, name, subject) comes twice.
INSERT INTO notice_claims AS c (organization_id, user_id, name, subject_id, claimed_at)
SELECT @organization_id::uuid, w.user_id, w.name, w.subject_id, coalesce(sqlc.narg(now)::timestamptz, clock_timestamp())
FROM (SELECT unnest(@user_ids::uuid[]) AS user_id, unnest(@names::text[]) AS name, unnest(@subject_ids::uuid[]) AS subject_id) AS w
ORDER BY w.user_id, w.name, w.subject_id
ON CONFLICT (organization_id, user_id, name, subject_id)
DO UPDATE SET claimed_at = excluded.claimed_at
    WHERE c.claimed_at < coalesce(sqlc.narg(before)::timestamptz, excluded.claimed_at - interval '10 minutes')
RETURNING c.user_id, c.name, c.subject_id;

-- name: DeleteOldNoticeClaims :execrows
-- Forgets claims from before @before, at most 5000 at once. No period is as long as that.
DELETE FROM notice_claims AS c
WHERE c.organization_id = @organization_id::uuid
  AND (c.user_id, c.name, c.subject_id) IN (
      SELECT old.user_id, old.name, old.subject_id
      FROM notice_claims AS old
      WHERE old.organization_id = @organization_id::uuid
        AND old.claimed_at < @before::timestamptz
      ORDER BY old.claimed_at
      LIMIT 5000);

-- name: CreateMailsForMany :exec
-- As CreateMail, for many at once: a mail to each of these members, and the event that has it sent.
WITH wanted AS (
    SELECT unnest(@ids::uuid[]) AS id, unnest(@event_ids::uuid[]) AS event_id, unnest(@user_ids::uuid[]) AS user_id,
           unnest(@templates::text[]) AS template, unnest(@details::text[]) AS detail
), event AS (
    INSERT INTO outbox_events (organization_id, id, kind, target_id)
    SELECT @organization_id::uuid, w.event_id, 'mail.send', w.id
    FROM wanted AS w
)
INSERT INTO mails (organization_id, id, user_id, template, detail, once)
SELECT @organization_id::uuid, w.id, w.user_id, w.template, w.detail::jsonb, @once::bool
FROM wanted AS w;

-- name: ListMailWishes :many
-- How these members want to be told of one kind; whoever has not chosen is left out, unless all mail to them has ended.
SELECT m.user_id, p.inbox, p.mail, (s.unsubscribed_at IS NOT NULL)::bool AS unsubscribed
FROM memberships AS m
LEFT JOIN notification_preferences AS p ON p.organization_id = m.organization_id AND p.user_id = m.user_id AND p.kind = @kind::text
LEFT JOIN mail_settings AS s ON s.organization_id = m.organization_id AND s.user_id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = ANY (@user_ids::uuid[])
  AND (p.kind IS NOT NULL OR s.unsubscribed_at IS NOT NULL)
LIMIT 10000;

-- name: ListNotificationsBefore :many
-- The actor's notifications about what they may see now, newest activity first, behind @before_id; of any kind where @kinds is empty.
SELECT n.id, n.kind, n.subject_kind, n.subject_id, n.title, n.actor_id, actor.name AS actor_name, n.detail, n.occurrences, n.latest_id, n.read_at, n.created_at, n.changed_at
FROM notifications AS n
LEFT JOIN objectives AS o ON o.organization_id = n.organization_id AND o.id = n.objective_id
LEFT JOIN users AS actor ON actor.id = n.actor_id
WHERE n.organization_id = @organization_id::uuid
  AND n.user_id = @actor_id::uuid
  AND n.latest_id < @before_id::uuid
  AND (coalesce(cardinality(@kinds::text[]), 0) = 0 OR n.kind = ANY (@kinds::text[]))
  AND (n.objective_id IS NULL
       OR objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))
ORDER BY n.latest_id DESC
LIMIT least(@page_size::int, 201);

-- name: ListUnreadNotificationsBefore :many
-- As ListNotificationsBefore, what is unread alone.
SELECT n.id, n.kind, n.subject_kind, n.subject_id, n.title, n.actor_id, actor.name AS actor_name, n.detail, n.occurrences, n.latest_id, n.read_at, n.created_at, n.changed_at
FROM notifications AS n
LEFT JOIN objectives AS o ON o.organization_id = n.organization_id AND o.id = n.objective_id
LEFT JOIN users AS actor ON actor.id = n.actor_id
WHERE n.organization_id = @organization_id::uuid
  AND n.user_id = @actor_id::uuid
  AND n.read_at IS NULL
  AND n.latest_id < @before_id::uuid
  AND (coalesce(cardinality(@kinds::text[]), 0) = 0 OR n.kind = ANY (@kinds::text[]))
  AND (n.objective_id IS NULL
       OR objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))
ORDER BY n.latest_id DESC
LIMIT least(@page_size::int, 201);

-- name: CountUnreadNotifications :one
-- How many the actor has not read of those that they may see now, counted up to 100.
SELECT count(*)::int AS unread
FROM (
    SELECT n.id
    FROM notifications AS n
    LEFT JOIN objectives AS o ON o.organization_id = n.organization_id AND o.id = n.objective_id
    WHERE n.organization_id = @organization_id::uuid
      AND n.user_id = @actor_id::uuid
      AND n.read_at IS NULL
      AND (n.objective_id IS NULL
           OR objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))
    LIMIT 100
) AS few;

-- name: GetView :one
-- What the present transaction sees, in PostgreSQL's own words, for MarkNotificationsReadIfSeen.
SELECT pg_current_snapshot()::text AS view;

-- name: MarkNotificationsRead :execrows
-- Marks as read what is still as it was seen: an entry with its latest_id. What more has joined since then stays unread.
UPDATE notifications AS n
SET read_at = clock_timestamp()
FROM (SELECT unnest(@ids::uuid[]) AS id, unnest(@latest_ids::uuid[]) AS latest_id) AS seen
WHERE n.organization_id = @organization_id::uuid
  AND n.user_id = @actor_id::uuid
  AND n.id = seen.id
  AND n.latest_id = seen.latest_id
  AND n.read_at IS NULL;

-- name: MarkNotificationsReadIfSeen :execrows
-- Marks as read everything that was there for the transaction that had @view, and nothing that was committed later, whatever its id or time. What was written before
-- @settled had been committed or given up by then, so that a view from another server, before a restore, does no harm.
UPDATE notifications AS n
SET read_at = clock_timestamp()
WHERE n.organization_id = @organization_id::uuid
  AND n.user_id = @actor_id::uuid
  AND n.read_at IS NULL
  AND (n.changed_at < @settled::timestamptz OR pg_visible_in_snapshot(n.latest_xid, CAST(@view::text AS pg_snapshot)));

-- name: ListNotificationPreferences :many
-- What the actor has chosen; there are fewer kinds than 100.
SELECT p.kind, p.inbox, p.mail
FROM notification_preferences AS p
WHERE p.organization_id = @organization_id::uuid
  AND p.user_id = @actor_id::uuid
ORDER BY p.kind
LIMIT 100;

-- name: PutNotificationPreferences :exec
-- Sets what the actor has chosen for these kinds, and takes back what they had chosen for all others.
WITH gone AS (
    DELETE FROM notification_preferences AS p
    WHERE p.organization_id = @organization_id::uuid
      AND p.user_id = @actor_id::uuid
      AND NOT p.kind = ANY (@kinds::text[])
)
INSERT INTO notification_preferences (organization_id, user_id, kind, inbox, mail)
SELECT @organization_id::uuid, @actor_id::uuid, w.kind, w.inbox, w.mail
FROM (SELECT unnest(@kinds::text[]) AS kind, unnest(@inbox::bool[]) AS inbox, unnest(@mail::text[]) AS mail) AS w
ORDER BY w.kind
ON CONFLICT (organization_id, user_id, kind) DO UPDATE SET inbox = excluded.inbox, mail = excluded.mail;

-- name: ListLiveSessions :many
-- Those of these sessions that still hold, for as many as 5000.
SELECT s.id
FROM sessions AS s
JOIN memberships AS m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
JOIN users AS u ON u.id = s.user_id
WHERE s.organization_id = @organization_id::uuid
  AND s.id = ANY (@session_ids::uuid[])
  AND s.expires_at > now()
  AND m.suspended_at IS NULL
  AND (u.sessions_since IS NULL OR s.created_at > u.sessions_since OR s.id = u.kept_session_id)
LIMIT 5000;

-- name: ListNewsAfter :many
-- What is unread of these members' notifications about what each may see now and is newer than @after_id, oldest first, 500 at a time.
SELECT n.user_id, n.id, n.kind, n.subject_kind, n.subject_id, n.title, n.actor_id, actor.name AS actor_name, n.detail, n.occurrences, n.latest_id, n.read_at, n.created_at, n.changed_at
FROM notifications AS n
JOIN memberships AS m ON m.organization_id = n.organization_id AND m.user_id = n.user_id
LEFT JOIN objectives AS o ON o.organization_id = n.organization_id AND o.id = n.objective_id
LEFT JOIN team_members AS tm ON tm.organization_id = n.organization_id AND tm.team_id = o.team_id AND tm.user_id = n.user_id
LEFT JOIN users AS actor ON actor.id = n.actor_id
WHERE n.organization_id = @organization_id::uuid
  AND n.user_id = ANY (@user_ids::uuid[])
  AND n.read_at IS NULL
  AND n.latest_id > @after_id::uuid
  AND (n.objective_id IS NULL
       OR objective_is_visible(o.visibility, o.owner_id, o.team_id, n.user_id, m.role IN ('owner', 'admin'),
                               CASE WHEN tm.role IS NOT NULL THEN ARRAY[tm.team_id] ELSE '{}' END, CASE WHEN tm.role = 'lead' THEN ARRAY[tm.team_id] ELSE '{}' END))
ORDER BY n.latest_id
LIMIT 500;

-- name: ListDigestPeopleAfter :many
-- Members in the order of their ids who may get digests, with the time zone they live in and where the last digest ended.
SELECT m.user_id, u.time_zone, coalesce(s.digest, 'daily')::text AS digest, s.digest_sent_on,
       coalesce(s.digest_through_id, '00000000-0000-0000-0000-000000000000')::uuid AS digest_through_id
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
LEFT JOIN mail_settings AS s ON s.organization_id = m.organization_id AND s.user_id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id > @after_id::uuid
  AND m.suspended_at IS NULL
  AND s.unsubscribed_at IS NULL
  AND coalesce(s.digest, 'daily') <> 'off'
ORDER BY m.user_id
LIMIT least(@page_size::int, 1000);

-- name: ListNoticesForDigests :many
-- What these members have not read since their last digests, of what they want in one and may see now, and what was written before @settled: newest first, 50 for each,
-- with how many there are in all. digest_kinds are those that are in digests for whoever has not chosen otherwise.
SELECT d.user_id, d.kind, d.title, d.actor_name, d.detail, d.occurrences, d.latest_id, d.place::int AS place, d.total::int AS total
FROM (
    SELECT n.user_id, n.kind, n.title, actor.name AS actor_name, n.detail, n.occurrences, n.latest_id,
           row_number() OVER (PARTITION BY n.user_id ORDER BY n.latest_id DESC) AS place, count(*) OVER (PARTITION BY n.user_id) AS total
    FROM (SELECT unnest(@user_ids::uuid[]) AS user_id, unnest(@through_ids::uuid[]) AS through_id) AS w
    JOIN notifications AS n ON n.organization_id = @organization_id::uuid AND n.user_id = w.user_id AND n.latest_id > w.through_id
    JOIN memberships AS m ON m.organization_id = @organization_id::uuid AND m.user_id = w.user_id
    LEFT JOIN notification_preferences AS p ON p.organization_id = @organization_id::uuid AND p.user_id = w.user_id AND p.kind = n.kind
    LEFT JOIN objectives AS o ON o.organization_id = @organization_id::uuid AND o.id = n.objective_id
    LEFT JOIN team_members AS tm ON tm.organization_id = @organization_id::uuid AND tm.team_id = o.team_id AND tm.user_id = w.user_id
    LEFT JOIN users AS actor ON actor.id = n.actor_id
    WHERE n.read_at IS NULL
      AND n.changed_at < @settled::timestamptz
      AND CASE WHEN p.mail IS NULL THEN n.kind = ANY (@digest_kinds::text[]) ELSE p.mail = 'digest' END
      AND (n.objective_id IS NULL
           OR objective_is_visible(o.visibility, o.owner_id, o.team_id, w.user_id, m.role IN ('owner', 'admin'),
                                   CASE WHEN tm.role IS NOT NULL THEN ARRAY[tm.team_id] ELSE '{}' END, CASE WHEN tm.role = 'lead' THEN ARRAY[tm.team_id] ELSE '{}' END))
) AS d
WHERE d.place <= 50
ORDER BY d.user_id, d.place
LIMIT 50000;

-- name: ClaimDigests :many
-- Takes the right to send these members the digest of a day of theirs, once for each day however often and by however many it is tried.
INSERT INTO mail_settings AS s (organization_id, user_id, digest_through_id, digest_sent_on)
SELECT @organization_id::uuid, w.user_id, w.through_id, w.sent_on
FROM (SELECT unnest(@user_ids::uuid[]) AS user_id, unnest(@through_ids::uuid[]) AS through_id, unnest(@days::date[]) AS sent_on) AS w
ORDER BY w.user_id
ON CONFLICT (organization_id, user_id)
DO UPDATE SET digest_through_id = greatest(s.digest_through_id, excluded.digest_through_id), digest_sent_on = excluded.digest_sent_on
    WHERE s.digest_sent_on IS NULL OR s.digest_sent_on < excluded.digest_sent_on
RETURNING s.user_id;

-- name: ListActiveMembersAfter :many
-- Who is not suspended, in the order of their ids.
SELECT m.user_id
FROM memberships AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id > @after_id::uuid
  AND m.suspended_at IS NULL
ORDER BY m.user_id
LIMIT least(@page_size::int, 1000);

-- name: ListOutdatedObjectives :many
-- Approved objectives of these members in active cycles whose key results have all been silent since before @before, with when the last one was heard of.
SELECT o.id, o.owner_id, o.title, o.changed_at, c.starts_on, c.ends_on, bool_or(k.current_at IS NOT NULL)::bool AS checked_in,
       coalesce(max(k.current_at), o.changed_at)::timestamptz AS checked_in_at
FROM objectives AS o
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
JOIN key_results AS k ON k.organization_id = o.organization_id AND k.objective_id = o.id
WHERE o.organization_id = @organization_id::uuid
  AND o.owner_id = ANY (@user_ids::uuid[])
  AND o.state = 'approved'
  AND o.archived_at IS NULL
  AND c.state = 'active'
  AND k.archived_at IS NULL
GROUP BY o.organization_id, o.id, o.owner_id, o.title, o.changed_at, c.starts_on, c.ends_on
HAVING coalesce(max(k.current_at), o.changed_at) < @before::timestamptz
ORDER BY o.owner_id, o.id
LIMIT 20000;

-- name: GetObjectiveForNotice :one
-- An objective whoever sees it, with whoever did something to it; for deciding whom to tell, each of whom must see it to be told.
SELECT o.id, o.title, o.owner_id, o.created_by, o.team_id, o.revision, coalesce(u.name, '')::text AS actor_name
FROM objectives AS o
LEFT JOIN users AS u ON u.id = sqlc.narg(actor_id)::uuid
WHERE o.organization_id = @organization_id::uuid
  AND o.id = @id::uuid;

-- name: GetTeamForNotice :one
-- A team, with whoever did something to it.
SELECT t.id, t.name, coalesce(u.name, '')::text AS actor_name
FROM teams AS t
LEFT JOIN users AS u ON u.id = sqlc.narg(actor_id)::uuid
WHERE t.organization_id = @organization_id::uuid
  AND t.id = @id::uuid;

-- name: GetComment :one
-- One comment of an objective.
SELECT m.*
FROM comments AS m
WHERE m.organization_id = @organization_id::uuid
  AND m.objective_id = @objective_id::uuid
  AND m.id = @id::uuid;

-- name: ListCommentersBefore :many
-- Who wrote the last 200 comments on an objective before this one.
SELECT DISTINCT recent.author_id
FROM (
    SELECT m.author_id
    FROM comments AS m
    WHERE m.organization_id = @organization_id::uuid
      AND m.objective_id = @objective_id::uuid
      AND m.id < @before_id::uuid
    ORDER BY m.id DESC
    LIMIT 200
) AS recent
LIMIT 200;
