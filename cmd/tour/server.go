package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	startWithin = 3 * time.Minute // the first start on a machine unpacks PostgreSQL
	stopWithin  = 30 * time.Second
)

// server is a `kakeai dev` that the tour runs itself.
type server struct {
	folder  string // holds the binary and all data
	url     string // once it has started
	process *exec.Cmd
	ended   chan struct{} // closed when the process has; endErr is set then
	endErr  error
	stdout  output
	stderr  output
}

// build compiles the program into a new temporary folder.
func build(ctx context.Context) (*server, error) {
	folder, err := os.MkdirTemp("", "kakeai-tour-")
	if err != nil {
		return nil, err
	}
	s := &server{folder: folder}
	compile := exec.CommandContext(ctx, "go", "build", "-o", s.binary(), "./cmd/kakeai") //nolint:gosec // into the folder just made
	if said, err := compile.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("go build ./cmd/kakeai: %w\n%s", err, said), s.remove())
	}
	return s, nil
}

func (s *server) binary() string { return filepath.Join(s.folder, "bin", "kakeai") }
func (s *server) remove() error  { return os.RemoveAll(s.folder) }
func (s *server) log() string    { return strings.TrimSpace(s.stderr.String()) }

// start runs the program until stop, and returns once it is ready to serve.
func (s *server) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startWithin, fmt.Errorf("not ready after %s", startWithin))
	defer cancel()
	s.process = exec.CommandContext(context.WithoutCancel(ctx), s.binary(), "dev") //nolint:gosec // the binary that build made
	// The port is chosen by the program that listens on it, so that nobody can take it in between.
	s.process.Env = append(ownEnvironment(os.Environ()), "KAKEAI_ADDR=127.0.0.1:0", "KAKEAI_DATA_DIR="+s.folder, "KAKEAI_LOG_LEVEL=warn")
	s.process.Stdout, s.process.Stderr = &s.stdout, &s.stderr
	s.process.WaitDelay = time.Second // for a PostgreSQL that outlives it and holds its output open
	// Out of the terminal's process group: Ctrl-C is for the tour, which then stops the server in order.
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.process.Start(); err != nil {
		return err
	}
	s.ended = make(chan struct{})
	go func() {
		s.endErr = s.process.Wait()
		close(s.ended)
	}()
	return s.ready(ctx)
}

var printedAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// ready waits for the address to be printed, and then for it to answer that it can serve.
func (s *server) ready(ctx context.Context) error {
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.ended:
			return fmt.Errorf("it ended: %w", s.endErr)
		case <-again.C:
		}
		if s.url = printedAddress.FindString(s.stdout.String()); s.url != "" && answersReady(ctx, s.url) == nil {
			return nil
		}
	}
}

// answersReady returns nil if the instance at url says that it can serve.
func answersReady(ctx context.Context, url string) error {
	a, err := newClient(url).send(ctx, http.MethodGet, url+"/readyz", nil, http.Header{})
	if err == nil && a.status != http.StatusOK {
		err = problemIn(a)
	}
	return err
}

// stop asks the program to end and waits for it. An exit code other than 0, a need for force and an error in the log are errors.
func (s *server) stop() error {
	if s.ended == nil {
		return nil
	}
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-s.ended:
	case <-time.After(stopWithin):
		err := errors.Join(fmt.Errorf("still running %s after SIGTERM, so it was killed", stopWithin), s.process.Process.Kill())
		<-s.ended
		return err
	}
	if s.endErr != nil {
		return s.endErr
	}
	for line := range strings.Lines(s.log()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			return fmt.Errorf("it has logged an error: %s", strings.TrimSpace(line))
		}
	}
	return nil
}

// ownEnvironment drops what would lead the program to another database or coach than its own.
func ownEnvironment(environment []string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "KAKEAI_") || strings.HasPrefix(name, "OPENAI_") || name == "DATABASE_URL" || name == "DATABASE_OWNER_URL"
	})
}

// output is what a running program has written so far.
type output struct {
	mu      sync.Mutex
	written bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written.String()
}
