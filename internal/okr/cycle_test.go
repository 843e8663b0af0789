package okr_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func TestMayBecome(t *testing.T) {
	t.Parallel()
	states := []okr.CycleState{okr.CyclePreparation, okr.CycleActive, okr.CycleClosed, "", "unheard of"}
	for i, from := range states {
		for j, to := range states {
			want := i < 2 && j == i+1
			if got := from.MayBecome(to); got != want {
				t.Errorf("%q may become %q: %t", from, to, got)
			}
		}
	}
}

func TestMayDraft(t *testing.T) {
	t.Parallel()
	for state, want := range map[okr.CycleState]bool{
		okr.CyclePreparation: true, okr.CycleActive: true, okr.CycleClosed: false, "": false,
	} {
		if got := state.MayDraft(); got != want {
			t.Errorf("may draft in %q: %t", state, got)
		}
	}
}

func TestMayCheckIn(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		state         okr.CycleState
		endsOn, today string
		graceDays     int
		want          bool
	}{
		"in preparation":               {okr.CyclePreparation, "2026-12-31", "2026-12-01", 7, false},
		"while active":                 {okr.CycleActive, "2026-12-31", "2026-12-01", 7, true},
		"closed":                       {okr.CycleClosed, "2026-12-31", "2026-12-01", 7, false},
		"closed, in the days of grace": {okr.CycleClosed, "2026-12-31", "2027-01-03", 7, false},
		"on the last day":              {okr.CycleActive, "2026-12-31", "2026-12-31", 0, true},
		"no days of grace":             {okr.CycleActive, "2026-12-31", "2027-01-01", 0, false},
		"on the last day of grace":     {okr.CycleActive, "2026-12-31", "2027-01-07", 7, true},
		"after the last day of grace":  {okr.CycleActive, "2026-12-31", "2027-01-08", 7, false},
		"over a leap day":              {okr.CycleActive, "2028-02-27", "2028-03-05", 7, true},
		"after a leap day":             {okr.CycleActive, "2028-02-27", "2028-03-06", 7, false},
		"a year after nobody closed":   {okr.CycleActive, "2026-12-31", "2027-12-31", 7, false},
		"default grace, last day":      {okr.CycleActive, "2026-12-31", "2027-01-07", okr.DefaultGraceDays, true},
		"default grace, over":          {okr.CycleActive, "2026-12-31", "2027-01-08", okr.DefaultGraceDays, false},
		"unheard of":                   {"unheard of", "2026-12-31", "2026-12-01", 7, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := okr.MayCheckIn(test.state, day(test.endsOn), test.graceDays, day(test.today)); got != test.want {
				t.Errorf("%t, want %t", got, test.want)
			}
		})
	}
}

// The last day of grace ends with the organisation's midnight, not with Greenwich's.
func TestMayCheckInUntilTheOrganisationsMidnight(t *testing.T) {
	t.Parallel()
	tokyo := zone(t, "Asia/Tokyo")
	endsOn := day("2026-12-31")
	if !okr.MayCheckIn(okr.CycleActive, endsOn, 7, okr.Today(instant("2027-01-07T14:59:59Z"), tokyo)) {
		t.Error("refused before midnight")
	}
	if okr.MayCheckIn(okr.CycleActive, endsOn, 7, okr.Today(instant("2027-01-07T15:00:00Z"), tokyo)) {
		t.Error("allowed after midnight")
	}
}

func TestMayCarryOver(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		from     okr.CycleState
		startsOn string
		into     okr.CycleState
		next     string
		want     bool
	}{
		"a quarter into the next":     {okr.CycleClosed, "2026-10-01", okr.CycleActive, "2027-01-01", true},
		"before it is closed":         {okr.CycleActive, "2026-10-01", okr.CyclePreparation, "2027-01-01", true},
		"overlapping":                 {okr.CycleActive, "2026-10-01", okr.CycleActive, "2026-10-02", true},
		"from the leap day":           {okr.CycleClosed, "2028-02-29", okr.CycleActive, "2028-03-01", true},
		"what has not begun":          {okr.CyclePreparation, "2026-10-01", okr.CyclePreparation, "2027-01-01", false},
		"into one that is closed":     {okr.CycleClosed, "2026-10-01", okr.CycleClosed, "2027-01-01", false},
		"into one of the same day":    {okr.CycleActive, "2026-10-01", okr.CycleActive, "2026-10-01", false},
		"back in time":                {okr.CycleActive, "2027-01-01", okr.CycleActive, "2026-10-01", false},
		"from nowhere":                {"", "2026-10-01", okr.CycleActive, "2027-01-01", false},
		"into nowhere":                {okr.CycleActive, "2026-10-01", "", "2027-01-01", false},
		"over the end of the century": {okr.CycleClosed, "2099-10-01", okr.CycleActive, "2100-01-01", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := okr.MayCarryOver(test.from, day(test.startsOn), test.into, day(test.next)); got != test.want {
				t.Errorf("may carry over: %t", got)
			}
		})
	}
}

// Quarters that follow one another, over year ends and leap days, can each be carried into the next, and never back.
func TestEveryFollowingCycleCanBeCarriedInto(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		starts := day("2023-12-31").AddDate(0, 0, rapid.IntRange(0, 2000).Draw(t, "start"))
		ends := starts.AddDate(0, 0, rapid.IntRange(0, 400).Draw(t, "days"))
		next, _ := okr.FollowingCycle(starts, ends)
		if !okr.MayCarryOver(okr.CycleClosed, starts, okr.CyclePreparation, next) || okr.MayCarryOver(okr.CycleClosed, next, okr.CyclePreparation, starts) {
			t.Fatalf("from %s into %s", starts, next)
		}
	})
}
