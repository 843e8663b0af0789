package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// What a caller can act on. Everything else is an internal error.
var (
	ErrNotFound       = errors.New("db: no such row")
	ErrNested         = errors.New("db: transaction inside a transaction")
	ErrNoOrganization = errors.New("db: a transaction without an organisation must be System")
	ErrOverloaded     = errors.New("db: too much waiting already")                 // safe to send again, later
	ErrBusy           = errors.New("db: a row was held too long by somebody else") // safe to send again
	ErrUnavailable    = errors.New("db: the database cannot be reached")           // the outcome of a commit may be unknown
	ErrFenced         = errors.New("db: this release may no longer write")
	ErrReadOnly       = errors.New("db: nothing may be written at present")
	ErrMaintenance    = errors.New("db: closed for maintenance")
)

// ConstraintError says which rule of the schema refused a row, and whether another row is in the way
// (a conflict) or the row itself is wrong (invalid).
type ConstraintError struct {
	Constraint string
	Conflict   bool
	err        error
}

func (e *ConstraintError) Error() string { return fmt.Sprintf("db: refused by %s", e.Constraint) }
func (e *ConstraintError) Unwrap() error { return e.err }

// ValueError says that PostgreSQL could not take a value as it was sent: text with a NUL or broken encoding, a number out of range.
// What people send is checked before it gets here, so this is the net beneath that check.
type ValueError struct{ err error }

func (e *ValueError) Error() string { return "db: a value that PostgreSQL cannot hold" }
func (e *ValueError) Unwrap() error { return e.err }

// translate turns pgx's errors into this package's, once, keeping the original within.
func translate(err error) error {
	var pg *pgconn.PgError
	var connect *pgconn.ConnectError
	switch {
	case err == nil, errors.Is(err, ErrUnavailable):
		return err
	case errors.Is(err, pgx.ErrNoRows):
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case errors.As(err, &connect): // also when it is the server that refused
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	case errors.As(err, &pg):
		return translateServer(pg, err)
	case pgconn.SafeToRetry(err), brokenConnection(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", ErrBusy, err) // the transaction's own deadline: the client's ended at the gate
	}
	return err
}

func translateServer(pg *pgconn.PgError, err error) error {
	switch {
	case pgerrcode.IsIntegrityConstraintViolation(pg.Code):
		conflict := pg.Code == pgerrcode.UniqueViolation || pg.Code == pgerrcode.ExclusionViolation
		return &ConstraintError{Constraint: pg.ConstraintName, Conflict: conflict, err: err}
	case pgerrcode.IsDataException(pg.Code):
		return &ValueError{err: err}
	case transientCode(pg.Code), pg.Code == pgerrcode.LockNotAvailable, pg.Code == pgerrcode.QueryCanceled:
		return fmt.Errorf("%w: %w", ErrBusy, err)
	case pgerrcode.IsConnectionException(pg.Code), pgerrcode.IsOperatorIntervention(pg.Code), pgerrcode.IsInsufficientResources(pg.Code),
		pg.Code == pgerrcode.IdleInTransactionSessionTimeout, // this program was stopped for so long that the server gave it up
		pg.Code == pgerrcode.ReadOnlySQLTransaction:          // a standby that is not yet, or no longer, the primary
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// brokenConnection reports whether the connection ended without a word from the server.
func brokenConnection(err error) bool {
	var network net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.As(err, &network) && !network.Timeout()
}

// endedConnection reports whether the server ended the connection, with a word or without.
func endedConnection(err error) bool {
	return brokenConnection(err) || pgconn.SafeToRetry(err) || hasCode(err, pgerrcode.AdminShutdown) || hasCode(err, pgerrcode.CrashShutdown)
}

// transient reports whether the same work may succeed when it is run again.
func transient(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && transientCode(pg.Code)
}

func transientCode(code string) bool {
	return code == pgerrcode.SerializationFailure || code == pgerrcode.DeadlockDetected
}

// IsLockTimeout reports whether a statement gave up waiting for a row that somebody else holds.
func IsLockTimeout(err error) bool { return hasCode(err, pgerrcode.LockNotAvailable) }
