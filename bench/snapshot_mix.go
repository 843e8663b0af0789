package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kakeai/kakeai/bench/load"
	"github.com/kakeai/kakeai/bench/seed"
)

// Kinds of requests in the mix.
const (
	mixRead = iota
	mixEdit
	mixSession
	mixReadiness
	mixSignIn
	mixKinds
)

var mixNames = [mixKinds]string{"read", "edit", "session", "readiness", "sign-in"} //nolint:gochecknoglobals // never changed

// mixShares are what a client asks for, out of 95. Signing in is not a share of that: a hash takes tens of milliseconds of a core, and a
// hundred clients that never think would do little else. People sign in at a rate of their own beside the clients, the same for both ways
// and however slowly a server answers; what the hashing takes of the cores is printed, and is meant to be a tenth at most.
var mixShares = [...]int{mixRead: 60, mixEdit: 22, mixSession: 8, mixReadiness: 5} //nolint:gochecknoglobals // never changed

const (
	mixShareSum     = 95
	signInsPerS     = 3
	signInsAtOnce   = 200
	mixPatience     = 10 * time.Second // after which a client gives up, which is an error
	mixPassword     = "correct horse battery staple"
	causeNoAnswer   = "no-answer"
	causeUnknown    = "unknown"
	lockTimeouts    = "lock-timeout"    // as the old way names it
	acquireTimeouts = "acquire-timeout" // likewise
)

// mixSample is one request of the mix.
type mixSample struct {
	load.Sample
	cause string // of an error: the type of the problem that was answered; causeNoAnswer if nothing was; empty for what went well
}

// mixRun is what came of a mix.
type mixRun []mixSample

// between is the part that was sent in a window.
func (r mixRun) between(from, to time.Duration) (part mixRun) {
	for _, s := range r {
		if s.Due >= from && s.Due < to {
			part = append(part, s)
		}
	}
	return part
}

// all are the requests as bench/load counts them; sign-ins aside, whose length is the password's and not the database's.
func (r mixRun) all(length time.Duration) load.Run {
	run := load.Run{Length: length, Samples: make([]load.Sample, 0, len(r))}
	for _, s := range r {
		if s.Kind != mixSignIn {
			run.Samples = append(run.Samples, s.Sample)
		}
	}
	return run
}

// count is how many requests of a kind were sent, and how many ended in an error.
func (r mixRun) count(kind int) (sent, failed int) {
	for _, s := range r {
		if s.Kind != kind {
			continue
		}
		sent++
		if !s.Outcome.Good() {
			failed++
		}
	}
	return sent, failed
}

func (r mixRun) errors() (n int) {
	for kind := range mixKinds {
		_, failed := r.count(kind)
		n += failed
	}
	return n
}

func (r mixRun) conflicts() (n int) {
	for _, s := range r {
		if s.Outcome == load.Conflict {
			n++
		}
	}
	return n
}

func (r mixRun) causes() map[string]int {
	causes := map[string]int{}
	for _, s := range r {
		if s.cause != "" {
			causes[s.cause]++
		}
	}
	return causes
}

// people are those of one organisation, at their desks.
type people struct {
	members []seed.Member
	desks   []*desk
	signIns atomic.Uint32
}

func newPeople(o seed.Organization) *people { return &people{members: o.Members, desks: desks(o)} }

// mixClient asks for one thing after another, without a pause. Nobody else edits at its desks, unless there are more clients than objectives: then two of
// them edit the same one, each from the revision that it has seen, and one of the two gets 409 and reads again.
type mixClient struct {
	people *people
	desks  []*desk
	next   int
	random *rand.Rand
}

// newClients seats clients. Desks keep what is known of their objective from one measurement to the next.
func (p *people) newClients(n int) []*mixClient {
	clients := make([]*mixClient, n)
	for i := range clients {
		c := &mixClient{people: p, random: rand.New(rand.NewPCG(uint64(i), 1))} //nolint:gosec // neither secret nor negative
		for j := i; j < len(p.desks); j += n {
			c.desks = append(c.desks, p.desks[j])
		}
		if len(c.desks) == 0 {
			shared := *p.desks[i%len(p.desks)]
			c.desks = append(c.desks, &shared)
		}
		clients[i] = c
	}
	return clients
}

