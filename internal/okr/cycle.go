package okr

import "time"

// CycleState is where a cycle stands. It only moves forward: preparation → active → closed.
type CycleState string

const (
	CyclePreparation CycleState = "preparation"
	CycleActive      CycleState = "active"
	CycleClosed      CycleState = "closed"
)

// Valid reports whether s is one of the three states.
func (s CycleState) Valid() bool {
	return s == CyclePreparation || s == CycleActive || s == CycleClosed
}

// MayBecome reports whether a cycle may go from this state to the other in one change.
func (s CycleState) MayBecome(next CycleState) bool {
	return s == CyclePreparation && next == CycleActive || s == CycleActive && next == CycleClosed
}

// MayDraft reports whether objectives may be drafted in a cycle in this state: in preparation and while active.
func (s CycleState) MayDraft() bool { return s == CyclePreparation || s == CycleActive }

// MayCarryOver reports whether objectives may be carried over from a cycle into another: from one that has begun, into one in which
// objectives may be drafted and that begins later. Neither a copy back in time nor one within a cycle would be a carry-over.
func MayCarryOver(from CycleState, startsOn time.Time, into CycleState, nextStartsOn time.Time) bool {
	return (from == CycleActive || from == CycleClosed) && into.MayDraft() && date(nextStartsOn).After(date(startsOn))
}

// DefaultGraceDays is how many days after its end a cycle still takes check-ins, where the organisation sets no other.
const DefaultGraceDays = 7

// MayCheckIn reports whether a cycle takes check-ins today: while it is active, until graceDays days after endsOn, the
// last of them included. A cycle nobody closed does not stay open for ever, and one that was closed takes none though
// its days of grace are not over.
func MayCheckIn(state CycleState, endsOn time.Time, graceDays int, today time.Time) bool {
	return state == CycleActive && daysBetween(endsOn, today) <= graceDays
}
