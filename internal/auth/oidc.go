package auth

import (
	"bytes"
	"cmp"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/google/uuid"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"
)

// AttemptLifetime is how long somebody may take at the provider.
const AttemptLifetime = 10 * time.Minute

const (
	oidcRequestTime = 5 * time.Second // for one request to the provider, its answer included
	oidcFinishTime  = 12 * time.Second
	oidcAnswer      = 1 << 20   // bytes of one
	oidcFresh       = time.Hour // after which the provider's description is read again
)

// Why somebody was not signed in. Each is wrapped with the reason, which is for the log.
var (
	ErrProviderUnavailable = errors.New("auth: the identity provider cannot be reached")
	ErrSignInRefused       = errors.New("auth: not vouched for by the identity provider")
)

// OIDCOptions say which provider it is, and what it knows this program as.
type OIDCOptions struct {
	Issuer       string
	ClientID     string
	ClientSecret string // empty for a public client, which PKCE suffices for
	Name         string // what people call it
	RedirectURL  string // the callback, as the provider knows it

	Key []byte // what attempts are sealed with comes from this; the same in every replica

	RequestTime time.Duration    // for one request to the provider; 5 s
	Now         func() time.Time // time.Now
}

// OIDC signs people in through an identity provider (OpenID Connect Core 1.0, the authorization code flow, with PKCE). It asks the provider for nothing before somebody wants
// to sign in, so the program starts without it.
type OIDC struct {
	options OIDCOptions
	client  *http.Client
	seal    cipher.AEAD

	discovering singleflight.Group
	mu          sync.Mutex
	known       *provider
}

// provider is what the provider says of itself.
type provider struct {
	*oidc.Provider
	keys       oidc.KeySet
	algorithms []string
	style      oauth2.AuthStyle
	readAt     time.Time
}

