package okr

import "time"

// Today is the calendar date of an instant in the organisation's time zone.
func Today(now time.Time, zone *time.Location) time.Time { return date(now.In(zone)) }

// FollowingCycle gives the first and the last day, both included, of the cycle right after one that does not end before
// it starts. A cycle of whole months is followed by as many months, whatever their lengths; any other by as many days.
func FollowingCycle(startsOn, endsOn time.Time) (nextStart, nextEnd time.Time) {
	startsOn, nextStart = date(startsOn), date(endsOn).AddDate(0, 0, 1)
	months := 12*(nextStart.Year()-startsOn.Year()) + int(nextStart.Month()-startsOn.Month())
	if months > 0 && addMonths(startsOn, months).Equal(nextStart) {
		return nextStart, addMonths(nextStart, months).AddDate(0, 0, -1)
	}
	return nextStart, nextStart.AddDate(0, 0, daysBetween(startsOn, nextStart)-1)
}

// date drops the clock and the location of t and keeps the calendar date it shows. UTC has no days of 23 or 25 hours.
func date(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// daysBetween counts the midnights from one date to another; it is negative where to is the earlier.
func daysBetween(from, to time.Time) int {
	const secondsPerDay = 24 * 60 * 60
	return int((date(to).Unix() - date(from).Unix()) / secondsPerDay)
}

// addMonths goes to the same day of a later month, or to that month's last day where it has no such day. AddDate alone
// would run over: a month after 31 January it finds 3 March.
func addMonths(day time.Time, months int) time.Time {
	first := time.Date(day.Year(), day.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1)
	return first.AddDate(0, 0, min(day.Day(), last.Day())-1)
}
