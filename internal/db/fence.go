package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Release counts the contracts between this program and the data that others beside it may be writing. It is raised
// with each change that an older program must not write into.
const Release int32 = 1 + ahead

// fenceLock is the advisory lock that every write shares and whoever changes runtime_state takes alone.
const fenceLock = 0x6b616b65

// Mode says what may be written, by whatever release.
type Mode string

// The modes, as they stand in runtime_state.
const (
	ModeNormal      Mode = "normal"
	ModeReadOnly    Mode = "read_only"
	ModeMaintenance Mode = "maintenance"
)

// mayWrite checks the fence. It only holds in a transaction that has taken the fence's lock, in a statement after the one that took it.
func mayWrite(ctx context.Context, q *Queries, release int32) error {
	state, err := q.GetRuntimeState(ctx)
	switch {
	case err != nil:
		return err
	case release < state.MinimumRelease:
		return ErrFenced
	case Mode(state.Mode) == ModeReadOnly:
		return ErrReadOnly
	case Mode(state.Mode) == ModeMaintenance:
		return ErrMaintenance
	}
	return nil
}

const (
	fenceLockTimeout = 100 * time.Millisecond // how long new writers may have to stand behind whoever changes the state
	fenceAttempts    = 100                    // with their pauses about 18 s, several times as long as any write may run
)

// ErrWritesInTheWay says that the fence stands as it stood, because some write was always running.
var ErrWritesInTheWay = errors.New("db: running writes did not make way")

// RaiseFence refuses all writes of releases older than minimum from now on: when it returns nil, none of them can commit any more. It waits
// for the writes that are running, with ErrWritesInTheWay once that has taken too long. The fence never comes down again by this way.
// conn is the owner's.
func RaiseFence(ctx context.Context, conn *pgx.Conn, minimum int32) error {
	err := changeState(ctx, conn, "UPDATE runtime_state AS r SET minimum_release = greatest(r.minimum_release, $1::int)", minimum)
	if err != nil {
		return fmt.Errorf("db: raise the fence to %d: %w", minimum, err)
	}
	return nil
}

// SetMode says what may be written from now on. As with RaiseFence, no write that the new mode refuses commits after it has returned nil.
func SetMode(ctx context.Context, conn *pgx.Conn, mode Mode) error {
	if err := changeState(ctx, conn, "UPDATE runtime_state AS r SET mode = $1::text", string(mode)); err != nil {
		return fmt.Errorf("db: set the mode %s: %w", mode, err)
	}
	return nil
}

// changeState runs an update of runtime_state while nobody writes. Writers that come meanwhile queue behind it, so it gives the lock up soon and
// comes back, rather than hold everybody up for the longest of the writes that run.
func changeState(ctx context.Context, conn *pgx.Conn, update string, argument any) error {
	for attempt := 1; ; attempt++ {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			// What this returns from must not be undone by a crash of a server that commits without waiting for its disk.
			if _, err := tx.Exec(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d; SET LOCAL synchronous_commit = on", fenceLockTimeout.Milliseconds())); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(fenceLock)); err != nil {
				return err
			}
			changed, err := tx.Exec(ctx, update, argument)
			if err == nil && changed.RowsAffected() != 1 {
				return errors.New("runtime_state has lost its row")
			}
			return err
		})
		switch {
		case !hasCode(err, pgerrcode.LockNotAvailable):
			return translate(err)
		case attempt == fenceAttempts:
			return fmt.Errorf("%w: %w", ErrWritesInTheWay, err)
		case !pause(ctx, min(attempt, 4)):
			return fmt.Errorf("%w: %w", ErrWritesInTheWay, ctx.Err())
		}
	}
}

// FenceState is what the fence lets through, and who stands before it.
type FenceState struct {
	MinimumRelease int32
	Mode           Mode
	Connected      []ConnectedRelease // the oldest release first
}

// ConnectedRelease is a release of which programs are connected to the database.
type ConnectedRelease struct {
	Release  int32
	Sessions int
}

// ReadFence tells how the fence stands at this moment. conn is the owner's.
func ReadFence(ctx context.Context, conn *pgx.Conn) (FenceState, error) {
	row, err := New(conn).GetRuntimeState(ctx)
	if err != nil {
		return FenceState{}, translate(err)
	}
	rows, err := conn.Query(ctx, `SELECT substr(a.application_name, length($1) + 1)::int AS release, count(*)::int AS sessions
		FROM pg_stat_activity AS a
		WHERE a.datname = current_database() AND a.application_name ~ ('^' || $1 || '[0-9]{1,9}$')
		GROUP BY 1 ORDER BY 1`, applicationName)
	if err != nil {
		return FenceState{}, translate(err)
	}
	connected, err := pgx.CollectRows(rows, pgx.RowToStructByName[ConnectedRelease])
	return FenceState{MinimumRelease: row.MinimumRelease, Mode: Mode(row.Mode), Connected: connected}, translate(err)
}

// ConnectOwner opens a connection that signs in as the tables' owner: for RaiseFence, SetMode and ReadFence. The caller closes it.
func ConnectOwner(ctx context.Context, ownerURL string) (*pgx.Conn, error) {
	pool, err := pgxpool.ParseConfig(ownerURL) // for the parameters that only a pool understands
	if err != nil {
		return nil, errMalformedURL
	}
	pool.ConnConfig.RuntimeParams["application_name"] = "kakeai release"
	pool.ConnConfig.ConnectTimeout = connectTimeout
	conn, err := pgx.ConnectConfig(ctx, pool.ConnConfig)
	return conn, translate(err)
}
