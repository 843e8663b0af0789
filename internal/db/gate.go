package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// Class says what a transaction is worth when not all can run.
type Class uint8

const (
	Normal     Class = iota // what people do
	Critical                // reading the session, signing in, readiness
	Background              // the worker and whatever nobody is waiting for
	classes
)

// inTurn is the order in which waiting classes are served.
var inTurn = [classes]Class{Critical, Normal, Background} //nolint:gochecknoglobals // never changed

// Scope says for which organisation a transaction runs and how urgent it is.
type Scope struct {
	Organization uuid.UUID
	Class        Class
}

// Admission are a Gate's bounds.
type Admission struct {
	Connections int           // transactions that run at a time
	Reserve     int           // of these, places that only critical work takes
	Waiting     int           // transactions of one class that wait at a time
	Patience    time.Duration // how long one may wait
}

// OverloadError is the ErrOverloaded that a Gate returns. RetryAfter is when, at the rate at which places come free, there may be one.
type OverloadError struct{ RetryAfter time.Duration }

func (e *OverloadError) Error() string {
	return fmt.Sprintf("%v; try again in %s", ErrOverloaded, e.RetryAfter)
}

// Is makes every OverloadError an ErrOverloaded.
func (e *OverloadError) Is(target error) bool { return target == ErrOverloaded }

// Gate stands before the pool: nobody asks for a connection without a ticket, so the pool's own queue stays empty, and what is too much is refused
// while refusing is cheap. Critical work has places that nothing else can take. Within a class organisations take turns, so the flood of one delays
// itself; where the line is full, the organisation with the most in it makes room for a newcomer of one with less.
type Gate struct {
	limits [classes]int // running, per class
	shared int          // running, of all but critical
	o      Admission

	mu      sync.Mutex
	running [classes]int
	lines   [classes]*line

	lastLeft time.Time     // when a place last came free while somebody waited
	interval time.Duration // moving average between two such
	refused  [classes]int64
}

// NewGate returns a gate. It panics on bounds that let nothing through.
func NewGate(o Admission) *Gate {
	if o.Reserve < 0 || o.Reserve >= o.Connections || o.Waiting < 1 || o.Patience <= 0 {
		panic("db: a gate whose bounds let nothing through")
	}
	shared := o.Connections - o.Reserve
	g := &Gate{o: o, shared: shared, interval: time.Millisecond}
	g.limits = [classes]int{
		Normal:     shared,
		Critical:   o.Reserve + (shared+1)/2, // critical is bounded too: a storm of sign-ins must not stop everything else
		Background: max(1, shared/2),
	}
	for class := range g.lines {
		g.lines[class] = newLine(o.Waiting)
	}
	return g
}

// Ticket is the right to one connection, until Leave.
type Ticket struct {
	gate  *Gate
	class Class
}

// Enter waits for a place. It returns an *OverloadError when there is none to be had in time, and the context's error when the caller gave up first.
func (g *Gate) Enter(ctx context.Context, scope Scope) (Ticket, error) {
	if err := ctx.Err(); err != nil {
		return Ticket{}, err
	}
	g.mu.Lock()
	if g.lines[scope.Class].waiting == 0 && g.free(scope.Class) {
		g.running[scope.Class]++
		g.mu.Unlock()
		return Ticket{g, scope.Class}, nil
	}
	w, err := g.join(scope)
	g.mu.Unlock()
	if err != nil {
		return Ticket{}, err
	}
	return g.wait(ctx, w)
}

// Leave gives the place to whoever is next.
func (t Ticket) Leave() { t.gate.leave(t.class) }

func (g *Gate) leave(class Class) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running[class]--
	g.hand()
}

// free reports whether one more of a class may run.
func (g *Gate) free(class Class) bool {
	if g.running[class] >= g.limits[class] {
		return false
	}
	ordinary := g.running[Normal] + g.running[Background]
	if class != Critical && ordinary >= g.shared {
		return false
	}
	return ordinary+g.running[Critical] < g.o.Connections
}

