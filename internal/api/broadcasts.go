package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/broadcast"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
)

// broadcastView shows a broadcast to those who may send it; to whom it has reached, it does not say whom else it is for.
func broadcastView(b db.Broadcast, names map[uuid.UUID]string, withAudience bool) Broadcast {
	view := Broadcast{ID: b.ID, Title: b.Title, Body: b.Body, ByMail: b.ByMail, State: BroadcastState(b.State), ScheduledAt: b.ScheduledAt, SentAt: b.SentAt,
		Revision: b.Revision, CreatedAt: b.CreatedAt, CreatedBy: person(b.CreatedBy, names), ChangedAt: b.ChangedAt, ChangedBy: person(b.ChangedBy, names)}
	if withAudience {
		view.Audience = &BroadcastAudience{Kind: BroadcastAudienceKind(b.Audience)}
		if len(b.TeamIDs) > 0 {
			view.Audience.TeamIds = &b.TeamIDs
		}
		if len(b.UserIDs) > 0 {
			view.Audience.MemberIds = &b.UserIDs
		}
	}
	return view
}

// mayAddress reports whether the actor may send to an audience, and so sees what is meant for it.
func (a actor) mayAddress(audience string, teams []uuid.UUID) bool {
	return broadcast.MayAddress(a.Role, a.LeadTeamIDs, audience, teams)
}

// broadcasts reports whether there is any audience that the actor may send to.
func (a actor) broadcasts() bool { return a.administers() || a.writes() && len(a.LeadTeamIDs) > 0 }

// sendableBroadcast reads a broadcast for whoever may send it. To others it is not there, unless it has reached them: then it is not theirs to change.
func sendableBroadcast(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.Broadcast, error) {
	row, err := q.GetBroadcast(ctx, db.GetBroadcastParams{OrganizationID: a.OrganizationID, ID: id, ActorID: a.UserID})
	switch {
	case err != nil:
		return db.Broadcast{}, err
	case a.mayAddress(row.Broadcast.Audience, row.Broadcast.TeamIDs):
		return row.Broadcast, nil
	case row.Received:
		return db.Broadcast{}, errNotAllowed
	}
	return db.Broadcast{}, errNotFound
}

// viewBroadcast reads the names that go with a broadcast of the actor's to send.
func viewBroadcast(ctx context.Context, q *db.Queries, a actor, b db.Broadcast) (Broadcast, error) {
	names, err := namesOf(ctx, q, a, b.CreatedBy, b.ChangedBy)
	return broadcastView(b, names, true), err
}

// ListBroadcasts lists the broadcasts that the actor may send.
func (s *Server) ListBroadcasts(ctx context.Context, request ListBroadcastsRequestObject) (ListBroadcastsResponseObject, error) {
	filters := url.Values{}
	if state := request.Params.State; state != nil {
		filters.Set("state", string(*state))
	}
	l, err := s.newList(exchangeOf(ctx), "/broadcasts", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	before := uuid.Max
	if !l.begins {
		before = l.from.id
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListBroadcastsResponseObject, error) {
		if !a.broadcasts() {
			return nil, errNotAllowed
		}
		rows, err := listBroadcasts(ctx, q, a, (*string)(request.Params.State), before, l.pageSize())
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(b db.Broadcast) position { return position{id: b.ID} })
		var people []uuid.UUID
		for _, b := range rows {
			people = append(people, b.CreatedBy, b.ChangedBy)
		}
		names, err := namesOf(ctx, q, a, people...)
		items := converted(rows, func(b db.Broadcast) Broadcast { return broadcastView(b, names, true) })
		return ListBroadcasts200Response{Body: BroadcastPage{Items: items, NextCursor: next}, Headers: ListBroadcasts200ResponseHeaders{Link: link}}, err
	})
}

