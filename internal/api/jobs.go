package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/db"
)

func jobView(j db.AIJob) Job {
	return Job{ID: j.ID, Kind: JobKind(j.Kind), State: JobState(j.State), Coach: CoachKind(j.Coach), ObjectiveID: j.ObjectiveID, DialogueID: j.DialogueID, Attempt: int(j.Attempt),
		Failure: j.Failure, CreatedAt: j.CreatedAt, StartedAt: j.StartedAt, FinishedAt: j.FinishedAt}
}

func visibleJob(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.GetVisibleJobRow, error) {
	return q.GetVisibleJob(ctx, db.GetVisibleJobParams{OrganizationID: a.OrganizationID, ID: id, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
}

// AskCoach queues a job for the coach, or returns the one that is already live for the same objective and kind.
func (s *Server) AskCoach(ctx context.Context, request AskCoachRequestObject) (AskCoachResponseObject, error) {
	answer, err := write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (AskCoachResponseObject, error) {
		row, err := visibleDialogue(ctx, q, a, request.DialogueID)
		if err != nil {
			return nil, err
		}
		if !a.mayEverEdit(row.Objective) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if !a.mayEdit(row.Objective) {
			return nil, wrongState("The coach helps while the objective can be edited; it is "+string(statusOf(row.Objective).State)+".", nil)
		}
		if text := request.Body.Message; text != nil {
			if _, err := say(ctx, q, a, row.Dialogue.ID, *text); err != nil {
				return nil, err
			}
		}
		coach := ai.Model
		if c := request.Body.Coach; c != nil {
			coach = ai.Coach(*c)
		}
		job, created, err := ai.Enqueue(ctx, q, a.OrganizationID, a.UserID, ai.Kind(request.Body.Kind), coach, row.Objective.ID, row.Dialogue.ID)
		if errors.Is(err, ai.ErrBudgetExhausted) {
			return nil, &problem{status: http.StatusConflict, kind: "ai-budget-exhausted", title: "The month's tokens are used up",
				detail: "Ask with `coach: rules`, which takes none, or wait for the next month or a higher bound."}
		}
		if err != nil {
			return nil, err
		}
		if created {
			if err := record(ctx, q, a, event{action: "job.created", targetKind: "job", target: job.ID, detail: map[string]any{"kind": job.Kind, "objective_id": job.ObjectiveID}}); err != nil {
				return nil, err
			}
		}
		return AskCoach202Response{Body: jobView(job), Headers: AskCoach202ResponseHeaders{Location: location("jobs", job.ID)}}, nil
	})
	if err == nil {
		s.waker.Wake()
	}
	return answer, err
}

// ListJobs lists what the coach was asked for in a dialogue.
func (s *Server) ListJobs(ctx context.Context, request ListJobsRequestObject) (ListJobsResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/dialogues/"+request.DialogueID.String()+"/jobs", request.Params.Limit, request.Params.Cursor, newestFirst(request.Params.Newest))
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListJobsResponseObject, error) {
		if _, err := visibleDialogue(ctx, q, a, request.DialogueID); err != nil {
			return nil, err
		}
		rows, err := listJobs(ctx, q, l, db.ListJobsOfDialogueAfterParams{OrganizationID: a.OrganizationID, DialogueID: request.DialogueID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(j db.AIJob) position { return position{id: j.ID} })
		return ListJobs200Response{Body: JobPage{Items: converted(rows, jobView), NextCursor: next}, Headers: ListJobs200ResponseHeaders{Link: link}}, nil
	})
}

func listJobs(ctx context.Context, q *db.Queries, l list, p db.ListJobsOfDialogueAfterParams) ([]db.AIJob, error) {
	if l.query.Has(newest) {
		return q.ListJobsOfDialogueBefore(ctx, db.ListJobsOfDialogueBeforeParams{OrganizationID: p.OrganizationID, DialogueID: p.DialogueID, BeforeID: l.back(), PageSize: p.PageSize})
	}
	return q.ListJobsOfDialogueAfter(ctx, p)
}

