package ai

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// quantity is a number in a text together with what it counts.
type quantity struct {
	start, end int             // the bytes it takes up, sign, currency and unit included
	value      decimal.Decimal // with its magnitude: "1.2億" is 120000000
	unit       string          // in the one spelling of this package; empty where none was written
	per        string          // "月" or "week" in "月10件" and "10 a week"
	scaled     bool            // a magnitude was written; an unscaled number before it may share it
	magnitude  decimal.Decimal
	plus       bool // written as an addition: "+20%"
}

// The digits that a stored number may have before and after the point.
const (
	wholeDigits    = 15
	fractionDigits = 6
)

var ceiling = decimal.New(1, wholeDigits)

// storable reports whether the database takes the number as it is, with nothing rounded away.
func storable(d decimal.Decimal) bool {
	return d.Abs().LessThan(ceiling) && d.Equal(d.Truncate(fractionDigits))
}

// fold makes full-width digits, letters and signs and half-width katakana comparable with the usual ones.
func fold(s string) string {
	return norm.NFC.String(width.Fold.String(s))
}

// counters are what Japanese texts count in. A longer one wins over one that it begins with.
var counters = byLength(map[string]string{
	"%": "%", "パーセント": "%", "%ポイント": "pp", "ポイント": "ポイント", "点": "点", "割": "割", "倍": "倍",
	"円": "円", "ドル": "ドル", "米ドル": "ドル", "ユーロ": "ユーロ",
	"ミリ秒": "ミリ秒", "秒": "秒", "分": "分", "分間": "分", "時間": "時間", "日": "日", "日間": "日", "営業日": "営業日",
	"週": "週間", "週間": "週間", "か月": "か月", "ヶ月": "か月", "カ月": "か月", "ヵ月": "か月", "ケ月": "か月", "ヶ月間": "か月", "か月間": "か月", "年間": "年", "年": "年",
	"件": "件", "名": "名", "人": "人", "社": "社", "回": "回", "個": "個", "本": "本", "台": "台", "枚": "枚", "冊": "冊", "通": "通", "票": "票", "席": "席",
	"店": "店", "店舗": "店舗", "拠点": "拠点", "か所": "か所", "カ所": "か所", "ヶ所": "か所", "箇所": "か所", "校": "校", "団体": "団体", "組": "組", "世帯": "世帯",
	"ページ": "ページ", "記事": "記事", "アカウント": "アカウント", "ユーザー": "ユーザー", "ライセンス": "ライセンス", "ライン": "ライン", "工程": "工程", "品目": "品目", "種類": "種類",
	"人日": "人日", "人月": "人月", "トン": "トン", "度": "度", "℃": "℃", "°C": "℃",
})

// latinUnits are written in Latin letters, in texts of either language.
var latinUnits = map[string]string{
	"percent": "%", "pct": "%", "pp": "pp", "ppt": "pp", "ppts": "pp", "pt": "points", "pts": "points", "point": "points", "points": "points", "x": "times", "times": "times", "fold": "times",
	"ms": "ms", "msec": "ms", "millisecond": "ms", "milliseconds": "ms", "s": "seconds", "sec": "seconds", "secs": "seconds", "second": "seconds", "seconds": "seconds",
	"min": "minutes", "mins": "minutes", "minute": "minutes", "minutes": "minutes", "h": "hours", "hr": "hours", "hrs": "hours", "hour": "hours", "hours": "hours",
	"day": "days", "days": "days", "week": "weeks", "weeks": "weeks", "month": "months", "months": "months", "year": "years", "years": "years",
	"usd": "USD", "eur": "EUR", "gbp": "GBP", "jpy": "JPY", "yen": "JPY", "dollars": "$", "euros": "€", "pounds": "£",
	"kg": "kg", "g": "g", "t": "t", "km": "km", "m": "m", "cm": "cm", "mm": "mm", "mb": "MB", "gb": "GB", "tb": "TB", "kwh": "kWh", "ppm": "ppm", "bps": "bps", "db": "dB", "rps": "rps",
}

