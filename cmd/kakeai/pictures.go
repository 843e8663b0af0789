package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/fetch"
)

// identityProvider is the one that people may sign in through; nil where none is configured. Nothing is asked of it yet.
func identityProvider(c config.Config, key []byte) (*auth.OIDC, error) {
	if c.OIDCIssuer == "" {
		return nil, nil
	}
	return auth.NewOIDC(auth.OIDCOptions{Issuer: c.OIDCIssuer, ClientID: c.OIDCClientID, ClientSecret: c.OIDCClientSecret, Name: c.OIDCName,
		RedirectURL: api.CallbackURL(c.PublicURL), Key: key})
}

// pictures fetches those that the identity provider names.
type pictures struct{ client *fetch.Client }

// Picture returns what is at an address.
func (p pictures) Picture(ctx context.Context, url string, most int64) ([]byte, error) {
	response, err := p.client.Get(ctx, url, fetch.Limits{Bytes: most, Accept: "image/jpeg, image/png, image/gif, image/webp;q=0.5"})
	if err != nil {
		return nil, err
	}
	if response.Status != http.StatusOK {
		return nil, fmt.Errorf("answered with status %d", response.Status)
	}
	return response.Body, nil
}
