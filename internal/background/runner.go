package background

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options are a Runner's bounds. Zero values are replaced by the defaults named.
type Options struct {
	Running    int           // tasks that run at a time; 16
	Tasks      int           // tasks that are deferred and have not ended; 10,000
	Bytes      int64         // what these say they retain; 64 MiB
	ScopeTasks int           // the same for one request or run; 100
	ScopeBytes int64         // 4 MiB
	Late       time.Duration // how long a request that goes on holds up what it has deferred; 1 s
	Grace      time.Duration // how long Drain waits for what it has cancelled; 1 s
}

func (o Options) withDefaults() Options {
	o.Running = cmp.Or(o.Running, 16)
	o.Tasks = cmp.Or(o.Tasks, 10_000)
	o.Bytes = cmp.Or(o.Bytes, 64<<20)
	o.ScopeTasks = cmp.Or(o.ScopeTasks, 100)
	o.ScopeBytes = cmp.Or(o.ScopeBytes, 4<<20)
	o.Late = cmp.Or(o.Late, time.Second)
	o.Grace = cmp.Or(o.Grace, time.Second)
	return o
}

// Runner runs the deferred work of a process. It has no goroutine while there is none.
type Runner struct {
	log     *slog.Logger
	options Options
	list    []declaration

	mu       sync.Mutex
	tasks    int // admitted and not ended: held by a transaction, waiting, or running
	bytes    int64
	running  map[*task]struct{}
	line     []*task             // to run as soon as there is a place
	holding  map[*Scope]struct{} // those whose tasks wait for the end of their request
	draining bool                // nothing waits for the end of its request any more
	closed   bool                // nothing is run any more
	emptied  chan struct{}       // closed when there is no task left; made by Drain
	counts   map[string]*Count
}

// NewRunner makes a Runner. It starts nothing.
func NewRunner(log *slog.Logger, options Options) *Runner {
	return &Runner{log: log, options: options.withDefaults(), list: declarations, running: map[*task]struct{}{}, holding: map[*Scope]struct{}{}, counts: map[string]*Count{}}
}

// Scope is what the deferred work of one request or one scheduled run belongs to.
type Scope struct {
	runner  *Runner
	origin  slog.Attr
	inPlace bool // no request and no run: whatever is deferred runs at once

	// Under the runner's lock.
	tasks   int
	bytes   int64
	waiting []*task     // for the end of the request
	begun   bool        // tasks need not wait for the end of the request
	late    *time.Timer // begins without it
}

type scopeKey struct{}

func scopeOf(ctx context.Context) *Scope {
	s, _ := ctx.Value(scopeKey{}).(*Scope)
	return s
}

// Open opens a scope: in the HTTP middleware for a request, and in the scheduler for a run; nowhere else, which a test holds. origin says in the log
// whose work it is. Close has to follow.
func (r *Runner) Open(ctx context.Context, origin slog.Attr) (context.Context, *Scope) {
	s := &Scope{runner: r, origin: origin}
	return context.WithValue(ctx, scopeKey{}, s), s
}

// Attend has the runner count and log what is deferred under ctx outside any scope, which runs in place all the same.
func (r *Runner) Attend(ctx context.Context, origin slog.Attr) context.Context {
	return context.WithValue(ctx, scopeKey{}, &Scope{runner: r, origin: origin, inPlace: true})
}

// Close starts what was deferred: the request has been answered, or the run is over. How it ended does not matter, since whoever wants work to depend on
// a change defers it in that change's transaction.
func (s *Scope) Close() {
	s.runner.mu.Lock()
	defer s.runner.mu.Unlock()
	s.begin()
}

// begin ends the waiting for the end of the request. The runner is locked.
func (s *Scope) begin() {
	if s.begun {
		return
	}
	s.begun = true
	if s.late != nil {
		s.late.Stop()
	}
	delete(s.runner.holding, s)
	for _, t := range s.waiting {
		s.runner.enqueue(t)
	}
	s.waiting = nil
}

func (s *Scope) declared(name string) declaration {
	if s == nil {
		return find(declarations, name)
	}
	return find(s.runner.list, name)
}

// admit counts the task and finds room for it. Without room it is not admitted, or dropped, which is false.
func (s *Scope) admit(t *task) bool {
	if s == nil {
		return true
	}
	r := s.runner
	r.mu.Lock()
	r.count(t).Deferred++
	reason := ""
	switch {
	case s.inPlace:
	case r.closed:
		reason = "the program is ending"
	case s.tasks < r.options.ScopeTasks && s.bytes+t.bytes <= r.options.ScopeBytes && r.tasks < r.options.Tasks && r.bytes+t.bytes <= r.options.Bytes:
		t.admitted = true
		s.tasks++
		s.bytes += t.bytes
		r.tasks++
		r.bytes += t.bytes
	case t.full == Drop:
		reason = "too much is deferred already"
	}
	if reason != "" {
		r.giveUp(t)
	}
	r.mu.Unlock()
	if reason != "" {
		s.tell(t, slog.LevelWarn, "deferred work is dropped", slog.String("reason", reason))
	}
	return reason == ""
}

