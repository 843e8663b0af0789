package db

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"time"

	"github.com/amacneil/dbmate/v2/pkg/dbmate"
	"github.com/amacneil/dbmate/v2/pkg/driver/postgres"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/kakeai/kakeai/sql/schema"
)

const (
	migrateLock      = 0x6b616d69      // advisory lock of the one who migrates
	migrateWait      = 5 * time.Minute // for another who does
	migrateLockPause = 100 * time.Millisecond
	cancelTimeout    = 5 * time.Second
)

// Migrate applies the migrations that the database lacks, as the owner, each in a transaction unless it says otherwise.
// Any number of programs may call it at once: one migrates and the others wait. It needs a session to itself, so the URL
// must not lead through a pooler in transaction mode. When ctx ends, the migration under way is cancelled and rolled back.
func Migrate(ctx context.Context, ownerURL string, log *slog.Logger) error {
	return migrateFrom(ctx, ownerURL, schema.Migrations, log, migrateWait)
}

// MigrationsHash is the same for two builds exactly if their migrations are.
func MigrationsHash() string {
	hash := sha256.New()
	names, err := fs.Glob(schema.Migrations, "*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, name := range names {
		content, err := schema.Migrations.ReadFile(name)
		if err != nil {
			panic(err) // it was compiled in
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(content), content)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

func migrateFrom(ctx context.Context, ownerURL string, migrations fs.FS, log *slog.Logger, wait time.Duration) error {
	pool, err := pgxpool.ParseConfig(ownerURL) // for the parameters that only a pool understands
	if err != nil {
		return fmt.Errorf("db: migrate: %w", err)
	}
	config := pool.ConnConfig
	// A migration takes the time it takes; what an operator has set for the application's statements is not meant for it.
	config.RuntimeParams["application_name"] = "kakeai migrate"
	config.RuntimeParams["statement_timeout"] = "0"
	config.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("db: migrate: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // which gives the lock back
	if err := lockMigrations(ctx, conn, log, wait); err != nil {
		return fmt.Errorf("db: migrate: %w", err)
	}
	if err := applyMigrations(ctx, config, migrations, log); err != nil {
		return fmt.Errorf("db: migrate: %w", errors.Join(err, ctx.Err()))
	}
	return nil
}

// lockMigrations asks again and again instead of waiting inside the server: a waiting statement holds a snapshot, and a
// migration that creates an index concurrently would wait for that snapshot while it is itself waited for.
func lockMigrations(ctx context.Context, conn *pgx.Conn, log *slog.Logger, wait time.Duration) error {
	for begun, told := time.Now(), false; ; {
		var locked bool
		if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", migrateLock).Scan(&locked); err != nil {
			return err
		}
		if locked {
			return nil
		}
		if time.Since(begun) > wait {
			return fmt.Errorf("another program has been migrating this database for more than %s", wait)
		}
		if !told {
			log.Info("waiting for another program that is migrating this database")
			told = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(migrateLockPause):
		}
	}
}

// dbmate looks drivers up by a URL's scheme in a list of its own, which is complete before main begins.
func init() { dbmate.RegisterDriver(newMigrateDriver, migrateScheme) }

const migrateScheme = "kakeai-pgx"

var errMigrated = errors.New("migrations applied")

// applyMigrations runs dbmate over pgx instead of the lib/pq it brings, so that a URL means the same here as everywhere else
// in the program: several hosts, TLS by preference, the pool's own parameters.
func applyMigrations(ctx context.Context, config *pgx.ConnConfig, migrations fs.FS, log *slog.Logger) error {
	ctx, finish := context.WithCancelCause(ctx)
	defer finish(errMigrated)
	config = config.Copy()
	config.AfterConnect = func(_ context.Context, conn *pgconn.PgConn) error {
		// dbmate knows no context: a cancelled one has to reach the server, and then also stop what dbmate would do next.
		context.AfterFunc(ctx, func() {
			if errors.Is(context.Cause(ctx), errMigrated) {
				return
			}
			cancelling, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
			defer cancel()
			_ = conn.CancelRequest(cancelling)
			_ = conn.Conn().SetDeadline(time.Now().Add(time.Second)) // for the server's answer
		})
		return ctx.Err()
	}
	key := stdlib.RegisterConnConfig(config)
	defer stdlib.UnregisterConnConfig(key)

	migrate := dbmate.New(&url.URL{Scheme: migrateScheme, Opaque: key})
	migrate.AutoDumpSchema = false
	migrate.FS = migrations
	migrate.MigrationsDir = []string{"."}
	migrate.MigrationsTableName = "public.schema_migrations"
	migrate.Log = migrateLog{log}
	return migrate.Migrate()
}

// migrateDriver is dbmate's own for PostgreSQL, but for how it connects and for the type of its errors.
type migrateDriver struct {
	dbmate.Driver
	key string
}

func newMigrateDriver(config dbmate.DriverConfig) dbmate.Driver {
	return migrateDriver{Driver: postgres.NewDriver(config), key: config.DatabaseURL.Opaque}
}

func (d migrateDriver) Open() (*sql.DB, error) { return sql.Open("pgx", d.key) }

// QueryError says where in a migration the server found the fault.
func (d migrateDriver) QueryError(query string, err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	return &dbmate.QueryError{Err: err, Query: query, Position: int(pg.Position)}
}

// migrateLog passes on which migration is applied. dbmate also prints "Applied", but of those that failed too.
type migrateLog struct{ log *slog.Logger }

func (l migrateLog) Write(line []byte) (int, error) {
	if name, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("Applying: ")); ok {
		l.log.Info("applying migration", "file", string(name))
	}
	return len(line), nil
}
