package db_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// addMeetingWalls writes a meeting with all that can belong to one, and adds a read of each of its query files.
func addMeetingWalls(t *testing.T, database *pgtest.Database, home, owner uuid.UUID, all map[string]func(ctx context.Context, q *db.Queries) (int, error)) {
	t.Helper()
	meeting, occurrence, question := db.NewID(), db.NewID(), db.NewID()
	for _, insert := range []string{
		`INSERT INTO meetings (organization_id, id, title, organizer_id, time_zone, starts_at_local, duration_minutes, created_by, changed_by) VALUES ($1, $2, 'x', $3, 'UTC', '2027-01-01 09:00', 45, $3, $3)`,
		`INSERT INTO meeting_attendees (organization_id, meeting_id, user_id) VALUES ($1, $2, $3)`,
		`INSERT INTO meeting_agenda_items (organization_id, id, meeting_id, position, title) VALUES ($1, $3, $2, 0, 'x')`,
		`INSERT INTO meeting_materials (organization_id, id, meeting_id, position, url, url_hash) VALUES ($1, $3, $2, 0, 'https://example.com', sha256('x'))`,
	} {
		if _, err := database.Owner.Exec(t.Context(), insert, home, meeting, owner); err != nil {
			t.Fatalf("%s: %v", insert, err)
		}
	}
	for _, insert := range []string{
		`INSERT INTO survey_questions (organization_id, id, meeting_id, position, kind, title) SELECT $1::uuid, $3::uuid, $2::uuid, 0, 'scale', 'x' WHERE $4::uuid IS NOT NULL AND $5::uuid IS NOT NULL`,
		`INSERT INTO meeting_occurrences (organization_id, id, meeting_id, recurrence_at, starts_at, ends_at, changed_by) SELECT $1::uuid, $4::uuid, $2::uuid, '2027-01-01 09:00Z', '2027-01-01 09:00Z', '2027-01-01 10:00Z', $5::uuid WHERE $3::uuid IS NOT NULL`,
		`INSERT INTO survey_participants (organization_id, occurrence_id, user_id) SELECT $1::uuid, $4::uuid, $5::uuid WHERE $2::uuid IS NOT NULL AND $3::uuid IS NOT NULL`,
		`INSERT INTO survey_answers (organization_id, id, occurrence_id, question_id, user_id, scale) SELECT $1::uuid, $5::uuid, $4::uuid, $3::uuid, $5::uuid, 7 WHERE $2::uuid IS NOT NULL`,
		`INSERT INTO follow_ups (organization_id, id, occurrence_id, assignee_id, title, created_by, changed_by) SELECT $1::uuid, $3::uuid, $4::uuid, $5::uuid, 'x', $5::uuid, $5::uuid WHERE $2::uuid IS NOT NULL`,
		`INSERT INTO meeting_notices (organization_id, id, meeting_id, occurrence_id, kind, actor_id) SELECT $1::uuid, $3::uuid, $2::uuid, $4::uuid, 'invited', $5::uuid`,
	} {
		if _, err := database.Owner.Exec(t.Context(), insert, home, meeting, question, occurrence, owner); err != nil {
			t.Fatalf("%s: %v", insert, err)
		}
	}
	all["meetings.sql"] = func(ctx context.Context, q *db.Queries) (int, error) {
		_, err := q.GetVisibleMeeting(ctx, db.GetVisibleMeetingParams{OrganizationID: home, ID: meeting, ActorID: owner, SeesAll: true})
		return 1, err
	}
	all["meeting_occurrences.sql"] = func(ctx context.Context, q *db.Queries) (int, error) {
		_, err := q.GetVisibleOccurrence(ctx, db.GetVisibleOccurrenceParams{OrganizationID: home, ID: occurrence, ActorID: owner, SeesAll: true})
		return 1, err
	}
	all["meeting_occurrences.sql, of a meeting"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListOccurrencesOfMeetingAfter(ctx, db.ListOccurrencesOfMeetingAfterParams{OrganizationID: home, MeetingID: meeting, UserID: owner, BeforeAt: time.Date(9999, time.January, 1, 0, 0, 0, 0, time.UTC), PageSize: 10})
		return len(rows), err
	}
	all["meeting_occurrences.sql, of a meeting from the latest back"] = func(ctx context.Context, q *db.Queries) (int, error) {
		end := time.Date(9999, time.January, 1, 0, 0, 0, 0, time.UTC)
		rows, err := q.ListOccurrencesOfMeetingBefore(ctx, db.ListOccurrencesOfMeetingBeforeParams{OrganizationID: home, MeetingID: meeting, UserID: owner, BeforeAt: end, UntilAt: end, UntilID: uuid.Max, PageSize: 10})
		return len(rows), err
	}
	all["surveys.sql"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListSurveyTallies(ctx, db.ListSurveyTalliesParams{OrganizationID: home, OccurrenceID: occurrence})
		return len(rows), err
	}
	all["follow_ups.sql"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListFollowUpsOfOccurrence(ctx, db.ListFollowUpsOfOccurrenceParams{OrganizationID: home, OccurrenceID: occurrence})
		return len(rows), err
	}
	all["meeting_calendar.sql"] = func(ctx context.Context, q *db.Queries) (int, error) {
		rows, err := q.ListMeetingsForCalendar(ctx, db.ListMeetingsForCalendarParams{OrganizationID: home, UserID: owner, FromAt: time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC),
			BeforeAt: time.Date(2027, time.December, 1, 0, 0, 0, 0, time.UTC), PageSize: 200})
		return len(rows), err
	}
}
