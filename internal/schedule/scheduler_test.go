package schedule

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/queue"
)

func TestMain(m *testing.M) {
	if os.Getenv(processDatabase) != "" {
		runProcess()
		return
	}
	pgtest.Main(m)
}

// patience is how long a test waits for what must happen. It is no part of what is tested.
const patience = 30 * time.Second

// bundle is what a test gets: a database, a store on it as the program has it, and one organisation, in Tokyo.
type bundle struct {
	t            *testing.T
	base         *pgtest.Database
	store        *db.Store
	organization uuid.UUID
	member       uuid.UUID
}

func setup(t *testing.T) bundle {
	t.Helper()
	t.Parallel()
	base := pgtest.New(t)
	store, err := db.Open(t.Context(), base.AppURL, db.Options{Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	b := bundle{t: t, base: base, store: store, member: db.NewID()}
	b.exec("INSERT INTO users (id, email, name) VALUES ($1, 'aoi@example.com', 'Aoi')", b.member)
	b.organization = b.newOrganization()
	return b
}

func (b bundle) newOrganization() uuid.UUID {
	b.t.Helper()
	id := db.NewID()
	b.exec("INSERT INTO organizations (id, name, time_zone) VALUES ($1, 'Nagoya Works', 'Asia/Tokyo')", id)
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", id, b.member)
	return id
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

// ran writes that something was run for the last time then, and has the organisation looked at.
func (b bundle) ran(name string, due time.Time) {
	b.t.Helper()
	b.exec("INSERT INTO scheduled_runs (organization_id, name, due_at, finished_at, outcome) VALUES ($1, $2, $3, now(), 'succeeded')", b.organization, name, due)
	b.comes(b.organization)
}

// comes has the organisation's clock come.
func (b bundle) comes(organization uuid.UUID) {
	b.t.Helper()
	b.exec("UPDATE organization_clocks SET due_at = now() - interval '1 second' WHERE organization_id = $1", organization)
}

// outcomes are the runs of a name, as "due attempt outcome", in order.
func (b bundle) outcomes(name string) []string {
	b.t.Helper()
	return query[[]string](b, `SELECT coalesce(array_agg(to_char(due_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI') || ' ' || attempt || ' ' || coalesce(outcome, 'unfinished') ORDER BY due_at), '{}')
		FROM scheduled_runs WHERE name = $1 AND organization_id = $2`, name, b.organization)
}

// now is the time that most of these tests have: 11:30 in Tokyo. It is far from the database's, so that a clock that was set stays where it is until the test moves it.
var now = time.Date(2099, time.November, 30, 2, 30, 0, 0, time.UTC)

func quick() Options {
	return Options{
		Lease: time.Hour, Heartbeat: 50 * time.Millisecond, Poll: 10 * time.Millisecond, ReclaimEvery: 20 * time.Millisecond,
		Backoff: func(int) time.Duration { return time.Hour },
		Now:     func() time.Time { return now },
	}
}

// start runs a scheduler until the returned function is called, at the latest until the test ends.
func (b bundle) start(options Options, runs ...Run) (s *Scheduler, stop func()) {
	b.t.Helper()
	s = New(b.store, slog.New(slog.DiscardHandler), runs, options)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := soon(b.t, ended); err != nil {
			b.t.Error(err)
		}
	})
	b.t.Cleanup(stop)
	return s, stop
}

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

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}

// once is due at one moment and never again.
func once(at time.Time) Next {
	return func(after time.Time, _ *time.Location) time.Time {
		if after.Before(at) {
			return at
		}
		return at.AddDate(1000, 0, 0)
	}
}

func does(name string, next Next, missed Missed, do func(ctx context.Context, o Organization, due time.Time) error) Run {
	return Run{Name: name, Next: next, Missed: missed, Late: 90 * time.Minute, Do: do}
}

