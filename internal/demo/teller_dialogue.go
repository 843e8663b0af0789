package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/db"
)

// coach stands where a model's name would: no model wrote the answers in the stories, and none is pretended to.
const coach = "demo"

func (t *teller) layDialogues() error {
	for i, d := range t.dialogues {
		o, ok := t.told[d.objective]
		if !ok {
			return fmt.Errorf("no objective %q to talk about", d.objective)
		}
		if err := t.layDialogue(o, i+1, d); err != nil {
			return fmt.Errorf("%s: %w", d.title, err)
		}
	}
	return nil
}

func (t *teller) layDialogue(o *toldObjective, number int, d dialogue) error {
	dialogueID := t.newID(dialogueKind, number)
	const promptly = time.Minute // people and the coach answer each other while they are at it
	talk := sequence{calendar: t.calendar, cycle: o.cycle, gap: promptly, last: o.drafted}
	asking := d.messages[0].by // the coach answers whoever spoke last
	for i, m := range d.messages {
		at, err := talk.next(m.at)
		if err != nil {
			return err
		}
		number := number*writingsEach + i
		id := t.newID(messageKind, number)
		if i == 0 {
			t.lay(at, func(ctx context.Context, at time.Time) error { return t.open(ctx, at, o, dialogueID, d) })
		}
		if m.by != (person{}) {
			asking = m.by
			t.lay(at, func(ctx context.Context, at time.Time) error { return t.say(ctx, at, dialogueID, id, m) })
			continue
		}
		a := answer{message: m, dialogue: dialogueID, id: id, number: number, asked: asking}
		t.lay(at, func(ctx context.Context, at time.Time) error { return t.answer(ctx, at, o, a) })
		if m.proposal == nil || m.decision.by == (person{}) {
			continue
		}
		decided, err := talk.next(m.decision.at)
		if err != nil {
			return err
		}
		t.lay(decided, func(ctx context.Context, at time.Time) error { return t.decide(ctx, at, o, a) })
	}
	return nil
}

func (t *teller) open(ctx context.Context, at time.Time, o *toldObjective, id uuid.UUID, d dialogue) error {
	by := d.messages[0].by.id()
	_, err := t.q.CreateDialogue(ctx, db.CreateDialogueParams{
		OrganizationID: t.id(), ID: id, ObjectiveID: o.id, Title: d.title, ActorID: by,
	})
	if err != nil {
		return err
	}
	t.past.set("dialogues", "created_at", id, at)
	return t.record(ctx, at, event{action: "dialogue.opened", kind: "dialogue", target: id, by: by,
		detail: map[string]any{"objective_id": o.id}})
}

func (t *teller) say(ctx context.Context, at time.Time, dialogueID, id uuid.UUID, m message) error {
	by := m.by.id()
	_, err := t.q.CreateMessage(ctx, db.CreateMessageParams{
		OrganizationID: t.id(), ID: id, DialogueID: dialogueID, AuthorID: &by, Body: m.body, Findings: json.RawMessage("[]"),
	})
	if err != nil {
		return err
	}
	t.past.set("messages", "created_at", id, at)
	return t.record(ctx, at, event{action: "message.created", kind: "message", target: id, by: by,
		detail: map[string]any{"dialogue_id": dialogueID}})
}

// answer is a coach's message with what it belongs to. Its job and its suggestion share its number.
type answer struct {
	message
	dialogue uuid.UUID
	id       uuid.UUID
	number   int
	asked    person
}

func (t *teller) jobID(a answer) uuid.UUID {
	return t.newID(jobKind, a.number)
}

func (t *teller) suggestionID(a answer) uuid.UUID {
	return t.newID(suggestionKind, a.number)
}

func (t *teller) answer(ctx context.Context, at time.Time, o *toldObjective, a answer) error {
	if err := t.finishJob(ctx, at, o, a); err != nil {
		return err
	}
	if a.findings == nil {
		a.findings = []ai.Finding{}
	}
	findings, err := json.Marshal(a.findings)
	if err != nil {
		return err
	}
	source := coach
	_, err = t.q.CreateMessage(ctx, db.CreateMessageParams{
		OrganizationID: t.id(), ID: a.id, DialogueID: a.dialogue, Source: &source, JobID: optional(t.jobID(a)),
		ObjectiveRevision: &o.revision, Body: a.body, Findings: findings,
	})
	if err != nil {
		return err
	}
	t.past.set("messages", "created_at", a.id, at)
	if a.proposal == nil {
		return nil
	}
	content, err := t.suggestionOf(o, *a.proposal)
	if err != nil {
		return err
	}
	_, err = t.q.CreateSuggestion(ctx, db.CreateSuggestionParams{
		OrganizationID: t.id(), ID: t.suggestionID(a), ObjectiveID: o.id, ObjectiveRevision: o.revision,
		DialogueID: a.dialogue, MessageID: a.id, Source: coach, Content: content,
	})
	if err != nil {
		return err
	}
	t.past.set("suggestions", "created_at", t.suggestionID(a), at)
	o.open[t.suggestionID(a)] = true
	return nil
}

// finishJob leaves behind the job that an answer came from. It is claimed and finished here, since claiming looks for any waiting job.
func (t *teller) finishJob(ctx context.Context, at time.Time, o *toldObjective, a answer) error {
	id, by := t.jobID(a), a.asked.id()
	_, err := t.q.CreateJob(ctx, db.CreateJobParams{Coach: "model",
		OrganizationID: t.id(), ID: id, Kind: string(a.request), ObjectiveID: o.id, DialogueID: a.dialogue, ActorID: by,
	})
	if err != nil {
		return err
	}
	_, err = t.tx.Exec(ctx, `
		UPDATE ai_jobs AS j
		SET state = 'succeeded', attempt = 1, lease_number = 1, available_at = $3, created_at = $3, started_at = $4, finished_at = $5
		WHERE j.organization_id = $1 AND j.id = $2`,
		t.id(), id, at.Add(-3*time.Second), at.Add(-2*time.Second), at)
	if err != nil {
		return err
	}
	err = t.record(ctx, at.Add(-3*time.Second), event{action: "job.created", kind: "job", target: id, by: by,
		detail: map[string]any{"objective_id": o.id, "kind": a.request}})
	if err != nil {
		return err
	}
	return t.record(ctx, at, event{action: "job.succeeded", kind: "job", target: id,
		detail: map[string]any{"kind": a.request, "source": coach, "objective_revision": o.revision, "attempt": 1}})
}

func (t *teller) decide(ctx context.Context, at time.Time, o *toldObjective, a answer) error {
	id, state, action := t.suggestionID(a), "rejected", "suggestion.rejected"
	if a.decision.accepted {
		state, action = "accepted", "suggestion.accepted"
	}
	_, err := t.q.DecideSuggestionIfOpen(ctx, db.DecideSuggestionIfOpenParams{
		OrganizationID: t.id(), ID: id, State: state, Note: optional(a.decision.note), ActorID: a.decision.by.id(),
	})
	if err != nil {
		return err
	}
	t.past.set("suggestions", "decided_at", id, at)
	delete(o.open, id)
	if a.decision.accepted {
		detail := map[string]any{"suggestion_id": id, "source": coach}
		err := t.edit(ctx, at, o, *a.proposal, change{action: "objective.suggestion_accepted", by: a.decision.by, note: a.decision.note, detail: detail})
		if err != nil {
			return err
		}
	}
	return t.record(ctx, at, event{action: action, kind: "suggestion", target: id, by: a.decision.by.id(),
		detail: map[string]any{"objective_id": o.id}})
}
