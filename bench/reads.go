package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/peers/bare"
	"github.com/kakeai/kakeai/bench/rig"
	"github.com/kakeai/kakeai/bench/seed"
)

const (
	readers          = 32
	readPeople       = 10_000
	readObjectives   = 100_000
	peoplePerHundred = 10 // of objectives, in a smaller organisation too
)

type readsResult struct {
	*common
	Objectives int                  `json:"objectives"`
	RatioRaw   float64              `json:"ratio_raw"`   // the lowest of Pages
	RatioGORM  float64              `json:"ratio_gorm"`  // likewise
	RoundTrips float64              `json:"round_trips"` // the highest of Pages
	Buffers    float64              `json:"buffers"`     // likewise
	Errors     int                  `json:"errors"`      // of the product, in all rounds
	Pages      map[string]readsPage `json:"pages"`
}

type readsPage struct {
	RatioRaw   float64 `json:"ratio_raw"`
	RatioGORM  float64 `json:"ratio_gorm"`
	RoundTrips float64 `json:"round_trips"`
	Buffers    float64 `json:"buffers"` // per request, in memory or not
}

// page is something that people open.
type page struct {
	name string
	path func(*desk) string
	raw  func(ctx context.Context, pool *pgxpool.Pool, d *desk) error
}

func pagesRead() []page {
	return []page{
		{"dashboard", func(*desk) string { return "/api/v1/dashboard" }, func(ctx context.Context, pool *pgxpool.Pool, d *desk) error {
			shown, a, err := bare.Dashboard(ctx, pool, d.organized)
			if err == nil && shown.View(a).Cycle == nil {
				return errNothingShown
			}
			return err
		}},
		{"objective", (*desk).path, func(ctx context.Context, pool *pgxpool.Pool, d *desk) error {
			o, a, err := bare.Read(ctx, pool, d.organized, d.objective)
			if err == nil && o.View(a).ID != d.objective {
				return errNothingShown
			}
			return err
		}},
	}
}

var errNothingShown = errors.New("what was read shows nothing")

// reads measures the pages that people open most, in a large organisation: the dashboard, and an objective with its cycle, people, key results and their steps.
func reads(ctx context.Context, o options, c *common) (any, error) {
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
	people, objectives := o.size(readPeople, readObjectives)
	organization, err := seed.Populate(ctx, r.Owner, people, objectives, signedIn)
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
	result := readsResult{common: c, Objectives: objectives, RatioRaw: math.Inf(1), RatioGORM: math.Inf(1), Pages: map[string]readsPage{}}
	rows := []string{"\tpages/s\tp50 ms\tp99 ms\terrors\tCPU µs: server\tPostgreSQL\tclient\tround trips\tbuffers"}
	var statements []string
	for _, page := range pagesRead() {
		product := page.side("Kakeai over HTTP", func(ctx context.Context, url string) (*rig.Process, error) {
			// All readers are of one organisation, so its limit is theirs together.
			return r.Serve(ctx, programs, rig.Where{DatabaseURL: url, Connections: o.connections, Core: -1}, append(profiler.Environment(), "KAKEAI_ORGANIZATION_RATE=0")...)
		})
		gorm := page.side("Gin + GORM over HTTP", func(ctx context.Context, url string) (*rig.Process, error) {
			return r.Peer(ctx, programs.GinGORM, rig.Where{DatabaseURL: url, Connections: o.connections, Core: -1})
		})
		raw := &side{name: "same SQL on bare pgx", open: func(ctx context.Context, url string) (func(*desk) load.Outcome, func() error, error) {
			pool, err := bare.Open(ctx, url, o.connections)
			if err != nil {
				return nil, nil, err
			}
			read := func(d *desk) load.Outcome {
				if page.raw(ctx, pool, d) != nil {
					return load.Broken
				}
				return load.Served
			}
			return read, func() error { pool.Close(); return nil }, nil
		}}
		if err := page.sameBodies(ctx, r, product, gorm, all[:min(20, len(all))]); err != nil {
			return nil, fmt.Errorf("%s: %w", page.name, err)
		}
		sides := []*side{product, raw, gorm}
		if err := takeTurns(ctx, r, o, c, sides, newWriters(readers, all), profiler); err != nil {
			return nil, fmt.Errorf("%s: %w", page.name, err)
		}
		for _, s := range sides {
			if err := s.count(ctx, r, all); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", page.name, s.name, err)
			}
		}
		if !slices.Equal(product.cost.statements, raw.cost.statements) {
			return nil, fmt.Errorf("%s: the peer on bare pgx does not run the product's statements:\n  product: %s\n  peer:    %s", page.name,
				strings.Join(product.cost.statements, ", "), strings.Join(raw.cost.statements, ", "))
		}
		for _, s := range sides {
			rows = append(rows, fmt.Sprintf("%s: %s\t%.0f\t%.1f\t%.1f\t%d\t%.0f\t%.0f\t%.0f\t%.2f\t%.0f", page.name, s.name, median(s.rates), median(s.p50), median(s.p99), s.errors,
				median(s.cpu[0]), median(s.cpu[1]), median(s.cpu[2]), s.cost.trips, s.cost.buffers))
		}
		statements = append(statements, fmt.Sprintf("%s: %s", page.name, strings.Join(product.cost.statements, ", ")))
		of := readsPage{RatioRaw: rounded(ratio(product.rates, raw.rates)), RatioGORM: rounded(ratio(product.rates, gorm.rates)), RoundTrips: rounded(product.cost.trips), Buffers: rounded(product.cost.buffers)}
		result.Pages[page.name] = of
		result.RatioRaw, result.RatioGORM = min(result.RatioRaw, of.RatioRaw), min(result.RatioGORM, of.RatioGORM)
		result.RoundTrips, result.Buffers = max(result.RoundTrips, of.RoundTrips), max(result.Buffers, of.Buffers)
		result.Errors += product.errors
	}
	c.heading(fmt.Sprintf("pages in an organisation of %d people and %d objectives, %d clients, pools of %d, %d rounds of %s", people, objectives, readers, o.connections, o.rounds, o.length))
	c.table(rows...)
	for _, s := range statements {
		c.printf("  statements of %s\n", s)
	}
	c.printf("\n")
	c.goal("ratio_raw", result.RatioRaw, true, 0.60)
	c.goal("ratio_gorm", result.RatioGORM, true, 1.5)
	c.printf("\n")
	return result, nil
}

