package okr_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func standing(progress, weight string) okr.Standing {
	return okr.Standing{Progress: dec(progress), Weight: dec(weight)}
}

func wantTotal(t *testing.T, got okr.Total, progress, overshoot string, flags okr.Total) {
	t.Helper()
	wantDecimal(t, "progress", got.Progress, progress)
	wantDecimal(t, "overshoot", got.Overshoot, overshoot)
	if got.Pending != flags.Pending || got.Empty != flags.Empty || got.Withheld != flags.Withheld {
		t.Errorf("pending %t, empty %t, withheld %t; want %t, %t, %t",
			got.Pending, got.Empty, got.Withheld, flags.Pending, flags.Empty, flags.Withheld)
	}
}

func TestRollUp(t *testing.T) {
	t.Parallel()
	pending := okr.Standing{Progress: dec("1"), Weight: dec("1"), Pending: true}
	archived := okr.Standing{Progress: dec("1"), Weight: dec("5"), Archived: true}
	none := okr.Total{}
	tests := map[string]struct {
		standings           []okr.Standing
		progress, overshoot string
		flags               okr.Total
	}{
		"one":                             {[]okr.Standing{standing("0.29", "1")}, "0.29", "0", none},
		"weights count":                   {[]okr.Standing{standing("1", "3"), standing("0", "1")}, "0.75", "0", none},
		"small weights count":             {[]okr.Standing{standing("1", "0.3"), standing("0", "0.1")}, "0.75", "0", none},
		"weight zero does not count":      {[]okr.Standing{standing("1", "0"), standing("0.2", "1")}, "0.2", "0", none},
		"overshoot does not make up":      {[]okr.Standing{standing("3", "1"), standing("0", "1")}, "0.5", "1", none},
		"overshoot of a zero weight":      {[]okr.Standing{standing("3", "0"), standing("0", "1")}, "0", "0", none},
		"a fall below does not drag":      {[]okr.Standing{standing("-4", "1"), standing("1", "1")}, "0.5", "0", none},
		"pending counts as 0":             {[]okr.Standing{pending, standing("1", "1")}, "0.5", "0", none},
		"all pending":                     {[]okr.Standing{pending, pending}, "0", "0", okr.Total{Pending: true}},
		"pending beside archived":         {[]okr.Standing{pending, archived}, "0", "0", okr.Total{Pending: true}},
		"archived is out":                 {[]okr.Standing{archived, standing("0.5", "1")}, "0.5", "0", none},
		"only archived":                   {[]okr.Standing{archived}, "0", "0", okr.Total{Empty: true}},
		"nothing":                         {nil, "0", "0", okr.Total{Empty: true}},
		"all zero":                        {[]okr.Standing{standing("1", "0"), standing("1", "0")}, "0", "0", okr.Total{Empty: true}},
		"a third and a sixth, rounded":    {[]okr.Standing{standing("0.333333333333333333", "1"), standing("0.166666666666666666", "1")}, "0.249999999999999999", "0", none},
		"one short of the target, barely": {[]okr.Standing{standing("0.999999999999999999", "0.000000000001"), standing("1", "999999999999999999")}, "0.999999999999999999", "0", none},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantTotal(t, okr.RollUp(test.standings), test.progress, test.overshoot, test.flags)
		})
	}
}

func standings() *rapid.Generator[[]okr.Standing] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) okr.Standing {
		h := held().Draw(t, "held")
		return okr.Standing{
			Progress: h.KeyResult.Progress(h.Value, h.Done),
			Weight:   h.KeyResult.Weight,
			Pending:  h.Value == nil && h.Done == nil,
			Archived: h.KeyResult.Archived,
		}
	}), 0, 6)
}

func TestRollUpStaysBetweenItsParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := standings().Draw(t, "standings")
		total := okr.RollUp(all)
		least, most, weighed := dec("1"), dec("0"), false
		for _, s := range all {
			if s.Archived || s.Weight.IsZero() {
				continue
			}
			progress := okr.Clamp(s.Progress)
			if s.Pending {
				progress = decimal.Zero
			}
			least, most, weighed = decimal.Min(least, progress), decimal.Max(most, progress), true
		}
		if total.Empty == weighed {
			t.Fatalf("empty %t, something weighs %t", total.Empty, weighed)
		}
		if weighed && (total.Progress.LessThan(least) || total.Progress.GreaterThan(most)) {
			t.Fatalf("%s is not between %s and %s", total.Progress, least, most)
		}
		if okr.Reached(total.Progress) && !least.Equal(dec("1")) {
			t.Fatalf("reached, though one is at %s", least)
		}
	})
}

func TestRollUpDoesNotDependOnTheScaleOfWeightsOrTheOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := standings().Draw(t, "standings")
		factor := weight().Filter(decimal.Decimal.IsPositive).Draw(t, "factor")
		before := okr.RollUp(all)
		scaled := rapid.Permutation(all).Draw(t, "order")
		for i := range scaled {
			scaled[i].Weight = scaled[i].Weight.Mul(factor)
		}
		after := okr.RollUp(scaled)
		if !after.Progress.Equal(before.Progress) || !after.Overshoot.Equal(before.Overshoot) ||
			after.Pending != before.Pending || after.Empty != before.Empty {
			t.Fatalf("%+v became %+v", before, after)
		}
	})
}

