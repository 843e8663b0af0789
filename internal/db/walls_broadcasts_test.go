package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// wallsOfBroadcasts writes a broadcast that has reached somebody, and a webhook that was sent something, and returns the reads that find them at home.
func wallsOfBroadcasts(t *testing.T, database *pgtest.Database, home, user uuid.UUID) map[string]func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	broadcast, hook := db.NewID(), db.NewID()
	for sql, arguments := range map[string][]any{
		`WITH b AS (INSERT INTO broadcasts (organization_id, id, title, body, audience, state, created_by, changed_by) VALUES ($1, $2, 'x', 'x', 'organization', 'sent', $3, $3) RETURNING id)
			INSERT INTO broadcast_deliveries (organization_id, broadcast_id, user_id, state) SELECT $1, b.id, $3, 'failed' FROM b`: {home, broadcast, user},
		`WITH w AS (INSERT INTO webhooks (organization_id, id, url, kinds, secret, created_by, changed_by) VALUES ($1, $2, 'https://example.com', '{*}', '0123456789abcdef', $3, $3) RETURNING id)
			INSERT INTO webhook_deliveries (organization_id, id, webhook_id, event_id, kind, payload) SELECT $1, $2, w.id, $2, 'team.created', '{}' FROM w`: {home, hook, user},
	} {
		if _, err := database.Owner.Exec(t.Context(), sql, arguments...); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	return map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"broadcasts.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListBroadcastDeliveriesAfter(ctx, db.ListBroadcastDeliveriesAfterParams{OrganizationID: home, BroadcastID: broadcast, PageSize: 200})
			return len(rows), err
		},
		"broadcasts.sql, the broadcast": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetBroadcast(ctx, db.GetBroadcastParams{OrganizationID: home, ID: broadcast, ActorID: user})
			return 1, err
		},
		"broadcasts.sql, its audience": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListBroadcastAudienceAfter(ctx, db.ListBroadcastAudienceAfterParams{OrganizationID: home, Audience: "organization", PageSize: 500})
			return len(rows), err
		},
		"webhooks.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListWebhooksForKind(ctx, db.ListWebhooksForKindParams{OrganizationID: home, Kind: "team.created"})
			return len(rows), err
		},
		"webhooks.sql, deliveries": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetWebhookDeliveryForSending(ctx, db.GetWebhookDeliveryForSendingParams{OrganizationID: home, ID: hook})
			return 1, err
		},
	}
}
