package exchange_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/kakeai/kakeai/internal/exchange"
)

// workbookOf is a small workbook, with parts replaced, or left out where they are empty.
func workbookOf(t testing.TB, with map[string]string) []byte {
	t.Helper()
	parts := map[string]string{
		"_rels/.rels":                `<Relationships><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook xmlns:r="r"><sheets><sheet name="OKR" sheetId="1" r:id="s1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="s1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="st" Type="x/styles" Target="styles.xml"/><Relationship Id="sh" Type="x/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`,
		"xl/styles.xml":              `<styleSheet><cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>`,
		"xl/sharedStrings.xml":       `<sst><si><t>Objective</t></si></sst>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>`,
	}
	maps.Copy(parts, with)
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if parts[name] == "" {
			continue
		}
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = io.WriteString(w, parts[name])
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return file.Bytes()
}

// cellsOf reads a sheet to its end.
func cellsOf(file []byte, sheet string) (rows [][]string, lines []int, err error) {
	w, err := exchange.NewWorkbook(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, nil, err
	}
	s, err := w.Sheet(sheet)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	for {
		cells, line, err := s.Next()
		if errors.Is(err, io.EOF) {
			return rows, lines, nil
		}
		if err != nil {
			return nil, nil, err
		}
		rows, lines = append(rows, cells), append(lines, line)
	}
}

func sheetOf(rows string) map[string]string {
	return map[string]string{"xl/worksheets/sheet1.xml": "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"}
}

// A workbook that another program wrote says what was typed into it.
func TestAWorkbookThatAnotherProgramWrote(t *testing.T) {
	t.Parallel()
	for _, since1904 := range []bool{false, true} {
		f := excelize.NewFile()
		require.NoError(t, f.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &since1904}))
		_, err := f.NewSheet("目標 2026Q4")
		require.NoError(t, err)
		_, err = f.NewSheet("秘密")
		require.NoError(t, err)
		require.NoError(t, f.SetSheetVisible("秘密", false))
		style := func(code string) int {
			id, err := f.NewStyle(&excelize.Style{CustomNumFmt: &code})
			require.NoError(t, err)
			return id
		}
		percent, err := f.NewStyle(&excelize.Style{NumFmt: 9})
		require.NoError(t, err)
		at := time.Date(2026, 11, 3, 9, 30, 15, 0, time.UTC)
		for name, c := range map[string]struct {
			value any
			style int
		}{
			"A1": {"目標", 0}, "B1": {"値", 0}, "C1": {"日付", 0}, "D1": {"率", 0}, "E1": {"日時", 0}, "F1": {"会計", 0},
			"A3": {"  行1\n行2 & <b> ", 0}, "B3": {1.1, 0}, "C3": {at, style("d/m/yyyy")}, "D3": {0.5, percent}, "E3": {at, style(`[$-411]ggge"年"m"月"d"日" h:mm`)}, "F3": {-1234567.891, style(`#,##0.00;[Red]-#,##0.00`)},
			"A4": {true, 0}, "B4": {123456789012, 0}, "C4": {at.Truncate(24 * time.Hour), style(`yyyy"年"m"月"d"日"`)}, "D4": {0.071, style("0.0%")}, "F4": {0.00001, style("0.00E+00")},
		} {
			require.NoError(t, f.SetCellValue("目標 2026Q4", name, c.value))
			if c.style != 0 {
				require.NoError(t, f.SetCellStyle("目標 2026Q4", name, name, c.style))
			}
		}
		require.NoError(t, f.SetCellRichText("目標 2026Q4", "E4", []excelize.RichTextRun{{Text: "太"}, {Text: "字", Font: &excelize.Font{Bold: true}}}))
		file, err := f.WriteToBuffer()
		require.NoError(t, err)

		w, err := exchange.NewWorkbook(bytes.NewReader(file.Bytes()), int64(file.Len()))
		require.NoError(t, err)
		assert.Equal(t, []string{"Sheet1", "目標 2026Q4"}, w.Sheets)
		rows, lines, err := cellsOf(file.Bytes(), "目標 2026Q4")
		require.NoError(t, err)
		assert.Equal(t, []int{1, 3, 4}, lines)
		assert.Equal(t, [][]string{
			{"目標", "値", "日付", "率", "日時", "会計"},
			{"  行1\n行2 & <b> ", "1.1", "2026-11-03", "50%", "2026-11-03 09:30:15", "-1234567.891"},
			{"TRUE", "123456789012", "2026-11-03", "7.1%", "太字", "0.00001"},
		}, rows, "since 1904: %v", since1904)
		_, _, hidden := cellsOf(file.Bytes(), "秘密")
		assert.Equal(t, "sheet-unknown", fileCode(hidden), "what is hidden is not read")
		again, _, err := cellsOf(file.Bytes(), "")
		require.NoError(t, err)
		assert.Equal(t, rows, again, "the one that has rows is meant")
	}
}

