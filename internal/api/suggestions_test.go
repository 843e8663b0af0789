package api_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/okr"
)

func suggestion(id uuid.UUID) string { return "/suggestions/" + id.String() }

func (p *person) accept(id uuid.UUID) answer {
	p.t.Helper()
	return p.send(http.MethodPost, suggestion(id)+"/accept", fields{"note": "よい案"})
}

func (p *person) reject(id uuid.UUID) answer {
	p.t.Helper()
	return p.send(http.MethodPost, suggestion(id)+"/reject", fields{"note": "高すぎる"})
}

func number(s string) *decimal.Decimal {
	d := decimal.RequireFromString(s)
	return &d
}

func TestAcceptingChangesWhatIsNamedAndNothingElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"description": "理由", "key_results": []fields{with(metric("一"), "owner_id", b.teammate.id), milestone("二", "設計", "実施")}})
	first, second := o.KeyResults[0], o.KeyResults[1]
	content := ai.Content{Title: pointer("よりよい題"), KeyResults: []ai.ContentKeyResult{
		{ID: &first.ID, Title: "解約率", Kind: okr.Metric, Unit: "%", Baseline: number("5"), Target: number("3"), Weight: decimal.NewFromInt(2)},
		{Title: "稼働率", Kind: okr.Threshold, Unit: "%", AtLeast: number("99.9"), Weight: decimal.NewFromInt(1)},
	}}
	id := b.suggest(o.ID, b.author.dialogue(o.ID), content)
	a := b.author.accept(id).is(http.StatusOK)
	assert.Equal(t, `"2"`, a.header.Get("ETag"))
	edited := into[api.Objective](a)
	assert.Equal(t, get[api.Objective](b.author, objective(o.ID)), edited)
	assert.Equal(t, "よりよい題", edited.Title)
	assert.Equal(t, o.Description, edited.Description)
	assert.Equal(t, []string{"解約率", "二", "稼働率"}, titles(edited))
	assert.Equal(t, first.ID, edited.KeyResults[0].ID)
	assert.Equal(t, "3", edited.KeyResults[0].Target.String())
	assert.Equal(t, first.Owner, edited.KeyResults[0].Owner, "the coach gives nobody's work to others")
	assert.Equal(t, second, edited.KeyResults[1])

	decided := get[api.Suggestion](b.viewer, suggestion(id))
	assert.EqualValues(t, "accepted", decided.State)
	assert.Equal(t, b.author.id, decided.DecidedBy.ID)
	assert.Equal(t, pointer("よい案"), decided.Note)
	entry := get[api.HistoryPage](b.viewer, objective(o.ID)+"/history").Items[0]
	assert.Equal(t, "objective.suggestion_accepted", entry.Action)
	assert.Equal(t, id.String(), value[string](b, "SELECT detail->>'suggestion_id' FROM audit_events WHERE target_id = $1 AND target_revision = 2", o.ID))
}

func TestASuggestionIsForOneRevision(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	dialogue := b.author.dialogue(o.ID)
	id := b.suggest(o.ID, dialogue, retitle("提案"))
	b.lead.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "人の題"}).is(http.StatusOK)
	assert.EqualValues(t, "superseded", get[api.Suggestion](b.viewer, suggestion(id)).State, "by the edit itself")

	before := b.content()
	p := b.author.accept(id).refused(http.StatusConflict, "superseded")
	assert.Equal(t, "人の題", (*p.Present).(fields)["title"])
	assert.EqualValues(t, 2, (*p.Present).(fields)["revision"])
	assert.Equal(t, b.lead.id, p.ChangedBy.ID)
	assert.NotNil(t, p.ChangedAt)
	b.author.reject(id).refused(http.StatusConflict, "wrong-state")
	assert.Equal(t, before, b.content(), "nothing is changed")

	// One that the edit did not reach is refused all the same.
	late := b.suggest(o.ID, dialogue, retitle("遅れた提案"))
	b.exec("UPDATE suggestions SET objective_revision = 1 WHERE id = $1", late)
	b.author.accept(late).refused(http.StatusConflict, "superseded")
}

func TestEveryChangeSupersedesWhatIsOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	dialogue := b.author.dialogue(o.ID)
	chosen, other := b.suggest(o.ID, dialogue, retitle("選ばれた")), b.suggest(o.ID, dialogue, retitle("選ばれなかった"))
	rejected := b.suggest(o.ID, dialogue, retitle("断られた"))
	b.author.reject(rejected).is(http.StatusOK)
	b.author.accept(chosen).is(http.StatusOK)
	later := b.suggest(o.ID, dialogue, retitle("あとの"))
	b.author.send(http.MethodPost, action(o.ID, "submit"), fields{"revision": 2}).is(http.StatusOK)
	for id, state := range map[uuid.UUID]string{chosen: "accepted", other: "superseded", rejected: "rejected", later: "superseded"} {
		assert.EqualValues(t, state, get[api.Suggestion](b.viewer, suggestion(id)).State)
	}
	elsewhere := b.author.draft()
	untouched := b.suggest(elsewhere.ID, b.author.dialogue(elsewhere.ID), retitle("別の目標"))
	b.author.send(http.MethodPost, action(o.ID, "archive"), fields{"revision": 3}).is(http.StatusOK)
	assert.EqualValues(t, "open", get[api.Suggestion](b.viewer, suggestion(untouched)).State)
}

func TestASuggestionIsDecidedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, c := range []struct {
		first, second func(*person, uuid.UUID) answer
		kind          string
	}{
		{(*person).reject, (*person).accept, "wrong-state"},
		{(*person).reject, (*person).reject, "wrong-state"},
		{(*person).accept, (*person).reject, "wrong-state"},
		{(*person).accept, (*person).accept, "wrong-state"},
	} {
		o := b.author.draft()
		id := b.suggest(o.ID, b.author.dialogue(o.ID), retitle("提案"))
		c.first(b.author, id).is(http.StatusOK)
		before := b.content()
		c.second(b.lead, id).refused(http.StatusConflict, c.kind)
		assert.Equal(t, before, b.content())
	}
}

func TestOfManyWhoDecideAtOnceOneDoes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, decisions := range map[string][]string{
		"all accept":         {"accept", "accept", "accept", "accept"},
		"all reject":         {"reject", "reject", "reject", "reject"},
		"some do, some dont": {"accept", "reject", "accept", "reject"},
	} {
		o := b.author.draft()
		id := b.suggest(o.ID, b.author.dialogue(o.ID), retitle("提案"))
		people := []*person{b.author, b.lead, b.admin, b.owner}
		answers := make([]answer, len(decisions))
		var all sync.WaitGroup
		for i, decision := range decisions {
			all.Go(func() {
				var err error
				answers[i], err = people[i].try(http.MethodPost, suggestion(id)+"/"+decision, fields{})
				assert.NoError(t, err)
			})
		}
		all.Wait()
		won := ""
		for i, a := range answers {
			if a.status == http.StatusOK {
				assert.Empty(t, won, name)
				won = decisions[i] + "ed"
				continue
			}
			assert.Contains(t, []string{"superseded", "wrong-state"}, a.is(http.StatusConflict).problem().Type, name)
		}
		assert.EqualValues(t, won, get[api.Suggestion](b.viewer, suggestion(id)).State, name)
		revision := get[api.Objective](b.viewer, objective(o.ID)).Revision
		assert.Equal(t, won == "accepted", revision == 2, "%s: revision %d after it was %s", name, revision, won)
	}
}

func TestASuggestionNeedsWhatAnEditNeeds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.approved()
	id := b.suggest(o.ID, b.author.dialogue(o.ID), retitle("提案"))
	b.author.accept(id).refused(http.StatusConflict, "wrong-state")
	assert.EqualValues(t, "open", get[api.Suggestion](b.viewer, suggestion(id)).State)
	b.lead.accept(id).is(http.StatusOK)

	draft := b.author.draft()
	zero := ai.Content{KeyResults: []ai.ContentKeyResult{{ID: &draft.KeyResults[0].ID, Title: "一", Kind: okr.Metric, Baseline: number("1"), Target: number("1"), Weight: decimal.NewFromInt(1)}}}
	bad := b.suggest(draft.ID, b.author.dialogue(draft.ID), zero)
	b.author.accept(bad).refused(http.StatusUnprocessableEntity, "invalid", "/key_results/0/target")
}

func TestOneJobIsLiveForAnObjectiveAndAKind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	dialogue, other := b.author.dialogue(o.ID), b.lead.dialogue(o.ID)
	ids := make([]uuid.UUID, 10)
	people := []*person{b.author, b.lead, b.admin, b.owner}
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			in := []uuid.UUID{dialogue, other}[i%2]
			a, err := people[i%len(people)].try(http.MethodPost, "/dialogues/"+in.String()+"/jobs", fields{"kind": "draft", "message": "お願いします"})
			if assert.NoError(t, err) && assert.Equal(t, http.StatusAccepted, a.status, "%s", a.body) {
				ids[i] = into[api.Job](a).ID
				assert.Equal(t, "/api/v1/jobs/"+ids[i].String(), a.header.Get("Location"))
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		assert.Equal(t, ids[0], id)
	}
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM ai_jobs"))
	assert.Equal(t, 10, value[int](b, "SELECT count(*) FROM messages"), "what was said is said, whoever's job it became")

	feedback := into[api.Job](b.author.send(http.MethodPost, "/dialogues/"+dialogue.String()+"/jobs", fields{"kind": "feedback"}).is(http.StatusAccepted))
	assert.NotEqual(t, ids[0], feedback.ID)

	cancelled := into[api.Job](b.author.send(http.MethodPost, "/jobs/"+ids[0].String()+"/cancel", nil).is(http.StatusOK))
	assert.EqualValues(t, "cancelled", cancelled.State)
	assert.NotNil(t, cancelled.FinishedAt)
	b.author.send(http.MethodPost, "/jobs/"+ids[0].String()+"/cancel", nil).refused(http.StatusConflict, "wrong-state")
	assert.NotEqual(t, ids[0], b.author.job(dialogue).ID, "the next one is another")

	b.put(o.ID, "closed")
	b.admin.send(http.MethodPost, "/dialogues/"+dialogue.String()+"/jobs", fields{"kind": "draft"}).refused(http.StatusConflict, "wrong-state")
}

func TestCancellingTakesTheLeaseAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	job := b.author.job(b.author.dialogue(o.ID))
	b.exec("UPDATE ai_jobs SET state = 'running', attempt = 1, lease_number = 1, lease_expires_at = now() + interval '1 minute' WHERE id = $1", job.ID)
	b.author.send(http.MethodPost, "/jobs/"+job.ID.String()+"/cancel", nil).is(http.StatusOK)
	require.Equal(t, 2, value[int](b, "SELECT lease_number FROM ai_jobs WHERE id = $1", job.ID))
}
