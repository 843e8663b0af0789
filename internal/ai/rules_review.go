package ai

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// review is a request as the checks look at it.
type review struct {
	Request
	language string
	title    string // folded and without control characters
	japanese bool   // the title is in Japanese, whatever language is answered in
	numbers  []quantity
}

// spot is one place where a check found something, and the words that fill its reason and its example.
type spot struct {
	pointer string
	words   []string
}

func newReview(request Request) *review {
	r := &review{Request: request, language: request.Language, title: tidy(request.Objective.Title)}
	r.japanese = hasJapanese.MatchString(r.title)
	r.numbers = quantities(withoutTime(r.title))
	return r
}

// tidy folds a title and bounds it: a title as long as a book is too long however it goes on.
func tidy(s string) string {
	s = s[:min(len(s), tidyBytes)]
	return strings.Join(strings.Fields(fold(clean(s))), " ")
}

const tidyBytes = 4000

// at makes one spot of the whole objective or of one of its fields. Words alternates between a name in braces and its text.
func (r *review) at(pointer string, words ...string) []spot {
	return []spot{{pointer, append([]string{"{title}", quoted(r.Objective.Title)}, words...)}}
}

// when is at, if it is so.
func (r *review) when(so bool, pointer string, words ...string) []spot {
	if !so {
		return nil
	}
	return r.at(pointer, words...)
}

// each asks for every key result in its order. The field is below the key result; "" points to the key result itself.
func (r *review) each(field string, so func(kr KeyResult) bool, words func(kr KeyResult) []string) []spot {
	var spots []spot
	for i, kr := range r.Objective.KeyResults {
		if !so(kr) {
			continue
		}
		s := r.at(keyResultPointer(i, field), "{kr}", quoted(kr.Title), "{unit}", kr.Unit,
			"{baseline}", amountOf(r.language, kr.Baseline, kr.Unit), "{target}", amountOf(r.language, kr.Target, kr.Unit))
		if words != nil {
			s[0].words = append(s[0].words, words(kr)...)
		}
		spots = append(spots, s...)
	}
	return spots
}

func keyResultPointer(i int, field string) string {
	if field == "" {
		return fmt.Sprintf("/key_results/%d", i)
	}
	return fmt.Sprintf("/key_results/%d/%s", i, field)
}

// Titles in Japanese carry about twice as much in a letter as English ones.
func (r *review) titleTooLong() bool {
	n := utf8.RuneCountInString(r.title)
	return r.japanese && n > 60 || !r.japanese && n > 120
}

func (r *review) titleTooShort() bool {
	return r.japanese && utf8.RuneCountInString(r.title) < 6 || !r.japanese && len(strings.Fields(r.title)) < 3
}

var (
	taskEnding    = regexp.MustCompile(`(?:リリース|実施|導入|構築|作成|開発|移行|整備|策定|開催|公開|刷新|設置|実装|ローンチ|完了|検討|調査|準備|設計|制作|発行|更新|運用)(?:を行う|を行います|を完了する)?(?:する|します|したい|すること)?。?$|(?:立ち上げる|立ち上げ|作る|作ります|始める|始めます|終える|進める|進めます)。?$`)
	taskVerb      = regexp.MustCompile(`(?i)^(?:launch|implement|build|ship|release|deploy|migrate|roll out|complete|finish|write|introduce|set up|organi[sz]e|run|conduct|hold|prepare|install|redesign|rewrite|refactor|publish|document|plan|create|develop|upgrade|set-up|execute|carry out)\b`)
	outcomeObject = regexp.MustCompile(`(?i)\b(?:so that|who|trust|confidence|loyalty|relationships?|reputation|culture|habit|experience|place|team that|love|advocates)\b`)
	vagueVerb     = regexp.MustCompile(`(?i)^(?:improve|optimi[sz]e|enhance|strengthen|promote|boost|support|streamline|moderni[sz]e|transform|increase|better|leverage|drive|foster)\b`)
	vagueEnding   = regexp.MustCompile(`(?:強化|推進|改善|向上|最適化|活性化|効率化|高度化|充実|促進|底上げ|見直し)(?:を(?:図る|図ります|行う|進める|目指す)|に努める|に取り組む|する|します|したい)?。?$`)
	severalGoals  = regexp.MustCompile(`(?i)\b(?:as well as|while also|and also|and then)\b|;|\band (?:to )?(?:increase|raise|grow|improve|boost|expand|double|cut|reduce|lower|decrease|shorten|keep|maintain|launch|build|ship|hire|win|become|create)\b|および|及び|ならびに|並びに|かつ|とともに|と共に|と同時に|しつつ|だけでなく`)
	negative      = regexp.MustCompile(`(?i)\b(?:stop|avoid|prevent|don't|do not|never|no more|no longer|not|without|eliminate|get rid of)\b|ない(?:ように)?(?:する)?。?$|なくす|なくし|無くす|防ぐ|防止|やめる|避ける|撲滅|ゼロにする|しない`)
	usual         = regexp.MustCompile(`(?i)^(?:maintain|keep|continue|sustain|carry on|go on|handle|manage|operate)\b|\b(?:business as usual|as usual|day-to-day|daily operations|ongoing|routine)\b|継続する|継続。?$|維持する|維持。?$|引き続き|通常業務|日々の業務|日常業務|従来どおり|従来通り|例年どおり|例年通り|滞りなく`)
	abbreviations = regexp.MustCompile(`^[A-Z][A-Z0-9&/+.-]+s?$`)
	word          = regexp.MustCompile(`[A-Za-z][A-Za-z0-9&'/+.-]*|[\p{Han}\p{Katakana}\p{Hiragana}ー]+`)
)

