package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"

	"github.com/kakeai/kakeai/bench/seed"
	"github.com/kakeai/kakeai/internal/db"
)

const (
	keyedEvery  = 4  // one in so many edits carries an Idempotency-Key, and is sent again if its outcome is unknown
	contestEach = 20 // one in so many is sent twice at once, as two edits of the same revision, of which one has to lose
	sendAgain   = 2  // times
	resendAfter = 500 * time.Millisecond
)

// Client sends requests to one server.
type Client struct {
	host     fasthttp.HostClient
	base     string
	patience time.Duration
}

// NewClient returns a client of the server at address, with at most so many connections. patience is how long a request may take.
func NewClient(address string, connections int, patience time.Duration) *Client {
	return &Client{base: "http://" + address, patience: patience, host: fasthttp.HostClient{
		Addr: address, MaxConns: connections, MaxIdleConnDuration: time.Minute, MaxIdemponentCallAttempts: 1, NoDefaultUserAgentHeader: true,
	}}
}

// Close ends the connections that are not in use.
func (c *Client) Close() { c.host.CloseIdleConnections() }

// request is one request. Empty fields are left out.
type request struct {
	method, path, token, id, key string
	body                         []byte
}

// send sends a request. read sees an answer that is 2xx, whose body is only valid until it returns; nil for nobody.
func (c *Client) send(r request, read func(body []byte)) Outcome {
	ask, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(ask)
	defer fasthttp.ReleaseResponse(answer)
	ask.Header.SetMethod(r.method)
	ask.SetRequestURI(c.base + r.path)
	for name, value := range map[string]string{"Authorization": "Bearer " + r.token, "X-Request-Id": r.id, "Idempotency-Key": r.key} {
		if value != "" && value != "Bearer " {
			ask.Header.Set(name, value)
		}
	}
	if len(r.body) > 0 {
		ask.Header.SetContentType("application/json")
		ask.SetBodyRaw(r.body)
	}
	if err := c.host.DoTimeout(ask, answer, c.patience); err != nil {
		if errors.Is(err, fasthttp.ErrTimeout) || errors.Is(err, fasthttp.ErrDialTimeout) {
			return Late
		}
		return Broken
	}
	outcome := outcomeOf(answer.StatusCode(), answer.Body())
	if outcome == Served && read != nil {
		read(answer.Body())
	}
	return outcome
}

func outcomeOf(status int, body []byte) Outcome {
	switch {
	case status >= 200 && status < 300:
		return Served
	case status == http.StatusConflict:
		return Conflict
	case status == http.StatusTooManyRequests:
		return Limited
	case status == http.StatusServiceUnavailable:
		for _, kind := range []string{"overloaded", "busy", "lock-timeout", "acquire-timeout"} { // with which nothing was changed; the last two are the old way's
			if bytes.Contains(body, []byte(`"type":"`+kind+`"`)) {
				return Overloaded
			}
		}
		return Unavailable
	}
	return Failed
}

// dialogue is a conversation with the coach.
type dialogue struct {
	id    uuid.UUID
	token string
}

// People are what works at desks: they read, edit, and ask the coach.
type People struct {
	Jobs     Jobs
	Recorder Recorder

	pick   func() *Client
	fault  func(Fault)
	keys   bool // the server takes Idempotency-Keys
	number atomic.Uint32

	mu        sync.Mutex
	desks     []*Desk // those at which nobody works; taken from the front, put back at the end
	all       []*Desk
	dialogues []dialogue
}

// NewPeople lets organisations, and within them people, take turns. pick says which server the next request goes to; fault hears of what is
// noticed on the way.
func NewPeople(organizations []seed.Organization, keys bool, pick func() *Client, fault func(Fault)) *People {
	p := &People{pick: pick, fault: fault, keys: keys}
	for row, more := 0, true; more; row++ {
		more = false
		for _, o := range organizations {
			for _, m := range o.Members {
				if row < len(m.Objectives) {
					p.all = append(p.all, NewDesk(o.ID, m.Objectives[row], m.Token.String()))
					more = true
				}
			}
		}
	}
	p.desks = append(p.desks, p.all...)
	return p
}

