package api_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
)

// application is a build as web/vite.config.ts leaves it.
var application = fstest.MapFS{
	"index.html":           {Data: []byte(`<!doctype html><meta property="csp-nonce" nonce="nonce-of-this-answer"><script type="module" src="/assets/index-1a2b.js"></script>`)},
	"assets/index-1a2b.js": {Data: []byte("plain")}, "assets/index-1a2b.js.gz": {Data: []byte("compressed")},
	"assets/inter-3c4d.woff2": {Data: []byte("font")}, "favicon.svg": {Data: []byte("<svg/>")}, ".placeholder": {Data: []byte("nothing to see")},
}

// look asks as a browser does for a page.
// seen is an answer without its body.
type seen struct {
	status int
	header http.Header
}

func (b *bundle) look(method, path, accept, encoding string) (seen, string) {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, nil)
	require.NoError(b.t, err)
	request.Header.Set("Accept", accept)
	request.Header.Set("Accept-Encoding", encoding)
	response, err := b.client.Do(request)
	require.NoError(b.t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	return seen{response.StatusCode, response.Header}, string(body)
}

const forPages = "text/html,application/xhtml+xml,*/*;q=0.8"

func TestTheApplicationIsAtEveryPathThatNothingElseAnswers(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{Web: application})
	nonces := map[string]bool{}
	for _, path := range []string{"/", "/sign-in", "/objectives/0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77", "/cycles/x?state=draft", "/検索", "/docsy", "/developers"} {
		response, body := b.look(http.MethodGet, path, forPages, "")
		require.Equal(t, http.StatusOK, response.status, path)
		assert.Equal(t, "text/html; charset=utf-8", response.header.Get("Content-Type"))
		assert.Equal(t, "no-cache", response.header.Get("Cache-Control"))
		policy := response.header.Get("Content-Security-Policy")
		nonce := regexp.MustCompile(`style-src 'self' 'nonce-([A-Za-z0-9_-]{22})'`).FindStringSubmatch(policy)
		require.NotNil(t, nonce, policy)
		assert.Contains(t, body, `nonce="`+nonce[1]+`"`, "the page and the policy name the same one")
		assert.Contains(t, policy, "script-src 'self';")
		assert.NotContains(t, policy, "unsafe")
		nonces[nonce[1]] = true
	}
	assert.Len(t, nonces, 7, "each answer has its own nonce")
	response, body := b.look(http.MethodHead, "/inbox", forPages, "")
	assert.Equal(t, http.StatusOK, response.status)
	assert.Empty(t, body)
}

func TestTheApplicationStandsInNobodysWay(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{Web: application})
	for path, kind := range map[string]string{"/docs": "text/html; charset=utf-8", "/api/openapi.yaml": "application/yaml", "/healthz": "text/plain"} {
		response, body := b.look(http.MethodGet, path, forPages, "")
		assert.Equal(t, http.StatusOK, response.status, path)
		assert.Contains(t, response.header.Get("Content-Type"), strings.TrimSuffix(kind, "; charset=utf-8"), path)
		assert.NotContains(t, body, "/assets/index", path)
	}
	for _, path := range []string{"/api", "/api/v1/nothing", "/api/v2/session", "/docs/nothing", "/dev/mail", "/assets/index-0000.js", "/assets/nothing", "/missing.png", "/.placeholder", "/assets/index-1a2b.js.gz", "/index.html", "/assets/../.placeholder"} {
		response, body := b.look(http.MethodGet, path, forPages, "")
		assert.Equal(t, http.StatusNotFound, response.status, path)
		assert.Contains(t, body, "not-found", path)
	}
	response, _ := b.look(http.MethodGet, "/inbox", "application/json", "")
	assert.Equal(t, http.StatusNotFound, response.status, "who asks for data is not given a page")
	response, _ = b.look(http.MethodPost, "/inbox", forPages, "")
	assert.Equal(t, http.StatusNotFound, response.status)
}

func TestTheApplicationsFilesAreKeptByBrowsers(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{Web: application})
	response, body := b.look(http.MethodGet, "/assets/index-1a2b.js", "*/*", "br, gzip")
	assert.Equal(t, "compressed", body)
	assert.Equal(t, "gzip", response.header.Get("Content-Encoding"))
	assert.Equal(t, "Accept-Encoding", response.header.Get("Vary"))
	assert.Equal(t, "public, max-age=31536000, immutable", response.header.Get("Cache-Control"))
	assert.Equal(t, "text/javascript; charset=utf-8", response.header.Get("Content-Type"))
	response, body = b.look(http.MethodGet, "/assets/index-1a2b.js", "*/*", "")
	assert.Equal(t, "plain", body)
	assert.Empty(t, response.header.Get("Content-Encoding"))
	response, body = b.look(http.MethodGet, "/assets/inter-3c4d.woff2", "*/*", "gzip")
	assert.Equal(t, "font", body, "what does not get smaller is not compressed")
	assert.Equal(t, "font/woff2", response.header.Get("Content-Type"))
	response, _ = b.look(http.MethodGet, "/favicon.svg", "*/*", "")
	assert.Equal(t, "public, max-age=3600", response.header.Get("Cache-Control"), "its name stays the same")
}

func TestWithoutTheApplicationThePlainPageSaysSo(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{Web: fstest.MapFS{".placeholder": {}}})
	response, body := b.look(http.MethodGet, "/", forPages, "")
	assert.Equal(t, http.StatusOK, response.status)
	assert.Contains(t, body, "no browser application")
	assert.Equal(t, "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'", response.header.Get("Content-Security-Policy"))
	response, _ = b.look(http.MethodGet, "/inbox", forPages, "")
	assert.Equal(t, http.StatusNotFound, response.status)
}
