package main

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// walk visits a tree from the top, whatever it is made of, and goes no deeper where visit returns false.
// It knows no kind of node, so a new one cannot hide what stands beneath it.
func walk(tree proto.Message, visit func(proto.Message) bool) {
	m := tree.ProtoReflect()
	if !m.IsValid() || !visit(tree) {
		return
	}
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if field.Kind() != protoreflect.MessageKind || !m.Has(field) {
			continue
		}
		if !field.IsList() {
			walk(m.Get(field).Message().Interface(), visit)
			continue
		}
		list := m.Get(field).List()
		for j := range list.Len() {
			walk(list.Get(j).Message().Interface(), visit)
		}
	}
}

// words returns the names in a list of nodes, such as an operator's, a function's or a key's.
func words(nodes []*pg.Node) []string {
	var names []string
	for _, n := range nodes {
		names = append(names, n.GetString_().GetSval())
	}
	return names
}

// column returns the parts of a column's name: alias and column, or the column alone. Anything else, a star too, is nil.
func column(n *pg.Node) []string {
	fields := n.GetColumnRef().GetFields()
	if slices.ContainsFunc(fields, func(f *pg.Node) bool { return f.GetString_() == nil }) {
		return nil
	}
	return words(fields)
}

// uncast returns what stands under any number of casts, and whether there was one.
func uncast(n *pg.Node) (*pg.Node, bool) {
	cast := false
	for n.GetTypeCast() != nil {
		n, cast = n.GetTypeCast().GetArg(), true
	}
	return n, cast
}

// operator returns the sign of a plain operator, "" for IN, LIKE, BETWEEN, = ANY and their like.
func operator(e *pg.A_Expr) string {
	if e.GetKind() != pg.A_Expr_Kind_AEXPR_OP || len(e.GetName()) != 1 {
		return ""
	}
	return e.GetName()[0].GetString_().GetSval()
}

// conjuncts returns the conditions that must all hold for n to hold.
func conjuncts(n *pg.Node) []*pg.Node {
	if n == nil {
		return nil
	}
	b := n.GetBoolExpr()
	if b.GetBoolop() != pg.BoolExprType_AND_EXPR {
		return []*pg.Node{n}
	}
	var all []*pg.Node
	for _, arg := range b.GetArgs() {
		all = append(all, conjuncts(arg)...)
	}
	return all
}

// equalities returns the pairs that n says are equal: one for a = b, several for (a, b) = (c, d).
func equalities(n *pg.Node) [][2]*pg.Node {
	e := n.GetAExpr()
	if operator(e) != "=" || e.GetLexpr() == nil {
		return nil
	}
	left, right := e.GetLexpr().GetRowExpr().GetArgs(), e.GetRexpr().GetRowExpr().GetArgs()
	if left == nil || len(left) != len(right) {
		return [][2]*pg.Node{{e.GetLexpr(), e.GetRexpr()}}
	}
	var pairs [][2]*pg.Node
	for i := range left {
		pairs = append(pairs, [2]*pg.Node{left[i], right[i]})
	}
	return pairs
}

// parameter is one of sqlc's parameters as PostgreSQL's grammar reads it: @name is a prefix operator before a column,
// and binds tighter than any operator but a cast; sqlc.arg(name) is a call.
type parameter struct {
	name     string // "" when @ stands before something that is no name
	function string // "arg", "narg", "slice", or "" for @
	cast     bool   // inside the operator, as in @name::uuid
	location int32
}

// asParameter tells whether the node itself, casts around it aside, is a parameter.
func asParameter(n *pg.Node) (parameter, bool) {
	n, outside := uncast(n)
	if e := n.GetAExpr(); operator(e) == "@" && e.GetLexpr() == nil {
		operand, inside := uncast(e.GetRexpr())
		p := parameter{cast: inside || outside, location: e.GetLocation()}
		if name := column(operand); len(name) == 1 {
			p.name = name[0]
		}
		return p, true
	}
	call := n.GetFuncCall()
	name := words(call.GetFuncname())
	if len(name) != 2 || name[0] != "sqlc" || name[1] == "embed" || len(call.GetArgs()) != 1 {
		return parameter{}, false
	}
	p := parameter{function: name[1], cast: outside, location: call.GetLocation()}
	if c := column(call.GetArgs()[0]); len(c) == 1 {
		p.name = c[0]
	} else {
		p.name = call.GetArgs()[0].GetAConst().GetSval().GetSval()
	}
	return p, true
}

// isOrganization tells the one parameter that ties a row to the caller's organisation. A nullable one would not.
func isOrganization(n *pg.Node) bool {
	p, ok := asParameter(n)
	return ok && p.name == organizationID && (p.function == "" || p.function == "arg")
}
