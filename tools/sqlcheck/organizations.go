package main

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

// checkOrganizations finds every reference to a tenant table that is not tied to @organization_id.
//
// It lays out the query's levels, notes which equalities hold for which reference, and lets "tied" spread along them from the
// parameter until nothing changes. A reference that it has not reached then could show, or change, another organisation's rows.
func checkOrganizations(q query, tables schema, allowed *exceptions, found *findings) {
	l := &layout{query: q, tables: tables, found: found, seen: map[*pg.RangeVar]bool{}}
	l.statement(q.statement, nil, nil)
	walk(q.statement, func(m proto.Message) bool {
		if v, ok := m.(*pg.RangeVar); ok && !l.seen[v] {
			l.add(v.GetLocation(), "sqlcheck cannot tell what %s is used for here, so it refuses it", v.GetRelname())
		}
		return true
	})
	l.spread()
	for _, r := range l.references {
		if r.tied || allowed.allows("query", q.name, r.table.name) {
			continue
		}
		switch {
		case r.inserted:
			l.add(r.location, "what is inserted into %s as %s is not certain to be @organization_id", r.table.name, r.table.organization())
		case r.nullable:
			l.add(r.location, "%s AS %s needs its %s in the ON of the outer join that can leave it null", r.table.name, r.alias, r.table.organization())
		default:
			l.add(r.location, "%s AS %s needs %s.%s = @organization_id::uuid, or an equality with a reference that has it", r.table.name, r.alias, r.alias, r.table.organization())
		}
	}
}

// level is one SELECT, INSERT, UPDATE or DELETE: the names that its expressions can use, and what it hands out.
type level struct {
	outer      *level // where a name that is not here is looked for
	references []*reference
	outputs    []output
}

// reference is one name in FROM, or the target of a change.
type reference struct {
	alias    string
	table    *table // nil: derived or a function
	derived  *derived
	location int32
	nullable bool // by an outer join
	inserted bool
	tied     bool // every row it stands for belongs to @organization_id, or is null
}

// derived is what a CTE or sub-select hands out.
type derived struct {
	columns []string
	outputs []output
	// Inside a recursive CTE its own name stands for the rows so far: those of the first arm, by induction, as long as the
	// second hands on what it was given. refuted says for which columns it does not.
	refuted map[int]bool
	whole   *derived // of a recursive CTE's own name: the CTE
}

// output is a column that a level hands out, with all the expressions that can be in it. None: it is not known.
type output struct {
	name    string
	sources []operand
}

// operand is one side of an equality, or an output's expression, as far as organisations are concerned.
type operand struct {
	parameter bool // @organization_id itself
	reference *reference
	column    string
}

// tie says that reference has the organisation of all sources.
type tie struct {
	reference *reference
	sources   []operand
}

// names are the CTEs in sight.
type names struct {
	outer *names
	ctes  map[string]*derived
}

func (n *names) find(name string) *derived {
	for ; n != nil; n = n.outer {
		if d, ok := n.ctes[name]; ok {
			return d
		}
	}
	return nil
}

// layout is what is known of one query.
type layout struct {
	query      query
	tables     schema
	found      *findings
	seen       map[*pg.RangeVar]bool // those whose part in the query is understood
	references []*reference          // to tenant tables
	ties       []tie
	recursive  []*derived
}

func (l *layout) add(location int32, format string, args ...any) {
	l.found.add(l.query.source, location, "%s: "+format, append([]any{l.query.name}, args...)...)
}

// spread lets "tied" reach whatever the ties lead to. A recursive CTE's hypothesis that turns out false is dropped and all begins anew.
func (l *layout) spread() {
	for again := true; again; {
		for _, t := range l.ties {
			t.reference.tied = false
		}
		for changed := true; changed; {
			changed = false
			for _, t := range l.ties {
				if !t.reference.tied && allTied(t.sources) {
					t.reference.tied, changed = true, true
				}
			}
		}
		again = false
		for _, own := range l.recursive {
			for i := range own.outputs {
				if !own.refuted[i] && allTied(own.outputs[i].sources) && (i >= len(own.whole.outputs) || !allTied(own.whole.outputs[i].sources)) {
					own.refuted[i], again = true, true
				}
			}
		}
	}
}

