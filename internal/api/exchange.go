package api

import (
	"context"
	"net/http"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/queue"
)

// exchange is what is known of a request before any row is read. It travels in the request's context; nothing in it changes once the
// handler runs, and it holds no type of the HTTP framework.
type exchange struct {
	requestID      string
	address        string
	userAgent      string
	secure         bool // came by HTTPS, if need be to the proxy in front
	token          auth.Token
	unsafe         bool   // asks for a change, by its method
	page           bool   // wants something to look at: a browser that goes somewhere
	signedIn       bool   // a well-formed token came with it; whether it still counts, only the database knows
	attempt        string // to sign in through the identity provider, sealed; what the browser brings of it
	idempotencyKey string
	payload        [32]byte // SHA-256 of what was asked for
	operation      operation
	mediaType      string       // of a body that the handler reads itself, without its parameters
	deliveries     *queue.Waker // tells of the events that it recorded; nil: they are found by polling
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// exchangeOf returns what is known of the request that ctx belongs to, or an empty exchange.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{}
}

func withOperation(ctx context.Context, op operation) context.Context {
	x := *exchangeOf(ctx)
	x.operation = op
	return withExchange(ctx, &x)
}

// cookieName depends on the scheme: the __Host- prefix, which keeps other hosts from setting it, needs Secure, and Secure needs HTTPS.
func cookieName(secure bool) string {
	if secure {
		return "__Host-kakeai"
	}
	return "kakeai"
}

// sessionCookie is the cookie for a token; maxAge is in seconds, and negative takes it back.
func (x *exchange) sessionCookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure follows the scheme: without HTTPS a Secure cookie would never come back
		Name: cookieName(x.secure), Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, Secure: x.secure, SameSite: http.SameSiteLaxMode,
	}
}
