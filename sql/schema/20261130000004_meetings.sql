-- migrate:up

-- A meeting, or a series of them: one entity with its agenda, materials and questions, and one revision, which is also the calendar's SEQUENCE. Who attends does not raise
-- it. starts_at_local is what the clock on the wall says in time_zone, so that a meeting at nine stays at nine when the clocks change. recurrence is an RFC 5545 RRULE
-- without DTSTART; null: it takes place once.
CREATE TABLE meetings (
    organization_id  uuid NOT NULL REFERENCES organizations (id),
    id               uuid NOT NULL,
    title            text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
    description      text CHECK (char_length(description) <= 10000),
    place            text CHECK (char_length(place) <= 500),
    team_id          uuid,
    organizer_id     uuid NOT NULL,
    time_zone        text NOT NULL CHECK (char_length(time_zone) BETWEEN 1 AND 64),
    starts_at_local  timestamp NOT NULL,
    duration_minutes integer NOT NULL CHECK (duration_minutes BETWEEN 5 AND 1440),
    recurrence       text CHECK (char_length(recurrence) <= 500),
    survey_anonymous boolean NOT NULL DEFAULT false,
    survey_results   text NOT NULL DEFAULT 'at_start' CHECK (survey_results IN ('at_start', 'when_answered', 'organizer')),
    remind_minutes   integer NOT NULL DEFAULT 60 CHECK (remind_minutes BETWEEN 0 AND 10080),
    cancelled_at     timestamptz,
    revision         bigint NOT NULL DEFAULT 1,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by       uuid NOT NULL,
    changed_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_by       uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id),
    FOREIGN KEY (organization_id, organizer_id) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX meetings_repeating ON meetings (organization_id, id) WHERE recurrence IS NOT NULL AND cancelled_at IS NULL;
CREATE INDEX meetings_of_team ON meetings (organization_id, team_id, id) WHERE team_id IS NOT NULL;

CREATE TABLE meeting_attendees (
    organization_id uuid NOT NULL,
    meeting_id      uuid NOT NULL,
    user_id         uuid NOT NULL,
    response        text NOT NULL DEFAULT 'open' CHECK (response IN ('open', 'accepted', 'tentative', 'declined')),
    responded_at    timestamptz,
    PRIMARY KEY (organization_id, meeting_id, user_id),
    FOREIGN KEY (organization_id, meeting_id) REFERENCES meetings (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX meeting_attendees_by_user ON meeting_attendees (organization_id, user_id, meeting_id);

CREATE TABLE meeting_agenda_items (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    meeting_id      uuid NOT NULL,
    position        integer NOT NULL CHECK (position >= 0),
    title           text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 300),
    minutes         integer CHECK (minutes BETWEEN 1 AND 1440),
    objective_id    uuid,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, meeting_id) REFERENCES meetings (organization_id, id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id)
);
CREATE INDEX meeting_agenda_items_of_meeting ON meeting_agenda_items (organization_id, meeting_id, position, id);

CREATE TABLE meeting_materials (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    meeting_id      uuid NOT NULL,
    position        integer NOT NULL CHECK (position >= 0),
    url             text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2000),
    url_hash        bytea NOT NULL CHECK (octet_length(url_hash) = 32),
    title           text CHECK (char_length(title) <= 300),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, meeting_id) REFERENCES meetings (organization_id, id)
);
CREATE INDEX meeting_materials_of_meeting ON meeting_materials (organization_id, meeting_id, position, id);

-- Questions are kept once they have been asked: retired_at takes them out of later surveys, and the answers to them stay readable.
CREATE TABLE survey_questions (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    meeting_id      uuid NOT NULL,
    position        integer NOT NULL CHECK (position >= 0),
    kind            text NOT NULL CHECK (kind IN ('scale', 'choice', 'text')),
    title           text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 300),
    choices         text[] NOT NULL DEFAULT '{}' CHECK (cardinality(choices) <= 20),
    required        boolean NOT NULL DEFAULT false,
    retired_at      timestamptz,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, meeting_id) REFERENCES meetings (organization_id, id),
    CONSTRAINT survey_questions_choices CHECK ((kind = 'choice') = (cardinality(choices) >= 2))
);
CREATE INDEX survey_questions_of_meeting ON survey_questions (organization_id, meeting_id, position, id);

