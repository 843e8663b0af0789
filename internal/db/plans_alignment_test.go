package db_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// planned is a statement as the application has it prepared, once PostgreSQL has stopped planning for single parameters: how many pages it touches with these parameters, and its plan.
func planned(t *testing.T, url string, organization uuid.UUID, name string, run db.Work, args ...any) (pages int, plan string) {
	t.Helper()
	literals := make([]string, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case []uuid.UUID:
			ids := make([]string, len(v))
			for j, id := range v {
				ids[j] = id.String()
			}
			literals[i] = "'{" + strings.Join(ids, ",") + "}'"
		case []string:
			literals[i] = "'{" + strings.Join(v, ",") + "}'"
		case nil:
			literals[i] = "NULL"
		default:
			literals[i] = fmt.Sprintf("'%v'", v)
		}
	}
	conn := connect(t, url)
	db.RegisterTypes(conn.TypeMap())
	var lines []string
	err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL kakeai.organization_id = '"+organization.String()+"'"); err != nil {
			return err
		}
		if err := run(t.Context(), db.New(tx)); err != nil {
			return err
		}
		var prepared string
		if err := tx.QueryRow(t.Context(), "SELECT p.name FROM pg_prepared_statements AS p WHERE p.statement LIKE '-- name: ' || $1 || ' %'", name).Scan(&prepared); err != nil {
			return err
		}
		rows, err := tx.Query(t.Context(), fmt.Sprintf("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE %s (%s)", prepared, strings.Join(literals, ", ")), pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, line := range lines {
		if strings.Contains(line, "Buffers:") { // the first is that of the whole
			for _, n := range regexp.MustCompile(`(?:hit|read)=(\d+)`).FindAllStringSubmatch(line, -1) {
				some, _ := strconv.Atoi(n[1])
				pages += some
			}
			break
		}
	}
	return pages, strings.Join(lines, "\n")
}

