package meeting

import (
	"errors"
	"strings"
	"time"
)

// ErrUnknownZone is all that is said of a name that is no time zone.
var ErrUnknownZone = errors.New("meeting: unknown time zone")

// LoadZone returns a time zone by its IANA name, such as Asia/Tokyo. Names that mean something else on each machine, such as Local, are unknown.
func LoadZone(name string) (*time.Location, error) {
	if name == "UTC" {
		return time.UTC, nil
	}
	if !strings.Contains(name, "/") || strings.HasPrefix(name, "posix/") || strings.HasPrefix(name, "right/") {
		return nil, ErrUnknownZone
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, ErrUnknownZone
	}
	return zone, nil
}

// No clock on the wall is further from UTC than this, in either direction.
const farthestOffset = 16 * time.Hour

// Place returns the moment at which the clock on a zone's wall shows what wall shows in UTC. What the clock shows twice, in autumn, is the first of the two. What it
// leaves out, in spring, is as much later as the clock is put forward, so that a meeting at half past two is then at half past three. Both as RFC 5545 has it.
func Place(wall time.Time, zone *time.Location) time.Time {
	from, until := wall.Add(-farthestOffset), wall.Add(farthestOffset)
	var before time.Duration // what was added to UTC before the clock was put forward
	first := true
	for at := from; at.Before(until); {
		_, seconds := at.In(zone).Zone()
		offset := time.Duration(seconds) * time.Second
		_, end := at.In(zone).ZoneBounds()
		placed := wall.Add(-offset)
		switch {
		case !first && placed.Before(at):
			return wall.Add(-before).UTC() // in the gap between the two
		case end.IsZero() || placed.Before(end):
			return placed.UTC()
		}
		before, at, first = offset, end, false
	}
	return wall.Add(-before).UTC()
}

// Wall returns what the clock on a zone's wall shows at a moment, as a time in UTC.
func Wall(at time.Time, zone *time.Location) time.Time {
	at = at.In(zone)
	_, seconds := at.Zone()
	return at.UTC().Add(time.Duration(seconds) * time.Second)
}

// LocalFormat is how the clock on the wall is written, without a zone.
const LocalFormat = "2006-01-02T15:04"

// ParseLocal reads what LocalFormat writes. Seconds are taken too, if they are none.
func ParseLocal(s string) (time.Time, error) {
	if len(s) == len(LocalFormat)+len(":00") {
		s = strings.TrimSuffix(s, ":00")
	}
	if len(s) != len(LocalFormat) {
		return time.Time{}, errors.New("meeting: not a local time")
	}
	return time.Parse(LocalFormat, s)
}
