// Package schedule does what is due by the clock, once for each organisation however many programs run.
package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Missed says what becomes of runs that were due while no program ran.
type Missed int

// The policies for missed runs.
const (
	Skip   Missed = iota // only the latest is made up for, and only while it is not older than Late
	Latest               // the latest is made up for, however late
	All                  // each is made up for, oldest first, at most 100
)

// Organization is who a run is for.
type Organization struct {
	ID   uuid.UUID
	Zone *time.Location
}

// Run is something that is due again and again.
type Run struct {
	Name string
	// Next is when it is due for the first time after a moment, in the organisation's time zone: Every, Daily, Weekly.
	Next   func(after time.Time, zone *time.Location) time.Time
	Missed Missed
	Late   time.Duration // for Skip
	// Do is given when it was due. It may be run again after a crash or an error, so whatever it does it does at most once for one due time. Its context ends
	// when it has taken ten minutes, when the program stops, and when another program has taken over.
	Do func(ctx context.Context, o Organization, due time.Time) error
}
