package api_test

import (
	"context"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
)

// silent makes an approved objective of somebody's in which nobody has ever checked in, and which has been outdated for some days.
func (b *bundle) silent(owner *person, more ...fields) api.Objective {
	b.t.Helper()
	o := owner.draft(more...)
	b.put(o.ID, "approved")
	b.exec("UPDATE objectives SET changed_at = now() - interval '20 days' WHERE id = $1", o.ID)
	b.compute(o.ID)
	return o
}

// compute takes objectives over into the figures, as a worker does after each change.
func (b *bundle) compute(objectives ...uuid.UUID) {
	b.t.Helper()
	require.NoError(b.t, b.store.Write(b.t.Context(), db.Scope{Organization: b.id}, func(ctx context.Context, q *db.Queries) error {
		_, err := figures.Compute(ctx, q, b.id, objectives...)
		return err
	}))
}
