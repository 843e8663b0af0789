package outbox

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// Backlog is what the outbox holds at one moment.
type Backlog struct {
	Waiting, Running, Quarantined int64
	Lag                           time.Duration // for how long what is due longest has waited
}

// Measure counts what is not delivered. It reads an entry of an index for each such event.
func Measure(ctx context.Context, store *db.Store) (b Backlog, err error) {
	err = store.System(ctx, db.Background, func(ctx context.Context, q *db.Queries) error {
		row, err := q.MeasureOutbox(ctx)
		b = Backlog{Waiting: row.Waiting, Running: row.Running, Quarantined: row.Quarantined, Lag: time.Duration(row.LagSeconds * float64(time.Second))}
		return err
	})
	return b, err
}

const page = 200

// List returns up to 200 quarantined events of all organisations, behind one of them; the zero event is before the first.
func List(ctx context.Context, store *db.Store, after db.OutboxEvent) (events []db.OutboxEvent, err error) {
	err = store.System(ctx, db.Background, func(ctx context.Context, q *db.Queries) (err error) {
		events, err = q.ListQuarantinedEventsAfter(ctx, db.ListQuarantinedEventsAfterParams{AfterOrganizationID: after.OrganizationID, AfterID: after.ID, PageSize: page})
		return err
	})
	return events, err
}

// Retry puts quarantined events back with all their attempts before them, and returns how many it found.
func Retry(ctx context.Context, store *db.Store, ids ...uuid.UUID) (events int64, err error) {
	err = store.SystemWrite(ctx, db.Background, func(ctx context.Context, q *db.Queries) (err error) {
		events, err = q.RetryQuarantinedEvents(ctx, db.RetryQuarantinedEventsParams{IDs: ids})
		return err
	})
	return events, err
}

// RetryAll puts every quarantined event back, once, page by page, and returns how many there were.
func RetryAll(ctx context.Context, store *db.Store) (events int64, err error) {
	for after := (db.OutboxEvent{}); ; {
		some, err := List(ctx, store, after)
		if err != nil || len(some) == 0 {
			return events, err
		}
		ids := make([]uuid.UUID, len(some))
		for i, e := range some {
			ids[i] = e.ID
		}
		n, err := Retry(ctx, store, ids...)
		events += n
		if err != nil {
			return events, fmt.Errorf("after %d: %w", events, err)
		}
		after = some[len(some)-1]
	}
}