// take has an admitted task run: now, or at the end of the request.
func (s *Scope) take(t *task) {
	r := s.runner
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case s.begun:
		r.enqueue(t)
	case r.draining:
		s.begin()
		r.enqueue(t)
	default:
		if s.late == nil {
			r.holding[s] = struct{}{}
			s.late = time.AfterFunc(r.options.Late, s.Close)
		}
		s.waiting = append(s.waiting, t)
	}
}

// withdraw forgets a task whose transaction was rolled back.
func (s *Scope) withdraw(t *task) {
	if s == nil {
		return
	}
	s.runner.mu.Lock()
	defer s.runner.mu.Unlock()
	s.runner.count(t).Withdrawn++
	s.runner.leave(t)
}

// drop gives a task up.
func (s *Scope) drop(t *task, reason string) {
	if s != nil {
		s.runner.mu.Lock()
		s.runner.giveUp(t)
		s.runner.mu.Unlock()
	}
	s.tell(t, slog.LevelWarn, "deferred work is dropped", slog.String("reason", reason))
}

// dropAtEnd gives a task up because the program ends. The runner is locked.
func (r *Runner) dropAtEnd(t *task) {
	if r.giveUp(t) {
		t.scope.tell(t, slog.LevelWarn, "deferred work is dropped", slog.String("reason", "the program is ending"))
	}
}

// giveUp counts a task as dropped; false where its end has been counted already. The runner is locked.
func (r *Runner) giveUp(t *task) bool {
	if t.counted {
		return false
	}
	t.counted = true
	r.count(t).Dropped++
	r.leave(t)
	return true
}

// tell logs something about a task.
func (s *Scope) tell(t *task, level slog.Level, message string, attributes ...slog.Attr) {
	log := slog.Default()
	if s != nil {
		log = s.runner.log
		attributes = append(attributes, s.origin)
	}
	log.LogAttrs(t.ctx, level, message, append(attributes, slog.String("name", t.name))...)
}

// leave gives back the room of a task that has ended. The runner is locked.
func (r *Runner) leave(t *task) {
	if !t.admitted {
		return
	}
	t.admitted = false
	t.scope.tasks--
	t.scope.bytes -= t.bytes
	r.tasks--
	r.bytes -= t.bytes
	if r.tasks == 0 && r.emptied != nil {
		close(r.emptied)
		r.emptied = nil
	}
}

// enqueue starts a task, or puts it in line. The runner is locked.
func (r *Runner) enqueue(t *task) {
	switch {
	case r.closed:
		r.dropAtEnd(t)
	case len(r.running) < r.options.Running:
		r.start(t)
	default:
		r.line = append(r.line, t)
	}
}

// start gives a task a goroutine. The runner is locked.
func (r *Runner) start(t *task) {
	r.running[t] = struct{}{}
	go func() {
		defer r.finish(t)
		t.scope.started(t, false)
		t.execute()
	}()
}

// finish passes the place of a task on to the next in line.
func (r *Runner) finish(t *task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, t)
	r.leave(t)
	if len(r.line) > 0 && len(r.running) < r.options.Running {
		next := r.line[0]
		r.line[0] = nil // which the array would keep
		r.line = r.line[1:]
		r.start(next)
	}
}

var (
	errOverdue  = errors.New("background: the deadline of the task has passed")
	errEnding   = errors.New("background: the program is ending")
	errNoReturn = errors.New("background: the task ended its goroutine")
)

// execute runs the task to its end, whatever that is.
func (t *task) execute() {
	ctx, cancel := context.WithCancelCause(working{context.WithoutCancel(t.ctx)})
	defer cancel(nil)
	t.scope.cancelledBy(t, cancel)
	ctx, stop := context.WithTimeoutCause(ctx, t.deadline, errOverdue)
	defer stop()
	began := time.Now()
	o, err, stack := panicked, errNoReturn, ""
	defer func() { t.scope.ended(t, o, err, stack, time.Since(began)) }()
	defer func() {
		if cause := recover(); cause != nil {
			err, stack = fmt.Errorf("panic: %v", cause), string(debug.Stack())
		}
	}()
	err = t.fn(ctx)
	cause := context.Cause(ctx)
	switch {
	case err == nil:
		o = done
	case errors.Is(cause, errEnding):
		o = dropped
	case errors.Is(cause, errOverdue):
		o = timedOut
	default:
		o = failed
	}
}

