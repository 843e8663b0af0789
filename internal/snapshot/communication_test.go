package snapshot_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/snapshot"
)

// talk is what the demo's owner has said to others, and where they meet.
type talk struct {
	sent, scheduled, sending, draft uuid.UUID
	meeting, occurrence             uuid.UUID
	team, colleague                 uuid.UUID
}

// communicate puts one row and more into every table of what people say to each other.
func (b bundle) communicate() talk {
	b.Helper()
	k := talk{sent: db.NewID(), scheduled: db.NewID(), sending: db.NewID(), draft: db.NewID(), meeting: db.NewID(), occurrence: db.NewID()}
	k.team = value[uuid.UUID](b, "SELECT id FROM teams WHERE organization_id = $1 ORDER BY id LIMIT 1", b.minato)
	k.colleague = value[uuid.UUID](b, "SELECT user_id FROM memberships WHERE organization_id = $1 AND user_id <> $2 ORDER BY user_id LIMIT 1", b.minato, b.owner)
	b.exec(`INSERT INTO notification_preferences (organization_id, user_id, kind, inbox, mail) VALUES ($1, $2, 'objective.commented', true, 'immediate'),
		($1, $2, 'objective_x', false, 'off'), ($1, $3, 'Objective.commented', false, 'digest')`, b.minato, b.owner, k.colleague)
	broadcast := func(id uuid.UUID, state, audience string, teams, users []uuid.UUID) {
		b.exec(`INSERT INTO broadcasts (organization_id, id, title, body, audience, team_ids, user_ids, state, scheduled_at, dispatch_id, created_by, changed_by)
			VALUES ($1, $2::uuid, '全社集会', '来週の集会について', $3, $4, $5, $6::text, CASE WHEN $6::text = 'scheduled' THEN timestamptz '2026-12-01 09:00+09' END, CASE WHEN $6::text IN ('scheduled', 'sending') THEN $2::uuid END, $7, $7)`,
			b.minato, id, audience, teams, users, state, b.owner)
	}
	broadcast(k.sent, "sent", "organization", []uuid.UUID{}, []uuid.UUID{})
	broadcast(k.scheduled, "scheduled", "teams", []uuid.UUID{k.team}, []uuid.UUID{})
	broadcast(k.sending, "sending", "people", []uuid.UUID{}, []uuid.UUID{k.colleague})
	broadcast(k.draft, "draft", "people", []uuid.UUID{}, []uuid.UUID{b.owner, k.colleague})
	b.exec(`INSERT INTO meetings (organization_id, id, title, team_id, organizer_id, time_zone, starts_at_local, duration_minutes, recurrence, survey_anonymous, created_by, changed_by)
		VALUES ($1, $2, '週次の振り返り', $3, $4, 'Europe/Berlin', '2026-10-25 02:30:00.25', 30, 'FREQ=WEEKLY', true, $4, $4)`, b.minato, k.meeting, k.team, b.owner)
	b.exec(`INSERT INTO meeting_attendees (organization_id, meeting_id, user_id, response, responded_at) VALUES ($1, $2, $3, 'open', NULL), ($1, $2, $4, 'accepted', now())`,
		b.minato, k.meeting, b.owner, k.colleague)
	b.exec(`INSERT INTO meeting_agenda_items (organization_id, id, meeting_id, position, title, minutes, objective_id)
		SELECT $1, $3, $2, 0, '進捗', 10, id FROM objectives WHERE organization_id = $1 ORDER BY id LIMIT 1`, b.minato, k.meeting, db.NewID())
	b.exec(`INSERT INTO meeting_materials (organization_id, id, meeting_id, position, url, url_hash) VALUES ($1, $3, $2, 0, 'https://example.com/', sha256('x'))`, b.minato, k.meeting, db.NewID())
	scale, choice, text := db.NewID(), db.NewID(), db.NewID()
	b.exec(`INSERT INTO survey_questions (organization_id, id, meeting_id, position, kind, title, choices) VALUES
		($1, $3, $2, 0, 'scale', '調子は', '{}'), ($1, $4, $2, 1, 'choice', 'どれ', '{一,二}'), ($1, $5, $2, 2, 'text', 'ひとこと', '{}')`, b.minato, k.meeting, scale, choice, text)
	b.exec(`INSERT INTO meeting_occurrences (organization_id, id, meeting_id, recurrence_at, starts_at, ends_at, minutes, decisions, reminded_at, changed_by) VALUES
		($1, $3, $2, '2026-10-25 00:30Z', '2026-10-25 00:30Z', '2026-10-25 01:00Z', '議事録', '{決定,"二, 三"}', now(), $5), ($1, $4, $2, '2026-11-01 01:30Z', '2026-11-01 01:30Z', '2026-11-01 02:00Z', NULL, '{}', NULL, $5)`,
		b.minato, k.meeting, k.occurrence, db.NewID(), b.owner)
	b.exec("INSERT INTO survey_participants (organization_id, occurrence_id, user_id) VALUES ($1, $2, $3), ($1, $2, $4)", b.minato, k.occurrence, b.owner, k.colleague)
	b.exec(`INSERT INTO survey_answers (organization_id, id, occurrence_id, question_id, user_id, answer_key, scale, choice, body) VALUES
		($1, gen_random_uuid(), $2, $3, NULL, sha256('secret'), 4, NULL, NULL), ($1, gen_random_uuid(), $2, $4, NULL, sha256('secret'), NULL, 1, NULL),
		($1, gen_random_uuid(), $2, $5, $6, NULL, NULL, NULL, '名前つき')`, b.minato, k.occurrence, scale, choice, text, k.colleague)
	b.exec(`INSERT INTO follow_ups (organization_id, id, occurrence_id, assignee_id, title, due_on, done_at, created_by, changed_by) VALUES
		($1, $3, $2, $5, '資料を直す', '2026-11-02', NULL, $5, $5), ($1, $4, $2, $5, '連絡する', NULL, now(), $5, $5)`, b.minato, k.occurrence, db.NewID(), db.NewID(), b.owner)
	b.exec("INSERT INTO meeting_check_ins (organization_id, occurrence_id, check_in_id) SELECT $1, $2, id FROM check_ins WHERE organization_id = $1 ORDER BY id LIMIT 2", b.minato, k.occurrence)
	b.exec("INSERT INTO external_ids (organization_id, source, kind, external_id, entity_id) SELECT $1, 'peoplebox', 'objective', 'id:' || id, id FROM objectives WHERE organization_id = $1", b.minato)
	b.exec("INSERT INTO external_ids (organization_id, source, kind, external_id, entity_id) SELECT $1, 'peoplebox', 'check_in', 'id:' || id, id FROM check_ins WHERE organization_id = $1", b.minato)
	return k
}

