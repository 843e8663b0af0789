package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// grid is a comparison at all sizes and clients that the benchmark takes.
func grid(ofOld, ofNew func(rows, clients int) (p95, share float64)) (all []Cell) {
	for _, rows := range []int{1000, 10_000, 100_000} {
		for _, clients := range []int{10, 25, 50, 100, 200} {
			if rows != 10_000 && clients < 100 {
				continue
			}
			p95, share := ofOld(rows, clients)
			all = append(all, Cell{Old, rows, clients, p95, share})
			p95, share = ofNew(rows, clients)
			all = append(all, Cell{New, rows, clients, p95, share})
		}
	}
	return all
}

func constant(p95, share float64) func(int, int) (float64, float64) {
	return func(int, int) (float64, float64) { return p95, share }
}

// collapsing grows with size and clients, and then serves nothing.
func collapsing(rows, clients int) (p95, share float64) {
	load := float64(rows) * float64(clients)
	if load >= 5e6 {
		return 0, 1
	}
	return load / 250, math.Min(0.99, load/3e6)
}

func steady(_, clients int) (p95, share float64) { return 1.2 * float64(clients), 0 }

func examples() map[string][]Cell {
	return map[string][]Cell{
		"typical":         grid(collapsing, steady),
		"the same":        grid(constant(100.4, 0), constant(100.4, 0)),
		"nothing served":  grid(constant(0, 1), constant(0, 1)),
		"all but nothing": grid(constant(9999, 0.9999), constant(0.25, 0.0001)),
		"one cell":        {{New, 10_000, 100, 120, 0}},
		"one dead cell":   {{Old, 10_000, 100, 0, 1}},
		"one way":         grid(collapsing, steady)[:1],
		"crossing":        grid(func(rows, _ int) (float64, float64) { return float64(rows) / 100, 0.05 }, constant(100, 0.05)),
		"odd sizes":       {{Old, 987, 100, 3, 0}, {New, 987, 100, 2, 0}, {Old, 1_234_567, 100, 88_000, 0.5}, {New, 1_234_567, 100, 2, 0}},
	}
}

func TestSameCellsGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	for name, cells := range examples() {
		first, err := Draw(cells, Light())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		shuffled := slices.Clone(cells)
		slices.Reverse(shuffled)
		again, err := Draw(shuffled, Light())
		if err != nil || !bytes.Equal(first, again) {
			t.Errorf("%s: another order gives another figure (%v)", name, err)
		}
	}
}

// A change of the drawing shows in the diff of a picture that can be looked at. Its figures are made up.
func TestDrawingIsAsItWas(t *testing.T) {
	t.Parallel()
	const path = "testdata/made-up.svg"
	got, err := Draw(examples()["typical"], Light())
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_FIGURE") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is another one; UPDATE_FIGURE=1 writes what is drawn now (%v)", path, err)
	}
}

func TestThemesDifferInColoursAlone(t *testing.T) {
	t.Parallel()
	light, err := Draw(examples()["typical"], Light())
	if err != nil {
		t.Fatal(err)
	}
	dark, err := Draw(examples()["typical"], Dark())
	if err != nil {
		t.Fatal(err)
	}
	l, d := Light(), Dark()
	recoloured := strings.NewReplacer(l.surface, d.surface, l.ink, d.ink, l.muted, d.muted, l.grid, d.grid, l.old, d.old, l.new, d.new).Replace(string(light))
	if recoloured != string(dark) {
		t.Error("the dark figure is not the light one in other colours")
	}
}