// inJapanese renames a unit for a text in Japanese, where it stands beside Japanese words.
var inJapanese = map[string]string{
	"seconds": "秒", "minutes": "分", "hours": "時間", "days": "日", "weeks": "週間", "months": "か月", "years": "年",
	"points": "ポイント", "times": "倍", "¥": "円", "JPY": "円",
}

// durations relates the units of time that one can be turned into another exactly.
var durations = map[string]int64{
	"ms": 1, "ミリ秒": 1, "seconds": 1000, "秒": 1000, "minutes": 60_000, "分": 60_000, "hours": 3_600_000, "時間": 3_600_000,
	"days": 86_400_000, "日": 86_400_000, "weeks": 604_800_000, "週間": 604_800_000,
}

var magnitudes = []struct {
	written string
	power   int32
}{{"兆", 12}, {"億", 8}, {"百万", 6}, {"万", 4}, {"千", 3}, {"百", 2}}

var (
	latinMagnitude = regexp.MustCompile(`^\s?(?i:(thousand)|(million|mn|mio)|(billion|bn))\b`)
	twoWordUnit    = regexp.MustCompile(`^[ -]?(?i:(business|working) days?|(percentage) points?|(per cent)\b)`)
	perAfter       = regexp.MustCompile(`^\s*(?i:(?:/\s*|per |an? |each |every )(month|mo|week|wk|quarter|day|year|yr|hour|minute|second|person|member|customer|user)\b)|^\s*/\s*(か月|月|週|日|年|時間|分|秒|件|人|名|回)`)
	perBefore      = regexp.MustCompile(`(?:([今来先翌前])?(四半期|月|週|日|年)(?:間|平均)?|(?:1|一)(?:か)?(月|週間?|日|年)|毎(月|週|日|年))(?:に|あたり|当たり|平均)?\s*(?:約|およそ)?\s*$`)
	currencyBefore = regexp.MustCompile(`(?:US\$|[$€£¥]|\b(?:USD|EUR|GBP|JPY) )\s?$`)
	// abbreviations that stand directly before their number; any other letter there makes it part of a name, as in "p95".
	measureBefore = regexp.MustCompile(`(?:^|[^A-Za-z])(?:e?NPS|CSAT|CES|MRR|ARR|DAU|WAU|MAU|CVR|CTR|ROI|ROAS|MTTR|CPA|LTV)$`)
)

var periods = map[string]string{"mo": "month", "wk": "week", "yr": "year", "か月": "月", "週間": "週"}

// quantities finds the numbers of a folded text, in their order. Numbers that belong to a name ("p95", "ISO9001"),
// that can be read in two ways, or that could not be stored are left out.
func quantities(s string) []quantity {
	var found []quantity
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		past := 0
		if len(found) > 0 {
			past = found[len(found)-1].end
		}
		q, end, ok := scanQuantity(s, past, i)
		if ok {
			found = append(found, q)
		}
		i = end
	}
	return found
}

// scanQuantity reads the number whose first digit is at i and returns where to go on. Nothing before past belongs to it.
func scanQuantity(s string, past, i int) (quantity, int, bool) {
	// What decides stands in the few bytes before the number; a bound keeps a long text linear.
	before := s[max(past, i-48):i]
	end := i
	for end < len(s) && (isDigit(s[end]) || (s[end] == '.' || s[end] == ',') && end+1 < len(s) && isDigit(s[end+1])) {
		end++
	}
	clock := end+1 < len(s) && s[end] == ':' && isDigit(s[end+1])
	if clock || partOfName(before) {
		return quantity{}, skipName(s, end), false
	}
	value, ok := parseNumber(s[i:end])
	if !ok {
		return quantity{}, end, false
	}
	q := quantity{start: i, magnitude: decimal.New(1, 0)}
	q.value, end = scanMagnitude(s, end, value, &q)
	if m := currencyBefore.FindString(before); m != "" {
		q.start -= len(m)
		before = before[:len(before)-len(m)]
		q.unit = strings.TrimPrefix(strings.TrimSpace(m), "US")
		if letters(s[end:]) == "m" || letters(s[end:]) == "M" {
			q.scale(6)
			end++
		}
	}
	unit, size, ok := scanUnit(s[end:])
	if !ok {
		return quantity{}, skipName(s, end), false
	}
	if unit != "" {
		q.unit, end = unit, end+size
	}
	if q.unit == "割" {
		q.unit, q.value = "%", q.value.Shift(1)
	}
	if m := perAfter.FindStringSubmatch(s[end:min(len(s), end+32)]); m != nil {
		q.per = period(cmp.Or(m[1], m[2]))
		end += len(m[0])
	}
	q.readSign(before)
	if m := perBefore.FindStringSubmatch(s[max(past, q.start-48):q.start]); m != nil && q.per == "" && m[1] == "" {
		q.per = period(cmp.Or(m[2], m[3], m[4]))
		q.start -= len(m[0])
	}
	q.end = end
	return q, end, storable(q.value)
}

