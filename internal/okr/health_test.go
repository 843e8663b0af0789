package okr_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func TestElapsed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ start, end, today, want string }{
		"before":                      {"2026-01-01", "2026-03-31", "2025-12-31", "0"},
		"first day":                   {"2026-01-01", "2026-03-31", "2026-01-01", "0"},
		"second day of ten":           {"2026-01-01", "2026-01-10", "2026-01-02", "0.1"},
		"last day of ten":             {"2026-01-01", "2026-01-10", "2026-01-10", "0.9"},
		"day after":                   {"2026-01-01", "2026-01-10", "2026-01-11", "1"},
		"long after":                  {"2026-01-01", "2026-01-10", "2030-01-01", "1"},
		"a third of a quarter":        {"2026-01-01", "2026-03-31", "2026-01-31", "0.333333333333333333"},
		"half of one with a leap day": {"2028-02-01", "2028-03-01", "2028-02-16", "0.5"},
		"on the leap day":             {"2028-02-28", "2028-03-02", "2028-02-29", "0.25"},
		"after the leap day":          {"2028-02-28", "2028-03-02", "2028-03-01", "0.5"},
		"no leap day":                 {"2027-02-28", "2027-03-03", "2027-03-01", "0.25"},
		"over the year's end":         {"2026-12-27", "2027-01-05", "2027-01-01", "0.5"},
		"one day, on it":              {"2026-01-01", "2026-01-01", "2026-01-01", "0"},
		"one day, after it":           {"2026-01-01", "2026-01-01", "2026-01-02", "1"},
		"ends before it starts":       {"2026-01-10", "2026-01-01", "2026-01-11", "1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantDecimal(t, "elapsed", okr.Elapsed(day(test.start), day(test.end), day(test.today)), test.want)
		})
	}
}

// A day counts as one whether it has 23, 24 or 25 hours, and its date counts whatever its clock and location.
func TestElapsedCountsDaysNotHours(t *testing.T) {
	t.Parallel()
	newYork := zone(t, "America/New_York")
	local := func(month time.Month, day, hour int) time.Time {
		return time.Date(2026, month, day, hour, 30, 0, 0, newYork)
	}
	// Clocks go forward on 8 March 2026 and back on 1 November.
	wantDecimal(t, "spring", okr.Elapsed(local(3, 1, 0), local(3, 10, 0), local(3, 9, 23)), "0.8")
	wantDecimal(t, "autumn", okr.Elapsed(local(10, 25, 23), local(11, 3, 0), local(11, 2, 0)), "0.8")
}

func TestElapsedNeverGoesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start, today := days().Draw(t, "start"), days().Draw(t, "today")
		end := start.AddDate(0, 0, rapid.IntRange(0, 800).Draw(t, "length"))
		before, after := okr.Elapsed(start, end, today), okr.Elapsed(start, end, today.AddDate(0, 0, 1))
		if after.LessThan(before) || !okr.Clamp(before).Equal(before) {
			t.Fatalf("elapsed went from %s to %s", before, after)
		}
		if (before.Equal(after)) != (today.Before(start) || today.After(end)) {
			t.Fatalf("elapsed went from %s to %s on %s", before, after, today)
		}
	})
}

