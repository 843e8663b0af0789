package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/demo"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const patience = 30 * time.Second

func TestReleaseSaysHowTheFenceStands(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	call := func(arguments ...string) (string, error) {
		var out bytes.Buffer
		err := release(t.Context(), arguments, config.Config{DatabaseOwnerURL: database.OwnerURL}, &out)
		return out.String(), err
	}
	said, err := call("status")
	require.NoError(t, err)
	assert.Regexp(t, `^minimum release +0\nmode +normal\nthis program +release 1, may write\n$`, said)

	said, err = call("raise", "1")
	require.NoError(t, err)
	assert.Regexp(t, `^minimum release +1\n`, said)
	said, err = call("raise", "1")
	require.NoError(t, err, "raising it twice is what a deployment that was run twice does")
	assert.Contains(t, said, "stood at 1 already")

	store, err := db.Open(t.Context(), database.AppURL, db.Options{Release: 7})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	said, err = call("mode", "read_only")
	require.NoError(t, err)
	assert.Regexp(t, `mode +read_only\nthis program +release 1, may not write in this mode\nconnected +release 7, may not write in this mode: 1 session\n$`, said)
	_, err = call("mode", "normal")
	require.NoError(t, err)
}

func TestReleaseRefusesWhatWouldDoHarm(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	for _, arguments := range [][]string{{}, {"lower", "1"}, {"status", "now"}, {"raise"}, {"raise", "-1"}, {"raise", "0"}, {"raise", "99999999999"}, {"raise", "two"}, {"mode"}, {"mode", "holiday"}, {"mode", "normal", "x"}} {
		var m misuse
		err := release(t.Context(), arguments, config.Config{DatabaseOwnerURL: "postgres://nobody@127.0.0.1:1/none"}, io.Discard)
		assert.ErrorAs(t, err, &m, "%q", arguments)
	}
	assert.ErrorIs(t, release(t.Context(), []string{"status"}, config.Config{}, io.Discard), errNoOwner)
	assert.ErrorIs(t, release(t.Context(), []string{"status"}, config.Config{DatabaseOwnerURL: "postgres://nobody@127.0.0.1:1/none"}, io.Discard), db.ErrUnavailable)
	// The program's own login cannot raise the fence, nor a program a fence that would shut itself out.
	assert.ErrorContains(t, release(t.Context(), []string{"raise", "1"}, config.Config{DatabaseOwnerURL: database.AppURL}, io.Discard), "permission denied")
	assert.ErrorContains(t, release(t.Context(), []string{"raise", fmt.Sprint(db.Release + 1)}, config.Config{DatabaseOwnerURL: database.OwnerURL}, io.Discard), "use the program of release 2")
}

func TestArgumentsOfCommands(t *testing.T) {
	t.Parallel()
	for _, arguments := range [][]string{{}, {"fly"}, {"serve", "quickly"}, {"migrate", "up"}} {
		var m misuse
		assert.ErrorAs(t, run(arguments, io.Discard), &m, "%q", arguments)
	}
	for _, arguments := range [][]string{{"help"}, {"-h"}, {"--help"}, {"serve", "--help"}, {"release", "help"}} {
		var out bytes.Buffer
		assert.NoError(t, run(arguments, &out))
		assert.True(t, strings.HasPrefix(out.String(), "Usage: kakeai"), "%q: %s", arguments, out.String())
	}
}

