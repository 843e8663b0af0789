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
	"github.com/kakeai/kakeai/internal/auth/oidctest"
	"github.com/kakeai/kakeai/internal/db"
)

// linking begins to add an identity with these claims, and returns what the browser comes back with.
func (p *person) linking(c oidctest.Claims) (callback string, attempt header) {
	p.t.Helper()
	a := p.send(http.MethodPost, "/account/identities", nil).is(http.StatusOK)
	back, err := p.provider.Authorize(into[api.IdentityLink](a).Location, c)
	require.NoError(p.t, err)
	cookie, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	return "/session/oidc/callback?" + back.Encode(), header{"Cookie", cookie}
}

// links adds an identity with these claims.
func (p *person) links(c oidctest.Claims, headers ...header) answer {
	p.t.Helper()
	callback, attempt := p.linking(c)
	return p.send(http.MethodGet, callback, nil, append(headers, attempt)...)
}

func (p *person) identities() api.Identities {
	p.t.Helper()
	return get[api.Identities](p, "/account/identities")
}

// longSince makes all sessions older than anything fresh is.
func (b *bundle) longSince() {
	b.t.Helper()
	b.exec("UPDATE sessions SET created_at = created_at - interval '11 minutes', confirmed_at = confirmed_at - interval '11 minutes'")
}

// private is how a provider knows somebody by another address than the one that they have here.
func (p *person) private() oidctest.Claims {
	return oidctest.Claims{"sub": "private subject of " + p.id.String(), "email": "Private." + p.name + "@example.net"}
}

var wantsPage = header{"Accept", "text/html,application/xhtml+xml"}

func TestAnIdentityIsAdded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.withPassword()
	assert.Equal(t, api.Identities{Items: []api.Identity{}, HasPassword: true, Linkable: &api.SignInProvider{Name: "Minato ID"}}, b.author.identities())
	a := b.author.links(b.author.private(), wantsPage).is(http.StatusSeeOther)
	assert.Equal(t, publicURL+"/account?linked=1", a.header.Get("Location"))
	require.Len(t, a.header.Values("Set-Cookie"), 1, "nobody is signed in by it")
	assert.Regexp(t, `^kakeai-oidc=; Path=/; Max-Age=0; `, a.header.Get("Set-Cookie"))

	all := b.author.identities()
	require.Len(t, all.Items, 1)
	assert.Nil(t, all.Linkable, "there is one at each provider")
	i := all.Items[0]
	assert.Equal(t, api.Identity{ID: i.ID, Provider: "Minato ID", Issuer: b.provider.URL, ShownAs: "Private.author@example.net", Opens: true, LinkedAt: i.LinkedAt, LastUsedAt: i.LastUsedAt}, i)
	assert.Empty(t, b.member.identities().Items)
	w := b.browser(b.provider)
	w.signIn(with(b.author.private(), "preferred_username", "aoi"), "").is(http.StatusSeeOther)
	assert.Equal(t, b.author.id, into[api.Session](w.get("/session").is(http.StatusOK)).User.ID)
	assert.True(t, b.author.identities().Items[0].LastUsedAt.After(i.LastUsedAt))

	assert.JSONEq(t, `{"issuer": "`+b.provider.URL+`", "shown_as": "Private.author@example.net"}`, value[string](b, "SELECT detail::text FROM audit_events WHERE action = 'account.identity_linked' AND actor_id = $1", b.author.id))
	assert.Equal(t, "added Minato ID", value[string](b, "SELECT concat_ws(' ', detail ->> 'change', detail ->> 'provider') FROM mails WHERE template = 'sign-in-change' AND user_id = $1", b.author.id))
	assert.Equal(t, 3, value[int](b, "SELECT contract FROM outbox_events AS e JOIN mails AS m ON m.id = e.target_id WHERE m.template = 'sign-in-change'"), "a worker that does not know the template leaves it alone")
}

// Whoever has a password and is first found by their address is told of it; whoever has none has signed in as they always will.
func TestWhatIsAddedBySigningInIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.withPassword()
	for range 2 {
		for _, p := range []*person{b.author, b.member} {
			b.browser(b.provider).signIn(p.claims(), "").is(http.StatusSeeOther)
		}
	}
	assert.Equal(t, b.author.id, value[uuid.UUID](b, "SELECT user_id FROM mails WHERE template = 'sign-in-change'"))
}

