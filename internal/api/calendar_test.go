package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
)

func (b *bundle) calendar(feed string) string {
	b.t.Helper()
	a := b.anonymous.send(http.MethodGet, "/calendar/"+feed, nil).is(http.StatusOK)
	assert.Equal(b.t, "text/calendar; charset=utf-8", a.header.Get("Content-Type"))
	return strings.ReplaceAll(string(a.body), "\r\n ", "")
}

func TestACalendarShowsWhatOneAttends(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{PublicURL: "https://okr.example.com"})
	feed := b.teammate.feed()
	assert.NotContains(t, b.calendar(feed), "BEGIN:VEVENT")
	m := b.author.meeting()
	once := b.author.meeting(fields{"recurrence": nil, "title": "一度きり", "starts_at_local": inDays(5) + "T10:00"})
	b.author.meeting(fields{"attendee_ids": nil, "title": "ほかの人の"})
	text := b.calendar(feed)
	for _, line := range []string{"METHOD:PUBLISH", "X-WR-CALNAME:みなと製作所", "TZID:Asia/Tokyo", "UID:" + m.ID.String() + "@kakeai", "RRULE:FREQ=WEEKLY", "LOCATION:会議室 3", "SUMMARY:一度きり",
		"DTSTART;TZID=Asia/Tokyo:" + strings.ReplaceAll(inDays(2), "-", "") + "T100000", "URL:https://okr.example.com/meetings/" + once.ID.String()} {
		assert.Contains(t, text, line+"\r\n")
	}
	assert.Contains(t, text, "NPS の見直し")
	assert.NotContains(t, text, "ほかの人の")
	assert.NotContains(t, text, "ATTENDEE")

	b.author.send(http.MethodPost, occurrence(m.Next.ID)+"/move", fields{"revision": 1, "starts_at_local": inDays(3) + "T15:00"}).is(http.StatusOK)
	b.author.send(http.MethodPost, occurrence(b.author.upcoming(m.ID)[1].ID)+"/cancel", fields{"revision": 1}).is(http.StatusOK)
	b.author.send(http.MethodPost, occurrence(once.Next.ID)+"/cancel", fields{"revision": 1}).is(http.StatusOK)
	b.exec(`INSERT INTO meeting_occurrences (organization_id, id, meeting_id, recurrence_at, starts_at, ends_at, changed_by) VALUES ($1, gen_random_uuid(), $2, now() - interval '5 days', now() - interval '5 days', now() - interval '4 days', $3)`, b.id, m.ID, b.author.id)
	text = b.calendar(feed)
	assert.Contains(t, text, "RECURRENCE-ID;TZID=Asia/Tokyo:"+strings.ReplaceAll(inDays(2), "-", "")+"T100000\r\n")
	assert.Contains(t, text, "DTSTART;TZID=Asia/Tokyo:"+strings.ReplaceAll(inDays(3), "-", "")+"T150000\r\n")
	assert.Contains(t, text, "EXDATE;TZID=Asia/Tokyo:"+strings.ReplaceAll(inDays(9), "-", "")+"T100000\r\n")
	assert.NotContains(t, text, "一度きり")
	assert.Equal(t, 3, strings.Count(text, "BEGIN:VEVENT"), "the series, the moved one, and one from before the rule")

	b.teammate.send(http.MethodPut, meetingAt(m.ID)+"/response", fields{"response": "declined"}).is(http.StatusOK)
	assert.NotContains(t, b.calendar(feed), "BEGIN:VEVENT", "what one has declined")
	assert.Contains(t, string(b.author.send(http.MethodGet, meetingAt(m.ID)+"/calendar.ics", nil).is(http.StatusOK).body), "BEGIN:VEVENT")
	b.teammate.send(http.MethodPut, meetingAt(m.ID)+"/response", fields{"response": "tentative"}).is(http.StatusOK)
	b.author.send(http.MethodPost, meetingAt(m.ID)+"/cancel", fields{"revision": 1}).is(http.StatusOK)
	assert.Equal(t, 1, strings.Count(b.calendar(feed), "BEGIN:VEVENT"), "what took place before it was called off")
}

func TestACalendarIsReadOnceWhileItIsTheSame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.meeting()
	feed := b.teammate.feed()
	first := b.anonymous.send(http.MethodGet, "/calendar/"+feed, nil).is(http.StatusOK)
	tag := first.header.Get("ETag")
	for _, header := range []header{{"If-None-Match", tag}, {"If-None-Match", `"x", W/` + tag}, {"If-None-Match", "*"}} {
		a := b.anonymous.send(http.MethodGet, "/calendar/"+feed, nil, header).is(http.StatusNotModified)
		assert.Empty(t, a.body)
		assert.Equal(t, tag, a.header.Get("ETag"))
	}
	b.anonymous.send(http.MethodGet, "/calendar/"+feed, nil, header{"If-None-Match", `"x"`}).is(http.StatusOK)
	b.author.meeting()
	b.anonymous.send(http.MethodGet, "/calendar/"+feed, nil, header{"If-None-Match", tag}).is(http.StatusOK)
}

func TestASecretAddressEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.teammate.feed()
	b.calendar(first)
	second := b.teammate.feed()
	gone := func(feed string) {
		t.Helper()
		b.anonymous.send(http.MethodGet, "/calendar/"+feed, nil).refused(http.StatusNotFound, "not-found")
	}
	gone(first)
	b.calendar(second)
	gone(second[:20] + "AAAA" + second[24:])
	for range 2 {
		b.teammate.send(http.MethodDelete, "/calendar-feed", nil).is(http.StatusNoContent)
	}
	gone(second)
	assert.Equal(t, 3, value[int](b, "SELECT count(*) FROM audit_events WHERE action LIKE 'calendar_feed.%'"))
	third := b.teammate.feed()
	assert.Equal(t, 0, value[int](b, "SELECT count(*) FROM calendar_feeds WHERE encode(token_hash, 'base64') LIKE '%' || $1 || '%'", third[10:30]))
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.teammate.id)
	gone(third)
	b.anonymous.send(http.MethodGet, "/session", nil, header{"Authorization", "Bearer " + strings.Replace(strings.TrimSuffix(third, ".ics"), "kkc_", "kks_", 1)}).refused(http.StatusUnauthorized, "signed-out")
}

func TestCalendarsAreNotReadWithoutEnd(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{Limits: api.Limits{Feed: api.Rate{PerSecond: 0.001, Burst: 3}, Address: api.Rate{PerSecond: 0.001, Burst: 5}}})
	feed, other := b.teammate.feed(), b.author.feed()
	for i := range 5 {
		want := http.StatusOK
		if i >= 3 {
			want = http.StatusTooManyRequests
		}
		b.anonymous.send(http.MethodGet, "/calendar/"+feed, nil).is(want)
	}
	b.calendar(other)
	for i := range 7 {
		want := http.StatusNotFound
		if i >= 5 {
			want = http.StatusTooManyRequests
		}
		guess := other[:30] + fmt.Sprintf("AAA%d", i) + other[34:]
		require.Len(t, guess, len(other))
		b.anonymous.send(http.MethodGet, "/calendar/"+guess, nil).is(want)
	}
}