func listBroadcasts(ctx context.Context, q *db.Queries, a actor, state *string, before uuid.UUID, size int32) ([]db.Broadcast, error) {
	switch {
	case !a.administers():
		return q.ListBroadcastsOfTeamsBefore(ctx, db.ListBroadcastsOfTeamsBeforeParams{OrganizationID: a.OrganizationID, TeamIDs: a.LeadTeamIDs, State: state, BeforeID: before, PageSize: size})
	case state != nil:
		return q.ListBroadcastsInStateBefore(ctx, db.ListBroadcastsInStateBeforeParams{OrganizationID: a.OrganizationID, State: *state, BeforeID: before, PageSize: size})
	}
	return q.ListBroadcastsBefore(ctx, db.ListBroadcastsBeforeParams{OrganizationID: a.OrganizationID, BeforeID: before, PageSize: size})
}

// audience is whom a broadcast is for, as its columns have it.
type audience struct {
	kind  string
	teams []uuid.UUID
	users []uuid.UUID
}

func audienceOf(from BroadcastAudience) audience {
	to := audience{kind: string(from.Kind), teams: []uuid.UUID{}, users: []uuid.UUID{}}
	if from.TeamIds != nil {
		to.teams = *from.TeamIds
	}
	if from.MemberIds != nil {
		to.users = *from.MemberIds
	}
	return to
}

// check refuses an audience that contradicts itself, or that names what is not there.
func (to audience) check(ctx context.Context, q *db.Queries, a actor) error {
	var refused []FieldProblem
	for _, list := range []struct {
		pointer, kind string
		ids           []uuid.UUID
	}{{"/audience/team_ids", broadcast.Teams, to.teams}, {"/audience/member_ids", broadcast.People, to.users}} {
		switch {
		case to.kind == list.kind && len(list.ids) == 0:
			refused = append(refused, FieldProblem{Pointer: list.pointer, Code: "required", Detail: "Say who."})
		case to.kind != list.kind && len(list.ids) > 0:
			refused = append(refused, FieldProblem{Pointer: list.pointer, Code: "not-here", Detail: "It goes with the audience " + list.kind + " alone."})
		}
	}
	if len(refused) > 0 {
		return invalid(refused...)
	}
	teams, err := q.ListOpenTeamIDs(ctx, db.ListOpenTeamIDsParams{OrganizationID: a.OrganizationID, TeamIDs: to.teams})
	if err != nil {
		return err
	}
	for i, id := range to.teams {
		if !slices.Contains(teams, id) {
			refused = append(refused, notThere(fmt.Sprintf("/audience/team_ids/%d", i), "team, or it is archived"))
		}
	}
	names, err := namesOf(ctx, q, a, slices.Clone(to.users)...)
	if err != nil {
		return err
	}
	for i, id := range to.users {
		if _, ok := names[id]; !ok {
			refused = append(refused, notThere(fmt.Sprintf("/audience/member_ids/%d", i), "member"))
		}
	}
	if len(refused) > 0 {
		return invalid(refused...)
	}
	return nil
}

// CreateBroadcast drafts a broadcast.
func (s *Server) CreateBroadcast(ctx context.Context, request CreateBroadcastRequestObject) (CreateBroadcastResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateBroadcastResponseObject, error) {
		to := audienceOf(request.Body.Audience)
		if !a.mayAddress(to.kind, to.teams) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if err := to.check(ctx, q, a); err != nil {
			return nil, err
		}
		byMail := request.Body.ByMail == nil || *request.Body.ByMail
		b, err := q.CreateBroadcast(ctx, db.CreateBroadcastParams{OrganizationID: a.OrganizationID, ID: db.NewID(), Title: request.Body.Title, Body: request.Body.Body,
			Audience: to.kind, TeamIDs: to.teams, UserIDs: to.users, ByMail: byMail, ActorID: a.UserID})
		if err != nil {
			return nil, err
		}
		if err := recordBroadcast(ctx, q, a, "broadcast.created", b, nil); err != nil {
			return nil, err
		}
		view, err := viewBroadcast(ctx, q, a, b)
		return CreateBroadcast201Response{Body: view, Headers: CreateBroadcast201ResponseHeaders{ETag: etag(b.Revision), Location: location("broadcasts", b.ID)}}, err
	})
}

func recordBroadcast(ctx context.Context, q *db.Queries, a actor, action string, b db.Broadcast, detail any) error {
	return record(ctx, q, a, event{action: action, targetKind: "broadcast", target: b.ID, targetRevision: &b.Revision, detail: detail})
}