// Two builds of the program, one a release ahead, serve one database. When the fence has been raised, the older one refuses to write and goes on reading,
// and its worker, which was in the middle of a job, neither finishes it nor takes another; the newer ones do.
func TestRollingUpgrade(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program twice")
	}
	u := newUpgrade(t)
	older, newer := u.build("older"), u.build("newer", "-tags", "kakeai_next_release")

	oldServer := u.serve(older)
	u.signIn(oldServer)
	u.write(oldServer, http.StatusCreated, "")
	newServer := u.serve(newer)
	u.write(newServer, http.StatusCreated, "")
	u.write(oldServer, http.StatusCreated, "")

	called, give, model := u.model()
	oldWorker := u.start(older, "worker", "OPENAI_BASE_URL="+model, "OPENAI_MODEL=held", "OPENAI_API_KEY=none")
	done := u.queueJob(0)
	called.soon(t, oldWorker)
	give <- struct{}{} // in time, which shows that the next would have been stored as well
	u.becomes(done, "succeeded")
	held := u.queueJob(1)
	called.soon(t, oldWorker)

	_, code := u.run(older, "release", "raise", fmt.Sprint(db.Release+1))
	assert.Equal(t, exitFailed, code, "a program that raises the fence above itself")
	_, code = u.run(newer, "release", "raise", "high")
	assert.Equal(t, exitMisuse, code)
	said, code := u.run(newer, "release", "raise", fmt.Sprint(db.Release+1))
	require.Equal(t, 0, code, said)
	assert.Regexp(t, `minimum release +2\n(.*\n)*.*release 1, may no longer write: \d+ sessions\n +release 2, may write: \d+ session`, said)

	messages := u.count("SELECT count(*) FROM messages")
	u.write(oldServer, http.StatusServiceUnavailable, "fenced")
	u.read(oldServer)
	u.write(newServer, http.StatusCreated, "")
	u.read(newServer)

	waiting := u.queueJob(2)
	give <- struct{}{}
	require.Eventually(t, func() bool { return strings.Contains(oldWorker.said(), "may not write") }, patience, 20*time.Millisecond, "the older worker does not know")
	time.Sleep(3 * time.Second) // some of the times it looks for jobs
	assert.Equal(t, 1, u.count("SELECT count(*) FROM ai_jobs WHERE id = $1 AND state = 'running' AND lease_number = 1", held), "the older worker ended its job")
	assert.Equal(t, 1, u.count("SELECT count(*) FROM ai_jobs WHERE id = $1 AND state = 'queued' AND lease_number = 0", waiting), "the older worker took a job")
	assert.Equal(t, messages, u.count("SELECT count(*) FROM messages"), "the older worker stored an answer")

	u.start(newer, "worker")
	u.becomes(waiting, "succeeded")
}

// upgrade is a database with the demo organisation, and the programs that run on it.
type upgrade struct {
	t        *testing.T
	database *pgtest.Database
	folder   string
	signedIn demo.SignIn
	token    string
}

func newUpgrade(t *testing.T) *upgrade {
	t.Helper()
	u := &upgrade{t: t, database: pgtest.New(t), folder: t.TempDir()}
	var err error
	u.signedIn, err = demo.Load(t.Context(), u.database.OwnerURL, time.Now())
	require.NoError(t, err)
	_, err = u.database.Owner.Exec(t.Context(), "DELETE FROM ai_jobs WHERE state IN ('queued', 'running')")
	require.NoError(t, err)
	return u
}

func (u *upgrade) build(name string, arguments ...string) string {
	u.t.Helper()
	binary := filepath.Join(u.folder, name)
	command := exec.CommandContext(u.t.Context(), "go", append(append([]string{"build"}, arguments...), "-o", binary, ".")...)
	said, err := command.CombinedOutput()
	require.NoError(u.t, err, "%s", said)
	return binary
}

// program is one that runs until the test ends.
type program struct {
	mu  sync.Mutex
	log bytes.Buffer
}

func (p *program) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.Write(b)
}

func (p *program) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// environment names the test's database and nothing of the environment that the test was started in.
func (u *upgrade) environment(variables ...string) []string {
	own := []string{"DATABASE_URL=" + u.database.AppURL, "DATABASE_OWNER_URL=" + u.database.OwnerURL, "KAKEAI_ADDR=127.0.0.1:0"}
	return append(append(own, "PATH="+os.Getenv("PATH"), "HOME="+u.folder), variables...)
}

func (u *upgrade) start(binary, command string, variables ...string) *program {
	u.t.Helper()
	p := &program{}
	c := exec.Command(binary, command)
	c.Env, c.Stderr = u.environment(variables...), p
	require.NoError(u.t, c.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Wait() // a worker that is fenced off cannot give its job back
	}()
	u.t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(patience):
			u.t.Errorf("%s does not end", command)
			_ = c.Process.Kill()
			<-ended
		}
		if u.t.Failed() {
			u.t.Logf("%s %s:\n%s", filepath.Base(binary), command, p.said())
		}
	})
	return p
}

// run runs a command to its end.
func (u *upgrade) run(binary string, arguments ...string) (said string, code int) {
	u.t.Helper()
	c := exec.CommandContext(u.t.Context(), binary, arguments...)
	c.Env = u.environment()
	output, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		u.t.Fatal(err)
	}
	return string(output), c.ProcessState.ExitCode()
}

var servedAddress = regexp.MustCompile(`"serving","address":"([^"]+)"`)

// serve starts a server and returns its URL once it is ready.
func (u *upgrade) serve(binary string) string {
	u.t.Helper()
	p := u.start(binary, "serve")
	var url string
	require.Eventually(u.t, func() bool {
		found := servedAddress.FindStringSubmatch(p.said())
		if found == nil {
			return false
		}
		url = "http://" + found[1]
		status, _ := u.send(http.MethodGet, url+"/readyz", nil)
		return status == http.StatusOK
	}, patience, 20*time.Millisecond, "it does not serve")
	return url
}

