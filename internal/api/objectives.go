package api

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// GetObjective shows one objective with its key results, as it is or as it stood at a moment.
func (s *Server) GetObjective(ctx context.Context, request GetObjectiveRequestObject) (GetObjectiveResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetObjectiveResponseObject, error) {
		asOf, err := pastMoment(request.Params.AsOf, a.Now)
		if err != nil {
			return nil, err
		}
		o, err := wholeObjective(ctx, q, a, request.ObjectiveID)
		if err != nil {
			return nil, err
		}
		if asOf != nil {
			then, err := asItStood(ctx, q, a, o, *asOf)
			return GetObjective200Response{Body: then, Headers: GetObjective200ResponseHeaders{ETag: etag(then.Revision)}}, err
		}
		return GetObjective200Response{Body: o.view(a), Headers: GetObjective200ResponseHeaders{ETag: etag(o.objective.Revision)}}, nil
	})
}

// CreateObjective drafts an objective.
func (s *Server) CreateObjective(ctx context.Context, request CreateObjectiveRequestObject) (CreateObjectiveResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateObjectiveResponseObject, error) {
		body := request.Body
		draft := db.CreateObjectiveParams{OrganizationID: a.OrganizationID, ID: db.NewID(), CycleID: body.CycleID, TeamID: body.TeamID, OwnerID: a.UserID,
			ParentObjectiveID: body.ParentObjectiveID, ParentKeyResultID: body.ParentKeyResultID, Title: body.Title, Description: body.Description,
			Kind: string(okr.Committed), Visibility: string(okr.VisibleToOrganization), ActorID: a.UserID}
		if body.OwnerID != nil {
			draft.OwnerID = *body.OwnerID
		}
		if body.Kind != nil {
			draft.Kind = string(*body.Kind)
		}
		if body.Visibility != nil {
			draft.Visibility = string(*body.Visibility)
		}
		if !a.writes() || draft.OwnerID != a.UserID && !a.administers() && !a.leads(draft.TeamID) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		cycle, err := q.GetCycleForShare(ctx, db.GetCycleForShareParams{OrganizationID: a.OrganizationID, ID: body.CycleID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, invalid(notThere("/cycle_id", "cycle"))
		}
		if err != nil {
			return nil, err
		}
		if !cycle.State.MayDraft() {
			return nil, wrongState("Objectives are drafted in cycles that are in preparation or active.", cycleView(cycle))
		}
		target := references{objective: draft.ID, team: draft.TeamID, newTeam: true, visibility: okr.Visibility(draft.Visibility), parent: draft.ParentObjectiveID, parentKeyResult: draft.ParentKeyResultID,
			people: map[string]uuid.UUID{"/owner_id": draft.OwnerID}}
		return createObjective(ctx, q, a, draft, cycle, target, body.KeyResults)
	})
}

func createObjective(ctx context.Context, q *db.Queries, a actor, draft db.CreateObjectiveParams, cycle db.Cycle, target references, wanted *[]KeyResultInput) (CreateObjectiveResponseObject, error) {
	var change keyResultChange
	var err error
	if wanted != nil {
		if change, err = planKeyResults(a.OrganizationID, draft.ID, nil, *wanted, nil); err != nil {
			return nil, err
		}
		for pointer, owner := range owners(*wanted) {
			target.people[pointer] = owner
		}
	}
	names, err := target.check(ctx, q, a)
	if err != nil {
		return nil, err
	}
	created, err := q.CreateObjective(ctx, draft)
	if err != nil {
		return nil, err
	}
	if err := change.apply(ctx, q, a.OrganizationID, created.ID); err != nil {
		return nil, err
	}
	o, err := recordObjective(ctx, q, a, db.GetVisibleObjectiveRow{Objective: created, Cycle: cycle, OwnerName: names[created.OwnerID], ChangedByName: a.Name}, objectiveEvent{action: "objective.created"})
	return CreateObjective201Response{Body: o.view(a), Headers: CreateObjective201ResponseHeaders{ETag: etag(created.Revision), Location: location("objectives", created.ID)}}, err
}

// objectiveEvent is what led to a new revision.
type objectiveEvent struct {
	action    string
	note      *string
	detail    any        // for the audit; nil for nothing
	accepting *uuid.UUID // the suggestion that the change comes from, which it does not supersede

	formerSteps map[uuid.UUID]bool // those that an older revision had, where that one is brought back
}

