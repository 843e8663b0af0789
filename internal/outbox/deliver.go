package outbox

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/queue"
)

// Why an event failed, as the column outbox_events.failure keeps it. The log has the whole error.
const (
	failureCrashed   = "crashed"            // a fold or the sender panicked
	failureExhausted = "attempts-exhausted" // its workers went silent too often: it may be what ends them
	failurePermanent = "permanent"          // whoever is to have it said that no other try will help
	failureTimedOut  = "timed-out"          // the sender took too long
	failureLater     = "later"              // whoever is to have it asked for patience
	failureRefused   = "refused-by-schema"  // the database would not take what a fold wrote
	failureOther     = "failed"
)

var (
	errCrashed   = errors.New("outbox: a consumer panicked")
	errExhausted = errors.New("outbox: its workers went silent too often")
	errTimedOut  = errors.New("outbox: the sender took too long")
	errElsewhere = errors.New("outbox: some of the events are no longer this worker's, or not yet to be delivered")
	errOutOfTurn = errors.New("outbox: an earlier event of the target is not delivered")
)

// consumerError is what a fold or a sender returned, so that it is told from what the outbox itself meets.
type consumerError struct{ err error }

func (e *consumerError) Error() string { return e.err.Error() }
func (e *consumerError) Unwrap() error { return e.err }

// isConsumers reports whether an error is a consumer's and would come again if the same transaction were run again at once.
func isConsumers(err error) bool {
	var consumer *consumerError
	return errors.As(err, &consumer) && !queue.Passing(err)
}

func scopeOf(row db.OutboxEvent) db.Scope {
	return db.Scope{Organization: row.OrganizationID, Class: db.Background}
}

func eventOf(row db.OutboxEvent) Event {
	return Event{Organization: row.OrganizationID, ID: row.ID, Kind: row.Kind, Target: row.TargetID, Revision: row.TargetRevision,
		Attempt: int(row.Attempt), CreatedAt: row.CreatedAt}
}

// foldTogether delivers events that have no sender in one transaction, all or none. Whatever the error, each may still be delivered by itself.
func (w *Worker) foldTogether(stopping context.Context, turn []*queue.Hold[db.OutboxEvent]) error {
	ended := db.FinishEventsIfLeaseParams{OrganizationID: turn[0].Row.OrganizationID}
	for _, h := range turn {
		ended.IDs, ended.LeaseNumbers = append(ended.IDs, h.Row.ID), append(ended.LeaseNumbers, h.Row.LeaseNumber)
	}
	return w.store.Write(stopping, scopeOf(turn[0].Row), func(ctx context.Context, q *db.Queries) error {
		for _, h := range turn {
			if err := w.fold(ctx, q, eventOf(h.Row), nil); err != nil {
				return err
			}
		}
		finished, err := q.FinishEventsIfLease(ctx, ended)
		if err == nil && len(finished) < len(turn) {
			return errElsewhere
		}
		return err
	})
}

// deliver brings an event to its next state, or leaves it to its next holder, and reports whether what is behind it may be delivered.
func (w *Worker) deliver(stopping context.Context, h *queue.Hold[db.OutboxEvent], sending *sync.WaitGroup) (ended bool) {
	ended, err := w.attempt(stopping, h, sending)
	log := w.log.With("organization", h.Row.OrganizationID, "event", h.Row.ID, "kind", h.Row.Kind, "attempt", h.Row.Attempt)
	switch {
	case err == nil:
	case errors.Is(err, queue.ErrLeaseLost):
		w.counters.leasesLost.Add(1)
		log.Warn("an event was taken over")
	default: // its lease runs out by itself
		log.Error("an event was left behind", "error", err)
	}
	return ended
}

// putBack gives back what is behind an event that was not delivered. If it cannot, the leases run out by themselves.
func (w *Worker) putBack(first *queue.Hold[db.OutboxEvent], behind []*queue.Hold[db.OutboxEvent]) {
	returned := db.ReturnEventsBehindIfLeaseParams{OrganizationID: first.Row.OrganizationID, BeforeID: first.Row.ID}
	for _, h := range behind {
		returned.IDs, returned.LeaseNumbers = append(returned.IDs, h.Row.ID), append(returned.LeaseNumbers, h.Row.LeaseNumber)
	}
	err := w.folding.Persist(behind[0].Lease, nil, func(ctx context.Context) error {
		return w.store.Write(ctx, scopeOf(first.Row), func(ctx context.Context, q *db.Queries) error {
			_, err := q.ReturnEventsBehindIfLease(ctx, returned)
			return err
		})
	})
	if err != nil {
		w.log.Error("events were left behind", "organization", first.Row.OrganizationID, "events", len(behind), "error", err)
	}
	for _, h := range behind {
		h.LetGo()
	}
}

