package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/notify"
)

// sent is what all of the organisation's active people were told.
func (b *bundle) sent() map[string][]string {
	b.t.Helper()
	all := map[string][]string{}
	for _, p := range []*person{b.owner, b.admin, b.lead, b.author, b.teammate, b.member, b.viewer} {
		if inbox := p.inbox(); len(inbox) > 0 {
			all[p.name] = inbox
		}
	}
	return all
}

// read empties all inboxes.
func (b *bundle) read() { b.exec("UPDATE notifications SET read_at = now(), changed_at = now()") }

func mention(p *person) string { return fmt.Sprintf("@[%s](member:%s)", p.name, p.id) }

func (p *person) comments(o api.Objective, body string) {
	p.t.Helper()
	p.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": body}).is(http.StatusCreated)
}

func TestThoseAreToldWhomItConcerns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	title := "お客さまに選ばれ続ける"
	told := func(what string, want map[string][]string) {
		t.Helper()
		b.deliver()
		assert.Equal(t, want, b.sent(), what)
		b.exec("DELETE FROM notifications")
	}
	o := b.author.draft()
	told("one's own draft", map[string][]string{})
	o = b.author.move(o, "submit", nil)
	told("submitted", map[string][]string{"lead": {"review-requested " + title}})
	assert.Equal(t, 1, b.lead.mailed("notice"), "a review is waited for, so it is mailed at once")
	o = b.lead.move(o, "return", fields{"note": "数字を入れて"})
	b.deliver()
	returned := get[api.NotificationPage](b.author, "/notifications").Items
	require.Len(t, returned, 1)
	assert.Equal(t, notify.Returned, returned[0].Kind)
	assert.Equal(t, "数字を入れて", *returned[0].Excerpt)
	assert.Equal(t, "lead", returned[0].Actor.Name)
	assert.Equal(t, "/objectives/"+o.ID.String(), returned[0].Path)
	b.exec("DELETE FROM notifications")
	o = b.author.move(o, "submit", nil)
	told("submitted again", map[string][]string{"lead": {"review-requested " + title}})
	o = b.lead.move(o, "approve", nil)
	told("approved", map[string][]string{"author": {"approved " + title}})
	assert.Zero(t, b.author.mailed("notice")-1, "an approval waits for the digest; only the return was mailed")
	b.author.checkIn(o.KeyResults[0].ID, "10")
	told("a check-in", map[string][]string{})
	o = b.lead.move(o, "revise", nil)
	told("revised", map[string][]string{"author": {"revised " + title}})
	o = b.lead.move(b.author.move(o, "submit", nil), "approve", nil)
	told("and back", map[string][]string{"lead": {"review-requested " + title}, "author": {"approved " + title}})
	o = b.lead.move(o, "close", fields{"score": "0.4", "note": "届かなかった"})
	told("closed", map[string][]string{"author": {"objective-closed " + title}})
	b.lead.move(o, "reopen", nil)
	told("reopened", map[string][]string{"author": {"reopened " + title}})

	ofOthers := b.lead.draft(fields{"owner_id": b.author.id, "title": "任された目標", "key_results": []fields{with(metric("NPS"), "owner_id", b.teammate.id)}})
	told("drafted for somebody", map[string][]string{"author": {"assigned 任された目標"}, "teammate": {"assigned NPS"}})
	b.author.move(ofOthers, "submit", nil)
	told("reviewers without the author", map[string][]string{"lead": {"review-requested 任された目標"}}) // the only lead, who wrote it, since nobody else leads
	handed := get[api.Objective](b.lead, objective(ofOthers.ID))
	b.lead.send(http.MethodPatch, objective(ofOthers.ID), fields{"revision": handed.Revision, "owner_id": b.member.id}).is(http.StatusOK)
	told("handed over", map[string][]string{"member": {"assigned 任された目標"}})

	alone := b.member.move(b.member.draft(fields{"team_id": nil}), "submit", nil)
	told("without a team", map[string][]string{"owner": {"review-requested " + title}, "admin": {"review-requested " + title}})
	b.member.send(http.MethodPost, action(alone.ID, "archive"), fields{"revision": alone.Revision}).is(http.StatusOK)
	told("archived", map[string][]string{})

	b.lead.send(http.MethodPut, "/teams/"+b.team.String()+"/members/"+b.member.id.String(), fields{"role": "member"}).is(http.StatusOK)
	told("put in a team", map[string][]string{"member": {"team-joined カスタマーサクセス"}})
}

