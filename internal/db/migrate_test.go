package db_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var discard = slog.New(slog.DiscardHandler)

// files are migrations with the versions 1, 2, …
func files(statements ...string) fstest.MapFS {
	all := fstest.MapFS{}
	for i, statement := range statements {
		all[fmt.Sprintf("%d_test.sql", i+1)] = &fstest.MapFile{Data: []byte("-- migrate:up" + statement + "\n-- migrate:down\n")}
	}
	return all
}

func migrate(ctx context.Context, url string, migrations fstest.MapFS) error {
	return db.MigrateFrom(ctx, url, migrations, discard, time.Minute)
}

// exists reports whether a table of the schema public exists.
func exists(t *testing.T, database *pgtest.Database, table string) bool {
	t.Helper()
	var found bool
	if err := database.Owner.QueryRow(t.Context(), "SELECT to_regclass('public.' || $1) IS NOT NULL", table).Scan(&found); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestManyMigrateAtOnce(t *testing.T) {
	t.Parallel()
	database := pgtest.NewEmpty(t)
	// The index is built outside a transaction and waits for every snapshot in the database, so programs that wait for
	// their turn must hold none.
	migrations := files(
		"\nCREATE TABLE things (id int); INSERT INTO things VALUES (1);",
		"\nINSERT INTO things VALUES (2); SELECT pg_sleep(0.3);",
		" transaction:false\nCREATE INDEX CONCURRENTLY things_id ON things (id);",
	)
	var programs sync.WaitGroup
	for range 8 {
		programs.Go(func() {
			if err := migrate(t.Context(), database.OwnerURL, migrations); err != nil {
				t.Error(err)
			}
		})
	}
	programs.Wait()
	var things, versions int
	err := database.Owner.QueryRow(t.Context(), "SELECT (SELECT count(*) FROM things), (SELECT count(*) FROM schema_migrations)").Scan(&things, &versions)
	if err != nil {
		t.Fatal(err)
	}
	if things != 2 || versions != 3 {
		t.Fatalf("%d rows and %d versions, want 2 and 3: each migration applied once", things, versions)
	}
}

func TestMigrateGivesUpWaiting(t *testing.T) {
	t.Parallel()
	database := pgtest.NewEmpty(t)
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		done <- migrate(ctx, database.OwnerURL, files("\nCREATE TABLE things (id int); SELECT pg_sleep(60);"))
	}()
	for busy := false; !busy; {
		select {
		case err := <-done:
			t.Fatalf("ended early: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
		err := database.Owner.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep')").Scan(&busy)
		if err != nil {
			t.Fatal(err)
		}
	}
	err := db.MigrateFrom(t.Context(), database.OwnerURL, files("\nSELECT 1;"), discard, 200*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "another program has been migrating this database for more than 200ms") {
		t.Errorf("got %v, want to be told that another program is migrating", err)
	}

	// A cancelled migration does not go on in the server, and leaves nothing.
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the migration goes on after its context has ended")
	}
	if exists(t, database, "things") {
		t.Error("a cancelled migration left its table")
	}
	if err := migrate(t.Context(), database.OwnerURL, files("\nCREATE TABLE things (id int);")); err != nil {
		t.Errorf("after a cancelled one: %v", err)
	}
}

func TestFailedMigrationIsRolledBackAndLocated(t *testing.T) {
	t.Parallel()
	database := pgtest.NewEmpty(t)
	err := migrate(t.Context(), database.OwnerURL, files("\nCREATE TABLE first (id int);", "\nCREATE TABLE second (id int);\nCREATE TABLE third (id nonsense);"))
	if err == nil || !strings.Contains(err.Error(), "line: 3") || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("got %v, want line 3 of the migration and the server's reason", err)
	}
	if !exists(t, database, "first") || exists(t, database, "second") {
		t.Error("want the first migration applied and nothing of the second")
	}
}

// What a pool's or a cluster's URL may hold, migrating understands too.
func TestMigrateUnderstandsPoolURLs(t *testing.T) {
	t.Parallel()
	database := pgtest.NewEmpty(t)
	address := database.OwnerURL + "&pool_max_conns=3&target_session_attrs=read-write"
	host := strings.SplitN(strings.SplitN(address, "@", 2)[1], "/", 2)[0]
	address = strings.Replace(address, host, host+","+host, 1)
	if err := migrate(t.Context(), address, files("\nCREATE TABLE things (id int);")); err != nil {
		t.Fatal(err)
	}
	if !exists(t, database, "things") {
		t.Error("nothing was migrated")
	}
}

func TestMigrationsApplyAndAreOwned(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	if err := db.Migrate(t.Context(), database.OwnerURL, discard); err != nil {
		t.Fatalf("again: %v", err)
	}
	app, err := pgx.Connect(t.Context(), database.AppURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = app.Close(context.WithoutCancel(t.Context())) }()
	var owned int
	err = app.QueryRow(t.Context(), "SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole").Scan(&owned)
	if err != nil {
		t.Fatal(err)
	}
	if owned != 0 {
		t.Errorf("kakeai_app owns %d relations", owned)
	}
	if err := db.Migrate(t.Context(), database.AppURL, discard); err == nil {
		t.Error("kakeai_app may migrate")
	}
}
