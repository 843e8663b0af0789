package ai

import (
	"regexp"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// phrase is one text in both languages. Words in braces, such as {title}, stand for what is filled in.
type phrase struct{ ja, en string }

// in fills the phrase in the language; words alternates between a name in braces and its text.
func (p phrase) in(language string, words ...string) string {
	text := p.en
	if language == "ja" {
		text = p.ja
	}
	// One pass over the phrase only: braces within a member's own words stay as they are.
	return strings.NewReplacer(words...).Replace(text)
}

// quoted shortens a member's own words to what a sentence can carry; the phrases put the quotation marks.
func quoted(s string) string {
	const runes = 60
	s = strings.Join(strings.Fields(clean(cut(s, 10*runes))), " ")
	s = strings.NewReplacer("「", "『", "」", "』", "“", "‘", "”", "’").Replace(s)
	if short := cut(s, runes); short != s {
		return short + "…"
	}
	return s
}

// amount writes a number with its unit as a reader expects it: "$120,000", "99.9%", "月6件", "300 ms".
func amount(value decimal.Decimal, unit string) string {
	digits := groupDigits(value)
	switch {
	case unit == "":
		return digits
	case strings.Contains("$€£¥", unit):
		if value.IsNegative() {
			return "-" + unit + digits[1:]
		}
		return unit + digits
	case strings.HasPrefix(unit, "$/"), strings.HasPrefix(unit, "€/"), strings.HasPrefix(unit, "£/"), strings.HasPrefix(unit, "¥/"):
		symbol, per, _ := strings.Cut(unit, "/")
		return amount(value, symbol) + "/" + per
	case perMonth.MatchString(unit):
		m := perMonth.FindStringSubmatch(unit)
		return strings.Replace(m[2], "日", "1日", 1) + digits + m[1]
	case unit == "%" || hasJapanese.MatchString(unit) || strings.HasPrefix(unit, "%/"):
		return digits + unit
	}
	return digits + " " + unit
}

// perMonth matches units for a stretch of time, which Japanese puts before the number: "月6件".
var perMonth = regexp.MustCompile(`^([^/]+)/(月|週|年|四半期|日)$`)

// amountOf writes a number that may be missing.
func amountOf(language string, value *decimal.Decimal, unit string) string {
	if value == nil {
		return phrase{ja: "未定", en: "not set yet"}.in(language)
	}
	return amount(*value, unit)
}

func groupDigits(value decimal.Decimal) string {
	whole, fraction, _ := strings.Cut(value.Abs().String(), ".")
	var b strings.Builder
	if value.IsNegative() {
		b.WriteByte('-')
	}
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(whole[i])
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// day writes a date without its weekday.
func day(language string, t time.Time) string {
	if language == "ja" {
		return t.Format("2006年1月2日")
	}
	return t.Format("2 January 2006")
}

// describe says in one line what a key result asks for.
func describe(language string, kr KeyResult) string {
	switch kr.Kind {
	case "threshold":
		words := []string{"{low}", amountOf(language, kr.AtLeast, kr.Unit), "{high}", amountOf(language, kr.AtMost, kr.Unit), "{tolerance}", amountOf(language, kr.Tolerance, kr.Unit)}
		var p phrase
		switch {
		case kr.AtLeast != nil && kr.AtMost != nil:
			p = phrase{ja: "{low}以上、{high}以下を保つ", en: "stays between {low} and {high}"}
		case kr.AtMost != nil:
			p = phrase{ja: "{high}以下を保つ", en: "stays at {high} or less"}
		default:
			p = phrase{ja: "{low}以上を保つ", en: "stays at {low} or more"}
		}
		if kr.Tolerance != nil {
			p.ja, p.en = p.ja+"（許容幅{tolerance}）", p.en+" (tolerance {tolerance})"
		}
		return p.in(language, words...)
	case "milestone":
		names := make([]string, len(kr.Steps))
		for i, step := range kr.Steps {
			names[i] = phrase{ja: "「{step}」", en: "“{step}”"}.in(language, "{step}", quoted(step.Title))
		}
		separator := phrase{ja: "", en: ", "}.in(language)
		return phrase{ja: "{n}つの段階（{steps}）", en: "{n} steps: {steps}"}.in(language,
			"{n}", decimal.NewFromInt(int64(len(names))).String(), "{steps}", strings.Join(names, separator))
	}
	p := phrase{ja: "{baseline}から{target}へ", en: "from {baseline} to {target}"}
	if kr.Stretch != nil {
		p.ja, p.en = p.ja+"（挑戦値{stretch}）", p.en+" (stretch {stretch})"
	}
	return p.in(language, "{baseline}", amountOf(language, kr.Baseline, kr.Unit), "{target}", amountOf(language, kr.Target, kr.Unit), "{stretch}", amountOf(language, kr.Stretch, kr.Unit))
}