// What is new begins now: nothing of the past is due, and the clock stands at the next time.
func TestNothingIsDueFromBefore(t *testing.T) {
	b := setup(t)
	s, _ := b.start(quick(), does("hourly", Every(time.Hour), All, func(context.Context, Organization, time.Time) error {
		t.Error("ran")
		return nil
	}))
	waitFor(t, func() bool { return s.Stats().Looks >= 1 && s.Stats().Held == 0 })
	if got := b.outcomes("hourly"); !slices.Equal(got, []string{"11-30 02:30 1 skipped"}) {
		t.Errorf("%v", got)
	}
	if due := query[time.Time](b, "SELECT due_at FROM organization_clocks WHERE organization_id = $1", b.organization); !due.Equal(now.Add(30 * time.Minute)) {
		t.Errorf("the clock stands at %s", due)
	}
}

func TestMissedRunsAreMadeUpForByTheirPolicy(t *testing.T) {
	b := setup(t)
	b.ran("all", now.Add(-5*time.Hour))
	b.ran("latest", now.Add(-50*time.Hour))
	b.ran("skip-late", now.Add(-50*time.Hour))
	b.ran("skip-in-time", now.Add(-50*time.Hour))
	b.ran("daily", now.Add(-24*time.Hour))
	var mu sync.Mutex
	done := map[string][]string{}
	note := func(name string) func(context.Context, Organization, time.Time) error {
		return func(_ context.Context, o Organization, due time.Time) error {
			mu.Lock()
			defer mu.Unlock()
			if o.ID != b.organization || o.Zone.String() != "Asia/Tokyo" {
				t.Errorf("for %+v", o)
			}
			done[name] = append(done[name], due.UTC().Format("01-02 15:04"))
			return nil
		}
	}
	s, _ := b.start(quick(),
		does("all", Every(time.Hour), All, note("all")),
		does("latest", Every(time.Hour), Latest, note("latest")),
		does("skip-late", once(now.Add(-2*time.Hour)), Skip, note("skip-late")),
		does("skip-in-time", Every(time.Hour), Skip, note("skip-in-time")),
		does("daily", Daily(9, 0), Latest, note("daily")),
	)
	waitFor(t, func() bool { return s.Stats().Succeeded == 8 && s.Stats().Held == 0 })
	mu.Lock()
	defer mu.Unlock()
	want := map[string][]string{
		"all":          {"11-29 22:00", "11-29 23:00", "11-30 00:00", "11-30 01:00", "11-30 02:00"},
		"latest":       {"11-30 02:00"},
		"skip-in-time": {"11-30 02:00"},
		"daily":        {"11-30 00:00"}, // 9:00 in Tokyo
	}
	if fmt.Sprint(done) != fmt.Sprint(want) {
		t.Errorf("did   %v\nwanted %v", done, want)
	}
	if s.Stats().Skipped != 1 || !slices.Contains(b.outcomes("skip-late"), "11-30 00:30 1 skipped") {
		t.Errorf("%v, counted %+v", b.outcomes("skip-late"), s.Stats())
	}
}

// allDue makes all organisations due that nobody has in hand. It waits for none of them: a heartbeat may hold one of two that this holds the other of.
func (b *bundle) allDue() {
	b.exec(`UPDATE organization_clocks SET due_at = now() - interval '1 second'
		WHERE organization_id IN (SELECT organization_id FROM organization_clocks WHERE lease_expires_at IS NULL FOR UPDATE SKIP LOCKED)`)
}

