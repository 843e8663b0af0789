package intake

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/exchange"
	"github.com/kakeai/kakeai/internal/okr"
)

const (
	maxKeyResults = 50 // of an objective, archived ones included

	// What the schema keeps of numbers and of weights: digits behind the point, and the least that is too much.
	numberPlaces, numberDigits = 6, 15
	weightPlaces, weightDigits = 3, 6
)

// surroundings are what a page of objectives refers to.
type surroundings struct {
	cycles  map[string][]db.Cycle // by name in lower case
	chosen  *db.Cycle             // the cycle that the import is for
	teams   map[string]uuid.UUID
	people  map[string]uuid.UUID
	present map[uuid.UUID]*present
}

// present is an objective that is there already, with all its key results in their order.
type present struct {
	db.Objective
	keyResults []presentKeyResult
}

type presentKeyResult struct {
	db.KeyResult
	steps []db.StepContent
}

// planned is an objective with its key results, as the file wants them and as they will be.
type planned struct {
	entity   db.ImportEntity
	intent   exchange.ObjectiveIntent
	children []*plannedKeyResult
	content  db.ObjectiveContent
	change   string
	revision int64
}

type plannedKeyResult struct {
	entity db.ImportEntity
	intent exchange.KeyResultIntent
	change string
}

// planObjectives decides what becomes of the next objectives and their key results, their alignment aside.
func (j *job) planObjectives(ctx context.Context) error {
	entities, err := j.q.ListImportEntitiesAfter(ctx, db.ListImportEntitiesAfterParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: objectiveKind, AfterKey: j.i.AfterKey, PageSize: objectivesAtOnce})
	if err != nil {
		return err
	}
	page, err := j.withChildren(ctx, entities)
	if err != nil {
		return err
	}
	around, err := j.surroundings(ctx, page)
	if err != nil {
		return err
	}
	found := problems{}
	plans := db.PlanImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: objectiveKind}
	parts := db.PlanImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: keyResultKind}
	for _, p := range page {
		j.plan(p, around, found)
		content, err := json.Marshal(p.content)
		if err != nil {
			return err
		}
		plans.Keys, plans.Changes, plans.FromRevisions = append(plans.Keys, p.entity.Key), append(plans.Changes, p.change), append(plans.FromRevisions, p.revision)
		plans.Plans, plans.EntityIDs = append(plans.Plans, string(content)), append(plans.EntityIDs, p.entity.EntityID)
		for _, k := range p.children {
			parts.Keys, parts.Changes, parts.FromRevisions = append(parts.Keys, k.entity.Key), append(parts.Changes, k.change), append(parts.FromRevisions, 0)
			parts.Plans, parts.EntityIDs = append(parts.Plans, "null"), append(parts.EntityIDs, k.entity.EntityID)
		}
	}
	if len(plans.Keys) > 0 {
		if err := j.q.PlanImportEntities(ctx, plans); err != nil {
			return err
		}
	}
	if len(parts.Keys) > 0 {
		if err := j.q.PlanImportEntities(ctx, parts); err != nil {
			return err
		}
	}
	if err := j.write(ctx, found); err != nil {
		return err
	}
	if len(entities) < objectivesAtOnce {
		return j.advance(ctx, alignment, 0, "", 0)
	}
	return j.advance(ctx, objectives, 0, entities[len(entities)-1].Key, len(entities))
}

func (j *job) withChildren(ctx context.Context, entities []db.ImportEntity) ([]*planned, error) {
	page := make([]*planned, len(entities))
	byKey := make(map[string]*planned, len(entities))
	keys := make([]string, len(entities))
	for n, e := range entities {
		page[n] = &planned{entity: e, change: refused}
		if err := json.Unmarshal(e.Intent, &page[n].intent); err != nil {
			return nil, err
		}
		byKey[e.Key], keys[n] = page[n], e.Key
	}
	children, err := j.q.ListImportChildren(ctx, db.ListImportChildrenParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: keyResultKind, ParentKeys: keys})
	if err != nil {
		return nil, err
	}
	for _, e := range children {
		k := &plannedKeyResult{entity: e, change: refused}
		if err := json.Unmarshal(e.Intent, &k.intent); err != nil {
			return nil, err
		}
		of := byKey[e.ParentKey]
		of.children = append(of.children, k)
	}
	return page, nil
}

