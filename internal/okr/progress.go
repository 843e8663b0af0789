package okr

import (
	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// Scale is the number of digits kept after the point of a progress, an elapsed fraction or a mean. The last is rounded
// down (toward minus infinity), so that no progress short of 1 becomes 1 and none below 0 becomes 0.
const Scale = 18

// settledScale is the number of digits that decide. It leaves enough digits of [Scale] below it for every quotient on
// the way to an organisation's number to have been rounded down without showing here.
const settledScale = 12

var (
	one  = decimal.NewFromInt(1)
	half = decimal.New(5, -1)
)

// Progress is the raw progress of the key result at the value (metric, threshold) or with the done steps (milestone);
// the argument of the other kind is ignored. It is not clamped: a metric may stand above 1 or below 0.
//
//   - A metric is at (value − baseline) / (target − baseline), one signed formula for rises and falls.
//   - A threshold is at 1 inside the band, its limits included. Outside it is at 1 − distance/tolerance, not below 0,
//     and at 0 where there is no tolerance.
//   - A milestone is at the weight of the done steps over the weight of all steps. A step counts once however often it
//     is named, and the id of a step it does not have counts nothing.
//
// A nil value stands for "no check-in yet" and gives 0, as does a key result that [KeyResult.Validate] refuses.
func (k KeyResult) Progress(value *decimal.Decimal, done []uuid.UUID) decimal.Decimal {
	switch {
	case k.Kind == Metric && value != nil && k.Baseline != nil && k.Target != nil:
		return quotient(value.Sub(*k.Baseline), k.Target.Sub(*k.Baseline))
	case k.Kind == Threshold && value != nil:
		return k.thresholdProgress(*value)
	case k.Kind == Milestone:
		return k.milestoneProgress(done)
	}
	return decimal.Zero
}

func (k KeyResult) thresholdProgress(value decimal.Decimal) decimal.Decimal {
	var distance decimal.Decimal
	switch {
	case k.AtLeast == nil && k.AtMost == nil:
		return decimal.Zero
	case k.AtLeast != nil && value.LessThan(*k.AtLeast):
		distance = k.AtLeast.Sub(value)
	case k.AtMost != nil && value.GreaterThan(*k.AtMost):
		distance = value.Sub(*k.AtMost)
	default:
		return one
	}
	if k.Tolerance == nil || distance.GreaterThanOrEqual(*k.Tolerance) {
		return decimal.Zero
	}
	return quotient(k.Tolerance.Sub(distance), *k.Tolerance)
}

func (k KeyResult) milestoneProgress(done []uuid.UUID) decimal.Decimal {
	isDone := make(map[uuid.UUID]bool, len(done))
	for _, id := range done {
		isDone[id] = true
	}
	reached, all := decimal.Zero, decimal.Zero
	for _, s := range k.Steps {
		all = all.Add(s.Weight)
		if isDone[s.ID] {
			reached = reached.Add(s.Weight)
		}
	}
	return quotient(reached, all)
}

// Reached reports whether a raw progress is at its target or beyond: progress ≥ 1.
func Reached(progress decimal.Decimal) bool { return progress.GreaterThanOrEqual(one) }

// Clamp brings a progress into 0 to 1, both included.
func Clamp(progress decimal.Decimal) decimal.Decimal {
	return decimal.Min(decimal.Max(progress, decimal.Zero), one)
}

// quotient is a/b rounded down to [Scale] digits, or 0 where b is 0.
func quotient(a, b decimal.Decimal) decimal.Decimal {
	if b.IsZero() {
		return decimal.Zero
	}
	q, rest := a.QuoRem(b, Scale)
	if !rest.IsZero() && a.Sign() != b.Sign() {
		q = q.Sub(decimal.New(1, -Scale)) // QuoRem rounds toward zero
	}
	return q
}

// settled gives back what rounding down took off a quotient, before it is held against a threshold. It may lift a
// progress just short of 1 to 1: whether a target is reached is for [Reached], on the raw progress.
func settled(progress decimal.Decimal) decimal.Decimal { return progress.Round(settledScale) }

// roundHalfUp rounds to the given digits after the point; a half goes toward plus infinity, also below zero.
func roundHalfUp(d decimal.Decimal, places int32) decimal.Decimal {
	return d.Shift(places).Add(half).Floor().Shift(-places)
}
