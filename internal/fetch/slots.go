package fetch

import (
	"context"
	"sync"
)

// slots bound what is fetched at a time: by the process, and from one host.
type slots struct {
	all     chan struct{}
	perHost int

	mu    sync.Mutex
	hosts map[string]*hostSlots // those that somebody is at or waits for
}

type hostSlots struct {
	places chan struct{}
	users  int
}

func newSlots(all, perHost int) *slots {
	return &slots{all: make(chan struct{}, all), perHost: perHost, hosts: map[string]*hostSlots{}}
}

// enter waits for a place in the process.
func (s *slots) enter(ctx context.Context) (leave func(), err error) {
	if err := place(ctx, s.all); err != nil {
		return nil, err
	}
	return func() { <-s.all }, nil
}

// enterHost waits for a place at a host. Who waits holds a place in the process, and who holds one here waits for nothing else, so it comes free.
func (s *slots) enterHost(ctx context.Context, host string) (leave func(), err error) {
	s.mu.Lock()
	h, ok := s.hosts[host]
	if !ok {
		h = &hostSlots{places: make(chan struct{}, s.perHost)}
		s.hosts[host] = h
	}
	h.users++
	s.mu.Unlock()
	forget := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if h.users--; h.users == 0 {
			delete(s.hosts, host)
		}
	}
	if err := place(ctx, h.places); err != nil {
		forget()
		return nil, err
	}
	return func() {
		<-h.places
		forget()
	}, nil
}

func place(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	default:
	}
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fail(FailedBusy, ctx.Err())
	}
}
