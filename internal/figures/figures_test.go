package figures_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
	"github.com/kakeai/kakeai/internal/okr"
)

// model is what the test knows of an objective, kept apart from the database.
type model struct {
	id         uuid.UUID
	team       *uuid.UUID
	state      okr.ObjectiveState
	archived   bool
	visibility string
	changedAt  time.Time
	parent     *model
	keyResults []*modelKeyResult
}

type modelKeyResult struct {
	id       uuid.UUID
	weight   int
	archived bool
	value    *decimal.Decimal
	at       *time.Time
}

func (m *model) counts() bool { return m.state.Counts() && !m.archived }

// stands is where an objective stands: by its key results or, where none counts, by what contributes to it.
func (m *model) stands(all []*model) (total okr.Total, parts []okr.Standing, last *time.Time) {
	for _, k := range m.keyResults {
		s := okr.Standing{Weight: decimal.NewFromInt(int64(k.weight)), Archived: k.archived, Pending: k.value == nil}
		if k.value != nil {
			s.Progress = okr.KeyResult{Kind: okr.Metric, Baseline: new(decimal.Zero), Target: new(decimal.NewFromInt(100))}.Progress(k.value, nil)
			if !k.archived && (last == nil || k.at.After(*last)) {
				last = k.at
			}
		}
		parts = append(parts, s)
	}
	var children []okr.ObjectiveStanding
	if !slices.ContainsFunc(m.keyResults, func(k *modelKeyResult) bool { return !k.archived }) {
		for _, child := range all {
			if child.parent == m && child.counts() {
				its, _, _ := child.stands(all)
				children = append(children, okr.ObjectiveStanding{State: child.state, Total: its})
			}
		}
	}
	if len(children) > 0 {
		return okr.Mean(children), parts, last
	}
	return okr.RollUp(parts), parts, last
}

// brute counts as okr says, by looking at every objective.
func brute(c *company, all []*model, group uuid.UUID, day time.Time, cadence okr.Cadence) string {
	now := time.Date(day.Year(), day.Month(), day.Day(), 13, 0, 0, 0, c.zone)
	elapsed := okr.Elapsed(c.startsOn, c.endsOn, okr.Today(now, c.zone))
	var standings []okr.ObjectiveStanding
	health := map[okr.Health]int{}
	restricted, anyOff, outdated := 0, 0, 0
	for _, m := range all {
		if !m.counts() || group != uuid.Max && group != groupOf(m) {
			continue
		}
		total, parts, last := m.stands(all)
		standings = append(standings, okr.ObjectiveStanding{State: m.state, Total: total})
		health[okr.HealthOf(total.Progress, elapsed, total.Pending || total.Empty)]++
		if okr.AnyOffTrack(parts, elapsed) {
			anyOff++
		}
		if m.visibility != "organization" {
			restricted++
		}
		began := time.Date(c.startsOn.Year(), c.startsOn.Month(), c.startsOn.Day(), 0, 0, 0, 0, c.zone)
		if m.changedAt.After(began) {
			began = m.changedAt
		}
		if m.state == okr.ObjectiveApproved && okr.Outdated(last, began, cadence, now, c.zone) {
			outdated++
		}
	}
	mean := okr.Mean(standings)
	return fmt.Sprintf("%d objectives, %d restricted, %s + %s, pending %t; %d on track, %d at risk, %d off track, %d pending; %d with one off track, %d outdated", len(standings), restricted,
		mean.Progress, mean.Overshoot, mean.Pending, health[okr.HealthOnTrack], health[okr.HealthAtRisk], health[okr.HealthOffTrack], health[okr.HealthPending], anyOff, outdated)
}

func kept(s db.SumFiguresRow) string {
	mean := okr.Sums{Objectives: int(s.Objectives), Pending: int(s.Pending), Progress: s.Progress, Overshoot: s.Overshoot}.Mean(false)
	return fmt.Sprintf("%d objectives, %d restricted, %s + %s, pending %t; %d on track, %d at risk, %d off track, %d pending; %d with one off track, %d outdated", s.Objectives, s.Restricted,
		mean.Progress, mean.Overshoot, mean.Pending, s.Objectives-s.Pending-s.LeftOnTrack, s.LeftOnTrack-s.WentOffTrack, s.WentOffTrack, s.Pending, s.KeyResultOffTrack, s.Outdated)
}

func groupOf(m *model) uuid.UUID {
	if m.team == nil {
		return uuid.Nil
	}
	return *m.team
}

