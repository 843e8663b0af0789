package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/rig"
	"github.com/kakeai/kakeai/bench/seed"
)

const (
	fewObjectives = 10_000
	manyTimes     = 100 // as many objectives in the large organisation
	pageSize      = 50
	farPage       = 10_000
	pageClients   = 4
)

type pagesResult struct {
	*common
	Few         int                `json:"objectives_few"`
	Many        int                `json:"objectives_many"`
	FarPage     int                `json:"far_page"`
	PageRatio   float64            `json:"page_ratio"`   // p50 of the far page ÷ of the first
	GrowthRatio float64            `json:"growth_ratio"` // the highest of Growth
	Growth      map[string]float64 `json:"growth"`       // of each kind of request, p50 with many objectives ÷ with few
	Errors      int                `json:"errors"`
}

// place is an organisation in an installation of its own.
type place struct {
	objectives int
	server     *rig.Process
	client     *load.Client
	members    []seed.Member
	next       int
}

// pages measures what a page of a list, and the pages that show something of everything, take as the organisation grows.
func pages(ctx context.Context, o options, c *common) (any, error) {
	_, many := o.size(0, fewObjectives*manyTimes)
	few := many / manyTimes
	people := max(few*peoplePerHundred/100, 20)
	var places [2]*place
	for i, times := range []int{1, manyTimes} {
		p, source, stop, err := settled(ctx, o, people, few, times)
		if stop != nil {
			defer stop() //nolint:errcheck // what is left goes with this process
		}
		if err != nil {
			return nil, err
		}
		places[i], c.PostgreSQL = p, source
	}
	kinds := []string{"objectives, first page", "objectives of a cycle", "approved objectives", "an objective"}
	paths := make([]func(*seed.Member) string, len(kinds))
	list := func(filter string) func(*seed.Member) string {
		return func(*seed.Member) string { return fmt.Sprintf("/api/v1/objectives?limit=%d%s", pageSize, filter) }
	}
	paths[0], paths[2] = list(""), list("&state=approved")
	paths[3] = func(m *seed.Member) string { return "/api/v1/objectives/" + m.Objectives[0].String() }
	if places[0].serves("/api/v1/dashboard") {
		kinds, paths = append(kinds, "dashboard"), append(paths, func(*seed.Member) string { return "/api/v1/dashboard" })
	}
	far, err := places[1].walk(min(farPage, places[1].objectives*8/10/pageSize))
	if err != nil {
		return nil, err
	}
	result := pagesResult{common: c, Few: places[0].objectives, Many: places[1].objectives, FarPage: far.number, Growth: map[string]float64{}}
	var deep, first []float64
	times := make([][2][]float64, len(kinds))
	for round := range o.rounds {
		for k := range kinds {
			for turn := range places {
				i := (round + turn) % len(places)
				p := places[i]
				path := paths[k]
				if path == nil {
					path = list("&cycle_id=" + p.cycle())
				}
				took, err := p.median(o, path, &result.Errors)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", kinds[k], err)
				}
				times[k][i] = append(times[k][i], took)
			}
			c.watch()
		}
		took, err := places[1].median(o, func(*seed.Member) string { return far.path }, &result.Errors)
		if err != nil {
			return nil, fmt.Errorf("page %d: %w", far.number, err)
		}
		deep, first = append(deep, took), append(first, times[0][1][round])
		c.watch()
	}
	c.heading(fmt.Sprintf("pages of %d, p50, %d clients, %d people, %d rounds of %s", pageSize, pageClients, people, o.rounds, o.length))
	rows := []string{fmt.Sprintf("\t%d objectives, ms\t%d objectives, ms\tratio", result.Few, result.Many)}
	for k, name := range kinds {
		result.Growth[name] = rounded(ratio(times[k][1], times[k][0]))
		result.GrowthRatio = max(result.GrowthRatio, result.Growth[name])
		rows = append(rows, fmt.Sprintf("%s\t%.2f\t%.2f\t%.2f", name, median(times[k][0]), median(times[k][1]), result.Growth[name]))
	}
	result.PageRatio = rounded(ratio(deep, first))
	rows = append(rows, fmt.Sprintf("objectives, page %d\t\t%.2f\t%.2f", far.number, median(deep), result.PageRatio))
	c.table(rows...)
	c.goal("page_ratio", result.PageRatio, false, 1.2)
	c.goal("growth_ratio", result.GrowthRatio, false, 1.2)
	c.printf("\n")
	return result, nil
}