func TestHealthOf(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		progress, elapsed string
		pending           bool
		want              okr.Health
	}{
		"at the start":              {"0", "0", false, okr.HealthOnTrack},
		"ahead":                     {"0.9", "0.1", false, okr.HealthOnTrack},
		"just on track":             {"0.40", "0.50", false, okr.HealthOnTrack},
		"just not on track":         {"0.399999999999", "0.50", false, okr.HealthAtRisk},
		"just at risk":              {"0.20", "0.50", false, okr.HealthAtRisk},
		"just off track":            {"0.199999999999", "0.50", false, okr.HealthOffTrack},
		"behind where it started":   {"-0.31", "0", false, okr.HealthOffTrack},
		"at the end, on track":      {"0.9", "1", false, okr.HealthOnTrack},
		"at the end, at risk":       {"0.7", "1", false, okr.HealthAtRisk},
		"beyond the target":         {"2", "1", false, okr.HealthOnTrack},
		"pending is not on track":   {"0", "0", true, okr.HealthPending},
		"pending at the end":        {"0", "1", true, okr.HealthPending},
		"pending though it has one": {"1", "1", true, okr.HealthPending},
		"what quotients lose":       {"0.399999999999999998", "0.499999999999999999", false, okr.HealthOnTrack},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := okr.HealthOf(dec(test.progress), dec(test.elapsed), test.pending); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// An objective exactly at a threshold is on its better side, though neither its progress nor the elapsed fraction has an
// end to its digits; and the least bit less puts it on the other.
func TestHealthThresholdsAreInclusive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.Int64Range(2, 400).Draw(t, "days in the cycle")
		gone := rapid.Int64Range((3*length+9)/10, length).Draw(t, "days gone")
		lag, better, worse := int64(1), okr.HealthOnTrack, okr.HealthAtRisk
		if rapid.Bool().Draw(t, "lower threshold") {
			lag, better, worse = 3, okr.HealthAtRisk, okr.HealthOffTrack
		}
		start := day("2026-01-01")
		elapsed := okr.Elapsed(start, start.AddDate(0, 0, int(length)-1), start.AddDate(0, 0, int(gone)))

		// In tenths of a day, the threshold is a whole number. Key results stray from it by pairs, which leaves their mean.
		target, threshold := 10*length, 10*gone-lag*length
		var values []int64
		for range rapid.IntRange(1, 4).Draw(t, "pairs") {
			stray := rapid.Int64Range(0, min(threshold, target-threshold)).Draw(t, "stray")
			values = append(values, threshold-stray, threshold+stray)
		}
		health := func(values []int64) okr.Health {
			var all []okr.Standing
			for _, v := range values {
				k := okr.KeyResult{Kind: okr.Metric, Baseline: new(decimal.Zero), Target: new(decimal.NewFromInt(target))}
				all = append(all, okr.Standing{Progress: k.Progress(new(decimal.NewFromInt(v)), nil), Weight: dec("1")})
			}
			return okr.HealthOf(okr.RollUp(all).Progress, elapsed, false)
		}
		if got := health(values); got != better {
			t.Fatalf("at the threshold: %s, want %s", got, better)
		}
		values[0]--
		if values[0] < 0 {
			return // clamped in the roll-up, so it is at the threshold still
		}
		if got := health(values); got != worse {
			t.Fatalf("below the threshold: %s, want %s", got, worse)
		}
	})
}

func TestAnyOffTrack(t *testing.T) {
	t.Parallel()
	good, bad := standing("1", "1"), standing("0.1", "0")
	pending, archived := bad, bad
	pending.Pending, archived.Archived = true, true
	tests := map[string]struct {
		standings []okr.Standing
		want      bool
	}{
		"none":               {nil, false},
		"all well":           {[]okr.Standing{good, good}, false},
		"one is":             {[]okr.Standing{good, bad}, true},
		"pending is not":     {[]okr.Standing{good, pending}, false},
		"archived is not":    {[]okr.Standing{good, archived}, false},
		"at risk is not yet": {[]okr.Standing{standing("0.2", "1")}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := okr.AnyOffTrack(test.standings, dec("0.5")); got != test.want {
				t.Errorf("%t, want %t", got, test.want)
			}
		})
	}
}

