package ai

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/shared"
)

// OpenAIConfig says which model to ask, where, and how long to wait for it. A zero duration stands for its default.
type OpenAIConfig struct {
	BaseURL string // with or without /v1; empty: https://api.openai.com/v1
	APIKey  string `json:"-"` // empty: none is sent, as many servers of one's own ask for none
	Model   string

	MaxOutputTokens int64 // for one completion, an answer being one or two; zero: as many as the server lets it have

	ConnectTimeout       time.Duration // for the connection and again for TLS; 10 s
	FirstTokenTimeout    time.Duration // from the request to the first token, queueing and silent reasoning included; 2 min
	BetweenTokensTimeout time.Duration // 30 s
	TotalTimeout         time.Duration // for the whole answer, its repair included; 5 min
}

// Format leaves the key out of whatever the configuration is printed with.
func (c OpenAIConfig) Format(state fmt.State, _ rune) {
	_, _ = fmt.Fprintf(state, "{%s %s}", c.BaseURL, c.Model)
}

const (
	defaultBaseURL = "https://api.openai.com/v1"

	maxModelName = 200 // what the source of a message may be long

	// maxResponseBytes is what one response may be long. Each token comes in an event of a few hundred bytes, reasoning that nobody reads included.
	maxResponseBytes = 8 << 20

	// maxBlank is how much white space in a row a model may write. Held to a schema, some fall into writing it for ever.
	maxBlank = 1000

	// maxRetryAfter bounds what a server may ask for: asking again after an hour costs little, waiting for days by mistake much.
	maxRetryAfter = time.Hour

	maxServerMessage = 300   // characters of it in an error
	maxRepairAnswer  = 30000 // characters of an invalid answer that are sent back
)

var (
	versionInPath = regexp.MustCompile(`/v[0-9][^/]*(/|$)`)

	errTooLong  = errors.New("the response is too long")
	errNoSchema = errors.New("the server does not take a JSON schema")
)

// OpenAI asks a model behind the chat completions API, be it OpenAI's or any server that speaks it.
// It never asks again by itself, except to have an invalid answer repaired: retries belong to the queue.
type OpenAI struct {
	completions openai.ChatCompletionService
	transport   *http.Transport
	config      OpenAIConfig             // without the key
	redact      func(text string) string // takes the key out; a function, as those show nothing when they are printed

	// schemaless is set once the server has refused response_format json_schema. From then on the schema is part of the prompt.
	schemaless atomic.Bool
}

var _ Provider = (*OpenAI)(nil)

// NewOpenAI makes no connection yet. Its errors name what is wrong with the configuration, never the key.
func NewOpenAI(config OpenAIConfig) (*OpenAI, error) {
	baseURL, err := parseBaseURL(cmp.Or(strings.TrimSpace(config.BaseURL), defaultBaseURL))
	if err != nil {
		return nil, err
	}
	if length := utf8.RuneCountInString(config.Model); length == 0 || length > maxModelName {
		return nil, fmt.Errorf("ai: the model's name must have 1 to %d characters", maxModelName)
	}
	key := strings.TrimSpace(config.APIKey)
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("ai: the API key must be printable ASCII without spaces")
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, 10*time.Second)
	config.FirstTokenTimeout = cmp.Or(config.FirstTokenTimeout, 2*time.Minute)
	config.BetweenTokensTimeout = cmp.Or(config.BetweenTokensTimeout, 30*time.Second)
	config.TotalTimeout = cmp.Or(config.TotalTimeout, 5*time.Minute)
	if min(config.ConnectTimeout, config.FirstTokenTimeout, config.BetweenTokensTimeout, config.TotalTimeout) < 0 {
		return nil, errors.New("ai: timeouts must not be negative")
	}
	if config.MaxOutputTokens < 0 {
		return nil, errors.New("ai: the most output tokens must not be negative")
	}
	config.BaseURL, config.APIKey = baseURL, ""

	p := &OpenAI{
		config: config,
		redact: func(text string) string { return text },
		transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: config.ConnectTimeout}).DialContext,
			TLSHandshakeTimeout: config.ConnectTimeout,
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: 16,
			IdleConnTimeout:     90 * time.Second,
		},
	}
	if key != "" {
		p.redact = strings.NewReplacer(key, "[key]").Replace
	}
	// Unlike a client, a service on its own takes nothing from OPENAI_* variables: what is not configured here is not sent.
	p.completions = openai.NewChatCompletionService(
		option.WithBaseURL(baseURL),
		option.WithAPIKey(key),
		option.WithHTTPClient(&http.Client{Transport: p.transport}),
		option.WithMaxRetries(0),
		option.WithMiddleware(boundResponse),
	)
	return p, nil
}

