package snapshot

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// What nobody was there to record of a population: what the days of its cycles came to, and what the feed tells of the last of them. Both are gathered while objectives are made, so that they cost
// the same whatever has been made before.

const (
	newsKept   = 2000   // entries of the feed: what pages of it show
	daysAtOnce = 20_000 // rows of days that are written together
)

// moment is from when on an objective has stood as it does.
type moment struct {
	at        time.Time
	state     okr.ObjectiveState
	approved  time.Time // or closed: when it came to its state
	standings []okr.Standing
	checkedIn *time.Time // last
}

// days gathers what those days of a cycle came to that had ended by now: for each group how it changes from one to the next.
type days struct {
	cycle    Cycle
	cadence  okr.Cadence
	zone     *time.Location
	pace     *okr.Pace
	calendar []time.Time
	ends     []time.Time
	changes  map[uuid.UUID][]dayCount // one more than there are days
}

type dayCount struct {
	objectives, restricted, pending, onTrack, atRisk, offTrack, keyResultOffTrack, outdated int32
	progress, overshoot                                                                     decimal.Decimal
}

func (c *dayCount) add(o dayCount, sign int32) {
	c.objectives, c.restricted, c.pending = c.objectives+sign*o.objectives, c.restricted+sign*o.restricted, c.pending+sign*o.pending
	c.onTrack, c.atRisk, c.offTrack = c.onTrack+sign*o.onTrack, c.atRisk+sign*o.atRisk, c.offTrack+sign*o.offTrack
	c.keyResultOffTrack, c.outdated = c.keyResultOffTrack+sign*o.keyResultOffTrack, c.outdated+sign*o.outdated
	if sign < 0 {
		c.progress, c.overshoot = c.progress.Sub(o.progress), c.overshoot.Sub(o.overshoot)
	} else {
		c.progress, c.overshoot = c.progress.Add(o.progress), c.overshoot.Add(o.overshoot)
	}
}

func newDays(c Cycle, o Organization, now time.Time) (*days, error) {
	zone, err := time.LoadLocation(o.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	d := &days{cycle: c, cadence: o.Cadence, zone: zone, pace: okr.NewPace(c.StartsOn, c.EndsOn), changes: map[uuid.UUID][]dayCount{}}
	for day := c.StartsOn; !day.After(c.EndsOn); day = day.AddDate(0, 0, 1) {
		end := time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, zone)
		if end.After(now) {
			break
		}
		d.calendar, d.ends = append(d.calendar, day), append(d.ends, end)
	}
	return d, nil
}

// add adds an objective that counts from its first moment on. A day knows what came before it ended.
func (d *days) add(o *Objective, moments []moment) {
	groups := [2]uuid.UUID{uuid.Nil, uuid.Max}
	if o.TeamID != nil {
		groups[0] = *o.TeamID
	}
	first := func(at time.Time) int {
		return sort.Search(len(d.ends), func(i int) bool { return !d.ends[i].Before(at) })
	}
	for i, m := range moments {
		from, to := first(m.at), len(d.ends)
		if i+1 < len(moments) {
			to = first(moments[i+1].at)
		}
		if from >= to {
			continue
		}
		for _, group := range groups {
			if d.changes[group] == nil {
				d.changes[group] = make([]dayCount, len(d.ends)+1)
			}
		}
		over := func(from, to int, c dayCount) {
			if from >= to {
				return
			}
			for _, group := range groups {
				d.changes[group][from].add(c, 1)
				d.changes[group][to].add(c, -1)
			}
		}
		d.stands(o, m, from, to, over)
	}
}

// stands says over which of the days from one to another, that one left out, an objective that stands so adds what.
func (d *days) stands(o *Objective, m moment, from, to int, over func(from, to int, c dayCount)) {
	within := func(day int, comes bool) int {
		if !comes {
			return to
		}
		return min(max(day, from), to)
	}
	total := okr.RollUp(m.standings)
	c := dayCount{objectives: 1, progress: total.Progress, overshoot: total.Overshoot}
	if o.Visibility != okr.VisibleToOrganization {
		c.restricted = 1
	}
	over(from, to, c)
	if total.Pending || total.Empty {
		over(from, to, dayCount{pending: 1})
	} else {
		leaves, goes := within(d.pace.LeavesOnTrack(total.Progress)), within(d.pace.GoesOffTrack(total.Progress))
		over(from, leaves, dayCount{onTrack: 1})
		over(leaves, goes, dayCount{atRisk: 1})
		over(goes, to, dayCount{offTrack: 1})
	}
	behind := to
	for _, s := range m.standings {
		if !s.Pending {
			behind = min(behind, within(d.pace.GoesOffTrack(s.Progress)))
		}
	}
	over(behind, to, dayCount{keyResultOffTrack: 1})
	if m.state != okr.ObjectiveApproved {
		return
	}
	starts := d.cycle.StartsOn
	began := time.Date(starts.Year(), starts.Month(), starts.Day(), 0, 0, 0, 0, d.zone)
	if m.approved.After(began) {
		began = m.approved
	}
	over(within(d.pace.Day(okr.OutdatedFrom(m.checkedIn, began, d.cadence, d.zone)), true), to, dayCount{outdated: 1})
}

