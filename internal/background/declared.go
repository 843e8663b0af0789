package background

import "time"

// WhenFull says what becomes of a task for which a scope or the process has no room.
type WhenFull uint8

const (
	InPlace WhenFull = iota // it runs at once, and whoever defers it waits
	Drop                    // it does not run
)

func (w WhenFull) String() string {
	if w == Drop {
		return "dropped"
	}
	return "in place"
}

// declaration is a line of the reviewed list.
type declaration struct {
	name     string
	deadline time.Duration // from when it starts
	full     WhenFull
	callers  []string // the functions that defer it, a line for each call

	// For the table in docs/design.md, which a test compares.
	deferred string // what is deferred
	outbox   string // what of the same matter lies in the outbox instead
	lost     string // what a crash loses
}

// declarations is the reviewed list of everything that is deferred: a test reads all of the program's code and compares. It is in the order of the names.
var declarations = []declaration{ //nolint:gochecknoglobals // never changed
	{
		name: "icon-cache", deadline: 5 * time.Second, full: Drop,
		callers:  []string{"api.Server.GetMemberIcon"},
		deferred: "keeping a picture that was read for the next who asks for it",
		outbox:   "nothing",
		lost:     "nothing: the next request reads it again",
	},
	{
		name: "icon-import", deadline: 30 * time.Second, full: Drop,
		callers:  []string{"api.Server.importIcon"},
		deferred: "fetching the picture that the identity provider names, after signing in",
		outbox:   "nothing",
		lost:     "the picture until the next sign-in",
	},
	{
		name: "last-access", deadline: 10 * time.Second, full: Drop,
		callers:  []string{"api.Server.seen"},
		deferred: "writing when a session was last used, at most once a minute for each session and process",
		outbox:   "nothing",
		lost:     "up to a minute of it; the next request tells again",
	},
	{
		name: "wake-outbox", deadline: 5 * time.Second, full: InPlace,
		callers:  []string{"api.wakeDeliveries"},
		deferred: "telling workers that there are events, at most once in 50 ms",
		outbox:   "the events",
		lost:     "nothing: workers look every second anyhow",
	},
}

// undeclaredDeadline is what holds for names that the list does not have. The test that reads the code keeps them out of the program.
const undeclaredDeadline = 30 * time.Second

func find(list []declaration, name string) declaration {
	for _, d := range list {
		if d.name == name {
			return d
		}
	}
	return declaration{name: name, deadline: undeclaredDeadline}
}
