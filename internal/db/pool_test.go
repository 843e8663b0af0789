package db_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5/pgconn"
	"go.uber.org/goleak"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// The pool's own size is what the server was promised; two more are for those that it is still ending.
const (
	connections = 10
	mostServed  = connections + 2
)

// watched counts, from the owner's side, how many backends the program has, until stop. It returns the most it saw.
func (b bundle) watched(t *testing.T) (stop func() int) {
	t.Helper()
	ended := make(chan struct{})
	most, samples := 0, 0
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(time.Millisecond):
			}
			var now int
			err := b.Owner.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'kakeai/%'").Scan(&now)
			if err != nil {
				t.Error(err)
				return
			}
			most, samples = max(most, now), samples+1
		}
	})
	return func() int {
		close(ended)
		watching.Wait()
		if samples < 100 {
			t.Errorf("only %d samples, so this says little", samples)
		}
		t.Logf("at most %d backends, in %d samples", most, samples)
		return most
	}
}

// anyClass is the bundle's organisation in a class of which some take the places that are reserved.
func (b bundle) anyClass() db.Scope {
	return db.Scope{Organization: b.scope.Organization, Class: []db.Class{db.Normal, db.Normal, db.Critical}[rand.N(3)]}
}

// typed reports whether err is one of those that a caller can act on.
func typed(err error) bool {
	for _, known := range []error{db.ErrOverloaded, db.ErrBusy, db.ErrUnavailable} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

func code(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}

func settled(t *testing.T, store *db.Store) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		open, used := store.Connections()
		if used == 0 && open <= connections {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d connections are open and %d in use after everybody has left", open, used)
		}
	}
}

// A thousand clients a second hang up while they wait, while they work and while they commit. It costs no connection, and what was acknowledged is there.
func TestStormOfHangUps(t *testing.T) { // alone, so that goroutines and backends are its own
	b := setup(t)
	b.store.Close() // so that every backend is that of the store under test
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	store, err := db.Open(t.Context(), b.AppURL, db.Options{MaxConnections: connections})
	assertNoError(t, err)
	stop := b.watched(t)

	const each, seconds = time.Millisecond, 4
	var clients sync.WaitGroup
	var acknowledged, hungUp, refused atomic.Int64
	next := time.NewTicker(each)
	defer next.Stop()
	for n := range int(seconds * time.Second / each) {
		<-next.C
		clients.Go(func() {
			ctx, hangUp := context.WithCancel(t.Context())
			defer hangUp()
			work := func(ctx context.Context, q *db.Queries) error {
				if n%4 == 1 {
					hangUp() // inside
				}
				time.Sleep(rand.N(20 * time.Millisecond)) // so that others have to wait at the gate; only a test may
				err := b.addEvent(ctx, q)
				if n%4 == 2 {
					hangUp() // at the commit
				}
				return err
			}
			if n%4 > 2 { // at some moment
				gone := time.AfterFunc(rand.N(100*time.Millisecond), hangUp)
				defer gone.Stop()
			}
			switch err := store.Write(ctx, b.anyClass(), work); {
			case err == nil:
				acknowledged.Add(1)
			case errors.Is(err, context.Canceled):
				hungUp.Add(1)
			case errors.Is(err, db.ErrOverloaded):
				refused.Add(1)
			default:
				t.Errorf("%s %v", code(err), err)
			}
		})
	}
	clients.Wait()
	settled(t, store)
	if most := stop(); most > mostServed {
		t.Errorf("%d backends, promised were %d", most, connections)
	}
	if events := b.events(t); events != int(acknowledged.Load()) {
		t.Errorf("%d rows of %d acknowledged writes", events, acknowledged.Load())
	}
	t.Logf("%d acknowledged, %d hung up at the gate, %d refused", acknowledged.Load(), hungUp.Load(), refused.Load())
	if acknowledged.Load() == 0 || hungUp.Load() == 0 {
		t.Error("nobody was served, or nobody hung up in time: this says little")
	}
	store.Close()
}

