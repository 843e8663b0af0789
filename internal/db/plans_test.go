package db_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

var updateBudgets = flag.Bool("update", false, "write testdata/plans.txt anew from what the queries take")

//go:embed testdata/plans.sql
var installation string

const (
	budgetFile  = "testdata/plans.txt"
	mostDropped = 250 // rows that a statement may read and throw away, unless its line says otherwise
	fewestRows  = 300 // of a table, for a plan over it to say something
)

// small are tables that stay small, so that reading all of one is right.
var small = map[string]string{
	"cycle_figures":       "it has a row for each cycle",
	"runtime_state":       "it has one row",
	"organization_clocks": "it has a row for each organisation, some pages for thousands of them, and all of it is read again and again anyway",
	"key_fingerprints":    "it has a row for each kind of key",
	"pg_authid":           "it has the server's few logins",
}

// Every query, with the plan that PostgreSQL keeps for it once it has stopped planning for single parameters, as kakeai_app and behind row-level security, in the installation
// of testdata/plans.sql: it reads no table from end to end, throws away few of the rows that it reads, and touches no more pages than testdata/plans.txt allows. A query without
// a line there fails, and so does a line without a query. -update writes the lines anew; their difference is what a reviewer looks at.
func TestEveryQueryKeepsToItsPlan(t *testing.T) {
	t.Parallel()
	if testing.Short() || raceDetector {
		t.Skip("fills a database")
	}
	statements := everyStatement(t)
	if t.Failed() {
		return // with arguments that are not known
	}
	database := pgtest.New(t)
	fill(t, database)
	budgets := readBudgets(t)
	app, owner := planner(t, database.AppURL), planner(t, database.OwnerURL)
	measured := 0
	for _, s := range statements {
		c, err := app.measure(t.Context(), s)
		if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) && refused.Code == pgerrcode.InsufficientPrivilege {
			if c, err = owner.measure(t.Context(), s); c != nil {
				c.owner = true
			}
		}
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		measured++
		t.Logf("%s: %d pages", s.name, c.pages)
		if *updateBudgets {
			budgets[s.name] = budgets[s.name].anew(c)
		}
		for _, fault := range budgets[s.name].faults(c) {
			t.Errorf("%s: %s\n%s", s.name, fault, c.plan)
		}
	}
	for name := range budgets {
		if !slices.ContainsFunc(statements, func(s statement) bool { return s.name == name }) && !*updateBudgets {
			t.Errorf("%s has a line for %s, which is no query", budgetFile, name)
		}
	}
	if *updateBudgets && measured == len(statements) {
		writeBudgets(t, budgets, statements)
	}
}

// statement is a query as the program sends it.
type statement struct {
	name, sql string
	args      []any
}

var (
	statementName = regexp.MustCompile(`^-- name: (\w+) :`)
	writing       = regexp.MustCompile(`\b(INSERT INTO|UPDATE|DELETE FROM|FOR SHARE|FOR UPDATE)\b`)
)

// everyStatement has each query make its statement, with the arguments that say something. Those that only read come first, because what the others have undone still
// lies in the way of those behind them.
func everyStatement(t *testing.T) []statement {
	t.Helper()
	var reads, writes []statement
	for method := range reflect.TypeFor[*db.Queries]().Methods() {
		if method.Name == "WithTx" {
			continue
		}
		bare := say(t, method, nil)
		if bare.name != method.Name {
			t.Fatalf("%s sends %q", method.Name, bare.sql)
		}
		for _, name := range append([]string{method.Name}, variants[method.Name]...) {
			s := say(t, method, &arguments{query: method.Name, variant: name, table: subject(bare.sql)})
			s.name = name
			if writing.MatchString(s.sql) {
				writes = append(writes, s)
			} else {
				reads = append(reads, s)
			}
		}
	}
	return slices.Concat(reads, writes)
}

// say calls a query, and returns what it would have sent. Without arguments all of them are zero.
func say(t *testing.T, method reflect.Method, a *arguments) (s statement) {
	t.Helper()
	in := []reflect.Value{reflect.ValueOf(db.New(sends{&s})), reflect.ValueOf(t.Context())}
	for i := 2; i < method.Type.NumIn(); i++ {
		value := reflect.New(method.Type.In(i)).Elem()
		if value.Kind() == reflect.Slice { // of a batch, one is enough
			value = reflect.MakeSlice(value.Type(), 1, 1)
			a.fill(t, value.Index(0))
		} else {
			a.fill(t, value)
		}
		in = append(in, value)
	}
	method.Func.Call(in)
	if named := statementName.FindStringSubmatch(s.sql); named != nil {
		s.name = named[1]
	}
	return s
}

