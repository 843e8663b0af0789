package ai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// What an answer may hold, lengths in characters. Titles, descriptions, units and numbers are as narrow as their columns.
const (
	maxAnswerText        = 10000
	maxAnswerRemark      = 2000
	maxAnswerCheck       = 60
	maxAnswerFindings    = 20
	maxAnswerKeyResults  = 10
	maxAnswerSteps       = 50
	maxAnswerTitle       = 300
	maxAnswerDescription = 10000
	maxAnswerUnit        = 40

	maxAnswerProblems = 20 // as many are sent back for repair
)

var (
	checkName     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	decimalNumber = regexp.MustCompile(`^-?[0-9]{1,15}(\.[0-9]{1,6})?$`)
	decimalWeight = regexp.MustCompile(`^[0-9]{1,6}(\.[0-9]{1,3})?$`)
)

// The answer as answer.schema.json describes it. A nullable field that is absent counts as null: not every server enforces the schema.
type answerJSON struct {
	Text     string        `json:"text"`
	Findings []Finding     `json:"findings"`
	Proposal *proposalJSON `json:"proposal"`
}

type proposalJSON struct {
	Title       *string         `json:"title"`
	Description *string         `json:"description"`
	KeyResults  []keyResultJSON `json:"key_results"`
}

type keyResultJSON struct {
	ID          *string    `json:"id"`
	Title       string     `json:"title"`
	Description *string    `json:"description"`
	Kind        string     `json:"kind"`
	Unit        string     `json:"unit"`
	Baseline    *string    `json:"baseline"`
	Target      *string    `json:"target"`
	Stretch     *string    `json:"stretch"`
	AtLeast     *string    `json:"at_least"`
	AtMost      *string    `json:"at_most"`
	Tolerance   *string    `json:"tolerance"`
	Steps       []stepJSON `json:"steps"`
	Weight      *string    `json:"weight"`
}

type stepJSON struct {
	ID     *string `json:"id"`
	Title  string  `json:"title"`
	Weight *string `json:"weight"`
}

// readAnswer turns what a model wrote into an answer to request, or says what is wrong with it, in words meant for the model.
// shown is the objective as the model saw it.
func readAnswer(content string, request Request, shown any) (Answer, []string) {
	decoder := json.NewDecoder(strings.NewReader(content))
	decoder.DisallowUnknownFields()
	var said answerJSON
	if err := decoder.Decode(&said); err != nil {
		return Answer{}, []string{describeJSONError(err)}
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Answer{}, []string{"something follows the JSON object"}
	}

	r := answerReader{objective: request.Objective, shown: shown}
	answer := Answer{Text: r.text("/text", said.Text, 1, maxAnswerText)}
	if request.Kind == Feedback {
		answer.Findings = r.findings(said.Findings)
	}
	if said.Proposal != nil {
		answer.Proposal = r.proposal(*said.Proposal)
	}
	return answer, r.problems
}

func describeJSONError(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return fmt.Sprintf("/%s: must not be a JSON %s", strings.ReplaceAll(kind.Field, ".", "/"), kind.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "it is not a complete JSON object"
	}
	return "it is not one JSON object of the form described: " + strings.TrimPrefix(err.Error(), "json: ")
}

// answerReader collects everything that is wrong, so that one repair can mend it all.
type answerReader struct {
	objective Objective
	shown     any
	problems  []string
}

func (r *answerReader) refuse(pointer, format string, args ...any) {
	if len(r.problems) < maxAnswerProblems {
		r.problems = append(r.problems, pointer+": "+fmt.Sprintf(format, args...))
	}
}

// text is value without the space around it.
func (r *answerReader) text(pointer, value string, least, most int) string {
	value = strings.TrimSpace(value)
	switch length := utf8.RuneCountInString(value); {
	case length < least:
		r.refuse(pointer, "must not be empty")
	case length > most:
		r.refuse(pointer, "has %d characters, at most %d are allowed", length, most)
	case strings.ContainsRune(value, 0):
		r.refuse(pointer, "must not contain U+0000")
	}
	return value
}

func (r *answerReader) line(pointer, value string, least, most int) string {
	value = r.text(pointer, value, least, most)
	if strings.ContainsFunc(value, unicode.IsControl) {
		r.refuse(pointer, "must be a single line without control characters")
	}
	return value
}

