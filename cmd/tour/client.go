package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"
)

const (
	apiPath       = "/api/v1"
	requestWithin = 30 * time.Second
	attempts      = 4 // of a request that the server was too busy for
)

// client is one signed-in browser, which sends its cookie, or one program, which sends its token.
type client struct {
	base    string
	http    *http.Client
	token   string // sent instead of the cookie
	session session
}

func newClient(base string) *client {
	jar, _ := cookiejar.New(nil) // it has no way to fail
	return &client{base: base, http: &http.Client{Jar: jar, Transport: http.DefaultTransport}}
}

// answer is what came back, read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// call sends body as JSON and reads the answer into out, where they are not nil. A refusal is a *problem. Every unsafe request has an
// Idempotency-Key, the caller's or a new one, so that it can be sent again when the server had no time for it.
func (c *client) call(ctx context.Context, method, path string, body, out any, headers ...http.Header) (answer, error) {
	var encoded []byte
	if body != nil {
		var err error
		if encoded, err = json.Marshal(body); err != nil {
			return answer{}, err
		}
	}
	header := http.Header{"Accept": {"application/json, application/problem+json"}}
	if method != http.MethodGet {
		header.Set("Content-Type", "application/json")
		header.Set("Idempotency-Key", uuid.NewString())
	}
	for _, h := range headers {
		maps.Copy(header, h)
	}
	for attempt := 1; ; attempt++ {
		a, err := c.send(ctx, method, c.base+apiPath+path, encoded, header)
		if err != nil {
			return a, fmt.Errorf("%s %s: %w", method, path, err)
		}
		if a.status == http.StatusServiceUnavailable && attempt < attempts {
			if err := wait(ctx, a.header.Get("Retry-After")); err != nil {
				return a, err
			}
			continue
		}
		if a.status >= http.StatusBadRequest {
			return a, problemIn(a)
		}
		if out == nil {
			return a, nil
		}
		return a, json.Unmarshal(a.body, out)
	}
}

func (c *client) send(ctx context.Context, method, address string, body []byte, header http.Header) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, requestWithin)
	defer cancel()
	response, err := c.open(ctx, method, address, body, header)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	return answer{status: response.StatusCode, header: response.Header, body: content}, err
}

// open sends a request and leaves its answer to be read, and closed.
func (c *client) open(ctx context.Context, method, address string, body []byte, header http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body)) //nolint:gosec // visiting the named address is what a tour is for
	if err != nil {
		return nil, err
	}
	request.Header = header.Clone()
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	return c.http.Do(request) //nolint:gosec // as above
}

func wait(ctx context.Context, retryAfter string) error {
	seconds, err := strconv.Atoi(retryAfter)
	if err != nil {
		return fmt.Errorf("the server is busy and does not say for how long: Retry-After is %q", retryAfter)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(seconds) * time.Second):
		return nil
	}
}

// signIn opens a session: in the organisation given, or in the one that the person joined first.
func (c *client) signIn(ctx context.Context, email, password string, organization *uuid.UUID) (token string, err error) {
	var opened signedIn
	if _, err := c.call(ctx, http.MethodPost, "/session", signIn{Email: email, Password: password, OrganizationID: organization}, &opened); err != nil {
		return "", fmt.Errorf("sign in as %s: %w", email, err)
	}
	c.session, err = get[session](ctx, c, "/session")
	return opened.Token, err
}

func get[T any](ctx context.Context, c *client, path string) (T, error) {
	var out T
	_, err := c.call(ctx, http.MethodGet, path, nil, &out)
	return out, err
}

func post[T any](ctx context.Context, c *client, path string, body any) (T, error) {
	var out T
	_, err := c.call(ctx, http.MethodPost, path, body, &out)
	return out, err
}

func patch[T any](ctx context.Context, c *client, path string, body any) (T, error) {
	var out T
	_, err := c.call(ctx, http.MethodPatch, path, body, &out)
	return out, err
}

// list follows a list through all of its pages.
func list[T any](ctx context.Context, c *client, path string, query url.Values) ([]T, error) {
	query = maps.Clone(query)
	if query == nil {
		query = url.Values{}
	}
	query.Set("limit", "100")
	var all []T
	for {
		p, err := get[page[T]](ctx, c, path+"?"+query.Encode())
		if err != nil {
			return nil, err
		}
		all = append(all, p.Items...)
		if p.NextCursor == "" {
			return all, nil
		}
		query.Set("cursor", p.NextCursor)
	}
}

func problemIn(a answer) error {
	var p problem
	if err := json.Unmarshal(a.body, &p); err != nil || p.Status != a.status {
		return fmt.Errorf("HTTP %d that is no problem+json: %.200s", a.status, a.body)
	}
	return &p
}

func (p *problem) Error() string {
	text := fmt.Sprintf("%d %s", p.Status, p.Type)
	if p.Detail != "" {
		text += ": " + p.Detail
	}
	for _, e := range p.Errors {
		text += fmt.Sprintf(" (%s %s: %s)", e.Pointer, e.Code, e.Detail)
	}
	return text + " [request " + p.RequestID + "]"
}

// refusedWith returns the problem that err is, if it is the one that was expected.
func refusedWith(err error, status int, kind string) (*problem, error) {
	var p *problem
	switch {
	case err == nil:
		return nil, fmt.Errorf("not refused, although %d %s was due", status, kind)
	case !errors.As(err, &p):
		return nil, err
	case p.Status != status || p.Type != kind:
		return nil, fmt.Errorf("refused, but %d %s was due: %w", status, kind, err)
	}
	return p, nil
}
