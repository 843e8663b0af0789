-- What groups and cycles come to. objective_figures holds what each objective adds, figure_counts the sums; internal/figures keeps them.

-- name: PlaceObjectiveFigures :exec
-- Makes the rows of objectives that have none yet. They add nothing until they are computed.
INSERT INTO objective_figures (organization_id, objective_id, cycle_id)
SELECT @organization_id::uuid, o.id, o.cycle_id
FROM (SELECT unnest(@objective_ids::uuid[]) AS id) AS w
CROSS JOIN LATERAL (
    SELECT x.id, x.cycle_id
    FROM objectives AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.id = w.id
    LIMIT 1
) AS o
ORDER BY o.id
ON CONFLICT (organization_id, objective_id) DO NOTHING;

-- name: LockObjectiveFigures :many
-- What these objectives, at most 1000, add at present, held until the transaction ends: what they are is read after this, so that whoever comes later has seen no less.
SELECT f.*
FROM objective_figures AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.objective_id = ANY (@objective_ids::uuid[])
ORDER BY f.objective_id
LIMIT 1000
FOR UPDATE;

-- name: ListObjectivesForFigures :many
-- What these objectives, at most 1000, are now, with what their days are counted by.
SELECT o.id, o.cycle_id, o.team_id, o.parent_objective_id, o.visibility, o.state, (o.archived_at IS NOT NULL)::bool AS archived, o.changed_at,
       c.starts_on, c.ends_on, org.time_zone, org.cadence
FROM (SELECT unnest(@objective_ids::uuid[]) AS id) AS w
CROSS JOIN LATERAL ( -- by the key, one by one, whatever is known of the table
    SELECT x.*
    FROM objectives AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.id = w.id
    LIMIT 1
) AS o
JOIN cycles AS c ON c.organization_id = @organization_id::uuid AND c.id = o.cycle_id
JOIN organizations AS org ON org.id = @organization_id::uuid
ORDER BY o.id
LIMIT 1000;

-- name: ListKeyResultsForFigures :many
-- The key results of these objectives, at most 1000, archived ones too, each found by its objective.
SELECT k.objective_id, k.id, k.kind, k.baseline, k.target, k.stretch, k.at_least, k.at_most, k.tolerance, k.weight, k.archived_at, k.current_check_in_id, k.current_value,
       k.current_done_steps, k.current_at
FROM (SELECT unnest(@objective_ids::uuid[]) AS id) AS w
CROSS JOIN LATERAL (
    SELECT x.*
    FROM key_results AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.objective_id = w.id
    ORDER BY x.position, x.id
    LIMIT 1000
) AS k
ORDER BY k.objective_id, k.position, k.id
LIMIT 1000000;

-- name: ListStepsForFigures :many
-- The steps of these milestones.
SELECT st.key_result_id, st.id, st.weight
FROM (SELECT unnest(@key_result_ids::uuid[]) AS id) AS w
CROSS JOIN LATERAL (
    SELECT x.key_result_id, x.id, x.weight
    FROM milestone_steps AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.key_result_id = w.id
    LIMIT 1000
) AS st
LIMIT 1000000;

-- name: SumChildrenFigures :many
-- What these objectives, at most 1000, come to by what contributes to them and counts. It is read by index alone, and how many there are has no bound: it is done by the outbox, and only for objectives
-- without key results.
SELECT p.id::uuid AS id, s.children, s.restricted, s.pending, s.progress, s.overshoot
FROM (SELECT unnest(@objective_ids::uuid[]) AS id) AS p
CROSS JOIN LATERAL (
    SELECT count(*)::int AS children, (count(*) FILTER (WHERE f.restricted))::int AS restricted, (count(*) FILTER (WHERE f.pending))::int AS pending,
           coalesce(sum(f.progress), 0)::numeric AS progress, coalesce(sum(f.overshoot), 0)::numeric AS overshoot
    FROM objective_figures AS f
    WHERE f.organization_id = @organization_id::uuid
      AND f.parent_id = p.id
      AND f.counted
) AS s
LIMIT 1000;