func (r *answerReader) findings(said []Finding) []Finding {
	if len(said) > maxAnswerFindings {
		r.refuse("/findings", "has %d items, at most %d are allowed", len(said), maxAnswerFindings)
		return nil
	}
	findings := make([]Finding, len(said))
	for i, finding := range said {
		at := fmt.Sprintf("/findings/%d", i)
		if len(finding.Check) > maxAnswerCheck || !checkName.MatchString(finding.Check) {
			r.refuse(at+"/check", "must be lower-case words joined by hyphens, at most %d characters", maxAnswerCheck)
		}
		switch finding.Severity {
		case Problem, Advice, Praise:
		default:
			r.refuse(at+"/severity", `must be "problem", "advice" or "praise"`)
		}
		if !pointsInto(r.shown, finding.Pointer) {
			r.refuse(at+"/pointer", `points to nothing in the data's "objective"`)
		}
		finding.Reason = r.text(at+"/reason", finding.Reason, 1, maxAnswerRemark)
		finding.Better = r.text(at+"/better", finding.Better, 0, maxAnswerRemark)
		findings[i] = finding
	}
	return findings
}

// proposal is nil where nothing would change.
func (r *answerReader) proposal(said proposalJSON) *Proposal {
	var proposal Proposal
	if said.Title != nil {
		title := r.line("/proposal/title", *said.Title, 1, maxAnswerTitle)
		proposal.Title = &title
	}
	if said.Description != nil {
		description := r.text("/proposal/description", *said.Description, 0, maxAnswerDescription)
		proposal.Description = &description
	}
	if len(said.KeyResults) > maxAnswerKeyResults {
		r.refuse("/proposal/key_results", "has %d items, at most %d are allowed", len(said.KeyResults), maxAnswerKeyResults)
		return nil
	}
	weights := map[uuid.UUID]decimal.Decimal{}
	for _, present := range r.objective.KeyResults {
		weights[present.ID] = present.Weight
	}
	named := map[uuid.UUID]bool{}
	var sum decimal.Decimal
	for i, each := range said.KeyResults {
		at := fmt.Sprintf("/proposal/key_results/%d", i)
		keyResult := r.keyResult(at, each)
		switch {
		case keyResult.ID == uuid.Nil:
			sum = sum.Add(keyResult.Weight)
		case named[keyResult.ID]:
			r.refuse(at+"/id", "names a key result that an earlier item changes already")
		}
		named[keyResult.ID] = true
		weights[keyResult.ID] = keyResult.Weight
		proposal.KeyResults = append(proposal.KeyResults, keyResult)
	}
	delete(weights, uuid.Nil)
	for _, weight := range weights {
		sum = sum.Add(weight)
	}
	switch {
	case len(said.KeyResults) > 0 && !sum.IsPositive():
		r.refuse("/proposal/key_results", "the weights of the objective's key results must not all be zero")
	case proposal.Title == nil && proposal.Description == nil && len(proposal.KeyResults) == 0:
		return nil
	}
	return &proposal
}

func (r *answerReader) keyResult(at string, said keyResultJSON) KeyResult {
	present := KeyResult{Weight: decimal.NewFromInt(1)}
	if said.ID != nil {
		id, err := uuid.Parse(*said.ID)
		known := false
		for _, each := range r.objective.KeyResults {
			if err == nil && each.ID == id {
				present, known = each, true
			}
		}
		if !known {
			r.refuse(at+"/id", "is not the id of a key result in the data; give null for a new one")
		}
	}
	keyResult := KeyResult{
		ID:          present.ID,
		Title:       r.line(at+"/title", said.Title, 1, maxAnswerTitle),
		Description: present.Description,
		Kind:        said.Kind,
		Unit:        r.line(at+"/unit", said.Unit, 0, maxAnswerUnit),
		Baseline:    r.number(at+"/baseline", said.Baseline),
		Target:      r.number(at+"/target", said.Target),
		Stretch:     r.number(at+"/stretch", said.Stretch),
		AtLeast:     r.number(at+"/at_least", said.AtLeast),
		AtMost:      r.number(at+"/at_most", said.AtMost),
		Tolerance:   r.number(at+"/tolerance", said.Tolerance),
		Steps:       r.steps(at+"/steps", said.Steps, present.Steps),
		Weight:      r.weight(at+"/weight", said.Weight, present.Weight),
		OwnerName:   present.OwnerName,
	}
	if said.Description != nil {
		keyResult.Description = r.text(at+"/description", *said.Description, 0, maxAnswerDescription)
	}
	r.kind(at, said, keyResult)
	return keyResult
}