// Whatever happens to objectives, in whatever order and however often it is told of, every group comes to what counting it by okr's rules gives, on every day, in odd time zones.
func TestFiguresAreWhatCountingGives(t *testing.T) {
	t.Parallel()
	s := setup(t)
	rapid.Check(t, func(t *rapid.T) {
		cadence := rapid.SampledFrom([]okr.Cadence{okr.Weekly, okr.Biweekly, okr.Monthly}).Draw(t, "cadence")
		zone := rapid.SampledFrom([]string{"Asia/Kathmandu", "Pacific/Kiritimati", "America/St_Johns", "Australia/Lord_Howe"}).Draw(t, "zone")
		c := s.company(t, zone, string(cadence), date("2027-01-01").AddDate(0, 0, rapid.IntRange(0, 300).Draw(t, "start")), rapid.IntRange(1, 100).Draw(t, "days"))
		moment := func() time.Time {
			return time.Date(c.startsOn.Year(), c.startsOn.Month(), c.startsOn.Day(), 0, 0, rapid.IntRange(0, 100*86_400).Draw(t, "second"), 0, c.zone)
		}
		var all []*model
		var untold []func()
		tell := func(kind string, target uuid.UUID) {
			if rapid.Bool().Draw(t, "at once") {
				c.fold(kind, target)
				return
			}
			untold = append(untold, func() { c.fold(kind, target) })
		}
		if rapid.Bool().Draw(t, "computed before") { // otherwise all of it is, in the end
			c.fold("cycle.created", c.cycle)
			c.drain()
		}
		for range rapid.IntRange(1, 16).Draw(t, "steps") {
			what := rapid.IntRange(0, 9).Draw(t, "what")
			if len(all) == 0 {
				what = 0
			}
			var m *model
			if what > 0 {
				m = rapid.SampledFrom(all).Draw(t, "objective")
			}
			switch what {
			case 0, 1:
				if what == 1 && len(all) > 6 {
					continue
				}
				m = &model{state: rapid.SampledFrom([]okr.ObjectiveState{okr.ObjectiveApproved, okr.ObjectiveApproved, okr.ObjectiveDraft, okr.ObjectiveClosed}).Draw(t, "state"),
					visibility: rapid.SampledFrom([]string{"organization", "private"}).Draw(t, "visibility"), changedAt: moment()}
				if n := rapid.IntRange(0, 2).Draw(t, "team"); n < 2 {
					m.team = &c.teams[n]
				}
				k := &modelKeyResult{weight: 1}
				m.id, k.id = c.objective(m.team, string(m.state), m.visibility, m.changedAt)
				m.keyResults = []*modelKeyResult{k}
				if rapid.Bool().Draw(t, "two") {
					another := &modelKeyResult{id: db.NewID(), weight: rapid.IntRange(0, 3).Draw(t, "weight")}
					c.keyResult(another.id, m.id, another.weight)
					m.keyResults = append(m.keyResults, another)
				}
				if len(m.keyResults) == 1 && rapid.Bool().Draw(t, "without key results") {
					k.archived = true
					c.exec("UPDATE key_results SET archived_at = now() WHERE id = $1", k.id)
				}
				if len(all) > 0 && rapid.Bool().Draw(t, "contributes") {
					m.parent = rapid.SampledFrom(all).Draw(t, "parent")
					c.exec("UPDATE objectives SET parent_objective_id = $2 WHERE id = $1", m.id, m.parent.id)
				}
				all = append(all, m)
				tell("objective.created", m.id)
			case 2, 3:
				k := rapid.SampledFrom(m.keyResults).Draw(t, "key result")
				v, at := decimal.NewFromInt(rapid.Int64Range(-50, 130).Draw(t, "value")), moment()
				k.value, k.at = &v, &at
				c.checkIn(k.id, v.String(), at)
				tell("check_in.created", k.id)
			case 4:
				m.state = rapid.SampledFrom([]okr.ObjectiveState{okr.ObjectiveApproved, okr.ObjectiveDraft, okr.ObjectiveClosed}).Draw(t, "state")
				c.exec("UPDATE objectives SET state = $2, score = CASE WHEN $2 = 'closed' THEN 0.5 END WHERE id = $1", m.id, string(m.state))
				tell("objective.approved", m.id)
			case 5:
				m.archived = !m.archived
				c.exec("UPDATE objectives SET archived_at = CASE WHEN $2 THEN now() END WHERE id = $1", m.id, m.archived)
				tell("objective.archived", m.id)
			case 6:
				m.team = &c.teams[rapid.IntRange(0, 1).Draw(t, "team")]
				m.visibility = rapid.SampledFrom([]string{"organization", "private"}).Draw(t, "visibility")
				c.exec("UPDATE objectives SET team_id = $2, visibility = $3 WHERE id = $1", m.id, m.team, m.visibility)
				tell("objective.updated", m.id)
			case 7:
				k := rapid.SampledFrom(m.keyResults).Draw(t, "key result")
				k.archived = !k.archived
				c.exec("UPDATE key_results SET archived_at = CASE WHEN $2 THEN now() END WHERE id = $1", k.id, k.archived)
				tell("objective.updated", m.id)
			case 8:
				m.parent = nil
				if i := slices.Index(all, m); i > 0 && rapid.Bool().Draw(t, "contributes") { // to an earlier one, so that there is no loop
					m.parent = all[rapid.IntRange(0, i-1).Draw(t, "parent")]
				}
				var parent *uuid.UUID
				if m.parent != nil {
					parent = &m.parent.id
				}
				c.exec("UPDATE objectives SET parent_objective_id = $2 WHERE id = $1", m.id, parent)
				tell("objective.updated", m.id)
			case 9:
				c.drain()
				c.write(func(ctx context.Context, q *db.Queries) error {
					_, err := q.GatherFigureCounts(ctx, db.GatherFigureCountsParams{OrganizationID: c.id, CycleID: c.cycle, Most: int32(rapid.IntRange(1, 50).Draw(t, "most"))})
					return err
				})
			}
		}
		for len(untold) > 0 { // late, twice, and out of order
			i := rapid.IntRange(0, len(untold)-1).Draw(t, "next")
			untold[i]()
			if rapid.Bool().Draw(t, "once") {
				untold = append(untold[:i], untold[i+1:]...)
			}
		}
		c.drain()
		groups := append([]uuid.UUID{uuid.Nil, uuid.Max}, c.teams...)
		for range 4 {
			day := c.startsOn.AddDate(0, 0, rapid.IntRange(0, 150).Draw(t, "day"))
			sums := c.sums(day, groups...)
			for _, g := range groups {
				if got, want := kept(sums[g]), brute(c, all, g, day, cadence); got != want {
					t.Fatalf("on %s, group %s:\n got %s\nwant %s", day.Format(time.DateOnly), g, got, want)
				}
			}
		}
		c.write(func(ctx context.Context, q *db.Queries) error {
			n, err := q.MendFigureCounts(ctx, db.MendFigureCountsParams{OrganizationID: c.id, CycleID: c.cycle, ID: db.NewID()})
			assert.Zero(t, n, "there was nothing to mend")
			return err
		})
	})
}

