// Command sqlcheck reads sql/schema, sql/queries and sql/across-organizations.txt as PostgreSQL's own parser sees them
// and refuses what would let a row of one organisation reach another, or an answer grow without bound.
//
// Of each query it asks that
//
//   - every reference to a table that has an organization_id is tied to @organization_id: by an equality that is AND-ed into
//     its WHERE or the ON of its join, with the parameter or with another reference that is tied itself. The nullable side of an
//     outer join needs it in that join's ON. An INSERT names the column and fills it from the same sources;
//   - :many has a LIMIT that the caller cannot raise, and a change that returns rows takes them from a bounded set;
//   - what is not for everybody's eyes, which is objectives and whatever hangs on them, is read with objective_is_visible for each reference to
//     objectives, AND-ed into a condition or handed out. What has been checked otherwise stands in sql/without-visibility.txt with its reason;
//   - every parameter is cast, every table has an alias, and a comment stands directly under the name.
//
// Of each table with an organization_id it asks that primary and foreign keys begin with it and that row-level security holds.
// What must look across organisations stands in sql/across-organizations.txt with its reason, and nothing stands there in vain.
//
// What it does not understand it refuses. It sees into no function's body; row-level security is there for those.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/pganalyze/pg_query_go/v6/parser"
)

func main() {
	root := "sql"
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	findings, queries, err := check(os.DirFS(root))
	if err != nil {
		fmt.Fprintln(os.Stderr, "sqlcheck:", err)
		os.Exit(2)
	}
	for _, f := range findings {
		f.file = path.Join(root, f.file)
		fmt.Println(f)
	}
	if len(findings) > 0 {
		os.Exit(1)
	}
	fmt.Printf("sqlcheck: %d queries, nothing to complain about\n", queries)
}

// finding is one rule broken in one place.
type finding struct {
	file    string
	line    int
	message string
}

// check reads schema, queries and exceptions beneath fsys. It returns what is wrong, in the order of files and lines,
// and how many queries it read.
func check(fsys fs.FS) ([]finding, int, error) {
	var found findings
	allowed, err := readExceptions(fsys, &found)
	if err != nil {
		return nil, 0, err
	}
	unseen, err := readVisibilityExceptions(fsys, &found)
	if err != nil {
		return nil, 0, err
	}
	tables, err := readSchema(fsys, &found)
	if err != nil {
		return nil, 0, err
	}
	checkTables(tables, allowed, &found)
	queries, err := readQueries(fsys, &found)
	if err != nil {
		return nil, 0, err
	}
	for _, q := range queries {
		checkQuery(q, tables, allowed, &found)
		checkVisibility(q, tables, unseen, &found)
	}
	allowed.reportUnused(queries, &found)
	unseen.reportUnused(queries, &found)
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	return slices.Compact(found), len(queries), nil
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.message) }

type findings []finding

// source is a file's text as it was given to the parser, which counts places in it by bytes.
type source struct {
	file string
	text string
}

func (s source) line(location int32) int {
	return 1 + strings.Count(s.text[:min(max(int(location), 0), len(s.text))], "\n")
}

func (f *findings) add(s source, location int32, format string, args ...any) {
	*f = append(*f, finding{s.file, s.line(location), fmt.Sprintf(format, args...)})
}

// parse returns nil when PostgreSQL's grammar refuses the text, which is then a finding.
func parse(s source, found *findings) []*pg.RawStmt {
	tree, err := pg.Parse(s.text)
	if err != nil {
		var at *parser.Error
		if errors.As(err, &at) {
			found.add(s, int32(at.Cursorpos-1), "%s", at.Message) //nolint:gosec // the parser's own limit on a text is far below 2 GiB
		} else {
			found.add(s, 0, "%v", err)
		}
		return nil
	}
	return tree.GetStmts()
}

// readFiles returns the *.sql files of a folder in the order of their names. A folder that is not there is empty.
func readFiles(fsys fs.FS, folder string) ([]source, error) {
	names, err := fs.Glob(fsys, path.Join(folder, "*.sql"))
	if err != nil {
		return nil, err
	}
	var files []source
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		files = append(files, source{name, string(text)})
	}
	return files, nil
}
