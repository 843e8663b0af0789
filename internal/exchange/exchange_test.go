package exchange_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/exchange"
)

const sample = "目標,担当者\n\"売上を, 伸ばす\n毎月\",a@example.com\n"

func TestEncodingsAreFoundOut(t *testing.T) {
	t.Parallel()
	shiftJIS, err := japanese.ShiftJIS.NewEncoder().String(sample)
	require.NoError(t, err)
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(sample)
	require.NoError(t, err)
	western, err := charmap.Windows1252.NewEncoder().String("Objectif,Équipe\nÀ vélo – 5 €,é\n")
	require.NoError(t, err)
	long := strings.Repeat("a,b\n", 50_000)
	for _, c := range []struct{ name, file, encoding, text string }{
		{"utf-8", sample, exchange.UTF8, sample},
		{"utf-8 with a mark", "\xEF\xBB\xBF" + sample, exchange.UTF8, sample},
		{"shift_jis", shiftJIS, exchange.ShiftJIS, sample},
		{"shift_jis far behind", long + shiftJIS, exchange.ShiftJIS, long + sample},
		{"utf-16", utf16, exchange.UTF16, sample},
		{"western", western, exchange.Windows1252, "Objectif,Équipe\nÀ vélo – 5 €,é\n"},
		{"ascii", "a,b\n", exchange.UTF8, "a,b\n"},
	} {
		text, err := exchange.NewText(strings.NewReader(c.file), "")
		require.NoError(t, err, c.name)
		read, err := io.ReadAll(text)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.text, string(read), c.name)
		assert.Equal(t, c.encoding, text.Encoding(), c.name)
	}
}

func TestUTF8ThatIsCutWhereItIsLookedAt(t *testing.T) {
	t.Parallel()
	for shift := range 4 {
		file := strings.Repeat("a", shift) + strings.Repeat("目標を書く", 30_000)
		text, err := exchange.NewText(strings.NewReader(file), "")
		require.NoError(t, err)
		read, err := io.ReadAll(text)
		require.NoError(t, err)
		assert.Equal(t, file, string(read))
	}
}

func TestFilesOfOtherKinds(t *testing.T) {
	t.Parallel()
	for file, code := range map[string]string{"PK\x03\x04xl/workbook.xml": "workbook", "\xD0\xCF\x11\xE0": "workbook", "": "empty"} {
		_, err := exchange.NewText(strings.NewReader(file), "")
		var refused *exchange.FileError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, code, refused.Code)
	}
	text, err := exchange.NewText(strings.NewReader("a\x00b"), "")
	require.NoError(t, err)
	_, err = io.ReadAll(text)
	require.Error(t, err)
	text, err = exchange.NewText(strings.NewReader("a\xFFb"), exchange.UTF8)
	require.NoError(t, err)
	_, err = io.ReadAll(text)
	require.Error(t, err)
}

func rows(t *testing.T, file string) [][]string {
	t.Helper()
	table, err := exchange.NewCSV(strings.NewReader(file), 0)
	require.NoError(t, err)
	var all [][]string
	for {
		cells, _, err := table.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, cells)
	}
}

func TestRowsOfCSV(t *testing.T) {
	t.Parallel()
	assert.Equal(t, [][]string{{"a", "b"}, {"1,5", "two\nlines"}}, rows(t, "a;b\r\n1,5;\"two\r\nlines\"\r\n;\r\n\r\n"))
	assert.Equal(t, [][]string{{"a", "b"}, {"1", "2"}}, rows(t, "a\tb\n1\t2\n"))
	assert.Equal(t, [][]string{{"a", "b"}, {"1", "2"}}, rows(t, "sep=|\na|b\n1|2\n"))
	assert.Equal(t, [][]string{{"a;b;c", "d"}, {"1", "2"}}, rows(t, "\"a;b;c\",d\n1,2\n"))
	for file, code := range map[string]string{
		"a,b\n\"never closed,1\n":                               "quotation-mark",
		"a,b\n\"" + strings.Repeat("x", 2*exchange.MaxRowBytes): "row-too-long",
		"a,b\nfive\" pipe,1\n":                                  "quotation-mark",
		strings.Repeat(",", exchange.MaxColumns) + "a\n":        "too-many-columns",
	} {
		table, err := exchange.NewCSV(strings.NewReader(file), 0)
		require.NoError(t, err)
		for err == nil {
			_, _, err = table.Next()
		}
		var refused *exchange.FileError
		require.ErrorAs(t, err, &refused, "%.20q", file)
		assert.Equal(t, code, refused.Code)
	}
}

