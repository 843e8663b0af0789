package api_test

import (
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/meeting"
	"github.com/kakeai/kakeai/internal/okr"
)

// strangeTimes are no times of RFC 3339.
var strangeTimes = []string{"", "x", "2026-12-01", "2026-12-01T09:00", "2026-02-30T00:00:00Z", "2026-12-01T24:00:00Z", "20261201T000000Z", "99999-01-01T00:00:00Z", "0001-01-01T00:00:00Z", strings.Repeat("2", 41), "\x00", "\xff"}

// meetingsByPath are the operations whose path is most of what they say: what another path does not lead to is 404 before a key is looked at.
var meetingsByPath = map[string]bool{"CancelMeeting": true, "PutAttendee": true, "RemoveAttendee": true, "RespondToMeeting": true, "MoveOccurrence": true, "CancelOccurrence": true, "WriteMinutes": true}

// inDays is a day from now, as the clock on a wall has it.
func inDays(days int) string { return time.Now().AddDate(0, 0, days).Format(time.DateOnly) }

func (b *bundle) meetingPayload() fields {
	return fields{
		"title": "週次チェックイン", "description": "今週の進みを確かめる", "place": "会議室 3", "team_id": b.team, "time_zone": "Asia/Tokyo", "starts_at_local": inDays(2) + "T10:00", "duration_minutes": 45,
		"recurrence": "FREQ=WEEKLY", "remind_minutes": 30, "attendee_ids": []any{b.teammate.id},
		"agenda":    []fields{{"title": "NPS の見直し", "minutes": 10}, {"title": "その他"}},
		"materials": []fields{{"url": "https://example.com/report", "title": "月次レポート"}},
		"survey": fields{"anonymous": false, "results": "at_start", "questions": []fields{
			{"kind": "scale", "title": "今週の手ごたえは？", "required": true}, {"kind": "choice", "title": "次は？", "choices": []string{"会う", "通話"}}, {"kind": "text", "title": "心配なことは？"},
		}},
	}
}

// meeting has a person call a weekly meeting of the team with a survey, to which the teammate is invited, unless more says otherwise.
func (p *person) meeting(more ...fields) api.Meeting {
	p.t.Helper()
	body := p.meetingPayload()
	for _, f := range more {
		for name, v := range f {
			body[name] = v
			if v == nil {
				delete(body, name)
			}
		}
	}
	return into[api.Meeting](p.send(http.MethodPost, "/meetings", body).is(http.StatusCreated))
}

// meetOnce has a person call a meeting of nobody but themself, each some minutes later than the one before.
func (p *person) meetOnce() api.Meeting {
	p.t.Helper()
	n := value[int](p.bundle, "SELECT count(*) FROM meetings")
	at := time.Now().Add(48*time.Hour + time.Duration(n)*time.Minute).Format(meeting.LocalFormat)
	return p.meeting(fields{"team_id": nil, "recurrence": nil, "attendee_ids": nil, "survey": nil, "time_zone": "UTC", "starts_at_local": at})
}

func (p *person) invite(meeting uuid.UUID, whom *person) {
	p.t.Helper()
	p.send(http.MethodPut, "/meetings/"+meeting.String()+"/attendees/"+whom.id.String(), nil).is(http.StatusOK)
}

// followUp has a person note, in a meeting that the other attends, something for the other to do.
func (p *person) followUp(assignee *person) api.FollowUp {
	p.t.Helper()
	m := p.meeting(fields{"attendee_ids": []any{assignee.id}})
	if assignee == p {
		m = p.meeting()
	}
	return into[api.FollowUp](p.send(http.MethodPost, occurrence(m.Next.ID)+"/follow-ups", fields{"title": "アンケートを作り直す", "assignee_id": assignee.id}).is(http.StatusCreated))
}

// feed has a person make a secret address for their calendar, and returns its last part.
func (p *person) feed() string {
	p.t.Helper()
	path := into[api.CalendarFeed](p.send(http.MethodPost, "/calendar-feed", nil).is(http.StatusCreated)).Path
	return path[strings.LastIndex(path, "/")+1:]
}

func meetingAt(id uuid.UUID) string  { return "/meetings/" + id.String() }
func occurrence(id uuid.UUID) string { return "/occurrences/" + id.String() }

func aboutMeeting(payload fields) func(*bundle, okr.Visibility) call {
	return func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"meeting_id": b.author.meeting().ID}, payload: payload, by: b.author}
	}
}

func aboutOccurrence(payload fields) func(*bundle, okr.Visibility) call {
	return func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"occurrence_id": b.author.meeting().Next.ID}, payload: payload, by: b.author}
	}
}
