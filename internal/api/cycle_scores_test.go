package api_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
)

func scoresOf(cycle uuid.UUID) string { return "/cycles/" + cycle.String() + "/scores" }

// standing drafts an approved objective whose one key result, from 0 to 100, stands at a value.
func (b *bundle) standing(at, kind string, more ...fields) api.Objective {
	b.t.Helper()
	o := b.author.approved(append([]fields{{"kind": kind}}, more...)...)
	if at != "" {
		b.author.checkIn(o.KeyResults[0].ID, at)
	}
	return o
}

func TestWhatIsStillToBeScored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	want := map[uuid.UUID][]any{
		b.standing("100", "committed").ID:   {"1", "1", false, true},
		b.standing("64", "committed").ID:    {"0.6", "1", true, true},
		b.standing("65", "aspirational").ID: {"0.7", "0.7", false, true},
		b.standing("", "aspirational").ID:   {"0", "0.7", false, true},
	}
	b.author.draft()
	b.put(b.author.draft().ID, "closed")
	hidden := b.standing("100", "committed", fields{"visibility": "private"})
	away := b.standing("100", "committed")
	b.exec("UPDATE objectives SET archived_at = now() WHERE id = $1", away.ID)

	path := "/cycles/" + b.cycle.String() + "/to-score"
	got := map[uuid.UUID][]any{}
	for _, item := range get[api.ScorePage](b.author, path).Items {
		if item.Objective.ID != hidden.ID {
			got[item.Objective.ID] = []any{item.SuggestedScore.String(), item.ExpectedScore.String(), item.NoteNeeded, item.MayClose}
		}
	}
	assert.Equal(t, want, got)
	items := get[api.ScorePage](b.member, path).Items
	assert.Len(t, items, len(want), "what is hidden is not shown")
	assert.False(t, items[0].MayClose)
	b.elsewhere.send(http.MethodGet, path, nil).refused(http.StatusNotFound, "not-found")
}

func TestScoringManyIsClosingEach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reached, missed, other := b.standing("100", "committed"), b.standing("64", "committed"), b.standing("64", "aspirational")
	stale, draft, hidden := b.standing("100", "committed"), b.author.draft(), b.standing("100", "committed", fields{"visibility": "private"})
	foreign := b.author.approved(fields{"cycle_id": b.newCycle("active", -10, 80)})
	b.lead.send(http.MethodPatch, objective(stale.ID), fields{"revision": 1, "title": "変わった"}).is(http.StatusOK)
	items := []fields{
		{"objective_id": reached.ID, "revision": 1},
		{"objective_id": missed.ID, "revision": 1},
		{"objective_id": other.ID, "revision": 1, "score": "0.8", "note": "質が高かった"},
		{"objective_id": stale.ID, "revision": 1},
		{"objective_id": draft.ID, "revision": 1},
		{"objective_id": hidden.ID, "revision": 1},
		{"objective_id": foreign.ID, "revision": 1},
		{"objective_id": uuid.New(), "revision": 1},
	}
	results := into[api.ScoreResults](b.author.send(http.MethodPost, scoresOf(b.cycle), fields{"items": items}).is(http.StatusOK)).Items
	var outcomes []string
	for i, r := range results {
		assert.Equal(t, text(items[i]["objective_id"]), r.ObjectiveID.String(), "in the order of the request")
		outcomes = append(outcomes, string(r.Outcome))
	}
	assert.Equal(t, []string{"closed", "invalid", "closed", "stale-revision", "wrong-state", "closed", "not-found", "not-found"}, outcomes)
	assert.Equal(t, "1", results[0].Score.String())
	assert.EqualValues(t, 2, *results[0].Revision)
	assert.Equal(t, "/items/1/note", (*results[1].Errors)[0].Pointer)
	assert.Equal(t, "0.8", results[2].Score.String())
	assert.EqualValues(t, 2, *results[3].Revision, "from here it can be sent again")

	for _, o := range []api.Objective{reached, other, hidden} {
		assert.Equal(t, "closed", b.stateOf(o))
		assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE target_id = $1 AND action = 'objective.closed' AND target_revision = 2", o.ID))
		assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM outbox_events WHERE target_id = $1 AND kind = 'objective.closed'", o.ID))
	}
	entry := get[api.HistoryEntry](b.author, objective(other.ID)+"/history/2")
	assert.Equal(t, "質が高かった", *entry.Note)
	assert.Equal(t, []string{"/state", "/score"}, pointersOf(entry))
	for _, o := range []api.Objective{missed, stale, foreign} {
		assert.Equal(t, "approved", b.stateOf(o))
	}

	// Who sees it but has no part in it is told so, and who sees it not is told what is said of what is not there.
	more := b.standing("100", "committed", fields{"visibility": "private"})
	answers := map[string]string{}
	for _, p := range []*person{b.member, b.teammate, b.lead} {
		r := into[api.ScoreResults](p.send(http.MethodPost, scoresOf(b.cycle), fields{"items": []fields{{"objective_id": missed.ID, "revision": 1, "note": "理由"}, {"objective_id": more.ID, "revision": 1}}}).is(http.StatusOK)).Items
		answers[p.name] = string(r[0].Outcome + " " + r[1].Outcome)
	}
	assert.Equal(t, map[string]string{"member": "not-allowed not-found", "teammate": "not-allowed not-found", "lead": "closed closed"}, answers)
}

