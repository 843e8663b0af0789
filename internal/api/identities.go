package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
)

// freshFor is how long somebody who has proved who they are may change what opens their account: whoever finds the screen unlocked later may not.
const freshFor = 10 * time.Minute

// accountPath is the page of one's own account, where a browser is led to that has added an identity, or has not.
const accountPath = "/account"

var (
	errConfirmationNeeded = &problem{status: http.StatusForbidden, kind: "confirmation-needed", title: "Prove first that it is you", detail: "With the password, at POST /account/confirmation; or sign in again."}
	errOnlyWayIn          = &problem{status: http.StatusConflict, kind: "only-way-in", title: "Nothing else opens this account", detail: "There is no password and no other identity to sign in with."}
	errIdentityTaken      = &problem{status: http.StatusConflict, kind: "identity-taken", title: "Somebody else signs in with this identity", detail: "It stays theirs. Sign in with it, or choose another one at the provider."}
	errSecondIdentity     = &problem{status: http.StatusConflict, kind: "second-identity", title: "You have another identity at this provider", detail: "An account has one at each provider: remove that one first."}
	errOtherSession       = &problem{status: http.StatusUnauthorized, kind: "sign-in-failed", title: "This was begun in another session", detail: "Begin anew from your account."}
)

// opens reports whether an identity of an issuer can be signed in with at present.
func (s *Server) opens(issuer string) bool {
	return s.options.OIDC != nil && s.options.OIDC.Issuer() == issuer
}

// providerName is what people call the provider with an issuer. Of one that is not configured any more, there is only its address.
func (s *Server) providerName(issuer string) string {
	if s.opens(issuer) {
		return s.options.OIDC.Name()
	}
	if u, err := url.Parse(issuer); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return issuer
}

func (s *Server) identityView(i db.ListIdentitiesOfUserRow) Identity {
	shown := i.Subject
	if i.ShownAs != nil {
		shown = *i.ShownAs
	}
	return Identity{ID: i.ID, Provider: s.providerName(i.Issuer), Issuer: i.Issuer, ShownAs: shown, Opens: s.opens(i.Issuer), LinkedAt: i.CreatedAt, LastUsedAt: i.SignedInAt}
}

// GetIdentities lists what the actor signs in with at identity providers.
func (s *Server) GetIdentities(ctx context.Context, _ GetIdentitiesRequestObject) (GetIdentitiesResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetIdentitiesResponseObject, error) {
		state, err := a.signInState(ctx, q)
		if err != nil {
			return nil, err
		}
		identities, err := q.ListIdentitiesOfUser(ctx, db.ListIdentitiesOfUserParams{UserID: a.UserID})
		if err != nil {
			return nil, err
		}
		body := Identities{Items: converted(identities, s.identityView), HasPassword: state.PasswordHash != nil}
		if s.options.OIDC != nil && !s.anyOpens(identities, uuid.Nil) {
			body.Linkable = &SignInProvider{Name: s.options.OIDC.Name()}
		}
		return GetIdentities200Response{Body: body}, nil
	})
}

// anyOpens reports whether one of these, but for one, can be signed in with at present.
func (s *Server) anyOpens(identities []db.ListIdentitiesOfUserRow, without uuid.UUID) bool {
	for _, i := range identities {
		if i.ID != without && s.opens(i.Issuer) {
			return true
		}
	}
	return false
}

// signInState is how the actor signs in, and whether they have proved just now who they are.
func (a actor) signInState(ctx context.Context, q *db.Queries) (db.GetSignInStateRow, error) {
	return q.GetSignInState(ctx, db.GetSignInStateParams{OrganizationID: a.OrganizationID, UserID: a.UserID, SessionID: a.SessionID, FreshSeconds: int32(freshFor.Seconds())})
}

