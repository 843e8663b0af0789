package api

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/convene"
	"github.com/kakeai/kakeai/internal/db"
)

func visibleOccurrence(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.GetVisibleOccurrenceRow, error) {
	return q.GetVisibleOccurrence(ctx, db.GetVisibleOccurrenceParams{OrganizationID: a.OrganizationID, ID: id, ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs})
}

// mayWrite reports whether the actor may write minutes and follow-ups of a meeting that they see.
func (a actor) mayWrite(row db.GetVisibleOccurrenceRow) bool {
	return a.mayWriteIn(row.Meeting, row.Response)
}

// mayWriteIn is mayWrite by the actor's own response, which is empty for whoever was not asked to attend.
func (a actor) mayWriteIn(m db.Meeting, response string) bool {
	return a.writes() && (response != "" || a.mayChange(m))
}

// calledOff reports whether an occurrence does not take place: by itself, or because its meeting was called off before it began.
func calledOff(o db.MeetingOccurrence, meeting *time.Time) bool {
	return o.CancelledAt != nil || meeting != nil && !o.StartsAt.Before(*meeting)
}

// ListOccurrences lists what takes place between two times, or all of one meeting.
func (s *Server) ListOccurrences(ctx context.Context, request ListOccurrencesRequestObject) (ListOccurrencesResponseObject, error) {
	p := request.Params
	if p.MeetingID != nil {
		return s.listOccurrencesOfMeeting(ctx, p)
	}
	if p.Newest != nil && *p.Newest {
		return nil, badRequest(FieldProblem{Pointer: "/query/newest", Code: "order-not-served", Detail: "From the latest back goes the list of one meeting."})
	}
	filters := url.Values{}
	var from, before time.Time
	if p.From != nil || p.Before != nil {
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
	l, err := s.newList(exchangeOf(ctx), "/occurrences", p.Limit, p.Cursor, filters)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListOccurrencesResponseObject, error) {
		if before.IsZero() {
			from, before = a.Now.Add(-24*time.Hour), a.Now.Add(30*24*time.Hour)
		}
		rows, err := listOccurrences(ctx, q, a, p.TeamID, db.ListOccurrencesOfUserParams{OrganizationID: a.OrganizationID, UserID: a.UserID, FromAt: from, BeforeAt: before,
			AfterAt: l.from.at, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		return occurrencePage(l, rows), nil
	})
}

func occurrencePage(l list, rows []db.ListOccurrencesOfUserRow) ListOccurrences200Response {
	rows, next, link := page(l, rows, func(r db.ListOccurrencesOfUserRow) position {
		return position{at: r.MeetingOccurrence.StartsAt, id: r.MeetingOccurrence.ID}
	})
	items := converted(rows, func(r db.ListOccurrencesOfUserRow) OccurrenceSummary {
		o := r.MeetingOccurrence
		return OccurrenceSummary{ID: o.ID, MeetingID: o.MeetingID, Title: r.Title, Place: r.Place, TeamID: r.TeamID, TimeZone: r.TimeZone, StartsAt: o.StartsAt, EndsAt: o.EndsAt, Moved: o.Moved,
			Cancelled: calledOff(o, r.MeetingCancelledAt), Response: responseView(r.Response), Revision: o.Revision}
	})
	return ListOccurrences200Response{Body: OccurrencePage{Items: items, NextCursor: next}, Headers: ListOccurrences200ResponseHeaders{Link: link}}
}

// listOccurrencesOfMeeting lists all times of one meeting, or those on one side of a moment, or between two. However far they lie apart, an index serves them page by page.
func (s *Server) listOccurrencesOfMeeting(ctx context.Context, p ListOccurrencesParams) (ListOccurrencesResponseObject, error) {
	if p.TeamID != nil {
		return nil, badRequest(FieldProblem{Pointer: "/query/meeting_id", Code: "one-of-two", Detail: "Ask for a meeting, or for a team."})
	}
	from, before, err := openRange(p.From, p.Before)
	if err != nil {
		return nil, err
	}
	filters := newestFirst(p.Newest)
	filters.Set("meeting_id", p.MeetingID.String())
	for name, value := range map[string]*string{"from": p.From, "before": p.Before} {
		if value != nil {
			filters.Set(name, *value)
		}
	}
	l, err := s.newList(exchangeOf(ctx), "/occurrences", p.Limit, p.Cursor, filters)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListOccurrencesResponseObject, error) {
		if _, err := visibleMeeting(ctx, q, a, *p.MeetingID); err != nil {
			return nil, err
		}
		rows, err := occurrencesOfMeeting(ctx, q, l, db.ListOccurrencesOfMeetingAfterParams{UserID: a.UserID, OrganizationID: a.OrganizationID, MeetingID: *p.MeetingID, FromAt: from, BeforeAt: before,
			AfterAt: l.from.at, AfterID: l.from.id, PageSize: l.pageSize()})
		return occurrencePage(l, rows), err
	})
}

