package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/fetch"
	"github.com/kakeai/kakeai/internal/meeting"
)

// meetingContents are the lists of a meeting, as they are to be. Nil ones stay as they are.
type meetingContents struct {
	agenda    *[]AgendaItem
	materials *[]MaterialInput
	questions []db.PutSurveyQuestionsParams
	retired   []uuid.UUID
}

// readContents reads the lists of a meeting and everything that is wrong with them. The zero id is that of a new meeting; team is one that it is to belong to.
func readContents(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, team *uuid.UUID, agenda *[]AgendaItem, materials *[]MaterialInput, survey *SurveyInput) (meetingContents, []FieldProblem, error) {
	c := meetingContents{agenda: agenda, materials: materials}
	refused, err := checkTeam(ctx, q, a, team)
	if err != nil {
		return c, nil, err
	}
	if agenda != nil {
		problems, err := checkAgenda(ctx, q, a, id, *agenda)
		if err != nil {
			return c, nil, err
		}
		refused = append(refused, problems...)
	}
	if materials != nil {
		refused = append(refused, checkMaterials(*materials)...)
	}
	if survey != nil {
		problems, err := c.readSurvey(ctx, q, a, id, *survey)
		if err != nil {
			return c, nil, err
		}
		refused = append(refused, problems...)
	}
	return c, refused, nil
}

// checkTeam: a meeting is of a team that its caller is in, and that is still in use.
func checkTeam(ctx context.Context, q *db.Queries, a actor, team *uuid.UUID) ([]FieldProblem, error) {
	if team == nil {
		return nil, nil
	}
	_, err := q.GetTeamForShare(ctx, db.GetTeamForShareParams{OrganizationID: a.OrganizationID, ID: *team})
	if errors.Is(err, pgx.ErrNoRows) {
		return []FieldProblem{notThere("/team_id", "team in use")}, nil
	}
	if err == nil && !a.administers() && !slices.Contains(a.TeamIDs, *team) {
		return []FieldProblem{{Pointer: "/team_id", Code: "not-in-team", Detail: "You are not in this team."}}, nil
	}
	return nil, err
}

