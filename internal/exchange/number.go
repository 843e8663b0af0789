package exchange

import (
	"regexp"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"
)

// How decimals are marked in a file.
const (
	MarkAuto  = "auto"
	MarkPoint = "point"
	MarkComma = "comma"
)

// Number is a number as somebody wrote it, and the unit that stood beside it: "%", a currency, or what else did.
type Number struct {
	Value decimal.Decimal
	Unit  string
}

var (
	digitsForm  = regexp.MustCompile(`^[0-9]+$|^[0-9]*\.[0-9]+$|^[0-9]+\.$`)
	groupedForm = regexp.MustCompile(`^[0-9]{1,3}([,.' ][0-9]{3})+$`)
	unitForm    = regexp.MustCompile(`^([^0-9.,]*?)\s*([(\-]?[0-9.,' ]*[0-9][0-9.,' ]*\)?)\s*([^0-9]*)$`)
)

// longestNumber keeps a cell from becoming a number of any length.
const longestNumber = 60

// ParseNumber reads a number the way people write it: full-width digits, thousands apart by comma, point, space or apostrophe, a decimal comma, a percent sign, a currency
// before or behind, 万 and 億, a minus as −, ▲ or parentheses. A percentage keeps its figure and has the unit "%". What can be read in two ways is read by mark; where that is
// auto, "1,234" is a thousand and "1,5" one and a half.
func ParseNumber(cell, mark string) (Number, bool) {
	s := strings.TrimSpace(norm.NFKC.String(cell))
	if s == "" || len(s) > longestNumber {
		return Number{}, false
	}
	s = strings.NewReplacer("−", "-", "–", "-", "▲", "-", "△", "-", "\u00a0", " ", "\u202f", " ", "’", "'").Replace(s)
	negative := false
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		negative, s = true, strings.TrimSpace(rest)
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	m := unitForm.FindStringSubmatch(s)
	if m == nil {
		return Number{}, false
	}
	before, figure, behind := strings.TrimSpace(m[1]), strings.TrimSpace(m[2]), strings.TrimSpace(m[3])
	minuses := 0
	if negative {
		minuses++
	}
	if rest, ok := strings.CutSuffix(before, "-"); ok {
		before = strings.TrimSpace(rest)
		minuses++
	}
	if rest, ok := strings.CutPrefix(figure, "-"); ok {
		figure = rest
		minuses++
	}
	if inner, ok := strings.CutPrefix(figure, "("); ok {
		inner, closed := strings.CutSuffix(inner, ")")
		if !closed {
			return Number{}, false
		}
		figure = inner
		minuses++
	}
	if minuses > 1 {
		return Number{}, false
	}
	negative = minuses == 1
	if !knownUnit(before) || !knownUnit(behind) || before != "" && behind != "" && !strings.ContainsAny(behind, "万億千") {
		return Number{}, false
	}
	digits, ok := plainDigits(strings.TrimSpace(figure), mark)
	if !ok {
		return Number{}, false
	}
	value, err := decimal.NewFromString(digits)
	if err != nil {
		return Number{}, false
	}
	for _, scale := range []struct {
		sign string
		by   int32
	}{{"億", 8}, {"万", 4}, {"千", 3}} {
		if rest, ok := strings.CutPrefix(behind, scale.sign); ok {
			value, behind = value.Shift(scale.by), rest
			break
		}
	}
	if negative {
		value = value.Neg()
	}
	return Number{Value: value, Unit: unitOf(before + behind)}, true
}

// plainDigits is a figure with a point for its decimals and nothing between its thousands.
func plainDigits(s, mark string) (string, bool) {
	switch mark {
	case MarkComma:
		s = strings.NewReplacer(".", "", "'", "", " ", "", ",", ".").Replace(s)
	case MarkPoint:
		s = strings.NewReplacer(",", "", "'", "", " ", "").Replace(s)
	default:
		point, comma := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ',')
		switch {
		case point >= 0 && comma >= 0 && comma > point, comma >= 0 && point < 0 && !groupedForm.MatchString(s), point >= 0 && comma < 0 && strings.Count(s, ".") > 1:
			s = strings.NewReplacer(".", "", "'", "", " ", "", ",", ".").Replace(s)
		default:
			s = strings.NewReplacer(",", "", "'", "", " ", "").Replace(s)
		}
	}
	return s, digitsForm.MatchString(s)
}

// knownUnit reports whether what stands beside a figure may: a short word or sign without letters that would make it something else.
func knownUnit(s string) bool {
	return len([]rune(s)) <= 12 && !strings.ContainsAny(s, "()=/:;\"") && !strings.HasPrefix(s, "年") && !strings.HasPrefix(s, "月")
}

func unitOf(s string) string {
	switch s {
	case "¥", "JPY", "yen":
		return "円"
	}
	return s
}
