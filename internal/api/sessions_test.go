package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

// withPassword lets a person sign in with the tests' password.
func (p *person) withPassword() *person {
	p.t.Helper()
	p.exec("UPDATE users SET password_hash = $2 WHERE id = $1", p.id, hashOfPassword())
	return p
}

func (b *bundle) signIn(email, password string, headers ...header) answer {
	b.t.Helper()
	return b.anonymous.send(http.MethodPost, "/session", fields{"email": email, "password": password}, headers...)
}

func TestWhoeverCannotSignInIsNotToldWhy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.withPassword()
	b.suspended.withPassword()
	nowhere := b.joins(b.id, "nowhere", auth.Member).withPassword()
	b.exec("DELETE FROM sessions WHERE user_id = $1", nowhere.id)
	b.exec("DELETE FROM memberships WHERE user_id = $1", nowhere.id)
	var first string
	for name, c := range map[string]fields{
		"wrong password":            {"email": b.author.email, "password": "wrong horse battery staple"},
		"unknown address":           {"email": "nobody@example.com", "password": password},
		"no password set":           {"email": b.member.email, "password": password},
		"suspended":                 {"email": b.suspended.email, "password": password},
		"in no organisation":        {"email": nowhere.email, "password": password},
		"in another organisation":   {"email": b.author.email, "password": password, "organization_id": b.otherOrganization},
		"in no such organisation":   {"email": b.author.email, "password": password, "organization_id": uuid.New()},
		"password in another case":  {"email": b.author.email, "password": strings.ToUpper(password)},
		"password and more":         {"email": b.author.email, "password": password + " "},
		"an address that is no one": {"email": "%@%", "password": password},
	} {
		a := b.anonymous.send(http.MethodPost, "/session", c)
		a.what += ": " + name
		a.refused(http.StatusUnauthorized, "wrong-credentials")
		assert.Empty(t, a.header.Values("Set-Cookie"), name)
		body := withoutRequestID(t, a)
		if first == "" {
			first = body
		}
		assert.JSONEq(t, first, body, name)
	}
	assert.Zero(t, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'session.opened'"))
}

func TestSigningIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.withPassword()
	for _, email := range []string{b.author.email, strings.ToUpper(b.author.email), "  " + b.author.email + "\t"} {
		a := b.signIn(email, password, header{"User-Agent", "Netscape 4"}).is(http.StatusCreated)
		in := into[api.SignedIn](a)
		assert.Equal(t, b.author.id, in.User.ID)
		assert.Equal(t, b.id, in.OrganizationID)
		assert.Equal(t, []api.OrganizationChoice{{ID: b.id, Name: "みなと製作所", Role: auth.Member}}, in.Organizations)
		assert.WithinDuration(t, time.Now().Add(30*24*time.Hour), in.ExpiresAt, time.Hour)

		cookies := (&http.Response{Header: a.header}).Cookies()
		require.Len(t, cookies, 1)
		c := cookies[0]
		assert.Equal(t, "kakeai", c.Name)
		assert.Equal(t, in.Token, c.Value)
		assert.True(t, c.HttpOnly)
		assert.False(t, c.Secure, "over plain HTTP it would never come back")
		assert.Equal(t, http.SameSiteLaxMode, c.SameSite)
		assert.Equal(t, "/", c.Path)
		assert.Empty(t, c.Domain)
		assert.Equal(t, 30*24*60*60, c.MaxAge)

		for _, h := range []header{{"Authorization", "Bearer " + in.Token}, {"Cookie", "kakeai=" + in.Token}} {
			session := into[api.Session](b.anonymous.send(http.MethodGet, "/session", nil, h).is(http.StatusOK))
			assert.Equal(t, in.SessionID, session.ID)
			assert.Equal(t, []uuid.UUID{b.team}, session.TeamIds)
		}
		assert.NotContains(t, value[string](b, "SELECT s::text FROM sessions AS s WHERE id = $1", in.SessionID), in.Token)
		assert.Equal(t, "Netscape 4", value[string](b, "SELECT user_agent FROM sessions WHERE id = $1", in.SessionID))
	}
	assert.Equal(t, 3, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'session.opened' AND actor_id = $1", b.author.id))
}