func fileCode(err error) string {
	var file *exchange.FileError
	if errors.As(err, &file) {
		return file.Code
	}
	return fmt.Sprint(err)
}

func TestCellsOfAWorkbook(t *testing.T) {
	t.Parallel()
	styles := `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="m/d/yy"/><numFmt numFmtId="165" formatCode="[h]:mm"/><numFmt numFmtId="166" formatCode="0&quot;日&quot;"/><numFmt numFmtId="167" formatCode="m&quot;月&quot;"/><numFmt numFmtId="168" formatCode="h:mm AM/PM"/><numFmt numFmtId="169" formatCode="#,##0\d;General"/></numFmts>
		<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="168"/><xf numFmtId="169"/><xf numFmtId="14"/><xf numFmtId="57"/><xf numFmtId="10"/></cellXfs></styleSheet>`
	shared := `<sst><si><t>明日</t><rPh sb="0" eb="2"><t>アシタ</t></rPh></si><si><r><t>a</t></r><r><t xml:space="preserve"> b</t></r></si><si><t>x_x000D_
y_x005F_x000A__x0000_</t></si><si/></sst>`
	for xml, want := range map[string]string{
		`<c t="s"><v>0</v></c>`: "明日", `<c t="s"><v>1</v></c>`: "a b", `<c t="s"><v>2</v></c>`: "x\ny_x000A_", `<c t="s"><v>3</v></c><c><v>1</v></c>`: "",
		`<c s="1"><v>46329</v></c>`: "2026-11-03", `<c s="1"><v>46329.39583333333</v></c>`: "2026-11-03", `<c s="2"><v>1.5</v></c>`: "1.5", `<c s="3"><v>46329</v></c>`: "46329", `<c s="4"><v>46329</v></c>`: "2026-11-03",
		`<c s="5"><v>0.39583333333333331</v></c>`: "09:30:00", `<c s="6"><v>5</v></c>`: "5", `<c s="7"><v>59</v></c>`: "1900-02-28", `<c s="7"><v>61</v></c>`: "1900-03-01", `<c s="7"><v>-1</v></c>`: "-1",
		`<c s="7"><v>2958466</v></c>`: "2958466", `<c s="8"><v>46329</v></c>`: "2026-11-03", `<c s="9"><v>0.28999999999999998</v></c>`: "29%", `<c s="99"><v>1</v></c>`: "1", `<c s="-1"><v>1</v></c>`: "1",
		`<c><v>5.0000000000000001E-3</v></c>`: "0.005", `<c><v>1E+5</v></c>`: "100000", `<c><v>1e308</v></c>`: "1e308", `<c><v>1e-300</v></c>`: "1e-300", `<c><v>NaN</v></c>`: "NaN", `<c><v>0x10</v></c>`: "0x10", `<c><v> 7 </v></c>`: "7",
		`<c t="str"><f>A1</f><v>cached</v></c>`: "cached", `<c><f>1+1</f><v>2</v></c>`: "2", `<c t="e"><f>1/0</f><v>#DIV/0!</v></c>`: "#DIV/0!", `<c t="b"><v>0</v></c>`: "FALSE",
		`<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>`: "inline", `<c t="d"><v>2026-11-03T00:00:00</v></c>`: "2026-11-03", `<c t="s"/><c><v>1</v></c>`: "",
	} {
		parts := sheetOf("<row>" + xml + "</row>")
		parts["xl/styles.xml"], parts["xl/sharedStrings.xml"] = styles, shared
		rows, _, err := cellsOf(workbookOf(t, parts), "")
		require.NoError(t, err, xml)
		require.Len(t, rows, 1, xml)
		assert.Equal(t, want, rows[0][0], xml)
	}
	rows, lines, err := cellsOf(workbookOf(t, sheetOf(`<row r="2"><c r="C2"><v>1</v></c><c><v>2</v></c></row><row><c><v> </v></c></row><row r="9" hidden="1"><c r="B9"><v>3</v></c><c r="ZZ9" s="1"/></row>`)), "OKR")
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"", "", "1", "2"}, {"", "3"}}, rows)
	assert.Equal(t, []int{2, 9}, lines)
}

// bomb is a part that unpacks to so many bytes of nothing.
func bomb(begin, filler string, size int, end string) string {
	return begin + strings.Repeat(filler, size/len(filler)) + end
}

