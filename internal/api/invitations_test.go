package api_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
)

func TestSomebodyNewJoinsByInvitation(t *testing.T) {
	t.Parallel()
	b, links := setupMail(t, api.Options{})
	made := b.admin.invites(fields{"email": " Hina@Example.COM ", "role": "viewer", "team_ids": []uuid.UUID{b.team, b.otherTeam}})
	require.Equal(t, 1, made.Invited)
	assert.Equal(t, "hina@example.com", made.Results[0].Email)
	id := made.Results[0].InvitationID.MustGet()
	token := links.Invitation(b.id, id, 1) // as the worker makes it
	listed := get[api.InvitationPage](b.admin, "/invitations?open=true").Items
	require.Len(t, listed, 1)
	assert.Equal(t, api.InvitationStateOpen, listed[0].State)
	assert.Equal(t, "waiting", string(listed[0].Mail.MustGet()))
	assert.Equal(t, "admin", listed[0].InvitedBy.Name)
	assert.InDelta(t, 7*24, listed[0].ExpiresAt.Sub(listed[0].CreatedAt).Hours(), 0.1)

	seen := into[api.InvitationView](b.lookUp(token).is(http.StatusOK))
	assert.Equal(t, api.InvitationView{Email: "hina@example.com", ExpiresAt: seen.ExpiresAt, HasAccount: false, Inviter: "admin", Locale: api.LocaleJa, Organization: "みなと製作所",
		Role: auth.Viewer, TimeZone: "Asia/Kathmandu"}, seen)
	b.exec("UPDATE teams SET archived_at = now() WHERE id = $1", b.otherTeam)
	joined := into[api.InvitationAccepted](b.accepts(token, fields{"name": "橋本 陽菜", "locale": "en", "time_zone": "Europe/Dublin"}).is(http.StatusCreated))
	assert.Equal(t, api.InvitationAccepted{Email: "hina@example.com", NewAccount: true, Organization: "みなと製作所", OrganizationID: b.id}, joined)

	signedIn := into[api.SignedIn](b.anonymous.send(http.MethodPost, "/session", fields{"email": "HINA@example.com", "password": password}).is(http.StatusCreated))
	hina := &person{bundle: b, id: signedIn.User.ID, name: "hina", token: signedIn.Token}
	session := get[api.Session](hina, "/session")
	assert.Equal(t, auth.Viewer, session.Role)
	assert.Equal(t, []uuid.UUID{b.team}, session.TeamIds, "the other team is archived by now")
	account := get[api.Account](hina, "/account")
	assert.Equal(t, api.Account{Email: "hina@example.com", HasPassword: true, ID: hina.id, Locale: api.LocaleEn, Name: "橋本 陽菜", TimeZone: "Europe/Dublin"}, account)

	assert.Equal(t, "invitation-accepted", b.lookUp(token).is(http.StatusGone).problem().Type)
	assert.Equal(t, "invitation-accepted", b.accepts(token).is(http.StatusGone).problem().Type)
	assert.Equal(t, api.InvitationStateAccepted, get[api.InvitationPage](b.admin, "/invitations").Items[0].State)
	assert.Empty(t, get[api.InvitationPage](b.admin, "/invitations?open=true").Items)
	for action, actor := range map[string]uuid.UUID{"invitation.created": b.admin.id, "invitation.accepted": hina.id, "member.added": hina.id} {
		assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE organization_id = $1 AND action = $2 AND actor_id = $3", b.id, action, actor), action)
	}
}

// Who has an account, because they belong elsewhere, joins with it, and nothing that is sent along changes it.
func TestSomebodyWithAnAccountJoinsWithIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("UPDATE users SET password_hash = $2 WHERE id = $1", b.elsewhere.id, hashOfPassword())
	_, token := b.invited(b.admin, b.elsewhere.email)
	assert.True(t, into[api.InvitationView](b.lookUp(token).is(http.StatusOK)).HasAccount)
	joined := into[api.InvitationAccepted](b.accepts(token, fields{"name": "Mallory", "password": "another password altogether"}).is(http.StatusCreated))
	assert.False(t, joined.NewAccount)
	assert.Equal(t, hashOfPassword(), value[string](b, "SELECT password_hash FROM users WHERE id = $1 AND name = 'stranger'", b.elsewhere.id))
	signedIn := into[api.SignedIn](b.anonymous.send(http.MethodPost, "/session", fields{"email": b.elsewhere.email, "password": password, "organization_id": b.id}).is(http.StatusCreated))
	assert.Equal(t, b.elsewhere.id, signedIn.User.ID)
	assert.Len(t, signedIn.Organizations, 2)
}

