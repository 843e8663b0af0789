package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/rig"
	"github.com/kakeai/kakeai/bench/seed"
	"github.com/kakeai/kakeai/bench/soak"
)

const (
	soakOrganizations = 10
	soakObjectives    = 1000 // of each
	soakPeople        = 100  // of each, all of them signed in
	soakDialogues     = 200  // with the coach, in all
	soakInFlight      = 1000
	asksPerSecond     = 3.0

	sampleEach      = 5 * time.Second
	examineEach     = 30 * time.Second
	examinedDesks   = 500
	progressEach    = time.Minute
	weighedEach     = 6               // samples: PostgreSQL's memory is dear to measure
	jobsMayTake     = 2 * time.Minute // after the load: a lease, a retry and the coach's time
	oldJobsMayTake  = 7 * time.Minute // likewise; a lease is five minutes there
	checkMayTake    = 20 * time.Minute
	memoryComesGoes = 4 << 20 // bytes by which a process grows and shrinks anyway
	transient       = 2       // connections that may be there beyond a pool's size, while others end
	listening       = 1       // connection of a worker outside its pool
)

// soakMix is what people do, in hundredths. Beside it, some of them ask the coach.
var soakMix = map[soak.Work]int{soak.Read: 70, soak.Edit: 20, soak.Session: 5, soak.Ready: 5} //nolint:gochecknoglobals // never changed

// soakOptions are what the command line says about a soak.
type soakOptions struct {
	minutes float64
	way     string
	load    float64
	seed    uint64
	servers bool
}

func (o *soakOptions) flags(set *flag.FlagSet) {
	set.Float64Var(&o.minutes, "minutes", 20, "how long the load of a soak lasts")
	set.StringVar(&o.way, "way", "new", "what a soak is about: the new way, or the old one with whole organisations")
	set.Float64Var(&o.load, "load", 0.7, "the load of a soak, as a share of what the servers can do at most")
	set.Uint64Var(&o.seed, "seed", 0, "of what a soak leaves to chance; 0 for another each time")
	set.BoolVar(&o.servers, "restart-servers", true, "whether a soak restarts a server now and then")
}

type soakResult struct {
	*common
	Minutes            float64            `json:"minutes"` // that the load lasted
	Way                string             `json:"way"`
	Load               float64            `json:"load"` // of the plateau
	Plateau            float64            `json:"plateau"`
	Rate               float64            `json:"rate"` // requests per second that were sent
	Seed               uint64             `json:"seed"`
	Interrupted        bool               `json:"interrupted"`
	Requests           int                `json:"requests"`
	AcknowledgedWrites int                `json:"acknowledged_writes"`
	LostWrites         int                `json:"lost_writes"`
	HalfWrites         int                `json:"half_writes"`
	UnaccountedWrites  int                `json:"unaccounted_writes"`
	UnknownWrites      int                `json:"unknown_writes"` // of which the client never knew
	StaleReads         int                `json:"stale_reads"`
	Jobs               int                `json:"jobs"` // acknowledged
	DuplicateResults   int                `json:"duplicate_results"`
	LostResults        int                `json:"lost_results"`
	StuckJobs          int                `json:"stuck_jobs"`
	InterruptedTries   int                `json:"interrupted_attempts"` // of jobs: those beyond the first
	DrainS             float64            `json:"drain_s"`              // from the end of the load until no job was live
	BackendKills       int64              `json:"backend_kills"`
	WorkerKills        int64              `json:"worker_kills"`
	WorkerPauses       int64              `json:"worker_pauses"` // in the middle of writing a result, until another worker had the job
	ServerRestarts     int64              `json:"server_restarts"`
	Died               int                `json:"died"`   // processes that ended without being asked to
	Errors             map[string]float64 `json:"errors"` // by kind, as shares of all requests
	P50                float64            `json:"p50_ms"`
	P99                float64            `json:"p99_ms"`
	RSSGrowth          map[string]float64 `json:"rss_growth"` // behind the warm-up, as a share, of processes that are never ended
	RSSMegabytes       map[string]float64 `json:"rss_mb"`     // the most
	PostgresMegabytes  float64            `json:"postgres_mb"`
	DatabaseMegabytes  float64            `json:"database_mb"`
	ConnectionsMax     map[string]int     `json:"connections_max"`
	MemoryFlat         *bool              `json:"memory_flat"` // null where the run was too short to tell
	ConnectionsFlat    bool               `json:"connections_flat"`
	FirstFaultS        float64            `json:"first_fault_s,omitempty"`

	missed []string
}

