package ai

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// jobContract is the newest form of job that this release understands; newer ones are left to newer workers.
const jobContract int16 = 1

// fencedSlowdown is how much rarer a worker that may not write looks whether it may again.
const fencedSlowdown = 10

var (
	// ErrLeaseLost says that a job is no longer this worker's: it was cancelled, or its lease ran out and may be another's.
	ErrLeaseLost = errors.New("ai: the lease of the job is lost")

	errStopping  = errors.New("ai: the worker is stopping")
	errAbandoned = errors.New("ai: the worker had to stop before its jobs were given back")
)

// WorkerOptions are how a Worker behaves in time. Zero values are replaced by the defaults named.
type WorkerOptions struct {
	Concurrency  int           // calls at a time; 4
	Lease        time.Duration // how long a job stays with a worker that has gone silent; 30 s
	Heartbeat    time.Duration // how often the leases are extended; a third of Lease
	Poll         time.Duration // how often to look for jobs that no notification told of; 1 s
	ReclaimEvery time.Duration // how often to look for leases that ran out; 500 ms
	Drain        time.Duration // how long the end of Run may take; 10 s

	// Backoff is how long a job waits after its failed attempt, counted from 1; 2 s, doubling to 5 min, jittered.
	Backoff func(attempt int) time.Duration
	// Now is the time of day, which tells a request what day it is; time.Now. Leases never depend on it.
	Now func() time.Time
	// Progress receives the text of an answer as far as it has been written, and at last, when there is nothing more to show, an
	// empty one. It must not block. May be nil.
	Progress func(job uuid.UUID, text string)
}

func (o WorkerOptions) withDefaults() WorkerOptions {
	o.Concurrency = cmp.Or(o.Concurrency, 4)
	o.Lease = cmp.Or(o.Lease, 30*time.Second)
	o.Heartbeat = cmp.Or(o.Heartbeat, o.Lease/3)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.ReclaimEvery = cmp.Or(o.ReclaimEvery, 500*time.Millisecond)
	o.Drain = cmp.Or(o.Drain, 10*time.Second)
	if o.Backoff == nil {
		o.Backoff = func(attempt int) time.Duration { return backoff(attempt, 2*time.Second, 5*time.Minute) }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(uuid.UUID, string) {}
	}
	return o
}

// Worker takes jobs from the queue of every organisation in turn, has a provider answer them, and writes what came of it.
// Any number of workers may serve one database, in one process or many.
//
// A job is a worker's for as long as the database says that its lease_number is the one of the claim. Each transaction that
// ends a job compares it, so a worker that was stopped, cut off or slow can neither lose a result nor write a second one.
type Worker struct {
	store    *db.Store
	provider Provider
	log      *slog.Logger
	options  WorkerOptions
	counters tally

	places chan struct{} // one for each job that is claimed and not done with
	look   chan struct{} // filled: there may be something to claim

	after  uuid.UUID // the organisation that was served last; only the claiming goroutine's
	fenced bool      // this release may not write at present; only the claiming goroutine's

	mu          sync.Mutex
	held        map[*hold]struct{}
	pausedUntil time.Time // the provider asked to be left alone until then
}

// NewWorker makes a worker, which does nothing until Run.
func NewWorker(store *db.Store, provider Provider, log *slog.Logger, options WorkerOptions) *Worker {
	options = options.withDefaults()
	return &Worker{
		store:    store,
		provider: provider,
		log:      log,
		options:  options,
		places:   make(chan struct{}, options.Concurrency),
		look:     make(chan struct{}, 1),
		after:    uuid.New(), // many workers that start at once begin in different places
		held:     map[*hold]struct{}{},
	}
}

// Run works until ctx ends. Then it interrupts the calls under way, gives their jobs back, uncounted, and returns nil. If that takes
// longer than Drain, because a provider or the database does not let go, it returns an error and the leases run out by themselves.
// It runs once.
func (w *Worker) Run(ctx context.Context) error {
	// Work outlives ctx for as long as it takes to give it back.
	working, abandon := context.WithCancelCause(context.WithoutCancel(ctx))
	defer abandon(errAbandoned)

	var beside, jobs sync.WaitGroup
	defer beside.Wait()
	beside.Go(func() { w.listen(ctx) })
	beside.Go(func() { w.testNotifications(ctx, notificationTimeout) })
	beating, stopBeating := context.WithCancel(working)
	defer stopBeating()
	beside.Go(func() { w.beat(beating) })

	w.claimUntilDone(ctx, func(job db.AIJob, leaseEnd time.Time) {
		lease, h := w.hold(working, job, leaseEnd)
		w.places <- struct{}{}
		jobs.Go(func() {
			defer w.lookAgain()
			defer func() { <-w.places }()
			w.work(lease, ctx, h)
		})
	})

	ended := make(chan struct{})
	go func() {
		jobs.Wait()
		close(ended)
	}()
	overrun := time.NewTimer(w.options.Drain)
	defer overrun.Stop()
	select {
	case <-ended:
		return nil
	case <-overrun.C:
		return fmt.Errorf("%w: %d of them after %s", errAbandoned, len(w.places), w.options.Drain)
	}
}

