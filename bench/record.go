package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/kakeai/kakeai/bench/figure"
	"github.com/kakeai/kakeai/bench/rig"
)

// What benchmarks print is kept in docs/benchmarks.md, between the markers of the benchmark's section. All text outside of markers is written
// by hand and left as it is.
const (
	checkout  = ".." // seen from the folder that the benchmarks run in
	document  = "docs/benchmarks.md"
	readme    = "README.md"
	quietness = 0.05 // the share of the machine's time that others may take during a run that is kept
)

// errNoSection is returned for a document that keeps no such result.
var errNoSection = errors.New("no such section")

// departures are the flags that make a run something else than the full one.
func departures(flags *flag.FlagSet) (all []string) {
	flags.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "dir", "record", "seed": // where, and what is left to chance
		case "minutes", "way": // they name a section
		default:
			if f.Value.String() != f.DefValue {
				all = append(all, "-"+f.Name+" "+f.Value.String())
			}
		}
	})
	return all
}

// checkedOut is the commit that the checkout is at.
func checkedOut(ctx context.Context) string {
	hash, err := exec.CommandContext(ctx, "git", "-C", checkout, "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "an unknown commit"
	}
	commit := "commit " + strings.TrimSpace(string(hash))
	// Documents change nothing that is measured, and keeping the result before this one has changed one.
	changes, err := exec.CommandContext(ctx, "git", "-C", checkout, "status", "--porcelain", "--", ".", ":(exclude,glob)**/*.md", ":(exclude)docs").Output()
	switch {
	case err != nil:
		commit += ", perhaps with uncommitted changes"
	case len(changes) > 0:
		commit += " with uncommitted changes"
	}
	return commit
}

// record keeps what was printed if the run was a full one on a quiet machine, or if it was asked for, and says so on standard error: the last line
// of the output is the JSON object.
func (c *common) record(o options, commit string, line []byte) error {
	name, doubts := sectionOf(c.Benchmark, line), c.doubts(o)
	if len(doubts) > 0 && !o.record {
		fmt.Fprintf(os.Stderr, "%s is not recorded: %s\n", name, strings.Join(doubts, "; "))
		return nil
	}
	// Where the server's programs lie is nobody else's business.
	elsewhere := strings.NewReplacer(c.PostgreSQL, version(c.PostgreSQL))
	e := entry{section: name, date: time.Now().UTC(), commit: commit, machine: machine(c.Cores, version(c.PostgreSQL)), others: c.others(), doubts: doubts,
		printed: elsewhere.Replace(c.printed.String()), line: elsewhere.Replace(string(line))}
	err := e.keep(checkout)
	if errors.Is(err, errNoSection) {
		fmt.Fprintf(os.Stderr, "%s is not recorded: %v\n", name, err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	fmt.Fprintf(os.Stderr, "%s is recorded in %s\n", name, document)
	return nil
}

// sectionOf is where a result belongs: a soak by its length, and apart if it was not the product's.
func sectionOf(benchmark string, line []byte) string {
	var result struct {
		Minutes float64    `json:"minutes"`
		Way     figure.Way `json:"way"`
	}
	if json.Unmarshal(line, &result) != nil || result.Minutes == 0 {
		return benchmark
	}
	name := benchmark + "-" + strconv.FormatFloat(result.Minutes, 'f', -1, 64)
	if result.Way == figure.Old {
		name += "-old"
	}
	return name
}

// others says how quiet the machine was.
func (c *common) others() string {
	if _, err := rig.Busy(); err != nil {
		return "What other programs took is not known"
	}
	return fmt.Sprintf("Other programs took %.1f %% of the machine", 100*c.Others)
}

// doubts are the reasons not to keep a result.
func (c *common) doubts(o options) []string {
	doubts := o.departures
	if _, err := rig.Busy(); err != nil {
		return append(doubts, "this machine does not tell what other programs take")
	}
	if c.Others > quietness {
		doubts = append(doubts, fmt.Sprintf("other programs took %.1f %% of the machine, more than %.0f %%", 100*c.Others, 100*quietness))
	}
	return doubts
}

// version is what of a server's description is the same on other machines: without the folder that it was found in.
func version(postgres string) string {
	v, _, _ := strings.Cut(postgres, " from ")
	return v
}

// machine describes what the benchmark ran on, as far as the kernel tells.
func machine(cores int, postgres string) string {
	parts := []string{strconv.Itoa(cores) + " cores"}
	if model := proc("cpuinfo", "model name"); model != "" {
		parts[0] += " of " + model
	}
	if kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(proc("meminfo", "MemTotal"), " kB"), 64); err == nil {
		parts = append(parts, fmt.Sprintf("%.1f GiB of memory", kilobytes/(1<<20)))
	}
	system := runtime.GOOS + "/" + runtime.GOARCH
	if release, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		number, _, _ := strings.Cut(strings.TrimSpace(string(release)), "-") // the rest is the builder's
		system = "Linux " + number + " " + runtime.GOARCH
	}
	return strings.Join(append(parts, system, postgres, runtime.Version()), ", ")
}