// hand passes free places on, the most urgent class first.
func (g *Gate) hand() {
	waited := false
	for _, class := range inTurn {
		for g.lines[class].waiting > 0 && g.free(class) {
			waited = true
			w := g.next(class)
			g.running[class]++
			w.answer = granted
			w.answered <- struct{}{}
		}
	}
	if waited {
		now := time.Now()
		if between := now.Sub(g.lastLeft); between < time.Second {
			g.interval += (between - g.interval) / 8
		}
		g.lastLeft = now
	}
}

// next takes whoever is next out of a class's line.
func (g *Gate) next(class Class) *waiter {
	if g.congested(class) {
		return g.lines[class].newest(time.Now().Add(-g.o.Patience / late))
	}
	return g.lines[class].oldest()
}

// congested reports whether, at the rate at which places come free, whoever comes now would wait for a good part of their patience. Then the newest go
// first: they are served at once, instead of everybody late, and the line is no burden on those who come after the rush. A line that only looks
// long stays first come, first served. If the rush ends while its oldest still have patience, they are served as soon as the line is short again.
func (g *Gate) congested(class Class) bool {
	return time.Duration(g.lines[class].waiting)*g.interval > g.o.Patience/late
}

// late is the part of their patience that people may wait before that counts as late.
const late = 4

// Full reports whether a class's line is full.
func (g *Gate) Full(class Class) bool { return g.lines[class].full.Load() }

