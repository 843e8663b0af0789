package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/okr"
)

func carryOverOf(cycle uuid.UUID) string { return "/cycles/" + cycle.String() + "/carry-over" }

// carriesOver has a person carry objectives of the test's cycle over, page after page.
func (p *person) carriesOver(target uuid.UUID, dryRun bool, more fields) (items []api.CarryOverItem) {
	p.t.Helper()
	body := fields{"target_cycle_id": target, "dry_run": dryRun}
	for name, v := range more {
		body[name] = v
	}
	for {
		result := into[api.CarryOverResult](p.send(http.MethodPost, carryOverOf(p.cycle), body).is(http.StatusOK))
		assert.Equal(p.t, dryRun, result.DryRun)
		items = append(items, result.Items...)
		if result.NextCursor == nil {
			return items
		}
		body["cursor"] = *result.NextCursor
	}
}

// described is a copy as a dry run describes one, read from what was made.
func (b *bundle) described(item api.CarryOverItem) api.CarriedObjective {
	b.t.Helper()
	made := get[api.Objective](b.owner, objective(*item.CopyID))
	original := get[api.Objective](b.owner, objective(item.ObjectiveID))
	assert.Equal(b.t, *item.Title, made.Title)
	assert.Equal(b.t, okr.ObjectiveDraft, made.State)
	assert.Equal(b.t, &item.ObjectiveID, made.CarriedFromID)
	assert.Nil(b.t, made.Score)
	v := api.CarriedObjective{Description: made.Description, Kind: made.Kind, Visibility: made.Visibility, Owner: made.Owner, TeamID: made.TeamID,
		Alignment: "none", ParentObjectiveID: original.ParentObjectiveID, ParentKeyResultID: original.ParentKeyResultID, KeyResults: []api.CarriedKeyResult{}}
	if made.ParentObjectiveID != nil {
		v.Alignment = "kept"
		switch {
		case *made.ParentObjectiveID == *original.ParentObjectiveID:
			v.Alignment = "old-parent"
		case original.ParentKeyResultID != nil && made.ParentKeyResultID == nil:
			v.Alignment = "objective-only"
		}
		assert.Equal(b.t, v.Alignment != "kept", made.AlignmentFlagged != nil, "%s: %s", made.Title, v.Alignment)
	}
	for _, supports := range b.owner.pages(supported(item.ObjectiveID)+"?", func() {}) {
		id := uuid.MustParse(supports)
		l := api.CarriedLink{ObjectiveID: id, Title: get[api.Objective](b.owner, objective(id)).Title, LeadsTo: "original"}
		if !slices.Contains(b.owner.pages(supported(made.ID)+"?", func() {}), supports) {
			l.LeadsTo = "copy"
			assert.Equal(b.t, 1, value[int](b, `SELECT count(*) FROM objective_links AS l JOIN objectives AS o ON o.id = l.supported_id
				WHERE l.objective_id = $1 AND o.carried_from_id = $2 AND NOT l.flagged`, made.ID, id))
		}
		if v.Supports == nil {
			v.Supports = &[]api.CarriedLink{}
		}
		*v.Supports = append(*v.Supports, l)
	}
	if v.Supporters = item.Copy.Supporters; v.Supporters != nil {
		for _, s := range *v.Supporters {
			assert.Contains(b.t, b.owner.pages(supporters(made.ID)+"&", func() {}), s.ObjectiveID.String())
		}
	}
	for _, k := range made.KeyResults {
		assert.True(b.t, k.Pending, "what was measured of the original is not the copy's")
		from := value[uuid.UUID](b, "SELECT carried_from_id FROM key_results WHERE id = $1", k.ID)
		c := api.CarriedKeyResult{FromID: from, Title: k.Title, Kind: k.Kind, Unit: k.Unit, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch,
			AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: &k.Weight}
		if k.Owner != nil {
			c.OwnerID = &k.Owner.ID
		}
		if k.Steps != nil {
			titles := []string{}
			for _, s := range *k.Steps {
				titles = append(titles, s.Title)
			}
			c.Steps = &titles
		}
		v.KeyResults = append(v.KeyResults, c)
	}
	return v
}

