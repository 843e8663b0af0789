package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// ListObjectivesToScore lists the approved objectives of a cycle with the scores that closing them suggests.
func (s *Server) ListObjectivesToScore(ctx context.Context, request ListObjectivesToScoreRequestObject) (ListObjectivesToScoreResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/cycles/"+request.CycleID.String()+"/to-score", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListObjectivesToScoreResponseObject, error) {
		if _, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: a.OrganizationID, ID: request.CycleID}); err != nil {
			return nil, err
		}
		rows, err := q.ListVisibleObjectivesToScoreAfter(ctx, db.ListVisibleObjectivesToScoreAfterParams{OrganizationID: a.OrganizationID, CycleID: request.CycleID,
			AfterID: l.from.id, ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		shown, next, link := page(l, rows, func(r db.ListVisibleObjectivesToScoreAfterRow) position { return position{id: r.Objective.ID} })
		all, err := withKeyResults(ctx, q, a, converted(shown, func(r db.ListVisibleObjectivesToScoreAfterRow) db.GetVisibleObjectiveRow {
			return db.GetVisibleObjectiveRow(r)
		}))
		items := converted(all, func(o objectiveRows) ObjectiveToScore { return o.toScore(a) })
		return ListObjectivesToScore200Response{Body: ScorePage{Items: items, NextCursor: next}, Headers: ListObjectivesToScore200ResponseHeaders{Link: link}}, err
	})
}

func (o objectiveRows) toScore(a actor) ObjectiveToScore {
	progress := o.standing(a).total.Progress
	closing := okr.Closing{Commitment: o.objective.Kind, Progress: progress, Score: okr.SuggestedScore(progress)}
	return ObjectiveToScore{Objective: o.summary(a), SuggestedScore: closing.Score, ExpectedScore: o.objective.Kind.ExpectedScore(),
		NoteNeeded: len(closing.Validate()) > 0, MayClose: okr.ActionClose.OpenTo(a.capacities(o.objective)...)}
}

// ScoreObjectives closes many objectives of a cycle, each as if by itself: what is wrong with one is said of it, and the others are closed. All of them are
// closed in one transaction, so that sending the same again after an error neither repeats nor leaves out any.
func (s *Server) ScoreObjectives(ctx context.Context, request ScoreObjectivesRequestObject) (ScoreObjectivesResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ScoreObjectivesResponseObject, error) {
		if _, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: a.OrganizationID, ID: request.CycleID}); err != nil {
			return nil, err
		}
		if !a.writes() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		present, err := objectivesToScore(ctx, q, a, request)
		if err != nil {
			return nil, err
		}
		results := make([]ScoreResult, len(request.Body.Items))
		for _, i := range inOrderOfObjectives(request.Body.Items) {
			if results[i], err = score(ctx, q, a, present, request.Body.Items[i], i); err != nil {
				return nil, err
			}
		}
		return ScoreObjectives200Response{Body: ScoreResults{Items: results}}, nil
	})
}

// inOrderOfObjectives are the indexes of the items in one order for everybody, so that two who score the same objectives wait for one another instead of for each other.
func inOrderOfObjectives(items []ScorePut) []int {
	order := make([]int, len(items))
	for i := range items {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return slices.Compare(items[i].ObjectiveID[:], items[j].ObjectiveID[:]) })
	return order
}

// objectivesToScore reads those that are named, that the actor sees, and that belong to the cycle.
func objectivesToScore(ctx context.Context, q *db.Queries, a actor, request ScoreObjectivesRequestObject) (map[uuid.UUID]objectiveRows, error) {
	var ids []uuid.UUID
	for i, item := range request.Body.Items {
		if slices.Contains(ids, item.ObjectiveID) {
			return nil, invalid(FieldProblem{Pointer: fmt.Sprintf("/items/%d/objective_id", i), Code: "twice", Detail: "Each objective is listed once."})
		}
		ids = append(ids, item.ObjectiveID)
	}
	all, err := visibleObjectives(ctx, q, a, ids)
	for id, o := range all {
		if o.objective.CycleID != request.CycleID {
			delete(all, id)
		}
	}
	return all, err
}

// visibleObjectives reads as many as 200 objectives, as far as the actor may see them.
func visibleObjectives(ctx context.Context, q *db.Queries, a actor, ids []uuid.UUID) (map[uuid.UUID]objectiveRows, error) {
	rows, err := q.ListVisibleObjectives(ctx, db.ListVisibleObjectivesParams{OrganizationID: a.OrganizationID, IDs: ids, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
	if err != nil {
		return nil, err
	}
	whole, err := withKeyResults(ctx, q, a, converted(rows, func(r db.ListVisibleObjectivesRow) db.GetVisibleObjectiveRow { return db.GetVisibleObjectiveRow(r) }))
	all := make(map[uuid.UUID]objectiveRows, len(whole))
	for _, o := range whole {
		all[o.objective.ID] = o
	}
	return all, err
}

// score closes one objective, or says why not. The error is one that ends them all.
func score(ctx context.Context, q *db.Queries, a actor, present map[uuid.UUID]objectiveRows, item ScorePut, at int) (ScoreResult, error) {
	result := ScoreResult{ObjectiveID: item.ObjectiveID}
	o, ok := present[item.ObjectiveID]
	if !ok {
		result.Outcome, result.Detail = "not-found", &errNotFound.title
		return result, nil
	}
	if !okr.ActionClose.OpenTo(a.capacities(o.objective)...) {
		result.Outcome, result.Detail = "not-allowed", &errNotAllowed.title
		return result, nil
	}
	closed, err := takeMove(ctx, q, a, o, MoveObjectiveRequestObject{ObjectiveID: item.ObjectiveID, Action: okr.ActionClose,
		Body: &ObjectiveMove{Score: item.Score, Note: item.Note}}, precondition{revision: item.Revision})
	var p *problem
	switch {
	case err == nil:
		result.Outcome, result.Revision, result.Score = "closed", &closed.objective.Revision, closed.objective.Score
	case errors.As(err, &p) && ScoreResultOutcome(p.kind).Valid():
		result.Outcome, result.Detail = ScoreResultOutcome(p.kind), orNone(p.detail)
		if now, ok := p.present.(Objective); ok && p.kind == "stale-revision" {
			result.Revision = &now.Revision
		}
		for _, f := range p.fields {
			f.Pointer = fmt.Sprintf("/items/%d%s", at, f.Pointer)
			result.Errors = appended(result.Errors, f)
		}
	default:
		return result, err
	}
	return result, nil
}

// appended is a list that there may be none of, with one more.
func appended[T any](list *[]T, item T) *[]T {
	if list == nil {
		return &[]T{item}
	}
	longer := append(*list, item)
	return &longer
}
