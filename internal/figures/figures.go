// Package figures keeps what teams, cycles and the organisation come to, so that reading it costs the same however many objectives there are.
//
// What one objective adds is a row that is computed by internal/okr from what it is at that moment; the difference to what it added before is appended to the sums, in the same
// transaction. Nothing is ever counted up from an event, so events may come late, twice or out of order, and appended rows wait for nobody.
//
// A group is a team, by its id; the nil UUID is the objectives of a cycle that belong to no team, and the greatest UUID all objectives of the cycle.
package figures

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/outbox"
)

// Rules is the number of the rules by which figures are computed. Whoever changes what comes out of the same objectives raises it, and every cycle is computed anew.
const Rules int32 = 1

const (
	// RebuildKind is the kind of the outbox's events, with a cycle as target, that compute its figures anew, a chunk of it in each.
	RebuildKind = "figures.rebuild"
	// ParentKind is the kind of the events, with an objective without key results as target, that compute it anew because something that contributes to it has changed.
	ParentKind = "figures.parent"
	// chunk is how many objectives one transaction computes anew.
	chunk = 500
	// always is the number of the day of what does not depend on days.
	always = -1
	// gathered is how many changes are gathered at once: more than come between two times that it is done.
	gathered = 200
)

// Fold returns what keeps figures up to date with changes of objectives, check-ins and cycles.
func Fold() outbox.Fold {
	return func(ctx context.Context, q *db.Queries, e outbox.Event) error {
		subject, _, _ := strings.Cut(e.Kind, ".")
		switch {
		case e.Kind == RebuildKind:
			return rebuildChunk(ctx, q, e.Organization, e.Target)
		case subject == "objective" || e.Kind == ParentKind:
			return follow(ctx, q, e, e.Target)
		case subject == "check_in":
			objective, err := q.GetObjectiveOfKeyResult(ctx, db.GetObjectiveOfKeyResultParams{OrganizationID: e.Organization, ID: e.Target})
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			return follow(ctx, q, e, objective)
		case subject == "cycle" || subject == "organization":
			return Refresh(ctx, q, e.Organization)
		}
		return nil
	}
}

// follow computes one objective anew, and gathers what was appended to its cycle's sums, with one event in sixteen: an event's id ends in random bits.
func follow(ctx context.Context, q *db.Queries, e outbox.Event, objective uuid.UUID) error {
	cycles, err := Compute(ctx, q, e.Organization, objective)
	if err != nil {
		return err
	}
	for _, cycle := range cycles {
		_, err := q.GetCycleFigures(ctx, db.GetCycleFiguresParams{OrganizationID: e.Organization, CycleID: cycle})
		if errors.Is(err, pgx.ErrNoRows) { // nobody has computed the cycle yet
			err = begin(ctx, q, e.Organization, &cycle)
		}
		if err != nil {
			return err
		}
		if e.ID[15]&15 == 0 {
			if err := gather(ctx, q, e.Organization, cycle); err != nil {
				return err
			}
		}
	}
	return nil
}

// gather makes a cycle's sums shorter, unless somebody else is at them.
func gather(ctx context.Context, q *db.Queries, organization, cycle uuid.UUID) error {
	_, err := q.TryLockCycleFigures(ctx, db.TryLockCycleFiguresParams{OrganizationID: organization, CycleID: cycle})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = q.GatherFigureCounts(ctx, db.GatherFigureCountsParams{OrganizationID: organization, CycleID: cycle, Most: gathered})
	return err
}

// Refresh has the figures of those cycles computed anew whose dates, or whose organisation's time zone or cadence, are others than they were computed with, and of those that were computed by older rules.
func Refresh(ctx context.Context, q *db.Queries, organization uuid.UUID) error {
	return begin(ctx, q, organization, nil)
}

