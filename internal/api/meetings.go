package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/convene"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/meeting"
	"github.com/kakeai/kakeai/internal/okr"
)

const (
	maxAttendees  = 500
	maxRange      = 400 * 24 * time.Hour // between the two ends of a list by time
	earliestStart = 366 * 24 * time.Hour // how long ago a meeting may have been that is only now written down
)

// Previews reads what linked pages say of themselves, for whoever shows the links.
type Previews interface {
	Refresh(ctx context.Context, organization uuid.UUID, urls ...string) error
}

// mayChange reports whether the actor may change a meeting: its organiser, the leads of its team, admins.
func (a actor) mayChange(m db.Meeting) bool {
	return a.administers() || a.writes() && (m.OrganizerID == a.UserID || a.leads(m.TeamID))
}

func visibleMeeting(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.GetVisibleMeetingRow, error) {
	return q.GetVisibleMeeting(ctx, db.GetVisibleMeetingParams{OrganizationID: a.OrganizationID, ID: id, ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs})
}

func responseView(response string) *AttendeeResponse { return orNone(AttendeeResponse(response)) }

func meetingSummary(m db.Meeting, organizer, response string) MeetingSummary {
	return MeetingSummary{ID: m.ID, Title: m.Title, Place: m.Place, TeamID: m.TeamID, Organizer: Person{ID: m.OrganizerID, Name: organizer}, TimeZone: m.TimeZone,
		StartsAtLocal: m.StartsAtLocal.Format(meeting.LocalFormat), DurationMinutes: int(m.DurationMinutes), Recurrence: m.Recurrence, Response: responseView(response),
		Cancelled: m.CancelledAt != nil, Revision: m.Revision, CreatedAt: m.CreatedAt, ChangedAt: m.ChangedAt}
}

// meetingView reads what belongs to a meeting that the actor was found to see.
func meetingView(ctx context.Context, q *db.Queries, a actor, row db.GetVisibleMeetingRow) (Meeting, error) {
	m := row.Meeting
	v := Meeting{ID: m.ID, Title: m.Title, Description: m.Description, Place: m.Place, TeamID: m.TeamID, Organizer: Person{ID: m.OrganizerID, Name: row.OrganizerName}, TimeZone: m.TimeZone,
		StartsAtLocal: m.StartsAtLocal.Format(meeting.LocalFormat), DurationMinutes: int(m.DurationMinutes), Recurrence: m.Recurrence, RemindMinutes: int(m.RemindMinutes),
		Response: responseView(row.Response), Cancelled: m.CancelledAt != nil, MayChange: a.mayChange(m), Revision: m.Revision, CreatedAt: m.CreatedAt, ChangedAt: m.ChangedAt,
		Survey: MeetingSurvey{Anonymous: m.SurveyAnonymous, Results: MeetingSurveyResults(m.SurveyResults)}}
	agenda, err := q.ListAgenda(ctx, db.ListAgendaParams{OrganizationID: a.OrganizationID, MeetingID: m.ID})
	if err != nil {
		return v, err
	}
	v.Agenda = converted(agenda, func(i db.ListAgendaRow) AgendaItem {
		return AgendaItem{Title: i.Title, Minutes: wide(i.Minutes), ObjectiveID: i.ObjectiveID}
	})
	materials, err := q.ListMaterials(ctx, db.ListMaterialsParams{OrganizationID: a.OrganizationID, MeetingID: m.ID})
	if err != nil {
		return v, err
	}
	v.Materials = converted(materials, materialView)
	questions, err := q.ListSurveyQuestions(ctx, db.ListSurveyQuestionsParams{OrganizationID: a.OrganizationID, MeetingID: m.ID})
	if err != nil {
		return v, err
	}
	v.Survey.Questions = converted(questions, questionView)
	count, err := q.CountAttendees(ctx, db.CountAttendeesParams{OrganizationID: a.OrganizationID, MeetingID: m.ID})
	if err != nil {
		return v, err
	}
	v.AttendeeCount = int(count)
	if m.CancelledAt != nil {
		return v, nil
	}
	next, err := q.GetNextOccurrence(ctx, db.GetNextOccurrenceParams{OrganizationID: a.OrganizationID, MeetingID: m.ID, FromAt: a.Now})
	if errors.Is(err, pgx.ErrNoRows) {
		return v, nil
	}
	v.Next = &OccurrenceTime{ID: next.ID, StartsAt: next.StartsAt, EndsAt: next.EndsAt}
	return v, err
}

