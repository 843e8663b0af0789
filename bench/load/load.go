// Package load sends work and keeps, of each piece, when it was due, how long it took from then on and how it ended.
//
// Closed is a fixed number of workers, each with one piece at a time: it finds what a system can do. Open is a schedule that was
// fixed in advance and waits for nobody: it finds what a system does when more comes than it can do. Both keep every
// sample, so that quantiles are exact.
package load

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Outcome is how a piece of work ended.
type Outcome uint8

const (
	Served   Outcome = iota // 2xx
	Conflict                // 409: somebody else was faster, which is an answer
	Refused                 // 503 or 429: told to come back later
	Failed                  // any other answer
	Broken                  // no answer: the connection broke or the client's patience ended
	Unsent                  // more was in flight than the generator may hold
	outcomes
)

// Good reports whether the outcome is no error.
func (o Outcome) Good() bool { return o == Served || o == Conflict }

// OfStatus is the outcome of an HTTP status.
func OfStatus(status int) Outcome {
	switch {
	case status >= 200 && status < 300:
		return Served
	case status == 409:
		return Conflict
	case status == 503, status == 429:
		return Refused
	}
	return Failed
}

// Sample is one piece of work.
type Sample struct {
	Kind    int           // the caller's
	Due     time.Duration // since the run began
	Took    time.Duration // since Due, waiting in the generator included
	Outcome Outcome
}

// Run is what came of a run.
type Run struct {
	Samples []Sample
	Length  time.Duration // in which the work was due
	Lag     time.Duration // by which 99 of 100 arrivals of an open run were sent late at most: the generator's own share of their latency
}

// Of is the part of a run that is of one kind.
func (r Run) Of(kinds ...int) Run {
	return r.where(func(s Sample) bool { return slices.Contains(kinds, s.Kind) })
}

// Between is the part of a run that was due in a window of it.
func (r Run) Between(from, to time.Duration) Run {
	part := r.where(func(s Sample) bool { return s.Due >= from && s.Due < to })
	part.Length = to - from
	return part
}

func (r Run) where(keep func(Sample) bool) Run {
	part := Run{Length: r.Length, Lag: r.Lag}
	for _, s := range r.Samples {
		if keep(s) {
			part.Samples = append(part.Samples, s)
		}
	}
	return part
}

// Count is how many ended so.
func (r Run) Count(o Outcome) (n int) {
	for _, s := range r.Samples {
		if s.Outcome == o {
			n++
		}
	}
	return n
}

// Good is how many ended well within patience; 0 is without end.
func (r Run) Good(patience time.Duration) (n int) {
	for _, s := range r.Samples {
		if s.Outcome.Good() && (patience == 0 || s.Took <= patience) {
			n++
		}
	}
	return n
}

// Errors is how many did not end well.
func (r Run) Errors() int { return len(r.Samples) - r.Good(0) }

// Rate is how many ended well within patience, per second.
func (r Run) Rate(patience time.Duration) float64 {
	return float64(r.Good(patience)) / r.Length.Seconds()
}

// Quantile is the latency of those that ended well, by nearest rank; 0 if none did.
func (r Run) Quantile(q float64) time.Duration {
	var took []time.Duration
	for _, s := range r.Samples {
		if s.Outcome.Good() {
			took = append(took, s.Took)
		}
	}
	return quantile(took, q)
}

func quantile(all []time.Duration, q float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[max(0, int(math.Ceil(q*float64(len(all))))-1)]
}

// Closed runs each of workers again and again until length is over. What began in time counts, and Length is until the last of it ended.
func Closed(length time.Duration, workers []func() Outcome) Run {
	began := time.Now()
	samples := make([][]Sample, len(workers))
	var all sync.WaitGroup
	for i, work := range workers {
		all.Go(func() {
			own := make([]Sample, 0, 1<<12)
			for due := time.Since(began); due < length; {
				outcome := work()
				now := time.Since(began)
				own = append(own, Sample{Due: due, Took: now - due, Outcome: outcome})
				due = now
			}
			samples[i] = own
		})
	}
	all.Wait()
	return Run{Samples: slices.Concat(samples...), Length: time.Since(began)}
}

// Arrival is when a piece of work of some kind is due.
type Arrival struct {
	At   time.Duration
	Kind int
}

// Poisson is a stream of independent arrivals at a rate per second, the same for the same seed.
func Poisson(rate float64, length time.Duration, kind int, seed uint64) []Arrival {
	random := rand.New(rand.NewPCG(seed, uint64(kind))) //nolint:gosec // neither secret nor negative
	var all []Arrival
	for at := time.Duration(0); ; {
		at += time.Duration(random.ExpFloat64() / rate * float64(time.Second))
		if at >= length {
			return all
		}
		all = append(all, Arrival{At: at, Kind: kind})
	}
}

// Merge puts several streams into the order in which they are due.
func Merge(streams ...[]Arrival) []Arrival {
	all := slices.Concat(streams...)
	slices.SortStableFunc(all, func(a, b Arrival) int { return cmp.Compare(a.At, b.At) })
	return all
}

// Open does each arrival's work when it is due, whatever became of those before it, with at most bound in flight. It returns when the
// last has ended. Latency counts from when the work was due, so a system that makes its clients wait cannot hide what waited behind them.
func Open(length time.Duration, arrivals []Arrival, bound int, work func(Arrival) Outcome) Run {
	samples := make([]Sample, len(arrivals))
	lags := make([]time.Duration, 0, len(arrivals))
	var inFlight atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for i, a := range arrivals {
		if early := a.At - time.Since(began); early > 0 {
			time.Sleep(early)
		}
		lags = append(lags, time.Since(began)-a.At)
		if inFlight.Load() >= int64(bound) {
			samples[i] = Sample{Kind: a.Kind, Due: a.At, Outcome: Unsent}
			continue
		}
		inFlight.Add(1)
		all.Go(func() {
			outcome := work(a)
			samples[i] = Sample{Kind: a.Kind, Due: a.At, Took: time.Since(began) - a.At, Outcome: outcome}
			inFlight.Add(-1)
		})
	}
	all.Wait()
	return Run{Samples: samples, Length: length, Lag: quantile(lags, 0.99)}
}
