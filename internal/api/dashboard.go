package api

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// How much a page shows of each kind. Where there is more, the operation that lists it leads on.
const (
	shownObjectives = 20
	shownTeams      = 20
	shownMissing    = 10
	shownRecent     = 10
	missingScan     = 100 // members or teams that are looked at for a page
	recentScan      = 100 // entries of the feed that are looked at for a page
)

// GetDashboard shows where the actor's objectives, their teams and the organisation stand: the same few statements, however large the organisation is.
func (s *Server) GetDashboard(ctx context.Context, request GetDashboardRequestObject) (GetDashboardResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetDashboardResponseObject, error) {
		asOf, err := pastMoment(request.Params.AsOf, a.Now)
		if err != nil {
			return nil, err
		}
		if asOf != nil {
			d, err := dashboardAsOf(ctx, q, a, request.Params.CycleID, *asOf)
			return GetDashboard200Response{Body: d}, err
		}
		d, err := dashboard(ctx, q, a, request.Params.CycleID)
		return GetDashboard200Response{Body: d}, err
	})
}

func dashboard(ctx context.Context, q *db.Queries, a actor, wanted *uuid.UUID) (Dashboard, error) {
	d := Dashboard{Cycles: []Cycle{}, Objectives: []DashboardObjective{}, Teams: []TeamFigures{}, Recent: []FeedEntry{}}
	chosen, err := chooseCycle(ctx, q, a, wanted, okr.Today(a.Now, a.zone()), inPresent)
	if err != nil {
		return d, err
	}
	d.Cycles = converted(chosen.all, cycleView)
	if d.Recent, err = recent(ctx, q, a, nil); err != nil {
		return d, err
	}
	teams, err := q.ListTeamsByID(ctx, db.ListTeamsByIDParams{OrganizationID: a.OrganizationID, TeamIDs: a.TeamIDs, PageSize: shownTeams + 1})
	if err != nil {
		return d, err
	}
	d.MoreTeams = len(teams) > shownTeams
	teams = teams[:min(len(teams), shownTeams)]
	if chosen.cycle == nil {
		return d, nil
	}
	cycle := *chosen.cycle
	d.Cycle = new(cycleNow(cycle, okr.Today(a.Now, a.zone())))
	mine, more, err := ownObjectives(ctx, q, a, cycle.ID)
	if err != nil {
		return d, err
	}
	d.MoreObjectives = more
	for _, o := range mine {
		d.Objectives = append(d.Objectives, o.short(a))
	}
	f, err := figuresOf(ctx, q, a, cycle, converted(teams, func(t db.ListTeamsByIDRow) uuid.UUID { return t.ID }))
	if err != nil {
		return d, err
	}
	d.Organization, d.ComputedAt, d.Recomputing = new(f.whole()), &f.computedAt, &f.recomputing
	for _, t := range teams {
		d.Teams = append(d.Teams, TeamFigures{Team: TeamName{ID: t.ID, Name: t.Name}, Figures: f.group(t.ID)})
	}
	d.Missing, err = missing(ctx, q, a, cycle)
	return d, err
}

// ownObjectives are the actor's own in a cycle, and whether there are more.
func ownObjectives(ctx context.Context, q *db.Queries, a actor, cycle uuid.UUID) ([]objectiveRows, bool, error) {
	rows, err := q.ListVisibleObjectivesOfOwnerInCycleAfter(ctx, db.ListVisibleObjectivesOfOwnerInCycleAfterParams{OrganizationID: a.OrganizationID, OwnerID: a.UserID, CycleID: cycle,
		ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs, PageSize: shownObjectives + 1})
	if err != nil {
		return nil, false, err
	}
	more := len(rows) > shownObjectives
	rows = rows[:min(len(rows), shownObjectives)]
	all, err := withKeyResults(ctx, q, a, converted(rows, func(r db.ListVisibleObjectivesOfOwnerInCycleAfterRow) db.GetVisibleObjectiveRow {
		return db.GetVisibleObjectiveRow(r)
	}))
	return all, more, err
}

