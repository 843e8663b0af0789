package db_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// linkPreviews puts a preview where it is at home, and returns the query that finds it.
func linkPreviews(t *testing.T, database *pgtest.Database, home uuid.UUID) func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	hash := bytes.Repeat([]byte{1}, 32)
	_, err := database.Owner.Exec(t.Context(), `INSERT INTO link_previews (organization_id, url_hash, url, state, expires_at)
		VALUES ($1, $2, 'https://example.com/', 'fetched', clock_timestamp() + interval '7 days')`, home, hash)
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListLinkPreviews(ctx, db.ListLinkPreviewsParams{OrganizationID: home, UrlHashes: [][]byte{hash}})
		return len(rows), err
	}
}
