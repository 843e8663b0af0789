package okr_test

import (
	"math/big"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func TestProgressOfValue(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		keyResult okr.KeyResult
		value     string
		want      string
	}{
		"rising, half way":             {metric("0", "10"), "5", "0.5"},
		"rising, at the baseline":      {metric("3", "10"), "3", "0"},
		"rising, at the target":        {metric("3", "10"), "10", "1"},
		"rising, beyond the target":    {metric("0", "10"), "15", "1.5"},
		"rising, below the baseline":   {metric("0", "10"), "-5", "-0.5"},
		"falling, half way":            {metric("10", "0"), "5", "0.5"},
		"falling, at the baseline":     {metric("10", "3"), "10", "0"},
		"falling, at the target":       {metric("10", "3"), "3", "1"},
		"falling, beyond the target":   {metric("10", "5"), "2.5", "1.5"},
		"falling, above the baseline":  {metric("10", "5"), "12.5", "-0.5"},
		"falling below zero":           {metric("-10", "-20"), "-15", "0.5"},
		"across zero":                  {metric("-1", "1"), "0", "0.5"},
		"29 of 100":                    {metric("0", "100"), "29", "0.29"},
		"a third is rounded down":      {metric("0", "3"), "1", "0.333333333333333333"},
		"also below zero":              {metric("0", "3"), "-1", "-0.333333333333333334"},
		"a hair short of the target":   {metric("0", "999999999999999999"), "999999999999999998.999999999999", "0.999999999999999999"},
		"a hair below the baseline":    {metric("0", "999999999999999999"), "-0.000000000001", "-0.000000000000000001"},
		"no span":                      {metric("5", "5"), "5", "0"},
		"inside the band":              {band("1", "3", "1"), "2", "1"},
		"at the lower limit":           {band("1", "3", "1"), "1", "1"},
		"at the upper limit":           {band("1", "3", "1"), "3", "1"},
		"half the tolerance below":     {band("1", "3", "1"), "0.5", "0.5"},
		"half the tolerance above":     {band("1", "3", "1"), "3.5", "0.5"},
		"the whole tolerance below":    {band("1", "3", "1"), "0", "0"},
		"more than the tolerance away": {band("1", "3", "1"), "100", "0"},
		"no tolerance, at the limit":   {band("1", "", ""), "1", "1"},
		"no tolerance, outside":        {band("1", "", ""), "0.999", "0"},
		"no lower limit":               {band("", "3", "3"), "-1000", "1"},
		"no upper limit":               {band("1", "", "1"), "1000", "1"},
		"a hair outside the band":      {band("1", "", "999999999999999999"), "0.999999999999", "0.999999999999999999"},
		"no band":                      {band("", "", "1"), "1", "0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantDecimal(t, "progress", test.keyResult.Progress(ptr(test.value), nil), test.want)
		})
	}
}

func TestProgressOfSteps(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		keyResult okr.KeyResult
		done      []uuid.UUID
		want      string
	}{
		"none done":               {milestone("1", "3"), nil, "0"},
		"the light one":           {milestone("1", "3"), ids(1), "0.25"},
		"the heavy one":           {milestone("1", "3"), ids(2), "0.75"},
		"all done":                {milestone("1", "1", "1"), ids(3, 1, 2), "1"},
		"one that weighs nothing": {milestone("0", "3"), ids(1), "0"},
		"all that weigh anything": {milestone("0", "3"), ids(2), "1"},
		"the same one twice":      {milestone("1", "3"), ids(1, 1), "0.25"},
		"one it does not have":    {milestone("1", "3"), ids(9), "0"},
		"weights that do not add": {milestone("0.1", "0.2"), ids(1), "0.333333333333333333"},
		"no steps":                {milestone(), ids(1), "0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantDecimal(t, "progress", test.keyResult.Progress(nil, test.done), test.want)
		})
	}
}

func TestProgressBeforeAnyCheckIn(t *testing.T) {
	t.Parallel()
	for _, k := range []okr.KeyResult{metric("5", "10"), band("", "0", "1"), milestone("1"), {}} {
		wantDecimal(t, string(k.Kind)+" progress", k.Progress(nil, nil), "0")
	}
}

func TestProgressIgnoresTheOtherKindsArgument(t *testing.T) {
	t.Parallel()
	wantDecimal(t, "metric", metric("0", "10").Progress(ptr("5"), ids(1)), "0.5")
	wantDecimal(t, "milestone", milestone("1", "1").Progress(ptr("10"), ids(1)), "0.5")
}

