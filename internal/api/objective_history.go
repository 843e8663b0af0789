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

// historyView shows a revision beside the one before it; nil where it is the first.
func historyView(h db.ObjectiveHistory, before *db.ObjectiveHistory, names map[uuid.UUID]string) (HistoryEntry, error) {
	v := HistoryEntry{Revision: h.Revision, Action: h.Action, Note: h.Note, Content: h.Content, Changes: []HistoryChange{}, ChangedAt: h.ChangedAt,
		ChangedBy: person(h.ChangedBy, names)}
	if before == nil {
		return v, nil
	}
	var err error
	v.Changes, err = changesBetween(before.Content, h.Content)
	return v, err
}

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
		all, err := q.ListObjectiveHistoryBefore(ctx, db.ListObjectiveHistoryBeforeParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID,
			BeforeRevision: before, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		if err := hideParents(ctx, q, a, all); err != nil {
			return nil, err
		}
		rows, next, link := page(l, all, func(h db.ObjectiveHistory) position { return position{revision: h.Revision} })
		names, err := namesOf(ctx, q, a, converted(rows, func(h db.ObjectiveHistory) uuid.UUID { return h.ChangedBy })...)
		if err != nil {
			return nil, err
		}
		items := make([]HistoryEntry, len(rows))
		for i, h := range rows {
			var previous *db.ObjectiveHistory
			if i+1 < len(all) { // the one row more that was read to know whether there is a next page
				previous = &all[i+1]
			}
			if items[i], err = historyView(h, previous, names); err != nil {
				return nil, err
			}
		}
		return ListObjectiveHistory200Response{Body: HistoryPage{Items: items, NextCursor: next}, Headers: ListObjectiveHistory200ResponseHeaders{Link: link}}, nil
	})
}

// GetObjectiveRevision shows one revision and what it changed.
func (s *Server) GetObjectiveRevision(ctx context.Context, request GetObjectiveRevisionRequestObject) (GetObjectiveRevisionResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetObjectiveRevisionResponseObject, error) {
		if _, err := visibleObjective(ctx, q, a, request.ObjectiveID); err != nil {
			return nil, err
		}
		h, err := q.GetObjectiveRevision(ctx, db.GetObjectiveRevisionParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID, Revision: request.Revision})
		if err != nil {
			return nil, err
		}
		rows, err := q.ListObjectiveHistoryBefore(ctx, db.ListObjectiveHistoryBeforeParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID,
			BeforeRevision: h.Revision, PageSize: 1})
		if err != nil {
			return nil, err
		}
		both := append([]db.ObjectiveHistory{h}, rows...)
		if err := hideParents(ctx, q, a, both); err != nil {
			return nil, err
		}
		var previous *db.ObjectiveHistory
		if len(rows) > 0 {
			previous = &both[1]
		}
		names, err := namesOf(ctx, q, a, h.ChangedBy)
		if err != nil {
			return nil, err
		}
		entry, err := historyView(both[0], previous, names)
		return GetObjectiveRevision200Response{Body: entry}, err
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
	visible, err := visibleAmong(ctx, q, a, parents)
	if err != nil {
		return err
	}
	for i, parent := range parents {
		if parent == uuid.Nil || visible[parent] {
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

// visibleAmong is which of some objectives the actor may see now. None is the nil UUID.
func visibleAmong(ctx context.Context, q *db.Queries, a actor, ids []uuid.UUID) (map[uuid.UUID]bool, error) {
	some := unique(slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool { return id == uuid.Nil }))
	visible := make(map[uuid.UUID]bool, len(some))
	for chunk := range slices.Chunk(some, scanAtOnce) {
		found, err := q.ListVisibleObjectiveIDs(ctx, db.ListVisibleObjectiveIDsParams{OrganizationID: a.OrganizationID, IDs: chunk, ActorID: a.UserID, SeesAll: a.administers(),
			TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			visible[id] = true
		}
	}
	return visible, nil
}
