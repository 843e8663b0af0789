package db_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// bundle is what a test gets: a store as the program has it, the owner's way around it, and one organisation with two objectives.
type bundle struct {
	*pgtest.Database
	store      *db.Store
	scope      db.Scope
	user       uuid.UUID
	objectives [2]uuid.UUID
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{Database: pgtest.New(t), user: db.NewID(), objectives: [2]uuid.UUID{db.NewID(), db.NewID()}}
	b.store = open(t, b.AppURL, db.Options{})
	b.scope = db.Scope{Organization: db.NewID()}
	cycle := db.NewID()
	var rows pgx.Batch
	rows.Queue("INSERT INTO organizations (id, name) VALUES ($1, 'Nagoya Works')", b.scope.Organization)
	rows.Queue("INSERT INTO users (id, email, name) VALUES ($1, 'aoi@example.com', 'Aoi')", b.user)
	rows.Queue("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.scope.Organization, b.user)
	rows.Queue("INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, changed_by) VALUES ($1, $2, 'Q4', '2026-10-01', '2026-12-31', $3)", b.scope.Organization, cycle, b.user)
	for _, id := range b.objectives {
		rows.Queue("INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, created_by, changed_by) VALUES ($1, $2, $3, $4, 'Keep customers', $4, $4)",
			b.scope.Organization, id, cycle, b.user)
	}
	if err := b.Owner.SendBatch(t.Context(), &rows).Close(); err != nil {
		t.Fatal(err)
	}
	return b
}

func open(t *testing.T, url string, o db.Options) *db.Store {
	t.Helper()
	store, err := db.Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	return store
}

// rename is an edit of one of the bundle's objectives, made from a revision.
func (b bundle) rename(objective int, revision int64, title string) db.Work {
	return func(ctx context.Context, q *db.Queries) error {
		_, err := q.UpdateObjectiveIfRevision(ctx, db.UpdateObjectiveIfRevisionParams{OrganizationID: b.scope.Organization, ID: b.objectives[objective],
			Revision: revision, ActorID: b.user, SetTitle: true, Title: title})
		return err
	}
}

// title is what the database holds, as the owner sees it.
func (b bundle) title(t *testing.T, objective int) (title string, revision int64) {
	t.Helper()
	err := b.Owner.QueryRow(context.WithoutCancel(t.Context()), "SELECT title, revision FROM objectives WHERE id = $1", b.objectives[objective]).Scan(&title, &revision)
	if err != nil {
		t.Fatal(err)
	}
	return title, revision
}

func TestOneOfManyWritersWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const writers = 50
	var won, lost atomic.Int32
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			switch err := b.store.Write(t.Context(), b.scope, b.rename(0, 1, "Delight customers")); {
			case err == nil:
				won.Add(1)
			case errors.Is(err, db.ErrNotFound):
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || lost.Load() != writers-1 {
		t.Fatalf("%d won and %d lost, want 1 and %d", won.Load(), lost.Load(), writers-1)
	}
	if _, revision := b.title(t, 0); revision != 2 {
		t.Fatalf("revision %d, want 2", revision)
	}
}

func TestWritersOfDifferentEntitiesDoNotWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inside, leave := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		err := b.store.Write(t.Context(), b.scope, func(ctx context.Context, q *db.Queries) error {
			if err := b.rename(0, 1, "First")(ctx, q); err != nil {
				return err
			}
			close(inside)
			<-leave // only a test may wait inside a transaction
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-inside
	if err := b.store.Write(t.Context(), b.scope, b.rename(1, 1, "Second")); err != nil {
		t.Error(err)
	}
	close(leave)
	wg.Wait()
}

func TestNestingIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	outer := map[string]func(db.Work) error{
		"read":   func(w db.Work) error { return b.store.Read(t.Context(), b.scope, w) },
		"write":  func(w db.Work) error { return b.store.Write(t.Context(), b.scope, w) },
		"system": func(w db.Work) error { return b.store.System(t.Context(), db.Normal, w) },
	}
	nothing := func(context.Context, *db.Queries) error { return nil }
	for name, begin := range outer {
		t.Run(name, func(t *testing.T) {
			err := begin(func(ctx context.Context, _ *db.Queries) error {
				for _, inner := range []error{b.store.Read(ctx, b.scope, nothing), b.store.Write(ctx, b.scope, nothing), b.store.System(ctx, db.Normal, nothing), b.store.SystemWrite(ctx, db.Normal, nothing)} {
					if !errors.Is(inner, db.ErrNested) {
						t.Errorf("got %v, want %v", inner, db.ErrNested)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestNoOrganisationNoTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	nothing := func(context.Context, *db.Queries) error { return nil }
	for _, err := range []error{b.store.Read(t.Context(), db.Scope{}, nothing), b.store.Write(t.Context(), db.Scope{}, nothing)} {
		if !errors.Is(err, db.ErrNoOrganization) {
			t.Errorf("got %v, want %v", err, db.ErrNoOrganization)
		}
	}
}

func TestClientThatHangsUpDoesNotUndoACommit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, hangUp := context.WithCancel(t.Context())
	err := b.store.Write(ctx, b.scope, func(ctx context.Context, q *db.Queries) error {
		hangUp()
		return b.rename(0, 1, "Still here")(ctx, q)
	})
	if err != nil {
		t.Fatal(err)
	}
	if title, _ := b.title(t, 0); title != "Still here" {
		t.Fatalf("the title is %q", title)
	}
	if open, used := b.store.Connections(); used != 0 || open == 0 {
		t.Fatalf("%d connections open and %d used, want some and none: the hang-up cost one", open, used)
	}
}

func TestFailedWorkLeavesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sorry := errors.New("changed my mind")
	err := b.store.Write(t.Context(), b.scope, func(ctx context.Context, q *db.Queries) error {
		if err := b.rename(0, 1, "Half done")(ctx, q); err != nil {
			return err
		}
		return sorry
	})
	if !errors.Is(err, sorry) {
		t.Fatalf("got %v, want %v", err, sorry)
	}
	if title, revision := b.title(t, 0); title != "Keep customers" || revision != 1 {
		t.Fatalf("%q at revision %d", title, revision)
	}
}

// Two writers take the same two rows in opposite orders. PostgreSQL ends one of them, and it runs again.
func TestDeadlockIsRunAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var met sync.WaitGroup
	met.Add(2)
	var runs atomic.Int32
	cross := func(first, second int) error {
		var once sync.Once
		return b.store.Write(t.Context(), b.scope, func(ctx context.Context, q *db.Queries) error {
			runs.Add(1)
			if err := b.touch(ctx, q, first); err != nil {
				return err
			}
			once.Do(func() { met.Done(); met.Wait() })
			return b.touch(ctx, q, second)
		})
	}
	var wg sync.WaitGroup
	wg.Go(func() { assertNoError(t, cross(0, 1)) })
	wg.Go(func() { assertNoError(t, cross(1, 0)) })
	wg.Wait()
	if runs.Load() < 3 {
		t.Fatalf("%d runs: nothing was run again, so this test saw no deadlock", runs.Load())
	}
	for objective := range b.objectives {
		if _, revision := b.title(t, objective); revision != 3 {
			t.Errorf("objective %d is at revision %d, want 3", objective, revision)
		}
	}
}

// touch raises an objective's revision, whatever it is.
func (b bundle) touch(ctx context.Context, q *db.Queries, objective int) error {
	var err error
	for revision := int64(1); revision < 5; revision++ {
		if err = b.rename(objective, revision, "Touched")(ctx, q); !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
	}
	return err
}

func assertNoError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

func TestRowHeldTooLongIsBusy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	holder, err := b.Owner.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := holder.Exec(t.Context(), "SELECT FROM objectives WHERE id = $1 FOR UPDATE", b.objectives[0]); err != nil {
		t.Fatal(err)
	}
	err = b.store.Write(t.Context(), b.scope, b.rename(0, 1, "Waiting"))
	if !errors.Is(err, db.ErrBusy) || !db.IsLockTimeout(err) {
		t.Fatalf("got %v, want %v by a lock timeout", err, db.ErrBusy)
	}
}

func TestFullGateRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store := open(t, b.AppURL, db.Options{MaxConnections: 2, Reserve: 1, Patience: 50 * time.Millisecond})
	err := store.Read(t.Context(), b.scope, func(ctx context.Context, _ *db.Queries) error {
		other := context.WithoutCancel(t.Context()) // another request: not inside this transaction
		if err := store.Read(other, b.scope, nil); !errors.Is(err, db.ErrOverloaded) {
			t.Errorf("got %v, want %v", err, db.ErrOverloaded)
		}
		gone, leave := context.WithCancel(other)
		leave()
		if err := store.Read(gone, b.scope, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
		critical := db.Scope{Organization: b.scope.Organization, Class: db.Critical}
		return store.Read(other, critical, func(context.Context, *db.Queries) error { return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRaisedFenceStopsWrites(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn := connect(t, b.OwnerURL)
	if err := b.store.Write(t.Context(), b.scope, b.rename(0, 1, "In time")); err != nil {
		t.Fatal(err)
	}
	if err := db.RaiseFence(t.Context(), conn, db.Release+1); err != nil {
		t.Fatal(err)
	}
	if err := b.store.Write(t.Context(), b.scope, b.rename(0, 2, "Too late")); !errors.Is(err, db.ErrFenced) {
		t.Fatalf("got %v, want %v", err, db.ErrFenced)
	}
	if err := b.store.SystemWrite(t.Context(), db.Normal, nil); !errors.Is(err, db.ErrFenced) {
		t.Fatalf("got %v, want %v", err, db.ErrFenced)
	}
	if err := b.store.Read(t.Context(), b.scope, func(context.Context, *db.Queries) error { return nil }); err != nil {
		t.Fatalf("reading goes on: %v", err)
	}
	newer := open(t, b.AppURL, db.Options{Release: db.Release + 1})
	if err := newer.Write(t.Context(), b.scope, b.rename(0, 2, "The newer one may")); err != nil {
		t.Fatal(err)
	}
}

// When RaiseFence has returned, nothing of an older release commits any more, however many were writing.
func TestFenceWaitsForRunningWrites(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn := connect(t, b.OwnerURL)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var raised atomic.Bool
	var late, committed atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for ctx.Err() == nil {
				before := raised.Load() // if the fence was up before this began, it must not commit
				err := b.store.Write(ctx, b.scope, b.addEvent)
				switch {
				case err == nil && before:
					late.Add(1)
				case err == nil:
					committed.Add(1)
				case errors.Is(err, db.ErrFenced):
					return
				}
			}
		})
	}
	for committed.Load() < 20 {
		time.Sleep(time.Millisecond)
	}
	if err := db.RaiseFence(t.Context(), conn, db.Release+1); err != nil {
		t.Fatal(err)
	}
	raised.Store(true)
	standing := b.events(t)
	wg.Wait()
	if after := b.events(t); after != standing || late.Load() > 0 {
		t.Fatalf("%d events when the fence was up and %d later; %d writes began later and committed", standing, after, late.Load())
	}
}

func (b bundle) events(t *testing.T) (count int) {
	t.Helper()
	if err := b.Owner.QueryRow(t.Context(), "SELECT count(*) FROM audit_events").Scan(&count); err != nil {
		t.Fatal(err)
	}
	return count
}

func (b bundle) addEvent(ctx context.Context, q *db.Queries) error {
	return q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: b.scope.Organization, EventID: db.NewID(), Action: "test", TargetKind: "test", TargetID: b.user, Detail: []byte("{}")})
}

func TestModesStopWritesAndSayWhy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for mode, want := range map[string]error{"read_only": db.ErrReadOnly, "maintenance": db.ErrMaintenance} {
		if _, err := b.Owner.Exec(t.Context(), "UPDATE runtime_state SET mode = $1", mode); err != nil {
			t.Fatal(err)
		}
		if err := b.store.Write(t.Context(), b.scope, b.rename(0, 1, "Not now")); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", mode, err, want)
		}
	}
}

func TestUnboundLoginsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store, err := db.Open(t.Context(), b.OwnerURL, db.Options{})
	if err == nil {
		store.Close()
		t.Fatal("the owner of the tables was let in")
	}
	if !strings.Contains(err.Error(), "kakeai_app") {
		t.Fatalf("the error does not say what to use: %v", err)
	}
}

func TestMalformedAddressKeepsItsPassword(t *testing.T) {
	t.Parallel()
	_, err := db.Open(t.Context(), "postgres://kakeai_app:hunter2@[::1/kakeai", db.Options{})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Fatalf("got %v", err)
	}
}

func TestNotificationsArrive(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, stop := context.WithCancel(t.Context())
	ready, woken := make(chan struct{}), make(chan struct{}, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		err := b.store.Listen(ctx, "test_channel", func() { close(ready) }, func() { woken <- struct{}{} })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
	})
	<-ready
	assertNoError(t, b.store.Notify(t.Context(), "test_channel"))
	<-woken
	stop()
	wg.Wait()
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}
