package snapshot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// Validate returns everything that cannot be true of an organisation. What a single row may hold, the schema's own checks know better; this is about
// what the schema cannot see: references and histories that belong together, the rules of OKRs, and what is kept twice.
func (s *Snapshot) Validate() []Fault {
	v := newValidator(s)
	if !v.entities() {
		return v.faults
	}
	v.checkIns()
	v.current()
	v.history()
	v.dialogue()
	v.audit()
	v.links()
	v.communication()
	return v.faults
}

// entities looks at what people edit, and reports whether it is safe to compute with the rest: with numbers that are out of range, that may cost without bound.
func (v *validator) entities() bool {
	if v.numbers(); len(v.faults) > 0 {
		return false
	}
	v.organization()
	v.people()
	v.teams()
	v.cycles()
	v.objectives()
	v.alignment()
	return true
}

// Codes of what is wrong with an organisation.
const (
	codeForeign        = "of-another-organization"
	codeTwice          = "twice"
	codeNotThere       = "not-there"
	codeNotAMember     = "not-a-member"
	codeMisplaced      = "misplaced"
	codeOwnerMissing   = "owner-missing"
	codeNameTaken      = "name-taken"
	codeOutOfRange     = okr.CodeNumberOutOfRange
	codeLoop           = "alignment-loop"
	codeState          = "state-impossible"
	codeRollUp         = "roll-up-differs"
	codeCurrent        = "current-differs"
	codeHistoryMissing = "history-missing"
	codeHistory        = "history-differs"
	codeSuggestion     = "suggestion-stale"
	codeOrphan         = "job-orphaned"
)

// validator looks at one snapshot.
type validator struct {
	s           *Snapshot
	faults      []Fault
	members     map[uuid.UUID]bool
	teamIDs     map[uuid.UUID]bool
	cycleIDs    map[uuid.UUID]bool
	objectiveAt map[uuid.UUID]*Objective
	keyResult   map[uuid.UUID]*KeyResult
	dialogues   map[uuid.UUID]Dialogue
	jobs        map[uuid.UUID]AIJob
	messages    map[uuid.UUID]Message
}

func newValidator(s *Snapshot) *validator {
	v := &validator{s: s, members: map[uuid.UUID]bool{}, teamIDs: map[uuid.UUID]bool{}, cycleIDs: map[uuid.UUID]bool{},
		objectiveAt: map[uuid.UUID]*Objective{}, keyResult: map[uuid.UUID]*KeyResult{},
		dialogues: map[uuid.UUID]Dialogue{}, jobs: map[uuid.UUID]AIJob{}, messages: map[uuid.UUID]Message{}}
	for _, m := range s.Memberships {
		v.members[m.UserID] = true
	}
	for _, t := range s.Teams {
		v.teamIDs[t.ID] = true
	}
	for _, c := range s.Cycles {
		v.cycleIDs[c.ID] = true
	}
	for i := range s.Objectives {
		o := &s.Objectives[i]
		v.objectiveAt[o.ID] = o
		for j := range o.KeyResults {
			v.keyResult[o.KeyResults[j].ID] = &o.KeyResults[j]
		}
	}
	for _, d := range s.Dialogues {
		v.dialogues[d.ID] = d
	}
	for _, j := range s.Jobs {
		v.jobs[j.ID] = j
	}
	for _, m := range s.Messages {
		v.messages[m.ID] = m
	}
	return v
}

// place is one thing that may be wrong.
type place struct {
	v       *validator
	pointer string
	kind    string
	id      uuid.UUID
}

func (v *validator) at(kind string, id uuid.UUID, pointer string, indices ...any) place {
	return place{v: v, pointer: fmt.Sprintf(pointer, indices...), kind: kind, id: id}
}

func (p place) fault(field, code, detail string, arguments ...any) {
	p.v.faults = append(p.v.faults, Fault{Pointer: p.pointer + field, Kind: p.kind, ID: p.id, Code: code, Detail: fmt.Sprintf(detail, arguments...)})
}

// owned refuses a row that says it belongs to another organisation.
func (p place) owned(organization uuid.UUID) {
	if organization != p.v.s.Organization.ID {
		p.fault("/organization_id", codeForeign, "It belongs to the organisation %s.", organization)
	}
}

