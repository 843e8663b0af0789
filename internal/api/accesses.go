package api

import (
	"context"
	"errors"
	"time"

	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
)

// accessEvery is how often the time of a session's last use is written, at most, by each process.
const accessEvery = 5 * time.Minute

// noteAccess has the time of the session's last use written after the answer, whatever that says: a request that was refused was one of this session too. Where
// the database did not even say who is asking, it is not asked for more.
func (s *Server) noteAccess(ctx context.Context, x *exchange, err error) {
	if errors.Is(err, errSignedOut) || errors.Is(err, db.ErrOverloaded) || errors.Is(err, db.ErrUnavailable) || errors.Is(err, db.ErrBusy) || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return
	}
	if s.accesses.take([32]byte(x.token.Hash())) > 0 {
		return
	}
	background.Defer(ctx, "last-access", func(ctx context.Context) error {
		err := s.store.Write(ctx, x.scope(db.Background), func(ctx context.Context, q *db.Queries) error {
			return q.RecordSessionAccess(ctx, db.RecordSessionAccessParams{OrganizationID: x.token.Organization, TokenHash: x.token.Hash(), Address: x.address})
		})
		if errors.Is(err, db.ErrFenced) || errors.Is(err, db.ErrReadOnly) || errors.Is(err, db.ErrMaintenance) {
			return nil // nobody writes at present, and this least of all
		}
		return err
	})
}
