package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// What the tour sends and reads of a cycle's end.
type (
	cycleCreate struct {
		Name     string `json:"name"`
		StartsOn string `json:"starts_on"`
		EndsOn   string `json:"ends_on"`
	}
	cyclePatch struct {
		Revision int64  `json:"revision"`
		State    string `json:"state"`
	}
	cycleRead struct {
		cycle

		Revision int64 `json:"revision"`
	}
	alignedCreate struct {
		objectiveCreate

		ParentObjectiveID *uuid.UUID `json:"parent_objective_id,omitempty"`
	}
	noted struct {
		Revision int64  `json:"revision"`
		Note     string `json:"note,omitempty"`
	}
	versionRestore struct {
		Revision        int64 `json:"revision"`
		RestoreRevision int64 `json:"restore_revision"`
	}
	changedEntry struct {
		historyEntry

		Changes []struct {
			Pointer string          `json:"pointer"`
			Kind    string          `json:"kind"`
			Before  json.RawMessage `json:"before"`
			After   json.RawMessage `json:"after"`
		} `json:"changes"`
	}
	toScore struct {
		Objective      objective       `json:"objective"`
		SuggestedScore decimal.Decimal `json:"suggested_score"`
		NoteNeeded     bool            `json:"note_needed"`
	}
	scorePut struct {
		ObjectiveID uuid.UUID `json:"objective_id"`
		Revision    int64     `json:"revision"`
		Note        string    `json:"note,omitempty"`
	}
	scored struct {
		Outcome string           `json:"outcome"`
		Score   *decimal.Decimal `json:"score"`
	}
	carryOverCreate struct {
		TargetCycleID uuid.UUID `json:"target_cycle_id"`
		DryRun        bool      `json:"dry_run"`
		Scope         string    `json:"scope"`
	}
	carriedItem struct {
		ObjectiveID uuid.UUID  `json:"objective_id"`
		Title       string     `json:"title"`
		Outcome     string     `json:"outcome"`
		CopyID      *uuid.UUID `json:"copy_id"`
		Copy        *struct {
			Alignment  string       `json:"alignment"`
			KeyResults []carriedKey `json:"key_results"`
		} `json:"copy"`
	}
	carriedKey struct {
		FromID   uuid.UUID        `json:"from_id"`
		Title    string           `json:"title"`
		Skipped  string           `json:"skipped"`
		Baseline *decimal.Decimal `json:"baseline"`
		Steps    []string         `json:"steps"`
	}
	copyRead struct {
		objective

		CarriedFromID     *uuid.UUID `json:"carried_from_id"`
		ParentObjectiveID *uuid.UUID `json:"parent_objective_id"`
	}
)

// quarter is a cycle from its first draft to the one after it.
type quarter struct {
	*journey

	lead, admin *client
	cycle, next cycleRead
	parent      objective
	dry         []carriedItem
}

// workflow takes two objectives through a cycle of the tour's own, which has ended two days ago: check-ins are made in its days of grace.
func (t *tour) workflow(ctx context.Context, ready *step) {
	t.chapter("a cycle, from its first draft to the next one")
	q := &quarter{journey: &journey{tour: t, readings: map[uuid.UUID]reading{}, shown: map[uuid.UUID]string{}}}
	begun := t.step(ctx, "make two cycles", func(s *sight) error {
		var err error
		if q.owner, q.lead, err = t.asBoth(ctx, shota, aya); err != nil {
			return err
		}
		q.reviewer, q.team = q.lead, t.sharedTeam(q.owner, q.lead)
		if q.admin, err = t.as(ctx, kenichi); err != nil {
			return err
		}
		return q.begin(ctx, s)
	}, ready)
	drafted := t.step(ctx, "draft in it", func(s *sight) error { return q.draft(ctx, s) }, begun)
	submitted := t.step(ctx, "submit", func(s *sight) error { return q.move(ctx, s, q.owner, "submit", "submitted") }, drafted)
	returned := t.step(ctx, "return with a note", func(s *sight) error { return q.giveBack(ctx, s) }, submitted)
	again := t.step(ctx, "submit again", func(s *sight) error { return q.move(ctx, s, q.owner, "submit", "submitted") }, returned)
	approved := t.step(ctx, "approve", func(s *sight) error { return q.move(ctx, s, q.reviewer, "approve", "approved") }, again)
	checked := t.step(ctx, "check in in the days of grace", func(s *sight) error { return q.checkIn(ctx, s) }, approved)
	corrected := t.step(ctx, "correct one of them", func(s *sight) error { return q.correct(ctx, s) }, checked)
	restored := t.step(ctx, "restore an older version", func(s *sight) error { return q.restore(ctx, s) }, corrected)
	told := t.step(ctx, "close the cycle too early", func(s *sight) error { return q.closeEarly(ctx, s) }, restored)
	closed := t.step(ctx, "score what is open, all at once", func(s *sight) error { return q.score(ctx, s) }, told)
	ended := t.step(ctx, "close the cycle", func(s *sight) error { return q.end(ctx, s) }, closed)
	tried := t.step(ctx, "carry over, as a dry run", func(s *sight) error { return q.tryOut(ctx, s) }, ended)
	carried := t.step(ctx, "carry over", func(s *sight) error { return q.carry(ctx, s) }, tried)
	t.step(ctx, "carry over once more", func(s *sight) error { return q.carryAgain(ctx, s) }, carried)
}

