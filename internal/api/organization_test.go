package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/okr"
)

func TestSettingsAreChangedFromTheRevisionThatWasRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before := into[api.OrganizationSettings](b.viewer.send(http.MethodGet, "/organization", nil).is(http.StatusOK))
	b.lead.send(http.MethodPatch, "/organization", fields{"revision": before.Revision, "name": "x"}).refused(http.StatusForbidden, "not-allowed")
	b.admin.send(http.MethodPatch, "/organization", fields{"name": "x"}).refused(http.StatusPreconditionRequired, "revision-required", "/revision")
	for pointer, change := range map[string]fields{"/name": {"name": " "}, "/time_zone": {"time_zone": "Mars/Olympus"}, "/grace_days": {"grace_days": 91}, "/cadence": {"cadence": "daily"}, "/ai_monthly_tokens": {"ai_monthly_tokens": -1}} {
		a := b.admin.send(http.MethodPatch, "/organization", with(change, "revision", before.Revision))
		assert.Contains(t, string(a.body), pointer, "%s", a.body)
		assert.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, a.status, pointer)
	}
	changed := into[api.OrganizationSettings](b.admin.send(http.MethodPatch, "/organization", fields{"revision": before.Revision, "name": "新しい名前", "time_zone": "Europe/Berlin", "cadence": "monthly", "grace_days": 3, "locale": "en",
		"ai_enabled": false, "ai_monthly_tokens": 1000}).is(http.StatusOK))
	assert.Equal(t, before.Revision+1, changed.Revision)
	assert.Equal(t, "新しい名前 Europe/Berlin monthly 3 en false 1000", fmt.Sprint(changed.Name, " ", changed.TimeZone, " ", changed.Cadence, " ", changed.GraceDays, " ", changed.Locale, " ", changed.AiEnabled, " ", changed.AiMonthlyTokens.MustGet()))
	assert.Equal(t, "新しい名前", into[api.Session](b.viewer.send(http.MethodGet, "/session", nil).is(http.StatusOK)).Organization.Name, "it counts in the next request")
	stale := b.owner.send(http.MethodPatch, "/organization", fields{"revision": before.Revision, "name": "y"})
	stale.refused(http.StatusConflict, "stale-revision")
	said := into[api.Problem](stale)
	assert.Equal(t, b.admin.id, said.ChangedBy.ID, "who was faster")
	assert.Contains(t, string(stale.body), "新しい名前", "what is there now")
	none := into[api.OrganizationSettings](b.owner.send(http.MethodPatch, "/organization", fields{"revision": changed.Revision, "ai_monthly_tokens": nil}).is(http.StatusOK))
	assert.True(t, none.AiMonthlyTokens.IsNull())
	assert.Equal(t, "新しい名前", none.Name, "what is not named stays")
	detail := value[string](b, "SELECT detail::text FROM audit_events WHERE action = 'organization.updated' AND organization_id = $1 ORDER BY id LIMIT 1", b.id)
	assert.Contains(t, detail, `"before": "Asia/Kathmandu"`)
	assert.Contains(t, detail, `"after": "Europe/Berlin"`)
}

// Two who save at once: one of them is told of the other.
func TestOfTwoChangesOfSettingsOneIsStale(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var answers [2]answer
	var wg sync.WaitGroup
	for i, p := range []*person{b.owner, b.admin} {
		wg.Go(func() {
			answers[i] = p.send(http.MethodPatch, "/organization", fields{"revision": 1, "grace_days": 10 + i})
		})
	}
	wg.Wait()
	assert.ElementsMatch(t, []int{http.StatusOK, http.StatusConflict}, []int{answers[0].status, answers[1].status}, "%s %s", answers[0].body, answers[1].body)
	assert.Equal(t, int64(2), value[int64](b, "SELECT revision FROM organizations WHERE id = $1", b.id))
}

func TestAnExhaustedBudgetIsToldAndTheRulesAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := calls["AskCoach"](b, okr.VisibleToTeam)
	c.operation = operations()["AskCoach"]
	b.admin.send(http.MethodPatch, "/organization", fields{"revision": 1, "ai_monthly_tokens": ai.CallTokens - 1}).is(http.StatusOK)
	budget := into[api.AIBudget](b.viewer.send(http.MethodGet, "/organization/ai", nil).is(http.StatusOK))
	assert.True(t, budget.Exhausted)
	assert.Equal(t, int64(ai.CallTokens-1), budget.LeftTokens.MustGet())
	c.send(c.by).refused(http.StatusConflict, "ai-budget-exhausted")
	assert.Zero(t, value[int](b, "SELECT count(*)::int FROM ai_jobs WHERE coach = 'model'"))
	c.payload = with(c.payload, "coach", "rules")
	job := into[api.Job](c.send(c.by).is(http.StatusAccepted))
	assert.Equal(t, api.CoachRules, job.Coach)
}

func TestMembersAreFoundByWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	somebody := b.joins(b.id, "somebody", auth.Member)
	b.exec("UPDATE users SET name = '山田 はなこ' WHERE id = $1", somebody.id)
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", somebody.id)
	find := func(text string) []api.Member {
		return into[api.MemberPage](b.viewer.send(http.MethodGet, "/members?text="+url.QueryEscape(text), nil).is(http.StatusOK)).Items
	}
	for _, text := range []string{"山田", "ハナコ", somebody.email, "山田 はな"} {
		found := find(text)
		require.Len(t, found, 1, text)
		assert.Equal(t, somebody.id, found[0].ID)
		assert.True(t, found[0].Suspended, "suspended ones too")
	}
	assert.Empty(t, find("山本"))
	assert.Empty(t, into[api.MemberPage](b.elsewhere.send(http.MethodGet, "/members?text="+url.QueryEscape("山田"), nil).is(http.StatusOK)).Items)
}

func TestTheAuditIsSearched(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("DELETE FROM audit_events")
	event := func(action, kind string, by *person, at time.Time) {
		id := idAt(at)
		b.exec("INSERT INTO audit_events (organization_id, id, action, target_kind, target_id, actor_id, happened_at) VALUES ($1, $2, $3, $4, $2, $5, $6)", b.id, id, action, kind, by.id, at)
	}
	day := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	event("team.created", "team", b.admin, day)
	event("team.updated", "team", b.lead, day.Add(24*time.Hour))
	event("objective.created", "objective", b.admin, day.Add(48*time.Hour))
	event("objective.created", "objective", b.lead, day.Add(72*time.Hour))
	find := func(query url.Values) (actions []string) {
		query.Set("limit", "1")
		for path := "/audit-events?" + query.Encode(); ; {
			page := into[api.AuditEventPage](b.admin.send(http.MethodGet, path, nil).is(http.StatusOK))
			for _, e := range page.Items {
				actions = append(actions, e.Action+" "+e.HappenedAt.Format("02"))
			}
			if page.NextCursor == nil {
				return actions
			}
			query.Set("cursor", *page.NextCursor)
			path = "/audit-events?" + query.Encode()
		}
	}
	at := func(d time.Duration) string { return day.Add(d).Format(time.RFC3339) }
	assert.Equal(t, []string{"objective.created 04", "objective.created 03", "team.updated 02", "team.created 01"}, find(url.Values{}))
	assert.Equal(t, []string{"objective.created 03", "team.created 01"}, find(url.Values{"actor_id": {b.admin.id.String()}}))
	assert.Equal(t, []string{"team.updated 02", "team.created 01"}, find(url.Values{"target_kind": {"team"}}))
	assert.Equal(t, []string{"objective.created 04", "objective.created 03"}, find(url.Values{"action": {"objective.created"}}))
	assert.Equal(t, []string{"objective.created 04"}, find(url.Values{"action": {"objective.created"}, "actor_id": {b.lead.id.String()}, "target_kind": {"objective"}}))
	assert.Equal(t, []string{"objective.created 03", "team.updated 02"}, find(url.Values{"from": {at(24 * time.Hour)}, "before": {at(72 * time.Hour)}}), "the beginning counts, the end does not")
	assert.Equal(t, []string{"team.updated 02"}, find(url.Values{"from": {at(time.Second)}, "before": {at(25 * time.Hour)}, "actor_id": {b.lead.id.String()}}))
	assert.Empty(t, find(url.Values{"from": {at(96 * time.Hour)}}))
	b.admin.send(http.MethodGet, "/audit-events?from=yesterday", nil).refused(http.StatusBadRequest, "bad-request", "/query/from")
}

// However little of it fits, a page looks at a thousand events and leads on.
func TestASearchOfTheAuditIsBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec(`INSERT INTO audit_events (organization_id, id, action, target_kind, target_id, actor_id)
		SELECT $1, ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, CASE n WHEN 1 THEN 'rare.thing' ELSE 'usual.thing' END, 'thing', $2, $2 FROM generate_series(1, 2500) AS n`, b.id, b.member.id)
	path, pages, found := "/audit-events?action=rare.thing&actor_id="+b.member.id.String(), 0, 0
	for next := path; next != ""; pages++ {
		page := into[api.AuditEventPage](b.admin.send(http.MethodGet, next, nil).is(http.StatusOK))
		found += len(page.Items)
		if next = ""; page.NextCursor != nil {
			next = path + "&cursor=" + url.QueryEscape(*page.NextCursor)
		}
	}
	assert.Equal(t, 1, found)
	assert.Equal(t, 3, pages)
}

// idAt is an id as one that is made at a moment.
func idAt(at time.Time) uuid.UUID {
	id := uuid.New()
	for i := range 6 {
		id[i] = byte(at.UnixMilli() >> (8 * (5 - i)))
	}
	id[6] = 0x70 | id[6]&0x0f
	return id
}
