package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// wallsOfProgress gives an objective figures that count, and returns the reads by progress that find it at home.
func wallsOfProgress(t *testing.T, database *pgtest.Database, home, cycle, objective uuid.UUID) map[string]func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	_, err := database.Owner.Exec(t.Context(), `INSERT INTO objective_figures (organization_id, objective_id, cycle_id, counted, progress) VALUES ($1, $2, $3, true, 0.5)
		ON CONFLICT (organization_id, objective_id) DO UPDATE SET counted = true, progress = 0.5`, home, objective, cycle)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"objectives.sql, the least progress first": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ScanObjectivesOfCycleByProgressAfter(ctx, db.ScanObjectivesOfCycleByProgressAfterParams{OrganizationID: home, CycleID: &cycle, SeesAll: true, Scan: 5})
			return len(rows), err
		},
		"objectives.sql, the most progress first": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ScanObjectivesOfCycleByProgressBefore(ctx, db.ScanObjectivesOfCycleByProgressBeforeParams{OrganizationID: home, CycleID: &cycle, SeesAll: true, FromID: uuid.Max, Scan: 5})
			return len(rows), err
		},
	}
}
