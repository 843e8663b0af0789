package convene

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/db"
)

// However occurrences lie and times are wanted: who stays, stays; every wanted time is had once; and no two are at one time.
func TestArrangingKeepsWhoStaysAndFillsWhatIsWanted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hours := rapid.SliceOfNDistinct(rapid.IntRange(0, 30), 0, 20, rapid.ID[int])
		at := func(hour int) time.Time {
			return time.Date(2026, time.December, 1, hour, 0, 0, 0, time.UTC)
		}
		var present []db.MeetingOccurrence
		for _, h := range hours.Draw(t, "present") {
			present = append(present, db.MeetingOccurrence{ID: uuid.New(), RecurrenceAt: at(h), Moved: rapid.Bool().Draw(t, "stays")})
		}
		var wanted []time.Time
		for _, h := range hours.Draw(t, "wanted") {
			wanted = append(wanted, at(h))
		}
		slices.SortFunc(wanted, time.Time.Compare)
		a := arrange(present, wanted, func(o db.MeetingOccurrence) bool { return o.Moved })

		had := map[time.Time]int{}
		seen := map[uuid.UUID]int{}
		for _, k := range a.kept {
			had[k.at]++
			seen[k.id]++
		}
		for _, id := range a.dropped {
			seen[id]++
		}
		for _, added := range a.added {
			had[added]++
		}
		for _, o := range present {
			if o.Moved {
				had[o.RecurrenceAt]++
				if seen[o.ID] != 0 {
					t.Fatalf("%s should stay", o.ID)
				}
			} else if seen[o.ID] != 1 {
				t.Fatalf("%s is dealt with %d times", o.ID, seen[o.ID])
			}
		}
		for _, w := range wanted {
			if had[w] != 1 {
				t.Fatalf("%s is had %d times", w, had[w])
			}
			delete(had, w)
		}
		for extra, n := range had {
			if n != 1 || !slices.ContainsFunc(present, func(o db.MeetingOccurrence) bool { return o.Moved && o.RecurrenceAt.Equal(extra) }) {
				t.Fatalf("%s was not wanted", extra)
			}
		}
		if len(a.dropped) > 0 && len(a.added) > 0 {
			t.Fatal("one is dropped where another is added")
		}
	})
}