func TestACommentCallsThoseItMentions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"title": "T"})
	hidden := b.author.draft(fields{"title": "H", "visibility": "private"})
	b.member.comments(o, "どうでしょう")
	b.deliver()
	assert.Equal(t, map[string][]string{"author": {"commented T"}}, b.sent())
	b.read()
	b.teammate.comments(o, "見て "+mention(b.viewer)+" "+mention(b.member)+" "+mention(b.teammate)+" "+mention(b.elsewhere)+" "+mention(b.suspended)+" @[x](member:nobody)")
	b.deliver()
	b.exec("DELETE FROM notifications WHERE read_at IS NOT NULL")
	assert.Equal(t, map[string][]string{"author": {"commented T"}, "viewer": {"mentioned T"}, "member": {"mentioned T"}}, b.sent(), "neither oneself, nor strangers, nor the suspended")
	assert.Equal(t, "見て @viewer @member @teammate @stranger @suspended @[x](member:nobody)", *get[api.NotificationPage](b.viewer, "/notifications").Items[0].Excerpt)
	assert.Equal(t, 1, b.viewer.mailed("notice"))
	b.author.comments(o, "もう一度 "+mention(b.viewer))
	b.author.comments(o, "さらに "+mention(b.viewer))
	b.deliver()
	assert.Equal(t, []string{"mentioned T ×3"}, b.viewer.inbox(), "what is unread and the same is one")
	assert.Equal(t, 1, b.viewer.mailed("notice"), "and one mail in ten minutes")
	b.exec("UPDATE notice_claims SET claimed_at = claimed_at - interval '11 minutes'")
	b.author.comments(o, mention(b.viewer))
	b.deliver()
	assert.Equal(t, 2, b.viewer.mailed("notice"))

	b.author.comments(hidden, mention(b.teammate)+mention(b.lead))
	before := len(b.teammate.inbox())
	b.deliver()
	assert.Len(t, b.teammate.inbox(), before, "who may not see it is not told that it exists")
	assert.Contains(t, b.lead.inbox(), "mentioned H")
	assert.Zero(t, value[int](b, "SELECT count(*) FROM mails WHERE user_id = $1 AND detail->>'title' = 'H'", b.teammate.id))
}

func TestAnEventThatIsDeliveredTwiceTellsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	b.author.move(o, "submit", nil)
	b.member.comments(o, mention(b.lead))
	events := b.events()
	require.NotEmpty(t, events)
	b.deliver()
	after := b.content()
	for _, e := range events {
		b.fold(e)
	}
	assert.Equal(t, after, b.content())
	b.read()
	b.exec("UPDATE notice_claims SET claimed_at = claimed_at - interval '1 day' WHERE name LIKE 'mail:%'") // neither reading it nor time makes it news again
	after = b.content()
	for _, e := range events {
		b.fold(e)
	}
	assert.Equal(t, after, b.content())
}

func TestWhatHasBecomeInvisibleIsNeitherShownNorCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"title": "T"})
	b.author.comments(o, mention(b.member))
	b.deliver()
	assert.Equal(t, []string{"mentioned T"}, b.member.inbox())
	unread := func() api.UnreadCount { return get[api.NotificationSummary](b.member, "/notifications/summary").Unread }
	assert.Equal(t, api.UnreadCount{Count: 1}, unread())
	b.exec("UPDATE objectives SET visibility = 'team' WHERE id = $1", o.ID)
	assert.Empty(t, b.member.inbox())
	assert.Empty(t, get[api.NotificationPage](b.member, "/notifications?unread=true").Items)
	assert.Zero(t, unread())
	b.place(b.team, b.member, auth.TeamMember)
	assert.Equal(t, []string{"mentioned T"}, b.member.inbox(), "and is there again with the right to see it")
}

func TestUnreadIsCountedUpTo99(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 99 {
		b.notice(b.viewer)
	}
	assert.Equal(t, api.UnreadCount{Count: 99}, get[api.NotificationSummary](b.viewer, "/notifications/summary").Unread)
	b.notice(b.viewer)
	assert.Equal(t, api.UnreadCount{Count: 99, More: true}, get[api.NotificationSummary](b.viewer, "/notifications/summary").Unread)
	assert.Zero(t, get[api.NotificationSummary](b.member, "/notifications/summary").Unread)
}

