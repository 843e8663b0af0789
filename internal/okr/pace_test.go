package okr_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

// What is kept as days says, on every day, what HealthOf says then.
func TestPaceAgreesWithHealthOnEveryDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := days().Draw(t, "start")
		end := start.AddDate(0, 0, rapid.IntRange(0, 400).Draw(t, "length"))
		pace := okr.NewPace(start, end)
		progress := decimal.New(rapid.Int64Range(-2_000, 2_000).Draw(t, "progress"), -3)
		if rapid.Bool().Draw(t, "on the edge") { // exactly at a threshold, or a hair beside it
			lag := decimal.New(rapid.SampledFrom([]int64{10, 30}).Draw(t, "lag"), -2)
			progress = pace.Elapsed(rapid.IntRange(0, 400).Draw(t, "edge")).Sub(lag).Add(decimal.New(rapid.Int64Range(-2, 2).Draw(t, "hairs"), -12))
		}
		left, leaves := pace.LeavesOnTrack(progress)
		off, goes := pace.GoesOffTrack(progress)
		for n := -5; n <= pace.Day(end)+5; n++ {
			got := okr.HealthOnTrack
			if leaves && max(n, 0) >= left {
				got = okr.HealthAtRisk
			}
			if goes && max(n, 0) >= off {
				got = okr.HealthOffTrack
			}
			if want := okr.HealthOf(progress, okr.Elapsed(start, end, start.AddDate(0, 0, n)), false); got != want {
				t.Fatalf("on day %d, %s is %s, want %s", n, progress, got, want)
			}
		}
	})
}

func TestOutdatedFromIsTheFirstOutdatedDay(t *testing.T) {
	t.Parallel()
	zones := []string{"Asia/Kathmandu", "Pacific/Kiritimati", "America/New_York", "Australia/Lord_Howe"}
	rapid.Check(t, func(t *rapid.T) {
		where, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		since := days().Draw(t, "since").Add(time.Duration(rapid.Int64Range(0, 86_399).Draw(t, "seconds")) * time.Second)
		var last *time.Time
		if rapid.Bool().Draw(t, "checked in") {
			last = new(since.Add(time.Duration(rapid.Int64Range(0, 2_000_000).Draw(t, "later")) * time.Second))
		}
		cadence := rapid.SampledFrom([]okr.Cadence{okr.Weekly, okr.Biweekly, okr.Monthly}).Draw(t, "cadence")
		from := okr.OutdatedFrom(last, since, cadence, where)
		for n := -3; n <= 3; n++ {
			day := from.AddDate(0, 0, n)
			noon := time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, where)
			if got, want := okr.Outdated(last, since, cadence, noon, where), n >= 0; got != want {
				t.Fatalf("%d days from %s: %t", n, from, got)
			}
		}
	})
}

func TestMeanOfSumsIsTheMean(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var all []okr.ObjectiveStanding
		var sums okr.Sums
		hidden := false
		for range rapid.IntRange(0, 6).Draw(t, "objectives") {
			o := okr.ObjectiveStanding{State: rapid.SampledFrom([]okr.ObjectiveState{okr.ObjectiveDraft, okr.ObjectiveApproved, okr.ObjectiveClosed}).Draw(t, "state"), Hidden: rapid.Bool().Draw(t, "hidden")}
			if rapid.Bool().Draw(t, "pending") {
				o.Total.Pending = true
			} else {
				o.Total.Progress = decimal.New(rapid.Int64Range(0, 1e6).Draw(t, "progress"), -6)
				o.Total.Overshoot = decimal.New(rapid.Int64Range(0, 1e6).Draw(t, "overshoot"), -6)
			}
			all = append(all, o)
			if !o.State.Counts() {
				continue
			}
			hidden = hidden || o.Hidden
			sums.Objectives++
			if o.Total.Pending {
				sums.Pending++
			}
			sums.Progress, sums.Overshoot = sums.Progress.Add(o.Total.Progress), sums.Overshoot.Add(o.Total.Overshoot)
		}
		got, want := sums.Mean(hidden), okr.Mean(all)
		if !got.Progress.Equal(want.Progress) || !got.Overshoot.Equal(want.Overshoot) || got.Pending != want.Pending || got.Empty != want.Empty || got.Withheld != want.Withheld {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}
