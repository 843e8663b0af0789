// Package queue has the rows of a table worked on by any number of processes: claimed in turns over the organisations, leased, and given back. What the
// rows are, and what becomes of them, is the business of those who use it: the coach's jobs, the events of the outbox, the clocks of the scheduler.
package queue

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// fencedSlowdown is how much rarer a worker that may not write looks whether it may again.
const fencedSlowdown = 10

var (
	// ErrLeaseLost says that a row is no longer this worker's: it was cancelled, or its lease ran out and may be another's.
	ErrLeaseLost = errors.New("queue: the lease is lost")
	// ErrStopping is the cause with which work is interrupted because its worker is to end.
	ErrStopping = errors.New("queue: the worker is stopping")
	// ErrAbandoned says that a worker had to end before all that it held was given back. The leases run out by themselves.
	ErrAbandoned = errors.New("queue: the worker had to stop before all was given back")
)

// Key names a row.
type Key struct{ Organization, ID uuid.UUID }

// Lease is a process's right to a row: Number is raised by each claim, and compared by every transaction that changes the row.
type Lease struct {
	Key
	Number int64
}

// Lapsed is a row that was put back because its worker had gone silent.
type Lapsed struct {
	Key
	Attempt int16
}

// Table is how a worker comes by rows and keeps them. Each function is called in a transaction of its own across organisations.
type Table[R any] struct {
	One, Many string // what a row and several are called in the log, such as "job" and "jobs"
	Channel   string // of LISTEN and NOTIFY, on which workers hear of new rows; empty: there are no notifications

	// Claim leases the rows of as many turns as wanted, if there are so many, beginning with the organisation behind after, and returns the organisation
	// to begin behind next time. A turn is what one organisation gets before the next one does, and takes one place.
	Claim func(ctx context.Context, q *db.Queries, after uuid.UUID, wanted int, lease time.Duration) (turns [][]R, last uuid.UUID, err error)
	// Lease is the right that a claimed row came with.
	Lease func(row R) Lease
	// Extend prolongs the leases that are still held, and returns whose they were.
	Extend func(ctx context.Context, q *db.Queries, leases []Lease, lease time.Duration) (kept []Key, err error)
	// Reclaim puts rows back whose leases ran out, a bounded number at a time. Nil: somebody else does.
	Reclaim func(ctx context.Context, q *db.Queries) ([]Lapsed, error)
}

// Options are how a Worker behaves in time. Zero values are replaced by the defaults named.
type Options struct {
	Places       int           // turns at a time; 4
	Lease        time.Duration // how long a row stays with a worker that has gone silent; 30 s
	Heartbeat    time.Duration // how often the leases are extended; a third of Lease
	Poll         time.Duration // how often to look for rows that no notification told of; 1 s
	ReclaimEvery time.Duration // how often to look for leases that ran out; 500 ms
	Drain        time.Duration // how long the end of Run may take; 10 s

	// Woken is called at each notification, and after each new connection to hear of them. It must not block. May be nil.
	Woken func()
}

func (o Options) withDefaults() Options {
	o.Places = cmp.Or(o.Places, 4)
	o.Lease = cmp.Or(o.Lease, 30*time.Second)
	o.Heartbeat = cmp.Or(o.Heartbeat, o.Lease/3)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.ReclaimEvery = cmp.Or(o.ReclaimEvery, 500*time.Millisecond)
	o.Drain = cmp.Or(o.Drain, 10*time.Second)
	if o.Woken == nil {
		o.Woken = func() {}
	}
	return o
}

// Work does a turn's work. It brings each row to its next state by transactions that compare the row's lease, or leaves it to its next holder, and
// lets go of it. stopping ends when the worker is to end; what is under way is then to be given back.
type Work[R any] func(stopping context.Context, turn []*Hold[R])

// Worker takes the rows of every organisation in turn and has them worked on. Any number of workers may serve one database, in one process or many.
//
// A row is a worker's for as long as the database says that its lease number is the one of the claim. Each transaction that ends its work compares it,
// so a worker that was stopped, cut off or slow can neither lose a result nor write a second one.
type Worker[R any] struct {
	store    *db.Store
	log      *slog.Logger
	table    Table[R]
	work     Work[R]
	options  Options
	counters tally

	places chan struct{} // one for each turn that is claimed and not done with
	look   chan struct{} // filled: there may be something to claim

	after  uuid.UUID // the organisation that was served last; only the claiming goroutine's
	fenced bool      // this release may not write at present; only the claiming goroutine's

	mu          sync.Mutex
	held        map[*Hold[R]]struct{}
	pausedUntil time.Time
}

