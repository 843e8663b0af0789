package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

const (
	tokensAtMost = 50 // of a member
	tokenDays    = 90 // where nobody says
)

func tokenView(t db.ListTokensAfterRow) Token {
	return Token{ID: t.ID, Name: *t.TokenName, Scope: TokenScope(*t.TokenScope), Member: Person{ID: t.UserID, Name: t.Owner}, CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt,
		LastUsedAt: t.AccessedAt, LastUsedFrom: t.Address}
}

// ListTokens lists the actor's own tokens, or for admins everybody's.
func (s *Server) ListTokens(ctx context.Context, request ListTokensRequestObject) (ListTokensResponseObject, error) {
	all := request.Params.Whose != nil && *request.Params.Whose == TokensAll
	filters := url.Values{}
	if all {
		filters.Set("whose", "all")
	}
	l, err := s.newList(exchangeOf(ctx), "/tokens", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListTokensResponseObject, error) {
		if all && !a.administers() {
			return nil, errNotAllowed
		}
		rows, err := tokensOf(ctx, q, a, l, all)
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(t db.ListTokensAfterRow) position { return position{id: t.ID} })
		return ListTokens200Response{Body: TokenPage{Items: converted(rows, tokenView), NextCursor: next}, Headers: ListTokens200ResponseHeaders{Link: link}}, nil
	})
}

func tokensOf(ctx context.Context, q *db.Queries, a actor, l list, all bool) ([]db.ListTokensAfterRow, error) {
	if all {
		return q.ListTokensAfter(ctx, db.ListTokensAfterParams{OrganizationID: a.OrganizationID, AfterID: l.from.id, PageSize: l.pageSize()})
	}
	rows, err := q.ListTokensOfUserAfter(ctx, db.ListTokensOfUserAfterParams{OrganizationID: a.OrganizationID, UserID: a.UserID, AfterID: l.from.id, PageSize: l.pageSize()})
	return converted(rows, func(t db.ListTokensOfUserAfterRow) db.ListTokensAfterRow { return db.ListTokensAfterRow(t) }), err
}

// CreateToken makes a token for another program. Its secret is in the answer and nowhere else, which is why there is no Idempotency-Key that would keep the answer: whoever sends twice
// finds two in the list.
func (s *Server) CreateToken(ctx context.Context, request CreateTokenRequestObject) (CreateTokenResponseObject, error) {
	name, days := strings.TrimSpace(request.Body.Name), tokenDays
	if request.Body.Days != nil {
		days = *request.Body.Days
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateTokenResponseObject, error) {
		if name == "" {
			return nil, invalid(FieldProblem{Pointer: "/name", Code: "required", Detail: "A name has something in it."})
		}
		_, err := q.LockPersonOfSession(ctx, db.LockPersonOfSessionParams{OrganizationID: a.OrganizationID, UserID: a.UserID, SessionID: a.SessionID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, errSignedOut // by a change of the password that was waited for
		}
		if err != nil {
			return nil, err
		}
		n, err := q.CountTokensOfUser(ctx, db.CountTokensOfUserParams{OrganizationID: a.OrganizationID, UserID: a.UserID})
		if err != nil {
			return nil, err
		}
		if n >= tokensAtMost {
			return nil, wrongState(fmt.Sprintf("A member has at most %d tokens. Revoke one that is not needed any more.", tokensAtMost), nil)
		}
		secret := auth.NewAPIToken(a.OrganizationID)
		made, err := q.CreateToken(ctx, db.CreateTokenParams{OrganizationID: a.OrganizationID, TokenHash: secret.Hash(), ID: db.NewID(), UserID: a.UserID, UserAgent: a.exchange.userAgent,
			Address: a.exchange.address, Days: int32(days), Name: name, Scope: string(request.Body.Scope)}) //nolint:gosec // at most a year
		if err != nil {
			return nil, err
		}
		view := tokenView(db.ListTokensAfterRow{ID: made.ID, UserID: made.UserID, Owner: a.Name, TokenName: made.TokenName, TokenScope: made.TokenScope, CreatedAt: made.CreatedAt, ExpiresAt: made.ExpiresAt})
		err = record(ctx, q, a, event{action: "token.created", targetKind: "token", target: made.ID, detail: map[string]any{"name": name, "scope": request.Body.Scope, "expires_at": made.ExpiresAt}})
		return CreateToken201Response{Body: TokenWithSecret{Token: view, Secret: secret.String()}}, err
	})
}

// RevokeToken ends a token: one's own, or as an admin that of a member who is not above oneself.
func (s *Server) RevokeToken(ctx context.Context, request RevokeTokenRequestObject) (RevokeTokenResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (RevokeTokenResponseObject, error) {
		token, err := revocable(ctx, q, a, request.TokenID)
		if err != nil {
			return nil, err
		}
		if _, err := q.DeleteToken(ctx, db.DeleteTokenParams{OrganizationID: a.OrganizationID, ID: token.ID}); err != nil {
			return nil, err
		}
		return RevokeToken204Response{}, record(ctx, q, a, event{action: "token.revoked", targetKind: "token", target: token.ID, detail: map[string]any{"name": token.TokenName, "member_id": token.UserID}})
	})
}

// revocable reads a token that the actor may end. Others' tokens are nothing that a member may know of.
func revocable(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.GetTokenRow, error) {
	token, err := q.GetToken(ctx, db.GetTokenParams{OrganizationID: a.OrganizationID, ID: id})
	switch {
	case err != nil:
		return token, err
	case token.UserID == a.UserID:
		return token, nil
	case !a.administers():
		return token, errNotFound
	case !a.Role.AtLeast(token.Role):
		return token, errNotAllowed
	}
	return token, nil
}