// GetBroadcast shows one broadcast.
func (s *Server) GetBroadcast(ctx context.Context, request GetBroadcastRequestObject) (GetBroadcastResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetBroadcastResponseObject, error) {
		row, err := q.GetBroadcast(ctx, db.GetBroadcastParams{OrganizationID: a.OrganizationID, ID: request.BroadcastID, ActorID: a.UserID})
		if err != nil {
			return nil, err
		}
		b, mine := row.Broadcast, a.mayAddress(row.Broadcast.Audience, row.Broadcast.TeamIDs)
		if !mine && !row.Received {
			return nil, errNotFound
		}
		names, err := namesOf(ctx, q, a, b.CreatedBy, b.ChangedBy)
		return GetBroadcast200Response{Body: broadcastView(b, names, mine), Headers: GetBroadcast200ResponseHeaders{ETag: etag(b.Revision)}}, err
	})
}

// unsettled says why a change of a broadcast found no row: it has moved on, or is not in a state for it.
func unsettled(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, from precondition, needed string) error {
	b, err := sendableBroadcast(ctx, q, a, id)
	if err != nil {
		return err
	}
	view, err := viewBroadcast(ctx, q, a, b)
	if err != nil {
		return err
	}
	if b.Revision != from.revision {
		return from.stale(view, b.Revision, &view.ChangedBy, b.ChangedAt)
	}
	return wrongState("The broadcast is "+b.State+"; "+needed, view)
}

// What the changes of a broadcast need, in words.
const (
	needsUnsent   = "only a draft, or what is scheduled, can be changed, scheduled and sent."
	needsOpen     = "what has been sent or cancelled cannot be taken back."
	needsSent     = "only what has been sent can be sent again."
	needsSomebody = "there is nobody to send it to again."
)

// UpdateBroadcast changes a broadcast that has not begun to be sent.
func (s *Server) UpdateBroadcast(ctx context.Context, request UpdateBroadcastRequestObject) (UpdateBroadcastResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateBroadcastResponseObject, error) {
		if _, err := sendableBroadcast(ctx, q, a, request.BroadcastID); err != nil {
			return nil, err
		}
		if to := request.Body.Audience; to != nil && !a.mayAddress(string(to.Kind), audienceOf(*to).teams) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		change, err := broadcastChange(ctx, q, a, request, from)
		if err != nil {
			return nil, err
		}
		b, err := q.UpdateBroadcastIfRevision(ctx, change)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, unsettled(ctx, q, a, request.BroadcastID, from, needsUnsent)
		}
		if err != nil {
			return nil, err
		}
		if err := recordBroadcast(ctx, q, a, "broadcast.updated", b, nil); err != nil {
			return nil, err
		}
		view, err := viewBroadcast(ctx, q, a, b)
		return UpdateBroadcast200Response{Body: view, Headers: UpdateBroadcast200ResponseHeaders{ETag: etag(b.Revision)}}, err
	})
}

func broadcastChange(ctx context.Context, q *db.Queries, a actor, request UpdateBroadcastRequestObject, from precondition) (db.UpdateBroadcastIfRevisionParams, error) {
	change := db.UpdateBroadcastIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.BroadcastID, Revision: from.revision, ActorID: a.UserID}
	if title := request.Body.Title; title != nil {
		change.SetTitle, change.Title = true, *title
	}
	if body := request.Body.Body; body != nil {
		change.SetBody, change.Body = true, *body
	}
	if byMail := request.Body.ByMail; byMail != nil {
		change.SetByMail, change.ByMail = true, *byMail
	}
	if request.Body.Audience == nil {
		return change, nil
	}
	to := audienceOf(*request.Body.Audience)
	if err := to.check(ctx, q, a); err != nil {
		return change, err
	}
	change.SetAudience, change.Audience, change.TeamIDs, change.UserIDs = true, to.kind, to.teams, to.users
	return change, nil
}

