package api

import (
	"context"
	"encoding/json"
	"errors"
	"math"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/meeting"
)

func surveyStanding(ctx context.Context, q *db.Queries, a actor, row db.GetVisibleOccurrenceRow, questions int) (SurveyStanding, error) {
	o := row.MeetingOccurrence
	state := meeting.SurveyState(questions, calledOff(o, row.Meeting.CancelledAt), row.Now, o.StartsAt)
	answered, err := q.CountParticipants(ctx, db.CountParticipantsParams{OrganizationID: a.OrganizationID, OccurrenceID: o.ID})
	if err != nil {
		return SurveyStanding{}, err
	}
	mine, err := q.HasParticipated(ctx, db.HasParticipatedParams{OrganizationID: a.OrganizationID, OccurrenceID: o.ID, UserID: a.UserID})
	return SurveyStanding{State: SurveyStandingState(state), Answered: int(answered), Mine: mine}, err
}

// GetSurvey shows the survey of an occurrence, and its results to those who may read them.
func (s *Server) GetSurvey(ctx context.Context, request GetSurveyRequestObject) (GetSurveyResponseObject, error) {
	var secret *meeting.Secret
	if request.Params.SurveySecret != nil {
		parsed, err := meeting.ParseSecret(*request.Params.SurveySecret)
		if err != nil {
			return nil, badRequest(FieldProblem{Pointer: "/header/Survey-Secret", Code: "secret", Detail: "This is not a secret of answers."})
		}
		secret = &parsed
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetSurveyResponseObject, error) {
		row, err := visibleOccurrence(ctx, q, a, request.OccurrenceID)
		if err != nil {
			return nil, err
		}
		m, o := row.Meeting, row.MeetingOccurrence
		asked, err := q.ListQuestionsOfOccurrence(ctx, db.ListQuestionsOfOccurrenceParams{OrganizationID: a.OrganizationID, MeetingID: m.ID, OccurrenceID: o.ID})
		if err != nil {
			return nil, err
		}
		standing, err := surveyStanding(ctx, q, a, row, len(asked))
		if err != nil {
			return nil, err
		}
		v := Survey{State: SurveyState(standing.State), Anonymous: m.SurveyAnonymous, ResultsRule: SurveyResultsRule(m.SurveyResults), Questions: converted(asked, questionView),
			Answered: standing.Answered, Mine: standing.Mine}
		if v.MyAnswers, err = ownAnswers(ctx, q, a, o.ID, secret); err != nil {
			return nil, err
		}
		started := !row.Now.Before(o.StartsAt)
		if meeting.ResultsShown(m.SurveyResults, m.SurveyAnonymous, started, standing.Answered, meeting.Reader{Changes: a.mayChange(m), Answered: standing.Mine}) {
			results, err := surveyResults(ctx, q, a, o.ID, asked)
			if err != nil {
				return nil, err
			}
			v.Results = &results
		}
		return GetSurvey200Response{Body: v}, nil
	})
}

// ownAnswers are those in the actor's name, or those that a secret leads to.
func ownAnswers(ctx context.Context, q *db.Queries, a actor, occurrence uuid.UUID, secret *meeting.Secret) ([]SurveyAnswer, error) {
	if secret == nil {
		rows, err := q.ListAnswersOfUser(ctx, db.ListAnswersOfUserParams{OrganizationID: a.OrganizationID, OccurrenceID: occurrence, UserID: a.UserID})
		return converted(rows, answerView), err
	}
	rows, err := q.ListAnswersOfKey(ctx, db.ListAnswersOfKeyParams{OrganizationID: a.OrganizationID, OccurrenceID: occurrence, AnswerKey: secret.Key()})
	return converted(rows, func(r db.ListAnswersOfKeyRow) SurveyAnswer { return answerView(db.ListAnswersOfUserRow(r)) }), err
}

func answerView(r db.ListAnswersOfUserRow) SurveyAnswer {
	return SurveyAnswer{QuestionID: r.QuestionID, Scale: wide(r.Scale), Choice: wide(r.Choice), Text: r.Body}
}

