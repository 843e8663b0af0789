package api

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
	"github.com/kakeai/kakeai/internal/okr"
)

const (
	// restrictedSeen is how many objectives that not everybody sees ListGroupsOfFew looks at.
	restrictedSeen = 200
	// coarseFrom is from how many objectives on whole percents are too coarse to tell one of them from the others: half a percent of so many is half of one.
	coarseFrom = 100
)

// groupFigures are what groups of a cycle come to, and what of that its reader may have.
type groupFigures struct {
	sums        map[uuid.UUID]db.SumFiguresRow
	few         map[uuid.UUID]int // groups so small that their number would give away what the reader may not see
	fewUnknown  bool              // there are too many restricted objectives to have found all of them
	running     bool              // the cycle takes check-ins
	computedAt  time.Time
	recomputing bool
}

// figuresOf reads what teams, the objectives of no team, and the whole cycle come to today.
func figuresOf(ctx context.Context, q *db.Queries, a actor, cycle db.Cycle, teams []uuid.UUID) (groupFigures, error) {
	f := groupFigures{sums: map[uuid.UUID]db.SumFiguresRow{}, few: map[uuid.UUID]int{}, running: cycle.State == okr.CycleActive, computedAt: a.Now}
	groups := append([]uuid.UUID{uuid.Nil, uuid.Max}, teams...)
	rows, err := q.SumFigures(ctx, db.SumFiguresParams{OrganizationID: a.OrganizationID, CycleID: cycle.ID, GroupIDs: groups,
		Day: dayNumber(cycle, okr.Today(a.Now, a.zone()))})
	if err != nil {
		return f, err
	}
	for _, r := range rows {
		f.sums[r.GroupID] = r
	}
	basis, err := rowOrNil(q.GetCycleFigures(ctx, db.GetCycleFiguresParams{OrganizationID: a.OrganizationID, CycleID: cycle.ID}))
	if err != nil {
		return f, err
	}
	f.recomputing = basis == nil || basis.RebuildingAfter != nil || !basis.StartsOn.Equal(cycle.StartsOn) || !basis.EndsOn.Equal(cycle.EndsOn) || basis.TimeZone != a.TimeZone ||
		basis.Cadence != string(a.Cadence) || basis.Rules < figures.Rules
	waiting, err := rowOrNil(q.GetOldestWaitingEvent(ctx, db.GetOldestWaitingEventParams{OrganizationID: a.OrganizationID}))
	if err != nil {
		return f, err
	}
	if waiting != nil && waiting.Before(f.computedAt) {
		f.computedAt = *waiting
	}
	if a.administers() {
		return f, nil
	}
	few, err := q.ListGroupsOfFew(ctx, db.ListGroupsOfFewParams{OrganizationID: a.OrganizationID, CycleID: cycle.ID, ActorID: a.UserID, TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs,
		GroupIDs: groups})
	if err != nil {
		return f, err
	}
	for _, g := range few {
		f.few[g.GroupID] = int(g.Objectives)
	}
	restricted, err := q.CountRestricted(ctx, db.CountRestrictedParams{OrganizationID: a.OrganizationID, CycleID: cycle.ID})
	f.fewUnknown = restricted > restrictedSeen
	return f, err
}

// dayNumber counts a calendar day from the cycle's first.
func dayNumber(c db.Cycle, day time.Time) int32 {
	return int32(okr.NewPace(c.StartsOn, c.EndsOn).Day(day)) //nolint:gosec // the years are 1900 to 2999
}

// protection is how much of a number a reader may have.
type protection int

const (
	unprotected   protection = iota // all of it
	wholePercents                   // and no counts by health
	keptBack                        // nothing
)

// ofWhole is how the whole cycle's number is protected. Taking from it the teams whose numbers are shown leaves those that are withheld, and what belongs to no team: where that is only one or two
// objectives, the difference would give away what withholding them was to keep.
func (f groupFigures) ofWhole() protection {
	if len(f.few) == 0 && !f.fewUnknown {
		return unprotected
	}
	left := 0
	for _, objectives := range f.few {
		left += objectives
	}
	if _, ok := f.few[uuid.Nil]; !ok {
		left += int(f.sums[uuid.Nil].Objectives)
	}
	all := int(f.sums[uuid.Max].Objectives)
	switch {
	case okr.SmallGroup(all):
		return keptBack
	case len(f.few) > 0 && !okr.SmallGroup(left):
		return unprotected
	case all >= coarseFrom:
		return wholePercents
	}
	return keptBack
}

func (f groupFigures) whole() Figures { return f.shown(f.sums[uuid.Max], f.ofWhole()) }

func (f groupFigures) ofGroup(group uuid.UUID) protection {
	if _, few := f.few[group]; few {
		return keptBack
	}
	return unprotected
}

func (f groupFigures) group(group uuid.UUID) Figures {
	return f.shown(f.sums[group], f.ofGroup(group))
}

func (f groupFigures) shown(s db.SumFiguresRow, p protection) Figures {
	h := HealthCounts{OnTrack: int(s.Objectives - s.Pending - s.LeftOnTrack), AtRisk: int(s.LeftOnTrack - s.WentOffTrack), OffTrack: int(s.WentOffTrack), Pending: int(s.Pending),
		AnyOffTrack: int(s.KeyResultOffTrack), Outdated: int(s.Outdated)}
	if !f.running {
		h.Outdated = 0
	}
	return figuresView(okr.Sums{Objectives: int(s.Objectives), Pending: int(s.Pending), Progress: s.Progress, Overshoot: s.Overshoot}, h, p)
}

// wholeOn is the whole cycle as it was recorded on a day. Who was to see what then is not known, so what is protected now was protected then, if anything in it was not for everybody.
func (f groupFigures) wholeOn(d db.CycleFiguresDaily) Figures { return recordedView(d, f.ofWhole()) }

func (f groupFigures) groupOn(group uuid.UUID, d db.CycleFiguresDaily) Figures {
	return recordedView(d, f.ofGroup(group))
}

func recordedView(d db.CycleFiguresDaily, now protection) Figures {
	p := unprotected
	if d.Restricted > 0 {
		p = now
	}
	return figuresView(okr.Sums{Objectives: int(d.Objectives), Pending: int(d.Pending), Progress: d.Progress, Overshoot: d.Overshoot},
		HealthCounts{OnTrack: int(d.OnTrack), AtRisk: int(d.AtRisk), OffTrack: int(d.OffTrack), Pending: int(d.Pending), AnyOffTrack: int(d.KeyResultOffTrack), Outdated: int(d.Outdated)}, p)
}

func figuresView(s okr.Sums, h HealthCounts, p protection) Figures {
	if p == keptBack {
		return Figures{Withheld: true}
	}
	progress := progressView(s.Mean(false))
	v := Figures{Objectives: &s.Objectives, Progress: &progress}
	if p == wholePercents {
		progress.Value, progress.Overshoot = decimal.New(int64(progress.Percent), -2), decimal.Zero
		v.Coarse = new(true)
		return v
	}
	v.Health = &h
	return v
}
