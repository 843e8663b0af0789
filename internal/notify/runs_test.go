package notify_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/schedule"
)

// days runs what is due each day from one day to another, both included, and returns those on which there was a new mail or notification for a member.
func (b *bundle) days(r schedule.Run, from, to string, member uuid.UUID, between func(day string)) (told []string) {
	b.t.Helper()
	due := r.Next(b.at(from+" 00:00"), b.zone)
	const all = `SELECT (SELECT count(*) FROM mails WHERE user_id = $1) + (SELECT coalesce(sum(occurrences), 0) FROM notifications WHERE user_id = $1)`
	for before := value[int](b, all, member); !due.After(b.at(to + " 23:59")); due = r.Next(due, b.zone) {
		day := due.In(b.zone).Format(time.DateOnly)
		require.Equal(b.t, "09:00", due.In(b.zone).Format("15:04"))
		if between != nil {
			between(day)
		}
		require.NoError(b.t, b.run(r, due))
		if now := value[int](b, all, member); now != before {
			told, before = append(told, day), now
		}
	}
	return told
}

func TestWhoOwesACheckInIsRemindedOnceInEachPeriod(t *testing.T) {
	t.Parallel()
	for cadence, want := range map[string][]string{
		"weekly":   {"2027-02-08", "2027-02-15", "2027-02-22", "2027-03-01"},
		"biweekly": {"2027-02-15", "2027-03-01"},
		"monthly":  {"2027-03-01"},
	} {
		t.Run(cadence, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.exec("UPDATE organizations SET cadence = $2 WHERE id = $1", b.organization, cadence)
			b.objective(b.aoi, "Keep customers", b.at("2027-02-01 23:50"), 2)
			assert.Equal(t, want, b.days(notify.CheckInReminders(b.store), "2027-02-01", "2027-03-05", b.aoi, nil))
			reminders := mails[mail.CheckInReminder](b, b.aoi, "check-in-reminder")
			require.Len(t, reminders, len(want))
			require.Len(t, reminders[0].Objectives, 1, "one line for each objective")
			assert.Equal(t, "Keep customers", reminders[0].Objectives[0].Title)
			assert.Equal(t, want[0], reminders[0].Objectives[0].Due.Format(time.DateOnly))
			assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM notifications WHERE kind = 'check-in-due' AND subject_kind = 'cycle' AND title = '2027 H1'"))
			assert.Equal(t, len(want), value[int](b, "SELECT occurrences FROM notifications"))
		})
	}
}

func TestACheckInIsRemindedOfWhileItIsDueAndWanted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, viewer, off, mailOff := b.joins("Owner of a key result", "UTC", "member"), b.joins("Viewer", "UTC", "viewer"), b.joins("Off", "UTC", "member"), b.joins("Inbox alone", "UTC", "member")
	suspended := b.joins("Suspended", "UTC", "member")
	b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", suspended)
	b.exec("INSERT INTO notification_preferences VALUES ($1, $2, 'check-in-due', false, 'off'), ($1, $3, 'check-in-due', true, 'off')", b.organization, off, mailOff)
	_, keyResults := b.objective(b.aoi, "Keep customers", b.at("2027-02-01 12:00"), 3)
	b.exec("UPDATE key_results SET owner_id = $2 WHERE id = $1", keyResults[1], owner)
	for _, u := range []uuid.UUID{viewer, off, mailOff, suspended} {
		b.objective(u, "Theirs", b.at("2027-02-01 12:00"), 1)
	}
	run := notify.CheckInReminders(b.store)
	report := func(keyResult uuid.UUID, at time.Time) {
		b.exec("UPDATE key_results SET current_at = $2 WHERE id = $1", keyResult, at)
	}
	told := b.days(run, "2027-02-05", "2027-03-20", b.aoi, func(day string) {
		switch day {
		case "2027-02-10":
			report(keyResults[0], b.at("2027-02-10 08:00"))
			report(keyResults[2], b.at("2027-02-10 08:00"))
		case "2027-03-01":
			b.exec("UPDATE cycles SET state = 'closed' WHERE id = $1", b.cycle)
		}
	})
	assert.Equal(t, []string{"2027-02-08", "2027-02-17", "2027-02-24"}, told, "a week after the report, and not in a closed cycle")
	for user, want := range map[uuid.UUID][2]int{owner: {3, 3}, viewer: {0, 0}, off: {0, 0}, mailOff: {0, 3}, suspended: {0, 0}} {
		assert.Equal(t, want[0], len(mails[mail.CheckInReminder](b, user, "check-in-reminder")))
		assert.Equal(t, want[1], value[int](b, "SELECT coalesce(sum(occurrences), 0)::int FROM notifications WHERE user_id = $1", user))
	}
	assert.Zero(t, value[int](b, "SELECT count(*) FROM notice_claims WHERE user_id = $1", off), "who wants nothing is told as soon as they do")
}

