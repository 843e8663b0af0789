package queue

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

const notificationTimeout = 5 * time.Second // for a notification to oneself to come back

// listen looks for rows at each notification, and after each new connection, since none is kept for whoever is not there.
func (w *Worker[R]) listen(ctx context.Context) {
	listening := outage{log: w.log, what: "listening for " + w.table.Many}
	for failures := 1; ; failures++ {
		err := w.store.Listen(ctx, w.table.Channel, func() {
			failures = 0
			listening.note(nil)
			w.wake()
		}, func() {
			w.counters.notifications.Add(1)
			w.wake()
		})
		if ctx.Err() != nil {
			return
		}
		listening.note(err)
		if !sleep(ctx, Backoff(failures, 250*time.Millisecond, 30*time.Second)) {
			return
		}
	}
}

func (w *Worker[R]) wake() {
	w.Look()
	w.options.Woken()
}

// testNotifications warns if a notification to oneself does not come back in time: a connection pooler in transaction mode
// swallows LISTEN without a word.
func (w *Worker[R]) testNotifications(ctx context.Context, timeout time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	channel := "kakeai_test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	sent, heard := false, false
	err := w.store.Listen(ctx, channel, func() {
		sent = w.store.Notify(ctx, channel) == nil
	}, func() {
		heard = true
		cancel()
	})
	switch {
	case heard:
		w.log.Debug("notifications arrive")
	case sent && ctx.Err() == context.DeadlineExceeded:
		w.log.Warn("notifications do not arrive, so new "+w.table.Many+" are found by polling alone; "+
			"DATABASE_LISTEN_URL, past a connection pooler in transaction mode, has them found at once", "poll", w.options.Poll)
	default:
		w.log.Debug("whether notifications arrive could not be tested", "error", err)
	}
}

// Waker tells the workers of one channel that there are new rows: at once, but no more often than it was made for, however many there are. PostgreSQL makes
// commits that notify wait for one another, so no transaction that writes such a row may do it itself.
type Waker struct {
	store   *db.Store
	log     *slog.Logger
	channel string
	every   time.Duration
	wanted  chan struct{}
	cancel  context.CancelFunc
	ended   sync.WaitGroup
}

// NewWaker starts a goroutine, which Close ends. Between two notifications lies at least every.
func NewWaker(store *db.Store, log *slog.Logger, channel string, every time.Duration) *Waker {
	ctx, cancel := context.WithCancel(context.Background())
	k := &Waker{store: store, log: log, channel: channel, every: every, wanted: make(chan struct{}, 1), cancel: cancel}
	k.ended.Go(func() { k.run(ctx) })
	return k
}

// Wake is to be called after the commit of the transaction that wrote a row. It never blocks. What it tells may be lost, and the row is
// then found by polling. A nil Waker tells nobody.
func (k *Waker) Wake() {
	if k == nil {
		return
	}
	select {
	case k.wanted <- struct{}{}:
	default: // one that is yet to be sent tells of this row too
	}
}

// Close ends the goroutine and waits for it. Later calls of Wake do nothing.
func (k *Waker) Close() {
	k.cancel()
	k.ended.Wait()
}

func (k *Waker) run(ctx context.Context) {
	waking := outage{log: k.log, what: "waking by " + k.channel}
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.wanted:
		}
		err := k.store.Notify(ctx, k.channel)
		if ctx.Err() != nil {
			return
		}
		waking.note(err)
		if !sleep(ctx, k.every) {
			return
		}
	}
}
