package broadcast_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/broadcast"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// In a process with these variables the test binary carries out an organisation's broadcasts, until it is killed or there is nothing left.
const (
	processDatabase     = "KAKEAI_TEST_BROADCAST_DATABASE"
	processOwner        = "KAKEAI_TEST_BROADCAST_OWNER"
	processOrganization = "KAKEAI_TEST_BROADCAST_ORGANIZATION"
)

func TestMain(m *testing.M) {
	if os.Getenv(processDatabase) != "" {
		if err := runProcess(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	pgtest.Main(m)
}

func runProcess(ctx context.Context) error {
	owner, err := pgx.Connect(ctx, os.Getenv(processOwner))
	if err != nil {
		return err
	}
	store, err := db.Open(ctx, os.Getenv(processDatabase), db.Options{})
	if err != nil {
		return err
	}
	w := worker{owner: owner, store: store, organization: uuid.MustParse(os.Getenv(processOrganization))}
	return w.run(ctx)
}

// worker carries out events as the outbox's worker does, but for the leases, which are the outbox's to test: what it took and did not end it takes again.
type worker struct {
	owner interface {
		Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error)
		QueryRow(ctx context.Context, sql string, arguments ...any) pgx.Row
	}
	store        *db.Store
	organization uuid.UUID
	twice        bool // each event is carried out a second time, as after a crash at the wrong moment
}

var errCrash = errors.New("crashed")

func (w worker) run(ctx context.Context) error {
	for {
		e, found, err := w.next(ctx)
		if err != nil || !found {
			return err
		}
		if err := w.carryOut(ctx, e, nil); err != nil {
			return err
		}
		if w.twice {
			if err := w.carryOut(ctx, e, nil); err != nil {
				return err
			}
		}
		if _, err := w.owner.Exec(ctx, "UPDATE outbox_events SET state = 'delivered', finished_at = now() WHERE id = $1", e.ID); err != nil {
			return err
		}
	}
}

// next is the oldest event that is due.
func (w worker) next(ctx context.Context) (e outbox.Event, found bool, err error) {
	e = outbox.Event{Organization: w.organization, Attempt: 1}
	err = w.owner.QueryRow(ctx, `SELECT e.id, e.kind, e.target_id FROM outbox_events AS e
		WHERE e.organization_id = $1 AND e.kind IN ('broadcast.deliver', 'broadcast.redeliver') AND e.state = 'waiting' AND e.available_at <= clock_timestamp()
		ORDER BY e.created_at, e.id LIMIT 1`, w.organization).Scan(&e.ID, &e.Kind, &e.Target)
	if errors.Is(err, pgx.ErrNoRows) {
		return e, false, nil
	}
	return e, err == nil, err
}

// carryOut runs the fold in a transaction, which crash, if given, ends at its very end.
func (w worker) carryOut(ctx context.Context, e outbox.Event, crash error) error {
	return w.store.Write(ctx, db.Scope{Organization: w.organization, Class: db.Background}, func(ctx context.Context, q *db.Queries) error {
		if err := broadcast.Fold(ctx, q, e); err != nil {
			return err
		}
		return crash
	})
}

// bundle is an organisation of its own, with a team, in a database of its own.
type bundle struct {
	*testing.T
	*pgtest.Database
	worker
	author uuid.UUID // an owner
	lead   uuid.UUID // of the team
	team   uuid.UUID
}

func setup(t *testing.T) *bundle {
	t.Helper()
	database := pgtest.New(t)
	store, err := db.Open(t.Context(), database.AppURL, db.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	b := &bundle{T: t, Database: database, worker: worker{owner: database.Owner, store: store, organization: db.NewID()}, author: db.NewID(), team: db.NewID()}
	b.exec(`INSERT INTO organizations (id, name, locale, time_zone, cadence, grace_days) VALUES ($1, 'みなと製作所', 'ja', 'Asia/Kathmandu', 'weekly', 7)`, b.organization)
	b.exec(`INSERT INTO users (id, email, name, locale, time_zone) VALUES ($1, $2, '佐藤 葵', 'ja', 'Asia/Tokyo')`, b.author, b.author.String()+"@example.com")
	b.exec(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'owner')`, b.organization, b.author)
	b.exec(`INSERT INTO teams (organization_id, id, name, changed_by) VALUES ($1, $2, 'Platform', $3)`, b.organization, b.team, b.author)
	b.lead = b.joins(1)[0]
	b.place(b.lead, "lead")
	return b
}

func (b *bundle) exec(sql string, arguments ...any) {
	b.Helper()
	_, err := b.Owner.Exec(b.Context(), sql, arguments...)
	require.NoError(b, err, sql)
}

func (b *bundle) count(sql string, arguments ...any) (n int) {
	b.Helper()
	require.NoError(b, b.Owner.QueryRow(b.Context(), "SELECT count(*) FROM "+sql, arguments...).Scan(&n), sql)
	return n
}

// joins makes n more members, and returns them in the order of their ids.
func (b *bundle) joins(n int) []uuid.UUID {
	b.Helper()
	rows, err := b.Owner.Query(b.Context(), `
		WITH person AS (
			INSERT INTO users (id, email, name, locale, time_zone)
			SELECT p.id, p.id || '@example.com', '佐藤 葵', 'ja', 'Asia/Tokyo' FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)) AS p RETURNING id
		), member AS (
			INSERT INTO memberships (organization_id, user_id, role) SELECT $1, p.id, 'member' FROM person AS p
		)
		SELECT p.id FROM person AS p ORDER BY p.id`, b.organization, n)
	require.NoError(b, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(b, err)
	return ids
}

func (b *bundle) place(user uuid.UUID, role string) {
	b.Helper()
	b.exec(`INSERT INTO team_members (organization_id, team_id, user_id, role) VALUES ($1, $2, $3, $4)`, b.organization, b.team, user, role)
}

// write runs work as the application does.
func (b *bundle) write(work db.Work) {
	b.Helper()
	require.NoError(b, b.store.Write(b.Context(), db.Scope{Organization: b.organization}, work))
}

// draft makes a broadcast of the author's to everybody, unless change says otherwise.
func (b *bundle) draft(change func(*db.CreateBroadcastParams)) (made db.Broadcast) {
	b.Helper()
	p := db.CreateBroadcastParams{OrganizationID: b.organization, ID: db.NewID(), Title: "来期のOKR", Body: "12月10日までに下書きを書いてください。", Audience: broadcast.Organization,
		TeamIDs: []uuid.UUID{}, UserIDs: []uuid.UUID{}, ByMail: true, ActorID: b.author}
	if change != nil {
		change(&p)
	}
	b.write(func(ctx context.Context, q *db.Queries) (err error) {
		made, err = q.CreateBroadcast(ctx, p)
		return err
	})
	return made
}

// send begins to send a broadcast, as the API does.
func (b *bundle) send(draft db.Broadcast) (sending db.Broadcast) {
	b.Helper()
	b.write(func(ctx context.Context, q *db.Queries) (err error) {
		dispatch := db.NewID()
		sending, err = q.SendBroadcastIfRevision(ctx, db.SendBroadcastIfRevisionParams{OrganizationID: b.organization, ID: draft.ID, Revision: draft.Revision, DispatchID: dispatch, ActorID: b.author})
		if err != nil {
			return err
		}
		return outbox.Enqueue(ctx, q, b.organization, broadcast.SendKind, dispatch, nil)
	})
	return sending
}

// resend begins to send it again.
func (b *bundle) resend(sent db.Broadcast) (again db.Broadcast) {
	b.Helper()
	b.write(func(ctx context.Context, q *db.Queries) (err error) {
		dispatch := db.NewID()
		again, err = q.ResendBroadcastIfRevision(ctx, db.ResendBroadcastIfRevisionParams{OrganizationID: b.organization, ID: sent.ID, Revision: sent.Revision, DispatchID: dispatch, ActorID: b.author})
		if err != nil {
			return err
		}
		return outbox.Enqueue(ctx, q, b.organization, broadcast.ResendKind, dispatch, nil)
	})
	return again
}

func (b *bundle) read(id uuid.UUID) (now db.Broadcast) {
	b.Helper()
	require.NoError(b, b.store.Read(b.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) error {
		row, err := q.GetBroadcast(ctx, db.GetBroadcastParams{OrganizationID: b.organization, ID: id})
		now = row.Broadcast
		return err
	}))
	return now
}

// carriesOut does everything that is due.
func (b *bundle) carriesOut() {
	b.Helper()
	require.NoError(b, b.run(b.Context()))
}

// report does what mail's sender does for members in a state, or for those named.
func (b *bundle) report(id uuid.UUID, state string, users ...uuid.UUID) {
	b.Helper()
	b.exec(`UPDATE broadcast_deliveries SET state = $2, failure = CASE WHEN $2 = 'failed' THEN '550 no such user' END, changed_at = clock_timestamp()
		WHERE broadcast_id = $1 AND (coalesce(cardinality($3::uuid[]), 0) = 0 OR user_id = ANY ($3))`, id, state, users)
}

// reached are the users that a broadcast was delivered to, by state.
func (b *bundle) reached(id uuid.UUID, state string) []uuid.UUID {
	b.Helper()
	rows, err := b.Owner.Query(b.Context(), `SELECT user_id FROM broadcast_deliveries WHERE broadcast_id = $1 AND state = $2 ORDER BY user_id`, id, state)
	require.NoError(b, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(b, err)
	return ids
}

// requireOnce asks that everybody who counts has the broadcast once, and one mail, with one event that has it sent.
func (b *bundle) requireOnce(id uuid.UUID, people int) {
	b.Helper()
	require.Equal(b, people, b.count(`broadcast_deliveries WHERE broadcast_id = $1`, id))
	require.Equal(b, people, b.count(`broadcast_deliveries AS d JOIN mails AS m ON m.id = d.mail_id AND m.user_id = d.user_id WHERE d.broadcast_id = $1`, id))
	require.Equal(b, people, b.count(`mails`))
	require.Equal(b, people, b.count(`(SELECT DISTINCT target_id FROM outbox_events WHERE kind = 'mail.send') AS e JOIN mails AS m ON m.id = e.target_id`))
	require.Equal(b, people, b.count(`outbox_events WHERE kind = 'mail.send'`))
	require.Equal(b, broadcast.Sent, b.read(id).State)
}
