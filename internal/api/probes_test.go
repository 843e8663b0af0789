package api_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// probed is a server, and a store that reaches its database by way of a proxy.
type probed struct {
	t     *testing.T
	store *db.Store
	url   string
}

func probe(t *testing.T, appURL string, o db.Options) probed {
	t.Helper()
	log := slog.New(alarm{t})
	store, err := db.Open(t.Context(), appURL, o)
	require.NoError(t, err)
	t.Cleanup(store.Close)
	waker := ai.NewWaker(store, log)
	t.Cleanup(waker.Close)
	server, err := api.NewServer(store, auth.NewPasswords(1, auth.PasswordPatience), waker, log, api.Options{CursorKey: make([]byte, 32)})
	require.NoError(t, err)
	web := httptest.NewServer(server.Handler())
	t.Cleanup(web.Close)
	return probed{t, store, web.URL}
}

// get asks one of the probes and returns the status, what was said, and how long it took.
func (p probed) get(path string) (status int, said string, took time.Duration) {
	p.t.Helper()
	begun := time.Now()
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get(p.url + path)
	if !assert.NoError(p.t, err) {
		return 0, "", 0
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	assert.NoError(p.t, err)
	return response.StatusCode, string(body), time.Since(begun)
}

func (p probed) becomes(path string, status int) {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		got, _, _ := p.get(path)
		return got == status
	}, patience, 20*time.Millisecond, "%s does not become %d", path, status)
}

// PostgreSQL stops and starts again on the same data, on another port behind the same address. The program is alive all the time, ready only while it
// has a database, and ready again without a restart.
func TestProbesWhilePostgreSQLIsGone(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	start := func() *pgdev.Server {
		t.Helper()
		server, err := pgdev.Start(t.Context(), pgdev.Options{DataDir: data, Ephemeral: true})
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, server.Stop()) })
		return server
	}
	postgres := start()
	require.NoError(t, db.Migrate(t.Context(), postgres.OwnerURL, slog.New(slog.DiscardHandler)))
	proxy := pgtest.NewProxy(t, postgres.AppURL)
	p := probe(t, proxy.URL(postgres.AppURL), db.Options{})
	p.becomes("/readyz", http.StatusOK)
	for range 2 {
		require.NoError(t, postgres.Stop())
		p.becomes("/readyz", http.StatusServiceUnavailable)
		status, said, _ := p.get("/readyz")
		assert.Equal(t, http.StatusServiceUnavailable, status)
		assert.Contains(t, said, `"type":"unavailable"`)
		status, said, _ = p.get("/healthz")
		assert.Equal(t, http.StatusOK, status)
		assert.Equal(t, "ok\n", said)

		postgres = start()
		proxy.Forward(postgres.AppURL)
		p.becomes("/readyz", http.StatusOK)
	}
}

// A database that says nothing is found out in about a second by however many who ask, at the cost of one transaction. Liveness does not notice.
func TestReadinessDoesNotWaitForSilence(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	proxy := pgtest.NewProxy(t, database.AppURL)
	const endless = 20 * time.Second // so that what ends in time is not the transaction
	p := probe(t, proxy.URL(database.AppURL), db.Options{Timeouts: db.Timeouts{Ping: endless, Acquire: endless, Transaction: endless}})
	p.becomes("/readyz", http.StatusOK)
	proxy.Silence()
	t.Cleanup(proxy.Resume)
	time.Sleep(1100 * time.Millisecond) // until what it answered before no longer counts
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			status, _, took := p.get("/readyz")
			assert.Equal(t, http.StatusServiceUnavailable, status)
			assert.Less(t, took, endless/2, "the transaction was waited for to its end")
			status, _, _ = p.get("/healthz")
			assert.Equal(t, http.StatusOK, status)
		})
	}
	all.Go(func() {
		time.Sleep(500 * time.Millisecond)
		open, _ := p.store.Connections()
		assert.Equal(t, int32(1), open, "connections for those who ask")
	})
	all.Wait()
	proxy.Resume()
	p.becomes("/readyz", http.StatusOK)
}

