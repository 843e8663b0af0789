package api

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/notify"
)

func commentView(m db.Comment, names map[uuid.UUID]string) Comment {
	deleted := m.DeletedAt != nil
	return Comment{ID: m.ID, Author: person(m.AuthorID, names), Body: m.Body, Edited: m.Revision > 1 && !deleted, Deleted: deleted, Revision: m.Revision,
		CreatedAt: m.CreatedAt, ChangedAt: m.ChangedAt}
}

// ListComments lists an objective's comments.
func (s *Server) ListComments(ctx context.Context, request ListCommentsRequestObject) (ListCommentsResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/objectives/"+request.ObjectiveID.String()+"/comments", request.Params.Limit, request.Params.Cursor, newestFirst(request.Params.Newest))
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListCommentsResponseObject, error) {
		if _, err := visibleObjective(ctx, q, a, request.ObjectiveID); err != nil {
			return nil, err
		}
		rows, err := listComments(ctx, q, l, db.ListCommentsAfterParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(m db.Comment) position { return position{id: m.ID} })
		names, err := namesOf(ctx, q, a, converted(rows, func(m db.Comment) uuid.UUID { return m.AuthorID })...)
		items := converted(rows, func(m db.Comment) Comment { return commentView(m, names) })
		return ListComments200Response{Body: CommentPage{Items: items, NextCursor: next}, Headers: ListComments200ResponseHeaders{Link: link}}, err
	})
}

func listComments(ctx context.Context, q *db.Queries, l list, p db.ListCommentsAfterParams) ([]db.Comment, error) {
	if l.query.Has(newest) {
		return q.ListCommentsBefore(ctx, db.ListCommentsBeforeParams{OrganizationID: p.OrganizationID, ObjectiveID: p.ObjectiveID, BeforeID: l.back(), PageSize: p.PageSize})
	}
	return q.ListCommentsAfter(ctx, p)
}

// CreateComment adds a comment to an objective that the actor sees.
func (s *Server) CreateComment(ctx context.Context, request CreateCommentRequestObject) (CreateCommentResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateCommentResponseObject, error) {
		if _, err := visibleObjective(ctx, q, a, request.ObjectiveID); err != nil {
			return nil, err
		}
		if !a.writes() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		m, err := q.CreateComment(ctx, db.CreateCommentParams{OrganizationID: a.OrganizationID, ID: db.NewID(), ObjectiveID: request.ObjectiveID, ActorID: a.UserID, Body: request.Body.Body})
		if err != nil {
			return nil, err
		}
		v := commentView(m, map[uuid.UUID]string{a.UserID: a.Name})
		if v.Unreached, err = unreached(ctx, q, a, m); err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "comment.created", targetKind: "objective", target: request.ObjectiveID, detail: map[string]any{"comment_id": m.ID}})
		return CreateComment201Response{Body: v}, err
	})
}

// unreached are those whom a comment mentions and who will not be told: they may not see the objective, are no active members, or are too many. Whom
// the author hoped to reach is not to find out by waiting in vain. The author, who is not told of their own words either, is not among them.
func unreached(ctx context.Context, q *db.Queries, a actor, m db.Comment) (*[]uuid.UUID, error) {
	mentioned, toldOf := notify.AllMentions(m.Body), notify.Mentions(m.Body)
	if len(mentioned) == 0 {
		return nil, nil
	}
	reached, err := q.ListMembersWhoSeeObjective(ctx, db.ListMembersWhoSeeObjectiveParams{OrganizationID: a.OrganizationID, ObjectiveID: m.ObjectiveID, UserIDs: toldOf})
	if err != nil {
		return nil, err
	}
	missed := slices.DeleteFunc(mentioned, func(id uuid.UUID) bool { return id == a.UserID || slices.Contains(reached, id) })
	if len(missed) == 0 {
		return nil, nil
	}
	return &missed, nil
}

func visibleComment(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.GetVisibleCommentRow, error) {
	return q.GetVisibleComment(ctx, db.GetVisibleCommentParams{OrganizationID: a.OrganizationID, ID: id, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
}

// UpdateComment changes the words of one's own comment. What it says of whom it mentions anew is for those who tell them.
func (s *Server) UpdateComment(ctx context.Context, request UpdateCommentRequestObject) (UpdateCommentResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateCommentResponseObject, error) {
		present, err := visibleComment(ctx, q, a, request.CommentID)
		if err != nil {
			return nil, err
		}
		if !a.writes() || present.Comment.AuthorID != a.UserID {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		m, err := q.UpdateCommentIfRevision(ctx, db.UpdateCommentIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.CommentID, Revision: from.revision, Body: request.Body.Body})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, staleComment(ctx, q, a, request.CommentID, from)
		}
		if err != nil {
			return nil, err
		}
		before := notify.Mentions(present.Comment.Body)
		mentioned := slices.DeleteFunc(notify.Mentions(m.Body), func(id uuid.UUID) bool { return slices.Contains(before, id) })
		v := commentView(m, map[uuid.UUID]string{a.UserID: a.Name})
		if v.Unreached, err = unreached(ctx, q, a, m); err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "comment.updated", targetKind: "objective", target: m.ObjectiveID,
			detail: map[string]any{"comment_id": m.ID, "mentioned": append([]uuid.UUID{}, mentioned...)}})
		return UpdateComment200Response{Body: v, Headers: UpdateComment200ResponseHeaders{ETag: etag(m.Revision)}}, err
	})
}

func staleComment(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, from precondition) error {
	present, err := visibleComment(ctx, q, a, id)
	if err != nil {
		return err
	}
	names, err := namesOf(ctx, q, a, present.Comment.AuthorID)
	if err != nil {
		return err
	}
	by := person(present.Comment.AuthorID, names) // nobody else changes it
	return from.stale(commentView(present.Comment, names), present.Comment.Revision, &by, present.Comment.ChangedAt)
}

// DeleteComment takes the words out of a comment, and leaves its place to the answers that were given to it.
func (s *Server) DeleteComment(ctx context.Context, request DeleteCommentRequestObject) (DeleteCommentResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (DeleteCommentResponseObject, error) {
		present, err := q.GetVisibleComment(ctx, db.GetVisibleCommentParams{OrganizationID: a.OrganizationID, ID: request.CommentID, ActorID: a.UserID, SeesAll: a.administers(),
			TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs, WithDeleted: true})
		if err != nil {
			return nil, err
		}
		if !a.writes() || present.Comment.AuthorID != a.UserID && !a.administers() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		m, err := q.DeleteComment(ctx, db.DeleteCommentParams{OrganizationID: a.OrganizationID, ID: request.CommentID})
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "comment.deleted", targetKind: "objective", target: m.ObjectiveID,
			detail: map[string]any{"comment_id": m.ID, "author_id": m.AuthorID}})
		return DeleteComment204Response{}, err
	})
}
