package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/peers/bare"
	"github.com/kakeai/kakeai/bench/rig"
	"github.com/kakeai/kakeai/bench/seed"
	"github.com/kakeai/kakeai/bench/wiretap"
	"github.com/kakeai/kakeai/internal/auth"
)

const (
	writers         = 32
	signedIn        = 320 // sessions, so that none comes near what one may ask for
	writeWarmUp     = 2 * time.Second
	clientPatience  = 5 * time.Second
	countedRequests = 1000
)

type writesResult struct {
	*common
	RatioRaw      float64 `json:"ratio_raw"`
	RatioGORM     float64 `json:"ratio_gorm"`
	RoundTrips    float64 `json:"round_trips"`
	WALBytes      float64 `json:"wal_bytes"`       // per request, full-page images left out
	WALImageBytes float64 `json:"wal_image_bytes"` // per request, the full-page images
	Buffers       float64 `json:"buffers"`         // per request, in memory or not
	Errors        int     `json:"errors"`          // of the product, in all rounds
}

// desk is an objective and a session of whoever owns it. One client at a time works at it.
type desk struct {
	token     string
	organized auth.Token
	objective uuid.UUID
	revision  int64
	unsure    bool // whether the last edit was made, nobody knows
}

var revisionField = []byte(`"revision":`) //nolint:gochecknoglobals // never changed

// read takes the revision from an answer that shows the objective.
func (d *desk) read(status int, body []byte) {
	at := bytes.Index(body, revisionField)
	if status != http.StatusOK || at < 0 {
		return
	}
	digits := body[at+len(revisionField):]
	end := bytes.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	if revision, err := strconv.ParseInt(string(digits[:max(end, 0)]), 10, 64); err == nil {
		d.revision, d.unsure = revision, false
	}
}

// desks are those of an organisation, ordered so that neighbours belong to different people.
func desks(o seed.Organization) (all []*desk) {
	for i := range o.Members[0].Objectives {
		for _, m := range o.Members {
			if i < len(m.Objectives) {
				all = append(all, &desk{token: m.Token.String(), organized: m.Token, objective: m.Objectives[i], revision: 1})
			}
		}
	}
	return all
}

func (d *desk) path() string { return "/api/v1/objectives/" + d.objective.String() }

// title is another one at each revision.
func (d *desk) title() string {
	return fmt.Sprintf("Customers stay because support answers first, edit %d", d.revision)
}

// overHTTP edits the objective through a server.
func (d *desk) overHTTP(client *load.Client) load.Outcome {
	outcome := client.Send(load.Request{Method: "PATCH", Path: d.path(), Token: d.token,
		Body: fmt.Appendf(nil, `{"title":%q,"revision":%d}`, d.title(), d.revision)}, nil)
	if outcome == load.Served {
		d.revision++
	}
	return outcome
}

// onBarePgx edits the objective with the statements alone.
func (d *desk) onBarePgx(ctx context.Context, pool *pgxpool.Pool) load.Outcome {
	_, _, err := bare.Edit(ctx, pool, d.organized, d.objective, d.revision, d.title(), uuid.NewString(), "127.0.0.1")
	switch {
	case err == nil:
		d.revision++
		return load.Served
	case errors.Is(err, bare.ErrStale):
		return load.Conflict
	}
	return load.Broken
}

// writer is one client and the desks that nobody else works at.
type writer struct {
	desks []*desk
	next  int
}

func (w *writer) take() *desk {
	d := w.desks[w.next]
	w.next = (w.next + 1) % len(w.desks)
	return d
}

// newWriters shares desks out.
func newWriters(n int, all []*desk) []*writer {
	writers := make([]*writer, n)
	for i := range writers {
		writers[i] = &writer{}
	}
	for i, d := range all {
		w := writers[i%n]
		w.desks = append(w.desks, d)
	}
	return writers
}

// side is the product or one of its peers.
type side struct {
	name string
	// open starts it on a database. edit makes one edit; close ends what open has started.
	open func(ctx context.Context, url string) (edit func(*desk) load.Outcome, close func() error, err error)

	process *rig.Process // nil where the work is done in this process

	rates  []float64
	p50    []float64 // ms
	p99    []float64
	cpu    [3][]float64 // µs per edit: of the server, of PostgreSQL and of this process
	errors int
	cost   cost
}

// cost is what one edit takes of the database.
type cost struct {
	trips, wal, images, buffers float64
	statements                  []string
}

