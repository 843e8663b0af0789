// Package oidctest is an identity provider on loopback, for tests. It signs for real, and does as badly as a test asks it to.
package oidctest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The client that every Provider knows.
const (
	ClientID     = "kakeai"
	ClientSecret = "a secret : with % signs"
)

// Claims are what is said of somebody.
type Claims = map[string]any

// Provider is an identity provider. Whoever comes to its authorization endpoint is signed in there already, as whom Authorize says.
type Provider struct {
	// URL is the issuer.
	URL string

	server *httptest.Server

	mu       sync.Mutex
	key      *ecdsa.PrivateKey
	keyID    string
	codes    map[string]grant // by code
	answers  map[string]http.HandlerFunc
	asked    map[string]int
	spoil    func(Claims)
	sign     func(Claims) (string, error)
	now      func() time.Time
	userInfo Claims
}

type grant struct {
	claims                                Claims
	redirectURI, challenge, client, nonce string
}

// New starts a Provider.
func New() *Provider {
	p := &Provider{codes: map[string]grant{}, answers: map[string]http.HandlerFunc{}, asked: map[string]int{}, now: time.Now}
	p.Rotate()
	mux := http.NewServeMux()
	for path, handler := range map[string]http.HandlerFunc{
		"/.well-known/openid-configuration": p.discovery, "/token": p.token, "/keys": p.keys, "/userinfo": p.userinfo,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			p.mu.Lock()
			p.asked[path]++
			instead := p.answers[path]
			p.mu.Unlock()
			if instead != nil {
				instead(w, r)
				return
			}
			handler(w, r)
		})
	}
	p.server = httptest.NewServer(mux)
	p.URL = p.server.URL
	return p
}

// Close ends the Provider, and whatever hangs in it.
func (p *Provider) Close() {
	p.server.CloseClientConnections()
	p.server.Close()
}

// Rotate gives the Provider a new key, and takes the old one out of its key set.
func (p *Provider) Rotate() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err) // no randomness
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.key, p.keyID = key, rand.Text()
}

// Answer has another handler answer at a path; nil puts the Provider's own back.
func (p *Provider) Answer(path string, handler http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers[path] = handler
}

// Asked is how often a path was asked for.
func (p *Provider) Asked(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

// Spoil changes the claims of id tokens before they are signed; nil changes nothing.
func (p *Provider) Spoil(change func(Claims)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spoil = change
}

// SignWith makes id tokens otherwise than with the Provider's key; nil puts that back.
func (p *Provider) SignWith(sign func(Claims) (string, error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sign = sign
}

// Clock sets the time by which tokens are made.
func (p *Provider) Clock(now func() time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = now
}

// UserInfo sets what is answered about the user; nil for nothing.
func (p *Provider) UserInfo(c Claims) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.userInfo = c
}

// Authorize is what a browser does that is sent to location: it returns the query that it is sent back with, for somebody with these claims.
func (p *Provider) Authorize(location string, c Claims) (url.Values, error) {
	u, err := url.Parse(location)
	if err != nil {
		return nil, err
	}
	q := u.Query()
	code := rand.Text()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.codes[code] = grant{claims: c, redirectURI: q.Get("redirect_uri"), challenge: q.Get("code_challenge"), client: q.Get("client_id"), nonce: q.Get("nonce")}
	return url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {p.URL}}, nil
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys", "userinfo_endpoint": p.URL + "/userinfo",
		"id_token_signing_alg_values_supported": []string{"ES256", "HS256", "none"},
	})
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	writeJSON(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: p.keyID, Algorithm: string(jose.ES256), Use: "sig"}}})
}

// token takes a code once, from the client that it was made for, with the verifier of its challenge.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	id, _ = url.QueryUnescape(id)
	secret, _ = url.QueryUnescape(secret)
	if id != ClientID || secret != ClientSecret {
		writeJSON(w, http.StatusUnauthorized, map[string]string{"error": "invalid_client"})
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	code := r.PostFormValue("code")
	g, ok := p.codes[code]
	delete(p.codes, code)
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || g.client != id || g.redirectURI != r.PostFormValue("redirect_uri") || g.challenge != base64.RawURLEncoding.EncodeToString(challenge[:]) {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "invalid_grant"})
		return
	}
	token, err := p.idToken(g)
	if err != nil {
		writeJSON(w, http.StatusInternalServerError, map[string]string{"error": "server_error"})
		return
	}
	answer := map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 300}
	if token != "" {
		answer["id_token"] = token
	}
	writeJSON(w, http.StatusOK, answer)
}

func (p *Provider) idToken(g grant) (string, error) {
	now := p.now()
	c := Claims{"iss": p.URL, "aud": g.client, "nonce": g.nonce, "iat": now.Unix(), "exp": now.Add(5 * time.Minute).Unix()}
	maps.Copy(c, g.claims)
	if p.spoil != nil {
		p.spoil(c)
	}
	if p.sign != nil {
		return p.sign(c)
	}
	return p.SignAs(c)
}

// SignAs makes a token of claims with the Provider's present key.
func (p *Provider) SignAs(c Claims) (string, error) {
	return Sign(c, jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: p.key, KeyID: p.keyID}})
}

// Sign makes a token of claims.
func Sign(c Claims, key jose.SigningKey) (string, error) {
	signer, err := jose.NewSigner(key, nil)
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}

// Unsigned makes a token that says of itself that nobody has signed it.
func Unsigned(c Claims) (string, error) {
	payload, err := json.Marshal(c)
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + encode(payload) + ".", err
}

func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") || p.userInfo == nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	writeJSON(w, http.StatusOK, p.userInfo)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that has gone needs no answer
}
