package api_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/mail"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/db"
	kakeaimail "github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/outbox"
)

func mailSettings(p *person) api.MailSettings { return get[api.MailSettings](p, "/mail-settings") }

func TestMailSettingsAreEachMembersOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	assert.Equal(t, api.MailSettings{Digest: "daily", Subscribed: true}, mailSettings(b.viewer), "before anything was said")

	patch := func(p *person, body fields) api.MailSettings {
		return into[api.MailSettings](p.send(http.MethodPatch, "/mail-settings", body).is(http.StatusOK))
	}
	assert.Equal(t, api.MailSettings{Digest: "weekly", Subscribed: true}, patch(b.viewer, fields{"digest": "weekly"}))
	ended := patch(b.viewer, fields{"subscribed": false})
	assert.Equal(t, api.DigestRhythm("weekly"), ended.Digest)
	assert.False(t, ended.Subscribed)
	require.NotNil(t, ended.UnsubscribedAt)
	assert.Equal(t, *ended.UnsubscribedAt, *patch(b.viewer, fields{"subscribed": false, "digest": "off"}).UnsubscribedAt, "it was ended then, not now")
	assert.Equal(t, api.MailSettings{Digest: "off", Subscribed: true}, patch(b.viewer, fields{"subscribed": true}))
	assert.Equal(t, api.MailSettings{Digest: "daily", Subscribed: true}, mailSettings(b.member), "others' are others'")

	for body, pointer := range map[string]string{`{"digest":"hourly"}`: "/digest", `{"subscribed":null}`: "/subscribed", `{"revision":1}`: "/revision", `{}`: ""} {
		a := b.viewer.send(http.MethodPatch, "/mail-settings", body)
		assert.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, a.status, body)
		assert.Equal(t, []string{pointer}, a.problem().pointers(), body)
	}
	assert.Equal(t, api.MailSettings{Digest: "off", Subscribed: true}, mailSettings(b.viewer))
}

// Two changes of different fields at once are both kept, also when there was nothing yet.
func TestChangesOfMailSettingsDoNotLoseEachOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var both sync.WaitGroup
	for _, body := range []fields{{"digest": "weekly"}, {"subscribed": false}} {
		both.Go(func() {
			a, err := b.viewer.try(http.MethodPatch, "/mail-settings", body)
			assert.NoError(t, err)
			assert.Equal(t, http.StatusOK, a.status, "%s", a.body)
		})
	}
	both.Wait()
	now := mailSettings(b.viewer)
	assert.Equal(t, api.DigestRhythm("weekly"), now.Digest)
	assert.False(t, now.Subscribed)
}

func (b *bundle) auditedUnsubscribing() (n int) {
	b.t.Helper()
	require.NoError(b.t, b.database.Owner.QueryRow(b.t.Context(), "SELECT count(*) FROM audit_events WHERE action = 'mail_settings.unsubscribed' AND target_kind = 'member' AND actor_id IS NULL").Scan(&n))
	return n
}

