package ai

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/queue"
)

// The states that a worker brings a job to.
const (
	stateQueued     = "queued"
	stateRunning    = "running"
	stateSucceeded  = "succeeded"
	stateFailed     = "failed"
	stateSuperseded = "superseded"
)

// jobDetail is what the audit says about the end of a job.
type jobDetail struct {
	Kind              string  `json:"kind"`
	Source            string  `json:"source,omitempty"`
	ObjectiveRevision int64   `json:"objective_revision,omitempty"`
	Failure           Failure `json:"failure,omitempty"`
	Attempt           int16   `json:"attempt"`
}

// settleJob writes an answer and the end of its job, all or nothing, and returns the state that the job then has. If the objective
// is not, or not to the eyes of whoever asked, what it was when the request was loaded, the answer is dropped and the job superseded.
//
// It locks in the order in which people's changes do: membership, objective, job. It may be run again after a commit of which
// the outcome is unknown.
func settleJob(ctx context.Context, store *db.Store, job db.AIJob, request Request, answer Answer, source string) (state string, err error) {
	err = store.Write(ctx, scopeOf(job), func(ctx context.Context, q *db.Queries) error {
		failure, end := Failure(""), stateSucceeded
		unmoved, err := holdTarget(ctx, q, job, request.Objective.Revision)
		switch {
		case errors.As(err, &failure):
			end = stateFailed
		case err != nil:
			return err
		case !unmoved:
			end = stateSuperseded
		}
		if state, err = lockJob(ctx, q, job); err != nil || state != stateRunning {
			return err
		}
		state = end
		if end == stateSucceeded {
			if err := storeAnswer(ctx, q, job, request, answer, source); err != nil {
				return err
			}
		}
		return endJob(ctx, q, job, end, jobDetail{
			Kind: job.Kind, Source: source, ObjectiveRevision: request.Objective.Revision, Failure: failure, Attempt: job.Attempt,
		})
	})
	return state, err
}

// holdTarget keeps membership and objective as they are until the transaction ends, and reports whether the objective is still
// at revision. It returns RequesterGone if the membership is over.
func holdTarget(ctx context.Context, q *db.Queries, job db.AIJob, revision int64) (bool, error) {
	row, err := q.GetActorOfJobForShare(ctx, db.GetActorOfJobForShareParams{OrganizationID: job.OrganizationID, UserID: job.RequestedBy})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, RequesterGone
	}
	if err != nil {
		return false, err
	}
	actor := db.GetActorOfJobRow(row)
	target, err := q.GetVisibleObjectiveForShare(ctx, db.GetVisibleObjectiveForShareParams{
		OrganizationID: job.OrganizationID, ID: job.ObjectiveID,
		ActorID: actor.UserID, SeesAll: seesAll(actor), TeamIDs: actor.TeamIDs, LeadTeamIDs: actor.LeadTeamIDs,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return target.Objective.Revision == revision, err
}

// lockJob holds the job until the transaction ends. It returns stateRunning, or the state to which an earlier transaction
// under the same lease has brought the job; whether that one had committed may not have been known. Otherwise it returns queue.ErrLeaseLost.
func lockJob(ctx context.Context, q *db.Queries, job db.AIJob) (state string, err error) {
	present, err := q.LockJobIfLease(ctx, db.LockJobIfLeaseParams{OrganizationID: job.OrganizationID, ID: job.ID, LeaseNumber: job.LeaseNumber})
	if errors.Is(err, pgx.ErrNoRows) || err == nil && present.State == stateQueued {
		return "", queue.ErrLeaseLost
	}
	return present.State, err
}

// storeAnswer writes the coach's turn and what it proposes.
func storeAnswer(ctx context.Context, q *db.Queries, job db.AIJob, request Request, answer Answer, source string) error {
	findings := answer.Findings
	if findings == nil {
		findings = []Finding{}
	}
	encoded, err := json.Marshal(findings)
	if err != nil {
		return err
	}
	message, err := q.CreateMessage(ctx, db.CreateMessageParams{
		OrganizationID:    job.OrganizationID,
		ID:                db.NewID(),
		DialogueID:        job.DialogueID,
		Source:            &source,
		JobID:             &job.ID,
		ObjectiveRevision: &request.Objective.Revision,
		Body:              answer.Text,
		Findings:          encoded,
	})
	if err != nil || answer.Proposal.isEmpty() {
		return err
	}
	content, err := json.Marshal(newContent(*answer.Proposal))
	if err != nil {
		return err
	}
	_, err = q.CreateSuggestion(ctx, db.CreateSuggestionParams{
		OrganizationID:    job.OrganizationID,
		ID:                db.NewID(),
		ObjectiveID:       job.ObjectiveID,
		ObjectiveRevision: request.Objective.Revision,
		DialogueID:        job.DialogueID,
		MessageID:         message.ID,
		Source:            source,
		Content:           content,
	})
	return err
}

// failJob ends a job for which there is no answer, and returns the state that it then has.
func failJob(ctx context.Context, store *db.Store, job db.AIJob, failure Failure) (state string, err error) {
	err = store.Write(ctx, scopeOf(job), func(ctx context.Context, q *db.Queries) (err error) {
		if state, err = lockJob(ctx, q, job); err != nil || state != stateRunning {
			return err
		}
		state = stateFailed
		return endJob(ctx, q, job, state, jobDetail{Kind: job.Kind, Failure: failure, Attempt: job.Attempt})
	})
	return state, err
}

// endJob brings a locked job to its last state and records that the program, not a member, did so.
func endJob(ctx context.Context, q *db.Queries, job db.AIJob, state string, detail jobDetail) error {
	ended := db.FinishJobIfLeaseParams{OrganizationID: job.OrganizationID, ID: job.ID, LeaseNumber: job.LeaseNumber, State: state}
	if detail.Failure != "" {
		ended.Failure = (*string)(&detail.Failure)
	}
	_, err := q.FinishJobIfLease(ctx, ended)
	if errors.Is(err, pgx.ErrNoRows) {
		return queue.ErrLeaseLost
	}
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	return q.RecordEvent(ctx, db.RecordEventParams{
		OrganizationID: job.OrganizationID,
		EventID:        db.NewID(),
		Action:         "job." + state,
		TargetKind:     "job",
		TargetID:       job.ID,
		Detail:         encoded,
	})
}

// releaseJob puts a job back in the queue, to be claimed after delay. The attempt counts if there is a failure.
func releaseJob(ctx context.Context, store *db.Store, job db.AIJob, failure *Failure, delay time.Duration) error {
	return store.Write(ctx, scopeOf(job), func(ctx context.Context, q *db.Queries) error {
		_, err := q.ReleaseJobIfLease(ctx, db.ReleaseJobIfLeaseParams{
			OrganizationID: job.OrganizationID,
			ID:             job.ID,
			LeaseNumber:    job.LeaseNumber,
			Failure:        (*string)(failure),
			Uncounted:      failure == nil,
			DelaySeconds:   delay.Seconds(),
		})
		if errors.Is(err, pgx.ErrNoRows) {
			return queue.ErrLeaseLost
		}
		return err
	})
}
