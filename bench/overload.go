package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/rig"
	"github.com/kakeai/kakeai/bench/seed"
)

const (
	normalWork = iota
	sessionWork
	readinessWork
)

const (
	plateauClients = 64
	criticalShare  = 0.1 // of the plateau, whatever the load
	calmLoad       = 0.7 // of the plateau, after the storm
	calmLength     = 6 * time.Second
	promptly       = 250 * time.Millisecond
	estimateLength = 3 * time.Second
	poolerClients  = 200 // of the pooler: the server's own pool before it
)

// levels are in multiples of the plateau. The last is followed by the calm.
var levels = []int{1, 2, 5, 10} //nolint:gochecknoglobals // never changed

type overloadResult struct {
	*common
	overloadFigures
	Peers map[string]overloadFigures `json:"peers"`
}

type overloadFigures struct {
	Plateau          float64 `json:"plateau"` // normal requests per second, beside the critical ones
	Goodput2x        float64 `json:"goodput_2x"`
	Goodput5x        float64 `json:"goodput_5x"`
	Goodput10x       float64 `json:"goodput_10x"`
	CriticalP99Ratio float64 `json:"critical_p99_ratio"` // the worst of 2×, 5× and 10× against 1×
	Readiness10xMs   float64 `json:"readiness_10x_ms"`   // 99th percentile at the highest load
	CriticalRejected int     `json:"critical_rejected"`  // not answered well, at any load, in all rounds
	RecoveryS        float64 `json:"recovery_s"`
	RejectCost       float64 `json:"reject_cost,omitempty"` // CPU of a rejection ÷ of a served request, in the server's process; left out where nothing was rejected
	RejectCore       float64 `json:"reject_core,omitempty"` // of a core, what rejecting 9 times the plateau takes
}

// contender is a system under overload.
type contender struct {
	key, name string
	start     func(ctx context.Context) (*rig.Process, error)

	plateau, recovery, rejectCost, rejectCore []float64
	levels                                    map[int]*levelFigures
	rejected                                  int
}

type levelFigures struct {
	goodput, refused, p50, p99, criticalP99, readinessP99, lag []float64
}