func TestWhatOpensAnAccountIsChangedByItsOwner(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.withPassword()
	b.longSince()
	b.author.send(http.MethodPost, "/account/identities", nil).refused(http.StatusForbidden, "confirmation-needed")
	b.author.send(http.MethodPost, "/account/confirmation", fields{"present_password": "not this one"}).refused(http.StatusUnprocessableEntity, "invalid", "/present_password")
	b.author.send(http.MethodPost, "/account/identities", nil).refused(http.StatusForbidden, "confirmation-needed")
	other := b.author.again()
	b.longSince()
	b.author.send(http.MethodPost, "/account/confirmation", fields{"present_password": password}).is(http.StatusNoContent)
	other.send(http.MethodPost, "/account/identities", nil).refused(http.StatusForbidden, "confirmation-needed") // it is proven in one session
	b.author.links(b.author.private()).is(http.StatusSeeOther)
	b.longSince()
	identity := "/account/identities/" + b.author.identities().Items[0].ID.String()
	b.author.send(http.MethodDelete, identity, nil).refused(http.StatusForbidden, "confirmation-needed")
	b.author.send(http.MethodPost, "/account/confirmation", fields{"present_password": password}).is(http.StatusNoContent)
	b.author.send(http.MethodDelete, identity, nil).is(http.StatusNoContent)

	b.member.send(http.MethodPost, "/account/confirmation", fields{"present_password": password}).refused(http.StatusConflict, "wrong-state") // who has none signs in again
	b.member.send(http.MethodPost, "/account/identities", nil).refused(http.StatusForbidden, "confirmation-needed")
	b.member.again().send(http.MethodPost, "/account/identities", nil).is(http.StatusOK)
}

func TestNoIdentityMoves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.browser(b.provider).signIn(b.author.claims(), "").is(http.StatusSeeOther)
	owner := func() uuid.UUID {
		return value[uuid.UUID](b, "SELECT user_id FROM identities WHERE subject = $1", b.author.claims()["sub"])
	}
	b.member.links(b.author.claims()).refused(http.StatusConflict, "identity-taken")
	a := b.member.links(b.author.claims(), wantsPage).is(http.StatusSeeOther)
	assert.Equal(t, publicURL+"/account?problem=identity-taken", a.header.Get("Location"))
	assert.Equal(t, b.author.id, owner())
	assert.Empty(t, b.member.identities().Items)

	b.author.send(http.MethodPost, "/account/identities", nil).refused(http.StatusConflict, "second-identity")
	first, attempt := b.member.linking(b.member.claims())
	second, other := b.member.linking(b.member.private())
	b.member.send(http.MethodGet, first, nil, attempt).is(http.StatusSeeOther)
	b.member.send(http.MethodGet, second, nil, other).refused(http.StatusConflict, "second-identity")
	assert.Len(t, b.member.identities().Items, 1)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'account.identity_linked'"))
}

// Two people show the same identity at once: it is one's.
func TestAnIdentityIsAddedToOneAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := []*person{b.author, b.member, b.lead, b.teammate}
	answers := make([]answer, len(people))
	var all sync.WaitGroup
	for i, p := range people {
		callback, attempt := p.linking(b.author.private())
		all.Go(func() { answers[i], _ = p.try(http.MethodGet, callback, nil, attempt) })
	}
	all.Wait()
	in := 0
	for _, a := range answers {
		if a.status == http.StatusSeeOther {
			in++
			continue
		}
		a.refused(http.StatusConflict, "identity-taken")
	}
	assert.Equal(t, 1, in)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM identities"))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM mails WHERE template = 'sign-in-change'"))
}

