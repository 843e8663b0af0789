package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
)

// callbackPath is where the identity provider leads back to, beneath the program's public address.
const callbackPath = basePath + "/session/oidc/callback"

// CallbackURL is the address that the identity provider has to lead back to.
func CallbackURL(publicURL string) string { return strings.TrimRight(publicURL, "/") + callbackPath }

var (
	errSignInFailed        = &problem{status: http.StatusUnauthorized, kind: "sign-in-failed", title: "Signing in did not work", detail: "Begin anew from the sign-in page."}
	errNoAccess            = &problem{status: http.StatusForbidden, kind: "no-access", title: "You have no access here", detail: "Nobody here is known by your identity and your verified e-mail address, or they may not sign in at present. Ask an admin of your organisation."}
	errProviderUnavailable = &problem{status: http.StatusServiceUnavailable, kind: "provider-unavailable", title: "The identity provider cannot be reached", detail: "Try again later, or sign in with your password."}
)

// GetSignInMethods tells a page what to offer. It needs no database.
func (s *Server) GetSignInMethods(context.Context, GetSignInMethodsRequestObject) (GetSignInMethodsResponseObject, error) {
	methods := SignInMethods{Password: true}
	if s.options.OIDC != nil {
		methods.Oidc = &SignInProvider{Name: s.options.OIDC.Name()}
	}
	return GetSignInMethods200Response{Body: methods}, nil
}

// StartOIDC leads to the identity provider.
func (s *Server) StartOIDC(ctx context.Context, request StartOIDCRequestObject) (StartOIDCResponseObject, error) {
	x := exchangeOf(ctx)
	returnTo := "/"
	if wanted := request.Params.ReturnTo; wanted != nil {
		if !isLocalPath(*wanted) {
			return nil, badRequest(FieldProblem{Pointer: "/query/return_to", Code: "not-here", Detail: "A path of this server, such as /inbox."})
		}
		returnTo = *wanted
	}
	if s.options.OIDC == nil {
		return nil, errNotFound
	}
	organization := uuid.Nil
	if request.Params.OrganizationID != nil {
		organization = *request.Params.OrganizationID
	}
	to, err := s.startOIDC(ctx, returnTo, organization)
	if err != nil && x.page {
		return s.tellOnPage(ctx, signInPath, returnTo, err), nil
	}
	return to, err
}

func (s *Server) startOIDC(ctx context.Context, returnTo string, organization uuid.UUID) (redirect, error) {
	x := exchangeOf(ctx)
	if wait := s.limits.address.take(x.address); wait > 0 {
		return redirect{}, tooMany(wait)
	}
	location, sealed, err := s.options.OIDC.Begin(ctx, returnTo, organization)
	if err != nil {
		return redirect{}, s.oidcProblem(ctx, err)
	}
	return redirect{location, []*http.Cookie{x.attemptCookie(sealed, int(auth.AttemptLifetime.Seconds()))}}, nil
}

// signInPath is the page to sign in at.
const signInPath = "/sign-in"

// tellOnPage leads a browser that goes through sign-in to a page that says what was in the way: what it is answered itself, people would see as it is.
func (s *Server) tellOnPage(ctx context.Context, page, returnTo string, err error) redirect {
	x, p := exchangeOf(ctx), problemOf(err)
	if p.status >= http.StatusInternalServerError && p.kind != errProviderUnavailable.kind { // of which the log has been told
		level := slog.LevelWarn
		if p.kind == errInternal.kind {
			level = slog.LevelError
		}
		s.log.Log(ctx, level, "request failed", "request_id", x.requestID, "route", callbackPath, "error", err)
	}
	query := url.Values{"problem": {p.kind}}
	if page == signInPath && returnTo != "" {
		query.Set("to", returnTo)
	}
	return redirect{strings.TrimSuffix(s.options.PublicURL, "/") + page + "?" + query.Encode(), []*http.Cookie{x.attemptCookie("", -1)}}
}

