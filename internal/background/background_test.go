package background

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// What tests defer, by what becomes of it when there is no room.
const (
	waits = "waits" // runs in place
	yield = "yield" // is dropped
)

const taskDeadline = 10 * time.Second

// bundle is a runner with a log that can be read.
type bundle struct {
	*Runner
	mu   sync.Mutex
	said bytes.Buffer
}

func (b *bundle) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.said.Write(p)
}

func (b *bundle) log() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.said.String()
}

func setup(o Options) *bundle {
	b := &bundle{}
	b.Runner = NewRunner(slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug})), o)
	b.list = []declaration{{name: waits, deadline: taskDeadline}, {name: yield, deadline: taskDeadline, full: Drop}}
	return b
}

func (b *bundle) open(ctx context.Context, id string) (context.Context, *Scope) {
	return b.Open(ctx, slog.String("request_id", id))
}

func (b *bundle) drained(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	assert.NoError(t, b.Drain(ctx))
	s := b.Stats()
	assert.Zero(t, s.Tasks)
	assert.Zero(t, s.Bytes)
	for name, c := range s.ByName {
		assert.Zero(t, c.Open(), name)
	}
}

// held is a task that goes on until it is let go.
type held struct{ started, release chan struct{} }

func hold() held { return held{make(chan struct{}, 1000), make(chan struct{})} }

func (h held) run(context.Context) error {
	h.started <- struct{}{}
	<-h.release
	return nil
}

func nothing(context.Context) error { return nil }

type valueKey struct{}

func TestOutsideAScopeWorkRunsInPlace(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), valueKey{}, "kept"))
	cancel()
	ran := false
	Defer(ctx, waits, func(ctx context.Context) error {
		ran = true
		assert.NoError(t, ctx.Err(), "whoever deferred it hung up, and that is no reason to stop")
		assert.Equal(t, "kept", ctx.Value(valueKey{}))
		assert.Equal(t, Task, PlaceOf(ctx))
		_, limited := ctx.Deadline()
		assert.True(t, limited)
		Defer(ctx, waits, nothing)
		return nil
	})
	assert.True(t, ran, "Defer did not wait")
	assert.NotPanics(t, func() { Defer(ctx, waits, func(context.Context) error { panic("harmless") }) })
}

func TestWorkOutsideAScopeIsCountedWhereARunnerAttends(t *testing.T) {
	t.Parallel()
	b := setup(Options{})
	ctx := b.Attend(t.Context(), slog.String("program", "worker"))
	Defer(ctx, waits, nothing)
	Defer(ctx, waits, func(context.Context) error { return errors.New("no luck") })
	assert.Equal(t, Count{Deferred: 2, Started: 2, InPlace: 2, Done: 1, Failed: 1}, b.Stats().ByName[waits])
	assert.Regexp(t, `level=WARN msg="deferred work failed".*error="no luck" program=worker name=waits`, b.log())
	b.drained(t)
}

func TestWorkRunsAfterTheAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{})
		request, hangUp := context.WithCancel(context.WithValue(t.Context(), valueKey{}, "kept"))
		ctx, scope := b.open(request, "r1")
		ran := false
		Defer(ctx, waits, func(ctx context.Context) error {
			assert.NoError(t, ctx.Err(), "the client hung up, and that is no reason to stop")
			assert.Equal(t, "kept", ctx.Value(valueKey{}))
			assert.Equal(t, Task, PlaceOf(ctx))
			ran = true
			return nil
		})
		hangUp()
		synctest.Wait() // until nothing can go on
		assert.False(t, ran, "it ran before the answer")
		scope.Close()
		scope.Close() // by whoever is not sure
		b.drained(t)
		assert.True(t, ran)
		assert.Equal(t, Count{Deferred: 1, Started: 1, Done: 1}, b.Stats().ByName[waits])
	})
}

