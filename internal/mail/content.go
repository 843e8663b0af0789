// Package mail writes and sends mail: what a change asks for is kept beside it in the database, and written out and sent when its turn comes, in the language and time
// zone that the recipient has then.
package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// EventKind is that of the outbox's events that have mails sent; the target is the mail's id.
const EventKind = "mail.send"

// Content is what a mail says, apart from the language and time zone it says it in. It is kept as JSON until the mail is sent.
type Content interface {
	template() string
	write(p *page)
}

// Notice is one notification. Kind is one of internal/notify's; Path is that of the page it is about, such as "/objectives/…".
type Notice struct {
	Kind    string `json:"kind"`
	Title   string `json:"title"` // of what it is about
	Actor   string `json:"actor,omitempty"`
	Excerpt string `json:"excerpt,omitempty"`
	Count   int    `json:"count,omitempty"` // how often it happened; 0 is once
	Path    string `json:"path"`
}

// Owed is one thing that somebody has to do. Kind is as in GET /owed, and may be empty. Due is the last moment that is in time; what is shown is the day that it falls on for the reader.
type Owed struct {
	Kind  string     `json:"kind"`
	Title string     `json:"title"`
	Due   *time.Time `json:"due,omitempty"`
	Path  string     `json:"path"`
}

// Digest is what gathered since the last one: what is owed first, then what happened.
type Digest struct {
	Weekly  bool     `json:"weekly"`
	Owed    []Owed   `json:"owed"`
	Notices []Notice `json:"notices"`
	More    int      `json:"more"` // notices that are not in the list
}

// Broadcast is words to many. Its id is enough: the words, of up to 20,000 characters, would be kept once for each reader, and do not change any more once it is
// sent, so they are read when the mail is written out. Mails of earlier releases have them.
type Broadcast struct {
	Title  string    `json:"title,omitempty"`
	Body   string    `json:"body,omitempty"`
	Author string    `json:"author,omitempty"`
	ID     uuid.UUID `json:"id"`
}

// Meeting is an invitation to a meeting, its change or its end, with the calendar's file.
type Meeting struct {
	Method    string    `json:"method"` // REQUEST or CANCEL, as in RFC 5546
	Changed   bool      `json:"changed"`
	Title     string    `json:"title"`
	Organizer string    `json:"organizer"`
	StartsAt  time.Time `json:"starts_at"`
	EndsAt    time.Time `json:"ends_at"`
	Zone      string    `json:"zone"` // of the meeting
	Place     string    `json:"place,omitempty"`
	Calendar  string    `json:"calendar"` // text/calendar; empty for none
	Path      string    `json:"path"`
}

// Survey asks for answers before a meeting.
type Survey struct {
	Title     string    `json:"title"`
	StartsAt  time.Time `json:"starts_at"`
	Anonymous bool      `json:"anonymous"`
	Reminder  bool      `json:"reminder"`
	Path      string    `json:"path"`
}

// CheckInReminder names the objectives that are waiting for a check-in.
type CheckInReminder struct {
	Objectives []Owed `json:"objectives"`
}

// SignInChange tells somebody that what opens their account has changed, so that they notice if it was not them. It goes out whatever they have unsubscribed from.
type SignInChange struct {
	Change   string    `json:"change"`             // added or removed
	Provider string    `json:"provider"`           // what people call the identity provider
	ShownAs  string    `json:"shown_as,omitempty"` // what it calls whoever signs in with it
	At       time.Time `json:"at"`
	Address  string    `json:"address,omitempty"` // of the network it was asked for from
	Browser  string    `json:"browser,omitempty"` // what it calls itself
}

// The changes that a SignInChange tells of.
const (
	SignInAdded   = "added"
	SignInRemoved = "removed"
)

func (Notice) template() string          { return "notice" }
func (Digest) template() string          { return "digest" }
func (Broadcast) template() string       { return "broadcast" }
func (Meeting) template() string         { return "meeting" }
func (Survey) template() string          { return "survey" }
func (CheckInReminder) template() string { return "check-in-reminder" }
func (SignInChange) template() string    { return "sign-in-change" }

// contractOf is the form of the event that has a mail sent, so that a worker of a release that does not know its template leaves it to others.
func contractOf(c Content) int16 {
	if _, ok := c.(SignInChange); ok {
		return 3
	}
	return 1
}

// contentOf reads what Enqueue kept.
func contentOf(template string, detail json.RawMessage) (Content, error) {
	switch template {
	case Notice{}.template():
		return read[Notice](detail)
	case Digest{}.template():
		return read[Digest](detail)
	case Broadcast{}.template():
		return read[Broadcast](detail)
	case Meeting{}.template():
		return read[Meeting](detail)
	case Survey{}.template():
		return read[Survey](detail)
	case CheckInReminder{}.template():
		return read[CheckInReminder](detail)
	case SignInChange{}.template():
		return read[SignInChange](detail)
	}
	return nil, fmt.Errorf("mail: this release knows no template %q", template)
}

func read[C Content](detail json.RawMessage) (Content, error) {
	var c C
	if err := json.Unmarshal(detail, &c); err != nil {
		return nil, fmt.Errorf("mail: detail of %s: %w", c.template(), err)
	}
	return c, nil
}

// Enqueue has a mail sent to a member, in the transaction of what it tells of, and returns its id. It is sent at least once; once means that it is rather not sent than sent
// twice when nobody can know whether a server took it.
func Enqueue(ctx context.Context, q *db.Queries, organization, user uuid.UUID, content Content, once bool) (uuid.UUID, error) {
	detail, err := json.Marshal(content)
	if err != nil {
		return uuid.Nil, err
	}
	id := db.NewID()
	return id, q.CreateMail(ctx, db.CreateMailParams{OrganizationID: organization, ID: id, EventID: db.NewID(), UserID: user, Template: content.template(), Detail: detail, Once: once,
		Contract: contractOf(content)})
}