// Refuse returns what Enter would return at once to a newcomer who does not even get in line, and counts it; nil to one who would.
func (g *Gate) Refuse(scope Scope) error {
	l := g.lines[scope.Class]
	if !l.full.Load() {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if l.waiting < l.bound || l.mayDisplace(scope.Organization) {
		return nil
	}
	return g.overload(scope.Class)
}

// join puts a newcomer in line. Where the line is full, the newcomer is refused, unless an organisation that has more in line can make room: it loses
// whoever is the furthest from being served.
func (g *Gate) join(scope Scope) (*waiter, error) {
	l := g.lines[scope.Class]
	if l.waiting >= l.bound {
		if !l.mayDisplace(scope.Organization) {
			return nil, g.overload(scope.Class)
		}
		longest := l.longest()
		loser := longest.newest
		if g.congested(scope.Class) {
			loser = longest.oldest
		}
		l.remove(loser)
		loser.answer = displaced
		loser.answered <- struct{}{}
	}
	w := &waiter{scope: scope, since: time.Now(), answered: make(chan struct{}, 1)}
	l.add(w)
	return w, nil
}

// overload counts a refusal and estimates when it is worth while to come back.
func (g *Gate) overload(class Class) error {
	g.refused[class]++
	ahead := 1
	for _, l := range g.lines {
		ahead += l.waiting
	}
	wait := min(max(time.Duration(ahead)*g.interval, time.Second), 30*time.Second)
	return &OverloadError{RetryAfter: wait + rand.N(wait)}
}

func (g *Gate) wait(ctx context.Context, w *waiter) (Ticket, error) {
	patience := time.NewTimer(g.o.Patience)
	defer patience.Stop()
	var gaveUp error
	select {
	case <-w.answered:
	case <-ctx.Done():
		gaveUp = ctx.Err()
	case <-patience.C:
		gaveUp = ErrOverloaded
	}
	g.mu.Lock()
	answer, class := w.answer, w.scope.Class
	if gaveUp != nil && answer == nothing {
		g.lines[class].remove(w)
	}
	if gaveUp != nil && answer == granted { // too late: the place goes to the next
		g.running[class]--
		g.hand()
	}
	var err error
	if answer == displaced || errors.Is(gaveUp, ErrOverloaded) {
		err = g.overload(class)
	} else {
		err = gaveUp
	}
	g.mu.Unlock()
	if err != nil {
		return Ticket{}, err
	}
	return Ticket{g, class}, nil
}

// Load is what a gate is doing, per class.
type Load struct {
	Running, Waiting int
	Refused          int64
}

// Load reads what the gate is doing for a class.
func (g *Gate) Load(class Class) Load {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Load{Running: g.running[class], Waiting: g.lines[class].waiting, Refused: g.refused[class]}
}

type answer uint8

const (
	nothing answer = iota
	granted
	displaced
)

// waiter is one transaction in line. All but answered belongs to the gate's lock.
type waiter struct {
	scope        Scope
	since        time.Time
	answer       answer
	answered     chan struct{} // of one place, so that answering never waits
	in           *queue
	older, newer *waiter
}

// line is a class's waiters: a ring of organisations that take turns.
type line struct {
	bound   int
	full    atomic.Bool // waiting has reached bound; for those who look without the gate's lock
	waiting int
	queues  map[uuid.UUID]*queue
	turn    *queue // whose turn it is; nil while nobody waits
	lengths []int  // how many queues are so long, by length
	most    int    // the length of the longest
}

func newLine(bound int) *line {
	return &line{bound: bound, queues: map[uuid.UUID]*queue{}, lengths: make([]int, bound+1)}
}

// mayDisplace reports whether an organisation has so much less in line than another that they stand better balanced after one has made room for the
// other. Where all have about as much, newcomers displace nobody: a refusal at once is cheaper for everybody than one after a wait.
func (l *line) mayDisplace(organization uuid.UUID) bool {
	own := 0
	if q := l.queues[organization]; q != nil {
		own = q.length
	}
	return l.most > own+1
}

// grow keeps count of a queue that has changed its length.
func (l *line) grow(q *queue, by int) {
	l.lengths[q.length]--
	q.length += by
	l.lengths[q.length]++
	l.most = max(l.most, q.length)
	for l.most > 0 && l.lengths[l.most] == 0 {
		l.most--
	}
	l.waiting += by
	if full := l.waiting >= l.bound; full != l.full.Load() {
		l.full.Store(full)
	}
}

// queue is one organisation's waiters.
type queue struct {
	organization     uuid.UUID
	length           int
	oldest, newest   *waiter
	previous, follow *queue // the ring
}

func (l *line) add(w *waiter) {
	q := l.queues[w.scope.Organization]
	if q == nil {
		q = &queue{organization: w.scope.Organization}
		l.queues[q.organization] = q
		if l.turn == nil {
			q.previous, q.follow, l.turn = q, q, q
		} else { // behind everyone who is in line already
			q.previous, q.follow = l.turn.previous, l.turn
			q.previous.follow, q.follow.previous = q, q
		}
	}
	w.in, w.older, w.newer = q, q.newest, nil
	if q.newest != nil {
		q.newest.newer = w
	} else {
		q.oldest = w
	}
	q.newest = w
	l.grow(q, 1)
}

func (l *line) remove(w *waiter) {
	q := w.in
	if w.older != nil {
		w.older.newer = w.newer
	} else {
		q.oldest = w.newer
	}
	if w.newer != nil {
		w.newer.older = w.older
	} else {
		q.newest = w.older
	}
	w.in, w.older, w.newer = nil, nil, nil
	l.grow(q, -1)
	if q.length > 0 {
		return
	}
	delete(l.queues, q.organization)
	if q.follow == q {
		l.turn = nil
		return
	}
	q.previous.follow, q.follow.previous = q.follow, q.previous
	if l.turn == q {
		l.turn = q.follow
	}
}

// oldest takes whoever has waited longest, of the organisation whose turn it is, out of a line that is not empty.
func (l *line) oldest() *waiter { return l.take(l.turn, l.turn.oldest) }

// newest takes whoever came last, of the next organisation in turn for which somebody came since then, out of a line that is not empty. Where nobody has,
// that is whoever came last of the organisation whose turn it is.
func (l *line) newest(since time.Time) *waiter {
	q := l.turn
	for q.newest.since.Before(since) {
		if q = q.follow; q == l.turn {
			break
		}
	}
	return l.take(q, q.newest)
}

func (l *line) take(q *queue, w *waiter) *waiter {
	l.turn = q.follow
	l.remove(w)
	return w
}

// longest finds an organisation with the most in line. It looks at one after the other, which is cheap: there are no more than may wait.
func (l *line) longest() *queue {
	q := l.turn
	for q.length < l.most {
		q = q.follow
	}
	return q
}
