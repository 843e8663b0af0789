package api

import (
	"encoding/json"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/okr"
)

// objectiveContent is what the history keeps of a revision: all that an edit or a move can change, and nothing that is measured.
type objectiveContent struct {
	Title             string             `json:"title"`
	Description       *string            `json:"description"`
	Kind              okr.Commitment     `json:"kind"`
	Visibility        okr.Visibility     `json:"visibility"`
	State             okr.ObjectiveState `json:"state"`
	OwnerID           uuid.UUID          `json:"owner_id"`
	TeamID            *uuid.UUID         `json:"team_id"`
	CycleID           uuid.UUID          `json:"cycle_id"`
	ParentObjectiveID *uuid.UUID         `json:"parent_objective_id"`
	ParentKeyResultID *uuid.UUID         `json:"parent_key_result_id"`
	Score             *decimal.Decimal   `json:"score"`
	Archived          bool               `json:"archived"`
	KeyResults        []keyResultContent `json:"key_results"`
}

type keyResultContent struct {
	ID          uuid.UUID         `json:"id"`
	Title       string            `json:"title"`
	Description *string           `json:"description"`
	OwnerID     *uuid.UUID        `json:"owner_id"`
	Kind        okr.KeyResultKind `json:"kind"`
	Unit        string            `json:"unit"`
	Baseline    *decimal.Decimal  `json:"baseline"`
	Target      *decimal.Decimal  `json:"target"`
	Stretch     *decimal.Decimal  `json:"stretch"`
	AtLeast     *decimal.Decimal  `json:"at_least"`
	AtMost      *decimal.Decimal  `json:"at_most"`
	Tolerance   *decimal.Decimal  `json:"tolerance"`
	Weight      decimal.Decimal   `json:"weight"`
	Steps       []stepContent     `json:"steps"`
}

type stepContent struct {
	ID     uuid.UUID       `json:"id"`
	Title  string          `json:"title"`
	Weight decimal.Decimal `json:"weight"`
}

func (o objectiveRows) content() (json.RawMessage, error) {
	c := objectiveContent{Title: o.objective.Title, Description: o.objective.Description, Kind: o.objective.Kind, Visibility: o.objective.Visibility,
		State: o.objective.State, OwnerID: o.objective.OwnerID, TeamID: o.objective.TeamID, CycleID: o.objective.CycleID,
		ParentObjectiveID: o.objective.ParentObjectiveID, ParentKeyResultID: o.objective.ParentKeyResultID, Score: o.objective.Score,
		Archived: o.objective.ArchivedAt != nil, KeyResults: make([]keyResultContent, 0, len(o.keyResults))}
	for _, k := range o.keyResults {
		if k.ArchivedAt == nil {
			c.KeyResults = append(c.KeyResults, k.content())
		}
	}
	return json.Marshal(c)
}

func (k keyResultRows) content() keyResultContent {
	c := keyResultContent{ID: k.ID, Title: k.Title, Description: k.Description, OwnerID: k.OwnerID, Kind: k.Kind, Unit: k.Unit,
		Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance,
		Weight: k.Weight, Steps: make([]stepContent, 0, len(k.steps))}
	for _, step := range k.steps {
		c.Steps = append(c.Steps, stepContent{ID: step.ID, Title: step.Title, Weight: step.Weight})
	}
	return c
}
