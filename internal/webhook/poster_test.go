package webhook_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/kakeai/kakeai/internal/webhook"
)

// poster reaches loopback.
func (r *receiver) poster(t *testing.T) webhook.Poster {
	t.Helper()
	client := r.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return func(ctx context.Context, address string, header http.Header, body []byte) (int, http.Header, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		request.Header = header
		response, err := client.Do(request)
		if err != nil {
			return 0, nil, err
		}
		defer response.Body.Close()
		if _, err = io.ReadAll(io.LimitReader(response.Body, 1<<16)); err != nil {
			return 0, nil, err
		}
		return response.StatusCode, response.Header, nil
	}
}

// closedPoster reaches nothing.
func closedPoster() webhook.Poster {
	return func(context.Context, string, http.Header, []byte) (int, http.Header, error) {
		return 0, nil, webhook.ErrRefused
	}
}
