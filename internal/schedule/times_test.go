package schedule

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// Daily at 09:00 is due once on each day, also on those on which clocks change; so is a time that a day does not have, or has twice.
func TestDailyIsDueOnceADay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone         string
		from         string
		hour, minute int
		want         []string
	}{
		{"Asia/Tokyo", "2026-11-30T09:00:00+09:00", 9, 0, []string{"2026-12-01T09:00:00+09:00", "2026-12-02T09:00:00+09:00"}},
		{"Asia/Tokyo", "2026-11-30T08:59:59+09:00", 9, 0, []string{"2026-11-30T09:00:00+09:00"}},
		{"Europe/Berlin", "2026-03-28T09:00:00+01:00", 9, 0, []string{"2026-03-29T09:00:00+02:00", "2026-03-30T09:00:00+02:00"}},
		{"Europe/Berlin", "2026-10-24T09:00:00+02:00", 9, 0, []string{"2026-10-25T09:00:00+01:00", "2026-10-26T09:00:00+01:00"}},
		{"Europe/Berlin", "2026-03-28T02:30:00+01:00", 2, 30, []string{"2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"}}, // there is no 02:30
		{"Europe/Berlin", "2026-10-24T02:30:00+02:00", 2, 30, []string{"2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"}}, // there are two, an hour apart
		{"America/New_York", "2026-03-07T02:30:00-05:00", 2, 30, []string{"2026-03-08T03:30:00-04:00", "2026-03-09T02:30:00-04:00"}},
		{"America/New_York", "2026-10-31T01:30:00-04:00", 1, 30, []string{"2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00"}},
		{"America/Santiago", "2026-09-05T00:10:00-04:00", 0, 10, []string{"2026-09-06T01:10:00-03:00", "2026-09-07T00:10:00-03:00"}},    // there is no midnight
		{"Australia/Lord_Howe", "2026-10-03T02:10:00+10:30", 2, 10, []string{"2026-10-04T02:40:00+11:00", "2026-10-05T02:10:00+11:00"}}, // by half an hour
		{"Pacific/Apia", "2011-12-29T09:00:00-10:00", 9, 0, []string{"2011-12-31T09:00:00+14:00", "2012-01-01T09:00:00+14:00"}},         // the 30th was left out
		{"Asia/Kathmandu", "2028-02-28T23:59:00+05:45", 23, 59, []string{"2028-02-29T23:59:00+05:45", "2028-03-01T23:59:00+05:45"}},     // a leap day
		{"UTC", "2026-12-31T00:00:00Z", 0, 0, []string{"2027-01-01T00:00:00Z"}},                                                         // the end of a year
		{"Pacific/Kiritimati", "2026-12-31T00:00:00+14:00", 0, 0, []string{"2027-01-01T00:00:00+14:00"}},                                // as far from UTC as it gets
	} {
		at, err := time.Parse(time.RFC3339, c.from)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for range c.want {
			at = Daily(c.hour, c.minute)(at, zone(t, c.zone))
			got = append(got, at.In(zone(t, c.zone)).Format(time.RFC3339))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s from %s: %v, want %v", c.zone, c.from, got, c.want)
		}
	}
}

