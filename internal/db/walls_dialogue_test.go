package db_test

import (
	"context"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// addDialogueWalls reads what was said from the latest back.
func addDialogueWalls(home, objective, dialogue uuid.UUID, all map[string]func(ctx context.Context, q *db.Queries) (int, error)) {
	all["comments.sql, newest first"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListCommentsBefore(ctx, db.ListCommentsBeforeParams{OrganizationID: home, ObjectiveID: objective, BeforeID: uuid.Max, PageSize: 200})
		return len(rows), err
	}
	all["dialogues.sql, newest first"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListMessagesBefore(ctx, db.ListMessagesBeforeParams{OrganizationID: home, DialogueID: dialogue, BeforeID: uuid.Max, PageSize: 200})
		return len(rows), err
	}
	all["suggestions.sql, newest first"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListSuggestionsBefore(ctx, db.ListSuggestionsBeforeParams{OrganizationID: home, DialogueID: dialogue, BeforeID: uuid.Max, PageSize: 200})
		return len(rows), err
	}
}