// cycleDay is a row of cycle_figures_daily.
type cycleDay struct {
	OrganizationID    uuid.UUID       `json:"organization_id"`
	CycleID           uuid.UUID       `json:"cycle_id"`
	GroupID           uuid.UUID       `json:"group_id"`
	Day               time.Time       `json:"day"`
	Objectives        int32           `json:"objectives"`
	Restricted        int32           `json:"restricted"`
	Pending           int32           `json:"pending"`
	OnTrack           int32           `json:"on_track"`
	AtRisk            int32           `json:"at_risk"`
	OffTrack          int32           `json:"off_track"`
	KeyResultOffTrack int32           `json:"key_result_off_track"`
	Outdated          int32           `json:"outdated"`
	Progress          decimal.Decimal `json:"progress"`
	Overshoot         decimal.Decimal `json:"overshoot"`
	RecordedAt        time.Time       `json:"recorded_at"`
}

// write writes the days as they would have been recorded when they ended.
func (d *days) write(ctx context.Context, tx pgx.Tx) error {
	var rows []cycleDay
	put := func() error {
		if err := db.PlanAnew(ctx, db.New(tx)); err != nil {
			return err
		}
		err := copyRows(ctx, tx, "cycle_figures_daily", rows)
		rows = rows[:0]
		return err
	}
	for group, changes := range d.changes {
		var c dayCount
		for i, day := range d.calendar {
			if c.add(changes[i], 1); c.objectives == 0 {
				continue
			}
			rows = append(rows, cycleDay{OrganizationID: d.cycle.OrganizationID, CycleID: d.cycle.ID, GroupID: group, Day: day, Objectives: c.objectives, Restricted: c.restricted, Pending: c.pending,
				OnTrack: c.onTrack, AtRisk: c.atRisk, OffTrack: c.offTrack, KeyResultOffTrack: c.keyResultOffTrack, Outdated: c.outdated, Progress: c.progress, Overshoot: c.overshoot, RecordedAt: d.ends[i]})
		}
		if len(rows) >= daysAtOnce {
			if err := put(); err != nil {
				return err
			}
		}
	}
	return put()
}

// news is what happened to an objective.
type news struct {
	event     AuditEvent
	objective uuid.UUID
	detail    map[string]any // of the feed
	recorded  bool           // the audit has it already
}

// tell keeps news as long as they are among the newest.
func (p *population) tell(at time.Time, what func() news) {
	if at.Before(p.oldest) {
		return
	}
	p.news = append(p.news, what())
	if len(p.news) >= 2*newsKept {
		p.oldNewsOut()
		p.oldest = p.news[newsKept-1].event.HappenedAt
	}
}

func (p *population) oldNewsOut() {
	slices.SortStableFunc(p.news, func(a, b news) int {
		return cmp.Or(b.event.HappenedAt.Compare(a.event.HappenedAt), slices.Compare(b.event.ID[:], a.event.ID[:]))
	})
	p.news = p.news[:min(len(p.news), newsKept)]
}

// feedEntry is a row of feed_entries.
type feedEntry struct {
	OrganizationID uuid.UUID       `json:"organization_id"`
	ID             uuid.UUID       `json:"id"`
	ObjectiveID    uuid.UUID       `json:"objective_id"`
	Action         string          `json:"action"`
	ActorID        *uuid.UUID      `json:"actor_id"`
	Detail         json.RawMessage `json:"detail"`
	HappenedAt     time.Time       `json:"happened_at"`
}

// writePast writes the days that had ended, and the newest of what happened as the outbox would have taken it over.
func (p *population) writePast(ctx context.Context, tx pgx.Tx) error {
	for _, d := range p.days {
		if err := d.write(ctx, tx); err != nil {
			return err
		}
	}
	p.oldNewsOut()
	var events []AuditEvent
	var entries []feedEntry
	for _, n := range p.news {
		detail, err := json.Marshal(n.detail)
		if err != nil {
			return err
		}
		if !n.recorded {
			events = append(events, n.event)
		}
		entries = append(entries, feedEntry{OrganizationID: n.event.OrganizationID, ID: n.event.ID, ObjectiveID: n.objective, Action: n.event.Action, ActorID: n.event.ActorID, Detail: detail, HappenedAt: n.event.HappenedAt})
	}
	if err := db.PlanAnew(ctx, db.New(tx)); err != nil {
		return err
	}
	if err := copyRows(ctx, tx, "audit_events", events); err != nil {
		return err
	}
	return copyRows(ctx, tx, "feed_entries", entries)
}

// idAt is the id of an event that happened at a time: the audit and the feed are in the order of their ids.
func idAt(at time.Time) uuid.UUID {
	id := db.NewID()
	var since [8]byte
	binary.BigEndian.PutUint64(since[:], uint64(at.UnixMilli())<<16)
	copy(id[:6], since[:6])
	return id
}