func (r *review) titleIsTask() bool { return isTask(r.title) }

func isTask(title string) bool {
	if hasJapanese.MatchString(title) {
		return taskEnding.MatchString(title)
	}
	return taskVerb.MatchString(title) && !outcomeObject.MatchString(title)
}

// titleIsVague finds a wish for "better" that says nothing of for whom, or how it will show.
func (r *review) titleIsVague() bool {
	if len(r.numbers) > 0 {
		return false
	}
	if r.japanese {
		return vagueEnding.MatchString(r.title) && utf8.RuneCountInString(r.title) <= 16
	}
	return vagueVerb.MatchString(r.title) && len(strings.Fields(r.title)) <= 5
}

func (r *review) titleIsJargon() bool {
	words := word.FindAllString(r.title, -1)
	short := 0
	for _, w := range words {
		if abbreviations.MatchString(w) {
			short++
		}
	}
	return short > 0 && (short == len(words) || short >= 3 && short*2 >= len(words))
}

func (r *review) goodTitle() bool {
	return r.title != "" && !r.titleTooLong() && !r.titleTooShort() && !r.titleIsTask() && !r.titleIsVague() && !r.titleIsJargon() &&
		len(r.numbers) == 0 && !severalGoals.MatchString(r.title) && !negative.MatchString(r.title) && !usual.MatchString(r.title)
}

func (r *review) saysWhy() bool {
	text := strings.TrimSpace(clean(cut(r.Objective.Description, 1000)))
	n := utf8.RuneCountInString(text)
	return hasJapanese.MatchString(text) && n >= 20 || n >= 40
}

// neighbour returns the objective beside this one that says nearly the same.
func (r *review) neighbour() (Reference, bool) {
	for _, n := range r.Neighbours {
		if n.ID != r.Objective.ID && alike(n.Title, r.Objective.Title) {
			return n, true
		}
	}
	return Reference{}, false
}

// alike compares by pairs of letters, which needs no word boundaries and so serves Japanese too.
func alike(a, b string) bool {
	x, y := letterPairs(plain(cut(a, titleRunes))), letterPairs(plain(cut(b, titleRunes)))
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	shared, total := 0, 0
	for pair, n := range x {
		shared += min(n, y[pair])
		total += n
	}
	for _, n := range y {
		total += n
	}
	const nearly = 80 // percent of all pairs
	return 200*shared >= nearly*total
}

func letterPairs(s string) map[[2]rune]int {
	pairs := map[[2]rune]int{}
	var previous rune
	for _, r := range s {
		if previous != 0 {
			pairs[[2]rune{previous, r}]++
		}
		previous = r
	}
	return pairs
}

// sharesWithParent compares the words that carry meaning; known says whether they can be compared at all, which titles in
// two different scripts cannot.
func (r *review) sharesWithParent() (shares, known bool) {
	if r.Parent == nil {
		return false, false
	}
	parent := tidy(r.Parent.Title)
	if hasJapanese.MatchString(parent) != r.japanese || r.title == "" || parent == "" {
		return false, false
	}
	mine := contentWords(r.title + " " + tidy(cut(r.Objective.Description, 1000)))
	for w := range contentWords(parent) {
		if mine[w] {
			return true, true
		}
	}
	return false, true
}

