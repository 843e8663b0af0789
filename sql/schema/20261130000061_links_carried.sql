-- migrate:up

-- A link that a carry-over made, and whose other end has no copy yet: it leads to the objective of the cycle before, and follows once that is carried over too.
ALTER TABLE objective_links ADD COLUMN flagged boolean NOT NULL DEFAULT false;
CREATE INDEX objective_links_flagged ON objective_links (organization_id, supported_id, objective_id) WHERE flagged;
GRANT UPDATE (flagged) ON objective_links TO kakeai_app;

-- migrate:down
REVOKE UPDATE (flagged) ON objective_links FROM kakeai_app;
ALTER TABLE objective_links DROP COLUMN flagged;
