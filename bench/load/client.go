package load

import (
	"time"

	"github.com/valyala/fasthttp"
)

// Client sends HTTP/1.1 requests to one server over connections that are kept. It is fasthttp's, because generator and
// server share a machine, and what the client takes for each request would be taken from
// the server's throughput.
type Client struct {
	host     fasthttp.HostClient
	base     string
	patience time.Duration
}

// NewClient returns a client of the server at address, host and port. patience is how long a request may take.
func NewClient(address string, connections int, patience time.Duration) *Client {
	return &Client{base: "http://" + address, patience: patience, host: fasthttp.HostClient{
		Addr: address, MaxConns: connections, MaxIdleConnDuration: time.Minute, MaxIdemponentCallAttempts: 1,
		NoDefaultUserAgentHeader: true, DisablePathNormalizing: true,
	}}
}

// Close ends the connections that are not in use.
func (c *Client) Close() { c.host.CloseIdleConnections() }

// Request is one request. An empty Body is none.
type Request struct {
	Method, Path, Token string
	Body                []byte
	ForwardedFor        string // the address that a proxy in front would name; empty for none
}

// Send sends a request. read, if it is not nil, sees the answer, whose body is only valid until it returns.
func (c *Client) Send(r Request, read func(status int, body []byte)) Outcome {
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(answer)
	request.Header.SetMethod(r.Method)
	request.SetRequestURI(c.base + r.Path)
	if r.Token != "" {
		request.Header.Set("Authorization", "Bearer "+r.Token)
	}
	if r.ForwardedFor != "" {
		request.Header.Set("X-Forwarded-For", r.ForwardedFor)
	}
	if len(r.Body) > 0 {
		request.Header.SetContentType("application/json")
		request.SetBodyRaw(r.Body)
	}
	if err := c.host.DoTimeout(request, answer, c.patience); err != nil {
		return Broken
	}
	if read != nil {
		read(answer.StatusCode(), answer.Body())
	}
	return OfStatus(answer.StatusCode())
}