// attempt reports whether the event is delivered or given up, and returns an error if it could not bring it to another state.
func (w *Worker) attempt(stopping context.Context, h *queue.Hold[db.OutboxEvent], sending *sync.WaitGroup) (ended bool, err error) {
	if h.Row.Attempt > h.Row.MaxAttempts {
		err := w.quarantine(h, errExhausted)
		return err == nil, err
	}
	if stopping.Err() != nil {
		return w.failed(h, queue.ErrStopping)
	}
	then, err := w.send(stopping, h, sending)
	if err != nil {
		return w.failed(h, err)
	}
	err = w.settle(h, func(ctx context.Context, q *db.Queries) error {
		if err := w.fold(ctx, q, eventOf(h.Row), then); err != nil {
			return err
		}
		finished, err := q.FinishEventsIfLease(ctx, db.FinishEventsIfLeaseParams{
			OrganizationID: h.Row.OrganizationID, IDs: []uuid.UUID{h.Row.ID}, LeaseNumbers: []int64{h.Row.LeaseNumber},
		})
		if err == nil && len(finished) == 0 { // if the lease is lost after all, putting it back finds out
			return &consumerError{&LaterError{Uncounted: true, Err: errOutOfTurn}}
		}
		return err
	})
	if err != nil {
		return w.failed(h, err)
	}
	w.counters.delivered.Add(1)
	return true, nil
}

// send hands the event to the sender of its kind, if there is one.
func (w *Worker) send(stopping context.Context, h *queue.Hold[db.OutboxEvent], sending *sync.WaitGroup) (Fold, error) {
	sender := w.consumers.Senders[h.Row.Kind]
	if sender == nil {
		return nil, nil //nolint:nilnil // there is nothing to be sent, and nothing to be done after it
	}
	ctx, cancel := context.WithTimeoutCause(h.Lease, w.options.SendTimeout, errTimedOut)
	defer cancel()
	w.counters.sends.Add(1)
	return queue.Call(ctx, stopping, sending, func(ctx context.Context) (then Fold, err error) {
		err = w.safely(h.Row, func() (err error) {
			then, err = sender.Send(ctx, eventOf(h.Row))
			return err
		})
		return then, err
	})
}

// fold runs every fold, and then what the sender left to be done.
func (w *Worker) fold(ctx context.Context, q *db.Queries, e Event, then Fold) error {
	folds := w.consumers.Folds
	if then != nil {
		folds = append(folds[:len(folds):len(folds)], then)
	}
	for _, fold := range folds {
		err := w.safely(db.OutboxEvent{OrganizationID: e.Organization, ID: e.ID, Kind: e.Kind}, func() error { return fold(ctx, q, e) })
		if err != nil {
			return err
		}
	}
	return nil
}

// safely makes a panic of a consumer an error, and marks its errors as its own.
func (w *Worker) safely(row db.OutboxEvent, do func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			w.counters.crashes.Add(1)
			w.log.Error("a consumer panicked", "organization", row.OrganizationID, "event", row.ID, "kind", row.Kind, "reason", reason, "stack", string(debug.Stack()))
			err = &consumerError{errCrashed}
		}
	}()
	if err := do(); err != nil {
		return &consumerError{err}
	}
	return nil
}

// settle runs the transaction that brings an event to another state. It may have been committed before without anybody knowing, and then does nothing.
func (w *Worker) settle(h *queue.Hold[db.OutboxEvent], end func(ctx context.Context, q *db.Queries) error) error {
	return w.folding.Persist(h.Lease, isConsumers, func(ctx context.Context) error {
		return w.store.Write(ctx, scopeOf(h.Row), func(ctx context.Context, q *db.Queries) error {
			now, err := q.GetEventIfLease(ctx, db.GetEventIfLeaseParams{OrganizationID: h.Row.OrganizationID, ID: h.Row.ID, LeaseNumber: h.Row.LeaseNumber})
			switch {
			case errors.Is(err, pgx.ErrNoRows):
				return queue.ErrLeaseLost
			case err != nil:
				return err
			case now.FinishedAt != nil:
				return nil
			case now.LeaseExpiresAt == nil: // given back, by this lease's holder or because it ran out: in either case nobody's
				return queue.ErrLeaseLost
			}
			return end(ctx, q)
		})
	})
}

