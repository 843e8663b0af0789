package api

import (
	"io/fs"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	swagger "github.com/swaggo/files/v2"
)

// The reference page shows openapi.yaml with Swagger UI, whose files come with a Go module: nothing is fetched from elsewhere, and no script stands in the page.
const (
	documentationPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kakeai API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<div id="reference"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`
	documentationStart = `SwaggerUIBundle({url: "/api/openapi.yaml", dom_id: "#reference", deepLinking: true, validatorUrl: null});
`
	documentationPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

func (s *Server) documentation(routes gin.IRoutes) {
	routes.GET("/api/openapi.yaml", func(c *gin.Context) { c.Data(http.StatusOK, "application/yaml", Description) })
	routes.GET("/docs", func(c *gin.Context) {
		c.Header("Content-Security-Policy", documentationPolicy)
		c.Data(http.StatusOK, "text/html; charset=utf-8", []byte(documentationPage))
	})
	routes.GET("/docs/start.js", func(c *gin.Context) {
		c.Data(http.StatusOK, "text/javascript; charset=utf-8", []byte(documentationStart))
	})
	assets := http.FileServerFS(onlyFiles{swagger.FS})
	routes.GET("/docs/assets/*file", func(c *gin.Context) {
		r := c.Request.Clone(c.Request.Context())
		r.URL.Path = strings.TrimPrefix(r.URL.Path, "/docs/assets")
		c.Header("Cache-Control", "public, max-age=3600")
		assets.ServeHTTP(c.Writer, r)
	})
}

// onlyFiles hides folders, whose listings are nobody's business.
type onlyFiles struct{ fs.FS }

func (f onlyFiles) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || info.IsDir() {
		_ = file.Close() // the answer is the same
		return nil, fs.ErrNotExist
	}
	return file, nil
}
