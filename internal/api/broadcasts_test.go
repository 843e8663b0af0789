package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

func TestABroadcastFromDraftToSentAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	draft := b.lead.broadcast()
	path := broadcastPath(draft.ID)
	assert.Equal(t, api.BroadcastStateDraft, draft.State)
	assert.True(t, draft.ByMail, "unless somebody says otherwise")
	assert.Equal(t, api.Person{ID: b.lead.id, Name: "lead"}, draft.CreatedBy)
	assert.Equal(t, []uuid.UUID{b.team}, *draft.Audience.TeamIds)

	changed := into[api.Broadcast](b.lead.send(http.MethodPatch, path, fields{"revision": 1, "body": "12月12日までにお願いします。", "by_mail": false}).is(http.StatusOK))
	assert.Equal(t, int64(2), changed.Revision)
	assert.Equal(t, draft.Title, changed.Title)
	assert.False(t, changed.ByMail)
	b.admin.send(http.MethodPatch, path, fields{"revision": 2, "by_mail": true}).is(http.StatusOK)

	reach := get[api.BroadcastReach](b.lead, path+"/audience")
	assert.Equal(t, 3, reach.Recipients)
	assert.Len(t, reach.First, 3)
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.teammate.id)
	reach = get[api.BroadcastReach](b.lead, path+"/audience")
	assert.Equal(t, 2, reach.Recipients)
	assert.NotContains(t, reach.First, api.Person{ID: b.teammate.id, Name: "teammate"})
	b.exec("UPDATE memberships SET suspended_at = NULL WHERE user_id = $1", b.teammate.id)

	at := time.Now().Add(24 * time.Hour).Truncate(time.Second)
	scheduled := into[api.Broadcast](b.lead.send(http.MethodPost, path+"/schedule", fields{"revision": 3, "scheduled_at": at.Format(time.RFC3339)}).is(http.StatusOK))
	assert.Equal(t, api.BroadcastStateScheduled, scheduled.State)
	assert.True(t, at.Equal(*scheduled.ScheduledAt))
	b.lead.send(http.MethodPatch, path, fields{"revision": 4, "title": "来期のOKRについて"}).is(http.StatusOK)
	b.lead.send(http.MethodPost, path+"/schedule", fields{"revision": 5, "scheduled_at": at.Add(time.Hour).Format(time.RFC3339)}).is(http.StatusOK)
	b.carryOut()
	assert.Equal(t, api.BroadcastStateScheduled, get[api.Broadcast](b.lead, path).State, "neither is due")
	b.exec("UPDATE outbox_events SET available_at = now() WHERE kind = 'broadcast.deliver' AND available_at < $1", at.Add(time.Minute))
	b.carryOut()
	assert.Equal(t, api.BroadcastStateScheduled, get[api.Broadcast](b.lead, path).State, "the first time was put off")
	b.exec("UPDATE outbox_events SET available_at = now() WHERE kind = 'broadcast.deliver' AND state = 'waiting'")
	b.carryOut()
	sent := get[api.Broadcast](b.lead, path)
	assert.Equal(t, api.BroadcastStateSent, sent.State)
	assert.NotNil(t, sent.SentAt)
	assert.Equal(t, int64(6), sent.Revision)

	assert.Equal(t, api.BroadcastDelivery{State: api.BroadcastStateSent, Revision: 6, Waiting: 3}, get[api.BroadcastDelivery](b.lead, path+"/delivery"))
	b.report(draft.ID, b.author.id, "failed")
	b.report(draft.ID, b.teammate.id, "delivered")
	b.report(draft.ID, b.lead.id, "uncertain")
	assert.Equal(t, api.BroadcastDelivery{State: api.BroadcastStateSent, Revision: 6, Delivered: 1, Failed: 1, Uncertain: 1}, get[api.BroadcastDelivery](b.lead, path+"/delivery"))
	failed := get[api.BroadcastRecipientPage](b.lead, path+"/deliveries?state=failed").Items
	require.Len(t, failed, 1)
	assert.Equal(t, b.author.id, failed[0].Member.ID)
	assert.Equal(t, "550 no such user", *failed[0].Failure)
	assert.Len(t, get[api.BroadcastRecipientPage](b.lead, path+"/deliveries").Items, 3)

	again := into[api.BroadcastDelivery](b.lead.send(http.MethodPost, path+"/resend", fields{"revision": 6}).is(http.StatusAccepted))
	assert.Equal(t, 1, again.Failed, "it is sent in the background")
	b.carryOut()
	assert.Equal(t, api.BroadcastDelivery{State: api.BroadcastStateSent, Revision: 7, Waiting: 1, Delivered: 1, Uncertain: 1}, get[api.BroadcastDelivery](b.lead, path+"/delivery"))
	assert.Equal(t, 4, value[int](b, "SELECT count(*) FROM mails"))

	b.lead.send(http.MethodPost, path+"/resend", fields{"revision": 7}).refused(http.StatusConflict, "wrong-state")
	b.lead.send(http.MethodPost, path+"/resend", fields{"revision": 7, "uncertain_member_ids": []uuid.UUID{b.lead.id, b.author.id}}).
		refused(http.StatusUnprocessableEntity, "invalid", "/uncertain_member_ids/1")
	b.lead.send(http.MethodPost, path+"/resend", fields{"revision": 7, "uncertain_member_ids": []uuid.UUID{b.lead.id}}).is(http.StatusAccepted)
	b.carryOut()
	assert.Equal(t, api.BroadcastDelivery{State: api.BroadcastStateSent, Revision: 8, Waiting: 2, Delivered: 1}, get[api.BroadcastDelivery](b.lead, path+"/delivery"))
	assert.Equal(t, 5, value[int](b, "SELECT count(*) FROM mails"))

	assert.Equal(t, []string{"broadcast.created", "broadcast.updated", "broadcast.updated", "broadcast.scheduled", "broadcast.updated", "broadcast.scheduled", "broadcast.sent",
		"broadcast.resent", "broadcast.resent"}, b.actions(draft.ID))
}