// Whoever takes over one objective waits for nobody who takes over another of the same cycle, and gathering waits for neither.
func TestFoldsOfDifferentObjectivesDoNotWait(t *testing.T) {
	t.Parallel()
	s := setup(t)
	c := s.company(t, "UTC", "weekly", date("2027-01-01"), 90)
	one, _ := c.objective(&c.teams[0], "approved", "organization", c.startsOn)
	another, _ := c.objective(&c.teams[0], "approved", "organization", c.startsOn)
	c.fold("cycle.created", c.cycle)
	c.drain()
	_, k1 := one, value[uuid.UUID](c, "SELECT id FROM key_results WHERE objective_id = $1", one)
	k2 := value[uuid.UUID](c, "SELECT id FROM key_results WHERE objective_id = $1", another)
	c.checkIn(k1, "50", c.startsOn.AddDate(0, 0, 3))
	c.checkIn(k2, "70", c.startsOn.AddDate(0, 0, 3))
	within, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		c.write(func(ctx context.Context, q *db.Queries) error {
			_, err := figures.Compute(ctx, q, c.id, one)
			close(within)
			time.Sleep(500 * time.Millisecond) // while the other one is at it
			return err
		})
	}()
	<-within
	began := time.Now()
	c.write(func(ctx context.Context, q *db.Queries) error {
		if _, err := figures.Compute(ctx, q, c.id, another); err != nil {
			return err
		}
		_, err := q.GatherFigureCounts(ctx, db.GatherFigureCountsParams{OrganizationID: c.id, CycleID: c.cycle, Most: 1000})
		return err
	})
	assert.Less(t, time.Since(began), 400*time.Millisecond)
	<-done
	sum := c.sums(date("2027-01-10"), uuid.Max)[uuid.Max]
	assert.Equal(t, "1.2", sum.Progress.String())
	assert.EqualValues(t, 2, sum.Objectives)
	assert.EqualValues(t, 0, sum.Pending)
}

