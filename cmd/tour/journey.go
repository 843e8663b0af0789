package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// journey is the life of one objective, from its title to its audit.
type journey struct {
	*tour
	number   int
	example  example
	owner    *client
	reviewer *client
	team     *uuid.UUID
	follow   follower // how the draft is followed

	objective  objective // as it was read last
	dialogue   dialogue
	suggestion suggestion
	readings   map[uuid.UUID]reading // of each key result, as it was checked in last
	shown      map[uuid.UUID]string  // what was last printed of where each stands
	first      checkIn               // of the first key result
}

// pairOf is whose objective an example is, by the first word of its name, and who reviews it.
func pairOf(e example) (owner, reviewer string) {
	topic := strings.FieldsFunc(filepath.Base(e.file), func(r rune) bool { return r == '-' || r == '.' })[0]
	switch topic {
	case "customer", "support":
		return shota, aya
	case "sales":
		return lan, aya
	case "engineering":
		return rajesh, emily
	case "manufacturing":
		return chinatsu, makoto
	case "hr":
		return daisuke, misaki
	}
	return emily, kenichi
}

// journey takes an example the whole way.
func (t *tour) journey(ctx context.Context, number int, e example, ready *step) {
	t.chapter("%s", e.file)
	owner, reviewer := pairOf(e)
	j := &journey{tour: t, number: number, example: e, follow: byPolling, readings: map[uuid.UUID]reading{}, shown: map[uuid.UUID]string{}}
	if number == 0 {
		j.follow = byEvents
	}
	drafted := t.step(ctx, "draft an objective", func(s *sight) error {
		var err error
		if j.owner, j.reviewer, err = t.asBoth(ctx, owner, reviewer); err != nil {
			return err
		}
		j.team = t.sharedTeam(j.owner, j.reviewer)
		return j.draft(ctx, s)
	}, ready)
	answered := t.step(ctx, "say what it is about and ask the coach for key results", func(s *sight) error { return j.askForDraft(ctx, s) }, drafted)
	suggested := t.step(ctx, "read the suggestion", func(s *sight) error { return j.readSuggestion(ctx, s) }, answered)
	accepted := t.step(ctx, "accept it", func(s *sight) error { return j.accept(ctx, s) }, suggested)
	t.step(ctx, "ask the coach for feedback", func(s *sight) error { return j.askForFeedback(ctx, s) }, accepted)
	submitted := t.step(ctx, "submit", func(s *sight) error { return j.move(ctx, s, j.owner, "submit", "submitted") }, accepted)
	approved := t.step(ctx, "approve", func(s *sight) error { return j.move(ctx, s, j.reviewer, "approve", "approved") }, submitted)
	checked := t.step(ctx, "check in", func(s *sight) error { return j.checkIn(ctx, s) }, approved)
	t.step(ctx, "see where it stands", func(s *sight) error { return j.verify(ctx, s) }, checked)
	corrected := t.step(ctx, "correct a check-in", func(s *sight) error { return j.correct(ctx, s) }, checked)
	t.step(ctx, "see where it stands after the correction", func(s *sight) error { return j.verify(ctx, s) }, corrected)
	t.step(ctx, "read its history", func(s *sight) error { return j.readHistory(ctx, s) }, approved)
	t.step(ctx, "read the audit", func(s *sight) error { return j.readAudit(ctx, s) }, checked)
}

func (j *journey) draft(ctx context.Context, s *sight) error {
	o, err := post[objective](ctx, j.owner, "/objectives", objectiveCreate{CycleID: j.cycle.ID, TeamID: j.team, Title: j.example.title})
	if err != nil {
		return err
	}
	j.objective = o
	whose := j.owner.session.User.Name
	if j.team != nil {
		whose += " of " + j.teams[*j.team].Name
	}
	s.sum("“%s” (%s) is a %s at revision %d with %d key results", o.Title, whose, o.State, o.Revision, len(o.KeyResults))
	if o.Title != j.example.title || o.State != "draft" || o.Revision != 1 || len(o.KeyResults) != 0 {
		return fmt.Errorf("that is not the draft that was asked for: %s", s.summary)
	}
	return nil
}

func (j *journey) askForDraft(ctx context.Context, s *sight) error {
	var err error
	if j.dialogue, err = talk(ctx, j.owner, j.objective, j.example.title, j.example.body); err != nil {
		return err
	}
	answer, states, err := askCoach(ctx, j.owner, j.dialogue, "draft", j.follow)
	s.sum("job %s; the coach (%s) answers on revision %d", strings.Join(states, " → "), answer.Source, answer.ObjectiveRevision)
	s.detail("%s: %s", j.owner.session.User.Name, j.example.body)
	s.detail("coach: %s", answer.Body)
	return err
}

