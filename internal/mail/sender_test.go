package mail

import (
	"context"
	"errors"
	"log/slog"
	"net/mail"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// bundle is an organisation with a member, and what mails of it need.
type bundle struct {
	*testing.T
	*pgtest.Database
	store        *db.Store
	organization uuid.UUID
	user         uuid.UUID
	options      Options
}

// purse is a budget that does not fill up.
type purse struct{ left atomic.Int64 }

func (p *purse) Take() bool { return p.left.Add(-1) >= 0 }

func setup(t *testing.T, s *server) *bundle {
	t.Helper()
	b := &bundle{T: t, Database: pgtest.New(t), organization: db.NewID(), user: db.NewID()}
	var err error
	b.store, err = db.Open(t.Context(), b.AppURL, db.Options{MaxConnections: 10, Patience: patience})
	require.NoError(t, err)
	t.Cleanup(b.store.Close)
	b.exec("INSERT INTO organizations (id, name) VALUES ($1, 'みなと製作所')", b.organization)
	b.exec("INSERT INTO users (id, email, name, locale, time_zone) VALUES ($1, 'aoi@example.com', '佐藤 葵', 'ja', 'Asia/Tokyo')", b.user)
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.organization, b.user)
	links, err := NewLinks([]byte(strings.Repeat("k", 32)))
	require.NoError(t, err)
	plenty := &purse{}
	plenty.left.Store(1000)
	b.options = Options{From: mail.Address{Address: "okr@example.com"}, Address: "https://okr.example.com", Links: links, Budget: plenty, PerMinute: 60}
	if s != nil {
		b.options.Transport = client(start(t, s), unbounded())
	}
	return b
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.Owner.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

func (b *bundle) sender() *Sender {
	b.Helper()
	s, err := NewSender(b.store, slog.New(slog.DiscardHandler), b.options)
	require.NoError(b, err)
	return s
}

// enqueue has a mail sent, and returns the event of it.
func (b *bundle) enqueue(c Content, once bool) outbox.Event {
	b.Helper()
	e := outbox.Event{Organization: b.organization, Kind: EventKind, Attempt: 1}
	err := b.store.Write(b.Context(), scope(e), func(ctx context.Context, q *db.Queries) (err error) {
		e.Target, err = Enqueue(ctx, q, b.organization, b.user, c, once)
		return err
	})
	require.NoError(b, err)
	require.NoError(b, b.Owner.QueryRow(b.Context(), "SELECT id FROM outbox_events WHERE organization_id = $1 AND target_id = $2 AND kind = 'mail.send'", b.organization, e.Target).Scan(&e.ID))
	return e
}

// end runs what a sender returned, as the outbox does.
func (b *bundle) end(e outbox.Event, fold outbox.Fold) {
	b.Helper()
	require.NotNil(b, fold)
	require.NoError(b, b.store.Write(b.Context(), scope(e), func(ctx context.Context, q *db.Queries) error { return fold(ctx, q, e) }))
}

// send is one whole try that succeeds.
func (b *bundle) send(s *Sender, e outbox.Event) {
	b.Helper()
	fold, err := s.Send(b.Context(), e)
	require.NoError(b, err)
	b.end(e, fold)
}

func (b *bundle) giveUp(s *Sender, e outbox.Event, reason error) {
	b.Helper()
	b.end(e, func(ctx context.Context, q *db.Queries, e outbox.Event) error { return s.GiveUp(ctx, q, e, reason) })
}

func (b *bundle) assertState(e outbox.Event, state, failure string) {
	b.Helper()
	var got string
	var why *string
	require.NoError(b, b.Owner.QueryRow(b.Context(), "SELECT state, failure FROM mails WHERE id = $1", e.Target).Scan(&got, &why))
	assert.Equal(b, state, got)
	if failure == "" {
		assert.Nil(b, why)
	} else if assert.NotNil(b, why) {
		assert.Contains(b, *why, failure)
	}
}

// later requires an error that asks for another try.
func asksForLater(t *testing.T, err error) *outbox.LaterError {
	t.Helper()
	var later *outbox.LaterError
	require.ErrorAs(t, err, &later)
	return later
}

func aNotice() Notice {
	return Notice{Kind: "review-requested", Title: "お客様に最初に答える", Actor: "高橋 美咲", Path: "/objectives/1"}
}

func TestAMailIsSentInTheRecipientsLanguageAndZone(t *testing.T) {
	t.Parallel()
	s := &server{}
	b := setup(t, s)
	survey := Survey{Title: "週次", StartsAt: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), Path: "/occurrences/1"}
	sender, first, second := b.sender(), b.enqueue(survey, false), b.enqueue(survey, true)
	b.send(sender, first)
	b.exec("UPDATE users SET locale = 'en', time_zone = 'America/New_York', email = 'aoi@example.net'")
	b.send(sender, second)
	b.assertState(first, stateSent, "")
	b.assertState(second, stateSent, "")
	got := s.got()
	require.Len(t, got, 2)
	ja, err := Open([]byte(got[0].content))
	require.NoError(t, err)
	en, err := Open([]byte(got[1].content))
	require.NoError(t, err)
	assert.Equal(t, "<aoi@example.com>", got[0].to)
	assert.Equal(t, "<okr@example.com> BODY=8BITMIME", got[0].from)
	assert.Equal(t, "佐藤 葵 <aoi@example.com>", ja.To)
	assert.Equal(t, "みなと製作所 (Kakeai) <okr@example.com>", ja.From)
	assert.Contains(t, ja.Text, "2026年11月30日（月）9:00（JST）")
	assert.Equal(t, "<aoi@example.net>", got[1].to, "where they read mail now")
	assert.Contains(t, en.Text, "Sunday 29 November 2026, 19:00 (EST)")
	token := b.options.Links.Token(b.organization, b.user)
	assert.Contains(t, got[0].content, "\r\nList-Unsubscribe: <https://okr.example.com/unsubscribe?token="+token+">\r\n")
	assert.Contains(t, ja.HTML, "https://okr.example.com/unsubscribe?token="+token)

	b.send(sender, first) // which the outbox does not do, unless it does not know that it has
	assert.Len(t, s.got(), 2)
}

