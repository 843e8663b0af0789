// Package soak is what a long run under disturbances needs: people who remember what they were promised, and the comparison of that with the
// database; a load that fills no memory, however long it lasts; processes and connections that are ended at random; and a judgement of
// whether memory stays where it was.
package soak

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Desk is an objective and a session of whoever owns it. One client at a time works at it, and nobody else edits the objective, so that the desk
// knows what has to be in the database and what may be.
type Desk struct {
	Organization, Objective uuid.UUID
	Token                   string // of the session

	revision     int64  // the highest that the client was told of
	unsure       bool   // the objective has to be read before it is edited again
	acknowledged []edit // by a 2xx
	unknown      []edit // sent, and not answered, or answered so that the change may have happened or not
}

// edit is a title that was sent, by its number, and the revision that it leads to if it is stored. Eight bytes each: two hours make millions of them.
type edit struct{ revision, number uint32 }

// NewDesk returns a desk for an objective at revision 1.
func NewDesk(organization, objective uuid.UUID, token string) *Desk {
	return &Desk{Organization: organization, Objective: objective, Token: token, revision: 1}
}

const (
	titlePrefix   = "Customers stay because support answers first, edit "
	requestPrefix = "soak-"
)

// titleOf is the title that the edit of a number writes. No two are alike.
func titleOf(number uint32) string { return titlePrefix + strconv.FormatUint(uint64(number), 10) }

// requestOf is the id of that edit's request, which the audit keeps.
func requestOf(number uint32) string { return fmt.Sprintf("%s%010d", requestPrefix, number) }

// numberIn is the number of the edit that wrote a text; 0 if none did.
func numberIn(text, prefix string) uint32 {
	digits, found := strings.CutPrefix(text, prefix)
	number, err := strconv.ParseUint(digits, 10, 32)
	if !found || err != nil {
		return 0
	}
	return uint32(number)
}

// Found is what the database holds of one objective, all of it seen at one moment.
type Found struct {
	Current Entry   // of the objective's row; a zero revision where there is none
	History []Entry // by revision; the first is of whoever made the objective
	Audit   []Entry // by revision, from the second on; the number is that of the request's id
	Events  []Entry // of those audited, which have an event in the outbox; likewise
}

// Entry is a revision, and the number of the edit that made it; 0 where none of ours did.
type Entry struct {
	Revision int64
	Number   uint32
}

// nameAfterHistory takes the edits of audit and outbox to be those of the history, where their rows cannot tell.
func (f *Found) nameAfterHistory() {
	numbers := make(map[int64]uint32, len(f.History))
	for _, h := range f.History {
		numbers[h.Revision] = h.Number
	}
	for _, entries := range [][]Entry{f.Audit, f.Events} {
		for i := range entries {
			entries[i].Number = numbers[entries[i].Revision]
		}
	}
}

// Kind is what a fault means.
type Kind string

const (
	LostWrite   Kind = "lost write"        // it was acknowledged and is not there
	HalfWrite   Kind = "half a write"      // a part of what commits together is there without another, or twice
	Unaccounted Kind = "unaccounted write" // nobody sent it, or it was refused, or it is there twice
	StaleRead   Kind = "stale read"        // an answer was older than what had been acknowledged before it was asked for
	Duplicate   Kind = "duplicate result"  // a job has more than one end, or an end by a worker that had lost it
	LostResult  Kind = "lost result"       // a job that was acknowledged is not there, or succeeded without its result
	StuckJob    Kind = "stuck job"         // a job has not ended, long after the load has
	Died        Kind = "process ended"     // and nobody ended it
)

// Fault is something that must not happen.
type Fault struct {
	Kind   Kind
	Detail string
}

func (f Fault) String() string { return string(f.Kind) + ": " + f.Detail }

// Check compares what a desk was promised with what is there.
func (d *Desk) Check(found Found) (faults []Fault) {
	say := func(kind Kind, format string, values ...any) {
		faults = append(faults, Fault{kind, fmt.Sprintf("objective %s: ", d.Objective) + fmt.Sprintf(format, values...)})
	}
	stored := make(map[int64]uint32, len(found.History))
	for i, h := range found.History {
		if h.Revision != int64(i+1) {
			say(HalfWrite, "the history's row %d is of revision %d", i+1, h.Revision)
		}
		stored[h.Revision] = h.Number
	}
	latest := int64(len(found.History))
	if found.Current.Revision != latest || latest > 1 && found.Current.Number != stored[latest] {
		say(HalfWrite, "the row is at revision %d by edit %d, the history at %d by %d", found.Current.Revision, found.Current.Number, latest, stored[latest])
	}
	sent := make(map[edit]bool, len(d.acknowledged)+len(d.unknown))
	for _, e := range d.acknowledged {
		sent[e] = true
		number, there := stored[int64(e.revision)]
		switch {
		case !there:
			say(LostWrite, "revision %d, edit %d, was acknowledged; the last one there is %d", e.revision, e.number, latest)
		case number != e.number:
			say(LostWrite, "revision %d was acknowledged to edit %d, and edit %d is there", e.revision, e.number, number)
		}
	}
	for _, e := range d.unknown {
		sent[e] = true
	}
	for revision := int64(2); revision <= latest; revision++ {
		if number, there := stored[revision]; there && !sent[edit{uint32(revision), number}] { //nolint:gosec // counted from 1 by hundreds
			say(Unaccounted, "revision %d, edit %d, was refused or never sent", revision, number)
		}
	}
	for what, entries := range map[string][]Entry{"audit": found.Audit, "outbox": found.Events} {
		if want := found.History[min(1, len(found.History)):]; !slices.Equal(entries, want) {
			say(HalfWrite, "%s, where it departs from the history: %v, history: %v", what, departure(entries, want), departure(want, entries))
		}
	}
	return faults
}

// departure is where a begins to differ from b, and a little of what follows.
func departure(a, b []Entry) []Entry {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return a[i:min(len(a), i+3)]
}
