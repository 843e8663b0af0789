package outbox

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
)

func TestEventGoesThroughEveryFoldOnce(t *testing.T) {
	b := setup(t)
	target := db.NewID()
	revision := int64(4)
	var order []string
	var seen Event
	first := func(ctx context.Context, q *db.Queries, e Event) error {
		order, seen = append(order, "first"), e
		return b.leaves(ctx, q, e)
	}
	second := func(ctx context.Context, q *db.Queries, e Event) error {
		order = append(order, "second")
		return b.leaves(ctx, q, e)
	}
	id := b.enqueue(b.organization, "team.updated", target)
	b.exec("UPDATE outbox_events SET target_revision = $2 WHERE id = $1", id, revision)
	w, stop := b.run(folds(first, second), quick())
	done := b.awaitState(id, "delivered")
	waitFor(t, func() bool { return w.Stats().Delivered == 1 })
	stop()
	if !slices.Equal(order, []string{"first", "second"}) || b.left(id) != 2 {
		t.Errorf("folded %v, %d rows", order, b.left(id))
	}
	if seen.Organization != b.organization || seen.ID != id || seen.Kind != "team.updated" || seen.Target != target || *seen.Revision != 4 || seen.Attempt != 1 ||
		!seen.CreatedAt.Equal(done.CreatedAt) {
		t.Errorf("folded %+v", seen)
	}
	if done.Attempt != 1 || done.Failure != nil || done.FinishedAt == nil || done.LeaseExpiresAt != nil {
		t.Errorf("the event is %+v", done)
	}
	stats := w.Stats()
	stats.Notifications, stats.Rewrites = 0, 0
	if want := (Stats{Claimed: 1, Delivered: 1}); stats != want {
		t.Errorf("counted %+v, want %+v", stats, want)
	}
}

func TestEventThatNobodyWantsIsDelivered(t *testing.T) {
	b := setup(t)
	plain, outgoing := b.enqueue(b.organization, "team.updated", db.NewID()), b.enqueue(b.organization, "unknown.send", db.NewID())
	b.run(Consumers{}, quick())
	b.awaitState(plain, "delivered")
	b.awaitState(outgoing, "delivered")
}

func TestEventIsNotDeliveredBeforeItsTime(t *testing.T) {
	b := setup(t)
	at := time.Now().Add(time.Hour)
	err := b.store.Write(t.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) error {
		return Enqueue(ctx, q, b.organization, "later.on", db.NewID(), &at)
	})
	if err != nil {
		t.Fatal(err)
	}
	newer := b.enqueue(b.organization, "newer.contract", db.NewID())
	b.exec("UPDATE outbox_events SET contract = $2 WHERE id = $1", newer, eventContract+1)
	now := b.enqueue(b.organization, "now", db.NewID())
	if claimed := b.claim(false, 10, 10); !slices.Equal(claimed, []uuid.UUID{now}) {
		t.Errorf("claimed %v, want only %v", claimed, now)
	}
}