func TestTheLinkInAMailEndsMail(t *testing.T) {
	t.Parallel()
	b, links := setupMail(t, api.Options{})
	path := "/unsubscribe?token=" + links.Token(b.id, b.viewer.id)

	for range 3 { // programs follow links too
		status, page, headers := b.visit(http.MethodGet, path, "")
		assert.Equal(t, http.StatusOK, status)
		assert.Contains(t, page, "Stop all mail from みなと製作所?")
		assert.Contains(t, page, `<form method="post" action="`+path+`">`)
		assert.Contains(t, headers.Get("Content-Security-Policy"), "default-src 'none'")
		assert.Contains(t, headers.Get("Content-Security-Policy"), "frame-ancestors 'none'")
		assert.Equal(t, "no-referrer", headers.Get("Referrer-Policy"))
		assert.Equal(t, "no-store", headers.Get("Cache-Control"))
	}
	assert.True(t, mailSettings(b.viewer).Subscribed, "asking changes nothing")

	status, page, _ := b.visit(http.MethodPost, path, "List-Unsubscribe=One-Click", header{"Content-Type", "application/x-www-form-urlencoded"}, header{"Origin", "https://mail.example.net"})
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, page, "You are unsubscribed")
	assert.False(t, mailSettings(b.viewer).Subscribed)
	assert.True(t, mailSettings(b.member).Subscribed)
	at := *mailSettings(b.viewer).UnsubscribedAt

	status, page, _ = b.visit(http.MethodPost, path, "", header{"Accept-Language", "ja,en;q=0.8"})
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, page, `<html lang="ja">`)
	assert.Contains(t, page, "メールを停止しました")
	_, page, _ = b.visit(http.MethodGet, path, "", header{"Accept-Language", "ja"})
	assert.Contains(t, page, "メールを停止しました")
	assert.Equal(t, at, *mailSettings(b.viewer).UnsubscribedAt)
	assert.Equal(t, 1, b.auditedUnsubscribing())

	b.viewer.send(http.MethodPatch, "/mail-settings", fields{"subscribed": true}).is(http.StatusOK)
	_, page, _ = b.visit(http.MethodGet, path, "", header{"Accept-Language", "ja-JP"})
	assert.Contains(t, page, "みなと製作所からのメールを停止しますか？")
	b.visit(http.MethodPost, path, "")
	assert.False(t, mailSettings(b.viewer).Subscribed, "the link works as long as there are mails with it")
}

// It ends mail of one organisation, for whoever belongs to it, suspended or not, and it opens nothing else.
func TestALinkIsForOneMembershipAndNothingElse(t *testing.T) {
	t.Parallel()
	b, links := setupMail(t, api.Options{})
	status, page, _ := b.visit(http.MethodPost, "/unsubscribe?token="+links.Token(b.id, b.suspended.id), "")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, page, "You are unsubscribed")

	otherKey, err := kakeaimail.NewLinks([]byte(strings.Repeat("x", 32)))
	require.NoError(t, err)
	for what, token := range map[string]string{
		"none": "", "rubbish": "rubbish", "of another key": otherKey.Token(b.id, b.viewer.id), "not a member": links.Token(b.id, b.elsewhere.id),
		"no organisation": links.Token(uuid.New(), b.viewer.id), "nobody": links.Token(b.id, uuid.New()), "a session": b.viewer.token,
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			status, page, _ := b.visit(method, "/unsubscribe?token="+url.QueryEscape(token), "")
			assert.Equal(t, http.StatusNotFound, status, "%s %s", method, what)
			assert.Contains(t, page, "This link does not work", "%s %s", method, what)
			assert.NotContains(t, page, "みなと製作所")
		}
	}
	impostor := *b.viewer
	impostor.token = links.Token(b.id, b.viewer.id)
	impostor.send(http.MethodGet, "/session", nil).is(http.StatusUnauthorized)
	a := b.viewer.send(http.MethodGet, "/teams?cursor="+url.QueryEscape(impostor.token), nil)
	assert.Equal(t, http.StatusBadRequest, a.status)
	assert.Equal(t, 1, b.auditedUnsubscribing())
}

func TestUnsubscribingManyTimesAtOnceHappensOnce(t *testing.T) {
	t.Parallel()
	b, links := setupMail(t, api.Options{})
	path := "/unsubscribe?token=" + links.Token(b.id, b.viewer.id)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+path, nil)
			assert.NoError(t, err)
			answer, err := b.client.Do(r)
			if assert.NoError(t, err) {
				assert.NoError(t, answer.Body.Close())
				assert.Equal(t, http.StatusOK, answer.StatusCode)
			}
		})
	}
	all.Wait()
	assert.Equal(t, 1, b.auditedUnsubscribing())
}

func TestALinkIsNotForHammering(t *testing.T) {
	t.Parallel()
	b, links := setupMail(t, api.Options{Limits: api.Limits{Account: api.Rate{PerSecond: 0.001, Burst: 3}}})
	for i, want := range []int{200, 200, 200, 429, 429} {
		status, _, headers := b.visit(http.MethodGet, "/unsubscribe?token="+links.Token(b.id, b.viewer.id), "")
		assert.Equal(t, want, status, i)
		assert.Equal(t, want == 429, headers.Get("Retry-After") != "")
	}
	status, _, _ := b.visit(http.MethodGet, "/unsubscribe?token="+links.Token(b.id, b.member.id), "")
	assert.Equal(t, http.StatusOK, status, "others' links are not used up")
}

