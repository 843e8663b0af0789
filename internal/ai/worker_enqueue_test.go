package ai

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kakeai/kakeai/internal/db"
)

func TestOneJobIsLiveHoweverManyAsk(t *testing.T) {
	b := setup(t)
	errRolledBack := errors.New("changed my mind")
	var committed, created, cancelled atomic.Int64
	// once asks for a job and may cancel it or roll all of it back.
	once := func() error {
		rollback, cancel := rand.N(3) == 0, rand.N(10) == 0
		var isNew, isCancelled bool
		err := b.store.Write(t.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) error {
			job, made, err := Enqueue(ctx, q, b.organization, b.member, Draft, Model, b.objective, b.dialogue)
			if err != nil {
				return err
			}
			isNew, isCancelled = made, cancel
			if cancel {
				if _, err := q.CancelJob(ctx, db.CancelJobParams{OrganizationID: b.organization, ID: job.ID}); err != nil {
					return err
				}
			}
			if rollback {
				return errRolledBack
			}
			return nil
		})
		if errors.Is(err, errRolledBack) {
			return nil
		}
		if err != nil {
			return err
		}
		committed.Add(1)
		if isNew {
			created.Add(1)
		}
		if isCancelled {
			cancelled.Add(1)
		}
		return nil
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for range 50 {
				// A second live job would be refused by the index, and fail here.
				if err := once(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	live := query[int64](b, "SELECT count(*) FROM ai_jobs WHERE state = 'queued'")
	if live > 1 || live != created.Load()-cancelled.Load() {
		t.Errorf("%d live after %d were created and %d cancelled", live, created.Load(), cancelled.Load())
	}
	if jobs := query[int64](b, "SELECT count(*) FROM ai_jobs"); jobs != created.Load() || committed.Load() == 0 {
		t.Errorf("%d jobs of %d transactions, %d of which created one", jobs, committed.Load(), created.Load())
	}
}

func TestKindsAndObjectivesHaveJobsOfTheirOwn(t *testing.T) {
	b := setup(t)
	first := b.enqueue(b.tenant, Draft)
	if again := b.enqueue(b.tenant, Draft); again.ID != first.ID {
		t.Error("a second live job for the same target and kind")
	}
	if other := b.enqueue(b.tenant, Feedback); other.ID == first.ID {
		t.Error("two kinds share a job")
	}
	if other := b.enqueue(b.newTenant(), Draft); other.ID == first.ID {
		t.Error("two objectives share a job")
	}
	b.exec("UPDATE ai_jobs SET state = 'succeeded', finished_at = now() WHERE id = $1", first.ID)
	if next := b.enqueue(b.tenant, Draft); next.ID == first.ID {
		t.Error("a job that has ended is still in the way")
	}
}