// Text has to be read on its ground: WCAG asks for 4.5.
func TestTextHasContrast(t *testing.T) {
	t.Parallel()
	for name, theme := range map[string]Theme{"light": Light(), "dark": Dark()} {
		for _, colour := range []string{theme.ink, theme.muted, theme.old, theme.new} {
			a, b := luminance(t, colour), luminance(t, theme.surface)
			if contrast := (max(a, b) + 0.05) / (min(a, b) + 0.05); contrast < 4.5 {
				t.Errorf("%s: %s on %s has a contrast of %.1f", name, colour, theme.surface, contrast)
			}
		}
	}
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var r, g, b uint8
	if _, err := fmt.Sscanf(colour, "#%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatal(colour, err)
	}
	linear := func(c uint8) float64 {
		v := float64(c) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// box is where text stands, in a font that is wider than most.
type box struct {
	text                     string
	left, right, top, bottom float64
}

type drawn struct {
	boxes                   []box
	marks, crosses, lines   int
	title, desc, role, size string
}

func parse(t *testing.T, svg []byte) (d drawn) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return d
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
		start, is := token.(xml.StartElement)
		if !is {
			continue
		}
		attributes := map[string]string{}
		for _, a := range start.Attr {
			attributes[a.Name.Local] = a.Value
		}
		number := func(name string) float64 {
			v, err := strconv.ParseFloat(attributes[name], 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s of %s is %q", name, start.Name.Local, attributes[name])
			}
			return v
		}
		switch start.Name.Local {
		case "svg":
			d.role, d.size = attributes["role"], attributes["viewBox"]
		case "circle":
			number("cx")
			number("cy")
			d.marks++
		case "line":
			for _, name := range []string{"x1", "x2", "y1", "y2"} {
				number(name)
			}
			d.lines++
		case "path":
			d.crosses++
		case "rect":
			if attributes["x"] != "" { // else it is the ground
				number("x")
				number("y")
				d.marks++
			}
		case "title", "desc", "text":
			var text string
			if err := decoder.DecodeElement(&text, &start); err != nil {
				t.Fatal(err)
			}
			switch start.Name.Local {
			case "title":
				d.title = text
			case "desc":
				d.desc = text
			default:
				size, wide := number("font-size"), 0.62
				if attributes["font-weight"] != "" {
					wide = 0.68
				}
				width := wide * size * float64(len([]rune(text)))
				left := number("x")
				switch attributes["text-anchor"] {
				case "end":
					left -= width
				case "middle":
					left -= width / 2
				}
				d.boxes = append(d.boxes, box{text, left, left + width, number("y") - 0.8*size, number("y") + 0.2*size})
			}
		}
	}
}

func TestTextStaysInsideAndApart(t *testing.T) {
	t.Parallel()
	for name, cells := range examples() {
		svg, err := Draw(cells, Dark())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		boxes := parse(t, svg).boxes
		for i, a := range boxes {
			if a.left < 0 || a.right > width || a.top < 0 || a.bottom > height {
				t.Errorf("%s: %+v is not inside", name, a)
			}
			for _, b := range boxes[:i] {
				if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
					t.Errorf("%s: %+v and %+v overlap", name, a, b)
				}
			}
		}
	}
}

func texts(d drawn) (all []string) {
	for _, b := range d.boxes {
		all = append(all, b.text)
	}
	return all
}

func TestWhatServedNothingHasACross(t *testing.T) {
	t.Parallel()
	cells := grid(collapsing, steady)
	svg, err := Draw(cells, Light())
	if err != nil {
		t.Fatal(err)
	}
	d := parse(t, svg)
	// The old way serves nothing at 100k rows, which is in the column over sizes alone. Two columns, two measures: 8 places of two ways each.
	if d.crosses != 1 || d.marks != 2*2*8-1 {
		t.Errorf("%d crosses and %d marks", d.crosses, d.marks)
	}
	// Of the lines, 2×(4+3) are the ticks'; each way has one fewer than places, and none leads to the cross.
	if d.lines != 2*(4+3)+2*2*(4+2)-1 {
		t.Errorf("%d lines", d.lines)
	}
	for _, want := range []string{"old none", "old 100 %", "new 240 ms", "new 0 %", footnote, "none"} {
		if !slices.Contains(texts(d), want) {
			t.Errorf("%q is not there: %q", want, texts(d))
		}
	}
	if !strings.Contains(d.desc, "100k rows in the organisation, old way served nothing, 100 % errors; 100k rows in the organisation, new way p95 120 ms, 0 % errors") {
		t.Errorf("the description does not say it: %s", d.desc)
	}
	if d.title == "" || d.role != "img" || d.size != "0 0 800 524" {
		t.Errorf("%+v", d)
	}
}

