package api_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
)

func pointersOf(e api.HistoryEntry) []string {
	all := []string{}
	for _, c := range e.Changes {
		all = append(all, c.Pointer)
	}
	return all
}

func restore(id uuid.UUID) string { return objective(id) + "/restore-version" }

func (p *person) edit(o api.Objective, body fields) api.Objective {
	p.t.Helper()
	return into[api.Objective](p.send(http.MethodPatch, objective(o.ID), with(body, "revision", o.Revision)).is(http.StatusOK))
}

func TestHistoryTellsFieldByField(t *testing.T) {
	t.Parallel()
	b := setup(t)
	parent := b.author.draft(fields{"title": "親"})
	o := b.author.draft(fields{"key_results": []fields{metric("NPS"), milestone("移行", "設計", "実施"), metric("応答")}})
	first := get[api.HistoryEntry](b.viewer, objective(o.ID)+"/history/1")
	assert.Empty(t, first.Changes)
	nps, move, answer := o.KeyResults[0], o.KeyResults[1], o.KeyResults[2]
	step := (*move.Steps)[1]
	o = b.author.edit(o, fields{"title": "新しい題", "description": "理由", "parent_objective_id": parent.ID, "key_results": []fields{
		{"id": move.ID, "title": "移行", "kind": "milestone", "weight": "3", "steps": []fields{{"title": "検証"}, {"id": step.ID, "title": "本番移行", "weight": "2"}}},
		{"id": nps.ID, "title": "NPS", "kind": "metric", "baseline": "0.0", "target": "80", "unit": "points"},
		threshold("稼働率"),
	}})
	entry := get[api.HistoryEntry](b.viewer, objective(o.ID)+"/history/2")
	type change struct {
		kind, label   string
		before, after any
	}
	got := map[string]change{}
	for _, c := range entry.Changes {
		g := change{kind: string(c.Kind)}
		if c.Label != nil {
			g.label = *c.Label
		}
		if c.Before != nil {
			g.before = *c.Before
		}
		if c.After != nil {
			g.after = *c.After
		}
		got[c.Pointer] = g
	}
	moveAt, npsAt := "/key_results/"+move.ID.String(), "/key_results/"+nps.ID.String()
	newStep, newKeyResult := (*o.KeyResults[0].Steps)[0].ID.String(), "/key_results/"+o.KeyResults[2].ID.String()
	for pointer, want := range map[string]change{
		"/title":               {"changed", "", "お客さまに選ばれ続ける", "新しい題"},
		"/description":         {"changed", "", nil, "理由"},
		"/parent_objective_id": {"changed", "", nil, parent.ID.String()},
		moveAt + "/weight":     {"changed", "移行", "1", "3"},
		npsAt + "/target":      {"changed", "NPS", "100", "80"},
		"/key_results":         {"moved", "", []any{nps.ID.String(), move.ID.String()}, []any{move.ID.String(), nps.ID.String()}},
		moveAt + "/steps/" + step.ID.String() + "/title":  {"changed", "本番移行", "実施", "本番移行"},
		moveAt + "/steps/" + step.ID.String() + "/weight": {"changed", "本番移行", "1", "2"},
	} {
		assert.Equal(t, want, got[pointer], pointer)
		delete(got, pointer)
	}
	assert.Equal(t, "added", got[moveAt+"/steps/"+newStep].kind)
	assert.Equal(t, "removed", got[moveAt+"/steps/"+(*move.Steps)[0].ID.String()].kind)
	assert.Equal(t, "added", got[newKeyResult].kind)
	assert.Equal(t, "95", got[newKeyResult].after.(fields)["at_least"])
	removed := got["/key_results/"+answer.ID.String()]
	assert.Equal(t, "removed", removed.kind)
	assert.Equal(t, "応答", removed.before.(fields)["title"])
	assert.Len(t, got, 4, "0 and 0.0 are the same number: %v", got)

	b.author.send(http.MethodPost, action(o.ID, "submit"), fields{"revision": 2}).is(http.StatusOK)
	page := get[api.HistoryPage](b.viewer, objective(o.ID)+"/history?limit=2")
	require.Len(t, page.Items, 2)
	assert.Equal(t, []string{"/state"}, pointersOf(page.Items[0]))
	assert.Equal(t, pointersOf(entry), pointersOf(page.Items[1]), "also where what it is compared with is on the next page")
	b.viewer.send(http.MethodGet, objective(o.ID)+"/history/9", nil).refused(http.StatusNotFound, "not-found")
}

func TestAVersionIsRestoredAsANewOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	parent := b.author.draft(fields{"title": "親"})
	o := b.author.draft(fields{"description": "前の説明", "kind": "aspirational", "visibility": "team", "parent_objective_id": parent.ID, "parent_key_result_id": parent.KeyResults[0].ID,
		"key_results": []fields{with(metric("NPS"), "owner_id", b.teammate.id), milestone("移行", "設計", "実施"), threshold("稼働率")}})
	b.put(o.ID, "approved")
	move := o.KeyResults[1]
	b.author.send(http.MethodPost, checkIns(move.ID), fields{"done_step_ids": []any{(*move.Steps)[0].ID}, "confidence": 5}).is(http.StatusCreated)
	b.put(o.ID, "draft")
	was := get[api.HistoryEntry](b.author, objective(o.ID)+"/history/1").Content

	changed := b.lead.edit(o, fields{"title": "別の題", "description": nil, "kind": "committed", "visibility": "organization", "team_id": nil, "parent_objective_id": nil, "owner_id": b.lead.id,
		"key_results": []fields{{"id": move.ID, "title": "移行", "kind": "milestone", "steps": []fields{{"title": "まったく別"}}}, metric("新しい")}})
	assert.Equal(t, 0, changed.KeyResults[0].Percent, "the step that was done is no longer one")

	a := b.admin.send(http.MethodPost, restore(o.ID), fields{"revision": changed.Revision, "restore_revision": 1, "note": "元に戻す"}).is(http.StatusOK)
	back := into[api.Objective](a)
	assert.EqualValues(t, 3, back.Revision)
	assert.Equal(t, `"3"`, a.header.Get("ETag"))
	entry := get[api.HistoryEntry](b.author, objective(o.ID)+"/history/3")
	assert.Equal(t, "objective.version_restored", entry.Action)
	assert.Equal(t, pointer("元に戻す"), entry.Note)
	assert.JSONEq(t, string(was), string(entry.Content), "the content is what it was, ids and order too")
	assert.Equal(t, 50, back.KeyResults[1].Percent, "and what was done of the steps that came back is done")
	assert.Equal(t, int64(1), value[int64](b, "SELECT (detail->>'restored_revision')::bigint FROM audit_events WHERE target_id = $1 AND action = 'objective.version_restored'", o.ID))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM key_results WHERE objective_id = $1 AND title = '新しい' AND archived_at IS NOT NULL", o.ID))

	again := into[api.Objective](b.admin.send(http.MethodPost, restore(o.ID), fields{"revision": 3, "restore_revision": 2}).is(http.StatusOK)) // and there again
	assert.Equal(t, "別の題", again.Title)
	assert.Len(t, again.KeyResults, 2)
	b.deliver()
	assert.Equal(t, []string{"assigned 別の題"}, b.author.inbox(), "whoever owned it again is told, by the title that it has when they are")
}

func TestAVersionComesBackToTheKeyResultThatItContributedTo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	parent := b.author.draft(fields{"title": "親", "key_results": []fields{metric("一"), metric("二")}})
	first, second := parent.KeyResults[0].ID, parent.KeyResults[1].ID
	o := b.author.draft(fields{"parent_objective_id": parent.ID, "parent_key_result_id": first})
	o = b.author.edit(o, fields{"parent_key_result_id": second})
	assert.Equal(t, &parent.ID, o.ParentObjectiveID, "another key result of the same parent")
	o = b.author.edit(o, fields{"title": "題だけ変える"})
	assert.Equal(t, &second, o.ParentKeyResultID, "an edit that does not speak of it leaves it")
	o = b.author.edit(o, fields{"parent_key_result_id": nil})
	assert.Nil(t, o.ParentKeyResultID)
	assert.Equal(t, &parent.ID, o.ParentObjectiveID, "to the parent as a whole")
	back := func(to int) answer {
		o = get[api.Objective](b.author, objective(o.ID))
		return b.author.send(http.MethodPost, restore(o.ID), fields{"revision": o.Revision, "restore_revision": to})
	}
	assert.Equal(t, &first, into[api.Objective](back(1).is(http.StatusOK)).ParentKeyResultID)
	assert.Equal(t, &second, into[api.Objective](back(3).is(http.StatusOK)).ParentKeyResultID)
	assert.Equal(t, "題だけ変える", get[api.Objective](b.author, objective(o.ID)).Title)
	assert.Equal(t, []string{"/title", "/parent_key_result_id"}, pointersOf(get[api.HistoryEntry](b.author, objective(o.ID)+"/history/6")))

	b.author.edit(get[api.Objective](b.author, objective(o.ID)), fields{"parent_objective_id": nil})
	b.author.edit(parent, fields{"key_results": []fields{with(metric("一"), "id", first)}})
	back(3).refused(http.StatusUnprocessableEntity, "invalid", "/parent_key_result_id")
	assert.Equal(t, &first, into[api.Objective](back(1).is(http.StatusOK)).ParentKeyResultID)
}