func materialView(i db.ListMaterialsRow) Material {
	v := Material{URL: i.Url, Title: i.Title}
	if i.PreviewState != nil {
		v.Preview = &MaterialPreview{State: MaterialPreviewState(*i.PreviewState), Title: i.PreviewTitle, Description: i.PreviewDescription, SiteName: i.PreviewSiteName, ImageURL: i.PreviewImageUrl}
	}
	return v
}

// wide is a number as the API has it.
func wide[T int16 | int32](n *T) *int {
	if n == nil {
		return nil
	}
	v := int(*n)
	return &v
}

// narrow is a number as the database has it; the description bounds it.
func narrow[T int16 | int32](n *int) *T {
	if n == nil {
		return nil
	}
	v := T(*n)
	return &v
}

// timeRange reads the two ends of a list by time.
func timeRange(from, before *string) (begin, end time.Time, err error) {
	var refused []FieldProblem
	for _, p := range []struct {
		name string
		text *string
		at   *time.Time
	}{{"from", from, &begin}, {"before", before, &end}} {
		if p.text == nil {
			refused = append(refused, FieldProblem{Pointer: "/query/" + p.name, Code: okr.CodeRequired, Detail: "One end of the time needs the other."})
			continue
		}
		at, problem := momentIn(p.name, *p.text)
		*p.at, refused = at, append(refused, problem...)
	}
	if len(refused) > 0 {
		return begin, end, badRequest(refused...)
	}
	if !end.After(begin) || end.Sub(begin) > maxRange {
		return begin, end, invalid(FieldProblem{Pointer: "/query/before", Code: "range", Detail: "It is after from, and at most 400 days after it."})
	}
	return begin, end, nil
}

// openRange is timeRange where each end may be missing, and they may lie apart however far.
func openRange(from, before *string) (begin, end time.Time, err error) {
	var refused []FieldProblem
	end = endOfTime()
	if from != nil {
		begin, refused = momentIn("from", *from)
	}
	if before != nil {
		at, problem := momentIn("before", *before)
		end, refused = at, append(refused, problem...)
	}
	if len(refused) > 0 {
		return begin, end, badRequest(refused...)
	}
	if !end.After(begin) {
		return begin, end, invalid(FieldProblem{Pointer: "/query/before", Code: "range", Detail: "It is after from."})
	}
	return begin, end, nil
}

// momentIn reads a moment out of a parameter.
func momentIn(parameter, text string) (time.Time, []FieldProblem) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Year() < 1970 || at.Year() > 9000 {
		return time.Time{}, []FieldProblem{{Pointer: "/query/" + parameter, Code: "time", Detail: "Send a time of RFC 3339, such as 2026-12-01T09:00:00+09:00."}}
	}
	return at.UTC(), nil
}

// teamInSight finds a team whose meetings the actor may list: one of theirs, or any for admins.
func teamInSight(ctx context.Context, q *db.Queries, a actor, team uuid.UUID) error {
	if !a.administers() && !slices.Contains(a.TeamIDs, team) {
		return errNotFound
	}
	_, err := q.GetTeam(ctx, db.GetTeamParams{OrganizationID: a.OrganizationID, ID: team})
	return err
}

// ListMeetings lists the meetings that the actor attends, or those of a team.
func (s *Server) ListMeetings(ctx context.Context, request ListMeetingsRequestObject) (ListMeetingsResponseObject, error) {
	p := request.Params
	filters := url.Values{}
	var from, before time.Time
	within := p.From != nil || p.Before != nil
	if within {
		var err error
		if from, before, err = timeRange(p.From, p.Before); err != nil {
			return nil, err
		}
		filters.Set("from", *p.From)
		filters.Set("before", *p.Before)
	}
	if p.TeamID != nil {
		filters.Set("team_id", p.TeamID.String())
	}
	l, err := s.newList(exchangeOf(ctx), "/meetings", p.Limit, p.Cursor, filters)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListMeetingsResponseObject, error) {
		rows, err := listMeetings(ctx, q, a, p.TeamID, db.ListMeetingsOfUserAfterParams{OrganizationID: a.OrganizationID, UserID: a.UserID, AfterID: l.from.id,
			Within: within, FromAt: from, BeforeAt: before, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ListMeetingsOfUserAfterRow) position { return position{id: r.Meeting.ID} })
		items := converted(rows, func(r db.ListMeetingsOfUserAfterRow) MeetingSummary {
			return meetingSummary(r.Meeting, r.OrganizerName, r.Response)
		})
		return ListMeetings200Response{Body: MeetingPage{Items: items, NextCursor: next}, Headers: ListMeetings200ResponseHeaders{Link: link}}, nil
	})
}

