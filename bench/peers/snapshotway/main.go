// Command snapshotway is Kakeai as it was designed before: what it knows of an organisation is one snapshot in memory, and every write changes the
// organisation as a whole. It answers a part of the product's requests, with the same answers.
//
// A read asks the database who is asking and at which revision the organisation is, and answers from the snapshot if it is of that revision;
// otherwise the organisation is read whole, once for all who wait for it. A write takes a connection, begins, takes the organisation's lock, takes
// the snapshot from memory or reads the organisation whole, makes a changed copy, compares the two, writes what differs with its history, audit and
// events, raises the organisation's revision, reads the organisation whole again, validates it and commits. Others who want to write wait for
// the lock with a connection in their hands.
//
// The pool has 20 connections by default, a lock is waited for 2 s, a connection 5 s; what takes longer is 503.
//
// What that design left open is settled in its favour here:
//   - A snapshot holds what people edit and nothing else. History, audit, check-ins, comments, dialogues, messages, jobs and sessions, which
//     the earlier system read as well, are left out; where a request needs one of them, it is read or written by its id.
//   - Reading the organisation whole is one round trip of one unpaged statement per table, without a sort.
//   - A writer publishes its snapshot, so that neither readers nor the next writer read the organisation again; the copy shares with the original what it
//     does not change, and what is shared is not compared.
//   - The lock is taken in the round trip of BEGIN. Only the state after a change is validated.
//   - There are no fence, no limits per client, no check against the API's description, no statement timeout; a client that hangs up does not cost its
//     connection.
//   - Ids and decimals are read without a detour by text, and the garbage collector runs at five times what is live.
//   - Signing in and readiness are plain transactions without the lock; readiness is asked once for all who wait. Passwords are bounded as in the product.
//   - The coach's worker lives in the same process and is woken without a notification; it claims several jobs in one change and never loses a lease.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

const (
	lockTimeout    = 2 * time.Second
	acquireTimeout = 5 * time.Second
)

func main() {
	if err := run(); err != nil {
		slog.Error("ended", "error", err)
		os.Exit(1)
	}
}

// settings come from the environment: ADDR, DATABASE_URL, CONNECTIONS, and JOBS, of which 0 or none is no worker.
type settings struct {
	address, databaseURL string
	connections, jobs    int
}

func fromEnvironment() (s settings, err error) {
	s = settings{address: os.Getenv("ADDR"), databaseURL: os.Getenv("DATABASE_URL")}
	if s.connections, err = strconv.Atoi(os.Getenv("CONNECTIONS")); err != nil {
		return s, fmt.Errorf("CONNECTIONS: %w", err)
	}
	if jobs := os.Getenv("JOBS"); jobs != "" {
		if s.jobs, err = strconv.Atoi(jobs); err != nil {
			return s, fmt.Errorf("JOBS: %w", err)
		}
	}
	return s, nil
}

// collectAt is how many per cent of what is live may be garbage: reading an organisation whole makes much of it, and memory is there.
const collectAt = 400

func run() error {
	debug.SetGCPercent(collectAt)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	settings, err := fromEnvironment()
	if err != nil {
		return err
	}
	pool, err := open(ctx, settings)
	if err != nil {
		return err
	}
	defer pool.Close()
	s := newServer(pool, slog.New(slog.NewJSONHandler(os.Stderr, nil)))
	working := make(chan struct{})
	go func() {
		defer close(working)
		if settings.jobs > 0 {
			newWorker(s, ai.NewRules(), settings.jobs).run(ctx)
		}
	}()
	web := &http.Server{Addr: settings.address, Handler: s.routes(), ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = web.Shutdown(ending) // what did not end by then is cut off
	})
	if err := web.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-working
	return nil
}

// open returns the pool. Its connections give up waiting for a lock after lockTimeout.
func open(ctx context.Context, s settings) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(s.databaseURL)
	if err != nil {
		return nil, errors.New("DATABASE_URL: malformed") // the original would print the password
	}
	config.MaxConns = int32(s.connections) //nolint:gosec // a few
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.ConnConfig.RuntimeParams["lock_timeout"] = strconv.FormatInt(lockTimeout.Milliseconds(), 10)
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		db.RegisterTypes(conn.TypeMap())
		return nil
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// server is one process of the old system.
type server struct {
	pool          *pgxpool.Pool
	log           *slog.Logger
	organizations organizations
	passwords     *auth.Passwords
	wake          chan struct{} // filled: there may be a job
}

func newServer(pool *pgxpool.Pool, log *slog.Logger) *server {
	return &server{pool: pool, log: log, organizations: organizations{newest: map[uuid.UUID]*whole{}}, passwords: auth.NewPasswords(runtime.GOMAXPROCS(0), auth.PasswordPatience), wake: make(chan struct{}, 1)}
}

func (s *server) routes() http.Handler {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.Use(s.begin, gin.Recovery())
	engine.GET("/readyz", s.ready())
	engine.POST("/api/v1/session", s.handle(http.StatusCreated, s.signIn))
	engine.GET("/api/v1/session", s.handle(http.StatusOK, s.session))
	engine.GET("/api/v1/objectives/:id", s.handle(http.StatusOK, s.objective))
	engine.PATCH("/api/v1/objectives/:id", s.handle(http.StatusOK, s.edit))
	engine.POST("/api/v1/dialogues/:id/jobs", s.handle(http.StatusAccepted, s.askCoach))
	return engine
}

const requestID = "request_id"

// begin gives the request an id and writes one line about it, as the product does.
func (s *server) begin(c *gin.Context) {
	began := time.Now()
	c.Set(requestID, db.NewID().String())
	c.Next()
	s.log.InfoContext(c.Request.Context(), "request", "request_id", c.GetString(requestID), "method", c.Request.Method, "route", c.FullPath(),
		"status", c.Writer.Status(), "bytes", c.Writer.Size(), "milliseconds", time.Since(began).Milliseconds())
}