// verdict is what was found that must not be.
func (r soakResult) verdict() error {
	if len(r.missed) == 0 {
		return nil
	}
	return errors.New(strings.Join(r.missed, "; "))
}

// watched is what is known of one process over time.
type watched struct {
	memory, connections []soak.Point
	most                float64 // bytes
	connectionsMost     int
}

// endurance is a soak under way.
type endurance struct {
	options soakOptions
	pools   int
	common  *common
	rig     *rig.Rig
	fleet   *soak.Fleet
	people  *soak.People
	coach   *soak.Coach
	faults  *soak.Faults
	done    soak.Disturbed
	result  soakResult

	began        time.Time
	watched      map[string]*watched
	together     int // connections that the database has seen at most
	postgresMost float64
	table        []string // of requests
}

// endure has people work for a while, and all kinds of things happen meanwhile.
func endure(ctx context.Context, o options, c *common) (any, error) {
	if err := soak.Supported(); err != nil {
		return nil, err
	}
	if o.soak.way != "new" && o.soak.way != "old" {
		return nil, fmt.Errorf("there is no way %q", o.soak.way)
	}
	if o.soak.minutes <= 0 || o.soak.load <= 0 {
		return nil, errors.New("-minutes and -load must be more than nothing")
	}
	if o.soak.seed == 0 {
		o.soak.seed = rand.Uint64()>>11 + 1 // JSON's readers keep 53 bits
	}
	e := &endurance{options: o.soak, pools: o.connections, common: c, watched: map[string]*watched{}}
	if o.soak.way == "old" {
		e.pools = oldWayConnections
	}
	e.faults = soak.NewFaults(func(after time.Duration, f soak.Fault) { fmt.Printf("  %s: %s\n", after.Round(time.Second), f) })
	r, err := rig.Start(ctx, o.dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	e.rig, c.PostgreSQL = r, r.Source
	if err := e.prepare(ctx); err != nil {
		return nil, err
	}
	if e.coach, err = soak.StartCoach(); err != nil {
		return nil, err
	}
	defer e.coach.Close()
	if err := e.launch(ctx); err != nil {
		return nil, err
	}
	if err := e.estimate(); err != nil {
		return nil, err
	}
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	checking, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkMayTake)
	defer cancel()
	if err := e.check(checking); err != nil {
		return nil, err
	}
	return e.report(), nil
}

// prepare fills the database, and has PostgreSQL behave as it does where it runs for long.
func (e *endurance) prepare(ctx context.Context) error {
	for name, value := range map[string]string{"checkpoint_timeout": "5min", "max_wal_size": "2GB"} {
		if err := e.rig.Set(ctx, name, value); err != nil {
			return err
		}
	}
	var organizations []seed.Organization
	for range soakOrganizations {
		organization, err := seed.Load(ctx, e.rig.Owner, seed.Plan{People: soakPeople, Objectives: soakObjectives, SignedIn: soakPeople})
		if err != nil {
			return err
		}
		organizations = append(organizations, organization)
	}
	e.fleet = soak.NewFleet(soak.PortOf(e.rig.Superuser), func(address string) *soak.Client { return soak.NewClient(address, soakInFlight, clientPatience) })
	e.people = soak.NewPeople(organizations, e.options.way == "new", e.fleet.Pick, func(f soak.Fault) { e.faults.Add(f) })
	if err := e.people.OpenDialogues(ctx, e.rig.Owner, soakDialogues); err != nil {
		return err
	}
	return seed.Settle(ctx, e.rig.Superuser)
}