// A stream goes on for as long as somebody watches; what it has deferred does not.
func TestLongRequestHoldsUpNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{})
		ctx, scope := b.open(t.Context(), "r1")
		began := time.Now()
		ran := make(chan time.Duration, 2)
		note := func(context.Context) error { ran <- time.Since(began); return nil }
		Defer(ctx, waits, note)
		assert.Equal(t, time.Second, <-ran)
		Defer(ctx, waits, note)
		assert.Equal(t, time.Second, <-ran, "there is nothing left to wait for")
		scope.Close()
		b.drained(t)
	})
}

func TestWorkThatDefersJoinsItsScope(t *testing.T) {
	t.Parallel()
	b := setup(Options{})
	ctx, scope := b.open(t.Context(), "r1")
	var ran []string // by one task after another, each of which starts the next
	Defer(ctx, waits, func(ctx context.Context) error {
		ran = append(ran, "first")
		Defer(ctx, waits, func(ctx context.Context) error {
			ran = append(ran, "second")
			assert.Same(t, scope, scopeOf(ctx))
			Defer(ctx, yield, func(context.Context) error { ran = append(ran, "third"); return nil })
			return nil
		})
		return nil
	})
	scope.Close()
	b.drained(t)
	assert.Equal(t, []string{"first", "second", "third"}, ran)
}

func TestOutcomesAreCountedAndLogged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{})
		ctx, scope := b.open(t.Context(), "r-17")
		for _, fn := range []func(context.Context) error{
			nothing,
			func(context.Context) error { return errors.New("no luck") },
			func(ctx context.Context) error {
				began := time.Now()
				<-ctx.Done()
				assert.Equal(t, taskDeadline, time.Since(began))
				return ctx.Err()
			},
			func(context.Context) error { panic("at the disco") },
			func(context.Context) error { runtime.Goexit(); return nil },
			func(ctx context.Context) error { <-ctx.Done(); return nil }, // late, and done all the same
		} {
			Defer(ctx, waits, fn)
		}
		scope.Close()
		b.drained(t)
		assert.Equal(t, Count{Deferred: 6, Started: 6, Done: 2, Failed: 1, TimedOut: 1, Panicked: 2}, b.Stats().ByName[waits])
		log := b.log()
		for _, line := range []string{
			`level=DEBUG msg="deferred work starts" in_place=false request_id=r-17 name=waits`,
			`level=DEBUG msg="deferred work is done" milliseconds=0 request_id=r-17 name=waits`,
			`level=WARN msg="deferred work failed" milliseconds=0 error="no luck" request_id=r-17 name=waits`,
			`level=WARN msg="deferred work took too long" milliseconds=10000 error="context deadline exceeded" request_id=r-17 name=waits`,
			`level=ERROR msg="deferred work panicked" milliseconds=0 error="panic: at the disco" stack="goroutine`,
			`level=ERROR msg="deferred work panicked" milliseconds=0 error="background: the task ended its goroutine"`,
		} {
			assert.Contains(t, log, line)
		}
		assert.Contains(t, log, "background_test.go", "the stack does not lead to the task")
	})
}

func TestBoundsOfAScope(t *testing.T) {
	t.Parallel()
	b := setup(Options{ScopeTasks: 2, ScopeBytes: 100})
	ctx, scope := b.open(t.Context(), "r1")
	var order []string
	say := func(what string) func(context.Context) error {
		return func(context.Context) error { order = append(order, what); return nil }
	}
	Defer(ctx, waits, say("room"), Retains(60))
	Defer(ctx, waits, say("too many bytes"), Retains(41))
	Defer(ctx, yield, say("never"), Retains(41))
	assert.Equal(t, []string{"too many bytes"}, order)
	h := hold()
	Defer(ctx, waits, h.run, Retains(40))
	Defer(ctx, waits, say("too many"))
	Defer(ctx, yield, say("never"))
	assert.Equal(t, []string{"too many bytes", "too many"}, order)
	assert.Equal(t, Count{Deferred: 2, Dropped: 2}, b.Stats().ByName[yield])
	assert.Contains(t, b.log(), `msg="deferred work is dropped" reason="too much is deferred already" request_id=r1 name=yield`)

	other, otherScope := b.open(t.Context(), "r2")
	Defer(other, yield, nothing) // another request is not concerned
	assert.Equal(t, 3, b.Stats().Tasks)
	assert.EqualValues(t, 100, b.Stats().Bytes)
	scope.Close()
	<-h.started
	Defer(ctx, waits, nothing, Retains(1000)) // more than there ever is room for
	close(h.release)
	otherScope.Close()
	b.drained(t)
	assert.Equal(t, []string{"too many bytes", "too many", "room"}, order)
	assert.Equal(t, Count{Deferred: 5, Started: 5, InPlace: 3, Done: 5}, b.Stats().ByName[waits])
}

