package auth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"go.uber.org/goleak"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/auth/oidctest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const callbackURL = "https://okr.example.com/api/v1/session/oidc/callback"

// visit is a provider, and this program as it knows it, at a time that the test sets.
type visit struct {
	t        *testing.T
	provider *oidctest.Provider
	oidc     *auth.OIDC
	clock    atomic.Pointer[time.Time]
}

func newVisit(t *testing.T, change ...func(*auth.OIDCOptions)) *visit {
	t.Helper()
	v := &visit{t: t, provider: oidctest.New()}
	t.Cleanup(v.provider.Close)
	now := time.Date(2026, time.November, 30, 9, 0, 0, 0, time.UTC)
	v.clock.Store(&now)
	v.provider.Clock(v.now)
	o := auth.OIDCOptions{Issuer: v.provider.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret, RedirectURL: callbackURL,
		Key: []byte(strings.Repeat("k", 32)), RequestTime: time.Minute, Now: v.now}
	for _, c := range change {
		c(&o)
	}
	var err error
	if v.oidc, err = auth.NewOIDC(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.oidc.Close)
	return v
}

func (v *visit) now() time.Time { return *v.clock.Load() }

func (v *visit) passes(d time.Duration) {
	later := v.now().Add(d)
	v.clock.Store(&later)
}