// claim claims as one of the worker's queues would, and returns the events' ids.
func (b bundle) claim(outgoing bool, turns, batch int) (ids []uuid.UUID) {
	b.t.Helper()
	w := NewWorker(b.store, slog.New(slog.DiscardHandler), Consumers{}, Options{})
	err := b.store.SystemWrite(b.t.Context(), db.Background, func(ctx context.Context, q *db.Queries) error {
		claimed, _, err := w.events(outgoing, batch).Claim(ctx, q, uuid.New(), turns, time.Minute)
		ids = nil
		for _, e := range slices.Concat(claimed...) {
			ids = append(ids, e.ID)
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return ids
}

// What one organisation has waiting delays another by no more than its turn.
func TestOrganisationsTakeTurns(t *testing.T) {
	b := setup(t)
	small := b.newOrganization()
	for range 30 {
		b.enqueue(b.organization, "much", db.NewID())
	}
	few := b.enqueue(small, "few", db.NewID())
	if claimed := b.claim(false, 2, 5); len(claimed) != 6 || !slices.Contains(claimed, few) {
		t.Errorf("claimed %d, with the small organisation's: %t", len(claimed), slices.Contains(claimed, few))
	}
	if claimed := b.claim(false, 2, 5); len(claimed) != 10 { // the turns that nobody else wants
		t.Errorf("claimed %d", len(claimed))
	}
}

// Of several that claim at once, and again and again, one at a time has events of a target, the oldest and those that follow it.
func TestTargetsAreClaimedByOneAtATime(t *testing.T) {
	b := setup(t)
	const targets, each = 5, 20
	ids := make([]uuid.UUID, targets)
	for i := range ids {
		ids[i] = db.NewID()
	}
	targetOf := map[uuid.UUID]uuid.UUID{}
	for range each {
		for _, target := range ids {
			targetOf[b.enqueue(b.organization, "test", target)] = target
		}
	}
	var mu sync.Mutex
	holders := map[uuid.UUID]int{}
	runs, finished := 0, 0
	done := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return finished == targets*each
	}
	var wg sync.WaitGroup
	for claimer := range 4 {
		wg.Go(func() {
			for !done() && !t.Failed() {
				claimed := b.claim(false, 1, 3)
				mu.Lock()
				mine := map[uuid.UUID]int{}
				for _, id := range claimed {
					target := targetOf[id]
					if holder, held := holders[target]; held && holder != claimer {
						t.Error("two have events of one target")
					}
					holders[target] = claimer
					mine[target]++
				}
				for _, n := range mine {
					runs += n - 1
				}
				mu.Unlock()
				if late := query[int](b, `SELECT count(*)::int FROM outbox_events AS e JOIN outbox_events AS l ON l.target_id = e.target_id
					WHERE e.state = 'waiting' AND l.state IN ('running', 'delivered') AND l.created_at > e.created_at`); late > 0 {
					t.Errorf("%d events have been overtaken", late)
				}
				mu.Lock()
				for target := range mine {
					delete(holders, target)
				}
				finished += len(claimed)
				mu.Unlock()
				b.exec("UPDATE outbox_events SET state = 'delivered', lease_expires_at = NULL, finished_at = now() WHERE id = ANY($1)", claimed)
			}
		})
	}
	wg.Wait()
	if runs == 0 {
		t.Error("no two of a target were ever claimed together")
	}
}

// An event behind one that is not to be delivered yet, or may have ended its workers, is not taken with those before it.
func TestTargetsAreClaimedWithoutGaps(t *testing.T) {
	b := setup(t)
	for name, gap := range map[string]string{
		"it is not due":                    "available_at = now() + interval '1 hour'",
		"it is of a newer release":         fmt.Sprintf("contract = %d", eventContract+1),
		"somebody outside has to answer":   "kind = 'test.send'",
		"it has been tried twice":          "attempt = 2",
		"it is another's":                  "state = 'running', lease_expires_at = now() + interval '1 hour'",
		"it was delivered, and is no gap":  "state = 'delivered', finished_at = now()",
		"it was given up, and is no gap":   "state = 'quarantined', finished_at = now()",
		"it has been tried, and is no gap": "attempt = 1",
	} {
		target := db.NewID()
		var events []uuid.UUID
		for range 4 {
			events = append(events, b.enqueue(b.organization, "test", target))
		}
		b.exec("UPDATE outbox_events SET "+gap+" WHERE id = $1", events[2])
		want := events[:2]
		switch {
		case strings.Contains(name, "tried, and is no gap"):
			want = events
		case strings.Contains(name, "no gap"):
			want = []uuid.UUID{events[0], events[1], events[3]}
		}
		if claimed := b.claim(false, 1, 10); !slices.Equal(claimed, want) {
			t.Errorf("%s: claimed %v of %v", name, claimed, events)
		}
		b.exec("DELETE FROM outbox_events WHERE target_id = $1", target)
	}
}

// What may be what ends its workers is tried without those behind it, which would be given up with it.
func TestWhatWasTriedTwiceIsClaimedAlone(t *testing.T) {
	b := setup(t)
	target := db.NewID()
	first := b.enqueue(b.organization, "test", target)
	b.enqueue(b.organization, "test", target)
	b.exec("UPDATE outbox_events SET attempt = 2 WHERE id = $1", first)
	if claimed := b.claim(false, 1, 10); !slices.Equal(claimed, []uuid.UUID{first}) {
		t.Errorf("claimed %v, want only %v", claimed, first)
	}
}

// Thousands of events of one target, which two workers deliver, go in turns of many and not one by one.
func TestManyEventsOfOneTargetAreDeliveredInOrder(t *testing.T) {
	b := setup(t)
	const events = 3000
	target := db.NewID()
	b.exec(`INSERT INTO outbox_events (organization_id, id, kind, target_id, created_at)
		SELECT $1, gen_random_uuid(), 'test', $2, now() + n * interval '1 microsecond' FROM generate_series(1, $3::int) AS n`, b.organization, target, events)
	began := time.Now()
	for range 2 {
		b.run(folds(b.leaves), Options{})
	}
	waitFor(t, func() bool {
		return query[int](b, "SELECT count(*)::int FROM outbox_events WHERE state <> 'delivered'") == 0
	})
	t.Logf("%d events in %s", events, time.Since(began).Round(time.Millisecond))
	if n := query[int](b, "SELECT count(*)::int FROM teams"); n != events {
		t.Errorf("%d effects", n)
	}
	if disorder := query[int](b, disordered); disorder > 0 {
		t.Errorf("%d events came out of order", disorder)
	}
	if turns := query[int](b, "SELECT count(DISTINCT finished_at::text)::int FROM outbox_events WHERE lease_number > 1"); turns > 0 {
		t.Errorf("%d had to be claimed again", turns)
	}
}

// disordered counts the events of a target whose effects, by leave, came after that of a later one.
const disordered = `SELECT count(*)::int FROM (
	SELECT e.created_at < lag(e.created_at) OVER (PARTITION BY e.target_id ORDER BY t.created_at, t.id) AS late
	FROM outbox_events AS e JOIN teams AS t ON t.description = e.id::text) AS o
WHERE late`

// Those behind an event that failed are put back with all their attempts, and are due when it is.
func TestFailureGivesBackWhatIsHeldBehindIt(t *testing.T) {
	b := setup(t)
	target := db.NewID()
	var events []uuid.UUID
	for range 5 {
		events = append(events, b.enqueue(b.organization, "test", target))
	}
	options := quick()
	options.Backoff = func(int) time.Duration { return time.Hour }
	w, _ := b.run(folds(b.leaves, func(_ context.Context, _ *db.Queries, e Event) error {
		if e.ID == events[1] {
			return errUnwilling
		}
		return nil
	}), options)
	failed := b.await(events[1], func(e db.OutboxEvent) bool { return e.State == "waiting" && e.Attempt == 1 })
	b.awaitState(events[0], "delivered")
	for _, id := range events[2:] {
		if e := b.awaitState(id, "waiting"); e.Attempt != 0 || !e.AvailableAt.Equal(failed.AvailableAt) || b.left(id) != 0 {
			t.Errorf("behind it is %+v", e)
		}
	}
	if s := w.Stats(); s.Delivered != 1 || s.Retried != 1 {
		t.Errorf("counted %+v", s)
	}
}

// The lease of an event ran out while that of the next one, in the same hands, did not: the next one has to wait for it.
func TestNothingIsDeliveredBeforeWhatWasPutBack(t *testing.T) {
	b := setup(t)
	target := db.NewID()
	first, second := b.enqueue(b.organization, "test", target), b.enqueue(b.organization, "test", target)
	b.exec("UPDATE outbox_events SET attempt = 1") // so that they are delivered one by one
	var once sync.Once
	w, _ := b.run(folds(b.leaves, func(_ context.Context, _ *db.Queries, e Event) error {
		if e.ID == second {
			once.Do(func() { // as if the first had never been delivered
				b.exec("UPDATE outbox_events SET state = 'waiting', finished_at = NULL, lease_expires_at = NULL WHERE id = $1", first)
			})
		}
		return nil
	}), quick())
	waitFor(t, func() bool { return w.Stats().Postponed == 1 })
	again := b.await(second, func(e db.OutboxEvent) bool { return e.State == "delivered" })
	if e := b.awaitState(first, "delivered"); !again.FinishedAt.After(*e.FinishedAt) || b.left(second) != 1 {
		t.Errorf("the first is %+v, the second %+v", e, again)
	}
}

// Eight workers, many targets, folds that fail, panic and succeed: each event's effect is there once, and in order for each target.
func TestOrderHoldsForEachTargetWhateverFails(t *testing.T) {
	b := setup(t)
	other := b.newOrganization()
	const targets, each = 8, 15
	var events []uuid.UUID
	for i := range targets {
		target, organization := db.NewID(), []uuid.UUID{b.organization, other}[i%2]
		for range each {
			events = append(events, b.enqueue(organization, "test", target))
		}
	}
	var crashes atomic.Int64
	fickle := func(ctx context.Context, q *db.Queries, e Event) error {
		if err := b.leaves(ctx, q, e); err != nil {
			return err
		}
		switch sum := int(e.ID[15]) + e.Attempt; { // the same whoever tries
		case e.Attempt > 5:
		case sum%7 == 0:
			crashes.Add(1)
			panic("of all things")
		case sum%3 == 0:
			return errUnwilling
		case sum%5 == 0:
			return &LaterError{After: time.Millisecond, Err: errUnwilling}
		}
		return nil
	}
	options := quick()
	options.Batch = 5
	options.Backoff = func(int) time.Duration { return 3 * time.Millisecond }
	var workers []*Worker
	for range 8 {
		w, _ := b.run(folds(fickle), options)
		workers = append(workers, w)
	}
	waitFor(t, func() bool {
		return query[int](b, "SELECT count(*)::int FROM outbox_events WHERE state <> 'delivered'") == 0
	})
	for _, id := range events {
		if n := b.left(id); n != 1 {
			t.Errorf("an event's effect is there %d times", n)
		}
	}
	if disorder := query[int](b, disordered); disorder > 0 {
		t.Errorf("%d events came out of order", disorder)
	}
	var retried int64
	for _, w := range workers {
		retried += w.Stats().Retried
	}
	if retried == 0 || crashes.Load() == 0 {
		t.Errorf("%d retries and %d crashes: this test tells nothing", retried, crashes.Load())
	}
}

func TestFailureMovesWhatWaitsBehindIt(t *testing.T) {
	b := setup(t)
	target := db.NewID()
	first, second, third := b.enqueue(b.organization, "test", target), b.enqueue(b.organization, "test", target), b.enqueue(b.organization, "test", target)
	other := b.enqueue(b.organization, "test", db.NewID())
	late := time.Now().Add(48 * time.Hour).Truncate(time.Microsecond)
	b.exec("UPDATE outbox_events SET available_at = $2 WHERE id = $1", third, late)
	options := quick()
	options.Backoff = func(int) time.Duration { return time.Hour }
	b.run(folds(func(_ context.Context, _ *db.Queries, e Event) error {
		if e.ID == first {
			return errUnwilling
		}
		return nil
	}), options)
	b.awaitState(other, "delivered")
	failed := b.await(first, func(e db.OutboxEvent) bool { return e.State == "waiting" && e.Attempt == 1 })
	if failed.Failure == nil || *failed.Failure != failureOther || time.Until(failed.AvailableAt) < 30*time.Minute {
		t.Errorf("the first is %+v", failed)
	}
	if behind := b.awaitState(second, "waiting"); behind.State != "waiting" || behind.Attempt != 0 || !behind.AvailableAt.Equal(failed.AvailableAt) {
		t.Errorf("the second is %+v", behind)
	}
	if behind := b.event(third); !behind.AvailableAt.Equal(late) {
		t.Errorf("the third is %+v", behind)
	}
}

// One bad event in a batch takes nothing from the others.
func TestFailureInABatchIsItsOwn(t *testing.T) {
	b := setup(t)
	var events []uuid.UUID
	for range 10 {
		events = append(events, b.enqueue(b.organization, "test", db.NewID()))
	}
	bad := events[4]
	options := quick()
	options.Backoff = func(int) time.Duration { return time.Hour }
	w, _ := b.run(folds(b.leaves, func(_ context.Context, _ *db.Queries, e Event) error {
		if e.ID == bad {
			return errUnwilling
		}
		return nil
	}), options)
	waitFor(t, func() bool { return w.Stats().Delivered == 9 && w.Stats().Retried == 1 })
	for _, id := range events {
		want, state := 1, "delivered"
		if id == bad {
			want, state = 0, "waiting"
		}
		if n, e := b.left(id), b.event(id); n != want || e.State != state || e.Attempt != 1 {
			t.Errorf("%d effects of %+v, want %d", n, e, want)
		}
	}
}

func TestEventsAreQuarantined(t *testing.T) {
	crash := func(context.Context, Event) (Fold, error) { panic("no server is that good") }
	fails := func(err error) func(context.Context, Event) (Fold, error) {
		return func(context.Context, Event) (Fold, error) { return nil, err }
	}
	const attempts = 3
	for _, c := range []struct {
		name     string
		send     func(context.Context, Event) (Fold, error)
		before   string
		failure  string
		attempts int16
	}{
		{"failing", fails(errUnwilling), "", failureOther, attempts},
		{"permanent", fails(fmt.Errorf("no such address: %w", &PermanentError{errUnwilling})), "", failurePermanent, 1},
		{"crashing", crash, "", failureCrashed, attempts},
		{"later, and counted", fails(&LaterError{Err: errUnwilling}), "", failureLater, attempts},
		{"silent", func(ctx context.Context, _ Event) (Fold, error) { <-ctx.Done(); return nil, ctx.Err() }, "", failureTimedOut, attempts},
		{"fold after it crashing", func(context.Context, Event) (Fold, error) {
			return func(context.Context, *db.Queries, Event) error { panic("afterwards") }, nil
		}, "", failureCrashed, attempts},
		{"poison", fails(errUnwilling), "UPDATE outbox_events SET state = 'running', attempt = 3, lease_number = 3, lease_expires_at = now() - interval '1 second' WHERE id = $1",
			failureExhausted, attempts + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := setup(t)
			target := db.NewID()
			id := b.enqueue(b.organization, "test.send", target)
			b.exec("UPDATE outbox_events SET max_attempts = $2 WHERE id = $1", id, attempts)
			if c.before != "" {
				b.exec(c.before, id)
			}
			next := b.enqueue(b.organization, "next", target)
			options := quick()
			options.SendTimeout = 50 * time.Millisecond
			reasons := make(chan error, 10)
			w, stop := b.run(sends(sender{send: c.send, giveUp: func(ctx context.Context, q *db.Queries, e Event, reason error) error {
				reasons <- reason
				return b.leaves(ctx, q, e)
			}}), options)
			done := b.awaitState(id, "quarantined")
			if done.Failure == nil || *done.Failure != c.failure || done.Attempt != c.attempts || done.LeaseExpiresAt != nil || done.FinishedAt == nil {
				t.Errorf("the event is %+v", done)
			}
			if reason := soon(t, reasons); codeOf(reason) != c.failure {
				t.Errorf("given up because of %v", reason)
			}
			b.awaitState(next, "delivered") // which waited for it, and no longer does
			waitFor(t, func() bool { return w.Stats().Quarantined == 1 })
			stop()
			if b.left(id) != 1 || len(reasons) != 0 {
				t.Errorf("given up %d times, and %d more", b.left(id), len(reasons))
			}

			if backlog, err := Measure(t.Context(), b.store); err != nil || backlog != (Backlog{Quarantined: 1}) {
				t.Errorf("measured %+v, %v", backlog, err)
			}
			if listed, err := List(t.Context(), b.store, db.OutboxEvent{}); err != nil || len(listed) != 1 || listed[0].ID != id {
				t.Errorf("listed %+v, %v", listed, err)
			}
			unknown := db.NewID()
			if n, err := Retry(t.Context(), b.store, unknown); err != nil || n != 0 {
				t.Errorf("put back %d, %v", n, err)
			}
			if n, err := Retry(t.Context(), b.store, id); err != nil || n != 1 {
				t.Errorf("put back %d, %v", n, err)
			}
			b.run(sends(sender{send: func(context.Context, Event) (Fold, error) { return b.leaves, nil }}), quick())
			if done := b.awaitState(id, "delivered"); done.Attempt != 1 || done.Failure != nil || b.left(id) != 2 {
				t.Errorf("afterwards the event is %+v with %d effects", done, b.left(id))
			}
		})
	}
}

// A sender that cannot give up has its event quarantined all the same.
func TestEventIsQuarantinedThoughItsSenderCannotGiveUp(t *testing.T) {
	for name, giveUp := range map[string]func(context.Context, *db.Queries, Event, error) error{
		"failing":  func(context.Context, *db.Queries, Event, error) error { return errUnwilling },
		"crashing": func(context.Context, *db.Queries, Event, error) error { panic("never") },
		"refused": func(ctx context.Context, q *db.Queries, e Event, _ error) error {
			return leave(ctx, q, Event{Organization: e.Organization, ID: uuid.Nil}, uuid.Nil) // breaks a foreign key of what comes after it
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			if name == "refused" {
				b.exec("ALTER TABLE teams ADD CONSTRAINT somebody CHECK (changed_by <> '00000000-0000-0000-0000-000000000000')")
			}
			id := b.enqueue(b.organization, "test.send", db.NewID())
			b.run(sends(sender{
				send:   func(context.Context, Event) (Fold, error) { return nil, &PermanentError{errUnwilling} },
				giveUp: giveUp,
			}), quick())
			if done := b.awaitState(id, "quarantined"); *done.Failure != failurePermanent {
				t.Errorf("the event is %+v", done)
			}
		})
	}
}

