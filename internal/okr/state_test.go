package okr_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

var (
	allStates = []okr.ObjectiveState{
		okr.ObjectiveDraft, okr.ObjectiveSubmitted, okr.ObjectiveApproved, okr.ObjectiveClosed, okr.ObjectiveArchived,
	}
	allActions = []okr.Action{
		okr.ActionSubmit, okr.ActionReturn, okr.ActionApprove, okr.ActionRevise, okr.ActionClose, okr.ActionReopen,
		okr.ActionArchive, okr.ActionRestore,
	}
)

// Every state with every action: what is not in the table is refused and changes nothing.
func TestNext(t *testing.T) {
	t.Parallel()
	type step struct {
		from   okr.ObjectiveState
		action okr.Action
	}
	allowed := map[step]okr.ObjectiveState{
		{okr.ObjectiveDraft, okr.ActionSubmit}:      okr.ObjectiveSubmitted,
		{okr.ObjectiveSubmitted, okr.ActionReturn}:  okr.ObjectiveDraft,
		{okr.ObjectiveSubmitted, okr.ActionApprove}: okr.ObjectiveApproved,
		{okr.ObjectiveApproved, okr.ActionRevise}:   okr.ObjectiveDraft,
		{okr.ObjectiveApproved, okr.ActionClose}:    okr.ObjectiveClosed,
		{okr.ObjectiveClosed, okr.ActionReopen}:     okr.ObjectiveApproved,
		{okr.ObjectiveDraft, okr.ActionArchive}:     okr.ObjectiveArchived,
		{okr.ObjectiveSubmitted, okr.ActionArchive}: okr.ObjectiveArchived,
		{okr.ObjectiveApproved, okr.ActionArchive}:  okr.ObjectiveArchived,
		{okr.ObjectiveClosed, okr.ActionArchive}:    okr.ObjectiveArchived,
		{okr.ObjectiveArchived, okr.ActionRestore}:  okr.ObjectiveApproved, // where this test archives from
	}
	for _, from := range append(allStates, "", "unheard of") {
		for _, action := range append(allActions, "", "unheard of") {
			status := okr.Status{State: from}
			if from == okr.ObjectiveArchived {
				status.ArchivedFrom = okr.ObjectiveApproved
			}
			next, err := status.Next(action)
			want, ok := allowed[step{from, action}]
			if ok && (err != nil || next.State != want) {
				t.Errorf("%q %q gives %q, %v; want %q", from, action, next.State, err, want)
			}
			if !ok && next != status {
				t.Errorf("%q %q is refused and gives %+v", from, action, next)
			}
			refused, isRefused := errors.AsType[*okr.TransitionError](err)
			if !ok && (!isRefused || refused.State != from || refused.Action != action) {
				t.Errorf("%q %q gives %q, %v; want it refused", from, action, next.State, err)
			}
		}
	}
}

func TestTransitionError(t *testing.T) {
	t.Parallel()
	_, err := okr.Status{State: okr.ObjectiveDraft}.Next(okr.ActionApprove)
	if want := "okr: an objective that is draft cannot take the action approve"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestRestoreGoesBackToTheStateBefore(t *testing.T) {
	t.Parallel()
	for _, state := range allStates[:4] {
		archived, err := okr.Status{State: state}.Next(okr.ActionArchive)
		if err != nil || archived != (okr.Status{State: okr.ObjectiveArchived, ArchivedFrom: state}) {
			t.Errorf("archiving %s gives %+v, %v", state, archived, err)
		}
		if restored, err := archived.Next(okr.ActionRestore); err != nil || restored != (okr.Status{State: state}) {
			t.Errorf("restoring %s gives %+v, %v", state, restored, err)
		}
	}
	for _, from := range []okr.ObjectiveState{"", "unheard of", okr.ObjectiveArchived} {
		if next, err := (okr.Status{State: okr.ObjectiveArchived, ArchivedFrom: from}).Next(okr.ActionRestore); err == nil {
			t.Errorf("restoring to %q gives %+v", from, next)
		}
	}
}

func TestStatusStaysDefined(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		status := okr.Status{State: okr.ObjectiveDraft}
		wasApproved := false
		actions := rapid.SampledFrom(append(slices.Clone(allActions), "unheard of"))
		for _, action := range rapid.SliceOfN(actions, 0, 40).Draw(t, "actions") {
			offered := slices.Contains(status.Actions(okr.AsOwner, okr.AsReviewer), action)
			next, err := status.Next(action)
			if offered != (err == nil) {
				t.Fatalf("%+v offers %s: %t, takes it: %v", status, action, offered, err)
			}
			status = next
			wasApproved = wasApproved || err == nil && action == okr.ActionApprove
			archived := status.State == okr.ObjectiveArchived
			if !slices.Contains(allStates, status.State) || archived != (status.ArchivedFrom != "") ||
				archived && !slices.Contains(allStates[:4], status.ArchivedFrom) {
				t.Fatalf("%s led to %+v", action, status)
			}
			if status.State.Counts() && !wasApproved {
				t.Fatalf("%s led to %+v, and nobody approved it", action, status)
			}
		}
	})
}

