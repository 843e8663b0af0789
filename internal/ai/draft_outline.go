package ai

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// maxKeyResults bounds what one draft proposes; nobody can follow more.
const maxKeyResults = 10

// outline is a text taken apart: what it measures, what it leaves open, and its other sentences.
type outline struct {
	results   []KeyResult
	questions []question
	sentences []sentence
}

type sentence struct {
	raw    string // as written, with the space behind it
	line   int
	listed bool
	used   bool // said in a key result or a question, or only a label
}

// question is what has to be known before a goal becomes a key result.
type question struct {
	about   lack
	subject string
	unit    string
	amount  *decimal.Decimal
	clash   string // the other unit
}

type lack int

const (
	lacksBaseline  lack = iota // the aim is known, the value of today is not
	lacksChange                // a change is known, but not of what value
	lacksDirection             // a level is to be kept, but not whether it is a floor or a ceiling
	lacksDistance              // the aim equals the value of today
	lacksUnit                  // the two values are in different units
	lacksSubject               // a number, but not of what
	lacksPoints                // a share is to change by percent: of itself, or in points
)

// read takes a text apart in one pass. The text may be anything; its language does not matter.
func read(text string) outline {
	r := reader{}
	lines := splitLines(clean(text))
	for i := 0; i < len(lines); i++ {
		if r.full() {
			r.readLine(i, lines[i])
			continue
		}
		if milestone, next, ok := readSteps(lines, i); ok {
			r.close()
			r.results = append(r.results, milestone)
			for ; i < next; i++ {
				r.sentences = append(r.sentences, sentence{raw: lines[i].raw, line: i, listed: lines[i].listed, used: true})
			}
			i--
			continue
		}
		if milestone, rest, ok := readEnumeration(lines[i].body); ok {
			r.close()
			r.results = append(r.results, milestone)
			r.sentences = append(r.sentences, sentence{raw: lines[i].raw, line: i, used: true})
			if rest == "" {
				continue
			}
			lines[i].body = rest
		}
		r.readLine(i, lines[i])
	}
	r.close()
	r.results = r.results[:min(len(r.results), maxKeyResults)]
	return r.outline
}

// reader keeps what the clauses read so far have left open.
type reader struct {
	outline
	open    *claim
	clauses int    // read so far
	within  []int  // the sentences that the open claim was read from
	subject string // what the latest clause was about, where it had no number
}

// full reports whether enough was read. Sentences behind that still count as words of the objective.
func (r *reader) full() bool {
	const questions, clauses = 2 * maxKeyResults, 1000
	return len(r.results) >= maxKeyResults || len(r.questions) >= questions || r.clauses >= clauses
}

func (r *reader) readLine(at int, l line) {
	if label.MatchString(fold(l.body)) {
		r.sentences = append(r.sentences, sentence{raw: l.raw, line: at, used: true})
		return
	}
	for _, raw := range splitItems(l.body) {
		r.sentences = append(r.sentences, sentence{raw: raw, line: at, listed: l.listed})
		if r.full() {
			continue
		}
		for _, clause := range splitClauses(raw) {
			// Nobody says one thing in so many bytes, and what is not read cannot be slow.
			const longest = 2000
			if len(clause) <= longest && !r.full() {
				r.readClause(clause, l.listed || labelled.MatchString(clause))
			}
		}
	}
}

var labelled = regexp.MustCompile(`^[^\d:：]{1,60}[:：]\s*[^\s:：]`)

func (r *reader) readClause(raw string, listed bool) {
	r.clauses++
	text := fold(raw)
	c := readClause(text, listed)
	if r.open != nil && r.open.fromZero {
		// "hire 3 engineers and 2 designers", "採用：エンジニア3名、デザイナー2名": the act holds for what follows too.
		switch {
		case c.japanese && !c.fromZero && !c.complete && c.unit == r.open.unit:
			c.countOf(r.open.verb)
		case !c.japanese && text != "" && isDigit(text[0]):
			c = readClause(r.open.verb+" "+text, listed)
		}
	}
	if r.open != nil && c.japanese && c.fromZero && !r.open.fromZero && !r.open.complete && r.open.target != nil && r.open.baseline == nil && r.open.unit == c.unit {
		r.open.countOf(c.verb) // "エンジニアを3名、デザイナーを2名採用する"
	}
	switch {
	case !c.says():
		if strings.ContainsFunc(text, unicode.IsDigit) {
			r.close()
		}
		r.subject = ""
		if utf8.RuneCountInString(text) <= 60 {
			r.subject = subjectOf(text)
		}
		return
	case r.open != nil && r.open.absorb(c):
		r.within = append(r.within, len(r.sentences)-1)
		return
	}
	r.close()
	if c.subject == "" {
		c.subject = r.subject
	}
	r.open, r.within, r.subject = &c, []int{len(r.sentences) - 1}, ""
}