func (q *quarter) begin(ctx context.Context, s *sight) error {
	zone, err := time.LoadLocation(q.owner.session.Organization.TimeZone)
	if err != nil {
		return err
	}
	now := time.Now().In(zone)
	day := func(days int) string { return now.AddDate(0, 0, days).Format(time.DateOnly) }
	name := "Tour " + now.Format("2006-01-02 15:04:05")
	made, err := post[cycleRead](ctx, q.admin, "/cycles", cycleCreate{Name: name, StartsOn: day(-62), EndsOn: day(-2)})
	if err != nil {
		return err
	}
	if q.cycle, err = patch[cycleRead](ctx, q.admin, "/cycles/"+made.ID.String(), cyclePatch{Revision: made.Revision, State: "active"}); err != nil {
		return err
	}
	q.next, err = post[cycleRead](ctx, q.admin, "/cycles", cycleCreate{Name: name + ", next", StartsOn: day(-1), EndsOn: day(89)})
	s.sum("%s, %s, ended on %s; the next is in %s", q.cycle.Name, q.cycle.State, q.cycle.EndsOn, q.next.State)
	if err == nil && (q.cycle.State != "active" || q.next.State != "preparation") {
		err = fmt.Errorf("active and preparation were due: %s", s.summary)
	}
	return err
}

func amount(s string) *decimal.Decimal {
	d := decimal.RequireFromString(s)
	return &d
}

// draft makes the lead's objective, which is approved at once, and one that contributes to it.
func (q *quarter) draft(ctx context.Context, s *sight) error {
	var err error
	q.parent, err = post[objective](ctx, q.lead, "/objectives", objectiveCreate{CycleID: q.cycle.ID, TeamID: q.team, Title: "お客さまが離れないサポートにする",
		KeyResults: []keyResult{{Title: "継続率", Kind: "threshold", AtLeast: amount("95"), Tolerance: amount("5"), Unit: "%"}}})
	if err != nil {
		return err
	}
	q.drafts = append(q.drafts, q.parent.ID)
	q.objective, err = post[objective](ctx, q.owner, "/objectives", alignedCreate{ParentObjectiveID: &q.parent.ID, objectiveCreate: objectiveCreate{CycleID: q.cycle.ID, TeamID: q.team,
		Title: "初回応答を速くする", KeyResults: []keyResult{
			{Title: "初回応答の中央値", Kind: "metric", Baseline: amount("8"), Target: amount("2"), Unit: "h"},
			{Title: "新しい窓口", Kind: "milestone", Steps: []milestoneStep{{Title: "設計"}, {Title: "試行"}, {Title: "全面移行"}, {Title: "検証"}}},
			{Title: "一次解決率", Kind: "metric", Baseline: amount("60"), Target: amount("75"), Unit: "%"},
		}}})
	if err != nil {
		return err
	}
	q.drafts = append(q.drafts, q.objective.ID)
	s.sum("“%s”, which contributes to “%s”", q.objective.Title, q.parent.Title)
	for _, action := range []string{"submit", "approve"} {
		by := q.lead
		if action == "approve" {
			by = q.admin
		}
		if q.parent, err = post[objective](ctx, by, objectivePath(q.parent.ID, "actions", action), objectiveMove{Revision: q.parent.Revision}); err != nil {
			return err
		}
	}
	return nil
}

func (q *quarter) giveBack(ctx context.Context, s *sight) error {
	path := objectivePath(q.objective.ID, "actions", "return")
	_, err := post[objective](ctx, q.reviewer, path, noted{Revision: q.objective.Revision})
	refused, err := refusedWith(err, http.StatusUnprocessableEntity, "invalid")
	if err != nil {
		return err
	}
	s.detail("without a note: %d %s", refused.Status, refused.Type)
	if q.objective, err = post[objective](ctx, q.reviewer, path, noted{Revision: q.objective.Revision, Note: "一次解決率の根拠を教えてください。"}); err != nil {
		return err
	}
	s.sum("%s at revision %d", q.objective.State, q.objective.Revision)
	if q.objective.State != "draft" {
		return fmt.Errorf("a draft was due: %s", s.summary)
	}
	return nil
}