-- name: ListWithoutKeyResults :many
-- Those of these objectives, at most 2000, that have no key result that counts.
SELECT o.id
FROM (SELECT unnest(@objective_ids::uuid[]) AS id) AS w
CROSS JOIN LATERAL (
    SELECT x.id
    FROM objectives AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.id = w.id
    LIMIT 1
) AS o
WHERE NOT EXISTS (SELECT FROM key_results AS k WHERE k.organization_id = @organization_id::uuid AND k.objective_id = o.id AND k.archived_at IS NULL)
ORDER BY o.id
LIMIT 2000;

-- name: ListChildrenMeans :many
-- What these objectives, at most 1000, come to by what contributes to them, where anything does. hidden says whether there is something among it that the actor may not see.
SELECT f.objective_id, f.children, f.pending, f.progress, f.overshoot,
       (f.children_restricted > 0
        AND EXISTS (SELECT
                    FROM objective_figures AS c
                    JOIN objectives AS o ON o.organization_id = c.organization_id AND o.id = c.objective_id
                    WHERE c.organization_id = @organization_id::uuid
                      AND c.parent_id = f.objective_id
                      AND c.counted
                      AND c.restricted
                      AND NOT objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])))::bool AS hidden
FROM objective_figures AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.objective_id = ANY (@objective_ids::uuid[])
  AND f.children > 0
ORDER BY f.objective_id
LIMIT 1000;

-- name: GetObjectiveOfKeyResult :one
-- Whose key result it is.
SELECT k.objective_id
FROM key_results AS k
WHERE k.organization_id = @organization_id::uuid
  AND k.id = @id::uuid;

-- name: WriteObjectiveFigures :exec
-- Writes what objectives add, whose rows are there and held. The arrays go together; a day that does not come is negative, and what contributes to nothing has the nil UUID for its parent. It is an INSERT because that finds each row by its key,
-- whatever is known of the table.
INSERT INTO objective_figures AS f (organization_id, objective_id, cycle_id, group_id, counted, restricted, pending, progress, overshoot, on_track_until, at_risk_until,
                                    key_results_until, outdated_from, parent_id, children, children_restricted)
SELECT @organization_id::uuid, w.objective_id, w.cycle_id, w.group_id, w.counted, w.restricted, w.pending, w.progress::numeric, w.overshoot::numeric,
       nullif(w.on_track_until, -1), nullif(w.at_risk_until, -1), nullif(w.key_results_until, -1), nullif(w.outdated_from, -1),
       nullif(w.parent_id, '00000000-0000-0000-0000-000000000000'::uuid), w.children, w.children_restricted
FROM (SELECT unnest(@objective_ids::uuid[]) AS objective_id, unnest(@cycle_ids::uuid[]) AS cycle_id, unnest(@group_ids::uuid[]) AS group_id,
             unnest(@counted::bool[]) AS counted, unnest(@restricted::bool[]) AS restricted, unnest(@pending::bool[]) AS pending,
             unnest(@progress::text[]) AS progress, unnest(@overshoot::text[]) AS overshoot,
             unnest(@on_track_until::int[]) AS on_track_until, unnest(@at_risk_until::int[]) AS at_risk_until,
             unnest(@key_results_until::int[]) AS key_results_until, unnest(@outdated_from::int[]) AS outdated_from,
             unnest(@parent_ids::uuid[]) AS parent_id, unnest(@children::int[]) AS children, unnest(@children_restricted::int[]) AS children_restricted) AS w
ON CONFLICT (organization_id, objective_id) DO UPDATE
SET cycle_id = excluded.cycle_id, group_id = excluded.group_id, counted = excluded.counted, restricted = excluded.restricted, pending = excluded.pending,
    progress = excluded.progress, overshoot = excluded.overshoot, on_track_until = excluded.on_track_until, at_risk_until = excluded.at_risk_until,
    key_results_until = excluded.key_results_until, outdated_from = excluded.outdated_from, parent_id = excluded.parent_id, children = excluded.children,
    children_restricted = excluded.children_restricted, computed_at = clock_timestamp();

-- name: AddFigureCounts :exec
-- Adds to the sums, in rows of its own. The arrays go together, and none of (cycle, group, day) comes twice.
INSERT INTO figure_counts (organization_id, cycle_id, group_id, day, id, objectives, restricted, pending, left_on_track, went_off_track, key_result_off_track, outdated,
                           progress, overshoot)
