package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

const testSchema = `-- migrate:up
CREATE TABLE organizations (id uuid PRIMARY KEY, name text);
CREATE TABLE users (id uuid PRIMARY KEY, name text);
CREATE TABLE objectives (organization_id uuid, id uuid, parent_id uuid, title text, revision bigint, PRIMARY KEY (organization_id, id));
CREATE TABLE key_results (organization_id uuid, id uuid, objective_id uuid, title text, PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, objective_id) REFERENCES objectives (organization_id, id));
CREATE TABLE comments (organization_id uuid, id uuid, objective_id uuid, body text, PRIMARY KEY (organization_id, id));
CREATE TABLE ai_jobs (organization_id uuid, id uuid, state text, PRIMARY KEY (organization_id, id));
ALTER TABLE objectives ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_results ENABLE ROW LEVEL SECURITY;
ALTER TABLE comments ENABLE ROW LEVEL SECURITY;
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organizations USING (id = (SELECT current_organization()));
CREATE POLICY tenant ON objectives USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON key_results USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON comments USING (organization_id = (SELECT current_organization()));
-- migrate:down
DROP TABLE ai_jobs, comments, key_results, objectives, users, organizations;
`

const testExceptions = "table ai_jobs: holds ids only\n"

// complaints checks the files laid over the test's schema, and returns "file:line: message" for each finding.
func complaints(t *testing.T, files map[string]string) string {
	t.Helper()
	fsys := fstest.MapFS{
		"schema/1.sql": {Data: []byte(testSchema)},
		exceptionsFile: {Data: []byte(testExceptions)},
	}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	found, _, err := check(fsys)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range found {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// expect wants no complaint at all, or exactly one per line of want, in which that line occurs.
func expect(t *testing.T, got, want string) {
	t.Helper()
	if want == "" {
		if got != "" {
			t.Errorf("complains about what is right:\n%s", got)
		}
		return
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(gotLines) != len(wantLines) {
		t.Fatalf("got:\n%s\nwant:\n%s", got, want)
	}
	for i, line := range wantLines {
		if !strings.Contains(gotLines[i], line) {
			t.Errorf("got:\n%s\nwant: %s", gotLines[i], line)
		}
	}
}

func TestOrganizations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, sql, want string }{
		{"parameter", `SELECT o.* FROM objectives AS o WHERE o.organization_id = @organization_id::uuid AND o.id = @id::uuid`, ""},
		{"parameter first", `SELECT o.* FROM objectives AS o WHERE @organization_id::uuid = o.organization_id`, ""},
		{"cast outside", `SELECT o.* FROM objectives AS o WHERE o.organization_id = (@organization_id)::uuid`, ""},
		{"sqlc.arg", `SELECT o.* FROM objectives AS o WHERE o.organization_id = sqlc.arg(organization_id)::uuid`, ""},
		{"row equality", `SELECT o.* FROM objectives AS o WHERE (o.organization_id, o.id) = (@organization_id::uuid, @id::uuid)`, ""},
		{"nested and", `SELECT o.* FROM objectives AS o WHERE (o.organization_id = @organization_id::uuid AND o.id = @id::uuid) AND (o.title = 'a' OR o.title = 'b')`, ""},
		{"no predicate", `SELECT o.* FROM objectives AS o WHERE o.id = @id::uuid`, "queries/q.sql:3: Q: objectives AS o needs o.organization_id"},
		{"no where", `SELECT count(*) FROM objectives AS o`, "objectives AS o needs"},
		{"under or", `SELECT o.* FROM objectives AS o WHERE o.organization_id = @organization_id::uuid OR o.id = @id::uuid`, "objectives AS o needs"},
		{"under not", `SELECT o.* FROM objectives AS o WHERE NOT (o.organization_id = @organization_id::uuid)`, "objectives AS o needs"},
		{"under case", `SELECT o.* FROM objectives AS o WHERE CASE WHEN @everything::bool THEN true ELSE o.organization_id = @organization_id::uuid END`, "objectives AS o needs"},
		{"not equal", `SELECT o.* FROM objectives AS o WHERE o.organization_id <> @organization_id::uuid`, "objectives AS o needs"},
		{"distinct from", `SELECT o.* FROM objectives AS o WHERE o.organization_id IS NOT DISTINCT FROM @organization_id::uuid`, "objectives AS o needs"},
		{"any of many", `SELECT o.* FROM objectives AS o WHERE o.organization_id = ANY (@organization_id::uuid[])`, "objectives AS o needs"},
		{"nullable parameter", `SELECT o.* FROM objectives AS o WHERE o.organization_id = sqlc.narg(organization_id)::uuid`, "objectives AS o needs"},
		{"coalesced away", `SELECT o.* FROM objectives AS o WHERE o.organization_id = coalesce(@organization_id::uuid, o.organization_id)`, "objectives AS o needs"},
		{"another parameter", `SELECT o.* FROM objectives AS o WHERE o.organization_id = @id::uuid`, "objectives AS o needs"},
		{"another column", `SELECT o.* FROM objectives AS o WHERE o.id = @organization_id::uuid`, "objectives AS o needs"},
		{"itself", `SELECT o.* FROM objectives AS o WHERE o.organization_id = o.organization_id`, "objectives AS o needs"},
		{"having", `SELECT o.organization_id FROM objectives AS o GROUP BY o.organization_id HAVING o.organization_id = @organization_id::uuid`, "objectives AS o needs"},
		{"unqualified", `SELECT o.* FROM objectives AS o WHERE organization_id = @organization_id::uuid`, "objectives AS o needs"},
		{"above organisations", `SELECT u.* FROM users AS u WHERE u.id = @id::uuid`, ""},
		{"organisation", `SELECT g.* FROM organizations AS g WHERE g.id = @organization_id::uuid`, ""},
		{"organisation of another parameter", `SELECT g.* FROM organizations AS g WHERE g.id = @id::uuid`, "organizations AS g needs g.id"},
		{"organisation joined", `SELECT g.name FROM objectives AS o JOIN organizations AS g ON g.id = o.organization_id WHERE o.organization_id = @organization_id::uuid`, ""},
		{"organisation joined without", `SELECT g.name FROM objectives AS o CROSS JOIN organizations AS g WHERE o.organization_id = @organization_id::uuid`, "organizations AS g needs"},
		{"organisation made", `INSERT INTO organizations (id, name) VALUES (@organization_id::uuid, @name::text)`, ""},
		{"catalog", `SELECT c.relname FROM pg_class AS c`, ""},
		{"unknown table", `SELECT x.* FROM goals AS x`, "the schema has no table goals"},

		{"join", `SELECT o.id, k.id FROM objectives AS o JOIN key_results AS k ON k.organization_id = o.organization_id AND k.objective_id = o.id
			WHERE o.organization_id = @organization_id::uuid`, ""},
		{"join tied from the other side", `SELECT o.id, k.id FROM objectives AS o JOIN key_results AS k ON k.organization_id = o.organization_id
			WHERE k.organization_id = @organization_id::uuid`, ""},
		{"join without", `SELECT o.id, k.id FROM objectives AS o JOIN key_results AS k ON k.objective_id = o.id
			WHERE o.organization_id = @organization_id::uuid`, "key_results AS k needs"},
		{"join tied to nothing", `SELECT o.id, k.id FROM objectives AS o JOIN key_results AS k ON k.organization_id = o.organization_id`,
			"objectives AS o needs\nkey_results AS k needs"},
		{"join under or", `SELECT o.id FROM objectives AS o JOIN key_results AS k ON k.organization_id = o.organization_id OR k.objective_id = o.id
			WHERE o.organization_id = @organization_id::uuid`, "key_results AS k needs"},
		{"chain of joins", `SELECT c.id FROM objectives AS o JOIN key_results AS k ON k.organization_id = o.organization_id
			JOIN comments AS c ON c.organization_id = k.organization_id WHERE o.organization_id = @organization_id::uuid`, ""},
		{"broken chain", `SELECT c.id FROM objectives AS o JOIN key_results AS k ON k.objective_id = o.id
			JOIN comments AS c ON c.organization_id = k.organization_id WHERE o.organization_id = @organization_id::uuid`,
			"key_results AS k needs\ncomments AS c needs"},
		{"comma", `SELECT o.id FROM objectives AS o, key_results AS k WHERE o.organization_id = @organization_id::uuid AND k.organization_id = o.organization_id`, ""},
		{"comma without", `SELECT o.id FROM objectives AS o, key_results AS k WHERE o.organization_id = @organization_id::uuid`, "key_results AS k needs"},
		{"cross join", `SELECT o.id FROM objectives AS o CROSS JOIN key_results AS k WHERE o.organization_id = @organization_id::uuid`, "key_results AS k needs"},
		{"using", `SELECT o.id FROM objectives AS o JOIN key_results AS k USING (organization_id) WHERE o.organization_id = @organization_id::uuid`, "key_results AS k needs"},
		{"self join", `SELECT o.id FROM objectives AS o JOIN objectives AS p ON p.id = o.parent_id WHERE o.organization_id = @organization_id::uuid`, "objectives AS p needs"},

		{"left join", `SELECT o.id, k.id FROM objectives AS o LEFT JOIN key_results AS k ON k.organization_id = o.organization_id AND k.objective_id = o.id
			WHERE o.organization_id = @organization_id::uuid`, ""},
		{"left join tied in where", `SELECT o.id, k.id FROM objectives AS o LEFT JOIN key_results AS k ON k.objective_id = o.id
			WHERE o.organization_id = @organization_id::uuid AND k.organization_id = @organization_id::uuid`, "key_results AS k needs its organization_id in the ON"},
		{"left join ties nothing on the left", `SELECT o.id, k.id FROM objectives AS o LEFT JOIN key_results AS k
			ON k.organization_id = @organization_id::uuid AND o.organization_id = @organization_id::uuid`, "objectives AS o needs"},
		{"right join", `SELECT o.id, k.id FROM key_results AS k RIGHT JOIN objectives AS o ON k.organization_id = o.organization_id
			WHERE o.organization_id = @organization_id::uuid`, ""},
		{"full join", `SELECT o.id, k.id FROM objectives AS o FULL JOIN key_results AS k ON k.organization_id = o.organization_id
			AND o.organization_id = @organization_id::uuid`, "objectives AS o needs its\nkey_results AS k needs its"},
		{"full join of sub-selects", `SELECT o.id, k.id FROM (SELECT i.* FROM objectives AS i WHERE i.organization_id = @organization_id::uuid) AS o
			FULL JOIN (SELECT i.* FROM key_results AS i WHERE i.organization_id = @organization_id::uuid) AS k ON k.objective_id = o.id`, ""},
		{"inner join beneath a left join", `SELECT o.id FROM objectives AS o LEFT JOIN (key_results AS k JOIN comments AS c ON c.organization_id = k.organization_id)
			ON k.organization_id = o.organization_id WHERE o.organization_id = @organization_id::uuid`, ""},
		{"left join beneath a left join", `SELECT o.id FROM objectives AS o LEFT JOIN (key_results AS k LEFT JOIN comments AS c ON c.objective_id = k.objective_id)
			ON k.organization_id = o.organization_id AND c.organization_id = o.organization_id WHERE o.organization_id = @organization_id::uuid`, "comments AS c needs its"},

		{"exists", `SELECT u.* FROM users AS u WHERE EXISTS (SELECT FROM objectives AS o WHERE o.organization_id = @organization_id::uuid)`, ""},
		{"exists without", `SELECT u.* FROM users AS u WHERE EXISTS (SELECT FROM objectives AS o WHERE o.id = u.id)`, "objectives AS o needs"},
		{"exists, correlated", `SELECT o.* FROM objectives AS o WHERE o.organization_id = @organization_id::uuid
			AND EXISTS (SELECT FROM key_results AS k WHERE k.organization_id = o.organization_id)`, ""},
		{"exists ties nothing outside", `SELECT o.* FROM objectives AS o WHERE EXISTS (SELECT FROM key_results AS k
			WHERE k.organization_id = @organization_id::uuid AND o.organization_id = k.organization_id)`, "objectives AS o needs"},
		{"alias hidden by an inner one", `SELECT o.* FROM objectives AS o WHERE o.organization_id = @organization_id::uuid
			AND EXISTS (SELECT FROM key_results AS k, comments AS o WHERE k.organization_id = o.organization_id)`, "key_results AS k needs\ncomments AS o needs"},
		{"in sub-select", `SELECT u.* FROM users AS u WHERE u.id IN (SELECT o.id FROM objectives AS o)`, "objectives AS o needs"},
		{"scalar sub-select", `SELECT u.id, (SELECT count(*) FROM objectives AS o) AS n FROM users AS u`, "objectives AS o needs"},
		{"sub-select in order by", `SELECT u.id FROM users AS u ORDER BY (SELECT max(o.id) FROM objectives AS o)`, "objectives AS o needs"},
		{"sub-select in case", `SELECT CASE WHEN EXISTS (SELECT FROM objectives AS o) THEN 1 END FROM users AS u`, "objectives AS o needs"},
		{"array of sub-select", `SELECT ARRAY(SELECT o.id FROM objectives AS o) FROM users AS u`, "objectives AS o needs"},
		{"sub-select in a function in from", `SELECT x.id FROM unnest(ARRAY(SELECT o.id FROM objectives AS o)) AS x (id)`, "objectives AS o needs"},
		{"from sub-select", `SELECT s.id FROM (SELECT o.id FROM objectives AS o) AS s`, "objectives AS o needs"},
		{"lateral", `SELECT o.id, l.id FROM objectives AS o CROSS JOIN LATERAL (SELECT k.id FROM key_results AS k WHERE k.organization_id = o.organization_id LIMIT 1) AS l
			WHERE o.organization_id = @organization_id::uuid`, ""},
		{"lateral without", `SELECT o.id, l.id FROM objectives AS o CROSS JOIN LATERAL (SELECT k.id FROM key_results AS k WHERE k.objective_id = o.id LIMIT 1) AS l
			WHERE o.organization_id = @organization_id::uuid`, "key_results AS k needs"},
		{"tied through lateral", `SELECT c.id FROM objectives AS o CROSS JOIN LATERAL (SELECT k.organization_id FROM key_results AS k WHERE k.organization_id = o.organization_id LIMIT 1) AS l
			JOIN comments AS c ON c.organization_id = l.organization_id WHERE o.organization_id = @organization_id::uuid`, ""},

		{"cte", `WITH mine AS (SELECT o.* FROM objectives AS o WHERE o.organization_id = @organization_id::uuid) SELECT m.* FROM mine AS m`, ""},
		{"cte without", `WITH mine AS (SELECT o.* FROM objectives AS o) SELECT m.* FROM mine AS m`, "objectives AS o needs"},
		{"cte not used", `WITH mine AS (SELECT o.* FROM objectives AS o) SELECT 1`, "objectives AS o needs"},
		{"tied through a cte", `WITH mine AS (SELECT o.* FROM objectives AS o WHERE o.organization_id = @organization_id::uuid)
			SELECT k.* FROM mine AS m JOIN key_results AS k ON k.organization_id = m.organization_id`, ""},
		{"tied through a renamed column", `WITH mine (org) AS (SELECT o.organization_id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid)
			SELECT k.* FROM mine AS m JOIN key_results AS k ON k.organization_id = m.org`, ""},
		{"cte hands out something else by the name", `WITH mine AS (SELECT o.parent_id AS organization_id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid)
			SELECT k.* FROM mine AS m JOIN key_results AS k ON k.organization_id = m.organization_id`, "key_results AS k needs"},
		{"cte of parameters", `WITH input AS (SELECT @organization_id::uuid AS organization_id) SELECT k.* FROM input AS i JOIN key_results AS k ON k.organization_id = i.organization_id`, ""},
		{"cte with a table's name", `WITH objectives AS (SELECT o.* FROM objectives AS o WHERE o.organization_id = @organization_id::uuid) SELECT x.* FROM objectives AS x`, ""},
		{"cte with a table's name, unchecked inside", `WITH objectives AS (SELECT o.* FROM objectives AS o) SELECT x.* FROM objectives AS x`, "objectives AS o needs"},
		{"schema's table behind a cte's name", `WITH objectives AS (SELECT 1 AS id) SELECT x.* FROM public.objectives AS x`, "objectives AS x needs"},
		{"cte of a change", `WITH gone AS (DELETE FROM comments AS c WHERE c.organization_id = @organization_id::uuid RETURNING c.*)
			SELECT k.* FROM gone AS g JOIN key_results AS k ON k.organization_id = g.organization_id`, ""},
		{"cte of a change without", `WITH gone AS (DELETE FROM comments AS c WHERE c.id = @id::uuid RETURNING c.id) SELECT g.id FROM gone AS g`, "comments AS c needs"},

		{"union", `SELECT o.id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid UNION ALL SELECT k.id FROM key_results AS k WHERE k.organization_id = @organization_id::uuid`, ""},
		{"union, second arm without", `SELECT o.id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid UNION ALL SELECT k.id FROM key_results AS k`, "key_results AS k needs"},
		{"except, second arm without", `SELECT o.id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid EXCEPT SELECT k.id FROM key_results AS k`, "key_results AS k needs"},
		{"tied through both arms", `SELECT c.id FROM (SELECT o.organization_id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid UNION SELECT @organization_id::uuid) AS u
			JOIN comments AS c ON c.organization_id = u.organization_id`, ""},
		{"tied through one arm only", `SELECT c.id FROM (SELECT o.organization_id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid UNION SELECT @id::uuid) AS u
			JOIN comments AS c ON c.organization_id = u.organization_id`, "comments AS c needs"},
		{"recursive", `WITH RECURSIVE tree AS (
			SELECT o.organization_id, o.id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid AND o.id = @id::uuid
			UNION ALL SELECT c.organization_id, c.id FROM tree AS t JOIN objectives AS c ON c.organization_id = t.organization_id AND c.parent_id = t.id)
			SELECT k.id FROM tree AS t JOIN key_results AS k ON k.organization_id = t.organization_id`, ""},
		{"recursive, second arm without", `WITH RECURSIVE tree AS (
			SELECT o.organization_id, o.id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid AND o.id = @id::uuid
			UNION ALL SELECT c.organization_id, c.id FROM tree AS t JOIN objectives AS c ON c.parent_id = t.id)
			SELECT t.id FROM tree AS t`, "objectives AS c needs"},
		{"recursive, first arm without", `WITH RECURSIVE tree AS (
			SELECT o.organization_id, o.id FROM objectives AS o WHERE o.id = @id::uuid
			UNION ALL SELECT c.organization_id, c.id FROM tree AS t JOIN objectives AS c ON c.organization_id = t.organization_id AND c.parent_id = t.id)
			SELECT t.id FROM tree AS t`, "objectives AS o needs\nobjectives AS c needs"},
		{"recursive, handing on something else", `WITH RECURSIVE tree AS (
			SELECT o.organization_id, o.id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid
			UNION ALL SELECT c.parent_id, c.id FROM tree AS t JOIN objectives AS c ON c.organization_id = t.organization_id)
			SELECT t.id FROM tree AS t`, "objectives AS c needs"},

		{"insert", `INSERT INTO comments (organization_id, id) VALUES (@organization_id::uuid, @id::uuid)`, ""},
		{"insert without the column", `INSERT INTO comments (id) VALUES (@id::uuid)`, "inserted into comments as organization_id is not certain"},
		{"insert without columns", `INSERT INTO comments VALUES (@organization_id::uuid, @id::uuid)`, "inserted into comments"},
		{"insert of defaults", `INSERT INTO comments DEFAULT VALUES`, "inserted into comments"},
		{"insert of another parameter", `INSERT INTO comments (organization_id, id) VALUES (@id::uuid, @organization_id::uuid)`, "inserted into comments"},
		{"insert of rows, one astray", `INSERT INTO comments (organization_id, id) VALUES (@organization_id::uuid, @id::uuid), (@other::uuid, @id::uuid)`, "inserted into comments"},
		{"insert from select", `INSERT INTO comments (organization_id, id) SELECT o.organization_id, o.id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid`, ""},
		{"insert from select without", `INSERT INTO comments (organization_id, id) SELECT @organization_id::uuid, o.id FROM objectives AS o`, "objectives AS o needs"},
		{"insert carrying rows over", `INSERT INTO comments (organization_id, id) SELECT o.organization_id, o.id FROM objectives AS o`, "inserted into comments\nobjectives AS o needs"},
		{"insert of unnested", `INSERT INTO comments (organization_id, id) SELECT @organization_id::uuid, unnest(@ids::uuid[])`, ""},
		{"upsert", `INSERT INTO comments AS c (organization_id, id, body) VALUES (@organization_id::uuid, @id::uuid, @body::text)
			ON CONFLICT (organization_id, id) DO UPDATE SET body = excluded.body`, ""},
		{"upsert on another key", `INSERT INTO comments AS c (organization_id, id, body) VALUES (@organization_id::uuid, @id::uuid, @body::text)
			ON CONFLICT (id) DO UPDATE SET body = excluded.body`, "name organization_id among the columns of ON CONFLICT"},
		{"insert in a cte", `WITH c AS (INSERT INTO comments (organization_id, id) VALUES (@id::uuid, @id::uuid))
			INSERT INTO ai_jobs (organization_id, id) VALUES (@organization_id::uuid, @id::uuid)`, "inserted into comments"},

		{"update", `UPDATE objectives AS o SET title = @title::text WHERE o.organization_id = @organization_id::uuid AND o.id = @id::uuid RETURNING o.*`, ""},
		{"update without", `UPDATE objectives AS o SET title = @title::text WHERE o.id = @id::uuid`, "objectives AS o needs"},
		{"update from", `UPDATE objectives AS o SET title = k.title FROM key_results AS k WHERE o.organization_id = @organization_id::uuid AND k.organization_id = o.organization_id`, ""},
		{"update from without", `UPDATE objectives AS o SET title = k.title FROM key_results AS k WHERE o.organization_id = @organization_id::uuid AND k.objective_id = o.id`, "key_results AS k needs"},
		{"update of the organisation", `UPDATE objectives AS o SET organization_id = @other::uuid WHERE o.organization_id = @organization_id::uuid`, "a row stays in its organisation"},
		{"update, sub-select in set", `UPDATE objectives AS o SET title = (SELECT k.title FROM key_results AS k) WHERE o.organization_id = @organization_id::uuid`, "key_results AS k needs"},
		{"update, sub-select in returning", `UPDATE objectives AS o SET title = '' WHERE o.organization_id = @organization_id::uuid RETURNING (SELECT max(k.title) FROM key_results AS k)`, "key_results AS k needs"},
		{"delete", `DELETE FROM comments AS c WHERE c.organization_id = @organization_id::uuid AND c.id = @id::uuid`, ""},
		{"delete without", `DELETE FROM comments AS c WHERE c.id = @id::uuid`, "comments AS c needs"},
		{"delete using", `DELETE FROM comments AS c USING objectives AS o WHERE c.organization_id = o.organization_id AND o.organization_id = @organization_id::uuid`, ""},
		{"delete using without", `DELETE FROM comments AS c USING objectives AS o WHERE c.organization_id = @organization_id::uuid AND o.id = c.objective_id`, "objectives AS o needs"},

		{"locking", `SELECT o.id FROM objectives AS o WHERE o.organization_id = @organization_id::uuid FOR UPDATE OF o`, ""},
		{"table sample", `SELECT o.id FROM objectives AS o TABLESAMPLE system (1) WHERE o.organization_id = @organization_id::uuid`, "cannot tell what objectives is used for"},
		{"merge", `MERGE INTO objectives AS o USING users AS u ON o.id = u.id WHEN MATCHED THEN DELETE`, "reads SELECT, INSERT, UPDATE and DELETE only\ncannot tell what objectives\ncannot tell what users"},
		{"select into", `SELECT o.id INTO copied FROM objectives AS o WHERE o.organization_id = @organization_id::uuid`, "cannot tell what copied"},
		{"truncate", `TRUNCATE objectives`, "reads SELECT, INSERT, UPDATE and DELETE only\ncannot tell what objectives"},
		{"alias of a join", `SELECT j.id FROM (objectives AS o JOIN users AS u ON u.id = o.id) AS j WHERE j.organization_id = @organization_id::uuid`,
			"does not follow the alias j\nobjectives AS o needs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, complaints(t, map[string]string{"queries/q.sql": "-- name: Q :one\n-- For the test.\n" + c.sql + ";\n"}), c.want)
		})
	}
}