// kind checks what a key result of its kind needs and excludes. Whether a number is given is asked of said,
// so that one which could not be read is not called missing too.
func (r *answerReader) kind(at string, said keyResultJSON, k KeyResult) {
	exclude := func(name string, value *string) {
		if value != nil {
			r.refuse(at+"/"+name, "must be null in a %s", k.Kind)
		}
	}
	require := func(name string, value *string) {
		if value == nil {
			r.refuse(at+"/"+name, "must be given in a %s", k.Kind)
		}
	}
	excludeSteps := func() {
		if len(said.Steps) > 0 {
			r.refuse(at+"/steps", "must be empty in a %s", k.Kind)
		}
	}
	switch k.Kind {
	case "metric":
		require("baseline", said.Baseline)
		require("target", said.Target)
		exclude("at_least", said.AtLeast)
		exclude("at_most", said.AtMost)
		exclude("tolerance", said.Tolerance)
		excludeSteps()
		if k.Baseline == nil || k.Target == nil {
			return
		}
		if k.Baseline.Equal(*k.Target) {
			r.refuse(at+"/target", "must differ from the baseline")
		} else if k.Stretch != nil && k.Stretch.Sub(*k.Target).Sign() != k.Target.Sub(*k.Baseline).Sign() {
			r.refuse(at+"/stretch", "must lie beyond the target, seen from the baseline")
		}
	case "threshold":
		exclude("baseline", said.Baseline)
		exclude("target", said.Target)
		exclude("stretch", said.Stretch)
		excludeSteps()
		if said.AtLeast == nil && said.AtMost == nil {
			r.refuse(at+"/at_least", "at_least or at_most must be given in a threshold")
		}
		if k.AtLeast != nil && k.AtMost != nil && k.AtLeast.GreaterThan(*k.AtMost) {
			r.refuse(at+"/at_least", "must not be above at_most")
		}
		if k.Tolerance != nil && !k.Tolerance.IsPositive() {
			r.refuse(at+"/tolerance", "must be above zero or null")
		}
	case "milestone":
		exclude("baseline", said.Baseline)
		exclude("target", said.Target)
		exclude("stretch", said.Stretch)
		exclude("at_least", said.AtLeast)
		exclude("at_most", said.AtMost)
		exclude("tolerance", said.Tolerance)
		if k.Unit != "" {
			r.refuse(at+"/unit", "must be empty in a milestone")
		}
		var sum decimal.Decimal
		for _, step := range k.Steps {
			sum = sum.Add(step.Weight)
		}
		if !sum.IsPositive() {
			r.refuse(at+"/steps", "a milestone needs steps whose weights are not all zero")
		}
	default:
		r.refuse(at+"/kind", `must be "metric", "threshold" or "milestone"`)
	}
}

func (r *answerReader) steps(at string, said []stepJSON, present []Step) []Step {
	if len(said) > maxAnswerSteps {
		r.refuse(at, "has %d items, at most %d are allowed", len(said), maxAnswerSteps)
		return nil
	}
	named := map[uuid.UUID]bool{}
	var steps []Step
	for i, each := range said {
		at := at + "/" + strconv.Itoa(i)
		step := Step{Weight: decimal.NewFromInt(1)}
		if each.ID != nil {
			id, err := uuid.Parse(*each.ID)
			known := false
			for _, other := range present {
				if err == nil && other.ID == id {
					step, known = other, true
				}
			}
			if !known || named[id] {
				r.refuse(at+"/id", "is not the id of another step of this key result in the data; give null for a new one")
			}
			named[id] = true
		}
		step.Title = r.line(at+"/title", each.Title, 1, maxAnswerTitle)
		step.Weight = r.weight(at+"/weight", each.Weight, step.Weight)
		steps = append(steps, step)
	}
	return steps
}

func (r *answerReader) number(pointer string, said *string) *decimal.Decimal {
	if said == nil {
		return nil
	}
	value, err := decimal.NewFromString(*said)
	if err != nil || !decimalNumber.MatchString(*said) {
		r.refuse(pointer, `must be a decimal number in a string, such as "12.5", with at most 15 digits before the point and 6 after it`)
		return nil
	}
	return &value
}

func (r *answerReader) weight(pointer string, said *string, otherwise decimal.Decimal) decimal.Decimal {
	if said == nil {
		return otherwise
	}
	value, err := decimal.NewFromString(*said)
	if err != nil || !decimalWeight.MatchString(*said) {
		r.refuse(pointer, `must be a decimal number of zero or more in a string, such as "1", with at most 6 digits before the point and 3 after it`)
		return otherwise
	}
	return value
}

// pointsInto reports whether pointer is a JSON pointer (RFC 6901) to something in document.
func pointsInto(document any, pointer string) bool {
	if pointer == "" {
		return true
	}
	tokens := strings.Split(pointer, "/")
	if tokens[0] != "" {
		return false
	}
	for _, token := range tokens[1:] {
		switch within := document.(type) {
		case map[string]any:
			value, ok := within[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
			if !ok {
				return false
			}
			document = value
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(within) || token != strconv.Itoa(i) {
				return false
			}
			document = within[i]
		default:
			return false
		}
	}
	return true
}
