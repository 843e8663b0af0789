package soak

import (
	"slices"
	"testing"

	"github.com/google/uuid"
)

// told is a desk that was told that edits 11 and 13 led to revisions 2 and 4. Of edit 12, which would lead to 3, it was told nothing.
func told() *Desk {
	d := NewDesk(uuid.New(), uuid.New(), "")
	d.remember(11, Served, false)
	d.remember(12, Broken, true)
	d.revision, d.unsure = 3, false // as it was read
	d.remember(13, Served, false)
	return d
}

// stored is what a database holds that has kept all of it.
func stored() Found {
	edits := []Entry{{2, 11}, {3, 12}, {4, 13}}
	return Found{Current: Entry{4, 13}, History: append([]Entry{{1, 0}}, edits...), Audit: slices.Clone(edits), Events: slices.Clone(edits)}
}

func TestWhatWasKeptIsNoFault(t *testing.T) {
	t.Parallel()
	if faults := told().Check(stored()); len(faults) > 0 {
		t.Error(faults)
	}
	untouched := NewDesk(uuid.New(), uuid.New(), "")
	if faults := untouched.Check(Found{Current: Entry{1, 0}, History: []Entry{{1, 0}}}); len(faults) > 0 {
		t.Error(faults)
	}
}

// An edit of which nobody knows may be there or not, but with all that belongs to it.
func TestUnknownMayBeThereOrNot(t *testing.T) {
	t.Parallel()
	d := NewDesk(uuid.New(), uuid.New(), "")
	d.remember(11, Late, true)
	there := Found{Current: Entry{2, 11}, History: []Entry{{1, 0}, {2, 11}}, Audit: []Entry{{2, 11}}, Events: []Entry{{2, 11}}}
	for _, found := range []Found{{Current: Entry{1, 0}, History: []Entry{{1, 0}}}, there} {
		if faults := d.Check(found); len(faults) > 0 {
			t.Error(faults)
		}
	}
	there.Audit = nil
	if faults := d.Check(there); !all(faults, HalfWrite) {
		t.Error(faults)
	}
}

func TestPlantedFaultsAreFound(t *testing.T) {
	t.Parallel()
	cut := func(entries []Entry) []Entry { return entries[:len(entries)-1] }
	for name, c := range map[string]struct {
		plant func(*Found)
		kind  Kind
	}{
		"the last edit is gone": {func(f *Found) {
			f.Current, f.History, f.Audit, f.Events = Entry{3, 12}, cut(f.History), cut(f.Audit), cut(f.Events)
		}, LostWrite},
		"another edit has its place": {func(f *Found) {
			f.Current, f.History[3], f.Audit[2], f.Events[2] = Entry{4, 14}, Entry{4, 14}, Entry{4, 14}, Entry{4, 14}
		}, LostWrite},
		"an edit is there twice": {func(f *Found) {
			f.Current = Entry{5, 13}
			f.History, f.Audit, f.Events = append(f.History, Entry{5, 13}), append(f.Audit, Entry{5, 13}), append(f.Events, Entry{5, 13})
		}, Unaccounted},
		"the row is behind its history":  {func(f *Found) { f.Current = Entry{3, 12} }, HalfWrite},
		"the row is ahead of it":         {func(f *Found) { f.Current = Entry{5, 15} }, HalfWrite},
		"the row has another's title":    {func(f *Found) { f.Current.Number = 12 }, HalfWrite},
		"a revision is missing":          {func(f *Found) { f.History = slices.Delete(f.History, 2, 3) }, HalfWrite},
		"a revision is there twice":      {func(f *Found) { f.History = slices.Insert(f.History, 2, Entry{2, 11}) }, HalfWrite},
		"an audit row is missing":        {func(f *Found) { f.Audit = cut(f.Audit) }, HalfWrite},
		"an audit row is there twice":    {func(f *Found) { f.Audit = slices.Insert(f.Audit, 0, f.Audit[0]) }, HalfWrite},
		"an audit row names another":     {func(f *Found) { f.Audit[1].Number = 99 }, HalfWrite},
		"an event is missing":            {func(f *Found) { f.Events = f.Events[1:] }, HalfWrite},
		"nothing of the objective exist": {func(f *Found) { *f = Found{} }, LostWrite},
	} {
		found := stored()
		c.plant(&found)
		faults := told().Check(found)
		if !slices.ContainsFunc(faults, func(f Fault) bool { return f.Kind == c.kind }) {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

// What was refused must not be there, whatever else may.
func TestRefusedIsNotThere(t *testing.T) {
	t.Parallel()
	d := NewDesk(uuid.New(), uuid.New(), "")
	d.remember(11, Overloaded, false)
	faults := d.Check(Found{Current: Entry{2, 11}, History: []Entry{{1, 0}, {2, 11}}, Audit: []Entry{{2, 11}}, Events: []Entry{{2, 11}}})
	if !all(faults, Unaccounted) {
		t.Error(faults)
	}
}

// Two edits of one revision that are both acknowledged: one of them is lost, whichever is there.
func TestTwoWinnersAreALoss(t *testing.T) {
	t.Parallel()
	d := NewDesk(uuid.New(), uuid.New(), "")
	d.remember(11, Served, false)
	d.revision = 1
	d.remember(12, Served, false)
	faults := d.Check(Found{Current: Entry{2, 12}, History: []Entry{{1, 0}, {2, 12}}, Audit: []Entry{{2, 12}}, Events: []Entry{{2, 12}}})
	if !all(faults, LostWrite) {
		t.Error(faults)
	}
}

func all(faults []Fault, kind Kind) bool {
	return len(faults) > 0 && !slices.ContainsFunc(faults, func(f Fault) bool { return f.Kind != kind })
}

func TestNumbersAreReadBack(t *testing.T) {
	t.Parallel()
	for _, n := range []uint32{1, 4_000_000_000} {
		if got := numberIn(titleOf(n), titlePrefix); got != n {
			t.Errorf("title: %d, want %d", got, n)
		}
		if got := numberIn(requestOf(n), requestPrefix); got != n {
			t.Errorf("request: %d, want %d", got, n)
		}
	}
	for _, text := range []string{"", "Customers stay because support answers first, part 3", titlePrefix + "x", titlePrefix + "99999999999"} {
		if got := numberIn(text, titlePrefix); got != 0 {
			t.Errorf("%q: %d", text, got)
		}
	}
	if got := revisionIn([]byte(`{"progress":{"percent":3},"revision":42,"state":"draft"}`)); got != 42 {
		t.Errorf("revision: %d", got)
	}
	if got := revisionIn([]byte(`{"title":"no number"}`)); got != 0 {
		t.Errorf("revision: %d", got)
	}
}

// Only what the server itself says to have changed nothing is no doubt.
func TestOutcomesOfAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status  int
		body    string
		want    Outcome
		unknown bool
	}{
		{200, "", Served, false}, {409, "", Conflict, false}, {429, "", Limited, false}, {500, "", Failed, true},
		{503, `{"type":"overloaded"}`, Overloaded, false}, {503, `{"type":"busy"}`, Overloaded, false},
		{503, `{"type":"lock-timeout"}`, Overloaded, false}, {503, `{"type":"acquire-timeout"}`, Overloaded, false},
		{503, `{"type":"unavailable"}`, Unavailable, true}, {503, "", Unavailable, true},
	} {
		if got := outcomeOf(c.status, []byte(c.body)); got != c.want || got.unknown() != c.unknown {
			t.Errorf("%d %s: %s, unknown %t", c.status, c.body, got, got.unknown())
		}
	}
}