// writes measures the edit of objectives that are independent of each other.
func writes(ctx context.Context, o options, c *common) (any, error) {
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
	organization, err := seed.Load(ctx, r.Owner, seed.Plan{People: 1000, Objectives: 10_000, SignedIn: signedIn})
	if err != nil {
		return nil, err
	}
	if err := seed.Settle(ctx, r.Superuser); err != nil {
		return nil, err
	}
	profiler, err := o.profiler()
	if err != nil {
		return nil, err
	}
	all := desks(organization)
	product, raw, gorm := productSide(r, programs, o, profiler), rawSide(o), gormSide(r, programs, o)
	sides := []*side{product, raw, gorm}
	if err := takeTurns(ctx, r, o, c, sides, newWriters(writers, all), profiler); err != nil {
		return nil, err
	}
	for _, s := range sides {
		if err := s.count(ctx, r, all); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if !slices.Equal(product.cost.statements, raw.cost.statements) {
		return nil, fmt.Errorf("the peer on bare pgx no longer runs the product's statements:\n  product: %s\n  peer:    %s",
			strings.Join(product.cost.statements, ", "), strings.Join(raw.cost.statements, ", "))
	}
	result := writesResult{common: c, RatioRaw: rounded(ratio(product.rates, raw.rates)), RatioGORM: rounded(ratio(product.rates, gorm.rates)),
		RoundTrips: rounded(product.cost.trips), WALBytes: rounded(product.cost.wal), WALImageBytes: rounded(product.cost.images),
		Buffers: rounded(product.cost.buffers), Errors: product.errors}
	c.heading(fmt.Sprintf("editing independent objectives, %d clients, pools of %d, %d rounds of %s", writers, o.connections, o.rounds, o.length))
	rows := []string{"\tedits/s\tp50 ms\tp99 ms\terrors\tCPU µs: server\tPostgreSQL\tclient\tround trips\tWAL bytes\t+ page images\tbuffers"}
	for _, s := range sides {
		rows = append(rows, fmt.Sprintf("%s\t%.0f\t%.1f\t%.1f\t%d\t%.0f\t%.0f\t%.0f\t%.2f\t%.0f\t%.0f\t%.0f", s.name, median(s.rates), median(s.p50), median(s.p99), s.errors,
			median(s.cpu[0]), median(s.cpu[1]), median(s.cpu[2]), s.cost.trips, s.cost.wal, s.cost.images, s.cost.buffers))
	}
	c.table(rows...)
	c.printf("  statements: %s\n\n", strings.Join(product.cost.statements, ", "))
	c.goal("ratio_raw", result.RatioRaw, true, 0.80)
	c.goal("ratio_gorm", result.RatioGORM, true, 1.2)
	c.printf("\n")
	return result, nil
}

// ratio is the median of what the rounds came to, each against its own.
func ratio(of, to []float64) float64 {
	var all []float64
	for i := range of {
		if to[i] > 0 {
			all = append(all, of[i]/to[i])
		}
	}
	return median(all)
}

func productSide(r *rig.Rig, programs rig.Programs, o options, profiler rig.Profiler) *side {
	s := &side{name: "Kakeai over HTTP"}
	s.open = func(ctx context.Context, url string) (func(*desk) load.Outcome, func() error, error) {
		p, err := r.Serve(ctx, programs, rig.Where{DatabaseURL: url, Connections: o.connections, Core: -1}, profiler.Environment()...)
		return s.overHTTP(p, err)
	}
	return s
}

func gormSide(r *rig.Rig, programs rig.Programs, o options) *side {
	s := &side{name: "Gin + GORM over HTTP"}
	s.open = func(ctx context.Context, url string) (func(*desk) load.Outcome, func() error, error) {
		p, err := r.Peer(ctx, programs.GinGORM, rig.Where{DatabaseURL: url, Connections: o.connections, Core: -1})
		return s.overHTTP(p, err)
	}
	return s
}

func (s *side) overHTTP(p *rig.Process, err error) (func(*desk) load.Outcome, func() error, error) {
	if err != nil {
		return nil, nil, err
	}
	s.process = p
	client := load.NewClient(p.Address, writers, clientPatience)
	return func(d *desk) load.Outcome { return d.overHTTP(client) }, func() error { client.Close(); return p.Stop() }, nil
}

func rawSide(o options) *side {
	return &side{name: "same SQL on bare pgx", open: func(ctx context.Context, url string) (func(*desk) load.Outcome, func() error, error) {
		pool, err := bare.Open(ctx, url, o.connections)
		if err != nil {
			return nil, nil, err
		}
		return func(d *desk) load.Outcome { return d.onBarePgx(ctx, pool) }, func() error { pool.Close(); return nil }, nil
	}}
}

// takeTurns runs the rounds: each side once in each, and each side first in one of three.
func takeTurns(ctx context.Context, r *rig.Rig, o options, c *common, sides []*side, all []*writer, profiler rig.Profiler) error {
	edits := make([]func(*desk) load.Outcome, len(sides))
	for i, s := range sides {
		edit, stop, err := s.open(ctx, r.Postgres.AppURL)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		defer stop() //nolint:errcheck // the rig ends whatever did not end
		edits[i] = edit
	}
	for round := range o.rounds {
		for turn := range sides {
			i := (round + turn) % len(sides)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			workers := make([]func() load.Outcome, len(all))
			for n, w := range all {
				workers[n] = func() load.Outcome { return edits[i](w.take()) }
			}
			load.Closed(writeWarmUp, workers)
			if round == 0 && i == 0 && profiler.Folder != "" {
				go func() {
					if err := profiler.CPU(ctx, "writes", o.length); err != nil {
						fmt.Println(err)
					}
				}()
			}
			before := sides[i].spent(r)
			run := load.Closed(o.length, workers)
			if run.Good(0) == 0 {
				return fmt.Errorf("%s: nothing succeeded", sides[i].name)
			}
			sides[i].note(run, before, sides[i].spent(r))
			c.watch()
		}
	}
	return nil
}

// spent is the CPU that server, PostgreSQL and this process have used; zeros where the machine does not tell.
func (s *side) spent(r *rig.Rig) (all [3]time.Duration) {
	if s.process != nil {
		all[0], _ = rig.CPU(s.process.PID())
	}
	if postgres, err := r.PostgresPID(); err == nil {
		all[1], _ = rig.CPU(postgres)
	}
	all[2] = rig.OwnCPU()
	return all
}

func (s *side) note(run load.Run, before, after [3]time.Duration) {
	for i := range before {
		s.cpu[i] = append(s.cpu[i], float64((after[i]-before[i]).Microseconds())/float64(run.Good(0)))
	}
	s.rates = append(s.rates, run.Rate(0))
	s.p50 = append(s.p50, milliseconds(run.Quantile(0.5)))
	s.p99 = append(s.p99, milliseconds(run.Quantile(0.99)))
	s.errors += run.Errors()
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// count makes edits one after the other through a wiretap, with nothing else at work in the database.
func (s *side) count(ctx context.Context, r *rig.Rig, all []*desk) error {
	if err := r.Set(ctx, "autovacuum", "off"); err != nil {
		return err
	}
	tap, err := wiretap.Listen(r.Postgres.AppURL)
	if err != nil {
		return err
	}
	defer tap.Close()
	buffers, err := r.Buffers(ctx)
	if err != nil {
		return err
	}
	edit, stop, err := s.open(ctx, tap.Through(r.Postgres.AppURL))
	if err != nil {
		return err
	}
	const warmUp = 20 // a connection is opened and statements are prepared
	for i := range warmUp {
		if outcome := edit(all[i%len(all)]); !outcome.Good() {
			return errors.New("a request failed")
		}
	}
	tap.Transaction()
	trips := tap.Trips()
	wal, err := r.WAL(ctx)
	if err != nil {
		return err
	}
	for i := range countedRequests {
		if outcome := edit(all[(warmUp+i)%len(all)]); outcome != load.Served {
			return errors.New("a request failed")
		}
		if i == 0 {
			s.cost.statements = tap.Transaction()
		}
	}
	s.cost.trips = float64(tap.Trips()-trips) / countedRequests
	if s.cost.wal, s.cost.images, err = r.WALSince(ctx, wal); err != nil {
		return err
	}
	s.cost.wal /= countedRequests
	s.cost.images /= countedRequests
	if err := stop(); err != nil {
		return err
	}
	after, err := r.Buffers(ctx)
	s.cost.buffers = float64(after-buffers) / countedRequests
	return err
}

func (o options) profiler() (rig.Profiler, error) {
	if o.profile == "" {
		return rig.Profiler{}, nil
	}
	address, err := rig.FreeAddress()
	return rig.Profiler{Folder: o.profile, Address: address}, err
}
