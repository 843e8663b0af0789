package demo

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// midQuarter is a Sunday in the ninth week.
var midQuarter = time.Date(2026, time.November, 29, 12, 0, 0, 0, time.UTC)

func setup(t *testing.T, now time.Time) *pgtest.Database {
	t.Helper()
	database := pgtest.New(t)
	_, err := Load(t.Context(), database.OwnerURL, now)
	require.NoError(t, err)
	return database
}

func TestThereIsSomethingOfEverything(t *testing.T) {
	t.Parallel()
	database := setup(t, midQuarter)
	exactly := func(n int) func(int) bool { return func(got int) bool { return got == n } }
	atLeast := func(n int) func(int) bool { return func(got int) bool { return got >= n } }
	for _, c := range []struct {
		what   string
		query  string
		enough func(int) bool
	}{
		{"people", "FROM memberships", exactly(12)},
		{"owners", "FROM memberships WHERE role = 'owner'", exactly(1)},
		{"admins", "FROM memberships WHERE role = 'admin'", exactly(1)},
		{"members", "FROM memberships WHERE role = 'member'", exactly(8)},
		{"viewers", "FROM memberships WHERE role = 'viewer'", exactly(2)},
		{"who reads English", "FROM memberships AS m JOIN users AS u ON u.id = m.user_id WHERE u.locale = 'en'", atLeast(3)},
		{"who is in another organisation as well", "FROM memberships AS m WHERE EXISTS (SELECT FROM public.memberships AS o WHERE o.user_id = m.user_id AND o.organization_id <> m.organization_id)", exactly(1)},
		{"teams", "FROM teams", exactly(3)},
		{"leads", "FROM team_members WHERE role = 'lead'", exactly(3)},
		{"closed cycles", "FROM cycles WHERE state = 'closed' AND starts_on = '2026-07-01' AND ends_on = '2026-09-30'", exactly(1)},
		{"active cycles", "FROM cycles WHERE state = 'active' AND starts_on = '2026-10-01' AND ends_on = '2026-12-31'", exactly(1)},

		{"broadcasts that were sent", "FROM broadcasts WHERE state = 'sent' AND sent_at BETWEEN '2026-10-02' AND '2026-10-04'", exactly(1)},
		{"broadcasts that are drafts", "FROM broadcasts WHERE state = 'draft' AND audience = 'teams'", exactly(1)},
		{"whom they have reached", "FROM broadcast_deliveries WHERE state = 'delivered' AND changed_at < '2026-10-04'", exactly(12)},

		{"objectives", "FROM objectives", atLeast(20)},
		{"drafts", "FROM objectives WHERE state = 'draft' AND archived_at IS NULL", exactly(2)},
		{"to review", "FROM objectives WHERE state = 'submitted'", exactly(3)},
		{"approved", "FROM objectives WHERE state = 'approved'", atLeast(10)},
		{"closed", "FROM objectives WHERE state = 'closed'", atLeast(5)},
		{"archived", "FROM objectives WHERE archived_at IS NOT NULL", exactly(1)},
		{"for the team", "FROM objectives WHERE visibility = 'team'", atLeast(2)},
		{"private", "FROM objectives WHERE visibility = 'private'", exactly(1)},
		{"aspirational", "FROM objectives WHERE kind = 'aspirational'", atLeast(5)},
		{"committed", "FROM objectives WHERE kind = 'committed'", atLeast(5)},
		{"contributing to an objective", "FROM objectives WHERE parent_objective_id IS NOT NULL AND parent_key_result_id IS NULL", atLeast(5)},
		{"contributing to a key result", "FROM objectives WHERE parent_key_result_id IS NOT NULL", atLeast(5)},
		{"returned", "FROM objective_history WHERE action = 'objective.returned' AND note <> ''", exactly(1)},

		{"rising", "FROM key_results WHERE target > baseline", atLeast(5)},
		{"falling", "FROM key_results WHERE target < baseline", atLeast(5)},
		{"with a stretch", "FROM key_results WHERE stretch IS NOT NULL", atLeast(3)},
		{"thresholds with a tolerance", "FROM key_results WHERE tolerance IS NOT NULL", atLeast(5)},
		{"milestones", "FROM key_results WHERE kind = 'milestone'", atLeast(5)},
		{"steps of unequal weight", "FROM milestone_steps WHERE weight <> 1", atLeast(5)},
		{"pending", "FROM key_results AS k JOIN objectives AS o ON o.id = k.objective_id WHERE o.state = 'approved' AND k.current_at IS NULL", exactly(1)},
		{"outdated", "FROM key_results AS k JOIN objectives AS o ON o.id = k.objective_id WHERE o.state = 'approved' AND k.current_at < '2026-11-18'", exactly(3)},

		{"check-ins", "FROM check_ins", atLeast(300)},
		{"check-ins of the last week", "FROM check_ins WHERE checked_at > '2026-11-22'", atLeast(20)},
		{"notes", "FROM check_ins WHERE note IS NOT NULL", atLeast(40)},
		{"corrections", "FROM check_ins WHERE corrects_id IS NOT NULL", exactly(1)},
		{"low confidence", "FROM key_results WHERE current_confidence <= 3", atLeast(3)},

		{"comments", "FROM comments", atLeast(30)},
		{"dialogues", "FROM dialogues", exactly(4)},
		{"messages of the coach", "FROM messages WHERE source IS NOT NULL AND job_id IS NOT NULL", atLeast(5)},
		{"findings", "FROM messages AS m CROSS JOIN jsonb_array_elements(m.findings)", atLeast(8)},
		{"open suggestions", "FROM suggestions WHERE state = 'open'", exactly(2)},
		{"accepted suggestions", "FROM suggestions WHERE state = 'accepted' AND decided_by IS NOT NULL", exactly(2)},
		{"rejected suggestions", "FROM suggestions WHERE state = 'rejected' AND note <> ''", exactly(1)},
		{"superseded suggestions", "FROM suggestions WHERE state = 'superseded'", exactly(1)},
		{"unfinished jobs", "FROM ai_jobs WHERE state <> 'succeeded'", exactly(0)},
	} {
		var got int
		query := ofMinato() + " SELECT count(*) " + c.query
		require.NoError(t, database.Owner.QueryRow(t.Context(), query, minatoWorks().id()).Scan(&got), c.what)
		assert.True(t, c.enough(got), "%s: %d", c.what, got)
	}
}