// withoutSkipped is a description of what is made alone.
func withoutSkipped(v api.CarriedObjective) api.CarriedObjective {
	v.KeyResults = slices.DeleteFunc(slices.Clone(v.KeyResults), func(k api.CarriedKeyResult) bool { return k.Skipped != nil })
	v.WeightsReset = false
	return v
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	encoded, err := json.Marshal(v)
	require.NoError(t, err)
	return string(encoded)
}

// everyKind drafts an objective with key results of every kind, some of which have reached their targets.
func (b *bundle) everyKind() api.Objective {
	b.t.Helper()
	falling := fields{"title": "初回応答", "kind": "metric", "baseline": "8", "target": "2", "stretch": "1", "unit": "h", "weight": "2.5", "description": "中央値"}
	o := b.author.draft(fields{"description": "解約の理由の半分", "kind": "aspirational", "visibility": "team", "key_results": []fields{metric("NPS"), falling, threshold("稼働率"),
		milestone("移行", "設計", "実施", "検証"), metric("到達"), with(metric("未測定"), "owner_id", b.teammate.id), milestone("完了", "一つ")}})
	b.put(o.ID, "approved")
	k := o.KeyResults
	b.author.checkIn(k[0].ID, "40")
	b.author.checkIn(k[1].ID, "5")
	b.author.checkIn(k[2].ID, "97")
	done := func(k api.KeyResult, steps ...int) {
		ids := []uuid.UUID{}
		for _, i := range steps {
			ids = append(ids, (*k.Steps)[i].ID)
		}
		b.author.send(http.MethodPost, checkIns(k.ID), fields{"done_step_ids": ids, "confidence": 5}).is(http.StatusCreated)
	}
	done(k[3], 1)
	b.author.checkIn(k[4].ID, "100")
	done(k[6], 0)
	return o
}

func TestADryRunShowsExactlyWhatIsMade(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newCycle("preparation", 61, 150)
	b.everyKind()
	children := map[string]api.Objective{} // older than their parents, so that they come first
	for _, title := range []string{"親に", "残る指標に", "届いた指標に", "持ち越さない親に", "終わった親に"} {
		children[title] = b.author.draft(fields{"title": title})
	}
	parent := b.lead.draft(fields{"title": "親", "key_results": []fields{metric("残る"), metric("届いた")}})
	b.put(parent.ID, "approved")
	b.lead.checkIn(parent.KeyResults[1].ID, "100")
	outside := b.admin.draft(fields{"title": "別のチームの親", "team_id": nil})
	done := b.lead.draft(fields{"title": "終わった親"})
	b.put(done.ID, "approved")
	b.lead.checkIn(done.KeyResults[0].ID, "120")
	for title, aligned := range map[string]fields{
		"親に":       {"parent_objective_id": parent.ID},
		"残る指標に":    {"parent_objective_id": parent.ID, "parent_key_result_id": parent.KeyResults[0].ID},
		"届いた指標に":   {"parent_objective_id": parent.ID, "parent_key_result_id": parent.KeyResults[1].ID},
		"持ち越さない親に": {"parent_objective_id": outside.ID},
		"終わった親に":   {"parent_objective_id": done.ID},
	} {
		b.author.edit(children[title], aligned)
	}
	b.author.supportsAll(children["親に"].ID, parent.ID, children["残る指標に"].ID, outside.ID, done.ID)
	b.lead.supportsAll(parent.ID, children["届いた指標に"].ID, children["親に"].ID)
	b.author.draft(fields{"title": "指標なし", "key_results": nil})
	weightless := b.author.draft(fields{"title": "重みゼロ", "key_results": []fields{metric("届いた"), with(metric("残り"), "weight", "0")}})
	b.put(weightless.ID, "approved")
	b.author.checkIn(weightless.KeyResults[0].ID, "100")
	closed := b.author.draft(fields{"title": "評価済み"})
	b.put(closed.ID, "closed")
	away := b.author.draft(fields{"title": "しまった"})
	b.author.send(http.MethodPost, action(away.ID, "archive"), fields{"revision": 1}).is(http.StatusOK)

	for _, limit := range []int{50, 3} {
		scope := fields{"scope": "team", "team_id": b.team, "limit": limit}
		before := b.content("idempotency_keys", "session_accesses")
		dry := b.lead.carriesOver(target, true, scope)
		assert.Equal(t, before, b.content("idempotency_keys", "session_accesses"), "a dry run makes nothing")
		made := b.lead.carriesOver(target, false, scope)
		require.Len(t, made, len(dry))
		reasons := map[string]string{}
		for i, item := range dry {
			assert.Nil(t, item.CopyID)
			if item.Outcome != "carried" {
				reasons[*item.Title] = string(*item.Reason)
				assert.Equal(t, asJSON(t, item), asJSON(t, made[i]))
				continue
			}
			require.NotNil(t, made[i].CopyID, *item.Title)
			item.Copy.Supporters = made[i].Copy.Supporters // what an earlier page of the run has made supports it already; what is there is looked at beneath
			assert.JSONEq(t, asJSON(t, item.Copy), asJSON(t, made[i].Copy), "the run says the same: %s", *item.Title)
			assert.JSONEq(t, asJSON(t, withoutSkipped(*item.Copy)), asJSON(t, b.described(made[i])), "and so does what is there: %s", *item.Title)
			if limit == 50 {
				assert.EqualValues(t, 1, get[api.Objective](b.owner, objective(*made[i].CopyID)).Revision, "parents that are carried by the same request come first")
			}
		}
		assert.Equal(t, map[string]string{"終わった親": "nothing-left"}, reasons)

		after := b.content("idempotency_keys", "session_accesses")
		for _, item := range b.lead.carriesOver(target, false, scope) {
			if *item.Title != "終わった親" {
				assert.EqualValues(t, "exists", item.Outcome, *item.Title)
				assert.NotNil(t, item.CopyID)
			}
		}
		assert.Equal(t, after, b.content("idempotency_keys", "session_accesses"), "twice makes nothing new")
		target = b.newCycle("active", 62, 150) // the next turn goes in small pages, so that children come before their parents
	}
}