func TestScoringNamesEachOnceAndNotTooMany(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.standing("100", "committed")
	item := fields{"objective_id": o.ID, "revision": 1}
	b.author.send(http.MethodPost, scoresOf(b.cycle), fields{"items": []fields{item, item}}).refused(http.StatusUnprocessableEntity, "invalid", "/items/1/objective_id")
	many := make([]fields, 201)
	for i := range many {
		many[i] = fields{"objective_id": uuid.New(), "revision": 1}
	}
	b.author.send(http.MethodPost, scoresOf(b.cycle), fields{"items": many}).refused(http.StatusUnprocessableEntity, "invalid", "/items")
	assert.Equal(t, "approved", b.stateOf(o))
}

func TestTwoHundredAreScoredAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, kind, state, created_by, changed_by)
		SELECT $1, gen_random_uuid(), $2, $3, 'objective ' || i, 'aspirational', 'approved', $3, $3 FROM generate_series(1, 200) AS i`, b.id, b.cycle, b.author.id)
	var items []fields
	for _, item := range get[api.ScorePage](b.admin, "/cycles/"+b.cycle.String()+"/to-score?limit=200").Items {
		items = append(items, fields{"objective_id": item.Objective.ID, "revision": item.Objective.Revision})
	}
	require.Len(t, items, 200)
	results := into[api.ScoreResults](b.admin.send(http.MethodPost, scoresOf(b.cycle), fields{"items": items}).is(http.StatusOK)).Items
	for _, r := range results {
		assert.EqualValues(t, "closed", r.Outcome)
	}
	assert.Equal(t, 200, value[int](b, "SELECT count(*) FROM objectives WHERE state = 'closed' AND score = 0"))
}

// Two who score the same objectives in opposite orders wait for one another; each objective is closed once.
func TestOfTwoWhoScoreAtOnceOneClosesEach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var there, back []fields
	for range 20 {
		o := b.standing("100", "committed")
		there = append(there, fields{"objective_id": o.ID, "revision": 1})
		back = append([]fields{{"objective_id": o.ID, "revision": 1}}, back...)
	}
	var mutex sync.Mutex
	outcomes := map[string]int{}
	var all sync.WaitGroup
	for i, p := range []*person{b.author, b.lead, b.admin, b.owner} {
		all.Go(func() {
			items := there
			if i%2 == 1 {
				items = back
			}
			a, err := p.try(http.MethodPost, scoresOf(b.cycle), fields{"items": items})
			if !assert.NoError(t, err) || !assert.Equal(t, http.StatusOK, a.status, "%s", a.body) {
				return
			}
			mutex.Lock()
			defer mutex.Unlock()
			for _, r := range into[api.ScoreResults](a).Items {
				outcomes[string(r.Outcome)]++
			}
		})
	}
	all.Wait()
	assert.Equal(t, map[string]int{"closed": 20, "stale-revision": 60}, outcomes)
	assert.Equal(t, 20, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'objective.closed'"))
}

// Something that ends the request ends all of it: nothing is half written.
func TestScoringThatFailsClosesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.standing("100", "committed"), b.standing("100", "committed")
	_, release := b.holds("SELECT FROM objectives WHERE id = $1 FOR UPDATE", second.ID)
	items := []fields{{"objective_id": first.ID, "revision": 1}, {"objective_id": second.ID, "revision": 1}}
	b.author.send(http.MethodPost, scoresOf(b.cycle), fields{"items": items}, key("k")).refused(http.StatusServiceUnavailable, "busy")
	assert.Equal(t, "approved", b.stateOf(first))
	release()
	for _, r := range into[api.ScoreResults](b.author.send(http.MethodPost, scoresOf(b.cycle), fields{"items": items}, key("k")).is(http.StatusOK)).Items {
		assert.EqualValues(t, "closed", r.Outcome)
	}
}

func TestACycleIsClosedOnceItsObjectivesAreScored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cycle := "/cycles/" + b.cycle.String()
	o, hidden := b.standing("100", "committed"), b.standing("100", "committed", fields{"visibility": "private"})
	b.author.draft() // drafts and what is submitted are no reason to wait: they can be carried over
	away := b.standing("100", "committed")
	b.exec("UPDATE objectives SET archived_at = now() WHERE id = $1", away.ID)

	refusal := b.admin.send(http.MethodPatch, cycle, fields{"revision": 1, "state": "closed"}).refused(http.StatusConflict, "wrong-state")
	assert.True(t, strings.HasPrefix(*refusal.Detail, "2 approved objectives"), *refusal.Detail)
	assert.Equal(t, "active", (*refusal.Present).(fields)["state"])
	b.admin.send(http.MethodPatch, cycle, fields{"revision": 1, "name": "別名", "leave_unscored": true}).refused(http.StatusUnprocessableEntity, "invalid", "/leave_unscored")

	b.author.send(http.MethodPost, scoresOf(b.cycle), fields{"items": []fields{{"objective_id": o.ID, "revision": 1}}}).is(http.StatusOK)
	b.admin.send(http.MethodPatch, cycle, fields{"revision": 1, "state": "closed"}).refused(http.StatusConflict, "wrong-state")
	closed := b.admin.send(http.MethodPatch, cycle, fields{"revision": 1, "state": "closed", "leave_unscored": true}).is(http.StatusOK)
	assert.EqualValues(t, "closed", into[api.Cycle](closed).State)

	// What was left can still be scored, and scored anew, but nothing new is approved, nor taken back to a draft.
	b.author.send(http.MethodPost, scoresOf(b.cycle), fields{"items": []fields{{"objective_id": hidden.ID, "revision": 1}}}).is(http.StatusOK)
	assert.Equal(t, "closed", b.stateOf(hidden))
	reopened := into[api.Objective](b.lead.send(http.MethodPost, action(hidden.ID, "reopen"), fields{"revision": 2}).is(http.StatusOK))
	assert.Equal(t, []string{"close", "archive"}, texts(reopened.Actions))
	b.lead.send(http.MethodPost, action(hidden.ID, "revise"), fields{"revision": reopened.Revision}).refused(http.StatusConflict, "wrong-state")
	b.lead.send(http.MethodPost, action(hidden.ID, "close"), fields{"revision": reopened.Revision, "score": "0.9", "note": "理由"}).is(http.StatusOK)
	late := value[uuid.UUID](b, "SELECT id FROM objectives WHERE state = 'draft' AND cycle_id = $1", b.cycle)
	b.author.send(http.MethodPost, action(late, "submit"), fields{"revision": 1}).refused(http.StatusConflict, "wrong-state")
	b.put(late, "submitted")
	b.lead.send(http.MethodPost, action(late, "approve"), fields{"revision": 1}).refused(http.StatusConflict, "wrong-state")
	b.lead.send(http.MethodPost, action(late, "return"), fields{"revision": 1, "note": "来期に"}).is(http.StatusOK)
}

// An approval that is under way when a cycle is closed is either counted or refused.
func TestNothingIsApprovedBesideTheClosing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	b.put(o.ID, "submitted")
	_, release := b.holds("UPDATE cycles SET state = 'closed' WHERE id = $1", b.cycle)
	answers := make(chan answer)
	go func() {
		a, err := b.lead.try(http.MethodPost, action(o.ID, "approve"), fields{"revision": 1})
		assert.NoError(t, err)
		answers <- a
	}()
	b.awaitBlocked(1)
	release()
	(<-answers).refused(http.StatusConflict, "wrong-state")
	assert.Equal(t, "submitted", b.stateOf(o))
}
