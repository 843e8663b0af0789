-- How things stood at a past moment, by the history and the check-ins of then.

-- name: ListObjectivesAsOf :many
-- What these objectives, at most 200 that the actor was found to see, said at a moment: of each the revision that held then. One that was not there yet has no row.
SELECT o.id, o.created_at, h.revision, h.content, h.changed_at, h.changed_by
FROM objectives AS o
CROSS JOIN LATERAL (
    SELECT x.revision, x.content, x.changed_at, x.changed_by
    FROM objective_history AS x
    WHERE x.organization_id = o.organization_id
      AND x.objective_id = o.id
      AND x.changed_at <= @as_of::timestamptz
    ORDER BY x.revision DESC
    LIMIT 1
) AS h
WHERE o.organization_id = @organization_id::uuid
  AND o.id = ANY (@objective_ids::uuid[])
ORDER BY o.id
LIMIT 200;

-- name: ListCheckInsAsOf :many
-- What was current of these key results, at most 10,000, at a moment: the latest check-in that nothing had corrected by then. One that had none yet has no row.
SELECT k.id AS key_result_id, c.id, c.value, c.done_step_ids, c.confidence, c.checked_at
FROM key_results AS k
CROSS JOIN LATERAL (
    SELECT i.id, i.value, i.done_step_ids, i.confidence, i.checked_at
    FROM check_ins AS i
    WHERE i.organization_id = k.organization_id
      AND i.key_result_id = k.id
      AND i.checked_at <= @as_of::timestamptz
      AND i.created_at <= @as_of::timestamptz
      AND NOT EXISTS (SELECT FROM check_ins AS n WHERE n.organization_id = i.organization_id AND n.corrects_id = i.id AND n.created_at <= @as_of::timestamptz)
    ORDER BY i.checked_at DESC, i.id DESC
    LIMIT 1
) AS c
WHERE k.organization_id = @organization_id::uuid
  AND k.id = ANY (@key_result_ids::uuid[])
ORDER BY k.id
LIMIT 10000;

-- name: ListCheckInSeries :many
-- The latest @each check-ins of each of these key results, at most 50, that nothing corrects, the latest first.
SELECT c.key_result_id, c.id, c.value, c.done_step_ids, c.confidence, c.checked_at
FROM key_results AS k
CROSS JOIN LATERAL (
    SELECT i.key_result_id, i.id, i.value, i.done_step_ids, i.confidence, i.checked_at
    FROM check_ins AS i
    WHERE i.organization_id = k.organization_id
      AND i.key_result_id = k.id
      AND NOT EXISTS (SELECT FROM check_ins AS n WHERE n.organization_id = i.organization_id AND n.corrects_id = i.id)
    ORDER BY i.checked_at DESC, i.id DESC
    LIMIT least(@each::int, 201)
) AS c
WHERE k.organization_id = @organization_id::uuid
  AND k.id = ANY (@key_result_ids::uuid[])
ORDER BY k.id, c.checked_at DESC, c.id DESC
LIMIT 10000;

-- name: ListHistoryOfObjectives :many
-- Everything that these objectives, at most 100, have said, in the order in which they said it: for computing the past anew.
SELECT h.objective_id, h.revision, h.content, h.changed_at
FROM objective_history AS h
WHERE h.organization_id = @organization_id::uuid
  AND h.objective_id = ANY (@objective_ids::uuid[])
ORDER BY h.objective_id, h.revision
LIMIT 100000;

-- name: ListCheckInsOfObjectives :many
-- All check-ins of these objectives, at most 100: for computing the past anew.
SELECT i.id, i.key_result_id, k.objective_id, i.value, i.done_step_ids, i.confidence, i.corrects_id, i.checked_at, i.created_at
FROM key_results AS k
JOIN check_ins AS i ON i.organization_id = k.organization_id AND i.key_result_id = k.id
WHERE k.organization_id = @organization_id::uuid
  AND k.objective_id = ANY (@objective_ids::uuid[])
ORDER BY k.objective_id, i.key_result_id, i.created_at, i.id
LIMIT 1000000;
