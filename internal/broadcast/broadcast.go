// Package broadcast carries words to many to each of those they are meant for.
//
// Pressing "send" is a change of state and an event in the outbox. The event is carried out here, a chunk of the audience in each transaction, and each chunk
// ends with the event for the next, so nothing is lost and nothing done twice wherever the program ends.
package broadcast

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/outbox"
)

// The kinds of the outbox's events that Fold carries out. Their target is a broadcast's dispatch_id: those of one sending come one after another, and one that waits for its
// time holds up no other. They do not end in ".send", as the kinds do for which somebody outside has to answer: mail that is waiting is not to hold up the inbox.
const (
	SendKind   = "broadcast.deliver"
	ResendKind = "broadcast.redeliver"
)

// The kinds of audience.
const (
	Organization = "organization"
	Teams        = "teams"
	People       = "people"
)

// The states of a broadcast.
const (
	Draft     = "draft"
	Scheduled = "scheduled"
	Sending   = "sending"
	Sent      = "sent"
	Cancelled = "cancelled"
)

// The states of a delivery. Mail's sender reports the last three.
const (
	Waiting   = "waiting"
	Delivered = "delivered"
	Failed    = "failed"
	Uncertain = "uncertain"
)

// Chunk is how many members one transaction reaches: few enough that it takes a fraction of what a transaction may, and that others get their turn in between.
const Chunk = 500

// MayAddress reports whether a member may write to an audience: those who administer to any, leads to teams that they lead.
func MayAddress(role auth.Role, lead []uuid.UUID, audience string, teams []uuid.UUID) bool {
	if role.AtLeast(auth.Admin) {
		return true
	}
	return role.AtLeast(auth.Member) && audience == Teams && len(teams) > 0 &&
		!slices.ContainsFunc(teams, func(team uuid.UUID) bool { return !slices.Contains(lead, team) })
}

// Fold is an outbox.Fold: it takes one chunk of a broadcast further, and leaves alone what is not its own.
func Fold(ctx context.Context, q *db.Queries, e outbox.Event) error {
	if e.Kind != SendKind && e.Kind != ResendKind {
		return nil
	}
	row, err := q.LockBroadcastOfDispatch(ctx, db.LockBroadcastOfDispatchParams{OrganizationID: e.Organization, DispatchID: e.Target})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // rescheduled, cancelled or done
	}
	if err != nil {
		return err
	}
	b := row.Broadcast
	switch {
	case e.Kind == ResendKind && b.State == Sent:
		return resend(ctx, q, b)
	case e.Kind == SendKind && b.State == Scheduled:
		may, err := stillMay(ctx, q, b)
		switch {
		case err != nil:
			return err
		case !may:
			return refuse(ctx, q, b)
		}
		return send(ctx, q, b, row.Author)
	case e.Kind == SendKind && b.State == Sending:
		return send(ctx, q, b, row.Author)
	}
	return nil
}

// stillMay reports whether whoever decided last that a scheduled broadcast is to be sent may still write to its audience, now that it is.
func stillMay(ctx context.Context, q *db.Queries, b db.Broadcast) (bool, error) {
	by, err := q.GetActorOfJob(ctx, db.GetActorOfJobParams{OrganizationID: b.OrganizationID, UserID: b.ChangedBy})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil && MayAddress(by.Role, by.LeadTeamIDs, b.Audience, b.TeamIDs), err
}

// send reaches the next chunk of the audience as it is now.
func send(ctx context.Context, q *db.Queries, b db.Broadcast, author string) error {
	next, err := q.ListBroadcastAudienceAfter(ctx, db.ListBroadcastAudienceAfterParams{OrganizationID: b.OrganizationID, Audience: b.Audience,
		TeamIDs: b.TeamIDs, UserIDs: b.UserIDs, AfterID: b.ReachedUserID, PageSize: Chunk})
	if err != nil {
		return err
	}
	if err := deliver(ctx, q, b, author, next); err != nil {
		return err
	}
	reached, done := b.ReachedUserID, len(next) < Chunk
	if len(next) > 0 {
		reached = next[len(next)-1].UserID
	}
	if err := q.AdvanceBroadcast(ctx, db.AdvanceBroadcastParams{OrganizationID: b.OrganizationID, ID: b.ID, ReachedUserID: reached, Done: done}); err != nil {
		return err
	}
	if done {
		return record(ctx, q, b, "broadcast.sent", b.Revision, json.RawMessage(`{}`))
	}
	return outbox.Enqueue(ctx, q, b.OrganizationID, SendKind, *b.DispatchID, nil)
}

