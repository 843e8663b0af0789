package soak

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Database is a login that sees every organisation's rows. One goroutine uses it.
type Database struct {
	conn *pgx.Conn

	// Unnamed says that the server gives requests ids of its own, so that an audit row tells the revision, but not whose edit it is of.
	Unnamed bool
}

// Connect signs in with the settings of another connection, which sees everything.
func Connect(ctx context.Context, like *pgx.Conn) (*Database, error) {
	config := like.Config().Copy()
	config.RuntimeParams["application_name"] = "soak"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	return &Database{conn: conn}, nil
}

// Close ends it.
func (d *Database) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = d.conn.Close(ctx) // nothing to lose
}

const checkedTogether = 250 // desks in one look

// Check compares what desks were promised with what is there, each organisation's at one moment. Nobody works at them.
func (d *Database) Check(ctx context.Context, desks []*Desk) (faults []Fault, err error) {
	byOrganization := map[uuid.UUID][]*Desk{}
	for _, desk := range desks {
		byOrganization[desk.Organization] = append(byOrganization[desk.Organization], desk)
	}
	for organization, all := range byOrganization {
		for some := range slices.Chunk(all, checkedTogether) {
			ids := make([]uuid.UUID, len(some))
			for i, desk := range some {
				ids[i] = desk.Objective
			}
			found, err := d.objectives(ctx, organization, ids)
			if err != nil {
				return faults, fmt.Errorf("soak: %w", err)
			}
			for _, desk := range some {
				f := found[desk.Objective]
				if d.Unnamed {
					f.nameAfterHistory()
				}
				faults = append(faults, desk.Check(f)...)
			}
		}
	}
	return faults, nil
}

// objectives reads what there is of objectives, at one moment.
func (d *Database) objectives(ctx context.Context, organization uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]Found, error) {
	all := make(map[uuid.UUID]Found, len(ids))
	err := pgx.BeginTxFunc(ctx, d.conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		var id uuid.UUID
		var revision int64
		var text *string
		var event bool
		number := func(prefix string) uint32 {
			if text == nil {
				return 0
			}
			return numberIn(*text, prefix)
		}
		read := func(query string, into []any, add func(*Found)) error {
			rows, err := tx.Query(ctx, query, organization, ids)
			if err != nil {
				return err
			}
			_, err = pgx.ForEachRow(rows, into, func() error {
				found := all[id]
				add(&found)
				all[id] = found
				return nil
			})
			return err
		}
		if err := read("SELECT o.id, o.revision, o.title FROM objectives AS o WHERE o.organization_id = $1 AND o.id = ANY($2)",
			[]any{&id, &revision, &text}, func(f *Found) { f.Current = Entry{revision, number(titlePrefix)} }); err != nil {
			return err
		}
		if err := read(`SELECT h.objective_id, h.revision, h.content->>'title' FROM objective_history AS h
			WHERE h.organization_id = $1 AND h.objective_id = ANY($2) ORDER BY h.objective_id, h.revision`,
			[]any{&id, &revision, &text}, func(f *Found) { f.History = append(f.History, Entry{revision, number(titlePrefix)}) }); err != nil {
			return err
		}
		return read(`SELECT a.target_id, coalesce(a.target_revision, 0), a.request_id, x.id IS NOT NULL FROM audit_events AS a
			LEFT JOIN outbox_events AS x ON x.organization_id = a.organization_id AND x.id = a.id AND x.target_id = a.target_id AND x.target_revision = a.target_revision
			WHERE a.organization_id = $1 AND a.target_id = ANY($2) AND a.action = 'objective.updated' ORDER BY a.target_id, a.target_revision, a.id`,
			[]any{&id, &revision, &text, &event}, func(f *Found) {
				entry := Entry{revision, number(requestPrefix)}
				f.Audit = append(f.Audit, entry)
				if event {
					f.Events = append(f.Events, entry)
				}
			})
	})
	return all, err
}

