package notify

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
)

// newsChannel is the channel of LISTEN and NOTIFY on which processes hear which organisations have something new: their ids, with commas between.
const newsChannel = "kakeai_news"

const (
	announceEvery  = 50 * time.Millisecond
	announceAtOnce = 200 // ids in one notification, which holds 8000 bytes
)

// Announcer tells all processes, after the commit, for which organisations there are new notifications: at most once in 50 ms however many there are, because PostgreSQL makes
// commits that notify wait for one another. What it tells may be lost, and is then found by looking.
type Announcer struct {
	store  *db.Store
	log    *slog.Logger
	wanted chan struct{}
	cancel context.CancelFunc
	ended  sync.WaitGroup

	mu  sync.Mutex
	new map[uuid.UUID]bool
}

// NewAnnouncer starts a goroutine, which Close ends.
func NewAnnouncer(store *db.Store, log *slog.Logger) *Announcer {
	ctx, cancel := context.WithCancel(context.Background())
	a := &Announcer{store: store, log: log, wanted: make(chan struct{}, 1), cancel: cancel, new: map[uuid.UUID]bool{}}
	a.ended.Go(func() { a.run(ctx) })
	return a
}

// Close ends the goroutine and waits for it.
func (a *Announcer) Close() {
	a.cancel()
	a.ended.Wait()
}

func (a *Announcer) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.wanted:
		}
		for _, payload := range a.payloads() {
			if err := a.store.Publish(ctx, newsChannel, payload); err != nil && ctx.Err() == nil {
				a.log.Debug("new notifications could not be announced, and are found by looking", "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(announceEvery):
		}
	}
}

func (a *Announcer) payloads() (all []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var ids []string
	for id := range a.new {
		if ids = append(ids, id.String()); len(ids) == announceAtOnce {
			all, ids = append(all, strings.Join(ids, ",")), nil
		}
	}
	if len(ids) > 0 {
		all = append(all, strings.Join(ids, ","))
	}
	clear(a.new)
	return all
}

// announce never blocks.
func (a *Announcer) announce(organization uuid.UUID) {
	a.mu.Lock()
	a.new[organization] = true
	a.mu.Unlock()
	select {
	case a.wanted <- struct{}{}:
	default: // one that is yet to be sent takes this one along
	}
}

type announcerKey struct{}

// WithAnnouncer has Create, under ctx, announce what it has made; nil has it announce nothing.
func WithAnnouncer(ctx context.Context, a *Announcer) context.Context {
	if a == nil {
		return ctx
	}
	return context.WithValue(ctx, announcerKey{}, a)
}

func announce(ctx context.Context, organization uuid.UUID) {
	a, ok := ctx.Value(announcerKey{}).(*Announcer)
	if !ok {
		return // whoever looks finds it
	}
	background.Defer(ctx, "announce-notifications", func(context.Context) error {
		a.announce(organization)
		return nil
	})
}