var hollow = regexp.MustCompile(`^(?:make|with|that|this|from|into|them|they|their|have|will|more|most|best|every|each|than|then|when|your|ours|where|which|what|become|better|team|company|goal|objec|目標|会社|当社|全社|企業|実現)`)

// contentWords are the beginnings of longer English words, and the pairs of letters in runs of kanji and katakana.
func contentWords(s string) map[string]bool {
	words := map[string]bool{}
	for _, w := range word.FindAllString(s, -1) {
		if w[0] < utf8.RuneSelf {
			const stem = 5
			if len(w) >= 4 && !hollow.MatchString(strings.ToLower(w)) {
				words[strings.ToLower(w[:min(len(w), stem)])] = true
			}
			continue
		}
		var previous rune
		for _, c := range w {
			if unicode.Is(unicode.Hiragana, c) {
				previous = 0
				continue
			}
			if pair := string([]rune{previous, c}); previous != 0 && !hollow.MatchString(pair) {
				words[pair] = true
			}
			previous = c
		}
	}
	return words
}

// running reports whether the objective is still worked on and its cycle has begun and not ended.
func (r *review) running() bool {
	c := r.Objective.Cycle
	return r.Objective.State == "approved" && !c.StartsOn.IsZero() && !r.Today.Before(c.StartsOn) && !r.Today.After(c.EndsOn)
}

// strayDeadlines finds dates outside the cycle in what the member wrote.
func (r *review) strayDeadlines() []spot {
	var spots []spot
	look := func(pointer, text string) {
		for _, d := range deadlines(fold(clean(cut(text, 4000)))) {
			if d.outside(r.Objective.Cycle) {
				spots = append(spots, r.at(pointer, "{date}", quoted(d.words),
					"{starts}", day(r.language, r.Objective.Cycle.StartsOn), "{ends}", day(r.language, r.Objective.Cycle.EndsOn))...)
				return
			}
		}
	}
	look("/title", r.Objective.Title)
	look("/description", r.Objective.Description)
	for i, kr := range r.Objective.KeyResults {
		look(keyResultPointer(i, "title"), kr.Title)
		look(keyResultPointer(i, "description"), kr.Description)
		for j, step := range kr.Steps {
			look(keyResultPointer(i, fmt.Sprintf("steps/%d/title", j)), step.Title)
		}
	}
	return spots
}

// unevenWeight finds the key result whose weight leaves little for the others.
func (r *review) unevenWeight() []spot {
	krs := r.Objective.KeyResults
	total, heaviest := decimal.Zero, 0
	for i, kr := range krs {
		total = total.Add(kr.Weight)
		if kr.Weight.GreaterThan(krs[heaviest].Weight) {
			heaviest = i
		}
	}
	if len(krs) < 2 || !total.IsPositive() {
		return nil
	}
	share := krs[heaviest].Weight.Shift(2).DivRound(total, 0)
	limit := decimal.NewFromInt(60)
	if len(krs) == 2 {
		limit = decimal.NewFromInt(80)
	}
	return r.when(share.GreaterThan(limit), keyResultPointer(heaviest, "weight"), "{kr}", quoted(krs[heaviest].Title), "{share}", share.String()+"%")
}

// repeated finds key results that say nearly the same as an earlier one.
func (r *review) repeated() []spot {
	const compared = 30 // more are too many anyway, and say so
	krs := r.Objective.KeyResults[:min(len(r.Objective.KeyResults), compared)]
	var spots []spot
	for i := range krs {
		for j := range i {
			if alike(krs[i].Title, krs[j].Title) {
				spots = append(spots, r.at(keyResultPointer(i, "title"), "{kr}", quoted(krs[i].Title), "{other}", quoted(krs[j].Title))...)
				break
			}
		}
	}
	return spots
}

// percents is the size of a metric's change in percent: of the baseline, or for shares of what is left to 100 % where
// that is more, since from 99.5 % to 99.9 % is a long way. Not ok where it cannot be told.
func percents(kr KeyResult) (decimal.Decimal, bool) {
	if kr.Kind != "metric" || kr.Baseline == nil || kr.Target == nil || kr.Baseline.IsZero() {
		return decimal.Zero, false
	}
	change := kr.Target.Sub(*kr.Baseline).Abs().Shift(2)
	size := change.DivRound(kr.Baseline.Abs(), 4)
	if left := decimal.NewFromInt(100).Sub(*kr.Baseline); kr.Unit == "%" && left.IsPositive() {
		size = decimal.Max(size, change.DivRound(left, 4))
	}
	return size, true
}

