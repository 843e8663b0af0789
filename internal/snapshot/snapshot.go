// Package snapshot is the whole-organisation way: an organisation is read from end to end into memory or into a file, and changed as one thing.
//
// Requests do not work this way: they read and lock what they are about (docs/design.md). This way is for what is about everything: exports,
// imports, the first organisation of an installation, checks and repairs. Its cost grows with the organisation, and its changes come one after another.
package snapshot

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Snapshot is one organisation as it stood at one moment. Every list is in the order of ids, but for key results and steps, which are
// in their own order, and the history, which is in that of objectives and revisions.
//
// Not in it are sessions, which are secrets; Idempotency-Keys and outbox events, which only matter to requests and deliveries under way; and what is made from the rest, such as the inbox.
type Snapshot struct {
	Organization Organization
	Users        []User
	Memberships  []Membership
	Teams        []Team
	Cycles       []Cycle
	Objectives   []Objective
	CheckIns     []CheckIn
	History      []ObjectiveHistory
	Comments     []Comment
	Dialogues    []Dialogue
	Jobs         []AIJob
	Messages     []Message
	Suggestions  []Suggestion
	AuditEvents  []AuditEvent

	Links []ObjectiveLink

	Preferences     []NotificationPreference
	Broadcasts      []Broadcast
	Meetings        []Meeting
	Attendees       []MeetingAttendee
	AgendaItems     []MeetingAgendaItem
	Materials       []MeetingMaterial
	Questions       []SurveyQuestion
	Occurrences     []MeetingOccurrence
	Participants    []SurveyParticipant
	Answers         []SurveyAnswer
	FollowUps       []FollowUp
	MeetingCheckIns []MeetingCheckIn

	ExternalIDs []ExternalID
}

// Options are what the whole-organisation way needs to know. Zero values are replaced by the defaults named.
type Options struct {
	LockTimeout time.Duration // the longest wait for the organisation and for each of its rows; 2 s
	Release     int32         // what the fence knows this program as; db.Release
	Maintenance bool          // goes on while the installation is closed for maintenance, as an operator's commands do
}

// Database is the way to whole organisations. It holds no connection: each of its methods opens one of its own and closes it.
type Database struct {
	ownerURL string
	options  Options
}

// New returns the Database that ownerURL signs in to as the owner of its tables, who alone may make organisations and people.
func New(ownerURL string, o Options) *Database { return &Database{ownerURL: ownerURL, options: o} }

// Errors that a caller can act on, beside those of internal/db.
var (
	ErrExists   = errors.New("snapshot: this organisation is there already")
	ErrNotThere = errors.New("snapshot: there is no such organisation")
)

// Fault is one thing that is wrong with a snapshot.
type Fault struct {
	Pointer string    // where in the file, as a JSON pointer; "" for the file itself
	Kind    string    // of what: "objective", "member"; "" for the file itself
	ID      uuid.UUID // of which one; uuid.Nil where it cannot be said
	Code    string    // stable, for programs
	Detail  string    // a sentence, for people
}

func (f Fault) String() string {
	switch {
	case f.ID != uuid.Nil:
		return fmt.Sprintf("%s %s: %s (%s)", f.Kind, f.ID, f.Detail, f.Code)
	case f.Pointer != "":
		return fmt.Sprintf("%s: %s (%s)", f.Pointer, f.Detail, f.Code)
	}
	return fmt.Sprintf("%s (%s)", f.Detail, f.Code)
}

// RefusedError says why a file or a change was refused, whole: nothing of it was written.
type RefusedError struct{ Faults []Fault }

// faultsTold are as many as a person reads.
const faultsTold = 50

func (e *RefusedError) Error() string {
	lines := make([]string, 0, min(len(e.Faults), faultsTold)+2)
	lines = append(lines, "snapshot: refused, and nothing was changed:")
	for _, f := range e.Faults[:min(len(e.Faults), faultsTold)] {
		lines = append(lines, "  "+f.String())
	}
	if more := len(e.Faults) - faultsTold; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	return strings.Join(lines, "\n")
}

func refused(faults ...Fault) error { return &RefusedError{Faults: faults} }

// MovedError says that somebody else has changed what a change was made from: all of it was given up. It is safe to read again and to try again.
type MovedError struct {
	Aggregates []Moved // what has moved; empty when it was too quick to be seen
	err        error
}

// Moved is one thing that is no longer as it was read.
type Moved struct {
	Aggregate

	Pointer string // where it stands in the file that was to become true; "" where there was none
	Read    int64  // the revision that the change was made from; 0 where it has none
	Present int64  // the revision it is at; 0 where it has none
}

// Aggregate is one thing that is changed as a whole: "organization", "member", "team", "cycle", "objective". Of what has no revision of its own
// there are "check-in", "job" and "suggestion", which only maintenance touches.
type Aggregate struct {
	Kind string
	ID   uuid.UUID
}

func (a Aggregate) String() string { return a.Kind + " " + a.ID.String() }

func (e *MovedError) Error() string {
	names := make([]string, 0, len(e.Aggregates))
	for _, m := range e.Aggregates[:min(len(e.Aggregates), faultsTold)] {
		name := m.String()
		if m.Present != 0 {
			name += fmt.Sprintf(" (at revision %d, read at %d)", m.Present, m.Read)
		}
		names = append(names, name)
	}
	return "snapshot: changed by somebody else meanwhile, so nothing was written: " + strings.Join(names, ", ")
}

func (e *MovedError) Unwrap() error { return e.err }

func compareIDs(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) }