func (j *job) surroundings(ctx context.Context, page []*planned) (surroundings, error) {
	s := surroundings{cycles: map[string][]db.Cycle{}, teams: map[string]uuid.UUID{}, people: map[string]uuid.UUID{}, present: map[uuid.UUID]*present{}}
	var cycles, teams, emails []string
	var ids []uuid.UUID
	for _, p := range page {
		cycles, teams, emails = appendSaid(cycles, p.intent.Cycle), appendSaid(teams, p.intent.Team), appendSaid(emails, p.intent.Owner)
		for _, k := range p.children {
			emails = appendSaid(emails, k.intent.Owner)
		}
		if p.entity.Known {
			ids = append(ids, p.entity.EntityID)
		}
	}
	found, err := j.q.ListCyclesByName(ctx, db.ListCyclesByNameParams{OrganizationID: j.i.OrganizationID, LowerNames: cycles, CycleID: j.i.CycleID})
	if err != nil {
		return s, err
	}
	for _, c := range found {
		s.cycles[strings.ToLower(c.Name)] = append(s.cycles[strings.ToLower(c.Name)], c)
		if j.i.CycleID != nil && c.ID == *j.i.CycleID {
			s.chosen = &c
		}
	}
	if len(teams) > 0 {
		rows, err := j.q.ListTeamsByName(ctx, db.ListTeamsByNameParams{OrganizationID: j.i.OrganizationID, LowerNames: teams})
		if err != nil {
			return s, err
		}
		for _, t := range rows {
			s.teams[t.LowerName] = t.ID
		}
	}
	if s.people, err = j.people(ctx, emails); err != nil {
		return s, err
	}
	if len(ids) > 0 {
		s.present, err = j.present(ctx, ids)
	}
	return s, err
}

func appendSaid(all []string, said *string) []string {
	if said == nil || strings.TrimSpace(*said) == "" {
		return all
	}
	return append(all, strings.ToLower(strings.TrimSpace(*said)))
}

// people are members by their e-mail addresses.
func (j *job) people(ctx context.Context, emails []string) (map[string]uuid.UUID, error) {
	people := map[string]uuid.UUID{}
	slices.Sort(emails)
	for some := range slices.Chunk(slices.Compact(emails), 1000) {
		rows, err := j.q.ListMembersByEmail(ctx, db.ListMembersByEmailParams{OrganizationID: j.i.OrganizationID, Emails: some})
		if err != nil {
			return nil, err
		}
		for _, m := range rows {
			people[m.Email] = m.UserID
		}
	}
	return people, nil
}

// present reads objectives that the actor may see, with their key results.
func (j *job) present(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]*present, error) {
	rows, err := j.visible(ctx, ids)
	if err != nil {
		return nil, err
	}
	all := make(map[uuid.UUID]*present, len(rows))
	seen := make([]uuid.UUID, 0, len(rows))
	for id, o := range rows {
		all[id] = &present{Objective: o}
		seen = append(seen, id)
	}
	parts, err := j.q.ListKeyResultsOfObjectives(ctx, db.ListKeyResultsOfObjectivesParams{OrganizationID: j.i.OrganizationID, ObjectiveIDs: seen})
	for _, r := range parts {
		o := all[r.KeyResult.ObjectiveID]
		if last := len(o.keyResults) - 1; last < 0 || o.keyResults[last].ID != r.KeyResult.ID {
			o.keyResults = append(o.keyResults, presentKeyResult{KeyResult: r.KeyResult})
		}
		if r.StepID != nil {
			k := &o.keyResults[len(o.keyResults)-1]
			k.steps = append(k.steps, db.StepContent{ID: *r.StepID, Title: *r.StepTitle, Weight: *r.StepWeight})
		}
	}
	return all, err
}