func TestOutdated(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		cadence           okr.Cadence
		zone              string
		last, freshAtLast string // outdated one second later
	}{
		"weekly":                       {okr.Weekly, "UTC", "2026-05-04T00:00:00Z", "2026-05-14T23:59:59Z"},
		"weekly, late in the day":      {okr.Weekly, "UTC", "2026-05-04T23:59:59Z", "2026-05-14T23:59:59Z"},
		"biweekly":                     {okr.Biweekly, "UTC", "2026-05-04T12:00:00Z", "2026-05-21T23:59:59Z"},
		"monthly":                      {okr.Monthly, "UTC", "2026-05-04T12:00:00Z", "2026-06-07T23:59:59Z"},
		"monthly, over the year's end": {okr.Monthly, "UTC", "2026-12-15T12:00:00Z", "2027-01-18T23:59:59Z"},
		"monthly, from 31 December":    {okr.Monthly, "UTC", "2026-12-31T12:00:00Z", "2027-02-03T23:59:59Z"},
		"monthly, into a short month":  {okr.Monthly, "UTC", "2027-01-31T12:00:00Z", "2027-03-03T23:59:59Z"},
		"monthly, into a leap month":   {okr.Monthly, "UTC", "2028-01-31T12:00:00Z", "2028-03-03T23:59:59Z"},
		"monthly, 30 January":          {okr.Monthly, "UTC", "2027-01-30T12:00:00Z", "2027-03-03T23:59:59Z"},
		"monthly, from a leap day":     {okr.Monthly, "UTC", "2028-02-29T12:00:00Z", "2028-04-01T23:59:59Z"},
		"weekly, over a leap day":      {okr.Weekly, "UTC", "2028-02-24T12:00:00Z", "2028-03-05T23:59:59Z"},
		"Tokyo's day":                  {okr.Weekly, "Asia/Tokyo", "2026-05-03T15:00:00Z", "2026-05-14T14:59:59Z"},
		"clocks go forward":            {okr.Weekly, "America/New_York", "2026-03-01T23:30:00-05:00", "2026-03-11T23:59:59-04:00"},
		"clocks go back":               {okr.Weekly, "America/New_York", "2026-10-25T23:30:00-04:00", "2026-11-04T23:59:59-05:00"},
		"by half an hour":              {okr.Weekly, "Australia/Lord_Howe", "2026-04-01T00:15:00+11:00", "2026-04-11T23:59:59+10:30"},
		"where midnight is left out":   {okr.Weekly, "Africa/Cairo", "2026-04-14T12:00:00+02:00", "2026-04-24T23:59:59+03:00"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			z, last, fresh := zone(t, test.zone), instant(test.last), instant(test.freshAtLast)
			outdated := func(now time.Time) bool {
				longAgo := last.AddDate(-1, 0, 0)
				return okr.Outdated(&last, longAgo, test.cadence, now, z)
			}
			if outdated(fresh) {
				t.Errorf("outdated at %s already", fresh)
			}
			if !outdated(fresh.Add(time.Second)) {
				t.Errorf("not outdated a second after %s", fresh)
			}
		})
	}
}

func TestOutdatedWithoutAnyCheckIn(t *testing.T) {
	t.Parallel()
	approved := instant("2026-05-04T12:00:00Z")
	if okr.Outdated(nil, approved, okr.Weekly, instant("2026-05-14T23:59:59Z"), time.UTC) {
		t.Error("outdated in the first days after it began")
	}
	if !okr.Outdated(nil, approved, okr.Weekly, instant("2026-05-15T00:00:00Z"), time.UTC) {
		t.Error("never outdated without a check-in")
	}
}

func TestDueOn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		last := days().Draw(t, "last")
		if due := okr.Monthly.DueOn(last); due.Month() != last.Month()%12+1 || due.Day() > last.Day() ||
			due.Day() < last.Day() && due.AddDate(0, 0, 1).Day() != 1 {
			t.Fatalf("a month after %s is %s", last, due)
		}
		if due := okr.Weekly.DueOn(last); due.Weekday() != last.Weekday() || !okr.Weekly.DueOn(due).Equal(okr.Biweekly.DueOn(last)) {
			t.Fatalf("a week after %s is %s", last, due)
		}
		if due := okr.Cadence("unheard of").DueOn(last); !due.Equal(last) {
			t.Fatalf("no time after %s is %s", last, due)
		}
	})
}

// More progress is never less healthy, and more time gone never healthier.
func TestHealthFollowsProgressAndTime(t *testing.T) {
	t.Parallel()
	rank := map[okr.Health]int{okr.HealthOffTrack: 0, okr.HealthAtRisk: 1, okr.HealthOnTrack: 2}
	fraction := rapid.Custom(func(t *rapid.T) decimal.Decimal {
		return decimal.New(rapid.Int64Range(0, 1000).Draw(t, "thousandths"), -3)
	})
	rapid.Check(t, func(t *rapid.T) {
		progress, elapsed := fraction.Draw(t, "progress"), fraction.Draw(t, "elapsed")
		more := fraction.Draw(t, "more")
		now := rank[okr.HealthOf(progress, elapsed, false)]
		if further := rank[okr.HealthOf(progress.Add(more), elapsed, false)]; further < now {
			t.Fatalf("at %s of %s it is %d, and %s further only %d", progress, elapsed, now, more, further)
		}
		if later := rank[okr.HealthOf(progress, elapsed.Add(more), false)]; later > now {
			t.Fatalf("at %s of %s it is %d, and %s later %d", progress, elapsed, now, more, later)
		}
		if okr.HealthOf(progress, elapsed, true) != okr.HealthPending {
			t.Fatal("pending is its own state")
		}
	})
}