// ofMinato shadows each table of the first organisation's with the part that is its own.
func ofMinato() string {
	var shadows []string
	for _, table := range []string{
		"memberships", "teams", "team_members", "cycles", "objectives", "key_results", "milestone_steps", "check_ins",
		"objective_history", "comments", "dialogues", "messages", "suggestions", "ai_jobs", "broadcasts", "broadcast_deliveries",
	} {
		shadows = append(shadows, fmt.Sprintf("%[1]s AS (SELECT * FROM public.%[1]s WHERE organization_id = $1)", table))
	}
	return "WITH " + strings.Join(shadows, ", ")
}

func TestEverybodySignsInWithTheDemoPassword(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	signIn, err := Load(t.Context(), database.OwnerURL, midQuarter)
	require.NoError(t, err)
	require.NoError(t, auth.CheckPassword(signIn.Password))

	var role, hash string
	require.NoError(t, database.Owner.QueryRow(t.Context(), `
		SELECT m.role, u.password_hash FROM users AS u JOIN memberships AS m ON m.user_id = u.id
		WHERE u.email = $1`, signIn.Email).Scan(&role, &hash))
	assert.Equal(t, "owner", role)
	matches, err := auth.NewPasswords(1, auth.PasswordPatience).Matches(t.Context(), signIn.Password, hash)
	require.NoError(t, err)
	assert.True(t, matches)

	var strangers, others int
	require.NoError(t, database.Owner.QueryRow(t.Context(), `
		SELECT count(*) FILTER (WHERE email NOT LIKE '%@example.com'), count(*) FILTER (WHERE password_hash <> $1) FROM users`, hash).
		Scan(&strangers, &others))
	assert.Zero(t, strangers, "addresses that somebody may have")
	assert.Zero(t, others, "other passwords")
}

func TestASecondLoadChangesNothing(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	first, err := Load(t.Context(), database.OwnerURL, midQuarter)
	require.NoError(t, err)
	_, err = database.Owner.Exec(t.Context(), "UPDATE objectives SET title = 'somebody tried something', revision = revision + 1 WHERE state = 'draft'")
	require.NoError(t, err)

	before := rows(t, database.Owner)
	second, err := Load(t.Context(), database.OwnerURL, midQuarter.AddDate(0, 2, 0))
	require.NoError(t, err)
	assert.Equal(t, first, second)
	assert.Equal(t, before, rows(t, database.Owner))
}

func TestManyAtOnceLoadItOnce(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			signIn, err := Load(t.Context(), database.OwnerURL, midQuarter)
			assert.NoError(t, err)
			assert.Equal(t, misaki.email, signIn.Email)
		})
	}
	all.Wait()

	alone := counts(rows(t, setup(t, midQuarter).Owner))
	assert.Equal(t, alone, counts(rows(t, database.Owner)))
}

func TestALoadThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	before := rows(t, database.Owner)
	_, err := database.Owner.Exec(t.Context(), `
		INSERT INTO users (id, email, name) VALUES ($1, $2, 'was here first')`, uuid.New(), noah.email)
	require.NoError(t, err)
	_, err = Load(t.Context(), database.OwnerURL, midQuarter)
	require.Error(t, err)

	_, err = database.Owner.Exec(t.Context(), "DELETE FROM users")
	require.NoError(t, err)
	assert.Equal(t, before, rows(t, database.Owner))
}

func TestIDsAreTheSameInEveryLoad(t *testing.T) {
	t.Parallel()
	one, other := setup(t, midQuarter).Owner, setup(t, time.Date(2027, time.March, 30, 9, 0, 0, 0, time.UTC)).Owner
	for _, table := range []string{"organizations", "users", "teams", "cycles", "objectives", "key_results", "milestone_steps", "dialogues", "messages", "suggestions"} {
		want, got := ids(t, one, table), ids(t, other, table)
		assert.Equal(t, want, got, table)
		for _, id := range got {
			assert.EqualValues(t, 7, id.Version())
			assert.Equal(t, uuid.RFC4122, id.Variant())
		}
	}
	assert.Subset(t, ids(t, other, "check_ins"), ids(t, one, "check_ins"), "a later load tells more")
	assert.Less(t, ids(t, one, "audit_events")[0].String(), db.NewID().String(), "what people do comes after it")
}

func TestEachOrganizationSeesItsOwn(t *testing.T) {
	t.Parallel()
	database := setup(t, midQuarter)
	store, err := db.Open(t.Context(), database.AppURL, db.Options{})
	require.NoError(t, err)
	defer store.Close()
	for _, c := range []struct {
		organization organization
		members      int
		objectives   int
	}{
		{minatoWorks(), 12, len(minatoWorks().objectives) - 1}, // one is archived
		{harborLabs(), 2, 1},
	} {
		err := store.Read(t.Context(), db.Scope{Organization: c.organization.id(), Class: db.Normal}, func(ctx context.Context, q *db.Queries) error {
			members, err := q.ListMembersAfter(ctx, db.ListMembersAfterParams{OrganizationID: c.organization.id(), PageSize: 200})
			if err != nil {
				return err
			}
			assert.Len(t, members, c.members)
			objectives, err := q.ScanObjectivesAfter(ctx, db.ScanObjectivesAfterParams{
				OrganizationID: c.organization.id(), ActorID: emily.id(), SeesAll: true, TeamIDs: []uuid.UUID{}, LeadTeamIDs: []uuid.UUID{}, Scan: 200,
			})
			shown := 0
			for _, o := range objectives {
				if o.Shown {
					shown++
				}
			}
			assert.Equal(t, c.objectives, shown)
			return err
		})
		require.NoError(t, err)
	}
}

func TestWhoIsInTwoOrganizationsComesToTheFirstOne(t *testing.T) {
	t.Parallel()
	database := setup(t, midQuarter)
	rows, err := db.New(database.Owner).ListMembershipsForSignIn(t.Context(), db.ListMembershipsForSignInParams{UserID: emily.id()})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	assert.Equal(t, minatoWorks().id(), rows[0].OrganizationID)
	assert.Equal(t, harborLabs().id(), rows[1].OrganizationID)
}

// rows are all rows of all tables.
func rows(t *testing.T, pool *pgxpool.Pool) map[string][]string {
	t.Helper()
	tables := collect[string](t, pool, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
	all := map[string][]string{}
	for _, table := range tables {
		name := pgx.Identifier{table}.Sanitize()
		all[table] = collect[string](t, pool, fmt.Sprintf("SELECT r::text FROM %s AS r ORDER BY r::text", name))
	}
	return all
}

func counts(rows map[string][]string) map[string]int {
	n := map[string]int{}
	for table, of := range rows {
		n[table] = len(of)
	}
	return n
}

func ids(t *testing.T, pool *pgxpool.Pool, table string) []uuid.UUID {
	t.Helper()
	texts := collect[string](t, pool, fmt.Sprintf("SELECT id::text FROM %s ORDER BY id", table))
	var ids []uuid.UUID
	for _, text := range texts {
		ids = append(ids, uuid.MustParse(text))
	}
	require.NotEmpty(t, ids, table)
	return ids
}

// collect reads the one column of a query.
func collect[T any](t *testing.T, pool *pgxpool.Pool, query string, arguments ...any) []T {
	t.Helper()
	rows, err := pool.Query(t.Context(), query, arguments...)
	require.NoError(t, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	require.NoError(t, err, query)
	return values
}
