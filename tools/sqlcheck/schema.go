package main

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

const organizationID = "organization_id"

// table is what the migrations, applied in their order, leave of one CREATE TABLE.
type table struct {
	name        string
	source      source
	location    int32
	columns     []string
	primaryKey  []string
	keyName     string
	foreignKeys []foreignKey
	policies    []policy
	rowSecurity bool
	partition   bool // reached through its parent, which has the policy
}

type foreignKey struct {
	name       string
	columns    []string
	target     string
	referenced []string // nil: the target's primary key
	source     source
	location   int32
}

type policy struct {
	name     string
	source   source
	location int32
	keeps    bool // to one organisation
	all      bool // for every command
	widens   bool // permissive policies are OR-ed, so each one opens the table further
}

// organization returns the column that says whose a row is, or "" for a table above organisations. An organisation is its own.
func (t *table) organization() string {
	switch {
	case t == nil:
		return ""
	case t.name == "organizations":
		return "id"
	case slices.Contains(t.columns, organizationID):
		return organizationID
	}
	return ""
}

func (t *table) tenant() bool { return t.organization() != "" }

type schema map[string]*table

// readSchema applies the "migrate:up" sections of the migrations in the order of their names.
func readSchema(fsys fs.FS, found *findings) (schema, error) {
	files, err := readFiles(fsys, "schema")
	if err != nil {
		return nil, err
	}
	tables := schema{}
	for _, file := range files {
		file.text = upSection(file.text)
		for _, raw := range parse(file, found) {
			tables.apply(file, raw, found)
		}
	}
	return tables, nil
}

