package main

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

// query is one statement with the name and command that sqlc knows it by.
type query struct {
	name      string
	command   string // :one, :many, :exec, …
	source    source
	location  int32 // of its name line
	statement *pg.Node
}

var nameLine = regexp.MustCompile(`(?m)^-- name: (\w+) (:\w+)[ \t]*\n?(.*)$`)

// readQueries reads the queries, and checks that each has a name and a comment directly under it.
func readQueries(fsys fs.FS, found *findings) ([]query, error) {
	files, err := readFiles(fsys, "queries")
	if err != nil {
		return nil, err
	}
	var queries []query
	for _, file := range files {
		for _, raw := range parse(file, found) {
			text := file.text[raw.GetStmtLocation():]
			if length := raw.GetStmtLen(); length > 0 {
				text = text[:length]
			}
			m := nameLine.FindStringSubmatchIndex(text)
			if m == nil {
				found.add(file, start(file, raw), "a statement without a line -- name: Name :command")
				continue
			}
			q := query{text[m[2]:m[3]], text[m[4]:m[5]], file, raw.GetStmtLocation() + int32(m[0]), raw.GetStmt()} //nolint:gosec // a place in a text that the parser has counted
			if comment, ok := strings.CutPrefix(text[m[6]:m[7]], "--"); !ok || strings.TrimSpace(comment) == "" {
				found.add(file, q.location, "%s: a comment directly under the name says what the caller may rely on", q.name)
			}
			queries = append(queries, q)
		}
	}
	return queries, nil
}

// start returns the place of a statement's first word: the parser counts from the end of the statement before.
func start(s source, raw *pg.RawStmt) int32 {
	at := raw.GetStmtLocation()
	for line := range strings.Lines(s.text[at:]) {
		if trimmed := strings.TrimSpace(line); trimmed != "" && !strings.HasPrefix(trimmed, "--") {
			break
		}
		at += int32(len(line)) //nolint:gosec // a place in a text that the parser has counted
	}
	return at
}

func checkQuery(q query, tables schema, allowed *exceptions, found *findings) {
	checkOrganizations(q, tables, allowed, found)
	checkParameters(q, found)
	if strings.HasSuffix(q.command, "many") {
		checkBound(q, found)
	}
}

// checkParameters asks for a cast on every parameter: without one sqlc guesses the type from the surroundings, and can guess wrong.
func checkParameters(q query, found *findings) {
	cast := map[proto.Message]bool{}
	walk(q.statement, func(m proto.Message) bool {
		n, ok := m.(*pg.Node)
		if !ok {
			return true
		}
		if p, ok := asParameter(n); ok {
			inner, _ := uncast(n)
			switch {
			case cast[inner]: // judged with the cast around it
			case p.name == "":
				found.add(q.source, p.location, "%s: @ takes in the operator behind it, or stands before no name: write (@name::type), and a name that is no word of SQL", q.name)
			case p.function == "slice":
				found.add(q.source, p.location, "%s: sqlc.slice fails at run time on pgx; write = ANY(@%s::type[])", q.name, p.name)
			case !p.cast:
				found.add(q.source, p.location, "%s: parameter %s needs a cast", q.name, p.name)
			}
			cast[inner] = true
		}
		if p := n.GetParamRef(); p != nil {
			found.add(q.source, p.GetLocation(), "%s: give parameter $%d a name", q.name, p.GetNumber())
		}
		// id=@id is read as the operator =@ between two columns.
		if e := n.GetAExpr(); e.GetLexpr() != nil && strings.HasSuffix(operator(e), "@") {
			if operand, _ := uncast(e.GetRexpr()); len(column(operand)) == 1 {
				found.add(q.source, e.GetLocation(), "%s: a space is missing before @%s", q.name, column(operand)[0])
			}
		}
		return true
	})
}

