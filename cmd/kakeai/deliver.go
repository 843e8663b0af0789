package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/broadcast"
	"github.com/kakeai/kakeai/internal/budget"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/convene"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
	"github.com/kakeai/kakeai/internal/intake"
	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/schedule"
	"github.com/kakeai/kakeai/internal/webhook"
)

// consumers are who wants to know of events.
func consumers(c config.Config, store *db.Store, out outgoing, log *slog.Logger) (outbox.Consumers, error) {
	mails, err := newMailSender(c, store, log, budget.New(c.MailPerMinute, max(1, c.MailPerMinute/4)))
	if err != nil {
		return outbox.Consumers{}, err
	}
	return outbox.Consumers{
		Folds:   []outbox.Fold{notify.Fold(), notify.FeedFold(), figures.Fold(), newConvener(c, store).Fold(), broadcast.Fold, webhook.NewFold(c.PublicURL)},
		Senders: map[string]outbox.Sender{mail.EventKind: mails, webhook.SendKind: webhook.NewSender(store, out.client), intake.Kind: intake.NewWorker(store, log)},
	}, nil
}

// runs are what is done by the clock.
func runs(c config.Config, store *db.Store) []schedule.Run {
	return slices.Concat([]schedule.Run{schedule.CleanUp(store), schedule.Retention(store)}, notify.Runs(store), figures.Runs(store), newConvener(c, store).Runs())
}

func newConvener(c config.Config, store *db.Store) *convene.Convener {
	return convene.New(store, convene.Options{PublicURL: c.PublicURL})
}

const outboxUsage = `Usage: kakeai outbox COMMAND

  status    how much waits to be delivered, for how long, and how much was given up
  list      the events that were given up, with the reason
  retry ID  puts one of them back, with all its attempts before it; all instead of an ID puts all of them back

They sign in with DATABASE_URL.
`

// operateOutbox looks into the outbox. What it says goes to out.
func operateOutbox(ctx context.Context, arguments []string, c config.Config, out io.Writer) error {
	act, err := outboxCommand(arguments)
	if err != nil {
		return err
	}
	store, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	return act(ctx, store, out)
}

// outboxCommand reads the arguments, so that what cannot be understood is refused before anything is connected to.
func outboxCommand(arguments []string) (func(ctx context.Context, store *db.Store, out io.Writer) error, error) {
	switch {
	case slices.Equal(arguments, []string{"status"}):
		return tellBacklog, nil
	case slices.Equal(arguments, []string{"list"}):
		return listQuarantined, nil
	case slices.Equal(arguments, []string{"retry", "all"}):
		return func(ctx context.Context, store *db.Store, out io.Writer) error { return putAllBack(ctx, store, out) }, nil
	case len(arguments) == 2 && arguments[0] == "retry":
		id, err := uuid.Parse(arguments[1])
		if err != nil {
			return nil, misuse{fmt.Sprintf("%q is no id of an event", arguments[1]), outboxUsage}
		}
		return func(ctx context.Context, store *db.Store, out io.Writer) error { return putBack(ctx, store, id, out) }, nil
	}
	return nil, misuse{"status, list or retry ID", outboxUsage}
}

func tellBacklog(ctx context.Context, store *db.Store, out io.Writer) error {
	backlog, err := outbox.Measure(ctx, store)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "waiting\t%d, the one that is due longest for %s\n", backlog.Waiting, backlog.Lag.Round(time.Millisecond))
	fmt.Fprintf(table, "running\t%d\n", backlog.Running)
	fmt.Fprintf(table, "quarantined\t%d\n", backlog.Quarantined)
	return table.Flush()
}

func listQuarantined(ctx context.Context, store *db.Store, out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "EVENT\tORGANISATION\tKIND\tTARGET\tATTEMPTS\tGIVEN UP\tREASON")
	for after := (db.OutboxEvent{}); ; {
		events, err := outbox.List(ctx, store, after)
		if err != nil {
			return err
		}
		for _, e := range events {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", e.ID, e.OrganizationID, e.Kind, e.TargetID, e.Attempt, e.FinishedAt.UTC().Format(time.RFC3339), *e.Failure)
			after = e
		}
		if len(events) == 0 {
			return table.Flush()
		}
	}
}

func putBack(ctx context.Context, store *db.Store, id uuid.UUID, out io.Writer) error {
	n, err := outbox.Retry(ctx, store, id)
	if err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("no event %s is quarantined", id)
	}
	return tellPutBack(n, out)
}

func putAllBack(ctx context.Context, store *db.Store, out io.Writer) error {
	n, err := outbox.RetryAll(ctx, store)
	if err != nil {
		return err
	}
	return tellPutBack(n, out)
}

func tellPutBack(n int64, out io.Writer) error {
	_, err := fmt.Fprintf(out, "%d put back\n", n)
	return err
}
