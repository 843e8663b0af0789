package schedule

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/queue"
)

const (
	// attempts is how often a run is begun that does not end well, or whose program ends in the middle of it.
	attempts = 3
	// made is how many due times are made up for at most.
	made = 100
	// longestRest is for how long an organisation is left alone, so that a new run, or another time zone, is noticed.
	longestRest = time.Hour
)

// What became of a run.
const (
	succeeded = "succeeded"
	failed    = "failed"
)

var (
	errCrashed   = errors.New("schedule: it panicked")
	errTimedOut  = errors.New("schedule: it took too long")
	errExhausted = errors.New("schedule: the programs that ran it ended in the middle of it")
)

// Options are how a Scheduler behaves in time. Zero values are replaced by the defaults named.
type Options struct {
	Places       int           // organisations at a time; 4
	Timeout      time.Duration // for one Do; 10 min
	Lease        time.Duration // how long an organisation stays with a scheduler that has gone silent; 30 s
	Heartbeat    time.Duration // how often the leases are extended; a third of Lease
	Poll         time.Duration // how often to look for what is due; 1 s
	ReclaimEvery time.Duration // how often to look for leases that ran out; 5 s
	Drain        time.Duration // how long the end of Run may take; 10 s

	// Backoff is how long a run waits after an attempt that failed, counted from 1; 2 min, doubling to an hour, jittered.
	Backoff func(attempt int) time.Duration
	// Scope runs do in the scope that work which do defers belongs to; without it, do is called. run is the run's name.
	Scope func(ctx context.Context, run string, do func(ctx context.Context) error) error
	// Now is the time; the database's clock.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.Places = cmp.Or(o.Places, 4)
	o.Timeout = cmp.Or(o.Timeout, 10*time.Minute)
	o.ReclaimEvery = cmp.Or(o.ReclaimEvery, 5*time.Second)
	if o.Backoff == nil {
		o.Backoff = func(attempt int) time.Duration { return queue.Backoff(attempt, 2*time.Minute, time.Hour) }
	}
	if o.Scope == nil {
		o.Scope = func(ctx context.Context, _ string, do func(ctx context.Context) error) error { return do(ctx) }
	}
	return o
}

// Scheduler does what is due. Any number of them may serve one database, in one process or many: each run happens once, and again only if its
// program ended in the middle of it.
type Scheduler struct {
	queue    *queue.Worker[db.OrganizationClock]
	store    *db.Store
	log      *slog.Logger
	runs     []Run
	names    []string
	options  Options
	counters tally
}

// Stats is what a scheduler has done since it was made.
type Stats struct {
	Looks      int64 // organisations whose clock had come
	Succeeded  int64 // runs that ended as they should
	Failed     int64 // runs given up
	Retried    int64 // runs that failed and are to be tried again
	Skipped    int64 // runs that were due too long ago
	LeasesLost int64 // organisations left alone because they were another scheduler's
	Reclaimed  int64 // organisations of silent schedulers taken over
	Crashes    int64 // runs that panicked
	Held       int64 // organisations held at present
}

type tally struct {
	succeeded, failed, retried, skipped, leasesLost, crashes atomic.Int64
}

// New makes a scheduler, which does nothing until Run. Names must differ.
func New(store *db.Store, log *slog.Logger, runs []Run, options Options) *Scheduler {
	options = options.withDefaults()
	s := &Scheduler{store: store, log: log, runs: runs, options: options}
	for _, run := range runs {
		s.names = append(s.names, run.Name)
	}
	s.queue = queue.New(store, log, clocks(), s.work, queue.Options{Places: options.Places, Lease: options.Lease, Heartbeat: options.Heartbeat,
		Poll: options.Poll, ReclaimEvery: options.ReclaimEvery, Drain: options.Drain})
	return s
}

// Run works until ctx ends. Then it interrupts what is under way, gives it back, uncounted, and returns nil. If that takes longer than Drain it returns an error
// and the leases run out by themselves. It runs once.
func (s *Scheduler) Run(ctx context.Context) error { return s.queue.Run(ctx) }