SELECT @organization_id::uuid, w.cycle_id, w.group_id, w.day, @id::uuid, w.objectives, w.restricted, w.pending, w.left_on_track, w.went_off_track, w.key_result_off_track,
       w.outdated, w.progress::numeric, w.overshoot::numeric
FROM (SELECT unnest(@cycle_ids::uuid[]) AS cycle_id, unnest(@group_ids::uuid[]) AS group_id, unnest(@days::int[]) AS day, unnest(@objectives::int[]) AS objectives,
             unnest(@restricted::int[]) AS restricted, unnest(@pending::int[]) AS pending, unnest(@left_on_track::int[]) AS left_on_track,
             unnest(@went_off_track::int[]) AS went_off_track, unnest(@key_result_off_track::int[]) AS key_result_off_track, unnest(@outdated::int[]) AS outdated,
             unnest(@progress::text[]) AS progress, unnest(@overshoot::text[]) AS overshoot) AS w;

-- name: GatherFigureCounts :execrows
-- Gathers what at most @most changes, the first ones, have added to a cycle's sums into the rows with the nil id, and returns to how many of these. Whoever calls it holds the
-- cycle's row.
WITH taken AS (
    DELETE FROM figure_counts AS t
    WHERE t.organization_id = @organization_id::uuid
      AND t.cycle_id = @cycle_id::uuid
      AND t.id <> '00000000-0000-0000-0000-000000000000'::uuid
      AND t.id = ANY (ARRAY(SELECT DISTINCT a.id
                            FROM figure_counts AS a
                            WHERE a.organization_id = @organization_id::uuid
                              AND a.cycle_id = @cycle_id::uuid
                              AND a.id <> '00000000-0000-0000-0000-000000000000'::uuid
                            ORDER BY a.id
                            LIMIT least(@most::int, 1000)))
    RETURNING t.*
)
INSERT INTO figure_counts AS f (organization_id, cycle_id, group_id, day, id, objectives, restricted, pending, left_on_track, went_off_track, key_result_off_track, outdated,
                                progress, overshoot)
SELECT @organization_id::uuid, @cycle_id::uuid, t.group_id, t.day, '00000000-0000-0000-0000-000000000000'::uuid, sum(t.objectives)::int, sum(t.restricted)::int,
       sum(t.pending)::int, sum(t.left_on_track)::int, sum(t.went_off_track)::int, sum(t.key_result_off_track)::int, sum(t.outdated)::int,
       coalesce(sum(t.progress), 0)::numeric, coalesce(sum(t.overshoot), 0)::numeric
FROM taken AS t
GROUP BY t.group_id, t.day
ORDER BY t.group_id, t.day
ON CONFLICT (organization_id, cycle_id, group_id, day, id) DO UPDATE
SET objectives = f.objectives + excluded.objectives, restricted = f.restricted + excluded.restricted, pending = f.pending + excluded.pending,
    left_on_track = f.left_on_track + excluded.left_on_track, went_off_track = f.went_off_track + excluded.went_off_track,
    key_result_off_track = f.key_result_off_track + excluded.key_result_off_track, outdated = f.outdated + excluded.outdated,
    progress = f.progress + excluded.progress, overshoot = f.overshoot + excluded.overshoot;

-- name: SumFigures :many
-- What these groups, at most 300, come to on the day of that number. A group of which nothing was ever counted has no row. At most as many rows of a group are read as
-- the cycle has days, and a few that were added lately.
SELECT f.group_id, sum(f.objectives)::int AS objectives, sum(f.restricted)::int AS restricted, sum(f.pending)::int AS pending, sum(f.left_on_track)::int AS left_on_track,
       sum(f.went_off_track)::int AS went_off_track, sum(f.key_result_off_track)::int AS key_result_off_track, sum(f.outdated)::int AS outdated,
       coalesce(sum(f.progress), 0)::numeric AS progress, coalesce(sum(f.overshoot), 0)::numeric AS overshoot