// Of two that take over the same objective, the later one has seen no less than the earlier: it reads after it has the row.
func TestWhoComesLaterHasSeenNoLess(t *testing.T) {
	t.Parallel()
	s := setup(t)
	c := s.company(t, "UTC", "weekly", date("2027-01-01"), 90)
	o, k := c.objective(nil, "approved", "organization", c.startsOn)
	c.fold("objective.approved", o)
	c.drain()
	conn, err := pgx.Connect(t.Context(), c.AppURL)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	db.RegisterTypes(conn.TypeMap())
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "SELECT set_config('kakeai.organization_id', $1, true)", c.id.String())
	require.NoError(t, err)
	_, err = db.New(tx).LockObjectiveFigures(t.Context(), db.LockObjectiveFiguresParams{OrganizationID: c.id, ObjectiveIDs: []uuid.UUID{o}}) // somebody is at it
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.fold("check_in.created", k) // waits, begun before the check-in was there
	}()
	require.Eventually(t, func() bool {
		return value[int](c, "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())") > 0
	}, patience, 5*time.Millisecond)
	c.checkIn(k, "40", c.startsOn.AddDate(0, 0, 3))
	require.NoError(t, tx.Rollback(t.Context()))
	<-done
	assert.Equal(t, "0.4", c.sums(date("2027-01-10"), uuid.Max)[uuid.Max].Progress.String())
}

// A cycle's dates, and the organisation's time zone and cadence, are what figures are computed with: with others they are computed anew, in chunks.
func TestOtherDatesAreComputedAnew(t *testing.T) {
	t.Parallel()
	s := setup(t)
	c := s.company(t, "UTC", "weekly", date("2027-01-01"), 100)
	c.exec(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, state, created_by, changed_by, changed_at)
		SELECT $1, gen_random_uuid(), $2, $3, 'O', 'approved', $3, $3, '2027-01-01' FROM generate_series(1, 1100)`, c.id, c.cycle, c.member)
	c.exec(`INSERT INTO key_results (organization_id, id, objective_id, position, title, kind, baseline, target, current_check_in_id, current_value, current_confidence, current_at)
		SELECT $1, gen_random_uuid(), o.id, 0, 'K', 'metric', 0, 100, o.id, 30, 5, '2027-01-20' FROM objectives AS o WHERE o.organization_id = $1`, c.id)
	c.fold("cycle.created", c.cycle)
	assert.Equal(t, 3, c.drain(), "chunks")
	on := func(day string) (leftOnTrack, outdated int32) {
		sum := c.sums(date(day), uuid.Max)[uuid.Max]
		return sum.LeftOnTrack, sum.Outdated
	}
	left, outdated := on("2027-02-10") // 40 of 100 days: 30 % are just on track
	assert.EqualValues(t, []int32{0, 1100}, []int32{left, outdated})
	left, _ = on("2027-02-11")
	assert.EqualValues(t, 1100, left)

	c.fold("cycle.updated", c.cycle)
	assert.Zero(t, c.drain(), "nothing has changed")

	c.endsOn = date("2027-07-19") // 200 days
	c.exec("UPDATE cycles SET ends_on = $2 WHERE id = $1", c.cycle, c.endsOn)
	c.exec("UPDATE organizations SET cadence = 'monthly' WHERE id = $1", c.id)
	c.fold("cycle.updated", c.cycle)
	assert.Equal(t, 3, c.drain())
	left, outdated = on("2027-02-11")
	assert.EqualValues(t, []int32{0, 0}, []int32{left, outdated})
	assert.EqualValues(t, 1, value[int](c, "SELECT count(*) FROM cycle_figures WHERE organization_id = $1 AND rebuilding_after IS NULL AND ends_on = '2027-07-19' AND rebuilt_at IS NOT NULL", c.id))

	// So is what was computed by older rules.
	c.exec("UPDATE cycle_figures SET rules = rules - 1 WHERE organization_id = $1", c.id)
	c.fold("cycle.updated", c.cycle)
	assert.Equal(t, 3, c.drain())
	assert.EqualValues(t, figures.Rules, value[int32](c, "SELECT rules FROM cycle_figures WHERE organization_id = $1", c.id))

	// What is lost or wrong comes back.
	c.exec("DELETE FROM figure_counts WHERE organization_id = $1 AND day = -1", c.id)
	c.write(func(ctx context.Context, q *db.Queries) error {
		n, err := q.MendFigureCounts(ctx, db.MendFigureCountsParams{OrganizationID: c.id, CycleID: c.cycle, ID: db.NewID()})
		assert.EqualValues(t, 2, n)
		return err
	})
	assert.EqualValues(t, 1100, c.sums(date("2027-02-11"), uuid.Max)[uuid.Max].Objectives)
}

// Appended rows are gathered by themselves: however many changes there were, only the latest few are beside the sums.
func TestSumsStayShort(t *testing.T) {
	t.Parallel()
	s := setup(t)
	c := s.company(t, "UTC", "weekly", date("2027-01-01"), 90)
	o, k := c.objective(nil, "approved", "organization", c.startsOn)
	for i := range 300 {
		c.checkIn(k, fmt.Sprint(i%100), c.startsOn.AddDate(0, 0, 3))
		c.fold("check_in.created", k)
	}
	c.drain()
	assert.Less(t, value[int](c, "SELECT count(*) FROM figure_counts WHERE organization_id = $1", c.id), 600)
	_ = o
}