// sends keeps what it should have sent.
type sends struct{ *statement }

var errNotSent = errors.New("not sent")

func (s sends) keep(sql string, args []any) { s.sql, s.args = sql, args }

func (s sends) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	s.keep(sql, args)
	return pgconn.CommandTag{}, errNotSent
}

func (s sends) Query(_ context.Context, sql string, args ...any) (pgx.Rows, error) {
	s.keep(sql, args)
	return nil, errNotSent
}

func (s sends) QueryRow(_ context.Context, sql string, args ...any) pgx.Row {
	s.keep(sql, args)
	return unsent{}
}

func (s sends) SendBatch(_ context.Context, batch *pgx.Batch) pgx.BatchResults {
	s.keep(batch.QueuedQueries[0].SQL, batch.QueuedQueries[0].Arguments)
	return nil
}

type unsent struct{}

func (unsent) Scan(...any) error { return errNotSent }

// fill puts an installation into a new database, with the foreign keys and the indexes made afterwards, which is faster and leaves the indexes the same each time.
// Statistics are taken of whole tables, not of samples, and nothing moves in it afterwards by itself, so that plans and pages are the same in each run.
func fill(t *testing.T, database *pgtest.Database) {
	t.Helper()
	owner := connect(t, database.OwnerURL)
	do := func(sql string) {
		t.Helper()
		if _, err := owner.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%.200s: %v", sql, err)
		}
	}
	list := func(sql string) []string {
		t.Helper()
		rows, err := owner.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		all, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	const foreign = "FROM pg_constraint AS k WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace ORDER BY 1"
	const plain = `FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace
		AND NOT EXISTS (SELECT FROM pg_constraint AS k WHERE k.conindid = i.indexrelid) ORDER BY c.relname`
	later := slices.Concat(list("SELECT pg_get_indexdef(i.indexrelid) "+plain),
		list("SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) "+foreign))
	for _, sql := range slices.Concat(list("SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname) "+foreign),
		list("SELECT format('DROP INDEX %s', i.indexrelid::regclass) "+plain),
		list("SELECT format('ALTER TABLE %s SET (autovacuum_enabled = false)', c.oid::regclass) FROM pg_class AS c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace"),
		[]string{"SET maintenance_work_mem = '256MB'", installation}, later, []string{"SET default_statistics_target = 1000", "VACUUM (ANALYZE)"}) {
		do(sql)
	}
	for _, table := range list(`SELECT c.relname::text FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
		AND a.attname = 'organization_id' AND NOT a.attisdropped AND c.relname <> 'organization_clocks' AND NOT coalesce('n_distinct=10' = ANY (a.attoptions), false)`) {
		t.Errorf("%s: its migration lacks ALTER TABLE %s ALTER COLUMN organization_id SET (n_distinct = 10), so that plans over it hang on how many organisations there are", table, table)
	}
	for _, table := range list("SELECT c.relname::text FROM pg_class AS c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'schema_migrations' AND c.reltuples < " + strconv.Itoa(fewestRows)) {
		if _, known := small[table]; !known {
			t.Errorf("%s has fewer than %d rows: testdata/plans.sql has to put some there, or no plan over it says anything", table, fewestRows)
		}
	}
}

// session is a connection that plans as the program's do after a while.
type session struct {
	*pgx.Conn
}

func planner(t *testing.T, url string) session {
	t.Helper()
	conn := connect(t, url)
	db.RegisterTypes(conn.TypeMap())
	if _, err := conn.Exec(t.Context(), "SELECT set_config('plan_cache_mode', 'force_generic_plan', false), set_config('kakeai.organization_id', $1, false), set_config('timezone', 'UTC', false)",
		row("organizations", 0).String()); err != nil {
		t.Fatal(err)
	}
	return session{conn}
}

