package mail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/mail"
	"net/url"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
)

// Budget is how much may be sent. What has been taken is never given back, whatever became of it.
type Budget interface{ Take() bool }

// Options are how a Sender works.
type Options struct {
	Transport Transport    // nil: there is nowhere to send to, and mails end as unwanted
	From      mail.Address // without a name, the organisation's is put before it
	Address   string       // where people reach the program, such as https://okr.example.com; empty leaves links out
	Links     Links        // for unsubscribing; none are put in if it is the zero value
	Budget    Budget       // of this process
	PerMinute int          // what the budget gains in a minute; used to say when it is worth coming back
}

// Sender sends mails: outbox events of EventKind.
type Sender struct {
	store   *db.Store
	log     *slog.Logger
	options Options
	layouts layouts
	line    line
}

var _ outbox.Sender = (*Sender)(nil)

// The reasons that are kept with mails that nobody is to get.
const (
	noServer     = "no mail server"
	over         = "the invitation is not open any more, or was sent again"
	unsubscribed = "unsubscribed"
	suspended    = "suspended"
	digestOff    = "digests are off"
	unclear      = "the program ended while a server had it, and it is not to be sent twice"
	unanswered   = "the server did not say whether it took it, and it is not to be sent twice"
)

// The states that end a mail, and those of a broadcast's delivery that follow.
const (
	stateWaiting   = "waiting"
	stateSending   = "sending"
	stateSent      = "sent"
	stateFailed    = "failed"
	stateUncertain = "uncertain"
	stateUnwanted  = "unwanted"

	deliveryDelivered = "delivered"
	deliveryFailed    = "failed"
)

const (
	firstRetry = time.Minute
	lastRetry  = time.Hour
	// stillSending is longer than any try takes: it has a minute, and what is being waited for then has a moment more.
	stillSending = 90 * time.Second
)

// NewSender returns a Sender. It warns if nothing will be sent, or not with what it should have.
func NewSender(store *db.Store, log *slog.Logger, o Options) (*Sender, error) {
	l, err := newLayouts()
	if err != nil {
		return nil, err
	}
	switch {
	case o.Transport != nil && o.Budget == nil:
		return nil, errors.New("mail: nothing is sent without a budget")
	case o.Transport == nil:
		log.Warn("KAKEAI_SMTP_URL is not set: no mail is sent")
	case len(o.Links.key) == 0:
		log.Warn("KAKEAI_CURSOR_KEY is not set: mails have no link that ends them")
	}
	return &Sender{store: store, log: log, options: o, layouts: l, line: line{interval: time.Minute / time.Duration(max(o.PerMinute, 1))}}, nil
}

// Send sends the mail that an event is for. What is known of it stands in the database before a server is asked and after it has answered, so whatever happens
// between, no mail that is to go out once goes out twice.
func (s *Sender) Send(ctx context.Context, e outbox.Event) (outbox.Fold, error) {
	m, err := s.load(ctx, e)
	if err != nil {
		return nil, err
	}
	if end := s.decided(m); end != nil {
		return end, nil
	}
	if m.State == stateSending {
		if rest := stillSending - m.Now.Sub(m.ChangedAt); rest > 0 { // whoever sends it may be alive, and only slow, or may be stopping
			return nil, &outbox.LaterError{After: rest, Uncounted: true, Err: errElsewhere}
		}
		if m.Once {
			return ended(stateUncertain, unclear, stateUncertain), nil
		}
	}
	message, err := s.compose(e, m)
	if err != nil {
		return nil, &outbox.PermanentError{Err: err}
	}
	if !s.options.Budget.Take() {
		return nil, &outbox.LaterError{After: s.line.place(time.Now()), Uncounted: true, Err: errBudget}
	}
	begun, err := s.begin(ctx, e, m)
	if err != nil {
		return nil, err
	}
	if !begun { // somebody else has it, who had been taken for dead: the next try sees what became of it
		return nil, &outbox.LaterError{After: stillSending, Uncounted: true, Err: errElsewhere}
	}
	if err := s.options.Transport.Deliver(ctx, message); err != nil {
		return s.undelivered(ctx, e, m, err)
	}
	sent := ended(stateSent, "", deliveryDelivered)
	if ctx.Err() != nil { // nobody waits for what is returned any more
		return sent, s.write(ctx, e, sent)
	}
	return sent, nil
}

var (
	errBudget    = errors.New("mail: the budget of this process is used up")
	errElsewhere = errors.New("mail: it is being sent elsewhere")
)

