package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
)

// edited are the things that carry a revision, each with a way to make one, and with one edit.
var edited = []struct {
	name string
	make func(b *bundle) (path string)
	edit fields
}{
	{"objective", func(b *bundle) string { return objective(b.author.draft().ID) }, fields{"title": "新しい題"}},
	{"team", func(b *bundle) string { return "/teams/" + b.newTeam(uuid.NewString()).String() }, fields{"description": "新しい説明"}},
	{"cycle", func(b *bundle) string { return "/cycles/" + b.newCycle("preparation", 0, 90).String() }, fields{"name": "新しい期"}},
	{"member", func(b *bundle) string { return "/members/" + b.joins(b.id, "newcomer", auth.Member).id.String() }, fields{"role": "viewer"}},

	// Meetings
	{"meeting", func(b *bundle) string {
		return "/meetings/" + b.author.meeting(fields{"attendee_ids": []any{b.viewer.id}}).ID.String()
	}, fields{"title": "新しい題"}},
	{"follow-up", func(b *bundle) string { return "/follow-ups/" + b.author.followUp(b.viewer).ID.String() }, fields{"title": "新しい題"}},
}

func TestAnEditNamesTheRevisionItWasMadeFrom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, thing := range edited {
		path := thing.make(b)
		edit := func(revision any, headers ...header) answer {
			body := thing.edit
			if revision != nil {
				body = with(body, "revision", revision)
			}
			return b.admin.send(http.MethodPatch, path, body, headers...)
		}
		read := b.viewer.send(http.MethodGet, path, nil).is(http.StatusOK)
		require.Equal(t, `"1"`, read.header.Get("ETag"), thing.name)

		edit(nil).refused(http.StatusPreconditionRequired, "revision-required", "/revision")
		edit(2, ifMatch(`"1"`)).refused(http.StatusBadRequest, "bad-request", "/revision")
		assert.Equal(t, `"2"`, edit(1).is(http.StatusOK).header.Get("ETag"), thing.name)
		assert.Equal(t, `"3"`, edit(nil, ifMatch(`"2"`)).is(http.StatusOK).header.Get("ETag"), "If-Match is enough: "+thing.name)
		assert.Equal(t, `"4"`, edit(3, ifMatch(`"3"`)).is(http.StatusOK).header.Get("ETag"), thing.name)

		for _, old := range []int{1, 3, 5, 1 << 60} {
			b.assertStale(edit(old), http.StatusConflict, path)
			b.assertStale(edit(nil, ifMatch(fmt.Sprintf("%q", fmt.Sprint(old)))), http.StatusPreconditionFailed, path)
			b.assertStale(edit(old, ifMatch(fmt.Sprintf("%q", fmt.Sprint(old)))), http.StatusPreconditionFailed, path)
		}
		assert.Equal(t, `"4"`, b.viewer.send(http.MethodGet, path, nil).header.Get("ETag"), "what was refused changes nothing: "+thing.name)
	}
}

// assertStale requires an answer that shows the thing as reading it does now, and that the admin changed it last.
func (b *bundle) assertStale(a answer, status int, path string) {
	b.t.Helper()
	p := a.refused(status, "stale-revision")
	now := b.admin.send(http.MethodGet, path, nil).is(http.StatusOK)
	present, err := json.Marshal(p.Present)
	require.NoError(b.t, err)
	assert.JSONEq(b.t, string(now.body), string(present), a.what)
	if assert.NotNil(b.t, p.ChangedBy, a.what) {
		assert.Equal(b.t, api.Person{ID: b.admin.id, Name: "admin"}, *p.ChangedBy, a.what)
	}
	if assert.NotNil(b.t, p.ChangedAt, a.what) {
		if at, ok := into[fields](now)["changed_at"]; ok {
			assert.Equal(b.t, at, p.ChangedAt.Format(time.RFC3339Nano), a.what)
		}
	}
}

func TestAMoveNamesTheRevisionItWasMadeFrom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	b.author.send(http.MethodPost, action(o.ID, "submit"), fields{}).refused(http.StatusPreconditionRequired, "revision-required", "/revision")
	b.admin.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "新しい題"}).is(http.StatusOK)
	b.author.send(http.MethodPost, action(o.ID, "submit"), fields{"revision": 1}).refused(http.StatusConflict, "stale-revision")
	b.author.send(http.MethodPost, action(o.ID, "submit"), fields{}, ifMatch(`"1"`)).refused(http.StatusPreconditionFailed, "stale-revision")
	a := b.author.send(http.MethodPost, action(o.ID, "submit"), fields{}, ifMatch(`"2"`)).is(http.StatusOK)
	assert.Equal(t, `"3"`, a.header.Get("ETag"))
}

func TestOfManyWritersOfOneRevisionOneWins(t *testing.T) {
	t.Parallel()
	const writers = 50
	b := setup(t)
	o := b.author.draft()
	people := []*person{b.author, b.lead, b.admin, b.owner}
	answers := make([]answer, writers)
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			var err error
			answers[i], err = people[i%len(people)].try(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": fmt.Sprintf("%d 人目の題", i)})
			assert.NoError(t, err)
		})
	}
	all.Wait()

	winner := -1
	for i, a := range answers {
		if a.status == http.StatusOK {
			assert.Equal(t, -1, winner, "only one wins")
			winner = i
		}
	}
	require.GreaterOrEqual(t, winner, 0)
	title, by := fmt.Sprintf("%d 人目の題", winner), people[winner%len(people)]
	for i, a := range answers {
		if i == winner {
			continue
		}
		p := a.refused(http.StatusConflict, "stale-revision")
		present := (*p.Present).(fields)
		assert.Equal(t, title, present["title"])
		assert.EqualValues(t, 2, present["revision"])
		assert.Equal(t, by.id, p.ChangedBy.ID)
	}
	assert.EqualValues(t, 2, get[api.Objective](b.viewer, objective(o.ID)).Revision)
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM objective_history WHERE objective_id = $1", o.ID), "the draft's and the winner's")
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE target_id = $1 AND action = 'objective.updated' AND actor_id = $2", o.ID, by.id))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM outbox_events WHERE target_id = $1 AND kind = 'objective.updated'", o.ID))
}

func TestWritersOfDifferentObjectivesDoNotMeet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	objectives := make([]api.Objective, 50)
	for i := range objectives {
		objectives[i] = b.author.draft(fields{"key_results": nil})
	}
	var all sync.WaitGroup
	for i, o := range objectives {
		all.Go(func() {
			a, err := b.author.try(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": fmt.Sprintf("題 %d", i)})
			if assert.NoError(t, err) {
				assert.Equal(t, http.StatusOK, a.status, "%s", a.body)
			}
		})
	}
	all.Wait()
	assert.Equal(t, 50, value[int](b, "SELECT count(*) FROM objectives WHERE revision = 2"))
}

func TestTheTimeOfAChangeNeverRunsBackwards(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	b.exec("UPDATE objectives SET changed_at = now() + interval '1 hour' WHERE id = $1", o.ID) // a server whose clock was ahead
	ahead := get[api.Objective](b.viewer, objective(o.ID)).ChangedAt
	a := b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "新しい題"}).is(http.StatusOK)
	assert.True(t, into[api.Objective](a).ChangedAt.After(ahead))
}
