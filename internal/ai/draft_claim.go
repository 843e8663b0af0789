package ai

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// claim is what one clause says about one measure. Numbers that it does not say are nil; none is ever made up.
type claim struct {
	subject   string // a clean noun phrase, empty where the clause leaves it to the one before
	japanese  bool
	unit      string
	baseline  *decimal.Decimal
	target    *decimal.Decimal
	stretch   *decimal.Decimal
	atLeast   *decimal.Decimal
	atMost    *decimal.Decimal
	tolerance *decimal.Decimal
	change    *decimal.Decimal // by how much, signed by the direction
	relative  bool             // the change is in percent of the baseline
	factor    *decimal.Decimal // how many times the baseline
	keep      bool             // a level to be held, not a change
	fromZero  bool             // counts things that do not exist yet, so that the baseline is 0 by nature
	past      bool             // tells what happened
	goal      bool             // says that something is wanted
	clash     string           // the unit of the baseline where it cannot be compared with the target's
	verb      string           // the verb or noun that fromZero was told by
	complete  bool             // words follow the number, so that the clause says by itself what is done
	moves     bool             // asks for a change, not for a level
	bare      bool             // a number and nothing else
	pointer   bool             // begins with words that say "now": it completes what was said before
}

// mark is what the words around a number make of it.
type mark int

const (
	unmarked mark = iota
	markNow
	markFrom
	markTo
	markLeast
	markMost
	markStretch
	markTolerance
	markBy
)

// What stands before a number. The first that fits counts.
var marksBefore = []struct {
	mark    mark
	pattern *regexp.Regexp
}{
	{markTolerance, regexp.MustCompile(`(?i)(?:tolerance|tolerating|margin|許容(?:幅|範囲|誤差)?)(?:は|:|of|is)?\s*(?:±|\+/-)?\s*$`)},
	{markStretch, regexp.MustCompile(`(?i)(?:stretch(?: goal| target)?|ideally|ストレッチ(?:目標)?|できれば|理想(?:的に)?は|挑戦目標は?)(?:は|:|of|to|is|=)?\s*$`)},
	{markNow, regexp.MustCompile(`(?i)(?:\b(?:now|currently|current|today|at present|presently|baseline|as of today|last (?:year|quarter|month)|starting point)\s*(?:it(?:'s| is)|we(?:'re| are)(?: at)?|is|at|was|of|stands? at)?\s*[:=,]?|\b(?:is|are|was|were|we are at|we're at|it's|stands? at)|(?:現在|現状|現時点|今|いま|足元|足もと|前期|前年度?|昨年度?|昨期|前四半期|先月|前月|直近|時点|実績値?|基準値|ベースライン)(?:の(?:値|実績|平均))?(?:は|が|で|では|の)?\s*[:、=]?)\s*(?:about|around|roughly|at|約|およそ|平均)?\s*$`)},
	{markFrom, regexp.MustCompile(`(?i)\b(?:from|starting at)\s*(?:about|around|roughly|today's|the current|currently|now)?\s*$`)},
	{markLeast, regexp.MustCompile(`(?i)\b(?:at least|no less than|not less than|no fewer than|at or above|no lower than|not below|not under|never below|never under)\s*$`)},
	{markMost, regexp.MustCompile(`(?i)\b(?:at most|no more than|not more than|no later than|at or below|no higher than|not above|not over|never above|never over|not exceed(?:ing)?)\s*$`)},
	{markLeast, regexp.MustCompile(`(?i)(?:\b(?:above|over|more than|exceed(?:s|ing)?|(?:a )?minimum(?: of)?|greater than)|≥|>=|>|少なくとも|最低(?:でも|限)?)\s*$`)},
	{markMost, regexp.MustCompile(`(?i)(?:\b(?:below|under|less than|fewer than|within|up to|(?:a )?maximum(?: of)?|beneath|lower than)|≤|<=|<|最大(?:でも)?|多くとも)\s*$`)},
	{markBy, regexp.MustCompile(`(?i)\bby\s*(?:about|around|another|a further)?\s*$`)},
	{markTo, regexp.MustCompile(`(?i)(?:\b(?:to|towards|reach(?:es|ing)?|hit(?:s|ting)?|goal(?: is| of)?|target(?: is| of)?|want|at)|目標(?:値)?は?)\s*[:=]?\s*(?:about|around|roughly|about|約|およそ)?\s*$`)},
}

