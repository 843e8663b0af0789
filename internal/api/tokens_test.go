package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/okr"
)

// makesToken has a person make a token, and returns them as the program that has it.
func (p *person) makesToken(scope string) (*person, api.Token) {
	p.t.Helper()
	made := into[api.TokenWithSecret](p.send(http.MethodPost, "/tokens", fields{"name": "集計 " + scope, "scope": scope}).is(http.StatusCreated))
	program := *p
	program.name, program.token = "a program of "+p.name+"'s", made.Secret
	return &program, made.Token
}

// open reports whether an operation asks for nobody to be signed in.
func (o operation) open() bool { return o.spec.Security != nil && len(*o.spec.Security) == 0 }

func (o operation) sessionsOnly() bool { return o.spec.Extensions["x-sessions-only"] == true }

func TestATokenFromItsMakingToItsEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.author.send(http.MethodPost, "/tokens", fields{"name": " 夜間の集計 ", "scope": "write", "days": 30}).is(http.StatusCreated)
	made := into[api.TokenWithSecret](a)
	assert.Equal(t, "夜間の集計", made.Token.Name)
	assert.Equal(t, api.TokenWrites, made.Token.Scope)
	assert.WithinDuration(t, time.Now().AddDate(0, 0, 30), made.Token.ExpiresAt, time.Minute)
	assert.Regexp(t, `^kkt_[A-Za-z0-9_-]{64}$`, made.Secret)
	for table := range b.counts() {
		assert.Zero(t, value[int](b, "SELECT count(*) FROM "+table+" AS r WHERE r::text LIKE '%' || $1 || '%'", made.Secret[4:]), "the secret is in %s", table)
	}
	program := *b.author
	program.token = made.Secret
	assert.Nil(t, get[api.TokenPage](b.author, "/tokens").Items[0].LastUsedAt)

	session := get[api.Session](&program, "/session")
	assert.Equal(t, b.author.id, session.User.ID)
	assert.Equal(t, api.TokenWrites, *session.TokenScope)
	assert.Nil(t, get[api.Session](b.author, "/session").TokenScope)
	drafted := program.draft()
	detail := value[string](b, "SELECT detail->>'token_id' FROM audit_events WHERE target_id = $1 AND action = 'objective.created'", drafted.ID)
	assert.Equal(t, made.Token.ID.String(), detail, "the audit says that it was a program")
	program.send(http.MethodPost, objective(drafted.ID)+"/comments", fields{"body": "はい"}).is(http.StatusCreated)
	assert.Equal(t, made.Token.ID.String(), value[string](b, "SELECT detail->>'token_id' FROM audit_events WHERE action = 'comment.created'"))
	b.author.send(http.MethodPost, objective(drafted.ID)+"/comments", fields{"body": "はい"}).is(http.StatusCreated)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'comment.created' AND detail ? 'token_id'"), "and by a session it was none")

	require.Eventually(t, func() bool {
		listed := get[api.TokenPage](b.author, "/tokens").Items
		return len(listed) == 1 && listed[0].LastUsedAt != nil && listed[0].LastUsedFrom != nil && *listed[0].LastUsedFrom == "127.0.0.1"
	}, patience, 20*time.Millisecond, "when it was last used, and from where")
	for _, s := range get[api.SessionPage](b.author, "/sessions").Items {
		assert.NotEqual(t, made.Token.ID, s.ID, "a token is listed as a token")
	}
	b.author.send(http.MethodDelete, "/sessions/"+made.Token.ID.String(), nil).is(http.StatusNotFound)
	b.author.send(http.MethodDelete, "/tokens/"+session.ID.String(), nil).is(http.StatusNoContent)
	program.send(http.MethodGet, "/session", nil).refused(http.StatusUnauthorized, "signed-out")
	assert.Empty(t, get[api.TokenPage](b.author, "/tokens").Items)
	assert.Equal(t, []string{"token.created", "token.revoked"}, b.actions(made.Token.ID))
	b.author.send(http.MethodDelete, "/tokens/"+made.Token.ID.String(), nil).is(http.StatusNotFound)
	b.author.send(http.MethodGet, "/session", nil).is(http.StatusOK)
}

func TestTokensThatAreRefusedAtTheirMaking(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, c := range []struct {
		body    fields
		pointer string
	}{
		{fields{"name": "　 ", "scope": "read"}, "/name"}, {fields{"name": "", "scope": "read"}, "/name"}, {fields{"name": strings.Repeat("目", 101), "scope": "read"}, "/name"},
		{fields{"name": "n", "scope": "admin"}, "/scope"}, {fields{"name": "n"}, "/scope"},
		{fields{"name": "n", "scope": "read", "days": 0}, "/days"}, {fields{"name": "n", "scope": "read", "days": 366}, "/days"},
	} {
		b.author.send(http.MethodPost, "/tokens", c.body).refused(http.StatusUnprocessableEntity, "invalid", c.pointer)
	}
	assert.Empty(t, get[api.TokenPage](b.author, "/tokens").Items)
	made := into[api.TokenWithSecret](b.author.send(http.MethodPost, "/tokens", fields{"name": "n", "scope": "read"}).is(http.StatusCreated))
	assert.WithinDuration(t, time.Now().AddDate(0, 0, 90), made.Token.ExpiresAt, time.Minute)
}

// Every operation that changes something, by the description: with a token that reads it is refused and changes nothing, with one that writes it does what it does for its member.
func TestWhatATokenMayOfEveryOperation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	changing := 0
	for name, o := range operations() {
		if o.open() || o.sessionsOnly() {
			continue
		}
		c := b.call(name, okr.VisibleToOrganization)
		reads, _ := c.by.makesToken("read")
		writes, _ := c.by.makesToken("write")
		if o.unsafe() {
			changing++
			before := b.content("session_accesses")
			a := c.send(reads)
			a.what += ": " + name
			a.refused(http.StatusForbidden, "token-scope")
			assert.Equal(t, before, b.content("session_accesses"), name)
		} else {
			assert.Less(t, c.send(reads).status, 400, name)
		}
		a := c.send(writes)
		assert.Less(t, a.status, 400, "%s: %s", name, a.body)
		b.exec("DELETE FROM sessions WHERE token_name IS NOT NULL")
	}
	assert.Greater(t, changing, 60)
}

// What is between a person and this program is not a program's, whatever the token's scope, and the description says so in two ways that agree.
func TestWhatNeedsASession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var only []string
	for name, o := range operations() {
		if !o.sessionsOnly() {
			if o.spec.Security != nil && !o.open() {
				assert.True(t, takesTokens(o), name)
			}
			continue
		}
		only = append(only, name)
		assert.True(t, o.spec.Security != nil && !takesTokens(o), "%s says of what it takes that tokens are not among it", name)
		c := b.call(name, okr.VisibleToOrganization)
		program, _ := b.author.makesToken("write")
		before := b.content()
		a := c.send(program)
		a.what += ": " + name
		a.refused(http.StatusForbidden, "session-needed")
		assert.Equal(t, before, b.content(), name)
	}
	assert.Subset(t, only, []string{"ChangePassword", "UpdateAccount", "CreateToken", "RevokeToken", "ListTokens", "AcceptInvitation", "ListSessions", "RevokeSession", "OpenCalendarFeed"})
}

func takesTokens(o operation) bool {
	return slices.ContainsFunc(*o.spec.Security, func(r openapi3.SecurityRequirement) bool { _, ok := r["apiToken"]; return ok })
}

func TestATokenIsNoSessionAndASessionNoToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	program, made := b.author.makesToken("read")
	bearer := func(token string) header { return header{"Authorization", "Bearer " + token} }
	for what, h := range map[string]header{
		"as a session's":            bearer("kks_" + program.token[4:]),
		"a session's as a token":    bearer("kkt_" + b.author.token[4:]),
		"in the cookie":             {"Cookie", "kakeai=" + program.token},
		"cut short":                 bearer(program.token[:len(program.token)-1]),
		"and more":                  bearer(program.token + "A"),
		"the id of it":              bearer(made.ID.String()),
		"another's organisation":    bearer(otherOrganization(t, program.token, b.otherOrganization)),
		"with another secret to it": bearer(auth.NewAPIToken(b.id).String()),
	} {
		a := b.anonymous.send(http.MethodGet, "/session", nil, h)
		a.what += ": " + what
		a.refused(http.StatusUnauthorized, "signed-out")
	}
	program.send(http.MethodGet, "/session", nil, header{"Authorization", "Bearer " + program.token}, header{"Sec-Fetch-Site", "cross-site"}).is(http.StatusOK)
}