func TestWhatIsCarriedOfEachKind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.everyKind()
	items := b.author.carriesOver(b.newCycle("preparation", 61, 150), false, fields{"scope": "mine"})
	require.Len(t, items, 1)
	preview := items[0].Copy.KeyResults
	require.Len(t, preview, 7)
	for i, k := range preview {
		assert.Equal(t, o.KeyResults[i].ID, k.FromID)
		assert.Equal(t, slices.Contains([]string{"到達", "完了"}, k.Title), k.Skipped != nil, k.Title)
	}
	made := get[api.Objective](b.author, objective(*items[0].CopyID))
	require.Len(t, made.KeyResults, 5)
	assert.Equal(t, "40", made.KeyResults[0].Baseline.String(), "a metric starts from the value that it reached")
	assert.Equal(t, "5", made.KeyResults[1].Baseline.String())
	assert.Equal(t, "1", made.KeyResults[1].Stretch.String())
	assert.Equal(t, "2.5", made.KeyResults[1].Weight.String())
	assert.Equal(t, "95", made.KeyResults[2].AtLeast.String(), "a threshold keeps its band")
	assert.Equal(t, []string{"設計", "検証"}, []string{(*made.KeyResults[3].Steps)[0].Title, (*made.KeyResults[3].Steps)[1].Title})
	assert.Equal(t, "0", made.KeyResults[4].Baseline.String(), "without a check-in it starts where it started")
	assert.Equal(t, b.teammate.id, made.KeyResults[4].Owner.ID)
	assert.Equal(t, get[api.Objective](b.author, objective(o.ID)).Revision, o.Revision, "the original stays as it is")

	b.author.send(http.MethodPatch, objective(made.ID), fields{"revision": 1, "key_results": []fields{with(metric("NPS"), "id", made.KeyResults[0].ID)}}).is(http.StatusOK) // and the copy can be edited
	entry := get[api.HistoryEntry](b.author, objective(made.ID)+"/history/1")
	assert.Equal(t, "objective.carried_over", entry.Action)
	assert.Equal(t, o.ID.String(), value[string](b, "SELECT detail->>'carried_from_id' FROM audit_events WHERE target_id = $1 AND action = 'objective.carried_over'", made.ID))
}

