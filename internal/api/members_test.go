package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
)

func member(p *person) string { return "/members/" + p.id.String() }

// Whoever acts, and on whom, is a row; what they try is in the order of the columns: make them owner, admin, member, suspend them.
func TestNobodyRaisesAnyoneAboveThemselves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, c := range []struct {
		actor  *person
		target auth.Role
		want   [4]int
	}{
		{b.owner, auth.Owner, [4]int{200, 200, 200, 200}},
		{b.owner, auth.Admin, [4]int{200, 200, 200, 200}},
		{b.owner, auth.Viewer, [4]int{200, 200, 200, 200}},
		{b.admin, auth.Owner, [4]int{403, 403, 403, 403}},
		{b.admin, auth.Admin, [4]int{403, 200, 200, 200}},
		{b.admin, auth.Member, [4]int{403, 200, 200, 200}},
		{b.lead, auth.Viewer, [4]int{403, 403, 403, 403}},
		{b.member, auth.Viewer, [4]int{403, 403, 403, 403}},
		{b.viewer, auth.Viewer, [4]int{403, 403, 403, 403}},
	} {
		for i, change := range []fields{{"role": "owner"}, {"role": "admin"}, {"role": "member"}, {"suspended": true}} {
			target := b.joins(b.id, "target", c.target)
			a := c.actor.send(http.MethodPatch, member(target), with(change, "revision", 1))
			assert.Equal(t, c.want[i], a.status, "%s, who is %s: %v: %s", a.what, c.target, change, a.body)
		}
	}
}

func TestNobodyRaisesThemselves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, p := range []*person{b.viewer, b.member, b.lead, b.admin} {
		for _, role := range []string{"owner", "admin"} {
			if p == b.admin && role == "admin" {
				continue
			}
			p.send(http.MethodPatch, member(p), fields{"revision": 1, "role": role}).refused(http.StatusForbidden, "not-allowed")
		}
		p.send(http.MethodPatch, member(p), fields{"revision": 1, "suspended": true}).refused(http.StatusForbidden, "not-allowed")
	}
	b.admin.send(http.MethodPatch, member(b.admin), fields{"revision": 1, "role": "member"}).is(http.StatusOK)
	b.admin.send(http.MethodPatch, member(b.admin), fields{"revision": 2, "role": "admin"}).refused(http.StatusForbidden, "not-allowed")
}

// Somebody makes a member an owner while an admin's request about that member is under way, held up by its key. That the request names the revision
// to come must not help it: it was allowed for a member.
func TestAnAdminCannotOvertakeAPromotion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.joins(b.id, "target", auth.Member)
	tx, _ := b.holds(`INSERT INTO idempotency_keys (organization_id, actor_id, route, key, payload_hash) VALUES ($1, $2, 'UpdateMember', 'k', sha256('x'))`, b.id, b.admin.id)
	overtaking := make(chan answer)
	go func() {
		a, err := b.admin.try(http.MethodPatch, member(target), fields{"revision": 2, "suspended": true}, key("k"))
		assert.NoError(t, err)
		overtaking <- a
	}()
	b.awaitBlocked(1)
	b.exec("UPDATE memberships SET role = 'owner', revision = 2 WHERE user_id = $1", target.id)
	require.NoError(t, tx.Rollback(t.Context()))
	(<-overtaking).refused(http.StatusConflict, "stale-revision")
}

func TestTheLastOwnerStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stays := b.owner.send(http.MethodPatch, member(b.owner), fields{"revision": 1, "role": "admin"})
	stays.refused(http.StatusConflict, "wrong-state")

	second := b.joins(b.id, "second", auth.Owner)
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", second.id)
	b.owner.send(http.MethodPatch, member(b.owner), fields{"revision": 1, "role": "viewer"}).refused(http.StatusConflict, "wrong-state") // a suspended owner is none
	b.exec("UPDATE memberships SET suspended_at = NULL WHERE user_id = $1", second.id)
	b.owner.send(http.MethodPatch, member(b.owner), fields{"revision": 1, "role": "viewer"}).is(http.StatusOK)
	b.owner.send(http.MethodPatch, member(second), fields{"revision": 1, "role": "viewer"}).refused(http.StatusForbidden, "not-allowed")
}

