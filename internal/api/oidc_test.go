package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/auth/oidctest"
)

func TestThroughTheProviderAndBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	assert.JSONEq(t, `{"password": true, "oidc": {"name": "Minato ID"}}`, string(b.anonymous.send(http.MethodGet, "/session/methods", nil).is(http.StatusOK).body))
	w := b.browser(b.provider)
	location := w.start("?return_to=%2Fobjectives%3Fcycle%3D1%23top")
	assert.True(t, strings.HasPrefix(location, b.provider.URL+"/authorize?"), location)
	back, err := w.provider.Authorize(location, b.author.claims())
	require.NoError(t, err)
	a := w.get("/session/oidc/callback?" + back.Encode()).is(http.StatusSeeOther)
	assert.Equal(t, publicURL+"/objectives?cycle=1#top", a.header.Get("Location"))
	cookies := a.header.Values("Set-Cookie")
	require.Len(t, cookies, 2)
	assert.Regexp(t, `^kakeai=kks_.*HttpOnly; SameSite=Lax$`, cookies[0])
	assert.Regexp(t, `^kakeai-oidc=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax$`, cookies[1])

	session := into[api.Session](w.get("/session").is(http.StatusOK))
	assert.Equal(t, b.author.id, session.User.ID)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM identities WHERE issuer = $1 AND subject = $2 AND user_id = $3", w.provider.URL, b.author.claims()["sub"], b.author.id))
	assert.JSONEq(t, `{"issuer": "`+w.provider.URL+`", "identity_linked": true}`, value[string](b, "SELECT detail::text FROM audit_events WHERE target_id = $1 AND actor_id = $2", session.ID, b.author.id))
	w.get("/session/oidc/callback?"+back.Encode()).refused(http.StatusUnauthorized, "sign-in-failed") // the attempt is over
}

// Once an identity is known, the address counts for nothing: neither that it has changed, nor that it is not verified any more.
func TestAnIdentityIsKnownAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.author.claims()
	b.browser(b.provider).signIn(c, "").is(http.StatusSeeOther)
	for _, changed := range []oidctest.Claims{with(c, "email", b.member.email), with(c, "email", "new@example.com"), with(c, "email_verified", false)} {
		w := b.browser(b.provider)
		w.signIn(changed, "").is(http.StatusSeeOther)
		assert.Equal(t, b.author.id, into[api.Session](w.get("/session")).User.ID)
	}
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM identities"))
	assert.Equal(t, 3, value[int](b, "SELECT count(*) FROM audit_events WHERE detail ->> 'identity_linked' = 'false'"))
}

func TestWhoeverIsNotMeantIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.browser(b.provider).signIn(b.author.claims(), "").is(http.StatusSeeOther)
	nowhere := b.joins(b.id, "nowhere", auth.Member)
	b.exec("DELETE FROM sessions WHERE user_id = $1", nowhere.id)
	b.exec("DELETE FROM memberships WHERE user_id = $1", nowhere.id)
	before := b.content()
	for what, c := range map[string]struct {
		claims oidctest.Claims
		query  string
	}{
		"unknown":                             {oidctest.Claims{"sub": "x", "email": "nobody@example.com", "email_verified": true}, ""},
		"without an address":                  {with(b.member.claims(), "email_verified", false), ""},
		"suspended":                           {b.suspended.claims(), ""},
		"in no organisation":                  {nowhere.claims(), ""},
		"in another organisation":             {b.member.claims(), "?organization_id=" + b.otherOrganization.String()},
		"known, in another organisation":      {b.author.claims(), "?organization_id=" + b.otherOrganization.String()},
		"the address of who was there before": {with(b.author.claims(), "sub", "their successor"), ""},
	} {
		w := b.browser(b.provider)
		a := w.signIn(c.claims, c.query)
		a.what += ": " + what
		a.refused(http.StatusForbidden, "no-access")
		assert.Empty(t, a.header.Values("Set-Cookie"), what)
		w.get("/session").refused(http.StatusUnauthorized, "signed-out")
	}
	assert.Equal(t, before, b.content(), "and nobody is made or joined")
}