func TestMailsThatNobodyIsToGet(t *testing.T) {
	t.Parallel()
	meeting := Meeting{Method: "REQUEST", Title: "週次", Calendar: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", Path: "/occurrences/1"}
	for name, c := range map[string]struct {
		content  Content
		sql      string
		noServer bool
		state    string
		failure  string
	}{
		"suspended":                        {aNotice(), "UPDATE memberships SET suspended_at = now()", false, stateUnwanted, suspended},
		"unsubscribed":                     {aNotice(), "INSERT INTO mail_settings (organization_id, user_id, unsubscribed_at) SELECT organization_id, user_id, now() FROM memberships", false, stateUnwanted, unsubscribed},
		"unsubscribed from invitations":    {meeting, "INSERT INTO mail_settings (organization_id, user_id, unsubscribed_at) SELECT organization_id, user_id, now() FROM memberships", false, stateUnwanted, unsubscribed},
		"no digests":                       {Digest{}, "INSERT INTO mail_settings (organization_id, user_id, digest) SELECT organization_id, user_id, 'off' FROM memberships", false, stateUnwanted, digestOff},
		"no digests, but something else":   {aNotice(), "INSERT INTO mail_settings (organization_id, user_id, digest) SELECT organization_id, user_id, 'off' FROM memberships", false, stateSent, ""},
		"subscribed again":                 {aNotice(), "INSERT INTO mail_settings (organization_id, user_id) SELECT organization_id, user_id FROM memberships", false, stateSent, ""},
		"nowhere to send to":               {aNotice(), "SELECT 1", true, stateUnwanted, noServer},
		"unsubscribed, and somebody is in": {SignInChange{Change: SignInAdded, Provider: "Minato ID", At: time.Now()}, "INSERT INTO mail_settings (organization_id, user_id, unsubscribed_at) SELECT organization_id, user_id, now() FROM memberships", false, stateSent, ""},
		"unsubscribed somewhere else too":  {aNotice(), "INSERT INTO organizations (id, name) VALUES ('01930000-0000-7000-8000-000000000001', 'Harbor')", false, stateSent, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &server{}
			b := setup(t, s)
			if c.noServer {
				b.options.Transport = nil
			}
			e := b.enqueue(c.content, false)
			b.exec(c.sql)
			if strings.HasPrefix(c.sql, "INSERT INTO organizations") { // the same person, who has had enough of another organisation
				b.exec("INSERT INTO memberships (organization_id, user_id, role) SELECT '01930000-0000-7000-8000-000000000001', user_id, 'member' FROM memberships")
				b.exec("INSERT INTO mail_settings (organization_id, user_id, unsubscribed_at) SELECT organization_id, user_id, now() FROM memberships WHERE organization_id = '01930000-0000-7000-8000-000000000001'")
			}
			b.send(b.sender(), e)
			b.assertState(e, c.state, c.failure)
			want := 0
			if c.state == stateSent {
				want = 1
			}
			assert.Len(t, s.got(), want)
			assert.Equal(t, want, s.reachedTimes(atBanner), "connections")
		})
	}
}

