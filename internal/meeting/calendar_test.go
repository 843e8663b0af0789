package meeting_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/meeting"
)

func event(t require.TestingT) meeting.Event {
	s := series(t, "America/New_York", "2026-10-28T09:00", "FREQ=WEEKLY;COUNT=4")
	all := s.Between(time.Time{}, wall(t, "2027-12-01T00:00"))
	return meeting.Event{
		UID: "0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77@kakeai", Sequence: 7, Stamp: time.Date(2026, time.October, 1, 0, 0, 0, 0, time.UTC), Title: "Weekly check-in; all, and more", Description: "One\nTwo \\ three", Place: "Room 1, 2F",
		URL: "https://okr.example.com/meetings/1", Organizer: meeting.Party{Name: `Aoi "Blue" O'Neill; x`, Email: "aoi@example.com"}, Attendee: meeting.Party{Name: "佐藤 葵", Email: "sato@example.com"},
		Series: s, Duration: 45 * time.Minute,
		Exceptions: []meeting.Exception{
			{RecurrenceAt: all[1], Cancelled: true},
			{RecurrenceAt: all[2], StartsAt: all[2].Add(2 * time.Hour), EndsAt: all[2].Add(3 * time.Hour), Sequence: 9},
		},
	}
}

var calendarNow = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

func unfolded(text string) string { return strings.ReplaceAll(text, "\r\n ", "") }

func TestASeriesAsACalendarReadsIt(t *testing.T) {
	t.Parallel()
	text := unfolded(meeting.Calendar(meeting.Request, "", calendarNow, []meeting.Event{event(t)}))
	for _, line := range []string{
		"METHOD:REQUEST", "UID:0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77@kakeai", "SEQUENCE:7", "SEQUENCE:9", "DTSTAMP:20261001T000000Z",
		"DTSTART;TZID=America/New_York:20261028T090000", "DTEND;TZID=America/New_York:20261028T094500", "RRULE:FREQ=WEEKLY;COUNT=4",
		"EXDATE;TZID=America/New_York:20261104T090000", "RECURRENCE-ID;TZID=America/New_York:20261111T090000", "DTSTART;TZID=America/New_York:20261111T110000",
		`SUMMARY:Weekly check-in\; all\, and more`, `DESCRIPTION:One\nTwo \\ three`, `LOCATION:Room 1\, 2F`, "ORGANIZER;CN=Aoi  Blue  O’Neill  x:mailto:aoi@example.com",
		"TZID:America/New_York", "STATUS:CONFIRMED",
	} {
		assert.Contains(t, text, "\r\n"+line+"\r\n")
	}
	assert.Contains(t, text, ";CN=佐藤 葵;")
	// The observance that the series begins in, and the one that it changes to.
	assert.Contains(t, text, "BEGIN:DAYLIGHT\r\nDTSTART:20260308T020000\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\nTZNAME:EDT\r\nEND:DAYLIGHT\r\n")
	assert.Contains(t, text, "BEGIN:STANDARD\r\nDTSTART:20261101T020000\r\nTZOFFSETFROM:-0400\r\nTZOFFSETTO:-0500\r\nTZNAME:EST\r\nEND:STANDARD\r\n")

	gone := event(t)
	gone.Cancelled = true
	text = meeting.Calendar(meeting.Cancel, "", calendarNow, []meeting.Event{gone})
	assert.Contains(t, text, "METHOD:CANCEL\r\n")
	assert.Contains(t, text, "STATUS:CANCELLED\r\n")
	assert.NotContains(t, text, "STATUS:CONFIRMED\r\n")
}

func TestZonesAreDescribedOnce(t *testing.T) {
	t.Parallel()
	at := func(name, start string) meeting.Event {
		return meeting.Event{UID: start, Series: series(t, name, start, ""), Duration: time.Hour, Stamp: calendarNow}
	}
	text := meeting.Calendar(meeting.Publish, "かけあい", calendarNow, []meeting.Event{
		at("Europe/Berlin", "2026-12-01T09:00"), at("Europe/Berlin", "2026-07-01T09:00"), at("UTC", "2026-12-01T09:00"), at("Asia/Tokyo", "2026-12-01T09:00"),
	})
	assert.Equal(t, 2, strings.Count(text, "BEGIN:VTIMEZONE"))
	assert.Contains(t, text, "BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\nTZOFFSETFROM:+0100\r\n", "from the earliest on")
	assert.Contains(t, text, "DTSTART:20261201T090000Z\r\n")
	assert.Contains(t, text, "X-WR-CALNAME:かけあい\r\n")
	assert.Contains(t, text, "TZOFFSETTO:+0900\r\n")
}

// Whatever a title says, no line is longer than 75 bytes, none is broken inside a character, none is begun by it, and reading gives it back.
func FuzzCalendarText(f *testing.F) {
	for _, s := range []string{"a", strings.Repeat("字", 300), strings.Repeat("🎯", 60), "a " + strings.Repeat("字", 100), "x\r\nATTENDEE:mailto:evil@example.com", "x\nEND:VEVENT", "a\rb", "\u2028", ";,:\\\"'^", " 前に空白", strings.Repeat("<>", 80), "\t", "が" + strings.Repeat("か\u3099", 90)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			return
		}
		e := event(t)
		e.Title, e.Place, e.Organizer.Name, e.Attendee.Name = s, s, s, s
		text := meeting.Calendar(meeting.Request, s, calendarNow, []meeting.Event{e})
		for line := range strings.SplitSeq(text, "\r\n") {
			if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsAny(line, "\r\n") {
				t.Fatalf("%q", line)
			}
		}
		if n := strings.Count(unfolded(text), "\r\nATTENDEE"); n != 2 { // the series' and the moved one's
			t.Fatalf("%d attendees: %q", n, text)
		}
		if strings.Count(unfolded(text), "\r\nEND:VEVENT\r\n") != 2 {
			t.Fatalf("%q", text)
		}
		read, err := ics.ParseCalendar(strings.NewReader(text))
		if err != nil || len(read.Events()) != 2 {
			t.Fatalf("%v: %q", err, text)
		}
	})
}
