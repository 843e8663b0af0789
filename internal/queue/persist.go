package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kakeai/kakeai/internal/db"
)

const (
	shortestRewrite = 50 * time.Millisecond
	longestRewrite  = 2 * time.Second

	// unknownRewrites bounds how often a transaction is run again after an error that may never pass.
	unknownRewrites = 8
)

// Persist runs a transaction of a row until the database takes it, for as long as the row is this worker's. Once the lease is lost it asks the database
// a last time, since of a try before that failed it may not be known whether it committed. It gives up after an error after which the same transaction
// would fail in the same way: those of this package and of db that are, and those that final knows; it may be nil.
func (w *Worker[R]) Persist(lease context.Context, final func(error) bool, transaction func(context.Context) error) error {
	for try := 1; ; try++ {
		ctx, last := lease, lease.Err() != nil
		if last {
			ctx = context.WithoutCancel(lease)
		}
		err := transaction(ctx)
		switch {
		case err == nil, isFinal(err), final != nil && final(err):
			return err
		case last:
			return context.Cause(lease)
		case !Passing(err) && try > unknownRewrites:
			return fmt.Errorf("queue: %d times in vain: %w", try, err)
		}
		if try == 1 {
			w.log.Warn("a transaction is run again", "of", w.table.One, "error", err)
		}
		w.counters.rewrites.Add(1)
		sleep(lease, Backoff(try, shortestRewrite, longestRewrite))
	}
}

// Passing reports whether err is sure to end some day. Of other errors a broken connection may be the cause, or a fault of this program.
func Passing(err error) bool {
	return errors.Is(err, db.ErrOverloaded) || errors.Is(err, db.ErrBusy) || errors.Is(err, db.ErrUnavailable) ||
		errors.Is(err, db.ErrReadOnly) || errors.Is(err, db.ErrMaintenance)
}

// isFinal reports whether the same transaction would fail in the same way.
func isFinal(err error) bool {
	var constraint *db.ConstraintError
	var value *db.ValueError
	var server *pgconn.PgError
	return LeftAlone(err) || errors.As(err, &constraint) || errors.As(err, &value) ||
		errors.Is(err, db.ErrNotFound) || !Passing(err) && errors.As(err, &server)
}

// LeftAlone reports whether after err the row is not to be touched any more: it is not this worker's, or nothing may be written.
func LeftAlone(err error) bool {
	return errors.Is(err, ErrLeaseLost) || errors.Is(err, ErrAbandoned) || errors.Is(err, db.ErrFenced)
}

// Call does what takes long, without a transaction or a connection. It returns as soon as there is an outcome, the lease is lost or the worker is to
// stop, also if do does not let go; running then waits for it. The error then is the cause for which the lease ended, or ErrStopping.
func Call[T any](lease, stopping context.Context, running *sync.WaitGroup, do func(ctx context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithCancelCause(lease)
	defer cancel(nil)
	defer context.AfterFunc(stopping, func() { cancel(ErrStopping) })()

	type outcome struct {
		value T
		err   error
	}
	outcomes := make(chan outcome, 1)
	running.Go(func() {
		value, err := do(ctx)
		outcomes <- outcome{value, err}
	})
	var got outcome
	select {
	case got = <-outcomes:
	case <-ctx.Done():
		select {
		case got = <-outcomes: // in the last moment, and worth keeping
		default:
			return got.value, context.Cause(ctx)
		}
	}
	if got.err != nil && ctx.Err() != nil {
		return got.value, context.Cause(ctx)
	}
	return got.value, got.err
}
