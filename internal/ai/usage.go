package ai

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// Coach says who is to answer a job.
type Coach string

const (
	Model     Coach = "model" // the model that is configured, or the rules where there is none
	RulesOnly Coach = "rules" // the rules coach, whatever is configured
)

// CallTokens is what one question to a model is reckoned with until its tokens are known. What a question takes beyond it is counted afterwards, so a month ends above its bound by no more
// than that, for each question that was under way.
const CallTokens = 20_000

// ErrBudgetExhausted says that the tokens that are left of the organisation's month are not enough for another question to a model.
var ErrBudgetExhausted = errors.New("ai: the month's tokens are used up")

// Budget is what models may take, have taken and are reckoned to take in an organisation's present month.
type Budget struct {
	Enabled      bool      // a model may be asked
	Bound        *int64    // tokens; nil for none
	Month        time.Time // its first day
	Calls        int64
	InputTokens  int64
	OutputTokens int64
	Live         int64   // questions that have no answer yet
	Source       *string // the model that took tokens last; nil for none this month
}

// Used is what has been taken.
func (b Budget) Used() int64 { return b.InputTokens + b.OutputTokens }

// Held is what is kept for questions that have no answer yet.
func (b Budget) Held() int64 { return b.Live * CallTokens }

// Left is what is neither used nor held, never below zero; the largest number where there is no bound.
func (b Budget) Left() int64 {
	if b.Bound == nil {
		return math.MaxInt64
	}
	return max(*b.Bound-b.Used()-b.Held(), 0)
}

// Exhausted reports whether another question would go beyond the bound.
func (b Budget) Exhausted() bool { return b.Left() < CallTokens }

// ReadBudget reads an organisation's budget as it stands.
func ReadBudget(ctx context.Context, q *db.Queries, organization uuid.UUID) (Budget, error) {
	return budgetUpTo(ctx, q, organization, uuid.Max)
}

// budgetUpTo counts as live only jobs up to one, which is thereby the last of them.
func budgetUpTo(ctx context.Context, q *db.Queries, organization, job uuid.UUID) (Budget, error) {
	row, err := q.GetAIUsage(ctx, db.GetAIUsageParams{OrganizationID: organization, UpToID: job})
	return Budget{Enabled: row.AIEnabled, Bound: row.AIMonthlyTokens, Month: row.Month, Calls: row.Calls, InputTokens: row.InputTokens, OutputTokens: row.OutputTokens,
		Live: int64(row.Live), Source: row.Source}, err
}

// reserve makes sure, until the transaction ends, that there are tokens for one more job. Making the job is what holds them: it counts as live from the same commit on. Those who
// ask under a bound do so one after another; where there is none, nobody waits.
func reserve(ctx context.Context, q *db.Queries, organization uuid.UUID) (Coach, error) {
	b, err := ReadBudget(ctx, q, organization)
	switch {
	case err != nil:
		return "", err
	case !b.Enabled:
		return RulesOnly, nil
	case b.Bound == nil:
		return Model, nil
	}
	if err := q.HoldAIUsage(ctx, db.HoldAIUsageParams{OrganizationID: organization}); err != nil {
		return "", err
	}
	if b, err = ReadBudget(ctx, q, organization); err == nil && b.Exhausted() {
		err = ErrBudgetExhausted
	}
	return Model, err
}

// coachOf says who answers a job now: what was asked for, unless the organisation has switched models off since. It is BudgetExhausted if the bound leaves nothing for it, which
// happens where the bound was lowered, or questions took more than they were reckoned with. Of those that wait, the earlier ones have what is left.
func coachOf(ctx context.Context, q *db.Queries, job db.AIJob) (Coach, error) {
	if Coach(job.Coach) == RulesOnly {
		return RulesOnly, nil
	}
	b, err := budgetUpTo(ctx, q, job.OrganizationID, job.ID)
	switch {
	case err != nil:
		return "", err
	case !b.Enabled:
		return RulesOnly, nil
	case b.Bound != nil && b.Used()+b.Held() > *b.Bound:
		return "", BudgetExhausted
	}
	return Model, nil
}

// spend counts what a call has taken, whether or not anything comes of the answer and whoever holds the job by now: it was taken.
func (w *Worker) spend(ctx context.Context, job db.AIJob, usage Usage, source string) {
	if usage == (Usage{}) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	for {
		err := w.store.Write(ctx, scopeOf(job), func(ctx context.Context, q *db.Queries) error {
			return q.AddAIUsage(ctx, db.AddAIUsageParams{OrganizationID: job.OrganizationID, InputTokens: usage.InputTokens, OutputTokens: usage.OutputTokens, Source: source})
		})
		if err == nil {
			return
		}
		select {
		case <-time.After(500 * time.Millisecond):
		case <-ctx.Done():
			w.log.Error("what a call has taken is not counted", "organization", job.OrganizationID, "job", job.ID, "input_tokens", usage.InputTokens, "output_tokens", usage.OutputTokens, "error", err)
			return
		}
	}
}
