package ai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/queue"
)

func TestMain(m *testing.M) {
	if os.Getenv(workerProcessVariable) != "" {
		runWorkerProcess()
		return
	}
	pgtest.Main(m)
}

// patience is how long a test waits for what must happen. It is no part of what is tested.
const patience = 30 * time.Second

// bundle is what a test gets: a database, a store on it as the program has it, and one organisation.
type bundle struct {
	tenant
	t     *testing.T
	base  *pgtest.Database
	store *db.Store
}

// tenant is an organisation of one member, Aoi, with one objective and a dialogue about it.
type tenant struct {
	organization, member, cycle, team  uuid.UUID
	objective, metric, milestone, step uuid.UUID
	dialogue                           uuid.UUID
}

func setup(t *testing.T) bundle {
	t.Helper()
	t.Parallel()
	base := pgtest.New(t)
	b := bundle{t: t, base: base, store: openStore(t, base.AppURL, db.Options{Patience: patience})}
	b.tenant = b.newTenant()
	return b
}

func openStore(t *testing.T, url string, options db.Options) *db.Store {
	t.Helper()
	store, err := db.Open(t.Context(), url, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	return store
}

func (b bundle) newTenant() tenant {
	b.t.Helper()
	n := tenant{
		organization: db.NewID(), member: b.newUser(), cycle: db.NewID(), team: db.NewID(),
		objective: db.NewID(), metric: db.NewID(), milestone: db.NewID(), step: db.NewID(), dialogue: db.NewID(),
	}
	b.exec(`INSERT INTO organizations (id, name, time_zone) VALUES ($1, 'Nagoya Works', 'Asia/Tokyo')`, n.organization)
	b.exec(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')`, n.organization, n.member)
	b.exec(`INSERT INTO teams (organization_id, id, name, changed_by) VALUES ($1, $2, 'Support', $3)`, n.organization, n.team, n.member)
	b.exec(`INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, changed_by)
		VALUES ($1, $2, '2027 Q1', '2027-01-01', '2027-03-31', $3)`, n.organization, n.cycle, n.member)
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, title, revision, created_by, changed_by)
		VALUES ($1, $2, $3, $4, $5, 'Keep customers', 7, $5, $5)`, n.organization, n.objective, n.cycle, n.team, n.member)
	b.exec(`INSERT INTO key_results (organization_id, id, objective_id, position, title, kind, unit, baseline, target, current_value, current_confidence, current_at)
		VALUES ($1, $2, $3, 0, 'Churn', 'metric', '%', 5.2, 3, 4.5, 6, now())`, n.organization, n.metric, n.objective)
	b.exec(`INSERT INTO key_results (organization_id, id, objective_id, position, title, kind) VALUES ($1, $2, $3, 1, 'Launch', 'milestone')`,
		n.organization, n.milestone, n.objective)
	b.exec(`INSERT INTO milestone_steps (organization_id, id, key_result_id, position, title, weight) VALUES ($1, $2, $3, 0, 'Design', 2)`,
		n.organization, n.step, n.milestone)
	b.exec(`INSERT INTO dialogues (organization_id, id, objective_id, title, created_by) VALUES ($1, $2, $3, 'Draft', $4)`,
		n.organization, n.dialogue, n.objective, n.member)
	b.say(n, "Please make this objective measurable")
	return n
}

func (b bundle) newUser() uuid.UUID {
	b.t.Helper()
	id := db.NewID()
	b.exec(`INSERT INTO users (id, email, name, locale) VALUES ($1, $2, 'Aoi', 'ja')`, id, id.String()+"@example.com")
	return id
}

func (b bundle) say(n tenant, text string) {
	b.t.Helper()
	b.exec(`INSERT INTO messages (organization_id, id, dialogue_id, author_id, body) VALUES ($1, $2, $3, $4, $5)`,
		n.organization, db.NewID(), n.dialogue, n.member, text)
}

// exec changes the database as its owner.
func (b bundle) exec(sql string, args ...any) {
	b.t.Helper()
	if _, err := b.base.Owner.Exec(context.Background(), sql, args...); err != nil {
		b.t.Fatalf("%s: %v", sql, err)
	}
}

// query reads one value as the database's owner.
func query[T any](b bundle, sql string, args ...any) T {
	b.t.Helper()
	rows, err := b.base.Owner.Query(context.Background(), sql, args...)
	if err != nil {
		b.t.Fatal(err)
	}
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		b.t.Fatalf("%s: %v", sql, err)
	}
	return value
}

func (b bundle) enqueue(n tenant, kind Kind) db.AIJob {
	b.t.Helper()
	var job db.AIJob
	err := b.store.Write(b.t.Context(), db.Scope{Organization: n.organization}, func(ctx context.Context, q *db.Queries) (err error) {
		job, _, err = Enqueue(ctx, q, n.organization, n.member, kind, Model, n.objective, n.dialogue)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return job
}

func (b bundle) job(id uuid.UUID) db.AIJob {
	b.t.Helper()
	rows, err := b.base.Owner.Query(context.Background(), "SELECT * FROM ai_jobs WHERE id = $1", id)
	if err != nil {
		b.t.Fatal(err)
	}
	job, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[db.AIJob])
	if err != nil {
		b.t.Fatal(err)
	}
	return job
}

// await waits until the job satisfies done.
func (b bundle) await(id uuid.UUID, done func(db.AIJob) bool) db.AIJob {
	b.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		job := b.job(id)
		if done(job) {
			return job
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("waited in vain; the job is %+v", job)
		}
	}
}

func (b bundle) awaitState(id uuid.UUID, state string) db.AIJob {
	b.t.Helper()
	return b.await(id, func(job db.AIJob) bool { return job.State == state })
}

// answers are the bodies of what the coach said, in order.
func (b bundle) answers() []string {
	b.t.Helper()
	return query[[]string](b, "SELECT coalesce(array_agg(body ORDER BY id), '{}') FROM messages WHERE source IS NOT NULL")
}

// events are the actions recorded about a job, with the audit and the outbox in agreement.
func (b bundle) events(id uuid.UUID) []string {
	b.t.Helper()
	audit := query[[]string](b, "SELECT coalesce(array_agg(action ORDER BY id), '{}') FROM audit_events WHERE target_id = $1 AND target_kind = 'job' AND actor_id IS NULL", id)
	outbox := query[[]string](b, "SELECT coalesce(array_agg(kind ORDER BY id), '{}') FROM outbox_events WHERE target_id = $1", id)
	if !slices.Equal(audit, outbox) {
		b.t.Errorf("the audit says %v, the outbox %v", audit, outbox)
	}
	return audit
}

// stub is a provider that does what a test says.
type stub struct {
	answer func(ctx context.Context, request Request) (Answer, error)
	calls  atomic.Int64
}

func (s *stub) Name() string { return "stub-1" }

func (s *stub) Answer(ctx context.Context, request Request, _ func(string)) (Answer, error) {
	s.calls.Add(1)
	return s.answer(ctx, request)
}

func says(text string) *stub {
	return &stub{answer: func(context.Context, Request) (Answer, error) { return Answer{Text: text}, nil }}
}

func fails(err error) *stub {
	return &stub{answer: func(context.Context, Request) (Answer, error) { return Answer{}, err }}
}

// held is a provider whose calls wait for the test. It tells of each call, and of the cause with which one was cancelled.
type held struct {
	*stub
	called    chan Request
	reply     chan string
	cancelled chan error
}

func holds() *held {
	h := &held{called: make(chan Request, 100), reply: make(chan string), cancelled: make(chan error, 100)}
	h.stub = &stub{answer: func(ctx context.Context, request Request) (Answer, error) {
		h.called <- request
		select {
		case text := <-h.reply:
			return Answer{Text: text}, nil
		case <-ctx.Done():
			h.cancelled <- context.Cause(ctx)
			return Answer{}, ctx.Err()
		}
	}}
	return h
}

// soon receives what must come.
func soon[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(patience):
		t.Fatal("waited in vain")
		panic("unreachable")
	}
}

// quick looks often and never waits for its next try. The lease is long, so that a slow machine loses none.
func quick() WorkerOptions {
	return WorkerOptions{
		Lease: time.Hour, Heartbeat: 50 * time.Millisecond, Poll: 20 * time.Millisecond, ReclaimEvery: 20 * time.Millisecond,
		Backoff: func(int) time.Duration { return 0 },
	}
}

// run runs a worker until the returned function is called, at the latest until the test ends.
func (b bundle) run(provider Provider, options WorkerOptions) (w *Worker, stop func()) {
	b.t.Helper()
	return b.runOn(b.store, provider, options, slog.New(slog.DiscardHandler))
}

func (b bundle) runOn(store *db.Store, provider Provider, options WorkerOptions, log *slog.Logger) (w *Worker, stop func()) {
	w = NewWorker(store, provider, log, options)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := soon(b.t, ended); err != nil {
			b.t.Error(err)
		}
	})
	b.t.Cleanup(stop)
	return w, stop
}

func number(text string) *decimal.Decimal {
	d := decimal.RequireFromString(text)
	return &d
}

func TestAnswerIsStoredWithItsJob(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	title := "Customers stay"
	var asked Request
	provider := &stub{answer: func(_ context.Context, request Request) (Answer, error) {
		asked = request
		return Answer{Text: "How about this?", Proposal: &Proposal{Title: &title, KeyResults: []KeyResult{
			{ID: b.metric, Title: "Churn", Kind: "metric", Unit: "%", Baseline: number("5.2"), Target: number("2.5"), Weight: *number("1")},
			{Title: "Interviews", Kind: "threshold", AtLeast: number("10"), Weight: *number("1")},
			{ID: b.milestone, Title: "Launch", Kind: "milestone", Weight: *number("1"),
				Steps: []Step{{ID: b.step, Title: "Design", Weight: *number("2")}, {Title: "Ship", Weight: *number("1")}}},
		}}, Usage: Usage{InputTokens: 120, OutputTokens: 45}}, nil
	}}
	w, stop := b.run(provider, quick())
	done := b.awaitState(job.ID, "succeeded")
	stop()

	if done.Attempt != 1 || done.Failure != nil || done.FinishedAt == nil || done.LeaseExpiresAt != nil {
		t.Errorf("the job is %+v", done)
	}
	if asked.Kind != Draft || asked.Objective.Revision != 7 {
		t.Errorf("asked %+v", asked)
	}
	message := query[map[string]any](b, `SELECT jsonb_build_object('source', source, 'revision', objective_revision, 'body', body,
		'findings', findings, 'dialogue', dialogue_id) FROM messages WHERE job_id = $1`, job.ID)
	want := map[string]any{"source": "stub-1", "revision": 7.0, "body": "How about this?", "findings": []any{}, "dialogue": b.dialogue.String()}
	if fmt.Sprint(message) != fmt.Sprint(want) {
		t.Errorf("the message is %v, want %v", message, want)
	}
	content := query[string](b, `SELECT content::text FROM suggestions WHERE objective_id = $1 AND objective_revision = 7 AND state = 'open'`, b.objective)
	sameJSON(t, content, fmt.Sprintf(`{"title": "Customers stay", "key_results": [
		{"id": %q, "title": "Churn", "description": "", "kind": "metric", "unit": "%%", "baseline": "5.2", "target": "2.5", "weight": "1"},
		{"title": "Interviews", "description": "", "kind": "threshold", "unit": "", "at_least": "10", "weight": "1"},
		{"id": %q, "title": "Launch", "description": "", "kind": "milestone", "unit": "", "weight": "1",
		 "steps": [{"id": %q, "title": "Design", "weight": "2"}, {"title": "Ship", "weight": "1"}]}]}`, b.metric, b.milestone, b.step))
	if events := b.events(job.ID); !slices.Equal(events, []string{"job.succeeded"}) {
		t.Errorf("recorded %v", events)
	}
	sameJSON(t, query[string](b, "SELECT detail::text FROM audit_events WHERE target_id = $1", job.ID),
		`{"kind": "draft", "source": "stub-1", "objective_revision": 7, "attempt": 1}`)
	stats := w.Stats()
	stats.Notifications, stats.Rewrites = 0, 0
	if want := (Stats{Claimed: 1, Succeeded: 1, Calls: 1, InputTokens: 120, OutputTokens: 45}); stats != want {
		t.Errorf("counted %+v, want %+v", stats, want)
	}
}

func sameJSON(t *testing.T, got, want string) {
	t.Helper()
	canonical := func(text string) string {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		encoded, _ := json.Marshal(value)
		return string(encoded)
	}
	if canonical(got) != canonical(want) {
		t.Errorf("got %s\nwant %s", canonical(got), canonical(want))
	}
}

func TestFindingsAreStored(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Feedback)
	finding := Finding{Check: "has-target", Severity: Praise, Pointer: "/key_results/0/target", Reason: "数値がある", Better: ""}
	b.run(&stub{answer: func(context.Context, Request) (Answer, error) {
		return Answer{Text: "Well done", Findings: []Finding{finding}}, nil
	}}, quick())
	b.awaitState(job.ID, "succeeded")
	sameJSON(t, query[string](b, "SELECT findings::text FROM messages WHERE job_id = $1", job.ID),
		`[{"check": "has-target", "severity": "praise", "pointer": "/key_results/0/target", "reason": "数値がある", "better": ""}]`)
	if n := query[int](b, "SELECT count(*)::int FROM suggestions"); n != 0 {
		t.Errorf("%d suggestions without a proposal", n)
	}
}

func TestProgressIsPassedOnWhileTheCallLasts(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	options := quick()
	heard := make(chan string, 10)
	options.Progress = func(id uuid.UUID, text string) {
		if id == job.ID {
			heard <- text
		}
	}
	late := make(chan func(string), 1)
	b.run(progressing(late), options)
	b.awaitState(job.ID, "succeeded")
	for _, want := range []string{"Half an", ""} {
		if text := soon(t, heard); text != want {
			t.Errorf("heard %q, want %q", text, want)
		}
	}
	soon(t, late)("too late")
	if len(heard) != 0 {
		t.Errorf("heard %q after the call", <-heard)
	}
}

type progressing chan func(string)

func (progressing) Name() string { return "progressing" }

func (p progressing) Answer(_ context.Context, _ Request, progress func(string)) (Answer, error) {
	progress("Half an")
	p <- progress
	return Answer{Text: "Half an answer"}, nil
}

func TestChangedObjectiveSupersedesItsJob(t *testing.T) {
	for name, change := range map[string]string{
		"changed":      "UPDATE objectives SET revision = revision + 1 WHERE id = $1",
		"out of sight": "UPDATE objectives SET visibility = 'private', owner_id = created_by, team_id = NULL WHERE id = $1",
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			// Someone else's objective, so that it can be hidden from whoever asks.
			boss := b.newUser()
			b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.organization, boss)
			b.exec("UPDATE objectives SET owner_id = $2, created_by = $2 WHERE id = $1", b.objective, boss)
			job := b.enqueue(b.tenant, Draft)
			provider := holds()
			w, _ := b.run(provider, quick())
			soon(t, provider.called)
			b.exec(change, b.objective)
			provider.reply <- "Too late"
			done := b.awaitState(job.ID, "superseded")
			if answers := b.answers(); len(answers) != 0 {
				t.Errorf("stored %q", answers)
			}
			if events := b.events(job.ID); !slices.Equal(events, []string{"job.superseded"}) || done.Failure != nil {
				t.Errorf("recorded %v, failure %v", events, done.Failure)
			}
			waitFor(t, func() bool { return w.Stats().Superseded == 1 })
		})
	}
}

// waitFor waits for what the worker does right after a commit.
func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}

// The first worker neither beats nor knows of its lease's end, so that only the database stands against its answer.
func TestLateAnswerWritesNothing(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	deaf := quick()
	deaf.Heartbeat, deaf.Lease, deaf.Poll, deaf.ReclaimEvery = time.Hour, time.Hour, time.Hour, time.Hour
	slow := holds()
	first, stopFirst := b.run(slow, deaf)
	soon(t, slow.called)

	b.exec("UPDATE ai_jobs SET lease_expires_at = now() - interval '1 second' WHERE id = $1", job.ID)
	second, _ := b.run(says("from the second"), quick())
	done := b.awaitState(job.ID, "succeeded")
	slow.reply <- "from the first"
	waitFor(t, func() bool { return first.Stats().Running == 0 })
	stopFirst()

	if answers := b.answers(); !slices.Equal(answers, []string{"from the second"}) {
		t.Errorf("stored %q", answers)
	}
	if now := b.job(job.ID); done.Attempt != 2 || now.State != "succeeded" || !now.FinishedAt.Equal(*done.FinishedAt) {
		t.Errorf("the job was %+v and is %+v", done, now)
	}
	if events := b.events(job.ID); !slices.Equal(events, []string{"job.succeeded"}) {
		t.Errorf("recorded %v", events)
	}
	if s := first.Stats(); s.LeasesLost != 1 || s.Succeeded != 0 {
		t.Errorf("the first counted %+v", s)
	}
	if s := second.Stats(); s.Reclaimed != 1 || s.Succeeded != 1 {
		t.Errorf("the second counted %+v", s)
	}
}

func TestHeartbeatKeepsALongCall(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	options := quick()
	options.Lease, options.Heartbeat = time.Second, 50*time.Millisecond
	provider := holds()
	b.run(provider, options)
	soon(t, provider.called)
	other := says("from another")
	b.run(other, options)

	// By the database's own clock, one lease has passed and another.
	b.await(job.ID, func(j db.AIJob) bool {
		return j.LeaseExpiresAt != nil && j.LeaseExpiresAt.Sub(*j.StartedAt) > 3*options.Lease
	})
	provider.reply <- "at last"
	done := b.awaitState(job.ID, "succeeded")
	if done.Attempt != 1 || !slices.Equal(b.answers(), []string{"at last"}) || other.calls.Load() != 0 {
		t.Errorf("attempt %d, answers %q, %d calls elsewhere", done.Attempt, b.answers(), other.calls.Load())
	}
}

func TestCallEndsWithItsLeaseWhenTheDatabaseCannotBeAsked(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	options := quick()
	options.Lease = 500 * time.Millisecond
	provider := holds()
	begun := time.Now()
	b.run(provider, options)
	soon(t, provider.called)
	b.exec("UPDATE runtime_state SET mode = 'maintenance'")
	if cause := soon(t, provider.cancelled); !errors.Is(cause, queue.ErrLeaseLost) {
		t.Errorf("cancelled by %v", cause)
	}
	if lasted := time.Since(begun); lasted < options.Lease {
		t.Errorf("cancelled after %s, before the lease was over", lasted)
	}
	b.exec("UPDATE runtime_state SET mode = 'normal'")
	soon(t, provider.called)
	provider.reply <- "at the second attempt"
	if done := b.awaitState(job.ID, "succeeded"); done.Attempt != 2 {
		t.Errorf("succeeded at attempt %d", done.Attempt)
	}
}

func TestCancelledJobCancelsItsCall(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	provider := holds()
	w, _ := b.run(provider, quick())
	soon(t, provider.called)
	err := b.store.Write(t.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) error {
		_, err := q.CancelJob(ctx, db.CancelJobParams{OrganizationID: b.organization, ID: job.ID})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if cause := soon(t, provider.cancelled); !errors.Is(cause, queue.ErrLeaseLost) {
		t.Errorf("cancelled by %v", cause)
	}
	waitFor(t, func() bool { return w.Stats().LeasesLost == 1 })
	if done := b.job(job.ID); done.State != "cancelled" || len(b.answers()) != 0 || len(b.events(job.ID)) != 0 {
		t.Errorf("the job is %+v, answers %q, events %v", done, b.answers(), b.events(job.ID))
	}
}

func TestProviderIsLeftAloneAsLongAsItAsks(t *testing.T) {
	b := setup(t)
	const after = 700 * time.Millisecond
	options := quick()
	options.Concurrency = 1
	type call struct {
		objective uuid.UUID
		at        time.Time
	}
	calls := make(chan call, 10)
	var once sync.Once
	provider := &stub{answer: func(_ context.Context, request Request) (Answer, error) {
		err := error(nil)
		once.Do(func() { err = &RetryableError{After: after, Err: errors.New("429")} })
		calls <- call{request.Objective.ID, time.Now()}
		return Answer{Text: "Here it is"}, err
	}}
	other := b.newTenant()
	jobs := []db.AIJob{b.enqueue(b.tenant, Draft), b.enqueue(other, Draft)}
	b.run(provider, options)

	first := soon(t, calls)
	refused := jobs[0]
	if first.objective == other.objective {
		refused = jobs[1]
	}
	waiting := b.await(refused.ID, func(j db.AIJob) bool { return j.State == "queued" && j.Attempt == 1 })
	if waiting.Failure == nil || *waiting.Failure != "provider-unavailable" {
		t.Errorf("failure %v", waiting.Failure)
	}
	if delay := waiting.AvailableAt.Sub(*waiting.StartedAt); delay < after {
		t.Errorf("available again %s after it was claimed, want at least %s", delay, after)
	}
	if second := soon(t, calls); second.at.Sub(first.at) < after {
		t.Errorf("called again after %s, want at least %s", second.at.Sub(first.at), after)
	}
	for _, job := range jobs {
		if done := b.awaitState(job.ID, "succeeded"); done.Failure != nil {
			t.Errorf("the failure %q outlived the success", *done.Failure)
		}
	}
}

func TestJobsEndFailed(t *testing.T) {
	crash := &stub{answer: func(context.Context, Request) (Answer, error) { panic("no model is that good") }}
	empty := says("")
	foreign := &stub{answer: func(context.Context, Request) (Answer, error) {
		return Answer{Text: "Better", Proposal: &Proposal{KeyResults: []KeyResult{{ID: uuid.New(), Title: "x", Kind: "milestone",
			Steps: []Step{{Title: "x", Weight: *number("1")}}, Weight: *number("1")}}}}, nil
	}}
	const attempts = 5
	for _, c := range []struct {
		name     string
		provider *stub
		before   string // SQL, run once the job is queued; $1 is its id
		failure  string
		calls    int64
	}{
		{"unavailable", fails(&RetryableError{Err: errors.New("503")}), "", "provider-unavailable", attempts},
		{"any error", fails(errors.New("EOF")), "", "provider-unavailable", attempts},
		{"crashing", crash, "", "provider-crashed", attempts},
		{"refusing", fails(fmt.Errorf("no quota: %w", ErrTerminal)), "", "provider-refused", 1},
		{"empty answer", empty, "", "answer-invalid", 1},
		{"foreign id", foreign, "", "answer-invalid", 1},
		{"poison", says("never asked"), "UPDATE ai_jobs SET state = 'running', attempt = 5, lease_number = 5, lease_expires_at = now() - interval '1 second' WHERE id = $1",
			"attempts-exhausted", 0},
		{"suspended", says("never asked"), "UPDATE memberships SET suspended_at = now() WHERE user_id = (SELECT requested_by FROM ai_jobs WHERE id = $1)",
			"requester-gone", 0},
		{"out of sight", says("never asked"), `WITH boss AS (INSERT INTO users (id, email, name) VALUES (gen_random_uuid(), 'boss@example.com', 'Boss') RETURNING id),
			member AS (INSERT INTO memberships (organization_id, user_id, role) SELECT j.organization_id, b.id, 'member' FROM ai_jobs j, boss b WHERE j.id = $1)
			UPDATE objectives o SET visibility = 'private', owner_id = (SELECT id FROM boss) FROM ai_jobs j WHERE j.id = $1 AND o.id = j.objective_id`, "target-gone", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := setup(t)
			job := b.enqueue(b.tenant, Draft)
			if c.before != "" {
				b.exec(c.before, job.ID)
			}
			w, stop := b.run(c.provider, quick())
			done := b.awaitState(job.ID, "failed")
			stop()
			if done.Failure == nil || *done.Failure != c.failure {
				t.Errorf("failure %v, want %s", done.Failure, c.failure)
			}
			if calls := c.provider.calls.Load(); calls != c.calls || w.Stats().Calls != c.calls {
				t.Errorf("%d calls, %d counted, want %d", calls, w.Stats().Calls, c.calls)
			}
			if c.calls > 0 && int64(done.Attempt) != c.calls {
				t.Errorf("%d attempts, want %d", done.Attempt, c.calls)
			}
			if events := b.events(job.ID); !slices.Equal(events, []string{"job.failed"}) {
				t.Errorf("recorded %v", events)
			}
			if answers := b.answers(); len(answers) != 0 {
				t.Errorf("stored %q", answers)
			}
			if w.Stats().Failed != 1 {
				t.Errorf("counted %+v", w.Stats())
			}
		})
	}
}

func TestSuspensionDuringTheCallKeepsTheAnswerOut(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	provider := holds()
	b.run(provider, quick())
	soon(t, provider.called)
	b.exec("UPDATE memberships SET suspended_at = now()")
	provider.reply <- "for nobody"
	if done := b.awaitState(job.ID, "failed"); *done.Failure != "requester-gone" || len(b.answers()) != 0 {
		t.Errorf("failure %q, answers %q", *done.Failure, b.answers())
	}
}

func TestStoppingGivesJobsBackUncounted(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	provider := holds()
	w, stop := b.run(provider, quick())
	soon(t, provider.called)
	stop()
	if cause := soon(t, provider.cancelled); !errors.Is(cause, queue.ErrStopping) {
		t.Errorf("cancelled by %v", cause)
	}
	back := b.job(job.ID)
	// A claim that was under way may have taken it once more, and given it back as well.
	stats := w.Stats()
	if back.State != "queued" || back.Attempt != 0 || back.Failure != nil || stats.Interrupted != stats.Claimed || stats.Calls != 1 {
		t.Errorf("the job is %+v, counted %+v", back, stats)
	}
	if available := query[bool](b, "SELECT available_at <= clock_timestamp() FROM ai_jobs"); !available {
		t.Error("the job cannot be claimed at once")
	}
	b.run(says("from the next"), quick())
	if done := b.awaitState(job.ID, "succeeded"); done.Attempt != 1 {
		t.Errorf("succeeded at attempt %d", done.Attempt)
	}
}

func TestStoppingDoesNotWaitForAProviderThatHoldsOn(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	called, letGo := make(chan struct{}), make(chan struct{})
	returned := make(chan struct{})
	provider := &stub{answer: func(context.Context, Request) (Answer, error) {
		defer close(returned)
		close(called)
		<-letGo
		return Answer{Text: "too late"}, nil
	}}
	options := quick()
	options.Drain = 200 * time.Millisecond
	w := NewWorker(b.store, provider, slog.New(slog.DiscardHandler), options)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	soon(t, called)
	cancel()
	if err := soon(t, ended); !errors.Is(err, queue.ErrAbandoned) {
		t.Errorf("Run returned %v", err)
	}
	if back := b.job(job.ID); back.State != "queued" || back.Attempt != 0 {
		t.Errorf("the job is %+v", back)
	}
	close(letGo)
	soon(t, returned)
}

func TestOrganisationsTakeTurns(t *testing.T) {
	b := setup(t)
	b.flood(b.tenant, 200)
	small := b.newTenant()
	b.flood(small, 2)
	options := quick()
	options.Concurrency = 1
	var mu sync.Mutex
	var turns []bool
	done := make(chan struct{})
	provider := &stub{answer: func(_ context.Context, request Request) (Answer, error) {
		mu.Lock()
		defer mu.Unlock()
		if turns = append(turns, request.Objective.ID == small.objective); len(turns) == 6 {
			close(done)
		}
		return Answer{Text: "Next, please"}, nil
	}}
	b.run(provider, options)
	soon(t, done)
	mu.Lock()
	defer mu.Unlock()
	// Which organisation comes first is left to chance; from then on they alternate until the small one has nothing left.
	if first := turns[0]; turns[1] == first || turns[2] != first || turns[3] == first || turns[4] || turns[5] {
		t.Errorf("served the small one at %v", turns)
	}
}

// flood queues jobs past the single-flight rule, which fairness does not depend on.
func (b bundle) flood(n tenant, jobs int) {
	b.t.Helper()
	b.exec("DROP INDEX IF EXISTS ai_jobs_one_live")
	b.exec(`INSERT INTO ai_jobs (organization_id, id, kind, objective_id, dialogue_id, requested_by)
		SELECT $1, gen_random_uuid(), 'draft', $2, $3, $4 FROM generate_series(1, $5::int)`, n.organization, n.objective, n.dialogue, n.member, jobs)
}

func TestEachJobIsClaimedOnce(t *testing.T) {
	b := setup(t)
	const jobs = 300
	for _, n := range []tenant{b.tenant, b.newTenant(), b.newTenant()} {
		b.flood(n, jobs/3)
	}
	var mu sync.Mutex
	claims := map[uuid.UUID]int{}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			after := uuid.New()
			for {
				var got [][]db.AIJob
				err := b.store.SystemWrite(t.Context(), db.Background, func(ctx context.Context, q *db.Queries) (err error) {
					got, after, err = claimInTurn(ctx, q, after, 7, time.Minute)
					return err
				})
				if err != nil {
					t.Error(err)
				}
				if err != nil || len(got) == 0 {
					return
				}
				mu.Lock()
				for _, turn := range got {
					claims[turn[0].ID]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(claims) != jobs {
		t.Errorf("claimed %d jobs of %d", len(claims), jobs)
	}
	for id, n := range claims {
		if n != 1 {
			t.Errorf("claimed %s %d times", id, n)
		}
	}
}

func TestOnlyWhatIsDueAndUnderstoodIsClaimed(t *testing.T) {
	b := setup(t)
	for _, change := range []string{
		"SET available_at = now() + interval '1 hour'",
		fmt.Sprintf("SET contract = %d", jobContract+1),
	} {
		n := b.newTenant()
		job := b.enqueue(n, Draft)
		b.exec("UPDATE ai_jobs "+change+" WHERE id = $1", job.ID)
	}
	ready := b.enqueue(b.tenant, Draft)
	var got [][]db.AIJob
	err := b.store.SystemWrite(t.Context(), db.Background, func(ctx context.Context, q *db.Queries) (err error) {
		got, _, err = claimInTurn(ctx, q, uuid.New(), 10, time.Minute)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0][0].ID != ready.ID {
		t.Errorf("claimed %+v", got)
	}
}

// Neither finished jobs nor those that wait for their next attempt cost a claim anything.
func TestJobsAreClaimedByTheirIndexes(t *testing.T) {
	b := setup(t)
	b.flood(b.tenant, 10_000)
	b.exec("UPDATE ai_jobs SET state = 'succeeded', finished_at = now()")
	for _, n := range []tenant{b.tenant, b.newTenant()} {
		b.flood(n, 500)
	}
	b.exec("UPDATE ai_jobs SET available_at = now() + interval '1 hour' WHERE state = 'queued'")
	b.exec("ANALYZE ai_jobs")
	plan := b.plan("ClaimJobs", func(ctx context.Context, q *db.Queries) error {
		_, err := q.ClaimJobs(ctx, db.ClaimJobsParams{LeaseSeconds: 60, Contract: jobContract, Batch: 4})
		return err
	}, 60.0, uuid.Nil, jobContract, 4)
	if strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Bitmap") || !strings.Contains(plan, "(available_at <= statement_timestamp()))\n") {
		t.Error(plan)
	}
}

func TestFencedWorkerNeitherClaimsNorCommits(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	provider := holds()
	log := &recorder{}
	options := quick()
	options.Lease = time.Second
	w, _ := b.runOn(b.store, provider, options, slog.New(log))
	soon(t, provider.called)
	raise(t, b)
	provider.reply <- "from the past"
	waitFor(t, func() bool { return w.Stats().Running == 0 })
	waitFor(t, func() bool { return log.count("may not write") == 1 })
	other := b.enqueueAsOwner(b.newTenant())
	time.Sleep(20 * options.Poll)
	if claimed, answers := w.Stats().Claimed, b.answers(); claimed != 1 || len(answers) != 0 {
		t.Errorf("claimed %d, stored %q", claimed, answers)
	}
	if state := b.job(job.ID).State; state != "running" {
		t.Errorf("the fenced worker left the job %s", state)
	}
	if state := b.job(other).State; state != "queued" || log.count("may not write") != 1 {
		t.Errorf("the next job is %s, logged %d times", state, log.count("may not write"))
	}
}

func raise(t *testing.T, b bundle) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), b.base.OwnerURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := db.RaiseFence(t.Context(), conn, db.Release+1); err != nil {
		t.Fatal(err)
	}
}

func (b bundle) enqueueAsOwner(n tenant) uuid.UUID {
	b.t.Helper()
	id := db.NewID()
	b.exec(`INSERT INTO ai_jobs (organization_id, id, kind, objective_id, dialogue_id, requested_by) VALUES ($1, $2, 'draft', $3, $4, $5)`,
		n.organization, id, n.objective, n.dialogue, n.member)
	return id
}

// recorder is a log that tests can read.
type recorder struct {
	mu       sync.Mutex
	messages []string
}

func (r *recorder) Enabled(context.Context, slog.Level) bool { return true }
func (r *recorder) WithAttrs([]slog.Attr) slog.Handler       { return r }
func (r *recorder) WithGroup(string) slog.Handler            { return r }
func (r *recorder) Handle(_ context.Context, record slog.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.messages = append(r.messages, record.Message)
	return nil
}

func (r *recorder) count(part string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, message := range r.messages {
		if strings.Contains(message, part) {
			n++
		}
	}
	return n
}
