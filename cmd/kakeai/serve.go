package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/metrics"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/queue"
	"github.com/kakeai/kakeai/internal/snapshot"
	browser "github.com/kakeai/kakeai/web"
)

const defaultAddr = "127.0.0.1:8080"

func open(ctx context.Context, c config.Config) (*db.Store, error) {
	if c.DatabaseURL == "" {
		return nil, errors.New("DATABASE_URL is not set; it signs in as kakeai_app")
	}
	return db.Open(ctx, c.DatabaseURL, db.Options{MaxConnections: c.MaxConnections, Reserve: c.Reserve, Patience: c.QueueTimeout, ListenURL: c.DatabaseListenURL})
}

// sayPooled tells the operator what stands between.
func sayPooled(store *db.Store, log *slog.Logger) {
	if store.Pooled() {
		log.Info("DATABASE_URL leads through a pooler: no statement is prepared by name, and what bounds a transaction is set in it")
	}
}

// serve runs the API until ctx ends.
func serve(ctx context.Context, c config.Config, log *slog.Logger) error {
	store, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	sayPooled(store, log)
	if err := checkKey(ctx, c, store, log); err != nil {
		return err
	}
	listener, err := listen(ctx, c.Addr, defaultAddr)
	if err != nil {
		return err
	}
	waker := ai.NewWaker(store, log)
	defer waker.Close()
	deliveries := outbox.NewWaker(store, log)
	defer deliveries.Close()
	deferred := background.NewRunner(log, background.Options{})
	watched, err := watch(ctx, c, metrics.Sources{Store: store, Deferred: deferred}, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer watched.close()
	announcer := notify.NewAnnouncer(store, log)
	defer announcer.Close()
	out, err := newOutgoing(c, store, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	web, err := newWeb(c, store, parts{waker: waker, deliveries: deliveries, announcer: announcer, outgoing: out, deferred: deferred, watched: watched}, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	log.InfoContext(ctx, "serving", "address", listener.Addr().String())
	serving := func(ctx context.Context) error { return web.run(ctx, listener) }
	return inOrder(ctx, []task{serving}, nil, draining(ctx, c, deferred, log))
}

func listen(ctx context.Context, wanted, fallback string) (net.Listener, error) {
	if wanted == "" {
		wanted = fallback
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", wanted)
	if err != nil {
		return nil, fmt.Errorf("KAKEAI_ADDR: %w", err)
	}
	return listener, nil
}

// web is the HTTP side of the program.
type web struct {
	server   *http.Server
	api      *api.Server
	shutdown time.Duration
}

// parts are what the HTTP side shares with the rest of the process.
type parts struct {
	waker, deliveries *queue.Waker
	announcer         *notify.Announcer
	outgoing          outgoing
	progress          *ai.Progress // of the worker in the same process; nil where there is none
	deferred          *background.Runner
	watched           *watched
}

// newWeb puts it together.
func newWeb(c config.Config, store *db.Store, p parts, log *slog.Logger) (*web, error) {
	key, err := c.Key()
	if err != nil {
		return nil, err
	}
	if key == nil {
		log.Warn("KAKEAI_CURSOR_KEY is not set: the cursors of lists end with this process, and hold in no other")
		key = make([]byte, 32)
		_, _ = rand.Read(key) // never fails: it ends the program instead
	}
	oidc, err := identityProvider(c, key)
	if err != nil {
		return nil, err
	}
	s, err := api.NewServer(store, auth.NewPasswords(runtime.GOMAXPROCS(0), auth.PasswordPatience), p.waker, log, api.Options{Web: browser.Files(), CursorKey: key, Limits: limits(c), TrustProxy: c.TrustProxy, Progress: p.progress, Model: c.OpenAIModel, Deliveries: p.deliveries, Announcer: p.announcer,
		PublicURL: c.PublicURL, OIDC: oidc, Pictures: pictures{p.outgoing.client}, Previews: p.outgoing.previews, Production: c.Production(), Organizations: organizations(c), Mails: newMails(c), InsecureWebhooks: c.WebhooksOverHTTP, Deferred: p.deferred, Observe: p.watched.observe})
	if err != nil {
		return nil, err
	}
	return &web{api: s, shutdown: c.Shutdown, server: &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}}, nil
}

// organizations is the owner's way to whole organisations. A server in production does not even hold the login for it.
func organizations(c config.Config) *snapshot.Database {
	if c.Production() || c.DatabaseOwnerURL == "" {
		return nil
	}
	return snapshot.New(c.DatabaseOwnerURL, snapshot.Options{})
}

func limits(c config.Config) api.Limits {
	l := api.DefaultLimits()
	l.Session = api.Rate{PerSecond: c.SessionRate, Burst: int(2 * c.SessionRate)}
	l.Organization = api.Rate{PerSecond: c.OrganizationRate, Burst: int(2 * c.OrganizationRate)}
	return l
}

// run serves until ctx ends, then takes no more requests and lets those that run finish.
func (w *web) run(ctx context.Context, listener net.Listener) error {
	w.server.RegisterOnShutdown(w.api.EndStreams)
	failed := make(chan error, 1)
	go func() { failed <- w.server.Serve(listener) }()
	var failure error
	select {
	case failure = <-failed:
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.shutdown)
	defer cancel()
	if err := w.server.Shutdown(ending); err != nil {
		failure = errors.Join(failure, fmt.Errorf("some requests did not finish: %w", err), w.server.Close())
	}
	return failure
}