func TestWhatPeopleSayToEachOtherIsExportedAndImported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.communicate()
	file := b.export(b.minato)
	assert.Equal(t, file, b.export(b.minato), "an export is the same twice")
	elsewhere := bundle{T: t, Database: pgtest.New(t)}
	elsewhere.whole = snapshot.New(elsewhere.OwnerURL, snapshot.Options{})
	_, err := elsewhere.whole.Import(t.Context(), strings.NewReader(file))
	require.NoError(t, err)
	assert.Equal(t, file, elsewhere.export(b.minato))
	report, err := elsewhere.whole.Verify(t.Context(), b.minato)
	require.NoError(t, err)
	assert.Empty(t, report.Faults)
	before, after := b.content(), elsewhere.content()
	for _, table := range []string{"notification_preferences", "meetings", "meeting_attendees", "meeting_agenda_items", "meeting_materials", "survey_questions", "meeting_occurrences",
		"survey_participants", "survey_answers", "follow_ups", "meeting_check_ins", "external_ids"} {
		assert.NotEmpty(t, before[table], table)
		assert.Equal(t, before[table], after[table], "%s, column by column", table)
	}
	assert.Contains(t, file, `"starts_at_local":"2026-10-25T02:30:00.25"`, "what the clock on the wall says, in no time zone")
	assert.Contains(t, file, `"due_on":"2026-11-02"`)
}