// Three schedulers at once on many organisations: each run happens once.
func TestManySchedulersDoEachRunOnce(t *testing.T) {
	b := setup(t)
	const organizations = 40
	for range organizations - 1 {
		b.newOrganization()
	}
	var clock atomic.Int64
	clock.Store(now.UnixNano())
	options := quick()
	options.Now = func() time.Time { return time.Unix(0, clock.Load()) }
	var mu sync.Mutex
	times := map[string]int{}
	run := does("minutely", Every(time.Minute), All, func(_ context.Context, o Organization, due time.Time) error {
		mu.Lock()
		defer mu.Unlock()
		times[o.ID.String()+due.String()]++
		return nil
	})
	var schedulers []*Scheduler
	for range 3 {
		s, _ := b.start(options, run)
		schedulers = append(schedulers, s)
	}
	begun := func() int { return query[int](b, "SELECT count(*)::int FROM scheduled_runs WHERE outcome = 'skipped'") }
	waitFor(t, func() bool { return begun() == organizations })
	const rounds = 5
	for range rounds {
		clock.Add(int64(2 * time.Minute))
		b.allDue()
	}
	waitFor(t, func() bool {
		b.allDue()
		return query[int](b, "SELECT count(*)::int FROM scheduled_runs WHERE outcome = 'succeeded'") == organizations*rounds*2
	})
	mu.Lock()
	defer mu.Unlock()
	if len(times) != organizations*rounds*2 {
		t.Errorf("%d runs", len(times))
	}
	for what, n := range times {
		if n != 1 {
			t.Errorf("%s: %d times", what, n)
		}
	}
	var looks int64
	for _, s := range schedulers {
		if s.Stats().Looks == 0 {
			t.Error("one of them had nothing to do: this test tells little")
		}
		looks += s.Stats().Looks
	}
	if looks < organizations*2 {
		t.Errorf("%d looks", looks)
	}
}

func TestFailedRunIsTriedAgainAndGivenUp(t *testing.T) {
	for name, fail := range map[string]func() error{
		"error": func() error { return errors.New("no \x00 luck") },
		"panic": func() error { panic("no luck") },
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.ran("bad", now.Add(-time.Hour))
			b.ran("good", now.Add(-time.Hour))
			var bad, good atomic.Int64
			s, _ := b.start(quick(),
				does("bad", Every(time.Hour), All, func(context.Context, Organization, time.Time) error {
					bad.Add(1)
					return fail()
				}),
				does("good", Every(time.Hour), All, func(context.Context, Organization, time.Time) error {
					good.Add(1)
					return nil
				}))
			for attempt := range int64(attempts) {
				waitFor(t, func() bool { return bad.Load() == attempt+1 && s.Stats().Held == 0 })
				if attempt+1 < attempts {
					if got := b.outcomes("bad"); !slices.Contains(got, fmt.Sprintf("11-30 02:00 %d unfinished", attempt+1)) {
						t.Errorf("%v", got)
					}
					b.comes(b.organization)
				}
			}
			waitFor(t, func() bool { return s.Stats().Failed == 1 })
			if got := b.outcomes("bad"); !slices.Contains(got, "11-30 02:00 3 failed") {
				t.Errorf("%v", got)
			}
			if good.Load() != 1 {
				t.Errorf("the other was done %d times", good.Load())
			}
			if detail := query[string](b, "SELECT detail->>'error' FROM scheduled_runs WHERE outcome = 'failed'"); detail == "" {
				t.Error("no reason is kept")
			}
			b.comes(b.organization)
			waitFor(t, func() bool { return s.Stats().Looks >= attempts+1 && s.Stats().Held == 0 })
			if bad.Load() != attempts {
				t.Errorf("tried %d times", bad.Load())
			}
		})
	}
}

// A run whose programs were killed in the middle of it is begun three times and no more, and keeps nothing else from being done.
func TestRunThatEndsItsProgramsIsGivenUp(t *testing.T) {
	b := setup(t)
	b.ran("poison", now.Add(-time.Hour))
	b.exec("INSERT INTO scheduled_runs (organization_id, name, due_at, attempt) VALUES ($1, 'poison', $2, $3)", b.organization, now.Add(-30*time.Minute), attempts)
	b.ran("good", now.Add(-time.Hour))
	s, _ := b.start(quick(),
		does("poison", Every(time.Hour), Latest, func(_ context.Context, _ Organization, due time.Time) error { return nil }),
		does("good", Every(time.Hour), Latest, func(context.Context, Organization, time.Time) error { return nil }))
	waitFor(t, func() bool { return s.Stats().Succeeded == 1 && s.Stats().Held == 0 })
	if got := b.outcomes("poison"); !slices.Equal(got, []string{"11-30 01:30 1 succeeded", "11-30 02:00 3 failed"}) || s.Stats().Failed != 1 {
		t.Errorf("%v", got)
	}
}

