package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

// deferrals are what a program that has ended says of its deferred work.
type deferrals struct {
	Deferred, Withdrawn, Done, Failed, TimedOut, Panicked, Dropped int
}

// ending is a server that a test ends.
type ending struct {
	*upgrade
	*program
	command *exec.Cmd
	ended   chan struct{}
	url     string
	tokens  []string // of sessions, each of which has its last use written once
}

// newEnding starts a server, and opens sessions of the demo's owner.
func newEnding(t *testing.T, sessions int, variables ...string) *ending {
	t.Helper()
	e := &ending{upgrade: newUpgrade(t), program: &program{}, ended: make(chan struct{})}
	var organization, user uuid.UUID
	require.NoError(t, e.database.Owner.QueryRow(t.Context(), `SELECT m.organization_id, m.user_id FROM memberships AS m JOIN users AS u ON u.id = m.user_id
		WHERE u.email = $1 ORDER BY 1 LIMIT 1`, e.signedIn.Email).Scan(&organization, &user))
	var rows pgx.Batch
	for range sessions {
		token := auth.NewToken(organization)
		e.tokens = append(e.tokens, token.String())
		rows.Queue("INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at) VALUES ($1, $2, $3, $4, now() + interval '1 day')", organization, token.Hash(), db.NewID(), user)
	}
	require.NoError(t, e.database.Owner.SendBatch(t.Context(), &rows).Close())

	e.command = exec.Command(e.build("kakeai"), "serve")
	e.command.Env, e.command.Stderr = e.environment(append(variables, "KAKEAI_ORGANIZATION_RATE=0")...), e.program
	require.NoError(t, e.command.Start())
	go func() {
		defer close(e.ended)
		_ = e.command.Wait()
	}()
	t.Cleanup(func() {
		_ = e.command.Process.Kill()
		<-e.ended
		if t.Failed() {
			t.Logf("%s", e.said())
		}
	})
	require.Eventually(t, func() bool {
		found := servedAddress.FindStringSubmatch(e.said())
		if found == nil {
			return false
		}
		e.url = "http://" + found[1]
		status, _ := e.send(http.MethodGet, e.url+"/readyz", nil)
		return status == http.StatusOK
	}, patience, 20*time.Millisecond, "it does not serve")
	return e
}

