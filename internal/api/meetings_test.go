package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/meeting"
)

// upcoming are the occurrences of one meeting from now on, as one of its attendees lists them.
func (p *person) upcoming(id uuid.UUID) []api.OccurrenceSummary {
	p.t.Helper()
	query := url.Values{"from": {time.Now().Format(time.RFC3339)}, "before": {time.Now().Add(200 * 24 * time.Hour).Format(time.RFC3339)}, "limit": {"200"}}
	var all []api.OccurrenceSummary
	for _, o := range get[api.OccurrencePage](p, "/occurrences?"+query.Encode()).Items {
		if o.MeetingID == id {
			all = append(all, o)
		}
	}
	return all
}

func starts(all []api.OccurrenceSummary, zone string) []string {
	location, err := time.LoadLocation(zone)
	if err != nil {
		panic(err)
	}
	var shown []string
	for _, o := range all {
		shown = append(shown, o.StartsAt.In(location).Format(meeting.LocalFormat))
	}
	return shown
}

func TestAMeetingIsSeenByThoseItConcerns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	alone := b.member.meeting(fields{"team_id": nil, "attendee_ids": []any{b.viewer.id}})
	of := b.author.meeting(fields{"attendee_ids": []any{b.viewer.id}})
	for _, c := range []struct {
		m         api.Meeting
		sees, not []*person
	}{
		{alone, []*person{b.member, b.viewer, b.admin, b.owner}, []*person{b.author, b.lead, b.teammate, b.elsewhere}},
		{of, []*person{b.author, b.lead, b.teammate, b.viewer, b.admin, b.owner}, []*person{b.member, b.elsewhere}},
	} {
		for _, path := range []string{meetingAt(c.m.ID), meetingAt(c.m.ID) + "/attendees", meetingAt(c.m.ID) + "/calendar.ics", occurrence(c.m.Next.ID), occurrence(c.m.Next.ID) + "/survey", occurrence(c.m.Next.ID) + "/key-results"} {
			for _, p := range c.sees {
				p.send(http.MethodGet, path, nil).is(http.StatusOK)
			}
			for _, p := range c.not {
				p.send(http.MethodGet, path, nil).refused(http.StatusNotFound, "not-found")
			}
		}
	}
	listed := func(p *person, query string) []string {
		var titles []string
		for _, m := range get[api.MeetingPage](p, "/meetings"+query).Items {
			titles = append(titles, m.ID.String())
		}
		return titles
	}
	assert.ElementsMatch(t, []string{alone.ID.String(), of.ID.String()}, listed(b.viewer, ""))
	assert.Empty(t, listed(b.lead, ""), "who does not attend")
	assert.Equal(t, []string{of.ID.String()}, listed(b.lead, "?team_id="+b.team.String()))
	b.member.send(http.MethodGet, "/meetings?team_id="+b.team.String(), nil).refused(http.StatusNotFound, "not-found")
	b.member.send(http.MethodGet, "/occurrences?team_id="+b.team.String(), nil).refused(http.StatusNotFound, "not-found")
	assert.Empty(t, listed(b.viewer, "?from=2020-01-01T00:00:00Z&before=2020-02-01T00:00:00Z"))
	b.viewer.send(http.MethodGet, "/meetings?from=2020-01-01T00:00:00Z", nil).refused(http.StatusBadRequest, "bad-request", "/query/before")
	b.viewer.send(http.MethodGet, "/occurrences?from=2026-01-01T00:00:00Z&before=2027-04-01T00:00:00Z", nil).refused(http.StatusUnprocessableEntity, "invalid", "/query/before")
	b.viewer.send(http.MethodGet, "/occurrences?from=2026-02-01T00:00:00Z&before=2026-01-01T00:00:00Z", nil).refused(http.StatusUnprocessableEntity, "invalid", "/query/before")
}

