package schedule

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// What has been kept for long enough goes, in several steps where it is much; what is a day younger stays.
func TestRetentionDropsWhatIsOldEnough(t *testing.T) {
	b := setup(t)
	other := b.newOrganization()
	const many = 1200 // more than two steps
	due := time.Now()
	rows := func(n int, sql string, args ...any) {
		b.t.Helper()
		b.exec(fmt.Sprintf(sql, n), append([]any{b.organization}, args...)...)
	}
	both := func(n int, keep time.Duration, sql string, args ...any) {
		b.t.Helper()
		rows(n, sql, append([]any{due.Add(-keep - day)}, args...)...)
		rows(3, sql, append([]any{due.Add(-keep + day)}, args...)...)
	}
	both(many, 14*day, `INSERT INTO outbox_events (organization_id, id, kind, target_id, state, finished_at) SELECT $1, gen_random_uuid(), 'test', gen_random_uuid(), 'delivered', $2 FROM generate_series(1, %d)`)
	both(5, 90*day, `INSERT INTO outbox_events (organization_id, id, kind, target_id, state, finished_at) SELECT $1, gen_random_uuid(), 'test', gen_random_uuid(), 'quarantined', $2 FROM generate_series(1, %d)`)
	both(5, 180*day, `INSERT INTO notifications (organization_id, id, user_id, kind, subject_kind, subject_id, title, latest_id, read_at)
		SELECT $1, gen_random_uuid(), $3, 'test', 'team', gen_random_uuid(), 'Test', gen_random_uuid(), $2 FROM generate_series(1, %d)`, b.member)
	both(5, 90*day, `INSERT INTO mails (organization_id, id, user_id, template, state, created_at) SELECT $1, gen_random_uuid(), $3, 'test', 'sent', $2 FROM generate_series(1, %d)`, b.member)
	invitations := func(n int, ended string, at time.Time) {
		b.t.Helper()
		b.exec(fmt.Sprintf(`INSERT INTO invitations (organization_id, id, email, role, days, token_hash, mail_id, created_at, expires_at, invited_by, accepted_at, accepted_by, revoked_at, revoked_by)
			SELECT $1, gen_random_uuid(), gen_random_uuid() || '@example.com', 'member', 7, sha256(''), gen_random_uuid(), $2, %s FROM generate_series(1, %d)`, ended, n), b.organization, at, b.member)
	}
	for ended, n := range map[string]int{"$2::timestamptz + interval '7 days', $3, $2, $3, NULL, NULL": many, "$2::timestamptz + interval '7 days', $3, NULL, NULL, $2, $3": 5, "$2, $3, NULL, NULL, NULL, NULL": 5} { // accepted, revoked, overdue
		invitations(n, ended, due.Add(-90*day-day))
		invitations(3, ended, due.Add(-90*day+day))
	}
	// One that is about to be sent stays as long as its mail; one whose mail is as old goes with it.
	b.exec(`INSERT INTO mails (organization_id, id, invitation_id, template, state, created_at)
		SELECT organization_id, mail_id, id, 'invitation', CASE n WHEN 1 THEN 'waiting' ELSE 'sent' END, $2::timestamptz FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM invitations WHERE accepted_at < $2::timestamptz + interval '1 hour' LIMIT 7) AS i WHERE organization_id = $1`,
		b.organization, due.Add(-90*day-day))
	webhook := db.NewID()
	b.exec(`INSERT INTO webhooks (organization_id, id, url, secret, created_by, changed_by) VALUES ($1, $2, 'https://example.com/', sha256(''), $3, $3)`, b.organization, webhook, b.member)
	both(5, 30*day, `INSERT INTO webhook_deliveries (organization_id, id, webhook_id, event_id, kind, payload, state, created_at)
		SELECT $1, gen_random_uuid(), $3, gen_random_uuid(), 'test', '{}', 'failed', $2 FROM generate_series(1, %d)`, webhook)
	both(5, 90*day, `INSERT INTO scheduled_runs (organization_id, name, due_at, finished_at, outcome)
		SELECT $1, 'often', $2::timestamptz - n * interval '1 minute', $2, 'succeeded' FROM generate_series(1, %d) AS n`)
	both(5, 30*day, `INSERT INTO link_previews (organization_id, url_hash, url, state, expires_at) SELECT $1, sha256(gen_random_uuid()::text::bytea), 'https://example.com/', 'failed', $2 FROM generate_series(1, %d)`)
	b.exec(`INSERT INTO scheduled_runs (organization_id, name, due_at, finished_at, outcome) VALUES ($1, 'once', $2, $2, 'succeeded')`, b.organization, due.Add(-365*day))
	// Nor is anything dropped that is still under way, or another organisation's.
	b.exec(`INSERT INTO outbox_events (organization_id, id, kind, target_id, created_at) VALUES ($1, gen_random_uuid(), 'waiting', gen_random_uuid(), $2)`, b.organization, due.Add(-365*day))
	b.exec(`INSERT INTO outbox_events (organization_id, id, kind, target_id, state, finished_at) VALUES ($1, gen_random_uuid(), 'other', gen_random_uuid(), 'delivered', $2)`, other, due.Add(-365*day))
	b.exec(`INSERT INTO mails (organization_id, id, user_id, template, created_at) VALUES ($1, gen_random_uuid(), $3, 'waiting', $2)`, b.organization, due.Add(-365*day), b.member)

	if err := Retention(b.store).Do(t.Context(), Organization{ID: b.organization, Zone: time.UTC}, due); err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]int{
		"outbox_events WHERE state = 'delivered' AND kind = 'test'": 3,
		"outbox_events WHERE state = 'quarantined'":                 3,
		"outbox_events WHERE kind IN ('waiting', 'other')":          2,
		"notifications": 3,
		"mails":         5,
		"invitations":   10,
		"invitations WHERE id IN (SELECT invitation_id FROM mails)": 1,
		"webhook_deliveries": 3,
		"scheduled_runs":     4,
		"link_previews":      3,
	} {
		if n := query[int](b, "SELECT count(*)::int FROM "+sql); n != want {
			t.Errorf("%d of %s are left, want %d", n, sql, want)
		}
	}
}

