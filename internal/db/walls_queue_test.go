package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
)

// queued are rows of the outbox, the scheduler and of all that is deleted with time, in one organisation.
type queued struct {
	bundle
	event   uuid.UUID
	session uuid.UUID
	due     time.Time
}

func setupQueued(t *testing.T) queued {
	t.Helper()
	b := queued{bundle: setup(t), event: db.NewID(), session: db.NewID(), due: time.Date(2026, time.November, 1, 9, 0, 0, 0, time.UTC)}
	for _, sql := range []string{
		`INSERT INTO outbox_events (organization_id, id, kind, target_id, state, attempt, lease_number, lease_expires_at)
			VALUES (@org, @event, 'test', gen_random_uuid(), 'running', 1, 3, now() + interval '1 hour')`,
		`INSERT INTO outbox_events (organization_id, id, kind, target_id, state, finished_at)
			VALUES (@org, gen_random_uuid(), 'test', gen_random_uuid(), 'delivered', now() - interval '1 year')`,
		`INSERT INTO scheduled_runs (organization_id, name, due_at, finished_at, outcome) VALUES (@org, 'test', @due::timestamptz - interval '1 day', now() - interval '1 year', 'succeeded')`,
		`INSERT INTO scheduled_runs (organization_id, name, due_at) VALUES (@org, 'test', @due)`,
		`UPDATE organization_clocks SET lease_number = 3, lease_expires_at = now() + interval '1 hour' WHERE organization_id = @org`,
		`INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at) VALUES (@org, sha256(@event::text::bytea), @session, @user, now() - interval '1 hour')`,
		`INSERT INTO session_accesses (organization_id, session_id, accessed_at) VALUES (@org, @session, now())`,
		`INSERT INTO idempotency_keys (organization_id, actor_id, route, key, payload_hash, created_at) VALUES (@org, @user, '/', 'k', sha256(''), now() - interval '1 year')`,
		`INSERT INTO link_previews (organization_id, url_hash, url, state, expires_at) VALUES (@org, sha256(''), 'https://example.com/', 'failed', now() - interval '1 hour')`,
		`INSERT INTO notifications (organization_id, id, user_id, kind, subject_kind, subject_id, title, latest_id, read_at)
			VALUES (@org, gen_random_uuid(), @user, 'test', 'team', gen_random_uuid(), 'Test', gen_random_uuid(), now() - interval '1 year')`,
		`INSERT INTO mails (organization_id, id, user_id, template, state, created_at) VALUES (@org, @event, @user, 'test', 'sent', now() - interval '1 year')`,
		`INSERT INTO broadcasts (organization_id, id, title, body, audience, created_by, changed_by) VALUES (@org, @event, 'Test', 'Test', 'organization', @user, @user)`,
		`INSERT INTO broadcast_deliveries (organization_id, broadcast_id, user_id, mail_id) VALUES (@org, @event, @user, @event)`,
		`INSERT INTO webhooks (organization_id, id, url, secret, created_by, changed_by) VALUES (@org, @event, 'https://example.com/', sha256(''), @user, @user)`,
		`INSERT INTO webhook_deliveries (organization_id, id, webhook_id, event_id, kind, payload, state, created_at)
			VALUES (@org, gen_random_uuid(), @event, gen_random_uuid(), 'test', '{}', 'delivered', now() - interval '1 year')`,
		`INSERT INTO feed_entries (organization_id, id, objective_id, action, happened_at) VALUES (@org, gen_random_uuid(), @objective, 'test', now() - interval '2 years')`,
	} {
		if _, err := b.Owner.Exec(t.Context(), sql, pgx.NamedArgs{"org": b.scope.Organization, "user": b.user, "event": b.event, "session": b.session,
			"due": b.due, "objective": b.objectives[0]}); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	return b
}

var errUndone = errors.New("only to see what it would have done")

// Every query of the outbox, the scheduler and the retention that is about one organisation: with the right keys in the wrong organisation it finds and changes
// nothing, and at home it does. Each is asked abroad first, under both walls: with its own predicate true and the scope foreign, and with both foreign.
func TestQueuesAreOutOfReachOfOtherOrganisations(t *testing.T) {
	t.Parallel()
	b := setupQueued(t)
	found := func(err error) (bool, error) {
		if errors.Is(err, pgx.ErrNoRows) {
			return false, nil
		}
		return err == nil, err
	}
	some := func(n int64, err error) (bool, error) { return n > 0, err }
	future := time.Now()
	for _, c := range []struct {
		name   string
		policy bool // row-level security stands before it too
		find   func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error)
	}{
		{"GetEventIfLease", false, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			_, err := q.GetEventIfLease(ctx, db.GetEventIfLeaseParams{OrganizationID: organization, ID: b.event, LeaseNumber: 3})
			return found(err)
		}},
		{"ExtendEventLeases", false, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			rows, err := q.ExtendEventLeases(ctx, db.ExtendEventLeasesParams{OrganizationIDs: []uuid.UUID{organization}, IDs: []uuid.UUID{b.event}, LeaseNumbers: []int64{3}, LeaseSeconds: 60})
			return len(rows) > 0, err
		}},
		{"ReleaseEventIfLease", false, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			_, err := q.ReleaseEventIfLease(ctx, db.ReleaseEventIfLeaseParams{OrganizationID: organization, ID: b.event, LeaseNumber: 3})
			return found(err)
		}},
		{"QuarantineEventIfLease", false, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			_, err := q.QuarantineEventIfLease(ctx, db.QuarantineEventIfLeaseParams{OrganizationID: organization, ID: b.event, LeaseNumber: 3, Failure: "failed"})
			return found(err)
		}},
		{"FinishEventsIfLease", false, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			rows, err := q.FinishEventsIfLease(ctx, db.FinishEventsIfLeaseParams{OrganizationID: organization, IDs: []uuid.UUID{b.event}, LeaseNumbers: []int64{3}})
			return len(rows) > 0, err
		}},
		{"DeleteFinishedEvents", false, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.DeleteFinishedEvents(ctx, db.DeleteFinishedEventsParams{OrganizationID: organization, State: "delivered", Before: future}))
		}},
		{"GetClockIfLease", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			_, err := q.GetClockIfLease(ctx, db.GetClockIfLeaseParams{OrganizationID: organization, LeaseNumber: 3})
			return found(err)
		}},
		{"SetClockIfLease", false, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			_, err := q.SetClockIfLease(ctx, db.SetClockIfLeaseParams{OrganizationID: organization, LeaseNumber: 3, DueAt: future})
			return found(err)
		}},
		{"ListLatestRuns", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			rows, err := q.ListLatestRuns(ctx, db.ListLatestRunsParams{OrganizationID: organization, Names: []string{"test"}})
			return len(rows) > 0, err
		}},
		{"ListUnfinishedRuns", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			rows, err := q.ListUnfinishedRuns(ctx, db.ListUnfinishedRunsParams{OrganizationID: organization})
			return len(rows) > 0, err
		}},
		{"UncountRun", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.UncountRun(ctx, db.UncountRunParams{OrganizationID: organization, Name: "test", DueAt: b.due}))
		}},
		{"FinishRun", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.FinishRun(ctx, db.FinishRunParams{OrganizationID: organization, Name: "test", DueAt: b.due, Outcome: "succeeded", Detail: []byte("{}")}))
		}},
		{"DeleteScheduledRuns", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.DeleteScheduledRuns(ctx, db.DeleteScheduledRunsParams{OrganizationID: organization, Before: future}))
		}},
		{"DeleteExpiredSessions", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.DeleteExpiredSessions(ctx, db.DeleteExpiredSessionsParams{OrganizationID: organization}))
		}},
		{"DeleteIdempotencyKeys", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.DeleteIdempotencyKeys(ctx, db.DeleteIdempotencyKeysParams{OrganizationID: organization, Before: future}))
		}},
		{"DeleteUnusedLinkPreviews", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.DeleteUnusedLinkPreviews(ctx, db.DeleteUnusedLinkPreviewsParams{OrganizationID: organization, Before: future, PageSize: 500}))
		}},
		{"DeleteReadNotifications", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.DeleteReadNotifications(ctx, db.DeleteReadNotificationsParams{OrganizationID: organization, Before: future}))
		}},
		{"DeleteMails", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.DeleteMails(ctx, db.DeleteMailsParams{OrganizationID: organization, Before: future}))
		}},
		{"DeleteWebhookDeliveries", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.DeleteWebhookDeliveries(ctx, db.DeleteWebhookDeliveriesParams{OrganizationID: organization, Before: future}))
		}},
		{"DeleteFeedEntries", true, func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			return some(q.DeleteFeedEntries(ctx, db.DeleteFeedEntriesParams{OrganizationID: organization, Before: future}))
		}},
	} {
		ask := func(scope, organization uuid.UUID) (got bool) {
			err := b.store.Write(t.Context(), db.Scope{Organization: scope}, func(ctx context.Context, q *db.Queries) (err error) {
				if got, err = c.find(ctx, q, organization); err != nil {
					return err
				}
				return errUndone // the same row serves the next
			})
			if !errors.Is(err, errUndone) {
				t.Errorf("%s: %v", c.name, err)
			}
			return got
		}
		home, abroad := b.scope.Organization, db.NewID()
		if ask(abroad, abroad) {
			t.Errorf("%s finds something in an organisation that has nothing", c.name)
		}
		if c.policy && ask(abroad, home) {
			t.Errorf("%s finds something of another organisation's", c.name)
		}
		if !ask(home, home) {
			t.Errorf("%s finds nothing at home: the keys are wrong, and what it did not find abroad would prove nothing", c.name)
		}
	}
}

// What ends with its own time goes with all that hangs on it, and what something else hangs on is parted from it.
func TestWhatIsDeletedTakesNothingElseAlong(t *testing.T) {
	t.Parallel()
	b := setupQueued(t)
	err := b.store.Write(t.Context(), b.scope, func(ctx context.Context, q *db.Queries) error {
		if _, err := q.DeleteExpiredSessions(ctx, db.DeleteExpiredSessionsParams{OrganizationID: b.scope.Organization}); err != nil {
			return err
		}
		_, err := q.DeleteMails(ctx, db.DeleteMailsParams{OrganizationID: b.scope.Organization, Before: time.Now()})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]int{
		"SELECT count(*)::int FROM sessions":                                   0,
		"SELECT count(*)::int FROM session_accesses":                           0,
		"SELECT count(*)::int FROM mails":                                      0,
		"SELECT count(*)::int FROM broadcast_deliveries WHERE mail_id IS NULL": 1,
	} {
		var n int
		if err := b.Owner.QueryRow(t.Context(), sql).Scan(&n); err != nil || n != want {
			t.Errorf("%s: %d, %v", sql, n, err)
		}
	}
}
