package api

import (
	"context"
	"encoding/binary"
	"net/url"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

const (
	auditScan  = 1000 // how many events one page looks at, however few of them it shows
	auditSlack = 10 * time.Minute
)

// ListAuditEvents lists what was done, newest first. The narrowest filter chooses the index; what else is asked for is compared here, with a bounded number of events.
func (s *Server) ListAuditEvents(ctx context.Context, request ListAuditEventsRequestObject) (ListAuditEventsResponseObject, error) {
	p := request.Params
	l, err := s.newList(exchangeOf(ctx), "/audit-events", p.Limit, p.Cursor, auditFilters(p))
	if err != nil {
		return nil, err
	}
	sought, err := auditAsAsked(p)
	if err != nil {
		return nil, err
	}
	before := sought.beforeID
	if !l.begins {
		before = l.from.id
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListAuditEventsResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		rows, next, link, err := sought.page(ctx, q, a, l, before)
		if err != nil {
			return nil, err
		}
		items, err := auditViews(ctx, q, a, rows)
		return ListAuditEvents200Response{Body: AuditEventPage{Items: items, NextCursor: next}, Headers: ListAuditEvents200ResponseHeaders{Link: link}}, err
	})
}

func auditFilters(p ListAuditEventsParams) url.Values {
	filters := url.Values{}
	for name, id := range map[string]*uuid.UUID{"target_id": p.TargetID, "actor_id": p.ActorID} {
		if id != nil {
			filters.Set(name, id.String())
		}
	}
	for name, text := range map[string]*string{"action": p.Action, "target_kind": p.TargetKind, "from": p.From, "before": p.Before} {
		if text != nil {
			filters.Set(name, *text)
		}
	}
	return filters
}

// auditSearch is what somebody looks for in the audit. Ids are made by the clock of whichever process recorded an event, and times by the database's, so a range of time is one of ids with
// some slack at both ends, and then one of times.
type auditSearch struct {
	params           ListAuditEventsParams
	from, until      time.Time // zero where they are open
	fromID, beforeID uuid.UUID
}

func auditAsAsked(p ListAuditEventsParams) (auditSearch, error) {
	sought := auditSearch{params: p, beforeID: uuid.Max}
	var refused []FieldProblem
	for _, end := range []struct {
		name string
		text *string
		at   *time.Time
	}{{"from", p.From, &sought.from}, {"before", p.Before, &sought.until}} {
		if end.text == nil {
			continue
		}
		at, err := time.Parse(time.RFC3339, *end.text)
		if err != nil || at.Year() < 1970 || at.Year() > 9000 {
			refused = append(refused, FieldProblem{Pointer: "/query/" + end.name, Code: "time", Detail: "Send a time of RFC 3339, such as 2026-12-01T09:00:00+09:00."})
			continue
		}
		*end.at = at
	}
	for name, text := range map[string]*string{"action": p.Action, "target_kind": p.TargetKind} {
		if text != nil {
			if err := storable("/query/"+name, *text); err != nil {
				return sought, err
			}
		}
	}
	if len(refused) > 0 {
		return sought, badRequest(refused...)
	}
	if !sought.from.IsZero() {
		sought.fromID = firstIDAt(sought.from.Add(-auditSlack))
	}
	if !sought.until.IsZero() {
		sought.beforeID = firstIDAt(sought.until.Add(auditSlack))
	}
	return sought, nil
}

// firstIDAt is below every UUIDv7 of this millisecond and later.
func firstIDAt(at time.Time) uuid.UUID {
	var id uuid.UUID
	var millis [8]byte
	binary.BigEndian.PutUint64(millis[:], uint64(max(at.UnixMilli(), 0)))
	copy(id[:6], millis[2:])
	return id
}

// some are the next events by the narrowest index, as many as n.
func (s auditSearch) some(ctx context.Context, q *db.Queries, a actor, before uuid.UUID, n int32) ([]db.AuditEvent, error) {
	p := s.params
	base := db.ListAuditEventsBeforeParams{OrganizationID: a.OrganizationID, BeforeID: before, FromID: s.fromID, PageSize: n}
	switch {
	case p.TargetID != nil:
		return q.ListAuditEventsOfTargetBefore(ctx, db.ListAuditEventsOfTargetBeforeParams{OrganizationID: base.OrganizationID, TargetID: *p.TargetID, BeforeID: before, FromID: s.fromID, PageSize: n})
	case p.ActorID != nil:
		return q.ListAuditEventsOfActorBefore(ctx, db.ListAuditEventsOfActorBeforeParams{OrganizationID: base.OrganizationID, ActorID: *p.ActorID, BeforeID: before, FromID: s.fromID, PageSize: n})
	case p.Action != nil:
		return q.ListAuditEventsOfActionBefore(ctx, db.ListAuditEventsOfActionBeforeParams{OrganizationID: base.OrganizationID, Action: *p.Action, BeforeID: before, FromID: s.fromID, PageSize: n})
	case p.TargetKind != nil:
		return q.ListAuditEventsOfKindBefore(ctx, db.ListAuditEventsOfKindBeforeParams{OrganizationID: base.OrganizationID, TargetKind: *p.TargetKind, BeforeID: before, FromID: s.fromID, PageSize: n})
	}
	return q.ListAuditEventsBefore(ctx, base)
}

func (s auditSearch) fits(e db.AuditEvent) bool {
	p := s.params
	return (p.ActorID == nil || e.ActorID != nil && *e.ActorID == *p.ActorID) && (p.Action == nil || e.Action == *p.Action) && (p.TargetKind == nil || e.TargetKind == *p.TargetKind) &&
		(s.from.IsZero() || !e.HappenedAt.Before(s.from)) && (s.until.IsZero() || e.HappenedAt.Before(s.until))
}

// page looks at events until there are enough, there are no more, or as many were looked at as one page may.
func (s auditSearch) page(ctx context.Context, q *db.Queries, a actor, l list, before uuid.UUID) (found []db.AuditEvent, next *NextCursor, link *string, err error) {
	for looked := 0; looked < auditScan; {
		rows, err := s.some(ctx, q, a, before, l.pageSize())
		if err != nil {
			return nil, nil, nil, err
		}
		for _, e := range rows {
			if s.fits(e) {
				if len(found) == l.size {
					cursor, header := l.behind(position{id: before})
					return found, &cursor, &header, nil
				}
				found = append(found, e)
			}
			before = e.ID
		}
		if len(rows) < int(l.pageSize()) {
			return found, nil, nil, nil
		}
		looked += len(rows)
	}
	cursor, header := l.behind(position{id: before})
	return found, &cursor, &header, nil
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
