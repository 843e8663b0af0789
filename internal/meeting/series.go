package meeting

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"github.com/kakeai/kakeai/internal/okr"
)

const (
	// MaxOccurrences is the most that a rule may count, and the most that one look ahead returns.
	MaxOccurrences = 1000
	// MaxAhead is how far into the future anybody looks.
	MaxAhead = 2 * 366 * 24 * time.Hour
	// Horizon is how far ahead occurrences are kept in the database.
	Horizon     = 90 * 24 * time.Hour
	maxInterval = 366
)

// Series is when a meeting takes place: once, or by a rule.
type Series struct {
	Start time.Time // what the clock on the wall shows at the first one, as a time in UTC
	Zone  *time.Location
	rule  *rrule.ROption // nil: once
}

// ruleParts are the parts of a rule that this program understands. The time of day is that of the start, so there are none smaller than a day.
func ruleParts() []string {
	return []string{"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "WKST"}
}

// NewSeries reads a rule as RFC 5545 writes it, without DTSTART; empty is once. What is against the rules has pointers beneath /recurrence.
func NewSeries(start time.Time, zone *time.Location, recurrence string) (Series, []okr.FieldError) {
	s := Series{Start: start, Zone: zone}
	if recurrence == "" {
		return s, nil
	}
	refuse := func(code, detail string) (none Series, _ []okr.FieldError) { //nolint:unparam // so that it can be returned as it is
		return none, []okr.FieldError{{Pointer: "/recurrence", Code: code, Detail: detail}}
	}
	parts := map[string]string{}
	for part := range strings.SplitSeq(recurrence, ";") {
		name, value, ok := strings.Cut(part, "=")
		if !ok || !slices.Contains(ruleParts(), name) {
			return refuse("recurrence-part", fmt.Sprintf("A rule is made of %s, such as FREQ=WEEKLY;BYDAY=MO.", strings.Join(ruleParts(), ", ")))
		}
		if _, twice := parts[name]; twice {
			return refuse("recurrence-twice", name+" stands twice.")
		}
		parts[name] = value
	}
	switch parts["FREQ"] {
	case "DAILY", "WEEKLY", "MONTHLY", "YEARLY":
	default:
		return refuse("recurrence-frequency", "FREQ is DAILY, WEEKLY, MONTHLY or YEARLY.")
	}
	until, ok := parseUntil(parts["UNTIL"], zone)
	if !ok {
		return refuse("recurrence-until", "UNTIL is a day such as 20270331, or a moment such as 20270331T090000Z.")
	}
	option, err := rrule.StrToROption(withoutPart(recurrence, "UNTIL"))
	if err != nil {
		return refuse("recurrence", "This is not a rule of RFC 5545.")
	}
	option.Until, option.Dtstart = until, start
	s.rule = option
	if code, detail := s.check(parts); code != "" {
		return refuse(code, detail)
	}
	first, ok := s.first()
	if !ok {
		return refuse("recurrence", "This is not a rule of RFC 5545.")
	}
	if !first.Equal(start) {
		return refuse("start-not-in-rule", "The rule must have the start as its first occurrence.")
	}
	return s, nil
}

func withoutPart(recurrence, name string) string {
	kept := slices.DeleteFunc(strings.Split(recurrence, ";"), func(part string) bool { return strings.HasPrefix(part, name+"=") })
	return strings.Join(kept, ";")
}

// parseUntil returns what the clock on the wall shows at the end of a rule. A day includes all of it.
func parseUntil(value string, zone *time.Location) (time.Time, bool) {
	if value == "" {
		return time.Time{}, true
	}
	if at, err := time.Parse("20060102T150405Z", value); err == nil {
		return Wall(at, zone), true
	}
	if at, err := time.Parse("20060102T150405", value); err == nil {
		return at, true
	}
	at, err := time.Parse("20060102", value)
	return at.Add(24*time.Hour - time.Second), err == nil
}

// check is what the library would not refuse, would refuse to stop at, or reads otherwise than RFC 5545.
func (s Series) check(parts map[string]string) (code, detail string) {
	o := s.rule
	_, counted := parts["COUNT"]
	_, spaced := parts["INTERVAL"]
	switch {
	case counted && !o.Until.IsZero():
		return "recurrence-end", "COUNT and UNTIL exclude each other."
	case counted && (o.Count < 1 || o.Count > MaxOccurrences):
		return "recurrence-count", fmt.Sprintf("COUNT is from 1 to %d.", MaxOccurrences)
	case spaced && (o.Interval < 1 || o.Interval > maxInterval):
		return "recurrence-interval", fmt.Sprintf("INTERVAL is from 1 to %d.", maxInterval)
	case !o.Until.IsZero() && o.Until.Before(s.Start):
		return "recurrence-until", "UNTIL is before the start."
	case len(o.Bysetpos) > 0 && o.Freq != rrule.MONTHLY && o.Freq != rrule.YEARLY:
		return "recurrence-part", "BYSETPOS is for MONTHLY and YEARLY."
	case len(o.Bysetpos) > 0 && len(o.Byweekday) == 0 && len(o.Bymonthday) == 0:
		return "recurrence-part", "BYSETPOS chooses among BYDAY or BYMONTHDAY."
	case len(o.Bymonthday) > 0 && o.Freq == rrule.WEEKLY:
		return "recurrence-part", "BYMONTHDAY is not for WEEKLY."
	case !within(o.Bymonth, 1, 12) || !within(o.Bymonthday, -31, 31) || !within(o.Bysetpos, -366, 366):
		return "recurrence-range", "A month is from 1 to 12, a day of the month from 1 to 31 or -31 to -1, a position from 1 to 366 or -366 to -1."
	}
	return s.checkStart()
}

func within(values []int, least, most int) bool {
	return !slices.ContainsFunc(values, func(v int) bool { return v < least || v > most || v == 0 })
}

// checkStart refuses a start that no day of the rule can be like. Of a rule that has no day at all, such as 30 February, the library would look for one until
// the year 9999; with a day that fits, it finds the next one soon.
func (s Series) checkStart() (code, detail string) {
	o := s.rule
	last := time.Date(s.Start.Year(), s.Start.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	fits := len(o.Bymonth) == 0 || slices.Contains(o.Bymonth, int(s.Start.Month()))
	fits = fits && (len(o.Bymonthday) == 0 || slices.Contains(o.Bymonthday, s.Start.Day()) || slices.Contains(o.Bymonthday, s.Start.Day()-last-1))
	if len(o.Byweekday) > 0 {
		weekday := (int(s.Start.Weekday()) + 6) % 7 // the library's begin with Monday
		fits = fits && slices.ContainsFunc(o.Byweekday, func(d rrule.Weekday) bool { return d.Day() == weekday })
	}
	most := 5 // Mondays in a month
	if o.Freq == rrule.YEARLY && len(o.Bymonth) == 0 {
		most = 53
	}
	for _, d := range o.Byweekday {
		switch {
		case d.N() != 0 && o.Freq != rrule.MONTHLY && o.Freq != rrule.YEARLY:
			return "recurrence-part", "A weekday with a number, such as 2MO, is for MONTHLY and YEARLY."
		case d.N() > most || d.N() < -most: // where the library would panic
			return "recurrence-range", "There are at most 5 of a weekday in a month, and 53 in a year."
		}
	}
	if !fits {
		return "start-not-in-rule", "The rule must have the start as its first occurrence."
	}
	return "", ""
}

func (s Series) first() (time.Time, bool) {
	rule, err := rrule.NewRRule(*s.rule)
	if err != nil {
		return time.Time{}, false
	}
	return rule.Iterator()()
}

// Repeats reports whether the meeting takes place by a rule.
func (s Series) Repeats() bool { return s.rule != nil }

// Recurrence is the rule in one way of writing it, with UNTIL in UTC as RFC 5545 has it beside a time zone; empty for once.
func (s Series) Recurrence() string {
	if s.rule == nil {
		return ""
	}
	o := *s.rule
	o.Dtstart = time.Time{}
	if !o.Until.IsZero() {
		o.Until = Place(o.Until, s.Zone)
	}
	return o.RRuleString()
}

// Between returns the moments at which the meeting begins, from one on and before another, in their order and at most MaxOccurrences. They are reckoned on the clock on
// the wall and then placed; two that are placed at the same moment, because a day is left out, are one.
func (s Series) Between(from, before time.Time) []time.Time {
	var all []time.Time
	take := func(wall time.Time) {
		at := Place(wall, s.Zone)
		if !at.Before(from) && at.Before(before) && (len(all) == 0 || at.After(all[len(all)-1])) {
			all = append(all, at)
		}
	}
	if s.rule == nil {
		take(s.Start)
		return all
	}
	rule, err := rrule.NewRRule(*s.rule)
	if err != nil {
		return nil // NewSeries has made one of it
	}
	end := before.UTC().Add(2 * farthestOffset)
	for next := rule.Iterator(); len(all) < MaxOccurrences; {
		wall, ok := next()
		if !ok || wall.After(end) {
			break
		}
		take(wall)
	}
	return all
}

// FirstAt is the moment at which the first one begins.
func (s Series) FirstAt() time.Time { return Place(s.Start, s.Zone) }

// From returns the series without what was before a moment: it begins with the first occurrence at or after it, and counts only what is left. A series that has nothing
// after it, and a meeting that takes place once, stay as they are.
func (s Series) From(now time.Time) Series {
	if s.rule == nil {
		return s
	}
	rule, err := rrule.NewRRule(*s.rule)
	if err != nil {
		return s
	}
	passed := 0
	for next := rule.Iterator(); ; passed++ {
		wall, ok := next()
		if !ok {
			return s
		}
		if Place(wall, s.Zone).Before(now) {
			continue
		}
		rest := *s.rule
		rest.Dtstart = wall
		if rest.Count > 0 {
			rest.Count -= passed
		}
		return Series{Start: wall, Zone: s.Zone, rule: &rest}
	}
}
