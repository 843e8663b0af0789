// Package outbox delivers what must survive a crash. An event is written in the transaction of the change that it tells of; workers claim it and hand it to
// whoever wants to know.
//
// A kind that ends in ".send" is one that somebody outside has to answer. Such events are claimed apart from the others, so that ten thousand mails hold up no
// notification. They should each have a target of their own.
package outbox

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/queue"
)

// Channel is the channel of LISTEN and NOTIFY on which workers hear of new events.
const Channel = "kakeai_events"

// wakeEvery bounds what being told costs those who write: with a hundred edits in a second, nobody notices that their news came a fifth of a second later.
const wakeEvery = 200 * time.Millisecond

// NewWaker returns what tells workers of new events, after the commit of the transaction that wrote one.
func NewWaker(store *db.Store, log *slog.Logger) *queue.Waker {
	return queue.NewWaker(store, log, Channel, wakeEvery)
}

// Event is one thing that happened, or one thing that has to be sent.
type Event struct {
	Organization uuid.UUID
	ID           uuid.UUID // also that of the audit event, where the event is a change's
	Kind         string
	Target       uuid.UUID
	Revision     *int64 // of the target after the change; nil where it has none
	Attempt      int    // counted from 1
	CreatedAt    time.Time
}

// Fold takes an event over into the database, inside the transaction that ends the event, so its effect is there exactly once. It does nothing else, and may
// be run again, since the transaction may. A fold passes over kinds that it does not want. What it returns as an error undoes all of it, and counts as a failure.
type Fold func(ctx context.Context, q *db.Queries, e Event) error

// Sender delivers events of one kind to the outside, at least once.
type Sender interface {
	// Send runs without a transaction or a connection, and has a minute, after which ctx ends. What it returns, which may be nil, is run in the transaction
	// that ends the event. If the program dies in between, the event is sent again.
	Send(ctx context.Context, e Event) (Fold, error)
	// GiveUp is run in the transaction that quarantines the event: nobody will try again unless the operator says so.
	GiveUp(ctx context.Context, q *db.Queries, e Event, reason error) error
}

// Consumers are who wants to know of events. An event goes through every fold, in their order, and to the sender of its kind if there is one.
type Consumers struct {
	Folds   []Fold
	Senders map[string]Sender // by kind, which ends in ".send"
}

// Enqueue has an event of its own delivered that is no change's, such as a mail that is to be sent, at once or from a time on.
func Enqueue(ctx context.Context, q *db.Queries, organization uuid.UUID, kind string, target uuid.UUID, at *time.Time) error {
	return q.CreateOutboxEvent(ctx, db.CreateOutboxEventParams{OrganizationID: organization, ID: db.NewID(), Kind: kind, TargetID: target, AvailableAt: at})
}

// PermanentError is a failure that no other try will mend.
type PermanentError struct{ Err error }

func (e *PermanentError) Error() string { return e.Err.Error() }
func (e *PermanentError) Unwrap() error { return e.Err }

// LaterError asks for the next try not before After, and does not count this one, if Uncounted.
type LaterError struct {
	After     time.Duration
	Uncounted bool
	Err       error
}

func (e *LaterError) Error() string { return e.Err.Error() }
func (e *LaterError) Unwrap() error { return e.Err }
