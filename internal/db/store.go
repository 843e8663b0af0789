// Package db is the only way to the database: typed queries that sqlc makes of sql/queries, and the Store that runs them in short transactions.
package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Options are what a Store needs to know of the machine it runs on. Zero values are replaced by the defaults named.
type Options struct {
	MaxConnections int           // the pool's size; 10
	Reserve        int           // of these, for critical work alone; 2
	Patience       time.Duration // the longest wait at the gate; 2 s
	Release        int32         // what the fence knows this program as; the constant Release
	ListenURL      string        // where notifications are listened for, if not where everything else is asked: past a pooler
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
	listener *pgx.ConnConfig // of connections that listen
	pooled   bool            // a pooler gives each transaction a connection that others have had
	settings string          // what a transaction then sets for itself, after begin
	timeouts Timeouts
	release  int32
	answered *atomic.Int64 // when the server last began a transaction, in nanoseconds since 1970
}

// Open connects to url, which signs in as kakeai_app. It refuses a login that row-level security does not bind. Where a pooler in transaction mode stands before the server, nothing is kept
// on a connection: no prepared statement, and what is to bound a transaction is set in it.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	o = o.withDefaults()
	s, err := open(ctx, url, o, false)
	if err != nil {
		return nil, err
	}
	pooled, err := s.inspect(ctx)
	if pooled {
		s.Close()
		if s, err = open(ctx, url, o, true); err != nil {
			return nil, err
		}
		_, err = s.inspect(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func open(ctx context.Context, url string, o Options, pooled bool) (*Store, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errMalformedURL
	}
	config.MaxConns = int32(min(o.MaxConnections, math.MaxInt32)) //nolint:gosec // bounded in the same breath
	config.MaxConnIdleTime = 5 * time.Minute
	config.MaxConnLifetime = time.Hour
	config.MaxConnLifetimeJitter = 10 * time.Minute
	config.PingTimeout = o.Timeouts.Ping
	prepare(config.ConnConfig, o, pooled)
	if pooled && !strings.Contains(url, "default_query_exec_mode=") {
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe // which holds on any connection
	}
	pace := newConnects()
	config.ConnConfig.Tracer = pace
	config.BeforeConnect = func(ctx context.Context, _ *pgx.ConnConfig) error { return pace.begin(ctx) }
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		RegisterTypes(conn.TypeMap())
		return nil
	}
	listener := config.ConnConfig
	if o.ListenURL != "" {
		if listener, err = pgx.ParseConfig(o.ListenURL); err != nil {
			return nil, errMalformedURL
		}
		prepare(listener, o, false)
		listener.Tracer = pace
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, translate(err)
	}
	s := &Store{pool: pool, gate: NewGate(Admission{Connections: o.MaxConnections, Reserve: o.Reserve, Waiting: waitingPerConnection * o.MaxConnections,
		Patience: o.Patience}), connects: pace, listener: listener, pooled: pooled, timeouts: o.Timeouts, release: o.Release, answered: new(atomic.Int64)}
	if pooled {
		s.settings = setLocal(bounds(o.Timeouts))
	}
	return s, nil
}

// ownServer is a setting that a server takes from whoever connects. A pooler refuses it or keeps it to itself, as it does with the bounds of bounds.
const ownServer = "kakeai.direct"

// prepare has a connection begin with what this program needs of it.
func prepare(c *pgx.ConnConfig, o Options, pooled bool) {
	c.ConnectTimeout = o.Timeouts.Connect
	c.RuntimeParams["application_name"] = applicationName + strconv.Itoa(int(o.Release))
	c.RuntimeParams["timezone"] = "UTC"
	if !pooled {
		maps.Copy(c.RuntimeParams, bounds(o.Timeouts))
		c.RuntimeParams[ownServer] = "on"
	}
}

// bounds are the server's settings that keep a transaction short.
func bounds(t Timeouts) map[string]string {
	return map[string]string{
		"statement_timeout":                   milliseconds(t.Statement),
		"lock_timeout":                        milliseconds(t.Lock),
		"idle_in_transaction_session_timeout": milliseconds(t.Idle),
		"jit":                                 "off", // statements are short, and where the planner thinks otherwise, compiling takes longer than they do
	}
}

// setLocal follows begin, in the same round trip.
func setLocal(settings map[string]string) string {
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		_, _ = fmt.Fprintf(&all, "; set local %s = '%s'", name, settings[name]) // a builder takes everything
	}
	return all.String()
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// inspect finds out whether a pooler stands before the server that this store does not know of yet, and keeps a program from running for years with its second wall down.
func (s *Store) inspect(ctx context.Context) (pooled bool, err error) {
	err = s.System(ctx, Critical, func(ctx context.Context, q *Queries) error {
		unknown, err := s.unknownPooler(ctx, q)
		if pooled = unknown; pooled || err != nil {
			return err
		}
		login, err := q.GetLogin(ctx)
		if err != nil {
			return err
		}
		if login.Bypasses || login.Owns {
			return fmt.Errorf("db: the login %q is a superuser, bypasses row-level security or owns the tables; use kakeai_app", login.Name)
		}
		return nil
	})
	var refused *pgconn.PgError
	if !s.pooled && errors.As(err, &refused) && refused.Code == pgerrcode.ProtocolViolation && strings.Contains(refused.Message, "startup parameter") {
		return true, nil
	}
	return pooled, err
}

// unknownPooler asks without preparing anything, which another client of the pooler would stumble over.
func (s *Store) unknownPooler(ctx context.Context, q *Queries) (bool, error) {
	if s.pooled {
		return false, nil
	}
	var on string
	err := q.db.QueryRow(ctx, "SELECT coalesce(current_setting('"+ownServer+"', true), '')", pgx.QueryExecModeSimpleProtocol).Scan(&on)
	return on != "on", err
}

// Pooled reports whether a pooler gives each transaction a connection that others have had.
func (s *Store) Pooled() bool { return s.pooled }

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