// begin goes to the provider and back, up to what the browser brings.
func (v *visit) begin(c oidctest.Claims) auth.Callback {
	v.t.Helper()
	location, sealed, err := v.oidc.Begin(v.t.Context(), "/inbox", uuid.Nil)
	if err != nil {
		v.t.Fatal(err)
	}
	q, err := v.provider.Authorize(location, c)
	if err != nil {
		v.t.Fatal(err)
	}
	return auth.Callback{Sealed: sealed, State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss")}
}

func aoi() oidctest.Claims {
	return oidctest.Claims{"sub": "248289761001", "email": "Aoi.Sato@Example.com", "email_verified": true, "picture": "https://pictures.example.com/aoi.jpg"}
}

func TestWhomTheProviderVouchesFor(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	organization := uuid.Must(uuid.NewV7())
	location, sealed, err := v.oidc.Begin(t.Context(), "/objectives/1?tab=2", organization)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(location)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if !strings.HasPrefix(location, v.provider.URL+"/authorize?") || q.Get("redirect_uri") != callbackURL || q.Get("code_challenge_method") != "S256" ||
		len(q.Get("code_challenge")) != 43 || len(q.Get("state")) < 22 || len(q.Get("nonce")) < 22 || q.Get("scope") != "openid email profile" || q.Get("response_type") != "code" {
		t.Errorf("sent to %s", location)
	}
	for _, secret := range []string{q.Get("state"), q.Get("nonce"), "/objectives", oidctest.ClientSecret} {
		if strings.Contains(sealed, secret) {
			t.Errorf("%q can be read in what the browser keeps", secret)
		}
	}
	back, err := v.provider.Authorize(location, aoi())
	if err != nil {
		t.Fatal(err)
	}
	who, err := v.oidc.Finish(t.Context(), auth.Callback{Sealed: sealed, State: back.Get("state"), Code: back.Get("code"), Issuer: back.Get("iss")})
	want := auth.SignedIn{Issuer: v.provider.URL, Subject: "248289761001", Email: "aoi.sato@example.com", Picture: "https://pictures.example.com/aoi.jpg",
		ShownAs: "Aoi.Sato@Example.com", ReturnTo: "/objectives/1?tab=2", Organization: organization}
	if err != nil || who != want {
		t.Errorf("%+v, %v", who, err)
	}
}

// An attempt to add an identity says so, of which session it is, and cannot be taken for one to sign in.
func TestAnAttemptToAddAnIdentity(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	session := uuid.Must(uuid.NewV7())
	location, sealed, err := v.oidc.BeginLink(t.Context(), "/account", session)
	if err != nil {
		t.Fatal(err)
	}
	if to, links := v.oidc.AttemptOf(sealed); !links || to != "/account" {
		t.Errorf("%q, %t", to, links)
	}
	back, err := v.provider.Authorize(location, aoi())
	if err != nil {
		t.Fatal(err)
	}
	who, err := v.oidc.Finish(t.Context(), auth.Callback{Sealed: sealed, State: back.Get("state"), Code: back.Get("code")})
	if err != nil || who.Session != session || who.ReturnTo != "/account" {
		t.Errorf("%+v, %v", who, err)
	}
	signingIn := v.begin(aoi())
	for what, sealed := range map[string]string{"one to sign in": signingIn.Sealed, "none": "", "another's": newVisit(t, func(o *auth.OIDCOptions) { o.Key = []byte(strings.Repeat("x", 32)) }).begin(aoi()).Sealed} {
		if to, links := v.oidc.AttemptOf(sealed); links || to != map[bool]string{true: "/inbox"}[what == "one to sign in"] {
			t.Error("taken for an attempt to add an identity:", what)
		}
	}
	v.passes(auth.AttemptLifetime)
	if to, links := v.oidc.AttemptOf(sealed); links || to != "" {
		t.Error("it holds for longer than it should")
	}
}

func TestWhatAnIdentityIsShownAs(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.provider.UserInfo(oidctest.Claims{"sub": "1"}) // it says no more there
	for _, c := range []struct {
		claims oidctest.Claims
		want   string
	}{
		{oidctest.Claims{"sub": "1", "email": "a@example.com", "preferred_username": "aoi", "name": "佐藤 葵"}, "a@example.com"},
		{oidctest.Claims{"sub": "1", "preferred_username": "aoi", "name": "佐藤 葵"}, "aoi"},
		{oidctest.Claims{"sub": "1", "name": "佐藤\n\u202e 葵"}, "佐藤 葵"},
		{oidctest.Claims{"sub": "1", "preferred_username": 7, "name": []string{"x"}}, ""},
		{oidctest.Claims{"sub": "1", "name": strings.Repeat("葵", 300)}, strings.Repeat("葵", 254)},
		{oidctest.Claims{"sub": "1", "name": "a\x00b"}, "a b"},
	} {
		who, err := v.oidc.Finish(t.Context(), v.begin(c.claims))
		if err != nil || who.ShownAs != c.want {
			t.Errorf("%v: %q, %v", c.claims, who.ShownAs, err)
		}
	}
}

func TestWhatTheProviderDoesNotVouchForIsRefused(t *testing.T) {
	t.Parallel()
	type set = func(v *visit, c *auth.Callback)
	claim := func(name string, value any) set {
		return func(v *visit, _ *auth.Callback) { v.provider.Spoil(func(c oidctest.Claims) { c[name] = value }) }
	}
	hmac := func(c oidctest.Claims) (string, error) {
		return oidctest.Sign(c, jose.SigningKey{Algorithm: jose.HS256, Key: []byte(oidctest.ClientSecret + strings.Repeat(" ", 32))})
	}
	for name, spoil := range map[string]set{
		"nonce of another attempt":   claim("nonce", "another"),
		"no nonce":                   func(v *visit, _ *auth.Callback) { v.provider.Spoil(func(c oidctest.Claims) { delete(c, "nonce") }) },
		"expired":                    func(v *visit, _ *auth.Callback) { claim("exp", v.now().Add(-time.Second).Unix())(v, nil) },
		"not yet":                    func(v *visit, _ *auth.Callback) { claim("nbf", v.now().Add(time.Hour).Unix())(v, nil) },
		"no expiry":                  func(v *visit, _ *auth.Callback) { v.provider.Spoil(func(c oidctest.Claims) { delete(c, "exp") }) },
		"another issuer":             claim("iss", "https://evil.example.com"),
		"another audience":           claim("aud", "another"),
		"no audience":                claim("aud", []string{}),
		"several audiences, no azp":  claim("aud", []string{oidctest.ClientID, "another"}),
		"made for another":           claim("azp", "another"),
		"no subject":                 claim("sub", ""),
		"a subject that is too long": claim("sub", strings.Repeat("s", 256)),
		"a subject with a NUL":       claim("sub", "a\x00b"),
		"signed by nobody":           func(v *visit, _ *auth.Callback) { v.provider.SignWith(oidctest.Unsigned) },
		"signed with the secret":     func(v *visit, _ *auth.Callback) { v.provider.SignWith(hmac) },
		"no id token": func(v *visit, _ *auth.Callback) {
			v.provider.SignWith(func(oidctest.Claims) (string, error) { return "", nil })
		},
		"no token at all": func(v *visit, _ *auth.Callback) {
			v.provider.SignWith(func(oidctest.Claims) (string, error) { return "x", nil })
		},
		"state of another attempt": func(v *visit, c *auth.Callback) { c.State = v.begin(aoi()).State },
		"no state":                 func(_ *visit, c *auth.Callback) { c.State = "" },
		"another browser":          func(v *visit, c *auth.Callback) { c.Sealed = v.begin(aoi()).Sealed },
		"no browser":               func(_ *visit, c *auth.Callback) { c.Sealed = "" },
		"what was sealed was changed": func(_ *visit, c *auth.Callback) {
			c.Sealed = c.Sealed[:40] + strings.Map(swapped, c.Sealed[40:41]) + c.Sealed[41:]
		},
		"took too long":               func(v *visit, _ *auth.Callback) { v.passes(auth.AttemptLifetime) },
		"an answer of another":        func(_ *visit, c *auth.Callback) { c.Issuer = "https://evil.example.com" },
		"the provider said no":        func(_ *visit, c *auth.Callback) { c.Error, c.Code = "access_denied", "" },
		"another code":                func(_ *visit, c *auth.Callback) { c.Code = "guessed" },
		"the code of another attempt": func(v *visit, c *auth.Callback) { c.Code = v.begin(aoi()).Code },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVisit(t)
			c := v.begin(aoi())
			spoil(v, &c)
			if who, err := v.oidc.Finish(t.Context(), c); !errors.Is(err, auth.ErrSignInRefused) {
				t.Errorf("%+v, %v", who, err)
			}
			v.provider.Spoil(nil)
			v.provider.SignWith(nil)
			if _, err := v.oidc.Finish(t.Context(), v.begin(aoi())); err != nil {
				t.Errorf("afterwards, in order: %v", err)
			}
		})
	}
}

