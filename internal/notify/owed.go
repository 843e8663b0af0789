package notify

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// Debt is a kind of thing that is owed.
type Debt string

// What people owe.
const (
	OwedDraft    Debt = "draft"          // an objective that was never submitted, though its cycle has begun
	OwedReturned Debt = "returned-draft" // one that a reviewer has given back
	OwedReview   Debt = "review"
	OwedCheckIn  Debt = "check-in"
	OwedSurvey   Debt = "survey"
	OwedFollowUp Debt = "follow-up"
)

// Owed is one thing that somebody has to do. DueOn is the day by which it should have been done, or since when somebody waits for it: nil for a follow-up without one.
type Owed struct {
	Kind  Debt
	ID    uuid.UUID // of the objective, key result, occurrence or follow-up
	Title string
	In    string // for a check-in, the objective's title
	Path  string
	DueOn *time.Time
	DueAt *time.Time // of a survey: when the meeting begins
}

// Rules are what an organisation has settled on, at a moment.
type Rules struct {
	Now       time.Time
	Zone      *time.Location
	Cadence   okr.Cadence
	GraceDays int
}

// MaxOwed bounds what is owed that one person is shown.
const MaxOwed = 200

// OwedBy reads what members owe, in five statements for as many as 200 of them: for each the earliest due first, at most 200, and one more if there is more.
func OwedBy(ctx context.Context, q *db.Queries, organization uuid.UUID, r Rules, members ...uuid.UUID) (map[uuid.UUID][]Owed, error) {
	all := map[uuid.UUID][]Owed{}
	const each = MaxOwed + 1
	drafts, err := q.ListOwedDrafts(ctx, db.ListOwedDraftsParams{OrganizationID: organization, UserIDs: members, Each: each})
	if err != nil {
		return nil, err
	}
	for _, d := range drafts {
		o := Owed{Kind: OwedDraft, ID: d.ID, Title: d.Title, Path: objectivePath(d.ID), DueOn: &d.StartsOn}
		if d.Returned {
			day := okr.Today(d.ChangedAt, r.Zone)
			o.Kind, o.DueOn = OwedReturned, &day
		}
		all[d.UserID] = append(all[d.UserID], o)
	}
	reviews, err := q.ListOwedReviews(ctx, db.ListOwedReviewsParams{OrganizationID: organization, UserIDs: members, Each: each})
	if err != nil {
		return nil, err
	}
	for _, v := range reviews {
		day := okr.Today(v.ChangedAt, r.Zone)
		all[v.UserID] = append(all[v.UserID], Owed{Kind: OwedReview, ID: v.ID, Title: v.Title, Path: objectivePath(v.ID), DueOn: &day})
	}
	checkIns, err := dueCheckIns(ctx, q, organization, r, members)
	if err != nil {
		return nil, err
	}
	for _, c := range checkIns {
		all[c.UserID] = append(all[c.UserID], Owed{Kind: OwedCheckIn, ID: c.ID, Title: c.Title, In: c.ObjectiveTitle, Path: objectivePath(c.ObjectiveID), DueOn: &c.dueOn})
	}
	surveys, err := q.ListOwedSurveys(ctx, db.ListOwedSurveysParams{OrganizationID: organization, UserIDs: members, Now: r.Now, Each: each})
	if err != nil {
		return nil, err
	}
	for _, s := range surveys {
		day := okr.Today(s.StartsAt, r.Zone)
		all[s.UserID] = append(all[s.UserID], Owed{Kind: OwedSurvey, ID: s.ID, Title: s.Title, Path: "/occurrences/" + s.ID.String(), DueOn: &day, DueAt: &s.StartsAt})
	}
	followUps, err := q.ListOwedFollowUps(ctx, db.ListOwedFollowUpsParams{OrganizationID: organization, UserIDs: members, Each: each})
	if err != nil {
		return nil, err
	}
	for _, f := range followUps {
		all[f.UserID] = append(all[f.UserID], Owed{Kind: OwedFollowUp, ID: f.ID, Title: f.Title, Path: "/occurrences/" + f.OccurrenceID.String(), DueOn: f.DueOn})
	}
	for member, owed := range all {
		slices.SortStableFunc(owed, func(a, b Owed) int {
			if c := compareTimes(a.DueOn, b.DueOn); c != 0 {
				return c
			}
			return compareTimes(a.DueAt, b.DueAt)
		})
		all[member] = owed[:min(len(owed), each)]
	}
	return all, nil
}

// dueCheckIn is a key result on which somebody has to report.
type dueCheckIn struct {
	db.ListOwedCheckInsRow
	dueOn time.Time
}

// dueCheckIns reads the key results on which members have to report by today, in the organisation's days: by the cadence after the last check-in or, without one, after its
// objective was approved or its cycle began, whichever came later. Where the cycle takes no check-ins any more, none is due.
func dueCheckIns(ctx context.Context, q *db.Queries, organization uuid.UUID, r Rules, members []uuid.UUID) ([]dueCheckIn, error) {
	rows, err := q.ListOwedCheckIns(ctx, db.ListOwedCheckInsParams{OrganizationID: organization, UserIDs: members, Before: silentSince(r), Each: MaxOwed + 1})
	if err != nil {
		return nil, err
	}
	today := okr.Today(r.Now, r.Zone)
	var due []dueCheckIn
	for _, row := range rows {
		since := waitingSince(row.StartsOn, row.ApprovedAt, row.CurrentAt, r.Zone)
		dueOn := r.Cadence.DueOn(okr.Today(since, r.Zone))
		if !dueOn.After(today) && okr.MayCheckIn(okr.CycleActive, row.EndsOn, r.GraceDays, today) {
			due = append(due, dueCheckIn{row, dueOn})
		}
	}
	return due, nil
}

// silentSince is a moment since which nothing has been heard of whatever is due: six days are less than any cadence, whatever the clocks did.
func silentSince(r Rules) time.Time { return r.Now.Add(-6 * 24 * time.Hour) }

// waitingSince is when somebody began to wait for the next check-in.
func waitingSince(startsOn, approvedAt time.Time, checkedInAt *time.Time, zone *time.Location) time.Time {
	if checkedInAt != nil {
		return *checkedInAt
	}
	began := time.Date(startsOn.Year(), startsOn.Month(), startsOn.Day(), 0, 0, 0, 0, zone)
	if approvedAt.After(began) {
		return approvedAt
	}
	return began
}
