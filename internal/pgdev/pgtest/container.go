package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	tclog "github.com/testcontainers/testcontainers-go/log"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	containerPort = "5432/tcp"
	readyTimeout  = time.Minute
)

// serveContainer starts a server in a container. It soon fails where no engine answers or the image cannot be had.
func serveContainer(ctx context.Context, image string) (*Server, error) {
	// The library's reaper is a second image, often unreachable where this one is not. Stop removes the container; only
	// that of a program killed outright remains.
	if err := os.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true"); err != nil {
		return nil, err
	}
	tclog.SetDefault(tclog.NewNoopLogger())
	if err := provideImage(ctx, image); err != nil {
		return nil, err
	}
	password := rand.Text()
	started, err := testcontainers.Run(ctx, image,
		testcontainers.WithEnv(map[string]string{"POSTGRES_PASSWORD": password}),
		testcontainers.WithCmd("postgres", "-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "max_connections=300"),
		// On every address: which of them leads there from here differs where the tests themselves run in a container.
		testcontainers.WithExposedPorts(containerPort),
		// Ready once for the image's own preparations, and again for us; the port is published last.
		testcontainers.WithWaitStrategyAndDeadline(readyTimeout,
			wait.ForLog("ready to accept connections").WithOccurrence(2),
			wait.ForListeningPort(containerPort)),
	)
	stop := func() error { return testcontainers.TerminateContainer(started, testcontainers.StopTimeout(0)) }
	if err != nil {
		_ = stop()
		return nil, fmt.Errorf("running %s: %w", image, err)
	}
	address, err := started.PortEndpoint(ctx, containerPort, "")
	if err != nil {
		_ = stop()
		return nil, err
	}
	u := url.URL{Scheme: "postgres", User: url.UserPassword("postgres", password), Host: address, Path: "/postgres", RawQuery: "sslmode=disable"}
	return &Server{URL: u.String(), Source: "PostgreSQL in a container of " + image, stop: stop}, nil
}

// provideImage pulls the image if the engine lacks it, once: the library would try for a quarter of an hour.
func provideImage(ctx context.Context, image string) error {
	probe, cancel := context.WithTimeout(ctx, engineTimeout)
	defer cancel()
	engine, err := testcontainers.NewDockerClientWithOpts(probe)
	if err != nil {
		return fmt.Errorf("no container engine answers: %w", err)
	}
	defer engine.Close()
	if _, err := engine.Ping(probe, client.PingOptions{}); err != nil {
		return fmt.Errorf("no container engine answers: %w", err)
	}
	if _, err := engine.ImageInspect(probe, image); err == nil {
		return nil
	}
	pull, cancel := context.WithTimeout(ctx, pullTimeout)
	defer cancel()
	pulled, err := engine.ImagePull(pull, image, client.ImagePullOptions{})
	if err == nil {
		err = pulled.Wait(pull)
	}
	if err != nil {
		return fmt.Errorf("pulling %s: %w", image, err)
	}
	return nil
}

// firstLine is what is said of an error that is not the end of the matter.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