func trivialChange(kr KeyResult) bool {
	size, ok := percents(kr)
	return kr.Kind == "metric" && kr.Baseline != nil && kr.Target != nil && kr.Baseline.Equal(*kr.Target) || ok && size.LessThan(decimal.New(1, 0))
}

func smallChange(kr KeyResult) bool {
	size, ok := percents(kr)
	return ok && size.LessThan(decimal.New(3, 0)) && !trivialChange(kr)
}

// tenfold reports a target at ten times the baseline or more, or at a tenth or less.
func tenfold(kr KeyResult) bool {
	if kr.Kind != "metric" || kr.Baseline == nil || kr.Target == nil || !kr.Baseline.IsPositive() || kr.Target.IsNegative() {
		return false
	}
	ten := decimal.NewFromInt(10)
	return kr.Target.GreaterThanOrEqual(kr.Baseline.Mul(ten)) || kr.Target.Mul(ten).LessThanOrEqual(*kr.Baseline) && !kr.Target.IsZero()
}

var beyondHundred = regexp.MustCompile(`(?i)比|達成率|成長率|伸び率|増加率|増減率|回収率|稼働工数|\b(?:nrr|ndr|roi|roas|growth|increase|of plan|of target|attainment|year over year|yoy|retention|markup)\b`)

func percentOutOfRange(kr KeyResult) bool {
	if kr.Unit != "%" || beyondHundred.MatchString(kr.Title) {
		return false
	}
	hundred := decimal.NewFromInt(100)
	for _, d := range []*decimal.Decimal{kr.Target, kr.AtLeast, kr.AtMost} {
		if d != nil && d.GreaterThan(hundred) {
			return true
		}
	}
	return false
}

var unitless = regexp.MustCompile(`(?i)\b(?:e?nps|csat|ces|score|index|rating|ratio|number of|count|users|customers|headcount|dau|wau|mau)\b|スコア|指数|指標|満足度|推奨度|格付|偏差値|人数|件数|社数|回数|本数|数$`)

// unitInTitle is the unit that a title names, by a number or in brackets at its end.
func unitInTitle(title string) string {
	text := tidy(title)
	for _, q := range quantities(withoutTime(text)) {
		if q.unit != "" && q.unit != "times" && q.unit != "倍" {
			return q.unit
		}
	}
	if m := bracketed.FindStringSubmatch(text); m != nil {
		if unit, size, ok := scanUnit(m[1]); ok && size == len(m[1]) {
			return unit
		}
	}
	return ""
}

var bracketed = regexp.MustCompile(`[(\[]\s*([^()\[\]]{1,16}?)\s*[)\]]\s*$`)

// sameUnit compares units across spellings and both languages.
func sameUnit(a, b string) bool {
	return canonical(a) == canonical(b)
}

func canonical(unit string) string {
	unit, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(fold(unit))), "/")
	if known, ok := latinUnits[unit]; ok {
		unit = known
	}
	if ja, ok := inJapanese[unit]; ok {
		unit = ja
	}
	switch unit {
	case "ms":
		return "ミリ秒"
	case "人":
		return "名"
	case "点", "pp":
		return "ポイント"
	case "パーセント":
		return "%"
	}
	return unit
}

// otherUnit finds a title that measures in another unit than its field says. A number in a title may be a condition ("within
// 4 hours"), so that only a title with one unit, which is not a time beside a share, is held against the field.
func otherUnit(kr KeyResult) bool {
	named := unitInTitle(kr.Title)
	if named == "" || kr.Unit == "" || kr.Kind == "milestone" || sameUnit(named, kr.Unit) {
		return false
	}
	return !isTime(named) || isTime(kr.Unit)
}

func isTime(unit string) bool {
	switch unit {
	case "months", "years", "business days", "か月", "年", "営業日":
		return true
	}
	return durations[unit] > 0
}

// volume reports a metric that counts how much there is, and grows.
func volume(kr KeyResult) bool {
	return kr.Kind == "metric" && kr.Baseline != nil && kr.Target != nil && kr.Target.GreaterThan(*kr.Baseline) && kr.Unit != "%" && !quality.MatchString(kr.Title) && !quality.MatchString(kr.Unit)
}

var quality = regexp.MustCompile(`(?i)率|満足|品質|推奨|スコア|評価|継続|定着|解約|不良|ミス|エラー|障害|時間|\b(?:e?nps|csat|ces|rate|share|score|rating|quality|satisfaction|retention|churn|defects?|errors?|time|latency|uptime|points?)\b|点|ポイント`)