// content is what the history has of an objective that is there.
func (p *present) content() db.ObjectiveContent {
	c := db.ObjectiveContent{Title: p.Title, Description: p.Description, Kind: p.Kind, Visibility: p.Visibility, State: p.State, OwnerID: p.OwnerID, TeamID: p.TeamID, CycleID: p.CycleID,
		ParentObjectiveID: p.ParentObjectiveID, ParentKeyResultID: p.ParentKeyResultID, Score: p.Score, Archived: p.ArchivedAt != nil, KeyResults: []db.KeyResultContent{}}
	for _, k := range p.keyResults {
		if k.ArchivedAt == nil {
			c.KeyResults = append(c.KeyResults, db.KeyResultContent{ID: k.ID, Title: k.Title, Description: k.Description, OwnerID: k.OwnerID, Kind: k.Kind, Unit: k.Unit, Baseline: k.Baseline,
				Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight, Steps: append([]db.StepContent{}, k.steps...)})
		}
	}
	return c
}

// plan decides on one objective and its key results.
func (j *job) plan(p *planned, around surroundings, found problems) {
	was := around.present[p.entity.EntityID]
	var why []exchange.Problem
	switch {
	case p.entity.Known && was == nil:
		why = append(why, j.problem(exchange.Objective, "not-found", "It was brought before, and is not there any more for you to see."))
	case was != nil:
		p.content, p.revision = was.content(), was.Revision
		why = j.changeObjective(p, was, around)
	default:
		p.content = db.ObjectiveContent{KeyResults: []db.KeyResultContent{}}
		why = j.newObjective(p, around)
	}
	if len(why) > 0 {
		found.add(p.entity.Position, why...)
		return
	}
	j.planKeyResults(p, was, around, found)
	if len(p.content.KeyResults) > 0 {
		definitions := make([]okr.KeyResult, len(p.content.KeyResults))
		for n, k := range p.content.KeyResults {
			definitions[n] = okr.KeyResult{Weight: k.Weight}
		}
		if refusals := okr.ValidateWeights(definitions); len(refusals) > 0 {
			found.add(p.entity.Position, j.problem(exchange.Weight, refusals[0].Code, refusals[0].Detail))
			return
		}
	}
	switch {
	case was == nil:
		p.change = create
	case sameContent(was.content(), p.content):
		p.change = same
	default:
		p.change = update
	}
	if was != nil && p.change == update && !j.mayEdit(was) {
		p.change = refused
		detail := "It is closed or archived, and differs from what the file says."
		if was.State != okr.ObjectiveClosed && was.ArchivedAt == nil {
			detail = "It differs from what the file says, and is not yours to change in its state."
		}
		found.add(p.entity.Position, j.problem(exchange.Objective, "not-allowed", detail))
	}
}

// mayEdit is who may change the content of an objective by hand.
func (j *job) mayEdit(o *present) bool {
	reviews := j.administers() || j.leads(o.TeamID)
	if o.ArchivedAt != nil || o.State == okr.ObjectiveClosed {
		return false
	}
	return reviews || o.OwnerID == j.actor.UserID && o.State != okr.ObjectiveApproved
}