func TestCleanUpDropsWhatHasExpired(t *testing.T) {
	b := setup(t)
	due := time.Now()
	for _, at := range []time.Duration{-time.Hour, time.Hour} {
		b.exec(`WITH s AS (INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at)
				SELECT $1, sha256(gen_random_uuid()::text::bytea), gen_random_uuid(), $2, $3 FROM generate_series(1, 600) RETURNING id)
			SELECT 1`, b.organization, b.member, due.Add(at))
		b.exec(`INSERT INTO idempotency_keys (organization_id, actor_id, route, key, payload_hash, created_at) VALUES ($1, $2, '/', gen_random_uuid()::text, sha256(''), $3)`,
			b.organization, b.member, due.Add(at-day))
	}
	b.exec(`INSERT INTO session_accesses (organization_id, session_id, accessed_at) SELECT organization_id, id, now() FROM sessions`)
	if err := CleanUp(b.store).Do(t.Context(), Organization{ID: b.organization, Zone: time.UTC}, due); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{"sessions": 600, "session_accesses": 600, "idempotency_keys": 1} {
		if n := query[int](b, "SELECT count(*)::int FROM "+table); n != want {
			t.Errorf("%d %s are left, want %d", n, table, want)
		}
	}
}

func TestCleanUpEndsWithItsContext(t *testing.T) {
	b := setup(t)
	b.exec(`INSERT INTO sessions (organization_id, token_hash, id, user_id, expires_at)
		SELECT $1, sha256(gen_random_uuid()::text::bytea), gen_random_uuid(), $2, now() - interval '1 hour' FROM generate_series(1, 1200)`, b.organization, b.member)
	ctx, cancel := context.WithCancel(t.Context())
	all := expired()
	first := all[0].drop
	all[0].drop = func(ctx context.Context, q *db.Queries, organization uuid.UUID, before time.Time) (int64, error) {
		cancel()
		return first(ctx, q, organization, before)
	}
	if err := dropping(b.store, all)(ctx, Organization{ID: b.organization}, time.Now()); err == nil {
		t.Error("it went on")
	}
	if n := query[int](b, "SELECT count(*)::int FROM sessions"); n != 700 {
		t.Errorf("%d are left", n)
	}
}