// measure runs a statement twice and undoes it; the second time says what it takes, when the catalogue has been read.
func (s session) measure(ctx context.Context, st statement) (*cost, error) {
	tx, err := s.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback(ctx)                     //nolint:errcheck // it is there to undo
	if st.name == "ListMembershipsForSignIn" { // the one that reads before the organisation is known
		if _, err := tx.Exec(ctx, "SELECT set_config('kakeai.organization_id', '', true), set_config('kakeai.signing_in_user_id', $1, true)", the("users").String()); err != nil {
			return nil, err
		}
	}
	prepared, err := tx.Prepare(ctx, "plans_"+strings.NewReplacer("/", "_").Replace(strings.ToLower(st.name)), st.sql)
	if err != nil {
		return nil, err
	}
	defer s.Deallocate(ctx, prepared.Name) //nolint:errcheck // a name is used once, unless the statistics have changed
	literals := make([]string, len(st.args))
	for i, arg := range st.args {
		text, err := s.TypeMap().Encode(prepared.ParamOIDs[i], pgtype.TextFormatCode, arg, []byte{}) // nil would come back for an empty text too
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		literals[i] = "NULL"
		if text != nil {
			literals[i] = "'" + strings.ReplaceAll(string(text), "'", "''") + "'"
		}
	}
	sql := "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE " + prepared.Name
	if len(literals) > 0 {
		sql += " (" + strings.Join(literals, ", ") + ")"
	}
	var plan []byte
	for range 2 {
		again, err := tx.Begin(ctx)
		if err != nil {
			return nil, err
		}
		if err := again.QueryRow(ctx, sql, pgx.QueryExecModeSimpleProtocol).Scan(&plan); err != nil {
			return nil, err
		}
		if err := again.Rollback(ctx); err != nil {
			return nil, err
		}
	}
	return costOf(plan)
}

// cost is what a statement takes.
type cost struct {
	pages   int      // of tables and indexes, and of files where a sort or a hash did not fit
	dropped int      // rows that were read and thrown away
	scanned []string // tables that were read from end to end
	found   bool     // whether it read or wrote any row at all
	owner   bool     // kakeai_app may not run it
	plan    string
}

// node is what a plan consists of, as EXPLAIN tells it.
type node struct {
	Type     string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Filter   float64 `json:"Rows Removed by Filter"`
	Join     float64 `json:"Rows Removed by Join Filter"`
	Recheck  float64 `json:"Rows Removed by Index Recheck"`
	Hit      int     `json:"Shared Hit Blocks"`
	Read     int     `json:"Shared Read Blocks"`
	TempRead int     `json:"Temp Read Blocks"`
	Temp     int     `json:"Temp Written Blocks"`
	Below    []node  `json:"Plans"`
}

func costOf(plan []byte) (*cost, error) {
	var all []struct {
		Plan node `json:"Plan"`
	}
	if err := json.Unmarshal(plan, &all); err != nil {
		return nil, err
	}
	top := all[0].Plan
	c := &cost{pages: top.Hit + top.Read + top.TempRead + top.Temp, found: top.Rows > 0, plan: top.outline("")}
	top.walk(c)
	return c, nil
}

func (n node) walk(c *cost) {
	c.dropped += int((n.Filter + n.Join + n.Recheck) * max(n.Loops, 1))
	if n.Type == "Seq Scan" && n.Loops > 0 && small[n.Relation] == "" && !slices.Contains(c.scanned, n.Relation) {
		c.scanned = append(c.scanned, n.Relation)
	}
	if n.Type == "ModifyTable" && n.Below[0].Rows > 0 {
		c.found = true
	}
	for _, below := range n.Below {
		below.walk(c)
	}
}

// outline is the plan for people.
func (n node) outline(indent string) string {
	text := fmt.Sprintf("%s%s %s rows=%.0f loops=%.0f dropped=%.0f pages=%d\n", indent, n.Type, n.Relation, n.Rows, n.Loops, n.Filter+n.Join+n.Recheck, n.Hit+n.Read)
	for _, below := range n.Below {
		text += below.outline(indent + "  ")
	}
	return text
}

// budget is a line of testdata/plans.txt.
type budget struct {
	pages   int
	dropped int
	scans   []string
	empty   bool // it finds nothing in the installation
	owner   bool // only the tables' owner runs it
	reason  string
}