func occurrencesOfMeeting(ctx context.Context, q *db.Queries, l list, p db.ListOccurrencesOfMeetingAfterParams) ([]db.ListOccurrencesOfUserRow, error) {
	if !l.query.Has(newest) {
		rows, err := q.ListOccurrencesOfMeetingAfter(ctx, p)
		return converted(rows, func(r db.ListOccurrencesOfMeetingAfterRow) db.ListOccurrencesOfUserRow {
			return db.ListOccurrencesOfUserRow(r)
		}), err
	}
	until := position{at: p.AfterAt, id: p.AfterID}
	if l.begins {
		until = position{at: endOfTime(), id: uuid.Max}
	}
	rows, err := q.ListOccurrencesOfMeetingBefore(ctx, db.ListOccurrencesOfMeetingBeforeParams{UserID: p.UserID, OrganizationID: p.OrganizationID, MeetingID: p.MeetingID, FromAt: p.FromAt, BeforeAt: p.BeforeAt,
		UntilAt: until.at, UntilID: until.id, PageSize: p.PageSize})
	return converted(rows, func(r db.ListOccurrencesOfMeetingBeforeRow) db.ListOccurrencesOfUserRow {
		return db.ListOccurrencesOfUserRow(r)
	}), err
}

func listOccurrences(ctx context.Context, q *db.Queries, a actor, team *uuid.UUID, p db.ListOccurrencesOfUserParams) ([]db.ListOccurrencesOfUserRow, error) {
	if team == nil {
		return q.ListOccurrencesOfUser(ctx, p)
	}
	if err := teamInSight(ctx, q, a, *team); err != nil {
		return nil, err
	}
	rows, err := q.ListOccurrencesOfTeam(ctx, db.ListOccurrencesOfTeamParams{OrganizationID: p.OrganizationID, UserID: p.UserID, TeamID: *team, FromAt: p.FromAt, BeforeAt: p.BeforeAt,
		AfterAt: p.AfterAt, AfterID: p.AfterID, PageSize: p.PageSize})
	return converted(rows, func(r db.ListOccurrencesOfTeamRow) db.ListOccurrencesOfUserRow { return db.ListOccurrencesOfUserRow(r) }), err
}

