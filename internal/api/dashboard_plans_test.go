package api_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
)

// counting is a transaction that counts the pages which its statements touch once PostgreSQL has stopped planning for single parameters.
type counting struct {
	t          *testing.T
	tx         pgx.Tx
	statements int
	pages      int
	plans      []string
}

func (c *counting) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return c.tx.Exec(ctx, sql, args...)
}
func (c *counting) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return c.tx.SendBatch(ctx, b)
}

func (c *counting) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	rows, err := c.tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	rows.Close()
	c.explain(sql, args)
	return c.tx.Query(ctx, sql, args...)
}

func (c *counting) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := c.tx.Query(ctx, sql, args...)
	require.NoError(c.t, err)
	rows.Close()
	c.explain(sql, args)
	return c.tx.QueryRow(ctx, sql, args...)
}

var (
	named   = regexp.MustCompile(`^-- name: (\w+)`)
	touched = regexp.MustCompile(`(?:hit|read)=(\d+)`)
)

func (c *counting) explain(sql string, args []any) {
	c.t.Helper()
	name := named.FindStringSubmatch(sql)[1]
	var prepared string
	require.NoError(c.t, c.tx.QueryRow(c.t.Context(), "SELECT p.name FROM pg_prepared_statements AS p WHERE p.statement = $1", sql).Scan(&prepared))
	var literals []string
	for _, arg := range args {
		literals = append(literals, literal(arg))
	}
	call := prepared
	if len(literals) > 0 {
		call += " (" + strings.Join(literals, ", ") + ")"
	}
	rows, err := c.tx.Query(c.t.Context(), "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE "+call, pgx.QueryExecModeSimpleProtocol)
	require.NoError(c.t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(c.t, err)
	pages := 0
	for _, line := range lines {
		if strings.Contains(line, "Buffers:") { // the first is that of the whole
			for _, n := range touched.FindAllStringSubmatch(line, -1) {
				some, _ := strconv.Atoi(n[1])
				pages += some
			}
			break
		}
	}
	c.statements++
	c.pages += pages
	c.plans = append(c.plans, fmt.Sprintf("%s: %d pages\n%s", name, pages, strings.Join(lines, "\n")))
}

func literal(arg any) string {
	switch v := arg.(type) {
	case []uuid.UUID:
		var ids []string
		for _, id := range v {
			ids = append(ids, id.String())
		}
		return "'{" + strings.Join(ids, ",") + "}'"
	case *uuid.UUID:
		if v == nil {
			return "NULL"
		}
		return "'" + v.String() + "'"
	case *string:
		if v == nil {
			return "NULL"
		}
		return "'" + *v + "'"
	case *time.Time:
		if v == nil {
			return "NULL"
		}
		return "'" + v.Format(time.RFC3339Nano) + "'"
	case time.Time:
		return "'" + v.Format(time.RFC3339Nano) + "'"
	case []byte:
		return `'\x` + hex.EncodeToString(v) + "'"
	}
	return fmt.Sprintf("'%v'", arg)
}

// crowd fills the organisation with so many approved objectives, three key results each, of a tenth as many people in a hundredth as many teams.
func (b *bundle) crowd(objectives int) {
	b.t.Helper()
	people, teams := objectives/10, objectives/100
	b.exec("INSERT INTO users (id, email, name) SELECT md5('u' || n)::uuid, 'u' || n || '@example.com', 'U' || n FROM generate_series(1, $1::int) AS n", people)
	b.exec("INSERT INTO memberships (organization_id, user_id, role) SELECT $1, md5('u' || n)::uuid, 'member' FROM generate_series(1, $2::int) AS n", b.id, people)
	b.exec("INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at) SELECT $1, sha256(('u' || n)::bytea), md5('u' || n)::uuid, md5('u' || n)::uuid, now() + interval '1 day' FROM generate_series(1, $2::int) AS n", b.id, people)
	b.exec("INSERT INTO teams (organization_id, id, name, changed_by) SELECT $1, md5('t' || n)::uuid, 'T' || n, $3 FROM generate_series(1, $2::int) AS n", b.id, teams, b.owner.id)
	b.exec("INSERT INTO team_members (organization_id, team_id, user_id, role) SELECT $1, md5('t' || (n - 1) / 10 + 1)::uuid, md5('u' || n)::uuid, CASE WHEN n % 10 = 1 THEN 'lead' ELSE 'member' END FROM generate_series(1, $2::int) AS n", b.id, people)
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, title, state, visibility, created_by, changed_by, changed_at)
		SELECT $1, gen_random_uuid(), $2, md5('t' || (n - 1) / 100 + 1)::uuid, md5('u' || (n - 1) / 10 + 1)::uuid, 'O' || n, 'approved', CASE WHEN n % 20 = 0 THEN 'private' ELSE 'organization' END,
			md5('u' || (n - 1) / 10 + 1)::uuid, md5('u' || (n - 1) / 10 + 1)::uuid, now() - interval '30 days' FROM generate_series(1, $3::int) AS n`, b.id, b.cycle, objectives)
	b.exec(`INSERT INTO key_results (organization_id, id, objective_id, position, title, kind, baseline, target, current_check_in_id, current_value, current_confidence, current_at)
		SELECT $1, gen_random_uuid(), o.id, n, 'K', 'metric', 0, 100, o.id, (hashtext(o.id::text || n) & 127), 5, now() - (hashtext(o.id::text) & 31) * interval '1 day'
		FROM objectives AS o CROSS JOIN generate_series(0, 2) AS n WHERE o.organization_id = $1`, b.id)
	b.exec(`INSERT INTO feed_entries (organization_id, id, objective_id, action, happened_at)
		SELECT $1, gen_random_uuid(), o.id, 'objective.approved', now() FROM objectives AS o WHERE o.organization_id = $1`, b.id)
	began := time.Now()
	conn, err := pgx.Connect(b.t.Context(), b.database.AppURL)
	require.NoError(b.t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	db.RegisterTypes(conn.TypeMap())
	require.NoError(b.t, pgx.BeginFunc(b.t.Context(), conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(b.t.Context(), "SELECT set_config('kakeai.organization_id', $1, true)", b.id.String()); err != nil {
			return err
		}
		return figures.Rebuild(b.t.Context(), db.New(tx), b.id, b.cycle)
	}))
	b.t.Logf("%d objectives computed in %s", objectives, time.Since(began).Round(time.Millisecond))
	b.exec("VACUUM ANALYZE")
}

// Of 20,000 objectives of 2,000 people the dashboard takes as many statements as of 1,000, and touches as many pages, give or take what an index is deeper.
func TestDashboardCostsTheSameHoweverManyObjectives(t *testing.T) {
	t.Parallel()
	type cost struct{ statements, pages int }
	measure := func(objectives int) map[string]cost {
		b := setup(t)
		b.crowd(objectives)
		lead := &person{bundle: b, id: value[uuid.UUID](b, "SELECT user_id FROM team_members WHERE team_id = md5('t1')::uuid AND role = 'lead'")}
		lead.token, _ = b.session(b.id, lead.id)
		costs := map[string]cost{}
		for who, p := range map[string]*person{"lead": lead, "admin": b.admin} {
			for what, run := range map[string]func(ctx context.Context, q *db.Queries, token auth.Token) error{
				"dashboard": func(ctx context.Context, q *db.Queries, token auth.Token) error {
					d, err := api.DashboardOf(ctx, q, token)
					assert.Len(t, d.Missing.CheckIns, 10)
					return err
				},
				"team": func(ctx context.Context, q *db.Queries, token auth.Token) error {
					v, err := api.TeamOverviewOf(ctx, q, token, value[uuid.UUID](b, "SELECT md5('t1')::uuid"))
					assert.Len(t, v.Objectives, 20)
					return err
				},
			} {
				token, err := auth.ParseToken(p.token)
				require.NoError(t, err)
				conn, err := pgx.Connect(t.Context(), b.database.AppURL)
				require.NoError(t, err)
				db.RegisterTypes(conn.TypeMap())
				tx, err := conn.Begin(t.Context())
				require.NoError(t, err)
				_, err = tx.Exec(t.Context(), "SELECT set_config('kakeai.organization_id', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true)", b.id.String())
				require.NoError(t, err)
				c := &counting{t: t, tx: tx}
				require.NoError(t, run(t.Context(), db.New(c), token))
				require.NoError(t, conn.Close(t.Context()))
				costs[what+" of "+who] = cost{c.statements, c.pages}
				t.Logf("%d objectives, %s of %s: %d statements, %d pages", objectives, what, who, c.statements, c.pages)
				if t.Failed() || c.pages > 2500 {
					t.Log(strings.Join(c.plans, "\n\n"))
				}
			}
		}
		return costs
	}
	few, many := measure(1000), measure(20_000)
	for what, c := range few {
		assert.Equal(t, c.statements, many[what].statements, what)
		assert.LessOrEqual(t, many[what].pages, c.pages+1000, what)
	}
}
