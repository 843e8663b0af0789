package convene_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // the zones of these tests do not depend on the machine

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/convene"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/meeting"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/schedule"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// bundle is an organisation with people, over a database of its own. now is what time it is for whoever goes by the clock.
type bundle struct {
	t        *testing.T
	database *pgtest.Database
	q        *db.Queries // as the tables' owner
	store    *db.Store
	id       uuid.UUID
	people   []uuid.UUID
	now      time.Time
}

func setup(t *testing.T, people int) *bundle {
	t.Helper()
	database := pgtest.New(t)
	store, err := db.Open(t.Context(), database.AppURL, db.Options{Patience: 30 * time.Second})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	b := &bundle{t: t, database: database, q: db.New(database.Owner), store: store, id: db.NewID(), now: time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)}
	require.NoError(t, b.q.CreateOrganization(t.Context(), db.CreateOrganizationParams{OrganizationID: b.id, Name: "みなと製作所", Locale: "ja", TimeZone: "Asia/Kathmandu", Cadence: "weekly", GraceDays: 7}))
	for i := range people {
		user := db.NewID()
		require.NoError(t, b.q.CreateUser(t.Context(), db.CreateUserParams{ID: user, Email: fmt.Sprintf("p%d.%s@example.com", i, user), Name: fmt.Sprint("person ", i), Locale: "ja", TimeZone: "Asia/Tokyo"}))
		require.NoError(t, b.q.CreateMembership(t.Context(), db.CreateMembershipParams{OrganizationID: b.id, UserID: user, Role: "member"}))
		b.people = append(b.people, user)
	}
	return b
}

func (b *bundle) convener() *convene.Convener {
	return convene.New(b.store, convene.Options{PublicURL: "https://okr.example.com/", Now: &b.now})
}

func (b *bundle) exec(statement string, arguments ...any) {
	b.t.Helper()
	_, err := b.database.Owner.Exec(b.t.Context(), statement, arguments...)
	require.NoError(b.t, err, statement)
}

func value[T any](b *bundle, query string, arguments ...any) (v T) {
	b.t.Helper()
	require.NoError(b.t, b.database.Owner.QueryRow(b.t.Context(), query, arguments...).Scan(&v), query)
	return v
}

func (b *bundle) scope() db.Scope { return db.Scope{Organization: b.id, Class: db.Background} }

// meeting is one that all attend, beginning so long after now, with a question if it is asked for.
func (b *bundle) meeting(after time.Duration, recurrence string, question bool) db.Meeting {
	b.t.Helper()
	create := db.CreateMeetingParams{OrganizationID: b.id, ID: db.NewID(), Title: "週次チェックイン", TimeZone: "UTC", StartsAtLocal: b.now.Add(after), DurationMinutes: 45, SurveyResults: meeting.AtStart,
		RemindMinutes: 30, ActorID: b.people[0]}
	if recurrence != "" {
		create.Recurrence = &recurrence
	}
	m, err := b.q.CreateMeeting(b.t.Context(), create)
	require.NoError(b.t, err)
	_, err = b.q.AddAttendees(b.t.Context(), db.AddAttendeesParams{OrganizationID: b.id, MeetingID: m.ID, UserIDs: b.people})
	require.NoError(b.t, err)
	require.NoError(b.t, convene.Place(b.t.Context(), b.q, m, b.now, b.now))
	if question {
		b.exec("INSERT INTO survey_questions (organization_id, id, meeting_id, position, kind, title) VALUES ($1, gen_random_uuid(), $2, 0, 'scale', '手ごたえは？')", b.id, m.ID)
	}
	return m
}

func (b *bundle) run(r schedule.Run) error {
	return r.Do(b.t.Context(), schedule.Organization{ID: b.id, Zone: time.UTC}, b.now)
}

func (b *bundle) occurrences(m db.Meeting) int {
	b.t.Helper()
	return value[int](b, "SELECT count(*) FROM meeting_occurrences WHERE meeting_id = $1", m.ID)
}