func TestRowsOfJSON(t *testing.T) {
	t.Parallel()
	for _, file := range []string{`[{"a": "1", "b": 2}, {"c": true, "a": null}]`, `{"version": 1, "rows": [{"a": "1", "b": 2}, {"c": true, "a": null}]}`} {
		table := exchange.NewObjects(strings.NewReader(file))
		first, _, err := table.Next()
		require.NoError(t, err)
		second, _, err := table.Next()
		require.NoError(t, err)
		_, _, err = table.Next()
		require.ErrorIs(t, err, io.EOF)
		assert.Equal(t, []string{"1", "2"}, first)
		assert.Equal(t, []string{"", "", "true"}, second)
		assert.Equal(t, []string{"a", "b", "c"}, table.Headers)
	}
	for _, file := range []string{`[1]`, `[{"a": []}]`, `{"a": 1}`, `[{"a": 1`, `[{"a": 1, "a": 2}]`, `"x"`, `[{"a": "` + strings.Repeat("x", 2*exchange.MaxRowBytes) + `"}]`} {
		table := exchange.NewObjects(strings.NewReader(file))
		var err error
		for err == nil {
			_, _, err = table.Next()
		}
		var refused *exchange.FileError
		require.ErrorAs(t, err, &refused, "%.30q", file)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cell, mark, value, unit string }{
		{"12", "auto", "12", ""}, {"１２．５", "auto", "12.5", ""}, {"1,234", "auto", "1234", ""}, {"1,234,567.5", "auto", "1234567.5", ""}, {"1.234.567,5", "auto", "1234567.5", ""},
		{"1,5", "auto", "1.5", ""}, {"1.5", "auto", "1.5", ""}, {"1.234", "auto", "1.234", ""}, {"1.234", "comma", "1234", ""}, {"1,234", "comma", "1.234", ""},
		{"12 345,6", "auto", "12345.6", ""}, {"1'234.5", "auto", "1234.5", ""}, {"50%", "auto", "50", "%"}, {"５０％", "auto", "50", "%"}, {"12.5 %", "auto", "12.5", "%"},
		{"¥1,200", "auto", "1200", "円"}, {"￥1,200", "auto", "1200", "円"}, {"1,200円", "auto", "1200", "円"}, {"$5", "auto", "5", "$"}, {"€ 1.200,50", "auto", "1200.5", "€"}, {"5 USD", "auto", "5", "USD"},
		{"120万円", "auto", "1200000", "円"}, {"3億", "auto", "300000000", ""}, {"-5", "auto", "-5", ""}, {"−5", "auto", "-5", ""}, {"▲5", "auto", "-5", ""}, {"△1,000", "auto", "-1000", ""}, {"(5)", "auto", "-5", ""}, {"$-5", "auto", "-5", "$"}, {"-$5", "auto", "-5", "$"},
		{"+5", "auto", "5", ""}, {".5", "auto", "0.5", ""}, {"100 人", "auto", "100", "人"},
	} {
		n, ok := exchange.ParseNumber(c.cell, c.mark)
		if assert.True(t, ok, c.cell) {
			assert.Equal(t, c.value, n.Value.String(), c.cell)
			assert.Equal(t, c.unit, n.Unit, c.cell)
		}
	}
	for _, cell := range []string{"", "many", "1 of 2", "1e9999", "1-2", "2026/10/01", "10:30", "5 5 5 5 apples and pears", "--5x", strings.Repeat("9", 100), "1,2.3,4", "(5"} {
		_, ok := exchange.ParseNumber(cell, exchange.MarkAuto)
		assert.False(t, ok, cell)
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	require.NoError(t, err)
	for _, cell := range []string{"2026-11-03", "2026/11/3", "2026.11.03", "２０２６年１１月３日", "2026年11月3日(火)", "令和8年11月3日", "R8.11.3", "3.11.2026", "3 November 2026", "Nov 3, 2026", "3-Nov-2026", "20261103", "Tue, 3 Nov 2026"} {
		at, ok, _ := exchange.ParseTime(cell, exchange.OrderAuto, tokyo)
		assert.True(t, ok, cell)
		assert.Equal(t, "2026-11-03T00:00:00+09:00", at.Format(time.RFC3339), cell)
	}
	for cell, order := range map[string]string{"03/11/2026": exchange.OrderDMY, "11/03/2026": exchange.OrderMDY} {
		at, ok, _ := exchange.ParseTime(cell, order, tokyo)
		assert.True(t, ok, cell)
		assert.Equal(t, "2026-11-03", at.Format(time.DateOnly), cell)
	}
	_, ok, ambiguous := exchange.ParseTime("03/11/2026", exchange.OrderAuto, tokyo)
	assert.False(t, ok)
	assert.True(t, ambiguous)
	at, ok, _ := exchange.ParseTime("25/11/2026 14:05", exchange.OrderAuto, tokyo)
	assert.True(t, ok)
	assert.Equal(t, "2026-11-25T14:05:00+09:00", at.Format(time.RFC3339))
	at, ok, _ = exchange.ParseTime("2026-11-03T08:00:00.123456Z", exchange.OrderAuto, tokyo)
	assert.True(t, ok)
	assert.Equal(t, 123456000, at.Nanosecond())
	for _, cell := range []string{"", "2026-02-30", "2026-13-01", "1/2/26", "tomorrow", "45234", "2026-11-03 25:00", "0001-01-01", "99/99/2026"} {
		_, ok, _ := exchange.ParseTime(cell, exchange.OrderAuto, tokyo)
		assert.False(t, ok, cell)
	}
}

func TestLayoutsAreToldApart(t *testing.T) {
	t.Parallel()
	for _, l := range exchange.Layouts() {
		headers := append([]string{"Something else"}, l.Needed...)
		found, mapping := exchange.Guess(headers)
		assert.Equal(t, l.Name, found.Name)
		assert.Len(t, mapping, len(headers))
		assert.True(t, strings.HasPrefix(l.Source, "https://"), l.Name)
		for header, field := range l.Columns {
			assert.True(t, field.Valid(), header)
		}
	}
	own := make([]string, 0)
	for _, f := range exchange.Exported() {
		own = append(own, string(f))
	}
	found, mapping := exchange.Guess(own)
	assert.Equal(t, exchange.Own, found.Name)
	assert.Equal(t, exchange.Exported(), mapping)
	found, mapping = exchange.Guess([]string{"Goal title", "Owner e-mail", "目標", "x"})
	assert.Equal(t, exchange.Other, found.Name)
	assert.Equal(t, []exchange.Field{exchange.Objective, exchange.Owner, "", ""}, mapping)
}

// read reads a file's rows by the mapping that is guessed.
func read(t *testing.T, file string) []exchange.Reading {
	t.Helper()
	all := rows(t, file)
	_, mapping := exchange.Guess(all[0])
	r := exchange.NewReader(mapping, exchange.Options{Mark: exchange.MarkAuto, Order: exchange.OrderAuto, Zone: time.UTC})
	var readings []exchange.Reading
	for _, cells := range all[1:] {
		readings = append(readings, r.Row(cells))
	}
	return readings
}

func TestFilesOfOtherPrograms(t *testing.T) {
	t.Parallel()
	peoplebox := read(t, "Row ID,Parent Row IDs,Parent Goal IDs,Goal ID,Action,Goal Title,Owner Emails,Goal Cycle,Goal Type,Scope,Departments,Start Date,End Date,Description,Starting Value,Target Value,Current Value\n"+
		"7,3,,,,Grow,\"a@example.com,b@example.com\",Q4 2026,Euro,Company,Sales,2026-10-01,2026-12-31,More,0,500,200\n")
	require.Empty(t, peoplebox[0].Problems)
	assert.Equal(t, "id:7", peoplebox[0].ObjectiveKey)
	assert.Equal(t, "a@example.com", *peoplebox[0].Objective.Owner)
	assert.Equal(t, "3", *peoplebox[0].Objective.Parent)
	assert.Equal(t, "Grow", peoplebox[0].KeyResult.Title)
	assert.Equal(t, "€", peoplebox[0].KeyResult.Unit)
	assert.Equal(t, "200", peoplebox[0].CheckIn.Value.String())

	betterworks := read(t, "name,type,progress,start_date,end_date,owner_email,categories,description\nGrow,goal,50,2026-10-01,2026-12-31,a@example.com,,Why\nSell,milestone,40,2026-10-01,2026-12-31,b@example.com,,\n")
	require.Empty(t, betterworks[0].Problems)
	require.Empty(t, betterworks[1].Problems)
	assert.Nil(t, betterworks[0].KeyResult)
	assert.Nil(t, betterworks[1].Objective)
	assert.Equal(t, betterworks[0].ObjectiveKey, betterworks[1].ObjectiveKey)
	assert.Equal(t, "100", betterworks[1].KeyResult.Target.String())
	assert.Equal(t, "40", betterworks[1].CheckIn.Value.String())
	assert.Equal(t, "b@example.com", *betterworks[1].KeyResult.Owner)

	peoplecues := read(t, "Objective Title,Owner_Email_ID,Start_Date,Due_Date,Description,Metric_Name,Metric_Type,Metric_Start_Value,Metric_Target_Value\nGrow,a@example.com,2026-10-01,2026-12-31,,Orders,Number,100,200\n")
	require.Empty(t, peoplecues[0].Problems)
	assert.Equal(t, "Orders", peoplecues[0].KeyResult.Title)
	assert.Equal(t, "100", peoplecues[0].KeyResult.Baseline.String())

	viva := read(t, "OKR Reference,Parent OKR,Title,Owner,Time Period\n1,,Grow,a@example.com,Q4\n2,1,Sell,b@example.com,Q4\n")
	require.Empty(t, viva[1].Problems)
	assert.Equal(t, "id:2", viva[1].ObjectiveKey)
	assert.Equal(t, "1", *viva[1].Objective.Parent)
}

func TestRowsBelowEachOther(t *testing.T) {
	t.Parallel()
	all := read(t, "Objective,Key result,Target,Value\nShip it,Users,10,\n,Errors,5,\n,,,3\n,,,\nTell it,,,\n,,,7\n")
	require.Len(t, all, 5)
	assert.Equal(t, all[0].ObjectiveKey, all[1].ObjectiveKey)
	assert.Equal(t, all[1].KeyResultKey, all[2].KeyResultKey)
	assert.NotNil(t, all[2].CheckIn)
	assert.NotEmpty(t, all[4].Problems, "a check-in below an objective without key results")
	orphan := read(t, "Objective,Key result,Target\n,Users,10\n")
	assert.Equal(t, exchange.Objective, orphan[0].Problems[0].Field)
}

func TestReasonsNameTheirColumns(t *testing.T) {
	t.Parallel()
	one := read(t, "Objective,Owner,Key result,Target,Value,Check-in date,Confidence,Visibility\nShip it,me,Users,many,some,03/04/2026,11,secret\n")[0]
	codes := map[exchange.Field]string{}
	for _, p := range one.Problems {
		codes[p.Field] = p.Code
	}
	assert.Equal(t, map[exchange.Field]string{exchange.Owner: "email", exchange.Target: "number", exchange.Value: "number", exchange.CheckedAt: "date-ambiguous",
		exchange.Confidence: "confidence-out-of-range", exchange.Visibility: "choice"}, codes)
	assert.Nil(t, one.Objective)
}

func TestFormulasAreNeutral(t *testing.T) {
	t.Parallel()
	for _, cell := range []string{"=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "\rx", "＝1", "'=1", "''+x", "-a"} {
		assert.True(t, strings.HasPrefix(exchange.Neutral(cell), "'"), cell)
	}
	for _, cell := range []string{"", "-5", "+5.25", "a=b", "'tis", "売上"} {
		assert.Equal(t, cell, exchange.Neutral(cell))
	}
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.OneOf(rapid.String(), rapid.StringMatching(`'{0,3}[=+@\-\t\r\n＝]{0,2}[0-9.a]{0,3}`)).Draw(t, "cell")
		neutral := exchange.Neutral(cell)
		assert.Equal(t, cell, exchange.Plain(neutral))
	})
}

