package convene

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/meeting"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/outbox"
)

// The kinds of word that goes out.
const (
	Invited   = "invited"
	Changed   = "changed"
	Cancelled = "cancelled"
)

// NoticeEvent is the kind of the outbox's events that carry word of a meeting on, step by step.
const NoticeEvent = "meeting.notice"

// Step is how many are told in one transaction.
const Step = 50

// Word is something that those who attend a meeting should know.
type Word struct {
	Kind       string
	Meeting    db.Meeting
	Occurrence *db.MeetingOccurrence // it is about this one time alone
	Actor      uuid.UUID
	ActorName  string
}

// Tell tells all who attend, in the transaction of what they are told; where they are more than Step, by the outbox, step by step.
func (c *Convener) Tell(ctx context.Context, q *db.Queries, w Word) error {
	attendees, err := q.ListAttendeesAfter(ctx, db.ListAttendeesAfterParams{OrganizationID: w.Meeting.OrganizationID, MeetingID: w.Meeting.ID, PageSize: Step + 1})
	if err != nil {
		return err
	}
	if len(attendees) <= Step {
		return c.TellThese(ctx, q, w, attendees)
	}
	notice := db.CreateMeetingNoticeParams{OrganizationID: w.Meeting.OrganizationID, ID: db.NewID(), MeetingID: w.Meeting.ID, Kind: w.Kind, ActorID: w.Actor}
	if w.Occurrence != nil {
		notice.OccurrenceID = &w.Occurrence.ID
	}
	if _, err := q.CreateMeetingNotice(ctx, notice); err != nil {
		return err
	}
	return outbox.Enqueue(ctx, q, notice.OrganizationID, NoticeEvent, notice.ID, nil)
}

// Fold carries word on to the next of those who attend, and asks to be called again while there are more.
func (c *Convener) Fold() outbox.Fold {
	return func(ctx context.Context, q *db.Queries, e outbox.Event) error {
		if e.Kind != NoticeEvent {
			return nil
		}
		n, err := q.LockMeetingNotice(ctx, db.LockMeetingNoticeParams{OrganizationID: e.Organization, ID: e.Target})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // it has reached everybody, or the occurrence that it was about is no more
		}
		if err != nil {
			return err
		}
		w, err := wordOf(ctx, q, n)
		if err != nil {
			return err
		}
		attendees, err := q.ListAttendeesAfter(ctx, db.ListAttendeesAfterParams{OrganizationID: n.OrganizationID, MeetingID: n.MeetingID, AfterID: n.ReachedUserID, PageSize: Step + 1})
		if err != nil {
			return err
		}
		more := len(attendees) > Step
		attendees = attendees[:min(Step, len(attendees))]
		if err := c.TellThese(ctx, q, w, attendees); err != nil {
			return err
		}
		if !more {
			return q.DeleteMeetingNotice(ctx, db.DeleteMeetingNoticeParams{OrganizationID: n.OrganizationID, ID: n.ID})
		}
		err = q.AdvanceMeetingNotice(ctx, db.AdvanceMeetingNoticeParams{OrganizationID: n.OrganizationID, ID: n.ID, ReachedUserID: attendees[Step-1].UserID})
		if err != nil {
			return err
		}
		return outbox.Enqueue(ctx, q, n.OrganizationID, NoticeEvent, n.ID, nil)
	}
}

func wordOf(ctx context.Context, q *db.Queries, n db.MeetingNotice) (Word, error) {
	w := Word{Kind: n.Kind, Actor: n.ActorID}
	row, err := q.GetMeeting(ctx, db.GetMeetingParams{OrganizationID: n.OrganizationID, ID: n.MeetingID})
	if err != nil {
		return w, err
	}
	w.Meeting = row.Meeting
	names, err := q.ListMemberNames(ctx, db.ListMemberNamesParams{OrganizationID: n.OrganizationID, UserIDs: []uuid.UUID{n.ActorID}})
	if err != nil {
		return w, err
	}
	for _, name := range names {
		w.ActorName = name.Name
	}
	if n.OccurrenceID != nil {
		o, err := q.LockOccurrence(ctx, db.LockOccurrenceParams{OrganizationID: n.OrganizationID, ID: *n.OccurrenceID})
		if err != nil {
			return w, err
		}
		w.Occurrence = &o
	}
	return w, nil
}

