package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
)

// NewFold returns the outbox.Fold that has events sent to the webhooks that want them. public is the address at which people reach the installation, for links.
func NewFold(public string) outbox.Fold {
	return func(ctx context.Context, q *db.Queries, e outbox.Event) error {
		if !Knows(e.Kind) {
			return nil
		}
		wanted, err := q.ListWebhooksForKind(ctx, db.ListWebhooksForKindParams{OrganizationID: e.Organization, Kind: e.Kind})
		if err != nil || len(wanted) == 0 {
			return err
		}
		about, err := q.GetAuditEvent(ctx, db.GetAuditEventParams{OrganizationID: e.Organization, ID: e.ID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		target := Target{Kind: about.TargetKind, ID: about.TargetID}
		return deliver(ctx, q, Payload{ID: e.ID, Kind: e.Kind, Organization: e.Organization, Target: &target, Revision: about.TargetRevision,
			OccurredAt: about.HappenedAt, Actor: about.ActorID, Links: links(public, target)}, wanted...)
	}
}

// deliver has a payload sent to webhooks, but to none that has been sent the same event.
func deliver(ctx context.Context, q *db.Queries, p Payload, to ...uuid.UUID) error {
	encoded, err := p.encode()
	if err != nil {
		return err
	}
	all := db.CreateWebhookDeliveriesParams{OrganizationID: p.Organization, WebhookIDs: to, AboutID: p.ID, Kind: p.Kind, Payload: encoded}
	for range to {
		all.IDs, all.EventIDs = append(all.IDs, db.NewID()), append(all.EventIDs, db.NewID())
	}
	return q.CreateWebhookDeliveries(ctx, all)
}

// Test has a webhook sent something that only shows that it arrives, in the transaction of whoever asks, and returns the delivery.
func Test(ctx context.Context, q *db.Queries, organization, to, actor uuid.UUID, at time.Time) (uuid.UUID, error) {
	p := Payload{ID: db.NewID(), Kind: TestKind, Organization: organization, OccurredAt: at, Actor: &actor}
	encoded, err := p.encode()
	if err != nil {
		return uuid.Nil, err
	}
	id := db.NewID()
	return id, q.CreateWebhookDeliveries(ctx, db.CreateWebhookDeliveriesParams{OrganizationID: organization, WebhookIDs: []uuid.UUID{to}, IDs: []uuid.UUID{id},
		EventIDs: []uuid.UUID{db.NewID()}, AboutID: p.ID, Kind: TestKind, Payload: encoded})
}