func TestForm(t *testing.T) {
	t.Parallel()
	const tied = "o.organization_id = @organization_id::uuid"
	for _, c := range []struct{ name, text, want string }{
		{"no name", "SELECT 1;", "queries/q.sql:1: a statement without a line -- name:"},
		{"second statement without a name", "-- name: Q :one\n-- One.\nSELECT 1;\n\n-- Two.\nSELECT 2;", "q.sql:6: a statement without"},
		{"no comment", "-- name: Q :one\nSELECT 1;", "q.sql:1: Q: a comment directly under the name"},
		{"empty comment", "-- name: Q :one\n--\nSELECT 1;", "a comment directly under"},
		{"comment further down", "-- name: Q :one\n\n-- Late.\nSELECT 1;", "a comment directly under"},
		{"broken", "-- name: Q :one\n-- Broken.\nSELECT FROM WHERE;", "q.sql:3: syntax error"},
		{"no alias", "-- name: Q :one\n-- Bare.\nSELECT users.* FROM users;", "q.sql:3: Q: table users needs an alias"},
		{"no alias in a change", "-- name: Q :exec\n-- Bare.\nDELETE FROM users WHERE users.id = @id::uuid;", "table users needs an alias"},
		{"no cast", "-- name: Q :one\n-- Bare.\nSELECT u.* FROM users AS u WHERE u.id = @id;", "parameter id needs a cast"},
		{"no cast on narg", "-- name: Q :one\n-- Bare.\nSELECT u.* FROM users AS u WHERE u.name = sqlc.narg(name);", "parameter name needs a cast"},
		{"narg in quotes", "-- name: Q :one\n-- Quoted.\nSELECT u.* FROM users AS u WHERE u.name = sqlc.narg('name')::text;", ""},
		{"cast twice", "-- name: Q :one\n-- Twice.\nSELECT @x::text::uuid, (@y)::int, sqlc.arg(z)::int::bigint;", ""},
		{"no cast in a call", "-- name: Q :one\n-- Bare.\nSELECT lower(@x);", "parameter x needs a cast"},
		{"lost space", "-- name: Q :one\n-- Lost.\nSELECT u.* FROM users AS u WHERE u.id =@id::uuid;", "a space is missing before @id"},
		{"lost space to a real operator", "-- name: Q :one\n-- Lost.\nSELECT u.* FROM users AS u WHERE u.id <@id::uuid;", "a space is missing before @id"},
		{"real operator", "-- name: Q :one\n-- Real.\nSELECT ARRAY[1] <@ ARRAY[1, 2];", ""},
		{"operator behind", "-- name: Q :one\n-- Greedy.\nSELECT @x::int + 1;", "@ takes in the operator behind it"},
		{"operator before", "-- name: Q :one\n-- Fine.\nSELECT 1 + @x::int, (@y::int) + 1, @a::text || @b::text;", ""},
		{"word of SQL", "-- name: Q :one\n-- Reserved.\nSELECT u.* FROM users AS u WHERE u.name = @user::text;", "a name that is no word of SQL"},
		{"slice", "-- name: Q :one\n-- Slice.\nSELECT u.* FROM users AS u WHERE u.id IN (sqlc.slice(ids));", "sqlc.slice fails at run time"},
		{"numbered", "-- name: Q :one\n-- Numbered.\nSELECT u.* FROM users AS u WHERE u.id = $1::uuid;", "give parameter $1 a name"},
		{"embed", "-- name: Q :one\n-- Embeds.\nSELECT sqlc.embed(o), sqlc.embed(u) FROM objectives AS o LEFT JOIN users AS u ON u.id = o.id WHERE " + tied + ";", "sqlc.embed(u) is on the nullable side"},

		{"many", "-- name: Q :many\n-- Page.\nSELECT u.* FROM users AS u LIMIT least(@page_size::int, 200);", ""},
		{"many, constant", "-- name: Q :many\n-- Page.\nSELECT u.* FROM users AS u LIMIT 100;", ""},
		{"many, no limit", "-- name: Q :many\n-- All.\nSELECT u.* FROM users AS u;", "q.sql:1: Q: :many needs a LIMIT"},
		{"many, limit inside only", "-- name: Q :many\n-- All.\nSELECT u.* FROM users AS u JOIN (SELECT v.id FROM users AS v LIMIT 1) AS w ON true;", ":many needs a LIMIT"},
		{"many, limit all", "-- name: Q :many\n-- All.\nSELECT u.* FROM users AS u LIMIT ALL;", ":many needs a LIMIT"},
		{"many, the caller's limit", "-- name: Q :many\n-- All.\nSELECT u.* FROM users AS u LIMIT @page_size::int;", ":many needs a LIMIT"},
		{"many, with ties", "-- name: Q :many\n-- All.\nSELECT u.* FROM users AS u ORDER BY u.name FETCH FIRST 5 ROWS WITH TIES;", ":many needs a LIMIT"},
		{"many, union limited in one arm", "-- name: Q :many\n-- All.\nSELECT u.id FROM users AS u UNION (SELECT v.id FROM users AS v LIMIT 1);", ":many needs a LIMIT"},
		{"many, union limited", "-- name: Q :many\n-- All.\nSELECT u.id FROM users AS u UNION SELECT v.id FROM users AS v LIMIT 10;", ""},
		{"batchmany", "-- name: Q :batchmany\n-- All.\nSELECT u.* FROM users AS u;", ":many needs a LIMIT"},
		{"many deleted", "-- name: Q :many\n-- All.\nDELETE FROM comments AS o WHERE " + tied + " RETURNING o.id;", ":many needs a bounded set"},
		{"many deleted, by ids", "-- name: Q :many\n-- Some.\nDELETE FROM comments AS o WHERE " + tied + " AND o.id = ANY (@ids::uuid[]) RETURNING o.id;", ""},
		{"many deleted, by a limited sub-select", "-- name: Q :many\n-- Some.\nDELETE FROM users AS u WHERE u.id IN (SELECT v.id FROM users AS v LIMIT 100) RETURNING u.id;", ""},
		{"many deleted, by a sub-select", "-- name: Q :many\n-- Some.\nDELETE FROM users AS u WHERE u.id IN (SELECT v.id FROM users AS v) RETURNING u.id;", ":many needs a bounded set"},
		{"many updated, by a limited cte", "-- name: Q :many\n-- Some.\nWITH due AS (SELECT u.id FROM users AS u LIMIT 100) UPDATE users AS u SET name = '' FROM due AS d WHERE u.id = d.id RETURNING u.id;", ""},
		{"many updated, by a cte", "-- name: Q :many\n-- Some.\nWITH due AS (SELECT u.id FROM users AS u) UPDATE users AS u SET name = '' FROM due AS d WHERE u.id = d.id RETURNING u.id;", ":many needs a bounded set"},
		{"many updated, by a cte not joined", "-- name: Q :many\n-- Some.\nWITH due AS (SELECT u.id FROM users AS u LIMIT 100) UPDATE users AS u SET name = '' FROM due AS d WHERE d.id = @id::uuid RETURNING u.id;", ":many needs a bounded set"},
		{"many updated, joined by the organisation only", "-- name: Q :many\n-- Some.\nWITH due AS (SELECT @organization_id::uuid AS organization_id LIMIT 1)\nUPDATE objectives AS o SET title = '' FROM due AS d WHERE o.organization_id = d.organization_id RETURNING o.id;", ":many needs a bounded set"},
		{"many updated, by unnest", "-- name: Q :many\n-- Some.\nUPDATE users AS u SET name = n.name FROM unnest(@ids::uuid[], @names::text[]) AS n (id, name) WHERE u.id = n.id RETURNING u.id;", ""},
		{"many updated, by generate_series", "-- name: Q :many\n-- Some.\nUPDATE users AS u SET name = '' FROM generate_series(1, @n::int) AS n (id) WHERE u.name = n.id RETURNING u.id;", ":many needs a bounded set"},
		{"many inserted", "-- name: Q :many\n-- Some.\nINSERT INTO users (id) VALUES (@a::uuid), (@b::uuid) RETURNING id;", ""},
		{"many inserted from unnest", "-- name: Q :many\n-- Some.\nINSERT INTO users (id) SELECT unnest(@ids::uuid[]) RETURNING id;", ""},
		{"many inserted from a table", "-- name: Q :many\n-- Some.\nINSERT INTO users (id) SELECT v.id FROM users AS v RETURNING id;", ":many needs rows from VALUES"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, complaints(t, map[string]string{"queries/q.sql": c.text}), c.want)
		})
	}
}

