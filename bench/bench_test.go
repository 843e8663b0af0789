package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/rig"
	"github.com/kakeai/kakeai/bench/seed"
)

func TestRecoveryIsWhereServiceBecomesPrompt(t *testing.T) {
	t.Parallel()
	const storm = 2 * time.Second
	run := func(slowUntil time.Duration) load.Run {
		var r load.Run
		for due := time.Duration(0); due < storm+calmLength; due += 10 * time.Millisecond {
			s := load.Sample{Due: due, Took: time.Millisecond}
			if due < slowUntil {
				s.Took = time.Second
			}
			r.Samples = append(r.Samples, s)
		}
		return r
	}
	for slowUntil, want := range map[time.Duration]float64{0: 0, storm: 0, storm + 1500*time.Millisecond: 1.5, time.Hour: calmLength.Seconds()} {
		if got := recovery(run(slowUntil), storm); got != want {
			t.Errorf("slow until %s: %v, want %v", slowUntil, got, want)
		}
	}
}

func TestRevisionIsReadFromAnAnswer(t *testing.T) {
	t.Parallel()
	d := desk{revision: 1, unsure: true}
	d.read(503, []byte(`{"revision":7}`))
	d.read(200, []byte(`{"title":"no number"}`))
	if d.revision != 1 || !d.unsure {
		t.Errorf("%+v", d)
	}
	d.read(200, []byte(`{"progress":{"percent":3},"revision":42,"state":"draft"}`))
	if d.revision != 42 || d.unsure {
		t.Errorf("%+v", d)
	}
}

func TestRatioIsPairedByRound(t *testing.T) {
	t.Parallel()
	if got := ratio([]float64{100, 10, 50}, []float64{100, 5, 25}); got != 2 {
		t.Errorf("%v", got)
	}
	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("%v", got)
	}
}

// TestOldWay needs PostgreSQL's programs, like the benchmarks.
func TestOldWay(t *testing.T) {
	t.Parallel()
	r, organization, product, oldWay := bothServers(t)
	t.Run("answers like the product", func(t *testing.T) { answersAlike(t, organization.Members, product, oldWay) })
	t.Run("loses no update", func(t *testing.T) { losesNoUpdate(t, r, organization, oldWay) })
}

