package okr

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// KeyResultKind says how a key result is measured, and so which of its fields are set.
type KeyResultKind string

const (
	// Metric goes from a baseline to a target, up or down.
	Metric KeyResultKind = "metric"
	// Threshold is to stay inside a band: at least, at most, or both.
	Threshold KeyResultKind = "threshold"
	// Milestone is a list of weighted steps, each done or not.
	Milestone KeyResultKind = "milestone"
)

// Valid reports whether k is one of the three kinds.
func (k KeyResultKind) Valid() bool { return k == Metric || k == Threshold || k == Milestone }

// A number a key result or a check-in may hold has at most MaxWholeDigits digits before the decimal point and
// MaxFractionDigits after it. Without a bound, the six characters "1e9999" would be ten thousand digits in every sum, row
// and page from then on.
const (
	MaxWholeDigits    = 18
	MaxFractionDigits = 12
)

// DefaultWeight is the weight of a key result, or of a step, for which none was given: 1.
var DefaultWeight = decimal.NewFromInt(1)

// KeyResult is the definition of a key result: what is measured, never what was measured. A field that its kind does
// not have is nil. All numbers but the weights are in the key result's own unit.
type KeyResult struct {
	Kind KeyResultKind

	Baseline *decimal.Decimal // metric: where it starts
	Target   *decimal.Decimal // metric: where it counts as reached
	Stretch  *decimal.Decimal // metric, optional: beyond the target

	AtLeast   *decimal.Decimal // threshold: lower limit, included
	AtMost    *decimal.Decimal // threshold: upper limit, included
	Tolerance *decimal.Decimal // threshold, optional: the distance from the band at which progress is 0

	Steps []Step // milestone: in order

	Weight   decimal.Decimal // share in the objective's roll-up, relative to its siblings; ≥ 0
	Archived bool            // out of the roll-up
}

// Step is one step of a milestone. Its ID may be [uuid.Nil] until it is first stored.
type Step struct {
	ID     uuid.UUID
	Weight decimal.Decimal // relative to the other steps; ≥ 0
}

// FieldError says which field was refused and why. Code is stable and for programs; Detail is English and for people.
type FieldError struct {
	Pointer string `json:"pointer"` // JSON pointer (RFC 6901) from the thing that was validated
	Code    string `json:"code"`
	Detail  string `json:"detail"`
}

// The codes of a [FieldError].
const (
	CodeRequired             = "required"
	CodeFieldNotOfKind       = "field-not-of-kind"
	CodeKindUnknown          = "kind-unknown"
	CodeNumberOutOfRange     = "number-out-of-range"
	CodeNegative             = "negative"
	CodeBaselineEqualsTarget = "baseline-equals-target"
	CodeStretchNotBeyond     = "stretch-not-beyond-target"
	CodeBandEmpty            = "band-empty"
	CodeAtLeastAboveAtMost   = "at-least-above-at-most"
	CodeToleranceNotPositive = "tolerance-not-positive"
	CodeWeightsAllZero       = "weights-all-zero"
	CodeStepDuplicate        = "step-duplicate"
	CodeStepUnknown          = "step-unknown"
	CodeConfidenceOutOfRange = "confidence-out-of-range"
	CodeScoreOutOfRange      = "score-out-of-range"
	CodeScoreNotOneDecimal   = "score-not-one-decimal"
	CodeNoteRequired         = "note-required"
)

// Validate returns every reason to refuse the key result, with pointers relative to it ("/target", "/steps/1/weight"),
// or nil. A metric needs a baseline and a target that differ, and its stretch lies beyond the target on the target's
// side. A threshold needs a limit, the lower not above the upper, and a tolerance above zero if any. A milestone needs
// steps whose weights are not negative and not all zero. A field of another kind is refused, even where it would be
// harmless, because it says that the client meant something else.
func (k KeyResult) Validate() []FieldError {
	if !k.Kind.Valid() {
		return []FieldError{{"/kind", CodeKindUnknown, "The kind is one of metric, threshold and milestone."}}
	}
	if refused := k.refusedNumbers(); refused != nil {
		return refused // comparing numbers that are out of range may cost without bound
	}
	refused := k.refusedFields()
	switch k.Kind {
	case Metric:
		refused = append(refused, k.refusedMetric()...)
	case Threshold:
		refused = append(refused, k.refusedThreshold()...)
	case Milestone:
		refused = append(refused, k.refusedSteps()...)
	}
	if k.Weight.IsNegative() {
		refused = append(refused, FieldError{"/weight", CodeNegative, "A weight is zero or more."})
	}
	return refused
}

// ValidateWeights refuses key results of one objective whose weights are all zero, since none of them would then count:
// at the write that would make it so, not when someone reads the roll-up. Archived ones are not counted. An objective
// with no key result in the count is not refused. The pointer is "/key_results", relative to the objective.
func ValidateWeights(keyResults []KeyResult) []FieldError {
	counted := 0
	for _, k := range keyResults {
		if k.Archived {
			continue
		}
		if !k.Weight.IsZero() {
			return nil
		}
		counted++
	}
	if counted == 0 {
		return nil
	}
	return []FieldError{{"/key_results", CodeWeightsAllZero, "At least one key result needs a weight above zero."}}
}

