package ai

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

// maxLoadedMessage is how many characters of one message become part of a request; the rest is cut. How much of it reaches
// a model is up to the provider.
const maxLoadedMessage = 10000

// loadRequest reads what a job's request consists of, as whoever asked for it may see it now, and no rows beside. It returns
// RequesterGone or TargetGone where there is nothing left to ask, and BudgetExhausted where nobody may be asked; otherwise it says who answers.
func loadRequest(ctx context.Context, store *db.Store, job db.AIJob, now time.Time) (Request, Coach, error) {
	var request Request
	var coach Coach
	err := store.Read(ctx, scopeOf(job), func(ctx context.Context, q *db.Queries) (err error) {
		actor, err := q.GetActorOfJob(ctx, db.GetActorOfJobParams{OrganizationID: job.OrganizationID, UserID: job.RequestedBy})
		if errors.Is(err, pgx.ErrNoRows) {
			return RequesterGone
		}
		if err != nil {
			return err
		}
		request, err = loader{q, job, actor}.request(ctx, now)
		if errors.Is(err, pgx.ErrNoRows) {
			return TargetGone
		}
		if err == nil {
			coach, err = coachOf(ctx, q, job)
		}
		return err
	})
	return request, coach, err
}

func scopeOf(job db.AIJob) db.Scope {
	return db.Scope{Organization: job.OrganizationID, Class: db.Background}
}

// loader reads with the eyes of the member who asked.
type loader struct {
	q     *db.Queries
	job   db.AIJob
	actor db.GetActorOfJobRow
}

func (l loader) request(ctx context.Context, now time.Time) (Request, error) {
	// The dialogue names the objective that it is about; a job whose two targets differ has none.
	dialogue, err := l.q.GetVisibleDialogue(ctx, db.GetVisibleDialogueParams{
		OrganizationID: l.job.OrganizationID, ID: l.job.DialogueID,
		ActorID: l.actor.UserID, SeesAll: seesAll(l.actor), TeamIDs: l.actor.TeamIDs, LeadTeamIDs: l.actor.LeadTeamIDs,
	})
	if err == nil && dialogue.Objective.ID != l.job.ObjectiveID {
		err = pgx.ErrNoRows
	}
	if err != nil {
		return Request{}, err
	}
	target, err := l.visibleObjective(ctx, l.job.ObjectiveID)
	if err != nil {
		return Request{}, err
	}
	request := Request{Kind: Kind(l.job.Kind), Today: dayIn(now, l.actor.TimeZone)}
	if request.Objective, err = l.objective(ctx, target); err != nil {
		return Request{}, err
	}
	if request.Parent, err = l.parent(ctx, target.Objective.ParentObjectiveID); err != nil {
		return Request{}, err
	}
	if request.Neighbours, err = l.neighbours(ctx, target.Objective); err != nil {
		return Request{}, err
	}
	request.Messages, err = l.messages(ctx)
	request.Language = languageOf(request.Messages, l.actor.Locale)
	return request, err
}

func seesAll(actor db.GetActorOfJobRow) bool { return actor.Role.AtLeast(auth.Admin) }

func (l loader) visibleObjective(ctx context.Context, id uuid.UUID) (db.GetVisibleObjectiveRow, error) {
	return l.q.GetVisibleObjective(ctx, db.GetVisibleObjectiveParams{
		OrganizationID: l.job.OrganizationID, ID: id,
		ActorID: l.actor.UserID, SeesAll: seesAll(l.actor), TeamIDs: l.actor.TeamIDs, LeadTeamIDs: l.actor.LeadTeamIDs,
	})
}

