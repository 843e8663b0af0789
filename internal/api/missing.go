package api

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// circle is whom an actor may ask after: the members of these teams, or everybody.
type circle struct {
	everybody bool
	teams     []uuid.UUID
}

// circleOf is, of a team, for those who lead it or administer the organisation; without one, all teams that the actor leads, or the whole organisation.
func circleOf(ctx context.Context, q *db.Queries, a actor, team *uuid.UUID) (circle, error) {
	switch {
	case team != nil:
		if _, err := q.GetTeam(ctx, db.GetTeamParams{OrganizationID: a.OrganizationID, ID: *team}); err != nil {
			return circle{}, err
		}
		if !a.administers() && !a.leads(team) {
			return circle{}, errNotAllowed
		}
		return circle{teams: []uuid.UUID{*team}}, nil
	case a.administers():
		return circle{everybody: true}, nil
	case len(a.LeadTeamIDs) > 0:
		return circle{teams: a.LeadTeamIDs}, nil
	}
	return circle{}, errNotAllowed
}

// candidate is a member who was looked at, and whether they have no objective.
type candidate struct {
	member  Person
	missing bool
}

func (c circle) members(ctx context.Context, q *db.Queries, a actor, cycle, after uuid.UUID, scan int32) ([]candidate, error) {
	if c.everybody {
		rows, err := q.ListMembersForMissingAfter(ctx, db.ListMembersForMissingAfterParams{OrganizationID: a.OrganizationID, CycleID: cycle, AfterID: after, Scan: scan})
		return converted(rows, func(r db.ListMembersForMissingAfterRow) candidate {
			return candidate{Person{ID: r.UserID, Name: r.Name}, r.Missing}
		}), err
	}
	rows, err := q.ListMembersOfTeamsForMissingAfter(ctx, db.ListMembersOfTeamsForMissingAfterParams{OrganizationID: a.OrganizationID, CycleID: cycle, OfTeamIDs: c.teams, AfterID: after, Scan: scan})
	return converted(rows, func(r db.ListMembersOfTeamsForMissingAfterRow) candidate {
		return candidate{Person{ID: r.UserID, Name: r.Name}, r.Missing}
	}), err
}

// outdated are a cycle's objectives without a check-in for too long, behind one of them; none while the cycle takes no check-ins.
func (c circle) outdated(ctx context.Context, q *db.Queries, a actor, cycle db.Cycle, after position, size int32) ([]db.ListOutdatedAfterRow, error) {
	if cycle.State != okr.CycleActive {
		return nil, nil
	}
	day, behind := dayNumber(cycle, okr.Today(a.Now, a.zone())), int32(after.revision) //nolint:gosec // what encode wrote was a day of a cycle
	if c.everybody {
		return q.ListOutdatedAfter(ctx, db.ListOutdatedAfterParams{OrganizationID: a.OrganizationID, CycleID: cycle.ID, Day: day, AfterDay: behind, AfterID: after.id, PageSize: size})
	}
	rows, err := q.ListOutdatedOfTeamsAfter(ctx, db.ListOutdatedOfTeamsAfterParams{OrganizationID: a.OrganizationID, ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs, CycleID: cycle.ID, OfTeamIDs: c.teams, Day: day, AfterDay: behind,
		AfterID: after.id, PageSize: size})
	return converted(rows, func(r db.ListOutdatedOfTeamsAfterRow) db.ListOutdatedAfterRow { return db.ListOutdatedAfterRow(r) }), err
}

func outdatedView(cycle db.Cycle) func(db.ListOutdatedAfterRow) MissingCheckIn {
	return func(r db.ListOutdatedAfterRow) MissingCheckIn {
		return MissingCheckIn{ID: r.ObjectiveID, Title: r.Title, Owner: Person{ID: r.OwnerID, Name: r.OwnerName}, TeamID: r.TeamID,
			OutdatedSince: openapi_types.Date{Time: cycle.StartsOn.AddDate(0, 0, int(*r.OutdatedFrom))}}
	}
}

// beforeAll is a position in front of every outdated objective.
func beforeAll() position { return position{revision: -1} }

// missing is who has not set objectives or not checked in, for those whom it concerns; nil for the others.
func missing(ctx context.Context, q *db.Queries, a actor, cycle db.Cycle) (*Missing, error) {
	c, err := circleOf(ctx, q, a, nil)
	if errors.Is(err, errNotAllowed) {
		return nil, nil //nolint:nilnil // none of their business
	}
	if err != nil {
		return nil, err
	}
	m, err := c.missing(ctx, q, a, cycle)
	if err != nil || !c.everybody {
		return m, err
	}
	teams, err := q.ListTeamsForMissing(ctx, db.ListTeamsForMissingParams{OrganizationID: a.OrganizationID, CycleID: cycle.ID, Scan: missingScan})
	m.Teams, m.MoreTeams = &[]TeamName{}, new(len(teams) == missingScan)
	for _, t := range teams {
		switch {
		case !t.Missing:
		case len(*m.Teams) == shownMissing:
			*m.MoreTeams = true
		default:
			*m.Teams = append(*m.Teams, TeamName{ID: t.ID, Name: t.Name})
		}
	}
	return m, err
}