// PreviewBroadcastAudience shows whom a broadcast would reach now.
func (s *Server) PreviewBroadcastAudience(ctx context.Context, request PreviewBroadcastAudienceRequestObject) (PreviewBroadcastAudienceResponseObject, error) {
	const shown = 20
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (PreviewBroadcastAudienceResponseObject, error) {
		b, err := sendableBroadcast(ctx, q, a, request.BroadcastID)
		if err != nil {
			return nil, err
		}
		count, err := q.CountBroadcastAudience(ctx, db.CountBroadcastAudienceParams{OrganizationID: a.OrganizationID, Audience: b.Audience, TeamIDs: b.TeamIDs, UserIDs: b.UserIDs})
		if err != nil {
			return nil, err
		}
		first, err := q.ListBroadcastAudienceAfter(ctx, db.ListBroadcastAudienceAfterParams{OrganizationID: a.OrganizationID, Audience: b.Audience, TeamIDs: b.TeamIDs, UserIDs: b.UserIDs, PageSize: shown})
		people := converted(first, func(r db.ListBroadcastAudienceAfterRow) Person { return Person{ID: r.UserID, Name: r.Name} })
		return PreviewBroadcastAudience200Response{Body: BroadcastReach{Recipients: int(count), First: people}}, err
	})
}

// latest is how far ahead a broadcast may be scheduled.
const latest = 366 * 24 * time.Hour

// ScheduleBroadcast has a broadcast sent at a time. The event that does it waits in the outbox until then; each scheduling has one of its own, and leaves those before it without anything to find.
func (s *Server) ScheduleBroadcast(ctx context.Context, request ScheduleBroadcastRequestObject) (ScheduleBroadcastResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ScheduleBroadcastResponseObject, error) {
		if _, err := sendableBroadcast(ctx, q, a, request.BroadcastID); err != nil {
			return nil, err
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		at := request.Body.ScheduledAt
		switch {
		case !at.After(a.Now):
			return nil, invalid(FieldProblem{Pointer: "/scheduled_at", Code: "in-the-past", Detail: "Name a time that is still to come, or send it now."})
		case at.After(a.Now.Add(latest)):
			return nil, invalid(FieldProblem{Pointer: "/scheduled_at", Code: "out-of-range", Detail: "Name a time within a year."})
		}
		dispatch := db.NewID()
		b, err := q.ScheduleBroadcastIfRevision(ctx, db.ScheduleBroadcastIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.BroadcastID, Revision: from.revision,
			ScheduledAt: at, DispatchID: dispatch, ActorID: a.UserID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, unsettled(ctx, q, a, request.BroadcastID, from, needsUnsent)
		}
		if err != nil {
			return nil, err
		}
		if err := outbox.Enqueue(ctx, q, a.OrganizationID, broadcast.SendKind, dispatch, &at); err != nil {
			return nil, err
		}
		if err := recordBroadcast(ctx, q, a, "broadcast.scheduled", b, map[string]any{"scheduled_at": at}); err != nil {
			return nil, err
		}
		view, err := viewBroadcast(ctx, q, a, b)
		return ScheduleBroadcast200Response{Body: view, Headers: ScheduleBroadcast200ResponseHeaders{ETag: etag(b.Revision)}}, err
	})
}

// SendBroadcast begins to send a broadcast: a change of state and an event, however many it is for.
func (s *Server) SendBroadcast(ctx context.Context, request SendBroadcastRequestObject) (SendBroadcastResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (SendBroadcastResponseObject, error) {
		if _, err := sendableBroadcast(ctx, q, a, request.BroadcastID); err != nil {
			return nil, err
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		dispatch := db.NewID()
		b, err := q.SendBroadcastIfRevision(ctx, db.SendBroadcastIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.BroadcastID, Revision: from.revision, DispatchID: dispatch, ActorID: a.UserID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, unsettled(ctx, q, a, request.BroadcastID, from, needsUnsent)
		}
		if err != nil {
			return nil, err
		}
		if err := outbox.Enqueue(ctx, q, a.OrganizationID, broadcast.SendKind, dispatch, nil); err != nil {
			return nil, err
		}
		if err := recordBroadcast(ctx, q, a, "broadcast.sending", b, nil); err != nil {
			return nil, err
		}
		view, err := viewBroadcast(ctx, q, a, b)
		if err != nil {
			return nil, err
		}
		background.Defer(ctx, "broadcast-delivery", s.wakeDeliveries)
		return SendBroadcast202Response{Body: view, Headers: SendBroadcast202ResponseHeaders{ETag: etag(b.Revision)}}, nil
	})
}

