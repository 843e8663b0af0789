// Command minimal answers four of Kakeai's requests with the same database work and the same answers, and as little around it as net/http
// allows: no admission but what is named in BULKHEAD. It stands for a program that leaves its overload to the pool, to a bulkhead or to a pooler.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/oapi-codegen/nullable"

	"github.com/kakeai/kakeai/bench/peers/bare"
	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

func main() {
	if err := run(); err != nil {
		slog.Error("ended", "error", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	connections, err := strconv.Atoi(os.Getenv("CONNECTIONS"))
	if err != nil {
		return err
	}
	pool, err := bare.Open(ctx, os.Getenv("DATABASE_URL"), connections)
	if err != nil {
		return err
	}
	defer pool.Close()
	normal, critical := alone, alone
	if os.Getenv("BULKHEAD") != "" {
		// One for each kind of work, as many places as the product keeps for it, and the product's patience: a bulkhead knows no classes.
		const reserve, patience = 2, 2 * time.Second
		normal, critical = behind(connections-reserve, patience), behind(reserve, patience)
	}
	s := server{pool: pool, log: slog.New(slog.NewJSONHandler(os.Stderr, nil))}
	routes := http.NewServeMux()
	routes.Handle("GET /readyz", critical(s.handle(s.ready)))
	routes.Handle("GET /api/v1/session", critical(s.handle(s.session)))
	routes.Handle("GET /api/v1/objectives/{id}", normal(s.handle(s.read)))
	routes.Handle("PATCH /api/v1/objectives/{id}", normal(s.handle(s.edit)))
	web := &http.Server{Addr: os.Getenv("ADDR"), Handler: s.logged(routes), ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = web.Shutdown(ending)
	})
	if err := web.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

type middleware func(http.Handler) http.Handler

func alone(h http.Handler) http.Handler { return h }

// behind lets so many through at a time and has the others wait, as failsafe-go documents its bulkhead.
func behind(places int, patience time.Duration) middleware {
	executor := failsafe.With(bulkhead.NewBuilder[any](uint(places)).WithMaxWaitTime(patience).Build()) //nolint:gosec // a few
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			err := executor.WithContext(r.Context()).Run(func() error { h.ServeHTTP(w, r); return nil })
			if err != nil {
				w.Header().Set("Retry-After", "1")
				http.Error(w, "too much is waiting already", http.StatusServiceUnavailable)
			}
		})
	}
}

type server struct {
	pool *pgxpool.Pool
	log  *slog.Logger
}

type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

// logged writes one line for each request, as the product does.
func (s server) logged(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		seen := &status{w, http.StatusOK}
		h.ServeHTTP(seen, r)
		s.log.InfoContext(r.Context(), "request", "method", r.Method, "route", r.Pattern, "status", seen.code, "milliseconds", time.Since(began).Milliseconds())
	})
}

func (s server) handle(work func(r *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := work(r)
		code := http.StatusOK
		switch {
		case errors.Is(err, bare.ErrStale):
			code = http.StatusConflict
		case errors.Is(err, pgx.ErrNoRows), errors.Is(err, auth.ErrMalformedToken):
			code = http.StatusNotFound
		case err != nil:
			code = http.StatusInternalServerError
		}
		if err != nil {
			http.Error(w, http.StatusText(code), code)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body) // a client that has gone needs no answer
	})
}

func (s server) ready(r *http.Request) (any, error) { return bare.Ready(r.Context(), s.pool) }

func (s server) session(r *http.Request) (any, error) {
	token, err := tokenOf(r)
	if err != nil {
		return nil, err
	}
	who, o, err := bare.Session(r.Context(), s.pool, token)
	return api.Session{ID: who.SessionID, User: api.Person{ID: who.UserID, Name: who.Name}, IconURL: nullable.NewNullNullable[string](), Role: who.Role, TeamIds: who.TeamIDs, LeadTeamIds: who.LeadTeamIDs,
		Organization: api.Organization{ID: o.ID, Name: o.Name, Locale: api.OrganizationLocale(o.Locale), TimeZone: o.TimeZone,
			Cadence: api.OrganizationCadence(o.Cadence), GraceDays: int(o.GraceDays)}}, err
}

func (s server) read(r *http.Request) (any, error) {
	token, err := tokenOf(r)
	if err != nil {
		return nil, err
	}
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return nil, pgx.ErrNoRows
	}
	o, a, err := bare.Read(r.Context(), s.pool, token, id)
	if err != nil {
		return nil, err
	}
	return o.View(a), nil
}

func (s server) edit(r *http.Request) (any, error) {
	token, err := tokenOf(r)
	if err != nil {
		return nil, err
	}
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return nil, pgx.ErrNoRows
	}
	var body struct {
		Revision int64  `json:"revision"`
		Title    string `json:"title"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<20)).Decode(&body); err != nil {
		return nil, err
	}
	o, a, err := bare.Edit(r.Context(), s.pool, token, id, body.Revision, body.Title, db.NewID().String(), r.RemoteAddr)
	if err != nil {
		return nil, err
	}
	return o.View(a), nil
}

func tokenOf(r *http.Request) (auth.Token, error) {
	bearer, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return auth.ParseToken(bearer)
}