// mails is how many of a kind there are.
func (b *bundle) mails(template string) int {
	b.t.Helper()
	return value[int](b, "SELECT count(*) FROM mails WHERE template = $1", template)
}

// atOnce has several run the same.
func atOnce(t *testing.T, n int, do func() error) {
	t.Helper()
	var all sync.WaitGroup
	for range n {
		all.Go(func() { assert.NoError(t, do()) })
	}
	all.Wait()
}

func TestMeetingsGoOnTakingPlace(t *testing.T) {
	t.Parallel()
	b := setup(t, 1)
	weekly, ended := b.meeting(9*time.Hour, "FREQ=WEEKLY", false), b.meeting(9*time.Hour, "FREQ=WEEKLY;COUNT=2", false)
	cancelled := b.meeting(9*time.Hour, "FREQ=DAILY", false)
	b.exec("UPDATE meetings SET cancelled_at = now() WHERE id = $1", cancelled.ID)
	daily := b.occurrences(cancelled)
	assert.Equal(t, 13, b.occurrences(weekly))
	b.now = b.now.Add(30 * 24 * time.Hour)
	for range 2 {
		require.NoError(t, b.run(b.convener().Horizon()))
		assert.Equal(t, 18, b.occurrences(weekly), "what has passed, and a quarter ahead")
	}
	assert.Equal(t, 2, b.occurrences(ended))
	assert.Equal(t, daily, b.occurrences(cancelled))

	// One that this program cannot read keeps no other from taking place, and is told of.
	b.exec("UPDATE meetings SET time_zone = 'Mars/Olympus' WHERE id = $1", ended.ID)
	b.now = b.now.Add(30 * 24 * time.Hour)
	assert.ErrorContains(t, b.run(b.convener().Horizon()), "Mars/Olympus")
	assert.Equal(t, 22, b.occurrences(weekly))
}

func TestSeveralMayLookAheadAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, 1)
	all := []db.Meeting{}
	for i := range 5 {
		all = append(all, b.meeting(time.Duration(9+i)*time.Hour, "FREQ=DAILY", false))
	}
	b.exec("DELETE FROM meeting_occurrences")
	run := b.convener().Horizon()
	atOnce(t, 4, func() error { return b.run(run) })
	for _, m := range all {
		assert.Equal(t, 90, b.occurrences(m))
	}
}

// While a series is being changed, whoever looks ahead waits, and then follows the new rule.
func TestLookingAheadWaitsForAnEdit(t *testing.T) {
	t.Parallel()
	b := setup(t, 1)
	m := b.meeting(9*time.Hour, "FREQ=DAILY", false)
	b.now = b.now.Add(10 * 24 * time.Hour)
	tx, err := b.database.Owner.Begin(t.Context())
	require.NoError(t, err)
	q := db.New(tx)
	rule := "FREQ=WEEKLY"
	changed, err := q.UpdateMeetingIfRevision(t.Context(), db.UpdateMeetingIfRevisionParams{OrganizationID: b.id, ID: m.ID, Revision: 1, ActorID: b.people[0], TimeZone: "UTC",
		StartsAtLocal: b.now.Add(12 * time.Hour), DurationMinutes: 45, Recurrence: &rule, SurveyResults: meeting.AtStart})
	require.NoError(t, err)
	ran := make(chan error, 1)
	go func() { ran <- b.run(b.convener().Horizon()) }()
	require.Eventually(t, func() bool {
		return value[int](b, "SELECT count(*) FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid WHERE a.datname = current_database() AND NOT l.granted") > 0
	}, 30*time.Second, 5*time.Millisecond)
	require.NoError(t, convene.Replace(t.Context(), q, changed, true, b.now))
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-ran)
	assert.Equal(t, 13, value[int](b, "SELECT count(*) FROM meeting_occurrences WHERE recurrence_at >= $1", b.now))
	assert.Equal(t, 0, value[int](b, "SELECT count(*) FROM meeting_occurrences WHERE recurrence_at >= $1 AND extract(hour FROM starts_at AT TIME ZONE 'UTC') <> 12", b.now))
}

func TestAMeetingIsRemindedOfOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, 3)
	soon, later := b.meeting(30*time.Minute, "", false), b.meeting(31*time.Minute, "", false)
	off, gone := b.meeting(10*time.Minute, "", false), b.meeting(20*time.Minute, "", false)
	never := b.meeting(10*time.Minute, "", false)
	b.exec("UPDATE meeting_occurrences SET cancelled_at = now() WHERE meeting_id = $1", off.ID)
	b.exec("UPDATE meetings SET cancelled_at = now() WHERE id = $1", gone.ID)
	b.exec("UPDATE meetings SET remind_minutes = 0 WHERE id = $1", never.ID)
	run := b.convener().Reminders()
	atOnce(t, 4, func() error { return b.run(run) })
	reminded := func(m db.Meeting) bool {
		return value[bool](b, "SELECT reminded_at IS NOT NULL FROM meeting_occurrences WHERE meeting_id = $1", m.ID)
	}
	assert.True(t, reminded(soon))
	for _, m := range []db.Meeting{later, off, gone, never} {
		assert.False(t, reminded(m))
	}
	b.now = b.now.Add(time.Hour)
	require.NoError(t, b.run(run))
	assert.False(t, reminded(later), "what has begun is not reminded of")
}

func TestSurveysAreAskedOnceAndRemindedOfOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, 5)
	m := b.meeting(25*time.Hour, "", true)
	b.meeting(2*time.Hour, "", false) // without a question
	c := b.convener()
	require.NoError(t, b.run(c.SurveyOpens()))
	assert.Equal(t, 0, b.mails("survey"), "more than a day ahead")
	b.now = b.now.Add(time.Hour)
	atOnce(t, 4, func() error { return b.run(c.SurveyOpens()) })
	assert.Equal(t, 5, b.mails("survey"))
	require.NoError(t, b.run(c.SurveyReminders()))
	assert.Equal(t, 5, b.mails("survey"), "not yet")

	b.now = b.now.Add(20 * time.Hour)
	b.exec("INSERT INTO survey_participants SELECT organization_id, id, $2 FROM meeting_occurrences WHERE meeting_id = $1", m.ID, b.people[1])
	b.exec("UPDATE meeting_attendees SET response = 'declined' WHERE user_id = $1 AND meeting_id = $2", b.people[2], m.ID)
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.people[3])
	atOnce(t, 4, func() error { return b.run(c.SurveyReminders()) })
	assert.Equal(t, 7, b.mails("survey"), "who has not answered, comes, and is still there")
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM mails WHERE template = 'survey' AND (detail ->> 'reminder')::bool AND user_id IN ($1, $2)", b.people[0], b.people[4]))

	late := b.meeting(3*time.Hour, "", true)
	require.NoError(t, b.run(c.SurveyOpens()))
	require.NoError(t, b.run(c.SurveyReminders()))
	assert.Equal(t, 11, b.mails("survey"), "who is asked late is not reminded on top of it")
	assert.True(t, value[bool](b, "SELECT survey_reminded_at IS NOT NULL FROM meeting_occurrences WHERE meeting_id = $1", late.ID))
}

// deliver does what the outbox does with word that is under way: each event once, oldest first, until there is none.
func (b *bundle) deliver(fold outbox.Fold) (steps int) {
	b.t.Helper()
	for {
		var e outbox.Event
		rows, err := b.database.Owner.Query(b.t.Context(), "DELETE FROM outbox_events WHERE id = (SELECT id FROM outbox_events WHERE kind = $1 ORDER BY id LIMIT 1) RETURNING organization_id, id, kind, target_id", convene.NoticeEvent)
		require.NoError(b.t, err)
		found := rows.Next()
		if found {
			require.NoError(b.t, rows.Scan(&e.Organization, &e.ID, &e.Kind, &e.Target))
		}
		rows.Close()
		require.NoError(b.t, rows.Err())
		if !found {
			return steps
		}
		steps++
		require.NoError(b.t, b.store.Write(b.t.Context(), b.scope(), func(ctx context.Context, q *db.Queries) error { return fold(ctx, q, e) }))
	}
}

