package api

import (
	"context"
	"net/url"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// ListAuditEvents lists what was done, newest first.
func (s *Server) ListAuditEvents(ctx context.Context, request ListAuditEventsRequestObject) (ListAuditEventsResponseObject, error) {
	filters := url.Values{}
	if target := request.Params.TargetID; target != nil {
		filters.Set("target_id", target.String())
	}
	l, err := s.newList(exchangeOf(ctx), "/audit-events", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	before := uuid.Max
	if !l.begins {
		before = l.from.id
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListAuditEventsResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		var rows []db.AuditEvent
		var err error
		if target := request.Params.TargetID; target != nil {
			rows, err = q.ListAuditEventsOfTargetBefore(ctx, db.ListAuditEventsOfTargetBeforeParams{OrganizationID: a.OrganizationID, TargetID: *target, BeforeID: before, PageSize: l.pageSize()})
		} else {
			rows, err = q.ListAuditEventsBefore(ctx, db.ListAuditEventsBeforeParams{OrganizationID: a.OrganizationID, BeforeID: before, PageSize: l.pageSize()})
		}
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(e db.AuditEvent) position { return position{id: e.ID} })
		items, err := auditViews(ctx, q, a, rows)
		return ListAuditEvents200Response{Body: AuditEventPage{Items: items, NextCursor: next}, Headers: ListAuditEvents200ResponseHeaders{Link: link}}, err
	})
}

func auditViews(ctx context.Context, q *db.Queries, a actor, rows []db.AuditEvent) ([]AuditEvent, error) {
	var ids []uuid.UUID
	for _, e := range rows {
		if e.ActorID != nil {
			ids = append(ids, *e.ActorID)
		}
	}
	names, err := namesOf(ctx, q, a, ids...)
	items := make([]AuditEvent, 0, len(rows))
	for _, e := range rows {
		view := AuditEvent{ID: e.ID, Action: e.Action, TargetKind: e.TargetKind, TargetID: e.TargetID, TargetRevision: e.TargetRevision,
			Detail: e.Detail, RequestID: e.RequestID, Address: e.Address, HappenedAt: e.HappenedAt}
		if e.ActorID != nil {
			by := person(*e.ActorID, names)
			view.Actor = &by
		}
		items = append(items, view)
	}
	return items, err
}
