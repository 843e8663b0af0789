package convene

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/schedule"
)

const (
	surveyAhead   = 24 * time.Hour // how long before a meeting its survey is asked
	surveyRemind  = 4 * time.Hour  // how long before it those who have not answered are reminded
	remindersEach = 5 * time.Minute
	pageSize      = 200
)

// Convener does what is due for meetings.
type Convener struct {
	store     *db.Store
	publicURL string // without a slash at its end; empty where links have nowhere to lead
	now       *time.Time
}

// Options are what a Convener needs to know of where it runs.
type Options struct {
	PublicURL string     // the address of the browser application, for links in calendars
	Now       *time.Time // instead of the database's clock, for tests
}

// New returns a Convener.
func New(store *db.Store, options Options) *Convener {
	url := options.PublicURL
	for len(url) > 0 && url[len(url)-1] == '/' {
		url = url[:len(url)-1]
	}
	return &Convener{store: store, publicURL: url, now: options.Now}
}

// Runs are what is due for meetings by the clock.
func (c *Convener) Runs() []schedule.Run {
	return []schedule.Run{c.Horizon(), c.Reminders(), c.SurveyOpens(), c.SurveyReminders()}
}

// Horizon has repeating meetings take place further ahead, once a day.
func (c *Convener) Horizon() schedule.Run {
	return schedule.Run{Name: "meetings-horizon", Missed: schedule.Latest, Next: func(after time.Time, zone *time.Location) time.Time {
		local := after.In(zone)
		for days := 0; ; days++ {
			if at := time.Date(local.Year(), local.Month(), local.Day()+days, 3, 30, 0, 0, zone); at.After(after) {
				return at
			}
		}
	}, Do: func(ctx context.Context, o schedule.Organization, _ time.Time) error { return c.placeAll(ctx, o.ID) }}
}

// Reminders tells those who attend that a meeting is about to begin.
func (c *Convener) Reminders() schedule.Run {
	return c.often("meeting-reminders", func(ctx context.Context, o uuid.UUID) error {
		return c.each(ctx, o, (*Convener).toRemindOf, (*Convener).remind)
	})
}

// SurveyOpens asks those who attend to answer a meeting's survey, a day before it.
func (c *Convener) SurveyOpens() schedule.Run {
	return c.often("survey-opens", c.AskSurveys)
}

// SurveyReminders reminds those who have not answered, four hours before the meeting.
func (c *Convener) SurveyReminders() schedule.Run {
	return c.often("survey-reminders", func(ctx context.Context, o uuid.UUID) error {
		return c.each(ctx, o, (*Convener).surveysToRemindOf, (*Convener).remindOfSurvey)
	})
}

// AskSurveys asks about every meeting of an organisation that is less than a day away and was not asked about yet.
func (c *Convener) AskSurveys(ctx context.Context, organization uuid.UUID) error {
	return c.each(ctx, organization, (*Convener).toAskAbout, (*Convener).ask)
}

// often is a run that makes up for what it has missed by itself: each time, it does whatever has become due.
func (c *Convener) often(name string, do func(ctx context.Context, organization uuid.UUID) error) schedule.Run {
	return schedule.Run{Name: name, Missed: schedule.Latest, Next: func(after time.Time, _ *time.Location) time.Time {
		return after.Truncate(remindersEach).Add(remindersEach)
	}, Do: func(ctx context.Context, o schedule.Organization, _ time.Time) error { return do(ctx, o.ID) }}
}

func (c *Convener) scope(organization uuid.UUID) db.Scope {
	return db.Scope{Organization: organization, Class: db.Background}
}

// placeAll goes through the meetings one by one, so that an edit waits for one of them at most.
func (c *Convener) placeAll(ctx context.Context, organization uuid.UUID) error {
	var failed error
	for after := uuid.Nil; ; {
		var ids []uuid.UUID
		err := c.store.Read(ctx, c.scope(organization), func(ctx context.Context, q *db.Queries) error {
			var err error
			ids, err = q.ListRepeatingMeetingsAfter(ctx, db.ListRepeatingMeetingsAfterParams{OrganizationID: organization, AfterID: after, PageSize: pageSize})
			return err
		})
		if err != nil {
			return errors.Join(failed, err)
		}
		for _, id := range ids {
			err := c.store.Write(ctx, c.scope(organization), func(ctx context.Context, q *db.Queries) error { return c.place(ctx, q, organization, id) })
			if errors.Is(err, errSeries) {
				failed = errors.Join(failed, err) // one that cannot be read keeps no other from taking place
			} else if err != nil {
				return errors.Join(failed, err)
			}
			after = id
		}
		if len(ids) < pageSize {
			return failed
		}
	}
}

func (c *Convener) place(ctx context.Context, q *db.Queries, organization, id uuid.UUID) error {
	m, err := q.LockMeeting(ctx, db.LockMeetingParams{OrganizationID: organization, ID: id})
	if err != nil || m.CancelledAt != nil || m.Recurrence == nil {
		return err
	}
	now := c.now
	if now == nil {
		at, err := q.GetClock(ctx)
		if err != nil {
			return err
		}
		now = &at
	}
	return Place(ctx, q, m, *now, *now)
}

