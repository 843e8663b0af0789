package snapshot_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/snapshot"
)

// draft is an objective that may be changed at will.
func draft(s *snapshot.Snapshot) *snapshot.Objective {
	for i := range s.Objectives {
		if o := &s.Objectives[i]; o.State == okr.ObjectiveDraft && o.ArchivedAt == nil && len(o.KeyResults) > 0 {
			return o
		}
	}
	panic("the demo has no draft")
}

func retitle(s *snapshot.Snapshot) error {
	draft(s).Title = "別の題"
	return nil
}

func TestOnlyWhatDiffersIsWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before := b.content()
	var id uuid.UUID
	summary, err := b.change(func(s *snapshot.Snapshot) error {
		id = draft(s).ID
		return retitle(s)
	})
	require.NoError(t, err)
	assert.Equal(t, []snapshot.Aggregate{{Kind: "objective", ID: id}}, summary.Changed)
	assert.Equal(t, int64(2), summary.Revision)
	assert.Equal(t, int64(2), value[int64](b, "SELECT revision FROM organizations WHERE id = $1", b.minato))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM objectives WHERE changed_by = $1 AND changed_at > now() - interval '1 minute'", b.owner))

	// what any edit leaves behind
	for query, want := range map[string]int{
		"SELECT count(*) FROM objective_history WHERE objective_id = $1 AND action = 'objective.updated' AND content->>'title' = '別の題'": 1,
		"SELECT count(*) FROM audit_events WHERE target_id = $1 AND detail->>'by' = 'snapshot'":                                         1,
		"SELECT count(*) FROM suggestions WHERE objective_id = $1 AND state = 'open'":                                                   0,
	} {
		assert.Equal(t, want, value[int](b, query, id), query)
	}
	after := b.content()
	for _, table := range []string{"objectives", "objective_history", "audit_events", "outbox_events", "organizations", "suggestions", "objective_terms"} {
		delete(before, table)
		delete(after, table)
	}
	assert.Equal(t, before, after, "nothing else")
	report, err := b.whole.Verify(t.Context(), b.minato)
	require.NoError(t, err)
	assert.Empty(t, report.Faults)
}

func TestAChangeOfNothingChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before := b.content()
	summary, err := b.change(func(*snapshot.Snapshot) error { return nil })
	require.NoError(t, err)
	assert.Equal(t, snapshot.Summary{Revision: 1}, summary)
	assert.Equal(t, before, b.content())
}

