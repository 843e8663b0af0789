package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func TestOutboxRefusesWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	for _, arguments := range [][]string{{}, {"status", "now"}, {"list", "all"}, {"retry"}, {"retry", "some"}, {"drop"}} {
		var m misuse
		err := operateOutbox(t.Context(), arguments, config.Config{DatabaseURL: "postgres://nobody@127.0.0.1:1/none"}, io.Discard)
		assert.ErrorAs(t, err, &m, "%q", arguments)
	}
}
