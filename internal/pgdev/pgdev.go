// Package pgdev runs a PostgreSQL server of its own, for `kakeai dev` and for tests.
//
// All that it keeps lies in one folder, which one program uses at a time:
//
//	lock             held by that program
//	passwords.json   of the three logins
//	cluster/         the data
//	server.log       of this run; server.log.previous is of the one before
//	download/        server programs, on a machine that has none
//
// The server listens on 127.0.0.1 only, on another port each time. It ends with the program that started it: by Stop, by the
// kernel if the program is killed (Linux), or at the latest by the next Start on the same folder.
package pgdev

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	startTimeout = time.Minute      // making the data or recovering it after a crash included
	startTries   = 5                // another program may take the port between finding it free and using it
	fastStop     = 10 * time.Second // for open transactions to be rolled back and data to be written
	instantStop  = 5 * time.Second
)

// Options say where a server keeps its data and how much they are worth.
type Options struct {
	// DataDir is the folder for everything, made if it is missing. It may be empty for an Ephemeral server,
	// which then has a temporary folder that Stop removes.
	DataDir string
	// Ephemeral trades the data's safety for speed and allows more connections: for tests.
	Ephemeral bool
	// Log receives what a person may want to know; nil is silence.
	Log *slog.Logger
}

// Server is a running server. Its URLs hold passwords.
type Server struct {
	OwnerURL     string // the database kakeai as kakeai_owner, who owns it: for migrations
	AppURL       string // the same database as kakeai_app, who owns nothing
	SuperuserURL string // the database postgres as its superuser: for making databases in tests
	Source       string // for instance "PostgreSQL 15.18 from /usr/lib/postgresql/15/bin"

	data     folder
	log      *slog.Logger
	temp     bool
	lock     *os.File
	port     int
	process  *os.Process
	exited   <-chan struct{}
	stopOnce func() error
}

// Start starts a server and makes the database kakeai and both logins if they are missing. ctx bounds the start only;
// the server runs until Stop.
func Start(ctx context.Context, o Options) (*Server, error) {
	return start(ctx, o, freePort)
}

func start(ctx context.Context, o Options, findPort func() (int, error)) (_ *Server, err error) {
	s := &Server{log: o.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.stopOnce = sync.OnceValue(s.stop)
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("pgdev: %w", err), s.Stop())
		}
	}()

	if o.DataDir == "" {
		if !o.Ephemeral {
			return nil, errors.New("no folder for the data given")
		}
		sweepTemporary()
		if o.DataDir, err = os.MkdirTemp("", temporaryPrefix); err != nil {
			return nil, err
		}
		s.temp = true
	}
	if s.data, err = openFolder(o.DataDir, o.Ephemeral); err != nil {
		return nil, err
	}
	if s.lock, err = s.data.acquire(); err != nil {
		return nil, err
	}
	made, err := s.data.madeBy()
	if err != nil {
		return nil, err
	}
	server, err := findPrograms(ctx, installed(), s.data.path, made, s.log)
	if err != nil {
		return nil, err
	}
	s.Source = server.String()
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	runAs, err := accountFor(ctx, s.data, server)
	if err != nil {
		return nil, err
	}
	if err := s.data.endLeftover(s.log); err != nil {
		return nil, err
	}
	passwords, err := s.data.passwords(made != 0)
	if err != nil {
		return nil, err
	}
	if made == 0 {
		s.log.Info("making a database cluster", "folder", s.data.cluster(), "source", s.Source)
		if err := s.data.initialize(ctx, server, runAs, passwords.Superuser); err != nil {
			return nil, err
		}
	}
	if err := s.launch(ctx, server, runAs, passwords, findPort); err != nil {
		return nil, err
	}
	if err := s.provide(ctx, passwords); err != nil {
		return nil, err
	}
	s.log.Info("PostgreSQL is ready", "source", s.Source, "port", s.port, "folder", s.data.path)
	return s, nil
}

// Stop ends the server and waits until it is gone. Open transactions are rolled back. Calling it again does nothing.
func (s *Server) Stop() error { return s.stopOnce() }