func parseBaseURL(text string) (string, error) {
	base, err := url.Parse(text)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" ||
		base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return "", errors.New("ai: the base URL must begin with http:// or https:// and have a host, but no user, query or fragment")
	}
	base.Path = strings.TrimRight(base.Path, "/")
	if !versionInPath.MatchString(base.Path) {
		base.Path += "/v1"
	}
	return base.String(), nil
}

// Name is the model's.
func (p *OpenAI) Name() string { return p.config.Model }

// Close closes idle connections. Answers that are under way are not disturbed.
func (p *OpenAI) Close() { p.transport.CloseIdleConnections() }

// Answer asks the model, and once more if its answer is invalid. Beside an error, the answer holds nothing but the usage so far.
func (p *OpenAI) Answer(ctx context.Context, request Request, progress func(text string)) (Answer, error) {
	asked, err := newPrompt(request, rand.Text)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrTerminal, err)
	}
	bounded, cancel := context.WithTimeoutCause(ctx, p.config.TotalTimeout,
		fmt.Errorf("no whole answer within %s", p.config.TotalTimeout))
	defer cancel()

	var usage Usage
	turns := []openai.ChatCompletionMessageParamUnion{openai.UserMessage(asked.user)}
	for repairing := false; ; repairing = true {
		said, err := p.complete(bounded, asked.system, turns, progress)
		usage.InputTokens += said.usage.InputTokens
		usage.OutputTokens += said.usage.OutputTokens
		switch {
		case err != nil && ctx.Err() != nil:
			return Answer{Usage: usage}, ctx.Err()
		case err != nil:
			return Answer{Usage: usage}, err
		}
		answer, problems := Answer{}, []string{said.flaw}
		if said.flaw == "" {
			answer, problems = readAnswer(said.content, request, asked.objective)
		}
		if len(problems) == 0 {
			answer.Usage = usage
			return answer, nil
		}
		if repairing {
			return Answer{Usage: usage}, fmt.Errorf("%w: the answer stayed invalid: %s", ErrTerminal, p.redact(strings.Join(problems, "; ")))
		}
		turns = append(turns,
			openai.AssistantMessage(cmp.Or(cutText(said.content, maxRepairAnswer), "{}")), // some servers refuse an empty turn
			openai.UserMessage(repairRequest(problems)))
	}
}

// completion is what the model wrote, as it wrote it.
type completion struct {
	content string
	flaw    string // why content is no answer whatever it says; empty if it may be one
	usage   Usage
}

// complete has the model write, with the schema in the prompt if the server takes it in no other way.
func (p *OpenAI) complete(ctx context.Context, system string, turns []openai.ChatCompletionMessageParamUnion, progress func(string)) (completion, error) {
	if p.schemaless.Load() {
		return p.stream(ctx, p.withoutSchema(system, turns), progress)
	}
	said, err := p.stream(ctx, p.withSchema(system, turns), progress)
	if !errors.Is(err, errNoSchema) {
		return said, err
	}
	said, err = p.stream(ctx, p.withoutSchema(system, turns), progress)
	if err == nil {
		p.schemaless.Store(true)
	}
	return said, err
}

func (p *OpenAI) withSchema(system string, turns []openai.ChatCompletionMessageParamUnion) openai.ChatCompletionNewParams {
	params := p.params(system, turns)
	params.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
		JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: "answer",
			// Raw, since the order of the properties matters.
			Schema: answerSchema(),
			Strict: openai.Bool(true),
		},
	}
	return params
}