func allTied(sources []operand) bool {
	return len(sources) > 0 && all(sources, operand.tied)
}

func (o operand) tied() bool {
	switch r := o.reference; {
	case o.parameter:
		return true
	case r == nil:
		return false
	case r.table != nil:
		return r.tied && o.column == r.table.organization()
	case r.derived != nil:
		i := slices.Index(r.derived.columns, o.column)
		return i >= 0 && i < len(r.derived.outputs) && !r.derived.refuted[i] && allTied(r.derived.outputs[i].sources)
	}
	return false
}

func (l *layout) statement(n *pg.Node, in *names, outer *level) *level {
	switch s := n.GetNode().(type) {
	case *pg.Node_SelectStmt:
		return l.selection(s.SelectStmt, in, outer)
	case *pg.Node_InsertStmt:
		return l.insertion(s.InsertStmt, in, outer)
	case *pg.Node_UpdateStmt:
		return l.update(s.UpdateStmt, in, outer)
	case *pg.Node_DeleteStmt:
		return l.deletion(s.DeleteStmt, in, outer)
	}
	l.found.add(l.query.source, l.query.location, "%s: sqlcheck reads SELECT, INSERT, UPDATE and DELETE only", l.query.name)
	return &level{}
}

// with lays out the CTEs and returns the names that are in sight behind them.
func (l *layout) with(clause *pg.WithClause, in *names, outer *level) *names {
	if clause == nil {
		return in
	}
	in = &names{in, map[string]*derived{}}
	if clause.GetRecursive() {
		for _, n := range clause.GetCtes() {
			in.ctes[n.GetCommonTableExpr().GetCtename()] = &derived{} // in sight before it is known
		}
	}
	for _, n := range clause.GetCtes() {
		c := n.GetCommonTableExpr()
		body := c.GetCtequery().GetSelectStmt()
		if clause.GetRecursive() && body.GetOp() == pg.SetOperation_SETOP_UNION {
			in.ctes[c.GetCtename()] = l.recursion(c, body, in, outer)
			continue
		}
		in.ctes[c.GetCtename()] = newDerived(l.statement(c.GetCtequery(), in, outer).outputs, c.GetAliascolnames())
	}
	return in
}

func (l *layout) recursion(c *pg.CommonTableExpr, body *pg.SelectStmt, in *names, outer *level) *derived {
	in = l.with(body.GetWithClause(), in, outer)
	first := l.selection(body.GetLarg(), in, outer)
	own, whole := newDerived(first.outputs, c.GetAliascolnames()), newDerived(first.outputs, c.GetAliascolnames())
	own.refuted, own.whole = map[int]bool{}, whole
	second := l.selection(body.GetRarg(), &names{in, map[string]*derived{c.GetCtename(): own}}, outer)
	whole.outputs = union(first.outputs, second.outputs)
	l.recursive = append(l.recursive, own)
	l.expressions(&level{outer: outer}, in, body.GetSortClause(), []*pg.Node{body.GetLimitCount(), body.GetLimitOffset()})
	return whole
}

func newDerived(outputs []output, renamed []*pg.Node) *derived {
	d := &derived{outputs: outputs, columns: words(renamed)}
	for _, o := range outputs[min(len(d.columns), len(outputs)):] {
		d.columns = append(d.columns, o.name)
	}
	return d
}

// union joins the outputs of a set operation's arms: a column is as sure as the less sure of the two.
func union(left, right []output) []output {
	if len(left) != len(right) {
		return nil
	}
	var both []output
	for i := range left {
		o := output{name: left[i].name}
		if len(left[i].sources) > 0 && len(right[i].sources) > 0 {
			o.sources = slices.Concat(left[i].sources, right[i].sources)
		}
		both = append(both, o)
	}
	return both
}