// checkIn: half of the way, half of the steps, and a target that is reached.
func (q *quarter) checkIn(ctx context.Context, s *sight) error {
	k := q.objective.KeyResults
	for i, r := range []reading{{value: amount("6")}, {done: stepIDs(k[1].Steps[:2])}, {value: amount("75")}} {
		made, err := q.write(ctx, k[i], r, nil)
		if err != nil {
			return err
		}
		if i == 0 {
			q.first = made
		}
	}
	s.sum("three key results stand where they ended, though the cycle ended on %s", q.cycle.EndsOn)
	return nil
}

func (q *quarter) correct(ctx context.Context, s *sight) error {
	k := q.objective.KeyResults[0]
	right, err := q.write(ctx, k, reading{value: amount("5")}, &q.first.ID)
	if err != nil {
		return err
	}
	s.sum("%s was 5 h, not 6; it stands at the same time", k.Title)
	if !right.CheckedAt.Equal(q.first.CheckedAt) {
		return fmt.Errorf("the correction stands at %s, and what it corrects at %s", right.CheckedAt, q.first.CheckedAt)
	}
	return nil
}

// restore has the lead change the title and take away two key results, and then take that back.
func (q *quarter) restore(ctx context.Context, s *sight) error {
	was := q.objective
	kept := was.KeyResults[0]
	kept.Pending, kept.Progress, kept.Percent = false, nil, 0
	changed, err := patch[objective](ctx, q.lead, objectivePath(was.ID), struct {
		objectivePatch

		KeyResults []keyResult `json:"key_results"`
	}{objectivePatch{Revision: was.Revision, Title: "初回応答だけを見る"}, []keyResult{kept}})
	if err != nil {
		return err
	}
	entry, err := get[changedEntry](ctx, q.owner, objectivePath(was.ID, "history", fmt.Sprint(changed.Revision)))
	if err != nil {
		return err
	}
	for _, c := range entry.Changes {
		s.detail("%s %s: %.60s → %.60s", c.Kind, c.Pointer, c.Before, c.After)
	}
	if len(entry.Changes) != 3 {
		return fmt.Errorf("a title and two key results have changed, not %d things", len(entry.Changes))
	}
	if q.objective, err = post[objective](ctx, q.lead, objectivePath(was.ID, "restore-version"), versionRestore{Revision: changed.Revision, RestoreRevision: was.Revision}); err != nil {
		return err
	}
	s.sum("revision %d has the content of revision %d: “%s” with %d key results, %d %%", q.objective.Revision, was.Revision, q.objective.Title, len(q.objective.KeyResults), q.objective.Progress.Percent)
	if q.objective.Title != was.Title || len(q.objective.KeyResults) != len(was.KeyResults) || q.objective.KeyResults[1].Percent != 50 {
		return fmt.Errorf("it is not as it was: %s", s.summary)
	}
	return nil
}

func (q *quarter) closeEarly(ctx context.Context, s *sight) error {
	_, err := patch[cycleRead](ctx, q.admin, "/cycles/"+q.cycle.ID.String(), cyclePatch{Revision: q.cycle.Revision, State: "closed"})
	refused, err := refusedWith(err, http.StatusConflict, "wrong-state")
	if err == nil {
		s.sum("%d %s: %s", refused.Status, refused.Type, refused.Detail)
	}
	return err
}

func (q *quarter) score(ctx context.Context, s *sight) error {
	open, err := list[toScore](ctx, q.admin, "/cycles/"+q.cycle.ID.String()+"/to-score", nil)
	if err != nil {
		return err
	}
	items := []scorePut{{ObjectiveID: q.objective.ID, Revision: 1, Note: "古い版"}}
	for _, o := range open {
		s.detail("“%s” at %d %%: %s is suggested", o.Objective.Title, o.Objective.Progress.Percent, o.SuggestedScore.StringFixed(1))
	}
	put := func() ([]scored, error) {
		results, err := post[page[scored]](ctx, q.admin, "/cycles/"+q.cycle.ID.String()+"/scores", map[string]any{"items": items})
		return results.Items, err
	}
	stale, err := put()
	if err != nil {
		return err
	}
	if len(stale) != 1 || stale[0].Outcome != "stale-revision" {
		return fmt.Errorf("a score for an old revision came out as %v", stale)
	}
	items = nil
	for _, o := range open {
		items = append(items, scorePut{ObjectiveID: o.Objective.ID, Revision: o.Objective.Revision, Note: "ふりかえりで合意した。"})
	}
	results, err := put()
	if err != nil {
		return err
	}
	for _, r := range results {
		if r.Outcome != "closed" || r.Score == nil {
			return fmt.Errorf("closed was due: %v", r)
		}
	}
	s.sum("%d objectives are closed by one request; one for an older revision changed nothing", len(results))
	if len(results) != 2 {
		return fmt.Errorf("two were due: %s", s.summary)
	}
	return nil
}

