package exchange

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// Sheet is a Table of the cells of one sheet. What Next gives are texts: numbers with a point for their decimals, percentages with their sign, dates as 2026-11-03.
type Sheet struct {
	Name string

	of    *Workbook
	marks *marks
	line  int
	kept  int
	ended bool
}

// Close lets go of the sheet.
func (s *Sheet) Close() { s.marks.close() }

// Next returns the next row that is not blank, and its number in the sheet.
func (s *Sheet) Next() ([]string, int, error) {
	for !s.ended {
		token, err := s.marks.next()
		if err != nil {
			return nil, 0, err // io.EOF included: a sheet without rows
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local != "row" {
				continue
			}
			s.line++
			if n, err := strconv.Atoi(attribute(e, "r")); err == nil && n > s.line {
				s.line = n
			}
			cells, err := s.row()
			if err != nil {
				return nil, 0, err
			}
			if len(cells) > 0 {
				return cells, s.line, nil
			}
		case xml.EndElement:
			s.ended = e.Name.Local == "sheetData"
		}
	}
	return nil, 0, io.EOF
}

// row reads the cells of the row that has just begun, without the blank ones at its end.
func (s *Sheet) row() ([]string, error) {
	var cells []string
	next, bytes := 0, 0
	for {
		token, err := s.marks.next()
		if errors.Is(err, io.EOF) {
			return nil, brokenWorkbook()
		}
		if err != nil {
			return nil, err
		}
		if e, ok := token.(xml.EndElement); ok && e.Name.Local == "row" {
			return cells, nil
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "c" {
			continue
		}
		at := next
		if r := attribute(e, "r"); r != "" {
			if at = columnOf(r); at < 0 {
				return nil, brokenWorkbook()
			}
		}
		next = at + 1
		text, err := s.cell(e, at)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		if at >= MaxColumns {
			return nil, &FileError{Code: "too-many-columns", Detail: fmt.Sprintf("A row has at most %d columns.", MaxColumns), Line: s.line}
		}
		bytes += len(text)
		s.kept += len(text)
		if bytes > MaxRowBytes {
			return nil, &FileError{Code: "row-too-long", Detail: "A row is longer than 256 KiB.", Line: s.line}
		}
		if s.kept > maxCellsKept {
			return nil, tooLargeWorkbook()
		}
		for len(cells) <= at {
			cells = append(cells, "")
		}
		cells[at] = text
	}
}

// columnOf is the column of a cell's name, such as 2 of C7; negative if it is none.
func columnOf(name string) int {
	column := 0
	for i, r := range name {
		switch {
		case r >= 'A' && r <= 'Z' && i < 3:
			column = column*26 + int(r-'A') + 1
		case r >= '0' && r <= '9' && i > 0:
			return column - 1
		default:
			return -1
		}
	}
	return column - 1
}

// cell reads the cell that has just begun.
func (s *Sheet) cell(c xml.StartElement, column int) (string, error) {
	var value, inline string
	var formula, valued bool
	for {
		token, err := s.marks.next()
		if errors.Is(err, io.EOF) {
			return "", brokenWorkbook()
		}
		if err != nil {
			return "", err
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "f":
				formula = true
			case "v":
				valued = true
				if value, err = s.marks.value(); err != nil {
					return "", err
				}
			case "is":
				if inline, err = s.marks.text("is"); err != nil {
					return "", err
				}
			}
		case xml.EndElement:
			if e.Name.Local != "c" {
				continue
			}
			if formula && !valued && inline == "" {
				return "", &FileError{Code: "formula", Detail: fmt.Sprintf("The formula in column %d has no value: no program has worked it out. Open the workbook in Excel and save it.", column+1), Line: s.line}
			}
			return s.shown(attribute(c, "t"), attribute(c, "s"), value, inline)
		}
	}
}

// value is the text of the element that has just begun and holds no others.
func (m *marks) value() (string, error) {
	var text strings.Builder
	for {
		token, err := m.next()
		if errors.Is(err, io.EOF) {
			return "", brokenWorkbook()
		}
		if err != nil {
			return "", err
		}
		switch e := token.(type) {
		case xml.CharData:
			if text.Len()+len(e) > MaxRowBytes {
				return "", tooLargeWorkbook()
			}
			text.Write(e)
		case xml.EndElement:
			return text.String(), nil
		case xml.StartElement:
			return "", brokenWorkbook()
		}
	}
}

// shown is what a cell of a kind and a style says.
func (s *Sheet) shown(kind, style, value, inline string) (string, error) {
	switch kind {
	case "inlineStr":
		return inline, nil
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if value == "" {
			return "", nil
		}
		if err != nil || n < 0 || n >= len(s.of.shared) {
			return "", brokenWorkbook()
		}
		return s.of.shared[n], nil
	case "str", "e":
		return unescaped(value), nil
	case "b":
		switch strings.TrimSpace(value) {
		case "1":
			return "TRUE", nil
		case "0":
			return "FALSE", nil
		}
		return value, nil
	case "d":
		return strings.TrimSuffix(strings.TrimSpace(value), "T00:00:00"), nil
	}
	n, _ := strconv.Atoi(style) // none is the first
	var f cellFormat
	if n >= 0 && n < len(s.of.formats) {
		f = s.of.formats[n]
	}
	return numberShown(value, f, s.of.since), nil
}