// checkBound asks of a query that answers with many rows how many there can be.
func checkBound(q query, found *findings) {
	bounds := bounds{}
	switch n := q.statement.GetNode().(type) {
	case *pg.Node_SelectStmt:
		if !limited(n.SelectStmt) {
			found.add(q.source, q.location, "%s: :many needs a LIMIT on its outermost SELECT that the caller cannot raise: a constant, or least(@page_size::int, 200)", q.name)
		}
	case *pg.Node_InsertStmt:
		bounds.add(n.InsertStmt.GetWithClause())
		if !bounds.selected(n.InsertStmt.GetSelectStmt().GetSelectStmt()) {
			found.add(q.source, q.location, "%s: :many needs rows from VALUES, a LIMIT, unnest of a parameter, or a bounded CTE", q.name)
		}
	case *pg.Node_UpdateStmt:
		bounds.add(n.UpdateStmt.GetWithClause())
		if !bounds.changed(n.UpdateStmt.GetRelation(), n.UpdateStmt.GetWhereClause(), n.UpdateStmt.GetFromClause()) {
			found.add(q.source, q.location, unboundedChange, q.name)
		}
	case *pg.Node_DeleteStmt:
		bounds.add(n.DeleteStmt.GetWithClause())
		if !bounds.changed(n.DeleteStmt.GetRelation(), n.DeleteStmt.GetWhereClause(), n.DeleteStmt.GetUsingClause()) {
			found.add(q.source, q.location, unboundedChange, q.name)
		}
	}
}

const unboundedChange = "%s: :many needs a bounded set of rows to change: = ANY(@ids::uuid[]), IN (SELECT … LIMIT), or an equality with a bounded CTE, sub-select or unnest of a parameter"

// limited tells whether a SELECT has a LIMIT that holds whatever the caller passes.
func limited(s *pg.SelectStmt) bool {
	return s.GetLimitCount() != nil && s.GetLimitOption() != pg.LimitOption_LIMIT_OPTION_WITH_TIES && fixed(s.GetLimitCount())
}

func fixed(n *pg.Node) bool {
	n, _ = uncast(n)
	if least := n.GetMinMaxExpr(); least.GetOp() == pg.MinMaxOp_IS_LEAST {
		return slices.ContainsFunc(least.GetArgs(), fixed)
	}
	c := n.GetAConst()
	return c != nil && !c.GetIsnull()
}

// bounds are the CTEs known to hold no more rows than a LIMIT or a parameter's elements.
type bounds map[string]bool

func (b bounds) add(with *pg.WithClause) {
	for _, n := range with.GetCtes() {
		c := n.GetCommonTableExpr()
		switch body := c.GetCtequery().GetNode().(type) {
		case *pg.Node_SelectStmt:
			b[c.GetCtename()] = b.selected(body.SelectStmt)
		case *pg.Node_InsertStmt:
			b[c.GetCtename()] = b.selected(body.InsertStmt.GetSelectStmt().GetSelectStmt())
		case *pg.Node_UpdateStmt:
			b[c.GetCtename()] = b.changed(body.UpdateStmt.GetRelation(), body.UpdateStmt.GetWhereClause(), body.UpdateStmt.GetFromClause())
		case *pg.Node_DeleteStmt:
			b[c.GetCtename()] = b.changed(body.DeleteStmt.GetRelation(), body.DeleteStmt.GetWhereClause(), body.DeleteStmt.GetUsingClause())
		}
	}
}

// selected tells whether a SELECT is limited, or reads from nothing that is not bounded itself.
func (b bounds) selected(s *pg.SelectStmt) bool {
	switch {
	case s == nil:
		return false
	case limited(s), len(s.GetValuesLists()) > 0:
		return true
	case s.GetOp() != pg.SetOperation_SETOP_NONE:
		return b.selected(s.GetLarg()) && b.selected(s.GetRarg())
	}
	return all(s.GetFromClause(), b.item) &&
		all(calls(s.GetTargetList()), func(c *pg.FuncCall) bool {
			return !setReturning(c) || ofParameters(c)
		})
}

func all[T any](list []T, holds func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !holds(x) })
}

// item tells whether something in FROM is bounded.
func (b bounds) item(n *pg.Node) bool {
	switch n := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		return n.RangeVar.GetSchemaname() == "" && b[n.RangeVar.GetRelname()]
	case *pg.Node_RangeSubselect:
		return b.selected(n.RangeSubselect.GetSubquery().GetSelectStmt())
	case *pg.Node_RangeFunction:
		sets := calls(n.RangeFunction.GetFunctions())
		return len(sets) > 0 && all(sets, ofParameters)
	case *pg.Node_JoinExpr:
		return b.item(n.JoinExpr.GetLarg()) && b.item(n.JoinExpr.GetRarg())
	}
	return false
}

