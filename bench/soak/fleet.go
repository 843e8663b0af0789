package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/bench/rig"
)

// Member is a process of the fleet, and whatever takes its place.
type Member struct {
	Name        string
	Steady      bool // it is never ended, so that its memory can be judged
	Connections int  // that it may have to the database

	start  func(ctx context.Context) (*rig.Process, error)
	serves bool
	client atomic.Pointer[Client]

	process *rig.Process // under the fleet's lock, as are those below
	away    bool         // it is being replaced, or stands still
}

// Fleet is all processes of the product: servers, to which requests go in turn, and workers.
type Fleet struct {
	connect  func(address string) *Client
	database string // its port
	next     atomic.Uint64

	mu      sync.Mutex // starting and ending
	members []*Member
	servers []*Member // of these
}

// NewFleet returns an empty fleet. database is the port of PostgreSQL.
func NewFleet(database string, connect func(address string) *Client) *Fleet {
	return &Fleet{database: database, connect: connect}
}

// Add starts a member. One that serves gets requests.
func (f *Fleet) Add(ctx context.Context, m *Member, serves bool, start func(ctx context.Context) (*rig.Process, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	m.start, m.serves = start, serves
	if err := f.launch(ctx, m); err != nil {
		return err
	}
	f.members = append(f.members, m)
	if serves {
		f.servers = append(f.servers, m)
	}
	return nil
}

func (f *Fleet) launch(ctx context.Context, m *Member) error {
	process, err := m.start(ctx)
	if err != nil {
		return fmt.Errorf("soak: %s: %w", m.Name, err)
	}
	m.process, m.away = process, false
	if m.serves {
		if former := m.client.Swap(f.connect(process.Address)); former != nil {
			former.Close()
		}
	}
	return nil
}

// Pick is the next server's client, also of one that is being replaced: nobody tells the people.
func (f *Fleet) Pick() *Client {
	return f.servers[f.next.Add(1)%uint64(len(f.servers))].client.Load()
}

// Members are those of the fleet, which stays as it is once it has been put together.
func (f *Fleet) Members() []*Member { return f.members }

// PID is a member's process; false if it is being replaced or stands still.
func (f *Fleet) PID(m *Member) (pid int, here bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return m.process.PID(), !m.away
}

// Ended are the members that have ended although nobody ended them.
func (f *Fleet) Ended() (ended []*Member) {
	for _, m := range f.members {
		if pid, here := f.PID(m); here && !Alive(pid) {
			ended = append(ended, m)
		}
	}
	return ended
}

// replace ends a member and starts it again.
func (f *Fleet) replace(ctx context.Context, m *Member, end func(*rig.Process) error) error {
	f.mu.Lock()
	if m.away {
		f.mu.Unlock()
		return errAway
	}
	m.away = true
	f.mu.Unlock()
	if err := end(m.process); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.launch(context.WithoutCancel(ctx), m) // also when the load has just ended: the jobs are still to be done
}

var errAway = errors.New("soak: it is away")

// Stop ends all, politely.
func (f *Fleet) Stop() error {
	var errs []error
	for _, m := range f.members {
		errs = append(errs, m.process.Stop())
	}
	return errors.Join(errs...)
}

// Disturbances are how often what happens, on the average; 0 is never.
type Disturbances struct {
	Backends time.Duration // a connection is ended by the database, every other time one in the middle of a transaction
	Workers  time.Duration // a worker is killed, and started again at once
	Pauses   time.Duration // a worker stands still in the middle of writing a result, until another has its job
	Servers  time.Duration // a server ends, asked politely, and is started again
}

// Disturbed is how often it happened.
type Disturbed struct {
	Backends, Workers, Pauses, Servers atomic.Int64
}

// Disturb disturbs until ctx ends. Its first error ends it: then nothing more is disturbed.
func (f *Fleet) Disturb(ctx context.Context, like *pgx.Conn, often Disturbances, seed uint64, done *Disturbed) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for i, d := range []struct {
		every time.Duration
		count *atomic.Int64
		once  func(ctx context.Context, random *rand.Rand, first, second *Database) (bool, error)
	}{
		{often.Backends, &done.Backends, f.endBackend},
		{often.Workers, &done.Workers, f.killWorker},
		{often.Pauses, &done.Pauses, f.pauseWorker},
		{often.Servers, &done.Servers, f.restartServer},
	} {
		if d.every == 0 {
			continue
		}
		first, err := Connect(ctx, like)
		if err != nil {
			return err
		}
		defer first.Close()
		second, err := Connect(ctx, like)
		if err != nil {
			return err
		}
		defer second.Close()
		random := rand.New(rand.NewPCG(seed, uint64(i))) //nolint:gosec // neither secret nor negative
		all.Go(func() {
			next := func() time.Duration { return time.Duration((0.5 + random.Float64()) * float64(d.every)) }
			for pause := next(); wait(ctx, pause); {
				happened, err := d.once(ctx, random, first, second)
				if err != nil && ctx.Err() == nil {
					cancel(err)
				}
				if pause = missedPause; happened {
					d.count.Add(1)
					pause = next()
				}
			}
		})
	}
	all.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// wait reports whether it waited to the end; false if ctx ended first.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

const missedPause = time.Second // until it is tried again, where there was nothing to disturb

func (f *Fleet) endBackend(ctx context.Context, random *rand.Rand, database, _ *Database) (bool, error) {
	all, err := database.Backends(ctx)
	if err != nil {
		return false, err
	}
	if random.IntN(2) == 0 {
		if busy := slices.DeleteFunc(slices.Clone(all), func(b Backend) bool { return !b.Busy }); len(busy) > 0 {
			all = busy
		}
	}
	if len(all) == 0 {
		return false, nil
	}
	return database.End(ctx, all[random.IntN(len(all))].PID)
}

// choose is one of those that may be ended.
func (f *Fleet) choose(random *rand.Rand, serves bool) *Member {
	var some []*Member
	for _, m := range f.members {
		if m.serves == serves && !m.Steady {
			some = append(some, m)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return some[random.IntN(len(some))]
}

func (f *Fleet) killWorker(ctx context.Context, random *rand.Rand, _, _ *Database) (bool, error) {
	return f.end(ctx, f.choose(random, false), func(p *rig.Process) error {
		if err := kill(p.PID()); err != nil {
			return err
		}
		return p.Stop() // which waits until it is gone
	})
}

func (f *Fleet) restartServer(ctx context.Context, random *rand.Rand, _, _ *Database) (bool, error) {
	return f.end(ctx, f.choose(random, true), (*rig.Process).Stop)
}

func (f *Fleet) end(ctx context.Context, m *Member, end func(*rig.Process) error) (bool, error) {
	if m == nil {
		return false, nil
	}
	err := f.replace(ctx, m, end)
	if errors.Is(err, errAway) {
		return false, nil
	}
	return err == nil, err
}

const (
	holdAtMost  = 1500 * time.Millisecond // less than the worker waits for a lock
	pauseAtMost = 90 * time.Second        // the lease, and time for another worker to have a place free
	lookEach    = 20 * time.Millisecond
)

// pauseWorker has a worker stand still at the worst moment: it has its answer and is writing it. It finds that moment by holding the job's row
// until the worker waits for it. The worker goes on when its lease has run out and another worker is at the job: what it writes then has to be
// refused. Left to chance, a pause would meet this once in hours.
func (f *Fleet) pauseWorker(ctx context.Context, _ *rand.Rand, holding, watching *Database) (bool, error) {
	worker, job, err := f.holdJob(ctx, holding, watching)
	if worker == nil {
		return false, err
	}
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		worker.away = false
		_ = resume(worker.process.PID()) // it may have ended
	}()
	if err != nil {
		return false, err
	}
	bounded, cancel := context.WithTimeout(ctx, pauseAtMost)
	defer cancel()
	for wait(bounded, lookEach) {
		taken, err := watching.takenOver(ctx, job)
		if taken || err != nil {
			return taken, err
		}
	}
	return false, nil
}

// holdJob returns a worker that it has stopped while it was writing a job's result, also beside an error; nil if it has stopped none.
func (f *Fleet) holdJob(ctx context.Context, holding, watching *Database) (worker *Member, job lease, err error) {
	tx, err := holding.conn.Begin(ctx)
	if err != nil {
		return nil, job, err
	}
	defer func() { err = errors.Join(err, tx.Rollback(context.WithoutCancel(ctx))) }()
	err = tx.QueryRow(ctx, `SELECT j.organization_id, j.id, j.lease_number FROM ai_jobs AS j WHERE j.state = 'running'
		ORDER BY j.started_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED`).Scan(&job.organization, &job.id, &job.number)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, job, nil
	}
	if err != nil {
		return nil, job, err
	}
	bounded, cancel := context.WithTimeout(ctx, holdAtMost)
	defer cancel()
	for wait(bounded, lookEach) {
		port, err := watching.writerBehind(ctx, holding.conn.PgConn().PID())
		if err != nil {
			return nil, job, err
		}
		if worker, err := f.stopAt(port); worker != nil || err != nil {
			return worker, job, err
		}
	}
	return nil, job, nil
}

// stopAt stops the worker whose connection has this port.
func (f *Fleet) stopAt(port string) (*Member, error) {
	if port == "" {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.members {
		if m.serves || m.away {
			continue
		}
		ports, err := Ports(m.process.PID(), f.database)
		if err != nil || !slices.Contains(ports, port) {
			continue // it may have just ended
		}
		if err := stop(m.process.PID()); err != nil {
			return nil, err
		}
		m.away = true
		return m, nil
	}
	return nil, nil
}

// Connections are how many of the database's connections a process has. Those that are being closed, of which the database no longer knows, and
// those that only carry the wish to cancel a statement do not count.
func (f *Fleet) Connections(pid int, all []Backend) (n int, err error) {
	ports, err := Ports(pid, f.database)
	for _, b := range all {
		if slices.Contains(ports, b.Port) {
			n++
		}
	}
	return n, err
}

// PortOf is the port of the server that a connection leads to.
func PortOf(conn *pgx.Conn) string { return strconv.Itoa(int(conn.Config().Port)) }
