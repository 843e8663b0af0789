package figures

import (
	"context"
	"time"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/schedule"
)

// Runs are what figures need of the clock.
func Runs(store *db.Store) []schedule.Run { return []schedule.Run{Days(store), Upkeep(store)} }

// Days records, when a day of the organisation's has ended, how every active cycle and its groups stood.
func Days(store *db.Store) schedule.Run {
	return schedule.Run{Name: "figures-of-the-day", Next: schedule.Daily(0, 0), Missed: schedule.Latest, Do: func(ctx context.Context, o schedule.Organization, due time.Time) error {
		ended := okr.Today(due, o.Zone).AddDate(0, 0, -1)
		var cycles []db.ListCyclesForFiguresRow
		err := store.Read(ctx, db.Scope{Organization: o.ID, Class: db.Background}, func(ctx context.Context, q *db.Queries) (err error) {
			cycles, err = q.ListCyclesForFigures(ctx, db.ListCyclesForFiguresParams{OrganizationID: o.ID})
			return err
		})
		if err != nil {
			return err
		}
		for _, c := range cycles {
			if ended.Before(c.StartsOn) {
				continue
			}
			err := store.Write(ctx, db.Scope{Organization: o.ID, Class: db.Background}, func(ctx context.Context, q *db.Queries) error {
				_, err := q.RecordCycleDay(ctx, db.RecordCycleDayParams{OrganizationID: o.ID, CycleID: c.ID, RecordedDay: ended,
					Day: int32(okr.NewPace(c.StartsOn, c.EndsOn).Day(ended))}) //nolint:gosec // a day of a cycle
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

// Upkeep looks, once an hour, whether cycles were computed with what holds now: those of an organisation that was brought in whole were not computed at all.
func Upkeep(store *db.Store) schedule.Run {
	return schedule.Run{Name: "figures-upkeep", Next: schedule.Every(time.Hour), Missed: schedule.Latest, Do: func(ctx context.Context, o schedule.Organization, _ time.Time) error {
		return store.Write(ctx, db.Scope{Organization: o.ID, Class: db.Background}, func(ctx context.Context, q *db.Queries) error {
			if err := Refresh(ctx, q, o.ID); err != nil {
				return err
			}
			cycles, err := q.ListCyclesForFigures(ctx, db.ListCyclesForFiguresParams{OrganizationID: o.ID})
			if err != nil {
				return err
			}
			for _, c := range cycles {
				if err := gather(ctx, q, o.ID, c.ID); err != nil {
					return err
				}
			}
			return nil
		})
	}}
}