func TestEachRowOfInvitationsIsDecidedByItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	open, _ := b.invited(b.admin, "open@example.com")
	overdue, _ := b.invited(b.admin, "overdue@example.com")
	b.exec("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1", overdue)
	b.exec("UPDATE teams SET archived_at = now() WHERE id = $1", b.otherTeam)
	rows := []fields{
		{"email": "new@example.com"}, {"email": "NEW@example.com"}, {"email": b.author.email}, {"email": b.suspended.email}, {"email": "open@example.com"},
		{"email": "overdue@example.com"}, {"email": "boss@example.com", "role": "owner"}, {"email": "no address"}, {"email": "a@b, c@d"}, {"email": "x@y.example\r\nBcc: z@example.com"},
		{"email": "team@example.com", "team_ids": []uuid.UUID{uuid.New()}}, {"email": "archived@example.com", "team_ids": []uuid.UUID{b.otherTeam}}, {"email": b.elsewhere.email},
	}
	made := b.admin.invites(rows...)
	var outcomes []string
	for _, r := range made.Results {
		outcomes = append(outcomes, string(r.Outcome))
	}
	assert.Equal(t, []string{"invited", "repeated", "already-member", "suspended-member", "already-invited", "invited", "role-above-own", "invalid-address", "invalid-address", "invalid-address",
		"unknown-team", "unknown-team", "invited"}, outcomes, "of who belongs elsewhere nothing is told")
	assert.Equal(t, 3, made.Invited)
	assert.Equal(t, open, made.Results[4].InvitationID.MustGet())
	assert.NotEqual(t, overdue, made.Results[5].InvitationID.MustGet())
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM invitations WHERE id = $1 AND revoked_by = $2", overdue, b.admin.id))
	assert.Equal(t, 1, b.owner.invites(fields{"email": "boss@example.com", "role": "owner"}).Invited)
	assert.Equal(t, 6, value[int](b, "SELECT count(*) FROM mails AS m JOIN outbox_events AS e ON e.target_id = m.id AND e.kind = 'mail.send' AND e.contract = 2 WHERE m.template = 'invitation'"))

	many := make([]fields, 200)
	for i := range many {
		many[i] = fields{"email": uuid.NewString() + "@example.com", "team_ids": []uuid.UUID{b.team}}
	}
	assert.Equal(t, 200, b.admin.invites(many...).Invited)
	b.admin.send(http.MethodPost, "/invitations", fields{"invitations": append(many, fields{"email": "one@example.com"})}).refused(http.StatusUnprocessableEntity, "invalid", "/invitations")
}

func TestALinkThatLeadsNowhereSaysNothingElse(t *testing.T) {
	t.Parallel()
	b, links := setupMail(t, api.Options{})
	made := b.admin.invites(fields{"email": "hina@example.com"}).Results[0].InvitationID.MustGet()
	right := links.Invitation(b.id, made, 1)
	for name, token := range map[string]string{
		"of another sending": links.Invitation(b.id, made, 2), "of no invitation": links.Invitation(b.id, uuid.New(), 1), "of another organisation": links.Invitation(b.otherOrganization, made, 1),
		"cut short": right[:len(right)-1], "a session's": b.admin.token, "nonsense": "kki_", "changed": right[:len(right)-2] + "AA", "with a line break": right[:20] + "\n" + right[20:],
	} {
		assert.Equal(t, http.StatusNotFound, b.lookUp(token).status, name)
		assert.Equal(t, http.StatusNotFound, b.accepts(token).status, name)
	}
	b.lookUp(right).is(http.StatusOK)
}

