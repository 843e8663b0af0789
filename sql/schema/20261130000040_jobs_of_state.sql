-- migrate:up

-- An organisation's jobs in one state, by age. A heartbeat changes no column of it.
CREATE INDEX ai_jobs_of_state ON ai_jobs (organization_id, state, id);

-- migrate:down
DROP INDEX ai_jobs_of_state;
