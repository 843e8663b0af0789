-- migrate:up

-- Where very many objectives support one, as they do the company's, each seems to be supported by very many, and what supports another would be looked for along all links of the organisation.
ALTER TABLE objective_links ALTER COLUMN supported_id SET (n_distinct = -0.5);

-- migrate:down
ALTER TABLE objective_links ALTER COLUMN supported_id RESET (n_distinct);