// newObjective fills the content of an objective that is not there yet.
func (j *job) newObjective(p *planned, around surroundings) (why []exchange.Problem) {
	refuse := func(f exchange.Field, code, detail string) { why = append(why, j.problem(f, code, detail)) }
	in, c := p.intent, &p.content
	c.Title, c.Kind, c.Visibility, c.OwnerID = in.Title, okr.Committed, okr.VisibleToOrganization, j.actor.UserID
	c.State, c.Archived = okr.ObjectiveState(j.i.DefaultState), in.Archived
	if in.Description != nil && *in.Description != "" {
		c.Description = in.Description
	}
	if in.Kind != nil {
		c.Kind = *in.Kind
	}
	if in.Visibility != nil {
		c.Visibility = *in.Visibility
	}
	if in.State != nil {
		c.State = *in.State
	}
	c.Score = in.Score
	j.refer(p, around, refuse)
	switch closed := c.State == okr.ObjectiveClosed; {
	case closed && c.Score == nil:
		refuse(exchange.Score, okr.CodeRequired, "A closed objective has a score.")
	case !closed && c.Score != nil:
		refuse(exchange.Score, okr.CodeFieldNotOfKind, "Only a closed objective has a score.")
	case closed && (c.Score.IsNegative() || c.Score.GreaterThan(decimal.NewFromInt(1)) || !c.Score.Equal(c.Score.Round(1))):
		refuse(exchange.Score, okr.CodeScoreOutOfRange, "A score is from 0.0 to 1.0, with one decimal.")
	}
	if (c.State != okr.ObjectiveDraft || c.Archived) && !j.administers() {
		refuse(exchange.State, "not-allowed", "Only admins bring objectives that are more than drafts.")
	}
	if c.OwnerID != j.actor.UserID && !j.administers() && !j.leads(c.TeamID) {
		refuse(exchange.Owner, "not-allowed", "You bring objectives of your own, of teams that you lead, or as an admin anybody's.")
	}
	j.chooseCycle(p, around, refuse)
	return why
}

func (j *job) chooseCycle(p *planned, around surroundings, refuse func(f exchange.Field, code, detail string)) {
	said := ""
	if p.intent.Cycle != nil {
		said = strings.TrimSpace(*p.intent.Cycle)
	}
	var cycle db.Cycle
	switch named := around.cycles[strings.ToLower(said)]; {
	case said == "" && around.chosen == nil:
		refuse(exchange.Cycle, okr.CodeRequired, "The file names no cycle. Choose one for the import.")
		return
	case said == "":
		cycle = *around.chosen
	case len(named) == 0:
		refuse(exchange.Cycle, "not-found", fmt.Sprintf("There is no cycle named %q.", said))
		return
	case len(named) > 1:
		refuse(exchange.Cycle, "ambiguous", fmt.Sprintf("Several cycles are named %q.", said))
		return
	default:
		cycle = named[0]
	}
	p.content.CycleID = cycle.ID
	if !cycle.State.MayDraft() && !p.content.State.Counts() {
		refuse(exchange.Cycle, "wrong-state", "The cycle is closed. Only objectives that are approved or closed themselves can be brought into it.")
	}
}

// refer finds the team and the owner that the file names.
func (j *job) refer(p *planned, around surroundings, refuse func(f exchange.Field, code, detail string)) {
	in, c := p.intent, &p.content
	if in.Team != nil {
		c.TeamID = nil
		if name := strings.TrimSpace(*in.Team); name != "" {
			id, ok := around.teams[strings.ToLower(name)]
			if !ok {
				refuse(exchange.Team, "not-found", fmt.Sprintf("There is no team named %q.", name))
			}
			c.TeamID = &id
		}
	}
	if in.Owner != nil && *in.Owner != "" {
		id, ok := around.people[*in.Owner]
		if !ok {
			refuse(exchange.Owner, "not-found", fmt.Sprintf("No member has the address %s.", *in.Owner))
		}
		c.OwnerID = id
	}
	if c.Visibility == okr.VisibleToTeam && c.TeamID == nil {
		refuse(exchange.Visibility, okr.CodeRequired, "What only a team may see needs a team.")
	}
}

