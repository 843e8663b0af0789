package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// wallsOfOrganization writes what models have taken, and returns the reads that find it, the settings and the audit at home.
func wallsOfOrganization(t *testing.T, database *pgtest.Database, home, user uuid.UUID) map[string]func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	for _, sql := range []string{
		`INSERT INTO ai_usage (organization_id, month, calls, input_tokens, source) SELECT o.id, date_trunc('month', now() AT TIME ZONE o.time_zone), 3, 4, 'model-1' FROM organizations AS o WHERE o.id = $1 AND $2::uuid IS NOT NULL`,
		`INSERT INTO audit_events (organization_id, id, action, target_kind, target_id, actor_id) VALUES ($1, $2, 'wall.tested', 'wall', $2, $2)`,
	} {
		if _, err := database.Owner.Exec(t.Context(), sql, home, user); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	var team uuid.UUID
	if err := database.Owner.QueryRow(t.Context(), "SELECT id FROM teams WHERE organization_id = $1 AND archived_at IS NULL ORDER BY id LIMIT 1", home).Scan(&team); err != nil {
		t.Fatal(err)
	}
	return map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"ai_usage.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			row, err := q.GetAIUsage(ctx, db.GetAIUsageParams{OrganizationID: home, UpToID: uuid.Max})
			return int(row.Calls), err
		},
		"records.sql, of an actor": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListAuditEventsOfActorBefore(ctx, db.ListAuditEventsOfActorBeforeParams{OrganizationID: home, ActorID: user, BeforeID: uuid.Max, PageSize: 10})
			return len(rows), err
		},
		"records.sql, of an action": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListAuditEventsOfActionBefore(ctx, db.ListAuditEventsOfActionBeforeParams{OrganizationID: home, Action: "wall.tested", BeforeID: uuid.Max, PageSize: 10})
			return len(rows), err
		},
		"records.sql, of a kind": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListAuditEventsOfKindBefore(ctx, db.ListAuditEventsOfKindBeforeParams{OrganizationID: home, TargetKind: "wall", BeforeID: uuid.Max, PageSize: 10})
			return len(rows), err
		},
		"teams.sql, by words": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListMatchingTeamsAfter(ctx, db.ListMatchingTeamsAfterParams{OrganizationID: home, IDs: []uuid.UUID{team}, Words: []string{}, PageSize: 10})
			return len(rows), err
		},
		"teams.sql, of a state": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListTeamsOfStateAfter(ctx, db.ListTeamsOfStateAfterParams{OrganizationID: home, PageSize: 200})
			return len(rows), err
		},
		"members.sql, by words": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListMatchingMembersAfter(ctx, db.ListMatchingMembersAfterParams{OrganizationID: home, IDs: []uuid.UUID{user}, Words: []string{}, PageSize: 10})
			return len(rows), err
		},
	}
}
