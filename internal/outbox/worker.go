package outbox

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/queue"
)

// eventContract is the newest form of event that this release understands; newer ones are left to newer workers.
const eventContract int16 = 3 // 2: mails to people who are invited; 3: mails about a change of what opens an account

// Options are how a Worker behaves in time. Zero values are replaced by the defaults named.
type Options struct {
	Deliveries  int           // events that are being sent at a time; 8
	Folding     int           // turns of events that only change the database, at a time; 2
	Batch       int           // events in such a turn, which share a transaction, at most 200; 100
	SendTimeout time.Duration // for one Send; a minute

	Lease        time.Duration // how long an event stays with a worker that has gone silent; 30 s
	Heartbeat    time.Duration // how often the leases are extended; a third of Lease
	Poll         time.Duration // how often to look for events that no notification told of; 1 s
	ReclaimEvery time.Duration // how often to look for leases that ran out; 500 ms
	Drain        time.Duration // how long the end of Run may take; 10 s

	// Backoff is how long an event waits after its failed attempt, counted from 1; 10 s, doubling to 2 h, jittered.
	Backoff func(attempt int) time.Duration
}

func (o Options) withDefaults() Options {
	o.Deliveries = cmp.Or(o.Deliveries, 8)
	o.Folding = cmp.Or(o.Folding, 2)
	o.Batch = cmp.Or(o.Batch, 100)
	o.SendTimeout = cmp.Or(o.SendTimeout, time.Minute)
	if o.Backoff == nil {
		o.Backoff = func(attempt int) time.Duration { return queue.Backoff(attempt, 10*time.Second, 2*time.Hour) }
	}
	return o
}

// Worker delivers the events of every organisation in turn. Any number of workers may serve one database, in one process or many.
type Worker struct {
	store     *db.Store
	log       *slog.Logger
	consumers Consumers
	options   Options
	counters  tally

	folding *queue.Worker[db.OutboxEvent] // events that only change the database
	sending *queue.Worker[db.OutboxEvent] // events that go out
}

// Stats is what a worker has done since it was made.
type Stats struct {
	Claimed     int64 // events taken
	Delivered   int64 // events ended as they should
	Retried     int64 // events put back after an attempt that failed
	Postponed   int64 // events put back, uncounted, because whoever is to have them asked for patience
	Interrupted int64 // events put back, uncounted, because the worker stopped
	Quarantined int64 // events given up
	LeasesLost  int64 // events left alone because they were another worker's
	Reclaimed   int64 // events of silent workers put back

	Sends         int64 // calls of senders
	Crashes       int64 // folds and senders that panicked
	Rewrites      int64 // transactions run again because the database could not be reached or was busy
	Notifications int64 // wake-ups by LISTEN; while it stays at 0, events are found by polling alone

	Held int64 // events held at present
}

type tally struct {
	delivered, retried, postponed, interrupted, quarantined, leasesLost, sends, crashes atomic.Int64
}

// NewWorker makes a worker, which does nothing until Run.
func NewWorker(store *db.Store, log *slog.Logger, consumers Consumers, options Options) *Worker {
	options = options.withDefaults()
	w := &Worker{store: store, log: log, consumers: consumers, options: options}
	times := queue.Options{Lease: options.Lease, Heartbeat: options.Heartbeat, Poll: options.Poll, ReclaimEvery: options.ReclaimEvery, Drain: options.Drain}

	times.Places = options.Deliveries
	sent := w.events(true, 1)
	sent.Many = "events to send"
	w.sending = queue.New(store, log, sent, w.work, times)

	// One of the two listens and reclaims for both.
	times.Places, times.Woken = options.Folding, w.sending.Look
	folded := w.events(false, options.Batch)
	folded.Channel, folded.Reclaim = Channel, w.reclaim
	w.folding = queue.New(store, log, folded, func(stopping context.Context, turn []*queue.Hold[db.OutboxEvent]) {
		w.work(stopping, turn)
		w.sending.Look() // for what the folds may have enqueued
	}, times)
	return w
}

// Run works until ctx ends. Then it interrupts what is being sent, gives the events back, uncounted, and returns nil. If that takes longer than Drain it
// returns an error and the leases run out by themselves. It runs once.
func (w *Worker) Run(ctx context.Context) error {
	var both errgroup.Group
	both.Go(func() error { return w.folding.Run(ctx) })
	both.Go(func() error { return w.sending.Run(ctx) })
	return both.Wait()
}

// Stats may be called at any time. The numbers are each right, but not of one moment.
func (w *Worker) Stats() Stats {
	f, s, c := w.folding.Stats(), w.sending.Stats(), &w.counters
	return Stats{
		Claimed:       f.Claimed + s.Claimed,
		Delivered:     c.delivered.Load(),
		Retried:       c.retried.Load(),
		Postponed:     c.postponed.Load(),
		Interrupted:   c.interrupted.Load(),
		Quarantined:   c.quarantined.Load(),
		LeasesLost:    c.leasesLost.Load(),
		Reclaimed:     f.Reclaimed,
		Sends:         c.sends.Load(),
		Crashes:       c.crashes.Load(),
		Rewrites:      f.Rewrites + s.Rewrites,
		Notifications: f.Notifications,
		Held:          f.Held + s.Held,
	}
}

