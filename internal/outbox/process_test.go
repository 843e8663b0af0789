package outbox

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// In a process with these variables the test binary is a worker on a database, which sends to a server of the test's.
const (
	processDatabase = "KAKEAI_TEST_OUTBOX_DATABASE"
	processServer   = "KAKEAI_TEST_OUTBOX_SERVER"
	processMember   = "KAKEAI_TEST_OUTBOX_MEMBER"
)

const processLease = time.Second

func runProcess() {
	ctx := context.Background()
	store, err := db.Open(ctx, os.Getenv(processDatabase), db.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	member := uuid.MustParse(os.Getenv(processMember))
	fold := func(ctx context.Context, q *db.Queries, e Event) error { return leave(ctx, q, e, member) }
	options := quick()
	options.Lease, options.Heartbeat, options.Batch = processLease, processLease/5, 5
	consumers := Consumers{Folds: []Fold{fold}, Senders: map[string]Sender{"test.send": remote(os.Getenv(processServer))}}
	if err := NewWorker(store, slog.New(slog.DiscardHandler), consumers, options).Run(ctx); err != nil {
		os.Exit(1)
	}
}

// remote sends over HTTP.
type remote string

func (r remote) Send(ctx context.Context, e Event) (Fold, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, string(r), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Event", e.ID.String())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	_, err = io.ReadAll(response.Body)
	return nil, err
}

func (remote) GiveUp(context.Context, *db.Queries, Event, error) error { return nil }

// heldServer tells of each delivery and keeps it until it is replied to.
type heldServer struct {
	*httptest.Server
	called chan string // the process's name
	reply  map[string]chan struct{}

	mu       sync.Mutex
	received map[string]int // by event
}

func newHeldServer(t *testing.T, names ...string) *heldServer {
	s := &heldServer{called: make(chan string, 1000), reply: map[string]chan struct{}{}, received: map[string]int{}}
	for _, name := range names {
		s.reply[name] = make(chan struct{})
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[1:]
		s.mu.Lock()
		s.received[r.Header.Get("Event")]++
		s.mu.Unlock()
		s.called <- name
		select {
		case <-s.reply[name]:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (b bundle) startProcess(s *heldServer, name string) *os.Process {
	b.t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), processDatabase+"="+b.base.AppURL, processServer+"="+s.URL+"/"+name, processMember+"="+b.member.String())
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		b.t.Fatal(err)
	}
	var waiting sync.WaitGroup
	waiting.Go(func() { _ = command.Wait() }) // killed on purpose
	b.t.Cleanup(func() {
		_ = command.Process.Kill() // it may be dead already
		waiting.Wait()
	})
	return command.Process
}

func signal(t *testing.T, p *os.Process, signal syscall.Signal) {
	t.Helper()
	if err := p.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// Workers are killed again and again in the middle of folding and sending. Nothing is lost, and no fold's effect is there twice.
func TestKilledWorkersLoseAndDoubleNothing(t *testing.T) {
	b := setup(t)
	const kills, each = 4, 60
	s := newHeldServer(t, "any")
	close(s.reply["any"]) // replies at once
	var events []uuid.UUID
	var outgoing []uuid.UUID
	targets := []uuid.UUID{db.NewID(), db.NewID(), db.NewID(), db.NewID(), db.NewID(), db.NewID(), db.NewID()}
	done := func() int { return query[int](b, "SELECT count(*)::int FROM outbox_events WHERE state = 'delivered'") }
	for round := range kills {
		for i := range each {
			events = append(events, b.enqueue(b.organization, "test", targets[i%len(targets)]))
			if i%3 == 0 {
				id := b.enqueue(b.organization, "test.send", db.NewID())
				events, outgoing = append(events, id), append(outgoing, id)
			}
		}
		before := done()
		p := b.startProcess(s, "any")
		waitFor(t, func() bool { return done() > before+5*(round+1) }) // it is in the middle
		signal(t, p, syscall.SIGKILL)
	}
	b.exec("UPDATE outbox_events SET max_attempts = 100")
	b.startProcess(s, "any")
	waitFor(t, func() bool { return done() == len(events) })
	for _, id := range events {
		if n := b.left(id); n != 1 {
			t.Errorf("an event's effect is there %d times", n)
		}
	}
	if disorder := query[int](b, disordered); disorder > 0 {
		t.Errorf("%d events came out of order", disorder)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range outgoing {
		if s.received[id.String()] == 0 {
			t.Errorf("an event counts as delivered and was never sent")
		}
	}
}

// Of two processes one is stopped in the middle of sending and comes back when the other has taken over.
func TestPausedWorkerComesBackTooLate(t *testing.T) {
	b := setup(t)
	s := newHeldServer(t, "first", "second")
	id := b.enqueue(b.organization, "test.send", db.NewID())
	first := b.startProcess(s, "first")
	if name := soon(t, s.called); name != "first" {
		t.Fatalf("%s called", name)
	}
	b.startProcess(s, "second")
	signal(t, first, syscall.SIGSTOP)
	if name := soon(t, s.called); name != "second" {
		t.Fatalf("%s called", name)
	}
	close(s.reply["first"]) // the reply lies in the first one's socket when it wakes up
	signal(t, first, syscall.SIGCONT)
	next := b.enqueue(b.organization, "test", db.NewID())
	b.awaitState(next, "delivered")
	if taken := b.event(id); taken.State != "running" || taken.Attempt != 2 || b.left(id) != 0 {
		t.Errorf("the event is %+v with %d effects", taken, b.left(id))
	}
	close(s.reply["second"])
	b.awaitState(id, "delivered")
	if n := b.left(id); n != 1 {
		t.Errorf("%d effects", n)
	}
}
