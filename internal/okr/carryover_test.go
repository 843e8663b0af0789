package okr_test

import (
	"reflect"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func TestCarryOver(t *testing.T) {
	t.Parallel()
	stretched := metric("100", "50")
	stretched.Stretch = ptr("40")
	archived := metric("0", "10")
	archived.Archived = true
	with := func(k okr.KeyResult, weight string) okr.KeyResult {
		k.Weight = dec(weight)
		return k
	}
	falling := metric("70", "50")
	falling.Stretch = ptr("40")
	lastStep := milestone("1", "3")
	lastStep.Steps = lastStep.Steps[1:]
	tests := map[string]struct {
		held okr.Held
		skip okr.Skip
		want okr.KeyResult
	}{
		"metric starts where it is":        {okr.Held{KeyResult: metric("0", "10"), Value: ptr("4")}, "", metric("4", "10")},
		"falling metric too":               {okr.Held{KeyResult: stretched, Value: ptr("70")}, "", falling},
		"metric that went the wrong way":   {okr.Held{KeyResult: metric("0", "10"), Value: ptr("-4")}, "", metric("-4", "10")},
		"metric never checked in":          {okr.Held{KeyResult: metric("3", "10")}, "", metric("3", "10")},
		"metric at its target":             {okr.Held{KeyResult: metric("0", "10"), Value: ptr("10")}, okr.SkipReached, okr.KeyResult{}},
		"falling metric at its target":     {okr.Held{KeyResult: stretched, Value: ptr("50")}, okr.SkipReached, okr.KeyResult{}},
		"metric beyond its target":         {okr.Held{KeyResult: metric("0", "10"), Value: ptr("11")}, okr.SkipReached, okr.KeyResult{}},
		"metric a hair short of it":        {okr.Held{KeyResult: metric("0", "10"), Value: ptr("9.999999999999")}, "", metric("9.999999999999", "10")},
		"threshold inside keeps its band":  {okr.Held{KeyResult: band("1", "3", "1"), Value: ptr("2")}, "", band("1", "3", "1")},
		"threshold outside keeps its band": {okr.Held{KeyResult: band("1", "", ""), Value: ptr("0")}, "", band("1", "", "")},
		"milestone keeps what is left":     {okr.Held{KeyResult: milestone("1", "3"), Done: ids(1)}, "", lastStep},
		"milestone never checked in":       {okr.Held{KeyResult: milestone("1", "3")}, "", milestone("1", "3")},
		"milestone that is done":           {okr.Held{KeyResult: milestone("1", "3"), Done: ids(1, 2)}, okr.SkipReached, okr.KeyResult{}},
		"milestone but for a weightless":   {okr.Held{KeyResult: milestone("1", "0"), Done: ids(1)}, okr.SkipReached, okr.KeyResult{}},
		"archived":                         {okr.Held{KeyResult: archived, Value: ptr("4")}, okr.SkipArchived, okr.KeyResult{}},
		"weight is kept":                   {okr.Held{KeyResult: with(metric("0", "10"), "2.5"), Value: ptr("4")}, "", with(metric("4", "10"), "2.5")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.held.ID = id(7)
			preview := okr.CarryOver([]okr.Held{test.held})
			want := okr.Carried{From: id(7), Skip: test.skip, KeyResult: test.want}
			if len(preview.KeyResults) != 1 || !reflect.DeepEqual(preview.KeyResults[0], want) {
				t.Errorf("carried %+v, want %+v", preview.KeyResults, want)
			}
		})
	}
}

func TestCarryOverOfWhatWeighedNothing(t *testing.T) {
	t.Parallel()
	reached, left := metric("0", "10"), metric("0", "10")
	left.Weight = dec("0")
	preview := okr.CarryOver([]okr.Held{
		{ID: id(1), KeyResult: reached, Value: ptr("10")},
		{ID: id(2), KeyResult: left, Value: ptr("5")},
	})
	if !preview.WeightsReset {
		t.Error("the weights of the copy are all zero")
	}
	wantDecimal(t, "weight of the one left", preview.KeyResults[1].KeyResult.Weight, "1")
	wantDecimal(t, "weight of the one skipped", preview.KeyResults[0].KeyResult.Weight, "0")

	if preview := okr.CarryOver([]okr.Held{{ID: id(1), KeyResult: reached, Value: ptr("10")}}); preview.WeightsReset {
		t.Error("weights were reset, though nothing is carried")
	}
}

