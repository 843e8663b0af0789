package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kakeai/kakeai/bench/soak"
)

func TestSoakDoesWhatItsMixSays(t *testing.T) {
	t.Parallel()
	const n = 100_000
	picked := &picker{random: rand.New(rand.NewPCG(1, 1))}
	counts := map[soak.Work]int{}
	for range n {
		counts[picked.work()]++
	}
	hundredths := 0
	for w, share := range soakMix {
		hundredths += share
		if got := 100 * float64(counts[w]) / n; got < float64(share)-1 || got > float64(share)+1 {
			t.Errorf("%s: %.1f %%, want %d", w, got, share)
		}
	}
	if hundredths != 100 {
		t.Errorf("the mix is of %d hundredths", hundredths)
	}
}

func TestSoakFailsForEachReason(t *testing.T) {
	t.Parallel()
	if err := (soakResult{}).verdict(); err != nil {
		t.Error(err)
	}
	err := soakResult{missed: []string{"2 lost writes", "memory grows"}}.verdict()
	if err == nil || !strings.Contains(err.Error(), "2 lost writes") || !strings.Contains(err.Error(), "memory grows") {
		t.Error(err)
	}
}