func begin(ctx context.Context, q *db.Queries, organization uuid.UUID, cycle *uuid.UUID) error {
	cycles, err := q.BeginCycleFigures(ctx, db.BeginCycleFiguresParams{OrganizationID: organization, Rules: Rules, CycleID: cycle})
	if err != nil {
		return err
	}
	for _, c := range cycles {
		if err := outbox.Enqueue(ctx, q, organization, RebuildKind, c, nil); err != nil {
			return err
		}
	}
	return nil
}

// rebuildChunk takes the computing of a cycle further, and has the outbox go on with it.
func rebuildChunk(ctx context.Context, q *db.Queries, organization, cycle uuid.UUID) error {
	sums := counts{}
	more, err := step(ctx, q, organization, cycle, sums)
	if err != nil {
		return err
	}
	if err := sums.append(ctx, q, organization); err != nil {
		return err
	}
	if !more {
		return gather(ctx, q, organization, cycle)
	}
	return outbox.Enqueue(ctx, q, organization, RebuildKind, cycle, nil)
}

func step(ctx context.Context, q *db.Queries, organization, cycle uuid.UUID, sums counts) (more bool, err error) {
	row, err := q.LockCycleFigures(ctx, db.LockCycleFiguresParams{OrganizationID: organization, CycleID: cycle})
	if errors.Is(err, pgx.ErrNoRows) || err == nil && row.RebuildingAfter == nil {
		return false, nil // done, by another event
	}
	if err != nil {
		return false, err
	}
	ids, err := q.ListObjectiveIDsOfCycleAfter(ctx, db.ListObjectiveIDsOfCycleAfterParams{OrganizationID: organization, CycleID: cycle, AfterID: *row.RebuildingAfter, PageSize: chunk})
	if err != nil {
		return false, err
	}
	if len(ids) > 0 {
		if _, err := compute(ctx, q, organization, ids, sums); err != nil {
			return false, err
		}
	}
	advance := db.AdvanceCycleFiguresParams{OrganizationID: organization, CycleID: cycle}
	if len(ids) == chunk {
		advance.RebuildingAfter = &ids[chunk-1]
	}
	return advance.RebuildingAfter != nil, q.AdvanceCycleFigures(ctx, advance)
}

// Rebuild computes the figures of a cycle anew, from one end to the other, in the transaction it is given.
func Rebuild(ctx context.Context, q *db.Queries, organization, cycle uuid.UUID) error {
	if _, err := q.BeginCycleFigures(ctx, db.BeginCycleFiguresParams{OrganizationID: organization, Rules: Rules, CycleID: &cycle}); err != nil {
		return err
	}
	sums := counts{}
	for more := true; more; {
		var err error
		if more, err = step(ctx, q, organization, cycle, sums); err != nil {
			return err
		}
	}
	if err := sums.append(ctx, q, organization); err != nil {
		return err
	}
	return gather(ctx, q, organization, cycle)
}

// Mend is Rebuild, after which the sums are what objectives add, too. It returns how many rows were wrong or, since the outbox had not come to them yet, behind.
func Mend(ctx context.Context, q *db.Queries, organization, cycle uuid.UUID) (int, error) {
	began, err := q.GetServerTime(ctx)
	if err != nil {
		return 0, err
	}
	if err := Rebuild(ctx, q, organization, cycle); err != nil {
		return 0, err
	}
	sums, err := q.MendFigureCounts(ctx, db.MendFigureCountsParams{OrganizationID: organization, CycleID: cycle, ID: db.NewID()})
	if err != nil {
		return 0, err
	}
	objectives, err := q.CountFiguresComputedSince(ctx, db.CountFiguresComputedSinceParams{OrganizationID: organization, CycleID: cycle, Since: began})
	return int(sums) + int(objectives), err
}