func surveyResults(ctx context.Context, q *db.Queries, a actor, occurrence uuid.UUID, asked []db.SurveyQuestion) ([]QuestionResults, error) {
	tallies, err := q.ListSurveyTallies(ctx, db.ListSurveyTalliesParams{OrganizationID: a.OrganizationID, OccurrenceID: occurrence})
	if err != nil {
		return nil, err
	}
	texts, err := q.ListSurveyTexts(ctx, db.ListSurveyTextsParams{OrganizationID: a.OrganizationID, OccurrenceID: occurrence})
	if err != nil {
		return nil, err
	}
	var people []uuid.UUID
	for _, t := range texts {
		if t.UserID != nil {
			people = append(people, *t.UserID)
		}
	}
	names, err := namesOf(ctx, q, a, people...)
	if err != nil {
		return nil, err
	}
	results := make([]QuestionResults, len(asked))
	of := map[uuid.UUID]*QuestionResults{}
	for i, question := range asked {
		results[i] = QuestionResults{QuestionID: question.ID, Counts: []AnswerCount{}, Texts: []AnswerText{}}
		of[question.ID] = &results[i]
	}
	for _, t := range tallies {
		if r, ok := of[t.QuestionID]; ok {
			value := t.Choice
			if t.Scale != nil {
				value = t.Scale
			}
			r.Counts = append(r.Counts, AnswerCount{Value: int(*value), Count: int(t.Answers)})
		}
	}
	for i, question := range asked {
		if question.Kind == meeting.Scale {
			results[i].Average = average(results[i].Counts)
		}
	}
	for _, t := range texts {
		if r, ok := of[t.QuestionID]; ok {
			text := AnswerText{Text: *t.Body}
			if t.UserID != nil {
				author := person(*t.UserID, names)
				text.Author = &author
			}
			r.Texts = append(r.Texts, text)
		}
	}
	return results, nil
}

// average is to two places; nil of nothing.
func average(counts []AnswerCount) *float64 {
	sum, n := 0, 0
	for _, c := range counts {
		sum, n = sum+c.Value*c.Count, n+c.Count
	}
	if n == 0 {
		return nil
	}
	v := math.Round(float64(sum)/float64(n)*100) / 100
	return &v
}

// AnswerSurvey takes all of somebody's answers, until the meeting starts. It holds the occurrence, so that whoever moves it and whoever answers come one after another.
func (s *Server) AnswerSurvey(ctx context.Context, request AnswerSurveyRequestObject) (AnswerSurveyResponseObject, error) {
	var secret *meeting.Secret
	if request.Body.Secret != nil {
		parsed, err := meeting.ParseSecret(*request.Body.Secret)
		if err != nil {
			return nil, invalid(FieldProblem{Pointer: "/secret", Code: "secret", Detail: "This is not a secret of answers."})
		}
		secret = &parsed
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (AnswerSurveyResponseObject, error) {
		row, err := visibleOccurrence(ctx, q, a, request.OccurrenceID)
		if err != nil {
			return nil, err
		}
		if !a.writes() || row.Response == "" {
			return nil, errNotAllowed
		}
		m, o, err := openSurvey(ctx, q, a, row)
		if err != nil {
			return nil, err
		}
		if refused, err := checkAnswers(ctx, q, a, m, request.Body.Answers); err != nil || len(refused) > 0 {
			if err == nil {
				err = invalid(refused...)
			}
			return nil, err
		}
		body := SurveyAnswered{Answers: request.Body.Answers}
		if !m.SurveyAnonymous {
			return AnswerSurvey200Response{Body: body}, answerByName(ctx, q, a, o, request.Body.Answers)
		}
		key, err := answerAnonymously(ctx, q, a, o, secret, request.Body.Answers)
		if err != nil {
			return nil, err
		}
		body.Secret = &key
		return AnswerSurvey200Response{Body: body}, nil
	})
}

// openSurvey holds an occurrence whose survey takes answers, and its meeting, so that the survey stays what it is.
func openSurvey(ctx context.Context, q *db.Queries, a actor, row db.GetVisibleOccurrenceRow) (db.Meeting, db.MeetingOccurrence, error) {
	m, err := q.GetMeetingForShare(ctx, db.GetMeetingForShareParams{OrganizationID: a.OrganizationID, ID: row.Meeting.ID})
	if err != nil {
		return m, db.MeetingOccurrence{}, err
	}
	o, err := q.LockOccurrence(ctx, db.LockOccurrenceParams{OrganizationID: a.OrganizationID, ID: row.MeetingOccurrence.ID})
	if err != nil {
		return m, o, err
	}
	now, err := q.GetClock(ctx) // what it is after the wait
	if err != nil {
		return m, o, err
	}
	if meeting.SurveyState(1, calledOff(o, m.CancelledAt), now, o.StartsAt) != "open" {
		return m, o, wrongState("The survey takes answers until the meeting starts.", nil)
	}
	return m, o, nil
}

