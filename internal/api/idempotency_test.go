package api_test

import (
	"net/http"
	"path"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/okr"
)

// keyless are the unsafe operations that take no Idempotency-Key, with the reason.
var keyless = map[string]string{
	"SignIn":        "a replay would keep the session's token where it can be read",
	"SignOut":       "a second one finds nobody signed in",
	"RevokeSession": "a second one finds no session, and has nothing left to do",

	// Invitations
	"LookUpInvitation": "it changes nothing, and nobody is signed in",
	"AcceptInvitation": "nobody is signed in, and a second one finds that the first was accepted",
	"ChangePassword":   "a second one finds that the present password is another",

	// Identities of an account
	"ConfirmSession": "a second one proves the same once more, and a replay would prove nothing",
	"LinkIdentity":   "a replay would lead to an attempt that is over, and nothing is changed before the callback",
	"UnlinkIdentity": "a second one finds no identity, and has nothing left to do",

	// Tokens
	"CreateToken": "a replay would keep the secret where it can be read",
	"RevokeToken": "a second one finds no token, and has nothing left to do",

	// Meetings
	"AnswerSurvey":      "a key would stand beside who sent it, and the secret of anonymous answers would be kept with it; the same answers with the same secret change nothing",
	"OpenCalendarFeed":  "a replay would keep the secret address where it can be read",
	"CloseCalendarFeed": "a second one finds none, and has nothing left to do",
}

// keyed are the unsafe operations that take one.
func keyed() []string {
	return names(func(o operation) bool { return o.unsafe() && keyless[o.spec.OperationID] == "" })
}

// otherPayload is a request with the same operation that asks for something else.
func otherPayload(c call) call {
	if c.spec.OperationID == "CreateImport" {
		c.file = []byte(smallFile + "More,Users,1\r\n")
		return c
	}
	if c.spec.OperationID == "CheckImport" || c.spec.OperationID == "RunImport" {
		c.payload = with(c.payload, "revision", 99)
		return c
	}
	if c.spec.OperationID == "UpdateImport" {
		c.payload = with(c.payload, "date_order", "mdy")
		return c
	}
	if c.file != nil {
		c.file = pictureFile(yellow)
		return c
	}
	if c.payload == nil { // then it is the path that says what is asked for
		return c.toNothing()
	}
	for _, name := range []string{"title", "name", "description", "note", "body", "message"} {
		if _, ok := c.payload[name]; ok {
			c.payload = with(c.payload, name, "別のこと")
			return c
		}
	}
	if c.spec.OperationID == "ReplaceOrganization" {
		c.payload = with(c.payload, "organization", with(c.payload["organization"].(fields), "name", "別のところ"))
		return c
	}
	if c.spec.OperationID == "CreateWebhook" {
		c.payload = with(c.payload, "kinds", []string{"*"})
		return c
	}
	if c.path == "/broadcasts/{broadcast_id}/"+path.Base(c.path) || c.path == "/webhooks/{webhook_id}/rotate-secret" {
		c.payload = with(c.payload, "revision", 99)
		return c
	}
	if c.spec.OperationID == "UpdateWebhook" {
		c.payload = with(c.payload, "enabled", false)
		return c
	}
	if c.spec.OperationID == "PutTeamMember" {
		c.parameters = with(c.parameters, "team_id", c.by.otherTeam)
		return c
	}
	if c.spec.OperationID == "UpdateMailSettings" {
		c.payload = with(c.payload, "digest", "off")
		return c
	}
	switch c.spec.OperationID { // Workflow
	case "ScoreObjectives":
		c.payload = fields{"items": []fields{{"objective_id": uuid.New(), "revision": 1}}}
		return c
	case "CarryOver":
		c.payload = with(c.payload, "dry_run", true)
		return c
	}
	if c.spec.OperationID == "InviteMembers" {
		c.payload = with(c.payload, "days", 3)
		return c
	}
	switch c.spec.OperationID { // Inbox
	case "MarkNotificationsRead":
		c.payload = fields{"items": []fields{{"id": uuid.New(), "latest_id": uuid.New()}}}
		return c
	case "PutNotificationPreferences":
		c.payload = fields{"items": []fields{}}
		return c
	}
	c.payload = with(c.payload, "suspended", false)
	delete(c.payload, "state")
	if c.spec.OperationID == "UpdateCycle" {
		c.payload = fields{"revision": 1, "name": "別の期"}
	}
	return c
}