// Compute computes what objectives, at most 1000, add, and returns the cycles they are or were in.
func Compute(ctx context.Context, q *db.Queries, organization uuid.UUID, objectives ...uuid.UUID) (cycles []uuid.UUID, err error) {
	sums := counts{}
	if cycles, err = compute(ctx, q, organization, objectives, sums); err != nil {
		return nil, err
	}
	return cycles, sums.append(ctx, q, organization)
}

// compute writes what objectives add, and has sums know by how much that is more than before.
func compute(ctx context.Context, q *db.Queries, organization uuid.UUID, objectives []uuid.UUID, sums counts) (cycles []uuid.UUID, err error) {
	if err := q.PlaceObjectiveFigures(ctx, db.PlaceObjectiveFiguresParams{OrganizationID: organization, ObjectiveIDs: objectives}); err != nil {
		return nil, err
	}
	before, err := q.LockObjectiveFigures(ctx, db.LockObjectiveFiguresParams{OrganizationID: organization, ObjectiveIDs: objectives})
	if err != nil || len(before) == 0 {
		return nil, err
	}
	after, err := present(ctx, q, organization, objectives)
	if err != nil {
		return nil, err
	}
	written, parents := db.WriteObjectiveFiguresParams{OrganizationID: organization}, set{}
	for _, old := range before {
		is, ok := after[old.ObjectiveID]
		if !ok {
			continue
		}
		cycles = append(cycles, old.CycleID, is.CycleID)
		if same(old, is) {
			continue
		}
		sums.add(old, -1)
		sums.add(is, 1)
		write(&written, is)
		if told(old, is) {
			parents.add(old.ParentID)
			parents.add(is.ParentID)
		}
	}
	slices.SortFunc(cycles, compareIDs)
	cycles = slices.Compact(cycles)
	if len(written.ObjectiveIDs) == 0 {
		return cycles, nil
	}
	if err := q.WriteObjectiveFigures(ctx, written); err != nil {
		return nil, err
	}
	return cycles, tellParents(ctx, q, organization, parents)
}

// set is of objectives.
type set map[uuid.UUID]struct{}

func (s set) add(id *uuid.UUID) {
	if id != nil {
		s[*id] = struct{}{}
	}
}

// told reports whether what an objective adds to the mean of a parent's children has changed, or the parent has.
func told(a, b db.ObjectiveFigure) bool {
	return !sameID(a.ParentID, b.ParentID) || a.Counted != b.Counted || b.Counted && (a.Restricted != b.Restricted || a.Pending != b.Pending || !a.Progress.Equal(b.Progress) || !a.Overshoot.Equal(b.Overshoot))
}

// tellParents has those of parents computed anew whose numbers are those of their children. Each is an event of its own, and so is the step from there to its own parent: a transaction that held what contributes to an
// objective and asked for the objective, too, could wait for another that had them in a chunk the other way round.
func tellParents(ctx context.Context, q *db.Queries, organization uuid.UUID, parents set) error {
	if len(parents) == 0 {
		return nil
	}
	ids := slices.SortedFunc(maps.Keys(parents), compareIDs)
	without, err := q.ListWithoutKeyResults(ctx, db.ListWithoutKeyResultsParams{OrganizationID: organization, ObjectiveIDs: ids})
	if err != nil {
		return err
	}
	for _, parent := range without {
		if err := outbox.Enqueue(ctx, q, organization, ParentKind, parent, nil); err != nil {
			return err
		}
	}
	return nil
}

// present reads objectives and says what each of them adds now.
func present(ctx context.Context, q *db.Queries, organization uuid.UUID, objectives []uuid.UUID) (map[uuid.UUID]db.ObjectiveFigure, error) {
	rows, err := q.ListObjectivesForFigures(ctx, db.ListObjectivesForFiguresParams{OrganizationID: organization, ObjectiveIDs: objectives})
	if err != nil {
		return nil, err
	}
	parts, err := keyResults(ctx, q, organization, objectives)
	if err != nil {
		return nil, err
	}
	children, err := childrenOf(ctx, q, organization, rows, parts)
	if err != nil {
		return nil, err
	}
	paces := map[uuid.UUID]*okr.Pace{}
	all := make(map[uuid.UUID]db.ObjectiveFigure, len(rows))
	for _, o := range rows {
		if paces[o.CycleID] == nil {
			paces[o.CycleID] = okr.NewPace(o.StartsOn, o.EndsOn)
		}
		all[o.ID] = adds(o, parts[o.ID], children[o.ID], paces[o.CycleID])
	}
	return all, nil
}