func TestALinkThatWasRightSaysWhyItIsNoMore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sql  string
		kind string
	}{
		"expired":           {"UPDATE invitations SET expires_at = now() WHERE id = $1 AND organization_id = $2 AND invited_by = $3", "invitation-expired"},
		"revoked":           {"UPDATE invitations SET revoked_at = now(), revoked_by = $3 WHERE id = $1 AND organization_id = $2", "invitation-revoked"},
		"inviter suspended": {"UPDATE memberships SET suspended_at = now() WHERE $1::uuid IS NOT NULL AND organization_id = $2 AND user_id = $3", "invitation-revoked"},
		"inviter demoted":   {"UPDATE memberships SET role = 'member' WHERE $1::uuid IS NOT NULL AND organization_id = $2 AND user_id = $3", "invitation-revoked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id, token := b.invited(b.admin, "hina@example.com")
			b.exec(c.sql, id, b.id, b.admin.id)
			assert.Equal(t, c.kind, b.lookUp(token).is(http.StatusGone).problem().Type)
			assert.Equal(t, c.kind, b.accepts(token).is(http.StatusGone).problem().Type)
			assert.Zero(t, value[int](b, "SELECT count(*) FROM users WHERE email = 'hina@example.com'"))
		})
	}
}

// An admin who has become a member since may not have made an owner, and an owner who is an admin now neither.
func TestAnInvitationGivesNoMoreThanItsInviterHas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := b.joins(b.id, "second", auth.Owner)
	made := second.invites(fields{"email": "hina@example.com", "role": "owner"}).Results[0].InvitationID.MustGet()
	token := b.link(made)
	b.exec("UPDATE memberships SET role = 'admin' WHERE user_id = $1", second.id)
	assert.Equal(t, "invitation-revoked", b.accepts(token).is(http.StatusGone).problem().Type)
	b.admin.send(http.MethodPost, "/invitations/"+made.String()+"/revoke", nil).is(http.StatusForbidden)
	b.owner.send(http.MethodPost, "/invitations/"+made.String()+"/revoke", nil).is(http.StatusOK)
}

func TestWhoBelongsAlreadyIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	newcomer := b.joins(b.otherOrganization, "newcomer", auth.Member)
	id, token := b.invited(b.admin, newcomer.email)
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.id, newcomer.id)
	b.accepts(token).refused(http.StatusConflict, "wrong-state")
	b.exec("UPDATE memberships SET suspended_at = now() WHERE organization_id = $1 AND user_id = $2", b.id, newcomer.id)
	assert.Contains(t, *b.accepts(token).refused(http.StatusConflict, "wrong-state").Detail, "suspended")
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM invitations WHERE id = $1 AND accepted_at IS NULL", id))
}

func TestANewAccountNeedsNameAndPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, token := b.invited(b.admin, "hina@example.com")
	b.anonymous.send(http.MethodPost, "/invitation/accept", fields{"token": token}).refused(http.StatusUnprocessableEntity, "invalid", "/name", "/password")
	b.accepts(token, fields{"password": "short", "time_zone": "Asia/Tokio", "name": "  "}).refused(http.StatusUnprocessableEntity, "invalid", "/name", "/password", "/time_zone")
	assert.Zero(t, value[int](b, "SELECT count(*) FROM users WHERE email = 'hina@example.com'"))
	b.accepts(token).is(http.StatusCreated)
}

func TestAnInvitationIsSentAgainAFewTimes(t *testing.T) {
	t.Parallel()
	b, links := setupMail(t, api.Options{})
	id := b.admin.invites(fields{"email": "hina@example.com"}).Results[0].InvitationID.MustGet()
	path := "/invitations/" + id.String()
	b.admin.send(http.MethodPost, path+"/resend", nil).is(http.StatusTooManyRequests)
	for n := int16(2); n <= 5; n++ {
		b.exec("UPDATE invitations SET sent_at = now() - interval '61 seconds', expires_at = now() - interval '1 second' WHERE id = $1", id)
		again := into[api.Invitation](b.admin.send(http.MethodPost, path+"/resend", nil).is(http.StatusOK))
		assert.Equal(t, api.InvitationStateOpen, again.State, "its days begin anew")
		assert.Equal(t, int(n), again.Sendings)
	}
	b.lookUp(links.Invitation(b.id, id, 4)).is(http.StatusNotFound)
	b.lookUp(links.Invitation(b.id, id, 5)).is(http.StatusOK)
	b.exec("UPDATE invitations SET sent_at = now() - interval '61 seconds' WHERE id = $1", id)
	b.admin.send(http.MethodPost, path+"/resend", nil).refused(http.StatusConflict, "wrong-state")
	assert.Equal(t, 5, value[int](b, "SELECT count(*) FROM mails WHERE invitation_id = $1", id))

	revoked := into[api.Invitation](b.admin.send(http.MethodPost, path+"/revoke", nil).is(http.StatusOK))
	assert.Equal(t, api.InvitationStateRevoked, revoked.State)
	b.admin.send(http.MethodPost, path+"/revoke", nil).refused(http.StatusConflict, "wrong-state")
	b.admin.send(http.MethodPost, path+"/resend", nil).refused(http.StatusConflict, "wrong-state")
	assert.Equal(t, "invitation-revoked", b.lookUp(links.Invitation(b.id, id, 5)).is(http.StatusGone).problem().Type)
	assert.Equal(t, 1, b.admin.invites(fields{"email": "hina@example.com"}).Invited, "and may be invited anew")
}

