package api_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/meeting"
)

// survey is a meeting with a survey, to which people are invited.
func (b *bundle) survey(survey fields, people ...*person) api.Meeting {
	b.t.Helper()
	ids := []any{}
	for _, p := range people {
		ids = append(ids, p.id)
	}
	if survey["questions"] == nil {
		survey["questions"] = []fields{{"kind": "scale", "title": "手ごたえは？", "required": true}, {"kind": "choice", "title": "次は？", "choices": []string{"会う", "通話"}}, {"kind": "text", "title": "心配は？"}}
	}
	return b.author.meeting(fields{"attendee_ids": ids, "survey": survey})
}

func (p *person) answers(m api.Meeting, scale int, text string, more ...fields) answer {
	p.t.Helper()
	body := fields{"answers": []fields{{"question_id": m.Survey.Questions[0].ID, "scale": scale}, {"question_id": m.Survey.Questions[2].ID, "text": text}}}
	for _, f := range more {
		for name, v := range f {
			body[name] = v
		}
	}
	return p.send(http.MethodPut, occurrence(m.Next.ID)+"/answers", body)
}

func (b *bundle) start(m api.Meeting) {
	b.t.Helper()
	b.exec("UPDATE meeting_occurrences SET starts_at = now() - interval '1 second' WHERE id = $1", m.Next.ID)
}

func TestAnswersChangeUntilTheMeetingStarts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.survey(fields{"results": "when_answered"}, b.teammate)
	path := occurrence(m.Next.ID) + "/survey"
	b.teammate.answers(m, 3, "人が足りない").is(http.StatusOK)
	b.teammate.answers(m, 8, "もう大丈夫").is(http.StatusOK)
	b.author.answers(m, 4, "順調").is(http.StatusOK)
	own := get[api.Survey](b.teammate, path)
	assert.Len(t, own.MyAnswers, 2)
	assert.Equal(t, 2, own.Answered)
	assert.True(t, own.Mine)
	require.NotNil(t, own.Results)
	assert.Equal(t, []api.AnswerCount{{Value: 4, Count: 1}, {Value: 8, Count: 1}}, (*own.Results)[0].Counts)
	assert.InDelta(t, 6, *(*own.Results)[0].Average, 0)
	texts := (*own.Results)[2].Texts
	assert.ElementsMatch(t, []string{"もう大丈夫 teammate", "順調 author"}, []string{texts[0].Text + " " + texts[0].Author.Name, texts[1].Text + " " + texts[1].Author.Name})
	assert.Nil(t, get[api.Survey](b.lead, path).Results, "who has not answered")

	b.author.send(http.MethodPut, occurrence(m.Next.ID)+"/answers", fields{"answers": []fields{{"question_id": m.Survey.Questions[2].ID, "text": "x"}}}).refused(http.StatusUnprocessableEntity, "invalid", "/answers")
	b.author.answers(m, 4, "x", fields{"secret": "kka_" + strings.Repeat("A", 42) + "B"}).refused(http.StatusUnprocessableEntity, "invalid", "/secret")
	b.start(m)
	b.author.answers(m, 5, "遅い").refused(http.StatusConflict, "wrong-state")
	assert.Equal(t, api.SurveyState("closed"), get[api.Survey](b.lead, path).State)
	assert.NotNil(t, get[api.Survey](b.lead, path).Results, "everybody, from the start on")
}

// The answer has waited while the meeting began.
func TestAnAnswerThatComesAfterTheStartIsLate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, anonymous := range []bool{false, true} {
		m := b.survey(fields{"anonymous": anonymous})
		_, release := b.holds("UPDATE meeting_occurrences SET starts_at = clock_timestamp() WHERE id = $1", m.Next.ID)
		late := make(chan answer, 1)
		go func() {
			a, err := b.author.try(http.MethodPut, occurrence(m.Next.ID)+"/answers", fields{"answers": []fields{{"question_id": m.Survey.Questions[0].ID, "scale": 7}}})
			assert.NoError(t, err)
			late <- a
		}()
		b.awaitBlocked(1)
		release()
		(<-late).refused(http.StatusConflict, "wrong-state")
	}
	assert.Equal(t, 0, value[int](b, "SELECT count(*) FROM survey_answers"))
	assert.Equal(t, 0, value[int](b, "SELECT count(*) FROM survey_participants"))
}

