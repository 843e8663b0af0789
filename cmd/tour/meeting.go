package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
)

// What the tour sends and reads of meetings.
type (
	meetingCreate struct {
		Title           string       `json:"title"`
		TeamID          *uuid.UUID   `json:"team_id,omitempty"`
		TimeZone        string       `json:"time_zone"`
		StartsAtLocal   string       `json:"starts_at_local"`
		DurationMinutes int          `json:"duration_minutes"`
		Recurrence      string       `json:"recurrence"`
		AttendeeIDs     []uuid.UUID  `json:"attendee_ids"`
		Agenda          []titled     `json:"agenda"`
		Materials       []material   `json:"materials"`
		Survey          surveyCreate `json:"survey"`
	}
	material struct {
		URL   string `json:"url"`
		Title string `json:"title"`
	}
	surveyCreate struct {
		Anonymous bool             `json:"anonymous"`
		Questions []surveyQuestion `json:"questions"`
	}
	surveyQuestion struct {
		ID    *uuid.UUID `json:"id,omitempty"`
		Kind  string     `json:"kind"`
		Title string     `json:"title"`
	}
	meeting struct {
		ID       uuid.UUID    `json:"id"`
		Revision int64        `json:"revision"`
		Survey   surveyCreate `json:"survey"`
		Next     *struct {
			ID       uuid.UUID `json:"id"`
			StartsAt time.Time `json:"starts_at"`
		} `json:"next"`
	}
	answers struct {
		Answers []surveyAnswer `json:"answers"`
		Secret  string         `json:"secret,omitempty"`
	}
	surveyAnswer struct {
		QuestionID uuid.UUID `json:"question_id"`
		Scale      int       `json:"scale"`
	}
	survey struct {
		Answered  int            `json:"answered"`
		MyAnswers []surveyAnswer `json:"my_answers"`
	}
	occurrence struct {
		Revision  int64    `json:"revision"`
		Minutes   string   `json:"minutes"`
		Decisions []string `json:"decisions"`
		CheckIns  []struct {
			CheckIn checkIn `json:"check_in"`
		} `json:"check_ins"`
	}
	minutes struct {
		Revision  int64    `json:"revision"`
		Minutes   string   `json:"minutes"`
		Decisions []string `json:"decisions,omitempty"`
	}
	meetingCheckIn struct {
		checkInCreate
		OccurrenceID uuid.UUID `json:"occurrence_id"`
	}
	followUpCreate struct {
		Title      string    `json:"title"`
		AssigneeID uuid.UUID `json:"assignee_id"`
	}
	followUpDone struct {
		Revision int64 `json:"revision"`
		Done     bool  `json:"done"`
	}
	followUp struct {
		ID       uuid.UUID `json:"id"`
		Revision int64     `json:"revision"`
	}
	calendarFeed struct {
		Path string `json:"path"`
	}
)

// gathering is a team's weekly meeting, from the invitation to what was agreed in it.
type gathering struct {
	*tour
	lead, member *client
	meeting      meeting
	at           string // the path of the next one
}

// gather takes a team through a meeting.
func (t *tour) gather(ctx context.Context, ready *step) {
	t.chapter("a meeting")
	g := &gathering{tour: t}
	called := t.step(ctx, "call a weekly meeting with a survey and something to read", func(s *sight) error { return g.call(ctx, s) }, ready)
	t.step(ctx, "answer its survey without a name, and change the answer", func(s *sight) error { return g.answer(ctx, s) }, called)
	t.step(ctx, "check in inside the meeting", func(s *sight) error { return g.checkIn(ctx, s) }, called)
	t.step(ctx, "write minutes, two at once", func(s *sight) error { return g.writeMinutes(ctx, s) }, called)
	t.step(ctx, "agree on something to do, and do it", func(s *sight) error { return g.agree(ctx, s) }, called)
	t.step(ctx, "read it in a calendar program", func(s *sight) error { return g.subscribe(ctx, s) }, called)
	t.step(ctx, "call it off", func(s *sight) error {
		_, err := post[meeting](ctx, g.lead, "/meetings/"+g.meeting.ID.String()+"/cancel", objectiveMove{Revision: g.meeting.Revision})
		s.sum("%s calls the series off", g.lead.session.User.Name)
		return err
	}, called)
}

func (g *gathering) call(ctx context.Context, s *sight) error {
	var err error
	if g.member, g.lead, err = g.asBoth(ctx, shota, aya); err != nil {
		return err
	}
	zone, err := time.LoadLocation(g.lead.session.Organization.TimeZone)
	if err != nil {
		return err
	}
	start := time.Now().In(zone).AddDate(0, 0, 2)
	g.meeting, err = post[meeting](ctx, g.lead, "/meetings", meetingCreate{
		Title: "ツアーの週次チェックイン", TeamID: g.sharedTeam(g.member, g.lead), TimeZone: zone.String(), StartsAtLocal: start.Format(time.DateOnly) + "T10:00", DurationMinutes: 45,
		Recurrence: "FREQ=WEEKLY", AttendeeIDs: []uuid.UUID{g.member.session.User.ID}, Agenda: []titled{{Title: "今週の進み"}},
		Materials: []material{{URL: "https://example.com/report", Title: "月次レポート"}},
		Survey:    surveyCreate{Anonymous: true, Questions: []surveyQuestion{{Kind: "scale", Title: "今週の手ごたえは？"}}},
	})
	if err != nil {
		return err
	}
	if g.meeting.Next == nil {
		return errors.New("it takes place nowhere")
	}
	g.at = "/occurrences/" + g.meeting.Next.ID.String()
	s.sum("%s, each week, next on %s", g.lead.session.User.Name, g.meeting.Next.StartsAt.In(zone).Format("2006-01-02 15:04 MST"))
	return nil
}