// close makes what it can of the open claim.
func (r *reader) close() {
	c := r.open
	if c == nil || c.past || !c.goal || !c.aims() {
		r.open = nil
		return
	}
	r.open = nil
	kr, q := c.result()
	switch {
	case kr != nil:
		if r.has(kr.Title) {
			return
		}
		r.results = append(r.results, *kr)
		// A floor or a ceiling of a value that is to move is only the second best; the value of today would make a metric of it.
		if kr.Kind == "threshold" && c.moves && c.atLeast == nil != (c.atMost == nil) && strings.TrimSpace(c.subject) != "" {
			r.questions = append(r.questions, question{about: lacksBaseline, subject: kr.Title, unit: c.unit, amount: cmp.Or(c.atLeast, c.atMost)})
		}
	case q != nil:
		r.questions = append(r.questions, *q)
	default:
		return
	}
	for _, i := range r.within {
		r.sentences[i].used = true
	}
}

func (r *reader) has(title string) bool {
	for _, kr := range r.results {
		if plain(kr.Title) == plain(title) {
			return true
		}
	}
	return false
}

// says reports whether the clause holds anything that can be counted.
func (c *claim) says() bool {
	return c.aims() || c.baseline != nil || c.stretch != nil || c.tolerance != nil
}

// aims reports whether the claim names where to go.
func (c *claim) aims() bool {
	return c.target != nil || c.atLeast != nil || c.atMost != nil || c.change != nil || c.factor != nil
}

// absorb completes c with what the next clause says of the same measure, and reports whether it did.
func (c *claim) absorb(next claim) bool {
	if next.subject != "" && plain(next.subject) != plain(c.subject) || c.past && next.aims() && !next.goal {
		return false
	}
	now := next.baseline
	if next.bare && c.aims() && next.target != nil {
		now, next.target = next.target, nil
	}
	// The same aim once more, as in "raise NPS to 45 … now 30, target 45".
	took := next.subject == "" && next.target != nil && c.target != nil && next.target.Equal(*c.target)
	if next.aims() && !c.aims() && c.baseline != nil && !next.bare {
		a, b := quantity{value: *c.baseline, unit: c.unit}, quantity{unit: next.unit}
		value := cmp.Or(next.target, next.atLeast, next.atMost, next.change, next.factor)
		b.value = *value
		if next.change == nil && next.factor == nil {
			c.setUnits(&a, &b)
			c.baseline = ptr(a.value)
			switch {
			case next.target != nil:
				c.target = ptr(b.value)
			case next.atLeast != nil:
				c.atLeast = ptr(b.value)
			default:
				c.atMost = ptr(b.value)
			}
		}
		c.change, c.relative, c.factor = next.change, next.relative, next.factor
		c.goal, c.past, c.keep = next.goal || c.goal, next.past, next.keep
		took = true
	}
	if now != nil && c.baseline == nil && c.aims() && !next.aims() {
		a, b := quantity{value: *now, unit: next.unit}, quantity{unit: c.unit}
		if aim := cmp.Or(c.target, c.atLeast, c.atMost); aim != nil {
			b.value = *aim
			c.setUnits(&a, &b)
			switch {
			case c.target != nil:
				c.target = ptr(b.value)
			case c.atLeast != nil:
				c.atLeast = ptr(b.value)
			default:
				c.atMost = ptr(b.value)
			}
		} else {
			c.unit = cmp.Or(c.unit, next.unit)
		}
		c.baseline = ptr(a.value)
		c.fromZero = false
		took = true
	}
	if next.stretch != nil && c.stretch == nil && c.aims() {
		c.stretch, took = next.stretch, true
	}
	if next.tolerance != nil && c.tolerance == nil && c.aims() {
		c.tolerance, took = next.tolerance, true
	}
	return took
}

