package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

func TestOutboxTellsAndPutsBack(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	c := config.Config{DatabaseURL: database.AppURL, MaxConnections: 4, Reserve: 1, QueueTimeout: patience}
	call := func(arguments ...string) (string, error) {
		var out bytes.Buffer
		err := operateOutbox(t.Context(), arguments, c, &out)
		return out.String(), err
	}
	said, err := call("status")
	require.NoError(t, err)
	assert.Regexp(t, `^waiting +0, the one that is due longest for 0s\nrunning +0\nquarantined +0\n$`, said)

	organization, given := db.NewID(), db.NewID()
	_, err = database.Owner.Exec(t.Context(), "INSERT INTO organizations (id, name) VALUES ($1, 'Nagoya Works')", organization)
	require.NoError(t, err)
	_, err = database.Owner.Exec(t.Context(), `INSERT INTO outbox_events (organization_id, id, kind, target_id, state, attempt, failure, finished_at)
		SELECT $1, CASE WHEN n = 1 THEN $2 ELSE gen_random_uuid() END, 'mail.send', gen_random_uuid(), 'quarantined', 10, 'timed-out', now() FROM generate_series(1, 450) AS n`, organization, given)
	require.NoError(t, err)
	_, err = database.Owner.Exec(t.Context(), `INSERT INTO outbox_events (organization_id, id, kind, target_id, available_at)
		VALUES ($1, gen_random_uuid(), 'team.updated', gen_random_uuid(), now() - interval '90 seconds')`, organization)
	require.NoError(t, err)

	said, err = call("status")
	require.NoError(t, err)
	assert.Regexp(t, `^waiting +1, the one that is due longest for 1m3\d`, said)
	assert.Regexp(t, `quarantined +450\n$`, said)
	said, err = call("list")
	require.NoError(t, err)
	assert.Regexp(t, given.String()+` +`+organization.String()+` +mail.send .* 10 .* timed-out`, said)
	assert.Equal(t, 451, bytes.Count([]byte(said), []byte("\n")))

	said, err = call("retry", given.String())
	require.NoError(t, err)
	assert.Equal(t, "1 put back\n", said)
	_, err = call("retry", given.String())
	assert.ErrorContains(t, err, "no event "+given.String()+" is quarantined")
	said, err = call("retry", "all")
	require.NoError(t, err)
	assert.Equal(t, "449 put back\n", said)
}

// What nobody waits for is done by one process: events are delivered, and the clock is looked at.
func TestWorkersDeliverAndKeepTime(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	store, err := db.Open(t.Context(), database.AppURL, db.Options{Patience: patience})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	organization := db.NewID()
	_, err = database.Owner.Exec(t.Context(), "INSERT INTO organizations (id, name) VALUES ($1, 'Nagoya Works')", organization)
	require.NoError(t, err)
	_, err = database.Owner.Exec(t.Context(), "INSERT INTO outbox_events (organization_id, id, kind, target_id) VALUES ($1, gen_random_uuid(), 'team.updated', gen_random_uuid())", organization)
	require.NoError(t, err)

	c, log := config.Config{Jobs: 1, Deliveries: 1, Drain: patience}, slog.New(slog.DiscardHandler)
	deferred := background.NewRunner(log, background.Options{})
	out, err := newOutgoing(c, store, log)
	require.NoError(t, err)
	w, err := newWorkers(c, store, out, nil, deferred, log)
	require.NoError(t, err)
	defer w.close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.run(ctx, draining(ctx, c, deferred, log)) }()
	count := func(sql string) (n int) {
		assert.NoError(t, database.Owner.QueryRow(t.Context(), "SELECT count(*)::int FROM "+sql).Scan(&n))
		return n
	}
	assert.Eventually(t, func() bool {
		return count("outbox_events WHERE state = 'delivered'") == 1 && count("scheduled_runs WHERE name IN ('clean-up', 'retention')") == 2
	}, patience, 10*time.Millisecond)
	cancel()
	assert.NoError(t, <-ended)
	assert.Zero(t, count("organization_clocks WHERE lease_expires_at IS NOT NULL"))
}

func TestOutboxRefusesWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	for _, arguments := range [][]string{{}, {"status", "now"}, {"list", "all"}, {"retry"}, {"retry", "some"}, {"drop"}} {
		var m misuse
		err := operateOutbox(t.Context(), arguments, config.Config{DatabaseURL: "postgres://nobody@127.0.0.1:1/none"}, io.Discard)
		assert.ErrorAs(t, err, &m, "%q", arguments)
	}
}
