// Package answer is what the peers answer and what they keep in the history, so that none of them does less than the product there: the
// product's own types, filled in the same way.
package answer

import (
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// Actor is who asks.
type Actor struct {
	ID                   uuid.UUID
	Role                 auth.Role
	Cadence              okr.Cadence
	TimeZone             string
	Now                  time.Time
	TeamIDs, LeadTeamIDs []uuid.UUID
}

// Objective is everything that an answer is made of.
type Objective struct {
	db.Objective
	Cycle      db.Cycle
	KeyResults []KeyResult // in their order
	Names      map[uuid.UUID]string
}

// KeyResult is a key result with its steps.
type KeyResult struct {
	db.KeyResult
	Steps []db.MilestoneStep
}

// Administers reports whether the actor sees and edits everything.
func (a Actor) Administers() bool { return a.Role.AtLeast(auth.Admin) }

func (a Actor) capacities(o db.Objective) (all []okr.Capacity) {
	if !a.Role.AtLeast(auth.Member) {
		return nil
	}
	if o.OwnerID == a.ID {
		all = append(all, okr.AsOwner)
	}
	if a.Administers() || o.TeamID != nil && slices.Contains(a.LeadTeamIDs, *o.TeamID) {
		all = append(all, okr.AsReviewer)
	}
	return all
}

// MayEdit reports whether the actor may change an objective's content as it stands.
func (a Actor) MayEdit(o db.Objective) bool {
	capacities := a.capacities(o)
	if len(capacities) == 0 || o.ArchivedAt != nil || o.State == okr.ObjectiveClosed {
		return false
	}
	return o.State != okr.ObjectiveApproved || slices.Contains(capacities, okr.AsReviewer)
}

func (a Actor) actions(o db.Objective) []api.ObjectiveAction {
	status := okr.Status{State: o.State}
	if o.ArchivedAt != nil {
		status = okr.Status{State: okr.ObjectiveArchived, ArchivedFrom: o.State}
	}
	return append([]api.ObjectiveAction{}, status.Actions(a.capacities(o)...)...)
}

func (k KeyResult) progress() decimal.Decimal {
	if k.CurrentCheckInID == nil {
		return decimal.Zero
	}
	steps := make([]okr.Step, 0, len(k.Steps))
	for _, s := range k.Steps {
		steps = append(steps, okr.Step{ID: s.ID, Weight: s.Weight})
	}
	return okr.KeyResult{Kind: k.Kind, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost,
		Tolerance: k.Tolerance, Steps: steps, Weight: k.Weight, Archived: k.ArchivedAt != nil}.Progress(k.CurrentValue, k.CurrentDoneSteps)
}

// View is the body of an answer that shows the objective.
func (o Objective) View(a Actor) api.Objective {
	standings := make([]okr.Standing, 0, len(o.KeyResults))
	shown := make([]api.KeyResult, 0, len(o.KeyResults))
	var last *time.Time
	for _, k := range o.KeyResults {
		progress := k.progress()
		standings = append(standings, okr.Standing{Progress: progress, Weight: k.Weight, Pending: k.CurrentCheckInID == nil, Archived: k.ArchivedAt != nil})
		if k.ArchivedAt != nil {
			continue
		}
		if k.CurrentAt != nil && (last == nil || k.CurrentAt.After(*last)) {
			last = k.CurrentAt
		}
		shown = append(shown, k.view(progress, o.Names))
	}
	zone := a.Zone()
	began := time.Date(o.Cycle.StartsOn.Year(), o.Cycle.StartsOn.Month(), o.Cycle.StartsOn.Day(), 0, 0, 0, 0, zone)
	if o.ChangedAt.After(began) && last == nil {
		began = o.ChangedAt
	}
	total := okr.RollUp(standings)
	elapsed := okr.Elapsed(o.Cycle.StartsOn, o.Cycle.EndsOn, okr.Today(a.Now, zone))
	live := o.State == okr.ObjectiveApproved && o.ArchivedAt == nil && o.Cycle.State == okr.CycleActive
	return api.Objective{ID: o.ID, Revision: o.Revision, Title: o.Title, Description: o.Description, Kind: o.Kind, Visibility: o.Visibility,
		State: o.State, Archived: o.ArchivedAt != nil, Owner: api.Person{ID: o.OwnerID, Name: o.Names[o.OwnerID]}, TeamID: o.TeamID, CycleID: o.CycleID,
		ParentObjectiveID: o.ParentObjectiveID, ParentKeyResultID: o.ParentKeyResultID,
		Progress: api.Progress{Value: total.Progress, Percent: okr.PercentRollUp(total.Progress), Pending: total.Pending, Empty: total.Empty, Overshoot: total.Overshoot},
		Health:   okr.HealthOf(total.Progress, elapsed, total.Pending || total.Empty), AnyOffTrack: okr.AnyOffTrack(standings, elapsed),
		Outdated: live && okr.Outdated(last, began, a.Cadence, a.Now, zone), Score: o.Score, KeyResults: shown, Actions: a.actions(o.Objective),
		MayEdit: a.MayEdit(o.Objective), CreatedAt: o.CreatedAt, ChangedAt: o.ChangedAt, ChangedBy: api.Person{ID: o.ChangedBy, Name: o.Names[o.ChangedBy]}}
}

func (k KeyResult) view(progress decimal.Decimal, names map[uuid.UUID]string) api.KeyResult {
	v := api.KeyResult{ID: k.ID, Title: k.Title, Description: k.Description, Kind: k.Kind, Unit: k.Unit, Baseline: k.Baseline, Target: k.Target,
		Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight, Pending: k.CurrentCheckInID == nil,
		Progress: progress, Percent: okr.Percent(progress), CurrentValue: k.CurrentValue, DoneStepIds: k.CurrentDoneSteps, CheckedInAt: k.CurrentAt}
	if v.DoneStepIds == nil {
		v.DoneStepIds = []uuid.UUID{}
	}
	if k.OwnerID != nil {
		v.Owner = &api.Person{ID: *k.OwnerID, Name: names[*k.OwnerID]}
	}
	if k.CurrentConfidence != nil {
		confidence := int(*k.CurrentConfidence)
		v.Confidence = &confidence
	}
	if k.Kind == okr.Milestone {
		steps := make([]api.Step, 0, len(k.Steps))
		for _, s := range k.Steps {
			steps = append(steps, api.Step{ID: s.ID, Title: s.Title, Weight: s.Weight})
		}
		v.Steps = &steps
	}
	return v
}

// Content is what the history keeps of a revision.
func (o Objective) Content() db.ObjectiveContent {
	c := db.ObjectiveContent{Title: o.Title, Description: o.Description, Kind: o.Kind, Visibility: o.Visibility, State: o.State, OwnerID: o.OwnerID,
		TeamID: o.TeamID, CycleID: o.CycleID, ParentObjectiveID: o.ParentObjectiveID, ParentKeyResultID: o.ParentKeyResultID, Score: o.Score,
		Archived: o.ArchivedAt != nil, KeyResults: make([]db.KeyResultContent, 0, len(o.KeyResults))}
	for _, k := range o.KeyResults {
		if k.ArchivedAt != nil {
			continue
		}
		steps := make([]db.StepContent, 0, len(k.Steps))
		for _, s := range k.Steps {
			steps = append(steps, db.StepContent{ID: s.ID, Title: s.Title, Weight: s.Weight})
		}
		c.KeyResults = append(c.KeyResults, db.KeyResultContent{ID: k.ID, Title: k.Title, Description: k.Description, OwnerID: k.OwnerID, Kind: k.Kind,
			Unit: k.Unit, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance,
			Weight: k.Weight, Steps: steps})
	}
	return c
}
