package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kakeai/kakeai/internal/background"
)

// ErrOrganizationHeld says that another change of the whole organisation is under way. It is safe to send again.
var ErrOrganizationHeld = errors.New("db: another change of the whole organisation is under way")

// WholeOptions are what a change of a whole organisation needs to know. Zero values are replaced by the defaults named.
type WholeOptions struct {
	LockTimeout time.Duration // the longest wait for the organisation and for each of its rows; 2 s
	Release     int32         // what the fence knows this program as; the constant Release
	Maintenance bool          // goes on in ModeMaintenance, which is there for such work
}

func (o WholeOptions) withDefaults() WholeOptions {
	if o.LockTimeout == 0 {
		o.LockTimeout = wholeLockTimeout
	}
	if o.Release == 0 {
		o.Release = Release
	}
	return o
}

const (
	wholeLockTimeout    = 2 * time.Second
	wholeConnectTimeout = 5 * time.Second
	wholeIdleTimeout    = time.Minute // ends the session of a program that has stopped in the middle, and so gives its locks back
)

// The first key of each organisation's advisory lock, in the space of two-number locks: the letters "orgn".
const organizationLock = 0x6f72676e

// PlanAnew has the connection of a transaction plan its statements anew, the checks of foreign keys among them. What fills tables asks for it before each part: a plan that was
// made when a table was empty may take any index that begins with the organisation, and would go through all of its entries for each row that comes. That those plans are old
// PostgreSQL notices when the table is analysed, which does not count what is not committed.
func PlanAnew(ctx context.Context, q *Queries) error {
	_, err := q.db.Exec(ctx, "DISCARD PLANS")
	return err
}

// ReadWhole runs work on one consistent view of the database, as its owner, on a connection of its own. Nothing bounds it but ctx: it is for
// reading an organisation from end to end. uuid.Nil stands for none in particular.
func ReadWhole(ctx context.Context, ownerURL string, organization uuid.UUID, work func(ctx context.Context, tx pgx.Tx) error) error {
	return whole(ctx, ownerURL, WholeOptions{}.withDefaults(), func(ctx context.Context, conn *pgx.Conn) error {
		return onOneView(ctx, conn, "begin isolation level repeatable read read only", organization, work)
	})
}

// ChangeWhole runs work alone among the changes of the whole organisation, as the database's owner, on a connection of its own and on one
// consistent view, and commits if it returns nil. Ordinary writes go on beside it and know nothing of its lock: what they change after the view was taken
// cannot be changed by work any more, which Moved tells from other errors. It returns ErrOrganizationHeld when another change took too long.
//
// The organisation's lock is the session's and is taken before BEGIN, so that the view is not older than the wait for it. So is the fence's: a
// transaction that keeps one view would otherwise read the fence as it stood before the wait.
func ChangeWhole(ctx context.Context, ownerURL string, organization uuid.UUID, o WholeOptions, work func(ctx context.Context, tx pgx.Tx) error) error {
	if organization == uuid.Nil {
		return ErrNoOrganization
	}
	o = o.withDefaults()
	return whole(ctx, ownerURL, o, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1::int, hashtext($2::text))", organizationLock, organization.String())
		if IsLockTimeout(err) {
			return fmt.Errorf("%w: %w", ErrOrganizationHeld, translate(err))
		}
		if err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock_shared($1::bigint)", fenceLock); err != nil {
			return err
		}
		return onOneView(ctx, conn, "begin isolation level repeatable read", organization, func(ctx context.Context, tx pgx.Tx) error {
			err := mayWrite(ctx, New(tx), o.Release)
			if err != nil && (!o.Maintenance || !errors.Is(err, ErrMaintenance)) {
				return err
			}
			return work(ctx, tx)
		})
	})
}

// Moved reports whether a change of a whole organisation ended because a row was changed by somebody else after it had been read.
func Moved(err error) bool { return transient(err) }

// whole opens the connection, and ends it with all locks of its session.
func whole(ctx context.Context, ownerURL string, o WholeOptions, work func(ctx context.Context, conn *pgx.Conn) error) error {
	if background.PlaceOf(ctx) == background.Transaction {
		return ErrNested
	}
	held := background.Hold(ctx)
	defer held.Withdraw() // unless it has been settled: work may panic
	err := wholeOnConnection(held, ownerURL, o, work)
	settle(held, err)
	return err
}

func wholeOnConnection(ctx context.Context, ownerURL string, o WholeOptions, work func(ctx context.Context, conn *pgx.Conn) error) error {
	pool, err := pgxpool.ParseConfig(ownerURL) // for the parameters that only a pool understands
	if err != nil {
		return fmt.Errorf("db: the database's address cannot be read: %w", errors.New("malformed URL")) // the original would print the password
	}
	config := pool.ConnConfig
	config.ConnectTimeout = wholeConnectTimeout
	for name, value := range map[string]string{
		"application_name":                    "kakeai organization",
		"timezone":                            "UTC",
		"statement_timeout":                   "0",
		"lock_timeout":                        milliseconds(o.LockTimeout),
		"idle_in_transaction_session_timeout": milliseconds(wholeIdleTimeout),
	} {
		config.RuntimeParams[name] = value
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return translate(err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
		defer cancel()
		_ = conn.Close(ctx) // the server gives the locks back when the session ends, whoever ends it
	}()
	RegisterTypes(conn.TypeMap())
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC}})
	return translate(work(ctx, conn))
}

func onOneView(ctx context.Context, conn *pgx.Conn, begin string, organization uuid.UUID, work func(ctx context.Context, tx pgx.Tx) error) error {
	if organization != uuid.Nil {
		begin = fmt.Sprintf("%s; set local kakeai.organization_id = '%s'", begin, organization)
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
	if err != nil {
		return err
	}
	defer rollback(ctx, tx)
	if err := work(ctx, tx); err != nil {
		return err
	}
	return commit(ctx, tx)
}
