-- name: UpdateOrganizationIfRevision :one
-- Changes the named settings of an organisation that is still at @revision. No row: it has moved on.
UPDATE organizations AS o
SET name              = coalesce(sqlc.narg(name)::text, o.name),
    locale            = coalesce(sqlc.narg(locale)::text, o.locale),
    time_zone         = coalesce(sqlc.narg(time_zone)::text, o.time_zone),
    cadence           = coalesce(sqlc.narg(cadence)::text, o.cadence),
    grace_days        = coalesce(sqlc.narg(grace_days)::int, o.grace_days),
    ai_enabled        = coalesce(sqlc.narg(ai_enabled)::bool, o.ai_enabled),
    ai_monthly_tokens = CASE WHEN @set_ai_monthly_tokens::bool THEN sqlc.narg(ai_monthly_tokens)::bigint ELSE o.ai_monthly_tokens END,
    revision          = o.revision + 1,
    changed_at        = greatest(clock_timestamp(), o.changed_at + interval '1 microsecond')
WHERE o.id = @organization_id::uuid
  AND o.revision = @revision::bigint
RETURNING o.*;
