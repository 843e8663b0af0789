package ai

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/okr"
)

// Content is what the column suggestions.content holds: a Proposal as it was checked against its objective. Fields that are nil
// are left out and stay as they are in the objective; numbers are JSON strings, so that no reader rounds them.
type Content struct {
	Title       *string            `json:"title,omitempty"`
	Description *string            `json:"description,omitempty"`
	KeyResults  []ContentKeyResult `json:"key_results,omitempty"`
}

// ContentKeyResult is the whole definition that a key result is to have; without an id it is a new one.
type ContentKeyResult struct {
	ID          *uuid.UUID        `json:"id,omitempty"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Kind        okr.KeyResultKind `json:"kind"`
	Unit        string            `json:"unit"`
	Baseline    *decimal.Decimal  `json:"baseline,omitempty"`
	Target      *decimal.Decimal  `json:"target,omitempty"`
	Stretch     *decimal.Decimal  `json:"stretch,omitempty"`
	AtLeast     *decimal.Decimal  `json:"at_least,omitempty"`
	AtMost      *decimal.Decimal  `json:"at_most,omitempty"`
	Tolerance   *decimal.Decimal  `json:"tolerance,omitempty"`
	Weight      decimal.Decimal   `json:"weight"`
	Steps       []ContentStep     `json:"steps,omitempty"`
}

// ContentStep is a step that a milestone is to have; without an id it is a new one.
type ContentStep struct {
	ID     *uuid.UUID      `json:"id,omitempty"`
	Title  string          `json:"title"`
	Weight decimal.Decimal `json:"weight"`
}

// Rules is the part of a key result that okr has rules for.
func (k ContentKeyResult) Rules() okr.KeyResult {
	rules := okr.KeyResult{
		Kind:      k.Kind,
		Baseline:  k.Baseline,
		Target:    k.Target,
		Stretch:   k.Stretch,
		AtLeast:   k.AtLeast,
		AtMost:    k.AtMost,
		Tolerance: k.Tolerance,
		Weight:    k.Weight,
	}
	for _, step := range k.Steps {
		rules.Steps = append(rules.Steps, okr.Step{ID: idOrNil(step.ID), Weight: step.Weight})
	}
	return rules
}

func newContent(p Proposal) Content {
	content := Content{Title: p.Title, Description: p.Description}
	for _, k := range p.KeyResults {
		content.KeyResults = append(content.KeyResults, newContentKeyResult(k))
	}
	return content
}

func newContentKeyResult(k KeyResult) ContentKeyResult {
	content := ContentKeyResult{
		ID:          optionalID(k.ID),
		Title:       k.Title,
		Description: k.Description,
		Kind:        okr.KeyResultKind(k.Kind),
		Unit:        k.Unit,
		Baseline:    k.Baseline,
		Target:      k.Target,
		Stretch:     k.Stretch,
		AtLeast:     k.AtLeast,
		AtMost:      k.AtMost,
		Tolerance:   k.Tolerance,
		Weight:      k.Weight,
	}
	for _, step := range k.Steps {
		content.Steps = append(content.Steps, ContentStep{ID: optionalID(step.ID), Title: step.Title, Weight: step.Weight})
	}
	return content
}

func optionalID(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}

func idOrNil(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}

// isEmpty reports whether there is nothing to propose.
func (p *Proposal) isEmpty() bool {
	return p == nil || p.Title == nil && p.Description == nil && len(p.KeyResults) == 0
}

// What one message may hold, lengths in characters. Where a model speaks, its provider has narrower bounds.
const (
	maxFindings = 500
	maxRemark   = 10000
)

// The digits that the columns for amounts and weights hold.
const (
	amountWhole, amountFraction = 15, 6
	weightWhole, weightFraction = 6, 3
)

// checkAnswer is the last check before an answer is stored, whatever provider it is from. It says what is wrong with an answer to a
// request about objective, or returns nil: texts fit their columns, a proposal follows okr's rules and names only what it was shown.
func checkAnswer(answer Answer, objective Objective) error {
	var c answerCheck
	c.text("/text", answer.Text, 1, maxAnswerText)
	if len(answer.Findings) > maxFindings {
		c.refuse("/findings", "has %d items, at most %d are allowed", len(answer.Findings), maxFindings)
	}
	for i, finding := range answer.Findings {
		at := fmt.Sprintf("/findings/%d", i)
		c.text(at+"/check", finding.Check, 1, maxAnswerCheck)
		c.text(at+"/pointer", finding.Pointer, 0, maxRemark)
		c.text(at+"/reason", finding.Reason, 1, maxRemark)
		c.text(at+"/better", finding.Better, 0, maxRemark)
		if finding.Severity != Problem && finding.Severity != Advice && finding.Severity != Praise {
			c.refuse(at+"/severity", "is unknown")
		}
	}
	if answer.Proposal != nil {
		c.proposal(*answer.Proposal, objective)
	}
	return errors.Join(c.refused...)
}

type answerCheck struct{ refused []error }

func (c *answerCheck) refuse(pointer, format string, args ...any) {
	c.refused = append(c.refused, fmt.Errorf("%s: %s", pointer, fmt.Sprintf(format, args...)))
}

func (c *answerCheck) text(pointer, text string, least, most int) {
	switch length := utf8.RuneCountInString(text); {
	case length < least, length > most:
		c.refuse(pointer, "has %d characters, not %d to %d", length, least, most)
	case !utf8.ValidString(text), strings.ContainsRune(text, 0):
		c.refuse(pointer, "is no text that can be stored")
	}
}

func (c *answerCheck) proposal(p Proposal, objective Objective) {
	if p.Title != nil {
		c.text("/proposal/title", *p.Title, 1, maxAnswerTitle)
	}
	if p.Description != nil {
		c.text("/proposal/description", *p.Description, 0, maxAnswerDescription)
	}
	if len(p.KeyResults) > maxAnswerKeyResults {
		c.refuse("/proposal/key_results", "has %d items, at most %d are allowed", len(p.KeyResults), maxAnswerKeyResults)
		return
	}
	present := map[uuid.UUID]KeyResult{}
	for _, k := range objective.KeyResults {
		present[k.ID] = k
	}
	var together []okr.KeyResult
	for i, k := range p.KeyResults {
		at := fmt.Sprintf("/proposal/key_results/%d", i)
		known, shown := present[k.ID]
		if k.ID != uuid.Nil && !shown {
			c.refuse(at+"/id", "names no key result of the objective, or one for the second time")
		}
		delete(present, k.ID)
		c.keyResult(at, k, known)
		together = append(together, newContentKeyResult(k).Rules())
	}
	for _, k := range present {
		together = append(together, okr.KeyResult{Weight: k.Weight})
	}
	for _, f := range okr.ValidateWeights(together) {
		c.refuse("/proposal"+f.Pointer, "%s", f.Detail)
	}
}

// keyResult checks one key result of a proposal. present is the one that it changes; without an id if it is a new one.
func (c *answerCheck) keyResult(at string, k, present KeyResult) {
	c.text(at+"/title", k.Title, 1, maxAnswerTitle)
	c.text(at+"/description", k.Description, 0, maxAnswerDescription)
	c.text(at+"/unit", k.Unit, 0, maxAnswerUnit)
	if len(k.Steps) > maxAnswerSteps {
		c.refuse(at+"/steps", "has %d items, at most %d are allowed", len(k.Steps), maxAnswerSteps)
		return
	}
	steps := map[uuid.UUID]bool{uuid.Nil: true}
	for _, step := range present.Steps {
		steps[step.ID] = true
	}
	for i, step := range k.Steps {
		c.text(fmt.Sprintf("%s/steps/%d/title", at, i), step.Title, 1, maxAnswerTitle)
		if !steps[step.ID] {
			c.refuse(fmt.Sprintf("%s/steps/%d/id", at, i), "names no step of the key result")
		}
	}
	refused := newContentKeyResult(k).Rules().Validate()
	for _, f := range refused {
		c.refuse(at+f.Pointer, "%s", f.Detail)
	}
	if refused == nil { // then all numbers have few enough digits to be compared
		c.numbers(at, k)
	}
}

func (c *answerCheck) numbers(at string, k KeyResult) {
	for _, amount := range []*decimal.Decimal{k.Baseline, k.Target, k.Stretch, k.AtLeast, k.AtMost, k.Tolerance} {
		if amount != nil && !fits(*amount, amountWhole, amountFraction) {
			c.refuse(at, "%s has more digits than can be stored", amount)
		}
	}
	if !fits(k.Weight, weightWhole, weightFraction) {
		c.refuse(at+"/weight", "%s has more digits than can be stored", k.Weight)
	}
	for i, step := range k.Steps {
		if !fits(step.Weight, weightWhole, weightFraction) {
			c.refuse(fmt.Sprintf("%s/steps/%d/weight", at, i), "%s has more digits than can be stored", step.Weight)
		}
	}
}

// fits reports whether a column with so many digits before and after the point takes d without rounding it.
func fits(d decimal.Decimal, whole, fraction int32) bool {
	return d.Abs().LessThan(decimal.New(1, whole)) && d.Equal(d.Truncate(fraction))
}