func listMeetings(ctx context.Context, q *db.Queries, a actor, team *uuid.UUID, p db.ListMeetingsOfUserAfterParams) ([]db.ListMeetingsOfUserAfterRow, error) {
	if team == nil {
		return q.ListMeetingsOfUserAfter(ctx, p)
	}
	if err := teamInSight(ctx, q, a, *team); err != nil {
		return nil, err
	}
	rows, err := q.ListMeetingsOfTeamAfter(ctx, db.ListMeetingsOfTeamAfterParams{OrganizationID: p.OrganizationID, UserID: p.UserID, TeamID: *team, AfterID: p.AfterID,
		Within: p.Within, FromAt: p.FromAt, BeforeAt: p.BeforeAt, PageSize: p.PageSize})
	return converted(rows, func(r db.ListMeetingsOfTeamAfterRow) db.ListMeetingsOfUserAfterRow {
		return db.ListMeetingsOfUserAfterRow(r)
	}), err
}

// GetMeeting shows one meeting.
func (s *Server) GetMeeting(ctx context.Context, request GetMeetingRequestObject) (GetMeetingResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetMeetingResponseObject, error) {
		row, err := visibleMeeting(ctx, q, a, request.MeetingID)
		if err != nil {
			return nil, err
		}
		v, err := meetingView(ctx, q, a, row)
		return GetMeeting200Response{Body: v, Headers: GetMeeting200ResponseHeaders{ETag: etag(v.Revision)}}, err
	})
}

// CreateMeeting calls a meeting. Whoever calls it organises it and attends.
func (s *Server) CreateMeeting(ctx context.Context, request CreateMeetingRequestObject) (CreateMeetingResponseObject, error) {
	body := request.Body
	answer, err := write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateMeetingResponseObject, error) {
		if !a.writes() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		recurrence := ""
		if body.Recurrence != nil {
			recurrence = *body.Recurrence
		}
		series, refused := newSeries(a.Now, body.TimeZone, body.StartsAtLocal, recurrence)
		if len(refused) == 0 && series.FirstAt().Before(a.Now.Add(-earliestStart)) {
			refused = append(refused, FieldProblem{Pointer: "/starts_at_local", Code: "too-early", Detail: "It is more than a year ago."})
		}
		contents, problems, err := readContents(ctx, q, a, uuid.Nil, body.TeamID, body.Agenda, body.Materials, body.Survey)
		if err != nil {
			return nil, err
		}
		if refused = append(refused, problems...); len(refused) > 0 {
			return nil, invalid(refused...)
		}
		m, err := q.CreateMeeting(ctx, newMeeting(a, body, series))
		if err != nil {
			return nil, err
		}
		if err := contents.write(ctx, q, m); err != nil {
			return nil, err
		}
		if err := invite(ctx, q, a, m, body.AttendeeIds); err != nil {
			return nil, err
		}
		if err := convene.Place(ctx, q, m, series.FirstAt(), a.Now); err != nil {
			return nil, err
		}
		if err := record(ctx, q, a, event{action: "meeting.created", targetKind: "meeting", target: m.ID, targetRevision: &m.Revision}); err != nil {
			return nil, err
		}
		if err := s.convener.Tell(ctx, q, convene.Word{Kind: convene.Invited, Meeting: m, Actor: a.UserID, ActorName: a.Name}); err != nil {
			return nil, err
		}
		v, err := meetingView(ctx, q, a, db.GetVisibleMeetingRow{Meeting: m, OrganizerName: a.Name, Response: string(AttendeeResponseAccepted)})
		return CreateMeeting201Response{Body: v, Headers: CreateMeeting201ResponseHeaders{ETag: etag(m.Revision), Location: location("meetings", m.ID)}}, err
	})
	if err == nil {
		s.afterMeeting(ctx, body.Materials, true)
	}
	return answer, err
}

// afterMeeting is what may be lost of a meeting's being called or changed: until somebody looks, and the next run of the scheduler.
func (s *Server) afterMeeting(ctx context.Context, materials *[]MaterialInput, asks bool) {
	organization := exchangeOf(ctx).token.Organization
	if materials != nil && len(*materials) > 0 && s.options.Previews != nil {
		urls := converted(*materials, func(m MaterialInput) string { return m.URL })
		background.Defer(ctx, "material-preview", func(ctx context.Context) error { return s.options.Previews.Refresh(ctx, organization, urls...) })
	}
	if asks {
		background.Defer(ctx, "survey-notice", func(ctx context.Context) error { return s.convener.AskSurveys(ctx, organization) })
	}
}

