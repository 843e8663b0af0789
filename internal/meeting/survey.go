package meeting

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/okr"
)

// The kinds of questions.
const (
	Scale  = "scale"  // a number from 1 to 10
	Choice = "choice" // one of the choices, counted from 1
	Text   = "text"
)

// The rules by which results are shown.
const (
	AtStart       = "at_start"      // to everybody who sees the meeting, once it has started
	WhenAnswered  = "when_answered" // also before, to whoever has answered
	OrganizerRule = "organizer"     // only to whoever may change the meeting
)

// LeastAnonymous is how many must have answered before results of an anonymous survey are shown: fewer know each other's answers by leaving out their own.
const LeastAnonymous = 3

// Question is one question of a survey.
type Question struct {
	ID       uuid.UUID
	Kind     string
	Title    string
	Choices  []string
	Required bool
}

// Check returns what is wrong with a question.
func (q Question) Check() []okr.FieldError {
	switch {
	case q.Kind == Choice && len(q.Choices) < 2:
		return []okr.FieldError{{Pointer: "/choices", Code: "too-few", Detail: "There must be at least two choices."}}
	case q.Kind != Choice && len(q.Choices) > 0:
		return []okr.FieldError{{Pointer: "/choices", Code: "not-for-kind", Detail: "Choices are for the kind choice."}}
	}
	return nil
}

// Answer is an answer to one question: the one value that its kind has.
type Answer struct {
	Question uuid.UUID
	Scale    *int
	Choice   *int
	Text     *string
}

// CheckAnswers returns what is wrong with somebody's answers, which are all of theirs.
func CheckAnswers(questions []Question, answers []Answer) []okr.FieldError {
	known := make(map[uuid.UUID]Question, len(questions))
	for _, q := range questions {
		known[q.ID] = q
	}
	var refused []okr.FieldError
	answered := map[uuid.UUID]bool{}
	for i, a := range answers {
		at := fmt.Sprintf("/answers/%d", i)
		q, ok := known[a.Question]
		switch {
		case !ok:
			refused = append(refused, okr.FieldError{Pointer: at + "/question_id", Code: "not-there", Detail: "There is no such question in this survey."})
		case answered[a.Question]:
			refused = append(refused, okr.FieldError{Pointer: at + "/question_id", Code: "twice", Detail: "The question is answered twice."})
		default:
			if e := q.check(a); e != nil {
				e.Pointer = at + e.Pointer
				refused = append(refused, *e)
			}
		}
		answered[a.Question] = true
	}
	for _, q := range questions {
		if q.Required && !answered[q.ID] {
			refused = append(refused, okr.FieldError{Pointer: "/answers", Code: "required", Detail: "“" + q.Title + "” must be answered."})
		}
	}
	return refused
}

func (q Question) check(a Answer) *okr.FieldError {
	given := map[string]bool{Scale: a.Scale != nil, Choice: a.Choice != nil, Text: a.Text != nil}
	for _, kind := range []string{Scale, Choice, Text} {
		if given[kind] && kind != q.Kind {
			return &okr.FieldError{Pointer: "/" + kind, Code: "not-for-kind", Detail: "The question is of the kind " + q.Kind + "."}
		}
	}
	switch {
	case !given[q.Kind]:
		return &okr.FieldError{Pointer: "/" + q.Kind, Code: "required", Detail: "The question is of the kind " + q.Kind + "."}
	case q.Kind == Choice && (*a.Choice < 1 || *a.Choice > len(q.Choices)):
		return &okr.FieldError{Pointer: "/choice", Code: "out-of-range", Detail: fmt.Sprintf("Choices are from 1 to %d.", len(q.Choices))}
	case q.Kind == Scale && (*a.Scale < 1 || *a.Scale > 10):
		return &okr.FieldError{Pointer: "/scale", Code: "out-of-range", Detail: "The scale is from 1 to 10."}
	case q.Kind == Text && utf8.RuneCountInString(strings.TrimSpace(*a.Text)) == 0:
		return &okr.FieldError{Pointer: "/text", Code: "too-short", Detail: "The answer is empty."}
	}
	return nil
}

// Reader is what somebody who sees the meeting is to its survey.
type Reader struct {
	Changes  bool // may change the meeting
	Answered bool
}

// ResultsShown reports whether the results may be read. Those of an anonymous survey never before the start, since whoever compares them before and after a colleague
// answers knows the answer, and not while fewer than LeastAnonymous have answered.
func ResultsShown(rule string, anonymous, started bool, answered int, r Reader) bool {
	if anonymous && (!started || answered < LeastAnonymous) {
		return false
	}
	switch rule {
	case AtStart:
		return started
	case WhenAnswered:
		return started || r.Answered
	case OrganizerRule:
		return r.Changes
	}
	return false
}

// SurveyState says whether a survey takes answers.
func SurveyState(questions int, cancelled bool, now, startsAt time.Time) string {
	switch {
	case questions == 0:
		return "none"
	case cancelled || !now.Before(startsAt):
		return "closed"
	}
	return "open"
}

const (
	secretPrefix = "kka_"
	secretSize   = 32 // bytes: 256 random bits
)

// ErrMalformedSecret is all that is said of a secret that cannot be one.
var ErrMalformedSecret = errors.New("meeting: not a secret of answers")

// Secret is what lets somebody change the anonymous answers they have given. Nobody but they have it.
type Secret struct{ bits [secretSize]byte }

// NewSecret makes one.
func NewSecret() Secret {
	var s Secret
	_, _ = rand.Read(s.bits[:]) // never fails: it ends the program instead
	return s
}

// ParseSecret reads what Secret.String wrote. It returns ErrMalformedSecret for anything else.
func ParseSecret(text string) (Secret, error) {
	encoded, ok := strings.CutPrefix(text, secretPrefix)
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if !ok || err != nil || len(raw) != secretSize {
		return Secret{}, ErrMalformedSecret
	}
	var s Secret
	copy(s.bits[:], raw)
	return s, nil
}

// String is the secret as its owner keeps it.
func (s Secret) String() string {
	return secretPrefix + base64.RawURLEncoding.EncodeToString(s.bits[:])
}

// Key is what stands beside the answers: SHA-256 of the secret.
func (s Secret) Key() []byte {
	sum := sha256.Sum256(s.bits[:])
	return sum[:]
}

// LogValue keeps the secret out of logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(secretPrefix + "…") }
