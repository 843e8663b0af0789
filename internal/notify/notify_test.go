package notify_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/notify"
)

// Eight transactions at a time tell the same two people, named in both orders, of the same thing: one notification for each that counts them all, and one mail.
func TestWhatIsTheSameIsOneHoweverManyTellOfIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ren := b.joins("Ren", "Asia/Tokyo", "member")
	subject := db.NewID()
	var all sync.WaitGroup
	const workers, each = 8, 10
	for worker := range workers {
		all.Go(func() {
			for range each {
				both := []notify.Notification{b.notice(b.aoi, notify.Mentioned), b.notice(ren, notify.Mentioned)}
				both[0].Subject, both[1].Subject = subject, subject
				if worker%2 == 1 {
					both[0], both[1] = both[1], both[0]
				}
				assert.NoError(t, b.create(both...))
			}
		})
	}
	all.Wait()
	for _, user := range []uuid.UUID{b.aoi, ren} {
		assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM notifications WHERE user_id = $1", user))
		assert.Equal(t, workers*each, value[int](b, "SELECT occurrences FROM notifications WHERE user_id = $1", user))
		assert.Len(t, mails[mail.Notice](b, user, "notice"), 1)
	}
}

// One reads what they see while more keeps joining it: whatever is read was seen as it is, and nothing is lost.
func TestReadingNeverTakesInWhatArrivesMeanwhile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	subject := db.NewID()
	const arrivals = 60
	arrived := make(chan struct{})
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range arrivals / 3 {
				n := b.notice(b.aoi, notify.Commented)
				n.Subject = subject
				assert.NoError(t, b.create(n))
			}
		})
	}
	go func() {
		all.Wait()
		close(arrived)
	}()
	seen := map[uuid.UUID]int32{} // how many occurrences each had when it was marked
	for ended := false; !ended; {
		select {
		case <-arrived:
			ended = true
		default:
		}
		var rows []db.ListUnreadNotificationsBeforeRow
		require.NoError(t, b.store.Read(t.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) (err error) {
			rows, err = q.ListUnreadNotificationsBefore(ctx, db.ListUnreadNotificationsBeforeParams{OrganizationID: b.organization, ActorID: b.aoi, BeforeID: uuid.Max, PageSize: 10})
			return err
		}))
		for _, n := range rows {
			var marked int64
			require.NoError(t, b.store.Write(t.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) (err error) {
				marked, err = q.MarkNotificationsRead(ctx, db.MarkNotificationsReadParams{OrganizationID: b.organization, ActorID: b.aoi, IDs: []uuid.UUID{n.ID}, LatestIDs: []uuid.UUID{n.LatestID}})
				return err
			}))
			if marked == 1 {
				seen[n.ID] = n.Occurrences
			}
		}
	}
	require.NotEmpty(t, seen)
	for id, occurrences := range seen {
		assert.Equal(t, occurrences, value[int32](b, "SELECT occurrences FROM notifications WHERE id = $1 AND read_at IS NOT NULL", id))
	}
	assert.Equal(t, arrivals, value[int](b, "SELECT sum(occurrences)::int FROM notifications"))
}

func TestOfMailsAboutTheSameAtOnceOneIsWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("INSERT INTO notification_preferences VALUES ($1, $2, 'mentioned', false, 'immediate')", b.organization, b.aoi) // so that nothing but the claim is in the way
	n := b.notice(b.aoi, notify.Mentioned)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { assert.NoError(t, b.create(n)) })
	}
	all.Wait()
	assert.Zero(t, value[int](b, "SELECT count(*) FROM notifications"))
	assert.Len(t, mails[mail.Notice](b, b.aoi, "notice"), 1)
	other := n
	other.Kind = notify.Returned
	require.NoError(t, b.create(other))
	assert.Len(t, mails[mail.Notice](b, b.aoi, "notice"), 2, "another kind is other news")
}

// counter counts statements.
type counter struct {
	db.DBTX
	statements int
}

func (c *counter) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	c.statements++
	return c.DBTX.Exec(ctx, sql, args...)
}

func (c *counter) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	c.statements++
	return c.DBTX.Query(ctx, sql, args...)
}

func TestManyAreToldInAsManyStatementsAsOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all []notify.Notification
	actor := b.joins("Ren", "Asia/Tokyo", "member")
	for range 500 {
		n := b.notice(db.NewID(), notify.Mentioned)
		n.Actor, n.ActorName = &actor, "Ren"
		all = append(all, n)
	}
	b.exec(`INSERT INTO users (id, email, name) SELECT id, id::text || '@example.com', 'Member' FROM unnest($1::uuid[]) AS id`, users(all))
	b.exec(`INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, 'viewer' FROM unnest($2::uuid[]) AS id`, b.organization, users(all))
	own := b.notice(actor, notify.Mentioned)
	own.Actor = &actor
	for _, several := range [][]notify.Notification{all[:1], append(all[1:], own)} {
		var c *counter
		require.NoError(t, pgx.BeginFunc(t.Context(), b.Owner, func(tx pgx.Tx) error {
			c = &counter{DBTX: tx}
			return notify.Create(t.Context(), db.New(c), b.organization, several...)
		}))
		assert.Equal(t, 3, c.statements)
	}
	assert.Equal(t, 500, value[int](b, "SELECT count(*) FROM notifications"))
	assert.Equal(t, 500, value[int](b, "SELECT count(*) FROM mails AS m JOIN outbox_events AS e ON e.target_id = m.id"))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM notifications WHERE user_id = $1", actor), "whoever did it knows")
	require.NoError(t, b.create(), "nobody is told of nothing")
}

func users(all []notify.Notification) (ids []uuid.UUID) {
	for _, n := range all {
		ids = append(ids, n.User)
	}
	return ids
}

func TestOnlyThoseAreToldWhoMaySeeIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := map[string]uuid.UUID{"owner": b.aoi}
	for name, role := range map[string]string{"lead": "member", "teammate": "member", "member": "member", "admin": "admin", "viewer": "viewer", "suspended": "admin"} {
		people[name] = b.joins(name, "UTC", role)
	}
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", people["suspended"])
	b.exec("INSERT INTO team_members VALUES ($1, $2, $3, 'lead'), ($1, $2, $4, 'member')", b.organization, b.team, people["lead"], people["teammate"])
	for visibility, want := range map[string]string{"organization": "admin lead member owner teammate viewer", "team": "admin lead owner teammate", "private": "admin lead owner"} {
		objective, keyResults := b.objective(b.aoi, "T", b.at("2027-02-01 12:00"), 1)
		b.exec("UPDATE objectives SET visibility = $2 WHERE id = $1", objective, visibility)
		dialogue := db.NewID()
		b.exec("INSERT INTO dialogues (organization_id, id, objective_id, title, created_by) VALUES ($1, $2, $3, 'D', $4)", b.organization, dialogue, objective, b.aoi)
		for kind, subject := range map[string]uuid.UUID{"objective": objective, "key_result": keyResults[0], "dialogue": dialogue} {
			var all []notify.Notification
			for _, id := range people {
				all = append(all, notify.Notification{User: id, Kind: notify.Mentioned, SubjectKind: kind, Subject: subject, Title: "T", Path: "/"})
			}
			require.NoError(t, b.create(all...))
			const names = `SELECT coalesce(string_agg(CASE WHEN u.id = $2 THEN 'owner' ELSE u.name END, ' ' ORDER BY CASE WHEN u.id = $2 THEN 'owner' ELSE u.name END), '') FROM `
			assert.Equal(t, want, value[string](b, names+"notifications AS n JOIN users AS u ON u.id = n.user_id WHERE n.subject_id = $1", subject, b.aoi), "%s of %s", kind, visibility)
			assert.Equal(t, want, value[string](b, names+"notice_claims AS n JOIN users AS u ON u.id = n.user_id WHERE n.subject_id = $1", subject, b.aoi), "mails about %s of %s", kind, visibility)
		}
	}
	nowhere := b.notice(b.aoi, notify.Mentioned)
	nowhere.SubjectKind = "objective"
	require.NoError(t, b.create(nowhere))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM notifications WHERE subject_id = $1", nowhere.Subject), "an objective that is not there")
}

func TestTextsAreCut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	n := b.notice(b.aoi, notify.Mentioned)
	n.Title, n.Excerpt = strings.Repeat("字", 400), "一行目\r\n二行目\x00"+strings.Repeat("あ", 400)
	require.NoError(t, b.create(n))
	assert.Equal(t, strings.Repeat("字", 299)+"…", value[string](b, "SELECT title FROM notifications"))
	excerpt := value[string](b, "SELECT detail->>'excerpt' FROM notifications")
	assert.Len(t, []rune(excerpt), 280)
	assert.True(t, strings.HasPrefix(excerpt, "一行目  二行目 あ"), excerpt)
	n.Kind = "no such kind"
	assert.Error(t, b.create(n))
}

