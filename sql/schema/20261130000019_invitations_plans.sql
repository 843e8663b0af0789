-- migrate:up

-- As of all other tables, an organisation is taken to have a tenth of it, so that plans do not hang on how many organisations there are.
ALTER TABLE invitations ALTER COLUMN organization_id SET (n_distinct = 10);

-- migrate:down
ALTER TABLE invitations ALTER COLUMN organization_id RESET (n_distinct);
