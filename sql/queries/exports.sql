-- name: ListExportObjectivesAfter :many
-- The next objectives that the actor may see, archived ones too, with what others know of them by name. What they contribute to is left out where the actor may not see that.
SELECT sqlc.embed(o), c.name AS cycle_name, t.name AS team_name, owner.email AS owner_email, parent.id AS visible_parent_id
FROM objectives AS o
JOIN cycles AS c ON c.organization_id = o.organization_id AND c.id = o.cycle_id
JOIN users AS owner ON owner.id = o.owner_id
LEFT JOIN teams AS t ON t.organization_id = o.organization_id AND t.id = o.team_id
LEFT JOIN objectives AS parent ON parent.organization_id = o.organization_id AND parent.id = o.parent_objective_id
    AND objective_is_visible(parent.visibility, parent.owner_id, parent.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
WHERE o.organization_id = @organization_id::uuid
  AND o.id > @after_id::uuid
  AND (sqlc.narg(cycle_id)::uuid IS NULL OR o.cycle_id = sqlc.narg(cycle_id)::uuid)
  AND objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])
ORDER BY o.id
LIMIT least(@page_size::int, 201);

-- name: ListExportCheckIns :many
-- The check-ins of key results, those that nothing corrects, oldest first: at most 2001 of all.
SELECT i.id, i.key_result_id, i.value, i.done_step_ids, i.confidence, i.note, i.checked_at, author.email AS author_email
FROM check_ins AS i
JOIN users AS author ON author.id = i.created_by
WHERE i.organization_id = @organization_id::uuid
  AND i.key_result_id = ANY (@key_result_ids::uuid[])
  AND NOT EXISTS (SELECT FROM check_ins AS n WHERE n.organization_id = i.organization_id AND n.corrects_id = i.id)
ORDER BY i.key_result_id, i.checked_at, i.id
LIMIT 2001;

-- name: ListExportCheckInsAfter :many
-- As ListExportCheckIns, the next of one key result.
SELECT i.id, i.key_result_id, i.value, i.done_step_ids, i.confidence, i.note, i.checked_at, author.email AS author_email
FROM check_ins AS i
JOIN users AS author ON author.id = i.created_by
WHERE i.organization_id = @organization_id::uuid
  AND i.key_result_id = @key_result_id::uuid
  AND (i.checked_at, i.id) > (@after_at::timestamptz, @after_id::uuid)
  AND NOT EXISTS (SELECT FROM check_ins AS n WHERE n.organization_id = i.organization_id AND n.corrects_id = i.id)
ORDER BY i.checked_at, i.id
LIMIT least(@page_size::int, 201);

-- name: ListMemberEmails :many
-- The addresses of members by their ids, for as many as 1000 of them.
SELECT m.user_id, u.email
FROM memberships AS m
JOIN users AS u ON u.id = m.user_id
WHERE m.organization_id = @organization_id::uuid
  AND m.user_id = ANY (@user_ids::uuid[])
LIMIT 1000;