// otherOrganization is a token with the same secret for another organisation.
func otherOrganization(t *testing.T, token string, organization uuid.UUID) string {
	t.Helper()
	parsed, err := auth.ParseToken(token)
	require.NoError(t, err)
	parsed.Organization = organization
	return parsed.String()
}

func TestATokenMayWhatItsMemberMayNow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	newcomer := b.joins(b.id, "newcomer", auth.Admin)
	program, _ := newcomer.makesToken("write")
	program.send(http.MethodPost, "/teams", fields{"name": "一"}).is(http.StatusCreated)
	b.exec("UPDATE memberships SET role = 'viewer' WHERE user_id = $1", newcomer.id)
	program.send(http.MethodPost, "/teams", fields{"name": "二"}).refused(http.StatusForbidden, "not-allowed")
	program.send(http.MethodGet, "/audit-events", nil).refused(http.StatusForbidden, "not-allowed")
	program.send(http.MethodGet, "/teams", nil).is(http.StatusOK)
}

// What ends a person's sessions ends their tokens: somebody else may have made them.
func TestWhatEndsTokens(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(b *bundle, p *person){
		"suspension, for good": func(b *bundle, p *person) {
			b.admin.send(http.MethodPatch, "/members/"+p.id.String(), fields{"revision": 1, "suspended": true}).is(http.StatusOK)
			b.admin.send(http.MethodPatch, "/members/"+p.id.String(), fields{"revision": 2, "suspended": false}).is(http.StatusOK)
		},
		"another password": func(_ *bundle, p *person) {
			p.send(http.MethodPut, "/account/password", fields{"present_password": password, "new_password": newPassword}).is(http.StatusNoContent)
		},
		"another password, given elsewhere": func(b *bundle, p *person) {
			b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.otherOrganization, p.id)
			there := *p
			there.token, _ = b.session(b.otherOrganization, p.id)
			there.send(http.MethodPut, "/account/password", fields{"present_password": password, "new_password": newPassword}).is(http.StatusNoContent)
		},
		"its time": func(b *bundle, _ *person) {
			b.exec("UPDATE sessions SET expires_at = now() WHERE token_name IS NOT NULL")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			p := b.joins(b.id, "newcomer", auth.Member).withPassword()
			program, made := p.makesToken("write")
			program.send(http.MethodGet, "/session", nil).is(http.StatusOK)
			end(b, p)
			program.send(http.MethodGet, "/session", nil).refused(http.StatusUnauthorized, "signed-out")
			program.send(http.MethodPost, "/objectives", fields{"cycle_id": b.cycle, "title": "題"}).refused(http.StatusUnauthorized, "signed-out")
			assert.Empty(t, get[api.TokenPage](b.admin, "/tokens?whose=all").Items)
			b.admin.send(http.MethodDelete, "/tokens/"+made.ID.String(), nil).is(http.StatusNotFound)
		})
	}
}

func TestWhoSeesAndEndsWhoseTokens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	programs := map[string]*person{}
	ids := map[string]uuid.UUID{}
	for _, p := range []*person{b.viewer, b.author, b.admin, b.owner, b.elsewhere} {
		program, made := p.makesToken("read")
		programs[p.name], ids[p.name] = program, made.ID
	}
	seen := get[api.TokenPage](b.admin, "/tokens?whose=all").Items
	assert.Len(t, seen, 4, "everybody's here, and nobody's elsewhere")
	assert.Equal(t, b.viewer.id, seen[0].Member.ID)
	assert.Equal(t, "viewer", seen[0].Member.Name)
	assert.Len(t, get[api.TokenPage](b.admin, "/tokens").Items, 1)
	b.lead.send(http.MethodGet, "/tokens?whose=all", nil).refused(http.StatusForbidden, "not-allowed")

	end := func(p *person, whose string) answer {
		return p.send(http.MethodDelete, "/tokens/"+ids[whose].String(), nil)
	}
	end(b.lead, "author").refused(http.StatusNotFound, "not-found")
	end(b.admin, "owner").refused(http.StatusForbidden, "not-allowed")
	end(b.admin, b.elsewhere.name).refused(http.StatusNotFound, "not-found")
	end(b.admin, "author").is(http.StatusNoContent)
	end(b.owner, "admin").is(http.StatusNoContent)
	for name, status := range map[string]int{"author": 401, "admin": 401, "viewer": 200, "owner": 200, b.elsewhere.name: 200} {
		programs[name].send(http.MethodGet, "/session", nil).is(status)
	}
	var detail map[string]any
	require.NoError(t, json.Unmarshal([]byte(value[string](b, "SELECT detail::text FROM audit_events WHERE action = 'token.revoked' AND target_id = $1", ids["author"])), &detail))
	assert.Equal(t, map[string]any{"name": "集計 read", "member_id": b.author.id.String()}, detail)
}