// What stands behind a number.
var marksAfter = []struct {
	mark    mark
	pattern *regexp.Regexp
}{
	{markFrom, regexp.MustCompile(`^\s*(?:程度|ほど|前後|くらい|ぐらい)?から`)},
	{markLeast, regexp.MustCompile(`(?i)^\s*(?:以上|超|を?超え|を上回|\+|or (?:more|higher|above|better|over)\b|and above\b|at least\b|minimum\b)`)},
	{markMost, regexp.MustCompile(`(?i)^\s*(?:以下|以内|未満|を?下回|を切|まで(?:に)?(?:抑え|とどめ|留め)|に(?:抑え|とどめ|留め|収め)|or (?:less|fewer|lower|below|under|faster|better)\b|at most\b|maximum\b)`)},
	{markBy, regexp.MustCompile(`(?i)^\s*(?:の|ほど|程度|ずつ)?(?:増|減|削減|向上|改善|短縮|上げ|下げ|アップ|ダウン|伸ば|高め|低減|縮め|引き上げ|引き下げ|上乗せ|more\b|fewer\b|less\b|higher\b|lower\b|faster\b|growth\b|increase\b|reduction\b|decrease\b|improvement\b)`)},
	{markNow, regexp.MustCompile(`(?i)^\s*(?:\(\s*(?:現在|現状|現時点|前期|前年|実績)|\(?\s*(?:today|now|currently|at present)\b)`)},
	{markTo, regexp.MustCompile(`^\s*(?:程度|ほど|前後|くらい)?(?:へ|に|まで|を目指|を達成|を目標|が目標|にし)`)},
}

const (
	changeVerbs = `increase|increasing|raise|raising|grow|growing|improve|improving|boost|boosting|lift|lifting|push|pushing|bring|bringing|get|getting|move|moving|take|taking|drive|driving|expand|expanding|` +
		`cut|cutting|reduce|reducing|lower|lowering|decrease|decreasing|shrink|shrinking|drop|dropping|shorten|shortening|trim|trimming|slash|slashing|bring|speed|double|doubling|triple|tripling|halve|halving|` +
		`hit|reach|achieve|attain|rise|fall|climb|go|come|answer|resolve|see`
	keepVerbs = `keep|keeping|maintain|maintaining|hold|holding|sustain|sustaining|stay|remain|ensure|make sure|making sure|limit|limiting|cap|capping|guarantee`
)