// result makes a key result of the claim, or the question that stands in the way. In this order:
//   - a band, or a floor or ceiling that is to be kept, is a threshold;
//   - a value of today and an aim are a metric;
//   - things that do not exist yet are a metric from 0 ("hire 3 engineers");
//   - an aim written as a floor or ceiling ("45以上にする") is a threshold;
//   - any other aim needs the value of today.
func (c *claim) result() (*KeyResult, *question) {
	aim := cmp.Or(c.target, c.atLeast, c.atMost)
	ask := func(about lack) (*KeyResult, *question) {
		return nil, &question{about: about, subject: c.subject, unit: c.unit, amount: cmp.Or(aim, c.change), clash: c.clash}
	}
	switch {
	case quantityOnly(c.subject):
		return ask(lacksSubject)
	case c.clash != "":
		return ask(lacksUnit)
	case c.atLeast != nil && c.atMost != nil:
		if !c.atLeast.LessThan(*c.atMost) {
			return ask(lacksDistance)
		}
		return c.threshold()
	case c.keep && (c.atLeast != nil || c.atMost != nil):
		return c.threshold()
	case c.keep && c.target != nil && c.baseline == nil:
		return ask(lacksDirection)
	case c.change != nil || c.factor != nil:
		switch {
		case c.baseline == nil:
			return c.askChange()
		case c.relative && c.unit == "%":
			return ask(lacksPoints)
		}
		aim = c.moved()
	}
	switch {
	case c.baseline != nil && aim != nil:
		if c.baseline.Equal(*aim) {
			return ask(lacksDistance)
		}
		return c.metric(*c.baseline, *aim), nil
	case c.fromZero && aim != nil && aim.IsPositive():
		return c.metric(decimal.Zero, *aim), nil
	case c.atLeast != nil || c.atMost != nil:
		return c.threshold()
	}
	return ask(lacksBaseline)
}

func (c *claim) askChange() (*KeyResult, *question) {
	q := question{about: lacksChange, subject: c.subject, unit: c.unit, amount: c.change}
	switch {
	case c.factor != nil:
		q.amount, q.unit = c.factor, "×"
	case c.relative:
		q.unit = "%"
	}
	return nil, &q
}

// moved is the baseline after the change that was asked for.
func (c *claim) moved() *decimal.Decimal {
	switch {
	case c.factor != nil:
		return ptr(c.baseline.Mul(*c.factor))
	case c.relative:
		return ptr(c.baseline.Add(c.baseline.Mul(*c.change).Shift(-2)))
	}
	return ptr(c.baseline.Add(*c.change))
}

func (c *claim) metric(baseline, target decimal.Decimal) *KeyResult {
	if !storable(baseline) || !storable(target) {
		return nil
	}
	kr := KeyResult{Title: c.subject, Kind: "metric", Unit: c.unit, Baseline: ptr(baseline), Target: ptr(target), Weight: decimal.New(1, 0)}
	if c.stretch != nil && storable(*c.stretch) && c.stretch.Sub(target).Sign() == target.Sub(baseline).Sign() {
		kr.Stretch = c.stretch
	}
	return &kr
}

func (c *claim) threshold() (*KeyResult, *question) {
	kr := KeyResult{Title: c.subject, Kind: "threshold", Unit: c.unit, AtLeast: c.atLeast, AtMost: c.atMost, Weight: decimal.New(1, 0)}
	for _, limit := range []*decimal.Decimal{c.atLeast, c.atMost} {
		if limit != nil && !storable(*limit) {
			return nil, nil
		}
	}
	if c.tolerance != nil && c.tolerance.IsPositive() && storable(*c.tolerance) {
		kr.Tolerance = c.tolerance
	}
	return &kr, nil
}

// wishEnding is the verb of a clause that names a measure and no number: "回答率を上げたい".
var wishEnding = regexp.MustCompile(`[をはが][^をはが]{0,12}(?:たい|する|します|です|である|いく|ます)(?:です|と(?:思|考)[^。]{0,12})?[。\s]*$`)

func subjectOf(text string) string {
	if hasJapanese.MatchString(text) {
		return japaneseSubject(wishEnding.ReplaceAllString(withoutTime(text), ""))
	}
	return englishSubject(withoutTime(text))
}

// line is one line of the text, its list mark taken off.
type line struct {
	raw    string
	body   string
	indent int
	listed bool
}

// label matches lines that only say what follows.
var (
	label    = regexp.MustCompile(`(?i)^\W*(?:(?:our |the )?(?:goals?|objectives?|key results?|krs?|okrs?|targets?|measures?|metrics?|kpis?|context|background|why|what we want(?: to reach)?|this quarter|next quarter)|(?:今期の|来期の|具体的な|数値)?(?:目標|成果指標|主要な成果|指標|ねらい|狙い|目的|背景|やりたいこと))\s*(?:\([^)]*\))?\s*:?\s*$`)
	listMark = regexp.MustCompile(`^(?:[-–—*+]\s+|[•・●○◦▪◆■□☐✓‣]\s*|\d{1,2}[.．]\s+|\d{1,2}[)）]\s*|[(（]\d{1,2}[)）]\s*|[①-⑳]\s*|[a-zA-Z][.．]\s+|[a-zA-Z][)）]\s*|(?i:KR|key result)\s?\d{1,2}\s*[:：.)-]\s*)`)
)