func TestPatienceThatIsAskedForIsNotCounted(t *testing.T) {
	b := setup(t)
	id := b.enqueue(b.organization, "test.send", db.NewID())
	w, _ := b.run(sends(sender{send: func(context.Context, Event) (Fold, error) {
		return nil, &LaterError{After: time.Hour, Uncounted: true, Err: errUnwilling}
	}}), quick())
	waitFor(t, func() bool { return w.Stats().Postponed == 1 })
	if back := b.event(id); back.State != "waiting" || back.Attempt != 0 || *back.Failure != failureLater || time.Until(back.AvailableAt) < 30*time.Minute {
		t.Errorf("the event is %+v", back)
	}
}

// What is being sent holds up no fold, not even for an organisation that has much to send.
func TestSendingHoldsUpNoFold(t *testing.T) {
	b := setup(t)
	options := quick()
	options.Deliveries = 2
	sending, letGo := make(chan Event, 10), make(chan struct{})
	for range 5 {
		b.enqueue(b.organization, "test.send", db.NewID())
	}
	id := b.enqueue(b.organization, "test", db.NewID())
	w, _ := b.run(Consumers{Folds: []Fold{b.leaves}, Senders: map[string]Sender{"test.send": sender{send: func(ctx context.Context, e Event) (Fold, error) {
		sending <- e
		select {
		case <-letGo:
		case <-ctx.Done():
		}
		return nil, ctx.Err()
	}}}}, options)
	soon(t, sending)
	soon(t, sending)
	b.awaitState(id, "delivered")
	if n := w.Stats().Sends; n != 2 {
		t.Errorf("%d are being sent", n)
	}
	close(letGo)
	waitFor(t, func() bool { return w.Stats().Delivered == 6 })
}

