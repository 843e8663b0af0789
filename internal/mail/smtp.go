package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/wneessen/go-mail/smtp"
)

// Transport takes mails to where they go from here.
type Transport interface {
	// Deliver returns nil once somebody else answers for the mail, and otherwise a *DeliveryError.
	Deliver(ctx context.Context, m Message) error
}

// DeliveryError says how far a mail came.
type DeliveryError struct {
	Permanent bool // this mail will not be taken at any time
	Unknown   bool // the server has all of the mail, and has not said whether it takes it
	Err       error
}

func (e *DeliveryError) Error() string { return e.Err.Error() }
func (e *DeliveryError) Unwrap() error { return e.Err }

// SMTPOptions are how mail goes out.
type SMTPOptions struct {
	Server *url.URL // smtp://user:password@host:587 or smtps://…:465; ?tls=none after smtp:// goes without TLS, as loopback does anyhow
	Name   string   // what this program calls itself to the server: a host name
	Bounds Bounds
	Roots  *x509.CertPool // those of the machine if nil
}

// SMTP hands each mail to a server, on a connection of its own: mails then share no state, so that neither an earlier one that was refused nor a connection that
// the server has meanwhile closed can make it unclear what became of this one. A handshake costs little beside that, as long as mails are budgeted by the minute.
type SMTP struct {
	address, host  string
	user, password string
	implicitTLS    bool
	startTLS       bool
	tls            *tls.Config
	name           string
	bounds         Bounds
}

// NewSMTP returns the way to a server. It connects to nothing yet.
func NewSMTP(o SMTPOptions) *SMTP {
	s := &SMTP{host: o.Server.Hostname(), implicitTLS: o.Server.Scheme == "smtps", name: o.Name, bounds: o.Bounds}
	if s.name == "" {
		s.name = "localhost"
	}
	port := o.Server.Port()
	switch {
	case port != "":
	case s.implicitTLS:
		port = "465"
	default:
		port = "587"
	}
	s.address = net.JoinHostPort(s.host, port)
	s.startTLS = !s.implicitTLS && o.Server.Query().Get("tls") != "none" && !isLoopback(s.host)
	s.user = o.Server.User.Username()
	s.password, _ = o.Server.User.Password()
	s.tls = &tls.Config{ServerName: s.host, RootCAs: o.Roots, MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(0)}
	return s
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// Deliver hands a mail over. When ctx ends, it ends at once, except that the answer to a whole mail is waited for a moment longer.
func (s *SMTP) Deliver(ctx context.Context, m Message) error {
	connecting, cancel := context.WithTimeout(ctx, s.bounds.Dial)
	defer cancel()
	var dialer net.Dialer
	plain, err := dialer.DialContext(connecting, "tcp", s.address)
	if err != nil {
		return &DeliveryError{Err: fmt.Errorf("connect: %w", err)}
	}
	conn := bounded(plain, s.bounds)
	defer conn.Close() // without QUIT where something failed: the library would first end the DATA that was broken off, and the server take half a mail
	patiently, stop := conn.heed(ctx, s.bounds.Grace)
	defer stop()
	client, err := s.greet(conn)
	if err != nil {
		return &DeliveryError{Err: err}
	}
	return s.hand(client, conn, m, patiently)
}

// greet is everything that has to do with the server and not with the mail. So a refusal here, even one for ever, such as of a wrong password, is none of the mail's.
func (s *SMTP) greet(conn *boundedConn) (*smtp.Client, error) {
	var transport net.Conn = conn
	if s.implicitTLS {
		secure := tls.Client(conn, s.tls)
		shaken := conn.phase(s.bounds.TLS)
		if err := secure.HandshakeContext(context.Background()); err != nil { // conn knows when to end
			return nil, fmt.Errorf("TLS: %w", err)
		}
		shaken()
		transport = secure
	}
	client, err := smtp.NewClient(transport, s.host)
	if err != nil {
		return nil, fmt.Errorf("greeting: %w", err)
	}
	if err := client.Hello(s.name); err != nil {
		return nil, fmt.Errorf("EHLO: %w", err)
	}
	if s.startTLS {
		if offered, _ := client.Extension("STARTTLS"); !offered {
			return nil, errors.New("the server offers no STARTTLS, and nothing goes out without")
		}
		shaken := conn.phase(s.bounds.TLS)
		if err := client.StartTLS(s.tls); err != nil {
			return nil, fmt.Errorf("STARTTLS: %w", err)
		}
		shaken()
	}
	if s.user == "" {
		return client, nil
	}
	mechanism, err := s.mechanism(client)
	if err != nil {
		return nil, err
	}
	if err := client.Auth(mechanism); err != nil {
		return nil, fmt.Errorf("AUTH: %w", err)
	}
	return client, nil
}

// mechanism is the best that the server knows. Where the operator has switched TLS off, that is their decision about the password as well.
func (s *SMTP) mechanism(client *smtp.Client) (smtp.Auth, error) {
	_, offered := client.Extension("AUTH")
	known := strings.Fields(strings.ToUpper(offered))
	unencrypted := !s.implicitTLS && !s.startTLS
	switch {
	case slices.Contains(known, "SCRAM-SHA-256"):
		return smtp.ScramSHA256Auth(s.user, s.password), nil
	case slices.Contains(known, "PLAIN"):
		return smtp.PlainAuth("", s.user, s.password, s.host, unencrypted), nil
	case slices.Contains(known, "LOGIN"):
		return smtp.LoginAuth(s.user, s.password, s.host, unencrypted), nil
	}
	return nil, fmt.Errorf("the server offers none of SCRAM-SHA-256, PLAIN and LOGIN, but %q", offered)
}

// hand is the mail itself.
func (s *SMTP) hand(client *smtp.Client, conn *boundedConn, m Message, patiently func()) error {
	client.SkipSMTPUTF8(isASCII(m.To) && isASCII(m.From)) // asked for without need, it keeps a mail from servers that do not know it
	if offered, _ := client.Extension("SMTPUTF8"); !offered && !isASCII(m.To) {
		return &DeliveryError{Permanent: true, Err: errors.New("the server takes no addresses beyond ASCII")}
	}
	if err := client.Mail("<" + m.From + ">"); err != nil {
		return &DeliveryError{Err: fmt.Errorf("MAIL: %w", err)} // of the sender, who is the same for all mails
	}
	if err := client.Rcpt("<" + m.To + ">"); err != nil {
		return &DeliveryError{Permanent: isRefusal(err), Err: fmt.Errorf("RCPT: %w", err)}
	}
	content, err := client.Data()
	if err != nil {
		return &DeliveryError{Permanent: isRefusal(err), Err: fmt.Errorf("DATA: %w", err)}
	}
	if _, err := content.Write(m.Raw); err != nil {
		return &DeliveryError{Err: fmt.Errorf("content: %w", err)} // without its final dot, it counts for nothing
	}
	patiently()
	if err := content.Close(); err != nil {
		var answered *textproto.Error
		return &DeliveryError{Permanent: isRefusal(err), Unknown: !errors.As(err, &answered), Err: fmt.Errorf("end of content: %w", err)}
	}
	conn.endWithin(s.bounds.Grace)
	_ = client.Quit() // manners; the mail is theirs already
	return nil
}

// isRefusal reports whether the server has answered 5xx.
func isRefusal(err error) bool {
	var answered *textproto.Error
	return errors.As(err, &answered) && answered.Code >= 500 && answered.Code < 600
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 126 }) < 0
}
