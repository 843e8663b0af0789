package snapshot

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
)

// insert writes rows as they are, by COPY, in an order in which every reference leads to what is there already. s may be a part of an organisation:
// then what its rows refer to has been written before, and its Organization has no id.
func insert(ctx context.Context, tx pgx.Tx, s *Snapshot, newcomers []User) error {
	var organizations []Organization
	if s.Organization.ID != uuid.Nil {
		organizations = append(organizations, s.Organization)
	}
	parts := splitUp(s)
	for _, write := range []func() error{
		func() error { return copyRows(ctx, tx, "organizations", organizations) },
		func() error { return copyRows(ctx, tx, "users", newcomers) },
		func() error { return copyRows(ctx, tx, "memberships", s.Memberships) },
		func() error { return copyRows(ctx, tx, "teams", parts.teams) },
		func() error { return copyRows(ctx, tx, "team_members", parts.teamMembers) },
		func() error { return copyRows(ctx, tx, "cycles", s.Cycles) },
		func() error { return copyRows(ctx, tx, "objectives", parts.objectives) },
		func() error { return copyRows(ctx, tx, "key_results", parts.keyResults) },
		func() error { return parts.placeParents(ctx, tx) },
		func() error { return copyRows(ctx, tx, "milestone_steps", parts.steps) },
		func() error { return copyRows(ctx, tx, "check_ins", s.CheckIns) },
		func() error { return copyRows(ctx, tx, "objective_history", s.History) },
		func() error { return copyRows(ctx, tx, "comments", s.Comments) },
		func() error { return copyRows(ctx, tx, "dialogues", s.Dialogues) },
		func() error { return copyRows(ctx, tx, "ai_jobs", s.Jobs) },
		func() error { return copyRows(ctx, tx, "messages", s.Messages) },
		func() error { return copyRows(ctx, tx, "suggestions", s.Suggestions) },
		func() error { return copyRows(ctx, tx, "audit_events", s.AuditEvents) },
		func() error { return copyRows(ctx, tx, "objective_links", s.Links) },
		func() error { return copyRows(ctx, tx, "notification_preferences", s.Preferences) },
		func() error { return copyRows(ctx, tx, "broadcasts", s.Broadcasts) },
		func() error { return copyRows(ctx, tx, "meetings", s.Meetings) },
		func() error { return copyRows(ctx, tx, "meeting_attendees", s.Attendees) },
		func() error { return copyRows(ctx, tx, "meeting_agenda_items", s.AgendaItems) },
		func() error { return copyRows(ctx, tx, "meeting_materials", s.Materials) },
		func() error { return copyRows(ctx, tx, "survey_questions", s.Questions) },
		func() error { return copyRows(ctx, tx, "meeting_occurrences", s.Occurrences) },
		func() error { return copyRows(ctx, tx, "survey_participants", s.Participants) },
		func() error { return copyRows(ctx, tx, "survey_answers", s.Answers) },
		func() error { return copyRows(ctx, tx, "follow_ups", s.FollowUps) },
		func() error { return copyRows(ctx, tx, "meeting_check_ins", s.MeetingCheckIns) },
		func() error { return copyRows(ctx, tx, "external_ids", s.ExternalIDs) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// tables are the aggregates of a snapshot, table by table.
type tables struct {
	teams       []TeamRow
	teamMembers []TeamMember
	objectives  []ObjectiveRow
	keyResults  []KeyResultRow
	steps       []MilestoneStep
	placed      db.PlaceKeyResultParentsParams
}

func splitUp(s *Snapshot) tables {
	var t tables
	for _, team := range s.Teams {
		t.teams = append(t.teams, team.TeamRow)
		t.teamMembers = append(t.teamMembers, team.Members...)
	}
	for _, o := range s.Objectives {
		row := o.ObjectiveRow
		if row.ParentKeyResultID != nil { // objectives and key results refer to each other, so one of the two comes in two steps
			t.placed.OrganizationID = row.OrganizationID
			t.placed.IDs = append(t.placed.IDs, row.ID)
			t.placed.KeyResultIDs = append(t.placed.KeyResultIDs, *row.ParentKeyResultID)
			row.ParentKeyResultID = nil
		}
		t.objectives = append(t.objectives, row)
		for _, k := range o.KeyResults {
			t.keyResults = append(t.keyResults, k.KeyResultRow)
			t.steps = append(t.steps, k.Steps...)
		}
	}
	return t
}

func (t tables) placeParents(ctx context.Context, tx pgx.Tx) error {
	if len(t.placed.IDs) == 0 {
		return nil
	}
	return db.New(tx).PlaceKeyResultParents(ctx, t.placed)
}

// copyRows copies rows into the table whose columns are R's fields, by the names in their tags.
func copyRows[R any](ctx context.Context, tx pgx.Tx, table string, rows []R) error {
	if len(rows) == 0 {
		return nil
	}
	fields := reflect.VisibleFields(reflect.TypeFor[R]())
	columns := make([]string, len(fields))
	for i, field := range fields {
		columns[i], _, _ = strings.Cut(field.Tag.Get("json"), ",")
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
		row := reflect.ValueOf(&rows[i]).Elem()
		values := make([]any, len(fields))
		for j := range fields {
			values[j] = row.Field(j).Interface()
		}
		return values, nil
	}))
	if err != nil {
		return fmt.Errorf("snapshot: write %s: %w", table, err)
	}
	return nil
}
