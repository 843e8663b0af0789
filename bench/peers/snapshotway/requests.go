package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/oapi-codegen/nullable"
	"golang.org/x/sync/singleflight"

	"github.com/kakeai/kakeai/bench/peers/answer"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/snapshot"
)

const (
	sessionLifetime = 30 * 24 * time.Hour // as the product's
	maxBody         = 1 << 20             // bytes
)

// problem is an error that the client is meant to read, in the product's words.
type problem struct{ api.Problem }

func (p *problem) Error() string { return p.Type }

func newProblem(status int, kind, title string) *problem {
	return &problem{api.Problem{Status: status, Type: kind, Title: title}}
}

func errSignedOut() error { return newProblem(http.StatusUnauthorized, "signed-out", "Sign in first") }
func errNotFound() error {
	return newProblem(http.StatusNotFound, "not-found", "There is nothing here that you may see")
}
func errNotAllowed() error {
	return newProblem(http.StatusForbidden, "not-allowed", "This is not yours to change")
}
func errWrongCredentials() error {
	return newProblem(http.StatusUnauthorized, "wrong-credentials", "E-mail address or password is wrong")
}
func errUnreadable() error {
	return newProblem(http.StatusBadRequest, "bad-request", "The request cannot be read")
}

// Kinds of 503 that tell the links of the chain apart.
const (
	kindLockTimeout    = "lock-timeout"
	kindAcquireTimeout = "acquire-timeout"
)

func problemOf(err error) *problem {
	var p *problem
	var moved *snapshot.MovedError
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, pgx.ErrNoRows):
		errors.As(errNotFound(), &p)
		return p
	case errors.As(err, &moved):
		return newProblem(http.StatusConflict, "stale-revision", "This has been changed meanwhile")
	case errors.Is(err, errLockTimeout):
		return newProblem(http.StatusServiceUnavailable, kindLockTimeout, "Somebody else holds this for too long")
	case errors.Is(err, errAcquireTimeout), errors.Is(err, auth.ErrTooBusy):
		return newProblem(http.StatusServiceUnavailable, kindAcquireTimeout, "Too much is waiting already")
	}
	return newProblem(http.StatusInternalServerError, "internal", "Something went wrong here")
}

// handle answers with what work returns, or with the problem that its error is.
func (s *server) handle(status int, work func(c *gin.Context) (any, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		body, err := work(c)
		if err == nil {
			c.JSON(status, body)
			return
		}
		p := problemOf(err)
		if p.Status == http.StatusInternalServerError {
			s.log.ErrorContext(c.Request.Context(), "request failed", "request_id", c.GetString(requestID), "error", err)
		}
		if p.Status == http.StatusServiceUnavailable {
			c.Header("Retry-After", strconv.Itoa(1+rand.IntN(3))) //nolint:gosec // not a secret
		}
		id := c.GetString(requestID)
		p.RequestID = &id
		encoded, err := json.Marshal(p.Problem)
		if err != nil {
			c.Status(http.StatusInternalServerError)
			return
		}
		c.Data(p.Status, "application/problem+json", encoded)
	}
}

func (s *server) ready() gin.HandlerFunc {
	var asking singleflight.Group
	return func(c *gin.Context) {
		_, err, _ := asking.Do("", func() (any, error) {
			return nil, s.transaction(c.Request.Context(), "begin", func(ctx context.Context, tx pgx.Tx) error {
				_, err := db.New(tx).GetServerTime(ctx)
				return err
			})
		})
		if err != nil {
			s.handle(0, func(*gin.Context) (any, error) { return nil, err })(c)
			return
		}
		c.String(http.StatusOK, "ready\n")
	}
}

func tokenOf(c *gin.Context) (auth.Token, error) {
	bearer, _ := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer ")
	token, err := auth.ParseToken(bearer)
	if err != nil {
		return token, errSignedOut()
	}
	return token, nil
}

// actorOf is who asks, as the database knows them now.
func actorOf(row db.GetActorForReadRow) answer.Actor {
	return answer.Actor{ID: row.UserID, Role: row.Role, Cadence: row.Cadence, TimeZone: row.TimeZone, Now: row.Now, TeamIDs: row.TeamIDs, LeadTeamIDs: row.LeadTeamIDs}
}