func TestOwnersAreToldOfWhatIsOutdatedOnceInEachPeriod(t *testing.T) {
	t.Parallel()
	b := setup(t)
	objective, keyResults := b.objective(b.aoi, "Keep customers", b.at("2027-02-01 12:00"), 2)
	run := notify.OutdatedMarks(b.store)
	told := b.days(run, "2027-02-05", "2027-03-20", b.aoi, func(day string) {
		if day == "2027-02-22" { // one key result is enough to be heard of
			b.exec("UPDATE key_results SET current_at = $2 WHERE id = $1", keyResults[0], b.at("2027-02-22 08:00"))
		}
	})
	assert.Equal(t, []string{"2027-02-12", "2027-02-19", "2027-03-05", "2027-03-12", "2027-03-19"}, told)
	assert.Equal(t, objective, value[uuid.UUID](b, "SELECT objective_id FROM notifications WHERE kind = 'outdated'"))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM mails"), "it waits for the digest")
	b.exec("UPDATE objectives SET archived_at = now()")
	assert.Empty(t, b.days(run, "2027-04-01", "2027-04-20", b.aoi, nil))
}

// A run that is repeated after a crash, or done by several programs at once, tells nobody twice.
func TestRunsAtOnceAndAgainTellOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 30 {
		u := b.joins(fmt.Sprint("Member ", i), "Asia/Kathmandu", "member")
		b.objective(u, "Theirs", b.at("2027-02-01 12:00"), 1)
		b.told(b.at("2027-02-20 12:00"), b.notice(u, notify.Commented))
	}
	nine, eight := b.at("2027-03-01 09:00"), b.at("2027-03-01 07:45") // which is a full hour by the world's clocks, and the one that has 08:00 in Kathmandu in it
	once := func() {
		var all sync.WaitGroup
		for range 4 {
			for _, r := range notify.Runs(b.store) {
				due := nine
				if r.Name == "digests" {
					due = eight
				}
				all.Go(func() { assert.NoError(t, b.run(r, due), r.Name) })
			}
		}
		all.Wait()
	}
	once()
	counts := func() [3]int {
		return [3]int{value[int](b, "SELECT count(*) FROM mails WHERE template = 'check-in-reminder'"), value[int](b, "SELECT count(*) FROM mails WHERE template = 'digest'"),
			value[int](b, "SELECT sum(occurrences)::int FROM notifications WHERE kind IN ('check-in-due', 'outdated')")}
	}
	want := [3]int{30, 30, 60}
	assert.Equal(t, want, counts())
	once()
	assert.Equal(t, want, counts())
}