func (j *journey) readSuggestion(ctx context.Context, s *sight) error {
	var err error
	if j.suggestion, err = suggestionOf(ctx, j.owner, j.dialogue); err != nil {
		return err
	}
	found := j.suggestion.Content.KeyResults
	s.sum("%d key results for revision %d, %s", len(found), j.suggestion.ObjectiveRevision, j.suggestion.State)
	for _, k := range found {
		s.detail("%s", k)
	}
	if len(found) == 0 || j.suggestion.State != "open" || j.suggestion.ObjectiveRevision != j.objective.Revision {
		return fmt.Errorf("an open suggestion with key results was due: %s", s.summary)
	}
	return nil
}

func (j *journey) accept(ctx context.Context, s *sight) error {
	o, err := post[objective](ctx, j.owner, "/suggestions/"+j.suggestion.ID.String()+"/accept", decision{})
	if err != nil {
		return err
	}
	s.sum("revision %d → %d, %d key results", j.objective.Revision, o.Revision, len(o.KeyResults))
	wanted := j.suggestion.Content.KeyResults
	if o.Revision != j.objective.Revision+1 || len(o.KeyResults) != len(wanted) {
		return fmt.Errorf("not what was suggested: %s", s.summary)
	}
	for i, k := range o.KeyResults {
		if k.String() != wanted[i].String() {
			return fmt.Errorf("suggested was %s; the objective has %s", wanted[i], k)
		}
	}
	j.objective = o
	return nil
}

func (j *journey) askForFeedback(ctx context.Context, s *sight) error {
	answer, _, err := askCoach(ctx, j.owner, j.dialogue, "feedback", byPolling)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, f := range answer.Findings {
		counts[f.Severity]++
	}
	s.sum("%d problems, %d advice, %d praise", counts["problem"], counts["advice"], counts["praise"])
	if len(answer.Findings) == 0 || answer.ObjectiveRevision != j.objective.Revision {
		return fmt.Errorf("findings on revision %d were due, not %d on revision %d", j.objective.Revision, len(answer.Findings), answer.ObjectiveRevision)
	}
	f := answer.Findings[0]
	s.detail("%s at %q (%s): %s", f.Severity, f.Pointer, f.Check, f.Reason)
	if f.Better != "" {
		s.detail("better: %s", f.Better)
	}
	if f.Reason == "" || f.Severity != "praise" && f.Better == "" {
		return fmt.Errorf("%s comes without a reason or without how it could be better", f.Check)
	}
	return nil
}

func (j *journey) move(ctx context.Context, s *sight, by *client, action, state string) error {
	o, err := post[objective](ctx, by, objectivePath(j.objective.ID, "actions", action), objectiveMove{Revision: j.objective.Revision})
	if err != nil {
		return err
	}
	who := by.session.Role
	if by == j.reviewer && j.team != nil {
		who = "lead of " + j.teams[*j.team].Name
	}
	s.sum("%s → %s by %s, %s; revision %d", j.objective.State, o.State, by.session.User.Name, who, o.Revision)
	if o.State != state || o.Revision != j.objective.Revision+1 || o.ChangedBy.ID != by.session.User.ID {
		return fmt.Errorf("%s at revision %d was due: %s", state, j.objective.Revision+1, s.summary)
	}
	j.objective = o
	return nil
}

func (j *journey) checkIn(ctx context.Context, s *sight) error {
	kinds := map[string]int{}
	for i, k := range j.objective.KeyResults {
		r := measured(k, j.number+i)
		made, err := j.write(ctx, k, r, nil)
		if err != nil {
			return err
		}
		if i == 0 {
			j.first = made
		}
		kinds[k.Kind]++
	}
	s.sum("%s says where %d key results stand (metric %d, threshold %d, milestone %d)", j.owner.session.User.Name, len(j.objective.KeyResults),
		kinds["metric"], kinds["threshold"], kinds["milestone"])
	return nil
}

// correct puts the first key result's check-in right.
func (j *journey) correct(ctx context.Context, s *sight) error {
	k := j.objective.KeyResults[0]
	wrong, right := j.readings[*k.ID], measured(k, j.number+1)
	if k.Kind == "milestone" {
		right = reading{done: stepIDs(k.Steps)}
	}
	made, err := j.write(ctx, k, right, &j.first.ID)
	if err != nil {
		return err
	}
	s.sum("%s was %s, not %s; it stands at the same time", k.Title, right.in(k), wrong.in(k))
	all, err := list[checkIn](ctx, j.owner, "/key-results/"+k.ID.String()+"/check-ins", nil)
	if err != nil {
		return err
	}
	if !made.CheckedAt.Equal(j.first.CheckedAt) {
		return fmt.Errorf("the correction stands at %s, and what it corrects at %s", made.CheckedAt, j.first.CheckedAt)
	}
	for _, c := range all {
		if c.ID == j.first.ID && c.CorrectedByID != nil && *c.CorrectedByID == made.ID {
			return nil
		}
	}
	return errors.New("the check-in that was corrected does not name its correction")
}

