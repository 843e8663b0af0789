package figure

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Theme is a set of colours. Those of the two ways are told apart with every common kind of colour blindness, and their marks by shape as well.
type Theme struct{ surface, ink, muted, grid, old, new string }

// Light is for light pages.
func Light() Theme { return Theme{"#ffffff", "#1f2328", "#59636e", "#dfe3e8", "#b54708", "#0063a6"} }

// Dark is for dark pages.
func Dark() Theme { return Theme{"#0d1117", "#f0f6fc", "#9198a1", "#2b323b", "#ffa657", "#58b4f5"} }

func (t Theme) of(w Way) string {
	if w == Old {
		return t.old
	}
	return t.new
}

const (
	title    = "One snapshot per organisation (old) against one transaction per entity (new)"
	subtitle = "The same mixed load on the same machine, closed loop; medians of rounds in which old and new took turns"
	footnote = "× no request was served, so there is no latency"
)

// The layout, in pixels. Labels stand at the right of their panel.
const (
	width, height = 800, 524
	margin        = 16
	panelWidth    = 228
	noValue       = 18 // the strip above the axis for what has no value
	labelGap      = 16 // between the middles of two labels at least
	small         = 12 // the size of most text
	baseline      = 4  // from the middle of such text down to its baseline
)

// Draw returns the figure as SVG: the same bytes for the same cells. It refuses to draw nothing.
func Draw(cells []Cell, t Theme) ([]byte, error) {
	if len(cells) == 0 {
		return nil, errors.New("figure: there is nothing to draw")
	}
	columns := columnsOf(cells)
	shown := slices.Concat(columns[0].cells, columns[1].cells)
	measures := measuresOf(shown)
	unknown := slices.ContainsFunc(shown, func(c Cell) bool { return c.P95MS == 0 })
	d := &drawing{theme: t}
	d.encoder = xml.NewEncoder(&d.text)
	d.encoder.Indent("", " ")
	d.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", fmt.Sprintf("0 0 %d %d", width, height), "width", width, "height", height,
		"role", "img", "aria-labelledby", "title desc", "font-family", "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif")
	d.element("title", title, "id", "title")
	d.element("desc", describe(columns), "id", "desc")
	d.element("rect", "", "width", width, "height", height, "fill", t.surface)
	d.write(margin, 29, title, "font-size", 15, "font-weight", 600, "fill", t.ink)
	d.write(margin, 49, subtitle, "font-size", small, "fill", t.muted)
	for i, column := range columns {
		left := 62 + 402*float64(i)
		d.write(left, 84, column.heading, "font-size", 13, "font-weight", 600, "fill", t.ink)
		d.panel(panel{column, measures[0], left, 126, 286, unknown})
		d.panel(panel{column, measures[1], left, 350, 458, false})
		d.write(left+panelWidth/2, 495, column.axis, "font-size", small, "fill", t.muted, "text-anchor", "middle")
	}
	if unknown {
		d.write(margin, height-8, footnote, "font-size", small, "fill", t.muted)
	}
	d.close("svg")
	if d.err == nil {
		d.err = d.encoder.Close()
	}
	return append(d.text.Bytes(), '\n'), d.err
}

// panel is one of the small multiples.
type panel struct {
	column
	measure
	left, top, bottom float64
	unknown           bool // whether it has a strip for what has no value
}

// x is where a cell stands.
func (p panel) x(v int) float64 {
	values := p.values()
	return p.left + panelWidth*position(float64(v), float64(values[0]), float64(values[len(values)-1]), true)
}

// y is the height of a value.
func (p panel) y(v float64) float64 {
	top := p.top
	if p.unknown {
		top += noValue
	}
	return p.bottom - (p.bottom-top)*position(v, p.ticks[0], p.ticks[len(p.ticks)-1], p.log)
}

func (d *drawing) panel(p panel) {
	d.write(p.left, p.top-16, p.name, "font-size", small, "fill", d.theme.muted)
	for _, v := range p.ticks {
		d.element("line", "", "x1", p.left-4, "x2", p.left+panelWidth+4, "y1", p.y(v), "y2", p.y(v), "stroke", d.theme.grid)
		d.write(p.left-10, p.y(v)+baseline, p.format(v), "font-size", small, "fill", d.theme.muted, "text-anchor", "end")
	}
	if p.unknown {
		d.write(p.left-10, p.top+baseline, "none", "font-size", small, "fill", d.theme.muted, "text-anchor", "end")
	}
	for _, v := range p.values() {
		d.write(p.x(v), p.bottom+20, count(v), "font-size", small, "fill", d.theme.muted, "text-anchor", "middle")
	}
	var labels []label
	for _, w := range []Way{Old, New} { // the new way above, where both are the same
		labels = append(labels, d.curve(p, w)...)
	}
	for _, l := range apart(labels, p.top, p.bottom) {
		d.write(p.left+panelWidth+14, l.y+baseline, l.text, "font-size", small+1, "font-weight", 600, "fill", l.colour)
	}
}

