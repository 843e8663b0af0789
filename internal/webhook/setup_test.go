package webhook_test

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/fetch"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/webhook"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// bundle is an organisation with an owner, and a receiver on loopback.
type bundle struct {
	*testing.T
	*pgtest.Database
	store        *db.Store
	organization uuid.UUID
	owner        uuid.UUID
	sender       *webhook.Sender
	*receiver
}

func setup(t *testing.T) *bundle {
	t.Helper()
	database := pgtest.New(t)
	store, err := db.Open(t.Context(), database.AppURL, db.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	b := &bundle{T: t, Database: database, store: store, organization: db.NewID(), owner: db.NewID(), receiver: newReceiver(t, (*httptest.Server).Start)}
	b.sender = webhook.NewSender(store, b.receiver.reached(t, nil))
	b.exec(`INSERT INTO organizations (id, name, locale, time_zone, cadence, grace_days) VALUES ($1, 'みなと製作所', 'ja', 'Asia/Kathmandu', 'weekly', 7)`, b.organization)
	b.exec(`INSERT INTO users (id, email, name, locale, time_zone) VALUES ($1, $2, '佐藤 葵', 'ja', 'Asia/Tokyo')`, b.owner, b.owner.String()+"@example.com")
	b.exec(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'owner')`, b.organization, b.owner)
	return b
}

func (b *bundle) exec(sql string, arguments ...any) {
	b.Helper()
	_, err := b.Owner.Exec(b.Context(), sql, arguments...)
	require.NoError(b, err, sql)
}

func value[T any](b *bundle, sql string, arguments ...any) (v T) {
	b.Helper()
	require.NoError(b, b.Owner.QueryRow(b.Context(), sql, arguments...).Scan(&v), sql)
	return v
}

func (b *bundle) write(work db.Work) {
	b.Helper()
	require.NoError(b, b.store.Write(b.Context(), db.Scope{Organization: b.organization}, work))
}

// hook makes a webhook that leads to the receiver.
func (b *bundle) hook(kinds ...string) (made db.Webhook, secret string) {
	b.Helper()
	secret = webhook.NewSecret()
	b.write(func(ctx context.Context, q *db.Queries) (err error) {
		made, err = q.CreateWebhook(ctx, db.CreateWebhookParams{OrganizationID: b.organization, ID: db.NewID(), Url: b.URL + "/hook?x=1", Kinds: kinds, Secret: []byte(secret), ActorID: b.owner})
		return err
	})
	return made, secret
}

// happens records a change, as a handler does, and folds its event.
func (b *bundle) happens(kind string, target webhook.Target) outbox.Event {
	b.Helper()
	revision := int64(7)
	e := outbox.Event{Organization: b.organization, ID: db.NewID(), Kind: kind, Target: target.ID, Revision: &revision, Attempt: 1}
	b.write(func(ctx context.Context, q *db.Queries) error {
		return q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: b.organization, EventID: e.ID, Action: kind, TargetKind: target.Kind, TargetID: target.ID,
			TargetRevision: &revision, ActorID: &b.owner, Detail: []byte(`{"title": "社外秘"}`)})
	})
	b.fold(e)
	return e
}

func (b *bundle) fold(e outbox.Event) {
	b.Helper()
	fold := webhook.NewFold("https://okr.example.com/")
	b.write(func(ctx context.Context, q *db.Queries) error { return fold(ctx, q, e) })
}

// queued are the deliveries that are to be sent, in order.
func (b *bundle) queued() []outbox.Event {
	b.Helper()
	rows, err := b.Owner.Query(b.Context(), `SELECT id, target_id FROM outbox_events WHERE organization_id = $1 AND kind = 'webhook.send' AND state = 'waiting' ORDER BY id`, b.organization)
	require.NoError(b, err)
	defer rows.Close()
	var all []outbox.Event
	for rows.Next() {
		e := outbox.Event{Organization: b.organization, Kind: webhook.SendKind, Attempt: 1}
		require.NoError(b, rows.Scan(&e.ID, &e.Target))
		all = append(all, e)
	}
	require.NoError(b, rows.Err())
	return all
}

// send makes one attempt, and ends the event as the outbox does if it was the last.
func (b *bundle) send(e outbox.Event) error {
	b.Helper()
	fold, err := b.sender.Send(b.Context(), e)
	if err != nil {
		require.Nil(b, fold)
		return err
	}
	b.write(func(ctx context.Context, q *db.Queries) error { return fold(ctx, q, e) })
	b.exec("UPDATE outbox_events SET state = 'delivered', finished_at = now() WHERE id = $1", e.ID)
	return nil
}

// delivery is how one stands.
type delivery struct {
	State   string
	Attempt int
	Status  *int
	Failure *string
}

func (b *bundle) delivery(id uuid.UUID) (d delivery) {
	b.Helper()
	require.NoError(b, b.Owner.QueryRow(b.Context(), "SELECT state, attempt, status, failure FROM webhook_deliveries WHERE id = $1", id).Scan(&d.State, &d.Attempt, &d.Status, &d.Failure))
	return d
}

// received is what a receiver got.
type received struct {
	header http.Header
	body   []byte
}

// receiver is a web server with an answer that tests choose.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []received
	answer http.HandlerFunc
}

func newReceiver(t *testing.T, start func(*httptest.Server)) *receiver {
	t.Helper()
	r := &receiver{answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		r.mu.Lock()
		r.got = append(r.got, received{request.Header, body})
		answer := r.answer
		r.mu.Unlock()
		answer(w, request)
	}))
	r.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // of handshakes that are meant to fail
	start(r.Server)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) answers(with http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = with
}

// status answers with a status, and headers by name and value.
func (r *receiver) status(status int, headers ...string) {
	r.answers(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
	})
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.got...)
}

// later requires an error that asks for another attempt, and returns after how long.
func later(t *testing.T, err error) time.Duration {
	t.Helper()
	require.Error(t, err)
	var l *outbox.LaterError
	if !errors.As(err, &l) {
		return 0
	}
	require.False(t, l.Uncounted)
	return l.After
}

// reached is a client that reaches the receiver, of all that is inside, and trusts these authorities.
func (r *receiver) reached(t *testing.T, roots *x509.CertPool) *fetch.Client {
	t.Helper()
	allow, err := fetch.ParseAllow([]string{r.Listener.Addr().String()})
	require.NoError(t, err)
	return fetch.New(fetch.Options{Allow: allow, Roots: roots})
}
