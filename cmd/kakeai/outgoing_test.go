package main

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/fetch"
)

func TestOnlyWhatTheOperatorOpensIsReachedInside(t *testing.T) {
	t.Parallel()
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer inside.Close()
	get := func(allow ...string) error {
		t.Helper()
		o, err := newOutgoing(config.Config{FetchAllow: allow}, nil, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		_, err = o.client.Get(t.Context(), inside.URL, fetch.Limits{})
		return err
	}
	if err := get(); !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("by default: %v", err)
	}
	if err := get("wiki.example", strings.TrimPrefix(inside.URL, "http://")); err != nil {
		t.Errorf("opened: %v", err)
	}
	if _, err := newOutgoing(config.Config{FetchAllow: []string{"10.0.0.0/99"}}, nil, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "KAKEAI_FETCH_ALLOW") {
		t.Errorf("a network that is none: %v", err)
	}
}
