package notify_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/notify"
)

// buffers is how many pages a statement touches as the application once PostgreSQL has stopped planning for single parameters: run has it prepared, args are what it is then called with.
func (b *bundle) buffers(name string, run db.Work, args ...any) (pages int, plan string) {
	b.t.Helper()
	var literals []string
	for _, arg := range args {
		switch v := arg.(type) {
		case []uuid.UUID:
			var ids []string
			for _, id := range v {
				ids = append(ids, id.String())
			}
			literals = append(literals, "'{"+strings.Join(ids, ",")+"}'")
		case time.Time:
			literals = append(literals, "'"+v.Format(time.RFC3339)+"'")
		case nil:
			literals = append(literals, "NULL")
		default:
			literals = append(literals, fmt.Sprintf("'%v'", v))
		}
	}
	conn, err := pgx.Connect(b.t.Context(), b.AppURL)
	require.NoError(b.t, err)
	db.RegisterTypes(conn.TypeMap())
	defer func() { _ = conn.Close(context.Background()) }()
	var lines []string
	err = pgx.BeginFunc(b.t.Context(), conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(b.t.Context(), "SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL kakeai.organization_id = '"+b.organization.String()+"'"); err != nil {
			return err
		}
		if err := run(b.t.Context(), db.New(tx)); err != nil {
			return err
		}
		var prepared string
		if err := tx.QueryRow(b.t.Context(), "SELECT p.name FROM pg_prepared_statements AS p WHERE p.statement LIKE '-- name: ' || $1 || ' %'", name).Scan(&prepared); err != nil {
			return err
		}
		rows, err := tx.Query(b.t.Context(), fmt.Sprintf("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE %s (%s)", prepared, strings.Join(literals, ", ")), pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	require.NoError(b.t, err)
	for _, line := range lines {
		if strings.Contains(line, "Buffers:") { // the first is that of the whole
			for _, n := range regexp.MustCompile(`(?:hit|read)=(\d+)`).FindAllStringSubmatch(line, -1) {
				some, _ := strconv.Atoi(n[1])
				pages += some
			}
			break
		}
	}
	require.NotZero(b.t, pages)
	return pages, strings.Join(lines, "\n")
}

// Among the objectives of thousands, what one of them owes and what is in their inbox is found by indexes, in some dozens of pages. With 100,000 objectives of 10,000 people it is as many.
func TestWhatOneOwesIsFoundByIndexes(t *testing.T) {
	t.Parallel()
	b := crowd(t, 2000)
	member := value[uuid.UUID](b, "SELECT user_id FROM memberships WHERE user_id <> $1 LIMIT 1", b.aoi)
	lead, admin := value[uuid.UUID](b, "SELECT user_id FROM memberships WHERE user_id NOT IN ($1, $2) LIMIT 1", b.aoi, member), b.joins("Admin", "UTC", "admin")
	other := db.NewID()
	b.exec("INSERT INTO teams (organization_id, id, name, changed_by) VALUES ($1, $2, 'Another', $3)", b.organization, other, b.aoi)
	b.exec("INSERT INTO team_members VALUES ($1, $2, $3, 'lead'), ($1, $4, $3, 'lead')", b.organization, b.team, lead, other)
	b.exec("UPDATE objectives SET state = 'draft' WHERE title = 'Objective 3'")
	b.exec("UPDATE objectives SET state = 'submitted', team_id = $1 WHERE id IN (SELECT id FROM objectives WHERE title = 'Objective 4' LIMIT 20)", other)
	b.exec("UPDATE key_results SET owner_id = $1 WHERE id IN (SELECT id FROM key_results LIMIT 10)", member)
	b.exec(`INSERT INTO meetings (organization_id, id, title, organizer_id, time_zone, starts_at_local, duration_minutes, created_by, changed_by)
		SELECT $1, gen_random_uuid(), 'Weekly', $2, 'UTC', '2027-02-02 09:00', 30, $2, $2 FROM generate_series(1, 1000)`, b.organization, member)
	b.exec(`INSERT INTO meeting_occurrences (organization_id, id, meeting_id, recurrence_at, starts_at, ends_at, survey_asked_at, changed_by)
		SELECT $1, gen_random_uuid(), m.id, at, at, at + interval '30 minutes', at - interval '1 day', $2 FROM meetings AS m, generate_series('2027-01-07'::timestamptz, '2027-02-05', '1 week') AS at`, b.organization, member)
	// Everybody attends five of them, and has some follow-ups.
	b.exec(`INSERT INTO meeting_attendees (organization_id, meeting_id, user_id)
		SELECT $1, m.id, u.user_id FROM (SELECT id, row_number() OVER () AS n FROM meetings) AS m JOIN (SELECT user_id, row_number() OVER () AS n FROM memberships) AS u ON u.n % 200 = m.n % 200`, b.organization)
	b.exec("INSERT INTO survey_questions (organization_id, id, meeting_id, position, kind, title) SELECT $1, gen_random_uuid(), m.id, 0, 'text', 'Anything?' FROM meetings AS m", b.organization)
	b.exec(`INSERT INTO follow_ups (organization_id, id, occurrence_id, assignee_id, title, created_by, changed_by)
		SELECT $1, gen_random_uuid(), o.id, u.user_id, 'Do', u.user_id, u.user_id
		FROM (SELECT id, row_number() OVER () AS n FROM meeting_occurrences) AS o JOIN (SELECT user_id, row_number() OVER () AS n FROM memberships) AS u ON u.n % 1000 = o.n % 1000`, b.organization)
	b.exec("ANALYZE")
	now := time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name string
		user uuid.UUID
		most int
		run  db.Work
		args []any
	}{
		{"ListOwedDrafts", member, 150, func(ctx context.Context, q *db.Queries) error {
			rows, err := q.ListOwedDrafts(ctx, db.ListOwedDraftsParams{OrganizationID: b.organization, UserIDs: []uuid.UUID{member}, Each: 201})
			assert.Len(t, rows, 1)
			return err
		}, []any{201}},
		{"ListOwedReviews", lead, 250, func(ctx context.Context, q *db.Queries) error {
			rows, err := q.ListOwedReviews(ctx, db.ListOwedReviewsParams{OrganizationID: b.organization, UserIDs: []uuid.UUID{lead}, Each: 201})
			assert.Len(t, rows, 20)
			return err
		}, []any{201}},
		{"ListOwedReviews", admin, 100, func(ctx context.Context, q *db.Queries) error {
			rows, err := q.ListOwedReviews(ctx, db.ListOwedReviewsParams{OrganizationID: b.organization, UserIDs: []uuid.UUID{admin}, Each: 201})
			assert.Empty(t, rows)
			return err
		}, []any{201}},
		{"ListOwedCheckIns", member, 400, func(ctx context.Context, q *db.Queries) error {
			rows, err := q.ListOwedCheckIns(ctx, db.ListOwedCheckInsParams{OrganizationID: b.organization, UserIDs: []uuid.UUID{member}, Before: now, Each: 201})
			assert.GreaterOrEqual(t, len(rows), 20)
			return err
		}, []any{now, 201}},
		{"ListOwedSurveys", member, 150, func(ctx context.Context, q *db.Queries) error {
			rows, err := q.ListOwedSurveys(ctx, db.ListOwedSurveysParams{OrganizationID: b.organization, UserIDs: []uuid.UUID{member}, Now: now, Each: 201})
			assert.Len(t, rows, 5)
			return err
		}, []any{now, 201}},
		{"ListOwedFollowUps", member, 50, func(ctx context.Context, q *db.Queries) error {
			rows, err := q.ListOwedFollowUps(ctx, db.ListOwedFollowUpsParams{OrganizationID: b.organization, UserIDs: []uuid.UUID{member}, Each: 201})
			assert.Len(t, rows, 5)
			return err
		}, []any{201}},
	} {
		pages, plan := b.buffers(c.name, c.run, append([]any{b.organization, []uuid.UUID{c.user}}, c.args...)...)
		t.Logf("%s: %d pages", c.name, pages)
		if pages > c.most {
			t.Errorf("%s touches %d pages, at most %d are allowed:\n%s", c.name, pages, c.most, plan)
		}
	}
	inbox := db.ListNotificationsBeforeParams{OrganizationID: b.organization, ActorID: member, BeforeID: uuid.Max, TeamIDs: []uuid.UUID{}, LeadTeamIDs: []uuid.UUID{}, PageSize: 51}
	pages, plan := b.buffers("ListNotificationsBefore", func(ctx context.Context, q *db.Queries) error {
		_, err := q.ListNotificationsBefore(ctx, inbox)
		return err
	}, inbox.OrganizationID, inbox.ActorID, inbox.BeforeID, false, inbox.TeamIDs, inbox.LeadTeamIDs, 51)
	assert.LessOrEqual(t, pages, 60, plan)
	pages, plan = b.buffers("CountUnreadNotifications", func(ctx context.Context, q *db.Queries) error {
		_, err := q.CountUnreadNotifications(ctx, db.CountUnreadNotificationsParams{OrganizationID: b.organization, ActorID: member, TeamIDs: []uuid.UUID{}, LeadTeamIDs: []uuid.UUID{}})
		return err
	}, b.organization, member, false, []uuid.UUID{}, []uuid.UUID{})
	assert.LessOrEqual(t, pages, 60, plan)
	pages, plan = b.buffers("ListNewsAfter", func(ctx context.Context, q *db.Queries) error {
		_, err := q.ListNewsAfter(ctx, db.ListNewsAfterParams{OrganizationID: b.organization, UserIDs: []uuid.UUID{member, lead}, AfterID: notify.LookedBack(now)})
		return err
	}, b.organization, []uuid.UUID{member, lead}, notify.LookedBack(now))
	assert.LessOrEqual(t, pages, 100, plan)
}