// childrenOf reads what those of objectives come to by their children that have no key result that counts.
func childrenOf(ctx context.Context, q *db.Queries, organization uuid.UUID, objectives []db.ListObjectivesForFiguresRow, parts map[uuid.UUID][]part) (map[uuid.UUID]db.SumChildrenFiguresRow, error) {
	var without []uuid.UUID
	for _, o := range objectives {
		if !slices.ContainsFunc(parts[o.ID], func(p part) bool { return !p.definition.Archived }) {
			without = append(without, o.ID)
		}
	}
	if len(without) == 0 {
		return nil, nil
	}
	rows, err := q.SumChildrenFigures(ctx, db.SumChildrenFiguresParams{OrganizationID: organization, ObjectiveIDs: without})
	if err != nil {
		return nil, err
	}
	all := make(map[uuid.UUID]db.SumChildrenFiguresRow, len(rows))
	for _, r := range rows {
		all[r.ID] = r
	}
	return all, nil
}

// part is a key result as figures see it.
type part struct {
	definition okr.KeyResult
	current    db.ListKeyResultsForFiguresRow
}

func keyResults(ctx context.Context, q *db.Queries, organization uuid.UUID, objectives []uuid.UUID) (map[uuid.UUID][]part, error) {
	rows, err := q.ListKeyResultsForFigures(ctx, db.ListKeyResultsForFiguresParams{OrganizationID: organization, ObjectiveIDs: objectives})
	if err != nil {
		return nil, err
	}
	var milestones []uuid.UUID
	for _, k := range rows {
		if k.Kind == okr.Milestone {
			milestones = append(milestones, k.ID)
		}
	}
	steps := map[uuid.UUID][]okr.Step{}
	if len(milestones) > 0 {
		all, err := q.ListStepsForFigures(ctx, db.ListStepsForFiguresParams{OrganizationID: organization, KeyResultIDs: milestones})
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			steps[s.KeyResultID] = append(steps[s.KeyResultID], okr.Step{ID: s.ID, Weight: s.Weight})
		}
	}
	parts := map[uuid.UUID][]part{}
	for _, k := range rows {
		parts[k.ObjectiveID] = append(parts[k.ObjectiveID], part{current: k, definition: okr.KeyResult{Kind: k.Kind, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch,
			AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight, Archived: k.ArchivedAt != nil, Steps: steps[k.ID]}})
	}
	return parts, nil
}