func TestMailsOfTheirOwnAreLeftToThoseWhoWriteThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ren, mio := b.joins("Ren", "Asia/Tokyo", "member"), b.joins("Mio", "Asia/Tokyo", "member")
	b.exec("INSERT INTO notification_preferences VALUES ($1, $2, 'meeting-invited', true, 'digest')", b.organization, ren)
	b.exec("INSERT INTO mail_settings (organization_id, user_id, unsubscribed_at) VALUES ($1, $2, now())", b.organization, mio)
	require.NoError(t, b.create(b.notice(b.aoi, notify.MeetingInvited)))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM notifications"))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM mails"))
	require.NoError(t, b.store.Read(t.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) error {
		wanting, err := notify.MailWanted(ctx, q, b.organization, notify.MeetingInvited, b.aoi, ren, mio)
		assert.Equal(t, []uuid.UUID{b.aoi}, wanting)
		return err
	}))
}

// A mail that is written together with others is the same row as one that is written alone.
func TestManyMailsAreLikeOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	content := mail.Notice{Kind: "mentioned", Title: "T", Actor: "Ren", Excerpt: "E", Count: 2, Path: "/p"}
	require.NoError(t, b.store.Write(t.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) error {
		if _, err := mail.Enqueue(ctx, q, b.organization, b.aoi, content, true); err != nil {
			return err
		}
		return mail.EnqueueMany(ctx, q, b.organization, true, mail.Addressed{User: b.aoi, Content: content})
	}))
	const same = `SELECT count(DISTINCT (to_jsonb(m) - 'id' - 'created_at' - 'changed_at', to_jsonb(e) - 'id' - 'target_id' - 'created_at' - 'available_at')) FROM mails AS m JOIN outbox_events AS e ON e.target_id = m.id`
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM mails AS m JOIN outbox_events AS e ON e.target_id = m.id"))
	assert.Equal(t, 1, value[int](b, same))
}

func TestMentions(t *testing.T) {
	t.Parallel()
	one, two := "0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77", "0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a78"
	many := ""
	for range 30 {
		many += "@[x](member:" + uuid.NewString() + ")"
	}
	for text, want := range map[string][]string{
		"":                           nil,
		"@Aoi":                       nil,
		"@[Aoi](member:" + one + ")": {one},
		"お願い @[佐藤 葵](member:" + one + ")、":                                         {one},
		"@[a](member:" + one + ")@[b](member:" + two + ")@[c](member:" + one + ")": {one, two},
		"@[a](member:" + strings.ToUpper(one) + ")":                                {one},
		"@[](member:" + one + ")":                                                  nil,
		"@[a](team:" + one + ")":                                                   nil,
		"@[a] (member:" + one + ")":                                                nil,
		"@[a](member:{" + one + "})":                                               nil,
		"@[a](member:" + one[1:] + ")":                                             nil,
		"@[@[a](member:" + one + ")](member:" + two + ")":                          {one},
		"@[a\nb](member:" + one + ")":                                              nil,
		strings.Repeat("@[", 5000) + "a](member:" + one + ")":                      {one},
		"@[" + strings.Repeat("あ", 201) + "](member:" + one + ")":                  nil,
	} {
		var got []string
		for _, id := range notify.Mentions(text) {
			got = append(got, id.String())
		}
		assert.Equal(t, want, got, text)
	}
	assert.Len(t, notify.Mentions(many), 20)
	assert.Equal(t, "お願い @佐藤 葵、@次", notify.Plain("お願い @[佐藤 葵](member:"+one+")、@次"))
}

func FuzzMentions(f *testing.F) {
	for _, seed := range []string{"@[Aoi](member:0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77)", "@[", "](member:", "@[a](member:)", "\xff@[\x00](member:0)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if found := notify.Mentions(text); len(found) > 20 {
			t.Errorf("%d mentions", len(found))
		}
		if plain := notify.Plain(text); len(plain) > len(text) {
			t.Errorf("longer than before: %q", plain)
		}
	})
}