// The program ended after the server had the mail, or before: nobody can know.
func TestAMailThatWasBeingSentWhenTheProgramEnded(t *testing.T) {
	t.Parallel()
	s := &server{}
	b := setup(t, s)
	sender, once, again := b.sender(), b.enqueue(aNotice(), true), b.enqueue(aNotice(), false)
	for _, e := range []outbox.Event{once, again} {
		_, err := sender.Send(t.Context(), e) // and what it returns is never run
		require.NoError(t, err)
		b.assertState(e, stateSending, "")
		e.Attempt++
		before := len(s.got())
		_, err = sender.Send(t.Context(), e)
		later := asksForLater(t, err)
		assert.True(t, later.Uncounted)
		assert.Greater(t, later.After, stillSending/2, "whoever sends it may be alive")
		assert.LessOrEqual(t, later.After, stillSending)
		assert.Len(t, s.got(), before)
		b.exec("UPDATE mails SET changed_at = changed_at - interval '2 minutes'")
		b.send(sender, e)
	}
	b.assertState(once, stateUncertain, unclear)
	b.assertState(again, stateSent, "")
	ids := map[string]int{}
	for _, m := range s.got() {
		o, err := Open([]byte(m.content))
		require.NoError(t, err)
		for _, h := range o.Headers {
			if h.Name == "Message-ID" {
				ids[h.Value]++
			}
		}
	}
	assert.Equal(t, map[string]int{"<" + once.Target.String() + "@example.com>": 1, "<" + again.Target.String() + "@example.com>": 2}, ids)
}

// An outbox that takes a worker for dead has the same mail sent by another.
func TestAMailThatManySendAtOnceGoesOutOnce(t *testing.T) {
	t.Parallel()
	s := &server{}
	b := setup(t, s)
	for range 5 {
		before := len(s.got())
		e := b.enqueue(aNotice(), true)
		var all sync.WaitGroup
		begin := make(chan struct{})
		for range 8 {
			sender := b.sender()
			all.Go(func() {
				<-begin
				_, _ = sender.Send(t.Context(), e)
			})
		}
		close(begin)
		all.Wait()
		require.Len(t, s.got(), before+1)
	}
}

func TestARefusalForNowIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := &server{refuse: map[string]string{atRCPT: "450 4.2.1 come back"}}
	b := setup(t, s)
	e := b.enqueue(aNotice(), true)
	sender := b.sender()
	longest := time.Duration(0)
	for e.Attempt = 1; e.Attempt <= 10; e.Attempt++ {
		_, err := sender.Send(t.Context(), e)
		later := asksForLater(t, err)
		assert.False(t, later.Uncounted)
		assert.GreaterOrEqual(t, later.After, min(firstRetry<<(e.Attempt-1), lastRetry)/2)
		assert.LessOrEqual(t, later.After, lastRetry+1)
		longest = max(longest, later.After)
		b.assertState(e, stateWaiting, "")
	}
	assert.Greater(t, longest, lastRetry/2-1)
	s.mu.Lock()
	s.refuse = nil
	s.mu.Unlock()
	b.send(sender, e)
	b.assertState(e, stateSent, "")
	assert.Len(t, s.got(), 1)
}

func TestARefusalForEver(t *testing.T) {
	t.Parallel()
	s := &server{refuse: map[string]string{atRCPT: "550 5.1.1 nobody \x00\xff here"}}
	b := setup(t, s)
	e := b.enqueue(aNotice(), true)
	sender := b.sender()
	_, err := sender.Send(t.Context(), e)
	var permanent *outbox.PermanentError
	require.ErrorAs(t, err, &permanent)
	b.giveUp(sender, e, err)
	b.assertState(e, stateFailed, "5.1.1 nobody")
	b.giveUp(sender, e, errors.New("a second time"))
	b.assertState(e, stateFailed, "5.1.1 nobody")
}

// A wrong password is the operator's mistake: mails wait for it to be put right.
func TestARefusalOfTheProgramIsNotTheMails(t *testing.T) {
	t.Parallel()
	b := setup(t, &server{auth: "PLAIN", refuse: map[string]string{atAUTH: "535 5.7.8 wrong password"}})
	e := b.enqueue(aNotice(), false)
	_, err := b.sender().Send(t.Context(), e)
	assert.False(t, asksForLater(t, err).Uncounted)
	b.assertState(e, stateWaiting, "")
}

