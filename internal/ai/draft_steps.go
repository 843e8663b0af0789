package ai

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// maxSteps bounds the steps of a proposed milestone; a longer list is a plan, not a key result.
const maxSteps = 20

// doneForms tells how work is called once it is done. Its verbs make things that did not exist before.
var doneForms = map[string]string{
	"acquire": "acquired", "add": "added", "automate": "automated", "book": "booked", "build": "built", "certify": "certified", "close": "closed", "complete": "completed",
	"conduct": "conducted", "create": "created", "deliver": "delivered", "deploy": "deployed", "design": "designed", "document": "documented", "file": "filed", "finish": "finished",
	"hire": "hired", "hold": "held", "host": "hosted", "implement": "implemented", "install": "installed", "interview": "interviewed", "introduce": "introduced",
	"launch": "launched", "migrate": "migrated", "onboard": "onboarded", "open": "opened", "organise": "organised", "organize": "organized", "publish": "published", "recruit": "recruited",
	"redesign": "redesigned", "release": "released", "replace": "replaced", "retire": "retired", "roll out": "rolled out", "run": "run", "secure": "secured", "set up": "set up", "ship": "shipped",
	"sign": "signed", "train": "trained", "visit": "visited", "win": "won", "write": "written",
}

func mapKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

var (
	englishWork  = regexp.MustCompile(`(?i)^(` + strings.Join(mapKeys(doneForms), "|") + `)\b\s*(.*)$`)
	japaneseWork = regexp.MustCompile(`^(.+?)を(.{1,12}?)(?:する|します|していく|したい|したいです|させる|し)?$`)
	workNouns    = regexp.MustCompile(`(?:刷新|導入|構築|公開|整備|開始|リリース|移行|開発|実装|策定|立ち上げ|展開|制作|更新|統合|完成|準備|設計|開設|設置|採用|改修|改定|運用|教育|切り替え|入れ替え|移転)(?:する|します|したい|しよう|を行う)?$`)
	japaneseForm = map[string]string{"立ち上げる": "立ち上げ", "立ち上げます": "立ち上げ", "作る": "作成", "作ります": "作成", "始める": "開始", "始めます": "開始", "整える": "整備", "整えます": "整備", "進める": "推進", "仕上げる": "完成", "入れ替える": "入れ替え", "切り替える": "切り替え", "開く": "開催", "終える": "完了", "やり遂げる": "完了"}
	enumerated   = regexp.MustCompile(`(?:^|[\s:：、,，;；。→])(?:[(（]([a-j1-9])[)）]|([a-j1-9])[)）])\s*|([①-⑩])\s*`)
	stepLink     = regexp.MustCompile(`(?i)^(?:and|then|finally|first|to|次に|最後に|まず|そして)\b?[、,\s]*|(?i)[\s,;、，；。.]+(?:and|then|そして)?\s*$|[\s,;、，；。.]+$`)
	chainArrow   = regexp.MustCompile(`\s*(?:→|⇒|➡|➔|⟶|=>|->)\s*`)
	preposition  = regexp.MustCompile(`(?i)\s(?:to|for|in|on|with|across|at|from|by|into|of|as|through)\s`)
)

// readSteps reads a heading and the list under it as a milestone, and returns the line behind it. A list of measures
// is none: each of its lines is a key result of its own.
func readSteps(lines []line, at int) (KeyResult, int, bool) {
	heading := lines[at]
	text := strings.TrimSpace(fold(heading.body))
	colon := strings.HasSuffix(text, ":")
	if text == "" || len(text) > subjectBytes || label.MatchString(text) || len(quantities(withoutTime(text))) > 1 {
		return KeyResult{}, 0, false
	}
	if !colon && (at == 0 || !isWork(text)) {
		return KeyResult{}, 0, false
	}
	next := at + 1
	for next < len(lines) && lines[next].body == "" {
		next++
	}
	var steps []string
	for ; next < len(lines) && lines[next].listed && len(steps) <= maxSteps; next++ {
		l := lines[next]
		if heading.listed && l.indent <= heading.indent || l.body == "" || measures(l.body) {
			break
		}
		steps = append(steps, l.body)
	}
	if next < len(lines) && lines[next].listed && !heading.listed {
		return KeyResult{}, 0, false
	}
	kr, ok := milestone(text, steps)
	return kr, next, ok
}

// readEnumeration reads "heading: a) … b) … c) …", "①…②…", "A → B → C" and, under a heading that names work, "A, B, C".
// It returns what follows the last step.
func readEnumeration(body string) (KeyResult, string, bool) {
	const longest = 4000
	if len(body) > longest {
		return KeyResult{}, "", false
	}
	if heading, steps, rest, ok := cutEnumeration(body); ok {
		kr, ok := milestone(fold(heading), steps)
		return kr, rest, ok
	}
	heading, list, ok := strings.Cut(strings.ReplaceAll(body, "：", ":"), ":")
	if !ok {
		return KeyResult{}, "", false
	}
	sentences := splitSentences(list)
	if len(sentences) == 0 {
		return KeyResult{}, "", false
	}
	rest := strings.Join(sentences[1:], "")
	parts := chainArrow.Split(strings.TrimSpace(sentences[0]), -1)
	if len(parts) < 3 {
		if !isWork(fold(heading)) {
			return KeyResult{}, "", false
		}
		parts = strings.FieldsFunc(strings.TrimSpace(sentences[0]), func(r rune) bool { return strings.ContainsRune(",、，;；", r) })
	}
	if len(parts) < 3 || slices.ContainsFunc(parts, measures) || slices.ContainsFunc(parts, func(s string) bool { return quantityOnly(s) }) {
		return KeyResult{}, "", false
	}
	kr, ok := milestone(fold(heading), parts)
	return kr, rest, ok
}