func signedOut(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return errSignedOut()
	}
	return err
}

// asking reads who asks and the organisation's own row, which has the revision.
func (s *server) asking(c *gin.Context) (who db.GetActorForReadRow, o db.Organization, err error) {
	token, err := tokenOf(c)
	if err != nil {
		return who, o, err
	}
	ctx := context.WithoutCancel(c.Request.Context())
	err = s.view(ctx, token.Organization, func(tx pgx.Tx) (err error) {
		q := db.New(tx)
		if who, err = q.GetActorForRead(ctx, db.GetActorForReadParams{OrganizationID: token.Organization, TokenHash: token.Hash()}); err != nil {
			return signedOut(err)
		}
		o, err = q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: token.Organization})
		return err
	})
	return who, o, err
}

func (s *server) session(c *gin.Context) (any, error) {
	who, o, err := s.asking(c)
	return api.Session{ID: who.SessionID, User: api.Person{ID: who.UserID, Name: who.Name}, IconURL: nullable.NewNullNullable[string](), Role: who.Role, TeamIds: who.TeamIDs, LeadTeamIds: who.LeadTeamIDs,
		Organization: api.Organization{ID: o.ID, Name: o.Name, Locale: api.OrganizationLocale(o.Locale), TimeZone: o.TimeZone,
			Cadence: api.OrganizationCadence(o.Cadence), GraceDays: int(o.GraceDays)}}, err
}

func (s *server) objective(c *gin.Context) (any, error) {
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return nil, errUnreadable()
	}
	who, o, err := s.asking(c)
	if err != nil {
		return nil, err
	}
	w, err := s.current(c.Request.Context(), o.ID, o.Revision)
	if err != nil {
		return nil, err
	}
	a := actorOf(who)
	found := w.visible(id, a)
	if found == nil {
		return nil, errNotFound()
	}
	return w.answered(found).View(a), nil
}

// authorise reads who asks inside a change, and holds session and membership until its end.
func authorise(ctx context.Context, c *gin.Context, h *held, token auth.Token) (a answer.Actor, err error) {
	row, err := h.q.GetActorForWrite(ctx, db.GetActorForWriteParams{OrganizationID: token.Organization, TokenHash: token.Hash()})
	if err != nil {
		return a, signedOut(err)
	}
	id, address := c.GetString(requestID), c.ClientIP()
	h.by = snapshot.Change{Actor: row.UserID, RequestID: &id, Address: &address}
	return actorOf(db.GetActorForReadRow(row)), nil
}

// decode reads a bounded body.
func decode(c *gin.Context, into any) error {
	decoder := json.NewDecoder(io.LimitReader(c.Request.Body, maxBody))
	decoder.DisallowUnknownFields()
	if decoder.Decode(into) != nil {
		return errUnreadable()
	}
	return nil
}

