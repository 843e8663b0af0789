package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
)

// RestoreObjectiveVersion gives an objective the content of an older revision, as a new one. It is an edit, by the same way and under the same rules.
func (s *Server) RestoreObjectiveVersion(ctx context.Context, request RestoreObjectiveVersionRequestObject) (RestoreObjectiveVersionResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (RestoreObjectiveVersionResponseObject, error) {
		row, err := visibleObjective(ctx, q, a, request.ObjectiveID)
		if err != nil {
			return nil, err
		}
		if !a.mayEverEdit(row.Objective) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if row.Objective.Revision != from.revision {
			return nil, staleObjective(ctx, q, a, request.ObjectiveID, from)
		}
		wanted := request.Body.RestoreRevision
		if wanted == row.Objective.Revision {
			return nil, invalid(FieldProblem{Pointer: "/restore_revision", Code: "present-revision", Detail: "This is the revision that is there."})
		}
		h, err := q.GetObjectiveRevision(ctx, db.GetObjectiveRevisionParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID, Revision: wanted})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, invalid(notThere("/restore_revision", "revision of this objective"))
		}
		if err != nil {
			return nil, err
		}
		var content db.ObjectiveContent
		if err := json.Unmarshal(h.Content, &content); err != nil {
			return nil, fmt.Errorf("revision %d of objective %s: %w", wanted, request.ObjectiveID, err)
		}
		patch, steps := versionPatch(row.Objective, content)
		once := a
		once.exchange = withoutKey(a.exchange) // the key was claimed above
		o, err := editObjective(ctx, q, once, request.ObjectiveID, from, patch, objectiveEvent{action: "objective.version_restored", note: request.Body.Note,
			detail: map[string]any{"restored_revision": wanted}, formerSteps: steps})
		if err != nil {
			return nil, err
		}
		return RestoreObjectiveVersion200Response{Body: o.view(a), Headers: RestoreObjectiveVersion200ResponseHeaders{ETag: etag(o.objective.Revision)}}, nil
	})
}

// versionPatch is the edit that leads from an objective to an older content of its own, and the steps that the content has, which may have been taken
// out since. References that have not changed are left out, so that they are not looked for anew: what an objective has already it may keep.
func versionPatch(present db.Objective, content db.ObjectiveContent) (*ObjectivePatch, map[uuid.UUID]bool) {
	patch := &ObjectivePatch{Title: &content.Title, Kind: &content.Kind, Visibility: &content.Visibility}
	setNullable(&patch.Description, content.Description)
	if content.OwnerID != present.OwnerID {
		patch.OwnerID = &content.OwnerID
	}
	if !sameID(content.TeamID, present.TeamID) {
		setNullable(&patch.TeamID, content.TeamID)
	}
	if !sameID(content.ParentObjectiveID, present.ParentObjectiveID) || !sameID(content.ParentKeyResultID, present.ParentKeyResultID) {
		setNullable(&patch.ParentObjectiveID, content.ParentObjectiveID)
		setNullable(&patch.ParentKeyResultID, content.ParentKeyResultID)
	}
	steps := map[uuid.UUID]bool{}
	list := make([]KeyResultInput, 0, len(content.KeyResults))
	for _, k := range content.KeyResults {
		rows := keyResultRows{KeyResult: db.KeyResult{ID: k.ID, Title: k.Title, Description: k.Description, OwnerID: k.OwnerID, Kind: k.Kind, Unit: k.Unit,
			Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight}}
		for _, step := range k.Steps {
			steps[step.ID] = true
			rows.steps = append(rows.steps, db.MilestoneStep{ID: step.ID, Title: step.Title, Weight: step.Weight})
		}
		list = append(list, rows.input())
	}
	patch.KeyResults = &list
	return patch, steps
}