// curve draws one way, and returns the label of where it ends. A line goes only between neighbours that both have a value.
func (d *drawing) curve(p panel, w Way) (end []label) {
	colour := d.theme.of(w)
	type mark struct {
		x, y  float64
		known bool
	}
	var marks []mark
	for _, c := range p.way(w) {
		m, text := mark{x: p.x(p.of(c)), y: p.top}, string(w)+" none"
		if v, known := p.value(c); known {
			m, text = mark{m.x, p.y(v), true}, string(w)+" "+p.format(v)
		}
		if len(marks) > 0 && m.known && marks[len(marks)-1].known {
			from := marks[len(marks)-1]
			d.element("line", "", "x1", from.x, "y1", from.y, "x2", m.x, "y2", m.y, "stroke", colour, "stroke-width", 2)
		}
		marks, end = append(marks, m), []label{{text, colour, m.y}}
	}
	size := 3.5 // half of it; the new way's mark fits into the old way's, so that both are seen where both are the same
	if w == Old {
		size = 5
	}
	for _, m := range marks {
		switch {
		case !m.known:
			left, right, above, below := pixels(m.x-size), pixels(m.x+size), pixels(m.y-size), pixels(m.y+size)
			d.element("path", "", "d", "M"+left+" "+above+"L"+right+" "+below+"M"+left+" "+below+"L"+right+" "+above, "stroke", colour, "stroke-width", 2)
		case w == Old:
			d.element("rect", "", "x", m.x-size, "y", m.y-size, "width", 2*size, "height", 2*size, "fill", d.theme.surface, "stroke", colour, "stroke-width", 2)
		default:
			d.element("circle", "", "cx", m.x, "cy", m.y, "r", size, "fill", colour)
		}
	}
	return end
}

// label names what ends at a height.
type label struct {
	text, colour string
	y            float64
}

// apart moves two labels away from each other until both can be read, and keeps them between top and bottom.
func apart(labels []label, top, bottom float64) []label {
	slices.SortStableFunc(labels, func(a, b label) int { return cmp.Compare(a.y, b.y) })
	if len(labels) < 2 {
		return labels
	}
	if short := labelGap - (labels[1].y - labels[0].y); short > 0 {
		labels[0].y -= short / 2
		labels[1].y += short / 2
		shift := max(0, top-labels[0].y) - max(0, labels[1].y-bottom)
		labels[0].y += shift
		labels[1].y += shift
	}
	return labels
}

// drawing is SVG being written. Its first error stays.
type drawing struct {
	theme   Theme
	text    bytes.Buffer
	encoder *xml.Encoder
	err     error
}

func (d *drawing) token(t xml.Token) {
	if d.err == nil {
		d.err = d.encoder.EncodeToken(t)
	}
}

// open begins an element. Attributes are names and values in turn.
func (d *drawing) open(name string, attributes ...any) {
	start := xml.StartElement{Name: xml.Name{Local: name}}
	for pair := range slices.Chunk(attributes, 2) {
		value := fmt.Sprint(pair[1])
		if number, is := pair[1].(float64); is {
			value = pixels(number)
		}
		start.Attr = append(start.Attr, xml.Attr{Name: xml.Name{Local: fmt.Sprint(pair[0])}, Value: value})
	}
	d.token(start)
}

func (d *drawing) close(name string) { d.token(xml.EndElement{Name: xml.Name{Local: name}}) }

func (d *drawing) element(name, text string, attributes ...any) {
	d.open(name, attributes...)
	if text != "" {
		d.token(xml.CharData(text))
	}
	d.close(name)
}

// write puts text where its baseline begins, or as text-anchor says.
func (d *drawing) write(x, y float64, text string, attributes ...any) {
	d.element("text", text, append([]any{"x", x, "y", y}, attributes...)...)
}

// pixels are kept to a tenth, which nobody sees and no rounding of the last bit changes.
func pixels(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }
