package api_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/db"
)

func TestAnArchivedTeamKeepsWhatIsItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.approved(fields{"visibility": "team"})
	before := b.content("teams", "audit_events", "outbox_events", "session_accesses")
	b.lead.send(http.MethodPatch, "/teams/"+b.team.String(), fields{"revision": 1, "archived": true}).refused(http.StatusForbidden, "not-allowed")
	team := into[api.Team](b.admin.send(http.MethodPatch, "/teams/"+b.team.String(), fields{"revision": 1, "archived": true}).is(http.StatusOK))
	assert.True(t, team.Archived)
	assert.Equal(t, before, b.content("teams", "audit_events", "outbox_events", "session_accesses"), "nothing cascades")

	shown := get[api.Objective](b.teammate, objective(o.ID))
	assert.Equal(t, &b.team, shown.TeamID)
	b.member.send(http.MethodGet, objective(o.ID), nil).refused(http.StatusNotFound, "not-found")
	assert.Len(t, get[api.ObjectivePage](b.teammate, "/objectives?team_id="+b.team.String()).Items, 1)
	b.author.checkIn(o.KeyResults[0].ID, "10")
	b.lead.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "続ける"}).is(http.StatusOK) // what it has goes on
	b.author.send(http.MethodPost, "/objectives", fields{"cycle_id": b.cycle, "team_id": b.team, "title": "題"}).refused(http.StatusUnprocessableEntity, "invalid", "/team_id")
	b.admin.send(http.MethodPut, "/teams/"+b.team.String()+"/members/"+b.member.id.String(), fields{"role": "member"}).refused(http.StatusConflict, "wrong-state")

	b.admin.send(http.MethodPatch, "/teams/"+b.team.String(), fields{"revision": 2, "archived": false}).is(http.StatusOK)
	b.author.send(http.MethodPost, "/objectives", fields{"cycle_id": b.cycle, "team_id": b.team, "title": "題"}).is(http.StatusCreated)
}

func TestMembersOfATeam(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ids := func(query string) (all []uuid.UUID) {
		for _, m := range get[api.MemberPage](b.viewer, "/members"+query).Items {
			all = append(all, m.ID)
		}
		return all
	}
	assert.ElementsMatch(t, []uuid.UUID{b.lead.id, b.author.id, b.teammate.id}, ids("?team_id="+b.team.String()))
	assert.Empty(t, ids("?team_id="+uuid.NewString()))
	assert.Empty(t, ids("?team_id="+b.otherTeam.String()))
	first := get[api.MemberPage](b.viewer, "/members?limit=1&team_id="+b.team.String())
	b.viewer.send(http.MethodGet, "/members?cursor="+*first.NextCursor, nil).refused(http.StatusBadRequest, "bad-request", "/query/cursor")
}

// A team may be without a lead: whoever administers the organisation reviews then, and is told so.
func TestTheLastLeadMayGo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	b.admin.send(http.MethodDelete, "/teams/"+b.team.String()+"/members/"+b.lead.id.String(), nil).is(http.StatusNoContent)
	b.author.send(http.MethodPost, action(o.ID, "submit"), fields{"revision": 1}).is(http.StatusOK)
	b.deliver()
	assert.Equal(t, map[string][]string{"owner": {"review-requested " + o.Title}, "admin": {"review-requested " + o.Title}}, b.sent())
	b.lead.send(http.MethodPost, action(o.ID, "approve"), fields{"revision": 2}).refused(http.StatusForbidden, "not-allowed")
	b.admin.send(http.MethodPost, action(o.ID, "approve"), fields{"revision": 2}).is(http.StatusOK)
}

func TestTeamsAreFoundByNameStateAndID(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sales, past := b.newTeam("営業 第一"), b.newTeam("営業 第二")
	far := value[uuid.UUID](b, "INSERT INTO teams (organization_id, id, name, changed_by) VALUES ($1, $2, '営業 第三', $3) RETURNING id", b.otherOrganization, db.NewID(), b.elsewhere.id)
	b.admin.send(http.MethodPatch, "/teams/"+past.String(), fields{"revision": 1, "archived": true}).is(http.StatusOK)
	ids := func(query string) (all []uuid.UUID) {
		for _, x := range get[api.TeamPage](b.viewer, "/teams"+query).Items {
			all = append(all, x.ID)
		}
		return all
	}
	some := sales.String() + "," + far.String() + "," + past.String() + "," + uuid.NewString()
	for query, want := range map[string][]uuid.UUID{
		"?text=営業":                        {sales, past},
		"?text=営業+第二":                     {past},
		"?text=第三":                        nil,
		"?text=!":                         nil,
		"?text=営業&archived=false":         {sales},
		"?text=営業&archived=true":          {past},
		"?archived=true":                  {past},
		"?ids=" + some:                    {sales, past},
		"?ids=" + some + "&archived=true": {past},
	} {
		assert.Equal(t, want, ids(query), query)
	}
	assert.NotContains(t, ids("?archived=false"), past)
	assert.Contains(t, ids("?archived=false"), b.team)
	assert.Contains(t, ids(""), past)
	b.viewer.send(http.MethodGet, "/teams?text=x&ids="+some, nil).refused(http.StatusBadRequest, "bad-request", "/query/ids")

	people := func(query string) (all []uuid.UUID) {
		for _, m := range get[api.MemberPage](b.viewer, "/members"+query).Items {
			all = append(all, m.ID)
		}
		return all
	}
	named := b.suspended.id.String() + "," + b.elsewhere.id.String() + "," + b.author.id.String()
	assert.ElementsMatch(t, []uuid.UUID{b.suspended.id, b.author.id}, people("?ids="+named))
	for _, other := range []string{"text=x", "team_id=" + b.team.String()} {
		b.viewer.send(http.MethodGet, "/members?"+other+"&ids="+named, nil).refused(http.StatusBadRequest, "bad-request", "/query/ids")
	}
	first := get[api.TeamPage](b.viewer, "/teams?limit=1&ids="+some)
	assert.Equal(t, sales, first.Items[0].ID)
	b.viewer.send(http.MethodGet, "/teams?limit=1&ids="+past.String()+"&cursor="+*first.NextCursor, nil).refused(http.StatusBadRequest, "bad-request", "/query/cursor")
}