// settled is an organisation of so many objectives, so many times over, with a server before it.
func settled(ctx context.Context, o options, people, objectives, times int) (p *place, source string, stop func() error, err error) {
	r, err := rig.Start(ctx, o.dir)
	if err != nil {
		return nil, "", nil, err
	}
	organization, err := seed.Populate(ctx, r.Owner, people, objectives, signedIn)
	if err == nil && times > 1 {
		err = seed.Multiply(ctx, r.Superuser, organization, times)
	}
	if err == nil {
		err = seed.Settle(ctx, r.Superuser)
	}
	if err != nil {
		return nil, "", r.Close, err
	}
	program, err := r.Build(ctx, checkout, "./cmd/kakeai")
	if err != nil {
		return nil, "", r.Close, err
	}
	server, err := r.Serve(ctx, rig.Programs{Product: program}, rig.Where{DatabaseURL: r.Postgres.AppURL, Connections: o.connections, Core: -1}, "KAKEAI_ORGANIZATION_RATE=0")
	if err != nil {
		return nil, "", r.Close, err
	}
	return &place{objectives: objectives * times, server: server, client: load.NewClient(server.Address, pageClients, clientPatience), members: organization.Members}, r.Source, r.Close, nil
}

// member is another one each time, so that none comes near what one may ask for.
func (p *place) member() *seed.Member {
	p.next = (p.next + 1) % len(p.members)
	return &p.members[p.next]
}

func (p *place) get(path string, m *seed.Member, into any) error {
	var status int
	var err error
	p.client.Send(load.Request{Method: "GET", Path: path, Token: m.Token.String()}, func(s int, body []byte) {
		if status = s; s == 200 && into != nil {
			err = json.Unmarshal(body, into)
		}
	})
	if status != 200 {
		return fmt.Errorf("GET %s: %d", path, status)
	}
	return err
}

func (p *place) serves(path string) bool { return p.get(path, p.member(), nil) == nil }

// cycle is one that most objectives are in.
func (p *place) cycle() string {
	var o struct {
		CycleID string `json:"cycle_id"`
	}
	m := p.member()
	if p.get("/api/v1/objectives/"+m.Objectives[0].String(), m, &o) != nil {
		return ""
	}
	return o.CycleID
}

// leaf is a page of a list, by the way to it.
type leaf struct {
	number int
	path   string
}

// walk goes from page to page, as far as it is told to.
func (p *place) walk(to int) (leaf, error) {
	at := leaf{1, fmt.Sprintf("/api/v1/objectives?limit=%d", pageSize)}
	begin := at.path
	for at.number < to {
		var page struct {
			NextCursor *string `json:"next_cursor"`
		}
		if err := p.get(at.path, p.member(), &page); err != nil {
			return at, err
		}
		if page.NextCursor == nil {
			return at, errors.New("the list ended on the way")
		}
		at = leaf{at.number + 1, begin + "&cursor=" + url.QueryEscape(*page.NextCursor)}
	}
	return at, nil
}

// median is how long a request takes, in ms.
func (p *place) median(o options, path func(*seed.Member) string, failed *int) (float64, error) {
	workers := make([]func() load.Outcome, pageClients)
	for i := range workers {
		n := i * len(p.members) / pageClients
		workers[i] = func() load.Outcome {
			n = (n + 1) % len(p.members)
			return p.client.Send(load.Request{Method: "GET", Path: path(&p.members[n]), Token: p.members[n].Token.String()}, nil)
		}
	}
	load.Closed(o.length/4, workers)
	run := load.Closed(o.length, workers)
	*failed += run.Errors()
	if run.Good(0) == 0 {
		return 0, errors.New("nothing was served")
	}
	return milliseconds(run.Quantile(0.5)), nil
}
