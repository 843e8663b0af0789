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
)

const (
	transactionTimeout = 5 * time.Second // one short transaction, retries included
	rollbackTimeout    = time.Second
	maxAttempts        = 4
)

// Work is what one transaction does. It may run more than once, so beyond the database it only sets, whole, what its caller reads after it.
type Work func(ctx context.Context, q *Queries) error

// Read runs work on one consistent view of the organisation.
func (s *Store) Read(ctx context.Context, scope Scope, work Work) error {
	if scope.Organization == uuid.Nil {
		return ErrNoOrganization
	}
	return s.run(ctx, scope, "begin isolation level repeatable read read only", work)
}

// Write runs work and commits if it returns nil. Before any work it returns ErrFenced to a release that may no longer write,
// and ErrReadOnly or ErrMaintenance while nothing may.
func (s *Store) Write(ctx context.Context, scope Scope, work Work) error {
	if scope.Organization == uuid.Nil {
		return ErrNoOrganization
	}
	return s.run(ctx, scope, beginWrite(), s.fenced(work))
}

// System runs work that belongs to no organisation yet or looks across them: signing in, claiming. Row-level security shows it
// no tenant's rows. It may read in every mode; for writing, see SystemWrite.
func (s *Store) System(ctx context.Context, class Class, work Work) error {
	return s.run(ctx, Scope{Class: class}, "begin", work)
}

// SystemWrite is System behind the fence.
func (s *Store) SystemWrite(ctx context.Context, class Class, work Work) error {
	return s.run(ctx, Scope{Class: class}, beginWrite(), s.fenced(work))
}

func beginWrite() string {
	return fmt.Sprintf("begin; select pg_advisory_xact_lock_shared(%d)", fenceLock)
}

func (s *Store) fenced(work Work) Work {
	return func(ctx context.Context, q *Queries) error {
		if err := mayWrite(ctx, q, s.release); err != nil {
			return err
		}
		return work(ctx, q)
	}
}

type inTransaction struct{}

func (s *Store) run(ctx context.Context, scope Scope, begin string, work Work) error {
	if ctx.Value(inTransaction{}) != nil {
		return ErrNested
	}
	ticket, err := s.gate.Enter(ctx, scope)
	if err != nil {
		return err
	}
	defer ticket.Leave()

	// From here the client's patience no longer counts: cancelling a statement costs the pool its connection.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), transactionTimeout)
	defer cancel()
	ctx = context.WithValue(ctx, inTransaction{}, true)

	if scope.Organization != uuid.Nil {
		begin = fmt.Sprintf("%s; set local kakeai.organization_id = '%s'", begin, scope.Organization)
	}
	for attempt := 1; ; attempt++ {
		err := s.once(ctx, begin, work)
		if err == nil || attempt == maxAttempts || !transient(err) || !pause(ctx, attempt) {
			return translate(err)
		}
	}
}

func (s *Store) once(ctx context.Context, begin string, work Work) error {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
	if err != nil {
		return err
	}
	defer rollback(ctx, tx)
	if err := work(ctx, New(tx)); err != nil {
		return err
	}
	return tx.Commit(ctx)
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
