package api_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/okr"
)

// align makes an objective, as it is now, contribute to another.
func (p *person) align(child, parent uuid.UUID) (answer, error) {
	read, err := p.try(http.MethodGet, objective(child), nil)
	if err != nil {
		return read, err
	}
	return p.try(http.MethodPatch, objective(child), fields{"parent_objective_id": parent}, ifMatch(read.header.Get("ETag")))
}

func (p *person) aligned(child, parent uuid.UUID) answer {
	p.t.Helper()
	a, err := p.align(child, parent)
	assert.NoError(p.t, err)
	return a
}

func TestAnObjectiveDoesNotContributeToItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, third := b.author.draft().ID, b.author.draft().ID, b.author.draft().ID
	loop := func(a answer) {
		t.Helper()
		a.refused(http.StatusUnprocessableEntity, "invalid", "/parent_objective_id")
		a.code("/parent_objective_id", "alignment-loop")
	}
	loop(b.author.aligned(first, first))
	b.author.aligned(second, first).is(http.StatusOK)
	loop(b.author.aligned(first, second))
	b.author.aligned(third, second).is(http.StatusOK)
	loop(b.author.aligned(first, third))

	// Through an ancestor that the actor does not see.
	b.exec("UPDATE objectives SET visibility = 'private', team_id = NULL, owner_id = $2 WHERE id = $1", second, b.admin.id)
	b.author.send(http.MethodGet, objective(second), nil).is(http.StatusNotFound)
	loop(b.author.aligned(first, third))
}

func TestObjectivesThatAreAlignedAtOnceMakeNoLoop(t *testing.T) {
	t.Parallel()
	for _, size := range []int{2, 3} {
		b := setup(t)
		ids := make([]uuid.UUID, size)
		for i := range ids {
			ids[i] = b.author.draft(fields{"key_results": nil}).ID
		}
		statuses := make([]int, size)
		var all sync.WaitGroup
		for i := range ids {
			all.Go(func() {
				a, err := b.author.align(ids[i], ids[(i+1)%size])
				assert.NoError(t, err)
				statuses[i] = a.status
			})
		}
		all.Wait()
		slices.Sort(statuses)
		assert.Equal(t, http.StatusOK, statuses[size-2], "all but one may: %v", statuses)
		assert.Contains(t, []int{http.StatusUnprocessableEntity, http.StatusServiceUnavailable}, statuses[size-1], "%v", statuses)
		assert.Zero(t, value[int](b, `WITH RECURSIVE up AS (
				SELECT id AS start, parent_objective_id AS id FROM objectives
				UNION SELECT up.start, o.parent_objective_id FROM up JOIN objectives AS o ON o.id = up.id)
			SELECT count(*) FROM up WHERE start = id`), "a loop")
	}
}

// The first has found no loop, and is not through yet when the second looks.
func TestAnAlignmentThatIsBeingMadeIsSeen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, other := b.author.draft(fields{"key_results": nil}).ID, b.author.draft(fields{"key_results": nil}).ID
	release := b.stopsUpdates("objectives")
	answers := make(chan answer, 2)
	for i, pair := range [][2]uuid.UUID{{one, other}, {other, one}} {
		go func() {
			a, err := b.author.align(pair[0], pair[1])
			assert.NoError(t, err)
			answers <- a
		}()
		b.awaitBlocked(i + 1)
	}
	release()
	statuses := []int{(<-answers).status, (<-answers).status}
	assert.ElementsMatch(t, []int{http.StatusOK, http.StatusUnprocessableEntity}, statuses)
}

func TestAlignmentIsSoDeepAndNoDeeper(t *testing.T) {
	t.Parallel()
	b := setup(t)
	above := b.author.draft(fields{"key_results": nil})
	for range 20 {
		above = b.author.draft(fields{"key_results": nil, "parent_objective_id": above.ID})
	}
	body := fields{"cycle_id": b.cycle, "title": "深い", "parent_objective_id": above.ID}
	a := b.author.send(http.MethodPost, "/objectives", body)
	if a.status == http.StatusCreated {
		body["parent_objective_id"] = into[api.Objective](a).ID
		a = b.author.send(http.MethodPost, "/objectives", body)
	}
	a.refused(http.StatusUnprocessableEntity, "invalid", "/parent_objective_id")
}

