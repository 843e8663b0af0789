package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

const day = 24 * time.Hour

// step is how many rows one transaction of a clean-up deletes at most; the queries say the same.
const step = 500

// period says for how long something is kept. drop deletes up to a step of what is older than before.
type period struct {
	what string
	keep time.Duration
	drop func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error)
}

// expired is what ends by a date of its own, or is of use for a day at most. It goes every hour.
func expired() []period {
	return []period{
		{"sessions", 0, func(ctx context.Context, q *db.Queries, organization uuid.UUID, _ time.Time) (int64, error) {
			return q.DeleteExpiredSessions(ctx, db.DeleteExpiredSessionsParams{OrganizationID: organization})
		}},
		{"idempotency keys", day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteIdempotencyKeys(ctx, db.DeleteIdempotencyKeysParams{OrganizationID: organization, Before: before})
		}},
	}
}

// periods are for how long everything is kept that gathers. docs/operations.md has the same table.
func periods() []period {
	events := func(state string) func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
		return func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteFinishedEvents(ctx, db.DeleteFinishedEventsParams{OrganizationID: organization, Before: before, State: state})
		}
	}
	return []period{
		{"delivered events", 14 * day, events("delivered")},
		{"quarantined events", 90 * day, events("quarantined")},
		{"read notifications", 180 * day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteReadNotifications(ctx, db.DeleteReadNotificationsParams{OrganizationID: organization, Before: before})
		}},
		{"mails", 90 * day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteMails(ctx, db.DeleteMailsParams{OrganizationID: organization, Before: before})
		}},
		{"invitations", 90 * day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) { // after the mails, of which none leads to one that is gone
			return q.DeleteEndedInvitations(ctx, db.DeleteEndedInvitationsParams{OrganizationID: organization, Before: before})
		}},
		{"webhook deliveries", 30 * day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteWebhookDeliveries(ctx, db.DeleteWebhookDeliveriesParams{OrganizationID: organization, Before: before})
		}},
		{"scheduled runs", 90 * day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteScheduledRuns(ctx, db.DeleteScheduledRunsParams{OrganizationID: organization, Before: before})
		}},
		{"link previews", 30 * day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteUnusedLinkPreviews(ctx, db.DeleteUnusedLinkPreviewsParams{OrganizationID: organization, Before: before, PageSize: step})
		}},
		{"what checks of imports gathered", 7 * day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteImportEntities(ctx, db.DeleteImportEntitiesParams{OrganizationID: organization, Before: before})
		}},
		{"rows of imports", 30 * day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteImportRows(ctx, db.DeleteImportRowsParams{OrganizationID: organization, Before: before})
		}},
		{"imports", 400 * day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteImports(ctx, db.DeleteImportsParams{OrganizationID: organization, Before: before})
		}},
		{"feed entries", 400 * day, func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
			return q.DeleteFeedEntries(ctx, db.DeleteFeedEntriesParams{OrganizationID: organization, Before: before})
		}},
	}
}

// CleanUp deletes every hour what has expired.
func CleanUp(store *db.Store) Run {
	return Run{Name: "clean-up", Next: Every(time.Hour), Missed: Latest, Do: dropping(store, expired())}
}

// Retention deletes every night what has been kept for long enough.
func Retention(store *db.Store) Run {
	return Run{Name: "retention", Next: Daily(3, 20), Missed: Latest, Do: dropping(store, periods())}
}

// dropping deletes in steps, each a short transaction of its own, so that nobody waits for it.
func dropping(store *db.Store, all []period) func(ctx context.Context, o Organization, due time.Time) error {
	return func(ctx context.Context, o Organization, due time.Time) error {
		for _, p := range all {
			for {
				var dropped int64
				err := store.Write(ctx, db.Scope{Organization: o.ID, Class: db.Background}, func(ctx context.Context, q *db.Queries) (err error) {
					dropped, err = p.drop(ctx, q, o.ID, due.Add(-p.keep))
					return err
				})
				if err != nil {
					return fmt.Errorf("%s: %w", p.what, err)
				}
				if dropped < step {
					break
				}
				if err := context.Cause(ctx); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
