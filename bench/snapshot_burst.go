package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/rig"
	"github.com/kakeai/kakeai/bench/seed"
)

const (
	burstJobs    = 200
	burstAskers  = 20 // so many of them at a time
	burstClients = 100
	burstWorkers = 4                // jobs at a time, the product's default
	burstBefore  = 8 * time.Second  // how long the clients are watched before the burst
	burstBound   = 45 * time.Second // after which what is not settled stays so
	burstPoll    = 50 * time.Millisecond
)

type burstsOfBoth struct {
	Old burstFigures `json:"old"`
	New burstFigures `json:"new"`
}

// burstFigures are what came of 200 jobs that were asked for at once. Latencies are of requests that were answered well.
type burstFigures struct {
	P95Before    float64 `json:"p95_before_ms"`
	P95During    float64 `json:"p95_during_ms"`
	ErrorsBefore int     `json:"errors_before"`
	ErrorsDuring int     `json:"errors_during"`
	ShareBefore  float64 `json:"error_share_before"`
	ShareDuring  float64 `json:"error_share_during"`
	Asked        int     `json:"jobs_asked_for"` // that the server has taken
	AskedAgain   int     `json:"asked_again"`    // how often asking failed and was tried again
	Settled      int     `json:"jobs_settled"`
	Superseded   int     `json:"jobs_superseded"` // of these: somebody had edited the objective meanwhile
	NotOnce      int     `json:"jobs_not_settled_once"`
	Seconds      float64 `json:"seconds"` // until all were settled; the bound if not all were
	All          bool    `json:"all_settled"`
}

func (b burstFigures) errors() int { return b.ErrorsBefore + b.ErrorsDuring }

// bothBursts have the same rules coach answer the same jobs, at most four at a time. The old way's worker is in the server's process and has its pool
// of 20; the product's is a process of its own, and the two have 10 each.
func bothBursts(ctx context.Context, r *rig.Rig, programs rig.Programs, o options, oldWay, newWay *way) (b burstsOfBoth, err error) {
	if err := seed.Settle(ctx, r.Superuser); err != nil {
		return b, err
	}
	p, err := oldWay.serve(ctx, fmt.Sprintf("JOBS=%d", burstWorkers))
	if err != nil {
		return b, err
	}
	b.Old, err = oldWay.burst(ctx, r, p)
	if err := errFirst(err, p.Stop()); err != nil {
		return b, fmt.Errorf("%s, burst: %w", oldWay.name, err)
	}
	if p, err = newWay.serve(ctx); err != nil {
		return b, err
	}
	coach, err := r.Work(ctx, programs, rig.Where{DatabaseURL: r.Postgres.AppURL, Connections: o.connections, Core: -1}, fmt.Sprintf("KAKEAI_JOBS=%d", burstWorkers))
	if err != nil {
		return b, err
	}
	b.New, err = newWay.burst(ctx, r, p)
	if err := errFirst(err, errFirst(p.Stop(), coach.Stop())); err != nil {
		return b, fmt.Errorf("%s, burst: %w", newWay.name, err)
	}
	return b, nil
}

func errFirst(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// burst watches clients, has the jobs asked for by HTTP, and watches on until they are settled.
func (w *way) burst(ctx context.Context, r *rig.Rig, p *rig.Process) (b burstFigures, err error) {
	client := newMixClient(p, burstClients)
	defer client.Close()
	staff, organization := w.organizations[curveRows], w.ids[curveRows]
	if err := staff.read(client); err != nil {
		return b, err
	}
	began, done := time.Now(), make(chan struct{})
	runs := make(chan mixRun)
	go func() { runs <- mix(ctx, began, done, staff, staff.newClients(burstClients), client) }()
	time.Sleep(w.warmUp + burstBefore)

	burst, bounded := time.Now(), time.Now().Add(burstBound)
	asking := make(chan struct{})
	go func() {
		defer close(asking)
		b.Asked, b.AskedAgain = askAll(organization, client, bounded)
	}()
	asked := false
	for !b.All && time.Now().Before(bounded) && ctx.Err() == nil && err == nil {
		select {
		case <-asking:
			asked = true
		default:
		}
		time.Sleep(burstPoll)
		var all int
		all, b.Settled, err = settledJobs(ctx, r, organization.ID)
		b.All = asked && b.Asked == burstJobs && b.Settled == all
	}
	length := time.Since(burst)
	close(done)
	run := <-runs
	<-asking
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return b, err
	}
	b.Seconds = rounded(length.Seconds())
	from := burst.Sub(began)
	before, during := run.between(from-burstBefore, from), run.between(from, from+length)
	b.P95Before, b.P95During = rounded(milliseconds(before.all(burstBefore).Quantile(0.95))), rounded(milliseconds(during.all(length).Quantile(0.95)))
	b.ErrorsBefore, b.ErrorsDuring = before.errors(), during.errors()
	b.ShareBefore, b.ShareDuring = rounded(float64(b.ErrorsBefore)/float64(max(1, len(before)))), rounded(float64(b.ErrorsDuring)/float64(max(1, len(during))))
	b.Superseded, b.NotOnce, err = settledOnce(ctx, r, organization.ID)
	return b, err
}

