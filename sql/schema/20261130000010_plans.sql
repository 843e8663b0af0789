-- migrate:up

-- A statement is planned once, for any organisation. From the data PostgreSQL would take it that organisations are all of the same size, and where there are many, that it may
-- sort or read all of one. It is told the same of every table instead: that an organisation has a tenth of it. So plans suit a large one, and stay what they are
-- as organisations come and go.
DO $$
DECLARE tenant regclass;
BEGIN
    FOR tenant IN
        SELECT a.attrelid::regclass FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attname = 'organization_id' AND NOT a.attisdropped AND c.relname <> 'organization_clocks'
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN organization_id SET (n_distinct = 10)', tenant);
    END LOOP;
END $$;
-- So may one cycle have a tenth of an organisation's objectives, though most cycles have few.
ALTER TABLE objectives ALTER COLUMN cycle_id SET (n_distinct = 10);

-- Lists of one state, and of what is archived, read no others.
CREATE INDEX objectives_by_state ON objectives (organization_id, state, (archived_at IS NOT NULL), id);
CREATE INDEX objectives_of_cycle_by_state ON objectives (organization_id, cycle_id, state, (archived_at IS NOT NULL), id);
CREATE INDEX objectives_archived ON objectives (organization_id, (archived_at IS NOT NULL), id);
CREATE INDEX survey_answers_of_occurrence ON survey_answers (organization_id, occurrence_id);
CREATE INDEX meeting_materials_of_url ON meeting_materials (organization_id, url_hash);

-- migrate:down
DROP INDEX objectives_by_state, objectives_of_cycle_by_state, objectives_archived, survey_answers_of_occurrence, meeting_materials_of_url;
ALTER TABLE objectives ALTER COLUMN cycle_id RESET (n_distinct);
DO $$
DECLARE tenant regclass;
BEGIN
    FOR tenant IN
        SELECT a.attrelid::regclass FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attname = 'organization_id' AND NOT a.attisdropped
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN organization_id RESET (n_distinct)', tenant);
    END LOOP;
END $$;
