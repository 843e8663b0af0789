package snapshot

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// sort puts every list in the order that an export has.
func (s *Snapshot) sort() {
	slices.SortFunc(s.Users, func(a, b User) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Memberships, func(a, b Membership) int { return compareIDs(a.UserID, b.UserID) })
	slices.SortFunc(s.Teams, func(a, b Team) int { return compareIDs(a.ID, b.ID) })
	for _, t := range s.Teams {
		slices.SortFunc(t.Members, func(a, b TeamMember) int { return compareIDs(a.UserID, b.UserID) })
	}
	slices.SortFunc(s.Cycles, func(a, b Cycle) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Objectives, func(a, b Objective) int { return compareIDs(a.ID, b.ID) })
	for _, o := range s.Objectives {
		slices.SortFunc(o.KeyResults, compareKeyResults)
		for _, k := range o.KeyResults {
			slices.SortFunc(k.Steps, compareSteps)
		}
	}
	slices.SortFunc(s.CheckIns, func(a, b CheckIn) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.History, func(a, b ObjectiveHistory) int {
		return cmp.Or(compareIDs(a.ObjectiveID, b.ObjectiveID), cmp.Compare(a.Revision, b.Revision))
	})
	slices.SortFunc(s.Comments, func(a, b Comment) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Dialogues, func(a, b Dialogue) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Jobs, func(a, b AIJob) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Messages, func(a, b Message) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Suggestions, func(a, b Suggestion) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.AuditEvents, func(a, b AuditEvent) int { return compareIDs(a.ID, b.ID) })
	s.sortAlignment()
	s.sortCommunication()
}

func compareKeyResults(a, b KeyResult) int {
	return cmp.Or(cmp.Compare(a.Position, b.Position), compareIDs(a.ID, b.ID))
}

func compareSteps(a, b MilestoneStep) int {
	return cmp.Or(cmp.Compare(a.Position, b.Position), compareIDs(a.ID, b.ID))
}

// same reports whether two rows are one line in a file, but for the order of names in what they hold as JSON, which nobody keeps.
func same(a, b any) bool {
	left, err := json.Marshal(a, jsonOptions())
	if err != nil {
		return false
	}
	right, err := json.Marshal(b, jsonOptions())
	if err != nil {
		return false
	}
	if bytes.Equal(left, right) {
		return true
	}
	_, differs := differing(left, right)
	return !differs
}

// The bare form of a thing is what somebody may change of it: without revision, times, authors and what is measured, which the server keeps, and
// with "when" reduced to "whether".

func (o Organization) bare() any {
	o.Revision, o.CreatedAt, o.ChangedAt = 0, time.Time{}, time.Time{}
	return o
}

func (u User) bare() any {
	u.PasswordHash, u.CreatedAt, u.ChangedAt = nil, time.Time{}, time.Time{}
	return u
}

func (m Membership) bare() any {
	m.SuspendedAt = whether(m.SuspendedAt)
	m.Revision, m.CreatedAt, m.ChangedAt = 0, time.Time{}, time.Time{}
	return m
}

func (t Team) bare() any {
	t.ArchivedAt = whether(t.ArchivedAt)
	t.Revision, t.CreatedAt, t.ChangedAt, t.ChangedBy = 0, time.Time{}, time.Time{}, uuid.Nil
	t.Members = slices.Clone(t.Members)
	for i := range t.Members {
		t.Members[i].CreatedAt = time.Time{}
	}
	slices.SortFunc(t.Members, func(a, b TeamMember) int { return compareIDs(a.UserID, b.UserID) })
	return t
}

func (c Cycle) bare() any {
	c.Revision, c.CreatedAt, c.ChangedAt, c.ChangedBy = 0, time.Time{}, time.Time{}, uuid.Nil
	return c
}

func (o Objective) bare() any {
	o.ArchivedAt = whether(o.ArchivedAt)
	o.Revision, o.CreatedAt, o.CreatedBy, o.ChangedAt, o.ChangedBy = 0, time.Time{}, uuid.Nil, time.Time{}, uuid.Nil
	o.CarriedFromID, o.AlignmentFlagged = nil, false // where it comes from, which no change of a file makes up
	o.KeyResults = slices.Clone(o.KeyResults)
	slices.SortFunc(o.KeyResults, compareKeyResults)
	for i, k := range o.KeyResults {
		o.KeyResults[i] = k.bare()
	}
	return o
}

