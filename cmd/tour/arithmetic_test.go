package main

import (
	"math/big"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	first, second := uuid.New(), uuid.New()
	steps := []milestoneStep{{ID: &first, Weight: number("1")}, {ID: &second, Weight: number("2")}}
	for name, c := range map[string]struct {
		keyResult keyResult
		reading   reading
		progress  *big.Rat
		percent   int
	}{
		"pending":           {keyResult{Kind: "metric", Baseline: number("0"), Target: number("3")}, reading{}, big.NewRat(0, 1), 0},
		"rising":            {keyResult{Kind: "metric", Baseline: number("30"), Target: number("45")}, measuring("40"), big.NewRat(2, 3), 67},
		"falling":           {keyResult{Kind: "metric", Baseline: number("5"), Target: number("3")}, measuring("4.5"), big.NewRat(1, 4), 25},
		"beyond":            {keyResult{Kind: "metric", Baseline: number("5"), Target: number("3")}, measuring("2"), big.NewRat(3, 2), 150},
		"wrong way":         {keyResult{Kind: "metric", Baseline: number("0"), Target: number("8")}, measuring("-1"), big.NewRat(-1, 8), -12},
		"nearly":            {keyResult{Kind: "metric", Baseline: number("0"), Target: number("1000")}, measuring("999"), big.NewRat(999, 1000), 99},
		"half up":           {keyResult{Kind: "metric", Baseline: number("0"), Target: number("8")}, measuring("1"), big.NewRat(1, 8), 13},
		"at the limit":      {keyResult{Kind: "threshold", AtLeast: number("99")}, measuring("99"), big.NewRat(1, 1), 100},
		"outside":           {keyResult{Kind: "threshold", AtLeast: number("99")}, measuring("98.9"), big.NewRat(0, 1), 0},
		"within tolerance":  {keyResult{Kind: "threshold", AtMost: number("10"), Tolerance: number("4")}, measuring("11"), big.NewRat(3, 4), 75},
		"beyond tolerance":  {keyResult{Kind: "threshold", AtMost: number("10"), Tolerance: number("4")}, measuring("15"), big.NewRat(0, 1), 0},
		"steps by weight":   {keyResult{Kind: "milestone", Steps: steps}, reading{done: []uuid.UUID{second}}, big.NewRat(2, 3), 67},
		"no step of it yet": {keyResult{Kind: "milestone", Steps: steps}, reading{done: []uuid.UUID{}}, big.NewRat(0, 1), 0},
	} {
		progress := progressOf(c.keyResult, c.reading)
		if progress.Cmp(c.progress) != 0 || percentOf(progress) != c.percent {
			t.Errorf("%s: %s, %d %%; want %s, %d %%", name, progress, percentOf(progress), c.progress, c.percent)
		}
	}
}

func TestRolledUp(t *testing.T) {
	t.Parallel()
	ids := [3]uuid.UUID{uuid.New(), uuid.New(), uuid.New()}
	var all []keyResult
	for i, weight := range []string{"1", "2", "3"} {
		all = append(all, keyResult{ID: &ids[i], Kind: "metric", Baseline: number("0"), Target: number("10"), Weight: number(weight)})
	}
	progress, overshoot := rolledUp(all, map[uuid.UUID]reading{ids[0]: measuring("13"), ids[1]: measuring("-5")}) // the third is pending
	if progress.Cmp(big.NewRat(1, 6)) != 0 || overshoot.Cmp(big.NewRat(3, 60)) != 0 {
		t.Errorf("progress %s, overshoot %s; want 1/6, 1/20", progress, overshoot)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first, last := day("2026-10-01"), day("2026-10-10")
	for _, c := range []struct {
		today    string
		progress *big.Rat
		health   string
	}{
		{"2026-09-20", big.NewRat(0, 1), "on_track"},
		{"2026-10-01", big.NewRat(0, 1), "on_track"},
		{"2026-10-06", big.NewRat(40, 100), "on_track"},
		{"2026-10-06", big.NewRat(39, 100), "at_risk"},
		{"2026-10-06", big.NewRat(20, 100), "at_risk"},
		{"2026-10-06", big.NewRat(19, 100), "off_track"},
		{"2026-10-30", big.NewRat(90, 100), "on_track"},
	} {
		if health := healthOf(c.progress, elapsed(first, last, day(c.today)), false); health != c.health {
			t.Errorf("%s at %s: %s, want %s", c.progress, c.today, health, c.health)
		}
	}
}

func number(s string) *decimal.Decimal {
	d := decimal.RequireFromString(s)
	return &d
}

func measuring(value string) reading { return reading{value: number(value)} }