func TestWhatAnObjectivePointsToIsThereAndInSight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	parent := b.author.draft()
	other := b.author.draft()
	hidden := b.author.draft(fields{"visibility": "private"})
	gone := b.author.draft(fields{"key_results": []fields{metric("一"), metric("二")}})
	b.author.send(http.MethodPatch, objective(gone.ID), fields{"revision": 1, "key_results": []fields{with(metric("一"), "id", gone.KeyResults[0].ID)}}).is(http.StatusOK)
	elsewhere := uuid.New()
	b.exec("INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, changed_by) VALUES ($1, $2, 'theirs', '2027-01-01', '2027-03-31', $3)", b.otherOrganization, elsewhere, b.elsewhere.id)
	for name, c := range map[string]struct {
		change   fields
		pointers []string
	}{
		"no such parent":                 {fields{"parent_objective_id": uuid.New()}, []string{"/parent_objective_id"}},
		"hidden parent":                  {fields{"parent_objective_id": hidden.ID}, []string{"/parent_objective_id"}},
		"key result of another":          {fields{"parent_objective_id": parent.ID, "parent_key_result_id": other.KeyResults[0].ID}, []string{"/parent_key_result_id"}},
		"archived key result":            {fields{"parent_objective_id": gone.ID, "parent_key_result_id": gone.KeyResults[1].ID}, []string{"/parent_key_result_id"}},
		"key result without objective":   {fields{"parent_key_result_id": parent.KeyResults[0].ID}, []string{"/parent_key_result_id"}},
		"no such team":                   {fields{"team_id": uuid.New()}, []string{"/team_id"}},
		"a team one is not in":           {fields{"team_id": b.team}, []string{"/team_id"}},
		"visible to no team":             {fields{"visibility": "team"}, []string{"/visibility"}},
		"a key result's owner elsewhere": {fields{"key_results": []fields{with(metric("一"), "owner_id", b.elsewhere.id)}}, []string{"/key_results/0/owner_id"}},
		"no such cycle":                  {fields{"cycle_id": uuid.New()}, []string{"/cycle_id"}},
		"another organisation's cycle":   {fields{"cycle_id": elsewhere}, []string{"/cycle_id"}},
		"several at once": {fields{"parent_objective_id": hidden.ID, "team_id": b.team, "key_results": []fields{with(metric("一"), "owner_id", uuid.New())}},
			[]string{"/key_results/0/owner_id", "/parent_objective_id", "/team_id"}},
	} {
		body := fields{"cycle_id": b.cycle, "title": "題"}
		for field, v := range c.change {
			body[field] = v
		}
		a := b.member.send(http.MethodPost, "/objectives", body)
		a.what += ": " + name
		a.refused(http.StatusUnprocessableEntity, "invalid", c.pointers...)
	}
	o := b.author.draft(fields{"parent_objective_id": parent.ID, "parent_key_result_id": parent.KeyResults[0].ID})
	assert.Equal(t, &parent.KeyResults[0].ID, o.ParentKeyResultID)
	a := b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "parent_objective_id": other.ID}).is(http.StatusOK)
	assert.Nil(t, into[api.Objective](a).ParentKeyResultID, "another parent takes the key result with it")
	a = b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 2, "parent_objective_id": nil, "team_id": nil, "description": nil}).is(http.StatusOK)
	assert.Nil(t, into[api.Objective](a).ParentObjectiveID)
}

func TestWhoeverDraftsForSomebodyElseReviewsTheirTeam(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, c := range []struct {
		actor  *person
		team   any
		status int
	}{
		{b.author, b.team, 403}, {b.member, nil, 403}, {b.lead, b.team, 201}, {b.lead, nil, 403}, {b.lead, b.otherTeam, 403}, {b.admin, nil, 201}, {b.owner, b.team, 201},
	} {
		body := fields{"cycle_id": b.cycle, "title": "題", "owner_id": b.teammate.id}
		if c.team != nil {
			body["team_id"] = c.team
		}
		a := c.actor.send(http.MethodPost, "/objectives", body)
		assert.Equal(t, c.status, a.status, "%s for team %v: %s", a.what, c.team, a.body)
	}
	o := b.author.draft()
	b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "owner_id": b.teammate.id}).refused(http.StatusForbidden, "not-allowed")
	b.lead.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "owner_id": b.teammate.id}).is(http.StatusOK)
	b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 2, "title": "まだ私の"}).refused(http.StatusForbidden, "not-allowed")
}

// Without key results an objective takes the mean of what contributes to it, so it is submitted once something does.
func TestWhatIsMeasuredByOthersIsSubmitted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.leaf()
	submit := func() answer {
		return b.author.send(http.MethodPost, action(o.ID, "submit"), fields{"revision": o.Revision})
	}
	bare := submit()
	bare.refused(http.StatusUnprocessableEntity, "invalid", "/key_results")
	bare.code("/key_results", "unmeasured")
	child := b.teammate.leaf(fields{"parent_objective_id": o.ID})
	b.teammate.send(http.MethodPost, action(child.ID, "archive"), fields{"revision": 1}).is(http.StatusOK)
	submit().refused(http.StatusUnprocessableEntity, "invalid", "/key_results")
	b.exec("UPDATE objectives SET archived_at = NULL, visibility = 'private' WHERE id = $1", child.ID)
	assert.Equal(t, okr.ObjectiveSubmitted, into[api.Objective](submit().is(http.StatusOK)).State, "whoever sees what contributes")

	through := b.author.draft()
	keyless := b.author.leaf(fields{"title": "親"})
	b.author.edit(through, fields{"parent_objective_id": keyless.ID})
	b.author.send(http.MethodPost, action(keyless.ID, "submit"), fields{"revision": 1}).is(http.StatusOK)
}