func TestOnlyWhatWasSeenIsMarkedAsRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"title": "T"})
	say := func() {
		b.author.comments(o, mention(b.member))
		b.deliver()
	}
	say()
	page := get[api.NotificationPage](b.member, "/notifications")
	seen := fields{"id": page.Items[0].ID, "latest_id": page.Items[0].LatestID}
	say() // joins it
	mark := func(body fields) api.NotificationsMarked {
		t.Helper()
		return into[api.NotificationsMarked](b.member.send(http.MethodPost, "/notifications/read", body).is(http.StatusOK))
	}
	assert.Equal(t, api.NotificationsMarked{Unread: api.UnreadCount{Count: 1}}, mark(fields{"items": []fields{seen}}), "it is not what was seen any more")
	assert.Equal(t, api.NotificationsMarked{Unread: api.UnreadCount{Count: 1}}, mark(fields{"seen": page.Seen}))
	page = get[api.NotificationPage](b.member, "/notifications")
	other := b.notice(b.member)
	assert.Equal(t, api.NotificationsMarked{Marked: 1, Unread: api.UnreadCount{Count: 1}}, mark(fields{"seen": page.Seen}))
	assert.Equal(t, api.NotificationsMarked{Unread: api.UnreadCount{Count: 1}}, mark(fields{"seen": page.Seen}), "again changes nothing")
	assert.Equal(t, api.NotificationsMarked{Marked: 1}, mark(fields{"items": []fields{{"id": other, "latest_id": other}}}))
	foreign := b.notice(b.viewer)
	assert.Zero(t, mark(fields{"items": []fields{{"id": foreign, "latest_id": foreign}}}).Marked, "somebody else's")
	say()
	assert.Equal(t, []string{"mentioned T", "broadcast お知らせ", "mentioned T ×2"}, b.member.inbox(), "what is read is not joined")

	for what, body := range map[string]fields{"neither": {}, "both": {"seen": page.Seen, "items": []fields{seen}}} {
		b.member.send(http.MethodPost, "/notifications/read", body).refused(http.StatusUnprocessableEntity, "invalid", "")
		_ = what
	}
	for what, token := range map[string]string{"somebody else's": get[api.NotificationPage](b.viewer, "/notifications").Seen, "tampered": "B" + page.Seen[1:], "cut": page.Seen[:12], "empty": "", "no base64": "{}"} {
		a := b.member.send(http.MethodPost, "/notifications/read", fields{"seen": token})
		a.what += ": " + what
		a.refused(http.StatusUnprocessableEntity, "invalid", "/seen")
	}
}

// Ids are made before the commit, so what commits late has an id from before that of what was seen. It was not seen all the same.
func TestWhatCommitsAfterThePageStaysUnread(t *testing.T) {
	t.Parallel()
	b := setup(t)
	late, listed := make(chan struct{}), make(chan struct{})
	subject := db.NewID()
	done := make(chan error, 1)
	go func() {
		done <- b.store.Write(b.t.Context(), db.Scope{Organization: b.id}, func(ctx context.Context, q *db.Queries) error {
			err := notify.Create(ctx, q, b.id, notify.Notification{User: b.member.id, Kind: notify.BroadcastReceived, SubjectKind: "broadcast", Subject: subject, Title: "遅れて", Path: "/"})
			close(late)
			<-listed
			return err
		})
	}()
	<-late
	b.notice(b.member)
	page := get[api.NotificationPage](b.member, "/notifications")
	require.Len(t, page.Items, 1)
	close(listed)
	require.NoError(t, <-done)
	a := b.member.send(http.MethodPost, "/notifications/read", fields{"seen": page.Seen}).is(http.StatusOK)
	assert.Equal(t, api.NotificationsMarked{Marked: 1, Unread: api.UnreadCount{Count: 1}}, into[api.NotificationsMarked](a))
	unread := get[api.NotificationPage](b.member, "/notifications?unread=true").Items
	require.Len(t, unread, 1)
	assert.Equal(t, subject, unread[0].SubjectID)
	assert.Less(t, unread[0].LatestID.String(), page.Items[0].LatestID.String(), "or this test says nothing")
}