// member refuses somebody who is none; nil is nobody, and is let through.
func (p place) member(field string, id *uuid.UUID) {
	if id != nil && !p.v.members[*id] {
		p.fault(field, codeNotAMember, "%s is no member of the organisation.", *id)
	}
}

func (p place) notThere(field, what string, id uuid.UUID) {
	p.fault(field, codeNotThere, "There is no %s %s.", what, id)
}

// unique refuses an id that came before.
func (p place) unique(seen map[uuid.UUID]bool) {
	if p.id == uuid.Nil || seen[p.id] {
		p.fault("/id", codeTwice, "Its id is that of another, or of nothing.")
	}
	seen[p.id] = true
}

// numbers refuses what the columns cannot hold as it is.
func (v *validator) numbers() {
	type number struct {
		field           string
		value           *decimal.Decimal
		whole, fraction int
	}
	check := func(p place, numbers ...number) {
		for _, n := range numbers {
			if n.value != nil && !fits(*n.value, n.whole, n.fraction) {
				p.fault(n.field, codeOutOfRange, "The number has more digits than can be kept: %d before the point, %d after it.", n.whole, n.fraction)
			}
		}
	}
	for i, o := range v.s.Objectives {
		check(v.at("objective", o.ID, "/objectives/%d", i), number{"/score", o.Score, 1, 1})
		for j, k := range o.KeyResults {
			check(v.at("key result", k.ID, "/objectives/%d/key_results/%d", i, j), number{"/baseline", k.Baseline, 15, 6}, number{"/target", k.Target, 15, 6},
				number{"/stretch", k.Stretch, 15, 6}, number{"/at_least", k.AtLeast, 15, 6}, number{"/at_most", k.AtMost, 15, 6}, number{"/tolerance", k.Tolerance, 15, 6},
				number{"/weight", &k.Weight, 6, 3}, number{"/current_value", k.CurrentValue, 15, 6})
			for l, step := range k.Steps {
				check(v.at("step", step.ID, "/objectives/%d/key_results/%d/steps/%d", i, j, l), number{"/weight", &step.Weight, 6, 3})
			}
		}
	}
	for i, c := range v.s.CheckIns {
		check(v.at("check-in", c.ID, "/check_ins/%d", i), number{"/value", c.Value, 15, 6}, number{"/progress", &c.Progress, progressDigits, progressDigits})
	}
}

// progressDigits bounds a column that has no bound: the quotient of the largest amount by the smallest has not as many digits.
const progressDigits = 40

// fits looks at digits and exponent alone, so it is safe on any number that could be read.
func fits(d decimal.Decimal, whole, fraction int) bool {
	exponent := int(d.Exponent())
	return -fraction <= exponent && exponent <= whole && (d.IsZero() || d.NumDigits()+exponent <= whole)
}

func (v *validator) organization() {
	if v.s.Organization.ID == uuid.Nil {
		v.at("organization", v.s.Organization.ID, "/organization").fault("/id", codeRequired, "It needs an id.")
	}
	if _, err := time.LoadLocation(v.s.Organization.TimeZone); err != nil {
		v.at("organization", v.s.Organization.ID, "/organization").fault("/time_zone", codeNotThere, "There is no time zone %q.", v.s.Organization.TimeZone)
	}
	active := func(m Membership) bool { return m.Role == auth.Owner && m.SuspendedAt == nil }
	if !slices.ContainsFunc(v.s.Memberships, active) {
		v.at("organization", v.s.Organization.ID, "/memberships").fault("", codeOwnerMissing, "No owner is left who can act.")
	}
}

func (v *validator) people() {
	seen, emails := map[uuid.UUID]bool{}, map[string]bool{}
	for i, u := range v.s.Users {
		p := v.at("person", u.ID, "/users/%d", i)
		p.unique(seen)
		if emails[u.Email] {
			p.fault("/email", codeTwice, "Somebody else has the address %s.", u.Email)
		}
		emails[u.Email] = true
		p.member("/id", &u.ID)
	}
	members := map[uuid.UUID]bool{}
	for i, m := range v.s.Memberships {
		p := v.at("member", m.UserID, "/memberships/%d", i)
		p.owned(m.OrganizationID)
		p.unique(members)
		if !seen[m.UserID] {
			p.notThere("/user_id", "person", m.UserID)
		}
	}
}