var (
	hasJapanese   = regexp.MustCompile(`[\p{Hiragana}\p{Katakana}\p{Han}]`)
	leadingVerb   = regexp.MustCompile(`(?i)(?:^|[,;:(–—]\s*|-\s+|\b(?:to|we|we'll|i|i'll|will|and|must|should|us|let's|then|also|by|team|while|shall|can|please|always|or|is|goal)\s+)\s*((?:` + changeVerbs + `|` + keepVerbs + `)\b)(?:\s+(?:up|down|out|back|on)\b)?`)
	englishWish   = regexp.MustCompile(`(?i)^have\b|\b(?:want|wants|aim|aims|goal|target|should|must|will|need|needs|plan|plans|hope|intend|would like|let's|ought|(?:has|have) to|we'll|commit)\b|\bto (?:` + changeVerbs + `|` + keepVerbs + `)\b`)
	englishPast   = regexp.MustCompile(`(?i)\b(?:rose|fell|grew|dropped|went|increased|decreased|climbed|slipped|declined|improved|moved|jumped|slid|shrank|doubled|lost|had|has|have|was|were|did|came|told|said|asked|opened|hired|grown|risen|fallen|took|saw|missed|left|started|cost|costs|spent|spend)\b`)
	japaneseWish  = regexp.MustCompile(`たい|目指|めざ|目標|べき|必要|ましょう|つもり|予定|計画|よう(?:に)?(?:する|します)`)
	japanesePast  = regexp.MustCompile(`(?:た|ました|でした|ません|ている|ています|ており|ていて|あり|ある|あります|います|いる|です|だ|である|かかり|かかる|かかります|いますが)(?:。|が、?|ので、?|ため、?|もの.{0,9}|こと.{0,9}|、|\s|\))*$`)
	englishKeep   = regexp.MustCompile(`(?i)\b(?:` + keepVerbs + `|never|always)\b`)
	japaneseKeep  = regexp.MustCompile(`維持|保[つちっ]|キープ|守[るりっ]|抑え|とどめ|留め|収め|おさえ|下回らな|切らな|上回らな|超えな`)
	englishMove   = regexp.MustCompile(`(?i)\b(?:` + changeVerbs + `)\b`)
	japaneseMove  = regexp.MustCompile(`上げ|下げ|高め|増や|減ら|伸ば|向上|改善|短縮|縮め|にする|にしたい|にします|達成|獲得|目指|増加|削減`)
	englishBound  = regexp.MustCompile(`(?i)^(?:no more than|no less than|no fewer than|never more than|at most|at least)\b|[<>≤≥]`)
	ceilingVerb   = regexp.MustCompile(`(?i)\b(?:limit|limiting|cap|capping)\b`)
	downward      = regexp.MustCompile(`(?i)\b(?:cut|cutting|reduc\w*|lower\w*|decreas\w*|shrink\w*|drop\w*|shorten\w*|trim\w*|slash\w*|fewer|less|faster|fall|halv\w*|down)\b|減|短縮|下げ|縮|低減|ダウン|抑`)
	factorWords   = regexp.MustCompile(`(?i)\b(?:(doubl(?:e|ing))|(tripl(?:e|ing))|(halv(?:e|ing)|in half|by half))\b|(倍増|二倍)|(三倍)|(半減|半分に|半分へ)`)
	betweenPair   = regexp.MustCompile(`^\s*(?:程度|ほど|前後|くらい|ぐらい)?から、?\s*(?:約|およそ|少なくとも|最低でも|さらに)?\s*$`)
	betweenArrow  = regexp.MustCompile(`^[^,;、]{0,40}?(?:→|⇒|➡|➔|⟶|⇨|▶|-+>|=+>|>>)\s*(?:約|およそ|about|~)?\s*$`)
	betweenTo     = regexp.MustCompile(`(?i)^[^,;:]{0,48}?(?:\b(?:to|up to|down to|towards|toward)|→)\s*(?:(?:at least|at most|about|around|over|under|above|below|less than|more than|or)\s*)?$`)
	betweenFrom   = regexp.MustCompile(`(?i)^[^0-9]{0,48}?\b(?:from|up from|down from|instead of|rather than|versus|vs\.?|compared (?:to|with))\s*(?:about|around|today's|the current|currently)?\s*$`)
	betweenRange  = regexp.MustCompile(`^\s*(?:〜|~|–|—|-|−|‐|ー|から)\s*$`)
	betweenAnd    = regexp.MustCompile(`(?i)^\s*(?:and|to|–|-|~)\s*$`)
	betweenSpread = regexp.MustCompile(`^\s*(?:±|\+/-)\s*$`)
	afterRange    = regexp.MustCompile(`^\s*(?:の間|の範囲|の幅|に(?:保|収|おさ|とど|抑)|を(?:維持|保|キープ)|以内)`)
	shareOf       = regexp.MustCompile(`(?i)^\s+of\s+(?:the\s+|our\s+|all\s+)?`)
	shareHas      = regexp.MustCompile(`^(?:以上)?\s*(?:が|で)(.+)$`)
	startsNow     = regexp.MustCompile(`(?i)^[\s(]*(?:now|currently|today|at present|it(?:'s| is)|it was|we(?:'re| are)(?: now| currently)? at|from|up from|down from|baseline|current|last (?:year|quarter|month)|今は|いまは|今の|現在|現状|現時点|足元|足もと|前期|前年|昨年|先月|基準値)`)
	startsStretch = regexp.MustCompile(`(?i)^[\s(]*(?:stretch|ideally|ストレッチ|できれば|理想|挑戦目標|tolerance|許容)`)
	pronoun       = regexp.MustCompile(`(?i)^(?:it|this|that|them|these|those|we|これ|それ|あれ|ここ|今|いま|今後|値|数値|目標|期末)$`)
	countVerbs    = regexp.MustCompile(`(?i)\b(` + strings.Join(mapKeys(doneForms), "|") + `):?\s+(?:(?:at least|another|about|around|up to|in|a total of|more than|over|all|all the|all our|the)\s+)?$`)
	countNouns    = regexp.MustCompile(`(採用|獲得|受注|開催|公開|出店|契約|締結|取得|作成|導入|育成|登壇|掲載|移行|発行|発信|配信|実施|訪問|面談|インタビュー|新設|開設|登録|認定|制作|執筆|提案|出展|自動化|廃止|標準化|開拓|紹介|招待|創出|リリース|立ち上げ|入社|登用|商談化|成約|撮影|翻訳|設置|増員)`)
	nounPhraseEnd = regexp.MustCompile(`(?i)\s*(?:\b(?:to|from|by|and|or|per|within|in|at|on|for|with|this|next|until|before|every|each|across|through|during|while|so|that|who|which|than|into|as|but|is|are|we|now|currently|today|via|using|after|of|last)\b|[,;:.()→=/|!?]|\s[-–—])`)
)

// bracket matches words in brackets: they add to what stands before them and take no part in a subject.
var bracket = regexp.MustCompile(`[(\[（【][^()\[\]（）【】]*[)\]）】]?`)

// readClause reads one clause of a folded text. Listed says that it stood in a list, which makes it a goal without further words.
func readClause(text string, listed bool) claim {
	text = withoutTime(strings.TrimSpace(text))
	c := claim{japanese: hasJapanese.MatchString(text)}
	numbers := quantities(text)
	c.pointer = startsNow.MatchString(text) || startsStretch.MatchString(text)
	c.keep = englishKeep.MatchString(text) || japaneseKeep.MatchString(text)
	if len(numbers) == 0 {
		c.readFactor(text)
		return c
	}
	c.bare = len(numbers) == 1 && strings.Trim(text[:numbers[0].start]+text[numbers[0].end:], " .。!？?です") == ""
	core, end := c.assign(text, numbers)
	head, tail := text[:core], text[end:]
	c.goal = c.readMood(text, head, tail, listed)
	c.complete = strings.TrimSpace(tail) != ""
	c.moves = !c.keep && (japaneseMove.MatchString(text) || englishMove.MatchString(text))
	c.readSubject(text, head, tail)
	if c.japanese {
		c.unit = cmp.Or(inJapanese[c.unit], c.unit)
	}
	return c
}