func (k KeyResult) bare() KeyResult {
	k.ArchivedAt = whether(k.ArchivedAt)
	k.CurrentCheckInID, k.CurrentValue, k.CurrentDoneSteps, k.CurrentConfidence, k.CurrentAt = nil, (*decimal.Decimal)(nil), nil, nil, nil
	k.CarriedFromID = nil
	k.Steps = slices.Clone(k.Steps)
	slices.SortFunc(k.Steps, compareSteps)
	return k
}

func whether(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	return &time.Time{}
}

// changeable is what a change compares: something with an id and a revision of its own.
type changeable interface {
	aggregate() Aggregate
	revision() int64
	bare() any
}

func (o Organization) aggregate() Aggregate { return Aggregate{"organization", o.ID} }
func (m Membership) aggregate() Aggregate   { return Aggregate{"member", m.UserID} }
func (t Team) aggregate() Aggregate         { return Aggregate{"team", t.ID} }
func (c Cycle) aggregate() Aggregate        { return Aggregate{"cycle", c.ID} }
func (o Objective) aggregate() Aggregate    { return Aggregate{"objective", o.ID} }

func (o Organization) revision() int64 { return o.Revision }
func (m Membership) revision() int64   { return m.Revision }
func (t Team) revision() int64         { return t.Revision }
func (c Cycle) revision() int64        { return c.Revision }
func (o Objective) revision() int64    { return o.Revision }

// change is one thing that is to become another.
type change[T changeable] struct {
	before *T // nil for what is new
	after  T
}

// plan is what differs between what was read and what is wanted.
type plan struct {
	organization *change[Organization]
	newcomers    []User
	members      []change[Membership]
	teams        []change[Team]
	cycles       []change[Cycle]
	objectives   []change[Objective]
}

// changed are the things that the plan changes.
func (p *plan) changed() []Aggregate {
	var all []Aggregate
	if p.organization != nil {
		all = append(all, p.organization.after.aggregate())
	}
	all = appendAggregates(all, p.members)
	all = appendAggregates(all, p.teams)
	all = appendAggregates(all, p.cycles)
	return appendAggregates(all, p.objectives)
}

func appendAggregates[T changeable](all []Aggregate, changes []change[T]) []Aggregate {
	for _, c := range changes {
		all = append(all, c.after.aggregate())
	}
	return all
}

// comparison makes a plan, or collects why there can be none.
type comparison struct {
	plan
	moved  []Moved
	faults []Fault
}

// compare returns what has to be written so that before becomes after. It is a MovedError if after was made from other revisions than those that are
// there, and a RefusedError if it wants what is not changed this way: nothing is deleted, records are not touched, and people are their own.
func compare(before, after *Snapshot) (*plan, error) {
	var c comparison
	if before.Organization.ID != after.Organization.ID {
		return nil, refused(Fault{Pointer: "/organization/id", Kind: "organization", ID: after.Organization.ID, Code: codeForeign, Detail: "This is another organisation."})
	}
	settings := diff(&c, []Organization{before.Organization}, []Organization{after.Organization}, func(int) string { return "/organization" })
	if len(settings) > 0 {
		c.organization = &settings[0]
	}
	c.people(before, after)
	c.members = diff(&c, before.Memberships, after.Memberships, inList("memberships"))
	c.teams = diff(&c, before.Teams, after.Teams, inList("teams"))
	c.cycles = diff(&c, before.Cycles, after.Cycles, inList("cycles"))
	c.objectives = diff(&c, before.Objectives, after.Objectives, inList("objectives"))
	c.keyResults()
	c.records(before, after)
	switch {
	case len(c.moved) > 0:
		return nil, &MovedError{Aggregates: c.moved}
	case len(c.faults) > 0:
		return nil, refused(c.faults...)
	}
	return &c.plan, nil
}

func inList(name string) func(int) string {
	return func(i int) string { return fmt.Sprintf("/%s/%d", name, i) }
}

const (
	codeNotDeleted = "not-deleted-here"
	codeNotChanged = "not-changed-here"
	codeNotAdded   = "not-added-here"
)

