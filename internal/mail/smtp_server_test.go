package mail

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what must happen. It is no part of what is tested.
const patience = 30 * time.Second

// The steps of a conversation at which a server can stop or refuse.
const (
	atBanner   = "banner"
	atEHLO     = "EHLO"
	atSTARTTLS = "STARTTLS"
	atTLS      = "TLS" // no word in the handshake
	atAUTH     = "AUTH"
	atMAIL     = "MAIL"
	atRCPT     = "RCPT"
	atDATA     = "DATA"
	atContent  = "content" // reads no more
	atDot      = "dot"
	atQUIT     = "QUIT"
)

// received is a mail as a server got it.
type received struct {
	from, to string
	content  string
	secure   bool
	user     string
}

// server is an SMTP server on loopback, which behaves as badly as it is told to.
type server struct {
	implicit bool   // TLS from the beginning
	startTLS bool   // offered
	auth     string // offered
	extra    string // a further extension that is offered
	stopAt   string
	hangUpAt string
	refuse   map[string]string                      // what is answered at a step instead
	instead  func(conn net.Conn)                    // of everything
	before   func(ctx context.Context, step string) // called at each step

	listener net.Listener
	tls      *tls.Config
	roots    *x509.CertPool
	ctx      context.Context
	serving  sync.WaitGroup
	mu       sync.Mutex
	mails    []received
	plain    strings.Builder // all that came unencrypted
	reached  map[string]int
}

// start starts a server, which ends with the test.
func start(t *testing.T, s *server) *server {
	t.Helper()
	certified := httptest.NewTLSServer(nil) // for its certificate, which is for 127.0.0.1
	certified.Close()
	s.tls = &tls.Config{Certificates: certified.TLS.Certificates}
	s.roots = x509.NewCertPool()
	s.roots.AddCert(certified.Certificate())
	s.reached = map[string]int{}
	var err error
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.ctx = ctx
	s.serving.Go(func() {
		for {
			conn, err := s.listener.Accept()
			if err != nil {
				return
			}
			s.serving.Go(func() {
				defer conn.Close()
				stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
				defer stop()
				s.converse(conn)
			})
		}
	})
	t.Cleanup(func() {
		cancel()
		_ = s.listener.Close()
		s.serving.Wait()
	})
	return s
}

// url is the server's address, with a user and password or without.
func (s *server) url(user *url.Userinfo) *url.URL {
	u := &url.URL{Scheme: "smtp", Host: s.listener.Addr().String(), User: user}
	if s.implicit {
		u.Scheme = "smtps"
	}
	return u
}

// got are the mails that it has taken.
func (s *server) got() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.mails...)
}

// reachedTimes is how often a conversation came to a step.
func (s *server) reachedTimes(step string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reached[step]
}

func (s *server) overheard() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plain.String()
}

// overhearing keeps what is read from a connection.
type overhearing struct {
	net.Conn
	s *server
}

func (o overhearing) Read(p []byte) (int, error) {
	n, err := o.Conn.Read(p)
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	o.s.plain.Write(p[:n])
	return n, err
}

// answer answers at a step, as it should or as it was told to; false if the conversation is over.
func (s *server) answer(w io.Writer, step, usual string) (usually, goesOn bool) {
	s.mu.Lock()
	s.reached[step]++
	refusal := s.refuse[step]
	s.mu.Unlock()
	if s.before != nil {
		s.before(s.ctx, step)
	}
	switch {
	case s.stopAt == step:
		<-s.ctx.Done()
		return false, false
	case s.hangUpAt == step:
		return false, false
	case refusal != "":
		_, err := io.WriteString(w, refusal+"\r\n")
		return false, err == nil
	}
	_, err := io.WriteString(w, usual)
	return true, err == nil
}

func (s *server) converse(conn net.Conn) {
	if s.instead != nil {
		s.instead(conn)
		return
	}
	if s.implicit {
		if s.stopAt == atTLS {
			<-s.ctx.Done()
			return
		}
		conn = tls.Server(conn, s.tls)
	} else {
		conn = overhearing{conn, s}
	}
	if _, on := s.answer(conn, atBanner, "220 mail.example.com ESMTP\r\n"); !on {
		return
	}
	var m received
	m.secure = s.implicit
	r := bufio.NewReader(conn)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		var done, on bool
		switch verb = strings.ToUpper(verb); verb {
		case "EHLO", "HELO":
			_, on = s.answer(conn, atEHLO, s.extensions(m.secure))
		case "STARTTLS":
			if done, on = s.answer(conn, atSTARTTLS, "220 go on\r\n"); done && on {
				if s.stopAt == atTLS {
					<-s.ctx.Done()
					return
				}
				conn = tls.Server(conn, s.tls)
				r, m.secure = bufio.NewReader(conn), true
			}
		case "AUTH":
			_, on = s.authenticate(conn, r, rest, &m)
		case "MAIL":
			m.from = strings.TrimPrefix(rest, "FROM:")
			_, on = s.answer(conn, atMAIL, "250 ok\r\n")
		case "RCPT":
			m.to = strings.TrimPrefix(rest, "TO:")
			_, on = s.answer(conn, atRCPT, "250 ok\r\n")
		case "DATA":
			if done, on = s.answer(conn, atDATA, "354 go on\r\n"); done && on {
				on = s.content(conn, r, &m)
			}
		case "QUIT":
			_, _ = s.answer(conn, atQUIT, "221 bye\r\n")
			return
		default:
			_, err := io.WriteString(conn, "502 what?\r\n")
			on = err == nil
		}
		if !on {
			return
		}
	}
}

func (s *server) extensions(secure bool) string {
	all := []string{"mail.example.com", "8BITMIME"}
	if s.startTLS && !secure {
		all = append(all, "STARTTLS")
	}
	if s.auth != "" {
		all = append(all, "AUTH "+s.auth)
	}
	if s.extra != "" {
		all = append(all, s.extra)
	}
	var out strings.Builder
	for i, line := range all {
		separator := "-"
		if i == len(all)-1 {
			separator = " "
		}
		fmt.Fprintf(&out, "250%s%s\r\n", separator, line)
	}
	return out.String()
}

func (s *server) authenticate(conn net.Conn, r *bufio.Reader, rest string, m *received) (done, on bool) {
	mechanism, initial, _ := strings.Cut(rest, " ")
	switch mechanism {
	case "PLAIN":
		said, _ := base64.StdEncoding.DecodeString(initial)
		m.user = strings.ReplaceAll(string(said), "\x00", "|")
	case "LOGIN":
		for _, prompt := range []string{"Username:", "Password:"} {
			_, _ = fmt.Fprintf(conn, "334 %s\r\n", base64.StdEncoding.EncodeToString([]byte(prompt)))
			line, _ := r.ReadString('\n')
			said, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(line))
			m.user += "|" + string(said)
		}
	}
	return s.answer(conn, atAUTH, "235 welcome\r\n")
}

func (s *server) content(conn net.Conn, r *bufio.Reader, m *received) bool {
	if s.stopAt == atContent || s.hangUpAt == atContent {
		s.answer(conn, atContent, "")
		return false
	}
	var content strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return false
		}
		if line == ".\r\n" {
			break
		}
		content.WriteString(strings.TrimPrefix(line, "."))
	}
	m.content = content.String()
	s.mu.Lock()
	if s.stopAt != atDot && s.hangUpAt != atDot && s.refuse[atDot] == "" {
		s.mails = append(s.mails, *m)
	}
	s.mu.Unlock()
	_, on := s.answer(conn, atDot, "250 it is ours\r\n")
	return on
}
