// Package figure draws what the benchmark `snapshot` found: the old way against the new, as small multiples. Rows are p95 latency and share of
// errors, columns are the number of clients and the size of the organisation.
//
// It writes SVG itself. The plotting libraries for Go know neither themes, nor labels beside lines that keep clear of each other, nor text for
// screen readers, and each brings a dozen modules; what is needed of them here is two scales and some lines.
package figure

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Way is how a server changes an organisation.
type Way string

// The ways that are compared.
const (
	Old Way = "old" // one snapshot and one lock per organisation
	New Way = "new" // one transaction per entity
)

// Cell is what was measured of one way at one size and one number of clients.
type Cell struct {
	Way        Way     `json:"way"`
	Rows       int     `json:"rows"` // of the organisation
	Clients    int     `json:"clients"`
	P95MS      float64 `json:"p95_ms"`      // of the requests that were served, in milliseconds; 0 if none was
	ErrorShare float64 `json:"error_share"` // of all requests, 0 to 1
}

// Cells takes the cells out of a benchmark's JSON; none if the benchmark has none. It refuses what cannot be drawn.
func Cells(line []byte) ([]Cell, error) {
	var result struct {
		Cells []Cell `json:"cells"`
	}
	if err := json.Unmarshal(line, &result); err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	for _, c := range result.Cells {
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("figure: %+v: %w", c, err)
		}
	}
	return result.Cells, nil
}

func (c Cell) check() error {
	switch {
	case c.Way != Old && c.Way != New:
		return errors.New("another way than old and new")
	case c.Rows <= 0 || c.Clients <= 0:
		return errors.New("rows and clients are at least 1")
	case c.ErrorShare < 0 || c.ErrorShare > 1:
		return errors.New("a share of errors is from 0 to 1")
	case c.P95MS < 0:
		return errors.New("a latency is not negative")
	}
	return nil
}

// column is the cells of which everything but one thing is the same.
type column struct {
	heading, axis string
	of            func(Cell) int // where on the axis a cell stands
	cells         []Cell         // in that order
}

// columnsOf are one over clients, at the size at which most numbers of clients were measured, and one over sizes, likewise.
func columnsOf(cells []Cell) [2]column {
	rows, clients := func(c Cell) int { return c.Rows }, func(c Cell) int { return c.Clients }
	atRows, atClients := commonest(cells, rows, clients), commonest(cells, clients, rows)
	return [2]column{
		{"Over clients, at " + count(atRows) + " rows", "clients", clients, having(cells, rows, atRows, clients)},
		{"Over size, at " + count(atClients) + " clients", "rows in the organisation", rows, having(cells, clients, atClients, rows)},
	}
}

// commonest is the value of same that occurs with the most different values of other; the smallest of several.
func commonest(cells []Cell, same, other func(Cell) int) (best int) {
	with := map[int]map[int]bool{}
	for _, c := range cells {
		if with[same(c)] == nil {
			with[same(c)] = map[int]bool{}
		}
		with[same(c)][other(c)] = true
	}
	for value, others := range with {
		if n := len(others); best == 0 || n > len(with[best]) || n == len(with[best]) && value < best {
			best = value
		}
	}
	return best
}

func having(cells []Cell, same func(Cell) int, value int, by func(Cell) int) (all []Cell) {
	for _, c := range cells {
		if same(c) == value {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b Cell) int { return cmp.Or(cmp.Compare(by(a), by(b)), cmp.Compare(b.Way, a.Way)) })
	return all
}

func (c column) values() (all []int) {
	for _, cell := range c.cells {
		all = append(all, c.of(cell))
	}
	return slices.Compact(all)
}

func (c column) way(w Way) (all []Cell) {
	for _, cell := range c.cells {
		if cell.Way == w {
			all = append(all, cell)
		}
	}
	return all
}

// measure is a row of the figure.
type measure struct {
	name   string
	value  func(Cell) (v float64, known bool)
	format func(v float64) string
	log    bool
	ticks  []float64 // ascending; the first and the last are the ends of the axis
}

func measuresOf(cells []Cell) [2]measure {
	latency := measure{name: "p95 latency of served requests, log scale", format: duration, log: true,
		value: func(c Cell) (float64, bool) { return c.P95MS, c.P95MS > 0 }}
	share := measure{name: "Share of errors", format: percent, value: func(c Cell) (float64, bool) { return c.ErrorShare, true }}
	low, high, most := math.Inf(1), 0.0, 0.0
	for _, c := range cells {
		if c.P95MS > 0 {
			low, high = min(low, c.P95MS), max(high, c.P95MS)
		}
		most = max(most, c.ErrorShare)
	}
	if high == 0 {
		low, high = 1, 1000
	}
	first, last := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	for exponent := first; exponent <= max(last, first+1); exponent++ {
		latency.ticks = append(latency.ticks, math.Pow(10, exponent))
	}
	top := 1.0
	for _, end := range []float64{0.5, 0.2, 0.1} { // not less, so that a handful of errors does not look like many
		if most <= end {
			top = end
		}
	}
	share.ticks = []float64{0, top / 2, top}
	return [2]measure{latency, share}
}

// position is where a value lies on an axis, from 0 to 1.
func position(v, from, to float64, log bool) float64 {
	if log {
		v, from, to = math.Log10(v), math.Log10(from), math.Log10(to)
	}
	if from == to {
		return 0.5
	}
	return (v - from) / (to - from)
}

// significant is v with two digits or all of its integer part.
func significant(v float64) string {
	if v >= 9.95 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

func duration(ms float64) string {
	switch {
	case ms >= 999.5:
		return significant(ms/1000) + " s"
	case ms < 0.95:
		return significant(ms*1000) + " µs"
	}
	return significant(ms) + " ms"
}

func percent(share float64) string {
	if share > 0 && share < 0.0005 {
		return "<0.1 %"
	}
	if share < 1 && share > 0.995 {
		return ">99 %" // 100 would say that nothing was served
	}
	return significant(100*share) + " %"
}

func count(n int) string {
	switch {
	case n >= 999_500:
		return significant(float64(n)/1_000_000) + "M"
	case n >= 1000:
		return significant(float64(n)/1000) + "k"
	}
	return strconv.Itoa(n)
}

// describe says what is drawn, for those who do not see it.
func describe(columns [2]column) string {
	var sentences []string
	for _, column := range columns {
		var parts []string
		for _, c := range column.cells {
			p95 := "served nothing"
			if c.P95MS > 0 {
				p95 = "p95 " + duration(c.P95MS)
			}
			parts = append(parts, fmt.Sprintf("%s %s, %s way %s, %s errors", count(column.of(c)), column.axis, c.Way, p95, percent(c.ErrorShare)))
		}
		sentences = append(sentences, column.heading+": "+strings.Join(parts, "; ")+".")
	}
	return strings.Join(sentences, " ")
}
