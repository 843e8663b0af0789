package background

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deferral is a way to find what deferred work belongs to.
type deferral interface {
	// open begins a request, and returns what ends it.
	open(ctx context.Context, id string) (context.Context, func())
	// later defers work of the request that ctx is of.
	later(ctx context.Context, work func(ctx context.Context) error)
}

// byContext is this package's.
type byContext struct{ *bundle }

func (b byContext) open(ctx context.Context, id string) (context.Context, func()) {
	ctx, scope := b.bundle.open(ctx, id)
	return ctx, scope.Close
}

func (byContext) later(ctx context.Context, work func(context.Context) error) {
	Defer(ctx, waits, work)
}

// byVariable is the fault that this package is there to prevent: what the present request is stands in one place for all of them.
type byVariable struct {
	mu      sync.Mutex
	present context.Context
	work    map[context.Context][]func(context.Context) error
}

func (v *byVariable) open(ctx context.Context, _ string) (context.Context, func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.present = ctx
	return ctx, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		for _, work := range v.work[ctx] {
			_ = work(ctx)
		}
		delete(v.work, ctx)
	}
}

func (v *byVariable) later(_ context.Context, work func(context.Context) error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.work[v.present] = append(v.work[v.present], work)
}

type requestKey struct{}

// interleave sends a request A that waits for a call to elsewhere, and a request B that comes and is there all the while; then A defers work, and both end. It returns
// as whose A's work ran; empty if it did not.
func interleave(t *testing.T, d deferral) string {
	t.Helper()
	called, answer := make(chan struct{}), make(chan struct{})
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(called)
		<-answer
	}))
	defer elsewhere.Close()

	arrived, leave := make(chan struct{}), make(chan struct{})
	ranAs := make(chan string, 1)
	deep := func(ctx context.Context) { // where nothing but ctx is known
		d.later(ctx, func(ctx context.Context) error {
			ranAs <- ctx.Value(requestKey{}).(string)
			return nil
		})
	}
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		id := r.URL.Path[1:]
		ctx, end := d.open(context.WithValue(r.Context(), requestKey{}, id), id)
		defer end()
		if id == "B" {
			close(arrived)
			<-leave
			return
		}
		response, err := elsewhere.Client().Get(elsewhere.URL)
		if assert.NoError(t, err) {
			assert.NoError(t, response.Body.Close())
		}
		deep(ctx)
	}))
	defer site.Close()
	send := func(id string) {
		response, err := site.Client().Get(site.URL + "/" + id)
		if assert.NoError(t, err) {
			_, _ = io.Copy(io.Discard, response.Body)
			assert.NoError(t, response.Body.Close())
		}
	}
	var a, b sync.WaitGroup
	a.Go(func() { send("A") })
	<-called
	b.Go(func() { send("B") })
	<-arrived
	close(answer)
	a.Wait()
	if drains, ok := d.(byContext); ok {
		require.NoError(t, drains.Drain(t.Context()))
	}
	who := ""
	select {
	case who = <-ranAs: // before B has ended
	default:
	}
	close(leave)
	b.Wait()
	if who == "" && len(ranAs) > 0 {
		who = <-ranAs
	}
	return who
}

func TestWorkBelongsToTheRequestThatDeferredIt(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "A", interleave(t, byContext{setup(Options{})}))
	assert.Equal(t, "B", interleave(t, &byVariable{work: map[context.Context][]func(context.Context) error{}}),
		"this test does not see the fault that it is there for")
}

// A hundred thousand requests, under the race detector a million, defer work in and outside of transactions. Each finds its own data.
func TestRequestsMixNoData(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a great many requests")
	}
	r := NewRunner(slog.New(slog.DiscardHandler), Options{})
	ran := make([]atomic.Uint32, manyRequests)
	var strays atomic.Int64
	serve := http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		ctx, scope := r.Open(request.Context(), slog.Attr{})
		defer scope.Close()
		number := ctx.Value(requestKey{}).(int)
		check := func(ctx context.Context) error {
			if ctx.Value(requestKey{}) != number || scopeOf(ctx) != scope {
				strays.Add(1)
			}
			ran[number].Add(1)
			return nil
		}
		Defer(ctx, waits, check)
		transaction := Hold(ctx)
		Defer(transaction, waits, check)
		if number%2 == 0 {
			transaction.HandOver()
		} else {
			transaction.Withdraw()
		}
	})
	var next atomic.Int64
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "/", nil)
			if err != nil {
				t.Error(err)
				return
			}
			for number := int(next.Add(1)) - 1; number < manyRequests; number = int(next.Add(1)) - 1 {
				serve.ServeHTTP(nil, request.WithContext(context.WithValue(request.Context(), requestKey{}, number)))
			}
		})
	}
	clients.Wait()
	require.NoError(t, r.Drain(t.Context()))
	wrong := 0
	for number := range ran {
		if want := uint32(2 - number%2); ran[number].Load() != want {
			wrong++
		}
	}
	assert.Zero(t, wrong, "requests whose work did not run as often as it should")
	assert.Zero(t, strays.Load(), "tasks that ran as another request's")
	t.Logf("%d requests, %d tasks", manyRequests, r.Stats().ByName[waits].Done)
}
