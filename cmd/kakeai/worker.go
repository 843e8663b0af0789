package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
)

// worker does the coach's jobs until ctx ends.
func worker(ctx context.Context, c config.Config, log *slog.Logger) error {
	store, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	w, closeProvider, err := newWorker(c, store, nil, log)
	if err != nil {
		return err
	}
	defer closeProvider()
	return endedByContext(ctx, w.Run(ctx))
}

// newWorker returns a worker with its provider, and what ends the provider's connections once the worker has stopped.
func newWorker(c config.Config, store *db.Store, progress *ai.Progress, log *slog.Logger) (w *ai.Worker, closeProvider func(), err error) {
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
