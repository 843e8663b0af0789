package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/bench/peers/answer"
	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/snapshot"
)

// askCoach queues a job, or returns the one that is live for the same objective and kind. Jobs are records: the change leaves everything that people edit
// as it is, but it is a change of the organisation.
func (s *server) askCoach(c *gin.Context) (any, error) {
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return nil, errUnreadable()
	}
	var body api.JobCreate
	if err := decode(c, &body); err != nil {
		return nil, err
	}
	token, err := tokenOf(c)
	if err != nil {
		return nil, err
	}
	var job db.AIJob
	_, err = s.change(c.Request.Context(), token.Organization, func(ctx context.Context, h *held) (bool, error) {
		a, err := authorise(ctx, c, h, token)
		if err != nil {
			return false, err
		}
		row, err := h.q.GetVisibleDialogue(ctx, db.GetVisibleDialogueParams{OrganizationID: token.Organization, ID: id, ActorID: a.ID, SeesAll: a.Administers(),
			TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		if err != nil {
			return false, err
		}
		if !a.MayEdit(row.Objective) {
			return false, errNotAllowed()
		}
		if body.Message != nil {
			if err := h.say(ctx, id, *body.Message); err != nil {
				return false, err
			}
		}
		job, err = h.q.GetLiveJob(ctx, db.GetLiveJobParams{OrganizationID: token.Organization, ObjectiveID: row.Objective.ID, Kind: string(body.Kind)})
		if !errors.Is(err, pgx.ErrNoRows) {
			return body.Message != nil, err
		}
		job, err = h.q.CreateJob(ctx, db.CreateJobParams{Coach: "model", OrganizationID: token.Organization, ID: db.NewID(), Kind: string(body.Kind), ObjectiveID: row.Objective.ID,
			DialogueID: id, ActorID: a.ID})
		if err != nil {
			return false, err
		}
		return true, h.record(ctx, "job.created", "job", job.ID, map[string]any{"kind": job.Kind, "objective_id": job.ObjectiveID})
	})
	if err != nil {
		return nil, err
	}
	s.wakeWorker()
	return api.Job{ID: job.ID, Kind: api.JobKind(job.Kind), State: api.JobState(job.State), Coach: api.CoachKind(job.Coach), ObjectiveID: job.ObjectiveID, DialogueID: job.DialogueID,
		Attempt: int(job.Attempt), Failure: job.Failure, CreatedAt: job.CreatedAt, StartedAt: job.StartedAt, FinishedAt: job.FinishedAt}, nil
}

func (s *server) wakeWorker() {
	select {
	case s.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// say adds a member's turn to a dialogue.
func (h *held) say(ctx context.Context, dialogue uuid.UUID, text string) error {
	m, err := h.q.CreateMessage(ctx, db.CreateMessageParams{OrganizationID: h.present.Organization.ID, ID: db.NewID(), DialogueID: dialogue, AuthorID: &h.by.Actor,
		Body: text, Findings: json.RawMessage("[]")})
	if err != nil {
		return err
	}
	return h.record(ctx, "message.created", "dialogue", dialogue, map[string]any{"message_id": m.ID})
}

// record writes audit and outbox. Where nobody is named who changes the organisation, the program did.
func (h *held) record(ctx context.Context, action, kind string, target uuid.UUID, detail any) error {
	encoded, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	var actor *uuid.UUID
	if h.by.Actor != uuid.Nil {
		actor = &h.by.Actor
	}
	return h.q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: h.present.Organization.ID, EventID: db.NewID(), Action: action, TargetKind: kind, TargetID: target,
		ActorID: actor, Detail: encoded, RequestID: h.by.RequestID, Address: h.by.Address})
}

const (
	jobLease  = 5 * time.Minute // longer than any job takes, since there is no heartbeat
	workPoll  = time.Second
	workPause = 100 * time.Millisecond // before a change that did not get through is tried again
)

// worker does the coach's jobs: claimed in a change of the organisation, answered without a connection, settled in another change.
type worker struct {
	s      *server
	coach  ai.Provider
	places chan struct{} // one for each job at a time
}

func newWorker(s *server, coach ai.Provider, jobs int) *worker {
	return &worker{s: s, coach: coach, places: make(chan struct{}, jobs)}
}

// run works until ctx ends, and then waits for the jobs that it has.
func (w *worker) run(ctx context.Context) {
	for {
		claimed, err := w.claim(ctx)
		if err != nil {
			w.s.log.Warn("claiming jobs fails", "error", err)
		}
		wait := workPoll
		if claimed > 0 || err != nil {
			wait = workPause / 10 // there may be more
		}
		select {
		case <-ctx.Done():
			for range cap(w.places) {
				w.places <- struct{}{}
			}
			return
		case <-w.s.wake:
		case <-time.After(wait):
		}
	}
}

// claim takes as many waiting jobs as there are free places, of one organisation after the other.
func (w *worker) claim(ctx context.Context) (n int, err error) {
	var waiting []uuid.UUID
	err = w.s.transaction(ctx, "begin", func(ctx context.Context, tx pgx.Tx) error {
		if _, err := db.New(tx).RequeueExpiredJobs(ctx); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, "SELECT DISTINCT j.organization_id FROM ai_jobs AS j WHERE j.state = 'queued' AND j.available_at <= now()")
		if err != nil {
			return err
		}
		waiting, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, organization := range waiting {
		free := cap(w.places) - len(w.places)
		if free == 0 {
			return n, nil
		}
		jobs, err := w.claimOf(ctx, organization, free)
		if err != nil {
			return n, err
		}
		for _, job := range jobs {
			w.places <- struct{}{} // there is one: nobody else fills them
			go func() {
				defer w.s.wakeWorker()
				defer func() { <-w.places }()
				w.work(ctx, job)
			}()
		}
		n += len(jobs)
	}
	return n, nil
}

const claimJobs = `
	UPDATE ai_jobs AS j
	SET state = 'running', attempt = j.attempt + 1, lease_number = j.lease_number + 1, lease_expires_at = clock_timestamp() + make_interval(secs => $3),
	    started_at = coalesce(j.started_at, clock_timestamp())
	FROM (SELECT n.id FROM ai_jobs AS n
	      WHERE n.organization_id = $1 AND n.state = 'queued' AND n.available_at <= clock_timestamp()
	      ORDER BY n.available_at, n.id LIMIT $2) AS next
	WHERE j.organization_id = $1 AND j.id = next.id
	RETURNING j.*`

func (w *worker) claimOf(ctx context.Context, organization uuid.UUID, most int) (jobs []db.AIJob, err error) {
	_, err = w.s.change(ctx, organization, func(ctx context.Context, h *held) (bool, error) {
		rows, err := h.tx.Query(ctx, claimJobs, organization, most, jobLease.Seconds())
		if err != nil {
			return false, err
		}
		jobs, err = pgx.CollectRows(rows, pgx.RowToStructByPos[db.AIJob])
		return len(jobs) > 0, err
	})
	return jobs, err
}

// work answers a job and settles it, again and again until the change gets through, the worker stops or the lease is over.
func (w *worker) work(ctx context.Context, job db.AIJob) {
	log := w.s.log.With("organization", job.OrganizationID, "job", job.ID)
	leased, cancel := context.WithTimeout(ctx, jobLease)
	defer cancel()
	for {
		state, err := w.attempt(leased, job)
		if err == nil {
			log.Info("a job left the worker", "state", state)
			return
		}
		log.Warn("a job is not settled yet", "error", err)
		if !pause(leased, workPause) {
			return // its lease runs out by itself
		}
	}
}

// attempt asks the coach anew each time: it costs less than a change, and the objective may have moved on.
func (w *worker) attempt(ctx context.Context, job db.AIJob) (state string, err error) {
	request, err := w.load(ctx, job)
	if err != nil {
		return "", err
	}
	said, err := w.coach.Answer(ctx, request, func(string) {})
	if err != nil {
		return "", err
	}
	_, err = w.s.change(ctx, job.OrganizationID, func(ctx context.Context, h *held) (bool, error) {
		present, err := h.q.LockJobIfLease(ctx, db.LockJobIfLeaseParams{OrganizationID: job.OrganizationID, ID: job.ID, LeaseNumber: job.LeaseNumber})
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			state = "lease lost"
			return false, nil
		case err != nil:
			return false, err
		case present.State != "running":
			state = present.State
			return false, nil
		}
		state = "superseded"
		if h.present.Objectives[h.present.objectives[job.ObjectiveID]].Revision == request.Objective.Revision {
			state = "succeeded"
			if err := h.answer(ctx, job, request, said, w.coach.Name()); err != nil {
				return false, err
			}
		}
		_, err = h.q.FinishJobIfLease(ctx, db.FinishJobIfLeaseParams{OrganizationID: job.OrganizationID, ID: job.ID, LeaseNumber: job.LeaseNumber, State: state})
		if err != nil {
			return false, err
		}
		return true, h.record(ctx, "job."+state, "job", job.ID, map[string]any{"kind": job.Kind, "source": w.coach.Name(),
			"objective_revision": request.Objective.Revision, "attempt": job.Attempt})
	})
	return state, err
}

// answer writes the coach's turn and what it proposes.
func (h *held) answer(ctx context.Context, job db.AIJob, request ai.Request, said ai.Answer, source string) error {
	findings, err := json.Marshal(slices.Concat([]ai.Finding{}, said.Findings))
	if err != nil {
		return err
	}
	m, err := h.q.CreateMessage(ctx, db.CreateMessageParams{OrganizationID: job.OrganizationID, ID: db.NewID(), DialogueID: job.DialogueID, Source: &source,
		JobID: &job.ID, ObjectiveRevision: &request.Objective.Revision, Body: said.Text, Findings: findings})
	if err != nil || said.Proposal == nil {
		return err
	}
	content, err := json.Marshal(said.Proposal)
	if err != nil {
		return err
	}
	_, err = h.q.CreateSuggestion(ctx, db.CreateSuggestionParams{OrganizationID: job.OrganizationID, ID: db.NewID(), ObjectiveID: job.ObjectiveID,
		ObjectiveRevision: request.Objective.Revision, DialogueID: job.DialogueID, MessageID: m.ID, Source: source, Content: content})
	return err
}

// load makes a request from the snapshot; only the dialogue's messages are read for it.
func (w *worker) load(ctx context.Context, job db.AIJob) (ai.Request, error) {
	var requester db.GetActorOfJobRow
	var messages []db.ListLatestMessagesRow
	var organization db.Organization
	err := w.s.view(ctx, job.OrganizationID, func(tx pgx.Tx) (err error) {
		q := db.New(tx)
		if requester, err = q.GetActorOfJob(ctx, db.GetActorOfJobParams{OrganizationID: job.OrganizationID, UserID: job.RequestedBy}); err != nil {
			return err
		}
		if organization, err = q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: job.OrganizationID}); err != nil {
			return err
		}
		messages, err = q.ListLatestMessages(ctx, db.ListLatestMessagesParams{OrganizationID: job.OrganizationID, DialogueID: job.DialogueID})
		return err
	})
	if err != nil {
		return ai.Request{}, err
	}
	all, err := w.s.current(ctx, job.OrganizationID, organization.Revision)
	if err != nil {
		return ai.Request{}, err
	}
	a := answer.Actor{ID: requester.UserID, Role: requester.Role, TeamIDs: requester.TeamIDs, LeadTeamIDs: requester.LeadTeamIDs}
	target := all.visible(job.ObjectiveID, a)
	if target == nil {
		return ai.Request{}, pgx.ErrNoRows
	}
	request := ai.Request{Kind: ai.Kind(job.Kind), Language: requester.Locale, Today: time.Now().UTC().Truncate(24 * time.Hour), Objective: all.asked(target)}
	if id := target.ParentObjectiveID; id != nil {
		if parent := all.visible(*id, a); parent != nil {
			request.Parent = &ai.Reference{ID: parent.ID, Title: parent.Title}
		}
	}
	request.Neighbours = all.neighbours(target, a)
	for _, m := range slices.Backward(messages) {
		author := ""
		if m.AuthorName != nil {
			author = *m.AuthorName
		}
		request.Messages = append(request.Messages, ai.Message{FromCoach: m.AuthorID == nil, Author: author, Text: m.Body})
	}
	return request, nil
}

