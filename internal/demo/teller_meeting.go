package demo

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/fetch"
	"github.com/kakeai/kakeai/internal/meeting"
)

// gathering is a meeting that a team has each week. It began some weeks before now, and each of the past ones has minutes, the last of them latest.
type gathering struct {
	title       string
	description string
	place       string
	team        team
	organizer   person
	others      []person
	soon        bool // on the day and at the hour that come next, in place of the following two
	day         time.Weekday
	clock       string
	duration    int32 // minutes
	agenda      []string
	reading     string // an address
	questions   []question
	minutes     []minutes
}

type question struct {
	kind     string
	title    string
	choices  []string
	required bool
}

type minutes struct {
	text      string
	decisions []string
	owed      string // agreed to be done, if anything
	by        person // and by whom
}

// toldMeeting is a gathering with the times it takes place at.
type toldMeeting struct {
	gathering
	number int
	id     uuid.UUID
	start  time.Time // on the clock of the wall, as if it were UTC
	times  []time.Time
}

func (t *teller) layMeetings() error {
	for i, g := range t.meetings {
		if g.soon {
			if err := t.soon(&g); err != nil {
				return err
			}
		}
		m := toldMeeting{gathering: g, number: i + 1, id: t.newID(meetingKind, i+1)}
		first := t.now.In(t.zone).AddDate(0, 0, -7*len(g.minutes))
		for first.Weekday() != g.day {
			first = first.AddDate(0, 0, -1)
		}
		start, err := t.at(first, g.clock)
		if err != nil {
			return err
		}
		m.start = meeting.Wall(start, t.zone)
		series, refused := meeting.NewSeries(m.start, t.zone, "FREQ=WEEKLY")
		if len(refused) > 0 {
			return errors.New(refused[0].Detail)
		}
		m.times = series.Between(start, t.now.Add(meeting.Horizon))
		const notice = 3 * 24 * time.Hour
		t.lay(start.Add(-notice), func(ctx context.Context, at time.Time) error { return t.call(ctx, at, m) })
		for n, written := range g.minutes {
			at := m.times[n].Add(time.Duration(g.duration)*time.Minute + pause)
			t.lay(at, func(ctx context.Context, at time.Time) error { return t.minute(ctx, at, m, n, written) })
		}
	}
	return nil
}

// soon has a gathering take place next in the morning or the evening, whichever comes first but an hour from now: always less than a day away.
func (t *teller) soon(g *gathering) error {
	for day := 0; ; day++ {
		for _, clock := range []string{"09:30", "17:00"} {
			on := t.now.In(t.zone).AddDate(0, 0, day)
			at, err := t.at(on, clock)
			if err != nil {
				return err
			}
			if at.After(t.now.Add(time.Hour)) {
				g.day, g.clock = on.Weekday(), clock
				return nil
			}
		}
	}
}

func (t *teller) occurrenceID(m toldMeeting, n int) uuid.UUID {
	return t.newID(occurrenceKind, m.number*writingsEach+n)
}

func (t *teller) call(ctx context.Context, at time.Time, m toldMeeting) error {
	team, rule, by := t.teamID(m.team), "FREQ=WEEKLY", m.organizer.id()
	_, err := t.q.CreateMeeting(ctx, db.CreateMeetingParams{OrganizationID: t.id(), ID: m.id, Title: m.title, Description: optional(m.description), Place: optional(m.place), TeamID: &team, TimeZone: t.timeZone,
		StartsAtLocal: m.start, DurationMinutes: m.duration, Recurrence: &rule, SurveyResults: meeting.AtStart, RemindMinutes: 30, ActorID: by})
	if err != nil {
		return err
	}
	t.past.add("meetings", m.id, at)
	users := []uuid.UUID{by}
	for _, p := range m.others {
		users = append(users, p.id())
	}
	if _, err := t.q.AddAttendees(ctx, db.AddAttendeesParams{OrganizationID: t.id(), MeetingID: m.id, UserIDs: users}); err != nil {
		return err
	}
	if _, err := t.q.RespondToMeeting(ctx, db.RespondToMeetingParams{OrganizationID: t.id(), MeetingID: m.id, UserID: by, Response: "accepted"}); err != nil {
		return err
	}
	if err := t.furnish(ctx, at, m); err != nil {
		return err
	}
	return t.record(ctx, at, event{action: "meeting.created", kind: "meeting", target: m.id, revision: 1, by: by})
}

