package api

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/convene"
	"github.com/kakeai/kakeai/internal/db"
)

func attendeeView(user uuid.UUID, name, response string, at *time.Time) Attendee {
	return Attendee{Member: Person{ID: user, Name: name}, Response: AttendeeResponse(response), RespondedAt: at}
}

// ListAttendees lists who attends a meeting that the actor sees.
func (s *Server) ListAttendees(ctx context.Context, request ListAttendeesRequestObject) (ListAttendeesResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/meetings/"+request.MeetingID.String()+"/attendees", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListAttendeesResponseObject, error) {
		if _, err := visibleMeeting(ctx, q, a, request.MeetingID); err != nil {
			return nil, err
		}
		rows, err := q.ListAttendeesAfter(ctx, db.ListAttendeesAfterParams{OrganizationID: a.OrganizationID, MeetingID: request.MeetingID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ListAttendeesAfterRow) position { return position{id: r.UserID} })
		items := converted(rows, func(r db.ListAttendeesAfterRow) Attendee {
			return attendeeView(r.UserID, r.Name, r.Response, r.RespondedAt)
		})
		return ListAttendees200Response{Body: AttendeePage{Items: items, NextCursor: next}, Headers: ListAttendees200ResponseHeaders{Link: link}}, nil
	})
}

// PutAttendee invites a member. Of two who invite the same one at once, both succeed, and the member is told once.
func (s *Server) PutAttendee(ctx context.Context, request PutAttendeeRequestObject) (PutAttendeeResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (PutAttendeeResponseObject, error) {
		m, err := heldMeeting(ctx, q, a, request.MeetingID)
		if err != nil {
			return nil, err
		}
		if !a.mayChange(m) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if m.CancelledAt != nil {
			return nil, wrongState("The meeting was called off.", nil)
		}
		count, err := q.CountAttendees(ctx, db.CountAttendeesParams{OrganizationID: a.OrganizationID, MeetingID: m.ID})
		if err != nil {
			return nil, err
		}
		if count >= maxAttendees {
			return nil, wrongState("A meeting has at most 500 attendees.", nil)
		}
		added, err := q.AddAttendees(ctx, db.AddAttendeesParams{OrganizationID: a.OrganizationID, MeetingID: m.ID, UserIDs: []uuid.UUID{request.MemberID}})
		if err != nil {
			return nil, err
		}
		attendee, err := q.GetAttendee(ctx, db.GetAttendeeParams{OrganizationID: a.OrganizationID, MeetingID: m.ID, UserID: request.MemberID})
		if err != nil {
			return nil, err // there is no such member, or they are suspended
		}
		if len(added) > 0 {
			err := record(ctx, q, a, event{action: "meeting.attendee_put", targetKind: "meeting", target: m.ID, detail: map[string]any{"member_id": request.MemberID}})
			if err != nil {
				return nil, err
			}
			word := convene.Word{Kind: convene.Invited, Meeting: m, Actor: a.UserID, ActorName: a.Name}
			if err := s.convener.TellThese(ctx, q, word, []db.ListAttendeesAfterRow{db.ListAttendeesAfterRow(attendee)}); err != nil {
				return nil, err
			}
		}
		return PutAttendee200Response{Body: attendeeView(attendee.UserID, attendee.Name, attendee.Response, attendee.RespondedAt)}, nil
	})
}

// heldMeeting is a meeting that the actor sees, held until the transaction ends.
func heldMeeting(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.Meeting, error) {
	if _, err := visibleMeeting(ctx, q, a, id); err != nil {
		return db.Meeting{}, err
	}
	return q.LockMeeting(ctx, db.LockMeetingParams{OrganizationID: a.OrganizationID, ID: id})
}

// RemoveAttendee takes a member out of a meeting.
func (s *Server) RemoveAttendee(ctx context.Context, request RemoveAttendeeRequestObject) (RemoveAttendeeResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (RemoveAttendeeResponseObject, error) {
		m, err := heldMeeting(ctx, q, a, request.MeetingID)
		if err != nil {
			return nil, err
		}
		if !a.mayChange(m) && (!a.writes() || request.MemberID != a.UserID) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if request.MemberID == m.OrganizerID {
			return nil, wrongState("Whoever organises a meeting attends it.", nil)
		}
		attendee, err := q.GetAttendee(ctx, db.GetAttendeeParams{OrganizationID: a.OrganizationID, MeetingID: m.ID, UserID: request.MemberID})
		if err != nil {
			return nil, err
		}
		if _, err := q.DeleteAttendee(ctx, db.DeleteAttendeeParams{OrganizationID: a.OrganizationID, MeetingID: m.ID, UserID: request.MemberID}); err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "meeting.attendee_removed", targetKind: "meeting", target: m.ID, detail: map[string]any{"member_id": request.MemberID}})
		if err != nil {
			return nil, err
		}
		if m.CancelledAt == nil {
			word := convene.Word{Kind: convene.Cancelled, Meeting: m, Actor: a.UserID, ActorName: a.Name}
			if err := s.convener.TellThese(ctx, q, word, []db.ListAttendeesAfterRow{db.ListAttendeesAfterRow(attendee)}); err != nil {
				return nil, err
			}
		}
		return RemoveAttendee204Response{}, nil
	})
}

// RespondToMeeting says whether the actor comes.
func (s *Server) RespondToMeeting(ctx context.Context, request RespondToMeetingRequestObject) (RespondToMeetingResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (RespondToMeetingResponseObject, error) {
		row, err := visibleMeeting(ctx, q, a, request.MeetingID)
		if err != nil {
			return nil, err
		}
		if !a.writes() || row.Response == "" {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if row.Meeting.CancelledAt != nil {
			return nil, wrongState("The meeting was called off.", nil)
		}
		said, err := q.RespondToMeeting(ctx, db.RespondToMeetingParams{OrganizationID: a.OrganizationID, MeetingID: request.MeetingID, UserID: a.UserID, Response: string(request.Body.Response)})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, errNotAllowed // taken out meanwhile
		}
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "meeting.responded", targetKind: "meeting", target: request.MeetingID, detail: map[string]any{"response": said.Response}})
		return RespondToMeeting200Response{Body: attendeeView(a.UserID, a.Name, said.Response, said.RespondedAt)}, err
	})
}
