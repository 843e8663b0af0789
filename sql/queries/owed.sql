-- What members owe, in five statements that each take as many members as a run looks at together, and give at most @each for one of them. A request asks for one member.

-- name: ListOwedDrafts :many
-- Members' own drafts in active cycles: never submitted, or taken back to draft by a reviewer since they were.
SELECT d.user_id, d.id, d.title, d.starts_on, d.changed_at, d.returned
FROM (
    SELECT o.owner_id AS user_id, o.id, o.title, c.starts_on, o.changed_at,
           coalesce((SELECT h.action <> 'objective.submitted'
                     FROM objective_history AS h
                     WHERE h.organization_id = o.organization_id
                       AND h.objective_id = o.id
                       AND h.action IN ('objective.submitted', 'objective.returned', 'objective.revised')
                     ORDER BY h.revision DESC
                     LIMIT 1), false)::bool AS returned,
           row_number() OVER (PARTITION BY o.owner_id ORDER BY c.starts_on, o.id) AS place
    FROM objectives AS o
    JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
    JOIN memberships AS m ON m.organization_id = o.organization_id AND m.user_id = o.owner_id
    WHERE o.organization_id = @organization_id::uuid
      AND o.owner_id = ANY (@user_ids::uuid[])
      AND o.state = 'draft'
      AND o.archived_at IS NULL
      AND c.state = 'active'
      AND m.role <> 'viewer'
) AS d
WHERE d.place <= least(@each::int, 201)
ORDER BY d.user_id, d.place
LIMIT 50000;

-- name: ListOwedReviews :many
-- Submitted objectives that wait for these members: for the leads of their teams, or for owners and admins where there is no team, or nobody leads it. What somebody
-- wrote themself waits for them only while nobody else could review it.
SELECT r.user_id, r.id, r.title, r.changed_at
FROM (
    SELECT x.user_id, x.id, x.title, x.changed_at, row_number() OVER (PARTITION BY x.user_id ORDER BY x.changed_at, x.id) AS place
    FROM (
        SELECT tm.user_id, o.id, o.title, o.changed_at
        FROM (SELECT unnest(@user_ids::uuid[]) AS user_id) AS asked
        CROSS JOIN LATERAL (SELECT led.organization_id, led.team_id, led.user_id
                            FROM team_members AS led
                            WHERE led.organization_id = @organization_id::uuid AND led.user_id = asked.user_id AND led.role = 'lead'
                            LIMIT 1000) AS tm
        JOIN memberships AS m ON m.organization_id = @organization_id::uuid AND m.user_id = tm.user_id
        JOIN objectives AS o ON o.organization_id = @organization_id::uuid AND o.team_id = tm.team_id
        JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
        WHERE m.role <> 'viewer'
          AND o.state = 'submitted'
          AND o.archived_at IS NULL
          AND c.state <> 'closed'
          AND ((o.owner_id <> tm.user_id AND o.created_by <> tm.user_id)
               OR NOT EXISTS (SELECT FROM team_members AS another
                              JOIN memberships AS am ON am.organization_id = another.organization_id AND am.user_id = another.user_id
                              WHERE another.organization_id = @organization_id::uuid AND another.team_id = tm.team_id AND another.role = 'lead'
                                AND another.user_id <> tm.user_id AND am.suspended_at IS NULL))
        UNION ALL
        SELECT m.user_id, o.id, o.title, o.changed_at
        FROM memberships AS m
        JOIN objectives AS o ON o.organization_id = m.organization_id
        JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
        WHERE m.organization_id = @organization_id::uuid
          AND m.user_id = ANY (@user_ids::uuid[])
          AND m.role IN ('owner', 'admin')
          AND o.state = 'submitted'
          AND o.archived_at IS NULL
          AND o.team_id IS NULL
          AND c.state <> 'closed'
          AND ((o.owner_id <> m.user_id AND o.created_by <> m.user_id)
               OR NOT EXISTS (SELECT FROM memberships AS another
                              WHERE another.organization_id = @organization_id::uuid AND another.role IN ('owner', 'admin') AND another.user_id <> m.user_id
                                AND another.suspended_at IS NULL))
        UNION ALL
        SELECT m.user_id, o.id, o.title, o.changed_at
        FROM memberships AS m
        JOIN teams AS t ON t.organization_id = m.organization_id
        JOIN objectives AS o ON o.organization_id = t.organization_id AND o.team_id = t.id
        JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
        WHERE m.organization_id = @organization_id::uuid
          AND m.user_id = ANY (@user_ids::uuid[])
          AND m.role IN ('owner', 'admin')
          AND o.state = 'submitted'
          AND o.archived_at IS NULL
          AND c.state <> 'closed'
          AND NOT EXISTS (SELECT FROM team_members AS tl
                          JOIN memberships AS lm ON lm.organization_id = tl.organization_id AND lm.user_id = tl.user_id
                          WHERE tl.organization_id = @organization_id::uuid AND tl.team_id = t.id AND tl.role = 'lead' AND lm.suspended_at IS NULL)
          AND ((o.owner_id <> m.user_id AND o.created_by <> m.user_id)
               OR NOT EXISTS (SELECT FROM memberships AS another
                              WHERE another.organization_id = @organization_id::uuid AND another.role IN ('owner', 'admin') AND another.user_id <> m.user_id
                                AND another.suspended_at IS NULL))
    ) AS x
) AS r
WHERE r.place <= least(@each::int, 201)
ORDER BY r.user_id, r.place
LIMIT 50000;