func (l loader) objective(ctx context.Context, row db.GetVisibleObjectiveRow) (Objective, error) {
	o := row.Objective
	objective := Objective{
		ID:          o.ID,
		Revision:    o.Revision,
		Title:       o.Title,
		Description: deref(o.Description),
		Kind:        string(o.Kind),
		State:       string(o.State),
		OwnerName:   row.OwnerName,
		Cycle:       Cycle{Name: row.Cycle.Name, StartsOn: row.Cycle.StartsOn, EndsOn: row.Cycle.EndsOn},
	}
	if o.TeamID != nil {
		team, err := l.q.GetTeam(ctx, db.GetTeamParams{OrganizationID: l.job.OrganizationID, ID: *o.TeamID})
		if err != nil {
			return Objective{}, err
		}
		objective.TeamName = team.Name
	}
	rows, err := l.q.ListKeyResultsOfObjective(ctx, db.ListKeyResultsOfObjectiveParams{OrganizationID: l.job.OrganizationID, ObjectiveID: o.ID})
	if err != nil {
		return Objective{}, err
	}
	for _, row := range rows {
		if row.KeyResult.ArchivedAt != nil {
			continue
		}
		last := len(objective.KeyResults) - 1
		if last < 0 || objective.KeyResults[last].ID != row.KeyResult.ID {
			objective.KeyResults = append(objective.KeyResults, keyResultOf(row.KeyResult, deref(row.OwnerName)))
			last++
		}
		if row.StepID != nil && row.StepTitle != nil && row.StepWeight != nil {
			k := &objective.KeyResults[last]
			k.Steps = append(k.Steps, Step{ID: *row.StepID, Title: *row.StepTitle, Weight: *row.StepWeight})
		}
	}
	return objective, nil
}

func keyResultOf(k db.KeyResult, ownerName string) KeyResult {
	keyResult := KeyResult{
		ID:          k.ID,
		Title:       k.Title,
		Description: deref(k.Description),
		OwnerName:   ownerName,
		Kind:        string(k.Kind),
		Unit:        k.Unit,
		Baseline:    k.Baseline,
		Target:      k.Target,
		Stretch:     k.Stretch,
		AtLeast:     k.AtLeast,
		AtMost:      k.AtMost,
		Tolerance:   k.Tolerance,
		Weight:      k.Weight,
		Current:     k.CurrentValue,
		CheckedInAt: k.CurrentAt,
	}
	if k.CurrentConfidence != nil {
		confidence := int(*k.CurrentConfidence)
		keyResult.Confidence = &confidence
	}
	return keyResult
}

// parent is nil where there is none, or none that the member may see.
func (l loader) parent(ctx context.Context, id *uuid.UUID) (*Reference, error) {
	if id == nil {
		return nil, nil
	}
	row, err := l.visibleObjective(ctx, *id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &Reference{ID: row.Objective.ID, Title: row.Objective.Title}, nil
}

func (l loader) neighbours(ctx context.Context, o db.Objective) ([]Reference, error) {
	rows, err := l.q.ListNeighbours(ctx, db.ListNeighboursParams{
		OrganizationID: l.job.OrganizationID, CycleID: o.CycleID, ObjectiveID: o.ID, OwnerID: o.OwnerID, TeamID: o.TeamID,
		ActorID: l.actor.UserID, SeesAll: seesAll(l.actor), TeamIDs: l.actor.TeamIDs, LeadTeamIDs: l.actor.LeadTeamIDs,
	})
	var neighbours []Reference
	for _, row := range rows {
		neighbours = append(neighbours, Reference{ID: row.ID, Title: row.Title})
	}
	return neighbours, err
}

// messages are the dialogue's latest, oldest first.
func (l loader) messages(ctx context.Context) ([]Message, error) {
	rows, err := l.q.ListLatestMessages(ctx, db.ListLatestMessagesParams{OrganizationID: l.job.OrganizationID, DialogueID: l.job.DialogueID})
	var messages []Message
	for _, row := range slices.Backward(rows) {
		messages = append(messages, Message{
			FromCoach: row.AuthorID == nil,
			Author:    deref(row.AuthorName),
			Text:      cutText(row.Body, maxLoadedMessage),
		})
	}
	return messages, err
}

// dayIn is midnight of the day that it is in a time zone; in UTC if there is no such zone.
func dayIn(now time.Time, name string) time.Time {
	zone, err := time.LoadLocation(name)
	if err != nil {
		zone = time.UTC
	}
	year, month, day := now.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, zone)
}

// wordsOfEnglish is how many words in Latin letters, without any Japanese script, make a message English.
// One or two may be a product's name or a "done" from somebody who writes in Japanese.
const wordsOfEnglish = 3

// languageOf is the language to answer in: that of the latest message of a member if it is clear, otherwise locale.
func languageOf(messages []Message, locale string) string {
	for _, message := range slices.Backward(messages) {
		if message.FromCoach {
			continue
		}
		if strings.ContainsFunc(message.Text, japanese) {
			return "ja"
		}
		if len(strings.FieldsFunc(message.Text, func(r rune) bool { return !unicode.Is(unicode.Latin, r) })) >= wordsOfEnglish {
			return "en"
		}
		break
	}
	return locale
}

func japanese(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
