package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// A story has to hold together whenever it is told: in the first minutes of a quarter, when nothing of it has happened, and in the last.
func TestStoriesHoldTogether(t *testing.T) {
	t.Parallel()
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	require.NoError(t, err)
	for name, now := range map[string]time.Time{
		"in the middle of a quarter":           midQuarter,
		"half past midnight on New Year's Day": time.Date(2027, time.January, 1, 0, 30, 0, 0, tokyo),
		"a minute before New Year":             time.Date(2026, time.December, 31, 23, 59, 0, 0, tokyo),
		"a leap day":                           time.Date(2028, time.February, 29, 8, 0, 0, 0, tokyo),
		"the shortest quarter's last evening":  time.Date(2027, time.March, 31, 23, 50, 0, 0, tokyo),
		"a quarter that begins on a Saturday":  time.Date(2028, time.July, 1, 7, 0, 0, 0, tokyo),
		"a quarter that began on a Sunday":     time.Date(2028, time.October, 2, 8, 0, 0, 0, tokyo),
		"between a slip and its correction":    time.Date(2026, time.October, 28, 0, 30, 0, 0, tokyo),
		"the hour that New York has twice":     time.Date(2026, time.November, 1, 6, 30, 0, 0, time.UTC),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkStories(t, now)
		})
	}
}

func checkStories(t *testing.T, now time.Time) {
	conn := connect(t, setup(t, now))
	for _, o := range []organization{minatoWorks(), harborLabs()} {
		c := check{T: t, conn: conn, organization: o, now: now}
		c.times()
		c.cycles()
		c.objectives()
		c.followed()
	}
}

func connect(t *testing.T, database *pgtest.Database) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, conn.Close(context.Background())) })
	db.RegisterTypes(conn.TypeMap())
	return conn
}

// A demo in which everything goes well shows half of the program.
func TestNotEverythingGoesWell(t *testing.T) {
	t.Parallel()
	c := check{T: t, conn: connect(t, setup(t, midQuarter)), organization: minatoWorks(), now: midQuarter}
	standings := c.standings(list[db.KeyResult](c, "SELECT * FROM key_results WHERE organization_id = $1"))
	present := quarterOf(midQuarter)
	elapsed := okr.Elapsed(present.startsOn, present.endsOn, midQuarter)
	health, beside := map[okr.Health]int{}, 0
	type row struct{ ID uuid.UUID }
	for _, o := range list[row](c, "SELECT id FROM objectives WHERE organization_id = $1 AND state = 'approved'") {
		total := okr.RollUp(standings[o.ID])
		h := okr.HealthOf(total.Progress, elapsed, total.Pending)
		health[h]++
		if h != okr.HealthOffTrack && okr.AnyOffTrack(standings[o.ID], elapsed) {
			beside++
		}
	}
	assert.GreaterOrEqual(t, health[okr.HealthOnTrack], 5)
	assert.GreaterOrEqual(t, health[okr.HealthAtRisk], 2)
	assert.GreaterOrEqual(t, health[okr.HealthOffTrack], 1)
	assert.GreaterOrEqual(t, beside, 1, "with a key result off track that is not itself")
}

// check looks at what was told of one organisation.
type check struct {
	*testing.T
	conn         *pgx.Conn
	organization organization
	now          time.Time
}

// none asserts that a query, whose $1 is the organisation, finds nothing; its one column says what it found.
func (c check) none(what, query string) {
	c.Helper()
	rows, err := c.conn.Query(c.Context(), query, c.organization.id())
	require.NoError(c, err, what)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(c, err, what)
	assert.Empty(c, found, what)
}

func list[T any](c check, query string, arguments ...any) []T {
	c.Helper()
	rows, err := c.conn.Query(c.Context(), query, append([]any{c.organization.id()}, arguments...)...)
	require.NoError(c, err)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	require.NoError(c, err)
	return found
}

