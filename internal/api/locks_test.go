package api_test

import (
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// awaitBlocked waits until n of the server's transactions wait for a lock that somebody else holds.
func (b *bundle) awaitBlocked(n int) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return b.waiting() >= n }, patience, 5*time.Millisecond)
}

func (b *bundle) waiting() (n int) {
	_ = b.database.Owner.QueryRow(b.t.Context(), `SELECT count(DISTINCT l.pid) FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
		WHERE a.datname = current_database() AND NOT l.granted`).Scan(&n) // whoever cannot count sees none, and looks again
	return n
}

// holds takes rows in a transaction of the tables' owner, who lets go when release is called.
func (b *bundle) holds(lock string, arguments ...any) (tx pgx.Tx, release func()) {
	b.t.Helper()
	tx, err := b.database.Owner.Begin(b.t.Context())
	require.NoError(b.t, err)
	b.t.Cleanup(func() { _ = tx.Rollback(b.t.Context()) })
	_, err = tx.Exec(b.t.Context(), lock, arguments...)
	require.NoError(b.t, err)
	return tx, func() {
		b.t.Helper()
		require.NoError(b.t, tx.Commit(b.t.Context()))
	}
}

// stopsUpdates lets every update of a table's rows go so far that it holds its row, and no further until release is called.
func (b *bundle) stopsUpdates(table string) (release func()) {
	b.t.Helper()
	b.exec(`CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN NEW; END $$`)
	b.exec("CREATE TRIGGER wait_here BEFORE UPDATE ON " + table + " FOR EACH ROW EXECUTE FUNCTION wait_here()")
	_, release = b.holds("SELECT pg_advisory_xact_lock(42)")
	return release
}
