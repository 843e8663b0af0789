package main

import (
	"testing"
	"time"

	"github.com/kakeai/kakeai/bench/load"
)

func TestRecoveryIsWhereServiceBecomesPrompt(t *testing.T) {
	t.Parallel()
	const storm = 2 * time.Second
	run := func(slowUntil time.Duration) load.Run {
		var r load.Run
		for due := time.Duration(0); due < storm+calmLength; due += 10 * time.Millisecond {
			s := load.Sample{Due: due, Took: time.Millisecond}
			if due < slowUntil {
				s.Took = time.Second
			}
			r.Samples = append(r.Samples, s)
		}
		return r
	}
	for slowUntil, want := range map[time.Duration]float64{0: 0, storm: 0, storm + 1500*time.Millisecond: 1.5, time.Hour: calmLength.Seconds()} {
		if got := recovery(run(slowUntil), storm); got != want {
			t.Errorf("slow until %s: %v, want %v", slowUntil, got, want)
		}
	}
}

func TestRevisionIsReadFromAnAnswer(t *testing.T) {
	t.Parallel()
	d := desk{revision: 1, unsure: true}
	d.read(503, []byte(`{"revision":7}`))
	d.read(200, []byte(`{"title":"no number"}`))
	if d.revision != 1 || !d.unsure {
		t.Errorf("%+v", d)
	}
	d.read(200, []byte(`{"progress":{"percent":3},"revision":42,"state":"draft"}`))
	if d.revision != 42 || d.unsure {
		t.Errorf("%+v", d)
	}
}

func TestRatioIsPairedByRound(t *testing.T) {
	t.Parallel()
	if got := ratio([]float64{100, 10, 50}, []float64{100, 5, 25}); got != 2 {
		t.Errorf("%v", got)
	}
	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("%v", got)
	}
}
