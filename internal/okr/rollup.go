package okr

import "github.com/shopspring/decimal"

// Standing is where one key result stands, as its objective's roll-up counts it.
type Standing struct {
	Progress decimal.Decimal // raw; ignored where Pending
	Weight   decimal.Decimal // ≥ 0, relative to its siblings
	Pending  bool            // no check-in yet: counts as 0
	Archived bool            // not counted at all
}

// Total is a number rolled up from several.
type Total struct {
	Progress  decimal.Decimal // 0 to 1
	Overshoot decimal.Decimal // ≥ 0: by how much more it would be had progress above 1 counted; shown beside, never added
	Pending   bool            // something was counted, and none of it has a check-in
	Empty     bool            // nothing was counted, or nothing with a weight: there is no number to show
	Withheld  bool            // there is a number, and this reader may not have it: Progress and Overshoot are 0
}

// RollUp is the progress of an objective from its key results:
//
//	Σ weight · clamp(progress, 0, 1) / Σ weight
//
// over those not archived. A pending one counts as 0. Withheld is never set. Where Empty is set because there is no key
// result to count, the objective's number is the [Mean] of its children instead; nowhere else do children enter it.
func RollUp(standings []Standing) Total {
	weights, progress, overshoot := decimal.Zero, decimal.Zero, decimal.Zero
	counted, pending := 0, 0
	for _, s := range standings {
		if s.Archived {
			continue
		}
		counted++
		weights = weights.Add(s.Weight)
		if s.Pending {
			pending++
			continue
		}
		progress = progress.Add(s.Weight.Mul(Clamp(s.Progress)))
		overshoot = overshoot.Add(s.Weight.Mul(decimal.Max(s.Progress.Sub(one), decimal.Zero)))
	}
	return Total{
		Progress:  quotient(progress, weights),
		Overshoot: quotient(overshoot, weights),
		Pending:   counted > 0 && pending == counted,
		Empty:     !weights.IsPositive(),
	}
}

// ObjectiveStanding is where one objective stands, as the number of its team, cycle or organisation counts it.
type ObjectiveStanding struct {
	State  ObjectiveState
	Total  Total // from its key results or, without any, from its children; whatever the reader may see of those
	Hidden bool  // the reader may not see this objective
}

// minimumGroup is the smallest group whose number may be shown though it holds an objective hidden from the reader.
const minimumGroup = 3

// Mean is the plain mean over the objectives that are approved or closed; drafts, submitted and archived ones are out. An
// objective with no number of its own counts as 0. Hidden objectives count like any other without being shown, unless
// there are fewer than three objectives in all: then the number would give one away, so it is withheld.
func Mean(objectives []ObjectiveStanding) Total {
	var standings []Standing
	overshoot := decimal.Zero
	hidden := false
	for _, o := range objectives {
		if !o.State.Counts() {
			continue
		}
		hidden = hidden || o.Hidden
		overshoot = overshoot.Add(o.Total.Overshoot)
		standings = append(standings, Standing{
			Progress: o.Total.Progress,
			Weight:   one,
			Pending:  o.Total.Pending || o.Total.Empty,
		})
	}
	if hidden && len(standings) < minimumGroup {
		return Total{Withheld: true}
	}
	mean := RollUp(standings)
	mean.Overshoot = quotient(overshoot, decimal.NewFromInt(int64(len(standings))))
	return mean
}