func (p *OpenAI) withoutSchema(system string, turns []openai.ChatCompletionMessageParamUnion) openai.ChatCompletionNewParams {
	params := p.params(system+"\n\n# The JSON schema of the answer\n"+string(answerSchema()), turns)
	params.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	return params
}

func (p *OpenAI) params(system string, turns []openai.ChatCompletionMessageParamUnion) openai.ChatCompletionNewParams {
	params := openai.ChatCompletionNewParams{
		Model:         p.config.Model,
		Messages:      slices.Concat([]openai.ChatCompletionMessageParamUnion{openai.SystemMessage(system)}, turns),
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	}
	if p.config.MaxOutputTokens > 0 {
		params.MaxCompletionTokens = openai.Int(p.config.MaxOutputTokens)
	}
	return params
}

// stream asks once and reads the response to its end.
func (p *OpenAI) stream(ctx context.Context, params openai.ChatCompletionNewParams, progress func(string)) (completion, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	firstToken := time.AfterFunc(p.config.FirstTokenTimeout, func() {
		cancel(fmt.Errorf("no first token within %s", p.config.FirstTokenTimeout))
	})
	defer firstToken.Stop()
	nextToken := time.AfterFunc(math.MaxInt64, func() {
		cancel(fmt.Errorf("no further token within %s", p.config.BetweenTokensTimeout))
	})
	defer nextToken.Stop()

	var response *http.Response
	stream := p.completions.NewStreaming(ctx, params, option.WithResponseInto(&response))
	defer func() { _ = stream.Close() }()

	var (
		said    completion
		content strings.Builder
		shown   partialText
		refused bool
		blank   int
		finish  string
	)
	for stream.Next() {
		chunk := stream.Current()
		if chunk.JSON.Usage.Valid() {
			// Some servers repeat it with each token, as it stands then; the last is the whole. None may pay tokens back.
			said.usage = Usage{InputTokens: max(chunk.Usage.PromptTokens, 0), OutputTokens: max(chunk.Usage.CompletionTokens, 0)}
		}
		for _, choice := range chunk.Choices {
			if choice.Index != 0 || finish != "" {
				continue
			}
			if hasToken(choice.Delta) {
				firstToken.Stop()
				nextToken.Reset(p.config.BetweenTokensTimeout)
			}
			finish = choice.FinishReason
			refused = refused || choice.Delta.Refusal != ""
			content.WriteString(choice.Delta.Content)
			if text, grew := shown.write(choice.Delta.Content); grew && progress != nil {
				progress(text)
			}
			blank = trailingBlank(blank, choice.Delta.Content)
		}
		if blank > maxBlank {
			said.content = strings.TrimSpace(content.String())
			said.flaw = "it runs on in white space"
			return said, nil
		}
	}
	said.content = content.String()

	err := stream.Err()
	var event *ssestream.StreamError
	switch {
	case refused:
		return said, fmt.Errorf("%w: the model refused", ErrTerminal)
	case finish == "stop":
		// What goes wrong after the finish reason takes nothing from the answer.
		return said, nil
	case finish == "length", finish == "content_filter":
		return said, fmt.Errorf("%w: the answer was cut off: finish reason %s", ErrTerminal, finish)
	case finish != "":
		return said, &RetryableError{Err: fmt.Errorf("finish reason %q", p.quote(finish))}
	case ctx.Err() != nil:
		return said, &RetryableError{Err: context.Cause(ctx)}
	case response != nil && response.StatusCode >= http.StatusBadRequest:
		// The SDK has read the body and put it back; where it could not, the status has to do.
		body, _ := io.ReadAll(response.Body)
		return said, p.failure(response.StatusCode, response.Header, body)
	case errors.Is(err, errTooLong):
		return said, fmt.Errorf("%w: %w", ErrTerminal, errTooLong)
	case errors.As(err, &event):
		return said, p.failure(0, nil, event.Event.Data)
	case err != nil:
		// Only the text is kept: what the SDK's errors hold leads to the request and its key.
		return said, &RetryableError{Err: errors.New(p.quote(err.Error()))}
	}
	return said, &RetryableError{Err: errors.New("the stream ended without a finish reason")}
}

