package ai

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/queue"
)

// The server ends the connection in the middle of COMMIT, three times; a sequence counts, since it survives what is rolled back.
func TestAnswerOutlivesKilledCommits(t *testing.T) {
	b := setup(t)
	b.exec("CREATE SEQUENCE kills; GRANT USAGE ON SEQUENCE kills TO kakeai_app")
	b.exec(`CREATE FUNCTION kill_committer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF nextval('kills') <= 3 THEN
			PERFORM pg_terminate_backend(pg_backend_pid());
			PERFORM pg_sleep(60);
		END IF;
		RETURN NULL;
	END $$`)
	b.exec(`CREATE CONSTRAINT TRIGGER kill AFTER INSERT ON messages DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW WHEN (new.source IS NOT NULL) EXECUTE FUNCTION kill_committer()`)
	job := b.enqueue(b.tenant, Draft)
	provider := says("worth keeping")
	w, stop := b.run(provider, quick())
	done := b.awaitState(job.ID, "succeeded")
	stop()
	if answers := b.answers(); !slices.Equal(answers, []string{"worth keeping"}) || provider.calls.Load() != 1 || done.Attempt != 1 {
		t.Errorf("stored %q after %d calls, attempt %d", answers, provider.calls.Load(), done.Attempt)
	}
	if events := b.events(job.ID); !slices.Equal(events, []string{"job.succeeded"}) {
		t.Errorf("recorded %v", events)
	}
	if s := w.Stats(); s.Rewrites != 3 || s.Succeeded != 1 {
		t.Errorf("counted %+v", s)
	}
}

// The commit happens and its confirmation is lost, so the worker cannot know and tries again.
func TestAnswerIsStoredOnceWhenItsCommitIsInDoubt(t *testing.T) {
	b := setup(t)
	var cut atomic.Int64
	store := openStore(t, pgtest.ThroughMessages(t, b.base.AppURL, func(c *pgtest.Conversation, toServer bool, kind byte, body []byte) bool {
		switch {
		case toServer && bytes.Contains(body, []byte("INSERT INTO messages")):
			c.Marks["storing"] = true
		case toServer && c.Marks["storing"] && kind == 'Q' && bytes.Equal(body, []byte("commit\x00")):
			c.Marks["committing"] = true
		case !toServer && c.Marks["committing"] && cut.Add(1) == 1:
			c.Close()
			return false
		}
		return true
	}), db.Options{Patience: patience})
	job := b.enqueue(b.tenant, Draft)
	provider := says("once is enough")
	w, stop := b.runOn(store, provider, quick(), slog.New(slog.DiscardHandler))
	b.awaitState(job.ID, "succeeded")
	waitFor(t, func() bool { return w.Stats().Running == 0 })
	stop()
	if cut.Load() == 0 {
		t.Fatal("no confirmation was lost")
	}
	if answers := b.answers(); !slices.Equal(answers, []string{"once is enough"}) || provider.calls.Load() != 1 {
		t.Errorf("stored %q after %d calls", answers, provider.calls.Load())
	}
	if events := b.events(job.ID); !slices.Equal(events, []string{"job.succeeded"}) {
		t.Errorf("recorded %v", events)
	}
	if s := w.Stats(); s.Succeeded != 1 || s.LeasesLost != 0 || s.Rewrites == 0 {
		t.Errorf("counted %+v", s)
	}
}

// Between the end of a lease and the next claim nobody holds the job, also not who held it last.
func TestAnswerToARequeuedJobWritesNothing(t *testing.T) {
	b := setup(t)
	id := b.enqueue(b.tenant, Draft).ID
	b.exec("UPDATE ai_jobs SET attempt = 1, lease_number = 1 WHERE id = $1", id)
	job := b.job(id)
	request := b.load(job, time.Now())
	for name, end := range map[string]func() error{
		"settleJob": func() error {
			_, err := settleJob(t.Context(), b.store, job, request, Answer{Text: "Too late"}, "stub-1")
			return err
		},
		"failJob": func() error {
			_, err := failJob(t.Context(), b.store, job, ProviderRefused)
			return err
		},
		"releaseJob": func() error { return releaseJob(t.Context(), b.store, job, nil, 0) },
	} {
		if err := end(); !errors.Is(err, queue.ErrLeaseLost) {
			t.Errorf("%s returned %v", name, err)
		}
	}
	if now := b.job(id); now.State != "queued" || now.Attempt != 1 || len(b.answers()) != 0 || len(b.events(id)) != 0 {
		t.Errorf("the job is %+v, answers %q, events %v", now, b.answers(), b.events(id))
	}
}

// What cannot be stored is no reason to ask again, and not one to be stuck with.
func TestAnswerThatTheDatabaseRefusesFailsItsJob(t *testing.T) {
	b := setup(t)
	b.exec("ALTER TABLE messages ADD CONSTRAINT polite CHECK (body <> 'Rubbish')")
	job := b.enqueue(b.tenant, Draft)
	provider := says("Rubbish")
	b.run(provider, quick())
	if done := b.awaitState(job.ID, "failed"); *done.Failure != "answer-not-stored" || provider.calls.Load() != 1 {
		t.Errorf("failure %q after %d calls", *done.Failure, provider.calls.Load())
	}
}

// A fault that says nothing of the answer may be gone at the next attempt.
func TestAnswerThatCannotBeStoredUsesUpItsAttempts(t *testing.T) {
	b := setup(t)
	b.exec(`CREATE FUNCTION puzzle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a riddle'; END $$`)
	b.exec(`CREATE TRIGGER puzzle BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION puzzle()`)
	job := b.enqueue(b.tenant, Draft)
	b.exec("UPDATE ai_jobs SET max_attempts = 2 WHERE id = $1", job.ID)
	provider := says("Anything")
	b.run(provider, quick())
	if done := b.awaitState(job.ID, "failed"); *done.Failure != "answer-not-stored" || done.Attempt != 2 {
		t.Errorf("failure %q at attempt %d", *done.Failure, done.Attempt)
	}
}

