package exchange

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Objects is a Table of a JSON array of flat objects, or of an object that has one named "rows": a name is a column, in the order in which they first come up, and Headers
// grows with them. Rows are as long as the headers were when they were read.
type Objects struct {
	Headers []string

	decoder *jsontext.Decoder
	counted *countedReader
	inside  bool
}

// NewObjects reads rows out of JSON.
func NewObjects(text io.Reader) *Objects {
	counted := &countedReader{from: text, line: 1, left: MaxRowBytes}
	return &Objects{decoder: jsontext.NewDecoder(counted, jsontext.AllowDuplicateNames(false)), counted: counted}
}

// Next returns the next row. The line is roughly where it ends.
func (o *Objects) Next() ([]string, int, error) {
	o.counted.left = MaxRowBytes
	if !o.inside {
		if err := o.enter(); err != nil {
			return nil, 0, o.problem(err)
		}
		o.inside = true
	}
	if o.decoder.PeekKind() == ']' {
		return nil, 0, io.EOF
	}
	token, err := o.decoder.ReadToken()
	if err != nil {
		return nil, 0, o.problem(err)
	}
	if token.Kind() != '{' {
		return nil, 0, o.refuse("Each row is an object of names and plain values.")
	}
	row := make([]string, len(o.Headers))
	from := o.decoder.InputOffset()
	for o.decoder.PeekKind() != '}' {
		if row, err = o.member(row); err != nil {
			return nil, 0, err
		}
		if o.decoder.InputOffset()-from > MaxRowBytes {
			return nil, 0, o.refuseLong()
		}
	}
	if _, err := o.decoder.ReadToken(); err != nil {
		return nil, 0, o.problem(err)
	}
	return row, o.counted.line, nil
}

// enter reads up to the array.
func (o *Objects) enter() error {
	token, err := o.decoder.ReadToken()
	if err != nil || token.Kind() == '[' {
		return err
	}
	if token.Kind() != '{' {
		return o.refuse("The file is an array of objects, or an object with an array named rows.")
	}
	for o.decoder.PeekKind() == '"' {
		name, err := o.decoder.ReadToken()
		if err != nil {
			return err
		}
		if name.String() == "rows" && o.decoder.PeekKind() == '[' {
			_, err := o.decoder.ReadToken()
			return err
		}
		if err := o.decoder.SkipValue(); err != nil {
			return err
		}
	}
	return o.refuse("There is no array named rows.")
}

// member reads a name and its value into the row.
func (o *Objects) member(row []string) ([]string, error) {
	token, err := o.decoder.ReadToken()
	if err != nil {
		return row, o.problem(err)
	}
	name := strings.Clone(token.String())
	token, err = o.decoder.ReadToken()
	if err != nil {
		return row, o.problem(err)
	}
	value := ""
	switch token.Kind() {
	case '"', '0', 't', 'f':
		value = strings.Clone(token.String())
	case 'n':
	default:
		return row, o.refuse(fmt.Sprintf("%q holds a list or an object. Values are texts, numbers, true, false or null.", name))
	}
	if strings.ContainsRune(value, 0) || strings.ContainsRune(name, 0) {
		return row, errNUL
	}
	column := slices.Index(o.Headers, name)
	if column < 0 {
		if len(o.Headers) == MaxColumns {
			return row, o.refuse(fmt.Sprintf("All rows together have at most %d names.", MaxColumns))
		}
		column = len(o.Headers)
		o.Headers = append(o.Headers, name)
	}
	for len(row) <= column {
		row = append(row, "")
	}
	row[column] = value
	return row, nil
}

func (o *Objects) refuseLong() error {
	return &FileError{Code: "row-too-long", Detail: "A row is longer than 256 KiB.", Line: o.counted.line}
}

func (o *Objects) refuse(detail string) error {
	return &FileError{Code: "json", Detail: detail, Line: o.counted.line}
}

func (o *Objects) problem(err error) error {
	var file *FileError
	if errors.As(err, &file) {
		return file
	}
	if errors.Is(err, errRowTooLong) {
		return o.refuseLong()
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return o.refuse("This is not JSON, or it breaks off.")
	}
	return err
}

// countedReader knows how many lines went through it, and ends a row that has no end.
type countedReader struct {
	from io.Reader
	line int
	left int // until a row is too long
}

func (c *countedReader) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errRowTooLong
	}
	n, err := c.from.Read(p[:min(len(p), 4096)])
	c.left -= n
	c.line += strings.Count(string(p[:n]), "\n")
	return n, err
}
