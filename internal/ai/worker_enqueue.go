package ai

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
)

// Enqueue queues a job for an objective, or returns the one of its kind that is waiting or running already; created tells which.
// Whoever asks for the same waits until the other has committed or rolled back, so of many who ask at once one is served, and
// a rollback loses nobody's request. It belongs in the transaction of the change that asks for the job; after its commit
// comes Waker.Wake. A new job for a model needs tokens that are left of the organisation's month: otherwise it is ErrBudgetExhausted. Where the advisory lock fails, the index ai_jobs_one_live refuses a second job with a *db.ConstraintError.
func Enqueue(ctx context.Context, q *db.Queries, organization, actor uuid.UUID, kind Kind, coach Coach, objective, dialogue uuid.UUID) (job db.AIJob, created bool, err error) {
	target := fmt.Sprintf("%s/%s/%s", organization, objective, kind)
	if err := q.LockJobTarget(ctx, db.LockJobTargetParams{Target: target}); err != nil {
		return db.AIJob{}, false, err
	}
	job, err = q.GetLiveJob(ctx, db.GetLiveJobParams{OrganizationID: organization, ObjectiveID: objective, Kind: string(kind)})
	if !errors.Is(err, pgx.ErrNoRows) {
		return job, false, err
	}
	if coach != RulesOnly {
		if coach, err = reserve(ctx, q, organization); err != nil {
			return db.AIJob{}, false, err
		}
	}
	job, err = q.CreateJob(ctx, db.CreateJobParams{
		OrganizationID: organization,
		ID:             db.NewID(),
		Kind:           string(kind),
		ObjectiveID:    objective,
		DialogueID:     dialogue,
		ActorID:        actor,
		Coach:          string(coach),
	})
	return job, err == nil, err
}