// adds is what an objective adds, by the rules of internal/okr. One that does not count has its progress all the same.
func adds(o db.ListObjectivesForFiguresRow, parts []part, children db.SumChildrenFiguresRow, pace *okr.Pace) db.ObjectiveFigure {
	f := db.ObjectiveFigure{ObjectiveID: o.ID, CycleID: o.CycleID, GroupID: uuid.Nil, Counted: o.State.Counts() && !o.Archived, Restricted: o.Visibility != okr.VisibleToOrganization,
		ParentID: o.ParentObjectiveID, Children: children.Children, ChildrenRestricted: children.Restricted}
	if o.TeamID != nil {
		f.GroupID = *o.TeamID
	}
	var standings []okr.Standing
	var last *time.Time
	for _, p := range parts {
		pending := p.current.CurrentCheckInID == nil
		s := okr.Standing{Weight: p.definition.Weight, Pending: pending, Archived: p.definition.Archived}
		if !pending {
			s.Progress = p.definition.Progress(p.current.CurrentValue, p.current.CurrentDoneSteps)
		}
		standings = append(standings, s)
		if s.Archived || pending {
			continue
		}
		if p.current.CurrentAt != nil && (last == nil || p.current.CurrentAt.After(*last)) {
			last = p.current.CurrentAt
		}
		if day, comes := pace.GoesOffTrack(s.Progress); comes && (f.KeyResultsUntil == nil || int32(day) < *f.KeyResultsUntil) { //nolint:gosec // a day of a cycle
			f.KeyResultsUntil = dayOf(day, comes)
		}
	}
	total := okr.RollUp(standings)
	if f.Children > 0 {
		total = okr.Sums{Objectives: int(children.Children), Pending: int(children.Pending), Progress: children.Progress, Overshoot: children.Overshoot}.Mean(false)
	}
	f.Progress, f.Overshoot, f.Pending = total.Progress, total.Overshoot, total.Pending || total.Empty
	if !f.Counted {
		f.KeyResultsUntil = nil
		return f
	}
	if !f.Pending {
		f.OnTrackUntil, f.AtRiskUntil = dayOf(pace.LeavesOnTrack(total.Progress)), dayOf(pace.GoesOffTrack(total.Progress))
	}
	if o.State == okr.ObjectiveApproved {
		zone, err := time.LoadLocation(o.TimeZone)
		if err != nil {
			zone = time.UTC // as where requests are answered
		}
		began := time.Date(o.StartsOn.Year(), o.StartsOn.Month(), o.StartsOn.Day(), 0, 0, 0, 0, zone)
		if o.ChangedAt.After(began) {
			began = o.ChangedAt
		}
		f.OutdatedFrom = dayOf(max(pace.Day(okr.OutdatedFrom(last, began, o.Cadence, zone)), 0), true)
	}
	return f
}

func dayOf(day int, comes bool) *int32 {
	if !comes {
		return nil
	}
	d := int32(day) //nolint:gosec // no cycle has so many days
	return &d
}

func same(a, b db.ObjectiveFigure) bool {
	return a.CycleID == b.CycleID && a.GroupID == b.GroupID && a.Counted == b.Counted && a.Restricted == b.Restricted && a.Pending == b.Pending && a.Progress.Equal(b.Progress) &&
		a.Overshoot.Equal(b.Overshoot) && sameDay(a.OnTrackUntil, b.OnTrackUntil) && sameDay(a.AtRiskUntil, b.AtRiskUntil) && sameDay(a.KeyResultsUntil, b.KeyResultsUntil) &&
		sameDay(a.OutdatedFrom, b.OutdatedFrom) && sameID(a.ParentID, b.ParentID) && a.Children == b.Children && a.ChildrenRestricted == b.ChildrenRestricted
}

func sameID(a, b *uuid.UUID) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

func sameDay(a, b *int32) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

func write(w *db.WriteObjectiveFiguresParams, f db.ObjectiveFigure) {
	w.ObjectiveIDs, w.CycleIDs, w.GroupIDs = append(w.ObjectiveIDs, f.ObjectiveID), append(w.CycleIDs, f.CycleID), append(w.GroupIDs, f.GroupID)
	w.Counted, w.Restricted, w.Pending = append(w.Counted, f.Counted), append(w.Restricted, f.Restricted), append(w.Pending, f.Pending)
	w.Progress, w.Overshoot = append(w.Progress, f.Progress.String()), append(w.Overshoot, f.Overshoot.String())
	day := func(days []int32, d *int32) []int32 {
		if d == nil {
			return append(days, -1)
		}
		return append(days, *d)
	}
	w.OnTrackUntil, w.AtRiskUntil = day(w.OnTrackUntil, f.OnTrackUntil), day(w.AtRiskUntil, f.AtRiskUntil)
	w.KeyResultsUntil, w.OutdatedFrom = day(w.KeyResultsUntil, f.KeyResultsUntil), day(w.OutdatedFrom, f.OutdatedFrom)
	parent := uuid.Nil
	if f.ParentID != nil {
		parent = *f.ParentID
	}
	w.ParentIDs, w.Children, w.ChildrenRestricted = append(w.ParentIDs, parent), append(w.Children, f.Children), append(w.ChildrenRestricted, f.ChildrenRestricted)
}

