package okr

import (
	"time"

	"github.com/shopspring/decimal"
)

// Health says whether progress keeps up with the time that has passed.
type Health string

const (
	HealthOnTrack  Health = "on_track"
	HealthAtRisk   Health = "at_risk"
	HealthOffTrack Health = "off_track"
	// HealthPending is a state of its own: nothing has been checked in, so nothing is known to be on track.
	HealthPending Health = "pending"
)

// How far progress may lie behind the elapsed fraction and still be on track, or at risk. Both are inclusive.
var (
	onTrackLag = decimal.New(10, -2)
	atRiskLag  = decimal.New(30, -2)
)

// Elapsed is the fraction of a cycle, 0 to 1, that lies behind it when the day today begins: whole days gone over whole
// days in all, the first and the last day both included. Of a cycle of n days it is 0 up to and on the first, (n−1)/n on
// the last, and 1 from the day after it.
func Elapsed(startsOn, endsOn, today time.Time) decimal.Decimal {
	gone, all := daysBetween(startsOn, today), daysBetween(startsOn, endsOn)+1
	switch {
	case gone <= 0:
		return decimal.Zero
	case gone >= all:
		return one
	}
	return quotient(decimal.NewFromInt(int64(gone)), decimal.NewFromInt(int64(all)))
}

// HealthOf is the health of an objective or a key result at a progress, a fraction of the cycle after its start: on
// track from elapsed − 0.10, at risk from elapsed − 0.30, and off track below. Thresholds are inclusive. Without any
// check-in it is pending, whatever the progress.
func HealthOf(progress, elapsed decimal.Decimal, pending bool) Health {
	behind := settled(elapsed).Sub(settled(progress))
	switch {
	case pending:
		return HealthPending
	case behind.LessThanOrEqual(onTrackLag):
		return HealthOnTrack
	case behind.LessThanOrEqual(atRiskLag):
		return HealthAtRisk
	}
	return HealthOffTrack
}

// AnyOffTrack reports whether a key result of an objective is off track, which is shown beside the objective's own
// health. Archived and pending ones are not.
func AnyOffTrack(standings []Standing, elapsed decimal.Decimal) bool {
	for _, s := range standings {
		if !s.Archived && HealthOf(s.Progress, elapsed, s.Pending) == HealthOffTrack {
			return true
		}
	}
	return false
}

// Cadence is how often an owner means to check in.
type Cadence string

const (
	Weekly   Cadence = "weekly"   // 7 days
	Biweekly Cadence = "biweekly" // 14 days
	Monthly  Cadence = "monthly"  // a calendar month; a month after the 31st is the last day of a shorter month
)

// Valid reports whether c is one of the three cadences.
func (c Cadence) Valid() bool { return c == Weekly || c == Biweekly || c == Monthly }

// overdueDays is how long a check-in may be late before its key result is called outdated.
const overdueDays = 3

// DueOn is the date by which a check-in is due after one on the day given. It is that day itself for an unknown cadence.
func (c Cadence) DueOn(last time.Time) time.Time {
	last = date(last)
	switch c {
	case Weekly:
		return last.AddDate(0, 0, 7)
	case Biweekly:
		return last.AddDate(0, 0, 14)
	case Monthly:
		return addMonths(last, 1)
	}
	return last
}

// Outdated reports whether there was no check-in for the cadence plus 3 days, in whole days of the organisation's time
// zone. The day a check-in falls due and the 3 days after it are still in time. Where lastCheckIn is nil the wait began
// at since: when the objective was approved or its cycle began, whichever came later. The flag is separate from health.
func Outdated(lastCheckIn *time.Time, since time.Time, cadence Cadence, now time.Time, zone *time.Location) bool {
	if lastCheckIn != nil {
		since = *lastCheckIn
	}
	lastDay := cadence.DueOn(Today(since, zone)).AddDate(0, 0, overdueDays)
	return Today(now, zone).After(lastDay)
}
