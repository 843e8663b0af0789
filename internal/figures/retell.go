package figures

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// retold is how many objectives are retold at a time.
const retold = 100

// RebuildAll computes the figures of all cycles of an organisation anew, in the transaction it is given.
func RebuildAll(ctx context.Context, q *db.Queries, organization uuid.UUID) error {
	cycles, err := q.ListCyclesOfOrganization(ctx, db.ListCyclesOfOrganizationParams{OrganizationID: organization})
	if err != nil {
		return err
	}
	for _, c := range cycles {
		if err := Rebuild(ctx, q, organization, c.ID); err != nil {
			return err
		}
	}
	return nil
}

// Retell is RebuildAll, and records the days that had ended by now, too, as history and check-ins tell of them. It is for an organisation that has a past though nobody was there to record it.
func Retell(ctx context.Context, q *db.Queries, organization uuid.UUID, now time.Time) error {
	cycles, err := q.ListCyclesOfOrganization(ctx, db.ListCyclesOfOrganizationParams{OrganizationID: organization})
	if err != nil {
		return err
	}
	for _, c := range cycles {
		if err := Rebuild(ctx, q, organization, c.ID); err != nil {
			return err
		}
		zone, err := time.LoadLocation(c.TimeZone)
		if err != nil {
			return fmt.Errorf("cycle %s: %w", c.ID, err)
		}
		p := retelling{cycle: c, zone: zone, pace: okr.NewPace(c.StartsOn, c.EndsOn), days: map[groupDay]*dayCount{}}
		for day := c.StartsOn; !day.After(c.EndsOn) && !p.end(day).After(now); day = day.AddDate(0, 0, 1) {
			p.calendar = append(p.calendar, day)
		}
		if err := p.retell(ctx, q, organization); err != nil {
			return err
		}
	}
	return nil
}

type groupDay struct {
	group uuid.UUID
	day   time.Time
}

// dayCount is a row of cycle_figures_daily.
type dayCount struct {
	objectives, restricted, pending, onTrack, atRisk, offTrack, keyResultOffTrack, outdated int32
	progress, overshoot                                                                     decimal.Decimal
}

type retelling struct {
	cycle    db.ListCyclesOfOrganizationRow
	zone     *time.Location
	pace     *okr.Pace
	calendar []time.Time
	days     map[groupDay]*dayCount
}

// end is when a day ends, which is when the next one begins.
func (p retelling) end(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, p.zone)
}

// began is when the cycle begins.
func (p retelling) began() time.Time {
	d := p.cycle.StartsOn
	return time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, p.zone)
}

func (p retelling) retell(ctx context.Context, q *db.Queries, organization uuid.UUID) error {
	for after := uuid.Nil; len(p.calendar) > 0; {
		ids, err := q.ListObjectiveIDsOfCycleAfter(ctx, db.ListObjectiveIDsOfCycleAfterParams{OrganizationID: organization, CycleID: p.cycle.ID, AfterID: after, PageSize: retold})
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			break
		}
		after = ids[len(ids)-1]
		if err := p.objectives(ctx, q, organization, ids); err != nil {
			return err
		}
	}
	rows := db.PutCycleDaysParams{OrganizationID: organization, CycleID: p.cycle.ID}
	for at, d := range p.days {
		rows.GroupIDs, rows.Days, rows.RecordedAt = append(rows.GroupIDs, at.group), append(rows.Days, at.day), append(rows.RecordedAt, p.end(at.day))
		rows.Objectives, rows.Restricted, rows.Pending = append(rows.Objectives, d.objectives), append(rows.Restricted, d.restricted), append(rows.Pending, d.pending)
		rows.OnTrack, rows.AtRisk, rows.OffTrack = append(rows.OnTrack, d.onTrack), append(rows.AtRisk, d.atRisk), append(rows.OffTrack, d.offTrack)
		rows.KeyResultOffTrack, rows.Outdated = append(rows.KeyResultOffTrack, d.keyResultOffTrack), append(rows.Outdated, d.outdated)
		rows.Progress, rows.Overshoot = append(rows.Progress, d.progress.String()), append(rows.Overshoot, d.overshoot.String())
	}
	if len(rows.Days) == 0 {
		return nil
	}
	return q.PutCycleDays(ctx, rows)
}

