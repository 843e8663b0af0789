package ai

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// hold is a job that this worker has claimed and not yet ended. Its lease is a context, which ends with the cause ErrLeaseLost
// as soon as the database no longer gives the lease, or cannot be asked and the lease's time is over.
//
// That end is always too early, never too late: it is counted on the monotonic clock from before the question was sent,
// while the database counts from when it answered. No two clocks are ever compared.
type hold struct {
	job  db.AIJob
	lose context.CancelCauseFunc
	end  *time.Timer
}

// hold begins to extend the lease of a job.
func (w *Worker) hold(ctx context.Context, job db.AIJob, leaseEnd time.Time) (context.Context, *hold) {
	lease, lose := context.WithCancelCause(ctx)
	h := &hold{job: job, lose: lose}
	h.end = time.AfterFunc(time.Until(leaseEnd), func() { lose(ErrLeaseLost) })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held[h] = struct{}{}
	return lease, h
}

// letGo stops extending the lease.
func (w *Worker) letGo(h *hold) {
	w.mu.Lock()
	delete(w.held, h)
	w.mu.Unlock()
	h.end.Stop()
	h.lose(nil)
}

func (w *Worker) holds() []*hold {
	w.mu.Lock()
	defer w.mu.Unlock()
	holds := make([]*hold, 0, len(w.held))
	for h := range w.held {
		holds = append(holds, h)
	}
	return holds
}

// beat extends all leases that this process holds, again and again, until ctx ends.
func (w *Worker) beat(ctx context.Context) {
	beating := outage{log: w.log, what: "extending leases"}
	for pause := w.options.Heartbeat; sleep(ctx, pause); {
		err := w.extend(ctx)
		if !mayNotWrite(err) && !errors.Is(err, context.Canceled) { // the claiming goroutine tells of that
			beating.note(err)
		}
		pause = w.options.Heartbeat
		if err != nil {
			pause /= 4 // the leases go on running out
		}
	}
}

// extend is one heartbeat. If it fails, nothing is lost yet.
func (w *Worker) extend(ctx context.Context) error {
	holds := w.holds()
	if len(holds) == 0 {
		return nil
	}
	extended := db.ExtendLeasesParams{LeaseSeconds: w.options.Lease.Seconds()}
	for _, h := range holds {
		extended.OrganizationIDs = append(extended.OrganizationIDs, h.job.OrganizationID)
		extended.IDs = append(extended.IDs, h.job.ID)
		extended.LeaseNumbers = append(extended.LeaseNumbers, h.job.LeaseNumber)
	}
	var asked time.Time
	var rows []db.ExtendLeasesRow
	err := w.store.SystemWrite(ctx, db.Background, func(ctx context.Context, q *db.Queries) (err error) {
		asked = time.Now()
		rows, err = q.ExtendLeases(ctx, extended)
		return err
	})
	if err != nil {
		return err
	}
	kept := make(map[uuid.UUID]bool, len(rows))
	for _, row := range rows {
		kept[row.ID] = true
	}
	for _, h := range holds {
		if kept[h.job.ID] {
			h.end.Reset(time.Until(asked.Add(w.options.Lease)))
		} else {
			h.lose(ErrLeaseLost)
		}
	}
	return nil
}