// A write that is under way holds the token it came with: whoever revokes waits for it, and the next request is refused. A token that was revoked by a transaction that has not committed
// yet holds the request up.
func TestRevokingMeetsUsing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	program, made := b.author.makesToken("write")
	o := b.author.draft()
	_, release := b.holds("SELECT FROM objectives WHERE id = $1 FOR UPDATE", o.ID)
	written, revoked := make(chan answer, 1), make(chan answer, 1)
	go func() {
		a, err := program.try(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "まだ"})
		assert.NoError(t, err)
		written <- a
	}()
	b.awaitBlocked(1)
	go func() {
		a, err := b.author.try(http.MethodDelete, "/tokens/"+made.ID.String(), nil)
		assert.NoError(t, err)
		revoked <- a
	}()
	b.awaitBlocked(2)
	release()
	(<-written).is(http.StatusOK)
	(<-revoked).is(http.StatusNoContent)
	program.send(http.MethodGet, "/session", nil).is(http.StatusUnauthorized)

	program, made = b.author.makesToken("write")
	_, commit := b.holds("DELETE FROM sessions WHERE id = $1", made.ID)
	go func() {
		a, err := program.try(http.MethodPatch, objective(o.ID), fields{"revision": 2, "title": "もう"})
		assert.NoError(t, err)
		written <- a
	}()
	b.awaitBlocked(1)
	commit()
	(<-written).refused(http.StatusUnauthorized, "signed-out")
}

func TestThereIsRoomForFiftyTokens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 48 {
		b.author.makesToken("read")
	}
	statuses := make(chan int, 6)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			a, err := b.author.try(http.MethodPost, "/tokens", fields{"name": "n", "scope": "read"})
			assert.NoError(t, err)
			statuses <- a.status
		})
	}
	all.Wait()
	close(statuses)
	made := 0
	for status := range statuses {
		if status == http.StatusCreated {
			made++
			continue
		}
		assert.Equal(t, http.StatusConflict, status)
	}
	assert.Equal(t, 2, made)
	b.lead.makesToken("read")
}

// Whoever knows the old password and is quick makes no token that outlives it.
func TestNoTokenIsMadeWhileThePasswordChanges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, commit := b.holds("UPDATE users SET sessions_since = clock_timestamp() WHERE id = $1", b.author.id)
	answers := make(chan answer, 1)
	go func() {
		a, err := b.author.try(http.MethodPost, "/tokens", fields{"name": "n", "scope": "write"})
		assert.NoError(t, err)
		answers <- a
	}()
	b.awaitBlocked(1)
	commit()
	(<-answers).refused(http.StatusUnauthorized, "signed-out")
	assert.Zero(t, value[int](b, "SELECT count(*) FROM sessions WHERE token_name IS NOT NULL"))
}

func TestTokensAreLimitedEachByItself(t *testing.T) {
	t.Parallel()
	limits := api.DefaultLimits()
	limits.Session = api.Rate{PerSecond: 0.001, Burst: 5}
	b := setupWith(t, api.Options{Limits: limits})
	busy, _ := b.author.makesToken("read")
	quiet, _ := b.author.makesToken("read")
	for range 5 {
		busy.send(http.MethodGet, "/session", nil).is(http.StatusOK)
	}
	a := busy.send(http.MethodGet, "/session", nil)
	a.refused(http.StatusTooManyRequests, "too-many-requests")
	assert.NotEmpty(t, a.header.Get("Retry-After"))
	quiet.send(http.MethodGet, "/session", nil).is(http.StatusOK)
	b.author.send(http.MethodGet, "/session", nil).is(http.StatusOK)
}
