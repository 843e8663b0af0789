package api_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/okr"
)

// taking is an acceptance of exactly what is said.
func (p *person) taking(id uuid.UUID, take fields) answer {
	p.t.Helper()
	return p.send(http.MethodPost, suggestion(id)+"/accept", fields{"take": take})
}

func TestExactlyWhatIsChosenIsTakenOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"description": "理由", "key_results": []fields{with(metric("一"), "owner_id", b.teammate.id), metric("二")}})
	first := o.KeyResults[0]
	content := ai.Content{Title: pointer("コーチの題"), Description: pointer("コーチの理由"), KeyResults: []ai.ContentKeyResult{
		{ID: &first.ID, Title: "解約率", Kind: okr.Metric, Unit: "%", Baseline: number("5"), Target: number("3"), Weight: decimal.NewFromInt(2)},
		{Title: "稼働率", Kind: okr.Threshold, Unit: "%", AtLeast: number("99.9"), Weight: decimal.NewFromInt(1)},
		{Title: "いらない", Kind: okr.Metric, Unit: "件", Baseline: number("0"), Target: number("9"), Weight: decimal.NewFromInt(1)},
	}}
	id := b.suggest(o.ID, b.author.dialogue(o.ID), content)
	edited := into[api.Objective](b.author.taking(id, fields{"title": "人が直した題", "key_results": []fields{
		{"id": first.ID, "title": "一", "kind": "metric", "unit": "%", "baseline": "5", "target": "4"},
		{"title": "稼働率", "kind": "threshold", "unit": "%", "at_least": "99.5"},
	}}).is(http.StatusOK))
	assert.Equal(t, "人が直した題", edited.Title)
	assert.Equal(t, o.Description, edited.Description, "what was not taken stays")
	assert.Equal(t, []string{"一", "二", "稼働率"}, titles(edited))
	assert.Equal(t, "4", edited.KeyResults[0].Target.String())
	assert.Equal(t, first.Owner, edited.KeyResults[0].Owner, "nobody's work is given to others but by name")
	assert.Equal(t, o.KeyResults[1], edited.KeyResults[1])
	assert.Equal(t, "99.5", edited.KeyResults[2].AtLeast.String())
	assert.EqualValues(t, "accepted", get[api.Suggestion](b.viewer, suggestion(id)).State)
	assert.True(t, value[bool](b, "SELECT (detail->>'chosen')::bool FROM audit_events WHERE target_id = $1 AND target_revision = 2", o.ID), "the audit tells a person's words from the coach's")
	b.author.taking(id, fields{"title": "もう一度"}).refused(http.StatusConflict, "wrong-state")
}

func TestWhatIsChosenIsRefusedByItsPlaceInTheObjective(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"key_results": []fields{metric("一"), metric("二")}})
	id := b.suggest(o.ID, b.author.dialogue(o.ID), retitle("提案"))
	before := b.content()
	b.author.taking(id, fields{"key_results": []fields{
		{"id": o.KeyResults[1].ID, "title": "二", "kind": "metric", "baseline": "3", "target": "3"},
		{"title": "三", "kind": "threshold"},
	}}).refused(http.StatusUnprocessableEntity, "invalid", "/key_results/1/target", "/key_results/2/at_least")
	b.author.taking(id, fields{"key_results": []fields{{"id": uuid.NewString(), "title": "誰の", "kind": "metric", "baseline": "1", "target": "3"}}}).
		refused(http.StatusUnprocessableEntity, "invalid", "/key_results/2/id")
	b.author.taking(id, fields{}).refused(http.StatusUnprocessableEntity, "invalid", "/take")
	b.author.taking(id, fields{"owner_id": b.lead.id}).refused(http.StatusUnprocessableEntity, "invalid", "/take/owner_id")
	assert.Equal(t, before, b.content(), "nothing is changed")
	assert.EqualValues(t, "open", get[api.Suggestion](b.viewer, suggestion(id)).State)

	b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "人の題"}).is(http.StatusOK)
	b.author.taking(id, fields{"title": "遅い"}).refused(http.StatusConflict, "superseded")
}

func TestNoDescriptionIsTakenOverAsNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"description": "理由"})
	id := b.suggest(o.ID, b.author.dialogue(o.ID), retitle("提案"))
	edited := into[api.Objective](b.author.taking(id, fields{"description": ""}).is(http.StatusOK))
	assert.Nil(t, edited.Description)
	require.Equal(t, o.Title, edited.Title)
}
