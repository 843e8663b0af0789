package api

import (
	"encoding/json"

	"github.com/kakeai/kakeai/internal/db"
)

// content is what the history keeps of the revision that o is at.
func (o objectiveRows) content() (json.RawMessage, error) {
	c := db.ObjectiveContent{Title: o.objective.Title, Description: o.objective.Description, Kind: o.objective.Kind, Visibility: o.objective.Visibility,
		State: o.objective.State, OwnerID: o.objective.OwnerID, TeamID: o.objective.TeamID, CycleID: o.objective.CycleID,
		ParentObjectiveID: o.objective.ParentObjectiveID, ParentKeyResultID: o.objective.ParentKeyResultID, Score: o.objective.Score,
		Archived: o.objective.ArchivedAt != nil, KeyResults: make([]db.KeyResultContent, 0, len(o.keyResults))}
	for _, k := range o.keyResults {
		if k.ArchivedAt == nil {
			c.KeyResults = append(c.KeyResults, k.content())
		}
	}
	return json.Marshal(c)
}

func (k keyResultRows) content() db.KeyResultContent {
	c := db.KeyResultContent{ID: k.ID, Title: k.Title, Description: k.Description, OwnerID: k.OwnerID, Kind: k.Kind, Unit: k.Unit,
		Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance,
		Weight: k.Weight, Steps: make([]db.StepContent, 0, len(k.steps))}
	for _, step := range k.steps {
		c.Steps = append(c.Steps, db.StepContent{ID: step.ID, Title: step.Title, Weight: step.Weight})
	}
	return c
}
