package main

import (
	"context"
	"errors"
	"log/slog"

	"golang.org/x/sync/errgroup"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
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
	w, err := newWorkers(c, store, nil, log)
	if err != nil {
		return err
	}
	defer w.close()
	return w.run(ctx)
}

// workers do what nobody waits for, each in turns of its own.
type workers struct {
	coach      *ai.Worker
	deliveries *outbox.Worker
	scheduler  *schedule.Scheduler
	close      func() // once they have stopped
}

// newWorkers puts them together. progress is for the web side of the same process; nil where there is none.
func newWorkers(c config.Config, store *db.Store, progress *ai.Progress, log *slog.Logger) (*workers, error) {
	coach, closeProvider, err := newCoach(c, store, progress, log)
	if err != nil {
		return nil, err
	}
	return &workers{
		coach:      coach,
		deliveries: outbox.NewWorker(store, log, consumers(store), outbox.Options{Deliveries: c.Deliveries}),
		scheduler:  schedule.New(store, log, runs(store), schedule.Options{}),
		close:      closeProvider,
	}, nil
}

// run works until ctx ends, or one of them fails.
func (w *workers) run(ctx context.Context) error {
	all, working := errgroup.WithContext(ctx)
	for _, run := range []func(context.Context) error{w.coach.Run, w.deliveries.Run, w.scheduler.Run} {
		all.Go(func() error { return endedByContext(working, run(working)) })
	}
	return all.Wait()
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