func TestCarryingOverNeedsWhatDraftingThereNeeds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newCycle("preparation", 61, 150)
	archived := b.newTeam("しまったチーム")
	b.place(archived, b.author, auth.TeamMember)
	mine := b.author.draft(fields{"title": "自分の"})
	ofTeammate := b.teammate.draft(fields{"title": "同僚の"})
	hidden := b.teammate.draft(fields{"title": "同僚の秘密", "visibility": "private"})
	inArchived := b.author.draft(fields{"title": "しまったチームの", "team_id": archived})
	b.exec("UPDATE teams SET archived_at = now() WHERE id = $1", archived)
	elsewhere := b.author.draft(fields{"title": "来期の", "cycle_id": target})
	away := b.author.draft(fields{"title": "しまった"})
	b.author.send(http.MethodPost, action(away.ID, "archive"), fields{"revision": 1}).is(http.StatusOK)
	left := b.author.draft(fields{"title": "抜けたチームの", "team_id": b.team})
	nobody := uuid.New()

	all := []uuid.UUID{mine.ID, ofTeammate.ID, hidden.ID, inArchived.ID, elsewhere.ID, away.ID, nobody}
	outcomes := func(p *person, ids []uuid.UUID) map[uuid.UUID]string {
		got := map[uuid.UUID]string{}
		for _, item := range p.carriesOver(target, true, fields{"scope": "selection", "objective_ids": ids}) {
			got[item.ObjectiveID] = string(item.Outcome)
			if item.Reason != nil {
				got[item.ObjectiveID] = string(*item.Reason)
			}
			if got[item.ObjectiveID] == "not-there" {
				assert.Nil(t, item.Title, "it says nothing of what is hidden")
			}
		}
		return got
	}
	assert.Equal(t, map[uuid.UUID]string{mine.ID: "carried", ofTeammate.ID: "not-allowed", hidden.ID: "not-there", inArchived.ID: "team-archived", elsewhere.ID: "not-there",
		away.ID: "archived", nobody: "not-there"}, outcomes(b.author, all))
	assert.Equal(t, map[uuid.UUID]string{mine.ID: "carried", ofTeammate.ID: "carried", hidden.ID: "carried", inArchived.ID: "not-allowed", elsewhere.ID: "not-there",
		away.ID: "archived", nobody: "not-there"}, outcomes(b.lead, all), "the lead of the one team is a stranger to the other")
	b.exec("DELETE FROM team_members WHERE user_id = $1 AND team_id = $2", b.author.id, b.team)
	assert.Equal(t, map[uuid.UUID]string{left.ID: "not-your-team"}, outcomes(b.author, []uuid.UUID{left.ID}))
}

