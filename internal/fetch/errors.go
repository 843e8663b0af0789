package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
)

// ErrRefused is within every error about what is not asked for at all, whatever would answer there.
var ErrRefused = errors.New("fetch: not allowed")

// Reason says in a word why there is no response. It is kept with a link's preview, and counted.
type Reason string

// What is refused; errors.Is(err, ErrRefused) holds.
const (
	RefusedURL       Reason = "url"       // it cannot be read as one
	RefusedScheme    Reason = "scheme"    // neither http nor https
	RefusedUser      Reason = "user"      // it carries a name or a password
	RefusedHost      Reason = "host"      // no name of the Internet, or an address in an odd notation
	RefusedPort      Reason = "port"      // neither 80 nor 443
	RefusedAddress   Reason = "address"   // it leads inside
	RefusedDowngrade Reason = "downgrade" // from https to http
	RefusedRedirects Reason = "redirects" // one too many
)

// What went wrong with what was allowed.
const (
	FailedName      Reason = "name"      // it does not resolve
	FailedConnect   Reason = "connect"   // nobody listens there
	FailedTLS       Reason = "tls"       // no TLS, or a certificate that cannot be trusted
	FailedTime      Reason = "time"      // a step, or the whole, took too long
	FailedProtocol  Reason = "protocol"  // no HTTP, or too much of a header
	FailedSize      Reason = "size"      // longer than Limits.Bytes
	FailedExpansion Reason = "expansion" // compressed more than any text is
	FailedEncoding  Reason = "encoding"  // compressed in a way that was not asked for, or damaged
	FailedLength    Reason = "length"    // it ended before its end
	FailedBusy      Reason = "busy"      // too much else was being fetched meanwhile
	FailedStatus    Reason = "status"    // an answer, but no page: only of previews
)

func (r Reason) refused() bool {
	switch r {
	case RefusedURL, RefusedScheme, RefusedUser, RefusedHost, RefusedPort, RefusedAddress, RefusedDowngrade, RefusedRedirects:
		return true
	default:
		return false
	}
}

// Error is what Get and Post return where there is no response, unless the caller's own context ended.
type Error struct {
	Reason Reason
	err    error
}

func fail(reason Reason, err error) *Error { return &Error{Reason: reason, err: err} }

func failf(reason Reason, format string, a ...any) *Error {
	return fail(reason, fmt.Errorf(format, a...))
}

func (e *Error) Error() string { return fmt.Sprintf("fetch: %s: %v", e.Reason, e.err) }
func (e *Error) Unwrap() error { return e.err }

// Is makes every refusal an ErrRefused.
func (e *Error) Is(target error) bool { return target == ErrRefused && e.Reason.refused() }

// ReasonOf is the reason within an error of this package; empty where there is none.
func ReasonOf(err error) Reason {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

// explain finds the reason for an error of net/http or of what lies beneath. otherwise is the reason where nothing else is known.
func explain(err error, otherwise Reason) error {
	var (
		known       *Error
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		alert       tls.AlertError
		authority   x509.UnknownAuthorityError
		network     net.Error
		operation   *net.OpError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return fail(FailedTime, err)
	case errors.As(err, &name):
		return fail(FailedName, err)
	case errors.As(err, &certificate), errors.As(err, &record), errors.As(err, &alert), errors.As(err, &authority):
		return fail(FailedTLS, err)
	case errors.As(err, &operation) && operation.Op == "dial":
		return fail(FailedConnect, err)
	case errors.As(err, &operation) && operation.Op == "remote error": // how crypto/tls reports the other side's alert
		return fail(FailedTLS, err)
	}
	return fail(otherwise, err)
}
