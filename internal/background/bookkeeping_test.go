package background

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// atOnce drains without waiting for anything.
func (b *bundle) atOnce(t *testing.T) error {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	return b.Drain(ended)
}

// A request that defers one thing after another has room for each as soon as the one before has ended.
func TestRoomInAScopeIsGivenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{ScopeTasks: 1, ScopeBytes: 100})
		ctx, scope := b.open(t.Context(), "a")
		scope.Close()
		for range 5 {
			Defer(ctx, yield, nothing, Retains(100))
			synctest.Wait()
		}
		assert.EqualValues(t, 5, b.Stats().ByName[yield].Done)
		b.drained(t)
	})
}

// What has begun, or was cut off, is not kept hold of.
func TestNothingIsHeldForRequestsThatHaveEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{})
		for range 3 {
			ctx, scope := b.open(t.Context(), "a")
			Defer(ctx, waits, nothing)
			assert.Len(t, b.holding, 1)
			scope.Close()
			synctest.Wait()
			assert.Empty(t, b.holding)
			assert.Empty(t, scope.waiting)
		}
		b.drained(t)
		assert.Empty(t, b.line)
	})
}

// While the program drains, what requests that go on defer does not wait for their end: that may be as far away as the end of the program.
func TestWhileDrainingNothingWaitsForItsRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{Late: time.Hour})
		first, scope := b.open(t.Context(), "a")
		h := hold()
		Defer(first, waits, h.run)
		scope.Close()
		drained := make(chan error, 1)
		go func() { drained <- b.Drain(t.Context()) }()
		synctest.Wait()
		second, stream := b.open(t.Context(), "b")
		Defer(second, waits, nothing)
		synctest.Wait()
		assert.EqualValues(t, 1, b.Stats().ByName[waits].Done)
		close(h.release)
		require.NoError(t, <-drained)
		stream.Close()
	})
}

// A task that does not let go is counted as dropped, once, and gives its room back once, however often the program drains and whenever it ends.
func TestWhatIsGivenUpIsCountedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{})
		ctx, scope := b.open(t.Context(), "a")
		h := hold()
		Defer(ctx, waits, h.run, Retains(10))
		scope.Close()
		synctest.Wait()
		var dropped *DroppedError
		require.ErrorAs(t, b.atOnce(t), &dropped)
		assert.Equal(t, map[string]int{waits: 1}, dropped.Names)
		require.NoError(t, b.atOnce(t), "nothing more was dropped")
		b.abandon()
		close(h.release)
		synctest.Wait()
		s := b.Stats()
		assert.EqualValues(t, 1, s.ByName[waits].Dropped)
		assert.Zero(t, s.ByName[waits].Done)
		assert.Zero(t, s.Tasks)
		assert.Zero(t, s.Bytes)
		assert.Zero(t, scope.tasks)
		assert.Contains(t, b.log(), "deferred work ends that was given up")
	})
}

// A transaction that commits when the program has drained comes too late: what it deferred is dropped, and not run beneath a pool that is closing.
func TestWhatIsHandedOverTooLateIsDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{})
		ctx, scope := b.open(t.Context(), "a")
		scope.Close()
		transaction := Hold(ctx)
		ran := false
		Defer(transaction, waits, func(context.Context) error {
			ran = true
			return nil
		})
		_ = b.atOnce(t)
		transaction.HandOver()
		synctest.Wait()
		assert.False(t, ran)
		assert.EqualValues(t, 1, b.Stats().ByName[waits].Dropped)
		assert.Zero(t, b.Stats().Tasks)
	})
}

// What waits for the end of its request when the program begins to drain waits no longer.
func TestDrainingBeginsWhatWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{Late: time.Hour})
		ctx, stream := b.open(t.Context(), "a")
		Defer(ctx, waits, nothing)
		synctest.Wait()
		assert.Zero(t, b.Stats().ByName[waits].Done)
		began := time.Now()
		require.NoError(t, b.Drain(t.Context()))
		assert.Zero(t, time.Since(began))
		assert.EqualValues(t, 1, b.Stats().ByName[waits].Done)
		stream.Close()
	})
}

// A task that starts at the moment at which the others are cancelled is cancelled too. What runs in place, as a worker's does, is nobody's to cancel.
func TestTheEndReachesWhatIsJustStarting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup(Options{})
		ctx, scope := b.open(t.Context(), "a")
		scope.Close()
		_ = b.atOnce(t)
		var cause, inPlace error
		starting := &task{declaration: b.list[0], ctx: ctx, scope: scope, fn: func(ctx context.Context) error {
			cause = context.Cause(ctx)
			return cause
		}}
		starting.execute()
		require.ErrorIs(t, cause, errEnding)
		Defer(b.Attend(t.Context(), scope.origin), waits, func(ctx context.Context) error {
			inPlace = ctx.Err()
			return nil
		})
		require.NoError(t, inPlace)
		assert.EqualValues(t, 1, b.Stats().ByName[waits].InPlace)
	})
}
