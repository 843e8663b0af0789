package exchange

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// In which order a file names the parts of a date.
const (
	OrderAuto = "auto"
	OrderYMD  = "ymd"
	OrderDMY  = "dmy"
	OrderMDY  = "mdy"
)

var (
	threeNumbers = regexp.MustCompile(`^(\d{1,4})\s*([-/.])\s*(\d{1,2})\s*([-/.])\s*(\d{1,4})$`)
	japaneseDate = regexp.MustCompile(`^(?:(令和|平成|昭和|R|H|S)\s*(\d{1,2}|元)|(\d{4}))\s*(?:年|\.|/)\s*(\d{1,2})\s*(?:月|\.|/)\s*(\d{1,2})\s*日?$`)
	clockTime    = regexp.MustCompile(`^(.*\S)[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$`)
	weekday      = regexp.MustCompile(`\s*\([月火水木金土日]\)$|^[A-Z][a-z]{2,8},\s+`)
)

// ParseTime reads a date, with a time of day or without, the way people in Japan and elsewhere write it. Without a time it is the day's beginning in zone. Of three numbers with the year
// last, the order decides; where that is auto, a number above twelve does, points mean that the day is first, and what is left is ambiguous: ok is false and so is readable.
func ParseTime(cell, order string, zone *time.Location) (at time.Time, ok, ambiguous bool) {
	s := strings.TrimSpace(norm.NFKC.String(cell))
	if s == "" || len(s) > 60 {
		return time.Time{}, false, false
	}
	if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return at, sensible(at.Year()), false
	}
	var hour, minute, second int
	if m := clockTime.FindStringSubmatch(s); m != nil {
		s = m[1]
		hour, minute = atoi(m[2]), atoi(m[3])
		second = atoi(m[4])
		if hour > 23 || minute > 59 || second > 59 {
			return time.Time{}, false, false
		}
	}
	s = weekday.ReplaceAllString(s, "")
	year, month, day, ok, ambiguous := parseDay(s, order)
	if !ok {
		return time.Time{}, false, ambiguous
	}
	at = time.Date(year, time.Month(month), day, hour, minute, second, 0, zone)
	if at.Day() != day || int(at.Month()) != month || !sensible(year) { // such as 30 February
		return time.Time{}, false, false
	}
	return at, true, false
}

func sensible(year int) bool { return year >= 1970 && year <= 2200 }

func parseDay(s, order string) (year, month, day int, ok, ambiguous bool) {
	if m := japaneseDate.FindStringSubmatch(s); m != nil {
		return japaneseYear(m[1], m[2], m[3]), atoi(m[4]), atoi(m[5]), true, false
	}
	for _, form := range []string{"2 January 2006", "2 Jan 2006", "2-Jan-2006", "January 2, 2006", "Jan 2, 2006", "January 2 2006", "Jan 2 2006", "20060102"} {
		if at, err := time.Parse(form, s); err == nil {
			return at.Year(), int(at.Month()), at.Day(), true, false
		}
	}
	m := threeNumbers.FindStringSubmatch(s)
	if m == nil || m[2] != m[4] {
		return 0, 0, 0, false, false
	}
	first, second, third := atoi(m[1]), atoi(m[3]), atoi(m[5])
	if len(m[1]) == 4 {
		return first, second, third, second >= 1 && second <= 12, false
	}
	if len(m[5]) != 4 {
		return 0, 0, 0, false, false // two digits are no year that anybody could be sure of
	}
	dayFirst := order == OrderDMY
	if order == OrderAuto || order == OrderYMD {
		switch {
		case m[2] == ".", first > 12:
			dayFirst = true
		case second > 12, first == second:
		default:
			return 0, 0, 0, false, true
		}
	}
	if dayFirst {
		first, second = second, first
	}
	return third, first, second, first >= 1 && first <= 12, false
}

func japaneseYear(era, year, western string) int {
	if western != "" {
		return atoi(western)
	}
	n := 1 // 元年
	if year != "元" {
		n = atoi(year)
	}
	switch era {
	case "令和", "R":
		return 2018 + n
	case "平成", "H":
		return 1988 + n
	}
	return 1925 + n
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // of a few digits, or empty
	return n
}
