package api

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
)

func accountView(u db.GetAccountRow) Account {
	return Account{ID: u.ID, Name: u.Name, Email: u.Email, Locale: Locale(u.Locale), TimeZone: u.TimeZone, HasPassword: u.PasswordHash != nil}
}

// GetAccount shows one's own account.
func (s *Server) GetAccount(ctx context.Context, _ GetAccountRequestObject) (GetAccountResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetAccountResponseObject, error) {
		u, err := q.GetAccount(ctx, db.GetAccountParams{OrganizationID: a.OrganizationID, UserID: a.UserID})
		return GetAccount200Response{Body: accountView(u)}, err
	})
}

// UpdateAccount changes what is one's own to say, in each field for itself: there is nobody else whose edit could be lost.
func (s *Server) UpdateAccount(ctx context.Context, request UpdateAccountRequestObject) (UpdateAccountResponseObject, error) {
	body := request.Body
	var refused []FieldProblem
	if body.Name != nil {
		refused = append(refused, checkPersonName(*body.Name)...)
	}
	if body.TimeZone != nil {
		refused = append(refused, checkZone(*body.TimeZone)...)
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateAccountResponseObject, error) {
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if len(refused) > 0 {
			return nil, invalid(refused...)
		}
		changed, err := q.UpdateAccount(ctx, db.UpdateAccountParams{UserID: a.UserID, Name: body.Name, Locale: (*string)(body.Locale), TimeZone: body.TimeZone})
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "account.updated", targetKind: "member", target: a.UserID,
			detail: map[string]any{"name": body.Name != nil, "locale": body.Locale != nil, "time_zone": body.TimeZone != nil}})
		return UpdateAccount200Response{Body: accountView(db.GetAccountRow(changed))}, err
	})
}

// provesPassword checks that the actor knows their present password, and returns the hash that it was checked against, which has still to be theirs when something comes of it. Attempts are counted like
// those of signing in. No connection is held meanwhile.
func (s *Server) provesPassword(ctx context.Context, present string) (checked string, err error) {
	var account db.GetAccountRow
	_, err = read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (struct{}, error) {
		var err error
		account, err = q.GetAccount(ctx, db.GetAccountParams{OrganizationID: a.OrganizationID, UserID: a.UserID})
		return struct{}{}, err
	})
	if err != nil {
		return "", err
	}
	if account.PasswordHash == nil {
		return "", wrongState("This account has no password: it signs in through the identity provider.", nil)
	}
	if err := s.limitSignIn(exchangeOf(ctx), account.Email); err != nil {
		return "", err
	}
	matches, err := s.passwords.Matches(ctx, present, *account.PasswordHash)
	if err != nil {
		return "", err
	}
	if !matches {
		return "", invalid(FieldProblem{Pointer: "/present_password", Code: "wrong", Detail: "This is not the present password."})
	}
	return *account.PasswordHash, nil
}

// ChangePassword gives the actor another password. The present one is asked for, because an unlocked screen is not its owner. Both are hashed without a connection, and the one that was checked has
// still to be the one that there is.
func (s *Server) ChangePassword(ctx context.Context, request ChangePasswordRequestObject) (ChangePasswordResponseObject, error) {
	checked, err := s.provesPassword(ctx, request.Body.PresentPassword)
	if err != nil {
		return nil, err
	}
	if refused := checkNewPassword("/new_password", request.Body.NewPassword); len(refused) > 0 {
		return nil, invalid(refused...)
	}
	hash, err := s.passwords.Hash(ctx, request.Body.NewPassword)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ChangePasswordResponseObject, error) {
		_, err := q.ChangePasswordIfHash(ctx, db.ChangePasswordIfHashParams{UserID: a.UserID, SessionID: a.SessionID, PasswordHash: hash, CheckedHash: checked})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, wrongState("The password was changed meanwhile.", nil)
		}
		if err != nil {
			return nil, err
		}
		if err := q.DeleteOtherSessionsOfUser(ctx, db.DeleteOtherSessionsOfUserParams{OrganizationID: a.OrganizationID, UserID: a.UserID, SessionID: a.SessionID}); err != nil {
			return nil, err
		}
		return ChangePassword204Response{}, record(ctx, q, a, event{action: "account.password_changed", targetKind: "member", target: a.UserID})
	})
}
