package api

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
)

// homePage stands where the browser application would, in a build that has none.
const homePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kakeai</title>
<h1>Kakeai（かけあい）</h1>
<p>The server is running. This build has no browser application; everything works over the API. <code>make build</code> on a machine with Node.js builds one.</p>
<p lang="ja">サーバーは動いています。このビルドにはブラウザー画面がありません。すべての機能は API から使えます。Node.js のある環境で <code>make build</code> を実行すると、画面も組み込まれます。</p>
<p><a href="/docs">API reference</a> · <a href="/api/openapi.yaml">OpenAPI description</a></p>
</html>
`

const (
	homePolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

	// webPolicy lets the application run its own files and nothing else. Its components write style sheets while they run, which
	// is what the nonce is for; style attributes are set through the DOM, which no policy forbids.
	webPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%s'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
	// webNonce is what stands in the built index.html wherever the answer's own nonce belongs (web/vite.config.ts).
	webNonce = "nonce-of-this-answer"

	webForever = "public, max-age=31536000, immutable" // the name changes with the content
	webHour    = "public, max-age=3600"
)

// webKinds are what a build consists of. The machine's own table of kinds is not asked: it differs from one to the next.
var webKinds = map[string]string{ //nolint:gochecknoglobals // never changes
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2",
	".json": "application/json", ".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
}

// notOfTheApplication are the paths at which a mistyped address is told so, and not answered with the application.
var notOfTheApplication = []string{"/api/", "/docs/", "/dev/", "/assets/"} //nolint:gochecknoglobals // never changes

// browserApplication serves the application's files, and its index at every path that nothing else answers: which pages there are, it
// knows by itself. Without one, / is a plain page.
func (s *Server) browserApplication(routes *gin.Engine) {
	index, err := readIndex(s.options.Web)
	if err != nil {
		routes.GET("/", func(c *gin.Context) {
			c.Header("Content-Security-Policy", homePolicy)
			c.Data(http.StatusOK, "text/html; charset=utf-8", []byte(homePage))
		})
		routes.NoRoute(func(c *gin.Context) { s.fail(c, errNotFound) })
		return
	}
	routes.GET("/", func(c *gin.Context) { answerIndex(c, index) })
	routes.NoRoute(func(c *gin.Context) {
		name := c.Request.URL.Path
		reading := c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead
		switch {
		case reading && s.answerFile(c, strings.TrimPrefix(name, "/")):
		case reading && isPage(c.Request):
			answerIndex(c, index)
		default:
			s.fail(c, errNotFound)
		}
	})
}

func readIndex(files fs.FS) ([]byte, error) {
	if files == nil {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(files, "index.html")
}

// isPage reports whether somebody wants to look at this address, rather than fetch a file or an answer of the API.
func isPage(r *http.Request) bool {
	for _, prefix := range notOfTheApplication {
		if strings.HasPrefix(r.URL.Path+"/", prefix) {
			return false
		}
	}
	return path.Ext(r.URL.Path) == "" && strings.Contains(r.Header.Get("Accept"), "text/html")
}

func answerIndex(c *gin.Context, index []byte) {
	nonce := newNonce()
	c.Header("Content-Security-Policy", fmt.Sprintf(webPolicy, nonce))
	c.Header("Cache-Control", "no-cache")
	c.Header("Cross-Origin-Opener-Policy", "same-origin")
	c.Header("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
	c.Data(http.StatusOK, "text/html; charset=utf-8", bytes.ReplaceAll(index, []byte(webNonce), []byte(nonce)))
}

func newNonce() string {
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails: it ends the program instead
	return base64.RawURLEncoding.EncodeToString(random)
}

// answerFile answers with one of the application's files, compressed if the build left it so and the client can read that. It reports whether there is such a file.
func (s *Server) answerFile(c *gin.Context, name string) bool {
	if name == "index.html" || !fs.ValidPath(name) || strings.HasPrefix(path.Base(name), ".") || strings.HasSuffix(name, ".gz") {
		return false
	}
	content, encoding, err := readFile(s.options.Web, name, c.Request.Header.Get("Accept-Encoding"))
	if err != nil {
		return false
	}
	kind, known := webKinds[path.Ext(name)]
	if !known {
		kind = "application/octet-stream"
	}
	c.Header("Cache-Control", webHour)
	if strings.HasPrefix(name, "assets/") {
		c.Header("Cache-Control", webForever)
	}
	c.Header("Vary", "Accept-Encoding")
	if encoding != "" {
		c.Header("Content-Encoding", encoding)
	}
	c.Header("Content-Length", strconv.Itoa(len(content)))
	c.Data(http.StatusOK, kind, content)
	return true
}

func readFile(files fs.FS, name, accepted string) (content []byte, encoding string, err error) {
	if strings.Contains(accepted, "gzip") {
		content, err = fs.ReadFile(files, name+".gz")
		if !errors.Is(err, fs.ErrNotExist) {
			return content, "gzip", err
		}
	}
	content, err = fs.ReadFile(files, name)
	return content, "", err
}
