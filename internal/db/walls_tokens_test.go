package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// wallsOfTokens writes a token, and returns the reads that find it at home.
func wallsOfTokens(t *testing.T, database *pgtest.Database, home, user uuid.UUID) map[string]func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	id := db.NewID()
	hash := append(id[:], id[:]...)
	if _, err := database.Owner.Exec(t.Context(), `INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at, token_name, token_scope)
		VALUES ($1, $2, $3, $4, now() + interval '1 day', 'wall', 'read')`, home, hash, id, user); err != nil {
		t.Fatal(err)
	}
	return map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"tokens.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListTokensOfUserAfter(ctx, db.ListTokensOfUserAfterParams{OrganizationID: home, UserID: user, PageSize: 10})
			return len(rows), err
		},
		"tokens.sql, everybody's": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListTokensAfter(ctx, db.ListTokensAfterParams{OrganizationID: home, PageSize: 10})
			return len(rows), err
		},
		"tokens.sql, how many": func(ctx context.Context, q *db.Queries) (int, error) {
			n, err := q.CountTokensOfUser(ctx, db.CountTokensOfUserParams{OrganizationID: home, UserID: user})
			return int(n), err
		},
		"tokens.sql, one": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetToken(ctx, db.GetTokenParams{OrganizationID: home, ID: id})
			return 1, err
		},
		"tokens.sql, whoever has it": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetActorForRead(ctx, db.GetActorForReadParams{OrganizationID: home, TokenHash: hash})
			return 1, err
		},
	}
}
