// Package fetch is everything that this program asks of strangers over HTTP: icons, previews of links, webhooks. It cannot be led inside. Which address
// is dialled is checked at the dial itself, for each address and each hop, so neither redirects nor names that change what they resolve to matter; and whatever
// answers is bounded in time and size.
package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// Options are what a Client needs to know. Zero values stand for the defaults named.
type Options struct {
	Allow Allow // what is open beyond the public Internet; nothing

	Concurrent int // requests at a time; 16
	PerHost    int // of these, to one host name; 4

	Connect   time.Duration // for the name to resolve and somebody to answer; 5 s
	Handshake time.Duration // for TLS; 5 s
	Answer    time.Duration // from the request to the end of the response's header; 10 s

	UserAgent string // "Kakeai (+https://github.com/kakeai/kakeai)"

	// For tests, whose servers are on loopback.
	Resolver *net.Resolver  // the system's
	Roots    *x509.CertPool // the system's
	Ports    []uint16       // open beside 80 and 443
}

// Limits bound one request. Zero values stand for the defaults named.
type Limits struct {
	Bytes    int64         // of the body, decompressed; 1 MiB
	Time     time.Duration // for everything, redirects and waiting for a place included; 15 s
	Truncate bool          // a longer body is cut off, where otherwise the request fails with FailedSize
	Accept   string        // what to ask for; */*
}

const (
	defaultBytes = 1 << 20
	defaultTime  = 15 * time.Second

	maxRedirects   = 5
	maxHeaderBytes = 32 << 10 // of all headers of a response together, those of 1xx included

	userAgent = "Kakeai (+https://github.com/kakeai/kakeai)"
)

func (o Options) withDefaults() Options {
	o.Concurrent = cmp.Or(o.Concurrent, 16)
	o.PerHost = cmp.Or(o.PerHost, 4)
	o.Connect = cmp.Or(o.Connect, 5*time.Second)
	o.Handshake = cmp.Or(o.Handshake, 5*time.Second)
	o.Answer = cmp.Or(o.Answer, 10*time.Second)
	o.UserAgent = cmp.Or(o.UserAgent, userAgent)
	return o
}

func (l Limits) withDefaults() Limits {
	l.Bytes = cmp.Or(l.Bytes, defaultBytes)
	l.Time = cmp.Or(l.Time, defaultTime)
	l.Accept = cmp.Or(l.Accept, "*/*")
	return l
}

// Response is what was answered, whatever its status.
type Response struct {
	URL    string // where the body comes from, after redirects
	Status int
	Header http.Header
	Body   []byte // decompressed
}

// Client asks. Each request has a connection of its own, which ends with it; there are no cookies, no proxies, and no HTTP/2, whose frames and compressed headers would have to
// be bounded too. A Client may be used by many goroutines.
type Client struct {
	options   Options
	guard     *guard
	transport *http.Transport
	slots     *slots
	counters  tally
}

// New makes a Client.
func New(o Options) *Client {
	o = o.withDefaults()
	c := &Client{options: o, guard: newGuard(o.Allow, o.Ports), slots: newSlots(o.Concurrent, o.PerHost)}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	c.transport = &http.Transport{
		Proxy:                  nil, // on purpose: a proxy would dial in our place, where nothing is checked
		DialContext:            c.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
		TLSHandshakeTimeout:    o.Handshake,
		ResponseHeaderTimeout:  o.Answer,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableKeepAlives:      true,
		DisableCompression:     true, // net/http would decompress without a bound; see body.go
		Protocols:              protocols,
	}
	return c
}

// dial connects to an address that net/http has made of a URL's host and port. Control is called with each address that the host resolves to, after the
// resolving and before the first packet, so what was checked is what is dialled.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fail(RefusedHost, err)
	}
	dialer := net.Dialer{
		Timeout:   c.options.Connect,
		KeepAlive: -1,
		Resolver:  c.options.Resolver,
		Control: func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return fail(RefusedAddress, err)
			}
			return c.guard.permit(host, at)
		},
	}
	if _, err := netip.ParseAddr(host); err != nil && c.guard.allow.names[host] == nil {
		address = net.JoinHostPort(host+".", port) // so that no search list completes it to a name inside
	}
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, explain(err, FailedConnect)
	}
	return conn, nil
}

// Get fetches a URL, following redirects. Its errors are an Error, or the context's own if that ended.
func (c *Client) Get(ctx context.Context, url string, l Limits) (*Response, error) {
	var response *Response
	err := c.get(ctx, url, l, func(r *Response, body io.Reader) (err error) {
		response = r
		r.Body, err = io.ReadAll(body)
		return err
	})
	if err != nil {
		return nil, err
	}
	return response, nil
}

// get is Get with the body as it comes. read may stop before its end.
func (c *Client) get(ctx context.Context, url string, l Limits, read func(*Response, io.Reader) error) error {
	return c.counted(ctx, l, func(ctx context.Context, l Limits) error {
		next, err := parseURL(url)
		if err != nil {
			return err
		}
		for range maxRedirects + 1 {
			// What goes along is made anew for each hop, and is the same for every host.
			header := http.Header{"Accept": {l.Accept}, "Accept-Encoding": {"gzip, deflate"}}
			location, err := c.hop(ctx, http.MethodGet, next, header, nil, l, read)
			if err != nil || location == nil {
				return err
			}
			next = location
		}
		return failf(RefusedRedirects, "more than %d redirects", maxRedirects)
	})
}

