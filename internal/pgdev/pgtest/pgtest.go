// Package pgtest gives each test a PostgreSQL database of its own, cloned from one to which the migrations were applied once.
//
// The server is, in this order: the one TEST_DATABASE_URL names, for tests alone, since its roles kakeai_owner and kakeai_app
// get other passwords; a container; a server started from programs on this machine. `make test` starts one for all packages.
// A single package's tests start their own:
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
package pgtest

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"
)

// oddTimeZone is 5 h 45 min from UTC, and never the time zone of the one who wrote the test.
const oddTimeZone = "Asia/Kathmandu"

// keepVariable keeps the databases of failed tests, on a server that outlives the tests.
const keepVariable = "KAKEAI_KEEP_TEST_DATABASES"

const dropTimeout = 30 * time.Second

// Database is one test's own.
type Database struct {
	OwnerURL string        // as kakeai_owner, who owns the tables and passes row-level security
	AppURL   string        // as kakeai_app, as the program signs in
	Owner    *pgxpool.Pool // a small pool on OwnerURL
}

// New gives a test a database with all migrations applied and no rows but theirs. It is dropped when the test ends,
// with whatever connections are still open.
func New(t testing.TB) *Database {
	t.Helper()
	return create(t, (*catalog).clone)
}

// NewEmpty gives a test a database without migrations.
func NewEmpty(t testing.TB) *Database {
	t.Helper()
	return create(t, (*catalog).empty)
}

func create(t testing.TB, clone func(*catalog, context.Context) (string, error)) *Database {
	t.Helper()
	c, err := process.catalog()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	name, err := clone(c, t.Context())
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	database := &Database{OwnerURL: c.url(ownerRole, name), AppURL: c.url(appRole, name)}
	t.Cleanup(func() {
		if database.Owner != nil {
			database.Owner.Close()
		}
		if t.Failed() && os.Getenv(keepVariable) != "" {
			t.Logf("kept for inspection: %s", database.OwnerURL)
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), dropTimeout)
		defer cancel()
		if err := c.drop(ctx, name); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	config, err := pgxpool.ParseConfig(database.OwnerURL)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	config.MaxConns = 4
	if database.Owner, err = pgxpool.NewWithConfig(context.Background(), config); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return database
}

// Main runs a package's tests, ends the server they needed, fails if a goroutine is left over, and exits.
func Main(m *testing.M, options ...goleak.Option) {
	process.underMain.Store(true)
	code := m.Run()
	if err := process.end(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	if code == 0 {
		if err := goleak.Find(options...); err != nil {
			fmt.Fprintln(os.Stderr, "pgtest:", err)
			code = 1
		}
	}
	os.Exit(code)
}
