package mail

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// never is a bound that no test waits for.
const never = time.Hour

// unbounded are bounds of which each test shortens the one that it is about.
func unbounded() Bounds {
	return Bounds{Dial: never, TLS: never, Step: never, Whole: never, Grace: never}
}

// soon is a bound that is waited for.
const soon = 50 * time.Millisecond

var credentials = url.UserPassword("okr", "s3cr3t/:@")

// client is the way to a server, with STARTTLS if the server offers it: to loopback it goes without by itself.
func client(s *server, b Bounds) *SMTP {
	c := NewSMTP(SMTPOptions{Server: s.url(credentials), Name: "okr.example.com", Bounds: b, Roots: s.roots})
	if s.auth == "" {
		c.user = ""
	}
	c.startTLS = s.startTLS
	return c
}

// message is a mail of a size: of 32 MB, it fits into no buffer between here and there, so that whoever does not read holds up whoever writes.
func message(size int) Message {
	line := strings.Repeat("x", 70) + "\r\n"
	raw := bytes.Repeat([]byte(line), size/len(line)+1)
	return Message{ID: uuid.New(), From: "okr@example.com", To: "aoi@example.com", Raw: append([]byte("Subject: x\r\n\r\n"), raw...)}
}

// messageFor is large where the server is to stop reading, and small elsewhere, so that a slow machine does not get to another bound first.
func messageFor(step string) Message {
	if step == atContent {
		return message(32 << 20)
	}
	return message(100)
}

// deliver fails the test if the delivery does not end by itself.
func deliver(ctx context.Context, t *testing.T, c *SMTP, m Message) error {
	t.Helper()
	outcome := make(chan error, 1)
	go func() { outcome <- c.Deliver(ctx, m) }()
	select {
	case err := <-outcome:
		return err
	case <-time.After(patience):
		t.Fatal("it hangs")
		return nil
	}
}

func failure(t *testing.T, err error) *DeliveryError {
	t.Helper()
	var failed *DeliveryError
	require.ErrorAs(t, err, &failed)
	return failed
}

func TestAServerThatFallsSilentIsLeft(t *testing.T) {
	t.Parallel()
	for _, step := range []string{atBanner, atEHLO, atSTARTTLS, atTLS, atAUTH, atMAIL, atRCPT, atDATA, atContent, atDot} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			s := start(t, &server{stopAt: step, startTLS: true, auth: "PLAIN"})
			b := unbounded()
			b.Step = soon
			if step == atDot { // to which it has to get first, on a slow machine too
				b.Step = 5 * time.Second
			}
			err := failure(t, deliver(t.Context(), t, client(s, b), messageFor(step)))
			assertTimeout(t, err)
			assert.Equal(t, step == atDot, err.Unknown, "%v", err)
			assert.False(t, err.Permanent)
			assert.Empty(t, s.got())
		})
	}
}

// assertTimeout requires an error that says of itself that time ran out.
func assertTimeout(t *testing.T, err error) {
	t.Helper()
	var network net.Error
	assert.True(t, errors.As(err, &network) && network.Timeout(), "%v", err)
}

func TestAServerThatIsSilentAfterTheMailHasTakenIt(t *testing.T) {
	t.Parallel()
	s := start(t, &server{stopAt: atQUIT})
	b := unbounded()
	b.Grace = soon
	require.NoError(t, deliver(t.Context(), t, client(s, b), message(100)))
	assert.Len(t, s.got(), 1)
}

func TestAHandshakeHasItsOwnBound(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*server{"smtps": {implicit: true, stopAt: atTLS}, "STARTTLS": {startTLS: true, stopAt: atTLS}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := unbounded()
			b.TLS = soon
			assertTimeout(t, deliver(t.Context(), t, client(start(t, s), b), message(100)))
		})
	}
}

// A handshake's bound ends with the handshake.
func TestAHandshakesBoundIsNotTheMails(t *testing.T) {
	t.Parallel()
	b := unbounded()
	b.TLS = 3 * time.Second
	for name, s := range map[string]*server{"smtps": {implicit: true}, "STARTTLS": {startTLS: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.before = func(ctx context.Context, step string) {
				if step == atMAIL {
					select {
					case <-ctx.Done():
					case <-time.After(b.TLS + 100*time.Millisecond):
					}
				}
			}
			require.NoError(t, deliver(t.Context(), t, client(start(t, s), b), message(100)))
		})
	}
}

