package api_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/mail"
)

// mailKey is what links in mails are made with in these tests.
var mailKey = []byte("mail tests' own key, of 32 bytes")

// setupMail is setup with a known key, with which it returns the links that mails have.
func setupMail(t *testing.T, options api.Options) (*bundle, mail.Links) {
	t.Helper()
	options.CursorKey = mailKey
	links, err := mail.NewLinks(mailKey)
	require.NoError(t, err)
	return setupWith(t, options), links
}

// visit asks for a page as a browser does that is not signed in.
func (b *bundle) visit(method, path, body string, headers ...header) (status int, page string, header http.Header) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(body))
	require.NoError(b.t, err)
	for _, h := range headers {
		r.Header.Set(h.name, h.value)
	}
	answer, err := b.client.Do(r)
	require.NoError(b.t, err)
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	require.NoError(b.t, err)
	return answer.StatusCode, string(content), answer.Header
}
