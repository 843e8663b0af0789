package api_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
)

// accesses is what has become of the times of last use, once as many have ended.
func (b *bundle) accesses(ended int64) background.Count {
	b.t.Helper()
	var n background.Count
	require.Eventually(b.t, func() bool {
		n = b.deferred.Stats().ByName["last-access"]
		return n.Deferred-n.Open() == ended
	}, patience, 10*time.Millisecond, "%+v", &n)
	return n
}

func (b *bundle) own(p *person) api.SessionSummary {
	b.t.Helper()
	for _, s := range into[api.SessionPage](p.send(http.MethodGet, "/sessions", nil).is(http.StatusOK)).Items {
		if s.Current {
			return s
		}
	}
	b.t.Fatal("the session that asks is not among its own")
	return api.SessionSummary{}
}

func TestSessionsTellWhenTheyWereLastUsed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.author.again()
	assert.Nil(t, b.own(p).LastAccessedAt, "it was not used before")
	b.accesses(1)
	now := value[time.Time](b, "SELECT clock_timestamp()")
	used := b.own(p).LastAccessedAt
	require.NotNil(t, used)
	assert.WithinDuration(t, now, *used, time.Minute)
	assert.Equal(t, "127.0.0.1", value[string](b, "SELECT address FROM session_accesses"))
	for _, s := range into[api.SessionPage](p.send(http.MethodGet, "/sessions", nil).is(http.StatusOK)).Items {
		assert.True(t, s.Current == (s.LastAccessedAt != nil), "the other session was not used")
	}
}

// Many requests of a session at once write once, whatever they are answered; those of nobody write nothing.
func TestLastUseIsWrittenOnceInAWhile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reader, refused := b.author.again(), b.viewer.again()
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() { reader.send(http.MethodGet, "/session", nil).is(http.StatusOK) })
		all.Go(func() { reader.send(http.MethodGet, "/teams", nil).is(http.StatusOK) })
		all.Go(func() { refused.send(http.MethodGet, "/teams/"+uuid.NewString(), nil).is(http.StatusNotFound) })
		all.Go(func() { b.anonymous.send(http.MethodGet, "/teams", nil).is(http.StatusUnauthorized) })
		all.Go(func() { b.removed.send(http.MethodGet, "/teams", nil).is(http.StatusUnauthorized) })
		all.Go(func() { b.suspended.send(http.MethodGet, "/session", nil).is(http.StatusUnauthorized) })
	}
	all.Wait()
	assert.Equal(t, background.Count{Deferred: 2, Started: 2, Done: 2}, b.accesses(2))
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM session_accesses"))
}

// While the time of last use cannot be written, nobody waits for it and nothing fails.
func TestLastUseHoldsNothingUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, release := b.holds("LOCK TABLE session_accesses IN EXCLUSIVE MODE")
	p := b.author.again()
	p.send(http.MethodPost, "/teams", fields{"name": "Platform"}).is(http.StatusForbidden)
	p.send(http.MethodGet, "/teams", nil).is(http.StatusOK)
	assert.Nil(t, b.own(p).LastAccessedAt)
	assert.Equal(t, background.Count{Deferred: 1, Started: 1, Failed: 1}, b.accesses(1)) // by the timeout of the lock
	release()
	p.send(http.MethodGet, "/teams", nil).is(http.StatusOK)
	assert.Nil(t, b.own(p).LastAccessedAt, "the while is not over yet")
}

func TestLastUseIsNotWrittenWhileNobodyWrites(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("UPDATE runtime_state SET mode = $1", string(db.ModeReadOnly))
	b.author.again().send(http.MethodGet, "/teams", nil).is(http.StatusOK)
	assert.Equal(t, background.Count{Deferred: 1, Started: 1, Done: 1}, b.accesses(1))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM session_accesses"))
}

// A session that ends at once has no last use, and whoever ends it does not meet it.
func TestLastUseOfASessionThatHasEnded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.again().send(http.MethodDelete, "/session", nil).is(http.StatusNoContent)
	assert.Equal(t, background.Count{Deferred: 1, Started: 1, Done: 1}, b.accesses(1))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM session_accesses"))
}