FROM figure_counts AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.cycle_id = @cycle_id::uuid
  AND f.group_id = ANY (@group_ids::uuid[])
  AND f.day <= greatest(@day::int, 0)
GROUP BY f.group_id
ORDER BY f.group_id
LIMIT 300;

-- name: GetCycleFigures :one
-- What a cycle's figures were computed with. No row: never.
SELECT f.*
FROM cycle_figures AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.cycle_id = @cycle_id::uuid;

-- name: LockCycleFigures :one
-- As GetCycleFigures, held until the transaction ends: whoever computes the cycle anew does it alone.
SELECT f.*
FROM cycle_figures AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.cycle_id = @cycle_id::uuid
FOR UPDATE;

-- name: TryLockCycleFigures :one
-- As LockCycleFigures. No row: somebody else holds it, or there is none.
SELECT f.*
FROM cycle_figures AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.cycle_id = @cycle_id::uuid
FOR UPDATE SKIP LOCKED;

-- name: BeginCycleFigures :many
-- Notes that the figures of cycles have to be computed from the first objective on: of those whose dates, or whose organisation's time zone or cadence, are not those that
-- they were computed with, or that were computed by older rules, at most 100 at a time, and which they are. @cycle_id chooses one, whatever it was computed with.
INSERT INTO cycle_figures AS f (organization_id, cycle_id, starts_on, ends_on, time_zone, cadence, rules, rebuilding_after)
SELECT c.organization_id, c.id, c.starts_on, c.ends_on, o.time_zone, o.cadence, @rules::int, '00000000-0000-0000-0000-000000000000'::uuid
FROM cycles AS c
JOIN organizations AS o ON o.id = c.organization_id
LEFT JOIN cycle_figures AS p ON p.organization_id = c.organization_id AND p.cycle_id = c.id
WHERE c.organization_id = @organization_id::uuid
  AND ((sqlc.narg(cycle_id)::uuid IS NOT NULL AND c.id = sqlc.narg(cycle_id)::uuid)
       OR (sqlc.narg(cycle_id)::uuid IS NULL
           AND (p.cycle_id IS NULL OR p.starts_on <> c.starts_on OR p.ends_on <> c.ends_on OR p.time_zone <> o.time_zone OR p.cadence <> o.cadence OR p.rules < @rules::int)))
ORDER BY c.id
LIMIT 100
ON CONFLICT (organization_id, cycle_id) DO UPDATE
SET starts_on = excluded.starts_on, ends_on = excluded.ends_on, time_zone = excluded.time_zone, cadence = excluded.cadence, rules = excluded.rules, rebuilding_after = excluded.rebuilding_after
RETURNING f.cycle_id;

-- name: AdvanceCycleFigures :exec
-- Notes how far a cycle has been computed, or that it is done.
UPDATE cycle_figures AS f
SET rebuilding_after = sqlc.narg(rebuilding_after)::uuid,
    rebuilt_at = CASE WHEN sqlc.narg(rebuilding_after)::uuid IS NULL THEN clock_timestamp() ELSE f.rebuilt_at END
WHERE f.organization_id = @organization_id::uuid
  AND f.cycle_id = @cycle_id::uuid;

-- name: ListObjectiveIDsOfCycleAfter :many
-- The next @page_size objectives of a cycle in the order of their ids, of any state, and those that are counted there though they are elsewhere now.
SELECT x.id
FROM (
    (SELECT o.id
     FROM objectives AS o
     WHERE o.organization_id = @organization_id::uuid
       AND o.cycle_id = @cycle_id::uuid
       AND o.id > @after_id::uuid
     ORDER BY o.id
     LIMIT least(@page_size::int, 1000))
    UNION
    (SELECT f.objective_id
     FROM objective_figures AS f
     WHERE f.organization_id = @organization_id::uuid
       AND f.cycle_id = @cycle_id::uuid
       AND f.objective_id > @after_id::uuid
       AND f.counted
       AND NOT EXISTS (SELECT FROM objectives AS s WHERE s.organization_id = f.organization_id AND s.id = f.objective_id AND s.cycle_id = f.cycle_id)
     ORDER BY f.objective_id
     LIMIT least(@page_size::int, 1000))
) AS x
ORDER BY x.id
LIMIT least(@page_size::int, 1000);