// NewOIDC returns an OIDC. It asks nobody.
func NewOIDC(o OIDCOptions) (*OIDC, error) {
	if o.Issuer == "" || o.ClientID == "" || o.RedirectURL == "" {
		return nil, errors.New("auth: an identity provider needs an issuer, a client id and an address to lead back to")
	}
	key, err := hkdf.Key(sha256.New, o.Key, nil, "kakeai: attempts to sign in through an identity provider", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	if o.RequestTime == 0 {
		o.RequestTime = oidcRequestTime
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is one
	transport.ResponseHeaderTimeout = o.RequestTime
	return &OIDC{options: o, seal: seal, client: &http.Client{
		Transport: bounded{transport},
		Timeout:   o.RequestTime,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("the provider redirects its own addresses")
		}, // and the client's secret with them
	}}, nil
}

// Name is what people call the provider.
func (o *OIDC) Name() string {
	if o.options.Name != "" {
		return o.options.Name
	}
	if u, err := url.Parse(o.options.Issuer); err == nil {
		return u.Hostname()
	}
	return o.options.Issuer
}

// Close ends idle connections.
func (o *OIDC) Close() { o.client.CloseIdleConnections() }

// bounded reads answers whole, up to a bound, and makes errors of those that say that the provider is not well, so that all trouble of that kind is one of the client's own errors.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusInternalServerError || response.StatusCode == http.StatusTooManyRequests {
		return nil, fmt.Errorf("the provider answers %s", response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, oidcAnswer+1))
	if err != nil {
		return nil, err
	}
	if len(body) > oidcAnswer {
		return nil, fmt.Errorf("the provider's answer is longer than %d bytes", oidcAnswer)
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// discover returns what the provider says of itself, which is read when it is first needed, again when that failed, and from time to time. Many who need it at once
// wait for one request, which none of them cancels.
func (o *OIDC) discover(ctx context.Context) (*provider, error) {
	o.mu.Lock()
	known := o.known
	o.mu.Unlock()
	if known != nil && o.options.Now().Sub(known.readAt) < oidcFresh {
		return known, nil
	}
	reading := o.discovering.DoChan("", func() (any, error) {
		p, err := o.read(context.WithoutCancel(ctx))
		if err != nil {
			return nil, err
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		o.known = p
		return p, nil
	})
	select {
	case result := <-reading:
		if result.Err == nil {
			return result.Val.(*provider), nil //nolint:forcetypeassert // what is returned above
		}
		if known != nil {
			return known, nil // it was right an hour ago
		}
		return nil, fmt.Errorf("%w: %w", ErrProviderUnavailable, result.Err)
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrProviderUnavailable, ctx.Err())
	}
}

func (o *OIDC) read(ctx context.Context) (*provider, error) {
	ctx = oidc.ClientContext(ctx, o.client)
	p, err := oidc.NewProvider(ctx, o.options.Issuer)
	if err != nil {
		return nil, err
	}
	var more struct {
		Keys       string   `json:"jwks_uri"`
		Algorithms []string `json:"id_token_signing_alg_values_supported"`
		Methods    []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := p.Claims(&more); err != nil {
		return nil, err
	}
	// Only what is signed with the provider's private key: a signature with the client's secret, or none, could be anybody's who has that, or nothing.
	asymmetric := []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA}
	algorithms := slices.DeleteFunc(more.Algorithms, func(a string) bool { return !slices.Contains(asymmetric, a) })
	if len(algorithms) == 0 {
		algorithms = []string{oidc.RS256}
	}
	style := oauth2.AuthStyleInHeader // what providers take if they do not say (OpenID Connect Discovery 1.0, section 3); trying both could use up the code
	if o.options.ClientSecret == "" || len(more.Methods) > 0 && !slices.Contains(more.Methods, "client_secret_basic") {
		style = oauth2.AuthStyleInParams
	}
	return &provider{Provider: p, keys: oidc.NewRemoteKeySet(ctx, more.Keys), algorithms: algorithms, style: style, readAt: o.options.Now()}, nil
}

// attempt is what has to be remembered while somebody is at the provider. Their browser keeps it, sealed.
type attempt struct {
	State, Nonce, Verifier string
	ReturnTo               string
	Organization           uuid.UUID
	Session                uuid.UUID // that wants the identity for its account; nil for signing in
	Ends                   time.Time
}

// Begin returns where to send a browser that wants to sign in, and what it has to bring back, sealed.
func (o *OIDC) Begin(ctx context.Context, returnTo string, organization uuid.UUID) (location, sealed string, err error) {
	return o.begin(ctx, attempt{ReturnTo: returnTo, Organization: organization})
}

// BeginLink is Begin for somebody who is signed in, and wants to sign in with the identity too that they are going to show: in this session and in no other.
func (o *OIDC) BeginLink(ctx context.Context, returnTo string, session uuid.UUID) (location, sealed string, err error) {
	return o.begin(ctx, attempt{ReturnTo: returnTo, Session: session})
}

func (o *OIDC) begin(ctx context.Context, a attempt) (location, sealed string, err error) {
	p, err := o.discover(ctx)
	if err != nil {
		return "", "", err
	}
	a.State, a.Nonce, a.Verifier, a.Ends = rand.Text(), rand.Text(), oauth2.GenerateVerifier(), o.options.Now().Add(AttemptLifetime)
	plain, err := json.Marshal(a)
	if err != nil {
		return "", "", err
	}
	sealed = base64.RawURLEncoding.EncodeToString(o.seal.Seal(nil, nil, plain, nil)) //nolint:gosec // the AEAD puts a random nonce in front by itself
	return o.flow(p).AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), sealed, nil
}

func (o *OIDC) flow(p *provider) *oauth2.Config {
	endpoint := p.Endpoint()
	endpoint.AuthStyle = p.style
	return &oauth2.Config{ClientID: o.options.ClientID, ClientSecret: o.options.ClientSecret, RedirectURL: o.options.RedirectURL,
		Endpoint: endpoint, Scopes: []string{oidc.ScopeOpenID, "email", "profile"}}
}

