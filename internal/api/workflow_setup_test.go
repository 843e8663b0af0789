package api_test

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/okr"
)

func comments(objective uuid.UUID) string { return "/objectives/" + objective.String() + "/comments" }
func commentAt(id uuid.UUID) string       { return "/comments/" + id.String() }

// says has a person comment on an objective.
func (p *person) says(objective uuid.UUID, body string) api.Comment {
	p.t.Helper()
	return into[api.Comment](p.send(http.MethodPost, comments(objective), fields{"body": body}).is(http.StatusCreated))
}

// aboutComment is a call about a comment of the author's on an objective of theirs.
func aboutComment(payload fields) func(*bundle, okr.Visibility) call {
	return func(b *bundle, v okr.Visibility) call {
		m := b.author.says(b.author.draft(fields{"visibility": v}).ID, "今週は改善が見えてきました。")
		return call{parameters: fields{"comment_id": m.ID}, payload: payload, by: b.author}
	}
}
