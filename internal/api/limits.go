package api

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"golang.org/x/time/rate"
)

// Rate is how many requests are taken: PerSecond in the long run, and up to Burst at once. A zero Rate is no limit.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Limits bound what one client may ask for. They are kept in memory and so count for each process alone: N replicas let through up to N times as much.
type Limits struct {
	Session      Rate // requests of one session
	Organization Rate // requests of all sessions of one organisation
	Account      Rate // sign-in attempts for one e-mail address
	Address      Rate // sign-in attempts from one network address
	Feed         Rate // readings of one secret calendar
}

// DefaultLimits are far above what people do and far below what guessing passwords needs.
func DefaultLimits() Limits {
	return Limits{
		Session:      Rate{PerSecond: 100, Burst: 200},
		Organization: Rate{PerSecond: 2000, Burst: 4000},
		Account:      Rate{PerSecond: 1.0 / 30, Burst: 10},
		Address:      Rate{PerSecond: 5, Burst: 300}, // a whole office may stand behind one
		Feed:         Rate{PerSecond: 1.0 / 30, Burst: 30},
	}
}

type limits struct {
	session      *buckets[[32]byte]
	organization *buckets[uuid.UUID]
	account      *buckets[string]
	address      *buckets[string]

	unsubscribing *buckets[uuid.UUID] // requests with the link of one member
	feed          *buckets[[32]byte]
	invitation    *buckets[uuid.UUID] // requests with the link of one invitation
}

func newLimits(l Limits) limits {
	return limits{session: newBuckets[[32]byte](l.Session), organization: newBuckets[uuid.UUID](l.Organization),
		account: newBuckets[string](l.Account), address: newBuckets[string](l.Address), unsubscribing: newBuckets[uuid.UUID](l.Account), feed: newBuckets[[32]byte](l.Feed), invitation: newBuckets[uuid.UUID](l.Account)}
}

// maxBuckets bounds the memory that strangers can make a process hold: about 20 MB for all of them.
const maxBuckets = 50_000

// buckets are token buckets by key. One that is full again says nothing, and is forgotten when room is needed.
type buckets[K comparable] struct {
	rate Rate
	now  func() time.Time // a test's own

	mu    sync.Mutex
	byKey map[K]*rate.Limiter
}

func newBuckets[K comparable](r Rate) *buckets[K] {
	return &buckets[K]{rate: r, now: time.Now, byKey: map[K]*rate.Limiter{}}
}

// take takes one from the key's bucket, and returns zero; or how long it takes until there is one again.
func (b *buckets[K]) take(key K) time.Duration {
	if b.rate.Burst == 0 {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	reservation := b.bucket(key, now).ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now) // those who are refused do not push the next one further away
	}
	return wait
}

// left returns zero if the key's bucket has something in it, and takes nothing.
func (b *buckets[K]) left(key K) time.Duration {
	if b.rate.Burst == 0 {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	bucket, ok := b.byKey[key]
	if !ok {
		return 0
	}
	if missing := 1 - bucket.TokensAt(b.now()); missing > 0 {
		return time.Duration(missing / b.rate.PerSecond * float64(time.Second))
	}
	return 0
}

func (b *buckets[K]) bucket(key K, now time.Time) *rate.Limiter {
	bucket, ok := b.byKey[key]
	if !ok {
		b.makeRoom(now)
		bucket = rate.NewLimiter(rate.Limit(b.rate.PerSecond), b.rate.Burst)
		b.byKey[key] = bucket
	}
	return bucket
}

// makeRoom forgets full buckets, and if that is not enough any: forgetting errs towards letting somebody through.
func (b *buckets[K]) makeRoom(now time.Time) {
	if len(b.byKey) < maxBuckets {
		return
	}
	for key, bucket := range b.byKey {
		if bucket.TokensAt(now) >= float64(b.rate.Burst) {
			delete(b.byKey, key)
		}
	}
	for key := range b.byKey {
		if len(b.byKey) < maxBuckets*9/10 {
			return
		}
		delete(b.byKey, key)
	}
}

// tooMany is the answer to whoever asks too often.
func tooMany(wait time.Duration) error {
	return &problem{status: http.StatusTooManyRequests, kind: "too-many-requests", title: "Too many requests", retryAfter: wait,
		detail: fmt.Sprintf("Nothing was changed. Send the same again in %d seconds.", seconds(wait))}
}

// limit refuses a session that asks too often before any row is read. What names an organisation is not proven yet, so its bucket is only looked at here
// and filled by those who turn out to be signed in: nobody can use up another organisation's.
func (s *Server) limit(c *gin.Context) {
	x := exchangeOf(c.Request.Context())
	if x.signedIn {
		wait := s.limits.session.take([32]byte(x.token.Hash()))
		if wait == 0 {
			wait = s.limits.organization.left(x.token.Organization)
		}
		if wait > 0 {
			s.fail(c, tooMany(wait))
			return
		}
	}
	c.Next()
}

// limitSignIn counts an attempt to sign in, whatever comes of it, before a password is hashed for it.
func (s *Server) limitSignIn(x *exchange, email string) error {
	if wait := s.limits.address.take(x.address); wait > 0 {
		return tooMany(wait)
	}
	if wait := s.limits.account.take(strings.ToLower(strings.TrimSpace(email))); wait > 0 {
		return tooMany(wait)
	}
	return nil
}

// seconds rounds up, since coming back too early is in vain.
func seconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }
