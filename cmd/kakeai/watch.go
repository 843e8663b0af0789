package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/metrics"
)

// watched is a process that tells what it is doing, on an address of its own: the numbers are for whoever runs it, and are to be had while it is busy and while
// it ends. The zero value tells nothing.
type watched struct {
	metrics *metrics.Metrics
	server  *http.Server
	ended   chan struct{}
}

// watch listens where KAKEAI_METRICS_ADDR says, if it says anything.
func watch(ctx context.Context, c config.Config, sources metrics.Sources, log *slog.Logger) (*watched, error) {
	if c.MetricsAddr == "" {
		return &watched{}, nil
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", c.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("KAKEAI_METRICS_ADDR: %w", err)
	}
	w := &watched{metrics: metrics.New(sources), ended: make(chan struct{})}
	w.server = &http.Server{
		Handler:           w.metrics.Handler(log),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      20 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	go func() {
		defer close(w.ended)
		if err := w.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics are not served any more", "error", err)
		}
	}()
	log.InfoContext(ctx, "metrics", "address", listener.Addr().String())
	return w, nil
}

// observe counts an answered request.
func (w *watched) observe(a api.Answered) {
	if w.metrics != nil {
		w.metrics.Request(a.Method, a.Route, a.Status, a.Took)
	}
}

func (w *watched) close() {
	if w.server != nil {
		_ = w.server.Close() // nobody's work depends on an answer
		<-w.ended
	}
}