// Jobs reads what there is of all jobs, or of those that have ended within a while; 0 is all.
func (d *Database) Jobs(ctx context.Context, within time.Duration) ([]JobFound, error) {
	rows, err := d.conn.Query(ctx, `
		SELECT j.id, j.state, j.attempt::int, s.answers::int, s.suggestions::int, e.n::int, coalesce(e.state, ''), e.attempt
		FROM ai_jobs AS j
		CROSS JOIN LATERAL (
			SELECT count(*) AS answers, coalesce(sum((SELECT count(*) FROM suggestions AS g WHERE g.organization_id = m.organization_id AND g.message_id = m.id)), 0) AS suggestions
			FROM messages AS m WHERE m.organization_id = j.organization_id AND m.job_id = j.id
		) AS s
		CROSS JOIN LATERAL (
			SELECT count(*) AS n, min(substr(a.action, 5)) AS state, min((a.detail->>'attempt')::int) AS attempt
			FROM audit_events AS a WHERE a.organization_id = j.organization_id AND a.target_id = j.id AND a.target_kind = 'job' AND a.action <> 'job.created'
		) AS e
		WHERE $1::float8 = 0 OR j.finished_at > clock_timestamp() - make_interval(secs => $1::float8)`, within.Seconds())
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[JobFound])
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	return all, nil
}

// Live is how many jobs have not ended, and how long the oldest of them has been there.
func (d *Database) Live(ctx context.Context) (n int, oldest time.Duration, err error) {
	var seconds float64
	err = d.conn.QueryRow(ctx, `SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(j.created_at)), 0)::float8
		FROM ai_jobs AS j WHERE j.state IN ('queued', 'running')`).Scan(&n, &seconds)
	return n, time.Duration(seconds * float64(time.Second)), err
}

// Backend is a connection as the server sees it.
type Backend struct {
	PID  int
	Port string // of its client
	Busy bool   // in a transaction
}

// Backends are the connections of the product's login.
func (d *Database) Backends(ctx context.Context) ([]Backend, error) {
	rows, err := d.conn.Query(ctx, `SELECT s.pid, s.client_port::text, s.xact_start IS NOT NULL FROM pg_stat_activity AS s
		WHERE s.usename = 'kakeai_app' ORDER BY s.pid`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Backend])
}

// End ends a backend, as an operator would.
func (d *Database) End(ctx context.Context, pid int) (ended bool, err error) {
	err = d.conn.QueryRow(ctx, "SELECT pg_terminate_backend($1)", pid).Scan(&ended)
	return ended, err
}

// lease is a worker's hold on a job.
type lease struct {
	organization, id uuid.UUID
	number           int64
}

// takenOver reports whether another worker has the job now.
func (d *Database) takenOver(ctx context.Context, l lease) (taken bool, err error) {
	err = d.conn.QueryRow(ctx, `SELECT j.state = 'running' AND j.lease_number > $3 FROM ai_jobs AS j
		WHERE j.organization_id = $1 AND j.id = $2`, l.organization, l.id, l.number).Scan(&taken)
	return taken, err
}

// writerBehind is the client's port of a connection that waits, behind the backend given, to write a job's result; empty if there is none.
func (d *Database) writerBehind(ctx context.Context, holder uint32) (port string, err error) {
	err = d.conn.QueryRow(ctx, `SELECT s.client_port::text FROM pg_stat_activity AS s
		WHERE s.wait_event_type = 'Lock' AND s.query LIKE '%LockJobIfLease%' AND $1::int = ANY(pg_blocking_pids(s.pid)) LIMIT 1`, int64(holder)).Scan(&port)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return port, err
}

// PIDs are all processes of the server that it tells of.
func (d *Database) PIDs(ctx context.Context) ([]int, error) {
	rows, err := d.conn.Query(ctx, "SELECT s.pid FROM pg_stat_activity AS s")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

// Size is how much the database takes on disk, in bytes.
func (d *Database) Size(ctx context.Context) (n int64, err error) {
	err = d.conn.QueryRow(ctx, "SELECT pg_database_size(current_database())").Scan(&n)
	return n, err
}
