package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
)

// happened gives a meeting times at which it took place long ago, the first of them first.
func (b *bundle) happened(meeting uuid.UUID, by uuid.UUID, times int) (ids []string) {
	b.t.Helper()
	for n := range times {
		id := uuid.New()
		b.exec(`INSERT INTO meeting_occurrences (organization_id, id, meeting_id, recurrence_at, starts_at, ends_at, changed_by)
			SELECT $1, $2, $3, t.at, t.at, t.at + interval '1 hour', $4 FROM (SELECT date_trunc('day', now()) - interval '3 years' + $5 * interval '1 week') AS t (at)`, b.id, id, meeting, by, n)
		ids = append(ids, id.String())
	}
	return ids
}

func (p *person) occurrencesOf(meeting uuid.UUID, query string) []string {
	p.t.Helper()
	return p.pages("/occurrences?meeting_id="+meeting.String()+query, func() {})
}

func TestAllTimesOfAMeetingAreListed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting()
	b.author.meeting() // another one of the same team
	ahead := b.author.occurrencesOf(m.ID, "&limit=4")
	require.Len(t, ahead, 13)
	past := b.happened(m.ID, b.author.id, 5)
	all := append(slices.Clone(past), ahead...)
	assert.Equal(t, all, b.teammate.occurrencesOf(m.ID, "&limit=4"), "years ago too, in the order of time")
	slices.Reverse(all)
	assert.Equal(t, all, b.teammate.occurrencesOf(m.ID, "&limit=4&newest=true"))
	slices.Reverse(past)
	now := url.QueryEscape(time.Now().Format(time.RFC3339))
	assert.Equal(t, past, b.lead.occurrencesOf(m.ID, "&limit=2&newest=true&before="+now), "those that are over, the latest first")
	assert.Equal(t, ahead, b.lead.occurrencesOf(m.ID, "&from="+now), "those that are to come")
	assert.Empty(t, b.lead.occurrencesOf(m.ID, "&before=1970-01-02T00:00:00Z"))

	items := get[api.OccurrencePage](b.teammate, "/occurrences?limit=1&meeting_id="+m.ID.String()).Items
	require.Len(t, items, 1)
	assert.Equal(t, m.ID, items[0].MeetingID)
	assert.Equal(t, m.Title, items[0].Title)
	require.NotNil(t, items[0].Response, "how one answered is there")
	assert.Nil(t, get[api.OccurrencePage](b.admin, "/occurrences?limit=1&meeting_id="+m.ID.String()).Items[0].Response)
}

func TestTimesOfAMeetingAreForThoseWhoSeeIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting()
	at := "/occurrences?meeting_id=" + m.ID.String()
	b.member.send(http.MethodGet, at, nil).refused(http.StatusNotFound, "not-found")
	b.elsewhere.send(http.MethodGet, at, nil).refused(http.StatusNotFound, "not-found")
	b.author.send(http.MethodGet, "/occurrences?meeting_id="+uuid.NewString(), nil).refused(http.StatusNotFound, "not-found")
	b.author.send(http.MethodGet, at+"&team_id="+b.team.String(), nil).refused(http.StatusBadRequest, "bad-request", "/query/meeting_id")
	b.author.send(http.MethodGet, "/occurrences?newest=true", nil).refused(http.StatusBadRequest, "bad-request", "/query/newest")
	b.author.send(http.MethodGet, at+"&from=yesterday&before=1800-01-01T00:00:00Z", nil).refused(http.StatusBadRequest, "bad-request", "/query/before", "/query/from")
	b.author.send(http.MethodGet, at+"&from=2026-02-01T00:00:00Z&before=2026-02-01T00:00:00Z", nil).refused(http.StatusUnprocessableEntity, "invalid", "/query/before")
	b.author.send(http.MethodGet, "/occurrences?from=2026-02-01T00:00:00Z", nil).refused(http.StatusBadRequest, "bad-request", "/query/before")
	page := get[api.OccurrencePage](b.author, at+"&limit=1")
	b.author.send(http.MethodGet, at+"&newest=true&cursor="+*page.NextCursor, nil).refused(http.StatusBadRequest, "bad-request", "/query/cursor")
}

// Whoever writes the minutes puts right what was agreed.
func TestFollowUpsAreReworded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.meeting(fields{"attendee_ids": []any{b.teammate.id, b.member.id}})
	f := into[api.FollowUp](b.author.send(http.MethodPost, occurrence(m.Next.ID)+"/follow-ups", fields{"title": "アンケートを作り直す", "assignee_id": b.member.id, "due_on": inDays(7)}).is(http.StatusCreated))
	path := "/follow-ups/" + f.ID.String()
	b.deliver()
	told := func(p *person) int {
		return value[int](b, "SELECT count(*) FROM notifications WHERE user_id = $1 AND kind = 'follow-up-assigned'", p.id)
	}
	assert.Equal(t, 1, told(b.member))

	changed := into[api.FollowUp](b.teammate.send(http.MethodPatch, path, fields{"revision": 1, "title": "顧客アンケートを作り直す", "due_on": inDays(9), "assignee_id": b.lead.id}).is(http.StatusOK))
	assert.Equal(t, "顧客アンケートを作り直す", changed.Title)
	assert.Equal(t, b.lead.id, changed.Assignee.ID)
	assert.Equal(t, inDays(9), changed.DueOn.String())
	b.deliver()
	assert.Equal(t, 1, told(b.lead), "whom it is given to is told, as by the first")
	assert.Equal(t, 1, told(b.member))

	stale := b.author.send(http.MethodPatch, path, fields{"revision": 1, "title": "x"}).refused(http.StatusConflict, "stale-revision")
	assert.Equal(t, "顧客アンケートを作り直す", (*stale.Present).(fields)["title"])
	assert.Equal(t, b.teammate.id.String(), fmt.Sprint((*stale.ChangedBy).ID))
	b.author.send(http.MethodPatch, path, fields{"title": "x"}).refused(http.StatusPreconditionRequired, "revision-required", "/revision")
	b.member.send(http.MethodPatch, path, fields{"revision": 2, "due_on": nil}).is(http.StatusOK) // who attends writes too
	b.viewer.send(http.MethodPatch, path, fields{"revision": 3, "title": "x"}).refused(http.StatusNotFound, "not-found")
	b.author.send(http.MethodPatch, path, fields{"revision": 3, "title": ""}).refused(http.StatusUnprocessableEntity, "invalid", "/title")
	b.author.send(http.MethodPatch, path, fields{"revision": 3, "assignee_id": b.suspended.id}).refused(http.StatusUnprocessableEntity, "invalid", "/assignee_id")

	b.author.send(http.MethodPatch, path, fields{"revision": 3, "done": true, "assignee_id": b.teammate.id}).is(http.StatusOK)
	b.deliver()
	assert.Zero(t, told(b.teammate), "what is done is nothing new to do")
}