// asked is an objective as the coach sees it.
func (w *whole) asked(o *snapshot.Objective) ai.Objective {
	cycle := w.Cycles[w.cycles[o.CycleID]]
	asked := ai.Objective{ID: o.ID, Revision: o.Revision, Title: o.Title, Kind: string(o.Kind), State: string(o.State), OwnerName: w.names[o.OwnerID],
		Cycle: ai.Cycle{Name: cycle.Name, StartsOn: cycle.StartsOn, EndsOn: cycle.EndsOn}}
	if o.Description != nil {
		asked.Description = *o.Description
	}
	if o.TeamID != nil {
		asked.TeamName = w.Teams[w.teams[*o.TeamID]].Name
	}
	for _, k := range o.KeyResults {
		if k.ArchivedAt != nil {
			continue
		}
		one := ai.KeyResult{ID: k.ID, Title: k.Title, Kind: string(k.Kind), Unit: k.Unit, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch,
			AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight, Current: k.CurrentValue, CheckedInAt: k.CurrentAt}
		if k.Description != nil {
			one.Description = *k.Description
		}
		if k.OwnerID != nil {
			one.OwnerName = w.names[*k.OwnerID]
		}
		if k.CurrentConfidence != nil {
			confidence := int(*k.CurrentConfidence)
			one.Confidence = &confidence
		}
		for _, step := range k.Steps {
			one.Steps = append(one.Steps, ai.Step{ID: step.ID, Title: step.Title, Weight: step.Weight})
		}
		asked.KeyResults = append(asked.KeyResults, one)
	}
	return asked
}

// neighbours are as many as the product's worker reads.
func (w *whole) neighbours(of *snapshot.Objective, a answer.Actor) (all []ai.Reference) {
	const most = 50
	for i := range w.Objectives {
		o := &w.Objectives[i]
		same := o.OwnerID == of.OwnerID || o.TeamID != nil && of.TeamID != nil && *o.TeamID == *of.TeamID
		if o.ID == of.ID || o.CycleID != of.CycleID || o.ArchivedAt != nil || !same || w.visible(o.ID, a) == nil {
			continue
		}
		if all = append(all, ai.Reference{ID: o.ID, Title: o.Title}); len(all) == most {
			break
		}
	}
	return all
}
