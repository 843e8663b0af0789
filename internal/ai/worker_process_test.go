package ai

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kakeai/kakeai/internal/db"
)

// In a process with these variables the test binary is a worker on a database, which asks a provider of the test's.
const (
	workerProcessVariable  = "KAKEAI_TEST_WORKER_DATABASE"
	workerProviderVariable = "KAKEAI_TEST_WORKER_PROVIDER"
)

const processLease = time.Second

func runWorkerProcess() {
	ctx := context.Background()
	store, err := db.Open(ctx, os.Getenv(workerProcessVariable), db.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	options := quick()
	options.Lease, options.Heartbeat = processLease, processLease/5
	w := NewWorker(store, remote(os.Getenv(workerProviderVariable)), slog.New(slog.DiscardHandler), options)
	if err := w.Run(ctx); err != nil {
		os.Exit(1)
	}
}

// remote is a provider that asks over HTTP, so that its calls outlive a stop of the process.
type remote string

func (remote) Name() string { return "remote" }

func (r remote) Answer(ctx context.Context, _ Request, _ func(string)) (Answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, string(r), nil)
	if err != nil {
		return Answer{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return Answer{Text: string(text)}, err
}

// heldServer tells of each call and keeps it until it is replied to.
type heldServer struct {
	*httptest.Server
	called chan string // the process's name
	reply  map[string]chan string
}

func newHeldServer(t *testing.T, names ...string) *heldServer {
	s := &heldServer{called: make(chan string, 10), reply: map[string]chan string{}}
	for _, name := range names {
		s.reply[name] = make(chan string, 10)
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[1:]
		s.called <- name
		select {
		case text := <-s.reply[name]:
			_, _ = io.WriteString(w, text) // whoever asked may be dead
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (b bundle) startProcess(s *heldServer, name string) *os.Process {
	b.t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), workerProcessVariable+"="+b.base.AppURL, workerProviderVariable+"="+s.URL+"/"+name)
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

func (b bundle) signal(p *os.Process, signal syscall.Signal) {
	b.t.Helper()
	if err := p.Signal(signal); err != nil {
		b.t.Fatal(err)
	}
}

func TestKilledWorkerIsReplaced(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	s := newHeldServer(t, "first", "second")
	first := b.startProcess(s, "first")
	if name := soon(t, s.called); name != "first" {
		t.Fatalf("%s called", name)
	}
	b.startProcess(s, "second")
	b.signal(first, syscall.SIGKILL)
	if name := soon(t, s.called); name != "second" {
		t.Fatalf("%s called", name)
	}
	// Not before the lease was over, and not later than a second after.
	taken := b.job(job.ID)
	if waited := taken.AvailableAt.Sub(*taken.StartedAt); taken.Attempt != 2 || waited < processLease {
		t.Errorf("available again %s after the first claim, attempt %d", waited, taken.Attempt)
	}
	s.reply["second"] <- "from the second"
	done := b.awaitState(job.ID, "succeeded")
	if answers := b.answers(); !slices.Equal(answers, []string{"from the second"}) || done.Attempt != 2 {
		t.Errorf("stored %q at attempt %d", answers, done.Attempt)
	}
	if events := b.events(job.ID); !slices.Equal(events, []string{"job.succeeded"}) {
		t.Errorf("recorded %v", events)
	}
}

func TestStoppedWorkerComesBackTooLate(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	s := newHeldServer(t, "first", "second")
	first := b.startProcess(s, "first")
	if name := soon(t, s.called); name != "first" {
		t.Fatalf("%s called", name)
	}
	b.startProcess(s, "second")
	b.signal(first, syscall.SIGSTOP)
	if name := soon(t, s.called); name != "second" {
		t.Fatalf("%s called", name)
	}
	// The answer lies in the first one's socket when it wakes up, and the second one is still at work.
	s.reply["first"] <- "from the first"
	b.signal(first, syscall.SIGCONT)
	next := b.enqueue(b.tenant, Feedback) // that it works again shows that it is done with the other
	if name := soon(t, s.called); name != "first" && name != "second" {
		t.Fatalf("%s called", name)
	}
	if taken := b.job(job.ID); taken.State != "running" || taken.Attempt != 2 || len(b.answers()) != 0 {
		t.Errorf("the job is %+v, answers %q", taken, b.answers())
	}
	s.reply["second"] <- "from the second"
	s.reply["first"] <- "from the next"
	s.reply["second"] <- "from the next"
	b.awaitState(next.ID, "succeeded")
	b.awaitState(job.ID, "succeeded")
	body := query[string](b, "SELECT body FROM messages WHERE job_id = $1", job.ID)
	if events := b.events(job.ID); len(b.answers()) != 2 || body == "from the first" || !slices.Equal(events, []string{"job.succeeded"}) {
		t.Errorf("stored %q, for the job %q, recorded %v", b.answers(), body, events)
	}
}
