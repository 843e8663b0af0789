package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kakeai/kakeai/internal/background"
)

const (
	rollbackTimeout = time.Second
	maxAttempts     = 4
)

// Work is what one transaction does. It may run more than once, so beyond the database it only sets, whole, what its caller reads after it.
type Work func(ctx context.Context, q *Queries) error

// Read runs work on one consistent view of the organisation.
func (s *Store) Read(ctx context.Context, scope Scope, work Work) error {
	if scope.Organization == uuid.Nil {
		return ErrNoOrganization
	}
	return s.run(ctx, scope, "begin isolation level repeatable read read only", "", work)
}

// Write runs work and commits if it returns nil. Before any work it returns ErrFenced to a release that may no longer write,
// and ErrReadOnly or ErrMaintenance while nothing may.
func (s *Store) Write(ctx context.Context, scope Scope, work Work) error {
	if scope.Organization == uuid.Nil {
		return ErrNoOrganization
	}
	return s.run(ctx, scope, "begin", fenceClause(), s.fenced(work))
}

// WriteWhole is Write for what has to be there at once or not at all, however much it is: it may take up to limit, while each of its statements has no more time than any. Whoever
// waits for a row that it has written waits for it, so it begins with nothing that others need.
func (s *Store) WriteWhole(ctx context.Context, scope Scope, limit time.Duration, work Work) error {
	long := *s
	long.timeouts.Transaction = limit
	return long.Write(ctx, scope, work)
}

// System runs work that belongs to no organisation yet or looks across them: signing in, claiming. Row-level security shows it
// no tenant's rows. It may read in every mode; for writing, see SystemWrite.
func (s *Store) System(ctx context.Context, class Class, work Work) error {
	return s.run(ctx, Scope{Class: class}, "begin", "", work)
}

// SystemWrite is System behind the fence.
func (s *Store) SystemWrite(ctx context.Context, class Class, work Work) error {
	return s.run(ctx, Scope{Class: class}, "begin", fenceClause(), s.fenced(work))
}

// fenceClause takes the fence's lock in BEGIN's round trip, behind what bounds the wait for it.
func fenceClause() string {
	return fmt.Sprintf("; select pg_advisory_xact_lock_shared(%d)", fenceLock)
}

func (s *Store) fenced(work Work) Work {
	return func(ctx context.Context, q *Queries) error {
		if err := mayWrite(ctx, q, s.release); err != nil {
			return err
		}
		return work(ctx, q)
	}
}

// run runs work in a transaction that begins with begin and goes on with then, and after it, with the connection and the place given back, has happen what was deferred in it.
func (s *Store) run(ctx context.Context, scope Scope, begin, then string, work Work) error {
	switch background.PlaceOf(ctx) {
	case background.Transaction:
		return ErrNested
	case background.Task:
		if scope.Class == Normal { // nobody waits for it
			scope.Class = Background
		}
	case background.Elsewhere:
	}
	held, err := s.admitted(ctx, scope, begin+s.settings+then, work)
	if held != nil {
		settle(held, err)
	}
	return err
}

// settle decides on what was deferred in a transaction by how that ended. Where nobody knows how, it is dropped: what must not be lost is in the outbox, if
// the transaction is there at all, and to act on what is not there would be worse.
func settle(held *background.Held, err error) {
	switch {
	case err == nil:
		held.HandOver()
	case errors.Is(err, errNoAnswer):
		held.Drop()
	default:
		held.Withdraw()
	}
}

// admitted runs work as often as it takes, and returns what was deferred in the last attempt; nil if there was none.
func (s *Store) admitted(ctx context.Context, scope Scope, begin string, work Work) (*background.Held, error) {
	ticket, err := s.gate.Enter(ctx, scope)
	if err != nil {
		return nil, err
	}
	defer ticket.Leave()

	// From here the client's patience no longer counts: cancelling a statement costs the pool its connection.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeouts.Transaction)
	defer cancel()

	if scope.Organization != uuid.Nil {
		begin = fmt.Sprintf("%s; set local kakeai.organization_id = '%s'", begin, scope.Organization)
	}
	for attempt := 1; ; attempt++ {
		held := background.Hold(ctx)
		err := s.once(held, begin, work)
		if err == nil || attempt == maxAttempts || !transient(err) || !pause(ctx, attempt) {
			return held, translate(err)
		}
		held.Withdraw() // the next attempt defers for itself
	}
}

func (s *Store) once(ctx *background.Held, begin string, work Work) error {
	returned := false
	defer func() {
		if !returned { // work has panicked
			ctx.Withdraw()
		}
	}()
	err := s.attempt(ctx, begin, work)
	returned = true
	return err
}

func (s *Store) attempt(ctx context.Context, begin string, work Work) error {
	conn, tx, err := s.begin(ctx, begin)
	if err != nil {
		return err
	}
	defer conn.Release()
	defer rollback(ctx, tx)
	if err := work(ctx, New(tx)); err != nil {
		return err
	}
	return commit(ctx, tx)
}

// begin starts a transaction. A connection that turns out to have ended while it lay in the pool is replaced, since nothing had been asked of it yet.
func (s *Store) begin(ctx context.Context, query string) (*pgxpool.Conn, pgx.Tx, error) {
	for attempt := 1; ; attempt++ {
		conn, err := s.acquire(ctx)
		if err != nil {
			return nil, nil, err
		}
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: query})
		if err == nil {
			s.answered.Store(time.Now().UnixNano())
			return conn, tx, nil
		}
		if !conn.Conn().IsClosed() { // the fence's lock could not be had: the transaction stands open, and the connection is as good as before
			_, _ = conn.Exec(ctx, "rollback") // or else the pool drops it
		}
		conn.Release()
		if attempt == maxAttempts || ctx.Err() != nil || !endedConnection(err) {
			return nil, nil, err
		}
	}
}

// acquire takes a connection. Whoever is through the gate has a place in the pool, so what is waited for here is the server.
func (s *Store) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	acquiring, cancel := context.WithTimeout(ctx, s.timeouts.Acquire)
	defer cancel()
	conn, err := s.pool.Acquire(acquiring)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%w: no connection within %s: %w", ErrUnavailable, s.timeouts.Acquire, err)
	}
	return conn, err
}

// errNoAnswer says that a transaction may have been committed or not.
var errNoAnswer = errors.New("db: no answer to the commit")

// commit commits. Where the server has not said how it ended, it may have been committed, so that is no ErrBusy.
func commit(ctx context.Context, tx pgx.Tx) error {
	err := tx.Commit(ctx)
	var said *pgconn.PgError
	if err == nil || errors.As(err, &said) || errors.Is(err, pgx.ErrTxCommitRollback) {
		return err
	}
	return fmt.Errorf("%w: %w: %w", ErrUnavailable, errNoAnswer, err)
}

// rollback ends a transaction that did not commit, also when its context is over. After a commit it does nothing.
func rollback(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	_ = tx.Rollback(ctx) // a connection that cannot even roll back is closed by pgx, and the server rolls back
}

// pause waits a jittered, doubling while; false if the context ends first.
func pause(ctx context.Context, attempt int) bool {
	wait := time.NewTimer(rand.N(10 * time.Millisecond << attempt))
	defer wait.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-wait.C:
		return true
	}
}

func hasCode(err error, code string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == code
}

// NewID returns a UUIDv7: unique, and ordered by the time it was made in, so that the order of ids is the order of creation.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }
