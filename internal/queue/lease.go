package queue

import (
	"context"
	"errors"
	"time"

	"github.com/kakeai/kakeai/internal/db"
)

// Hold is a row that this worker has claimed and not yet let go of. Its lease is a context, which ends with the cause ErrLeaseLost as soon as the database no
// longer gives the lease, or cannot be asked and the lease's time is over.
//
// That end is always too early, never too late: it is counted on the monotonic clock from before the question was sent,
// while the database counts from when it answered. No two clocks are ever compared.
type Hold[R any] struct {
	Row   R
	Lease context.Context //nolint:containedctx // the lease is this context, one for each row of a turn

	right Lease
	lose  context.CancelCauseFunc
	end   *time.Timer
	letGo func()
}

// hold begins to extend the lease of a row.
func (w *Worker[R]) hold(ctx context.Context, row R, leaseEnd time.Time) *Hold[R] {
	lease, lose := context.WithCancelCause(ctx)
	h := &Hold[R]{Row: row, Lease: lease, right: w.table.Lease(row), lose: lose}
	h.end = time.AfterFunc(time.Until(leaseEnd), func() { lose(ErrLeaseLost) })
	h.letGo = func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.held, h)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held[h] = struct{}{}
	return h
}

// LetGo stops extending the lease. It may be called more than once; whatever was not let go of is when the turn's work returns.
func (h *Hold[R]) LetGo() {
	h.letGo()
	h.end.Stop()
	h.lose(nil)
}

func letAllGo[R any](turn []*Hold[R]) {
	for _, h := range turn {
		h.LetGo()
	}
}

func (w *Worker[R]) holds() []*Hold[R] {
	w.mu.Lock()
	defer w.mu.Unlock()
	holds := make([]*Hold[R], 0, len(w.held))
	for h := range w.held {
		holds = append(holds, h)
	}
	return holds
}

// beat extends all leases that this worker holds, again and again, until ctx ends.
func (w *Worker[R]) beat(ctx context.Context) {
	beating := outage{log: w.log, what: "extending the leases of " + w.table.Many}
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
func (w *Worker[R]) extend(ctx context.Context) error {
	holds := w.holds()
	if len(holds) == 0 {
		return nil
	}
	leases := make([]Lease, len(holds))
	for i, h := range holds {
		leases[i] = h.right
	}
	var asked time.Time
	var kept []Key
	err := w.store.SystemWrite(ctx, db.Background, func(ctx context.Context, q *db.Queries) (err error) {
		asked = time.Now()
		kept, err = w.table.Extend(ctx, q, leases, w.options.Lease)
		return err
	})
	if err != nil {
		return err
	}
	still := make(map[Key]bool, len(kept))
	for _, key := range kept {
		still[key] = true
	}
	for _, h := range holds {
		if still[h.right.Key] {
			h.end.Reset(time.Until(asked.Add(w.options.Lease)))
		} else {
			h.lose(ErrLeaseLost)
		}
	}
	return nil
}