func newMeeting(a actor, body *MeetingCreate, series meeting.Series) db.CreateMeetingParams {
	m := db.CreateMeetingParams{OrganizationID: a.OrganizationID, ID: db.NewID(), Title: body.Title, Description: body.Description, Place: body.Place, TeamID: body.TeamID, ActorID: a.UserID,
		TimeZone: body.TimeZone, StartsAtLocal: series.Start, DurationMinutes: int32(body.DurationMinutes), Recurrence: orNone(series.Recurrence()), SurveyResults: meeting.AtStart, RemindMinutes: 60} //nolint:gosec // at most a day
	if body.RemindMinutes != nil {
		m.RemindMinutes = int32(*body.RemindMinutes) //nolint:gosec // at most a week
	}
	if body.Survey != nil {
		m.SurveyAnonymous, m.SurveyResults = surveyRule(*body.Survey, m.SurveyAnonymous, m.SurveyResults)
	}
	return m
}

func surveyRule(input SurveyInput, anonymous bool, results string) (bool, string) {
	if input.Anonymous != nil {
		anonymous = *input.Anonymous
	}
	if input.Results != nil {
		results = string(*input.Results)
	}
	return anonymous, results
}

// newSeries reads when a meeting takes place.
func newSeries(now time.Time, zone, start, recurrence string) (meeting.Series, []FieldProblem) {
	var refused []FieldProblem
	location, err := meeting.LoadZone(zone)
	if err != nil {
		refused = append(refused, FieldProblem{Pointer: "/time_zone", Code: "unknown-zone", Detail: "Send an IANA name, such as Asia/Tokyo."})
	}
	at, err := meeting.ParseLocal(start)
	if err != nil {
		refused = append(refused, FieldProblem{Pointer: "/starts_at_local", Code: "time", Detail: "Send a day and a time that there are, such as 2026-12-07T09:00."})
	}
	if len(refused) > 0 {
		return meeting.Series{}, refused
	}
	if at.After(now.Add(meeting.MaxAhead)) || at.Year() < 1971 {
		return meeting.Series{}, []FieldProblem{{Pointer: "/starts_at_local", Code: "out-of-range", Detail: "It is at most two years ahead."}}
	}
	series, problems := meeting.NewSeries(at, location, recurrence)
	return series, fieldProblems("", problems)
}

// invite has the organiser and those who were named attend.
func invite(ctx context.Context, q *db.Queries, a actor, m db.Meeting, named *[]uuid.UUID) error {
	wanted := []uuid.UUID{a.UserID}
	if named != nil {
		wanted = append(wanted, *named...)
	}
	added, err := q.AddAttendees(ctx, db.AddAttendeesParams{OrganizationID: a.OrganizationID, MeetingID: m.ID, UserIDs: wanted})
	if err != nil {
		return err
	}
	var refused []FieldProblem
	for i, id := range wanted[1:] {
		if !slices.Contains(added, id) {
			refused = append(refused, notThere(fmt.Sprintf("/attendee_ids/%d", i), "member"))
		}
	}
	if len(refused) > 0 {
		return invalid(refused...)
	}
	_, err = q.RespondToMeeting(ctx, db.RespondToMeetingParams{OrganizationID: a.OrganizationID, MeetingID: m.ID, UserID: a.UserID, Response: string(AttendeeResponseAccepted)})
	return err
}

// UpdateMeeting changes a meeting that is still at the revision the client read.
func (s *Server) UpdateMeeting(ctx context.Context, request UpdateMeetingRequestObject) (UpdateMeetingResponseObject, error) {
	body := request.Body
	from, err := preconditionOf(body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	answer, err := write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateMeetingResponseObject, error) {
		row, err := visibleMeeting(ctx, q, a, request.MeetingID)
		if err != nil {
			return nil, err
		}
		if !a.mayChange(row.Meeting) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if row.Meeting.Revision != from.revision || row.Meeting.CancelledAt != nil {
			return nil, movedOnMeeting(ctx, q, a, row, from)
		}
		was := row.Meeting
		change, retimed, err := meetingChange(ctx, q, a, was, body)
		if err != nil {
			return nil, err
		}
		m, err := q.UpdateMeetingIfRevision(ctx, change.params)
		if errors.Is(err, pgx.ErrNoRows) {
			row, err := visibleMeeting(ctx, q, a, request.MeetingID)
			if err != nil {
				return nil, err
			}
			return nil, movedOnMeeting(ctx, q, a, row, from)
		}
		if err != nil {
			return nil, err
		}
		if err := s.afterChange(ctx, q, a, was, m, change, retimed); err != nil {
			return nil, err
		}
		row.Meeting = m
		v, err := meetingView(ctx, q, a, row)
		return UpdateMeeting200Response{Body: v, Headers: UpdateMeeting200ResponseHeaders{ETag: etag(m.Revision)}}, err
	})
	if err == nil {
		s.afterMeeting(ctx, body.Materials, true)
	}
	return answer, err
}

