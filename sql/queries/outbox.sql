-- name: CreateOutboxEvent :exec
-- Has something delivered, not before @available_at if that is given. It is not audited: what asks for it has been.
INSERT INTO outbox_events (organization_id, id, kind, target_id, available_at)
VALUES (@organization_id::uuid, @id::uuid, @kind::text, @target_id::uuid, coalesce(sqlc.narg(available_at)::timestamptz, clock_timestamp()));
