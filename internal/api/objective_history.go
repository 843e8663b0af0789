package api

import (
	"context"
	"math"
	"net/url"

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
		var previous *db.ObjectiveHistory
		if len(rows) > 0 {
			previous = &rows[0]
		}
		names, err := namesOf(ctx, q, a, h.ChangedBy)
		if err != nil {
			return nil, err
		}
		entry, err := historyView(h, previous, names)
		return GetObjectiveRevision200Response{Body: entry}, err
	})
}
