package okr

import (
	"math"

	"github.com/shopspring/decimal"
)

// Percent is a raw progress in whole percent, as shown on a key result: rounded half up, but at most 99 until the
// progress reaches 1, and negative below the baseline. It stops at the limits of an int32, which no sensible progress
// comes near.
func Percent(progress decimal.Decimal) int {
	percent := roundHalfUp(settled(progress), 2).Shift(2)
	if !Reached(progress) {
		percent = decimal.Min(percent, decimal.NewFromInt(99))
	}
	percent = decimal.Max(decimal.Min(percent, decimal.NewFromInt(math.MaxInt32)), decimal.NewFromInt(math.MinInt32))
	return int(percent.IntPart())
}

// PercentRollUp is [Percent] for an objective, a team, a cycle or an organisation: never below 0.
func PercentRollUp(progress decimal.Decimal) int { return max(Percent(progress), 0) }

// Colour is how a number is shown. It follows "better", not "higher": a falling metric that should fall is green.
type Colour string

const (
	Green  Colour = "green"
	Yellow Colour = "yellow"
	Red    Colour = "red"
	Grey   Colour = "grey" // nothing to judge
)

// Colour is green on track, yellow at risk, red off track, and grey while pending.
func (h Health) Colour() Colour {
	switch h {
	case HealthOnTrack:
		return Green
	case HealthAtRisk:
		return Yellow
	case HealthOffTrack:
		return Red
	}
	return Grey
}

// Trend is how a key result moved between two check-ins.
type Trend string

const (
	Better Trend = "better"
	Worse  Trend = "worse"
	Steady Trend = "steady"
)

// TrendOf compares two raw progresses of one key result. Progress already points toward the target, so a fall in the
// value of a metric that should fall is better.
func TrendOf(before, after decimal.Decimal) Trend {
	switch after.Cmp(before) {
	case 1:
		return Better
	case -1:
		return Worse
	}
	return Steady
}

// Colour is green for better, red for worse and grey for steady.
func (t Trend) Colour() Colour {
	switch t {
	case Better:
		return Green
	case Worse:
		return Red
	}
	return Grey
}
