package api

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// objectiveRows is what one objective's answer is made from.
type objectiveRows struct {
	objective  db.Objective
	cycle      db.Cycle
	keyResults []keyResultRows // in their order, archived ones too
	names      map[uuid.UUID]string

	parentHidden bool // the parent is one that the actor may not see

	mean *childrenMean // where it has no key result that counts, and something that counts contributes to it
}

// childrenMean is what an objective comes to by what contributes to it, as it was computed last: a moment after the last change, like the numbers of groups.
type childrenMean struct {
	total    okr.Total
	children *int32 // nil where the number is withheld
}

type keyResultRows struct {
	db.KeyResult
	steps []db.MilestoneStep
}

// visibleObjective reads one objective that the actor may see. The error is pgx.ErrNoRows for one they may not.
func visibleObjective(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.GetVisibleObjectiveRow, error) {
	return q.GetVisibleObjective(ctx, db.GetVisibleObjectiveParams{OrganizationID: a.OrganizationID, ID: id, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
}

// withKeyResults reads what belongs to objectives that the actor was found to see: one statement, however many there are.
func withKeyResults(ctx context.Context, q *db.Queries, a actor, objectives []db.GetVisibleObjectiveRow) ([]objectiveRows, error) {
	if len(objectives) == 0 {
		return []objectiveRows{}, nil
	}
	ids := make([]uuid.UUID, len(objectives))
	for i, o := range objectives {
		ids[i] = o.Objective.ID
	}
	rows, err := q.ListKeyResultsOfObjectives(ctx, db.ListKeyResultsOfObjectivesParams{OrganizationID: a.OrganizationID, ObjectiveIDs: ids})
	if err != nil {
		return nil, err
	}
	all := make([]objectiveRows, len(objectives))
	index := make(map[uuid.UUID]*objectiveRows, len(objectives))
	for i, o := range objectives {
		all[i] = newObjectiveRows(o)
		index[o.Objective.ID] = &all[i]
	}
	for i := range rows {
		index[rows[i].KeyResult.ObjectiveID].add((*db.ListKeyResultsOfObjectiveRow)(&rows[i]))
	}
	return all, withChildrenMeans(ctx, q, a, all)
}

// withChildrenMeans reads what those of objectives come to that have no key result that counts. Where none is such, it asks nothing.
func withChildrenMeans(ctx context.Context, q *db.Queries, a actor, objectives []objectiveRows) error {
	without := map[uuid.UUID]*objectiveRows{}
	for i, o := range objectives {
		if !slices.ContainsFunc(o.keyResults, func(k keyResultRows) bool { return k.ArchivedAt == nil }) {
			without[o.objective.ID] = &objectives[i]
		}
	}
	if len(without) == 0 {
		return nil
	}
	rows, err := q.ListChildrenMeans(ctx, db.ListChildrenMeansParams{OrganizationID: a.OrganizationID, ObjectiveIDs: slices.Collect(maps.Keys(without)), ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
	if err != nil {
		return err
	}
	for _, r := range rows {
		m := childrenMean{children: &r.Children, total: okr.Total{Progress: r.Progress, Overshoot: r.Overshoot, Pending: r.Pending}}
		if r.Hidden && okr.SmallGroup(int(r.Children)) {
			m = childrenMean{total: okr.Total{Withheld: true}}
		}
		without[r.ObjectiveID].mean = &m
	}
	return nil
}

// withItsKeyResults is withKeyResults for one.
func withItsKeyResults(ctx context.Context, q *db.Queries, a actor, row db.GetVisibleObjectiveRow) (objectiveRows, error) {
	rows, err := q.ListKeyResultsOfObjective(ctx, db.ListKeyResultsOfObjectiveParams{OrganizationID: a.OrganizationID, ObjectiveID: row.Objective.ID})
	if err != nil {
		return objectiveRows{}, err
	}
	o := newObjectiveRows(row)
	for i := range rows {
		o.add(&rows[i])
	}
	one := []objectiveRows{o}
	err = withChildrenMeans(ctx, q, a, one)
	return one[0], err
}

func newObjectiveRows(row db.GetVisibleObjectiveRow) objectiveRows {
	return objectiveRows{objective: row.Objective, cycle: row.Cycle, parentHidden: row.ParentHidden,
		names: map[uuid.UUID]string{row.Objective.OwnerID: row.OwnerName, row.Objective.ChangedBy: row.ChangedByName}}
}

// add takes in a key result, or a further step of the last one.
func (o *objectiveRows) add(row *db.ListKeyResultsOfObjectiveRow) {
	last := len(o.keyResults) - 1
	if last < 0 || o.keyResults[last].ID != row.KeyResult.ID {
		o.keyResults = append(o.keyResults, keyResultRows{KeyResult: row.KeyResult})
		last++
		if row.KeyResult.OwnerID != nil && row.OwnerName != nil {
			o.names[*row.KeyResult.OwnerID] = *row.OwnerName
		}
	}
	if row.StepID != nil && row.StepTitle != nil && row.StepWeight != nil {
		k := &o.keyResults[last]
		k.steps = append(k.steps, db.MilestoneStep{OrganizationID: k.OrganizationID, ID: *row.StepID, KeyResultID: k.ID, Position: int32(len(k.steps)), //nolint:gosec // at most 50
			Title: *row.StepTitle, Weight: *row.StepWeight})
	}
}

// wholeObjective reads everything of one objective that the actor may see.
func wholeObjective(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (objectiveRows, error) {
	row, err := visibleObjective(ctx, q, a, id)
	if err != nil {
		return objectiveRows{}, err
	}
	return withItsKeyResults(ctx, q, a, row)
}

// definition is the key result as the domain's rules see it.
func (k keyResultRows) definition() okr.KeyResult {
	steps := make([]okr.Step, 0, len(k.steps))
	for _, step := range k.steps {
		steps = append(steps, okr.Step{ID: step.ID, Weight: step.Weight})
	}
	return okr.KeyResult{Kind: k.Kind, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost,
		Tolerance: k.Tolerance, Steps: steps, Weight: k.Weight, Archived: k.ArchivedAt != nil}
}

func (k keyResultRows) pending() bool { return k.CurrentCheckInID == nil }

// progress is where the key result stands by its definition of now: a check-in says what was measured, not what it means.
func (k keyResultRows) progress() decimal.Decimal {
	if k.pending() {
		return decimal.Zero
	}
	return k.definition().Progress(k.CurrentValue, k.CurrentDoneSteps)
}

// standing is what a whole objective's numbers come to at this moment.
type standing struct {
	total       okr.Total
	health      okr.Health
	anyOffTrack bool
	outdated    bool
	counted     int // key results that count
}

func (o objectiveRows) standing(a actor) standing {
	var standings []okr.Standing
	var last *time.Time
	counted := 0
	for _, k := range o.keyResults {
		standings = append(standings, okr.Standing{Progress: k.progress(), Weight: k.Weight, Pending: k.pending(), Archived: k.ArchivedAt != nil})
		if k.ArchivedAt != nil {
			continue
		}
		counted++
		if k.CurrentAt != nil && (last == nil || k.CurrentAt.After(*last)) {
			last = k.CurrentAt
		}
	}
	zone := a.zone()
	total := okr.RollUp(standings)
	if o.mean != nil {
		total = o.mean.total
	}
	elapsed := okr.Elapsed(o.cycle.StartsOn, o.cycle.EndsOn, okr.Today(a.Now, zone))
	began := midnight(o.cycle.StartsOn, zone)
	if o.objective.ChangedAt.After(began) && last == nil {
		began = o.objective.ChangedAt // the latest change of an approved objective is its approval, or came after it
	}
	live := o.objective.State == okr.ObjectiveApproved && o.objective.ArchivedAt == nil && o.cycle.State == okr.CycleActive
	return standing{total: total, health: okr.HealthOf(total.Progress, elapsed, total.Pending || total.Empty || total.Withheld),
		anyOffTrack: okr.AnyOffTrack(standings, elapsed), counted: counted,
		outdated: live && okr.Outdated(last, began, a.Cadence, a.Now, zone)}
}

// midnight is when a calendar day begins in a zone.
func midnight(day time.Time, zone *time.Location) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
}

func progressView(t okr.Total) Progress {
	return Progress{Value: t.Progress, Percent: okr.PercentRollUp(t.Progress), Pending: t.Pending, Empty: t.Empty, Overshoot: t.Overshoot, Withheld: orNone(t.Withheld)}
}

// progress is the objective's, and says what it is the mean of if it is that of what contributes to it.
func (o objectiveRows) progress(s standing) Progress {
	v := progressView(s.total)
	if o.mean != nil {
		v.Children = o.mean.children
	}
	return v
}

// parent is what the objective contributes to, as far as the actor may see that.
func (o objectiveRows) parent() (objective, keyResult *uuid.UUID) {
	if o.parentHidden {
		return nil, nil
	}
	return o.objective.ParentObjectiveID, o.objective.ParentKeyResultID
}

// hiddenParent is there only where it is true.
func (o objectiveRows) hiddenParent() *bool {
	if !o.parentHidden {
		return nil
	}
	return &o.parentHidden
}

func (o objectiveRows) view(a actor) Objective {
	s := o.standing(a)
	parent, parentKeyResult := o.parent()
	v := Objective{ID: o.objective.ID, Revision: o.objective.Revision, Title: o.objective.Title, Description: o.objective.Description,
		Kind: o.objective.Kind, Visibility: o.objective.Visibility, State: o.objective.State, Archived: o.objective.ArchivedAt != nil,
		Owner: person(o.objective.OwnerID, o.names), TeamID: o.objective.TeamID, CycleID: o.objective.CycleID,
		ParentObjectiveID: parent, ParentKeyResultID: parentKeyResult, ParentHidden: o.hiddenParent(),
		Progress: o.progress(s), Health: s.health, Outdated: s.outdated, AnyOffTrack: s.anyOffTrack, Score: o.objective.Score,
		KeyResults: make([]KeyResult, 0, s.counted), Actions: a.actions(o), MayEdit: a.mayEdit(o.objective),
		CreatedAt: o.objective.CreatedAt, ChangedAt: o.objective.ChangedAt, ChangedBy: person(o.objective.ChangedBy, o.names),
		CarriedFromID: o.objective.CarriedFromID, AlignmentFlagged: orNone(o.objective.AlignmentFlagged)}
	for _, k := range o.keyResults {
		if k.ArchivedAt == nil {
			v.KeyResults = append(v.KeyResults, k.view(o.names))
		}
	}
	return v
}

func (o objectiveRows) summary(a actor) ObjectiveSummary {
	s := o.standing(a)
	parent, _ := o.parent()
	return ObjectiveSummary{ID: o.objective.ID, Revision: o.objective.Revision, Title: o.objective.Title, Kind: o.objective.Kind,
		Visibility: o.objective.Visibility, State: o.objective.State, Archived: o.objective.ArchivedAt != nil, Owner: person(o.objective.OwnerID, o.names),
		TeamID: o.objective.TeamID, CycleID: o.objective.CycleID, ParentObjectiveID: parent, ParentHidden: o.hiddenParent(),
		Progress: o.progress(s), Health: s.health, Outdated: s.outdated, AnyOffTrack: s.anyOffTrack, Score: o.objective.Score,
		KeyResultCount: s.counted, CreatedAt: o.objective.CreatedAt, ChangedAt: o.objective.ChangedAt}
}

func (k keyResultRows) view(names map[uuid.UUID]string) KeyResult {
	progress := k.progress()
	v := KeyResult{ID: k.ID, Title: k.Title, Description: k.Description, Kind: k.Kind, Unit: k.Unit, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch,
		AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight, Pending: k.pending(), Progress: progress,
		Percent: okr.Percent(progress), CurrentValue: k.CurrentValue, DoneStepIds: k.CurrentDoneSteps, CheckedInAt: k.CurrentAt}
	if k.OwnerID != nil {
		owner := person(*k.OwnerID, names)
		v.Owner = &owner
	}
	if k.CurrentConfidence != nil {
		confidence := int(*k.CurrentConfidence)
		v.Confidence = &confidence
	}
	if k.Kind == okr.Milestone {
		steps := make([]Step, 0, len(k.steps))
		for _, step := range k.steps {
			steps = append(steps, Step{ID: step.ID, Title: step.Title, Weight: step.Weight})
		}
		v.Steps = &steps
	}
	return v
}

// capacities are what the actor is to an objective.
func (a actor) capacities(o db.Objective) []okr.Capacity {
	var all []okr.Capacity
	if !a.writes() {
		return nil
	}
	if o.OwnerID == a.UserID {
		all = append(all, okr.AsOwner)
	}
	if a.administers() || a.leads(o.TeamID) {
		all = append(all, okr.AsReviewer)
	}
	return all
}

// mayEdit: owners and reviewers while it is not approved, reviewers alone until it is closed.
func (a actor) mayEdit(o db.Objective) bool {
	if o.ArchivedAt != nil || o.State == okr.ObjectiveClosed {
		return false
	}
	return a.mayEverEdit(o) && (o.State != okr.ObjectiveApproved || a.administers() || a.leads(o.TeamID))
}

// mayEverEdit is mayEdit whatever the state: who may not is told so, who may not now is told why.
func (a actor) mayEverEdit(o db.Objective) bool { return len(a.capacities(o)) > 0 }

func statusOf(o db.Objective) okr.Status {
	if o.ArchivedAt != nil {
		return okr.Status{State: okr.ObjectiveArchived, ArchivedFrom: o.State}
	}
	return okr.Status{State: o.State}
}

func (a actor) actions(o objectiveRows) []ObjectiveAction {
	actions := append([]ObjectiveAction{}, statusOf(o.objective).Actions(a.capacities(o.objective)...)...)
	if o.cycle.State.MayDraft() {
		return actions
	}
	return slices.DeleteFunc(actions, okr.Action.NeedsOpenCycle)
}