// The first worker neither beats nor knows of its lease's end, so that only the database stands against what it has done.
func TestLateDeliveryWritesNothing(t *testing.T) {
	b := setup(t)
	id := b.enqueue(b.organization, "test.send", db.NewID())
	deaf := quick()
	deaf.Heartbeat, deaf.Poll = time.Hour, time.Hour
	sending, letGo := make(chan struct{}), make(chan struct{})
	first := NewWorker(b.store, slog.New(slog.DiscardHandler), sends(sender{send: func(context.Context, Event) (Fold, error) {
		close(sending)
		<-letGo
		return b.leaves, nil
	}}), deaf)
	b.runs(first.sending.Run) // without what would reclaim
	soon(t, sending)
	b.exec("UPDATE outbox_events SET lease_expires_at = now() - interval '1 second' WHERE id = $1", id)
	second, _ := b.run(sends(sender{send: func(context.Context, Event) (Fold, error) { return b.leaves, nil }}), quick())
	done := b.awaitState(id, "delivered")
	close(letGo)
	waitFor(t, func() bool { return first.Stats().LeasesLost == 1 })
	if done.Attempt != 2 || b.left(id) != 1 || first.Stats().Delivered != 0 {
		t.Errorf("%d effects of %+v, the first counted %+v", b.left(id), done, first.Stats())
	}
	if s := second.Stats(); s.Reclaimed != 1 || s.Delivered != 1 {
		t.Errorf("the second counted %+v", s)
	}
}