func (o objectiveRows) short(a actor) DashboardObjective {
	s := o.standing(a)
	v := DashboardObjective{ID: o.objective.ID, Revision: o.objective.Revision, Title: o.objective.Title, Kind: o.objective.Kind, Visibility: o.objective.Visibility,
		State: o.objective.State, Archived: o.objective.ArchivedAt != nil, TeamID: o.objective.TeamID, Progress: o.progress(s), Health: s.health, Outdated: s.outdated,
		AnyOffTrack: s.anyOffTrack, Score: o.objective.Score, KeyResults: make([]DashboardKeyResult, 0, s.counted)}
	for _, k := range o.keyResults {
		if k.ArchivedAt != nil {
			continue
		}
		w := k.view(o.names)
		v.KeyResults = append(v.KeyResults, DashboardKeyResult{ID: w.ID, Title: w.Title, Kind: w.Kind, Unit: w.Unit, Pending: w.Pending, Progress: w.Progress, Percent: w.Percent,
			CurrentValue: w.CurrentValue, Confidence: w.Confidence, CheckedInAt: w.CheckedInAt})
	}
	return v
}

// choice is the cycle that a page is about, and those there are to choose from.
type choice struct {
	cycle *db.Cycle // nil where there is none
	all   []db.Cycle
}

// tense says whether a cycle's state can be gone by: of the past only its dates are known.
type tense bool

const (
	inPresent tense = false
	inPast    tense = true
)

// chooseCycle reads the cycles around a day, and takes the one that is asked for or else the one that most people will mean.
func chooseCycle(ctx context.Context, q *db.Queries, a actor, wanted *uuid.UUID, day time.Time, when tense) (choice, error) {
	rows, err := q.ListCyclesAround(ctx, db.ListCyclesAroundParams{OrganizationID: a.OrganizationID, Day: day})
	if err != nil {
		return choice{}, err
	}
	c := choice{all: converted(rows, func(r db.ListCyclesAroundRow) db.Cycle {
		return db.Cycle{OrganizationID: a.OrganizationID, ID: r.ID, Name: r.Name, StartsOn: r.StartsOn, EndsOn: r.EndsOn, State: r.State, Revision: r.Revision, CreatedAt: r.CreatedAt,
			ChangedAt: r.ChangedAt}
	})}
	if wanted != nil {
		cycle, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: a.OrganizationID, ID: *wanted})
		c.cycle = &cycle
		return c, err
	}
	c.cycle = likeliest(c.all, day, when)
	return c, nil
}

// likeliest is, of cycles in the order in which they end: the active one that a day lies in, of several the one that ends first; else the active one that ended last, since it may still take
// check-ins; else one that the day lies in, the next one, the last one.
func likeliest(all []db.Cycle, day time.Time, when tense) *db.Cycle {
	contains := func(c db.Cycle) bool { return !c.StartsOn.After(day) && !c.EndsOn.Before(day) }
	active := func(c db.Cycle) bool { return c.State == okr.CycleActive }
	first := func(is func(db.Cycle) bool) *db.Cycle {
		if i := slices.IndexFunc(all, is); i >= 0 {
			return &all[i]
		}
		return nil
	}
	last := func(is func(db.Cycle) bool) *db.Cycle {
		for i, c := range slices.Backward(all) {
			if is(c) {
				return &all[i]
			}
		}
		return nil
	}
	ended := func(c db.Cycle) bool { return c.EndsOn.Before(day) }
	var tries []*db.Cycle
	if when == inPast {
		tries = []*db.Cycle{first(contains), last(ended)}
	} else {
		tries = []*db.Cycle{first(func(c db.Cycle) bool { return active(c) && contains(c) }), last(func(c db.Cycle) bool { return active(c) && ended(c) }), first(active),
			first(contains), first(func(c db.Cycle) bool { return c.StartsOn.After(day) }), last(ended)}
	}
	for _, c := range tries {
		if c != nil {
			return c
		}
	}
	return nil
}

