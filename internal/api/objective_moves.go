package api

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// MoveObjective takes an objective through its life. Who may, from where, and what has to be said with it, are okr's rules.
func (s *Server) MoveObjective(ctx context.Context, request MoveObjectiveRequestObject) (MoveObjectiveResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (MoveObjectiveResponseObject, error) {
		o, err := moveObjective(ctx, q, a, request, from)
		if err != nil {
			return nil, err
		}
		return MoveObjective200Response{Body: o.view(a), Headers: MoveObjective200ResponseHeaders{ETag: etag(o.objective.Revision)}}, nil
	})
}

// move is an action on an objective that was found to be possible.
type move struct {
	action       okr.Action
	next         okr.Status
	score        *decimal.Decimal
	selfApproval bool
}

func moveObjective(ctx context.Context, q *db.Queries, a actor, request MoveObjectiveRequestObject, from precondition) (objectiveRows, error) {
	present, err := wholeObjective(ctx, q, a, request.ObjectiveID)
	if err != nil {
		return objectiveRows{}, err
	}
	if !request.Action.OpenTo(a.capacities(present.objective)...) {
		return objectiveRows{}, errNotAllowed
	}
	if err := a.claim(ctx, q); err != nil {
		return objectiveRows{}, err
	}
	return takeMove(ctx, q, a, present, request, from)
}

// takeMove moves an objective that the actor was found to see, by an action that is open to them.
func takeMove(ctx context.Context, q *db.Queries, a actor, present objectiveRows, request MoveObjectiveRequestObject, from precondition) (objectiveRows, error) {
	if present.objective.Revision != from.revision {
		return objectiveRows{}, staleObjective(ctx, q, a, request.ObjectiveID, from)
	}
	m, err := planMove(ctx, q, a, present, request)
	if err != nil {
		return objectiveRows{}, err
	}
	state, archived := m.next.State, false
	if state == okr.ObjectiveArchived {
		state, archived = m.next.ArchivedFrom, true
	}
	changed, err := q.MoveObjectiveIfRevision(ctx, db.MoveObjectiveIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.ObjectiveID,
		Revision: from.revision, State: string(state), Score: m.score, Archived: archived, ActorID: a.UserID})
	if errors.Is(err, pgx.ErrNoRows) {
		return objectiveRows{}, staleObjective(ctx, q, a, request.ObjectiveID, from)
	}
	if err != nil {
		return objectiveRows{}, err
	}
	var detail any
	if m.selfApproval {
		detail = map[string]any{"self_approval": true}
	}
	return recordObjective(ctx, q, a, db.GetVisibleObjectiveRow{Objective: changed, Cycle: present.cycle, OwnerName: present.names[changed.OwnerID], ChangedByName: a.Name, ParentHidden: present.parentHidden}, objectiveEvent{action: "objective." + pastTense(request.Action), note: request.Body.Note, detail: detail})
}