func TestSomebodyInSeveralOrganisationsChooses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'viewer')", b.otherOrganization, b.author.id)
	for query, want := range map[string]any{"": b.id, "?organization_id=" + b.id.String(): b.id, "?organization_id=" + b.otherOrganization.String(): b.otherOrganization} {
		w := b.browser(b.provider)
		w.signIn(b.author.claims(), query).is(http.StatusSeeOther)
		assert.Equal(t, want, into[api.Session](w.get("/session").is(http.StatusOK)).Organization.ID, query)
	}
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM identities"))
}

func TestAnAttemptBelongsToItsBrowser(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mine, theirs := b.browser(b.provider), b.browser(b.provider)
	back, err := b.provider.Authorize(mine.start(""), b.author.claims())
	require.NoError(t, err)
	theirs.get("/session/oidc/callback?"+back.Encode()).refused(http.StatusUnauthorized, "sign-in-failed") // brings nothing
	theirs.start("")
	theirs.get("/session/oidc/callback?"+back.Encode()).refused(http.StatusUnauthorized, "sign-in-failed") // brings its own
	theirs.get("/session").refused(http.StatusUnauthorized, "signed-out")
	mine.get("/session/oidc/callback?" + back.Encode()).is(http.StatusSeeOther)

	refusal := b.browser(b.provider)
	back, err = b.provider.Authorize(refusal.start(""), b.author.claims())
	require.NoError(t, err)
	refusal.get("/session/oidc/callback?error=access_denied&state="+back.Get("state")).refused(http.StatusUnauthorized, "sign-in-failed")
	refusal.get("/session/oidc/callback?state="+back.Get("state")).refused(http.StatusBadRequest, "bad-request", "/query/code")
	refusal.get("/session/oidc/callback?code="+back.Get("code")).refused(http.StatusBadRequest, "bad-request", "/query/state")
}

// People are told on a page, in their language, and may try again from there.
func TestABrowserIsToldOnAPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	query, attempt := b.atCallback(b.suspended.claims())
	a := b.anonymous.send(http.MethodGet, "/session/oidc/callback?"+query, nil, attempt, wantsPage).is(http.StatusSeeOther)
	assert.Equal(t, publicURL+"/sign-in?problem=no-access&to=%2F", a.header.Get("Location"))
	assert.Regexp(t, `^kakeai-oidc=; Path=/; Max-Age=0; `, a.header.Get("Set-Cookie"))
	a = b.anonymous.send(http.MethodGet, "/session/oidc/callback?"+query, nil, wantsPage).is(http.StatusSeeOther)
	assert.Equal(t, publicURL+"/sign-in?problem=sign-in-failed", a.header.Get("Location"))
	a = b.anonymous.send(http.MethodGet, "/session/oidc/callback", nil, wantsPage).is(http.StatusSeeOther)
	assert.Equal(t, publicURL+"/sign-in?problem=bad-request", a.header.Get("Location"))

	gone := oidctest.New()
	gone.Close()
	b = setupWith(t, api.Options{PublicURL: publicURL, OIDC: signInThrough(t, gone)})
	a = b.anonymous.send(http.MethodGet, "/session/oidc?return_to=%2Finbox", nil, wantsPage).is(http.StatusSeeOther)
	assert.Equal(t, publicURL+"/sign-in?problem=provider-unavailable&to=%2Finbox", a.header.Get("Location"))
}

func TestNobodyIsLedElsewhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/", "/inbox", "/objectives/1?a=b&c=%2F%2Fx", "/検索?q=目標", "/a//b", "/settings/notifications#mail", "/@x", "/a:b"} {
		w := b.browser(b.provider)
		a := w.signIn(b.author.claims(), "?"+query("return_to", path)).is(http.StatusSeeOther)
		assert.Equal(t, publicURL+path, a.header.Get("Location"))
	}
}

func TestTwoIdentitiesAtOnceDoNotBecomeOnePerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	answers := make([]answer, 6)
	var all sync.WaitGroup
	for i := range answers {
		w := b.browser(b.provider)
		back, err := b.provider.Authorize(w.start(""), with(b.author.claims(), "sub", strings.Repeat("x", i+1)))
		require.NoError(t, err)
		all.Go(func() { answers[i] = w.get("/session/oidc/callback?" + back.Encode()) })
	}
	all.Wait()
	in := 0
	for _, a := range answers {
		if a.status == http.StatusSeeOther {
			in++
			continue
		}
		a.refused(http.StatusForbidden, "no-access")
	}
	assert.Equal(t, 1, in)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM identities"))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'session.opened'"))
}

func TestOneIdentityTwiceAtOnceIsOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all sync.WaitGroup
	for range 6 {
		w := b.browser(b.provider)
		back, err := b.provider.Authorize(w.start(""), b.author.claims())
		require.NoError(t, err)
		all.Go(func() { assert.Equal(t, http.StatusSeeOther, w.get("/session/oidc/callback?"+back.Encode()).status) })
	}
	all.Wait()
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM identities"))
}

// Between the look and the session, somebody is suspended; and the identity becomes another's.
func TestWhatChangesMeanwhileCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	release := b.stopsIdentities()
	w := b.browser(b.provider)
	back, err := b.provider.Authorize(w.start(""), b.author.claims())
	require.NoError(t, err)
	answered := make(chan answer)
	go func() { answered <- w.get("/session/oidc/callback?" + back.Encode()) }()
	b.awaitBlocked(1)
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.author.id)
	release()
	(<-answered).refused(http.StatusForbidden, "no-access")
	assert.Zero(t, value[int](b, "SELECT count(*) FROM identities"))
	b.exec("UPDATE memberships SET suspended_at = NULL WHERE user_id = $1", b.author.id)

	release = b.stopsIdentities()
	w = b.browser(b.provider)
	back, err = b.provider.Authorize(w.start(""), b.author.claims())
	require.NoError(t, err)
	go func() { answered <- w.get("/session/oidc/callback?" + back.Encode()) }()
	b.awaitBlocked(1)
	b.exec("INSERT INTO identities (issuer, subject, user_id) VALUES ($1, $2, $3)", b.provider.URL, b.author.claims()["sub"], b.member.id)
	release()
	(<-answered).refused(http.StatusUnauthorized, "sign-in-failed")
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM identities"))
}

// stopsIdentities holds up whoever is about to be signed in, after they were looked up.
func (b *bundle) stopsIdentities() (release func()) {
	b.t.Helper()
	_, release = b.holds("SELECT pg_advisory_xact_lock(4711)")
	b.exec(`CREATE OR REPLACE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF current_user = 'kakeai_app' THEN PERFORM pg_advisory_xact_lock_shared(4711); END IF;
		RETURN NULL;
	END $$`)
	b.exec("CREATE OR REPLACE TRIGGER wait_here BEFORE INSERT ON identities FOR EACH STATEMENT EXECUTE FUNCTION wait_here()")
	return release
}

func TestSigningInThroughTheProviderIsLimited(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{Limits: api.Limits{Address: api.Rate{PerSecond: 1e-9, Burst: 4}}})
	w := b.browser(b.provider)
	w.signIn(b.author.claims(), "").is(http.StatusSeeOther)
	back, err := b.provider.Authorize(w.start(""), b.author.claims())
	require.NoError(t, err)
	w.get("/session/oidc/callback?" + back.Encode()).is(http.StatusSeeOther)
	w.get("/session/oidc").refused(http.StatusTooManyRequests, "too-many-requests")
	w.get("/session/oidc/callback?"+back.Encode()).refused(http.StatusTooManyRequests, "too-many-requests")

	b = setupWith(t, api.Options{Limits: api.Limits{Account: api.Rate{PerSecond: 1e-9, Burst: 2}}})
	for i := range 3 {
		a := b.browser(b.provider).signIn(b.author.claims(), "")
		if i < 2 {
			a.is(http.StatusSeeOther)
			continue
		}
		a.refused(http.StatusTooManyRequests, "too-many-requests")
	}
	b.browser(b.provider).signIn(b.member.claims(), "").is(http.StatusSeeOther)
}

func TestWithoutTheProviderPasswordsGoOn(t *testing.T) {
	t.Parallel()
	gone := oidctest.New()
	gone.Close()
	b := setupWith(t, api.Options{PublicURL: publicURL, OIDC: signInThrough(t, gone)})
	a := b.browser(gone).get("/session/oidc")
	a.refused(http.StatusServiceUnavailable, "provider-unavailable")
	assert.NotEmpty(t, a.header.Get("Retry-After"))
	b.author.withPassword()
	b.signIn(b.author.email, password).is(http.StatusCreated)
}

