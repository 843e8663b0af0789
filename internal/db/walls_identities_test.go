package db_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// What proves who somebody is, and what ends with time, with the right keys from elsewhere: it finds nothing and changes nothing.
func TestSessionsOfOtherOrganisationsAreNotConfirmed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	home, user, session := b.scope.Organization, b.user, db.NewID()
	for _, sql := range []string{
		`INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at) VALUES ($1, sha256('wall'), $2, $3, now() + interval '1 day')`,
		`INSERT INTO invitations (organization_id, id, email, role, days, token_hash, mail_id, expires_at, invited_by) VALUES ($1, $2, 'wall@example.com', 'member', 7, sha256(''), $2, now(), $3)`,
	} {
		if _, err := b.Owner.Exec(t.Context(), sql, home, session, user); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	if _, err := b.Owner.Exec(t.Context(), "UPDATE users SET password_hash = 'hash' WHERE id = $1", user); err != nil {
		t.Fatal(err)
	}
	statements := map[string]func(ctx context.Context, q *db.Queries, organization uuid.UUID) (found bool, err error){
		"GetSignInState": func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			_, err := q.GetSignInState(ctx, db.GetSignInStateParams{OrganizationID: organization, UserID: user, SessionID: session, FreshSeconds: 60})
			return true, err
		},
		"LockPersonOfSession": func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			_, err := q.LockPersonOfSession(ctx, db.LockPersonOfSessionParams{OrganizationID: organization, UserID: user, SessionID: session})
			return true, err
		},
		"ConfirmSessionIfHash": func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			_, err := q.ConfirmSessionIfHash(ctx, db.ConfirmSessionIfHashParams{OrganizationID: organization, UserID: user, SessionID: session, CheckedHash: "hash"})
			return true, err
		},
		"DeleteEndedInvitations": func(ctx context.Context, q *db.Queries, organization uuid.UUID) (bool, error) {
			n, err := q.DeleteEndedInvitations(ctx, db.DeleteEndedInvitationsParams{OrganizationID: organization, Before: time.Now().Add(time.Hour)})
			return n > 0, err
		},
	}
	for name, statement := range statements {
		run := func(scope, organization uuid.UUID) (found bool) {
			err := b.store.Write(t.Context(), db.Scope{Organization: scope}, func(ctx context.Context, q *db.Queries) (err error) {
				found, err = statement(ctx, q, organization)
				return err
			})
			return found && err == nil
		}
		abroad := db.NewID()
		if run(abroad, home) || run(abroad, abroad) {
			t.Errorf("%s reaches another organisation", name)
		}
		if !run(home, home) {
			t.Errorf("%s finds nothing at home: the keys are wrong, and what it did not find abroad would prove nothing", name)
		}
	}
}