func TestTwoOwnersCannotGoAtOnce(t *testing.T) {
	t.Parallel()
	demote, suspend := fields{"revision": 1, "role": "admin"}, fields{"revision": 1, "suspended": true}
	for name, c := range map[string]struct {
		first, second fields
		themselves    bool
	}{
		"each demotes the other":          {demote, demote, false},
		"each suspends the other":         {suspend, suspend, false},
		"one demotes, the other suspends": {demote, suspend, false},
		"each steps down":                 {demote, demote, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			second := b.joins(b.id, "second", auth.Owner)
			targets := [2]*person{second, b.owner}
			if c.themselves {
				targets = [2]*person{b.owner, second}
			}
			var both sync.WaitGroup
			for i, p := range []*person{b.owner, second} {
				both.Go(func() {
					a, err := p.try(http.MethodPatch, member(targets[i]), []fields{c.first, c.second}[i])
					if assert.NoError(t, err) {
						assert.Contains(t, []int{200, 401, 403, 409}, a.status, "%s", a.body)
					}
				})
			}
			both.Wait()
			assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM memberships WHERE organization_id = $1 AND role = 'owner' AND suspended_at IS NULL", b.id))
		})
	}
}

// The first has found the second to be there, and is not through yet when the second looks.
func TestAnOwnerWhoIsLeavingIsNotCountedOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := b.joins(b.id, "second", auth.Owner)
	release := b.stopsUpdates("memberships")
	answers := make(chan answer, 2)
	for i, p := range []*person{b.owner, second} {
		go func() {
			a, err := p.try(http.MethodPatch, member(p), fields{"revision": 1, "role": "admin"})
			assert.NoError(t, err)
			answers <- a
		}()
		b.awaitBlocked(i + 1)
	}
	release()
	statuses := []int{(<-answers).status, (<-answers).status}
	assert.ElementsMatch(t, []int{http.StatusOK, http.StatusConflict}, statuses)
}

func TestSuspensionEndsEverySessionAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sessions := []*person{b.member, b.member.again(), b.member.again()}
	for _, s := range sessions {
		s.send(http.MethodGet, "/session", nil).is(http.StatusOK)
	}
	b.admin.send(http.MethodPatch, member(b.member), fields{"revision": 1, "suspended": true}).is(http.StatusOK)
	for _, s := range sessions {
		s.send(http.MethodGet, "/session", nil).refused(http.StatusUnauthorized, "signed-out")
		s.send(http.MethodPost, "/objectives", fields{"cycle_id": b.cycle, "title": "まだいる"}).refused(http.StatusUnauthorized, "signed-out")
	}
	assert.Zero(t, value[int](b, "SELECT count(*) FROM sessions WHERE user_id = $1", b.member.id))

	b.admin.send(http.MethodPatch, member(b.member), fields{"revision": 2, "suspended": false}).is(http.StatusOK)
	sessions[0].send(http.MethodGet, "/session", nil).refused(http.StatusUnauthorized, "signed-out") // what has ended does not come back
	b.member.again().send(http.MethodGet, "/session", nil).is(http.StatusOK)
}

// A write that has begun holds the membership: the suspension waits for it, and nothing of that member's is committed after it.
func TestASuspensionWaitsForWhatIsBeingWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	_, release := b.holds("SELECT FROM objectives WHERE id = $1 FOR UPDATE", o.ID)
	var both sync.WaitGroup
	both.Go(func() {
		a, err := b.author.try(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "最後の編集"})
		if assert.NoError(t, err) {
			assert.Equal(t, http.StatusOK, a.status, "%s", a.body)
		}
	})
	b.awaitBlocked(1)
	both.Go(func() {
		a, err := b.admin.try(http.MethodPatch, member(b.author), fields{"revision": 1, "suspended": true})
		if assert.NoError(t, err) {
			assert.Equal(t, http.StatusOK, a.status, "%s", a.body)
		}
	})
	b.awaitBlocked(2)
	release()
	both.Wait()
	assert.True(t, value[bool](b, `SELECT (SELECT max(id::text) FROM audit_events WHERE action = 'objective.updated') IS NOT NULL
		AND (SELECT changed_at FROM objectives WHERE id = $1) < (SELECT suspended_at FROM memberships WHERE user_id = $2)`, o.ID, b.author.id))
}