func TestEverythingThatPeopleEditCanBeChangedAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	newcomer, team, cycle, objective, keyResult, milestone := db.NewID(), db.NewID(), db.NewID(), db.NewID(), db.NewID(), db.NewID()
	var left, archived, removed, suspended uuid.UUID
	_, err := b.change(func(s *snapshot.Snapshot) error {
		s.Organization.Name = "みなと製作所"
		s.Users = append(s.Users, snapshot.User{ID: newcomer, Email: "newcomer@example.com", Name: "新人", Locale: "ja", TimeZone: "Asia/Tokyo"})
		s.Memberships = append(s.Memberships, snapshot.Membership{OrganizationID: b.minato, UserID: newcomer, Role: auth.Member})
		for i := range s.Memberships {
			if s.Memberships[i].Role == auth.Viewer && suspended == uuid.Nil {
				at := time.Now()
				s.Memberships[i].SuspendedAt, suspended = &at, s.Memberships[i].UserID
			}
		}
		removed = s.Teams[0].Members[1].UserID
		s.Teams[0].Members = slices.Delete(s.Teams[0].Members, 1, 2)
		s.Teams = append(s.Teams, snapshot.Team{
			TeamRow: snapshot.TeamRow{OrganizationID: b.minato, ID: team, Name: "新しい班", ChangedBy: b.owner},
			Members: []snapshot.TeamMember{{OrganizationID: b.minato, TeamID: team, UserID: newcomer, Role: auth.TeamLead}},
		})
		s.Cycles[1].Name = "今期"
		s.Cycles = append(s.Cycles, snapshot.Cycle{OrganizationID: b.minato, ID: cycle, Name: "来期", StartsOn: s.Cycles[1].EndsOn.AddDate(0, 0, 1),
			EndsOn: s.Cycles[1].EndsOn.AddDate(0, 3, 0), State: okr.CyclePreparation, ChangedBy: b.owner})
		changed := draft(s)
		left, archived = changed.ID, changed.KeyResults[0].ID
		at := time.Now()
		changed.KeyResults[0].ArchivedAt = &at
		made := snapshot.Objective{ObjectiveRow: snapshot.ObjectiveRow{OrganizationID: b.minato, ID: objective, CycleID: cycle, TeamID: &team, OwnerID: newcomer, Title: "来期の目標",
			Kind: okr.Committed, Visibility: okr.VisibleToTeam, State: okr.ObjectiveSubmitted, Revision: 1, CreatedBy: b.owner, ChangedBy: b.owner}}
		base := changed.KeyResults[len(changed.KeyResults)-1]
		base.ID, base.ObjectiveID, base.Steps = keyResult, objective, []snapshot.MilestoneStep{}
		base.Kind, base.Baseline, base.Target = okr.Milestone, nil, nil
		base.Stretch, base.AtLeast, base.AtMost, base.Tolerance = nil, nil, nil, nil
		base.Steps = append(base.Steps, snapshot.MilestoneStep{OrganizationID: b.minato, ID: milestone, KeyResultID: keyResult, Title: "一歩", Weight: okr.DefaultWeight})
		made.KeyResults = []snapshot.KeyResult{base}
		s.Objectives = append(s.Objectives, made)
		changed = draft(s)
		changed.ParentObjectiveID, changed.ParentKeyResultID = &objective, &keyResult
		return nil
	})
	require.NoError(t, err)
	for query, argument := range map[string]any{
		"SELECT name = 'みなと製作所' AND revision = 2 FROM organizations WHERE id = $1":                                 b.minato,
		"SELECT password_hash IS NULL FROM users WHERE id = $1":                                                    newcomer,
		"SELECT suspended_at IS NOT NULL AND revision = 2 FROM memberships WHERE user_id = $1":                     suspended,
		"SELECT count(*) = 0 FROM sessions WHERE user_id = $1":                                                     suspended,
		"SELECT role = 'lead' FROM team_members WHERE user_id = $1":                                                newcomer,
		"SELECT count(*) = 1 FROM audit_events WHERE action = 'team.member_removed' AND detail->>'member_id' = $1": removed.String(),
		"SELECT state = 'submitted' AND revision = 1 FROM objectives WHERE id = $1":                                objective,
		"SELECT action = 'objective.created' FROM objective_history WHERE objective_id = $1":                       objective,
		"SELECT parent_key_result_id IS NOT NULL AND revision > 1 FROM objectives WHERE id = $1":                   left,
		"SELECT archived_at IS NOT NULL FROM key_results WHERE id = $1":                                            archived,
		"SELECT title = '一歩' FROM milestone_steps WHERE id = $1":                                                   milestone,
	} {
		assert.True(t, value[bool](b, query, argument), query)
	}
	report, err := b.whole.Verify(t.Context(), b.minato)
	require.NoError(t, err)
	assert.Empty(t, report.Faults)
}

func TestWhatIsNotChangedThisWayIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before := b.content()
	for what, c := range map[string]struct {
		mutate func(s *snapshot.Snapshot)
		code   string
	}{
		"another organisation": {func(s *snapshot.Snapshot) { s.Organization.ID = b.harbor }, "of-another-organization"},
		"a member left out": {func(s *snapshot.Snapshot) {
			s.Users, s.Memberships = s.Users[:len(s.Users)-1], s.Memberships[:len(s.Memberships)-1]
		}, "not-deleted-here"},
		"a team left out":       {func(s *snapshot.Snapshot) { s.Teams = s.Teams[:len(s.Teams)-1] }, "not-there"},
		"a key result left out": {func(s *snapshot.Snapshot) { o := draft(s); o.KeyResults = o.KeyResults[1:] }, "not-deleted-here"},
		"an objective left out": {func(s *snapshot.Snapshot) {
			left := draft(s).ID
			s.Objectives = slices.DeleteFunc(s.Objectives, func(o snapshot.Objective) bool { return o.ID == left })
		}, "not-deleted-here"},
		"somebody's name": {func(s *snapshot.Snapshot) { s.Users[0].Name = "別人" }, "not-changed-here"},
		"a check-in":      {func(s *snapshot.Snapshot) { s.CheckIns = slices.Clone(s.CheckIns); s.CheckIns[0].Confidence++ }, "not-changed-here"},
		"an audit event": {func(s *snapshot.Snapshot) {
			s.AuditEvents = slices.Clone(s.AuditEvents)
			s.AuditEvents[0].Action = "nothing"
		}, "not-changed-here"},
		"a made-up event": {func(s *snapshot.Snapshot) {
			s.AuditEvents = slices.Clone(s.AuditEvents)
			s.AuditEvents[0].ID = db.NewID()
		}, "not-added-here"},
		"the last owner":     {func(s *snapshot.Snapshot) { demote(s) }, "owner-missing"},
		"a wrong key result": {func(s *snapshot.Snapshot) { draft(s).KeyResults[0].Kind = "guess" }, "kind-unknown"},
		"a measured key result of another kind": {func(s *snapshot.Snapshot) { // which only shows once it stands beside its check-ins
			k := first(s, func(k *snapshot.KeyResult) bool { return k.Kind == okr.Metric && k.CurrentAt != nil })
			k.Kind, k.Baseline, k.Target, k.Stretch = okr.Milestone, nil, nil, nil
			k.Steps = []snapshot.MilestoneStep{{OrganizationID: b.minato, ID: db.NewID(), KeyResultID: k.ID, Title: "一歩", Weight: okr.DefaultWeight}}
		}, "state-impossible"},
		"a step taken from another": {func(s *snapshot.Snapshot) { // which only shows once it was written
			from := first(s, func(k *snapshot.KeyResult) bool { return len(k.Steps) > 1 })
			o := &s.Objectives[slices.IndexFunc(s.Objectives, func(o snapshot.Objective) bool { return o.ID == from.ObjectiveID })]
			made := *from
			made.ID, made.Position, made.Steps = db.NewID(), 40, slices.Clone(from.Steps[1:])
			for i := range made.Steps {
				made.Steps[i].KeyResultID = made.ID
			}
			from.Steps = from.Steps[:1]
			o.KeyResults = append(o.KeyResults, made)
		}, "form"},
		"a loop": {func(s *snapshot.Snapshot) {
			s.Objectives[0].ParentObjectiveID, s.Objectives[0].ParentKeyResultID = &s.Objectives[1].ID, nil
			s.Objectives[1].ParentObjectiveID, s.Objectives[1].ParentKeyResultID = &s.Objectives[0].ID, nil
		}, "alignment-loop"},
	} {
		_, err := b.change(func(s *snapshot.Snapshot) error { c.mutate(s); return nil })
		assert.Contains(t, codes(t, err), c.code, what)
	}
	failed := errors.New("no")
	_, err := b.change(func(*snapshot.Snapshot) error { return failed })
	require.ErrorIs(t, err, failed)
	assert.Equal(t, before, b.content())
}

// first is the first key result that suits.
func first(s *snapshot.Snapshot, suits func(*snapshot.KeyResult) bool) *snapshot.KeyResult {
	for i := range s.Objectives {
		for j := range s.Objectives[i].KeyResults {
			if k := &s.Objectives[i].KeyResults[j]; suits(k) {
				return k
			}
		}
	}
	panic("the demo has none such")
}

func demote(s *snapshot.Snapshot) {
	for i := range s.Memberships {
		if s.Memberships[i].Role == auth.Owner {
			s.Memberships[i].Role = auth.Admin
		}
	}
}

// Somebody edits one of two objectives after the organisation was read and before it is written: neither is changed.
func TestAWriterThatComesBetweenEndsTheWhole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store := b.openStore()
	var last snapshot.Objective
	_, err := b.change(func(s *snapshot.Snapshot) error {
		for i := range s.Objectives {
			s.Objectives[i].Title += " !"
		}
		s.Teams[0].Name += " !"
		last = s.Objectives[len(s.Objectives)-1]
		b.write(store, func(ctx context.Context, q *db.Queries) error {
			_, err := q.UpdateObjectiveIfRevision(ctx, db.UpdateObjectiveIfRevisionParams{OrganizationID: b.minato, ID: last.ID, Revision: last.Revision, SetTitle: true, Title: "間に合った", ActorID: b.owner})
			return err
		})
		return nil
	})
	var moved *snapshot.MovedError
	require.ErrorAs(t, err, &moved)
	require.ErrorIs(t, err, db.ErrBusy)
	require.Len(t, moved.Aggregates, 1)
	assert.Equal(t, "objective", moved.Aggregates[0].Kind)
	assert.Equal(t, last.ID, moved.Aggregates[0].ID)
	assert.Equal(t, moved.Aggregates[0].Read+1, moved.Aggregates[0].Present)
	assert.Zero(t, value[int](b, "SELECT count(*) FROM objectives WHERE title LIKE '% !'"))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM teams WHERE name LIKE '% !'"))
	assert.Equal(t, int64(1), value[int64](b, "SELECT revision FROM organizations WHERE id = $1", b.minato))
	assert.Equal(t, "間に合った", value[string](b, "SELECT title FROM objectives WHERE id = $1", last.ID))
}

