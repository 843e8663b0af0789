package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

func (t *teller) layObjectives() error {
	for i, o := range t.objectives {
		told := &toldObjective{
			objective: o,
			number:    i + 1,
			id:        t.newID(objectiveKind, i+1),
			status:    okr.Status{State: okr.ObjectiveDraft},
			open:      map[uuid.UUID]bool{},
		}
		if told.visibility == "" {
			told.visibility = okr.VisibleToOrganization
		}
		t.told[o.name] = told
		if err := t.layObjective(told); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	return nil
}

func (t *teller) layObjective(o *toldObjective) error {
	life := sequence{calendar: t.calendar, cycle: o.cycle, gap: pause}
	for i, a := range o.life {
		at, err := life.next(a.at)
		if err != nil {
			return err
		}
		if i == 0 {
			o.drafted = at
			t.lay(at, func(ctx context.Context, at time.Time) error { return t.draft(ctx, at, o) })
			continue
		}
		t.lay(at, func(ctx context.Context, at time.Time) error { return t.act(ctx, at, o, a) })
	}
	talk := sequence{calendar: t.calendar, cycle: o.cycle, gap: pause, last: o.drafted}
	for i, c := range o.comments {
		at, err := talk.next(c.at)
		if err != nil {
			return err
		}
		id := t.newID(commentKind, o.number*writingsEach+i)
		t.lay(at, func(ctx context.Context, at time.Time) error { return t.comment(ctx, at, o, id, c) })
	}
	for position, k := range o.keyResults { // those that are added later are not followed
		if err := t.layCheckIns(o, position, k.track); err != nil {
			return fmt.Errorf("%s: %w", k.title, err)
		}
	}
	return nil
}

func (t *teller) draft(ctx context.Context, at time.Time, o *toldObjective) error {
	parent, parentKeyResult, err := t.parentOf(o)
	if err != nil {
		return err
	}
	_, err = t.q.CreateObjective(ctx, db.CreateObjectiveParams{
		OrganizationID: t.id(), ID: o.id, CycleID: t.cycleID(o.cycle), TeamID: t.teamOf(o), OwnerID: o.owner.id(),
		ParentObjectiveID: parent, ParentKeyResultID: parentKeyResult,
		Title: o.title, Description: optional(o.description), Kind: string(o.kind), Visibility: string(o.visibility), ActorID: o.owner.id(),
	})
	if err != nil {
		return err
	}
	if err := t.putKeyResults(ctx, o); err != nil {
		return err
	}
	o.revision = 1
	t.past.add("objectives", o.id, at)
	return t.recordChange(ctx, at, o, change{action: "objective.created", by: o.owner})
}

// eventOf names what an action leaves behind.
func eventOf(action okr.Action) string {
	switch action {
	case edit:
		return "objective.updated"
	case okr.ActionSubmit:
		return "objective.submitted"
	case okr.ActionReturn:
		return "objective.returned"
	case okr.ActionApprove:
		return "objective.approved"
	case okr.ActionClose:
		return "objective.closed"
	case okr.ActionArchive:
		return "objective.archived"
	}
	return "objective." + string(action)
}

func (t *teller) act(ctx context.Context, at time.Time, o *toldObjective, a act) error {
	by := a.by
	if by == (person{}) {
		by = o.owner
	}
	c := change{action: eventOf(a.action), by: by, note: a.note}
	if a.action == edit {
		return t.edit(ctx, at, o, a.change, c)
	}
	next, err := o.status.Next(a.action)
	if err != nil {
		return err
	}
	if a.score != "" {
		score, err := decimal.NewFromString(a.score)
		if err != nil {
			return err
		}
		o.score = &score
	}
	o.status = next
	_, err = t.q.MoveObjectiveIfRevision(ctx, db.MoveObjectiveIfRevisionParams{
		OrganizationID: t.id(), ID: o.id, Revision: o.revision, ActorID: by.id(),
		State: string(o.state()), Score: o.score, Archived: o.archived(),
	})
	if err != nil {
		return err
	}
	if o.archived() {
		t.past.set("objectives", "archived_at", o.id, at)
	}
	o.revision++
	return t.recordChange(ctx, at, o, c)
}

func (t *teller) edit(ctx context.Context, at time.Time, o *toldObjective, p proposal, c change) error {
	o.objective = p.applied(o.objective)
	_, err := t.q.UpdateObjectiveIfRevision(ctx, db.UpdateObjectiveIfRevisionParams{
		OrganizationID: t.id(), ID: o.id, Revision: o.revision, ActorID: c.by.id(),
		SetTitle: true, Title: o.title, SetDescription: true, Description: optional(o.description),
	})
	if err != nil {
		return err
	}
	if err := t.putKeyResults(ctx, o); err != nil {
		return err
	}
	o.revision++
	return t.recordChange(ctx, at, o, c)
}

// state is what the column state holds: an archived objective keeps the one it had.
func (o *toldObjective) state() okr.ObjectiveState {
	if o.archived() {
		return o.status.ArchivedFrom
	}
	return o.status.State
}

func (o *toldObjective) archived() bool { return o.status.State == okr.ObjectiveArchived }

// change is what a new revision of an objective leaves behind.
type change struct {
	action string
	by     person
	note   string
	detail map[string]any
}

func (t *teller) recordChange(ctx context.Context, at time.Time, o *toldObjective, c change) error {
	content, err := t.contentOf(o)
	if err != nil {
		return err
	}
	detail, err := detailJSON(c.detail)
	if err != nil {
		return err
	}
	t.past.change("objectives", o.id, at)
	for suggestion := range o.open {
		t.past.set("suggestions", "decided_at", suggestion, at)
		delete(o.open, suggestion)
	}
	return t.q.RecordObjectiveChange(ctx, db.RecordObjectiveChangeParams{
		OrganizationID: t.id(), ObjectiveID: o.id, Revision: o.revision, Action: c.action, Note: optional(c.note), Content: content,
		ChangedAt: at, ActorID: c.by.id(), EventID: t.nextEvent(at), Detail: detail,
	})
}

func (t *teller) putKeyResults(ctx context.Context, o *toldObjective) error {
	var keyResults []db.PutKeyResultsParams
	var steps []db.PutMilestoneStepsParams
	for position, k := range o.keyResults {
		id := t.keyResultID(o, position)
		d, err := k.definition()
		if err != nil {
			return err
		}
		keyResults = append(keyResults, db.PutKeyResultsParams{
			OrganizationID: t.id(), ID: id, ObjectiveID: o.id, Position: int32(position), Title: k.title,
			Description: optional(k.description), OwnerID: optionalID(k.owner), Kind: string(k.kind), Unit: k.unit,
			Baseline: d.Baseline, Target: d.Target, Stretch: d.Stretch,
			AtLeast: d.AtLeast, AtMost: d.AtMost, Tolerance: d.Tolerance, Weight: d.Weight,
		})
		for i, s := range k.steps {
			steps = append(steps, db.PutMilestoneStepsParams{
				OrganizationID: t.id(), ID: t.stepID(o, position, i), KeyResultID: id, Position: int32(i), Title: s.title,
				Weight: d.Steps[i].Weight,
			})
		}
	}
	var failed error
	first := func(_ int, err error) {
		if failed == nil {
			failed = err
		}
	}
	t.q.PutKeyResults(ctx, keyResults).Exec(first)
	if len(steps) > 0 && failed == nil {
		t.q.PutMilestoneSteps(ctx, steps).Exec(first)
	}
	return failed
}

func (t *teller) layCheckIns(o *toldObjective, position int, track track) error {
	readings, err := track.readings()
	if err != nil {
		return err
	}
	for _, r := range readings {
		at, err := t.week(r.week, track, o.cycle)
		if err != nil {
			return err
		}
		if o.cycle == presentCycle && at.After(t.now.AddDate(0, 0, -track.quiet)) {
			continue
		}
		number := t.keyResultNumber(o, position)*writingsEach + r.week
		id := t.newID(checkInKind, number)
		if track.slip == nil || track.slip.week != r.week {
			t.lay(at, func(ctx context.Context, at time.Time) error {
				return t.checkIn(ctx, at, o, position, checkIn{id: id, at: at, reading: r})
			})
			continue
		}
		wrong := r
		wrong.value = track.slip.wrong
		t.lay(at, func(ctx context.Context, at time.Time) error {
			return t.checkIn(ctx, at, o, position, checkIn{id: id, at: at, reading: wrong})
		})
		right := r
		right.note = track.slip.correction
		const corrections = writingsEach / 2
		correction := t.newID(checkInKind, number+corrections)
		t.lay(at.Add(16*time.Hour), func(ctx context.Context, now time.Time) error {
			return t.checkIn(ctx, now, o, position, checkIn{id: correction, at: at, reading: right, corrects: &id})
		})
	}
	return nil
}

// setCurrent has every key result stand where its check-ins have brought it; nothing in a story asks for that earlier.
func (t *teller) setCurrent(ctx context.Context) error {
	for id := range t.followed {
		_, err := t.q.SetCurrentCheckIn(ctx, db.SetCurrentCheckInParams{OrganizationID: t.id(), KeyResultID: id})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkIn stands at a time that for a correction is earlier than when it is written.
type checkIn struct {
	reading
	id       uuid.UUID
	at       time.Time
	corrects *uuid.UUID
}

func (t *teller) checkIn(ctx context.Context, now time.Time, o *toldObjective, position int, c checkIn) error {
	if o.status.State != okr.ObjectiveApproved {
		return nil // its owner no longer follows it, or not yet
	}
	keyResult := o.keyResults[position]
	d, err := keyResult.definition()
	if err != nil {
		return err
	}
	by := keyResult.owner
	if by == (person{}) {
		by = o.owner
	}
	value, done, err := t.measured(o, position, c.value)
	if err != nil {
		return err
	}
	for i := range d.Steps {
		d.Steps[i].ID = t.stepID(o, position, i)
	}
	keyResultID := t.keyResultID(o, position)
	_, err = t.q.CreateCheckIn(ctx, db.CreateCheckInParams{
		OrganizationID: t.id(), ID: c.id, KeyResultID: keyResultID, Value: value, DoneStepIDs: done,
		Progress: d.Progress(value, done), Confidence: c.confidence, Note: optional(c.note), CorrectsID: c.corrects,
		CheckedAt: &c.at, ActorID: by.id(),
	})
	if err != nil {
		return err
	}
	t.past.set("check_ins", "created_at", c.id, now)
	t.followed[keyResultID] = true
	action := "check_in.created"
	if c.corrects != nil {
		action = "check_in.corrected"
	}
	return t.record(ctx, now, event{action: action, kind: "check_in", target: c.id, by: by.id(),
		detail: map[string]any{"objective_id": o.id, "key_result_id": keyResultID}})
}

// measured reads a reading's value: a number or, for a milestone, how many of its steps are done.
func (t *teller) measured(o *toldObjective, position int, value string) (*decimal.Decimal, []uuid.UUID, error) {
	if o.keyResults[position].kind != okr.Milestone {
		d, err := decimal.NewFromString(value)
		return &d, []uuid.UUID{}, err
	}
	var count int
	if _, err := fmt.Sscan(value, &count); err != nil {
		return nil, nil, err
	}
	done := []uuid.UUID{}
	for i := range count {
		done = append(done, t.stepID(o, position, i))
	}
	return nil, done, nil
}

func (t *teller) comment(ctx context.Context, at time.Time, o *toldObjective, id uuid.UUID, c comment) error {
	_, err := t.q.CreateComment(ctx, db.CreateCommentParams{
		OrganizationID: t.id(), ID: id, ObjectiveID: o.id, ActorID: c.by.id(), Body: strings.TrimSpace(c.body),
	})
	if err != nil {
		return err
	}
	t.past.add("comments", id, at)
	return t.record(ctx, at, event{action: "comment.created", kind: "objective", target: o.id, by: c.by.id(), detail: map[string]any{"comment_id": id}})
}

func (t *teller) parentOf(o *toldObjective) (objectiveID, keyResultID *uuid.UUID, err error) {
	if o.parent == "" {
		return nil, nil, nil
	}
	parent, ok := t.told[o.parent]
	if !ok {
		return nil, nil, fmt.Errorf("no objective %q to contribute to", o.parent)
	}
	if o.parentKeyResult > 0 {
		keyResultID = optional(t.keyResultID(parent, o.parentKeyResult-1))
	}
	return &parent.id, keyResultID, nil
}

func (t *teller) teamOf(o *toldObjective) *uuid.UUID {
	if o.team.number == 0 {
		return nil
	}
	return optional(t.teamID(o.team))
}

func (t *teller) keyResultNumber(o *toldObjective, position int) int {
	return o.number*keyResultsEach + position
}

func (t *teller) keyResultID(o *toldObjective, position int) uuid.UUID {
	return t.newID(keyResultKind, t.keyResultNumber(o, position))
}

func (t *teller) stepID(o *toldObjective, position, step int) uuid.UUID {
	return t.newID(stepKind, t.keyResultNumber(o, position)*stepsEach+step)
}