// Stats may be called at any time. The numbers are each right, but not of one moment.
func (s *Scheduler) Stats() Stats {
	q, c := s.queue.Stats(), &s.counters
	return Stats{Looks: q.Claimed, Succeeded: c.succeeded.Load(), Failed: c.failed.Load(), Retried: c.retried.Load(), Skipped: c.skipped.Load(),
		LeasesLost: c.leasesLost.Load(), Reclaimed: q.Reclaimed, Crashes: c.crashes.Load(), Held: q.Held}
}

// clocks are the queue's rows. A turn is one organisation; those whose time came first are first.
func clocks() queue.Table[db.OrganizationClock] {
	return queue.Table[db.OrganizationClock]{
		One: "clock", Many: "clocks",
		Claim: func(ctx context.Context, q *db.Queries, after uuid.UUID, wanted int, lease time.Duration) ([][]db.OrganizationClock, uuid.UUID, error) {
			claimed, err := q.ClaimClocks(ctx, db.ClaimClocksParams{LeaseSeconds: lease.Seconds(), Batch: int32(wanted)}) //nolint:gosec // the places of one process
			turns := make([][]db.OrganizationClock, len(claimed))
			for i, clock := range claimed {
				turns[i] = []db.OrganizationClock{clock}
			}
			return turns, after, err
		},
		Lease: func(c db.OrganizationClock) queue.Lease {
			return queue.Lease{Key: queue.Key{Organization: c.OrganizationID}, Number: c.LeaseNumber}
		},
		Extend: func(ctx context.Context, q *db.Queries, leases []queue.Lease, lease time.Duration) ([]queue.Key, error) {
			extended := db.ExtendClockLeasesParams{LeaseSeconds: lease.Seconds()}
			for _, l := range leases {
				extended.OrganizationIDs = append(extended.OrganizationIDs, l.Organization)
				extended.LeaseNumbers = append(extended.LeaseNumbers, l.Number)
			}
			organizations, err := q.ExtendClockLeases(ctx, extended)
			kept := make([]queue.Key, len(organizations))
			for i, id := range organizations {
				kept[i] = queue.Key{Organization: id}
			}
			return kept, err
		},
		Reclaim: func(ctx context.Context, q *db.Queries) ([]queue.Lapsed, error) {
			organizations, err := q.FreeExpiredClocks(ctx)
			lapsed := make([]queue.Lapsed, len(organizations))
			for i, id := range organizations {
				lapsed[i] = queue.Lapsed{Key: queue.Key{Organization: id}}
			}
			return lapsed, err
		},
	}
}

// work does everything that is due in one organisation, one thing after another.
func (s *Scheduler) work(stopping context.Context, turn []*queue.Hold[db.OrganizationClock]) {
	h := turn[0]
	var doing sync.WaitGroup
	defer doing.Wait() // what does not let go keeps its place, not the organisation
	defer h.LetGo()
	err := s.look(stopping, h, &doing)
	log := s.log.With("organization", h.Row.OrganizationID)
	switch {
	case err == nil:
	case errors.Is(err, queue.ErrLeaseLost):
		s.counters.leasesLost.Add(1)
		log.Warn("an organisation's clock was taken over")
	default: // its lease runs out by itself
		log.Error("an organisation's clock was left behind", "error", err)
	}
}

// begun is a run under way, and in the end what came of it.
type begun struct {
	Run
	organization Organization
	due          time.Time
	attempt      int
	err          error
}

// look takes one step after another. A step is one transaction: it ends the run before, and begins the next or gives the organisation back.
func (s *Scheduler) look(stopping context.Context, h *queue.Hold[db.OrganizationClock], doing *sync.WaitGroup) error {
	// What failed in this look waits for the next.
	var rest time.Duration
	resting := map[string]bool{}
	var last *begun
	for {
		if last != nil && last.err != nil && !errors.Is(last.err, queue.ErrStopping) && last.attempt < attempts {
			resting[last.Name] = true
			if wait := s.options.Backoff(last.attempt); rest == 0 || wait < rest {
				rest = wait
			}
		}
		var next *begun
		err := s.queue.Persist(h.Lease, nil, func(ctx context.Context) error {
			return s.store.Write(ctx, db.Scope{Organization: h.Row.OrganizationID, Class: db.Background}, func(ctx context.Context, q *db.Queries) (err error) {
				next, err = s.step(ctx, q, h.Row, last, resting, rest, stopping.Err() != nil)
				return err
			})
		})
		if err != nil {
			return err
		}
		s.count(h.Row.OrganizationID, last)
		if next == nil {
			return nil
		}
		next.err = s.do(stopping, h.Lease, *next, doing)
		if queue.LeftAlone(next.err) {
			return next.err
		}
		last = next
	}
}

