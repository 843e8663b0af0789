// Package metrics tells an operator what a process is doing, in the text format of Prometheus. What it counts lies where it happens; this is where it is named.
package metrics

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/schedule"
)

// Sources are the parts of a process that have numbers. Any may be nil, where the process has none.
type Sources struct {
	Store    *db.Store
	Deferred *background.Runner
	Worker   *ai.Worker

	Deliveries *outbox.Worker // beside a Store
	Scheduler  *schedule.Scheduler
}

// Metrics are the numbers of one process.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
}

// New names the numbers of the sources, the requests and the Go runtime.
func New(s Sources) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "kakeai_http_request_duration_seconds", Help: "How long requests took, by route as it is declared and by class of status.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
	}, []string{"method", "route", "status"})}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), m.requests)
	m.registry.MustRegister(collector{s})
	return m
}

// Request counts an answered request. route is as it was declared, and empty where there is none such.
func (m *Metrics) Request(method, route string, status int, took time.Duration) {
	if route == "" {
		route = "none"
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(status/100)+"xx").Observe(took.Seconds())
}

// Handler serves /metrics.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), MaxRequestsInFlight: 4, Timeout: 10 * time.Second}))
	return mux
}

// collector reads the sources whenever it is asked.
type collector struct{ Sources }

// Describe says nothing, since which numbers there are depends on the sources.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect reads all sources. Each further part of the program gets a function of its own here.
func (c collector) Collect(to chan<- prometheus.Metric) {
	if c.Store != nil {
		c.gate(to)
		c.pool(to)
	}
	if c.Deferred != nil {
		c.deferred(to)
	}
	if c.Worker != nil {
		c.worker(to)
	}
	if c.Deliveries != nil {
		c.outbox(to)
		c.backlog(to)
	}
	if c.Scheduler != nil {
		c.scheduler(to)
	}
}

func (c collector) gate(to chan<- prometheus.Metric) {
	running := family{"kakeai_gate_running", "Transactions that run.", prometheus.GaugeValue, []string{"class"}}
	waiting := family{"kakeai_gate_waiting", "Transactions that wait for a connection.", prometheus.GaugeValue, []string{"class"}}
	refused := family{"kakeai_gate_refused_total", "Transactions and requests refused because too many waited, or for too long.", prometheus.CounterValue, []string{"class"}}
	for class, name := range map[db.Class]string{db.Critical: "critical", db.Normal: "normal", db.Background: "background"} {
		load := c.Store.Load(class)
		running.tell(to, float64(load.Running), name)
		waiting.tell(to, float64(load.Waiting), name)
		refused.tell(to, float64(load.Refused), name)
	}
}

func (c collector) pool(to chan<- prometheus.Metric) {
	connections := family{"kakeai_pool_connections", "Connections to PostgreSQL: open ones, and those of them that are used.", prometheus.GaugeValue, []string{"state"}}
	open, used := c.Store.Connections()
	connections.tell(to, float64(open), "open")
	connections.tell(to, float64(used), "used")
}

func (c collector) deferred(to chan<- prometheus.Metric) {
	s := c.Deferred.Stats()
	family{"kakeai_deferred_open", "Tasks that are held by a transaction, wait, or run.", prometheus.GaugeValue, nil}.tell(to, float64(s.Tasks))
	family{"kakeai_deferred_running", "Tasks that run.", prometheus.GaugeValue, nil}.tell(to, float64(s.Running))
	family{"kakeai_deferred_retained_bytes", "Bytes that open tasks say they retain.", prometheus.GaugeValue, nil}.tell(to, float64(s.Bytes))
	tasks := family{"kakeai_deferred_tasks_total", "Tasks, by what became of them: deferred, started and in_place say how far they came, the others how they ended.",
		prometheus.CounterValue, []string{"name", "outcome"}}
	for name, n := range s.ByName {
		for outcome, n := range map[string]int64{
			"deferred": n.Deferred, "started": n.Started, "in_place": n.InPlace,
			"withdrawn": n.Withdrawn, "done": n.Done, "failed": n.Failed, "timed_out": n.TimedOut, "panicked": n.Panicked, "dropped": n.Dropped,
		} {
			tasks.tell(to, float64(n), name, outcome)
		}
	}
}