func TestPeopleAreToldAsTheyWantToBe(t *testing.T) {
	t.Parallel()
	b := setup(t)
	shown := get[api.NotificationPreferences](b.member, "/notification-preferences").Items
	require.Len(t, shown, len(notify.Defaults()))
	for i, d := range notify.Defaults() {
		assert.Equal(t, api.NotificationPreferenceShown{Kind: d.Kind, Inbox: d.Inbox, Mail: d.Mail, DefaultInbox: d.Inbox, DefaultMail: d.Mail}, shown[i])
	}
	put := func(items ...fields) answer {
		return b.member.send(http.MethodPut, "/notification-preferences", fields{"items": append([]fields{}, items...)})
	}
	put(fields{"kind": "mentioned", "inbox": false, "mail": "immediate"}, fields{"kind": "commented", "inbox": true, "mail": "off"}).is(http.StatusOK)
	o := b.author.draft(fields{"title": "T"})
	b.author.comments(o, mention(b.member))
	b.deliver()
	assert.Empty(t, b.member.inbox())
	assert.Equal(t, 1, b.member.mailed("notice"))
	put(fields{"kind": "mentioned", "inbox": true, "mail": "off"}).is(http.StatusOK)
	b.exec("DELETE FROM notice_claims")
	b.author.comments(o, mention(b.member))
	b.deliver()
	assert.Equal(t, []string{"mentioned T"}, b.member.inbox())
	assert.Equal(t, 1, b.member.mailed("notice"))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM notification_preferences WHERE user_id = $1", b.member.id), "what is left out is as by default again")
	put().is(http.StatusOK)
	b.exec("INSERT INTO mail_settings (organization_id, user_id, unsubscribed_at) VALUES ($1, $2, now())", b.id, b.member.id)
	b.author.comments(o, mention(b.member))
	b.deliver()
	assert.Equal(t, 1, b.member.mailed("notice"), "who has ended all mail gets none")

	twice := put(fields{"kind": "mentioned", "inbox": true, "mail": "off"}, fields{"kind": "mentioned", "inbox": false, "mail": "off"})
	twice.refused(http.StatusUnprocessableEntity, "invalid", "/items/1/kind")
	put(fields{"kind": "mentioned", "inbox": false, "mail": "digest"}).refused(http.StatusUnprocessableEntity, "invalid", "/items/0/mail")
	put(fields{"kind": "no-such", "inbox": false, "mail": "digest"}).refused(http.StatusUnprocessableEntity, "invalid", "/items/0/kind")
}

func TestTheFeedShowsWhatIsVisible(t *testing.T) {
	t.Parallel()
	b := setup(t)
	open := b.author.draft(fields{"title": "O"})
	hidden := b.author.draft(fields{"title": "H", "visibility": "private"})
	b.author.comments(open, "秘密ではない")
	b.author.comments(hidden, "秘密")
	b.deliver()
	feed := func(p *person, query string) (all []string) {
		t.Helper()
		for path := "/feed" + query; path != ""; {
			page := get[api.FeedPage](p, path)
			for _, e := range page.Items {
				all = append(all, e.Action+" "+e.Title)
			}
			path = ""
			if page.NextCursor != nil {
				path = "/feed" + query + "&cursor=" + *page.NextCursor
			}
		}
		return all
	}
	visible, all := []string{"comment.created O", "objective.created O"}, []string{"comment.created H", "comment.created O", "objective.created H", "objective.created O"}
	for _, query := range []string{"?limit=1", "?limit=50", "?limit=2&team_id=" + b.team.String()} {
		assert.Equal(t, visible, feed(b.member, query), query)
		assert.Equal(t, all, feed(b.lead, query), query)
	}
	assert.Empty(t, feed(b.lead, "?team_id="+b.otherTeam.String()))
	assert.Equal(t, visible, feed(b.viewer, "?objective_id="+open.ID.String()))
	assert.Empty(t, feed(b.viewer, "?objective_id="+open.ID.String()+"&team_id="+b.otherTeam.String()))
	b.viewer.send(http.MethodGet, "/feed?objective_id="+hidden.ID.String(), nil).refused(http.StatusNotFound, "not-found")
	b.elsewhere.send(http.MethodGet, "/feed?objective_id="+open.ID.String(), nil).refused(http.StatusNotFound, "not-found")
	assert.Empty(t, feed(b.elsewhere, "?limit=5"))
	for _, e := range get[api.FeedPage](b.lead, "/feed").Items {
		assert.NotContains(t, string(e.Detail), "秘密", "only ids are kept")
	}
}

