-- migrate:up

-- The audit is looked through by who did something, by what was done, and by the kind of thing that it was done to, newest first. Ids are in the order of time, so a new event is added
-- at the end of each of its stretches.
CREATE INDEX audit_events_of_actor  ON audit_events (organization_id, actor_id, id);
CREATE INDEX audit_events_of_action ON audit_events (organization_id, action, id);
CREATE INDEX audit_events_of_kind   ON audit_events (organization_id, target_kind, id);

-- migrate:down
DROP INDEX audit_events_of_actor, audit_events_of_action, audit_events_of_kind;
