-- migrate:up

-- Whether a model may be asked at all, and how many tokens it may take in a calendar month; null: any. Who changes settings raises the revision that a file of the whole
-- organisation names too, so neither takes back what the other did.
ALTER TABLE organizations
    ADD COLUMN ai_enabled        boolean NOT NULL DEFAULT true,
    ADD COLUMN ai_monthly_tokens bigint CHECK (ai_monthly_tokens BETWEEN 0 AND 1000000000000);
GRANT UPDATE (name, locale, time_zone, cadence, grace_days, ai_enabled, ai_monthly_tokens, revision, changed_at) ON organizations TO kakeai_app;

-- Who is to answer: whatever model is configured, or the rules. What is for the rules has contract 2, since an older worker would ask the model.
ALTER TABLE ai_jobs ADD COLUMN coach text NOT NULL DEFAULT 'model' CHECK (coach IN ('model', 'rules'));
CREATE INDEX ai_jobs_live_of_model ON ai_jobs (organization_id, id) WHERE state IN ('queued', 'running') AND coach = 'model';

-- What models have taken in a calendar month of the organisation's time zone. What is held for jobs that have not ended is not in it: it is counted from the jobs, so that nothing has to be
-- given back when one ends, however that happens.
CREATE TABLE ai_usage (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    month           date NOT NULL CHECK (extract(day FROM month) = 1),
    calls           bigint NOT NULL DEFAULT 0 CHECK (calls >= 0),
    input_tokens    bigint NOT NULL DEFAULT 0 CHECK (input_tokens >= 0),
    output_tokens   bigint NOT NULL DEFAULT 0 CHECK (output_tokens >= 0),
    source          text CHECK (char_length(source) BETWEEN 1 AND 200),
    PRIMARY KEY (organization_id, month)
);
ALTER TABLE ai_usage ALTER COLUMN organization_id SET (n_distinct = 10);
GRANT SELECT, INSERT, UPDATE ON ai_usage TO kakeai_app;
ALTER TABLE ai_usage ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON ai_usage USING (organization_id = (SELECT current_organization()));

-- migrate:down
DROP TABLE ai_usage;
DROP INDEX ai_jobs_live_of_model;
ALTER TABLE ai_jobs DROP COLUMN coach;
REVOKE UPDATE (name, locale, time_zone, cadence, grace_days, ai_enabled, ai_monthly_tokens, revision, changed_at) ON organizations FROM kakeai_app;
ALTER TABLE organizations DROP COLUMN ai_enabled, DROP COLUMN ai_monthly_tokens;