func TestMean(t *testing.T) {
	t.Parallel()
	objective := func(state okr.ObjectiveState, progress string) okr.ObjectiveStanding {
		return okr.ObjectiveStanding{State: state, Total: okr.Total{Progress: dec(progress)}}
	}
	hidden := func(o okr.ObjectiveStanding) okr.ObjectiveStanding {
		o.Hidden = true
		return o
	}
	approved, closed := objective(okr.ObjectiveApproved, "0.4"), objective(okr.ObjectiveClosed, "1")
	draft, submitted, archived := objective(okr.ObjectiveDraft, "1"), objective(okr.ObjectiveSubmitted, "1"), objective(okr.ObjectiveArchived, "1")
	overshooting := okr.ObjectiveStanding{State: okr.ObjectiveApproved, Total: okr.Total{Progress: dec("1"), Overshoot: dec("0.5")}}
	pending := okr.ObjectiveStanding{State: okr.ObjectiveApproved, Total: okr.Total{Pending: true}}
	empty := okr.ObjectiveStanding{State: okr.ObjectiveApproved, Total: okr.Total{Empty: true}}
	tests := map[string]struct {
		objectives          []okr.ObjectiveStanding
		progress, overshoot string
		flags               okr.Total
	}{
		"approved and closed":              {[]okr.ObjectiveStanding{approved, closed}, "0.7", "0", okr.Total{}},
		"the others are out":               {[]okr.ObjectiveStanding{draft, approved, submitted, archived}, "0.4", "0", okr.Total{}},
		"none that counts":                 {[]okr.ObjectiveStanding{draft, submitted, archived}, "0", "0", okr.Total{Empty: true}},
		"none":                             {nil, "0", "0", okr.Total{Empty: true}},
		"overshoot stands beside":          {[]okr.ObjectiveStanding{overshooting, pending}, "0.5", "0.25", okr.Total{}},
		"pending counts as 0":              {[]okr.ObjectiveStanding{closed, pending}, "0.5", "0", okr.Total{}},
		"no number counts as 0":            {[]okr.ObjectiveStanding{closed, empty}, "0.5", "0", okr.Total{}},
		"all pending":                      {[]okr.ObjectiveStanding{pending, empty}, "0", "0", okr.Total{Pending: true}},
		"one, hidden":                      {[]okr.ObjectiveStanding{hidden(closed)}, "0", "0", okr.Total{Withheld: true}},
		"two, one hidden":                  {[]okr.ObjectiveStanding{approved, hidden(overshooting)}, "0", "0", okr.Total{Withheld: true}},
		"two, none hidden":                 {[]okr.ObjectiveStanding{approved, approved}, "0.4", "0", okr.Total{}},
		"three, one hidden":                {[]okr.ObjectiveStanding{approved, approved, hidden(closed)}, "0.6", "0", okr.Total{}},
		"three, all hidden":                {[]okr.ObjectiveStanding{hidden(approved), hidden(approved), hidden(closed)}, "0.6", "0", okr.Total{}},
		"drafts do not fill up the group":  {[]okr.ObjectiveStanding{approved, hidden(closed), draft, draft}, "0", "0", okr.Total{Withheld: true}},
		"a hidden draft gives nothing off": {[]okr.ObjectiveStanding{approved, hidden(draft)}, "0.4", "0", okr.Total{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantTotal(t, okr.Mean(test.objectives), test.progress, test.overshoot, test.flags)
		})
	}
}

// Where a number is withheld nothing of what is hidden shows in it, and where it is shown three or more stand behind it.
func TestSmallGroupsGiveNothingAway(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		states := []okr.ObjectiveState{okr.ObjectiveDraft, okr.ObjectiveSubmitted, okr.ObjectiveApproved, okr.ObjectiveClosed, okr.ObjectiveArchived}
		group := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) okr.ObjectiveStanding {
			return okr.ObjectiveStanding{State: rapid.SampledFrom(states).Draw(t, "state"), Hidden: rapid.Bool().Draw(t, "hidden"),
				Total: okr.Total{Progress: okr.Clamp(number().Draw(t, "progress"))}}
		}), 0, 6).Draw(t, "group")
		counted, hidden := 0, false
		for _, o := range group {
			if o.State.Counts() {
				counted++
				hidden = hidden || o.Hidden
			}
		}
		total := okr.Mean(group)
		if total.Withheld != (hidden && counted < 3) {
			t.Fatalf("%+v of %d, one hidden %t", total, counted, hidden)
		}
		if total.Withheld && (!total.Progress.IsZero() || !total.Overshoot.IsZero() || total.Pending || total.Empty) {
			t.Fatalf("withheld, and still %+v", total)
		}
		if total.Progress.IsNegative() || total.Progress.GreaterThan(dec("1")) {
			t.Fatalf("a mean of %s", total.Progress)
		}
	})
}
