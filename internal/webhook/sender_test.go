package webhook_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/fetch"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/webhook"
)

func objective() webhook.Target { return webhook.Target{Kind: "objective", ID: db.NewID()} }

func TestAnEventIsSentToWhoeverWantsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wants := map[string]bool{"objective.approved": true, "objective.": true, "*": true, "objective.closed": false, "team.": false}
	hooks := map[uuid.UUID]string{}
	for kind := range wants {
		made, _ := b.hook(kind)
		hooks[made.ID] = kind
	}
	off, _ := b.hook("*")
	b.exec("UPDATE webhooks SET enabled = false, disabled_because = 'person' WHERE id = $1", off.ID)
	target := objective()
	e := b.happens("objective.approved", target)
	b.fold(e) // a second time: it changes nothing
	assert.Equal(t, 3, value[int](b, "SELECT count(*) FROM webhook_deliveries"))
	for id, kind := range hooks {
		assert.Equal(t, wants[kind], value[bool](b, "SELECT EXISTS (SELECT FROM webhook_deliveries WHERE webhook_id = $1)", id), kind)
	}
	queued := b.queued()
	require.Len(t, queued, 3)
	for _, e := range queued {
		require.NoError(t, b.send(e))
		assert.Equal(t, "delivered", b.delivery(e.Target).State)
	}
	got := b.all()
	require.Len(t, got, 3)
	var p webhook.Payload
	require.NoError(t, json.Unmarshal(got[0].body, &p))
	assert.Equal(t, e.ID, p.ID)
	assert.Equal(t, target, *p.Target)
	assert.Equal(t, b.organization, p.Organization)
	assert.Equal(t, int64(7), *p.Revision)
	assert.Equal(t, b.owner, *p.Actor)
	assert.Equal(t, map[string]string{"api": "https://okr.example.com/api/v1/objectives/" + target.ID.String(), "page": "https://okr.example.com/objectives/" + target.ID.String()}, p.Links)
	assert.NotContains(t, string(got[0].body), "社外秘", "ids, and nothing that anybody wrote")
	assert.Equal(t, "objective.approved", got[0].header.Get(webhook.EventHeader))
	assert.Equal(t, "application/json", got[0].header.Get("Content-Type"))
}

// Events that webhooks are not told of are not even looked for.
func TestWhatNobodyIsToldOf(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.hook("*")
	for _, kind := range []string{"session.opened", "session.ended", "mail.send", "webhook.send", "webhook.test", "broadcast.deliver"} {
		b.happens(kind, objective())
	}
	b.fold(outbox.Event{Organization: b.organization, ID: db.NewID(), Kind: "objective.approved", Target: db.NewID()}) // which nobody audited
	assert.Zero(t, value[int](b, "SELECT count(*) FROM webhook_deliveries"))
	assert.True(t, slices.Contains(webhook.Kinds(), "objective.approved"))
	for wanted, can := range map[string]bool{"*": true, "objective.": true, "objective.approved": true, "objective": false, "objective.eaten": false, "session.": false, "session.opened": false, ".": false, "": false, "webhook.test": false, "**": false} {
		assert.Equal(t, can, webhook.CanWant(wanted), wanted)
	}
}

func TestTheSignatureHoldsForBothSecretsForADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made, first := b.hook("*")
	b.happens("team.created", objective())
	require.NoError(t, b.send(b.queued()[0]))
	got := b.all()[0]
	signature := got.header.Get(webhook.SignatureHeader)
	assert.NoError(t, verify([]byte(first), signature, got.body, time.Now()))
	assert.Error(t, verify([]byte(webhook.NewSecret()), signature, got.body, time.Now()))
	assert.Error(t, verify([]byte(first), signature, append(got.body, ' '), time.Now()), "another body")
	assert.Error(t, verify([]byte(first), signature, got.body, time.Now().Add(6*time.Minute)), "sent again by somebody else")
	assert.Equal(t, 1, strings.Count(signature, "v1="))

	second := webhook.NewSecret()
	b.write(func(ctx context.Context, q *db.Queries) error {
		_, err := q.RotateWebhookSecretIfRevision(ctx, db.RotateWebhookSecretIfRevisionParams{OrganizationID: b.organization, ID: made.ID, Revision: 1, Secret: []byte(second), ActorID: b.owner})
		return err
	})
	b.happens("team.created", objective())
	require.NoError(t, b.send(b.queued()[0]))
	got = b.all()[1]
	for _, secret := range []string{first, second} {
		assert.NoError(t, verify([]byte(secret), got.header.Get(webhook.SignatureHeader), got.body, time.Now()))
	}
	b.exec("UPDATE webhooks SET previous_until = now() - interval '1 second'")
	b.happens("team.created", objective())
	require.NoError(t, b.send(b.queued()[0]))
	got = b.all()[2]
	assert.NoError(t, verify([]byte(second), got.header.Get(webhook.SignatureHeader), got.body, time.Now()))
	assert.Error(t, verify([]byte(first), got.header.Get(webhook.SignatureHeader), got.body, time.Now()), "its day is over")
}

func TestWhatAReceiverCanAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status  int
		headers []string
		after   time.Duration // of the next attempt; 0: as the outbox has it
	}{
		{http.StatusInternalServerError, nil, 0},
		{http.StatusBadRequest, nil, 0},
		{http.StatusNotFound, nil, 0},
		{http.StatusFound, []string{"Location", "/elsewhere"}, 0},
		{http.StatusPermanentRedirect, []string{"Location", "/elsewhere"}, 0},
		{http.StatusTooManyRequests, []string{"Retry-After", "120"}, 2 * time.Minute},
		{http.StatusServiceUnavailable, []string{"Retry-After", "120"}, 2 * time.Minute},
		{http.StatusServiceUnavailable, []string{"Retry-After", "999999999"}, time.Hour},
		{http.StatusServiceUnavailable, []string{"Retry-After", "-5"}, 0},
		{http.StatusServiceUnavailable, []string{"Retry-After", "99999999999999999999"}, 0},
		{http.StatusTooManyRequests, []string{"Retry-After", "soon"}, 0},
		{http.StatusTooManyRequests, []string{"Retry-After", "Mon, 01 Jan 2001 00:00:00 GMT"}, 0},
		{http.StatusTooManyRequests, []string{"Retry-After", "Fri, 01 Jan 2100 00:00:00 GMT"}, time.Hour},
		{http.StatusServiceUnavailable, nil, 0},
	} {
		b := setup(t)
		b.hook("*")
		b.happens("team.created", objective())
		b.status(c.status, c.headers...)
		e := b.queued()[0]
		assert.Equal(t, c.after, later(t, b.send(e)), "%d %v", c.status, c.headers)
		d := b.delivery(e.Target)
		assert.Equal(t, "waiting", d.State)
		assert.Equal(t, 1, d.Attempt)
		assert.Equal(t, c.status, *d.Status)
		assert.Contains(t, *d.Failure, fmt.Sprint(c.status))
		assert.Equal(t, 1, value[int](b, "SELECT failures FROM webhooks"))
		require.Len(t, b.all(), 1, "a redirect is not followed")

		b.status(http.StatusOK)
		e.Attempt = 2
		require.NoError(t, b.send(e))
		assert.Equal(t, delivery{"delivered", 2, new(http.StatusOK), nil}, b.delivery(e.Target))
		assert.Zero(t, value[int](b, "SELECT failures FROM webhooks"))
		first, second := b.all()[0], b.all()[1]
		assert.Equal(t, first.header.Get(webhook.DeliveryHeader), second.header.Get(webhook.DeliveryHeader), "by which a receiver knows that it has had it")
		assert.Equal(t, e.Target.String(), first.header.Get(webhook.DeliveryHeader))
		assert.Equal(t, first.body, second.body)
	}
}

func TestGoneSwitchesItOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made, _ := b.hook("*")
	b.happens("team.created", objective())
	b.happens("team.updated", objective())
	b.status(http.StatusGone)
	queued := b.queued()
	require.NoError(t, b.send(queued[0]))
	assert.Equal(t, "failed", b.delivery(queued[0].Target).State)
	assert.Equal(t, "gone", value[string](b, "SELECT disabled_because FROM webhooks WHERE NOT enabled"))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'webhook.disabled' AND actor_id IS NULL AND target_id = $1", made.ID))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM notifications WHERE user_id = $1 AND kind = 'webhook-disabled' AND subject_id = $2 AND title = $3", b.owner, made.ID, b.Listener.Addr().String()), "who administers is told, and of the path, which may be a secret, nobody")
	require.NoError(t, b.send(queued[1]))
	assert.Equal(t, delivery{"failed", 0, nil, new("the webhook is switched off")}, b.delivery(queued[1].Target))
	assert.Len(t, b.all(), 1)
	b.happens("team.created", objective())
	assert.Empty(t, b.queued(), "nothing more is made for it")

	// A test is sent all the same: somebody wants to know whether it could be switched on again.
	b.status(http.StatusOK)
	var tried uuid.UUID
	b.write(func(ctx context.Context, q *db.Queries) (err error) {
		tried, err = webhook.Test(ctx, q, b.organization, made.ID, b.owner, time.Now())
		return err
	})
	require.NoError(t, b.send(outbox.Event{Organization: b.organization, ID: db.NewID(), Kind: webhook.SendKind, Target: tried, Attempt: 1}))
	assert.Equal(t, "delivered", b.delivery(tried).State)
	assert.Equal(t, webhook.TestKind, b.all()[1].header.Get(webhook.EventHeader))
}

// Fifty failures in a row switch a webhook off once the first is three days old, and not before; a success in between begins anew.
func TestFailingForDaysSwitchesItOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made, _ := b.hook("*")
	begun := time.Date(2027, time.March, 26, 9, 0, 0, 0, time.UTC)
	fail := func(at time.Time) (off bool) {
		b.write(func(ctx context.Context, q *db.Queries) error {
			row, err := q.CountWebhookFailure(ctx, db.CountWebhookFailureParams{OrganizationID: b.organization, ID: made.ID, Now: &at})
			off = row.SwitchedOff
			return err
		})
		return off
	}
	for i := range 60 {
		assert.False(t, fail(begun.Add(time.Duration(i)*time.Minute)), "fifty within an hour may be an outage")
	}
	b.write(func(ctx context.Context, q *db.Queries) error {
		return q.ForgetWebhookFailures(ctx, db.ForgetWebhookFailuresParams{OrganizationID: b.organization, ID: made.ID})
	})
	assert.False(t, fail(begun.Add(96*time.Hour)), "it had worked in between")
	for range 48 {
		assert.False(t, fail(begun.Add(170*time.Hour)), "days, but not often enough")
	}
	assert.True(t, fail(begun.Add(170*time.Hour)))
	assert.Equal(t, "failing", value[string](b, "SELECT disabled_because FROM webhooks WHERE NOT enabled AND failures = 50 AND revision = 2"))

	// And by way of the sender, which tells of it.
	b.exec("UPDATE webhooks SET enabled = true, disabled_because = NULL, failures = 49, failing_since = now() - interval '73 hours'")
	b.happens("team.created", objective())
	b.status(http.StatusInternalServerError)
	later(t, b.send(b.queued()[0]))
	assert.Equal(t, "failing", value[string](b, "SELECT disabled_because FROM webhooks WHERE NOT enabled"))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'webhook.disabled'"))
	assert.NoError(t, b.send(b.queued()[0]), "the next attempt finds it switched off, and ends")
	assert.Equal(t, "failed", value[string](b, "SELECT state FROM webhook_deliveries"))
}

func TestGivingUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.hook("*")
	b.happens("team.created", objective())
	b.status(http.StatusInternalServerError)
	e := b.queued()[0]
	e.Attempt = 10
	err := b.send(e)
	require.Error(t, err)
	b.write(func(ctx context.Context, q *db.Queries) error {
		return b.sender.GiveUp(ctx, q, e, errors.New("\x00\xff"+strings.Repeat("字", 400)))
	})
	d := b.delivery(e.Target)
	assert.Equal(t, "failed", d.State)
	assert.Equal(t, 10, d.Attempt)
	assert.Equal(t, 500, *d.Status)
	assert.Len(t, []rune(*d.Failure), 300)

	// Whoever sends it again sends the same delivery.
	b.status(http.StatusOK)
	b.write(func(ctx context.Context, q *db.Queries) error {
		_, err := q.ResendWebhookDelivery(ctx, db.ResendWebhookDeliveryParams{OrganizationID: b.organization, WebhookID: value[uuid.UUID](b, "SELECT id FROM webhooks"), ID: e.Target})
		return err
	})
	e.Attempt = 1
	require.NoError(t, b.send(e))
	assert.Equal(t, delivery{"delivered", 1, new(http.StatusOK), nil}, b.delivery(e.Target))
	require.NoError(t, b.send(e), "delivered is delivered")
	assert.Len(t, b.all(), 2)
}

func TestADeletedWebhookIsSentNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made, _ := b.hook("*")
	b.happens("team.created", objective())
	b.write(func(ctx context.Context, q *db.Queries) error {
		_, err := q.DeleteWebhook(ctx, db.DeleteWebhookParams{OrganizationID: b.organization, ID: made.ID})
		return err
	})
	require.NoError(t, b.send(b.queued()[0]))
	assert.Empty(t, b.all())
}

// A receiver that does not answer, or not to an end, costs an attempt and no more.
func TestAReceiverThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	for what, answer := range map[string]http.HandlerFunc{
		"hangs": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"drips": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte(".")); err != nil {
					return
				}
				_ = http.NewResponseController(w).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(10 * time.Millisecond):
				}
			}
		},
		"hangs up": func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		},
	} {
		b := setup(t)
		webhook.SetPatience(b.sender, 300*time.Millisecond)
		b.hook("*")
		b.happens("team.created", objective())
		b.answers(answer)
		e := b.queued()[0]
		require.Error(t, b.send(e), what)
		d := b.delivery(e.Target)
		assert.Equal(t, "waiting", d.State, what)
		assert.Nil(t, d.Status, what)
		assert.Contains(t, *d.Failure, "no answer", what)
		b.CloseClientConnections()
	}
}

// However much is answered, a bounded part of it is read.
func TestAHugeAnswerIsNotRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.hook("*")
	b.happens("team.created", objective())
	written := make(chan int64, 1)
	b.answers(func(w http.ResponseWriter, _ *http.Request) {
		chunk, n := make([]byte, 1<<20), int64(0)
		for range 1 << 10 {
			m, err := w.Write(chunk)
			n += int64(m)
			if err != nil {
				break
			}
		}
		written <- n
	})
	e := b.queued()[0]
	require.NoError(t, b.send(e))
	assert.Equal(t, "delivered", b.delivery(e.Target).State, "the status is what counts")
	assert.Less(t, <-written, int64(1<<29))
}

func TestAnAddressThatMayNotBeReachedIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.hook("*")
	b.happens("team.created", objective())
	b.sender = webhook.NewSender(b.store, fetch.New(fetch.Options{})) // to which loopback is closed
	e := b.queued()[0]
	require.NoError(t, b.send(e))
	assert.Equal(t, "failed", b.delivery(e.Target).State)
	assert.Equal(t, "the address may not be reached from here", *b.delivery(e.Target).Failure)
	assert.Empty(t, b.all())
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.hook("*")
	b.happens("team.created", objective())
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, free.Close())
	allow, err := fetch.ParseAllow([]string{free.Addr().String()})
	require.NoError(t, err)
	b.sender = webhook.NewSender(b.store, fetch.New(fetch.Options{Allow: allow}))
	b.exec("UPDATE webhooks SET url = $1", "http://"+free.Addr().String())
	require.Error(t, b.send(b.queued()[0]))
	assert.Equal(t, "no answer: connect", value[string](b, "SELECT failure FROM webhook_deliveries WHERE state = 'waiting'"))
}

// Without a certificate that can be trusted nothing is said, not even to whom.
func TestACertificateThatCannotBeTrusted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.hook("*")
	b.happens("team.created", objective())
	closed := newReceiver(t, (*httptest.Server).StartTLS)
	b.exec("UPDATE webhooks SET url = $1", closed.URL+"/hook")
	b.sender = webhook.NewSender(b.store, closed.reached(t, nil))
	e := b.queued()[0]
	require.Error(t, b.send(e))
	assert.Equal(t, delivery{"waiting", 1, nil, new("no answer: tls")}, b.delivery(e.Target))
	assert.Empty(t, closed.all())

	roots := x509.NewCertPool()
	roots.AddCert(closed.Certificate())
	b.sender = webhook.NewSender(b.store, closed.reached(t, roots))
	e.Attempt = 2
	require.NoError(t, b.send(e))
	assert.Equal(t, "delivered", b.delivery(e.Target).State)
	assert.Len(t, closed.all(), 1)
}
