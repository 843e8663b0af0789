package mail

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// Addressed is a mail to one member.
type Addressed struct {
	User    uuid.UUID
	Content Content
}

// EnqueueMany is Enqueue for many at once, in one statement.
func EnqueueMany(ctx context.Context, q *db.Queries, organization uuid.UUID, once bool, all ...Addressed) error {
	if len(all) == 0 {
		return nil
	}
	p := db.CreateMailsForManyParams{OrganizationID: organization, Once: once}
	for _, a := range all {
		detail, err := json.Marshal(a.Content)
		if err != nil {
			return err
		}
		p.IDs = append(p.IDs, db.NewID())
		p.EventIDs = append(p.EventIDs, db.NewID())
		p.UserIDs = append(p.UserIDs, a.User)
		p.Templates = append(p.Templates, a.Content.template())
		p.Details = append(p.Details, string(detail))
	}
	return q.CreateMailsForMany(ctx, p)
}