func TestWithoutCrossesThereIsNoRoomForThem(t *testing.T) {
	t.Parallel()
	// What served nothing at 200 clients and 100k rows is in neither column.
	svg, err := Draw(append(grid(constant(10, 0), constant(20, 0)), Cell{Old, 100_000, 200, 0, 1}), Light())
	if err != nil {
		t.Fatal(err)
	}
	if d := parse(t, svg); d.crosses != 0 || slices.Contains(texts(d), footnote) || slices.Contains(texts(d), "none") {
		t.Errorf("%+v", d)
	}
}

func TestNothingIsNotDrawn(t *testing.T) {
	t.Parallel()
	if svg, err := Draw(nil, Light()); err == nil {
		t.Errorf("%s", svg)
	}
}

func TestCellsAreThoseOfTheBenchmark(t *testing.T) {
	t.Parallel()
	cells, err := Cells([]byte(`{"benchmark":"snapshot","cells":[{"way":"old","rows":1000,"clients":10,"requests_per_s":4,"p50_ms":1,"p95_ms":2,"p99_ms":3,
		"error_share":0.5,"errors":{"read":1,"edit":0,"session":0,"sign_in":0,"readiness":0}}]}`))
	if err != nil || len(cells) != 1 || cells[0] != (Cell{Old, 1000, 10, 2, 0.5}) {
		t.Errorf("%+v, %v", cells, err)
	}
	for _, other := range []string{`{"benchmark":"writes"}`, `{"cells":[]}`} {
		if cells, err := Cells([]byte(other)); err != nil || len(cells) != 0 {
			t.Errorf("%s: %+v, %v", other, cells, err)
		}
	}
	for _, bad := range []string{`{`, `{"cells":[{"way":"middle","rows":1,"clients":1,"p95_ms":1}]}`, `{"cells":[{"way":"old","rows":0,"clients":1,"p95_ms":1}]}`,
		`{"cells":[{"way":"old","rows":1,"clients":1,"p95_ms":1,"error_share":1.1}]}`, `{"cells":[{"way":"old","rows":1,"clients":1,"p95_ms":-1}]}`} {
		if cells, err := Cells([]byte(bad)); err == nil {
			t.Errorf("%s: %+v", bad, cells)
		}
	}
}

func TestFiguresAreShortAndTrue(t *testing.T) {
	t.Parallel()
	for ms, want := range map[float64]string{0.25: "250 µs", 0.96: "1 ms", 1.24: "1.2 ms", 9.96: "10 ms", 243.4: "243 ms", 999.6: "1 s", 1000: "1 s", 7340: "7.3 s", 12_345: "12 s"} {
		if got := duration(ms); got != want {
			t.Errorf("%v ms: %q, want %q", ms, got, want)
		}
	}
	for share, want := range map[float64]string{0: "0 %", 0.0001: "<0.1 %", 0.004: "0.4 %", 0.061: "6.1 %", 0.5: "50 %", 0.9999: ">99 %", 1: "100 %"} {
		if got := percent(share); got != want {
			t.Errorf("%v: %q, want %q", share, got, want)
		}
	}
	for n, want := range map[int]string{7: "7", 999: "999", 1000: "1k", 9874: "9.9k", 100_000: "100k", 1_234_567: "1.2M"} {
		if got := count(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// The ends of an axis hold everything that is drawn on it.
func TestAxesHoldTheirValues(t *testing.T) {
	t.Parallel()
	for name, cells := range examples() {
		for _, m := range measuresOf(cells) {
			for _, c := range cells {
				if v, known := m.value(c); known && (v < m.ticks[0] || v > m.ticks[len(m.ticks)-1]) {
					t.Errorf("%s: %v is not between %v", name, v, m.ticks)
				}
			}
		}
	}
}