// assign gives each number its part and returns where the words of the subject end and where the rest begins.
func (c *claim) assign(text string, numbers []quantity) (core, end int) {
	before := func(i int) string {
		from := 0
		if i > 0 {
			from = numbers[i-1].end
		}
		return text[from:numbers[i].start]
	}
	after := func(i int) string {
		to := len(text)
		if i+1 < len(numbers) {
			to = numbers[i+1].start
		}
		return text[numbers[i].end:to]
	}
	used := make([]bool, len(numbers))
	core, end = -1, -1
	for i := 0; i+1 < len(numbers) && core < 0; i++ {
		between := after(i)
		a, b := numbers[i], numbers[i+1]
		fromBefore := markBefore(before(i)) == markFrom
		rest := after(i + 1)
		isRange := betweenRange.MatchString(between) && (c.keep || afterRange.MatchString(rest) || strings.HasPrefix(strings.TrimSpace(rest), "の間"))
		switch {
		case betweenSpread.MatchString(between):
			c.setUnits(&a, &b)
			c.atLeast, c.atMost = ptr(a.value.Sub(b.value)), ptr(a.value.Add(b.value))
			c.keep = true
		case isRange, betweenAnd.MatchString(between) && endsWithWord(before(i), "between"), c.keep && betweenTo.MatchString(between) && !fromBefore && len(strings.TrimSpace(between)) < 4:
			c.setUnits(&a, &b)
			c.atLeast, c.atMost = ptr(decimal.Min(a.value, b.value)), ptr(decimal.Max(a.value, b.value))
			c.keep = true
		case betweenPair.MatchString(between), betweenArrow.MatchString(between), fromBefore && betweenTo.MatchString(between), betweenTo.MatchString(between) && strings.TrimSpace(before(i)) != "" && markBefore(before(i)) == unmarked && strings.EqualFold(strings.TrimSpace(between), "to"):
			c.setUnits(&a, &b)
			c.baseline, c.target = ptr(a.value), ptr(b.value)
			c.keep = false
		case betweenFrom.MatchString(between) && markBefore(before(i)) != markNow && (i+2 >= len(numbers) || !betweenTo.MatchString(rest)):
			c.setUnits(&b, &a)
			c.baseline, c.target = ptr(b.value), ptr(a.value)
			c.keep = false
		case betweenRange.MatchString(between) && (leadingVerb.MatchString(text) || c.japanese && markAfter(rest) == markTo) && a.value.GreaterThan(b.value) == downward.MatchString(text):
			c.setUnits(&a, &b)
			c.baseline, c.target = ptr(a.value), ptr(b.value)
		case betweenRange.MatchString(between):
			c.setUnits(&a, &b)
			c.atLeast, c.atMost = ptr(decimal.Min(a.value, b.value)), ptr(decimal.Max(a.value, b.value))
			c.keep = true
		default:
			continue
		}
		used[i], used[i+1] = true, true
		core, end = a.start, b.end
	}
	share := -1
	for i, q := range numbers {
		if used[i] {
			continue
		}
		m := cmp.Or(markBefore(before(i)), markAfter(after(i)))
		switch m {
		case markNow, markFrom:
			if m == markFrom && !c.pointer && !c.japanese {
				continue
			}
			if c.baseline == nil && markAfter(after(i)) != markTo {
				c.baseline, used[i] = ptr(q.value), true
				c.unit = cmp.Or(c.unit, unitOf(q))
				if core < 0 {
					core, end = q.start, q.end
				}
			}
		case markStretch:
			if c.stretch == nil {
				c.stretch, used[i] = ptr(q.value), true
			}
		case markTolerance:
			if c.tolerance == nil {
				c.tolerance, used[i] = ptr(q.value.Abs()), true
			}
		default:
			if share < 0 && q.unit == "%" && (shareOf.MatchString(after(i)) || strings.HasSuffix(strings.TrimSpace(before(i)), "の") && shareHas.MatchString(text[q.end:])) {
				share = i
			}
		}
	}
	if c.target != nil || c.atLeast != nil {
		return core, end
	}
	best, rank := -1, -1
	for i, q := range numbers {
		if used[i] {
			continue
		}
		r := 1
		switch m := c.markOf(before(i), after(i), q); {
		case i == share:
			r = 9
		case m == markLeast || m == markMost:
			r = 5
		case m == markTo || m == markBy:
			r = 4
		}
		if r >= rank {
			best, rank = i, r
		}
	}
	if best < 0 {
		return max(core, 0), max(end, 0)
	}
	q := numbers[best]
	c.take(q, c.markOf(before(best), after(best), q), text)
	if best == share {
		return q.start, q.end
	}
	// A value of today that stands first ends the subject too: "NPS is 30 now and should reach 45".
	if core < 0 || q.start < core {
		return q.start, q.end
	}
	return core, max(end, q.end)
}

