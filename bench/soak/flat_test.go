package soak

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

const (
	mb    = 1 << 20
	least = 4 * mb
)

// process is the memory of one that runs for so many minutes, a sample each five seconds: 60 MB, a heap that is filled and emptied, noise, and
// whatever more says, in MB, of each minute.
func process(minutes int, seed uint64, more func(minute float64) float64) []Point {
	random := rand.New(rand.NewPCG(seed, 0))
	var series []Point
	for at := time.Duration(0); at < time.Duration(minutes)*time.Minute; at += 5 * time.Second {
		heap := 5 * math.Mod(at.Seconds()/47, 1)
		series = append(series, Point{At: at, Value: mb * (60 + heap + 1.5*random.NormFloat64() + more(at.Minutes()))})
	}
	return series
}

func TestLeaksAreFoundAndNothingElse(t *testing.T) {
	t.Parallel()
	from := func(minute float64, then func(since float64) float64) func(float64) float64 {
		return func(now float64) float64 {
			if now < minute {
				return 0
			}
			return then(now - minute)
		}
	}
	step := func(since float64) float64 { return 30 }
	for name, c := range map[string]struct {
		minutes int
		more    func(minute float64) float64
		leaks   bool
	}{
		"noise":                           {20, func(float64) float64 { return 0 }, false},
		"noise, for two hours":            {120, func(float64) float64 { return 0 }, false},
		"a step at the beginning":         {20, from(1, step), false},
		"a step behind the warm-up":       {20, from(6, step), false},
		"a step in the middle":            {20, from(11, step), false},
		"a plateau that is reached late":  {20, func(m float64) float64 { return 40 * (1 - math.Exp(-m/2)) }, false},
		"a leak of 1 MB a minute":         {20, func(m float64) float64 { return m }, true},
		"a leak of 0.1 MB, for two hours": {120, func(m float64) float64 { return 0.1 * m }, true},
		"a leak behind a step":            {20, func(m float64) float64 { return from(1, step)(m) + m }, true},
		"a leak that begins late":         {20, from(8, func(since float64) float64 { return 2 * since }), true},
		"memory that is given back":       {20, func(m float64) float64 { return -0.5 * m }, false},
	} {
		for seed := range uint64(20) {
			series := process(c.minutes, seed, c.more)
			if growth, level := Growth(series); Leaks(series, least) != c.leaks {
				t.Errorf("%s, seed %d: %.1f MB of %.1f", name, seed, growth/mb, level/mb)
			}
		}
	}
}

func TestWhatIsTooShortIsNotJudged(t *testing.T) {
	t.Parallel()
	none := func(float64) float64 { return 0 }
	if Judged(nil) || Judged(process(3, 0, none)) || !Judged(process(10, 0, none)) {
		t.Error("ten minutes are judged, and three are not")
	}
	if growth, level := Growth(nil); growth != 0 || level != 0 {
		t.Error("nothing has a size")
	}
	if growth, level := Growth([]Point{{0, 7}}); growth != 0 || level != 7 {
		t.Errorf("one point: %v of %v", growth, level)
	}
}

func TestConnectionsThatLeakAreFound(t *testing.T) {
	t.Parallel()
	var steady, leaking []Point
	for minute := range 20 {
		at := time.Duration(minute) * time.Minute
		steady = append(steady, Point{at, float64(9 + minute%2)})
		leaking = append(leaking, Point{at, float64(3 + minute/3)})
	}
	if Leaks(steady, 2) || !Leaks(leaking, 2) {
		t.Error("a pool that is full is steady; one that loses a connection every three minutes is not")
	}
}
