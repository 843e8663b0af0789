package demo

import (
	"fmt"
	"strings"
	"time"

	"github.com/kakeai/kakeai/internal/okr"
)

// quarter is the time of a cycle, its first and last day included, as okr writes days.
type quarter struct {
	startsOn time.Time
	endsOn   time.Time
}

func quarterOf(day time.Time) quarter {
	first := time.Date(day.Year(), (day.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	return quarter{startsOn: first, endsOn: first.AddDate(0, 3, -1)}
}

func (q quarter) before() quarter { return quarterOf(q.startsOn.AddDate(0, 0, -1)) }

// number is 1 to 4.
func (q quarter) number() int { return int(q.startsOn.Month()+2) / 3 }

// calendar turns the times of a story into instants.
type calendar struct {
	zone     *time.Location
	now      time.Time
	quarters map[cycle]quarter
}

func newCalendar(timeZone string, now time.Time) (calendar, error) {
	zone, err := time.LoadLocation(timeZone)
	if err != nil {
		return calendar{}, err
	}
	present := quarterOf(okr.Today(now, zone))
	return calendar{zone: zone, now: now, quarters: map[cycle]quarter{presentCycle: present, lastCycle: present.before()}}, nil
}

// moment is a time in a story: so many days after an anchor, at a time of day in the organisation's zone.
type moment struct {
	anchor anchor
	days   int
	clock  string
}

type anchor int

const (
	cycleStart anchor = iota + 1
	cycleEnd
	today
)

// start counts from the first day of the cycle that is spoken of; the days before it are negative.
func start(days int, clock string) moment { return moment{cycleStart, days, clock} }

// end counts back from the cycle's last day.
func end(daysBefore int, clock string) moment { return moment{cycleEnd, -daysBefore, clock} }

// ago counts back from the present day, from at least one.
func ago(days int, clock string) moment { return moment{today, -days, clock} }

func (c calendar) resolve(m moment, of cycle) (time.Time, error) {
	var day time.Time
	switch m.anchor {
	case cycleStart:
		day = c.quarters[of].startsOn
	case cycleEnd:
		day = c.quarters[of].endsOn
	case today:
		day = okr.Today(c.now, c.zone)
	default:
		return time.Time{}, fmt.Errorf("a moment without an anchor: %+v", m)
	}
	return c.at(workday(day.AddDate(0, 0, m.days)), m.clock)
}

// week is when a track's check-in of a week, from 1, is due. The first weeks of a cycle begin with some days of settling in.
func (c calendar) week(week int, t track, of cycle) (time.Time, error) {
	const settlingIn = 4
	day := c.quarters[of].startsOn.AddDate(0, 0, settlingIn)
	for day.Weekday() != t.day {
		day = day.AddDate(0, 0, 1)
	}
	at, err := c.at(day.AddDate(0, 0, 7*(week-1)), t.clock)
	return at.Add(time.Duration(week*7%23) * time.Minute), err // nobody is that punctual
}

func (c calendar) at(day time.Time, clock string) (time.Time, error) {
	at, err := time.Parse("15:04", clock)
	if err != nil {
		return time.Time{}, err
	}
	return time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, c.zone), nil
}

// workday is the day itself or, at a weekend, the Friday before.
func workday(day time.Time) time.Time {
	switch day.Weekday() {
	case time.Saturday:
		return day.AddDate(0, 0, -1)
	case time.Sunday:
		return day.AddDate(0, 0, -2)
	}
	return day
}

// reading is what one check-in says.
type reading struct {
	week       int
	value      string
	confidence int16
	note       string
}

func (t track) readings() ([]reading, error) {
	values, confidences := strings.Fields(t.values), strings.Fields(t.confidence)
	if len(values) != len(confidences) {
		return nil, fmt.Errorf("%d values and %d confidences: %s", len(values), len(confidences), t.values)
	}
	var readings []reading
	for i, value := range values {
		if value == "-" {
			continue
		}
		r := reading{week: i + 1, value: value, note: t.notes[i+1]}
		if _, err := fmt.Sscan(confidences[i], &r.confidence); err != nil {
			return nil, err
		}
		readings = append(readings, r)
	}
	return readings, nil
}
