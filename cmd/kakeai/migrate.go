package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
)

// migrate brings the schema up to date. Several may start at once; each returns when it is done, whoever did it.
func migrate(ctx context.Context, c config.Config, log *slog.Logger) error {
	if c.DatabaseOwnerURL == "" {
		return errors.New("DATABASE_OWNER_URL is not set; it signs in as the owner of the tables")
	}
	return db.Migrate(ctx, c.DatabaseOwnerURL, log)
}