// Each hour of the days around a change of clocks: everybody gets one digest a day, in the hour in which it becomes eight where they live.
func TestADigestComesAtEightWhereSomebodyLives(t *testing.T) {
	t.Parallel()
	b := setup(t)
	zones := map[string]*time.Location{"Asia/Kathmandu": b.zone, "No/Such_Zone": time.UTC}
	b.joins("No/Such_Zone", "No/Such_Zone", "member")
	for _, zone := range []string{"America/New_York", "Europe/Berlin", "Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Kiritimati", "Pacific/Pago_Pago"} {
		b.joins(zone, zone, "member")
		var err error
		zones[zone], err = time.LoadLocation(zone)
		require.NoError(t, err)
	}
	digests := notify.Digests(b.store)
	const days = 3
	for _, first := range []time.Time{time.Date(2027, 3, 13, 0, 0, 0, 0, time.UTC), time.Date(2027, 3, 27, 0, 0, 0, 0, time.UTC), time.Date(2027, 10, 2, 0, 0, 0, 0, time.UTC),
		time.Date(2027, 10, 30, 0, 0, 0, 0, time.UTC), time.Date(2027, 11, 6, 0, 0, 0, 0, time.UTC)} {
		at := map[string][]time.Time{}
		for due := digests.Next(first.Add(-25*time.Hour), b.zone); due.Before(first.AddDate(0, 0, days)); due = digests.Next(due, b.zone) {
			b.exec("DELETE FROM mails")
			b.exec("DELETE FROM notifications")
			b.exec(`INSERT INTO notifications (organization_id, id, user_id, kind, subject_kind, subject_id, title, latest_id, changed_at, detail)
				SELECT $1, gen_random_uuid(), m.user_id, 'commented', 'broadcast', m.user_id, 'News', $3, $2, '{"path": "/"}' FROM memberships AS m`, b.organization, due.Add(-10*time.Minute), uuid.Max)
			b.exec("UPDATE mail_settings SET digest_through_id = $1", uuid.Nil)
			require.NoError(t, b.run(digests, due))
			if due.Before(first) {
				continue // on the day before, all begin with what was missed
			}
			rows, err := b.Owner.Query(t.Context(), "SELECT u.time_zone FROM mails AS m JOIN users AS u ON u.id = m.user_id")
			require.NoError(t, err)
			mailed, err := pgx.CollectRows(rows, pgx.RowTo[string])
			require.NoError(t, err)
			for _, zone := range mailed {
				at[zone] = append(at[zone], due.In(zones[zone]))
			}
		}
		for zone := range zones {
			assert.Len(t, at[zone], days, zone)
			seen := map[string]bool{}
			for _, moment := range at[zone] {
				seen[moment.Format(time.DateOnly)] = true
				clock := moment.Format("15:04")
				assert.True(t, clock > "07:00" && clock <= "08:00", "%s: %s", zone, moment)
			}
			assert.Len(t, seen, days, zone)
		}
	}
}