func (v *validator) teams() {
	seen, names := map[uuid.UUID]bool{}, map[string]bool{}
	for i, t := range v.s.Teams {
		p := v.at("team", t.ID, "/teams/%d", i)
		p.owned(t.OrganizationID)
		p.unique(seen)
		p.member("/changed_by", &t.ChangedBy)
		if name := strings.ToLower(t.Name); t.ArchivedAt == nil {
			if names[name] {
				p.fault("/name", codeNameTaken, "Another team has this name.")
			}
			names[name] = true
		}
		inTeam := map[uuid.UUID]bool{}
		for j, m := range t.Members {
			at := v.at("team", t.ID, "/teams/%d/members/%d", i, j)
			at.owned(m.OrganizationID)
			at.member("/user_id", &m.UserID)
			if m.TeamID != t.ID {
				at.fault("/team_id", codeMisplaced, "It stands in the team %s.", t.ID)
			}
			if inTeam[m.UserID] {
				at.fault("/user_id", codeTwice, "%s is in the team twice.", m.UserID)
			}
			inTeam[m.UserID] = true
		}
	}
}

func (v *validator) cycles() {
	seen := map[uuid.UUID]bool{}
	for i, c := range v.s.Cycles {
		p := v.at("cycle", c.ID, "/cycles/%d", i)
		p.owned(c.OrganizationID)
		p.unique(seen)
		p.member("/changed_by", &c.ChangedBy)
		if c.EndsOn.Before(c.StartsOn) {
			p.fault("/ends_on", codeState, "A cycle does not end before it begins.")
		}
	}
}

func (v *validator) objectives() {
	seen, keyResults, steps := map[uuid.UUID]bool{}, map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
	for i := range v.s.Objectives {
		o := &v.s.Objectives[i]
		p := v.at("objective", o.ID, "/objectives/%d", i)
		p.owned(o.OrganizationID)
		p.unique(seen)
		if !v.cycleIDs[o.CycleID] {
			p.notThere("/cycle_id", "cycle", o.CycleID)
		}
		if o.TeamID != nil && !v.teamIDs[*o.TeamID] {
			p.notThere("/team_id", "team", *o.TeamID)
		}
		p.member("/owner_id", &o.OwnerID)
		p.member("/created_by", &o.CreatedBy)
		p.member("/changed_by", &o.ChangedBy)
		if o.Visibility == okr.VisibleToTeam && o.TeamID == nil {
			p.fault("/visibility", codeState, "Only an objective of a team can be visible to its team.")
		}
		if (o.State == okr.ObjectiveClosed) != (o.Score != nil) {
			p.fault("/score", codeState, "An objective has a score exactly when it is closed.")
		}
		if o.Revision < 1 {
			p.fault("/revision", codeState, "Revisions are counted from 1.")
		}
		if o.CarriedFromID != nil && v.objectiveAt[*o.CarriedFromID] == nil {
			p.notThere("/carried_from_id", "objective", *o.CarriedFromID)
		}
		definitions := make([]okr.KeyResult, 0, len(o.KeyResults))
		for j := range o.KeyResults {
			k := &o.KeyResults[j]
			at := v.at("key result", k.ID, "/objectives/%d/key_results/%d", i, j)
			at.owned(k.OrganizationID)
			at.unique(keyResults)
			if k.ObjectiveID != o.ID {
				at.fault("/objective_id", codeMisplaced, "It stands in the objective %s.", o.ID)
			}
			at.member("/owner_id", k.OwnerID)
			if k.CarriedFromID != nil && v.keyResult[*k.CarriedFromID] == nil {
				at.notThere("/carried_from_id", "key result", *k.CarriedFromID)
			}
			for l, step := range k.Steps {
				at := v.at("step", step.ID, "/objectives/%d/key_results/%d/steps/%d", i, j, l)
				at.owned(step.OrganizationID)
				at.unique(steps)
				if step.KeyResultID != k.ID {
					at.fault("/key_result_id", codeMisplaced, "It stands in the key result %s.", k.ID)
				}
			}
			if k.ArchivedAt == nil { // what is out of the count may be as it was by older rules
				for _, e := range k.definition().Validate() {
					at.fault(e.Pointer, e.Code, "%s", e.Detail)
				}
			}
			definitions = append(definitions, k.definition())
		}
		for _, e := range okr.ValidateWeights(definitions) {
			p.fault(e.Pointer, e.Code, "%s", e.Detail)
		}
	}
}

