package db_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

func admission(connections, reserve int) db.Admission {
	return db.Admission{Connections: connections, Reserve: reserve, Waiting: 100, Patience: time.Second}
}

func enter(t *testing.T, g *db.Gate, scope db.Scope) db.Ticket {
	t.Helper()
	ticket, err := g.Enter(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

func TestGateKeepsItsReserveForCriticalWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := db.NewGate(admission(4, 1))
		for range 3 {
			defer enter(t, g, db.Scope{}).Leave()
		}
		if _, err := g.Enter(t.Context(), db.Scope{}); !errors.Is(err, db.ErrOverloaded) {
			t.Fatalf("a fourth ordinary one: got %v, want %v", err, db.ErrOverloaded)
		}
		began := time.Now()
		enter(t, g, db.Scope{Class: db.Critical}).Leave()
		if waited := time.Since(began); waited != 0 {
			t.Fatalf("a critical one waited %s beside a free reserve", waited)
		}
	})
}

func TestGateBoundsEveryClass(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for class, want := range map[db.Class]int{db.Normal: 8, db.Background: 4, db.Critical: 6} {
			g := db.NewGate(admission(10, 2))
			ran := 0
			for {
				ticket, err := g.Enter(t.Context(), db.Scope{Class: class})
				if err != nil {
					break
				}
				defer ticket.Leave()
				ran++
			}
			if ran != want {
				t.Errorf("class %d: %d run at once, want %d", class, ran, want)
			}
		}
	})
}

func TestGateEndsWaitingWithTheCallerOrItsPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := db.NewGate(admission(2, 1))
		ticket := enter(t, g, db.Scope{})
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		began := time.Now()
		if _, err := g.Enter(ctx, db.Scope{}); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 300*time.Millisecond {
			t.Fatalf("got %v after %s", err, time.Since(began))
		}
		began = time.Now()
		_, err := g.Enter(t.Context(), db.Scope{})
		var overload *db.OverloadError
		if !errors.As(err, &overload) || time.Since(began) != time.Second {
			t.Fatalf("got %v after %s", err, time.Since(began))
		}
		if overload.RetryAfter < time.Second || overload.RetryAfter > time.Minute {
			t.Errorf("come back in %s", overload.RetryAfter)
		}
		if load := g.Load(db.Normal); load.Waiting != 0 || load.Running != 1 || load.Refused != 1 {
			t.Errorf("%+v after both gave up", load)
		}
		ticket.Leave()
		enter(t, g, db.Scope{}).Leave() // and no place was lost
	})
}

// arrivals starts one waiter after another and returns the order in which they got the place.
func arrivals(t *testing.T, g *db.Gate, scopes []db.Scope, before func()) []int {
	t.Helper()
	ticket := enter(t, g, db.Scope{})
	var mu sync.Mutex
	var order []int
	var wg sync.WaitGroup
	for i, scope := range scopes {
		wg.Go(func() {
			got, err := g.Enter(t.Context(), scope)
			if err != nil {
				return
			}
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
			got.Leave()
		})
		synctest.Wait()
	}
	before()
	ticket.Leave()
	wg.Wait()
	return order
}

func equal(t *testing.T, got, want []int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

func TestOrganisationsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		flood, quiet, other := db.NewID(), db.NewID(), db.NewID()
		scopes := []db.Scope{{Organization: flood}, {Organization: flood}, {Organization: flood}, {Organization: flood}, {Organization: quiet}, {Organization: quiet}, {Organization: other}}
		equal(t, arrivals(t, db.NewGate(admission(2, 1)), scopes, func() {}), []int{0, 4, 6, 1, 5, 2, 3})
	})
}

// Places come free every 100 ms, and people wait for a second at most: with four in line, and with three, whoever comes last would wait for more than a
// quarter of that, with two no longer.
func TestNewestGoesFirstWhileNotAllCanBeServed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := db.NewGate(admission(2, 1))
		for range 40 {
			arrivals(t, g, make([]db.Scope, 1), func() { time.Sleep(100 * time.Millisecond) })
		}
		equal(t, arrivals(t, g, make([]db.Scope, 4), func() {}), []int{3, 2, 0, 1})
	})
}

