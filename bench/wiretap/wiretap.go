// Package wiretap stands between a program and PostgreSQL, and tells how often the program waited for an answer and which statements it
// sent. It is for counting, not for measuring time.
package wiretap

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
)

// Tap is a proxy on loopback.
type Tap struct {
	listener net.Listener
	server   string
	trips    atomic.Int64

	mu    sync.Mutex
	sent  [][]string // a row for each transaction that was begun since it was last asked
	asked int        // how often it was asked
}

// Listen opens a tap before the server of a database's URL, which must do without TLS.
func Listen(databaseURL string) (*Tap, error) {
	u, err := url.Parse(databaseURL)
	if err != nil {
		return nil, errors.New("wiretap: malformed URL") // the original would print the password
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // at once
	if err != nil {
		return nil, fmt.Errorf("wiretap: %w", err)
	}
	t := &Tap{listener: listener, server: u.Host}
	go t.accept()
	return t, nil
}

// Through is the URL of the same database, through the tap.
func (t *Tap) Through(databaseURL string) string {
	return strings.Replace(databaseURL, t.server, t.listener.Addr().String(), 1)
}

// Trips is how often the server has said that it is the program's turn: once per round trip.
func (t *Tap) Trips() int64 { return t.trips.Load() }

// Transaction returns what was sent in the longest transaction that was begun since it was last asked, in order: the name of a query that sqlc has named, else its first words.
// What a program does beside it, on connections of their own, such as work that nobody waits for, is in shorter ones.
func (t *Tap) Transaction() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var longest []string
	for _, transaction := range t.sent {
		if len(transaction) > len(longest) {
			longest = transaction
		}
	}
	t.sent = nil
	t.asked++
	return longest
}

// Close takes no further connections.
func (t *Tap) Close() error { return t.listener.Close() }

func (t *Tap) accept() {
	for {
		program, err := t.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", t.server) //nolint:noctx // loopback
		if err != nil {
			_ = program.Close()
			continue
		}
		go t.pass(server, program, true, t.reader())
		go t.pass(program, server, false, func(kind byte, _ []byte) {
			if kind == readyForQuery {
				t.trips.Add(1)
			}
		})
	}
}

const (
	readyForQuery = 'Z'
	parse         = 'P'
	bind          = 'B'
	query         = 'Q'
)

// reader returns what listens to one connection's program.
func (t *Tap) reader() func(kind byte, body []byte) {
	prepared := map[string]string{}
	current := place{row: -1}
	return func(kind byte, body []byte) {
		switch kind {
		case parse:
			name, rest, _ := bytes.Cut(body, []byte{0})
			text, _, _ := bytes.Cut(rest, []byte{0})
			prepared[string(name)] = string(text)
		case bind:
			_, rest, _ := bytes.Cut(body, []byte{0})
			name, _, _ := bytes.Cut(rest, []byte{0})
			t.note(&current, prepared[string(name)])
		case query:
			text, _, _ := bytes.Cut(body, []byte{0})
			t.note(&current, string(text))
		}
	}
}

// place is the row of a connection's present transaction.
type place struct{ asked, row int }

func (t *Tap) note(at *place, statement string) {
	if name, ok := strings.CutPrefix(statement, "-- name: "); ok {
		statement, _, _ = strings.Cut(name, " ")
	} else {
		words := strings.Fields(statement)
		statement = strings.Join(words[:min(len(words), 6)], " ")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if begins := strings.HasPrefix(strings.ToLower(statement), "begin"); begins {
		*at = place{asked: t.asked, row: len(t.sent)}
		t.sent = append(t.sent, nil)
	} else if at.row < 0 || at.asked != t.asked {
		return // of a transaction that was begun before, or of none
	}
	t.sent[at.row] = append(t.sent[at.row], statement)
}

// pass copies messages until one side ends, which ends the other. A program's first message has no kind.
func (t *Tap) pass(to, from net.Conn, fromProgram bool, listen func(kind byte, body []byte)) {
	defer to.Close()
	defer from.Close()
	in, out := bufio.NewReader(from), bufio.NewWriter(to)
	var header [5]byte
	head := header[:]
	if fromProgram {
		head = header[1:]
	}
	for {
		if _, err := io.ReadFull(in, head); err != nil {
			return
		}
		length := binary.BigEndian.Uint32(head[len(head)-4:])
		if length < 4 || length > 1<<26 {
			return
		}
		body := make([]byte, length-4)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		if len(head) == len(header) {
			listen(head[0], body)
		}
		_, _ = out.Write(head) // a failure is told by Flush
		_, _ = out.Write(body)
		if in.Buffered() == 0 && out.Flush() != nil {
			return
		}
		head = header[:]
	}
}