// readSign looks for a sign that belongs to the number. A minus between two numbers makes a range instead.
func (q *quantity) readSign(before string) {
	trimmed := strings.TrimRight(before, " ")
	r, size := utf8.DecodeLastRuneInString(trimmed)
	head := strings.TrimRight(trimmed[:len(trimmed)-size], " ")
	previous, _ := utf8.DecodeLastRuneInString(head)
	alone := len(trimmed)-size == 0 || len(head) < len(trimmed)-size || strings.ContainsRune("をはがら:(へ→にの", previous)
	switch {
	case r == '+' && trimmed == before:
		q.plus = true
		q.start -= size
	case (r == '-' || r == '−') && trimmed == before && alone && head != "", r == '▲', r == '△':
		q.value = q.value.Neg()
		q.start -= size + len(before) - len(trimmed)
	}
}

func (q *quantity) scale(power int32) {
	q.scaled = true
	q.value, q.magnitude = q.value.Shift(power), q.magnitude.Shift(power)
}

// scanMagnitude reads what multiplies the number ("k", "million", "億") and returns the whole value; "1億2000万" adds up.
func scanMagnitude(s string, end int, value decimal.Decimal, q *quantity) (decimal.Decimal, int) {
	q.value = value
	switch letters(s[end:]) {
	case "k", "K":
		q.scale(3)
		return q.value, end + 1
	case "M":
		q.scale(6)
		return q.value, end + 1
	case "B", "bn":
		q.scale(9)
		return q.value, end + len(letters(s[end:]))
	}
	if m := latinMagnitude.FindStringSubmatch(s[end:min(len(s), end+16)]); m != nil {
		for i, power := range []int32{3, 6, 9} {
			if m[i+1] != "" {
				q.scale(power)
			}
		}
		return q.value, end + len(m[0])
	}
	total, last := decimal.Zero, int32(wholeDigits)
	for {
		power := int32(0)
		for _, m := range magnitudes {
			if rest, ok := strings.CutPrefix(s[end:], m.written); ok && m.power < last {
				power, end = m.power, len(s)-len(rest)
				break
			}
		}
		if power == 0 {
			return total.Add(value), end
		}
		q.scaled, q.magnitude, last = true, decimal.New(1, power), power
		total = total.Add(value.Shift(power))
		next := end
		for next < len(s) && (isDigit(s[next]) || s[next] == ',') {
			next++
		}
		if next == end || last < 3 {
			return total, end
		}
		rest, ok := parseNumber(s[end:next])
		if !ok {
			return total, end
		}
		value, end = rest, next
	}
}

