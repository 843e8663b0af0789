package okr_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func TestToday(t *testing.T) {
	t.Parallel()
	tests := []struct{ now, zone, want string }{
		{"2026-12-31T14:59:59Z", "Asia/Tokyo", "2026-12-31"},
		{"2026-12-31T15:00:00Z", "Asia/Tokyo", "2027-01-01"},
		{"2027-01-01T04:59:59Z", "America/New_York", "2026-12-31"},
		{"2027-01-01T10:00:00Z", "Pacific/Kiritimati", "2027-01-02"},
		{"2027-01-01T11:59:59Z", "Etc/GMT+12", "2026-12-31"},
		{"2028-02-28T15:00:00Z", "Asia/Tokyo", "2028-02-29"},
	}
	for _, test := range tests {
		if got := okr.Today(instant(test.now), zone(t, test.zone)); !got.Equal(day(test.want)) {
			t.Errorf("today at %s in %s is %s, want %s", test.now, test.zone, got, test.want)
		}
	}
}

func TestFollowingCycle(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ start, end, nextStart, nextEnd string }{
		"quarter":                       {"2026-01-01", "2026-03-31", "2026-04-01", "2026-06-30"},
		"quarter over the year's end":   {"2026-10-01", "2026-12-31", "2027-01-01", "2027-03-31"},
		"quarter with a leap day":       {"2027-10-01", "2027-12-31", "2028-01-01", "2028-03-31"},
		"after a quarter with one":      {"2028-01-01", "2028-03-31", "2028-04-01", "2028-06-30"},
		"half of a fiscal year":         {"2026-04-01", "2026-09-30", "2026-10-01", "2027-03-31"},
		"year before a leap year":       {"2027-01-01", "2027-12-31", "2028-01-01", "2028-12-31"},
		"fiscal year into a leap day":   {"2026-03-01", "2027-02-28", "2027-03-01", "2028-02-29"},
		"fiscal year after a leap day":  {"2027-03-01", "2028-02-29", "2028-03-01", "2029-02-28"},
		"month into February":           {"2028-01-01", "2028-01-31", "2028-02-01", "2028-02-29"},
		"books closed on the 20th":      {"2026-11-21", "2027-02-20", "2027-02-21", "2027-05-20"},
		"month from the 31st":           {"2026-12-31", "2027-01-30", "2027-01-31", "2027-02-27"},
		"six weeks over the year's end": {"2026-11-23", "2027-01-03", "2027-01-04", "2027-02-14"},
		"one day":                       {"2028-02-28", "2028-02-28", "2028-02-29", "2028-02-29"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start, end := okr.FollowingCycle(day(test.start), day(test.end))
			if !start.Equal(day(test.nextStart)) || !end.Equal(day(test.nextEnd)) {
				t.Errorf("%s to %s, want %s to %s", start.Format(time.DateOnly), end.Format(time.DateOnly), test.nextStart, test.nextEnd)
			}
		})
	}
}

func days() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		return day("2019-01-01").AddDate(0, 0, rapid.IntRange(0, 5000).Draw(t, "day"))
	})
}

// Cycles from the first of a month on tile the calendar for ever: no gap, no overlap, always a month's first and last.
func TestFollowingCyclesTileTheCalendar(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first := days().Draw(t, "day")
		start := first.AddDate(0, 0, 1-first.Day())
		months := rapid.IntRange(1, 12).Draw(t, "months")
		end := start.AddDate(0, months, -1)
		for range 20 {
			nextStart, nextEnd := okr.FollowingCycle(start, end)
			if !nextStart.Equal(end.AddDate(0, 0, 1)) || !nextEnd.Equal(nextStart.AddDate(0, months, -1)) {
				t.Fatalf("%s to %s is followed by %s to %s", start, end, nextStart, nextEnd)
			}
			start, end = nextStart, nextEnd
		}
	})
}
