package okr

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// The range of a confidence, both limits included.
const (
	MinConfidence = 0
	MaxConfidence = 10
)

// CheckIn is one statement of where a key result stands. Check-ins are only ever added: a mistake is put right by
// another check-in that names the one it corrects.
type CheckIn struct {
	ID         uuid.UUID
	Corrects   *uuid.UUID       // the check-in of the same key result that this one replaces, if any
	At         time.Time        // when it was written
	Value      *decimal.Decimal // metric and threshold
	Done       []uuid.UUID      // milestone: the ids of all steps done by now, not only of the new ones
	Confidence int              // a forecast by the owner; it never changes progress or score
}

// ValidateCheckIn returns every reason to refuse a check-in to the key result, or nil. The pointers are "/value",
// "/done", "/done/2" and "/confidence", relative to the check-in. No done step at all is a valid state of a milestone.
func (k KeyResult) ValidateCheckIn(c CheckIn) []FieldError {
	var refused []FieldError
	switch {
	case k.Kind == Milestone && c.Value != nil:
		refused = append(refused, FieldError{"/value", CodeFieldNotOfKind, "A milestone has steps, not a value."})
	case k.Kind != Milestone && c.Value == nil:
		refused = append(refused, FieldError{"/value", CodeRequired, "A check-in needs a value."})
	case c.Value != nil && !inRange(*c.Value):
		refused = append(refused, outOfRange("/value"))
	}
	if k.Kind != Milestone && len(c.Done) > 0 {
		refused = append(refused, FieldError{"/done", CodeFieldNotOfKind, "Only a milestone has steps."})
	}
	if k.Kind == Milestone {
		for i, id := range c.Done {
			if !slices.ContainsFunc(k.Steps, func(s Step) bool { return s.ID == id }) {
				refused = append(refused, FieldError{fmt.Sprintf("/done/%d", i), CodeStepUnknown,
					"The key result has no such step."})
			}
		}
	}
	if c.Confidence < MinConfidence || c.Confidence > MaxConfidence {
		refused = append(refused, FieldError{"/confidence", CodeConfidenceOutOfRange,
			fmt.Sprintf("A confidence is from %d to %d.", MinConfidence, MaxConfidence)})
	}
	return refused
}

// Entry is a check-in that no other corrects, at the time it stands at.
type Entry struct {
	CheckIn
	StandsAt time.Time // when it was written or, for a correction, when the first check-in in its chain was
}

// Timeline gives the check-ins of one key result that no other corrects, in the order in which they stand; the order of
// the argument does not matter. A correction stands at the time of the one it corrects. Where several stand at the same
// time the later written comes later, then the greater id. A correction of a check-in that is not in the list stands at
// its own time, so the list has to be whole.
func Timeline(checkIns []CheckIn) []Entry {
	byID := make(map[uuid.UUID]CheckIn, len(checkIns))
	corrected := make(map[uuid.UUID]bool)
	for _, c := range checkIns {
		byID[c.ID] = c
		if c.Corrects != nil {
			corrected[*c.Corrects] = true
		}
	}
	var entries []Entry
	for _, c := range checkIns {
		if !corrected[c.ID] {
			entries = append(entries, Entry{CheckIn: c, StandsAt: firstInChain(c, byID).At})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(a.StandsAt.Compare(b.StandsAt), a.At.Compare(b.At), slices.Compare(a.ID[:], b.ID[:]))
	})
	return entries
}

// firstInChain follows corrections back to the check-in that corrects none in the list. It ends even on a loop, which
// the schema does not allow, because no chain is longer than the list.
func firstInChain(c CheckIn, byID map[uuid.UUID]CheckIn) CheckIn {
	for range byID {
		if c.Corrects == nil {
			break
		}
		before, ok := byID[*c.Corrects]
		if !ok {
			break
		}
		c = before
	}
	return c
}

// Current is the check-in a key result stands at: the last of its [Timeline]. It is false where there is none, and the
// key result is then pending and stands at its [KeyResult.Start].
func Current(checkIns []CheckIn) (Entry, bool) {
	timeline := Timeline(checkIns)
	if len(timeline) == 0 {
		return Entry{}, false
	}
	return timeline[len(timeline)-1], true
}