// checkAgenda: an objective that is put on the agenda is one that whoever puts it there may see. What stands there already may stay.
func checkAgenda(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, items []AgendaItem) ([]FieldProblem, error) {
	var wanted []uuid.UUID
	for _, item := range items {
		if item.ObjectiveID != nil {
			wanted = append(wanted, *item.ObjectiveID)
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	known, err := q.ListVisibleObjectiveIDs(ctx, db.ListVisibleObjectiveIDsParams{OrganizationID: a.OrganizationID, IDs: wanted, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
	if err != nil {
		return nil, err
	}
	present, err := q.ListAgenda(ctx, db.ListAgendaParams{OrganizationID: a.OrganizationID, MeetingID: id})
	if err != nil {
		return nil, err
	}
	for _, i := range present {
		if i.ObjectiveID != nil {
			known = append(known, *i.ObjectiveID)
		}
	}
	var refused []FieldProblem
	for i, item := range items {
		if item.ObjectiveID != nil && !slices.Contains(known, *item.ObjectiveID) {
			refused = append(refused, notThere(fmt.Sprintf("/agenda/%d/objective_id", i), "objective"))
		}
	}
	return refused, nil
}

func checkMaterials(materials []MaterialInput) (refused []FieldProblem) {
	for i, m := range materials {
		u, err := url.Parse(m.URL)
		if err != nil || u.Hostname() == "" || u.User != nil {
			refused = append(refused, FieldProblem{Pointer: fmt.Sprintf("/materials/%d/url", i), Code: "url", Detail: "Send a whole address, such as https://example.com/report, without a password in it."})
		}
	}
	return refused
}

// readSurvey plans the questions. Those that are named by their id keep what answers refer to.
func (c *meetingContents) readSurvey(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, input SurveyInput) ([]FieldProblem, error) {
	var refused []FieldProblem
	if input.Anonymous != nil && *input.Anonymous && input.Results != nil && *input.Results == SurveyInputResults(meeting.WhenAnswered) {
		refused = append(refused, earlyAnonymous())
	}
	if input.Questions == nil {
		return refused, nil
	}
	present, err := q.ListSurveyQuestions(ctx, db.ListSurveyQuestionsParams{OrganizationID: a.OrganizationID, MeetingID: id})
	if err != nil {
		return nil, err
	}
	left := map[uuid.UUID]db.SurveyQuestion{}
	for _, p := range present {
		left[p.ID] = p
	}
	for i, input := range *input.Questions {
		at := fmt.Sprintf("/survey/questions/%d", i)
		put, problem := putQuestion(a, input, left)
		for _, p := range problem {
			p.Pointer = at + p.Pointer
			refused = append(refused, p)
		}
		put.Position = int32(i)
		c.questions = append(c.questions, put)
	}
	for id := range left {
		c.retired = append(c.retired, id)
	}
	return refused, nil
}

func putQuestion(a actor, input QuestionInput, left map[uuid.UUID]db.SurveyQuestion) (db.PutSurveyQuestionsParams, []FieldProblem) {
	put := db.PutSurveyQuestionsParams{OrganizationID: a.OrganizationID, ID: db.NewID(), Kind: string(input.Kind), Title: input.Title, Choices: []string{}}
	if input.Choices != nil {
		put.Choices = *input.Choices
	}
	if input.Required != nil {
		put.Required = *input.Required
	}
	if input.ID != nil {
		known, ok := left[*input.ID]
		if !ok {
			return put, []FieldProblem{notThere("/id", "question of this meeting, or it stands in the list twice")}
		}
		delete(left, *input.ID)
		put.ID = known.ID
		if known.Kind != put.Kind || input.Choices != nil && !slices.Equal(known.Choices, put.Choices) {
			return put, []FieldProblem{{Pointer: "/kind", Code: "kind-fixed", Detail: "A question that was asked keeps its kind and its choices; add a new one instead."}}
		}
		put.Choices = known.Choices
	}
	return put, fieldProblems("", meeting.Question{Kind: put.Kind, Choices: put.Choices}.Check())
}

// write writes the lists that change, of a meeting whose row the transaction has written.
func (c meetingContents) write(ctx context.Context, q *db.Queries, m db.Meeting) error {
	var failed error
	note := func(_ int, err error) { failed = errors.Join(failed, err) }
	if c.agenda != nil {
		if err := q.DeleteAgenda(ctx, db.DeleteAgendaParams{OrganizationID: m.OrganizationID, MeetingID: m.ID}); err != nil {
			return err
		}
		rows := make([]db.CreateAgendaItemsParams, len(*c.agenda))
		for i, item := range *c.agenda {
			rows[i] = db.CreateAgendaItemsParams{OrganizationID: m.OrganizationID, ID: db.NewID(), MeetingID: m.ID, Position: int32(i), Title: item.Title, Minutes: narrow[int32](item.Minutes), ObjectiveID: item.ObjectiveID}
		}
		q.CreateAgendaItems(ctx, rows).Exec(note)
	}
	if c.materials != nil {
		if err := q.DeleteMaterials(ctx, db.DeleteMaterialsParams{OrganizationID: m.OrganizationID, MeetingID: m.ID}); err != nil {
			return err
		}
		rows := make([]db.CreateMaterialsParams, len(*c.materials))
		for i, item := range *c.materials {
			rows[i] = db.CreateMaterialsParams{OrganizationID: m.OrganizationID, ID: db.NewID(), MeetingID: m.ID, Position: int32(i), Url: item.URL, UrlHash: fetch.Hash(item.URL), Title: item.Title}
		}
		q.CreateMaterials(ctx, rows).Exec(note)
	}
	if len(c.retired) > 0 {
		if err := q.RetireSurveyQuestions(ctx, db.RetireSurveyQuestionsParams{OrganizationID: m.OrganizationID, MeetingID: m.ID, IDs: c.retired}); err != nil {
			return err
		}
	}
	if len(c.questions) > 0 {
		rows := slices.Clone(c.questions)
		for i := range rows {
			rows[i].MeetingID = m.ID
		}
		q.PutSurveyQuestions(ctx, rows).Exec(note)
	}
	return failed
}

func questionView(q db.SurveyQuestion) Question {
	return Question{ID: q.ID, Kind: q.Kind, Title: q.Title, Choices: q.Choices, Required: q.Required}
}