// occurrenceView reads what the page of an occurrence needs, of one that the actor was found to see.
func occurrenceView(ctx context.Context, q *db.Queries, a actor, row db.GetVisibleOccurrenceRow) (Occurrence, error) {
	o := row.MeetingOccurrence
	v := Occurrence{ID: o.ID, RecurrenceAt: o.RecurrenceAt, StartsAt: o.StartsAt, EndsAt: o.EndsAt, Moved: o.Moved, Cancelled: calledOff(o, row.Meeting.CancelledAt), Minutes: o.Minutes,
		Decisions: o.Decisions, MayWrite: a.mayWrite(row), Revision: o.Revision, ChangedAt: o.ChangedAt, FollowUps: []FollowUp{}, CheckIns: []MeetingCheckIn{}}
	var err error
	v.Meeting, err = meetingView(ctx, q, a, db.GetVisibleMeetingRow{Meeting: row.Meeting, OrganizerName: row.OrganizerName, Response: row.Response})
	if err != nil {
		return v, err
	}
	if v.Survey, err = surveyStanding(ctx, q, a, row, len(v.Meeting.Survey.Questions)); err != nil {
		return v, err
	}
	checkIns, err := q.ListMeetingCheckIns(ctx, db.ListMeetingCheckInsParams{OrganizationID: a.OrganizationID, OccurrenceID: o.ID, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
	if err != nil {
		return v, err
	}
	followUps, err := q.ListFollowUpsOfOccurrence(ctx, db.ListFollowUpsOfOccurrenceParams{OrganizationID: a.OrganizationID, OccurrenceID: o.ID})
	if err != nil {
		return v, err
	}
	people := []uuid.UUID{o.ChangedBy}
	for _, i := range checkIns {
		people = append(people, i.CheckIn.CreatedBy)
	}
	for _, f := range followUps {
		people = append(people, f.AssigneeID, f.CreatedBy)
	}
	names, err := namesOf(ctx, q, a, people...)
	if err != nil {
		return v, err
	}
	v.ChangedBy = person(o.ChangedBy, names)
	v.CheckIns = converted(checkIns, func(r db.ListMeetingCheckInsRow) MeetingCheckIn {
		return MeetingCheckIn{ObjectiveID: r.ObjectiveID, KeyResultTitle: r.KeyResultTitle, CheckIn: checkInView(r.CheckIn, nil, names)}
	})
	v.FollowUps = converted(followUps, func(f db.FollowUp) FollowUp { return followUpView(f, names) })
	return v, nil
}

// GetOccurrence shows one time that a meeting takes place.
func (s *Server) GetOccurrence(ctx context.Context, request GetOccurrenceRequestObject) (GetOccurrenceResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetOccurrenceResponseObject, error) {
		row, err := visibleOccurrence(ctx, q, a, request.OccurrenceID)
		if err != nil {
			return nil, err
		}
		v, err := occurrenceView(ctx, q, a, row)
		return GetOccurrence200Response{Body: v, Headers: GetOccurrence200ResponseHeaders{ETag: etag(v.Revision)}}, err
	})
}

// changeOccurrence is how an occurrence is changed: whoever may do it does it once, if the occurrence is still at the revision that was read, and it is recorded.
func (s *Server) changeOccurrence(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, from precondition, may func(db.GetVisibleOccurrenceRow) bool, action string,
	change func(row db.GetVisibleOccurrenceRow) (db.MeetingOccurrence, error)) (db.GetVisibleOccurrenceRow, error) {
	row, err := visibleOccurrence(ctx, q, a, id)
	if err != nil {
		return row, err
	}
	if !may(row) {
		return row, errNotAllowed
	}
	if err := a.claim(ctx, q); err != nil {
		return row, err
	}
	if row.MeetingOccurrence.Revision != from.revision {
		return row, movedOnOccurrence(ctx, q, a, row, from)
	}
	changed, err := change(row)
	if errors.Is(err, pgx.ErrNoRows) {
		if row, err = visibleOccurrence(ctx, q, a, id); err != nil {
			return row, err
		}
		return row, movedOnOccurrence(ctx, q, a, row, from)
	}
	if err != nil {
		return row, err
	}
	row.MeetingOccurrence = changed
	return row, record(ctx, q, a, event{action: action, targetKind: "occurrence", target: id, targetRevision: &changed.Revision, detail: map[string]any{"meeting_id": row.Meeting.ID}})
}

func movedOnOccurrence(ctx context.Context, q *db.Queries, a actor, row db.GetVisibleOccurrenceRow, from precondition) error {
	present, err := occurrenceView(ctx, q, a, row)
	if err != nil {
		return err
	}
	if row.MeetingOccurrence.Revision == from.revision {
		return wrongState("It was called off.", present)
	}
	return from.stale(present, present.Revision, &present.ChangedBy, present.ChangedAt)
}