// Whatever the zone, the day and the time: from one due time to the next the date goes on by one day, and none is left out or doubled.
func TestDailyGoesThroughTheCalendar(t *testing.T) {
	t.Parallel()
	zones := []string{"Asia/Tokyo", "Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu",
		"Pacific/Chatham", "America/St_Johns", "Asia/Beirut", "America/Sao_Paulo", "Pacific/Kiritimati"}
	rapid.Check(t, func(r *rapid.T) {
		z := zone(t, rapid.SampledFrom(zones).Draw(r, "zone"))
		hour, minute := rapid.IntRange(0, 23).Draw(r, "hour"), rapid.IntRange(0, 59).Draw(r, "minute")
		at := time.Unix(rapid.Int64Range(1_325_376_000, 2_000_000_000).Draw(r, "from"), 0)
		next := Daily(hour, minute)
		at = next(at, z)
		for range 400 {
			following := next(at, z)
			if !following.After(at) {
				r.Fatalf("%s is followed by %s", at.In(z), following.In(z))
			}
			if between := next(at.Add(following.Sub(at)/2), z); !between.Equal(following) {
				r.Fatalf("between %s and %s the next is %s", at.In(z), following.In(z), between.In(z))
			}
			y, m, d := at.In(z).Date()
			if yy, mm, dd := following.In(z).Date(); time.Date(yy, mm, dd, 0, 0, 0, 0, time.UTC).Sub(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)) != day {
				r.Fatalf("%s is followed by %s", at.In(z), following.In(z))
			}
			if local := following.In(z); local.Minute() != minute && local.Sub(OnTheWall(local.Year(), local.Month(), local.Day(), hour, minute, z)) != 0 {
				r.Fatalf("%02d:%02d is %s", hour, minute, local)
			}
			at = following
		}
	})
}

func TestWeeklyIsDueOnceAWeek(t *testing.T) {
	t.Parallel()
	z := zone(t, "Europe/Berlin")
	at := time.Date(2026, time.March, 23, 9, 0, 0, 0, z)
	var got []string
	for range 3 {
		at = Weekly(time.Sunday, 2, 30)(at, z)
		got = append(got, at.Format(time.RFC3339))
	}
	if want := []string{"2026-03-29T03:30:00+02:00", "2026-04-05T02:30:00+02:00", "2026-04-12T02:30:00+02:00"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestEveryIsDueAtItsMultiples(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.November, 30, 10, 20, 16, 5, zone(t, "Asia/Kathmandu"))
	if next := Every(5*time.Minute)(at, time.UTC); !next.Equal(at.Truncate(5 * time.Minute).Add(5 * time.Minute)) {
		t.Errorf("after %s: %s", at, next)
	}
	on := at.Truncate(time.Hour)
	if next := Every(time.Hour)(on, time.UTC); !next.Equal(on.Add(time.Hour)) {
		t.Errorf("after %s: %s", on, next)
	}
}

func TestLatestDueLooksNoFurtherThanItMust(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 30, 10, 20, 0, 0, time.UTC)
	asked := 0
	counting := func(next Next) Next {
		asked = 0
		return func(after time.Time, z *time.Location) time.Time {
			asked++
			return next(after, z)
		}
	}
	for _, c := range []struct {
		name  string
		next  Next
		since time.Time
		most  int
		want  int
		first time.Time
	}{
		{"nothing", Every(time.Hour), now.Add(-20 * time.Minute), 100, 0, time.Time{}},
		{"since itself is done", Every(time.Hour), now.Add(-80 * time.Minute), 100, 1, now.Add(-20 * time.Minute)},
		{"all", Every(time.Hour), now.Add(-5 * time.Hour), 100, 5, now.Add(-4*time.Hour - 20*time.Minute)},
		{"the latest hundred of a year", Every(time.Minute), now.Add(-365 * day), 100, 100, now.Add(-99 * time.Minute)},
		{"the latest of a year", Every(time.Minute), now.Add(-365 * day), 1, 1, now},
		{"the latest week", Weekly(time.Monday, 9, 0), now.Add(-365 * day), 1, 1, now.Add(-80 * time.Minute)},
		{"not longer than can be made up for", Every(500 * day), now.Add(-10 * 365 * day), 100, 1, now.Truncate(500 * day)},
	} {
		got := latestDue(counting(c.next), c.since, now, time.UTC, c.most)
		if len(got) != c.want || c.want > 0 && !got[0].Equal(c.first) || !slices.IsSortedFunc(got, time.Time.Compare) {
			t.Errorf("%s: %v", c.name, got)
		}
		if asked > 1000 {
			t.Errorf("%s: asked %d times", c.name, asked)
		}
	}
	if stuck := latestDue(func(after time.Time, _ *time.Location) time.Time { return after }, now.Add(-day), now, time.UTC, 1); len(stuck) != 0 {
		t.Errorf("%v", stuck)
	}
}
