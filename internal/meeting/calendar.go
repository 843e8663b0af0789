package meeting

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	ics "github.com/arran4/golang-ical"
)

// The methods of RFC 5546 that this program uses.
const (
	Request = "REQUEST" // an invitation, or its change
	Cancel  = "CANCEL"
	Publish = "PUBLISH" // for reading alone
)

// Party is somebody who takes part.
type Party struct{ Name, Email string }

// Event is a meeting as a calendar program is told of it.
type Event struct {
	UID         string // stable for all of the meeting's life
	Sequence    int64  // rises with each change
	Stamp       time.Time
	Title       string
	Description string
	Place       string
	URL         string
	Organizer   Party
	Attendee    Party // the one it is sent to; zero where it is only published
	Series      Series
	Duration    time.Duration
	Cancelled   bool
	Exceptions  []Exception
	Only        *Exception // tells of this one time of the series alone
}

// Exception is one time of a series that is otherwise than the rule has it.
type Exception struct {
	RecurrenceAt time.Time // when the rule has it
	StartsAt     time.Time
	EndsAt       time.Time
	Cancelled    bool
	Sequence     int64
}

// zoneAhead is how far beyond now a time zone is described.
const zoneAhead = MaxAhead + 366*24*time.Hour

// Calendar writes events as iCalendar (RFC 5545). name is what a subscribed calendar is called; empty for none. Times are on the clock of each meeting's zone, with its
// VTIMEZONE, so that a series keeps its hour when the clocks change.
func Calendar(method, name string, now time.Time, events []Event) string {
	calendar := ics.NewCalendar()
	calendar.SetProductId("-//Kakeai//Meetings//EN")
	calendar.SetMethod(ics.Method(method))
	if name != "" {
		calendar.SetXWRCalName(clean(name))
		calendar.SetXPublishedTTL("PT1H")
	}
	since := map[string]time.Time{}
	zones := []*time.Location{}
	for _, e := range events {
		zone := e.Series.Zone.String()
		first := e.Series.FirstAt()
		if seen, ok := since[zone]; ok && !first.Before(seen) {
			continue
		} else if !ok {
			zones = append(zones, e.Series.Zone)
		}
		since[zone] = first
	}
	for _, zone := range zones {
		if zone != time.UTC {
			calendar.AddVTimezone(describeZone(zone, since[zone.String()], now.Add(zoneAhead)))
		}
	}
	for _, e := range events {
		for _, v := range e.components() {
			calendar.AddVEvent(v)
		}
	}
	return calendar.Serialize(ics.WithNewLineWindows) // the library's own default is that of the machine
}

func (e Event) components() []*ics.VEvent {
	if e.Only != nil {
		one := e.exception(*e.Only)
		status(one, e.Only.Cancelled)
		return []*ics.VEvent{one}
	}
	master := e.component(e.Sequence)
	zone := e.Series.Zone
	at(master, ics.ComponentPropertyDtStart, e.Series.FirstAt(), zone)
	at(master, ics.ComponentPropertyDtEnd, e.Series.FirstAt().Add(e.Duration), zone)
	if rule := e.Series.Recurrence(); rule != "" {
		master.AddProperty(ics.ComponentPropertyRrule, rule)
	}
	status(master, e.Cancelled)
	all := []*ics.VEvent{master}
	for _, x := range e.Exceptions {
		if x.Cancelled {
			at(master, ics.ComponentPropertyExdate, x.RecurrenceAt, zone)
			continue
		}
		moved := e.exception(x)
		status(moved, e.Cancelled)
		all = append(all, moved)
	}
	return all
}

func (e Event) exception(x Exception) *ics.VEvent {
	v := e.component(max(e.Sequence, x.Sequence))
	at(v, ics.ComponentPropertyRecurrenceId, x.RecurrenceAt, e.Series.Zone)
	at(v, ics.ComponentPropertyDtStart, x.StartsAt, e.Series.Zone)
	at(v, ics.ComponentPropertyDtEnd, x.EndsAt, e.Series.Zone)
	return v
}

func (e Event) component(sequence int64) *ics.VEvent {
	v := ics.NewEvent(e.UID)
	v.SetSequence(int(sequence))
	v.SetDtStampTime(e.Stamp)
	v.SetSummary(clean(e.Title))
	if e.Description != "" {
		v.SetDescription(clean(e.Description))
	}
	if e.Place != "" {
		v.SetLocation(clean(e.Place))
	}
	if e.URL != "" {
		v.SetURL(e.URL)
	}
	if e.Organizer.Email != "" {
		v.SetOrganizer("mailto:"+clean(e.Organizer.Email), ics.WithCN(parameter(e.Organizer.Name)))
	}
	if e.Attendee.Email != "" {
		v.AddAttendee("mailto:"+clean(e.Attendee.Email), ics.WithCN(parameter(e.Attendee.Name)), ics.ParticipationStatusNeedsAction, ics.ParticipationRoleReqParticipant)
	}
	return v
}

func status(v *ics.VEvent, cancelled bool) {
	if cancelled {
		v.SetStatus(ics.ObjectStatusCancelled)
		return
	}
	v.SetStatus(ics.ObjectStatusConfirmed)
}

const (
	utcFormat  = "20060102T150405Z"
	wallFormat = "20060102T150405"
)

func at(v *ics.VEvent, property ics.ComponentProperty, moment time.Time, zone *time.Location) {
	if zone == time.UTC {
		v.AddProperty(property, moment.UTC().Format(utcFormat))
		return
	}
	v.AddProperty(property, Wall(moment, zone).Format(wallFormat), ics.WithTZID(zone.String()))
}

// describeZone lists each change of a zone's clock from one moment to another. Those before it and after it are no part of any event that is told of.
func describeZone(zone *time.Location, from, until time.Time) *ics.VTimezone {
	description := ics.NewTimezone(zone.String())
	for at := from; at.Before(until); {
		local := at.In(zone)
		start, end := local.ZoneBounds()
		name, offset := local.Zone()
		before := offset
		if start.IsZero() {
			start = time.Date(1970, time.January, 1, 0, 0, 0, 0, time.UTC)
		} else {
			_, before = start.Add(-time.Second).In(zone).Zone()
		}
		observance := ics.ComponentBase{}
		observance.AddProperty(ics.ComponentPropertyDtStart, start.UTC().Add(time.Duration(before)*time.Second).Format(wallFormat))
		observance.AddProperty(ics.ComponentProperty(ics.PropertyTzoffsetfrom), offsetText(before))
		observance.AddProperty(ics.ComponentProperty(ics.PropertyTzoffsetto), offsetText(offset))
		observance.AddProperty(ics.ComponentProperty(ics.PropertyTzname), name)
		if local.IsDST() {
			description.Components = append(description.Components, &ics.Daylight{ComponentBase: observance})
		} else {
			description.Components = append(description.Components, &ics.Standard{ComponentBase: observance})
		}
		if end.IsZero() {
			break
		}
		at = end
	}
	return description
}

func offsetText(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	text := fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf("%02d", seconds%60)
	}
	return text
}

// clean keeps characters out that would end a line: only the line feed stands for one, and is escaped.
func clean(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f':
			return '\n'
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			return -1
		}
		return r
	}, text)
}

// parameter is clean for what stands before the colon, where nothing can be escaped.
func parameter(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\'':
			return '’' // the library would put a backslash before it
		case strings.ContainsRune("\n\t\";:,\\^", r):
			return ' '
		}
		return r
	}, clean(text)))
}
