package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// wallsOfJobs writes a job that waits, and returns the reads that find it at home: the queue is open, but what an objective is called is not.
func wallsOfJobs(t *testing.T, database *pgtest.Database, home, user, objective, dialogue uuid.UUID) map[string]func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	_, err := database.Owner.Exec(t.Context(), "INSERT INTO ai_jobs (organization_id, id, kind, objective_id, dialogue_id, requested_by) VALUES ($1, $2, 'feedback', $3, $4, $5)",
		home, db.NewID(), objective, dialogue, user)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"ai_jobs.sql, the list": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListJobsBefore(ctx, db.ListJobsBeforeParams{OrganizationID: home, BeforeID: uuid.Max, SeesAll: true, PageSize: 5})
			return len(rows), err
		},
		"ai_jobs.sql, those in a state": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListJobsOfStateBefore(ctx, db.ListJobsOfStateBeforeParams{OrganizationID: home, State: "queued", BeforeID: uuid.Max, SeesAll: true, PageSize: 5})
			return len(rows), err
		},
	}
}