// Post sends a body with headers. It follows no redirect: what was signed for one place is not carried to another, and the status of a redirect is in the response.
func (c *Client) Post(ctx context.Context, url string, header http.Header, body []byte, l Limits) (*Response, error) {
	var response *Response
	err := c.counted(ctx, l, func(ctx context.Context, l Limits) error {
		to, err := parseURL(url)
		if err != nil {
			return err
		}
		sent := header.Clone()
		if sent == nil {
			sent = http.Header{}
		}
		for _, name := range []string{"Host", "Connection", "Transfer-Encoding", "Content-Length", "Trailer", "Te", "Upgrade", "Proxy-Authorization", "Proxy-Connection"} {
			sent.Del(name) // they belong to the connection, which is ours
		}
		sent.Set("Accept", l.Accept)
		sent.Set("Accept-Encoding", "gzip, deflate")
		_, err = c.hop(ctx, http.MethodPost, to, sent, body, l, func(r *Response, body io.Reader) (err error) {
			response = r
			r.Body, err = io.ReadAll(body)
			return err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return response, nil
}

// hop makes one request on one connection. It returns where it is redirected to, or has the body read.
func (c *Client) hop(ctx context.Context, method string, to *url.URL, header http.Header, body []byte, l Limits, read func(*Response, io.Reader) error) (*url.URL, error) {
	if err := c.mayAsk(to); err != nil {
		return nil, err
	}
	leave, err := c.slots.enterHost(ctx, to.Hostname())
	if err != nil {
		return nil, err
	}
	defer leave()

	connection, err := c.transport.NewClientConn(ctx, to.Scheme, net.JoinHostPort(to.Hostname(), cmp.Or(to.Port(), defaultPort(to.Scheme))))
	if err != nil {
		return nil, explain(err, FailedConnect)
	}
	defer func() { _ = connection.Close() }()

	request, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fail(RefusedURL, err)
	}
	request.Header = header
	request.Header.Set("User-Agent", c.options.UserAgent)
	answer, err := connection.RoundTrip(request)
	if err != nil {
		return nil, explain(err, FailedProtocol)
	}
	defer func() { _ = answer.Body.Close() }()

	if answer.StatusCode < http.StatusOK { // net/http swallows what goes before an answer; what is left is another protocol
		return nil, failf(FailedProtocol, "status %d", answer.StatusCode)
	}
	if location := answer.Header.Get("Location"); method == http.MethodGet && isRedirect(answer.StatusCode) && location != "" {
		return follow(to, location)
	}
	text, err := newBody(answer, l)
	if err != nil {
		return nil, err
	}
	err = read(&Response{URL: to.String(), Status: answer.StatusCode, Header: answer.Header}, text)
	c.counters.bytes.Add(text.read)
	return nil, explain(err, FailedProtocol)
}

// mayAsk refuses what needs no resolver to be refused. The dial would refuse it too.
func (c *Client) mayAsk(to *url.URL) error {
	host := to.Hostname()
	number, err := strconv.ParseUint(cmp.Or(to.Port(), defaultPort(to.Scheme)), 10, 16)
	if err != nil {
		return fail(RefusedPort, err)
	}
	port := uint16(number)
	if address, err := netip.ParseAddr(host); err == nil {
		return c.guard.permit(host, netip.AddrPortFrom(address, port))
	}
	if c.guard.allow.name(host, port) {
		return nil
	}
	if !isPublicName(host) {
		return failf(RefusedHost, "no name of the Internet")
	}
	if !c.guard.mayHavePort(port) {
		return failf(RefusedPort, "port %d", port)
	}
	return nil
}

// follow is where a redirect leads.
func follow(from *url.URL, location string) (*url.URL, error) {
	if _, err := parseReference(location); err != nil {
		return nil, err
	}
	to, err := from.Parse(location)
	if err != nil {
		return nil, fail(RefusedURL, err)
	}
	if err := order(to); err != nil {
		return nil, err
	}
	if from.Scheme == "https" && to.Scheme != "https" {
		return nil, failf(RefusedDowngrade, "from https to %s", to.Scheme)
	}
	return to, nil
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	default:
		return false
	}
}

func defaultPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

// counted runs a request within its time and the process's bound, and counts how it ended. The caller's own context ending is no fault of the other side, and is returned as it is.
func (c *Client) counted(ctx context.Context, l Limits, request func(context.Context, Limits) error) error {
	l = l.withDefaults()
	within, cancel := context.WithTimeout(ctx, l.Time)
	defer cancel()
	err := func() error {
		leave, err := c.slots.enter(within)
		if err != nil {
			return err
		}
		defer leave()
		c.counters.requests.Add(1)
		return request(within, l)
	}()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, ErrRefused):
		c.counters.refused.Add(1)
	default:
		c.counters.failed.Add(1)
	}
	return err
}

// Stats is what a Client has done since it was made.
type Stats struct {
	Requests int64 // that were begun, each with all its redirects
	Refused  int64 // that were not allowed
	Failed   int64 // that were allowed and came to nothing
	Bytes    int64 // of bodies, decompressed
}

type tally struct{ requests, refused, failed, bytes atomic.Int64 }

// Stats may be called at any time. The numbers are each right, but not of one moment.
func (c *Client) Stats() Stats {
	return Stats{Requests: c.counters.requests.Load(), Refused: c.counters.refused.Load(), Failed: c.counters.failed.Load(), Bytes: c.counters.bytes.Load()}
}
