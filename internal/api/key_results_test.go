package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
)

func (p *person) rewrite(o api.Objective, keyResults ...fields) answer {
	p.t.Helper()
	if keyResults == nil {
		keyResults = []fields{}
	}
	return p.send(http.MethodPatch, objective(o.ID), fields{"revision": o.Revision, "key_results": keyResults})
}

func titles(o api.Objective) (titles []string) {
	for _, k := range o.KeyResults {
		titles = append(titles, k.Title)
	}
	return titles
}

func TestKeyResultsAreWrittenAsAWholeList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"key_results": []fields{metric("一"), threshold("二"), milestone("三", "設計", "実施")}})
	first, third := o.KeyResults[0].ID, o.KeyResults[2].ID

	b.author.rewrite(o, with(milestone("三"), "id", third)).refused(http.StatusUnprocessableEntity, "invalid", "/key_results/0/steps") // no step is kept that is not named
	steps := *o.KeyResults[2].Steps
	o = into[api.Objective](b.author.rewrite(o,
		fields{"id": third, "title": "三", "kind": "milestone", "steps": []fields{{"title": "企画"}, {"id": steps[0].ID, "title": "設計", "weight": "2"}}},
		metric("四"), with(metric("一"), "id", first)).is(http.StatusOK))
	assert.Equal(t, []string{"三", "四", "一"}, titles(o))
	assert.Equal(t, first, o.KeyResults[2].ID)
	written := *o.KeyResults[0].Steps
	require.Len(t, written, 2)
	assert.Equal(t, steps[0].ID, written[1].ID, "a step keeps its id")
	assert.Equal(t, "2", written[1].Weight.String())
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM key_results WHERE objective_id = $1 AND archived_at IS NOT NULL", o.ID), "left out is archived, not deleted")

	second := value[uuid.UUID](b, "SELECT id FROM key_results WHERE objective_id = $1 AND archived_at IS NOT NULL", o.ID)
	o = into[api.Objective](b.author.rewrite(o, with(threshold("二"), "id", second)).is(http.StatusOK))
	assert.Equal(t, []string{"二"}, titles(o), "what was archived can be named again")
	o = into[api.Objective](b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": o.Revision, "title": "題だけ"}).is(http.StatusOK))
	assert.Equal(t, []string{"二"}, titles(o), "no list, no change")
	o = into[api.Objective](b.author.rewrite(o).is(http.StatusOK))
	assert.Empty(t, o.KeyResults)
}

