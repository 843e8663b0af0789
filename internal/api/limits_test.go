package api_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
)

// never refills while a test runs.
func never(burst int) api.Rate { return api.Rate{PerSecond: 1e-6, Burst: burst} }

func TestSessionThatAsksTooOftenIsToldWhen(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{Limits: api.Limits{Session: api.Rate{PerSecond: 1e-3, Burst: 3}}})
	for range 3 {
		b.member.send(http.MethodGet, "/session", nil).is(http.StatusOK)
	}
	refused := b.member.send(http.MethodGet, "/session", nil).is(http.StatusTooManyRequests)
	require.Equal(t, "too-many-requests", refused.problem().Type)
	wait, err := strconv.Atoi(refused.header.Get("Retry-After"))
	require.NoError(t, err)
	require.True(t, wait > 900 && wait <= 1000, "Retry-After is %d: one comes back in 1000 s", wait)
	b.admin.send(http.MethodGet, "/session", nil).is(http.StatusOK) // another session is not to blame
}

func TestOrganisationsLimitIsUsedUpByItsMembersAlone(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{Limits: api.Limits{Organization: never(5)}})
	forger := *b.anonymous
	forger.token = auth.NewToken(b.id).String()
	for range 20 {
		forger.send(http.MethodGet, "/teams", nil).is(http.StatusUnauthorized)
	}
	for range 5 {
		b.member.send(http.MethodGet, "/teams", nil).is(http.StatusOK)
	}
	b.admin.send(http.MethodGet, "/teams", nil).is(http.StatusTooManyRequests)
	b.elsewhere.send(http.MethodGet, "/teams", nil).is(http.StatusOK)
}

func TestSignInAttemptsAreCounted(t *testing.T) {
	t.Parallel()
	attempt := func(b *bundle, email string, status int) {
		b.t.Helper()
		b.anonymous.send(http.MethodPost, "/session", fields{"email": email, "password": "not the password"}).is(status)
	}
	t.Run("by account", func(t *testing.T) {
		t.Parallel()
		b := setupWith(t, api.Options{Limits: api.Limits{Account: never(2)}})
		attempt(b, "someone@example.com", http.StatusUnauthorized)
		attempt(b, "Someone@Example.com", http.StatusUnauthorized)
		attempt(b, "someone@example.com", http.StatusTooManyRequests)
		attempt(b, "another@example.com", http.StatusUnauthorized)
	})
	t.Run("by address", func(t *testing.T) {
		t.Parallel()
		b := setupWith(t, api.Options{Limits: api.Limits{Address: never(2)}})
		attempt(b, "a@example.com", http.StatusUnauthorized)
		attempt(b, "b@example.com", http.StatusUnauthorized)
		attempt(b, "c@example.com", http.StatusTooManyRequests)
	})
}