// failed decides what becomes of an event that could not be delivered. It reports whether that is the end of it.
func (w *Worker) failed(h *queue.Hold[db.OutboxEvent], reason error) (ended bool, err error) {
	if queue.LeftAlone(reason) {
		return false, reason
	}
	if errors.Is(reason, queue.ErrStopping) {
		err := w.release(h, nil, true, 0)
		if err == nil {
			w.counters.interrupted.Add(1)
		}
		return false, err
	}
	var permanent *PermanentError
	var later *LaterError
	log := w.log.With("organization", h.Row.OrganizationID, "event", h.Row.ID, "kind", h.Row.Kind, "attempt", h.Row.Attempt)
	code := codeOf(reason)
	switch {
	case errors.As(reason, &permanent):
		err := w.quarantine(h, reason)
		return err == nil, err
	case errors.As(reason, &later) && later.Uncounted:
		log.Debug("an event has to wait", "reason", reason, "after", later.After)
		err := w.release(h, &code, true, max(later.After, 0))
		if err == nil {
			w.counters.postponed.Add(1)
		}
		return false, err
	case h.Row.Attempt >= h.Row.MaxAttempts:
		err := w.quarantine(h, reason)
		return err == nil, err
	}
	delay := w.options.Backoff(int(h.Row.Attempt))
	if later != nil {
		delay = max(later.After, 0)
	}
	log.Warn("an event could not be delivered", "error", reason, "again_in", delay)
	err = w.release(h, &code, false, delay)
	if err == nil {
		w.counters.retried.Add(1)
	}
	return false, err
}

// release puts an event back, and those of its target behind it.
func (w *Worker) release(h *queue.Hold[db.OutboxEvent], failure *string, uncounted bool, delay time.Duration) error {
	return w.settle(h, func(ctx context.Context, q *db.Queries) error {
		_, err := q.ReleaseEventIfLease(ctx, db.ReleaseEventIfLeaseParams{OrganizationID: h.Row.OrganizationID, ID: h.Row.ID, LeaseNumber: h.Row.LeaseNumber,
			Failure: failure, Uncounted: uncounted, DelaySeconds: delay.Seconds()})
		return orLost(err)
	})
}

// quarantine takes an event out of the queue, and lets its sender know.
func (w *Worker) quarantine(h *queue.Hold[db.OutboxEvent], reason error) error {
	w.log.Error("an event is given up", "organization", h.Row.OrganizationID, "event", h.Row.ID, "kind", h.Row.Kind, "attempt", h.Row.Attempt, "error", reason)
	end := func(giveUp bool) error {
		return w.settle(h, func(ctx context.Context, q *db.Queries) error {
			if sender := w.consumers.Senders[h.Row.Kind]; sender != nil && giveUp {
				if err := w.safely(h.Row, func() error { return sender.GiveUp(ctx, q, eventOf(h.Row), reason) }); err != nil {
					return err
				}
			}
			_, err := q.QuarantineEventIfLease(ctx, db.QuarantineEventIfLeaseParams{OrganizationID: h.Row.OrganizationID, ID: h.Row.ID,
				LeaseNumber: h.Row.LeaseNumber, Failure: codeOf(reason)})
			return orLost(err)
		})
	}
	err := end(true)
	if isConsumers(err) { // it must not be tried for ever because of that
		w.log.Error("a sender could not give up", "organization", h.Row.OrganizationID, "event", h.Row.ID, "kind", h.Row.Kind, "error", err)
		err = end(false)
	}
	if err == nil {
		w.counters.quarantined.Add(1)
	}
	return err
}

func orLost(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return queue.ErrLeaseLost
	}
	return err
}

// codeOf is what the table keeps of an error. It is no text, since a text may name somebody, and the table is open to every organisation's transactions.
func codeOf(err error) string {
	var permanent *PermanentError
	var later *LaterError
	var constraint *db.ConstraintError
	var value *db.ValueError
	switch {
	case errors.Is(err, errCrashed):
		return failureCrashed
	case errors.Is(err, errExhausted):
		return failureExhausted
	case errors.Is(err, errTimedOut), errors.Is(err, context.DeadlineExceeded):
		return failureTimedOut
	case errors.As(err, &permanent):
		return failurePermanent
	case errors.As(err, &later):
		return failureLater
	case errors.As(err, &constraint), errors.As(err, &value):
		return failureRefused
	}
	return failureOther
}
