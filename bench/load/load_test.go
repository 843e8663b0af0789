package load

import (
	"sync"
	"testing"
	"time"
)

func TestQuantileIsNearestRank(t *testing.T) {
	t.Parallel()
	var run Run
	for i := range 100 {
		run.Samples = append(run.Samples, Sample{Took: time.Duration(100 - i)})
	}
	run.Samples = append(run.Samples, Sample{Took: time.Hour, Outcome: Refused}) // what failed has no latency
	for q, want := range map[float64]time.Duration{0: 1, 0.5: 50, 0.99: 99, 1: 100} {
		if got := run.Quantile(q); got != want {
			t.Errorf("quantile %v: %d, want %d", q, got, want)
		}
	}
	if got := (Run{}).Quantile(0.5); got != 0 {
		t.Errorf("of nothing: %d", got)
	}
}

func TestPoissonKeepsItsRate(t *testing.T) {
	t.Parallel()
	arrivals := Poisson(1000, 20*time.Second, 3, 1)
	if n := len(arrivals); n < 19_000 || n > 21_000 {
		t.Errorf("%d arrivals, want about 20000", n)
	}
	last := time.Duration(0)
	for _, a := range arrivals {
		if a.At < last || a.At >= 20*time.Second || a.Kind != 3 {
			t.Fatalf("%+v behind %s", a, last)
		}
		last = a.At
	}
}

// A system that stands still for a while makes everything wait that was due meanwhile, and the open generator says so. A closed one would have
// sent nothing and noticed one slow answer.
func TestOpenCountsFromWhenWorkWasDue(t *testing.T) {
	t.Parallel()
	const stall = 100 * time.Millisecond
	var system sync.Mutex
	var once sync.Once
	arrivals := make([]Arrival, 50)
	for i := range arrivals {
		arrivals[i].At = time.Duration(i) * time.Millisecond
	}
	run := Open(50*time.Millisecond, arrivals, 100, func(Arrival) Outcome {
		system.Lock()
		defer system.Unlock()
		once.Do(func() { time.Sleep(stall) })
		return Served
	})
	if got := run.Quantile(0.5); got < stall/2 {
		t.Errorf("half of the work waited %s at most, behind a stall of %s", got, stall)
	}
}

func TestOpenBoundsWhatIsInFlight(t *testing.T) {
	t.Parallel()
	held := make(chan struct{})
	go func() {
		time.Sleep(50 * time.Millisecond)
		close(held)
	}()
	run := Open(time.Millisecond, make([]Arrival, 10), 4, func(Arrival) Outcome { <-held; return Served })
	if served, unsent := run.Count(Served), run.Count(Unsent); served != 4 || unsent != 6 {
		t.Errorf("%d served, %d unsent", served, unsent)
	}
}

func TestClosedHasOnePieceOfWorkAtATimePerWorker(t *testing.T) {
	t.Parallel()
	var running, done int
	run := Closed(30*time.Millisecond, []func() Outcome{func() Outcome {
		running++
		if running != 1 {
			t.Error("two at a time")
		}
		time.Sleep(time.Millisecond)
		running--
		done++
		return Conflict
	}})
	if done == 0 || len(run.Samples) != done || run.Good(0) != done || run.Errors() != 0 || run.Length < 30*time.Millisecond {
		t.Errorf("%d done, %d samples, %s", done, len(run.Samples), run.Length)
	}
}
