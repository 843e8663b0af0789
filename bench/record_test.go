package main

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	byHand = "# Benchmarks\r\n\n\xffnot even UTF-8, and no newline at the end: <!-- writes -->\n\n" +
		"<!-- writes:begin -->\nnot run yet\n<!-- writes:end -->\n\n## More \n\n<!-- snapshot:begin -->\n<!-- snapshot:end -->\n\ttail"
	cellsLine = `{"benchmark":"snapshot","cells":[{"way":"old","rows":1000,"clients":10,"p95_ms":20,"error_share":0.5},{"way":"new","rows":1000,"clients":10,"p95_ms":2,"error_share":0}]}`
)

// newCheckout is a folder with the documents of one.
func newCheckout(t *testing.T, documentText, readmeText string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{document: documentText, readme: readmeText} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func exampleEntry(section, line string) entry {
	return entry{section: section, date: time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC), commit: "commit 1234567", machine: "2 cores of some kind, go1.26",
		others: "Other programs took 1.2 % of the machine", printed: "\nwrites: editing\n\n  table\n\n", line: line}
}

func TestResultIsKeptInItsSectionAlone(t *testing.T) {
	t.Parallel()
	root := newCheckout(t, byHand, "")
	for range 2 { // the second time changes nothing
		if err := exampleEntry("writes", `{"benchmark":"writes"}`).keep(root); err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(byHand, "not run yet\n", "\n2026-11-30, commit 1234567; 2 cores of some kind, go1.26. Other programs took 1.2 % of the machine.\n\n"+
			"```text\nwrites: editing\n\n  table\n```\n\n```json\n{\"benchmark\":\"writes\"}\n```\n\n", 1)
		if got := read(t, root, document); got != want {
			t.Fatalf("%q\nwant\n%q", got, want)
		}
	}
	info, err := os.Stat(filepath.Join(root, document))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(root, "docs", "*.new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDoubtsAreKeptWithTheResult(t *testing.T) {
	t.Parallel()
	e := exampleEntry("writes", "{}")
	e.doubts = []string{"-rounds 1", "other programs took 9.0 % of the machine, more than 5 %"}
	want := "\n\n**Not a full run on a quiet machine:** -rounds 1; other programs took 9.0 % of the machine, more than 5 %.\n\n"
	if got := e.text(""); !strings.Contains(got, want) {
		t.Errorf("%q", got)
	}
}

func TestWhatHasNoSectionIsNotKept(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "<!-- soak-20:begin -->\n<!-- soak-20:end -->\n"} {
		root := newCheckout(t, text, "")
		if err := exampleEntry("soak-2", "{}").keep(root); !errors.Is(err, errNoSection) || read(t, root, document) != text {
			t.Errorf("%v", err)
		}
	}
	for _, broken := range []string{"<!-- writes:begin -->\n", "<!-- writes:end -->\n", "<!-- writes:end -->\n<!-- writes:begin -->\n",
		"<!-- writes:begin -->\n<!-- writes:begin -->\n<!-- writes:end -->\n", "<!-- writes:begin --><!-- writes:end --><!-- writes:end -->\n"} {
		root := newCheckout(t, broken, "")
		if err := exampleEntry("writes", "{}").keep(root); err == nil || errors.Is(err, errNoSection) || read(t, root, document) != broken {
			t.Errorf("%q: %v", broken, err)
		}
	}
}

func TestFigureIsKeptWithItsResult(t *testing.T) {
	t.Parallel()
	root := newCheckout(t, byHand, "# Kakeai\n\n<!-- snapshot:begin -->\n<!-- snapshot:end -->\n\nMore.\n")
	if err := exampleEntry("snapshot", cellsLine).keep(root); err != nil {
		t.Fatal(err)
	}
	for name, folder := range map[string]string{document: "", readme: "docs/"} {
		text := read(t, root, name)
		for _, want := range []string{`srcset="` + folder + `snapshot-comparison-dark.svg"`, `src="` + folder + `snapshot-comparison.svg"`} {
			if strings.Count(text, want) != 1 {
				t.Errorf("%s: %s is not there once:\n%s", name, want, text)
			}
		}
	}
	if text := read(t, root, readme); !strings.HasPrefix(text, "# Kakeai\n\n<!-- snapshot:begin -->\n\n<picture>\n") || !strings.HasSuffix(text, "</picture>\n\n<!-- snapshot:end -->\n\nMore.\n") {
		t.Errorf("%s", text)
	}
	light, dark := read(t, root, lightFigure), read(t, root, darkFigure)
	if !strings.HasPrefix(light, "<svg") || !strings.HasPrefix(dark, "<svg") || light == dark {
		t.Error("there are not two figures")
	}
	if err := errors.Join(os.Remove(filepath.Join(root, lightFigure)), os.Remove(filepath.Join(root, darkFigure)), redraw(root)); err != nil {
		t.Fatal(err)
	}
	if read(t, root, lightFigure) != light || read(t, root, darkFigure) != dark {
		t.Error("drawn once more, the figure is another one")
	}
}