// cancelledBy lets Drain cancel a task; at once, if it came too late.
func (s *Scope) cancelledBy(t *task, cancel context.CancelCauseFunc) {
	if s == nil {
		return
	}
	s.runner.mu.Lock()
	defer s.runner.mu.Unlock()
	t.cancel = cancel
	if s.runner.closed && !s.inPlace {
		cancel(errEnding)
	}
}

func (s *Scope) started(t *task, inPlace bool) {
	s.tell(t, slog.LevelDebug, "deferred work starts", slog.Bool("in_place", inPlace))
	if s == nil {
		return
	}
	s.runner.mu.Lock()
	defer s.runner.mu.Unlock()
	c := s.runner.count(t)
	c.Started++
	if inPlace {
		c.InPlace++
	}
}

type outcome uint8

const (
	done outcome = iota
	failed
	timedOut
	panicked
	dropped
)

// ended counts and logs how a task ended, unless it was given up meanwhile.
func (s *Scope) ended(t *task, o outcome, err error, stack string, took time.Duration) {
	duration := slog.Int64("milliseconds", took.Milliseconds())
	if s != nil {
		s.runner.mu.Lock()
		known := t.counted
		if !known {
			t.counted = true
			s.runner.count(t).ended(o)
		}
		s.runner.mu.Unlock()
		if known {
			s.tell(t, slog.LevelInfo, "deferred work ends that was given up", duration, slog.Any("error", err))
			return
		}
	}
	switch o {
	case done:
		s.tell(t, slog.LevelDebug, "deferred work is done", duration)
	case failed:
		s.tell(t, slog.LevelWarn, "deferred work failed", duration, slog.Any("error", err))
	case timedOut:
		s.tell(t, slog.LevelWarn, "deferred work took too long", duration, slog.Any("error", err))
	case dropped:
		s.tell(t, slog.LevelWarn, "deferred work is dropped", duration, slog.String("reason", "the program is ending"), slog.Any("error", err))
	case panicked:
		s.tell(t, slog.LevelError, "deferred work panicked", duration, slog.Any("error", err), slog.String("stack", stack))
	}
}

// DroppedError says what Drain could not wait for, by name.
type DroppedError struct{ Names map[string]int }

func (e *DroppedError) Error() string {
	var said []string
	for _, name := range slices.Sorted(maps.Keys(e.Names)) {
		said = append(said, fmt.Sprintf("%s (%d)", name, e.Names[name]))
	}
	return "deferred work was dropped: " + strings.Join(said, ", ")
}

// Drain lets everything that has been deferred run until ctx ends. What is left then is cancelled, waited for as long as Grace says, and named in a
// *DroppedError. From then on nothing is run. It belongs after the end of the last request and the last run, and before the end of what tasks need.
func (r *Runner) Drain(ctx context.Context) error {
	select {
	case <-r.drain():
	case <-ctx.Done():
	}
	before := r.Stats()
	left := r.cut()
	if left != nil {
		grace := time.NewTimer(r.options.Grace)
		defer grace.Stop()
		select {
		case <-left:
		case <-grace.C:
			r.abandon()
		}
	}
	return droppedBetween(before, r.Stats())
}

// drain starts everything that waits for the end of a request, and returns what is closed when nothing is left.
func (r *Runner) drain() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.draining = true
	for s := range r.holding {
		s.begin()
	}
	return r.whenEmpty()
}

// whenEmpty returns what is closed when nothing is left. The runner is locked.
func (r *Runner) whenEmpty() <-chan struct{} {
	if r.tasks == 0 {
		empty := make(chan struct{})
		close(empty)
		return empty
	}
	if r.emptied == nil {
		r.emptied = make(chan struct{})
	}
	return r.emptied
}

// cut ends the running of tasks: it drops those in line and cancels those that run. It returns nil if there were none, and otherwise what is closed when they have ended.
func (r *Runner) cut() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, t := range r.line {
		r.dropAtEnd(t)
	}
	r.line = nil
	for t := range r.running {
		if t.cancel != nil {
			t.cancel(errEnding)
		}
	}
	if r.tasks == 0 {
		return nil
	}
	return r.whenEmpty()
}

// abandon counts what does not end although it was cancelled as dropped. It may hold its goroutine until the program ends.
func (r *Runner) abandon() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for t := range r.running {
		r.dropAtEnd(t)
	}
}