// A thousand backends are killed at random under writers. What was acknowledged is there, and no more than was promised come up in their place.
func TestStormOfBrokenConnections(t *testing.T) {
	b := setup(t)
	b.store.Close()
	store := open(t, b.AppURL, db.Options{MaxConnections: connections})
	killer := connect(t, b.AppURL) // a role may end its own backends
	stop := b.watched(t)

	ctx, end := context.WithCancel(t.Context())
	defer end()
	var writers sync.WaitGroup
	var mu sync.Mutex
	var acknowledged []uuid.UUID
	var broken atomic.Int64
	for range 2 * connections {
		writers.Go(func() {
			for ctx.Err() == nil {
				id := db.NewID()
				err := store.Write(t.Context(), b.anyClass(), b.addEventAs(id))
				switch {
				case err == nil:
					mu.Lock()
					acknowledged = append(acknowledged, id)
					mu.Unlock()
				case code(err) == pgerrcode.QueryCanceled:
					t.Errorf("cancelled, and nobody did: %v", err)
				case typed(err):
					broken.Add(1)
				default:
					t.Errorf("%s %v", code(err), err)
				}
			}
		})
	}
	killed := 0
	for deadline := time.Now().Add(time.Minute); killed < 1000 && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		tag, err := killer.Exec(t.Context(), `SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity AS a
			WHERE a.datname = current_database() AND a.application_name LIKE 'kakeai/%' ORDER BY random() LIMIT $1`, []int{1, 2, connections}[rand.N(3)])
		if err != nil {
			t.Fatal(err)
		}
		killed += int(tag.RowsAffected())
	}
	end()
	writers.Wait()
	settled(t, store)
	if most := stop(); most > mostServed {
		t.Errorf("%d backends, promised were %d", most, connections)
	}
	t.Logf("%d killed, %d writes acknowledged, %d ended with an error", killed, len(acknowledged), broken.Load())
	if killed < 1000 || broken.Load() == 0 || len(acknowledged) == 0 {
		t.Error("too little happened for this to say anything")
	}
	var there int
	err := b.Owner.QueryRow(t.Context(), "SELECT count(*) FROM audit_events WHERE id = ANY($1)", acknowledged).Scan(&there)
	assertNoError(t, err)
	if there != len(acknowledged) {
		t.Errorf("%d of %d acknowledged writes are there", there, len(acknowledged))
	}
	for range 5 * connections {
		assertNoError(t, store.Write(t.Context(), b.scope, b.addEvent))
	}
}

// A backend that was killed while its connection lay in the pool is nobody's error: nothing had been asked of it.
func TestConnectionsThatEndedInThePoolAreReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store := open(t, b.AppURL, db.Options{MaxConnections: 2})
	killer := connect(t, b.AppURL)
	for range 20 {
		_, err := killer.Exec(t.Context(), `SELECT pg_terminate_backend(a.pid, 1000) FROM pg_stat_activity AS a
			WHERE a.datname = current_database() AND a.application_name LIKE 'kakeai/%'`)
		assertNoError(t, err)
		assertNoError(t, store.Write(t.Context(), b.scope, b.addEvent))
	}
	if events := b.events(t); events != 20 {
		t.Errorf("%d events of 20 writes: a write was run twice", events)
	}
}

// While there is no server, whoever comes is told at once, and few connects are tried; when it is back, it is not overrun.
func TestServerThatComesBackIsNotOverrun(t *testing.T) {
	b := setup(t)
	b.store.Close()
	proxy := pgtest.NewProxy(t, b.AppURL)
	store := open(t, proxy.URL(b.AppURL), db.Options{MaxConnections: connections})
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var clients sync.WaitGroup
	var written, refused atomic.Int64
	for range 5 * connections {
		clients.Go(func() {
			for ctx.Err() == nil {
				switch err := store.Write(ctx, b.anyClass(), b.addEvent); {
				case err == nil:
					written.Add(1)
				case typed(err):
					refused.Add(1)
				case errors.Is(err, context.Canceled): // the test is over
				default:
					t.Errorf("%s %v", code(err), err)
				}
				time.Sleep(rand.N(2 * time.Millisecond))
			}
		})
	}
	eventually(t, func() bool { return written.Load() > 100 })
	proxy.Cut()
	eventually(t, func() bool { return refused.Load() > 100 })
	tried, without, asked := proxy.Accepted(), 2*time.Second, refused.Load()
	time.Sleep(without)
	tried, asked = proxy.Accepted()-tried, refused.Load()-asked
	t.Logf("without a server, %d requests in %s made %d connects", asked, without, tried)
	// Two at a time, and at least half the hold-off between.
	if most := 2 * int64(without/(50*time.Millisecond)); tried == 0 || tried > most {
		t.Errorf("%d connects, at most %d are in order", tried, most)
	}
	stop := b.watched(t)
	proxy.Forward(b.AppURL)
	before := written.Load()
	eventually(t, func() bool { return written.Load() > before+1000 })
	time.Sleep(time.Second) // for enough samples
	end()
	clients.Wait()
	if most := stop(); most > mostServed {
		t.Errorf("%d backends, promised were %d", most, connections)
	}
	settled(t, store)
}

// A server that says nothing at all cannot hold anybody for longer than the pool's timeout, and is not asked by more than two at a time.
func TestWaitingForAConnectionIsBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proxy := pgtest.NewProxy(t, b.AppURL)
	store := open(t, proxy.URL(b.AppURL), db.Options{Timeouts: db.Timeouts{Acquire: 200 * time.Millisecond, Connect: 10 * time.Second}})
	err := store.Read(t.Context(), b.scope, func(context.Context, *db.Queries) error { // on the only connection so far
		proxy.Silence()
		defer proxy.Resume()
		before := proxy.Accepted()
		var others sync.WaitGroup
		for range 7 {
			others.Go(func() {
				err := store.Read(context.WithoutCancel(t.Context()), b.scope, nil)
				if !errors.Is(err, db.ErrUnavailable) || !strings.Contains(err.Error(), "no connection within 200ms") {
					t.Errorf("got %v, want %v", err, db.ErrUnavailable)
				}
			})
		}
		others.Wait()
		if tried := proxy.Accepted() - before; tried != 2 {
			t.Errorf("%d connects at a time, want 2", tried)
		}
		return nil
	})
	assertNoError(t, err)
	assertNoError(t, store.Write(t.Context(), b.scope, b.addEvent))
}