// size is a benchmark's own, or a smaller one for a short look, with people in proportion.
func (o options) size(people, objectives int) (int, int) {
	if o.objectives == 0 {
		return people, objectives
	}
	return max(o.objectives*peoplePerHundred/100, 20), o.objectives
}

// side asks a server for the page.
func (p page) side(name string, start func(ctx context.Context, url string) (*rig.Process, error)) *side {
	s := &side{name: name}
	s.open = func(ctx context.Context, url string) (func(*desk) load.Outcome, func() error, error) {
		process, err := start(ctx, url)
		if err != nil {
			return nil, nil, err
		}
		s.process = process
		client := load.NewClient(process.Address, readers, clientPatience)
		return func(d *desk) load.Outcome { return client.Send(p.of(d), nil) }, func() error { client.Close(); return process.Stop() }, nil
	}
	return s
}

func (p page) of(d *desk) load.Request {
	return load.Request{Method: "GET", Path: p.path(d), Token: d.token}
}

// sameBodies asks both servers for the same pages: a peer that answers less is no peer. When a page was computed is another moment each time.
func (p page) sameBodies(ctx context.Context, r *rig.Rig, product, peer *side, some []*desk) error {
	bodies := make([][][]byte, 2)
	for i, s := range []*side{product, peer} {
		_, stop, err := s.open(ctx, r.Postgres.AppURL)
		if err != nil {
			return err
		}
		client := load.NewClient(s.process.Address, 1, clientPatience)
		for _, d := range some {
			var body map[string]any
			outcome := client.Send(p.of(d), func(_ int, text []byte) { err = json.Unmarshal(text, &body) })
			if outcome != load.Served || err != nil {
				return errors.Join(fmt.Errorf("%s: no page was served", s.name), err, stop())
			}
			delete(body, "computed_at")
			text, err := json.Marshal(body)
			if err != nil {
				return err
			}
			bodies[i] = append(bodies[i], text)
		}
		client.Close()
		if err := stop(); err != nil {
			return err
		}
	}
	for i := range some {
		if !bytes.Equal(bodies[0][i], bodies[1][i]) {
			return fmt.Errorf("the peer does not answer as the product does:\n%s\n%s", bodies[1][i], bodies[0][i])
		}
	}
	return nil
}