func TestStepsGoThere(t *testing.T) {
	t.Parallel()
	one := read(t, "Objective,Key result,Steps,Done_steps\nShip it,Launch,\"Plan\nBuild\nSell\",1 3\n")[0]
	require.Empty(t, one.Problems)
	require.Len(t, one.KeyResult.Steps, 3)
	assert.Equal(t, []int{1, 3}, one.CheckIn.Done)
	for _, steps := range [][]exchange.StepIntent{one.KeyResult.Steps, {{Title: "[a]", Weight: one.KeyResult.Steps[0].Weight}}, {{Title: "two\nlines", Weight: one.KeyResult.Steps[0].Weight.Add(one.KeyResult.Steps[0].Weight)}}} {
		cell, err := exchange.StepsCell(steps)
		require.NoError(t, err)
		again := read(t, "Objective,Key result,Steps\nShip it,Launch,\""+strings.ReplaceAll(cell, `"`, `""`)+"\"\n")[0]
		require.Empty(t, again.Problems, cell)
		require.Len(t, again.KeyResult.Steps, len(steps))
		for n := range steps {
			assert.Equal(t, steps[n].Title, again.KeyResult.Steps[n].Title)
			assert.True(t, steps[n].Weight.Equal(again.KeyResult.Steps[n].Weight))
		}
	}
}