func TestAnIdentityIsAddedInTheSessionThatAsked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	callback, attempt := b.author.linking(b.author.private())
	b.member.send(http.MethodGet, callback, nil, attempt).refused(http.StatusUnauthorized, "sign-in-failed") // and the code is used up
	for by, kind := range map[*person]string{b.author.again(): "sign-in-failed", b.anonymous: "signed-out", b.removed: "signed-out", b.suspended: "signed-out"} {
		callback, attempt = b.author.linking(b.author.private())
		by.send(http.MethodGet, callback, nil, attempt).refused(http.StatusUnauthorized, kind)
	}
	a := b.anonymous.send(http.MethodGet, callback, nil, attempt, wantsPage).is(http.StatusSeeOther)
	assert.Equal(t, publicURL+"/account?problem=signed-out", a.header.Get("Location"))
	assert.NotContains(t, strings.Join(a.header.Values("Set-Cookie"), " "), "kks_")

	// One's own attempt with what another brought from the provider, as by a link that one is sent.
	theirs, _ := b.member.linking(b.member.private())
	_, mine := b.author.linking(b.author.private())
	b.author.send(http.MethodGet, theirs, nil, mine).refused(http.StatusUnauthorized, "sign-in-failed")
	// And an attempt to sign in, while one is signed in, adds nothing to one's account.
	query, signing := b.atCallback(b.teammate.claims())
	b.author.send(http.MethodGet, "/session/oidc/callback?"+query, nil, signing).is(http.StatusSeeOther)
	for _, p := range []*person{b.author, b.member} {
		assert.Empty(t, p.identities().Items)
	}
	assert.Zero(t, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'account.identity_linked'"))
}

// What is removed is out: at the provider too, where the verified address would lead to the account again; and whoever is in by it.
func TestAnIdentityIsRemoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.withPassword()
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.otherOrganization, b.author.id)
	intruder := b.browser(b.provider)
	intruder.signIn(b.author.claims(), "?organization_id="+b.otherOrganization.String()).is(http.StatusSeeOther)
	token, _ := b.author.makesToken("write")
	here := b.author.again()
	identity := "/account/identities/" + b.author.identities().Items[0].ID.String()
	b.member.send(http.MethodDelete, identity, nil).refused(http.StatusNotFound, "not-found")
	b.author.send(http.MethodDelete, identity, nil).is(http.StatusNoContent)
	b.author.send(http.MethodDelete, identity, nil).refused(http.StatusNotFound, "not-found")

	b.author.send(http.MethodGet, "/session", nil).is(http.StatusOK)
	intruder.get("/session").refused(http.StatusUnauthorized, "signed-out")
	here.send(http.MethodGet, "/session", nil).refused(http.StatusUnauthorized, "signed-out")
	token.send(http.MethodGet, "/session", nil).refused(http.StatusUnauthorized, "signed-out")
	for _, c := range []oidctest.Claims{b.author.claims(), with(b.author.claims(), "sub", "another one")} {
		b.browser(b.provider).signIn(c, "").refused(http.StatusForbidden, "no-access")
	}
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'account.identity_unlinked' AND actor_id = $1", b.author.id))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM mails WHERE template = 'sign-in-change' AND detail ->> 'change' = 'removed'"))

	b.author.links(b.author.claims()).is(http.StatusSeeOther)
	b.browser(b.provider).signIn(b.author.claims(), "").is(http.StatusSeeOther)
	b.signIn(b.author.email, password).is(http.StatusCreated)
}

func TestTheOnlyWayInStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.browser(b.provider).signIn(b.author.claims(), "").is(http.StatusSeeOther)
	b.exec("INSERT INTO identities (issuer, subject, user_id) VALUES ('https://former.example.com/realms/x', 'aoi', $1)", b.author.id)
	all := b.author.identities()
	require.Len(t, all.Items, 2)
	for _, i := range all.Items {
		path := "/account/identities/" + i.ID.String()
		if i.Opens {
			b.author.send(http.MethodDelete, path, nil).refused(http.StatusConflict, "only-way-in")
			continue
		}
		assert.Equal(t, []string{"former.example.com", "aoi"}, []string{i.Provider, i.ShownAs}, "a provider that is not configured any more opens nothing")
		b.author.send(http.MethodDelete, path, nil).is(http.StatusNoContent)
	}
	b.browser(b.provider).signIn(b.author.claims(), "").is(http.StatusSeeOther)
	b.author.withPassword()
	b.author.send(http.MethodDelete, "/account/identities/"+b.author.identities().Items[0].ID.String(), nil).is(http.StatusNoContent)
}