// step ends a run and begins the next. It returns nil when there is none, and has then given the organisation back.
func (s *Scheduler) step(ctx context.Context, q *db.Queries, clock db.OrganizationClock, last *begun, resting map[string]bool, rest time.Duration, stopping bool) (*begun, error) {
	organization := clock.OrganizationID
	is, err := q.GetClockIfLease(ctx, db.GetClockIfLeaseParams{OrganizationID: organization, LeaseNumber: clock.LeaseNumber})
	if err != nil {
		return nil, orLost(err)
	}
	now := is.Now
	if s.options.Now != nil {
		now = s.options.Now().Truncate(time.Microsecond)
	}
	if err := s.end(ctx, q, organization, last); err != nil {
		return nil, err
	}
	again := now
	if !stopping {
		o := Organization{ID: organization, Zone: s.zone(organization, is.TimeZone)}
		next, err := s.choose(ctx, q, o, now, resting)
		if next != nil || err != nil {
			return next, err
		}
		again = now.Add(longestRest)
		if rest > 0 && rest < longestRest {
			again = now.Add(rest)
		}
		for _, run := range s.runs {
			if at := run.Next(now, o.Zone); at.After(now) && at.Before(again) {
				again = at
			}
		}
	}
	_, err = q.SetClockIfLease(ctx, db.SetClockIfLeaseParams{OrganizationID: organization, LeaseNumber: clock.LeaseNumber, DueAt: again})
	return nil, orLost(err)
}

// end writes what came of a run. One that failed and may be tried again stays unfinished.
func (s *Scheduler) end(ctx context.Context, q *db.Queries, organization uuid.UUID, last *begun) error {
	switch {
	case last == nil:
		return nil
	case errors.Is(last.err, queue.ErrStopping):
		_, err := q.UncountRun(ctx, db.UncountRunParams{OrganizationID: organization, Name: last.Name, DueAt: last.due})
		return err
	case last.err != nil && last.attempt < attempts:
		return nil
	}
	return finish(ctx, q, organization, last.Name, last.due, last.err)
}

func finish(ctx context.Context, q *db.Queries, organization uuid.UUID, name string, due time.Time, reason error) error {
	outcome, detail := succeeded, map[string]string{}
	if reason != nil {
		outcome = failed
		detail["error"] = shortened(reason.Error())
	}
	encoded, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	_, err = q.FinishRun(ctx, db.FinishRunParams{OrganizationID: organization, Name: name, DueAt: due, Outcome: outcome, Detail: encoded})
	return err
}

// shortened is a text as the database takes it: of a bounded length, without NUL and broken encoding.
func shortened(text string) string {
	const longest = 500
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "")
	}
	return text
}

