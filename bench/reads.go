package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	Objectives int     `json:"objectives"`
	RatioRaw   float64 `json:"ratio_raw"`
	RatioGORM  float64 `json:"ratio_gorm"`
	RoundTrips float64 `json:"round_trips"`
	Buffers    float64 `json:"buffers"` // per request, in memory or not
	Errors     int     `json:"errors"`  // of the product, in all rounds
}

// reads measures the page of an objective in a large organisation: its cycle, people, key results and their steps.
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
	product := pageSide("Kakeai over HTTP", func(ctx context.Context, url string) (*rig.Process, error) {
		// All readers are of one organisation, so its limit is theirs together.
		return r.Serve(ctx, programs, rig.Where{DatabaseURL: url, Connections: o.connections, Core: -1}, append(profiler.Environment(), "KAKEAI_ORGANIZATION_RATE=0")...)
	})
	gorm := pageSide("Gin + GORM over HTTP", func(ctx context.Context, url string) (*rig.Process, error) {
		return r.Peer(ctx, programs.GinGORM, rig.Where{DatabaseURL: url, Connections: o.connections, Core: -1})
	})
	raw := &side{name: "same SQL on bare pgx", open: func(ctx context.Context, url string) (func(*desk) load.Outcome, func() error, error) {
		pool, err := bare.Open(ctx, url, o.connections)
		if err != nil {
			return nil, nil, err
		}
		return func(d *desk) load.Outcome { return d.readOnBarePgx(ctx, pool) }, func() error { pool.Close(); return nil }, nil
	}}
	if err := sameBodies(ctx, r, product, gorm, all[:min(20, len(all))]); err != nil {
		return nil, err
	}
	sides := []*side{product, raw, gorm}
	if err := takeTurns(ctx, r, o, c, sides, newWriters(readers, all), profiler); err != nil {
		return nil, err
	}
	for _, s := range sides {
		if err := s.count(ctx, r, all); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if !slices.Equal(product.cost.statements, raw.cost.statements) {
		return nil, fmt.Errorf("the peer on bare pgx does not run the product's statements:\n  product: %s\n  peer:    %s",
			strings.Join(product.cost.statements, ", "), strings.Join(raw.cost.statements, ", "))
	}
	result := readsResult{common: c, Objectives: objectives, RatioRaw: rounded(ratio(product.rates, raw.rates)), RatioGORM: rounded(ratio(product.rates, gorm.rates)),
		RoundTrips: rounded(product.cost.trips), Buffers: rounded(product.cost.buffers), Errors: product.errors}
	c.heading(fmt.Sprintf("the page of an objective, of %d of %d people, %d clients, pools of %d, %d rounds of %s", objectives, people, readers, o.connections, o.rounds, o.length))
	rows := []string{"\tpages/s\tp50 ms\tp99 ms\terrors\tCPU µs: server\tPostgreSQL\tclient\tround trips\tbuffers"}
	for _, s := range sides {
		rows = append(rows, fmt.Sprintf("%s\t%.0f\t%.1f\t%.1f\t%d\t%.0f\t%.0f\t%.0f\t%.2f\t%.0f", s.name, median(s.rates), median(s.p50), median(s.p99), s.errors,
			median(s.cpu[0]), median(s.cpu[1]), median(s.cpu[2]), s.cost.trips, s.cost.buffers))
	}
	c.table(rows...)
	c.printf("  statements: %s\n\n", strings.Join(product.cost.statements, ", "))
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

// pageSide reads pages from a server.
func pageSide(name string, start func(ctx context.Context, url string) (*rig.Process, error)) *side {
	s := &side{name: name}
	s.open = func(ctx context.Context, url string) (func(*desk) load.Outcome, func() error, error) {
		p, err := start(ctx, url)
		if err != nil {
			return nil, nil, err
		}
		s.process = p
		client := load.NewClient(p.Address, readers, clientPatience)
		return func(d *desk) load.Outcome { return client.Send(d.page(), nil) }, func() error { client.Close(); return p.Stop() }, nil
	}
	return s
}

func (d *desk) page() load.Request {
	return load.Request{Method: "GET", Path: d.path(), Token: d.token}
}

func (d *desk) readOnBarePgx(ctx context.Context, pool *pgxpool.Pool) load.Outcome {
	o, a, err := bare.Read(ctx, pool, d.organized, d.objective)
	if err != nil || o.View(a).ID != d.objective {
		return load.Broken
	}
	return load.Served
}

// sameBodies asks both servers for the same pages: a peer that answers less is no peer.
func sameBodies(ctx context.Context, r *rig.Rig, product, peer *side, some []*desk) error {
	bodies := make([][]any, 2)
	for i, s := range []*side{product, peer} {
		_, stop, err := s.open(ctx, r.Postgres.AppURL)
		if err != nil {
			return err
		}
		client := load.NewClient(s.process.Address, 1, clientPatience)
		for _, d := range some {
			var body any
			outcome := client.Send(d.page(), func(_ int, text []byte) { err = json.Unmarshal(text, &body) })
			if outcome != load.Served || err != nil {
				return errors.Join(fmt.Errorf("%s: no page was served", s.name), err, stop())
			}
			bodies[i] = append(bodies[i], body)
		}
		client.Close()
		if err := stop(); err != nil {
			return err
		}
	}
	for i := range some {
		want, err := json.Marshal(bodies[0][i])
		if err != nil {
			return err
		}
		got, err := json.Marshal(bodies[1][i])
		if err != nil {
			return err
		}
		if !bytes.Equal(want, got) {
			return fmt.Errorf("the peer does not answer as the product does:\n%s\n%s", got, want)
		}
	}
	return nil
}