// askAll has each of the dialogues' members ask for feedback, again until the server takes it.
func askAll(o seed.Organization, client *load.Client, bounded time.Time) (taken, again int) {
	type job struct {
		token    string
		dialogue uuid.UUID
	}
	jobs := make(chan job, burstJobs)
	for _, m := range o.Members {
		for _, d := range m.Dialogues {
			jobs <- job{m.Token.String(), d}
		}
	}
	close(jobs)
	var mu sync.Mutex
	var all sync.WaitGroup
	for range burstAskers {
		all.Go(func() {
			for j := range jobs {
				for time.Now().Before(bounded) {
					outcome, _ := sendMix(client, load.Request{Method: "POST", Path: "/api/v1/dialogues/" + j.dialogue.String() + "/jobs", Token: j.token,
						Body: []byte(`{"kind":"feedback"}`)}, func(int, []byte) {})
					mu.Lock()
					if outcome == load.Served {
						taken++
					} else {
						again++
					}
					mu.Unlock()
					if outcome == load.Served {
						break
					}
				}
			}
		})
	}
	all.Wait()
	return taken, again
}

func settledJobs(ctx context.Context, r *rig.Rig, organization uuid.UUID) (all, settled int, err error) {
	err = r.Superuser.QueryRow(ctx, `
		SELECT count(*), count(*) FILTER (WHERE j.state NOT IN ('queued', 'running'))
		FROM ai_jobs AS j WHERE j.organization_id = $1`, organization).Scan(&all, &settled)
	return all, settled, err
}

// settledOnce counts jobs that are superseded, and those of which the end is not recorded exactly once, or whose answer is missing or without a job's success.
func settledOnce(ctx context.Context, r *rig.Rig, organization uuid.UUID) (superseded, notOnce int, err error) {
	err = r.Superuser.QueryRow(ctx, `
		SELECT count(*) FILTER (WHERE j.state = 'superseded'),
		       count(*) FILTER (WHERE e.ends <> 1 OR m.answers <> CASE j.state WHEN 'succeeded' THEN 1 ELSE 0 END)
		FROM ai_jobs AS j
		CROSS JOIN LATERAL (SELECT count(*) AS ends FROM audit_events AS e WHERE e.organization_id = j.organization_id AND e.target_id = j.id
		                    AND e.action = 'job.' || j.state) AS e
		CROSS JOIN LATERAL (SELECT count(*) AS answers FROM messages AS m WHERE m.organization_id = j.organization_id AND m.job_id = j.id) AS m
		WHERE j.organization_id = $1 AND j.state NOT IN ('queued', 'running')`, organization).Scan(&superseded, &notOnce)
	return superseded, notOnce, err
}

func (c *common) reportBursts(b burstsOfBoth) {
	row := func(name string, f burstFigures) string {
		until := fmt.Sprintf("%.1f", f.Seconds)
		if !f.All {
			until = fmt.Sprintf("not within %.0f", f.Seconds)
		}
		return fmt.Sprintf("%s\t%.0f\t%.0f\t%.2f %%\t%.2f %%\t%d\t%d\t%d\t%d\t%d\t%s", name, f.P95Before, f.P95During, 100*f.ShareBefore, 100*f.ShareDuring,
			f.Asked, f.AskedAgain, f.Settled, f.Superseded, f.NotOnce, until)
	}
	c.printf("  %d jobs for the rules coach are asked for at once, while %d clients work at %d rows:\n\n", burstJobs, burstClients, curveRows)
	c.table("burst\tp95 ms before\tduring\terrors before\tduring\tjobs taken\tasked again\tsettled\tsuperseded\tnot once\tall settled after s",
		row("the old way", b.Old), row("Kakeai", b.New))
}