func TestWordReachesManyStepByStep(t *testing.T) {
	t.Parallel()
	b := setup(t, 120)
	m := b.meeting(48*time.Hour, "FREQ=WEEKLY", false)
	c := b.convener()
	tell := func(w convene.Word) {
		t.Helper()
		require.NoError(t, b.store.Write(t.Context(), b.scope(), func(ctx context.Context, q *db.Queries) error { return c.Tell(ctx, q, w) }))
	}
	tell(convene.Word{Kind: convene.Invited, Meeting: m, Actor: b.people[7], ActorName: "person 7"})
	assert.Equal(t, 0, b.mails("meeting"), "not in the transaction of whoever asks")
	assert.Equal(t, 3, b.deliver(c.Fold()))
	assert.Equal(t, 119, b.mails("meeting"))
	assert.Equal(t, 119, value[int](b, "SELECT count(DISTINCT user_id) FROM mails WHERE user_id <> $1", b.people[7]), "each once, and not whoever did it")
	assert.Equal(t, 0, value[int](b, "SELECT count(*) FROM meeting_notices"))

	o, err := b.q.GetNextOccurrence(t.Context(), db.GetNextOccurrenceParams{OrganizationID: b.id, MeetingID: m.ID, FromAt: b.now})
	require.NoError(t, err)
	tell(convene.Word{Kind: convene.Cancelled, Meeting: m, Occurrence: &o, Actor: b.people[7], ActorName: "person 7"})
	b.exec("DELETE FROM meeting_occurrences WHERE id = $1", o.ID)
	assert.Equal(t, 1, b.deliver(c.Fold()), "what it was about is no more")
	assert.Equal(t, 119, b.mails("meeting"))
	require.NoError(t, c.Fold()(t.Context(), b.q, outbox.Event{Organization: b.id, Kind: "meeting.updated", Target: m.ID}), "what is not its own")
}

func TestFewAreToldAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, convene.Step)
	m := b.meeting(48*time.Hour, "", false)
	require.NoError(t, b.store.Write(t.Context(), b.scope(), func(ctx context.Context, q *db.Queries) error {
		return b.convener().Tell(ctx, q, convene.Word{Kind: convene.Invited, Meeting: m, Actor: b.people[0], ActorName: "person 0"})
	}))
	assert.Equal(t, convene.Step-1, b.mails("meeting"))
	assert.Equal(t, 0, value[int](b, "SELECT count(*) FROM outbox_events WHERE kind = $1", convene.NoticeEvent))
}

func TestRunsAreDueAsTheyShould(t *testing.T) {
	t.Parallel()
	tokyo, err := meeting.LoadZone("Asia/Tokyo")
	require.NoError(t, err)
	c := convene.New(nil, convene.Options{})
	at := time.Date(2026, time.December, 1, 3, 2, 1, 0, time.UTC)
	names := []string{}
	for _, r := range c.Runs() {
		names = append(names, r.Name)
		next := r.Next(at, tokyo)
		assert.True(t, next.After(at), r.Name)
		assert.True(t, r.Next(next, tokyo).After(next), r.Name)
	}
	assert.Equal(t, []string{"meetings-horizon", "meeting-reminders", "survey-opens", "survey-reminders"}, names)
	assert.Equal(t, "2026-12-02T03:30:00+09:00", c.Horizon().Next(at, tokyo).Format(time.RFC3339))
	assert.Equal(t, "2026-12-01T03:05:00Z", c.Reminders().Next(at, tokyo).Format(time.RFC3339))
}
