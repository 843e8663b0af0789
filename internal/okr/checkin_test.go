package okr_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func TestValidateCheckIn(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		keyResult okr.KeyResult
		checkIn   okr.CheckIn
		want      []string
	}{
		"metric":                  {metric("0", "1"), okr.CheckIn{Value: ptr("-3"), Confidence: 10}, nil},
		"metric without value":    {metric("0", "1"), okr.CheckIn{}, []string{"/value required"}},
		"metric with steps":       {metric("0", "1"), okr.CheckIn{Value: ptr("1"), Done: ids(1)}, []string{"/done field-not-of-kind"}},
		"threshold":               {band("0", "1", ""), okr.CheckIn{Value: ptr("2")}, nil},
		"threshold without value": {band("0", "1", ""), okr.CheckIn{Confidence: 5}, []string{"/value required"}},
		"threshold with steps":    {band("0", "1", ""), okr.CheckIn{Value: ptr("1"), Done: ids(1)}, []string{"/done field-not-of-kind"}},
		"milestone":               {milestone("1", "1"), okr.CheckIn{Done: ids(2)}, nil},
		"milestone, none done":    {milestone("1", "1"), okr.CheckIn{}, nil},
		"milestone with value":    {milestone("1", "1"), okr.CheckIn{Value: ptr("1")}, []string{"/value field-not-of-kind"}},
		"step it does not have":   {milestone("1", "1"), okr.CheckIn{Done: ids(2, 3)}, []string{"/done/1 step-unknown"}},
		"value of endless digits": {metric("0", "1"), okr.CheckIn{Value: ptr("1e9999")}, []string{"/value number-out-of-range"}},
		"confidence too low":      {metric("0", "1"), okr.CheckIn{Value: ptr("1"), Confidence: -1}, []string{"/confidence confidence-out-of-range"}},
		"confidence too high":     {metric("0", "1"), okr.CheckIn{Value: ptr("1"), Confidence: 11}, []string{"/confidence confidence-out-of-range"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantRefused(t, test.keyResult.ValidateCheckIn(test.checkIn), test.want...)
		})
	}
}

// written gives check-in n, written at that hour and correcting check-in corrects unless that is 0.
func written(n byte, hour int, corrects byte) okr.CheckIn {
	c := okr.CheckIn{ID: id(n), At: day("2026-05-04").Add(time.Duration(hour) * time.Hour)}
	if corrects != 0 {
		c.Corrects = new(id(corrects))
	}
	return c
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	type stand struct {
		id   byte
		hour int
	}
	tests := map[string]struct {
		checkIns []okr.CheckIn
		want     []stand
	}{
		"none":                          {nil, nil},
		"by time, not as given":         {[]okr.CheckIn{written(1, 2, 0), written(2, 1, 0)}, []stand{{2, 1}, {1, 2}}},
		"correction of the last":        {[]okr.CheckIn{written(1, 1, 0), written(2, 2, 0), written(3, 3, 2)}, []stand{{1, 1}, {3, 2}}},
		"correction of an earlier one":  {[]okr.CheckIn{written(1, 1, 0), written(2, 2, 0), written(3, 3, 1)}, []stand{{3, 1}, {2, 2}}},
		"correction of a correction":    {[]okr.CheckIn{written(1, 1, 0), written(2, 2, 0), written(3, 3, 1), written(4, 4, 3)}, []stand{{4, 1}, {2, 2}}},
		"two corrections of one":        {[]okr.CheckIn{written(9, 2, 1), written(1, 1, 0), written(3, 3, 1)}, []stand{{9, 1}, {3, 1}}},
		"same time, by id":              {[]okr.CheckIn{written(2, 1, 0), written(1, 1, 0)}, []stand{{1, 1}, {2, 1}}},
		"correction of one not there":   {[]okr.CheckIn{written(2, 2, 1), written(3, 3, 0)}, []stand{{2, 2}, {3, 3}}},
		"correction stamped earlier":    {[]okr.CheckIn{written(1, 5, 0), written(2, 4, 1)}, []stand{{2, 5}}},
		"corrections that run in loops": {[]okr.CheckIn{written(1, 1, 2), written(2, 2, 1), written(3, 3, 3), written(4, 4, 0)}, []stand{{4, 4}}},
		"one that hangs off a loop":     {[]okr.CheckIn{written(1, 1, 2), written(2, 1, 1), written(3, 3, 2)}, []stand{{3, 1}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeline := okr.Timeline(test.checkIns)
			var got []stand
			for _, e := range timeline {
				got = append(got, stand{e.ID[15], e.StandsAt.Hour()})
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
			current, ok := okr.Current(test.checkIns)
			if ok != (len(timeline) > 0) || ok && current.ID != timeline[len(timeline)-1].ID {
				t.Errorf("current is %s, %t", current.ID, ok)
			}
		})
	}
}

// Whatever is corrected, in whatever order, each first check-in leaves one entry that stands at its time and carries the
// value written last in its chain.
func TestTimelineOfChains(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var checkIns []okr.CheckIn
		root := map[uuid.UUID]okr.CheckIn{}
		last := map[uuid.UUID]uuid.UUID{} // by first check-in of a chain
		for i := range rapid.IntRange(1, 12).Draw(t, "check-ins") {
			c := written(byte(i+1), i, 0)
			if i > 0 && rapid.Bool().Draw(t, "corrects") {
				chain := checkIns[rapid.IntRange(0, i-1).Draw(t, "which")].ID
				c.Corrects = new(last[root[chain].ID])
				root[c.ID] = root[chain]
			} else {
				root[c.ID] = c
			}
			last[root[c.ID].ID] = c.ID
			checkIns = append(checkIns, c)
		}
		timeline := okr.Timeline(rapid.Permutation(checkIns).Draw(t, "order"))
		if len(timeline) != len(last) {
			t.Fatalf("%d entries for %d chains", len(timeline), len(last))
		}
		for i, e := range timeline {
			first := root[e.ID]
			if last[first.ID] != e.ID || !e.StandsAt.Equal(first.At) {
				t.Fatalf("%v stands for the chain from %v", e, first)
			}
			if i > 0 && !timeline[i-1].StandsAt.Before(e.StandsAt) {
				t.Fatalf("entries out of order: %v", timeline)
			}
		}
	})
}