// urgent reports whether a mail comes to those too who have ended all mail: it tells them of somebody in their account.
func (m due) urgent() bool { return m.Template == SignInChange{}.template() }

// due is a mail with whoever it is for.
type due struct {
	db.GetMailToSendRow
	invitation *db.GetInvitationToMailRow // of somebody who is no member; nil otherwise
}

func (s *Sender) load(ctx context.Context, e outbox.Event) (m due, err error) {
	err = s.store.Read(ctx, scope(e), func(ctx context.Context, q *db.Queries) (err error) {
		m.GetMailToSendRow, err = q.GetMailToSend(ctx, db.GetMailToSendParams{OrganizationID: e.Organization, ID: e.Target})
		if errors.Is(err, pgx.ErrNoRows) {
			m, err = loadInvitation(ctx, q, e)
			return err
		}
		if err == nil && m.Template == (Broadcast{}).template() {
			m.Detail, err = broadcastDetail(ctx, q, e, m.Detail)
		}
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return m, &outbox.PermanentError{Err: err}
	}
	return m, err
}

// broadcastDetail puts the words of a broadcast into what was kept of its mail.
func broadcastDetail(ctx context.Context, q *db.Queries, e outbox.Event, kept json.RawMessage) (json.RawMessage, error) {
	var b Broadcast
	if err := json.Unmarshal(kept, &b); err != nil {
		return kept, nil //nolint:nilerr // this is told where it is written out
	}
	if b.Title != "" {
		return kept, nil
	}
	words, err := q.GetBroadcastToMail(ctx, db.GetBroadcastToMailParams{OrganizationID: e.Organization, ID: b.ID})
	if err != nil {
		return nil, err
	}
	b.Title, b.Body, b.Author = words.Title, words.Body, words.Author
	return json.Marshal(b)
}

func scope(e outbox.Event) db.Scope {
	return db.Scope{Organization: e.Organization, Class: db.Background}
}

// decided is the end of a mail that is not to be sent, or no more; nil if it is. One that had failed is sent after all if the operator has put its event back, unless
// it is to go out once: then it may have been sent again in another mail. Who has unsubscribed gets no mail, invitations to meetings included: that is what the
// link says, and what it is about stands in the inbox. What tells them of somebody in their account stands nowhere else, and does come. A broadcast has reached them there.
func (s *Sender) decided(m due) outbox.Fold {
	switch {
	case m.State == stateSent || m.State == stateUnwanted || m.State == stateUncertain || m.State == stateFailed && m.Once:
		return nothing
	case m.State == stateSending: // who wants it was asked before
		return nil
	case m.invitation != nil && !m.invitation.Current:
		return ended(stateUnwanted, over, deliveryFailed)
	case m.SuspendedAt != nil:
		return ended(stateUnwanted, suspended, deliveryFailed)
	case m.UnsubscribedAt != nil && !m.urgent():
		return ended(stateUnwanted, unsubscribed, deliveryDelivered)
	case m.Template == Digest{}.template() && m.Digest == "off":
		return ended(stateUnwanted, digestOff, deliveryDelivered)
	case s.options.Transport == nil:
		return ended(stateUnwanted, noServer, deliveryDelivered)
	}
	return nil
}

func nothing(context.Context, *db.Queries, outbox.Event) error { return nil }

// ended brings a mail to its end, and the delivery of a broadcast with it.
func ended(state, reason, delivery string) outbox.Fold {
	return func(ctx context.Context, q *db.Queries, e outbox.Event) error {
		return q.EndMail(ctx, db.EndMailParams{OrganizationID: e.Organization, ID: e.Target, State: state, Failure: orNone(reason), Delivery: delivery})
	}
}

func orNone(s string) *string {
	if s = clean(s); s == "" {
		return nil
	}
	return &s
}

// compose writes a mail out for whoever it is for.
func (s *Sender) compose(e outbox.Event, m due) (Message, error) {
	var content Content
	var err error
	if m.invitation != nil {
		content, err = s.invitation(e, *m.invitation)
	} else {
		content, err = contentOf(m.Template, m.Detail)
	}
	if err != nil {
		return Message{}, err
	}
	zone, err := time.LoadLocation(m.TimeZone)
	if err != nil {
		zone = time.UTC // a zone that this machine has no rules for
	}
	p := newPage(reader{locale: m.Locale, zone: zone, now: m.Now}, s.options.Address, m.OrganizationName)
	unsubscribe := ""
	if token := s.options.Links.Token(e.Organization, m.UserID); token != "" && m.invitation == nil && !m.urgent() { // of which there is one, and nothing to end
		unsubscribe = p.link("/unsubscribe?token=" + url.QueryEscape(token))
	}
	p.close(unsubscribe)
	content.write(p)
	text, html, err := s.layouts.render(p)
	if err != nil {
		return Message{}, err
	}
	from := s.options.From
	if from.Name == "" {
		from.Name = m.OrganizationName + " (Kakeai)"
	}
	return compose(letter{id: m.ID, locale: m.Locale, from: from, to: mail.Address{Name: m.Name, Address: m.Email}, subject: p.Subject, text: text, html: html,
		date: m.Now.In(zone), unsubscribe: unsubscribe, calendar: p.calendar, method: p.method})
}

// begin notes that a server is about to have the mail; false if it was no longer as it had been read.
func (s *Sender) begin(ctx context.Context, e outbox.Event, m due) (begun bool, err error) {
	err = s.store.Write(ctx, scope(e), func(ctx context.Context, q *db.Queries) error {
		rows, err := q.BeginMailIfState(ctx, db.BeginMailIfStateParams{OrganizationID: e.Organization, ID: e.Target, State: m.State})
		begun = rows == 1
		return err
	})
	return begun, err
}

// write notes what has become of a try, also when it has been told to stop.
func (s *Sender) write(ctx context.Context, e outbox.Event, outcome outbox.Fold) error {
	return s.store.Write(context.WithoutCancel(ctx), scope(e), func(ctx context.Context, q *db.Queries) error { return outcome(ctx, q, e) })
}

func putBack(ctx context.Context, q *db.Queries, e outbox.Event) error {
	return q.PutBackMail(ctx, db.PutBackMailParams{OrganizationID: e.Organization, ID: e.Target})
}

// undelivered says what is to become of a mail that did not get through. If no server has it for certain, that is noted first: then it may be sent again, also if it
// is to be sent once.
func (s *Sender) undelivered(ctx context.Context, e outbox.Event, m due, err error) (outbox.Fold, error) {
	var failure *DeliveryError
	if !errors.As(err, &failure) {
		failure = &DeliveryError{Unknown: true, Err: err}
	}
	s.log.WarnContext(ctx, "mail not delivered", "organization_id", e.Organization, "mail_id", e.Target, "attempt", e.Attempt, "permanent", failure.Permanent, "unknown", failure.Unknown, "error", err)
	if failure.Unknown {
		if m.Once {
			return ended(stateUncertain, unanswered, stateUncertain), nil
		}
		return nil, later(ctx, e, err)
	}
	if err := s.write(ctx, e, putBack); err != nil {
		return nil, err
	}
	if failure.Permanent {
		return nil, &outbox.PermanentError{Err: err}
	}
	return nil, later(ctx, e, err)
}

// later asks for another try: a minute after the first, twice as long after each further one, up to an hour, jittered. Being told to stop is no fault of the mail's.
func later(ctx context.Context, e outbox.Event, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return &outbox.LaterError{Uncounted: true, Err: err}
	}
	wait := min(firstRetry<<min(max(e.Attempt-1, 0), 10), lastRetry)
	return &outbox.LaterError{After: wait/2 + rand.N(wait/2+1), Err: err}
}

// GiveUp ends a mail that is tried no more. If a server may have it, it is uncertain and not failed.
func (s *Sender) GiveUp(ctx context.Context, q *db.Queries, e outbox.Event, reason error) error {
	return ended(stateFailed, fmt.Sprint(reason), deliveryFailed)(ctx, q, e)
}

// line tells those for whom the budget has nothing left when to come back: one after the other, as it fills. Otherwise thousands of mails that wait would all ask again
// every few seconds. It is only an estimate; the budget decides.
type line struct {
	interval time.Duration // in which the budget gains one

	mu   sync.Mutex
	last time.Time
}

// longestLine bounds how far ahead places are given.
const longestLine = 10 * time.Minute

// place is how long the next in line has to wait.
func (l *line) place(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.last.Add(l.interval)
	if earliest := now.Add(l.interval); next.Before(earliest) {
		next = earliest
	}
	if wait := next.Sub(now); wait <= longestLine {
		l.last = next
		return wait
	}
	return longestLine/2 + rand.N(longestLine/2)
}
