// Command bench measures Kakeai against peers that do the same work, on this machine. `bench NAME` runs one benchmark, `bench` all of them. Each
// prints a table for people and, as its last line, one JSON object; a full run on a quiet machine is kept in docs/benchmarks.md, which says what the
// fields mean and what is aimed at. `bench figure` draws the figure there once more, of the result that is kept.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/kakeai/kakeai/bench/rig"
)

// options are what the command line says.
type options struct {
	rounds      int
	length      time.Duration // of one measurement
	connections int           // of each pool
	objectives  int           // in the organisations of reads and pages, for a short look; 0 for as many as there should be
	dir         string        // where PostgreSQL keeps its data for the while
	profile     string        // where CPU profiles of the product go; empty for none
	record      bool          // keep the result in docs/benchmarks.md, whatever the run was
	departures  []string      // the flags that make this something else than a full run
	soak        soakOptions
}

// common is in each benchmark's JSON.
type common struct {
	Benchmark   string  `json:"benchmark"`
	Rounds      int     `json:"rounds"`
	Cores       int     `json:"cores"`
	PostgreSQL  string  `json:"postgresql"`
	LoadBefore  float64 `json:"load_before"`  // the machine's load average before the benchmark put its own on it
	LoadHighest float64 `json:"load_highest"` // and with it
	Others      float64 `json:"others"`       // the share of the machine's time that went to neither the benchmark nor idling

	began     time.Time
	busy, own time.Duration
	printed   strings.Builder
}

// start looks at what the machine does before the benchmark.
func (c *common) start() {
	c.LoadBefore, _ = rig.LoadAverage() // 0, here and below, where the machine does not tell
	c.busy, _ = rig.Busy()
	c.own, _ = rig.CPU(os.Getpid())
	c.began = time.Now()
}

// watch looks at it between measurements.
func (c *common) watch() {
	if now, err := rig.LoadAverage(); err == nil {
		c.LoadHighest = max(c.LoadHighest, now)
	}
	busy, busyErr := rig.Busy()
	own, ownErr := rig.CPU(os.Getpid())
	if busyErr != nil || ownErr != nil {
		return
	}
	others := (busy - c.busy) - (own - c.own)
	c.Others = max(0, rounded(others.Seconds()/time.Since(c.began).Seconds()/float64(c.Cores)))
}

type benchmark struct {
	name   string
	run    func(ctx context.Context, o options, c *common) (any, error)
	rounds int           // unless the command line says otherwise
	length time.Duration // likewise
}

func benchmarks() []benchmark {
	return []benchmark{
		{"writes", writes, 6, 10 * time.Second},
		{"overload", overload, 3, 8 * time.Second},
		{"fairness", fairness, 4, 10 * time.Second},
		{"snapshot", snapshotBench, 3, 6 * time.Second},
		{"reads", reads, 6, 10 * time.Second},
		{"pages", pages, 5, 4 * time.Second},
	}
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 0, "how often product and peers take turns; 0 for what the benchmark takes by itself")
	seconds := flag.Int("seconds", 0, "how long one measurement takes; 0 likewise")
	flag.IntVar(&o.connections, "connections", 10, "the size of each pool; 10 is the product's default")
	flag.IntVar(&o.objectives, "objectives", 0, "how many reads and pages have in their largest organisation; 0 for as many as there should be")
	flag.StringVar(&o.dir, "dir", "", "where PostgreSQL keeps its data for the while; a temporary folder if empty")
	flag.StringVar(&o.profile, "profile", "", "a folder for CPU profiles of the product, which overload then measures alone")
	flag.BoolVar(&o.record, "record", false, "keep the result in docs/benchmarks.md even if the run was short or the machine was not quiet")
	o.soak.flags(flag.CommandLine)
	flag.Parse()
	o.departures = departures(flag.CommandLine)
	o.length = time.Duration(*seconds) * time.Second
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, names []string) error {
	if slices.Equal(names, []string{"figure"}) {
		return redraw(checkout)
	}
	all := benchmarks()
	if len(names) == 0 {
		for _, b := range all {
			names = append(names, b.name)
		}
	}
	all = append(all, benchmark{"soak", endure, 1, 0}) // only if it is named: it takes as long as one likes
	var failed []error
	for _, name := range names {
		i := slices.IndexFunc(all, func(b benchmark) bool { return b.name == name })
		if i < 0 {
			return fmt.Errorf("there is no benchmark %q", name)
		}
		if err := all[i].measure(ctx, o); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(failed...)
}

// measure runs one benchmark and prints its last line.
func (b benchmark) measure(ctx context.Context, o options) error {
	if o.rounds == 0 {
		o.rounds = b.rounds
	}
	if o.length == 0 {
		o.length = b.length
	}
	c := &common{Benchmark: b.name, Rounds: o.rounds, Cores: runtime.NumCPU()}
	commit := checkedOut(ctx)
	c.start()
	result, err := b.run(ctx, o, c)
	if err != nil {
		return fmt.Errorf("could not run: %w", err)
	}
	line, err := json.Marshal(result)
	if err != nil {
		return err
	}
	fmt.Println(string(line))
	err = c.record(o, commit, line)
	if found, ok := result.(interface{ verdict() error }); ok {
		err = errors.Join(err, found.verdict())
	}
	return err
}

// printf prints what belongs to the result and is kept with it. Progress and warnings go to fmt alone.
func (c *common) printf(format string, values ...any) {
	fmt.Fprintf(io.MultiWriter(os.Stdout, &c.printed), format, values...)
}

// heading prints what a table is about and the machine it was made on.
func (c *common) heading(about string) {
	c.printf("\n%s: %s\n%d cores, %s, fsync and synchronous_commit on; load average %.2f before, at most %.2f meanwhile; other programs took %.0f %% of the machine\n\n",
		c.Benchmark, about, c.Cores, c.PostgreSQL, c.LoadBefore, c.LoadHighest, 100*c.Others)
}

// table prints rows in columns. Cells are separated by tabs.
func (c *common) table(rows ...string) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		fmt.Fprintln(w, row+"\t")
	}
	_ = w.Flush() // into memory
	c.printf("%s\n", text.String())
}

// goal says whether a figure is as good as it was meant to be.
func (c *common) goal(name string, got float64, atLeast bool, wanted float64) {
	relation, met := "≥", got >= wanted
	if !atLeast {
		relation, met = "≤", got <= wanted
	}
	verdict := "missed"
	if met {
		verdict = "met"
	}
	c.printf("  %s %.3f, goal %s %.2f: %s\n", name, got, relation, wanted, verdict)
}

// median of an odd number of values is one of them, of an even number the mean of the middle two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// rounded keeps three decimals of what goes into the JSON.
func rounded(v float64) float64 { return float64(int64(v*1000+0.5)) / 1000 }