func TestMeetingsTakePlaceByTheirRule(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting(fields{"time_zone": "America/New_York", "recurrence": "FREQ=WEEKLY;COUNT=3"})
	all := b.author.upcoming(m.ID)
	assert.Equal(t, []string{inDays(2) + "T10:00", inDays(9) + "T10:00", inDays(16) + "T10:00"}, starts(all, "America/New_York"))
	assert.Equal(t, all[0].ID, m.Next.ID)
	assert.Equal(t, 45*time.Minute, all[0].EndsAt.Sub(all[0].StartsAt))
	assert.Len(t, b.author.upcoming(b.author.meeting().ID), 13, "a quarter ahead")
	yearly := b.author.meeting(fields{"starts_at_local": inDays(300) + "T10:00", "recurrence": "FREQ=YEARLY"})
	assert.NotNil(t, yearly.Next, "the next is there, however far ahead")

	for _, c := range []struct {
		f       fields
		pointer string
		code    string
	}{
		{fields{"time_zone": "Asia/Tokio"}, "/time_zone", "unknown-zone"},
		{fields{"time_zone": "Local"}, "/time_zone", "unknown-zone"},
		{fields{"starts_at_local": "2027-02-30T10:00"}, "/starts_at_local", "time"},
		{fields{"starts_at_local": "2027-02-03T25:00"}, "/starts_at_local", "time"},
		{fields{"starts_at_local": "2097-02-03T10:00", "recurrence": nil}, "/starts_at_local", "out-of-range"},
		{fields{"starts_at_local": "1999-02-03T10:00", "recurrence": nil}, "/starts_at_local", "too-early"},
		{fields{"recurrence": "FREQ=HOURLY"}, "/recurrence", "recurrence-frequency"},
		{fields{"recurrence": "FREQ=DAILY;COUNT=1001"}, "/recurrence", "recurrence-count"},
		{fields{"recurrence": "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2"}, "/recurrence", "start-not-in-rule"},
		{fields{"attendee_ids": []any{uuid.New()}}, "/attendee_ids/0", "not-there"},
		{fields{"attendee_ids": []any{b.suspended.id}}, "/attendee_ids/0", "not-there"},
		{fields{"attendee_ids": []any{b.elsewhere.id}}, "/attendee_ids/0", "not-there"},
		{fields{"team_id": b.otherTeam}, "/team_id", "not-in-team"},
		{fields{"team_id": uuid.New()}, "/team_id", "not-there"},
		{fields{"agenda": []fields{{"title": "x", "objective_id": b.admin.draft(fields{"visibility": "private", "owner_id": b.lead.id}).ID}}}, "/agenda/0/objective_id", "not-there"},
		{fields{"materials": []fields{{"url": "https://user:secret@example.com/"}}}, "/materials/0/url", "url"},
		{fields{"survey": fields{"anonymous": true, "results": "when_answered"}}, "/survey/results", "anonymous"},
		{fields{"survey": fields{"questions": []fields{{"kind": "choice", "title": "x", "choices": []string{"一"}}}}}, "/survey/questions/0/choices", "too-few"},
		{fields{"survey": fields{"questions": []fields{{"kind": "scale", "title": "x", "choices": []string{"一", "二"}}}}}, "/survey/questions/0/choices", "not-for-kind"},
		{fields{"survey": fields{"questions": []fields{{"kind": "scale", "title": "x", "id": uuid.New()}}}}, "/survey/questions/0/id", "not-there"},
	} {
		body := b.meetingPayload()
		for name, v := range c.f {
			body[name] = v
			if v == nil {
				delete(body, name)
			}
		}
		a := b.author.send(http.MethodPost, "/meetings", body)
		a.refused(http.StatusUnprocessableEntity, "invalid", c.pointer)
		a.code(c.pointer, c.code)
	}
}

