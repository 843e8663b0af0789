package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/rig"
	"github.com/kakeai/kakeai/bench/seed"
)

const (
	ofVictims = iota
	ofFlood
)

const (
	fairOrganizations = 100
	floodLoad         = 3   // all that comes, in multiples of the plateau
	floodShare        = 0.9 // of it, what one organisation sends
	plateauLength     = 5 * time.Second
)

// fairnessResult has no jain_jobs yet: what is measured here are requests, not jobs.
type fairnessResult struct {
	*common
	VictimServed   float64 `json:"victim_served"`
	VictimP99Ratio float64 `json:"victim_p99_ratio"`
	FloodServed    float64 `json:"flood_served"` // of what the flood sent
	JobsMeasured   bool    `json:"jobs_measured"`
}

// fairness measures what 99 organisations notice of one that sends nine tenths of all requests.
func fairness(ctx context.Context, o options, c *common) (any, error) {
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
	organizations := make([]seed.Organization, fairOrganizations)
	for i := range organizations {
		plan := seed.Plan{People: 20, Objectives: 200, SignedIn: 20}
		if i == 0 {
			plan = seed.Plan{People: 500, Objectives: 5000, SignedIn: 500}
		}
		if organizations[i], err = seed.Load(ctx, r.Owner, plan); err != nil {
			return nil, err
		}
	}
	if err := seed.Settle(ctx, r.Superuser); err != nil {
		return nil, err
	}
	together, err := r.Apart()
	if err != nil {
		return nil, err
	}
	defer together()
	p, err := r.Serve(ctx, programs, rig.Where{DatabaseURL: r.Postgres.AppURL, Connections: o.connections, Core: rig.ServerCore})
	if err != nil {
		return nil, err
	}
	client := load.NewClient(p.Address, maxInFlight, clientPatience)
	defer client.Close()
	flood, victims := newTraffic(organizations[:1]), newTraffic(organizations[1:])
	workers := make([]func() load.Outcome, plateauClients)
	for i := range workers {
		workers[i] = func() load.Outcome { return victims.normal(client) }
	}
	load.Closed(estimateLength, workers)
	plateau := load.Closed(plateauLength, workers).Rate(0)
	if plateau == 0 {
		return nil, errors.New("nothing was served")
	}
	send := func(a load.Arrival) load.Outcome {
		if a.Kind == ofFlood {
			return flood.normal(client)
		}
		return victims.normal(client)
	}
	var served, ratios, floodServed, calmP50, calmP99, floodP50, floodP99 []float64
	for round := range o.rounds {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		alone := load.Poisson(plateau*floodLoad*(1-floodShare), o.length, ofVictims, uint64(round)) //nolint:gosec // not negative
		calm := load.Open(o.length, alone, maxInFlight, send)
		c.watch()
		storm := load.Open(o.length, load.Merge(alone, load.Poisson(plateau*floodLoad*floodShare, o.length, ofFlood, uint64(round))), maxInFlight, send) //nolint:gosec // likewise
		c.watch()
		hit, noise := storm.Of(ofVictims), storm.Of(ofFlood)
		served = append(served, float64(hit.Good(patience))/float64(len(hit.Samples)))
		floodServed = append(floodServed, float64(noise.Good(patience))/float64(len(noise.Samples)))
		ratios = append(ratios, milliseconds(hit.Quantile(0.99))/milliseconds(calm.Quantile(0.99)))
		calmP50, calmP99 = append(calmP50, milliseconds(calm.Quantile(0.5))), append(calmP99, milliseconds(calm.Quantile(0.99)))
		floodP50, floodP99 = append(floodP50, milliseconds(hit.Quantile(0.5))), append(floodP99, milliseconds(hit.Quantile(0.99)))
	}
	result := fairnessResult{common: c, VictimServed: rounded(median(served)), VictimP99Ratio: rounded(median(ratios)), FloodServed: rounded(median(floodServed))}
	c.heading(fmt.Sprintf("%d organisations, one of which sends %.0f %% of %d× the plateau of %.0f requests/s; server on one core with a pool of %d, generator on the other; %d rounds of %s",
		fairOrganizations, floodShare*100, floodLoad, plateau, o.connections, o.rounds, o.length))
	c.table("\tserved\tp50 ms\tp99 ms",
		fmt.Sprintf("the others, alone\t\t%.1f\t%.1f", median(calmP50), median(calmP99)),
		fmt.Sprintf("the others, in the flood\t%.2f %%\t%.1f\t%.1f", 100*median(served), median(floodP50), median(floodP99)),
		fmt.Sprintf("the flood\t%.2f %%\t\t", 100*median(floodServed)))
	c.goal("victim_served", result.VictimServed, true, 0.99)
	c.goal("victim_p99_ratio", result.VictimP99Ratio, false, 2)
	c.printf("  jain_jobs is not measured yet: these are requests, not jobs\n\n")
	return result, nil
}
