package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/demo"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/pgdev"
)

// dev runs everything on this machine, and prints where it is and how to get in.
func dev(ctx context.Context, c config.Config, log *slog.Logger) (err error) {
	if c.Environment == "" {
		c.Environment = config.Development
	}
	source := "the database that DATABASE_URL names"
	switch {
	case c.DatabaseURL != "" && c.DatabaseOwnerURL == "":
		return errors.New("DATABASE_URL is set, so DATABASE_OWNER_URL is needed too: dev migrates and loads the demo organisation as the tables' owner")
	case c.DatabaseURL == "":
		server, err := pgdev.Start(ctx, pgdev.Options{DataDir: c.DataDir, Log: log})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, server.Stop()) }()
		c.DatabaseURL, c.DatabaseOwnerURL, source = server.AppURL, server.OwnerURL, server.Source
	}
	if c.CursorKey, err = cursorKey(c); err != nil {
		return err
	}
	if err := db.Migrate(ctx, c.DatabaseOwnerURL, log); err != nil {
		return err
	}
	signIn, err := demo.Load(ctx, c.DatabaseOwnerURL, time.Now())
	if err != nil {
		return fmt.Errorf("load the demo organisation: %w", err)
	}
	store, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	sayPooled(store, log)
	if err := checkKey(ctx, c, store, log); err != nil {
		return err
	}
	listener, err := listenSomewhere(ctx, c.Addr)
	if err != nil {
		return err
	}
	if c.PublicURL == "" {
		c.PublicURL = "http://" + listener.Addr().String()
	}
	mailbox := "sent by the server that KAKEAI_SMTP_URL names"
	if newMails(c) != nil {
		mailbox = "http://" + listener.Addr().String() + "/dev/mail"
	}
	return develop(ctx, c, store, listener, log, func() {
		fmt.Printf("\nKakeai is ready.\n\n  Address    http://%[1]s\n  Reference  http://%[1]s/docs\n  Mail       %[6]s\n  Sign in    %[2]s  %[3]s\n  Database   %[4]s\n\nCtrl-C stops it; the data stays in %[5]s (make clean-data removes it).\n\n",
			listener.Addr(), signIn.Email, signIn.Password, source, c.DataDir, mailbox)
	})
}

// develop runs web and workers in one process.
func develop(ctx context.Context, c config.Config, store *db.Store, listener net.Listener, log *slog.Logger, ready func()) error {
	progress := ai.NewProgress()
	waker := ai.NewWaker(store, log)
	defer waker.Close()
	deliveries := outbox.NewWaker(store, log)
	defer deliveries.Close()
	deferred := background.NewRunner(log, background.Options{})
	out, err := newOutgoing(c, store, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	others, err := newWorkers(c, store, out, progress, deferred, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer others.close()
	watched, err := watch(ctx, c, others.sources(store, deferred), log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer watched.close()
	site, err := newWeb(c, store, parts{waker: waker, deliveries: deliveries, announcer: others.announcer, outgoing: out, progress: progress, deferred: deferred, watched: watched}, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	ready()
	serving := func(ctx context.Context) error { return site.run(ctx, listener) }
	return others.run(deferred.Attend(ctx, slog.String("program", "worker")), draining(ctx, c, deferred, log), serving)
}

// listenSomewhere listens where it was told to, or else on the usual port, or else on any.
func listenSomewhere(ctx context.Context, wanted string) (net.Listener, error) {
	listener, err := listen(ctx, wanted, defaultAddr)
	if wanted == "" && errors.Is(err, syscall.EADDRINUSE) {
		return listen(ctx, "127.0.0.1:0", "")
	}
	return listener, err
}

// cursorKey keeps the key of the data folder's own server beside it, so that pages survive a restart.
func cursorKey(c config.Config) (string, error) {
	if c.CursorKey != "" {
		return c.CursorKey, nil
	}
	path := filepath.Join(c.DataDir, "cursor.key")
	kept, err := os.ReadFile(path)
	if err == nil && len(kept) > 0 {
		return string(kept), nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails: it ends the program instead
	encoded := base64.StdEncoding.EncodeToString(key)
	if err := os.MkdirAll(c.DataDir, 0o755); err != nil { //nolint:gosec // what is secret in it has modes of its own
		return "", err
	}
	return encoded, os.WriteFile(path, []byte(encoded), 0o600)
}
