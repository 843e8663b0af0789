package api

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
)

// event is what a change leaves behind besides the change.
type event struct {
	action         string // such as "team.created"; the part before the dot is the kind of thing
	targetKind     string
	target         uuid.UUID
	targetRevision *int64
	detail         any // for the audit; nil for nothing
}

// record writes audit and outbox, in the transaction of the change.
func record(ctx context.Context, q *db.Queries, a actor, e event) error {
	detail, err := a.detailOf(e.detail)
	if err != nil {
		return err
	}
	wakeDeliveries(ctx, a)
	return q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: a.OrganizationID, EventID: db.NewID(), Action: e.action, TargetKind: e.targetKind,
		TargetID: e.target, TargetRevision: e.targetRevision, ActorID: &a.UserID, Detail: detail,
		RequestID: &a.exchange.requestID, Address: &a.exchange.address})
}

// wakeDeliveries has workers told of a recorded event once it is committed.
func wakeDeliveries(ctx context.Context, a actor) {
	deliveries := a.exchange.deliveries
	background.Defer(ctx, "wake-outbox", func(context.Context) error {
		deliveries.Wake()
		return nil
	})
}

// detailOf is what the audit keeps beside who it was: what the caller says, an object, and with which token it was asked for.
func (a actor) detailOf(detail any) (json.RawMessage, error) {
	if detail == nil {
		detail = struct{}{}
	}
	text, err := json.Marshal(detail)
	if err != nil || a.TokenScope == nil {
		return text, err
	}
	with := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &with); err != nil {
		return nil, err
	}
	with["token_id"] = json.RawMessage(`"` + a.SessionID.String() + `"`)
	return json.Marshal(with)
}
