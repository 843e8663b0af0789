package api

import (
	"context"
	"errors"
	"net/url"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/notify"
)

// maxFollowUps bounds what is agreed in one meeting, so that one read stays one read.
const maxFollowUps = 200

func followUpView(f db.FollowUp, names map[uuid.UUID]string) FollowUp {
	v := FollowUp{ID: f.ID, OccurrenceID: f.OccurrenceID, Title: f.Title, Assignee: person(f.AssigneeID, names), Done: f.DoneAt != nil, DoneAt: f.DoneAt, Revision: f.Revision,
		CreatedAt: f.CreatedAt, CreatedBy: person(f.CreatedBy, names), ChangedAt: f.ChangedAt}
	if f.DueOn != nil {
		v.DueOn = &openapi_types.Date{Time: *f.DueOn}
	}
	return v
}

func visibleFollowUp(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.GetVisibleFollowUpRow, error) {
	return q.GetVisibleFollowUp(ctx, db.GetVisibleFollowUpParams{OrganizationID: a.OrganizationID, ID: id, ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs})
}

// ListFollowUps lists what the actor has agreed to do and has not done.
func (s *Server) ListFollowUps(ctx context.Context, request ListFollowUpsRequestObject) (ListFollowUpsResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/follow-ups", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListFollowUpsResponseObject, error) {
		rows, err := q.ListOpenFollowUpsOfUserAfter(ctx, db.ListOpenFollowUpsOfUserAfterParams{OrganizationID: a.OrganizationID, UserID: a.UserID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ListOpenFollowUpsOfUserAfterRow) position { return position{id: r.FollowUp.ID} })
		names, err := namesOf(ctx, q, a, converted(rows, func(r db.ListOpenFollowUpsOfUserAfterRow) uuid.UUID { return r.FollowUp.CreatedBy })...)
		items := converted(rows, func(r db.ListOpenFollowUpsOfUserAfterRow) FollowUp {
			v := followUpView(r.FollowUp, names)
			v.MeetingTitle = &r.MeetingTitle
			return v
		})
		return ListFollowUps200Response{Body: FollowUpPage{Items: items, NextCursor: next}, Headers: ListFollowUps200ResponseHeaders{Link: link}}, err
	})
}

// GetFollowUp shows one follow-up.
func (s *Server) GetFollowUp(ctx context.Context, request GetFollowUpRequestObject) (GetFollowUpResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetFollowUpResponseObject, error) {
		row, err := visibleFollowUp(ctx, q, a, request.FollowUpID)
		if err != nil {
			return nil, err
		}
		names, err := namesOf(ctx, q, a, row.FollowUp.AssigneeID, row.FollowUp.CreatedBy)
		return GetFollowUp200Response{Body: followUpView(row.FollowUp, names), Headers: GetFollowUp200ResponseHeaders{ETag: etag(row.FollowUp.Revision)}}, err
	})
}

// CreateFollowUp notes something that was agreed to do.
func (s *Server) CreateFollowUp(ctx context.Context, request CreateFollowUpRequestObject) (CreateFollowUpResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateFollowUpResponseObject, error) {
		row, err := visibleOccurrence(ctx, q, a, request.OccurrenceID)
		if err != nil {
			return nil, err
		}
		if !a.mayWrite(row) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if err := checkAssignee(ctx, q, a, request.Body.AssigneeID); err != nil {
			return nil, err
		}
		o, err := q.LockOccurrence(ctx, db.LockOccurrenceParams{OrganizationID: a.OrganizationID, ID: request.OccurrenceID})
		if err != nil {
			return nil, err
		}
		present, err := q.ListFollowUpsOfOccurrence(ctx, db.ListFollowUpsOfOccurrenceParams{OrganizationID: a.OrganizationID, OccurrenceID: o.ID})
		if err != nil {
			return nil, err
		}
		if len(present) >= maxFollowUps {
			return nil, wrongState("A meeting has at most 200 follow-ups.", nil)
		}
		create := db.CreateFollowUpParams{OrganizationID: a.OrganizationID, ID: db.NewID(), OccurrenceID: o.ID, AssigneeID: request.Body.AssigneeID, Title: request.Body.Title, ActorID: a.UserID}
		if request.Body.DueOn != nil {
			create.DueOn = &request.Body.DueOn.Time
		}
		f, err := q.CreateFollowUp(ctx, create)
		if err != nil {
			return nil, err
		}
		if err := followUpChanged(ctx, q, a, f, "follow_up.created", true); err != nil {
			return nil, err
		}
		names, err := namesOf(ctx, q, a, f.AssigneeID)
		return CreateFollowUp201Response{Body: followUpView(f, names), Headers: CreateFollowUp201ResponseHeaders{ETag: etag(f.Revision), Location: location("follow-ups", f.ID)}}, err
	})
}