func TestAnAnswerThatDoesNotComeLeavesAMailUncertain(t *testing.T) {
	t.Parallel()
	b := setup(t, &server{hangUpAt: atDot})
	sender := b.sender()
	once, again := b.enqueue(aNotice(), true), b.enqueue(aNotice(), false)
	b.send(sender, once)
	b.assertState(once, stateUncertain, unanswered)

	_, err := sender.Send(t.Context(), again)
	assert.False(t, asksForLater(t, err).Uncounted)
	b.assertState(again, stateSending, "")
	b.giveUp(sender, again, err)
	b.assertState(again, stateUncertain, "end of content")
}

func TestBeingToldToStopIsNotCountedAgainstAMail(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	b := setup(t, &server{stopAt: atRCPT, before: func(_ context.Context, step string) {
		if step == atRCPT {
			cancel()
		}
	}})
	e := b.enqueue(aNotice(), true)
	_, err := b.sender().Send(ctx, e)
	assert.True(t, asksForLater(t, err).Uncounted)
	b.assertState(e, stateWaiting, "")
}

// The server takes a mail in the moment in which the program is told to stop. The outbox does not wait for what is returned then.
func TestAMailThatIsTakenInTheLastMomentIsSent(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]string{
		"nothing happens meanwhile":         "SELECT 1",
		"it has been given up as uncertain": "UPDATE mails SET state = 'uncertain'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			var b *bundle
			s := &server{before: func(_ context.Context, step string) {
				if step == atDot {
					cancel()
					_, err := b.Owner.Exec(context.Background(), meanwhile)
					assert.NoError(t, err)
				}
			}}
			b = setup(t, s)
			e := b.enqueue(aNotice(), true)
			_, err := b.sender().Send(ctx, e)
			require.NoError(t, err)
			b.assertState(e, stateSent, "")
			b.send(b.sender(), e)
			assert.Len(t, s.got(), 1)
		})
	}
}

// What had failed is sent when the operator puts its event back, unless it is to go out once.
func TestAMailThatFailedAndIsPutBack(t *testing.T) {
	t.Parallel()
	s := &server{}
	b := setup(t, s)
	sender, once, again := b.sender(), b.enqueue(aNotice(), true), b.enqueue(aNotice(), false)
	for _, e := range []outbox.Event{once, again} {
		b.giveUp(sender, e, errors.New("no luck"))
		b.assertState(e, stateFailed, "no luck")
		b.send(sender, e)
	}
	b.assertState(once, stateFailed, "no luck")
	b.assertState(again, stateSent, "")
	assert.Len(t, s.got(), 1)
}

func TestMailsThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	s := &server{}
	b := setup(t, s)
	sender := b.sender()
	for _, sql := range []string{
		"UPDATE users SET email = 'aoi@example.com,eve@example.net'",
		"UPDATE users SET email = '\"aoi@example.com> orcpt=eve@example.net\"@example.com'",
		"UPDATE mails SET template = 'of another release'",
		"UPDATE mails SET detail = '[]'",
	} {
		e := b.enqueue(aNotice(), false)
		b.exec(sql)
		_, err := sender.Send(t.Context(), e)
		var permanent *outbox.PermanentError
		require.ErrorAs(t, err, &permanent, sql)
		b.giveUp(sender, e, err)
		b.assertState(e, stateFailed, err.Error()[:10])
		b.exec("UPDATE users SET email = 'aoi@example.com'")
	}
	_, err := sender.Send(t.Context(), outbox.Event{Organization: b.organization, Target: db.NewID()})
	var permanent *outbox.PermanentError
	require.ErrorAs(t, err, &permanent)
	e := b.enqueue(aNotice(), false)
	e.Organization = db.NewID()
	_, err = sender.Send(t.Context(), e)
	require.ErrorAs(t, err, &permanent, "in another organisation")
	assert.Zero(t, s.reachedTimes(atBanner))
}

