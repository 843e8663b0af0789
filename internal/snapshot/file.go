package snapshot

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/sql/schema"
)

// The file is one JSON object with one row to a line, so that it can be streamed, compared line by line and read by people:
//
//	{"format":"kakeai organization","version":2,"migration":"20261129000004","schema":"0123456789abcdef",
//	"organization":{…},
//	"users":[
//	{…},
//	{…}
//	],
//	…
//	"sha256":"…"}
//
// Two exports of the same organisation have the same bytes: rows are in the order of ids, columns in the table's, times are RFC 3339 in UTC,
// numbers that people enter are decimal strings without padding. sha256 is of all bytes before its line: head -n -1 FILE | sha256sum.
// A team is written with its members, an objective with its key results and their steps. Jobs that have not ended are left out: they are work of the installation
// that they were queued in, and would be done twice. So are broadcasts that are being sent; one that waits for its time is written as a draft.
const (
	formatName    = "kakeai organization"
	formatVersion = 2
)

const digestName = "sha256"

// jsonOptions are what rows are read and written with. The tag "format" is for days, which have no time.
func jsonOptions() json.Options {
	return json.JoinOptions(json.RejectUnknownMembers(true), json.ExperimentalSupportFormatTag(true), json.WithUnmarshalers(json.UnmarshalFunc(readDecimal)),
		json.WithMarshalers(json.MarshalFunc(writeBytes)))
}

// writeBytes keeps the difference between no bytes and none at all, which a column that may be null has.
func writeBytes(b []byte) ([]byte, error) {
	if b == nil {
		return []byte("null"), nil
	}
	return fmt.Appendf(nil, "%q", base64.StdEncoding.EncodeToString(b)), nil
}

// mostDigits is more than any column keeps.
const mostDigits = 100

// readDecimal takes no exponents: seven characters would be a gigabyte of zeros when they are written again.
func readDecimal(raw []byte, d *decimal.Decimal) error {
	text := strings.Trim(string(raw), `"`)
	if len(text) > mostDigits || strings.ContainsAny(text, "eE") {
		return errors.New("not a decimal number")
	}
	number, err := decimal.NewFromString(text)
	*d = number
	return err
}

// lastMigration is the number of the newest migration that this program knows.
func lastMigration() string {
	names, err := fs.Glob(schema.Migrations, "*.sql")
	if err != nil || len(names) == 0 {
		panic("snapshot: a program without migrations") // they were compiled in
	}
	number, _, _ := strings.Cut(names[len(names)-1], "_")
	return number
}

// fileWriter writes the file, row by row. The first error stays, and ends every later write.
type fileWriter struct {
	out  *bufio.Writer
	hash hash.Hash
	err  error
}

func newFileWriter(to io.Writer) *fileWriter {
	digest := sha256.New()
	return &fileWriter{out: bufio.NewWriterSize(io.MultiWriter(to, digest), 1<<16), hash: digest}
}

func (w *fileWriter) text(format string, arguments ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format, arguments...)
	}
}

func (w *fileWriter) row(row any) {
	if w.err != nil {
		return
	}
	line, err := json.Marshal(row, jsonOptions())
	if err != nil {
		w.err = err
		return
	}
	_, w.err = w.out.Write(line)
}

func (w *fileWriter) begin(o Organization) {
	w.text("{\"format\":%q,\"version\":%d,\"migration\":%q,\"schema\":%q,\n\"organization\":", formatName, formatVersion, lastMigration(), db.MigrationsHash())
	w.row(o)
	w.text(",\n")
}

// list writes one list, of the rows that each emits.
func (w *fileWriter) list(name string, each func(emit func(row any) error) error) error {
	w.text("%q:[", name)
	n := 0
	err := each(func(row any) error {
		if n > 0 {
			w.text(",")
		}
		n++
		w.text("\n")
		w.row(row)
		return w.err
	})
	if n > 0 {
		w.text("\n")
	}
	w.text("],\n")
	return errors.Join(err, w.err)
}

