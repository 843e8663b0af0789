-- migrate:up

-- What each objective adds to the numbers of its group and its cycle, computed by internal/okr from what it is, never by hand. group_id is its team, or the nil UUID where
-- it has none. Days are counted from the cycle's first, which is 0: on_track_until is the first on which it is no longer on track, at_risk_until the first on which it is off
-- track, if its progress stays; null where that day does not come. So the health of every objective changes with the days, and no row has to.
-- counted is false while it is a draft, submitted or archived; the row then adds nothing.
CREATE TABLE objective_figures (
    organization_id       uuid NOT NULL,
    objective_id          uuid NOT NULL,
    cycle_id              uuid NOT NULL,
    group_id              uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    counted               boolean NOT NULL DEFAULT false,
    restricted            boolean NOT NULL DEFAULT false,
    pending               boolean NOT NULL DEFAULT false,
    progress              numeric NOT NULL DEFAULT 0,
    overshoot             numeric NOT NULL DEFAULT 0,
    on_track_until        integer,
    at_risk_until         integer,
    key_results_until     integer,
    outdated_from         integer,
    computed_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, objective_id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id),
    FOREIGN KEY (organization_id, cycle_id) REFERENCES cycles (organization_id, id)
);
CREATE INDEX objective_figures_of_group ON objective_figures (organization_id, cycle_id, group_id, objective_id) WHERE counted;
CREATE INDEX objective_figures_restricted ON objective_figures (organization_id, cycle_id, group_id, objective_id) WHERE counted AND restricted;
CREATE INDEX objective_figures_outdated ON objective_figures (organization_id, cycle_id, outdated_from, objective_id) WHERE outdated_from IS NOT NULL;
CREATE INDEX objective_figures_outdated_of_group ON objective_figures (organization_id, cycle_id, group_id, outdated_from, objective_id) WHERE outdated_from IS NOT NULL;

-- The sums of objective_figures, by day, for each group and, under the greatest UUID, for the whole cycle. What holds on a day is the sum over all days until then: what does
-- not depend on days is at −1. A change adds rows with an id of its own, so that nobody waits for anybody; from time to time they are gathered into the row with the nil id.
CREATE TABLE figure_counts (
    organization_id      uuid NOT NULL,
    cycle_id             uuid NOT NULL,
    group_id             uuid NOT NULL,
    day                  integer NOT NULL,
    id                   uuid NOT NULL,
    objectives           integer NOT NULL DEFAULT 0,
    restricted           integer NOT NULL DEFAULT 0,
    pending              integer NOT NULL DEFAULT 0,
    left_on_track        integer NOT NULL DEFAULT 0,
    went_off_track       integer NOT NULL DEFAULT 0,
    key_result_off_track integer NOT NULL DEFAULT 0,
    outdated             integer NOT NULL DEFAULT 0,
    progress             numeric NOT NULL DEFAULT 0,
    overshoot            numeric NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, cycle_id, group_id, day, id),
    FOREIGN KEY (organization_id, cycle_id) REFERENCES cycles (organization_id, id)
);
CREATE INDEX figure_counts_added ON figure_counts (organization_id, cycle_id, id) WHERE id <> '00000000-0000-0000-0000-000000000000';

-- What a cycle's figures were computed with. Where that is no longer so, they are computed again, in chunks, of which rebuilding_after is the last objective; null when done.
CREATE TABLE cycle_figures (
    organization_id  uuid NOT NULL,
    cycle_id         uuid NOT NULL,
    starts_on        date NOT NULL,
    ends_on          date NOT NULL,
    time_zone        text NOT NULL,
    cadence          text NOT NULL,
    rebuilding_after uuid,
    rebuilt_at       timestamptz,
    PRIMARY KEY (organization_id, cycle_id),
    FOREIGN KEY (organization_id, cycle_id) REFERENCES cycles (organization_id, id)
);

-- How a group, or the whole cycle, stood when a day of the organisation's ended. Of the past, so nothing changes it.
CREATE TABLE cycle_figures_daily (
    organization_id      uuid NOT NULL,
    cycle_id             uuid NOT NULL,
    group_id             uuid NOT NULL,
    day                  date NOT NULL,
    objectives           integer NOT NULL,
    restricted           integer NOT NULL,
    pending              integer NOT NULL,
    on_track             integer NOT NULL,
    at_risk              integer NOT NULL,
    off_track            integer NOT NULL,
    key_result_off_track integer NOT NULL,
    outdated             integer NOT NULL,
    progress             numeric NOT NULL,
    overshoot            numeric NOT NULL,
    recorded_at          timestamptz NOT NULL,
    PRIMARY KEY (organization_id, cycle_id, group_id, day),
    FOREIGN KEY (organization_id, cycle_id) REFERENCES cycles (organization_id, id)
);

CREATE INDEX cycles_by_end ON cycles (organization_id, ends_on DESC, id);
CREATE INDEX objectives_of_team_in_cycle ON objectives (organization_id, team_id, cycle_id, id) WHERE team_id IS NOT NULL;

GRANT SELECT, INSERT, UPDATE ON objective_figures, cycle_figures TO kakeai_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON figure_counts TO kakeai_app;
GRANT SELECT, INSERT ON cycle_figures_daily TO kakeai_app;

ALTER TABLE objective_figures   ENABLE ROW LEVEL SECURITY;
ALTER TABLE figure_counts       ENABLE ROW LEVEL SECURITY;
ALTER TABLE cycle_figures       ENABLE ROW LEVEL SECURITY;
ALTER TABLE cycle_figures_daily ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON objective_figures   USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON figure_counts       USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON cycle_figures       USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON cycle_figures_daily USING (organization_id = (SELECT current_organization()));

-- migrate:down
DROP INDEX objectives_of_team_in_cycle, cycles_by_end;
DROP TABLE cycle_figures_daily, cycle_figures, figure_counts, objective_figures;