// cellFormat is how a cell shows its number, as far as that says what it means.
type cellFormat int

const (
	asNumber cellFormat = iota
	asPercent
	asDate
	asMoment // a date with a time of day
	asTime   // a time of day
)

// builtIn is the format that a number stands for without the workbook's saying so. Those from 27 are dates in workbooks of East Asia.
func builtIn(id string) cellFormat {
	n, _ := strconv.Atoi(id)
	switch {
	case n == 9, n == 10:
		return asPercent
	case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 58:
		return asDate
	case n >= 18 && n <= 21, n >= 32 && n <= 35, n == 45, n == 47:
		return asTime
	case n == 22:
		return asMoment
	}
	return asNumber
}

// formatOf reads a format such as yyyy"年"m"月"d"日". Only its first section counts, and nothing that is quoted, escaped or in brackets; a length of time ([h]:mm) is a number.
func formatOf(code string) cellFormat {
	var day, clock, percent bool
	for i := 0; i < len(code); i++ {
		switch c := code[i] | 0x20; {
		case code[i] == ';':
			i = len(code)
		case code[i] == '"':
			end := strings.IndexByte(code[i+1:], '"')
			if end < 0 {
				return asNumber
			}
			i += end + 1
		case code[i] == '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				return asNumber
			}
			if inside := strings.ToLower(code[i+1 : i+end]); inside != "" && strings.Trim(inside, "hms") == "" {
				return asNumber
			}
			i += end
		case code[i] == '\\', code[i] == '_', code[i] == '*':
			i++
		case code[i] == '%':
			percent = true
		case c == 'g' && strings.HasPrefix(strings.ToLower(code[i:]), "general"):
			return asNumber
		case c == 'e' && i+1 < len(code) && (code[i+1] == '+' || code[i+1] == '-'):
			return asNumber
		case c == 'a' && (strings.HasPrefix(strings.ToLower(code[i:]), "am/pm") || strings.HasPrefix(strings.ToLower(code[i:]), "a/p")):
			i = min(i+4, len(code))
			clock = true
		case c == 'y', c == 'd', c == 'e', c == 'g':
			day = true
		case c == 'h', c == 's':
			clock = true
		}
	}
	switch {
	case day && clock:
		return asMoment
	case day:
		return asDate
	case clock:
		return asTime
	case percent:
		return asPercent
	case strings.ContainsAny(code, "mM"): // months alone, such as m"月"
		return monthsAlone(code)
	}
	return asNumber
}

// monthsAlone is for formats in which nothing but an m outside of quotes speaks for a date.
func monthsAlone(code string) cellFormat {
	quoted := false
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"':
			quoted = !quoted
		case '\\', '_', '*':
			i++
		case 'm', 'M':
			if !quoted {
				return asDate
			}
		case '0', '#', '?':
			if !quoted {
				return asNumber
			}
		}
	}
	return asNumber
}

// dateSystem is from when on a workbook counts its days.
type dateSystem int

const (
	since1900 dateSystem = iota
	since1904            // of the first Macintosh, and still to be met
)

// significant are the digits that a spreadsheet knows of a number. It stores more, which are noise: 1.1 is 1.1000000000000001.
const significant = 15

// numberShown is a stored number as somebody typed it. What is no number stays as it is.
func numberShown(value string, f cellFormat, since dateSystem) string {
	value = strings.TrimSpace(value)
	if value == "" || len(value) > longestNumber {
		return value
	}
	n, err := decimal.NewFromString(value)
	if err != nil || n.Exponent() > 20 || n.Exponent() < -400 || !utf8.ValidString(value) {
		return value
	}
	if digits := n.NumDigits(); digits > significant {
		n = n.Round(-n.Exponent() - int32(digits-significant)) //nolint:gosec // of at most 60
	}
	if n.Exponent() < -40 { // no amount that anybody means
		return value
	}
	switch f {
	case asPercent:
		return n.Shift(2).String() + "%"
	case asDate, asMoment, asTime:
		if at, ok := dateOf(n, since); ok {
			return momentShown(at, n, f)
		}
	}
	return n.String()
}

func momentShown(at time.Time, n decimal.Decimal, f cellFormat) string {
	switch {
	case f == asTime && n.LessThan(decimal.NewFromInt(1)):
		return at.Format("15:04:05")
	case f == asDate || at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0:
		return at.Format(time.DateOnly)
	}
	return at.Format(time.DateTime)
}

// dateOf is the time that a number of days stands for, to the second. In the system of 1900 there is a 29 February of that year, which there was not, as number 60.
func dateOf(n decimal.Decimal, since dateSystem) (time.Time, bool) {
	if n.IsNegative() || n.GreaterThanOrEqual(decimal.NewFromInt(2958466)) { // the year 10000
		return time.Time{}, false
	}
	seconds := n.Mul(decimal.NewFromInt(86400)).Round(0).IntPart()
	days := int(seconds / 86400)
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case since == since1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		first = time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	return first.AddDate(0, 0, days).Add(time.Duration(seconds%86400) * time.Second), true
}