// changeObjective makes an objective's content what the file wants. State, score and whether it is archived stay: people decide on those.
func (j *job) changeObjective(p *planned, was *present, around surroundings) (why []exchange.Problem) {
	refuse := func(f exchange.Field, code, detail string) { why = append(why, j.problem(f, code, detail)) }
	in, c := p.intent, &p.content
	c.Title = in.Title
	if in.Description != nil {
		c.Description = in.Description
		if *in.Description == "" {
			c.Description = nil
		}
	}
	if in.Kind != nil {
		c.Kind = *in.Kind
	}
	if in.Visibility != nil {
		c.Visibility = *in.Visibility
	}
	j.refer(p, around, refuse)
	if c.OwnerID != was.OwnerID && c.OwnerID != j.actor.UserID && !j.administers() && !j.leads(was.TeamID) {
		refuse(exchange.Owner, "not-allowed", "One's own objective is handed over by a reviewer.")
	}
	if c.TeamID != nil && (was.TeamID == nil || *c.TeamID != *was.TeamID) && !j.administers() && !slices.Contains(j.actor.TeamIDs, *c.TeamID) {
		refuse(exchange.Team, "not-allowed", "You are not in this team.")
	}
	if in.Cycle != nil && strings.TrimSpace(*in.Cycle) != "" &&
		!slices.ContainsFunc(around.cycles[strings.ToLower(strings.TrimSpace(*in.Cycle))], func(x db.Cycle) bool { return x.ID == was.CycleID }) {
		refuse(exchange.Cycle, "cycle-fixed", "The objective is in another cycle, and stays there. Carry it over instead.")
	}
	return why
}

// planKeyResults puts the file's key results into the content. One that is refused is left as it is, or out.
func (j *job) planKeyResults(p *planned, was *present, around surroundings, found problems) {
	for _, k := range p.children {
		content, at, why := j.startKeyResult(p, k, was)
		if len(why) == 0 {
			content, why = j.wantKeyResult(k, content, was, around)
		}
		if len(why) > 0 {
			found.add(k.entity.Position, why...)
			continue
		}
		switch {
		case at < 0:
			p.content.KeyResults = append(p.content.KeyResults, content)
			k.change = create
		case sameKeyResult(p.content.KeyResults[at], content):
			k.change = same
		default:
			p.content.KeyResults[at] = content
			k.change = update
		}
	}
}

// startKeyResult is what there is of a key result, and where; at is -1 for a new one.
func (j *job) startKeyResult(p *planned, k *plannedKeyResult, was *present) (content db.KeyResultContent, at int, why []exchange.Problem) {
	refuse := func(code, detail string) (db.KeyResultContent, int, []exchange.Problem) {
		return content, -1, []exchange.Problem{j.problem(exchange.KeyResult, code, detail)}
	}
	at = slices.IndexFunc(p.content.KeyResults, func(c db.KeyResultContent) bool { return c.ID == k.entity.EntityID })
	switch {
	case at >= 0:
		return p.content.KeyResults[at], at, nil
	case k.entity.Known && was != nil && slices.ContainsFunc(was.keyResults, func(x presentKeyResult) bool { return x.ID == k.entity.EntityID }):
		return refuse("archived", "It was brought before, and is archived.")
	case k.entity.Known:
		return refuse("elsewhere", "It was brought before, and not as a key result of this objective.")
	}
	total := len(p.content.KeyResults)
	if was != nil {
		for _, x := range was.keyResults {
			if x.ArchivedAt != nil {
				total++
			}
		}
	}
	if total >= maxKeyResults {
		return refuse("too-many", fmt.Sprintf("An objective has at most %d key results, archived ones included.", maxKeyResults))
	}
	return db.KeyResultContent{ID: k.entity.EntityID, Weight: okr.DefaultWeight, Kind: okr.Metric, Steps: []db.StepContent{}}, -1, nil
}