// definition is the key result as the domain's rules see it.
func (k *KeyResult) definition() okr.KeyResult {
	steps := make([]okr.Step, 0, len(k.Steps))
	for _, step := range k.Steps {
		steps = append(steps, okr.Step{ID: step.ID, Weight: step.Weight})
	}
	return okr.KeyResult{Kind: k.Kind, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost,
		Tolerance: k.Tolerance, Steps: steps, Weight: k.Weight, Archived: k.ArchivedAt != nil}
}

// alignment refuses parents that are not there and parents that lead back.
func (v *validator) alignment() {
	sound := map[uuid.UUID]bool{} // known to lead to the top
	for i := range v.s.Objectives {
		o := &v.s.Objectives[i]
		p := v.at("objective", o.ID, "/objectives/%d", i)
		if o.ParentObjectiveID == nil {
			if o.ParentKeyResultID != nil {
				p.fault("/parent_key_result_id", codeState, "A key result is named together with its objective.")
			}
			continue
		}
		parent := v.objectiveAt[*o.ParentObjectiveID]
		if parent == nil {
			p.notThere("/parent_objective_id", "objective", *o.ParentObjectiveID)
			continue
		}
		if id := o.ParentKeyResultID; id != nil && (v.keyResult[*id] == nil || v.keyResult[*id].ObjectiveID != parent.ID) {
			p.notThere("/parent_key_result_id", "key result of the parent", *id)
		}
		path := map[uuid.UUID]bool{}
		for up := o; up != nil && !sound[up.ID]; up = v.parentOf(up) {
			if path[up.ID] {
				p.fault("/parent_objective_id", codeLoop, "An objective cannot contribute to itself, directly or through others.")
				break
			}
			path[up.ID] = true
			if up.ParentObjectiveID == nil {
				for id := range path {
					sound[id] = true
				}
			}
		}
	}
}

func (v *validator) parentOf(o *Objective) *Objective {
	if o.ParentObjectiveID == nil {
		return nil
	}
	return v.objectiveAt[*o.ParentObjectiveID]
}

func (v *validator) checkIns() {
	seen, corrected := map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
	at := make(map[uuid.UUID]*CheckIn, len(v.s.CheckIns))
	for i := range v.s.CheckIns {
		at[v.s.CheckIns[i].ID] = &v.s.CheckIns[i]
	}
	for i, c := range v.s.CheckIns {
		p := v.at("check-in", c.ID, "/check_ins/%d", i)
		p.owned(c.OrganizationID)
		p.unique(seen)
		p.member("/created_by", &c.CreatedBy)
		k := v.keyResult[c.KeyResultID]
		switch {
		case k == nil:
			p.notThere("/key_result_id", "key result", c.KeyResultID)
		case (k.Kind == okr.Milestone) != (c.Value == nil):
			p.fault("/value", codeState, "A check-in has a value exactly when its key result is no milestone.")
		}
		if c.CorrectsID == nil {
			continue
		}
		wrong := at[*c.CorrectsID]
		switch {
		case wrong == nil:
			p.notThere("/corrects_id", "check-in", *c.CorrectsID)
		case wrong.KeyResultID != c.KeyResultID || !wrong.CheckedAt.Equal(c.CheckedAt):
			p.fault("/corrects_id", codeMisplaced, "A correction stands at the time of what it corrects, in the same key result.")
		case corrected[wrong.ID]:
			p.fault("/corrects_id", codeTwice, "The check-in %s is corrected already.", wrong.ID)
		}
		corrected[*c.CorrectsID] = true
	}
}

// latest is, of each key result, the latest check-in that nothing corrects.
func (s *Snapshot) latest() map[uuid.UUID]*CheckIn {
	corrected := make(map[uuid.UUID]bool)
	for _, c := range s.CheckIns {
		if c.CorrectsID != nil {
			corrected[*c.CorrectsID] = true
		}
	}
	latest := make(map[uuid.UUID]*CheckIn, len(s.CheckIns))
	for i := range s.CheckIns {
		c := &s.CheckIns[i]
		if corrected[c.ID] {
			continue
		}
		if was := latest[c.KeyResultID]; was == nil || c.CheckedAt.After(was.CheckedAt) || c.CheckedAt.Equal(was.CheckedAt) && compareIDs(c.ID, was.ID) > 0 {
			latest[c.KeyResultID] = c
		}
	}
	return latest
}

