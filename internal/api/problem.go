package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// problem is an error that the client is meant to read. Every other error is internal: the client gets its request's id, the log the rest.
type problem struct {
	status     int
	kind       string // the stable type
	title      string
	detail     string
	fields     []FieldProblem
	present    any // the thing as it is now, in the form that reading it has
	changedBy  *Person
	changedAt  *time.Time
	retryAfter time.Duration // 429, and 503 where it is known: when it is worth sending again
}

func (p *problem) Error() string { return fmt.Sprintf("api: %s: %s", p.kind, p.detail) }

var (
	errSignedOut        = &problem{status: http.StatusUnauthorized, kind: "signed-out", title: "Sign in first"}
	errWrongCredentials = &problem{status: http.StatusUnauthorized, kind: "wrong-credentials", title: "E-mail address or password is wrong"}
	errNotAllowed       = &problem{status: http.StatusForbidden, kind: "not-allowed", title: "This is not yours to change"}
	errCrossOrigin      = &problem{status: http.StatusForbidden, kind: "cross-origin", title: "Sent by a page of another origin"}
	errTokenScope       = &problem{status: http.StatusForbidden, kind: "token-scope", title: "This token only reads", detail: "Make one with the scope write."}
	errSessionNeeded    = &problem{status: http.StatusForbidden, kind: "session-needed", title: "A token is not enough for this", detail: "It is between a person and this program: sign in for it."}
	errNotFound         = &problem{status: http.StatusNotFound, kind: "not-found", title: "There is nothing here that you may see"}
	errNoSuchMethod     = &problem{status: http.StatusMethodNotAllowed, kind: "method-not-allowed", title: "This cannot be done here"}
	errTooLarge         = &problem{status: http.StatusRequestEntityTooLarge, kind: "too-large", title: "The body is too large", detail: fmt.Sprintf("A body has at most %d bytes.", maxBody)}
	errRevisionNeeded   = &problem{status: http.StatusPreconditionRequired, kind: "revision-required", title: "Say which revision the edit was made from", detail: "Send `revision` in the body, or If-Match.", fields: []FieldProblem{{Pointer: "/revision", Code: okr.CodeRequired, Detail: "The revision that the edit was made from."}}}
	errKeyReused        = &problem{status: http.StatusUnprocessableEntity, kind: "key-reused", title: "This Idempotency-Key came with another payload before", fields: []FieldProblem{{Pointer: "/header/Idempotency-Key", Code: "key-reused", Detail: "A key belongs to one payload."}}}
	errInProgress       = &problem{status: http.StatusConflict, kind: "in-progress", title: "The first request with this Idempotency-Key is still running"}
	errInternal         = &problem{status: http.StatusInternalServerError, kind: "internal", title: "Something went wrong here", detail: "The request's id leads to it in the log."}
)

// badRequest says that the request cannot be read.
func badRequest(fields ...FieldProblem) error {
	return &problem{status: http.StatusBadRequest, kind: "bad-request", title: "The request cannot be read", fields: fields}
}

// invalid says that the request can be read but is against the rules.
func invalid(fields ...FieldProblem) error {
	return &problem{status: http.StatusUnprocessableEntity, kind: "invalid", title: "This is against the rules", fields: fields}
}

// wrongState says that the thing is not in the state that the action needs.
func wrongState(detail string, present any) error {
	return &problem{status: http.StatusConflict, kind: "wrong-state", title: "Not in a state in which this can be done", detail: detail, present: present}
}

// stale says that the thing has moved on since the client read it, and shows it as it is now.
func (p precondition) stale(present any, revision int64, changedBy *Person, changedAt time.Time) error {
	status := http.StatusConflict
	if p.fromHeader {
		status = http.StatusPreconditionFailed
	}
	return &problem{status: status, kind: "stale-revision", title: "This has been changed meanwhile",
		detail:  fmt.Sprintf("It is at revision %d; the edit was made from revision %d.", revision, p.revision),
		present: present, changedBy: changedBy, changedAt: &changedAt}
}

// replay carries the first answer to a request that was sent again. It travels as an error so that it ends the transaction like one.
type replay struct {
	status  int
	headers http.Header
	body    []byte
}

func (r *replay) Error() string { return "api: answered before" }

// respond writes what a handler returned: its answer, or the problem that its error is.
func (s *Server) respond(c *gin.Context, op operation, response any, err error) {
	if err == nil {
		err = op.write(response, c.Writer)
		if err == nil || c.Writer.Written() {
			return
		}
	}
	var again *replay
	if errors.As(err, &again) {
		for name, values := range again.headers {
			c.Writer.Header()[name] = values
		}
		c.Writer.Header().Set("Idempotency-Replayed", "true")
		c.Writer.WriteHeader(again.status)
		_, _ = c.Writer.Write(again.body) // a client that has gone needs no answer
		return
	}
	s.fail(c, err)
}

