package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
)

// Change is a change of a whole organisation, made by somebody. All of its functions run in the one transaction of the change.
type Change struct {
	Actor     uuid.UUID
	RequestID *string // for the audit; nil where no request asked for it
	Address   *string
	Authorize func(ctx context.Context, q *db.Queries) error                  // before anything is read; may be nil
	Mutate    func(s *Snapshot) error                                         // makes of a copy what the organisation is to become
	Answer    func(ctx context.Context, q *db.Queries, summary Summary) error // after everything is written; may be nil
}

// Summary is what came of a change.
type Summary struct {
	Revision int64       // the organisation's, raised by one if anything was changed
	Changed  []Aggregate // what was written, in the order of kinds and ids
}

// Change reads an organisation whole, has a copy of it changed, compares the two and writes what differs: each thing only if it is still at the
// revision that was read. Others write meanwhile and take no lock of the organisation's, so when one of them has changed what this change is about,
// all of it is given up with a MovedError. What is written leaves history, audit and events behind like any edit. At the end the organisation is read
// once more: a change after which something would be wrong that was not wrong before is a RefusedError, and gone.
func (d *Database) Change(ctx context.Context, organization uuid.UUID, c Change) (Summary, error) {
	var summary Summary
	var before *Snapshot
	var planned *plan
	err := d.change(ctx, organization, func(ctx context.Context, tx pgx.Tx) error {
		q := db.New(tx)
		if c.Authorize != nil {
			if err := c.Authorize(ctx, q); err != nil {
				return err
			}
		}
		var err error
		if before, err = load(ctx, q, organization); err != nil {
			return err
		}
		after, err := before.Clone()
		if err != nil {
			return err
		}
		if err := c.Mutate(after); err != nil {
			return err
		}
		if faults := newFaults(before.EntityFaults(), after.EntityFaults()); len(faults) > 0 {
			return refused(faults...)
		}
		if planned, err = compare(before, after); err != nil {
			return err
		}
		summary = Summary{Revision: before.Organization.Revision, Changed: planned.changed()}
		if len(summary.Changed) > 0 {
			w := &changeWriter{q: q, organization: organization, change: c}
			if summary.Revision, err = w.write(ctx, before, planned); err != nil {
				return err
			}
			if err := verifyWritten(ctx, q, before, planned); err != nil {
				return err
			}
		}
		if c.Answer == nil {
			return nil
		}
		return c.Answer(ctx, q, summary)
	})
	if err == nil {
		return summary, nil
	}
	var moved *MovedError
	if (db.Moved(err) || errors.Is(err, errStale)) && !errors.As(err, &moved) && planned != nil {
		return Summary{}, &MovedError{Aggregates: d.moved(ctx, before, planned.changed()), err: err}
	}
	return Summary{}, schemaRefusal(err)
}

// errStale says that a row was no longer at the revision that was read.
var errStale = errors.New("snapshot: a row has moved on")

// stale turns the answer of a compare-and-swap that changed nothing into errStale.
func stale(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return errStale
	}
	return err
}

// EntityFaults returns everything that cannot be true of members, teams, cycles and objectives: the part of Validate that needs no records.
func (s *Snapshot) EntityFaults() []Fault {
	v := newValidator(s)
	v.entities()
	return v.faults
}

// newFaults are the faults of after that before does not have. What was wrong already is verify's business, and must not keep people from mending it.
func newFaults(before, after []Fault) []Fault {
	type known struct {
		kind, code string
		id         uuid.UUID
	}
	was := make(map[known]bool, len(before))
	for _, f := range before {
		was[known{f.Kind, f.Code, f.ID}] = true
	}
	return slices.DeleteFunc(after, func(f Fault) bool { return was[known{f.Kind, f.Code, f.ID}] })
}