// diff compares two lists of things by their ids.
func diff[T changeable](c *comparison, before, after []T, pointer func(int) string) []change[T] {
	was := make(map[uuid.UUID]*T, len(before))
	for i := range before {
		was[before[i].aggregate().ID] = &before[i]
	}
	var changes []change[T]
	for i, a := range after {
		b := was[a.aggregate().ID]
		delete(was, a.aggregate().ID)
		switch {
		case b == nil:
			changes = append(changes, change[T]{after: a})
		case (*b).revision() != a.revision():
			c.moved = append(c.moved, Moved{Aggregate: a.aggregate(), Pointer: pointer(i), Read: a.revision(), Present: (*b).revision()})
		case !same((*b).bare(), a.bare()):
			changes = append(changes, change[T]{before: b, after: a})
		}
	}
	for _, b := range before {
		if was[b.aggregate().ID] != nil {
			a := b.aggregate()
			c.faults = append(c.faults, Fault{Kind: a.Kind, ID: a.ID, Code: codeNotDeleted, Detail: "It is left out, and nothing is deleted this way: suspend or archive it."})
		}
	}
	return changes
}

// people adds those who are new. What somebody is called and how they sign in is not an organisation's to change: they may belong to others.
func (c *comparison) people(before, after *Snapshot) {
	was := make(map[uuid.UUID]User, len(before.Users))
	for _, u := range before.Users {
		was[u.ID] = u
	}
	for i, u := range after.Users {
		known, ok := was[u.ID]
		switch {
		case !ok:
			c.newcomers = append(c.newcomers, u)
		case !same(known.bare(), u.bare()):
			c.faults = append(c.faults, Fault{Pointer: fmt.Sprintf("/users/%d", i), Kind: "person", ID: u.ID, Code: codeNotChanged, Detail: "People are not changed this way: they may belong to other organisations."})
		}
	}
}

// keyResults refuses to take key results out of objectives: their check-ins would have nowhere to be.
func (c *comparison) keyResults() {
	for _, o := range c.objectives {
		if o.before == nil {
			continue
		}
		for _, k := range o.before.KeyResults {
			if !slices.ContainsFunc(o.after.KeyResults, func(now KeyResult) bool { return now.ID == k.ID }) {
				c.faults = append(c.faults, Fault{Kind: "key result", ID: k.ID, Code: codeNotDeleted, Detail: "It is left out of its objective: archive it instead."})
			}
		}
	}
}

// records refuses what is not there. What is there and was left out stays: people add to these lists all the time, and conflict with nobody.
func (c *comparison) records(before, after *Snapshot) {
	for _, part := range sections()[entitySections:] {
		if part.shared(before, after) {
			continue
		}
		was := map[string]any{}
		_ = part.rows(before, func(row any) error { was[recordKey(row)] = row; return nil }) // collecting does not fail
		i := 0
		_ = part.rows(after, func(row any) error {
			known, ok := was[recordKey(row)]
			fault := Fault{Pointer: fmt.Sprintf("/%s/%d", part.name, i)}
			i++
			switch {
			case !ok:
				fault.Code, fault.Detail = codeNotAdded, "Records are made by what they record, and not added this way."
				c.faults = append(c.faults, fault)
			case unchanging(row) && !same(known, row):
				fault.Code, fault.Detail = codeNotChanged, "Records are not changed."
				c.faults = append(c.faults, fault)
			}
			return nil
		})
	}
}

func recordKey(row any) string {
	switch row := row.(type) {
	case ObjectiveHistory:
		return fmt.Sprint(row.ObjectiveID, row.Revision)
	case CheckIn:
		return row.ID.String()
	case Comment:
		return row.ID.String()
	case Dialogue:
		return row.ID.String()
	case AIJob:
		return row.ID.String()
	case Message:
		return row.ID.String()
	case Suggestion:
		return row.ID.String()
	case AuditEvent:
		return row.ID.String()
	}
	return alignmentKey(row) + communicationKey(row)
}

// unchanging reports whether a record stays as it was written. Jobs end, suggestions are decided, comments, broadcasts and meetings may be edited, by other ways.
func unchanging(row any) bool {
	switch row.(type) {
	case AIJob, Suggestion, Comment:
		return false
	}
	return alignmentKey(row)+communicationKey(row) == ""
}