// recordObjective writes what a new revision leaves behind, and returns the objective as it has become.
func recordObjective(ctx context.Context, q *db.Queries, a actor, row db.GetVisibleObjectiveRow, e objectiveEvent) (objectiveRows, error) {
	o, err := withItsKeyResults(ctx, q, a, row)
	if err != nil {
		return objectiveRows{}, err
	}
	changed := o.objective
	content, err := o.content()
	if err != nil {
		return objectiveRows{}, err
	}
	details, err := a.detailOf(e.detail)
	if err != nil {
		return objectiveRows{}, err
	}
	wakeDeliveries(ctx, a)
	return o, q.RecordObjectiveChange(ctx, db.RecordObjectiveChangeParams{OrganizationID: a.OrganizationID, ObjectiveID: changed.ID, Revision: changed.Revision,
		Action: e.action, Note: e.note, Content: content, ChangedAt: changed.ChangedAt, ActorID: a.UserID, EventID: db.NewID(), Detail: details, Accepting: e.accepting,
		RequestID: &a.exchange.requestID, Address: &a.exchange.address})
}

// UpdateObjective changes an objective that is still at the revision the client read. It answers 404 for one out of sight, 403 for one in sight
// that is not theirs to change, and 409 with the present state for one that has moved on.
func (s *Server) UpdateObjective(ctx context.Context, request UpdateObjectiveRequestObject) (UpdateObjectiveResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateObjectiveResponseObject, error) {
		o, err := editObjective(ctx, q, a, request.ObjectiveID, from, request.Body, objectiveEvent{action: "objective.updated"})
		if err != nil {
			return nil, err
		}
		return UpdateObjective200Response{Body: o.view(a), Headers: UpdateObjective200ResponseHeaders{ETag: etag(o.objective.Revision)}}, nil
	})
}

// editObjective is the one way in which an objective's content changes: by a person's edit, and by a suggestion that a person accepts.
func editObjective(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, from precondition, patch *ObjectivePatch, e objectiveEvent) (objectiveRows, error) {
	row, err := visibleObjective(ctx, q, a, id)
	if err != nil {
		return objectiveRows{}, err
	}
	present := row.Objective
	if !a.mayEverEdit(present) {
		return objectiveRows{}, errNotAllowed
	}
	if err := a.claim(ctx, q); err != nil {
		return objectiveRows{}, err
	}
	if present.Revision != from.revision {
		return objectiveRows{}, staleObjective(ctx, q, a, id, from) // before the rules, which the client may only break because it has not seen the change
	}
	if !a.mayEdit(present) {
		return objectiveRows{}, closedToEdits(ctx, q, a, row)
	}
	change, target := objectiveChange(a, present, patch, from)
	if change.SetOwner && !a.administers() && !a.leads(present.TeamID) && change.OwnerID != a.UserID {
		return objectiveRows{}, errNotAllowed // one's own objective is handed over by a reviewer
	}
	if patch.KeyResults != nil {
		for pointer, owner := range owners(*patch.KeyResults) {
			target.people[pointer] = owner
		}
	}
	names, err := target.check(ctx, q, a)
	if err != nil {
		return objectiveRows{}, err
	}
	row.Objective, err = q.UpdateObjectiveIfRevision(ctx, change)
	if errors.Is(err, pgx.ErrNoRows) {
		return objectiveRows{}, staleObjective(ctx, q, a, id, from)
	}
	if err != nil {
		return objectiveRows{}, err
	}
	row.ChangedByName = a.Name
	if change.SetOwner {
		row.OwnerName = names[change.OwnerID]
	}
	if change.SetParent {
		row.ParentHidden = false // only what one sees can be made a parent
	}
	if patch.KeyResults != nil {
		if err := putKeyResults(ctx, q, a, row, *patch.KeyResults, e.formerSteps); err != nil {
			return objectiveRows{}, err
		}
	}
	return recordObjective(ctx, q, a, row, e)
}

// closedToEdits is the answer to whoever may edit an objective, but not in the state that it is in.
func closedToEdits(ctx context.Context, q *db.Queries, a actor, row db.GetVisibleObjectiveRow) error {
	present, err := withItsKeyResults(ctx, q, a, row)
	if err != nil {
		return err
	}
	return wrongState("An objective that is "+string(statusOf(row.Objective).State)+" is not edited by you; a reviewer can take it back to draft.", present.view(a))
}

