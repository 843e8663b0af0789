package notify

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/schedule"
)

const (
	together  = 200  // members that one transaction of a run looks at
	pageOfAll = 1000 // members in one page of those who may be due
)

// Runs are what is told by the clock. Each takes the time it was due as its now, so that a repetition does what the first attempt did not, and nothing twice: whoever is told is
// claimed in the transaction that tells them.
func Runs(store *db.Store) []schedule.Run {
	return []schedule.Run{CheckInReminders(store), OutdatedMarks(store), Digests(store)}
}

// CheckInReminders reminds, at nine in the organisation's time zone, whoever has check-ins due, once in each period of the cadence: one mail with all of them, and one
// notification for each cycle.
func CheckInReminders(store *db.Store) schedule.Run {
	return schedule.Run{Name: "check-in-reminders", Next: schedule.Daily(9, 0), Missed: schedule.Latest, Do: func(ctx context.Context, o schedule.Organization, due time.Time) error {
		return eachMembers(ctx, store, o.ID, func(ctx context.Context, q *db.Queries, members []uuid.UUID) error {
			r, err := rulesOf(ctx, q, o, due)
			if err != nil {
				return err
			}
			return remind(ctx, q, o.ID, r, members)
		})
	}}
}

// remind tells those of members who have check-ins due and want to hear of it.
func remind(ctx context.Context, q *db.Queries, organization uuid.UUID, r Rules, members []uuid.UUID) error {
	due, err := dueCheckIns(ctx, q, organization, r, members)
	if err != nil || len(due) == 0 {
		return err
	}
	slices.SortStableFunc(due, func(a, b dueCheckIn) int { return a.dueOn.Compare(b.dueOn) })
	perMember := map[uuid.UUID][]dueCheckIn{}
	for _, d := range due {
		perMember[d.UserID] = append(perMember[d.UserID], d)
	}
	wishes, err := wishesOf(ctx, q, organization, CheckInDue, members)
	if err != nil {
		return err
	}
	claim := db.ClaimNoticesParams{OrganizationID: organization, Now: &r.Now, Before: new(periodBegan(r))}
	for _, m := range members {
		if w := wishes(m); len(perMember[m]) > 0 && (w.Inbox || w.Mail == Immediate) {
			claim.UserIDs = append(claim.UserIDs, m)
			claim.Names = append(claim.Names, reminderClaim)
			claim.SubjectIDs = append(claim.SubjectIDs, m)
		}
	}
	claimed, err := q.ClaimNotices(ctx, claim)
	if err != nil {
		return err
	}
	var notices []Notification
	var mails []mail.Addressed
	for _, c := range claimed {
		cycles := map[uuid.UUID]bool{}
		var objectives []mail.Owed
		listed := map[uuid.UUID]bool{}
		for _, d := range perMember[c.UserID] {
			if !cycles[d.CycleID] {
				cycles[d.CycleID] = true
				notices = append(notices, Notification{User: c.UserID, Kind: CheckInDue, SubjectKind: "cycle", Subject: d.CycleID, Title: d.CycleName, Path: "/inbox"})
			}
			if !listed[d.ObjectiveID] && len(objectives) < maxLines {
				listed[d.ObjectiveID] = true
				objectives = append(objectives, mail.Owed{Kind: string(OwedCheckIn), Title: d.ObjectiveTitle, Due: &d.dueOn, Path: objectivePath(d.ObjectiveID)})
			}
		}
		if wishes(c.UserID).Mail == Immediate {
			mails = append(mails, mail.Addressed{User: c.UserID, Content: mail.CheckInReminder{Objectives: objectives}})
		}
	}
	if err := Create(ctx, q, organization, notices...); err != nil {
		return err
	}
	return mail.EnqueueMany(ctx, q, organization, false, mails...)
}