// wantKeyResult makes a key result what the file wants.
func (j *job) wantKeyResult(k *plannedKeyResult, c db.KeyResultContent, was *present, around surroundings) (db.KeyResultContent, []exchange.Problem) {
	var why []exchange.Problem
	refuse := func(f exchange.Field, code, detail string) { why = append(why, j.problem(f, code, detail)) }
	in := k.intent
	c.Title = in.Title
	if in.Description != nil {
		c.Description = in.Description
		if *in.Description == "" {
			c.Description = nil
		}
	}
	if in.Owner != nil {
		c.OwnerID = nil
		if *in.Owner != "" {
			id, ok := around.people[*in.Owner]
			if !ok {
				refuse(exchange.KeyResultOwner, "not-found", fmt.Sprintf("No member has the address %s.", *in.Owner))
			}
			c.OwnerID = &id
		}
	}
	if in.Weight != nil {
		c.Weight = in.Weight.Round(weightPlaces)
	}
	if in.Measured {
		if was != nil && slices.ContainsFunc(was.keyResults, func(x presentKeyResult) bool {
			return x.ID == c.ID && x.CurrentCheckInID != nil && x.Kind != in.Kind
		}) {
			refuse(exchange.KeyResultKind, "kind-fixed", "A key result with check-ins keeps its kind.")
		}
		c.Kind, c.Unit = in.Kind, in.Unit
		c.Baseline, c.Target, c.Stretch = rounded(in.Baseline), rounded(in.Target), rounded(in.Stretch)
		c.AtLeast, c.AtMost, c.Tolerance = rounded(in.AtLeast), rounded(in.AtMost), rounded(in.Tolerance)
		c.Steps = wantedSteps(c.Steps, in.Steps)
	}
	for _, r := range definitionOf(c).Validate() {
		refuse(measureField(r.Pointer), r.Code, r.Detail)
	}
	for f, d := range map[exchange.Field]*decimal.Decimal{exchange.Baseline: c.Baseline, exchange.Target: c.Target, exchange.Stretch: c.Stretch, exchange.AtLeast: c.AtLeast,
		exchange.AtMost: c.AtMost, exchange.Tolerance: c.Tolerance} {
		if d != nil && tooLarge(*d, numberDigits) {
			refuse(f, okr.CodeNumberOutOfRange, fmt.Sprintf("A number has at most %d digits before the point.", numberDigits))
		}
	}
	if tooLarge(c.Weight, weightDigits) || slices.ContainsFunc(c.Steps, func(s db.StepContent) bool { return tooLarge(s.Weight, weightDigits) }) {
		refuse(exchange.Weight, okr.CodeNumberOutOfRange, fmt.Sprintf("A weight has at most %d digits before the point.", weightDigits))
	}
	return c, why
}

func rounded(d *decimal.Decimal) *decimal.Decimal {
	if d == nil {
		return nil
	}
	r := d.Round(numberPlaces)
	return &r
}

func tooLarge(d decimal.Decimal, digits int32) bool {
	return d.Abs().GreaterThanOrEqual(decimal.New(1, digits))
}

// measureField is the column that a refusal of the domain is about.
func measureField(pointer string) exchange.Field {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if name == "kind" {
		return exchange.KeyResultKind
	}
	return exchange.Field(name)
}

// wantedSteps keeps the ids of steps whose titles are still there, so that what is done stays done.
func wantedSteps(was []db.StepContent, wanted []exchange.StepIntent) []db.StepContent {
	left := slices.Clone(was)
	steps := make([]db.StepContent, 0, len(wanted))
	for _, w := range wanted {
		step := db.StepContent{ID: uuid.Nil, Title: w.Title, Weight: w.Weight.Round(weightPlaces)}
		if at := slices.IndexFunc(left, func(s db.StepContent) bool { return s.Title == w.Title }); at >= 0 {
			step.ID = left[at].ID
			left = slices.Delete(left, at, at+1)
		} else {
			step.ID = db.NewID()
		}
		steps = append(steps, step)
	}
	return steps
}

func definitionOf(c db.KeyResultContent) okr.KeyResult {
	d := okr.KeyResult{Kind: c.Kind, Baseline: c.Baseline, Target: c.Target, Stretch: c.Stretch, AtLeast: c.AtLeast, AtMost: c.AtMost, Tolerance: c.Tolerance, Weight: c.Weight}
	for _, s := range c.Steps {
		d.Steps = append(d.Steps, okr.Step{ID: s.ID, Weight: s.Weight})
	}
	return d
}

// sameContent compares what people see. Line ends are all alike, since CSV does not tell them apart.
func sameContent(a, b db.ObjectiveContent) bool { return sameJSON(a, b) }

func sameKeyResult(a, b db.KeyResultContent) bool { return sameJSON(a, b) }

func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(bytes.ReplaceAll(x, []byte(`\r\n`), []byte(`\n`)), bytes.ReplaceAll(y, []byte(`\r\n`), []byte(`\n`)))
}
