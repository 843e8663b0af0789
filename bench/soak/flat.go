package soak

import (
	"slices"
	"time"
)

// Point is one measurement of something that should not grow.
type Point struct {
	At    time.Duration // since the load began
	Value float64
}

const (
	// WarmUp is the share of a series at its beginning that is not judged: caches fill, pools open.
	WarmUp = 0.2
	// LeastJudged is the shortest series that is judged. In a shorter one, warming up and leaking look alike.
	LeastJudged = 10 * time.Minute
	// GrowthAllowed is how much the judged part may grow, as a share of its median.
	GrowthAllowed = 0.10

	slopePoints = 200 // a slope is that of so many medians at most, since it looks at all pairs
)

// Growth is how much a series has grown, and goes on growing, behind its warm-up, and its median there. The rate is the lower of two Theil–Sen
// slopes, of the whole judged part and of its second half, times the length of that part: a leak has both, a step or a plateau that is reached
// late has only the first, and noise has neither. It is 0 where nothing grows or there are too few points to tell.
func Growth(series []Point) (growth, level float64) {
	if len(series) == 0 {
		return 0, 0
	}
	first, last := series[0].At, series[len(series)-1].At
	judged := after(series, first+time.Duration(WarmUp*float64(last-first)))
	values := make([]float64, len(judged))
	for i, p := range judged {
		values[i] = p.Value
	}
	level = middle(values)
	window := last - judged[0].At
	half := after(judged, judged[0].At+window/2)
	rate := min(slope(judged), slope(half))
	return max(0, rate*window.Seconds()), level
}

// Leaks reports whether a series grows by more than GrowthAllowed of its level, and by more than least, which is what comes and goes anyway.
func Leaks(series []Point, least float64) bool {
	growth, level := Growth(series)
	return growth > max(least, GrowthAllowed*level)
}

// Judged reports whether a series is long enough to be judged.
func Judged(series []Point) bool {
	return len(series) > 0 && series[len(series)-1].At-series[0].At >= LeastJudged-time.Minute // the first sample and the last are taken within the run
}

func after(series []Point, from time.Duration) []Point {
	i := slices.IndexFunc(series, func(p Point) bool { return p.At >= from })
	return series[i:] // the last point is never before from
}

// slope is the median of the slopes between all pairs of points, per second: up to a quarter of the points may be anything without moving it far.
func slope(series []Point) float64 {
	points := thinned(series)
	slopes := make([]float64, 0, len(points)*len(points)/2)
	for i, p := range points {
		for _, q := range points[i+1:] {
			if q.At > p.At {
				slopes = append(slopes, (q.Value-p.Value)/(q.At-p.At).Seconds())
			}
		}
	}
	return middle(slopes)
}

func thinned(series []Point) []Point {
	if len(series) <= slopePoints {
		return series
	}
	points := make([]Point, 0, slopePoints)
	for part := range slices.Chunk(series, (len(series)+slopePoints-1)/slopePoints) {
		values := make([]float64, len(part))
		for i, p := range part {
			values[i] = p.Value
		}
		points = append(points, Point{At: part[len(part)/2].At, Value: middle(values)})
	}
	return points
}

// middle is the median; 0 of nothing. It sorts values.
func middle(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
