package api

import (
	"context"
	"net/url"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// linksOfOne is how many objectives one supports at most.
const linksOfOne = 50

// ListSupported lists what an objective supports, or what supports it.
func (s *Server) ListSupported(ctx context.Context, request ListSupportedRequestObject) (ListSupportedResponseObject, error) {
	filters := url.Values{}
	supporters := request.Params.Direction != nil && *request.Params.Direction == Supporters
	if supporters {
		filters.Set("direction", string(Supporters))
	}
	l, err := s.newList(exchangeOf(ctx), "/objectives/"+request.ObjectiveID.String()+"/supports", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListSupportedResponseObject, error) {
		if _, err := visibleObjective(ctx, q, a, request.ObjectiveID); err != nil {
			return nil, err
		}
		look := lookAt{scan: supportedScan(q, asked(a), request.ObjectiveID)}
		if supporters {
			look.scan = supportersScan(q, asked(a), request.ObjectiveID)
		}
		items, next, link, err := levelPage(ctx, q, a, l, look)
		return ListSupported200Response{Body: AlignmentPage{Items: items, NextCursor: next}, Headers: ListSupported200ResponseHeaders{Link: link}}, err
	})
}

func supportersScan(q *db.Queries, base db.ScanObjectivesAfterParams, supported uuid.UUID) scan {
	return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanSupportersAfterParams {
		return db.ScanSupportersAfterParams{Archived: b.Archived, State: b.State, CycleID: b.CycleID, TeamID: b.TeamID, OwnerID: b.OwnerID, ActorID: b.ActorID, SeesAll: b.SeesAll,
			TeamIDs: b.TeamIDs, LeadTeamIDs: b.LeadTeamIDs, OrganizationID: b.OrganizationID, ObjectiveID: supported, FromID: b.FromID, Scan: b.Scan}
	}, q.ScanSupportersAfter, func(r db.ScanSupportersAfterRow) scanned { return scanned(r) })
}

func supportedScan(q *db.Queries, base db.ScanObjectivesAfterParams, supporter uuid.UUID) scan {
	return scanOf(base, func(b db.ScanObjectivesAfterParams) db.ScanSupportedAfterParams {
		return db.ScanSupportedAfterParams{Archived: b.Archived, State: b.State, CycleID: b.CycleID, TeamID: b.TeamID, OwnerID: b.OwnerID, ActorID: b.ActorID, SeesAll: b.SeesAll,
			TeamIDs: b.TeamIDs, LeadTeamIDs: b.LeadTeamIDs, OrganizationID: b.OrganizationID, ObjectiveID: supporter, FromID: b.FromID, Scan: b.Scan}
	}, q.ScanSupportedAfter, func(r db.ScanSupportedAfterRow) scanned { return scanned(r) })
}

// SupportObjective has an objective support another. The objective that supports is held, so that its links are counted and changed by one at a time; the other one is not, and nobody waits for it.
func (s *Server) SupportObjective(ctx context.Context, request SupportObjectiveRequestObject) (SupportObjectiveResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (SupportObjectiveResponseObject, error) {
		if err := holdSupporter(ctx, q, a, request.ObjectiveID); err != nil {
			return nil, err
		}
		if _, err := visibleObjective(ctx, q, a, request.SupportedID); err != nil {
			return nil, err
		}
		if request.SupportedID == request.ObjectiveID {
			return nil, invalid(FieldProblem{Pointer: "/path/supported_id", Code: "itself", Detail: "An objective does not support itself."})
		}
		created, err := q.CreateLink(ctx, db.CreateLinkParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID, SupportedID: request.SupportedID, ActorID: a.UserID})
		if err != nil {
			return nil, err
		}
		if created == 0 {
			return SupportObjective204Response{}, q.SettleLink(ctx, db.SettleLinkParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID, SupportedID: request.SupportedID})
		}
		links, err := q.CountLinks(ctx, db.CountLinksParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID})
		if err != nil {
			return nil, err
		}
		if links > linksOfOne {
			return nil, invalid(FieldProblem{Pointer: "/path/supported_id", Code: "too-many", Detail: "An objective supports at most 50 others."})
		}
		return SupportObjective204Response{}, record(ctx, q, a, event{action: "objective.linked", targetKind: "objective", target: request.ObjectiveID,
			detail: map[string]any{"supported_id": request.SupportedID}})
	})
}

// StopSupporting ends that an objective supports another.
func (s *Server) StopSupporting(ctx context.Context, request StopSupportingRequestObject) (StopSupportingResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (StopSupportingResponseObject, error) {
		if err := holdSupporter(ctx, q, a, request.ObjectiveID); err != nil {
			return nil, err
		}
		deleted, err := q.DeleteLink(ctx, db.DeleteLinkParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID, SupportedID: request.SupportedID})
		if err != nil || deleted == 0 {
			return StopSupporting204Response{}, err
		}
		return StopSupporting204Response{}, record(ctx, q, a, event{action: "objective.unlinked", targetKind: "objective", target: request.ObjectiveID,
			detail: map[string]any{"supported_id": request.SupportedID}})
	})
}

// holdSupporter holds an objective whose links the actor may change.
func holdSupporter(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) error {
	o, err := q.LockVisibleObjective(ctx, db.LockVisibleObjectiveParams{OrganizationID: a.OrganizationID, ID: id, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
	if err != nil {
		return err
	}
	if !a.mayEverEdit(o) {
		return errNotAllowed
	}
	if err := a.claim(ctx, q); err != nil {
		return err
	}
	if o.ArchivedAt != nil || o.State == okr.ObjectiveClosed {
		return wrongState("What a closed or archived objective supports stays as it is.", nil)
	}
	return nil
}
