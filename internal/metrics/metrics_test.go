package metrics_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/metrics"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/schedule"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// scrape asks for the numbers as Prometheus does.
func scrape(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	answer := httptest.NewRecorder()
	m.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, answer.Code, "%s", answer.Body)
	assert.Contains(t, answer.Header().Get("Content-Type"), "text/plain")
	return answer.Body.String()
}

func has(t *testing.T, said string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		assert.Contains(t, strings.Split(said, "\n"), line)
	}
}

func TestNumbersOfAProcess(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	store, err := db.Open(t.Context(), pgtest.New(t).AppURL, db.Options{MaxConnections: 4})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	deferred := background.NewRunner(log, background.Options{})
	m := metrics.New(metrics.Sources{Store: store, Deferred: deferred, Worker: ai.NewWorker(store, ai.NewRules(), log, ai.WorkerOptions{}),
		Deliveries: outbox.NewWorker(store, log, outbox.Consumers{}, outbox.Options{}), Scheduler: schedule.New(store, log, nil, schedule.Options{})})

	release, started := make(chan struct{}), make(chan struct{})
	ctx, scope := deferred.Open(t.Context(), slog.Attr{})
	background.Defer(ctx, "runs", func(context.Context) error { close(started); <-release; return nil }, background.Retains(700))
	ended, other := deferred.Open(t.Context(), slog.Attr{})
	background.Defer(ended, "fails", func(context.Context) error { return errors.New("no luck") })
	other.Close()
	scope.Close()
	<-started
	// What has ended is counted first, and gives back its room then.
	require.Eventually(t, func() bool { s := deferred.Stats(); return s.ByName["fails"].Failed == 1 && s.Tasks == 1 }, 30*time.Second, time.Millisecond)
	m.Request(http.MethodGet, "/api/v1/teams/:team_id", http.StatusNotFound, 30*time.Millisecond)
	m.Request(http.MethodGet, "", http.StatusNotFound, time.Millisecond)

	var said string
	require.NoError(t, store.Read(t.Context(), db.Scope{Organization: db.NewID(), Class: db.Background}, func(context.Context, *db.Queries) error {
		said = scrape(t, m)
		return nil
	}))
	has(t, said,
		`kakeai_gate_running{class="background"} 1`, `kakeai_gate_running{class="normal"} 0`, `kakeai_gate_running{class="critical"} 0`, `kakeai_gate_refused_total{class="normal"} 0`,
		`kakeai_pool_connections{state="used"} 1`,
		`kakeai_deferred_open 1`, `kakeai_deferred_running 1`, `kakeai_deferred_retained_bytes 700`,
		`kakeai_deferred_tasks_total{name="runs",outcome="started"} 1`, `kakeai_deferred_tasks_total{name="runs",outcome="done"} 0`,
		`kakeai_deferred_tasks_total{name="fails",outcome="failed"} 1`,
		`kakeai_jobs_running 0`, `kakeai_jobs_total{outcome="succeeded"} 0`, `kakeai_provider_tokens_total{direction="output"} 0`,
		`kakeai_http_request_duration_seconds_count{method="GET",route="/api/v1/teams/:team_id",status="4xx"} 1`,
		`kakeai_http_request_duration_seconds_bucket{method="GET",route="/api/v1/teams/:team_id",status="4xx",le="0.025"} 0`,
		`kakeai_http_request_duration_seconds_bucket{method="GET",route="/api/v1/teams/:team_id",status="4xx",le="0.05"} 1`,
		`kakeai_http_request_duration_seconds_count{method="GET",route="none",status="4xx"} 1`,
	)
	assert.Contains(t, said, "\ngo_goroutines ")
	assert.NotContains(t, said, "kakeai_outbox_lag_seconds", "while its only place for background work is taken, the outbox cannot be measured")
	close(release)
	require.NoError(t, deferred.Drain(t.Context()))
	said = scrape(t, m)
	has(t, said, `kakeai_outbox_events{state="waiting"} 0`, `kakeai_outbox_lag_seconds 0`, `kakeai_outbox_events_total{outcome="delivered"} 0`,
		`kakeai_scheduled_runs_total{outcome="succeeded"} 0`)
	has(t, said, `kakeai_deferred_open 0`, `kakeai_deferred_tasks_total{name="runs",outcome="done"} 1`, `kakeai_gate_running{class="background"} 0`)
}

var typed = regexp.MustCompile(`(?m)^# TYPE (\S+) (\S+)$`)

// namesIn are the names of the families, and of what kind each is.
func namesIn(said string) map[string]string {
	names := map[string]string{}
	for _, found := range typed.FindAllStringSubmatch(said, -1) {
		names[found[1]] = found[2]
	}
	return names
}

func TestCountersAreNamedAsSuch(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	r := background.NewRunner(log, background.Options{})
	background.Defer(r.Attend(t.Context(), slog.Attr{}), "runs", func(context.Context) error { return nil })
	names := namesIn(scrape(t, metrics.New(metrics.Sources{Deferred: r, Worker: ai.NewWorker(nil, ai.NewRules(), log, ai.WorkerOptions{})})))
	require.Contains(t, names, "kakeai_deferred_tasks_total")
	for name, kind := range names {
		if strings.HasPrefix(name, "kakeai_") {
			assert.Equal(t, kind == "counter", strings.HasSuffix(name, "_total"), "%s is a %s", name, kind)
		}
	}
}

// A process without a part has no numbers of it, rather than zeros that look like a standstill.
func TestNumbersOfWhatIsNotThereAreNotTold(t *testing.T) {
	t.Parallel()
	said := scrape(t, metrics.New(metrics.Sources{}))
	for _, name := range []string{"kakeai_jobs", "kakeai_gate", "kakeai_deferred", "kakeai_pool"} {
		assert.NotContains(t, said, name)
	}
}
