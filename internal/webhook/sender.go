package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/fetch"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/outbox"
)

// Patience is how long a receiver has for its answer.
const Patience = 15 * time.Second

// enough is how much of an answer is read, in bytes: so much that a receiver is not cut off in the middle of what it usually says.
const enough = 64 << 10

// longestPause bounds what a receiver can ask for by Retry-After.
const longestPause = time.Hour

// Sender is the outbox.Sender of SendKind.
type Sender struct {
	store    *db.Store
	client   *fetch.Client
	patience time.Duration
	now      *time.Time // a test's own, for what is counted over days
}

// NewSender returns a Sender. What its client does not reach, it does not reach.
func NewSender(store *db.Store, client *fetch.Client) *Sender {
	return &Sender{store: store, client: client, patience: Patience}
}

var _ outbox.Sender = (*Sender)(nil)

// Send posts a delivery. The error of an attempt that may yet succeed goes to the outbox, which tries again; what has ended, well or not, is noted in the transaction that ends the event.
func (s *Sender) Send(ctx context.Context, e outbox.Event) (outbox.Fold, error) {
	scope := db.Scope{Organization: e.Organization, Class: db.Background}
	var d db.GetWebhookDeliveryForSendingRow
	err := s.store.Read(ctx, scope, func(ctx context.Context, q *db.Queries) (err error) {
		d, err = q.GetWebhookDeliveryForSending(ctx, db.GetWebhookDeliveryForSendingParams{OrganizationID: e.Organization, ID: e.Target})
		return err
	})
	switch {
	case errors.Is(err, db.ErrNotFound):
		return nothing, nil
	case err != nil:
		return nil, &outbox.LaterError{After: time.Second, Uncounted: true, Err: err} // nothing was sent
	case !d.Enabled && d.Kind != TestKind:
		return s.ends(d, outcome{failure: "the webhook is switched off"}), nil
	}
	o := s.attempt(ctx, e, d)
	if err := ctx.Err(); err != nil && !o.delivered {
		return nil, err // the program ends, or another has taken over: no fault of the receiver's
	}
	if o.delivered || o.final {
		return s.ends(d, o), nil
	}
	if o.unsent {
		return nil, &outbox.LaterError{After: o.pause, Uncounted: true, Err: errors.New(o.failure)}
	}
	if err := s.store.Write(ctx, scope, func(ctx context.Context, q *db.Queries) error {
		if err := o.note(ctx, q, e, "waiting"); err != nil {
			return err
		}
		return s.count(ctx, q, e, d, false)
	}); err != nil {
		return nil, fmt.Errorf("%s; and that could not be noted: %w", o.failure, err)
	}
	if o.pause > 0 {
		return nil, &outbox.LaterError{After: o.pause, Err: errors.New(o.failure)}
	}
	return nil, errors.New(o.failure)
}

// GiveUp ends a delivery that was tried often enough.
func (s *Sender) GiveUp(ctx context.Context, q *db.Queries, e outbox.Event, reason error) error {
	return outcome{failure: reason.Error()}.note(ctx, q, e, "failed")
}

// nothing is the end of an event that there was nothing to do for.
func nothing(context.Context, *db.Queries, outbox.Event) error { return nil }

// outcome is what came of an attempt.
type outcome struct {
	attempted bool
	status    int // 0: there was no answer
	failure   string
	delivered bool
	final     bool // there is no sense in another attempt
	gone      bool // the receiver wants nothing any more
	unsent    bool // it was not even begun, for which the receiver cannot be blamed
	pause     time.Duration
}

func (s *Sender) attempt(ctx context.Context, e outbox.Event, d db.GetWebhookDeliveryForSendingRow) outcome {
	secrets := [][]byte{d.Secret}
	if d.PreviousUntil != nil && d.Now.Before(*d.PreviousUntil) {
		secrets = append(secrets, d.PreviousSecret)
	}
	header := http.Header{"Content-Type": {"application/json"}}
	header.Set(EventHeader, d.Kind)
	header.Set(DeliveryHeader, e.Target.String())
	header.Set(SignatureHeader, Sign(d.Now, d.Payload, secrets...))
	answer, err := s.client.Post(ctx, d.Url, header, d.Payload, fetch.Limits{Bytes: enough, Truncate: true, Time: s.patience})
	if err != nil {
		return silence(err)
	}
	return judge(answer.Status, answer.Header, d.Now)
}