// swapped is another letter of the alphabet.
func swapped(r rune) rune {
	if r == 'A' {
		return 'B'
	}
	return 'A'
}

func TestACodeIsGoodOnce(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	c := v.begin(aoi())
	if _, err := v.oidc.Finish(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if _, err := v.oidc.Finish(t.Context(), c); !errors.Is(err, auth.ErrSignInRefused) {
		t.Errorf("a second time: %v", err)
	}
}

func TestWhatIsSealedOpensWithTheSameKeyAlone(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	same := func(key string) *auth.OIDC {
		o, err := auth.NewOIDC(auth.OIDCOptions{Issuer: v.provider.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret, RedirectURL: callbackURL, Key: []byte(strings.Repeat(key, 32)), Now: v.now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(o.Close)
		return o
	}
	if _, err := same("x").Finish(t.Context(), v.begin(aoi())); !errors.Is(err, auth.ErrSignInRefused) {
		t.Errorf("with another key: %v", err)
	}
	if _, err := same("k").Finish(t.Context(), v.begin(aoi())); err != nil {
		t.Errorf("in another replica: %v", err)
	}
}

func TestAnAddressCountsOnceItIsVerified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		claims oidctest.Claims
		want   string
	}{
		"verified":                {oidctest.Claims{"email": " Aoi@Example.COM ", "email_verified": true}, "aoi@example.com"},
		"verified, as a text":     {oidctest.Claims{"email": "aoi@example.com", "email_verified": "true"}, "aoi@example.com"},
		"not verified":            {oidctest.Claims{"email": "aoi@example.com", "email_verified": false}, ""},
		"not verified, as a text": {oidctest.Claims{"email": "aoi@example.com", "email_verified": "false"}, ""},
		"nothing said of it":      {oidctest.Claims{"email": "aoi@example.com"}, ""},
		"strange":                 {oidctest.Claims{"email": "aoi@example.com", "email_verified": 1}, ""},
		"with a NUL":              {oidctest.Claims{"email": "aoi\x00@example.com", "email_verified": true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVisit(t)
			c.claims["sub"] = "1"
			who, err := v.oidc.Finish(t.Context(), v.begin(c.claims))
			if err != nil || who.Email != c.want {
				t.Errorf("%+v, %v", who, err)
			}
		})
	}
}

func TestWhatTheTokenDoesNotSayIsAskedFor(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	bare := oidctest.Claims{"sub": "1"}
	v.provider.UserInfo(oidctest.Claims{"sub": "1", "email": "aoi@example.com", "email_verified": true, "picture": "https://p.example.com/1"})
	who, err := v.oidc.Finish(t.Context(), v.begin(bare))
	if err != nil || who.Email != "aoi@example.com" || who.Picture != "https://p.example.com/1" {
		t.Errorf("%+v, %v", who, err)
	}
	v.provider.UserInfo(oidctest.Claims{"sub": "2", "email": "boss@example.com", "email_verified": true})
	if who, err := v.oidc.Finish(t.Context(), v.begin(bare)); !errors.Is(err, auth.ErrSignInRefused) {
		t.Errorf("about another: %+v, %v", who, err)
	}
	v.provider.UserInfo(nil)
	if _, err := v.oidc.Finish(t.Context(), v.begin(bare)); !errors.Is(err, auth.ErrProviderUnavailable) {
		t.Errorf("about nobody: %v", err)
	}
}

func TestKeysRotate(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	for range 3 {
		if _, err := v.oidc.Finish(t.Context(), v.begin(aoi())); err != nil {
			t.Fatal(err)
		}
		v.provider.Rotate()
	}
	other := oidctest.New()
	defer other.Close()
	v.provider.SignWith(other.SignAs) // the key of another provider, and its name
	if _, err := v.oidc.Finish(t.Context(), v.begin(aoi())); !errors.Is(err, auth.ErrSignInRefused) {
		t.Errorf("signed by another: %v", err)
	}
}

const (
	discoveryPath = "/.well-known/openid-configuration"
	tokenPath     = "/token"
	keysPath      = "/keys"
	userInfoPath  = "/userinfo"
)

// Whatever the provider does instead of answering, it ends, and as the provider's trouble.
func TestAProviderThatIsNotWellHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	silent := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the client has gone
		<-r.Context().Done()
	}
	for name, handler := range map[string]http.HandlerFunc{
		"says nothing": silent,
		"begins and stops": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"issuer": "`))
			_ = http.NewResponseController(w).Flush()
			silent(w, r)
		},
		"never stops": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for _, err := w.Write([]byte(`{"keys": "`)); err == nil; _, err = w.Write([]byte(strings.Repeat("x", 64<<10))) {
				continue
			}
		},
		"is broken":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"is too busy": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) },
		"hangs up":    func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"leads away": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
		},
	} {
		for _, path := range []string{discoveryPath, tokenPath, keysPath, userInfoPath} {
			t.Run(name+" at "+path, func(t *testing.T) {
				t.Parallel()
				v := newVisit(t, func(o *auth.OIDCOptions) { o.RequestTime = 300 * time.Millisecond })
				if path == discoveryPath {
					v.provider.Answer(path, handler)
					if _, _, err := v.oidc.Begin(t.Context(), "/", uuid.Nil); !errors.Is(err, auth.ErrProviderUnavailable) {
						t.Errorf("%v", err)
					}
					return
				}
				c := aoi()
				if path == userInfoPath {
					delete(c, "email")
				}
				back := v.begin(c)
				v.provider.Answer(path, handler)
				if _, err := v.oidc.Finish(t.Context(), back); !errors.Is(err, auth.ErrProviderUnavailable) {
					t.Errorf("%v", err)
				}
			})
		}
	}
}

