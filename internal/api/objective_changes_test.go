package api

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// contents draws contents that have much in common, and numbers that are the same though they are written differently.
func contents() *rapid.Generator[db.ObjectiveContent] {
	number := rapid.Custom(func(t *rapid.T) decimal.Decimal {
		return decimal.RequireFromString(rapid.SampledFrom([]string{"1", "1.0", "1.000", "2", "0"}).Draw(t, "number"))
	})
	optional := func(t *rapid.T, what string) *decimal.Decimal {
		if rapid.Bool().Draw(t, "has "+what) {
			return new(number.Draw(t, what))
		}
		return nil
	}
	id := rapid.Custom(func(t *rapid.T) uuid.UUID { return uuid.UUID{15: rapid.ByteRange(1, 5).Draw(t, "id")} })
	title := rapid.SampledFrom([]string{"NPS", "応答", ""})
	step := rapid.Custom(func(t *rapid.T) db.StepContent {
		return db.StepContent{ID: id.Draw(t, "step"), Title: title.Draw(t, "title"), Weight: number.Draw(t, "weight")}
	})
	keyResult := rapid.Custom(func(t *rapid.T) db.KeyResultContent {
		return db.KeyResultContent{ID: id.Draw(t, "key result"), Title: title.Draw(t, "title"), Kind: rapid.SampledFrom([]okr.KeyResultKind{okr.Metric, okr.Milestone}).Draw(t, "kind"),
			Baseline: optional(t, "baseline"), Target: optional(t, "target"), Tolerance: optional(t, "tolerance"), Weight: number.Draw(t, "weight"),
			Steps: rapid.SliceOfNDistinct(step, 0, 4, func(s db.StepContent) uuid.UUID { return s.ID }).Draw(t, "steps")}
	})
	return rapid.Custom(func(t *rapid.T) db.ObjectiveContent {
		c := db.ObjectiveContent{Title: title.Draw(t, "title"), State: okr.ObjectiveDraft, Score: optional(t, "score"), Archived: rapid.Bool().Draw(t, "archived"),
			KeyResults: rapid.SliceOfNDistinct(keyResult, 0, 4, func(k db.KeyResultContent) uuid.UUID { return k.ID }).Draw(t, "key results")}
		if rapid.Bool().Draw(t, "has a team") {
			c.TeamID = new(id.Draw(t, "team"))
		}
		return c
	})
}

// Nothing has changed between what is the same, and the way back is the way there read backwards.
func TestChangesReadBackwards(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		between := func(before, after db.ObjectiveContent) map[string]HistoryChange {
			was, err := json.Marshal(before)
			if err != nil {
				t.Fatal(err)
			}
			is, err := json.Marshal(after)
			if err != nil {
				t.Fatal(err)
			}
			list, err := changesBetween(was, is)
			if err != nil {
				t.Fatal(err)
			}
			all := map[string]HistoryChange{}
			for _, c := range list {
				key := c.Pointer + " " + string(c.Kind)
				if _, twice := all[key]; twice {
					t.Fatalf("%s twice", key)
				}
				all[key] = c
			}
			return all
		}
		a, b := contents().Draw(t, "a"), contents().Draw(t, "b")
		if same := between(a, a); len(same) > 0 {
			t.Fatalf("it differs from itself: %v", same)
		}
		there, back := between(a, b), between(b, a)
		if len(there) != len(back) {
			t.Fatalf("%d changes there, %d back", len(there), len(back))
		}
		if (len(there) == 0) != equalContents(a, b) {
			t.Fatalf("%d changes between\n%+v and\n%+v", len(there), a, b)
		}
		opposite := map[HistoryChangeKind]HistoryChangeKind{"added": "removed", "removed": "added", "changed": "changed", "moved": "moved"}
		for _, c := range there {
			if _, ok := back[c.Pointer+" "+string(opposite[c.Kind])]; !ok {
				t.Fatalf("%s %s has no way back", c.Pointer, c.Kind)
			}
			if (c.Before == nil) != (c.Kind == "added") || (c.After == nil) != (c.Kind == "removed") {
				t.Fatalf("%s %s: before %v, after %v", c.Pointer, c.Kind, c.Before, c.After)
			}
		}
	})
}

// equalContents compares by canonical numbers.
func equalContents(a, b db.ObjectiveContent) bool {
	same := func(x, y *decimal.Decimal) bool { return (x == nil) == (y == nil) && (x == nil || x.Equal(*y)) }
	return a.Title == b.Title && a.Archived == b.Archived && same(a.Score, b.Score) && sameID(a.TeamID, b.TeamID) &&
		slices.EqualFunc(a.KeyResults, b.KeyResults, func(k, l db.KeyResultContent) bool {
			return k.ID == l.ID && k.Title == l.Title && k.Kind == l.Kind && same(k.Baseline, l.Baseline) && same(k.Target, l.Target) && same(k.Tolerance, l.Tolerance) &&
				k.Weight.Equal(l.Weight) && slices.EqualFunc(k.Steps, l.Steps, func(s, u db.StepContent) bool { return s.ID == u.ID && s.Title == u.Title && s.Weight.Equal(u.Weight) })
		})
}