// A batch of which one event is another's by now is not half committed.
func TestBatchOfWhichOneIsLostIsNotFoldedTwice(t *testing.T) {
	b := setup(t)
	events := []uuid.UUID{b.enqueue(b.organization, "test", db.NewID()), b.enqueue(b.organization, "test", db.NewID())}
	var once sync.Once
	w, _ := b.run(folds(b.leaves, func(_ context.Context, _ *db.Queries, e Event) error {
		once.Do(func() { b.exec("UPDATE outbox_events SET lease_number = lease_number + 1 WHERE id = $1", events[1]) })
		return nil
	}), quick())
	b.awaitState(events[0], "delivered")
	waitFor(t, func() bool { return w.Stats().LeasesLost == 1 })
	if b.left(events[0]) != 1 || b.left(events[1]) != 0 || b.event(events[1]).State != "running" {
		t.Errorf("%d and %d effects, the lost one is %+v", b.left(events[0]), b.left(events[1]), b.event(events[1]))
	}
}

func TestStoppingGivesEventsBackUncounted(t *testing.T) {
	b := setup(t)
	id := b.enqueue(b.organization, "test.send", db.NewID())
	sending := make(chan struct{}, 10)
	w, stop := b.run(sends(sender{send: func(ctx context.Context, _ Event) (Fold, error) {
		sending <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}}), quick())
	soon(t, sending)
	stop()
	back := b.event(id)
	if stats := w.Stats(); back.State != "waiting" || back.Attempt != 0 || back.Failure != nil || stats.Interrupted != stats.Claimed || stats.Sends != 1 {
		t.Errorf("the event is %+v, counted %+v", back, stats)
	}
}

