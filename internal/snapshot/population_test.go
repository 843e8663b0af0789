package snapshot_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/snapshot"
)

// The days that are written while a population is made are those that come of telling its history and check-ins again, objective by objective and day by day.
func TestAPopulationHasAPast(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	b := bundle{T: t, Database: database, whole: snapshot.New(database.OwnerURL, snapshot.Options{})}
	for address, zone := range map[string]string{"aoi@example.com": "Asia/Tokyo", "ada@example.com": "America/Los_Angeles"} {
		n := newcomers(address)
		n.TimeZone, n.People, n.Objectives = zone, 40, 400
		made, err := b.whole.Bootstrap(t.Context(), n)
		require.NoError(t, err)
		o := made.Organization
		now := value[time.Time](b, "SELECT created_at FROM organizations WHERE id = $1", o)
		b.exec("CREATE TABLE written AS SELECT * FROM cycle_figures_daily WHERE organization_id = $1", o)
		tx, err := b.Owner.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), "DELETE FROM cycle_figures_daily WHERE organization_id = $1", o)
		require.NoError(t, err)
		require.NoError(t, figures.Retell(t.Context(), db.New(tx), o, now))
		require.NoError(t, tx.Commit(t.Context()))
		const retold = "SELECT * FROM cycle_figures_daily WHERE organization_id = $1"
		assert.Positive(t, value[int](b, "SELECT count(*) FROM written"))
		assert.Zero(t, value[int](b, "SELECT count(*) FROM (SELECT * FROM written EXCEPT ("+retold+")) AS s", o))
		assert.Zero(t, value[int](b, "SELECT count(*) FROM ("+retold+" EXCEPT SELECT * FROM written) AS s", o))
		b.exec("DROP TABLE written")

		// The burn-up rises, and not everything goes well.
		assert.Equal(t, 2, value[int](b, `SELECT count(*) FROM (SELECT (array_agg(d.progress / d.objectives ORDER BY d.day))[10] < (array_agg(d.progress / d.objectives ORDER BY d.day DESC))[1] AS rises
			FROM cycle_figures_daily AS d WHERE d.organization_id = $1 AND d.group_id = $2 GROUP BY d.cycle_id HAVING count(*) > 10
			UNION ALL SELECT true FROM cycles AS c WHERE c.organization_id = $1 AND c.state = 'active' AND $3::timestamptz < c.starts_on + 14) AS s WHERE s.rises`, o, uuid.Max, now))
		for _, health := range []string{"on_track", "at_risk", "off_track", "outdated"} {
			assert.Positive(t, value[int](b, "SELECT sum("+health+") FROM cycle_figures_daily WHERE organization_id = $1", o), health)
		}
	}
}

func TestAPopulationHasNews(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	b := bundle{T: t, Database: database, whole: snapshot.New(database.OwnerURL, snapshot.Options{})}
	n := newcomers("aoi@example.com")
	n.People, n.Objectives = 40, 1200
	_, err := b.whole.Bootstrap(t.Context(), n)
	require.NoError(t, err)
	assert.Equal(t, 2000, value[int](b, "SELECT count(*) FROM feed_entries"), "a bounded feed of the newest")
	assert.Zero(t, value[int](b, "SELECT count(*) FROM feed_entries AS f LEFT JOIN audit_events AS e USING (organization_id, id) WHERE e.action IS DISTINCT FROM f.action OR e.happened_at <> f.happened_at"))
	assert.Zero(t, value[int](b, `SELECT count(*) FROM (SELECT f.happened_at < lag(f.happened_at) OVER (ORDER BY f.id) - interval '1 millisecond' AS back FROM feed_entries AS f) AS s WHERE s.back`), "ids are in the order of time")
	assert.Zero(t, value[int](b, `SELECT count(*) FROM audit_events AS e WHERE e.target_kind = 'objective' AND e.happened_at > (SELECT min(f.happened_at) FROM feed_entries AS f)
		AND NOT EXISTS (SELECT FROM feed_entries AS f WHERE f.id = e.id)`), "nothing newer is left out")
	assert.Greater(t, value[int](b, "SELECT count(*) FROM feed_entries WHERE action = 'check_in.created'"), 500)
	assert.Zero(t, value[int](b, `SELECT count(*) FROM feed_entries AS f LEFT JOIN check_ins AS c ON c.id = (f.detail->>'check_in_id')::uuid AND c.created_at = f.happened_at WHERE f.action = 'check_in.created' AND c.id IS NULL`))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM audit_events WHERE happened_at > now()"))
}