// Among 20,000 objectives, a level of the alignment, a page of a list and what is looked for are found by indexes, beneath row-level security, in as many pages as what is shown asks for. What is beside them is not read.
func TestListsAndTheSearchUseIndexes(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	organization, owner, lead, team := db.NewID(), db.NewID(), db.NewID(), db.NewID()
	cycles := []uuid.UUID{db.NewID(), db.NewID()}
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := database.Owner.Exec(t.Context(), sql, args...); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	exec("INSERT INTO organizations (id, name) VALUES ($1, 'Nagoya Works')", organization)
	exec("INSERT INTO users (id, email, name) VALUES ($1, 'aoi@example.com', 'Aoi'), ($2, 'ken@example.com', 'Ken')", owner, lead)
	exec("INSERT INTO users (id, email, name) SELECT gen_random_uuid(), 'm' || i || '@example.com', 'Member ' || i FROM generate_series(1, 2000) AS i")
	exec("INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, 'member' FROM users", organization)
	exec("INSERT INTO teams (organization_id, id, name, changed_by) VALUES ($1, $2, 'Platform', $3)", organization, team, owner)
	for _, cycle := range cycles {
		exec("INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, changed_by) VALUES ($1, $2, 'Q4', '2026-10-01', '2026-12-31', $3)", organization, cycle, owner)
	}
	// Of 20,000 the first hundred are roots; two of the roots have 5,000 children each, of the first of which everybody sees a tenth.
	exec(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, team_id, title, visibility, parent_objective_id, created_by, changed_by)
		SELECT $1, ('0193f0a1-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, CASE WHEN i % 2 = 0 THEN $2::uuid ELSE $3::uuid END, CASE WHEN i % 100 = 7 THEN $4::uuid ELSE $5::uuid END,
		       CASE WHEN i % 50 = 7 THEN $6::uuid END, CASE WHEN i % 1000 = 0 THEN '海底トンネルを掘る ' ELSE '売上を伸ばす ' END || i,
		       CASE WHEN i > 100 AND i <= 5100 AND i % 10 <> 0 THEN 'private' ELSE 'organization' END,
		       CASE WHEN i <= 100 THEN NULL ELSE ('0193f0a1-0000-7000-8000-' || lpad(to_hex(CASE WHEN i <= 5100 THEN 1 WHEN i <= 10100 THEN 2 ELSE 3 + i % 90 END), 12, '0'))::uuid END, $4, $4
		FROM generate_series(1, 20000) AS i ORDER BY i`, organization, cycles[0], cycles[1], owner, lead, team)
	exec(`INSERT INTO key_results (organization_id, id, objective_id, position, title, kind, baseline, target)
		SELECT organization_id, gen_random_uuid(), id, 0, 'NPS ' || id, 'metric', 0, 100 FROM objectives`)
	exec(`INSERT INTO objective_links (organization_id, objective_id, supported_id, created_by)
		SELECT $1, o.id, '0193f0a1-0000-7000-8000-000000000001', $2 FROM objectives AS o WHERE o.id > '0193f0a1-0000-7000-8000-000000000100'`, organization, owner)
	exec("VACUUM ANALYZE")
	first := uuid.MustParse("0193f0a1-0000-7000-8000-000000000001")
	reader := db.NewID()
	none := []uuid.UUID{}
	scan := db.ScanObjectivesAfterParams{OrganizationID: organization, ActorID: reader, TeamIDs: none, LeadTeamIDs: none, CycleID: &cycles[0], TeamID: &team, OwnerID: &owner, Scan: 51}
	args := func(cycle, team, owner any, rest ...any) []any {
		return append([]any{false, nil, cycle, team, owner, reader, false, none, none, organization}, rest...)
	}
	some := make([]uuid.UUID, 50)
	for i := range some {
		some[i] = uuid.MustParse(fmt.Sprintf("0193f0a1-0000-7000-8000-%012x", i+1))
	}
	middle := uuid.MustParse("0193f0a1-0000-7000-8000-000000002710")
	for _, c := range []struct {
		name string
		most int
		run  db.Work
		args []any
	}{
		{"ScanObjectivesAfter", 60, func(ctx context.Context, q *db.Queries) error { _, err := q.ScanObjectivesAfter(ctx, scan); return err }, args(nil, nil, nil, middle, 51)},
		{"ScanObjectivesBefore", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanObjectivesBefore(ctx, db.ScanObjectivesBeforeParams(scan))
			return err
		}, args(nil, nil, nil, middle, 51)},
		{"ScanObjectivesOfCycleAfter", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanObjectivesOfCycleAfter(ctx, db.ScanObjectivesOfCycleAfterParams(scan))
			return err
		}, args(cycles[0], nil, nil, middle, 51)},
		{"ScanObjectivesOfCycleBefore", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanObjectivesOfCycleBefore(ctx, db.ScanObjectivesOfCycleBeforeParams(scan))
			return err
		}, args(cycles[0], nil, nil, middle, 51)},
		{"ScanObjectivesOfTeamAfter", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanObjectivesOfTeamAfter(ctx, db.ScanObjectivesOfTeamAfterParams(scan))
			return err
		}, args(nil, team, nil, middle, 51)},
		{"ScanObjectivesOfTeamBefore", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanObjectivesOfTeamBefore(ctx, db.ScanObjectivesOfTeamBeforeParams(scan))
			return err
		}, args(nil, team, nil, middle, 51)},
		{"ScanObjectivesOfOwnerAfter", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanObjectivesOfOwnerAfter(ctx, db.ScanObjectivesOfOwnerAfterParams(scan))
			return err
		}, args(nil, nil, owner, middle, 51)},
		{"ScanObjectivesOfOwnerBefore", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanObjectivesOfOwnerBefore(ctx, db.ScanObjectivesOfOwnerBeforeParams(scan))
			return err
		}, args(nil, nil, owner, middle, 51)},
		{"ScanObjectivesOfCycleByTitleAfter", 120, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanObjectivesOfCycleByTitleAfter(ctx, db.ScanObjectivesOfCycleByTitleAfterParams(scan))
			return err
		}, args(cycles[0], nil, nil, middle, 51)},
		{"ScanRootsAfter", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanRootsAfter(ctx, db.ScanRootsAfterParams(scan))
			return err
		}, args(cycles[0], nil, nil, uuid.Nil, 51)},
		{"ScanParentedAfter", 5000, func(ctx context.Context, q *db.Queries) error { // a thousand, with their parents
			_, err := q.ScanParentedAfter(ctx, db.ScanParentedAfterParams{OrganizationID: organization, CycleID: cycles[0], TeamIDs: none, LeadTeamIDs: none, Scan: 1000})
			return err
		}, []any{reader, false, none, none, organization, cycles[0], middle, 1000}},
		{"ScanChildrenAfter", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanChildrenAfter(ctx, db.ScanChildrenAfterParams{OrganizationID: organization, ParentID: first, TeamIDs: none, LeadTeamIDs: none, Scan: 51})
			return err
		}, args(nil, nil, nil, first, uuid.MustParse("0193f0a1-0000-7000-8000-000000000800"), 51)},
		{"ScanSupportersAfter", 300, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ScanSupportersAfter(ctx, db.ScanSupportersAfterParams{OrganizationID: organization, ObjectiveID: first, TeamIDs: none, LeadTeamIDs: none, Scan: 51})
			return err
		}, args(nil, nil, nil, first, middle, 51)},
		{"CountChildren", 700, func(ctx context.Context, q *db.Queries) error { // the first 200 of each of fifty
			_, err := q.CountChildren(ctx, db.CountChildrenParams{OrganizationID: organization, IDs: some, TeamIDs: none, LeadTeamIDs: none})
			return err
		}, []any{reader, false, none, none, organization, some}},
		{"CountLinksOfEach", 700, func(ctx context.Context, q *db.Queries) error { // at most fifty each way
			_, err := q.CountLinksOfEach(ctx, db.CountLinksOfEachParams{OrganizationID: organization, IDs: some, TeamIDs: none, LeadTeamIDs: none})
			return err
		}, []any{organization, reader, false, none, none, some}},
		{"ListPathUp", 40, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ListPathUp(ctx, db.ListPathUpParams{OrganizationID: organization, ID: middle, TeamIDs: none, LeadTeamIDs: none})
			return err
		}, []any{reader, false, none, none, organization, middle}},
		{"ListVisibleObjectives", 900, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ListVisibleObjectives(ctx, db.ListVisibleObjectivesParams{OrganizationID: organization, IDs: some, TeamIDs: none, LeadTeamIDs: none})
			return err
		}, []any{reader, false, none, none, organization, some}},
		{"CountObjectivesWithTerm", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.CountObjectivesWithTerm(ctx, db.CountObjectivesWithTermParams{OrganizationID: organization, Lows: []string{"海底"}, Highs: []string{"海底\x01"}, Places: []int32{0}})
			return err
		}, []any{organization, []string{"海底", "売上", "nps"}, []string{"海底" + "\x01", "売上" + "\x01", "nps\U0010ffff"}, "{0,1,2}"}},
		{"ListObjectivesWithTerm", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ListObjectivesWithTerm(ctx, db.ListObjectivesWithTermParams{OrganizationID: organization, Low: "海", High: "海\U0010ffff"})
			return err
		}, []any{organization, "海", "海\U0010ffff"}},
		{"ListNewestObjectivesWithTerm", 60, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ListNewestObjectivesWithTerm(ctx, db.ListNewestObjectivesWithTermParams{OrganizationID: organization, Term: "売上"})
			return err
		}, []any{organization, "売上"}},
		{"MatchObjectives", 900, func(ctx context.Context, q *db.Queries) error {
			_, err := q.MatchObjectives(ctx, db.MatchObjectivesParams{OrganizationID: organization, IDs: some, TeamIDs: none, LeadTeamIDs: none, Words: []string{"売上"}, Whole: " 売上 "})
			return err
		}, []any{organization, some, nil, nil, reader, false, none, none, " 売上 ", []string{"売上"}, false}},
		{"ListNamesWithTerm", 30, func(ctx context.Context, q *db.Queries) error {
			_, err := q.ListNamesWithTerm(ctx, db.ListNamesWithTermParams{OrganizationID: organization, Kind: "member", Low: "ke", High: "ke\U0010ffff"})
			return err
		}, []any{organization, "member", "ke", "ke\U0010ffff"}},
		{"MatchMembers", 400, func(ctx context.Context, q *db.Queries) error {
			_, err := q.MatchMembers(ctx, db.MatchMembersParams{OrganizationID: organization, IDs: []uuid.UUID{owner, lead}, Words: []string{"ken"}, Whole: " ken "})
			return err
		}, []any{" ken ", []string{"ken"}, organization, []uuid.UUID{owner, lead}, nil}},
	} {
		pages, plan := planned(t, database.AppURL, organization, c.name, c.run, c.args...)
		t.Logf("%s: %d pages", c.name, pages)
		if pages == 0 || pages > c.most || strings.Contains(plan, "Seq Scan on objective") || strings.Contains(plan, "Seq Scan on name_terms") {
			t.Errorf("%s touches %d pages, at most %d are allowed, found by indexes:\n%s", c.name, pages, c.most, plan)
		}
	}
}