func (c *claim) markOf(before, after string, q quantity) mark {
	m := markBefore(before)
	if behind := markAfter(after); m == unmarked || m == markTo && behind != unmarked || behind == markLeast || behind == markMost {
		m = cmp.Or(behind, m)
	}
	if q.plus && m == unmarked {
		m = markBy
	}
	if q.unit == "倍" || q.unit == "times" {
		m = markBy
	}
	return m
}

// take makes the number the aim of the claim, in the way that the words around it ask for.
func (c *claim) take(q quantity, m mark, text string) {
	unit := unitOf(q)
	sign := decimal.New(1, 0)
	if downward.MatchString(text) {
		sign = sign.Neg()
	}
	switch {
	case q.unit == "倍" || q.unit == "times":
		c.factor = ptr(q.value)
	case m == markBy && q.unit == "%":
		c.change, c.relative = ptr(q.value.Mul(sign)), true
	case m == markBy && (q.unit == "pp" || q.unit == "ポイント" || q.unit == "points"):
		c.change = ptr(q.value.Mul(sign))
	case m == markBy:
		c.change, c.unit = ptr(q.value.Mul(sign)), cmp.Or(c.unit, unit)
	default:
		now := quantity{value: q.value, unit: c.unit}
		if c.baseline != nil {
			now.value = *c.baseline
			c.setUnits(&now, &q)
			c.baseline = ptr(now.value)
		} else {
			c.unit = unit
		}
		switch {
		case m == markLeast:
			c.atLeast = ptr(q.value)
		case m == markMost || c.keep && ceilingVerb.MatchString(text):
			c.atMost = ptr(q.value)
		default:
			c.target = ptr(q.value)
		}
	}
}

// setUnits brings two numbers of one measure to one unit: a magnitude or unit that only the second has holds for both
// ("1.2から1.5億円", "5 to 3%"), and times are compared in the smaller unit.
func (c *claim) setUnits(a, b *quantity) {
	if a.unit == "" && !a.scaled && b.scaled && a.value.LessThan(decimal.New(1000, 0)) {
		a.value = a.value.Mul(b.magnitude)
	}
	a.unit, b.unit = cmp.Or(a.unit, b.unit), cmp.Or(b.unit, a.unit)
	if b.per == "" {
		b.per = a.per
	}
	if a.unit != b.unit {
		x, y := durations[a.unit], durations[b.unit]
		switch {
		case x == 0 || y == 0:
			c.clash = a.unit
		case x > y:
			a.value, a.unit = a.value.Mul(decimal.New(x/y, 0)), b.unit
		default:
			b.value, b.unit = b.value.Mul(decimal.New(y/x, 0)), a.unit
		}
	}
	c.unit = unitOf(*b)
}

func unitOf(q quantity) string {
	switch {
	case q.per == "":
		return q.unit
	case hasJapanese.MatchString(q.per):
		if q.unit == "" {
			return q.per + "あたり"
		}
		return q.unit + "/" + q.per
	case q.unit == "":
		return "per " + q.per
	}
	return q.unit + "/" + q.per
}

// readFactor looks for words that multiply the value of today: "double", "半減".
func (c *claim) readFactor(text string) {
	m := factorWords.FindStringSubmatchIndex(text)
	if m == nil {
		return
	}
	factors := []decimal.Decimal{decimal.New(2, 0), decimal.New(3, 0), decimal.New(5, -1), decimal.New(2, 0), decimal.New(3, 0), decimal.New(5, -1)}
	for i, f := range factors {
		if m[2*(i+1)] >= 0 {
			c.factor = ptr(f)
		}
	}
	if c.japanese {
		c.subject = japaneseSubject(text[:m[0]])
	} else {
		c.subject = englishSubject(text[m[1]:])
		if c.subject == "" {
			c.subject = englishSubject(text[:m[0]])
		}
	}
	c.goal = true
}

// readMood decides whether the clause wants something, and notes when it tells what happened instead.
func (c *claim) readMood(text, head, tail string, listed bool) bool {
	if c.japanese {
		wish := japaneseWish.MatchString(text)
		c.past = japanesePast.MatchString(bracket.ReplaceAllString(tail, "")) && !wish
		return !c.past
	}
	wish := englishWish.MatchString(text) || leadingVerb.MatchString(text) || countVerbs.MatchString(head)
	c.past = englishPast.MatchString(head) && !wish && !listed
	pair := c.baseline != nil && c.target != nil
	return !c.past && (wish || listed || englishBound.MatchString(text) || c.pointer || pair || c.keep)
}