// Every statement about a job, with the right id and lease, in the right organisation and in another.
func TestJobsAreOutOfReachOfOtherOrganisations(t *testing.T) {
	b := setup(t)
	other := b.newTenant()
	type tried struct {
		q            *db.Queries
		organization uuid.UUID
		job          db.AIJob
	}
	found := func(err error) (bool, error) {
		if errors.Is(err, pgx.ErrNoRows) {
			return false, nil
		}
		return err == nil, err
	}
	for _, c := range []struct {
		name string
		find func(context.Context, tried) (bool, error)
	}{
		{"GetLiveJob", func(ctx context.Context, a tried) (bool, error) {
			_, err := a.q.GetLiveJob(ctx, db.GetLiveJobParams{OrganizationID: a.organization, ObjectiveID: a.job.ObjectiveID, Kind: a.job.Kind})
			return found(err)
		}},
		{"GetVisibleJob", func(ctx context.Context, a tried) (bool, error) {
			_, err := a.q.GetVisibleJob(ctx, db.GetVisibleJobParams{OrganizationID: a.organization, ID: a.job.ID, ActorID: a.job.RequestedBy, SeesAll: true})
			return found(err)
		}},
		{"ListJobsOfDialogueAfter", func(ctx context.Context, a tried) (bool, error) {
			jobs, err := a.q.ListJobsOfDialogueAfter(ctx, db.ListJobsOfDialogueAfterParams{OrganizationID: a.organization, DialogueID: a.job.DialogueID, PageSize: 10})
			return len(jobs) > 0, err
		}},
		{"GetActorOfJobForShare", func(ctx context.Context, a tried) (bool, error) {
			_, err := a.q.GetActorOfJobForShare(ctx, db.GetActorOfJobForShareParams{OrganizationID: a.organization, UserID: a.job.RequestedBy})
			return found(err)
		}},
		{"ListNeighbours", func(ctx context.Context, a tried) (bool, error) {
			rows, err := a.q.ListNeighbours(ctx, db.ListNeighboursParams{OrganizationID: a.organization, CycleID: b.cycle, OwnerID: b.member,
				TeamID: &b.team, ObjectiveID: uuid.New(), ActorID: b.member, SeesAll: true})
			return len(rows) > 0, err
		}},
		{"LockJobIfLease", func(ctx context.Context, a tried) (bool, error) {
			_, err := a.q.LockJobIfLease(ctx, db.LockJobIfLeaseParams{OrganizationID: a.organization, ID: a.job.ID, LeaseNumber: a.job.LeaseNumber})
			return found(err)
		}},
		{"ExtendLeases", func(ctx context.Context, a tried) (bool, error) {
			rows, err := a.q.ExtendLeases(ctx, db.ExtendLeasesParams{OrganizationIDs: []uuid.UUID{a.organization}, IDs: []uuid.UUID{a.job.ID},
				LeaseNumbers: []int64{a.job.LeaseNumber}, LeaseSeconds: 60})
			return len(rows) > 0, err
		}},
		{"ReleaseJobIfLease", func(ctx context.Context, a tried) (bool, error) {
			_, err := a.q.ReleaseJobIfLease(ctx, db.ReleaseJobIfLeaseParams{OrganizationID: a.organization, ID: a.job.ID, LeaseNumber: a.job.LeaseNumber})
			return found(err)
		}},
		{"FinishJobIfLease", func(ctx context.Context, a tried) (bool, error) {
			_, err := a.q.FinishJobIfLease(ctx, db.FinishJobIfLeaseParams{OrganizationID: a.organization, ID: a.job.ID, LeaseNumber: a.job.LeaseNumber, State: "failed"})
			return found(err)
		}},
		{"CancelJob", func(ctx context.Context, a tried) (bool, error) {
			_, err := a.q.CancelJob(ctx, db.CancelJobParams{OrganizationID: a.organization, ID: a.job.ID})
			return found(err)
		}},
		{"loadRequest and settleJob", nil},
	} {
		n := b.newTenant()
		if c.name == "ListNeighbours" {
			n = b.tenant
		}
		id := b.enqueue(n, Draft).ID
		b.exec("UPDATE ai_jobs SET state = 'running', lease_number = 3, lease_expires_at = now() + interval '1 minute' WHERE id = $1", id)
		job := b.job(id)
		for _, organization := range []uuid.UUID{other.organization, n.organization} { // the change comes last
			want := organization == n.organization
			if c.find == nil {
				moved := job
				moved.OrganizationID = organization
				request, _, err := loadRequest(t.Context(), b.store, moved, time.Now())
				if (err == nil) != want {
					t.Errorf("loadRequest in the right organisation: %t, error %v", want, err)
				}
				if err != nil {
					request = Request{Objective: Objective{ID: job.ObjectiveID, Revision: 7}}
				}
				_, err = settleJob(t.Context(), b.store, moved, request, Answer{Text: "Here"}, "stub-1")
				if (err == nil) != want {
					t.Errorf("settleJob in the right organisation: %t, error %v", want, err)
				}
				continue
			}
			var got bool
			err := b.store.Write(t.Context(), db.Scope{Organization: organization}, func(ctx context.Context, q *db.Queries) (err error) {
				got, err = c.find(ctx, tried{q, organization, job})
				return err
			})
			if err != nil || got != want {
				t.Errorf("%s in the right organisation: %t, found %t, error %v", c.name, want, got, err)
			}
		}
	}
}
