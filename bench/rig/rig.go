// Package rig is what the benchmarks run on: a durable PostgreSQL with the product's schema, and the product and its peers as processes of
// their own, built from the checkout.
package rig

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev"
)

// Rig is one PostgreSQL, for one benchmark.
type Rig struct {
	Postgres  *pgdev.Server
	Owner     *pgx.Conn // owns the tables
	Superuser *pgx.Conn // in the same database
	Source    string    // which PostgreSQL it is
	dir       string
	running   []*Process
}

// settings keep what PostgreSQL does for itself out of a run as short as these. What makes a commit durable is left alone.
var settings = map[string]string{ //nolint:gochecknoglobals // never changed
	"checkpoint_timeout": "1h",
	"max_wal_size":       "8GB",
}

// Start starts PostgreSQL beneath dir and migrates it.
func Start(ctx context.Context, dir string) (_ *Rig, err error) {
	dir, err = os.MkdirTemp(dir, "kakeai-bench-")
	if err != nil {
		return nil, err
	}
	r := &Rig{dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("rig: %w", err), r.Close())
		}
	}()
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // PostgreSQL's user passes through
		return nil, err
	}
	if inMemory(dir) {
		return nil, fmt.Errorf("%s lies in memory, where nothing is durable: name another folder with -dir", dir)
	}
	quiet := slog.New(slog.DiscardHandler)
	if r.Postgres, err = pgdev.Start(ctx, pgdev.Options{DataDir: filepath.Join(dir, "postgres"), Log: quiet}); err != nil {
		return nil, err
	}
	r.Source = r.Postgres.Source
	if err := db.Migrate(ctx, r.Postgres.OwnerURL, quiet); err != nil {
		return nil, err
	}
	if r.Owner, err = pgx.Connect(ctx, r.Postgres.OwnerURL); err != nil {
		return nil, err
	}
	inside, err := pgx.ParseConfig(r.Postgres.SuperuserURL)
	if err != nil {
		return nil, err
	}
	inside.Database = r.Owner.Config().Database
	if r.Superuser, err = pgx.ConnectConfig(ctx, inside); err != nil {
		return nil, err
	}
	for name, value := range settings {
		if err := r.Set(ctx, name, value); err != nil {
			return nil, err
		}
	}
	if _, err := r.Superuser.Exec(ctx, "CREATE EXTENSION pg_walinspect"); err != nil {
		return nil, fmt.Errorf("PostgreSQL's contributed modules are needed: %w", err)
	}
	return r, r.requireDurable(ctx)
}

// Set changes a setting of the server that can be changed while it runs.
func (r *Rig) Set(ctx context.Context, name, value string) error {
	if _, err := r.Superuser.Exec(ctx, fmt.Sprintf("ALTER SYSTEM SET %s = '%s'", name, value)); err != nil {
		return err
	}
	_, err := r.Superuser.Exec(ctx, "SELECT pg_reload_conf()")
	return err
}

func (r *Rig) requireDurable(ctx context.Context) error {
	for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		var value string
		if err := r.Superuser.QueryRow(ctx, "SELECT current_setting($1)", name).Scan(&value); err != nil {
			return err
		}
		if value != "on" {
			return fmt.Errorf("%s is %s", name, value)
		}
	}
	return nil
}

// Close ends everything and removes the data.
func (r *Rig) Close() error {
	var errs []error
	for _, p := range r.running {
		errs = append(errs, p.Stop())
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for _, conn := range []*pgx.Conn{r.Owner, r.Superuser} {
		if conn != nil {
			_ = conn.Close(ctx) // the server ends with it
		}
	}
	if r.Postgres != nil {
		errs = append(errs, r.Postgres.Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(r.dir))...)
}

// Dir is a folder for what a benchmark needs to write; it goes with the rig.
func (r *Rig) Dir() string { return r.dir }

// Build compiles a program of a module and returns its path.
func (r *Rig) Build(ctx context.Context, module, program string) (string, error) {
	path := filepath.Join(r.dir, filepath.Base(program))
	build := exec.CommandContext(ctx, "go", "-C", module, "build", "-o", path, program)
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("rig: %s: %w\n%s", program, err, output)
	}
	return path, nil
}

// Process is a running server.
type Process struct {
	Address string // where it serves HTTP, or whatever it serves
	command *exec.Cmd
	log     string
	ended   chan struct{}
}

// FreeAddress is an address on loopback where nothing listens.
func FreeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed in the next line
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// Run starts a program that will serve at address, and waits until ready says that it does. It ends with the rig, or with this process. A core that
// is not negative is the only one that it may use.
func (r *Rig) Run(ctx context.Context, core int, address string, command []string, environment []string, ready func(ctx context.Context, address string) error) (*Process, error) {
	if core >= 0 {
		command = append([]string{"taskset", "-c", strconv.Itoa(core)}, command...)
	}
	p := &Process{Address: address, ended: make(chan struct{}), log: filepath.Join(r.dir, fmt.Sprintf("%d.log", len(r.running)))}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p.command = exec.CommandContext(context.WithoutCancel(ctx), command[0], command[1:]...)
	p.command.Env = append(os.Environ(), environment...)
	p.command.Stdout, p.command.Stderr = log, log
	if err := p.start(); err != nil {
		return nil, err
	}
	r.running = append(r.running, p)
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for {
		err := ready(ctx, address)
		if err == nil {
			return p, nil
		}
		select {
		case <-p.ended:
			return nil, fmt.Errorf("rig: %s ended: %s", command, p.tail())
		case <-ctx.Done():
			return nil, fmt.Errorf("rig: %s does not answer: %w: %s", command, err, p.tail())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ReadyByHTTP asks GET /readyz.
func ReadyByHTTP(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body) // so that the connection can be used again
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	return nil
}

// start keeps the thread that starts the process: to the kernel, which ends the process with its parent, that thread is the parent.
func (p *Process) start() error {
	p.command.SysProcAttr = endWithParent()
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.command.Start()
		started <- err
		if err == nil {
			_ = p.command.Wait() // how it ended is in ProcessState
			close(p.ended)
		}
	}()
	return <-started
}

// Stop asks the process to end, and makes it end if it does not.
func (p *Process) Stop() error {
	_ = p.command.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.ended:
		return nil
	case <-time.After(10 * time.Second):
	}
	if err := p.command.Process.Kill(); err != nil {
		return err
	}
	<-p.ended
	return nil
}

// PID is the process's number.
func (p *Process) PID() int { return p.command.Process.Pid }

func (p *Process) tail() string {
	content, _ := os.ReadFile(p.log) // nothing is as good an answer
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}
