package budget_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/budget"
)

// clock is a time that the test owns.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

func begin() *clock { return &clock{time.Date(2026, time.November, 30, 9, 0, 0, 0, time.UTC)} }

// drain takes until nothing is left.
func drain(b *budget.Budget) (taken int) {
	for b.Take() {
		taken++
	}
	return taken
}

func TestItBeginsEmptyAndSavesNoMoreThanItsBurst(t *testing.T) {
	t.Parallel()
	c := begin()
	b := budget.NewWithClock(60, 5, c.read)
	if b.Take() || b.Left() != 0 {
		t.Fatal("something to spend at once: a program that starts again and again would spend it again and again")
	}
	c.now = c.now.Add(2 * time.Second)
	if got := drain(b); got != 2 {
		t.Fatalf("%d after two seconds of one a second", got)
	}
	c.now = c.now.Add(time.Hour)
	if left := b.Left(); left != 5 {
		t.Fatalf("%d left after an hour, want the burst", left)
	}
	if got := drain(b); got != 5 {
		t.Fatalf("%d after an hour, want the burst", got)
	}
	if got := b.Stats(); got.Taken != 7 || got.Refused != 3 {
		t.Fatalf("%+v", got)
	}
}

func TestAClockThatIsPutBackGainsNothing(t *testing.T) {
	t.Parallel()
	c := begin()
	b := budget.NewWithClock(60, 10, c.read)
	c.now = c.now.Add(time.Minute)
	drain(b)
	for range 5 {
		c.now = c.now.Add(-time.Minute)
		if got := drain(b); got != 0 {
			t.Fatalf("%d after the clock was put back", got)
		}
		c.now = c.now.Add(time.Minute)
		if got := drain(b); got != 0 {
			t.Fatalf("%d when it came to where it had been", got)
		}
	}
}

func TestOfNoneAMinuteNoneIsHad(t *testing.T) {
	t.Parallel()
	for _, perMinute := range []int{0, -1} {
		c := begin()
		b := budget.NewWithClock(perMinute, 10, c.read)
		c.now = c.now.Add(time.Hour)
		if b.Take() || b.Left() != 0 {
			t.Fatalf("%d a minute, and there was something", perMinute)
		}
	}
}

// Whatever the clock does and whenever one is asked for: in any stretch of real time, no more than the burst and the rate allow.
func TestNeverMoreThanTheRate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		perMinute, burst := rapid.IntRange(1, 100000).Draw(t, "per minute"), rapid.IntRange(1, 50).Draw(t, "burst")
		c := begin()
		b := budget.NewWithClock(perMinute, burst, c.read)
		var real time.Duration
		var takes []time.Duration
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			if step := time.Duration(rapid.Int64Range(-2e9, 4e9).Draw(t, "step")); step > 0 {
				real += step
				c.now = c.now.Add(step)
			} else {
				c.now = c.now.Add(step) // put back, while real time stands still
			}
			for range rapid.IntRange(0, 5).Draw(t, "asked") {
				if b.Take() {
					takes = append(takes, real)
				}
			}
		}
		for from := range takes {
			for to := from; to < len(takes); to++ {
				if allowed := float64(burst) + (takes[to]-takes[from]).Minutes()*float64(perMinute); float64(to-from+1) > allowed+1e-9 {
					t.Fatalf("%d taken within %s, of %d a minute and %d at once", to-from+1, takes[to]-takes[from], perMinute, burst)
				}
			}
		}
	})
}

func TestManyAtOnceTakeNoMoreThanThereIs(t *testing.T) {
	t.Parallel()
	c := begin()
	b := budget.NewWithClock(60, 50, c.read)
	c.now = c.now.Add(time.Hour)
	var taken atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				if b.Take() {
					taken.Add(1)
				}
			}
		})
	}
	all.Wait()
	if taken.Load() != 50 {
		t.Fatalf("%d taken of 50", taken.Load())
	}
}