func TestOrganisersAloneMayReadWhereTheRuleSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.survey(fields{"results": "organizer"}, b.teammate)
	b.teammate.answers(m, 3, "x").is(http.StatusOK)
	for p, sees := range map[*person]bool{b.author: true, b.lead: true, b.admin: true, b.teammate: false} {
		assert.Equal(t, sees, get[api.Survey](p, occurrence(m.Next.ID)+"/survey").Results != nil, p.name)
	}
	at := b.survey(fields{"results": "at_start"}, b.teammate)
	b.teammate.answers(at, 3, "x").is(http.StatusOK)
	assert.Nil(t, get[api.Survey](b.author, occurrence(at.Next.ID)+"/survey").Results)
	b.start(at)
	assert.NotNil(t, get[api.Survey](b.teammate, occurrence(at.Next.ID)+"/survey").Results)
}

func TestQuestionsThatWereAskedStayReadable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.survey(fields{"results": "when_answered"}, b.teammate)
	b.author.answers(m, 3, "x").is(http.StatusOK)
	first := m.Survey.Questions[0]
	patch := func(questions ...fields) answer {
		now := get[api.Meeting](b.author, meetingAt(m.ID))
		return b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": now.Revision, "survey": fields{"questions": questions}})
	}
	a := patch(fields{"id": first.ID, "kind": "text", "title": "x"})
	a.refused(http.StatusUnprocessableEntity, "invalid", "/survey/questions/0/kind")
	patch(fields{"id": first.ID, "kind": "scale", "title": "新しい言い方"}, fields{"id": first.ID, "kind": "scale", "title": "二度"}).refused(http.StatusUnprocessableEntity, "invalid", "/survey/questions/1/id")
	changed := into[api.Meeting](patch(fields{"id": first.ID, "kind": "scale", "title": "新しい言い方"}, fields{"kind": "text", "title": "足した"}).is(http.StatusOK))
	require.Len(t, changed.Survey.Questions, 2)
	assert.Equal(t, first.ID, changed.Survey.Questions[0].ID)
	survey := get[api.Survey](b.author, occurrence(m.Next.ID)+"/survey")
	assert.Len(t, survey.Questions, 3, "the two that are asked, and the one that was answered")
	assert.Equal(t, "x", (*survey.Results)[slices.IndexFunc(survey.Questions, func(q api.Question) bool { return q.ID == m.Survey.Questions[2].ID })].Texts[0].Text)
	b.author.send(http.MethodPut, occurrence(m.Next.ID)+"/answers", fields{"answers": []fields{{"question_id": m.Survey.Questions[2].ID, "text": "x"}}}).refused(http.StatusUnprocessableEntity, "invalid", "/answers/0/question_id")
	b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": changed.Revision, "survey": fields{"anonymous": true, "results": "at_start"}}).refused(http.StatusConflict, "wrong-state")
	assert.Equal(t, changed.Revision, get[api.Meeting](b.author, meetingAt(m.ID)).Revision, "and nothing of it is done")
	b.author.send(http.MethodPatch, meetingAt(m.ID), fields{"revision": changed.Revision, "survey": fields{"anonymous": true}}).refused(http.StatusUnprocessableEntity, "invalid", "/survey/results")
}

