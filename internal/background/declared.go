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
		name: "announce-notifications", deadline: 5 * time.Second, full: Drop,
		callers:  []string{"notify.announce"},
		deferred: "telling those who follow their inbox that there is something new, at most once in 50 ms",
		outbox:   "nothing; the notifications are rows",
		lost:     "nothing: whoever follows looks every few seconds anyhow",
	},
	{
		name: "broadcast-delivery", deadline: 5 * time.Second, full: InPlace,
		callers:  []string{"api.Server.SendBroadcast"},
		deferred: "telling workers that a broadcast is to be delivered",
		outbox:   "the delivery, in steps of 500 members, and each mail",
		lost:     "nothing: workers look every second anyhow",
	},
	{
		name: "broadcast-resend", deadline: 5 * time.Second, full: InPlace,
		callers:  []string{"api.Server.ResendBroadcast"},
		deferred: "telling workers that those whom it failed for are to be tried again",
		outbox:   "the deliveries that failed, each once",
		lost:     "nothing: workers look every second anyhow",
	},
	{
		name: "icon-cache", deadline: 5 * time.Second, full: Drop,
		callers:  []string{"api.Server.GetMemberIcon"},
		deferred: "keeping the bytes of a picture that was shown in the memory of the process",
		outbox:   "nothing",
		lost:     "nothing; they are read from the database again",
	},
	{
		name: "icon-import", deadline: 30 * time.Second, full: Drop,
		callers:  []string{"api.Server.importIcon"},
		deferred: "fetching the picture that the identity provider names, making an icon of it and storing that",
		outbox:   "nothing",
		lost:     "the picture, until the next sign-in",
	},
	{
		name: "last-access", deadline: 10 * time.Second, full: Drop,
		callers:  []string{"api.Server.noteAccess"},
		deferred: "writing when a session was last used, at most once in five minutes for each session and process",
		outbox:   "nothing",
		lost:     "up to five minutes of it; the next request tells again",
	},
	{
		name: "material-preview", deadline: 30 * time.Second, full: Drop,
		callers:  []string{"api.Server.afterMeeting"},
		deferred: "fetching what the materials of a meeting say of themselves, after it was called and after it was changed",
		outbox:   "nothing",
		lost:     "the titles, until the meeting's materials are changed again",
	},
	{
		name: "survey-notice", deadline: 10 * time.Second, full: InPlace,
		callers:  []string{"api.Server.afterMeeting"},
		deferred: "asking those who attend a meeting that begins soon for their answers",
		outbox:   "the mails",
		lost:     "nothing: the scheduler asks at its next look",
	},
	{
		name: "wake-outbox", deadline: 5 * time.Second, full: InPlace,
		callers:  []string{"api.wakeDeliveries"},
		deferred: "telling workers that there are events, at most once in 200 ms",
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
