-- migrate:up

-- An objective without key results takes the mean of what contributes to it. parent_id is what an objective contributes to, as its figures were computed with; children is how many
-- objectives its own number is the mean of, 0 where it has key results, and children_restricted how many of these not everybody may see.
-- In lists by progress a number that would give one of them away is as good as none.
ALTER TABLE objective_figures
    DROP COLUMN progress_rank, -- with its index
    ADD COLUMN parent_id           uuid,
    ADD COLUMN children            integer NOT NULL DEFAULT 0,
    ADD COLUMN children_restricted integer NOT NULL DEFAULT 0;
ALTER TABLE objective_figures
    ADD COLUMN progress_rank integer GENERATED ALWAYS AS (
        CASE WHEN children < 3 AND children_restricted > 0 THEN 0 ELSE least(greatest(trunc(progress * 10000), 0), 10000)::integer END) STORED;
CREATE INDEX objective_figures_by_progress ON objective_figures (organization_id, cycle_id, progress_rank, objective_id) WHERE counted;
CREATE INDEX objective_figures_of_parent ON objective_figures (organization_id, parent_id) INCLUDE (progress, overshoot, pending, restricted) WHERE counted AND parent_id IS NOT NULL;

UPDATE objective_figures AS f
SET parent_id = o.parent_objective_id
FROM objectives AS o
WHERE o.organization_id = f.organization_id
  AND o.id = f.objective_id
  AND o.parent_objective_id IS NOT NULL;
-- By which rules a cycle's figures were computed: where they are older ones, all of it is computed anew within the hour.
ALTER TABLE cycle_figures ADD COLUMN rules integer NOT NULL DEFAULT 0;

-- migrate:down
ALTER TABLE cycle_figures DROP COLUMN rules;
DROP INDEX objective_figures_of_parent;
ALTER TABLE objective_figures DROP COLUMN progress_rank, DROP COLUMN parent_id, DROP COLUMN children, DROP COLUMN children_restricted;
ALTER TABLE objective_figures ADD COLUMN progress_rank integer GENERATED ALWAYS AS (least(greatest(trunc(progress * 10000), 0), 10000)::integer) STORED;
CREATE INDEX objective_figures_by_progress ON objective_figures (organization_id, cycle_id, progress_rank, objective_id) WHERE counted;
