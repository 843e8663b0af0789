package ai

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/queue"
)

// Failure says why a job failed, or why its latest attempt did, as the column ai_jobs.failure keeps it.
type Failure string

const (
	RequesterGone       Failure = "requester-gone"       // whoever asked was suspended or is no longer a member
	TargetGone          Failure = "target-gone"          // whoever asked cannot see the objective or the dialogue any more
	AttemptsExhausted   Failure = "attempts-exhausted"   // its workers went silent too often: it may be what ends them
	LoadFailed          Failure = "load-failed"          // what the request consists of could not be read
	ProviderUnavailable Failure = "provider-unavailable" // no answer, and another try may bring one
	ProviderRefused     Failure = "provider-refused"     // no answer, and no other try will bring one
	ProviderCrashed     Failure = "provider-crashed"     // the provider panicked
	AnswerInvalid       Failure = "answer-invalid"       // the answer is not one to what was asked
	AnswerNotStored     Failure = "answer-not-stored"    // the database would not take the answer
	BudgetExhausted     Failure = "budget-exhausted"     // the organisation's month has too few tokens left
)

func (f Failure) Error() string { return "ai: " + string(f) }

var errCrashed = errors.New("ai: the provider panicked")

// work brings a claimed job to its next state, or leaves it to its next holder.
func (w *Worker) work(stopping context.Context, turn []*queue.Hold[db.AIJob]) {
	h := turn[0]
	job := h.Row
	var asking sync.WaitGroup
	defer func() {
		asking.Wait() // a provider that does not let go keeps its place, not the job
		w.options.Progress(job.ID, "")
	}()
	defer h.LetGo()

	state, err := w.attempt(h.Lease, stopping, job, &asking)
	log := w.log.With("organization", job.OrganizationID, "job", job.ID, "kind", job.Kind, "attempt", job.Attempt)
	switch {
	case err == nil:
		w.count(state)
		log.Info("a job left the worker", "state", state)
	case errors.Is(err, queue.ErrLeaseLost):
		w.counters.leasesLost.Add(1)
		log.Warn("a job was cancelled or taken over")
	default: // its lease runs out by itself
		log.Error("a job was left behind", "error", err)
	}
}

func (w *Worker) count(state string) {
	switch state {
	case stateSucceeded:
		w.counters.succeeded.Add(1)
	case stateSuperseded:
		w.counters.superseded.Add(1)
	case stateFailed:
		w.counters.failed.Add(1)
	}
}

// attempt loads, calls and settles, and returns the state in which it left the job.
func (w *Worker) attempt(lease, stopping context.Context, job db.AIJob, asking *sync.WaitGroup) (string, error) {
	if job.Attempt > job.MaxAttempts {
		return w.fail(lease, job, AttemptsExhausted)
	}
	var request Request
	var coach Coach
	err := w.persist(lease, func(ctx context.Context) (err error) {
		request, coach, err = loadRequest(ctx, w.store, job, w.options.Now())
		return err
	})
	var failure Failure
	switch {
	case errors.As(err, &failure):
		return w.fail(lease, job, failure)
	case queue.LeftAlone(err):
		return "", err
	case err != nil:
		w.log.Error("a job's request could not be read", "organization", job.OrganizationID, "job", job.ID, "error", err)
		return w.retry(lease, job, LoadFailed, 0)
	case lease.Err() != nil:
		return "", context.Cause(lease)
	case stopping.Err() != nil:
		return w.giveBack(lease, job, 0)
	}
	provider := w.provider
	if coach == RulesOnly {
		provider = w.rules
	} else if left := w.queue.PauseLeft(); left > 0 { // since the claim
		return w.giveBack(lease, job, left)
	}

	answer, err := w.call(lease, stopping, job, provider, request, asking)
	w.spend(lease, job, answer.Usage, provider.Name())
	w.counters.inputTokens.Add(answer.Usage.InputTokens) // also of a call that failed
	w.counters.outputTokens.Add(answer.Usage.OutputTokens)
	if err != nil {
		return w.refused(lease, job, err)
	}
	if err := checkAnswer(answer, request.Objective); err != nil {
		w.log.Error("an answer is not one to what was asked", "organization", job.OrganizationID, "job", job.ID, "error", err)
		return w.fail(lease, job, AnswerInvalid)
	}
	return w.settle(lease, job, request, answer, provider.Name())
}

