package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/db"
)

func suggestionView(g db.Suggestion, names map[uuid.UUID]string) Suggestion {
	v := Suggestion{ID: g.ID, ObjectiveID: g.ObjectiveID, ObjectiveRevision: g.ObjectiveRevision, DialogueID: g.DialogueID, MessageID: g.MessageID,
		Source: g.Source, Content: g.Content, State: SuggestionState(g.State), DecidedAt: g.DecidedAt, Note: g.Note, CreatedAt: g.CreatedAt}
	if g.DecidedBy != nil {
		by := person(*g.DecidedBy, names)
		v.DecidedBy = &by
	}
	return v
}

func visibleSuggestion(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.GetVisibleSuggestionRow, error) {
	return q.GetVisibleSuggestion(ctx, db.GetVisibleSuggestionParams{OrganizationID: a.OrganizationID, ID: id, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
}

func deciders(rows ...db.Suggestion) (ids []uuid.UUID) {
	for _, g := range rows {
		if g.DecidedBy != nil {
			ids = append(ids, *g.DecidedBy)
		}
	}
	return ids
}

// ListSuggestions lists the suggestions made in a dialogue.
func (s *Server) ListSuggestions(ctx context.Context, request ListSuggestionsRequestObject) (ListSuggestionsResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/dialogues/"+request.DialogueID.String()+"/suggestions", request.Params.Limit, request.Params.Cursor, newestFirst(request.Params.Newest))
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListSuggestionsResponseObject, error) {
		if _, err := visibleDialogue(ctx, q, a, request.DialogueID); err != nil {
			return nil, err
		}
		rows, err := listSuggestions(ctx, q, l, db.ListSuggestionsAfterParams{OrganizationID: a.OrganizationID, DialogueID: request.DialogueID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(g db.Suggestion) position { return position{id: g.ID} })
		names, err := namesOf(ctx, q, a, deciders(rows...)...)
		items := converted(rows, func(g db.Suggestion) Suggestion { return suggestionView(g, names) })
		return ListSuggestions200Response{Body: SuggestionPage{Items: items, NextCursor: next}, Headers: ListSuggestions200ResponseHeaders{Link: link}}, err
	})
}

func listSuggestions(ctx context.Context, q *db.Queries, l list, p db.ListSuggestionsAfterParams) ([]db.Suggestion, error) {
	if l.query.Has(newest) {
		return q.ListSuggestionsBefore(ctx, db.ListSuggestionsBeforeParams{OrganizationID: p.OrganizationID, DialogueID: p.DialogueID, BeforeID: l.back(), PageSize: p.PageSize})
	}
	return q.ListSuggestionsAfter(ctx, p)
}

// GetSuggestion shows one suggestion.
func (s *Server) GetSuggestion(ctx context.Context, request GetSuggestionRequestObject) (GetSuggestionResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetSuggestionResponseObject, error) {
		row, err := visibleSuggestion(ctx, q, a, request.SuggestionID)
		if err != nil {
			return nil, err
		}
		names, err := namesOf(ctx, q, a, deciders(row.Suggestion)...)
		return GetSuggestion200Response{Body: suggestionView(row.Suggestion, names)}, err
	})
}

// AcceptSuggestion edits the objective as the suggestion says, if it still stands at the revision that the suggestion was made for. The edit
// supersedes every other open suggestion.
func (s *Server) AcceptSuggestion(ctx context.Context, request AcceptSuggestionRequestObject) (AcceptSuggestionResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (AcceptSuggestionResponseObject, error) {
		row, err := visibleSuggestion(ctx, q, a, request.SuggestionID)
		if err != nil {
			return nil, err
		}
		if !a.mayEverEdit(row.Objective) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		present, err := wholeObjective(ctx, q, a, row.Objective.ID)
		if err != nil {
			return nil, err
		}
		if present.objective.Revision != row.Suggestion.ObjectiveRevision && row.Suggestion.State == "open" || row.Suggestion.State == "superseded" {
			return nil, superseded(a, present, row.Suggestion)
		}
		if row.Suggestion.State != "open" {
			return nil, wrongState("The suggestion is "+row.Suggestion.State+".", nil)
		}
		patch, err := patchOf(present, row.Suggestion)
		if err != nil {
			return nil, err
		}
		if request.Body.Take != nil {
			patch = patchTaking(present, *request.Body.Take)
		}
		edited, err := applySuggestion(ctx, q, a, row.Suggestion, patch, request.Body.Note, request.Body.Take != nil)
		if err != nil {
			return nil, err
		}
		return AcceptSuggestion200Response{Body: edited.view(a), Headers: AcceptSuggestion200ResponseHeaders{ETag: etag(edited.objective.Revision)}}, nil
	})
}

// applySuggestion edits first and decides second: the objective's row is what every writer of the objective waits for, so locks are taken in one order.
// chosen says that somebody chose from the suggestion or edited it, so that the audit does not lay their words in the coach's mouth.
func applySuggestion(ctx context.Context, q *db.Queries, a actor, g db.Suggestion, patch *ObjectivePatch, note *string, chosen bool) (objectiveRows, error) {
	from := precondition{revision: g.ObjectiveRevision}
	once := a
	once.exchange = withoutKey(a.exchange) // the key was claimed for the acceptance as a whole
	edited, err := editObjective(ctx, q, once, g.ObjectiveID, from, patch,
		objectiveEvent{action: "objective.suggestion_accepted", note: note, detail: map[string]any{"suggestion_id": g.ID, "source": g.Source, "chosen": chosen}, accepting: &g.ID})
	var p *problem
	if errors.As(err, &p) && p.kind == "stale-revision" {
		present, err := wholeObjective(ctx, q, a, g.ObjectiveID)
		if err != nil {
			return objectiveRows{}, err
		}
		return objectiveRows{}, superseded(a, present, g)
	}
	if err != nil {
		return objectiveRows{}, err
	}
	_, err = decide(ctx, q, a, g.ID, "accepted", note)
	return edited, err
}

