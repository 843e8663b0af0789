package background

import "maps"

// Count is what became of the tasks of one name. Those that have been deferred and are in none of Withdrawn, Done, Failed, TimedOut, Panicked and
// Dropped have not ended.
type Count struct {
	Deferred  int64 // calls of Defer
	Withdrawn int64 // not wanted any more, because the transaction that they were deferred in was rolled back
	Started   int64
	InPlace   int64 // of those started: while whoever deferred them waited
	Done      int64
	Failed    int64 // returned an error
	TimedOut  int64 // returned an error after their deadline
	Panicked  int64
	Dropped   int64 // given up: no room, an unknown outcome of a commit, or the end of the program
}

// Open is how many have not ended.
func (c Count) Open() int64 {
	return c.Deferred - c.Withdrawn - c.Done - c.Failed - c.TimedOut - c.Panicked - c.Dropped
}

func (c *Count) ended(o outcome) {
	switch o {
	case done:
		c.Done++
	case failed:
		c.Failed++
	case timedOut:
		c.TimedOut++
	case panicked:
		c.Panicked++
	case dropped:
		c.Dropped++
	}
}

// Stats is the deferred work of a process at one moment.
type Stats struct {
	Tasks   int   // that take up room: held by a transaction, waiting, or running
	Bytes   int64 // that these say they retain
	Running int
	ByName  map[string]Count
}

// Stats may be called at any time.
func (r *Runner) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := Stats{Tasks: r.tasks, Bytes: r.bytes, Running: len(r.running), ByName: make(map[string]Count, len(r.counts))}
	for name, c := range r.counts {
		s.ByName[name] = *c
	}
	return s
}

// count is the count of a task's name. The runner is locked.
func (r *Runner) count(t *task) *Count {
	c := r.counts[t.name]
	if c == nil {
		c = &Count{}
		r.counts[t.name] = c
	}
	return c
}

// droppedBetween names what was dropped between two moments; nil for nothing.
func droppedBetween(before, after Stats) error {
	names := map[string]int{}
	for name, c := range maps.All(after.ByName) {
		if n := c.Dropped - before.ByName[name].Dropped; n > 0 {
			names[name] = int(n)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return &DroppedError{names}
}
