package mail

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/outbox"
)

// deliverAll runs the outbox until ended says so, and returns what it did.
func (b *bundle) deliverAll(ctx context.Context, s *Sender, ended func() bool) outbox.Stats {
	b.Helper()
	w := outbox.NewWorker(b.store, slog.New(slog.DiscardHandler), outbox.Consumers{Senders: map[string]outbox.Sender{EventKind: s}}, outbox.Options{Poll: 10 * time.Millisecond})
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	over := make(chan error, 1)
	go func() { over <- w.Run(ctx) }()
	deadline := time.After(2 * patience)
	for !ended() {
		select {
		case <-time.After(10 * time.Millisecond): // between one look and the next
		case <-deadline:
			b.Fatal("it takes too long")
		}
	}
	stop()
	require.NoError(b, <-over)
	return w.Stats()
}

func (b *bundle) count(sql string) (n int) {
	b.Helper()
	require.NoError(b, b.Owner.QueryRow(b.Context(), sql).Scan(&n))
	return n
}

// Two places are all that the budget has at a time, so that most mails are told to come back.
func TestTheOutboxDeliversMailsWithinTheBudget(t *testing.T) {
	t.Parallel()
	s := &server{}
	b := setup(t, s)
	b.options.PerMinute = 60_000 // those who wait are back soon
	refilling := &purse{}
	b.options.Budget = refilling
	for i := range 20 {
		b.enqueue(aNotice(), i%2 == 0)
	}
	stats := b.deliverAll(t.Context(), b.sender(), func() bool {
		assert.LessOrEqual(t, len(s.got()), 20)
		refilling.left.Store(2)
		return b.count("SELECT count(*) FROM outbox_events WHERE state <> 'delivered'") == 0
	})
	assert.Len(t, s.got(), 20)
	assert.Equal(t, 20, b.count("SELECT count(*) FROM mails WHERE state = 'sent'"))
	assert.Positive(t, stats.Postponed)
	assert.Zero(t, b.count("SELECT count(*) FROM outbox_events WHERE attempt > 1"), "waiting is not an attempt")
}

// The program is told to stop while the server has the mail and has not answered yet.
func TestAMailThatIsInFlightWhenTheProgramStopsGoesOutOnce(t *testing.T) {
	t.Parallel()
	stopping, stop := context.WithCancel(t.Context())
	s := &server{before: func(_ context.Context, step string) {
		if step == atDot {
			stop()
		}
	}}
	b := setup(t, s)
	e := b.enqueue(aNotice(), true)
	b.deliverAll(stopping, b.sender(), func() bool { return stopping.Err() != nil })
	b.assertState(e, stateSent, "")
	b.deliverAll(t.Context(), b.sender(), func() bool {
		return b.count("SELECT count(*) FROM outbox_events WHERE state <> 'delivered'") == 0
	})
	b.assertState(e, stateSent, "")
	assert.Len(t, s.got(), 1)
}

// What nobody is there for is given up, and says so.
func TestTheOutboxGivesUpWhatIsRefusedForEver(t *testing.T) {
	t.Parallel()
	b := setup(t, &server{refuse: map[string]string{atRCPT: "550 5.1.1 nobody here"}})
	e := b.enqueue(aNotice(), false)
	b.deliverAll(t.Context(), b.sender(), func() bool { return b.count("SELECT count(*) FROM outbox_events WHERE state = 'quarantined'") == 1 })
	b.assertState(e, stateFailed, "nobody here")
}
