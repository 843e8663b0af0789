package mail

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// Bounds are how long a server may take. A server that says nothing, or too little too slowly, must not hold up those who come after.
type Bounds struct {
	Dial  time.Duration // to connect
	TLS   time.Duration // for a handshake
	Step  time.Duration // for each read and each write
	Whole time.Duration // for one mail, however busy the connection is
	Grace time.Duration // for the server's word on a mail that it has whole, when the program is told to stop
}

// DefaultBounds are shorter than RFC 5321 would have them (4.5.3.2), and together less than the minute that the outbox gives: a mail that did not get through is tried
// again, by its own queue.
func DefaultBounds() Bounds {
	return Bounds{Dial: 8 * time.Second, TLS: 10 * time.Second, Step: 30 * time.Second, Whole: 50 * time.Second, Grace: 5 * time.Second}
}

// maxAnswers bounds what a server may say about one mail, so that it cannot fill the memory within the time it has.
const maxAnswers = 1 << 20

var errTooMuchSaid = errors.New("mail: the server talks without end")

// boundedConn gives each read and each write its own deadline, none later than the end of all. Deadlines that others set are ignored: they would lift these.
type boundedConn struct {
	net.Conn
	step time.Duration

	mu    sync.Mutex
	end   time.Time
	limit time.Time // of the present phase; zero for none
	heard int
}

func bounded(conn net.Conn, b Bounds) *boundedConn {
	return &boundedConn{Conn: conn, step: b.Step, end: time.Now().Add(b.Whole)}
}

// endWithin ends everything on the connection after a while, if that is sooner than it would have ended anyhow; also what is being waited for at present.
func (c *boundedConn) endWithin(wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if end := time.Now().Add(wait); end.Before(c.end) {
		c.end = end
		_ = c.Conn.SetDeadline(end) // fails on a connection that has ended, which is what is wanted
	}
}

// phase bounds several steps together, until the returned function is called.
func (c *boundedConn) phase(bound time.Duration) (over func()) {
	set := func(limit time.Time) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.limit = limit
	}
	set(time.Now().Add(bound))
	return func() { set(time.Time{}) }
}

// next is when the step that begins now has to be over. It is called with the lock held.
func (c *boundedConn) next() time.Time {
	next := time.Now().Add(c.step)
	for _, sooner := range []time.Time{c.limit, c.end} {
		if !sooner.IsZero() && sooner.Before(next) {
			next = sooner
		}
	}
	return next
}

func (c *boundedConn) begin(set func(time.Time) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return set(c.next())
}

func (c *boundedConn) Read(p []byte) (int, error) {
	if err := c.begin(c.Conn.SetReadDeadline); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(p)
	if err != nil {
		c.endWithin(0) // whoever goes on regardless, as the library does from EHLO to HELO, does not get the same time once more
		return n, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heard += n; c.heard > maxAnswers {
		return 0, errTooMuchSaid
	}
	return n, nil
}

func (c *boundedConn) Write(p []byte) (int, error) {
	if err := c.begin(c.Conn.SetWriteDeadline); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

func (c *boundedConn) SetDeadline(time.Time) error      { return nil }
func (c *boundedConn) SetReadDeadline(time.Time) error  { return nil }
func (c *boundedConn) SetWriteDeadline(time.Time) error { return nil }

// heed ends the connection when ctx does, until stop is called. Once patiently has been called, it is not ended at once, but given grace.
func (c *boundedConn) heed(ctx context.Context, grace time.Duration) (patiently func(), stop func() bool) {
	var mu sync.Mutex
	var wait time.Duration
	stop = context.AfterFunc(ctx, func() {
		mu.Lock()
		defer mu.Unlock()
		c.endWithin(wait)
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		wait = grace
	}, stop
}