func FuzzFile(f *testing.F) {
	for _, seed := range []string{sample, "a;b\n1;2\n", "\xEF\xBB\xBFx", "\x82\xA0,\x82\xA2\n", "\"", "sep=;\na;b", "PK\x03\x04", "objective_id,objective\n1,=x\n", "\xFF\xFEa\x00"} {
		f.Add([]byte(seed), false)
	}
	f.Add([]byte(`[{"objective": "x", "target": 1}]`), true)
	f.Fuzz(func(t *testing.T, file []byte, isJSON bool) {
		text, err := exchange.NewText(strings.NewReader(string(file)), "")
		if err != nil {
			return
		}
		var table exchange.Table
		if isJSON {
			table = exchange.NewObjects(text)
		} else if table, err = exchange.NewCSV(text, 0); err != nil {
			return
		}
		headers, _, err := table.Next()
		if err != nil {
			return
		}
		_, mapping := exchange.Guess(headers)
		r := exchange.NewReader(mapping, exchange.Options{Mark: exchange.MarkAuto, Order: exchange.OrderAuto, Zone: time.UTC})
		for {
			cells, _, err := table.Next()
			if err != nil {
				return
			}
			for _, c := range cells {
				if !utf8.ValidString(c) || strings.ContainsRune(c, 0) {
					t.Fatalf("%q is no text that can be kept", c)
				}
			}
			if reading := r.Row(cells); len(reading.ObjectiveKey) > 1700 || len([]rune(reading.CheckInKey)) > 420 {
				t.Fatalf("a key is too long: %q", reading.CheckInKey)
			}
		}
	})
}

func FuzzCells(f *testing.F) {
	for _, seed := range []string{"1,234", "▲5", "120万円", "2026年11月3日", "3.11.2026", "(5)", "R8.1.1"} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, cell string) {
		for _, mark := range []string{exchange.MarkAuto, exchange.MarkPoint, exchange.MarkComma} {
			exchange.ParseNumber(cell, mark)
		}
		for _, order := range []string{exchange.OrderAuto, exchange.OrderDMY, exchange.OrderMDY} {
			exchange.ParseTime(cell, order, time.UTC)
		}
	})
}