// TellThese tells some of those who attend: in the inbox, and by a mail with the calendar's file. Whoever did it is not told of it.
func (c *Convener) TellThese(ctx context.Context, q *db.Queries, w Word, attendees []db.ListAttendeesAfterRow) error {
	row, err := q.GetMeeting(ctx, db.GetMeetingParams{OrganizationID: w.Meeting.OrganizationID, ID: w.Meeting.ID})
	if err != nil {
		return err
	}
	about, err := subject(ctx, q, w)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // it never takes place, so there is nothing to tell of
	}
	if err != nil {
		return err
	}
	agenda, err := q.ListAgenda(ctx, db.ListAgendaParams{OrganizationID: w.Meeting.OrganizationID, MeetingID: w.Meeting.ID})
	if err != nil {
		return err
	}
	titles := make([]string, len(agenda))
	for i, item := range agenda {
		titles[i] = item.Title
	}
	event, err := c.eventFor(w, meeting.Party{Name: row.OrganizerName, Email: row.OrganizerEmail}, titles, about)
	if err != nil {
		return err
	}
	method := meeting.Request
	if w.Kind == Cancelled {
		method = meeting.Cancel
	}
	kind := map[string]notify.Kind{Invited: notify.MeetingInvited, Changed: notify.MeetingChanged, Cancelled: notify.MeetingCancelled}[w.Kind]
	path := pathOf(w.Meeting.ID)
	if w.Occurrence != nil {
		path = occurrencePath(w.Occurrence.ID)
	}
	var all []notify.Notification
	for _, a := range attendees {
		if a.UserID == w.Actor {
			continue
		}
		all = append(all, notify.Notification{User: a.UserID, Kind: kind, SubjectKind: "occurrence", Subject: about.ID, Title: w.Meeting.Title, Actor: &w.Actor, ActorName: w.ActorName, Path: path})
		event.Attendee = meeting.Party{Name: a.Name, Email: a.Email}
		content := mail.Meeting{Method: method, Changed: w.Kind == Changed, Title: w.Meeting.Title, Organizer: row.OrganizerName, StartsAt: about.StartsAt, EndsAt: about.EndsAt, Zone: w.Meeting.TimeZone,
			Calendar: meeting.Calendar(method, "", about.StartsAt, []meeting.Event{event}), Path: path}
		if w.Meeting.Place != nil {
			content.Place = *w.Meeting.Place
		}
		if _, err := mail.Enqueue(ctx, q, w.Meeting.OrganizationID, a.UserID, content, false); err != nil {
			return err
		}
	}
	return notify.Create(ctx, q, w.Meeting.OrganizationID, all...)
}

// subject is the occurrence that word is about: the one it names, else the next, else the last there was.
func subject(ctx context.Context, q *db.Queries, w Word) (db.MeetingOccurrence, error) {
	if w.Occurrence != nil {
		return *w.Occurrence, nil
	}
	since := w.Meeting.ChangedAt
	o, err := q.GetNextOccurrence(ctx, db.GetNextOccurrenceParams{OrganizationID: w.Meeting.OrganizationID, MeetingID: w.Meeting.ID, FromAt: since})
	if errors.Is(err, pgx.ErrNoRows) {
		return q.GetAnyOccurrence(ctx, db.GetAnyOccurrenceParams{OrganizationID: w.Meeting.OrganizationID, MeetingID: w.Meeting.ID})
	}
	return o, err
}

func pathOf(meeting uuid.UUID) string            { return "/meetings/" + meeting.String() }
func occurrencePath(occurrence uuid.UUID) string { return "/occurrences/" + occurrence.String() }

// eventFor is what a calendar program is told of word.
func (c *Convener) eventFor(w Word, organizer meeting.Party, agenda []string, about db.MeetingOccurrence) (meeting.Event, error) {
	e, err := c.event(w.Meeting, organizer, agenda)
	if err != nil {
		return e, err
	}
	e.Cancelled = w.Kind == Cancelled
	switch {
	case !e.Series.Repeats():
		e = once(e, about)
	case w.Occurrence != nil:
		x := exception(w.Meeting, about)
		e.Only = &x
	}
	return e, nil
}

