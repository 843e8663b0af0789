// Command with-postgres runs a command, such as `go test ./...`, with one PostgreSQL server for all tests in it:
//
//	go run ./internal/pgdev/pgtest/with-postgres -- go test ./...
//
// The command finds the server in TEST_DATABASE_URL, gets the signals meant for it, and its exit code is this program's.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

const (
	usageCode  = 2
	signalCode = 128 // plus the signal's number, as shells report it
)

func main() {
	arguments := os.Args[1:]
	if len(arguments) > 0 && arguments[0] == "--" {
		arguments = arguments[1:]
	}
	if len(arguments) == 0 {
		fmt.Fprintln(os.Stderr, "usage: with-postgres -- command [argument ...]")
		os.Exit(usageCode)
	}
	code, err := run(arguments)
	if err != nil {
		fmt.Fprintln(os.Stderr, "with-postgres:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func run(arguments []string) (code int, err error) {
	// From here on a signal must not end this program, or the server would be left behind.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	server, err := start(signals)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()

	cmd := exec.Command(arguments[0], arguments[1:]...) //nolint:noctx // it ends by the signals that are passed on to it
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), pgtest.URLVariable+"="+server.URL)
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s) // it may just have ended
		case err := <-ended:
			var failed *exec.ExitError
			if err != nil && !errors.As(err, &failed) {
				return 1, err
			}
			return exitCode(cmd.ProcessState), nil
		}
	}
}

// start starts the server, unless a signal comes first.
func start(signals <-chan os.Signal) (*pgtest.Server, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	started := make(chan struct{})
	defer close(started)
	go func() {
		select {
		case s := <-signals:
			cancel(fmt.Errorf("stopped by %s", s))
		case <-started:
		}
	}()
	server, err := pgtest.Serve(ctx, os.Stderr)
	if cause := context.Cause(ctx); cause != nil {
		if server != nil {
			err = errors.Join(err, server.Stop())
		}
		return nil, errors.Join(cause, err)
	}
	return server, err
}

func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return signalCode + int(status.Signal())
	}
	return state.ExitCode()
}