// What people have done with one of the times is theirs; the rest of a series goes where the new rule has it.
func TestAnEditOfASeriesKeepsWhatPeopleHaveTouched(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting()
	was := b.author.upcoming(m.ID)
	require.Len(t, was, 13)
	past := uuid.New()
	b.exec(`INSERT INTO meeting_occurrences (organization_id, id, meeting_id, recurrence_at, starts_at, ends_at, changed_by) VALUES ($1, $2, $3, now() - interval '5 days', now() - interval '5 days', now() - interval '4 days', $4)`,
		b.id, past, m.ID, b.author.id)
	b.author.send(http.MethodPut, occurrence(was[0].ID)+"/answers", fields{"answers": []fields{{"question_id": m.Survey.Questions[0].ID, "scale": 7}}}).is(http.StatusOK)
	b.author.send(http.MethodPost, occurrence(was[1].ID)+"/move", fields{"revision": 1, "starts_at_local": inDays(10) + "T08:00"}).is(http.StatusOK)
	b.author.send(http.MethodPost, occurrence(was[2].ID)+"/cancel", fields{"revision": 1}).is(http.StatusOK)
	b.author.send(http.MethodPut, occurrence(was[3].ID)+"/minutes", fields{"revision": 1, "minutes": "先に決めたこと"}).is(http.StatusOK)
	b.author.send(http.MethodPost, occurrence(was[4].ID)+"/follow-ups", fields{"title": "やること", "assignee_id": b.author.id}).is(http.StatusCreated)
	touched := map[uuid.UUID]api.OccurrenceSummary{}
	for _, o := range b.author.upcoming(m.ID)[:5] {
		touched[o.ID] = o
	}

	// Every day at three, for a week.
	changed := into[api.Meeting](b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": 1, "starts_at_local": inDays(2) + "T15:00", "recurrence": "FREQ=DAILY;COUNT=7"}).is(http.StatusOK))
	assert.Equal(t, "FREQ=DAILY;COUNT=7", *changed.Recurrence)
	now := b.author.upcoming(m.ID)
	var free []api.OccurrenceSummary
	for _, o := range now {
		if before, ok := touched[o.ID]; ok {
			assert.Equal(t, before, o, "what was touched stays")
			delete(touched, o.ID)
			continue
		}
		free = append(free, o)
	}
	assert.Empty(t, touched)
	want := []string{}
	for day := range 7 {
		want = append(want, inDays(2+day)+"T15:00")
	}
	assert.Equal(t, want, starts(free, "Asia/Tokyo"))
	for _, o := range free {
		assert.True(t, slices.ContainsFunc(was, func(w api.OccurrenceSummary) bool { return w.ID == o.ID }), "a link that was sent still leads there")
	}
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM meeting_occurrences WHERE id = $1", past), "what is past stays")
	assert.Equal(t, 13, value[int](b, "SELECT count(*) FROM meeting_occurrences WHERE meeting_id = $1", m.ID), "one that nobody has touched and no rule has is no more")

	// Back again, with the same times: only duration changes, in place.
	same := into[api.Meeting](b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": 2, "duration_minutes": 60}).is(http.StatusOK))
	assert.Equal(t, changed.StartsAtLocal, same.StartsAtLocal)
	for _, o := range b.author.upcoming(m.ID) {
		if slices.ContainsFunc(free, func(f api.OccurrenceSummary) bool { return f.ID == o.ID }) {
			assert.Equal(t, time.Hour, o.EndsAt.Sub(o.StartsAt))
		}
	}
	b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": 3, "starts_at_local": "2026-01-05T10:00", "recurrence": nil}).refused(http.StatusUnprocessableEntity, "invalid", "/starts_at_local")
	b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": 3, "starts_at_local": inDays(3) + "T10:00", "recurrence": "FREQ=MONTHLY;BYMONTHDAY=-31,31,30,29,28,27,26,25,24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1"}).is(http.StatusOK)
}

func TestAMeetingThatTakesPlaceOnceGoesWithAllThatItHolds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting(fields{"recurrence": nil})
	b.author.send(http.MethodPut, occurrence(m.Next.ID)+"/answers", fields{"answers": []fields{{"question_id": m.Survey.Questions[0].ID, "scale": 7}}}).is(http.StatusOK)
	changed := into[api.Meeting](b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": 1, "starts_at_local": inDays(4) + "T11:00"}).is(http.StatusOK))
	assert.Equal(t, m.Next.ID, changed.Next.ID)
	assert.Equal(t, []string{inDays(4) + "T11:00"}, starts(b.author.upcoming(m.ID), "Asia/Tokyo"))
	assert.Equal(t, 1, get[api.Survey](b.author, occurrence(m.Next.ID)+"/survey").Answered)

	b.author.send(http.MethodPost, meetingAt(m.ID)+"/cancel", fields{"revision": 2}).is(http.StatusOK)
	for _, a := range []answer{
		b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": 3, "title": "x"}),
		b.author.send(http.MethodPost, meetingAt(m.ID)+"/cancel", fields{"revision": 3}),
		b.author.send(http.MethodPost, occurrence(m.Next.ID)+"/move", fields{"revision": 2, "starts_at_local": inDays(5) + "T10:00"}),
		b.author.send(http.MethodPut, meetingAt(m.ID)+"/response", fields{"response": "accepted"}),
		b.author.send(http.MethodPut, meetingAt(m.ID)+"/attendees/"+b.member.id.String(), nil),
		b.author.send(http.MethodPut, occurrence(m.Next.ID)+"/answers", fields{"answers": []fields{{"question_id": m.Survey.Questions[0].ID, "scale": 8}}}),
	} {
		a.refused(http.StatusConflict, "wrong-state")
	}
	assert.True(t, b.author.upcoming(m.ID)[0].Cancelled)
}

func TestWhatHasBegunIsNotMoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting()
	b.author.send(http.MethodPost, occurrence(m.Next.ID)+"/move", fields{"revision": 1, "starts_at_local": inDays(-3) + "T10:00"}).refused(http.StatusUnprocessableEntity, "invalid", "/starts_at_local")
	b.exec("UPDATE meeting_occurrences SET starts_at = now() - interval '1 second' WHERE id = $1", m.Next.ID)
	for _, verb := range []string{"move", "cancel"} {
		body := fields{"revision": 1, "starts_at_local": inDays(3) + "T10:00"}
		if verb == "cancel" {
			delete(body, "starts_at_local")
		}
		b.author.send(http.MethodPost, occurrence(m.Next.ID)+"/"+verb, body).refused(http.StatusConflict, "wrong-state")
	}
}

func TestOfManyWhoEditAMeetingOneWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting()
	people := []*person{b.author, b.lead, b.admin, b.owner}
	mails := value[int](b, "SELECT count(*) FROM mails")
	statuses := atOnce(t, 12, func(i int) (answer, error) {
		return people[i%4].try(http.MethodPatch, meetingAt(m.ID), fields{"revision": 1, "starts_at_local": inDays(3) + fmt.Sprintf("T%02d:30", i)})
	})
	assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: 11}, statuses)
	now := get[api.Meeting](b.author, meetingAt(m.ID))
	assert.EqualValues(t, 2, now.Revision)
	for _, at := range starts(b.author.upcoming(m.ID), "Asia/Tokyo") {
		assert.Equal(t, now.StartsAtLocal[10:], at[10:], "all by the one rule")
	}
	assert.Contains(t, []int{1, 2}, value[int](b, "SELECT count(*) FROM mails")-mails, "those who attend are told once, whoever did it is not")
}