func TestADigestHasWhatIsOwedAndWhatIsUnreadSinceTheLastOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("UPDATE users SET time_zone = 'UTC' WHERE id = $1", b.aoi)
	ren := b.joins("Ren", "UTC", "member")
	digests := notify.Digests(b.store)
	morning := func(day int) time.Time { return time.Date(2027, 2, day, 8, 0, 0, 0, time.UTC) }
	got := func() mail.Digest {
		t.Helper()
		all := mails[mail.Digest](b, b.aoi, "digest")
		require.NotEmpty(t, all)
		return all[len(all)-1]
	}
	sent := func() int { return len(mails[mail.Digest](b, b.aoi, "digest")) }

	require.NoError(t, b.run(digests, morning(1)))
	assert.Zero(t, value[int](b, "SELECT count(*) FROM mails"), "nothing is sent where there is nothing")

	comment := b.notice(b.aoi, notify.Commented)
	comment.Actor, comment.ActorName, comment.Excerpt = &ren, "Ren", "Look"
	read, mailed := b.notice(b.aoi, notify.Approved), b.notice(b.aoi, notify.Mentioned)
	b.told(morning(1).Add(time.Hour), comment, read, mailed)
	b.told(morning(1).Add(2*time.Hour), comment)
	b.exec("UPDATE notifications SET read_at = now() WHERE subject_id = $1", read.Subject)
	b.objective(b.aoi, "Keep customers", b.at("2027-01-20 12:00"), 1)
	require.NoError(t, b.run(digests, morning(2)))
	require.Equal(t, 1, sent())
	assert.Equal(t, []mail.Notice{{Kind: "commented", Title: "News", Actor: "Ren", Excerpt: "Look", Count: 2, Path: comment.Path}}, got().Notices, "neither what was read, nor what was mailed at once")
	due := time.Date(2027, 1, 27, 0, 0, 0, 0, time.UTC)
	assert.Equal(t, []mail.Owed{{Kind: "check-in", Title: "Keep customers 0", Due: &due, Path: "/objectives/" + value[uuid.UUID](b, "SELECT id FROM objectives").String()}}, got().Owed)
	assert.Zero(t, got().More)
	assert.False(t, got().Weekly)

	require.NoError(t, b.run(digests, morning(3)))
	require.Equal(t, 2, sent(), "what is owed is owed each day")
	assert.Empty(t, got().Notices, "and what was in a digest is not in the next")

	b.exec("UPDATE objectives SET state = 'closed', score = 1")
	for range 60 {
		b.told(morning(3).Add(time.Hour), b.notice(b.aoi, notify.Commented))
	}
	young := b.notice(b.aoi, notify.Commented)
	b.told(morning(4), young)
	require.NoError(t, b.run(digests, morning(4)))
	require.Equal(t, 3, sent())
	assert.Len(t, got().Notices, 50)
	assert.Equal(t, 10, got().More)
	require.NoError(t, b.run(digests, morning(5)))
	require.Equal(t, 4, sent())
	assert.Equal(t, young.Path, got().Notices[0].Path, "what came in the last minute comes the next day")
	assert.Len(t, got().Notices, 1)

	hidden, _ := b.objective(ren, "Hidden", b.at("2027-02-01 12:00"), 1)
	secret := notify.Notification{User: b.aoi, Kind: notify.Commented, SubjectKind: "objective", Subject: hidden, Title: "Hidden", Path: "/"}
	b.told(morning(5).Add(time.Hour), secret, b.notice(b.aoi, notify.Approved))
	b.exec("UPDATE objectives SET visibility = 'private' WHERE id = $1", hidden)
	b.exec("INSERT INTO notification_preferences VALUES ($1, $2, 'approved', true, 'off')", b.organization, b.aoi)
	require.NoError(t, b.run(digests, morning(6)))
	assert.Equal(t, 4, sent(), "neither what is hidden, nor what is not wanted")

	b.exec("DELETE FROM notification_preferences")
	b.exec("UPDATE mail_settings SET digest = 'weekly' WHERE user_id = $1", b.aoi)
	for day := 7; day < 16; day++ { // the 8th and the 15th are Mondays
		b.told(morning(day).Add(-time.Hour), b.notice(b.aoi, notify.Approved))
		require.NoError(t, b.run(digests, morning(day)))
	}
	weekly := mails[mail.Digest](b, b.aoi, "digest")[4:]
	require.Len(t, weekly, 2)
	assert.True(t, weekly[0].Weekly)
	assert.Len(t, weekly[0].Notices, 3, "that of the 5th too")
	assert.Len(t, weekly[1].Notices, 7)

	for column, v := range map[string]string{"digest": "'off'", "unsubscribed_at": "now()"} {
		b.exec("UPDATE mail_settings SET digest = 'daily', unsubscribed_at = NULL")
		b.exec("UPDATE mail_settings SET " + column + " = " + v)
		b.told(morning(15).Add(time.Hour), b.notice(b.aoi, notify.Approved))
		require.NoError(t, b.run(digests, morning(16)))
		assert.Equal(t, 6, sent(), column)
	}
}

func TestADigestThatWasMissedComesLateAndOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("UPDATE users SET time_zone = 'UTC'")
	digests := notify.Digests(b.store)
	day := time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)
	b.told(day, b.notice(b.aoi, notify.Commented))
	for _, c := range []struct{ hour, want int }{{6, 0}, {7, 0}, {12, 1}, {13, 1}, {8, 1}} {
		require.NoError(t, b.run(digests, day.Add(time.Duration(c.hour)*time.Hour)))
		assert.Equal(t, c.want, value[int](b, "SELECT count(*) FROM mails"), "at %d", c.hour)
	}
	b.told(day.Add(25*time.Hour), b.notice(b.aoi, notify.Commented))
	require.NoError(t, b.run(digests, day.Add((24+15)*time.Hour)))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM mails"), "too late to be a morning's")
}

