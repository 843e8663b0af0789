// Package notify decides who should know of what, and how: in the inbox, by mail at once, or in the next digest.
package notify

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
)

// Kind is why somebody is notified.
type Kind string

// The kinds of notifications.
const (
	Mentioned         Kind = "mentioned"
	Commented         Kind = "commented"
	ReviewRequested   Kind = "review-requested"
	Returned          Kind = "returned"
	Approved          Kind = "approved"
	Revised           Kind = "revised" // an approved objective was taken back to draft
	ObjectiveClosed   Kind = "objective-closed"
	Reopened          Kind = "reopened"
	Assigned          Kind = "assigned" // became the owner of an objective or key result
	TeamJoined        Kind = "team-joined"
	CheckInDue        Kind = "check-in-due"
	Outdated          Kind = "outdated"
	BroadcastReceived Kind = "broadcast"
	MeetingInvited    Kind = "meeting-invited"
	MeetingChanged    Kind = "meeting-changed"
	MeetingCancelled  Kind = "meeting-cancelled"
	MeetingSoon       Kind = "meeting-soon"
	SurveyOpen        Kind = "survey-open"
	FollowUpAssigned  Kind = "follow-up-assigned"
	WebhookDisabled   Kind = "webhook-disabled" // switched off by the program
)

// Delivery is when something is told by mail.
type Delivery string

// The deliveries by mail.
const (
	Immediate Delivery = "immediate"
	InDigest  Delivery = "digest" // with what else has gathered, and only what is still unread then
	NoMail    Delivery = "off"
)

// Preference is how somebody is told of one kind. What is not in the inbox is in no digest either, since a digest is what the inbox has gathered.
type Preference struct {
	Kind  Kind
	Inbox bool
	Mail  Delivery
}

// standard is how members are told of one kind.
type standard struct {
	Preference
	ownMail bool // whoever makes it writes a mail with more in it than a notice has; Create then writes none
}

// standards are how those are told who have not chosen otherwise. What somebody waits for, or what is meant for one person alone, is mailed at once; the rest waits for the
// digest, so that people go on reading what does come at once.
func standards() []standard {
	return []standard{
		{Preference{Mentioned, true, Immediate}, false},
		{Preference{Commented, true, InDigest}, false},
		{Preference{ReviewRequested, true, Immediate}, false},
		{Preference{Returned, true, Immediate}, false},
		{Preference{Approved, true, InDigest}, false},
		{Preference{Revised, true, Immediate}, false},
		{Preference{ObjectiveClosed, true, InDigest}, false},
		{Preference{Reopened, true, InDigest}, false},
		{Preference{Assigned, true, Immediate}, false},
		{Preference{TeamJoined, true, InDigest}, false},
		{Preference{CheckInDue, true, Immediate}, true},
		{Preference{Outdated, true, InDigest}, false},
		{Preference{BroadcastReceived, true, Immediate}, true},
		{Preference{MeetingInvited, true, Immediate}, true},
		{Preference{MeetingChanged, true, Immediate}, true},
		{Preference{MeetingCancelled, true, Immediate}, true},
		{Preference{MeetingSoon, true, NoMail}, false},
		{Preference{SurveyOpen, true, Immediate}, true},
		{Preference{FollowUpAssigned, true, InDigest}, false},
		{Preference{WebhookDisabled, true, Immediate}, false},
	}
}

// Defaults are how members are told who have not chosen otherwise: every kind there is, once.
func Defaults() []Preference {
	var all []Preference
	for _, s := range standards() {
		all = append(all, s.Preference)
	}
	return all
}

func standardOf(k Kind) (standard, bool) {
	all := standards()
	i := slices.IndexFunc(all, func(s standard) bool { return s.Kind == k })
	if i < 0 {
		return standard{}, false
	}
	return all[i], true
}

// Notification is something that one member should know.
type Notification struct {
	User        uuid.UUID
	Kind        Kind
	SubjectKind string // a value of notifications.subject_kind
	Subject     uuid.UUID
	Title       string // of the subject; longer than 300 characters it is cut
	Actor       *uuid.UUID
	ActorName   string
	Excerpt     string // longer than 280 characters it is cut
	Path        string // of the page it is about
}

// Detail is what a notification keeps besides its columns.
type Detail struct {
	Excerpt string `json:"excerpt,omitempty"`
	Path    string `json:"path"`
}

const (
	maxTitle   = 300
	maxExcerpt = 280
)

// Create tells members something, as each wants to be told, in the transaction of what it is about: at most three statements for each thousand of them. Whoever did it is not
// told of it, nor who is suspended or may not see the objective that it is about. A mail about one thing comes at most once in ten minutes for each kind.
func Create(ctx context.Context, q *db.Queries, organization uuid.UUID, all ...Notification) error {
	all = distinct(all)
	for some := range slices.Chunk(all, atOnce) {
		if err := create(ctx, q, organization, some); err != nil {
			return err
		}
	}
	if len(all) > 0 {
		announce(ctx, organization)
	}
	return nil
}

// atOnce bounds what one statement takes.
const atOnce = 1000

type key struct {
	user    uuid.UUID
	kind    Kind
	subject uuid.UUID
}

func (n Notification) key() key { return key{n.User, n.Kind, n.Subject} }

// distinct leaves out what nobody is to be told, and of what is the same takes the last.
func distinct(all []Notification) []Notification {
	last := map[key]int{}
	for i, n := range all {
		last[n.key()] = i
	}
	var kept []Notification
	for i, n := range all {
		if last[n.key()] == i && (n.Actor == nil || *n.Actor != n.User) {
			kept = append(kept, n)
		}
	}
	return kept
}