func TestAProviderThatComesBackIsAskedAgain(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.provider.Answer(discoveryPath, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	for range 3 {
		if _, _, err := v.oidc.Begin(t.Context(), "/", uuid.Nil); !errors.Is(err, auth.ErrProviderUnavailable) {
			t.Fatalf("%v", err)
		}
	}
	v.provider.Answer(discoveryPath, nil)
	if _, err := v.oidc.Finish(t.Context(), v.begin(aoi())); err != nil {
		t.Fatal(err)
	}
	if asked := v.provider.Asked(discoveryPath); asked != 4 {
		t.Errorf("asked %d times", asked)
	}
	v.passes(2 * time.Hour)
	v.provider.Answer(discoveryPath, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	if _, _, err := v.oidc.Begin(t.Context(), "/", uuid.Nil); err != nil || v.provider.Asked(discoveryPath) != 5 {
		t.Errorf("what it said an hour ago: %v, asked %d times", err, v.provider.Asked(discoveryPath))
	}
}

// All of them are there before the provider answers, and whoever goes away takes nobody along.
func TestManyAtOnceAskOnce(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	asked, answer := make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(asked) })
	v.provider.Answer(discoveryPath, func(w http.ResponseWriter, _ *http.Request) {
		first()
		<-answer
		fmt.Fprintf(w, `{"issuer": %q, "authorization_endpoint": "https://id.example.com/authorize", "token_endpoint": "https://id.example.com/token", "jwks_uri": "https://id.example.com/keys"}`, v.provider.URL)
	})
	leaving, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, _, err := v.oidc.Begin(leaving, "/", uuid.Nil)
		left <- err
	}()
	<-asked
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("whoever left: %v", err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, _, err := v.oidc.Begin(t.Context(), "/", uuid.Nil); err != nil {
				t.Error(err)
			}
		})
	}
	close(answer)
	all.Wait()
	if n := v.provider.Asked(discoveryPath); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

