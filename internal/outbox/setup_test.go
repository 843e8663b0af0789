package outbox

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

func TestMain(m *testing.M) {
	if os.Getenv(processDatabase) != "" {
		runProcess()
		return
	}
	pgtest.Main(m)
}

// patience is how long a test waits for what must happen. It is no part of what is tested.
const patience = 30 * time.Second

// bundle is what a test gets: a database, a store on it as the program has it, and one organisation with one member.
type bundle struct {
	t            *testing.T
	base         *pgtest.Database
	store        *db.Store
	organization uuid.UUID
	member       uuid.UUID
}

func setup(t *testing.T) bundle {
	t.Helper()
	t.Parallel()
	base := pgtest.New(t)
	store, err := db.Open(t.Context(), base.AppURL, db.Options{Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	b := bundle{t: t, base: base, store: store, member: db.NewID()}
	b.exec("INSERT INTO users (id, email, name) VALUES ($1, 'aoi@example.com', 'Aoi')", b.member)
	b.organization = b.newOrganization()
	return b
}

func (b bundle) newOrganization() uuid.UUID {
	b.t.Helper()
	id := db.NewID()
	b.exec("INSERT INTO organizations (id, name) VALUES ($1, 'Nagoya Works')", id)
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", id, b.member)
	return id
}

// exec changes the database as its owner.
func (b bundle) exec(sql string, args ...any) {
	b.t.Helper()
	if _, err := b.base.Owner.Exec(context.Background(), sql, args...); err != nil {
		b.t.Fatalf("%s: %v", sql, err)
	}
}

// query reads one value as the database's owner.
func query[T any](b bundle, sql string, args ...any) T {
	b.t.Helper()
	rows, err := b.base.Owner.Query(context.Background(), sql, args...)
	if err != nil {
		b.t.Fatal(err)
	}
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		b.t.Fatalf("%s: %v", sql, err)
	}
	return value
}

// enqueue writes an event as the program does.
func (b bundle) enqueue(organization uuid.UUID, kind string, target uuid.UUID) uuid.UUID {
	b.t.Helper()
	err := b.store.Write(b.t.Context(), db.Scope{Organization: organization}, func(ctx context.Context, q *db.Queries) error {
		return Enqueue(ctx, q, organization, kind, target, nil)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return query[uuid.UUID](b, "SELECT id FROM outbox_events WHERE organization_id = $1 AND target_id = $2 ORDER BY created_at DESC LIMIT 1", organization, target)
}

func (b bundle) event(id uuid.UUID) db.OutboxEvent {
	b.t.Helper()
	rows, err := b.base.Owner.Query(context.Background(), `SELECT organization_id, id, kind, target_id, target_revision, created_at, outgoing, contract, state,
		attempt, max_attempts, lease_number, lease_expires_at, available_at, failure, finished_at FROM outbox_events WHERE id = $1`, id)
	if err != nil {
		b.t.Fatal(err)
	}
	event, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[db.OutboxEvent])
	if err != nil {
		b.t.Fatal(err)
	}
	return event
}

// await waits until the event satisfies done.
func (b bundle) await(id uuid.UUID, done func(db.OutboxEvent) bool) db.OutboxEvent {
	b.t.Helper()
	var event db.OutboxEvent
	waitFor(b.t, func() bool {
		event = b.event(id)
		return done(event)
	})
	return event
}

func (b bundle) awaitState(id uuid.UUID, state string) db.OutboxEvent {
	b.t.Helper()
	return b.await(id, func(e db.OutboxEvent) bool { return e.State == state })
}

// leave is what the folds of these tests do: a row for each time that they ran and were committed, in the order of created_at.
func leave(ctx context.Context, q *db.Queries, e Event, member uuid.UUID) error {
	described := e.ID.String()
	_, err := q.CreateTeam(ctx, db.CreateTeamParams{OrganizationID: e.Organization, ID: db.NewID(), Name: db.NewID().String(), Description: &described, ActorID: member})
	return err
}

func (b bundle) leaves(ctx context.Context, q *db.Queries, e Event) error {
	return leave(ctx, q, e, b.member)
}

// left is how often a fold of the event was committed.
func (b bundle) left(id uuid.UUID) int {
	b.t.Helper()
	return query[int](b, "SELECT count(*)::int FROM teams WHERE description = $1", id.String())
}

// sender does what a test says.
type sender struct {
	send   func(ctx context.Context, e Event) (Fold, error)
	giveUp func(ctx context.Context, q *db.Queries, e Event, reason error) error
}

func (s sender) Send(ctx context.Context, e Event) (Fold, error) { return s.send(ctx, e) }

func (s sender) GiveUp(ctx context.Context, q *db.Queries, e Event, reason error) error {
	if s.giveUp == nil {
		return nil
	}
	return s.giveUp(ctx, q, e, reason)
}

func sends(s sender) Consumers { return Consumers{Senders: map[string]Sender{"test.send": s}} }

func folds(f ...Fold) Consumers { return Consumers{Folds: f} }

var errUnwilling = errors.New("not today")

// quick looks often and never waits for its next try. The lease is long, so that a slow machine loses none.
func quick() Options {
	return Options{
		Lease: time.Hour, Heartbeat: 50 * time.Millisecond, Poll: 20 * time.Millisecond, ReclaimEvery: 20 * time.Millisecond,
		Backoff: func(int) time.Duration { return 0 },
	}
}

// run runs a worker until the returned function is called, at the latest until the test ends.
func (b bundle) run(consumers Consumers, options Options) (w *Worker, stop func()) {
	b.t.Helper()
	w = NewWorker(b.store, slog.New(slog.DiscardHandler), consumers, options)
	return w, b.runs(w.Run)
}

func (b bundle) runs(run func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := soon(b.t, ended); err != nil {
			b.t.Error(err)
		}
	})
	b.t.Cleanup(stop)
	return stop
}

// soon receives what must come.
func soon[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(patience):
		t.Fatal("waited in vain")
		panic("unreachable")
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}