func checkAnswers(ctx context.Context, q *db.Queries, a actor, m db.Meeting, answers []SurveyAnswer) ([]FieldProblem, error) {
	rows, err := q.ListSurveyQuestions(ctx, db.ListSurveyQuestionsParams{OrganizationID: a.OrganizationID, MeetingID: m.ID})
	if err != nil {
		return nil, err
	}
	questions := converted(rows, func(r db.SurveyQuestion) meeting.Question {
		return meeting.Question{ID: r.ID, Kind: r.Kind, Title: r.Title, Choices: r.Choices, Required: r.Required}
	})
	given := converted(answers, func(g SurveyAnswer) meeting.Answer {
		return meeting.Answer{Question: g.QuestionID, Scale: g.Scale, Choice: g.Choice, Text: g.Text}
	})
	return fieldProblems("", meeting.CheckAnswers(questions, given)), nil
}

func createAnswers(ctx context.Context, q *db.Queries, o db.MeetingOccurrence, user *uuid.UUID, key []byte, answers []SurveyAnswer) error {
	rows := converted(answers, func(g SurveyAnswer) db.CreateAnswersParams {
		return db.CreateAnswersParams{OrganizationID: o.OrganizationID, OccurrenceID: o.ID, QuestionID: g.QuestionID, UserID: user, AnswerKey: key,
			Scale: narrow[int16](g.Scale), Choice: narrow[int16](g.Choice), Body: g.Text}
	})
	var failed error
	q.CreateAnswers(ctx, rows).Exec(func(_ int, err error) { failed = errors.Join(failed, err) })
	return failed
}

func answerByName(ctx context.Context, q *db.Queries, a actor, o db.MeetingOccurrence, answers []SurveyAnswer) error {
	if _, err := participates(ctx, q, a, o); err != nil {
		return err
	}
	if err := q.DeleteAnswersOfUser(ctx, db.DeleteAnswersOfUserParams{OrganizationID: a.OrganizationID, OccurrenceID: o.ID, UserID: a.UserID}); err != nil {
		return err
	}
	if err := createAnswers(ctx, q, o, &a.UserID, nil, answers); err != nil {
		return err
	}
	return record(ctx, q, a, event{action: "survey.answered", targetKind: "occurrence", target: o.ID})
}

// participates notes that the actor answers, and reports whether this is the first time.
func participates(ctx context.Context, q *db.Queries, a actor, o db.MeetingOccurrence) (first bool, err error) {
	_, err = q.AddParticipant(ctx, db.AddParticipantParams{OrganizationID: a.OrganizationID, OccurrenceID: o.ID, UserID: a.UserID})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return true, err
}

// answerAnonymously keeps answers under a secret, and returns it. That the actor has answered is noted, without a time; what was answered is not joined to it by any
// column, nor by the order or the transaction of the rows, since all anonymous answers are written anew each time. The audit says that somebody has answered.
func answerAnonymously(ctx context.Context, q *db.Queries, a actor, o db.MeetingOccurrence, secret *meeting.Secret, answers []SurveyAnswer) (string, error) {
	first, err := participates(ctx, q, a, o)
	if err != nil {
		return "", err
	}
	if secret == nil {
		if !first {
			return "", wrongState("You have answered already. With the secret that you were given then, you can change your answers.", nil)
		}
		made := meeting.NewSecret()
		secret = &made
	}
	replaced, err := q.DeleteAnswersOfKey(ctx, db.DeleteAnswersOfKeyParams{OrganizationID: a.OrganizationID, OccurrenceID: o.ID, AnswerKey: secret.Key()})
	if err != nil {
		return "", err
	}
	if first != (replaced == 0) {
		return "", wrongState("This secret is not that of your answers.", nil)
	}
	if err := createAnswers(ctx, q, o, nil, secret.Key(), answers); err != nil {
		return "", err
	}
	if err := q.ShuffleAnonymousAnswers(ctx, db.ShuffleAnonymousAnswersParams{OrganizationID: a.OrganizationID, OccurrenceID: o.ID}); err != nil {
		return "", err
	}
	return secret.String(), q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: a.OrganizationID, EventID: db.NewID(), Action: "survey.answered", TargetKind: "occurrence", TargetID: o.ID,
		Detail: json.RawMessage("{}")})
}
