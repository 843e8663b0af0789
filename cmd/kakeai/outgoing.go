package main

import (
	"fmt"
	"log/slog"

	"github.com/kakeai/kakeai/internal/budget"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/fetch"
)

// outgoing is this process's way to strangers' servers. It is made once, since it holds what bounds them all.
type outgoing struct {
	client   *fetch.Client
	previews *fetch.Refresher
}

func newOutgoing(c config.Config, store *db.Store, log *slog.Logger) (outgoing, error) {
	allow, err := fetch.ParseAllow(c.FetchAllow)
	if err != nil {
		return outgoing{}, fmt.Errorf("KAKEAI_FETCH_ALLOW: %w", err)
	}
	client := fetch.New(fetch.Options{Allow: allow})
	return outgoing{client: client, previews: fetch.NewRefresher(store, client, budget.New(c.FetchPerMinute, max(1, c.FetchPerMinute/4)), log)}, nil
}
