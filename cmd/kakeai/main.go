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
	"syscall"
	_ "time/tzdata" // days are counted in the organisation's time zone, also on a machine that has no rules for it

	"github.com/kakeai/kakeai/internal/config"
)

const usage = `Usage: kakeai COMMAND

  dev      everything at once on this machine: PostgreSQL, migrations, a demo organisation, web and worker
  serve    the API, against DATABASE_URL
  worker   the coach's jobs, against DATABASE_URL
  migrate  brings the schema up to date, against DATABASE_OWNER_URL

The environment is described in docs/operations.md.
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "kakeai:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	commands := map[string]func(context.Context, config.Config, *slog.Logger) error{"dev": dev, "serve": serve, "worker": worker, "migrate": migrate}
	if len(args) != 1 || commands[args[0]] == nil {
		if len(args) == 1 && (args[0] == "help" || args[0] == "--help" || args[0] == "-h") {
			fmt.Print(usage)
			return nil
		}
		fmt.Fprint(os.Stderr, usage)
		return errors.New("name one command")
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
	return commands[args[0]](ctx, c, log)
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
