package notify_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/schedule"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// patience is how long a test waits for what must happen. It is no part of what is tested.
const patience = 30 * time.Second

// bundle is what a test gets: a database, a store on it as the program has it, and one organisation in Kathmandu with a team and an active cycle in 2027, and Aoi, who owns nothing yet.
type bundle struct {
	*pgtest.Database
	t                         testing.TB
	store                     *db.Store
	organization, cycle, team uuid.UUID
	zone                      *time.Location
	aoi                       uuid.UUID
}

func setup(t testing.TB) *bundle {
	t.Helper()
	b := &bundle{Database: pgtest.New(t), t: t, organization: db.NewID(), cycle: db.NewID(), team: db.NewID()}
	var err error
	b.zone, err = time.LoadLocation("Asia/Kathmandu")
	require.NoError(t, err)
	b.store, err = db.Open(t.Context(), b.AppURL, db.Options{Patience: patience})
	require.NoError(t, err)
	t.Cleanup(b.store.Close)
	b.exec("INSERT INTO organizations (id, name, time_zone) VALUES ($1, 'Nagoya Works', 'Asia/Kathmandu')", b.organization)
	b.aoi = b.joins("Aoi", "Asia/Kathmandu", "member")
	b.exec("INSERT INTO teams (organization_id, id, name, changed_by) VALUES ($1, $2, 'Support', $3)", b.organization, b.team, b.aoi)
	b.exec("INSERT INTO cycles (organization_id, id, name, starts_on, ends_on, state, changed_by) VALUES ($1, $2, '2027 H1', '2027-01-01', '2027-06-30', 'active', $3)", b.organization, b.cycle, b.aoi)
	return b
}

func (b *bundle) exec(statement string, arguments ...any) {
	b.t.Helper()
	_, err := b.Owner.Exec(b.t.Context(), statement, arguments...)
	require.NoError(b.t, err, statement)
}

func value[T any](b *bundle, query string, arguments ...any) (v T) {
	b.t.Helper()
	require.NoError(b.t, b.Owner.QueryRow(b.t.Context(), query, arguments...).Scan(&v), query)
	return v
}

func (b *bundle) joins(name, zone, role string) uuid.UUID {
	b.t.Helper()
	id := db.NewID()
	b.exec("INSERT INTO users (id, email, name, time_zone) VALUES ($1, $4, $2, $3)", id, name, zone, id.String()+"@example.com")
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3)", b.organization, id, role)
	return id
}

// objective is an approved one since a moment, with as many key results without owners of their own.
func (b *bundle) objective(owner uuid.UUID, title string, approved time.Time, keyResults int) (objective uuid.UUID, all []uuid.UUID) {
	b.t.Helper()
	objective = db.NewID()
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, title, state, created_by, changed_by, changed_at) VALUES ($1, $2, $3, $4, $5, $6, 'approved', $5, $5, $7)`,
		b.organization, objective, b.cycle, b.team, owner, title, approved)
	for i := range keyResults {
		id := db.NewID()
		all = append(all, id)
		b.exec(`INSERT INTO key_results (organization_id, id, objective_id, position, title, kind, baseline, target) VALUES ($1, $2, $3, $4, $5, 'metric', 0, 100)`,
			b.organization, id, objective, i, fmt.Sprint(title, " ", i))
	}
	return objective, all
}

// notice is a notification of which nothing matters but whom it is for.
func (b *bundle) notice(user uuid.UUID, kind notify.Kind) notify.Notification {
	subject := db.NewID()
	return notify.Notification{User: user, Kind: kind, SubjectKind: "broadcast", Subject: subject, Title: "News", Path: "/broadcasts/" + subject.String()}
}

func (b *bundle) create(all ...notify.Notification) error {
	return b.store.Write(b.t.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) error {
		return notify.Create(ctx, q, b.organization, all...)
	})
}

// told is create at a moment that the test owns.
func (b *bundle) told(at time.Time, all ...notify.Notification) {
	b.t.Helper()
	require.NoError(b.t, b.create(all...))
	for _, n := range all {
		b.exec("UPDATE notifications SET changed_at = $3 WHERE user_id = $1 AND subject_id = $2", n.User, n.Subject, at)
	}
}

func (b *bundle) run(r schedule.Run, due time.Time) error {
	return r.Do(b.t.Context(), schedule.Organization{ID: b.organization, Zone: b.zone}, due)
}

// at is a moment by the organisation's clocks.
func (b *bundle) at(moment string) time.Time {
	b.t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", moment, b.zone)
	require.NoError(b.t, err)
	return at
}

// mails are what waits to be sent to a member, in order.
func mails[C mail.Content](b *bundle, user uuid.UUID, template string) (all []C) {
	b.t.Helper()
	rows, err := b.Owner.Query(b.t.Context(), `SELECT m.detail FROM mails AS m JOIN outbox_events AS e ON e.target_id = m.id AND e.kind = 'mail.send' AND e.state = 'waiting'
		WHERE m.user_id = $1 AND m.template = $2 ORDER BY m.id`, user, template)
	require.NoError(b.t, err)
	details, err := pgx.CollectRows(rows, pgx.RowTo[json.RawMessage])
	require.NoError(b.t, err)
	for _, d := range details {
		var c C
		require.NoError(b.t, json.Unmarshal(d, &c))
		all = append(all, c)
	}
	return all
}