func withoutKey(x *exchange) *exchange {
	y := *x
	y.idempotencyKey = ""
	return &y
}

// superseded is the answer to whoever accepts what was proposed for an earlier revision.
func superseded(a actor, present objectiveRows, g db.Suggestion) error {
	by := person(present.objective.ChangedBy, present.names)
	return &problem{status: http.StatusConflict, kind: "superseded", title: "The objective has moved on since this was suggested",
		detail:  fmt.Sprintf("The suggestion was made for revision %d; the objective is at revision %d.", g.ObjectiveRevision, present.objective.Revision),
		present: present.view(a), changedBy: &by, changedAt: &present.objective.ChangedAt}
}

// patchOf turns a suggestion into the edit that a person would have made: key results it does not name stay as they are.
func patchOf(present objectiveRows, g db.Suggestion) (*ObjectivePatch, error) {
	var content ai.Content
	if err := json.Unmarshal(g.Content, &content); err != nil {
		return nil, fmt.Errorf("suggestion %s: %w", g.ID, err)
	}
	patch := &ObjectivePatch{Title: content.Title}
	if content.Description != nil {
		patch.Description.Set(*content.Description)
	}
	if len(content.KeyResults) == 0 {
		return patch, nil
	}
	patch.KeyResults = present.with(converted(content.KeyResults, suggestedInput))
	return patch, nil
}

// patchTaking is the edit that takes over what somebody has chosen from a suggestion, as they would have it.
func patchTaking(present objectiveRows, take SuggestionTaken) *ObjectivePatch {
	patch := &ObjectivePatch{Title: take.Title}
	if take.Description != nil {
		setNullable(&patch.Description, orNone(*take.Description))
	}
	if take.KeyResults != nil {
		patch.KeyResults = present.with(*take.KeyResults)
	}
	return patch
}

// with is the whole list of key results in which those that are named have changed and those without an id are new. Nobody's work is given to others but by name. One that is
// not there any more stands behind the others, for the edit to refuse it.
func (o objectiveRows) with(changed []KeyResultInput) *[]KeyResultInput {
	named := map[uuid.UUID]KeyResultInput{}
	for _, k := range changed {
		if k.ID != nil {
			named[*k.ID] = k
		}
	}
	list := []KeyResultInput{}
	for _, k := range o.keyResults {
		if k.ArchivedAt != nil {
			continue
		}
		input := k.input()
		if wanted, ok := named[k.ID]; ok {
			delete(named, k.ID)
			if wanted.OwnerID == nil {
				wanted.OwnerID = input.OwnerID
			}
			input = wanted
		}
		list = append(list, input)
	}
	for _, k := range changed {
		if k.ID == nil {
			list = append(list, k)
		} else if _, gone := named[*k.ID]; gone {
			list = append(list, k)
		}
	}
	return &list
}

// input is the key result as a client that wants no change would send it.
func (k keyResultRows) input() KeyResultInput {
	steps := make([]StepInput, 0, len(k.steps))
	for _, step := range k.steps {
		steps = append(steps, StepInput{ID: &step.ID, Title: step.Title, Weight: &step.Weight})
	}
	input := KeyResultInput{ID: &k.ID, Title: k.Title, Description: k.Description, OwnerID: k.OwnerID, Kind: k.Kind, Unit: &k.Unit, Baseline: k.Baseline,
		Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: &k.Weight}
	if len(steps) > 0 {
		input.Steps = &steps
	}
	return input
}

func suggestedInput(k ai.ContentKeyResult) KeyResultInput {
	steps := make([]StepInput, 0, len(k.Steps))
	for _, step := range k.Steps {
		steps = append(steps, StepInput{ID: step.ID, Title: step.Title, Weight: &step.Weight})
	}
	input := KeyResultInput{ID: k.ID, Title: k.Title, Description: orNone(k.Description), Kind: k.Kind, Unit: &k.Unit, Baseline: k.Baseline, Target: k.Target,
		Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: &k.Weight}
	if len(steps) > 0 {
		input.Steps = &steps
	}
	return input
}

// RejectSuggestion rejects a suggestion that is open.
func (s *Server) RejectSuggestion(ctx context.Context, request RejectSuggestionRequestObject) (RejectSuggestionResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (RejectSuggestionResponseObject, error) {
		row, err := visibleSuggestion(ctx, q, a, request.SuggestionID)
		if err != nil {
			return nil, err
		}
		if !a.mayEverEdit(row.Objective) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		g, err := decide(ctx, q, a, row.Suggestion.ID, "rejected", request.Body.Note)
		if err != nil {
			return nil, err
		}
		return RejectSuggestion200Response{Body: suggestionView(g, map[uuid.UUID]string{a.UserID: a.Name})}, nil
	})
}

// decide marks a suggestion that is still open. Of two who decide at once one does, and the other is told.
func decide(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, state string, note *string) (db.Suggestion, error) {
	g, err := q.DecideSuggestionIfOpen(ctx, db.DecideSuggestionIfOpenParams{OrganizationID: a.OrganizationID, ID: id, State: state, ActorID: a.UserID, Note: note})
	if errors.Is(err, pgx.ErrNoRows) {
		return g, wrongState("The suggestion has been decided already, or the objective has moved on.", nil)
	}
	if err != nil {
		return g, err
	}
	return g, record(ctx, q, a, event{action: "suggestion." + state, targetKind: "suggestion", target: id, targetRevision: &g.ObjectiveRevision,
		detail: map[string]any{"objective_id": g.ObjectiveID, "source": g.Source}})
}