// atOnce has many ask at once, and counts the answers.
func atOnce(t *testing.T, n int, ask func(i int) (answer, error)) map[int]int {
	t.Helper()
	statuses := make([]int, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			a, err := ask(i)
			assert.NoError(t, err)
			statuses[i] = a.status
		})
	}
	all.Wait()
	counts := map[int]int{}
	for _, s := range statuses {
		counts[s]++
	}
	return counts
}

func TestOfTwoWhoWriteMinutesTheSecondSeesWhatTheFirstWrote(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting()
	people := []*person{b.author, b.teammate, b.lead, b.admin}
	answers := make([]answer, 4)
	statuses := atOnce(t, 4, func(i int) (answer, error) {
		var err error
		answers[i], err = people[i].try(http.MethodPut, occurrence(m.Next.ID)+"/minutes", fields{"revision": 1, "minutes": people[i].name + "のメモ", "decisions": []string{people[i].name}})
		return answers[i], err
	})
	require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: 3}, statuses)
	now := get[api.Occurrence](b.author, occurrence(m.Next.ID))
	for i, a := range answers {
		if a.status == http.StatusOK {
			assert.Equal(t, people[i].name+"のメモ", *now.Minutes)
			assert.Equal(t, []string{people[i].name}, now.Decisions)
			continue
		}
		p := a.refused(http.StatusConflict, "stale-revision")
		assert.Equal(t, *now.Minutes, (*p.Present).(map[string]any)["minutes"])
		assert.Equal(t, now.ChangedBy, *p.ChangedBy)
	}
}