// write writes one check-in, and remembers what it says.
func (j *journey) write(ctx context.Context, k keyResult, r reading, corrects *uuid.UUID) (checkIn, error) {
	const confidence = 7
	made, err := post[checkIn](ctx, j.owner, "/key-results/"+k.ID.String()+"/check-ins",
		checkInCreate{Value: r.value, DoneStepIDs: r.done, Confidence: confidence, CorrectsID: corrects})
	if err != nil {
		return made, fmt.Errorf("%s: %w", k.Title, err)
	}
	if made.Author.ID != j.owner.session.User.ID {
		return made, fmt.Errorf("%s: the check-in is by %s", k.Title, made.Author.Name)
	}
	j.readings[*k.ID] = r
	return made, nil
}

// verify holds progress, percent and health against the tour's own arithmetic. It prints the key results whose standing has changed.
func (j *journey) verify(ctx context.Context, s *sight) error {
	var o objective
	a, err := j.owner.call(ctx, http.MethodGet, objectivePath(j.objective.ID), nil, &o)
	if err != nil {
		return err
	}
	passed, err := j.elapsedAt(a.header.Get("Date"))
	if err != nil {
		return err
	}
	var wrong []error
	anyOffTrack := false
	for _, k := range o.KeyResults {
		raw := progressOf(k, j.readings[*k.ID])
		anyOffTrack = anyOffTrack || healthOf(raw, passed, false) == "off_track"
		if line := fmt.Sprintf("%3d %%  %s, now %s", k.Percent, k, j.readings[*k.ID].in(k)); line != j.shown[*k.ID] {
			s.detail("%s", line)
			j.shown[*k.ID] = line
		}
		if !same(*k.Progress, raw) || k.Percent != percentOf(raw) || k.Pending {
			wrong = append(wrong, fmt.Errorf("%s: %s is %d %%; by the rules it is %s, %d %%", k.Title, k.Progress, k.Percent, raw.FloatString(6), percentOf(raw)))
		}
	}
	progress, overshoot := rolledUp(o.KeyResults, j.readings)
	health := healthOf(progress, passed, false)
	s.sum("%d %% (%s) and %s, with %s of the cycle gone; beyond targets %s", o.Progress.Percent, o.Progress.Value.StringFixed(4), o.Health,
		passed.FloatString(4), o.Progress.Overshoot.StringFixed(4))
	if !same(o.Progress.Value, progress) || !same(o.Progress.Overshoot, overshoot) || o.Progress.Percent != max(percentOf(progress), 0) || o.Progress.Pending {
		wrong = append(wrong, fmt.Errorf("progress %s, %d %%, overshoot %s; by the rules %s, %d %%, %s", o.Progress.Value, o.Progress.Percent,
			o.Progress.Overshoot, progress.FloatString(6), percentOf(progress), overshoot.FloatString(6)))
	}
	if o.Health != health || o.AnyOffTrack != anyOffTrack {
		wrong = append(wrong, fmt.Errorf("health %s, any key result off track %t; by the rules %s, %t", o.Health, o.AnyOffTrack, health, anyOffTrack))
	}
	if o.Revision != j.objective.Revision {
		wrong = append(wrong, fmt.Errorf("check-ins have raised the revision to %d", o.Revision))
	}
	return errors.Join(wrong...)
}

// elapsedAt is how much of the cycle had gone at the server's own time, in the organisation's time zone.
func (j *journey) elapsedAt(date string) (*big.Rat, error) {
	now, err := http.ParseTime(date)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(j.owner.session.Organization.TimeZone)
	if err != nil {
		return nil, err
	}
	var days [3]time.Time
	for i, day := range []string{j.cycle.StartsOn, j.cycle.EndsOn, now.In(zone).Format(time.DateOnly)} {
		if days[i], err = time.Parse(time.DateOnly, day); err != nil {
			return nil, err
		}
	}
	return elapsed(days[0], days[1], days[2]), nil
}

