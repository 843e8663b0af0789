package okr

import (
	"sort"
	"time"

	"github.com/shopspring/decimal"
)

// Pace is a cycle's days as health sees them, counted from its first day, which is 0. It is for one goroutine.
type Pace struct {
	startsOn, endsOn time.Time
	days             int // of the cycle
	elapsed          map[int]decimal.Decimal
}

// NewPace is the pace of a cycle with this first and last day.
func NewPace(startsOn, endsOn time.Time) *Pace {
	return &Pace{startsOn: date(startsOn), endsOn: date(endsOn), days: max(daysBetween(startsOn, endsOn)+1, 0), elapsed: map[int]decimal.Decimal{}}
}

// Day is the number of a calendar day: negative before the cycle, and greater than any of its days behind it.
func (p *Pace) Day(day time.Time) int { return daysBetween(p.startsOn, day) }

// Elapsed is the elapsed fraction on the day of that number.
func (p *Pace) Elapsed(day int) decimal.Decimal {
	day = min(max(day, 0), p.days)
	e, ok := p.elapsed[day]
	if !ok {
		e = Elapsed(p.startsOn, p.endsOn, p.startsOn.AddDate(0, 0, day))
		p.elapsed[day] = e
	}
	return e
}

// LeavesOnTrack is the first day on which what stands at a progress, and stays there, is no longer on track; false where that day does not come.
func (p *Pace) LeavesOnTrack(progress decimal.Decimal) (day int, comes bool) {
	return p.first(progress, func(h Health) bool { return h != HealthOnTrack })
}

// GoesOffTrack is the first day on which what stands at a progress, and stays there, is off track; false where that day does not come.
func (p *Pace) GoesOffTrack(progress decimal.Decimal) (day int, comes bool) {
	return p.first(progress, func(h Health) bool { return h == HealthOffTrack })
}

// first searches by halves, since health only ever worsens with the days.
func (p *Pace) first(progress decimal.Decimal, is func(Health) bool) (int, bool) {
	day := sort.Search(p.days+1, func(day int) bool { return is(HealthOf(progress, p.Elapsed(day), false)) })
	return day, day <= p.days
}

// OutdatedFrom is the first day on which [Outdated] holds, until there is a check-in.
func OutdatedFrom(lastCheckIn *time.Time, since time.Time, cadence Cadence, zone *time.Location) time.Time {
	if lastCheckIn != nil {
		since = *lastCheckIn
	}
	return cadence.DueOn(Today(since, zone)).AddDate(0, 0, overdueDays+1)
}

// Sums are what the number of a group is made from, where it is kept as sums instead of being added up anew.
type Sums struct {
	Objectives int             // approved or closed
	Pending    int             // those of them with no check-in, or nothing to count
	Progress   decimal.Decimal // of all, each from 0 to 1
	Overshoot  decimal.Decimal
}

// Mean is what [Mean] gives for the objectives that were summed up. hidden says that the reader may not see one of them.
func (s Sums) Mean(hidden bool) Total {
	if hidden && s.Objectives < minimumGroup {
		return Total{Withheld: true}
	}
	n := decimal.NewFromInt(int64(s.Objectives))
	return Total{Progress: quotient(s.Progress, n), Overshoot: quotient(s.Overshoot, n), Pending: s.Objectives > 0 && s.Pending == s.Objectives, Empty: s.Objectives == 0}
}

// SmallGroup reports whether a group of so many objectives is so small that its number would give one of them away.
func SmallGroup(objectives int) bool { return objectives > 0 && objectives < minimumGroup }
