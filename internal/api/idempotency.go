package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
)

// claim takes the request's Idempotency-Key, if it has one, for this transaction. It ends the transaction with the first answer if there was
// one. A handler calls it once it knows that the actor may do this, and before it looks at states and revisions, which the first
// sending has changed.
func (a actor) claim(ctx context.Context, q *db.Queries) error {
	x := a.exchange
	if x.idempotencyKey == "" {
		return nil
	}
	_, err := q.ClaimIdempotencyKey(ctx, db.ClaimIdempotencyKeyParams{OrganizationID: a.OrganizationID, ActorID: a.UserID,
		Route: x.operation.id, Key: x.idempotencyKey, PayloadHash: x.payload[:]})
	switch {
	case err == nil:
		return nil
	case db.IsLockTimeout(err):
		return errInProgress
	case !errors.Is(err, pgx.ErrNoRows):
		return err
	}
	first, err := q.GetIdempotencyKey(ctx, db.GetIdempotencyKeyParams{OrganizationID: a.OrganizationID, ActorID: a.UserID,
		Route: x.operation.id, Key: x.idempotencyKey})
	if err != nil {
		return err
	}
	if !bytes.Equal(first.PayloadHash, x.payload[:]) {
		return errKeyReused
	}
	if first.Status == nil {
		return errInProgress
	}
	again := &replay{status: int(*first.Status), body: first.Body}
	if err := json.Unmarshal(first.Headers, &again.headers); err != nil {
		return err
	}
	return again
}

// hasClaimed reports whether the request's Idempotency-Key was claimed before. It is for requests whose payload is known at their end: claim then says what that means.
func (a actor) hasClaimed(ctx context.Context, q *db.Queries) (bool, error) {
	x := a.exchange
	if x.idempotencyKey == "" {
		return false, nil
	}
	_, err := q.GetIdempotencyKey(ctx, db.GetIdempotencyKeyParams{OrganizationID: a.OrganizationID, ActorID: a.UserID, Route: x.operation.id, Key: x.idempotencyKey})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// keepAnswer stores what is about to be answered under the key that claim took.
func keepAnswer(ctx context.Context, q *db.Queries, a actor, answer any) error {
	x := a.exchange
	if x.idempotencyKey == "" {
		return nil
	}
	kept := &recorder{header: http.Header{}, status: http.StatusOK}
	if err := x.operation.write(answer, kept); err != nil {
		return err
	}
	headers, err := json.Marshal(kept.header)
	if err != nil {
		return err
	}
	return q.AnswerIdempotencyKey(ctx, db.AnswerIdempotencyKeyParams{OrganizationID: a.OrganizationID, ActorID: a.UserID,
		Route: x.operation.id, Key: x.idempotencyKey, Status: int16(kept.status), Headers: headers, Body: kept.body.Bytes()}) //nolint:gosec // an HTTP status fits
}

// recorder is an http.ResponseWriter that keeps what is written.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }
