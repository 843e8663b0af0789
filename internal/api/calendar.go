package api

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/meeting"
)

const (
	feedPast   = 30 * 24 * time.Hour
	feedAhead  = 365 * 24 * time.Hour
	feedEvents = 1000
)

// A calendar's secret is made like a session's and written otherwise, so that neither is taken for the other.
const (
	sessionPrefix = "kks_"
	feedPrefix    = "kkc_"
	feedSuffix    = ".ics"
)

func feedName(t auth.Token) string {
	return feedPrefix + strings.TrimPrefix(t.String(), sessionPrefix) + feedSuffix
}

func parseFeed(name string) (auth.Token, error) {
	secret, ok := strings.CutPrefix(strings.TrimSuffix(name, feedSuffix), feedPrefix)
	if !ok {
		return auth.Token{}, auth.ErrMalformedToken
	}
	return auth.ParseToken(sessionPrefix + secret)
}

// calendarFile is an answer in iCalendar. Its 304 is one too.
type calendarFile struct {
	text string
	etag string // empty where it has none
	same bool   // as it was read last
}

func (f calendarFile) visit(w http.ResponseWriter) error {
	if f.etag != "" {
		w.Header().Set("ETag", f.etag)
	}
	if f.same {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	_, err := w.Write([]byte(f.text))
	return err
}

// VisitGetCalendarFeedResponse implements GetCalendarFeedResponseObject.
func (f calendarFile) VisitGetCalendarFeedResponse(w http.ResponseWriter) error { return f.visit(w) }

// VisitGetMeetingCalendarResponse implements GetMeetingCalendarResponseObject.
func (f calendarFile) VisitGetMeetingCalendarResponse(w http.ResponseWriter) error { return f.visit(w) }

// OpenCalendarFeed makes a secret address for the actor's calendar; the one before ends.
func (s *Server) OpenCalendarFeed(ctx context.Context, _ OpenCalendarFeedRequestObject) (OpenCalendarFeedResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (OpenCalendarFeedResponseObject, error) {
		token := auth.NewToken(a.OrganizationID)
		if err := q.PutCalendarFeed(ctx, db.PutCalendarFeedParams{OrganizationID: a.OrganizationID, UserID: a.UserID, TokenHash: token.Hash()}); err != nil {
			return nil, err
		}
		feed := CalendarFeed{Path: basePath + "/calendar/" + feedName(token)}
		if s.options.PublicURL != "" {
			address := strings.TrimSuffix(s.options.PublicURL, "/") + feed.Path
			feed.URL = &address
		}
		err := record(ctx, q, a, event{action: "calendar_feed.opened", targetKind: "member", target: a.UserID})
		return OpenCalendarFeed201Response{Body: feed}, err
	})
}

// CloseCalendarFeed ends the secret address of the actor's calendar.
func (s *Server) CloseCalendarFeed(ctx context.Context, _ CloseCalendarFeedRequestObject) (CloseCalendarFeedResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CloseCalendarFeedResponseObject, error) {
		_, err := q.DeleteCalendarFeed(ctx, db.DeleteCalendarFeedParams{OrganizationID: a.OrganizationID, UserID: a.UserID})
		if errors.Is(err, pgx.ErrNoRows) {
			return CloseCalendarFeed204Response{}, nil
		}
		if err != nil {
			return nil, err
		}
		return CloseCalendarFeed204Response{}, record(ctx, q, a, event{action: "calendar_feed.closed", targetKind: "member", target: a.UserID})
	})
}

// GetCalendarFeed shows a calendar to whoever has its secret address. Those who try addresses are slowed down like those who try passwords.
func (s *Server) GetCalendarFeed(ctx context.Context, request GetCalendarFeedRequestObject) (GetCalendarFeedResponseObject, error) {
	x := exchangeOf(ctx)
	token, err := parseFeed(request.Feed)
	if err != nil {
		return nil, errNotFound
	}
	if wait := max(s.limits.feed.take([32]byte(token.Hash())), s.limits.address.left(x.address)); wait > 0 {
		return nil, tooMany(wait)
	}
	var text string
	err = s.store.Read(ctx, db.Scope{Organization: token.Organization, Class: db.Normal}, func(ctx context.Context, q *db.Queries) error {
		feed, err := q.GetCalendarFeed(ctx, db.GetCalendarFeedParams{OrganizationID: token.Organization, TokenHash: token.Hash()})
		if err != nil {
			return err
		}
		text, err = s.calendarOf(ctx, q, token.Organization, feed)
		return err
	})
	if errors.Is(err, db.ErrNotFound) || errors.Is(err, pgx.ErrNoRows) {
		s.limits.address.take(x.address)
		return nil, errNotFound
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(text))
	file := calendarFile{text: text, etag: `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`}
	file.same = request.Params.IfNoneMatch != nil && matches(*request.Params.IfNoneMatch, file.etag)
	return file, nil
}

