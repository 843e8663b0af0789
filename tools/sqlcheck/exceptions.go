package main

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

const exceptionsFile = "across-organizations.txt"

// exception lets one thing stand outside the rule that keeps organisations apart.
type exception struct {
	kind     string // query, table or policy
	name     string // of the query or policy
	table    string
	location int32
	used     bool
}

type exceptions struct {
	source source
	list   []*exception
}

var exceptionLine = regexp.MustCompile(`^(?:(query|policy) (\w+)|(table)) (\w+): \S`)

// readExceptions reads lines of "query NAME TABLE: reason", "policy NAME TABLE: reason" and "table NAME: reason".
func readExceptions(fsys fs.FS, found *findings) (*exceptions, error) {
	text, err := fs.ReadFile(fsys, exceptionsFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	x := &exceptions{source: source{exceptionsFile, string(text)}}
	location := int32(0)
	for line := range strings.Lines(x.source.text) {
		switch m := exceptionLine.FindStringSubmatch(line); {
		case m != nil:
			x.list = append(x.list, &exception{kind: m[1] + m[3], name: m[2], table: m[4], location: location})
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			found.add(x.source, location, `want "query NAME TABLE: reason", "policy NAME TABLE: reason" or "table NAME: reason"`)
		}
		location += int32(len(line)) //nolint:gosec // a reviewed list of a few lines
	}
	return x, nil
}

// allows tells whether the exception is there, and remembers that it was needed.
func (x *exceptions) allows(kind, name, table string) bool {
	for _, e := range x.list {
		if e.kind == kind && e.name == name && e.table == table {
			e.used = true
			return true
		}
	}
	return false
}

func (x *exceptions) reportUnused(queries []query, found *findings) {
	for _, e := range x.list {
		switch {
		case e.used:
		case e.kind == "query" && !slices.ContainsFunc(queries, func(q query) bool { return q.name == e.name }):
			found.add(x.source, e.location, "there is no query %s", e.name)
		case e.kind == "query":
			found.add(x.source, e.location, "%s names the organisation of every reference to %s, or makes none: no exception is needed", e.name, e.table)
		case e.kind == "policy":
			found.add(x.source, e.location, "no policy %s opens %s wider than one organisation: no exception is needed", e.name, e.table)
		default:
			found.add(x.source, e.location, "%s is not a table that stands outside row-level security: no exception is needed", e.table)
		}
	}
}
