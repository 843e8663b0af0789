package snapshot_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/snapshot"
)

func TestAnImportedExportIsExportedTheSame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	elsewhere := bundle{T: t, Database: pgtest.New(t)}
	elsewhere.whole = snapshot.New(elsewhere.OwnerURL, snapshot.Options{})
	for _, organization := range []uuid.UUID{b.minato, b.harbor} { // one member is in both
		file := b.export(organization)
		assert.Equal(t, file, b.export(organization), "an export is the same twice")
		_, err := elsewhere.whole.Import(t.Context(), strings.NewReader(file))
		require.NoError(t, err)
		assert.Equal(t, file, elsewhere.export(organization))
	}
	report, err := elsewhere.whole.Verify(t.Context(), b.minato)
	require.NoError(t, err)
	assert.Empty(t, report.Faults)

	assert.Contains(t, b.export(b.minato), "みなと")
	assert.Contains(t, b.export(b.minato), `"description":null`)
}

func TestTheDigestIsWhatTheDocumentationSaysItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.export(b.harbor)
	at := strings.LastIndex(strings.TrimSuffix(file, "\n"), "\n") + 1
	sum := sha256.Sum256([]byte(file[:at]))
	assert.Equal(t, `"sha256":"`+hex.EncodeToString(sum[:])+"\"}\n", file[at:])
}

func TestVerifyFindsNothingInTheDemo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, organization := range []uuid.UUID{b.minato, b.harbor} {
		report, err := b.whole.Verify(t.Context(), organization)
		require.NoError(t, err)
		assert.Empty(t, report.Faults)
	}
}

func TestASnapshotIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := b.whole.Load(t.Context(), b.minato)
	require.NoError(t, err)
	for i := range s.Users {
		s.Users[i].PasswordHash = nil
	}
	var file bytes.Buffer
	require.NoError(t, s.Write(&file))
	assert.Equal(t, b.export(b.minato), file.String())
	again, err := snapshot.Read(&file, false)
	require.NoError(t, err)
	var second bytes.Buffer
	require.NoError(t, again.Write(&second))
	assert.Equal(t, b.export(b.minato), second.String())
}

// Tokens are secrets of this installation, like the sessions whose table they are in.
func TestAnExportKnowsNothingOfTokens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before := b.export(b.minato)
	b.exec(`INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at, token_name, token_scope) VALUES ($1, $2, $3, $4, now() + interval '1 day', '夜間の集計', 'write')`,
		b.minato, bytes.Repeat([]byte{7}, 32), uuid.New(), b.owner)
	assert.Equal(t, before, b.export(b.minato))
}
