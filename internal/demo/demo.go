// Package demo loads organisations to look around in: a manufacturer with two quarters of objectives behind and before it, and a tiny
// second organisation, which one of the first one's members belongs to as well.
//
// What happens in them is written down as stories (minato*.go, harbor.go), for a whole quarter and the one before it. Load tells
// them up to the present day, through the queries that the program itself uses: so in the first days of a quarter there is
// little to see but plans, and in its last weeks nearly everything.
package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

// Password opens the account of everybody in the demo. It is public, so what it opens must hold nothing but the demo.
const Password = "minato-demo-password"

// SignIn is how to get in, as the owner of the first organisation.
type SignIn struct {
	Email    string
	Password string
}

// loadLock is the advisory lock of whoever is loading: the letters "demo".
const loadLock = 0x64656d6f

// Load makes the demo as it stands at now, unless it was made before: then it changes nothing, whatever people have done to it since.
// Two that load at once make it once. ownerURL is the owner's login, to a migrated database.
func Load(ctx context.Context, ownerURL string, now time.Time) (SignIn, error) {
	if err := load(ctx, ownerURL, now); err != nil {
		return SignIn{}, fmt.Errorf("demo: %w", err)
	}
	return SignIn{Email: misaki.email, Password: Password}, nil
}

func load(ctx context.Context, ownerURL string, now time.Time) error {
	conn, err := pgx.Connect(ctx, ownerURL) //nolint:forbidigo // as migrating, this is the owner's work
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // whatever matters has been committed
	db.RegisterTypes(conn.TypeMap())

	if loaded, err := isLoaded(ctx, db.New(conn)); err != nil || loaded {
		return err
	}
	hash, err := auth.NewPasswords(1, auth.PasswordPatience).Hash(ctx, Password) // one for all: each takes tens of milliseconds
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { //nolint:forbidigo // a Store signs in as kakeai_app
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(loadLock)); err != nil {
			return err
		}
		if loaded, err := isLoaded(ctx, db.New(tx)); err != nil || loaded {
			return err
		}
		if err := createPeople(ctx, db.New(tx), hash); err != nil {
			return err
		}
		for _, story := range []organization{minatoWorks(), harborLabs()} {
			if err := tell(ctx, tx, story, now); err != nil {
				return fmt.Errorf("%s: %w", story.title, err)
			}
		}
		return nil
	})
}

func isLoaded(ctx context.Context, q *db.Queries) (bool, error) {
	_, err := q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: minatoWorks().id()})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func createPeople(ctx context.Context, q *db.Queries, passwordHash string) error {
	for _, p := range people() {
		err := q.CreateUser(ctx, db.CreateUserParams{
			ID: p.id(), Email: p.email, Name: p.name, Locale: p.locale, TimeZone: p.timeZone, PasswordHash: &passwordHash,
		})
		if err != nil {
			return fmt.Errorf("%s: %w", p.email, err)
		}
	}
	return nil
}
