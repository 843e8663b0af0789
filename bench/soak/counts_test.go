package soak

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"
)

func TestQuantilesAreAnEighthTooHighAtMost(t *testing.T) {
	t.Parallel()
	var h Histogram
	if got := h.Quantile(0.5); got != 0 {
		t.Errorf("of nothing: %s", got)
	}
	const n = 100_000
	for us := 1; us <= n; us++ {
		h.add(time.Duration(us) * time.Microsecond)
	}
	for _, q := range []float64{0.001, 0.5, 0.9, 0.99, 1} {
		exact := time.Duration(q*n) * time.Microsecond
		if got := h.Quantile(q); got < exact || got > exact+exact/histogramSteps {
			t.Errorf("quantile %v: %s, exactly %s", q, got, exact)
		}
	}
	h.add(time.Hour)
	if got := h.Quantile(1); got < time.Hour {
		t.Errorf("the longest: %s", got)
	}
}

func TestIntervalsAddUp(t *testing.T) {
	t.Parallel()
	var r Recorder
	var sum Counts
	for range 3 {
		r.Add(Edit, Served, time.Millisecond)
		r.Add(Read, Broken, time.Second)
		interval := r.Interval()
		sum.Merge(&interval)
	}
	total := r.Total()
	if sum != total || total.Total() != 6 || total.Good() != 3 || total.Of[Read][Broken] != 3 || total.Took.Quantile(1) > 2*time.Millisecond {
		t.Errorf("%+v, and in intervals %+v", total.Of, sum.Of)
	}
}

func TestOpenKeepsItsRateAndItsBound(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var done, unsent, inFlight atomic.Int64
	Open(ctx, 1000, 5, rand.New(rand.NewPCG(1, 1)), func(time.Time) {
		if inFlight.Add(1) > 5 {
			t.Error("more in flight than allowed")
		}
		time.Sleep(20 * time.Millisecond)
		inFlight.Add(-1)
		done.Add(1)
	}, func(time.Time) { unsent.Add(1) })
	if n := done.Load() + unsent.Load(); n < 800 || n > 1200 || unsent.Load() == 0 || inFlight.Load() != 0 {
		t.Errorf("%d arrivals, want about 1000; %d of them unsent", n, unsent.Load())
	}
}
