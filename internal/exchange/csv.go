package exchange

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The bounds of a file.
const (
	MaxColumns  = 200
	MaxRowBytes = 256 << 10
)

// Table gives the rows of a file one after another. The first one of a CSV are its headers.
type Table interface {
	// Next returns the next row and the line it begins on; io.EOF behind the last one. The cells are the caller's.
	Next() (cells []string, line int, err error)
}

// CSV is a Table of a text with separators.
type CSV struct {
	Separator rune

	reader  *csv.Reader
	bounded *boundedReader
}

// NewCSV reads rows with the separator given, or with the one that the first line speaks for where it is 0: of comma, semicolon and tab the one that stands there most often.
func NewCSV(text io.Reader, separator rune) (*CSV, error) {
	source := bufio.NewReaderSize(text, 32<<10)
	head, err := source.Peek(16 << 10)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	if declared, rest, ok := bytes.Cut(head, []byte("\n")); ok && separator == 0 { // a first line that some programs write for spreadsheets
		if s, ok := strings.CutPrefix(strings.TrimSpace(string(declared)), "sep="); ok && len([]rune(s)) == 1 {
			if _, err := source.Discard(len(head) - len(rest)); err != nil {
				return nil, err
			}
			separator = []rune(s)[0]
		}
	}
	if separator == 0 {
		separator = separatorOf(string(head))
	}
	bounded := &boundedReader{from: source, left: MaxRowBytes}
	r := csv.NewReader(bounded)
	r.Comma = separator
	r.FieldsPerRecord = -1
	return &CSV{Separator: separator, reader: r, bounded: bounded}, nil
}

// separatorOf looks at the first line outside of quotes.
func separatorOf(head string) rune {
	counts := map[rune]int{}
	quoted := false
	for _, r := range head {
		switch r {
		case '"':
			quoted = !quoted
		case ',', ';', '\t':
			if !quoted {
				counts[r]++
			}
		}
		if r == '\n' && !quoted {
			break
		}
	}
	best := ','
	for _, r := range []rune{';', '\t'} {
		if counts[r] > counts[best] {
			best = r
		}
	}
	return best
}

// Next returns the next row that is not blank.
func (c *CSV) Next() ([]string, int, error) {
	for {
		c.bounded.left = MaxRowBytes
		cells, err := c.reader.Read()
		if err != nil {
			return nil, 0, c.problem(err)
		}
		line, _ := c.reader.FieldPos(0)
		if len(cells) > MaxColumns {
			return nil, line, &FileError{Code: "too-many-columns", Detail: fmt.Sprintf("A row has at most %d columns.", MaxColumns), Line: line}
		}
		for _, cell := range cells {
			if strings.TrimSpace(cell) != "" {
				return cells, line, nil
			}
		}
	}
}

func (c *CSV) problem(err error) error {
	var parse *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.Is(err, errRowTooLong):
		return &FileError{Code: "row-too-long", Detail: "A row is longer than 256 KiB: perhaps a quotation mark that was opened is never closed."}
	case errors.As(err, &parse) && errors.Is(parse.Err, csv.ErrBareQuote):
		return &FileError{Code: "quotation-mark", Line: parse.Line, Detail: fmt.Sprintf("A quotation mark stands in the middle of a cell, at character %d. A cell with quotation marks is put in quotation marks, and those inside are doubled.", parse.Column)}
	case errors.As(err, &parse) && errors.Is(parse.Err, csv.ErrQuote):
		return &FileError{Code: "quotation-mark", Line: parse.StartLine, Detail: "A quotation mark is not closed, or something stands behind one that closes a cell."}
	case errors.As(err, &parse):
		return &FileError{Code: "csv", Line: parse.Line, Detail: "This line is not CSV."}
	}
	return err
}

var errRowTooLong = errors.New("exchange: row too long")

// boundedReader ends a row that has no end. What was read ahead for the next one counts too, so the bound is a little strict.
type boundedReader struct {
	from io.Reader
	left int
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errRowTooLong
	}
	n, err := b.from.Read(p[:min(len(p), 4096)])
	b.left -= n
	return n, err
}
