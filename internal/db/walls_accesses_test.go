package db_test

import (
	"context"
	"testing"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

// The time of a session's last use is written in its own organisation alone, and is seen there alone.
func TestSessionAccessesStayAtHome(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, session := auth.NewToken(b.scope.Organization), db.NewID()
	if _, err := b.Owner.Exec(t.Context(), "INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at) VALUES ($1, $2, $3, $4, now() + interval '1 day')",
		b.scope.Organization, token.Hash(), session, b.user); err != nil {
		t.Fatal(err)
	}
	written := func() (n int) {
		t.Helper()
		if err := b.Owner.QueryRow(t.Context(), "SELECT count(*) FROM session_accesses WHERE session_id = $1", session).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	use := func(scope db.Scope) {
		t.Helper()
		assertNoError(t, b.store.Write(t.Context(), scope, func(ctx context.Context, q *db.Queries) error {
			return q.RecordSessionAccess(ctx, db.RecordSessionAccessParams{OrganizationID: b.scope.Organization, TokenHash: token.Hash(), Address: "192.0.2.1"})
		}))
	}
	listed := func(scope db.Scope) (sessions, accesses int) {
		t.Helper()
		assertNoError(t, b.store.Read(t.Context(), scope, func(ctx context.Context, q *db.Queries) error {
			rows, err := q.ListSessionsOfUserAfter(ctx, db.ListSessionsOfUserAfterParams{OrganizationID: b.scope.Organization, UserID: b.user, PageSize: 10})
			for _, r := range rows {
				sessions++
				if r.AccessedAt != nil {
					accesses++
				}
			}
			return err
		}))
		return sessions, accesses
	}
	elsewhere := db.Scope{Organization: db.NewID()}
	use(elsewhere)
	if n := written(); n != 0 {
		t.Fatalf("%d rows written from elsewhere", n)
	}
	if sessions, accesses := listed(b.scope); sessions != 1 || accesses != 0 {
		t.Fatalf("%d sessions and %d accesses at home, before any", sessions, accesses)
	}
	use(b.scope)
	use(b.scope)
	if n := written(); n != 1 {
		t.Fatalf("%d rows written at home", n)
	}
	if sessions, accesses := listed(b.scope); sessions != 1 || accesses != 1 {
		t.Fatalf("%d sessions and %d accesses at home", sessions, accesses)
	}
	if sessions, accesses := listed(elsewhere); sessions != 0 || accesses != 0 {
		t.Fatalf("%d sessions and %d accesses seen from elsewhere", sessions, accesses)
	}
}
