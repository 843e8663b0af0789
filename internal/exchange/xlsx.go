package exchange

import (
	"archive/zip"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The bounds of a workbook. It is packed, so its own size says little: what comes out of it is counted as it comes, whatever its directory promises.
const (
	MaxWorkbook    = 20 << 20  // bytes of the file
	maxDirectory   = 1 << 20   // bytes of the list of its parts
	maxSheetBytes  = 256 << 20 // unpacked
	maxSharedBytes = 128 << 20 // unpacked, of the texts that cells share
	maxPartBytes   = 8 << 20   // unpacked, of each other part
	maxSharedTexts = 2_000_000
	maxSharedKept  = 32 << 20  // bytes of texts that cells share
	maxCellsKept   = 128 << 20 // bytes of all cells: a small file can name one text a million times
	maxXMLToken    = 512 << 10 // bytes between one mark and the next
	maxXMLDepth    = 64
	maxSheets      = 200
)

// Workbook is an Excel workbook (Office Open XML). Of formulas it gives the values that the program that saved it has stored.
type Workbook struct {
	Sheets []string // the visible ones, in their order

	parts   map[string]*zip.File // by name, in lower case
	paths   []string             // of the sheets' parts
	shared  []string
	formats []cellFormat // by the number that cells name
	since   dateSystem
}

// NewWorkbook reads what a workbook is made of, its cells aside.
func NewWorkbook(file io.ReaderAt, size int64) (*Workbook, error) {
	if size > MaxWorkbook {
		return nil, tooLargeWorkbook()
	}
	if err := checkDirectory(file, size); err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return nil, brokenWorkbook()
	}
	w := &Workbook{parts: make(map[string]*zip.File, len(archive.File))}
	for _, f := range archive.File {
		w.parts[partName(f.Name)] = f
	}
	main, err := w.mainPart()
	if err != nil {
		return nil, err
	}
	others, err := w.readWorkbook(main)
	if err != nil {
		return nil, err
	}
	if err := w.readStyles(others["styles"]); err != nil {
		return nil, err
	}
	return w, w.readShared(others["sharedStrings"])
}

func brokenWorkbook() error {
	return &FileError{Code: "workbook-broken", Detail: "This is not an Excel workbook, or it is damaged. Open it in Excel and save it again."}
}

func tooLargeWorkbook() error {
	return &FileError{Code: "workbook-too-large", Detail: "The workbook holds more than can be read. Save the sheet as “CSV UTF-8” and bring that, or bring it in parts."}
}

// checkDirectory refuses a list of parts that is no list or would take much memory. The library reads entry after entry to the end of the list, however many it says there are, so the list has to be
// short and to lie where the record of its end says, which follows it at once.
func checkDirectory(file io.ReaderAt, size int64) error {
	const record, signature = 22, "PK\x05\x06"
	tail := make([]byte, min(size, record+1<<16))
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return brokenWorkbook()
	}
	if strings.HasPrefix(string(tail), "\xD0\xCF\x11\xE0") && int64(len(tail)) == size || isCompound(file) {
		return &FileError{Code: "workbook-kind", Detail: "This is an Excel workbook of the old kind, or one that is protected by a password. Save it as “.xlsx” without a password."}
	}
	if len(tail) < record {
		return brokenWorkbook()
	}
	at := strings.LastIndex(string(tail[:len(tail)-record+len(signature)]), signature)
	if at < 0 {
		return brokenWorkbook()
	}
	end := tail[at:]
	count, length, offset := binary.LittleEndian.Uint16(end[10:]), binary.LittleEndian.Uint32(end[12:]), binary.LittleEndian.Uint32(end[16:])
	position := size - int64(len(tail)) + int64(at)
	if count == 0xFFFF || length > maxDirectory || int64(offset)+int64(length) != position {
		return brokenWorkbook()
	}
	return nil
}

func isCompound(file io.ReaderAt) bool {
	head := make([]byte, 4)
	n, _ := file.ReadAt(head, 0)
	return string(head[:n]) == "\xD0\xCF\x11\xE0"
}

func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// part opens one of the parts, of which at most limit bytes are read.
func (w *Workbook) part(name string, limit int64) (*marks, error) {
	f := w.parts[partName(name)]
	if f == nil {
		return nil, brokenWorkbook()
	}
	unpacked, err := f.Open()
	if err != nil {
		return nil, brokenWorkbook()
	}
	m := &marks{closer: unpacked, guard: guardedReader{from: unpacked, all: limit}}
	m.decoder = xml.NewDecoder(&m.guard)
	return m, nil
}

// marks are the tags and texts of a part, one after another.
type marks struct {
	closer  io.Closer
	guard   guardedReader
	decoder *xml.Decoder
	depth   int
}

