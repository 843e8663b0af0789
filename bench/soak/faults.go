package soak

import (
	"sync"
	"time"
)

// Faults collects what must not happen.
type Faults struct {
	mu     sync.Mutex
	began  time.Time
	print  func(after time.Duration, f Fault)
	counts map[Kind]int
	first  time.Duration
	seen   map[Fault]bool // of those found by looking again and again
}

const printed = 20 // so many at most

// NewFaults returns an empty collection; print is told of the first ones, with the time since the beginning.
func NewFaults(print func(after time.Duration, f Fault)) *Faults {
	return &Faults{began: time.Now(), print: print, counts: map[Kind]int{}, seen: map[Fault]bool{}}
}

// Begin counts time from now on.
func (f *Faults) Begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.began = time.Now()
}

// Add counts faults. The same one counts once.
func (f *Faults) Add(faults ...Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, one := range faults {
		if f.seen[one] {
			continue
		}
		after := time.Since(f.began)
		if len(f.seen) == 0 {
			f.first = after
		}
		if len(f.seen) < printed {
			f.print(after, one)
		}
		f.seen[one] = true
		f.counts[one.Kind]++
	}
}

// Of is how many there are of a kind.
func (f *Faults) Of(kind Kind) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[kind]
}

// First is when the first was seen, since the beginning; 0 if none was.
func (f *Faults) First() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.first
}
