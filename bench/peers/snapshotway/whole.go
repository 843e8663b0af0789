package main

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/singleflight"

	"github.com/kakeai/kakeai/bench/peers/answer"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/snapshot"
)

// whole is an organisation in memory, at one revision. Nobody changes it any more.
type whole struct {
	*snapshot.Snapshot
	faults     []snapshot.Fault // what was wrong with it already
	objectives map[uuid.UUID]int
	cycles     map[uuid.UUID]int
	teams      map[uuid.UUID]int
	names      map[uuid.UUID]string
}

func newWhole(s *snapshot.Snapshot) *whole {
	w := &whole{Snapshot: s, objectives: make(map[uuid.UUID]int, len(s.Objectives)), cycles: make(map[uuid.UUID]int, len(s.Cycles)),
		teams: make(map[uuid.UUID]int, len(s.Teams)), names: make(map[uuid.UUID]string, len(s.Users))}
	for i := range s.Objectives {
		w.objectives[s.Objectives[i].ID] = i
	}
	for i := range s.Cycles {
		w.cycles[s.Cycles[i].ID] = i
	}
	for i := range s.Teams {
		w.teams[s.Teams[i].ID] = i
	}
	for i := range s.Users {
		w.names[s.Users[i].ID] = s.Users[i].Name
	}
	return w
}

// visible returns an objective that the actor may see; nil if there is none.
func (w *whole) visible(id uuid.UUID, a answer.Actor) *snapshot.Objective {
	i, ok := w.objectives[id]
	if !ok {
		return nil
	}
	o := &w.Objectives[i]
	reader := okr.Reader{Owner: o.OwnerID == a.ID, Admin: a.Administers()}
	if o.TeamID != nil {
		reader.Member, reader.TeamLead = slices.Contains(a.TeamIDs, *o.TeamID), slices.Contains(a.LeadTeamIDs, *o.TeamID)
	}
	if !o.Visibility.SeenBy(reader) {
		return nil
	}
	return o
}

// answered is the objective as an answer is made of it.
func (w *whole) answered(o *snapshot.Objective) answer.Objective {
	all := answer.Objective{Objective: db.Objective(o.ObjectiveRow), Cycle: db.Cycle(w.Cycles[w.cycles[o.CycleID]]), Names: w.names,
		KeyResults: make([]answer.KeyResult, 0, len(o.KeyResults))}
	for _, k := range o.KeyResults {
		steps := make([]db.MilestoneStep, 0, len(k.Steps))
		for _, step := range k.Steps {
			steps = append(steps, db.MilestoneStep(step))
		}
		all.KeyResults = append(all.KeyResults, answer.KeyResult{KeyResult: db.KeyResult(k.KeyResultRow), Steps: steps})
	}
	return all
}

// read reads an organisation whole, in the transaction that it is given. That one either keeps one view or holds the organisation's lock.
func read(ctx context.Context, tx pgx.Tx, organization uuid.UUID) (*whole, error) {
	s := &snapshot.Snapshot{}
	var members []snapshot.TeamMember
	var keyResults []snapshot.KeyResultRow
	var steps []snapshot.MilestoneStep
	batch := &pgx.Batch{}
	rowsOf(batch, "organizations AS o WHERE o.id = $1", organization, func(row snapshot.Organization) { s.Organization = row })
	rowsOf(batch, "users AS u WHERE u.id IN (SELECT m.user_id FROM memberships AS m WHERE m.organization_id = $1)", organization,
		func(u db.User) {
			s.Users = append(s.Users, snapshot.User{ID: u.ID, Email: u.Email, Name: u.Name, Locale: u.Locale, TimeZone: u.TimeZone, CreatedAt: u.CreatedAt, ChangedAt: u.ChangedAt})
		})
	rowsOf(batch, "memberships AS m WHERE m.organization_id = $1", organization, func(row snapshot.Membership) { s.Memberships = append(s.Memberships, row) })
	rowsOf(batch, "teams AS t WHERE t.organization_id = $1", organization,
		func(row snapshot.TeamRow) { s.Teams = append(s.Teams, snapshot.Team{TeamRow: row}) })
	rowsOf(batch, "team_members AS tm WHERE tm.organization_id = $1", organization, func(row snapshot.TeamMember) { members = append(members, row) })
	rowsOf(batch, "cycles AS c WHERE c.organization_id = $1", organization, func(row snapshot.Cycle) { s.Cycles = append(s.Cycles, row) })
	rowsOf(batch, "objectives AS o WHERE o.organization_id = $1", organization,
		func(row snapshot.ObjectiveRow) {
			s.Objectives = append(s.Objectives, snapshot.Objective{ObjectiveRow: row})
		})
	rowsOf(batch, "key_results AS k WHERE k.organization_id = $1", organization, func(row snapshot.KeyResultRow) { keyResults = append(keyResults, row) })
	rowsOf(batch, "milestone_steps AS s WHERE s.organization_id = $1", organization, func(row snapshot.MilestoneStep) { steps = append(steps, row) })
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	if s.Organization.ID == uuid.Nil {
		return nil, pgx.ErrNoRows
	}
	w := newWhole(s)
	w.place(members, keyResults, steps)
	return w, nil
}

