package ai

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/queue"
)

// jobContract is the newest form of job that this release understands; newer ones are left to newer workers.
// With 2 a job may be for the rules alone.
const jobContract int16 = 2

// JobsChannel is the channel of LISTEN and NOTIFY on which workers hear of new jobs.
const JobsChannel = "kakeai_jobs"

// wakeEvery bounds what being told costs those who write; somebody waits for the coach.
const wakeEvery = 50 * time.Millisecond

// NewWaker returns what tells workers of new jobs, after the commit of the transaction that queued one.
func NewWaker(store *db.Store, log *slog.Logger) *queue.Waker {
	return queue.NewWaker(store, log, JobsChannel, wakeEvery)
}

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
	if o.Backoff == nil {
		o.Backoff = func(attempt int) time.Duration { return queue.Backoff(attempt, 2*time.Second, 5*time.Minute) }
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
	queue    *queue.Worker[db.AIJob]
	store    *db.Store
	provider Provider
	rules    Provider // answers where no model may be asked
	log      *slog.Logger
	options  WorkerOptions
	counters tally
}

// NewWorker makes a worker, which does nothing until Run.
func NewWorker(store *db.Store, provider Provider, log *slog.Logger, options WorkerOptions) *Worker {
	options = options.withDefaults()
	w := &Worker{store: store, provider: provider, rules: NewRules(), log: log, options: options}
	w.queue = queue.New(store, log, jobs(), w.work, queue.Options{Places: options.Concurrency, Lease: options.Lease, Heartbeat: options.Heartbeat,
		Poll: options.Poll, ReclaimEvery: options.ReclaimEvery, Drain: options.Drain})
	return w
}

// Run works until ctx ends. Then it interrupts the calls under way, gives their jobs back, uncounted, and returns nil. If that takes
// longer than Drain, because a provider or the database does not let go, it returns an error and the leases run out by themselves.
// It runs once.
func (w *Worker) Run(ctx context.Context) error { return w.queue.Run(ctx) }

// jobs are the queue's rows. A turn is one job.
func jobs() queue.Table[db.AIJob] {
	return queue.Table[db.AIJob]{
		One: "job", Many: "jobs", Channel: JobsChannel,
		Claim: claimInTurn,
		Lease: func(job db.AIJob) queue.Lease {
			return queue.Lease{Key: queue.Key{Organization: job.OrganizationID, ID: job.ID}, Number: job.LeaseNumber}
		},
		Extend: func(ctx context.Context, q *db.Queries, leases []queue.Lease, lease time.Duration) ([]queue.Key, error) {
			extended := db.ExtendLeasesParams{LeaseSeconds: lease.Seconds()}
			for _, l := range leases {
				extended.OrganizationIDs = append(extended.OrganizationIDs, l.Organization)
				extended.IDs = append(extended.IDs, l.ID)
				extended.LeaseNumbers = append(extended.LeaseNumbers, l.Number)
			}
			rows, err := q.ExtendLeases(ctx, extended)
			kept := make([]queue.Key, len(rows))
			for i, row := range rows {
				kept[i] = queue.Key{Organization: row.OrganizationID, ID: row.ID}
			}
			return kept, err
		},
		Reclaim: func(ctx context.Context, q *db.Queries) ([]queue.Lapsed, error) {
			rows, err := q.RequeueExpiredJobs(ctx)
			lapsed := make([]queue.Lapsed, len(rows))
			for i, row := range rows {
				lapsed[i] = queue.Lapsed{Key: queue.Key{Organization: row.OrganizationID, ID: row.ID}, Attempt: row.Attempt}
			}
			return lapsed, err
		},
	}
}

// claimInTurn takes one job of one organisation after another.
func claimInTurn(ctx context.Context, q *db.Queries, after uuid.UUID, wanted int, lease time.Duration) ([][]db.AIJob, uuid.UUID, error) {
	return queue.InTurn(after, wanted, func(from uuid.UUID, wanted int) ([][]db.AIJob, error) {
		jobs, err := q.ClaimJobs(ctx, db.ClaimJobsParams{
			LeaseSeconds:        lease.Seconds(),
			AfterOrganizationID: from,
			Contract:            jobContract,
			Batch:               int32(wanted), //nolint:gosec // the places of one process
		})
		turns := make([][]db.AIJob, len(jobs))
		for i, job := range jobs {
			turns[i] = []db.AIJob{job}
		}
		return turns, err
	}, func(turn []db.AIJob) uuid.UUID { return turn[0].OrganizationID })
}
