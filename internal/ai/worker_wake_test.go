package ai

import (
	"log/slog"
	"testing"
	"time"
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