// claimUntilDone reclaims and claims until ctx ends, and starts what it claimed.
func (w *Worker) claimUntilDone(ctx context.Context, start func(job db.AIJob, leaseEnd time.Time)) {
	claiming := outage{log: w.log, what: "claiming jobs"}
	reclaiming := outage{log: w.log, what: "reclaiming jobs"}
	poll, reclaim := time.NewTimer(0), time.NewTimer(0)
	defer poll.Stop()
	defer reclaim.Stop()
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
		if left := w.pauseLeft(); left > 0 {
			poll.Reset(left)
			continue
		}
		err := w.claim(ctx, start)
		w.note(ctx, &claiming, err)
		poll.Reset(w.pace(w.options.Poll))
	}
}

// pace is interval, jittered so that workers do not ask in step, and longer while asking is likely to be in vain.
func (w *Worker) pace(interval time.Duration) time.Duration {
	if w.fenced {
		interval *= fencedSlowdown
	}
	return interval - rand.N(interval/5+1)
}

// note keeps track of whether this release may write, and logs when that, or the success of what o stands for, changes.
func (w *Worker) note(ctx context.Context, o *outage, err error) {
	switch fenced := mayNotWrite(err); {
	case ctx.Err() != nil:
	case fenced && !w.fenced:
		w.fenced = true
		w.log.Warn("the worker may not write and takes no jobs", "reason", err)
	case fenced:
	default:
		if err == nil && w.fenced {
			w.fenced = false
			w.log.Info("the worker may write again")
		}
		o.note(err)
	}
}

// claim takes as many jobs as there are free places.
func (w *Worker) claim(ctx context.Context, start func(job db.AIJob, leaseEnd time.Time)) error {
	free := cap(w.places) - len(w.places)
	if free == 0 {
		return nil
	}
	var jobs []db.AIJob
	var after uuid.UUID
	var asked time.Time
	err := w.store.SystemWrite(ctx, db.Background, func(ctx context.Context, q *db.Queries) (err error) {
		asked = time.Now()
		jobs, after, err = claimInTurn(ctx, q, w.after, free, w.options.Lease)
		return err
	})
	if err != nil {
		return err
	}
	w.after = after
	w.counters.claimed.Add(int64(len(jobs)))
	for _, job := range jobs {
		start(job, asked.Add(w.options.Lease))
	}
	return nil
}

// claimInTurn takes jobs of one organisation after another, beginning behind after and going round until there are as many
// as wanted or none is left: an organisation with a thousand waiting jobs has no more turns than one with two.
// It returns the organisation to begin behind next time.
func claimInTurn(ctx context.Context, q *db.Queries, after uuid.UUID, wanted int, lease time.Duration) ([]db.AIJob, uuid.UUID, error) {
	var jobs []db.AIJob
	for from := after; len(jobs) < wanted; from = uuid.Nil {
		round, err := q.ClaimJobs(ctx, db.ClaimJobsParams{
			LeaseSeconds:        lease.Seconds(),
			AfterOrganizationID: from,
			Contract:            jobContract,
			Batch:               int32(wanted - len(jobs)), //nolint:gosec // the places of one process
		})
		if err != nil {
			return nil, after, err
		}
		if len(round) == 0 && from == uuid.Nil {
			break
		}
		for i, job := range round {
			if i == 0 || bytes.Compare(job.OrganizationID[:], after[:]) > 0 {
				after = job.OrganizationID
			}
		}
		jobs = append(jobs, round...)
	}
	return jobs, after, nil
}

// reclaim puts the jobs of workers that went silent back in the queue.
func (w *Worker) reclaim(ctx context.Context) error {
	var requeued []db.RequeueExpiredJobsRow
	err := w.store.SystemWrite(ctx, db.Background, func(ctx context.Context, q *db.Queries) (err error) {
		requeued, err = q.RequeueExpiredJobs(ctx)
		return err
	})
	if err != nil || len(requeued) == 0 {
		return err
	}
	for _, job := range requeued {
		w.log.Warn("a job's lease ran out", "organization", job.OrganizationID, "job", job.ID, "attempt", job.Attempt)
	}
	w.counters.reclaimed.Add(int64(len(requeued)))
	w.lookAgain()
	return nil
}

func (w *Worker) lookAgain() {
	select {
	case w.look <- struct{}{}:
	default: // it will be looked anyway
	}
}

// pause keeps every job of this process from the provider for a while.
func (w *Worker) pause(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if until := time.Now().Add(d); until.After(w.pausedUntil) {
		w.pausedUntil = until
	}
}

func (w *Worker) pauseLeft() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Until(w.pausedUntil)
}

// mayNotWrite reports whether err says that this release, or anybody, is kept from writing.
func mayNotWrite(err error) bool {
	return errors.Is(err, db.ErrFenced) || errors.Is(err, db.ErrReadOnly) || errors.Is(err, db.ErrMaintenance)
}

// backoff doubles from shortest to longest; the second half of each wait is random.
func backoff(attempt int, shortest, longest time.Duration) time.Duration {
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