// ListOrganizationJobs lists what the coach was asked for, newest first, for those who may see every objective.
func (s *Server) ListOrganizationJobs(ctx context.Context, request ListOrganizationJobsRequestObject) (ListOrganizationJobsResponseObject, error) {
	filters := url.Values{}
	if request.Params.State != nil {
		filters.Set("state", string(*request.Params.State))
	}
	l, err := s.newList(exchangeOf(ctx), "/jobs", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	before := uuid.Max
	if !l.begins {
		before = l.from.id
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListOrganizationJobsResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		var rows []db.ListJobsBeforeRow
		var err error
		if state := request.Params.State; state != nil {
			var some []db.ListJobsOfStateBeforeRow
			some, err = q.ListJobsOfStateBefore(ctx, db.ListJobsOfStateBeforeParams{OrganizationID: a.OrganizationID, State: string(*state), BeforeID: before, PageSize: l.pageSize(),
				ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
			rows = converted(some, func(r db.ListJobsOfStateBeforeRow) db.ListJobsBeforeRow { return db.ListJobsBeforeRow(r) })
		} else {
			rows, err = q.ListJobsBefore(ctx, db.ListJobsBeforeParams{OrganizationID: a.OrganizationID, BeforeID: before, PageSize: l.pageSize(),
				ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		}
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ListJobsBeforeRow) position { return position{id: r.AIJob.ID} })
		names, err := namesOf(ctx, q, a, converted(rows, func(r db.ListJobsBeforeRow) uuid.UUID { return r.AIJob.RequestedBy })...)
		items := converted(rows, func(r db.ListJobsBeforeRow) JobOverview {
			view := JobOverview{Job: jobView(r.AIJob), ObjectiveTitle: r.ObjectiveTitle, RequestedBy: person(r.AIJob.RequestedBy, names), MaxAttempts: int(r.AIJob.MaxAttempts)}
			if r.AIJob.State == string(JobStateQueued) {
				view.NextAttemptAt = &r.AIJob.AvailableAt
			}
			return view
		})
		return ListOrganizationJobs200Response{Body: JobOverviewPage{Items: items, NextCursor: next}, Headers: ListOrganizationJobs200ResponseHeaders{Link: link}}, err
	})
}

// GetJob shows how far a job is.
func (s *Server) GetJob(ctx context.Context, request GetJobRequestObject) (GetJobResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetJobResponseObject, error) {
		row, err := visibleJob(ctx, q, a, request.JobID)
		if err != nil {
			return nil, err
		}
		return GetJob200Response{Body: jobView(row.AIJob)}, nil
	})
}

// CancelJob ends a job that has not ended. A worker that is at it finds its lease gone and drops what it has.
func (s *Server) CancelJob(ctx context.Context, request CancelJobRequestObject) (CancelJobResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CancelJobResponseObject, error) {
		row, err := visibleJob(ctx, q, a, request.JobID)
		if err != nil {
			return nil, err
		}
		if !a.mayEverEdit(row.Objective) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		job, err := q.CancelJob(ctx, db.CancelJobParams{OrganizationID: a.OrganizationID, ID: request.JobID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, wrongState("The job has ended.", nil)
		}
		if err != nil {
			return nil, err
		}
		return CancelJob200Response{Body: jobView(job)}, record(ctx, q, a, event{action: "job.cancelled", targetKind: "job", target: job.ID})
	})
}

// How a job is followed. Each look is one short transaction of its own, with the authorisation that holds at that moment.
const (
	followEvery   = 500 * time.Millisecond
	followAtMost  = 5 * time.Minute
	keepAliveEach = 15 * time.Second
)

// FollowJob streams a job's changes until it ends, the client goes, or its time is over.
func (s *Server) FollowJob(ctx context.Context, request FollowJobRequestObject) (FollowJobResponseObject, error) {
	look := func() (Job, error) {
		return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (Job, error) {
			row, err := visibleJob(ctx, q, a, request.JobID)
			return jobView(row.AIJob), err
		})
	}
	first, err := look()
	if err != nil {
		return nil, err
	}
	return FollowJob200Response{Body: func(w http.ResponseWriter) error { return s.follow(ctx, w, first, look) }}, nil
}

func (s *Server) follow(ctx context.Context, w http.ResponseWriter, job Job, look func() (Job, error)) error {
	ctx, cancel := context.WithTimeout(ctx, followAtMost)
	defer cancel()
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(followAtMost + keepAliveEach)) // a server without deadlines needs none extended
	next := time.NewTicker(followEvery)
	defer next.Stop()
	var shown Job
	var text string
	quiet := time.Now()
	for {
		if job.State != shown.State || job.Attempt != shown.Attempt {
			if err := writeEvent(w, "job", job); err != nil {
				return err
			}
			shown, quiet = job, time.Now()
		}
		if partial := s.options.Progress.Text(job.ID); partial != text && job.FinishedAt == nil {
			if err := writeEvent(w, "text", partial); err != nil {
				return err
			}
			text, quiet = partial, time.Now()
		}
		if time.Since(quiet) > keepAliveEach {
			if _, err := fmt.Fprint(w, ":\n\n"); err != nil {
				return err
			}
			quiet = time.Now()
		}
		if err := control.Flush(); err != nil || job.FinishedAt != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.ending:
			return nil
		case <-next.C:
		}
		seen, err := look()
		if err != nil {
			return nil // gone, signed out or overloaded: the stream ends, and asking again says which
		}
		job = seen
	}
}

func writeEvent(w http.ResponseWriter, name string, data any) error {
	encoded, err := json.Marshal(data)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, encoded)
	return err
}