func TestAVersionThatCannotComeBackWholeDoesNot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	leaver := b.joins(b.id, "leaver", auth.Member)
	team := b.newTeam("しまうチーム")
	for _, p := range []*person{b.author, leaver} {
		b.place(team, p, auth.TeamMember)
	}
	o := b.admin.draft(fields{"owner_id": leaver.id, "team_id": team, "key_results": []fields{with(metric("NPS"), "owner_id", leaver.id), threshold("稼働率")}})
	o = b.admin.edit(o, fields{"owner_id": b.author.id, "team_id": nil, "key_results": []fields{
		{"id": o.KeyResults[0].ID, "title": "NPS", "kind": "threshold", "at_least": "3"}}})
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", leaver.id)
	b.exec("UPDATE teams SET archived_at = now() WHERE id = $1", team)
	before := b.content("idempotency_keys")
	a := b.admin.send(http.MethodPost, restore(o.ID), fields{"revision": 2, "restore_revision": 1})
	a.refused(http.StatusUnprocessableEntity, "invalid", "/owner_id", "/team_id", "/key_results/0/owner_id")
	a.code("/owner_id", "member-left")

	b.exec("UPDATE memberships SET suspended_at = NULL WHERE user_id = $1", leaver.id)
	b.exec("UPDATE teams SET archived_at = NULL WHERE id = $1", team)
	b.put(o.ID, "approved")
	b.author.checkIn(o.KeyResults[0].ID, "4")
	b.put(o.ID, "draft")
	a = b.admin.send(http.MethodPost, restore(o.ID), fields{"revision": 2, "restore_revision": 1})
	a.refused(http.StatusUnprocessableEntity, "invalid", "/key_results/0/kind")
	a.code("/key_results/0/kind", "kind-fixed")
	assert.Equal(t, before["objective_history"], b.content()["objective_history"])

	// A parent that would now lead in a circle.
	child := b.author.draft(fields{"title": "子", "parent_objective_id": o.ID})
	child = b.author.edit(child, fields{"parent_objective_id": nil})
	b.admin.aligned(o.ID, child.ID).is(http.StatusOK)
	b.author.send(http.MethodPost, restore(child.ID), fields{"revision": 2, "restore_revision": 1}).refused(http.StatusUnprocessableEntity, "invalid", "/parent_objective_id")
}

func TestRestoringIsAnEdit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	o = b.author.edit(o, fields{"title": "二"})
	try := func(p *person, body fields) answer { return p.send(http.MethodPost, restore(o.ID), body) }
	try(b.author, fields{"restore_revision": 1}).refused(http.StatusPreconditionRequired, "revision-required", "/revision")
	stale := try(b.author, fields{"revision": 1, "restore_revision": 1}).refused(http.StatusConflict, "stale-revision")
	assert.EqualValues(t, 2, (*stale.Present).(fields)["revision"])
	try(b.author, fields{"revision": 2, "restore_revision": 2}).refused(http.StatusUnprocessableEntity, "invalid", "/restore_revision")
	try(b.author, fields{"revision": 2, "restore_revision": 9}).refused(http.StatusUnprocessableEntity, "invalid", "/restore_revision")
	b.put(o.ID, "approved")
	try(b.author, fields{"revision": 2, "restore_revision": 1}).refused(http.StatusConflict, "wrong-state")
	b.put(o.ID, "closed")
	try(b.lead, fields{"revision": 2, "restore_revision": 1}).refused(http.StatusConflict, "wrong-state")
	b.put(o.ID, "approved")
	back := into[api.Objective](try(b.lead, fields{"revision": 2, "restore_revision": 1}).is(http.StatusOK))
	assert.EqualValues(t, "approved", back.State, "the state is not content")
	assert.Equal(t, "お客さまに選ばれ続ける", back.Title)

	private := b.author.draft(fields{"visibility": "private"})
	b.author.edit(private, fields{"title": "二"})
	b.teammate.send(http.MethodPost, restore(private.ID), fields{"revision": 2, "restore_revision": 1}).refused(http.StatusNotFound, "not-found")
	b.teammate.send(http.MethodGet, objective(private.ID)+"/history/1", nil).refused(http.StatusNotFound, "not-found")
}

func TestOfManyWhoRestoreOneWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	o = b.author.edit(o, fields{"title": "二"})
	statuses := make([]int, 8)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() {
			a, err := []*person{b.author, b.lead, b.admin, b.owner}[i%4].try(http.MethodPost, restore(o.ID), fields{"revision": 2, "restore_revision": 1})
			assert.NoError(t, err)
			statuses[i] = a.status
		})
	}
	all.Wait()
	counts := map[int]int{}
	for _, s := range statuses {
		counts[s]++
	}
	assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: 7}, counts)
	assert.Equal(t, 3, value[int](b, "SELECT count(*) FROM objective_history WHERE objective_id = $1", o.ID))
}