// proc is the first value of a name in a file of /proc; empty where there is none.
func proc(file, name string) string {
	content, _ := os.ReadFile("/proc/" + file) // empty is an answer
	for line := range strings.Lines(string(content)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// entry is a result as it is kept.
type entry struct {
	section         string
	date            time.Time
	commit, machine string
	others          string
	doubts          []string
	printed, line   string // for people, and the JSON object
}

// text is what stands in the section. picture is what is shown above the table, or empty.
func (e entry) text(picture string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s; %s. %s.\n", e.date.Format(time.DateOnly), e.commit, e.machine, e.others)
	if len(e.doubts) > 0 {
		fmt.Fprintf(&b, "\n**Not a full run on a quiet machine:** %s.\n", strings.Join(e.doubts, "; "))
	}
	if picture != "" {
		fmt.Fprintf(&b, "\n%s\n", picture)
	}
	fmt.Fprintf(&b, "\n```text\n%s\n```\n\n```json\n%s\n```", strings.Trim(e.printed, "\n"), e.line)
	return b.String()
}

// The figure, for light and dark pages.
const (
	lightFigure = "docs/snapshot-comparison.svg"
	darkFigure  = "docs/snapshot-comparison-dark.svg"
)

// picture shows the figure as its theme demands. folder is where the figures are, seen from the document, ending with a slash if it is not empty.
func picture(folder string) string {
	return fmt.Sprintf(`<picture>
  <source media="(prefers-color-scheme: dark)" srcset="%s">
  <img alt="p95 latency and share of errors of the old way and the new, over clients and over the organisation’s size" width="800" src="%s">
</picture>`, folder+filepath.Base(darkFigure), folder+filepath.Base(lightFigure))
}

// keep writes the result into its section beneath root, with the figure if it is one of those that have one.
func (e entry) keep(root string) error {
	cells, err := figure.Cells([]byte(e.line))
	if err != nil {
		return err
	}
	path := filepath.Join(root, document)
	if len(cells) == 0 {
		return inSection(path, e.section, e.text(""))
	}
	drawn, err := figures(cells) // before anything is written
	if err != nil {
		return err
	}
	if err := inSection(path, e.section, e.text(picture(""))); err != nil {
		return err
	}
	return errors.Join(replaceAll(root, drawn), inSection(filepath.Join(root, readme), e.section, picture("docs/")))
}

// figures are the files of the figure, each with its path beneath the checkout.
func figures(cells []figure.Cell) (map[string][]byte, error) {
	light, err := figure.Draw(cells, figure.Light())
	if err != nil {
		return nil, err
	}
	dark, err := figure.Draw(cells, figure.Dark())
	return map[string][]byte{lightFigure: light, darkFigure: dark}, err
}

// redraw draws the figure once more, of the result that is kept beneath root.
func redraw(root string) error {
	content, err := os.ReadFile(filepath.Join(root, document))
	if err != nil {
		return err
	}
	cells, err := recorded(string(content), "snapshot")
	if err != nil {
		return err
	}
	drawn, err := figures(cells)
	if err != nil {
		return err
	}
	return replaceAll(root, drawn)
}

// recorded are the cells of the result in a section.
func recorded(text, name string) ([]figure.Cell, error) {
	from, to, err := section(text, name)
	if err != nil {
		return nil, err
	}
	_, line, _ := strings.Cut(text[from:to], "\n```json\n")
	line, _, found := strings.Cut(line, "\n```")
	if !found {
		return nil, fmt.Errorf("%s has no result yet", name)
	}
	return figure.Cells([]byte(line))
}

// section is what stands between the markers of a name in a text.
func section(text, name string) (from, to int, err error) {
	begin, end := "<!-- "+name+":begin -->\n", "<!-- "+name+":end -->"
	from, to = strings.Index(text, begin)+len(begin), strings.Index(text, end)
	switch {
	case !strings.Contains(text, begin) && to < 0:
		return 0, 0, fmt.Errorf("%w: %s", errNoSection, name)
	case strings.Count(text, begin) != 1 || strings.Count(text, end) != 1 || to < from:
		return 0, 0, fmt.Errorf("the markers of %s are not one pair", name)
	}
	return from, to, nil
}

// inSection puts content between the markers of a name in a file, and leaves every other byte of it as it is.
func inSection(path, name, content string) error {
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	from, to, err := section(string(before), name)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return replaceFile(path, []byte(string(before[:from])+"\n"+content+"\n\n"+string(before[to:])))
}

func replaceAll(root string, files map[string][]byte) (err error) {
	for path, content := range files {
		err = errors.Join(err, replaceFile(filepath.Join(root, path), content))
	}
	return err
}

// replaceFile writes a file so that whoever reads it meanwhile, or after a crash, sees all of the old content or all of the new.
func replaceFile(path string, content []byte) (err error) {
	mode := fs.FileMode(0o644)
	if now, err := os.Stat(path); err == nil {
		mode = now.Mode().Perm()
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name()) // the first error says more
		}
	}()
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
