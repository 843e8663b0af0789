// Package background is deferred work that belongs to the request or scheduled run that deferred it. What it belongs to travels in the context, so that
// code deep below defers with its ctx alone, and nothing that two requests share says whose work it is.
//
// The work is what may be lost: a trigger, a cache, the time of the last request. What must not be lost is an event in the outbox.
package background

import (
	"context"
	"sync"
)

// Defer has fn run once the request or run that ctx belongs to has been answered; inside a transaction's work only if that commits, and never where it
// is rolled back or begun anew. Outside a request or run, Defer runs fn in place, after the commit if there is one, and waits for it.
//
// fn gets the values of ctx, no cancellation but its own deadline's, and no transaction; its own are in the background class. name stands in the
// reviewed list in declared.go.
func Defer(ctx context.Context, name string, fn func(ctx context.Context) error, options ...Option) {
	t := &task{ctx: ctx, fn: fn, scope: scopeOf(ctx)}
	for _, o := range options {
		o(t)
	}
	t.declaration = t.scope.declared(name)
	if !t.scope.admit(t) {
		return
	}
	if h, ok := ctx.Value(placeKey{}).(*Held); ok && h.keep(t) {
		return
	}
	t.handOver()
}

// Option says more about a task.
type Option func(*task)

// Retains says how many bytes the task keeps from being collected until it has run, where they are more than a few ids.
func Retains(bytes int) Option { return func(t *task) { t.bytes = int64(max(bytes, 0)) } }

// task is one call of Defer.
type task struct {
	declaration
	ctx   context.Context //nolint:containedctx // a task belongs to the request whose context this is
	fn    func(ctx context.Context) error
	bytes int64
	scope *Scope // nil where nobody opened one

	// Of the scope's runner, under its lock.
	admitted bool // counted in its bounds
	counted  bool // its end has been counted
	cancel   context.CancelCauseFunc
}

// handOver gives the task to its scope, or runs it here and now. The connection of the transaction that it was deferred in has been given back.
func (t *task) handOver() {
	if t.admitted {
		t.scope.take(t)
		return
	}
	t.scope.started(t, true)
	t.execute()
}

// Place says what a context stands for, as far as the database has to know.
type Place uint8

const (
	Elsewhere   Place = iota // none of the following
	Transaction              // inside a transaction's work
	Task                     // inside deferred work
)

// placeKey leads to the innermost of both: a *Held or a Place.
type placeKey struct{}

// PlaceOf tells where ctx is.
func PlaceOf(ctx context.Context) Place {
	switch ctx.Value(placeKey{}).(type) {
	case *Held:
		return Transaction
	case Place:
		return Task
	}
	return Elsewhere
}

// Held is the context of a transaction's work, and what was deferred in it until it is known how the transaction ended.
type Held struct {
	context.Context //nolint:containedctx // it is a context

	mu    sync.Mutex
	tasks []*task
	end   end
}

type end uint8

const (
	running end = iota
	committed
	rolledBack
)

// Hold returns the context for one attempt at a transaction. One of HandOver, Withdraw and Drop has to follow, outside of it.
func Hold(ctx context.Context) *Held { return &Held{Context: ctx} }

// Value is the context's.
func (h *Held) Value(key any) any {
	if key == any(placeKey{}) {
		return h
	}
	return h.Context.Value(key)
}

// keep takes a task whose fate is the transaction's; false where that has been committed already.
func (h *Held) keep(t *task) bool {
	h.mu.Lock()
	switch h.end {
	case committed:
		h.mu.Unlock()
		return false
	case rolledBack:
		h.mu.Unlock()
		t.scope.withdraw(t)
		return true
	case running:
	}
	h.tasks = append(h.tasks, t)
	h.mu.Unlock()
	return true
}

func (h *Held) close(e end) []*task {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end = e
	tasks := h.tasks
	h.tasks = nil
	return tasks
}

// HandOver lets what was deferred happen: the transaction has been committed, and its connection given back.
func (h *Held) HandOver() {
	for _, t := range h.close(committed) {
		t.handOver()
	}
}

// Withdraw forgets what was deferred: the transaction was rolled back, so there was nothing to defer it for.
func (h *Held) Withdraw() {
	for _, t := range h.close(rolledBack) {
		t.scope.withdraw(t)
	}
}

// Drop gives up what was deferred because nobody can know whether the transaction was committed.
func (h *Held) Drop() {
	for _, t := range h.close(rolledBack) {
		t.scope.drop(t, "the outcome of the commit is unknown")
	}
}

// working is the context of a task: the values of where it was deferred, but in no transaction.
type working struct {
	context.Context //nolint:containedctx // it is a context
}

// Value is the context's.
func (w working) Value(key any) any {
	if key == any(placeKey{}) {
		return Task
	}
	return w.Context.Value(key)
}
