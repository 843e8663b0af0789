// Package convene does what meetings need of the database besides what somebody asks for: it has them take place ahead of time, tells those who attend, and reminds them.
package convene

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/meeting"
)

// errSeries is a series in the database that this program cannot read: it was written by another release.
var errSeries = errors.New("convene: this meeting's rule or time zone is unknown here")

// SeriesOf is when a meeting takes place.
func SeriesOf(m db.Meeting) (meeting.Series, error) {
	zone, err := meeting.LoadZone(m.TimeZone)
	if err != nil {
		return meeting.Series{}, fmt.Errorf("%w: %s", errSeries, m.TimeZone)
	}
	rule := ""
	if m.Recurrence != nil {
		rule = *m.Recurrence
	}
	s, refused := meeting.NewSeries(m.StartsAtLocal, zone, rule)
	if len(refused) > 0 {
		return meeting.Series{}, fmt.Errorf("%w: %s", errSeries, refused[0].Detail)
	}
	return s, nil
}

// Duration is how long a meeting takes.
func Duration(m db.Meeting) time.Duration { return time.Duration(m.DurationMinutes) * time.Minute }

// ahead is when a meeting takes place from one moment up to the horizon beyond now; at least the next time, however far that is.
func ahead(s meeting.Series, from, now time.Time) []time.Time {
	if all := s.Between(from, now.Add(meeting.Horizon)); len(all) > 0 {
		return all
	}
	if all := s.Between(from, now.Add(meeting.MaxAhead)); len(all) > 0 {
		return all[:1]
	}
	return nil
}

// Place has a meeting take place from one moment up to the horizon beyond now. Times that are there already stay as they are, so it may run again and at once
// with itself. The transaction holds the meeting, so that its rule is not changed meanwhile.
func Place(ctx context.Context, q *db.Queries, m db.Meeting, from, now time.Time) error {
	s, err := SeriesOf(m)
	if err != nil {
		return err
	}
	return create(ctx, q, m, ahead(s, from, now))
}

func create(ctx context.Context, q *db.Queries, m db.Meeting, times []time.Time) error {
	rows := make([]db.CreateOccurrencesParams, len(times))
	for i, at := range times {
		rows[i] = db.CreateOccurrencesParams{OrganizationID: m.OrganizationID, ID: db.NewID(), MeetingID: m.ID, RecurrenceAt: at, EndsAt: at.Add(Duration(m)), ActorID: m.ChangedBy}
	}
	var failed error
	q.CreateOccurrences(ctx, rows).Exec(func(_ int, err error) { failed = errors.Join(failed, err) })
	return failed
}

// Replace has a meeting whose times were changed follow its new rule from now on. Occurrences that are past, that were moved or called off by hand, or that hold minutes,
// answers, follow-ups or check-ins stay as they are. Of the others, those at a time that the new rule has too stay; the rest go to its other times, in
// their order, so that what links to them still leads to the meeting; and what is then left over is taken out. A meeting that takes place once, before and after,
// goes to its new time with all that it holds. The transaction holds the meeting.
func Replace(ctx context.Context, q *db.Queries, m db.Meeting, repeated bool, now time.Time) error {
	s, err := SeriesOf(m)
	if err != nil {
		return err
	}
	present, err := q.LockOccurrencesFrom(ctx, db.LockOccurrencesFromParams{OrganizationID: m.OrganizationID, MeetingID: m.ID, FromAt: now})
	if err != nil {
		return err
	}
	ids := make([]uuid.UUID, len(present))
	for i, o := range present {
		ids[i] = o.ID
	}
	held, err := q.ListHeldOccurrences(ctx, db.ListHeldOccurrencesParams{OrganizationID: m.OrganizationID, IDs: ids})
	if err != nil {
		return err
	}
	once := !repeated && !s.Repeats()
	plan := arrange(present, ahead(s, now, now), func(o db.MeetingOccurrence) bool {
		return !once && (o.Moved || o.CancelledAt != nil || o.Minutes != nil || slices.Contains(held, o.ID))
	})
	if err := create(ctx, q, m, plan.added); err != nil {
		return err
	}
	rows := make([]db.FollowRuleParams, len(plan.kept))
	for i, k := range plan.kept {
		rows[i] = db.FollowRuleParams{OrganizationID: m.OrganizationID, ID: k.id, RecurrenceAt: k.at, EndsAt: k.at.Add(Duration(m)), ActorID: m.ChangedBy}
	}
	var failed error
	q.FollowRule(ctx, rows).Exec(func(_ int, err error) { failed = errors.Join(failed, err) })
	if failed != nil || len(plan.dropped) == 0 {
		return failed
	}
	return q.DeleteOccurrences(ctx, db.DeleteOccurrencesParams{OrganizationID: m.OrganizationID, IDs: plan.dropped})
}

// arrangement is how occurrences get from the times they have to those they should have.
type arrangement struct {
	kept    []placed // which goes where
	added   []time.Time
	dropped []uuid.UUID
}

type placed struct {
	id uuid.UUID
	at time.Time
}

func arrange(present []db.MeetingOccurrence, wanted []time.Time, stays func(db.MeetingOccurrence) bool) arrangement {
	var a arrangement
	free := slices.Clone(wanted)
	var loose []db.MeetingOccurrence
	for _, o := range present {
		i := slices.IndexFunc(free, o.RecurrenceAt.Equal)
		switch {
		case i >= 0 && !stays(o):
			a.kept = append(a.kept, placed{o.ID, o.RecurrenceAt})
		case i < 0 && !stays(o):
			loose = append(loose, o)
		}
		if i >= 0 {
			free = slices.Delete(free, i, i+1)
		}
	}
	for i, o := range loose {
		if i < len(free) {
			a.kept = append(a.kept, placed{o.ID, free[i]})
		} else {
			a.dropped = append(a.dropped, o.ID)
		}
	}
	a.added = free[min(len(loose), len(free)):]
	return a
}
