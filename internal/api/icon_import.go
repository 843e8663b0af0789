package api

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/icon"
)

// Pictures fetches what is at an address that somebody else has named. It must not be possible to lead it inside.
type Pictures interface {
	// Picture returns what is at an address, at most so many bytes of it.
	Picture(ctx context.Context, url string, most int64) ([]byte, error)
}

// importIcon brings the picture that the identity provider has of somebody, once they are signed in: nobody waits for it, and if it fails, nothing is harmed and the log says so.
func (s *Server) importIcon(ctx context.Context, organization, user uuid.UUID, claimed string) {
	url := pictureURL(claimed)
	if url == nil || s.options.Pictures == nil {
		return
	}
	x := exchangeOf(ctx)
	background.Defer(ctx, "icon-import", func(ctx context.Context) error {
		return s.bringIcon(ctx, actor{someone(organization, user), x}, *url)
	})
}

// bringIcon fetches without a connection, and looks before and again with the change whether there is an icon that somebody chose by hand.
func (s *Server) bringIcon(ctx context.Context, a actor, url string) error {
	scope := db.Scope{Organization: a.OrganizationID, Class: db.Background}
	chosen := false
	err := s.store.Read(ctx, scope, func(ctx context.Context, q *db.Queries) error {
		present, err := q.GetMemberIconHash(ctx, db.GetMemberIconHashParams{OrganizationID: a.OrganizationID, UserID: a.UserID})
		chosen = err == nil && present.SourceURL == nil
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil || chosen {
		return err
	}
	file, err := s.options.Pictures.Picture(ctx, url, icon.MaxBytes)
	if err != nil {
		return fmt.Errorf("fetch it: %w", err)
	}
	made, err := s.pictures.maker.Make(ctx, "", file)
	if err != nil {
		return err
	}
	return s.store.Write(ctx, scope, func(ctx context.Context, q *db.Queries) error {
		_, err := q.ImportMemberIcon(ctx, db.ImportMemberIconParams{OrganizationID: a.OrganizationID, UserID: a.UserID, ContentHash: made.Hash[:],
			ContentType: made.ContentType, Content: made.Content, SourceURL: url})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // it is there already, or somebody has chosen another, or is suspended
		}
		if err != nil {
			return err
		}
		return record(ctx, q, a, event{action: "member.icon_imported", targetKind: "member", target: a.UserID, detail: iconDetail(made)})
	})
}
