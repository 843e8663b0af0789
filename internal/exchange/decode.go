package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// The encodings that are read. Shift_JIS is what Windows calls code page 932, which is what Japanese spreadsheets write.
const (
	UTF8        = "utf-8"
	UTF16       = "utf-16"
	ShiftJIS    = "shift_jis"
	Windows1252 = "windows-1252"
)

// FileError says why a file cannot be read at all. Code is for programs, Detail for people.
type FileError struct {
	Code   string
	Detail string
	Line   int // where, counted from 1; 0 where it is not known
}

func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Detail)
	}
	return e.Detail
}

// peeked is how much of a file is looked at to tell its encoding.
const peeked = 64 << 10

// Text is a file as UTF-8, whatever it was.
type Text struct {
	from     *bufio.Reader
	decoded  io.Reader // nil while everything was ASCII
	encoding string
}

// NewText reads a file whose encoding is as named, or is found out where the name is empty: by a byte-order mark, or else at the first byte that is not ASCII. A file of
// another kind, such as a workbook, is a FileError.
func NewText(r io.Reader, name string) (*Text, error) {
	t := &Text{from: bufio.NewReaderSize(r, peeked), encoding: name}
	head, err := t.from.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case len(head) == 0:
		return nil, &FileError{Code: "empty", Detail: "The file is empty."}
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte{0xD0, 0xCF, 0x11, 0xE0}):
		return nil, &FileError{Code: "workbook", Detail: "This is an Excel workbook. Send it as one, as “.xlsx”, or save the sheet as “CSV UTF-8” and send that."}
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		_, err = t.from.Discard(3)
		t.use(UTF8)
		return t, err
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		t.use(UTF16)
		return t, nil
	}
	if name != "" {
		if !Encodings(name) {
			return nil, &FileError{Code: "encoding-unknown", Detail: "The encoding is one of utf-8, utf-16, shift_jis and windows-1252."}
		}
		t.use(name)
	}
	return t, nil
}

// Encodings reports whether an encoding is one of those that are read.
func Encodings(name string) bool {
	return name == UTF8 || name == UTF16 || name == ShiftJIS || name == Windows1252
}

// Encoding is what the file turned out to be in, as far as it has been read: plain ASCII counts as UTF-8.
func (t *Text) Encoding() string {
	if t.encoding == "" {
		return UTF8
	}
	return t.encoding
}

func (t *Text) use(name string) {
	t.encoding = name
	switch name {
	case UTF16:
		t.decoded = transform.NewReader(t.from, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
	case ShiftJIS:
		t.decoded = transform.NewReader(t.from, japanese.ShiftJIS.NewDecoder())
	case Windows1252:
		t.decoded = transform.NewReader(t.from, charmap.Windows1252.NewDecoder())
	default:
		t.decoded = transform.NewReader(t.from, encoding.UTF8Validator)
	}
}

// Read reads UTF-8. What cannot be text is a FileError.
func (t *Text) Read(p []byte) (int, error) {
	if t.decoded == nil {
		return t.readASCII(p)
	}
	n, err := t.decoded.Read(p)
	if errors.Is(err, encoding.ErrInvalidUTF8) {
		return n, &FileError{Code: "encoding", Detail: "A character is not UTF-8. Save the file as “CSV UTF-8”, or name its encoding."}
	}
	if i := bytes.IndexByte(p[:n], 0); i >= 0 {
		return i, errNUL
	}
	if t.encoding == ShiftJIS && bytes.ContainsRune(p[:n], utf8.RuneError) {
		return n, &FileError{Code: "encoding", Detail: "A character is not Shift_JIS. Name the file's encoding, or save it as “CSV UTF-8”."}
	}
	return n, err
}

var errNUL = &FileError{Code: "not-text", Detail: "This is not a text file."}

// readASCII hands on what is ASCII, and decides on the encoding where that ends.
func (t *Text) readASCII(p []byte) (int, error) {
	window, err := t.from.Peek(min(len(p), 4096))
	if len(window) == 0 {
		return 0, err
	}
	i := bytes.IndexFunc(window, func(r rune) bool { return r >= utf8.RuneSelf || r == 0 })
	switch {
	case i < 0:
		return t.from.Read(p[:len(window)])
	case i > 0:
		return t.from.Read(p[:i])
	case window[0] == 0:
		return 0, errNUL
	}
	ahead, _ := t.from.Peek(peeked) // what there is, at the end of a file less
	t.use(encodingOf(ahead))
	return t.Read(p)
}

// encodingOf is the encoding of bytes that are not all ASCII: UTF-8 if they can be, else Shift_JIS if they can be, else what Western spreadsheets write.
func encodingOf(ahead []byte) string {
	cut := ahead
	for i := 0; i < utf8.UTFMax && len(cut) > 0 && !utf8.Valid(cut); i++ { // the last character may be cut off
		cut = cut[:len(cut)-1]
	}
	if len(cut) > 0 && utf8.Valid(cut) {
		return UTF8
	}
	for drop := range 2 {
		if japaneseText(ahead[:len(ahead)-min(drop, len(ahead)-1)]) {
			return ShiftJIS
		}
	}
	return Windows1252
}

// japaneseText reports whether bytes are well-formed Shift_JIS, most of which is written in pairs: a single byte above ASCII is half-width kana, which Western letters look like.
func japaneseText(b []byte) bool {
	pairs, single := 0, 0
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c < 0x80:
		case c >= 0xA1 && c <= 0xDF:
			single++
		case c >= 0x81 && c <= 0x9F || c >= 0xE0 && c <= 0xFC:
			i++
			if i == len(b) || b[i] < 0x40 || b[i] > 0xFC || b[i] == 0x7F {
				return false
			}
			pairs++
		default:
			return false
		}
	}
	decoded, err := japanese.ShiftJIS.NewDecoder().Bytes(b)
	return err == nil && !bytes.ContainsRune(decoded, utf8.RuneError) && (pairs > 0 && pairs*4 >= single || pairs == 0 && single >= 4)
}