// changed tells whether a condition holds the rows that an UPDATE or DELETE changes to a bounded set.
func (b bounds) changed(target *pg.RangeVar, where *pg.Node, from []*pg.Node) bool {
	alias := aliasOf(target)
	bounded := map[string]bool{}
	for _, item := range from {
		for name, node := range itemsByAlias(item) {
			bounded[name] = b.item(node)
		}
	}
	of := func(n *pg.Node) string {
		if name := column(n); len(name) == 2 {
			return name[0]
		}
		return ""
	}
	for _, c := range conjuncts(where) {
		for _, pair := range equalities(c) {
			x, y := of(pair[0]), of(pair[1])
			both := column(pair[0]) != nil && column(pair[1]) != nil
			if both && column(pair[0])[len(column(pair[0]))-1] == organizationID {
				continue // every row of an organisation has it
			}
			if x == alias && bounded[y] || y == alias && bounded[x] {
				return true
			}
		}
		if e := c.GetAExpr(); e.GetKind() == pg.A_Expr_Kind_AEXPR_OP_ANY && of(e.GetLexpr()) == alias {
			if _, ok := asParameter(e.GetRexpr()); ok {
				return true
			}
		}
		if in := c.GetSubLink(); in.GetSubLinkType() == pg.SubLinkType_ANY_SUBLINK && len(in.GetOperName()) == 0 && b.selected(in.GetSubselect().GetSelectStmt()) {
			return true
		}
	}
	return false
}

// itemsByAlias returns what an item in FROM joins, by the names it goes by.
func itemsByAlias(n *pg.Node) map[string]*pg.Node {
	items := map[string]*pg.Node{}
	switch item := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		items[aliasOf(item.RangeVar)] = n
	case *pg.Node_RangeSubselect:
		items[item.RangeSubselect.GetAlias().GetAliasname()] = n
	case *pg.Node_RangeFunction:
		items[item.RangeFunction.GetAlias().GetAliasname()] = n
	case *pg.Node_JoinExpr:
		for _, side := range []*pg.Node{item.JoinExpr.GetLarg(), item.JoinExpr.GetRarg()} {
			for name, node := range itemsByAlias(side) {
				items[name] = node
			}
		}
	}
	return items
}

func aliasOf(v *pg.RangeVar) string {
	if alias := v.GetAlias().GetAliasname(); alias != "" {
		return alias
	}
	return v.GetRelname()
}

// calls returns the functions called anywhere in the nodes.
func calls(nodes []*pg.Node) []*pg.FuncCall {
	var all []*pg.FuncCall
	for _, n := range nodes {
		walk(n, func(m proto.Message) bool {
			if call, ok := m.(*pg.FuncCall); ok {
				all = append(all, call)
			}
			return true
		})
	}
	return all
}

// setReturning tells the functions of PostgreSQL that make more rows of a SELECT list.
func setReturning(c *pg.FuncCall) bool {
	switch functionName(c) {
	case "generate_series", "generate_subscripts", "jsonb_each", "jsonb_object_keys", "jsonb_path_query",
		"regexp_matches", "regexp_split_to_table", "string_to_table":
		return true
	}
	return ofElements(c)
}

// ofElements tells those that make one row of each element of their argument, and so of a parameter no more than the caller sent.
func ofElements(c *pg.FuncCall) bool {
	switch functionName(c) {
	case "unnest", "jsonb_array_elements", "jsonb_array_elements_text", "jsonb_to_recordset":
		return true
	}
	return false
}

func ofParameters(c *pg.FuncCall) bool {
	return ofElements(c) && all(c.GetArgs(), func(n *pg.Node) bool {
		_, ok := asParameter(n)
		return ok
	})
}

func functionName(c *pg.FuncCall) string {
	name := words(c.GetFuncname())
	return name[len(name)-1]
}
