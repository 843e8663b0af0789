package pgtest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/kakeai/kakeai/internal/pgdev"
)

const (
	// URLVariable names a server to use: a superuser, or a login that may make databases and roles.
	URLVariable = "TEST_DATABASE_URL"
	// ImageVariable names the container image to use.
	ImageVariable = "KAKEAI_TEST_POSTGRES_IMAGE"

	defaultImage = "postgres:17-alpine"

	startTimeout  = 5 * time.Minute // programs or an image may have to be downloaded
	engineTimeout = 2 * time.Second
	pullTimeout   = 2 * time.Minute
)

// Server is a server for tests.
type Server struct {
	URL    string // of a login that may make databases and roles
	Source string // where the server is from, for people
	stop   func() error
}

// Stop ends the server if Serve started it.
func (s *Server) Stop() error { return s.stop() }

// Serve finds or starts a server and tells which one. ctx bounds the start only.
func Serve(ctx context.Context, out io.Writer) (*Server, error) {
	s, err := serve(ctx, out)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(out, "tests use", s.Source)
	return s, nil
}

func serve(ctx context.Context, out io.Writer) (*Server, error) {
	if address := os.Getenv(URLVariable); address != "" {
		return &Server{URL: address, Source: "the PostgreSQL of " + URLVariable, stop: func() error { return nil }}, nil
	}
	s, err := serveContainer(ctx, cmp.Or(os.Getenv(ImageVariable), defaultImage))
	if err == nil {
		return s, nil
	}
	fmt.Fprintln(out, "no container for PostgreSQL:", firstLine(err))
	local, err := pgdev.Start(ctx, pgdev.Options{Ephemeral: true})
	if err != nil {
		return nil, err
	}
	return &Server{URL: local.SuperuserURL, Source: local.Source, stop: local.Stop}, nil
}