// The file says who has answered and what was answered, and no more than the database which of the one belongs to which of the other.
func TestAnonymousAnswersStayAnonymous(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.communicate()
	anonymous := 0
	for line := range strings.Lines(b.export(b.minato)) {
		if !strings.Contains(line, `"answer_key":"`) {
			continue
		}
		anonymous++
		assert.Contains(t, line, `"user_id":null`)
		for _, member := range [...]uuid.UUID{b.owner, value[uuid.UUID](b, "SELECT user_id FROM survey_participants WHERE user_id <> $1", b.owner)} {
			assert.NotContains(t, line, member.String())
		}
		assert.NotRegexp(t, `[0-9]T[0-9]`, line, "a time would give away who answered then")
	}
	assert.Equal(t, 2, anonymous)
	assert.Equal(t, 1, strings.Count(b.export(b.minato), `"answer_key":null`), "one that carries a name")
}

func TestBroadcastsUnderWayAreSentHereAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	k := b.communicate()
	s, err := snapshot.Read(strings.NewReader(b.export(b.minato)), false)
	require.NoError(t, err)
	states := map[uuid.UUID]string{}
	for _, broadcast := range s.Broadcasts {
		states[broadcast.ID] = broadcast.State
		assert.Nil(t, broadcast.ScheduledAt)
	}
	for id, state := range map[uuid.UUID]string{k.sent: "sent", k.draft: "draft", k.scheduled: "draft"} { // beside those of the demo
		assert.Equal(t, state, states[id])
	}
	assert.NotContains(t, states, k.sending)
}

func TestWhatCannotBeOfMeetingsIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.communicate()
	file := b.export(b.minato)
	elsewhere := bundle{T: t, Database: pgtest.New(t)}
	elsewhere.whole = snapshot.New(elsewhere.OwnerURL, snapshot.Options{})
	before := elsewhere.content()
	stranger := uuid.MustParse("0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77")
	for what, c := range map[string]struct {
		damage func(s *snapshot.Snapshot)
		code   string
	}{
		"a preference of a stranger": {func(s *snapshot.Snapshot) { s.Preferences[0].UserID = stranger }, "not-a-member"},
		"a preference twice":         {func(s *snapshot.Snapshot) { s.Preferences = append(s.Preferences, s.Preferences[0]) }, "twice"},
		"a broadcast of a stranger":  {func(s *snapshot.Snapshot) { s.Broadcasts[0].CreatedBy = stranger }, "not-a-member"},
		"a broadcast to a stranger": {func(s *snapshot.Snapshot) {
			s.Broadcasts[slices.IndexFunc(s.Broadcasts, toPeople)].UserIDs[0] = stranger
		}, "not-a-member"},
		"a broadcast to no team": {func(s *snapshot.Snapshot) {
			s.Broadcasts[slices.IndexFunc(s.Broadcasts, toTeams)].TeamIDs[0] = stranger
		}, "not-there"},
		"a broadcast under way":     {func(s *snapshot.Snapshot) { s.Broadcasts[0].State = "sending" }, "broadcast-under-way"},
		"a foreign meeting":         {func(s *snapshot.Snapshot) { s.Meetings[0].OrganizationID = b.harbor }, "of-another-organization"},
		"a meeting of a stranger":   {func(s *snapshot.Snapshot) { s.Meetings[0].OrganizerID = stranger }, "not-a-member"},
		"a meeting nowhere":         {func(s *snapshot.Snapshot) { s.Meetings[0].TimeZone = "Asia/Atlantis" }, "not-there"},
		"a meeting left out":        {func(s *snapshot.Snapshot) { s.Meetings = nil }, "not-there"},
		"a stranger attends":        {func(s *snapshot.Snapshot) { s.Attendees[0].UserID = stranger }, "not-a-member"},
		"attending twice":           {func(s *snapshot.Snapshot) { s.Attendees = append(s.Attendees, s.Attendees[0]) }, "twice"},
		"an agenda about nothing":   {func(s *snapshot.Snapshot) { s.AgendaItems[0].ObjectiveID = &stranger }, "not-there"},
		"a material twice":          {func(s *snapshot.Snapshot) { s.Materials = append(s.Materials, s.Materials[0]) }, "twice"},
		"a question of no meeting":  {func(s *snapshot.Snapshot) { s.Questions[0].MeetingID = stranger }, "not-there"},
		"an occurrence twice":       {func(s *snapshot.Snapshot) { s.Occurrences[1].RecurrenceAt = s.Occurrences[0].RecurrenceAt }, "twice"},
		"an occurrence left out":    {func(s *snapshot.Snapshot) { s.Occurrences = nil }, "not-there"},
		"a participant who is none": {func(s *snapshot.Snapshot) { s.Participants[0].UserID = stranger }, "not-a-member"},
		"an answer to another question": {func(s *snapshot.Snapshot) {
			s.Answers[0].QuestionID, s.Answers[1].QuestionID, s.Answers[2].QuestionID = s.Answers[1].QuestionID, s.Answers[2].QuestionID, s.Answers[0].QuestionID
		}, "state-impossible"},
		"an answer to nothing": {func(s *snapshot.Snapshot) { s.Answers[0].QuestionID = stranger }, "not-there"},
		"an answer in another meeting": {func(s *snapshot.Snapshot) {
			other := s.Meetings[0]
			other.ID = stranger
			s.Meetings = append(s.Meetings, other)
			for i := range s.Questions {
				s.Questions[i].MeetingID = stranger
			}
		}, "misplaced"},
		"an answer of nobody":          {func(s *snapshot.Snapshot) { s.Answers[0].UserID, s.Answers[0].AnswerKey = nil, nil }, "schema-rule"},
		"an answer with half a secret": {func(s *snapshot.Snapshot) { s.Answers[0].UserID, s.Answers[0].AnswerKey = nil, []byte{} }, "schema-rule"},
		"a follow-up for a stranger":   {func(s *snapshot.Snapshot) { s.FollowUps[0].AssigneeID = stranger }, "not-a-member"},
		"a check-in that is none":      {func(s *snapshot.Snapshot) { s.MeetingCheckIns[0].CheckInID = stranger }, "not-there"},
		"an external id of nothing":    {func(s *snapshot.Snapshot) { s.ExternalIDs[0].EntityID = stranger }, "not-there"},
		"an external id twice":         {func(s *snapshot.Snapshot) { s.ExternalIDs = append(s.ExternalIDs, s.ExternalIDs[0]) }, "twice"},
		"a foreign external id":        {func(s *snapshot.Snapshot) { s.ExternalIDs[0].OrganizationID = b.harbor }, "of-another-organization"},
		"a time too fine":              {func(s *snapshot.Snapshot) { s.Occurrences[0].StartsAt = s.Occurrences[0].StartsAt.Add(time.Nanosecond) }, "form"},
	} {
		t.Run(what, func(t *testing.T) {
			s, err := snapshot.Read(strings.NewReader(file), false)
			require.NoError(t, err)
			c.damage(s)
			var damaged bytes.Buffer
			require.NoError(t, s.Write(&damaged))
			_, err = elsewhere.whole.Import(t.Context(), &damaged)
			assert.Contains(t, codes(t, err), c.code, "%v", err)
		})
	}
	assert.Equal(t, before, elsewhere.content(), "nothing was written")
}

func toPeople(b snapshot.Broadcast) bool { return b.Audience == "people" }
func toTeams(b snapshot.Broadcast) bool  { return b.Audience == "teams" }

// A change of the whole organisation leaves what people say to each other alone, and refuses what is made up.
func TestAChangeOfTheWholeMakesUpNoMeetings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.communicate()
	before := b.content()
	_, err := b.change(func(s *snapshot.Snapshot) error {
		made := s.Meetings[0]
		made.ID = db.NewID()
		s.Meetings = append(slices.Clone(s.Meetings), made)
		return nil
	})
	assert.Equal(t, []string{"not-added-here"}, codes(t, err))
	_, err = b.change(retitle)
	require.NoError(t, err)
	after := b.content()
	for table := range after {
		if strings.HasPrefix(table, "meeting") || strings.HasPrefix(table, "survey") || strings.HasPrefix(table, "broadcast") {
			assert.Equal(t, before[table], after[table], table)
		}
	}
}