func TestKeyResultsAreRefusedByField(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"key_results": []fields{metric("一"), milestone("二", "設計")}})
	other := b.author.draft()
	zero := with(metric("零"), "weight", "0")
	step := (*o.KeyResults[1].Steps)[0].ID
	for name, c := range map[string]struct {
		list     []fields
		pointers []string
		code     string
	}{
		"baseline is target":     {[]fields{with(metric("一"), "target", "0.0")}, []string{"/key_results/0/target"}, "baseline-equals-target"},
		"no baseline":            {[]fields{without(metric("一"), "baseline")}, []string{"/key_results/0/baseline"}, "required"},
		"no target":              {[]fields{metric("一"), without(metric("二"), "target")}, []string{"/key_results/1/target"}, "required"},
		"stretch before target":  {[]fields{with(metric("一"), "stretch", "99")}, []string{"/key_results/0/stretch"}, "stretch-not-beyond-target"},
		"a band of a metric":     {[]fields{with(metric("一"), "at_most", "9")}, []string{"/key_results/0/at_most"}, "field-not-of-kind"},
		"a target of a band":     {[]fields{with(threshold("一"), "target", "9")}, []string{"/key_results/0/target"}, "field-not-of-kind"},
		"band turned around":     {[]fields{with(threshold("一"), "at_most", "9")}, []string{"/key_results/0/at_least"}, "at-least-above-at-most"},
		"no band":                {[]fields{without(threshold("一"), "at_least")}, []string{"/key_results/0/at_least"}, "band-empty"},
		"no tolerance at all":    {[]fields{with(threshold("一"), "tolerance", "0")}, []string{"/key_results/0/tolerance"}, "tolerance-not-positive"},
		"no steps":               {[]fields{milestone("一")}, []string{"/key_results/0/steps"}, "required"},
		"steps of no weight":     {[]fields{{"title": "一", "kind": "milestone", "steps": []fields{{"title": "設計", "weight": "0"}}}}, []string{"/key_results/0/steps"}, "weights-all-zero"},
		"steps of a metric":      {[]fields{with(metric("一"), "steps", []fields{{"title": "設計"}})}, []string{"/key_results/0/steps"}, "field-not-of-kind"},
		"all weights zero":       {[]fields{zero, zero}, []string{"/key_results"}, "weights-all-zero"},
		"the same twice":         {[]fields{with(metric("一"), "id", o.KeyResults[0].ID), with(metric("一"), "id", o.KeyResults[0].ID)}, []string{"/key_results/1/id"}, "not-there"},
		"another objective's":    {[]fields{with(metric("一"), "id", other.KeyResults[0].ID)}, []string{"/key_results/0/id"}, "not-there"},
		"no such step":           {[]fields{{"id": o.KeyResults[1].ID, "title": "二", "kind": "milestone", "steps": []fields{{"id": uuid.New(), "title": "設計"}, {"title": "実施"}}}}, []string{"/key_results/0/steps/0/id"}, "not-there"},
		"the same step twice":    {[]fields{{"id": o.KeyResults[1].ID, "title": "二", "kind": "milestone", "steps": []fields{{"id": step, "title": "設計"}, {"id": step, "title": "設計"}}}}, []string{"/key_results/0/steps/1/id"}, "not-there"},
		"a step of another's":    {[]fields{{"title": "三", "kind": "milestone", "steps": []fields{{"id": step, "title": "設計"}, {"title": "実施"}}}}, []string{"/key_results/0/steps/0/id"}, "not-there"},
		"everything wrong first": {[]fields{with(metric("一"), "target", "0"), milestone("二")}, []string{"/key_results/0/target", "/key_results/1/steps"}, ""},
	} {
		before := b.content()
		answers := []answer{b.author.rewrite(o, c.list...)}
		if _, written := c.list[0]["id"]; !written {
			answers = append(answers, b.author.send(http.MethodPost, "/objectives", fields{"cycle_id": b.cycle, "title": "題", "key_results": c.list}))
		}
		for _, a := range answers {
			a.what += ": " + name
			a.refused(http.StatusUnprocessableEntity, "invalid", c.pointers...)
			if c.code != "" {
				a.code(c.pointers[0], c.code)
			}
		}
		assert.Equal(t, before, b.content(), name)
	}
	b.author.rewrite(o, zero, metric("重み一")).is(http.StatusOK)
}

func without(f fields, name string) fields {
	g := with(f, name, nil)
	delete(g, name)
	return g
}

func TestAKeyResultWithCheckInsKeepsItsKind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.lead.approved()
	k := o.KeyResults[0].ID
	o = into[api.Objective](b.lead.rewrite(o, with(threshold("NPS"), "id", k)).is(http.StatusOK))
	b.lead.send(http.MethodPost, checkIns(k), fields{"value": "96", "confidence": 5}).is(http.StatusCreated)
	a := b.lead.rewrite(o, with(metric("NPS"), "id", k))
	a.refused(http.StatusUnprocessableEntity, "invalid", "/key_results/0/kind")
	a.code("/key_results/0/kind", "kind-fixed")
	b.lead.rewrite(o, with(with(threshold("NPS"), "id", k), "at_least", "90")).is(http.StatusOK)
}