func create(ctx context.Context, q *db.Queries, organization uuid.UUID, all []Notification) error {
	p := db.CreateNotificationsParams{OrganizationID: organization}
	wanted := map[key]Notification{}
	for _, n := range all {
		standard, known := standardOf(n.Kind)
		if !known {
			return fmt.Errorf("notify: there is no kind %q", n.Kind)
		}
		n.Title, n.Excerpt = cut(n.Title, maxTitle), cut(n.Excerpt, maxExcerpt)
		detail, err := json.Marshal(Detail{Excerpt: n.Excerpt, Path: n.Path})
		if err != nil {
			return err
		}
		var actor uuid.UUID // nil in the query's arrays, which cannot hold a null
		if n.Actor != nil {
			actor = *n.Actor
		}
		wanted[n.key()] = n
		p.IDs = append(p.IDs, db.NewID())
		p.UserIDs = append(p.UserIDs, n.User)
		p.Kinds = append(p.Kinds, string(n.Kind))
		p.SubjectKinds = append(p.SubjectKinds, n.SubjectKind)
		p.SubjectIDs = append(p.SubjectIDs, n.Subject)
		p.Titles = append(p.Titles, n.Title)
		p.ActorIDs = append(p.ActorIDs, actor)
		p.Details = append(p.Details, string(detail))
		p.Inbox = append(p.Inbox, standard.Inbox)
		p.Mail = append(p.Mail, string(standard.Mail))
	}
	told, err := q.CreateNotifications(ctx, p)
	if err != nil {
		return err
	}
	var mails []Notification
	for _, t := range told {
		n := wanted[key{t.UserID, Kind(t.Kind), t.SubjectID}]
		if standard, _ := standardOf(n.Kind); Delivery(t.Mail) == Immediate && !standard.ownMail {
			mails = append(mails, n)
		}
	}
	return mailAtOnce(ctx, q, organization, mails)
}

// mailAtOnce mails each notice, unless its member has had one of the same kind about the same thing just now.
func mailAtOnce(ctx context.Context, q *db.Queries, organization uuid.UUID, all []Notification) error {
	if len(all) == 0 {
		return nil
	}
	p := db.ClaimNoticesParams{OrganizationID: organization}
	wanted := map[key]Notification{}
	for _, n := range all {
		wanted[n.key()] = n
		p.UserIDs = append(p.UserIDs, n.User)
		p.Names = append(p.Names, mailClaim+string(n.Kind))
		p.SubjectIDs = append(p.SubjectIDs, n.Subject)
	}
	claimed, err := q.ClaimNotices(ctx, p)
	if err != nil {
		return err
	}
	var mails []mail.Addressed
	for _, c := range claimed {
		n := wanted[key{c.UserID, Kind(strings.TrimPrefix(c.Name, mailClaim)), c.SubjectID}]
		mails = append(mails, mail.Addressed{User: n.User, Content: mail.Notice{Kind: string(n.Kind), Title: n.Title, Actor: n.ActorName, Excerpt: n.Excerpt, Path: n.Path}})
	}
	return mail.EnqueueMany(ctx, q, organization, false, mails...)
}

// What is claimed in notice_claims, so that it is told once.
const (
	mailClaim     = "mail:"    // and a kind: a mail about the subject
	eventClaim    = "event"    // the subject is an event of the outbox, and the user nobody
	reminderClaim = "check-in" // of the user, about themself
	outdatedClaim = "outdated" // the subject is an objective
)

// MailWanted returns those of members who want the mail that is written for a kind with mails of its own, such as an invitation: who has not chosen otherwise, and has not
// ended all mail. It is for whoever writes such a mail beside the notification.
func MailWanted(ctx context.Context, q *db.Queries, organization uuid.UUID, k Kind, members ...uuid.UUID) ([]uuid.UUID, error) {
	wishes, err := wishesOf(ctx, q, organization, k, members)
	if err != nil {
		return nil, err
	}
	var wanting []uuid.UUID
	for _, m := range members {
		if w := wishes(m); w.Mail == Immediate {
			wanting = append(wanting, m)
		}
	}
	return wanting, nil
}

// wishesOf reads how members want to be told of a kind.
func wishesOf(ctx context.Context, q *db.Queries, organization uuid.UUID, k Kind, members []uuid.UUID) (func(uuid.UUID) Preference, error) {
	standard, known := standardOf(k)
	if !known {
		return nil, fmt.Errorf("notify: there is no kind %q", k)
	}
	otherwise := map[uuid.UUID]Preference{}
	for some := range slices.Chunk(members, atOnce) {
		rows, err := q.ListMailWishes(ctx, db.ListMailWishesParams{OrganizationID: organization, Kind: string(k), UserIDs: some})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			p := standard.Preference
			if r.Inbox != nil && r.Mail != nil {
				p.Inbox, p.Mail = *r.Inbox, Delivery(*r.Mail)
			}
			if r.Unsubscribed {
				p.Mail = NoMail
			}
			otherwise[r.UserID] = p
		}
	}
	return func(member uuid.UUID) Preference {
		if p, ok := otherwise[member]; ok {
			return p
		}
		return standard.Preference
	}, nil
}

// cut shortens a text to a number of characters, of which the last then says that there was more. Line ends and the like become spaces.
func cut(text string, characters int) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
	runes := []rune(text)
	if len(runes) <= characters {
		return text
	}
	return strings.TrimSpace(string(runes[:characters-1])) + "…"
}

func compareIDs(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) }

func compareTimes[T interface{ Compare(T) int }](a, b *T) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1 // what has no date comes last
	case b == nil:
		return -1
	}
	return cmp.Compare((*a).Compare(*b), 0)
}