// A reader who may see hardly anything pages through what is hidden in steps that have a bound.
func TestAPageOfTheFeedLooksAtABoundedNumber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hidden := b.author.draft(fields{"title": "H", "visibility": "private"})
	open := b.author.draft(fields{"title": "O"})
	insert := `INSERT INTO feed_entries (organization_id, id, objective_id, action, happened_at)
		SELECT $1, ('0193f0a1-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, 'objective.updated', now() FROM generate_series($3::int, $4::int) AS n`
	b.exec(insert, b.id, open.ID, 1, 1)
	b.exec(insert, b.id, hidden.ID, 2, 2501)
	page := get[api.FeedPage](b.member, "/feed?limit=10")
	pages := 1
	for page.NextCursor != nil {
		assert.Empty(t, page.Items)
		page = get[api.FeedPage](b.member, "/feed?limit=10&cursor="+*page.NextCursor)
		pages++
	}
	assert.Len(t, page.Items, 1)
	assert.Equal(t, 3, pages)
}

func TestEverythingOwedIsListedTheEarliestDueFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owed := func(p *person) (lines []string) {
		t.Helper()
		list := get[api.OwedList](p, "/owed")
		assert.Equal(t, len(list.Items), list.Count)
		assert.Equal(t, api.OwedCount{Count: list.Count}, get[api.NotificationSummary](p, "/notifications/summary").Owed)
		for _, o := range list.Items {
			lines = append(lines, string(o.Kind)+" "+o.Title)
		}
		return lines
	}
	draft := b.author.draft(fields{"title": "下書き"})
	b.author.draft(fields{"title": "次の期", "cycle_id": b.newCycle("preparation", 30, 60)})
	assert.Equal(t, []string{"draft 下書き"}, owed(b.author))
	b.exec("UPDATE memberships SET role = 'viewer' WHERE user_id = $1", b.author.id)
	assert.Empty(t, owed(b.author), "who may not write owes nothing")
	b.exec("UPDATE memberships SET role = 'member' WHERE user_id = $1", b.author.id)
	draft = b.author.move(draft, "submit", nil)
	assert.Empty(t, owed(b.author))
	assert.Equal(t, []string{"review 下書き"}, owed(b.lead))
	assert.Empty(t, owed(b.admin), "the team has a lead")
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.lead.id)
	assert.Equal(t, []string{"review 下書き"}, owed(b.admin), "who cannot act")
	b.exec("UPDATE memberships SET suspended_at = NULL WHERE user_id = $1", b.lead.id)
	b.lead.move(draft, "return", fields{"note": "まだ"})
	assert.Equal(t, []string{"returned-draft 下書き"}, owed(b.author))
	assert.Empty(t, owed(b.lead))

	own := b.lead.draft(fields{"title": "自分の"})
	b.lead.move(own, "submit", nil)
	assert.Equal(t, []string{"review 自分の"}, owed(b.lead), "nobody else leads the team")
	b.place(b.team, b.teammate, auth.TeamLead)
	assert.Empty(t, owed(b.lead))
	assert.Equal(t, []string{"review 自分の"}, owed(b.teammate))
	b.place(b.team, b.teammate, auth.TeamMember)
	b.put(own.ID, "draft")

	noTeam := b.member.move(b.member.draft(fields{"team_id": nil, "title": "ひとり"}), "submit", nil)
	assert.Equal(t, []string{"review ひとり"}, owed(b.owner))
	assert.Equal(t, []string{"review ひとり"}, owed(b.admin))
	b.put(noTeam.ID, "approved")

	o := b.author.approved(fields{"title": "測る", "visibility": "private", "key_results": []fields{metric("NPS"), with(metric("解約率"), "owner_id", b.member.id), with(metric("受注"), "owner_id", b.lead.id)}})
	b.exec("UPDATE objectives SET changed_at = now() - interval '20 days' WHERE id IN ($1, $2)", o.ID, noTeam.ID)
	assert.Equal(t, []string{"check-in NPS", "returned-draft 下書き"}, owed(b.author))
	assert.Equal(t, []string{"check-in NPS"}, owed(b.member), "of the private objective they see nothing, of their own its key result")
	assert.Equal(t, []string{"draft 自分の", "check-in 受注"}, owed(b.lead))
	b.author.checkIn(o.KeyResults[0].ID, "3")
	assert.Equal(t, []string{"returned-draft 下書き"}, owed(b.author))
	b.exec("UPDATE key_results SET current_at = now() - interval '5 days' WHERE id = $1", o.KeyResults[0].ID)
	assert.Equal(t, []string{"returned-draft 下書き"}, owed(b.author), "a week is not over")
	b.exec("UPDATE key_results SET current_at = now() - interval '8 days' WHERE id = $1", o.KeyResults[0].ID)
	list := get[api.OwedList](b.author, "/owed").Items
	require.Len(t, list, 2)
	assert.Equal(t, "測る", *list[0].ObjectiveTitle)
	due := value[time.Time](b, "SELECT (current_at AT TIME ZONE 'Asia/Kathmandu')::date + 7 FROM key_results WHERE id = $1", o.KeyResults[0].ID)
	assert.Equal(t, due.Format(time.DateOnly), list[0].DueOn.Format(time.DateOnly))
	b.exec("UPDATE cycles SET ends_on = (now() AT TIME ZONE 'Asia/Kathmandu')::date - 8, starts_on = '2026-01-01' WHERE id = $1", b.cycle)
	assert.Equal(t, []string{"returned-draft 下書き"}, owed(b.author), "the days of grace are over")
	b.exec("UPDATE cycles SET state = 'closed' WHERE id = $1", b.cycle)
	assert.Empty(t, owed(b.author))

	meeting, occurrence := b.surveyed(b.member, b.lead)
	b.exec("INSERT INTO follow_ups (organization_id, id, occurrence_id, assignee_id, title, due_on, created_by, changed_by) VALUES ($1, $2, $3, $4, 'いつか', NULL, $4, $4)", b.id, db.NewID(), occurrence, b.member.id)
	b.exec("INSERT INTO follow_ups (organization_id, id, occurrence_id, assignee_id, title, due_on, created_by, changed_by) VALUES ($1, $2, $3, $4, '早く', '2026-01-01', $4, $4)", b.id, db.NewID(), occurrence, b.member.id)
	b.exec("INSERT INTO follow_ups (organization_id, id, occurrence_id, assignee_id, title, due_on, done_at, created_by, changed_by) VALUES ($1, $2, $3, $4, '済んだ', '2026-01-01', now(), $4, $4)", b.id, db.NewID(), occurrence, b.member.id)
	assert.Equal(t, []string{"follow-up 早く", "survey 週次", "follow-up いつか"}, owed(b.member))
	assert.Equal(t, []string{"survey 週次"}, owed(b.lead))
	b.exec("INSERT INTO survey_participants VALUES ($1, $2, $3)", b.id, occurrence, b.lead.id)
	assert.Empty(t, owed(b.lead), "who has answered")
	b.exec("UPDATE meeting_attendees SET response = 'declined' WHERE meeting_id = $1 AND user_id = $2", meeting, b.member.id)
	assert.Equal(t, []string{"follow-up 早く", "follow-up いつか"}, owed(b.member))
}