// deliver writes what members get: the delivery, the mail if they want one, and what stands in their inbox.
func deliver(ctx context.Context, q *db.Queries, b db.Broadcast, author string, to []db.ListBroadcastAudienceAfterRow) error {
	if len(to) == 0 {
		return nil
	}
	detail, err := content(b)
	if err != nil {
		return err
	}
	p := db.DeliverBroadcastParams{OrganizationID: b.OrganizationID, BroadcastID: b.ID, Detail: detail}
	for _, member := range to {
		mailID := uuid.Nil
		if b.ByMail && member.WantsMail {
			mailID = db.NewID()
		}
		p.UserIDs, p.MailIDs, p.EventIDs = append(p.UserIDs, member.UserID), append(p.MailIDs, mailID), append(p.EventIDs, db.NewID())
	}
	reached, err := q.DeliverBroadcast(ctx, p)
	if err != nil {
		return err
	}
	notifications := make([]notify.Notification, 0, len(reached))
	for _, user := range reached {
		notifications = append(notifications, notify.Notification{User: user, Kind: notify.BroadcastReceived, SubjectKind: "broadcast", Subject: b.ID, Title: b.Title,
			Actor: &b.CreatedBy, ActorName: author, Excerpt: excerpt(b.Body), Path: "/broadcasts/" + b.ID.String()})
	}
	return notify.Create(ctx, q, b.OrganizationID, notifications...)
}

// resend sends again to the next of those it had failed for when somebody asked for that.
func resend(ctx context.Context, q *db.Queries, b db.Broadcast) error {
	failed, err := q.ListFailedDeliveries(ctx, db.ListFailedDeliveriesParams{OrganizationID: b.OrganizationID, BroadcastID: b.ID, FailedBefore: *b.ResendBefore})
	if err != nil {
		return err
	}
	if _, err := Redeliver(ctx, q, b, Failed, failed); err != nil {
		return err
	}
	if len(failed) < Chunk {
		return q.EndBroadcastDispatch(ctx, db.EndBroadcastDispatchParams{OrganizationID: b.OrganizationID, ID: b.ID})
	}
	return outbox.Enqueue(ctx, q, b.OrganizationID, ResendKind, *b.DispatchID, nil)
}

// Redeliver sends a broadcast, whose ResendBefore is set, once more to those of at most Chunk members whose delivery was in a state then and still is, and returns them.
func Redeliver(ctx context.Context, q *db.Queries, b db.Broadcast, state string, to []uuid.UUID) ([]uuid.UUID, error) {
	if len(to) == 0 {
		return nil, nil
	}
	detail, err := content(b)
	if err != nil {
		return nil, err
	}
	p := db.RedeliverBroadcastParams{OrganizationID: b.OrganizationID, BroadcastID: b.ID, UserIDs: to, State: state, FailedBefore: *b.ResendBefore, Detail: detail}
	for range to {
		p.MailIDs, p.EventIDs = append(p.MailIDs, db.NewID()), append(p.EventIDs, db.NewID())
	}
	return q.RedeliverBroadcast(ctx, p)
}

func content(b db.Broadcast) (json.RawMessage, error) {
	return json.Marshal(mail.Broadcast{ID: b.ID})
}

// refuse ends a broadcast whose time came too late for whoever had scheduled it.
func refuse(ctx context.Context, q *db.Queries, b db.Broadcast) error {
	revision, err := q.RefuseBroadcast(ctx, db.RefuseBroadcastParams{OrganizationID: b.OrganizationID, ID: b.ID})
	if err != nil {
		return err
	}
	return record(ctx, q, b, "broadcast.cancelled", revision, json.RawMessage(`{"reason": "not-allowed-any-more"}`))
}

// record audits what the program did by itself.
func record(ctx context.Context, q *db.Queries, b db.Broadcast, action string, revision int64, detail json.RawMessage) error {
	return q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: b.OrganizationID, EventID: db.NewID(), Action: action, TargetKind: "broadcast", TargetID: b.ID,
		TargetRevision: &revision, Detail: detail})
}

// excerpt is the beginning of a text, for a list.
func excerpt(body string) string {
	const longest = 200
	if text := []rune(body); len(text) > longest {
		return string(text[:longest-1]) + "…"
	}
	return body
}
