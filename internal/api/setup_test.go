package api_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/auth/oidctest"
	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/snapshot"
)

func TestMain(m *testing.M) {
	if os.Getenv(intakeDatabase) != "" {
		if err := runIntake(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	pgtest.Main(m)
}

// patience is how long a test waits for what must happen. It is no part of what is tested.
const patience = 30 * time.Second

// bundle is what a test gets: a server of its own over a database of its own, in which two organisations live.
type bundle struct {
	t        *testing.T
	database *pgtest.Database
	q        *db.Queries // as the tables' owner, past row-level security
	store    *db.Store
	deferred *background.Runner
	provider *oidctest.Provider // through which people sign in, unless the test has another
	api      *api.Server
	url      string
	client   *http.Client
	organization
	elsewhere *person // owner of the other organisation
}

// organization is the one that tests happen in. Its team has a lead and two members, of whom one, the author, owns the objectives.
type organization struct {
	id                     uuid.UUID
	owner, admin           *person
	lead, author, teammate *person // members in the team
	member                 *person // in no team
	viewer                 *person
	suspended              *person // their session was left behind
	removed                *person // a member whose session has ended
	anonymous              *person
	team, otherTeam, cycle uuid.UUID
	otherOrganization      uuid.UUID
}

// setup runs the whole API as it runs in production. Whatever the server logs as an error fails the test.
func setup(t *testing.T) *bundle {
	t.Helper()
	return setupWith(t, api.Options{})
}

func setupWith(t *testing.T, options api.Options) *bundle {
	t.Helper()
	database := pgtest.New(t)
	log := slog.New(alarm{t})
	store, err := db.Open(t.Context(), database.AppURL, db.Options{Patience: patience})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	waker := ai.NewWaker(store, log)
	t.Cleanup(waker.Close)
	options.Deliveries = outbox.NewWaker(store, log)
	t.Cleanup(options.Deliveries.Close)
	if options.CursorKey == nil {
		options.CursorKey = make([]byte, 32)
		_, _ = rand.Read(options.CursorKey)
	}
	options, provider := withProvider(t, options)
	options.Organizations = snapshot.New(database.OwnerURL, snapshot.Options{LockTimeout: patience})
	deferred := background.NewRunner(log, background.Options{})
	t.Cleanup(func() {
		draining, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
		defer cancel()
		assert.NoError(t, deferred.Drain(draining))
	})
	options.Deferred = deferred
	server, err := api.NewServer(store, auth.NewPasswords(2, patience), waker, log, options)
	require.NoError(t, err)
	web := httptest.NewUnstartedServer(server.Handler())
	web.Config.ErrorLog = slog.NewLogLogger(alarm{t}, slog.LevelError)
	web.Start()
	t.Cleanup(web.Close)
	transport := &http.Transport{MaxIdleConnsPerHost: 100}
	t.Cleanup(transport.CloseIdleConnections)

	b := &bundle{t: t, database: database, q: db.New(database.Owner), store: store, deferred: deferred, provider: provider, api: server, url: web.URL, client: &http.Client{Transport: transport, Timeout: patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	b.populate()
	return b
}

// alarm is a log in which an error or a panic must not appear.
type alarm struct{ t *testing.T }

func (a alarm) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }
func (a alarm) WithAttrs([]slog.Attr) slog.Handler               { return a }
func (a alarm) WithGroup(string) slog.Handler                    { return a }
func (a alarm) Handle(_ context.Context, r slog.Record) error {
	if r.Level < slog.LevelError {
		return nil
	}
	var attributes strings.Builder
	r.Attrs(func(at slog.Attr) bool {
		_, _ = fmt.Fprintf(&attributes, " %s=%v", at.Key, at.Value)
		return true
	})
	a.t.Errorf("logged: %s%s", r.Message, attributes.String())
	return nil
}

func (b *bundle) populate() {
	b.t.Helper()
	ctx := b.t.Context()
	b.id, b.otherOrganization = db.NewID(), db.NewID()
	for id, name := range map[uuid.UUID]string{b.id: "みなと製作所", b.otherOrganization: "Harbor Labs"} {
		require.NoError(b.t, b.q.CreateOrganization(ctx, db.CreateOrganizationParams{OrganizationID: id, Name: name, Locale: "ja", TimeZone: "Asia/Kathmandu", Cadence: "weekly", GraceDays: 7}))
	}
	b.elsewhere = b.joins(b.otherOrganization, "stranger", auth.Owner)
	b.owner = b.joins(b.id, "owner", auth.Owner)
	b.admin = b.joins(b.id, "admin", auth.Admin)
	b.lead = b.joins(b.id, "lead", auth.Member)
	b.author = b.joins(b.id, "author", auth.Member)
	b.teammate = b.joins(b.id, "teammate", auth.Member)
	b.member = b.joins(b.id, "member", auth.Member)
	b.viewer = b.joins(b.id, "viewer", auth.Viewer)
	b.removed = b.joins(b.id, "removed", auth.Member)
	b.exec("DELETE FROM sessions WHERE user_id = $1", b.removed.id)
	b.suspended = b.joins(b.id, "suspended", auth.Member)
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.suspended.id)
	b.anonymous = &person{bundle: b, name: "anonymous"}

	b.team, b.otherTeam = b.newTeam("カスタマーサクセス"), b.newTeam("Platform")
	b.place(b.team, b.lead, auth.TeamLead)
	b.place(b.team, b.author, auth.TeamMember)
	b.place(b.team, b.teammate, auth.TeamMember)
	b.cycle = b.newCycle("active", -30, 60)
}

// person is somebody with a session. Requests are sent in their name.
type person struct {
	*bundle
	id    uuid.UUID
	name  string
	email string
	token string // empty for nobody in particular
}

// joins makes a person who is a member of an organisation, and signs them in.
func (b *bundle) joins(organization uuid.UUID, name string, role auth.Role) *person {
	b.t.Helper()
	id := db.NewID()
	email := name + "." + id.String() + "@example.com"
	require.NoError(b.t, b.q.CreateUser(b.t.Context(), db.CreateUserParams{ID: id, Email: email, Name: name, Locale: "ja", TimeZone: "Asia/Tokyo"}))
	require.NoError(b.t, b.q.CreateMembership(b.t.Context(), db.CreateMembershipParams{OrganizationID: organization, UserID: id, Role: string(role)}))
	p := &person{bundle: b, id: id, name: name, email: email}
	p.token, _ = b.session(organization, id)
	return p
}

// session opens a session without the cost of a password.
func (b *bundle) session(organization, user uuid.UUID) (token string, id uuid.UUID) {
	b.t.Helper()
	secret := auth.NewToken(organization)
	id = db.NewID()
	b.exec(`INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at) VALUES ($1, $2, $3, $4, now() + interval '1 day')`,
		organization, secret.Hash(), id, user)
	return secret.String(), id
}

// again is the same person in a further session.
func (p *person) again() *person {
	p.t.Helper()
	twin := *p
	if p.token == "" {
		return &twin
	}
	token, err := auth.ParseToken(p.token)
	require.NoError(p.t, err)
	twin.token, _ = p.session(token.Organization, p.id)
	if p == p.removed {
		p.exec("DELETE FROM sessions WHERE user_id = $1", p.id)
	}
	return &twin
}

func (b *bundle) newTeam(name string) uuid.UUID {
	b.t.Helper()
	team, err := b.q.CreateTeam(b.t.Context(), db.CreateTeamParams{OrganizationID: b.id, ID: db.NewID(), Name: name, ActorID: b.owner.id})
	require.NoError(b.t, err)
	return team.ID
}

func (b *bundle) place(team uuid.UUID, p *person, role auth.TeamRole) {
	b.t.Helper()
	require.NoError(b.t, b.q.PutTeamMember(b.t.Context(), db.PutTeamMemberParams{OrganizationID: b.id, TeamID: team, UserID: p.id, Role: string(role)}))
}

// newCycle makes a cycle whose first and last day are counted from the organisation's today.
func (b *bundle) newCycle(state string, starts, ends int) uuid.UUID {
	b.t.Helper()
	id := db.NewID()
	b.exec(`INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, state, changed_by)
		SELECT o.id, $2, $3, (now() AT TIME ZONE o.time_zone)::date + $4::int, (now() AT TIME ZONE o.time_zone)::date + $5::int, $6, $7 FROM organizations AS o WHERE o.id = $1`,
		b.id, id, "cycle "+id.String(), starts, ends, state, b.owner.id)
	return id
}

// exec runs a statement as the tables' owner.
func (b *bundle) exec(statement string, arguments ...any) {
	b.t.Helper()
	_, err := b.database.Owner.Exec(b.t.Context(), statement, arguments...)
	require.NoError(b.t, err, statement)
}

// value reads one value as the tables' owner.
func value[T any](b *bundle, query string, arguments ...any) (v T) {
	b.t.Helper()
	require.NoError(b.t, b.database.Owner.QueryRow(b.t.Context(), query, arguments...).Scan(&v), query)
	return v
}

// counts is how many rows each table holds. The times at which sessions were last used are no part of it: a request that is refused has used its session.
func (b *bundle) counts() map[string]int {
	b.t.Helper()
	rows, err := b.database.Owner.Query(b.t.Context(), "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'session_accesses'")
	require.NoError(b.t, err)
	counts := map[string]int{}
	for rows.Next() {
		var table string
		require.NoError(b.t, rows.Scan(&table))
		counts[table] = 0
	}
	require.NoError(b.t, rows.Err())
	for table := range counts {
		counts[table] = value[int](b, "SELECT count(*) FROM "+table)
	}
	return counts
}

// content is a digest of all rows of all tables but those named.
func (b *bundle) content(without ...string) map[string]string {
	b.t.Helper()
	digests := map[string]string{}
	for table := range b.counts() {
		digests[table] = value[string](b, "SELECT coalesce(md5(string_agg(r::text, '|' ORDER BY r::text)), '') FROM "+table+" AS r")
	}
	for _, table := range without {
		delete(digests, table)
	}
	return digests
}

// fields is a JSON object.
type fields = map[string]any

// header names one header of a request. The same name twice sends it twice.
type header struct{ name, value string }

func key(value string) header     { return header{"Idempotency-Key", value} }
func ifMatch(value string) header { return header{"If-Match", value} }

// send sends a request beneath /api/v1 and returns what was answered. A body is sent as JSON, unless it is a string or bytes already.
func (p *person) send(method, path string, body any, headers ...header) answer {
	p.t.Helper()
	a, err := p.try(method, path, body, headers...)
	require.NoError(p.t, err, "%s %s as %s", method, path, p.name)
	return a
}

// try is send for goroutines, which must not end the test.
func (p *person) try(method, path string, body any, headers ...header) (answer, error) {
	a := answer{t: p.t, what: fmt.Sprintf("%s %s as %s", method, path, p.name)}
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.url+"/api/v1"+path, reader(body))
	if err != nil {
		return a, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if p.token != "" {
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
	replaced := map[string]bool{}
	for _, h := range headers {
		if !replaced[h.name] {
			request.Header.Del(h.name)
			replaced[h.name] = true
		}
		request.Header[http.CanonicalHeaderKey(h.name)] = append(request.Header[http.CanonicalHeaderKey(h.name)], h.value)
	}
	response, err := p.client.Do(request)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	a.status, a.header = response.StatusCode, response.Header
	a.body, err = io.ReadAll(response.Body)
	return a, err
}

func reader(body any) io.Reader {
	switch b := body.(type) {
	case nil:
		return nil
	case string:
		return strings.NewReader(b)
	case []byte:
		return bytes.NewReader(b)
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		panic(err) // a test's own literal
	}
	return bytes.NewReader(encoded)
}

// answer is what came back.
type answer struct {
	t      *testing.T
	what   string
	status int
	header http.Header
	body   []byte
}

// is requires a status.
func (a answer) is(status int) answer {
	a.t.Helper()
	require.Equal(a.t, status, a.status, "%s: %s", a.what, a.body)
	return a
}

// refused requires a problem with a status, a type and errors with exactly these pointers.
func (a answer) refused(status int, kind string, pointers ...string) api.Problem {
	a.t.Helper()
	p := a.is(status).problem()
	assert.Equal(a.t, kind, p.Type, "%s: %s", a.what, a.body)
	assert.ElementsMatch(a.t, pointers, p.pointers(), "%s: %s", a.what, a.body)
	return p.Problem
}

// code requires an error with this code at this pointer.
func (a answer) code(pointer, code string) {
	a.t.Helper()
	for _, e := range a.problem().fields() {
		if e.Pointer == pointer && e.Code == code {
			return
		}
	}
	assert.Fail(a.t, "no such error", "%s: want %s at %s: %s", a.what, code, pointer, a.body)
}

type problem struct{ api.Problem }

func (a answer) problem() problem {
	a.t.Helper()
	assert.Equal(a.t, "application/problem+json", a.header.Get("Content-Type"), "%s: %s", a.what, a.body)
	p := problem{into[api.Problem](a)}
	assert.NotEmpty(a.t, p.Type, a.what)
	assert.Equal(a.t, a.status, p.Status, a.what)
	if assert.NotNil(a.t, p.RequestID, a.what) {
		assert.Equal(a.t, a.header.Get("X-Request-Id"), *p.RequestID, a.what)
	}
	return p
}

func (p problem) fields() []api.FieldProblem {
	if p.Errors == nil {
		return nil
	}
	return *p.Errors
}

func (p problem) pointers() []string {
	pointers := []string{}
	for _, e := range p.fields() {
		pointers = append(pointers, e.Pointer)
	}
	return pointers
}

// into reads an answer's body.
func into[T any](a answer) (v T) {
	a.t.Helper()
	require.NoError(a.t, json.Unmarshal(a.body, &v), "%s: %s", a.what, a.body)
	return v
}

// get reads what is at a path.
func get[T any](p *person, path string) T {
	p.t.Helper()
	return into[T](p.send(http.MethodGet, path, nil).is(http.StatusOK))
}

// pointer is for optional fields of typed bodies.
func pointer[T any](v T) *T { return &v }
