package db_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kakeai/kakeai/internal/db"
)

// releaseAction sorts as releases do.
func releaseAction(release int32) string { return fmt.Sprintf("r%05d", release) }

// writtenBy records an event that carries the release of who wrote it.
func (b bundle) writtenBy(release int32) db.Work {
	return func(ctx context.Context, q *db.Queries) error {
		return q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: b.scope.Organization, EventID: db.NewID(), Action: releaseAction(release),
			TargetKind: "test", TargetID: b.user, Detail: []byte("{}")})
	}
}

// queueJobs queues a job for each objective, which survives any number of claims.
func (b bundle) queueJobs(t *testing.T) {
	t.Helper()
	_, err := b.Owner.Exec(t.Context(), `WITH d AS (
			INSERT INTO dialogues (organization_id, id, objective_id, title, created_by)
			SELECT o.organization_id, gen_random_uuid(), o.id, 'Coaching', o.owner_id FROM objectives AS o RETURNING *)
		INSERT INTO ai_jobs (organization_id, id, kind, objective_id, dialogue_id, requested_by, max_attempts)
		SELECT d.organization_id, d.id, 'draft', d.objective_id, d.id, d.created_by, 32767 FROM d`)
	if err != nil {
		t.Fatal(err)
	}
}

// claimAndLose claims a job, the lease of which is over at once, and puts back what an earlier one lost.
func claimAndLose(ctx context.Context, q *db.Queries) error {
	if _, err := q.RequeueExpiredJobs(ctx); err != nil {
		return err
	}
	_, err := q.ClaimJobs(ctx, db.ClaimJobsParams{LeaseSeconds: 0, Contract: 1, Batch: 1})
	return err
}

// The fence rises a thousand times under writers and claimers of releases on both sides of it. Each time RaiseFence has returned, no write of an
// older release begins to succeed, and none that was running commits.
func TestFenceRisesUnderLoad(t *testing.T) { // alone, so that what it prints is its own
	b := setup(t)
	const raises = 1000
	if _, err := b.Owner.Exec(t.Context(), "CREATE INDEX ON audit_events (action)"); err != nil {
		t.Fatal(err)
	}
	b.queueJobs(t)
	conn := connect(t, b.OwnerURL)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var raised atomic.Int32 // by a call that has returned
	var older, newer, refused atomic.Int64
	try := func(write func(store *db.Store, release int32) error) {
		for ctx.Err() == nil {
			standing := raised.Load()
			release := max(standing-2, 0) + rand.Int32N(6)
			err := write(b.store.As(release), release)
			switch {
			case err == nil && release < standing:
				t.Errorf("release %d wrote after the fence was raised to %d", release, standing)
			case err == nil && release < raised.Load():
				older.Add(1) // it was in time
			case err == nil:
				newer.Add(1)
			case errors.Is(err, db.ErrFenced) && release < raises+1:
				refused.Add(1)
			default:
				t.Errorf("release %d, fence %d: %v", release, standing, err)
			}
		}
	}
	var writers sync.WaitGroup
	for range 6 {
		writers.Go(func() {
			try(func(store *db.Store, release int32) error {
				return store.Write(t.Context(), b.scope, b.writtenBy(release))
			})
		})
	}
	for range 2 {
		writers.Go(func() {
			try(func(store *db.Store, _ int32) error {
				return store.SystemWrite(t.Context(), db.Background, claimAndLose)
			})
		})
	}
	// Of the ten releases before one, which are those that could still be at it.
	written := func(before int32) (n int) {
		t.Helper()
		err := b.Owner.QueryRow(t.Context(), "SELECT count(*) FROM audit_events WHERE action >= $1 AND action < $2", releaseAction(max(before-10, 0)), releaseAction(before)).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	took := make([]time.Duration, 0, raises)
	standing := make([]int, raises+1)
	for release := int32(1); release <= raises; release++ {
		begun := time.Now()
		if err := db.RaiseFence(t.Context(), conn, release); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(begun))
		raised.Store(release)
		standing[release] = written(release)
	}
	end()
	writers.Wait()
	for release := int32(1); release <= raises; release++ {
		if later := written(release); later != standing[release] {
			t.Errorf("%d writes of older releases were there when the fence was raised to %d, %d later", standing[release], release, later)
		}
	}
	slices.Sort(took)
	t.Logf("raised %d times among %d writes, %d of them of releases that were too old by their end; %d more refused", raises, newer.Load()+older.Load(), older.Load(), refused.Load())
	t.Logf("a raise took p50 %s, p99 %s, at most %s", took[raises/2], took[raises*99/100], took[raises-1])
	if newer.Load() < raises || refused.Load() == 0 {
		t.Error("too little was written for this to say anything")
	}
}

