package api

import (
	"context"
	"net/url"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

func commentView(m db.Comment, names map[uuid.UUID]string) Comment {
	return Comment{ID: m.ID, Author: person(m.AuthorID, names), Body: m.Body, CreatedAt: m.CreatedAt}
}

// ListComments lists an objective's comments.
func (s *Server) ListComments(ctx context.Context, request ListCommentsRequestObject) (ListCommentsResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/objectives/"+request.ObjectiveID.String()+"/comments", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListCommentsResponseObject, error) {
		if _, err := visibleObjective(ctx, q, a, request.ObjectiveID); err != nil {
			return nil, err
		}
		rows, err := q.ListCommentsAfter(ctx, db.ListCommentsAfterParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(m db.Comment) position { return position{id: m.ID} })
		names, err := namesOf(ctx, q, a, converted(rows, func(m db.Comment) uuid.UUID { return m.AuthorID })...)
		items := converted(rows, func(m db.Comment) Comment { return commentView(m, names) })
		return ListComments200Response{Body: CommentPage{Items: items, NextCursor: next}, Headers: ListComments200ResponseHeaders{Link: link}}, err
	})
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
		err = record(ctx, q, a, event{action: "comment.created", targetKind: "objective", target: request.ObjectiveID, detail: map[string]any{"comment_id": m.ID}})
		return CreateComment201Response{Body: commentView(m, map[uuid.UUID]string{a.UserID: a.Name})}, err
	})
}