// holdPerson holds the actor's person until the transaction ends, so that what opens an account changes one after the other. Whoever changed the password meanwhile has ended this session.
func (a actor) holdPerson(ctx context.Context, q *db.Queries) error {
	_, err := q.LockPersonOfSession(ctx, db.LockPersonOfSessionParams{OrganizationID: a.OrganizationID, UserID: a.UserID, SessionID: a.SessionID})
	if errors.Is(err, pgx.ErrNoRows) {
		return errSignedOut
	}
	return err
}

// ConfirmSession has somebody prove who they are by their password, without which an unlocked screen would be enough to give an account away.
func (s *Server) ConfirmSession(ctx context.Context, request ConfirmSessionRequestObject) (ConfirmSessionResponseObject, error) {
	checked, err := s.provesPassword(ctx, request.Body.PresentPassword)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ConfirmSessionResponseObject, error) {
		_, err := q.ConfirmSessionIfHash(ctx, db.ConfirmSessionIfHashParams{OrganizationID: a.OrganizationID, UserID: a.UserID, SessionID: a.SessionID, CheckedHash: checked})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, wrongState("The password was changed meanwhile.", nil)
		}
		return ConfirmSession204Response{}, err
	})
}

// LinkIdentity says where to go to show the identity that is to be added. That it is a request of this page and no link that somebody was sent is what keeps others from adding theirs: a browser that is
// led to the provider may be signed in there as whoever sent it.
func (s *Server) LinkIdentity(ctx context.Context, _ LinkIdentityRequestObject) (LinkIdentityResponseObject, error) {
	x := exchangeOf(ctx)
	var session uuid.UUID
	var email string
	_, err := read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (struct{}, error) {
		if s.options.OIDC == nil {
			return struct{}{}, errNotFound
		}
		state, err := a.signInState(ctx, q)
		if err != nil {
			return struct{}{}, err
		}
		identities, err := q.ListIdentitiesOfUser(ctx, db.ListIdentitiesOfUserParams{UserID: a.UserID})
		switch {
		case err != nil:
			return struct{}{}, err
		case s.anyOpens(identities, uuid.Nil):
			return struct{}{}, errSecondIdentity
		case !state.Fresh:
			return struct{}{}, errConfirmationNeeded
		}
		session, email = a.SessionID, state.Email
		return struct{}{}, nil
	})
	if err != nil {
		return nil, err
	}
	if err := s.limitSignIn(x, email); err != nil {
		return nil, err
	}
	location, sealed, err := s.options.OIDC.BeginLink(ctx, accountPath, session)
	if err != nil {
		return nil, s.oidcProblem(ctx, err)
	}
	cookie := x.attemptCookie(sealed, int(auth.AttemptLifetime.Seconds())).String()
	return LinkIdentity200Response{Body: IdentityLink{Location: location}, Headers: LinkIdentity200ResponseHeaders{SetCookie: &cookie}}, nil
}

// finishLink adds the identity that somebody has shown, and leads on to the page that shows it.
func (s *Server) finishLink(ctx context.Context, callback auth.Callback) (redirect, error) {
	if err := s.link(ctx, callback); err != nil {
		return redirect{}, err
	}
	return redirect{strings.TrimSuffix(s.options.PublicURL, "/") + accountPath + "?linked=1", []*http.Cookie{exchangeOf(ctx).attemptCookie("", -1)}}, nil
}

// link finds out whom the provider vouches for and gives their identity to whoever began, in the session that they began in. No identity moves from one person to another.
func (s *Server) link(ctx context.Context, callback auth.Callback) error {
	x := exchangeOf(ctx)
	if !x.signedIn {
		return errSignedOut
	}
	who, err := s.options.OIDC.Finish(ctx, callback)
	if err != nil {
		return s.oidcProblem(ctx, err)
	}
	if wait := s.limits.account.take(who.Issuer + " " + who.Subject); wait > 0 {
		return tooMany(wait)
	}
	_, err = write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (struct{}, error) {
		if a.SessionID != who.Session {
			return struct{}{}, errOtherSession
		}
		if err := a.holdPerson(ctx, q); err != nil {
			return struct{}{}, err
		}
		id := db.NewID()
		linked, err := q.LinkIdentity(ctx, db.LinkIdentityParams{Issuer: who.Issuer, Subject: who.Subject, UserID: a.UserID, ID: id, PictureURL: pictureURL(who.Picture), ShownAs: orNone(who.ShownAs)})
		if errors.Is(err, pgx.ErrNoRows) {
			return struct{}{}, errIdentityTaken
		}
		if err != nil || linked != id { // it was theirs already
			return struct{}{}, err
		}
		return struct{}{}, s.signInChanged(ctx, q, a, event{action: "account.identity_linked", targetKind: "member", target: a.UserID}, mail.SignInAdded, who.Issuer, who.ShownAs)
	})
	if isSecondIdentity(err) {
		return errSecondIdentity
	}
	return err
}

