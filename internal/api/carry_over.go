package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// carriedUsually is how many objectives one request looks at unless it says otherwise: few enough that a transaction that makes them all is short.
const carriedUsually = 25

// placesAtOnce is for how many originals copies are looked for at a time, and for how many teams whether they are in use.
const placesAtOnce = 400

// CarryOver makes drafts in a later cycle of the objectives of an earlier one, or says what it would make. Both are the same plan; one is carried out.
func (s *Server) CarryOver(ctx context.Context, request CarryOverRequestObject) (CarryOverResponseObject, error) {
	l, err := s.carryOverPage(exchangeOf(ctx), request)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CarryOverResponseObject, error) {
		source, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: a.OrganizationID, ID: request.CycleID})
		if err != nil {
			return nil, err
		}
		if !a.writes() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		c := &carryOver{actor: a, body: request.Body, source: source}
		result := CarryOverResult{DryRun: request.Body.DryRun, TargetCycleID: request.Body.TargetCycleID}
		if result.NextCursor, err = c.read(ctx, q, l); err != nil {
			return nil, err
		}
		plans := c.plans()
		if !request.Body.DryRun {
			if err := c.carryOut(ctx, q, plans); err != nil {
				return nil, err
			}
		}
		result.Items = converted(plans, func(p *carried) CarryOverItem { return p.item })
		return CarryOver200Response{Body: result}, nil
	})
}

// carryOverPage reads what stands in the body of a request that has to be a POST, and would otherwise be a list's parameters.
func (s *Server) carryOverPage(x *exchange, request CarryOverRequestObject) (list, error) {
	body := request.Body
	var refused []FieldProblem
	needs := func(scope CarryOverScope, pointer string, given bool) {
		switch {
		case body.Scope == scope && !given:
			refused = append(refused, FieldProblem{Pointer: pointer, Code: okr.CodeRequired, Detail: "The scope " + string(scope) + " needs it."})
		case body.Scope != scope && given:
			refused = append(refused, FieldProblem{Pointer: pointer, Code: "not-of-scope", Detail: "Only the scope " + string(scope) + " has it."})
		}
	}
	needs("team", "/team_id", body.TeamID != nil)
	needs("selection", "/objective_ids", body.ObjectiveIds != nil)
	if len(refused) > 0 {
		return list{}, invalid(refused...)
	}
	filters := url.Values{"target_cycle_id": {body.TargetCycleID.String()}, "scope": {string(body.Scope)}}
	if body.TeamID != nil {
		filters.Set("team_id", body.TeamID.String())
	}
	l, err := s.newList(x, "/cycles/"+request.CycleID.String()+"/carry-over", body.Limit, body.Cursor, filters)
	if err != nil || body.Scope == "selection" && body.Cursor != nil {
		return list{}, badRequest(FieldProblem{Pointer: "/cursor", Code: "cursor-unknown", Detail: "This is not a cursor of this carry-over."})
	}
	if body.Limit == nil {
		l.size = carriedUsually
	}
	return l, nil
}

// carryOver is what one request has to know to decide about its objectives.
type carryOver struct {
	actor

	body           *CarryOverCreate
	source, target db.Cycle

	page       []uuid.UUID                            // what the request looks at, in the order of creation
	objectives map[uuid.UUID]objectiveRows            // those, and their parents, as far as the actor sees them
	copies     map[uuid.UUID]uuid.UUID                // of objectives and key results, in the target: by the original, whoever made them
	links      map[uuid.UUID][]db.ListLinksToCarryRow // what the objectives of the page support, by those
	following  map[uuid.UUID][]uuid.UUID              // copies whose links lead to objectives of the page, by those, and follow
	linked     map[uuid.UUID]db.Objective             // the other ends of both, as far as the actor sees them
	teams      map[uuid.UUID]bool                     // in use
	people     map[uuid.UUID]string                   // active members
}

func (c *carryOver) read(ctx context.Context, q *db.Queries, l list) (*NextCursor, error) {
	var err error
	c.target, err = q.GetCycleForShare(ctx, db.GetCycleForShareParams{OrganizationID: c.OrganizationID, ID: c.body.TargetCycleID})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, invalid(notThere("/target_cycle_id", "cycle"))
	}
	if err != nil {
		return nil, err
	}
	if err := c.mayCarryOver(); err != nil {
		return nil, err
	}
	rows, next, err := c.readPage(ctx, q, l)
	if err != nil {
		return nil, err
	}
	c.objectives = map[uuid.UUID]objectiveRows{}
	if err := c.add(ctx, q, rows); err != nil {
		return nil, err
	}
	if err := c.readLinks(ctx, q); err != nil {
		return nil, err
	}
	if err := c.readParents(ctx, q); err != nil {
		return nil, err
	}
	return next, c.readPlaces(ctx, q)
}

