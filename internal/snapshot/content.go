package snapshot

import (
	"encoding/json"
	"slices"

	"github.com/kakeai/kakeai/internal/db"
)

// content is what the history keeps of the objective as it is.
func (o *Objective) content() (json.RawMessage, error) {
	c := db.ObjectiveContent{Title: o.Title, Description: o.Description, Kind: o.Kind, Visibility: o.Visibility, State: o.State, OwnerID: o.OwnerID,
		TeamID: o.TeamID, CycleID: o.CycleID, ParentObjectiveID: o.ParentObjectiveID, ParentKeyResultID: o.ParentKeyResultID, Score: o.Score,
		Archived: o.ArchivedAt != nil, KeyResults: make([]db.KeyResultContent, 0, len(o.KeyResults))}
	keyResults := slices.Clone(o.KeyResults)
	slices.SortFunc(keyResults, compareKeyResults)
	for _, k := range keyResults {
		if k.ArchivedAt != nil {
			continue
		}
		content := db.KeyResultContent{ID: k.ID, Title: k.Title, Description: k.Description, OwnerID: k.OwnerID, Kind: k.Kind, Unit: k.Unit,
			Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance,
			Weight: k.Weight, Steps: make([]db.StepContent, 0, len(k.Steps))}
		steps := slices.Clone(k.Steps)
		slices.SortFunc(steps, compareSteps)
		for _, step := range steps {
			content.Steps = append(content.Steps, db.StepContent{ID: step.ID, Title: step.Title, Weight: step.Weight})
		}
		c.KeyResults = append(c.KeyResults, content)
	}
	return json.Marshal(c)
}