func TestTwoWhoInviteTheSameMemberInviteThemOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting()
	mails := value[int](b, "SELECT count(*) FROM mails")
	people := []*person{b.author, b.lead, b.admin, b.owner}
	statuses := atOnce(t, 8, func(i int) (answer, error) {
		return people[i%4].try(http.MethodPut, meetingAt(m.ID)+"/attendees/"+b.member.id.String(), nil)
	})
	assert.Equal(t, map[int]int{http.StatusOK: 8}, statuses)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'meeting.attendee_put'"))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM mails")-mails)
	assert.Equal(t, 3, get[api.Meeting](b.member, meetingAt(m.ID)).AttendeeCount)

	b.author.send(http.MethodPut, meetingAt(m.ID)+"/attendees/"+b.suspended.id.String(), nil).refused(http.StatusNotFound, "not-found")
	b.author.send(http.MethodDelete, meetingAt(m.ID)+"/attendees/"+b.author.id.String(), nil).refused(http.StatusConflict, "wrong-state")
	b.teammate.send(http.MethodDelete, meetingAt(m.ID)+"/attendees/"+b.member.id.String(), nil).refused(http.StatusForbidden, "not-allowed")
	b.member.send(http.MethodDelete, meetingAt(m.ID)+"/attendees/"+b.member.id.String(), nil).is(http.StatusNoContent)
	b.member.send(http.MethodGet, meetingAt(m.ID), nil).is(http.StatusNotFound)
}

// The bound holds when many invite at once.
func TestAMeetingHasABoundOfAttendees(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting()
	b.exec(`INSERT INTO users (id, email, name) SELECT gen_random_uuid(), 'crowd' || i || '@example.com', 'crowd' FROM generate_series(1, 510) AS i`)
	b.exec(`INSERT INTO memberships (organization_id, user_id, role) SELECT $1, u.id, 'member' FROM users AS u WHERE u.name = 'crowd'`, b.id)
	b.exec(`INSERT INTO meeting_attendees (organization_id, meeting_id, user_id) SELECT $1, $2, u.id FROM users AS u WHERE u.name = 'crowd' LIMIT 495`, b.id, m.ID)
	rows, err := b.database.Owner.Query(t.Context(), `SELECT u.id FROM users AS u WHERE u.name = 'crowd' AND NOT EXISTS (SELECT FROM meeting_attendees AS a WHERE a.user_id = u.id)`)
	require.NoError(t, err)
	var left []uuid.UUID
	for rows.Next() {
		var id uuid.UUID
		require.NoError(t, rows.Scan(&id))
		left = append(left, id)
	}
	require.NoError(t, rows.Err())
	statuses := atOnce(t, 10, func(i int) (answer, error) {
		return b.author.try(http.MethodPut, meetingAt(m.ID)+"/attendees/"+left[i].String(), nil)
	})
	assert.Equal(t, map[int]int{http.StatusOK: 3, http.StatusConflict: 7}, statuses)
	assert.Equal(t, 500, get[api.Meeting](b.author, meetingAt(m.ID)).AttendeeCount)
}