// silence says what it means that there was no answer. What the error has to say beyond its reason may be about the network here, and is for nobody outside.
func silence(err error) outcome {
	switch {
	case errors.Is(err, fetch.ErrRefused):
		return outcome{attempted: true, failure: "the address may not be reached from here", final: true}
	case fetch.ReasonOf(err) == fetch.FailedBusy:
		return outcome{failure: "too much else was being sent", unsent: true, pause: time.Second}
	}
	return outcome{attempted: true, failure: "no answer: " + string(fetch.ReasonOf(err))}
}

// judge says what an answer means.
func judge(status int, answer http.Header, now time.Time) outcome {
	o := outcome{attempted: true, status: status}
	switch {
	case status >= 200 && status < 300:
		o.delivered = true
	case status == http.StatusGone:
		o.failure, o.final, o.gone = "answered 410: it wants nothing any more", true, true
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		o.failure, o.pause = fmt.Sprintf("answered %d", status), retryAfter(answer.Get("Retry-After"), now)
	case status >= 300 && status < 400:
		o.failure = fmt.Sprintf("answered %d: redirects are not followed", status)
	default:
		o.failure = fmt.Sprintf("answered %d", status)
	}
	return o
}

// retryAfter reads seconds or a date, bounded; 0 for neither.
func retryAfter(value string, now time.Time) time.Duration {
	var pause time.Duration
	if seconds, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31); err == nil {
		pause = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		pause = at.Sub(now)
	}
	return min(max(pause, 0), longestPause)
}

// ends is what the transaction that ends the event does.
func (s *Sender) ends(d db.GetWebhookDeliveryForSendingRow, o outcome) outbox.Fold {
	return func(ctx context.Context, q *db.Queries, e outbox.Event) error {
		state := "failed"
		if o.delivered {
			state = "delivered"
		}
		if err := o.note(ctx, q, e, state); err != nil || !o.attempted {
			return err
		}
		if o.delivered {
			return q.ForgetWebhookFailures(ctx, db.ForgetWebhookFailuresParams{OrganizationID: e.Organization, ID: d.WebhookID})
		}
		return s.count(ctx, q, e, d, o.gone)
	}
}

func (o outcome) note(ctx context.Context, q *db.Queries, e outbox.Event, state string) error {
	p := db.NoteWebhookDeliveryParams{OrganizationID: e.Organization, ID: e.Target, State: state}
	if o.attempted {
		attempt, status := int16(e.Attempt), int32(o.status) //nolint:gosec // the outbox gives up long before
		p.Attempt = &attempt
		if status > 0 {
			p.Status = &status
		}
	}
	if o.failure != "" {
		failure := cut(o.failure)
		p.Failure = &failure
	}
	return q.NoteWebhookDelivery(ctx, p)
}

// cut makes a text fit its column, and storable whatever a receiver put into it.
func cut(text string) string {
	const longest = 300
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "�")
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest-1]) + "…"
	}
	return text
}

// count adds a failure to those of a webhook. Where that switches it off, those who administer the organisation are told. A test's failure counts for nothing: somebody is trying.
func (s *Sender) count(ctx context.Context, q *db.Queries, e outbox.Event, d db.GetWebhookDeliveryForSendingRow, gone bool) error {
	if d.Kind == TestKind && !gone {
		return nil
	}
	w, err := q.CountWebhookFailure(ctx, db.CountWebhookFailureParams{OrganizationID: e.Organization, ID: d.WebhookID, Gone: gone, Now: s.now})
	if errors.Is(err, pgx.ErrNoRows) || err == nil && !w.SwitchedOff {
		return nil
	}
	if err != nil {
		return err
	}
	err = q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: e.Organization, EventID: db.NewID(), Action: "webhook.disabled", TargetKind: "webhook", TargetID: d.WebhookID,
		TargetRevision: &w.Revision, Detail: []byte(fmt.Sprintf(`{"gone": %t}`, gone))})
	if err != nil {
		return err
	}
	return tell(ctx, q, e.Organization, d.WebhookID, w.Url)
}

// tell puts it in the inbox of everybody who administers the organisation.
func tell(ctx context.Context, q *db.Queries, organization, webhook uuid.UUID, address string) error {
	administrators, err := q.ListAdministrators(ctx, db.ListAdministratorsParams{OrganizationID: organization})
	if err != nil {
		return err
	}
	title := "webhook"
	if u, err := url.Parse(address); err == nil {
		title = u.Host // the rest may be secret
	}
	all := make([]notify.Notification, 0, len(administrators))
	for _, user := range administrators {
		all = append(all, notify.Notification{User: user, Kind: notify.WebhookDisabled, SubjectKind: "webhook", Subject: webhook, Title: title, Path: "/settings/webhooks"})
	}
	return notify.Create(ctx, q, organization, all...)
}