// upSection blanks what does not stand in the "migrate:up" section, so that lines keep their numbers.
func upSection(text string) string {
	var b strings.Builder
	up := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "-- migrate:") {
			up = strings.HasPrefix(line, "-- migrate:up")
		}
		if up {
			b.WriteString(line)
		} else {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func (tables schema) apply(s source, raw *pg.RawStmt, found *findings) {
	at := start(s, raw)
	switch n := raw.GetStmt().GetNode().(type) {
	case *pg.Node_CreateStmt:
		tables.create(s, n.CreateStmt, found)
	case *pg.Node_AlterTableStmt:
		if t := tables[n.AlterTableStmt.GetRelation().GetRelname()]; t != nil {
			for _, cmd := range n.AlterTableStmt.GetCmds() {
				t.alter(s, at, cmd.GetAlterTableCmd(), found)
			}
		}
	case *pg.Node_RenameStmt:
		tables.rename(n.RenameStmt)
	case *pg.Node_DropStmt:
		tables.drop(n.DropStmt)
	case *pg.Node_CreatePolicyStmt:
		if t := tables[n.CreatePolicyStmt.GetTable().GetRelname()]; t != nil {
			t.policies = append(t.policies, t.newPolicy(s, at, n.CreatePolicyStmt))
		}
	case *pg.Node_AlterPolicyStmt:
		found.add(s, at, "drop the policy and create it anew: the two forms of it would have to be read together")
	case *pg.Node_ViewStmt, *pg.Node_CreateTableAsStmt:
		found.add(s, at, "a view reads with its owner's rights, past row-level security, and a table made by a query has no keys: write a query or a table")
	}
}

func (tables schema) create(s source, n *pg.CreateStmt, found *findings) {
	t := &table{name: n.GetRelation().GetRelname(), source: s, location: n.GetRelation().GetLocation()}
	tables[t.name] = t
	switch {
	case n.GetPartbound() != nil:
		if parent := tables[n.GetInhRelations()[0].GetRangeVar().GetRelname()]; parent != nil {
			t.partition, t.columns, t.primaryKey = true, slices.Clone(parent.columns), parent.primaryKey
		}
	case len(n.GetInhRelations()) > 0 || n.GetOfTypename() != nil:
		found.add(s, t.location, "write the table's columns out")
	}
	for _, element := range n.GetTableElts() {
		switch e := element.GetNode().(type) {
		case *pg.Node_ColumnDef:
			t.addColumn(s, e.ColumnDef)
		case *pg.Node_Constraint:
			t.addConstraint(s, e.Constraint, nil)
		default:
			found.add(s, t.location, "write the table's columns out")
		}
	}
	for _, c := range n.GetConstraints() {
		t.addConstraint(s, c.GetConstraint(), nil)
	}
}

func (t *table) addColumn(s source, c *pg.ColumnDef) {
	t.columns = append(t.columns, c.GetColname())
	for _, constraint := range c.GetConstraints() {
		t.addConstraint(s, constraint.GetConstraint(), []string{c.GetColname()})
	}
}

// addConstraint takes note of a key. on names the column that the constraint was written behind, if it was.
func (t *table) addConstraint(s source, c *pg.Constraint, on []string) {
	switch c.GetContype() {
	case pg.ConstrType_CONSTR_PRIMARY:
		t.primaryKey, t.keyName = slices.Concat(on, words(c.GetKeys())), c.GetConname()
		if t.keyName == "" {
			t.keyName = t.name + "_pkey"
		}
	case pg.ConstrType_CONSTR_FOREIGN:
		key := foreignKey{c.GetConname(), slices.Concat(on, words(c.GetFkAttrs())), c.GetPktable().GetRelname(), words(c.GetPkAttrs()), s, c.GetLocation()}
		if key.name == "" {
			key.name = fmt.Sprintf("%s_%s_fkey", t.name, strings.Join(key.columns, "_"))
		}
		t.foreignKeys = append(t.foreignKeys, key)
	}
}

func (t *table) alter(s source, at int32, cmd *pg.AlterTableCmd, found *findings) {
	switch cmd.GetSubtype() {
	case pg.AlterTableType_AT_AddColumn:
		t.addColumn(s, cmd.GetDef().GetColumnDef())
	case pg.AlterTableType_AT_DropColumn:
		t.columns = slices.DeleteFunc(t.columns, func(name string) bool { return name == cmd.GetName() })
	case pg.AlterTableType_AT_AddConstraint:
		if c := cmd.GetDef().GetConstraint(); c.GetContype() == pg.ConstrType_CONSTR_PRIMARY && c.GetIndexname() != "" {
			found.add(s, at, "name the primary key's columns instead of its index")
		}
		t.addConstraint(s, cmd.GetDef().GetConstraint(), nil)
	case pg.AlterTableType_AT_DropConstraint:
		if cmd.GetName() == t.keyName {
			t.primaryKey = nil
		}
		t.foreignKeys = slices.DeleteFunc(t.foreignKeys, func(k foreignKey) bool { return k.name == cmd.GetName() })
	case pg.AlterTableType_AT_EnableRowSecurity:
		t.rowSecurity = true
	case pg.AlterTableType_AT_DisableRowSecurity:
		t.rowSecurity = false
	}
}

func (tables schema) rename(n *pg.RenameStmt) {
	t := tables[n.GetRelation().GetRelname()]
	if t == nil {
		return
	}
	switch n.GetRenameType() {
	case pg.ObjectType_OBJECT_TABLE:
		delete(tables, t.name)
		t.name = n.GetNewname()
		tables[t.name] = t
	case pg.ObjectType_OBJECT_COLUMN:
		for _, names := range [][]string{t.columns, t.primaryKey} {
			if i := slices.Index(names, n.GetSubname()); i >= 0 {
				names[i] = n.GetNewname()
			}
		}
	}
}

func (tables schema) drop(n *pg.DropStmt) {
	for _, object := range n.GetObjects() {
		name := words(object.GetList().GetItems())
		switch n.GetRemoveType() {
		case pg.ObjectType_OBJECT_TABLE:
			delete(tables, name[len(name)-1])
		case pg.ObjectType_OBJECT_POLICY:
			if t := tables[name[len(name)-2]]; t != nil {
				t.policies = slices.DeleteFunc(t.policies, func(p policy) bool { return p.name == name[len(name)-1] })
			}
		}
	}
}

func (t *table) newPolicy(s source, at int32, n *pg.CreatePolicyStmt) policy {
	using, check := n.GetQual(), n.GetWithCheck()
	return policy{
		name: n.GetPolicyName(), source: s, location: at,
		keeps:  (using == nil || t.kept(using)) && (check == nil || t.kept(check)),
		all:    n.GetCmdName() == "all" && using != nil,
		widens: n.GetPermissive(),
	}
}

// kept tells whether a policy's condition demands organization_id = (SELECT …), the form that PostgreSQL evaluates once for
// a statement instead of once for a row.
func (t *table) kept(condition *pg.Node) bool {
	for _, c := range conjuncts(condition) {
		for _, pair := range equalities(c) {
			once := pair[1].GetSubLink().GetSubselect().GetSelectStmt()
			if slices.Equal(column(pair[0]), []string{t.organization()}) && len(once.GetTargetList()) == 1 && len(once.GetFromClause()) == 0 {
				return true
			}
		}
	}
	return false
}

// checkTables holds every tenant table to keys that begin with the organisation and to row-level security.
func checkTables(tables schema, allowed *exceptions, found *findings) {
	for _, t := range tables {
		if !t.tenant() || t.partition {
			continue
		}
		if len(t.primaryKey) == 0 || t.primaryKey[0] != t.organization() {
			found.add(t.source, t.location, "the primary key of %s must begin with %s", t.name, t.organization())
		}
		for _, key := range t.foreignKeys {
			target := tables[key.target].organization()
			if target != "" && (key.columns[0] != t.organization() || key.referenced != nil && key.referenced[0] != target) {
				found.add(key.source, key.location, "a foreign key to %s must begin with organization_id on both sides, or a row could point into another organisation", key.target)
			}
		}
		checkRowSecurity(t, allowed, found)
	}
}

func checkRowSecurity(t *table, allowed *exceptions, found *findings) {
	kept := t.rowSecurity && slices.ContainsFunc(t.policies, func(p policy) bool { return p.keeps && p.all && p.widens })
	if !kept && !allowed.allows("table", "", t.name) {
		found.add(t.source, t.location, "%s needs ENABLE ROW LEVEL SECURITY and a policy USING (%s = (SELECT …)), or a line in %s", t.name, t.organization(), exceptionsFile)
	}
	for _, p := range t.policies {
		if p.widens && !p.keeps && !allowed.allows("policy", p.name, t.name) {
			found.add(p.source, p.location, "policy %s opens %s wider than one organisation: add %s = (SELECT …), or a line in %s", p.name, t.name, t.organization(), exceptionsFile)
		}
	}
}
