package okr

import (
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// Held is a key result of the objective that is carried over, where it stands now.
type Held struct {
	ID        uuid.UUID
	KeyResult KeyResult
	Value     *decimal.Decimal // metric and threshold; nil where there is no check-in
	Done      []uuid.UUID      // milestone
}

// Skip is why a key result is not carried over; empty where it is.
type Skip string

const (
	SkipReached  Skip = "target-reached" // a metric at its target, or a milestone whose steps that weigh anything are done
	SkipArchived Skip = "archived"
	// SkipNothingLeft is for an objective: it had key results, and each of them reached its target.
	SkipNothingLeft Skip = "nothing-left"
)

// Carried is what a carry-over makes, or would make, of one key result.
type Carried struct {
	From      uuid.UUID // the key result it comes from
	Skip      Skip
	KeyResult KeyResult // the copy; the zero value where it is skipped. Its steps have the ids of the originals
}

// Preview is what a carry-over makes of an objective's key results, in their order. It is the same for the dry run and
// for the run that writes. Doing it only once per objective and target cycle is for the caller's key.
type Preview struct {
	KeyResults []Carried
	// WeightsReset is set where all that is carried weighed nothing beside what is not. The copies have the
	// [DefaultWeight] then, since an objective whose weights are all zero is refused.
	WeightsReset bool
}

// Skip is why the objective as a whole is not carried over; empty where it is. An objective without any key result that counts is
// carried: it was never said how it is measured, so nobody can say that it is done.
func (p Preview) Skip() Skip {
	var skip Skip
	for _, c := range p.KeyResults {
		switch c.Skip {
		case "":
			return ""
		case SkipReached:
			skip = SkipNothingLeft
		}
	}
	return skip
}

// CarryOver gives the copies, for the next cycle, of the key results of one objective. A metric starts from the value it
// reached. One that reached its target is not carried. A threshold keeps its band. A milestone keeps the steps not done.
// The originals are not changed, and the copies share no memory with them.
func CarryOver(keyResults []Held) Preview {
	var preview Preview
	var copies []KeyResult
	for _, h := range keyResults {
		carried := h.carryOver()
		preview.KeyResults = append(preview.KeyResults, carried)
		if carried.Skip == "" {
			copies = append(copies, carried.KeyResult)
		}
	}
	if len(ValidateWeights(copies)) == 0 {
		return preview
	}
	preview.WeightsReset = true
	for i := range preview.KeyResults {
		if preview.KeyResults[i].Skip == "" {
			preview.KeyResults[i].KeyResult.Weight = DefaultWeight
		}
	}
	return preview
}

func (h Held) carryOver() Carried {
	k := h.KeyResult
	switch {
	case k.Archived:
		return Carried{From: h.ID, Skip: SkipArchived}
	case k.Kind != Threshold && Reached(k.Progress(h.Value, h.Done)):
		return Carried{From: h.ID, Skip: SkipReached}
	}
	copied := KeyResult{
		Kind:      k.Kind,
		Baseline:  clone(k.Baseline),
		Target:    clone(k.Target),
		Stretch:   clone(k.Stretch),
		AtLeast:   clone(k.AtLeast),
		AtMost:    clone(k.AtMost),
		Tolerance: clone(k.Tolerance),
		Weight:    k.Weight,
	}
	if k.Kind == Metric && h.Value != nil {
		copied.Baseline = clone(h.Value)
	}
	for _, s := range k.Steps {
		if !slices.Contains(h.Done, s.ID) {
			copied.Steps = append(copied.Steps, s)
		}
	}
	return Carried{From: h.ID, KeyResult: copied}
}

func clone(d *decimal.Decimal) *decimal.Decimal {
	if d == nil {
		return nil
	}
	c := *d
	return &c
}

// Realign says what the copy of an aligned objective contributes to. copies maps what was carried, objectives and key
// results alike, to its copy. Where the parent was carried too the copy follows it; else it points to the old parent,
// and stale is true so that someone looks.
func Realign(parent uuid.UUID, copies map[uuid.UUID]uuid.UUID) (to uuid.UUID, stale bool) {
	if c, ok := copies[parent]; ok {
		return c, false
	}
	return parent, true
}
