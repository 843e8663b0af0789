package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/schedule"
)

// agreed is an objective of somebody's that its lead has approved, by way of the API.
func (b *bundle) agreed(owner *person, more ...fields) api.Objective {
	b.t.Helper()
	o := owner.draft(more...)
	o = owner.move(o, "submit", nil)
	return b.lead.move(o, "approve", nil)
}

func TestDashboardOfNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := get[fields](b.elsewhere, "/dashboard")
	assert.Equal(t, fields{"cycles": []any{}, "objectives": []any{}, "more_objectives": false, "teams": []any{}, "more_teams": false, "recent": []any{}}, d)
	assert.Equal(t, d["objectives"], get[fields](b.elsewhere, "/dashboard?as_of=2020-01-01T00:00:00Z")["objectives"])

	here := get[api.Dashboard](b.member, "/dashboard")
	assert.Equal(t, b.cycle, here.Cycle.Cycle.ID)
	assert.Equal(t, 91, here.Cycle.Days)
	assert.Equal(t, 61, here.Cycle.DaysLeft)
	assert.Zero(t, *here.Organization.Objectives)
	assert.True(t, here.Organization.Progress.Empty)
	assert.Empty(t, here.Objectives)
	assert.Nil(t, here.Missing, "who has set nothing is no business of a member's")
	b.member.send(http.MethodGet, "/dashboard?cycle_id="+db.NewID().String(), nil).refused(http.StatusNotFound, "not-found")
}

func TestDashboardTellsWhereThingsStand(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.agreed(b.author, fields{"key_results": []fields{metric("NPS"), metric("解約率")}})
	b.agreed(b.teammate)
	b.author.checkIn(o.KeyResults[0].ID, "45")
	silent := b.silent(b.teammate, fields{"title": "静かな目標"})
	b.author.draft()
	b.deliver()
	b.deliver() // what figures have asked for

	d := get[api.Dashboard](b.author, "/dashboard")
	require.Len(t, d.Objectives, 2)
	mine := get[api.Objective](b.author, objective(o.ID))
	assert.Equal(t, mine.Progress, d.Objectives[0].Progress)
	assert.Equal(t, mine.Health, d.Objectives[0].Health)
	assert.Len(t, d.Objectives[0].KeyResults, 2)
	assert.Equal(t, "45", d.Objectives[0].KeyResults[0].CurrentValue.String())
	require.Len(t, d.Teams, 1)
	assert.Equal(t, "カスタマーサクセス", d.Teams[0].Team.Name)
	for what, f := range map[string]api.Figures{"team": d.Teams[0].Figures, "organisation": *d.Organization} {
		require.Equal(t, 3, *f.Objectives, what)
		assert.Equal(t, 2, f.Health.Pending, what)
		assert.Equal(t, 1, f.Health.Outdated, what)
		sum := f.Health.OnTrack + f.Health.AtRisk + f.Health.OffTrack
		assert.Equal(t, 1, sum, what)
		assert.Equal(t, okr.PercentRollUp(f.Progress.Value), f.Progress.Percent)
		assert.True(t, mine.Progress.Value.Sub(f.Progress.Value.Mul(okr.DefaultWeight.Add(okr.DefaultWeight).Add(okr.DefaultWeight))).Abs().LessThan(okr.DefaultWeight.Shift(-15)), "%s of %s", f.Progress.Value, mine.Progress.Value)
	}
	require.NotEmpty(t, d.Recent)
	assert.Equal(t, "objective.created", d.Recent[0].Action, "the latest is the draft")
	assert.False(t, *d.Recomputing)
	assert.WithinDuration(t, time.Now(), *d.ComputedAt, time.Minute)

	led := get[api.Dashboard](b.lead, "/dashboard").Missing
	assert.Equal(t, []api.Person{{ID: b.lead.id, Name: "lead"}}, led.Members)
	require.Len(t, led.CheckIns, 1)
	assert.Equal(t, silent.ID, led.CheckIns[0].ID)
	assert.Equal(t, "teammate", led.CheckIns[0].Owner.Name)
	all := get[api.Dashboard](b.admin, "/dashboard").Missing
	assert.Equal(t, []api.TeamName{{ID: b.otherTeam, Name: "Platform"}}, *all.Teams)
	assert.Len(t, all.Members, 5, "everybody but author, teammate, viewer and whoever is suspended")

	page := get[api.TeamOverview](b.lead, "/teams/"+b.team.String()+"/overview")
	assert.Equal(t, d.Teams[0].Figures, *page.Figures)
	assert.Len(t, page.Members, 3)
	assert.Len(t, page.Objectives, 4, "drafts too")
	assert.Len(t, page.Missing.CheckIns, 1)
	assert.Nil(t, get[api.TeamOverview](b.member, "/teams/"+b.team.String()+"/overview").Missing)
	b.teammate.send(http.MethodGet, "/cycles/"+b.cycle.String()+"/missing-objectives?team_id="+b.team.String(), nil).refused(http.StatusForbidden, "not-allowed")
	b.lead.send(http.MethodGet, "/cycles/"+b.cycle.String()+"/missing-check-ins?team_id="+b.otherTeam.String(), nil).refused(http.StatusForbidden, "not-allowed")

	// What has not been taken over yet is told of.
	before := time.Now()
	b.author.checkIn(o.KeyResults[1].ID, "45")
	waiting := get[api.Dashboard](b.author, "/dashboard")
	assert.WithinDuration(t, before, *waiting.ComputedAt, 5*time.Second)
	assert.True(t, waiting.ComputedAt.Before(time.Now()))
}