func (s *Server) stop() error {
	var errs []error
	if s.process != nil {
		if err := endProcess(s.process, s.data.ephemeral, s.gone); err != nil {
			errs = append(errs, fmt.Errorf("pgdev: %w", err))
		}
	}
	if s.temp && s.data.path != "" {
		errs = append(errs, os.RemoveAll(s.data.path))
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	return errors.Join(errs...)
}

// gone reports whether the server has ended, waiting up to the time given.
func (s *Server) gone(wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-s.exited:
		return true
	case <-timer.C:
		return false
	}
}

// endProcess asks a postmaster to end, ever less politely; at once is right for data that nobody needs any more.
func endProcess(p *os.Process, atOnce bool, gone func(time.Duration) bool) error {
	steps := []struct {
		signal os.Signal
		wait   time.Duration
	}{
		{syscall.SIGINT, fastStop},
		{syscall.SIGQUIT, instantStop},
		{syscall.SIGKILL, instantStop},
	}
	if atOnce {
		steps = steps[1:]
	}
	for _, step := range steps {
		if err := p.Signal(step.signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("stopping the server (process %d): %w", p.Pid, err)
		}
		if gone(step.wait) {
			return nil
		}
	}
	return fmt.Errorf("the server (process %d) does not stop", p.Pid)
}

var errEnded = errors.New("the server ended while starting")

// launch runs the server on a free port and waits until it answers.
func (s *Server) launch(ctx context.Context, server programs, runAs account, p passwords, findPort func() (int, error)) error {
	output, err := s.data.newLog()
	if err != nil {
		return err
	}
	defer output.Close()
	for try := 1; ; try++ {
		if s.port, err = findPort(); err != nil {
			return err
		}
		s.SuperuserURL = s.url(superuser, p.Superuser, superuser)
		s.OwnerURL = s.url(ownerRole, p.Owner, databaseName)
		s.AppURL = s.url(appRole, p.App, databaseName)

		cmd := runAs.command(context.WithoutCancel(ctx), server.path("postgres"), s.data.settings(s.port)...)
		cmd.Stdout, cmd.Stderr = output, output
		if s.exited, err = run(cmd); err != nil {
			return fmt.Errorf("running %s: %w", server.path("postgres"), err)
		}
		s.process = cmd.Process
		err = s.answers(ctx)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errEnded) {
			return fmt.Errorf("%w; the end of %s:\n%s", err, output.Name(), tail(output.Name()))
		}
		s.process = nil
		// A port lost to another program, or the last processes of a killed server still ending: both pass.
		if try == startTries || !sleep(ctx, time.Duration(try)*100*time.Millisecond) {
			return fmt.Errorf("%w; the end of %s:\n%s", err, output.Name(), tail(output.Name()))
		}
	}
}

// answers waits until the server accepts the superuser.
func (s *Server) answers(ctx context.Context) error {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	exited := s.exited
	go func() { // whoever holds the port if the server could not may never answer
		select {
		case <-exited:
			cancel()
		case <-asking.Done():
		}
	}()
	for {
		conn, err := pgx.Connect(asking, s.SuperuserURL)
		if err == nil {
			return conn.Close(ctx)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("the server does not answer: %w", err)
		}
		if s.gone(20 * time.Millisecond) {
			return errEnded
		}
	}
}

func (s *Server) url(user, password, database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(user, password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed in the next line
	if err != nil {
		return 0, fmt.Errorf("finding a free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// sleep waits; false if the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

const temporaryPrefix = "kakeai-postgres-"

// sweepTemporary removes our folders of temporary servers whose programs were killed before they could. The lock tells
// them from folders in use; a folder younger than a minute may not have been locked yet. In a place open to all, another
// user's folder of that name may be a trap.
func sweepTemporary() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), temporaryPrefix+"*"))
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		if owner, ok := info.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Geteuid() {
			continue
		}
		data := folder{path: dir}
		lock, err := data.acquire()
		if err != nil {
			continue
		}
		if data.endLeftover(slog.New(slog.DiscardHandler)) == nil {
			_ = os.RemoveAll(dir)
		}
		_ = lock.Close()
	}
}
