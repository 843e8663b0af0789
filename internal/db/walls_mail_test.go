package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// mailOf makes a mail to a member, and returns what reads it and what the member wants to be sent.
func mailOf(t *testing.T, database *pgtest.Database, organization, user uuid.UUID) func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	id := db.NewID()
	if _, err := database.Owner.Exec(t.Context(), "INSERT INTO mails (organization_id, id, user_id, template) VALUES ($1, $2, $3, 'notice')", organization, id, user); err != nil {
		t.Fatal(err)
	}
	if _, err := database.Owner.Exec(t.Context(), "INSERT INTO mail_settings (organization_id, user_id, digest) VALUES ($1, $2, 'weekly')", organization, user); err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, q *db.Queries) (int, error) {
		found := 0
		_, err := q.GetMailToSend(ctx, db.GetMailToSendParams{OrganizationID: organization, ID: id})
		if err == nil {
			found++
		}
		settings, err := q.GetMailSettings(ctx, db.GetMailSettingsParams{OrganizationID: organization, UserID: user})
		if err == nil && settings.Digest == "weekly" {
			found++
		}
		return found, err
	}
}