// guardedReader ends what is too long, and what has too much between two marks.
type guardedReader struct {
	from io.Reader
	all  int64 // that may still be read
	left int   // of these before the next mark
}

var errTooLong = errors.New("exchange: too long")

func (g *guardedReader) Read(p []byte) (int, error) {
	if g.all <= 0 || g.left <= 0 {
		return 0, errTooLong
	}
	n, err := g.from.Read(p[:min(len(p), 4096)])
	g.all -= int64(n)
	g.left -= n
	return n, err
}

func (m *marks) close() { _ = m.closer.Close() } // it was only read

// next is the next mark; io.EOF behind the last one.
func (m *marks) next() (xml.Token, error) {
	m.guard.left = maxXMLToken
	token, err := m.decoder.Token()
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	case errors.Is(err, errTooLong):
		return nil, tooLargeWorkbook()
	default:
		return nil, brokenWorkbook()
	}
	switch token.(type) {
	case xml.StartElement:
		if m.depth++; m.depth > maxXMLDepth {
			return nil, brokenWorkbook()
		}
	case xml.EndElement:
		m.depth--
	}
	return token, nil
}

// each calls begin for each element of a part.
func (w *Workbook) each(name string, limit int64, begin func(e xml.StartElement) error) error {
	m, err := w.part(name, limit)
	if err != nil {
		return err
	}
	defer m.close()
	for {
		token, err := m.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.StartElement); ok {
			if err := begin(e); err != nil {
				return err
			}
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// relations are what a part refers to: paths by id, with the last word of their kind.
func (w *Workbook) relations(of string) (map[string][2]string, error) {
	all := map[string][2]string{}
	folder, base := path.Split(of)
	err := w.each(folder+"_rels/"+base+".rels", maxPartBytes, func(e xml.StartElement) error {
		if e.Name.Local != "Relationship" || attribute(e, "TargetMode") == "External" {
			return nil
		}
		target := attribute(e, "Target")
		if !strings.HasPrefix(target, "/") {
			target = path.Join("/", folder, target)
		}
		all[attribute(e, "Id")] = [2]string{path.Base(attribute(e, "Type")), strings.TrimPrefix(path.Clean(target), "/")}
		return nil
	})
	return all, err
}

func (w *Workbook) mainPart() (string, error) {
	all, err := w.relations("")
	if err != nil {
		return "", err
	}
	for _, r := range all {
		switch {
		case r[0] != "officeDocument":
		case strings.HasSuffix(r[1], ".bin"):
			return "", &FileError{Code: "workbook-kind", Detail: "This is a binary workbook (.xlsb). Save it as “.xlsx”."}
		default:
			return r[1], nil
		}
	}
	return "", brokenWorkbook()
}

// readWorkbook finds the sheets that people see, and the other parts, by kind.
func (w *Workbook) readWorkbook(main string) (others map[string]string, err error) {
	relations, err := w.relations(main)
	if err != nil {
		return nil, err
	}
	others = map[string]string{}
	for _, r := range relations {
		others[r[0]] = r[1]
	}
	err = w.each(main, maxPartBytes, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			if v := attribute(e, "date1904"); v == "1" || v == "true" {
				w.since = since1904
			}
		case "sheet":
			r := relations[attribute(e, "id")]
			if r[0] != "worksheet" || attribute(e, "state") != "" && attribute(e, "state") != "visible" {
				return nil
			}
			if len(w.Sheets) == maxSheets {
				return tooLargeWorkbook()
			}
			w.Sheets, w.paths = append(w.Sheets, cut(attribute(e, "name"), 100)), append(w.paths, r[1])
		}
		return nil
	})
	if err == nil && len(w.Sheets) == 0 {
		err = &FileError{Code: "empty", Detail: "The workbook has no sheet with cells."}
	}
	return others, err
}

func cut(s string, runes int) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "")
	if utf8.RuneCountInString(s) > runes {
		return string([]rune(s)[:runes])
	}
	return s
}

// readStyles finds out how cells of each style show their numbers. A workbook without styles shows them as they are.
func (w *Workbook) readStyles(name string) error {
	if name == "" {
		return nil
	}
	custom := map[string]cellFormat{}
	of := ""
	return w.each(name, maxPartBytes, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "cellXfs", "cellStyleXfs", "dxfs":
			of = e.Name.Local
		case "numFmt":
			if of == "" { // those of dxfs stand in a place of their own
				custom[attribute(e, "numFmtId")] = formatOf(attribute(e, "formatCode"))
			}
		case "xf":
			if of == "cellXfs" {
				id := attribute(e, "numFmtId")
				f, ok := custom[id]
				if !ok {
					f = builtIn(id)
				}
				w.formats = append(w.formats, f)
			}
		}
		return nil
	})
}

