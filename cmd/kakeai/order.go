package main

import (
	"context"
	"log/slog"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/config"
)

// task goes on until its context ends.
type task func(ctx context.Context) error

// inOrder runs what opens scopes of deferred work, and the rest beside it, until ctx ends or one of them fails. It ends them in the order in which they need each
// other: first what opens scopes, which takes nothing on any more and finishes what it has begun; then, by drain, what was deferred there; then the rest. Whoever
// closes what all of them need, such as the pool, does so after it.
func inOrder(ctx context.Context, openers, beside []task, drain func() error) error {
	all, ending := errgroup.WithContext(ctx)
	working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorking()
	var open sync.WaitGroup
	for _, run := range openers {
		open.Add(1)
		all.Go(func() error {
			defer open.Done()
			return endedByContext(ending, run(ending))
		})
	}
	for _, run := range beside {
		all.Go(func() error { return endedByContext(working, run(working)) })
	}
	all.Go(func() error {
		defer stopWorking()
		open.Wait()
		return drain()
	})
	return all.Wait()
}

// draining lets deferred work finish for as long as the configuration says, and logs what became of all of it.
func draining(ctx context.Context, c config.Config, deferred *background.Runner, log *slog.Logger) func() error {
	return func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.Drain)
		defer cancel()
		err := deferred.Drain(ctx)
		for name, n := range deferred.Stats().ByName {
			log.Info("deferred work is over", "name", name, "deferred", n.Deferred, "withdrawn", n.Withdrawn, "done", n.Done, "failed", n.Failed,
				"timed_out", n.TimedOut, "panicked", n.Panicked, "dropped", n.Dropped)
		}
		return err
	}
}