func TestEveryUnsafeOperationTakesAKey(t *testing.T) {
	t.Parallel()
	for name, o := range operations() {
		assert.Equal(t, o.unsafe() && keyless[name] == "", o.takes("Idempotency-Key"), name)
	}
}

func TestASecondSendingIsAnsweredAsTheFirstWas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range keyed() {
		c := b.call(name, okr.VisibleToOrganization)
		before := value[int](b, "SELECT count(*) FROM audit_events")
		first := c.send(c.by, key("使い回さない "+name))
		assert.Less(t, first.status, 300, "%s: %s", name, first.body)
		assert.Empty(t, first.header.Get("Idempotency-Replayed"), name)
		recorded := value[int](b, "SELECT count(*) FROM audit_events")
		after := b.content()
		again := c.send(c.by, key("使い回さない "+name))

		assert.Equal(t, first.status, again.status, "%s: %s", name, again.body)
		assert.Equal(t, string(first.body), string(again.body), name)
		assert.Equal(t, "true", again.header.Get("Idempotency-Replayed"), name)
		for _, own := range []string{"X-Request-Id", "Date", "Idempotency-Replayed"} {
			first.header.Del(own)
			again.header.Del(own)
		}
		assert.Equal(t, first.header, again.header, name)
		assert.Equal(t, after, b.content(), "%s changes nothing twice", name)
		want, unusual := map[string]int{
			"AskCoach": 2, "AcceptSuggestion": 2, // the message and the job; the decision and the edit
			"MarkNotificationsRead": 0, // what somebody has read is nobody else's business
		}[name]
		if !unusual {
			want = 1
		}
		assert.Equal(t, want, recorded-before, name)
	}
}

func TestAKeyBelongsToOnePayloadOfOnePerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range keyed() {
		c := b.call(name, okr.VisibleToOrganization)
		c.send(c.by, key("k "+name))
		if name == "CancelJob" || meetingsByPath[name] || linksByPath[name] { // its path is all that it says, and what a path does not lead to is 404 first
			second := b.call(name, okr.VisibleToOrganization)
			second.send(second.by, key("k "+name)).refused(http.StatusUnprocessableEntity, "key-reused", "/header/Idempotency-Key")
			continue
		}
		if slices.Contains([]string{"RemoveTeamMember", "DeleteMemberIcon", "DeleteComment", "TestWebhook", "ResendWebhookDelivery", "CancelImport"}, name) {
			second := b.call(name, okr.VisibleToOrganization)
			second.send(second.by, key("k "+name)).refused(http.StatusUnprocessableEntity, "key-reused", "/header/Idempotency-Key")
			continue
		}
		other := otherPayload(c)
		by := c.by
		if name == "PutTeamMember" {
			by = b.admin
			c.send(by, key("k "+name))
		}
		before := b.content()
		other.send(by, key("k "+name)).refused(http.StatusUnprocessableEntity, "key-reused", "/header/Idempotency-Key")
		assert.Equal(t, before, b.content(), name)
	}

	o := b.author.draft()
	for _, p := range []*person{b.author, b.member, b.admin} {
		a := p.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "はい"}, key("shared")).is(http.StatusCreated)
		assert.Empty(t, a.header.Get("Idempotency-Replayed"), "each has keys of their own")
		assert.Equal(t, p.id, into[api.Comment](a).Author.ID)
	}
	b.author.send(http.MethodPost, objective(o.ID)+"/dialogues", fields{"title": "はい"}, key("shared")).is(http.StatusCreated) // and so has each operation
}

func TestARefusalIsNotKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"key_results": nil})
	body := fields{"revision": 1}
	b.author.send(http.MethodPost, action(o.ID, "submit"), body, key("k")).refused(http.StatusUnprocessableEntity, "invalid", "/key_results")
	b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "key_results": []fields{metric("NPS")}}).is(http.StatusOK)
	b.author.send(http.MethodPost, action(o.ID, "submit"), fields{"revision": 2}, key("k")).is(http.StatusOK)
}

