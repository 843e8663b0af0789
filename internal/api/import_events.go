package api

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/intake"
)

// FollowImport streams how far the work on a file has come until it ends, the client goes, or its time is over. As with jobs, each look is one short transaction, with the authorisation that holds then.
func (s *Server) FollowImport(ctx context.Context, request FollowImportRequestObject) (FollowImportResponseObject, error) {
	look := func() (Import, error) {
		return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (Import, error) {
			i, err := importOf(ctx, q, a, request.ImportID)
			if err != nil {
				return Import{}, err
			}
			return viewImport(ctx, q, a, i)
		})
	}
	first, err := look()
	if err != nil {
		return nil, err
	}
	return FollowImport200Response{Body: func(w http.ResponseWriter) error { return s.followImport(ctx, w, first, look) }}, nil
}

func (s *Server) followImport(ctx context.Context, w http.ResponseWriter, i Import, look func() (Import, error)) error {
	ctx, cancel := context.WithTimeout(ctx, followAtMost)
	defer cancel()
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(followAtMost + keepAliveEach)) // a server without deadlines needs none extended
	next := time.NewTicker(followEvery)
	defer next.Stop()
	var shown time.Time
	quiet := time.Now()
	for {
		if !i.ChangedAt.Equal(shown) {
			if err := writeEvent(w, "import", i); err != nil {
				return err
			}
			shown, quiet = i.ChangedAt, time.Now()
		}
		if time.Since(quiet) > keepAliveEach {
			if _, err := fmt.Fprint(w, ":\n\n"); err != nil {
				return err
			}
			quiet = time.Now()
		}
		underWay := i.State == ImportState(intake.Uploading) || i.State == ImportState(intake.Checking) || i.State == ImportState(intake.Running)
		if err := control.Flush(); err != nil || !underWay {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.ending:
			return nil
		case <-next.C:
		}
		seen, err := look()
		if err != nil {
			return nil // gone, signed out or overloaded: the stream ends, and asking again says which
		}
		i = seen
	}
}
