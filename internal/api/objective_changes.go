package api

import (
	"encoding/json"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
)

// changesBetween compares two revisions' contents, field by field. Key results and steps are told apart by their ids, so one that was moved, renamed
// and weighed anew is one that has changed three times, and not another one.
func changesBetween(before, after json.RawMessage) ([]HistoryChange, error) {
	var was, is db.ObjectiveContent
	if err := json.Unmarshal(before, &was); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(after, &is); err != nil {
		return nil, err
	}
	c := changes{list: []HistoryChange{}}
	c.objective(was, is)
	return c.list, nil
}

// changes collects differences.
type changes struct {
	list  []HistoryChange
	label *string // of what is being compared
}

// changed notes a field that differs. Whether it does the caller says, since numbers that are written differently may be the same.
func (c *changes) changed(pointer string, differs bool, before, after any) {
	if differs {
		c.list = append(c.list, HistoryChange{Pointer: pointer, Kind: "changed", Label: c.label, Before: &before, After: &after})
	}
}

func different[T comparable](c *changes, pointer string, before, after T) {
	c.changed(pointer, before != after, before, after)
}

// differentIf compares what there may be none of.
func differentIf[T comparable](c *changes, pointer string, before, after *T) {
	c.changed(pointer, (before == nil) != (after == nil) || before != nil && *before != *after, orNull(before), orNull(after))
}

func (c *changes) number(pointer string, before, after *decimal.Decimal) {
	c.changed(pointer, (before == nil) != (after == nil) || before != nil && !before.Equal(*after), orNull(before), orNull(after))
}

// orNull is what a pointer leads to, as JSON has it. A nil pointer in an interface would not be nil.
func orNull[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

func (c *changes) objective(was, is db.ObjectiveContent) {
	different(c, "/title", was.Title, is.Title)
	differentIf(c, "/description", was.Description, is.Description)
	different(c, "/kind", was.Kind, is.Kind)
	different(c, "/visibility", was.Visibility, is.Visibility)
	different(c, "/state", was.State, is.State)
	different(c, "/owner_id", was.OwnerID, is.OwnerID)
	differentIf(c, "/team_id", was.TeamID, is.TeamID)
	different(c, "/cycle_id", was.CycleID, is.CycleID)
	differentIf(c, "/parent_objective_id", was.ParentObjectiveID, is.ParentObjectiveID)
	differentIf(c, "/parent_key_result_id", was.ParentKeyResultID, is.ParentKeyResultID)
	c.number("/score", was.Score, is.Score)
	different(c, "/archived", was.Archived, is.Archived)
	compared(c, "/key_results", was.KeyResults, is.KeyResults, identity[db.KeyResultContent]{
		id:    func(k db.KeyResultContent) uuid.UUID { return k.ID },
		label: func(k db.KeyResultContent) string { return k.Title },
	}, c.keyResult)
}

func (c *changes) keyResult(at string, was, is db.KeyResultContent) {
	different(c, at+"/title", was.Title, is.Title)
	differentIf(c, at+"/description", was.Description, is.Description)
	differentIf(c, at+"/owner_id", was.OwnerID, is.OwnerID)
	different(c, at+"/kind", was.Kind, is.Kind)
	different(c, at+"/unit", was.Unit, is.Unit)
	c.number(at+"/baseline", was.Baseline, is.Baseline)
	c.number(at+"/target", was.Target, is.Target)
	c.number(at+"/stretch", was.Stretch, is.Stretch)
	c.number(at+"/at_least", was.AtLeast, is.AtLeast)
	c.number(at+"/at_most", was.AtMost, is.AtMost)
	c.number(at+"/tolerance", was.Tolerance, is.Tolerance)
	c.number(at+"/weight", &was.Weight, &is.Weight)
	compared(c, at+"/steps", was.Steps, is.Steps, identity[db.StepContent]{
		id:    func(s db.StepContent) uuid.UUID { return s.ID },
		label: func(s db.StepContent) string { return s.Title },
	}, c.step)
}

func (c *changes) step(at string, was, is db.StepContent) {
	different(c, at+"/title", was.Title, is.Title)
	c.number(at+"/weight", &was.Weight, &is.Weight)
}

// identity says which one an item of a list is.
type identity[T any] struct {
	id    func(T) uuid.UUID
	label func(T) string
}

// compared notes what was taken out of a list, what came into it, what of the rest differs, and whether the rest stands in another order.
func compared[T any](c *changes, at string, was, is []T, of identity[T], each func(at string, was, is T)) {
	above := c.label
	defer func() { c.label = above }()
	find := func(list []T, id uuid.UUID) (item T, ok bool) {
		i := slices.IndexFunc(list, func(t T) bool { return of.id(t) == id })
		if i < 0 {
			return item, false
		}
		return list[i], true
	}
	var kept, keptNow []uuid.UUID
	for _, before := range was {
		id, label := of.id(before), of.label(before)
		if _, ok := find(is, id); ok {
			kept = append(kept, id)
			continue
		}
		var removed any = before
		c.list = append(c.list, HistoryChange{Pointer: at + "/" + id.String(), Kind: "removed", Label: &label, Before: &removed})
	}
	for _, after := range is {
		id, label := of.id(after), of.label(after)
		before, ok := find(was, id)
		if ok {
			keptNow = append(keptNow, id)
			c.label = &label
			each(at+"/"+id.String(), before, after)
			continue
		}
		var added any = after
		c.list = append(c.list, HistoryChange{Pointer: at + "/" + id.String(), Kind: "added", Label: &label, After: &added})
	}
	if !slices.Equal(kept, keptNow) {
		var before, after any = kept, keptNow
		c.list = append(c.list, HistoryChange{Pointer: at, Kind: "moved", Label: above, Before: &before, After: &after})
	}
}
