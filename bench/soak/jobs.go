package soak

import (
	"fmt"
	"sync"

	"github.com/google/uuid"
)

// Jobs are those that the server has acknowledged.
type Jobs struct {
	mu  sync.Mutex
	ids map[uuid.UUID]struct{}
}

// Acknowledged remembers a job. While one is live, asking again leads to the same.
func (j *Jobs) Acknowledged(id uuid.UUID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ids == nil {
		j.ids = map[uuid.UUID]struct{}{}
	}
	j.ids[id] = struct{}{}
}

// Len is how many there are.
func (j *Jobs) Len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.ids)
}

// JobFound is what the database holds of one job.
type JobFound struct {
	ID          uuid.UUID
	State       string
	Attempt     int // as the queue counts: raised with each claim, so it tells who holds the job
	Answers     int // messages of the coach
	Suggestions int // in those
	Ends        int // in the audit
	EndState    string
	EndAttempt  *int // of whoever ended it; nil where the audit does not say
}

// Check compares the jobs that were acknowledged with all that are there. A live job is stuck only if it had the time to end.
func (j *Jobs) Check(found []JobFound, hadTime bool) (faults []Fault) {
	j.mu.Lock()
	defer j.mu.Unlock()
	there := make(map[uuid.UUID]bool, len(found))
	for _, f := range found {
		there[f.ID] = true
		if hadTime && f.live() {
			faults = append(faults, f.fault(StuckJob, "it is %s, in attempt %d", f.State, f.Attempt))
		}
		faults = append(faults, f.Check()...)
	}
	for id := range j.ids {
		if !there[id] {
			faults = append(faults, JobFound{ID: id}.fault(LostResult, "it was acknowledged and is not there"))
		}
	}
	return faults
}

func (f JobFound) live() bool { return f.State == "queued" || f.State == "running" }

func (f JobFound) fault(kind Kind, format string, values ...any) Fault {
	return Fault{kind, fmt.Sprintf("job %s: ", f.ID) + fmt.Sprintf(format, values...)}
}

// Check looks for what contradicts itself in one job.
func (f JobFound) Check() (faults []Fault) {
	switch ended := !f.live(); {
	case ended && f.Ends == 0:
		faults = append(faults, f.fault(LostResult, "it is %s, and the audit does not say so", f.State))
	case ended && f.Ends > 1, !ended && f.Ends > 0:
		faults = append(faults, f.fault(Duplicate, "it is %s, and the audit tells of %d ends", f.State, f.Ends))
	case ended && f.EndState != f.State:
		faults = append(faults, f.fault(Duplicate, "it is %s, and the audit says %s", f.State, f.EndState))
	case ended && f.EndAttempt != nil && *f.EndAttempt != f.Attempt:
		faults = append(faults, f.fault(Duplicate, "it was ended by whoever had claimed it as attempt %d, after attempt %d had begun", *f.EndAttempt, f.Attempt))
	}
	wanted := 0
	if f.State == "succeeded" {
		wanted = 1
	}
	switch {
	case f.Answers > wanted:
		faults = append(faults, f.fault(Duplicate, "it is %s, with %d answers", f.State, f.Answers))
	case f.Answers < wanted:
		faults = append(faults, f.fault(LostResult, "it has succeeded without an answer"))
	case f.Suggestions > wanted:
		faults = append(faults, f.fault(Duplicate, "it is %s, with %d suggestions", f.State, f.Suggestions))
	}
	return faults
}
