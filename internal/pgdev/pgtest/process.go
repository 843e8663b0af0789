package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

// process is what all tests of one test binary share. The server is started by the first test that needs one.
//
//nolint:gochecknoglobals // the tests of a binary have nothing else in common
var process shared

type shared struct {
	underMain atomic.Bool

	mu     sync.Mutex
	tried  bool
	server *Server
	open   *catalog
	err    error
}

var errNoMain = errors.New("the server could not be stopped afterwards: let TestMain call pgtest.Main")

// catalog connects at the first call; a failure is the answer to all further ones.
func (p *shared) catalog() (*catalog, error) {
	if !p.underMain.Load() {
		return nil, errNoMain
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tried {
		return p.open, p.err
	}
	p.tried = true
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	if p.server, p.err = Serve(ctx, os.Stderr); p.err != nil {
		return nil, p.err
	}
	if p.open, p.err = openCatalog(ctx, p.server.URL); p.err != nil {
		p.err = fmt.Errorf("preparing the test server: %w", p.err)
	}
	return p.open, p.err
}

func (p *shared) end() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open != nil {
		p.open.pool.Close()
	}
	if p.server != nil {
		return p.server.Stop()
	}
	return nil
}