func (c check) times() {
	for table, columns := range map[string][]string{
		"memberships": {"created_at", "changed_at"}, "teams": {"created_at", "changed_at"}, "team_members": {"created_at"},
		"cycles": {"created_at", "changed_at"}, "objectives": {"created_at", "changed_at", "archived_at"},
		"check_ins": {"checked_at", "created_at"}, "objective_history": {"changed_at"}, "comments": {"created_at", "changed_at"},
		"dialogues": {"created_at"}, "ai_jobs": {"created_at", "available_at", "started_at", "finished_at"},
		"messages": {"created_at"}, "suggestions": {"created_at", "decided_at"},
		"audit_events": {"happened_at"}, "outbox_events": {"created_at"},
	} {
		for _, column := range columns {
			c.none(table+"."+column+" lies ahead", fmt.Sprintf(
				`SELECT r::text FROM %s AS r WHERE r.organization_id = $1 AND r.%s > '%s'`, table, column, c.now.Format(time.RFC3339Nano)))
		}
	}
	for table, per := range map[string]string{"comments": "objective_id", "messages": "dialogue_id", "suggestions": "dialogue_id", "cycles": "organization_id"} {
		c.none(table+" are listed out of order", fmt.Sprintf(`
			SELECT a::text FROM %[1]s AS a
			JOIN %[1]s AS b ON b.organization_id = a.organization_id AND b.%[2]s = a.%[2]s AND b.id > a.id AND b.created_at < a.created_at
			WHERE a.organization_id = $1`, table, per))
	}
	c.none("the audit is out of order", `
		SELECT a::text FROM (SELECT e.*, lag(happened_at) OVER (ORDER BY id) AS before FROM audit_events AS e WHERE organization_id = $1) AS a
		WHERE happened_at < before`)
	c.none("audit and outbox differ", `
		SELECT coalesce(a::text, o::text)
		FROM (SELECT * FROM audit_events WHERE organization_id = $1) AS a
		FULL JOIN (SELECT * FROM outbox_events WHERE organization_id = $1) AS o ON o.id = a.id AND o.kind = a.action AND o.target_id = a.target_id
			AND o.target_revision IS NOT DISTINCT FROM a.target_revision AND o.created_at = a.happened_at
		WHERE a.id IS NULL OR o.id IS NULL`)
	c.none("the past is still to be delivered, or news is not", fmt.Sprintf(`
		SELECT o::text FROM outbox_events AS o
		WHERE o.organization_id = $1 AND o.state <> CASE WHEN o.created_at < '%s' THEN 'delivered' ELSE 'waiting' END`, c.now.Add(-newsAge).Format(time.RFC3339Nano)))
	c.none("said before the objective was there", `
		SELECT m.body FROM comments AS m JOIN objectives AS o USING (organization_id)
		WHERE m.organization_id = $1 AND o.id = m.objective_id AND m.created_at <= o.created_at`)
}

func (c check) cycles() {
	zone, err := time.LoadLocation(c.organization.timeZone)
	require.NoError(c, err)
	today := okr.Today(c.now, zone)
	type row struct {
		StartsOn time.Time
		EndsOn   time.Time
		State    okr.CycleState
		Revision int64
	}
	cycles := list[row](c, "SELECT starts_on, ends_on, state, revision FROM cycles WHERE organization_id = $1 ORDER BY id")
	require.Len(c, cycles, len(c.organization.cycles))
	present := cycles[len(cycles)-1]
	assert.Equal(c, okr.CycleActive, present.State)
	assert.False(c, today.Before(present.StartsOn) || today.After(present.EndsOn), "today is %s, the cycle %v", today, present)
	if len(cycles) > 1 {
		last := cycles[0]
		assert.Equal(c, okr.CycleClosed, last.State)
		start, end := okr.FollowingCycle(last.StartsOn, last.EndsOn)
		assert.Equal(c, []time.Time{present.StartsOn, present.EndsOn}, []time.Time{start, end})
	}
}

