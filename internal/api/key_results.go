package api

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// maxKeyResults bounds how many key results an objective has had, archived ones included, so that one read stays one read.
const maxKeyResults = 50

// keyResultChange is how an objective's key results get from what they are to what a client wants them to be.
type keyResultChange struct {
	puts     []db.PutKeyResultsParams
	steps    []db.PutMilestoneStepsParams
	archived []uuid.UUID // no longer wanted
	written  []uuid.UUID // whose steps are now exactly those in steps
}

// planKeyResults compares the key results that an objective has with the whole list that is wanted, in its order. Everything wrong with the list is
// refused together, under pointers that begin with /key_results. former are steps that the list may name though they were taken out, because an older
// revision of this objective had them.
func planKeyResults(organization, objective uuid.UUID, present []keyResultRows, wanted []KeyResultInput, former map[uuid.UUID]bool) (keyResultChange, error) {
	var change keyResultChange
	var refused []FieldProblem
	left := make(map[uuid.UUID]keyResultRows, len(present))
	for _, k := range present {
		left[k.ID] = k
	}
	definitions := make([]okr.KeyResult, 0, len(wanted))
	for i, input := range wanted {
		at := fmt.Sprintf("/key_results/%d", i)
		k := keyResultRows{KeyResult: db.KeyResult{ID: db.NewID()}}
		if input.ID != nil {
			known, ok := left[*input.ID]
			if !ok {
				refused = append(refused, notThere(at+"/id", "key result of this objective, or it stands in the list twice"))
				continue
			}
			delete(left, *input.ID)
			k = known
		}
		if k.CurrentCheckInID != nil && k.Kind != input.Kind {
			refused = append(refused, FieldProblem{Pointer: at + "/kind", Code: "kind-fixed", Detail: "A key result with check-ins keeps its kind; add a new one instead."})
		}
		steps, problems := planSteps(organization, k, input, at, former)
		refused = append(refused, problems...)
		definition := definitionOf(input, steps)
		definitions = append(definitions, definition)
		refused = append(refused, fieldProblems(at, definition.Validate())...)
		change.puts = append(change.puts, putKeyResult(organization, objective, k.ID, i, input))
		change.steps = append(change.steps, steps...)
		change.written = append(change.written, k.ID)
	}
	refused = append(refused, fieldProblems("", okr.ValidateWeights(definitions))...)
	for _, k := range present {
		if _, unwanted := left[k.ID]; unwanted && k.ArchivedAt == nil {
			change.archived = append(change.archived, k.ID)
		}
	}
	if total := len(left) + len(change.puts); total > maxKeyResults {
		refused = append(refused, FieldProblem{Pointer: "/key_results", Code: "too-many", Detail: fmt.Sprintf("An objective has at most %d key results, archived ones included.", maxKeyResults)})
	}
	if len(refused) > 0 {
		return keyResultChange{}, invalid(refused...)
	}
	return change, nil
}

func planSteps(organization uuid.UUID, k keyResultRows, input KeyResultInput, at string, former map[uuid.UUID]bool) (steps []db.PutMilestoneStepsParams, refused []FieldProblem) {
	if input.Steps == nil {
		return nil, nil
	}
	for i, step := range *input.Steps {
		id := db.NewID()
		if step.ID != nil {
			id = *step.ID
			known := former[id] || slices.ContainsFunc(k.steps, func(s db.MilestoneStep) bool { return s.ID == id })
			twice := slices.ContainsFunc(steps, func(s db.PutMilestoneStepsParams) bool { return s.ID == id })
			if !known || twice {
				refused = append(refused, notThere(fmt.Sprintf("%s/steps/%d/id", at, i), "step of this key result, or it stands in the list twice"))
				continue
			}
		}
		steps = append(steps, db.PutMilestoneStepsParams{OrganizationID: organization, ID: id, KeyResultID: k.ID, Position: int32(i), // at most 50
			Title: step.Title, Weight: weightOf(step.Weight)})
	}
	return steps, refused
}

func weightOf(weight *Weight) decimal.Decimal {
	if weight == nil {
		return okr.DefaultWeight
	}
	return *weight
}

func definitionOf(input KeyResultInput, steps []db.PutMilestoneStepsParams) okr.KeyResult {
	d := okr.KeyResult{Kind: input.Kind, Baseline: input.Baseline, Target: input.Target, Stretch: input.Stretch, AtLeast: input.AtLeast, AtMost: input.AtMost,
		Tolerance: input.Tolerance, Weight: weightOf(input.Weight)}
	for _, step := range steps {
		d.Steps = append(d.Steps, okr.Step{ID: step.ID, Weight: step.Weight})
	}
	return d
}

func putKeyResult(organization, objective, id uuid.UUID, position int, input KeyResultInput) db.PutKeyResultsParams {
	put := db.PutKeyResultsParams{OrganizationID: organization, ID: id, ObjectiveID: objective, Position: int32(position), //nolint:gosec // at most 20
		Title: input.Title, Description: input.Description, OwnerID: input.OwnerID, Kind: string(input.Kind), Baseline: input.Baseline, Target: input.Target,
		Stretch: input.Stretch, AtLeast: input.AtLeast, AtMost: input.AtMost, Tolerance: input.Tolerance, Weight: weightOf(input.Weight)}
	if input.Unit != nil {
		put.Unit = *input.Unit
	}
	return put
}

// apply writes the change, in the transaction that has raised the objective's revision.
func (c keyResultChange) apply(ctx context.Context, q *db.Queries, organization, objective uuid.UUID) error {
	if len(c.archived) > 0 {
		err := q.ArchiveKeyResults(ctx, db.ArchiveKeyResultsParams{OrganizationID: organization, ObjectiveID: objective, IDs: c.archived})
		if err != nil {
			return err
		}
	}
	if len(c.puts) == 0 {
		return nil
	}
	if err := allOf(q.PutKeyResults(ctx, c.puts).Exec); err != nil {
		return err
	}
	kept := make([]uuid.UUID, 0, len(c.steps))
	for _, step := range c.steps {
		kept = append(kept, step.ID)
	}
	err := q.DeleteOtherMilestoneSteps(ctx, db.DeleteOtherMilestoneStepsParams{OrganizationID: organization, KeyResultIDs: c.written, KeptIDs: kept})
	if err != nil || len(c.steps) == 0 {
		return err
	}
	return allOf(q.PutMilestoneSteps(ctx, c.steps).Exec)
}

// allOf runs a batch to its end and returns the first error in it.
func allOf(exec func(func(int, error))) error {
	var first error
	exec(func(_ int, err error) {
		if first == nil {
			first = err
		}
	})
	return first
}

// owners are the members whom the list names, so that they can be looked up before anything is written.
func owners(wanted []KeyResultInput) map[string]uuid.UUID {
	named := map[string]uuid.UUID{}
	for i, input := range wanted {
		if input.OwnerID != nil {
			named[fmt.Sprintf("/key_results/%d/owner_id", i)] = *input.OwnerID
		}
	}
	return named
}
