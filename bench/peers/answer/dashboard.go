package answer

import (
	"time"

	"github.com/google/uuid"
	openapi_types "github.com/oapi-codegen/runtime/types"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// How much a dashboard shows of each kind, and how much is looked at for that.
const (
	ShownObjectives = 20
	ShownTeams      = 20
	ShownMissing    = 10
	ShownRecent     = 10
	MissingScan     = 100
	RecentScan      = 100
	RestrictedSeen  = 200
	coarseFrom      = 100
)

// Dashboard is what has been read for the dashboard of a member or a team lead, who do not see everything.
type Dashboard struct {
	Cycles     []db.Cycle
	Cycle      *db.Cycle              // the one that it is about
	Recent     []db.ListFeedBeforeRow // as many as are looked at
	Teams      []db.ListTeamsByIDRow
	MoreTeams  bool
	Mine       []Objective
	More       bool // of one's own objectives
	Sums       map[uuid.UUID]db.SumFiguresRow
	Basis      *db.CycleFigure
	Waiting    *time.Time // since when something waits to be counted
	Few        map[uuid.UUID]int
	Restricted int
	Members    []db.ListMembersOfTeamsForMissingAfterRow // of teams that one leads; nil for those who lead none
	Late       []db.ListOutdatedOfTeamsAfterRow
}

// Zone is the organisation's.
func (a Actor) Zone() *time.Location {
	zone, err := time.LoadLocation(a.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Today is the organisation's calendar day.
func (a Actor) Today() time.Time { return okr.Today(a.Now, a.Zone()) }

// Choose takes, of cycles in the order in which they end, the active one that a day lies in.
func Choose(all []db.Cycle, day time.Time) *db.Cycle {
	for i, c := range all {
		if c.State == okr.CycleActive && !c.StartsOn.After(day) && !c.EndsOn.Before(day) {
			return &all[i]
		}
	}
	return nil
}

// Day counts a calendar day from the cycle's first.
func Day(c db.Cycle, day time.Time) int32 {
	return int32(okr.NewPace(c.StartsOn, c.EndsOn).Day(day)) //nolint:gosec // of a quarter
}

// View is the body of an answer that shows the dashboard.
func (d Dashboard) View(a Actor) api.Dashboard {
	v := api.Dashboard{Cycles: make([]api.Cycle, 0, len(d.Cycles)), Objectives: []api.DashboardObjective{}, Teams: []api.TeamFigures{}, Recent: []api.FeedEntry{}, MoreTeams: d.MoreTeams, MoreObjectives: d.More}
	for _, c := range d.Cycles {
		v.Cycles = append(v.Cycles, cycleView(c))
	}
	for _, f := range d.Recent {
		if f.Shown && len(v.Recent) < ShownRecent {
			e := api.FeedEntry{ID: f.ID, ObjectiveID: f.ObjectiveID, Title: f.Title, Action: f.Action, Detail: f.Detail, HappenedAt: f.HappenedAt}
			if f.ActorID != nil && f.ActorName != nil {
				e.Actor = &api.Person{ID: *f.ActorID, Name: *f.ActorName}
			}
			v.Recent = append(v.Recent, e)
		}
	}
	if d.Cycle == nil {
		return v
	}
	p := okr.NewPace(d.Cycle.StartsOn, d.Cycle.EndsOn)
	today, last := p.Day(a.Today()), p.Day(d.Cycle.EndsOn)
	v.Cycle = &api.CycleNow{Cycle: cycleView(*d.Cycle), Elapsed: p.Elapsed(today), Days: last + 1, DaysLeft: min(max(last-today+1, 0), last+1)}
	for _, o := range d.Mine {
		v.Objectives = append(v.Objectives, o.short(a))
	}
	whole := d.figures(uuid.Max)
	v.Organization, v.ComputedAt = &whole, &a.Now
	if d.Waiting != nil && d.Waiting.Before(a.Now) {
		v.ComputedAt = d.Waiting
	}
	b := d.Basis
	recomputing := b == nil || b.RebuildingAfter != nil || !b.StartsOn.Equal(d.Cycle.StartsOn) || !b.EndsOn.Equal(d.Cycle.EndsOn) || b.TimeZone != a.TimeZone || b.Cadence != string(a.Cadence)
	v.Recomputing = &recomputing
	for _, t := range d.Teams {
		v.Teams = append(v.Teams, api.TeamFigures{Team: api.TeamName{ID: t.ID, Name: t.Name}, Figures: d.figures(t.ID)})
	}
	if len(a.LeadTeamIDs) > 0 {
		v.Missing = d.missing()
	}
	return v
}

func cycleView(c db.Cycle) api.Cycle {
	return api.Cycle{ID: c.ID, Name: c.Name, StartsOn: openapi_types.Date{Time: c.StartsOn}, EndsOn: openapi_types.Date{Time: c.EndsOn}, State: c.State, Revision: c.Revision,
		CreatedAt: c.CreatedAt, ChangedAt: c.ChangedAt}
}

func (o Objective) short(a Actor) api.DashboardObjective {
	w := o.View(a)
	s := api.DashboardObjective{ID: w.ID, Revision: w.Revision, Title: w.Title, Kind: w.Kind, Visibility: w.Visibility, State: w.State, Archived: w.Archived, TeamID: w.TeamID,
		Progress: w.Progress, Health: w.Health, Outdated: w.Outdated, AnyOffTrack: w.AnyOffTrack, Score: w.Score, KeyResults: make([]api.DashboardKeyResult, 0, len(w.KeyResults))}
	for _, k := range w.KeyResults {
		s.KeyResults = append(s.KeyResults, api.DashboardKeyResult{ID: k.ID, Title: k.Title, Kind: k.Kind, Unit: k.Unit, Pending: k.Pending, Progress: k.Progress, Percent: k.Percent,
			CurrentValue: k.CurrentValue, Confidence: k.Confidence, CheckedInAt: k.CheckedInAt})
	}
	return s
}

// figures are what a group comes to, or uuid.Max the whole cycle, as far as the numbers of others do not give away an objective.
func (d Dashboard) figures(group uuid.UUID) api.Figures {
	s := d.Sums[group]
	coarse := false
	if group == uuid.Max {
		var kept bool
		if kept, coarse = d.guarded(); kept {
			return api.Figures{Withheld: true}
		}
	} else if _, few := d.Few[group]; few {
		return api.Figures{Withheld: true}
	}
	total := okr.Sums{Objectives: int(s.Objectives), Pending: int(s.Pending), Progress: s.Progress, Overshoot: s.Overshoot}.Mean(false)
	objectives := int(s.Objectives)
	v := api.Figures{Objectives: &objectives, Progress: &api.Progress{Value: total.Progress, Percent: okr.PercentRollUp(total.Progress), Pending: total.Pending, Empty: total.Empty, Overshoot: total.Overshoot}}
	if coarse {
		v.Progress.Value, v.Progress.Overshoot, v.Coarse = decimal.New(int64(v.Progress.Percent), -2), decimal.Zero, &coarse
		return v
	}
	v.Health = &api.HealthCounts{OnTrack: int(s.Objectives - s.Pending - s.LeftOnTrack), AtRisk: int(s.LeftOnTrack - s.WentOffTrack), OffTrack: int(s.WentOffTrack), Pending: int(s.Pending),
		AnyOffTrack: int(s.KeyResultOffTrack), Outdated: int(s.Outdated)}
	return v
}

// guarded says of the whole cycle whether its numbers are kept back, or told in whole percents only.
func (d Dashboard) guarded() (kept, coarse bool) {
	unknown := d.Restricted > RestrictedSeen
	if len(d.Few) == 0 && !unknown {
		return false, false
	}
	left := 0
	for _, objectives := range d.Few {
		left += objectives
	}
	if _, ok := d.Few[uuid.Nil]; !ok {
		left += int(d.Sums[uuid.Nil].Objectives)
	}
	all := int(d.Sums[uuid.Max].Objectives)
	switch {
	case okr.SmallGroup(all):
		return true, false
	case len(d.Few) > 0 && !okr.SmallGroup(left):
		return false, false
	}
	return all < coarseFrom, all >= coarseFrom
}

func (d Dashboard) missing() *api.Missing {
	m := &api.Missing{Members: []api.Person{}, CheckIns: []api.MissingCheckIn{}, MoreMembers: len(d.Members) == MissingScan, MoreCheckIns: len(d.Late) > ShownMissing}
	for _, c := range d.Members {
		switch {
		case !c.Missing:
		case len(m.Members) == ShownMissing:
			m.MoreMembers = true
		default:
			m.Members = append(m.Members, api.Person{ID: c.UserID, Name: c.Name})
		}
	}
	for _, r := range d.Late[:min(len(d.Late), ShownMissing)] {
		m.CheckIns = append(m.CheckIns, api.MissingCheckIn{ID: r.ObjectiveID, Title: r.Title, Owner: api.Person{ID: r.OwnerID, Name: r.OwnerName}, TeamID: r.TeamID,
			OutdatedSince: openapi_types.Date{Time: d.Cycle.StartsOn.AddDate(0, 0, int(*r.OutdatedFrom))}})
	}
	return m
}