// putKeyResults gives an objective that the transaction has changed the whole list that is wanted. It reads what there is only now that check-ins,
// which hold the objective, have to wait: one that came in meanwhile fixes its key result's kind.
func putKeyResults(ctx context.Context, q *db.Queries, a actor, changed db.GetVisibleObjectiveRow, wanted []KeyResultInput, former map[uuid.UUID]bool) error {
	present, err := withItsKeyResults(ctx, q, a, changed)
	if err != nil {
		return err
	}
	change, err := planKeyResults(a.OrganizationID, changed.Objective.ID, present.keyResults, wanted, former)
	if err != nil {
		return err
	}
	return change.apply(ctx, q, a.OrganizationID, changed.Objective.ID)
}

func objectiveChange(a actor, present db.Objective, patch *ObjectivePatch, from precondition) (db.UpdateObjectiveIfRevisionParams, references) {
	change := db.UpdateObjectiveIfRevisionParams{OrganizationID: a.OrganizationID, ID: present.ID, Revision: from.revision, ActorID: a.UserID}
	target := references{objective: present.ID, team: present.TeamID, visibility: present.Visibility, people: map[string]uuid.UUID{}}
	if patch.Title != nil {
		change.SetTitle, change.Title = true, *patch.Title
	}
	change.SetDescription, change.Description = nullableField(patch.Description)
	if patch.Kind != nil {
		change.SetKind, change.Kind = true, string(*patch.Kind)
	}
	if patch.Visibility != nil {
		change.SetVisibility, change.Visibility = true, string(*patch.Visibility)
		target.visibility = *patch.Visibility
	}
	if set, team := nullableField(patch.TeamID); set {
		change.SetTeam, change.TeamID = true, team
		target.newTeam, target.team = !sameID(team, present.TeamID), team
	}
	if patch.OwnerID != nil && *patch.OwnerID != present.OwnerID {
		change.SetOwner, change.OwnerID = true, *patch.OwnerID
		target.people["/owner_id"] = *patch.OwnerID
	}
	setParent, parent := nullableField(patch.ParentObjectiveID)
	setKeyResult, keyResult := nullableField(patch.ParentKeyResultID)
	if setParent || setKeyResult {
		if !setParent {
			parent = present.ParentObjectiveID
		}
		change.SetParent, change.ParentObjectiveID, change.ParentKeyResultID = true, parent, keyResult
		target.parent, target.parentKeyResult = parent, keyResult
	}
	return change, target
}

// staleObjective is the answer to a lost race: it reads again, through the same visibility, since what was read before the race may be what the client already has.
func staleObjective(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, from precondition) error {
	present, err := wholeObjective(ctx, q, a, id)
	if err != nil {
		return err
	}
	by := person(present.objective.ChangedBy, present.names)
	return from.stale(present.view(a), present.objective.Revision, &by, present.objective.ChangedAt)
}

// references is what an objective points to. All of it has to be there and in the actor's sight.
type references struct {
	objective       uuid.UUID
	team            *uuid.UUID
	newTeam         bool // team is another one than before
	visibility      okr.Visibility
	parent          *uuid.UUID
	parentKeyResult *uuid.UUID
	people          map[string]uuid.UUID // by the pointer of the field that names them
}

// check refuses every reference that leads nowhere, with its field. It returns the names of the people.
func (r references) check(ctx context.Context, q *db.Queries, a actor) (map[uuid.UUID]string, error) {
	names, refused, err := r.refusedPeople(ctx, q, a)
	if err != nil {
		return nil, err
	}
	if r.visibility == okr.VisibleToTeam && r.team == nil {
		refused = append(refused, FieldProblem{Pointer: "/visibility", Code: "team-needed", Detail: "Only an objective of a team can be visible to its team."})
	}
	if r.newTeam && r.team != nil {
		_, err := q.GetTeamForShare(ctx, db.GetTeamForShareParams{OrganizationID: a.OrganizationID, ID: *r.team})
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			refused = append(refused, notThere("/team_id", "team that is in use"))
		case err != nil:
			return nil, err
		case !a.administers() && !slices.Contains(a.TeamIDs, *r.team):
			refused = append(refused, FieldProblem{Pointer: "/team_id", Code: "not-your-team", Detail: "You are not in this team."})
		}
	}
	parentRefused, err := r.refusedParent(ctx, q, a)
	if err != nil {
		return nil, err
	}
	if refused = append(refused, parentRefused...); len(refused) > 0 {
		return nil, invalid(refused...)
	}
	return names, nil
}