func TestCheckInsAreMadeInAMeeting(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.approved()
	hidden := b.admin.approved(fields{"owner_id": b.lead.id, "visibility": "private"})
	other := b.author.approved()
	m := b.author.meeting()
	titles := func(p *person, at uuid.UUID) []uuid.UUID {
		ids := []uuid.UUID{}
		for _, o := range get[api.ObjectivesToCheckIn](p, occurrence(at)+"/key-results").Items {
			assert.NotEmpty(t, o.KeyResults)
			ids = append(ids, o.ID)
		}
		return ids
	}
	assert.Equal(t, []uuid.UUID{o.ID, other.ID}, titles(b.teammate, m.Next.ID), "the team's, those that one may see")
	assert.Equal(t, []uuid.UUID{o.ID, hidden.ID, other.ID}, titles(b.lead, m.Next.ID))
	agenda := b.lead.meeting(fields{"agenda": []fields{{"title": "一", "objective_id": other.ID}, {"title": "二", "objective_id": hidden.ID}}, "attendee_ids": []any{b.author.id}})
	assert.Equal(t, []uuid.UUID{hidden.ID, other.ID}, titles(b.lead, agenda.Next.ID), "the agenda's")
	assert.Equal(t, []uuid.UUID{other.ID}, titles(b.author, agenda.Next.ID))

	checkIn := fields{"value": "40", "confidence": 7, "occurrence_id": m.Next.ID}
	made := into[api.CheckIn](b.author.send(http.MethodPost, checkIns(o.KeyResults[0].ID), checkIn).is(http.StatusCreated))
	seen := get[api.Occurrence](b.teammate, occurrence(m.Next.ID)).CheckIns
	require.Len(t, seen, 1)
	assert.Equal(t, made.ID, seen[0].CheckIn.ID)
	assert.Equal(t, o.ID, seen[0].ObjectiveID)
	assert.Equal(t, "NPS", seen[0].KeyResultTitle)

	b.lead.send(http.MethodPost, checkIns(o.KeyResults[0].ID), checkIn).refused(http.StatusUnprocessableEntity, "invalid", "/occurrence_id")
	b.author.send(http.MethodPost, checkIns(o.KeyResults[0].ID), with(checkIn, "occurrence_id", uuid.New())).refused(http.StatusUnprocessableEntity, "invalid", "/occurrence_id")
	hiddenOne := b.lead.send(http.MethodPost, checkIns(hidden.KeyResults[0].ID), with(checkIn, "occurrence_id", agenda.Next.ID)).is(http.StatusCreated)
	assert.NotContains(t, string(b.author.send(http.MethodGet, occurrence(agenda.Next.ID), nil).body), into[api.CheckIn](hiddenOne).ID.String(), "of a private objective, to whom it is private")
	b.author.send(http.MethodPost, occurrence(m.Next.ID)+"/cancel", fields{"revision": 1}).is(http.StatusOK)
	b.author.send(http.MethodPost, checkIns(o.KeyResults[0].ID), checkIn).refused(http.StatusConflict, "wrong-state")
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM check_ins"), "what is refused is not half done")
}