func (c check) objectives() {
	c.none("a revision without its history", `
		SELECT o.title FROM objectives AS o
		WHERE o.organization_id = $1 AND o.revision <> (SELECT count(*) FROM objective_history AS h WHERE h.objective_id = o.id)`)
	c.none("history does not end where the objective stands", `
		SELECT o.title FROM objectives AS o
		LEFT JOIN objective_history AS h ON h.organization_id = o.organization_id AND h.objective_id = o.id AND h.revision = o.revision
		WHERE o.organization_id = $1
		  AND (h.revision IS NULL OR h.changed_at <> o.changed_at OR h.changed_by <> o.changed_by
			OR jsonb_build_array(h.content->'title', h.content->'description', h.content->'kind', h.content->'visibility', h.content->'state',
				h.content->'owner_id', h.content->'team_id', h.content->'cycle_id', h.content->'parent_objective_id',
				h.content->'parent_key_result_id', (h.content->>'score')::numeric, h.content->'archived')
			<> jsonb_build_array(o.title, o.description, o.kind, o.visibility, o.state, o.owner_id, o.team_id, o.cycle_id, o.parent_objective_id,
				o.parent_key_result_id, o.score, o.archived_at IS NOT NULL))`)
	c.none("history goes back in time", `
		SELECT h.content->>'title' FROM objective_history AS h
		JOIN objective_history AS n ON n.organization_id = h.organization_id AND n.objective_id = h.objective_id AND n.revision = h.revision + 1
		WHERE h.organization_id = $1 AND n.changed_at <= h.changed_at`)
	c.none("approved by its author", `
		SELECT o.title FROM objectives AS o JOIN objective_history AS h ON h.organization_id = o.organization_id AND h.objective_id = o.id
		WHERE o.organization_id = $1 AND h.action = 'objective.approved' AND h.changed_by = o.created_by`)
	c.none("approved by nobody who may", `
		SELECT o.title FROM objectives AS o
		JOIN objective_history AS h ON h.organization_id = o.organization_id AND h.objective_id = o.id AND h.action = 'objective.approved'
		JOIN memberships AS m ON m.organization_id = o.organization_id AND m.user_id = h.changed_by
		LEFT JOIN team_members AS tm ON tm.organization_id = o.organization_id AND tm.team_id = o.team_id AND tm.user_id = h.changed_by AND tm.role = 'lead'
		WHERE o.organization_id = $1 AND m.role NOT IN ('owner', 'admin') AND tm.user_id IS NULL`)
	c.none("older than its parent", `
		SELECT o.title FROM objectives AS o JOIN objectives AS p ON p.organization_id = o.organization_id AND p.id = o.parent_objective_id
		WHERE o.organization_id = $1 AND (p.created_at >= o.created_at OR p.cycle_id <> o.cycle_id)`)
	c.none("a parent's key result that is another's", `
		SELECT o.title FROM objectives AS o JOIN key_results AS k ON k.organization_id = o.organization_id AND k.id = o.parent_key_result_id
		WHERE o.organization_id = $1 AND k.objective_id <> o.parent_objective_id`)
	c.none("a loop", `
		WITH RECURSIVE up AS (
			SELECT o.id AS below, o.parent_objective_id AS id, 1 AS height FROM objectives AS o WHERE o.organization_id = $1
			UNION ALL
			SELECT u.below, o.parent_objective_id, u.height + 1 FROM up AS u
			JOIN objectives AS o ON o.organization_id = $1 AND o.id = u.id
			WHERE u.height < 100)
		SELECT below::text FROM up WHERE height = 100`)
	c.none("an open suggestion to an earlier revision", `
		SELECT g.id::text FROM suggestions AS g JOIN objectives AS o ON o.organization_id = g.organization_id AND o.id = g.objective_id
		WHERE g.organization_id = $1 AND g.state = 'open' AND g.objective_revision <> o.revision`)
	c.none("decided before it was made", `
		SELECT g.id::text FROM suggestions AS g WHERE g.organization_id = $1 AND g.decided_at <= g.created_at`)
}