func (c *claim) readSubject(text, head, tail string) {
	if c.factor == nil && c.target == nil && c.change == nil && c.atLeast == nil && c.atMost == nil {
		c.readFactorBeside(text)
	}
	switch {
	case c.factor != nil && c.subject != "":
	case c.japanese:
		c.readJapaneseSubject(head, tail)
	default:
		c.readEnglishSubject(head, tail)
	}
	if pronoun.MatchString(c.subject) {
		c.subject = ""
	}
}

// readFactorBeside takes "double" and its like into a claim that otherwise names only the value of today.
func (c *claim) readFactorBeside(text string) {
	beside := claim{japanese: c.japanese}
	beside.readFactor(text)
	c.factor, c.subject = beside.factor, beside.subject
}

func (c *claim) readJapaneseSubject(head, tail string) {
	if m := ratioOf.FindStringSubmatch(head); m != nil && c.unit == "%" {
		head = m[2] + "に対する" + japaneseSubject(m[1])
	}
	listing, item, isItem := strings.Cut(head, ":")
	if isItem && !quantityOnly(item) {
		head = item
		if japaneseSubject(item) == "" || pronoun.MatchString(japaneseSubject(item)) || markBefore(item) == markNow {
			head = listing
		}
	}
	if m := shareHas.FindStringSubmatch(tail); m != nil && strings.HasSuffix(strings.TrimSpace(head), "の") && c.unit == "%" {
		object := ""
		if m := objectOf.FindStringSubmatch(head); m != nil {
			object, head = japaneseLead.ReplaceAllString(m[1], ""), m[2]
		}
		whole := japaneseSubject(head)
		part := strings.TrimSpace(bracket.ReplaceAllString(japaneseEnding.ReplaceAllString(strings.TrimRight(m[1], "。 "), ""), ""))
		if whole != "" && part != "" && !quantityOnly(part) {
			c.subject = cut(object+part+whole+"の割合", titleRunes)
			return
		}
	}
	c.subject = japaneseSubject(head)
	rest := tailLink.ReplaceAllString(tail, "")
	if c.subject == "" && rest != tail {
		if noun, _, ok := strings.Cut(rest, "を"); ok {
			c.subject = japaneseSubject(noun)
		}
	}
	if c.baseline != nil || c.keep || strings.Contains(c.unit, "/") || !countable(c.unit) {
		return
	}
	done := countNouns.FindString(rest)
	if done == "" && isItem && countNouns.FindString(listing) == strings.TrimSpace(listing) {
		rest, done = listing, strings.TrimSpace(listing)
	}
	if at := strings.Index(rest, done); done != "" && at > len("を以上のつずつ程度は") {
		done = ""
	}
	if done == "" {
		if m := countNouns.FindAllString(c.subject, -1); m != nil && strings.HasSuffix(c.subject, m[len(m)-1]) {
			c.countOf(m[len(m)-1])
		}
		return
	}
	c.countOf(done)
}

// countOf makes the claim the number of things done, beginning at none.
func (c *claim) countOf(done string) {
	c.fromZero, c.verb = true, done
	switch {
	case c.subject == "":
		c.subject = done + counted(c.unit)
	case strings.HasSuffix(c.subject, done):
		c.subject += counted(c.unit)
	default:
		c.subject += "の" + done + counted(c.unit)
	}
}

// counted turns the act of getting something into its number: 採用 becomes 採用人数.
func counted(unit string) string {
	switch unit {
	case "名", "人":
		return "人数"
	case "件", "社", "回", "本", "店舗", "拠点":
		return unit + "数"
	}
	return "数"
}

// countable reports whether a unit counts whole things, which may begin at none.
func countable(unit string) bool {
	switch unit {
	case "件", "名", "人", "社", "回", "個", "本", "台", "枚", "冊", "通", "店", "店舗", "拠点", "か所", "校", "団体", "組", "世帯", "ページ", "記事", "アカウント", "ライン", "工程", "品目", "種類", "":
		return true
	}
	return false
}

func (c *claim) readEnglishSubject(head, tail string) {
	tail = strings.TrimSpace(bracket.ReplaceAllString(tail, " "))
	if m := shareOf.FindString(" " + tail); m != "" && c.unit == "%" {
		c.subject = shareTitle((" " + tail)[len(m):])
		return
	}
	noun, rest := nounPhrase(tail)
	if m := countVerbs.FindStringSubmatch(head); m != nil && noun != "" && c.unit == "" && !c.keep && c.baseline == nil && c.change == nil {
		c.fromZero, c.verb = true, m[1]
		c.unit = lastWord(noun)
		c.subject = done(noun, strings.ToLower(m[1]), rest)
		return
	}
	c.subject = englishSubject(head)
	if c.unit == "" || strings.HasPrefix(c.unit, "per ") {
		c.readCounted(noun, rest)
	}
	if c.subject == "" {
		c.subject = englishSubject(noun)
	}
}

