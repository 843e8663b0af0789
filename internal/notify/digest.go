package notify

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/schedule"
)

const (
	digestHour = 8             // by the clock where somebody lives
	digestLate = 6 * time.Hour // how much later they still get it, when no program ran at that hour
	maxLines   = 50            // in one mail
	digestWait = time.Minute   // what is younger than this comes with the next digest: everything before it has been committed or given up
	claimsKept = 40 * 24 * time.Hour
)

// Digests sends, every hour, to those for whom it is eight in the morning in this hour what they owe and what they have not read since the last one: on each day, or on Mondays.
// Where there is nothing, nothing is sent. Who was looked at is claimed for that day of theirs, so that a second run, at once or later, does not look again.
func Digests(store *db.Store) schedule.Run {
	return schedule.Run{Name: "digests", Next: schedule.Every(time.Hour), Missed: schedule.Skip, Late: time.Hour, Do: func(ctx context.Context, o schedule.Organization, due time.Time) error {
		people, err := digestPeople(ctx, store, o.ID, due)
		if err != nil {
			return err
		}
		scope := db.Scope{Organization: o.ID, Class: db.Background}
		for some := range slices.Chunk(people, together) {
			err := store.Write(ctx, scope, func(ctx context.Context, q *db.Queries) error { return sendDigests(ctx, q, o, due, some) })
			if err != nil {
				return err
			}
		}
		return forgetClaims(ctx, store, scope, due)
	}}
}

// digestPerson is somebody whose morning it is.
type digestPerson struct {
	user    uuid.UUID
	day     time.Time // of their calendar
	weekly  bool
	through uuid.UUID
}

