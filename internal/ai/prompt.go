package ai

import (
	"bytes"
	_ "embed" // for the prompts
	"encoding/json"
	"fmt"
	"strings"
	"text/template"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// What of a request reaches a model at most, lengths in characters. Longer texts end in cutMark; of longer lists the later items are left out.
const (
	maxPromptName        = 100
	maxPromptTitle       = 300
	maxPromptDescription = 2000
	maxPromptMessage     = 2000
	maxPromptRequest     = 8000 // the latest message, which says what is wanted
	maxPromptKeyResults  = 30
	maxPromptSteps       = 50
	maxPromptNeighbours  = 50
	maxPromptMessages    = 20 // of these the earlier ones are left out

	cutMark = "… [cut]"
)

var (
	//go:embed prompts/coach.md
	coachPrompt string
	//go:embed prompts/draft.md
	draftTask string
	//go:embed prompts/feedback.md
	feedbackTask string
	//go:embed prompts/answer.schema.json
	answerSchemaFile []byte
)

// answerSchema keeps to what every server with structured output understands: no lengths, no patterns. readAnswer checks those.
// "text" stands first, so that it can be shown while the rest is still being written.
func answerSchema() json.RawMessage {
	var compact bytes.Buffer
	if err := json.Compact(&compact, answerSchemaFile); err != nil {
		panic(err) // a file of the program's own
	}
	return compact.Bytes()
}

// prompt is a request put into words.
type prompt struct {
	system    string
	user      string
	objective any // what JSON pointers in an answer point into: the objective as the model saw it
}

// newPrompt fences off everything that members wrote with a delimiter that draw makes, which must be hard to guess.
func newPrompt(request Request, draw func() string) (prompt, error) {
	task := map[Kind]string{Draft: draftTask, Feedback: feedbackTask}[request.Kind]
	language := map[string]string{"ja": "Japanese", "en": "English"}[request.Language]
	if task == "" || language == "" {
		return prompt{}, fmt.Errorf("ai: no prompt for kind %q in language %q", request.Kind, request.Language)
	}
	data := newPromptData(request)
	document, err := marshalPrompt(data)
	if err != nil {
		return prompt{}, err
	}
	fence := draw()
	for bytes.Contains(document, []byte(fence)) {
		fence = draw()
	}
	coach, err := template.New("coach").Parse(coachPrompt)
	if err != nil {
		return prompt{}, err
	}
	var system strings.Builder
	err = coach.Execute(&system, struct{ Task, Language, Fence, CutMark string }{strings.TrimSpace(task), language, fence, cutMark})
	if err != nil {
		return prompt{}, err
	}
	p := prompt{
		system: strings.TrimSpace(system.String()),
		user: fmt.Sprintf("Today is %s. Answer in %s.\n<%s>\n%s\n</%s>",
			request.Today.Format("Monday, "+time.DateOnly), language, fence, document, fence),
	}
	objective, err := marshalPrompt(data.Objective)
	if err != nil {
		return prompt{}, err
	}
	return p, json.Unmarshal(objective, &p.objective)
}

// repairRequest asks for the answer once more, and says what was wrong with it.
func repairRequest(problems []string) string {
	return "That answer cannot be used:\n- " + strings.Join(problems, "\n- ") +
		"\nGive the whole answer again, as one JSON object of the form described, with these faults mended."
}

// The data as the model sees it. Every field is always there, so that a pointer to what is missing has something to point to.
type promptData struct {
	Objective     promptObjective `json:"objective"`
	ContributesTo *string         `json:"contributes_to"`
	Neighbours    []string        `json:"other_objectives_in_cycle"`
	Messages      []promptMessage `json:"messages"`
}

type promptObjective struct {
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Kind        string            `json:"kind"`
	State       string            `json:"state"`
	Owner       string            `json:"owner"`
	Team        string            `json:"team"`
	Cycle       promptCycle       `json:"cycle"`
	KeyResults  []promptKeyResult `json:"key_results"`
}

type promptCycle struct {
	Name     string `json:"name"`
	StartsOn string `json:"starts_on"`
	EndsOn   string `json:"ends_on"`
}

type promptKeyResult struct {
	ID          uuid.UUID        `json:"id"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Kind        string           `json:"kind"`
	Unit        string           `json:"unit"`
	Baseline    *decimal.Decimal `json:"baseline"`
	Target      *decimal.Decimal `json:"target"`
	Stretch     *decimal.Decimal `json:"stretch"`
	AtLeast     *decimal.Decimal `json:"at_least"`
	AtMost      *decimal.Decimal `json:"at_most"`
	Tolerance   *decimal.Decimal `json:"tolerance"`
	Steps       []promptStep     `json:"steps"`
	Weight      decimal.Decimal  `json:"weight"`
	Owner       string           `json:"owner"`
	Current     *decimal.Decimal `json:"current"`
	Confidence  *int             `json:"confidence"`
	CheckedInOn *string          `json:"checked_in_on"`
}

type promptStep struct {
	ID     uuid.UUID       `json:"id"`
	Title  string          `json:"title"`
	Weight decimal.Decimal `json:"weight"`
}

type promptMessage struct {
	From string `json:"from"`
	Name string `json:"name"`
	Text string `json:"text"`
}

func newPromptData(request Request) promptData {
	objective := request.Objective
	data := promptData{
		Objective: promptObjective{
			Title:       cutText(objective.Title, maxPromptTitle),
			Description: cutText(objective.Description, maxPromptDescription),
			Kind:        objective.Kind,
			State:       objective.State,
			Owner:       cutText(objective.OwnerName, maxPromptName),
			Team:        cutText(objective.TeamName, maxPromptName),
			Cycle: promptCycle{
				Name:     cutText(objective.Cycle.Name, maxPromptName),
				StartsOn: objective.Cycle.StartsOn.Format(time.DateOnly),
				EndsOn:   objective.Cycle.EndsOn.Format(time.DateOnly),
			},
			KeyResults: []promptKeyResult{},
		},
		Neighbours: []string{},
		Messages:   []promptMessage{},
	}
	for _, keyResult := range objective.KeyResults[:min(len(objective.KeyResults), maxPromptKeyResults)] {
		data.Objective.KeyResults = append(data.Objective.KeyResults, newPromptKeyResult(keyResult, request.Today.Location()))
	}
	if request.Parent != nil {
		title := cutText(request.Parent.Title, maxPromptTitle)
		data.ContributesTo = &title
	}
	for _, neighbour := range request.Neighbours[:min(len(request.Neighbours), maxPromptNeighbours)] {
		data.Neighbours = append(data.Neighbours, cutText(neighbour.Title, maxPromptTitle))
	}
	messages := request.Messages[max(len(request.Messages)-maxPromptMessages, 0):]
	for i, message := range messages {
		limit := maxPromptMessage
		if i == len(messages)-1 {
			limit = maxPromptRequest
		}
		from := "member"
		if message.FromCoach {
			from = "coach"
		}
		data.Messages = append(data.Messages, promptMessage{from, cutText(message.Author, maxPromptName), cutText(message.Text, limit)})
	}
	return data
}

func newPromptKeyResult(keyResult KeyResult, zone *time.Location) promptKeyResult {
	p := promptKeyResult{
		ID:          keyResult.ID,
		Title:       cutText(keyResult.Title, maxPromptTitle),
		Description: cutText(keyResult.Description, maxPromptDescription),
		Kind:        keyResult.Kind,
		Unit:        cutText(keyResult.Unit, maxPromptName),
		Baseline:    keyResult.Baseline,
		Target:      keyResult.Target,
		Stretch:     keyResult.Stretch,
		AtLeast:     keyResult.AtLeast,
		AtMost:      keyResult.AtMost,
		Tolerance:   keyResult.Tolerance,
		Steps:       []promptStep{},
		Weight:      keyResult.Weight,
		Owner:       cutText(keyResult.OwnerName, maxPromptName),
		Current:     keyResult.Current,
		Confidence:  keyResult.Confidence,
	}
	for _, step := range keyResult.Steps[:min(len(keyResult.Steps), maxPromptSteps)] {
		p.Steps = append(p.Steps, promptStep{step.ID, cutText(step.Title, maxPromptTitle), step.Weight})
	}
	if keyResult.CheckedInAt != nil {
		day := keyResult.CheckedInAt.In(zone).Format(time.DateOnly)
		p.CheckedInOn = &day
	}
	return p
}

// marshalPrompt leaves <, > and & as they are: escaped they cost tokens and make texts harder to read.
func marshalPrompt(value any) ([]byte, error) {
	var document bytes.Buffer
	encoder := json.NewEncoder(&document)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(document.Bytes()), nil
}

// cutText keeps the first limit characters of text.
func cutText(text string, limit int) string {
	for i := range text {
		if limit == 0 {
			return text[:i] + cutMark
		}
		limit--
	}
	return text
}