// actions are what was audited of a thing, the first first.
func (b *bundle) actions(target uuid.UUID) (all []string) {
	b.t.Helper()
	for _, e := range get[api.AuditEventPage](b.admin, "/audit-events?limit=200&target_id="+target.String()).Items {
		all = append(all, e.Action)
	}
	slices.Reverse(all)
	return all
}

func TestABroadcastInOneStateTakesWhatSuitsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := time.Now().Add(time.Hour).Format(time.RFC3339)
	put := func(state string) (path string, revision int64) {
		draft := b.admin.broadcast()
		b.exec(`UPDATE broadcasts SET state = $2, scheduled_at = now(), dispatch_id = CASE WHEN $2 IN ('scheduled', 'sending') THEN $3::uuid END WHERE id = $1`, draft.ID, state, db.NewID())
		return broadcastPath(draft.ID), draft.Revision
	}
	for _, c := range []struct {
		method, path string
		body         fields
		from         []string
	}{
		{http.MethodPatch, "", fields{"title": "別の題"}, []string{"draft", "scheduled"}},
		{http.MethodPost, "/schedule", fields{"scheduled_at": at}, []string{"draft", "scheduled"}},
		{http.MethodPost, "/send", fields{}, []string{"draft", "scheduled"}},
		{http.MethodPost, "/cancel", fields{}, []string{"draft", "scheduled", "sending"}},
		{http.MethodPost, "/resend", fields{}, []string{}}, // it needs somebody, too
	} {
		for _, state := range []string{"draft", "scheduled", "sending", "sent", "cancelled"} {
			path, revision := put(state)
			before := b.content("idempotency_keys")
			a := b.admin.send(c.method, path+c.path, with(c.body, "revision", revision))
			if slices.Contains(c.from, state) {
				assert.Less(t, a.status, 300, "%s: %s", state, a.body)
				continue
			}
			p := a.refused(http.StatusConflict, "wrong-state")
			assert.Equal(t, float64(revision), (*p.Present).(fields)["revision"])
			assert.Equal(t, before, b.content("idempotency_keys"))
		}
		path, revision := put("draft")
		b.admin.send(c.method, path+c.path, c.body).refused(http.StatusPreconditionRequired, "revision-required", "/revision")
		p := b.admin.send(c.method, path+c.path, with(c.body, "revision", revision+1)).refused(http.StatusConflict, "stale-revision")
		assert.Equal(t, "admin", p.ChangedBy.Name)
		b.admin.send(c.method, path+c.path, c.body, ifMatch(`"7"`)).refused(http.StatusPreconditionFailed, "stale-revision")
	}
}