// bothServers are the product and the old way on one small organisation.
func bothServers(t *testing.T) (r *rig.Rig, organization seed.Organization, product, oldWay *load.Client) {
	t.Helper()
	r, err := rig.Start(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	programs, err := r.BuildAll(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if organization, err = seed.Load(t.Context(), r.Owner, seed.Plan{People: 25, Objectives: 50, SignedIn: 25, Dialogues: 50, Password: mixPassword}); err != nil {
		t.Fatal(err)
	}
	where := rig.Where{DatabaseURL: r.Postgres.AppURL, Connections: 10, Core: -1}
	p, err := r.Serve(t.Context(), programs, where)
	if err != nil {
		t.Fatal(err)
	}
	where.Connections = oldWayConnections
	o, err := r.OldWay(t.Context(), programs, where) // without a worker, which would change the organisation too
	if err != nil {
		t.Fatal(err)
	}
	product, oldWay = load.NewClient(p.Address, 50, mixPatience), load.NewClient(o.Address, 50, mixPatience)
	t.Cleanup(product.Close)
	t.Cleanup(oldWay.Close)
	return r, organization, product, oldWay
}

// answered is the status and body of an answer.
type answered struct {
	status int
	body   string
}

func send(t *testing.T, client *load.Client, request load.Request) (a answered) {
	t.Helper()
	if client.Send(request, func(status int, body []byte) { a = answered{status, string(body)} }) == load.Broken {
		t.Fatalf("%s %s: no answer", request.Method, request.Path)
	}
	return a
}

var (
	anyID      = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	anyTime    = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^"]*`)
	anyToken   = regexp.MustCompile(`kks_[A-Za-z0-9_-]+`)
	anyPerson  = regexp.MustCompile(`Person \d+`)
	anyRequest = regexp.MustCompile(`"request_id":"[^"]*"`)
)

// blurred is an answer without what differs between two things that are alike.
func blurred(a answered) answered {
	for _, one := range []*regexp.Regexp{anyID, anyTime, anyToken, anyPerson} {
		a.body = one.ReplaceAllString(a.body, "…")
	}
	return a
}

// The generator of the benchmark sends the same requests to both, so they have to mean the same.
func answersAlike(t *testing.T, members []seed.Member, product, oldWay *load.Client) {
	member, other := members[3], members[7]
	token := member.Token.String()
	of := func(i int) string { return "/api/v1/objectives/" + member.Objectives[i].String() }
	patch := func(revision int) []byte { return fmt.Appendf(nil, `{"title":"Nobody waits","revision":%d}`, revision) }
	same := func(name string, status int, request load.Request) {
		t.Helper()
		want, got := send(t, product, request), send(t, oldWay, request)
		want.body, got.body = anyRequest.ReplaceAllString(want.body, ""), anyRequest.ReplaceAllString(got.body, "")
		if got != want || got.status != status {
			t.Errorf("%s: %d %s\nwant %d %s", name, got.status, got.body, want.status, want.body)
		}
	}
	same("readiness", http.StatusOK, load.Request{Method: "GET", Path: "/readyz"})
	same("session", http.StatusOK, load.Request{Method: "GET", Path: "/api/v1/session", Token: token})
	same("objective", http.StatusOK, load.Request{Method: "GET", Path: of(0), Token: token})
	same("somebody else's objective", http.StatusOK, load.Request{Method: "GET", Path: of(0), Token: other.Token.String()})
	same("no objective", http.StatusNotFound, load.Request{Method: "GET", Path: "/api/v1/objectives/" + member.ID.String(), Token: token})
	same("signed out", http.StatusUnauthorized, load.Request{Method: "GET", Path: of(0)})
	same("not theirs", http.StatusForbidden, load.Request{Method: "PATCH", Path: of(0), Token: other.Token.String(), Body: patch(1)})

	edited := send(t, oldWay, load.Request{Method: "PATCH", Path: of(0), Token: token, Body: patch(1)})
	if read := send(t, product, load.Request{Method: "GET", Path: of(0), Token: token}); edited != read {
		t.Errorf("the old way answered an edit with\n%v\nand has left behind\n%v", edited, read)
	}
	if want := send(t, product, load.Request{Method: "PATCH", Path: of(1), Token: token, Body: patch(1)}); blurred(edited) != blurred(want) {
		t.Errorf("edit: %v\nwant %v", edited, want)
	}
	same("a stale edit", http.StatusConflict, load.Request{Method: "PATCH", Path: of(0), Token: token, Body: patch(1)})

	signIn := func(password string) load.Request {
		body, err := json.Marshal(map[string]string{"email": strings.ToUpper(member.Email), "password": password})
		if err != nil {
			t.Fatal(err)
		}
		return load.Request{Method: "POST", Path: "/api/v1/session", Body: body}
	}
	want, got := send(t, product, signIn(mixPassword)), send(t, oldWay, signIn(mixPassword))
	if blurred(got) != blurred(want) || got.status != http.StatusCreated {
		t.Errorf("sign-in: %v\nwant %v", got, want)
	}
	token = anyToken.FindString(got.body)
	same("the session that was opened", http.StatusOK, load.Request{Method: "GET", Path: "/api/v1/session", Token: token})
	same("a wrong password", http.StatusUnauthorized, signIn("wrong horse battery staple"))

	ask := func(i int) load.Request {
		return load.Request{Method: "POST", Path: "/api/v1/dialogues/" + member.Dialogues[i].String() + "/jobs", Token: token, Body: []byte(`{"kind":"feedback"}`)}
	}
	if got, want := send(t, oldWay, ask(0)), send(t, product, ask(1)); blurred(got) != blurred(want) || got.status != http.StatusAccepted {
		t.Errorf("asking the coach: %v\nwant %v", got, want)
	}
}

// Many edit the same objective, and each another one beside: of those who started from one revision one is served, and nothing that was served is lost.
func losesNoUpdate(t *testing.T, r *rig.Rig, organization seed.Organization, oldWay *load.Client) {
	before := changesOf(t, r, organization)
	organization.Members = organization.Members[10:] // whose objectives nobody has edited by the product, behind the old way's back
	all := desks(organization)
	const clients, edits = 12, 8
	served := make([]int, len(all))
	var mu sync.Mutex
	var working sync.WaitGroup
	for i := range clients {
		working.Go(func() {
			contested, own := *all[0], *all[1+i] // a copy each: everybody has their own idea of the revision
			for range edits {
				for n, d := range map[int]*desk{0: &contested, 1 + i: &own} {
					switch outcome := d.overHTTP(oldWay); outcome {
					case load.Served:
						mu.Lock()
						served[n]++
						mu.Unlock()
					case load.Conflict:
						oldWay.Send(load.Request{Method: "GET", Path: d.path(), Token: d.token}, d.read)
					default:
						t.Errorf("an edit ended in outcome %d", outcome)
					}
				}
			}
		})
	}
	working.Wait()
	total := 0
	for n, d := range all[:1+clients] {
		total += served[n]
		// The title names the revision that an edit was made from, so two edits from one would have the same.
		var revision, titles int
		if err := r.Owner.QueryRow(t.Context(), `SELECT o.revision, (SELECT count(DISTINCT h.content ->> 'title') FROM objective_history AS h WHERE h.objective_id = o.id)
			FROM objectives AS o WHERE o.id = $1`, d.objective).Scan(&revision, &titles); err != nil {
			t.Fatal(err)
		}
		if revision != 1+served[n] || titles != revision || n > 0 && served[n] != edits || served[n] == 0 {
			t.Errorf("objective %d: %d edits were served, it is at revision %d and has had %d titles", n, served[n], revision, titles)
		}
	}
	if changes := changesOf(t, r, organization) - before; changes != total {
		t.Errorf("the organisation was changed %d times by %d edits", changes, total)
	}
}

// changesOf is how often an organisation was changed as a whole.
func changesOf(t *testing.T, r *rig.Rig, organization seed.Organization) (n int) {
	t.Helper()
	if err := r.Owner.QueryRow(t.Context(), "SELECT revision - 1 FROM organizations WHERE id = $1", organization.ID).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAMixIsCountedByKindAndCause(t *testing.T) {
	t.Parallel()
	run := mixRun{
		{load.Sample{Kind: mixRead, Due: time.Second, Took: 3 * time.Second}, ""},
		{load.Sample{Kind: mixRead, Due: 2 * time.Second, Took: time.Second, Outcome: load.Refused}, acquireTimeouts},
		{load.Sample{Kind: mixEdit, Due: 3 * time.Second, Took: time.Second, Outcome: load.Conflict}, ""},
		{load.Sample{Kind: mixSignIn, Due: 3 * time.Second, Took: time.Minute}, ""},
		{load.Sample{Kind: mixEdit, Due: 4 * time.Second, Outcome: load.Broken}, causeNoAnswer},
	}
	w := &way{cells: map[cell]*cellFigures{}}
	at := cell{1000, 100}
	w.note(at, run.between(time.Second, 4*time.Second), time.Second)
	f, result := w.cells[at], w.result(at)
	if f.sent != [mixKinds]int{mixRead: 2, mixEdit: 1, mixSignIn: 1} || f.failed != [mixKinds]int{mixRead: 1} || f.causes[acquireTimeouts] != 1 || f.conflicts != 1 || w.errors != 1 {
		t.Errorf("%+v, %d errors", f, w.errors)
	}
	if result.RequestsS != 2 || result.P99 != 3000 || result.ErrorShare != 0.25 || result.Errors.Read != 1 {
		t.Errorf("%+v", result)
	}
}