// The server ends by itself a transaction whose program has stopped, and frees what it held.
func TestServerEndsIdleTransactions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store := open(t, b.AppURL, db.Options{Timeouts: db.Timeouts{Idle: 200 * time.Millisecond, Transaction: time.Minute}})
	begun := time.Now()
	err := store.Write(t.Context(), b.scope, func(ctx context.Context, q *db.Queries) error {
		if err := b.rename(0, 1, "From a program that stopped")(ctx, q); err != nil {
			return err
		}
		// Another writer gets the row although this one does nothing.
		eventually(t, func() bool {
			return b.store.Write(context.WithoutCancel(t.Context()), b.scope, b.rename(0, 1, "From one that lives")) == nil
		})
		if waited := time.Since(begun); waited > 8*time.Second {
			t.Errorf("the row was free after %s, which is not the timeout that was set", waited)
		}
		return b.rename(1, 1, "Too late")(ctx, q)
	})
	if !errors.Is(err, db.ErrUnavailable) {
		t.Errorf("got %v, want %v", err, db.ErrUnavailable)
	}
	if title, _ := b.title(t, 0); title != "From one that lives" {
		t.Errorf("the title is %q", title)
	}
	if _, revision := b.title(t, 1); revision != 1 {
		t.Error("the transaction went on after its end")
	}
	assertNoError(t, store.Write(t.Context(), b.scope, b.addEvent))
}

func TestStatementsAreNotCompiled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store := open(t, b.AppURL, db.Options{})
	var jit string
	assertNoError(t, db.SettingOf(t.Context(), store, "jit", &jit))
	if jit != "off" {
		t.Errorf("jit is %q", jit)
	}
}

// Whichever of the server's timeouts is over first says so, the transaction leaves nothing, and the connection lives.
func TestServerEndsStatementsAndWaits(t *testing.T) {
	t.Parallel()
	for want, timeouts := range map[string]db.Timeouts{
		pgerrcode.QueryCanceled:    {Statement: 200 * time.Millisecond},
		pgerrcode.LockNotAvailable: {Lock: 200 * time.Millisecond},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			store := open(t, b.AppURL, db.Options{Timeouts: timeouts})
			holder, err := b.Owner.Begin(t.Context())
			assertNoError(t, err)
			defer func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) }()
			_, err = holder.Exec(t.Context(), "SELECT FROM objectives WHERE id = $1 FOR UPDATE", b.objectives[0])
			assertNoError(t, err)
			before, _ := store.Connections()
			err = store.Write(t.Context(), b.scope, b.rename(0, 1, "Waiting"))
			if !errors.Is(err, db.ErrBusy) || code(err) != want {
				t.Errorf("got %v, want %v by %s", err, db.ErrBusy, want)
			}
			if after, used := store.Connections(); after != before || used != 0 {
				t.Errorf("%d connections, before there were %d", after, before)
			}
		})
	}
}

// A commit whose answer does not come may have happened. Nobody may be told that nothing was changed.
func TestCommitWithoutAnAnswerIsNotBusy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Owner.Exec(t.Context(), `CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3); RETURN NULL; END';
		CREATE CONSTRAINT TRIGGER slowly AFTER INSERT ON audit_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slowly()`)
	assertNoError(t, err)
	store := open(t, b.AppURL, db.Options{Timeouts: db.Timeouts{Transaction: 500 * time.Millisecond}})
	err = store.Write(t.Context(), b.scope, b.addEvent)
	if !errors.Is(err, db.ErrUnavailable) || errors.Is(err, db.ErrBusy) {
		t.Errorf("got %v, want %v", err, db.ErrUnavailable)
	}
}

// What a write costs beside its own statements: beginning with the fence's lock and the organisation set, the fence's state, committing.
func TestRoundTripsOfAWrite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proxy := pgtest.NewProxy(t, b.AppURL)
	store := open(t, proxy.URL(b.AppURL), db.Options{})
	fewest := int64(100)
	for range 5 { // the first prepare their statements, and one that had to wait may ping its connection
		before := proxy.RoundTrips()
		assertNoError(t, store.Write(t.Context(), b.scope, b.addEvent))
		fewest = min(fewest, proxy.RoundTrips()-before)
	}
	if fewest != 3+1 {
		t.Errorf("%d round trips for a write of one statement, want 4", fewest)
	}
}

func (b bundle) addEventAs(id uuid.UUID) db.Work {
	return func(ctx context.Context, q *db.Queries) error {
		return q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: b.scope.Organization, EventID: id, Action: "test", TargetKind: "test", TargetID: b.user, Detail: []byte("{}")})
	}
}

func eventually(t *testing.T, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("what must happen did not")
		}
	}
}