func TestFollowUpsStandInWhatOneOwesUntilTheyAreDone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting()
	path := occurrence(m.Next.ID) + "/follow-ups"
	f := into[api.FollowUp](b.teammate.send(http.MethodPost, path, fields{"title": "アンケートを作り直す", "assignee_id": b.member.id, "due_on": inDays(7)}).is(http.StatusCreated))
	owed := get[api.FollowUpPage](b.member, "/follow-ups").Items
	require.Len(t, owed, 1)
	assert.Equal(t, "週次チェックイン", *owed[0].MeetingTitle)
	assert.Equal(t, inDays(7), owed[0].DueOn.String())
	b.member.send(http.MethodGet, occurrence(m.Next.ID), nil).is(http.StatusNotFound)
	b.member.send(http.MethodPatch, "/follow-ups/"+f.ID.String(), fields{"revision": 1, "done": true}).is(http.StatusOK)
	assert.Empty(t, get[api.FollowUpPage](b.member, "/follow-ups").Items)
	b.member.send(http.MethodPatch, "/follow-ups/"+f.ID.String(), fields{"revision": 2, "done": false, "due_on": nil}).is(http.StatusOK)
	b.member.send(http.MethodPatch, "/follow-ups/"+f.ID.String(), fields{"revision": 3, "assignee_id": b.author.id}).is(http.StatusOK)
	b.member.send(http.MethodGet, "/follow-ups/"+f.ID.String(), nil).is(http.StatusNotFound)
	mine := get[api.FollowUpPage](b.author, "/follow-ups").Items
	require.Len(t, mine, 1)
	assert.Nil(t, mine[0].DueOn)
	assert.False(t, mine[0].Done)
	b.author.send(http.MethodPost, path, fields{"title": "x", "assignee_id": b.suspended.id}).refused(http.StatusUnprocessableEntity, "invalid", "/assignee_id")
	b.author.send(http.MethodPatch, "/follow-ups/"+f.ID.String(), fields{"revision": 4, "assignee_id": b.elsewhere.id}).refused(http.StatusUnprocessableEntity, "invalid", "/assignee_id")

	var actions []string
	for _, e := range get[api.AuditEventPage](b.admin, "/audit-events?target_id="+f.ID.String()).Items {
		actions = append(actions, e.Action)
	}
	assert.Equal(t, []string{"follow_up.updated", "follow_up.reopened", "follow_up.done", "follow_up.created"}, actions)

	b.exec(`INSERT INTO follow_ups (organization_id, id, occurrence_id, assignee_id, title, created_by, changed_by) SELECT $1, gen_random_uuid(), $2, $3, 'x', $3, $3 FROM generate_series(1, 198)`, b.id, m.Next.ID, b.author.id)
	_, release := b.holds("SELECT FROM meeting_occurrences WHERE id = $1 FOR UPDATE", m.Next.ID)
	statuses := make(chan map[int]int, 1)
	go func() {
		statuses <- atOnce(t, 4, func(int) (answer, error) {
			return b.author.try(http.MethodPost, path, fields{"title": "x", "assignee_id": b.author.id})
		})
	}()
	b.awaitBlocked(4)
	release()
	assert.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusConflict: 3}, <-statuses, "the bound holds")
}

// previews notes what it is asked to read.
type previews struct {
	mu   sync.Mutex
	urls []string
}

func (p *previews) Refresh(_ context.Context, _ uuid.UUID, urls ...string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.urls = append(p.urls, urls...)
	return nil
}

func (p *previews) seen() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.urls)
}

func TestMaterialsAreReadWhenTheyArePutThere(t *testing.T) {
	t.Parallel()
	pages := &previews{}
	b := setupWith(t, api.Options{Previews: pages})
	m := b.author.meeting()
	want := []string{"https://example.com/report"}
	assert.EventuallyWithT(t, func(c *assert.CollectT) { assert.Equal(c, want, pages.seen()) }, patience, time.Millisecond)
	b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": 1, "materials": []fields{{"url": "https://example.com/b"}}}).is(http.StatusOK)
	want = append(want, "https://example.com/b")
	assert.EventuallyWithT(t, func(c *assert.CollectT) { assert.Equal(c, want, pages.seen()) }, patience, time.Millisecond)
	b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": 2, "title": "題"}).is(http.StatusOK)
	b.exec(`INSERT INTO link_previews (organization_id, url_hash, url, state, title, expires_at) VALUES ($1, sha256('https://example.com/b'), 'https://example.com/b', 'fetched', 'その頁', now() + interval '1 day')`, b.id)
	got := get[api.Meeting](b.teammate, meetingAt(m.ID)).Materials
	require.Len(t, got, 1)
	assert.Equal(t, "その頁", *got[0].Preview.Title)
	assert.Equal(t, want, pages.seen())
}

