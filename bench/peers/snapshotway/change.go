package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/snapshot"
)

var (
	errLockTimeout    = fmt.Errorf("no lock within %s", lockTimeout)
	errAcquireTimeout = fmt.Errorf("no connection within %s", acquireTimeout)
)

// organizationLock is the first key of the organisations' advisory locks: the letters "orgn".
const organizationLock = 0x6f72676e

// held is an organisation in a transaction that has its lock.
type held struct {
	q       *db.Queries
	tx      pgx.Tx
	present *whole
	wanted  snapshot.Snapshot // what it is to become: at first what it is. Lists are replaced, never written into.
	by      snapshot.Change   // who changes it
}

// replace gives the organisation another objective in the place of one that it has.
func (h *held) replace(o snapshot.Objective) {
	h.wanted.Objectives = append([]snapshot.Objective{}, h.wanted.Objectives...)
	h.wanted.Objectives[h.present.objectives[o.ID]] = o
}

// change changes an organisation as a whole. work says what it is to become, and may write records that are not part of the snapshot; if it returns false,
// nothing is changed. The errors are errAcquireTimeout, errLockTimeout, those of work, and those of internal/snapshot.
func (s *server) change(ctx context.Context, organization uuid.UUID, work func(ctx context.Context, h *held) (bool, error)) (now *whole, err error) {
	begin := fmt.Sprintf("begin; set local kakeai.organization_id = '%[1]s'; select pg_advisory_xact_lock(%[2]d, hashtext('%[1]s'))", organization, organizationLock)
	err = s.transaction(ctx, begin, func(ctx context.Context, tx pgx.Tx) error {
		h := &held{q: db.New(tx), tx: tx}
		if h.present, err = s.held(ctx, h, organization); err != nil {
			return err
		}
		h.wanted = *h.present.Snapshot
		if changed, err := work(ctx, h); err != nil || !changed {
			return err
		}
		difference, err := snapshot.Compare(h.present.Snapshot, &h.wanted)
		if err != nil {
			return err
		}
		if _, err := difference.Write(ctx, h.q, h.by); err != nil {
			return err
		}
		if now, err = read(ctx, tx, organization); err != nil {
			return err
		}
		now.faults, err = difference.Check(now.Snapshot, h.present.faults)
		return err
	})
	if err != nil {
		return nil, err
	}
	if now != nil {
		s.organizations.publish(now)
	}
	return now, nil
}

// held is the organisation as it is while the lock is held: from memory, unless another process has changed it or nobody has read it yet.
func (s *server) held(ctx context.Context, h *held, organization uuid.UUID) (*whole, error) {
	row, err := h.q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: organization})
	if err != nil {
		return nil, err
	}
	if w := s.organizations.at(organization, row.Revision); w != nil {
		return w, nil
	}
	w, err := read(ctx, h.tx, organization)
	if err == nil {
		w.faults = w.EntityFaults()
		s.organizations.publish(w) // it is what was committed last, whatever becomes of this transaction
	}
	return w, err
}

// view runs work on one consistent view of an organisation.
func (s *server) view(ctx context.Context, organization uuid.UUID, work func(tx pgx.Tx) error) error {
	begin := fmt.Sprintf("begin isolation level repeatable read read only; set local kakeai.organization_id = '%s'", organization)
	return s.transaction(ctx, begin, func(_ context.Context, tx pgx.Tx) error { return work(tx) })
}

// transaction runs work and commits if it returns nil. A client that hangs up does not end it: a cancelled statement would cost the pool its connection.
func (s *server) transaction(ctx context.Context, begin string, work func(ctx context.Context, tx pgx.Tx) error) error {
	ctx = context.WithoutCancel(ctx)
	conn, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
	if err != nil {
		_, _ = conn.Exec(ctx, "rollback") // without the lock the transaction stands open; what cannot roll back, the pool drops
		return byCause(err)
	}
	defer func() { _ = tx.Rollback(ctx) }() // after a commit it does nothing
	if err := work(ctx, tx); err != nil {
		return byCause(err)
	}
	return byCause(tx.Commit(ctx))
}

func (s *server) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, acquireTimeout)
	defer cancel()
	conn, err := s.pool.Acquire(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%w: %w", errAcquireTimeout, err)
	}
	return conn, err
}

func byCause(err error) error {
	var said *pgconn.PgError
	if errors.As(err, &said) && said.Code == pgerrcode.LockNotAvailable {
		return fmt.Errorf("%w: %w", errLockTimeout, err)
	}
	return err
}

// pause waits, and reports whether it was let.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