func (l *layout) selection(s *pg.SelectStmt, in *names, outer *level) *level {
	in = l.with(s.GetWithClause(), in, outer)
	lv := &level{outer: outer}
	if s.GetOp() != pg.SetOperation_SETOP_NONE {
		left, right := l.selection(s.GetLarg(), in, outer), l.selection(s.GetRarg(), in, outer)
		lv.outputs = union(left.outputs, right.outputs)
	}
	for _, row := range s.GetValuesLists() {
		values := lv.expressionOutputs(row.GetList().GetItems())
		if lv.outputs == nil {
			lv.outputs = values
		} else {
			lv.outputs = union(lv.outputs, values)
		}
	}
	l.condition(s.GetWhereClause(), l.from(s.GetFromClause(), lv, in), lv, in)
	if len(s.GetTargetList()) > 0 {
		lv.outputs = lv.targetOutputs(s.GetTargetList())
		l.embeds(s.GetTargetList(), lv)
	}
	for _, locked := range s.GetLockingClause() {
		for _, n := range locked.GetLockingClause().GetLockedRels() {
			l.seen[n.GetRangeVar()] = true // names a reference, makes none
		}
	}
	l.expressions(lv, in, s.GetDistinctClause(), s.GetTargetList(), s.GetGroupClause(), s.GetWindowClause(), s.GetValuesLists(), s.GetSortClause(),
		[]*pg.Node{s.GetHavingClause(), s.GetLimitCount(), s.GetLimitOffset()})
	return lv
}

func (l *layout) insertion(s *pg.InsertStmt, in *names, outer *level) *level {
	in = l.with(s.GetWithClause(), in, outer)
	lv := &level{outer: outer}
	target := l.table(s.GetRelation(), lv)
	target.inserted = true
	var rows []output
	if s.GetSelectStmt() != nil {
		rows = l.statement(s.GetSelectStmt(), in, outer).outputs
	}
	var organization []operand
	if i := slices.IndexFunc(s.GetCols(), func(n *pg.Node) bool { return n.GetResTarget().GetName() == target.table.organization() }); i >= 0 && i < len(rows) {
		organization = rows[i].sources
	}
	l.ties = append(l.ties, tie{target, organization})
	if c := s.GetOnConflictClause(); c != nil {
		excluded := &reference{alias: "excluded", table: target.table, location: target.location}
		lv.references = append(lv.references, excluded)
		l.ties = append(l.ties, tie{excluded, organization})
		named := slices.ContainsFunc(c.GetInfer().GetIndexElems(), func(n *pg.Node) bool { return n.GetIndexElem().GetName() == target.table.organization() })
		if c.GetAction() == pg.OnConflictAction_ONCONFLICT_UPDATE && target.table.tenant() && !named {
			l.add(c.GetLocation(), "name %s among the columns of ON CONFLICT, or the row that is changed could be another organisation's", target.table.organization())
		}
		l.changes(c.GetTargetList(), target)
		l.expressions(lv, in, c.GetTargetList(), c.GetInfer().GetIndexElems(), []*pg.Node{c.GetWhereClause(), c.GetInfer().GetWhereClause()})
	}
	l.returning(s.GetReturningList(), lv, in)
	return lv
}

func (l *layout) update(s *pg.UpdateStmt, in *names, outer *level) *level {
	in = l.with(s.GetWithClause(), in, outer)
	lv := &level{outer: outer}
	target := l.table(s.GetRelation(), lv)
	l.aliased(s.GetRelation())
	l.condition(s.GetWhereClause(), append(l.from(s.GetFromClause(), lv, in), target), lv, in)
	l.changes(s.GetTargetList(), target)
	l.expressions(lv, in, s.GetTargetList())
	l.returning(s.GetReturningList(), lv, in)
	return lv
}

func (l *layout) deletion(s *pg.DeleteStmt, in *names, outer *level) *level {
	in = l.with(s.GetWithClause(), in, outer)
	lv := &level{outer: outer}
	target := l.table(s.GetRelation(), lv)
	l.aliased(s.GetRelation())
	l.condition(s.GetWhereClause(), append(l.from(s.GetUsingClause(), lv, in), target), lv, in)
	l.returning(s.GetReturningList(), lv, in)
	return lv
}

func (l *layout) returning(list []*pg.Node, lv *level, in *names) {
	lv.outputs = lv.targetOutputs(list)
	l.expressions(lv, in, list)
}

