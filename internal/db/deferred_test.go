package db_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// deferring is a runner, and a context in a scope of it that has been closed, so that whatever is handed over runs.
func deferring(t *testing.T) (*background.Runner, context.Context) {
	t.Helper()
	r := background.NewRunner(slog.New(slog.DiscardHandler), background.Options{})
	ctx, scope := r.Open(t.Context(), slog.Attr{})
	scope.Close()
	return r, ctx
}

const deferredName = "test"

// became is what has become of the work that a test deferred, once all of it has ended.
func became(t *testing.T, r *background.Runner) background.Count {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := r.Drain(ctx); err != nil {
		t.Error(err)
	}
	if tasks := r.Stats().Tasks; tasks != 0 {
		t.Errorf("%d tasks take up room for ever", tasks)
	}
	return r.Stats().ByName[deferredName]
}

func expect(t *testing.T, got, want background.Count) {
	t.Helper()
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Work that is deferred in a transaction runs after its commit, and sees it.
func TestDeferredWorkRunsAfterTheCommit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, within := range map[string]func(context.Context, db.Work) error{
		"read":         func(ctx context.Context, w db.Work) error { return b.store.Read(ctx, b.scope, w) },
		"write":        func(ctx context.Context, w db.Work) error { return b.store.Write(ctx, b.scope, w) },
		"system":       func(ctx context.Context, w db.Work) error { return b.store.System(ctx, db.Critical, w) },
		"system write": func(ctx context.Context, w db.Work) error { return b.store.SystemWrite(ctx, db.Normal, w) },
		"whole": func(ctx context.Context, w db.Work) error {
			return db.ChangeWhole(ctx, b.OwnerURL, b.scope.Organization, db.WholeOptions{}, func(ctx context.Context, tx pgx.Tx) error { return w(ctx, db.New(tx)) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, ctx := deferring(t)
			err := within(ctx, func(ctx context.Context, q *db.Queries) error {
				if name == "write" {
					if err := b.rename(0, 1, "Delight customers")(ctx, q); err != nil {
						return err
					}
				}
				background.Defer(ctx, deferredName, func(ctx context.Context) error {
					if title, _ := b.title(t, 0); name == "write" && title != "Delight customers" {
						t.Errorf("the title is still %q", title)
					}
					return b.store.Read(ctx, b.scope, func(context.Context, *db.Queries) error { return nil }) // in no transaction any more
				})
				if started := r.Stats().ByName[deferredName].Started; started != 0 {
					t.Error("it ran inside the transaction")
				}
				return nil
			})
			assertNoError(t, err)
			expect(t, became(t, r), background.Count{Deferred: 1, Started: 1, Done: 1})
		})
	}
}

func TestDeferredWorkIsWithdrawnWithItsTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	later := func(ctx context.Context) {
		background.Defer(ctx, deferredName, func(context.Context) error { return errors.New("this must not run") })
	}
	sorry := errors.New("changed my mind")
	t.Run("rolled back", func(t *testing.T) {
		r, ctx := deferring(t)
		err := b.store.Write(ctx, b.scope, func(ctx context.Context, _ *db.Queries) error {
			later(ctx)
			return sorry
		})
		if !errors.Is(err, sorry) {
			t.Error(err)
		}
		expect(t, became(t, r), background.Count{Deferred: 1, Withdrawn: 1})
	})
	t.Run("whole, rolled back", func(t *testing.T) {
		r, ctx := deferring(t)
		err := db.ChangeWhole(ctx, b.OwnerURL, b.scope.Organization, db.WholeOptions{}, func(ctx context.Context, _ pgx.Tx) error {
			later(ctx)
			return sorry
		})
		if !errors.Is(err, sorry) {
			t.Error(err)
		}
		expect(t, became(t, r), background.Count{Deferred: 1, Withdrawn: 1})
	})
	t.Run("panicked", func(t *testing.T) {
		r, ctx := deferring(t)
		func() {
			defer func() { _ = recover() }()
			_ = b.store.Write(ctx, b.scope, func(ctx context.Context, _ *db.Queries) error {
				later(ctx)
				panic("in the middle")
			})
		}()
		expect(t, became(t, r), background.Count{Deferred: 1, Withdrawn: 1})
	})
}

// Each attempt defers for itself, and only that which commits counts.
func TestDeferredWorkOfAnAttemptIsWithdrawnWithIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r, ctx := deferring(t)
	attempts := 0
	err := b.store.Write(ctx, b.scope, func(ctx context.Context, _ *db.Queries) error {
		attempts++
		attempt := attempts
		background.Defer(ctx, deferredName, func(context.Context) error {
			if attempt != 3 {
				t.Errorf("what attempt %d deferred ran", attempt)
			}
			return nil
		})
		if attempt < 3 {
			return &pgconn.PgError{Code: pgerrcode.SerializationFailure}
		}
		return nil
	})
	assertNoError(t, err)
	expect(t, became(t, r), background.Count{Deferred: 3, Withdrawn: 2, Started: 1, Done: 1})
}

// Where the connection breaks at the commit, nobody knows whether it took place.
func TestDeferredWorkIsDroppedWhereTheCommitIsUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proxy := pgtest.NewProxy(t, b.AppURL)
	store := open(t, proxy.URL(b.AppURL), db.Options{})
	r, ctx := deferring(t)
	err := store.Write(ctx, b.scope, func(ctx context.Context, q *db.Queries) error {
		background.Defer(ctx, deferredName, func(context.Context) error { return errors.New("this must not run") })
		err := b.rename(0, 1, "Who knows")(ctx, q)
		proxy.Cut()
		return err
	})
	if !errors.Is(err, db.ErrUnavailable) {
		t.Error(err)
	}
	expect(t, became(t, r), background.Count{Deferred: 1, Dropped: 1})
}

// Outside any scope, what was deferred runs in place, when the transaction's only connection and its place have been given back.
func TestDeferredWorkOutsideAScopeHasAConnectionToItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store := open(t, b.AppURL, db.Options{MaxConnections: 1})
	ran := false
	err := store.Write(t.Context(), b.scope, func(ctx context.Context, _ *db.Queries) error {
		background.Defer(ctx, deferredName, func(ctx context.Context) error {
			ran = true
			err := store.Write(ctx, b.scope, b.rename(0, 1, "Afterwards"))
			assertNoError(t, err)
			return err
		})
		return nil
	})
	assertNoError(t, err)
	if !ran {
		t.Error("Write did not wait for it")
	}
}

// Nobody waits for deferred work, so it makes room for what people do. What is critical stays so.
func TestDeferredWorkIsInTheBackgroundClass(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for scope, want := range map[db.Class]db.Class{db.Normal: db.Background, db.Background: db.Background, db.Critical: db.Critical} {
		background.Defer(t.Context(), deferredName, func(ctx context.Context) error {
			err := b.store.Read(ctx, db.Scope{Organization: b.scope.Organization, Class: scope}, func(context.Context, *db.Queries) error {
				if b.store.Load(want).Running != 1 {
					t.Errorf("class %d does not run as %d", scope, want)
				}
				return nil
			})
			assertNoError(t, err)
			return err
		})
	}
}