func TestNotificationWakesTheWorker(t *testing.T) {
	b := setup(t)
	rare := quick()
	rare.Poll, rare.ReclaimEvery = time.Hour, time.Hour
	w, _ := b.run(sends(sender{send: func(context.Context, Event) (Fold, error) { return nil, nil }}), rare)
	waker := NewWaker(b.store, slog.New(slog.DiscardHandler))
	t.Cleanup(waker.Close)
	// Once a notification has arrived it is the only thing that the worker wakes for.
	waitFor(t, func() bool {
		waker.Wake()
		return w.Stats().Notifications > 0
	})
	plain, outgoing := b.enqueue(b.organization, "test", db.NewID()), b.enqueue(b.organization, "test.send", db.NewID())
	waker.Wake()
	b.awaitState(plain, "delivered")
	b.awaitState(outgoing, "delivered")
}

// What a fold enqueues to be sent does not wait for the next poll.
func TestWhatAFoldEnqueuesIsSentAtOnce(t *testing.T) {
	b := setup(t)
	rare := quick()
	rare.Poll, rare.ReclaimEvery = time.Hour, time.Hour
	mail := db.NewID()
	consumers := sends(sender{send: func(context.Context, Event) (Fold, error) { return b.leaves, nil }})
	consumers.Folds = folds(func(ctx context.Context, q *db.Queries, e Event) error {
		if e.Kind != "test" {
			return nil
		}
		return Enqueue(ctx, q, e.Organization, "test.send", mail, nil)
	}).Folds
	b.enqueue(b.organization, "test", db.NewID())
	b.run(consumers, rare)
	waitFor(t, func() bool {
		return query[int](b, "SELECT count(*)::int FROM outbox_events WHERE target_id = $1 AND state = 'delivered'", mail) == 1
	})
}