func TestOpenTo(t *testing.T) {
	t.Parallel()
	tests := map[okr.Action]struct{ owner, reviewer bool }{
		okr.ActionSubmit:  {owner: true},
		okr.ActionReturn:  {reviewer: true},
		okr.ActionApprove: {reviewer: true},
		okr.ActionRevise:  {reviewer: true},
		okr.ActionClose:   {owner: true, reviewer: true},
		okr.ActionReopen:  {reviewer: true},
		okr.ActionArchive: {owner: true, reviewer: true},
		okr.ActionRestore: {owner: true, reviewer: true},
		"unheard of":      {},
	}
	for action, want := range tests {
		if got := action.OpenTo(okr.AsOwner); got != want.owner {
			t.Errorf("%s open to owners: %t", action, got)
		}
		if got := action.OpenTo(okr.AsReviewer); got != want.reviewer {
			t.Errorf("%s open to reviewers: %t", action, got)
		}
		if got := action.OpenTo(okr.AsOwner, okr.AsReviewer); got != (want.owner || want.reviewer) {
			t.Errorf("%s open to who is both: %t", action, got)
		}
		if action.OpenTo() {
			t.Errorf("%s is open to anyone", action)
		}
		if got := action.NeedsNote(); got != (action == okr.ActionReturn) {
			t.Errorf("%s needs a note: %t", action, got)
		}
	}
}

func TestWhatNeedsAnOpenCycle(t *testing.T) {
	t.Parallel()
	for action, want := range map[okr.Action]bool{
		okr.ActionSubmit: true, okr.ActionApprove: true, okr.ActionRevise: true,
		okr.ActionReturn: false, okr.ActionClose: false, okr.ActionReopen: false, okr.ActionArchive: false, okr.ActionRestore: false,
	} {
		if got := action.NeedsOpenCycle(); got != want {
			t.Errorf("%s needs an open cycle: %t", action, got)
		}
	}
}

func TestActions(t *testing.T) {
	t.Parallel()
	submitted := okr.Status{State: okr.ObjectiveSubmitted}
	if got, want := submitted.Actions(okr.AsOwner), []okr.Action{okr.ActionArchive}; !slices.Equal(got, want) {
		t.Errorf("an owner may %v, want %v", got, want)
	}
	want := []okr.Action{okr.ActionReturn, okr.ActionApprove, okr.ActionArchive}
	if got := submitted.Actions(okr.AsReviewer); !slices.Equal(got, want) {
		t.Errorf("a reviewer may %v, want %v", got, want)
	}
	if got := submitted.Actions(); got != nil {
		t.Errorf("anyone may %v", got)
	}
}

func TestMayApprove(t *testing.T) {
	t.Parallel()
	author, other, third := id(1), id(2), id(3)
	tests := map[string]struct {
		actor            uuid.UUID
		reviewers        []uuid.UUID
		ok, selfApproval bool
	}{
		"another reviewer":                     {other, []uuid.UUID{author, other}, true, false},
		"the only reviewer, not the author":    {other, []uuid.UUID{other}, true, false},
		"not a reviewer":                       {third, []uuid.UUID{author, other}, false, false},
		"the author, not a reviewer":           {author, []uuid.UUID{other}, false, false},
		"the author, with another reviewer":    {author, []uuid.UUID{author, other}, false, false},
		"the author, the only reviewer":        {author, []uuid.UUID{author}, true, true},
		"the author, the only one, twice":      {author, []uuid.UUID{author, author}, true, true},
		"the author, in a team without any":    {author, nil, false, false},
		"another, where the author is the one": {other, []uuid.UUID{author}, false, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ok, selfApproval := okr.MayApprove(author, test.actor, test.reviewers)
			if ok != test.ok || selfApproval != test.selfApproval {
				t.Errorf("may %t, on their own %t; want %t, %t", ok, selfApproval, test.ok, test.selfApproval)
			}
		})
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	for _, state := range append(allStates, "", "unheard of") {
		if got, want := state.Counts(), state == okr.ObjectiveApproved || state == okr.ObjectiveClosed; got != want {
			t.Errorf("%q counts: %t", state, got)
		}
	}
}