// Each read succeeds, so only the bound on the whole ends it.
func TestAServerThatTricklesIsLeft(t *testing.T) {
	t.Parallel()
	s := start(t, &server{instead: func(conn net.Conn) {
		for {
			if _, err := conn.Write([]byte("2")); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}})
	b := unbounded()
	b.Whole = 3 * soon
	require.Error(t, deliver(t.Context(), t, client(s, b), message(100)))
}

func TestAServerThatTalksWithoutEndIsLeft(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{"one line": strings.Repeat("2", 4096), "many lines": strings.Repeat("220-hello\r\n", 400)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, &server{instead: func(conn net.Conn) {
				for {
					if _, err := conn.Write([]byte(line)); err != nil {
						return
					}
				}
			}})
			assert.ErrorIs(t, deliver(t.Context(), t, client(s, unbounded()), message(100)), errTooMuchSaid)
		})
	}
}

// A listener whose queue is full answers no further connection, neither with yes nor with no.
func TestAServerThatTakesNoConnectionIsLeft(t *testing.T) {
	t.Parallel()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Close(socket) })
	require.NoError(t, syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	require.NoError(t, syscall.Listen(socket, 0))
	address, err := syscall.Getsockname(socket)
	require.NoError(t, err)
	here := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: address.(*syscall.SockaddrInet4).Port}
	for full := false; !full; {
		conn, err := net.DialTimeout("tcp", here.String(), time.Second)
		if full = err != nil; !full {
			t.Cleanup(func() { _ = conn.Close() })
		}
	}
	b := unbounded()
	b.Dial = soon
	c := NewSMTP(SMTPOptions{Server: &url.URL{Scheme: "smtp", Host: here.String()}, Bounds: b})
	assertTimeout(t, deliver(t.Context(), t, c, message(100)))
}

func TestBeingToldToStopEndsADelivery(t *testing.T) {
	t.Parallel()
	for _, step := range []string{atBanner, atEHLO, atTLS, atAUTH, atMAIL, atRCPT, atDATA, atContent, atDot} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			s := &server{stopAt: step, startTLS: true, auth: "PLAIN"}
			if step == atTLS {
				s.stopAt = atSTARTTLS
			}
			s.before = func(_ context.Context, at string) {
				if at == s.stopAt {
					cancel()
				}
			}
			b := unbounded()
			b.Grace = soon // which a mail that the server has is given
			err := failure(t, deliver(ctx, t, client(start(t, s), b), messageFor(step)))
			assert.Equal(t, step == atDot, err.Unknown, "%v", err)
		})
	}
}

// The server takes its time with a mail that it has, and the program is told to stop meanwhile: the answer is still heard.
func TestTheAnswerToAWholeMailIsWaitedFor(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := start(t, &server{before: func(_ context.Context, at string) {
		if at == atDot {
			cancel()
			time.Sleep(soon) // in which a client that gave up at once would have done so
		}
	}})
	require.NoError(t, deliver(ctx, t, client(s, unbounded()), message(100)))
	assert.Len(t, s.got(), 1)
}

func TestWhatRefusalsMean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		step, answer       string
		permanent, unknown bool
	}{
		{step: atBanner, answer: "554 go away"},
		{step: atEHLO, answer: "550 who?"},
		{step: atSTARTTLS, answer: "454 not now"},
		{step: atAUTH, answer: "535 5.7.8 wrong password"}, // the operator's mistake, and none of the mail's
		{step: atAUTH, answer: "454 4.7.0 not now"},
		{step: atMAIL, answer: "550 5.7.1 not from you"},
		{step: atMAIL, answer: "421 4.3.2 closing"},
		{step: atRCPT, answer: "550 5.1.1 nobody here", permanent: true},
		{step: atRCPT, answer: "553 5.1.3 bad address", permanent: true},
		{step: atRCPT, answer: "450 4.2.1 come back"},
		{step: atRCPT, answer: "452 4.2.2 full"},
		{step: atDATA, answer: "554 5.7.1 no", permanent: true},
		{step: atDATA, answer: "451 4.3.0 not now"},
		{step: atDot, answer: "552 5.3.4 too large", permanent: true},
		{step: atDot, answer: "451 4.3.0 not now"},
		{step: atDot, answer: "??? what is this", unknown: true},
	} {
		t.Run(c.step+" "+c.answer, func(t *testing.T) {
			t.Parallel()
			s := start(t, &server{refuse: map[string]string{c.step: c.answer}, startTLS: true, auth: "PLAIN LOGIN"})
			err := failure(t, deliver(t.Context(), t, client(s, unbounded()), message(100)))
			assert.Equal(t, c.permanent, err.Permanent, "%v", err)
			assert.Equal(t, c.unknown, err.Unknown, "%v", err)
			assert.Empty(t, s.got())
			if !c.unknown {
				_, said, _ := strings.Cut(c.answer, " ")
				assert.Contains(t, err.Error(), said)
			}
		})
	}
}

