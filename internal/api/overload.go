package api

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kakeai/kakeai/internal/db"
)

// shedding refuses requests at the door, before they are routed, read, checked or logged one by one, when there is not even a place in line for them.
// What a refusal costs is taken from somebody who can still be served, and when ten times too much comes, nine of ten are refusals.
type shedding struct {
	store      *db.Store
	log        *slog.Logger
	trustProxy bool
	next       http.Handler

	body    []byte // of the answer, up to the request's id
	refused atomic.Int64
	told    atomic.Int64 // when the log was last told, in nanoseconds since 1970
}

func (s *Server) shed(next http.Handler) http.Handler {
	p := problemOf(db.ErrOverloaded)
	body, err := json.Marshal(Problem{Type: p.kind, Title: p.title, Status: p.status, Detail: &p.detail})
	if err != nil {
		panic(err) // texts and a number
	}
	return &shedding{store: s.store, log: s.log, trustProxy: s.options.TrustProxy, next: next, body: body[:len(body)-1]}
}

func (s *shedding) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.store.Full(db.Normal) || !ordinary(r) {
		s.next.ServeHTTP(w, r)
		return
	}
	token, ok := tokenOf(r, secure(r, s.trustProxy))
	if !ok {
		s.next.ServeHTTP(w, r)
		return
	}
	err := s.store.Refuse(db.Scope{Organization: token.Organization, Class: db.Normal})
	if err == nil {
		s.next.ServeHTTP(w, r)
		return
	}
	id := requestID(r)
	header := w.Header()
	setCommon(header, id)
	header.Set("Content-Type", "application/problem+json")
	header.Set("Retry-After", strconv.Itoa(retryAfter(err)))
	w.WriteHeader(http.StatusServiceUnavailable)
	body := append(make([]byte, 0, len(s.body)+len(id)+len(`,"request_id":""}`)), s.body...)
	body = append(append(append(body, `,"request_id":"`...), id...), `"}`...)
	_, _ = w.Write(body) // a client that has gone needs no answer
	s.count(r)
}

// ordinary reports whether the request will stand in the ordinary line: not the session, which is critical, and nothing that needs no database.
func ordinary(r *http.Request) bool {
	route, ok := strings.CutPrefix(r.URL.Path, basePath+"/")
	return ok && route != "session" && !strings.HasPrefix(route, "session/")
}

// count tells the log how many were refused, at most once a second.
func (s *shedding) count(r *http.Request) {
	s.refused.Add(1)
	now, told := time.Now().UnixNano(), s.told.Load()
	if now-told < int64(time.Second) || !s.told.CompareAndSwap(told, now) {
		return
	}
	s.log.WarnContext(r.Context(), "requests refused at the door", "count", s.refused.Swap(0), "status", http.StatusServiceUnavailable)
}
