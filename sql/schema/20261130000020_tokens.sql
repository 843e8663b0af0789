-- migrate:up

-- A token for other programs is a session that nobody opened by signing in: its owner has given it a name, an end and a scope. So whatever ends sessions ends tokens, and whoever is asked
-- for by either is read by one query. The hash of a token's secret is made otherwise than a session's, so one cannot be sent as the other. A release from before knows no such tokens.
ALTER TABLE sessions
    ADD COLUMN token_name  text CHECK (char_length(token_name) BETWEEN 1 AND 100),
    ADD COLUMN token_scope text CHECK (token_scope IN ('read', 'write')),
    ADD CONSTRAINT sessions_tokens_are_whole CHECK ((token_name IS NULL) = (token_scope IS NULL));
CREATE INDEX sessions_tokens ON sessions (organization_id, id) WHERE token_name IS NOT NULL;
CREATE INDEX sessions_tokens_of_user ON sessions (organization_id, user_id, id) WHERE token_name IS NOT NULL;

-- migrate:down
DELETE FROM sessions WHERE token_name IS NOT NULL;
DROP INDEX sessions_tokens, sessions_tokens_of_user;
ALTER TABLE sessions
    DROP CONSTRAINT sessions_tokens_are_whole,
    DROP COLUMN token_name,
    DROP COLUMN token_scope;
