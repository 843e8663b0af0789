-- name: RecordEvent :exec
-- What any change leaves behind, in one statement: who did it, and the event that tells others.
WITH audit AS (
    INSERT INTO audit_events (organization_id, id, action, target_kind, target_id, target_revision, actor_id, detail, request_id, address)
    VALUES (@organization_id::uuid, @event_id::uuid, @action::text, @target_kind::text, @target_id::uuid, sqlc.narg(target_revision)::bigint,
            sqlc.narg(actor_id)::uuid, @detail::jsonb, sqlc.narg(request_id)::text, sqlc.narg(address)::text)
)
INSERT INTO outbox_events (organization_id, id, kind, target_id, target_revision)
VALUES (@organization_id::uuid, @event_id::uuid, @action::text, @target_id::uuid, sqlc.narg(target_revision)::bigint);

-- name: RecordObjectiveChange :exec
-- What a new revision of an objective leaves behind, in one statement: the content it led to, who did it, the event
-- that tells others, and the end of every open suggestion that was made for an earlier revision, but the one that is being accepted.
WITH history AS (
    INSERT INTO objective_history (organization_id, objective_id, revision, action, note, content, changed_at, changed_by)
    VALUES (@organization_id::uuid, @objective_id::uuid, @revision::bigint, @action::text, sqlc.narg(note)::text, @content::jsonb,
            @changed_at::timestamptz, @actor_id::uuid)
), superseded AS (
    UPDATE suggestions AS g
    SET state = 'superseded', decided_at = clock_timestamp()
    WHERE g.organization_id = @organization_id::uuid
      AND g.objective_id = @objective_id::uuid
      AND g.state = 'open'
      AND g.objective_revision < @revision::bigint
      AND g.id IS DISTINCT FROM sqlc.narg(accepting)::uuid
), audit AS (
    INSERT INTO audit_events (organization_id, id, action, target_kind, target_id, target_revision, actor_id, detail, request_id, address)
    VALUES (@organization_id::uuid, @event_id::uuid, @action::text, 'objective', @objective_id::uuid, @revision::bigint, @actor_id::uuid,
            @detail::jsonb, sqlc.narg(request_id)::text, sqlc.narg(address)::text)
)
INSERT INTO outbox_events (organization_id, id, kind, target_id, target_revision)
VALUES (@organization_id::uuid, @event_id::uuid, @action::text, @objective_id::uuid, @revision::bigint);

-- name: ListAuditEventsBefore :many
-- The audit, newest first, behind @before_id and no older than @from_id.
SELECT e.*
FROM audit_events AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.id < @before_id::uuid
  AND e.id >= @from_id::uuid
ORDER BY e.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListAuditEventsOfTargetBefore :many
-- As ListAuditEventsBefore, of one thing.
SELECT e.*
FROM audit_events AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.target_id = @target_id::uuid
  AND e.id < @before_id::uuid
  AND e.id >= @from_id::uuid
ORDER BY e.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListAuditEventsOfActorBefore :many
-- As ListAuditEventsBefore, of what one member did.
SELECT e.*
FROM audit_events AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.actor_id = @actor_id::uuid
  AND e.id < @before_id::uuid
  AND e.id >= @from_id::uuid
ORDER BY e.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListAuditEventsOfActionBefore :many
-- As ListAuditEventsBefore, of one action.
SELECT e.*
FROM audit_events AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.action = @action::text
  AND e.id < @before_id::uuid
  AND e.id >= @from_id::uuid
ORDER BY e.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListAuditEventsOfKindBefore :many
-- As ListAuditEventsBefore, of what was done to things of one kind.
SELECT e.*
FROM audit_events AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.target_kind = @target_kind::text
  AND e.id < @before_id::uuid
  AND e.id >= @from_id::uuid
ORDER BY e.id DESC
LIMIT least(@page_size::int, 201);

-- name: ListObjectiveHistoryBefore :many
-- An objective's revisions, newest first, below @before_revision.
SELECT h.*
FROM objective_history AS h
WHERE h.organization_id = @organization_id::uuid
  AND h.objective_id = @objective_id::uuid
  AND h.revision < @before_revision::bigint
ORDER BY h.revision DESC
LIMIT least(@page_size::int, 201);

-- name: GetObjectiveRevision :one
-- The content of one revision.
SELECT h.*
FROM objective_history AS h
WHERE h.organization_id = @organization_id::uuid
  AND h.objective_id = @objective_id::uuid
  AND h.revision = @revision::bigint;

-- name: GetAuditEvent :one
-- What was audited under an id, which is also that of the event in the outbox. No row: an event that is no change's.
SELECT e.*
FROM audit_events AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.id = @id::uuid;
