package api

import (
	"context"

	"github.com/google/uuid"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// shownMembers is how many members a team's page shows.
const shownMembers = 50

// GetTeamOverview shows a team's page.
func (s *Server) GetTeamOverview(ctx context.Context, request GetTeamOverviewRequestObject) (GetTeamOverviewResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetTeamOverviewResponseObject, error) {
		v, err := teamOverview(ctx, q, a, request.TeamID, request.Params.CycleID)
		return GetTeamOverview200Response{Body: v}, err
	})
}

func teamOverview(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, wanted *uuid.UUID) (TeamOverview, error) {
	v := TeamOverview{Objectives: []ObjectiveSummary{}}
	team, err := q.GetTeam(ctx, db.GetTeamParams{OrganizationID: a.OrganizationID, ID: id})
	if err != nil {
		return v, err
	}
	v.Team = teamView(team)
	members, err := q.ListTeamMembersAfter(ctx, db.ListTeamMembersAfterParams{OrganizationID: a.OrganizationID, TeamID: id, PageSize: shownMembers + 1})
	if err != nil {
		return v, err
	}
	v.MoreMembers = len(members) > shownMembers
	v.Members = converted(members[:min(len(members), shownMembers)], func(m db.ListTeamMembersAfterRow) TeamMember {
		return TeamMember{Member: Person{ID: m.UserID, Name: m.Name}, Role: m.Role}
	})
	if v.Recent, err = recent(ctx, q, a, &id); err != nil {
		return v, err
	}
	today := okr.Today(a.Now, a.zone())
	chosen, err := chooseCycle(ctx, q, a, wanted, today, inPresent)
	if err != nil {
		return v, err
	}
	v.Cycles = converted(chosen.all, cycleView)
	if chosen.cycle == nil {
		return v, nil
	}
	cycle := *chosen.cycle
	v.Cycle = new(cycleNow(cycle, today))
	f, err := figuresOf(ctx, q, a, cycle, []uuid.UUID{id})
	if err != nil {
		return v, err
	}
	v.Figures = new(f.group(id))
	rows, err := q.ListVisibleObjectivesOfTeamInCycleAfter(ctx, db.ListVisibleObjectivesOfTeamInCycleAfterParams{OrganizationID: a.OrganizationID, TeamID: id, CycleID: cycle.ID,
		ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs, PageSize: shownObjectives + 1})
	if err != nil {
		return v, err
	}
	v.MoreObjectives = len(rows) > shownObjectives
	all, err := withKeyResults(ctx, q, a, converted(rows[:min(len(rows), shownObjectives)], func(r db.ListVisibleObjectivesOfTeamInCycleAfterRow) db.GetVisibleObjectiveRow {
		return db.GetVisibleObjectiveRow(r)
	}))
	if err != nil {
		return v, err
	}
	for _, o := range all {
		v.Objectives = append(v.Objectives, o.summary(a))
	}
	if a.administers() || a.leads(&id) {
		v.Missing, err = circle{teams: []uuid.UUID{id}}.missing(ctx, q, a, cycle)
	}
	return v, err
}

// GetCycleProgress shows how a cycle has come along.
func (s *Server) GetCycleProgress(ctx context.Context, request GetCycleProgressRequestObject) (GetCycleProgressResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetCycleProgressResponseObject, error) {
		cycle, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: a.OrganizationID, ID: request.CycleID})
		if err != nil {
			return nil, err
		}
		group, teams := uuid.Max, []uuid.UUID{}
		if request.Params.TeamID != nil {
			if _, err := q.GetTeam(ctx, db.GetTeamParams{OrganizationID: a.OrganizationID, ID: *request.Params.TeamID}); err != nil {
				return nil, err
			}
			group, teams = *request.Params.TeamID, []uuid.UUID{*request.Params.TeamID}
		}
		f, err := figuresOf(ctx, q, a, cycle, teams)
		if err != nil {
			return nil, err
		}
		rows, err := q.ListCycleDays(ctx, db.ListCycleDaysParams{OrganizationID: a.OrganizationID, CycleID: cycle.ID, GroupID: group})
		if err != nil {
			return nil, err
		}
		v := CycleProgress{Cycle: cycleNow(cycle, okr.Today(a.Now, a.zone())), Days: make([]CycleDay, len(rows)), Now: f.whole()}
		on := f.wholeOn
		if group != uuid.Max {
			v.Now = f.group(group)
			on = func(d db.CycleFiguresDaily) Figures { return f.groupOn(group, d) }
		}
		pace := okr.NewPace(cycle.StartsOn, cycle.EndsOn)
		for i, d := range rows {
			v.Days[len(rows)-1-i] = CycleDay{Day: openapi_types.Date{Time: d.Day}, Expected: pace.Elapsed(pace.Day(d.Day)), Figures: on(d)}
		}
		return GetCycleProgress200Response{Body: v}, nil
	})
}