// surveyed makes a meeting tomorrow whose survey has been asked.
func (b *bundle) surveyed(attendees ...*person) (meeting, occurrence uuid.UUID) {
	b.t.Helper()
	meeting, occurrence = db.NewID(), db.NewID()
	b.exec(`INSERT INTO meetings (organization_id, id, title, organizer_id, time_zone, starts_at_local, duration_minutes, created_by, changed_by)
		VALUES ($1, $2, '週次', $3, 'Asia/Tokyo', '2026-12-01 09:00', 30, $3, $3)`, b.id, meeting, b.owner.id)
	b.exec("INSERT INTO survey_questions (organization_id, id, meeting_id, position, kind, title) VALUES ($1, $2, $3, 0, 'text', '気になることは')", b.id, db.NewID(), meeting)
	b.exec(`INSERT INTO meeting_occurrences (organization_id, id, meeting_id, recurrence_at, starts_at, ends_at, survey_asked_at, changed_by)
		VALUES ($1, $2, $3, now(), now() + interval '1 day', now() + interval '25 hours', now(), $4)`, b.id, occurrence, meeting, b.owner.id)
	for _, p := range attendees {
		b.exec("INSERT INTO meeting_attendees (organization_id, meeting_id, user_id) VALUES ($1, $2, $3)", b.id, meeting, p.id)
	}
	return meeting, occurrence
}

