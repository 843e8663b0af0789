package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/background"
)

// What opens scopes ends first, then what was deferred, then the rest, whether the program is told to end or a part of it fails.
func TestPartsEndInTheOrderInWhichTheyAreNeeded(t *testing.T) {
	t.Parallel()
	sorry := errors.New("it broke")
	for name, failing := range map[string]string{"told to": "", "a part that opens scopes fails": "web", "a part beside it fails": "coach"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var mu sync.Mutex
			var ends []string
			end := func(what string) {
				mu.Lock()
				defer mu.Unlock()
				ends = append(ends, what)
			}
			var running sync.WaitGroup
			running.Add(4)
			part := func(what string) task {
				return func(ctx context.Context) error {
					running.Done()
					if what == failing {
						running.Wait()
						return sorry
					}
					<-ctx.Done()
					end(what)
					return ctx.Err()
				}
			}
			go func() {
				running.Wait()
				if failing == "" {
					cancel()
				}
			}()
			err := inOrder(ctx, []task{part("web"), part("scheduler")}, []task{part("coach"), part("deliveries")}, func() error { end("deferred"); return nil })
			var openers, beside []string
			if failing == "" {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, sorry)
			}
			for _, what := range []string{"web", "scheduler"} {
				if what != failing {
					openers = append(openers, what)
				}
			}
			for _, what := range []string{"coach", "deliveries"} {
				if what != failing {
					beside = append(beside, what)
				}
			}
			require.Len(t, ends, len(openers)+1+len(beside))
			assert.ElementsMatch(t, openers, ends[:len(openers)])
			assert.Equal(t, "deferred", ends[len(openers)])
			assert.ElementsMatch(t, beside, ends[len(openers)+1:])
		})
	}
}

// A scheduled run has a scope of its own, which ends with the run.
func TestScheduledRunsHaveScopes(t *testing.T) {
	t.Parallel()
	deferred := background.NewRunner(slog.New(slog.DiscardHandler), background.Options{})
	sorry := errors.New("it broke")
	over := make(chan struct{})
	err := scheduled(deferred)(deferred.Attend(t.Context(), slog.Attr{}), "clean-up", func(ctx context.Context) error {
		background.Defer(ctx, "test", func(context.Context) error { <-over; return nil }) // in place, this would never return
		return sorry
	})
	require.ErrorIs(t, err, sorry)
	close(over)
	require.NoError(t, deferred.Drain(t.Context()))
	assert.Equal(t, background.Count{Deferred: 1, Started: 1, Done: 1}, deferred.Stats().ByName["test"])
}