// afterChange is what follows from a meeting's having been changed, in the same transaction.
func (s *Server) afterChange(ctx context.Context, q *db.Queries, a actor, was, m db.Meeting, change meetingEdit, retimed bool) error {
	if was.SurveyAnonymous != m.SurveyAnonymous {
		answered, err := q.CountParticipantsOfUpcoming(ctx, db.CountParticipantsOfUpcomingParams{OrganizationID: a.OrganizationID, MeetingID: m.ID})
		if err != nil {
			return err
		}
		if answered > 0 {
			return wrongState("Somebody has answered the next survey already, and was told whether it carries their name.", nil)
		}
	}
	if err := change.contents.write(ctx, q, m); err != nil {
		return err
	}
	if retimed || was.DurationMinutes != m.DurationMinutes {
		if err := convene.Replace(ctx, q, m, was.Recurrence != nil, a.Now); err != nil {
			return err
		}
	}
	if err := record(ctx, q, a, event{action: "meeting.updated", targetKind: "meeting", target: m.ID, targetRevision: &m.Revision}); err != nil {
		return err
	}
	samePlace := was.Place == m.Place || was.Place != nil && m.Place != nil && *was.Place == *m.Place
	if !retimed && was.DurationMinutes == m.DurationMinutes && was.Title == m.Title && samePlace {
		return nil // nobody comes another time, or to another place: that is no reason to write to everybody
	}
	return s.convener.Tell(ctx, q, convene.Word{Kind: convene.Changed, Meeting: m, Actor: a.UserID, ActorName: a.Name})
}

// movedOnMeeting says why an edit cannot be made: the meeting is at another revision, or was called off.
func movedOnMeeting(ctx context.Context, q *db.Queries, a actor, row db.GetVisibleMeetingRow, from precondition) error {
	present, err := meetingView(ctx, q, a, row)
	if err != nil {
		return err
	}
	if row.Meeting.Revision == from.revision {
		return wrongState("The meeting was called off.", present)
	}
	names, err := namesOf(ctx, q, a, row.Meeting.ChangedBy)
	if err != nil {
		return err
	}
	by := person(row.Meeting.ChangedBy, names)
	return from.stale(present, row.Meeting.Revision, &by, row.Meeting.ChangedAt)
}

// meetingEdit is how a meeting gets from what it is to what a client wants it to be.
type meetingEdit struct {
	params   db.UpdateMeetingIfRevisionParams
	contents meetingContents
}

func meetingChange(ctx context.Context, q *db.Queries, a actor, m db.Meeting, body *MeetingPatch) (change meetingEdit, retimed bool, err error) {
	p := db.UpdateMeetingIfRevisionParams{OrganizationID: a.OrganizationID, ID: m.ID, Revision: m.Revision, ActorID: a.UserID, TimeZone: m.TimeZone, StartsAtLocal: m.StartsAtLocal,
		DurationMinutes: m.DurationMinutes, Recurrence: m.Recurrence, SurveyAnonymous: m.SurveyAnonymous, SurveyResults: m.SurveyResults}
	if body.Title != nil {
		p.SetTitle, p.Title = true, *body.Title
	}
	p.SetDescription, p.Description = nullableField(body.Description)
	p.SetPlace, p.Place = nullableField(body.Place)
	p.SetTeam, p.TeamID = nullableField(body.TeamID)
	if body.RemindMinutes != nil {
		p.SetRemind, p.RemindMinutes = true, int32(*body.RemindMinutes) //nolint:gosec // at most a week
	}
	if body.DurationMinutes != nil {
		p.DurationMinutes = int32(*body.DurationMinutes) //nolint:gosec // at most a day
	}
	if body.Survey != nil {
		p.SurveyAnonymous, p.SurveyResults = surveyRule(*body.Survey, p.SurveyAnonymous, p.SurveyResults)
	}
	retimed, refused := retime(a.Now, m, body, &p)
	team := p.TeamID
	if sameID(team, m.TeamID) {
		team = nil // it is of that team already, whoever edits it
	}
	contents, problems, err := readContents(ctx, q, a, m.ID, team, body.Agenda, body.Materials, body.Survey)
	if err != nil {
		return change, false, err
	}
	if p.SurveyAnonymous && p.SurveyResults == meeting.WhenAnswered && len(problems) == 0 {
		problems = append(problems, earlyAnonymous())
	}
	if refused = append(refused, problems...); len(refused) > 0 {
		return change, false, invalid(refused...)
	}
	return meetingEdit{params: p, contents: contents}, retimed, nil
}

// retime reads when a meeting takes place from now on, if that changes. A series then begins with its next time: what was before it followed another rule.
func retime(now time.Time, m db.Meeting, body *MeetingPatch, p *db.UpdateMeetingIfRevisionParams) (bool, []FieldProblem) {
	start, recurrence := m.StartsAtLocal.Format(meeting.LocalFormat), ""
	if m.Recurrence != nil {
		recurrence = *m.Recurrence
	}
	if body.TimeZone != nil {
		p.TimeZone = *body.TimeZone
	}
	if body.StartsAtLocal != nil {
		start = *body.StartsAtLocal
	}
	if set, rule := nullableField(body.Recurrence); set {
		recurrence = ""
		if rule != nil {
			recurrence = *rule
		}
	}
	series, refused := newSeries(now, p.TimeZone, start, recurrence)
	if len(refused) > 0 {
		if !body.Recurrence.IsSpecified() && body.StartsAtLocal != nil {
			for i := range refused {
				if refused[i].Pointer == "/recurrence" {
					refused[i].Pointer = "/starts_at_local" // the rule is the one it had
				}
			}
		}
		return false, refused
	}
	rule := orNone(series.Recurrence())
	sameRule := rule == m.Recurrence || rule != nil && m.Recurrence != nil && *rule == *m.Recurrence
	if p.TimeZone == m.TimeZone && series.Start.Equal(m.StartsAtLocal) && sameRule {
		return false, nil
	}
	series = series.From(now)
	if len(series.Between(now, now.Add(meeting.MaxAhead))) == 0 {
		return false, []FieldProblem{{Pointer: "/starts_at_local", Code: "in-the-past", Detail: "There must be a time at which it takes place from now on."}}
	}
	p.StartsAtLocal, p.Recurrence = series.Start, orNone(series.Recurrence())
	return true, nil
}

func earlyAnonymous() FieldProblem {
	return FieldProblem{Pointer: "/survey/results", Code: "anonymous", Detail: "Results of an anonymous survey are not shown before the start: whoever compares them before and after somebody answers would know the answer."}
}

// CancelMeeting calls a meeting off.
func (s *Server) CancelMeeting(ctx context.Context, request CancelMeetingRequestObject) (CancelMeetingResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CancelMeetingResponseObject, error) {
		row, err := visibleMeeting(ctx, q, a, request.MeetingID)
		if err != nil {
			return nil, err
		}
		if !a.mayChange(row.Meeting) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		m, err := q.CancelMeetingIfRevision(ctx, db.CancelMeetingIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.MeetingID, Revision: from.revision, ActorID: a.UserID})
		if errors.Is(err, pgx.ErrNoRows) {
			if row, err = visibleMeeting(ctx, q, a, request.MeetingID); err != nil {
				return nil, err
			}
			return nil, movedOnMeeting(ctx, q, a, row, from)
		}
		if err != nil {
			return nil, err
		}
		if err := record(ctx, q, a, event{action: "meeting.cancelled", targetKind: "meeting", target: m.ID, targetRevision: &m.Revision}); err != nil {
			return nil, err
		}
		_, err = q.GetNextOccurrence(ctx, db.GetNextOccurrenceParams{OrganizationID: a.OrganizationID, MeetingID: m.ID, FromAt: a.Now})
		if err == nil { // what is over need not be called off
			err = s.convener.Tell(ctx, q, convene.Word{Kind: convene.Cancelled, Meeting: m, Actor: a.UserID, ActorName: a.Name})
		}
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return nil, err
		}
		row.Meeting = m
		v, err := meetingView(ctx, q, a, row)
		return CancelMeeting200Response{Body: v, Headers: CancelMeeting200ResponseHeaders{ETag: etag(m.Revision)}}, err
	})
}