func (u *upgrade) send(method, url string, body any) (status int, said []byte) {
	u.t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(u.t, err)
	request, err := http.NewRequestWithContext(u.t.Context(), method, url, bytes.NewReader(encoded))
	require.NoError(u.t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", uuid.NewString())
	if u.token != "" {
		request.Header.Set("Authorization", "Bearer "+u.token)
	}
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil
	}
	defer response.Body.Close()
	said, err = io.ReadAll(response.Body)
	require.NoError(u.t, err)
	return response.StatusCode, said
}

func (u *upgrade) signIn(url string) {
	u.t.Helper()
	status, said := u.send(http.MethodPost, url+"/api/v1/session", map[string]string{"email": u.signedIn.Email, "password": u.signedIn.Password})
	require.Equal(u.t, http.StatusCreated, status, "%s", said)
	var answer struct{ Token string }
	require.NoError(u.t, json.Unmarshal(said, &answer))
	u.token = answer.Token
}

// write tries to make a team. A refusal must be of that kind and leave nothing.
func (u *upgrade) write(url string, want int, kind string) {
	u.t.Helper()
	before := u.count("SELECT count(*) FROM teams")
	status, said := u.send(http.MethodPost, url+"/api/v1/teams", map[string]string{"name": "Team " + uuid.NewString()})
	assert.Equal(u.t, want, status, "%s", said)
	var problem struct{ Type string }
	require.NoError(u.t, json.Unmarshal(said, &problem))
	assert.Equal(u.t, kind, problem.Type)
	added := u.count("SELECT count(*) FROM teams") - before
	assert.Equal(u.t, want == http.StatusCreated, added == 1, "%d teams added", added)
}

func (u *upgrade) read(url string) {
	u.t.Helper()
	status, said := u.send(http.MethodGet, url+"/api/v1/teams", nil)
	assert.Equal(u.t, http.StatusOK, status, "%s", said)
}

func (u *upgrade) count(query string, arguments ...any) (n int) {
	u.t.Helper()
	require.NoError(u.t, u.database.Owner.QueryRow(context.WithoutCancel(u.t.Context()), query, arguments...).Scan(&n))
	return n
}

// queueJob asks for feedback in the name of an objective's owner, in one of the demo's dialogues.
func (u *upgrade) queueJob(dialogue int) uuid.UUID {
	u.t.Helper()
	id := db.NewID()
	tag, err := u.database.Owner.Exec(u.t.Context(), `INSERT INTO ai_jobs (organization_id, id, kind, objective_id, dialogue_id, requested_by)
		SELECT organization_id, $1, 'feedback', objective_id, id, owner_id FROM (
			SELECT DISTINCT ON (o.id) d.organization_id, d.objective_id, d.id, o.owner_id
			FROM dialogues AS d JOIN objectives AS o ON o.organization_id = d.organization_id AND o.id = d.objective_id WHERE o.archived_at IS NULL ORDER BY o.id, d.id) AS one
		ORDER BY objective_id LIMIT 1 OFFSET $2`, id, dialogue)
	require.NoError(u.t, err)
	require.EqualValues(u.t, 1, tag.RowsAffected(), "the demo has too few dialogues")
	return id
}

// becomes waits until a job is in that state.
func (u *upgrade) becomes(job uuid.UUID, state string) {
	u.t.Helper()
	require.Eventually(u.t, func() bool {
		return u.count("SELECT count(*) FROM ai_jobs WHERE id = $1 AND state = $2", job, state) == 1
	},
		patience, 20*time.Millisecond, "the job does not become %s", state)
}

// calls tells of each call to a model.
type calls chan struct{}

// soon waits for the next.
func (c calls) soon(t *testing.T, p *program) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatalf("the worker calls no model: %s", p.said())
	}
}

// model is one that answers each call once something is sent to give.
func (u *upgrade) model() (called calls, give chan struct{}, url string) {
	called, give = make(calls, 10), make(chan struct{}, 10)
	answer, err := json.Marshal(`{"text":"A clear outcome.","findings":[],"proposal":null}`)
	require.NoError(u.t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		called <- struct{}{}
		select {
		case <-give:
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		const chunk = `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"held","choices":[{"index":0,"delta":{%s},"finish_reason":%s}]}` + "\n\n"
		fmt.Fprintf(w, chunk, `"role":"assistant","content":`+string(answer), "null")
		fmt.Fprintf(w, chunk, "", `"stop"`)
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	u.t.Cleanup(server.Close)
	return called, give, server.URL
}