// launch starts two servers and two workers, of each one that is never ended, so that there is a series to judge.
func (e *endurance) launch(ctx context.Context) error {
	programs, err := e.rig.BuildAll(ctx, false)
	if err != nil {
		return err
	}
	where := rig.Where{DatabaseURL: e.rig.Postgres.AppURL, Connections: e.pools, Core: -1}
	quiet := "KAKEAI_LOG_LEVEL=warn" // a line for each request would fill the disk
	serve := func(ctx context.Context) (*rig.Process, error) { return e.rig.Serve(ctx, programs, where, quiet) }
	work := func(ctx context.Context) (*rig.Process, error) {
		return e.rig.Work(ctx, programs, where, quiet, "OPENAI_BASE_URL="+e.coach.URL, "OPENAI_MODEL=soak")
	}
	if e.options.way == "old" {
		serve = func(ctx context.Context) (*rig.Process, error) { return e.rig.OldWay(ctx, programs, where) }
		work = func(ctx context.Context) (*rig.Process, error) { return e.rig.OldWay(ctx, programs, where, "JOBS=4") }
	}
	for _, m := range []*soak.Member{{Name: "server 1", Steady: true}, {Name: "server 2"}} {
		m.Connections = e.pools
		if err := e.fleet.Add(ctx, m, true, serve); err != nil {
			return err
		}
	}
	for _, m := range []*soak.Member{{Name: "worker 1", Steady: true}, {Name: "worker 2"}} {
		m.Connections = e.pools + listening
		if err := e.fleet.Add(ctx, m, false, work); err != nil {
			return err
		}
	}
	for _, m := range e.fleet.Members() {
		e.watched[m.Name] = &watched{}
	}
	return nil
}

// estimate finds what the servers can do, with as many clients as overload has.
func (e *endurance) estimate() error {
	random := &picker{random: rand.New(rand.NewPCG(e.options.seed, 0))}
	workers := make([]func() load.Outcome, plateauClients)
	for i := range workers {
		workers[i] = func() load.Outcome {
			if e.people.Do(random.work(), time.Now()).Good() {
				return load.Served
			}
			return load.Failed
		}
	}
	load.Closed(estimateLength, workers) // connections are opened and statements prepared
	e.result.Plateau = load.Closed(plateauLength, workers).Rate(0)
	if e.result.Plateau == 0 {
		return errors.New("nothing was served")
	}
	e.result.Rate = e.options.load * e.result.Plateau
	return nil
}

// picker says what is done next.
type picker struct {
	mu     sync.Mutex
	random *rand.Rand
}

func (p *picker) work() soak.Work {
	p.mu.Lock()
	n := p.random.IntN(100)
	p.mu.Unlock()
	for _, w := range []soak.Work{soak.Read, soak.Edit, soak.Session} {
		if n -= soakMix[w]; n < 0 {
			return w
		}
	}
	return soak.Ready
}

// run is the load and what disturbs it.
func (e *endurance) run(ctx context.Context) error {
	length := time.Duration(e.options.minutes * float64(time.Minute))
	often := soak.Disturbances{Backends: time.Second, Workers: min(30*time.Second, length/4), Pauses: min(45*time.Second, length/4), Servers: min(3*time.Minute, length/3)}
	if e.options.way == "old" {
		often.Pauses = 0 // nobody there takes over from a worker that stands still
	}
	if !e.options.servers {
		often.Servers = 0
	}
	fmt.Printf("soak of the %s way: %.0f requests/s, %.2f of a plateau of %.0f, for %s; seed %d\n", e.options.way, e.result.Rate, e.options.load, e.result.Plateau, length, e.options.seed)
	database, err := soak.Connect(ctx, e.rig.Superuser)
	if err != nil {
		return err
	}
	defer database.Close()
	database.Unnamed = e.options.way == "old"

	e.began = time.Now()
	e.faults.Begin()
	e.people.Recorder.Reset() // of what the estimate has counted
	loading, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var all sync.WaitGroup
	picked := &picker{random: rand.New(rand.NewPCG(e.options.seed, 1))}
	all.Go(func() {
		soak.Open(loading, e.result.Rate, soakInFlight, rand.New(rand.NewPCG(e.options.seed, 2)),
			func(due time.Time) { e.people.Do(picked.work(), due) }, func(due time.Time) { e.people.Recorder.Add(soak.Read, soak.Unsent, time.Since(due)) })
	})
	all.Go(func() {
		soak.Open(loading, asksPerSecond, soakInFlight, rand.New(rand.NewPCG(e.options.seed, 3)),
			func(due time.Time) { e.people.Do(soak.Ask, due) }, func(due time.Time) { e.people.Recorder.Add(soak.Ask, soak.Unsent, time.Since(due)) })
	})
	var disturbing error
	all.Go(func() { disturbing = e.fleet.Disturb(loading, e.rig.Superuser, often, e.options.seed+1, &e.done) })
	watching := e.watch(loading, database)
	if watching != nil {
		cancel()
	}
	all.Wait()
	e.result.Minutes = e.options.minutes
	if e.result.Interrupted = ctx.Err() != nil; e.result.Interrupted {
		e.result.Minutes = rounded(time.Since(e.began).Minutes())
	}
	e.count(e.people.Recorder.Total())
	return errors.Join(disturbing, watching)
}