// use sends a request of a session; false where nobody answers.
func (e *ending) use(client *http.Client, token string) bool {
	request, err := http.NewRequestWithContext(e.t.Context(), http.MethodGet, e.url+"/api/v1/teams", nil)
	if !assert.NoError(e.t, err) {
		return false
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return assert.NoError(e.t, err, "an answer broke off") && assert.Equal(e.t, http.StatusOK, response.StatusCode)
}

// hold keeps the times of last use from being written.
func (e *ending) hold() pgx.Tx {
	e.t.Helper()
	tx, err := e.database.Owner.Begin(e.t.Context())
	require.NoError(e.t, err)
	e.t.Cleanup(func() { _ = tx.Rollback(e.t.Context()) })
	_, err = tx.Exec(e.t.Context(), "LOCK TABLE session_accesses IN EXCLUSIVE MODE")
	require.NoError(e.t, err)
	return tx
}

var metricsAddress = regexp.MustCompile(`"msg":"metrics","address":"([^"]+)"`)

// metrics are the program's numbers, which are not on the address that it serves on.
func (e *ending) metrics() string {
	e.t.Helper()
	found := metricsAddress.FindStringSubmatch(e.said())
	require.NotNil(e.t, found, "it does not say where its numbers are")
	status, said := e.send(http.MethodGet, "http://"+found[1]+"/metrics", nil)
	require.Equal(e.t, http.StatusOK, status)
	return string(said)
}

func (e *ending) written() int { return e.count("SELECT count(*) FROM session_accesses") }

// stalled waits until work stands before the lock.
func (e *ending) stalled() {
	e.t.Helper()
	require.Eventually(e.t, func() bool {
		return e.count("SELECT count(*) FROM pg_locks AS l WHERE NOT l.granted AND l.relation = 'session_accesses'::regclass") > 0
	}, patience, 5*time.Millisecond, "nothing is being written")
}

// wait waits for the end of the program, and returns what it ended with and what it says of its deferred work.
func (e *ending) wait() (code int, d deferrals) {
	e.t.Helper()
	select {
	case <-e.ended:
	case <-time.After(patience):
		e.t.Fatal("it does not end")
	}
	found := 0
	for line := range strings.Lines(e.said()) {
		var entry struct {
			deferrals
			Msg, Name string
			TimedOut  int `json:"timed_out"`
		}
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "deferred work is over" && entry.Name == "last-access" {
			found++
			d = entry.deferrals
			d.TimedOut = entry.TimedOut
		}
	}
	require.Equal(e.t, 1, found, "what became of deferred work is told once")
	return e.command.ProcessState.ExitCode(), d
}

// ordered checks that nothing asked the database for anything once the pool was closed.
func (e *ending) ordered() {
	e.t.Helper()
	assert.NotContains(e.t, e.said(), "closed pool")
	assert.NotContains(e.t, e.said(), `"level":"ERROR"`)
}

// SIGTERM comes while many requests run and what others have deferred waits for a lock. Everything that was answered has its work done before the pool closes.
func TestShutdownFinishesWhatWasDeferred(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	e := newEnding(t, 5000, "KAKEAI_METRICS_ADDR=127.0.0.1:0")
	var next, answered atomic.Int64
	var clients sync.WaitGroup
	for range 8 {
		client := &http.Client{Transport: &http.Transport{}, Timeout: patience}
		clients.Go(func() {
			defer client.CloseIdleConnections()
			for {
				n := next.Add(1)
				if int(n) > len(e.tokens) || !e.use(client, e.tokens[n-1]) {
					return
				}
				answered.Add(1)
			}
		})
	}
	require.Eventually(t, func() bool { return e.written() > 20 }, patience, 5*time.Millisecond)
	lock := e.hold()
	e.stalled()
	before := e.written()
	require.NoError(t, e.command.Process.Signal(syscall.SIGTERM))
	clients.Wait() // until nobody is let in any more
	require.Less(t, int(answered.Load()), len(e.tokens), "the load ended before the program did")
	numbers := e.metrics()
	require.NoError(t, lock.Rollback(t.Context()))
	code, d := e.wait()
	assert.Zero(t, code)
	assert.Regexp(t, `\nkakeai_deferred_open [1-9]`, numbers, "what is left to do is told until it is done")
	assert.Contains(t, numbers, fmt.Sprintf("\nkakeai_http_request_duration_seconds_count{method=\"GET\",route=\"/api/v1/teams\",status=\"2xx\"} %d\n", answered.Load()))
	assert.EqualValues(t, answered.Load(), d.Deferred, "each session that was answered")
	assert.Equal(t, d.Deferred, d.Done+d.Failed, "what was deferred, and what is known of it: %+v", &d)
	assert.Equal(t, d.Done, e.written(), "what is said to be done, and what is there")
	assert.Greater(t, d.Done, before, "nothing was left to do after the signal, so this shows little")
	assert.Equal(t, d.Failed, strings.Count(e.said(), `"msg":"deferred work failed"`), "each failure has its line")
	e.ordered()
	t.Logf("%d answered; %d written before the signal, %d in all; %+v", answered.Load(), before, e.written(), &d)
}

// What does not finish in time is named and counted, and the program ends.
func TestShutdownReportsWhatItDrops(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	e := newEnding(t, 40, "KAKEAI_DRAIN_TIMEOUT=100ms")
	e.hold()
	status, _ := e.send(http.MethodGet, e.url+"/metrics", nil)
	require.Equal(t, http.StatusNotFound, status, "numbers are for whoever runs the program, and have an address of their own")
	client := &http.Client{Timeout: patience}
	for _, token := range e.tokens {
		require.True(t, e.use(client, token))
	}
	client.CloseIdleConnections()
	e.stalled()
	require.NoError(t, e.command.Process.Signal(syscall.SIGTERM))
	code, d := e.wait()
	assert.Equal(t, exitFailed, code)
	assert.Equal(t, len(e.tokens), d.Deferred)
	assert.Equal(t, d.Deferred, d.Failed+d.Dropped, "%+v", &d)
	assert.NotZero(t, d.Dropped)
	assert.Equal(t, d.Dropped, strings.Count(e.said(), `"msg":"deferred work is dropped"`), "each has its line")
	assert.Regexp(t, `kakeai: deferred work was dropped: last-access \(\d+\)`, e.said())
	assert.Zero(t, e.written())
	e.ordered()
}
