package ai

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// beside is a further objective of the same organisation, with a dialogue about it.
func (b bundle) beside() tenant {
	b.t.Helper()
	n := b.tenant
	n.objective, n.dialogue = db.NewID(), db.NewID()
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, title, revision, created_by, changed_by) VALUES ($1, $2, $3, $4, $5, 'Another', 7, $5, $5)`,
		n.organization, n.objective, n.cycle, n.team, n.member)
	b.exec(`INSERT INTO dialogues (organization_id, id, objective_id, title, created_by) VALUES ($1, $2, $3, 'Draft', $4)`, n.organization, n.dialogue, n.objective, n.member)
	return n
}

func (b bundle) bound(tokens int64) {
	b.t.Helper()
	b.exec("UPDATE organizations SET ai_monthly_tokens = $2 WHERE id = $1", b.organization, tokens)
}

func (b bundle) asks(n tenant, coach Coach) (job db.AIJob, err error) {
	err = b.store.Write(b.t.Context(), db.Scope{Organization: n.organization}, func(ctx context.Context, q *db.Queries) (err error) {
		job, _, err = Enqueue(ctx, q, n.organization, n.member, Draft, coach, n.objective, n.dialogue)
		return err
	})
	return job, err
}

func (b bundle) budget() (budget Budget) {
	b.t.Helper()
	err := b.store.Read(b.t.Context(), db.Scope{Organization: b.organization}, func(ctx context.Context, q *db.Queries) (err error) {
		budget, err = ReadBudget(ctx, q, b.organization)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return budget
}

// Each asks about an objective of their own, all at once, and there is room for three.
func TestABoundHoldsHoweverManyAskAtOnce(t *testing.T) {
	b := setup(t)
	b.bound(3*CallTokens + CallTokens/2)
	var all []tenant
	for range 16 {
		all = append(all, b.beside())
	}
	var made, refused atomic.Int64
	var wg sync.WaitGroup
	for _, n := range all {
		wg.Go(func() {
			switch _, err := b.asks(n, Model); {
			case err == nil:
				made.Add(1)
			case errors.Is(err, ErrBudgetExhausted):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if made.Load() != 3 || refused.Load() != 13 {
		t.Fatalf("%d were made and %d refused", made.Load(), refused.Load())
	}
	if budget := b.budget(); !budget.Exhausted() || budget.Held() != 3*CallTokens || budget.Left() != CallTokens/2 {
		t.Errorf("the budget is %+v", budget)
	}
	// The rules take no tokens, and what ends gives back what it held.
	if job, err := b.asks(b.beside(), RulesOnly); err != nil || job.Coach != "rules" || job.Contract != 2 {
		t.Errorf("the rules: %+v, %v", job, err)
	}
	b.exec("UPDATE ai_jobs SET state = 'cancelled', finished_at = now() WHERE id = (SELECT id FROM ai_jobs WHERE coach = 'model' LIMIT 1)")
	if job, err := b.asks(b.beside(), Model); err != nil || job.Contract != 1 {
		t.Errorf("room for one more: %+v, %v", job, err)
	}
}

func TestWhatACallTakesIsCounted(t *testing.T) {
	b := setup(t)
	b.bound(2 * CallTokens)
	provider := &stub{answer: func(_ context.Context, request Request) (Answer, error) {
		answer := Answer{Text: "Here", Usage: Usage{InputTokens: CallTokens, OutputTokens: 100}}
		if request.Kind == Feedback {
			return Answer{Usage: answer.Usage}, ErrTerminal
		}
		return answer, nil
	}}
	b.run(provider, quick())
	job := b.enqueue(b.tenant, Draft)
	b.awaitState(job.ID, "succeeded")
	if budget := b.budget(); budget.Used() != CallTokens+100 || budget.InputTokens != CallTokens || budget.Held() != 0 || budget.Calls != 1 || *budget.Source != "stub-1" || !budget.Exhausted() {
		t.Errorf("the budget is %+v", budget)
	}
	if _, err := b.asks(b.beside(), Model); !errors.Is(err, ErrBudgetExhausted) {
		t.Errorf("one more is made, or %v", err)
	}
	ruled, err := b.asks(b.beside(), RulesOnly)
	if err != nil {
		t.Fatal(err)
	}
	b.awaitState(ruled.ID, "succeeded")
	if source := query[string](b, "SELECT source FROM messages WHERE job_id = $1", ruled.ID); source != "rules" || provider.calls.Load() != 1 {
		t.Errorf("%s answered, after %d calls of the model", source, provider.calls.Load())
	}
	// A call that brings no answer takes tokens too.
	b.bound(20 * CallTokens)
	failed := b.enqueue(b.tenant, Feedback)
	b.awaitState(failed.ID, "failed")
	if budget := b.budget(); budget.Used() != 2*(CallTokens+100) || budget.Calls != 2 {
		t.Errorf("the budget is %+v", budget)
	}
}

// What is counted of a call does not hang on the job: it was cancelled while the model wrote.
func TestWhatACancelledJobTookIsCounted(t *testing.T) {
	b := setup(t)
	called, goOn := make(chan struct{}), make(chan struct{})
	provider := &stub{answer: func(ctx context.Context, _ Request) (Answer, error) {
		close(called)
		<-goOn
		return Answer{Text: "Too late", Usage: Usage{InputTokens: 7, OutputTokens: 3}}, nil
	}}
	job := b.enqueue(b.tenant, Draft)
	w := NewWorker(b.store, provider, slog.New(slog.DiscardHandler), quick())
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	go func() { defer close(done); _ = w.Run(ctx) }()
	soon(t, called)
	b.exec("UPDATE ai_jobs SET state = 'cancelled', lease_number = lease_number + 1, lease_expires_at = NULL, finished_at = now() WHERE id = $1", job.ID)
	close(goOn)
	for deadline := 0; b.budget().Used() != 10; deadline++ {
		if deadline > 3000 {
			t.Fatalf("the budget is %+v", b.budget())
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	soon(t, done)
}

func TestModelsThatAreSwitchedOffAreNotAsked(t *testing.T) {
	b := setup(t)
	before := b.enqueue(b.tenant, Draft) // while they were on
	b.exec("UPDATE organizations SET ai_enabled = false WHERE id = $1", b.organization)
	after, err := b.asks(b.beside(), Model)
	if err != nil || after.Coach != "rules" {
		t.Fatalf("%+v, %v", after, err)
	}
	provider := says("Here")
	b.run(provider, quick())
	for _, id := range []uuid.UUID{before.ID, after.ID} {
		b.awaitState(id, "succeeded")
	}
	if provider.calls.Load() != 0 || query[int64](b, "SELECT count(*) FROM messages WHERE source = 'rules'") != 2 {
		t.Errorf("the model was asked %d times", provider.calls.Load())
	}
}

// Where the bound was lowered, those who asked first are served.
func TestALoweredBoundEndsWhatItHasNoTokensFor(t *testing.T) {
	b := setup(t)
	first, second := b.enqueue(b.tenant, Draft), b.enqueue(b.beside(), Draft)
	b.bound(CallTokens)
	b.run(says("Here"), quick())
	b.awaitState(first.ID, "succeeded")
	if ended := b.await(second.ID, func(j db.AIJob) bool { return j.FinishedAt != nil }); ended.State == "failed" && *ended.Failure != string(BudgetExhausted) {
		t.Errorf("the second job is %+v", ended)
	}
	b.bound(CallTokens - 1)
	b.exec("INSERT INTO ai_usage (organization_id, month, input_tokens) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'Asia/Tokyo'), $2)", b.organization, CallTokens)
	third := b.beside()
	b.exec("INSERT INTO ai_jobs (organization_id, id, kind, objective_id, dialogue_id, requested_by) VALUES ($1, $2, 'draft', $3, $4, $5)", b.organization, third.team, third.objective, third.dialogue, third.member)
	if ended := b.awaitState(third.team, "failed"); ended.Failure == nil || *ended.Failure != string(BudgetExhausted) {
		t.Errorf("the third job is %+v", ended)
	}
}

// The month is that of the organisation's clocks: a new one begins with nothing used.
func TestAMonthBeginsAnewWhereTheOrganisationIs(t *testing.T) {
	b := setup(t)
	b.exec("INSERT INTO ai_usage (organization_id, month, input_tokens) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'Asia/Tokyo' - interval '1 month'), 500)", b.organization)
	if budget := b.budget(); budget.Used() != 0 || budget.Source != nil {
		t.Errorf("the budget is %+v", budget)
	}
	other := b.newTenant()
	b.exec("UPDATE organizations SET time_zone = 'Pacific/Kiritimati' WHERE id = $1", other.organization)
	var east Budget
	err := b.store.Read(t.Context(), db.Scope{Organization: other.organization}, func(ctx context.Context, q *db.Queries) (err error) {
		east, err = ReadBudget(ctx, q, other.organization)
		return err
	})
	if want := query[string](b, "SELECT to_char(now() AT TIME ZONE 'Pacific/Kiritimati', 'YYYY-MM')"); err != nil || east.Month.Format("2006-01") != want {
		t.Errorf("the month is %s, want %s; %v", east.Month, want, err)
	}
}