// fail answers with the problem that err is.
func (s *Server) fail(c *gin.Context, err error) {
	ctx := c.Request.Context()
	p := problemOf(err)
	if p.status >= http.StatusInternalServerError {
		level := slog.LevelError
		switch {
		case p.kind == "overloaded":
			level = slog.LevelDebug // the request's own line says 503, and refusing has to stay cheap
		case p.status == http.StatusServiceUnavailable:
			level = slog.LevelWarn
		}
		s.log.Log(ctx, level, "request failed", "request_id", exchangeOf(ctx).requestID, "route", c.FullPath(), "error", err)
	}
	switch p.status {
	case http.StatusServiceUnavailable:
		c.Header("Retry-After", strconv.Itoa(retryAfter(err)))
	case http.StatusTooManyRequests:
		c.Header("Retry-After", strconv.Itoa(seconds(p.retryAfter)))
	}
	body := Problem{Type: p.kind, Title: p.title, Status: p.status, ChangedBy: p.changedBy, ChangedAt: p.changedAt}
	if p.detail != "" {
		body.Detail = &p.detail
	}
	if id := exchangeOf(ctx).requestID; id != "" {
		body.RequestID = &id
	}
	if len(p.fields) > 0 {
		body.Errors = &p.fields
	}
	if p.present != nil {
		body.Present = &p.present
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		s.log.ErrorContext(ctx, "problem cannot be written", "request_id", exchangeOf(ctx).requestID, "error", err)
		c.Status(http.StatusInternalServerError)
		return
	}
	c.Abort()
	c.Data(p.status, "application/problem+json", encoded)
}

// retryAfter is in whole seconds: what the gate reckons, or a moment, jittered so that those who were refused together do not come back together.
func retryAfter(err error) int {
	var p *problem
	if errors.As(err, &p) && p.retryAfter > 0 {
		return seconds(p.retryAfter)
	}
	var overload *db.OverloadError
	if errors.As(err, &overload) {
		return int(overload.RetryAfter.Round(time.Second).Seconds())
	}
	return 1 + rand.IntN(3)
}

// problemOf is the one place where errors become answers.
func problemOf(err error) *problem {
	var p *problem
	var constraint *db.ConstraintError
	var value *db.ValueError
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, db.ErrNotFound), errors.Is(err, pgx.ErrNoRows):
		return errNotFound
	case errors.As(err, &constraint):
		return constraintProblem(constraint)
	case errors.As(err, &value):
		return &problem{status: http.StatusUnprocessableEntity, kind: "invalid", title: "This is against the rules", detail: "A text or number cannot be stored as it was sent."}
	case errors.Is(err, db.ErrOverloaded), errors.Is(err, auth.ErrTooBusy):
		return unavailable("overloaded", "Too much is waiting already")
	case errors.Is(err, db.ErrBusy):
		return unavailable("busy", "Somebody else holds this for too long")
	case errors.Is(err, db.ErrUnavailable):
		p := unavailable("unavailable", "The database cannot be reached")
		p.detail = "If this was a change, it may have happened or not. Send the same again later, with the same Idempotency-Key."
		return p
	case errors.Is(err, db.ErrFenced):
		return unavailable("fenced", "This server is being replaced by a newer release")
	case errors.Is(err, db.ErrReadOnly):
		return unavailable("read-only", "Nothing can be changed at present")
	case errors.Is(err, db.ErrMaintenance):
		return unavailable("maintenance", "Closed for maintenance")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return unavailable("overloaded", "The request was given up while it waited")
	}
	return errInternal
}

func unavailable(kind, title string) *problem {
	return &problem{status: http.StatusServiceUnavailable, kind: kind, title: title, detail: "Nothing was changed. Send the same again later."}
}

// constraintProblem says in the client's words what the schema refused. What a handler can check beforehand it has checked, so
// these are the rules that only the database can keep: uniqueness, and references that vanish in between.
func constraintProblem(e *db.ConstraintError) *problem {
	switch e.Constraint {
	case "teams_name":
		return inTheWay(FieldProblem{Pointer: "/name", Code: "name-taken", Detail: "Another team has this name."})
	case "check_ins_corrected_once":
		return inTheWay(FieldProblem{Pointer: "/corrects_id", Code: "corrected-already", Detail: "Somebody has put this check-in right already; correct the correction."})
	}
	if e.Conflict {
		return inTheWay()
	}
	return &problem{status: http.StatusUnprocessableEntity, kind: "invalid", title: "This is against the rules", detail: "Refused by the rule " + e.Constraint + "."}
}

func inTheWay(fields ...FieldProblem) *problem {
	return &problem{status: http.StatusConflict, kind: "in-the-way", title: "Something else has this place", fields: fields}
}

// fieldProblems puts the domain's refusals under the pointer of what was validated.
func fieldProblems(prefix string, refused []okr.FieldError) []FieldProblem {
	fields := make([]FieldProblem, 0, len(refused))
	for _, r := range refused {
		fields = append(fields, FieldProblem{Pointer: prefix + r.Pointer, Code: r.Code, Detail: r.Detail})
	}
	return fields
}

// notThere names a reference that leads nowhere the actor can see.
func notThere(pointer, what string) FieldProblem {
	return FieldProblem{Pointer: pointer, Code: "not-there", Detail: "There is no such " + what + "."}
}

// person is a member with the name that was read for them.
func person(id uuid.UUID, names map[uuid.UUID]string) Person { return Person{ID: id, Name: names[id]} }
