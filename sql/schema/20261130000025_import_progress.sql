-- migrate:up

-- How far the present phase of the work on a file has come: rows where it reads them or says what became of them, objectives or check-ins elsewhere. While all of a file is being written these
-- are written beside that transaction, so that others see them.
ALTER TABLE imports
    ADD COLUMN phase_done  integer NOT NULL DEFAULT 0 CHECK (phase_done >= 0),
    ADD COLUMN phase_total integer NOT NULL DEFAULT 0 CHECK (phase_total >= 0);

-- migrate:down
ALTER TABLE imports
    DROP COLUMN phase_done,
    DROP COLUMN phase_total;
