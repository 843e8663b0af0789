package api

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

func cycleView(c db.Cycle) Cycle {
	return Cycle{ID: c.ID, Name: c.Name, StartsOn: openapi_types.Date{Time: c.StartsOn}, EndsOn: openapi_types.Date{Time: c.EndsOn}, State: c.State,
		Revision: c.Revision, CreatedAt: c.CreatedAt, ChangedAt: c.ChangedAt}
}

// ListCycles lists the organisation's cycles.
func (s *Server) ListCycles(ctx context.Context, request ListCyclesRequestObject) (ListCyclesResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/cycles", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListCyclesResponseObject, error) {
		rows, err := q.ListCyclesAfter(ctx, db.ListCyclesAfterParams{OrganizationID: a.OrganizationID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(c db.Cycle) position { return position{id: c.ID} })
		items := make([]Cycle, 0, len(rows))
		for _, c := range rows {
			items = append(items, cycleView(c))
		}
		return ListCycles200Response{Body: CyclePage{Items: items, NextCursor: next}, Headers: ListCycles200ResponseHeaders{Link: link}}, nil
	})
}

// CreateCycle makes a cycle, in preparation.
func (s *Server) CreateCycle(ctx context.Context, request CreateCycleRequestObject) (CreateCycleResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateCycleResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if err := checkDates(request.Body.StartsOn.Time, request.Body.EndsOn.Time); err != nil {
			return nil, err
		}
		c, err := q.CreateCycle(ctx, db.CreateCycleParams{OrganizationID: a.OrganizationID, ID: db.NewID(), Name: request.Body.Name,
			StartsOn: request.Body.StartsOn.Time, EndsOn: request.Body.EndsOn.Time, ActorID: a.UserID})
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "cycle.created", targetKind: "cycle", target: c.ID, targetRevision: &c.Revision})
		return CreateCycle201Response{Body: cycleView(c), Headers: CreateCycle201ResponseHeaders{ETag: etag(c.Revision), Location: location("cycles", c.ID)}}, err
	})
}

// Dates that no company plans by are typing errors; the year 0 is none that PostgreSQL and Go agree on.
const (
	firstYear = 1900
	lastYear  = 2999
)

func checkDates(startsOn, endsOn time.Time) error {
	var refused []FieldProblem
	for _, end := range []struct {
		pointer string
		day     time.Time
	}{{"/starts_on", startsOn}, {"/ends_on", endsOn}} {
		if end.day.Year() < firstYear || end.day.Year() > lastYear {
			refused = append(refused, FieldProblem{Pointer: end.pointer, Code: "out-of-range", Detail: "The year is from 1900 to 2999."})
		}
	}
	if len(refused) == 0 && endsOn.Before(startsOn) {
		refused = append(refused, FieldProblem{Pointer: "/ends_on", Code: "ends-before-start", Detail: "The last day is not before the first."})
	}
	if len(refused) > 0 {
		return invalid(refused...)
	}
	return nil
}

// GetCycle shows one cycle.
func (s *Server) GetCycle(ctx context.Context, request GetCycleRequestObject) (GetCycleResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetCycleResponseObject, error) {
		c, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: a.OrganizationID, ID: request.CycleID})
		if err != nil {
			return nil, err
		}
		return GetCycle200Response{Body: cycleView(c), Headers: GetCycle200ResponseHeaders{ETag: etag(c.Revision)}}, nil
	})
}

// UpdateCycle changes a cycle that is still at the revision the client read.
func (s *Server) UpdateCycle(ctx context.Context, request UpdateCycleRequestObject) (UpdateCycleResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateCycleResponseObject, error) {
		key := db.GetCycleParams{OrganizationID: a.OrganizationID, ID: request.CycleID}
		present, err := q.GetCycle(ctx, key)
		if err != nil {
			return nil, err
		}
		if !a.administers() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if present.Revision != from.revision {
			return nil, staleCycle(ctx, q, a, key, from) // before the rules, which the client may only break because it has not seen the change
		}
		change, err := cycleChange(a, present, request, from)
		if err != nil {
			return nil, err
		}
		changed, err := q.UpdateCycleIfRevision(ctx, change)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, staleCycle(ctx, q, a, key, from)
		}
		if err != nil {
			return nil, err
		}
		if err := mayClose(ctx, q, a, present, changed, request.Body.LeaveUnscored); err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "cycle.updated", targetKind: "cycle", target: changed.ID, targetRevision: &changed.Revision,
			detail: map[string]any{"state": changed.State}})
		return UpdateCycle200Response{Body: cycleView(changed), Headers: UpdateCycle200ResponseHeaders{ETag: etag(changed.Revision)}}, err
	})
}

// mostCounted is where CountObjectivesToScore stops.
const mostCounted = 1000

// mayClose refuses to close a cycle in which approved objectives have no score, unless that is meant. The cycle's row is held by the change, which whoever approves an
// objective waits for, so none is approved after it was counted.
func mayClose(ctx context.Context, q *db.Queries, a actor, before, after db.Cycle, leaveUnscored *bool) error {
	closes := after.State == okr.CycleClosed && before.State != okr.CycleClosed
	if leaveUnscored != nil && *leaveUnscored && !closes {
		return invalid(FieldProblem{Pointer: "/leave_unscored", Code: "not-closing", Detail: "Only closing a cycle leaves objectives without a score."})
	}
	if !closes || leaveUnscored != nil && *leaveUnscored {
		return nil
	}
	open, err := q.CountObjectivesToScore(ctx, db.CountObjectivesToScoreParams{OrganizationID: a.OrganizationID, CycleID: after.ID})
	if err != nil || open == 0 {
		return err
	}
	number := strconv.Itoa(int(open))
	if open > mostCounted {
		number = "More than " + strconv.Itoa(mostCounted)
	}
	return wrongState(number+" approved objectives in this cycle have no score. Score them first, or send leave_unscored.", cycleView(before))
}

func cycleChange(a actor, present db.Cycle, request UpdateCycleRequestObject, from precondition) (db.UpdateCycleIfRevisionParams, error) {
	body := request.Body
	change := db.UpdateCycleIfRevisionParams{OrganizationID: a.OrganizationID, ID: present.ID, Revision: from.revision, ActorID: a.UserID,
		StartsOn: present.StartsOn, EndsOn: present.EndsOn}
	if body.Name != nil {
		change.SetName, change.Name = true, *body.Name
	}
	if body.StartsOn != nil {
		change.SetStartsOn, change.StartsOn = true, body.StartsOn.Time
	}
	if body.EndsOn != nil {
		change.SetEndsOn, change.EndsOn = true, body.EndsOn.Time
	}
	if body.State != nil && *body.State != present.State {
		if !present.State.MayBecome(*body.State) {
			return change, wrongState("A cycle that is "+string(present.State)+" cannot become "+string(*body.State)+".", cycleView(present))
		}
		change.SetState, change.State = true, string(*body.State)
	}
	if (change.SetStartsOn || change.SetEndsOn) && present.State == okr.CycleClosed {
		return change, wrongState("The dates of a closed cycle stay.", cycleView(present))
	}
	return change, checkDates(change.StartsOn, change.EndsOn)
}

func staleCycle(ctx context.Context, q *db.Queries, a actor, key db.GetCycleParams, from precondition) error {
	present, err := q.GetCycle(ctx, key)
	if err != nil {
		return err
	}
	names, err := namesOf(ctx, q, a, present.ChangedBy)
	if err != nil {
		return err
	}
	by := person(present.ChangedBy, names)
	return from.stale(cycleView(present), present.Revision, &by, present.ChangedAt)
}
