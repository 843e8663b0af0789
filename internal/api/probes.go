package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/singleflight"

	"github.com/kakeai/kakeai/internal/db"
)

const (
	// readinessTimeout bounds the answer of /readyz: whoever supervises the program has a timeout too, and takes silence for a hang.
	readinessTimeout = time.Second
	// freshAnswer is how long the database counts as there after it has answered anybody, so that a busy program is not kept from its work to ask again.
	freshAnswer = 100 * time.Millisecond
)

// probes are for whatever supervises the program. Liveness never touches the database: restarting this program does not mend that one.
func (s *Server) probes(routes gin.IRoutes) {
	var asking singleflight.Group // anybody may ask, so any number of those who ask at once cost one transaction
	routes.GET("/healthz", func(c *gin.Context) { c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n")) })
	routes.GET("/readyz", func(c *gin.Context) { s.ready(c, &asking) })
}

// errOverdue is a transaction that began, or stands in line, and has not come back in time.
var errOverdue = fmt.Errorf("%w: no answer within %s", db.ErrUnavailable, readinessTimeout)

// ready says whether the database answers. The transaction that asks it may take longer than readiness may, and then ends by itself.
func (s *Server) ready(c *gin.Context, asking *singleflight.Group) {
	if s.store.AnsweredSince(time.Now().Add(-freshAnswer)) {
		isReady(c)
		return
	}
	ctx := context.WithoutCancel(c.Request.Context()) // others may wait for the same answer
	outcome := asking.DoChan("", func() (any, error) {
		ctx, cancel := context.WithTimeout(ctx, readinessTimeout)
		defer cancel()
		return nil, s.store.System(ctx, db.Critical, func(ctx context.Context, q *db.Queries) error {
			_, err := q.GetServerTime(ctx)
			return err
		})
	})
	overdue := time.NewTimer(readinessTimeout)
	defer overdue.Stop()
	var err error
	select {
	case o := <-outcome:
		err = o.Err
	case <-overdue.C:
		err = errOverdue
	}
	if err != nil && (!hadToWait(err) || !s.store.AnsweredSince(time.Now().Add(-readinessTimeout))) {
		s.fail(c, err)
		return
	}
	isReady(c)
}

func isReady(c *gin.Context) { c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte("ready\n")) }

// hadToWait reports whether err says no more than that it took too long. As long as the database answers others meanwhile, it is busy and not broken.
func hadToWait(err error) bool {
	return errors.Is(err, errOverdue) || errors.Is(err, db.ErrOverloaded) || errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, db.ErrUnavailable)
}