// digestPeople finds whose morning begins in the hour after due, or began in the last few hours while no program ran. They are few fields each, for however many members.
func digestPeople(ctx context.Context, store *db.Store, organization uuid.UUID, due time.Time) ([]digestPerson, error) {
	scope := db.Scope{Organization: organization, Class: db.Background}
	zones := map[string]*time.Location{}
	var people []digestPerson
	for after := uuid.Nil; ; {
		var page []db.ListDigestPeopleAfterRow
		err := store.Read(ctx, scope, func(ctx context.Context, q *db.Queries) (err error) {
			page, err = q.ListDigestPeopleAfter(ctx, db.ListDigestPeopleAfterParams{OrganizationID: organization, AfterID: after, PageSize: pageOfAll})
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			zone, known := zones[m.TimeZone]
			if !known {
				if zone, err = time.LoadLocation(m.TimeZone); err != nil {
					zone = time.UTC // a zone that this machine has no rules for
				}
				zones[m.TimeZone] = zone
			}
			day, ok := morning(due, zone)
			if ok && (m.DigestSentOn == nil || m.DigestSentOn.Before(day)) {
				people = append(people, digestPerson{user: m.UserID, day: day, weekly: m.Digest == "weekly", through: m.DigestThroughID})
			}
		}
		if len(page) < pageOfAll {
			return people, nil
		}
		after = page[len(page)-1].UserID
	}
}

// morning is the day in a zone whose eighth hour begins in the hour after due, or began not long before.
func morning(due time.Time, zone *time.Location) (day time.Time, ok bool) {
	end := due.Add(time.Hour)
	last := end.Add(-time.Nanosecond).In(zone)
	for back := range 2 {
		at := time.Date(last.Year(), last.Month(), last.Day()-back, digestHour, 0, 0, 0, zone)
		if at.Before(end) {
			return okr.Today(at, zone), at.After(due.Add(-digestLate))
		}
	}
	return time.Time{}, false
}

func sendDigests(ctx context.Context, q *db.Queries, o schedule.Organization, due time.Time, people []digestPerson) error {
	r, err := rulesOf(ctx, q, o, due)
	if err != nil {
		return err
	}
	var users []uuid.UUID
	notices := db.ListNoticesForDigestsParams{OrganizationID: o.ID, Settled: due.Add(-digestWait), DigestKinds: digestKinds()}
	for _, p := range people {
		if p.weekly && p.day.Weekday() != time.Monday {
			continue
		}
		users = append(users, p.user)
		notices.UserIDs = append(notices.UserIDs, p.user)
		notices.ThroughIDs = append(notices.ThroughIDs, p.through)
	}
	rows, err := q.ListNoticesForDigests(ctx, notices)
	if err != nil {
		return err
	}
	owed, err := OwedBy(ctx, q, o.ID, r, users...)
	if err != nil {
		return err
	}
	digests := map[uuid.UUID]*mail.Digest{}
	for _, u := range users {
		digests[u] = &mail.Digest{Owed: []mail.Owed{}, Notices: []mail.Notice{}}
		for i, w := range owed[u] {
			if i == maxLines {
				digests[u].More = len(owed[u]) - maxLines
				break
			}
			digests[u].Owed = append(digests[u].Owed, mail.Owed{Kind: string(w.Kind), Title: w.Title, Due: w.DueOn, Path: w.Path})
		}
	}
	through := map[uuid.UUID]uuid.UUID{}
	for _, n := range rows {
		if err := addNotice(digests[n.UserID], n); err != nil {
			return err
		}
		if n.Place == 1 {
			through[n.UserID] = n.LatestID
		}
	}
	claim := db.ClaimDigestsParams{OrganizationID: o.ID}
	weekly := map[uuid.UUID]bool{}
	for _, p := range people {
		weekly[p.user] = p.weekly
		claim.UserIDs = append(claim.UserIDs, p.user)
		claim.ThroughIDs = append(claim.ThroughIDs, through[p.user])
		claim.Days = append(claim.Days, p.day)
	}
	claimed, err := q.ClaimDigests(ctx, claim)
	if err != nil {
		return err
	}
	var mails []mail.Addressed
	for _, u := range claimed {
		if d := digests[u]; d != nil && len(d.Owed)+len(d.Notices) > 0 {
			d.Weekly = weekly[u]
			mails = append(mails, mail.Addressed{User: u, Content: *d})
		}
	}
	return mail.EnqueueMany(ctx, q, o.ID, false, mails...)
}

// addNotice puts a notice into a digest that has room for it, and counts it otherwise. The first row of a member says how many there are.
func addNotice(d *mail.Digest, n db.ListNoticesForDigestsRow) error {
	if n.Place == 1 {
		d.More += int(n.Total)
	}
	if len(d.Owed)+len(d.Notices) >= maxLines {
		return nil
	}
	var detail Detail
	if err := json.Unmarshal(n.Detail, &detail); err != nil {
		return err
	}
	notice := mail.Notice{Kind: n.Kind, Title: n.Title, Excerpt: detail.Excerpt, Count: int(n.Occurrences), Path: detail.Path}
	if n.ActorName != nil {
		notice.Actor = *n.ActorName
	}
	d.Notices = append(d.Notices, notice)
	d.More--
	return nil
}

// digestKinds are the kinds that are in digests for whoever has not chosen otherwise.
func digestKinds() []string {
	var kinds []string
	for _, s := range standards() {
		if s.Mail == InDigest {
			kinds = append(kinds, string(s.Kind))
		}
	}
	return kinds
}

// forgetClaims deletes claims that are older than any period, in bounded steps.
func forgetClaims(ctx context.Context, store *db.Store, scope db.Scope, now time.Time) error {
	for range 20 {
		var gone int64
		err := store.Write(ctx, scope, func(ctx context.Context, q *db.Queries) (err error) {
			gone, err = q.DeleteOldNoticeClaims(ctx, db.DeleteOldNoticeClaimsParams{OrganizationID: scope.Organization, Before: now.Add(-claimsKept)})
			return err
		})
		if err != nil || gone < 5000 {
			return err
		}
	}
	return nil
}