func TestLeadsPlaceMembersAndAdminsPlaceLeads(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.place(b.otherTeam, b.member, auth.TeamLead)
	for _, c := range []struct {
		actor    *person
		was, now auth.TeamRole // empty for nothing
		want     int
	}{
		{b.lead, "", auth.TeamMember, 200},
		{b.lead, "", auth.TeamLead, 403},
		{b.lead, auth.TeamMember, auth.TeamLead, 403},
		{b.lead, auth.TeamLead, auth.TeamMember, 403},
		{b.lead, auth.TeamMember, "", 204},
		{b.lead, auth.TeamLead, "", 403},
		{b.lead, "", "", 404},
		{b.member, "", auth.TeamMember, 403}, // leads another team
		{b.teammate, "", auth.TeamMember, 403},
		{b.admin, "", auth.TeamLead, 200},
		{b.admin, auth.TeamLead, auth.TeamMember, 200},
		{b.admin, auth.TeamLead, "", 204},
	} {
		target := b.joins(b.id, "target", auth.Member)
		if c.was != "" {
			b.place(b.team, target, c.was)
		}
		path := fmt.Sprintf("/teams/%s/members/%s", b.team, target.id)
		var a answer
		if c.now == "" {
			a = c.actor.send(http.MethodDelete, path, nil)
		} else {
			a = c.actor.send(http.MethodPut, path, fields{"role": c.now})
		}
		assert.Equal(t, c.want, a.status, "%s: %q to %q: %s", a.what, c.was, c.now, a.body)
	}
	b.lead.send(http.MethodPatch, "/teams/"+b.team.String(), fields{"revision": 1, "archived": true}).refused(http.StatusForbidden, "not-allowed")
	b.admin.send(http.MethodPatch, "/teams/"+b.team.String(), fields{"revision": 1, "archived": true}).is(http.StatusOK)
	b.admin.send(http.MethodPut, fmt.Sprintf("/teams/%s/members/%s", b.team, b.member.id), fields{"role": "member"}).refused(http.StatusConflict, "wrong-state")
	b.author.send(http.MethodPost, "/objectives", fields{"cycle_id": b.cycle, "team_id": b.team, "title": "題"}).refused(http.StatusUnprocessableEntity, "invalid", "/team_id")
}

func TestANameBelongsToOneTeamInUse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range []string{"Platform", "platform"} {
		b.admin.send(http.MethodPost, "/teams", fields{"name": name}).refused(http.StatusConflict, "in-the-way", "/name")
	}
	b.admin.send(http.MethodPatch, "/teams/"+b.otherTeam.String(), fields{"revision": 1, "archived": true}).is(http.StatusOK)
	again := into[api.Team](b.admin.send(http.MethodPost, "/teams", fields{"name": "Platform"}).is(http.StatusCreated))
	b.admin.send(http.MethodPatch, "/teams/"+b.otherTeam.String(), fields{"revision": 2, "archived": false}).refused(http.StatusConflict, "in-the-way", "/name")
	b.admin.send(http.MethodPatch, "/teams/"+again.ID.String(), fields{"revision": 1, "name": "Platform 2"}).is(http.StatusOK)
	b.admin.send(http.MethodPatch, "/teams/"+b.otherTeam.String(), fields{"revision": 2, "archived": false}).is(http.StatusOK)
}

func TestACycleGoesForwardOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		status   int
	}{
		{"preparation", "preparation", 200}, {"preparation", "active", 200}, {"preparation", "closed", 409},
		{"active", "preparation", 409}, {"active", "active", 200}, {"active", "closed", 200},
		{"closed", "preparation", 409}, {"closed", "active", 409}, {"closed", "closed", 200},
	} {
		t.Run(c.from+" to "+c.to, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			path := "/cycles/" + b.newCycle(c.from, 0, 90).String()
			a := b.admin.send(http.MethodPatch, path, fields{"revision": 1, "state": c.to})
			assert.Equal(t, c.status, a.status, "%s", a.body)
			dates := b.admin.send(http.MethodPatch, path, fields{"revision": get[api.Cycle](b.viewer, path).Revision, "ends_on": "2999-12-31"})
			if get[api.Cycle](b.viewer, path).State == "closed" {
				dates.refused(http.StatusConflict, "wrong-state")
			} else {
				dates.is(http.StatusOK)
			}
		})
	}
}

func TestACycleEndsAfterItStarts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, c := range []struct{ starts, ends, pointer, code string }{
		{"2027-04-01", "2027-03-31", "/ends_on", "ends-before-start"},
		{"1899-12-31", "2027-03-31", "/starts_on", "out-of-range"},
		{"2027-01-01", "3000-01-01", "/ends_on", "out-of-range"},
		{"0000-01-01", "2027-03-31", "/starts_on", "out-of-range"},
	} {
		a := b.admin.send(http.MethodPost, "/cycles", fields{"name": "期", "starts_on": c.starts, "ends_on": c.ends})
		a.refused(http.StatusUnprocessableEntity, "invalid", c.pointer)
		a.code(c.pointer, c.code)
	}
	made := into[api.Cycle](b.admin.send(http.MethodPost, "/cycles", fields{"name": "うるう日", "starts_on": "2028-02-29", "ends_on": "2028-02-29"}).is(http.StatusCreated))
	b.admin.send(http.MethodPatch, "/cycles/"+made.ID.String(), fields{"revision": 1, "starts_on": "2028-03-01"}).refused(http.StatusUnprocessableEntity, "invalid", "/ends_on")
}
