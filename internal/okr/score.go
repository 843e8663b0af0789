package okr

import (
	"strings"

	"github.com/shopspring/decimal"
)

// Commitment says which score an objective is expected to end with.
type Commitment string

const (
	Committed    Commitment = "committed"    // 1.0
	Aspirational Commitment = "aspirational" // 0.7
)

// Valid reports whether c is one of the two commitments.
func (c Commitment) Valid() bool { return c == Committed || c == Aspirational }

var aspirationalScore = decimal.New(7, -1)

// ExpectedScore is 1.0 for a committed objective and 0.7 for an aspirational one.
func (c Commitment) ExpectedScore() decimal.Decimal {
	if c == Aspirational {
		return aspirationalScore
	}
	return one
}

// SuggestedScore is the score that closing an objective suggests: its progress brought into 0 to 1 and rounded half up
// to one decimal.
func SuggestedScore(progress decimal.Decimal) decimal.Decimal {
	return roundHalfUp(Clamp(settled(progress)), 1)
}

// Closing is what its owner says when an objective is closed.
type Closing struct {
	Commitment Commitment
	Progress   decimal.Decimal // of the objective, as it stands
	Score      decimal.Decimal // 0.0 to 1.0, one decimal
	Note       string
}

// Validate returns every reason to refuse the closing, or nil. A note is needed for a score other than the suggested
// one, and for a committed objective that ends below 1.0. Pointers are "/score" and "/note".
func (c Closing) Validate() []FieldError {
	if refused := refusedScore(c.Score); refused != nil {
		return refused
	}
	if strings.TrimSpace(c.Note) != "" {
		return nil
	}
	switch {
	case c.Commitment == Committed && c.Score.LessThan(one):
		return []FieldError{{"/note", CodeNoteRequired, "A committed objective that ends below 1.0 needs a note."}}
	case !c.Score.Equal(SuggestedScore(c.Progress)):
		return []FieldError{{"/note", CodeNoteRequired, "A score other than the suggested one needs a note."}}
	}
	return nil
}

func refusedScore(score decimal.Decimal) []FieldError {
	switch {
	case !inRange(score), score.IsNegative(), score.GreaterThan(one):
		return []FieldError{{"/score", CodeScoreOutOfRange, "A score is from 0.0 to 1.0."}}
	case !score.Equal(score.Truncate(1)):
		return []FieldError{{"/score", CodeScoreNotOneDecimal, "A score has one decimal."}}
	}
	return nil
}

var (
	yellowScore = decimal.New(4, -1)
	greenScore  = decimal.New(7, -1)
)

// ScoreColour is the band of a score of one decimal: red from 0.0 to 0.3, yellow from 0.4 to 0.6, green from 0.7 to 1.0.
func ScoreColour(score decimal.Decimal) Colour {
	switch {
	case score.GreaterThanOrEqual(greenScore):
		return Green
	case score.GreaterThanOrEqual(yellowScore):
		return Yellow
	}
	return Red
}
