package auth_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"

	"github.com/kakeai/kakeai/internal/auth"
)

// With a provider that others have written and had certified: what it takes for right is what we send.
func TestAnIndependentProviderAgrees(t *testing.T) {
	router := http.NewServeMux()
	server := httptest.NewServer(router)
	defer server.Close()
	const back = "http://localhost:9999/api/v1/session/oidc/callback"
	storage.RegisterClients(storage.WebClient("kakeai", "secret", back))
	users := storage.NewUserStore(server.URL)
	was := slog.Default()
	router.Handle("/", exampleop.SetupServer(server.URL, storage.NewStorage(users), slog.New(slog.DiscardHandler), false))
	slog.SetDefault(was) // which the example sets

	o, err := auth.NewOIDC(auth.OIDCOptions{Issuer: server.URL, ClientID: "kakeai", ClientSecret: "secret", RedirectURL: back, Key: []byte(strings.Repeat("k", 32))})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	location, sealed, err := o.Begin(t.Context(), "/inbox", uuid.Nil)
	if err != nil {
		t.Fatal(err)
	}
	query := signInAt(t, location, "test-user@127.0.0.1", "verysecure", back)
	who, err := o.Finish(t.Context(), auth.Callback{Sealed: sealed, State: query.Get("state"), Code: query.Get("code"), Issuer: query.Get("iss")})
	if err != nil || who.Subject != "id1" || who.Email != "test-user@zitadel.ch" || who.ReturnTo != "/inbox" {
		t.Errorf("%+v, %v", who, err)
	}
	if _, err := o.Finish(t.Context(), auth.Callback{Sealed: sealed, State: query.Get("state"), Code: query.Get("code")}); err == nil {
		t.Error("a code was good twice")
	}
}

// signInAt is a browser whose user fills in the provider's form. It returns the query that it is led back with.
func signInAt(t *testing.T, location, name, password, back string) url.Values {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	var query url.Values
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	browser := &http.Client{Jar: jar, Transport: transport, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.String(), back) {
			query = r.URL.Query()
			return http.ErrUseLastResponse
		}
		return nil
	}}
	form, err := browser.Get(location)
	if err != nil {
		t.Fatal(err)
	}
	page, _ := io.ReadAll(form.Body)
	form.Body.Close()
	answer, err := browser.PostForm(form.Request.URL.String(), url.Values{"username": {name}, "password": {password}, "id": {form.Request.URL.Query().Get("authRequestID")}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if query == nil {
		rest, _ := io.ReadAll(answer.Body)
		t.Fatalf("not led back: %s %s\n%s", form.Status, page, rest)
	}
	return query
}