func TestExceptions(t *testing.T) {
	t.Parallel()
	const across = "-- name: Across :one\n-- For the test.\nSELECT j.id FROM ai_jobs AS j;"
	for _, c := range []struct{ name, list, query, want string }{
		{"listed", "query Across ai_jobs: claimed for all\n", across, ""},
		{"not listed", "", across, "queries/q.sql:3: Across: ai_jobs AS j needs"},
		{"listed for another table", "query Across comments: claimed for all\n", across, "across-organizations.txt:2: Across names the organisation\nai_jobs AS j needs"},
		{"a second table is still held", "query Across ai_jobs: claimed for all\n", "-- name: Across :one\n-- For the test.\nSELECT j.id FROM ai_jobs AS j, comments AS c;", "comments AS c needs"},
		{"no reason", "query Across ai_jobs:\n", across, "across-organizations.txt:2: want \"query\nai_jobs AS j needs"},
		{"no such query", "query Acros ai_jobs: claimed for all\n", "", "across-organizations.txt:2: there is no query Acros"},
		{"not needed", "query Across ai_jobs: claimed for all\n", "-- name: Across :one\n-- For the test.\nSELECT j.id FROM ai_jobs AS j WHERE j.organization_id = @organization_id::uuid;",
			"across-organizations.txt:2: Across names the organisation of every reference to ai_jobs"},
		{"table with a policy", "table comments: holds ids only\n", "", "across-organizations.txt:2: comments is not a table that stands outside"},
		{"policy that is not there", "policy open comments: for all\n", "", "no policy open opens comments"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, complaints(t, map[string]string{exceptionsFile: testExceptions + c.list, "queries/q.sql": c.query}), c.want)
		})
	}
}

