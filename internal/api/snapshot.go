package api

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/snapshot"
)

const (
	replacementsAtOnce = 2                // each holds an organisation in memory, more than once
	replacementTime    = 50 * time.Second // less than the server has for an answer
)

// Production serves many, entity by entity; what reads, locks and compares everything at once would hold them all up.
var errNotInProduction = &problem{status: http.StatusServiceUnavailable, kind: "not-in-production", title: "Organisations are not replaced as a whole here",
	detail: "Change members, teams, cycles and objectives one by one, or have an operator use kakeai org.", retryAfter: time.Hour}

var errNoOwnerLogin = &problem{status: http.StatusServiceUnavailable, kind: "unavailable", title: "This server cannot replace organisations as a whole",
	detail: "It was started without DATABASE_OWNER_URL.", retryAfter: time.Hour}

// ReplaceOrganization makes the organisation what a file says. It is the whole-organisation way, open to requests outside production alone: the route never
// gets here in production. Who asks is looked at before the body, which may be large, is read, and again in the transaction of the change.
func (s *Server) ReplaceOrganization(ctx context.Context, request ReplaceOrganizationRequestObject) (ReplaceOrganizationResponseObject, error) {
	if s.options.Organizations == nil {
		return nil, errNoOwnerLogin
	}
	asking, err := read(ctx, s, func(_ context.Context, _ *db.Queries, a actor) (actor, error) { return a, a.mayReplace() })
	if err != nil {
		return nil, err
	}
	select {
	case s.replacing <- struct{}{}:
		defer func() { <-s.replacing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	payload := sha256.New()
	wanted, err := snapshot.Read(io.TeeReader(*request.Body, payload), true)
	if err != nil {
		return nil, unreadableSnapshot(err)
	}
	x := *exchangeOf(ctx)
	payload.Sum(x.payload[:0])
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), replacementTime)
	defer cancel()
	var a actor
	var answer ReplaceOrganizationResponseObject
	_, err = s.options.Organizations.Change(ctx, asking.OrganizationID, snapshot.Change{
		Actor: asking.UserID, RequestID: &x.requestID, Address: &x.address,
		Authorize: func(ctx context.Context, q *db.Queries) (err error) {
			if a, err = actorForWrite(ctx, q, &x); err != nil {
				return err
			}
			if err := a.mayReplace(); err != nil {
				return err
			}
			return a.claim(ctx, q)
		},
		Mutate: func(present *snapshot.Snapshot) error {
			*present = *wanted
			return nil
		},
		Answer: func(ctx context.Context, q *db.Queries, summary snapshot.Summary) error {
			answer = ReplaceOrganization200Response{Body: changeView(summary)}
			return keepAnswer(ctx, q, a, answer)
		},
	})
	if err != nil {
		return nil, snapshotProblem(err)
	}
	return answer, nil
}

func (a actor) mayReplace() error {
	if !a.Role.AtLeast(auth.Owner) {
		return errNotAllowed
	}
	return nil
}

func changeView(s snapshot.Summary) OrganizationChange {
	v := OrganizationChange{Revision: s.Revision, Changed: make([]ChangedThing, 0, len(s.Changed))}
	for _, c := range s.Changed {
		v.Changed = append(v.Changed, ChangedThing{Kind: ChangedThingKind(c.Kind), ID: c.ID})
	}
	return v
}

// unreadableSnapshot is the answer to a body that is no file of an organisation.
func unreadableSnapshot(err error) error {
	var refused *snapshot.RefusedError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &refused):
		return badRequest(faultFields(refused.Faults)...)
	case errors.As(err, &tooLarge):
		return &problem{status: errTooLarge.status, kind: errTooLarge.kind, title: errTooLarge.title, detail: fmt.Sprintf("A file has at most %d bytes here.", tooLarge.Limit)}
	}
	return badRequest(FieldProblem{Pointer: "", Code: "body-incomplete", Detail: "The body broke off."})
}

// snapshotProblem says in the client's words why an organisation did not become what a file says.
func snapshotProblem(err error) error {
	var refused *snapshot.RefusedError
	var moved *snapshot.MovedError
	switch {
	case errors.As(err, &refused):
		return invalid(faultFields(refused.Faults)...)
	case errors.As(err, &moved):
		p := &problem{status: http.StatusConflict, kind: "stale-revision", title: "This has been changed meanwhile", detail: "Nothing of the file was written."}
		for _, m := range moved.Aggregates[:min(len(moved.Aggregates), faultsAnswered)] {
			p.fields = append(p.fields, FieldProblem{Pointer: m.Pointer, Code: "stale", Detail: fmt.Sprintf("The %s is at revision %d; the file was made from revision %d.", m, m.Present, m.Read)})
		}
		return p
	}
	return err
}

// faultsAnswered are as many as fit into an answer that somebody reads.
const faultsAnswered = 200

func faultFields(faults []snapshot.Fault) []FieldProblem {
	fields := make([]FieldProblem, 0, min(len(faults), faultsAnswered))
	for _, f := range faults[:min(len(faults), faultsAnswered)] {
		detail := f.Detail
		if f.Pointer == "" && f.Kind != "" {
			detail = fmt.Sprintf("The %s %s: %s", f.Kind, f.ID, f.Detail)
		}
		fields = append(fields, FieldProblem{Pointer: f.Pointer, Code: f.Code, Detail: detail})
	}
	return fields
}
