package main

import (
	"bytes"
	"encoding/base64"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

func keyOf(letter string) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, 32)))
}

func TestProcessesWithDifferentKeysFindOut(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	store, err := db.Open(t.Context(), database.AppURL, db.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	check := func(key, environment string) error {
		said.Reset()
		return checkKey(t.Context(), config.Config{CursorKey: key, Environment: environment}, store, log)
	}
	key := func(command, key string) string {
		var out bytes.Buffer
		require.NoError(t, operateKey(t.Context(), []string{command}, config.Config{CursorKey: key, DatabaseURL: database.AppURL}, &out))
		return out.String()
	}
	production := "production"
	require.NoError(t, check("", production), "nobody has one")
	assert.Equal(t, "no process has had a key yet\n", key("status", keyOf("a")))

	_, err = database.Owner.Exec(t.Context(), "UPDATE runtime_state SET mode = 'read_only'")
	require.NoError(t, err)
	require.NoError(t, check(keyOf("a"), production), "it starts although nothing can be noted")
	assert.Contains(t, said.String(), "could not be noted")
	_, err = database.Owner.Exec(t.Context(), "UPDATE runtime_state SET mode = 'normal'")
	require.NoError(t, err)

	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			assert.NoError(t, checkKey(t.Context(), config.Config{CursorKey: keyOf("a"), Environment: production}, store, slog.New(slog.DiscardHandler)))
		})
	}
	wg.Wait()
	require.NoError(t, check(keyOf("a"), production))
	assert.Empty(t, said.String())
	require.ErrorIs(t, check(keyOf("b"), production), errOtherKey)
	require.ErrorIs(t, check("", production), errOtherKey, "with a key of its own that nobody else knows")
	require.NoError(t, check(keyOf("b"), config.Development))
	assert.Contains(t, said.String(), "KAKEAI_CURSOR_KEY")
	assert.Contains(t, key("status", keyOf("a")), "the same here")
	assert.Contains(t, key("status", keyOf("b")), "another one here")
	assert.Contains(t, key("status", ""), "not set here")

	assert.Contains(t, key("adopt", keyOf("b")), "the same here")
	require.NoError(t, check(keyOf("b"), production))
	require.ErrorIs(t, check(keyOf("a"), production), errOtherKey)
	var row string
	require.NoError(t, database.Owner.QueryRow(t.Context(), "SELECT k::text FROM key_fingerprints AS k").Scan(&row))
	assert.NotContains(t, row, strings.Repeat("62", 8), "the key itself")
}

func TestTheKeyCommandIsReadBeforeAnythingIsConnectedTo(t *testing.T) {
	t.Parallel()
	for _, arguments := range [][]string{nil, {"rotate"}, {"status", "now"}} {
		var m misuse
		require.ErrorAs(t, operateKey(t.Context(), arguments, config.Config{}, nil), &m)
	}
	require.Error(t, operateKey(t.Context(), []string{"adopt"}, config.Config{}, nil))
}
