package main

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

const (
	visibilityFile   = "without-visibility.txt"
	objectives       = "objectives"
	visibleCondition = "objective_is_visible"
)

// hanging are the columns that say which objective a row is about, in tables that need no foreign key to it.
var hanging = []string{"objective_id", "key_result_id", "check_in_id", "dialogue_id"} //nolint:gochecknoglobals // never changes

// private returns the tables whose rows are not for everybody's eyes: objectives, and what hangs on them by a foreign key, or by a column that names what does.
func (tables schema) private() map[string]bool {
	found := map[string]bool{objectives: true}
	for again := true; again; {
		again = false
		for name, t := range tables {
			hangs := slices.ContainsFunc(t.columns, func(c string) bool { return slices.Contains(hanging, c) }) ||
				slices.ContainsFunc(t.foreignKeys, func(k foreignKey) bool { return found[k.target] })
			if hangs && !found[name] {
				found[name], again = true, true
			}
		}
	}
	return found
}

// checkVisibility asks of a query that reads or changes what is not for everybody's eyes that it asks whether the actor may see the objective, of each reference to objectives:
// as a condition that is AND-ed into a WHERE or ON, or in what it hands out, so that the caller decides. What else reads them stands in the reviewed list, with its reason.
func checkVisibility(q query, tables schema, allowed *visibilityExceptions, found *findings) {
	if o := tables[objectives]; o == nil || !slices.Contains(o.columns, "visibility") || strings.Contains(q.command, "exec") { // what hands out nothing shows nothing
		return
	}
	private := tables.private()
	written := inserted(q.statement)
	asked := visibilityOf(q.statement)
	complaints := findings{}
	reads, guarded := false, false
	walk(q.statement, func(m proto.Message) bool {
		v, ok := m.(*pg.RangeVar)
		if !ok || written[v] || !private[v.GetRelname()] || v.GetAlias() == nil {
			return true
		}
		reads = true
		switch {
		case v.GetRelname() != objectives:
		case asked[aliasOf(v)] > 0:
			asked[aliasOf(v)]-- // each reference is asked about by itself, in each arm of a UNION too
			guarded = true
		default:
			complaints.add(q.source, v.GetLocation(), "%s: objectives AS %s needs AND %s(%s.visibility, %s.owner_id, %s.team_id, …), or a reason in %s", q.name, aliasOf(v), visibleCondition, aliasOf(v), aliasOf(v), aliasOf(v), visibilityFile)
		}
		return true
	})
	if reads && !guarded && len(complaints) == 0 {
		complaints.add(q.source, q.location, "%s: reads what hangs on objectives; it needs the objective, with %s, or a reason in %s", q.name, visibleCondition, visibilityFile)
	}
	if len(complaints) > 0 && !allowed.allows(q.name) {
		*found = append(*found, complaints...)
	}
}

// inserted are the targets of INSERT: what a query only adds to, it does not show. What it returns is what it was given.
func inserted(statement *pg.Node) map[*pg.RangeVar]bool {
	targets := map[*pg.RangeVar]bool{}
	walk(statement, func(m proto.Message) bool {
		if s, ok := m.(*pg.InsertStmt); ok && s.GetOnConflictClause().GetAction() != pg.OnConflictAction_ONCONFLICT_UPDATE {
			targets[s.GetRelation()] = true
		}
		return true
	})
	return targets
}

// visibilityOf returns how often a statement asks whether the actor may see what an alias stands for, where the answer counts.
func visibilityOf(statement *pg.Node) map[string]int {
	asked := map[string]int{}
	condition := func(n *pg.Node) {
		for _, c := range conjuncts(n) {
			if alias := visibleAlias(unlessNone(c).GetFuncCall()); alias != "" {
				asked[alias]++
			}
		}
	}
	walk(statement, func(m proto.Message) bool {
		switch n := m.(type) {
		case *pg.SelectStmt:
			condition(n.GetWhereClause())
			for _, target := range n.GetTargetList() {
				walk(target, func(m proto.Message) bool { // what is handed out may say it in any way: that a parent is hidden, for one
					if call, ok := m.(*pg.FuncCall); ok && visibleAlias(call) != "" {
						asked[visibleAlias(call)]++
					}
					_, inner := m.(*pg.SelectStmt) // has a turn of its own
					return !inner
				})
			}
		case *pg.UpdateStmt:
			condition(n.GetWhereClause())
		case *pg.DeleteStmt:
			condition(n.GetWhereClause())
		case *pg.JoinExpr:
			if n.GetJointype() == pg.JoinType_JOIN_INNER {
				condition(n.GetQuals())
			}
		}
		return true
	})
	return asked
}

// unlessNone returns the condition that holds where there is an objective: C of (x.objective_id IS NULL OR C), which lets through what is about no objective. Anything else is itself.
func unlessNone(n *pg.Node) *pg.Node {
	b := n.GetBoolExpr()
	if b.GetBoolop() != pg.BoolExprType_OR_EXPR || len(b.GetArgs()) != 2 {
		return n
	}
	test := b.GetArgs()[0].GetNullTest()
	name := column(test.GetArg())
	if test.GetNulltesttype() != pg.NullTestType_IS_NULL || len(name) != 2 || name[1] != hanging[0] {
		return n
	}
	return b.GetArgs()[1]
}

// visibleAlias returns the alias that a call of the condition is about; "" for any other call, and for one that mixes aliases or leaves out what it takes.
func visibleAlias(call *pg.FuncCall) string {
	if call == nil || functionName(call) != visibleCondition || len(call.GetArgs()) != 7 {
		return ""
	}
	alias := ""
	for i, want := range []string{"visibility", "owner_id", "team_id"} {
		name := column(call.GetArgs()[i])
		if len(name) != 2 || name[1] != want || i > 0 && name[0] != alias {
			return ""
		}
		alias = name[0]
	}
	return alias
}

// visibilityExceptions are the queries that read what is not for everybody's eyes without asking, each with its reason.
type visibilityExceptions struct {
	source source
	list   []*exception
}

var visibilityLine = regexp.MustCompile(`^(\w+): \S`)

// readVisibilityExceptions reads lines of "NAME: reason".
func readVisibilityExceptions(fsys fs.FS, found *findings) (*visibilityExceptions, error) {
	text, err := fs.ReadFile(fsys, visibilityFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	x := &visibilityExceptions{source: source{visibilityFile, string(text)}}
	location := int32(0)
	for line := range strings.Lines(x.source.text) {
		switch m := visibilityLine.FindStringSubmatch(line); {
		case m != nil:
			x.list = append(x.list, &exception{name: m[1], location: location})
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			found.add(x.source, location, `want "NAME: reason"`)
		}
		location += int32(len(line)) //nolint:gosec // a reviewed list of some lines
	}
	return x, nil
}

func (x *visibilityExceptions) allows(name string) bool {
	for _, e := range x.list {
		if e.name == name {
			e.used = true
			return true
		}
	}
	return false
}

func (x *visibilityExceptions) reportUnused(queries []query, found *findings) {
	for _, e := range x.list {
		switch {
		case e.used:
		case !slices.ContainsFunc(queries, func(q query) bool { return q.name == e.name }):
			found.add(x.source, e.location, "there is no query %s", e.name)
		default:
			found.add(x.source, e.location, "%s asks for visibility, or reads nothing that needs it: no reason is needed", e.name)
		}
	}
}
