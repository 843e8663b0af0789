package api

import (
	"bytes"
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/notify"
)

func notificationView(n db.ListNotificationsBeforeRow) (Notification, error) {
	var detail notify.Detail
	if err := json.Unmarshal(n.Detail, &detail); err != nil {
		return Notification{}, fmt.Errorf("notification %s: %w", n.ID, err)
	}
	v := Notification{ID: n.ID, LatestID: n.LatestID, Kind: notify.Kind(n.Kind), SubjectKind: NotificationSubjectKind(n.SubjectKind), SubjectID: n.SubjectID, Title: n.Title,
		Path: detail.Path, Occurrences: int(n.Occurrences), Read: n.ReadAt != nil, CreatedAt: n.CreatedAt, ChangedAt: n.ChangedAt}
	if detail.Excerpt != "" {
		v.Excerpt = &detail.Excerpt
	}
	v.Actor = personOrNobody(n.ActorID, n.ActorName)
	return v, nil
}

func personOrNobody(id *uuid.UUID, name *string) *Person {
	if id == nil || name == nil {
		return nil
	}
	return &Person{ID: *id, Name: *name}
}

// ListNotifications lists what the actor should know, newest activity first.
func (s *Server) ListNotifications(ctx context.Context, request ListNotificationsRequestObject) (ListNotificationsResponseObject, error) {
	unread := request.Params.Unread != nil && *request.Params.Unread
	filters := url.Values{}
	if unread {
		filters.Set("unread", "true")
	}
	kinds := []string{}
	if request.Params.Kind != nil {
		kinds = converted(*request.Params.Kind, func(k NotificationKind) string { return string(k) })
		slices.Sort(kinds)
		filters.Set("kind", strings.Join(kinds, ","))
	}
	l, err := s.newList(exchangeOf(ctx), "/notifications", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListNotificationsResponseObject, error) {
		p := db.ListNotificationsBeforeParams{OrganizationID: a.OrganizationID, ActorID: a.UserID, BeforeID: l.back(), Kinds: kinds, SeesAll: a.administers(), TeamIDs: a.TeamIDs,
			LeadTeamIDs: a.LeadTeamIDs, PageSize: l.pageSize()}
		rows, err := listNotifications(ctx, q, p, unread)
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(n db.ListNotificationsBeforeRow) position { return position{id: n.LatestID} })
		items := make([]Notification, 0, len(rows))
		for _, n := range rows {
			v, err := notificationView(n)
			if err != nil {
				return nil, err
			}
			items = append(items, v)
		}
		view, err := q.GetView(ctx)
		return ListNotifications200Response{Body: NotificationPage{Items: items, NextCursor: next, Seen: s.seen(a, view)}, Headers: ListNotifications200ResponseHeaders{Link: link}}, err
	})
}

func listNotifications(ctx context.Context, q *db.Queries, p db.ListNotificationsBeforeParams, unread bool) ([]db.ListNotificationsBeforeRow, error) {
	if !unread {
		return q.ListNotificationsBefore(ctx, p)
	}
	rows, err := q.ListUnreadNotificationsBefore(ctx, db.ListUnreadNotificationsBeforeParams(p))
	return converted(rows, func(n db.ListUnreadNotificationsBeforeRow) db.ListNotificationsBeforeRow {
		return db.ListNotificationsBeforeRow(n)
	}), err
}

// What was in an inbox when a page was answered is what PostgreSQL calls a snapshot: which transactions had committed. An id or a time could not say it, since what commits later may
// have been made earlier. It travels with the time it is from, authenticated like a cursor.
const (
	seenVersion = 1
	seenHead    = 1 + 8          // version and microseconds
	seenSettled = time.Minute    // by then, what had been written before has been committed or given up
	seenRefused = "seen-unknown" // is not what a page of this inbox answered
	seenPointer = "/seen"        // in the body
)

func (s *Server) seen(a actor, view string) Seen {
	token := append(binary.BigEndian.AppendUint64([]byte{seenVersion}, uint64(a.Now.UnixMicro())), view...)
	return base64.RawURLEncoding.EncodeToString(append(token, s.cursors.mac(seenFingerprint(a), token)...))
}

func seenFingerprint(a actor) string {
	return "seen " + a.OrganizationID.String() + " " + a.UserID.String()
}

func (s *Server) readSeen(a actor, token Seen) (view string, at time.Time, err error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	end := len(raw) - cursorMAC
	if err != nil || end < seenHead || raw[0] != seenVersion || !hmac.Equal(raw[end:], s.cursors.mac(seenFingerprint(a), raw[:end])) {
		return "", time.Time{}, invalid(FieldProblem{Pointer: seenPointer, Code: seenRefused, Detail: "This is not what a page of your inbox answered."})
	}
	return string(raw[seenHead:end]), time.UnixMicro(int64(binary.BigEndian.Uint64(raw[1:seenHead]))), nil //nolint:gosec // what seen wrote
}

