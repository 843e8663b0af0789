-- migrate:up

-- Who may review is asked of teams and organisations of any size, and is a few of their people.
CREATE INDEX team_members_leads ON team_members (organization_id, team_id, user_id) WHERE role = 'lead';
CREATE INDEX memberships_administrators ON memberships (organization_id, user_id) WHERE role IN ('owner', 'admin');

-- migrate:down
DROP INDEX team_members_leads, memberships_administrators;