// What others change meanwhile that the change is not about stands in nobody's way.
func TestAWriterOfSomethingElseIsNotInTheWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store := b.openStore()
	_, err := b.change(func(s *snapshot.Snapshot) error {
		team := s.Teams[0]
		b.write(store, func(ctx context.Context, q *db.Queries) error {
			_, err := q.UpdateTeamIfRevision(ctx, db.UpdateTeamIfRevisionParams{OrganizationID: b.minato, ID: team.ID, Revision: team.Revision, SetName: true, Name: "改名", ActorID: b.owner})
			return err
		})
		return retitle(s)
	})
	require.NoError(t, err)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM objectives WHERE title = '別の題'"))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM teams WHERE name = '改名'"))
}

// A writer sets one's parent to the other while the change sets the other's parent to the one. Each holds those above what it changes.
func TestALoopCannotBeClosedFromTwoSides(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store := b.openStore()
	_, err := b.change(func(s *snapshot.Snapshot) error {
		var tops []*snapshot.Objective
		for i := range s.Objectives {
			if s.Objectives[i].ParentObjectiveID == nil {
				tops = append(tops, &s.Objectives[i])
			}
		}
		one, other := tops[0], tops[1]
		b.write(store, func(ctx context.Context, q *db.Queries) error {
			if _, err := q.GetObjectiveParentForShare(ctx, db.GetObjectiveParentForShareParams{OrganizationID: b.minato, ID: other.ID}); err != nil {
				return err
			}
			_, err := q.UpdateObjectiveIfRevision(ctx, db.UpdateObjectiveIfRevisionParams{OrganizationID: b.minato, ID: one.ID, Revision: one.Revision, SetParent: true, ParentObjectiveID: &other.ID, ActorID: b.owner})
			return err
		})
		other.ParentObjectiveID = &one.ID
		return nil
	})
	var moved *snapshot.MovedError
	require.ErrorAs(t, err, &moved)
	report, err := b.whole.Verify(t.Context(), b.minato)
	require.NoError(t, err)
	assert.NotContains(t, codesOf(report.Faults), "alignment-loop")
}

func TestChangesOfAnOrganizationComeOneAfterAnother(t *testing.T) {
	t.Parallel()
	b := setup(t, snapshot.Options{LockTimeout: patience})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			_, err := b.change(func(s *snapshot.Snapshot) error {
				s.Organization.GraceDays++
				return nil
			})
			assert.NoError(t, err)
		})
	}
	all.Wait()
	assert.Equal(t, "11 5", value[string](b, "SELECT grace_days || ' ' || revision FROM organizations WHERE id = $1", b.minato))
}

func TestAChangeDoesNotWaitForeverForAnother(t *testing.T) {
	t.Parallel()
	b := setup(t, snapshot.Options{LockTimeout: 50 * time.Millisecond})
	_, err := b.change(func(*snapshot.Snapshot) error {
		_, err := b.change(retitle)
		require.ErrorIs(t, err, db.ErrOrganizationHeld)
		require.ErrorIs(t, err, db.ErrBusy)
		_, err = b.whole.Change(t.Context(), b.harbor, snapshot.Change{Mutate: func(*snapshot.Snapshot) error { return nil }})
		require.NoError(t, err, "another organisation's")
		return nil
	})
	require.NoError(t, err)
	_, err = b.change(retitle)
	require.NoError(t, err, "the lock was given back")
}