// MarkNotificationsRead marks what was seen, and nothing that came later. What one has read is nobody else's business, so it is not recorded.
func (s *Server) MarkNotificationsRead(ctx context.Context, request MarkNotificationsReadRequestObject) (MarkNotificationsReadResponseObject, error) {
	items, seen := request.Body.Items, request.Body.Seen
	if (items == nil) == (seen == nil) {
		return nil, invalid(FieldProblem{Pointer: "", Code: "one-of", Detail: "Name either items or seen."})
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (MarkNotificationsReadResponseObject, error) {
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		marked, err := s.markRead(ctx, q, a, items, seen)
		if err != nil {
			return nil, err
		}
		unread, err := unreadOf(ctx, q, a)
		return MarkNotificationsRead200Response{Body: NotificationsMarked{Marked: int(marked), Unread: unread}}, err
	})
}

func (s *Server) markRead(ctx context.Context, q *db.Queries, a actor, items *[]SeenNotification, seen *Seen) (int64, error) {
	if seen != nil {
		view, at, err := s.readSeen(a, *seen)
		if err != nil {
			return 0, err
		}
		return q.MarkNotificationsReadIfSeen(ctx, db.MarkNotificationsReadIfSeenParams{OrganizationID: a.OrganizationID, ActorID: a.UserID, Settled: at.Add(-seenSettled), View: view})
	}
	p := db.MarkNotificationsReadParams{OrganizationID: a.OrganizationID, ActorID: a.UserID}
	for _, n := range *items {
		p.IDs, p.LatestIDs = append(p.IDs, n.ID), append(p.LatestIDs, n.LatestID)
	}
	return q.MarkNotificationsRead(ctx, p)
}

// maxUnread is the most that is counted.
const maxUnread = 99

func unreadOf(ctx context.Context, q *db.Queries, a actor) (UnreadCount, error) {
	n, err := q.CountUnreadNotifications(ctx, db.CountUnreadNotificationsParams{OrganizationID: a.OrganizationID, ActorID: a.UserID, SeesAll: a.administers(), TeamIDs: a.TeamIDs,
		LeadTeamIDs: a.LeadTeamIDs})
	return UnreadCount{Count: min(int(n), maxUnread), More: n > maxUnread}, err
}

// GetNotificationSummary counts what is unread and owed.
func (s *Server) GetNotificationSummary(ctx context.Context, _ GetNotificationSummaryRequestObject) (GetNotificationSummaryResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetNotificationSummaryResponseObject, error) {
		unread, err := unreadOf(ctx, q, a)
		if err != nil {
			return nil, err
		}
		owed, more, err := owedBy(ctx, q, a)
		return GetNotificationSummary200Response{Body: NotificationSummary{Unread: unread, Owed: OwedCount{Count: len(owed), More: more}}}, err
	})
}

// preferencesOf are all kinds, as the actor has chosen or as they are by default.
func preferencesOf(ctx context.Context, q *db.Queries, a actor) (NotificationPreferences, error) {
	rows, err := q.ListNotificationPreferences(ctx, db.ListNotificationPreferencesParams{OrganizationID: a.OrganizationID, ActorID: a.UserID})
	chosen := map[notify.Kind]db.ListNotificationPreferencesRow{}
	for _, r := range rows {
		chosen[notify.Kind(r.Kind)] = r
	}
	all := NotificationPreferences{Items: []NotificationPreferenceShown{}}
	for _, d := range notify.Defaults() {
		shown := NotificationPreferenceShown{Kind: d.Kind, Inbox: d.Inbox, Mail: d.Mail, DefaultInbox: d.Inbox, DefaultMail: d.Mail}
		if c, ok := chosen[d.Kind]; ok {
			shown.Inbox, shown.Mail = c.Inbox, notify.Delivery(c.Mail)
		}
		all.Items = append(all.Items, shown)
	}
	return all, err
}

// GetNotificationPreferences shows how the actor is told of what.
func (s *Server) GetNotificationPreferences(ctx context.Context, _ GetNotificationPreferencesRequestObject) (GetNotificationPreferencesResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetNotificationPreferencesResponseObject, error) {
		all, err := preferencesOf(ctx, q, a)
		return GetNotificationPreferences200Response{Body: all}, err
	})
}