// OutdatedMarks tells owners, at nine in the organisation's time zone, which of their objectives have had no check-in for longer than the cadence and three days: once for each
// objective and period of the cadence.
func OutdatedMarks(store *db.Store) schedule.Run {
	return schedule.Run{Name: "outdated-marks", Next: schedule.Daily(9, 0), Missed: schedule.Latest, Do: func(ctx context.Context, o schedule.Organization, due time.Time) error {
		return eachMembers(ctx, store, o.ID, func(ctx context.Context, q *db.Queries, members []uuid.UUID) error {
			r, err := rulesOf(ctx, q, o, due)
			if err != nil {
				return err
			}
			return markOutdated(ctx, q, o.ID, r, members)
		})
	}}
}

func markOutdated(ctx context.Context, q *db.Queries, organization uuid.UUID, r Rules, members []uuid.UUID) error {
	rows, err := q.ListOutdatedObjectives(ctx, db.ListOutdatedObjectivesParams{OrganizationID: organization, UserIDs: members, Before: silentSince(r)})
	if err != nil {
		return err
	}
	today := okr.Today(r.Now, r.Zone)
	claim := db.ClaimNoticesParams{OrganizationID: organization, Now: &r.Now, Before: new(periodBegan(r))}
	titles := map[uuid.UUID]string{}
	for _, row := range rows {
		var last *time.Time
		if row.CheckedIn {
			last = &row.CheckedInAt
		}
		if okr.Outdated(last, waitingSince(row.StartsOn, row.ChangedAt, last, r.Zone), r.Cadence, r.Now, r.Zone) && okr.MayCheckIn(okr.CycleActive, row.EndsOn, r.GraceDays, today) {
			titles[row.ID] = row.Title
			claim.UserIDs = append(claim.UserIDs, row.OwnerID)
			claim.Names = append(claim.Names, outdatedClaim)
			claim.SubjectIDs = append(claim.SubjectIDs, row.ID)
		}
	}
	if len(claim.UserIDs) == 0 {
		return nil
	}
	claimed, err := q.ClaimNotices(ctx, claim)
	if err != nil {
		return err
	}
	var notices []Notification
	for _, c := range claimed {
		notices = append(notices, Notification{User: c.UserID, Kind: Outdated, SubjectKind: "objective", Subject: c.SubjectID, Title: titles[c.SubjectID], Path: objectivePath(c.SubjectID)})
	}
	return Create(ctx, q, organization, notices...)
}

// periodBegan is the moment before which a claim has to lie for its period to be over: a period of the cadence has passed between the two days, in the organisation's days.
func periodBegan(r Rules) time.Time {
	today := okr.Today(r.Now, r.Zone)
	day := today
	for r.Cadence.DueOn(day).After(today) {
		day = day.AddDate(0, 0, -1)
	}
	return time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, r.Zone)
}

func rulesOf(ctx context.Context, q *db.Queries, o schedule.Organization, now time.Time) (Rules, error) {
	settings, err := q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: o.ID})
	return Rules{Now: now, Zone: o.Zone, Cadence: settings.Cadence, GraceDays: int(settings.GraceDays)}, err
}

// eachMembers runs work for all who are not suspended, 200 at a time, each in a transaction of its own.
func eachMembers(ctx context.Context, store *db.Store, organization uuid.UUID, work func(ctx context.Context, q *db.Queries, members []uuid.UUID) error) error {
	scope := db.Scope{Organization: organization, Class: db.Background}
	for after := uuid.Nil; ; {
		var members []uuid.UUID
		err := store.Write(ctx, scope, func(ctx context.Context, q *db.Queries) (err error) {
			members, err = q.ListActiveMembersAfter(ctx, db.ListActiveMembersAfterParams{OrganizationID: organization, AfterID: after, PageSize: together})
			if err != nil || len(members) == 0 {
				return err
			}
			return work(ctx, q, members)
		})
		if err != nil || len(members) < together {
			return err
		}
		after = members[len(members)-1]
	}
}