// A sign-in that is under way while the identity is removed has opened a session, and that session is over.
func TestRemovingWaitsForSignIns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.withPassword()
	b.browser(b.provider).signIn(b.author.claims(), "").is(http.StatusSeeOther)
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.otherOrganization, b.author.id)
	w := b.browser(b.provider) // in an organisation whose sessions the one that removes cannot see
	back, err := b.provider.Authorize(w.start("?organization_id="+b.otherOrganization.String()), b.author.claims())
	require.NoError(t, err)
	_, release := b.holds("SELECT pg_advisory_xact_lock(4712)")
	b.exec(`CREATE FUNCTION wait_there() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF current_user = 'kakeai_app' THEN PERFORM pg_advisory_xact_lock_shared(4712); END IF;
		RETURN NULL;
	END $$`)
	b.exec("CREATE TRIGGER wait_there BEFORE INSERT ON sessions FOR EACH STATEMENT EXECUTE FUNCTION wait_there()")
	signed, removed := make(chan answer, 1), make(chan answer, 1)
	go func() { signed <- w.get("/session/oidc/callback?" + back.Encode()) }()
	b.awaitBlocked(1)
	identity := b.author.identities().Items[0].ID
	go func() {
		a, _ := b.author.try(http.MethodDelete, "/account/identities/"+identity.String(), nil)
		removed <- a
	}()
	b.awaitBlocked(2)
	release()
	(<-signed).is(http.StatusSeeOther)
	(<-removed).is(http.StatusNoContent)
	w.get("/session").refused(http.StatusUnauthorized, "signed-out")
	b.author.send(http.MethodGet, "/session", nil).is(http.StatusOK)
}

// The other way round: the identity goes between the look and the session.
func TestASignInFindsItsIdentityRemoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.author.withPassword()
	b.browser(b.provider).signIn(b.author.claims(), "").is(http.StatusSeeOther)
	w := b.browser(b.provider)
	back, err := b.provider.Authorize(w.start(""), b.author.claims())
	require.NoError(t, err)
	_, release := b.holds("DELETE FROM identities WHERE user_id = '" + b.author.id.String() + "'")
	signed := make(chan answer, 1)
	go func() { signed <- w.get("/session/oidc/callback?" + back.Encode()) }()
	b.awaitBlocked(1)
	release()
	(<-signed).refused(http.StatusUnauthorized, "sign-in-failed")
	assert.Zero(t, value[int](b, "SELECT count(*) FROM identities"), "it does not come back")
}

func TestAddingAnIdentityIsLimited(t *testing.T) {
	t.Parallel()
	limits := api.DefaultLimits()
	limits.Account = api.Rate{PerSecond: 1e-9, Burst: 2}
	b := setupWith(t, api.Options{Limits: limits})
	for range 2 {
		b.author.send(http.MethodPost, "/account/identities", nil).is(http.StatusOK)
	}
	b.author.send(http.MethodPost, "/account/identities", nil).refused(http.StatusTooManyRequests, "too-many-requests")
	b.member.withPassword()
	for range 2 {
		b.member.send(http.MethodPost, "/account/confirmation", fields{"present_password": "not this one"}).is(http.StatusUnprocessableEntity)
	}
	b.member.send(http.MethodPost, "/account/confirmation", fields{"present_password": password}).refused(http.StatusTooManyRequests, "too-many-requests")
}

func TestWithoutAProviderNothingIsAdded(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{PublicURL: publicURL})
	b.exec("INSERT INTO identities (issuer, subject, user_id) VALUES ('https://id.example.com', 'aoi', $1)", b.author.id)
	all := b.author.identities()
	require.Len(t, all.Items, 1)
	assert.False(t, all.Items[0].Opens)
	assert.Nil(t, all.Linkable)
	b.author.send(http.MethodPost, "/account/identities", nil).refused(http.StatusNotFound, "not-found")
	newcomer := b.joins(b.id, "newcomer", auth.Viewer)
	newcomer.send(http.MethodDelete, "/account/identities/"+db.NewID().String(), nil).refused(http.StatusNotFound, "not-found")
	b.author.send(http.MethodDelete, "/account/identities/"+all.Items[0].ID.String(), nil).is(http.StatusNoContent)
}