func (w *fileWriter) end() error {
	if w.err == nil {
		w.err = w.out.Flush() // before the digest is asked for what has passed
	}
	w.text("%q:%q}\n", digestName, hex.EncodeToString(w.hash.Sum(nil)))
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}

// Write writes the file of a snapshot.
func (s *Snapshot) Write(to io.Writer) error {
	w := newFileWriter(to)
	w.begin(s.Organization)
	for _, part := range sections() {
		err := w.list(part.name, func(emit func(any) error) error { return part.rows(s, emit) })
		if err != nil {
			return fmt.Errorf("snapshot: write %s: %w", part.name, err)
		}
	}
	return w.end()
}

// Clone returns a copy that shares nothing of what people edit with s. The records beside it are the same: nobody changes those.
func (s *Snapshot) Clone() (*Snapshot, error) {
	c := *s
	c.Users, c.Memberships, c.Teams, c.Cycles, c.Objectives = nil, nil, nil, nil, nil
	for _, part := range sections()[:entitySections] {
		err := part.rows(s, func(row any) error {
			line, err := json.Marshal(row, jsonOptions())
			if err != nil {
				return err
			}
			copied, err := part.decode(line)
			if err != nil {
				return err
			}
			part.keep(&c, copied)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("snapshot: copy %s: %w", part.name, err)
		}
	}
	return &c, nil
}

// Read reads a file, or refuses it with a RefusedError that says what is wrong with it as a file: damaged, foreign, in another form than an export
// writes. Whether what it says is sound, Validate knows. Whoever edits a file by hand leaves out the digest, if withoutDigest allows it.
func Read(from io.Reader, withoutDigest bool) (*Snapshot, error) {
	r := &fileReader{source: &summing{from: from, hash: sha256.New()}, s: &Snapshot{}, seen: map[string]bool{}, sections: map[string]section{}}
	for _, part := range sections() {
		r.sections[part.name] = part
	}
	r.decoder = jsontext.NewDecoder(r.source)
	if err := r.file(withoutDigest); err != nil {
		return nil, err
	}
	if len(r.faults) > 0 {
		return nil, refused(r.faults...)
	}
	return r.s, nil
}

// summing hashes what is read through it, but only as far as it is told: a decoder reads ahead.
type summing struct {
	from    io.Reader
	hash    hash.Hash
	pending []byte
	summed  int64
}

func (s *summing) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	s.pending = append(s.pending, p[:n]...)
	return n, err
}

func (s *summing) upTo(offset int64) {
	n := offset - s.summed
	_, _ = s.hash.Write(s.pending[:n]) // a hash takes everything
	s.pending = append(s.pending[:0], s.pending[n:]...)
	s.summed = offset
}

// fileReader reads one file. What is wrong with a row is collected; what is wrong with the file ends the reading.
type fileReader struct {
	source   *summing
	decoder  *jsontext.Decoder
	sections map[string]section
	s        *Snapshot
	seen     map[string]bool
	faults   []Fault
}

// Codes of what is wrong with a file as a file.
const (
	codeSyntax        = "syntax"
	codeDuplicateName = "duplicate-name"
	codeInvalidText   = "invalid-text"
	codeType          = "type"
	codeRequired      = "required"
	codeUnknownField  = "unknown-field"
	codeNUL           = "nul"
	codeForm          = "form"
	codeFormat        = "format-unknown"
	codeVersion       = "version-unknown"
	codeSchema        = "schema-differs"
	codeDigest        = "digest-differs"
)

func (r *fileReader) file(withoutDigest bool) error {
	begin, err := r.decoder.ReadToken()
	switch {
	case errors.Is(err, io.EOF):
		return refused(Fault{Code: codeRequired, Detail: "The file is empty."})
	case err != nil:
		return r.broken("", err)
	case begin.Kind() != '{':
		return refused(Fault{Code: codeType, Detail: "The file is not a JSON object."})
	}
	for r.decoder.PeekKind() == '"' {
		if err := r.member(); err != nil {
			return err
		}
	}
	if _, err := r.decoder.ReadToken(); err != nil { // the closing brace
		return r.broken("", err)
	}
	if _, err := r.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return refused(Fault{Code: codeSyntax, Detail: "Something stands behind the file's end."})
	}
	required := []string{"format", "version", "migration", "schema", "organization"}
	for _, part := range sections() {
		required = append(required, part.name)
	}
	if !withoutDigest {
		required = append(required, digestName)
	}
	for _, name := range required {
		if !r.seen[name] {
			r.fault("/"+name, codeRequired, "It is missing.")
		}
	}
	return nil
}

