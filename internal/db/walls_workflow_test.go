package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// addWorkflowWalls carries an objective over, and adds a read of the copy, and of what else belongs to the end of a cycle.
func addWorkflowWalls(t *testing.T, database *pgtest.Database, home, owner, commented uuid.UUID, all map[string]func(ctx context.Context, q *db.Queries) (int, error)) {
	t.Helper()
	cycle, original, made, keyResult := db.NewID(), db.NewID(), db.NewID(), db.NewID()
	for _, insert := range []string{
		`INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, changed_by) SELECT $1::uuid, $3::uuid, 'x', '2030-01-01', '2030-03-31', $2::uuid WHERE $4::uuid IS NOT NULL AND $5::uuid IS NOT NULL AND $6::uuid IS NOT NULL`,
		`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, state, created_by, changed_by)
			SELECT $1::uuid, $4::uuid, $3::uuid, $2::uuid, 'x', 'approved', $2::uuid, $2::uuid WHERE $5::uuid IS NOT NULL AND $6::uuid IS NOT NULL`,
		`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, carried_from_id, created_by, changed_by)
			SELECT $1::uuid, $5::uuid, $3::uuid, $2::uuid, 'x', $4::uuid, $2::uuid, $2::uuid WHERE $6::uuid IS NOT NULL`,
		`INSERT INTO key_results (organization_id, id, objective_id, position, title, kind, carried_from_id)
			SELECT $1::uuid, $6::uuid, $5::uuid, 0, 'x', 'milestone', $6::uuid WHERE $2::uuid IS NOT NULL AND $3::uuid IS NOT NULL AND $4::uuid IS NOT NULL`,
	} {
		if _, err := database.Owner.Exec(t.Context(), insert, home, owner, cycle, original, made, keyResult); err != nil {
			t.Fatalf("%s: %v", insert, err)
		}
	}
	all["carry_overs.sql, copies"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListCarriedCopies(ctx, db.ListCarriedCopiesParams{OrganizationID: home, IDs: []uuid.UUID{original}, CycleID: cycle})
		return len(rows), err
	}
	all["carry_overs.sql, key results"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListCarriedKeyResults(ctx, db.ListCarriedKeyResultsParams{OrganizationID: home, ObjectiveIDs: []uuid.UUID{made}})
		return len(rows), err
	}
	if _, err := database.Owner.Exec(t.Context(), "INSERT INTO objective_links (organization_id, objective_id, supported_id, flagged, created_by) VALUES ($1, $2, $3, true, $4)", home, made, original, owner); err != nil {
		t.Fatal(err)
	}
	all["carry_overs.sql, links"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListLinksToCarry(ctx, db.ListLinksToCarryParams{OrganizationID: home, IDs: []uuid.UUID{made}})
		return len(rows), err
	}
	all["carry_overs.sql, links that follow"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListLinksThatFollow(ctx, db.ListLinksThatFollowParams{OrganizationID: home, IDs: []uuid.UUID{original}, CycleID: cycle})
		return len(rows), err
	}
	all["carry_overs.sql, what to carry"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListVisibleObjectivesToCarryAfter(ctx, db.ListVisibleObjectivesToCarryAfterParams{OrganizationID: home, CycleID: cycle, ActorID: owner, SeesAll: true, PageSize: 200})
		return len(rows), err
	}
	all["carry_overs.sql, members"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListActiveMembers(ctx, db.ListActiveMembersParams{OrganizationID: home, UserIDs: []uuid.UUID{owner}})
		return len(rows), err
	}
	all["cycles.sql, what to score"] = func(ctx context.Context, q *db.Queries) (int, error) {
		n, err := q.CountObjectivesToScore(ctx, db.CountObjectivesToScoreParams{OrganizationID: home, CycleID: cycle})
		return int(n), err
	}
	all["cycles.sql, by ids"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListVisibleObjectivesByID(ctx, db.ListVisibleObjectivesByIDParams{OrganizationID: home, IDs: []uuid.UUID{original, made}, ActorID: owner, SeesAll: true})
		return len(rows), err
	}
	all["comments.sql, who sees"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListMembersWhoSeeObjective(ctx, db.ListMembersWhoSeeObjectiveParams{OrganizationID: home, ObjectiveID: commented, UserIDs: []uuid.UUID{owner}})
		return len(rows), err
	}
}
