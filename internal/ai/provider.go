// Package ai is the coach: the worker that does its jobs, and the providers that answer them.
package ai

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// Kind is what a member asks the coach for.
type Kind string

const (
	Draft    Kind = "draft"    // turn what the member wrote into an objective with key results
	Feedback Kind = "feedback" // say what is good, what is weak, and what would be better
)

// Provider answers one request. It holds no database connection and knows nothing of transactions, so it may take minutes.
type Provider interface {
	// Name is shown beside every answer: the model's name, or "rules" where no model was asked.
	Name() string
	// Answer may report the text that it has so far; such text is shown, never stored, and may begin again from nothing. A draft for which
	// there is nothing to work from has no proposal, and its text asks for what is missing.
	// The answer's usage counts beside an error too. An error is a *RetryableError, ErrTerminal or one that wraps it, the context's, or anything else, which counts as retryable.
	Answer(ctx context.Context, request Request, progress func(text string)) (Answer, error)
}

// Request is everything that a provider may know: the objective, what stands around it, and the latest messages.
type Request struct {
	Kind       Kind
	Language   string    // "ja" or "en": the language to answer in
	Today      time.Time // midnight of the present day in the organisation's time zone
	Objective  Objective
	Parent     *Reference  // what the objective contributes to
	Neighbours []Reference // other objectives in the same cycle of the same owner or team, at most 50
	Messages   []Message   // the dialogue's latest, oldest first, at most 20
}

// Objective is the objective as it stood at Revision.
type Objective struct {
	ID          uuid.UUID
	Revision    int64
	Title       string
	Description string
	Kind        string // "committed" or "aspirational"
	State       string // "draft", "submitted", "approved" or "closed"
	OwnerName   string
	TeamName    string // empty: not a team's
	Cycle       Cycle
	KeyResults  []KeyResult // in their order, archived ones left out
}

// Cycle is the time in which an objective is to be reached; both days belong to it.
type Cycle struct {
	Name     string
	StartsOn time.Time
	EndsOn   time.Time
}

// KeyResult carries the fields of its kind; those of other kinds are nil.
type KeyResult struct {
	ID          uuid.UUID // uuid.Nil in a proposal: a new key result
	Title       string
	Description string
	Kind        string // "metric", "threshold" or "milestone"
	Unit        string // "%", "件", "points"; empty where counted in nothing
	Baseline    *decimal.Decimal
	Target      *decimal.Decimal
	Stretch     *decimal.Decimal
	AtLeast     *decimal.Decimal
	AtMost      *decimal.Decimal
	Tolerance   *decimal.Decimal
	Steps       []Step
	Weight      decimal.Decimal // share in the objective's progress, 1 by default
	OwnerName   string          // empty: the objective's owner

	// What the latest check-in said; never part of a proposal.
	Current     *decimal.Decimal
	Confidence  *int // 0 to 10
	CheckedInAt *time.Time
}

// Step is one part of a milestone key result.
type Step struct {
	ID     uuid.UUID // uuid.Nil in a proposal: a new step
	Title  string
	Weight decimal.Decimal
}

// Reference names another objective.
type Reference struct {
	ID    uuid.UUID
	Title string
}

// Message is one turn of the dialogue.
type Message struct {
	FromCoach bool
	Author    string // the member's name; empty for the coach
	Text      string
}

// Answer is a whole answer. Text is never empty; Findings belong to feedback, Proposal to drafts, and feedback may carry one too.
type Answer struct {
	Text     string    `json:"text"`
	Findings []Finding `json:"findings"`
	Proposal *Proposal `json:"proposal"`
	Usage    Usage     `json:"usage"`
}

// Finding is one remark on the objective.
type Finding struct {
	Check    string   `json:"check"`    // the rule's stable name, such as "key-result-has-baseline"
	Severity Severity `json:"severity"` // how much it matters
	Pointer  string   `json:"pointer"`  // JSON pointer into the objective, such as "/key_results/0/target"; "" for the whole
	Reason   string   `json:"reason"`   // why it matters, in the language asked for
	Better   string   `json:"better"`   // an example of how it could be; empty where there is nothing to mend
}

// Severity says how much a finding matters.
type Severity string

const (
	Problem Severity = "problem" // should be mended before review
	Advice  Severity = "advice"  // would make it better
	Praise  Severity = "praise"  // is right as it is
)

// Proposal is a change to the objective. Nil fields stay as they are. Key results with an id change that one,
// those without are added, and those not named stay.
type Proposal struct {
	Title       *string
	Description *string
	KeyResults  []KeyResult
}

// Usage is what a model charges by; zero for the rules coach.
type Usage struct {
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
}

// ErrTerminal marks a failure that no further try can mend: a refused key, an exhausted quota, an answer that stays invalid.
var ErrTerminal = errors.New("ai: the provider will not answer this")

// RetryableError is a failure that may pass. After is how long the provider asked to be left alone; zero if it did not say.
type RetryableError struct {
	After time.Duration
	Err   error
}

func (e *RetryableError) Error() string {
	return fmt.Sprintf("ai: the provider did not answer (try again in %s): %v", e.After, e.Err)
}
func (e *RetryableError) Unwrap() error { return e.Err }
