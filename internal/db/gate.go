package db

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Class says what a transaction is worth when not all can run.
type Class uint8

const (
	Normal     Class = iota // what people do
	Critical                // reading the session, signing in, readiness
	Background              // the worker and whatever nobody is waiting for
)

// Scope says for which organisation a transaction runs and how urgent it is.
type Scope struct {
	Organization uuid.UUID
	Class        Class
}

// Gate stands before the pool: nobody asks for a connection without a ticket, so the pool's own queue stays empty and
// what is too much is refused early, while refusing is cheap. Critical work has places that nothing else can take.
type Gate struct {
	places   chan struct{} // one for each connection that any class may use
	reserved chan struct{} // further ones for critical work
	patience time.Duration // how long a transaction may wait for its place
}

// NewGate returns a gate for a pool of connections, of which reserve are kept for critical work.
// Nothing waits longer than patience. It panics on a reserve that leaves no place for the rest.
func NewGate(connections, reserve int, patience time.Duration) *Gate {
	if reserve < 0 || reserve >= connections {
		panic("db: the reserve leaves no connection for ordinary work")
	}
	return &Gate{places: make(chan struct{}, connections-reserve), reserved: make(chan struct{}, reserve), patience: patience}
}

// Ticket is the right to one connection.
type Ticket struct{ taken chan struct{} }

// Enter waits for a place. It returns ErrOverloaded when none was free in time, and the context's error when the caller gave up first.
func (g *Gate) Enter(ctx context.Context, scope Scope) (Ticket, error) {
	select {
	case g.places <- struct{}{}:
		return Ticket{g.places}, nil
	default:
	}
	reserved := g.reserved
	if scope.Class != Critical {
		reserved = nil // never ready
	}
	patience := time.NewTimer(g.patience)
	defer patience.Stop()
	select {
	case g.places <- struct{}{}:
		return Ticket{g.places}, nil
	case reserved <- struct{}{}:
		return Ticket{reserved}, nil
	case <-patience.C:
		return Ticket{}, ErrOverloaded
	case <-ctx.Done():
		return Ticket{}, ctx.Err()
	}
}

// Leave gives the place to the next.
func (t Ticket) Leave() { <-t.taken }