func (o *OIDC) unseal(sealed string) (attempt, error) {
	var a attempt
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return a, err
	}
	plain, err := o.seal.Open(nil, nil, raw, nil)
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(plain, &a); err != nil {
		return a, err
	}
	if !o.options.Now().Before(a.Ends) {
		return a, errors.New("the attempt took too long")
	}
	return a, nil
}

// AttemptOf is where an attempt is to end, and whether it is to add an identity to an account; nothing of one that is over, or none. It proves nothing before Finish.
func (o *OIDC) AttemptOf(sealed string) (returnTo string, links bool) {
	a, err := o.unseal(sealed)
	if err != nil {
		return "", false
	}
	return a.ReturnTo, a.Session != uuid.Nil
}

// Issuer is the provider's.
func (o *OIDC) Issuer() string { return o.options.Issuer }

// Callback is what a browser brings back from the provider.
type Callback struct {
	Sealed string // from Begin
	State  string
	Code   string
	Error  string // why the provider refused; empty if it did not
	Issuer string // who says so (RFC 9207); empty where the provider does not say
}

// SignedIn is somebody whom the provider vouches for.
type SignedIn struct {
	Issuer, Subject string // who they are there; it never changes
	Email           string // in lower case; empty unless the provider has verified it
	Picture         string // where theirs is; empty for none
	ShownAs         string // what the provider calls them, to be shown; empty if it says nothing. Nothing else may be made of it

	ReturnTo     string // as given to Begin
	Organization uuid.UUID
	Session      uuid.UUID // as given to BeginLink; nil for signing in
}

// Finish finds out whom the provider vouches for. It returns ErrSignInRefused or ErrProviderUnavailable, with the reason. No caller may hold a database connection.
func (o *OIDC) Finish(ctx context.Context, c Callback) (SignedIn, error) {
	a, err := o.unseal(c.Sealed)
	if err != nil {
		return SignedIn{}, refusal("no attempt of this browser: %w", err)
	}
	if subtle.ConstantTimeCompare([]byte(a.State), []byte(c.State)) != 1 {
		return SignedIn{}, refusal("the state is another attempt's")
	}
	if c.Issuer != "" && c.Issuer != o.options.Issuer {
		return SignedIn{}, refusal("the answer is from %q", c.Issuer)
	}
	if c.Error != "" {
		return SignedIn{}, refusal("the provider answers %q", c.Error)
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, o.client), oidcFinishTime)
	defer cancel()
	p, err := o.discover(ctx)
	if err != nil {
		return SignedIn{}, err
	}
	token, err := o.flow(p).Exchange(ctx, c.Code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return SignedIn{}, exchangeFailed(err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return SignedIn{}, refusal("there is no id token")
	}
	claims, err := o.verify(ctx, p, raw, a.Nonce)
	if err != nil {
		return SignedIn{}, err
	}
	if claims.Email == "" && p.UserInfoEndpoint() != "" { // some providers put it nowhere else
		if err := claims.complete(ctx, p, token); err != nil {
			return SignedIn{}, err
		}
	}
	who := SignedIn{Issuer: o.options.Issuer, Subject: claims.Subject, Picture: claims.Picture, ShownAs: claims.shownAs(), ReturnTo: a.ReturnTo, Organization: a.Organization,
		Session: a.Session}
	if bool(claims.EmailVerified) && !strings.ContainsRune(claims.Email, 0) {
		who.Email = strings.ToLower(strings.TrimSpace(claims.Email))
	}
	return who, nil
}

// claims are those of an id token, or of the answer about its user, that matter here.
type claims struct {
	Subject       string `json:"sub"`
	Authorized    string `json:"azp"`
	Email         string `json:"email"`
	EmailVerified truth  `json:"email_verified"`
	Picture       string `json:"picture"`
	Username      word   `json:"preferred_username"`
	Name          word   `json:"name"`
}

// maxShownAs is as long as an e-mail address may be.
const maxShownAs = 254