// All are all desks. They are to be looked at only when nobody works any more.
func (p *People) All() []*Desk { return p.all }

// Borrow takes up to n desks away from work, those first at which nobody has worked for longest; Return gives them back.
func (p *People) Borrow(n int) []*Desk {
	p.mu.Lock()
	defer p.mu.Unlock()
	borrowed := append([]*Desk{}, p.desks[:min(n, len(p.desks))]...)
	p.desks = p.desks[len(borrowed):]
	return borrowed
}

// Return gives desks back.
func (p *People) Return(desks ...*Desk) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.desks = append(p.desks, desks...)
}

// Edits are how many were acknowledged, and of how many it was never known. Nobody works any more.
func (p *People) Edits() (acknowledged, unknown int) {
	for _, d := range p.all {
		acknowledged += len(d.acknowledged)
		unknown += len(d.unknown)
	}
	return acknowledged, unknown
}

// OpenDialogues opens a dialogue about each of the first n desks, for the people there. owner owns the tables.
func (p *People) OpenDialogues(ctx context.Context, owner *pgx.Conn, n int) error {
	for _, d := range p.all[:n] {
		id := db.NewID()
		if _, err := owner.Exec(ctx, `INSERT INTO dialogues (organization_id, id, objective_id, title, created_by)
			SELECT o.organization_id, $1, o.id, 'What does the coach say?', o.owner_id FROM objectives AS o WHERE o.organization_id = $2 AND o.id = $3`,
			id, d.Organization, d.Objective); err != nil {
			return fmt.Errorf("soak: %w", err)
		}
		p.dialogues = append(p.dialogues, dialogue{id: id, token: d.Token})
	}
	return nil
}

// Do does one piece of work that was due at a time, and counts what comes of it.
func (p *People) Do(w Work, due time.Time) Outcome {
	if w == Ready {
		return p.note(Ready, p.pick().send(request{method: "GET", path: "/readyz"}, nil), due)
	}
	if w == Ask {
		return p.note(Ask, p.ask(), due)
	}
	borrowed := p.Borrow(1)
	if len(borrowed) == 0 {
		return p.note(w, Unsent, due)
	}
	d := borrowed[0]
	defer p.Return(d)
	switch {
	case w == Session:
		return p.note(Session, p.pick().send(request{method: "GET", path: "/api/v1/session", token: d.Token}, nil), due)
	case w == Edit && !d.unsure:
		return p.edit(d, due)
	}
	return p.note(Read, p.read(d), due)
}

func (p *People) note(w Work, o Outcome, due time.Time) Outcome {
	p.Recorder.Add(w, o, time.Since(due))
	return o
}

func (d *Desk) path() string { return "/api/v1/objectives/" + d.Objective.String() }

// read reads the objective. Whoever was told of a revision never sees an earlier one again, whichever server is asked.
func (p *People) read(d *Desk) Outcome {
	return p.pick().send(request{method: "GET", path: d.path(), token: d.Token}, func(body []byte) {
		revision := revisionIn(body)
		if revision < d.revision {
			p.fault(Fault{StaleRead, fmt.Sprintf("objective %s: revision %d was read after %d had been acknowledged", d.Objective, revision, d.revision)})
		}
		d.revision, d.unsure = revision, false
	})
}

var revisionField = []byte(`"revision":`) //nolint:gochecknoglobals // never changed

// revisionIn is the revision of the objective in an answer; 0 if there is none.
func revisionIn(body []byte) int64 {
	at := bytes.Index(body, revisionField)
	if at < 0 {
		return 0
	}
	digits := body[at+len(revisionField):]
	end := bytes.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	revision, _ := strconv.ParseInt(string(digits[:max(end, 0)]), 10, 64) // 0 where there is no number
	return revision
}