// verifyWritten reads the organisation again: it must have become what was planned, and be as sound as before.
func verifyWritten(ctx context.Context, q *db.Queries, before *Snapshot, planned *plan) error {
	now, err := load(ctx, q, before.Organization.ID)
	if err != nil {
		return err
	}
	var faults []Fault
	if c := planned.organization; c != nil {
		faults = append(faults, unlike([]change[Organization]{*c}, []Organization{now.Organization})...)
	}
	faults = slices.Concat(faults, unlike(planned.members, now.Memberships), unlike(planned.teams, now.Teams),
		unlike(planned.cycles, now.Cycles), unlike(planned.objectives, now.Objectives))
	if len(faults) > 0 {
		return refused(faults...)
	}
	if faults := newFaults(before.Validate(), now.Validate()); len(faults) > 0 {
		return refused(faults...)
	}
	return nil
}

// unlike finds what the database keeps otherwise than it was to become, such as a number that was rounded.
func unlike[T changeable](changes []change[T], now []T) (faults []Fault) {
	is := make(map[uuid.UUID]T, len(now))
	for _, n := range now {
		is[n.aggregate().ID] = n
	}
	for _, c := range changes {
		a := c.after.aggregate()
		if n, ok := is[a.ID]; !ok || !same(n.bare(), c.after.bare()) {
			faults = append(faults, Fault{Kind: a.Kind, ID: a.ID, Code: codeForm, Detail: keptOtherwise})
		}
	}
	return faults
}

// moved looks, after a change was given up, for what others have changed of what it was about.
func (d *Database) moved(ctx context.Context, before *Snapshot, changed []Aggregate) []Moved {
	var now *Snapshot
	err := db.ReadWhole(ctx, d.ownerURL, before.Organization.ID, func(ctx context.Context, tx pgx.Tx) (err error) {
		now, err = loadSections(ctx, db.New(tx), before.Organization.ID, sections()[:entitySections])
		return err
	})
	if err != nil {
		return nil // that it was given up is known, and what for is a courtesy
	}
	was, is := before.standings(), now.standings()
	var all []Moved
	for _, a := range changed {
		if was[a] != is[a] {
			all = append(all, Moved{Aggregate: a, Read: was[a].revision, Present: is[a].revision})
		}
	}
	return all
}

// standing is by what one can tell that something was changed.
type standing struct {
	revision int64
	measured string // of an objective: the check-ins that its key results stand at
}

func (s *Snapshot) standings() map[Aggregate]standing {
	all := map[Aggregate]standing{s.Organization.aggregate(): {revision: s.Organization.Revision}}
	for _, m := range s.Memberships {
		all[m.aggregate()] = standing{revision: m.Revision}
	}
	for _, t := range s.Teams {
		all[t.aggregate()] = standing{revision: t.Revision}
	}
	for _, c := range s.Cycles {
		all[c.aggregate()] = standing{revision: c.Revision}
	}
	for _, o := range s.Objectives {
		at := standing{revision: o.Revision}
		for _, k := range o.KeyResults {
			if k.CurrentCheckInID != nil {
				at.measured += k.CurrentCheckInID.String()
			}
		}
		all[o.aggregate()] = at
	}
	return all
}

// changeWriter writes a plan.
type changeWriter struct {
	q            *db.Queries
	organization uuid.UUID
	change       Change
}

// write returns the organisation's new revision.
func (w *changeWriter) write(ctx context.Context, before *Snapshot, p *plan) (int64, error) {
	if err := w.hold(ctx, before, p); err != nil {
		return 0, err
	}
	if err := w.people(ctx, p); err != nil {
		return 0, err
	}
	for _, t := range p.teams {
		if err := w.team(ctx, t); err != nil {
			return 0, err
		}
	}
	for _, c := range p.cycles {
		if err := w.cycle(ctx, c); err != nil {
			return 0, err
		}
	}
	if err := w.objectives(ctx, p.objectives); err != nil {
		return 0, err
	}
	settings := before.Organization
	if p.organization != nil {
		settings = p.organization.after
	}
	raised, err := w.q.RaiseOrganizationIfRevision(ctx, db.RaiseOrganizationIfRevisionParams{OrganizationID: w.organization, Revision: before.Organization.Revision,
		Name: settings.Name, Locale: settings.Locale, TimeZone: settings.TimeZone, Cadence: string(settings.Cadence), GraceDays: settings.GraceDays,
		AIEnabled: settings.AIEnabled, AIMonthlyTokens: settings.AIMonthlyTokens})
	if err != nil {
		return 0, stale(err)
	}
	if p.organization != nil {
		err = w.record(ctx, "organization.updated", p.organization.after.aggregate(), &raised.Revision, nil)
	}
	return raised.Revision, err
}

