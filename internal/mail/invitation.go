package mail

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
)

const (
	invitationPrefix  = "kki_"
	invitationPurpose = "kakeai invitation v1"
	invitationSize    = 16 + 16 + sha256.Size
)

// Invitation is what is sent to somebody who is to join. There is nothing of it to be kept: all of it is read when it is written out.
type Invitation struct {
	Inviter   string    `json:"-"`
	ExpiresAt time.Time `json:"-"`
	Path      string    `json:"-"` // of the page that accepts
}

func (Invitation) template() string { return "invitation" }

func (i Invitation) write(p *page) {
	p.Subject = p.sayf("%[1]sがあなたを%[2]sのKakeaiに招待しています", "%[1]s invites you to %[2]s on Kakeai", p.somebody(i.Inviter), p.organization)
	p.Heading = p.sayf("%sに参加しませんか", "Join %s", p.organization)
	p.add(section{
		Words: []paragraph{{p.sayf("%[1]sが、目標とその成果をチームで育てる場所に、あなたを招待しました。", "%[1]s invites you to where your team writes its objectives and follows them together.", p.somebody(i.Inviter))}},
		Facts: []fact{{p.say("招待の期限", "Open until"), p.moment(i.ExpiresAt)}},
	})
	p.button(p.say("招待を受ける", "Accept the invitation"), i.Path)
	p.Note = p.say("心当たりがないときは、このメールを無視してください。何も起こりません。リンクはあなただけのものです。転送しないでください。",
		"If you do not expect this, ignore it and nothing happens. The link is yours alone: do not pass it on.")
	p.Links = nil // there are no settings yet
}

// Invitation is the secret in the link of an invitation that is sent for the nth time; empty if there are no links. Whoever sends the mail makes it again from the key, so
// that it is kept nowhere; the database keeps the hash.
func (l Links) Invitation(organization, id uuid.UUID, n int16) string {
	if len(l.key) == 0 {
		return ""
	}
	h := hmac.New(sha256.New, l.key)
	_, _ = h.Write([]byte(invitationPurpose)) // a hash takes everything
	_, _ = h.Write(organization[:])
	_, _ = h.Write(id[:])
	_ = binary.Write(h, binary.BigEndian, n)
	raw := make([]byte, 0, invitationSize)
	raw = append(raw, organization[:]...)
	raw = append(raw, id[:]...)
	return invitationPrefix + base64.RawURLEncoding.EncodeToString(h.Sum(raw))
}

// ReadInvitation is which invitation a token is for, and the hash by which the database knows it; not ok if it cannot be one.
func ReadInvitation(token string) (organization, id uuid.UUID, hash []byte, ok bool) {
	encoded, found := strings.CutPrefix(token, invitationPrefix)
	if !found || strings.ContainsAny(encoded, "\r\n") { // which base64 would pass over
		return uuid.Nil, uuid.Nil, nil, false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil || len(raw) != invitationSize {
		return uuid.Nil, uuid.Nil, nil, false
	}
	sum := sha256.Sum256(raw[32:])
	return uuid.UUID(raw[:16]), uuid.UUID(raw[16:32]), sum[:], true
}

// CheckAddress refuses what no mail can be sent to, or what could be read in more than one way.
func CheckAddress(address string) error { return checkAddress(address) }

// InvitationPath is where the link of an invitation leads. The secret is in the fragment, which browsers send to no server and name to no other page.
func InvitationPath(token string) string { return "/invitation#" + token }

var errNoLink = errors.New("mail: an invitation is nothing without its link, which needs KAKEAI_CURSOR_KEY and KAKEAI_URL")

// loadInvitation is what a mail to somebody who is invited needs, who is no member and has no settings.
func loadInvitation(ctx context.Context, q *db.Queries, e outbox.Event) (due, error) {
	i, err := q.GetInvitationToMail(ctx, db.GetInvitationToMailParams{OrganizationID: e.Organization, ID: e.Target})
	if err != nil {
		return due{}, err
	}
	return due{
		GetMailToSendRow: db.GetMailToSendRow{ID: i.ID, Template: i.Template, Detail: i.Detail, Once: i.Once, State: i.State, ChangedAt: i.ChangedAt, Email: i.Email,
			Locale: i.Locale, TimeZone: i.TimeZone, OrganizationName: i.OrganizationName, Now: i.Now},
		invitation: &i,
	}, nil
}

// invitation is what an invitation's mail says.
func (s *Sender) invitation(e outbox.Event, i db.GetInvitationToMailRow) (Invitation, error) {
	token := s.options.Links.Invitation(e.Organization, i.InvitationID, i.Sendings)
	if token == "" || s.options.Address == "" {
		return Invitation{}, errNoLink
	}
	return Invitation{Inviter: i.Inviter, ExpiresAt: i.ExpiresAt, Path: InvitationPath(token)}, nil
}
