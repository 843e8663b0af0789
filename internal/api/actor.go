package api

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

// actor is who is asking, as the database knows them inside the present transaction.
type actor struct {
	db.GetActorForReadRow
	exchange *exchange
}

func actorForRead(ctx context.Context, q *db.Queries, x *exchange) (actor, error) {
	row, err := q.GetActorForRead(ctx, db.GetActorForReadParams{OrganizationID: x.token.Organization, TokenHash: x.token.Hash()})
	if errors.Is(err, pgx.ErrNoRows) {
		return actor{}, errSignedOut
	}
	return scoped(actor{row, x}, err)
}

func actorForWrite(ctx context.Context, q *db.Queries, x *exchange) (actor, error) {
	row, err := q.GetActorForWrite(ctx, db.GetActorForWriteParams{OrganizationID: x.token.Organization, TokenHash: x.token.Hash()})
	if errors.Is(err, pgx.ErrNoRows) {
		return actor{}, errSignedOut
	}
	return scoped(actor{db.GetActorForReadRow(row), x}, err)
}

// scoped refuses what the token that somebody sent is not for. It is asked in each transaction, with what that has read.
func scoped(a actor, err error) (actor, error) {
	if err == nil && a.exchange.unsafe && a.TokenScope != nil && *a.TokenScope != string(TokenWrites) {
		return actor{}, errTokenScope
	}
	return a, err
}

// administers reports whether the actor manages the organisation, which includes seeing and reviewing everything in it.
func (a actor) administers() bool { return a.Role.AtLeast(auth.Admin) }

// writes reports whether the actor may write anything at all.
func (a actor) writes() bool { return a.Role.AtLeast(auth.Member) }

// leads reports whether the actor leads a team; nobody leads no team.
func (a actor) leads(team *uuid.UUID) bool {
	return team != nil && slices.Contains(a.LeadTeamIDs, *team)
}

// zone is the organisation's time zone, in which its days are counted.
func (a actor) zone() *time.Location {
	zone, err := time.LoadLocation(a.TimeZone)
	if err != nil {
		return time.UTC // a zone that this machine has no rules for: days are then UTC's
	}
	return zone
}

// namesAtOnce is the bound of ListMemberNames.
const namesAtOnce = 1000

// namesOf reads the names behind ids, which may repeat. Whoever asks is known already.
func namesOf(ctx context.Context, q *db.Queries, a actor, ids ...uuid.UUID) (map[uuid.UUID]string, error) {
	slices.SortFunc(ids, func(x, y uuid.UUID) int { return slices.Compare(x[:], y[:]) })
	ids = slices.Compact(ids)
	names := make(map[uuid.UUID]string, len(ids))
	ids = slices.DeleteFunc(ids, func(id uuid.UUID) bool { return id == a.UserID })
	names[a.UserID] = a.Name
	for some := range slices.Chunk(ids, namesAtOnce) {
		rows, err := q.ListMemberNames(ctx, db.ListMemberNamesParams{OrganizationID: a.OrganizationID, UserIDs: some})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			names[row.UserID] = row.Name
		}
	}
	return names, nil
}