// matches reports whether an If-None-Match names a tag, by the weak comparison that RFC 9110 has for it.
func matches(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}

func (s *Server) calendarOf(ctx context.Context, q *db.Queries, organization uuid.UUID, feed db.GetCalendarFeedRow) (string, error) {
	from, before := feed.Now.Add(-feedPast), feed.Now.Add(feedAhead)
	rows, err := q.ListMeetingsForCalendar(ctx, db.ListMeetingsForCalendarParams{OrganizationID: organization, UserID: feed.UserID, FromAt: from, BeforeAt: before, PageSize: feedEvents})
	if err != nil {
		return "", err
	}
	events, err := s.eventsOf(ctx, q, organization, rows, from, before)
	return meeting.Calendar(meeting.Publish, feed.OrganizationName, startOfYear(feed.Now), events), err
}

// startOfYear keeps a calendar's text the same from one reading to the next: how far its time zones are described depends on it.
func startOfYear(now time.Time) time.Time {
	return time.Date(now.UTC().Year(), time.January, 1, 0, 0, 0, 0, time.UTC)
}

func (s *Server) eventsOf(ctx context.Context, q *db.Queries, organization uuid.UUID, rows []db.ListMeetingsForCalendarRow, from, before time.Time) ([]meeting.Event, error) {
	ids := converted(rows, func(r db.ListMeetingsForCalendarRow) uuid.UUID { return r.Meeting.ID })
	occurrences, err := q.ListOccurrencesForCalendar(ctx, db.ListOccurrencesForCalendarParams{OrganizationID: organization, MeetingIDs: ids, FromAt: from, BeforeAt: before})
	if err != nil {
		return nil, err
	}
	agendas, err := q.ListAgendasForCalendar(ctx, db.ListAgendasForCalendarParams{OrganizationID: organization, MeetingIDs: ids})
	if err != nil {
		return nil, err
	}
	byMeeting, titles := map[uuid.UUID][]db.MeetingOccurrence{}, map[uuid.UUID][]string{}
	for _, o := range occurrences {
		byMeeting[o.MeetingID] = append(byMeeting[o.MeetingID], o)
	}
	for _, i := range agendas {
		titles[i.MeetingID] = append(titles[i.MeetingID], i.Title)
	}
	var events []meeting.Event
	for _, r := range rows {
		some, err := s.convener.Events(r.Meeting, meeting.Party{Name: r.OrganizerName, Email: r.OrganizerEmail}, titles[r.Meeting.ID], byMeeting[r.Meeting.ID])
		if err != nil {
			return nil, err
		}
		events = append(events, some...)
	}
	return slices.Clip(events[:min(len(events), feedEvents)]), nil
}

// GetMeetingCalendar shows one meeting as a file.
func (s *Server) GetMeetingCalendar(ctx context.Context, request GetMeetingCalendarRequestObject) (GetMeetingCalendarResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetMeetingCalendarResponseObject, error) {
		if _, err := visibleMeeting(ctx, q, a, request.MeetingID); err != nil {
			return nil, err
		}
		row, err := q.GetMeeting(ctx, db.GetMeetingParams{OrganizationID: a.OrganizationID, ID: request.MeetingID})
		if err != nil {
			return nil, err
		}
		events, err := s.eventsOf(ctx, q, a.OrganizationID, []db.ListMeetingsForCalendarRow{db.ListMeetingsForCalendarRow(row)}, a.Now.Add(-meeting.MaxAhead), a.Now.Add(meeting.MaxAhead))
		return calendarFile{text: meeting.Calendar(meeting.Publish, "", startOfYear(a.Now), events)}, err
	})
}