// mayCarryOver says in which of its conditions okr.MayCarryOver fails.
func (c *carryOver) mayCarryOver() error {
	switch {
	case okr.MayCarryOver(c.source.State, c.source.StartsOn, c.target.State, c.target.StartsOn):
		return nil
	case c.source.State == okr.CyclePreparation:
		return wrongState("Objectives are carried over from a cycle that has begun.", cycleView(c.source))
	case !c.target.State.MayDraft():
		return wrongState("Objectives are drafted in cycles that are in preparation or active.", cycleView(c.target))
	}
	return invalid(FieldProblem{Pointer: "/target_cycle_id", Code: "not-later", Detail: "Objectives are carried over into a cycle that begins later."})
}

// readPage reads the objectives that this request looks at.
func (c *carryOver) readPage(ctx context.Context, q *db.Queries, l list) ([]db.GetVisibleObjectiveRow, *NextCursor, error) {
	var rows []db.GetVisibleObjectiveRow
	switch c.body.Scope {
	case "selection":
		c.page = distinct(*c.body.ObjectiveIds)
		found, err := q.ListVisibleObjectives(ctx, db.ListVisibleObjectivesParams{OrganizationID: c.OrganizationID, IDs: c.page, ActorID: c.UserID,
			SeesAll: c.administers(), TeamIDs: c.TeamIDs, LeadTeamIDs: c.LeadTeamIDs})
		return converted(found, func(r db.ListVisibleObjectivesRow) db.GetVisibleObjectiveRow { return db.GetVisibleObjectiveRow(r) }), nil, err
	case "mine":
		found, err := q.ListVisibleObjectivesOfOwnerInCycleAfter(ctx, db.ListVisibleObjectivesOfOwnerInCycleAfterParams{OrganizationID: c.OrganizationID, OwnerID: c.UserID,
			CycleID: c.source.ID, AfterID: l.from.id, ActorID: c.UserID, SeesAll: c.administers(), TeamIDs: c.TeamIDs, LeadTeamIDs: c.LeadTeamIDs, PageSize: l.pageSize()})
		if err != nil {
			return nil, nil, err
		}
		rows = converted(found, func(r db.ListVisibleObjectivesOfOwnerInCycleAfterRow) db.GetVisibleObjectiveRow {
			return db.GetVisibleObjectiveRow(r)
		})
	case "team":
		if _, err := q.GetTeam(ctx, db.GetTeamParams{OrganizationID: c.OrganizationID, ID: *c.body.TeamID}); errors.Is(err, pgx.ErrNoRows) {
			return nil, nil, invalid(notThere("/team_id", "team"))
		} else if err != nil {
			return nil, nil, err
		}
		found, err := q.ListVisibleObjectivesOfTeamInCycleAfter(ctx, db.ListVisibleObjectivesOfTeamInCycleAfterParams{OrganizationID: c.OrganizationID, TeamID: *c.body.TeamID,
			CycleID: c.source.ID, AfterID: l.from.id, ActorID: c.UserID, SeesAll: c.administers(), TeamIDs: c.TeamIDs, LeadTeamIDs: c.LeadTeamIDs, PageSize: l.pageSize()})
		if err != nil {
			return nil, nil, err
		}
		rows = converted(found, func(r db.ListVisibleObjectivesOfTeamInCycleAfterRow) db.GetVisibleObjectiveRow {
			return db.GetVisibleObjectiveRow(r)
		})
	default:
		found, err := q.ListVisibleObjectivesToCarryAfter(ctx, db.ListVisibleObjectivesToCarryAfterParams{OrganizationID: c.OrganizationID, CycleID: c.source.ID,
			AfterID: l.from.id, ActorID: c.UserID, SeesAll: c.administers(), TeamIDs: c.TeamIDs, LeadTeamIDs: c.LeadTeamIDs, PageSize: l.pageSize()})
		if err != nil {
			return nil, nil, err
		}
		rows = converted(found, func(r db.ListVisibleObjectivesToCarryAfterRow) db.GetVisibleObjectiveRow {
			return db.GetVisibleObjectiveRow(r)
		})
	}
	rows, next, _ := page(l, rows, func(r db.GetVisibleObjectiveRow) position { return position{id: r.Objective.ID} })
	c.page = converted(rows, func(r db.GetVisibleObjectiveRow) uuid.UUID { return r.Objective.ID })
	return rows, next, nil
}

