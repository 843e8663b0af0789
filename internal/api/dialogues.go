package api

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

func dialogueView(d db.Dialogue, names map[uuid.UUID]string) Dialogue {
	return Dialogue{ID: d.ID, ObjectiveID: d.ObjectiveID, Title: d.Title, OpenedBy: person(d.CreatedBy, names), CreatedAt: d.CreatedAt}
}

func visibleDialogue(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.GetVisibleDialogueRow, error) {
	return q.GetVisibleDialogue(ctx, db.GetVisibleDialogueParams{OrganizationID: a.OrganizationID, ID: id, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
}

// ListDialogues lists the dialogues about an objective.
func (s *Server) ListDialogues(ctx context.Context, request ListDialoguesRequestObject) (ListDialoguesResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/objectives/"+request.ObjectiveID.String()+"/dialogues", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListDialoguesResponseObject, error) {
		if _, err := visibleObjective(ctx, q, a, request.ObjectiveID); err != nil {
			return nil, err
		}
		rows, err := q.ListDialoguesAfter(ctx, db.ListDialoguesAfterParams{OrganizationID: a.OrganizationID, ObjectiveID: request.ObjectiveID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(d db.Dialogue) position { return position{id: d.ID} })
		names, err := namesOf(ctx, q, a, converted(rows, func(d db.Dialogue) uuid.UUID { return d.CreatedBy })...)
		items := converted(rows, func(d db.Dialogue) Dialogue { return dialogueView(d, names) })
		return ListDialogues200Response{Body: DialoguePage{Items: items, NextCursor: next}, Headers: ListDialogues200ResponseHeaders{Link: link}}, err
	})
}

// OpenDialogue opens a dialogue about an objective that the actor sees.
func (s *Server) OpenDialogue(ctx context.Context, request OpenDialogueRequestObject) (OpenDialogueResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (OpenDialogueResponseObject, error) {
		if _, err := visibleObjective(ctx, q, a, request.ObjectiveID); err != nil {
			return nil, err
		}
		if !a.writes() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		d, err := q.CreateDialogue(ctx, db.CreateDialogueParams{OrganizationID: a.OrganizationID, ID: db.NewID(), ObjectiveID: request.ObjectiveID, Title: request.Body.Title, ActorID: a.UserID})
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "dialogue.opened", targetKind: "dialogue", target: d.ID, detail: map[string]any{"objective_id": d.ObjectiveID}})
		return OpenDialogue201Response{Body: dialogueView(d, map[uuid.UUID]string{a.UserID: a.Name}), Headers: OpenDialogue201ResponseHeaders{Location: location("dialogues", d.ID)}}, err
	})
}

// GetDialogue shows one dialogue.
func (s *Server) GetDialogue(ctx context.Context, request GetDialogueRequestObject) (GetDialogueResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetDialogueResponseObject, error) {
		row, err := visibleDialogue(ctx, q, a, request.DialogueID)
		if err != nil {
			return nil, err
		}
		names, err := namesOf(ctx, q, a, row.Dialogue.CreatedBy)
		return GetDialogue200Response{Body: dialogueView(row.Dialogue, names)}, err
	})
}

func messageView(m db.Message, names map[uuid.UUID]string) (Message, error) {
	v := Message{ID: m.ID, Source: m.Source, JobID: m.JobID, ObjectiveRevision: m.ObjectiveRevision, Body: m.Body, Findings: []Finding{}, CreatedAt: m.CreatedAt}
	if m.AuthorID != nil {
		author := person(*m.AuthorID, names)
		v.Author = &author
	}
	return v, json.Unmarshal(m.Findings, &v.Findings)
}

// ListMessages lists a dialogue's messages.
func (s *Server) ListMessages(ctx context.Context, request ListMessagesRequestObject) (ListMessagesResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/dialogues/"+request.DialogueID.String()+"/messages", request.Params.Limit, request.Params.Cursor, newestFirst(request.Params.Newest))
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListMessagesResponseObject, error) {
		if _, err := visibleDialogue(ctx, q, a, request.DialogueID); err != nil {
			return nil, err
		}
		rows, err := listMessages(ctx, q, l, db.ListMessagesAfterParams{OrganizationID: a.OrganizationID, DialogueID: request.DialogueID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(m db.Message) position { return position{id: m.ID} })
		var authors []uuid.UUID
		for _, m := range rows {
			if m.AuthorID != nil {
				authors = append(authors, *m.AuthorID)
			}
		}
		names, err := namesOf(ctx, q, a, authors...)
		if err != nil {
			return nil, err
		}
		items := make([]Message, 0, len(rows))
		for _, m := range rows {
			view, err := messageView(m, names)
			if err != nil {
				return nil, err
			}
			items = append(items, view)
		}
		return ListMessages200Response{Body: MessagePage{Items: items, NextCursor: next}, Headers: ListMessages200ResponseHeaders{Link: link}}, nil
	})
}

func listMessages(ctx context.Context, q *db.Queries, l list, p db.ListMessagesAfterParams) ([]db.Message, error) {
	if l.query.Has(newest) {
		return q.ListMessagesBefore(ctx, db.ListMessagesBeforeParams{OrganizationID: p.OrganizationID, DialogueID: p.DialogueID, BeforeID: l.back(), PageSize: p.PageSize})
	}
	return q.ListMessagesAfter(ctx, p)
}

// CreateMessage says something in a dialogue.
func (s *Server) CreateMessage(ctx context.Context, request CreateMessageRequestObject) (CreateMessageResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateMessageResponseObject, error) {
		row, err := visibleDialogue(ctx, q, a, request.DialogueID)
		if err != nil {
			return nil, err
		}
		if !a.writes() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		m, err := say(ctx, q, a, row.Dialogue.ID, request.Body.Body)
		if err != nil {
			return nil, err
		}
		view, err := messageView(m, map[uuid.UUID]string{a.UserID: a.Name})
		return CreateMessage201Response{Body: view}, err
	})
}

// say adds a member's turn to a dialogue.
func say(ctx context.Context, q *db.Queries, a actor, dialogue uuid.UUID, text string) (db.Message, error) {
	m, err := q.CreateMessage(ctx, db.CreateMessageParams{OrganizationID: a.OrganizationID, ID: db.NewID(), DialogueID: dialogue, AuthorID: &a.UserID,
		Body: text, Findings: json.RawMessage("[]")})
	if err != nil {
		return m, err
	}
	return m, record(ctx, q, a, event{action: "message.created", targetKind: "dialogue", target: dialogue, detail: map[string]any{"message_id": m.ID}})
}