// watch looks at everything now and then until ctx ends.
func (e *endurance) watch(ctx context.Context, database *soak.Database) error {
	tick := time.NewTicker(sampleEach)
	defer tick.Stop()
	var minute soak.Counts
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := e.sample(ctx, database, n%weighedEach == 0); err != nil {
			return ignoreEnd(ctx, err)
		}
		interval := e.people.Recorder.Interval()
		minute.Merge(&interval)
		if every(n, examineEach) {
			if err := e.examine(ctx, database); err != nil {
				return ignoreEnd(ctx, err)
			}
		}
		if every(n, progressEach) {
			if err := e.progress(ctx, database, minute); err != nil {
				return ignoreEnd(ctx, err)
			}
			minute = soak.Counts{}
		}
	}
}

// examine looks at some desks, and at the jobs that have ended since it looked last.
func (e *endurance) examine(ctx context.Context, database *soak.Database) error {
	borrowed := e.people.Borrow(examinedDesks)
	defer e.people.Return(borrowed...)
	faults, err := database.Check(ctx, borrowed)
	if err != nil {
		return err
	}
	e.faults.Add(faults...)
	jobs, err := database.Jobs(ctx, 2*examineEach)
	for _, j := range jobs {
		e.faults.Add(j.Check()...)
	}
	return err
}

func every(n int, each time.Duration) bool { return n%int(each/sampleEach) == 0 }

// ignoreEnd drops the error that only says that ctx ended.
func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (e *endurance) sample(ctx context.Context, database *soak.Database, weigh bool) error {
	e.common.watch()
	backends, err := database.Backends(ctx)
	if err != nil {
		return err
	}
	e.together = max(e.together, len(backends))
	at := time.Since(e.began)
	for _, m := range e.fleet.Ended() {
		e.faults.Add(soak.Fault{Kind: soak.Died, Detail: m.Name})
	}
	for _, m := range e.fleet.Members() {
		pid, here := e.fleet.PID(m)
		if !here {
			continue
		}
		memory, err := soak.Resident(pid)
		connections, err2 := e.fleet.Connections(pid, backends)
		if err != nil || err2 != nil {
			continue // it has just been ended
		}
		w := e.watched[m.Name]
		w.memory = append(w.memory, soak.Point{At: at, Value: float64(memory)})
		w.connections = append(w.connections, soak.Point{At: at, Value: float64(connections)})
		w.most, w.connectionsMost = max(w.most, float64(memory)), max(w.connectionsMost, connections)
	}
	if !weigh {
		return nil
	}
	pids, err := database.PIDs(ctx)
	if err != nil {
		return err
	}
	var sum int64
	for _, pid := range pids {
		part, _ := soak.Proportional(pid) // 0 of one that has ended
		sum += part
	}
	e.postgresMost = max(e.postgresMost, float64(sum))
	return nil
}

func (e *endurance) progress(ctx context.Context, database *soak.Database, minute soak.Counts) error {
	live, oldest, err := database.Live(ctx)
	if err != nil {
		return err
	}
	var memory []string
	for _, m := range e.fleet.Members() {
		if w := e.watched[m.Name]; len(w.memory) > 0 {
			memory = append(memory, fmt.Sprintf("%.0f", w.memory[len(w.memory)-1].Value/(1<<20)))
		}
	}
	fmt.Printf("%4.0f min: %.0f/s, %.2f %% well; p50 %.1f ms, p99 %.0f ms; %d jobs live, the oldest for %.0f s; MB: %s; ended: %d backends, %d workers, %d servers; %d pauses\n",
		time.Since(e.began).Minutes(), float64(minute.Total())/progressEach.Seconds(), 100*float64(minute.Good())/float64(max(1, minute.Total())),
		milliseconds(minute.Took.Quantile(0.5)), milliseconds(minute.Took.Quantile(0.99)), live, oldest.Seconds(), strings.Join(memory, ", "),
		e.done.Backends.Load(), e.done.Workers.Load(), e.done.Servers.Load(), e.done.Pauses.Load())
	return nil
}

