package snapshot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
)

// Report is what verify found.
type Report struct {
	Snapshot *Snapshot // what was looked at
	Faults   []Fault
}

// Verify reads an organisation and looks for everything that cannot be: references that lead nowhere or out of it, rules of OKRs that are broken,
// progress that is not what the check-ins say, history that is not what there is, jobs that nobody is working on.
func (d *Database) Verify(ctx context.Context, organization uuid.UUID) (r Report, err error) {
	err = db.ReadWhole(ctx, d.ownerURL, organization, func(ctx context.Context, tx pgx.Tx) error {
		q := db.New(tx)
		now, err := q.GetServerTime(ctx)
		if err != nil {
			return err
		}
		if r.Snapshot, err = load(ctx, q, organization); err != nil {
			return err
		}
		r.Faults = append(r.Snapshot.Validate(), r.Snapshot.orphans(now)...)
		return nil
	})
	return r, err
}

// orphans are the jobs that some worker took and let its lease run out. The workers that are left take them up within a lease, if there are any.
func (s *Snapshot) orphans(now time.Time) (faults []Fault) {
	for i, j := range s.Jobs {
		if j.orphaned(now) {
			faults = append(faults, Fault{Pointer: fmt.Sprintf("/jobs/%d", i), Kind: "job", ID: j.ID, Code: codeOrphan,
				Detail: fmt.Sprintf("It is running, and its lease ended %s ago.", now.Sub(*j.LeaseExpiresAt).Round(time.Second))})
		}
	}
	return faults
}

func (j AIJob) orphaned(now time.Time) bool {
	return j.State == "running" && j.LeaseExpiresAt != nil && j.LeaseExpiresAt.Before(now)
}

// Repair is one thing that maintenance has put right.
type Repair struct {
	Aggregate

	Done string // what was done, for people
}

// Maintain puts right what can be put right without deciding anything: what is kept as current of key results is taken from their check-ins, jobs whose
// worker has gone are queued again, and suggestions for earlier revisions are closed. It returns what it has done and what is left for people.
// Like any change of the whole organisation it raises its revision, if it has done anything.
func (d *Database) Maintain(ctx context.Context, organization uuid.UUID) (repairs []Repair, left []Fault, err error) {
	err = d.change(ctx, organization, func(ctx context.Context, tx pgx.Tx) error {
		q := db.New(tx)
		now, err := q.GetServerTime(ctx)
		if err != nil {
			return err
		}
		s, err := load(ctx, q, organization)
		if err != nil {
			return err
		}
		m := maintenance{q: q, s: s}
		for _, mend := range []func(context.Context) error{m.current, func(ctx context.Context) error { return m.jobs(ctx, now) }, m.suggestions, m.figures} {
			if err := mend(ctx); err != nil {
				return err
			}
		}
		repairs = m.repairs
		if len(repairs) > 0 {
			if err := m.raise(ctx); err != nil {
				return err
			}
			if s, err = load(ctx, q, organization); err != nil {
				return err
			}
		}
		left = append(s.Validate(), s.orphans(now)...)
		return nil
	})
	if db.Moved(err) || errors.Is(err, errStale) {
		return nil, nil, &MovedError{err: err}
	}
	return repairs, left, err
}

type maintenance struct {
	q       *db.Queries
	s       *Snapshot
	repairs []Repair
}

func (m *maintenance) done(kind string, id uuid.UUID, what string) {
	m.repairs = append(m.repairs, Repair{Aggregate{kind, id}, what})
}

func (m *maintenance) current(ctx context.Context) error {
	latest := m.s.latest()
	for _, o := range m.s.Objectives {
		for i := range o.KeyResults {
			k := &o.KeyResults[i]
			c := latest[k.ID]
			if k.isAt(c) {
				continue
			}
			repair := db.RepairCurrentCheckInParams{OrganizationID: m.s.Organization.ID, ID: k.ID, ReadCheckInID: k.CurrentCheckInID, DoneStepIDs: []uuid.UUID{}}
			what := "has no check-in, and is kept as having none"
			if c != nil {
				repair.CheckInID, repair.Value, repair.DoneStepIDs, repair.Confidence, repair.CheckedAt = &c.ID, c.Value, c.DoneStepIDs, &c.Confidence, &c.CheckedAt
				what = "stands at its latest check-in again"
			}
			n, err := m.q.RepairCurrentCheckIn(ctx, repair)
			if err != nil {
				return err
			}
			if n == 0 {
				return errStale
			}
			m.done("key result", k.ID, what)
		}
	}
	return nil
}

func (m *maintenance) jobs(ctx context.Context, now time.Time) error {
	for _, j := range m.s.Jobs {
		if !j.orphaned(now) {
			continue
		}
		n, err := m.q.RequeueExpiredJob(ctx, db.RequeueExpiredJobParams{OrganizationID: m.s.Organization.ID, ID: j.ID, LeaseNumber: j.LeaseNumber})
		if err != nil {
			return err
		}
		if n == 0 {
			return errStale
		}
		m.done("job", j.ID, "is queued again, since its worker has gone")
	}
	return nil
}

func (m *maintenance) suggestions(ctx context.Context) error {
	at := make(map[uuid.UUID]int64, len(m.s.Objectives))
	for _, o := range m.s.Objectives {
		at[o.ID] = o.Revision
	}
	for _, g := range m.s.Suggestions {
		if g.State != "open" || g.ObjectiveRevision >= at[g.ObjectiveID] {
			continue
		}
		n, err := m.q.SupersedeSuggestion(ctx, db.SupersedeSuggestionParams{OrganizationID: m.s.Organization.ID, ID: g.ID})
		if err != nil {
			return err
		}
		if n == 0 {
			return errStale
		}
		m.done("suggestion", g.ID, "is superseded, since its objective has moved on")
	}
	return nil
}

// figures computes what cycles come to anew. That is no repair to tell of, nor a change of the organisation: they follow from the rest, and may just be behind.
func (m *maintenance) figures(ctx context.Context) error {
	for _, c := range m.s.Cycles {
		if _, err := figures.Mend(ctx, m.q, m.s.Organization.ID, c.ID); err != nil {
			return err
		}
	}
	return nil
}

// raise leaves behind that the program itself has changed something.
func (m *maintenance) raise(ctx context.Context) error {
	o := m.s.Organization
	raised, err := m.q.RaiseOrganizationIfRevision(ctx, db.RaiseOrganizationIfRevisionParams{OrganizationID: o.ID, Revision: o.Revision,
		Name: o.Name, Locale: o.Locale, TimeZone: o.TimeZone, Cadence: string(o.Cadence), GraceDays: o.GraceDays,
		AIEnabled: o.AIEnabled, AIMonthlyTokens: o.AIMonthlyTokens})
	if err != nil {
		return stale(err)
	}
	done := make([]string, 0, len(m.repairs))
	for _, r := range m.repairs[:min(len(m.repairs), faultsTold)] {
		done = append(done, r.String()+" "+r.Done)
	}
	w := &changeWriter{q: m.q, organization: o.ID}
	return w.record(ctx, "organization.maintained", o.aggregate(), &raised.Revision, map[string]any{"repairs": len(m.repairs), "first": done})
}
