package pgtest

import (
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Conversation is a connection to the database through a proxy that sees its messages.
type Conversation struct {
	Marks          map[string]bool // what the test wants to remember of it
	client, server net.Conn
}

// Close ends it on both sides.
func (c *Conversation) Close() {
	_ = c.client.Close() // either end may be closed already
	_ = c.server.Close()
}

// ThroughMessages returns the address of a proxy before the database at address. pass decides about each message of either side.
// It ends with the test.
func ThroughMessages(t testing.TB, address string, pass func(c *Conversation, toServer bool, kind byte, body []byte) bool) string {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it lasts as long as the test
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex // pass sees one message at a time
	var open []*Conversation
	var running sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		mu.Lock()
		for _, c := range open {
			c.Close()
		}
		mu.Unlock()
		running.Wait()
	})
	forward := func(c *Conversation, toServer bool, from, to net.Conn) {
		defer c.Close()
		for {
			message, err := readMessage(from)
			if err != nil {
				return
			}
			mu.Lock()
			passed := pass(c, toServer, message[0], message[5:])
			mu.Unlock()
			if !passed {
				continue
			}
			if _, err := to.Write(message); err != nil {
				return
			}
		}
	}
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target.Host) //nolint:noctx // to a server on this machine
			if err != nil {
				_ = client.Close()
				return
			}
			c := &Conversation{Marks: map[string]bool{}, client: client, server: server}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			if err := forwardStartup(client, server); err != nil {
				c.Close()
				continue
			}
			running.Go(func() { forward(c, true, client, server) })
			running.Go(func() { forward(c, false, server, client) })
		}
	})
	through := *target
	through.Host = listener.Addr().String()
	query := through.Query()
	query.Set("sslmode", "disable")
	through.RawQuery = query.Encode()
	return through.String()
}

// readMessage reads a message of the protocol: its kind, its length and its body.
func readMessage(from io.Reader) ([]byte, error) {
	message := make([]byte, 5)
	if _, err := io.ReadFull(from, message); err != nil {
		return nil, err
	}
	body := make([]byte, binary.BigEndian.Uint32(message[1:])-4)
	_, err := io.ReadFull(from, body)
	return append(message, body...), err
}

// forwardStartup passes on a connection's first message, the one that has no kind.
func forwardStartup(from io.Reader, to io.Writer) error {
	message := make([]byte, 4)
	if _, err := io.ReadFull(from, message); err != nil {
		return err
	}
	body := make([]byte, binary.BigEndian.Uint32(message)-4)
	if _, err := io.ReadFull(from, body); err != nil {
		return err
	}
	_, err := to.Write(append(message, body...))
	return err
}
