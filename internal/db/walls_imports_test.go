package db_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// wallsOfImports writes a file that is being run, with a row and a thing in it, and what is known of it, and returns the reads that find them at home.
func wallsOfImports(t *testing.T, database *pgtest.Database, home, user uuid.UUID) map[string]func(ctx context.Context, q *db.Queries) (int, error) {
	t.Helper()
	file, work := db.NewID(), db.NewID()
	for _, sql := range []string{
		"INSERT INTO imports (organization_id, id, format, state, work_id, created_by, changed_by) VALUES ($1, $2, 'csv', 'running', $3, $4, $4)",
		"INSERT INTO import_rows (organization_id, import_id, position, line, cells, result) SELECT $1, $2, 1, 1, '[]', 'refused' WHERE $3::uuid <> $4::uuid",
		`INSERT INTO import_entities (organization_id, work_id, kind, key, import_id, parent_key, position, entity_id, event_id, known, intent, change)
			SELECT $1, $3, k.kind, 'a', $2, 'a', 1, $4, $4, false, '{}', 'create' FROM (VALUES ('objective'), ('key_result'), ('check_in')) AS k (kind)`,
		"INSERT INTO external_ids (organization_id, source, kind, external_id, entity_id) SELECT $1, 'x', 'objective', 'a', $2 WHERE $3::uuid <> $4::uuid",
	} {
		if _, err := database.Owner.Exec(t.Context(), sql, home, file, work, user); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	one := func(err error) (int, error) { return 1, err }
	return map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"imports.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetImport(ctx, db.GetImportParams{OrganizationID: home, ID: file})
			return one(err)
		},
		"imports.sql, the list": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportsBefore(ctx, db.ListImportsBeforeParams{OrganizationID: home, BeforeID: uuid.Max, PageSize: 5})
			return len(rows), err
		},
		"imports.sql, one's own": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportsOfUserBefore(ctx, db.ListImportsOfUserBeforeParams{OrganizationID: home, UserID: user, BeforeID: uuid.Max, PageSize: 5})
			return len(rows), err
		},
		"imports.sql, by work": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetImportOfWork(ctx, db.GetImportOfWorkParams{OrganizationID: home, WorkID: work})
			return one(err)
		},
		"imports.sql, rows": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportRowsAfter(ctx, db.ListImportRowsAfterParams{OrganizationID: home, ImportID: file, PageSize: 5})
			return len(rows), err
		},
		"imports.sql, refused rows": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportRowsOfResultAfter(ctx, db.ListImportRowsOfResultAfterParams{OrganizationID: home, ImportID: file, Result: "refused", PageSize: 5})
			return len(rows), err
		},
		"imports.sql, what rows speak of": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportRowKeysAfter(ctx, db.ListImportRowKeysAfterParams{OrganizationID: home, ImportID: file, PageSize: 5})
			return len(rows), err
		},
		"imports.sql, external ids": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListExternalIDs(ctx, db.ListExternalIDsParams{OrganizationID: home, Source: "x", Kinds: []string{"objective"}, ExternalIDs: []string{"a"}})
			return len(rows), err
		},
		"imports.sql, things": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportEntities(ctx, db.ListImportEntitiesParams{OrganizationID: home, WorkID: work, Kind: "objective", Keys: []string{"a"}})
			return len(rows), err
		},
		"imports.sql, things in order": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportEntitiesAfter(ctx, db.ListImportEntitiesAfterParams{OrganizationID: home, WorkID: work, Kind: "objective", PageSize: 5})
			return len(rows), err
		},
		"imports.sql, what belongs to things": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportChildren(ctx, db.ListImportChildrenParams{OrganizationID: home, WorkID: work, Kind: "key_result", ParentKeys: []string{"a"}})
			return len(rows), err
		},
		"imports.sql, what is to be written": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportApplicableAfter(ctx, db.ListImportApplicableAfterParams{OrganizationID: home, WorkID: work, PageSize: 5})
			return len(rows), err
		},
		"imports.sql, check-ins to be written": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportCheckInsAfter(ctx, db.ListImportCheckInsAfterParams{OrganizationID: home, WorkID: work, PageSize: 5})
			return len(rows), err
		},
		"imports.sql, results": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.CountImportResults(ctx, db.CountImportResultsParams{OrganizationID: home, ImportID: file})
			return len(rows), err
		},
		"imports.sql, counts": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.CountImportEntities(ctx, db.CountImportEntitiesParams{OrganizationID: home, WorkID: work})
			return len(rows), err
		},
		"imports.sql, changes": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListImportChanges(ctx, db.ListImportChangesParams{OrganizationID: home, WorkID: work, Kind: "objective", Keys: []string{"a"}})
			return len(rows), err
		},
		"exports.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListExportObjectivesAfter(ctx, db.ListExportObjectivesAfterParams{OrganizationID: home, ActorID: user, SeesAll: true, PageSize: 5})
			return len(rows), err
		},
		"exports.sql, addresses": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListMemberEmails(ctx, db.ListMemberEmailsParams{OrganizationID: home, UserIDs: []uuid.UUID{user}})
			return len(rows), err
		},
	}
}
