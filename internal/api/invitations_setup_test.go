package api_test

import (
	"net/http"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/mail"
)

// invites has a member invite people, a row for each.
func (p *person) invites(rows ...fields) api.InvitationResults {
	p.t.Helper()
	return into[api.InvitationResults](p.send(http.MethodPost, "/invitations", fields{"invitations": rows}).is(http.StatusOK))
}

// invited is an invitation to an address as a member, and the secret of a link that leads to it, as if it had come by mail.
func (b *bundle) invited(by *person, email string) (id uuid.UUID, token string) {
	b.t.Helper()
	made := by.invites(fields{"email": email})
	require.Equal(b.t, 1, made.Invited, "%+v", made)
	id = made.Results[0].InvitationID.MustGet()
	return id, b.link(id)
}

// link gives an invitation a link that this test knows.
func (b *bundle) link(id uuid.UUID) (token string) {
	b.t.Helper()
	links, err := mail.NewLinks([]byte("a key of a test that knows it, 32 bytes"))
	require.NoError(b.t, err)
	organization := value[uuid.UUID](b, "SELECT organization_id FROM invitations WHERE id = $1", id)
	token = links.Invitation(organization, id, 1)
	_, _, hash, ok := mail.ReadInvitation(token)
	require.True(b.t, ok)
	b.exec("UPDATE invitations SET token_hash = $2 WHERE id = $1", id, hash)
	return token
}

func (b *bundle) lookUp(token string) answer {
	b.t.Helper()
	return b.anonymous.send(http.MethodPost, "/invitation/look-up", fields{"token": token})
}

// accepts has somebody new accept an invitation, unless more says otherwise.
func (b *bundle) accepts(token string, more ...fields) answer {
	b.t.Helper()
	body := fields{"token": token, "name": "佐藤 葵", "password": password}
	for _, f := range more {
		for name, v := range f {
			body[name] = v
		}
	}
	return b.anonymous.send(http.MethodPost, "/invitation/accept", body)
}