func TestSigningInBehindAProxyThatSpeaksHTTPS(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{TrustProxy: true})
	b.author.withPassword()
	https := []header{{"X-Forwarded-Proto", "https"}, {"X-Forwarded-For", "198.51.100.1"}, {"X-Forwarded-For", "192.0.2.1, 203.0.113.7"}}
	a := b.signIn(b.author.email, password, https...).is(http.StatusCreated)
	cookies := (&http.Response{Header: a.header}).Cookies()
	require.Len(t, cookies, 1)
	c := cookies[0]
	assert.Equal(t, "__Host-kakeai", c.Name)
	assert.True(t, c.Secure && c.HttpOnly && c.Path == "/" && c.Domain == "", "what browsers ask of the prefix")
	assert.Equal(t, "203.0.113.7", value[string](b, "SELECT address FROM sessions WHERE id = $1", into[api.SignedIn](a).SessionID), "what one's own proxy says, not what was sent to it")

	b.anonymous.send(http.MethodGet, "/session", nil, append(https, header{"Cookie", "__Host-kakeai=" + c.Value})...).is(http.StatusOK)
	b.anonymous.send(http.MethodGet, "/session", nil, append(https, header{"Cookie", "kakeai=" + c.Value})...).is(http.StatusUnauthorized) // any host could have set it
	b.anonymous.send(http.MethodGet, "/session", nil, header{"Cookie", "__Host-kakeai=" + c.Value}).is(http.StatusUnauthorized)

	plain := setup(t)
	plain.author.withPassword()
	a = plain.signIn(plain.author.email, password, https...).is(http.StatusCreated)
	assert.Contains(t, a.header.Get("Set-Cookie"), "kakeai=", "without a proxy nobody says what the scheme is")
	assert.NotContains(t, a.header.Get("Set-Cookie"), "__Host-")
	assert.Equal(t, "127.0.0.1", value[string](plain, "SELECT address FROM sessions WHERE id = $1", into[api.SignedIn](a).SessionID))
}

func TestSigningInToOneOfSeveralOrganisations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.withPassword()
	require.NoError(t, b.q.CreateMembership(t.Context(), db.CreateMembershipParams{OrganizationID: b.otherOrganization, UserID: b.author.id, Role: "admin"}))
	in := into[api.SignedIn](b.signIn(b.author.email, password).is(http.StatusCreated))
	assert.Equal(t, b.id, in.OrganizationID, "the earliest joined")
	assert.Len(t, in.Organizations, 2)

	body := fields{"email": b.author.email, "password": password, "organization_id": b.otherOrganization}
	in = into[api.SignedIn](b.anonymous.send(http.MethodPost, "/session", body).is(http.StatusCreated))
	session := into[api.Session](b.anonymous.send(http.MethodGet, "/session", nil, header{"Authorization", "Bearer " + in.Token}).is(http.StatusOK))
	assert.Equal(t, b.otherOrganization, session.Organization.ID)
	assert.Equal(t, auth.Admin, session.Role)
	assert.Empty(t, session.TeamIds)

	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1 AND organization_id = $2", b.author.id, b.id)
	in = into[api.SignedIn](b.signIn(b.author.email, password).is(http.StatusCreated))
	assert.Equal(t, b.otherOrganization, in.OrganizationID, "where they are suspended is no choice")
	assert.Len(t, in.Organizations, 1)
}

func TestASessionEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	expired := b.author.again()
	token, err := auth.ParseToken(expired.token)
	require.NoError(t, err)
	b.exec("UPDATE sessions SET expires_at = now() WHERE token_hash = $1", token.Hash())
	expired.send(http.MethodGet, "/session", nil).refused(http.StatusUnauthorized, "signed-out")
	expired.send(http.MethodPost, "/objectives", fields{"cycle_id": b.cycle, "title": "題"}).refused(http.StatusUnauthorized, "signed-out")

	leaving, staying := b.author.again(), b.author.again()
	a := leaving.send(http.MethodDelete, "/session", nil).is(http.StatusNoContent)
	cookies := (&http.Response{Header: a.header}).Cookies()
	require.Len(t, cookies, 1)
	assert.Negative(t, cookies[0].MaxAge)
	leaving.send(http.MethodGet, "/session", nil).refused(http.StatusUnauthorized, "signed-out")
	leaving.send(http.MethodDelete, "/session", nil).refused(http.StatusUnauthorized, "signed-out")

	id := get[api.Session](staying, "/session").ID
	b.author.send(http.MethodDelete, "/sessions/"+id.String(), nil).is(http.StatusNoContent)
	staying.send(http.MethodGet, "/session", nil).refused(http.StatusUnauthorized, "signed-out")
	b.author.send(http.MethodDelete, "/sessions/"+id.String(), nil).refused(http.StatusNotFound, "not-found")
	listed := get[api.SessionPage](b.author, "/sessions").Items
	require.Len(t, listed, 1, "neither those that have ended nor the expired one")
	assert.True(t, listed[0].Current)

	// A secret alone is no session elsewhere: the organisation beside it is part of it.
	moved := auth.NewToken(b.otherOrganization)
	b.exec(`INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at) VALUES ($1, $2, $3, $4, now() + interval '1 day')`, b.id, moved.Hash(), db.NewID(), b.author.id)
	b.anonymous.send(http.MethodGet, "/session", nil, header{"Authorization", "Bearer " + moved.String()}).refused(http.StatusUnauthorized, "signed-out")
}

// What a browser sends for a page of another origin is refused; what no page can make it send is not.
func TestAnotherOriginsPageCannotWrite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	cookie, bearer := header{"Cookie", "kakeai=" + b.author.token}, header{"Authorization", "Bearer " + b.author.token}
	for name, c := range map[string]struct {
		headers []header
		status  int
	}{
		"no browser, cookie":                    {[]header{cookie}, 201},
		"same origin, cookie":                   {[]header{cookie, {"Sec-Fetch-Site", "same-origin"}}, 201},
		"typed by hand":                         {[]header{cookie, {"Sec-Fetch-Site", "none"}}, 201},
		"own Origin":                            {[]header{cookie, {"Origin", b.url}}, 201},
		"cross-site, cookie":                    {[]header{cookie, {"Sec-Fetch-Site", "cross-site"}}, 403},
		"same site, cookie":                     {[]header{cookie, {"Sec-Fetch-Site", "same-site"}}, 403},
		"another Origin, cookie":                {[]header{cookie, {"Origin", "https://evil.example"}}, 403},
		"opaque Origin, cookie":                 {[]header{cookie, {"Origin", "null"}}, 403},
		"cross-site, bearer":                    {[]header{bearer, {"Sec-Fetch-Site", "cross-site"}}, 201},
		"another Origin, bearer":                {[]header{bearer, {"Origin", "https://evil.example"}}, 201},
		"cross-site, a proxy's login, cookie":   {[]header{cookie, {"Authorization", "Basic YTpi"}, {"Sec-Fetch-Site", "cross-site"}}, 403},
		"cross-site, cookie, bearer of no one":  {[]header{cookie, {"Authorization", "Bearer x"}, {"Sec-Fetch-Site", "cross-site"}}, 401},
		"cross-site, cookie, empty credentials": {[]header{cookie, {"Authorization", ""}, {"Sec-Fetch-Site", "cross-site"}}, 403},
	} {
		a := b.anonymous.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "はい"}, c.headers...)
		assert.Equal(t, c.status, a.status, "%s: %s", name, a.body)
		if c.status == http.StatusForbidden {
			a.refused(http.StatusForbidden, "cross-origin")
		}
	}
	b.anonymous.send(http.MethodGet, objective(o.ID), nil, cookie, header{"Sec-Fetch-Site", "cross-site"}).is(http.StatusOK) // reading, whose answer the page does not get
	b.author.withPassword()
	b.signIn(b.author.email, password, header{"Sec-Fetch-Site", "cross-site"}).refused(http.StatusForbidden, "cross-origin")
}
