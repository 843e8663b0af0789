package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/rig"
	"github.com/kakeai/kakeai/bench/seed"
	"github.com/kakeai/kakeai/internal/auth"
)

const (
	oldWayConnections = 20              // the earlier system's pool
	oldWarmUp         = 4 * time.Second // twice the lock timeout, so that what piles up has piled up
	newWarmUp         = 2 * time.Second
	curveRows         = 10_000
)

// snapshotSizes are organisations by the rows that a snapshot of them holds.
var snapshotSizes = []struct { //nolint:gochecknoglobals // never changed
	rows, people int
}{{1000, 100}, {10_000, 300}, {100_000, 1000}}

// cell is one place in the table.
type cell struct{ rows, clients int }

// snapshotCells are 100 and 200 clients at every size, and a curve over clients at one.
func snapshotCells() (all []cell) {
	for _, size := range snapshotSizes {
		for _, clients := range []int{100, 200} {
			all = append(all, cell{size.rows, clients})
		}
	}
	for _, clients := range []int{10, 25, 50} {
		all = append(all, cell{curveRows, clients})
	}
	return all
}

type snapshotResult struct {
	*common
	NewErrors       int           `json:"new_errors"` // in all rounds and the burst
	OldErrors       int           `json:"old_errors"`
	NewP95Growth    float64       `json:"new_p95_growth"`     // p95 at 100k rows ÷ at 1k, at 100 clients
	NewP95Growth200 float64       `json:"new_p95_growth_200"` // at 200
	OldP95Growth    float64       `json:"old_p95_growth"`
	OldP95Growth200 float64       `json:"old_p95_growth_200"`
	ThroughputRatio float64       `json:"throughput_ratio"` // new ÷ old, at 100 clients and 10k rows
	HashingShare    float64       `json:"hashing_share"`    // of all cores, what the passwords of those who sign in take
	Cells           []cellResult  `json:"cells"`
	Burst           burstsOfBoth  `json:"burst"`
	Sizes           []sizeOfCells `json:"sizes"`
}

type sizeOfCells struct {
	Rows       int `json:"rows"`
	Objectives int `json:"objectives"`
	People     int `json:"people"`
}

// cellResult has medians over the rounds.
type cellResult struct {
	Way        string     `json:"way"` // "old" or "new"
	Rows       int        `json:"rows"`
	Clients    int        `json:"clients"`
	RequestsS  float64    `json:"requests_per_s"` // answered well
	P50        float64    `json:"p50_ms"`         // of those answered well
	P95        float64    `json:"p95_ms"`
	P99        float64    `json:"p99_ms"`
	ErrorShare float64    `json:"error_share"`
	Errors     kindErrors `json:"errors"` // counts
}

type kindErrors struct {
	Read      float64 `json:"read"`
	Edit      float64 `json:"edit"`
	Session   float64 `json:"session"`
	SignIn    float64 `json:"sign_in"`
	Readiness float64 `json:"readiness"`
}

// way is one of the two.
type way struct {
	key, name     string
	warmUp        time.Duration
	serve         func(ctx context.Context, more ...string) (*rig.Process, error)
	organizations map[int]*people // by rows
	ids           map[int]seed.Organization
	cells         map[cell]*cellFigures
	errors        int
}

type cellFigures struct {
	rates, p50, p95, p99, errorShare []float64
	sent, failed                     [mixKinds]int
	failedPerRound                   [mixKinds][]float64
	conflicts                        int
	causes                           map[string]int
}