func TestStoppingGivesTheRunBackUncounted(t *testing.T) {
	b := setup(t)
	b.ran("long", now.Add(-time.Hour))
	doing, causes := make(chan struct{}, 1), make(chan error, 1)
	s, stop := b.start(quick(), does("long", Every(time.Hour), Latest, func(ctx context.Context, _ Organization, _ time.Time) error {
		doing <- struct{}{}
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return ctx.Err()
	}))
	soon(t, doing)
	stop()
	if cause := soon(t, causes); !errors.Is(cause, queue.ErrStopping) {
		t.Errorf("ended by %v", cause)
	}
	if got := b.outcomes("long"); !slices.Contains(got, "11-30 02:00 0 unfinished") || s.Stats().Held != 0 {
		t.Errorf("%v", got)
	}
	b.comes(b.organization)
	next, _ := b.start(quick(), does("long", Every(time.Hour), Latest, func(context.Context, Organization, time.Time) error { return nil }))
	waitFor(t, func() bool { return next.Stats().Succeeded == 1 })
	if got := b.outcomes("long"); !slices.Contains(got, "11-30 02:00 1 succeeded") {
		t.Errorf("%v", got)
	}
}

// The first scheduler does not know that its lease is over, so that only the database stands against what it would write.
func TestLateRunEndsNothing(t *testing.T) {
	b := setup(t)
	b.ran("long", now.Add(-time.Hour))
	deaf := quick()
	deaf.Heartbeat, deaf.ReclaimEvery, deaf.Poll = time.Hour, time.Hour, time.Hour
	doing, letGo := make(chan struct{}), make(chan struct{})
	first, _ := b.start(deaf, does("long", Every(time.Hour), Latest, func(context.Context, Organization, time.Time) error {
		close(doing)
		<-letGo
		return errors.New("too late to fail")
	}))
	soon(t, doing)
	// What the scheduler looks for when it starts may be under way.
	waitFor(t, func() bool {
		b.exec("UPDATE organization_clocks SET lease_number = lease_number + 1, lease_expires_at = NULL, due_at = now() - interval '1 minute' WHERE organization_id = $1 AND lease_number = 1", b.organization)
		return query[bool](b, "SELECT lease_number > 1 FROM organization_clocks WHERE organization_id = $1", b.organization)
	})
	second, _ := b.start(quick(), does("long", Every(time.Hour), Latest, func(context.Context, Organization, time.Time) error { return nil }))
	waitFor(t, func() bool { return second.Stats().Succeeded == 1 && second.Stats().Held == 0 })
	due := query[time.Time](b, "SELECT due_at FROM organization_clocks WHERE organization_id = $1", b.organization)
	close(letGo)
	waitFor(t, func() bool { return first.Stats().LeasesLost == 1 })
	if got := b.outcomes("long"); !slices.Contains(got, "11-30 02:00 2 succeeded") {
		t.Errorf("%v", got)
	}
	if now := query[time.Time](b, "SELECT due_at FROM organization_clocks WHERE organization_id = $1", b.organization); !now.Equal(due) {
		t.Errorf("the clock was set from %s to %s", due, now)
	}
}

func TestRunIsDoneInTheScopeThatWasOpenedForIt(t *testing.T) {
	b := setup(t)
	b.ran("scoped", now.Add(-time.Hour))
	type key struct{}
	options := quick()
	options.Scope = func(ctx context.Context, run string, do func(context.Context) error) error {
		return do(context.WithValue(ctx, key{}, "open for "+run))
	}
	seen := make(chan any, 1)
	b.start(options, does("scoped", Every(time.Hour), Latest, func(ctx context.Context, _ Organization, _ time.Time) error {
		seen <- ctx.Value(key{})
		return nil
	}))
	if got := soon(t, seen); got != "open for scoped" {
		t.Errorf("the scope holds %v", got)
	}
}

