package mail

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
)

// invites makes an invitation that was sent for the nth time, and the event of its mail.
func (b *bundle) invites(n int16) (uuid.UUID, outbox.Event) {
	b.Helper()
	id := db.NewID()
	e := outbox.Event{Organization: b.organization, ID: db.NewID(), Kind: EventKind, Target: db.NewID(), Attempt: 1}
	_, _, hash, ok := ReadInvitation(b.options.Links.Invitation(b.organization, id, 1))
	require.True(b, ok)
	require.NoError(b, b.store.Write(b.Context(), scope(e), func(ctx context.Context, q *db.Queries) error {
		_, err := q.CreateInvitation(ctx, db.CreateInvitationParams{OrganizationID: b.organization, ID: id, Email: "hina@example.com", Role: "member", TeamIDs: []uuid.UUID{}, Days: 7,
			TokenHash: hash, MailID: e.Target, EventID: e.ID, ActorID: b.user})
		return err
	}))
	b.exec("UPDATE invitations SET sendings = $2 WHERE id = $1", id, n)
	return id, e
}

func TestAnInvitationGoesToWhoeverIsInvited(t *testing.T) {
	t.Parallel()
	s := &server{}
	b := setup(t, s)
	b.exec("UPDATE organizations SET locale = 'ja', time_zone = 'Asia/Tokyo'")
	id, e := b.invites(3)
	sender := b.sender()
	b.send(sender, e)
	b.assertState(e, stateSent, "")
	sent := s.got()
	require.Len(t, sent, 1)
	assert.Equal(t, "<hina@example.com>", sent[0].to)
	assert.NotContains(t, sent[0].content, "List-Unsubscribe")
	letter, err := Open([]byte(sent[0].content))
	require.NoError(t, err)
	assert.Equal(t, "佐藤 葵さんがあなたをみなと製作所のKakeaiに招待しています", letter.Subject)
	token := b.options.Links.Invitation(b.organization, id, 3)
	assert.Contains(t, letter.Text, "https://okr.example.com/invitation#"+token)
	assert.Contains(t, letter.HTML, "https://okr.example.com/invitation#"+token)
	assert.NotContains(t, letter.HTML, "/settings/")
	b.send(sender, e)
	assert.Len(t, s.got(), 1, "once it was sent, it is not sent again")
}

func TestAnInvitationThatIsOverIsNotSent(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"revoked":    "UPDATE invitations SET revoked_at = now(), revoked_by = invited_by",
		"accepted":   "UPDATE invitations SET accepted_at = now(), accepted_by = invited_by",
		"expired":    "UPDATE invitations SET expires_at = now()",
		"sent again": "UPDATE invitations SET mail_id = gen_random_uuid()",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &server{}
			b := setup(t, s)
			_, e := b.invites(1)
			b.exec(sql)
			b.send(b.sender(), e)
			b.assertState(e, stateUnwanted, over)
			assert.Empty(t, s.got())
		})
	}
}

// Without its link an invitation is nothing, and whoever administers the organisation sees that it failed.
func TestAnInvitationWithoutALinkIsNotSent(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Options){"no key": func(o *Options) { o.Links = Links{} }, "no address": func(o *Options) { o.Address = "" }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &server{}
			b := setup(t, s)
			_, e := b.invites(1)
			change(&b.options)
			sender := b.sender()
			_, err := sender.Send(t.Context(), e)
			var permanent *outbox.PermanentError
			require.ErrorAs(t, err, &permanent)
			b.giveUp(sender, e, err)
			b.assertState(e, stateFailed, "KAKEAI_CURSOR_KEY")
			assert.Empty(t, s.got())
		})
	}
}

func TestNoTwoInvitationsHaveOneLink(t *testing.T) {
	t.Parallel()
	links := func(key string) Links {
		l, err := NewLinks([]byte(strings.Repeat(key, 32)))
		require.NoError(t, err)
		return l
	}
	a, b := links("a"), links("b")
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Custom(func(t *rapid.T) uuid.UUID { return uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")) })
		organization, invitation, n := id.Draw(t, "organization"), id.Draw(t, "invitation"), rapid.Int16Range(1, 5).Draw(t, "n")
		token := a.Invitation(organization, invitation, n)
		gotOrganization, gotInvitation, hash, ok := ReadInvitation(token)
		require.True(t, ok)
		require.Equal(t, organization, gotOrganization)
		require.Equal(t, invitation, gotInvitation)
		require.Equal(t, token, a.Invitation(organization, invitation, n), "the worker makes the same")
		for _, other := range []string{b.Invitation(organization, invitation, n), a.Invitation(organization, invitation, n+1)} {
			_, _, otherHash, _ := ReadInvitation(other)
			require.NotEqual(t, hash, otherHash)
		}
		_, _, _, ok = ReadInvitation(rapid.String().Draw(t, "nonsense"))
		require.False(t, ok)
	})
	assert.Empty(t, Links{}.Invitation(uuid.New(), uuid.New(), 1))
}
