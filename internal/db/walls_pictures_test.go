package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// givesIcon gives a member a picture, as the tables' owner.
func givesIcon(t *testing.T, database *pgtest.Database, organization, user uuid.UUID) {
	t.Helper()
	if _, err := database.Owner.Exec(t.Context(), `INSERT INTO member_icons (organization_id, user_id, content_hash, content_type, content)
		VALUES ($1, $2, sha256('x'), 'image/png', 'x')`, organization, user); err != nil {
		t.Fatal(err)
	}
}

// Each of the other statements on pictures, with the right keys from elsewhere: it finds nothing and changes nothing.
func TestPicturesOfOtherOrganisationsAreNotReached(t *testing.T) {
	t.Parallel()
	b := setup(t)
	home, user := b.scope.Organization, b.user
	givesIcon(t, b.Database, home, user)
	if _, err := b.Owner.Exec(t.Context(), "UPDATE member_icons SET source_url = 'https://p.example.com/1'"); err != nil {
		t.Fatal(err)
	}
	statements := map[string]func(ctx context.Context, q *db.Queries) (found bool, err error){
		"GetMemberIconHash": func(ctx context.Context, q *db.Queries) (bool, error) {
			_, err := q.GetMemberIconHash(ctx, db.GetMemberIconHashParams{OrganizationID: home, UserID: user})
			return true, err
		},
		"ListMemberIconHashes": func(ctx context.Context, q *db.Queries) (bool, error) {
			rows, err := q.ListMemberIconHashes(ctx, db.ListMemberIconHashesParams{OrganizationID: home, UserIDs: []uuid.UUID{user}})
			return len(rows) > 0, err
		},
		"PutMemberIcon": func(ctx context.Context, q *db.Queries) (bool, error) {
			return true, q.PutMemberIcon(ctx, db.PutMemberIconParams{OrganizationID: home, UserID: user, ContentHash: make([]byte, 32), ContentType: "image/png", Content: []byte("y")})
		},
		"ImportMemberIcon": func(ctx context.Context, q *db.Queries) (bool, error) {
			_, err := q.ImportMemberIcon(ctx, db.ImportMemberIconParams{OrganizationID: home, UserID: user, ContentHash: make([]byte, 32), ContentType: "image/png", Content: []byte("z"), SourceURL: "https://p.example.com/2"})
			return true, err
		},
		"CreateSessionOfMember": func(ctx context.Context, q *db.Queries) (bool, error) {
			_, err := q.CreateSessionOfMember(ctx, db.CreateSessionOfMemberParams{OrganizationID: home, UserID: user, TokenHash: make([]byte, 32), ID: db.NewID(), LifetimeSeconds: 60})
			return true, err
		},
		"DeleteMemberIcon": func(ctx context.Context, q *db.Queries) (bool, error) {
			_, err := q.DeleteMemberIcon(ctx, db.DeleteMemberIconParams{OrganizationID: home, UserID: user})
			return true, err
		},
	}
	content := func() (s string) {
		if err := b.Owner.QueryRow(t.Context(), "SELECT coalesce(string_agg(i::text, '|'), '') || (SELECT count(*) FROM sessions) FROM member_icons AS i").Scan(&s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	run := func(name string, organization uuid.UUID) (found bool, err error) {
		err = b.store.Write(t.Context(), db.Scope{Organization: organization}, func(ctx context.Context, q *db.Queries) (err error) {
			found, err = statements[name](ctx, q)
			return err
		})
		return found && err == nil, err
	}
	before := content()
	for name := range statements {
		if found, err := run(name, db.NewID()); found {
			t.Errorf("%s reaches another organisation: %v", name, err)
		}
	}
	if content() != before {
		t.Error("something was changed from another organisation")
	}
	for _, name := range []string{"GetMemberIconHash", "ListMemberIconHashes", "ImportMemberIcon", "PutMemberIcon", "CreateSessionOfMember", "DeleteMemberIcon"} {
		if found, err := run(name, home); !found {
			t.Errorf("%s at home: %v", name, err)
		}
	}
}