func TestHostileWorkbooks(t *testing.T) {
	t.Parallel()
	if raceDetector {
		t.Skip("one goroutine, and tens of thousands of parts")
	}
	whole := workbookOf(t, nil)
	lying := bytes.Clone(workbookOf(t, sheetOf(strings.Repeat(`<row><c><v>1</v></c></row>`, 1000)))) // says that its sheet has ten bytes
	at := bytes.LastIndex(lying, []byte("xl/worksheets/sheet1.xml")) - 46
	binary.LittleEndian.PutUint32(lying[at+24:], 10)
	many := map[string]string{}
	for n := range 30_000 {
		many[fmt.Sprint("x", n)] = "x"
	}
	for name, c := range map[string]struct {
		file []byte
		code string
	}{
		"nothing":                   {nil, "workbook-broken"},
		"no zip":                    {[]byte("Objective,Key result\n"), "workbook-broken"},
		"cut short":                 {whole[:len(whole)-30], "workbook-broken"},
		"an old one":                {append([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), make([]byte, 1000)...), "workbook-kind"},
		"binary":                    {workbookOf(t, map[string]string{"_rels/.rels": `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>`}), "workbook-kind"},
		"another zip":               {workbookOf(t, map[string]string{"_rels/.rels": ""}), "workbook-broken"},
		"no sheets":                 {workbookOf(t, map[string]string{"xl/workbook.xml": "<workbook/>"}), "empty"},
		"a sheet that is not there": {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": ""}), "workbook-broken"},
		"a text that is not there":  {workbookOf(t, sheetOf(`<row><c t="s"><v>7</v></c></row>`)), "workbook-broken"},
		"a text before the first":   {workbookOf(t, sheetOf(`<row><c t="s"><v>-1</v></c></row>`)), "workbook-broken"},
		"an entity":                 {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>`}), "workbook-broken"},
		"no end":                    {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c><v>1`}), "workbook-broken"},
		"nested":                    {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": bomb("", "<a>", 3_000_000, "")}), "workbook-broken"},
		"a name without end":        {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": bomb("<", "a", 60<<20, "/>")}), "workbook-too-large"},
		"an attribute without end":  {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": bomb(`<a b="`, "a", 60<<20, `"/>`)}), "workbook-too-large"},
		"a text without end":        {workbookOf(t, sheetOf(bomb(`<row><c t="str"><v>`, "a", 60<<20, `</v></c></row>`))), "workbook-too-large"},
		"shared texts without end":  {workbookOf(t, map[string]string{"xl/sharedStrings.xml": bomb("<sst>", "<si><t>"+strings.Repeat("a", 1000)+"</t></si>", 60<<20, "</sst>")}), "workbook-too-large"},
		"shared texts of nothing":   {workbookOf(t, map[string]string{"xl/sharedStrings.xml": bomb("<sst>", "<si/>", 12<<20, "</sst>")}), "workbook-too-large"},
		"nothing, without end":      {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": bomb("<worksheet>", "<!-- -->", 300<<20, "</worksheet>")}), "workbook-too-large"},
		"styles without end":        {workbookOf(t, map[string]string{"xl/styles.xml": bomb("<styleSheet><cellXfs>", `<xf numFmtId="0"/>`, 20<<20, "</cellXfs></styleSheet>")}), "workbook-too-large"},
		"many columns":              {workbookOf(t, sheetOf(`<row><c r="GS1"><v>1</v></c></row>`)), "too-many-columns"},
		"no column":                 {workbookOf(t, sheetOf(`<row><c r="ZZZZZZ1"><v>1</v></c></row>`)), "workbook-broken"},
		"a long row":                {workbookOf(t, sheetOf(`<row>`+strings.Repeat(`<c t="str"><v>`+strings.Repeat("a", 100_000)+`</v></c>`, 3)+`</row>`)), "row-too-long"},
		"one text, many times": {workbookOf(t, map[string]string{"xl/sharedStrings.xml": "<sst><si><t>" + strings.Repeat("a", 200_000) + "</t></si></sst>",
			"xl/worksheets/sheet1.xml": "<worksheet><sheetData>" + strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 1000) + "</sheetData></worksheet>"}), "workbook-too-large"},
		"a formula nobody worked out": {workbookOf(t, sheetOf(`<row r="7"><c r="B7"><f>A1</f></c></row>`)), "formula"},
		"a size that is a lie":        {lying, "workbook-broken"},
		"many parts":                  {workbookOf(t, many), "workbook-broken"},
		"another encoding":            {workbookOf(t, map[string]string{"xl/worksheets/sheet1.xml": `<?xml version="1.0" encoding="EBCDIC"?><worksheet/>`}), "workbook-broken"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			_, _, err := cellsOf(c.file, "")
			runtime.ReadMemStats(&after)
			assert.Equal(t, c.code, fileCode(err))
			assert.Less(t, int64(after.HeapSys)-int64(before.HeapSys), int64(200<<20))
			var file *exchange.FileError
			if errors.As(err, &file) && c.code == "formula" {
				assert.Equal(t, 7, file.Line)
			}
		})
	}
	_, err := exchange.NewWorkbook(bytes.NewReader(nil), exchange.MaxWorkbook+1)
	assert.Equal(t, "workbook-too-large", fileCode(err))
}

func FuzzWorkbook(f *testing.F) {
	f.Add(workbookOf(f, nil))
	f.Add(workbookOf(f, sheetOf(`<row r="2"><c r="C2" t="inlineStr"><is><t>a</t></is></c><c t="b"><v>1</v></c><c s="1"><v>46329.5</v></c></row>`)))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, file []byte) {
		rows, lines, err := cellsOf(file, "")
		if err != nil {
			var refused *exchange.FileError
			if !errors.As(err, &refused) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for n, cells := range rows {
			if len(cells) == 0 || len(cells) > exchange.MaxColumns || n > 0 && lines[n] <= lines[n-1] {
				t.Fatalf("row %d: %d cells, line %d", n, len(cells), lines[n])
			}
		}
	})
}