// One whose number could be told from others is not given away: not by a group that is too small, nor by taking the groups that are shown from the whole.
func TestFewObjectivesAreNotGivenAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	refresh := func() {
		b.deliver()
		b.deliver()
	}
	for range 3 {
		b.agreed(b.author)
	}
	b.place(b.otherTeam, b.teammate, auth.TeamLead)
	b.place(b.otherTeam, b.removed, auth.TeamMember)
	secret := b.teammate.draft(fields{"team_id": b.otherTeam, "visibility": "private"})
	b.put(secret.ID, "approved")
	refresh()
	b.compute(secret.ID)
	team := func(p *person, id uuid.UUID) api.Figures {
		return *get[api.TeamOverview](p, "/teams/"+id.String()+"/overview").Figures
	}
	whole := func(p *person) api.Figures { return *get[api.Dashboard](p, "/dashboard").Organization }
	hidden := api.Figures{Withheld: true}
	assert.Equal(t, 3, *team(b.member, b.team).Objectives)
	assert.Equal(t, hidden, team(b.member, b.otherTeam))
	assert.Equal(t, hidden, whole(b.member), "the whole less the other team is the one that is hidden")
	assert.Equal(t, 1, *team(b.admin, b.otherTeam).Objectives)
	assert.Equal(t, 4, *whole(b.admin).Objectives)
	assert.Equal(t, 4, *whole(b.teammate).Objectives, "who sees all of them may have all numbers")
	progress := get[api.CycleProgress](b.member, "/cycles/"+b.cycle.String()+"/progress?team_id="+b.otherTeam.String())
	assert.Equal(t, hidden, progress.Now)

	// With two of no team it is three that are left.
	for range 2 {
		o := b.member.draft(fields{"team_id": nil})
		b.put(o.ID, "approved")
		b.compute(o.ID)
	}
	assert.Equal(t, 6, *whole(b.member).Objectives)
	assert.Equal(t, hidden, team(b.member, b.otherTeam))

	// From three on the team's number counts what is hidden.
	for range 2 {
		o := b.teammate.draft(fields{"team_id": b.otherTeam, "visibility": "private"})
		b.put(o.ID, "approved")
		b.compute(o.ID)
	}
	assert.Equal(t, 3, *team(b.member, b.otherTeam).Objectives)

	// Of many, whole percents say nothing of one.
	b.exec("UPDATE objectives SET archived_at = now() WHERE team_id = $1 AND id <> $2", b.otherTeam, secret.ID)
	b.exec("UPDATE objectives SET archived_at = now() WHERE team_id IS NULL")
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, title, state, created_by, changed_by)
		SELECT $1, gen_random_uuid(), $2, $3, $4, 'O', 'approved', $4, $4 FROM generate_series(1, 100)`, b.id, b.cycle, b.team, b.author.id)
	require.NoError(t, b.store.Write(t.Context(), db.Scope{Organization: b.id}, func(ctx context.Context, q *db.Queries) error {
		return figures.Rebuild(ctx, q, b.id, b.cycle)
	}))
	many := whole(b.member)
	assert.True(t, *many.Coarse)
	assert.Nil(t, many.Health)
	assert.Equal(t, 104, *many.Objectives)
	assert.GreaterOrEqual(t, many.Progress.Value.Exponent(), int32(-2))
	assert.NotNil(t, whole(b.admin).Health)
}

func TestLikeliestCycle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("UPDATE cycles SET state = 'closed', starts_on = starts_on - 300, ends_on = ends_on - 300 WHERE id = $1", b.cycle)
	chosen := func() uuid.UUID { return get[api.Dashboard](b.member, "/dashboard").Cycle.Cycle.ID }
	assert.Equal(t, b.cycle, chosen(), "the last one, where there is no other")
	next := b.newCycle("preparation", 20, 100)
	assert.Equal(t, next, chosen(), "the next one")
	prepared := b.newCycle("preparation", -1, 60)
	assert.Equal(t, prepared, chosen(), "the one that today lies in")
	grace := b.newCycle("active", -90, -2)
	assert.Equal(t, grace, chosen(), "the active one that has ended")
	year := b.newCycle("active", -100, 265)
	assert.Equal(t, year, chosen(), "the active one that today lies in")
	quarter := b.newCycle("active", -2, 90)
	assert.Equal(t, quarter, chosen(), "of several the one that ends first")
	d := get[api.Dashboard](b.member, "/dashboard?cycle_id="+year.String())
	assert.Equal(t, year, d.Cycle.Cycle.ID)
	assert.Len(t, d.Cycles, 6)
}

// Each moment of a random history, asked for later, is answered as it was answered then.
func TestAsOfIsWhatWasThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	type remembered struct {
		at     time.Time
		answer fields
	}
	ask := func(o uuid.UUID, query string) fields {
		f := get[fields](b.author, objective(o)+query)
		delete(f, "actions")
		delete(f, "may_edit")
		delete(f, "as_of")
		return f
	}
	rapid.Check(t, func(t *rapid.T) {
		o := b.author.draft(fields{"key_results": []fields{metric("NPS"), milestone("移行", "設計", "実施", "確認")}})
		created := o.CreatedAt
		var moments []remembered
		remember := func() {
			answer := ask(o.ID, "")
			moments = append(moments, remembered{value[time.Time](b, "SELECT clock_timestamp()"), answer})
		}
		remember()
		o = b.author.move(o, "submit", nil)
		remember()
		o = b.lead.move(o, "approve", nil)
		remember()
		correctable := map[uuid.UUID][]uuid.UUID{}
		for range rapid.IntRange(1, 5).Draw(t, "steps") {
			k := rapid.SampledFrom(o.KeyResults).Draw(t, "key result")
			said := fields{"confidence": rapid.IntRange(0, 10).Draw(t, "confidence")}
			if k.Kind == okr.Milestone {
				done := []string{}
				for _, s := range *k.Steps {
					if rapid.Bool().Draw(t, "done") {
						done = append(done, s.ID.String())
					}
				}
				said["done_step_ids"] = done
			} else {
				said["value"] = fmt.Sprint(rapid.IntRange(-20, 200).Draw(t, "value"))
			}
			switch what := rapid.IntRange(0, 4).Draw(t, "what"); what {
			case 0, 1, 2:
				if wrong := correctable[k.ID]; what == 2 && len(wrong) > 0 {
					i := rapid.IntRange(0, len(wrong)-1).Draw(t, "which")
					said["corrects_id"] = wrong[i]
					correctable[k.ID] = append(wrong[:i:i], wrong[i+1:]...)
				}
				made := into[api.CheckIn](b.lead.send(http.MethodPost, checkIns(k.ID), said).is(http.StatusCreated))
				correctable[k.ID] = append(correctable[k.ID], made.ID)
			case 3:
				var all []fields
				for _, k := range o.KeyResults {
					f := with(metric(fmt.Sprint("指標 ", rapid.IntRange(0, 9).Draw(t, "name"))), "id", k.ID)
					f["target"] = fmt.Sprint(rapid.IntRange(100, 300).Draw(t, "target"))
					if k.Kind == okr.Milestone {
						f = with(milestone("移行", "設計"), "id", k.ID)
					}
					f["weight"] = fmt.Sprint(rapid.IntRange(1, 5).Draw(t, "weight"))
					all = append(all, f)
				}
				if len(all) > 1 && rapid.Bool().Draw(t, "one fewer") {
					all = all[1:]
				}
				o = into[api.Objective](b.lead.send(http.MethodPatch, objective(o.ID), fields{"revision": o.Revision, "title": "新しい題", "key_results": all}).is(http.StatusOK))
			case 4:
				o = into[api.Objective](b.lead.send(http.MethodPatch, objective(o.ID), fields{"revision": o.Revision, "owner_id": rapid.SampledFrom([]*person{b.author, b.lead}).Draw(t, "owner").id}).is(http.StatusOK))
			}
			remember()
		}
		for _, m := range moments {
			got := ask(o.ID, "?as_of="+url.QueryEscape(m.at.Format(time.RFC3339Nano)))
			if !assert.ObjectsAreEqual(m.answer, got) {
				t.Fatalf("at %s:\n got %v\nwant %v", m.at, got, m.answer)
			}
		}
		b.author.send(http.MethodGet, objective(o.ID)+"?as_of="+url.QueryEscape(created.Add(-time.Second).Format(time.RFC3339Nano)), nil).code("/query/as_of", "before-creation")
	})
	o := b.author.draft(fields{"visibility": "private"})
	b.member.send(http.MethodGet, objective(o.ID)+"?as_of="+url.QueryEscape(time.Now().UTC().Format(time.RFC3339Nano)), nil).is(http.StatusNotFound)
	for _, path := range []string{objective(o.ID), "/dashboard"} {
		b.author.send(http.MethodGet, path+"?as_of="+time.Now().Add(time.Hour).UTC().Format(time.RFC3339), nil).refused(http.StatusUnprocessableEntity, "invalid", "/query/as_of")
	}
}

// What is recorded at the end of a day is what the dashboard says of it later, whatever has happened since.
func TestDashboardAsOf(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.agreed(b.author)
	b.agreed(b.teammate)
	b.author.checkIn(o.KeyResults[0].ID, "45")
	b.deliver()
	b.deliver()
	before := get[api.Dashboard](b.author, "/dashboard")
	zone, err := time.LoadLocation("Asia/Kathmandu")
	require.NoError(t, err)
	runs := figures.Runs(b.store)
	require.Equal(t, "figures-of-the-day", runs[0].Name)
	due := time.Now().In(zone)
	due = time.Date(due.Year(), due.Month(), due.Day()+1, 0, 0, 0, 0, zone) // when today will have ended
	for range 2 {                                                           // a second time records nothing
		require.NoError(t, runs[0].Do(t.Context(), schedule.Organization{ID: b.id, Zone: zone}, due))
	}
	then := value[time.Time](b, "SELECT clock_timestamp()")
	b.author.checkIn(o.KeyResults[0].ID, "60")
	b.lead.send(http.MethodPatch, objective(o.ID), fields{"revision": o.Revision, "title": "別の題"}).is(http.StatusOK)
	b.deliver()
	now := get[api.Dashboard](b.author, "/dashboard")
	assert.NotEqual(t, before.Organization.Progress, now.Organization.Progress)

	past := get[api.Dashboard](b.author, "/dashboard?as_of="+url.QueryEscape(then.Format(time.RFC3339Nano)))
	assert.Equal(t, before.Objectives, past.Objectives)
	assert.Equal(t, before.Organization, past.Organization)
	assert.Equal(t, before.Teams, past.Teams)
	assert.Equal(t, okr.Today(time.Now(), zone), past.FiguresDay.Time)
	assert.Equal(t, then.UTC(), past.AsOf.UTC())
	earlier := get[api.Dashboard](b.author, "/dashboard?as_of="+url.QueryEscape(o.CreatedAt.Add(-time.Second).Format(time.RFC3339Nano)))
	assert.Empty(t, earlier.Objectives, "they were not there yet")
	assert.Nil(t, earlier.Organization, "no day had been recorded")

	progress := get[api.CycleProgress](b.member, "/cycles/"+b.cycle.String()+"/progress")
	require.Len(t, progress.Days, 1)
	assert.Equal(t, *before.Organization, progress.Days[0].Figures)
	assert.Equal(t, *now.Organization, progress.Now)
	assert.Equal(t, progress.Cycle.Elapsed, progress.Days[0].Expected)
}

func TestSeriesOfKeyResults(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.agreed(b.author, fields{"key_results": []fields{metric("NPS"), metric("静か")}})
	first := b.author.checkIn(o.KeyResults[0].ID, "44")
	b.author.send(http.MethodPost, checkIns(o.KeyResults[0].ID), fields{"value": "45", "confidence": 3, "corrects_id": first.ID}).is(http.StatusCreated)
	s := get[api.ObjectiveSeries](b.viewer, objective(o.ID)+"/series")
	require.Len(t, s.KeyResults, 2)
	require.Len(t, s.KeyResults[0].Points, 1, "what was corrected is left out")
	p := s.KeyResults[0].Points[0]
	now := get[api.Objective](b.viewer, objective(o.ID)).KeyResults[0]
	assert.Equal(t, "45", p.Value.String())
	assert.Equal(t, now.Progress, p.Progress)
	assert.Equal(t, 3, p.Confidence)
	assert.Equal(t, s.Elapsed, p.Expected)
	assert.True(t, s.KeyResults[0].ExpectedValue.Sub(now.Baseline.Add(now.Target.Sub(*now.Baseline).Mul(s.Elapsed))).Abs().LessThan(okr.DefaultWeight.Shift(-5)))
	assert.Empty(t, s.KeyResults[1].Points)
	b.exec(`INSERT INTO check_ins (organization_id, id, key_result_id, value, progress, confidence, checked_at, created_by)
		SELECT $1, gen_random_uuid(), $2, n, 0, 5, now() + n * interval '1 second', $3 FROM generate_series(1, 70) AS n`, b.id, o.KeyResults[1].ID, b.author.id)
	long := get[api.ObjectiveSeries](b.viewer, objective(o.ID)+"/series").KeyResults[1]
	assert.True(t, long.More)
	require.Len(t, long.Points, 60)
	assert.Equal(t, "70", long.Points[59].Value.String(), "the latest come last")
}