// Of those who press at the same time one does it.
func TestInvitationsAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const each = 6
	at := func(do func(i int) int) map[int]int {
		var mu sync.Mutex
		var wg sync.WaitGroup
		statuses := map[int]int{}
		for i := range each {
			wg.Go(func() {
				status := do(i)
				mu.Lock()
				defer mu.Unlock()
				statuses[status]++
			})
		}
		wg.Wait()
		return statuses
	}
	post := func(p *person, path string, body any) int {
		a, err := p.try(http.MethodPost, path, body)
		if err != nil {
			return -1
		}
		return a.status
	}
	at(func(int) int {
		return post(b.admin, "/invitations", fields{"invitations": []fields{{"email": "hina@example.com"}}})
	})
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM invitations"))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM mails"))
	id := value[uuid.UUID](b, "SELECT id FROM invitations")
	b.exec("UPDATE invitations SET sent_at = now() - interval '61 seconds'")
	assert.Equal(t, 1, at(func(int) int { return post(b.admin, "/invitations/"+id.String()+"/resend", nil) })[http.StatusOK])
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM mails"))
	token := b.link(id)
	statuses := at(func(i int) int {
		if i == 0 {
			return post(b.admin, "/invitations/"+id.String()+"/revoke", nil)
		}
		return post(b.anonymous, "/invitation/accept", fields{"token": token, "name": "佐藤 葵", "password": password})
	})
	accepted := value[int](b, "SELECT count(*) FROM invitations WHERE accepted_at IS NOT NULL")
	assert.Equal(t, accepted, statuses[http.StatusCreated], "%v", statuses)
	assert.Equal(t, accepted, value[int](b, "SELECT count(*) FROM memberships AS m JOIN users AS u ON u.id = m.user_id WHERE u.email = 'hina@example.com'"))
	assert.Equal(t, accepted, value[int](b, "SELECT count(*) FROM users WHERE email = 'hina@example.com'"))
	assert.Zero(t, statuses[http.StatusInternalServerError], "%v", statuses)
}

// What the database keeps, in whatever table, is worth nothing to whoever reads it.
func TestTheSecretOfAnInvitationIsKeptNowhere(t *testing.T) {
	t.Parallel()
	b, links := setupMail(t, api.Options{})
	answered := b.admin.send(http.MethodPost, "/invitations", fields{"invitations": []fields{{"email": "hina@example.com"}}}, key("once")).is(http.StatusOK)
	id := into[api.InvitationResults](answered).Results[0].InvitationID.MustGet()
	token := links.Invitation(b.id, id, 1)
	b.accepts(token).is(http.StatusCreated)
	assert.NotContains(t, string(answered.body), "kki_")
	for table := range b.counts() {
		assert.Zero(t, value[int](b, "SELECT count(*) FROM "+table+" AS r WHERE position($1 IN r::text) > 0 OR position($2 IN r::text) > 0", token, strings.TrimPrefix(token, "kki_")), table)
	}
}

func TestLinksAreNotTriedForEver(t *testing.T) {
	t.Parallel()
	limits := api.DefaultLimits()
	limits.Account = api.Rate{PerSecond: 0.001, Burst: 3}
	b := setupWith(t, api.Options{Limits: limits})
	_, token := b.invited(b.admin, "hina@example.com")
	for range 3 {
		b.lookUp(token).is(http.StatusOK)
	}
	b.lookUp(token).is(http.StatusTooManyRequests)
	_, other := b.invited(b.admin, "sota@example.com")
	b.lookUp(other).is(http.StatusOK)
}