// choose begins what is due longest: a run that was not finished, or one whose time has come. It returns nil if there is none.
func (s *Scheduler) choose(ctx context.Context, q *db.Queries, o Organization, now time.Time, resting map[string]bool) (*begun, error) {
	unfinished, err := q.ListUnfinishedRuns(ctx, db.ListUnfinishedRunsParams{OrganizationID: o.ID})
	if err != nil {
		return nil, err
	}
	open := map[string]bool{} // what has to be finished before the same is due again
	for _, row := range unfinished {
		i := slices.Index(s.names, row.Name)
		switch {
		case i < 0: // another release's
		case resting[row.Name]:
			open[row.Name] = true
		case row.Attempt >= attempts:
			if err := finish(ctx, q, o.ID, row.Name, row.DueAt, errExhausted); err != nil {
				return nil, err
			}
			s.counters.failed.Add(1)
			s.log.Error("a scheduled run is given up", "organization", o.ID, "run", row.Name, "due", row.DueAt, "error", errExhausted)
		default:
			return begin(ctx, q, s.runs[i], o, row.DueAt)
		}
	}
	rows, err := q.ListLatestRuns(ctx, db.ListLatestRunsParams{OrganizationID: o.ID, Names: s.names})
	if err != nil {
		return nil, err
	}
	latest := make(map[string]time.Time, len(rows))
	for _, row := range rows {
		latest[row.Name] = row.DueAt
	}
	var chosen *Run
	var due time.Time
	skipped := db.SkipRunsParams{OrganizationID: o.ID}
	skip := func(name string, at time.Time) {
		skipped.Names, skipped.DueAts = append(skipped.Names, name), append(skipped.DueAts, at)
	}
	for i, run := range s.runs {
		since, known := latest[run.Name]
		if !known { // nothing is due from before the organisation, or the run, was there
			skip(run.Name, now)
			continue
		}
		if open[run.Name] {
			continue
		}
		most := 1
		if run.Missed == All {
			most = made
		}
		times := latestDue(run.Next, since, now, o.Zone, most)
		if len(times) == 0 {
			continue
		}
		if run.Missed == Skip && now.Sub(times[0]) > run.Late {
			skip(run.Name, times[0])
			s.counters.skipped.Add(1)
			continue
		}
		if chosen == nil || times[0].Before(due) {
			chosen, due = &s.runs[i], times[0]
		}
	}
	if len(skipped.Names) > 0 {
		if err := q.SkipRuns(ctx, skipped); err != nil {
			return nil, err
		}
	}
	if chosen == nil {
		return nil, nil //nolint:nilnil // nothing is due
	}
	return begin(ctx, q, *chosen, o, due)
}

func begin(ctx context.Context, q *db.Queries, run Run, o Organization, due time.Time) (*begun, error) {
	row, err := q.BeginRun(ctx, db.BeginRunParams{OrganizationID: o.ID, Name: run.Name, DueAt: due})
	if err != nil {
		return nil, fmt.Errorf("begin %s: %w", run.Name, err)
	}
	return &begun{Run: run, organization: o, due: row.DueAt, attempt: int(row.Attempt)}, nil
}

// do runs it. The error is the run's own, or why it was interrupted.
func (s *Scheduler) do(stopping, lease context.Context, b begun, doing *sync.WaitGroup) error {
	ctx, cancel := context.WithTimeoutCause(lease, s.options.Timeout, errTimedOut)
	defer cancel()
	_, err := queue.Call(ctx, stopping, doing, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.safely(ctx, b)
	})
	return err
}

func (s *Scheduler) safely(ctx context.Context, b begun) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			s.counters.crashes.Add(1)
			s.log.Error("a scheduled run panicked", "organization", b.organization.ID, "run", b.Name, "reason", reason, "stack", string(debug.Stack()))
			err = errCrashed
		}
	}()
	return s.options.Scope(ctx, b.Name, func(ctx context.Context) error { return b.Do(ctx, b.organization, b.due) })
}

// count counts a run whose end has been written.
func (s *Scheduler) count(organization uuid.UUID, last *begun) {
	if last == nil {
		return
	}
	log := s.log.With("organization", organization, "run", last.Name, "due", last.due, "attempt", last.attempt)
	switch {
	case last.err == nil:
		s.counters.succeeded.Add(1)
		log.Debug("a scheduled run has been done")
	case errors.Is(last.err, queue.ErrStopping):
		log.Info("a scheduled run was interrupted")
	case last.attempt < attempts:
		s.counters.retried.Add(1)
		log.Warn("a scheduled run failed and will be tried again", "error", last.err)
	default:
		s.counters.failed.Add(1)
		log.Error("a scheduled run failed", "error", last.err)
	}
}

// zone is the organisation's time zone, or UTC if this program has no rules for it.
func (s *Scheduler) zone(organization uuid.UUID, name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		s.log.Error("an organisation's time zone is unknown here, and it is scheduled by UTC", "organization", organization, "error", err)
		return time.UTC
	}
	return zone
}

func orLost(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return queue.ErrLeaseLost
	}
	return err
}
