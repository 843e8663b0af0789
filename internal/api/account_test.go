package api_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
)

const newPassword = "four words that nobody guesses"

func TestOnesOwnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before := get[api.Account](b.viewer, "/account")
	assert.Equal(t, api.Account{ID: b.viewer.id, Name: "viewer", Email: b.viewer.email, Locale: api.LocaleJa, TimeZone: "Asia/Tokyo"}, before)
	changed := into[api.Account](b.viewer.send(http.MethodPatch, "/account", fields{"name": "橋本 陽菜"}).is(http.StatusOK))
	before.Name = "橋本 陽菜"
	assert.Equal(t, before, changed)
	changed = into[api.Account](b.viewer.send(http.MethodPatch, "/account", fields{"locale": "en", "time_zone": "America/New_York"}).is(http.StatusOK))
	before.Locale, before.TimeZone = api.LocaleEn, "America/New_York"
	assert.Equal(t, before, changed)
	b.viewer.send(http.MethodPatch, "/account", fields{"name": "　 ", "time_zone": "Local"}).refused(http.StatusUnprocessableEntity, "invalid", "/name", "/time_zone")
	b.viewer.send(http.MethodPatch, "/account", fields{"email": "other@example.com"}).is(http.StatusUnprocessableEntity)
	assert.Equal(t, before, get[api.Account](b.viewer, "/account"))
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'account.updated' AND actor_id = $1", b.viewer.id))
	assert.Equal(t, "Asia/Tokyo", get[api.Account](b.author, "/account").TimeZone)
}

// Whoever has taken over a session elsewhere is out from that moment on, in every organisation; whoever changed the password goes on.
func TestChangingThePasswordEndsAllOtherSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("UPDATE users SET password_hash = $2 WHERE id = $1", b.author.id, hashOfPassword())
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.otherOrganization, b.author.id)
	here := b.author.again()
	there := *b.author
	there.token, _ = b.session(b.otherOrganization, b.author.id)
	for _, p := range []*person{b.author, here, &there, b.lead} {
		p.send(http.MethodGet, "/session", nil).is(http.StatusOK)
	}
	change := fields{"present_password": password, "new_password": newPassword}
	b.author.send(http.MethodPut, "/account/password", change).is(http.StatusNoContent)
	b.author.send(http.MethodGet, "/session", nil).is(http.StatusOK)
	b.author.send(http.MethodPatch, "/account", fields{"locale": "en"}).is(http.StatusOK)
	b.lead.send(http.MethodGet, "/session", nil).is(http.StatusOK)
	for _, p := range []*person{here, &there} {
		p.send(http.MethodGet, "/session", nil).is(http.StatusUnauthorized)
		p.send(http.MethodPatch, "/account", fields{"locale": "ja"}).is(http.StatusUnauthorized)
	}
	b.anonymous.send(http.MethodPost, "/session", fields{"email": b.author.email, "password": password}).is(http.StatusUnauthorized)
	fresh := into[api.SignedIn](b.anonymous.send(http.MethodPost, "/session", fields{"email": b.author.email, "password": newPassword, "organization_id": b.otherOrganization}).is(http.StatusCreated))
	there.token = fresh.Token
	there.send(http.MethodGet, "/session", nil).is(http.StatusOK)
	assert.Len(t, get[api.SessionPage](&there, "/sessions").Items, 1, "the one that has ended is not among them")
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'account.password_changed' AND actor_id = $1", b.author.id))
}

func TestThePresentPasswordIsAskedFor(t *testing.T) {
	t.Parallel()
	limits := api.DefaultLimits()
	limits.Account = api.Rate{PerSecond: 0.001, Burst: 4}
	b := setupWith(t, api.Options{Limits: limits})
	b.exec("UPDATE users SET password_hash = $2 WHERE id = $1", b.author.id, hashOfPassword())
	put := func(present, wanted string) answer {
		return b.author.send(http.MethodPut, "/account/password", fields{"present_password": present, "new_password": wanted})
	}
	put("not this one", newPassword).refused(http.StatusUnprocessableEntity, "invalid", "/present_password")
	put(password, "short").refused(http.StatusUnprocessableEntity, "invalid", "/new_password")
	put(password, "aaaaaaaaaaaaaa").refused(http.StatusUnprocessableEntity, "invalid", "/new_password")
	put(password, newPassword).is(http.StatusNoContent)
	put(newPassword, password).is(http.StatusTooManyRequests)
	without := b.joins(b.id, "federated", auth.Member)
	without.send(http.MethodPut, "/account/password", fields{"present_password": password, "new_password": newPassword}).refused(http.StatusConflict, "wrong-state")
}

// Two windows, two new passwords: one of them counts, and the other is told.
func TestThePasswordIsChangedOnceAtATime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("UPDATE users SET password_hash = $2 WHERE id = $1", b.author.id, hashOfPassword())
	windows := []*person{b.author, b.author.again(), b.author.again()}
	statuses := make([]int, len(windows))
	var wg sync.WaitGroup
	for i, w := range windows {
		wg.Go(func() {
			a, err := w.try(http.MethodPut, "/account/password", fields{"present_password": password, "new_password": newPassword + w.token})
			if err == nil {
				statuses[i] = a.status
			}
		})
	}
	wg.Wait()
	changed := 0
	for i, status := range statuses {
		if status == http.StatusNoContent {
			changed++
			windows[i].send(http.MethodGet, "/session", nil).is(http.StatusOK)
			continue
		}
		assert.Contains(t, []int{http.StatusConflict, http.StatusUnauthorized, http.StatusUnprocessableEntity}, status)
	}
	assert.Equal(t, 1, changed, "%v", statuses)
}