// member reads a name and its value.
func (r *fileReader) member() error {
	token, err := r.decoder.ReadToken()
	if err != nil {
		return r.broken(string(r.decoder.StackPointer()), err)
	}
	name := token.String()
	pointer := string(jsontext.Pointer("").AppendToken(name))
	if r.seen[digestName] {
		return refused(Fault{Pointer: pointer, Code: codeDigest, Detail: "It stands behind the digest, which is of all that the file says."})
	}
	r.seen[name] = true
	switch name {
	case "format":
		return r.constant(pointer, '"', formatName, codeFormat, "This is not an export of an organisation.")
	case "version":
		return r.constant(pointer, '0', fmt.Sprint(formatVersion), codeVersion, fmt.Sprintf("This program reads version %d of the format.", formatVersion))
	case "migration":
		return r.constant(pointer, '"', lastMigration(), codeSchema, "The export was made with another schema: import it with the release that made it, and then migrate. This program's newest migration is "+lastMigration()+".")
	case "schema":
		return r.constant(pointer, '"', db.MigrationsHash(), codeSchema, "The export was made with another schema: import it with the release that made it, and then migrate.")
	case digestName:
		return r.digest(pointer)
	case "organization":
		raw, err := r.value(pointer, '{')
		if err != nil {
			return err
		}
		r.row(pointer, raw, func(raw []byte) (any, error) {
			err := json.Unmarshal(raw, &r.s.Organization, jsonOptions())
			return r.s.Organization, err
		})
		return nil
	}
	if part, ok := r.sections[name]; ok {
		return r.list(pointer, part)
	}
	return refused(Fault{Pointer: pointer, Code: codeUnknownField, Detail: "The format has no such part."})
}

// value reads a value of one kind.
func (r *fileReader) value(pointer string, kind jsontext.Kind) (jsontext.Value, error) {
	if got := r.decoder.PeekKind(); got != kind && got > 0 {
		return nil, refused(Fault{Pointer: pointer, Code: codeType, Detail: fmt.Sprintf("It should be a %s.", kindName(kind))})
	}
	raw, err := r.decoder.ReadValue()
	if err != nil {
		return nil, r.broken(pointer, err)
	}
	return raw, nil
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '"':
		return "text"
	case '0':
		return "number"
	case '[':
		return "list"
	}
	return "JSON object"
}

// constant reads a value that can only be one.
func (r *fileReader) constant(pointer string, kind jsontext.Kind, want, code, detail string) error {
	raw, err := r.value(pointer, kind)
	if err != nil {
		return err
	}
	got := string(raw)
	if kind == '"' {
		if err := json.Unmarshal(raw, &got); err != nil {
			return r.broken(pointer, err)
		}
	}
	if got != want {
		return refused(Fault{Pointer: pointer, Code: code, Detail: detail})
	}
	return nil
}

func (r *fileReader) digest(pointer string) error {
	r.source.upTo(r.decoder.InputOffset() - int64(len(digestName)+2)) // the name and its quotes have been read
	sum := hex.EncodeToString(r.source.hash.Sum(nil))
	return r.constant(pointer, '"', sum, codeDigest, "The file is damaged, or was edited: its digest is that of another content.")
}

func (r *fileReader) list(pointer string, part section) error {
	if got := r.decoder.PeekKind(); got != '[' && got > 0 {
		return refused(Fault{Pointer: pointer, Code: codeType, Detail: "It should be a list."})
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.broken(pointer, err)
	}
	for i := 0; r.decoder.PeekKind() != ']'; i++ {
		at := fmt.Sprintf("%s/%d", pointer, i)
		raw, err := r.value(at, '{')
		if err != nil {
			return err
		}
		if row, ok := r.row(at, raw, part.decode); ok {
			part.keep(r.s, row)
		}
		r.source.upTo(r.decoder.InputOffset())
	}
	_, err := r.decoder.ReadToken()
	if err != nil {
		return r.broken(pointer, err)
	}
	return nil
}

