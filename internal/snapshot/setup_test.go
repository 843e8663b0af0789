package snapshot_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/demo"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/snapshot"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// patience is how long a test waits for what must happen. It is no part of what is tested.
const patience = 30 * time.Second

// bundle is a database in which the demo's two organisations live.
type bundle struct {
	*testing.T
	*pgtest.Database
	whole  *snapshot.Database
	minato uuid.UUID // with two quarters of everything
	harbor uuid.UUID // tiny
	owner  uuid.UUID // of the first
}

// setup loads the demo as it stands in the middle of a quarter.
func setup(t *testing.T, options ...snapshot.Options) bundle {
	t.Helper()
	database := pgtest.New(t)
	_, err := demo.Load(t.Context(), database.OwnerURL, time.Date(2026, time.November, 27, 3, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	var o snapshot.Options
	if len(options) > 0 {
		o = options[0]
	}
	b := bundle{T: t, Database: database, whole: snapshot.New(database.OwnerURL, o)}
	b.minato = value[uuid.UUID](b, "SELECT organization_id FROM dialogues LIMIT 1")
	b.harbor = value[uuid.UUID](b, "SELECT id FROM organizations WHERE id <> $1", b.minato)
	b.owner = value[uuid.UUID](b, "SELECT user_id FROM memberships WHERE organization_id = $1 AND role = 'owner' ORDER BY 1 LIMIT 1", b.minato)
	return b
}

func value[T any](b bundle, query string, arguments ...any) (v T) {
	b.Helper()
	require.NoError(b, b.Owner.QueryRow(b.Context(), query, arguments...).Scan(&v), query)
	return v
}

func (b bundle) exec(statement string, arguments ...any) {
	b.Helper()
	_, err := b.Owner.Exec(b.Context(), statement, arguments...)
	require.NoError(b, err, statement)
}

func (b bundle) export(organization uuid.UUID) string {
	b.Helper()
	var file bytes.Buffer
	require.NoError(b, b.whole.Export(b.Context(), organization, &file, snapshot.ExportOptions{}))
	return file.String()
}

// content is a digest of all rows of all tables.
func (b bundle) content() map[string]string {
	b.Helper()
	rows, err := b.Owner.Query(b.Context(), "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'")
	require.NoError(b, err)
	var tables []string
	for rows.Next() {
		var table string
		require.NoError(b, rows.Scan(&table))
		tables = append(tables, table)
	}
	require.NoError(b, rows.Err())
	digests := map[string]string{}
	for _, table := range tables {
		digests[table] = value[string](b, "SELECT coalesce(md5(string_agg(r::text, '|' ORDER BY r::text)), '') FROM "+table+" AS r")
	}
	return digests
}

// change runs a change in the owner's name.
func (b bundle) change(mutate func(*snapshot.Snapshot) error) (snapshot.Summary, error) {
	return b.whole.Change(b.Context(), b.minato, snapshot.Change{Actor: b.owner, Mutate: mutate})
}

// codes are those of a refusal, sorted, each once.
func codes(t *testing.T, err error) []string {
	t.Helper()
	var refused *snapshot.RefusedError
	require.ErrorAs(t, err, &refused)
	return codesOf(refused.Faults)
}

func codesOf(faults []snapshot.Fault) []string {
	all := []string{}
	for _, f := range faults {
		all = append(all, f.Code)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// openStore is the program beside which changes of whole organisations run.
func (b bundle) openStore() *db.Store {
	b.Helper()
	store, err := db.Open(b.Context(), b.AppURL, db.Options{})
	require.NoError(b, err)
	b.Cleanup(store.Close)
	return store
}

// write runs work as some other write would.
func (b bundle) write(store *db.Store, work func(ctx context.Context, q *db.Queries) error) {
	b.Helper()
	require.NoError(b, store.Write(b.Context(), db.Scope{Organization: b.minato, Class: db.Normal}, work))
}