// check waits for the jobs, ends all processes, so that nothing is under way any more, and compares everything.
func (e *endurance) check(ctx context.Context) error {
	database, err := soak.Connect(ctx, e.rig.Superuser)
	if err != nil {
		return err
	}
	defer database.Close()
	database.Unnamed = e.options.way == "old"
	if !e.result.Interrupted {
		if err := e.drain(ctx, database); err != nil {
			return err
		}
	}
	if err := e.fleet.Stop(); err != nil {
		return err
	}
	faults, err := database.Check(ctx, e.people.All())
	if err != nil {
		return err
	}
	e.faults.Add(faults...)
	jobs, err := database.Jobs(ctx, 0)
	if err != nil {
		return err
	}
	e.faults.Add(e.people.Jobs.Check(jobs, !e.result.Interrupted)...)
	for _, j := range jobs {
		e.result.InterruptedTries += max(0, j.Attempt-1)
	}
	size, err := database.Size(ctx)
	e.result.DatabaseMegabytes = megabytes(float64(size))
	return err
}

// drain waits until no job is live, or for so long that one that still is will not end by itself.
func (e *endurance) drain(ctx context.Context, database *soak.Database) error {
	atMost := jobsMayTake
	if e.options.way == "old" {
		atMost = oldJobsMayTake
	}
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		live, _, err := database.Live(ctx)
		e.result.DrainS = rounded(time.Since(began).Seconds())
		if err != nil || live == 0 || time.Since(began) > atMost {
			return err
		}
	}
}

func megabytes(bytes float64) float64 { return math.Round(bytes / (1 << 20)) }

// count takes over what the load has counted.
func (e *endurance) count(total soak.Counts) {
	r := &e.result
	r.Requests = total.Total()
	r.Errors = map[string]float64{}
	for o := range soak.Outcomes {
		if n := total.Ended(o); n > 0 && !o.Good() {
			r.Errors[o.String()] = math.Round(1e6*float64(n)/float64(r.Requests)) / 1e6
		}
	}
	r.P50, r.P99 = rounded(milliseconds(total.Took.Quantile(0.5))), rounded(milliseconds(total.Took.Quantile(0.99)))
	e.outcomes(total)
}

// outcomes keeps the table of requests for the report.
func (e *endurance) outcomes(total soak.Counts) {
	header := "\trequests"
	for o := range soak.Outcomes {
		if total.Ended(o) > 0 {
			header += "\t" + o.String()
		}
	}
	e.table = []string{header}
	for w := range soak.Works {
		sum, cells := 0, ""
		for o := range soak.Outcomes {
			sum += total.Of[w][o]
			if total.Ended(o) > 0 {
				cells += fmt.Sprintf("\t%d", total.Of[w][o])
			}
		}
		e.table = append(e.table, fmt.Sprintf("%s\t%d%s", w, sum, cells))
	}
}