// shownAs is by what somebody is most likely to know their identity again, in one line.
func (c *claims) shownAs() string {
	for _, said := range []string{c.Email, string(c.Username), string(c.Name)} {
		line := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				return ' '
			}
			return r
		}, strings.ToValidUTF8(said, "\uFFFD"))), " ")
		if runes := []rune(line); len(runes) > 0 {
			return string(runes[:min(len(runes), maxShownAs)])
		}
	}
	return ""
}

// word is a text that nobody may be refused for because it is none.
type word string

// UnmarshalJSON takes a text; everything else is none.
func (w *word) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*w = word(text)
	}
	return nil
}

// truth is a boolean that some providers write as a text.
type truth bool

// UnmarshalJSON takes true and "true"; everything else is false.
func (t *truth) UnmarshalJSON(b []byte) error {
	*t = string(b) == "true" || string(b) == `"true"`
	return nil
}

// maxSubject is the most that a subject may have (OpenID Connect Core 1.0, section 2).
const maxSubject = 255

// verify checks an id token: its signature, issuer, audience and expiry, that it was asked for in this very attempt, and that it was made for nobody else.
func (o *OIDC) verify(ctx context.Context, p *provider, raw, nonce string) (claims, error) {
	var c claims
	keys := &noting{KeySet: p.keys}
	verifier := oidc.NewVerifier(o.options.Issuer, keys, &oidc.Config{ClientID: o.options.ClientID, SupportedSigningAlgs: p.algorithms, Now: o.options.Now})
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		if unreachable(keys.err) {
			return c, fmt.Errorf("%w: %w", ErrProviderUnavailable, keys.err)
		}
		return c, refusal("id token: %w", err)
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(nonce)) != 1 {
		return c, refusal("id token: the nonce is another attempt's")
	}
	if err := token.Claims(&c); err != nil {
		return c, refusal("id token: %w", err)
	}
	if c.Authorized != "" && c.Authorized != o.options.ClientID || c.Authorized == "" && len(token.Audience) > 1 {
		return c, refusal("id token: it was made for %q", c.Authorized)
	}
	if c.Subject == "" || len(c.Subject) > maxSubject || strings.ContainsRune(c.Subject, 0) {
		return c, refusal("id token: its subject is none")
	}
	return c, nil
}

// noting keeps the error of a key set, which the verifier makes words of.
type noting struct {
	oidc.KeySet
	err error
}

// VerifySignature is the key set's.
func (n *noting) VerifySignature(ctx context.Context, jwt string) (payload []byte, err error) {
	payload, n.err = n.KeySet.VerifySignature(ctx, jwt)
	return payload, n.err
}

// complete asks the provider for what the id token does not say of its user.
func (c *claims) complete(ctx context.Context, p *provider, token *oauth2.Token) error {
	info, err := p.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return fmt.Errorf("%w: about the user: %w", ErrProviderUnavailable, err)
	}
	var more claims
	if err := info.Claims(&more); err != nil {
		return refusal("about the user: %w", err)
	}
	if more.Subject != c.Subject {
		return refusal("about the user: it is about another one")
	}
	c.Email, c.EmailVerified = more.Email, more.EmailVerified
	c.Username, c.Name = cmp.Or(c.Username, more.Username), cmp.Or(c.Name, more.Name)
	if c.Picture == "" {
		c.Picture = more.Picture
	}
	return nil
}

func refusal(reason string, arguments ...any) error {
	return fmt.Errorf("%w: %w", ErrSignInRefused, fmt.Errorf(reason, arguments...))
}

// exchangeFailed tells a code that is not good from a provider that is not well, or does not know this client.
func exchangeFailed(err error) error {
	var said *oauth2.RetrieveError
	if errors.As(err, &said) && (said.ErrorCode == "invalid_grant" || said.ErrorCode == "access_denied") {
		return refusal("the code: %w", err)
	}
	return fmt.Errorf("%w: for a code: %w", ErrProviderUnavailable, err)
}

func unreachable(err error) bool {
	var failed *url.Error
	return errors.As(err, &failed)
}
