package figures_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const patience = 30 * time.Second

// server is a database and a store on it as the program has it.
type server struct {
	*pgtest.Database
	t     testing.TB
	store *db.Store
}

func setup(t testing.TB) *server {
	t.Helper()
	s := &server{Database: pgtest.New(t), t: t}
	var err error
	s.store, err = db.Open(t.Context(), s.AppURL, db.Options{Patience: patience})
	require.NoError(t, err)
	t.Cleanup(s.store.Close)
	return s
}

// company is an organisation with one member, two teams and an active cycle in 2027.
type company struct {
	*server
	t                 require.TestingT
	id, cycle, member uuid.UUID
	teams             []uuid.UUID
	zone              *time.Location
	startsOn, endsOn  time.Time
}

func (s *server) company(t require.TestingT, zone, cadence string, startsOn time.Time, days int) *company {
	where, err := time.LoadLocation(zone)
	require.NoError(t, err)
	c := &company{server: s, t: t, id: db.NewID(), cycle: db.NewID(), member: db.NewID(), teams: []uuid.UUID{db.NewID(), db.NewID()}, zone: where, startsOn: startsOn,
		endsOn: startsOn.AddDate(0, 0, days-1)}
	c.exec("INSERT INTO organizations (id, name, time_zone, cadence) VALUES ($1, 'Nagoya Works', $2, $3)", c.id, zone, cadence)
	c.exec("INSERT INTO users (id, email, name) VALUES ($1, $2, 'Aoi')", c.member, c.member.String()+"@example.com")
	c.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", c.id, c.member)
	for _, team := range c.teams {
		c.exec("INSERT INTO teams (organization_id, id, name, changed_by) VALUES ($1, $2, $3, $4)", c.id, team, team.String(), c.member)
	}
	c.exec("INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, state, changed_by) VALUES ($1, $2, 'H1', $3, $4, 'active', $5)", c.id, c.cycle, c.startsOn, c.endsOn, c.member)
	return c
}

func (c *company) exec(statement string, arguments ...any) {
	_, err := c.Owner.Exec(context.Background(), statement, arguments...)
	require.NoError(c.t, err, statement)
}

// objective is a new one with a metric from 0 to 100 in which nobody has checked in.
func (c *company) objective(team *uuid.UUID, state, visibility string, changedAt time.Time) (objective, keyResult uuid.UUID) {
	objective, keyResult = db.NewID(), db.NewID()
	c.exec(`INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, title, state, visibility, score, created_by, changed_by, changed_at)
		VALUES ($1, $2, $3, $4, $5, 'O', $6, $7, CASE WHEN $6 = 'closed' THEN 0.5 END, $5, $5, $8)`, c.id, objective, c.cycle, team, c.member, state, visibility, changedAt)
	c.keyResult(keyResult, objective, 1)
	return objective, keyResult
}

func (c *company) keyResult(id, objective uuid.UUID, weight int) {
	c.exec("INSERT INTO key_results (organization_id, id, objective_id, position, title, kind, baseline, target, weight) VALUES ($1, $2, $3, 0, 'K', 'metric', 0, 100, $4)", c.id, id, objective, weight)
}

func (c *company) checkIn(keyResult uuid.UUID, value string, at time.Time) {
	id := db.NewID()
	c.exec(`INSERT INTO check_ins (organization_id, id, key_result_id, value, progress, confidence, checked_at, created_at, created_by)
		VALUES ($1, $2, $3, $4::text::numeric, 0, 5, $5, $5, $6)`, c.id, id, keyResult, value, at, c.member)
	c.exec("UPDATE key_results SET current_check_in_id = $2, current_value = $3::text::numeric, current_confidence = 5, current_at = $4 WHERE id = $1", keyResult, id, value, at)
}

func (c *company) write(work db.Work) {
	require.NoError(c.t, c.store.Write(context.Background(), db.Scope{Organization: c.id}, work))
}

// fold tells of an event, as the outbox does.
func (c *company) fold(kind string, target uuid.UUID) {
	c.write(func(ctx context.Context, q *db.Queries) error {
		return figures.Fold()(ctx, q, outbox.Event{Organization: c.id, ID: uuid.New(), Kind: kind, Target: target})
	})
}

// drain does what figures have asked the outbox for, until there is nothing more, and returns how much that was.
func (c *company) drain() (n int) {
	for {
		var e outbox.Event
		err := c.Owner.QueryRow(context.Background(), `UPDATE outbox_events SET state = 'delivered', finished_at = now()
			WHERE id = (SELECT id FROM outbox_events WHERE organization_id = $1 AND state = 'waiting' AND kind = ANY ($2) ORDER BY created_at LIMIT 1)
			RETURNING id, kind, target_id`, c.id, []string{figures.RebuildKind, figures.ParentKind}).Scan(&e.ID, &e.Kind, &e.Target)
		if err == pgx.ErrNoRows { //nolint:errorlint // it comes as it is
			return n
		}
		require.NoError(c.t, err)
		n++
		c.fold(e.Kind, e.Target)
	}
}

// sums are what groups come to on a day.
func (c *company) sums(day time.Time, groups ...uuid.UUID) map[uuid.UUID]db.SumFiguresRow {
	all := map[uuid.UUID]db.SumFiguresRow{}
	number := int32(day.Sub(c.startsOn) / (24 * time.Hour))
	require.NoError(c.t, c.store.Read(context.Background(), db.Scope{Organization: c.id}, func(ctx context.Context, q *db.Queries) error {
		rows, err := q.SumFigures(ctx, db.SumFiguresParams{OrganizationID: c.id, CycleID: c.cycle, GroupIDs: groups, Day: number})
		for _, r := range rows {
			all[r.GroupID] = r
		}
		return err
	}))
	return all
}

func value[T any](c *company, query string, arguments ...any) (v T) {
	require.NoError(c.t, c.Owner.QueryRow(context.Background(), query, arguments...).Scan(&v), query)
	return v
}

func date(text string) time.Time {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err) // a literal of a test
	}
	return day
}
