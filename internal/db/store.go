// Package db is the only way to the database: typed queries that sqlc makes of sql/queries, and the Store that runs them in short transactions.
package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Options are what a Store needs to know of the machine it runs on. Zero values are replaced by the defaults named.
type Options struct {
	MaxConnections int           // the pool's size; 10
	Reserve        int           // of these, for critical work alone; 2
	Patience       time.Duration // the longest wait at the gate; 2 s
	Release        int32         // what the fence knows this program as; the constant Release
	Timeouts       Timeouts
}

// Timeouts bound everything that a transaction waits for once it is through the gate. Zero values are replaced by the defaults named.
type Timeouts struct {
	// By this program.
	Connect     time.Duration // for one host to accept a connection, signing in included; 3 s
	Ping        time.Duration // for a connection that was idle to show that it lives; 1 s
	Acquire     time.Duration // for the pool to come up with a connection, both of these included; 2 s
	Transaction time.Duration // for all of it, being run again included; 5 s

	// By the server, which ends what this program, stopped or cut off, can no longer end.
	Statement time.Duration // for one statement, so that the server gives up before this program does; 4 s
	Lock      time.Duration // for one lock; 2 s
	Idle      time.Duration // between two statements of a transaction; 10 s
}

const (
	connectTimeout     = 3 * time.Second // more than acquireTimeout: a connect that takes longer than anyone waits goes on, and the next one finds the connection
	pingTimeout        = time.Second
	acquireTimeout     = 2 * time.Second
	transactionTimeout = 5 * time.Second
	statementTimeout   = 4 * time.Second
	lockTimeout        = 2 * time.Second
	idleTimeout        = 10 * time.Second
)

func (o Options) withDefaults() Options {
	o.MaxConnections = cmp.Or(o.MaxConnections, 10)
	o.Reserve = cmp.Or(o.Reserve, min(2, o.MaxConnections-1))
	o.Patience = cmp.Or(o.Patience, 2*time.Second)
	o.Release = cmp.Or(o.Release, Release)
	o.Timeouts = o.Timeouts.withDefaults()
	return o
}

func (t Timeouts) withDefaults() Timeouts {
	return Timeouts{
		Connect: cmp.Or(t.Connect, connectTimeout), Ping: cmp.Or(t.Ping, pingTimeout), Acquire: cmp.Or(t.Acquire, acquireTimeout),
		Transaction: cmp.Or(t.Transaction, transactionTimeout),
		Statement:   cmp.Or(t.Statement, statementTimeout), Lock: cmp.Or(t.Lock, lockTimeout), Idle: cmp.Or(t.Idle, idleTimeout),
	}
}

// waitingPerConnection bounds what waits at the gate: about as many as can be served while people are patient.
const waitingPerConnection = 50

// applicationName is followed by the release, so that the owner sees which releases are connected.
const applicationName = "kakeai/"

// errMalformedURL stands for what the parser says, which would print the password.
var errMalformedURL = errors.New("db: the database's address cannot be read: malformed URL")

// Store is the only way to the database. Every transaction passes its gate, belongs to one organisation,
// and is short: no network call, no waiting for people, no other transaction inside.
type Store struct {
	pool     *pgxpool.Pool
	gate     *Gate
	connects *connects
	config   *pgx.ConnConfig
	timeouts Timeouts
	release  int32
	answered *atomic.Int64 // when the server last began a transaction, in nanoseconds since 1970
}

// Open connects to url, which signs in as kakeai_app. It refuses a login that row-level security does not bind.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	o = o.withDefaults()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errMalformedURL
	}
	config.MaxConns = int32(min(o.MaxConnections, math.MaxInt32)) //nolint:gosec // bounded in the same breath
	config.MaxConnIdleTime = 5 * time.Minute
	config.MaxConnLifetime = time.Hour
	config.MaxConnLifetimeJitter = 10 * time.Minute
	config.PingTimeout = o.Timeouts.Ping
	config.ConnConfig.ConnectTimeout = o.Timeouts.Connect
	for name, value := range map[string]string{
		"application_name":                    applicationName + strconv.Itoa(int(o.Release)),
		"timezone":                            "UTC",
		"statement_timeout":                   milliseconds(o.Timeouts.Statement),
		"lock_timeout":                        milliseconds(o.Timeouts.Lock),
		"idle_in_transaction_session_timeout": milliseconds(o.Timeouts.Idle),
		"jit":                                 "off", // statements are short, and where the planner thinks otherwise, compiling takes longer than they do
	} {
		config.ConnConfig.RuntimeParams[name] = value
	}
	pace := newConnects()
	config.ConnConfig.Tracer = pace
	config.BeforeConnect = func(ctx context.Context, _ *pgx.ConnConfig) error { return pace.begin(ctx) }
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		RegisterTypes(conn.TypeMap())
		return nil
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, translate(err)
	}
	s := &Store{pool: pool, gate: NewGate(Admission{Connections: o.MaxConnections, Reserve: o.Reserve, Waiting: waitingPerConnection * o.MaxConnections,
		Patience: o.Patience}), connects: pace, config: config.ConnConfig, timeouts: o.Timeouts, release: o.Release, answered: new(atomic.Int64)}
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

// Full reports whether a class's line is full, so that newcomers are likely to be refused. It costs next to nothing.
func (s *Store) Full(class Class) bool { return s.gate.Full(class) }

// Refuse returns the OverloadError that a transaction of the scope would get at once, and counts it as refused; nil if it may at least stand in line.
// It is for those who can refuse before they have spent anything on a request.
func (s *Store) Refuse(scope Scope) error { return s.gate.Refuse(scope) }

// Load tells what the gate is doing for a class.
func (s *Store) Load(class Class) Load { return s.gate.Load(class) }

// Connections tells how many connections are open and in use.
func (s *Store) Connections() (open, used int32) {
	stat := s.pool.Stat()
	return stat.TotalConns(), stat.AcquiredConns()
}

// AnsweredSince reports whether the server has begun a transaction for anybody since then: with that, having to wait means that it is busy, not gone.
func (s *Store) AnsweredSince(then time.Time) bool { return s.answered.Load() > then.UnixNano() }

// Notify wakes whoever listens on channel. It is a short transaction of its own, for what may be lost: listeners poll as well.
func (s *Store) Notify(ctx context.Context, channel string) error {
	return s.Publish(ctx, channel, "")
}

// Listen is Subscribe for channels on which nothing is said but that there is something.
func (s *Store) Listen(ctx context.Context, channel string, ready, wake func()) error {
	return s.Subscribe(ctx, channel, ready, func(string) { wake() })
}

const listenCheck = 30 * time.Second
