package okr_test

import (
	"math/big"
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the zones of these tests do not depend on the machine

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func ptr(s string) *decimal.Decimal {
	d := dec(s)
	return &d
}

// id gives a different id for each n, in the order of n.
func id(n byte) uuid.UUID { return uuid.UUID{15: n} }

func ids(ns ...byte) []uuid.UUID {
	var all []uuid.UUID
	for _, n := range ns {
		all = append(all, id(n))
	}
	return all
}

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func instant(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func metric(baseline, target string) okr.KeyResult {
	return okr.KeyResult{Kind: okr.Metric, Baseline: ptr(baseline), Target: ptr(target), Weight: okr.DefaultWeight}
}

// milestone has steps with the ids 1, 2, 3 and so on.
func milestone(weights ...string) okr.KeyResult {
	k := okr.KeyResult{Kind: okr.Milestone, Weight: okr.DefaultWeight}
	for i, w := range weights {
		k.Steps = append(k.Steps, okr.Step{ID: id(byte(i + 1)), Weight: dec(w)})
	}
	return k
}

// band is a threshold; an empty string leaves the field out.
func band(atLeast, atMost, tolerance string) okr.KeyResult {
	k := okr.KeyResult{Kind: okr.Threshold, Weight: okr.DefaultWeight}
	if atLeast != "" {
		k.AtLeast = ptr(atLeast)
	}
	if atMost != "" {
		k.AtMost = ptr(atMost)
	}
	if tolerance != "" {
		k.Tolerance = ptr(tolerance)
	}
	return k
}

func wantDecimal(t *testing.T, what string, got decimal.Decimal, want string) {
	t.Helper()
	if !got.Equal(dec(want)) {
		t.Errorf("%s = %s, want %s", what, got, want)
	}
}

// wantRefused compares "pointer code" pairs, in order.
func wantRefused(t *testing.T, refused []okr.FieldError, want ...string) {
	t.Helper()
	var got []string
	for _, r := range refused {
		got = append(got, r.Pointer+" "+r.Code)
		if r.Detail == "" {
			t.Errorf("%s %s has no detail", r.Pointer, r.Code)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("refused %q, want %q", got, want)
	}
}

// number draws any decimal a key result may hold, small and round ones often.
func number() *rapid.Generator[decimal.Decimal] {
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) decimal.Decimal {
			return decimal.NewFromInt(rapid.Int64Range(-20, 20).Draw(t, "small"))
		}),
		rapid.Custom(func(t *rapid.T) decimal.Decimal {
			places := rapid.Int32Range(0, okr.MaxFractionDigits).Draw(t, "places")
			return decimal.New(rapid.Int64Range(-1e17, 1e17).Draw(t, "digits"), -places)
		}),
	)
}

func weight() *rapid.Generator[decimal.Decimal] {
	return rapid.Custom(func(t *rapid.T) decimal.Decimal { return number().Draw(t, "weight").Abs() })
}

func metrics() *rapid.Generator[okr.KeyResult] {
	return rapid.Custom(func(t *rapid.T) okr.KeyResult {
		k := okr.KeyResult{Kind: okr.Metric, Weight: weight().Draw(t, "of metric")}
		baseline := number().Draw(t, "baseline")
		target := number().Filter(func(d decimal.Decimal) bool { return !d.Equal(baseline) }).Draw(t, "target")
		k.Baseline, k.Target = &baseline, &target
		if rapid.Bool().Draw(t, "has stretch") {
			stretch := target.Add(target.Sub(baseline))
			k.Stretch = &stretch
		}
		return k
	})
}

func thresholds() *rapid.Generator[okr.KeyResult] {
	return rapid.Custom(func(t *rapid.T) okr.KeyResult {
		k := okr.KeyResult{Kind: okr.Threshold, Weight: weight().Draw(t, "of threshold")}
		limits := []decimal.Decimal{number().Draw(t, "limit"), number().Draw(t, "limit")}
		slices.SortFunc(limits, decimal.Decimal.Cmp)
		switch rapid.IntRange(0, 2).Draw(t, "limits") {
		case 0:
			k.AtLeast = &limits[0]
		case 1:
			k.AtMost = &limits[1]
		case 2:
			k.AtLeast, k.AtMost = &limits[0], &limits[1]
		}
		if rapid.Bool().Draw(t, "has tolerance") {
			tolerance := weight().Filter(decimal.Decimal.IsPositive).Draw(t, "tolerance")
			k.Tolerance = &tolerance
		}
		return k
	})
}

func milestones() *rapid.Generator[okr.KeyResult] {
	return rapid.Custom(func(t *rapid.T) okr.KeyResult {
		k := okr.KeyResult{Kind: okr.Milestone, Weight: weight().Draw(t, "of milestone")}
		sum := decimal.Zero
		for i := range rapid.IntRange(1, 6).Draw(t, "steps") {
			w := weight().Draw(t, "of step")
			sum = sum.Add(w)
			k.Steps = append(k.Steps, okr.Step{ID: id(byte(i + 1)), Weight: w})
		}
		if sum.IsZero() {
			k.Steps[0].Weight = okr.DefaultWeight
		}
		return k
	})
}

// held draws a valid key result and where it stands, at its target or its limit often.
func held() *rapid.Generator[okr.Held] {
	return rapid.Custom(func(t *rapid.T) okr.Held {
		k := rapid.OneOf(metrics(), thresholds(), milestones()).Draw(t, "key result")
		k.Archived = rapid.IntRange(0, 9).Draw(t, "archived") == 0
		h := okr.Held{ID: id(rapid.Byte().Draw(t, "id")), KeyResult: k}
		if rapid.IntRange(0, 4).Draw(t, "pending") == 0 {
			return h
		}
		if k.Kind == okr.Milestone {
			for _, s := range k.Steps {
				if rapid.Bool().Draw(t, "done") {
					h.Done = append(h.Done, s.ID)
				}
			}
			return h
		}
		value := number().Draw(t, "value")
		for _, edge := range []*decimal.Decimal{k.Baseline, k.Target, k.AtLeast, k.AtMost} {
			if edge != nil && rapid.IntRange(0, 3).Draw(t, "at the edge") == 0 {
				value = *edge
			}
		}
		h.Value = &value
		return h
	})
}

// ratio is a/b exactly.
func ratio(a, b decimal.Decimal) *big.Rat { return new(big.Rat).Quo(a.Rat(), b.Rat()) }
