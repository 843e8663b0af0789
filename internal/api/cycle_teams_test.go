package api_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/figures"
	"github.com/kakeai/kakeai/internal/schedule"
)

func TestTeamsOfACycle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.agreed(b.author)
	b.agreed(b.teammate)
	b.agreed(b.teammate)
	idle, gone := b.newTeam("Idle"), b.newTeam("Gone")
	b.exec("UPDATE teams SET archived_at = now() WHERE id = ANY($1)", []uuid.UUID{gone, b.otherTeam})
	b.author.checkIn(o.KeyResults[0].ID, "45")
	b.deliver()
	b.deliver()
	path := "/cycles/" + b.cycle.String() + "/teams"
	overview := get[api.TeamOverview](b.viewer, "/teams/"+b.team.String()+"/overview")
	byTeam := func(page api.CycleTeamsPage) map[uuid.UUID]api.Figures {
		m := map[uuid.UUID]api.Figures{}
		for _, x := range page.Items {
			m[x.Team.ID] = x.Figures
		}
		return m
	}
	now := byTeam(get[api.CycleTeamsPage](b.viewer, path))
	assert.Equal(t, *overview.Figures, now[b.team], "as on the team's page")
	assert.Zero(t, *now[idle].Objectives)
	assert.NotContains(t, now, gone, "an archived team is there only for what counts of it")
	assert.NotContains(t, now, b.otherTeam)
	assert.NotContains(t, now, uuid.Nil, "what belongs to no team would be left over from the whole")

	b.exec("UPDATE teams SET archived_at = now() WHERE id = $1", b.team)
	assert.Contains(t, byTeam(get[api.CycleTeamsPage](b.viewer, path)), b.team)
	b.exec("UPDATE teams SET archived_at = NULL WHERE id = $1", b.team)

	zone, err := time.LoadLocation("Asia/Kathmandu")
	require.NoError(t, err)
	due := time.Now().In(zone)
	due = time.Date(due.Year(), due.Month(), due.Day()+1, 0, 0, 0, 0, zone)
	require.NoError(t, figures.Runs(b.store)[0].Do(t.Context(), schedule.Organization{ID: b.id, Zone: zone}, due))
	then := value[time.Time](b, "SELECT clock_timestamp()")
	b.author.checkIn(o.KeyResults[0].ID, "60")
	b.deliver()
	changed := byTeam(get[api.CycleTeamsPage](b.viewer, path))
	assert.NotEqual(t, now[b.team].Progress, changed[b.team].Progress)
	past := get[api.CycleTeamsPage](b.viewer, path+"?as_of="+url.QueryEscape(then.Format(time.RFC3339Nano)))
	require.NotNil(t, past.FiguresDay)
	assert.Equal(t, now[b.team], byTeam(past)[b.team])
	earlier := get[api.CycleTeamsPage](b.viewer, path+"?as_of="+url.QueryEscape(o.CreatedAt.Add(-time.Second).Format(time.RFC3339Nano)))
	assert.Nil(t, earlier.FiguresDay)
	assert.Empty(t, earlier.Items)
	b.viewer.send(http.MethodGet, path+"?as_of="+time.Now().Add(time.Hour).UTC().Format(time.RFC3339), nil).refused(http.StatusUnprocessableEntity, "invalid", "/query/as_of")
}

// A team with a single objective, which its reader may not see, has its figures withheld here too.
func TestTeamsOfACycleGiveNothingAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.agreed(b.author, fields{"visibility": "private"})
	b.deliver()
	b.deliver()
	path := "/cycles/" + b.cycle.String() + "/teams"
	of := func(p *person) api.Figures {
		for _, x := range get[api.CycleTeamsPage](p, path).Items {
			if x.Team.ID == b.team {
				return x.Figures
			}
		}
		t.Fatal("the team is missing")
		return api.Figures{}
	}
	assert.Equal(t, api.Figures{Withheld: true}, of(b.viewer))
	assert.Equal(t, 1, *of(b.author).Objectives)
	b.exec("UPDATE teams SET archived_at = now() WHERE id = $1", b.team)
	assert.Equal(t, api.Figures{Withheld: true}, of(b.viewer), "nor is it told by leaving an archived team out")
}

func TestNodesCountTheirLinks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	parent := b.lead.draft()
	child := b.author.draft(fields{"parent_objective_id": parent.ID})
	other := b.author.draft()
	hidden := b.author.draft(fields{"visibility": "private"})
	for _, to := range []uuid.UUID{other.ID, hidden.ID} {
		b.author.send(http.MethodPut, objective(child.ID)+"/supports/"+to.String(), nil).is(http.StatusNoContent)
	}
	b.author.send(http.MethodPut, objective(hidden.ID)+"/supports/"+child.ID.String(), nil).is(http.StatusNoContent)
	node := func(p *person) api.AlignmentNode {
		return get[api.AlignmentPage](p, objective(parent.ID)+"/children").Items[0]
	}
	mine, theirs := node(b.author), node(b.viewer)
	assert.Equal(t, []int{2, 1}, []int{mine.SupportedCount, mine.SupporterCount})
	assert.Equal(t, []int{1, 0}, []int{theirs.SupportedCount, theirs.SupporterCount}, "what one may not see is not counted")
	b.exec("UPDATE objectives SET archived_at = now() WHERE id = $1", other.ID)
	assert.Equal(t, 1, node(b.author).SupportedCount, "nor is what is archived")
}