func splitLines(text string) []line {
	var lines []line
	for raw := range strings.SplitSeq(text, "\n") {
		body := strings.TrimSpace(raw)
		l := line{raw: raw, indent: len(raw) - len(strings.TrimLeftFunc(raw, unicode.IsSpace))}
		mark := listMark.FindString(body)
		l.listed = mark != ""
		l.body = strings.TrimSpace(body[len(mark):])
		lines = append(lines, l)
	}
	return lines
}

// clean makes any bytes a text that can be stored and shown: valid UTF-8, without control characters but line ends and tabs.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\t':
			return ' '
		case r == '\n':
			return r
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
}

var abbreviation = regexp.MustCompile(`(?i)(?:^|[\s(])(?:e\.g|i\.e|vs|approx|no|etc|ca|mr|mrs|dr|inc)$`)

// splitSentences splits a line behind each sentence, the space that follows included.
func splitSentences(s string) []string {
	var sentences []string
	start, depth := 0, 0
	for i, r := range s {
		next := i + utf8.RuneLen(r)
		follower, _ := utf8.DecodeRuneInString(s[next:])
		end := false
		switch r {
		case '(', '（', '「', '『':
			depth++
		case ')', '）', '」', '』':
			depth = max(0, depth-1)
		case '。', '！', '？':
			end = depth == 0
		case '!', '?':
			end = follower == ' ' || next == len(s)
		case '．':
			end = !unicode.IsDigit(follower)
		case '.':
			end = (follower == ' ' || next == len(s)) && !abbreviation.MatchString(s[max(start, i-16):i])
		}
		if end {
			for next < len(s) && s[next] == ' ' {
				next++
			}
			sentences = append(sentences, s[start:next])
			start = next
		}
	}
	if strings.TrimSpace(s[start:]) != "" {
		sentences = append(sentences, s[start:])
	}
	return sentences
}

// splitItems splits a line into its sentences, and before each mark of a list that is written in one line.
func splitItems(s string) []string {
	marks := enumerated.FindAllStringSubmatchIndex(s, -1)
	var items []string
	start := 0
	for i, m := range marks {
		// The first mark may be gone already, as the mark of the whole line.
		if first := ordinal(s, marks[0]); first > 2 || first == 1 && len(marks) < 2 || ordinal(s, m) != first+i {
			break
		}
		items = append(items, splitSentences(s[start:m[0]])...)
		start = m[1]
	}
	return append(items, splitSentences(s[start:])...)
}

var (
	conjunction = regexp.MustCompile(`(?i)^(?: and | & | while | whilst | plus | but |および|及び|ならびに|並びに|かつ)`)
	openBetween = regexp.MustCompile(`(?i)\bbetween\s+\S{1,24}(?: \S{1,12})?$`)
)

// splitClauses splits a sentence at commas and their like. "and" and "および" also join words, so they split only behind a number.
func splitClauses(s string) []string {
	var clauses []string
	start, depth, number := 0, 0, false
	split := func(end, next int) {
		if clause := strings.TrimSpace(s[start:end]); clause != "" {
			clauses = append(clauses, clause)
		}
		start, number = next, false
	}
	for i, r := range s {
		if i < start {
			continue
		}
		next := i + utf8.RuneLen(r)
		switch r {
		case '(', '（', '「', '『', '[', '【':
			depth++
		case ')', '）', '」', '』', ']', '】':
			depth = max(0, depth-1)
		}
		number = number || unicode.IsDigit(r)
		if depth > 0 {
			continue
		}
		switch r {
		case '、', ';', '；', '|', '｜':
			split(i, next)
		case ',', '，':
			if follower, _ := utf8.DecodeRuneInString(s[next:]); !unicode.IsDigit(follower) {
				split(i, next)
			}
		case '／':
			if number {
				split(i, next)
			}
		case '/':
			if number && strings.HasPrefix(s[next:], " ") && strings.HasSuffix(s[:i], " ") {
				split(i, next)
			}
		case ' ', '及', 'お', 'な', '並', 'か':
			if !number {
				continue
			}
			if m := conjunction.FindString(s[i:min(len(s), i+24)]); m != "" && !openBetween.MatchString(s[max(start, i-48):i]) {
				split(i, i+len(m))
			}
		}
	}
	split(len(s), len(s))
	return clauses
}

// plain reduces a text to what makes it the same as another: letters and digits, folded and in lower case.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, fold(s))
}