-- name: MendFigureCounts :execrows
-- Adds what is missing between the sums of a cycle and what its objectives add, and returns in how many places. It is one statement, so it sees both at one moment, and
-- whatever is being added meanwhile stays right.
WITH objective AS MATERIALIZED (
    SELECT f.group_id, f.restricted, f.pending, f.progress, f.overshoot, f.on_track_until, f.at_risk_until, f.key_results_until, f.outdated_from
    FROM objective_figures AS f
    WHERE f.organization_id = @organization_id::uuid
      AND f.cycle_id = @cycle_id::uuid
      AND f.counted
), part AS (
    SELECT o.group_id, -1 AS day, 1 AS objectives, o.restricted::int AS restricted, o.pending::int AS pending, 0 AS left_on_track, 0 AS went_off_track,
           0 AS key_result_off_track, 0 AS outdated, o.progress, o.overshoot
    FROM objective AS o
    UNION ALL SELECT o.group_id, o.on_track_until, 0, 0, 0, 1, 0, 0, 0, 0, 0 FROM objective AS o WHERE o.on_track_until IS NOT NULL
    UNION ALL SELECT o.group_id, o.at_risk_until, 0, 0, 0, 0, 1, 0, 0, 0, 0 FROM objective AS o WHERE o.at_risk_until IS NOT NULL
    UNION ALL SELECT o.group_id, o.key_results_until, 0, 0, 0, 0, 0, 1, 0, 0, 0 FROM objective AS o WHERE o.key_results_until IS NOT NULL
    UNION ALL SELECT o.group_id, o.outdated_from, 0, 0, 0, 0, 0, 0, 1, 0, 0 FROM objective AS o WHERE o.outdated_from IS NOT NULL
), wanted AS (
    SELECT p.* FROM part AS p
    UNION ALL
    SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, p.day, p.objectives, p.restricted, p.pending, p.left_on_track, p.went_off_track, p.key_result_off_track, p.outdated,
           p.progress, p.overshoot
    FROM part AS p
    UNION ALL
    SELECT c.group_id, c.day, -c.objectives, -c.restricted, -c.pending, -c.left_on_track, -c.went_off_track, -c.key_result_off_track, -c.outdated, -c.progress, -c.overshoot
    FROM figure_counts AS c
    WHERE c.organization_id = @organization_id::uuid
      AND c.cycle_id = @cycle_id::uuid
)
INSERT INTO figure_counts (organization_id, cycle_id, group_id, day, id, objectives, restricted, pending, left_on_track, went_off_track, key_result_off_track, outdated,
                           progress, overshoot)
SELECT @organization_id::uuid, @cycle_id::uuid, w.group_id, w.day, @id::uuid, sum(w.objectives), sum(w.restricted), sum(w.pending), sum(w.left_on_track),
       sum(w.went_off_track), sum(w.key_result_off_track), sum(w.outdated), sum(w.progress), sum(w.overshoot)
FROM wanted AS w
GROUP BY w.group_id, w.day
HAVING sum(w.objectives) <> 0 OR sum(w.restricted) <> 0 OR sum(w.pending) <> 0 OR sum(w.left_on_track) <> 0 OR sum(w.went_off_track) <> 0
    OR sum(w.key_result_off_track) <> 0 OR sum(w.outdated) <> 0 OR sum(w.progress) <> 0 OR sum(w.overshoot) <> 0;

-- name: ListCyclesForFigures :many
-- Cycles that are not closed, at most 200: those whose days are recorded.
SELECT c.id, c.starts_on, c.ends_on
FROM cycles AS c
WHERE c.organization_id = @organization_id::uuid
  AND c.state = 'active'
ORDER BY c.ends_on DESC, c.id
LIMIT 200;

-- name: RecordCycleDay :execrows
-- Records how a cycle and each of its groups stand on the day of that number, unless the day was recorded before, and returns how many.
INSERT INTO cycle_figures_daily (organization_id, cycle_id, group_id, day, objectives, restricted, pending, on_track, at_risk, off_track, key_result_off_track, outdated,
                                 progress, overshoot, recorded_at)