// each lists what is due and does it one by one, each in a transaction that takes it first, so that whoever else is at it finds nothing left to do.
func (c *Convener) each(ctx context.Context, organization uuid.UUID, list func(*Convener, context.Context, *db.Queries, uuid.UUID) ([]uuid.UUID, error),
	do func(*Convener, context.Context, *db.Queries, uuid.UUID, uuid.UUID) (bool, error)) error {
	for {
		var ids []uuid.UUID
		err := c.store.Read(ctx, c.scope(organization), func(ctx context.Context, q *db.Queries) error {
			var err error
			ids, err = list(c, ctx, q, organization)
			return err
		})
		if err != nil {
			return err
		}
		did := false
		for _, id := range ids {
			err := c.store.Write(ctx, c.scope(organization), func(ctx context.Context, q *db.Queries) error {
				done, err := do(c, ctx, q, organization, id)
				did = done || did
				return err
			})
			if err != nil {
				return err
			}
		}
		if len(ids) < pageSize || !did {
			return nil
		}
	}
}

func (c *Convener) toRemindOf(ctx context.Context, q *db.Queries, organization uuid.UUID) ([]uuid.UUID, error) {
	return q.ListOccurrencesToRemindOf(ctx, db.ListOccurrencesToRemindOfParams{OrganizationID: organization, Now: c.now})
}

func (c *Convener) toAskAbout(ctx context.Context, q *db.Queries, organization uuid.UUID) ([]uuid.UUID, error) {
	return q.ListOccurrencesToAskAbout(ctx, db.ListOccurrencesToAskAboutParams{OrganizationID: organization, Now: c.now, AheadSeconds: int32(surveyAhead.Seconds())})
}

func (c *Convener) surveysToRemindOf(ctx context.Context, q *db.Queries, organization uuid.UUID) ([]uuid.UUID, error) {
	return q.ListSurveysToRemindOf(ctx, db.ListSurveysToRemindOfParams{OrganizationID: organization, Now: c.now, AheadSeconds: int32(surveyRemind.Seconds())})
}

func (c *Convener) remind(ctx context.Context, q *db.Queries, organization, id uuid.UUID) (bool, error) {
	o, err := q.ClaimOccurrenceReminder(ctx, db.ClaimOccurrenceReminderParams{OrganizationID: organization, ID: id, Now: c.now})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, tellAttendees(ctx, q, o, false, notify.MeetingSoon, nil)
}

func (c *Convener) ask(ctx context.Context, q *db.Queries, organization, id uuid.UUID) (bool, error) {
	o, err := q.ClaimSurveyQuestion(ctx, db.ClaimSurveyQuestionParams{OrganizationID: organization, ID: id, Now: c.now, AheadSeconds: int32(surveyAhead.Seconds()),
		RemindSeconds: int32(surveyRemind.Seconds())})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, tellAttendees(ctx, q, o, true, notify.SurveyOpen, func(m db.Meeting) mail.Content { return surveyMail(m, o, false) })
}

func (c *Convener) remindOfSurvey(ctx context.Context, q *db.Queries, organization, id uuid.UUID) (bool, error) {
	o, err := q.ClaimSurveyReminder(ctx, db.ClaimSurveyReminderParams{OrganizationID: organization, ID: id, Now: c.now, AheadSeconds: int32(surveyRemind.Seconds())})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, tellAttendees(ctx, q, o, true, notify.SurveyOpen, func(m db.Meeting) mail.Content { return surveyMail(m, o, true) })
}

func surveyMail(m db.Meeting, o db.MeetingOccurrence, reminder bool) mail.Survey {
	return mail.Survey{Title: m.Title, StartsAt: o.StartsAt, Anonymous: m.SurveyAnonymous, Reminder: reminder, Path: occurrencePath(o.ID)}
}

// tellAttendees tells those who come, or of them those who have not answered, in the inbox and, where there is one to write, by mail.
func tellAttendees(ctx context.Context, q *db.Queries, o db.MeetingOccurrence, unanswered bool, kind notify.Kind, write func(db.Meeting) mail.Content) error {
	row, err := q.GetMeeting(ctx, db.GetMeetingParams{OrganizationID: o.OrganizationID, ID: o.MeetingID})
	if err != nil {
		return err
	}
	attendees, err := q.ListAttendeesToRemind(ctx, db.ListAttendeesToRemindParams{OrganizationID: o.OrganizationID, MeetingID: o.MeetingID, OccurrenceID: o.ID, Unanswered: unanswered})
	if err != nil {
		return err
	}
	all := make([]notify.Notification, len(attendees))
	for i, user := range attendees {
		all[i] = notify.Notification{User: user, Kind: kind, SubjectKind: "occurrence", Subject: o.ID, Title: row.Meeting.Title, Path: occurrencePath(o.ID)}
		if write == nil {
			continue
		}
		if _, err := mail.Enqueue(ctx, q, o.OrganizationID, user, write(row.Meeting), false); err != nil {
			return err
		}
	}
	return notify.Create(ctx, q, o.OrganizationID, all...)
}
