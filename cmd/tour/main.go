// Command tour takes Kakeai's whole way, from a sentence about a goal to its history and audit, over HTTP as any client would, and says
// what it sees. It starts a server of its own on data that it throws away; with KAKEAI_URL it visits the one at that address, which has to
// hold the demo organisations. KAKEAI_TOUR_PASSWORD is their people's password, if it is no longer the demo's.
//
// Run it from the root of the repository. Its last line is the score, and its exit code is 0 if nothing failed.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/kakeai/kakeai/internal/demo"
)

func main() {
	// The signals stay caught to the end: a second one must not keep the server and its data from being cleaned up.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tour:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	began := time.Now()
	r := &report{out: out}
	err := visit(ctx, r)
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	r.remark("took %s", time.Since(began).Round(100*time.Millisecond))
	if err != nil {
		r.fail("the tour was cut short", err)
	}
	r.score()
	if r.failed > 0 {
		return errors.New("not everything passed")
	}
	return nil
}

// visit shows the instance that was named or, without a name, one that lasts as long as the tour. The error says why there was nothing to see.
func visit(ctx context.Context, r *report) error {
	password := cmp.Or(os.Getenv("KAKEAI_TOUR_PASSWORD"), demo.Password)
	if url := strings.TrimRight(os.Getenv("KAKEAI_URL"), "/"); url != "" {
		found := r.step(ctx, "find the server", func(s *sight) error {
			s.sum("%s is ready", url)
			return answersReady(ctx, url)
		})
		if !found.passed {
			return nil
		}
		return newTour(r, url, password).everything(ctx)
	}
	server, err := build(ctx)
	if err != nil {
		return err
	}
	defer func() {
		_ = server.stop()   // which only does something if the step below was not reached
		_ = server.remove() // and what is left in the temporary folder is the system's to clear
	}()
	started := r.step(ctx, "start a server of its own", func(s *sight) error {
		err := server.start(ctx)
		s.sum("%s is ready", server.url)
		return err
	})
	var visited error
	if started.passed {
		visited = newTour(r, server.url, password).everything(ctx)
	}
	// A tour that was interrupted still stops what it started.
	r.step(context.WithoutCancel(ctx), "stop the server", func(s *sight) error {
		s.sum("ended by itself after SIGTERM, with exit code 0 and no error in its log")
		return server.stop()
	}, started)
	if log := server.log(); r.failed > 0 && log != "" {
		r.remark("the server's log:\n%s", log)
	}
	return visited
}

func (t *tour) everything(ctx context.Context) error {
	examples, err := readExamples("examples")
	if err != nil {
		return err
	}
	ready := t.lookAround(ctx)
	for i, e := range examples {
		t.journey(ctx, i, e, ready)
	}
	t.workflow(ctx, ready)
	t.gather(ctx, ready)
	t.broadcasting(ctx, ready)
	t.exchanging(ctx, ready)
	t.looking(ctx, ready)
	t.refusals(ctx, ready)
	return nil
}
