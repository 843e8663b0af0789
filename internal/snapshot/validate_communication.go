package snapshot

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// communication looks at preferences, broadcasts and meetings: that everything they refer to is there, and that what belongs to a meeting or to one of its
// occurrences belongs to that one.
func (v *validator) communication() {
	kinds := map[string]bool{}
	for i, row := range v.s.Preferences {
		p := v.at("preference", row.UserID, "/notification_preferences/%d", i)
		p.owned(row.OrganizationID)
		p.member("/user_id", &row.UserID)
		p.once(kinds, row.UserID.String()+row.Kind)
	}
	seen := map[uuid.UUID]bool{}
	for i, b := range v.s.Broadcasts {
		p := v.at("broadcast", b.ID, "/broadcasts/%d", i)
		p.owned(b.OrganizationID)
		p.unique(seen)
		p.member("/created_by", &b.CreatedBy)
		p.member("/changed_by", &b.ChangedBy)
		for j, id := range b.TeamIDs {
			if !v.teamIDs[id] {
				p.notThere(fmt.Sprintf("/team_ids/%d", j), "team", id)
			}
		}
		for j, id := range b.UserIDs {
			p.member(fmt.Sprintf("/user_ids/%d", j), &id)
		}
	}
	v.meetings()
	v.externalIDs()
}

// once refuses a key that came before.
func (p place) once(seen map[string]bool, key string) {
	if seen[key] {
		p.fault("", codeTwice, "It stands there twice.")
	}
	seen[key] = true
}

// meetingRoom is what the rows of meetings refer to.
type meetingRoom struct {
	meetings    map[uuid.UUID]bool
	occurrences map[uuid.UUID]MeetingOccurrence
	questions   map[uuid.UUID]SurveyQuestion
	checkIns    map[uuid.UUID]bool
}

func (v *validator) meetings() {
	room := meetingRoom{meetings: map[uuid.UUID]bool{}, occurrences: map[uuid.UUID]MeetingOccurrence{}, questions: map[uuid.UUID]SurveyQuestion{}, checkIns: map[uuid.UUID]bool{}}
	for _, c := range v.s.CheckIns {
		room.checkIns[c.ID] = true
	}
	for i, m := range v.s.Meetings {
		p := v.at("meeting", m.ID, "/meetings/%d", i)
		p.owned(m.OrganizationID)
		p.unique(room.meetings)
		if m.TeamID != nil && !v.teamIDs[*m.TeamID] {
			p.notThere("/team_id", "team", *m.TeamID)
		}
		p.member("/organizer_id", &m.OrganizerID)
		p.member("/created_by", &m.CreatedBy)
		p.member("/changed_by", &m.ChangedBy)
		if _, err := time.LoadLocation(m.TimeZone); err != nil {
			p.fault("/time_zone", codeNotThere, "There is no time zone %q.", m.TimeZone)
		}
	}
	attends, seen := map[string]bool{}, map[uuid.UUID]bool{}
	for i, a := range v.s.Attendees {
		p := v.at("attendee", a.UserID, "/meeting_attendees/%d", i)
		p.owned(a.OrganizationID)
		p.ofMeeting(room, a.MeetingID)
		p.member("/user_id", &a.UserID)
		p.once(attends, a.MeetingID.String()+a.UserID.String())
	}
	for i, item := range v.s.AgendaItems {
		p := v.at("agenda item", item.ID, "/meeting_agenda_items/%d", i)
		p.owned(item.OrganizationID)
		p.unique(seen)
		p.ofMeeting(room, item.MeetingID)
		if item.ObjectiveID != nil {
			v.about(p, *item.ObjectiveID)
		}
	}
	seen = map[uuid.UUID]bool{}
	for i, m := range v.s.Materials {
		p := v.at("material", m.ID, "/meeting_materials/%d", i)
		p.owned(m.OrganizationID)
		p.unique(seen)
		p.ofMeeting(room, m.MeetingID)
	}
	seen = map[uuid.UUID]bool{}
	for i, q := range v.s.Questions {
		p := v.at("question", q.ID, "/survey_questions/%d", i)
		p.owned(q.OrganizationID)
		p.unique(seen)
		p.ofMeeting(room, q.MeetingID)
		room.questions[q.ID] = q
	}
	v.occurrences(room)
	v.surveys(room)
}

func (v *validator) occurrences(room meetingRoom) {
	seen, times := map[uuid.UUID]bool{}, map[string]bool{}
	for i, o := range v.s.Occurrences {
		p := v.at("occurrence", o.ID, "/meeting_occurrences/%d", i)
		p.owned(o.OrganizationID)
		p.unique(seen)
		p.ofMeeting(room, o.MeetingID)
		p.once(times, o.MeetingID.String()+o.RecurrenceAt.UTC().String())
		p.member("/changed_by", &o.ChangedBy)
		room.occurrences[o.ID] = o
	}
	seen = map[uuid.UUID]bool{}
	for i, f := range v.s.FollowUps {
		p := v.at("follow-up", f.ID, "/follow_ups/%d", i)
		p.owned(f.OrganizationID)
		p.unique(seen)
		p.ofOccurrence(room, f.OccurrenceID)
		p.member("/assignee_id", &f.AssigneeID)
		p.member("/created_by", &f.CreatedBy)
		p.member("/changed_by", &f.ChangedBy)
	}
	made := map[string]bool{}
	for i, c := range v.s.MeetingCheckIns {
		p := v.at("check-in", c.CheckInID, "/meeting_check_ins/%d", i)
		p.owned(c.OrganizationID)
		p.ofOccurrence(room, c.OccurrenceID)
		if !room.checkIns[c.CheckInID] {
			p.notThere("/check_in_id", "check-in", c.CheckInID)
		}
		p.once(made, c.OccurrenceID.String()+c.CheckInID.String())
	}
}

func (v *validator) surveys(room meetingRoom) {
	took, seen := map[string]bool{}, map[uuid.UUID]bool{}
	for i, row := range v.s.Participants {
		p := v.at("participant", row.UserID, "/survey_participants/%d", i)
		p.owned(row.OrganizationID)
		p.ofOccurrence(room, row.OccurrenceID)
		p.member("/user_id", &row.UserID)
		p.once(took, row.OccurrenceID.String()+row.UserID.String())
	}
	for i, a := range v.s.Answers {
		p := v.at("answer", a.ID, "/survey_answers/%d", i)
		p.owned(a.OrganizationID)
		p.unique(seen)
		p.ofOccurrence(room, a.OccurrenceID)
		p.member("/user_id", a.UserID)
		q, ok := room.questions[a.QuestionID]
		switch {
		case !ok:
			p.notThere("/question_id", "question", a.QuestionID)
		case room.occurrences[a.OccurrenceID].MeetingID != q.MeetingID:
			p.fault("/question_id", codeMisplaced, "The question is asked in another meeting.")
		case (a.Scale != nil) != (q.Kind == "scale") || (a.Choice != nil) != (q.Kind == "choice") || (a.Body != nil) != (q.Kind == "text"):
			p.fault("", codeState, "It does not answer a question of the kind %s.", q.Kind)
		}
	}
}

func (p place) ofMeeting(room meetingRoom, meeting uuid.UUID) {
	if !room.meetings[meeting] {
		p.notThere("/meeting_id", "meeting", meeting)
	}
}

func (p place) ofOccurrence(room meetingRoom, occurrence uuid.UUID) {
	if _, ok := room.occurrences[occurrence]; !ok {
		p.notThere("/occurrence_id", "occurrence", occurrence)
	}
}
