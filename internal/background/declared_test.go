package background

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	module     = "github.com/kakeai/kakeai/"
	ownPackage = module + "internal/background"
)

// Who may open a scope, and who may have it counted that work is deferred outside of any.
var (
	openers   = []string{"api.Server.begin", "main.scheduled"}
	attenders = []string{"main.develop", "main.worker"}
)

// use is a place in the program's code that names something of this package.
type use struct {
	caller string // package.function or package.Type.method
	name   string // the first argument that is a string, where it is called with a constant
	at     token.Position
}

// uses reads all of the program's code, its tests aside, and returns where it names Defer, Open and Attend, as the compiler understands it: whatever a call looks
// like, and without one too.
func uses(t *testing.T) map[string][]use {
	t.Helper()
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
		DepOnly                 bool
	}
	command := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,DepOnly", "./...")
	command.Dir = filepath.Join("..", "..")
	command.Stderr = os.Stderr
	output, err := command.Output()
	require.NoError(t, err)
	exports := map[string]string{}
	var own []listed
	for decoder := json.NewDecoder(strings.NewReader(string(output))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly && p.ImportPath != ownPackage {
			own = append(own, p)
		}
	}
	files := token.NewFileSet()
	compiled := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	found := map[string][]use{}
	for _, p := range own {
		var syntax []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			syntax = append(syntax, file)
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
		checked, err := (&types.Config{Importer: compiled}).Check(p.ImportPath, files, syntax, info)
		require.NoError(t, err)
		for _, file := range syntax {
			for _, declaration := range file.Decls {
				for what, u := range usesIn(declaration, info) {
					for _, u := range u {
						u.caller = checked.Name() + "." + caller(declaration)
						u.at = files.Position(declaration.Pos())
						found[what] = append(found[what], u)
					}
				}
			}
		}
	}
	return found
}

// usesIn finds what a declaration names of this package.
func usesIn(declaration ast.Decl, info *types.Info) map[string][]use {
	found := map[string][]use{}
	named := map[*ast.Ident]string{}
	ast.Inspect(declaration, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if selector, ok := call.Fun.(*ast.SelectorExpr); ok && len(call.Args) > 1 {
			if value := info.Types[call.Args[1]].Value; value != nil && value.Kind() == constant.String {
				named[selector.Sel] = constant.StringVal(value)
			}
		}
		return true
	})
	ast.Inspect(declaration, func(n ast.Node) bool {
		identifier, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		function, ok := info.Uses[identifier].(*types.Func)
		if ok && function.Pkg() != nil && function.Pkg().Path() == ownPackage && slices.Contains([]string{"Defer", "Open", "Attend"}, function.Name()) {
			found[function.Name()] = append(found[function.Name()], use{name: named[identifier]})
		}
		return true
	})
	return found
}

// caller names a declaration: Function, Type.Method, or what stands in a variable.
func caller(declaration ast.Decl) string {
	function, ok := declaration.(*ast.FuncDecl)
	if !ok {
		return "(a variable)"
	}
	if function.Recv == nil {
		return function.Name.Name
	}
	receiver := function.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	if generic, ok := receiver.(*ast.IndexExpr); ok {
		receiver = generic.X
	}
	return fmt.Sprint(receiver) + "." + function.Name.Name
}

func TestEverythingDeferredIsInTheList(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads all of the program")
	}
	found := uses(t)
	callers := map[string][]string{}
	for _, u := range found["Defer"] {
		if u.name == "" {
			t.Errorf("%s (%s) names Defer without calling it with a constant, so nobody can review what it defers", u.caller, u.at)
			continue
		}
		callers[u.name] = append(callers[u.name], u.caller)
	}
	for _, d := range declarations {
		assert.ElementsMatch(t, d.callers, callers[d.name], "who defers %q: the list in declared.go, and the code", d.name)
		delete(callers, d.name)
	}
	for name, by := range callers {
		t.Errorf("%q, deferred by %s, is not in the list in declared.go", name, strings.Join(by, ", "))
	}
	for what, allowed := range map[string][]string{"Open": openers, "Attend": attenders} {
		var by []string
		for _, u := range found[what] {
			by = append(by, u.caller)
		}
		assert.ElementsMatch(t, allowed, by, "who calls %s", what)
	}
}

func TestTheListIsComplete(t *testing.T) {
	t.Parallel()
	for i, d := range declarations {
		assert.True(t, d.name != "" && d.deadline > 0 && len(d.callers) > 0 && d.deferred != "" && d.outbox != "" && d.lost != "", "%q: something is missing", d.name)
		assert.True(t, i == 0 || declarations[i-1].name < d.name, "%q stands in the wrong place", d.name)
		assert.Equal(t, d.name, find(declarations, d.name).name)
	}
}

// docs/design.md has the list as a table.
func TestTheDesignHasTheList(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "design.md"))
	require.NoError(t, err)
	var table strings.Builder
	table.WriteString("| Name | Deferred by | Deferred | In the outbox | A crash loses | Deadline | Without room |\n|---|---|---|---|---|---|---|\n")
	for _, d := range declarations {
		var by []string
		for _, c := range d.callers {
			by = append(by, "`"+c+"`")
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s | %s | %s |\n", d.name, strings.Join(by, ", "), d.deferred, d.outbox, d.lost, d.deadline, d.full)
	}
	if !strings.Contains(string(page), "\n"+table.String()+"\n") {
		t.Errorf("%s does not have this table, followed by an empty line:\n\n%s", path.Join("docs", "design.md"), table.String())
	}
}
