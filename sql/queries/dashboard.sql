-- What the dashboard and the pages of teams and cycles show, beside the figures. Each statement reads a bounded number of rows, however large the organisation is.

-- name: ListCyclesAround :many
-- Cycles that have not ended by @day, at most the 20 that end first, and those that have, at most the latest 10, in the order in which they end.
SELECT c.id, c.name, c.starts_on, c.ends_on, c.state, c.revision, c.created_at, c.changed_at
FROM (
    (SELECT n.*
     FROM cycles AS n
     WHERE n.organization_id = @organization_id::uuid
       AND n.ends_on >= @day::date
     ORDER BY n.ends_on, n.id DESC
     LIMIT 20)
    UNION ALL
    (SELECT p.*
     FROM cycles AS p
     WHERE p.organization_id = @organization_id::uuid
       AND p.ends_on < @day::date
     ORDER BY p.ends_on DESC, p.id
     LIMIT 10)
) AS c
ORDER BY c.ends_on, c.id
LIMIT 30;

-- name: ListTeamsByID :many
-- Those of these teams that are not archived, by name.
SELECT t.id, t.name
FROM teams AS t
WHERE t.organization_id = @organization_id::uuid
  AND t.id = ANY (@team_ids::uuid[])
  AND t.archived_at IS NULL
ORDER BY lower(t.name), t.id
LIMIT least(@page_size::int, 201);

-- name: ListGroupsOfFew :many
-- Which groups of a cycle have one or two objectives, of which the reader may not see one: of these groups, and of those with objectives that not everybody sees, looked for
-- among the first 200 of these, which are all there are unless CountRestricted says otherwise. A group with no such objective has no row.
WITH restricted AS (
    SELECT f.group_id
    FROM objective_figures AS f
    WHERE f.organization_id = @organization_id::uuid
      AND f.cycle_id = @cycle_id::uuid
      AND f.counted
      AND f.restricted
    ORDER BY f.group_id
    LIMIT 200
), candidate AS (
    SELECT r.group_id FROM restricted AS r
    UNION
    SELECT unnest(@group_ids::uuid[])
)
SELECT c.group_id, count(*)::int AS objectives
FROM candidate AS c
CROSS JOIN LATERAL (
    SELECT f.objective_id
    FROM objective_figures AS f
    WHERE f.organization_id = @organization_id::uuid
      AND f.cycle_id = @cycle_id::uuid
      AND f.group_id = c.group_id
      AND f.counted
    ORDER BY f.objective_id
    LIMIT 3
) AS few
CROSS JOIN LATERAL ( -- by the key, one by one: a join would read all of them where many groups are looked at
    SELECT x.visibility, x.owner_id, x.team_id
    FROM objectives AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.id = few.objective_id
    LIMIT 1
) AS o
GROUP BY c.group_id
HAVING count(*) < 3
   AND NOT bool_and(objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[]))
ORDER BY c.group_id
LIMIT 500;

-- name: CountRestricted :one
-- Whether a cycle has more than 200 objectives that not everybody may see: then ListGroupsOfFew has not seen all of them.
SELECT count(*)::int AS restricted
FROM (
    SELECT f.objective_id
    FROM objective_figures AS f
    WHERE f.organization_id = @organization_id::uuid
      AND f.cycle_id = @cycle_id::uuid
      AND f.counted
      AND f.restricted
    LIMIT 201
) AS r;

-- name: ListMembersForMissingAfter :many
-- The next @scan members behind @after_id, of which missing says whether they can own objectives and own none in the cycle, drafts included. How many are looked at has a bound,
-- and how many are missing has none from below: whoever pages goes on from the last one that was looked at.
SELECT m.user_id, u.name,
       (m.owns AND NOT EXISTS (SELECT FROM objectives AS o
                               WHERE o.organization_id = @organization_id::uuid AND o.owner_id = m.user_id AND o.cycle_id = @cycle_id::uuid AND o.archived_at IS NULL))::bool AS missing
FROM (
    SELECT s.user_id, (s.suspended_at IS NULL AND s.role <> 'viewer') AS owns
    FROM memberships AS s
    WHERE s.organization_id = @organization_id::uuid
      AND s.user_id > @after_id::uuid
    ORDER BY s.user_id
    LIMIT least(@scan::int, 1000)
) AS m
CROSS JOIN LATERAL (SELECT x.name FROM users AS x WHERE x.id = m.user_id LIMIT 1) AS u -- by the key: how many there are is not known to the planner
ORDER BY m.user_id
LIMIT 1000;

-- name: ListMembersOfTeamsForMissingAfter :many
-- As ListMembersForMissingAfter, of members of these teams.
SELECT m.user_id, u.name,
       (s.owns AND NOT EXISTS (SELECT FROM objectives AS o
                               WHERE o.organization_id = @organization_id::uuid AND o.owner_id = m.user_id AND o.cycle_id = @cycle_id::uuid AND o.archived_at IS NULL))::bool AS missing