// PutNotificationPreferences chooses how the actor is told of what.
func (s *Server) PutNotificationPreferences(ctx context.Context, request PutNotificationPreferencesRequestObject) (PutNotificationPreferencesResponseObject, error) {
	var refused []FieldProblem
	var p db.PutNotificationPreferencesParams
	first := map[notify.Kind]bool{}
	for i, item := range request.Body.Items {
		if first[item.Kind] {
			refused = append(refused, FieldProblem{Pointer: fmt.Sprintf("/items/%d/kind", i), Code: "twice", Detail: "The kind stands in the list already."})
		}
		if first[item.Kind] = true; item.Mail == notify.InDigest && !item.Inbox {
			refused = append(refused, FieldProblem{Pointer: fmt.Sprintf("/items/%d/mail", i), Code: "digest-needs-inbox", Detail: "A digest is what the inbox has gathered."})
		}
		p.Kinds, p.Inbox, p.Mail = append(p.Kinds, string(item.Kind)), append(p.Inbox, item.Inbox), append(p.Mail, string(item.Mail))
	}
	if len(refused) > 0 {
		return nil, invalid(refused...)
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (PutNotificationPreferencesResponseObject, error) {
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		chosen := p
		chosen.OrganizationID, chosen.ActorID = a.OrganizationID, a.UserID
		if err := q.PutNotificationPreferences(ctx, chosen); err != nil {
			return nil, err
		}
		all, err := preferencesOf(ctx, q, a)
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "member.preferences_put", targetKind: "member", target: a.UserID})
		return PutNotificationPreferences200Response{Body: all}, err
	})
}

// FollowNotifications streams what is new in the actor's inbox. A stream holds no connection: one goroutine of the process looks for all of them.
func (s *Server) FollowNotifications(ctx context.Context, request FollowNotificationsRequestObject) (FollowNotificationsResponseObject, error) {
	var who actor
	var known, missed []notify.News
	unread, err := read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UnreadCount, error) {
		var err error
		who = a
		if known, missed, err = newsSince(ctx, q, a, request.Params.LastEventID); err != nil {
			return UnreadCount{}, err
		}
		return unreadOf(ctx, q, a)
	})
	if err != nil {
		return nil, err
	}
	stay := followAtMost
	if request.Params.Seconds != nil {
		stay = min(stay, time.Duration(*request.Params.Seconds)*time.Second)
	}
	follower, err := s.live.Follow(who.OrganizationID, who.UserID, who.SessionID, known...)
	if errors.Is(err, notify.ErrTooManyFollowers) {
		return nil, tooMany(keepAliveEach)
	}
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, follower.Close) // the request's, which ends in any case
	return FollowNotifications200Response{Body: func(w http.ResponseWriter) error {
		defer follower.Close()
		return s.streamNews(ctx, w, stay, unread, missed, follower.News())
	}}, nil
}

// newsSince reads what whoever begins to follow knows already, or is told at once: missed is what came behind the event where they were, at most 500; the list has the rest.
func newsSince(ctx context.Context, q *db.Queries, a actor, last *uuid.UUID) (known, missed []notify.News, err error) {
	after := notify.LookedBack(a.Now)
	if last != nil && bytes.Compare(last[:], after[:]) < 0 {
		after = *last
	}
	known, err = q.ListNewsAfter(ctx, db.ListNewsAfterParams{OrganizationID: a.OrganizationID, UserIDs: []uuid.UUID{a.UserID}, AfterID: after})
	if last == nil {
		return known, nil, err
	}
	for _, n := range known {
		if bytes.Compare(n.LatestID[:], last[:]) > 0 {
			missed = append(missed, n)
		}
	}
	return known, missed, err
}

func (s *Server) streamNews(ctx context.Context, w http.ResponseWriter, stay time.Duration, unread UnreadCount, missed []notify.News, news <-chan notify.News) error {
	ctx, cancel := context.WithTimeout(ctx, stay)
	defer cancel()
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(stay + keepAliveEach)) // a server without deadlines needs none extended
	if err := writeEvent(w, "summary", unread); err != nil {
		return err
	}
	for _, n := range missed {
		if err := writeNews(w, n); err != nil {
			return err
		}
	}
	quiet := time.NewTicker(keepAliveEach)
	defer quiet.Stop()
	for {
		if err := control.Flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.ending:
			return nil
		case n, ok := <-news:
			if !ok {
				return nil // signed out, or too slow: the stream ends, and asking again says which
			}
			if err := writeNews(w, n); err != nil {
				return err
			}
		case <-quiet.C:
			if _, err := fmt.Fprint(w, ":\n\n"); err != nil {
				return err
			}
		}
	}
}

func writeNews(w http.ResponseWriter, n notify.News) error {
	v, err := notificationView(db.ListNotificationsBeforeRow{ID: n.ID, Kind: n.Kind, SubjectKind: n.SubjectKind, SubjectID: n.SubjectID, Title: n.Title, ActorID: n.ActorID,
		ActorName: n.ActorName, Detail: n.Detail, Occurrences: n.Occurrences, LatestID: n.LatestID, ReadAt: n.ReadAt, CreatedAt: n.CreatedAt, ChangedAt: n.ChangedAt})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "id: %s\n", n.LatestID); err != nil {
		return err
	}
	return writeEvent(w, "notification", v)
}