func hasNumber(text string) bool { return len(quantities(withoutTime(tidy(text)))) > 0 }

// lastStepHeavy reports a milestone whose progress stays near nothing until its last step is done.
func lastStepHeavy(kr KeyResult) bool {
	if kr.Kind != "milestone" || len(kr.Steps) < 2 {
		return false
	}
	total := decimal.Zero
	for _, s := range kr.Steps {
		total = total.Add(s.Weight)
	}
	last := kr.Steps[len(kr.Steps)-1].Weight
	return total.IsPositive() && last.Mul(decimal.NewFromInt(10)).GreaterThanOrEqual(total.Mul(decimal.NewFromInt(8)))
}

func measurable(kr KeyResult) bool {
	switch kr.Kind {
	case "metric":
		return kr.Baseline != nil && kr.Target != nil && !trivialChange(kr)
	case "threshold":
		return bandHolds(kr)
	}
	return len(kr.Steps) >= 2
}

func bandHolds(kr KeyResult) bool {
	if kr.AtLeast == nil || kr.AtMost == nil {
		return kr.AtLeast != nil || kr.AtMost != nil
	}
	return kr.AtLeast.LessThanOrEqual(*kr.AtMost)
}

// silentDays counts the days since the latest check-in, or since the cycle began.
func (r *review) silentDays(kr KeyResult) int {
	since := r.Objective.Cycle.StartsOn
	if kr.CheckedInAt != nil {
		since = *kr.CheckedInAt
	}
	return int(r.Today.Sub(since) / (24 * time.Hour))
}

// reached reports a metric that is at its target with at least a fifth of the cycle left.
func (r *review) reached(kr KeyResult) bool {
	if kr.Kind != "metric" || kr.Baseline == nil || kr.Target == nil || kr.Current == nil || kr.Stretch != nil || !r.running() {
		return false
	}
	way := kr.Target.Sub(*kr.Baseline)
	done := kr.Current.Sub(*kr.Target)
	c := r.Objective.Cycle
	return !way.IsZero() && (done.IsZero() || done.Sign() == way.Sign()) && c.EndsOn.Sub(r.Today) > c.EndsOn.Sub(c.StartsOn)/5
}

// mend proposes what is safe to change: a number in the title that says all that a key result needs becomes one.
func (r *review) mend() *Proposal {
	if len(r.numbers) == 0 || r.Objective.State == "closed" || len(r.Objective.Title) > tidyBytes || len(r.Objective.KeyResults) >= maxKeyResults {
		return nil
	}
	o := read(r.Objective.Title)
	if len(o.results) == 0 {
		return nil
	}
	var proposal Proposal
	numbered := 0
	for _, clause := range splitClauses(clean(r.Objective.Title)) {
		if hasNumber(clause) {
			numbered++
		}
	}
	for _, kr := range o.results {
		if placed, _ := place(kr, r.Objective.KeyResults); placed.ID == uuid.Nil && kr.Kind != "milestone" {
			proposal.KeyResults = append(proposal.KeyResults, kr)
		}
	}
	// A clause that could not be read stays in the title, and so does the rest of it.
	if rest := withoutClaims(r.Objective.Title); rest != "" && numbered == len(o.results) {
		proposal.Title = &rest
	}
	if len(proposal.KeyResults) == 0 {
		return nil
	}
	return &proposal
}

// withoutClaims is what is left of a title when the clauses with numbers are gone; empty where that says no goal any more.
func withoutClaims(title string) string {
	var kept []string
	for _, clause := range splitClauses(clean(title)) {
		if !hasNumber(clause) {
			kept = append(kept, clause)
		}
	}
	separator := ", "
	if hasJapanese.MatchString(title) {
		separator = "、"
	}
	rest := cut(strings.TrimRight(strings.Join(kept, separator), "、, "), titleRunes)
	if r := newReview(Request{Objective: Objective{Title: rest}}); rest == "" || r.titleTooShort() {
		return ""
	}
	return capital(rest)
}

// stale is after how many days without a check-in the numbers are no basis for a decision any more.
const stale = 21

// checkedIn reports whether every key result was checked in within the time.
func (r *review) checkedIn(within time.Duration) bool {
	for _, kr := range r.Objective.KeyResults {
		if kr.CheckedInAt == nil || r.Today.Sub(*kr.CheckedInAt) > within {
			return false
		}
	}
	return len(r.Objective.KeyResults) > 0
}
