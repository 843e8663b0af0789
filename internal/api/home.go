package api

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// homePage stands where the browser application will: this build has none.
const homePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kakeai</title>
<h1>Kakeai（かけあい）</h1>
<p>The server is running. This build has no browser application; everything works over the API.</p>
<p lang="ja">サーバーは動いています。このビルドにはブラウザー画面がありません。すべての機能は API から使えます。</p>
<p><a href="/docs">API reference</a> · <a href="/api/openapi.yaml">OpenAPI description</a></p>
</html>
`

func home(c *gin.Context) {
	c.Header("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	c.Data(http.StatusOK, "text/html; charset=utf-8", []byte(homePage))
}
