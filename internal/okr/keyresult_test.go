package okr_test

import (
	"math"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	with := func(k okr.KeyResult, change func(*okr.KeyResult)) okr.KeyResult {
		change(&k)
		return k
	}
	stretch := func(baseline, target, stretch string) okr.KeyResult {
		return with(metric(baseline, target), func(k *okr.KeyResult) { k.Stretch = ptr(stretch) })
	}
	tests := map[string]struct {
		keyResult okr.KeyResult
		want      []string
	}{
		"rising metric":                     {metric("0", "10"), nil},
		"falling metric":                    {metric("10", "0"), nil},
		"metric below zero":                 {metric("-10", "-20"), nil},
		"baseline equals target":            {metric("5", "5.0"), []string{"/target baseline-equals-target"}},
		"metric without baseline":           {with(metric("0", "1"), func(k *okr.KeyResult) { k.Baseline = nil }), []string{"/baseline required"}},
		"metric without target":             {with(metric("0", "1"), func(k *okr.KeyResult) { k.Target = nil }), []string{"/target required"}},
		"metric without anything":           {okr.KeyResult{Kind: okr.Metric}, []string{"/baseline required", "/target required"}},
		"stretch above a rising target":     {stretch("0", "10", "10.1"), nil},
		"stretch at a rising target":        {stretch("0", "10", "10"), []string{"/stretch stretch-not-beyond-target"}},
		"stretch below a rising target":     {stretch("0", "10", "9"), []string{"/stretch stretch-not-beyond-target"}},
		"stretch below a rising baseline":   {stretch("0", "10", "-5"), []string{"/stretch stretch-not-beyond-target"}},
		"stretch below a falling target":    {stretch("10", "5", "4"), nil},
		"stretch at a falling target":       {stretch("10", "5", "5"), []string{"/stretch stretch-not-beyond-target"}},
		"stretch above a falling target":    {stretch("10", "5", "7"), []string{"/stretch stretch-not-beyond-target"}},
		"stretch above a falling baseline":  {stretch("10", "5", "12"), []string{"/stretch stretch-not-beyond-target"}},
		"stretch beside an equal target":    {stretch("5", "5", "9"), []string{"/target baseline-equals-target"}},
		"metric with a threshold's fields":  {with(metric("0", "1"), func(k *okr.KeyResult) { k.AtLeast, k.AtMost, k.Tolerance = ptr("0"), ptr("1"), ptr("1") }), []string{"/at_least field-not-of-kind", "/at_most field-not-of-kind", "/tolerance field-not-of-kind"}},
		"metric with steps":                 {with(metric("0", "1"), func(k *okr.KeyResult) { k.Steps = milestone("1").Steps }), []string{"/steps field-not-of-kind"}},
		"negative weight":                   {with(metric("0", "1"), func(k *okr.KeyResult) { k.Weight = dec("-1") }), []string{"/weight negative"}},
		"weight zero":                       {with(metric("0", "1"), func(k *okr.KeyResult) { k.Weight = dec("0") }), nil},
		"lower limit":                       {band("1", "", ""), nil},
		"upper limit":                       {band("", "1", "0.1"), nil},
		"limits that meet":                  {band("1", "1.0", ""), nil},
		"limits that cross":                 {band("1.1", "1", ""), []string{"/at_least at-least-above-at-most"}},
		"no limit":                          {band("", "", "1"), []string{"/at_least band-empty"}},
		"tolerance zero":                    {band("1", "", "0"), []string{"/tolerance tolerance-not-positive"}},
		"tolerance below zero":              {band("1", "", "-1"), []string{"/tolerance tolerance-not-positive"}},
		"threshold with a metric's fields":  {with(band("1", "", ""), func(k *okr.KeyResult) { k.Baseline, k.Target, k.Stretch = ptr("0"), ptr("1"), ptr("2") }), []string{"/baseline field-not-of-kind", "/target field-not-of-kind", "/stretch field-not-of-kind"}},
		"threshold with steps":              {with(band("1", "", ""), func(k *okr.KeyResult) { k.Steps = milestone("1").Steps }), []string{"/steps field-not-of-kind"}},
		"steps":                             {milestone("1", "0", "2.5"), nil},
		"no steps":                          {milestone(), []string{"/steps required"}},
		"steps that weigh nothing":          {milestone("0", "0.0"), []string{"/steps weights-all-zero"}},
		"negative step":                     {milestone("2", "-1"), []string{"/steps/1/weight negative"}},
		"the same step twice":               {with(milestone("1", "1"), func(k *okr.KeyResult) { k.Steps[1].ID = k.Steps[0].ID }), []string{"/steps/1/id step-duplicate"}},
		"steps not stored yet":              {okr.KeyResult{Kind: okr.Milestone, Steps: []okr.Step{{Weight: dec("1")}, {Weight: dec("1")}}}, nil},
		"milestone with a target":           {with(milestone("1"), func(k *okr.KeyResult) { k.Target = ptr("1") }), []string{"/target field-not-of-kind"}},
		"no kind":                           {okr.KeyResult{}, []string{"/kind kind-unknown"}},
		"largest and smallest numbers":      {metric("-999999999999999999.999999999999", "0.000000000001"), nil},
		"a digit too many before the point": {metric("0", "-1000000000000000000"), []string{"/target number-out-of-range"}},
		"a digit too many after the point":  {metric("0", "0.0000000000001"), []string{"/target number-out-of-range"}},
		"numbers of endless digits":         {with(metric("1e9999", "1e-9999"), func(k *okr.KeyResult) { k.Weight = decimal.New(1, math.MaxInt32) }), []string{"/baseline number-out-of-range", "/target number-out-of-range", "/weight number-out-of-range"}},
		"a step of endless digits":          {milestone("1", "1e9999"), []string{"/steps/1/weight number-out-of-range"}},
		"a zero of endless digits":          {metric("0e9999", "1"), []string{"/baseline number-out-of-range"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantRefused(t, test.keyResult.Validate(), test.want...)
		})
	}
}

