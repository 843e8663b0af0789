// Package bare is the database work of Kakeai's busiest requests on nothing but pgx: the same statements in the same order, inside the same
// kind of transaction, with neither HTTP nor admission. What the product takes beyond this is the price of the product.
package bare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kakeai/kakeai/bench/peers/answer"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

// ErrStale is returned for an objective that is not at the revision named.
var ErrStale = errors.New("bare: another revision")

// fenceLock is the advisory lock that the product's writes share.
const fenceLock = 0x6b616b65

// Open returns a pool of so many connections, set up as the product's.
func Open(ctx context.Context, url string, connections int) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("bare: malformed URL") // the original would print the password
	}
	config.MaxConns = int32(connections) //nolint:gosec // a few
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		db.RegisterTypes(conn.TypeMap())
		return nil
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// Edit gives an objective another title, if it is still at the revision, and returns it as it has become.
func Edit(ctx context.Context, pool *pgxpool.Pool, token auth.Token, id uuid.UUID, revision int64, title, requestID, address string) (o answer.Objective, a answer.Actor, err error) {
	begin := fmt.Sprintf("begin; select pg_advisory_xact_lock_shared(%d); set local kakeai.organization_id = '%s'", fenceLock, token.Organization)
	err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{BeginQuery: begin}, func(tx pgx.Tx) error {
		q := db.New(tx)
		state, err := q.GetRuntimeState(ctx)
		if err != nil {
			return err
		}
		if state.Mode != "normal" {
			return errors.New("bare: nothing may be written")
		}
		row, err := q.GetActorForWrite(ctx, db.GetActorForWriteParams{OrganizationID: token.Organization, TokenHash: token.Hash()})
		if err != nil {
			return err
		}
		a = actor(db.GetActorForReadRow(row))
		present, err := visible(ctx, q, token.Organization, a, id)
		if err != nil {
			return err
		}
		if present.Objective.Revision != revision {
			return ErrStale
		}
		if !a.MayEdit(present.Objective) {
			return errors.New("bare: not theirs to edit")
		}
		present.ChangedByName = row.Name
		present.Objective, err = q.UpdateObjectiveIfRevision(ctx, db.UpdateObjectiveIfRevisionParams{OrganizationID: token.Organization, ID: id, Revision: revision,
			ActorID: a.ID, SetTitle: true, Title: title})
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrStale
		}
		if err != nil {
			return err
		}
		o, err = record(ctx, q, a, present, requestID, address)
		return err
	})
	return o, a, err
}

// Read returns an objective that whoever holds the token may see.
func Read(ctx context.Context, pool *pgxpool.Pool, token auth.Token, id uuid.UUID) (o answer.Objective, a answer.Actor, err error) {
	err = view(ctx, pool, token, func(q *db.Queries, row db.GetActorForReadRow) error {
		a = actor(row)
		present, err := visible(ctx, q, token.Organization, a, id)
		if err != nil {
			return err
		}
		o, err = withKeyResults(ctx, q, present)
		return err
	})
	return o, a, err
}

// Session returns who holds the token and their organisation.
func Session(ctx context.Context, pool *pgxpool.Pool, token auth.Token) (who db.GetActorForReadRow, organization db.Organization, err error) {
	err = view(ctx, pool, token, func(q *db.Queries, row db.GetActorForReadRow) error {
		who = row
		organization, err = q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: token.Organization})
		return err
	})
	return who, organization, err
}

// Ready asks the database for the time.
func Ready(ctx context.Context, pool *pgxpool.Pool) (now time.Time, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		now, err = db.New(tx).GetServerTime(ctx)
		return err
	})
	return now, err
}

func view(ctx context.Context, pool *pgxpool.Pool, token auth.Token, work func(*db.Queries, db.GetActorForReadRow) error) error {
	begin := fmt.Sprintf("begin isolation level repeatable read read only; set local kakeai.organization_id = '%s'", token.Organization)
	return pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{BeginQuery: begin}, func(tx pgx.Tx) error {
		q := db.New(tx)
		row, err := q.GetActorForRead(ctx, db.GetActorForReadParams{OrganizationID: token.Organization, TokenHash: token.Hash()})
		if err != nil {
			return err
		}
		return work(q, row)
	})
}

func actor(row db.GetActorForReadRow) answer.Actor {
	return answer.Actor{ID: row.UserID, Role: row.Role, Cadence: row.Cadence, TimeZone: row.TimeZone, Now: row.Now, TeamIDs: row.TeamIDs, LeadTeamIDs: row.LeadTeamIDs}
}

func visible(ctx context.Context, q *db.Queries, organization uuid.UUID, a answer.Actor, id uuid.UUID) (db.GetVisibleObjectiveRow, error) {
	return q.GetVisibleObjective(ctx, db.GetVisibleObjectiveParams{OrganizationID: organization, ID: id, ActorID: a.ID, SeesAll: a.Administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
}

func record(ctx context.Context, q *db.Queries, a answer.Actor, changed db.GetVisibleObjectiveRow, requestID, address string) (answer.Objective, error) {
	o, err := withKeyResults(ctx, q, changed)
	if err != nil {
		return o, err
	}
	content, err := json.Marshal(o.Content())
	if err != nil {
		return o, err
	}
	return o, q.RecordObjectiveChange(ctx, db.RecordObjectiveChangeParams{OrganizationID: o.OrganizationID, ObjectiveID: o.ID, Revision: o.Revision,
		Action: "objective.updated", Content: content, ChangedAt: o.ChangedAt, ActorID: a.ID, EventID: db.NewID(), Detail: json.RawMessage("{}"),
		RequestID: &requestID, Address: &address})
}

func withKeyResults(ctx context.Context, q *db.Queries, row db.GetVisibleObjectiveRow) (answer.Objective, error) {
	objective := row.Objective
	o := answer.Objective{Objective: objective, Cycle: row.Cycle, Names: map[uuid.UUID]string{objective.OwnerID: row.OwnerName, objective.ChangedBy: row.ChangedByName}}
	rows, err := q.ListKeyResultsOfObjective(ctx, db.ListKeyResultsOfObjectiveParams{OrganizationID: objective.OrganizationID, ObjectiveID: objective.ID})
	if err != nil {
		return o, err
	}
	for _, r := range rows {
		add(&o, r)
	}
	return o, nil
}

// add takes in a key result, or a further step of the last one.
func add(o *answer.Objective, r db.ListKeyResultsOfObjectiveRow) {
	last := len(o.KeyResults) - 1
	if last < 0 || o.KeyResults[last].ID != r.KeyResult.ID {
		o.KeyResults = append(o.KeyResults, answer.KeyResult{KeyResult: r.KeyResult})
		last++
		if r.KeyResult.OwnerID != nil && r.OwnerName != nil {
			o.Names[*r.KeyResult.OwnerID] = *r.OwnerName
		}
	}
	if r.StepID != nil && r.StepTitle != nil && r.StepWeight != nil {
		k := &o.KeyResults[last]
		k.Steps = append(k.Steps, db.MilestoneStep{ID: *r.StepID, Title: *r.StepTitle, Weight: *r.StepWeight})
	}
}
