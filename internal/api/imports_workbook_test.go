package api_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/intake"
)

const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// bringsWorkbook has a person bring an Excel workbook.
func (p *person) bringsWorkbook(file []byte, sheet string) answer {
	p.t.Helper()
	path := "/imports?file_name=okr.xlsx"
	if sheet != "" {
		path += "&sheet=" + sheet
	}
	return p.send(http.MethodPost, path, file, header{"Content-Type", workbookType})
}

// workbook writes sheets, each a list of rows; a negative number stands for the percentage without its sign.
func workbook(t *testing.T, sheets map[string][][]any, order ...string) []byte {
	t.Helper()
	f := excelize.NewFile()
	percent, err := f.NewStyle(&excelize.Style{NumFmt: 9})
	require.NoError(t, err)
	for n, name := range order {
		if n == 0 {
			require.NoError(t, f.SetSheetName("Sheet1", name))
		} else if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		stream, err := f.NewStreamWriter(name)
		require.NoError(t, err)
		for r, row := range sheets[name] {
			cells := make([]any, len(row))
			for c, v := range row {
				cells[c] = v
				if share, ok := v.(float64); ok && share < 0 {
					cells[c] = excelize.Cell{Value: -share, StyleID: percent}
				}
			}
			require.NoError(t, stream.SetRow(fmt.Sprint("A", r+1), cells))
		}
		require.NoError(t, stream.Flush())
	}
	var file bytes.Buffer
	require.NoError(t, f.Write(&file))
	return file.Bytes()
}

// A workbook goes the way that any file goes: columns, check, reasons, and the same file a second time makes nothing new.
func TestAWorkbookIsBroughtCheckedAndRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := workbook(t, map[string][][]any{
		"はじめに": {{"この帳票について"}, {"四半期ごとに記入します"}},
		"OKR": {
			{"objective_id", "objective", "owner", "key_result", "baseline", "target", "unit", "value", "checked_at", "state"},
			{"o1", "解約を減らす", b.author.email, "解約率", -0.05, -0.03, "%", nil, nil, "draft"},
			{"o2", "商談を増やす", b.author.email, "商談", 1.1, 1200, "件", nil, nil, "draft"},
			{"o3", "だれの", "nobody@example.com", "x", 0, "たくさん", "", nil, nil, "draft"},
		},
	}, "はじめに", "OKR")
	first := into[api.Import](b.admin.bringsWorkbook(file, "").is(http.StatusCreated))
	assert.Equal(t, api.ImportFormat("xlsx"), first.Format)
	assert.Equal(t, "OKR", *first.Sheet, "which tells of objectives")
	assert.Equal(t, []string{"はじめに", "OKR"}, *first.Sheets)

	other := into[api.Import](b.admin.bringsWorkbook(file, "はじめに").is(http.StatusCreated))
	assert.Equal(t, []string{"はじめに", "1"}, []string{*other.Sheet, fmt.Sprint(other.RowCount)})
	i := into[api.Import](b.admin.bringsWorkbook(file, "OKR").is(http.StatusCreated))
	assert.Equal(t, "OKR", *i.Sheet)
	assert.Equal(t, 3, i.RowCount)
	sample := *get[api.Import](b.admin, importPath(i.ID)).Sample
	assert.Equal(t, []string{"o1", "解約を減らす", b.author.email, "解約率", "5%", "3%", "%", "", "", "draft"}, sample[0])
	i = b.admin.inCycle(i, b.cycle, fields{"decimal_mark": "comma"}) // which is about texts
	checked := b.admin.works(i, "check")
	assert.Equal(t, 2, checked.Rows.Create)
	assert.Equal(t, map[int]map[string]string{3: {"owner": "not-found", "target": "number"}}, b.admin.reasons(checked))
	assert.Equal(t, 4, b.admin.rowsOf(checked, "refused")[0].Line, "the row as Excel counts")

	checked = b.admin.inCycle(checked, b.cycle, fields{"good_rows_only": true})
	done := b.admin.works(checked, "run")
	assert.Equal(t, api.ImportState(intake.Done), done.State)
	assert.Equal(t, "1.100000", value[string](b, "SELECT baseline::text FROM key_results WHERE title = '商談'"))
	assert.Equal(t, "3.000000 %", value[string](b, "SELECT target::text || ' ' || unit FROM key_results WHERE title = '解約率'"))
	again := b.admin.works(b.admin.inCycle(into[api.Import](b.admin.bringsWorkbook(file, "OKR").is(http.StatusCreated)), b.cycle, nil), "check")
	assert.Equal(t, []int{0, 2, 1}, []int{again.Rows.Create, again.Rows.Same, again.Rows.Refused})
}

func TestWorkbooksThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := workbook(t, map[string][][]any{"OKR": {{"objective"}, {"目標"}}, "空": nil, "広い": {{"objective"}, {"目標", "余り"}}, "見出し": {{"objective"}}}, "OKR", "空", "広い", "見出し")
	for sheet, code := range map[string]string{"どこ": "sheet-unknown", "空": "empty", "広い": "too-many-cells", "見出し": "empty"} {
		a := b.admin.bringsWorkbook(file, sheet)
		a.refused(http.StatusUnprocessableEntity, "invalid", "")
		a.code("", code)
	}
	for code, file := range map[string][]byte{
		"workbook-broken": []byte("objective\n目標\n"), "workbook-kind": append([]byte("\xD0\xCF\x11\xE0"), make([]byte, 600)...),
		"workbook-too-large": make([]byte, 20<<20+1),
	} {
		a := b.admin.bringsWorkbook(file, "")
		a.refused(http.StatusUnprocessableEntity, "invalid", "")
		a.code("", code)
	}
	a := b.admin.send(http.MethodPost, "/imports", file, csvType())
	a.refused(http.StatusUnprocessableEntity, "invalid", "")
	a.code("", "workbook")
	assert.Equal(t, 8, value[int](b, "SELECT count(*) FROM imports WHERE state = 'failed' AND failure IS NOT NULL"))
	b.viewer.bringsWorkbook(file, "").refused(http.StatusForbidden, "not-allowed")
}

// What does not fit into memory goes through a file without a name, and the key holds for what was sent.
func TestALargeWorkbook(t *testing.T) {
	t.Parallel()
	b := setup(t)
	noise := rand.New(rand.NewPCG(1, 2)) // to be large when it is packed
	rows := [][]any{{"objective_id", "objective", "objective_description"}}
	for n := range 1500 {
		var text strings.Builder
		for range 400 {
			text.WriteRune(rune(0x4E00 + noise.IntN(20_000)))
		}
		rows = append(rows, []any{fmt.Sprint("o", n), fmt.Sprint("目標 ", n), text.String()})
	}
	file := workbook(t, map[string][][]any{"OKR": rows}, "OKR")
	require.Greater(t, len(file), 1<<20)
	send := func(key string, file []byte) answer {
		return b.admin.send(http.MethodPost, "/imports", file, header{"Content-Type", workbookType}, header{"Idempotency-Key", key})
	}
	first := send("k", file).is(http.StatusCreated)
	assert.Equal(t, 1500, into[api.Import](first).RowCount)
	assert.Equal(t, string(first.body), string(send("k", file).is(http.StatusCreated).body))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM imports"))
	send("k", file[:len(file)-1]).refused(http.StatusUnprocessableEntity, "key-reused", "/header/Idempotency-Key")
}
