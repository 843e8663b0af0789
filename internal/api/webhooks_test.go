package api_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/webhook"
)

func TestAWebhookFromFirstToLast(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.admin.webhook()
	path := webhookPath(made.Webhook.ID)
	assert.True(t, strings.HasPrefix(made.Secret, "kkw_"))
	assert.Equal(t, made.Secret, value[string](b, "SELECT convert_from(secret, 'UTF8') FROM webhooks"))
	seen := b.owner.send(http.MethodGet, path, nil).is(http.StatusOK)
	assert.Equal(t, made.Webhook, into[api.Webhook](seen))
	assert.NotContains(t, string(seen.body), made.Secret, "it is shown once")

	changed := into[api.Webhook](b.admin.send(http.MethodPatch, path, fields{"revision": 1, "kinds": []string{"*"}, "enabled": false}).is(http.StatusOK))
	assert.Equal(t, []string{"*"}, changed.Kinds)
	assert.Equal(t, api.WebhookDisabledBecause("person"), *changed.DisabledBecause)
	assert.Equal(t, made.Webhook.URL, changed.URL)
	b.exec("UPDATE webhooks SET disabled_because = 'failing', failures = 50, failing_since = now()")
	on := into[api.Webhook](b.admin.send(http.MethodPatch, path, fields{"revision": 2, "enabled": true}).is(http.StatusOK))
	assert.Nil(t, on.DisabledBecause)
	assert.Zero(t, on.Failures)

	rotated := into[api.WebhookWithSecret](b.admin.send(http.MethodPost, path+"/rotate-secret", fields{"revision": 3}).is(http.StatusOK))
	assert.NotEqual(t, made.Secret, rotated.Secret)
	require.NotNil(t, rotated.Webhook.PreviousSecretUntil)
	assert.Equal(t, made.Secret, value[string](b, "SELECT convert_from(previous_secret, 'UTF8') FROM webhooks WHERE previous_until BETWEEN now() + interval '23 hours' AND now() + interval '25 hours'"))
	b.exec("UPDATE webhooks SET previous_until = now() - interval '1 second'")
	assert.Nil(t, get[api.Webhook](b.admin, path).PreviousSecretUntil)

	tested := into[api.WebhookDelivery](b.admin.send(http.MethodPost, path+"/test", nil).is(http.StatusAccepted))
	assert.Equal(t, "webhook.test", tested.Kind)
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM outbox_events WHERE kind = 'webhook.send' AND target_id = $1 AND state = 'waiting'", tested.ID))
	one := path + "/deliveries/" + tested.ID.String()
	b.admin.send(http.MethodPost, one+"/resend", nil).refused(http.StatusConflict, "wrong-state")
	b.exec("UPDATE webhook_deliveries SET state = 'failed', attempt = 10, status = 500, failure = 'answered 500'")
	failed := get[api.WebhookDelivery](b.admin, one)
	assert.Equal(t, 500, *failed.Status)
	assert.Equal(t, "answered 500", *failed.Failure)
	again := into[api.WebhookDelivery](b.admin.send(http.MethodPost, one+"/resend", nil).is(http.StatusAccepted))
	assert.Equal(t, tested.ID, again.ID)
	assert.Equal(t, api.WebhookDeliveryState("waiting"), again.State)
	assert.Zero(t, again.Attempt)
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM outbox_events WHERE kind = 'webhook.send' AND target_id = $1", tested.ID))

	b.admin.send(http.MethodDelete, path, nil).is(http.StatusNoContent)
	for _, gone := range []string{path, path + "/deliveries", one} {
		b.admin.send(http.MethodGet, gone, nil).refused(http.StatusNotFound, "not-found")
	}
	b.admin.send(http.MethodDelete, path, nil).refused(http.StatusNotFound, "not-found")
	assert.Equal(t, []string{"webhook.created", "webhook.updated", "webhook.updated", "webhook.secret_rotated", "webhook.tested", "webhook.delivery_resent", "webhook.deleted"}, b.actions(made.Webhook.ID))
	for _, e := range get[api.AuditEventPage](b.admin, "/audit-events?target_id="+made.Webhook.ID.String()).Items {
		assert.NotContains(t, string(e.Detail), "hooks.example.com/", "the path may be a secret")
	}
}

func TestAddressesAndKindsThatAreNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.admin.webhook()
	for _, c := range []struct {
		body     fields
		pointers []string
	}{
		{fields{"url": "http://hooks.example.com/"}, []string{"/url"}},
		{fields{"url": "https://user:secret@hooks.example.com/"}, []string{"/url"}},
		{fields{"url": "hooks.example.com"}, []string{"/url"}},
		{fields{"url": "https://hooks.example.com/" + strings.Repeat("x", 2000)}, []string{"/url"}},
		{fields{"kinds": []string{"objective.approved", "objective.eaten", "session."}}, []string{"/kinds/1", "/kinds/2"}},
		{fields{"kinds": []string{}}, []string{"/kinds"}},
		{fields{"kinds": []string{"*", "*"}}, []string{"/kinds"}},
		{fields{"url": "ftp://hooks.example.com/", "kinds": []string{"x"}}, []string{"/url", "/kinds/0"}},
	} {
		body := fields{"url": "https://hooks.example.com/", "kinds": []string{"*"}}
		for name, v := range c.body {
			body[name] = v
		}
		b.admin.send(http.MethodPost, "/webhooks", body).refused(http.StatusUnprocessableEntity, "invalid", c.pointers...)
		b.admin.send(http.MethodPatch, webhookPath(made.Webhook.ID), with(c.body, "revision", 1)).refused(http.StatusUnprocessableEntity, "invalid", c.pointers...)
	}
	trial := setupWith(t, api.Options{InsecureWebhooks: true})
	trial.admin.webhook(fields{"url": "http://127.0.0.1:8080/"})
}