// followed checks key results and check-ins against the rules.
func (c check) followed() {
	c.none("checked in outside of the cycle's days", fmt.Sprintf(`
		SELECT i.id::text FROM check_ins AS i
		JOIN key_results AS k ON k.organization_id = i.organization_id AND k.id = i.key_result_id
		JOIN objectives AS o ON o.organization_id = i.organization_id AND o.id = k.objective_id
		JOIN cycles AS y ON y.organization_id = i.organization_id AND y.id = o.cycle_id
		WHERE i.organization_id = $1 AND (i.checked_at AT TIME ZONE '%s')::date NOT BETWEEN y.starts_on AND y.ends_on`, c.organization.timeZone))
	c.none("checked in while not approved", `
		SELECT i.id::text FROM check_ins AS i
		JOIN key_results AS k ON k.organization_id = i.organization_id AND k.id = i.key_result_id
		WHERE i.organization_id = $1 AND 'approved' IS DISTINCT FROM (
			SELECT h.content->>'state' FROM objective_history AS h
			WHERE h.organization_id = $1 AND h.objective_id = k.objective_id AND h.changed_at <= i.created_at
			ORDER BY h.revision DESC LIMIT 1)`)
	c.none("a correction that stands at a time of its own", `
		SELECT i.id::text FROM check_ins AS i JOIN check_ins AS w ON w.organization_id = i.organization_id AND w.id = i.corrects_id
		WHERE i.organization_id = $1 AND (i.checked_at <> w.checked_at OR i.created_at <= w.created_at OR i.key_result_id <> w.key_result_id)`)

	keyResults := list[db.KeyResult](c, "SELECT * FROM key_results WHERE organization_id = $1 ORDER BY id")
	c.closings(c.standings(keyResults))
	c.contents(keyResults)
}

// standings are those of each objective, after a check of every check-in that led to them.
func (c check) standings(keyResults []db.KeyResult) map[uuid.UUID][]okr.Standing {
	perObjective := map[uuid.UUID][]okr.Standing{}
	for _, k := range keyResults {
		definition := c.definitionOf(k)
		assert.Empty(c, definition.Validate(), k.Title)
		var checkIns []okr.CheckIn
		for _, i := range list[db.CheckIn](c, "SELECT * FROM check_ins WHERE organization_id = $1 AND key_result_id = $2 ORDER BY id", k.ID) {
			checkIn := okr.CheckIn{ID: i.ID, Corrects: i.CorrectsID, At: i.CreatedAt, Value: i.Value, Done: i.DoneStepIDs, Confidence: int(i.Confidence)}
			assert.Empty(c, definition.ValidateCheckIn(checkIn), k.Title)
			progress := definition.Progress(i.Value, i.DoneStepIDs)
			assert.True(c, progress.Equal(i.Progress), "%s: %s, and kept as %s", k.Title, progress, i.Progress)
			checkIns = append(checkIns, checkIn)
		}
		current, checked := okr.Current(checkIns)
		standing := okr.Standing{Pending: !checked, Weight: k.Weight}
		assert.Equal(c, checked, k.CurrentCheckInID != nil, k.Title)
		if checked {
			assert.Equal(c, current.ID, *k.CurrentCheckInID, k.Title)
			assert.True(c, current.StandsAt.Equal(*k.CurrentAt), k.Title)
			assert.EqualValues(c, current.Confidence, *k.CurrentConfidence, k.Title)
			assert.ElementsMatch(c, current.Done, k.CurrentDoneSteps, k.Title)
			if current.Value != nil {
				assert.True(c, current.Value.Equal(*k.CurrentValue), k.Title)
			}
			standing.Progress = definition.Progress(k.CurrentValue, k.CurrentDoneSteps)
		}
		perObjective[k.ObjectiveID] = append(perObjective[k.ObjectiveID], standing)
	}
	return perObjective
}

// closings are to be such as the rules accept, with a note where they ask for one.
func (c check) closings(standings map[uuid.UUID][]okr.Standing) {
	type row struct {
		ID    uuid.UUID
		Title string
		Kind  okr.Commitment
		Score decimal.Decimal
		Note  *string
	}
	closed := list[row](c, `
		SELECT o.id, o.title, o.kind, o.score, h.note FROM objectives AS o
		JOIN objective_history AS h ON h.organization_id = o.organization_id AND h.objective_id = o.id AND h.action = 'objective.closed'
		WHERE o.organization_id = $1`)
	for _, o := range closed {
		progress := okr.RollUp(standings[o.ID]).Progress
		closing := okr.Closing{Commitment: o.Kind, Progress: progress, Score: o.Score}
		if o.Note != nil {
			closing.Note = *o.Note
		}
		assert.Empty(c, closing.Validate(), o.Title)
		off := o.Score.Sub(okr.SuggestedScore(progress)).Abs()
		assert.True(c, off.LessThanOrEqual(decimal.New(1, -1)), "%s: scored %s at %s", o.Title, o.Score, progress)
	}
}