// furnish writes what belongs to a meeting: its agenda, reading and questions, and the times it takes place at.
func (t *teller) furnish(ctx context.Context, at time.Time, m toldMeeting) error {
	var agenda []db.CreateAgendaItemsParams
	for i, title := range m.agenda {
		agenda = append(agenda, db.CreateAgendaItemsParams{OrganizationID: t.id(), ID: t.newID(agendaItemKind, m.number*writingsEach+i), MeetingID: m.id, Position: int32(i), Title: title})
	}
	var questions []db.PutSurveyQuestionsParams
	for i, q := range m.questions {
		choices := q.choices
		if choices == nil {
			choices = []string{}
		}
		questions = append(questions, db.PutSurveyQuestionsParams{OrganizationID: t.id(), ID: t.newID(questionKind, m.number*writingsEach+i), MeetingID: m.id, Position: int32(i), Kind: q.kind, Title: q.title,
			Choices: choices, Required: q.required})
	}
	var occurrences []db.CreateOccurrencesParams
	for i, start := range m.times {
		id := t.occurrenceID(m, i)
		occurrences = append(occurrences, db.CreateOccurrencesParams{OrganizationID: t.id(), ID: id, MeetingID: m.id, RecurrenceAt: start, EndsAt: start.Add(time.Duration(m.duration) * time.Minute), ActorID: m.organizer.id()})
		t.past.change("meeting_occurrences", id, at)
	}
	reading := []db.CreateMaterialsParams{{OrganizationID: t.id(), ID: t.newID(materialKind, m.number), MeetingID: m.id, Url: m.reading, UrlHash: fetch.Hash(m.reading)}}
	var failed error
	note := func(_ int, err error) { failed = errors.Join(failed, err) }
	t.q.CreateAgendaItems(ctx, agenda).Exec(note)
	t.q.CreateMaterials(ctx, reading).Exec(note)
	t.q.PutSurveyQuestions(ctx, questions).Exec(note)
	t.q.CreateOccurrences(ctx, occurrences).Exec(note)
	return failed
}

func (t *teller) minute(ctx context.Context, at time.Time, m toldMeeting, n int, written minutes) error {
	id, by := t.occurrenceID(m, n), m.organizer.id()
	o, err := t.q.WriteMinutesIfRevision(ctx, db.WriteMinutesIfRevisionParams{OrganizationID: t.id(), ID: id, Revision: 1, Minutes: written.text, Decisions: written.decisions, ActorID: by})
	if err != nil {
		return err
	}
	t.past.change("meeting_occurrences", id, at)
	err = t.record(ctx, at, event{action: "minutes.written", kind: "occurrence", target: id, revision: o.Revision, by: by, detail: map[string]any{"meeting_id": m.id}})
	if err != nil || written.owed == "" {
		return err
	}
	due := time.Date(at.Year(), at.Month(), at.Day()+14, 0, 0, 0, 0, time.UTC)
	f, err := t.q.CreateFollowUp(ctx, db.CreateFollowUpParams{OrganizationID: t.id(), ID: t.newID(followUpKind, m.number*writingsEach+n), OccurrenceID: id, AssigneeID: written.by.id(), Title: written.owed, DueOn: &due, ActorID: by})
	if err != nil {
		return err
	}
	t.past.add("follow_ups", f.ID, at)
	return t.record(ctx, at, event{action: "follow_up.created", kind: "follow_up", target: f.ID, revision: 1, by: by, detail: map[string]any{"occurrence_id": id, "assignee_id": f.AssigneeID}})
}