func TestAWebhooksRevision(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := webhookPath(b.owner.webhook().Webhook.ID)
	for _, c := range []struct {
		method, path string
		body         fields
	}{{http.MethodPatch, "", fields{"kinds": []string{"*"}}}, {http.MethodPost, "/rotate-secret", fields{}}} {
		b.admin.send(c.method, path+c.path, c.body).refused(http.StatusPreconditionRequired, "revision-required", "/revision")
		b.admin.send(c.method, path+c.path, with(c.body, "revision", 9)).refused(http.StatusConflict, "stale-revision")
		b.admin.send(c.method, path+c.path, c.body, ifMatch(`"9"`)).refused(http.StatusPreconditionFailed, "stale-revision")
	}
	statuses := map[int]int{}
	var lock sync.Mutex
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			a, err := b.admin.try(http.MethodPost, path+"/rotate-secret", fields{"revision": 1})
			assert.NoError(t, err)
			lock.Lock()
			defer lock.Unlock()
			statuses[a.status]++
		})
	}
	all.Wait()
	assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: 9}, statuses)
}

// Of many who send a delivery again at once one does.
func TestADeliveryIsSentAgainOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.admin.webhook()
	d := b.admin.tried(made.Webhook.ID, "failed")
	statuses := map[int]int{}
	var lock sync.Mutex
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			a, err := b.admin.try(http.MethodPost, fmt.Sprintf("%s/deliveries/%s/resend", webhookPath(made.Webhook.ID), d.ID), nil)
			assert.NoError(t, err)
			lock.Lock()
			defer lock.Unlock()
			statuses[a.status]++
		})
	}
	all.Wait()
	assert.Equal(t, map[int]int{http.StatusAccepted: 1, http.StatusConflict: 9}, statuses)
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM outbox_events WHERE kind = 'webhook.send'"))
}

func TestThereIsRoomForFiftyWebhooks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range webhook.MostPerOrganization {
		b.admin.webhook()
	}
	b.admin.send(http.MethodPost, "/webhooks", fields{"url": "https://hooks.example.com/", "kinds": []string{"*"}}).refused(http.StatusConflict, "wrong-state")
	assert.Len(t, b.admin.pages("/webhooks?limit=20", func() {}), webhook.MostPerOrganization)
}

func TestPagesOfWebhookDeliveries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made, other := b.admin.webhook(), b.admin.webhook()
	var all, failed []string
	for i := range 9 {
		state := []string{"failed", "delivered", "waiting"}[i%3]
		id := b.admin.tried(made.Webhook.ID, state).ID
		b.admin.tried(other.Webhook.ID, state)
		all = append([]string{id.String()}, all...)
		if state == "failed" {
			failed = append([]string{id.String()}, failed...)
		}
	}
	path := webhookPath(made.Webhook.ID) + "/deliveries?limit=2"
	assert.Equal(t, all, b.admin.pages(path, func() { b.admin.tried(made.Webhook.ID, "failed") }))
	b.exec("DELETE FROM webhook_deliveries WHERE NOT id = ANY ($1::text[]::uuid[])", all)
	assert.Equal(t, failed, b.admin.pages(path+"&state=failed", func() {}))
	foreign := b.admin.tried(other.Webhook.ID, "failed").ID
	b.admin.send(http.MethodGet, webhookPath(made.Webhook.ID)+"/deliveries/"+foreign.String(), nil).refused(http.StatusNotFound, "not-found")
	b.admin.send(http.MethodGet, webhookPath(uuid.New())+"/deliveries/"+foreign.String(), nil).refused(http.StatusNotFound, "not-found")
}

// What is audited is an event that webhooks can be told of, or one of those that they are not, for a reason.
func TestEveryEventIsAKindOrNoneForAReason(t *testing.T) {
	t.Parallel()
	untold := map[string]string{
		"session.opened":            "between a person and this program",
		"session.ended":             "between a person and this program",
		"account.updated":           "between a person and this program",
		"account.password_changed":  "between a person and this program",
		"account.identity_linked":   "between a person and this program",
		"account.identity_unlinked": "between a person and this program",
		"token.created":             "a secret between a person and this program",
		"token.revoked":             "a secret between a person and this program",
		"calendar_feed.opened":      "a secret between a person and this program",
		"calendar_feed.closed":      "a secret between a person and this program",
		"mail_settings.updated":     "what somebody wants to be sent is theirs",
		"member.preferences_put":    "what somebody wants to be told is theirs",
		"survey.answered":           "who answers, and what, is between them and the meeting",
		"member.icon_changed":       "looks, of which other programs have their own",
		"member.icon_imported":      "looks, of which other programs have their own",
		"member.icon_removed":       "looks, of which other programs have their own",
		"webhook.tested":            "the test itself is what is told",
		"webhook.delivery_resent":   "what is sent again is what is told",
	}
	literal := regexp.MustCompile(`(?:action: |recordBroadcast\(ctx, q, a, |recordWebhook\(ctx, q, a, |record\(ctx, q, b, )"([a-z_]+\.[a-z_]+)"`)
	found := map[string]bool{}
	for _, folder := range []string{".", "../broadcast", "../webhook"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range literal.FindAllStringSubmatch(string(source), -1) {
				found[m[1]] = true
				assert.True(t, webhook.Knows(m[1]) || untold[m[1]] != "", "%s: %s is neither among internal/webhook's kinds nor left out for a reason", file, m[1])
			}
		}
	}
	assert.Greater(t, len(found), 25)
	for kind := range untold {
		assert.True(t, found[kind], "%s is no longer audited", kind)
		assert.False(t, webhook.Knows(kind), kind)
	}
}