SELECT @organization_id::uuid, @cycle_id::uuid, f.group_id, @recorded_day::date, sum(f.objectives), sum(f.restricted), sum(f.pending),
       sum(f.objectives) - sum(f.pending) - sum(f.left_on_track), sum(f.left_on_track) - sum(f.went_off_track), sum(f.went_off_track), sum(f.key_result_off_track),
       sum(f.outdated), sum(f.progress), sum(f.overshoot), coalesce(sqlc.narg(recorded_at)::timestamptz, clock_timestamp())
FROM figure_counts AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.cycle_id = @cycle_id::uuid
  AND f.day <= greatest(@day::int, 0)
GROUP BY f.group_id
HAVING sum(f.objectives) > 0
ON CONFLICT (organization_id, cycle_id, group_id, day) DO NOTHING;

-- name: ListCycleDays :many
-- How a group stood when each of the cycle's last 1100 recorded days ended, newest first.
SELECT d.*
FROM cycle_figures_daily AS d
WHERE d.organization_id = @organization_id::uuid
  AND d.cycle_id = @cycle_id::uuid
  AND d.group_id = @group_id::uuid
ORDER BY d.day DESC
LIMIT 1100;

-- name: ListGroupsOnDay :many
-- How these groups, at most 300, stood at the end of the last day that had ended by @recorded_by and was recorded.
SELECT d.*
FROM cycle_figures_daily AS d
WHERE d.organization_id = @organization_id::uuid
  AND d.cycle_id = @cycle_id::uuid
  AND d.group_id = ANY (@group_ids::uuid[])
  AND d.day = (SELECT l.day
               FROM cycle_figures_daily AS l
               WHERE l.organization_id = @organization_id::uuid
                 AND l.cycle_id = @cycle_id::uuid
                 AND l.group_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
                 AND l.recorded_at <= @recorded_by::timestamptz
               ORDER BY l.day DESC
               LIMIT 1)
ORDER BY d.group_id
LIMIT 300;

-- name: PutCycleDays :exec
-- Records days of the past, computed from what is known of them, in place of nothing: days that were recorded stay. The arrays go together.
INSERT INTO cycle_figures_daily (organization_id, cycle_id, group_id, day, objectives, restricted, pending, on_track, at_risk, off_track, key_result_off_track, outdated,
                                 progress, overshoot, recorded_at)
SELECT @organization_id::uuid, @cycle_id::uuid, w.group_id, w.day, w.objectives, w.restricted, w.pending, w.on_track, w.at_risk, w.off_track, w.key_result_off_track, w.outdated,
       w.progress::numeric, w.overshoot::numeric, w.recorded_at
FROM (SELECT unnest(@group_ids::uuid[]) AS group_id, unnest(@days::date[]) AS day, unnest(@objectives::int[]) AS objectives, unnest(@restricted::int[]) AS restricted,
             unnest(@pending::int[]) AS pending, unnest(@on_track::int[]) AS on_track, unnest(@at_risk::int[]) AS at_risk, unnest(@off_track::int[]) AS off_track,
             unnest(@key_result_off_track::int[]) AS key_result_off_track, unnest(@outdated::int[]) AS outdated, unnest(@progress::text[]) AS progress,
             unnest(@overshoot::text[]) AS overshoot, unnest(@recorded_at::timestamptz[]) AS recorded_at) AS w
ON CONFLICT (organization_id, cycle_id, group_id, day) DO NOTHING;

-- name: ListCyclesOfOrganization :many
-- All cycles, at most 1000, with what their days are counted by: for computing the past anew.
SELECT c.id, c.starts_on, c.ends_on, o.time_zone, o.cadence
FROM cycles AS c
JOIN organizations AS o ON o.id = c.organization_id
WHERE c.organization_id = @organization_id::uuid
ORDER BY c.id
LIMIT 1000;

-- name: CountFiguresComputedSince :one
-- How many counted objectives of a cycle have had their rows written since a moment.
SELECT count(*)::int AS objectives
FROM objective_figures AS f
WHERE f.organization_id = @organization_id::uuid
  AND f.cycle_id = @cycle_id::uuid
  AND f.counted
  AND f.computed_at >= @since::timestamptz;