// changes refuses a SET that would carry a row over to another organisation.
func (l *layout) changes(set []*pg.Node, target *reference) {
	for _, n := range set {
		if t := n.GetResTarget(); target.table.tenant() && t.GetName() == target.table.organization() {
			l.add(t.GetLocation(), "a row stays in its organisation: %s cannot be SET", t.GetName())
		}
	}
}

func (l *layout) aliased(v *pg.RangeVar) {
	if v.GetAlias() == nil {
		l.add(v.GetLocation(), "table %s needs an alias", v.GetRelname())
	}
}

// table notes a reference to a table.
func (l *layout) table(v *pg.RangeVar, lv *level) *reference {
	l.seen[v] = true
	r := &reference{alias: aliasOf(v), table: l.tables[v.GetRelname()], location: v.GetLocation()}
	lv.references = append(lv.references, r)
	switch catalog := v.GetSchemaname() == "pg_catalog" || v.GetSchemaname() == "information_schema" || strings.HasPrefix(v.GetRelname(), "pg_"); {
	case catalog:
		r.table = nil
	case r.table == nil:
		l.add(r.location, "the schema has no table %s", v.GetRelname())
	case r.table.tenant():
		l.references = append(l.references, r)
	}
	return r
}

// from lays out a FROM or USING list and returns the references that no outer join in it can leave null: those that WHERE holds for.
func (l *layout) from(items []*pg.Node, lv *level, in *names) []*reference {
	var firm []*reference
	before := len(lv.references)
	for _, item := range items {
		firm = append(firm, l.item(item, lv, in)...)
	}
	for _, r := range lv.references[before:] {
		r.nullable = !slices.Contains(firm, r)
	}
	return firm
}

// item lays out one item of FROM and returns the references in it that no outer join in it can leave null.
func (l *layout) item(n *pg.Node, lv *level, in *names) []*reference {
	var r *reference
	switch item := n.GetNode().(type) {
	case *pg.Node_JoinExpr:
		return l.join(item.JoinExpr, lv, in)
	case *pg.Node_RangeVar:
		v := item.RangeVar
		cte := in.find(v.GetRelname())
		if v.GetSchemaname() != "" || cte == nil {
			l.aliased(v)
			return []*reference{l.table(v, lv)}
		}
		l.seen[v] = true
		r = &reference{alias: aliasOf(v), derived: rename(cte, v.GetAlias()), location: v.GetLocation()}
	case *pg.Node_RangeSubselect:
		outer := lv.outer // without LATERAL its neighbours are not in sight
		if item.RangeSubselect.GetLateral() {
			outer = lv
		}
		body := l.statement(item.RangeSubselect.GetSubquery(), in, outer)
		alias := item.RangeSubselect.GetAlias()
		r = &reference{alias: alias.GetAliasname(), derived: newDerived(body.outputs, alias.GetColnames())}
	case *pg.Node_RangeFunction:
		l.expressions(lv, in, item.RangeFunction.GetFunctions())
		r = &reference{alias: item.RangeFunction.GetAlias().GetAliasname()}
	default:
		// The tables in it stay unseen, and are refused.
		l.expressions(lv, in, []*pg.Node{n})
		return nil
	}
	lv.references = append(lv.references, r)
	return []*reference{r}
}

// rename gives a CTE the column names of FROM cte AS alias (a, b).
func rename(cte *derived, alias *pg.Alias) *derived {
	if len(alias.GetColnames()) == 0 {
		return cte
	}
	renamed := *cte
	renamed.columns = slices.Concat(words(alias.GetColnames()), cte.columns[min(len(alias.GetColnames()), len(cte.columns)):])
	return &renamed
}

func (l *layout) join(j *pg.JoinExpr, lv *level, in *names) []*reference {
	left, right := l.item(j.GetLarg(), lv, in), l.item(j.GetRarg(), lv, in)
	if j.GetAlias() != nil {
		l.found.add(l.query.source, l.query.location, "%s: sqlcheck does not follow the alias %s of a whole join", l.query.name, j.GetAlias().GetAliasname())
	}
	both := slices.Concat(left, right)
	holds, firm := both, both // what ON holds for, and what the join never leaves null
	switch j.GetJointype() {
	case pg.JoinType_JOIN_LEFT:
		holds, firm = right, left
	case pg.JoinType_JOIN_RIGHT:
		holds, firm = left, right
	case pg.JoinType_JOIN_FULL:
		holds, firm = nil, nil
	}
	l.condition(j.GetQuals(), holds, lv, in)
	return firm
}