// snapshotBench measures the way that organisations were read and changed before, as a whole and under one lock, against the present one.
func snapshotBench(ctx context.Context, o options, c *common) (any, error) {
	r, err := rig.Start(ctx, o.dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	c.PostgreSQL = r.Source
	programs, err := r.BuildAll(ctx, false)
	if err != nil {
		return nil, err
	}
	oldWay, newWay := bothWays(r, programs, o)
	result := snapshotResult{common: c}
	if result.Sizes, err = seedBoth(ctx, r, oldWay, newWay); err != nil {
		return nil, err
	}
	hash, err := hashTime(ctx)
	if err != nil {
		return nil, err
	}
	result.HashingShare = rounded(hash.Seconds() * signInsPerS / float64(c.Cores))
	for round := range o.rounds {
		if err := seed.Settle(ctx, r.Superuser); err != nil { // both ways leave rows behind, and not equally many
			return nil, err
		}
		for i, at := range snapshotCells() {
			turns := []*way{oldWay, newWay}
			if (round+i)%2 == 1 {
				slices.Reverse(turns)
			}
			for _, w := range turns {
				if err := w.measure(ctx, o, at); err != nil {
					return nil, fmt.Errorf("%s, %d rows, %d clients: %w", w.name, at.rows, at.clients, err)
				}
				c.watch()
			}
		}
	}
	if result.Burst, err = bothBursts(ctx, r, programs, o, oldWay, newWay); err != nil {
		return nil, err
	}
	c.watch()
	result.fill(oldWay, newWay)
	c.reportSnapshot(o, result, hash, oldWay, newWay)
	return result, nil
}

// bothWays run as they would be run: the product with its defaults, the old way with its earlier system's. The product's limit of requests per organisation is
// lifted, since all clients are of one and it is not the limit that is measured; and it believes in a proxy in front, so that people sign in from
// many addresses.
func bothWays(r *rig.Rig, programs rig.Programs, o options) (oldWay, newWay *way) {
	oldWay = &way{key: "old", name: "the old way", warmUp: oldWarmUp, serve: func(ctx context.Context, more ...string) (*rig.Process, error) {
		return r.OldWay(ctx, programs, rig.Where{DatabaseURL: r.Postgres.AppURL, Connections: oldWayConnections, Core: -1}, more...)
	}}
	newWay = &way{key: "new", name: "Kakeai", warmUp: newWarmUp, serve: func(ctx context.Context, more ...string) (*rig.Process, error) {
		return r.Serve(ctx, programs, rig.Where{DatabaseURL: r.Postgres.AppURL, Connections: o.connections, Core: -1},
			append([]string{"KAKEAI_ORGANIZATION_RATE=0", "KAKEAI_TRUST_PROXY=true"}, more...)...)
	}}
	for _, w := range []*way{oldWay, newWay} {
		w.organizations, w.ids, w.cells = map[int]*people{}, map[int]seed.Organization{}, map[cell]*cellFigures{}
	}
	return oldWay, newWay
}

// seedBoth makes each way organisations of its own, alike: the new way does not raise the revision by which the old one knows that its snapshot is still true.
func seedBoth(ctx context.Context, r *rig.Rig, ways ...*way) (sizes []sizeOfCells, err error) {
	for _, size := range snapshotSizes {
		plan := seed.Plan{People: size.people, SignedIn: size.people, Password: mixPassword}
		for plan.Objectives = 1; plan.Rows() < size.rows; plan.Objectives++ {
		}
		if size.rows == curveRows {
			plan.Dialogues = burstJobs
		}
		for _, w := range ways {
			organization, err := seed.Load(ctx, r.Owner, plan)
			if err != nil {
				return nil, err
			}
			w.ids[size.rows], w.organizations[size.rows] = organization, newPeople(organization)
		}
		sizes = append(sizes, sizeOfCells{Rows: plan.Rows(), Objectives: plan.Objectives, People: plan.People})
	}
	return sizes, nil
}

// hashTime is what one password takes of a core.
func hashTime(ctx context.Context) (time.Duration, error) {
	passwords := auth.NewPasswords(1, auth.PasswordPatience)
	const times = 5
	before := rig.OwnCPU()
	for range times {
		if _, err := passwords.Hash(ctx, mixPassword); err != nil {
			return 0, err
		}
	}
	return (rig.OwnCPU() - before) / times, nil
}

// newMixClient is a client with connections for everybody: those who ask, and those who sign in meanwhile.
func newMixClient(p *rig.Process, clients int) *load.Client {
	return load.NewClient(p.Address, clients+signInsAtOnce+burstAskers, mixPatience)
}

// read has somebody look at an objective, so that the old way has read the organisation before it is measured.
func (p *people) read(client *load.Client) error {
	if outcome, cause := sendMix(client, load.Request{Method: "GET", Path: p.desks[0].path(), Token: p.desks[0].token}, func(int, []byte) {}); !outcome.Good() {
		return fmt.Errorf("an objective cannot be read: %s", cause)
	}
	return nil
}

// measure fills a cell for one round, with a freshly started server.
func (w *way) measure(ctx context.Context, o options, at cell) error {
	p, err := w.serve(ctx)
	if err != nil {
		return err
	}
	defer p.Stop() //nolint:errcheck // the rig ends whatever did not end
	client := newMixClient(p, at.clients)
	defer client.Close()
	staff := w.organizations[at.rows]
	if err := staff.read(client); err != nil {
		return err
	}
	done := make(chan struct{})
	time.AfterFunc(w.warmUp+o.length, func() { close(done) })
	run := mix(ctx, time.Now(), done, staff, staff.newClients(at.clients), client).between(w.warmUp, w.warmUp+o.length)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(run) == 0 {
		return errors.New("nothing was sent")
	}
	w.note(at, run, o.length)
	return nil
}

func (w *way) note(at cell, run mixRun, length time.Duration) {
	f := w.cells[at]
	if f == nil {
		f = &cellFigures{causes: map[string]int{}}
		w.cells[at] = f
	}
	all := run.all(length)
	f.rates = append(f.rates, all.Rate(0))
	f.p50 = append(f.p50, milliseconds(all.Quantile(0.5)))
	f.p95 = append(f.p95, milliseconds(all.Quantile(0.95)))
	f.p99 = append(f.p99, milliseconds(all.Quantile(0.99)))
	f.errorShare = append(f.errorShare, float64(run.errors())/float64(len(run)))
	for kind := range mixKinds {
		sent, failed := run.count(kind)
		f.sent[kind] += sent
		f.failed[kind] += failed
		f.failedPerRound[kind] = append(f.failedPerRound[kind], float64(failed))
	}
	f.conflicts += run.conflicts()
	for cause, n := range run.causes() {
		f.causes[cause] += n
	}
	w.errors += run.errors()
}

func (w *way) result(at cell) cellResult {
	f := w.cells[at]
	failed := func(kind int) float64 { return median(f.failedPerRound[kind]) }
	return cellResult{Way: w.key, Rows: at.rows, Clients: at.clients, RequestsS: rounded(median(f.rates)), P50: rounded(median(f.p50)), P95: rounded(median(f.p95)),
		P99: rounded(median(f.p99)), ErrorShare: rounded(median(f.errorShare)), Errors: kindErrors{Read: failed(mixRead), Edit: failed(mixEdit),
			Session: failed(mixSession), SignIn: failed(mixSignIn), Readiness: failed(mixReadiness)}}
}

// growth is by how much p95 is longer in the largest organisation than in the smallest.
func (w *way) growth(clients int) float64 {
	largest := snapshotSizes[len(snapshotSizes)-1].rows
	return rounded(ratio(w.cells[cell{largest, clients}].p95, w.cells[cell{snapshotSizes[0].rows, clients}].p95))
}

func (s *snapshotResult) fill(oldWay, newWay *way) {
	s.NewErrors, s.OldErrors = newWay.errors+s.Burst.New.errors(), oldWay.errors+s.Burst.Old.errors()
	s.NewP95Growth, s.NewP95Growth200 = newWay.growth(100), newWay.growth(200)
	s.OldP95Growth, s.OldP95Growth200 = oldWay.growth(100), oldWay.growth(200)
	middle := cell{curveRows, 100}
	s.ThroughputRatio = rounded(ratio(newWay.cells[middle].rates, oldWay.cells[middle].rates))
	for _, w := range []*way{oldWay, newWay} {
		for _, at := range snapshotCells() {
			s.Cells = append(s.Cells, w.result(at))
		}
	}
}

func (c *common) reportSnapshot(o options, s snapshotResult, hash time.Duration, oldWay, newWay *way) {
	sizes := make([]string, 0, len(s.Sizes))
	for _, size := range s.Sizes {
		sizes = append(sizes, fmt.Sprintf("%d rows are %d objectives of %d people", size.Rows, size.Objectives, size.People))
	}
	c.heading(fmt.Sprintf("whole organisations under one lock (pool of %d) against single entities (pool of %d); clients that never think, of one organisation: %d of %d requests read an objective, %d edit one, %d ask for the session, %d for readiness; beside them %d people sign in per second, whose passwords take %.0f ms each, %.0f %% of the cores; %d rounds of %s; %s",
		oldWayConnections, o.connections, mixShares[mixRead], mixShareSum, mixShares[mixEdit], mixShares[mixSession], mixShares[mixReadiness], signInsPerS,
		milliseconds(hash), 100*s.HashingShare, o.rounds, o.length, strings.Join(sizes, ", ")))
	cells := snapshotCells()
	slices.SortFunc(cells, func(a, b cell) int { return 1000*(a.rows-b.rows) + a.clients - b.clients })
	rows := []string{"\trows\tclients\trequests/s\tp50 ms\tp95 ms\tp99 ms\terrors"}
	chain := []string{"errors of\trows\tclients\tread\tedit\tsession\treadiness\tsign-in\t\tlock timeout\tacquire timeout\tno answer\tother"}
	for _, at := range cells {
		for _, w := range []*way{oldWay, newWay} {
			r, f := w.result(at), w.cells[at]
			rows = append(rows, fmt.Sprintf("%s\t%d\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.2f %%", w.name, at.rows, at.clients, r.RequestsS, r.P50, r.P95, r.P99, 100*r.ErrorShare))
			chain = append(chain, fmt.Sprintf("%s\t%d\t%d\t%s\t%s", w.name, at.rows, at.clients, f.kinds(), f.byCause()))
		}
	}
	c.table(rows...)
	c.printf("  requests/s and latencies are of requests that were answered well, sign-ins left out\n\n")
	c.table(chain...)
	c.printf("  failed of sent, in all rounds, and by what; %d of %d edits of the old way and %d of %d of Kakeai were answered with 409, which is no error\n\n",
		oldWay.conflicts(), oldWay.sent(mixEdit), newWay.conflicts(), newWay.sent(mixEdit))
	c.reportBursts(s.Burst)
	c.printf("  old: %d errors, p95 at %d rows is %.1f times that at %d with 100 clients, %.1f times with 200\n", s.OldErrors, snapshotSizes[2].rows, s.OldP95Growth,
		snapshotSizes[0].rows, s.OldP95Growth200)
	c.printf("  throughput_ratio %.2f: new ÷ old at %d rows and 100 clients\n", s.ThroughputRatio, curveRows)
	c.goal("new_errors", float64(s.NewErrors), false, 0)
	c.goal("jobs_not_settled_once of both", float64(s.Burst.New.NotOnce+s.Burst.Old.NotOnce), false, 0)
	c.goal("new_p95_growth", s.NewP95Growth, false, 1.2)
	c.goal("new_p95_growth_200", s.NewP95Growth200, false, 1.2)
	c.printf("\n")
}

// kinds says of each kind of request how many failed, of how many.
func (f *cellFigures) kinds() string {
	cells := make([]string, 0, mixKinds)
	for kind := range mixKinds {
		cells = append(cells, fmt.Sprintf("%d/%d", f.failed[kind], f.sent[kind]))
	}
	return strings.Join(cells, "\t")
}

func (f *cellFigures) byCause() string {
	other, named := 0, []string{}
	for cause, n := range f.causes {
		if cause != lockTimeouts && cause != acquireTimeouts && cause != causeNoAnswer {
			other += n
			named = append(named, cause)
		}
	}
	slices.Sort(named)
	text := fmt.Sprintf("\t%d\t%d\t%d\t%d", f.causes[lockTimeouts], f.causes[acquireTimeouts], f.causes[causeNoAnswer], other)
	if other > 0 {
		text += " (" + strings.Join(named, ", ") + ")"
	}
	return text
}

func (w *way) conflicts() (n int) {
	for _, f := range w.cells {
		n += f.conflicts
	}
	return n
}

func (w *way) sent(kind int) (n int) {
	for _, f := range w.cells {
		n += f.sent[kind]
	}
	return n
}
