package api

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

const sessionLifetime = 30 * 24 * time.Hour

// SignIn checks a password and opens a session. It looks the person up, hashes without holding a connection, and opens the session in a
// third step that checks again that nothing has changed since.
func (s *Server) SignIn(ctx context.Context, request SignInRequestObject) (SignInResponseObject, error) {
	x := exchangeOf(ctx)
	if err := s.limitSignIn(x, request.Body.Email); err != nil {
		return nil, err
	}
	person, places, err := s.findForSignIn(ctx, request.Body)
	if err != nil {
		return nil, err
	}
	place := places[0]
	if wanted := request.Body.OrganizationID; wanted != nil {
		found := false
		for _, p := range places {
			if p.OrganizationID == *wanted {
				place, found = p, true
			}
		}
		if !found {
			return nil, errWrongCredentials
		}
	}
	token := auth.NewToken(place.OrganizationID)
	var session db.Session
	err = s.store.Write(ctx, db.Scope{Organization: place.OrganizationID, Class: db.Critical}, func(ctx context.Context, q *db.Queries) error {
		session, err = q.CreateSession(ctx, db.CreateSessionParams{OrganizationID: place.OrganizationID, UserID: person.ID, PasswordHash: *person.PasswordHash,
			TokenHash: token.Hash(), ID: db.NewID(), UserAgent: x.userAgent, Address: x.address, LifetimeSeconds: int32(sessionLifetime.Seconds())})
		if errors.Is(err, pgx.ErrNoRows) {
			return errWrongCredentials // suspended, or the password was changed, since it was checked
		}
		if err != nil {
			return err
		}
		who := actor{someone(place.OrganizationID, person.ID), x}
		return record(ctx, q, who, event{action: "session.opened", targetKind: "session", target: session.ID})
	})
	if err != nil {
		return nil, err
	}
	body := SignedIn{Token: token.String(), SessionID: session.ID, ExpiresAt: session.ExpiresAt, User: Person{ID: person.ID, Name: person.Name},
		OrganizationID: place.OrganizationID, Organizations: make([]OrganizationChoice, 0, len(places))}
	for _, p := range places {
		body.Organizations = append(body.Organizations, OrganizationChoice{ID: p.OrganizationID, Name: p.Name, Role: p.Role})
	}
	cookie := x.sessionCookie(token.String(), int(sessionLifetime.Seconds())).String()
	return SignIn201Response{Body: body, Headers: SignIn201ResponseHeaders{SetCookie: &cookie}}, nil
}

// someone is a person of whom no more is known than who they are and where.
func someone(organization, user uuid.UUID) db.GetActorForReadRow {
	return db.GetActorForReadRow{OrganizationID: organization, UserID: user}
}

// findForSignIn returns the person whose password it is, and where they may sign in: at least one place. An unknown address costs as much time
// as a wrong password, so that nobody can ask who has an account here.
func (s *Server) findForSignIn(ctx context.Context, body *SignInJSONRequestBody) (db.GetUserForSignInRow, []db.ListMembershipsForSignInRow, error) {
	var person db.GetUserForSignInRow
	var places []db.ListMembershipsForSignInRow
	err := s.store.System(ctx, db.Critical, func(ctx context.Context, q *db.Queries) error {
		var err error
		if person, err = q.GetUserForSignIn(ctx, db.GetUserForSignInParams{Email: strings.ToLower(strings.TrimSpace(body.Email))}); err != nil {
			return err
		}
		if err = q.SetSigningInUser(ctx, db.SetSigningInUserParams{UserID: person.ID.String()}); err != nil {
			return err
		}
		places, err = q.ListMembershipsForSignIn(ctx, db.ListMembershipsForSignInParams{UserID: person.ID})
		return err
	})
	if errors.Is(err, db.ErrNotFound) || err == nil && person.PasswordHash == nil {
		if err := s.passwords.MatchesNothing(ctx, body.Password); err != nil {
			return person, nil, err
		}
		return person, nil, errWrongCredentials
	}
	if err != nil {
		return person, nil, err
	}
	matches, err := s.passwords.Matches(ctx, body.Password, *person.PasswordHash)
	if err != nil {
		return person, nil, err
	}
	if !matches || len(places) == 0 {
		return person, nil, errWrongCredentials
	}
	return person, places, nil
}

// GetSession tells who is signed in. It is critical: without it, nothing else can be shown.
func (s *Server) GetSession(ctx context.Context, _ GetSessionRequestObject) (GetSessionResponseObject, error) {
	x := exchangeOf(ctx)
	if !x.signedIn {
		return nil, errSignedOut
	}
	var answer GetSession200Response
	err := s.store.Read(ctx, x.scope(db.Critical), func(ctx context.Context, q *db.Queries) error {
		a, err := actorForRead(ctx, q, x)
		if err != nil {
			return err
		}
		organization, err := q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: a.OrganizationID})
		if err != nil {
			return err
		}
		icons, err := iconsOf(ctx, q, a.OrganizationID, a.UserID)
		if err != nil {
			return err
		}
		answer.Body = Session{ID: a.SessionID, User: Person{ID: a.UserID, Name: a.Name}, IconURL: icons.of(a.UserID), Role: a.Role, TeamIds: a.TeamIDs, LeadTeamIds: a.LeadTeamIDs, TokenScope: (*TokenScope)(a.TokenScope),
			Organization: Organization{ID: organization.ID, Name: organization.Name, Locale: OrganizationLocale(organization.Locale),
				TimeZone: organization.TimeZone, Cadence: OrganizationCadence(organization.Cadence), GraceDays: int(organization.GraceDays)}}
		return nil
	})
	s.noteAccess(ctx, x, err)
	return answer, err
}

// SignOut ends the session that asks.
func (s *Server) SignOut(ctx context.Context, _ SignOutRequestObject) (SignOutResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (SignOutResponseObject, error) {
		if err := endSession(ctx, q, a, a.SessionID); err != nil {
			return nil, err
		}
		gone := a.exchange.sessionCookie("", -1).String()
		return SignOut204Response{Headers: SignOut204ResponseHeaders{SetCookie: &gone}}, nil
	})
}

// RevokeSession ends one of the actor's own sessions.
func (s *Server) RevokeSession(ctx context.Context, request RevokeSessionRequestObject) (RevokeSessionResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (RevokeSessionResponseObject, error) {
		return RevokeSession204Response{}, endSession(ctx, q, a, request.SessionID)
	})
}

func endSession(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) error {
	if _, err := q.DeleteSession(ctx, db.DeleteSessionParams{OrganizationID: a.OrganizationID, UserID: a.UserID, ID: id}); err != nil {
		return err
	}
	return record(ctx, q, a, event{action: "session.ended", targetKind: "session", target: id})
}

// ListSessions lists the actor's own sessions.
func (s *Server) ListSessions(ctx context.Context, request ListSessionsRequestObject) (ListSessionsResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/sessions", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListSessionsResponseObject, error) {
		rows, err := q.ListSessionsOfUserAfter(ctx, db.ListSessionsOfUserAfterParams{OrganizationID: a.OrganizationID, UserID: a.UserID,
			AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ListSessionsOfUserAfterRow) position { return position{id: r.ID} })
		items := make([]SessionSummary, 0, len(rows))
		for _, r := range rows {
			items = append(items, SessionSummary{ID: r.ID, Current: r.ID == a.SessionID, UserAgent: r.UserAgent, Address: r.Address,
				CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, LastAccessedAt: r.AccessedAt})
		}
		return ListSessions200Response{Body: SessionPage{Items: items, NextCursor: next}, Headers: ListSessions200ResponseHeaders{Link: link}}, nil
	})
}
