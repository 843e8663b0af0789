package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// wallsOfInvitations writes an invitation with its mail, and returns the reads that find it at home.
func wallsOfInvitations(t *testing.T, database *pgtest.Database, home, user uuid.UUID) map[string]func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	id, letter, team := db.NewID(), db.NewID(), db.NewID()
	hash := make([]byte, 32)
	for _, sql := range []string{
		`INSERT INTO teams (organization_id, id, name, changed_by) SELECT $1, $5, 'invited', $3 WHERE $2::uuid IS NOT NULL AND $4::uuid IS NOT NULL AND $6::bytea IS NOT NULL`,
		`INSERT INTO invitations (organization_id, id, email, role, days, token_hash, mail_id, expires_at, invited_by)
			SELECT $1, $2, 'wall@example.com', 'member', 7, $6, $4, now() + interval '7 days', $3 WHERE $5::uuid IS NOT NULL`,
		`INSERT INTO mails (organization_id, id, invitation_id, template) SELECT $1, $4, $2, 'invitation' WHERE $3::uuid IS NOT NULL AND $5::uuid IS NOT NULL AND $6::bytea IS NOT NULL`,
	} {
		if _, err := database.Owner.Exec(t.Context(), sql, home, id, user, letter, team, hash); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	one := func(err error) (int, error) { return 1, err }
	return map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"invitations.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListInvitationsBefore(ctx, db.ListInvitationsBeforeParams{OrganizationID: home, BeforeID: uuid.Max, PageSize: 10})
			return len(rows), err
		},
		"invitations.sql, open": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListOpenInvitationsBefore(ctx, db.ListOpenInvitationsBeforeParams{OrganizationID: home, BeforeID: uuid.Max, PageSize: 10})
			return len(rows), err
		},
		"invitations.sql, one": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetInvitation(ctx, db.GetInvitationParams{OrganizationID: home, ID: id})
			return one(err)
		},
		"invitations.sql, by its link": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetInvitationByToken(ctx, db.GetInvitationByTokenParams{OrganizationID: home, ID: id, TokenHash: hash})
			return one(err)
		},
		"invitations.sql, its mail": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetInvitationToMail(ctx, db.GetInvitationToMailParams{OrganizationID: home, ID: letter})
			return one(err)
		},
		"invitations.sql, who is there": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListInvitees(ctx, db.ListInviteesParams{OrganizationID: home, Emails: []string{"wall@example.com"}})
			return len(rows), err
		},
		"invitations.sql, teams": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListUsableTeams(ctx, db.ListUsableTeamsParams{OrganizationID: home, IDs: []uuid.UUID{team}})
			return len(rows), err
		},
		"accounts.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetAccount(ctx, db.GetAccountParams{OrganizationID: home, UserID: user})
			return one(err)
		},
	}
}