func TestBoundsOfTheProcess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options Options
		bytes   int
	}{
		"tasks": {Options{Tasks: 3}, 0},
		"bytes": {Options{Bytes: 30}, 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(c.options)
			for range 3 {
				ctx, scope := b.open(t.Context(), "r1")
				Defer(ctx, yield, nothing, Retains(c.bytes))
				defer scope.Close()
			}
			ctx, scope := b.open(t.Context(), "r2")
			defer scope.Close()
			Defer(ctx, yield, nothing, Retains(max(c.bytes, 1)))
			assert.Equal(t, Count{Deferred: 4, Dropped: 1}, b.Stats().ByName[yield])
			require.NoError(t, b.Drain(t.Context()))
		})
	}
}

// Of many that defer at once, no more are taken than there is room for, and no more run at a time than may.
func TestBoundsAreNeverOvershot(t *testing.T) {
	t.Parallel()
	const places, room, callers = 3, 20, 200
	b := setup(Options{Running: places, Tasks: room})
	var running, most, done atomic.Int32
	work := func(context.Context) error {
		now := running.Add(1)
		for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
		}
		if s := b.Stats(); s.Tasks > room || s.Running > places {
			t.Errorf("%d tasks and %d running, of %d and %d", s.Tasks, s.Running, room, places)
		}
		runtime.Gosched()
		running.Add(-1)
		done.Add(1)
		return nil
	}
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			ctx, scope := b.open(t.Context(), "r1")
			defer scope.Close()
			for range 5 {
				Defer(ctx, yield, work)
			}
		})
	}
	all.Wait()
	b.drained(t)
	c := b.Stats().ByName[yield]
	assert.EqualValues(t, callers*5, c.Done+c.Dropped)
	assert.EqualValues(t, c.Done, done.Load())
	assert.NotZero(t, c.Dropped, "the bound was not reached, so this shows little")
	assert.LessOrEqual(t, most.Load(), int32(places), "so many may run at a time")
}

func TestAsManyRunAsMay(t *testing.T) {
	t.Parallel()
	b := setup(Options{Running: 3})
	ctx, scope := b.open(t.Context(), "r1")
	h := hold()
	for range 5 {
		Defer(ctx, waits, h.run)
	}
	scope.Close()
	for range 3 {
		<-h.started
	}
	assert.Equal(t, 3, b.Stats().Running)
	assert.EqualValues(t, 3, b.Stats().ByName[waits].Started)
	close(h.release)
	b.drained(t)
	assert.Len(t, h.started, 2, "those in line did not get their turn")
}

func TestTransactionsDecide(t *testing.T) {
	t.Parallel()
	b := setup(Options{})
	ctx, scope := b.open(context.WithValue(t.Context(), valueKey{}, "outside"), "r1")
	scope.Close() // so that whatever is handed over runs
	ran := make(chan string, 10)
	in := func(h *Held, what string) {
		Defer(context.WithValue(h, valueKey{}, what), waits, func(ctx context.Context) error {
			assert.Equal(t, Task, PlaceOf(ctx), "the transaction is over")
			assert.Equal(t, what, ctx.Value(valueKey{}))
			ran <- what
			return nil
		})
	}
	assert.Equal(t, Elsewhere, PlaceOf(ctx))
	h := Hold(ctx)
	assert.Equal(t, Transaction, PlaceOf(h))
	in(h, "rolled back")
	h.Withdraw()
	in(h, "too late for what is not there")
	h = Hold(ctx)
	in(h, "unknown")
	h.Drop()
	h = Hold(ctx)
	in(h, "committed")
	assert.Empty(t, ran, "it ran inside the transaction")
	assert.Equal(t, 1, b.Stats().Tasks, "what a transaction holds counts")
	h.HandOver()
	assert.Equal(t, "committed", <-ran)
	in(h, "after the commit")
	assert.Equal(t, "after the commit", <-ran)
	h.Withdraw() // as whoever defers it does
	b.drained(t)
	assert.Equal(t, Count{Deferred: 5, Withdrawn: 2, Started: 2, Done: 2, Dropped: 1}, b.Stats().ByName[waits])
	assert.Contains(t, b.log(), `reason="the outcome of the commit is unknown"`)
}

