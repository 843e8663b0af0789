package pgtest_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// childVariable makes this test binary one of several that share a server: only TestChild runs.
const childVariable = "PGTEST_TEST_CHILD"

func TestMain(m *testing.M) { pgtest.Main(m) }

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// name is the database's name.
func name(t *testing.T, database *pgtest.Database) string {
	t.Helper()
	u, err := url.Parse(database.OwnerURL)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}

func TestDatabasesAreSeparateAndDropped(t *testing.T) {
	t.Parallel()
	outside := pgtest.New(t)
	names := make(chan string, 6)
	t.Run("many", func(t *testing.T) {
		for range cap(names) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				database := pgtest.New(t)
				names <- name(t, database)
				if _, err := database.Owner.Exec(t.Context(), "CREATE TABLE the_only_one (id int)"); err != nil {
					t.Error(err)
				}
				connect(t, database.AppURL) // still open when the database is dropped
			})
		}
	})
	close(names)
	seen := map[string]bool{}
	for name := range names {
		if seen[name] {
			t.Errorf("%s was given to two tests", name)
		}
		seen[name] = true
		var left bool
		if err := outside.Owner.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&left); err != nil {
			t.Fatal(err)
		}
		if left {
			t.Errorf("%s is left after its test", name)
		}
	}
}

func TestTimeZoneIsOdd(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	for _, url := range []string{database.OwnerURL, database.AppURL} {
		var zone string
		if err := connect(t, url).QueryRow(t.Context(), "SHOW timezone").Scan(&zone); err != nil {
			t.Fatal(err)
		}
		if zone != "Asia/Kathmandu" {
			t.Errorf("time zone %s", zone)
		}
	}
}

// Tests of row-level security prove something only if it holds for kakeai_app, and with the owner as positive control.
func TestRowLevelSecurityBites(t *testing.T) {
	t.Parallel()
	database := pgtest.NewEmpty(t)
	_, err := database.Owner.Exec(t.Context(), `
		CREATE TABLE secrets AS SELECT 1 AS id;
		ALTER TABLE secrets ENABLE ROW LEVEL SECURITY;
		GRANT SELECT ON secrets TO kakeai_app;`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		url  string
		want int
	}{{database.OwnerURL, 1}, {database.AppURL, 0}} {
		var got int
		if err := connect(t, c.url).QueryRow(t.Context(), "SELECT count(*) FROM secrets").Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%d rows, want %d", got, c.want)
		}
	}
	app := connect(t, database.AppURL)
	for _, escape := range []string{"SET ROLE kakeai_owner", "ALTER TABLE secrets DISABLE ROW LEVEL SECURITY", "CREATE TABLE mine (id int)"} {
		_, err := app.Exec(t.Context(), escape)
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || pg.Code != "42501" {
			t.Errorf("%s: %v, want it refused", escape, err)
		}
	}
}

// Test processes that start at once on a new server, with a login that is no superuser, agree on who makes the template.
func TestProcessesShareAServer(t *testing.T) {
	t.Parallel()
	if os.Getenv(childVariable) != "" {
		t.Skip("this is one of them")
	}
	server, err := pgdev.Start(t.Context(), pgdev.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	// Only who made the roles may grant them, from version 16 on, so the login makes them itself.
	super := connect(t, server.SuperuserURL)
	for _, statement := range []string{
		"DROP DATABASE kakeai", "DROP ROLE kakeai_app", "DROP ROLE kakeai_owner",
		"CREATE ROLE maker LOGIN CREATEDB CREATEROLE PASSWORD 'maker'",
	} {
		if _, err := super.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	address, err := url.Parse(server.SuperuserURL)
	if err != nil {
		t.Fatal(err)
	}
	address.User = url.UserPassword("maker", "maker")
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var processes sync.WaitGroup
	for range 4 {
		processes.Go(func() {
			child := exec.Command(binary, "-test.run=TestChild$", "-test.v")
			child.Env = append(os.Environ(), childVariable+"=1", pgtest.URLVariable+"="+address.String())
			output, err := child.CombinedOutput()
			if err != nil || !strings.Contains(string(output), "--- PASS: TestChild") {
				t.Errorf("%v: %s", err, output)
			}
		})
	}
	processes.Wait()
	rows, err := super.Query(t.Context(), "SELECT datname FROM pg_database WHERE datname LIKE 'kakeai%'")
	if err != nil {
		t.Fatal(err)
	}
	left, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 || left[0] != "kakeai_test_"+db.MigrationsHash() {
		t.Errorf("left are %v, want one template", left)
	}
}

func TestChild(t *testing.T) {
	t.Parallel()
	if os.Getenv(childVariable) == "" {
		t.Skip("for TestProcessesShareAServer")
	}
	for range 3 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			database := pgtest.New(t)
			for _, url := range []string{database.OwnerURL, database.AppURL} {
				if _, err := connect(t, url).Exec(t.Context(), "SELECT 1"); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		pgtest.New(b)
	}
}