// Progress is the exact quotient rounded down at the last digit, and so on the exact quotient's side of 0 and of 1.
func TestProgressIsRoundedDown(t *testing.T) {
	t.Parallel()
	unit := decimal.New(1, -okr.Scale).Rat()
	rapid.Check(t, func(t *rapid.T) {
		k := metrics().Draw(t, "metric")
		value := rapid.OneOf(number(), rapid.Custom(func(t *rapid.T) decimal.Decimal {
			hair := decimal.New(rapid.Int64Range(-2, 2).Draw(t, "hairs"), -okr.MaxFractionDigits)
			return rapid.SampledFrom([]decimal.Decimal{*k.Baseline, *k.Target}).Draw(t, "edge").Add(hair)
		})).Draw(t, "value")
		progress := k.Progress(&value, nil)
		exact := ratio(value.Sub(*k.Baseline), k.Target.Sub(*k.Baseline))

		lost := new(big.Rat).Sub(exact, progress.Rat())
		if lost.Sign() < 0 || lost.Cmp(unit) >= 0 {
			t.Fatalf("progress %s lost %s", progress, lost)
		}
		if progress.Exponent() < -okr.Scale {
			t.Fatalf("progress %s has more than %d digits", progress, okr.Scale)
		}
		if okr.Reached(progress) != (exact.Cmp(dec("1").Rat()) >= 0) {
			t.Fatalf("progress %s is on the other side of 1 than %s", progress, exact)
		}
		if progress.IsNegative() != (exact.Sign() < 0) {
			t.Fatalf("progress %s is on the other side of 0 than %s", progress, exact)
		}
	})
}

func TestProgressDoesNotDependOnDirection(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k, value := metrics().Draw(t, "metric"), number().Draw(t, "value")
		baseline, target, mirroredValue := k.Baseline.Neg(), k.Target.Neg(), value.Neg()
		mirrored := okr.KeyResult{Kind: okr.Metric, Baseline: &baseline, Target: &target}
		if there, back := k.Progress(&value, nil), mirrored.Progress(&mirroredValue, nil); !there.Equal(back) {
			t.Fatalf("%s one way, %s the other", there, back)
		}
		// Walking back from the target, what is gone is what was left: the two add up to 1, but for the last digit.
		reversed := okr.KeyResult{Kind: okr.Metric, Baseline: k.Target, Target: k.Baseline}
		sum := k.Progress(&value, nil).Add(reversed.Progress(&value, nil))
		if missing := dec("1").Sub(sum); missing.IsNegative() || missing.GreaterThan(decimal.New(1, -okr.Scale)) {
			t.Fatalf("there and back add up to %s", sum)
		}
	})
}

func TestThresholdIsReachedExactlyInsideTheBand(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := thresholds().Draw(t, "threshold")
		edge := k.AtLeast
		if edge == nil || k.AtMost != nil && rapid.Bool().Draw(t, "upper") {
			edge = k.AtMost
		}
		hair := decimal.New(rapid.Int64Range(-1, 1).Draw(t, "hairs"), -okr.MaxFractionDigits)
		value := rapid.OneOf(number(), rapid.Just(edge.Add(hair))).Draw(t, "value")
		progress := k.Progress(&value, nil)
		inside := (k.AtLeast == nil || value.GreaterThanOrEqual(*k.AtLeast)) && (k.AtMost == nil || value.LessThanOrEqual(*k.AtMost))
		if inside != okr.Reached(progress) || !okr.Clamp(progress).Equal(progress) {
			t.Fatalf("inside the band: %t, progress %s", inside, progress)
		}
	})
}

func TestMilestoneGrowsWithEachStep(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := milestones().Draw(t, "milestone")
		var done []uuid.UUID
		before := decimal.Zero
		for _, s := range k.Steps {
			done = append(done, s.ID)
			after := k.Progress(nil, done)
			if after.LessThan(before) || after.GreaterThan(dec("1")) {
				t.Fatalf("progress went from %s to %s", before, after)
			}
			before = after
		}
		if !before.Equal(dec("1")) {
			t.Fatalf("all steps are done, progress %s", before)
		}
	})
}

func TestClamp(t *testing.T) {
	t.Parallel()
	for progress, want := range map[string]string{"-0.1": "0", "0": "0", "0.5": "0.5", "1": "1", "1.000000000000000001": "1"} {
		wantDecimal(t, "clamped "+progress, okr.Clamp(dec(progress)), want)
	}
}
