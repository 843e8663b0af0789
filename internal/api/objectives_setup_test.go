package api_test

import (
	"encoding/json"
	"net/http"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/db"
)

func metric(title string) fields {
	return fields{"title": title, "kind": "metric", "baseline": "0", "target": "100", "unit": "points"}
}

func threshold(title string) fields {
	return fields{"title": title, "kind": "threshold", "at_least": "95", "tolerance": "5", "unit": "%"}
}

func milestone(title string, steps ...string) fields {
	list := []fields{}
	for _, step := range steps {
		list = append(list, fields{"title": step})
	}
	return fields{"title": title, "kind": "milestone", "steps": list}
}

// draft has a person draft an objective of their own in the team, with one metric, unless more says otherwise.
func (p *person) draft(more ...fields) api.Objective {
	p.t.Helper()
	body := fields{"cycle_id": p.cycle, "team_id": p.team, "title": "お客さまに選ばれ続ける", "key_results": []fields{metric("NPS")}}
	for _, f := range more {
		for name, v := range f {
			body[name] = v
			if v == nil {
				delete(body, name)
			}
		}
	}
	return into[api.Objective](p.send(http.MethodPost, "/objectives", body).is(http.StatusCreated))
}

// approved is draft, taken to the state in which check-ins are made.
func (p *person) approved(more ...fields) api.Objective {
	p.t.Helper()
	o := p.draft(more...)
	p.put(o.ID, "approved")
	return get[api.Objective](p, objective(o.ID))
}

// put puts an objective into a state without asking the rules, which tests of other things would only repeat.
func (b *bundle) put(objective uuid.UUID, state string) {
	b.t.Helper()
	b.exec(`UPDATE objectives SET state = $2, score = CASE WHEN $2 = 'closed' THEN 0.7 END WHERE id = $1`, objective, state)
}

func objective(id uuid.UUID) string             { return "/objectives/" + id.String() }
func checkIns(keyResult uuid.UUID) string       { return "/key-results/" + keyResult.String() + "/check-ins" }
func action(id uuid.UUID, action string) string { return objective(id) + "/actions/" + action }

// dialogue has a person open a dialogue about an objective.
func (p *person) dialogue(objective uuid.UUID) uuid.UUID {
	p.t.Helper()
	return into[api.Dialogue](p.send(http.MethodPost, "/objectives/"+objective.String()+"/dialogues", fields{"title": "指標を一緒に考える"}).is(http.StatusCreated)).ID
}

// job has a person ask the coach, whom no worker answers for here.
func (p *person) job(dialogue uuid.UUID) api.Job {
	p.t.Helper()
	return into[api.Job](p.send(http.MethodPost, "/dialogues/"+dialogue.String()+"/jobs", fields{"kind": "draft"}).is(http.StatusAccepted))
}

// suggest writes what a worker would: a suggestion for the objective's present revision.
func (b *bundle) suggest(objective, dialogue uuid.UUID, content ai.Content) uuid.UUID {
	b.t.Helper()
	source, revision := "rules", value[int64](b, "SELECT revision FROM objectives WHERE id = $1", objective)
	m, err := b.q.CreateMessage(b.t.Context(), db.CreateMessageParams{OrganizationID: b.id, ID: db.NewID(), DialogueID: dialogue, Source: &source,
		ObjectiveRevision: &revision, Body: "この案はいかがでしょう。", Findings: json.RawMessage("[]")})
	require.NoError(b.t, err)
	encoded, err := json.Marshal(content)
	require.NoError(b.t, err)
	g, err := b.q.CreateSuggestion(b.t.Context(), db.CreateSuggestionParams{OrganizationID: b.id, ID: db.NewID(), ObjectiveID: objective, ObjectiveRevision: revision,
		DialogueID: dialogue, MessageID: m.ID, Source: source, Content: encoded})
	require.NoError(b.t, err)
	return g.ID
}

// retitle is a suggestion's smallest content.
func retitle(title string) ai.Content { return ai.Content{Title: &title} }
