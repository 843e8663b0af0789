package soak

import (
	"slices"
	"testing"

	"github.com/google/uuid"
)

func TestJobsEndOnce(t *testing.T) {
	t.Parallel()
	attempt := func(n int) *int { return &n }
	done := func() JobFound {
		return JobFound{ID: uuid.New(), State: "succeeded", Attempt: 2, Answers: 1, Suggestions: 1, Ends: 1, EndState: "succeeded", EndAttempt: attempt(2)}
	}
	superseded := JobFound{ID: uuid.New(), State: "superseded", Attempt: 1, Ends: 1, EndState: "superseded"}
	for name, c := range map[string]struct {
		plant func(*JobFound)
		kind  Kind // empty for none
	}{
		"all is well":                           {func(*JobFound) {}, ""},
		"the audit does not tell of attempts":   {func(f *JobFound) { f.EndAttempt = nil }, ""},
		"superseded":                            {func(f *JobFound) { *f = superseded }, ""},
		"two answers":                           {func(f *JobFound) { f.Answers = 2 }, Duplicate},
		"two suggestions":                       {func(f *JobFound) { f.Suggestions = 2 }, Duplicate},
		"superseded, with an answer":            {func(f *JobFound) { *f = superseded; f.Answers = 1 }, Duplicate},
		"it ended twice":                        {func(f *JobFound) { f.Ends = 2 }, Duplicate},
		"ended by a worker that had lost it":    {func(f *JobFound) { f.EndAttempt = attempt(1) }, Duplicate},
		"the audit tells of another end":        {func(f *JobFound) { f.EndState = "superseded" }, Duplicate},
		"no answer":                             {func(f *JobFound) { f.Answers, f.Suggestions = 0, 0 }, LostResult},
		"the audit does not tell of its end":    {func(f *JobFound) { f.Ends = 0 }, LostResult},
		"it is still queued":                    {func(f *JobFound) { *f = JobFound{ID: f.ID, State: "queued"} }, StuckJob},
		"it is still running":                   {func(f *JobFound) { *f = JobFound{ID: f.ID, State: "running", Attempt: 3} }, StuckJob},
		"it was acknowledged and is not there":  {func(f *JobFound) { f.ID = uuid.New() }, LostResult},
		"it is running, and there is an answer": {func(f *JobFound) { f.State, f.Ends = "running", 0 }, Duplicate},
	} {
		var jobs Jobs
		f := done()
		jobs.Acknowledged(f.ID)
		jobs.Acknowledged(f.ID) // asking for the same again
		c.plant(&f)
		if f.State == "superseded" {
			jobs = Jobs{}
			jobs.Acknowledged(f.ID)
		}
		faults := jobs.Check([]JobFound{f}, true)
		if c.kind == "" && len(faults) > 0 || c.kind != "" && !slices.ContainsFunc(faults, func(f Fault) bool { return f.Kind == c.kind }) {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

// Where the load was interrupted, jobs may be live.
func TestInterruptedJobsAreNotStuck(t *testing.T) {
	t.Parallel()
	var jobs Jobs
	f := JobFound{ID: uuid.New(), State: "running", Attempt: 1}
	jobs.Acknowledged(f.ID)
	if faults := jobs.Check([]JobFound{f}, false); len(faults) > 0 {
		t.Error(faults)
	}
}