func TestCyclesThatNothingIsCarriedBetween(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.draft()
	try := func(from, to any) answer {
		return b.author.send(http.MethodPost, "/cycles/"+text(from)+"/carry-over", fields{"target_cycle_id": to, "dry_run": true, "scope": "mine"})
	}
	later := b.newCycle("preparation", 61, 150)
	try(b.cycle, later).is(http.StatusOK)
	try(later, b.newCycle("preparation", 200, 300)).refused(http.StatusConflict, "wrong-state")
	try(b.cycle, b.newCycle("closed", 61, 150)).refused(http.StatusConflict, "wrong-state")
	for what, to := range map[string]any{"itself": b.cycle, "an earlier one": b.newCycle("active", -90, -31), "one that begins on the same day": b.newCycle("active", -30, 90)} {
		a := try(b.cycle, to)
		a.what += ": " + what
		a.refused(http.StatusUnprocessableEntity, "invalid", "/target_cycle_id")
	}
	try(b.cycle, uuid.New()).refused(http.StatusUnprocessableEntity, "invalid", "/target_cycle_id")

	for pointer, body := range map[string]fields{
		"/team_id":       {"scope": "team"},
		"/objective_ids": {"scope": "selection"},
	} {
		body["target_cycle_id"], body["dry_run"] = later, true
		b.author.send(http.MethodPost, carryOverOf(b.cycle), body).refused(http.StatusUnprocessableEntity, "invalid", pointer)
	}
	b.author.send(http.MethodPost, carryOverOf(b.cycle), fields{"scope": "mine", "team_id": b.team, "target_cycle_id": later, "dry_run": true}).refused(http.StatusUnprocessableEntity, "invalid", "/team_id")
	b.author.send(http.MethodPost, carryOverOf(b.cycle), fields{"scope": "team", "team_id": uuid.New(), "target_cycle_id": later, "dry_run": true}).refused(http.StatusUnprocessableEntity, "invalid", "/team_id")
	b.author.send(http.MethodPost, carryOverOf(b.cycle), fields{"scope": "mine", "cursor": "AQ", "target_cycle_id": later, "dry_run": true}).refused(http.StatusBadRequest, "bad-request", "/cursor")
}

func TestOfManyWhoCarryOverAtOnceOneMakesEachCopy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newCycle("preparation", 61, 150)
	const objectives = 12
	parent := b.author.draft(fields{"title": "親"})
	for i := range objectives {
		b.author.draft(fields{"title": fmt.Sprint("題 ", i), "parent_objective_id": parent.ID})
	}
	people := []*person{b.author, b.lead, b.admin, b.owner}
	var mutex sync.Mutex
	outcomes := map[string]int{}
	copies := map[uuid.UUID]map[uuid.UUID]bool{}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			a, err := people[i%len(people)].try(http.MethodPost, carryOverOf(b.cycle), fields{"target_cycle_id": target, "dry_run": false, "scope": "cycle", "limit": 50})
			if !assert.NoError(t, err) || !assert.Equal(t, http.StatusOK, a.status, "%s", a.body) {
				return
			}
			mutex.Lock()
			defer mutex.Unlock()
			for _, item := range into[api.CarryOverResult](a).Items {
				outcomes[string(item.Outcome)]++
				if copies[item.ObjectiveID] == nil {
					copies[item.ObjectiveID] = map[uuid.UUID]bool{}
				}
				copies[item.ObjectiveID][*item.CopyID] = true
			}
		})
	}
	all.Wait()
	assert.Equal(t, map[string]int{"carried": objectives + 1, "exists": 7 * (objectives + 1)}, outcomes)
	for original, made := range copies {
		assert.Len(t, made, 1, "everybody is told of the same copy of %s", original)
	}
	assert.Equal(t, objectives+1, value[int](b, "SELECT count(*) FROM objectives WHERE cycle_id = $1", target))
	assert.Equal(t, objectives+1, value[int](b, "SELECT count(*) FROM key_results AS k JOIN objectives AS o ON o.id = k.objective_id WHERE o.cycle_id = $1", target))
	assert.Equal(t, objectives+1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'objective.carried_over'"))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM objectives WHERE cycle_id = $1 AND alignment_flagged", target))
}