// cycleNow is a cycle and how far it has come on a day.
func cycleNow(c db.Cycle, day time.Time) CycleNow {
	p := okr.NewPace(c.StartsOn, c.EndsOn)
	last := p.Day(c.EndsOn)
	return CycleNow{Cycle: cycleView(c), Elapsed: p.Elapsed(p.Day(day)), Days: last + 1, DaysLeft: min(max(last-p.Day(day)+1, 0), last+1)}
}

// recent is what happened lately that the actor may see, of one team or of all.
func recent(ctx context.Context, q *db.Queries, a actor, team *uuid.UUID) ([]FeedEntry, error) {
	rows, err := q.ListFeedBefore(ctx, db.ListFeedBeforeParams{OrganizationID: a.OrganizationID, BeforeID: uuid.Max, Scan: recentScan, TeamID: team, ActorID: a.UserID,
		SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
	items := []FeedEntry{}
	for _, f := range rows {
		if f.Shown && len(items) < shownRecent {
			items = append(items, feedView(db.ListFeedOfObjectiveBeforeRow{ID: f.ID, ObjectiveID: f.ObjectiveID, Title: f.Title, Action: f.Action, ActorID: f.ActorID,
				ActorName: f.ActorName, Detail: f.Detail, HappenedAt: f.HappenedAt}))
		}
	}
	return items, err
}

// dashboardAsOf is the dashboard as it stood at a past moment.
func dashboardAsOf(ctx context.Context, q *db.Queries, a actor, wanted *uuid.UUID, asOf time.Time) (Dashboard, error) {
	d := Dashboard{AsOf: &asOf, Cycles: []Cycle{}, Objectives: []DashboardObjective{}, Teams: []TeamFigures{}, Recent: []FeedEntry{}}
	day := okr.Today(asOf, a.zone())
	chosen, err := chooseCycle(ctx, q, a, wanted, day, inPast)
	if err != nil {
		return d, err
	}
	d.Cycles = converted(chosen.all, cycleView)
	if chosen.cycle == nil {
		return d, nil
	}
	cycle := *chosen.cycle
	d.Cycle = new(cycleNow(cycle, day))
	mine, more, err := ownObjectives(ctx, q, a, cycle.ID)
	if err != nil {
		return d, err
	}
	d.MoreObjectives = more
	if mine, err = asTheyStood(ctx, q, a, mine, asOf); err != nil {
		return d, err
	}
	for _, o := range mine {
		d.Objectives = append(d.Objectives, o.short(a.at(asOf)))
	}
	teams, err := q.ListTeamsByID(ctx, db.ListTeamsByIDParams{OrganizationID: a.OrganizationID, TeamIDs: a.TeamIDs, PageSize: shownTeams + 1})
	if err != nil {
		return d, err
	}
	d.MoreTeams = len(teams) > shownTeams
	teams = teams[:min(len(teams), shownTeams)]
	ids := converted(teams, func(t db.ListTeamsByIDRow) uuid.UUID { return t.ID })
	f, err := figuresOf(ctx, q, a, cycle, ids)
	if err != nil {
		return d, err
	}
	recorded, err := recordedBy(ctx, q, a, cycle.ID, ids, asOf)
	whole, ok := recorded[uuid.Max]
	if err != nil || !ok {
		return d, err
	}
	d.FiguresDay, d.ComputedAt, d.Organization = &openapi_types.Date{Time: whole.Day}, &whole.RecordedAt, new(f.wholeOn(whole))
	for _, t := range teams {
		d.Teams = append(d.Teams, TeamFigures{Team: TeamName{ID: t.ID, Name: t.Name}, Figures: f.groupOn(t.ID, recorded[t.ID])})
	}
	return d, nil
}

// rowOrNil is nil where a statement found nothing.
func rowOrNil[T any](row T, err error) (*T, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // there is none, and that is no error
	}
	return &row, err
}
