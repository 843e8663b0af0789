package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
)

const releaseUsage = `Usage: kakeai release COMMAND

  status      which releases may write, whether anything may, and which releases are connected
  raise N     lets no release older than N write any more; the fence never comes down again
  mode MODE   normal, or nothing may be written: read_only, maintenance

raise and mode wait for running writes. When they have succeeded, no write that they refuse commits any more; when they have
failed, nothing has changed. They sign in with DATABASE_OWNER_URL.
`

var modes = []db.Mode{db.ModeNormal, db.ModeReadOnly, db.ModeMaintenance} //nolint:gochecknoglobals // never changed

// release reads and changes what may be written. What it says goes to out.
func release(ctx context.Context, arguments []string, c config.Config, out io.Writer) error {
	act, err := releaseCommand(arguments)
	if err != nil {
		return err
	}
	if c.DatabaseOwnerURL == "" {
		return errNoOwner
	}
	conn, err := db.ConnectOwner(ctx, c.DatabaseOwnerURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // what it was opened for is done, or has failed
	if err := act(ctx, conn, out); err != nil {
		return err
	}
	return tellFence(ctx, conn, out)
}

// releaseAction changes the fence, and tells what cannot be seen from how it stands afterwards.
type releaseAction func(ctx context.Context, conn *pgx.Conn, out io.Writer) error

// releaseCommand reads the arguments, so that what cannot be understood is refused before anything is connected to.
func releaseCommand(arguments []string) (releaseAction, error) {
	switch {
	case slices.Equal(arguments, []string{"status"}):
		return func(context.Context, *pgx.Conn, io.Writer) error { return nil }, nil
	case len(arguments) == 2 && arguments[0] == "raise":
		return raiseCommand(arguments[1])
	case len(arguments) == 2 && arguments[0] == "mode":
		mode := db.Mode(arguments[1])
		if !slices.Contains(modes, mode) {
			return nil, misuse{fmt.Sprintf("there is no mode %q", arguments[1]), releaseUsage}
		}
		return func(ctx context.Context, conn *pgx.Conn, _ io.Writer) error { return db.SetMode(ctx, conn, mode) }, nil
	}
	return nil, misuse{"status, raise N or mode MODE", releaseUsage}
}

func raiseCommand(argument string) (releaseAction, error) {
	n, err := strconv.ParseInt(argument, 10, 32)
	if err != nil || n < 1 {
		return nil, misuse{fmt.Sprintf("%q is no release; they are counted from 1", argument), releaseUsage}
	}
	minimum := int32(n)
	if minimum > db.Release {
		// The fence cannot be lowered, so a slip here would stop every write for good.
		return nil, fmt.Errorf("this program is release %d and raises the fence no higher than that; use the program of release %d", db.Release, minimum)
	}
	return func(ctx context.Context, conn *pgx.Conn, out io.Writer) error {
		before, err := db.ReadFence(ctx, conn)
		if err != nil {
			return err
		}
		if err := db.RaiseFence(ctx, conn, minimum); err != nil {
			return err
		}
		if before.MinimumRelease >= minimum {
			fmt.Fprintf(out, "The fence stood at %d already.\n\n", before.MinimumRelease)
		}
		return nil
	}, nil
}

// tellFence prints how the fence stands.
func tellFence(ctx context.Context, conn *pgx.Conn, out io.Writer) error {
	state, err := db.ReadFence(ctx, conn)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "minimum release\t%d\n", state.MinimumRelease)
	fmt.Fprintf(table, "mode\t%s\n", state.Mode)
	fmt.Fprintf(table, "this program\trelease %d, %s\n", db.Release, mayWrite(state, db.Release))
	for i, connected := range state.Connected {
		label := ""
		if i == 0 {
			label = "connected"
		}
		sessions := "sessions"
		if connected.Sessions == 1 {
			sessions = "session"
		}
		fmt.Fprintf(table, "%s\trelease %d, %s: %d %s\n", label, connected.Release, mayWrite(state, connected.Release), connected.Sessions, sessions)
	}
	return table.Flush()
}

func mayWrite(state db.FenceState, release int32) string {
	switch {
	case release < state.MinimumRelease:
		return "may no longer write"
	case state.Mode != db.ModeNormal:
		return "may not write in this mode"
	}
	return "may write"
}

// misuse is an error of whoever typed the command.
type misuse struct{ problem, usage string }

func (m misuse) Error() string { return m.problem }

var errNoOwner = errors.New("DATABASE_OWNER_URL is not set; it signs in as the owner of the tables")

// isHelp reports whether the arguments ask how to use what they belong to.
func isHelp(arguments []string) bool {
	return len(arguments) == 1 && slices.Contains([]string{"help", "--help", "-h"}, strings.ToLower(arguments[0]))
}
