package snapshot

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// Difference is what has to be written so that one state of an organisation becomes another. Compare makes it, Write writes it, and Check tells
// whether it was kept. It is the inner part of Database.Change for programs that keep states in memory and hold the organisation's lock themselves,
// in transactions of their own; which requests of the product never do.
type Difference struct {
	before  *Snapshot
	planned *plan
}

// Compare returns what has to be written so that before becomes after. An after that was made by replacing parts of before costs little: what the two
// share is seen to be the same without being looked into. The errors are those of Database.Change, but their pointers count differing things alone.
func Compare(before, after *Snapshot) (*Difference, error) {
	b, a := *before, *after
	b.Users, a.Users = unshared(before.Users, after.Users, func(x, y *User) bool { return *x == *y })
	b.Memberships, a.Memberships = unshared(before.Memberships, after.Memberships, func(x, y *Membership) bool { return *x == *y })
	b.Teams, a.Teams = unshared(before.Teams, after.Teams, func(x, y *Team) bool { return x.TeamRow == y.TeamRow && oneList(x.Members, y.Members) })
	b.Cycles, a.Cycles = unshared(before.Cycles, after.Cycles, func(x, y *Cycle) bool { return *x == *y })
	b.Objectives, a.Objectives = unshared(before.Objectives, after.Objectives, func(x, y *Objective) bool {
		return x.ObjectiveRow == y.ObjectiveRow && oneList(x.KeyResults, y.KeyResults)
	})
	planned, err := compare(&b, &a)
	if err != nil {
		return nil, err
	}
	return &Difference{before: &b, planned: planned}, nil
}

// unshared are two lists without what is the same at the same place in both.
func unshared[T any](before, after []T, same func(x, y *T) bool) (b, a []T) {
	if oneList(before, after) {
		return nil, nil
	}
	both := min(len(before), len(after))
	for i := range both {
		if !same(&before[i], &after[i]) {
			b, a = append(b, before[i]), append(a, after[i])
		}
	}
	return append(b, before[both:]...), append(a, after[both:]...)
}

// oneList reports whether two lists are one and the same in memory.
func oneList[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Write writes the difference and raises the organisation's revision, which it returns, even if nothing differs. It runs in a transaction that already
// keeps other changes of the whole organisation away. Of c it uses who changes and from where. The error is a MovedError if a row, or the
// organisation, was no longer at the revision that was read.
func (d *Difference) Write(ctx context.Context, q *db.Queries, c Change) (revision int64, err error) {
	w := &changeWriter{q: q, organization: d.before.Organization.ID, change: c}
	revision, err = w.write(ctx, d.before, d.planned)
	if db.Moved(err) || errors.Is(err, errStale) {
		return 0, &MovedError{err: err}
	}
	return revision, err
}

// Check returns a RefusedError unless now, which was read after Write in the same transaction, is what was to become, and has none but the known faults.
// faults are all that now has; they are the known ones of the next change.
func (d *Difference) Check(now *Snapshot, known []Fault) (faults []Fault, err error) {
	var otherwise []Fault
	if c := d.planned.organization; c != nil {
		otherwise = unlike([]change[Organization]{*c}, []Organization{now.Organization})
	}
	otherwise = slices.Concat(otherwise, kept(d.planned.members, now.Memberships), kept(d.planned.teams, now.Teams),
		kept(d.planned.cycles, now.Cycles), kept(d.planned.objectives, now.Objectives))
	if len(otherwise) > 0 {
		return nil, refused(otherwise...)
	}
	faults = now.EntityFaults()
	if added := newFaults(known, slices.Clone(faults)); len(added) > 0 {
		return nil, refused(added...)
	}
	return faults, nil
}

// kept is unlike for few changes among many things.
func kept[T changeable](changes []change[T], now []T) []Fault {
	if len(changes) == 0 {
		return nil
	}
	wanted := make(map[uuid.UUID]bool, len(changes))
	for _, c := range changes {
		wanted[c.after.aggregate().ID] = true
	}
	var some []T
	for _, n := range now {
		if wanted[n.aggregate().ID] {
			some = append(some, n)
		}
	}
	return unlike(changes, some)
}
