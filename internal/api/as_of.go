package api

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// pastMoment reads as_of; nil where it was not sent.
func pastMoment(text *string, now time.Time) (*time.Time, error) {
	if text == nil {
		return nil, nil //nolint:nilnil // now is meant
	}
	at, err := time.Parse(time.RFC3339, *text)
	if err != nil || at.Year() < 1970 || at.Year() > 9000 {
		return nil, badRequest(FieldProblem{Pointer: "/query/as_of", Code: "time", Detail: "Send a time of RFC 3339, such as 2026-12-01T09:00:00+09:00."})
	}
	if at.After(now) {
		return nil, invalid(FieldProblem{Pointer: "/query/as_of", Code: "in-the-future", Detail: "It is a moment of the past."})
	}
	at = at.UTC()
	return &at, nil
}

// asItStood is an objective that the actor may see now as it stood at a moment.
func asItStood(ctx context.Context, q *db.Queries, a actor, o objectiveRows, at time.Time) (Objective, error) {
	then, err := asTheyStood(ctx, q, a, []objectiveRows{o}, at)
	if err != nil {
		return Objective{}, err
	}
	if len(then) == 0 {
		return Objective{}, invalid(FieldProblem{Pointer: "/query/as_of", Code: "before-creation", Detail: "It was drafted at " + o.objective.CreatedAt.UTC().Format(time.RFC3339) + "."})
	}
	v := then[0].view(a.at(at))
	v.AsOf, v.Actions, v.MayEdit = &at, []ObjectiveAction{}, false
	return v, nil
}

// asTheyStood gives objectives that the actor may see now as they stood at a moment, by the history, the check-ins and the corrections of then, without those that were not there yet.
func asTheyStood(ctx context.Context, q *db.Queries, a actor, now []objectiveRows, at time.Time) ([]objectiveRows, error) {
	rows, err := q.ListObjectivesAsOf(ctx, db.ListObjectivesAsOfParams{OrganizationID: a.OrganizationID, AsOf: at, ObjectiveIDs: converted(now, func(o objectiveRows) uuid.UUID { return o.objective.ID })})
	if err != nil {
		return nil, err
	}
	revisions := make(map[uuid.UUID]db.ListObjectivesAsOfRow, len(rows))
	for _, r := range rows {
		revisions[r.ID] = r
	}
	var then []objectiveRows
	keyResults, people, parents := []uuid.UUID{}, []uuid.UUID{}, []uuid.UUID{}
	for _, o := range now {
		r, ok := revisions[o.objective.ID]
		if !ok {
			continue
		}
		was, err := o.revision(r, okr.Today(at, a.zone()))
		if err != nil {
			return nil, err
		}
		then = append(then, was)
		if was.objective.ParentObjectiveID != nil {
			parents = append(parents, *was.objective.ParentObjectiveID)
		}
		people = append(people, was.objective.OwnerID, was.objective.ChangedBy)
		for _, k := range was.keyResults {
			keyResults = append(keyResults, k.ID)
			if k.OwnerID != nil {
				people = append(people, *k.OwnerID)
			}
		}
	}
	if len(then) == 0 {
		return then, nil
	}
	checkIns, err := q.ListCheckInsAsOf(ctx, db.ListCheckInsAsOfParams{OrganizationID: a.OrganizationID, AsOf: at, KeyResultIDs: keyResults})
	if err != nil {
		return nil, err
	}
	current := make(map[uuid.UUID]db.ListCheckInsAsOfRow, len(checkIns))
	for _, c := range checkIns {
		current[c.KeyResultID] = c
	}
	visible, err := visibleAmong(ctx, q, a, parents)
	if err != nil {
		return nil, err
	}
	names, err := namesOf(ctx, q, a, people...)
	for i := range then {
		then[i].names = names
		if parent := then[i].objective.ParentObjectiveID; parent != nil {
			then[i].parentHidden = !visible[*parent]
		}
		for j := range then[i].keyResults {
			k := &then[i].keyResults[j]
			if c, ok := current[k.ID]; ok {
				k.CurrentCheckInID, k.CurrentValue, k.CurrentDoneSteps, k.CurrentConfidence, k.CurrentAt = &c.ID, c.Value, c.DoneStepIDs, &c.Confidence, &c.CheckedAt
			}
		}
	}
	return then, err
}

// revision is an objective as a revision of it has it, on a day; what was measured is missing.
func (o objectiveRows) revision(r db.ListObjectivesAsOfRow, day time.Time) (objectiveRows, error) {
	var c db.ObjectiveContent
	if err := json.Unmarshal(r.Content, &c); err != nil {
		return o, fmt.Errorf("revision %d of objective %s: %w", r.Revision, r.ID, err)
	}
	was := objectiveRows{cycle: o.cycle, objective: db.Objective{OrganizationID: o.objective.OrganizationID, ID: r.ID, CycleID: c.CycleID, TeamID: c.TeamID, OwnerID: c.OwnerID,
		ParentObjectiveID: c.ParentObjectiveID, ParentKeyResultID: c.ParentKeyResultID, Title: c.Title, Description: c.Description, Kind: c.Kind, Visibility: c.Visibility,
		State: c.State, Score: c.Score, Revision: r.Revision, CreatedAt: r.CreatedAt, CreatedBy: o.objective.CreatedBy, ChangedAt: r.ChangedAt, ChangedBy: r.ChangedBy}}
	if c.Archived {
		was.objective.ArchivedAt = &r.ChangedAt
	}
	if was.cycle.State == okr.CycleClosed && !day.After(was.cycle.EndsOn) {
		was.cycle.State = okr.CycleActive // cycles are closed when they have ended
	}
	for i, k := range c.KeyResults {
		row := keyResultRows{KeyResult: db.KeyResult{OrganizationID: o.objective.OrganizationID, ID: k.ID, ObjectiveID: r.ID, Position: int32(i), //nolint:gosec // at most 50
			Title: k.Title, Description: k.Description, OwnerID: k.OwnerID, Kind: k.Kind, Unit: k.Unit, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch,
			AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight, CurrentDoneSteps: []uuid.UUID{}}}
		for n, s := range k.Steps {
			row.steps = append(row.steps, db.MilestoneStep{OrganizationID: o.objective.OrganizationID, ID: s.ID, KeyResultID: k.ID, Position: int32(n), Title: s.Title, Weight: s.Weight}) //nolint:gosec // at most 50
		}
		was.keyResults = append(was.keyResults, row)
	}
	return was, nil
}