-- One taking place of a meeting. recurrence_at is when the rule has it, also after it was moved, and identifies it (RFC 5545 RECURRENCE-ID).
CREATE TABLE meeting_occurrences (
    organization_id    uuid NOT NULL,
    id                 uuid NOT NULL,
    meeting_id         uuid NOT NULL,
    recurrence_at      timestamptz NOT NULL,
    starts_at          timestamptz NOT NULL,
    ends_at            timestamptz NOT NULL,
    moved              boolean NOT NULL DEFAULT false,
    cancelled_at       timestamptz,
    minutes            text CHECK (char_length(minutes) <= 50000),
    decisions          text[] NOT NULL DEFAULT '{}' CHECK (cardinality(decisions) <= 100),
    reminded_at        timestamptz,
    survey_asked_at    timestamptz,
    survey_reminded_at timestamptz,
    revision           bigint NOT NULL DEFAULT 1,
    changed_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_by         uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, meeting_id, recurrence_at),
    FOREIGN KEY (organization_id, meeting_id) REFERENCES meetings (organization_id, id),
    CONSTRAINT meeting_occurrences_ends_after_start CHECK (ends_at > starts_at)
);
CREATE INDEX meeting_occurrences_by_start ON meeting_occurrences (organization_id, starts_at, id) WHERE cancelled_at IS NULL;
CREATE INDEX meeting_occurrences_of_meeting ON meeting_occurrences (organization_id, meeting_id, starts_at, id);

-- Word of a meeting that is under way to its attendees, in steps: who has been told so far. occurrence_id where it is about one time alone.
CREATE TABLE meeting_notices (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    meeting_id      uuid NOT NULL,
    occurrence_id   uuid,
    kind            text NOT NULL CHECK (kind IN ('invited', 'changed', 'cancelled')),
    actor_id        uuid NOT NULL,
    reached_user_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, meeting_id) REFERENCES meetings (organization_id, id),
    FOREIGN KEY (organization_id, occurrence_id) REFERENCES meeting_occurrences (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, actor_id) REFERENCES memberships (organization_id, user_id)
);

-- Who has answered a survey, and nothing of what: without a time, and never joined to an anonymous answer.
CREATE TABLE survey_participants (
    organization_id uuid NOT NULL,
    occurrence_id   uuid NOT NULL,
    user_id         uuid NOT NULL,
    PRIMARY KEY (organization_id, occurrence_id, user_id),
    FOREIGN KEY (organization_id, occurrence_id) REFERENCES meeting_occurrences (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);

-- What was answered. An answer that carries a name has user_id. An anonymous one has none, and no time; its id is random, and whoever holds the secret
-- that answer_key is the SHA-256 of may change it. The secret is given to the person and kept nowhere. Each time somebody answers, all anonymous answers of the
-- occurrence are written anew in random order, so that neither their place nor the transaction they were written in tells whose they are.
CREATE TABLE survey_answers (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    occurrence_id   uuid NOT NULL,
    question_id     uuid NOT NULL,
    user_id         uuid,
    answer_key      bytea CHECK (octet_length(answer_key) = 32),
    scale           smallint CHECK (scale BETWEEN 1 AND 10),
    choice          smallint CHECK (choice BETWEEN 1 AND 20),
    body            text CHECK (char_length(body) <= 5000),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, occurrence_id) REFERENCES meeting_occurrences (organization_id, id),
    FOREIGN KEY (organization_id, question_id) REFERENCES survey_questions (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id),
    CONSTRAINT survey_answers_one_author CHECK ((user_id IS NULL) <> (answer_key IS NULL)),
    CONSTRAINT survey_answers_one_value CHECK (num_nonnulls(scale, choice, body) = 1)
);
CREATE UNIQUE INDEX survey_answers_named ON survey_answers (organization_id, occurrence_id, question_id, user_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX survey_answers_anonymous ON survey_answers (organization_id, occurrence_id, question_id, answer_key) WHERE answer_key IS NOT NULL;

-- What was agreed to be done, by whom and until when. It stands in what they owe until it is done.
CREATE TABLE follow_ups (
    organization_id uuid NOT NULL,
    id              uuid NOT NULL,
    occurrence_id   uuid NOT NULL,
    assignee_id     uuid NOT NULL,
    title           text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 300),
    due_on          date,
    done_at         timestamptz,
    revision        bigint NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by      uuid NOT NULL,
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_by      uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, occurrence_id) REFERENCES meeting_occurrences (organization_id, id),
    FOREIGN KEY (organization_id, assignee_id) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX follow_ups_of_occurrence ON follow_ups (organization_id, occurrence_id, id);
