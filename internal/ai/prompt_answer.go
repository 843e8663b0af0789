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

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/okr"
)

// What an answer may hold, lengths in characters. Those of titles, descriptions and units are their columns'.
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
	checkName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

	// plainNumber has no exponent, and no more digits than are worth reading to find that they are too many.
	plainNumber = regexp.MustCompile(`^-?[0-9]{1,30}(\.[0-9]{1,30})?$`)
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
	answer := Answer{Text: strings.TrimSpace(said.Text)}
	if request.Kind == Feedback {
		answer.Findings = r.findings(said.Findings)
	}
	if said.Proposal != nil {
		answer.Proposal = r.proposal(*said.Proposal)
	}
	if err := checkAnswer(answer, request.Objective); err != nil {
		r.problems = append(r.problems, strings.Split(err.Error(), "\n")...)
	}
	return answer, r.problems[:min(len(r.problems), maxAnswerProblems)]
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

// answerReader turns JSON into an answer and collects all that is wrong on the way, so that one repair can mend it.
// What holds for answers from anywhere is left to checkAnswer.
type answerReader struct {
	objective Objective
	shown     any
	problems  []string
}

func (r *answerReader) refuse(pointer, format string, args ...any) {
	r.problems = append(r.problems, pointer+": "+fmt.Sprintf(format, args...))
}

// line is value without the space around it.
func (r *answerReader) line(pointer, value string) string {
	value = strings.TrimSpace(value)
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
		if !checkName.MatchString(finding.Check) {
			r.refuse(at+"/check", "must be lower-case words joined by hyphens")
		}
		if !pointsInto(r.shown, finding.Pointer) {
			r.refuse(at+"/pointer", `points to nothing in the data's "objective"`)
		}
		finding.Reason, finding.Better = strings.TrimSpace(finding.Reason), strings.TrimSpace(finding.Better)
		findings[i] = finding
	}
	return findings
}

// proposal is nil where nothing would change.
func (r *answerReader) proposal(said proposalJSON) *Proposal {
	var proposal Proposal
	if said.Title != nil {
		title := r.line("/proposal/title", *said.Title)
		proposal.Title = &title
	}
	if said.Description != nil {
		description := strings.TrimSpace(*said.Description)
		proposal.Description = &description
	}
	for i, each := range said.KeyResults {
		proposal.KeyResults = append(proposal.KeyResults, r.keyResult(fmt.Sprintf("/proposal/key_results/%d", i), each))
	}
	if proposal.isEmpty() {
		return nil
	}
	return &proposal
}

func (r *answerReader) keyResult(at string, said keyResultJSON) KeyResult {
	present := KeyResult{Weight: okr.DefaultWeight}
	id := r.id(at+"/id", said.ID)
	for _, each := range r.objective.KeyResults {
		if each.ID == id {
			present = each
		}
	}
	keyResult := KeyResult{
		ID:          id,
		Title:       r.line(at+"/title", said.Title),
		Description: present.Description,
		Kind:        said.Kind,
		Unit:        r.line(at+"/unit", said.Unit),
		Baseline:    r.number(at+"/baseline", said.Baseline),
		Target:      r.number(at+"/target", said.Target),
		Stretch:     r.number(at+"/stretch", said.Stretch),
		AtLeast:     r.number(at+"/at_least", said.AtLeast),
		AtMost:      r.number(at+"/at_most", said.AtMost),
		Tolerance:   r.number(at+"/tolerance", said.Tolerance),
		Weight:      r.weight(at+"/weight", said.Weight, present.Weight),
		OwnerName:   present.OwnerName,
	}
	if said.Description != nil {
		keyResult.Description = strings.TrimSpace(*said.Description)
	}
	if okr.KeyResultKind(said.Kind) == okr.Milestone && keyResult.Unit != "" {
		r.refuse(at+"/unit", "must be empty in a milestone")
	}
	for i, each := range said.Steps {
		keyResult.Steps = append(keyResult.Steps, r.step(fmt.Sprintf("%s/steps/%d", at, i), each, present.Steps))
	}
	return keyResult
}

func (r *answerReader) step(at string, said stepJSON, present []Step) Step {
	weight := okr.DefaultWeight
	id := r.id(at+"/id", said.ID)
	for _, each := range present {
		if each.ID == id {
			weight = each.Weight
		}
	}
	return Step{ID: id, Title: r.line(at+"/title", said.Title), Weight: r.weight(at+"/weight", said.Weight, weight)}
}

// id is uuid.Nil for something new, which only null asks for.
func (r *answerReader) id(pointer string, said *string) uuid.UUID {
	if said == nil {
		return uuid.Nil
	}
	id, err := uuid.Parse(*said)
	if err != nil || id == uuid.Nil {
		r.refuse(pointer, "is no id from the data; give null for what is new")
	}
	return id
}

func (r *answerReader) number(pointer string, said *string) *decimal.Decimal {
	if said == nil {
		return nil
	}
	if !plainNumber.MatchString(*said) {
		r.refuse(pointer, `must be a decimal number in a string, such as "12.5"`)
		return nil
	}
	value := decimal.RequireFromString(*said)
	return &value
}

func (r *answerReader) weight(pointer string, said *string, otherwise decimal.Decimal) decimal.Decimal {
	if value := r.number(pointer, said); value != nil {
		return *value
	}
	return otherwise
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