func TestRunThatTakesTooLongIsInterrupted(t *testing.T) {
	b := setup(t)
	b.ran("endless", now.Add(-time.Hour))
	options := quick()
	options.Timeout = 50 * time.Millisecond
	causes := make(chan error, 10)
	s, _ := b.start(options, does("endless", Every(time.Hour), Latest, func(ctx context.Context, _ Organization, _ time.Time) error {
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return ctx.Err()
	}))
	if cause := soon(t, causes); !errors.Is(cause, errTimedOut) {
		t.Errorf("ended by %v", cause)
	}
	waitFor(t, func() bool { return s.Stats().Retried == 1 })
}

// In a process with this variable the test binary is a scheduler on a database, whose runs leave a team behind, in a transaction, before they take their time.
const (
	processDatabase = "KAKEAI_TEST_SCHEDULE_DATABASE"
	processMember   = "KAKEAI_TEST_SCHEDULE_MEMBER"
)

func runProcess() {
	ctx := context.Background()
	store, err := db.Open(ctx, os.Getenv(processDatabase), db.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	member := uuid.MustParse(os.Getenv(processMember))
	options := quick()
	options.Lease, options.Heartbeat, options.Now = time.Second, 200*time.Millisecond, nil
	run := does("test", Every(time.Hour), Latest, func(ctx context.Context, o Organization, due time.Time) error {
		name := due.UTC().Format(time.RFC3339) // unique, so that it is made at most once for one due time
		err := store.Write(ctx, db.Scope{Organization: o.ID}, func(ctx context.Context, q *db.Queries) error {
			_, err := q.CreateTeam(ctx, db.CreateTeamParams{OrganizationID: o.ID, ID: db.NewID(), Name: name, ActorID: member})
			return err
		})
		var constraint *db.ConstraintError
		if errors.As(err, &constraint) && constraint.Conflict {
			return nil // an attempt before this one
		}
		time.Sleep(20 * time.Millisecond)
		return err
	})
	if err := New(store, slog.New(slog.DiscardHandler), []Run{run}, options).Run(ctx); err != nil {
		os.Exit(1)
	}
}

// Schedulers are killed in the middle of runs. Each organisation's run is done in the end, and its effect is there once.
func TestKilledSchedulersLoseAndDoubleNothing(t *testing.T) {
	b := setup(t)
	const organizations = 30
	for range organizations - 1 {
		b.newOrganization()
	}
	b.exec(`INSERT INTO scheduled_runs (organization_id, name, due_at, finished_at, outcome) SELECT id, 'test', now() - interval '1 day', now(), 'succeeded' FROM organizations`)
	start := func() *os.Process {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), processDatabase+"="+b.base.AppURL, processMember+"="+b.member.String())
		command.Stderr = os.Stderr
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		var waiting sync.WaitGroup
		waiting.Go(func() { _ = command.Wait() }) // killed on purpose
		t.Cleanup(func() {
			_ = command.Process.Kill() // it may be dead already
			waiting.Wait()
		})
		return command.Process
	}
	count := func(where string) int {
		return query[int](b, "SELECT count(*)::int FROM scheduled_runs WHERE due_at > now() - interval '20 hours' AND "+where)
	}
	for kill := range 3 {
		p := start()
		waitFor(t, func() bool {
			return count("TRUE") >= min(5*(kill+1), organizations) && count("finished_at IS NULL") > 0 || count("finished_at IS NOT NULL") == organizations
		})
		if err := p.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	start()
	start()
	waitFor(t, func() bool { return count("outcome = 'succeeded'") >= organizations })
	if n := count("outcome <> 'succeeded'"); n != 0 {
		t.Errorf("%d runs did not succeed", n)
	}
	if without := query[int](b, "SELECT count(*)::int FROM organizations AS o WHERE NOT EXISTS (SELECT FROM teams AS t WHERE t.organization_id = o.id)"); without != 0 {
		t.Errorf("%d organisations without what the run leaves", without)
	}
	if twice := count("attempt > 1"); twice == 0 {
		t.Log("no run was begun twice")
	}
}