// event is a meeting as its series has it.
func (c *Convener) event(m db.Meeting, organizer meeting.Party, agenda []string) (meeting.Event, error) {
	s, err := SeriesOf(m)
	if err != nil {
		return meeting.Event{}, err
	}
	e := meeting.Event{UID: m.ID.String() + "@kakeai", Sequence: m.Revision, Stamp: m.ChangedAt, Title: m.Title, Organizer: organizer, Series: s, Duration: Duration(m), Cancelled: m.CancelledAt != nil}
	if m.Place != nil {
		e.Place = *m.Place
	}
	var text strings.Builder
	if m.Description != nil {
		text.WriteString(*m.Description)
	}
	for i, title := range agenda {
		if i == 0 && text.Len() > 0 {
			text.WriteString("\n")
		}
		text.WriteString("\n• " + title)
	}
	if c.publicURL != "" {
		e.URL = c.publicURL + pathOf(m.ID)
		text.WriteString("\n\n" + e.URL)
	}
	e.Description = strings.TrimSpace(text.String())
	return e, nil
}

// once is a meeting at the time of one of its occurrences. Whichever of the two was changed, its sequence rises.
func once(e meeting.Event, o db.MeetingOccurrence) meeting.Event {
	e.Series = meeting.Series{Start: meeting.Wall(o.StartsAt, e.Series.Zone), Zone: e.Series.Zone}
	e.Duration = o.EndsAt.Sub(o.StartsAt)
	e.Sequence += o.Revision - 1
	if o.ChangedAt.After(e.Stamp) {
		e.Stamp = o.ChangedAt
	}
	e.Cancelled = e.Cancelled || o.CancelledAt != nil
	return e
}

func exception(m db.Meeting, o db.MeetingOccurrence) meeting.Exception {
	return meeting.Exception{RecurrenceAt: o.RecurrenceAt, StartsAt: o.StartsAt, EndsAt: o.EndsAt, Cancelled: o.CancelledAt != nil, Sequence: m.Revision + o.Revision - 1}
}

// Events is a meeting as a calendar shows it, with what its occurrences have of their own. Those that its rule does not have, because it had another one when they
// took place, stand by themselves; of a meeting that was called off, only those that took place before are left.
func (c *Convener) Events(m db.Meeting, organizer meeting.Party, agenda []string, occurrences []db.MeetingOccurrence) ([]meeting.Event, error) {
	e, err := c.event(m, organizer, agenda)
	if err != nil || len(occurrences) == 0 {
		return nil, err
	}
	var alone []meeting.Event
	inRule := map[time.Time]bool{}
	if e.Series.Repeats() && m.CancelledAt == nil {
		first, last := occurrences[0].RecurrenceAt, occurrences[0].RecurrenceAt
		for _, o := range occurrences {
			if o.RecurrenceAt.Before(first) {
				first = o.RecurrenceAt
			}
			if o.RecurrenceAt.After(last) {
				last = o.RecurrenceAt
			}
		}
		for _, at := range e.Series.Between(first, last.Add(time.Second)) {
			inRule[at.UTC()] = true
		}
	}
	for _, o := range occurrences {
		switch {
		case inRule[o.RecurrenceAt.UTC()]:
			if x := exception(m, o); x.Cancelled || !x.StartsAt.Equal(x.RecurrenceAt) || !x.EndsAt.Equal(x.StartsAt.Add(e.Duration)) {
				e.Exceptions = append(e.Exceptions, x)
			}
		case o.CancelledAt == nil && (m.CancelledAt == nil || o.StartsAt.Before(*m.CancelledAt)):
			one := once(e, o)
			one.UID, one.Cancelled, one.Exceptions = o.ID.String()+"@kakeai", false, nil
			if !e.Series.Repeats() {
				one.UID = e.UID
			}
			alone = append(alone, one)
		}
	}
	if e.Series.Repeats() && m.CancelledAt == nil {
		return append([]meeting.Event{e}, alone...), nil
	}
	return alone, nil
}
