-- name: HoldAIUsage :exec
-- Holds the organisation's present month until the transaction ends, so that those who ask a model under a bound do so one after another.
INSERT INTO ai_usage AS u (organization_id, month)
SELECT o.id, date_trunc('month', coalesce(sqlc.narg(now)::timestamptz, now()) AT TIME ZONE o.time_zone)::date
FROM organizations AS o
WHERE o.id = @organization_id::uuid
ON CONFLICT (organization_id, month) DO UPDATE SET calls = u.calls;

-- name: GetAIUsage :one
-- What models may take and have taken in the organisation's present month, and how many questions to them have no answer yet: at most 10000 are counted, and only those up to @up_to_id.
SELECT o.ai_enabled, o.ai_monthly_tokens, t.month::date AS month,
       coalesce(u.calls, 0)::bigint AS calls, coalesce(u.input_tokens, 0)::bigint AS input_tokens, coalesce(u.output_tokens, 0)::bigint AS output_tokens, u.source,
       (SELECT count(*) FROM (SELECT 1
                              FROM ai_jobs AS j
                              WHERE j.organization_id = @organization_id::uuid
                                AND j.state IN ('queued', 'running')
                                AND j.coach = 'model'
                                AND j.id <= @up_to_id::uuid
                              LIMIT 10000) AS s)::int AS live
FROM organizations AS o
CROSS JOIN LATERAL (SELECT date_trunc('month', coalesce(sqlc.narg(now)::timestamptz, now()) AT TIME ZONE o.time_zone)::date AS month) AS t
LEFT JOIN ai_usage AS u ON u.organization_id = @organization_id::uuid AND u.month = t.month
WHERE o.id = @organization_id::uuid;

-- name: AddAIUsage :exec
-- Adds what a model has taken to the organisation's present month.
INSERT INTO ai_usage AS u (organization_id, month, calls, input_tokens, output_tokens, source)
SELECT o.id, date_trunc('month', coalesce(sqlc.narg(now)::timestamptz, now()) AT TIME ZONE o.time_zone)::date, 1, @input_tokens::bigint, @output_tokens::bigint, @source::text
FROM organizations AS o
WHERE o.id = @organization_id::uuid
ON CONFLICT (organization_id, month) DO UPDATE
SET calls = u.calls + 1, input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens, source = excluded.source;