func TestOwedHasABound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, created_by, changed_by)
		SELECT $1, gen_random_uuid(), $2, $3, 'One of many', $3, $3 FROM generate_series(1, 201)`, b.id, b.cycle, b.member.id)
	list := get[api.OwedList](b.member, "/owed")
	assert.Len(t, list.Items, 200)
	assert.True(t, list.More)
	assert.Equal(t, api.OwedCount{Count: 200, More: true}, get[api.NotificationSummary](b.member, "/notifications/summary").Owed)
}

// hears opens a person's stream of notifications.
func (p *person) hears(query string, headers ...header) *stream {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	p.t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/api/v1/notifications/events"+query, nil)
	require.NoError(p.t, err)
	request.Header.Set("Authorization", "Bearer "+p.token)
	for _, h := range headers {
		request.Header.Set(h.name, h.value)
	}
	response, err := p.client.Do(request)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { _ = response.Body.Close() })
	require.Equal(p.t, http.StatusOK, response.StatusCode)
	return &stream{t: p.t, lines: bufio.NewScanner(response.Body), header: response.Header}
}

func (s *stream) tells(kind notify.Kind) api.Notification {
	s.t.Helper()
	name, data := s.next()
	require.Equal(s.t, "notification", name)
	var n api.Notification
	require.NoError(s.t, json.Unmarshal([]byte(data), &n))
	assert.Equal(s.t, kind, n.Kind)
	return n
}

func (s *stream) counts(unread int) {
	s.t.Helper()
	name, data := s.next()
	require.Equal(s.t, "summary", name)
	assert.JSONEq(s.t, fmt.Sprintf(`{"count":%d,"more":false}`, unread), data)
}

func TestNotificationsAreHeardAsTheyCome(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.notice(b.member)
	s := b.member.hears("")
	assert.Equal(t, "text/event-stream", s.header.Get("Content-Type"))
	s.counts(1)
	o := b.author.draft(fields{"title": "T"})
	hidden := b.author.draft(fields{"title": "H", "visibility": "private"})
	b.author.comments(hidden, mention(b.member))
	b.notice(b.viewer)
	b.author.comments(o, mention(b.member))
	b.deliver()
	first := s.tells(notify.Mentioned)
	assert.Equal(t, "T", first.Title)
	b.author.comments(o, mention(b.member))
	b.deliver()
	second := s.tells(notify.Mentioned)
	assert.Equal(t, first.ID, second.ID)
	assert.Equal(t, 2, second.Occurrences)
	b.notice(b.member)

	again := b.member.hears("?seconds=0", header{"Last-Event-ID", second.LatestID.String()})
	again.counts(3)
	again.tells(notify.BroadcastReceived)
	again.ends()
	s.tells(notify.BroadcastReceived)
}

func TestAStreamOfNotificationsEndsWithTheServerAndWithTheSession(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(b *bundle){
		"the server stops":     func(b *bundle) { b.api.EndStreams() },
		"the session ends":     func(b *bundle) { b.exec("DELETE FROM sessions WHERE user_id = $1", b.member.id) },
		"the session expires":  func(b *bundle) { b.exec("UPDATE sessions SET expires_at = now() WHERE user_id = $1", b.member.id) },
		"the member is let go": func(b *bundle) { b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.member.id) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := b.member.hears("")
			s.counts(0)
			stays := b.viewer.hears("")
			stays.counts(0)
			end(b)
			s.ends()
			if !strings.Contains(name, "server") {
				b.notice(b.viewer)
				stays.tells(notify.BroadcastReceived)
			}
		})
	}
}

func TestStreamsOfNotificationsAreBoundedAndHoldNoConnection(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 6 {
		b.member.hears("").counts(0)
	}
	a := b.member.send(http.MethodGet, "/notifications/events", nil)
	a.refused(http.StatusTooManyRequests, "too-many-requests")
	assert.NotEmpty(t, a.header.Get("Retry-After"))
	for range 5 {
		twin := b.viewer.again()
		for range 6 {
			twin.hears("").counts(0)
		}
	}
	b.viewer.send(http.MethodGet, "/session", nil).is(http.StatusOK) // more streams than connections
}