func TestAnonymousAnswersAreTheirSecretsHolders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.survey(fields{"anonymous": true}, b.teammate, b.member)
	first := into[api.SurveyAnswered](b.teammate.answers(m, 3, "一").is(http.StatusOK))
	require.NotNil(t, first.Secret)
	b.teammate.answers(m, 4, "二").refused(http.StatusConflict, "wrong-state")
	b.teammate.answers(m, 4, "二", fields{"secret": meeting.NewSecret().String()}).refused(http.StatusConflict, "wrong-state")
	b.member.answers(m, 4, "二", fields{"secret": *first.Secret}).refused(http.StatusConflict, "wrong-state")
	again := into[api.SurveyAnswered](b.teammate.answers(m, 5, "三", fields{"secret": *first.Secret}).is(http.StatusOK))
	assert.Equal(t, first.Secret, again.Secret)

	// A client that makes the secret itself may send the same again after an answer that got lost.
	own := meeting.NewSecret().String()
	for range 2 {
		assert.Equal(t, own, *into[api.SurveyAnswered](b.member.answers(m, 6, "四", fields{"secret": own}).is(http.StatusOK)).Secret)
	}
	path := occurrence(m.Next.ID) + "/survey"
	b.author.send(http.MethodGet, path, nil, header{"Survey-Secret", meeting.NewSecret().String()}).is(http.StatusOK)
	mine := into[api.Survey](b.teammate.send(http.MethodGet, path, nil, header{"Survey-Secret", *first.Secret}).is(http.StatusOK))
	assert.Len(t, mine.MyAnswers, 2)
	assert.Empty(t, get[api.Survey](b.teammate, path).MyAnswers, "without it nobody knows which they are")
	assert.Equal(t, 4, value[int](b, "SELECT count(*) FROM survey_answers"))

	b.start(m)
	assert.Nil(t, get[api.Survey](b.admin, path).Results, "two could each tell the other's")
	late := b.survey(fields{"anonymous": true}, b.teammate, b.member)
	for i, p := range []*person{b.author, b.teammate, b.member} {
		p.answers(late, i+1, fmt.Sprint(i)).is(http.StatusOK)
	}
	assert.Nil(t, get[api.Survey](b.admin, occurrence(late.Next.ID)+"/survey").Results)
	b.start(late)
	results := get[api.Survey](b.member, occurrence(late.Next.ID)+"/survey").Results
	require.NotNil(t, results)
	assert.Len(t, (*results)[2].Texts, 3)
	assert.Nil(t, (*results)[2].Texts[0].Author)
	assert.InDelta(t, 2, *(*results)[0].Average, 0)
}

func TestManyMayAnswerAnonymouslyAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := []*person{}
	for i := range 10 {
		people = append(people, b.joins(b.id, fmt.Sprint("answerer", i), auth.Member))
	}
	m := b.survey(fields{"anonymous": true}, people...)
	statuses := atOnce(t, 20, func(i int) (answer, error) {
		return people[i%10].try(http.MethodPut, occurrence(m.Next.ID)+"/answers", fields{"answers": []fields{{"question_id": m.Survey.Questions[0].ID, "scale": 7}}})
	})
	assert.Equal(t, map[int]int{http.StatusOK: 10, http.StatusConflict: 10}, statuses, "each once")
	assert.Equal(t, 10, value[int](b, "SELECT count(*) FROM survey_answers"))
}

