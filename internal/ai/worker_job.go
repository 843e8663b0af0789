package ai

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kakeai/kakeai/internal/db"
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
)

func (f Failure) Error() string { return "ai: " + string(f) }

var errCrashed = errors.New("ai: the provider panicked")

const (
	shortestRewrite = 50 * time.Millisecond
	longestRewrite  = 2 * time.Second

	// unknownRewrites bounds how often a transaction is run again after an error that may never pass.
	unknownRewrites = 8
)

// work brings a claimed job to its next state, or leaves it to its next holder. lease ends when the job is no longer this
// worker's, stopping when the worker is to end.
func (w *Worker) work(lease, stopping context.Context, h *hold) {
	job := h.job
	var asking sync.WaitGroup
	defer func() {
		asking.Wait() // a provider that does not let go keeps its place, not the job
		w.options.Progress(job.ID, "")
	}()
	defer w.letGo(h)

	state, err := w.attempt(lease, stopping, job, &asking)
	log := w.log.With("organization", job.OrganizationID, "job", job.ID, "kind", job.Kind, "attempt", job.Attempt)
	switch {
	case err == nil:
		w.count(state)
		log.Info("a job left the worker", "state", state)
	case errors.Is(err, ErrLeaseLost):
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
	err := w.persist(lease, func(ctx context.Context) (err error) {
		request, err = loadRequest(ctx, w.store, job, w.options.Now())
		return err
	})
	var failure Failure
	switch {
	case errors.As(err, &failure):
		return w.fail(lease, job, failure)
	case leftAlone(err):
		return "", err
	case err != nil:
		w.log.Error("a job's request could not be read", "organization", job.OrganizationID, "job", job.ID, "error", err)
		return w.retry(lease, job, LoadFailed, 0)
	case lease.Err() != nil:
		return "", context.Cause(lease)
	case stopping.Err() != nil:
		return w.giveBack(lease, job, 0)
	}
	if left := w.pauseLeft(); left > 0 { // since the claim
		return w.giveBack(lease, job, left)
	}

	answer, err := w.call(lease, stopping, job, request, asking)
	w.counters.inputTokens.Add(answer.Usage.InputTokens) // also of a call that failed
	w.counters.outputTokens.Add(answer.Usage.OutputTokens)
	if err != nil {
		return w.refused(lease, job, err)
	}
	if err := checkAnswer(answer, request.Objective); err != nil {
		w.log.Error("an answer is not one to what was asked", "organization", job.OrganizationID, "job", job.ID, "error", err)
		return w.fail(lease, job, AnswerInvalid)
	}
	return w.settle(lease, job, request, answer)
}

// call asks the provider, without a transaction or a connection. It returns as soon as there is an answer, the lease is lost or
// the worker is to stop, also if the provider does not let go; asking then waits for it.
func (w *Worker) call(lease, stopping context.Context, job db.AIJob, request Request, asking *sync.WaitGroup) (Answer, error) {
	ctx, cancel := context.WithCancelCause(lease)
	defer cancel(nil)
	defer context.AfterFunc(stopping, func() { cancel(errStopping) })()

	type reply struct {
		answer Answer
		err    error
	}
	replies := make(chan reply, 1)
	w.counters.calls.Add(1)
	asking.Go(func() {
		answer, err := w.ask(ctx, job, request)
		replies <- reply{answer, err}
	})
	var got reply
	select {
	case got = <-replies:
	case <-ctx.Done():
		select {
		case got = <-replies: // in the last moment, and worth keeping
		default:
			return Answer{}, context.Cause(ctx)
		}
	}
	if got.err != nil && ctx.Err() != nil {
		return got.answer, context.Cause(ctx)
	}
	return got.answer, got.err
}

func (w *Worker) ask(ctx context.Context, job db.AIJob, request Request) (answer Answer, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			w.counters.crashes.Add(1)
			w.log.Error("the provider panicked", "organization", job.OrganizationID, "job", job.ID, "reason", reason, "stack", string(debug.Stack()))
			err = errCrashed
		}
	}()
	return w.provider.Answer(ctx, request, func(text string) {
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
	case errors.Is(err, errStopping):
		return w.giveBack(lease, job, 0)
	case leftAlone(err):
		return "", err
	case errors.As(err, &retryable):
		after = retryable.After
		w.pause(after)
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
func (w *Worker) settle(lease context.Context, job db.AIJob, request Request, answer Answer) (state string, err error) {
	err = w.persist(lease, func(ctx context.Context) (err error) {
		state, err = settleJob(ctx, w.store, job, request, answer, w.provider.Name())
		return err
	})
	if err == nil || leftAlone(err) {
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

// persist runs a transaction of a job until the database takes it, for as long as the job is this worker's. Once the lease is
// lost it asks the database a last time, since of a try before that failed it may not be known whether it committed.
func (w *Worker) persist(lease context.Context, transaction func(context.Context) error) error {
	for try := 1; ; try++ {
		ctx, last := lease, lease.Err() != nil
		if last {
			ctx = context.WithoutCancel(lease)
		}
		err := transaction(ctx)
		switch {
		case err == nil, final(err):
			return err
		case last:
			return context.Cause(lease)
		case !passing(err) && try > unknownRewrites:
			return fmt.Errorf("ai: %d times in vain: %w", try, err)
		}
		if try == 1 {
			w.log.Warn("a job's transaction is run again", "error", err)
		}
		w.counters.rewrites.Add(1)
		sleep(lease, backoff(try, shortestRewrite, longestRewrite))
	}
}

// passing reports whether err is sure to end some day. Of other errors a broken connection may be the cause, or a fault of this program.
func passing(err error) bool {
	return errors.Is(err, db.ErrOverloaded) || errors.Is(err, db.ErrBusy) || errors.Is(err, db.ErrUnavailable) ||
		errors.Is(err, db.ErrReadOnly) || errors.Is(err, db.ErrMaintenance)
}

// final reports whether the same transaction would fail in the same way.
func final(err error) bool {
	var failure Failure
	var constraint *db.ConstraintError
	var value *db.ValueError
	var server *pgconn.PgError
	return leftAlone(err) || errors.As(err, &failure) || errors.As(err, &constraint) || errors.As(err, &value) ||
		errors.Is(err, db.ErrNotFound) || !passing(err) && errors.As(err, &server)
}

// leftAlone reports whether after err the job is not to be touched any more: it is not this worker's, or nothing may be written.
func leftAlone(err error) bool {
	return errors.Is(err, ErrLeaseLost) || errors.Is(err, errAbandoned) || errors.Is(err, db.ErrFenced)
}