// hold locks, in one order for everybody, the objectives that are changed, and those above them: like any other change of a parent, so that two
// changes cannot close a loop together. Owners are held too where memberships change, so that the last one stays.
func (w *changeWriter) hold(ctx context.Context, before *Snapshot, p *plan) error {
	if len(p.members) > 0 {
		if _, err := w.q.LockOwners(ctx, db.LockOwnersParams{OrganizationID: w.organization}); err != nil {
			return err
		}
	}
	parents := make(map[uuid.UUID]*uuid.UUID, len(before.Objectives))
	for _, o := range before.Objectives {
		parents[o.ID] = o.ParentObjectiveID
	}
	for _, c := range p.objectives {
		parents[c.after.ID] = c.after.ParentObjectiveID
	}
	held := map[uuid.UUID]bool{}
	for _, c := range p.objectives {
		held[c.after.ID] = true
		for up := c.after.ParentObjectiveID; up != nil && !held[*up]; up = parents[*up] {
			held[*up] = true
		}
	}
	ids := make([]uuid.UUID, 0, len(held))
	for id := range held {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, compareIDs)
	for some := range slices.Chunk(ids, pageSize) {
		if _, err := w.q.LockObjectives(ctx, db.LockObjectivesParams{OrganizationID: w.organization, IDs: some}); err != nil {
			return err
		}
	}
	return nil
}

