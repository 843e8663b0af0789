package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/metrics"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/schedule"
)

// worker does what nobody waits for until ctx ends: the coach's jobs, deliveries, and what is due by the clock.
func worker(ctx context.Context, c config.Config, log *slog.Logger) error {
	store, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	sayPooled(store, log)
	if err := checkKey(ctx, c, store, log); err != nil {
		return err
	}
	deferred := background.NewRunner(log, background.Options{})
	out, err := newOutgoing(c, store, log)
	if err != nil {
		return err
	}
	w, err := newWorkers(c, store, out, nil, deferred, log)
	if err != nil {
		return err
	}
	defer w.close()
	watched, err := watch(ctx, c, w.sources(store, deferred), log)
	if err != nil {
		return err
	}
	defer watched.close()
	return w.run(deferred.Attend(ctx, slog.String("program", "worker")), draining(ctx, c, deferred, log))
}

// workers do what nobody waits for, each in turns of its own.
type workers struct {
	coach      *ai.Worker
	deliveries *outbox.Worker
	scheduler  *schedule.Scheduler
	announcer  *notify.Announcer
	close      func() // once they have stopped
}

// newWorkers puts them together. progress is for the web side of the same process; nil where there is none.
func newWorkers(c config.Config, store *db.Store, out outgoing, progress *ai.Progress, deferred *background.Runner, log *slog.Logger) (*workers, error) {
	coach, closeProvider, err := newCoach(c, store, progress, log)
	if err != nil {
		return nil, err
	}
	wanted, err := consumers(c, store, out, log)
	if err != nil {
		closeProvider()
		return nil, err
	}
	announcer := notify.NewAnnouncer(store, log)
	return &workers{
		coach:      coach,
		announcer:  announcer,
		deliveries: outbox.NewWorker(store, log, wanted, outbox.Options{Deliveries: c.Deliveries}),
		scheduler:  schedule.New(store, log, runs(c, store), schedule.Options{Scope: scheduled(deferred)}),
		close: func() {
			announcer.Close()
			closeProvider()
		},
	}, nil
}

// run works until ctx ends, or one of them fails. openers are what opens scopes beside the scheduler.
func (w *workers) run(ctx context.Context, drain func() error, openers ...task) error {
	return inOrder(notify.WithAnnouncer(ctx, w.announcer), append(openers, w.scheduler.Run), []task{w.coach.Run, w.deliveries.Run}, drain)
}

// scheduled gives each run a scope of its own.
func scheduled(deferred *background.Runner) func(ctx context.Context, run string, do func(ctx context.Context) error) error {
	return func(ctx context.Context, run string, do func(ctx context.Context) error) error {
		ctx, scope := deferred.Open(ctx, slog.String("run", run))
		defer scope.Close()
		return do(ctx)
	}
}

// sources are what has numbers in a process with workers.
func (w *workers) sources(store *db.Store, deferred *background.Runner) metrics.Sources {
	return metrics.Sources{Store: store, Deferred: deferred, Worker: w.coach, Deliveries: w.deliveries, Scheduler: w.scheduler}
}

// newCoach returns the coach's worker with its provider, and what ends the provider's connections once the worker has stopped.
func newCoach(c config.Config, store *db.Store, progress *ai.Progress, log *slog.Logger) (w *ai.Worker, closeProvider func(), err error) {
	var provider ai.Provider = ai.NewRules()
	closeProvider = func() {}
	if c.OpenAIModel != "" {
		model, err := ai.NewOpenAI(ai.OpenAIConfig{BaseURL: c.OpenAIBaseURL, APIKey: c.OpenAIAPIKey, Model: c.OpenAIModel})
		if err != nil {
			return nil, nil, err
		}
		provider, closeProvider = model, model.Close
	}
	options := ai.WorkerOptions{Concurrency: c.Jobs}
	if progress != nil {
		options.Progress = progress.Set
	}
	log.Info("coach", "provider", provider.Name())
	return ai.NewWorker(store, provider, log, options), closeProvider, nil
}

// endedByContext drops the error that only says that ctx ended, as it was asked to.
func endedByContext(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}
