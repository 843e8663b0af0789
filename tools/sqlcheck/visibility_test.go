package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

const visibilitySchema = `-- migrate:up
CREATE TABLE objectives (organization_id uuid, id uuid, parent_id uuid, title text, visibility text, owner_id uuid, team_id uuid, PRIMARY KEY (organization_id, id));
CREATE TABLE key_results (organization_id uuid, id uuid, of_id uuid, title text, PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, of_id) REFERENCES objectives (organization_id, id));
CREATE TABLE steps (organization_id uuid, id uuid, of_id uuid, PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, of_id) REFERENCES key_results (organization_id, id));
CREATE TABLE figures (organization_id uuid, objective_id uuid, progress int, PRIMARY KEY (organization_id, objective_id));
CREATE TABLE teams (organization_id uuid, id uuid, name text, PRIMARY KEY (organization_id, id));
ALTER TABLE objectives ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_results ENABLE ROW LEVEL SECURITY;
ALTER TABLE steps ENABLE ROW LEVEL SECURITY;
ALTER TABLE figures ENABLE ROW LEVEL SECURITY;
ALTER TABLE teams ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON objectives USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON key_results USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON steps USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON figures USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON teams USING (organization_id = (SELECT current_organization()));
-- migrate:down
DROP TABLE teams, figures, steps, key_results, objectives;
`

// seen is the condition for an alias.
func seen(alias string) string {
	return strings.ReplaceAll("objective_is_visible(o.visibility, o.owner_id, o.team_id, @actor_id::uuid, @sees_all::bool, @team_ids::uuid[], @lead_team_ids::uuid[])", "o.", alias+".")
}

func TestVisibility(t *testing.T) {
	t.Parallel()
	const home = " WHERE o.organization_id = @organization_id::uuid"
	const needs = "objectives AS o needs AND objective_is_visible"
	const hangs = "reads what hangs on objectives"
	for _, c := range []struct{ name, command, sql, want string }{
		{"asked", ":one", "SELECT o.title FROM objectives AS o" + home + " AND " + seen("o"), ""},
		{"not asked", ":one", "SELECT o.title FROM objectives AS o" + home, needs},
		{"under or", ":one", "SELECT o.title FROM objectives AS o" + home + " AND (o.id = @id::uuid OR " + seen("o") + ")", needs},
		{"under not", ":one", "SELECT o.title FROM objectives AS o" + home + " AND NOT " + seen("o"), needs},
		{"with another's columns", ":one", "SELECT o.title FROM objectives AS o" + home + " AND " + strings.Replace(seen("o"), "o.owner_id", "@owner_id::uuid", 1), needs},
		{"another is asked about", ":one", "SELECT o.title FROM objectives AS o JOIN objectives AS p ON p.organization_id = o.organization_id AND p.id = o.parent_id" + home + " AND " + seen("p"), needs},
		{"both are asked about", ":one", "SELECT o.title FROM objectives AS o JOIN objectives AS p ON p.organization_id = o.organization_id AND p.id = o.parent_id AND " + seen("p") + home + " AND " + seen("o"), ""},
		{"a parent that may be none", ":one", "SELECT o.title, p.title FROM objectives AS o LEFT JOIN objectives AS p ON p.organization_id = o.organization_id AND p.id = o.parent_id AND " + seen("p") + home + " AND " + seen("o"),
			"objectives AS p needs AND objective_is_visible"}, // what the ON of an outer join does not find is null, and what WHERE does with that is not looked into
		{"handed out", ":one", "SELECT o.id, (o.title <> '' AND " + seen("o") + ")::bool AS shown FROM objectives AS o" + home, ""},
		{"in one arm only", ":one", "SELECT o.title FROM objectives AS o" + home + " AND " + seen("o") + " UNION ALL SELECT o.title FROM objectives AS o" + home, needs},
		{"in both arms", ":one", "SELECT o.title FROM objectives AS o" + home + " AND " + seen("o") + " UNION ALL SELECT o.title FROM objectives AS o" + home + " AND " + seen("o"), ""},
		{"hangs by a key", ":one", "SELECT k.title FROM key_results AS k WHERE k.organization_id = @organization_id::uuid", hangs},
		{"hangs by two keys", ":one", "SELECT s.id FROM steps AS s WHERE s.organization_id = @organization_id::uuid", hangs},
		{"hangs by a column", ":one", "SELECT f.progress FROM figures AS f WHERE f.organization_id = @organization_id::uuid", hangs},
		{"hangs, and is asked", ":one", "SELECT f.progress FROM figures AS f JOIN objectives AS o ON o.organization_id = f.organization_id AND o.id = f.objective_id" + home + " AND " + seen("o"), ""},
		{"about none, or asked", ":one", "SELECT f.progress FROM figures AS f LEFT JOIN objectives AS o ON o.organization_id = f.organization_id AND o.id = f.objective_id WHERE f.organization_id = @organization_id::uuid AND (f.objective_id IS NULL OR " + seen("o") + ")", ""},
		{"in a sub-select", ":one", "SELECT t.name, (SELECT max(f.progress) FROM figures AS f WHERE f.organization_id = @organization_id::uuid) AS most FROM teams AS t WHERE t.organization_id = @organization_id::uuid", hangs},
		{"in a CTE", ":one", "WITH x AS (SELECT o.title FROM objectives AS o" + home + ") SELECT x.title FROM x", needs},
		{"a change that hands out", ":one", "UPDATE objectives AS o SET title = @title::text" + home + " RETURNING o.title", needs},
		{"a change that hands out nothing", ":exec", "UPDATE objectives AS o SET title = @title::text" + home, ""},
		{"a new row", ":one", "INSERT INTO figures (organization_id, objective_id) VALUES (@organization_id::uuid, @id::uuid) RETURNING progress", ""},
		{"a new row, or an old one", ":one", "INSERT INTO figures AS f (organization_id, objective_id) VALUES (@organization_id::uuid, @id::uuid) ON CONFLICT (organization_id, objective_id) DO UPDATE SET progress = 1 RETURNING f.progress", hangs},
		{"something else", ":one", "SELECT t.name FROM teams AS t WHERE t.organization_id = @organization_id::uuid", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, complaints(t, map[string]string{"schema/1.sql": visibilitySchema, exceptionsFile: "", "queries/q.sql": "-- name: Q " + c.command + "\n-- For the test.\n" + c.sql + ";"}), c.want)
		})
	}
}