// ask sends one request.
func (c *mixClient) ask(client *load.Client) (kind int, outcome load.Outcome, cause string) {
	d := c.desks[c.next]
	c.next = (c.next + 1) % len(c.desks)
	kind = mixRead
	for n := c.random.IntN(mixShareSum); n >= mixShares[kind]; kind++ {
		n -= mixShares[kind]
	}
	request := load.Request{Method: "GET", Token: d.token}
	read := func(int, []byte) {}
	switch kind {
	case mixRead:
		request.Path = c.people.desks[c.random.IntN(len(c.people.desks))].path()
	case mixSession:
		request.Path = "/api/v1/session"
	case mixReadiness:
		request.Path, request.Token = "/readyz", ""
	case mixEdit:
		request.Path = d.path()
		if d.unsure { // whoever does not know what has become of an edit looks first
			kind, read = mixRead, d.read
			break
		}
		request.Method = "PATCH"
		request.Body = fmt.Appendf(nil, `{"title":%q,"revision":%d}`, d.title(), d.revision)
	}
	outcome, cause = sendMix(client, request, read)
	if kind == mixEdit {
		d.unsure = outcome == load.Broken || outcome == load.Conflict
		if outcome == load.Served {
			d.revision++
		}
	}
	return kind, outcome, cause
}

// signIn has somebody sign in, another one each time and from another address: a server that limits attempts per account and address is right to.
func (p *people) signIn(client *load.Client) (load.Outcome, string) {
	n := p.signIns.Add(1)
	body, err := json.Marshal(map[string]string{"email": p.members[int(n)%len(p.members)].Email, "password": mixPassword})
	if err != nil {
		return load.Unsent, causeUnknown
	}
	return sendMix(client, load.Request{Method: "POST", Path: "/api/v1/session", Body: body,
		ForwardedFor: fmt.Sprintf("10.%d.%d.%d", byte(n>>16), byte(n>>8), byte(n))}, func(int, []byte) {})
}

var typeField = []byte(`"type":"`) //nolint:gochecknoglobals // never changed

// sendMix sends a request and says why it failed.
func sendMix(client *load.Client, request load.Request, read func(int, []byte)) (outcome load.Outcome, cause string) {
	outcome = client.Send(request, func(status int, body []byte) {
		read(status, body)
		if load.OfStatus(status).Good() {
			return
		}
		cause = causeUnknown
		if _, rest, ok := bytes.Cut(body, typeField); ok {
			if kind, _, ok := bytes.Cut(rest, []byte{'"'}); ok {
				cause = string(kind)
			}
		}
	})
	if outcome == load.Broken {
		cause = causeNoAnswer
	}
	return outcome, cause
}

// mix has clients ask, and others sign in, until done is closed or ctx ends; it returns when the last answer is there. Due counts from began.
func mix(ctx context.Context, began time.Time, done <-chan struct{}, p *people, clients []*mixClient, client *load.Client) mixRun {
	going := func() bool {
		select {
		case <-done:
			return false
		case <-ctx.Done():
			return false
		default:
			return true
		}
	}
	samples := make([][]mixSample, len(clients)+1)
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() {
			for going() {
				due := time.Since(began)
				kind, outcome, cause := c.ask(client)
				samples[i] = append(samples[i], mixSample{load.Sample{Kind: kind, Due: due, Took: time.Since(began) - due, Outcome: outcome}, cause})
			}
		})
	}
	var signingIn sync.Mutex
	signIns := &samples[len(clients)]
	all.Go(func() {
		var running sync.WaitGroup
		defer running.Wait()
		ticker := time.NewTicker(time.Second / signInsPerS)
		defer ticker.Stop()
		for atOnce := make(chan struct{}, signInsAtOnce); going(); <-ticker.C {
			atOnce <- struct{}{} // more than can be under way within a client's patience
			running.Go(func() {
				defer func() { <-atOnce }()
				due := time.Since(began)
				outcome, cause := p.signIn(client)
				signingIn.Lock()
				defer signingIn.Unlock()
				*signIns = append(*signIns, mixSample{load.Sample{Kind: mixSignIn, Due: due, Took: time.Since(began) - due, Outcome: outcome}, cause})
			})
		}
	})
	all.Wait()
	return slices.Concat(samples...)
}