// call asks the provider, without a transaction or a connection.
func (w *Worker) call(lease, stopping context.Context, job db.AIJob, provider Provider, request Request, asking *sync.WaitGroup) (Answer, error) {
	w.counters.calls.Add(1)
	return queue.Call(lease, stopping, asking, func(ctx context.Context) (Answer, error) { return w.ask(ctx, job, provider, request) })
}

func (w *Worker) ask(ctx context.Context, job db.AIJob, provider Provider, request Request) (answer Answer, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			w.counters.crashes.Add(1)
			w.log.Error("the provider panicked", "organization", job.OrganizationID, "job", job.ID, "reason", reason, "stack", string(debug.Stack()))
			err = errCrashed
		}
	}()
	return provider.Answer(ctx, request, func(text string) {
		if ctx.Err() == nil {
			w.options.Progress(job.ID, text)
		}
	})
}

// refused decides what becomes of a job whose call brought no answer.
func (w *Worker) refused(lease context.Context, job db.AIJob, err error) (string, error) {
	var retryable *RetryableError
	var after time.Duration
	switch {
	case errors.Is(err, queue.ErrStopping):
		return w.giveBack(lease, job, 0)
	case queue.LeftAlone(err):
		return "", err
	case errors.As(err, &retryable):
		after = retryable.After
		w.queue.Pause(after)
	}
	w.log.Warn("the provider did not answer", "organization", job.OrganizationID, "job", job.ID, "attempt", job.Attempt, "error", err)
	switch {
	case errors.Is(err, ErrTerminal):
		return w.fail(lease, job, ProviderRefused)
	case errors.Is(err, errCrashed):
		return w.retry(lease, job, ProviderCrashed, after)
	}
	return w.retry(lease, job, ProviderUnavailable, after)
}

// settle writes the answer. While the lease holds it is kept and written again rather than asked for again.
func (w *Worker) settle(lease context.Context, job db.AIJob, request Request, answer Answer, source string) (state string, err error) {
	err = w.persist(lease, func(ctx context.Context) (err error) {
		state, err = settleJob(ctx, w.store, job, request, answer, source)
		return err
	})
	if err == nil || queue.LeftAlone(err) {
		return state, err
	}
	w.log.Error("an answer could not be stored", "organization", job.OrganizationID, "job", job.ID, "error", err)
	var constraint *db.ConstraintError
	var value *db.ValueError
	if errors.As(err, &constraint) || errors.As(err, &value) {
		return w.fail(lease, job, AnswerNotStored)
	}
	return w.retry(lease, job, AnswerNotStored, 0)
}

// fail ends a job without an answer.
func (w *Worker) fail(lease context.Context, job db.AIJob, failure Failure) (state string, err error) {
	err = w.persist(lease, func(ctx context.Context) (err error) {
		state, err = failJob(ctx, w.store, job, failure)
		return err
	})
	return state, err
}

// retry puts a job back for its next attempt, or ends it if this was the last.
func (w *Worker) retry(lease context.Context, job db.AIJob, failure Failure, after time.Duration) (string, error) {
	if job.Attempt >= job.MaxAttempts {
		return w.fail(lease, job, failure)
	}
	delay := max(after, w.options.Backoff(int(job.Attempt)))
	err := w.persist(lease, func(ctx context.Context) error { return releaseJob(ctx, w.store, job, &failure, delay) })
	if err == nil {
		w.counters.retried.Add(1)
	}
	return stateQueued, err
}

// giveBack puts a job back as if it had not been claimed.
func (w *Worker) giveBack(lease context.Context, job db.AIJob, delay time.Duration) (string, error) {
	err := w.persist(lease, func(ctx context.Context) error { return releaseJob(ctx, w.store, job, nil, delay) })
	if err == nil {
		w.counters.interrupted.Add(1)
	}
	return stateQueued, err
}

// persist runs a transaction of a job until the database takes it, for as long as the job is this worker's.
func (w *Worker) persist(lease context.Context, transaction func(context.Context) error) error {
	return w.queue.Persist(lease, isFailure, transaction)
}

// isFailure reports whether err says why the job fails, which running the same transaction again would not change.
func isFailure(err error) bool {
	var failure Failure
	return errors.As(err, &failure)
}