func (g *gathering) answer(ctx context.Context, s *sight) error {
	question := *g.meeting.Survey.Questions[0].ID
	var given answers
	for _, scale := range []int{4, 7} {
		sent := answers{Answers: []surveyAnswer{{QuestionID: question, Scale: scale}}, Secret: given.Secret}
		if _, err := g.member.call(ctx, http.MethodPut, g.at+"/answers", sent, &given); err != nil {
			return err
		}
	}
	var own survey
	if _, err := g.member.call(ctx, http.MethodGet, g.at+"/survey", nil, &own, http.Header{"Survey-Secret": {given.Secret}}); err != nil {
		return err
	}
	_, err := g.member.call(ctx, http.MethodPut, g.at+"/answers", answers{Answers: given.Answers}, nil)
	if _, err := refusedWith(err, http.StatusConflict, "wrong-state"); err != nil {
		return err
	}
	s.sum("%d answered; with the secret the answer is %d, without it there is no second one", own.Answered, own.MyAnswers[0].Scale)
	if own.Answered != 1 || own.MyAnswers[0].Scale != 7 {
		return fmt.Errorf("one answer of 7 was due: %s", s.summary)
	}
	return nil
}

func (g *gathering) checkIn(ctx context.Context, s *sight) error {
	due, err := get[page[objective]](ctx, g.lead, g.at+"/key-results")
	if err != nil {
		return err
	}
	if len(due.Items) == 0 || len(due.Items[0].KeyResults) == 0 {
		return errors.New("the team has nothing to check in")
	}
	k := due.Items[0].KeyResults[0]
	r := measured(k, 0)
	_, err = post[checkIn](ctx, g.lead, "/key-results/"+k.ID.String()+"/check-ins",
		meetingCheckIn{checkInCreate{Value: r.value, DoneStepIDs: r.done, Confidence: 7, Note: "会議で"}, g.meeting.Next.ID})
	if err != nil {
		return err
	}
	o, err := get[occurrence](ctx, g.member, g.at)
	s.sum("%d objectives to go through; %d check-in is in the meeting, on “%s”", len(due.Items), len(o.CheckIns), k.Title)
	if err == nil && len(o.CheckIns) != 1 {
		err = errors.New("one check-in was due")
	}
	return err
}

func (g *gathering) writeMinutes(ctx context.Context, s *sight) error {
	now, err := get[occurrence](ctx, g.lead, g.at)
	if err != nil {
		return err
	}
	var first occurrence
	written := minutes{Revision: now.Revision, Minutes: "進みはよい。", Decisions: []string{"同じ施策を続ける"}}
	if _, err := g.lead.call(ctx, http.MethodPut, g.at+"/minutes", written, &first); err != nil {
		return err
	}
	_, err = g.member.call(ctx, http.MethodPut, g.at+"/minutes", minutes{Revision: now.Revision, Minutes: "別の見方。"}, nil)
	p, err := refusedWith(err, http.StatusConflict, "stale-revision")
	if err != nil {
		return err
	}
	s.sum("%s writes revision %d; %s is shown what is there now", g.lead.session.User.Name, first.Revision, g.member.session.User.Name)
	if !strings.Contains(string(p.Present), written.Minutes) {
		return errors.New("the minutes that were written first are not shown")
	}
	return nil
}

func (g *gathering) agree(ctx context.Context, s *sight) error {
	made, err := post[followUp](ctx, g.lead, g.at+"/follow-ups", followUpCreate{Title: "アンケートを作り直す", AssigneeID: g.member.session.User.ID})
	if err != nil {
		return err
	}
	before, err := list[followUp](ctx, g.member, "/follow-ups", nil)
	if err != nil {
		return err
	}
	if _, err := patch[followUp](ctx, g.member, "/follow-ups/"+made.ID.String(), followUpDone{Revision: made.Revision, Done: true}); err != nil {
		return err
	}
	after, err := list[followUp](ctx, g.member, "/follow-ups", nil)
	s.sum("%s owes %d, then %d", g.member.session.User.Name, len(before), len(after))
	if err == nil && len(after) != len(before)-1 {
		err = errors.New("one less was due")
	}
	return err
}

func (g *gathering) subscribe(ctx context.Context, s *sight) error {
	feed, err := post[calendarFeed](ctx, g.member, "/calendar-feed", nil)
	if err != nil {
		return err
	}
	stranger := newClient(g.url)
	path := feed.Path[strings.Index(feed.Path, "/calendar/"):]
	a, err := stranger.call(ctx, http.MethodGet, path, nil, nil)
	if err != nil {
		return err
	}
	if _, err := g.member.call(ctx, http.MethodDelete, "/calendar-feed", nil, nil); err != nil {
		return err
	}
	_, err = stranger.call(ctx, http.MethodGet, path, nil, nil)
	if _, err := refusedWith(err, http.StatusNotFound, "not-found"); err != nil {
		return err
	}
	s.sum("%d events under a secret address, which then ends", strings.Count(string(a.body), "BEGIN:VEVENT"))
	if !strings.Contains(string(a.body), g.meeting.ID.String()) {
		return errors.New("the meeting is not in the calendar")
	}
	return nil
}
