// Command gingorm is Kakeai's busiest requests, the dashboard, an objective's page and its edit, the way a careful team writes them with Gin and GORM. It makes
// the same row changes after the same checks of session, membership, visibility, rights and revision, and gives the same answers.
//
// It is set up as GORM's documentation advises for speed: no transaction is wrapped around single writes, associations are preloaded or joined
// instead of being read one by one, and the pool keeps its connections. Statements are prepared and kept by the driver beneath, pgx, as it does
// by itself: GORM's own PrepareStmt would prepare each of them anew in every transaction, at the price of a round trip. The same role signs in,
// under the same row-level security. It has neither the product's fence nor its admission.
package main

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/gin-gonic/gin"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

func main() {
	if err := run(); err != nil {
		slog.Error("ended", "error", err)
		os.Exit(1)
	}
}

func run() error {
	connections, err := strconv.Atoi(os.Getenv("CONNECTIONS"))
	if err != nil {
		return err
	}
	database, err := gorm.Open(postgres.Open(os.Getenv("DATABASE_URL")), &gorm.Config{
		SkipDefaultTransaction: true, Logger: logger.Discard,
	})
	if err != nil {
		return err
	}
	pool, err := database.DB()
	if err != nil {
		return err
	}
	defer pool.Close()
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	pool.SetConnMaxLifetime(time.Hour)

	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.Use(logged(slog.New(slog.NewJSONHandler(os.Stderr, nil))), gin.Recovery())
	engine.GET("/readyz", func(c *gin.Context) {
		if err := pool.PingContext(c.Request.Context()); err != nil {
			c.Status(http.StatusServiceUnavailable)
			return
		}
		c.String(http.StatusOK, "ready\n")
	})
	engine.PATCH("/api/v1/objectives/:id", edit(database))
	engine.GET("/api/v1/objectives/:id", show(database))
	engine.GET("/api/v1/dashboard", overview(database))

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := &http.Server{Addr: os.Getenv("ADDR"), Handler: engine, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = server.Shutdown(ending)
	})
	if err := server.ListenAndServe(); err != http.ErrServerClosed { //nolint:errorlint // as net/http documents it
		return err
	}
	return nil
}

// logged writes one line for each request, as the product does.
func logged(log *slog.Logger) gin.HandlerFunc {
	return func(c *gin.Context) {
		began := time.Now()
		c.Next()
		log.InfoContext(c.Request.Context(), "request", "method", c.Request.Method, "route", c.FullPath(), "status", c.Writer.Status(),
			"bytes", c.Writer.Size(), "milliseconds", time.Since(began).Milliseconds())
	}
}
