package api

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/kakeai/kakeai/internal/db"
)

const readinessTimeout = 2 * time.Second

// probes are for whatever supervises the program. Liveness never touches the database: restarting this program does not mend that one.
func (s *Server) probes(routes gin.IRoutes) {
	routes.GET("/healthz", func(c *gin.Context) { c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n")) })
	routes.GET("/readyz", s.ready)
}

// ready asks the database for the time, in the critical class, so that "busy" is not mistaken for "broken".
func (s *Server) ready(c *gin.Context) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), readinessTimeout)
	defer cancel()
	err := s.store.System(ctx, db.Critical, func(ctx context.Context, q *db.Queries) error {
		_, err := q.GetServerTime(ctx)
		return err
	})
	if err != nil {
		s.fail(c, err)
		return
	}
	c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte("ready\n"))
}
