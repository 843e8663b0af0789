package bare

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kakeai/kakeai/bench/peers/answer"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

// Dashboard reads what the dashboard of a member or a team lead shows.
func Dashboard(ctx context.Context, pool *pgxpool.Pool, token auth.Token) (d answer.Dashboard, a answer.Actor, err error) {
	err = view(ctx, pool, token, func(q *db.Queries, row db.GetActorForReadRow) error {
		a = actor(row)
		return (&dashboard{q: q, a: a, organization: token.Organization, Dashboard: &d}).read(ctx)
	})
	return d, a, err
}

type dashboard struct {
	*answer.Dashboard
	q            *db.Queries
	a            answer.Actor
	organization uuid.UUID
}

func (d *dashboard) read(ctx context.Context) error {
	cycles, err := d.q.ListCyclesAround(ctx, db.ListCyclesAroundParams{OrganizationID: d.organization, Day: d.a.Today()})
	if err != nil {
		return err
	}
	for _, c := range cycles {
		d.Cycles = append(d.Cycles, db.Cycle{ID: c.ID, Name: c.Name, StartsOn: c.StartsOn, EndsOn: c.EndsOn, State: c.State, Revision: c.Revision, CreatedAt: c.CreatedAt, ChangedAt: c.ChangedAt})
	}
	d.Cycle = answer.Choose(d.Cycles, d.a.Today())
	if d.Recent, err = d.q.ListFeedBefore(ctx, db.ListFeedBeforeParams{OrganizationID: d.organization, BeforeID: uuid.Max, Scan: answer.RecentScan, ActorID: d.a.ID, TeamIDs: d.a.TeamIDs, LeadTeamIDs: d.a.LeadTeamIDs}); err != nil {
		return err
	}
	if d.Teams, err = d.q.ListTeamsByID(ctx, db.ListTeamsByIDParams{OrganizationID: d.organization, TeamIDs: d.a.TeamIDs, PageSize: answer.ShownTeams + 1}); err != nil {
		return err
	}
	d.MoreTeams = len(d.Teams) > answer.ShownTeams
	d.Teams = d.Teams[:min(len(d.Teams), answer.ShownTeams)]
	if d.Cycle == nil {
		return errors.New("bare: no cycle is under way")
	}
	if err := d.mine(ctx); err != nil {
		return err
	}
	if err := d.figures(ctx); err != nil {
		return err
	}
	return d.missing(ctx)
}

func (d *dashboard) mine(ctx context.Context) error {
	rows, err := d.q.ListVisibleObjectivesOfOwnerInCycleAfter(ctx, db.ListVisibleObjectivesOfOwnerInCycleAfterParams{OrganizationID: d.organization, OwnerID: d.a.ID, CycleID: d.Cycle.ID,
		ActorID: d.a.ID, TeamIDs: d.a.TeamIDs, LeadTeamIDs: d.a.LeadTeamIDs, PageSize: answer.ShownObjectives + 1})
	if err != nil {
		return err
	}
	d.More = len(rows) > answer.ShownObjectives
	rows = rows[:min(len(rows), answer.ShownObjectives)]
	if len(rows) == 0 {
		return nil
	}
	ids := make([]uuid.UUID, len(rows))
	index := make(map[uuid.UUID]*answer.Objective, len(rows))
	d.Mine = make([]answer.Objective, len(rows))
	for i, r := range rows {
		ids[i] = r.Objective.ID
		d.Mine[i] = answer.Objective{Objective: r.Objective, Cycle: r.Cycle, Names: map[uuid.UUID]string{r.Objective.OwnerID: r.OwnerName, r.Objective.ChangedBy: r.ChangedByName}}
		index[ids[i]] = &d.Mine[i]
	}
	keyResults, err := d.q.ListKeyResultsOfObjectives(ctx, db.ListKeyResultsOfObjectivesParams{OrganizationID: d.organization, ObjectiveIDs: ids})
	if err != nil {
		return err
	}
	for _, r := range keyResults {
		add(index[r.KeyResult.ObjectiveID], db.ListKeyResultsOfObjectiveRow(r))
	}
	return nil
}

func (d *dashboard) figures(ctx context.Context) error {
	groups := []uuid.UUID{uuid.Nil, uuid.Max}
	for _, t := range d.Teams {
		groups = append(groups, t.ID)
	}
	rows, err := d.q.SumFigures(ctx, db.SumFiguresParams{OrganizationID: d.organization, CycleID: d.Cycle.ID, GroupIDs: groups, Day: answer.Day(*d.Cycle, d.a.Today())})
	if err != nil {
		return err
	}
	d.Sums = make(map[uuid.UUID]db.SumFiguresRow, len(rows))
	for _, r := range rows {
		d.Sums[r.GroupID] = r
	}
	basis, err := d.q.GetCycleFigures(ctx, db.GetCycleFiguresParams{OrganizationID: d.organization, CycleID: d.Cycle.ID})
	if err == nil {
		d.Basis = &basis
	} else if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	waiting, err := d.q.GetOldestWaitingEvent(ctx, db.GetOldestWaitingEventParams{OrganizationID: d.organization})
	if err == nil {
		d.Waiting = &waiting
	} else if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	few, err := d.q.ListGroupsOfFew(ctx, db.ListGroupsOfFewParams{OrganizationID: d.organization, CycleID: d.Cycle.ID, ActorID: d.a.ID, TeamIDs: d.a.TeamIDs, LeadTeamIDs: d.a.LeadTeamIDs, GroupIDs: groups})
	if err != nil {
		return err
	}
	d.Few = make(map[uuid.UUID]int, len(few))
	for _, g := range few {
		d.Few[g.GroupID] = int(g.Objectives)
	}
	restricted, err := d.q.CountRestricted(ctx, db.CountRestrictedParams{OrganizationID: d.organization, CycleID: d.Cycle.ID})
	d.Restricted = int(restricted)
	return err
}

func (d *dashboard) missing(ctx context.Context) (err error) {
	if len(d.a.LeadTeamIDs) == 0 {
		return nil
	}
	if d.Members, err = d.q.ListMembersOfTeamsForMissingAfter(ctx, db.ListMembersOfTeamsForMissingAfterParams{OrganizationID: d.organization, CycleID: d.Cycle.ID, OfTeamIDs: d.a.LeadTeamIDs, Scan: answer.MissingScan}); err != nil {
		return err
	}
	d.Late, err = d.q.ListOutdatedOfTeamsAfter(ctx, db.ListOutdatedOfTeamsAfterParams{OrganizationID: d.organization, ActorID: d.a.ID, TeamIDs: d.a.TeamIDs, LeadTeamIDs: d.a.LeadTeamIDs, CycleID: d.Cycle.ID,
		OfTeamIDs: d.a.LeadTeamIDs, Day: answer.Day(*d.Cycle, d.a.Today()), AfterDay: -1, PageSize: answer.ShownMissing + 1})
	return err
}