// readCounted takes the noun behind the numbers as what they count: "from 20 to 35 customers".
func (c *claim) readCounted(noun, rest string) {
	if noun == "" || len(strings.Fields(noun)) > 4 || c.baseline == nil && c.target == nil && c.atLeast == nil && c.atMost == nil {
		return
	}
	if noun == strings.ToUpper(noun) {
		return // an abbreviation names the measure, not what it counts
	}
	if m := perAfter.FindStringSubmatch(rest); m != nil && c.unit == "" {
		c.unit = "per " + period(cmp.Or(m[1], m[2]))
	}
	c.unit = strings.TrimSpace(lastWord(noun) + strings.Replace(c.unit, "per ", "/", 1))
}

// shareTitle names the share of something: "of new customers to finish setup".
func shareTitle(of string) string {
	of = strings.TrimRight(strings.TrimSpace(of), ".!? ")
	who := "that"
	before, after, infinitive := strings.Cut(of, " to ")
	switch strings.ToLower(lastWord(before)) {
	case "customers", "users", "members", "employees", "managers", "people", "candidates", "engineers", "clients", "leads", "hires", "visitors", "agents", "staff":
		who = "who"
	}
	if infinitive && len(strings.Fields(before)) <= 5 {
		of = before + " " + who + " " + after
	} else if m := plainVerb.FindStringIndex(of); m != nil {
		of = of[:m[0]] + " " + who + of[m[0]:]
	}
	return cut("Share of "+of, titleRunes)
}

var plainVerb = regexp.MustCompile(`(?i)\s(?:succeed|finish|complete|pass|renew|return|stay|meet|arrive|convert|get|receive|use|reach|agree|recommend)\b`)

// done names the result of a count: "engineers hired for the platform team".
func done(noun, verb, rest string) string {
	title := noun + " " + doneForms[verb]
	if m := workTail.FindString(rest); m != "" && len(quantities(rest)) == 0 {
		title += " " + strings.TrimRight(strings.TrimSpace(rest), ".!?,;: ")
	}
	return cut(capital(title), titleRunes)
}

// comparison matches a value that is a ratio to the past: "売上を前年比120%に".
var comparison = regexp.MustCompile(`[をは]((?:対)?(?:前年|前期|前月|昨年|昨対|計画|予算)(?:同期|同月|度)?比)$`)

// ratioOf matches a share of something else: "広告費の比率を売上の8%以下に".
var ratioOf = regexp.MustCompile(`^(.+[率比割合])を([^をは]{1,40})の\s*$`)

// objectOf splits what is done from who does it: "研修を全社員の95%が受講する".
var objectOf = regexp.MustCompile(`^(.+を)([^を]+の\s*)$`)

// tailLink joins a number to the noun that it belongs to: "3名のエンジニアを", "1.5億円へ売上を".
var tailLink = regexp.MustCompile(`^\s*(?:以上|程度)?(?:の|へ|に|まで)`)

var workTail = regexp.MustCompile(`(?i)^\s*(?:for|in|on|with|across|at|into|from|of|about|to)\s+\S`)

// nounPhrase splits off the noun phrase that the text begins with, at most five words long.
func nounPhrase(s string) (noun, rest string) {
	s = strings.TrimLeft(s, " ")
	stop := len(s)
	if m := nounPhraseEnd.FindStringIndex(s); m != nil {
		stop = m[0]
	}
	noun = strings.TrimSpace(s[:stop])
	if words := strings.Fields(noun); len(words) == 0 || len(words) > 5 || !startsWithLetter(noun) {
		return "", s
	}
	return noun, s[stop:]
}

var (
	englishFiller  = regexp.MustCompile(`(?i)^(?:(?:we|we'll|i|i'll|(?:our|the) team(?: will| wants?| must| should| needs?)|and|also|then|so|but|please|wants?|would like to|needs? to|must|should|will|aims? to|plans? to|hopes? to|(?:are |is )?going to|let's|(?:the |our )?goal is|help us|in order|to|by|that|kr\s?\d+|key result\s?\d*)(?:\s+|$|:)|(?:next|finally|first|second|third|goal|goals)[,:]|[:,;.\-–—•*"“”']|\d+[.)])\s*`)
	englishTrail   = regexp.MustCompile(`(?i)(?:(?:^|\s)(?:is|are|was|were|be|should|must|to|will|go|goes|going|move|moves|rise|rises|rising|fall|falls|falling|drop|drops|climb|climbs|come|comes|up|down|at|by|of|from|and|in|stay|stays|remain|remains|remaining|grow|grows|need|needs|has|have|gets?|reach|reaches|currently|now|today|above|below|under|over|least|most|than|more|less|fewer|no|not|within|between|about|around|roughly|consistently|always|steadily|further|back|it|we|want|stands?|which|that|target|goal|equals?|ideally|or|exceed|exceeds)|[\s:,;=(–—"“”'>≥≤<~+-])\s*$`)
	englishArticle = regexp.MustCompile(`(?i)^(?:the|our|an?|its|their|all|my|your)\s+`)
	japaneseLead   = regexp.MustCompile(`^(?:(?:また|さらに|そして|加えて|あわせて|併せて|次に|まず|具体的には|そのために|そのため|今期は|今四半期は|今回は|来期は|目標は|指標は|指標として|成果指標は|私たちは|当社は|弊社は|当部は|チームとして|チームでは|同時に|一方で|最後に|特に|とくに|かつ|および|並びに|ならびに|成果\d|KR\s?\d*|主要な成果)[、:はで]?|[\s・:、,.\-–—•*●○◆■「『]|[0-9]+[.)])+`)
	japaneseTrail  = regexp.MustCompile(`(?:[\s:、,=(\-–—>≥≤<~〜★☆]|延べ|合計|累計|について(?:は)?|に関して(?:は)?|に関し|を現在の|は現在の?|が現在の?|現在の?|現状の?|(?:上期|下期|前期|前年度?|昨年度?|今期|直近)の?(?:実績|平均)|少なくとも|最低でも|約|およそ|目標は|目標を|の目標|[をはがのにで])$`)
	japanesePre    = regexp.MustCompile(`^.*(?:ために(?:は)?|ための|ように|べく|ので|ことで|ながら|したうえで|した上で|つつ|して)(?:、|\s)*`)
	japaneseEnding = regexp.MustCompile(`(?:状態(?:に|を).*|よう(?:に)?(?:する|します|したい.*)|こと(?:を目指.*)?)$`)
)

