package ai

import "sync/atomic"

// Stats is what a worker has done since it was made.
type Stats struct {
	Claimed     int64 // jobs taken from the queue
	Succeeded   int64 // answers stored
	Superseded  int64 // answers thrown away because the objective had changed meanwhile
	Failed      int64 // jobs that ended without an answer
	Retried     int64 // jobs given back after an attempt that failed
	Interrupted int64 // jobs given back, uncounted, because the worker stopped or the provider asked for a pause
	LeasesLost  int64 // jobs left alone because they were cancelled or another worker's
	Reclaimed   int64 // jobs of silent workers put back in the queue

	Calls         int64 // requests made of the provider
	Crashes       int64 // calls in which the provider panicked
	Rewrites      int64 // transactions of a job run again because the database could not be reached or was busy
	Notifications int64 // wake-ups by LISTEN; while it stays at 0, jobs are found by polling alone
	InputTokens   int64 // as the provider counted them
	OutputTokens  int64

	Running int64 // jobs held at present
}

type tally struct {
	succeeded, superseded, failed, retried, interrupted, leasesLost atomic.Int64
	calls, crashes, inputTokens, outputTokens                       atomic.Int64
}

// Stats may be called at any time. The numbers are each right, but not of one moment.
func (w *Worker) Stats() Stats {
	q, c := w.queue.Stats(), &w.counters
	return Stats{
		Claimed:       q.Claimed,
		Succeeded:     c.succeeded.Load(),
		Superseded:    c.superseded.Load(),
		Failed:        c.failed.Load(),
		Retried:       c.retried.Load(),
		Interrupted:   c.interrupted.Load(),
		LeasesLost:    c.leasesLost.Load(),
		Reclaimed:     q.Reclaimed,
		Calls:         c.calls.Load(),
		Crashes:       c.crashes.Load(),
		Rewrites:      q.Rewrites,
		Notifications: q.Notifications,
		InputTokens:   c.inputTokens.Load(),
		OutputTokens:  c.outputTokens.Load(),
		Running:       q.Held,
	}
}