// A gate that is full of what people do, and a flood of sign-ins on top of it, are work and no reason to be taken out of service.
func TestBusyStaysReady(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, end := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	t.Cleanup(clients.Wait)
	t.Cleanup(end)
	for range 40 { // five times what the gate lets run
		clients.Go(func() {
			for ctx.Err() == nil {
				_ = b.store.Read(ctx, db.Scope{Organization: b.id}, func(context.Context, *db.Queries) error { // those at the gate at the end see it end
					time.Sleep(50 * time.Millisecond)
					return nil
				})
			}
		})
		clients.Go(func() {
			for ctx.Err() == nil {
				_ = b.store.System(ctx, db.Critical, func(context.Context, *db.Queries) error {
					time.Sleep(200 * time.Millisecond) // so that one who asks among them may have to wait for longer than readiness may
					return nil
				})
			}
		})
	}
	p := probed{t, b.store, b.url}
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if status, said, took := p.get("/readyz"); status != http.StatusOK {
			t.Fatalf("not ready after %s: %s", took, said)
		}
	}
}

// While a mode or the fence keeps this release from writing, writes are refused, each with its reason, and reading goes on.
func TestRefusedWritesAndReadingGoesOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, err := pgx.Connect(t.Context(), b.database.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	write := func(name string) answer {
		return b.admin.send(http.MethodPost, "/teams", fields{"name": name}, key("key-of-"+name))
	}
	refused := func(kind string) {
		t.Helper()
		before := b.content("sessions")
		a := write("team-" + kind)
		a.refused(http.StatusServiceUnavailable, kind)
		assert.NotEmpty(t, a.header.Get("Retry-After"), kind)
		assert.Equal(t, before, b.content("sessions"), "%s: a refused write left something", kind)
		b.admin.send(http.MethodGet, "/teams", nil).is(http.StatusOK)
		b.author.send(http.MethodGet, "/session", nil).is(http.StatusOK)
		status, _, _ := probed{t, b.store, b.url}.get("/readyz")
		assert.Equal(t, http.StatusOK, status, kind)
	}
	require.NoError(t, db.SetMode(t.Context(), conn, db.ModeReadOnly))
	refused("read-only")
	require.NoError(t, db.SetMode(t.Context(), conn, db.ModeMaintenance))
	refused("maintenance")
	require.NoError(t, db.SetMode(t.Context(), conn, db.ModeNormal))
	write("team-maintenance").is(http.StatusCreated) // the very request that was refused
	require.NoError(t, db.RaiseFence(t.Context(), conn, db.Release+1))
	refused("fenced")
}

// What is counted of requests are names of which there are only so many, whatever clients make up.
func TestAnsweredRequestsAreToldInBoundedTerms(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	told := map[string]int{}
	b := setupWith(t, api.Options{Observe: func(a api.Answered) {
		mu.Lock()
		defer mu.Unlock()
		told[fmt.Sprintf("%s %s %d", a.Method, a.Route, a.Status)]++
		assert.Positive(t, a.Took)
	}})
	for range 3 {
		b.author.send(http.MethodGet, "/teams/"+uuid.NewString(), nil).is(http.StatusNotFound)
		b.anonymous.send(http.MethodGet, "/teams/"+uuid.NewString(), nil).is(http.StatusUnauthorized)
		b.author.send(http.MethodGet, "/nonsense/"+uuid.NewString(), nil).is(http.StatusNotFound)
		b.author.send("BREW"+strings.ToUpper(uuid.NewString()[:4]), "/teams", nil).is(http.StatusMethodNotAllowed)
	}
	mu.Lock()
	defer mu.Unlock()
	assert.Equal(t, map[string]int{"GET /api/v1/teams/:team_id 404": 3, "GET /api/v1/teams/:team_id 401": 3, "GET  404": 3, "other  405": 3}, told)
}
