package api

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/background"
)

// deferring is the middleware as it runs in production, before a route of the test's. Nothing of it needs a database.
func deferring(t *testing.T, handler func(c *gin.Context)) (site *httptest.Server, deferred *background.Runner) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	deferred = background.NewRunner(log, background.Options{})
	s, err := NewServer(nil, nil, nil, log, Options{CursorKey: make([]byte, 32), Deferred: deferred})
	require.NoError(t, err)
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.Use(s.begin, s.recovered)
	engine.GET("/:id", handler)
	site = httptest.NewUnstartedServer(engine)
	site.Config.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelError)
	site.Start()
	t.Cleanup(site.Close)
	return site, deferred
}

// get sends a request with that id, and returns the status of its answer; 0 for none.
func get(ctx context.Context, t *testing.T, site *httptest.Server, id string) int {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, site.URL+"/"+id, nil)
	if !assert.NoError(t, err) {
		return 0
	}
	request.Header.Set("X-Request-Id", "request-"+id)
	response, err := site.Client().Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	if _, err = io.Copy(io.Discard, response.Body); err != nil {
		return 0
	}
	return response.StatusCode
}

// Request A waits for a call to elsewhere while B comes and stays; what A then defers is A's: it runs when A has been answered, with what is known of A.
// That the same interleaving catches a variable that all requests share is shown in internal/background.
func TestDeferredWorkIsThatOfItsRequest(t *testing.T) {
	t.Parallel()
	called, answer, arrived, leave := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(called)
		<-answer
	}))
	defer elsewhere.Close()
	ranAs := make(chan string, 1)
	site, deferred := deferring(t, func(c *gin.Context) {
		ctx := c.Request.Context()
		if c.Param("id") == "B" {
			close(arrived)
			<-leave
			return
		}
		response, err := elsewhere.Client().Get(elsewhere.URL)
		if assert.NoError(t, err) {
			assert.NoError(t, response.Body.Close())
		}
		background.Defer(ctx, "test", func(ctx context.Context) error {
			ranAs <- exchangeOf(ctx).requestID
			return nil
		})
	})
	var a, b sync.WaitGroup
	a.Go(func() { assert.Equal(t, http.StatusOK, get(t.Context(), t, site, "A")) })
	<-called
	b.Go(func() { assert.Equal(t, http.StatusOK, get(t.Context(), t, site, "B")) })
	<-arrived
	close(answer)
	a.Wait()
	assert.Equal(t, "request-A", <-ranAs) // while B is still there
	close(leave)
	b.Wait()
	require.NoError(t, deferred.Drain(t.Context()))
}

// The answer goes out although the work that the request deferred has not even begun to end.
func TestAnswersDoNotWaitForDeferredWork(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	site, deferred := deferring(t, func(c *gin.Context) {
		background.Defer(c.Request.Context(), "test", func(context.Context) error { <-release; return nil })
		c.Status(http.StatusNoContent)
	})
	assert.Equal(t, http.StatusNoContent, get(t.Context(), t, site, "A"))
	assert.Equal(t, http.StatusNoContent, get(t.Context(), t, site, "B"))
	assert.Zero(t, deferred.Stats().ByName["test"].Done)
	close(release)
	require.NoError(t, deferred.Drain(t.Context()))
	assert.EqualValues(t, 2, deferred.Stats().ByName["test"].Done)
}

// What was deferred outside a transaction runs however the request was answered, and whether it was. What was deferred in one depends on that transaction, as
// the tests of internal/db show.
func TestDeferredWorkRunsHoweverTheRequestEnded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end    func(c *gin.Context)
		status int
	}{
		"answered":                     {func(c *gin.Context) { c.Status(http.StatusNoContent) }, http.StatusNoContent},
		"refused":                      {func(c *gin.Context) { c.Status(http.StatusConflict) }, http.StatusConflict},
		"failed":                       {func(c *gin.Context) { c.Status(http.StatusInternalServerError) }, http.StatusInternalServerError},
		"panicked":                     {func(*gin.Context) { panic("in the handler") }, http.StatusInternalServerError},
		"panicked while it answered":   {func(c *gin.Context) { c.String(http.StatusOK, "half"); panic("in the handler") }, http.StatusOK},
		"dropped its connection":       {func(*gin.Context) { panic(http.ErrAbortHandler) }, 0},
		"dropped it while it answered": {func(c *gin.Context) { c.String(http.StatusOK, "half"); c.Writer.Flush(); panic(http.ErrAbortHandler) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ran := make(chan string, 1)
			site, deferred := deferring(t, func(g *gin.Context) {
				background.Defer(g.Request.Context(), "test", func(ctx context.Context) error {
					ran <- exchangeOf(ctx).requestID
					return ctx.Err()
				})
				c.end(g)
			})
			assert.Equal(t, c.status, get(t.Context(), t, site, "A"))
			assert.Equal(t, "request-A", <-ran)
			require.NoError(t, deferred.Drain(t.Context()))
			assert.EqualValues(t, 1, deferred.Stats().ByName["test"].Done)
		})
	}
}

// A client that hangs up ends neither what its request has deferred nor what it defers from then on.
func TestDeferredWorkOutlivesTheClient(t *testing.T) {
	t.Parallel()
	client, hangUp := context.WithCancel(t.Context())
	gone := make(chan struct{})
	site, deferred := deferring(t, func(c *gin.Context) {
		ctx := c.Request.Context()
		work := func(ctx context.Context) error { return ctx.Err() }
		background.Defer(ctx, "test", work)
		hangUp()
		<-ctx.Done()
		background.Defer(ctx, "test", work)
		close(gone)
	})
	assert.Zero(t, get(client, t, site, "A"))
	<-gone
	require.NoError(t, deferred.Drain(t.Context()))
	assert.EqualValues(t, 2, deferred.Stats().ByName["test"].Done)
}
