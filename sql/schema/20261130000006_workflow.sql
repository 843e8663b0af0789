-- migrate:up

-- What a copy was made from, when its origin was carried over into another cycle. There is one copy of an objective in a cycle, whoever
-- carries it over and however often. alignment_flagged: the parent was not carried along, so somebody should look whether it still fits.
ALTER TABLE objectives ADD COLUMN carried_from_id uuid;
ALTER TABLE objectives ADD COLUMN alignment_flagged boolean NOT NULL DEFAULT false;
ALTER TABLE objectives ADD CONSTRAINT objectives_carried_from FOREIGN KEY (organization_id, carried_from_id) REFERENCES objectives (organization_id, id);
CREATE UNIQUE INDEX objectives_carried_once ON objectives (organization_id, carried_from_id, cycle_id) WHERE carried_from_id IS NOT NULL;
ALTER TABLE key_results ADD COLUMN carried_from_id uuid;
ALTER TABLE key_results ADD CONSTRAINT key_results_carried_from FOREIGN KEY (organization_id, carried_from_id) REFERENCES key_results (organization_id, id);

-- What is still to be scored before a cycle is closed.
CREATE INDEX objectives_to_score ON objectives (organization_id, cycle_id, id) WHERE state = 'approved' AND archived_at IS NULL;

-- A comment that was deleted keeps its place, its author and its times, and loses its words.
ALTER TABLE comments ADD COLUMN deleted_at timestamptz;
ALTER TABLE comments DROP CONSTRAINT comments_body_check;
ALTER TABLE comments ADD CONSTRAINT comments_body CHECK (char_length(body) <= 10000 AND (body = '') = (deleted_at IS NOT NULL));

-- migrate:down
DELETE FROM comments WHERE deleted_at IS NOT NULL;
ALTER TABLE comments DROP CONSTRAINT comments_body;
ALTER TABLE comments ADD CONSTRAINT comments_body_check CHECK (char_length(body) BETWEEN 1 AND 10000);
ALTER TABLE comments DROP COLUMN deleted_at;
DROP INDEX objectives_to_score;
ALTER TABLE key_results DROP COLUMN carried_from_id;
ALTER TABLE objectives DROP COLUMN alignment_flagged;
ALTER TABLE objectives DROP COLUMN carried_from_id;