func (e *endurance) report() soakResult {
	r, c := e.result, e.common
	r.common, r.Way, r.Load, r.Plateau, r.Rate, r.Seed = c, e.options.way, e.options.load, rounded(r.Plateau), rounded(r.Rate), e.options.seed
	r.AcknowledgedWrites, r.UnknownWrites = e.people.Edits()
	r.Jobs = e.people.Jobs.Len()
	r.BackendKills, r.WorkerKills, r.WorkerPauses, r.ServerRestarts = e.done.Backends.Load(), e.done.Workers.Load(), e.done.Pauses.Load(), e.done.Servers.Load()
	r.PostgresMegabytes, r.FirstFaultS = megabytes(e.postgresMost), rounded(e.faults.First().Seconds())
	for kind, n := range map[soak.Kind]*int{soak.LostWrite: &r.LostWrites, soak.HalfWrite: &r.HalfWrites, soak.Unaccounted: &r.UnaccountedWrites, soak.StaleRead: &r.StaleReads,
		soak.Duplicate: &r.DuplicateResults, soak.LostResult: &r.LostResults, soak.StuckJob: &r.StuckJobs, soak.Died: &r.Died} {
		*n = e.faults.Of(kind)
	}
	note := ""
	if r.Interrupted {
		note = ", interrupted"
		r.missed = append(r.missed, fmt.Sprintf("interrupted after %.1f minutes", r.Minutes))
	}
	c.heading(fmt.Sprintf("the %s way under %.0f requests/s, %.2f of the plateau of %.0f, for %.1f minutes%s; %d organisations of %d objectives, pools of %d; seed %d",
		r.Way, r.Rate, r.Load, r.Plateau, r.Minutes, note, soakOrganizations, soakObjectives, e.pools, r.Seed))
	c.table(e.table...)
	c.printf("  latency p50 %.1f ms, p99 %.1f ms; database %.0f MB; PostgreSQL's processes %.0f MB at most\n", r.P50, r.P99, r.DatabaseMegabytes, r.PostgresMegabytes)
	c.printf("  ended: %d backends, %d workers, %d servers; %d workers stood still in the middle of writing a result\n", r.BackendKills, r.WorkerKills, r.ServerRestarts, r.WorkerPauses)
	c.printf("  jobs: %d acknowledged, %d interrupted attempts, the model asked %d times; waited %.1f s for the last of them after the load\n\n", r.Jobs, r.InterruptedTries, e.coach.Asked(), r.DrainS)
	e.judge(&r)
	for _, count := range []struct {
		what string
		n    int
	}{
		{"lost writes", r.LostWrites}, {"halves of writes", r.HalfWrites}, {"unaccounted writes", r.UnaccountedWrites}, {"stale reads", r.StaleReads},
		{"duplicate results", r.DuplicateResults}, {"lost results", r.LostResults}, {"stuck jobs", r.StuckJobs}, {"processes that ended by themselves", r.Died},
	} {
		c.goal(count.what, float64(count.n), false, 0)
		if count.n > 0 {
			r.missed = append(r.missed, fmt.Sprintf("%d %s", count.n, count.what))
		}
	}
	c.printf("  %d writes acknowledged, of %d more the client never knew\n\n", r.AcknowledgedWrites, r.UnknownWrites)
	return r
}

// judge says of each process whether it has grown.
func (e *endurance) judge(r *soakResult) {
	r.RSSGrowth, r.RSSMegabytes, r.ConnectionsMax, r.ConnectionsFlat = map[string]float64{}, map[string]float64{}, map[string]int{}, true
	rows, bound := []string{"\tMB at most\tgrowth behind the warm-up\tconnections at most\tbound\t"}, 0
	for _, m := range e.fleet.Members() {
		w := e.watched[m.Name]
		bound += m.Connections + transient
		r.RSSMegabytes[m.Name], r.ConnectionsMax[m.Name] = megabytes(w.most), w.connectionsMost
		if w.connectionsMost > m.Connections+transient {
			r.ConnectionsFlat = false
		}
		growth, verdict := "", "is ended now and then"
		if m.Steady {
			growth, verdict = e.judgeSteady(r, m, w)
		}
		rows = append(rows, fmt.Sprintf("%s\t%.0f\t%s\t%d\t%d\t%s", m.Name, megabytes(w.most), growth, w.connectionsMost, m.Connections, verdict))
	}
	rows = append(rows, fmt.Sprintf("together\t\t\t%d\t%d\t", e.together, bound))
	r.ConnectionsMax["together"] = e.together
	r.ConnectionsFlat = r.ConnectionsFlat && e.together <= bound
	e.common.table(rows...)
	if r.MemoryFlat != nil && !*r.MemoryFlat {
		r.missed = append(r.missed, "memory grows")
	}
	if !r.ConnectionsFlat {
		r.missed = append(r.missed, "connections grow")
	}
}

func (e *endurance) judgeSteady(r *soakResult, m *soak.Member, w *watched) (growth, verdict string) {
	if !soak.Judged(w.memory) {
		return "", fmt.Sprintf("too short to tell, which takes %.0f minutes", soak.LeastJudged.Minutes())
	}
	grown, level := soak.Growth(w.memory)
	r.RSSGrowth[m.Name] = rounded(grown / level)
	if soak.Leaks(w.connections, transient) {
		r.ConnectionsFlat = false
	}
	flat, verdict := !soak.Leaks(w.memory, memoryComesGoes), "flat"
	if !flat {
		verdict = "grows"
	}
	both := flat && (r.MemoryFlat == nil || *r.MemoryFlat)
	r.MemoryFlat = &both
	return fmt.Sprintf("%.1f MB, %.1f %%", grown/(1<<20), 100*grown/level), verdict
}
