// Package budget bounds how often a process does what costs others something: sending a mail, fetching a stranger's page.
package budget

import (
	"sync"
	"time"
)

// Budget is a token bucket that only ever errs towards less: it begins empty, so that a program that starts again and again gains nothing by it; what was
// taken is never given back, whatever came of it; and a clock that is put back gains nothing either. (x/time/rate begins full and follows the clock back.)
// In any stretch of time t, at most burst + t × perMinute are taken.
type Budget struct {
	each time.Duration // what one costs
	most time.Duration
	now  func() time.Time

	mu      sync.Mutex
	latest  time.Time
	saved   time.Duration
	taken   int64
	refused int64
}

// New makes a budget of so many a minute, and of so many at once after a quiet time. Of none a minute, none is ever had.
func New(perMinute, burst int) *Budget { return NewWithClock(perMinute, burst, time.Now) }

// NewWithClock is New for tests, which own the time.
func NewWithClock(perMinute, burst int, now func() time.Time) *Budget {
	b := &Budget{now: now, latest: now()}
	if perMinute > 0 {
		b.each = (time.Minute + time.Duration(perMinute) - 1) / time.Duration(perMinute) // rounded up: rather too few
		b.most = b.each * time.Duration(max(burst, 1))
	}
	return b
}

// Take reports whether one more may be done, and counts it as done. It never waits.
func (b *Budget) Take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.save()
	if b.each == 0 || b.saved < b.each {
		b.refused++
		return false
	}
	b.saved -= b.each
	b.taken++
	return true
}

// Left is how many could be taken now.
func (b *Budget) Left() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.save()
	if b.each == 0 {
		return 0
	}
	return int(b.saved / b.each)
}

// save counts the time that has passed. The caller holds mu.
func (b *Budget) save() {
	if now := b.now(); now.After(b.latest) {
		b.saved = min(b.saved+min(now.Sub(b.latest), b.most), b.most)
		b.latest = now
	}
}

// Stats is what has been asked of a budget since it was made.
type Stats struct {
	Taken   int64
	Refused int64 // asked for while nothing was left
}

// Stats may be called at any time.
func (b *Budget) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Stats{Taken: b.taken, Refused: b.refused}
}