// Stats is what a worker has done since it was made.
type Stats struct {
	Claimed       int64 // rows taken
	Reclaimed     int64 // rows of silent workers put back
	Rewrites      int64 // transactions run again because the database could not be reached or was busy
	Notifications int64 // wake-ups by LISTEN; while it stays at 0, rows are found by polling alone
	Held          int64 // rows held at present
}

type tally struct{ claimed, reclaimed, rewrites, notifications atomic.Int64 }

// New makes a worker, which does nothing until Run.
func New[R any](store *db.Store, log *slog.Logger, table Table[R], work Work[R], options Options) *Worker[R] {
	options = options.withDefaults()
	return &Worker[R]{
		store:   store,
		log:     log,
		table:   table,
		work:    work,
		options: options,
		places:  make(chan struct{}, options.Places),
		look:    make(chan struct{}, 1),
		after:   uuid.New(), // many workers that start at once begin in different places
		held:    map[*Hold[R]]struct{}{},
	}
}

// Run works until ctx ends. Then it has what is under way interrupted and given back, and returns nil. If that takes longer than Drain, because the work or
// the database does not let go, it returns ErrAbandoned and the leases run out by themselves. It runs once.
func (w *Worker[R]) Run(ctx context.Context) error {
	// Work outlives ctx for as long as it takes to give it back.
	working, abandon := context.WithCancelCause(context.WithoutCancel(ctx))
	defer abandon(ErrAbandoned)

	var beside, turns sync.WaitGroup
	defer beside.Wait()
	if w.table.Channel != "" {
		beside.Go(func() { w.listen(ctx) })
		beside.Go(func() { w.testNotifications(ctx, notificationTimeout) })
	}
	beating, stopBeating := context.WithCancel(working)
	defer stopBeating()
	beside.Go(func() { w.beat(beating) })

	w.claimUntilDone(ctx, func(rows []R, leaseEnd time.Time) {
		turn := make([]*Hold[R], len(rows))
		for i, row := range rows {
			turn[i] = w.hold(working, row, leaseEnd)
		}
		w.places <- struct{}{}
		turns.Go(func() {
			defer w.Look()
			defer func() { <-w.places }()
			defer letAllGo(turn)
			w.work(ctx, turn)
		})
	})

	ended := make(chan struct{})
	go func() {
		turns.Wait()
		close(ended)
	}()
	overrun := time.NewTimer(w.options.Drain)
	defer overrun.Stop()
	select {
	case <-ended:
		return nil
	case <-overrun.C:
		return fmt.Errorf("%w: %d turns of %s after %s", ErrAbandoned, len(w.places), w.table.Many, w.options.Drain)
	}
}

// claimUntilDone reclaims and claims until ctx ends, and starts what it claimed.
func (w *Worker[R]) claimUntilDone(ctx context.Context, start func(turn []R, leaseEnd time.Time)) {
	claiming := outage{log: w.log, what: "claiming " + w.table.Many}
	reclaiming := outage{log: w.log, what: "reclaiming " + w.table.Many}
	poll, reclaim := time.NewTimer(0), time.NewTimer(0)
	defer poll.Stop()
	defer reclaim.Stop()
	if w.table.Reclaim == nil {
		reclaim.Stop()
	}
	for {
		look := w.look
		if w.fenced {
			look = nil
		}
		select {
		case <-ctx.Done():
			return
		case <-reclaim.C:
			err := w.reclaim(ctx)
			w.note(ctx, &reclaiming, err)
			reclaim.Reset(w.pace(w.options.ReclaimEvery))
			continue
		case <-poll.C:
		case <-look:
		}
		if ctx.Err() != nil {
			return // rather than take up again what is just being given back
		}
		if left := w.PauseLeft(); left > 0 {
			poll.Reset(left)
			continue
		}
		err := w.claim(ctx, start)
		w.note(ctx, &claiming, err)
		poll.Reset(w.pace(w.options.Poll))
	}
}

// pace is interval, jittered so that workers do not ask in step, and longer while asking is likely to be in vain.
func (w *Worker[R]) pace(interval time.Duration) time.Duration {
	if w.fenced {
		interval *= fencedSlowdown
	}
	return interval - rand.N(interval/5+1)
}

// note keeps track of whether this release may write, and logs when that, or the success of what o stands for, changes.
func (w *Worker[R]) note(ctx context.Context, o *outage, err error) {
	switch fenced := mayNotWrite(err); {
	case ctx.Err() != nil:
	case fenced && !w.fenced:
		w.fenced = true
		w.log.Warn("the worker may not write and takes no "+w.table.Many, "reason", err)
	case fenced:
	default:
		if err == nil && w.fenced {
			w.fenced = false
			w.log.Info("the worker may write again and takes " + w.table.Many)
		}
		o.note(err)
	}
}