func TestOldClaimsAreForgotten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	now := b.at("2027-02-01 12:00")
	b.exec(`INSERT INTO notice_claims SELECT $1, $2, 'mail:mentioned', gen_random_uuid(), $3::timestamptz - make_interval(days => n) FROM generate_series(1, 60) AS n`, b.organization, b.aoi, now)
	b.exec(`INSERT INTO notice_claims SELECT $1, $2, 'event', gen_random_uuid(), $3::timestamptz - interval '90 days' FROM generate_series(1, 6000)`, b.organization, uuid.Nil, now)
	require.NoError(t, b.run(notify.Digests(b.store), now))
	assert.Equal(t, 40, value[int](b, "SELECT count(*) FROM notice_claims"), "longer than any period")
}

// At nine on each day, also on those on which the clocks change, and once on each.
func TestDailyRunsComeAtNine(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range []string{"Asia/Kathmandu", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia"} {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		for _, r := range []schedule.Run{notify.CheckInReminders(b.store), notify.OutdatedMarks(b.store)} {
			due := time.Date(2011, 1, 1, 0, 0, 0, 0, zone)
			var days []string
			for range 800 {
				next := r.Next(due, zone)
				require.True(t, next.After(due))
				require.Equal(t, "09:00", next.In(zone).Format("15:04"), name)
				require.True(t, r.Next(next.Add(-time.Nanosecond), zone).Equal(next))
				due = next
				days = append(days, due.In(zone).Format(time.DateOnly))
			}
			assert.Len(t, slices.Compact(days), 800, name)
		}
	}
}

// ten thousand people in Tokyo, each with something owed and something unread.
func crowd(t testing.TB, people int) *bundle {
	t.Helper()
	b := setup(t)
	b.exec(`INSERT INTO users (id, email, name, time_zone) SELECT gen_random_uuid(), 'member' || n || '@example.com', 'Member ' || n, 'Asia/Tokyo' FROM generate_series(1, $1::int) AS n`, people)
	b.exec(`INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, 'member' FROM users WHERE time_zone = 'Asia/Tokyo'`, b.organization)
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, title, state, created_by, changed_by, changed_at)
		SELECT $1, gen_random_uuid(), $2, $3, u.id, 'Objective ' || n, 'approved', u.id, u.id, '2027-01-10' FROM users AS u, generate_series(1, 10) AS n WHERE time_zone = 'Asia/Tokyo'`, b.organization, b.cycle, b.team)
	b.exec(`INSERT INTO key_results (organization_id, id, objective_id, position, title, kind, baseline, target, current_at)
		SELECT $1, gen_random_uuid(), o.id, n, 'Key result ' || n, 'metric', 0, 1, '2027-01-20' FROM objectives AS o, generate_series(1, 2) AS n`, b.organization)
	b.exec(`INSERT INTO notifications (organization_id, id, user_id, kind, subject_kind, subject_id, objective_id, title, latest_id, changed_at, detail)
		SELECT $1, x.id, u.id, 'commented', 'objective', o.id, o.id, 'Objective', x.id, '2027-01-25', '{"path": "/"}' FROM users AS u JOIN objectives AS o ON o.owner_id = u.id AND o.title IN ('Objective 1', 'Objective 2'),
		LATERAL (SELECT gen_random_uuid() AS id WHERE o.id IS NOT NULL) AS x`, b.organization)
	b.exec("ANALYZE")
	return b
}

// What the runs take for 10,000 people with 100,000 objectives: go test -run '^$' -bench Runs -benchtime 1x ./internal/notify
func BenchmarkRuns(bench *testing.B) {
	b := crowd(bench, 10_000)
	due := time.Date(2027, 1, 31, 23, 0, 0, 0, time.UTC) // eight in Tokyo
	for _, r := range notify.Runs(b.store) {
		bench.Run(r.Name, func(bench *testing.B) {
			for bench.Loop() {
				b.exec("DELETE FROM notice_claims")
				b.exec("UPDATE mail_settings SET digest_sent_on = NULL, digest_through_id = $1", uuid.Nil)
				b.exec("DELETE FROM mails")
				require.NoError(bench, b.run(r, due))
			}
			bench.ReportMetric(float64(value[int](b, "SELECT count(*) FROM mails")), "mails")
		})
	}
}
