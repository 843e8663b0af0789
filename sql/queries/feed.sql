-- name: CreateFeedEntry :exec
-- Takes an event of the audit over into the feed, if it is about an objective and of these actions; a second time changes nothing. Only ids and small facts are taken.
WITH happened AS MATERIALIZED ( -- apart, because behind row-level security no index is asked for what a cast has made
    SELECT e.id, e.action, e.actor_id, e.happened_at,
           CASE e.target_kind WHEN 'objective' THEN e.target_id WHEN 'key_result' THEN (e.detail->>'objective_id')::uuid END AS objective_id,
           jsonb_strip_nulls(jsonb_build_object('revision', e.target_revision, 'comment_id', e.detail->'comment_id', 'check_in_id', e.detail->'check_in_id',
               'corrects_id', e.detail->'corrects_id', 'suggestion_id', e.detail->'suggestion_id',
               'key_result_id', CASE WHEN e.target_kind = 'key_result' THEN e.target_id END)) AS detail
    FROM audit_events AS e
    WHERE e.organization_id = @organization_id::uuid
      AND e.id = @id::uuid
      AND e.action = ANY (@actions::text[])
)
INSERT INTO feed_entries (organization_id, id, objective_id, action, actor_id, detail, happened_at)
SELECT @organization_id::uuid, h.id, o.id, h.action, h.actor_id, h.detail, h.happened_at
FROM happened AS h
JOIN objectives AS o ON o.organization_id = @organization_id::uuid AND o.id = h.objective_id
ON CONFLICT (organization_id, id) DO NOTHING;

-- name: ListFeedBefore :many
-- The next @scan entries behind @before_id, newest first, of which shown says whether the actor may see the objective now and it is of the team that is asked for. How many
-- are looked at has a bound, and how many are shown has none from below: whoever pages goes on from the last one that was looked at.
SELECT f.id, f.objective_id, o.title, f.action, f.actor_id, actor.name AS actor_name, f.detail, f.happened_at, o.shown
FROM (
    SELECT e.organization_id, e.id, e.objective_id, e.action, e.actor_id, e.detail, e.happened_at
    FROM feed_entries AS e
    WHERE e.organization_id = @organization_id::uuid
      AND e.id < @before_id::uuid
    ORDER BY e.id DESC
    LIMIT least(@scan::int, 1000)
) AS f
CROSS JOIN LATERAL (
    SELECT x.title,
           ((sqlc.narg(team_id)::uuid IS NULL OR coalesce(x.team_id = sqlc.narg(team_id)::uuid, false))
            AND objective_is_visible(x.visibility, x.owner_id, x.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))::bool AS shown
    FROM objectives AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.id = f.objective_id
    LIMIT 1
) AS o
LEFT JOIN users AS actor ON actor.id = f.actor_id
ORDER BY f.id DESC
LIMIT 1000;

-- name: ListFeedOfObjectiveBefore :many
-- The feed of one objective that the actor was found to see, newest first, behind @before_id.
SELECT f.id, f.objective_id, o.title, f.action, f.actor_id, actor.name AS actor_name, f.detail, f.happened_at
FROM feed_entries AS f
JOIN objectives AS o ON o.organization_id = f.organization_id AND o.id = f.objective_id
LEFT JOIN users AS actor ON actor.id = f.actor_id
WHERE f.organization_id = @organization_id::uuid
  AND f.objective_id = @objective_id::uuid
  AND f.id < @before_id::uuid
ORDER BY f.id DESC
LIMIT least(@page_size::int, 201);