func TestNoMoreIsSentThanTheBudgetAllows(t *testing.T) {
	t.Parallel()
	s := &server{}
	b := setup(t, s)
	little := &purse{}
	little.left.Store(3)
	b.options.Budget = little
	sender := b.sender()
	var all sync.WaitGroup
	var waiting atomic.Int64
	for range 10 {
		e := b.enqueue(aNotice(), false)
		all.Go(func() {
			if _, err := sender.Send(t.Context(), e); err != nil {
				later := asksForLater(t, err)
				assert.True(t, later.Uncounted, "it is not the mail's fault")
				assert.Positive(t, later.After)
				b.assertState(e, stateWaiting, "")
				waiting.Add(1)
			}
		})
	}
	all.Wait()
	assert.Len(t, s.got(), 3)
	assert.EqualValues(t, 7, waiting.Load())

	_, err := NewSender(b.store, slog.New(slog.DiscardHandler), Options{Transport: b.options.Transport})
	assert.Error(t, err, "without a budget nothing is sent")
}

// Of a budget nothing is left for mails that go nowhere.
func TestUnwantedMailsCostNoBudget(t *testing.T) {
	t.Parallel()
	b := setup(t, &server{})
	b.options.Budget = &purse{}
	e := b.enqueue(aNotice(), false)
	b.exec("UPDATE memberships SET suspended_at = now()")
	b.send(b.sender(), e)
	b.assertState(e, stateUnwanted, suspended)
}

func TestThoseWhoWaitForTheBudgetComeBackOneByOne(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	l := line{interval: time.Second}
	for i := 1; i <= 600; i++ {
		assert.Equal(t, time.Duration(i)*time.Second, l.place(now))
	}
	for range 100 {
		wait := l.place(now)
		assert.GreaterOrEqual(t, wait, longestLine/2)
		assert.LessOrEqual(t, wait, longestLine)
	}
	assert.Equal(t, 301*time.Second, l.place(now.Add(5*time.Minute)), "the line has moved on")
	assert.Equal(t, time.Second, l.place(now.Add(time.Hour)), "nobody waits any more")
}

// What becomes of a mail becomes of the broadcast's delivery in the same transaction.
func TestABroadcastsDeliveryFollowsItsMail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server         *server
		sql            string
		giveUp         bool
		state, failure string
		mail           string
	}{
		"sent":         {state: "delivered", mail: stateSent},
		"refused":      {server: &server{refuse: map[string]string{atRCPT: "550 5.1.1 nobody"}}, giveUp: true, state: "failed", failure: "nobody", mail: stateFailed},
		"unanswered":   {server: &server{hangUpAt: atDot}, state: "uncertain", failure: unanswered, mail: stateUncertain},
		"unsubscribed": {sql: "INSERT INTO mail_settings (organization_id, user_id, unsubscribed_at) SELECT organization_id, user_id, now() FROM memberships", state: "delivered", mail: stateUnwanted},
		"suspended":    {sql: "UPDATE memberships SET suspended_at = now()", state: "failed", failure: suspended, mail: stateUnwanted},
		"sent again":   {sql: "UPDATE broadcast_deliveries SET mail_id = NULL, round = 2", state: "waiting", mail: stateSent}, // the mail of an earlier round
		"decided":      {sql: "UPDATE broadcast_deliveries SET state = 'failed', failure = 'before'", state: "failed", failure: "before", mail: stateSent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.server == nil {
				c.server = &server{}
			}
			b := setup(t, c.server)
			broadcast := db.NewID()
			b.exec("INSERT INTO broadcasts (organization_id, id, title, body, audience, created_by, changed_by) VALUES ($1, $2, 'T', 'B', 'organization', $3, $3)", b.organization, broadcast, b.user)
			e := b.enqueue(Broadcast{Title: "T", Body: "B", Author: "A", ID: broadcast}, true)
			b.exec("INSERT INTO broadcast_deliveries (organization_id, broadcast_id, user_id, mail_id) VALUES ($1, $2, $3, $4)", b.organization, broadcast, b.user, e.Target)
			if c.sql != "" {
				b.exec(c.sql)
			}
			sender := b.sender()
			fold, err := sender.Send(t.Context(), e)
			if c.giveUp {
				require.Error(t, err)
				b.giveUp(sender, e, err)
			} else {
				require.NoError(t, err)
				b.end(e, fold)
			}
			var mailed, state string
			var failure *string
			require.NoError(t, b.Owner.QueryRow(t.Context(), "SELECT d.state, d.failure, m.state FROM broadcast_deliveries AS d, mails AS m").Scan(&state, &failure, &mailed))
			assert.Equal(t, c.state, state)
			assert.Equal(t, c.mail, mailed)
			if c.failure == "" {
				assert.Nil(t, failure)
			} else if assert.NotNil(t, failure) {
				assert.Contains(t, *failure, c.failure)
			}
		})
	}
}