// edit gives an objective that is still at the revision named another title.
func (s *server) edit(c *gin.Context) (any, error) {
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return nil, errUnreadable()
	}
	var body struct {
		Revision int64  `json:"revision"`
		Title    string `json:"title"`
	}
	if err := decode(c, &body); err != nil {
		return nil, err
	}
	token, err := tokenOf(c)
	if err != nil {
		return nil, err
	}
	var a answer.Actor
	now, err := s.change(c.Request.Context(), token.Organization, func(ctx context.Context, h *held) (bool, error) {
		if a, err = authorise(ctx, c, h, token); err != nil {
			return false, err
		}
		present := h.present.visible(id, a)
		if present == nil {
			return false, errNotFound()
		}
		switch {
		case present.Revision != body.Revision:
			return false, stale(h.present, present, a, body.Revision)
		case !a.MayEdit(db.Objective(present.ObjectiveRow)):
			return false, errNotAllowed()
		}
		changed := *present
		changed.Title = body.Title
		h.replace(changed)
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return now.answered(&now.Objectives[now.objectives[id]]).View(a), nil
}

// stale is the answer to a lost race, with what is there now.
func stale(w *whole, present *snapshot.Objective, a answer.Actor, from int64) error {
	p := newProblem(http.StatusConflict, "stale-revision", "This has been changed meanwhile")
	detail := fmt.Sprintf("It is at revision %d; the edit was made from revision %d.", present.Revision, from)
	var shown any = w.answered(present).View(a)
	p.Detail, p.Present, p.ChangedAt = &detail, &shown, &present.ChangedAt
	p.ChangedBy = &api.Person{ID: present.ChangedBy, Name: w.names[present.ChangedBy]}
	return p
}

// signIn checks a password and opens a session, in the product's three steps: no connection is held while hashing.
func (s *server) signIn(c *gin.Context) (any, error) {
	var body api.SignIn
	if err := decode(c, &body); err != nil {
		return nil, err
	}
	person, places, err := s.findForSignIn(c.Request.Context(), body)
	if err != nil {
		return nil, err
	}
	place := places[0]
	token := auth.NewToken(place.OrganizationID)
	var session db.Session
	begin := fmt.Sprintf("begin; set local kakeai.organization_id = '%s'", place.OrganizationID)
	err = s.transaction(c.Request.Context(), begin, func(ctx context.Context, tx pgx.Tx) error {
		q := db.New(tx)
		session, err = q.CreateSession(ctx, db.CreateSessionParams{OrganizationID: place.OrganizationID, UserID: person.ID, PasswordHash: *person.PasswordHash,
			TokenHash: token.Hash(), ID: db.NewID(), UserAgent: c.Request.UserAgent(), Address: c.ClientIP(), LifetimeSeconds: int32(sessionLifetime.Seconds())})
		if errors.Is(err, pgx.ErrNoRows) {
			return errWrongCredentials()
		}
		if err != nil {
			return err
		}
		id, address := c.GetString(requestID), c.ClientIP()
		return q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: place.OrganizationID, EventID: db.NewID(), Action: "session.opened", TargetKind: "session",
			TargetID: session.ID, ActorID: &person.ID, Detail: json.RawMessage("{}"), RequestID: &id, Address: &address})
	})
	if err != nil {
		return nil, err
	}
	signedIn := api.SignedIn{Token: token.String(), SessionID: session.ID, ExpiresAt: session.ExpiresAt, User: api.Person{ID: person.ID, Name: person.Name},
		OrganizationID: place.OrganizationID, Organizations: make([]api.OrganizationChoice, 0, len(places))}
	for _, p := range places {
		signedIn.Organizations = append(signedIn.Organizations, api.OrganizationChoice{ID: p.OrganizationID, Name: p.Name, Role: p.Role})
	}
	return signedIn, nil
}

// findForSignIn returns the person whose password it is, and where they may sign in: at least one place.
func (s *server) findForSignIn(ctx context.Context, body api.SignIn) (person db.GetUserForSignInRow, places []db.ListMembershipsForSignInRow, err error) {
	ctx = context.WithoutCancel(ctx)
	err = s.transaction(ctx, "begin", func(ctx context.Context, tx pgx.Tx) (err error) {
		q := db.New(tx)
		if person, err = q.GetUserForSignIn(ctx, db.GetUserForSignInParams{Email: strings.ToLower(strings.TrimSpace(body.Email))}); err != nil {
			return err
		}
		if err := q.SetSigningInUser(ctx, db.SetSigningInUserParams{UserID: person.ID.String()}); err != nil {
			return err
		}
		places, err = q.ListMembershipsForSignIn(ctx, db.ListMembershipsForSignInParams{UserID: person.ID})
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) || err == nil && person.PasswordHash == nil {
		return person, nil, errors.Join(s.passwords.MatchesNothing(ctx, body.Password), errWrongCredentials())
	}
	if err != nil {
		return person, nil, err
	}
	matches, err := s.passwords.Matches(ctx, body.Password, *person.PasswordHash)
	if err != nil {
		return person, nil, err
	}
	if !matches || len(places) == 0 {
		return person, nil, errWrongCredentials()
	}
	return person, places, nil
}