func checkAssignee(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) error {
	member, err := q.GetMember(ctx, db.GetMemberParams{OrganizationID: a.OrganizationID, UserID: id})
	if errors.Is(err, pgx.ErrNoRows) || err == nil && member.SuspendedAt != nil {
		return invalid(notThere("/assignee_id", "member"))
	}
	return err
}

// followUpChanged records a change, and tells whoever has something new to do.
func followUpChanged(ctx context.Context, q *db.Queries, a actor, f db.FollowUp, action string, assigned bool) error {
	err := record(ctx, q, a, event{action: action, targetKind: "follow_up", target: f.ID, targetRevision: &f.Revision,
		detail: map[string]any{"occurrence_id": f.OccurrenceID, "assignee_id": f.AssigneeID}})
	if err != nil || !assigned || f.AssigneeID == a.UserID {
		return err
	}
	return notify.Create(ctx, q, a.OrganizationID, notify.Notification{User: f.AssigneeID, Kind: notify.FollowUpAssigned, SubjectKind: "follow_up", Subject: f.ID, Title: f.Title,
		Actor: &a.UserID, ActorName: a.Name, Path: "/occurrences/" + f.OccurrenceID.String()})
}

// UpdateFollowUp changes a follow-up that is still at the revision the client read.
func (s *Server) UpdateFollowUp(ctx context.Context, request UpdateFollowUpRequestObject) (UpdateFollowUpResponseObject, error) {
	body := request.Body
	from, err := preconditionOf(body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateFollowUpResponseObject, error) {
		row, err := visibleFollowUp(ctx, q, a, request.FollowUpID)
		if err != nil {
			return nil, err
		}
		was := row.FollowUp
		if !a.writes() || a.UserID != was.AssigneeID && a.UserID != was.CreatedBy && !a.mayWriteIn(row.Meeting, row.Response) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		change := db.UpdateFollowUpIfRevisionParams{OrganizationID: a.OrganizationID, ID: was.ID, Revision: from.revision, ActorID: a.UserID}
		if body.Title != nil {
			change.SetTitle, change.Title = true, *body.Title
		}
		if set, day := nullableField(body.DueOn); set {
			change.SetDue = true
			if day != nil {
				change.DueOn = &day.Time
			}
		}
		if body.AssigneeID != nil && *body.AssigneeID != was.AssigneeID {
			if err := checkAssignee(ctx, q, a, *body.AssigneeID); err != nil {
				return nil, err
			}
			change.SetAssignee, change.AssigneeID = true, *body.AssigneeID
		}
		action := "follow_up.updated"
		if body.Done != nil {
			change.SetDone, change.Done = true, *body.Done
			action = map[bool]string{true: "follow_up.done", false: "follow_up.reopened"}[*body.Done]
		}
		f, err := q.UpdateFollowUpIfRevision(ctx, change)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, staleFollowUp(ctx, q, a, request.FollowUpID, from)
		}
		if err != nil {
			return nil, err
		}
		if err := followUpChanged(ctx, q, a, f, action, change.SetAssignee && f.DoneAt == nil); err != nil {
			return nil, err
		}
		names, err := namesOf(ctx, q, a, f.AssigneeID, f.CreatedBy)
		return UpdateFollowUp200Response{Body: followUpView(f, names), Headers: UpdateFollowUp200ResponseHeaders{ETag: etag(f.Revision)}}, err
	})
}

func staleFollowUp(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, from precondition) error {
	row, err := visibleFollowUp(ctx, q, a, id)
	if err != nil {
		return err
	}
	f := row.FollowUp
	names, err := namesOf(ctx, q, a, f.AssigneeID, f.CreatedBy, f.ChangedBy)
	if err != nil {
		return err
	}
	by := person(f.ChangedBy, names)
	return from.stale(followUpView(f, names), f.Revision, &by, f.ChangedAt)
}