// contents compares the key results of the latest revision with those in the tables.
func (c check) contents(keyResults []db.KeyResult) {
	type row struct {
		Content json.RawMessage
	}
	kept := map[uuid.UUID]db.KeyResultContent{}
	for _, h := range list[row](c, `
		SELECT h.content FROM objective_history AS h JOIN objectives AS o ON o.organization_id = h.organization_id AND o.id = h.objective_id
		WHERE h.organization_id = $1 AND h.revision = o.revision`) {
		var content db.ObjectiveContent
		require.NoError(c, json.Unmarshal(h.Content, &content))
		for _, k := range content.KeyResults {
			kept[k.ID] = k
		}
	}
	require.Len(c, kept, len(keyResults))
	for _, k := range keyResults {
		want := db.KeyResultContent{
			ID: k.ID, Title: k.Title, Description: k.Description, OwnerID: k.OwnerID, Kind: k.Kind, Unit: k.Unit,
			Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance,
			Weight: k.Weight, Steps: []db.StepContent{},
		}
		for _, s := range c.stepsOf(k) {
			want.Steps = append(want.Steps, db.StepContent{ID: s.ID, Title: s.Title, Weight: s.Weight})
		}
		assert.JSONEq(c, encoded(c, want), encoded(c, kept[k.ID]))
	}
}

func (c check) stepsOf(k db.KeyResult) []db.MilestoneStep {
	return list[db.MilestoneStep](c, "SELECT * FROM milestone_steps WHERE organization_id = $1 AND key_result_id = $2 ORDER BY position", k.ID)
}

func (c check) definitionOf(k db.KeyResult) okr.KeyResult {
	definition := okr.KeyResult{
		Kind: k.Kind, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch,
		AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight,
	}
	for _, s := range c.stepsOf(k) {
		definition.Steps = append(definition.Steps, okr.Step{ID: s.ID, Weight: s.Weight})
	}
	return definition
}

func encoded(t require.TestingT, value any) string {
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}

func TestTracksAreWholeQuarters(t *testing.T) {
	t.Parallel()
	const weeks = 12
	for _, story := range []organization{minatoWorks(), harborLabs()} {
		for _, o := range story.objectives {
			for _, k := range o.keyResults {
				readings, err := k.track.readings()
				require.NoError(t, err, k.title)
				said := map[int]bool{}
				for _, r := range readings {
					assert.LessOrEqual(t, r.week, weeks, k.title)
					said[r.week] = true
				}
				for week := range k.track.notes {
					assert.True(t, said[week], "%s: a note on week %d, which has no check-in", k.title, week)
				}
			}
		}
	}
}

func TestQuarters(t *testing.T) {
	t.Parallel()
	day := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	for _, c := range []struct {
		day, start, end, lastStart, lastEnd time.Time
		number                              int
	}{
		{day(2027, 1, 1), day(2027, 1, 1), day(2027, 3, 31), day(2026, 10, 1), day(2026, 12, 31), 1},
		{day(2028, 2, 29), day(2028, 1, 1), day(2028, 3, 31), day(2027, 10, 1), day(2027, 12, 31), 1},
		{day(2026, 6, 30), day(2026, 4, 1), day(2026, 6, 30), day(2026, 1, 1), day(2026, 3, 31), 2},
		{day(2026, 8, 31), day(2026, 7, 1), day(2026, 9, 30), day(2026, 4, 1), day(2026, 6, 30), 3},
		{day(2026, 12, 31), day(2026, 10, 1), day(2026, 12, 31), day(2026, 7, 1), day(2026, 9, 30), 4},
	} {
		q := quarterOf(c.day)
		assert.Equal(t, quarter{c.start, c.end}, q)
		assert.Equal(t, quarter{c.lastStart, c.lastEnd}, q.before())
		assert.Equal(t, c.number, q.number())
	}
}