func TestWhatCannotBeDrawnChangesNothing(t *testing.T) {
	t.Parallel()
	root := newCheckout(t, byHand, byHand)
	if err := exampleEntry("snapshot", `{"cells":[{"way":"third","rows":1,"clients":1}]}`).keep(root); err == nil || read(t, root, document) != byHand {
		t.Errorf("%v", err)
	}
	if err := redraw(root); err == nil || !strings.Contains(err.Error(), "no result yet") {
		t.Errorf("%v", err)
	}
}

func TestReadersNeverSeeHalfAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	contents := [][]byte{bytes.Repeat([]byte("a"), 1<<20), bytes.Repeat([]byte("b"), 1<<19)}
	if err := replaceFile(path, contents[0]); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		for i := range 50 {
			if err := replaceFile(path, contents[i%2]); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for reads := 0; ; reads++ {
		select {
		case err := <-done:
			if err != nil || reads == 0 {
				t.Error(reads, err)
			}
			return
		default:
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, contents[0]) && !bytes.Equal(got, contents[1]) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
}

func TestShortRunsDepart(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"":                                   "",
		"-dir /var/tmp -record writes":       "",
		"-minutes 120 -way old -seed 7 soak": "",
		"-rounds 1 -seconds 2 writes":        "-rounds 1, -seconds 2",
		"-rounds 0 writes":                   "",
		"-profile there -connections 20":     "-connections 20, -profile there",
		"-connections 10 -record -rounds=2":  "-rounds 2",
	} {
		flags := flag.NewFlagSet("bench", flag.ContinueOnError)
		for name, value := range map[string]int{"rounds": 0, "seconds": 0, "connections": 10, "minutes": 20, "seed": 0} {
			flags.Int(name, value, "")
		}
		for name, value := range map[string]string{"dir": "", "profile": "", "way": "new"} {
			flags.String(name, value, "")
		}
		flags.Bool("record", false, "")
		if err := flags.Parse(strings.Fields(command)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(departures(flags), ", "); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestSoaksAreKeptByLengthAndWay(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{`{"minutes":20,"way":"new"}`: "soak-20", `{"minutes":120}`: "soak-120", `{"minutes":20,"way":"old"}`: "soak-20-old",
		`{"cells":[{"way":"old"}]}`: "soak", `{"minutes":"many"}`: "soak"} {
		if got := sectionOf("soak", []byte(line)); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func TestNoiseIsDoubted(t *testing.T) {
	t.Parallel()
	quiet := (&common{Others: 0.05}).doubts(options{})
	noisy := (&common{Others: 0.051}).doubts(options{departures: []string{"-rounds 1"}})
	if len(noisy) != 2 && !slices.Contains(noisy, "this machine does not tell what other programs take") || len(quiet) > 1 {
		t.Errorf("%q, %q", quiet, noisy)
	}
}

func TestFoldersOfThisMachineAreNotKept(t *testing.T) {
	t.Parallel()
	if got := version("PostgreSQL 15.18 from /somewhere/bin"); got != "PostgreSQL 15.18" {
		t.Errorf("%q", got)
	}
	if got := machine(2, "PostgreSQL 15.18"); strings.Contains(got, "\n") || !strings.HasPrefix(got, "2 cores") || !strings.Contains(got, "PostgreSQL 15.18, go1.") {
		t.Errorf("%q", got)
	}
}

// Every benchmark has a place for its result, and the figure that the documents show is the one of the result that they show.
func TestDocumentsAreWhatTheyShouldBe(t *testing.T) {
	t.Parallel()
	text := read(t, checkout, document)
	names := []string{"soak-20", "soak-120"}
	for _, b := range benchmarks() {
		if b.name != "soak" {
			names = append(names, b.name)
		}
	}
	for _, name := range names {
		if _, _, err := section(text, name); err != nil {
			t.Errorf("%s: %v", document, err)
		}
	}
	cells, err := recorded(text, "snapshot")
	if err != nil {
		for _, name := range []string{lightFigure, darkFigure} {
			if _, err := os.Stat(filepath.Join(checkout, name)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is of no result: %v", name, err)
			}
		}
		return
	}
	drawn, err := figures(cells)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range drawn {
		if read(t, checkout, name) != string(want) {
			t.Errorf("%s is not the figure of the result in %s: make bench-figure draws it", name, document)
		}
	}
	if !strings.Contains(read(t, checkout, readme), picture("docs/")) {
		t.Error("the figure is missing in " + readme)
	}
}
