package fetch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) } // which looks for goroutines left over, too

// names is a DNS server on loopback. A name resolves to what the function says at the moment it is asked.
type nameServer struct {
	resolver *net.Resolver
	mu       sync.Mutex
	records  map[string]func() []netip.Addr
}

func newNameServer(t *testing.T) *nameServer {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	s := &nameServer{records: map[string]func() []netip.Addr{}}
	s.resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp4", conn.LocalAddr().String())
	}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			packet := make([]byte, 1500)
			n, from, err := conn.ReadFromUDP(packet)
			if err != nil {
				return
			}
			if answer, err := s.answer(packet[:n]); err == nil {
				_, _ = conn.WriteToUDP(answer, from)
			}
		}
	}()
	t.Cleanup(func() { _ = conn.Close(); <-done })
	return s
}

// set has a name resolve to the same addresses always.
func (s *nameServer) set(name string, addresses ...string) {
	all := make([]netip.Addr, len(addresses))
	for i, a := range addresses {
		all[i] = netip.MustParseAddr(a)
	}
	s.setFunc(name, func() []netip.Addr { return all })
}

func (s *nameServer) setFunc(name string, f func() []netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records[name+"."] = f
}

func (s *nameServer) answer(packet []byte) ([]byte, error) {
	var question dnsmessage.Message
	if err := question.Unpack(packet); err != nil || len(question.Questions) != 1 {
		return nil, fmt.Errorf("no question: %w", err)
	}
	asked := question.Questions[0]
	answer := dnsmessage.Message{Header: dnsmessage.Header{ID: question.ID, Response: true, Authoritative: true, RecursionAvailable: true}, Questions: question.Questions}
	s.mu.Lock()
	record, ok := s.records[strings.ToLower(asked.Name.String())]
	s.mu.Unlock()
	if !ok {
		answer.RCode = dnsmessage.RCodeNameError
		return answer.Pack()
	}
	for _, address := range record() {
		header := dnsmessage.ResourceHeader{Name: asked.Name, Class: dnsmessage.ClassINET}
		switch {
		case asked.Type == dnsmessage.TypeA && address.Is4():
			answer.Answers = append(answer.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: address.As4()}})
		case asked.Type == dnsmessage.TypeAAAA && address.Is6():
			answer.Answers = append(answer.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: address.As16()}})
		}
	}
	return answer.Pack()
}

// site is a server on loopback that counts who comes.
type site struct {
	address string // host:port
	port    uint16
	visits  atomic.Int64
}

// serve starts an HTTP server at an address of loopback.
func serve(t *testing.T, address string, handler http.HandlerFunc) *site {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(listener)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.visits.Add(1)
		handler(w, r)
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return s
}

func newSite(listener net.Listener) *site {
	at := netip.MustParseAddrPort(listener.Addr().String())
	return &site{address: at.String(), port: at.Port()}
}

// serveRaw starts a server that says what it wants once it has read a request's header. speak gets the path, and a channel that is closed when the test is over.
func serveRaw(t *testing.T, speak func(path string, conn net.Conn, over <-chan struct{})) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(listener)
	over := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.visits.Add(1)
			all.Go(func() {
				defer func() { _ = conn.Close() }()
				request, err := http.ReadRequest(bufio.NewReader(conn))
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, request.Body)
				speak(request.URL.Path, conn, over)
			})
		}
	})
	t.Cleanup(func() { close(over); _ = listener.Close(); all.Wait() })
	return s
}

// drip writes the same piece again and again until the other side has had enough.
func drip(conn net.Conn, piece string, every time.Duration, over <-chan struct{}) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if _, err := io.WriteString(conn, piece); err != nil {
			return
		}
		select {
		case <-tick.C:
		case <-over:
			return
		}
	}
}