FROM (
    SELECT DISTINCT tm.user_id
    FROM (SELECT unnest(@of_team_ids::uuid[]) AS id) AS t
    CROSS JOIN LATERAL (
        SELECT x.user_id
        FROM team_members AS x
        WHERE x.organization_id = @organization_id::uuid
          AND x.team_id = t.id
          AND x.user_id > @after_id::uuid
        ORDER BY x.user_id
        LIMIT least(@scan::int, 1000)
    ) AS tm
    ORDER BY tm.user_id
    LIMIT least(@scan::int, 1000)
) AS m
CROSS JOIN LATERAL (
    SELECT (x.suspended_at IS NULL AND x.role <> 'viewer') AS owns
    FROM memberships AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.user_id = m.user_id
    LIMIT 1
) AS s
CROSS JOIN LATERAL (SELECT x.name FROM users AS x WHERE x.id = m.user_id LIMIT 1) AS u
ORDER BY m.user_id
LIMIT 1000;

-- name: ListTeamsForMissing :many
-- The first @scan teams by creation, of which missing says whether they have no objective in the cycle, drafts included.
SELECT t.id, t.name,
       (NOT EXISTS (SELECT FROM objectives AS o
                    WHERE o.organization_id = @organization_id::uuid AND o.team_id = t.id AND o.cycle_id = @cycle_id::uuid AND o.archived_at IS NULL))::bool AS missing
FROM (
    SELECT s.id, s.name
    FROM teams AS s
    WHERE s.organization_id = @organization_id::uuid
      AND s.archived_at IS NULL
    ORDER BY s.id
    LIMIT least(@scan::int, 1000)
) AS t
ORDER BY t.id
LIMIT 1000;

-- name: ListOutdatedAfter :many
-- Objectives of a cycle that are outdated on the day of that number, the longest first, behind (@after_day, @after_id).
SELECT f.objective_id, f.outdated_from, o.title, o.owner_id, owner.name AS owner_name, o.team_id
FROM (
    SELECT x.objective_id, x.outdated_from
    FROM objective_figures AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.cycle_id = @cycle_id::uuid
      AND x.outdated_from IS NOT NULL
      AND x.outdated_from <= @day::int
      AND (x.outdated_from, x.objective_id) > (@after_day::int, @after_id::uuid)
    ORDER BY x.outdated_from, x.objective_id
    LIMIT least(@page_size::int, 201)
) AS f
CROSS JOIN LATERAL (
    SELECT y.title, y.owner_id, y.team_id
    FROM objectives AS y
    WHERE y.organization_id = @organization_id::uuid
      AND y.id = f.objective_id
    LIMIT 1
) AS o
CROSS JOIN LATERAL (SELECT y.name FROM users AS y WHERE y.id = o.owner_id LIMIT 1) AS owner
ORDER BY f.outdated_from, f.objective_id
LIMIT 201;

-- name: ListOutdatedOfTeamsAfter :many
-- As ListOutdatedAfter, of these teams, at most @page_size of each; the caller takes the first of all. What has just left a team may still stand among its figures, so visibility is asked.
SELECT f.objective_id, f.outdated_from, o.title, o.owner_id, owner.name AS owner_name, o.team_id
FROM (SELECT unnest(@of_team_ids::uuid[]) AS id) AS t
CROSS JOIN LATERAL (
    SELECT x.objective_id, x.outdated_from
    FROM objective_figures AS x
    WHERE x.organization_id = @organization_id::uuid
      AND x.cycle_id = @cycle_id::uuid
      AND x.group_id = t.id
      AND x.outdated_from IS NOT NULL
      AND x.outdated_from <= @day::int
      AND (x.outdated_from, x.objective_id) > (@after_day::int, @after_id::uuid)
      AND (SELECT objective_is_visible(v.visibility, v.owner_id, v.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
           FROM objectives AS v
           WHERE v.organization_id = @organization_id::uuid
             AND v.id = x.objective_id)
    ORDER BY x.outdated_from, x.objective_id
    LIMIT least(@page_size::int, 201)
) AS f
CROSS JOIN LATERAL (
    SELECT y.title, y.owner_id, y.team_id
    FROM objectives AS y
    WHERE y.organization_id = @organization_id::uuid
      AND y.id = f.objective_id
      AND objective_is_visible(y.visibility, y.owner_id, y.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
    LIMIT 1
) AS o
CROSS JOIN LATERAL (SELECT y.name FROM users AS y WHERE y.id = o.owner_id LIMIT 1) AS owner
ORDER BY f.outdated_from, f.objective_id
LIMIT least(@page_size::int, 201);

-- name: GetOldestWaitingEvent :one
-- Since when what happened has not been taken over into figures, feed and inbox. No row: everything has.
SELECT e.created_at
FROM outbox_events AS e
WHERE e.organization_id = @organization_id::uuid
  AND e.state = 'waiting'
  AND NOT e.outgoing
  AND e.available_at <= now()
ORDER BY e.available_at
LIMIT 1;
