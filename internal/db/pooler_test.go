package db_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
)

// pooler puts PgBouncer in transaction mode before a database, with a single connection to the server that all of its clients have in turn, and returns the address through it. Tests that need it
// are skipped where the program is missing.
func pooler(t *testing.T, address string, settings ...string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skip("PgBouncer is not there (the package pgbouncer of Debian), so nothing is known of what is true behind it")
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := taken.Addr().String()
	if err := taken.Close(); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(at)
	password, _ := u.User.Password()
	name := strings.TrimPrefix(u.Path, "/")
	lines := append([]string{
		"[databases]",
		fmt.Sprintf("%s = host=%s port=%s dbname=%s user=%s password=%s", name, u.Hostname(), u.Port(), name, u.User.Username(), password),
		"[pgbouncer]",
		"listen_addr = 127.0.0.1", "listen_port = " + port, "unix_socket_dir =", "auth_type = any", "pool_mode = transaction", "default_pool_size = 1", "max_client_conn = 200",
	}, settings...)
	folder, err := os.MkdirTemp("", "kakeai-pooler-") //nolint:usetesting // another user reads it, to whom the way to the test's own is closed
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"--quiet", file}
	if os.Geteuid() == 0 { // as whom it refuses to run
		arguments = []string{"--quiet", "--user=nobody", file}
	}
	var said strings.Builder
	process := exec.CommandContext(context.WithoutCancel(t.Context()), program, arguments...)
	process.Stdout, process.Stderr = &said, &said
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Signal(syscall.SIGTERM) // twice would be a fault of its own
		_ = process.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", at)
		if err == nil {
			_ = conn.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatal("PgBouncer does not listen: ", err)
		}
	}
	u.Host = at
	return u.String()
}

// through are the ways in which a pooler takes settings that it does not know: it refuses them, or is told to pass over them.
func through() map[string][]string {
	return map[string][]string{
		"refusing what it does not know": nil,
		"passing over it":                {"ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,jit,kakeai.direct"},
	}
}