func TestOfTwoSendingsAtOnceOneRuns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range keyed() {
		c := b.call(name, okr.VisibleToOrganization)
		before := value[int](b, "SELECT count(*) FROM idempotency_keys")
		answers := make([]answer, 4)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				var err error
				answers[i], err = c.by.try(c.method, c.url(), bodyOf(c), append(slices.Clone(c.headers), key("at once "+name))...)
				assert.NoError(t, err)
			})
		}
		all.Wait()
		ran := 0
		for _, a := range answers {
			if a.status == http.StatusConflict {
				a.refused(http.StatusConflict, "in-progress")
				continue
			}
			assert.Less(t, a.status, 300, "%s: %s", name, a.body)
			if a.header.Get("Idempotency-Replayed") == "" {
				ran++
			}
		}
		assert.Equal(t, 1, ran, name)
		assert.Equal(t, before+1, value[int](b, "SELECT count(*) FROM idempotency_keys"), name)
	}
}

func bodyOf(c call) any {
	if c.file != nil {
		return c.file
	}
	if c.payload == nil {
		return nil
	}
	return c.payload
}

// The first sending is held up: somebody else has the key's place and does not let go.
func TestASendingThatIsStillRunningIsToldSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	b.holds(`INSERT INTO idempotency_keys (organization_id, actor_id, route, key, payload_hash) VALUES ($1, $2, 'CreateComment', 'held', sha256('x'))`, b.id, b.author.id)
	b.author.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "はい"}, key("held")).refused(http.StatusConflict, "in-progress")
}

func TestAReplayNeedsTheSameRightsAsTheFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lose   func(b *bundle, o api.Objective)
		status int
		kind   string
	}{
		"suspended": {func(b *bundle, _ api.Objective) {
			b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.teammate.id)
		}, http.StatusUnauthorized, "signed-out"},
		"session ended": {func(b *bundle, _ api.Objective) { b.exec("DELETE FROM sessions WHERE user_id = $1", b.teammate.id) }, http.StatusUnauthorized, "signed-out"},
		"out of sight": {func(b *bundle, o api.Objective) {
			b.exec("UPDATE objectives SET visibility = 'private' WHERE id = $1", o.ID)
		}, http.StatusNotFound, "not-found"},
		"out of the team": {func(b *bundle, _ api.Objective) { b.exec("DELETE FROM team_members WHERE user_id = $1", b.teammate.id) }, http.StatusNotFound, "not-found"},
		"viewer now": {func(b *bundle, _ api.Objective) {
			b.exec("UPDATE memberships SET role = 'viewer' WHERE user_id = $1", b.teammate.id)
		}, http.StatusForbidden, "not-allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			o := b.author.draft(fields{"visibility": "team"})
			say := func() answer {
				return b.teammate.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "秘密"}, key("k"))
			}
			say().is(http.StatusCreated)
			c.lose(b, o)
			a := say()
			a.refused(c.status, c.kind)
			assert.NotContains(t, string(a.body), "秘密")
		})
	}
}

func TestASendingWaitsForTheFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	_, release := b.holds("SELECT FROM objectives WHERE id = $1 FOR UPDATE", o.ID)
	answers := make(chan answer, 2)
	send := func() {
		a, err := b.author.try(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "一度だけ"}, key("k"))
		assert.NoError(t, err)
		answers <- a
	}
	go send()
	b.awaitBlocked(1)
	go send()
	b.awaitBlocked(2)
	release()
	both := []answer{<-answers, <-answers}
	replayed := slices.IndexFunc(both, func(a answer) bool { return a.header.Get("Idempotency-Replayed") == "true" })
	require.GreaterOrEqual(t, replayed, 0)
	assert.Equal(t, string(both[0].is(http.StatusOK).body), string(both[1].is(http.StatusOK).body))
}

func TestSuspendingTwiceWithAKeyEndsSessionsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.joins(b.id, "newcomer", auth.Member)
	suspend := func() answer {
		return b.admin.send(http.MethodPatch, "/members/"+p.id.String(), fields{"revision": 1, "suspended": true}, key("k")).is(http.StatusOK)
	}
	suspend()
	b.admin.send(http.MethodPatch, "/members/"+p.id.String(), fields{"revision": 2, "suspended": false}).is(http.StatusOK)
	later := p.again()
	suspend()
	later.send(http.MethodGet, "/session", nil).is(http.StatusOK)
}