func (c collector) worker(to chan<- prometheus.Metric) {
	s := c.Worker.Stats()
	family{"kakeai_jobs_running", "Jobs of the coach that this process holds.", prometheus.GaugeValue, nil}.tell(to, float64(s.Running))
	jobs := family{"kakeai_jobs_total", "Jobs of the coach, by what became of them.", prometheus.CounterValue, []string{"outcome"}}
	for outcome, n := range map[string]int64{
		"claimed": s.Claimed, "succeeded": s.Succeeded, "superseded": s.Superseded, "failed": s.Failed, "retried": s.Retried,
		"interrupted": s.Interrupted, "lease_lost": s.LeasesLost, "reclaimed": s.Reclaimed,
	} {
		jobs.tell(to, float64(n), outcome)
	}
	counter := func(name, help string, n int64) {
		family{name, help, prometheus.CounterValue, nil}.tell(to, float64(n))
	}
	counter("kakeai_provider_calls_total", "Requests made of the model.", s.Calls)
	counter("kakeai_provider_crashes_total", "Calls in which the provider panicked.", s.Crashes)
	counter("kakeai_job_rewrites_total", "Transactions of jobs that were run again because the database could not be reached or was busy.", s.Rewrites)
	counter("kakeai_job_notifications_total", "Wake-ups by LISTEN; while it stays at 0, jobs are found by polling alone.", s.Notifications)
	tokens := family{"kakeai_provider_tokens_total", "Tokens, as the provider counts them.", prometheus.CounterValue, []string{"direction"}}
	tokens.tell(to, float64(s.InputTokens), "input")
	tokens.tell(to, float64(s.OutputTokens), "output")
}

func (c collector) outbox(to chan<- prometheus.Metric) {
	s := c.Deliveries.Stats()
	family{"kakeai_outbox_held", "Events of the outbox that this process holds.", prometheus.GaugeValue, nil}.tell(to, float64(s.Held))
	events := family{"kakeai_outbox_events_total", "Events of the outbox, by what became of them in this process.", prometheus.CounterValue, []string{"outcome"}}
	for outcome, n := range map[string]int64{
		"claimed": s.Claimed, "delivered": s.Delivered, "retried": s.Retried, "postponed": s.Postponed, "interrupted": s.Interrupted,
		"quarantined": s.Quarantined, "lease_lost": s.LeasesLost, "reclaimed": s.Reclaimed,
	} {
		events.tell(to, float64(n), outcome)
	}
	family{"kakeai_outbox_sends_total", "Calls of what sends: mail, webhooks.", prometheus.CounterValue, nil}.tell(to, float64(s.Sends))
	family{"kakeai_outbox_crashes_total", "Deliveries that panicked.", prometheus.CounterValue, nil}.tell(to, float64(s.Crashes))
}

// measuring is how long the outbox may take to be measured.
const measuring = 2 * time.Second

// backlog asks the database, for all processes. While that does not answer, there are no such numbers.
func (c collector) backlog(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), measuring)
	defer cancel()
	b, err := outbox.Measure(ctx, c.Store)
	if err != nil {
		return
	}
	events := family{"kakeai_outbox_events", "Events of the outbox, of all processes.", prometheus.GaugeValue, []string{"state"}}
	events.tell(to, float64(b.Waiting), "waiting")
	events.tell(to, float64(b.Running), "running")
	events.tell(to, float64(b.Quarantined), "quarantined")
	family{"kakeai_outbox_lag_seconds", "For how long the event that is due longest has waited.", prometheus.GaugeValue, nil}.tell(to, b.Lag.Seconds())
}

func (c collector) scheduler(to chan<- prometheus.Metric) {
	s := c.Scheduler.Stats()
	family{"kakeai_scheduler_held", "Organisations whose clock this process holds.", prometheus.GaugeValue, nil}.tell(to, float64(s.Held))
	scheduled := family{"kakeai_scheduled_runs_total", "What was due by the clock, by what became of it in this process.", prometheus.CounterValue, []string{"outcome"}}
	for outcome, n := range map[string]int64{
		"succeeded": s.Succeeded, "failed": s.Failed, "retried": s.Retried, "skipped": s.Skipped, "crashed": s.Crashes,
	} {
		scheduled.tell(to, float64(n), outcome)
	}
}

// family is a name with everything that is told under it.
type family struct {
	name, help string
	kind       prometheus.ValueType
	labels     []string
}

func (f family) tell(to chan<- prometheus.Metric, value float64, labels ...string) {
	to <- prometheus.MustNewConstMetric(prometheus.NewDesc(f.name, f.help, f.labels, nil), f.kind, value, labels...)
}