func TestValidateAcceptsWhatIsDrawn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := held().Draw(t, "held").KeyResult
		if k.Stretch != nil && !k.Stretch.Abs().LessThan(dec("1e18")) {
			t.Skip("stretch out of range")
		}
		if refused := k.Validate(); refused != nil {
			t.Fatalf("refused %v", refused)
		}
	})
}

func TestValidateStretchDoesNotDependOnDirection(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, g, s := number().Draw(t, "baseline"), number().Draw(t, "target"), number().Draw(t, "stretch")
		up := okr.KeyResult{Kind: okr.Metric, Baseline: &b, Target: &g, Stretch: &s}
		nb, ng, ns := b.Neg(), g.Neg(), s.Neg()
		down := okr.KeyResult{Kind: okr.Metric, Baseline: &nb, Target: &ng, Stretch: &ns}
		if (up.Validate() == nil) != (down.Validate() == nil) {
			t.Fatalf("rising %v, falling %v", up.Validate(), down.Validate())
		}
		// The stretch is beyond the target exactly where its own progress is above 1.
		beyond := !b.Equal(g) && ratio(s.Sub(b), g.Sub(b)).Cmp(dec("1").Rat()) > 0
		if (up.Validate() == nil) != beyond {
			t.Fatalf("beyond the target: %t, refused %v", beyond, up.Validate())
		}
	})
}

func TestValidateWeights(t *testing.T) {
	t.Parallel()
	weighing := func(weight string, archived bool) okr.KeyResult {
		return okr.KeyResult{Kind: okr.Metric, Weight: dec(weight), Archived: archived}
	}
	const allZero = "/key_results weights-all-zero"
	wantRefused(t, okr.ValidateWeights(nil))
	wantRefused(t, okr.ValidateWeights([]okr.KeyResult{weighing("0", true)}))
	wantRefused(t, okr.ValidateWeights([]okr.KeyResult{weighing("0", false), weighing("0.1", false)}))
	wantRefused(t, okr.ValidateWeights([]okr.KeyResult{weighing("0", false), weighing("0.0", false)}), allZero)
	// Archiving the only one that weighs anything is a write that makes the weights all zero.
	wantRefused(t, okr.ValidateWeights([]okr.KeyResult{weighing("0", false), weighing("1", true)}), allZero)
	wantRefused(t, okr.ValidateWeights([]okr.KeyResult{weighing("1", true), weighing("0", false)}), allZero)
}

func TestStart(t *testing.T) {
	t.Parallel()
	if start := metric("20", "0").Start(); start == nil || !start.Equal(decimal.NewFromInt(20)) {
		t.Errorf("a metric starts at %v, want its baseline", start)
	}
	for _, k := range []okr.KeyResult{band("1", "", ""), milestone("1")} {
		if start := k.Start(); start != nil {
			t.Errorf("a %s starts at %s, want nothing", k.Kind, start)
		}
	}
}