func TestConnectionsThatBreak(t *testing.T) {
	t.Parallel()
	for _, step := range []string{atBanner, atEHLO, atSTARTTLS, atAUTH, atMAIL, atRCPT, atDATA, atContent, atDot} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			s := start(t, &server{hangUpAt: step, startTLS: true, auth: "PLAIN"})
			err := failure(t, deliver(t.Context(), t, client(s, unbounded()), messageFor(step)))
			assert.False(t, err.Permanent, "%v", err)
			assert.Equal(t, step == atDot, err.Unknown, "%v", err)
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		t.Parallel()
		s := start(t, &server{})
		c := client(s, unbounded())
		_ = s.listener.Close()
		err := failure(t, deliver(t.Context(), t, c, message(100)))
		assert.False(t, err.Permanent || err.Unknown)
	})
}

func TestMailArrivesAsItIs(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*server{
		"plain":              {},
		"SMTPUTF8 unused":    {extra: "SMTPUTF8"},
		"STARTTLS":           {startTLS: true},
		"STARTTLS and PLAIN": {startTLS: true, auth: "LOGIN PLAIN"},
		"STARTTLS and LOGIN": {startTLS: true, auth: "LOGIN XOAUTH2"},
		"smtps and PLAIN":    {implicit: true, auth: "PLAIN"},
		"plain and PLAIN":    {auth: "PLAIN"}, // to loopback, or where the operator has switched TLS off
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start(t, s)
			m := message(100)
			m.Raw = append(m.Raw, []byte("..a line with dots\r\n.\r\nafter the dot\r\n")...)
			require.NoError(t, deliver(t.Context(), t, client(s, DefaultBounds()), m))
			got := s.got()
			require.Len(t, got, 1)
			assert.Equal(t, string(m.Raw), got[0].content)
			assert.Equal(t, "<okr@example.com> BODY=8BITMIME", got[0].from)
			assert.Equal(t, "<aoi@example.com>", got[0].to)
			assert.Equal(t, s.implicit || s.startTLS, got[0].secure)
			if s.auth != "" {
				assert.Equal(t, "|okr|s3cr3t/:@", got[0].user)
			}
		})
	}
}

func TestNothingGoesOutWithoutTLS(t *testing.T) {
	t.Parallel()
	assert.True(t, NewSMTP(SMTPOptions{Server: &url.URL{Scheme: "smtp", Host: "mail.example.com"}}).startTLS)
	assert.True(t, NewSMTP(SMTPOptions{Server: &url.URL{Scheme: "smtp", Host: "10.0.0.1:25"}}).startTLS)
	for _, server := range []string{"smtp://localhost", "smtp://127.0.0.1", "smtp://[::1]", "smtp://mail.example.com?tls=none", "smtps://mail.example.com"} {
		u, err := url.Parse(server)
		require.NoError(t, err)
		assert.False(t, NewSMTP(SMTPOptions{Server: u}).startTLS, server)
	}
	t.Run("not offered", func(t *testing.T) {
		t.Parallel()
		s := start(t, &server{auth: "PLAIN"})
		c := client(s, unbounded())
		c.startTLS = true
		require.ErrorContains(t, deliver(t.Context(), t, c, message(100)), "STARTTLS")
		assert.NotContains(t, s.overheard(), "AUTH")
	})
	t.Run("a certificate of somebody else", func(t *testing.T) {
		t.Parallel()
		s := start(t, &server{startTLS: true, auth: "PLAIN"})
		c := client(s, unbounded())
		c.tls.ServerName = "mail.example.org"
		require.ErrorContains(t, deliver(t.Context(), t, c, message(100)), "certificate")
		assert.Zero(t, s.reachedTimes(atAUTH))
	})
}

// Not more than it says may stand in an address, so no command can be smuggled in: compose refuses such addresses first.
func TestAddressesAreOnALineOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := start(t, &server{})
	m := message(100)
	m.To = "aoi@example.com>\r\nRCPT TO:<eve@example.net"
	require.Error(t, deliver(t.Context(), t, client(s, unbounded()), m))
	assert.NotContains(t, s.overheard(), "eve")
}

func TestAddressesBeyondASCIINeedAServerThatTakesThem(t *testing.T) {
	t.Parallel()
	m := message(100)
	m.To = "葵@example.jp"
	assert.True(t, failure(t, deliver(t.Context(), t, client(start(t, &server{}), unbounded()), m)).Permanent)
	s := start(t, &server{extra: "SMTPUTF8"})
	require.NoError(t, deliver(t.Context(), t, client(s, unbounded()), m))
	assert.Equal(t, "<葵@example.jp>", s.got()[0].to)
	assert.Contains(t, s.got()[0].from, " SMTPUTF8")
}