// objectives adds some objectives to the days.
func (p retelling) objectives(ctx context.Context, q *db.Queries, organization uuid.UUID, ids []uuid.UUID) error {
	history, err := q.ListHistoryOfObjectives(ctx, db.ListHistoryOfObjectivesParams{OrganizationID: organization, ObjectiveIDs: ids})
	if err != nil {
		return err
	}
	checkIns, err := q.ListCheckInsOfObjectives(ctx, db.ListCheckInsOfObjectivesParams{OrganizationID: organization, ObjectiveIDs: ids})
	if err != nil {
		return err
	}
	said := map[uuid.UUID][]okr.CheckIn{}
	for _, i := range checkIns {
		said[i.KeyResultID] = append(said[i.KeyResultID], okr.CheckIn{ID: i.ID, Corrects: i.CorrectsID, At: i.CreatedAt, Value: i.Value, Done: i.DoneStepIDs})
	}
	for i := 0; i < len(history); {
		from := i
		var contents []db.ObjectiveContent
		for ; i < len(history) && history[i].ObjectiveID == history[from].ObjectiveID; i++ {
			var c db.ObjectiveContent
			if err := json.Unmarshal(history[i].Content, &c); err != nil {
				return fmt.Errorf("revision %d of objective %s: %w", history[i].Revision, history[i].ObjectiveID, err)
			}
			contents = append(contents, c)
		}
		p.objective(history[from:i], contents, said)
	}
	return nil
}

func (p retelling) objective(history []db.ListHistoryOfObjectivesRow, contents []db.ObjectiveContent, said map[uuid.UUID][]okr.CheckIn) {
	revision := -1
	for _, day := range p.calendar {
		end := p.end(day)
		for revision+1 < len(history) && !history[revision+1].ChangedAt.After(end) {
			revision++
		}
		if revision < 0 {
			continue
		}
		c := contents[revision]
		if !c.State.Counts() || c.Archived || c.CycleID != p.cycle.ID {
			continue
		}
		was := p.stood(c, history[revision].ChangedAt, day, end, said)
		groups := []uuid.UUID{uuid.Nil, uuid.Max}
		if c.TeamID != nil {
			groups[0] = *c.TeamID
		}
		for _, group := range groups {
			at := groupDay{group, day}
			if p.days[at] == nil {
				p.days[at] = new(dayCount)
			}
			p.days[at].add(was)
		}
	}
}

// stood is what one objective added at the end of a day.
func (p retelling) stood(c db.ObjectiveContent, changedAt, day, end time.Time, said map[uuid.UUID][]okr.CheckIn) (d dayCount) {
	var standings []okr.Standing
	var last *time.Time
	for _, k := range c.KeyResults {
		definition := okr.KeyResult{Kind: k.Kind, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight}
		for _, s := range k.Steps {
			definition.Steps = append(definition.Steps, okr.Step{ID: s.ID, Weight: s.Weight})
		}
		var known []okr.CheckIn
		for _, i := range said[k.ID] {
			if !i.At.After(end) {
				known = append(known, i)
			}
		}
		s := okr.Standing{Weight: k.Weight, Pending: true}
		if current, ok := okr.Current(known); ok {
			s.Pending, s.Progress = false, definition.Progress(current.Value, current.Done)
			if last == nil || current.StandsAt.After(*last) {
				last = &current.StandsAt
			}
		}
		standings = append(standings, s)
	}
	total, elapsed := okr.RollUp(standings), p.pace.Elapsed(p.pace.Day(day))
	d = dayCount{objectives: 1, progress: total.Progress, overshoot: total.Overshoot}
	if c.Visibility != okr.VisibleToOrganization {
		d.restricted = 1
	}
	switch okr.HealthOf(total.Progress, elapsed, total.Pending || total.Empty) {
	case okr.HealthPending:
		d.pending = 1
	case okr.HealthOnTrack:
		d.onTrack = 1
	case okr.HealthAtRisk:
		d.atRisk = 1
	case okr.HealthOffTrack:
		d.offTrack = 1
	}
	if okr.AnyOffTrack(standings, elapsed) {
		d.keyResultOffTrack = 1
	}
	began := p.began()
	if changedAt.After(began) {
		began = changedAt
	}
	if c.State == okr.ObjectiveApproved && okr.Outdated(last, began, p.cycle.Cadence, end.Add(-time.Second), p.zone) {
		d.outdated = 1
	}
	return d
}

func (d *dayCount) add(o dayCount) {
	d.objectives, d.restricted, d.pending = d.objectives+o.objectives, d.restricted+o.restricted, d.pending+o.pending
	d.onTrack, d.atRisk, d.offTrack = d.onTrack+o.onTrack, d.atRisk+o.atRisk, d.offTrack+o.offTrack
	d.keyResultOffTrack, d.outdated = d.keyResultOffTrack+o.keyResultOffTrack, d.outdated+o.outdated
	d.progress, d.overshoot = d.progress.Add(o.progress), d.overshoot.Add(o.overshoot)
}