// What is in the parts is reached by what varies there: a workbook around any sheet, texts and styles.
func FuzzSheet(f *testing.F) {
	f.Add(`<row r="1"><c r="A1" t="s"><v>0</v></c><c s="1"><v>1E5</v></c></row>`, "a_x000D_b", "yyyy/mm/dd;@")
	f.Add(`<row><c t="str"><f>A1</f><v>x</v></c></row>`, "", `[h]:mm"`)
	f.Fuzz(func(t *testing.T, rows, text, format string) {
		var code bytes.Buffer
		for _, r := range format {
			fmt.Fprintf(&code, "&#%d;", r)
		}
		parts := sheetOf(rows)
		parts["xl/sharedStrings.xml"] = "<sst><si><t>" + text + "</t></si></sst>"
		parts["xl/styles.xml"] = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="` + code.String() + `"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`
		_, _, err := cellsOf(workbookOf(t, parts), "")
		var refused *exchange.FileError
		if err != nil && !errors.As(err, &refused) {
			t.Fatalf("%T: %v", err, err)
		}
	})
}

// TestManyRowsOfAWorkbook is run where KAKEAI_TEST_LARGE says how many rows. It says how long reading them took, and how much memory that came to hold.
func TestManyRowsOfAWorkbook(t *testing.T) {
	t.Parallel()
	if os.Getenv("KAKEAI_TEST_LARGE") == "" {
		t.Skip("KAKEAI_TEST_LARGE is not set")
	}
	many, err := strconv.Atoi(os.Getenv("KAKEAI_TEST_LARGE"))
	require.NoError(t, err)
	var sheet, shared strings.Builder
	for n := range many {
		fmt.Fprintf(&sheet, `<row r="%d"><c r="A%d" t="s"><v>%d</v></c><c r="B%d" t="s"><v>%d</v></c><c r="C%d"><v>%d.5</v></c><c r="D%d" t="s"><v>0</v></c><c r="E%d" t="str"><v>%s</v></c></row>`, n+1, n+1, 2*n, n+1, 2*n+1, n+1, n, n+1, n+1, strings.Repeat("説明", 20))
		fmt.Fprintf(&shared, "<si><t>o%d</t></si><si><t>目標 %d を達成する</t></si>", n, n)
	}
	parts := sheetOf(sheet.String())
	parts["xl/sharedStrings.xml"] = "<sst>" + shared.String() + "</sst>"
	file := workbookOf(t, parts)
	sheet.Reset()
	shared.Reset()
	clear(parts)
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	w, err := exchange.NewWorkbook(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	s, err := w.Sheet("")
	require.NoError(t, err)
	defer s.Close()
	rows, most := 0, uint64(0)
	for {
		_, _, err := s.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if rows++; rows%10_000 == 0 {
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
		}
	}
	assert.Equal(t, many, rows)
	t.Logf("%d rows of a workbook of %d KiB in %s, with at most %d MiB more on the heap", rows, len(file)>>10, time.Since(began).Round(time.Millisecond), (most-before.HeapAlloc)>>20)
}