// Places come free every 100 ms. When newcomers come to a line of several organisations' that has waited too long, they do not wait for it.
func TestLateLineDoesNotHoldUpNewcomers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bounds := admission(2, 1)
		bounds.Patience = 2 * time.Second
		g := db.NewGate(bounds)
		for range 40 {
			arrivals(t, g, make([]db.Scope, 1), func() { time.Sleep(200 * time.Millisecond) })
		}
		a, b, c := db.Scope{Organization: db.NewID()}, db.Scope{Organization: db.NewID()}, db.Scope{Organization: db.NewID()}
		ticket := enter(t, g, db.Scope{})
		var mu sync.Mutex
		var order []string
		var wg sync.WaitGroup
		come := func(name string, scope db.Scope) {
			wg.Go(func() {
				got, err := g.Enter(t.Context(), scope)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				order = append(order, name)
				mu.Unlock()
				got.Leave()
			})
			synctest.Wait()
		}
		come("a1", a)
		come("a2", a)
		come("b1", b)
		time.Sleep(600 * time.Millisecond)
		come("c1", c)
		come("c2", c)
		ticket.Leave()
		wg.Wait()
		if got, want := strings.Join(order, " "), "c2 c1 a2 b1 a1"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// However old the oldest are, nobody is passed over while the line is short for the rate at which it is served.
func TestLongWaitsStayInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		equal(t, arrivals(t, db.NewGate(admission(2, 1)), make([]db.Scope, 4), func() { time.Sleep(900 * time.Millisecond) }), []int{0, 1, 2, 3})
	})
}

func TestUrgentClassesGoFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := db.NewGate(admission(3, 1))
		defer enter(t, g, db.Scope{Class: db.Critical}).Leave() // the reserve is taken
		defer enter(t, g, db.Scope{}).Leave()
		scopes := []db.Scope{{Class: db.Background}, {Class: db.Normal}, {Class: db.Critical}}
		equal(t, arrivals(t, g, scopes, func() {}), []int{2, 1, 0})
	})
}

// The line is full of one organisation's. Another's newcomer gets in line, and the flood loses whoever is the furthest from being served: its newest
// while it is first come, first served, its oldest while the newest go first. The flood's own newcomer is refused.
func TestFullLineIsTheFloodsOwnProblem(t *testing.T) {
	t.Parallel()
	flood, quiet := db.Scope{Organization: db.NewID()}, db.Scope{Organization: db.NewID()}
	comers := []db.Scope{flood, flood, flood, quiet, flood}
	bounds := admission(2, 1)
	bounds.Waiting = 3
	synctest.Test(t, func(t *testing.T) {
		g := db.NewGate(bounds)
		equal(t, arrivals(t, g, comers, func() {}), []int{0, 3, 1})
		if load := g.Load(db.Normal); load.Refused != 2 {
			t.Errorf("%d refused, want the flood's newest and its newcomer", load.Refused)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		g := db.NewGate(bounds)
		for range 40 {
			arrivals(t, g, make([]db.Scope, 1), func() { time.Sleep(900 * time.Millisecond) })
		}
		equal(t, arrivals(t, g, comers, func() {}), []int{2, 3, 1})
	})
}

// Organisations that have about as much in line do not push each other out of it.
func TestEqualsDoNotDisplaceEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bounds := admission(2, 1)
		bounds.Waiting = 3
		one, other := db.Scope{Organization: db.NewID()}, db.Scope{Organization: db.NewID()}
		g := db.NewGate(bounds)
		equal(t, arrivals(t, g, []db.Scope{one, one, other, other}, func() {}), []int{0, 2, 1})
	})
}