CREATE INDEX follow_ups_open ON follow_ups (organization_id, assignee_id, id) WHERE done_at IS NULL;

-- The check-ins that were made in a meeting.
CREATE TABLE meeting_check_ins (
    organization_id uuid NOT NULL,
    occurrence_id   uuid NOT NULL,
    check_in_id     uuid NOT NULL,
    PRIMARY KEY (organization_id, occurrence_id, check_in_id),
    FOREIGN KEY (organization_id, occurrence_id) REFERENCES meeting_occurrences (organization_id, id),
    FOREIGN KEY (organization_id, check_in_id) REFERENCES check_ins (organization_id, id)
);

-- The secret address of somebody's calendar: SHA-256 of its random bits. A new one takes the place of the old.
CREATE TABLE calendar_feeds (
    organization_id uuid NOT NULL,
    user_id         uuid NOT NULL,
    token_hash      bytea NOT NULL CHECK (octet_length(token_hash) = 32),
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, user_id),
    UNIQUE (organization_id, token_hash),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);

GRANT SELECT, INSERT, UPDATE ON meetings, meeting_occurrences, survey_questions, follow_ups TO kakeai_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON meeting_attendees, meeting_agenda_items, meeting_materials, meeting_notices, survey_answers, calendar_feeds TO kakeai_app;
GRANT DELETE ON meeting_occurrences TO kakeai_app;
GRANT SELECT, INSERT ON survey_participants, meeting_check_ins TO kakeai_app;

ALTER TABLE meetings             ENABLE ROW LEVEL SECURITY;
ALTER TABLE meeting_attendees    ENABLE ROW LEVEL SECURITY;
ALTER TABLE meeting_agenda_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE meeting_materials    ENABLE ROW LEVEL SECURITY;
ALTER TABLE survey_questions     ENABLE ROW LEVEL SECURITY;
ALTER TABLE meeting_occurrences  ENABLE ROW LEVEL SECURITY;
ALTER TABLE meeting_notices      ENABLE ROW LEVEL SECURITY;
ALTER TABLE survey_participants  ENABLE ROW LEVEL SECURITY;
ALTER TABLE survey_answers       ENABLE ROW LEVEL SECURITY;
ALTER TABLE follow_ups           ENABLE ROW LEVEL SECURITY;
ALTER TABLE meeting_check_ins    ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendar_feeds       ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON meetings             USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON meeting_attendees    USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON meeting_agenda_items USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON meeting_materials    USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON survey_questions     USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON meeting_occurrences  USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON meeting_notices      USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON survey_participants  USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON survey_answers       USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON follow_ups           USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON meeting_check_ins    USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON calendar_feeds       USING (organization_id = (SELECT current_organization()));

-- migrate:down
DROP TABLE calendar_feeds, meeting_check_ins, follow_ups, survey_answers, survey_participants, meeting_notices, meeting_occurrences, survey_questions,
    meeting_materials, meeting_agenda_items, meeting_attendees, meetings;