// wakeDeliveries tells workers that there is something in the outbox. If that is lost, they find it by themselves a little later.
func (s *Server) wakeDeliveries(context.Context) error {
	s.options.Deliveries.Wake()
	return nil
}

// CancelBroadcast ends a broadcast, or the rest of it.
func (s *Server) CancelBroadcast(ctx context.Context, request CancelBroadcastRequestObject) (CancelBroadcastResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CancelBroadcastResponseObject, error) {
		if _, err := sendableBroadcast(ctx, q, a, request.BroadcastID); err != nil {
			return nil, err
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		b, err := q.CancelBroadcastIfRevision(ctx, db.CancelBroadcastIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.BroadcastID, Revision: from.revision, ActorID: a.UserID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, unsettled(ctx, q, a, request.BroadcastID, from, needsOpen)
		}
		if err != nil {
			return nil, err
		}
		if err := recordBroadcast(ctx, q, a, "broadcast.cancelled", b, nil); err != nil {
			return nil, err
		}
		view, err := viewBroadcast(ctx, q, a, b)
		return CancelBroadcast200Response{Body: view, Headers: CancelBroadcast200ResponseHeaders{ETag: etag(b.Revision)}}, err
	})
}

// ResendBroadcast begins to send a broadcast again to those it has failed for. Those who are named although nobody knows whether they have it are dealt with at once.
func (s *Server) ResendBroadcast(ctx context.Context, request ResendBroadcastRequestObject) (ResendBroadcastResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ResendBroadcastResponseObject, error) {
		present, err := sendableBroadcast(ctx, q, a, request.BroadcastID)
		if err != nil {
			return nil, err
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if err := somebodyToResendTo(ctx, q, a, present, request.Body, from); err != nil {
			return nil, err
		}
		dispatch := db.NewID()
		b, err := q.ResendBroadcastIfRevision(ctx, db.ResendBroadcastIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.BroadcastID, Revision: from.revision, DispatchID: dispatch, ActorID: a.UserID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, unsettled(ctx, q, a, request.BroadcastID, from, needsSent)
		}
		if err != nil {
			return nil, err
		}
		named, err := resendUncertain(ctx, q, b, request.Body.UncertainMemberIds)
		if err != nil {
			return nil, err
		}
		how, err := deliveryView(ctx, q, b)
		if err != nil {
			return nil, err
		}
		if err := outbox.Enqueue(ctx, q, a.OrganizationID, broadcast.ResendKind, dispatch, nil); err != nil {
			return nil, err
		}
		if err := recordBroadcast(ctx, q, a, "broadcast.resent", b, map[string]any{"failed": how.Failed, "uncertain": named}); err != nil {
			return nil, err
		}
		background.Defer(ctx, "broadcast-resend", s.wakeDeliveries)
		return ResendBroadcast202Response{Body: how, Headers: ResendBroadcast202ResponseHeaders{ETag: etag(b.Revision)}}, nil
	})
}

// somebodyToResendTo refuses to send again what has failed for nobody, unless the broadcast has moved on, which is then the better answer.
func somebodyToResendTo(ctx context.Context, q *db.Queries, a actor, present db.Broadcast, wanted *BroadcastResend, from precondition) error {
	if present.Revision != from.revision || present.State != broadcast.Sent || wanted.UncertainMemberIds != nil && len(*wanted.UncertainMemberIds) > 0 {
		return nil
	}
	how, err := deliveryView(ctx, q, present)
	if err != nil || how.Failed > 0 {
		return err
	}
	view, err := viewBroadcast(ctx, q, a, present)
	if err != nil {
		return err
	}
	return wrongState("The broadcast is "+present.State+"; "+needsSomebody, view)
}

