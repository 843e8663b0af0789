package main

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// report prints what was seen and counts.
type report struct {
	out    io.Writer
	passed int
	failed int
}

// step is something that was tried.
type step struct {
	name   string
	passed bool
}

// sight is what a step has to show: one line, and more beneath it where that helps.
type sight struct {
	summary string
	details []string
}

func (s *sight) sum(format string, args ...any) { s.summary = fmt.Sprintf(format, args...) }

func (s *sight) detail(format string, args ...any) {
	s.details = append(s.details, fmt.Sprintf(format, args...))
}

// step tries something, unless a step that it needs has not passed or the tour is over: then nothing is known about it and it is not counted.
func (r *report) step(ctx context.Context, name string, try func(s *sight) error, needs ...*step) *step {
	done := &step{name: name}
	if ctx.Err() != nil {
		return done
	}
	for _, needed := range needs {
		if !needed.passed {
			fmt.Fprintf(r.out, "skip %s: needs “%s”\n", name, needed.name)
			return done
		}
	}
	var s sight
	err := try(&s)
	if err != nil && ctx.Err() != nil {
		return done
	}
	done.passed = err == nil
	if done.passed {
		r.passed++
		fmt.Fprintf(r.out, "ok   %s: %s\n", name, s.summary)
	} else {
		r.fail(name, err)
	}
	for _, d := range s.details {
		r.remark("%s", d)
	}
	return done
}

func (r *report) fail(name string, err error) {
	r.failed++
	fmt.Fprintf(r.out, "FAIL %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", "; "))
}

func (r *report) remark(format string, args ...any) {
	const indent = "       "
	fmt.Fprintln(r.out, indent+strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n"+indent))
}

func (r *report) chapter(format string, args ...any) {
	fmt.Fprintf(r.out, "\n--- %s\n", fmt.Sprintf(format, args...))
}

func (r *report) score() {
	fmt.Fprintf(r.out, "tour: %d passed, %d failed\n", r.passed, r.failed)
}
