package okr_test

import (
	"math/big"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func TestPercent(t *testing.T) {
	t.Parallel()
	tests := []struct {
		progress       string
		percent, total int
	}{
		{"0", 0, 0},
		{"0.29", 29, 29},
		{"0.004999999999", 0, 0},
		{"0.005", 1, 1},
		{"0.0049999999999999", 1, 1}, // half a percent, but for the digits a quotient loses
		{"0.125", 13, 13},
		{"0.124999999999999999", 13, 13},
		{"0.985", 99, 99},
		{"0.995", 99, 99},
		{"0.999999999999999999", 99, 99},
		{"1", 100, 100},
		{"1.004999999999", 100, 100},
		{"1.005", 101, 101},
		{"-0.004", 0, 0},
		{"-0.005", 0, 0},
		{"-0.006", -1, 0},
		{"-0.125", -12, 0},
		{"-3", -300, 0},
		{"1e30", 2147483647, 2147483647},
		{"-1e30", -2147483648, 0},
	}
	for _, test := range tests {
		if got := okr.Percent(dec(test.progress)); got != test.percent {
			t.Errorf("Percent(%s) = %d, want %d", test.progress, got, test.percent)
		}
		if got := okr.PercentRollUp(dec(test.progress)); got != test.total {
			t.Errorf("PercentRollUp(%s) = %d, want %d", test.progress, got, test.total)
		}
	}
}

// Every whole number of a hundred shows as itself, whatever the way there. Floats turn some into the one below.
func TestPercentOfHundredths(t *testing.T) {
	t.Parallel()
	up, down := metric("0", "1.1"), metric("1.1", "0")
	for n := range int64(101) {
		value := dec("0.011").Mul(decimal.NewFromInt(n))
		left := dec("1.1").Sub(value)
		if got := okr.Percent(up.Progress(&value, nil)); got != int(n) {
			t.Errorf("rising, %d %% is shown as %d %%", n, got)
		}
		if got := okr.Percent(down.Progress(&left, nil)); got != int(n) {
			t.Errorf("falling, %d %% is shown as %d %%", n, got)
		}
	}
}

// The percentage of a roll-up is the exact one, rounded half up once, though each quotient on the way was rounded down.
func TestPercentOfRollUpIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		exact, weights := new(big.Rat), new(big.Rat)
		var all []okr.Standing
		for range rapid.IntRange(1, 5).Draw(t, "key results") {
			target := rapid.Int64Range(1, 60).Draw(t, "target")
			value := decimal.NewFromInt(rapid.Int64Range(0, target).Draw(t, "value"))
			w := rapid.Int64Range(1, 8).Draw(t, "weight")
			k := okr.KeyResult{Kind: okr.Metric, Baseline: ptr("0"), Target: new(decimal.NewFromInt(target))}
			all = append(all, okr.Standing{Progress: k.Progress(&value, nil), Weight: decimal.NewFromInt(w)})
			exact.Add(exact, new(big.Rat).Mul(big.NewRat(w, target), value.Rat()))
			weights.Add(weights, big.NewRat(w, 1))
		}
		exact.Quo(exact, weights)
		percent := new(big.Rat).Add(new(big.Rat).Mul(exact, big.NewRat(100, 1)), big.NewRat(1, 2))
		want := int(new(big.Int).Quo(percent.Num(), percent.Denom()).Int64())
		if exact.Cmp(big.NewRat(1, 1)) < 0 {
			want = min(want, 99)
		}
		if got := okr.PercentRollUp(okr.RollUp(all).Progress); got != want {
			t.Fatalf("%s is shown as %d %%, want %d %%", exact, got, want)
		}
	})
}

func TestPercentIs100OnlyFromTheTargetOn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := metrics().Draw(t, "metric")
		hair := decimal.New(rapid.Int64Range(-3, 3).Draw(t, "hairs"), -okr.MaxFractionDigits)
		value := k.Target.Add(hair)
		reached := value.Cmp(*k.Target)*k.Target.Cmp(*k.Baseline) >= 0
		if percent := okr.Percent(k.Progress(&value, nil)); (percent >= 100) != reached {
			t.Fatalf("reached: %t, shown as %d %%", reached, percent)
		}
	})
}

func TestColourFollowsBetterNotHigher(t *testing.T) {
	t.Parallel()
	rising, falling, limit := metric("0", "10"), metric("10", "0"), band("", "5", "5")
	tests := map[string]struct {
		keyResult     okr.KeyResult
		before, after string
		trend         okr.Trend
		colour        okr.Colour
	}{
		"rising metric rises":      {rising, "2", "3", okr.Better, okr.Green},
		"rising metric falls":      {rising, "3", "2", okr.Worse, okr.Red},
		"falling metric falls":     {falling, "8", "7", okr.Better, okr.Green},
		"falling metric rises":     {falling, "7", "8", okr.Worse, okr.Red},
		"falling metric falls on":  {falling, "-1", "-2", okr.Better, okr.Green},
		"metric stays":             {falling, "8", "8.0", okr.Steady, okr.Grey},
		"threshold is come nearer": {limit, "9", "6", okr.Better, okr.Green},
		"threshold is held":        {limit, "1", "5", okr.Steady, okr.Grey},
		"threshold is overstepped": {limit, "5", "6", okr.Worse, okr.Red},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trend := okr.TrendOf(test.keyResult.Progress(ptr(test.before), nil), test.keyResult.Progress(ptr(test.after), nil))
			if trend != test.trend || trend.Colour() != test.colour {
				t.Errorf("%s in %s, want %s in %s", trend, trend.Colour(), test.trend, test.colour)
			}
		})
	}
}

func TestColourOfHealth(t *testing.T) {
	t.Parallel()
	for health, want := range map[okr.Health]okr.Colour{
		okr.HealthOnTrack: okr.Green, okr.HealthAtRisk: okr.Yellow, okr.HealthOffTrack: okr.Red, okr.HealthPending: okr.Grey,
	} {
		if got := health.Colour(); got != want {
			t.Errorf("%s is %s, want %s", health, got, want)
		}
	}
}