// A claim of an older release does not survive the fence either.
func TestFenceStopsClaims(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.queueJobs(t)
	conn := connect(t, b.OwnerURL)
	var claimed atomic.Int32
	var claimers sync.WaitGroup
	for range 4 {
		claimers.Go(func() {
			for {
				err := b.store.SystemWrite(t.Context(), db.Background, claimAndLose)
				if errors.Is(err, db.ErrFenced) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				claimed.Add(1)
			}
		})
	}
	eventually(t, func() bool { return claimed.Load() > 50 })
	leases := func() (sum int64) {
		t.Helper()
		if err := b.Owner.QueryRow(t.Context(), "SELECT sum(lease_number)::bigint FROM ai_jobs").Scan(&sum); err != nil {
			t.Fatal(err)
		}
		return sum
	}
	if err := db.RaiseFence(t.Context(), conn, db.Release+1); err != nil {
		t.Fatal(err)
	}
	standing := leases()
	claimers.Wait()
	if later := leases(); standing == 0 || later != standing {
		t.Errorf("%d leases when the fence was raised, %d later", standing, later)
	}
}

func TestFenceNeverComesDown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn := connect(t, b.OwnerURL)
	for _, c := range []struct{ raise, want int32 }{{7, 7}, {3, 7}, {7, 7}, {8, 8}} {
		if err := db.RaiseFence(t.Context(), conn, c.raise); err != nil {
			t.Fatal(err)
		}
		state, err := db.ReadFence(t.Context(), conn)
		if err != nil || state.MinimumRelease != c.want {
			t.Errorf("raised to %d it stands at %d, want %d; %v", c.raise, state.MinimumRelease, c.want, err)
		}
	}
}

// A write that is running holds the fence and the mode; new writers go on between the tries, and what waits gives up when its context ends.
func TestFenceWaitsWithoutHoldingUpWriters(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(b bundle, ctx context.Context) error{
		"raise": func(b bundle, ctx context.Context) error {
			conn := connect(t, b.OwnerURL)
			return db.RaiseFence(ctx, conn, db.Release+1)
		},
		"mode": func(b bundle, ctx context.Context) error {
			conn := connect(t, b.OwnerURL)
			return db.SetMode(ctx, conn, db.ModeReadOnly)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			err := b.store.Write(t.Context(), b.scope, func(ctx context.Context, q *db.Queries) error {
				impatient, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
				defer cancel()
				var beside sync.WaitGroup
				written := 0
				beside.Go(func() {
					for impatient.Err() == nil {
						assertNoError(t, b.store.Write(context.WithoutCancel(t.Context()), b.scope, b.addEvent))
						written++
					}
				})
				if err := change(b, impatient); err == nil || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("while a write was running: %v", err)
				}
				beside.Wait()
				if written == 0 {
					t.Error("nobody could write meanwhile")
				}
				return b.rename(0, 1, "In time")(ctx, q)
			})
			assertNoError(t, err)
			assertNoError(t, change(b, t.Context()))
			if err := b.store.Write(t.Context(), b.scope, b.addEvent); !errors.Is(err, db.ErrFenced) && !errors.Is(err, db.ErrReadOnly) {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// After SetMode has returned, nothing that the mode refuses commits; and the mode can be taken back.
func TestModeWaitsForRunningWrites(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn := connect(t, b.OwnerURL)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var written atomic.Int64
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for ctx.Err() == nil {
				switch err := b.store.Write(t.Context(), b.scope, b.addEvent); {
				case err == nil:
					written.Add(1)
				case !errors.Is(err, db.ErrReadOnly) && !errors.Is(err, db.ErrMaintenance):
					t.Error(err)
				}
			}
		})
	}
	for _, mode := range []db.Mode{db.ModeReadOnly, db.ModeMaintenance} {
		before := written.Load()
		eventually(t, func() bool { return written.Load() > before+20 })
		assertNoError(t, db.SetMode(t.Context(), conn, mode))
		standing := b.events(t)
		time.Sleep(50 * time.Millisecond)
		if later := b.events(t); later != standing {
			t.Errorf("%s: %d events when it was set, %d later", mode, standing, later)
		}
		assertNoError(t, db.SetMode(t.Context(), conn, db.ModeNormal))
	}
	end()
	writers.Wait()
	if err := db.SetMode(t.Context(), conn, "holiday"); err == nil {
		t.Error("a mode that there is not was set")
	}
}

// Whoever decides on raising the fence sees which releases are still connected.
func TestFenceTellsWhoIsConnected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	newer := open(t, b.AppURL, db.Options{Release: db.Release + 1})
	assertNoError(t, newer.Write(t.Context(), b.scope, b.addEvent))
	conn, err := db.ConnectOwner(t.Context(), b.OwnerURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	state, err := db.ReadFence(t.Context(), conn)
	want := []db.ConnectedRelease{{Release: db.Release, Sessions: 1}, {Release: db.Release + 1, Sessions: 1}}
	if err != nil || state.Mode != db.ModeNormal || !slices.Equal(state.Connected, want) {
		t.Errorf("%+v, %v; want %+v connected", state, err, want)
	}
}