func (c circle) missing(ctx context.Context, q *db.Queries, a actor, cycle db.Cycle) (*Missing, error) {
	m := Missing{Members: []Person{}}
	members, err := c.members(ctx, q, a, cycle.ID, uuid.Nil, missingScan)
	if err != nil {
		return nil, err
	}
	m.MoreMembers = len(members) == missingScan
	for _, candidate := range members {
		switch {
		case !candidate.missing:
		case len(m.Members) == shownMissing:
			m.MoreMembers = true
		default:
			m.Members = append(m.Members, candidate.member)
		}
	}
	late, err := c.outdated(ctx, q, a, cycle, beforeAll(), shownMissing+1)
	m.MoreCheckIns = len(late) > shownMissing
	m.CheckIns = converted(late[:min(len(late), shownMissing)], outdatedView(cycle))
	return &m, err
}

// ListMissingObjectives lists who has set no objective in a cycle.
func (s *Server) ListMissingObjectives(ctx context.Context, request ListMissingObjectivesRequestObject) (ListMissingObjectivesResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/cycles/"+request.CycleID.String()+"/missing-objectives", request.Params.Limit, request.Params.Cursor, teamFilter(request.Params.TeamID))
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListMissingObjectivesResponseObject, error) {
		cycle, c, err := cycleAndCircle(ctx, q, a, request.CycleID, request.Params.TeamID)
		if err != nil {
			return nil, err
		}
		const scan = 1000
		members, err := c.members(ctx, q, a, cycle.ID, l.from.id, scan)
		if err != nil {
			return nil, err
		}
		items := []MissingObjective{}
		var last *uuid.UUID
		if len(members) == scan {
			last = &members[scan-1].member.ID
		}
		for i, m := range members {
			if m.missing {
				if len(items) == l.size {
					last = &members[i-1].member.ID
					break
				}
				items = append(items, MissingObjective{Member: m.member})
			}
		}
		if last == nil {
			return ListMissingObjectives200Response{Body: MissingObjectivesPage{Items: items}}, nil
		}
		next, link := l.behind(position{id: *last})
		return ListMissingObjectives200Response{Body: MissingObjectivesPage{Items: items, NextCursor: &next}, Headers: ListMissingObjectives200ResponseHeaders{Link: &link}}, nil
	})
}

// ListMissingCheckIns lists objectives without a check-in for too long.
func (s *Server) ListMissingCheckIns(ctx context.Context, request ListMissingCheckInsRequestObject) (ListMissingCheckInsResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/cycles/"+request.CycleID.String()+"/missing-check-ins", request.Params.Limit, request.Params.Cursor, teamFilter(request.Params.TeamID))
	if err != nil {
		return nil, err
	}
	after := beforeAll()
	if !l.begins {
		after = l.from
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListMissingCheckInsResponseObject, error) {
		cycle, c, err := cycleAndCircle(ctx, q, a, request.CycleID, request.Params.TeamID)
		if err != nil {
			return nil, err
		}
		rows, err := c.outdated(ctx, q, a, cycle, after, l.pageSize())
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ListOutdatedAfterRow) position {
			return position{revision: int64(*r.OutdatedFrom), id: r.ObjectiveID}
		})
		return ListMissingCheckIns200Response{Body: MissingCheckInsPage{Items: converted(rows, outdatedView(cycle)), NextCursor: next},
			Headers: ListMissingCheckIns200ResponseHeaders{Link: link}}, nil
	})
}

func teamFilter(team *uuid.UUID) url.Values {
	if team == nil {
		return url.Values{}
	}
	return url.Values{"team_id": {team.String()}}
}

func cycleAndCircle(ctx context.Context, q *db.Queries, a actor, cycle uuid.UUID, team *uuid.UUID) (db.Cycle, circle, error) {
	is, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: a.OrganizationID, ID: cycle})
	if err != nil {
		return is, circle{}, err
	}
	c, err := circleOf(ctx, q, a, team)
	if errors.Is(err, pgx.ErrNoRows) {
		return is, c, errNotFound
	}
	return is, c, err
}

// at is the actor as if it were another moment.
func (a actor) at(moment time.Time) actor {
	a.Now = moment
	return a
}
