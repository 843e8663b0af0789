package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kakeai/kakeai/internal/fetch"
)

func TestPicturesAreFetchedWithinBounds(t *testing.T) {
	t.Parallel()
	picture := bytes.Repeat([]byte("x"), 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write(picture)
	}))
	t.Cleanup(server.Close)
	allow, err := fetch.ParseAllow([]string{strings.TrimPrefix(server.URL, "http://")})
	if err != nil {
		t.Fatal(err)
	}
	p := pictures{fetch.New(fetch.Options{Allow: allow})}
	if got, err := p.Picture(t.Context(), server.URL, 1000); err != nil || !bytes.Equal(got, picture) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := p.Picture(t.Context(), server.URL, 999); err == nil {
		t.Error("longer than it may be, and taken")
	}
	if _, err := p.Picture(t.Context(), server.URL+"/missing", 1000); err == nil {
		t.Error("a page that says that there is none was taken for the picture")
	}
	if _, err := (pictures{fetch.New(fetch.Options{})}).Picture(t.Context(), server.URL, 1000); !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("inside: %v", err)
	}
}
