package pgtest

import (
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// Proxy stands at one address before a server that may go away, come back on another port, or fall silent.
type Proxy struct {
	t        testing.TB
	listener net.Listener
	flow     sync.RWMutex // held alone while nothing is to get through
	silent   atomic.Bool
	accepted atomic.Int64
	turns    atomic.Int64

	mu     sync.Mutex
	target string // host and port; empty while there is no server
	open   map[net.Conn]struct{}
	ending sync.WaitGroup
}

// NewProxy gives a test a proxy to the server of that URL. It ends with the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it lasts as long as the test
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{t: t, listener: listener, open: map[net.Conn]struct{}{}}
	p.Forward(target)
	p.ending.Go(p.accept)
	t.Cleanup(func() {
		_ = listener.Close()
		p.Cut()
		p.ending.Wait()
	})
	return p
}

// URL is address, by way of the proxy.
func (p *Proxy) URL(address string) string {
	u := p.parse(address)
	u.Host = p.listener.Addr().String()
	return u.String()
}

// Forward sends new connections to the server of that URL.
func (p *Proxy) Forward(target string) {
	host := p.parse(target).Host
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = host
}

// Cut breaks every connection and each that comes, until Forward.
func (p *Proxy) Cut() {
	p.Resume()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = ""
	for conn := range p.open {
		_ = conn.Close()
	}
}

// Silence lets nothing through, in either direction and without a word, until Resume.
func (p *Proxy) Silence() {
	if p.silent.CompareAndSwap(false, true) {
		p.flow.Lock()
	}
}

// Resume ends a Silence. What was held back gets through.
func (p *Proxy) Resume() {
	if p.silent.CompareAndSwap(true, false) {
		p.flow.Unlock()
	}
}

// Accepted counts the connections that were tried.
func (p *Proxy) Accepted() int64 { return p.accepted.Load() }

// RoundTrips counts how often a client spoke after the server had. It means something while there is one client.
func (p *Proxy) RoundTrips() int64 { return p.turns.Load() }

func (p *Proxy) parse(address string) *url.URL {
	p.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	return u
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.accepted.Add(1)
		p.ending.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	defer client.Close()
	p.mu.Lock()
	target := p.target
	p.mu.Unlock()
	if target == "" {
		return
	}
	server, err := net.Dial("tcp", target) //nolint:noctx // it lasts as long as the test
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	cut := p.target == ""
	p.open[client], p.open[server] = struct{}{}, struct{}{}
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.open, client)
		delete(p.open, server)
	}()
	if cut {
		return
	}
	var asking atomic.Bool
	var both sync.WaitGroup
	both.Go(func() {
		p.pass(server, client, func() {
			if !asking.Swap(true) {
				p.turns.Add(1)
			}
		})
	})
	both.Go(func() { p.pass(client, server, func() { asking.Store(false) }) })
	both.Wait()
}

// pass copies until either side ends, and then ends the other.
func (p *Proxy) pass(to, from net.Conn, seen func()) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			seen()
			p.flow.RLock()
			_, writeErr := to.Write(buffer[:n])
			p.flow.RUnlock()
			if writeErr != nil {
				_ = from.Close()
				return
			}
		}
		if err != nil {
			return
		}
	}
}