// current compares what is kept beside each key result with its check-ins, and the objectives' progress that the two come to.
func (v *validator) current() {
	latest := v.s.latest()
	for i := range v.s.Objectives {
		o := &v.s.Objectives[i]
		var shown, measured []okr.Standing
		for j := range o.KeyResults {
			k := &o.KeyResults[j]
			c := latest[k.ID]
			if !k.isAt(c) {
				said := "has no check-in"
				if c != nil {
					said = "stands at the check-in " + c.ID.String()
				}
				v.at("key result", k.ID, "/objectives/%d/key_results/%d", i, j).fault("/current_check_in_id", codeCurrent, "What is kept as current is not the latest check-in: it %s.", said)
			}
			shown = append(shown, k.standing(k.CurrentCheckInID != nil, k.CurrentValue, k.CurrentDoneSteps))
			if c == nil {
				measured = append(measured, k.standing(false, nil, nil))
				continue
			}
			measured = append(measured, k.standing(true, c.Value, c.DoneStepIDs))
		}
		was, is := okr.RollUp(shown), okr.RollUp(measured)
		if !was.Progress.Equal(is.Progress) || !was.Overshoot.Equal(is.Overshoot) || was.Pending != is.Pending {
			v.at("objective", o.ID, "/objectives/%d", i).fault("", codeRollUp, "It shows %d %%, and its check-ins come to %d %%.", okr.PercentRollUp(was.Progress), okr.PercentRollUp(is.Progress))
		}
	}
}

func (k *KeyResult) standing(measured bool, value *decimal.Decimal, done []uuid.UUID) okr.Standing {
	s := okr.Standing{Weight: k.Weight, Pending: !measured, Archived: k.ArchivedAt != nil}
	if measured {
		s.Progress = k.definition().Progress(value, done)
	}
	return s
}

// isAt reports whether c is what is kept as current of the key result; nil is no check-in.
func (k *KeyResult) isAt(c *CheckIn) bool {
	if c == nil {
		return k.CurrentCheckInID == nil && k.CurrentValue == nil && len(k.CurrentDoneSteps) == 0 && k.CurrentConfidence == nil && k.CurrentAt == nil
	}
	return k.CurrentCheckInID != nil && *k.CurrentCheckInID == c.ID &&
		(k.CurrentValue == nil) == (c.Value == nil) && (c.Value == nil || k.CurrentValue.Equal(*c.Value)) &&
		slices.Equal(k.CurrentDoneSteps, c.DoneStepIDs) &&
		k.CurrentConfidence != nil && *k.CurrentConfidence == c.Confidence &&
		k.CurrentAt != nil && k.CurrentAt.Equal(c.CheckedAt)
}

// history refuses gaps in it, revisions that the objective has not had, and a last revision that is not the objective as it is.
func (v *validator) history() {
	revisions := make(map[uuid.UUID][]*ObjectiveHistory, len(v.s.Objectives))
	for i := range v.s.History {
		h := &v.s.History[i]
		p := v.at("objective", h.ObjectiveID, "/objective_history/%d", i)
		p.owned(h.OrganizationID)
		p.member("/changed_by", &h.ChangedBy)
		if v.objectiveAt[h.ObjectiveID] == nil {
			p.notThere("/objective_id", "objective", h.ObjectiveID)
		}
		revisions[h.ObjectiveID] = append(revisions[h.ObjectiveID], h)
	}
	for i := range v.s.Objectives {
		o := &v.s.Objectives[i]
		p := v.at("objective", o.ID, "/objectives/%d", i)
		had := revisions[o.ID]
		slices.SortFunc(had, func(a, b *ObjectiveHistory) int { return int(a.Revision - b.Revision) })
		for n, h := range had {
			if h.Revision != int64(n+1) {
				p.fault("/revision", codeHistoryMissing, "Its history goes on at revision %d where %d should be.", h.Revision, n+1)
				break
			}
		}
		if int64(len(had)) != o.Revision {
			p.fault("/revision", codeHistoryMissing, "It is at revision %d, and its history has %d.", o.Revision, len(had))
			continue
		}
		if len(had) == 0 {
			continue
		}
		if field, differs := o.differsFrom(had[len(had)-1].Content); differs {
			p.fault(field, codeHistory, "It is not what its history says of its revision %d.", o.Revision)
		}
	}
}

