package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// inboxWalls fills what the demo leaves empty, and reads it by each of the inbox's query files.
func inboxWalls(t *testing.T, database *pgtest.Database, home, user, objective uuid.UUID) map[string]func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	for _, sql := range []string{
		`INSERT INTO notifications (organization_id, id, user_id, kind, subject_kind, subject_id, objective_id, title, latest_id) VALUES ($1, $3, $2, 'commented', 'objective', $3, $3, 'T', $3)`,
		`INSERT INTO feed_entries (organization_id, id, objective_id, action, actor_id, happened_at) VALUES ($1, $3, $3, 'objective.updated', $2, now())`,
		`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, created_by, changed_by)
			SELECT $1, gen_random_uuid(), c.id, $2, 'A draft', $2, $2 FROM cycles AS c JOIN objectives AS o ON o.id = $3 WHERE c.organization_id = $1 AND c.state = 'active'`,
		`UPDATE memberships SET role = 'member' WHERE organization_id = $1 AND user_id = $2 AND role = 'viewer' AND $3::uuid IS NOT NULL`,
	} {
		if _, err := database.Owner.Exec(t.Context(), sql, home, user, objective); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	return map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"notifications.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListNotificationsBefore(ctx, db.ListNotificationsBeforeParams{OrganizationID: home, ActorID: user, BeforeID: uuid.Max, Kinds: []string{}, SeesAll: true, PageSize: 200})
			return len(rows), err
		},
		"notifications.sql, of many": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListNewsAfter(ctx, db.ListNewsAfterParams{OrganizationID: home, UserIDs: []uuid.UUID{user}})
			return len(rows), err
		},
		"feed.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListFeedBefore(ctx, db.ListFeedBeforeParams{OrganizationID: home, BeforeID: uuid.Max, Scan: 200, SeesAll: true})
			return len(rows), err
		},
		"owed.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListOwedDrafts(ctx, db.ListOwedDraftsParams{OrganizationID: home, UserIDs: []uuid.UUID{user}, Each: 200})
			return len(rows), err
		},
	}
}
