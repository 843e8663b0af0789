package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	connectsAtOnce  = 2
	shortestHoldOff = 100 * time.Millisecond // after a connect that failed, doubling
	longestHoldOff  = time.Second
)

// connects paces the opening of connections, so that neither a server that comes back nor a process whose connections broke all at once makes a storm.
// Few are under way at a time. After one that failed nobody tries for a moment, and whoever would have had to is told at once what the last one met: while
// the server is gone, requests are refused quickly instead of standing in line for it.
//
// It is the pool's BeforeConnect and, since only a tracer hears of connects that fail, pgx's tracer.
type connects struct {
	places chan struct{}

	mu       sync.Mutex
	failures int       // in a row
	resume   time.Time // when the next may be tried
	met      error     // by the last that failed
}

func newConnects() *connects { return &connects{places: make(chan struct{}, connectsAtOnce)} }

// begin waits for the right to connect, which TraceConnectEnd gives back.
func (c *connects) begin(ctx context.Context) error {
	select {
	case c.places <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := c.holdOff(); err != nil {
		<-c.places
		return err
	}
	return nil
}

func (c *connects) holdOff() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.resume) {
		return fmt.Errorf("%w: it was tried a moment ago: %w", ErrUnavailable, c.met)
	}
	return nil
}

// TraceConnectStart is pgx's.
func (c *connects) TraceConnectStart(ctx context.Context, _ pgx.TraceConnectStartData) context.Context {
	return ctx
}

// TraceConnectEnd is pgx's.
func (c *connects) TraceConnectEnd(_ context.Context, data pgx.TraceConnectEndData) {
	c.mu.Lock()
	switch {
	case data.Err == nil:
		c.failures = 0
	case !errors.Is(data.Err, context.Canceled): // which says nothing of the server
		wait := min(shortestHoldOff<<min(c.failures, 10), longestHoldOff)
		c.failures++
		c.resume, c.met = time.Now().Add(wait/2+rand.N(wait/2)), data.Err
	}
	c.mu.Unlock()
	<-c.places
}

// TraceQueryStart is pgx's.
func (c *connects) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd is pgx's.
func (c *connects) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