// The first has made its copy, and is not through yet when the second comes to the same objective.
func TestWhoCarriesOverWaitsForWhoeverDoes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newCycle("preparation", 61, 150)
	o := b.author.draft()
	theirs := uuid.New()
	_, release := b.holds(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, carried_from_id, created_by, changed_by)
		VALUES ($1, $2, $3, $4, '先に', $5, $4, $4)`, b.id, theirs, target, b.author.id, o.ID)
	answers := make(chan answer)
	go func() {
		a, err := b.author.try(http.MethodPost, carryOverOf(b.cycle), fields{"target_cycle_id": target, "dry_run": false, "scope": "mine"})
		assert.NoError(t, err)
		answers <- a
	}()
	b.awaitBlocked(1)
	release()
	item := into[api.CarryOverResult]((<-answers).is(http.StatusOK)).Items[0]
	assert.EqualValues(t, "exists", item.Outcome)
	assert.Equal(t, &theirs, item.CopyID)
	assert.Nil(t, item.Copy)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM objectives WHERE cycle_id = $1", target))
}

func TestACopyFollowsItsParentThatIsCarriedLater(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newCycle("preparation", 61, 150)
	parent := b.lead.draft(fields{"title": "親"})
	onKeyResult := b.author.draft(fields{"title": "指標に", "parent_objective_id": parent.ID, "parent_key_result_id": parent.KeyResults[0].ID})
	settled := b.author.draft(fields{"title": "決めた", "parent_objective_id": parent.ID})
	looped := b.author.draft(fields{"title": "輪", "parent_objective_id": parent.ID})
	copies := map[uuid.UUID]uuid.UUID{}
	for _, item := range b.author.carriesOver(target, false, fields{"scope": "mine"}) {
		assert.EqualValues(t, "old-parent", item.Copy.Alignment)
		copies[item.ObjectiveID] = *item.CopyID
		made := get[api.Objective](b.author, objective(*item.CopyID))
		assert.Equal(t, &parent.ID, made.ParentObjectiveID)
		assert.Equal(t, pointer(true), made.AlignmentFlagged)
	}
	same := b.author.send(http.MethodPatch, objective(copies[settled.ID]), fields{"revision": 1, "parent_objective_id": parent.ID}).is(http.StatusOK)
	assert.Nil(t, into[api.Objective](same).AlignmentFlagged, "whoever says what it contributes to has looked")

	b.lead.carriesOver(target, false, fields{"scope": "selection", "objective_ids": []any{parent.ID}})
	up := value[uuid.UUID](b, "SELECT id FROM objectives WHERE carried_from_id = $1", parent.ID)
	follows := get[api.Objective](b.author, objective(copies[onKeyResult.ID]))
	assert.Equal(t, &up, follows.ParentObjectiveID)
	assert.Equal(t, value[uuid.UUID](b, "SELECT id FROM key_results WHERE objective_id = $1", up), *follows.ParentKeyResultID)
	assert.Nil(t, follows.AlignmentFlagged)
	assert.EqualValues(t, 2, follows.Revision)
	entry := get[api.HistoryEntry](b.author, objective(follows.ID)+"/history/2")
	assert.Equal(t, "objective.realigned", entry.Action)
	assert.Equal(t, []string{"/parent_objective_id", "/parent_key_result_id"}, pointersOf(entry))
	assert.Equal(t, &parent.ID, get[api.Objective](b.author, objective(copies[settled.ID])).ParentObjectiveID, "what somebody has settled stays")

	// A grandparent that was made to contribute to the copy below it stays its child: following would close a loop.
	next := b.newCycle("preparation", 200, 300)
	b.author.carriesOver(next, false, fields{"scope": "selection", "objective_ids": []any{looped.ID}})
	low := value[uuid.UUID](b, "SELECT id FROM objectives WHERE carried_from_id = $1 AND cycle_id = $2", looped.ID, next)
	top := b.lead.draft(fields{"title": "祖父母"})
	b.lead.aligned(parent.ID, top.ID).is(http.StatusOK)
	b.lead.aligned(top.ID, low).refused(http.StatusUnprocessableEntity, "invalid", "/parent_objective_id") // it leads there through the old parent
	b.exec("UPDATE objectives SET parent_objective_id = $2 WHERE id = $1", low, parent.ID)
	b.lead.carriesOver(next, false, fields{"scope": "selection", "objective_ids": []any{top.ID}})
	topCopy := value[uuid.UUID](b, "SELECT id FROM objectives WHERE carried_from_id = $1 AND cycle_id = $2", top.ID, next)
	b.exec("UPDATE objectives SET parent_objective_id = $2 WHERE id = $1", topCopy, low) // what two requests could have made of it before the parent came
	b.lead.carriesOver(next, false, fields{"scope": "selection", "objective_ids": []any{parent.ID}})
	still := get[api.Objective](b.author, objective(low))
	assert.Equal(t, &parent.ID, still.ParentObjectiveID)
	assert.Equal(t, pointer(true), still.AlignmentFlagged)
}

func TestWhoHasLeftOwnsNoCopies(t *testing.T) {
	t.Parallel()
	b := setup(t)
	leaver := b.joins(b.id, "leaver", auth.Member)
	b.place(b.team, leaver, auth.TeamMember)
	theirs := leaver.draft(fields{"title": "残された"})
	shared := b.author.draft(fields{"title": "共同", "key_results": []fields{with(metric("NPS"), "owner_id", leaver.id)}})
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", leaver.id)
	items := b.lead.carriesOver(b.newCycle("preparation", 61, 150), false, fields{"scope": "selection", "objective_ids": []any{theirs.ID, shared.ID}})
	assert.Equal(t, b.lead.id, items[0].Copy.Owner.ID, "whoever carries it over takes it on")
	assert.Equal(t, b.author.id, items[1].Copy.Owner.ID)
	assert.Nil(t, items[1].Copy.KeyResults[0].OwnerID)
	assert.Nil(t, get[api.Objective](b.lead, objective(*items[1].CopyID)).KeyResults[0].Owner)
}

// Carrying an objective over is not writing it: whoever could review the original can review the copy.
func TestWhoCarriesOverMayApprove(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.place(b.team, b.joins(b.id, "second lead", auth.Member), auth.TeamLead)
	o := b.author.draft()
	items := b.lead.carriesOver(b.newCycle("preparation", 61, 150), false, fields{"scope": "selection", "objective_ids": []any{o.ID}})
	b.deliver()
	assert.Equal(t, map[string][]string{"author": {"assigned " + o.Title}}, b.sent())
	b.author.send(http.MethodPost, action(*items[0].CopyID, "submit"), fields{"revision": 1}).is(http.StatusOK)
	b.lead.send(http.MethodPost, action(*items[0].CopyID, "approve"), fields{"revision": 2}).is(http.StatusOK)
}

// A copy keeps a parent that whoever carries it over does not see, and they are not told which one that is.
func TestAParentThatIsHiddenStaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	secret := b.admin.draft(fields{"title": "秘密", "team_id": nil})
	o := b.author.draft(fields{"parent_objective_id": secret.ID})
	b.exec("UPDATE objectives SET visibility = 'private' WHERE id = $1", secret.ID)
	target := b.newCycle("preparation", 61, 150)
	for _, dryRun := range []bool{true, false} {
		a := b.author.send(http.MethodPost, carryOverOf(b.cycle), fields{"target_cycle_id": target, "dry_run": dryRun, "scope": "mine"}).is(http.StatusOK)
		assert.NotContains(t, string(a.body), secret.ID.String())
		assert.EqualValues(t, "old-parent", into[api.CarryOverResult](a).Items[0].Copy.Alignment)
	}
	assert.Equal(t, secret.ID, value[uuid.UUID](b, "SELECT parent_objective_id FROM objectives WHERE carried_from_id = $1", o.ID))
	b.admin.carriesOver(target, false, fields{"scope": "selection", "objective_ids": []any{secret.ID}})
	assert.NotEqual(t, secret.ID, value[uuid.UUID](b, "SELECT parent_objective_id FROM objectives WHERE carried_from_id = $1", o.ID), "and follows it where somebody else carries it over")
	again := b.author.send(http.MethodPost, carryOverOf(b.cycle), fields{"target_cycle_id": b.newCycle("preparation", 70, 160), "dry_run": true, "scope": "mine"}).is(http.StatusOK)
	assert.NotContains(t, string(again.body), secret.ID.String())
}

func TestCarryingOverManyInPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newCycle("preparation", 61, 150)
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, created_by, changed_by)
		SELECT $1, gen_random_uuid(), $2, $3, 'objective ' || i, $3, $3 FROM generate_series(1, 130) AS i`, b.id, b.cycle, b.author.id)
	items := b.admin.carriesOver(target, false, fields{"scope": "cycle", "limit": 50})
	assert.Len(t, items, 130)
	assert.Equal(t, 130, value[int](b, "SELECT count(DISTINCT carried_from_id) FROM objectives WHERE cycle_id = $1", target))
}