// claim takes as many turns as there are free places.
func (w *Worker[R]) claim(ctx context.Context, start func(turn []R, leaseEnd time.Time)) error {
	free := cap(w.places) - len(w.places)
	if free == 0 {
		return nil
	}
	var turns [][]R
	var last uuid.UUID
	var asked time.Time
	err := w.store.SystemWrite(ctx, db.Background, func(ctx context.Context, q *db.Queries) (err error) {
		asked = time.Now()
		turns, last, err = w.table.Claim(ctx, q, w.after, free, w.options.Lease)
		return err
	})
	if err != nil {
		return err
	}
	w.after = last
	for _, turn := range turns {
		w.counters.claimed.Add(int64(len(turn)))
		start(turn, asked.Add(w.options.Lease))
	}
	return nil
}

// InTurn takes turns of one organisation after another, beginning behind after and going round until there are as many as wanted or none is left: an
// organisation with a thousand waiting rows has no more turns than one with two. round takes at most one turn of each organisation behind from, at most
// wanted, and organization says whose a turn is.
func InTurn[T any](after uuid.UUID, wanted int, round func(from uuid.UUID, wanted int) ([]T, error), organization func(T) uuid.UUID) (turns []T, last uuid.UUID, err error) {
	last = after
	for from := after; len(turns) < wanted; from = uuid.Nil {
		taken, err := round(from, wanted-len(turns))
		if err != nil {
			return nil, after, err
		}
		if len(taken) == 0 && from == uuid.Nil {
			break
		}
		for i, turn := range taken {
			if id := organization(turn); i == 0 || bytes.Compare(id[:], last[:]) > 0 {
				last = id
			}
		}
		turns = append(turns, taken...)
	}
	return turns, last, nil
}

// reclaim puts the rows of workers that went silent back.
func (w *Worker[R]) reclaim(ctx context.Context) error {
	var lapsed []Lapsed
	err := w.store.SystemWrite(ctx, db.Background, func(ctx context.Context, q *db.Queries) (err error) {
		lapsed, err = w.table.Reclaim(ctx, q)
		return err
	})
	if err != nil || len(lapsed) == 0 {
		return err
	}
	for _, row := range lapsed {
		w.log.Warn("the lease of a "+w.table.One+" ran out", "organization", row.Organization, w.table.One, row.ID, "attempt", row.Attempt)
	}
	w.counters.reclaimed.Add(int64(len(lapsed)))
	w.Look()
	return nil
}

// Look has the worker look for rows now. It never blocks.
func (w *Worker[R]) Look() {
	select {
	case w.look <- struct{}{}:
	default: // it will be looked anyway
	}
}

// Pause keeps this worker from claiming for a while.
func (w *Worker[R]) Pause(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if until := time.Now().Add(d); until.After(w.pausedUntil) {
		w.pausedUntil = until
	}
}

// PauseLeft is for how much longer the worker does not claim; not positive: it does.
func (w *Worker[R]) PauseLeft() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Until(w.pausedUntil)
}

// Stats may be called at any time. The numbers are each right, but not of one moment.
func (w *Worker[R]) Stats() Stats {
	w.mu.Lock()
	held := int64(len(w.held))
	w.mu.Unlock()
	return Stats{
		Claimed:       w.counters.claimed.Load(),
		Reclaimed:     w.counters.reclaimed.Load(),
		Rewrites:      w.counters.rewrites.Load(),
		Notifications: w.counters.notifications.Load(),
		Held:          held,
	}
}

// mayNotWrite reports whether err says that this release, or anybody, is kept from writing.
func mayNotWrite(err error) bool {
	return errors.Is(err, db.ErrFenced) || errors.Is(err, db.ErrReadOnly) || errors.Is(err, db.ErrMaintenance)
}

// Backoff doubles from shortest, at attempt 1, to longest; the second half of each wait is random.
func Backoff(attempt int, shortest, longest time.Duration) time.Duration {
	wait := longest
	if doublings := max(attempt-1, 0); doublings < 32 && shortest<<doublings < longest {
		wait = shortest << doublings
	}
	return wait/2 + rand.N(wait/2+1)
}

// sleep reports whether it slept to the end; false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// outage logs the beginning and the end of a row of failures, not each of them.
type outage struct {
	log  *slog.Logger
	what string
	on   bool
}

func (o *outage) note(err error) {
	switch {
	case err != nil && !o.on:
		o.log.Warn(o.what+" fails", "error", err)
	case err == nil && o.on:
		o.log.Info(o.what + " succeeds again")
	}
	o.on = err != nil
}
