package soak

import (
	"math/bits"
	"sync"
	"time"
)

// Outcome is how a request ended.
type Outcome uint8

const (
	Served      Outcome = iota // 2xx
	Conflict                   // 409
	Limited                    // 429
	Overloaded                 // 503 of a kind that says that nothing was changed
	Unavailable                // any other 503: the database could not be reached, and a change may have happened or not
	Failed                     // any other answer
	Broken                     // the connection could not be made, or ended without an answer
	Late                       // no answer within the client's patience
	Unsent                     // more was in flight than the generator may hold
	Outcomes
)

func (o Outcome) String() string {
	return [...]string{"served", "conflict", "limited", "overloaded", "unavailable", "failed", "broken", "late", "unsent"}[o]
}

// Good reports whether the outcome is no error.
func (o Outcome) Good() bool { return o == Served || o == Conflict }

// unknown reports whether a change that ended so may have happened.
func (o Outcome) unknown() bool { return o == Unavailable || o == Failed || o == Broken || o == Late }

// Work is what a request is for.
type Work uint8

const (
	Read    Work = iota // an objective
	Edit                // of an objective
	Session             // who am I
	Ready               // readiness
	Ask                 // the coach
	Works
)

func (w Work) String() string { return [...]string{"read", "edit", "session", "ready", "ask"}[w] }

// Counts are outcomes by work, and how long those took that ended well.
type Counts struct {
	Of   [Works][Outcomes]int
	Took Histogram
}

func (c *Counts) add(w Work, o Outcome, took time.Duration) {
	c.Of[w][o]++
	if o.Good() {
		c.Took.add(took)
	}
}

// Merge adds other.
func (c *Counts) Merge(other *Counts) {
	for w := range c.Of {
		for o := range c.Of[w] {
			c.Of[w][o] += other.Of[w][o]
		}
	}
	for i, n := range other.Took.buckets {
		c.Took.buckets[i] += n
	}
}

// Total is how many there were.
func (c *Counts) Total() (n int) {
	for o := range Outcomes {
		n += c.Ended(o)
	}
	return n
}

// Ended is how many ended so.
func (c *Counts) Ended(o Outcome) (n int) {
	for w := range c.Of {
		n += c.Of[w][o]
	}
	return n
}

// Good is how many ended well.
func (c *Counts) Good() int { return c.Ended(Served) + c.Ended(Conflict) }

// Histogram counts durations in buckets that are an eighth apart, so that a quantile is at most so much too high. It takes the same room
// whatever it counts.
type Histogram struct {
	buckets [histogramBuckets]int
}

const (
	histogramSteps   = 8 // in each doubling
	histogramBuckets = 64 * histogramSteps
)

func (h *Histogram) add(d time.Duration) { h.buckets[bucketOf(d)]++ }

// bucketOf is by microseconds: the position of the highest bit, and the three bits behind it.
func bucketOf(d time.Duration) int {
	us := uint64(max(d.Microseconds(), 0)) //nolint:gosec // not negative
	if us < histogramSteps {
		return int(us)
	}
	high := bits.Len64(us) - 1
	return (high-2)*histogramSteps + int(us>>(high-3)&(histogramSteps-1)) //nolint:gosec // below 8
}

// upperEnd is the longest duration of a bucket.
func upperEnd(bucket int) time.Duration {
	if bucket < histogramSteps {
		return time.Duration(bucket) * time.Microsecond
	}
	high := bucket/histogramSteps + 2
	us := (uint64(histogramSteps+bucket%histogramSteps+1) << (high - 3)) - 1 //nolint:gosec // not negative
	return time.Duration(us) * time.Microsecond                              //nolint:gosec // far from the end of an int64 for what is ever asked for
}

// Quantile is the upper end of the bucket in which the quantile lies; 0 of nothing.
func (h *Histogram) Quantile(q float64) time.Duration {
	total := 0
	for _, n := range h.buckets {
		total += n
	}
	wanted := q * float64(total)
	seen := 0
	for i, n := range h.buckets {
		if seen += n; n > 0 && float64(seen) >= wanted {
			return upperEnd(i)
		}
	}
	return 0
}

// Recorder counts the present interval, for whoever asks for it next, and everything.
type Recorder struct {
	mu              sync.Mutex
	interval, total Counts
}

// Add counts one request.
func (r *Recorder) Add(w Work, o Outcome, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.interval.add(w, o, took)
	r.total.add(w, o, took)
}

// Reset forgets everything.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.interval, r.total = Counts{}, Counts{}
}

// Interval is what was counted since it was last asked for.
func (r *Recorder) Interval() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	interval := r.interval
	r.interval = Counts{}
	return interval
}

// Total is what was counted from the beginning.
func (r *Recorder) Total() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.total
}