func TestOfManyWhoPressOneSends(t *testing.T) {
	t.Parallel()
	const pressers = 12
	b := setup(t)
	draft := b.lead.broadcast()
	people := []*person{b.lead, b.admin, b.owner}
	press := func(what string, revision int64) map[int]int {
		statuses := map[int]int{}
		var lock sync.Mutex
		var all sync.WaitGroup
		for i := range pressers {
			all.Go(func() {
				a, err := people[i%len(people)].try(http.MethodPost, broadcastPath(draft.ID)+what, fields{"revision": revision})
				assert.NoError(t, err)
				lock.Lock()
				defer lock.Unlock()
				statuses[a.status]++
			})
		}
		all.Wait()
		return statuses
	}
	assert.Equal(t, map[int]int{http.StatusAccepted: 1, http.StatusConflict: pressers - 1}, press("/send", draft.Revision))
	b.carryOut()
	assert.Equal(t, 3, value[int](b, "SELECT count(*) FROM mails"))
	b.report(draft.ID, b.author.id, "failed")
	b.report(draft.ID, b.teammate.id, "failed")
	assert.Equal(t, map[int]int{http.StatusAccepted: 1, http.StatusConflict: pressers - 1}, press("/resend", draft.Revision+1))
	b.carryOut()
	assert.Equal(t, 5, value[int](b, "SELECT count(*) FROM mails"), "each of the two who had failed was sent one more")
	assert.Equal(t, []string{"broadcast.created", "broadcast.sending", "broadcast.sent", "broadcast.resent"}, b.actions(draft.ID))
}

// Those who edit while somebody presses either come first, and their words are what is sent or the press is stale, or they are told that it is too late.
func TestAnEditMeetsTheSending(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 10 {
		draft := b.lead.broadcast()
		var edited, sent answer
		var all sync.WaitGroup
		all.Go(func() {
			edited, _ = b.lead.try(http.MethodPatch, broadcastPath(draft.ID), fields{"revision": 1, "title": "あとから"})
		})
		all.Go(func() { sent, _ = b.admin.try(http.MethodPost, broadcastPath(draft.ID)+"/send", fields{"revision": 1}) })
		all.Wait()
		assert.ElementsMatch(t, []bool{true, false}, []bool{edited.status == http.StatusOK, sent.status == http.StatusAccepted}, "%s %s", edited.body, sent.body)
	}
}

func TestWhoMayBroadcastToWhom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	post := func(p *person, audience fields) answer {
		return p.send(http.MethodPost, "/broadcasts", with(b.toTeam(), "audience", audience))
	}
	everybody, team := fields{"kind": "organization"}, fields{"kind": "teams", "team_ids": []uuid.UUID{b.team}}
	other := fields{"kind": "teams", "team_ids": []uuid.UUID{b.team, b.otherTeam}}
	people := fields{"kind": "people", "member_ids": []uuid.UUID{b.author.id}}
	for _, p := range []*person{b.owner, b.admin} {
		for _, audience := range []fields{everybody, team, other, people} {
			post(p, audience).is(http.StatusCreated)
		}
	}
	for _, p := range []*person{b.viewer, b.member, b.teammate} {
		for _, audience := range []fields{everybody, team, other, people} {
			post(p, audience).refused(http.StatusForbidden, "not-allowed")
		}
	}
	post(b.lead, team).is(http.StatusCreated)
	for _, audience := range []fields{everybody, other, people} {
		post(b.lead, audience).refused(http.StatusForbidden, "not-allowed")
	}
	mine := b.lead.broadcast()
	b.lead.send(http.MethodPatch, broadcastPath(mine.ID), fields{"revision": 1, "audience": everybody}).refused(http.StatusForbidden, "not-allowed")
	b.place(b.team, b.viewer, auth.TeamLead) // a viewer writes nothing, leading or not
	post(b.viewer, team).refused(http.StatusForbidden, "not-allowed")
	b.viewer.send(http.MethodGet, "/broadcasts", nil).refused(http.StatusForbidden, "not-allowed")

	theirs := b.admin.broadcast(fields{"audience": other})
	for _, path := range []string{"", "/audience", "/delivery", "/deliveries"} {
		b.lead.send(http.MethodGet, broadcastPath(theirs.ID)+path, nil).refused(http.StatusNotFound, "not-found")
	}
	var ids []uuid.UUID
	for _, one := range get[api.BroadcastPage](b.lead, "/broadcasts?limit=200").Items {
		ids = append(ids, one.ID)
		assert.Equal(t, []uuid.UUID{b.team}, *one.Audience.TeamIds)
	}
	assert.Contains(t, ids, mine.ID)
	assert.NotContains(t, ids, theirs.ID)
	assert.Len(t, get[api.BroadcastPage](b.admin, "/broadcasts?limit=200").Items, value[int](b, "SELECT count(*) FROM broadcasts WHERE organization_id = $1", b.id))
}

func TestAnAudienceThatIsNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	archived := b.newTeam("Archived")
	b.exec("UPDATE teams SET archived_at = now() WHERE id = $1", archived)
	for _, c := range []struct {
		audience fields
		pointers []string
	}{
		{fields{"kind": "teams"}, []string{"/audience/team_ids"}},
		{fields{"kind": "people"}, []string{"/audience/member_ids"}},
		{fields{"kind": "organization", "team_ids": []uuid.UUID{b.team}}, []string{"/audience/team_ids"}},
		{fields{"kind": "teams", "team_ids": []uuid.UUID{b.team}, "member_ids": []uuid.UUID{b.author.id}}, []string{"/audience/member_ids"}},
		{fields{"kind": "people", "team_ids": []uuid.UUID{b.team}}, []string{"/audience/team_ids", "/audience/member_ids"}},
		{fields{"kind": "teams", "team_ids": []uuid.UUID{b.team, db.NewID(), archived}}, []string{"/audience/team_ids/1", "/audience/team_ids/2"}},
		{fields{"kind": "people", "member_ids": []uuid.UUID{b.elsewhere.id, b.author.id}}, []string{"/audience/member_ids/0"}},
		{fields{"kind": "people", "member_ids": []uuid.UUID{b.author.id, b.author.id}}, []string{"/audience/member_ids"}},
		{fields{"kind": "people", "member_ids": []uuid.UUID{}}, []string{"/audience/member_ids"}},
	} {
		b.admin.send(http.MethodPost, "/broadcasts", with(b.toTeam(), "audience", c.audience)).refused(http.StatusUnprocessableEntity, "invalid", c.pointers...)
		draft := b.admin.broadcast()
		b.admin.send(http.MethodPatch, broadcastPath(draft.ID), fields{"revision": 1, "audience": c.audience}).refused(http.StatusUnprocessableEntity, "invalid", c.pointers...)
	}
	b.admin.send(http.MethodPost, "/broadcasts", with(b.toTeam(), "body", strings.Repeat("字", 20001))).refused(http.StatusUnprocessableEntity, "invalid", "/body")
	b.admin.send(http.MethodPost, "/broadcasts", with(b.toTeam(), "body", strings.Repeat("字", 20000))).is(http.StatusCreated)
	b.admin.send(http.MethodPost, "/broadcasts", with(b.toTeam(), "title", strings.Repeat("字", 201))).refused(http.StatusUnprocessableEntity, "invalid", "/title")
}

// Whom it has reached reads it, and is not told whom else it is for.
func TestWhomItHasReachedReadsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sent := b.admin.sent(fields{"audience": fields{"kind": "people", "member_ids": []uuid.UUID{b.author.id, b.viewer.id, b.suspended.id}}})
	for _, p := range []*person{b.author, b.viewer} {
		seen := get[api.Broadcast](p, broadcastPath(sent.ID))
		assert.Equal(t, sent.Body, seen.Body)
		assert.Nil(t, seen.Audience)
		for _, path := range []string{"/audience", "/delivery", "/deliveries"} {
			p.send(http.MethodGet, broadcastPath(sent.ID)+path, nil).refused(http.StatusForbidden, "not-allowed")
		}
		p.send(http.MethodPatch, broadcastPath(sent.ID), fields{"revision": 2, "title": "わたしの"}).refused(http.StatusForbidden, "not-allowed")
	}
	b.member.send(http.MethodGet, broadcastPath(sent.ID), nil).refused(http.StatusNotFound, "not-found")
	b.lead.send(http.MethodGet, broadcastPath(sent.ID), nil).refused(http.StatusNotFound, "not-found")
	assert.Equal(t, 2, get[api.BroadcastDelivery](b.admin, broadcastPath(sent.ID)+"/delivery").Waiting, "whoever is suspended gets nothing")
}

func TestWhenABroadcastIsSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	draft := b.admin.broadcast()
	path := broadcastPath(draft.ID) + "/schedule"
	now := time.Now()
	for at, code := range map[string]string{
		now.Add(-time.Minute).Format(time.RFC3339):         "in-the-past",
		"1970-01-01T00:00:00Z":                             "in-the-past",
		"0001-01-01T00:00:00Z":                             "in-the-past",
		now.Add(400 * 24 * time.Hour).Format(time.RFC3339): "out-of-range",
		"9999-12-31T23:59:59Z":                             "out-of-range",
		now.Add(30*time.Minute).In(time.FixedZone("", 5*3600)).Format("2006-01-02T15:04:05") + "+14:00": "in-the-past", // it is the moment that counts
	} {
		a := b.admin.send(http.MethodPost, path, fields{"revision": 1, "scheduled_at": at})
		a.refused(http.StatusUnprocessableEntity, "invalid", "/scheduled_at")
		a.code("/scheduled_at", code)
	}
	// Where the clock shows an hour twice, the two are an hour apart; where it skips one, the offset still says which moment is meant.
	revision := int64(1)
	for _, year := range []int{now.Year(), now.Year() + 1} {
		for _, c := range []struct{ at, utc string }{
			{lastSunday(year, time.October) + "T02:30:00+02:00", lastSunday(year, time.October) + "T00:30:00Z"},
			{lastSunday(year, time.October) + "T02:30:00+01:00", lastSunday(year, time.October) + "T01:30:00Z"},
			{lastSunday(year, time.March) + "T02:30:00+01:00", lastSunday(year, time.March) + "T01:30:00Z"},
		} {
			want, err := time.Parse(time.RFC3339, c.utc)
			require.NoError(t, err)
			if want.Before(now.Add(time.Hour)) || want.After(now.Add(365*24*time.Hour)) {
				continue
			}
			scheduled := into[api.Broadcast](b.admin.send(http.MethodPost, path, fields{"revision": revision, "scheduled_at": c.at}).is(http.StatusOK))
			revision++
			assert.True(t, want.Equal(*scheduled.ScheduledAt), "%s: %s", c.at, scheduled.ScheduledAt)
			due := value[time.Time](b, "SELECT e.available_at FROM outbox_events AS e JOIN broadcasts AS b ON b.dispatch_id = e.target_id WHERE b.id = $1", draft.ID)
			assert.True(t, want.Equal(due), "%s: %s", c.at, due)
		}
	}
	assert.Greater(t, revision, int64(1), "there is a change within every year")
}

// lastSunday is when Central Europe's clocks change.
func lastSunday(year int, month time.Month) string {
	day := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
	return day.AddDate(0, 0, -int(day.Weekday())).Format(time.DateOnly)
}

func TestPagesOfBroadcastsAndOfTheirDeliveries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var want []string
	for i := range 7 {
		want = append(want, b.lead.broadcast(fields{"title": fmt.Sprint(i)}).ID.String())
		b.admin.broadcast(fields{"audience": fields{"kind": "organization"}})
	}
	slices.Reverse(want)
	for _, path := range []string{"/broadcasts?limit=2", "/broadcasts?limit=2&state=draft"} {
		assert.Equal(t, want, b.lead.pages(path, func() { b.lead.broadcast() }), path)
		b.exec("DELETE FROM broadcasts WHERE NOT id = ANY ($1) AND audience = 'teams'", want)
	}
	assert.Len(t, b.admin.pages("/broadcasts?limit=3", func() {}), 14)
	assert.Len(t, b.admin.pages("/broadcasts?limit=3&state=draft", func() {}), 14)
	assert.Empty(t, b.lead.pages("/broadcasts?state=sent", func() {}))

	for range 5 {
		b.place(b.team, b.joins(b.id, "joiner", auth.Member), auth.TeamMember)
	}
	sent := b.lead.sent()
	for _, path := range []string{"/deliveries?limit=3", "/deliveries?limit=3&state=waiting"} {
		got := b.lead.pages(broadcastPath(sent.ID)+path, func() {})
		assert.Len(t, got, 8)
		assert.True(t, slices.IsSorted(got))
	}
	assert.Empty(t, b.lead.pages(broadcastPath(sent.ID)+"/deliveries?state=failed", func() {}))
}
