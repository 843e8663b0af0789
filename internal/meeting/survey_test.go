package meeting_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/meeting"
)

func TestAnswersAreOfTheirQuestionsKind(t *testing.T) {
	t.Parallel()
	scale := meeting.Question{ID: uuid.New(), Kind: meeting.Scale, Title: "調子", Required: true}
	choice := meeting.Question{ID: uuid.New(), Kind: meeting.Choice, Title: "方法", Choices: []string{"会う", "通話"}}
	text := meeting.Question{ID: uuid.New(), Kind: meeting.Text, Title: "心配"}
	questions := []meeting.Question{scale, choice, text}
	number := func(n int) *int { return &n }
	words := func(s string) *string { return &s }
	fine := meeting.Answer{Question: scale.ID, Scale: number(7)}
	for what, c := range map[string]struct {
		answers []meeting.Answer
		want    []string // pointer and code
	}{
		"all":              {[]meeting.Answer{fine, {Question: choice.ID, Choice: number(1)}, {Question: text.ID, Text: words("人が足りない")}}, nil},
		"the least":        {[]meeting.Answer{fine}, nil},
		"none":             {nil, []string{"/answers required"}},
		"unknown":          {[]meeting.Answer{fine, {Question: uuid.New(), Scale: number(1)}}, []string{"/answers/1/question_id not-there"}},
		"twice":            {[]meeting.Answer{fine, fine}, []string{"/answers/1/question_id twice"}},
		"no value":         {[]meeting.Answer{{Question: scale.ID}}, []string{"/answers/0/scale required"}},
		"another's value":  {[]meeting.Answer{{Question: scale.ID, Text: words("7")}}, []string{"/answers/0/text not-for-kind"}},
		"two values":       {[]meeting.Answer{{Question: scale.ID, Scale: number(7), Choice: number(1)}}, []string{"/answers/0/choice not-for-kind"}},
		"scale too low":    {[]meeting.Answer{{Question: scale.ID, Scale: number(0)}}, []string{"/answers/0/scale out-of-range"}},
		"scale too high":   {[]meeting.Answer{{Question: scale.ID, Scale: number(11)}}, []string{"/answers/0/scale out-of-range"}},
		"no such choice":   {[]meeting.Answer{fine, {Question: choice.ID, Choice: number(3)}}, []string{"/answers/1/choice out-of-range"}},
		"no choice at all": {[]meeting.Answer{fine, {Question: choice.ID, Choice: number(0)}}, []string{"/answers/1/choice out-of-range"}},
		"nothing but room": {[]meeting.Answer{fine, {Question: text.ID, Text: words(" 　\n")}}, []string{"/answers/1/text too-short"}},
	} {
		var got []string
		for _, e := range meeting.CheckAnswers(questions, c.answers) {
			got = append(got, e.Pointer+" "+e.Code)
		}
		assert.Equal(t, c.want, got, what)
	}
	assert.NotEmpty(t, meeting.Question{Kind: meeting.Choice, Choices: []string{"一"}}.Check())
	assert.NotEmpty(t, meeting.Question{Kind: meeting.Text, Choices: []string{"一", "二"}}.Check())
	assert.Empty(t, choice.Check())
}

func TestWhoReadsResultsWhen(t *testing.T) {
	t.Parallel()
	anyone, answered, changes := meeting.Reader{}, meeting.Reader{Answered: true}, meeting.Reader{Changes: true}
	for _, c := range []struct {
		rule      string
		anonymous bool
		started   bool
		number    int
		r         meeting.Reader
		want      bool
	}{
		{meeting.AtStart, false, false, 9, changes, false},
		{meeting.AtStart, false, true, 0, anyone, true},
		{meeting.WhenAnswered, false, false, 1, answered, true},
		{meeting.WhenAnswered, false, false, 1, changes, false},
		{meeting.WhenAnswered, false, true, 1, anyone, true},
		{meeting.OrganizerRule, false, false, 1, changes, true},
		{meeting.OrganizerRule, false, true, 1, answered, false},
		{meeting.AtStart, true, true, 2, changes, false},
		{meeting.AtStart, true, true, 3, anyone, true},
		{meeting.WhenAnswered, true, false, 9, answered, false},
		{meeting.OrganizerRule, true, false, 9, changes, false},
		{meeting.OrganizerRule, true, true, 3, changes, true},
		{meeting.OrganizerRule, true, true, 9, anyone, false},
		{"whatever", false, true, 9, changes, false},
	} {
		assert.Equal(t, c.want, meeting.ResultsShown(c.rule, c.anonymous, c.started, c.number, c.r), "%+v", c)
	}
}

func TestSurveysCloseAtTheStart(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)
	assert.Equal(t, "none", meeting.SurveyState(0, false, start.Add(-time.Hour), start))
	assert.Equal(t, "open", meeting.SurveyState(1, false, start.Add(-time.Microsecond), start))
	assert.Equal(t, "closed", meeting.SurveyState(1, false, start, start))
	assert.Equal(t, "closed", meeting.SurveyState(1, true, start.Add(-time.Hour), start))
}

func TestSecretsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	s := meeting.NewSecret()
	again, err := meeting.ParseSecret(s.String())
	require.NoError(t, err)
	assert.Equal(t, s.Key(), again.Key())
	assert.Len(t, s.Key(), 32)
	assert.NotEqual(t, s.Key(), meeting.NewSecret().Key())
	for _, text := range []string{"", "kka_", s.String()[4:], s.String() + "A", s.String()[:len(s.String())-1], "kks_" + s.String()[4:], strings.ToUpper(s.String())} {
		_, err := meeting.ParseSecret(text)
		assert.ErrorIs(t, err, meeting.ErrMalformedSecret, text)
	}
	var line strings.Builder
	slog.New(slog.NewTextHandler(&line, nil)).Info("x", "secret", s)
	assert.NotContains(t, line.String(), s.String())
}