// The first check-in comes in while the edit that would change the kind is waiting for the objective.
func TestACheckInBeforeTheEditFixesTheKindToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.lead.approved()
	k := o.KeyResults[0].ID
	_, release := b.holds("SELECT FROM key_results WHERE id = $1 FOR UPDATE", k)
	checked, rewritten := make(chan answer), make(chan answer)
	go func() {
		a, err := b.lead.try(http.MethodPost, checkIns(k), fields{"value": "50", "confidence": 5})
		assert.NoError(t, err)
		checked <- a
	}()
	b.awaitBlocked(1) // it holds the objective now
	go func() {
		a, err := b.lead.try(http.MethodPatch, objective(o.ID), fields{"revision": 1, "key_results": []fields{with(threshold("NPS"), "id", k)}})
		assert.NoError(t, err)
		rewritten <- a
	}()
	b.awaitBlocked(2)
	release()
	(<-checked).is(http.StatusCreated)
	(<-rewritten).refused(http.StatusUnprocessableEntity, "invalid", "/key_results/0/kind")
}

func TestHistoryHoldsWhatReadingShowed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"description": "理由", "key_results": []fields{
		with(with(metric("一"), "stretch", "120.5"), "owner_id", b.teammate.id), with(threshold("二"), "description", "月次"), milestone("三", "設計", "実施")}})
	shown := []api.Objective{o}
	note := func(a answer) {
		t.Helper()
		shown = append(shown, into[api.Objective](a.is(http.StatusOK)))
	}
	note(b.lead.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "新しい題", "description": nil, "kind": "aspirational", "key_results": []fields{with(metric("一"), "id", o.KeyResults[0].ID)}}))
	note(b.author.send(http.MethodPost, action(o.ID, "submit"), fields{"revision": 2}))
	note(b.lead.send(http.MethodPost, action(o.ID, "approve"), fields{"revision": 3}))
	note(b.lead.send(http.MethodPost, action(o.ID, "close"), fields{"revision": 4, "score": "0.4", "note": "理由"}))
	note(b.lead.send(http.MethodPost, action(o.ID, "archive"), fields{"revision": 5}))

	entries := get[api.HistoryPage](b.viewer, objective(o.ID)+"/history").Items
	require.Len(t, entries, len(shown))
	for i, was := range shown {
		entry := entries[len(entries)-1-i]
		assert.EqualValues(t, i+1, entry.Revision)
		assert.Equal(t, was.ChangedAt, entry.ChangedAt)
		assert.Equal(t, was.ChangedBy, entry.ChangedBy)
		assert.JSONEq(t, contentOf(t, was), string(entry.Content), "revision %d", entry.Revision)
	}
}

// contentOf is what of an objective's view is content: not what is measured, nor what depends on who reads.
func contentOf(t *testing.T, o api.Objective) string {
	t.Helper()
	encoded, err := json.Marshal(o)
	require.NoError(t, err)
	var view fields
	require.NoError(t, json.Unmarshal(encoded, &view))
	content := fields{"owner_id": o.Owner.ID}
	for _, name := range []string{"title", "description", "kind", "visibility", "state", "team_id", "cycle_id", "parent_objective_id", "parent_key_result_id", "score", "archived"} {
		content[name] = view[name]
	}
	keyResults := []fields{}
	for i, k := range o.KeyResults {
		one := fields{"owner_id": nil, "steps": []fields{}}
		if k.Owner != nil {
			one["owner_id"] = k.Owner.ID
		}
		shown := view["key_results"].([]any)[i].(fields)
		for _, name := range []string{"id", "title", "description", "kind", "unit", "baseline", "target", "stretch", "at_least", "at_most", "tolerance", "weight"} {
			one[name] = shown[name]
		}
		if k.Steps != nil {
			one["steps"] = *k.Steps
		}
		keyResults = append(keyResults, one)
	}
	content["key_results"] = keyResults
	encoded, err = json.Marshal(content)
	require.NoError(t, err)
	return string(encoded)
}

func TestAnObjectiveHasHadSoManyKeyResultsAndNoMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"key_results": nil})
	list := func(n int) (list []fields) {
		for i := range n {
			list = append(list, metric(fmt.Sprint(i)))
		}
		return list
	}
	for _, n := range []int{20, 20, 10} {
		o = into[api.Objective](b.author.rewrite(o, list(n)...).is(http.StatusOK))
	}
	a := b.author.rewrite(o, list(1)...)
	a.refused(http.StatusUnprocessableEntity, "invalid", "/key_results")
	a.code("/key_results", "too-many")
}
