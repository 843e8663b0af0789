package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"github.com/kakeai/kakeai/internal/okr"
)

// The longest texts, as the schema has them.
const (
	maxTitle = 300
	maxText  = 10000
	maxUnit  = 40
	maxID    = 200
	maxSteps = 50
)

// Problem is a reason against a row. Column counts from 0; it is -1 where no single column is to blame.
type Problem struct {
	Column int    `json:"column"`
	Field  Field  `json:"field"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// ObjectiveIntent is what a row wants an objective to be. Nil is what the file does not say; an empty text says that there is none.
type ObjectiveIntent struct {
	Title           string              `json:"title"`
	Description     *string             `json:"description,omitempty"`
	Kind            *okr.Commitment     `json:"kind,omitempty"`
	Visibility      *okr.Visibility     `json:"visibility,omitempty"`
	State           *okr.ObjectiveState `json:"state,omitempty"`
	Score           *decimal.Decimal    `json:"score,omitempty"`
	Archived        bool                `json:"archived,omitempty"`
	Owner           *string             `json:"owner,omitempty"` // an e-mail address
	Team            *string             `json:"team,omitempty"`
	Cycle           *string             `json:"cycle,omitempty"`
	Parent          *string             `json:"parent,omitempty"` // an id in the file, or one that is known
	ParentKeyResult *string             `json:"parent_key_result,omitempty"`
}

// KeyResultIntent is what a row wants a key result to be. Where Measured is false, the file does not say how it is measured.
type KeyResultIntent struct {
	Title       string            `json:"title"`
	Description *string           `json:"description,omitempty"`
	Owner       *string           `json:"owner,omitempty"`
	Weight      *decimal.Decimal  `json:"weight,omitempty"`
	Measured    bool              `json:"measured,omitempty"`
	Kind        okr.KeyResultKind `json:"kind,omitempty"`
	Unit        string            `json:"unit,omitempty"`
	Baseline    *decimal.Decimal  `json:"baseline,omitempty"`
	Target      *decimal.Decimal  `json:"target,omitempty"`
	Stretch     *decimal.Decimal  `json:"stretch,omitempty"`
	AtLeast     *decimal.Decimal  `json:"at_least,omitempty"`
	AtMost      *decimal.Decimal  `json:"at_most,omitempty"`
	Tolerance   *decimal.Decimal  `json:"tolerance,omitempty"`
	Steps       []StepIntent      `json:"steps,omitempty"`
}

// StepIntent is a step of a milestone.
type StepIntent struct {
	Title  string          `json:"title"`
	Weight decimal.Decimal `json:"weight"`
}

// CheckInIntent is a check-in to a row's key result.
type CheckInIntent struct {
	Value      *decimal.Decimal `json:"value,omitempty"`
	Done       []int            `json:"done,omitempty"` // steps, counted from 1
	Confidence *int             `json:"confidence,omitempty"`
	Note       *string          `json:"note,omitempty"`
	At         *time.Time       `json:"at,omitempty"`
	By         string           `json:"by,omitempty"` // an e-mail address
}

// Reading is what a row says. A key names a thing within its source: rows with the same key speak of the same thing. What a row only refers to has a key and no intent.
type Reading struct {
	ObjectiveKey string
	Objective    *ObjectiveIntent
	KeyResultKey string
	KeyResult    *KeyResultIntent
	CheckInKey   string
	CheckIn      *CheckInIntent
	Problems     []Problem
}

// Options are how cells are read.
type Options struct {
	Mark  string         // of decimals
	Order string         // of dates
	Zone  *time.Location // of days
	Cycle string         // tells files apart that do not name their cycles: whatever stands for the cycle that they go to
	Exact bool           // texts are as they are written, blanks around them included
	Plain bool           // no cell was made neutral for spreadsheets
}

// Reader reads the rows of one file, in their order.
type Reader struct {
	mapping []Field
	options Options
	columns map[Field]int

	// Above are the keys of the objective and the key result that the latest row spoke of: rows that leave them out mean the same ones.
	Above struct{ Objective, KeyResult string }
}

// NewReader reads by a mapping, which has a field for each column, or none.
func NewReader(mapping []Field, o Options) *Reader {
	r := &Reader{mapping: mapping, options: o, columns: make(map[Field]int, len(mapping))}
	for i, f := range mapping {
		if f != "" {
			r.columns[f] = i
		}
	}
	return r
}

// Column is that of a field, or -1.
func (r *Reader) Column(f Field) int {
	if i, ok := r.columns[f]; ok {
		return i
	}
	return -1
}

// row is one row while it is read.
type row struct {
	*Reader
	cells   map[Field]string // by field, those of mapped columns
	columns map[Field]Field  // what a field's cell was called in the file, where it was an item's
	out     Reading
}

// Row reads the next row.
func (r *Reader) Row(cells []string) Reading {
	w := &row{Reader: r, cells: make(map[Field]string, len(cells)), columns: map[Field]Field{}}
	for i, f := range r.mapping {
		if f == "" {
			continue
		}
		w.cells[f] = ""
		if i < len(cells) {
			w.cells[f] = cells[i]
			if !r.options.Plain {
				w.cells[f] = Plain(cells[i])
			}
			if !r.options.Exact {
				w.cells[f] = strings.TrimSpace(w.cells[f])
			}
		}
	}
	w.item()
	w.objective()
	if w.out.ObjectiveKey != "" {
		w.keyResult()
		w.checkIn()
	}
	return w.out
}

func (w *row) refuse(f Field, code, detail string) {
	of := f
	if was, ok := w.columns[f]; ok {
		of = was
	}
	w.out.Problems = append(w.out.Problems, Problem{Column: w.Column(of), Field: of, Code: code, Detail: detail})
}

// item turns a row that is an objective or a key result into one that speaks of it.
func (w *row) item() {
	if _, ok := w.cells[Item]; !ok {
		return
	}
	move := func(from, to Field) {
		if v, ok := w.cells[from]; ok {
			w.cells[to], w.columns[to] = v, from
		}
	}
	switch folded(w.cells[ItemType]) {
	case "", "objective", "goal", "o", "bigrock", "目標":
		move(Item, Objective)
		move(ItemID, ObjectiveID)
		move(ItemDescription, ObjectiveDescription)
		move(ItemOwner, Owner)
		move(ItemParent, ParentObjective)
		if w.cells[ItemType] != "" { // its own progress is that of what belongs to it
			delete(w.cells, Progress)
		}
	case "keyresult", "kr", "milestone", "kpi", "metric", "成果指標", "主要な結果", "キーリザルト":
		move(Item, KeyResult)
		move(ItemID, KeyResultID)
		move(ItemDescription, KeyResultDescription)
		move(ItemOwner, KeyResultOwner)
		move(ItemParent, ObjectiveID)
		delete(w.cells, Objective)
	default:
		w.refuse(ItemType, "type-unknown", "The type is objective or key result, or goal or milestone.")
	}
}

func (w *row) said(f Field) bool { return strings.TrimSpace(w.cells[f]) != "" }

// text is what the file says of a field; nil where it has no such column.
func (w *row) text(f Field, longest int) *string {
	v, ok := w.cells[f]
	if !ok {
		return nil
	}
	if utf8.RuneCountInString(v) > longest {
		w.refuse(f, "too-long", fmt.Sprintf("At most %d characters.", longest))
	}
	return &v
}

func (w *row) id(f Field) string {
	v := strings.TrimSpace(w.cells[f])
	if utf8.RuneCountInString(v) > maxID {
		w.refuse(f, "too-long", fmt.Sprintf("At most %d characters.", maxID))
		return ""
	}
	return v
}

func (w *row) number(f Field) (*decimal.Decimal, string) {
	if !w.said(f) {
		return nil, ""
	}
	n, ok := ParseNumber(w.cells[f], w.options.Mark)
	if !ok {
		w.refuse(f, "number", fmt.Sprintf("%q is not a number.", short(w.cells[f])))
		return nil, ""
	}
	return &n.Value, n.Unit
}

func (w *row) person(f Field) *string {
	v, ok := w.cells[f]
	if !ok {
		return nil
	}
	address := Email(v)
	if strings.TrimSpace(v) != "" && address == "" {
		w.refuse(f, "email", fmt.Sprintf("%q is not an e-mail address.", short(v)))
	}
	return &address
}

// Email is the first e-mail address in a cell, in lower case; empty if there is none. "Mika Ito <mika@example.com>" and lists are such cells.
func Email(cell string) string {
	for _, part := range strings.FieldsFunc(norm.NFKC.String(cell), func(r rune) bool { return strings.ContainsRune(" ,;<>()\n\t\"", r) }) {
		if at := strings.IndexByte(part, '@'); at > 0 && at < len(part)-1 && len(part) <= 254 {
			return strings.ToLower(part)
		}
	}
	return ""
}

// short is a cell as it stands in a reason.
func short(cell string) string {
	if r := []rune(cell); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return cell
}

// choice is one of the values that a field can have, by the words that people have for it.
func choice[T ~string](w *row, f Field, of map[T][]string) *T {
	if !w.said(f) {
		return nil
	}
	said := folded(w.cells[f])
	var all []string
	for v, names := range of {
		if folded(string(v)) == said || slices.Contains(names, said) {
			return &v
		}
		all = append(all, string(v))
	}
	slices.Sort(all)
	w.refuse(f, "choice", fmt.Sprintf("%q is none of %s.", short(w.cells[f]), strings.Join(all, ", ")))
	return nil
}

func (w *row) objective() {
	id := w.id(ObjectiveID)
	if !w.said(Objective) {
		switch {
		case id != "":
			w.out.ObjectiveKey = "id:" + id
		case w.Above.Objective != "":
			w.out.ObjectiveKey = w.Above.Objective
		default:
			w.refuse(Objective, okr.CodeRequired, "The row names no objective, and there is none above it.")
		}
		return
	}
	o := &ObjectiveIntent{Title: w.cells[Objective]}
	before := len(w.out.Problems)
	w.text(Objective, maxTitle)
	o.Description = w.text(ObjectiveDescription, maxText)
	o.Kind = choice(w, Kind, map[okr.Commitment][]string{okr.Committed: {"コミット", "必達", "commit", "committedokr"}, okr.Aspirational: {"挑戦", "ムーンショット", "野心的", "moonshot", "aspirationalokr"}})
	o.Visibility = choice(w, Visibility, map[okr.Visibility][]string{okr.VisibleToOrganization: {"public", "everyone", "company", "全社", "公開"}, okr.VisibleToTeam: {"チーム"}, okr.VisiblePrivate: {"非公開", "owner", "本人"}})
	o.State = choice(w, State, map[okr.ObjectiveState][]string{okr.ObjectiveDraft: {"下書き"}, okr.ObjectiveSubmitted: {"提出済み", "提出"}, okr.ObjectiveApproved: {"承認済み", "承認", "active"}, okr.ObjectiveClosed: {"完了", "終了"}})
	o.Score, _ = w.number(Score)
	if w.said(Archived) {
		switch folded(w.cells[Archived]) {
		case "true", "yes", "1", "はい", "archived":
			o.Archived = true
		case "false", "no", "0", "いいえ":
		default:
			w.refuse(Archived, "choice", "true or false.")
		}
	}
	o.Owner = w.person(Owner)
	o.Team, o.Cycle = w.text(Team, maxTitle), w.text(Cycle, maxTitle)
	o.Parent, o.ParentKeyResult = w.reference(ParentObjective), w.reference(ParentKeyResult)
	key := "id:" + id
	if id == "" {
		cycle := w.cells[Cycle]
		if cycle == "" {
			cycle = w.options.Cycle
		}
		key = "name:" + hashed(32, w.cells[Objective], cycle, w.cells[Team], Email(w.cells[Owner]))
	}
	w.out.ObjectiveKey = key
	if len(w.out.Problems) == before {
		w.out.Objective = o
	}
	if w.Above.Objective != key {
		w.Above.KeyResult = ""
	}
	w.Above.Objective = key
}

// reference is the id of something else: the first one, where there are several.
func (w *row) reference(f Field) *string {
	if _, ok := w.cells[f]; !ok {
		return nil
	}
	id, _, _ := strings.Cut(w.id(f), ",")
	id = strings.TrimSpace(id)
	return &id
}

// hashed names a thing by what people see of it.
func hashed(length int, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		p = strings.ToLower(strings.Join(strings.Fields(norm.NFKC.String(p)), " "))
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))[:length]
}

func (w *row) measured() bool {
	return slices.ContainsFunc([]Field{Baseline, Target, AtLeast, AtMost, Steps, Progress}, w.said)
}

func (w *row) keyResult() {
	id := w.id(KeyResultID)
	title := w.cells[KeyResult]
	switch {
	case w.said(KeyResult):
	case id != "" && !w.measured():
		w.out.KeyResultKey = "id:" + id
		return
	case w.measured() && w.said(Objective): // an objective that is measured itself
		title = w.cells[Objective]
	case w.speaksOfCheckIn() && w.Above.KeyResult != "":
		w.out.KeyResultKey = w.Above.KeyResult
		return
	default:
		return
	}
	k := &KeyResultIntent{Title: title}
	before := len(w.out.Problems)
	if utf8.RuneCountInString(title) > maxTitle {
		w.refuse(KeyResult, "too-long", fmt.Sprintf("At most %d characters.", maxTitle))
	}
	k.Description = w.text(KeyResultDescription, maxText)
	k.Owner = w.person(KeyResultOwner)
	k.Weight, _ = w.number(Weight)
	w.measure(k)
	key := "id:" + id
	if id == "" {
		key = w.out.ObjectiveKey + "/" + hashed(16, title)
	}
	w.out.KeyResultKey = key
	if len(w.out.Problems) == before {
		w.out.KeyResult = k
	}
	w.Above.KeyResult = key
}

// measure reads how a key result is measured.
func (w *row) measure(k *KeyResultIntent) {
	if !w.measured() {
		return
	}
	k.Measured = true
	unit := ""
	read := func(f Field) *decimal.Decimal {
		v, u := w.number(f)
		if unit == "" {
			unit = u
		}
		return v
	}
	k.Target, k.Baseline, k.Stretch = read(Target), read(Baseline), read(Stretch)
	k.AtLeast, k.AtMost, k.Tolerance = read(AtLeast), read(AtMost), read(Tolerance)
	if w.said(Steps) {
		k.Steps = w.steps()
	}
	if w.said(Progress) && !slices.ContainsFunc([]Field{Baseline, Target, AtLeast, AtMost, Steps}, w.said) {
		zero, hundred := decimal.Zero, decimal.NewFromInt(100)
		k.Baseline, k.Target, unit = &zero, &hundred, "%"
	}
	if v := w.text(Unit, maxUnit); v != nil && *v != "" {
		unit = unitWord(*v)
	}
	k.Unit = unit
	kind := choice(w, KeyResultKind, map[okr.KeyResultKind][]string{
		okr.Metric: {"number", "numeric", "percentage", "percent", "currency", "指標"}, okr.Threshold: {"range", "閾値", "範囲"}, okr.Milestone: {"マイルストーン", "checklist"}})
	switch {
	case kind != nil:
		k.Kind = *kind
	case len(k.Steps) > 0:
		k.Kind = okr.Milestone
	case k.AtLeast != nil || k.AtMost != nil:
		k.Kind = okr.Threshold
	default:
		k.Kind = okr.Metric
	}
	if k.Kind == okr.Metric && k.Baseline == nil && k.Target != nil && !w.said(Baseline) {
		zero := decimal.Zero
		k.Baseline = &zero
	}
}

// unitWord is the unit behind what other programs call the type of a metric.
func unitWord(said string) string {
	switch folded(said) {
	case "number", "numeric", "binary", "数値":
		return ""
	case "percent", "percentage", "custompercent", "defaultprogress":
		return "%"
	case "euro", "eur":
		return "€"
	case "dollar", "usd":
		return "$"
	case "yen", "jpy":
		return "円"
	}
	return said
}

// steps are written one on each line, or as JSON where they have weights.
func (w *row) steps() []StepIntent {
	cell := w.cells[Steps]
	var steps []StepIntent
	if strings.HasPrefix(cell, "[") {
		if err := json.Unmarshal([]byte(cell), &steps); err != nil {
			w.refuse(Steps, "steps", "Write one step on each line, or a JSON array of objects with title and weight.")
			return nil
		}
	} else {
		for line := range strings.SplitSeq(strings.ReplaceAll(cell, "\r\n", "\n"), "\n") {
			if line = strings.TrimSpace(line); line != "" {
				steps = append(steps, StepIntent{Title: line, Weight: okr.DefaultWeight})
			}
		}
	}
	if len(steps) > maxSteps {
		w.refuse(Steps, "too-many", fmt.Sprintf("At most %d steps.", maxSteps))
	}
	for _, s := range steps {
		if n := utf8.RuneCountInString(s.Title); n == 0 || n > maxTitle {
			w.refuse(Steps, "steps", fmt.Sprintf("A step's title has 1 to %d characters.", maxTitle))
			break
		}
	}
	return steps
}

// StepsCell is what steps reads.
func StepsCell(steps []StepIntent) (string, error) {
	lines := make([]string, len(steps))
	plain := true
	for i, s := range steps {
		lines[i] = s.Title
		plain = plain && s.Weight.Equal(okr.DefaultWeight) && strings.TrimSpace(s.Title) == s.Title && !strings.ContainsAny(s.Title, "\r\n")
	}
	if text := strings.Join(lines, "\n"); plain && !strings.HasPrefix(text, "[") {
		return text, nil
	}
	b, err := json.Marshal(steps)
	return string(b), err
}

func (w *row) speaksOfCheckIn() bool {
	return slices.ContainsFunc([]Field{CheckInID, Value, DoneSteps, Confidence, Note, CheckedAt, CheckedBy}, w.said)
}

func (w *row) checkIn() {
	progress := w.out.KeyResult != nil && w.said(Progress) && !w.said(Value) && w.out.KeyResult.Unit == "%"
	if !progress && !w.speaksOfCheckIn() {
		return
	}
	if w.out.KeyResultKey == "" {
		w.refuse(KeyResult, okr.CodeRequired, "A check-in needs a key result: the row names none, and there is none above it.")
		return
	}
	c := &CheckInIntent{}
	before := len(w.out.Problems)
	c.Value, _ = w.number(Value)
	if progress {
		c.Value, _ = w.number(Progress)
		if c.Value != nil && c.Value.IsZero() && !w.speaksOfCheckIn() {
			return // nothing has been done, and nobody has said so
		}
	}
	if w.said(DoneSteps) {
		c.Done = w.done()
	}
	if n, _ := w.number(Confidence); n != nil {
		confidence := int(n.IntPart())
		if !n.IsInteger() || confidence < okr.MinConfidence || confidence > okr.MaxConfidence {
			w.refuse(Confidence, okr.CodeConfidenceOutOfRange, "A confidence is a whole number from 0 to 10.")
		}
		c.Confidence = &confidence
	}
	if note := w.text(Note, maxText); note != nil && *note != "" {
		c.Note = note
	}
	if w.said(CheckedAt) {
		c.At = w.time(CheckedAt)
	}
	if by := w.person(CheckedBy); by != nil {
		c.By = *by
	}
	w.out.CheckInKey = "id:" + w.id(CheckInID)
	if !w.said(CheckInID) {
		w.out.CheckInKey = w.out.KeyResultKey + "/" + hashed(16, w.cells[CheckedAt], w.cells[Value], w.cells[Progress], w.cells[DoneSteps], w.cells[Note])
	}
	if len(w.out.Problems) == before {
		w.out.CheckIn = c
	}
}

func (w *row) time(f Field) *time.Time {
	at, ok, ambiguous := ParseTime(w.cells[f], w.options.Order, w.options.Zone)
	switch {
	case ambiguous:
		w.refuse(f, "date-ambiguous", fmt.Sprintf("%q can be read in two ways. Say in which order the file names day and month.", short(w.cells[f])))
		return nil
	case !ok:
		w.refuse(f, "date", fmt.Sprintf("%q is not a date.", short(w.cells[f])))
		return nil
	}
	return &at
}

// done are the numbers of the steps that are done, counted from 1.
func (w *row) done() []int {
	var done []int
	for _, part := range strings.FieldsFunc(norm.NFKC.String(w.cells[DoneSteps]), func(r rune) bool { return strings.ContainsRune(" ,;、\n", r) }) {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || n > maxSteps {
			w.refuse(DoneSteps, okr.CodeStepUnknown, "Name the steps that are done by their numbers, such as 1 3.")
			return nil
		}
		if !slices.Contains(done, n) {
			done = append(done, n)
		}
	}
	return done
}
