package demo

import (
	"encoding/json"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

func (t *teller) contentOf(o *toldObjective) (json.RawMessage, error) {
	parent, parentKeyResult, err := t.parentOf(o)
	if err != nil {
		return nil, err
	}
	content := db.ObjectiveContent{
		Title: o.title, Description: optional(o.description), Kind: o.kind, Visibility: o.visibility, State: o.state(),
		OwnerID: o.owner.id(), TeamID: t.teamOf(o), CycleID: t.cycleID(o.cycle),
		ParentObjectiveID: parent, ParentKeyResultID: parentKeyResult,
		Score: o.score, Archived: o.archived(), KeyResults: []db.KeyResultContent{},
	}
	for position, k := range o.keyResults {
		d, err := k.definition()
		if err != nil {
			return nil, err
		}
		row := db.KeyResultContent{
			ID: t.keyResultID(o, position), Title: k.title, Description: optional(k.description), OwnerID: optionalID(k.owner),
			Kind: k.kind, Unit: k.unit, Baseline: d.Baseline, Target: d.Target, Stretch: d.Stretch,
			AtLeast: d.AtLeast, AtMost: d.AtMost, Tolerance: d.Tolerance, Weight: d.Weight, Steps: []db.StepContent{},
		}
		for i, s := range k.steps {
			row.Steps = append(row.Steps, db.StepContent{ID: t.stepID(o, position, i), Title: s.title, Weight: d.Steps[i].Weight})
		}
		content.KeyResults = append(content.KeyResults, row)
	}
	return json.Marshal(content)
}

// suggestionOf is what a suggestion keeps of a proposal to the objective as it stands.
func (t *teller) suggestionOf(o *toldObjective, p proposal) (json.RawMessage, error) {
	content := ai.Content{Title: optional(p.title), Description: optional(p.description)}
	for _, change := range p.keyResults {
		k := change.keyResult
		d, err := k.definition()
		if err != nil {
			return nil, err
		}
		row := ai.ContentKeyResult{
			Title: k.title, Description: k.description, Kind: k.kind, Unit: k.unit,
			Baseline: d.Baseline, Target: d.Target, Stretch: d.Stretch,
			AtLeast: d.AtLeast, AtMost: d.AtMost, Tolerance: d.Tolerance, Weight: d.Weight,
		}
		for i, s := range k.steps {
			row.Steps = append(row.Steps, ai.ContentStep{Title: s.title, Weight: d.Steps[i].Weight})
		}
		if change.of > 0 {
			row.ID = optional(t.keyResultID(o, change.of-1))
			for i := range min(len(row.Steps), len(o.keyResults[change.of-1].steps)) {
				row.Steps[i].ID = optional(t.stepID(o, change.of-1, i))
			}
		}
		content.KeyResults = append(content.KeyResults, row)
	}
	return json.Marshal(content)
}

// definition is the key result as the rules know it, its steps without ids.
func (k keyResult) definition() (okr.KeyResult, error) {
	d := okr.KeyResult{Kind: k.kind, Weight: okr.DefaultWeight}
	for _, number := range []struct {
		text  string
		field **decimal.Decimal
	}{
		{k.baseline, &d.Baseline}, {k.target, &d.Target}, {k.stretch, &d.Stretch},
		{k.atLeast, &d.AtLeast}, {k.atMost, &d.AtMost}, {k.tolerance, &d.Tolerance},
	} {
		if number.text == "" {
			continue
		}
		value, err := decimal.NewFromString(number.text)
		if err != nil {
			return okr.KeyResult{}, fmt.Errorf("%s: %w", k.title, err)
		}
		*number.field = &value
	}
	if k.weight != "" {
		weight, err := decimal.NewFromString(k.weight)
		if err != nil {
			return okr.KeyResult{}, fmt.Errorf("%s: %w", k.title, err)
		}
		d.Weight = weight
	}
	for _, s := range k.steps {
		weight, err := decimal.NewFromString(s.weight)
		if err != nil {
			return okr.KeyResult{}, fmt.Errorf("%s: %s: %w", k.title, s.title, err)
		}
		d.Steps = append(d.Steps, okr.Step{Weight: weight})
	}
	return d, nil
}