// planMove checks everything that a move needs.
func planMove(ctx context.Context, q *db.Queries, a actor, present objectiveRows, request MoveObjectiveRequestObject) (move, error) {
	m := move{action: request.Action, score: present.objective.Score}
	var err error
	if m.next, err = statusOf(present.objective).Next(request.Action); err != nil {
		return m, wrongState("An objective that is "+string(statusOf(present.objective).State)+" cannot take the action "+string(request.Action)+".", present.view(a))
	}
	note := ""
	if request.Body.Note != nil {
		note = strings.TrimSpace(*request.Body.Note)
	}
	if request.Action.NeedsNote() && note == "" {
		return m, invalid(FieldProblem{Pointer: "/note", Code: okr.CodeNoteRequired, Detail: "Say why, so that the owner knows what to do."})
	}
	if request.Action != okr.ActionClose && request.Body.Score != nil {
		return m, invalid(FieldProblem{Pointer: "/score", Code: "score-not-here", Detail: "Only closing takes a score."})
	}
	if request.Action.NeedsOpenCycle() {
		// Held, so that a cycle that is being closed at this moment either counts the objective or refuses it.
		cycle, err := q.GetCycleForShare(ctx, db.GetCycleForShareParams{OrganizationID: a.OrganizationID, ID: present.cycle.ID})
		if err != nil {
			return m, err
		}
		if !cycle.State.MayDraft() {
			return m, wrongState("Its cycle is closed, and takes no action "+string(request.Action)+" any more.", present.view(a))
		}
	}
	switch request.Action {
	case okr.ActionSubmit:
		err = measured(ctx, q, a, present)
	case okr.ActionApprove:
		m.selfApproval, err = approvable(ctx, q, a, present.objective)
	case okr.ActionClose:
		closing := okr.Closing{Commitment: present.objective.Kind, Progress: present.standing(a).total.Progress, Note: note}
		closing.Score = okr.SuggestedScore(closing.Progress)
		if request.Body.Score != nil {
			closing.Score = *request.Body.Score
		}
		if refused := closing.Validate(); len(refused) > 0 {
			return m, invalid(fieldProblems("", refused)...)
		}
		m.score = &closing.Score
	case okr.ActionReopen:
		m.score = nil
	}
	return m, err
}

// measured refuses an objective of which nothing says how far it is: without key results it takes the mean of what contributes to it.
func measured(ctx context.Context, q *db.Queries, a actor, o objectiveRows) error {
	if slices.ContainsFunc(o.keyResults, func(k keyResultRows) bool { return k.ArchivedAt == nil }) {
		return nil
	}
	contributed, err := q.HasContributors(ctx, db.HasContributorsParams{OrganizationID: a.OrganizationID, ParentID: o.objective.ID})
	if err != nil || contributed {
		return err
	}
	return invalid(FieldProblem{Pointer: "/key_results", Code: "unmeasured", Detail: "Add a key result, or have an objective contribute to this one, before you submit."})
}

// approvable returns whether the approval would be the author's own, or the refusal. Reviewers are the leads of its team; where there is no
// team, or a team without leads, those who administer the organisation.
func approvable(ctx context.Context, q *db.Queries, a actor, o db.Objective) (selfApproval bool, err error) {
	var reviewers []uuid.UUID
	if o.TeamID != nil {
		if reviewers, err = q.ListTeamLeads(ctx, db.ListTeamLeadsParams{OrganizationID: a.OrganizationID, TeamID: *o.TeamID}); err != nil {
			return false, err
		}
	}
	if len(reviewers) == 0 {
		if reviewers, err = q.ListAdministrators(ctx, db.ListAdministratorsParams{OrganizationID: a.OrganizationID}); err != nil {
			return false, err
		}
	}
	if !slices.Contains(reviewers, a.UserID) {
		reviewers = append(reviewers, a.UserID) // an admin reviews beside the team's leads
	}
	author := o.OwnerID
	if o.CreatedBy == a.UserID {
		author = a.UserID // whoever wrote it for somebody else is its author too
	}
	ok, selfApproval := okr.MayApprove(author, a.UserID, reviewers)
	if !ok {
		return false, &problem{status: errNotAllowed.status, kind: errNotAllowed.kind, title: errNotAllowed.title, detail: "Authors do not approve their own objective while somebody else can."}
	}
	return selfApproval, nil
}

// pastTense names what happened, for history, audit and outbox.
func pastTense(action okr.Action) string {
	switch action {
	case okr.ActionSubmit:
		return "submitted"
	case okr.ActionApprove:
		return "approved"
	case okr.ActionReturn:
		return "returned"
	case okr.ActionRevise:
		return "revised"
	case okr.ActionClose:
		return "closed"
	case okr.ActionReopen:
		return "reopened"
	case okr.ActionArchive:
		return "archived"
	case okr.ActionRestore:
		return "restored"
	}
	return string(action)
}