// A copy may be stored as it is, and carrying it over with nothing checked in since gives it again.
func TestCarryOverIsIdempotent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfN(held(), 0, 5).Draw(t, "held")
		for _, h := range before {
			if h.KeyResult.Validate() != nil {
				t.Skip("stretch out of range")
			}
		}
		first := okr.CarryOver(before)
		if !reflect.DeepEqual(first, okr.CarryOver(before)) {
			t.Fatal("twice the same gives something else")
		}

		var again []okr.Held
		var copies []okr.KeyResult
		for _, c := range first.KeyResults {
			if c.Skip == "" {
				copies = append(copies, c.KeyResult)
				again = append(again, okr.Held{ID: c.From, KeyResult: c.KeyResult})
				if refused := c.KeyResult.Validate(); refused != nil {
					t.Fatalf("the copy is refused: %v", refused)
				}
				if progress := c.KeyResult.Progress(c.KeyResult.Start(), nil); !progress.IsZero() {
					t.Fatalf("the copy starts at %s", progress)
				}
			}
		}
		if refused := okr.ValidateWeights(copies); refused != nil {
			t.Fatalf("the copies are refused: %v", refused)
		}
		second := okr.CarryOver(again)
		if second.WeightsReset || len(second.KeyResults) != len(copies) {
			t.Fatalf("%+v became %+v", first, second)
		}
		for i, c := range second.KeyResults {
			if c.Skip != "" || !reflect.DeepEqual(c.KeyResult, copies[i]) {
				t.Fatalf("%+v became %+v", copies[i], c)
			}
		}
	})
}

func TestCarryOverSharesNothingWithTheOriginal(t *testing.T) {
	t.Parallel()
	original, steps := metric("0", "10"), milestone("1", "1")
	value := ptr("4")
	preview := okr.CarryOver([]okr.Held{{KeyResult: original, Value: value}, {KeyResult: steps}})
	copied := preview.KeyResults[0].KeyResult
	*copied.Baseline, *copied.Target = dec("99"), dec("99")
	preview.KeyResults[1].KeyResult.Steps[0].Weight = dec("99")
	wantDecimal(t, "the original's target", *original.Target, "10")
	wantDecimal(t, "the value", *value, "4")
	wantDecimal(t, "the original's step", steps.Steps[0].Weight, "1")
}

func TestRealign(t *testing.T) {
	t.Parallel()
	copies := map[uuid.UUID]uuid.UUID{id(1): id(11)}
	if to, stale := okr.Realign(id(1), copies); to != id(11) || stale {
		t.Errorf("aligned to %s, stale %t; want the parent's copy", to, stale)
	}
	if to, stale := okr.Realign(id(2), copies); to != id(2) || !stale {
		t.Errorf("aligned to %s, stale %t; want the old parent, flagged", to, stale)
	}
}

func TestWhetherAnythingIsLeftToCarry(t *testing.T) {
	t.Parallel()
	reached := okr.Held{KeyResult: metric("0", "10"), Value: ptr("10")}
	open := okr.Held{KeyResult: metric("0", "10"), Value: ptr("9")}
	archived := open
	archived.KeyResult.Archived = true
	tests := map[string]struct {
		held []okr.Held
		want okr.Skip
	}{
		"none at all":                     {nil, ""},
		"none that counts":                {[]okr.Held{archived}, ""},
		"one that is open":                {[]okr.Held{open}, ""},
		"one of two is open":              {[]okr.Held{reached, open}, ""},
		"a threshold inside its band":     {[]okr.Held{{KeyResult: band("1", "3", ""), Value: ptr("2")}}, ""},
		"all reached":                     {[]okr.Held{reached, reached}, okr.SkipNothingLeft},
		"all that count reached":          {[]okr.Held{archived, reached}, okr.SkipNothingLeft},
		"reached, and a band to be kept":  {[]okr.Held{reached, {KeyResult: band("1", "", "")}}, ""},
		"reached, and one never measured": {[]okr.Held{reached, {KeyResult: milestone("1")}}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := okr.CarryOver(test.held).Skip(); got != test.want {
				t.Errorf("skipped for %q, want %q", got, test.want)
			}
		})
	}
}

// An objective that is carried over has something in its copy, unless there was nothing that could have been.
func TestNothingEmptyIsCarried(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		preview := okr.CarryOver(rapid.SliceOfN(held(), 0, 5).Draw(t, "held"))
		counted, copied := 0, 0
		for _, c := range preview.KeyResults {
			if c.Skip != okr.SkipArchived {
				counted++
			}
			if c.Skip == "" {
				copied++
			}
		}
		if skipped := preview.Skip() != ""; skipped != (counted > 0 && copied == 0) {
			t.Fatalf("skipped %t, with %d of %d key results to carry", skipped, copied, counted)
		}
	})
}