func (q *quarter) end(ctx context.Context, s *sight) error {
	closed, err := patch[cycleRead](ctx, q.admin, "/cycles/"+q.cycle.ID.String(), cyclePatch{Revision: q.cycle.Revision, State: "closed"})
	if err != nil {
		return err
	}
	_, err = q.write(ctx, q.objective.KeyResults[0], reading{value: amount("4")}, nil)
	refused, err := refusedWith(errors.Unwrap(err), http.StatusConflict, "wrong-state")
	if err != nil {
		return err
	}
	s.sum("%s is %s", closed.Name, closed.State)
	s.detail("a check-in after that: %d %s", refused.Status, refused.Type)
	return nil
}

// carryOver carries the team's objectives over, or says what that would make. They fit one page.
func (q *quarter) carryOver(ctx context.Context, dryRun bool) ([]carriedItem, error) {
	wanted := struct {
		carryOverCreate

		TeamID *uuid.UUID `json:"team_id,omitempty"`
	}{carryOverCreate{TargetCycleID: q.next.ID, DryRun: dryRun, Scope: "team"}, q.team}
	result, err := post[page[carriedItem]](ctx, q.lead, "/cycles/"+q.cycle.ID.String()+"/carry-over", wanted)
	if err == nil && result.NextCursor != "" {
		err = errors.New("two objectives do not need a second page")
	}
	return result.Items, err
}

func (q *quarter) tryOut(ctx context.Context, s *sight) error {
	var err error
	if q.dry, err = q.carryOver(ctx, true); err != nil {
		return err
	}
	for _, item := range q.dry {
		s.detail("%s “%s”", item.Outcome, item.Title)
		if item.Copy == nil || item.CopyID != nil {
			return fmt.Errorf("“%s” comes without what would be made of it, or was made already", item.Title)
		}
		for _, k := range item.Copy.KeyResults {
			switch {
			case k.Skipped != "":
				s.detail("    %s is not carried: %s", k.Title, k.Skipped)
			case k.Baseline != nil:
				s.detail("    %s starts from %s", k.Title, k.Baseline)
			case len(k.Steps) > 0:
				s.detail("    %s keeps %d steps", k.Title, len(k.Steps))
			}
		}
	}
	made, err := list[objective](ctx, q.lead, "/objectives", map[string][]string{"cycle_id": {q.next.ID.String()}})
	if err != nil {
		return err
	}
	s.sum("%d objectives would be made, and %d are there", len(q.dry), len(made))
	if len(q.dry) != 2 || len(made) != 0 {
		return fmt.Errorf("two were due, and none there: %s", s.summary)
	}
	return nil
}

func (q *quarter) carry(ctx context.Context, s *sight) error {
	made, err := q.carryOver(ctx, false)
	if err != nil {
		return err
	}
	copies := map[uuid.UUID]copyRead{}
	for i, item := range made {
		if item.CopyID == nil {
			return fmt.Errorf("“%s” was not made", item.Title)
		}
		q.drafts = append(q.drafts, *item.CopyID)
		if !reflect.DeepEqual(item.Copy, q.dry[i].Copy) {
			return fmt.Errorf("“%s” is not what the dry run said", item.Title)
		}
		if copies[item.ObjectiveID], err = get[copyRead](ctx, q.lead, objectivePath(*item.CopyID)); err != nil {
			return err
		}
	}
	mine, parent := copies[q.objective.ID], copies[q.parent.ID]
	s.sum("“%s” is a %s with %d key results, carried from its original, and contributes to the copy of “%s”", mine.Title, mine.State, len(mine.KeyResults), parent.Title)
	switch {
	case mine.State != "draft" || mine.CarriedFromID == nil || *mine.CarriedFromID != q.objective.ID:
		return errors.New("the copy is no draft, or does not name its origin")
	case mine.ParentObjectiveID == nil || *mine.ParentObjectiveID != parent.ID:
		return errors.New("the copy does not contribute to the copy of its parent")
	case len(mine.KeyResults) != 2 || !mine.KeyResults[0].Baseline.Equal(decimal.New(5, 0)) || len(mine.KeyResults[1].Steps) != 2:
		return errors.New("one key result reached its target, one starts from 5, and one has two steps left: that is not what the copy has")
	}
	return nil
}

func (q *quarter) carryAgain(ctx context.Context, s *sight) error {
	again, err := q.carryOver(ctx, false)
	if err != nil {
		return err
	}
	for _, item := range again {
		if item.Outcome != "exists" {
			return fmt.Errorf("“%s” was %s again", item.Title, item.Outcome)
		}
	}
	s.sum("nothing new: each has its copy")
	return nil
}