func cutEnumeration(body string) (heading string, steps []string, rest string, ok bool) {
	marks := enumerated.FindAllStringSubmatchIndex(body, -1)
	run := 0
	for i, m := range marks {
		if ordinal(body, m) != i+1 {
			break
		}
		run++
	}
	if run < 2 {
		return "", nil, "", false
	}
	marks = marks[:run]
	heading = strings.TrimSpace(body[:marks[0][0]])
	if all := splitSentences(heading); len(all) > 1 {
		heading = all[len(all)-1]
	}
	for i, m := range marks {
		end := len(body)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		step := body[m[1]:end]
		if i+1 == len(marks) {
			if sentences := splitSentences(step); len(sentences) > 0 {
				step, rest = sentences[0], strings.TrimSpace(strings.Join(sentences[1:], ""))
			}
		}
		steps = append(steps, step)
	}
	if slices.ContainsFunc(steps, measures) || len(quantities(fold(heading))) > 0 && measures(heading) {
		return "", nil, "", false
	}
	return heading, steps, rest, true
}

// ordinal is the place in its row that an enumeration mark stands for, from 1.
func ordinal(s string, m []int) int {
	for group := 2; group < len(m); group += 2 {
		if m[group] < 0 {
			continue
		}
		r, _ := utf8.DecodeRuneInString(s[m[group]:])
		switch {
		case r >= '①':
			return int(r-'①') + 1
		case r >= 'a':
			return int(r-'a') + 1
		}
		return int(r-'1') + 1
	}
	return 0
}

// measures reports whether a text says where a value is to move or to stay.
func measures(s string) bool {
	if len(s) > subjectBytes {
		return false
	}
	c := readClause(fold(s), true)
	return c.baseline != nil && c.target != nil || c.keep && c.aims()
}

func isWork(text string) bool {
	text = strings.TrimRight(strings.TrimSpace(text), ":。. ")
	if hasJapanese.MatchString(text) {
		return workNouns.MatchString(text)
	}
	for {
		trimmed := strings.TrimSpace(englishFiller.ReplaceAllString(text, ""))
		if trimmed == text {
			return englishWork.MatchString(text)
		}
		text = trimmed
	}
}

// milestone makes a key result of the steps under a heading. It is none with fewer than two steps, or without a name.
func milestone(heading string, steps []string) (KeyResult, bool) {
	kr := KeyResult{Kind: "milestone", Weight: decimal.New(1, 0)}
	for _, step := range steps {
		step = strings.TrimSpace(stepLink.ReplaceAllString(strings.TrimSpace(step), ""))
		if step == "" || len(step) > subjectBytes*2 {
			return KeyResult{}, false
		}
		kr.Steps = append(kr.Steps, Step{Title: cut(capital(step), titleRunes), Weight: decimal.New(1, 0)})
	}
	if len(kr.Steps) < 2 || len(kr.Steps) > maxSteps {
		return KeyResult{}, false
	}
	kr.Title = workTitle(heading, kr.Steps)
	return kr, kr.Title != ""
}

// workTitle turns a heading into the name of the finished work: "Launch the help centre" becomes "Help centre launched".
func workTitle(heading string, steps []Step) string {
	text := strings.TrimRight(withoutTime(strings.TrimSpace(heading)), ":。.、, ")
	if hasJapanese.MatchString(text) {
		text = japaneseLead.ReplaceAllString(text, "")
		if i := strings.LastIndex(text, "、"); i >= 0 {
			text = text[i+len("、"):]
		}
		if m := japaneseWork.FindStringSubmatch(text); m != nil {
			form := m[2]
			whole := strings.TrimPrefix(text, m[1]+"を")
			if f, ok := japaneseForm[whole]; ok {
				form = f
			}
			return cut(m[1]+"の"+form, titleRunes)
		}
		if m := workNouns.FindString(text); m == text {
			return cut(joined(steps, "・", "・")+"の"+text, titleRunes)
		}
		return cut(text, titleRunes)
	}
	for {
		trimmed := strings.TrimSpace(englishFiller.ReplaceAllString(text, ""))
		if trimmed == text {
			break
		}
		text = trimmed
	}
	m := englishWork.FindStringSubmatch(text)
	if m == nil {
		return cut(capital(text), titleRunes)
	}
	object, form := englishArticle.ReplaceAllString(m[2], ""), doneForms[strings.ToLower(m[1])]
	if object == "" {
		return cut(joined(steps, ", ", " and ")+" "+form, titleRunes)
	}
	tail := ""
	if at := preposition.FindStringIndex(object); at != nil {
		object, tail = object[:at[0]], object[at[0]:]
	}
	return cut(capital(object)+" "+form+tail, titleRunes)
}

// joined lists the steps' names, those behind the first in lower case where they are common words.
func joined(steps []Step, separator, last string) string {
	var b strings.Builder
	for i, s := range steps {
		switch {
		case i > 0 && i == len(steps)-1:
			b.WriteString(last)
		case i > 0:
			b.WriteString(separator)
		}
		b.WriteString(uncapital(s.Title, i))
	}
	return b.String()
}

func uncapital(s string, at int) string {
	if at == 0 || len(s) < 2 || s[1] < 'a' || s[1] > 'z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