// allow is a budget without end.
type allow struct{}

func (allow) Take() bool { return true }

// From the change that enqueues a mail to the page that shows it.
func TestInDevelopmentMailsAreShownHere(t *testing.T) {
	t.Parallel()
	folder := kakeaimail.NewFolder(t.TempDir())
	b, links := setupMail(t, api.Options{Mails: folder})
	status, page, _ := b.visit(http.MethodGet, "/dev/mail", "")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, page, "There is none yet.")

	sender, err := kakeaimail.NewSender(b.store, slog.New(alarm{t}), kakeaimail.Options{Transport: folder, From: mail.Address{Address: "okr@example.com"}, Address: "http://127.0.0.1:8080", Links: links, Budget: allow{}, PerMinute: 1})
	require.NoError(t, err)
	e := outbox.Event{Organization: b.id, Kind: kakeaimail.EventKind, Attempt: 1}
	scope := db.Scope{Organization: b.id}
	content := kakeaimail.Meeting{Method: "REQUEST", Title: "<b>週次</b>", Calendar: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", Path: "/occurrences/1"}
	require.NoError(t, b.store.Write(t.Context(), scope, func(ctx context.Context, q *db.Queries) (err error) {
		e.Target, err = kakeaimail.Enqueue(ctx, q, b.id, b.viewer.id, content, false)
		return err
	}))
	fold, err := sender.Send(t.Context(), e)
	require.NoError(t, err)
	require.NoError(t, b.store.Write(t.Context(), scope, func(ctx context.Context, q *db.Queries) error { return fold(ctx, q, e) }))

	at := "/dev/mail/" + e.Target.String()
	_, page, _ = b.visit(http.MethodGet, "/dev/mail", "")
	assert.Contains(t, page, at)
	assert.Contains(t, page, "&lt;b&gt;週次&lt;/b&gt;")
	_, page, headers := b.visit(http.MethodGet, at, "")
	assert.Contains(t, page, `sandbox="allow-popups allow-popups-to-escape-sandbox"`)
	assert.Contains(t, page, "Message-ID")
	assert.Contains(t, page, "&lt;b&gt;週次&lt;/b&gt;")
	assert.NotContains(t, page, "<b>")
	assert.Contains(t, headers.Get("Content-Security-Policy"), "default-src 'none'")
	_, page, headers = b.visit(http.MethodGet, at+"/html", "")
	assert.Contains(t, page, "<!doctype html>")
	assert.True(t, strings.HasPrefix(headers.Get("Content-Security-Policy"), "sandbox "), "also when it is opened by itself")
	assert.NotContains(t, headers.Get("Content-Security-Policy"), "allow-scripts")
	_, page, headers = b.visit(http.MethodGet, at+"/source", "")
	assert.Contains(t, page, "\r\nMessage-ID: <"+e.Target.String()+"@example.com>\r\n")
	assert.Equal(t, "text/plain; charset=utf-8", headers.Get("Content-Type"))
	_, page, headers = b.visit(http.MethodGet, at+"/attachments/1", "")
	assert.Equal(t, content.Calendar, page)
	assert.Equal(t, "attachment; filename=invite.ics", headers.Get("Content-Disposition"))
	assert.Equal(t, "application/octet-stream", headers.Get("Content-Type"))
	for _, nothing := range []string{"/dev/mail/" + uuid.NewString(), "/dev/mail/..%2f..%2fsecret", "/dev/mail/x", at + "/attachments/2", at + "/attachments/-1", at + "/attachments/x", at + "/other"} {
		status, _, _ := b.visit(http.MethodGet, nothing, "")
		assert.Equal(t, http.StatusNotFound, status, nothing)
	}
}

func TestThereIsNoViewerInProduction(t *testing.T) {
	t.Parallel()
	for _, options := range []api.Options{{}, {Production: true, Mails: kakeaimail.NewFolder(t.TempDir())}} {
		b, _ := setupMail(t, options)
		status, _, _ := b.visit(http.MethodGet, "/dev/mail", "")
		assert.Equal(t, http.StatusNotFound, status)
	}
}