// overload measures what is left of a system when more comes than it can do.
func overload(ctx context.Context, o options, c *common) (any, error) {
	r, err := rig.Start(ctx, o.dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	c.PostgreSQL = r.Source
	programs, err := r.BuildAll(ctx, o.profile != "")
	if err != nil {
		return nil, err
	}
	// Many organisations and sessions, so that it is the gate that is measured and not what one client may ask for.
	var organizations []seed.Organization
	for range 20 {
		organization, err := seed.Load(ctx, r.Owner, seed.Plan{People: 100, Objectives: 1000, SignedIn: 100})
		if err != nil {
			return nil, err
		}
		organizations = append(organizations, organization)
	}
	if err := seed.Settle(ctx, r.Superuser); err != nil {
		return nil, err
	}
	together, err := r.Apart()
	if err != nil {
		return nil, err
	}
	defer together()
	profiler, err := o.profiler()
	if err != nil {
		return nil, err
	}
	all := contenders(r, programs, o, profiler)
	if o.profile != "" {
		all = all[:1]
	}
	people := newTraffic(organizations)
	for round := range o.rounds {
		for turn := range all {
			contender := all[(round+turn)%len(all)]
			if err := contender.measure(ctx, r, o, c, people, uint64(round), profiler); err != nil { //nolint:gosec // not negative
				return nil, fmt.Errorf("%s: %w", contender.name, err)
			}
		}
	}
	return reportOverload(o, c, all), nil
}

func contenders(r *rig.Rig, programs rig.Programs, o options, profiler rig.Profiler) []*contender {
	where := rig.Where{DatabaseURL: r.Postgres.AppURL, Connections: o.connections, Core: rig.ServerCore}
	return []*contender{
		{key: "kakeai", name: "Kakeai", start: func(ctx context.Context) (*rig.Process, error) {
			return r.Serve(ctx, programs, where, profiler.Environment()...)
		}},
		{key: "pgxpool", name: "bare pgxpool", start: func(ctx context.Context) (*rig.Process, error) {
			return r.Peer(ctx, programs.Minimal, where)
		}},
		{key: "bulkhead", name: "failsafe-go bulkheads", start: func(ctx context.Context) (*rig.Process, error) {
			return r.Peer(ctx, programs.Minimal, where, "BULKHEAD=1")
		}},
		{key: "pgbouncer", name: "PgBouncer", start: func(ctx context.Context) (*rig.Process, error) {
			url, err := r.PgBouncer(ctx, where, patience)
			if err != nil {
				return nil, err
			}
			return r.Peer(ctx, programs.Minimal, rig.Where{DatabaseURL: url, Connections: poolerClients, Core: rig.ServerCore})
		}},
	}
}

// measure takes a contender through all loads, freshly started.
func (t *contender) measure(ctx context.Context, r *rig.Rig, o options, c *common, people *traffic, seed uint64, profiler rig.Profiler) error {
	p, err := t.start(ctx)
	if err != nil {
		return err
	}
	defer p.Stop() //nolint:errcheck // the rig ends whatever did not end
	client := load.NewClient(p.Address, maxInFlight, clientPatience)
	defer client.Close()
	send := func(a load.Arrival) load.Outcome {
		switch a.Kind {
		case sessionWork:
			return people.session(client)
		case readinessWork:
			return readiness(client)
		default:
			return people.normal(client)
		}
	}
	workers := make([]func() load.Outcome, plateauClients)
	for i := range workers {
		workers[i] = func() load.Outcome { return people.normal(client) }
	}
	load.Closed(estimateLength, workers) // connections are opened and statements prepared

	before, err := rig.CPU(p.PID())
	if err != nil {
		return err
	}
	estimate := load.Closed(estimateLength, workers)
	between, err := rig.CPU(p.PID())
	if err != nil {
		return err
	}
	if estimate.Good(0) == 0 {
		return fmt.Errorf("nothing was served")
	}
	criticalRate := criticalShare * estimate.Rate(0)
	criticalArrivals := criticalWork(criticalRate, o.length, seed)
	done := make(chan load.Run)
	go func() { done <- load.Open(o.length, criticalArrivals, maxInFlight, send) }()
	atPlateau := load.Closed(o.length, workers)
	critical := <-done
	after, err := rig.CPU(p.PID())
	if err != nil {
		return err
	}
	plateau := atPlateau.Rate(0)
	t.plateau = append(t.plateau, plateau)
	served := (between - before).Seconds() / float64(estimate.Good(0))
	ofCritical := max(0, ((after-between).Seconds()-served*float64(atPlateau.Good(0)))/float64(max(1, len(critical.Samples))))

	for _, level := range levels {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if level == levels[len(levels)-1] && profiler.Folder != "" && t.key == "kakeai" {
			go func() {
				if err := profiler.CPU(ctx, "overload", o.length); err != nil {
					fmt.Println(err)
				}
			}()
		}
		run, storm, spent, err := t.storm(p, o, level, plateau, criticalRate, seed, send)
		if err != nil {
			return err
		}
		c.watch()
		normal := storm.Of(normalWork)
		t.note(level, plateau, storm)
		if level != levels[len(levels)-1] {
			continue
		}
		t.recovery = append(t.recovery, recovery(run.Of(normalWork), o.length))
		if refused := normal.Count(load.Refused); refused > 0 {
			rejection := (spent.Seconds() - served*float64(normal.Good(0)) - ofCritical*float64(len(storm.Of(sessionWork, readinessWork).Samples))) / float64(refused)
			if rejection > 0 { // else it is less than what the others vary by
				t.rejectCost = append(t.rejectCost, rejection/served)
				t.rejectCore = append(t.rejectCore, rejection*plateau*float64(level-1))
			}
		}
	}
	return nil
}

// storm sends level times the plateau for a while. The highest level is followed by calm, which is in run but not in storm; spent is the server's CPU
// during the storm.
func (t *contender) storm(p *rig.Process, o options, level int, plateau, criticalRate float64, seed uint64, send func(load.Arrival) load.Outcome) (run, storm load.Run, spent time.Duration, err error) {
	length := o.length
	normal := load.Poisson(plateau*float64(level), o.length, normalWork, seed)
	if level == levels[len(levels)-1] {
		length += calmLength
		for _, a := range load.Poisson(plateau*calmLoad, calmLength, normalWork, seed+1) {
			normal = append(normal, load.Arrival{At: a.At + o.length, Kind: a.Kind})
		}
	}
	arrivals := load.Merge(normal, criticalWork(criticalRate, length, seed))
	runtime.GC()
	before, err := rig.CPU(p.PID())
	if err != nil {
		return run, storm, 0, err
	}
	ended := make(chan time.Duration, 1)
	time.AfterFunc(o.length, func() {
		now, _ := rig.CPU(p.PID()) // 0 is noticed: it makes no sense
		ended <- now
	})
	run = load.Open(length, arrivals, maxInFlight, send)
	return run, run.Between(0, o.length), <-ended - before, nil
}

// criticalWork is what everything else depends on: sessions and readiness in turn.
func criticalWork(perSecond float64, length time.Duration, seed uint64) []load.Arrival {
	all := load.Poisson(perSecond, length, sessionWork, seed)
	for i := range all {
		if i%2 == 1 {
			all[i].Kind = readinessWork
		}
	}
	return all
}

func (t *contender) note(level int, plateau float64, storm load.Run) {
	normal, critical := storm.Of(normalWork), storm.Of(sessionWork, readinessWork)
	if t.levels == nil {
		t.levels = map[int]*levelFigures{}
	}
	f := t.levels[level]
	if f == nil {
		f = &levelFigures{}
		t.levels[level] = f
	}
	f.goodput = append(f.goodput, normal.Rate(patience)/plateau)
	f.refused = append(f.refused, float64(normal.Count(load.Refused))/float64(len(normal.Samples)))
	f.p50 = append(f.p50, milliseconds(normal.Quantile(0.5)))
	f.p99 = append(f.p99, milliseconds(normal.Quantile(0.99)))
	f.criticalP99 = append(f.criticalP99, milliseconds(critical.Quantile(0.99)))
	f.readinessP99 = append(f.readinessP99, milliseconds(storm.Of(readinessWork).Quantile(0.99)))
	f.lag = append(f.lag, milliseconds(normal.Lag))
	t.rejected += critical.Errors()
}

// recovery is how long after the storm, in seconds, a second began in which nearly all requests were served promptly; all of the calm if none did.
func recovery(run load.Run, storm time.Duration) float64 {
	const step, stretch = 100 * time.Millisecond, time.Second
	for from := storm; from+stretch <= storm+calmLength; from += step {
		part := run.Between(from, from+stretch)
		if len(part.Samples) > 0 && float64(part.Good(promptly)) >= 0.99*float64(len(part.Samples)) {
			return (from - storm).Seconds()
		}
	}
	return calmLength.Seconds()
}

func (t *contender) figures() overloadFigures {
	f := overloadFigures{Plateau: rounded(median(t.plateau)), Goodput2x: rounded(median(t.levels[2].goodput)), Goodput5x: rounded(median(t.levels[5].goodput)),
		Goodput10x: rounded(median(t.levels[10].goodput)), CriticalRejected: t.rejected, Readiness10xMs: rounded(median(t.levels[10].readinessP99)), RecoveryS: rounded(median(t.recovery)),
		RejectCost: rounded(median(t.rejectCost)), RejectCore: rounded(median(t.rejectCore))}
	for _, level := range levels[1:] {
		f.CriticalP99Ratio = max(f.CriticalP99Ratio, rounded(ratio(t.levels[level].criticalP99, t.levels[1].criticalP99)))
	}
	return f
}

func reportOverload(o options, c *common, all []*contender) overloadResult {
	c.heading(fmt.Sprintf("open loop on one core with pools of %d, generator on the other; %d rounds of %s at each load; normal: %d of %d requests read an objective, the rest edit one; critical: session and readiness at %.0f %% of the plateau",
		o.connections, o.rounds, o.length, editEvery-1, editEvery, criticalShare*100))
	rows := []string{"\tload\tgoodput ÷ plateau\trefused\tp50 ms\tp99 ms\tcritical p99 ms\treadiness p99 ms\tsent late, p99 ms"}
	for _, t := range all {
		for _, level := range levels {
			f := t.levels[level]
			rows = append(rows, fmt.Sprintf("%s\t%d×\t%.2f\t%.0f %%\t%.0f\t%.0f\t%.1f\t%.1f\t%.1f", t.name, level, median(f.goodput), 100*median(f.refused), median(f.p50),
				median(f.p99), median(f.criticalP99), median(f.readinessP99), median(f.lag)))
		}
	}
	c.table(rows...)
	rows = []string{"\tplateau/s\tcritical failed\tcritical p99 ratio\trecovery s\treject cost\tcore to reject 9×"}
	result := overloadResult{common: c, overloadFigures: all[0].figures(), Peers: map[string]overloadFigures{}}
	for i, t := range all {
		f := t.figures()
		rows = append(rows, fmt.Sprintf("%s\t%.0f\t%d\t%.2f\t%.1f\t%.3f\t%.2f", t.name, f.Plateau, f.CriticalRejected, f.CriticalP99Ratio, f.RecoveryS, f.RejectCost, f.RejectCore))
		if i > 0 {
			result.Peers[t.key] = f
		}
	}
	c.table(rows...)
	f := result.overloadFigures
	c.goal("goodput_2x", f.Goodput2x, true, 0.95)
	c.goal("goodput_5x", f.Goodput5x, true, 0.95)
	c.goal("goodput_10x", f.Goodput10x, true, 0.90)
	c.goal("critical_p99_ratio", f.CriticalP99Ratio, false, 1.5)
	c.goal("readiness_10x_ms", f.Readiness10xMs, false, 50)
	c.goal("critical_rejected", float64(f.CriticalRejected), false, 0)
	c.goal("recovery_s", f.RecoveryS, false, 2)
	c.goal("reject_cost", f.RejectCost, false, 0.05)
	c.printf("\n")
	return result
}
