package schedule

import "time"

// Next is when something is due for the first time after a moment, in an organisation's time zone.
type Next func(after time.Time, zone *time.Location) time.Time

// Every is due at the multiples of an interval since the year 1, UTC, wherever the organisation is.
func Every(interval time.Duration) Next {
	return func(after time.Time, _ *time.Location) time.Time { return after.UTC().Truncate(interval).Add(interval) }
}

// Daily is due once on each day, at that time by the clock on the wall. A time that a day does not have, because clocks are put forward, is as much later
// as they are put forward; of a time that a day has twice it is the first.
func Daily(hour, minute int) Next {
	return onDays(2, func(time.Weekday) bool { return true }, hour, minute)
}

// Weekly is due once in each week, on that day, as Daily is.
func Weekly(weekday time.Weekday, hour, minute int) Next {
	return onDays(8, func(w time.Weekday) bool { return w == weekday }, hour, minute)
}

func onDays(ahead int, wanted func(time.Weekday) bool, hour, minute int) Next {
	return func(after time.Time, zone *time.Location) time.Time {
		today := after.In(zone)
		for days := -1; ; days++ { // what was due yesterday may come today, where a day was left out
			day := time.Date(today.Year(), today.Month(), today.Day()+days, 0, 0, 0, 0, time.UTC)
			if !wanted(day.Weekday()) {
				continue
			}
			if at := OnTheWall(day.Year(), day.Month(), day.Day(), hour, minute, zone); at.After(after) || days > ahead+7 {
				return at
			}
		}
	}
}

// OnTheWall is the moment at which the clock on the wall of a zone says this: the first, if it says so twice. If it never does, because clocks are put
// forward past it, it is the moment that would be it if they were not (RFC 5545, 3.3.5), which is as much later on the wall as they are put forward.
func OnTheWall(year int, month time.Month, day, hour, minute int, zone *time.Location) time.Time {
	wall := time.Date(year, month, day, hour, minute, 0, 0, time.UTC)
	// No zone is more than 14 hours from UTC, so these are before and after it.
	_, before := wall.Add(-24 * time.Hour).In(zone).Zone()
	_, after := wall.Add(24 * time.Hour).In(zone).Zone()
	first := wall.Add(-time.Duration(max(before, after)) * time.Second).In(zone)
	second := wall.Add(-time.Duration(min(before, after)) * time.Second).In(zone)
	for _, at := range []time.Time{first, second} {
		if at.Hour() == hour && at.Minute() == minute && at.Day() == wall.Day() {
			return at
		}
	}
	return wall.Add(-time.Duration(before) * time.Second).In(zone)
}

// latestDue are the latest times, at most most of them, that were due after since and not after now, oldest first. What a Run's Next costs is bounded by
// beginning to look close to now and going back in steps that double.
func latestDue(next Next, since, now time.Time, zone *time.Location, most int) (due []time.Time) {
	for back := time.Hour; ; back *= 2 {
		from := now.Add(-back)
		if from.Before(since) {
			from = since
		}
		due = due[:0]
		for at := from; ; {
			following := next(at, zone)
			if following.After(now) || !following.After(at) {
				break
			}
			due, at = append(due, following), following
		}
		if len(due) >= most || !from.After(since) || back > lookBack {
			return due[max(len(due)-most, 0):]
		}
	}
}

// lookBack is for how long what was missed may be made up for.
const lookBack = 400 * 24 * time.Hour