func TestAnotherIssuersDescriptionIsNotTaken(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.provider.Answer(discoveryPath, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"issuer": "https://evil.example.com", "authorization_endpoint": "https://evil.example.com/a", "token_endpoint": "https://evil.example.com/t", "jwks_uri": "https://evil.example.com/k"}`)
	})
	if _, _, err := v.oidc.Begin(t.Context(), "/", uuid.Nil); !errors.Is(err, auth.ErrProviderUnavailable) {
		t.Errorf("%v", err)
	}
}

// The secret goes to the token endpoint and nowhere else.
func TestTheSecretIsNotCarriedElsewhere(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	reached := make(chan struct{}, 1)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached <- struct{}{} }))
	defer elsewhere.Close()
	back := v.begin(aoi())
	v.provider.Answer(tokenPath, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})
	if _, err := v.oidc.Finish(t.Context(), back); !errors.Is(err, auth.ErrProviderUnavailable) {
		t.Errorf("%v", err)
	}
	select {
	case <-reached:
		t.Error("it was")
	default:
	}
}

func TestAProviderThatDoesNotKnowTheClientIsTheOperatorsTrouble(t *testing.T) {
	t.Parallel()
	v := newVisit(t, func(o *auth.OIDCOptions) { o.ClientSecret = "wrong" })
	if _, err := v.oidc.Finish(t.Context(), v.begin(aoi())); !errors.Is(err, auth.ErrProviderUnavailable) {
		t.Errorf("%v", err)
	}
}