func TestVisibilityExceptions(t *testing.T) {
	t.Parallel()
	const read = "-- name: Q :one\n-- For the test.\nSELECT o.title FROM objectives AS o WHERE o.organization_id = @organization_id::uuid"
	for _, c := range []struct{ name, list, query, want string }{
		{"named", "# why\n\nQ: the operator's\n", read + ";", ""},
		{"no reason", "Q:\n", read + ";", "objectives AS o needs\nwithout-visibility.txt:1: want \"NAME"},
		{"no such query", "P: the operator's\n", "", "without-visibility.txt:1: there is no query P"},
		{"not needed", "Q: the operator's\n", read + " AND " + seen("o") + ";", "without-visibility.txt:1: Q asks for visibility"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, complaints(t, map[string]string{"schema/1.sql": visibilitySchema, exceptionsFile: "", visibilityFile: c.list, "queries/q.sql": c.query}), c.want)
		})
	}
}

// Whatever question for visibility is taken out of a query of this repository, or weakened, the checker must notice.
func TestVisibilityMutations(t *testing.T) {
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
	allowed, err := readVisibilityExceptions(fsys, &found)
	if err != nil {
		t.Fatal(err)
	}
	mutants := 0
	for _, q := range queries {
		if slices.ContainsFunc(allowed.list, func(e *exception) bool { return e.name == q.name }) {
			continue // it does not have to ask, or not of everything
		}
		for i := range visibleCalls(q.statement) {
			for name, change := range map[string]func(*pg.FuncCall){
				"asks nothing":          func(call *pg.FuncCall) { call.Funcname = []*pg.Node{pg.MakeStrNode("coalesce")} },
				"asks of another owner": func(call *pg.FuncCall) { call.Args[1] = call.GetArgs()[3] },
				"asks less":             func(call *pg.FuncCall) { call.Args = call.GetArgs()[:6] },
			} {
				mutant := q
				mutant.statement = proto.CloneOf(q.statement)
				change(visibleCalls(mutant.statement)[i])
				var found findings
				checkVisibility(mutant, tables, &visibilityExceptions{}, &found)
				if len(found) == 0 {
					t.Errorf("%s:%d: nothing notices when a call %s", q.name, i, name)
				}
				mutants++
			}
		}
	}
	if mutants < 100 {
		t.Errorf("only %d mutants", mutants)
	}
	t.Logf("%d mutants", mutants)
}

func visibleCalls(statement *pg.Node) []*pg.FuncCall {
	return slices.DeleteFunc(calls([]*pg.Node{statement}), func(c *pg.FuncCall) bool { return functionName(c) != visibleCondition })
}