func (w *changeWriter) people(ctx context.Context, p *plan) error {
	newcomers, err := newPeople(ctx, w.q, p.newcomers)
	if err != nil {
		return err
	}
	for _, u := range newcomers { // without a password, whatever the file says: nobody chooses one for somebody else
		err := w.q.CreateUser(ctx, db.CreateUserParams{ID: u.ID, Email: u.Email, Name: u.Name, Locale: u.Locale, TimeZone: u.TimeZone})
		if err != nil {
			return err
		}
	}
	for _, m := range p.members {
		if err := w.member(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func (w *changeWriter) member(ctx context.Context, c change[Membership]) error {
	m, action := c.after, "member.updated"
	revision := int64(1)
	if c.before == nil {
		action = "member.added"
		if err := w.q.CreateMembership(ctx, db.CreateMembershipParams{OrganizationID: w.organization, UserID: m.UserID, Role: string(m.Role)}); err != nil {
			return err
		}
	} else {
		revision = c.before.Revision
	}
	if c.before != nil || m.SuspendedAt != nil {
		changed, err := w.q.UpdateMemberIfRevision(ctx, db.UpdateMemberIfRevisionParams{OrganizationID: w.organization, UserID: m.UserID, Revision: revision,
			SetRole: true, Role: string(m.Role), SetSuspended: true, Suspended: m.SuspendedAt != nil})
		if err != nil {
			return stale(err)
		}
		revision = changed.Revision
	}
	if m.SuspendedAt != nil {
		if err := w.q.DeleteSessionsOfUser(ctx, db.DeleteSessionsOfUserParams{OrganizationID: w.organization, UserID: m.UserID}); err != nil {
			return err
		}
	}
	return w.record(ctx, action, m.aggregate(), &revision, map[string]any{"role": m.Role, "suspended": m.SuspendedAt != nil})
}

func (w *changeWriter) team(ctx context.Context, c change[Team]) error {
	t, action := c.after, "team.updated"
	revision := int64(1)
	if c.before == nil {
		action = "team.created"
		_, err := w.q.CreateTeam(ctx, db.CreateTeamParams{OrganizationID: w.organization, ID: t.ID, Name: t.Name, Description: t.Description, ActorID: w.change.Actor})
		if err != nil {
			return err
		}
	} else {
		revision = c.before.Revision
	}
	if c.before != nil || t.ArchivedAt != nil {
		changed, err := w.q.UpdateTeamIfRevision(ctx, db.UpdateTeamIfRevisionParams{OrganizationID: w.organization, ID: t.ID, Revision: revision, ActorID: w.change.Actor,
			SetName: true, Name: t.Name, SetDescription: true, Description: t.Description, SetArchived: true, Archived: t.ArchivedAt != nil})
		if err != nil {
			return stale(err)
		}
		revision = changed.Revision
	}
	if err := w.record(ctx, action, t.aggregate(), &revision, nil); err != nil {
		return err
	}
	return w.teamMembers(ctx, c)
}

func (w *changeWriter) teamMembers(ctx context.Context, c change[Team]) error {
	was := map[uuid.UUID]TeamMember{}
	if c.before != nil {
		for _, m := range c.before.Members {
			was[m.UserID] = m
		}
	}
	for _, m := range c.after.Members {
		before, ok := was[m.UserID]
		delete(was, m.UserID)
		if ok && before.Role == m.Role {
			continue
		}
		if err := w.q.PutTeamMember(ctx, db.PutTeamMemberParams{OrganizationID: w.organization, TeamID: m.TeamID, UserID: m.UserID, Role: string(m.Role)}); err != nil {
			return err
		}
		if err := w.record(ctx, "team.member_put", c.after.aggregate(), nil, map[string]any{"member_id": m.UserID, "role": m.Role}); err != nil {
			return err
		}
	}
	for id := range was {
		if _, err := w.q.DeleteTeamMember(ctx, db.DeleteTeamMemberParams{OrganizationID: w.organization, TeamID: c.after.ID, UserID: id}); err != nil {
			return stale(err)
		}
		if err := w.record(ctx, "team.member_removed", c.after.aggregate(), nil, map[string]any{"member_id": id}); err != nil {
			return err
		}
	}
	return nil
}

func (w *changeWriter) cycle(ctx context.Context, c change[Cycle]) error {
	to, action := c.after, "cycle.updated"
	revision := int64(1)
	if c.before == nil {
		action = "cycle.created"
		_, err := w.q.CreateCycle(ctx, db.CreateCycleParams{OrganizationID: w.organization, ID: to.ID, Name: to.Name, StartsOn: to.StartsOn, EndsOn: to.EndsOn, ActorID: w.change.Actor})
		if err != nil {
			return err
		}
	} else {
		revision = c.before.Revision
	}
	changed, err := w.q.UpdateCycleIfRevision(ctx, db.UpdateCycleIfRevisionParams{OrganizationID: w.organization, ID: to.ID, Revision: revision, ActorID: w.change.Actor,
		SetName: true, Name: to.Name, SetStartsOn: true, StartsOn: to.StartsOn, SetEndsOn: true, EndsOn: to.EndsOn, SetState: true, State: string(to.State)})
	if err != nil {
		return stale(err)
	}
	return w.record(ctx, action, to.aggregate(), &changed.Revision, map[string]any{"state": to.State})
}

// objectives come in this order because they and their key results refer to each other: new ones without a parent, then all key results, then the
// content of the ones that were there and the place of the new ones.
func (w *changeWriter) objectives(ctx context.Context, changes []change[Objective]) error {
	for _, c := range changes {
		if o := c.after; c.before == nil {
			_, err := w.q.CreateObjective(ctx, db.CreateObjectiveParams{OrganizationID: w.organization, ID: o.ID, CycleID: o.CycleID, TeamID: o.TeamID, OwnerID: o.OwnerID,
				Title: o.Title, Description: o.Description, Kind: string(o.Kind), Visibility: string(o.Visibility), ActorID: w.change.Actor})
			if err != nil {
				return err
			}
		}
	}
	for _, c := range changes {
		if err := w.keyResults(ctx, c); err != nil {
			return err
		}
	}
	for _, c := range changes {
		row, err := w.place(ctx, c)
		if err != nil {
			return stale(err)
		}
		if err := w.recordObjective(ctx, c, row); err != nil {
			return err
		}
	}
	return nil
}

func (w *changeWriter) place(ctx context.Context, c change[Objective]) (db.Objective, error) {
	o := c.after
	if c.before == nil {
		return w.q.CompleteObjective(ctx, db.CompleteObjectiveParams{OrganizationID: w.organization, ID: o.ID, ParentObjectiveID: o.ParentObjectiveID,
			ParentKeyResultID: o.ParentKeyResultID, State: string(o.State), Score: o.Score, Archived: o.ArchivedAt != nil})
	}
	return w.q.ReplaceObjectiveIfRevision(ctx, db.ReplaceObjectiveIfRevisionParams{OrganizationID: w.organization, ID: o.ID, Revision: c.before.Revision,
		CycleID: o.CycleID, TeamID: o.TeamID, OwnerID: o.OwnerID, ParentObjectiveID: o.ParentObjectiveID, ParentKeyResultID: o.ParentKeyResultID,
		Title: o.Title, Description: o.Description, Kind: string(o.Kind), Visibility: string(o.Visibility), State: string(o.State), Score: o.Score,
		Archived: o.ArchivedAt != nil, ActorID: w.change.Actor})
}

// keyResults writes those that differ, with their steps.
func (w *changeWriter) keyResults(ctx context.Context, c change[Objective]) error {
	was := map[uuid.UUID]KeyResult{}
	if c.before != nil {
		for _, k := range c.before.KeyResults {
			was[k.ID] = k
		}
	}
	var rows []db.ReplaceKeyResultsParams
	var steps []db.PutMilestoneStepsParams
	var ids, kept []uuid.UUID
	for _, k := range c.after.KeyResults {
		if before, ok := was[k.ID]; ok && same(before.bare(), k.bare()) {
			continue
		}
		ids = append(ids, k.ID)
		rows = append(rows, db.ReplaceKeyResultsParams{OrganizationID: w.organization, ID: k.ID, ObjectiveID: c.after.ID, Position: k.Position, Title: k.Title,
			Description: k.Description, OwnerID: k.OwnerID, Kind: string(k.Kind), Unit: k.Unit, Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch,
			AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight, Archived: k.ArchivedAt != nil})
		for _, step := range k.Steps {
			kept = append(kept, step.ID)
			steps = append(steps, db.PutMilestoneStepsParams{OrganizationID: w.organization, ID: step.ID, KeyResultID: k.ID, Position: step.Position, Title: step.Title, Weight: step.Weight})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	var failed error
	first := func(_ int, err error) { failed = errors.Join(failed, err) }
	w.q.ReplaceKeyResults(ctx, rows).Exec(first)
	if failed != nil {
		return failed
	}
	if err := w.q.DeleteOtherMilestoneSteps(ctx, db.DeleteOtherMilestoneStepsParams{OrganizationID: w.organization, KeyResultIDs: ids, KeptIDs: kept}); err != nil {
		return err
	}
	if len(steps) > 0 {
		w.q.PutMilestoneSteps(ctx, steps).Exec(first)
	}
	return failed
}

// recordObjective leaves behind what any edit does: the content as history, the audit, the event, and the end of suggestions for earlier revisions.
func (w *changeWriter) recordObjective(ctx context.Context, c change[Objective], row db.Objective) error {
	action := "objective.updated"
	if c.before == nil {
		action = "objective.created"
	}
	content, err := c.after.content()
	if err != nil {
		return err
	}
	return w.q.RecordObjectiveChange(ctx, db.RecordObjectiveChangeParams{OrganizationID: w.organization, ObjectiveID: row.ID, Revision: row.Revision, Action: action,
		Content: content, ChangedAt: row.ChangedAt, ActorID: w.change.Actor, EventID: db.NewID(), Detail: json.RawMessage(`{"by": "snapshot"}`),
		RequestID: w.change.RequestID, Address: w.change.Address})
}

func (w *changeWriter) record(ctx context.Context, action string, target Aggregate, revision *int64, detail map[string]any) error {
	if detail == nil {
		detail = map[string]any{}
	}
	encoded, err := json.Marshal(detail)
	if err != nil {
		return fmt.Errorf("snapshot: %s: %w", action, err)
	}
	var actor *uuid.UUID
	if w.change.Actor != uuid.Nil {
		actor = &w.change.Actor
	}
	return w.q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: w.organization, EventID: db.NewID(), Action: action, TargetKind: target.Kind, TargetID: target.ID,
		TargetRevision: revision, ActorID: actor, Detail: encoded, RequestID: w.change.RequestID, Address: w.change.Address})
}