// stillAhead refuses what is for occurrences that are still to come.
func stillAhead(row db.GetVisibleOccurrenceRow) error {
	switch {
	case calledOff(row.MeetingOccurrence, row.Meeting.CancelledAt):
		return wrongState("It was called off.", nil)
	case !row.Now.Before(row.MeetingOccurrence.StartsAt):
		return wrongState("It has begun already.", nil)
	}
	return nil
}

// MoveOccurrence moves one time of a meeting.
func (s *Server) MoveOccurrence(ctx context.Context, request MoveOccurrenceRequestObject) (MoveOccurrenceResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	answer, err := write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (MoveOccurrenceResponseObject, error) {
		row, err := s.changeOccurrence(ctx, q, a, request.OccurrenceID, from, func(row db.GetVisibleOccurrenceRow) bool { return a.mayChange(row.Meeting) }, "occurrence.moved",
			func(row db.GetVisibleOccurrenceRow) (db.MeetingOccurrence, error) {
				if err := stillAhead(row); err != nil {
					return db.MeetingOccurrence{}, err
				}
				series, refused := newSeries(row.Now, row.Meeting.TimeZone, request.Body.StartsAtLocal, "")
				if len(refused) > 0 {
					return db.MeetingOccurrence{}, invalid(refused...)
				}
				at := series.FirstAt()
				if !at.After(row.Now) {
					return db.MeetingOccurrence{}, invalid(FieldProblem{Pointer: "/starts_at_local", Code: "in-the-past", Detail: "It must be still to come."})
				}
				duration := row.MeetingOccurrence.EndsAt.Sub(row.MeetingOccurrence.StartsAt)
				if request.Body.DurationMinutes != nil {
					duration = time.Duration(*request.Body.DurationMinutes) * time.Minute
				}
				return q.MoveOccurrenceIfRevision(ctx, db.MoveOccurrenceIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.OccurrenceID, Revision: from.revision,
					StartsAt: at, EndsAt: at.Add(duration), ActorID: a.UserID})
			})
		if err != nil {
			return nil, err
		}
		word := convene.Word{Kind: convene.Changed, Meeting: row.Meeting, Occurrence: &row.MeetingOccurrence, Actor: a.UserID, ActorName: a.Name}
		if err := s.convener.Tell(ctx, q, word); err != nil {
			return nil, err
		}
		v, err := occurrenceView(ctx, q, a, row)
		return MoveOccurrence200Response{Body: v, Headers: MoveOccurrence200ResponseHeaders{ETag: etag(v.Revision)}}, err
	})
	if err == nil {
		s.afterMeeting(ctx, nil, true)
	}
	return answer, err
}

// CancelOccurrence calls one time of a meeting off.
func (s *Server) CancelOccurrence(ctx context.Context, request CancelOccurrenceRequestObject) (CancelOccurrenceResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CancelOccurrenceResponseObject, error) {
		row, err := s.changeOccurrence(ctx, q, a, request.OccurrenceID, from, func(row db.GetVisibleOccurrenceRow) bool { return a.mayChange(row.Meeting) }, "occurrence.cancelled",
			func(row db.GetVisibleOccurrenceRow) (db.MeetingOccurrence, error) {
				if err := stillAhead(row); err != nil {
					return db.MeetingOccurrence{}, err
				}
				return q.CancelOccurrenceIfRevision(ctx, db.CancelOccurrenceIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.OccurrenceID, Revision: from.revision, ActorID: a.UserID})
			})
		if err != nil {
			return nil, err
		}
		word := convene.Word{Kind: convene.Cancelled, Meeting: row.Meeting, Occurrence: &row.MeetingOccurrence, Actor: a.UserID, ActorName: a.Name}
		if err := s.convener.Tell(ctx, q, word); err != nil {
			return nil, err
		}
		v, err := occurrenceView(ctx, q, a, row)
		return CancelOccurrence200Response{Body: v, Headers: CancelOccurrence200ResponseHeaders{ETag: etag(v.Revision)}}, err
	})
}