// Neither delivered events nor those that wait for their next attempt cost a claim anything.
func TestEventsAreClaimedByTheirIndexes(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a million rows")
	}
	b := setup(t)
	other := b.newOrganization()
	// A million rows are written without what would be looked up for each of them.
	b.exec("ALTER TABLE outbox_events DROP CONSTRAINT outbox_events_organization_id_fkey")
	indexes := query[[]string](b, "SELECT array_agg(indexdef) FROM pg_indexes WHERE tablename = 'outbox_events' AND indexname <> 'outbox_events_pkey'")
	for _, name := range query[[]string](b, "SELECT array_agg(indexname) FROM pg_indexes WHERE tablename = 'outbox_events' AND indexname <> 'outbox_events_pkey'") {
		b.exec("DROP INDEX " + name)
	}
	written := 0
	fill := func(organization uuid.UUID, events int, state, available string) {
		b.exec(fmt.Sprintf(`INSERT INTO outbox_events (organization_id, id, kind, target_id, state, finished_at, available_at)
			SELECT $1, lpad(to_hex(n), 32, '0')::uuid, 'test', lpad(to_hex(n), 32, '0')::uuid, $3, CASE WHEN $3 = 'delivered' THEN now() END, %s
			FROM generate_series($4::int + 1, $4::int + $2::int) AS n`, available), organization, events, state, written)
		written += events
	}
	fill(b.organization, 1_000_000, "delivered", "now()")
	fill(b.organization, 50_000, "waiting", "clock_timestamp()")
	fill(b.organization, 25_000, "waiting", "now() + interval '1 hour'")
	fill(other, 25_000, "waiting", "clock_timestamp()")
	for _, definition := range indexes {
		b.exec(definition)
	}
	b.exec("VACUUM ANALYZE outbox_events")
	for name, c := range map[string]struct {
		turns, batch int32
		most         int
	}{"a turn each of two": {2, 100, 6000}, "one event": {1, 1, 100}} {
		plan := b.plan(db.ClaimEventsParams{LeaseSeconds: 60, Contract: eventContract, Turns: c.turns, Batch: c.batch})
		if strings.Contains(plan, "Seq Scan") || buffers(t, plan) > c.most {
			t.Errorf("%s: more than %d buffers\n%s", name, c.most, plan)
		}
		t.Logf("%s: %d buffers", name, buffers(t, plan))
	}
}

