package api_test

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
)

// fill takes every ordinary place and the whole line, for one organisation, until release is called.
func (b *bundle) fill() (release func()) {
	b.t.Helper()
	held := make(chan struct{})
	var all sync.WaitGroup
	ctx, cancel := context.WithCancel(context.WithoutCancel(b.t.Context()))
	const running, waiting = 8, 500 // of a store with ten connections
	for range running + waiting {
		all.Go(func() {
			_ = b.store.Read(ctx, db.Scope{Organization: b.id}, func(context.Context, *db.Queries) error { // those in line see the end of ctx
				<-held
				return nil
			})
		})
	}
	require.Eventually(b.t, func() bool { return b.store.Full(db.Normal) }, patience, time.Millisecond)
	return sync.OnceFunc(func() { cancel(); close(held); all.Wait() })
}

// While there is not even a place in line, requests are refused before anything is made of them, with the same answer as later on. What is
// critical, and what needs no database, goes on; so does another organisation, which has done nothing to fill the line.
func TestRefusedAtTheDoor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	release := b.fill()
	defer release()

	refused := b.member.send(http.MethodGet, "/objectives", nil)
	said := refused.refused(http.StatusServiceUnavailable, "overloaded")
	wait, err := strconv.Atoi(refused.header.Get("Retry-After"))
	require.NoError(t, err)
	assert.Positive(t, wait)
	require.NotNil(t, said.RequestID)
	assert.Equal(t, *said.RequestID, refused.header.Get("X-Request-Id"))
	assert.NotEmpty(t, said.Title)
	assert.NotNil(t, said.Detail)
	assert.Equal(t, "no-store", refused.header.Get("Cache-Control"))
	b.member.send(http.MethodPost, "/teams", fields{"name": 7}).refused(http.StatusServiceUnavailable, "overloaded") // nobody has looked at what is wrong with it

	b.member.send(http.MethodGet, "/session", nil).is(http.StatusOK)
	b.anonymous.send(http.MethodGet, "/objectives", nil).is(http.StatusUnauthorized)
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/readyz": http.StatusOK, "/docs": http.StatusOK, "/nowhere": http.StatusNotFound} {
		status, _, _ := probed{t, b.store, b.url}.get(path)
		assert.Equal(t, want, status, path)
	}

	stranger := make(chan answer, 1)
	go func() { stranger <- b.elsewhere.send(http.MethodGet, "/teams", nil) }()
	select {
	case a := <-stranger:
		t.Fatalf("an organisation that has nobody in line got %d instead of a place in it", a.status)
	case <-time.After(200 * time.Millisecond): // what is not refused at once stands in line
	}
	release()
	(<-stranger).is(http.StatusOK)
	b.member.send(http.MethodGet, "/objectives", nil).is(http.StatusOK)
}
