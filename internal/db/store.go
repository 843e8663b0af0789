// Package db is the only way to the database: typed queries that sqlc makes of sql/queries, and the Store that runs them in short transactions.
package db

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	pgxdecimal "github.com/jackc/pgx-shopspring-decimal"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Options are what a Store needs to know of the machine it runs on. Zero values are replaced by the defaults named.
type Options struct {
	MaxConnections int           // the pool's size; 10
	Reserve        int           // of these, for critical work alone; 2
	Patience       time.Duration // the longest wait for a connection; 2 s
	Release        int32         // what the fence knows this program as; the constant Release
}

func (o Options) withDefaults() Options {
	if o.MaxConnections == 0 {
		o.MaxConnections = 10
	}
	if o.Reserve == 0 {
		o.Reserve = min(2, o.MaxConnections-1)
	}
	if o.Patience == 0 {
		o.Patience = 2 * time.Second
	}
	if o.Release == 0 {
		o.Release = Release
	}
	return o
}

// The server ends by itself what this program, stopped or cut off, can no longer end.
const (
	statementTimeout = 4 * time.Second
	lockTimeout      = 2 * time.Second
	idleTimeout      = 10 * time.Second
	connectTimeout   = 5 * time.Second
)

// What waits at the gate: as many as can be served in about the time that people are patient, and no longer in the order of arrival once it takes that long.
const (
	waitingPerConnection = 50
	congestion           = 100 * time.Millisecond
)

// Store is the only way to the database. Every transaction passes its gate, belongs to one organisation,
// and is short: no network call, no waiting for people, no other transaction inside.
type Store struct {
	pool    *pgxpool.Pool
	gate    *Gate
	config  *pgx.ConnConfig
	release int32
}

// Open connects to url, which signs in as kakeai_app. It refuses a login that row-level security does not bind.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	o = o.withDefaults()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("db: the database's address cannot be read: %w", errors.New("malformed URL")) // the original would print the password
	}
	config.MaxConns = int32(min(o.MaxConnections, math.MaxInt32)) //nolint:gosec // bounded in the same breath
	config.MaxConnIdleTime = 5 * time.Minute
	config.MaxConnLifetime = time.Hour
	config.MaxConnLifetimeJitter = 10 * time.Minute
	config.ConnConfig.ConnectTimeout = connectTimeout
	for name, value := range map[string]string{
		"application_name":                    "kakeai",
		"timezone":                            "UTC",
		"statement_timeout":                   milliseconds(statementTimeout),
		"lock_timeout":                        milliseconds(lockTimeout),
		"idle_in_transaction_session_timeout": milliseconds(idleTimeout),
	} {
		config.ConnConfig.RuntimeParams[name] = value
	}
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		pgxdecimal.Register(conn.TypeMap())
		return nil
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, translate(err)
	}
	s := &Store{pool: pool, gate: NewGate(Admission{Connections: o.MaxConnections, Reserve: o.Reserve, Waiting: waitingPerConnection * o.MaxConnections,
		Patience: o.Patience, Congestion: congestion}), config: config.ConnConfig, release: o.Release}
	if err := s.refuseUnboundLogin(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return s, nil
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// refuseUnboundLogin keeps a program from running for years with its second wall down.
func (s *Store) refuseUnboundLogin(ctx context.Context) error {
	return s.System(ctx, Critical, func(ctx context.Context, q *Queries) error {
		login, err := q.GetLogin(ctx)
		if err != nil {
			return err
		}
		if login.Bypasses || login.Owns {
			return fmt.Errorf("db: the login %q is a superuser, bypasses row-level security or owns the tables; use kakeai_app", login.Name)
		}
		return nil
	})
}

// Close waits for running transactions and ends the connections.
func (s *Store) Close() { s.pool.Close() }

// Connections tells how many connections are open and in use.
func (s *Store) Connections() (open, used int32) {
	stat := s.pool.Stat()
	return stat.TotalConns(), stat.AcquiredConns()
}

// Notify wakes whoever listens on channel. It is a short transaction of its own, for what may be lost: listeners poll as well.
func (s *Store) Notify(ctx context.Context, channel string) error {
	return s.System(ctx, Background, func(ctx context.Context, q *Queries) error {
		_, err := q.db.Exec(ctx, "SELECT pg_notify($1, '')", channel)
		return err
	})
}

// Listen calls wake for each notification on channel until ctx ends or the connection breaks, on a connection of its own.
// ready, called once, tells that nothing sent from then on is missed. A connection pooler in transaction mode swallows
// notifications without a word, so nobody may depend on them.
func (s *Store) Listen(ctx context.Context, channel string, ready, wake func()) error {
	conn, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		return translate(err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
		defer cancel()
		_ = conn.Close(ctx) // nothing to lose on a connection that only listened
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return translate(err)
	}
	ready()
	for {
		waited, cancel := context.WithTimeout(ctx, listenCheck)
		_, err := conn.WaitForNotification(waited)
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			wake()
		case pgconn.Timeout(err):
			if err := conn.Ping(ctx); err != nil { // a silent, dead connection looks like a quiet one
				return translate(err)
			}
		default:
			return translate(err)
		}
	}
}

const listenCheck = 30 * time.Second
