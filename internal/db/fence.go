package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
)

// Release counts the contracts between this program and the data that others beside it may be writing. It is raised
// with each change that an older program must not write into.
const Release int32 = 1

// fenceLock is the advisory lock that every write shares and whoever raises the fence takes alone.
const fenceLock = 0x6b616b65

// mayWrite checks the fence. It only holds in a transaction that has taken the fence's lock, in a statement after the one that took it.
func mayWrite(ctx context.Context, q *Queries, release int32) error {
	state, err := q.GetRuntimeState(ctx)
	switch {
	case err != nil:
		return err
	case release < state.MinimumRelease:
		return ErrFenced
	case state.Mode == "read_only":
		return ErrReadOnly
	case state.Mode == "maintenance":
		return ErrMaintenance
	}
	return nil
}

const (
	fenceLockTimeout = 100 * time.Millisecond // how long new writers may have to stand behind whoever raises the fence
	fenceAttempts    = 100
)

// RaiseFence refuses all writes of releases older than minimum from now on: when it returns nil, none of them can commit any more.
// conn is the owner's. The fence never comes down again by this way.
func RaiseFence(ctx context.Context, conn *pgx.Conn, minimum int32) error {
	var err error
	for attempt := range fenceAttempts {
		err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d", fenceLockTimeout.Milliseconds())); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(fenceLock)); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "UPDATE runtime_state SET minimum_release = greatest(minimum_release, $1)", minimum)
			return err
		})
		if !hasCode(err, pgerrcode.LockNotAvailable) {
			return translate(err)
		}
		if !pause(ctx, min(attempt, 4)) {
			break
		}
	}
	return fmt.Errorf("db: raise the fence to %d: running writes did not make way: %w", minimum, translate(err))
}