// rowsOf has every row of one statement kept. R has the fields of the table, in its order.
func rowsOf[R any](batch *pgx.Batch, from string, organization uuid.UUID, keep func(R)) {
	batch.Queue("SELECT * FROM "+from, organization).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			row, err := pgx.RowToStructByPos[R](rows)
			if err != nil {
				return err
			}
			keep(row)
		}
		return rows.Err()
	})
}

// place puts what belongs to teams and objectives where it belongs, in its order.
func (w *whole) place(members []snapshot.TeamMember, keyResults []snapshot.KeyResultRow, steps []snapshot.MilestoneStep) {
	for _, m := range members {
		team := &w.Teams[w.teams[m.TeamID]]
		team.Members = append(team.Members, m)
	}
	stepsOf := make(map[uuid.UUID][]snapshot.MilestoneStep, len(steps))
	for _, step := range steps {
		stepsOf[step.KeyResultID] = append(stepsOf[step.KeyResultID], step)
	}
	for _, k := range keyResults {
		own := stepsOf[k.ID]
		slices.SortFunc(own, func(a, b snapshot.MilestoneStep) int {
			return cmp.Or(cmp.Compare(a.Position, b.Position), slices.Compare(a.ID[:], b.ID[:]))
		})
		o := &w.Objectives[w.objectives[k.ObjectiveID]]
		o.KeyResults = append(o.KeyResults, snapshot.KeyResult{KeyResultRow: k, Steps: own})
	}
	for i := range w.Objectives {
		slices.SortFunc(w.Objectives[i].KeyResults, func(a, b snapshot.KeyResult) int {
			return cmp.Or(cmp.Compare(a.Position, b.Position), slices.Compare(a.ID[:], b.ID[:]))
		})
	}
}

// organizations keeps the newest snapshot of each organisation that anybody has read or written here.
type organizations struct {
	mu     sync.Mutex
	newest map[uuid.UUID]*whole
	reads  singleflight.Group
}

// at returns the organisation if it is known at this revision or, for those who hold no lock and were overtaken, at a later one; nil otherwise.
func (o *organizations) at(id uuid.UUID, revision int64) *whole {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w := o.newest[id]; w != nil && w.Organization.Revision >= revision {
		return w
	}
	return nil
}

func (o *organizations) publish(w *whole) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if known := o.newest[w.Organization.ID]; known == nil || known.Organization.Revision < w.Organization.Revision {
		o.newest[w.Organization.ID] = w
	}
}

// current returns an organisation at a revision or a later one. Where memory has none, whoever comes first reads it and everybody else waits for that.
func (s *server) current(ctx context.Context, id uuid.UUID, revision int64) (*whole, error) {
	for {
		if w := s.organizations.at(id, revision); w != nil {
			return w, nil
		}
		_, err, _ := s.organizations.reads.Do(id.String(), func() (any, error) {
			if w := s.organizations.at(id, revision); w != nil { // somebody was faster
				return nil, nil
			}
			return nil, s.view(ctx, id, func(tx pgx.Tx) error {
				w, err := read(ctx, tx, id)
				if err != nil {
					return err
				}
				w.faults = w.EntityFaults()
				s.organizations.publish(w)
				return nil
			})
		})
		if err != nil {
			return nil, err
		}
	}
}
