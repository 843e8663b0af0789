package snapshot

import (
	"errors"
	"fmt"
	"time"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/meeting"
)

const weeksMet = 3 // since when teams have met

// meetings has each team meet once a week, at a time of its own. Nobody is reminded, since nobody is there.
func (p *population) meetings(s *Snapshot) error {
	zone, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	today := p.now.In(zone)
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7-7*weeksMet)
	rule := "FREQ=WEEKLY"
	for i, team := range s.Teams {
		start := time.Date(monday.Year(), monday.Month(), monday.Day()+i%5, 9+i%8, i%2*30, 0, 0, time.UTC)
		series, refused := meeting.NewSeries(start, zone, rule)
		if len(refused) > 0 {
			return errors.New(refused[0].Detail)
		}
		lead, agreed := team.Members[0].UserID, series.FirstAt().Add(-2*day)
		m := Meeting{OrganizationID: team.OrganizationID, ID: db.NewID(), Title: p.words.meeting, TeamID: &team.ID, OrganizerID: lead, TimeZone: p.TimeZone, StartsAtLocal: start, DurationMinutes: 30, Recurrence: &rule,
			SurveyResults: meeting.AtStart, Revision: 1, CreatedAt: agreed, CreatedBy: lead, ChangedAt: agreed, ChangedBy: lead}
		s.Meetings = append(s.Meetings, m)
		for n, member := range team.Members {
			a := MeetingAttendee{OrganizationID: m.OrganizationID, MeetingID: m.ID, UserID: member.UserID, Response: "open"}
			if n%4 != 3 {
				a.Response, a.RespondedAt = "accepted", &agreed
			}
			s.Attendees = append(s.Attendees, a)
		}
		for n, title := range p.words.agenda {
			s.AgendaItems = append(s.AgendaItems, MeetingAgendaItem{OrganizationID: m.OrganizationID, ID: db.NewID(), MeetingID: m.ID, Position: int32(n), Title: title})
		}
		for n, at := range series.Between(series.FirstAt(), p.now.Add(meeting.Horizon)) {
			o := p.takesPlace(m, at)
			if !o.EndsAt.After(p.now) {
				note := p.words.note(i + n)
				o.Minutes, o.Revision, o.ChangedAt = &note, 2, o.EndsAt
			}
			s.Occurrences = append(s.Occurrences, o)
		}
	}
	return nil
}

func (p *population) takesPlace(m Meeting, at time.Time) MeetingOccurrence {
	return MeetingOccurrence{OrganizationID: m.OrganizationID, ID: db.NewID(), MeetingID: m.ID, RecurrenceAt: at, StartsAt: at, EndsAt: at.Add(time.Duration(m.DurationMinutes) * time.Minute),
		Decisions: []string{}, Revision: 1, ChangedAt: m.ChangedAt, ChangedBy: m.ChangedBy}
}
