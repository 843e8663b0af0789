// Command kakeai is the whole program: one binary whose first argument says what to be.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	_ "time/tzdata" // days are counted in the organisation's time zone, also on a machine that has no rules for it

	"github.com/kakeai/kakeai/internal/config"
)

const usage = `Usage: kakeai COMMAND

  dev      everything at once on this machine: PostgreSQL, migrations, a demo organisation, web and worker
  serve    the API, against DATABASE_URL
  worker   what nobody waits for: the coach's jobs, deliveries, the clock; against DATABASE_URL
  migrate  brings the schema up to date, against DATABASE_OWNER_URL
  org      makes, exports, imports, checks and mends whole organisations; see kakeai org help
  release  which releases may write, and whether anything may; see kakeai release help
  key      whether all processes have the same key; see kakeai key help
  outbox   what is still to be delivered, and what could not be; see kakeai outbox help

The environment is described in docs/operations.md.
`

// What the program ends with if it does not end well.
const (
	exitFailed = 1
	exitMisuse = 2 // nothing was tried
)

// gcPercent lets the heap, which is small, grow to five times what is in use before it is collected, instead of to twice. A collection takes a quarter of a
// small machine for a while, and at a few thousand requests a second there would be two of them in each second.
const gcPercent = 400

// heapFloor, in bytes, counts as in use and is never touched, so that it takes no memory: without it, a heap of a few megabytes is collected every second under
// load, and what is asked meanwhile, such as whether the program is ready, waits behind that.
const heapFloor = 32 << 20

func main() {
	var floor []byte
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
		if os.Getenv("GOMEMLIMIT") == "" { // which the floor would count towards
			floor = make([]byte, heapFloor)
		}
	}
	err := run(os.Args[1:], os.Stdout)
	runtime.KeepAlive(floor)
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "kakeai:", err)
	var m misuse
	if errors.As(err, &m) {
		fmt.Fprint(os.Stderr, "\n", m.usage)
		os.Exit(exitMisuse)
	}
	os.Exit(exitFailed)
}

// command is what the first argument names; the rest are its arguments.
type command struct {
	run   func(ctx context.Context, arguments []string, c config.Config, log *slog.Logger) error
	usage string
}

// plain is a command without arguments.
func plain(act func(ctx context.Context, c config.Config, log *slog.Logger) error) command {
	return command{usage: usage, run: func(ctx context.Context, arguments []string, c config.Config, log *slog.Logger) error {
		if len(arguments) > 0 {
			return misuse{fmt.Sprintf("%q is one argument too many", arguments[0]), usage}
		}
		return act(ctx, c, log)
	}}
}

// run is the program. What a command answers goes to out; what happens on the way is logged to standard error.
func run(args []string, out io.Writer) error {
	commands := map[string]command{
		"dev": plain(dev), "serve": plain(serve), "worker": plain(worker), "migrate": plain(migrate),
		"org": {usage: orgUsage, run: func(ctx context.Context, arguments []string, c config.Config, _ *slog.Logger) error {
			return org(ctx, arguments, c, terminal{in: os.Stdin, out: out})
		}},
		"release": {usage: releaseUsage, run: func(ctx context.Context, arguments []string, c config.Config, _ *slog.Logger) error {
			return release(ctx, arguments, c, out)
		}},
		"key": {usage: keyUsage, run: func(ctx context.Context, arguments []string, c config.Config, _ *slog.Logger) error {
			return operateKey(ctx, arguments, c, out)
		}},
		"outbox": {usage: outboxUsage, run: func(ctx context.Context, arguments []string, c config.Config, _ *slog.Logger) error {
			return operateOutbox(ctx, arguments, c, out)
		}},
	}
	if isHelp(args) {
		return say(out, usage)
	}
	if len(args) == 0 {
		return misuse{"name a command", usage}
	}
	chosen, known := commands[args[0]]
	if !known {
		return misuse{fmt.Sprintf("there is no command %q", args[0]), usage}
	}
	if isHelp(args[1:]) {
		return say(out, chosen.usage)
	}
	c, err := config.Load()
	if err != nil {
		return err
	}
	log, err := logger(c, os.Stderr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	return chosen.run(ctx, args[1:], c, log)
}

func say(out io.Writer, text string) error {
	_, err := io.WriteString(out, text)
	return err
}

func logger(c config.Config, to io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return nil, fmt.Errorf("KAKEAI_LOG_LEVEL: debug, info, warn or error: %w", err)
	}
	options := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "text" {
		return slog.New(slog.NewTextHandler(to, options)), nil
	}
	return slog.New(slog.NewJSONHandler(to, options)), nil
}