// resendUncertain sends again to members of whom nobody knows whether they have it. Somebody of whom that is not so, or no longer, is a refusal that names them.
func resendUncertain(ctx context.Context, q *db.Queries, b db.Broadcast, named *[]uuid.UUID) (int, error) {
	if named == nil || len(*named) == 0 {
		return 0, nil
	}
	again, err := broadcast.Redeliver(ctx, q, b, broadcast.Uncertain, *named)
	if err != nil {
		return 0, err
	}
	var refused []FieldProblem
	for i, id := range *named {
		if !slices.Contains(again, id) {
			refused = append(refused, FieldProblem{Pointer: fmt.Sprintf("/uncertain_member_ids/%d", i), Code: "not-uncertain", Detail: "This member is not uncertain."})
		}
	}
	if len(refused) > 0 {
		return 0, invalid(refused...)
	}
	return len(again), nil
}

func deliveryView(ctx context.Context, q *db.Queries, b db.Broadcast) (BroadcastDelivery, error) {
	n, err := q.CountBroadcastDeliveries(ctx, db.CountBroadcastDeliveriesParams{OrganizationID: b.OrganizationID, BroadcastID: b.ID})
	return BroadcastDelivery{State: BroadcastState(b.State), Revision: b.Revision, Waiting: int(n.Waiting), Delivered: int(n.Delivered), Failed: int(n.Failed), Uncertain: int(n.Uncertain)}, err
}

// GetBroadcastDelivery shows how far a broadcast has come.
func (s *Server) GetBroadcastDelivery(ctx context.Context, request GetBroadcastDeliveryRequestObject) (GetBroadcastDeliveryResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetBroadcastDeliveryResponseObject, error) {
		b, err := sendableBroadcast(ctx, q, a, request.BroadcastID)
		if err != nil {
			return nil, err
		}
		how, err := deliveryView(ctx, q, b)
		return GetBroadcastDelivery200Response{Body: how}, err
	})
}

// ListBroadcastDeliveries lists what became of a broadcast for each member.
func (s *Server) ListBroadcastDeliveries(ctx context.Context, request ListBroadcastDeliveriesRequestObject) (ListBroadcastDeliveriesResponseObject, error) {
	filters := url.Values{}
	if state := request.Params.State; state != nil {
		filters.Set("state", string(*state))
	}
	l, err := s.newList(exchangeOf(ctx), "/broadcasts/"+request.BroadcastID.String()+"/deliveries", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListBroadcastDeliveriesResponseObject, error) {
		if _, err := sendableBroadcast(ctx, q, a, request.BroadcastID); err != nil {
			return nil, err
		}
		rows, err := listDeliveries(ctx, q, a, request, l)
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ListBroadcastDeliveriesAfterRow) position { return position{id: r.UserID} })
		items := converted(rows, func(r db.ListBroadcastDeliveriesAfterRow) BroadcastRecipient {
			return BroadcastRecipient{Member: Person{ID: r.UserID, Name: r.Name}, State: BroadcastDeliveryState(r.State), ByMail: r.ByMail, Failure: r.Failure, Round: int(r.Round), ChangedAt: r.ChangedAt}
		})
		return ListBroadcastDeliveries200Response{Body: BroadcastRecipientPage{Items: items, NextCursor: next}, Headers: ListBroadcastDeliveries200ResponseHeaders{Link: link}}, nil
	})
}

func listDeliveries(ctx context.Context, q *db.Queries, a actor, request ListBroadcastDeliveriesRequestObject, l list) ([]db.ListBroadcastDeliveriesAfterRow, error) {
	state := request.Params.State
	if state == nil {
		return q.ListBroadcastDeliveriesAfter(ctx, db.ListBroadcastDeliveriesAfterParams{OrganizationID: a.OrganizationID, BroadcastID: request.BroadcastID, AfterID: l.from.id, PageSize: l.pageSize()})
	}
	rows, err := q.ListBroadcastDeliveriesInStateAfter(ctx, db.ListBroadcastDeliveriesInStateAfterParams{OrganizationID: a.OrganizationID, BroadcastID: request.BroadcastID,
		State: string(*state), AfterID: l.from.id, PageSize: l.pageSize()})
	return converted(rows, func(r db.ListBroadcastDeliveriesInStateAfterRow) db.ListBroadcastDeliveriesAfterRow {
		return db.ListBroadcastDeliveriesAfterRow(r)
	}), err
}