func TestWhereThereIsNoProvider(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{PublicURL: publicURL})
	assert.JSONEq(t, `{"password": true}`, string(b.anonymous.send(http.MethodGet, "/session/methods", nil).is(http.StatusOK).body))
	b.anonymous.send(http.MethodGet, "/session/oidc", nil).refused(http.StatusNotFound, "not-found")
	b.anonymous.send(http.MethodGet, "/session/oidc/callback?code=x&state=y", nil).refused(http.StatusNotFound, "not-found")
}

// pictureServer shows a picture, and counts how often it was asked.
func pictureServer(t *testing.T, file []byte, hold <-chan struct{}) (address string, asked func() int) {
	t.Helper()
	var mu sync.Mutex
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n++
		mu.Unlock()
		if hold != nil {
			<-hold
		}
		if strings.HasSuffix(r.URL.Path, "missing") {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write(file)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() int {
		mu.Lock()
		defer mu.Unlock()
		return n
	}
}

func TestThePictureComesFromTheProvider(t *testing.T) {
	t.Parallel()
	b := setup(t)
	address, asked := pictureServer(t, pictureFile(red), nil)
	c := with(b.author.claims(), "picture", address+"/aoi.png")
	b.browser(b.provider).signIn(c, "").is(http.StatusSeeOther)
	b.iconsImported(1)
	made := iconFile(red)
	assert.Equal(t, made.Content, b.viewer.send(http.MethodGet, iconPath(b.author), nil).is(http.StatusOK).body)
	assert.Equal(t, address+"/aoi.png", value[string](b, "SELECT source_url FROM member_icons WHERE user_id = $1", b.author.id))
	assert.Equal(t, address+"/aoi.png", value[string](b, "SELECT picture_url FROM identities"))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'member.icon_imported' AND actor_id = $1", b.author.id))

	b.browser(b.provider).signIn(c, "").is(http.StatusSeeOther)
	b.iconsImported(2)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'member.icon_imported'"), "it is the same")

	b.author.sendsIcon(b.author, pictureFile(blue)).is(http.StatusOK)
	before := asked()
	b.browser(b.provider).signIn(c, "").is(http.StatusSeeOther)
	b.iconsImported(3)
	assert.Equal(t, before, asked(), "one that was chosen by hand is not even looked for")
	assert.Equal(t, iconFile(blue).Content, b.viewer.send(http.MethodGet, iconPath(b.author), nil).is(http.StatusOK).body)
}

// The provider's picture does not come, the sign-in is over, and when it does come at last, somebody has chosen another.
func TestSigningInDoesNotWaitForThePicture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hold := make(chan struct{})
	release := sync.OnceFunc(func() { close(hold) })
	defer release()
	address, asked := pictureServer(t, pictureFile(red), hold)
	w := b.browser(b.provider)
	w.signIn(with(b.author.claims(), "picture", address), "").is(http.StatusSeeOther)
	w.get("/session").is(http.StatusOK)
	require.Eventually(t, func() bool { return asked() == 1 }, patience, 10*time.Millisecond)
	b.author.sendsIcon(b.author, pictureFile(blue)).is(http.StatusOK)
	release()
	b.iconsImported(1)
	assert.Equal(t, iconFile(blue).Content, b.viewer.send(http.MethodGet, iconPath(b.author), nil).is(http.StatusOK).body)
	assert.Zero(t, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'member.icon_imported'"))
}

func TestAPictureThatIsNoneHarmsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	address, _ := pictureServer(t, []byte("<svg/>"), nil)
	for i, picture := range []any{address + "/x.svg", address + "/missing", "http://127.0.0.1:1/refused", "not an address", "ftp://127.0.0.1/x"} {
		w := b.browser(b.provider)
		w.signIn(with(b.author.claims(), "picture", picture), "").is(http.StatusSeeOther)
		b.iconsImported(int64(i + 1))
		w.get("/session").is(http.StatusOK)
	}
	for _, picture := range []any{"", "https://example.com/\x00", "https://example.com/" + strings.Repeat("x", 2000), 7} {
		if picture == 7 { // which no claim of this name can be
			continue
		}
		b.browser(b.provider).signIn(with(b.author.claims(), "picture", picture), "").is(http.StatusSeeOther)
	}
	assert.Zero(t, value[int](b, "SELECT count(*) FROM member_icons"))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM identities WHERE picture_url IS NULL"))
}
