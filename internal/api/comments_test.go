package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
)

func TestACommentSaysWhomItDoesNotReach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"visibility": "team", "title": "T"})
	nobody := uuid.New()
	m := b.author.says(o.ID, strings.Join([]string{"見て", mention(b.teammate), mention(b.lead), mention(b.admin), mention(b.member), mention(b.viewer), mention(b.suspended), mention(b.elsewhere),
		mention(b.author), "@[だれか](member:" + nobody.String() + ")"}, " "))
	assert.ElementsMatch(t, []uuid.UUID{b.member.id, b.viewer.id, b.suspended.id, b.elsewhere.id, nobody}, *m.Unreached)
	b.deliver()
	assert.Equal(t, map[string][]string{"teammate": {"mentioned T"}, "lead": {"mentioned T"}, "admin": {"mentioned T"}}, b.sent(), "who may not see it is told nothing of it")
	assert.Zero(t, b.member.mailed("notice"))
	assert.Nil(t, get[api.CommentPage](b.teammate, comments(o.ID)).Items[0].Unreached, "that is between the author and this answer")

	assert.Nil(t, b.author.says(o.ID, "はい "+mention(b.teammate)).Unreached)
	var crowd []string
	for i := range 21 {
		p := b.joins(b.id, fmt.Sprint("colleague", i), auth.Member)
		b.place(b.team, p, auth.TeamMember)
		crowd = append(crowd, mention(p))
	}
	assert.Len(t, *b.author.says(o.ID, strings.Join(crowd, " ")).Unreached, 1, "the twenty-first")
}

func TestOnesOwnCommentIsChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"title": "T"})
	m := b.teammate.says(o.ID, "はじめの言葉 "+mention(b.viewer))
	assert.EqualValues(t, 1, m.Revision)
	b.deliver()
	b.exec("DELETE FROM notifications")

	edit := func(p *person, body fields) answer { return p.send(http.MethodPatch, commentAt(m.ID), body) }
	edit(b.author, fields{"revision": 1, "body": "他人が"}).refused(http.StatusForbidden, "not-allowed")
	edit(b.owner, fields{"revision": 1, "body": "所有者が"}).refused(http.StatusForbidden, "not-allowed")
	edit(b.teammate, fields{"body": "版なし"}).refused(http.StatusPreconditionRequired, "revision-required", "/revision")
	changed := into[api.Comment](edit(b.teammate, fields{"revision": 1, "body": "直した言葉 " + mention(b.viewer) + " " + mention(b.member) + " " + mention(b.elsewhere)}).is(http.StatusOK))
	assert.True(t, changed.Edited)
	assert.Equal(t, []uuid.UUID{b.elsewhere.id}, *changed.Unreached)
	stale := edit(b.teammate, fields{"revision": 1, "body": "古い"}).refused(http.StatusConflict, "stale-revision")
	assert.Equal(t, changed.Body, (*stale.Present).(fields)["body"])
	b.teammate.send(http.MethodPatch, commentAt(m.ID), fields{"body": "古い"}, ifMatch(`"1"`)).refused(http.StatusPreconditionFailed, "stale-revision")
	b.deliver()
	assert.Equal(t, map[string][]string{"member": {"mentioned T"}}, b.sent(), "only who is mentioned anew")

	b.exec("UPDATE objectives SET visibility = 'private' WHERE id = $1", o.ID)
	edit(b.teammate, fields{"revision": 2, "body": "見えない"}).refused(http.StatusNotFound, "not-found")
	b.exec("UPDATE objectives SET visibility = 'organization' WHERE id = $1", o.ID)
	b.exec("UPDATE memberships SET role = 'viewer' WHERE user_id = $1", b.teammate.id)
	edit(b.teammate, fields{"revision": 2, "body": "閲覧者"}).refused(http.StatusForbidden, "not-allowed")
}

func TestOfManyChangesOfACommentOneWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.author.says(b.author.draft().ID, "はじめ")
	statuses := make([]int, 8)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() {
			a, err := b.author.try(http.MethodPatch, commentAt(m.ID), fields{"revision": 1, "body": fmt.Sprint("言葉 ", i)})
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
}

func TestADeletedCommentKeepsItsPlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	first := b.teammate.says(o.ID, "言いすぎました "+mention(b.viewer))
	answer := b.author.says(o.ID, "いいえ")
	b.author.send(http.MethodDelete, commentAt(first.ID), nil).refused(http.StatusForbidden, "not-allowed")
	b.teammate.send(http.MethodDelete, commentAt(first.ID), nil).is(http.StatusNoContent)
	b.teammate.send(http.MethodDelete, commentAt(first.ID), nil).refused(http.StatusNotFound, "not-found")
	b.teammate.send(http.MethodPatch, commentAt(first.ID), fields{"revision": 2, "body": "やはり"}).refused(http.StatusNotFound, "not-found")

	items := get[api.CommentPage](b.viewer, comments(o.ID)).Items
	assert.Len(t, items, 2)
	assert.True(t, items[0].Deleted)
	assert.False(t, items[0].Edited)
	assert.Empty(t, items[0].Body)
	assert.Equal(t, b.teammate.id, items[0].Author.ID)
	assert.Equal(t, "いいえ", items[1].Body)
	for table := range b.counts() {
		assert.Zero(t, value[int](b, "SELECT count(*) FROM "+table+" AS r WHERE r::text LIKE '%言いすぎました%'"), "its words are gone from %s", table)
	}
	b.deliver()
	assert.Equal(t, map[string][]string{"teammate": {"commented " + o.Title}}, b.sent(), "what was deleted before anybody was told of it tells nobody")

	b.admin.send(http.MethodDelete, commentAt(answer.ID), nil).is(http.StatusNoContent)
	assert.Equal(t, b.author.id.String(), value[string](b, "SELECT detail->>'author_id' FROM audit_events WHERE action = 'comment.deleted' AND actor_id = $1", b.admin.id))
}
