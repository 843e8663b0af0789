package db_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// wallsOfFigures reads the demo's figures, what the dashboard shows beside them, and the past.
func wallsOfFigures(t *testing.T, database *pgtest.Database, home uuid.UUID) map[string]func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	var cycle, objective, keyResult, team uuid.UUID
	err := database.Owner.QueryRow(t.Context(), `SELECT f.cycle_id, f.objective_id, k.id, f.group_id FROM objective_figures AS f JOIN key_results AS k ON k.objective_id = f.objective_id
		JOIN check_ins AS i ON i.key_result_id = k.id WHERE f.organization_id = $1 AND f.counted AND f.outdated_from IS NOT NULL AND f.group_id <> $2 LIMIT 1`, home, uuid.Nil).
		Scan(&cycle, &objective, &keyResult, &team)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, time.November, 27, 3, 0, 0, 0, time.UTC)
	return map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"figures.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.SumFigures(ctx, db.SumFiguresParams{OrganizationID: home, CycleID: cycle, GroupIDs: []uuid.UUID{uuid.Max}, Day: 400})
			return len(rows), err
		},
		"figures.sql, of objectives": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListObjectivesForFigures(ctx, db.ListObjectivesForFiguresParams{OrganizationID: home, ObjectiveIDs: []uuid.UUID{objective}})
			return len(rows), err
		},
		"figures.sql, a cycle": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetCycleFigures(ctx, db.GetCycleFiguresParams{OrganizationID: home, CycleID: cycle})
			return 1, err
		},
		"figures.sql, days": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListCycleDays(ctx, db.ListCycleDaysParams{OrganizationID: home, CycleID: cycle, GroupID: uuid.Max})
			return len(rows), err
		},
		"dashboard.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListCyclesAround(ctx, db.ListCyclesAroundParams{OrganizationID: home, Day: now})
			return len(rows), err
		},
		"dashboard.sql, the silent": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListOutdatedAfter(ctx, db.ListOutdatedAfterParams{OrganizationID: home, CycleID: cycle, Day: 1000, AfterDay: -1, PageSize: 200})
			return len(rows), err
		},
		"dashboard.sql, the silent of a team": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListOutdatedOfTeamsAfter(ctx, db.ListOutdatedOfTeamsAfterParams{OrganizationID: home, CycleID: cycle, OfTeamIDs: []uuid.UUID{team}, Day: 1000, AfterDay: -1, PageSize: 200})
			return len(rows), err
		},
		"dashboard.sql, members": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListMembersForMissingAfter(ctx, db.ListMembersForMissingAfterParams{OrganizationID: home, CycleID: cycle, Scan: 200})
			return len(rows), err
		},
		"as_of.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListObjectivesAsOf(ctx, db.ListObjectivesAsOfParams{OrganizationID: home, ObjectiveIDs: []uuid.UUID{objective}, AsOf: now})
			return len(rows), err
		},
		"as_of.sql, check-ins": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListCheckInsAsOf(ctx, db.ListCheckInsAsOfParams{OrganizationID: home, KeyResultIDs: []uuid.UUID{keyResult}, AsOf: now})
			return len(rows), err
		},
		"as_of.sql, a series": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListCheckInSeries(ctx, db.ListCheckInSeriesParams{OrganizationID: home, KeyResultIDs: []uuid.UUID{keyResult}, Each: 60})
			return len(rows), err
		},
	}
}
