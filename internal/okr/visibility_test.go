package okr_test

import (
	"testing"

	"github.com/kakeai/kakeai/internal/okr"
)

func TestSeenBy(t *testing.T) {
	t.Parallel()
	readers := map[string]okr.Reader{
		"anyone": {}, "owner": {Owner: true}, "member": {Member: true}, "lead": {TeamLead: true}, "admin": {Admin: true},
	}
	tests := map[okr.Visibility]map[string]bool{
		okr.VisibleToOrganization: {"anyone": true, "owner": true, "member": true, "lead": true, "admin": true},
		okr.VisibleToTeam:         {"owner": true, "member": true, "lead": true, "admin": true},
		okr.VisiblePrivate:        {"owner": true, "lead": true, "admin": true},
		"unheard of":              {"owner": true, "lead": true, "admin": true},
	}
	for visibility, seen := range tests {
		for who, reader := range readers {
			if got := visibility.SeenBy(reader); got != seen[who] {
				t.Errorf("%s is seen by %s: %t", visibility, who, got)
			}
		}
	}
}

func TestValid(t *testing.T) {
	t.Parallel()
	for _, v := range []interface{ Valid() bool }{
		okr.Metric, okr.Threshold, okr.Milestone,
		okr.ObjectiveDraft, okr.ObjectiveSubmitted, okr.ObjectiveApproved, okr.ObjectiveClosed, okr.ObjectiveArchived,
		okr.CyclePreparation, okr.CycleActive, okr.CycleClosed,
		okr.VisibleToOrganization, okr.VisibleToTeam, okr.VisiblePrivate,
		okr.Committed, okr.Aspirational,
		okr.Weekly, okr.Biweekly, okr.Monthly,
	} {
		if !v.Valid() {
			t.Errorf("%T %q is not valid", v, v)
		}
	}
	for _, v := range []interface{ Valid() bool }{
		okr.KeyResultKind(""), okr.ObjectiveState(""), okr.CycleState("draft"), okr.Visibility("public"),
		okr.Commitment("hoped"), okr.Cadence("daily"),
	} {
		if v.Valid() {
			t.Errorf("%T %q is valid", v, v)
		}
	}
}