// Behind a pooler, all transactions of all processes have one connection after another. What one has set for itself is not there in the next: neither its organisation, nor who signs in.
func TestBehindAPoolerNothingIsLeftToTheNext(t *testing.T) {
	t.Parallel()
	for name, settings := range through() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			address := pooler(t, b.AppURL, settings...)
			patient := db.Options{Patience: time.Minute, Timeouts: db.Timeouts{Transaction: time.Minute, Acquire: time.Minute, Ping: time.Minute}}
			stores := []*db.Store{open(t, address, patient), open(t, address, patient)} // of two processes
			if b.store.Pooled() || !stores[0].Pooled() {
				t.Fatal("a pooler is taken for a server, or the other way round")
			}
			organizations := []uuid.UUID{b.scope.Organization, db.NewID()}
			for _, sql := range []string{"INSERT INTO organizations (id, name) VALUES ($1, 'Harbor Labs')", "INSERT INTO memberships (organization_id, user_id, role) SELECT $1, user_id, role FROM memberships"} {
				if _, err := b.Owner.Exec(t.Context(), sql, organizations[1]); err != nil {
					t.Fatal(err)
				}
			}
			sees := func(ctx context.Context, q *db.Queries, organization uuid.UUID) bool {
				_, err := q.GetAccount(ctx, db.GetAccountParams{OrganizationID: organization, UserID: b.user})
				if err != nil && !errors.Is(err, pgx.ErrNoRows) {
					t.Error(err)
				}
				return err == nil
			}
			places := func(ctx context.Context, q *db.Queries) int {
				rows, err := q.ListMembershipsForSignIn(ctx, db.ListMembershipsForSignInParams{UserID: b.user})
				if err != nil {
					t.Error(err)
				}
				return len(rows)
			}
			var all sync.WaitGroup
			for n := range 8 {
				all.Go(func() {
					for i := range 40 {
						store, mine, other := stores[n%2], organizations[(n+i)%2], organizations[(n+i+1)%2]
						work := func(ctx context.Context, q *db.Queries) error {
							if !sees(ctx, q, mine) || sees(ctx, q, other) {
								t.Error("an organisation sees another, or not itself")
							}
							return errUndone
						}
						var err error
						switch i % 4 {
						case 0:
							err = store.Read(t.Context(), db.Scope{Organization: mine}, work)
						case 1:
							err = store.Write(t.Context(), db.Scope{Organization: mine}, work)
						case 2:
							err = store.System(t.Context(), db.Critical, func(ctx context.Context, q *db.Queries) error {
								if sees(ctx, q, mine) || sees(ctx, q, other) || places(ctx, q) > 0 {
									t.Error("an organisation, or who signs in, is left from before")
								}
								return errUndone
							})
						case 3:
							err = store.System(t.Context(), db.Critical, func(ctx context.Context, q *db.Queries) error {
								if err := q.SetSigningInUser(ctx, db.SetSigningInUserParams{UserID: b.user.String()}); err != nil {
									return err
								}
								if places(ctx, q) != 2 {
									t.Error("whoever signs in does not see where they may")
								}
								return nil
							})
						}
						if err != nil && !errors.Is(err, errUndone) {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
			config, err := pgx.ParseConfig(address)
			if err != nil {
				t.Fatal(err)
			}
			config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
			raw, err := pgx.ConnectConfig(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = raw.Close(context.WithoutCancel(t.Context())) }()
			for _, setting := range []string{"kakeai.organization_id", "kakeai.signing_in_user_id"} {
				var left string
				if err := raw.QueryRow(t.Context(), "SELECT coalesce(current_setting($1, true), '')", setting).Scan(&left); err != nil || left != "" {
					t.Errorf("%s is %q: %v", setting, left, err)
				}
			}
		})
	}
}

// What bounds a transaction on the server's side bounds it behind a pooler too, which passes on nothing of what a client asks for when it connects.
func TestBehindAPoolerTransactionsAreBounded(t *testing.T) {
	t.Parallel()
	for name, settings := range through() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			store := open(t, pooler(t, b.AppURL, settings...), db.Options{Timeouts: db.Timeouts{Statement: 3210 * time.Millisecond, Lock: 321 * time.Millisecond, Idle: 32100 * time.Millisecond}})
			for setting, want := range map[string]string{"statement_timeout": "3210ms", "lock_timeout": "321ms", "idle_in_transaction_session_timeout": "32100ms", "jit": "off", "TimeZone": "UTC", "kakeai.organization_id": b.scope.Organization.String()} {
				if got, err := db.SettingWithin(t.Context(), store, b.scope, setting); err != nil || got != want {
					t.Errorf("%s is %q, want %q: %v", setting, got, want, err)
				}
			}
			held, err := b.Owner.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = held.Rollback(context.WithoutCancel(t.Context())) }()
			if _, err := held.Exec(t.Context(), "SELECT 1 FROM objectives WHERE id = $1 FOR UPDATE", b.objectives[0]); err != nil {
				t.Fatal(err)
			}
			if err := store.Write(t.Context(), b.scope, b.rename(0, 1, "Renamed")); !errors.Is(err, db.ErrBusy) {
				t.Errorf("a lock that cannot be had: %v", err)
			}
			if err := store.Write(t.Context(), b.scope, b.rename(1, 1, "Renamed")); err != nil {
				t.Error(err)
			}
			if title, _ := b.title(t, 1); title != "Renamed" {
				t.Error(title)
			}
		})
	}
}

// Notifications come to whoever listens past the pooler, whoever sends them and through what.
func TestNotificationsArePastThePooler(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store := open(t, pooler(t, b.AppURL), db.Options{ListenURL: b.AppURL})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	heard := ""
	err := store.Subscribe(ctx, "kakeai_test", func() {
		if err := store.Publish(t.Context(), "kakeai_test", "news"); err != nil {
			t.Error(err)
		}
	}, func(payload string) {
		heard = payload
		cancel()
	})
	if heard != "news" {
		t.Errorf("heard %q: %v", heard, err)
	}
}