-- name: ListOwedCheckIns :many
-- Key results that these members report on, as their owners or else as the objective's, of approved objectives in active cycles, that have been silent since before
-- @before; the longest silent first. Whether a check-in is due yet, and still taken, is okr's to say.
SELECT d.user_id, d.id, d.title, d.objective_id, d.objective_title, d.approved_at, d.cycle_id, d.cycle_name, d.starts_on, d.ends_on, d.current_at
FROM (
    SELECT x.user_id, x.id, x.title, x.objective_id, x.objective_title, x.approved_at, x.cycle_id, x.cycle_name, x.starts_on, x.ends_on, x.current_at,
           row_number() OVER (PARTITION BY x.user_id ORDER BY coalesce(x.current_at, x.approved_at), x.id) AS place
    FROM (
        SELECT m.user_id, k.id, k.title, o.id AS objective_id, o.title AS objective_title, o.changed_at AS approved_at, c.id AS cycle_id, c.name AS cycle_name, c.starts_on, c.ends_on, k.current_at
        FROM memberships AS m
        JOIN key_results AS k ON k.organization_id = m.organization_id AND k.owner_id = m.user_id
        JOIN objectives AS o ON o.organization_id = k.organization_id AND o.id = k.objective_id
        JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
        LEFT JOIN team_members AS tm ON tm.organization_id = o.organization_id AND tm.team_id = o.team_id AND tm.user_id = m.user_id
        WHERE m.organization_id = @organization_id::uuid
          AND m.user_id = ANY (@user_ids::uuid[])
          AND m.role <> 'viewer'
          AND k.archived_at IS NULL
          AND (k.current_at IS NULL OR k.current_at < @before::timestamptz)
          AND o.state = 'approved'
          AND o.archived_at IS NULL
          AND c.state = 'active'
          AND objective_is_visible(o.visibility, o.owner_id, o.team_id, m.user_id, m.role IN ('owner', 'admin'),
                                   CASE WHEN tm.role IS NOT NULL THEN ARRAY[tm.team_id] ELSE '{}' END, CASE WHEN tm.role = 'lead' THEN ARRAY[tm.team_id] ELSE '{}' END)
        UNION ALL
        SELECT m.user_id, k.id, k.title, o.id AS objective_id, o.title AS objective_title, o.changed_at AS approved_at, c.id AS cycle_id, c.name AS cycle_name, c.starts_on, c.ends_on, k.current_at
        FROM memberships AS m
        JOIN objectives AS o ON o.organization_id = m.organization_id AND o.owner_id = m.user_id
        JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
        JOIN key_results AS k ON k.organization_id = o.organization_id AND k.objective_id = o.id
        WHERE m.organization_id = @organization_id::uuid
          AND m.user_id = ANY (@user_ids::uuid[])
          AND m.role <> 'viewer'
          AND k.owner_id IS NULL
          AND k.archived_at IS NULL
          AND (k.current_at IS NULL OR k.current_at < @before::timestamptz)
          AND o.state = 'approved'
          AND o.archived_at IS NULL
          AND c.state = 'active'
    ) AS x
) AS d
WHERE d.place <= least(@each::int, 201)
ORDER BY d.user_id, d.place
LIMIT 50000;

-- name: ListOwedSurveys :many
-- Surveys that have been asked and wait for these members' answers until the meeting begins.
SELECT d.user_id, d.id, d.title, d.starts_at
FROM (
    SELECT a.user_id, oc.id, mt.title, oc.starts_at, row_number() OVER (PARTITION BY a.user_id ORDER BY oc.starts_at, oc.id) AS place
    FROM meeting_attendees AS a
    JOIN meetings AS mt ON mt.organization_id = a.organization_id AND mt.id = a.meeting_id
    JOIN meeting_occurrences AS oc ON oc.organization_id = a.organization_id AND oc.meeting_id = a.meeting_id
    WHERE a.organization_id = @organization_id::uuid
      AND a.user_id = ANY (@user_ids::uuid[])
      AND a.response <> 'declined'
      AND mt.cancelled_at IS NULL
      AND oc.cancelled_at IS NULL
      AND oc.survey_asked_at IS NOT NULL
      AND oc.starts_at > @now::timestamptz
      AND EXISTS (SELECT FROM survey_questions AS sq
                  WHERE sq.organization_id = @organization_id::uuid AND sq.meeting_id = a.meeting_id AND sq.retired_at IS NULL)
      AND NOT EXISTS (SELECT FROM survey_participants AS sp
                      WHERE sp.organization_id = @organization_id::uuid AND sp.occurrence_id = oc.id AND sp.user_id = a.user_id)
) AS d
WHERE d.place <= least(@each::int, 201)
ORDER BY d.user_id, d.place
LIMIT 50000;

-- name: ListOwedFollowUps :many
-- What these members have agreed to do and not done, the earliest due first.
SELECT d.user_id, d.id, d.title, d.occurrence_id, d.due_on, d.created_at
FROM (
    SELECT fu.assignee_id AS user_id, fu.id, fu.title, fu.occurrence_id, fu.due_on, fu.created_at,
           row_number() OVER (PARTITION BY fu.assignee_id ORDER BY fu.due_on NULLS LAST, fu.id) AS place
    FROM follow_ups AS fu
    WHERE fu.organization_id = @organization_id::uuid
      AND fu.assignee_id = ANY (@user_ids::uuid[])
      AND fu.done_at IS NULL
) AS d
WHERE d.place <= least(@each::int, 201)
ORDER BY d.user_id, d.place
LIMIT 50000;