// place is a row of the sums.
type place struct {
	cycle, group uuid.UUID
	day          int32
}

// count is what is added there.
type count struct {
	objectives, restricted, pending, leftOnTrack, wentOffTrack, keyResultOffTrack, outdated int32
	progress, overshoot                                                                     decimal.Decimal
}

func (c count) nothing() bool {
	return c.progress.IsZero() && c.overshoot.IsZero() && c == (count{progress: c.progress, overshoot: c.overshoot})
}

type counts map[place]*count

func (c counts) at(cycle, group uuid.UUID, day int32) *count {
	p := place{cycle, group, day}
	if c[p] == nil {
		c[p] = new(count)
	}
	return c[p]
}

// add adds an objective, or takes it away.
func (c counts) add(f db.ObjectiveFigure, sign int32) {
	if !f.Counted {
		return
	}
	factor := decimal.NewFromInt32(sign)
	for _, group := range []uuid.UUID{f.GroupID, uuid.Max} {
		is := c.at(f.CycleID, group, always)
		is.objectives += sign
		if f.Restricted {
			is.restricted += sign
		}
		if f.Pending {
			is.pending += sign
		}
		is.progress, is.overshoot = is.progress.Add(f.Progress.Mul(factor)), is.overshoot.Add(f.Overshoot.Mul(factor))
		if f.OnTrackUntil != nil {
			c.at(f.CycleID, group, *f.OnTrackUntil).leftOnTrack += sign
		}
		if f.AtRiskUntil != nil {
			c.at(f.CycleID, group, *f.AtRiskUntil).wentOffTrack += sign
		}
		if f.KeyResultsUntil != nil {
			c.at(f.CycleID, group, *f.KeyResultsUntil).keyResultOffTrack += sign
		}
		if f.OutdatedFrom != nil {
			c.at(f.CycleID, group, *f.OutdatedFrom).outdated += sign
		}
	}
}

// append appends what has been counted.
func (c counts) append(ctx context.Context, q *db.Queries, organization uuid.UUID) error {
	added := c.rows()
	if len(added.CycleIDs) == 0 {
		return nil
	}
	added.OrganizationID, added.ID = organization, db.NewID()
	return q.AddFigureCounts(ctx, added)
}

// rows are what is to be appended, without what adds nothing.
func (c counts) rows() (a db.AddFigureCountsParams) {
	places := make([]place, 0, len(c))
	for p, is := range c {
		if !is.nothing() {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(compareIDs(a.cycle, b.cycle), compareIDs(a.group, b.group), cmp.Compare(a.day, b.day))
	})
	for _, p := range places {
		is := c[p]
		a.CycleIDs, a.GroupIDs, a.Days = append(a.CycleIDs, p.cycle), append(a.GroupIDs, p.group), append(a.Days, p.day)
		a.Objectives, a.Restricted, a.Pending = append(a.Objectives, is.objectives), append(a.Restricted, is.restricted), append(a.Pending, is.pending)
		a.LeftOnTrack, a.WentOffTrack = append(a.LeftOnTrack, is.leftOnTrack), append(a.WentOffTrack, is.wentOffTrack)
		a.KeyResultOffTrack, a.Outdated = append(a.KeyResultOffTrack, is.keyResultOffTrack), append(a.Outdated, is.outdated)
		a.Progress, a.Overshoot = append(a.Progress, is.progress.String()), append(a.Overshoot, is.overshoot.String())
	}
	return a
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