func (b *budget) faults(c *cost) (faults []string) {
	if b == nil {
		return []string{fmt.Sprintf("it has no line in %s; it takes %d pages", budgetFile, c.pages)}
	}
	fault := func(format string, values ...any) { faults = append(faults, fmt.Sprintf(format, values...)) }
	if c.pages > b.pages {
		fault("it touches %d pages, and %d are allowed", c.pages, b.pages)
	}
	if most := max(mostDropped, b.dropped); c.dropped > most {
		fault("it reads %d rows that it throws away, and %d are allowed", c.dropped, most)
	}
	for _, table := range c.scanned {
		if !slices.Contains(b.scans, table) {
			fault("it reads all of %s", table)
		}
	}
	if !c.found && !b.empty {
		fault("it finds nothing, so that its plan says little: give it other arguments, or say that it is so")
	}
	if c.owner != b.owner {
		fault("that only the owner may run it is %v here, and %v in its line", c.owner, b.owner)
	}
	return faults
}

// anew is a line that a statement fits: with its pages, a quarter more, unless those that it had still fit, and with what people have decided.
func (b *budget) anew(c *cost) *budget {
	if b == nil {
		b = &budget{}
	}
	allowed := (c.pages*5/4/5 + 2) * 5
	if c.pages > b.pages || allowed < b.pages*2/3 {
		b.pages = allowed
	}
	b.owner = c.owner
	return b
}

// readBudgets reads lines such as "ListTeamsAfter 60" and "MeasureOutbox 900 scan=outbox_events dropped=400 owner empty: the reason".
func readBudgets(t *testing.T) map[string]*budget {
	t.Helper()
	text, err := os.ReadFile(budgetFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	all := map[string]*budget{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		facts, reason, _ := strings.Cut(line, ":")
		words := strings.Fields(facts)
		b := &budget{reason: strings.TrimSpace(reason)}
		if len(words) < 2 || all[words[0]] != nil {
			t.Fatalf("%s: %q", budgetFile, line)
		}
		all[words[0]] = b
		if b.pages, err = strconv.Atoi(words[1]); err != nil {
			t.Fatalf("%s: %q", budgetFile, line)
		}
		for _, word := range words[2:] {
			name, value, _ := strings.Cut(word, "=")
			switch name {
			case "dropped":
				b.dropped, err = strconv.Atoi(value)
			case "scan":
				b.scans = append(b.scans, value)
			case "empty":
				b.empty = true
			case "owner":
				b.owner = true
			default:
				t.Fatalf("%s: %q", budgetFile, line)
			}
			if err != nil {
				t.Fatalf("%s: %q", budgetFile, line)
			}
		}
		if (b.dropped > 0 || b.scans != nil || b.empty) && b.reason == "" {
			t.Fatalf("%s: %q gives no reason", budgetFile, line)
		}
	}
	return all
}

const budgetHeading = `# What each query may take: pages of tables and indexes that it touches in the installation of plans.sql, with the arguments of plans_arguments_test.go.
# Beside that, where it needs it and with the reason behind a colon: dropped=N, rows that it may read and throw away (250 otherwise); scan=TABLE, which it
# may read from end to end; empty, it finds nothing there; and owner, only the tables' owner runs it, for whole organisations. NAME/VARIANT is a query with other arguments.
# go test ./internal/db -run TestEveryQueryKeepsToItsPlan -update writes the pages anew, a quarter over what was found, where they no longer fit.
`

func writeBudgets(t *testing.T, budgets map[string]*budget, statements []statement) {
	t.Helper()
	var text strings.Builder
	text.WriteString(budgetHeading)
	slices.SortFunc(statements, func(a, b statement) int { return strings.Compare(a.name, b.name) })
	for _, s := range statements {
		b := budgets[s.name]
		fmt.Fprintf(&text, "%s %d", s.name, b.pages)
		if b.owner {
			text.WriteString(" owner")
		}
		if b.empty {
			text.WriteString(" empty")
		}
		if b.dropped > 0 {
			fmt.Fprintf(&text, " dropped=%d", b.dropped)
		}
		for _, table := range b.scans {
			text.WriteString(" scan=" + table)
		}
		if b.reason != "" {
			text.WriteString(": " + b.reason)
		}
		text.WriteString("\n")
	}
	if err := os.WriteFile(budgetFile, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
