package ai

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kakeai/kakeai/internal/db"
)

// rare does not look by itself within a test.
func rare() WorkerOptions {
	options := quick()
	options.Poll, options.ReclaimEvery = time.Hour, time.Hour
	return options
}

func TestNotificationWakesTheWorker(t *testing.T) {
	b := setup(t)
	w, _ := b.run(says("Good morning"), rare())
	waker := NewWaker(b.store, slog.New(slog.DiscardHandler))
	t.Cleanup(waker.Close)
	// Once a notification has arrived it is the only thing that the worker wakes for.
	waitFor(t, func() bool {
		waker.Wake()
		return w.Stats().Notifications > 0
	})
	job := b.enqueue(b.tenant, Draft)
	waker.Wake()
	b.awaitState(job.ID, "succeeded")
}

func TestPollingWorksAlone(t *testing.T) {
	b := setup(t)
	w, _ := b.run(says("Good morning"), quick())
	job := b.enqueue(b.tenant, Draft)
	b.awaitState(job.ID, "succeeded")
	if n := w.Stats().Notifications; n != 0 {
		t.Errorf("%d notifications that nobody sent", n)
	}
}

func TestListeningSurvivesALostConnection(t *testing.T) {
	b := setup(t)
	w, _ := b.run(says("Good morning"), rare())
	const listeners = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN \"kakeai_jobs\"%'"
	// The login of the application may end its own connections.
	kill := openOne(t, b.base.AppURL)
	waitFor(t, func() bool { return queryOn[int64](t, kill, listeners) == 1 })
	job := b.enqueue(b.tenant, Draft)
	// The new connection looks for what was missed while there was none.
	if n := queryOn[int64](t, kill, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN \"kakeai_jobs\"%'"); n != 1 {
		t.Fatalf("ended %d connections", n)
	}
	b.awaitState(job.ID, "succeeded")
	waitFor(t, func() bool { return queryOn[int64](t, kill, listeners) == 1 })
	if w.Stats().Notifications != 0 {
		t.Error("it was woken by something else")
	}
}

func TestWakerNotifiesAtMostOnceIn50Milliseconds(t *testing.T) {
	b := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	var heard atomic.Int64
	ready := make(chan struct{})
	var listening sync.WaitGroup
	listening.Go(func() {
		err := b.store.Listen(ctx, JobsChannel, func() { close(ready) }, func() { heard.Add(1) })
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		cancel()
		listening.Wait()
	})
	soon(t, ready)
	waker := NewWaker(b.store, slog.New(slog.DiscardHandler))
	begun := time.Now()
	for time.Since(begun) < 5*wakeEvery {
		waker.Wake()
		time.Sleep(time.Millisecond)
	}
	waitFor(t, func() bool { return heard.Load() > 1 })
	waker.Close()
	if most := int64(time.Since(begun)/wakeEvery) + 1; heard.Load() > most {
		t.Errorf("%d notifications, at most %d are allowed", heard.Load(), most)
	}
	waker.Wake() // after Close, nothing happens
}

func TestWorkerWarnsWhenNotificationsAreSwallowed(t *testing.T) {
	b := setup(t)
	const notification = 'A'
	swallowing := throughProxy(t, b.base.AppURL, func(_ *proxied, toServer bool, kind byte, _ []byte) bool {
		return toServer || kind != notification
	})
	for _, c := range []struct {
		name, url string
		timeout   time.Duration
		warnings  int
	}{
		{"swallowed", swallowing, 2 * time.Second, 1},
		{"arriving", b.base.AppURL, patience, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			log := &recorder{}
			w := NewWorker(openStore(t, c.url, db.Options{MaxConnections: 2, Reserve: 1}), says(""), slog.New(log), quick())
			w.testNotifications(t.Context(), c.timeout)
			if n := log.count("notifications do not arrive"); n != c.warnings {
				t.Errorf("%d warnings, want %d", n, c.warnings)
			}
		})
	}
}