func (c *carryOver) add(ctx context.Context, q *db.Queries, rows []db.GetVisibleObjectiveRow) error {
	whole, err := withKeyResults(ctx, q, c.actor, rows)
	for _, o := range whole {
		c.objectives[o.objective.ID] = o
	}
	return err
}

// readParents reads what the objectives contribute to, which may be carried along before or after them.
func (c *carryOver) readParents(ctx context.Context, q *db.Queries) error {
	var parents []uuid.UUID
	for _, o := range c.objectives {
		if up := o.objective.ParentObjectiveID; up != nil {
			if _, known := c.objectives[*up]; !known {
				parents = append(parents, *up)
			}
		}
	}
	if len(parents) == 0 {
		return nil
	}
	found, err := visibleObjectives(ctx, q, c.actor, parents)
	for id, o := range found {
		c.objectives[id] = o
	}
	return err
}

// readPlaces reads what the copies have to find in the target: other copies, teams and people.
func (c *carryOver) readPlaces(ctx context.Context, q *db.Queries) error {
	var ids, teams, people []uuid.UUID
	for id, o := range c.objectives {
		ids, people = append(ids, id), append(people, o.objective.OwnerID)
		if o.objective.TeamID != nil {
			teams = append(teams, *o.objective.TeamID)
		}
		if o.objective.ParentObjectiveID != nil {
			ids = append(ids, *o.objective.ParentObjectiveID) // also one that the actor does not see
		}
		for _, k := range o.keyResults {
			if k.OwnerID != nil {
				people = append(people, *k.OwnerID)
			}
		}
	}
	for _, links := range c.links {
		for _, l := range links {
			ids = append(ids, l.SupportedID)
		}
	}
	c.copies, c.teams, c.people = map[uuid.UUID]uuid.UUID{}, map[uuid.UUID]bool{}, map[uuid.UUID]string{c.UserID: c.Name}
	for some := range slices.Chunk(distinct(ids), placesAtOnce) {
		if err := c.readCopies(ctx, q, some); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(distinct(teams), placesAtOnce) {
		inUse, err := q.ListTeamsForShare(ctx, db.ListTeamsForShareParams{OrganizationID: c.OrganizationID, IDs: some})
		if err != nil {
			return err
		}
		for _, id := range inUse {
			c.teams[id] = true
		}
	}
	for some := range slices.Chunk(distinct(people), namesAtOnce) {
		active, err := q.ListActiveMembers(ctx, db.ListActiveMembersParams{OrganizationID: c.OrganizationID, UserIDs: some})
		if err != nil {
			return err
		}
		for _, m := range active {
			c.people[m.UserID] = m.Name
		}
	}
	return nil
}

func (c *carryOver) readCopies(ctx context.Context, q *db.Queries, originals []uuid.UUID) error {
	copies, err := q.ListCarriedCopies(ctx, db.ListCarriedCopiesParams{OrganizationID: c.OrganizationID, IDs: originals, CycleID: c.target.ID})
	if err != nil || len(copies) == 0 {
		return err
	}
	ids := make([]uuid.UUID, len(copies))
	for i, made := range copies {
		ids[i], c.copies[made.CarriedFromID] = made.ID, made.ID
	}
	keyResults, err := q.ListCarriedKeyResults(ctx, db.ListCarriedKeyResultsParams{OrganizationID: c.OrganizationID, ObjectiveIDs: ids})
	for _, k := range keyResults {
		c.copies[k.CarriedFromID] = k.ID
	}
	return err
}

// carried is what becomes of one objective.
type carried struct {
	item    CarryOverItem
	from    objectiveRows
	preview okr.Preview
}

// plans decides about each objective of the page, in its order.
func (c *carryOver) plans() []*carried {
	return converted(c.page, func(id uuid.UUID) *carried {
		p := c.decide(id)
		if p.item.Outcome == "carried" {
			p.item.Copy = c.describe(p)
		}
		return p
	})
}

// decide says whether an objective is carried over.
func (c *carryOver) decide(id uuid.UUID) *carried {
	o, ok := c.objectives[id]
	if !ok || o.objective.CycleID != c.source.ID {
		return &carried{item: CarryOverItem{ObjectiveID: id, Outcome: "skipped", Reason: orNone[CarryOverItemReason]("not-there")}}
	}
	p := &carried{from: o, item: CarryOverItem{ObjectiveID: id, Title: &o.objective.Title, Outcome: "carried"}}
	if made, exists := c.copies[id]; exists {
		p.item.Outcome, p.item.CopyID = "exists", &made
		return p
	}
	reason := c.refused(o.objective)
	if p.preview = okr.CarryOver(o.held()); reason == "" {
		reason = CarryOverItemReason(p.preview.Skip())
	}
	if reason != "" {
		p.item.Outcome, p.item.Reason = "skipped", &reason
	}
	return p
}

// refused holds an objective against the rules for drafting it in the target; empty where nothing is against it.
func (c *carryOver) refused(o db.Objective) CarryOverItemReason {
	switch {
	case o.ArchivedAt != nil:
		return "archived"
	case o.OwnerID != c.UserID && !c.administers() && !c.leads(o.TeamID):
		return "not-allowed"
	case o.TeamID != nil && !c.teams[*o.TeamID]:
		return "team-archived"
	case o.TeamID != nil && !c.administers() && !slices.Contains(c.TeamIDs, *o.TeamID):
		return "not-your-team"
	}
	return ""
}

// held are the key results of an objective where they stand now. Those that were archived are out of it.
func (o objectiveRows) held() []okr.Held {
	var all []okr.Held
	for _, k := range o.keyResults {
		if k.ArchivedAt == nil {
			all = append(all, okr.Held{ID: k.ID, KeyResult: k.definition(), Value: k.CurrentValue, Done: k.CurrentDoneSteps})
		}
	}
	return all
}

// owner of a copy is the original's or, where they have left, whoever carries it over.
func (c *carryOver) owner(o db.Objective) uuid.UUID {
	if _, active := c.people[o.OwnerID]; !active {
		return c.UserID
	}
	return o.OwnerID
}

// describe is the copy as it is to be.
func (c *carryOver) describe(p *carried) *CarriedObjective {
	o := p.from.objective
	parent, parentKeyResult := p.from.parent()
	v := &CarriedObjective{Description: o.Description, Kind: o.Kind, Visibility: o.Visibility, Owner: person(c.owner(o), c.people), TeamID: o.TeamID,
		Alignment: c.alignment(o), ParentObjectiveID: parent, ParentKeyResultID: parentKeyResult, WeightsReset: p.preview.WeightsReset,
		KeyResults: make([]CarriedKeyResult, 0, len(p.preview.KeyResults))}
	v.Supports, v.Supporters = c.describeLinks(o.ID)
	for _, k := range p.preview.KeyResults {
		v.KeyResults = append(v.KeyResults, c.describeKeyResult(p.from.keyResult(k.From), k))
	}
	return v
}

func (o objectiveRows) keyResult(id uuid.UUID) keyResultRows {
	return o.keyResults[slices.IndexFunc(o.keyResults, func(k keyResultRows) bool { return k.ID == id })]
}

func (c *carryOver) describeKeyResult(from keyResultRows, k okr.Carried) CarriedKeyResult {
	v := CarriedKeyResult{FromID: k.From, Title: from.Title, Kind: from.Kind, Unit: from.Unit}
	if k.Skip != "" {
		v.Skipped = &k.Skip
		return v
	}
	v.OwnerID = c.keyResultOwner(from)
	v.Baseline, v.Target, v.Stretch = k.KeyResult.Baseline, k.KeyResult.Target, k.KeyResult.Stretch
	v.AtLeast, v.AtMost, v.Tolerance = k.KeyResult.AtLeast, k.KeyResult.AtMost, k.KeyResult.Tolerance
	v.Weight = &k.KeyResult.Weight
	if from.Kind == okr.Milestone {
		titles := converted(k.KeyResult.Steps, func(step okr.Step) string { return from.step(step.ID).Title })
		v.Steps = &titles
	}
	return v
}

// keyResultOwner of a copy is nobody in particular, and so the objective's owner, where the original's has left.
func (c *carryOver) keyResultOwner(from keyResultRows) *uuid.UUID {
	if from.OwnerID == nil {
		return nil
	}
	if _, active := c.people[*from.OwnerID]; !active {
		return nil
	}
	return from.OwnerID
}

func (k keyResultRows) step(id uuid.UUID) db.MilestoneStep {
	return k.steps[slices.IndexFunc(k.steps, func(s db.MilestoneStep) bool { return s.ID == id })]
}

// alignment says what becomes of it once everything that was asked for is carried over: in this request, or in one for a later page.
func (c *carryOver) alignment(o db.Objective) CarriedObjectiveAlignment {
	if o.ParentObjectiveID == nil {
		return "none"
	}
	if !c.comes(*o.ParentObjectiveID) {
		return "old-parent"
	}
	if o.ParentKeyResultID == nil {
		return "kept"
	}
	_, there := c.copies[*o.ParentObjectiveID]
	parent := c.decide(*o.ParentObjectiveID)
	_, kept := c.copies[*o.ParentKeyResultID]
	kept = kept || !there && slices.ContainsFunc(parent.preview.KeyResults, func(k okr.Carried) bool { return k.From == *o.ParentKeyResultID && k.Skip == "" })
	if !kept {
		return "objective-only"
	}
	return "kept"
}

// inScope reports whether an objective of the source is among those that were asked for, on whatever page.
func (c *carryOver) inScope(o db.Objective) bool {
	switch c.body.Scope {
	case "mine":
		return o.OwnerID == c.UserID
	case "team":
		return sameID(o.TeamID, c.body.TeamID)
	case "selection":
		return slices.Contains(c.page, o.ID)
	}
	return true
}

// carryOut makes the copies that are planned, parents before those who contribute to them, and then has earlier copies follow parents, and their links what they support, that were carried along only now.
func (c *carryOver) carryOut(ctx context.Context, q *db.Queries, plans []*carried) error {
	var made []uuid.UUID
	for _, p := range parentsFirst(plans) {
		if p.item.Outcome != "carried" {
			continue
		}
		if err := c.makeCopy(ctx, q, p); err != nil {
			return err
		}
		if p.item.Outcome == "carried" {
			made = append(made, p.item.ObjectiveID)
		}
	}
	if len(made) > 0 {
		if err := c.realign(ctx, q, made); err != nil {
			return err
		}
		if err := c.linkCopies(ctx, q, made); err != nil {
			return err
		}
	}
	return c.followLinks(ctx, q, plans)
}

// parentsFirst orders plans so that nothing comes before what it contributes to.
func parentsFirst(plans []*carried) []*carried {
	byID := make(map[uuid.UUID]*carried, len(plans))
	for _, p := range plans {
		byID[p.item.ObjectiveID] = p
	}
	ordered := make([]*carried, 0, len(plans))
	var place func(p *carried)
	place = func(p *carried) {
		if byID[p.item.ObjectiveID] == nil {
			return // placed already
		}
		delete(byID, p.item.ObjectiveID)
		if up := p.from.objective.ParentObjectiveID; up != nil && byID[*up] != nil {
			place(byID[*up])
		}
		ordered = append(ordered, p)
	}
	for _, p := range plans {
		place(p)
	}
	return ordered
}

// aligned is what a copy contributes to, by what its original does, and whether somebody should look at that.
func (c *carryOver) aligned(parent, keyResult *uuid.UUID) (toObjective, toKeyResult *uuid.UUID, flagged bool) {
	if parent == nil {
		return nil, nil, false
	}
	to, stale := okr.Realign(*parent, c.copies)
	if stale || keyResult == nil {
		return &to, keyResult, stale
	}
	toThat, lost := okr.Realign(*keyResult, c.copies)
	if lost { // the parent's copy has no such key result
		return &to, nil, true
	}
	return &to, &toThat, false
}

// makeCopy makes one copy. Of two who carry the same objective over at the same time, the second waits here, and finds that there is one.
func (c *carryOver) makeCopy(ctx context.Context, q *db.Queries, p *carried) error {
	o := p.from.objective
	parent, keyResult, flagged := c.aligned(o.ParentObjectiveID, o.ParentKeyResultID)
	made, err := q.CarryObjective(ctx, db.CarryObjectiveParams{OrganizationID: c.OrganizationID, ID: db.NewID(), CycleID: c.target.ID, TeamID: o.TeamID, OwnerID: p.item.Copy.Owner.ID,
		ParentObjectiveID: parent, ParentKeyResultID: keyResult, Title: o.Title, Description: o.Description, Kind: string(o.Kind), Visibility: string(o.Visibility),
		CarriedFromID: o.ID, AlignmentFlagged: flagged, AuthorID: o.CreatedBy, ActorID: c.UserID})
	if errors.Is(err, pgx.ErrNoRows) {
		if err := c.readCopies(ctx, q, []uuid.UUID{o.ID}); err != nil {
			return err
		}
		theirs, ok := c.copies[o.ID]
		if !ok {
			return fmt.Errorf("objective %s has no copy in cycle %s, though one was in the way", o.ID, c.target.ID)
		}
		p.item.Outcome, p.item.Copy, p.item.CopyID = "exists", nil, &theirs
		return nil
	}
	if err != nil {
		return err
	}
	c.copies[o.ID], p.item.CopyID = made.ID, &made.ID
	if err := c.makeKeyResults(ctx, q, p, made.ID); err != nil {
		return err
	}
	_, err = recordObjective(ctx, q, c.actor, db.GetVisibleObjectiveRow{Objective: made, Cycle: c.target, OwnerName: p.item.Copy.Owner.Name, ChangedByName: c.Name},
		objectiveEvent{action: "objective.carried_over", detail: map[string]any{"carried_from_id": o.ID, "from_cycle_id": c.source.ID}})
	return err
}

func (c *carryOver) makeKeyResults(ctx context.Context, q *db.Queries, p *carried, objective uuid.UUID) error {
	var keyResults []db.CarryKeyResultsParams
	var steps []db.PutMilestoneStepsParams
	for _, k := range p.preview.KeyResults {
		if k.Skip != "" {
			continue
		}
		from, id := p.from.keyResult(k.From), db.NewID()
		c.copies[k.From] = id
		keyResults = append(keyResults, db.CarryKeyResultsParams{OrganizationID: c.OrganizationID, ID: id, ObjectiveID: objective, Position: int32(len(keyResults)), //nolint:gosec // at most 50
			Title: from.Title, Description: from.Description, OwnerID: c.keyResultOwner(from), Kind: string(from.Kind), Unit: from.Unit,
			Baseline: k.KeyResult.Baseline, Target: k.KeyResult.Target, Stretch: k.KeyResult.Stretch, AtLeast: k.KeyResult.AtLeast, AtMost: k.KeyResult.AtMost,
			Tolerance: k.KeyResult.Tolerance, Weight: k.KeyResult.Weight, CarriedFromID: k.From})
		for i, step := range k.KeyResult.Steps {
			steps = append(steps, db.PutMilestoneStepsParams{OrganizationID: c.OrganizationID, ID: db.NewID(), KeyResultID: id, Position: int32(i), // at most 50
				Title: from.step(step.ID).Title, Weight: step.Weight})
		}
	}
	if len(keyResults) == 0 {
		return nil
	}
	if err := allOf(q.CarryKeyResults(ctx, keyResults).Exec); err != nil || len(steps) == 0 {
		return err
	}
	return allOf(q.PutMilestoneSteps(ctx, steps).Exec)
}

// realign has copies that were made before their parents were carried along follow these, each as a change of its own. One for which that would close a loop, because
// somebody has aligned the parent's copy differently since, stays as it is, flagged.
func (c *carryOver) realign(ctx context.Context, q *db.Queries, originals []uuid.UUID) error {
	below, err := q.LockCopiesBelow(ctx, db.LockCopiesBelowParams{OrganizationID: c.OrganizationID, ParentIDs: originals, CycleID: c.target.ID})
	if err != nil {
		return err
	}
	for _, o := range below {
		parent, keyResult, flagged := c.aligned(o.ParentObjectiveID, o.ParentKeyResultID)
		refused, err := references{objective: o.ID, parent: parent, parentKeyResult: keyResult}.refusedParent(ctx, q, c.actor)
		if err != nil {
			return err
		}
		if len(refused) > 0 {
			continue
		}
		changed, err := q.RealignCopy(ctx, db.RealignCopyParams{OrganizationID: c.OrganizationID, ID: o.ID, ParentObjectiveID: *parent, ParentKeyResultID: keyResult,
			AlignmentFlagged: flagged, ActorID: c.UserID})
		if err != nil {
			return err
		}
		if _, err := recordObjective(ctx, q, c.actor, db.GetVisibleObjectiveRow{Objective: changed, Cycle: c.target}, objectiveEvent{action: "objective.realigned"}); err != nil {
			return err
		}
	}
	return nil
}