// readShared keeps the texts that cells share. Readings of characters, which Japanese texts have beside them, are no part of them.
func (w *Workbook) readShared(name string) error {
	if name == "" {
		return nil
	}
	m, err := w.part(name, maxSharedBytes)
	if err != nil {
		return err
	}
	defer m.close()
	var chunk []byte // of texts that are yet to become one string, cut where ends says
	var ends []int
	kept := 0
	settle := func() {
		all, from := string(chunk), 0
		for _, end := range ends {
			w.shared = append(w.shared, all[from:end])
			from = end
		}
		chunk, ends = chunk[:0], ends[:0]
	}
	for {
		token, err := m.next()
		if errors.Is(err, io.EOF) {
			settle()
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.StartElement); !ok || e.Name.Local != "si" {
			continue
		}
		text, err := m.text("si")
		if err != nil {
			return err
		}
		chunk = append(chunk, text...)
		ends = append(ends, len(chunk))
		kept += len(text)
		if kept > maxSharedKept || len(w.shared)+len(ends) > maxSharedTexts {
			return tooLargeWorkbook()
		}
		if len(chunk) > 256<<10 {
			settle()
		}
	}
}

// text is that of the element that has just begun, in all its runs.
func (m *marks) text(until string) (string, error) {
	var text strings.Builder
	within, reading := false, 0
	for {
		token, err := m.next()
		if errors.Is(err, io.EOF) {
			return "", brokenWorkbook()
		}
		if err != nil {
			return "", err
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "t":
				within = true
			case "rPh":
				reading++
			}
		case xml.EndElement:
			switch e.Name.Local {
			case until:
				return unescaped(text.String()), nil
			case "t":
				within = false
			case "rPh":
				reading--
			}
		case xml.CharData:
			if within && reading == 0 {
				if text.Len()+len(e) > MaxRowBytes {
					return "", tooLargeWorkbook()
				}
				text.Write(e)
			}
		}
	}
}

// unescaped puts in the characters that XML cannot hold, which Excel writes as _x000D_; line ends become one kind, and NUL nothing.
func unescaped(s string) string {
	if strings.Contains(s, "_x") {
		var b strings.Builder
		for {
			at := strings.Index(s, "_x")
			if at < 0 {
				break
			}
			b.WriteString(s[:at])
			s = s[at:]
			code := int64(-1)
			if len(s) >= 7 && s[6] == '_' {
				if n, err := strconv.ParseInt(s[2:6], 16, 32); err == nil {
					code = n
				}
			}
			if code < 0 {
				b.WriteString("_x")
				s = s[2:]
				continue
			}
			if r := rune(code); r != 0 && utf8.ValidRune(r) {
				b.WriteRune(r)
			}
			s = s[7:]
		}
		b.WriteString(s)
		s = b.String()
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// Sheet is a Table of one of the sheets: the one of that name. Where none is named it is the first whose headers tell of objectives, or else the first that has rows beneath its headers.
func (w *Workbook) Sheet(name string) (*Sheet, error) {
	at := 0
	if name == "" {
		var err error
		if at, err = w.likely(); err != nil {
			return nil, err
		}
	} else {
		if at = slices.Index(w.Sheets, name); at < 0 {
			return nil, &FileError{Code: "sheet-unknown", Detail: fmt.Sprintf("The workbook has no visible sheet of that name, but these: %s.", short(strings.Join(w.Sheets, ", ")))}
		}
	}
	return w.open(at)
}

func (w *Workbook) open(at int) (*Sheet, error) {
	m, err := w.part(w.paths[at], maxSheetBytes)
	if err != nil {
		return nil, err
	}
	return &Sheet{Name: w.Sheets[at], of: w, marks: m}, nil
}

// likely is the sheet that is meant where none is named. Only the beginnings of so many are looked at.
func (w *Workbook) likely() (int, error) {
	const looked = 20
	best := -1
	for at := range min(len(w.Sheets), looked) {
		headers, rows, err := w.beginning(at)
		if err != nil {
			return 0, err
		}
		if !rows {
			continue
		}
		_, mapping := Guess(headers)
		if slices.Contains(mapping, Objective) || slices.Contains(mapping, Item) {
			return at, nil
		}
		if best < 0 {
			best = at
		}
	}
	return max(best, 0), nil
}

// beginning is a sheet's first row, and whether there are more.
func (w *Workbook) beginning(at int) (headers []string, rows bool, err error) {
	s, err := w.open(at)
	if err != nil {
		return nil, false, err
	}
	defer s.Close()
	headers, _, err = s.Next()
	if err == nil {
		_, _, err = s.Next()
		rows = err == nil
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return headers, rows, err
}