func (j *journey) readHistory(ctx context.Context, s *sight) error {
	entries, err := list[historyEntry](ctx, j.owner, objectivePath(j.objective.ID, "history"), nil)
	if err != nil {
		return err
	}
	s.sum("%d revisions, the newest first", len(entries))
	wanted := []string{"objective.approved", "objective.submitted", "objective.suggestion_accepted", "objective.created"}
	for i, e := range entries {
		s.detail("%d  %s by %s, %s", e.Revision, e.Action, e.ChangedBy.Name, e.ChangedAt.Format(time.TimeOnly))
		if i >= len(wanted) || e.Action != wanted[i] || e.Revision != int64(len(wanted)-i) {
			return fmt.Errorf("%s at revision %d does not belong there", e.Action, e.Revision)
		}
	}
	if len(entries) != len(wanted) {
		return fmt.Errorf("%d revisions, not %d", len(entries), len(wanted))
	}
	return nil
}

func (j *journey) readAudit(ctx context.Context, s *sight) error {
	ofObjective, err := j.audit(ctx, j.objective.ID)
	if err != nil {
		return err
	}
	ofKeyResult, err := j.audit(ctx, *j.objective.KeyResults[0].ID)
	if err != nil {
		return err
	}
	s.sum("%d events of the objective, %d of its first key result", len(ofObjective), len(ofKeyResult))
	by := map[string]string{}
	for _, e := range append(ofObjective, ofKeyResult...) {
		s.detail("%s", e)
		if e.Actor != nil {
			by[e.Action] = e.Actor.Name
		}
	}
	owner, reviewer := j.owner.session.User.Name, j.reviewer.session.User.Name
	for action, who := range map[string]string{"objective.created": owner, "objective.suggestion_accepted": owner, "objective.submitted": owner,
		"objective.approved": reviewer, "check_in.created": owner} {
		if by[action] != who {
			return fmt.Errorf("%s is by %q, not by %s", action, by[action], who)
		}
	}
	return nil
}

// measured is what an owner reports of a key result. Different turns give values on the way, at, beyond and short of where they should be.
func measured(k keyResult, turn int) reading {
	switch k.Kind {
	case "metric":
		percents := []int64{60, 35, 80, 105, 100, -10}
		way := decimal.New(percents[turn%len(percents)], -2)
		digits := max(-k.Baseline.Exponent(), -k.Target.Exponent(), 0) // people do not measure more finely than they plan
		value := k.Baseline.Add(k.Target.Sub(*k.Baseline).Mul(way)).Round(digits)
		if !k.Baseline.IsNegative() && !k.Target.IsNegative() {
			value = decimal.Max(value, decimal.Zero)
		}
		return reading{value: &value}
	case "threshold":
		value := atLimit(k)
		if turn%3 == 2 {
			value = value.Add(outwards(k))
		}
		return reading{value: &value}
	}
	half := (len(k.Steps) + 1) / 2
	return reading{done: stepIDs(k.Steps[:half])}
}

// atLimit is the value that is only just inside the band.
func atLimit(k keyResult) decimal.Decimal {
	if k.AtLeast != nil {
		return *k.AtLeast
	}
	return *k.AtMost
}

// outwards leads from that limit out of the band: half of the tolerance, where there is one.
func outwards(k keyResult) decimal.Decimal {
	by := decimal.New(1, -1)
	if k.Tolerance != nil {
		by = k.Tolerance.Div(decimal.NewFromInt(2))
	}
	if k.AtLeast != nil {
		return by.Neg()
	}
	return by
}

func stepIDs(steps []milestoneStep) []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(steps))
	for _, s := range steps {
		ids = append(ids, *s.ID)
	}
	return ids
}

// in words it as a reading of a key result.
func (r reading) in(k keyResult) string {
	if r.value == nil {
		return fmt.Sprintf("%d of %d steps", len(r.done), len(k.Steps))
	}
	return strings.TrimSpace(r.value.String() + " " + k.Unit)
}

// String is the key result's definition in one line.
func (k keyResult) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%s]", k.Title, k.Kind)
	amount := func(label string, d *decimal.Decimal) {
		if d != nil {
			fmt.Fprintf(&b, " %s %s", label, d)
		}
	}
	amount("from", k.Baseline)
	amount("to", k.Target)
	amount("stretch", k.Stretch)
	amount("at least", k.AtLeast)
	amount("at most", k.AtMost)
	amount("tolerance", k.Tolerance)
	if k.Unit != "" {
		b.WriteString(" " + k.Unit)
	}
	for i, step := range k.Steps {
		fmt.Fprintf(&b, " (%d) %s", i+1, step.Title)
	}
	if k.Weight != nil && !k.Weight.Equal(decimal.New(1, 0)) {
		amount("weight", k.Weight)
	}
	return b.String()
}