// isLocalPath reports whether a browser that is told to go there stays here, however it reads what browsers read differently.
func isLocalPath(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, `\`) || !utf8.ValidString(path) || strings.ContainsFunc(path, unicode.IsControl) {
		return false
	}
	u, err := url.Parse(path)
	return err == nil && u.Scheme == "" && u.Host == "" && u.User == nil && strings.HasPrefix(u.Path, "/") && !strings.HasPrefix(u.Path, "//") && !strings.Contains(u.Path, `\`) && !strings.ContainsFunc(u.Path, unicode.IsControl)
}

// FinishOIDC signs in whom the provider vouches for, or adds their identity to the account that wants it.
func (s *Server) FinishOIDC(ctx context.Context, request FinishOIDCRequestObject) (FinishOIDCResponseObject, error) {
	x := exchangeOf(ctx)
	if s.options.OIDC == nil {
		if _, err := callbackOf(request.Params, x.attempt); err != nil {
			return nil, err
		}
		return nil, errNotFound
	}
	returnTo, links := s.options.OIDC.AttemptOf(x.attempt)
	finish, page := s.finishSignIn, signInPath
	if links {
		finish, page = s.finishLink, accountPath
	}
	to, err := s.finishOIDC(ctx, request.Params, finish)
	if err != nil && x.page {
		return s.tellOnPage(ctx, page, returnTo, err), nil
	}
	return to, err
}

func (s *Server) finishOIDC(ctx context.Context, p FinishOIDCParams, finish func(context.Context, auth.Callback) (redirect, error)) (redirect, error) {
	x := exchangeOf(ctx)
	callback, err := callbackOf(p, x.attempt)
	if err != nil {
		return redirect{}, err
	}
	if wait := s.limits.address.take(x.address); wait > 0 {
		return redirect{}, tooMany(wait)
	}
	return finish(ctx, callback)
}

// finishSignIn opens a session for whom the provider vouches for. While the provider is asked, no connection is held.
func (s *Server) finishSignIn(ctx context.Context, callback auth.Callback) (redirect, error) {
	x := exchangeOf(ctx)
	who, err := s.options.OIDC.Finish(ctx, callback)
	if err != nil {
		return redirect{}, s.oidcProblem(ctx, err)
	}
	if wait := s.limits.account.take(who.Issuer + " " + who.Subject); wait > 0 {
		return redirect{}, tooMany(wait)
	}
	found, err := s.findIdentity(ctx, who)
	if err != nil {
		return redirect{}, err
	}
	user, place := found.user, found.place
	token := auth.NewToken(place)
	err = s.store.Write(ctx, db.Scope{Organization: place, Class: db.Critical}, func(ctx context.Context, q *db.Queries) error {
		if err := noteIdentity(ctx, q, who, user, found.known); err != nil {
			return err
		}
		session, err := q.CreateSessionOfMember(ctx, db.CreateSessionOfMemberParams{OrganizationID: place, UserID: user, TokenHash: token.Hash(),
			ID: db.NewID(), UserAgent: x.userAgent, Address: x.address, LifetimeSeconds: int32(sessionLifetime.Seconds())})
		if errors.Is(err, pgx.ErrNoRows) {
			return errNoAccess // suspended, since it was looked up
		}
		if err != nil {
			return err
		}
		a := actor{someone(place, user), x}
		if !found.known && found.hasPassword { // what opens their account is more than they knew
			if err := s.mailSignInChange(ctx, q, a, mail.SignInChange{Change: mail.SignInAdded, Provider: s.providerName(who.Issuer), ShownAs: who.ShownAs, At: session.CreatedAt}); err != nil {
				return err
			}
		}
		return record(ctx, q, a, event{action: "session.opened", targetKind: "session", target: session.ID,
			detail: map[string]any{"issuer": who.Issuer, "identity_linked": !found.known}})
	})
	if isSecondIdentity(err) {
		s.log.WarnContext(ctx, "sign-in refused", "request_id", x.requestID, "reason", "whoever has this address signs in with another identity of the same provider", "user_id", user)
		return redirect{}, errNoAccess
	}
	if err != nil {
		return redirect{}, err
	}
	s.importIcon(ctx, place, user, who.Picture)
	return redirect{strings.TrimSuffix(s.options.PublicURL, "/") + who.ReturnTo,
		[]*http.Cookie{x.sessionCookie(token.String(), int(sessionLifetime.Seconds())), x.attemptCookie("", -1)}}, nil
}

// noteIdentity notes that somebody signs in with an identity: one that was known to be theirs, or one that becomes theirs by their e-mail address.
func noteIdentity(ctx context.Context, q *db.Queries, who auth.SignedIn, user uuid.UUID, known bool) (err error) {
	picture, shownAs := pictureURL(who.Picture), orNone(who.ShownAs)
	if known {
		_, err = q.NoteSignIn(ctx, db.NoteSignInParams{Issuer: who.Issuer, Subject: who.Subject, UserID: user, PictureURL: picture, ShownAs: shownAs})
	} else if _, err = q.LockPerson(ctx, db.LockPersonParams{UserID: user}); err == nil {
		_, err = q.PutIdentity(ctx, db.PutIdentityParams{Issuer: who.Issuer, Subject: who.Subject, UserID: user, ID: db.NewID(), PictureURL: picture, ShownAs: shownAs})
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return errSignInFailed // since it was looked up, it has become somebody else's, or was removed
	}
	return err
}

// callbackOf reads what the browser brings. The provider sends an error or a code, and in either case the state.
func callbackOf(p FinishOIDCParams, sealed string) (auth.Callback, error) {
	c := auth.Callback{Sealed: sealed}
	var refused []FieldProblem
	for _, parameter := range []struct {
		name string
		from *string
		to   *string
	}{{"code", p.Code, &c.Code}, {"state", p.State, &c.State}, {"error", p.Error, &c.Error}, {"iss", p.Iss, &c.Issuer}} {
		if parameter.from == nil {
			continue
		}
		*parameter.to = *parameter.from
		if !utf8.ValidString(*parameter.from) || strings.ContainsFunc(*parameter.from, unicode.IsControl) {
			refused = append(refused, FieldProblem{Pointer: "/query/" + parameter.name, Code: "invalid-text", Detail: "It holds what is no text."})
		}
	}
	if c.State == "" {
		refused = append(refused, FieldProblem{Pointer: "/query/state", Code: "required", Detail: "It is required."})
	}
	if c.Code == "" && c.Error == "" {
		refused = append(refused, FieldProblem{Pointer: "/query/code", Code: "required", Detail: "It is required."})
	}
	if len(refused) > 0 {
		return c, badRequest(refused...)
	}
	return c, nil
}

// oidcProblem is the answer to whoever could not be signed in. Why is for the log.
func (s *Server) oidcProblem(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, auth.ErrProviderUnavailable):
		s.log.WarnContext(ctx, "identity provider unavailable", "request_id", exchangeOf(ctx).requestID, "error", err)
		return errProviderUnavailable
	case errors.Is(err, auth.ErrSignInRefused):
		s.log.WarnContext(ctx, "sign-in refused", "request_id", exchangeOf(ctx).requestID, "error", err)
		return errSignInFailed
	}
	return err
}

// signingIn is who is meant by an identity, and where they are to be signed in.
type signingIn struct {
	user, place uuid.UUID
	known       bool // by the identity; otherwise by the e-mail address
	hasPassword bool // where they are known by the address
}

// findIdentity finds who is meant and where they are to be signed in: whoever has signed in with the identity before, and otherwise whoever has the e-mail address that the
// provider has verified. The address counts for nothing once the identity is known: people change theirs. Nor does it where somebody has removed an identity of theirs.
func (s *Server) findIdentity(ctx context.Context, who auth.SignedIn) (found signingIn, err error) {
	var places []db.ListMembershipsForSignInRow
	err = s.store.System(ctx, db.Critical, func(ctx context.Context, q *db.Queries) error {
		identity, err := q.GetIdentity(ctx, db.GetIdentityParams{Issuer: who.Issuer, Subject: who.Subject})
		found = signingIn{user: identity.UserID, known: err == nil}
		if errors.Is(err, pgx.ErrNoRows) && who.Email != "" {
			found, err = findByAddress(ctx, q, who)
		}
		if err != nil {
			return err
		}
		if err := q.SetSigningInUser(ctx, db.SetSigningInUserParams{UserID: found.user.String()}); err != nil {
			return err
		}
		places, err = q.ListMembershipsForSignIn(ctx, db.ListMembershipsForSignInParams{UserID: found.user})
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return found, errNoAccess
	}
	if err != nil {
		return found, err
	}
	for _, p := range places {
		if who.Organization == uuid.Nil || p.OrganizationID == who.Organization {
			found.place = p.OrganizationID
			return found, nil
		}
	}
	return found, errNoAccess
}

func findByAddress(ctx context.Context, q *db.Queries, who auth.SignedIn) (signingIn, error) {
	person, err := q.GetUserForSignIn(ctx, db.GetUserForSignInParams{Email: who.Email})
	if err != nil {
		return signingIn{}, err
	}
	removed, err := q.IsIdentityRemoved(ctx, db.IsIdentityRemovedParams{UserID: person.ID, Issuer: who.Issuer})
	if err == nil && removed {
		err = errNoAccess // they add one again when they are signed in
	}
	return signingIn{user: person.ID, hasPassword: person.PasswordHash != nil}, err
}

// isSecondIdentity: the provider has given somebody's address to another person, who is not to become the one who had it before.
func isSecondIdentity(err error) bool {
	var constraint *db.ConstraintError
	return errors.As(err, &constraint) && constraint.Constraint == "identities_one_per_issuer"
}

// pictureURL is what is kept of where somebody's picture is: nothing of what cannot be one.
func pictureURL(claimed string) *string {
	if claimed == "" || utf8.RuneCountInString(claimed) > 2000 || strings.ContainsFunc(claimed, unicode.IsControl) {
		return nil
	}
	return &claimed
}

// attemptCookie is the cookie that an attempt is kept in while somebody is at the provider.
func (x *exchange) attemptCookie(value string, maxAge int) *http.Cookie {
	cookie := x.sessionCookie(value, maxAge) //nolint:gosec // as secure as the session's own
	cookie.Name = attemptCookieName(x.secure)
	return cookie
}

func attemptCookieName(secure bool) string { return cookieName(secure) + "-oidc" }

// redirect sends a browser elsewhere, with cookies.
type redirect struct {
	location string
	cookies  []*http.Cookie
}

func (r redirect) write(w http.ResponseWriter) error {
	for _, cookie := range r.cookies {
		http.SetCookie(w, cookie)
	}
	w.Header().Set("Location", r.location)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// VisitStartOIDCResponse writes the redirect.
func (r redirect) VisitStartOIDCResponse(w http.ResponseWriter) error { return r.write(w) }

// VisitFinishOIDCResponse writes the redirect.
func (r redirect) VisitFinishOIDCResponse(w http.ResponseWriter) error { return r.write(w) }
