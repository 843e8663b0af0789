package api

import (
	"context"
	"encoding/json"
	"math"
	"net/url"
	"slices"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// ListObjectiveHistory lists an objective's revisions, newest first.
func (s *Server) ListObjectiveHistory(ctx context.Context, request ListObjectiveHistoryRequestObject) (ListObjectiveHistoryResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/objectives/"+request.ObjectiveID.String()+"/history", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	before := int64(math.MaxInt64)
	if !l.begins {
		before = l.from.revision
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListObjectiveHistoryResponseObject, error) {
		if _, err := visibleObjective(ctx, q, a, request.ObjectiveID); err != nil {
			return nil, err
		}
		rows, err := q.ListObjectiveHistoryBefore(ctx, db.ListObjectiveHistoryBeforeParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID,
			BeforeRevision: before, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(h db.ObjectiveHistory) position { return position{revision: h.Revision} })
		names, err := namesOf(ctx, q, a, converted(rows, func(h db.ObjectiveHistory) uuid.UUID { return h.ChangedBy })...)
		if err != nil {
			return nil, err
		}
		if err := hideParents(ctx, q, a, rows); err != nil {
			return nil, err
		}
		items := make([]HistoryEntry, 0, len(rows))
		for _, h := range rows {
			items = append(items, HistoryEntry{Revision: h.Revision, Action: h.Action, Note: h.Note, Content: h.Content, ChangedAt: h.ChangedAt,
				ChangedBy: person(h.ChangedBy, names)})
		}
		return ListObjectiveHistory200Response{Body: HistoryPage{Items: items, NextCursor: next}, Headers: ListObjectiveHistory200ResponseHeaders{Link: link}}, nil
	})
}

// hideParents takes out of the contents of revisions the parents that the actor may not see now.
func hideParents(ctx context.Context, q *db.Queries, a actor, rows []db.ObjectiveHistory) error {
	parents := make([]uuid.UUID, len(rows)) // none is the nil UUID, which nobody sees
	for i, h := range rows {
		var content struct {
			Parent *uuid.UUID `json:"parent_objective_id"`
		}
		if err := json.Unmarshal(h.Content, &content); err != nil {
			return err
		}
		if content.Parent != nil {
			parents[i] = *content.Parent
		}
	}
	some := unique(slices.DeleteFunc(slices.Clone(parents), func(id uuid.UUID) bool { return id == uuid.Nil }))
	visible := map[uuid.UUID]bool{uuid.Nil: true}
	for chunk := range slices.Chunk(some, scanAtOnce) {
		found, err := q.ListVisibleObjectiveIDs(ctx, db.ListVisibleObjectiveIDsParams{OrganizationID: a.OrganizationID, IDs: chunk, ActorID: a.UserID, SeesAll: a.administers(),
			TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		if err != nil {
			return err
		}
		for _, id := range found {
			visible[id] = true
		}
	}
	for i, parent := range parents {
		if visible[parent] {
			continue
		}
		var content map[string]json.RawMessage
		if err := json.Unmarshal(rows[i].Content, &content); err != nil {
			return err
		}
		content["parent_objective_id"], content["parent_key_result_id"] = json.RawMessage("null"), json.RawMessage("null")
		encoded, err := json.Marshal(content)
		if err != nil {
			return err
		}
		rows[i].Content = encoded
	}
	return nil
}
