// Package api is Kakeai over HTTP: openapi.yaml describes it, api.gen.go is compiled from that, and each resource has one file of handlers.
package api

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/convene"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/notify"
	"github.com/kakeai/kakeai/internal/queue"
	"github.com/kakeai/kakeai/internal/snapshot"
)

// Options are what a Server needs to know of where it runs.
type Options struct {
	CursorKey  []byte       // authenticates cursors; the same in every replica, at least 32 bytes
	Limits     Limits       // of clients; the zero value has none
	TrustProxy bool         // a reverse proxy stands in front and sets X-Forwarded-For and X-Forwarded-Proto
	Progress   *ai.Progress // the answers that this process's worker is writing; nil where it has none

	Model string // the model that workers ask, for people to know; empty where none is configured, or this process has not been told

	Deliveries       *queue.Waker      // tells workers, after the commit, of recorded events; nil: they are found by polling
	Announcer        *notify.Announcer // tells those who follow their inboxes of what requests made; nil: they look every few seconds
	InsecureWebhooks bool              // lets webhooks be http, for trials on one machine

	PublicURL string     // where people reach the server: for links in calendars, and where they are sent once the identity provider has vouched for them
	OIDC      *auth.OIDC // signs people in through an identity provider; nil where there is none
	Pictures  Pictures   // fetches the pictures that the provider has of them; nil where none are fetched

	Previews Previews // reads what linked pages say of themselves; nil where nobody does

	Production    bool               // refuses what the description keeps out of production
	Organizations *snapshot.Database // changes whole organisations, as the owner of the tables; nil where nobody may

	Web fs.FS // the built browser application, with index.html at its root; nil, or without that, for none

	Mails *mail.Folder // where mails stay in development, for people to look at; nil where they leave

	Deferred *background.Runner // runs what requests defer; without one it runs in place
	Observe  func(Answered)     // is told of every request that was answered, and must not block; may be nil
}

// Answered is a request that has been answered, in terms of which there are only so many.
type Answered struct {
	Method string // one of HTTP's; "other" for inventions
	Route  string // as it was declared, with names for what varies; empty where there is none such
	Status int
	Took   time.Duration
}

// Server handles every operation of openapi.yaml.
type Server struct {
	store       *db.Store
	passwords   *auth.Passwords
	live        *notify.Live
	waker       *queue.Waker // tells workers, after the commit, that there is work
	log         *slog.Logger
	options     Options
	cursors     cursors
	limits      limits
	accesses    *buckets[[32]byte] // of the times of last use that are still to be written, by token
	convener    *convene.Convener
	validation  validation
	crossOrigin *http.CrossOriginProtection
	links       mail.Links // in mails, to end them
	mailPages   *template.Template
	pictures    pictures
	replacing   chan struct{} // a place for each organisation that is being replaced
	workbooks   chan struct{} // a place for each workbook that is being read
	ending      chan struct{} // closed when streams are to end
	endOnce     sync.Once
}

var _ StrictServerInterface = (*Server)(nil)

// NewServer returns a Server. It starts nothing and opens nothing.
func NewServer(store *db.Store, passwords *auth.Passwords, waker *queue.Waker, log *slog.Logger, options Options) (*Server, error) {
	if len(options.CursorKey) < 32 {
		return nil, errors.New("api: the cursor key needs at least 32 bytes")
	}
	v, err := newValidation()
	if err != nil {
		return nil, err
	}
	links, err := mail.NewLinks(options.CursorKey)
	if err != nil {
		return nil, err
	}
	mailPages, err := parseMailPages()
	if err != nil {
		return nil, err
	}
	return &Server{store: store, live: notify.NewLive(store, log), passwords: passwords, waker: waker, log: log, options: options, links: links, mailPages: mailPages, pictures: newPictures(), convener: convene.New(store, convene.Options{PublicURL: options.PublicURL}), accesses: newBuckets[[32]byte](Rate{PerSecond: 1 / accessEvery.Seconds(), Burst: 1}),
		cursors: cursors{key: options.CursorKey}, limits: newLimits(options.Limits), validation: v, crossOrigin: http.NewCrossOriginProtection(), replacing: make(chan struct{}, replacementsAtOnce), workbooks: make(chan struct{}, workbooksAtOnce), ending: make(chan struct{})}, nil
}

// EndStreams ends the streams that would otherwise hold up a shutdown; their clients ask again, and reach another replica.
func (s *Server) EndStreams() { s.endOnce.Do(func() { close(s.ending) }) }

// Handler returns the routes: the API, its description and reference page, and the probes.
func (s *Server) Handler() http.Handler {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.ContextWithFallback = false
	engine.Use(s.begin, s.recovered)
	engine.NoMethod(func(c *gin.Context) { s.fail(c, errNoSuchMethod) })
	s.probes(engine)
	s.documentation(engine)
	s.browserApplication(engine)
	s.unsubscribing(engine)
	s.mailViewer(engine)
	routes := engine.Group("/", s.limit, s.sameOrigin, s.personally, s.outsideProduction, s.readBody, s.validate)
	RegisterHandlersWithOptions(routes, newStrictHandler(s, s.respond), GinServerOptions{
		BaseURL: basePath,
		ErrorHandler: func(c *gin.Context, err error, _ int) {
			s.fail(c, badRequest(FieldProblem{Pointer: "", Code: "parameter", Detail: sentence(err.Error())}))
		},
	})
	return s.shed(engine)
}

// scope is where the request's transactions run.
func (x *exchange) scope(class db.Class) db.Scope {
	return db.Scope{Organization: x.token.Organization, Class: class}
}

// read runs work on one consistent view, for whoever is asking as the database knows them in it.
func read[R any](ctx context.Context, s *Server, work func(ctx context.Context, q *db.Queries, a actor) (R, error)) (R, error) {
	x := exchangeOf(ctx)
	var answer R
	if !x.signedIn {
		return answer, errSignedOut
	}
	err := s.store.Read(ctx, x.scope(db.Normal), func(ctx context.Context, q *db.Queries) error {
		a, err := actorForRead(ctx, q, x)
		if err != nil {
			return err
		}
		answer, err = work(ctx, q, a)
		return err
	})
	s.charge(x, err)
	s.noteAccess(ctx, x, err)
	return answer, err
}

// write runs work for whoever is asking, as the database knows them inside this very transaction and until its end. What work answers is
// kept beside the request's Idempotency-Key, if it claimed one, in the same transaction.
func write[R any](ctx context.Context, s *Server, work func(ctx context.Context, q *db.Queries, a actor) (R, error)) (R, error) {
	x := exchangeOf(ctx)
	var answer R
	if !x.signedIn {
		return answer, errSignedOut
	}
	err := s.store.Write(notify.WithAnnouncer(ctx, s.options.Announcer), x.scope(db.Normal), func(ctx context.Context, q *db.Queries) error {
		a, err := actorForWrite(ctx, q, x)
		if err != nil {
			return err
		}
		answer, err = work(ctx, q, a)
		if err != nil {
			return err
		}
		return keepAnswer(ctx, q, a, answer)
	})
	s.charge(x, err)
	s.noteAccess(ctx, x, err)
	return answer, err
}

// charge counts a request of somebody who turned out to be signed in against their organisation.
func (s *Server) charge(x *exchange, err error) {
	if !errors.Is(err, errSignedOut) {
		s.limits.organization.take(x.token.Organization)
	}
}

func etag(revision int64) string { return fmt.Sprintf("%q", fmt.Sprint(revision)) }