// events are the rows of one of the two queues. A turn is up to batch events of one organisation; of each target the
// oldest, and then those behind it.
func (w *Worker) events(outgoing bool, batch int) queue.Table[db.OutboxEvent] {
	return queue.Table[db.OutboxEvent]{
		One: "event", Many: "events",
		Claim: func(ctx context.Context, q *db.Queries, after uuid.UUID, wanted int, lease time.Duration) ([][]db.OutboxEvent, uuid.UUID, error) {
			return queue.InTurn(after, wanted, func(from uuid.UUID, wanted int) ([][]db.OutboxEvent, error) {
				events, err := q.ClaimEvents(ctx, db.ClaimEventsParams{
					LeaseSeconds: lease.Seconds(), Outgoing: outgoing, AfterOrganizationID: from, Contract: eventContract,
					Batch: int32(batch), Turns: int32(wanted), //nolint:gosec // the places of one process
				})
				return perOrganization(events), err
			}, func(turn []db.OutboxEvent) uuid.UUID { return turn[0].OrganizationID })
		},
		Lease: func(e db.OutboxEvent) queue.Lease {
			return queue.Lease{Key: queue.Key{Organization: e.OrganizationID, ID: e.ID}, Number: e.LeaseNumber}
		},
		Extend: func(ctx context.Context, q *db.Queries, leases []queue.Lease, lease time.Duration) ([]queue.Key, error) {
			extended := db.ExtendEventLeasesParams{LeaseSeconds: lease.Seconds()}
			for _, l := range leases {
				extended.OrganizationIDs = append(extended.OrganizationIDs, l.Organization)
				extended.IDs = append(extended.IDs, l.ID)
				extended.LeaseNumbers = append(extended.LeaseNumbers, l.Number)
			}
			rows, err := q.ExtendEventLeases(ctx, extended)
			kept := make([]queue.Key, len(rows))
			for i, row := range rows {
				kept[i] = queue.Key{Organization: row.OrganizationID, ID: row.ID}
			}
			return kept, err
		},
	}
}

func (w *Worker) reclaim(ctx context.Context, q *db.Queries) ([]queue.Lapsed, error) {
	rows, err := q.RequeueExpiredEvents(ctx)
	lapsed := make([]queue.Lapsed, len(rows))
	for i, row := range rows {
		lapsed[i] = queue.Lapsed{Key: queue.Key{Organization: row.OrganizationID, ID: row.ID}, Attempt: row.Attempt}
	}
	if len(rows) > 0 {
		w.sending.Look()
	}
	return lapsed, err
}

// perOrganization puts claimed events, which come in no order, into turns, each in the order in which its events were written, which is that of each target.
func perOrganization(events []db.OutboxEvent) (turns [][]db.OutboxEvent) {
	slices.SortFunc(events, func(a, b db.OutboxEvent) int {
		return cmp.Or(bytes.Compare(a.OrganizationID[:], b.OrganizationID[:]), a.CreatedAt.Compare(b.CreatedAt), bytes.Compare(a.ID[:], b.ID[:]))
	})
	for i, e := range events {
		if i == 0 || e.OrganizationID != events[i-1].OrganizationID {
			turns = append(turns, nil)
		}
		turns[len(turns)-1] = append(turns[len(turns)-1], e)
	}
	return turns
}

// work delivers a turn of one organisation's events: those that have not failed yet and only change the database in one transaction, the others, and all if
// that transaction fails, one by one. What is behind one that was not delivered is put back.
func (w *Worker) work(stopping context.Context, turn []*queue.Hold[db.OutboxEvent]) {
	var sending sync.WaitGroup
	defer sending.Wait() // a sender that does not let go keeps its place, not the event
	var together, alone []*queue.Hold[db.OutboxEvent]
	apart := map[uuid.UUID]bool{} // targets of which one is delivered by itself, and so are those behind it
	for _, h := range turn {
		if !apart[h.Row.TargetID] && w.consumers.Senders[h.Row.Kind] == nil && h.Row.Attempt == 1 {
			together = append(together, h)
		} else {
			alone, apart[h.Row.TargetID] = append(alone, h), true
		}
	}
	if len(together) > 1 && w.foldTogether(stopping, together) == nil {
		w.counters.delivered.Add(int64(len(together)))
		for _, h := range together {
			h.LetGo()
		}
	} else {
		alone = turn
	}
	behind := map[uuid.UUID][]*queue.Hold[db.OutboxEvent]{} // by their targets, the first of which was not delivered
	for _, h := range alone {
		if first := behind[h.Row.TargetID]; first != nil {
			behind[h.Row.TargetID] = append(first, h)
			continue
		}
		if !w.deliver(stopping, h, &sending) {
			behind[h.Row.TargetID] = append(behind[h.Row.TargetID], h)
		}
		h.LetGo()
	}
	for _, held := range behind {
		if len(held) > 1 {
			w.putBack(held[0], held[1:])
		}
	}
}