func TestAttendeesAreToldWithTheCalendarsFile(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{PublicURL: "https://okr.example.com/"})
	m := b.author.meeting(fields{"attendee_ids": []any{b.teammate.id, b.viewer.id}})
	last := func() fields {
		return value[fields](b, "SELECT detail FROM mails WHERE user_id = $1 ORDER BY id DESC LIMIT 1", b.teammate.id)
	}
	calendar := func(f fields) string { return strings.ReplaceAll(f["calendar"].(string), "\r\n ", "") }
	assert.Equal(t, 0, value[int](b, "SELECT count(*) FROM mails WHERE user_id = $1", b.author.id), "who did it knows")
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM outbox_events WHERE kind = 'mail.send'"))
	invited := last()
	assert.Equal(t, "REQUEST", invited["method"])
	for _, line := range []string{"METHOD:REQUEST", "UID:" + m.ID.String() + "@kakeai", "SEQUENCE:1", "RRULE:FREQ=WEEKLY", "SUMMARY:週次チェックイン", "URL:https://okr.example.com/meetings/" + m.ID.String(),
		`DESCRIPTION:今週の進みを確かめる\n\n• NPS の見直し\n• その他\n\nhttps://okr.example.com/meetings/` + m.ID.String()} {
		assert.Contains(t, calendar(invited), line+"\r\n")
	}
	assert.Contains(t, calendar(invited), ":mailto:"+b.teammate.email)
	assert.NotContains(t, calendar(invited), b.viewer.email, "who else comes is not everybody's to have in a file")

	b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": 1, "agenda": []fields{}}).is(http.StatusOK)
	assert.Equal(t, invited, last(), "nobody comes another time for it")
	b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": 2, "place": "会議室 4"}).is(http.StatusOK)
	assert.Equal(t, true, last()["changed"])
	assert.Contains(t, calendar(last()), "SEQUENCE:3\r\n")
	assert.Contains(t, calendar(last()), "LOCATION:会議室 4\r\n")
	b.author.send(http.MethodPost, occurrence(m.Next.ID)+"/move", fields{"revision": 1, "starts_at_local": inDays(3) + "T15:00"}).is(http.StatusOK)
	assert.Contains(t, calendar(last()), "RECURRENCE-ID;TZID=Asia/Tokyo:"+strings.ReplaceAll(inDays(2), "-", "")+"T100000\r\n")
	assert.Contains(t, calendar(last()), "DTSTART;TZID=Asia/Tokyo:"+strings.ReplaceAll(inDays(3), "-", "")+"T150000\r\n")
	assert.NotContains(t, calendar(last()), "RRULE", "this one time alone")
	second := b.author.upcoming(m.ID)[1]
	b.author.send(http.MethodPost, occurrence(second.ID)+"/cancel", fields{"revision": 1}).is(http.StatusOK)
	assert.Equal(t, "CANCEL", last()["method"])
	assert.Contains(t, calendar(last()), "METHOD:CANCEL\r\n")
	assert.Contains(t, calendar(last()), "RECURRENCE-ID;")
	b.author.send(http.MethodPost, meetingAt(m.ID)+"/cancel", fields{"revision": 3}).is(http.StatusOK)
	assert.Contains(t, calendar(last()), "SEQUENCE:4\r\n")
	assert.Contains(t, calendar(last()), "STATUS:CANCELLED\r\n")
	assert.NotContains(t, calendar(last()), "RECURRENCE-ID;")
}
