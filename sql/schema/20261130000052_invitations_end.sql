-- migrate:up

-- When an invitation ended: accepted, revoked or overdue. A column, since an index is not asked for an expression behind a policy. The mails of one are looked for before it is deleted, by the
-- foreign key too.
ALTER TABLE invitations ADD COLUMN ended_at timestamptz NOT NULL GENERATED ALWAYS AS (coalesce(accepted_at, revoked_at, expires_at)) STORED;
CREATE INDEX invitations_by_end ON invitations (organization_id, ended_at);
CREATE INDEX mails_of_invitation ON mails (organization_id, invitation_id) WHERE invitation_id IS NOT NULL;
GRANT DELETE ON invitations TO kakeai_app;

-- migrate:down
REVOKE DELETE ON invitations FROM kakeai_app;
DROP INDEX invitations_by_end, mails_of_invitation;
ALTER TABLE invitations DROP COLUMN ended_at;