// UnlinkIdentity takes an identity away, with every session but the one that asks: whoever signed in with it is to be out.
func (s *Server) UnlinkIdentity(ctx context.Context, request UnlinkIdentityRequestObject) (UnlinkIdentityResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UnlinkIdentityResponseObject, error) {
		if err := a.holdPerson(ctx, q); err != nil {
			return nil, err
		}
		state, err := a.signInState(ctx, q)
		if err != nil {
			return nil, err
		}
		identities, err := q.ListIdentitiesOfUser(ctx, db.ListIdentitiesOfUserParams{UserID: a.UserID})
		if err != nil {
			return nil, err
		}
		identity, ok := identityOf(identities, request.IdentityID)
		switch {
		case !ok:
			return nil, errNotFound
		case s.opens(identity.Issuer) && state.PasswordHash == nil && !s.anyOpens(identities, identity.ID):
			return nil, errOnlyWayIn
		case !state.Fresh:
			return nil, errConfirmationNeeded
		}
		if err := s.limitSignIn(a.exchange, state.Email); err != nil {
			return nil, err
		}
		if _, err := q.RemoveIdentity(ctx, db.RemoveIdentityParams{UserID: a.UserID, ID: identity.ID}); err != nil {
			return nil, err
		}
		if err := q.EndOtherSessions(ctx, db.EndOtherSessionsParams{UserID: a.UserID, SessionID: a.SessionID}); err != nil { // after it: a sign-in that was waited for has made one
			return nil, err
		}
		if err := q.DeleteOtherSessionsOfUser(ctx, db.DeleteOtherSessionsOfUserParams{OrganizationID: a.OrganizationID, UserID: a.UserID, SessionID: a.SessionID}); err != nil {
			return nil, err
		}
		return UnlinkIdentity204Response{}, s.signInChanged(ctx, q, a, event{action: "account.identity_unlinked", targetKind: "member", target: a.UserID}, mail.SignInRemoved,
			identity.Issuer, s.identityView(identity).ShownAs)
	})
}

func identityOf(identities []db.ListIdentitiesOfUserRow, id uuid.UUID) (db.ListIdentitiesOfUserRow, bool) {
	for _, i := range identities {
		if i.ID == id {
			return i, true
		}
	}
	return db.ListIdentitiesOfUserRow{}, false
}

// signInChanged records that what opens the actor's account has changed, and tells them by mail, which reaches them where somebody else has done it.
func (s *Server) signInChanged(ctx context.Context, q *db.Queries, a actor, e event, change, issuer, shownAs string) error {
	e.detail = map[string]any{"issuer": issuer, "shown_as": shownAs}
	if err := record(ctx, q, a, e); err != nil {
		return err
	}
	return s.mailSignInChange(ctx, q, a, mail.SignInChange{Change: change, Provider: s.providerName(issuer), ShownAs: shownAs, At: a.Now})
}

func (s *Server) mailSignInChange(ctx context.Context, q *db.Queries, a actor, c mail.SignInChange) error {
	c.Address, c.Browser = a.exchange.address, a.exchange.userAgent
	_, err := mail.Enqueue(ctx, q, a.OrganizationID, a.UserID, c, false)
	return err
}