// WriteMinutes writes down what was said and decided. Of two who write at once, the second is shown what the first wrote, and has lost nothing of their own.
func (s *Server) WriteMinutes(ctx context.Context, request WriteMinutesRequestObject) (WriteMinutesResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	decisions := []string{}
	if request.Body.Decisions != nil {
		decisions = *request.Body.Decisions
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (WriteMinutesResponseObject, error) {
		row, err := s.changeOccurrence(ctx, q, a, request.OccurrenceID, from, a.mayWrite, "minutes.written",
			func(db.GetVisibleOccurrenceRow) (db.MeetingOccurrence, error) {
				return q.WriteMinutesIfRevision(ctx, db.WriteMinutesIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.OccurrenceID, Revision: from.revision,
					Minutes: request.Body.Minutes, Decisions: decisions, ActorID: a.UserID})
			})
		if err != nil {
			return nil, err
		}
		v, err := occurrenceView(ctx, q, a, row)
		return WriteMinutes200Response{Body: v, Headers: WriteMinutes200ResponseHeaders{ETag: etag(v.Revision)}}, err
	})
}

// GetOccurrenceKeyResults lists what to go through in a meeting.
func (s *Server) GetOccurrenceKeyResults(ctx context.Context, request GetOccurrenceKeyResultsRequestObject) (GetOccurrenceKeyResultsResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetOccurrenceKeyResultsResponseObject, error) {
		row, err := visibleOccurrence(ctx, q, a, request.OccurrenceID)
		if err != nil {
			return nil, err
		}
		objectives, err := objectivesOfMeeting(ctx, q, a, row.Meeting)
		if err != nil {
			return nil, err
		}
		all, err := withKeyResults(ctx, q, a, objectives)
		items := converted(all, func(o objectiveRows) Objective { return o.view(a) })
		return GetOccurrenceKeyResults200Response{Body: ObjectivesToCheckIn{Items: items}}, err
	})
}

func objectivesOfMeeting(ctx context.Context, q *db.Queries, a actor, m db.Meeting) ([]db.GetVisibleObjectiveRow, error) {
	agenda, err := q.ListAgenda(ctx, db.ListAgendaParams{OrganizationID: a.OrganizationID, MeetingID: m.ID})
	if err != nil {
		return nil, err
	}
	for _, item := range agenda {
		if item.ObjectiveID == nil {
			continue
		}
		rows, err := q.ListVisibleObjectivesOfAgenda(ctx, db.ListVisibleObjectivesOfAgendaParams{OrganizationID: a.OrganizationID, MeetingID: m.ID, ActorID: a.UserID, SeesAll: a.administers(),
			TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		return converted(rows, func(r db.ListVisibleObjectivesOfAgendaRow) db.GetVisibleObjectiveRow {
			return db.GetVisibleObjectiveRow(r)
		}), err
	}
	if m.TeamID == nil {
		return nil, nil
	}
	rows, err := q.ListVisibleObjectivesOfTeamInActiveCycles(ctx, db.ListVisibleObjectivesOfTeamInActiveCyclesParams{OrganizationID: a.OrganizationID, TeamID: *m.TeamID, ActorID: a.UserID,
		SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
	return converted(rows, func(r db.ListVisibleObjectivesOfTeamInActiveCyclesRow) db.GetVisibleObjectiveRow {
		return db.GetVisibleObjectiveRow(r)
	}), err
}

// attended says what is wrong with a meeting that a check-in is to be made in; nil for one that the actor attends.
func attended(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) error {
	row, err := visibleOccurrence(ctx, q, a, id)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && row.Response == "" {
		return invalid(notThere("/occurrence_id", "meeting that you attend"))
	}
	if err == nil && calledOff(row.MeetingOccurrence, row.Meeting.CancelledAt) {
		return wrongState("The meeting was called off.", nil)
	}
	return err
}