func TestSchema(t *testing.T) {
	t.Parallel()
	const safe = "ALTER TABLE t ENABLE ROW LEVEL SECURITY;\nCREATE POLICY tenant ON t USING (organization_id = (SELECT current_organization()));\n"
	for _, c := range []struct{ name, sql, want string }{
		{"tenant table", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\n" + safe, ""},
		{"key added later", "CREATE TABLE t (organization_id uuid, id uuid);\nALTER TABLE t ADD CONSTRAINT t_key PRIMARY KEY (organization_id, id);\n" + safe, ""},
		{"no key", "CREATE TABLE t (organization_id uuid, id uuid);\n" + safe, "schema/2.sql:2: the primary key of t must begin"},
		{"key without", "CREATE TABLE t (organization_id uuid, id uuid PRIMARY KEY);\n" + safe, "the primary key of t must begin"},
		{"key in another order", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (id, organization_id));\n" + safe, "the primary key of t must begin"},
		{"organisation added later", "CREATE TABLE t (id uuid PRIMARY KEY);\nALTER TABLE t ADD COLUMN organization_id uuid;\n" + safe, "the primary key of t must begin"},
		{"column renamed", "CREATE TABLE t (tenant uuid, id uuid, PRIMARY KEY (tenant, id));\nALTER TABLE t RENAME COLUMN tenant TO organization_id;\n" + safe, ""},
		{"key dropped", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\nALTER TABLE t DROP CONSTRAINT t_pkey;\n" + safe, "the primary key of t must begin"},
		{"foreign key", "CREATE TABLE t (organization_id uuid, id uuid, o uuid, PRIMARY KEY (organization_id, id), FOREIGN KEY (organization_id, o) REFERENCES objectives);\n" + safe, ""},
		{"foreign key without", "CREATE TABLE t (organization_id uuid, id uuid, o uuid, PRIMARY KEY (organization_id, id),\nFOREIGN KEY (o) REFERENCES objectives (id));\n" + safe, "schema/2.sql:3: a foreign key to objectives"},
		{"foreign key behind its column", "CREATE TABLE t (organization_id uuid, id uuid, o uuid REFERENCES objectives (id), PRIMARY KEY (organization_id, id));\n" + safe, "a foreign key to objectives"},
		{"foreign key added later", "CREATE TABLE t (organization_id uuid, id uuid, o uuid, PRIMARY KEY (organization_id, id));\nALTER TABLE t ADD FOREIGN KEY (o) REFERENCES objectives (id);\n" + safe, "a foreign key to objectives"},
		{"foreign key across", "CREATE TABLE t (organization_id uuid, id uuid, o uuid, PRIMARY KEY (organization_id, id), FOREIGN KEY (o, id) REFERENCES objectives (organization_id, id));\n" + safe, "a foreign key to objectives"},
		{"foreign key dropped again", "CREATE TABLE t (organization_id uuid, id uuid, o uuid, PRIMARY KEY (organization_id, id), FOREIGN KEY (o) REFERENCES objectives (id));\nALTER TABLE t DROP CONSTRAINT t_o_fkey;\n" + safe, ""},
		{"foreign key above organisations", "CREATE TABLE t (organization_id uuid, id uuid, u uuid REFERENCES users (id), PRIMARY KEY (organization_id, id));\n" + safe, ""},
		{"no row security", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));", "schema/2.sql:2: t needs ENABLE ROW LEVEL SECURITY"},
		{"policy not enabled", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\nCREATE POLICY tenant ON t USING (organization_id = (SELECT current_organization()));", "t needs ENABLE"},
		{"disabled again", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\n" + safe + "ALTER TABLE t DISABLE ROW LEVEL SECURITY;", "t needs ENABLE"},
		{"policy dropped", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\n" + safe + "DROP POLICY tenant ON t;", "t needs ENABLE"},
		{"policy of one command", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\nALTER TABLE t ENABLE ROW LEVEL SECURITY;\nCREATE POLICY tenant ON t FOR SELECT USING (organization_id = (SELECT current_organization()));", "t needs ENABLE"},
		{"policy of all rows", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\n" + safe + "CREATE POLICY open ON t FOR SELECT USING (true);", "policy open opens t wider"},
		{"policy with a wide check", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\n" + safe + "CREATE POLICY open ON t USING (organization_id = (SELECT current_organization())) WITH CHECK (true);", "policy open opens t wider"},
		{"policy under or", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\n" + safe + "CREATE POLICY open ON t USING (organization_id = (SELECT current_organization()) OR id IS NULL);", "policy open opens t wider"},
		{"restrictive policy", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\n" + safe + "CREATE POLICY less ON t AS RESTRICTIVE USING (id IS NOT NULL);", ""},
		{"partition", "CREATE TABLE t (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id)) PARTITION BY HASH (organization_id);\n" + safe + "CREATE TABLE t0 PARTITION OF t FOR VALUES WITH (MODULUS 1, REMAINDER 0);", ""},
		{"inherited", "CREATE TABLE t () INHERITS (objectives);", "write the table's columns out"},
		{"view", "CREATE VIEW v AS SELECT o.id FROM objectives AS o;", "a view reads with its owner's rights"},
		{"table dropped", "CREATE TABLE t (organization_id uuid);\nDROP TABLE t;", ""},
		{"table renamed", "CREATE TABLE s (organization_id uuid, id uuid, PRIMARY KEY (organization_id, id));\nALTER TABLE s RENAME TO t;\n" + safe, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, complaints(t, map[string]string{"schema/2.sql": "-- migrate:up\n" + c.sql + "\n-- migrate:down\nCREATE TABLE gone (organization_id uuid);\n"}), c.want)
		})
	}
}

// Whatever organization_id predicate is taken out of a query of this repository, or weakened, the checker must notice. It shows two
// things at once: that the checker sees every predicate, and that no query carries one that does nothing.
func TestMutations(t *testing.T) {
	t.Parallel()
	fsys := os.DirFS("../../sql")
	var found findings
	tables, err := readSchema(fsys, &found)
	if err != nil {
		t.Fatal(err)
	}
	queries, err := readQueries(fsys, &found)
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := readExceptions(fsys, &found)
	if err != nil {
		t.Fatal(err)
	}
	if len(queries) == 0 || len(found) > 0 {
		t.Fatalf("%d queries, findings %v", len(queries), found)
	}
	mutants := 0
	for _, q := range queries {
		if slices.ContainsFunc(allowed.list, func(e *exception) bool { return e.kind == "query" && e.name == q.name }) {
			continue // it looks across organisations, so its predicates are not there to keep them apart
		}
		for i := range len(mutations(q.statement)) {
			mutant := q
			mutant.statement = proto.CloneOf(q.statement)
			m := mutations(mutant.statement)[i]
			m.apply()
			var found findings
			checkOrganizations(mutant, tables, &exceptions{}, &found)
			if len(found) == 0 {
				t.Errorf("%s:%d: %s: nothing notices when it %s", q.source.file, q.source.line(m.location), q.name, m.name)
			}
			mutants++
		}
	}
	if mutants == 0 {
		t.Error("no predicate found to mutate")
	}
	t.Logf("%d mutants of %d queries", mutants, len(queries))
}

type mutation struct {
	name     string
	location int32
	apply    func()
}

// mutations lists, in the same order for equal trees, what can be done to the organization_id predicates of a statement.
func mutations(statement *pg.Node) []mutation {
	var list []mutation
	condition := func(n *pg.Node, replace func(*pg.Node)) {
		all := conjuncts(n)
		for i, c := range all {
			if !slices.ContainsFunc(equalities(c), func(pair [2]*pg.Node) bool { return namesOrganization(pair[0]) || namesOrganization(pair[1]) }) {
				continue
			}
			at := c.GetAExpr().GetLocation()
			list = append(list,
				mutation{"loses an organization_id predicate", at, func() { replace(and(slices.Delete(slices.Clone(all), i, i+1))) }},
				mutation{"has an organization_id predicate under OR", at, func() { all[i] = or(c, pg.MakeAConstIntNode(1, 0)); replace(and(all)) }},
				mutation{"has an organization_id predicate under NOT", at, func() { all[i] = pg.MakeBoolExprNode(pg.BoolExprType_NOT_EXPR, []*pg.Node{c}, 0); replace(and(all)) }})
		}
	}
	walk(statement, func(m proto.Message) bool {
		switch n := m.(type) {
		case *pg.SelectStmt:
			condition(n.GetWhereClause(), func(c *pg.Node) { n.WhereClause = c })
		case *pg.UpdateStmt:
			condition(n.GetWhereClause(), func(c *pg.Node) { n.WhereClause = c })
		case *pg.DeleteStmt:
			condition(n.GetWhereClause(), func(c *pg.Node) { n.WhereClause = c })
		case *pg.JoinExpr:
			condition(n.GetQuals(), func(c *pg.Node) { n.Quals = c })
		case *pg.InsertStmt:
			if i := slices.IndexFunc(n.GetCols(), func(c *pg.Node) bool { return c.GetResTarget().GetName() == organizationID }); i >= 0 {
				target := n.GetCols()[i].GetResTarget()
				list = append(list, mutation{"does not insert organization_id", target.GetLocation(), func() { target.Name = "id" }})
			}
		}
		return true
	})
	return list
}

func namesOrganization(n *pg.Node) bool {
	name := column(n)
	return len(name) > 0 && name[len(name)-1] == organizationID
}

func and(conditions []*pg.Node) *pg.Node {
	if len(conditions) == 0 {
		return nil
	}
	return pg.MakeBoolExprNode(pg.BoolExprType_AND_EXPR, conditions, 0)
}

func or(conditions ...*pg.Node) *pg.Node {
	return pg.MakeBoolExprNode(pg.BoolExprType_OR_EXPR, conditions, 0)
}
