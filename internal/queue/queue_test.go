package queue

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// patience is how long a test waits for what must happen. It is no part of what is tested.
const patience = 30 * time.Second

const testChannel = "kakeai_rows"

func openStore(t *testing.T, url string, options db.Options) *db.Store {
	t.Helper()
	store, err := db.Open(t.Context(), url, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	return store
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

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
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
	return len(slices.DeleteFunc(slices.Clone(r.messages), func(m string) bool { return !strings.Contains(m, part) }))
}

// row is what these tests lease, from a table in memory.
type row struct{ organization, id uuid.UUID }

// empty is a table that nothing can be claimed of.
func empty() Table[row] {
	return Table[row]{
		One: "row", Many: "rows", Channel: testChannel,
		Claim: func(context.Context, *db.Queries, uuid.UUID, int, time.Duration) ([][]row, uuid.UUID, error) {
			return nil, uuid.Nil, nil
		},
		Lease:   func(r row) Lease { return Lease{Key: Key{r.organization, r.id}, Number: 1} },
		Extend:  func(context.Context, *db.Queries, []Lease, time.Duration) ([]Key, error) { return nil, nil },
		Reclaim: func(context.Context, *db.Queries) ([]Lapsed, error) { return nil, nil },
	}
}

func idle() *Worker[row] {
	return New(nil, slog.New(slog.DiscardHandler), empty(), func(context.Context, []*Hold[row]) {}, Options{})
}

func TestStoppingWorkerClaimsNothing(t *testing.T) {
	t.Parallel()
	store := openStore(t, pgtest.New(t).AppURL, db.Options{Patience: patience})
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	table := empty()
	table.Claim = func(context.Context, *db.Queries, uuid.UUID, int, time.Duration) ([][]row, uuid.UUID, error) {
		t.Error("claimed")
		return nil, uuid.Nil, nil
	}
	w := New(store, slog.New(slog.DiscardHandler), table, nil, Options{Poll: 20 * time.Millisecond, ReclaimEvery: 20 * time.Millisecond})
	for range 20 { // a select takes any case that is ready
		w.Look()
		w.claimUntilDone(stopped, func([]row, time.Time) { t.Error("started") })
	}
}

// A heartbeat that misses one row of a turn takes that one away and leaves the others.
func TestRowsOfATurnAreLostOneByOne(t *testing.T) {
	t.Parallel()
	store := openStore(t, pgtest.New(t).AppURL, db.Options{Patience: patience})
	organization := db.NewID()
	kept, lost := row{organization, db.NewID()}, row{organization, db.NewID()}
	table := empty()
	var claimed atomic.Bool
	table.Claim = func(context.Context, *db.Queries, uuid.UUID, int, time.Duration) ([][]row, uuid.UUID, error) {
		if claimed.Swap(true) {
			return nil, uuid.Nil, nil
		}
		return [][]row{{kept, lost}}, organization, nil
	}
	var beats atomic.Int64
	table.Extend = func(_ context.Context, _ *db.Queries, leases []Lease, _ time.Duration) (keys []Key, err error) {
		beats.Add(1)
		for _, l := range leases {
			if l.ID == kept.id {
				keys = append(keys, l.Key)
			}
		}
		return keys, nil
	}
	causes := make(chan error, 1)
	w := New(store, slog.New(slog.DiscardHandler), table, func(_ context.Context, turn []*Hold[row]) {
		<-turn[1].Lease.Done()
		causes <- context.Cause(turn[1].Lease)
		turn[1].LetGo()
		for before := beats.Load(); beats.Load() < before+2; time.Sleep(time.Millisecond) {
			if turn[0].Lease.Err() != nil {
				causes <- context.Cause(turn[0].Lease)
				return
			}
		}
		causes <- nil
	}, Options{Lease: time.Hour, Heartbeat: 10 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	if cause := soon(t, causes); !errors.Is(cause, ErrLeaseLost) {
		t.Errorf("the lost row's lease ended by %v", cause)
	}
	if cause := soon(t, causes); cause != nil {
		t.Errorf("the kept row's lease ended by %v", cause)
	}
	waitFor(t, func() bool { return w.Stats().Held == 0 })
	cancel()
	if err := soon(t, ended); err != nil {
		t.Error(err)
	}
}

func TestTurnsGoRoundUntilThereAreEnough(t *testing.T) {
	t.Parallel()
	a, b := uuid.UUID{1}, uuid.UUID{2}
	left := map[uuid.UUID]int{a: 3, b: 1}
	round := func(from uuid.UUID, wanted int) (taken []uuid.UUID, err error) {
		for _, id := range []uuid.UUID{a, b} {
			if slices.Compare(id[:], from[:]) > 0 && left[id] > 0 && len(taken) < wanted {
				left[id]--
				taken = append(taken, id)
			}
		}
		return taken, nil
	}
	same := func(id uuid.UUID) uuid.UUID { return id }
	if turns, last, err := InTurn(a, 3, round, same); err != nil || !slices.Equal(turns, []uuid.UUID{b, a, a}) || last != a {
		t.Errorf("turns %v, last %v, %v", turns, last, err)
	}
	if turns, last, err := InTurn(a, 3, round, same); err != nil || !slices.Equal(turns, []uuid.UUID{a}) || last != a {
		t.Errorf("turns %v, last %v, %v", turns, last, err)
	}
	broken := errors.New("broken")
	if _, last, err := InTurn(b, 3, func(uuid.UUID, int) ([]uuid.UUID, error) { return nil, broken }, same); !errors.Is(err, broken) || last != b {
		t.Errorf("last %v, %v", last, err)
	}
}

func TestPersistTriesForAsLongAsItMayHelp(t *testing.T) {
	t.Parallel()
	errKnown := errors.New("known to the caller")
	for _, c := range []struct {
		name  string
		err   error
		tries int
	}{
		{"lease lost", ErrLeaseLost, 1},
		{"fenced", db.ErrFenced, 1},
		{"known", errKnown, 1},
		{"refused", &db.ConstraintError{Constraint: "messages_one_answer_per_job"}, 1},
		{"unknown", io.ErrUnexpectedEOF, unknownRewrites + 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			tries := 0
			err := idle().Persist(t.Context(), func(err error) bool { return errors.Is(err, errKnown) }, func(context.Context) error {
				tries++
				return c.err
			})
			if !errors.Is(err, c.err) || tries != c.tries {
				t.Errorf("%s: %d tries, then %v", c.name, tries, err)
			}
		})
	}
}

func TestPersistTriesOnceMoreWhenTheLeaseIsLost(t *testing.T) {
	t.Parallel()
	for _, outcome := range []error{db.ErrUnavailable, nil} {
		synctest.Test(t, func(t *testing.T) {
			lease, lose := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Hour, func() { lose(ErrLeaseLost) })
			last := 0
			err := idle().Persist(lease, nil, func(ctx context.Context) error {
				if lease.Err() != nil {
					last++
					return cmp.Or(ctx.Err(), outcome) // nothing is done for a caller who is gone
				}
				return db.ErrUnavailable
			})
			if errors.Is(err, ErrLeaseLost) != (outcome != nil) || last != 1 {
				t.Errorf("%d tries without the lease, the last with %v, then %v", last, outcome, err)
			}
		})
	}
}

func TestWakerNotifiesAtMostOnceIn50Milliseconds(t *testing.T) {
	t.Parallel()
	store := openStore(t, pgtest.New(t).AppURL, db.Options{Patience: patience})
	ctx, cancel := context.WithCancel(t.Context())
	var heard atomic.Int64
	ready := make(chan struct{})
	var listening sync.WaitGroup
	listening.Go(func() {
		err := store.Listen(ctx, testChannel, func() { close(ready) }, func() { heard.Add(1) })
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		cancel()
		listening.Wait()
	})
	soon(t, ready)
	const wakeEvery = 50 * time.Millisecond
	waker := NewWaker(store, slog.New(slog.DiscardHandler), testChannel, wakeEvery)
	begun := time.Now()
	for time.Since(begun) < 5*wakeEvery {
		waker.Wake()
		time.Sleep(time.Millisecond)
	}
	waitFor(t, func() bool { return heard.Load() > 1 })
	waker.Close()
	if most := int64(time.Since(begun)/wakeEvery) + 1; heard.Load() > most {
		t.Errorf("%d notifications, at most %d are allowed", heard.Load(), most)
	}
	waker.Wake() // after Close, nothing happens
	(*Waker)(nil).Wake()
}

func TestWorkerWarnsWhenNotificationsAreSwallowed(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	const notification = 'A'
	swallowing := pgtest.ThroughMessages(t, database.AppURL, func(_ *pgtest.Conversation, toServer bool, kind byte, _ []byte) bool {
		return toServer || kind != notification
	})
	for _, c := range []struct {
		name, url string
		timeout   time.Duration
		warnings  int
	}{
		{"swallowed", swallowing, 2 * time.Second, 1},
		{"arriving", database.AppURL, patience, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			log := &recorder{}
			w := New(openStore(t, c.url, db.Options{MaxConnections: 2, Reserve: 1}), slog.New(log), empty(), nil, Options{})
			w.testNotifications(t.Context(), c.timeout)
			if n := log.count("notifications do not arrive"); n != c.warnings {
				t.Errorf("%d warnings, want %d", n, c.warnings)
			}
		})
	}
}
