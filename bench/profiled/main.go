// Command profiled is `kakeai serve` with net/http/pprof at PPROF_ADDR, for bench -profile. The product itself opens no such door.
package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	_ "net/http/pprof" //nolint:gosec // that is what it is for, on loopback
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // this and the floor as cmd/kakeai does
		defer runtime.KeepAlive(make([]byte, 32<<20))
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	if err := run(log); err != nil {
		log.Error("ended", "error", err)
		os.Exit(1)
	}
}

func run(log *slog.Logger) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c, err := config.Load()
	if err != nil {
		return err
	}
	store, err := db.Open(ctx, c.DatabaseURL, db.Options{MaxConnections: c.MaxConnections, Reserve: c.Reserve, Patience: c.QueueTimeout})
	if err != nil {
		return err
	}
	defer store.Close()
	waker := ai.NewWaker(store, log)
	defer waker.Close()
	deferred := background.NewRunner(log, background.Options{})
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails: it ends the program instead
	s, err := api.NewServer(store, auth.NewPasswords(runtime.GOMAXPROCS(0), auth.PasswordPatience), waker, log, api.Options{CursorKey: key, Deferred: deferred})
	if err != nil {
		return err
	}
	go func() {
		log.Error("pprof", "error", http.ListenAndServe(os.Getenv("PPROF_ADDR"), nil)) //nolint:gosec // on loopback, for a minute
	}()
	web := &http.Server{Addr: c.Addr, Handler: s.Handler(), ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = web.Shutdown(ending)
	})
	if err := web.ListenAndServe(); err != http.ErrServerClosed { //nolint:errorlint // as net/http documents it
		return err
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return deferred.Drain(ending)
}