// Start is the value the key result stands at before any check-in: a metric's baseline, and nil for the other kinds,
// which have none.
func (k KeyResult) Start() *decimal.Decimal {
	if k.Kind != Metric {
		return nil
	}
	return k.Baseline
}

// numberField is a number of a key result that only one kind has.
type numberField struct {
	pointer string
	of      KeyResultKind
	value   *decimal.Decimal
}

func (k KeyResult) numberFields() []numberField {
	return []numberField{
		{"/baseline", Metric, k.Baseline},
		{"/target", Metric, k.Target},
		{"/stretch", Metric, k.Stretch},
		{"/at_least", Threshold, k.AtLeast},
		{"/at_most", Threshold, k.AtMost},
		{"/tolerance", Threshold, k.Tolerance},
	}
}

func (k KeyResult) refusedNumbers() []FieldError {
	var refused []FieldError
	check := func(pointer string, d decimal.Decimal) {
		if !inRange(d) {
			refused = append(refused, outOfRange(pointer))
		}
	}
	for _, f := range k.numberFields() {
		if f.value != nil {
			check(f.pointer, *f.value)
		}
	}
	for i, s := range k.Steps {
		check(fmt.Sprintf("/steps/%d/weight", i), s.Weight)
	}
	check("/weight", k.Weight)
	return refused
}

func (k KeyResult) refusedFields() []FieldError {
	var refused []FieldError
	refuse := func(pointer string, of KeyResultKind) {
		refused = append(refused, FieldError{pointer, CodeFieldNotOfKind,
			fmt.Sprintf("Only a %s key result has this field.", of)})
	}
	for _, f := range k.numberFields() {
		if f.value != nil && f.of != k.Kind {
			refuse(f.pointer, f.of)
		}
	}
	if len(k.Steps) > 0 && k.Kind != Milestone {
		refuse("/steps", Milestone)
	}
	return refused
}

func (k KeyResult) refusedMetric() []FieldError {
	var refused []FieldError
	if k.Baseline == nil {
		refused = append(refused, FieldError{"/baseline", CodeRequired, "A metric needs a baseline."})
	}
	if k.Target == nil {
		refused = append(refused, FieldError{"/target", CodeRequired, "A metric needs a target."})
	}
	if k.Baseline == nil || k.Target == nil {
		return refused
	}
	side := k.Target.Cmp(*k.Baseline)
	if side == 0 {
		return append(refused, FieldError{"/target", CodeBaselineEqualsTarget, "The target differs from the baseline."})
	}
	if k.Stretch != nil && k.Stretch.Cmp(*k.Target) != side {
		refused = append(refused, FieldError{"/stretch", CodeStretchNotBeyond,
			"The stretch lies beyond the target, on the target's side of the baseline."})
	}
	return refused
}

func (k KeyResult) refusedThreshold() []FieldError {
	var refused []FieldError
	if k.AtLeast == nil && k.AtMost == nil {
		refused = append(refused, FieldError{"/at_least", CodeBandEmpty, "A threshold needs a lower or an upper limit."})
	}
	if k.AtLeast != nil && k.AtMost != nil && k.AtLeast.GreaterThan(*k.AtMost) {
		refused = append(refused, FieldError{"/at_least", CodeAtLeastAboveAtMost,
			"The lower limit is not above the upper limit."})
	}
	if k.Tolerance != nil && !k.Tolerance.IsPositive() {
		refused = append(refused, FieldError{"/tolerance", CodeToleranceNotPositive, "A tolerance is above zero."})
	}
	return refused
}

func (k KeyResult) refusedSteps() []FieldError {
	if len(k.Steps) == 0 {
		return []FieldError{{"/steps", CodeRequired, "A milestone needs at least one step."}}
	}
	var refused []FieldError
	allZero := true
	seen := make(map[uuid.UUID]bool, len(k.Steps))
	for i, s := range k.Steps {
		if s.Weight.IsNegative() {
			refused = append(refused, FieldError{fmt.Sprintf("/steps/%d/weight", i), CodeNegative,
				"A weight is zero or more."})
		}
		if s.ID != uuid.Nil && seen[s.ID] {
			refused = append(refused, FieldError{fmt.Sprintf("/steps/%d/id", i), CodeStepDuplicate,
				"Each step is listed once."})
		}
		seen[s.ID] = true
		allZero = allZero && s.Weight.IsZero()
	}
	if allZero {
		refused = append(refused, FieldError{"/steps", CodeWeightsAllZero, "At least one step needs a weight above zero."})
	}
	return refused
}

// inRange looks at the exponent and the digits only, so it is safe on any decimal that could be parsed.
func inRange(d decimal.Decimal) bool {
	return d.Exponent() >= -MaxFractionDigits && int64(d.NumDigits())+int64(d.Exponent()) <= MaxWholeDigits
}

func outOfRange(pointer string) FieldError {
	return FieldError{pointer, CodeNumberOutOfRange, fmt.Sprintf("A number has at most %d digits before the point and %d after it.",
		MaxWholeDigits, MaxFractionDigits)}
}
