package api

import (
	"context"
	"math"
	"net/url"

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
		items := make([]HistoryEntry, 0, len(rows))
		for _, h := range rows {
			items = append(items, HistoryEntry{Revision: h.Revision, Action: h.Action, Note: h.Note, Content: h.Content, ChangedAt: h.ChangedAt,
				ChangedBy: person(h.ChangedBy, names)})
		}
		return ListObjectiveHistory200Response{Body: HistoryPage{Items: items, NextCursor: next}, Headers: ListObjectiveHistory200ResponseHeaders{Link: link}}, nil
	})
}
