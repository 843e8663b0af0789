package demo

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/broadcast"
	"github.com/kakeai/kakeai/internal/db"
)

// layBroadcasts has broadcasts drafted, and those that were sent stand with everybody: in their inbox, for in the demo no mail is waiting to go out.
func (t *teller) layBroadcasts() error {
	for i, words := range t.broadcasts {
		s := sequence{calendar: t.calendar, cycle: presentCycle, gap: pause}
		drafted, err := s.next(words.drafted)
		if err != nil {
			return err
		}
		id := t.newID(broadcastKind, i+1)
		t.lay(drafted, func(ctx context.Context, at time.Time) error { return t.draftBroadcast(ctx, at, id, words) })
		if words.sent == (moment{}) {
			continue
		}
		sent, err := s.next(words.sent)
		if err != nil {
			return err
		}
		t.lay(sent, func(ctx context.Context, at time.Time) error { return t.sendBroadcast(ctx, at, id, words) })
	}
	return nil
}

func (t *teller) draftBroadcast(ctx context.Context, at time.Time, id uuid.UUID, words broadcastStory) error {
	p := db.CreateBroadcastParams{OrganizationID: t.id(), ID: id, Title: words.title, Body: words.body, Audience: broadcast.Organization, TeamIDs: []uuid.UUID{}, UserIDs: []uuid.UUID{}, ActorID: words.by.id()}
	if words.to != 0 {
		p.Audience, p.TeamIDs = broadcast.Teams, []uuid.UUID{t.newID(teamKind, words.to)}
	}
	if _, err := t.q.CreateBroadcast(ctx, p); err != nil {
		return err
	}
	t.past.add("broadcasts", id, at)
	return t.record(ctx, at, event{action: "broadcast.created", kind: "broadcast", target: id, revision: 1, by: words.by.id()})
}

func (t *teller) sendBroadcast(ctx context.Context, at time.Time, id uuid.UUID, words broadcastStory) error {
	b, err := t.q.SendBroadcastIfRevision(ctx, db.SendBroadcastIfRevisionParams{OrganizationID: t.id(), ID: id, Revision: 1, DispatchID: id, ActorID: words.by.id()})
	if err != nil {
		return err
	}
	to, err := t.q.ListBroadcastAudienceAfter(ctx, db.ListBroadcastAudienceAfterParams{OrganizationID: t.id(), Audience: b.Audience, TeamIDs: b.TeamIDs, UserIDs: b.UserIDs, PageSize: broadcast.Chunk})
	if err != nil {
		return err
	}
	p := db.DeliverBroadcastParams{OrganizationID: t.id(), BroadcastID: id, Detail: []byte("{}")}
	for _, member := range to {
		p.UserIDs, p.MailIDs, p.EventIDs = append(p.UserIDs, member.UserID), append(p.MailIDs, uuid.Nil), append(p.EventIDs, uuid.Nil)
	}
	if _, err := t.q.DeliverBroadcast(ctx, p); err != nil {
		return err
	}
	if err := t.q.AdvanceBroadcast(ctx, db.AdvanceBroadcastParams{OrganizationID: t.id(), ID: id, ReachedUserID: to[len(to)-1].UserID, Done: true}); err != nil {
		return err
	}
	t.past.change("broadcasts", id, at)
	t.past.set("broadcasts", "sent_at", id, at)
	t.past.change("broadcast_deliveries", id, at)
	if err := t.record(ctx, at, event{action: "broadcast.sending", kind: "broadcast", target: id, revision: 2, by: words.by.id()}); err != nil {
		return err
	}
	return t.record(ctx, at, event{action: "broadcast.sent", kind: "broadcast", target: id, revision: 2})
}
