package db

import (
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/okr"
)

// ObjectiveContent is what the column objective_history.content holds of a revision: all that an edit or a move can change, and nothing
// that is measured. Numbers are decimal strings; what there is not is null.
type ObjectiveContent struct {
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
	KeyResults        []KeyResultContent `json:"key_results"` // those that are not archived, in their order
}

// KeyResultContent is one key result of an ObjectiveContent.
type KeyResultContent struct {
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
	Steps       []StepContent     `json:"steps"`
}

// StepContent is one step of a milestone.
type StepContent struct {
	ID     uuid.UUID       `json:"id"`
	Title  string          `json:"title"`
	Weight decimal.Decimal `json:"weight"`
}
