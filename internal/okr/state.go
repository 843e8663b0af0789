package okr

import (
	"fmt"
	"slices"

	"github.com/google/uuid"
)

// ObjectiveState is where an objective stands in its life.
type ObjectiveState string

const (
	ObjectiveDraft     ObjectiveState = "draft"
	ObjectiveSubmitted ObjectiveState = "submitted"
	ObjectiveApproved  ObjectiveState = "approved"
	ObjectiveClosed    ObjectiveState = "closed"
	ObjectiveArchived  ObjectiveState = "archived"
)

// Valid reports whether s is one of the five states.
func (s ObjectiveState) Valid() bool {
	switch s {
	case ObjectiveDraft, ObjectiveSubmitted, ObjectiveApproved, ObjectiveClosed, ObjectiveArchived:
		return true
	}
	return false
}

// Counts reports whether an objective in this state enters the number of its team, cycle and organisation: only approved
// and closed ones do.
func (s ObjectiveState) Counts() bool { return s == ObjectiveApproved || s == ObjectiveClosed }

// Action is what someone does to an objective to change its state.
type Action string

const (
	ActionSubmit  Action = "submit"  // draft → submitted
	ActionReturn  Action = "return"  // submitted → draft, with a note
	ActionApprove Action = "approve" // submitted → approved; see [MayApprove]
	ActionRevise  Action = "revise"  // approved → draft
	ActionClose   Action = "close"   // approved → closed; see [Closing]
	ActionReopen  Action = "reopen"  // closed → approved
	ActionArchive Action = "archive" // any other state → archived
	ActionRestore Action = "restore" // archived → the state before it
)

// Capacity is in what relation to an objective someone acts. One person may have both.
type Capacity string

const (
	AsOwner    Capacity = "owner"
	AsReviewer Capacity = "reviewer"
)

// transition is one arrow. An empty from or to is decided by [Status.Next].
type transition struct {
	action   Action
	from, to ObjectiveState
	by       []Capacity
}

var transitions = []transition{
	{ActionSubmit, ObjectiveDraft, ObjectiveSubmitted, []Capacity{AsOwner}},
	{ActionReturn, ObjectiveSubmitted, ObjectiveDraft, []Capacity{AsReviewer}},
	{ActionApprove, ObjectiveSubmitted, ObjectiveApproved, []Capacity{AsReviewer}},
	{ActionRevise, ObjectiveApproved, ObjectiveDraft, []Capacity{AsReviewer}},
	{ActionClose, ObjectiveApproved, ObjectiveClosed, []Capacity{AsOwner, AsReviewer}},
	{ActionReopen, ObjectiveClosed, ObjectiveApproved, []Capacity{AsReviewer}},
	{ActionArchive, "", ObjectiveArchived, []Capacity{AsOwner, AsReviewer}},
	{ActionRestore, ObjectiveArchived, "", []Capacity{AsOwner, AsReviewer}},
}

// OpenTo reports whether someone with any of the capacities may take the action, where the state allows it.
func (a Action) OpenTo(capacities ...Capacity) bool {
	for _, t := range transitions {
		if t.action == a {
			return slices.ContainsFunc(capacities, func(c Capacity) bool { return slices.Contains(t.by, c) })
		}
	}
	return false
}

// NeedsNote reports whether the action is refused without a note: only a return always is. For a close, see [Closing].
func (a Action) NeedsNote() bool { return a == ActionReturn }

// NeedsOpenCycle reports whether the action is refused once the objective's cycle is closed: what leads to an approved objective or to a
// draft, which belong to cycles that are still in preparation or active. An objective that is approved already is still closed with its
// score, and one that was closed is reopened to be scored anew.
func (a Action) NeedsOpenCycle() bool {
	return a == ActionSubmit || a == ActionApprove || a == ActionRevise
}

// Status is the state of an objective and, while it is archived, the state it was archived from.
type Status struct {
	State        ObjectiveState
	ArchivedFrom ObjectiveState // empty unless State is archived
}

// TransitionError says that an objective in this state cannot take this action.
type TransitionError struct {
	State  ObjectiveState
	Action Action
}

func (e *TransitionError) Error() string {
	return fmt.Sprintf("okr: an objective that is %s cannot take the action %s", e.State, e.Action)
}

// Next is the status after an action. It returns a [*TransitionError] where the state does not allow it, and for a state
// or an action there is not. Who acts is not asked: see [Action.OpenTo] and [MayApprove].
func (s Status) Next(action Action) (Status, error) {
	refused := &TransitionError{State: s.State, Action: action}
	if !s.State.Valid() {
		return s, refused
	}
	archived := s.State == ObjectiveArchived
	switch {
	case action == ActionArchive && !archived:
		return Status{State: ObjectiveArchived, ArchivedFrom: s.State}, nil
	case action == ActionRestore && archived && s.ArchivedFrom.Valid() && s.ArchivedFrom != ObjectiveArchived:
		return Status{State: s.ArchivedFrom}, nil
	}
	for _, t := range transitions {
		if t.action == action && t.from == s.State && t.to != "" {
			return Status{State: t.to}, nil
		}
	}
	return s, refused
}

// Actions are those that the state allows someone with the capacities, always in the same order.
func (s Status) Actions(capacities ...Capacity) []Action {
	var actions []Action
	for _, t := range transitions {
		if _, err := s.Next(t.action); err == nil && t.action.OpenTo(capacities...) {
			actions = append(actions, t.action)
		}
	}
	return actions
}

// MayApprove reports whether actor may approve an objective written by author, where reviewers are all the reviewers its
// team has. Only a reviewer may; and not the author, unless no one else could: the team has no other reviewer. Then
// selfApproval is true, and the audit has to say so.
func MayApprove(author, actor uuid.UUID, reviewers []uuid.UUID) (ok, selfApproval bool) {
	if !slices.Contains(reviewers, actor) {
		return false, false
	}
	if actor != author {
		return true, false
	}
	other := slices.ContainsFunc(reviewers, func(r uuid.UUID) bool { return r != author })
	return !other, !other
}
