package api

import (
	"context"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/notify"
)

// owedBy reads what the actor owes, and whether that is not all of it.
func owedBy(ctx context.Context, q *db.Queries, a actor) (owed []notify.Owed, more bool, err error) {
	rules := notify.Rules{Now: a.Now, Zone: a.zone(), Cadence: a.Cadence, GraceDays: int(a.GraceDays)}
	all, err := notify.OwedBy(ctx, q, a.OrganizationID, rules, a.UserID)
	owed = all[a.UserID]
	return owed[:min(len(owed), notify.MaxOwed)], len(owed) > notify.MaxOwed, err
}

func owedView(o notify.Owed) Owed {
	v := Owed{Kind: o.Kind, ID: o.ID, Title: o.Title, Path: o.Path, DueAt: o.DueAt}
	if o.In != "" {
		v.ObjectiveTitle = &o.In
	}
	if o.DueOn != nil {
		v.DueOn = &openapi_types.Date{Time: *o.DueOn}
	}
	return v
}

// GetOwed lists what the actor owes.
func (s *Server) GetOwed(ctx context.Context, _ GetOwedRequestObject) (GetOwedResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetOwedResponseObject, error) {
		owed, more, err := owedBy(ctx, q, a)
		return GetOwed200Response{Body: OwedList{Items: converted(owed, owedView), Count: len(owed), More: more}}, err
	})
}