// Read with the eyes of whoever has the whole database, system columns too: nothing leads from an answer to a person, or the other way.
func TestTheDatabaseDoesNotKnowWhoseAnonymousAnswersAre(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := []*person{b.author, b.teammate, b.member}
	for i := range 9 {
		people = append(people, b.joins(b.id, fmt.Sprint("answerer", i), auth.Member))
	}
	m := b.survey(fields{"anonymous": true}, people...)
	order := []string{} // of the answers, as they were written
	secrets := []string{}
	marks := []string{} // what stands for an answer, wherever it turned up
	for i, p := range people {
		text := "答え-" + uuid.NewString()
		more := fields{}
		if i%3 == 1 {
			more["secret"] = meeting.NewSecret().String()
		}
		a := into[api.SurveyAnswered](p.answers(m, 1+i%10, text, more).is(http.StatusOK))
		if i%4 == 2 {
			a = into[api.SurveyAnswered](p.answers(m, 1+i%10, text, fields{"secret": *a.Secret}).is(http.StatusOK))
		}
		if i == len(people)-1 { // the first one changes their mind, and so was the last to write
			first := into[api.Survey](people[0].send(http.MethodGet, occurrence(m.Next.ID)+"/survey", nil, header{"Survey-Secret", secrets[0]}).is(http.StatusOK))
			require.Len(t, first.MyAnswers, 2)
			people[0].answers(m, 1, order[0], fields{"secret": secrets[0]}).is(http.StatusOK)
			order = append(order[1:], text, order[0])
		} else {
			order = append(order, text)
		}
		secrets = append(secrets, *a.Secret)
		secret, err := meeting.ParseSecret(*a.Secret)
		require.NoError(t, err)
		for _, raw := range [][]byte{[]byte(text), []byte(*a.Secret), secret.Key()} {
			marks = append(marks, string(raw), hex.EncodeToString(raw))
		}
	}
	// A key that is sent along is not kept.
	b.author.send(http.MethodPut, occurrence(m.Next.ID)+"/answers", fields{"answers": []fields{}}, key("k"))

	ids := column(b, "SELECT id::text FROM survey_answers")
	require.Len(t, ids, 2*len(people))
	for _, id := range ids {
		assert.EqualValues(t, 4, uuid.MustParse(id).Version(), "an id has no time in it")
	}
	assert.Equal(t, []string{"0"}, column(b, "SELECT count(*)::text FROM survey_answers WHERE user_id IS NOT NULL"))
	assert.Len(t, column(b, "SELECT DISTINCT xmin::text FROM survey_answers"), 1, "no answer was written by another transaction than the others")
	assert.Equal(t, []string{"occurrence_id", "organization_id", "user_id"}, column(b, "SELECT column_name::text FROM information_schema.columns WHERE table_name = 'survey_participants' ORDER BY 1"), "that somebody has answered has no time")
	assert.Empty(t, column(b, "SELECT column_name::text FROM information_schema.columns WHERE table_name = 'survey_answers' AND data_type ~ 'time|date'"))
	assert.Empty(t, column(b, "SELECT id::text FROM audit_events WHERE action = 'survey.answered' AND (actor_id IS NOT NULL OR request_id IS NOT NULL OR address IS NOT NULL OR detail <> '{}')"))
	kept := column(b, "SELECT body FROM survey_answers WHERE body IS NOT NULL ORDER BY ctid")
	reversed := slices.Clone(order)
	slices.Reverse(reversed)
	assert.ElementsMatch(t, order, kept)
	assert.NotEqual(t, order, kept, "their place does not tell when they came")
	assert.NotEqual(t, reversed, kept)

	read := 0
	for table := range b.counts() {
		if table == "survey_answers" {
			continue
		}
		for _, row := range column(b, "SELECT to_jsonb(r)::text FROM "+table+" AS r") {
			read++
			for _, mark := range append(slices.Clone(marks), ids...) {
				if strings.Contains(row, mark) || strings.Contains(row, quoted(mark)) {
					t.Errorf("%s leads to an answer: %s", table, row)
				}
			}
		}
	}
	assert.Greater(t, read, 100, "or this says little")
	for _, row := range column(b, "SELECT to_jsonb(r)::text FROM survey_answers AS r") {
		for _, p := range people {
			assert.NotContains(t, row, p.id.String())
			assert.NotContains(t, row, hex.EncodeToString(p.id[:]))
		}
	}
}

func quoted(s string) string {
	encoded, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return strings.Trim(string(encoded), `"`)
}

func column(b *bundle, query string) []string {
	b.t.Helper()
	rows, err := b.database.Owner.Query(b.t.Context(), query)
	require.NoError(b.t, err, query)
	all := []string{}
	for rows.Next() {
		var v string
		require.NoError(b.t, rows.Scan(&v))
		all = append(all, v)
	}
	require.NoError(b.t, rows.Err())
	return all
}
