package api

import (
	"context"
	"net/url"
	"time"

	"github.com/google/uuid"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"github.com/kakeai/kakeai/internal/db"
)

// ListCycleTeams lists what the teams come to in a cycle. Each team's figures are protected as on its own page; what belongs to no team is not shown, since that is what would be left
// over from the whole.
func (s *Server) ListCycleTeams(ctx context.Context, request ListCycleTeamsRequestObject) (ListCycleTeamsResponseObject, error) {
	filters := url.Values{}
	if request.Params.AsOf != nil {
		filters.Set("as_of", *request.Params.AsOf)
	}
	l, err := s.newList(exchangeOf(ctx), "/cycles/"+request.CycleID.String()+"/teams", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListCycleTeamsResponseObject, error) {
		asOf, err := pastMoment(request.Params.AsOf, a.Now)
		if err != nil {
			return nil, err
		}
		cycle, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: a.OrganizationID, ID: request.CycleID})
		if err != nil {
			return nil, err
		}
		teams, err := q.ListTeamsAfter(ctx, db.ListTeamsAfterParams{OrganizationID: a.OrganizationID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		teams, next, link := page(l, teams, func(t db.Team) position { return position{id: t.ID} })
		ids := converted(teams, func(t db.Team) uuid.UUID { return t.ID })
		f, err := figuresOf(ctx, q, a, cycle, ids)
		if err != nil {
			return nil, err
		}
		v := CycleTeamsPage{Items: []TeamFigures{}}
		figures := f.group
		if asOf != nil {
			recorded, err := recordedBy(ctx, q, a, cycle.ID, ids, *asOf)
			whole, ok := recorded[uuid.Max]
			if err != nil || !ok {
				return ListCycleTeams200Response{Body: v}, err
			}
			v.FiguresDay = &openapi_types.Date{Time: whole.Day}
			figures = func(group uuid.UUID) Figures { return f.groupOn(group, recorded[group]) }
		}
		for _, t := range teams {
			shown := figures(t.ID)
			if counts := shown.Withheld || *shown.Objectives > 0; t.ArchivedAt == nil || counts {
				v.Items = append(v.Items, TeamFigures{Team: TeamName{ID: t.ID, Name: t.Name}, Figures: shown})
			}
		}
		v.NextCursor = next
		return ListCycleTeams200Response{Body: v, Headers: ListCycleTeams200ResponseHeaders{Link: link}}, nil
	})
}

// recordedBy is how groups stood when the last day before a moment that was recorded ended, by group; empty where there is none.
func recordedBy(ctx context.Context, q *db.Queries, a actor, cycle uuid.UUID, groups []uuid.UUID, moment time.Time) (map[uuid.UUID]db.CycleFiguresDaily, error) {
	days, err := q.ListGroupsOnDay(ctx, db.ListGroupsOnDayParams{OrganizationID: a.OrganizationID, CycleID: cycle, GroupIDs: append(groups, uuid.Max), RecordedBy: moment})
	recorded := make(map[uuid.UUID]db.CycleFiguresDaily, len(days))
	for _, d := range days {
		recorded[d.GroupID] = d
	}
	return recorded, err
}