func TestOutsideAScopeWorkRunsAfterTheCommit(t *testing.T) {
	t.Parallel()
	ran := 0
	count := func(context.Context) error { ran++; return nil }
	h := Hold(t.Context())
	Defer(h, waits, count)
	assert.Zero(t, ran, "it ran inside the transaction")
	h.HandOver()
	assert.Equal(t, 1, ran)
	for _, end := range []func(*Held){(*Held).Withdraw, (*Held).Drop} {
		h = Hold(t.Context())
		Defer(h, waits, count)
		end(h)
	}
	assert.Equal(t, 1, ran)
}

func TestDrainWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{Running: 1})
		ctx, scope := b.open(t.Context(), "r1")
		unanswered, open := b.open(t.Context(), "r2") // a request that does not end
		var ran []string
		slowly := func(what string) func(context.Context) error {
			return func(ctx context.Context) error {
				time.Sleep(time.Second)
				ran = append(ran, what)
				if what == "running" {
					Defer(ctx, waits, func(context.Context) error { ran = append(ran, "deferred by work"); return nil })
				}
				return nil
			}
		}
		Defer(ctx, waits, slowly("running"))
		Defer(ctx, waits, slowly("in line"))
		Defer(unanswered, waits, slowly("unanswered"))
		h := Hold(unanswered)
		Defer(h, waits, slowly("in a transaction"))
		scope.Close()
		time.AfterFunc(1500*time.Millisecond, h.HandOver)
		require.NoError(t, b.Drain(t.Context()))
		assert.ElementsMatch(t, []string{"running", "in line", "unanswered", "in a transaction", "deferred by work"}, ran)
		Defer(unanswered, waits, slowly("too late"))
		Defer(unanswered, waits, slowly("too late, in place"), Retains(1<<40))
		open.Close()
		assert.Len(t, ran, 5)
		assert.Equal(t, Count{Deferred: 7, Started: 5, Done: 5, Dropped: 2}, b.Stats().ByName[waits])
		assert.NoError(t, b.Drain(t.Context()), "there is nothing left to drain")
	})
}

func TestDrainEndsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{Running: 3})
		ctx, scope := b.open(t.Context(), "r-9")
		stubborn := hold()
		Defer(ctx, yield, stubborn.run)
		Defer(ctx, waits, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		Defer(ctx, waits, func(ctx context.Context) error { <-ctx.Done(); return nil }) // finishes in spite of it all
		Defer(ctx, waits, nothing)                                                      // in line behind them
		scope.Close()
		began := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		var d *DroppedError
		require.ErrorAs(t, b.Drain(short), &d)
		assert.Equal(t, 6*time.Second, time.Since(began), "the deadline and the grace")
		assert.Equal(t, map[string]int{waits: 2, yield: 1}, d.Names)
		assert.EqualError(t, d, "deferred work was dropped: waits (2), yield (1)")
		assert.Equal(t, 3, strings.Count(b.log(), `msg="deferred work is dropped"`))
		assert.Equal(t, 3, strings.Count(b.log(), `reason="the program is ending"`))
		close(stubborn.release)
		synctest.Wait()
		assert.Equal(t, Count{Deferred: 1, Started: 1, Dropped: 1}, b.Stats().ByName[yield], "what has been reported as dropped stays so")
		assert.Equal(t, Count{Deferred: 3, Started: 2, Done: 1, Dropped: 2}, b.Stats().ByName[waits])
		assert.Zero(t, b.Stats().Running)
	})
}