// hasToken reports whether the model wrote something. Reasoning counts, which servers send in fields of their own;
// the role, which some send before they begin, does not.
func hasToken(delta openai.ChatCompletionChunkChoiceDelta) bool {
	if delta.Content != "" || delta.Refusal != "" {
		return true
	}
	for _, field := range delta.JSON.ExtraFields {
		if field.Raw() != "null" && field.Raw() != `""` {
			return true
		}
	}
	return false
}

// trailingBlank is how much white space stands at the end once piece has been added to a text that ended in before of it.
func trailingBlank(before int, piece string) int {
	inked := strings.TrimRight(piece, " \t\r\n")
	if inked == "" {
		return before + len(piece)
	}
	return len(piece) - len(inked)
}

// failure sorts what a server answered in place of a completion. status is 0 where the failure came within a stream.
func (p *OpenAI) failure(status int, header http.Header, body []byte) error {
	said := parseFailure(body)
	if status == 0 {
		status, _ = strconv.Atoi(said.Code)
	}
	text := "the server answered"
	if status != 0 {
		text = fmt.Sprintf("%s %d", text, status)
	}
	// Where a key is refused, the message likes to repeat parts of it.
	if said.Message != "" && status != http.StatusUnauthorized && status != http.StatusForbidden {
		text += ": " + p.quote(said.Message)
	}
	err := errors.New(text)
	switch {
	case said.isOneOf("insufficient_quota", "billing_hard_limit_reached", "billing_not_active"):
		return fmt.Errorf("%w: the quota is exhausted: %w", ErrTerminal, err)
	case status == http.StatusBadRequest && (strings.Contains(string(body), "response_format") || strings.Contains(string(body), "json_schema")):
		return fmt.Errorf("%w: %w: %w", ErrTerminal, errNoSchema, err)
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly, status == http.StatusTooManyRequests,
		status < http.StatusBadRequest, status >= http.StatusInternalServerError:
		return &RetryableError{After: retryAfter(header, time.Now()), Err: err}
	}
	return fmt.Errorf("%w: %w", ErrTerminal, err)
}

// serverFailure is an error as OpenAI words it, as far as the server does too.
type serverFailure struct{ Message, Code, Type string }

func (f serverFailure) isOneOf(codes ...string) bool {
	return slices.Contains(codes, f.Code) || slices.Contains(codes, f.Type)
}

// parseFailure reads {"error": {…}}, {"error": "…"} and {"message": …}; everything else says nothing.
func parseFailure(body []byte) serverFailure {
	var fields map[string]any
	if json.Unmarshal(body, &fields) != nil {
		return serverFailure{}
	}
	switch within := fields["error"].(type) {
	case map[string]any:
		fields = within
	case string:
		return serverFailure{Message: within}
	}
	field := func(name string) string {
		switch value := fields[name].(type) {
		case string:
			return value
		case float64:
			return strconv.FormatFloat(value, 'f', -1, 64)
		}
		return ""
	}
	return serverFailure{Message: field("message"), Code: field("code"), Type: field("type")}
}

// quote makes what a server said fit for an error. The key goes first: cut through, it would not be found.
func (p *OpenAI) quote(text string) string {
	return cutText(strings.ToValidUTF8(p.redact(text), "\uFFFD"), maxServerMessage)
}

// retryAfter is how long a server asks to be left alone, given in seconds or as the time when it ends (RFC 9110, 10.2.3).
// Such a time is taken by the server's own clock where it tells it, else by now.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if there, err := http.ParseTime(header.Get("Date")); err == nil {
		now = there
	}
	return min(max(until.Sub(now), 0), maxRetryAfter)
}

// boundResponse lets no more than maxResponseBytes of a response through, decompressed.
func boundResponse(request *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	response, err := next(request)
	if err != nil {
		return nil, err
	}
	response.Body = &boundedBody{ReadCloser: response.Body, left: maxResponseBytes}
	return response, nil
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(buffer []byte) (int, error) {
	if b.left == 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(buffer[:min(len(buffer), b.left)])
	b.left -= n
	return n, err
}
