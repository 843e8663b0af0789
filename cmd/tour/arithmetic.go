package main

import (
	"math/big"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// The rules of internal/okr once more, in exact fractions, so that the server's numbers are held against ones that it had no part in.

// reading is what an owner reports of a key result. The zero reading is none: the key result is pending.
type reading struct {
	value *decimal.Decimal
	done  []uuid.UUID
}

func (r reading) pending() bool { return r.value == nil && r.done == nil }

// progressOf is raw: it may be below 0 or above 1.
func progressOf(k keyResult, r reading) *big.Rat {
	if r.pending() {
		return new(big.Rat)
	}
	switch k.Kind {
	case "metric":
		return ratio(r.value.Sub(*k.Baseline), k.Target.Sub(*k.Baseline))
	case "threshold":
		return inBand(k, *r.value)
	}
	reached, all := decimal.Zero, decimal.Zero
	for _, s := range k.Steps {
		all = all.Add(*s.Weight)
		if slices.Contains(r.done, *s.ID) {
			reached = reached.Add(*s.Weight)
		}
	}
	return ratio(reached, all)
}

func inBand(k keyResult, value decimal.Decimal) *big.Rat {
	distance := decimal.Zero
	if k.AtLeast != nil {
		distance = decimal.Max(distance, k.AtLeast.Sub(value))
	}
	if k.AtMost != nil {
		distance = decimal.Max(distance, value.Sub(*k.AtMost))
	}
	switch {
	case distance.IsZero():
		return big.NewRat(1, 1)
	case k.Tolerance == nil:
		return new(big.Rat)
	}
	left := new(big.Rat).Sub(big.NewRat(1, 1), ratio(distance, *k.Tolerance))
	return larger(left, new(big.Rat))
}

// rolledUp is an objective's progress, 0 to 1, and by how much more it would be if what lies beyond the targets counted.
func rolledUp(all []keyResult, readings map[uuid.UUID]reading) (progress, overshoot *big.Rat) {
	one := big.NewRat(1, 1)
	weights := new(big.Rat)
	progress, overshoot = new(big.Rat), new(big.Rat)
	for _, k := range all {
		weight, raw := k.Weight.Rat(), progressOf(k, readings[*k.ID])
		clamped := smaller(larger(raw, new(big.Rat)), one)
		beyond := larger(new(big.Rat).Sub(raw, one), new(big.Rat))
		weights.Add(weights, weight)
		progress.Add(progress, new(big.Rat).Mul(weight, clamped))
		overshoot.Add(overshoot, new(big.Rat).Mul(weight, beyond))
	}
	if weights.Sign() == 0 {
		return new(big.Rat), new(big.Rat)
	}
	return progress.Quo(progress, weights), overshoot.Quo(overshoot, weights)
}

// percentOf rounds half up, and says 100 only where the target is really reached.
func percentOf(progress *big.Rat) int {
	halves := new(big.Rat).Mul(progress, big.NewRat(100, 1))
	halves.Add(halves, big.NewRat(1, 2))
	floor := new(big.Int).Div(halves.Num(), halves.Denom()) // Euclidean, which is the floor for a positive denominator
	percent := int(floor.Int64())
	if progress.Cmp(big.NewRat(1, 1)) < 0 {
		percent = min(percent, 99)
	}
	return percent
}

// elapsed is the part of a cycle that lies behind it when the day begins: whole days gone over whole days in all.
func elapsed(startsOn, endsOn, today time.Time) *big.Rat {
	const day = 24 * time.Hour
	gone, all := int64(today.Sub(startsOn)/day), int64(endsOn.Sub(startsOn)/day)+1
	return big.NewRat(min(max(gone, 0), all), all)
}

func healthOf(progress, elapsed *big.Rat, pending bool) string {
	behind := new(big.Rat).Sub(elapsed, progress)
	switch {
	case pending:
		return "pending"
	case behind.Cmp(big.NewRat(10, 100)) <= 0:
		return "on_track"
	case behind.Cmp(big.NewRat(30, 100)) <= 0:
		return "at_risk"
	}
	return "off_track"
}

// same allows for what the server's quotients, of 18 digits, leave out.
func same(d decimal.Decimal, exact *big.Rat) bool {
	difference := new(big.Rat).Sub(d.Rat(), exact)
	return difference.Abs(difference).Cmp(big.NewRat(1, 1e15)) < 0
}

func ratio(a, b decimal.Decimal) *big.Rat { return new(big.Rat).Quo(a.Rat(), b.Rat()) }

func larger(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

func smaller(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}