// row decodes a row, which has to be in the form that an export gives it: whatever a decoder would quietly drop, fill in or round is a fault.
func (r *fileReader) row(pointer string, raw jsontext.Value, decode func([]byte) (any, error)) (row any, ok bool) {
	row, err := decode(raw)
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &semantic) && errors.Is(err, json.ErrUnknownName):
		return nil, r.fault(pointer+string(semantic.JSONPointer), codeUnknownField, "The format has no such field.")
	case errors.As(err, &semantic):
		return nil, r.fault(pointer+string(semantic.JSONPointer), codeType, "The value has the wrong type or is out of range.")
	case err != nil:
		return nil, r.fault(pointer, codeType, "It cannot be read.")
	}
	own, err := json.Marshal(row, jsonOptions())
	if err != nil {
		return nil, r.fault(pointer, codeForm, "It cannot be written as it was read.")
	}
	if bytes.Contains(own, []byte(`\u0000`)) {
		return nil, r.fault(pointer, codeNUL, "A text cannot hold the NUL character.")
	}
	if bytes.Equal(own, raw) {
		return row, true
	}
	if name, differs := differing(raw, own); differs {
		return nil, r.fault(pointer+name, codeForm, "It is missing, or not in the form that an export has: times in UTC, numbers without padding, everything named.")
	}
	return row, true
}

// differing names the field in which two objects differ, other than in the order of names and in space; "" if it is not one field.
func differing(a, b jsontext.Value) (pointer string, differs bool) {
	a, b = a.Clone(), b.Clone()
	if a.Canonicalize() != nil || b.Canonicalize() != nil || bytes.Equal(a, b) {
		return "", !bytes.Equal(a, b)
	}
	var left, right map[string]jsontext.Value
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return "", true
	}
	var names []string
	for name, value := range right {
		if !bytes.Equal(left[name], value) {
			names = append(names, name)
		}
	}
	if len(names) != 1 {
		return "", true
	}
	return "/" + names[0], true
}

// faultsKept bounds what a file that is wrong everywhere can make this program hold.
const faultsKept = 1000

// fault keeps a fault; it returns false for brevity.
func (r *fileReader) fault(pointer, code, detail string) bool {
	if len(r.faults) < faultsKept {
		r.faults = append(r.faults, Fault{Pointer: pointer, Code: code, Detail: detail})
	}
	return false
}

// broken tells what is wrong with the JSON from what is wrong with the reading of it, which is returned as it is.
func (r *fileReader) broken(pointer string, err error) error {
	var syntactic *jsontext.SyntacticError
	if !errors.As(err, &syntactic) {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return r.brokenOff(pointer)
		}
		return fmt.Errorf("snapshot: read the file: %w", err)
	}
	if syntactic.JSONPointer != "" {
		pointer = string(syntactic.JSONPointer)
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return r.brokenOff(pointer)
	case errors.Is(err, jsontext.ErrDuplicateName):
		return refused(append(r.faults, Fault{Pointer: pointer, Code: codeDuplicateName, Detail: "The same name stands twice."})...)
	case strings.Contains(err.Error(), "invalid UTF-8"), strings.Contains(err.Error(), "surrogate"):
		return refused(append(r.faults, Fault{Pointer: pointer, Code: codeInvalidText, Detail: "The text is not valid Unicode."})...)
	}
	return refused(append(r.faults, Fault{Pointer: pointer, Code: codeSyntax, Detail: fmt.Sprintf("Byte %d is not valid JSON.", syntactic.ByteOffset)})...)
}

func (r *fileReader) brokenOff(pointer string) error {
	return refused(append(r.faults, Fault{Pointer: pointer, Code: codeSyntax, Detail: "The file breaks off here."})...)
}