// condition notes what a WHERE or ON says about the references that it holds for.
func (l *layout) condition(n *pg.Node, holds []*reference, lv *level, in *names) {
	for _, c := range conjuncts(n) {
		for _, pair := range equalities(c) {
			x, y := lv.operand(pair[0]), lv.operand(pair[1])
			for _, t := range [][2]operand{{x, y}, {y, x}} {
				if r := t[0].reference; slices.Contains(holds, r) && r.table.tenant() && t[0].column == r.table.organization() {
					l.ties = append(l.ties, tie{r, []operand{t[1]}})
				}
			}
		}
	}
	l.expressions(lv, in, []*pg.Node{n})
}

// expressions lays out the sub-selects in expressions, wherever they stand.
func (l *layout) expressions(lv *level, in *names, lists ...[]*pg.Node) {
	for _, n := range slices.Concat(lists...) {
		if n == nil {
			continue
		}
		walk(n, func(m proto.Message) bool {
			s, ok := m.(*pg.SelectStmt)
			if ok {
				l.selection(s, in, lv)
			}
			return !ok
		})
	}
}

// embeds refuses sqlc.embed of what an outer join can leave null: sqlc would scan NULL into plain values.
func (l *layout) embeds(targets []*pg.Node, lv *level) {
	for _, call := range calls(targets) {
		if !slices.Equal(words(call.GetFuncname()), []string{"sqlc", "embed"}) || len(call.GetArgs()) != 1 {
			continue
		}
		if name := column(call.GetArgs()[0]); len(name) == 1 && lv.find(name[0]) != nil && lv.find(name[0]).nullable {
			l.add(call.GetLocation(), "sqlc.embed(%s) is on the nullable side of an outer join", name[0])
		}
	}
}

func (lv *level) find(alias string) *reference {
	for ; lv != nil; lv = lv.outer {
		for _, r := range lv.references {
			if r.alias == alias {
				return r
			}
		}
	}
	return nil
}

// operand reads an expression as far as it can name an organisation. Only a column with its alias counts.
func (lv *level) operand(n *pg.Node) operand {
	if isOrganization(n) {
		return operand{parameter: true}
	}
	if name := column(n); len(name) == 2 {
		return operand{reference: lv.find(name[0]), column: name[1]}
	}
	return operand{}
}

func (lv *level) expressionOutputs(list []*pg.Node) []output {
	var outputs []output
	for _, n := range list {
		outputs = append(outputs, output{sources: []operand{lv.operand(n)}})
	}
	return outputs
}

// targetOutputs returns what a SELECT or RETURNING list hands out, or nothing when a star in it cannot be counted out.
func (lv *level) targetOutputs(list []*pg.Node) []output {
	var outputs []output
	for _, n := range list {
		t := n.GetResTarget()
		if references, ok := lv.star(t.GetVal()); ok {
			for _, r := range references {
				columns := r.columns()
				if columns == nil {
					return nil
				}
				for _, name := range columns {
					outputs = append(outputs, output{name, []operand{{reference: r, column: name}}})
				}
			}
			continue
		}
		o := output{t.GetName(), []operand{lv.operand(t.GetVal())}}
		if name := column(t.GetVal()); o.name == "" && name != nil {
			o.name = name[len(name)-1]
		}
		outputs = append(outputs, o)
	}
	return outputs
}

// star returns the references whose columns a star stands for.
func (lv *level) star(n *pg.Node) ([]*reference, bool) {
	fields := n.GetColumnRef().GetFields()
	switch {
	case len(fields) == 0 || fields[len(fields)-1].GetAStar() == nil:
		return nil, false
	case len(fields) == 1:
		return lv.references, true
	}
	r := lv.find(fields[0].GetString_().GetSval())
	if r == nil {
		r = &reference{}
	}
	return []*reference{r}, true
}

// columns returns nil when they are not known.
func (r *reference) columns() []string {
	switch {
	case r.table != nil:
		return r.table.columns
	case r.derived != nil:
		return r.derived.columns
	}
	return nil
}
