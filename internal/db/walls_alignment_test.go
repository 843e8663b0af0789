package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// wallsOfAlignment links two of the demo's objectives, and adds a read of each query file of the alignment and the search.
func wallsOfAlignment(t *testing.T, database *pgtest.Database, home, owner uuid.UUID) map[string]func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	var supporter, supported, parent, keyResult uuid.UUID
	var term, name string
	for sql, into := range map[string][]any{
		"SELECT min(id::text)::uuid, max(id::text)::uuid FROM objectives WHERE organization_id = $1": {&supporter, &supported},
		"SELECT min(parent_objective_id::text)::uuid FROM objectives WHERE organization_id = $1":     {&parent},
		"SELECT min(id::text)::uuid FROM key_results WHERE organization_id = $1":                     {&keyResult},
		"SELECT min(term) FROM objective_terms WHERE organization_id = $1":                           {&term},
		"SELECT min(term) FROM name_terms WHERE organization_id = $1 AND kind = 'member'":            {&name},
	} {
		if err := database.Owner.QueryRow(t.Context(), sql, home).Scan(into...); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	if _, err := database.Owner.Exec(t.Context(), "INSERT INTO objective_links (organization_id, objective_id, supported_id, created_by) VALUES ($1, $2, $3, $4)", home, supporter, supported, owner); err != nil {
		t.Fatal(err)
	}
	return map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"objective_links.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ScanSupportedAfter(ctx, db.ScanSupportedAfterParams{OrganizationID: home, ObjectiveID: supporter, SeesAll: true, Scan: 10})
			return len(rows), err
		},
		"objective_links.sql, of each": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.CountLinksOfEach(ctx, db.CountLinksOfEachParams{OrganizationID: home, IDs: []uuid.UUID{supporter}, SeesAll: true})
			found := 0
			for _, r := range rows {
				found += int(r.Supported)
			}
			return found, err
		},
		"alignment.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ScanChildrenAfter(ctx, db.ScanChildrenAfterParams{OrganizationID: home, ParentID: parent, SeesAll: true, Scan: 10})
			return len(rows), err
		},
		"alignment.sql, titles": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListKeyResultTitles(ctx, db.ListKeyResultTitlesParams{OrganizationID: home, IDs: []uuid.UUID{keyResult}})
			return len(rows), err
		},
		"alignment.sql, contributors": func(ctx context.Context, q *db.Queries) (int, error) {
			contributed, err := q.HasContributors(ctx, db.HasContributorsParams{OrganizationID: home, ParentID: parent})
			if contributed {
				return 1, err
			}
			return 0, err
		},
		"search.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListNewestObjectivesWithTerm(ctx, db.ListNewestObjectivesWithTermParams{OrganizationID: home, Term: term})
			return len(rows), err
		},
		"search.sql, names": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListNewestNamesWithTerm(ctx, db.ListNewestNamesWithTermParams{OrganizationID: home, Kind: "member", Term: name})
			return len(rows), err
		},
	}
}

// What the search is made from is written by triggers alone: the program cannot put in what was not written, nor take out what was.
func TestTermsAreWrittenByTriggersAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	app := connect(t, b.AppURL)
	for _, sql := range []string{
		"INSERT INTO objective_terms (organization_id, term, objective_id) SELECT organization_id, 'x', id FROM objectives",
		"DELETE FROM objective_terms", "UPDATE objective_terms SET term = 'x'", "DELETE FROM name_terms", "UPDATE name_terms SET term = 'x'",
		"SELECT forget_terms(gen_random_uuid(), gen_random_uuid(), 'x')",
	} {
		if _, err := app.Exec(t.Context(), sql); err == nil {
			t.Errorf("%s: allowed", sql)
		}
	}
}