func (r references) refusedPeople(ctx context.Context, q *db.Queries, a actor) (names map[uuid.UUID]string, refused []FieldProblem, err error) {
	ids := make([]uuid.UUID, 0, len(r.people))
	for _, id := range r.people {
		ids = append(ids, id)
	}
	names, err = namesOf(ctx, q, a, slices.Clone(ids)...)
	if err != nil {
		return nil, nil, err
	}
	left, err := r.peopleWhoLeft(ctx, q, a, ids)
	for pointer, id := range r.people {
		if _, ok := names[id]; !ok {
			refused = append(refused, notThere(pointer, "member"))
		} else if left[id] {
			refused = append(refused, FieldProblem{Pointer: pointer, Code: "member-left", Detail: "They are suspended, and take on nothing new."})
		}
	}
	slices.SortFunc(refused, func(x, y FieldProblem) int { return strings.Compare(x.Pointer, y.Pointer) })
	return names, refused, err
}

// peopleWhoLeft are those who are suspended, but for whoever owns a key result of the objective already: that can stay as it is.
func (r references) peopleWhoLeft(ctx context.Context, q *db.Queries, a actor, ids []uuid.UUID) (map[uuid.UUID]bool, error) {
	left := map[uuid.UUID]bool{}
	for _, id := range ids {
		left[id] = id != a.UserID
	}
	if delete(left, a.UserID); len(left) == 0 {
		return nil, nil
	}
	active, err := q.ListActiveMembers(ctx, db.ListActiveMembersParams{OrganizationID: a.OrganizationID, UserIDs: ids})
	if err != nil {
		return nil, err
	}
	for _, m := range active {
		delete(left, m.UserID)
	}
	if len(left) == 0 {
		return nil, nil
	}
	present, err := q.ListKeyResultsOfObjective(ctx, db.ListKeyResultsOfObjectiveParams{OrganizationID: a.OrganizationID, ObjectiveID: r.objective})
	for _, k := range present {
		if k.KeyResult.OwnerID != nil && k.KeyResult.ArchivedAt == nil {
			delete(left, *k.KeyResult.OwnerID)
		}
	}
	return left, err
}

// maxAncestors bounds the alignment's depth, and with it the walk that keeps it free of loops.
const maxAncestors = 20

// refusedParent walks up from the wanted parent and holds every step, so that two changes cannot close a loop together: each would wait for the other,
// and one of them is rolled back and runs again. This is one of the named places where a write waits for rows that are not its own.
func (r references) refusedParent(ctx context.Context, q *db.Queries, a actor) ([]FieldProblem, error) {
	if r.parent == nil {
		if r.parentKeyResult != nil {
			return []FieldProblem{{Pointer: "/parent_key_result_id", Code: "parent-needed", Detail: "A key result is named together with its objective."}}, nil
		}
		return nil, nil
	}
	parent, err := wholeObjective(ctx, q, a, *r.parent)
	if errors.Is(err, pgx.ErrNoRows) {
		return []FieldProblem{notThere("/parent_objective_id", "objective")}, nil
	}
	if err != nil {
		return nil, err
	}
	if r.parentKeyResult != nil && !slices.ContainsFunc(parent.keyResults, func(k keyResultRows) bool { return k.ID == *r.parentKeyResult && k.ArchivedAt == nil }) {
		return []FieldProblem{notThere("/parent_key_result_id", "key result of the parent")}, nil
	}
	for step, up := 0, r.parent; up != nil; step++ {
		if *up == r.objective || step > maxAncestors {
			return []FieldProblem{{Pointer: "/parent_objective_id", Code: "alignment-loop", Detail: "An objective cannot contribute to itself, directly or through others, nor more than 20 levels up."}}, nil
		}
		row, err := q.GetObjectiveParentForShare(ctx, db.GetObjectiveParentForShareParams{OrganizationID: a.OrganizationID, ID: *up})
		if err != nil {
			return nil, err
		}
		up = row.ParentObjectiveID
	}
	return nil, nil
}