// edit edits the objective, or has two edits meet. What it is told goes to the desk's memory.
func (p *People) edit(d *Desk, due time.Time) Outcome {
	number := p.number.Add(1)
	if number%contestEach != 0 {
		outcome, unknown := p.sendEdit(d, number, due)
		d.remember(number, outcome, unknown)
		return outcome
	}
	rival := p.number.Add(1)
	type told struct {
		outcome Outcome
		unknown bool
	}
	met := make(chan told, 1)
	go func() {
		outcome, unknown := p.sendEdit(d, rival, due)
		met <- told{outcome, unknown}
	}()
	outcome, unknown := p.sendEdit(d, number, due)
	other := <-met
	from := d.revision
	d.remember(number, outcome, unknown)
	now := d.revision
	d.revision = from // both were made from there
	d.remember(rival, other.outcome, other.unknown)
	d.revision = max(d.revision, now)
	return outcome
}

// sendEdit sends an edit, and again where that is safe. unknown says that it may have happened although the outcome does not say so.
func (p *People) sendEdit(d *Desk, number uint32, due time.Time) (outcome Outcome, unknown bool) {
	r := request{method: "PATCH", path: d.path(), token: d.Token, id: requestOf(number), body: fmt.Appendf(nil, `{"title":%q,"revision":%d}`, titleOf(number), d.revision)}
	if p.keys && number%keyedEvery == 0 {
		r.key = r.id
	}
	for try := 0; ; try++ {
		outcome = p.note(Edit, p.pick().send(r, nil), due)
		unknown = outcome.unknown() || unknown && outcome != Served // a refusal says nothing of the times before
		if !unknown || r.key == "" || try == sendAgain {
			return outcome, unknown
		}
		time.Sleep(resendAfter)
		due = time.Now()
	}
}

// remember keeps what became of an edit that was made from the revision at which the desk is.
func (d *Desk) remember(number uint32, outcome Outcome, unknown bool) {
	made := edit{uint32(d.revision) + 1, number} //nolint:gosec // counted from 1 by hundreds
	switch {
	case outcome == Served:
		d.acknowledged = append(d.acknowledged, made)
		d.revision++
	case unknown:
		d.unknown = append(d.unknown, made)
		d.unsure = true
	case outcome == Conflict:
		d.unsure = true
	}
}

// ask asks the coach in some dialogue.
func (p *People) ask() Outcome {
	n := p.number.Add(1)
	about, kind := p.dialogues[rand.IntN(len(p.dialogues))], "feedback"
	if n%2 == 0 {
		kind = "draft"
	}
	return p.pick().send(request{method: "POST", path: "/api/v1/dialogues/" + about.id.String() + "/jobs", token: about.token, body: fmt.Appendf(nil, `{"kind":%q}`, kind)},
		func(body []byte) {
			var job struct{ ID uuid.UUID }
			if err := json.Unmarshal(body, &job); err != nil || job.ID == uuid.Nil {
				p.fault(Fault{LostResult, "a job was acknowledged without its id"})
				return
			}
			p.Jobs.Acknowledged(job.ID)
		})
}

// Open does work at random, independent times, at a rate per second, until ctx ends, whatever becomes of that before it, with at most bound in
// flight; unsent hears of what would have been more. It returns when the last has ended. It keeps nothing of what it has done.
func Open(ctx context.Context, rate float64, bound int, random *rand.Rand, work func(due time.Time), unsent func(due time.Time)) {
	places := make(chan struct{}, bound)
	var all sync.WaitGroup
	defer all.Wait()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for due := time.Now(); ; due = due.Add(time.Duration(random.ExpFloat64() / rate * float64(time.Second))) {
		if early := time.Until(due); early > 0 {
			timer.Reset(early)
			select {
			case <-timer.C:
			case <-ctx.Done():
				return
			}
		} else if ctx.Err() != nil {
			return
		}
		select {
		case places <- struct{}{}:
			all.Go(func() {
				defer func() { <-places }()
				work(due)
			})
		default:
			unsent(due)
		}
	}
}
