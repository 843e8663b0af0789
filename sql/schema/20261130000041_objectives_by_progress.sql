-- migrate:up

-- Progress in ten-thousandths, not below 0 nor above 1, by which lists are in order: an index is asked for integers behind a policy, and not for numerics.
ALTER TABLE objective_figures ADD COLUMN progress_rank integer GENERATED ALWAYS AS (least(greatest(trunc(progress * 10000), 0), 10000)::integer) STORED;
CREATE INDEX objective_figures_by_progress ON objective_figures (organization_id, cycle_id, progress_rank, objective_id) WHERE counted;

-- migrate:down
DROP INDEX objective_figures_by_progress;
ALTER TABLE objective_figures DROP COLUMN progress_rank;