// Refuse says what Enter would say at once, to the same newcomers.
func TestRefuseIsWhatEnterWouldSay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bounds := admission(2, 1)
		bounds.Waiting = 3
		flood, quiet := db.Scope{Organization: db.NewID()}, db.Scope{Organization: db.NewID()}
		g := db.NewGate(bounds)
		arrivals(t, g, []db.Scope{flood, flood}, func() {
			if err := g.Refuse(flood); err != nil || g.Full(db.Normal) {
				t.Errorf("there is room for one more: %v", err)
			}
		})
		arrivals(t, g, []db.Scope{flood, flood, flood}, func() {
			var overload *db.OverloadError
			if err := g.Refuse(flood); !errors.As(err, &overload) || overload.RetryAfter < time.Second || !g.Full(db.Normal) {
				t.Errorf("the flood is not refused: %v", err)
			}
			if err := g.Refuse(quiet); err != nil {
				t.Errorf("who would displace the flood is refused: %v", err)
			}
			if err := g.Refuse(db.Scope{Organization: flood.Organization, Class: db.Critical}); err != nil {
				t.Errorf("another class is refused: %v", err)
			}
			if load := g.Load(db.Normal); load.Refused != 1 || load.Waiting != 3 {
				t.Errorf("%+v, want one refused and nobody displaced", load)
			}
		})
		if g.Full(db.Normal) {
			t.Error("the line is empty and counts as full")
		}
	})
}

// A million transactions of every class, with callers who give up at every moment: never more than the bounds at once, and no place lost.
func TestGateIsNeverOvershot(t *testing.T) {
	t.Parallel()
	bounds := db.Admission{Connections: 8, Reserve: 2, Waiting: 50, Patience: 200 * time.Microsecond}
	g := db.NewGate(bounds)
	organizations := []uuid.UUID{db.NewID(), db.NewID(), db.NewID()}
	const goroutines, each = 100, 10_000
	var all, ordinary, over, ran atomic.Int64
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range each {
				scope := db.Scope{Organization: organizations[rand.IntN(3)], Class: db.Class(rand.IntN(3))}
				ctx, cancel := t.Context(), context.CancelFunc(func() {})
				if rand.IntN(4) == 0 {
					ctx, cancel = context.WithTimeout(ctx, rand.N(100*time.Microsecond))
				}
				ticket, err := g.Enter(ctx, scope)
				cancel()
				if err != nil {
					continue
				}
				ran.Add(1)
				tooMany := all.Add(1) > int64(bounds.Connections)
				if scope.Class != db.Critical {
					tooMany = ordinary.Add(1) > int64(bounds.Connections-bounds.Reserve) || tooMany
				}
				if tooMany {
					over.Add(1)
				}
				if scope.Class != db.Critical {
					ordinary.Add(-1)
				}
				all.Add(-1)
				ticket.Leave()
			}
		})
	}
	wg.Wait()
	if over.Load() > 0 || ran.Load() < goroutines {
		t.Fatalf("%d ran, the bounds were overshot %d times", ran.Load(), over.Load())
	}
	for _, class := range []db.Class{db.Normal, db.Critical, db.Background} {
		if load := g.Load(class); load.Running != 0 || load.Waiting != 0 {
			t.Errorf("class %d: %+v after everything is over", class, load)
		}
	}
}

func TestEnteringAllocatesNothing(t *testing.T) {
	g := db.NewGate(admission(4, 1))
	scope := db.Scope{Organization: db.NewID()}
	allocations := testing.AllocsPerRun(1000, func() {
		ticket, err := g.Enter(t.Context(), scope)
		if err != nil {
			t.Fatal(err)
		}
		ticket.Leave()
	})
	if allocations != 0 {
		t.Fatalf("%v allocations", allocations)
	}
}

func BenchmarkGateUncontended(b *testing.B) {
	g := db.NewGate(admission(4, 1))
	scope := db.Scope{Organization: db.NewID()}
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		ticket, err := g.Enter(ctx, scope)
		if err != nil {
			b.Fatal(err)
		}
		ticket.Leave()
	}
}
