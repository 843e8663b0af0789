package api_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/auth/oidctest"
	"github.com/kakeai/kakeai/internal/icon"
)

// publicURL is where the server says that people reach it. Tests reach it elsewhere.
const publicURL = "https://okr.example.com"

// withProvider has people sign in through a provider, unless the test has another or wants none.
func withProvider(t *testing.T, o api.Options) (api.Options, *oidctest.Provider) {
	t.Helper()
	if o.PublicURL != "" {
		return o, nil
	}
	p := oidctest.New()
	t.Cleanup(p.Close)
	o.PublicURL, o.OIDC, o.Pictures = publicURL, signInThrough(t, p), loopback{}
	return o, p
}

func signInThrough(t *testing.T, p *oidctest.Provider) *auth.OIDC {
	t.Helper()
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	o, err := auth.NewOIDC(auth.OIDCOptions{Issuer: p.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret, Name: "Minato ID",
		RedirectURL: api.CallbackURL(publicURL), Key: key, RequestTime: patience})
	require.NoError(t, err)
	t.Cleanup(o.Close)
	return o
}

// loopback fetches pictures from where internal/fetch must not go, since tests have their servers there.
type loopback struct{}

func (loopback) Picture(ctx context.Context, url string, most int64) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, errors.New(response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, most))
}

// claims are what the provider says of somebody.
func (p *person) claims() oidctest.Claims {
	return oidctest.Claims{"sub": "subject of " + p.id.String(), "email": strings.ToUpper(p.email), "email_verified": true}
}

// browser goes through sign-ins as browsers do: it keeps cookies, and follows nothing by itself.
type browser struct {
	*bundle
	provider *oidctest.Provider
	client   *http.Client
}

func (b *bundle) browser(p *oidctest.Provider) *browser {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(b.t, err)
	client := *b.client
	client.Jar = jar
	return &browser{b, p, &client}
}

// get asks for a path beneath /api/v1, or for a public address of the server.
func (w *browser) get(path string) answer {
	w.t.Helper()
	return (&person{bundle: &bundle{t: w.t, url: w.url, client: w.client}, name: "browser"}).send(http.MethodGet, strings.TrimPrefix(strings.TrimPrefix(path, publicURL), "/api/v1"), nil)
}

// start goes to the provider; query is that of the request.
func (w *browser) start(query string) (location string) {
	w.t.Helper()
	a := w.get("/session/oidc" + query).is(http.StatusSeeOther)
	return a.header.Get("Location")
}

// signIn goes to the provider and comes back.
func (w *browser) signIn(c oidctest.Claims, query string) answer {
	w.t.Helper()
	back, err := w.provider.Authorize(w.start(query), c)
	require.NoError(w.t, err)
	return w.get("/session/oidc/callback?" + back.Encode())
}

// atCallback is what a browser brings that comes back from the provider.
func (b *bundle) atCallback(c oidctest.Claims) (query string, attempt header) {
	b.t.Helper()
	a := b.anonymous.send(http.MethodGet, "/session/oidc", nil).is(http.StatusSeeOther)
	back, err := b.provider.Authorize(a.header.Get("Location"), c)
	require.NoError(b.t, err)
	cookie, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	return back.Encode(), header{"Cookie", cookie}
}

var (
	red    = color.RGBA{R: 220, A: 255}
	blue   = color.RGBA{B: 220, A: 255}
	yellow = color.RGBA{R: 220, G: 200, A: 255}
)

// pictureFile is a PNG of one colour.
func pictureFile(c color.Color) []byte {
	p := image.NewRGBA(image.Rect(0, 0, 300, 200))
	for i := range 300 * 200 {
		p.Set(i%300, i/300, c)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, p); err != nil {
		panic(err) // a picture of our own
	}
	return file.Bytes()
}

// iconFile is what the server makes of a picture of one colour.
func iconFile(c color.Color) icon.Icon {
	made, err := icon.NewMaker().Make(context.Background(), "", pictureFile(c))
	if err != nil {
		panic(err) // a picture of our own
	}
	return made
}

// hasIcon gives somebody an icon that was chosen by hand.
func (p *person) hasIcon(c color.Color) icon.Icon {
	p.t.Helper()
	made := iconFile(c)
	p.exec(`INSERT INTO member_icons (organization_id, user_id, content_hash, content_type, content)
		SELECT m.organization_id, m.user_id, $2, $3, $4 FROM memberships AS m WHERE m.user_id = $1
		ON CONFLICT (organization_id, user_id) DO UPDATE SET content_hash = EXCLUDED.content_hash, content_type = EXCLUDED.content_type, content = EXCLUDED.content, source_url = NULL`,
		p.id, made.Hash[:], made.ContentType, made.Content)
	return made
}

// strangePaths are where nobody is to be led after signing in.
var strangePaths = []string{
	"", "inbox", "//evil.example", "///evil.example", "////evil.example", `/\evil.example`, `\\evil.example`, `\/evil.example`, "https://evil.example", "HTTPS://evil.example", "https:evil.example", "http:/evil.example",
	"javascript:alert(1)", "data:text/html,x", " /inbox", " //evil.example", "\t//evil.example", "/\t/evil.example", "/\n/evil.example", "/\r\n/evil.example", "/\x00", "/in\x7fbox", "\xff", "/\xff",
	"/%5Cevil.example", "/%5C%5Cevil.example", "/%2Fevil.example", "/%2f%2fevil.example", "/%0d%0aSet-Cookie:%20a=b", "/%zz", "?x", "#x", ".", "../inbox", "@evil.example", ":80", "/" + strings.Repeat("a", 500), "\u2028//evil.example", "/\u0085",
}

// iconsImported waits until as many imports have ended, and iconsCached until as many pictures have been kept.
func (b *bundle) iconsImported(ended int64) { b.ended("icon-import", ended) }
func (b *bundle) iconsCached(ended int64)   { b.ended("icon-cache", ended) }

func (b *bundle) ended(name string, ended int64) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		n := b.deferred.Stats().ByName[name]
		return n.Deferred-n.Open() == ended
	}, patience, 10*time.Millisecond, name)
}

func query(name, v string) string { return url.Values{name: {v}}.Encode() }