// scanUnit reads the unit at the beginning of s and how long it is. Not ok: the number is no number of anything,
// such as the first part of "2nd" or "3分の1".
func scanUnit(s string) (unit string, size int, ok bool) {
	for _, c := range counters {
		for _, lead := range []string{"", " "} {
			if strings.HasPrefix(s, lead+c.written) {
				size = len(lead) + len(c.written)
				rest := s[size:]
				part := c.written == "分" && strings.HasPrefix(rest, "の")
				ordinal := strings.HasPrefix(rest, "目") && !strings.HasPrefix(rest, "目標")
				return c.unit, size, !part && !ordinal
			}
		}
	}
	if m := twoWordUnit.FindStringSubmatch(s[:min(len(s), 32)]); m != nil {
		switch {
		case m[1] != "":
			unit = "business days"
		case m[2] != "":
			unit = "pp"
		default:
			unit = "%"
		}
		return unit, len(m[0]), true
	}
	attached := letters(s)
	if attached != "" {
		unit, known := latinUnits[attached]
		return unit, len(attached), known && (len(s) == len(attached) || !isDigit(s[len(attached)]))
	}
	gap := len(s) - len(strings.TrimLeft(s, " -"))
	word := letters(s[gap:])
	// A lone letter apart from its number is more often a word of the sentence than a unit.
	if unit, known := latinUnits[strings.ToLower(word)]; known && gap == 1 && (len(word) > 1 || word == "s" || word == "h") {
		return unit, gap + len(word), true
	}
	return "", 0, true
}

// parseNumber reads digits with separators. A comma is a decimal point only where it cannot group thousands.
func parseNumber(s string) (decimal.Decimal, bool) {
	const longest = 40
	if len(s) > longest {
		return decimal.Decimal{}, false
	}
	commas, points := strings.Count(s, ","), strings.Count(s, ".")
	whole, fraction := s, ""
	switch {
	case commas == 0 && points <= 1:
		whole, fraction, _ = strings.Cut(s, ".")
	case points == 1 && strings.LastIndexByte(s, ',') < strings.IndexByte(s, '.'):
		whole, fraction, _ = strings.Cut(s, ".")
	case commas == 1 && points > 0:
		whole, fraction, _ = strings.Cut(s, ",")
	case commas == 1 && points == 0 && !grouped(s, ","):
		whole, fraction, _ = strings.Cut(s, ",")
		if len(fraction) > 2 {
			return decimal.Decimal{}, false
		}
	}
	for _, separator := range []string{",", "."} {
		if strings.Contains(whole, separator) {
			if !grouped(whole, separator) {
				return decimal.Decimal{}, false
			}
			whole = strings.ReplaceAll(whole, separator, "")
		}
	}
	if fraction != "" {
		whole += "." + fraction
	}
	d, err := decimal.NewFromString(whole)
	return d, err == nil
}

func grouped(s, separator string) bool {
	groups := strings.Split(s, separator)
	for _, group := range groups[1:] {
		if len(group) != 3 {
			return false
		}
	}
	return len(groups[0]) <= 3 && groups[0] != "0"
}

// partOfName reports whether a number behind this text belongs to a name: "p95", "COVID-19", "第3".
func partOfName(before string) bool {
	trimmed := strings.TrimSuffix(before, "-")
	r, _ := utf8.DecodeLastRuneInString(trimmed)
	switch {
	case strings.HasSuffix(before, "分の") || len(before) > 1 && r == ':' && isDigit(before[len(before)-2]):
		return true // a fraction, or the minutes of a time of day
	case r == '第' || r == '#' || r == '_' || r == '.' || r == '/' && trimmed != before:
		return true
	case r < utf8.RuneSelf && unicode.IsLetter(r):
		return trimmed != before || !measureBefore.MatchString(before)
	}
	return false
}

// skipName returns the end of the run of letters, digits and joining signs that i stands in.
func skipName(s string, i int) int {
	for i < len(s) && (isDigit(s[i]) || isLetter(s[i]) || s[i] == '_' || (s[i] == '.' || s[i] == '-') && i+1 < len(s) && isDigit(s[i+1])) {
		i++
	}
	return i
}

func period(written string) string {
	written = strings.ToLower(written)
	return cmp.Or(periods[written], written)
}

// letters returns the Latin letters that s begins with.
func letters(s string) string {
	i := 0
	for i < len(s) && isLetter(s[i]) {
		i++
	}
	return s[:i]
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

type counter struct{ written, unit string }

func byLength(units map[string]string) []counter {
	sorted := make([]counter, 0, len(units))
	for written, unit := range units {
		sorted = append(sorted, counter{written, unit})
	}
	slices.SortFunc(sorted, func(a, b counter) int {
		return cmp.Or(cmp.Compare(len(b.written), len(a.written)), cmp.Compare(a.written, b.written))
	})
	return sorted
}