// differsFrom reports whether the objective is not as the content of its latest revision has it, and in which field; in "", if it is in more than one.
func (o *Objective) differsFrom(kept json.RawMessage) (field string, differs bool) {
	content, err := o.content()
	if err != nil {
		return "", true
	}
	var was db.ObjectiveContent
	if err := json.Unmarshal(kept, &was); err != nil {
		return "", true
	}
	own, err := json.Marshal(was)
	if err != nil {
		return "", true
	}
	return differing(jsontext.Value(content), jsontext.Value(own))
}

func (v *validator) dialogue() {
	seen := map[uuid.UUID]bool{}
	for i, c := range v.s.Comments {
		p := v.at("comment", c.ID, "/comments/%d", i)
		p.owned(c.OrganizationID)
		p.unique(seen)
		p.member("/author_id", &c.AuthorID)
		if (c.Body == "") != (c.DeletedAt != nil) {
			p.fault("/body", codeState, "A comment has words exactly while it is not deleted.")
		}
		v.about(p, c.ObjectiveID)
	}
	seen = map[uuid.UUID]bool{}
	for i, d := range v.s.Dialogues {
		p := v.at("dialogue", d.ID, "/dialogues/%d", i)
		p.owned(d.OrganizationID)
		p.unique(seen)
		p.member("/created_by", &d.CreatedBy)
		v.about(p, d.ObjectiveID)
	}
	seen = map[uuid.UUID]bool{}
	for i, j := range v.s.Jobs {
		p := v.at("job", j.ID, "/jobs/%d", i)
		p.owned(j.OrganizationID)
		p.unique(seen)
		p.member("/requested_by", &j.RequestedBy)
		v.about(p, j.ObjectiveID)
		v.within(p, j.DialogueID, j.ObjectiveID)
	}
	seen = map[uuid.UUID]bool{}
	for i, m := range v.s.Messages {
		p := v.at("message", m.ID, "/messages/%d", i)
		p.owned(m.OrganizationID)
		p.unique(seen)
		p.member("/author_id", m.AuthorID)
		if _, ok := v.dialogues[m.DialogueID]; !ok {
			p.notThere("/dialogue_id", "dialogue", m.DialogueID)
		}
		if m.JobID == nil {
			continue
		}
		if job, ok := v.jobs[*m.JobID]; !ok {
			p.notThere("/job_id", "job", *m.JobID)
		} else if job.DialogueID != m.DialogueID {
			p.fault("/job_id", codeMisplaced, "The job was asked for in another dialogue.")
		}
	}
	v.suggestions()
}

func (v *validator) suggestions() {
	seen := map[uuid.UUID]bool{}
	for i, g := range v.s.Suggestions {
		p := v.at("suggestion", g.ID, "/suggestions/%d", i)
		p.owned(g.OrganizationID)
		p.unique(seen)
		p.member("/decided_by", g.DecidedBy)
		v.about(p, g.ObjectiveID)
		v.within(p, g.DialogueID, g.ObjectiveID)
		if m, ok := v.messages[g.MessageID]; !ok {
			p.notThere("/message_id", "message", g.MessageID)
		} else if m.DialogueID != g.DialogueID {
			p.fault("/message_id", codeMisplaced, "The message is of another dialogue.")
		}
		if o := v.objectiveAt[g.ObjectiveID]; o != nil && g.State == "open" && g.ObjectiveRevision != o.Revision {
			p.fault("/state", codeSuggestion, "It is open for revision %d, and the objective is at %d.", g.ObjectiveRevision, o.Revision)
		}
	}
}

func (v *validator) about(p place, objective uuid.UUID) {
	if v.objectiveAt[objective] == nil {
		p.notThere("/objective_id", "objective", objective)
	}
}

func (v *validator) within(p place, dialogue, objective uuid.UUID) {
	if d, ok := v.dialogues[dialogue]; !ok {
		p.notThere("/dialogue_id", "dialogue", dialogue)
	} else if d.ObjectiveID != objective {
		p.fault("/dialogue_id", codeMisplaced, "The dialogue is about another objective.")
	}
}

func (v *validator) audit() {
	seen := map[uuid.UUID]bool{}
	for i, e := range v.s.AuditEvents {
		p := v.at("audit event", e.ID, "/audit_events/%d", i)
		p.owned(e.OrganizationID)
		p.unique(seen)
		p.member("/actor_id", e.ActorID)
	}
}