// englishSubject cleans what stands before the numbers: no leading verb, no trailing link.
func englishSubject(s string) string {
	s = lastBytes(bracket.ReplaceAllString(s, " "), subjectBytes)
	if all := leadingVerb.FindAllStringIndex(s, -1); len(all) > 0 {
		if after := englishTrim(s[all[len(all)-1][1]:]); after != "" {
			return after
		}
		s = s[:all[len(all)-1][0]] + " "
	}
	return englishTrim(s)
}

func englishTrim(s string) string {
	s = strings.TrimSpace(s)
	const enough = 16 // more words than that in a row are no link any more
	for range enough {
		trimmed := strings.TrimSpace(englishTrail.ReplaceAllString(s, ""))
		trimmed = strings.TrimSpace(englishFiller.ReplaceAllString(trimmed, ""))
		if trimmed == s {
			break
		}
		s = trimmed
	}
	s = englishArticle.ReplaceAllString(s, "")
	if !startsWithLetter(s) && quantityOnly(s) {
		return ""
	}
	return cut(capital(strings.Join(strings.Fields(s), " ")), titleRunes)
}

// japaneseSubject cleans what stands before the numbers: no opening words, no particles at the end.
func japaneseSubject(s string) string {
	s = lastBytes(bracket.ReplaceAllString(s, ""), subjectBytes)
	s = japanesePre.ReplaceAllString(s, "")
	s = japaneseLead.ReplaceAllString(strings.TrimSpace(s), "")
	const enough = 8
	for range enough {
		trimmed := strings.TrimSpace(japaneseTrail.ReplaceAllString(s, ""))
		if trimmed == s {
			break
		}
		s = trimmed
	}
	s = comparison.ReplaceAllString(strings.Trim(s, "」』「『\"“” "), "の$1")
	if quantityOnly(s) {
		return ""
	}
	return cut(s, titleRunes)
}

// quantityOnly reports whether no letter of any script is left to name something.
func quantityOnly(s string) bool {
	return !strings.ContainsFunc(s, unicode.IsLetter)
}

const (
	titleRunes   = 300
	subjectBytes = 600
)

// cut shortens to a number of runes.
func cut(s string, runes int) string {
	if len(s) <= runes {
		return s
	}
	n := 0
	for i := range s {
		if n == runes {
			return strings.TrimSpace(s[:i])
		}
		n++
	}
	return s
}

// lastBytes keeps the end of s, beginning with a whole rune.
func lastBytes(s string, size int) string {
	if len(s) <= size {
		return s
	}
	s = s[len(s)-size:]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}

// capital begins an English title with a capital, unless its first word is a name with a spelling of its own, such as "p95".
func capital(s string) string {
	first, _, _ := strings.Cut(s, " ")
	for _, r := range first {
		if !unicode.IsLower(r) && r != '-' {
			return s
		}
	}
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

func lastWord(s string) string {
	words := strings.Fields(s)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

func endsWithWord(s, word string) bool {
	return strings.EqualFold(strings.TrimSpace(lastWord(s)), word)
}

func startsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

func markBefore(s string) mark {
	s = lastBytes(s, subjectBytes)
	for _, m := range marksBefore {
		if m.pattern.MatchString(s) {
			return m.mark
		}
	}
	return unmarked
}

func markAfter(s string) mark {
	for _, m := range marksAfter {
		if m.pattern.MatchString(s) {
			return m.mark
		}
	}
	return unmarked
}

func ptr[T any](v T) *T { return &v }
