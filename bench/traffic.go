package main

import (
	"sync"
	"time"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/seed"
)

const (
	patience    = 2 * time.Second // a request that takes longer has not served anybody; the product's own bound on waiting
	maxInFlight = 4000
	editEvery   = 5 // one in so many normal requests is an edit, the others show an objective
)

// traffic is what the people of some organisations do, one request after another.
type traffic struct {
	mu    sync.Mutex
	desks []*desk // those at which nobody works; taken from the front, put back at the end
	count int
}

// newTraffic lets organisations, and within them people, take turns.
func newTraffic(all []seed.Organization) *traffic {
	perOrganization := make([][]*desk, len(all))
	for i, o := range all {
		perOrganization[i] = desks(o)
	}
	t := &traffic{}
	for i := range perOrganization[0] {
		for _, some := range perOrganization {
			if i < len(some) {
				t.desks = append(t.desks, some[i])
			}
		}
	}
	return t
}

func (t *traffic) take() (d *desk, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++
	if len(t.desks) == 0 {
		return nil, t.count
	}
	d = t.desks[0]
	t.desks = t.desks[1:]
	return d, t.count
}

func (t *traffic) put(d *desk) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.desks = append(t.desks, d)
}

// normal is what people do all day: they look at objectives, and edit some.
func (t *traffic) normal(client *load.Client) load.Outcome {
	d, n := t.take()
	if d == nil {
		return load.Unsent
	}
	defer t.put(d)
	if n%editEvery != 0 || d.unsure {
		return client.Send(load.Request{Method: "GET", Path: d.path(), Token: d.token}, d.read)
	}
	outcome := d.overHTTP(client)
	d.unsure = outcome == load.Broken || outcome == load.Conflict
	return outcome
}

// session asks who one is, as every page does first.
func (t *traffic) session(client *load.Client) load.Outcome {
	d, _ := t.take()
	if d == nil {
		return load.Unsent
	}
	defer t.put(d)
	return client.Send(load.Request{Method: "GET", Path: "/api/v1/session", Token: d.token}, nil)
}

// readiness asks what those ask who decide whether the program gets any requests.
func readiness(client *load.Client) load.Outcome {
	return client.Send(load.Request{Method: "GET", Path: "/readyz"}, nil)
}