// plan executes a claim as the program does, with a plan made for any parameters, and rolls it back.
func (b bundle) plan(arg db.ClaimEventsParams) (plan string) {
	b.t.Helper()
	tracer := &statement{}
	config, err := pgx.ParseConfig(b.base.AppURL)
	if err != nil {
		b.t.Fatal(err)
	}
	config.Tracer = tracer
	conn, err := pgx.ConnectConfig(b.t.Context(), config)
	if err != nil {
		b.t.Fatal(err)
	}
	defer conn.Close(context.Background())
	err = pgx.BeginFunc(b.t.Context(), conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(b.t.Context(), "SET LOCAL plan_cache_mode = force_generic_plan"); err != nil {
			return err
		}
		if _, err := db.New(tx).ClaimEvents(b.t.Context(), arg); err != nil {
			return err
		}
		return pgx.ErrTxClosed // only to know the statement
	})
	if tracer.sql == "" {
		b.t.Fatal(err)
	}
	sql, args := tracer.sql, tracer.args
	_ = pgx.BeginFunc(b.t.Context(), conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(b.t.Context(), "SET LOCAL plan_cache_mode = force_generic_plan"); err != nil {
			b.t.Fatal(err)
		}
		rows, err := tx.Query(b.t.Context(), "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) "+sql, args...)
		if err != nil {
			b.t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			b.t.Fatal(err)
		}
		plan = strings.Join(lines, "\n")
		return pgx.ErrTxClosed
	})
	return plan
}

// statement remembers the last claim.
type statement struct {
	sql  string
	args []any
}

func (s *statement) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if s.sql == "" && strings.Contains(data.SQL, "ClaimEvents") {
		s.sql, s.args = data.SQL, data.Args
	}
	return ctx
}

func (*statement) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// buffers is what the whole statement hit and read, by the first line that tells.
func buffers(t *testing.T, plan string) (pages int) {
	t.Helper()
	for line := range strings.Lines(plan) {
		if rest, found := strings.CutPrefix(strings.TrimSpace(line), "Buffers: shared "); found {
			for part := range strings.FieldsSeq(rest) {
				var n int
				if _, err := fmt.Sscanf(part, "hit=%d", &n); err == nil {
					pages += n
				} else if _, err := fmt.Sscanf(part, "read=%d", &n); err == nil {
					pages += n
				}
			}
			return pages
		}
	}
	t.Fatalf("no buffers in %s", plan)
	return 0
}