func TestAChangeThatFailsGivesTheOrganizationBack(t *testing.T) {
	t.Parallel()
	b := setup(t, snapshot.Options{LockTimeout: 50 * time.Millisecond})
	cut, cancel := context.WithCancel(t.Context())
	_, err := b.whole.Change(cut, b.minato, snapshot.Change{Actor: b.owner, Mutate: func(s *snapshot.Snapshot) error { cancel(); return retitle(s) }})
	require.ErrorIs(t, err, context.Canceled)
	assert.Zero(t, value[int](b, "SELECT count(*) FROM objectives WHERE title = '別の題'"))
	require.Eventually(t, func() bool { _, err := b.change(retitle); return err == nil }, patience, 10*time.Millisecond)
}

func TestAChangeRespectsTheFence(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, err := pgx.Connect(t.Context(), b.OwnerURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	operator := snapshot.New(b.OwnerURL, snapshot.Options{Maintenance: true})
	try := func(d *snapshot.Database) error {
		_, err := d.Change(t.Context(), b.minato, snapshot.Change{Actor: b.owner, Mutate: func(s *snapshot.Snapshot) error { s.Organization.GraceDays++; return nil }})
		return err
	}
	for _, c := range []struct {
		mode           db.Mode
		plain, command error
	}{
		{db.ModeReadOnly, db.ErrReadOnly, db.ErrReadOnly},
		{db.ModeMaintenance, db.ErrMaintenance, nil},
		{db.ModeNormal, nil, nil},
	} {
		require.NoError(t, db.SetMode(t.Context(), conn, c.mode))
		require.ErrorIs(t, try(b.whole), c.plain, c.mode)
		require.ErrorIs(t, try(operator), c.command, c.mode)
	}
	require.NoError(t, db.RaiseFence(t.Context(), conn, db.Release+1))
	require.ErrorIs(t, try(b.whole), db.ErrFenced)
	require.ErrorIs(t, try(operator), db.ErrFenced)
	require.NoError(t, try(snapshot.New(b.OwnerURL, snapshot.Options{Release: db.Release + 1})))

	_, err = b.whole.Bootstrap(t.Context(), newcomers("fenced.off@example.com"))
	require.ErrorIs(t, err, db.ErrFenced)
	_, _, err = b.whole.Maintain(t.Context(), b.minato)
	require.ErrorIs(t, err, db.ErrFenced)
}

// The fence is raised while a change is on its way: it waits for the change, and the change knows the fence as it stood when it began.
func TestTheFenceWaitsForAChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, err := pgx.Connect(t.Context(), b.OwnerURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	raised := make(chan error, 1)
	_, err = b.change(func(s *snapshot.Snapshot) error {
		go func() { raised <- db.RaiseFence(t.Context(), conn, db.Release+1) }()
		select {
		case err := <-raised:
			t.Errorf("raised over a running change: %v", err)
			raised <- err
		case <-time.After(300 * time.Millisecond):
		}
		return retitle(s)
	})
	require.NoError(t, err)
	require.NoError(t, <-raised)
	_, err = b.change(retitle)
	require.ErrorIs(t, err, db.ErrFenced)
}

func TestNothingNests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	store := b.openStore()
	b.write(store, func(ctx context.Context, _ *db.Queries) error {
		_, err := b.whole.Change(ctx, b.minato, snapshot.Change{Mutate: retitle})
		require.ErrorIs(t, err, db.ErrNested)
		return nil
	})
	_, err := b.whole.Change(t.Context(), uuid.Nil, snapshot.Change{Mutate: retitle})
	require.ErrorIs(t, err, db.ErrNoOrganization)
	_, err = b.whole.Change(t.Context(), db.NewID(), snapshot.Change{Mutate: retitle})
	require.ErrorIs(t, err, snapshot.ErrNotThere)
}

func TestACopySharesNothingThatPeopleEdit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := b.whole.Load(t.Context(), b.minato)
	require.NoError(t, err)
	before, err := json.Marshal(s)
	require.NoError(t, err)
	c, err := s.Clone()
	require.NoError(t, err)
	for i := range c.Objectives {
		if c.Objectives[i].Description != nil {
			*c.Objectives[i].Description = "x"
		}
		for j := range c.Objectives[i].KeyResults {
			c.Objectives[i].KeyResults[j].Title = "x"
		}
	}
	c.Teams[0].Members[0].Role = "x"
	after, err := json.Marshal(s)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}
