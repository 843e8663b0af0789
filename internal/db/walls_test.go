package db_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/demo"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// queues stand outside the policy, as the schema says beside them: they hold ids, states and leases, never content.
var queues = []string{"ai_jobs", "outbox_events", "organization_clocks"}

// tenantTables are all tables with an organization_id, by the catalog.
func tenantTables(t *testing.T, database *pgtest.Database) []string {
	t.Helper()
	rows, err := database.Owner.Query(t.Context(), `
		SELECT c.relname::text FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
		WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND a.attname = 'organization_id' AND NOT a.attisdropped ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) < 15 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	return tables
}

// A query that forgets its organisation sees the organisation that the transaction is in, all of it and nothing else. The owner, whom no policy binds,
// shows how much there is, so that an empty table cannot pass for a closed one.
func TestForgottenPredicateShowsNothingForeign(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	if _, err := demo.Load(t.Context(), database.OwnerURL, time.Date(2026, time.November, 27, 3, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	app := connect(t, database.AppURL)
	count := func(conn interface {
		QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	}, sql string, args ...any) (n int) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return n
	}
	var organizations []uuid.UUID
	rows, _ := database.Owner.Query(t.Context(), "SELECT id FROM organizations ORDER BY id")
	organizations, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil || len(organizations) != 2 {
		t.Fatalf("organisations %v, %v", organizations, err)
	}
	filled := 0
	for _, table := range tenantTables(t, database) {
		if slices.Contains(queues, table) {
			continue
		}
		everything := "SELECT count(*) FROM " + table
		for _, organization := range organizations {
			if _, err := app.Exec(t.Context(), "SELECT set_config('kakeai.organization_id', $1, false)", organization.String()); err != nil {
				t.Fatal(err)
			}
			own := count(database.Owner, everything+" WHERE organization_id = $1", organization)
			if seen := count(app, everything); seen != own {
				t.Errorf("%s: %d rows seen in the scope of %s, which has %d", table, seen, organization, own)
			}
			if own > 0 {
				filled++
			}
		}
		if _, err := app.Exec(t.Context(), "SELECT set_config('kakeai.organization_id', '', false)"); err != nil {
			t.Fatal(err)
		}
		if seen := count(app, everything); seen != 0 {
			t.Errorf("%s: %d rows seen outside any organisation", table, seen)
		}
	}
	if filled < 20 {
		t.Fatalf("only %d of the tables held rows, so this test says little", filled)
	}
	if seen := count(app, "SELECT count(*) FROM organizations"); seen != 0 {
		t.Errorf("organizations: %d rows seen outside any organisation", seen)
	}
}

// Writing into another organisation fails too, with the same statement succeeding at home.
func TestForeignRowsCannotBeWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	insert := func(scope db.Scope) error {
		return b.store.Write(t.Context(), scope, func(ctx context.Context, q *db.Queries) error {
			_, err := q.CreateTeam(ctx, db.CreateTeamParams{OrganizationID: b.scope.Organization, ID: db.NewID(), Name: db.NewID().String(), ActorID: b.user})
			return err
		})
	}
	if err := insert(b.scope); err != nil {
		t.Fatalf("at home: %v", err)
	}
	if err := insert(db.Scope{Organization: db.NewID()}); err == nil || !strings.Contains(err.Error(), "row-level security") {
		t.Fatalf("from elsewhere: %v", err)
	}
}

// Each query file's read, with the right keys: found in its own organisation's scope, and nothing in another's, though the predicate is satisfied.
func TestScopeHidesOtherOrganisations(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	if _, err := demo.Load(t.Context(), database.OwnerURL, time.Date(2026, time.November, 27, 3, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	store := open(t, database.AppURL, db.Options{})
	id := func(sql string) (id uuid.UUID) {
		t.Helper()
		if err := database.Owner.QueryRow(t.Context(), sql+" ORDER BY 1 LIMIT 1").Scan(&id); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return id
	}
	home := id("SELECT organization_id FROM dialogues")
	of := func(column, table string) uuid.UUID {
		return id(fmt.Sprintf("SELECT %s FROM %s WHERE organization_id = '%s'", column, table, home))
	}
	owner, team, cycle := of("user_id", "memberships"), of("team_id", "team_members"), of("id", "cycles")
	objective, keyResult, milestone := of("objective_id", "dialogues"), of("key_result_id", "check_ins"), of("key_result_id", "milestone_steps")
	dialogue, suggestion, commented := of("dialogue_id", "messages"), of("id", "suggestions"), of("objective_id", "comments")
	givesIcon(t, database, home, owner)
	all := map[string]func(ctx context.Context, q *db.Queries) (int, error){
		"icons.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetMemberIcon(ctx, db.GetMemberIconParams{OrganizationID: home, UserID: owner})
			return 1, err
		},
		"members.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListMembersAfter(ctx, db.ListMembersAfterParams{OrganizationID: home, PageSize: 200})
			return len(rows), err
		},
		"actors.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetActorOfJob(ctx, db.GetActorOfJobParams{OrganizationID: home, UserID: owner})
			return 1, err
		},
		"teams.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListTeamMembersAfter(ctx, db.ListTeamMembersAfterParams{OrganizationID: home, TeamID: team, PageSize: 200})
			return len(rows), err
		},
		"cycles.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetCycle(ctx, db.GetCycleParams{OrganizationID: home, ID: cycle})
			return 1, err
		},
		"objectives.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetVisibleObjective(ctx, db.GetVisibleObjectiveParams{OrganizationID: home, ID: objective, SeesAll: true})
			return 1, err
		},
		"key_results.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListMilestoneSteps(ctx, db.ListMilestoneStepsParams{OrganizationID: home, KeyResultID: milestone})
			return len(rows), err
		},
		"check_ins.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListCheckInsBefore(ctx, db.ListCheckInsBeforeParams{OrganizationID: home, KeyResultID: keyResult,
				BeforeAt: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), BeforeID: uuid.Max, PageSize: 200})
			return len(rows), err
		},
		"comments.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListCommentsAfter(ctx, db.ListCommentsAfterParams{OrganizationID: home, ObjectiveID: commented, PageSize: 200})
			return len(rows), err
		},
		"dialogues.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListMessagesAfter(ctx, db.ListMessagesAfterParams{OrganizationID: home, DialogueID: dialogue, PageSize: 200})
			return len(rows), err
		},
		"suggestions.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			_, err := q.GetVisibleSuggestion(ctx, db.GetVisibleSuggestionParams{OrganizationID: home, ID: suggestion, SeesAll: true})
			return 1, err
		},
		"ai_jobs.sql": func(ctx context.Context, q *db.Queries) (int, error) { // the queue is open, what it points to is not
			rows, err := q.ListNeighbours(ctx, db.ListNeighboursParams{OrganizationID: home, CycleID: cycle, ObjectiveID: uuid.Max, OwnerID: owner, TeamID: &team, SeesAll: true})
			return len(rows), err
		},
		"mails.sql": mailOf(t, database, home, owner),
		"records.sql": func(ctx context.Context, q *db.Queries) (int, error) {
			rows, err := q.ListAuditEventsBefore(ctx, db.ListAuditEventsBeforeParams{OrganizationID: home, BeforeID: uuid.Max, PageSize: 200})
			return len(rows), err
		},
	}
	all["link_previews.sql"] = linkPreviews(t, database, home)
	for name, query := range inboxWalls(t, database, home, owner, objective) {
		all[name] = query
	}
	addMeetingWalls(t, database, home, owner, all)
	addDialogueWalls(home, commented, dialogue, all)
	maps.Copy(all, wallsOfInvitations(t, database, home, owner))
	maps.Copy(all, wallsOfTokens(t, database, home, owner))
	maps.Copy(all, wallsOfJobs(t, database, home, owner, objective, dialogue))
	maps.Copy(all, wallsOfOrganization(t, database, home, owner))
	addWorkflowWalls(t, database, home, owner, objective, all)
	maps.Copy(all, wallsOfBroadcasts(t, database, home, owner))
	maps.Copy(all, wallsOfAlignment(t, database, home, owner))
	maps.Copy(all, wallsOfFigures(t, database, home))
	maps.Copy(all, wallsOfProgress(t, database, home, cycle, objective))
	maps.Copy(all, wallsOfImports(t, database, home, owner))
	for name, query := range all {
		t.Run(name, func(t *testing.T) {
			count := func(organization uuid.UUID) (n int) {
				t.Helper()
				err := store.Read(t.Context(), db.Scope{Organization: organization}, func(ctx context.Context, q *db.Queries) (err error) {
					n, err = query(ctx, q)
					return err
				})
				if errors.Is(err, db.ErrNotFound) {
					return 0
				}
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			if count(home) == 0 {
				t.Error("nothing at home: the keys are wrong, and what follows would prove nothing")
			}
			if seen := count(db.NewID()); seen != 0 {
				t.Errorf("%d rows seen from another organisation", seen)
			}
		})
	}
}

// What the design says of every tenant table, by the catalog, so that a new one cannot be forgotten.
func TestEveryTenantTableStandsBehindBothWalls(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	var policy bool
	var key, owner string
	for _, table := range append(tenantTables(t, database), "organizations") {
		err := database.Owner.QueryRow(t.Context(), `
			SELECT c.relrowsecurity AND EXISTS (SELECT FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = 'tenant' AND p.polcmd = '*'),
			       (SELECT a.attname FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] WHERE i.indrelid = c.oid AND i.indisprimary)::text,
			       pg_get_userbyid(c.relowner)::text
			FROM pg_class AS c WHERE c.oid = $1::regclass`, table).Scan(&policy, &key, &owner)
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		if policy == slices.Contains(queues, table) {
			t.Errorf("%s: row-level security with the policy tenant: %v", table, policy)
		}
		if key != "organization_id" && table != "organizations" {
			t.Errorf("%s: the primary key begins with %s", table, key)
		}
		if owner == "kakeai_app" {
			t.Errorf("%s belongs to kakeai_app", table)
		}
	}
	rows, err := database.Owner.Query(t.Context(), `
		SELECT conrelid::regclass::text || '.' || conname FROM pg_constraint AS k
		JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
		WHERE contype = 'f' AND a.attname <> 'organization_id'
		  AND EXISTS (SELECT FROM pg_attribute AS o WHERE o.attrelid = k.confrelid AND o.attname = 'organization_id' AND NOT o.attisdropped)`)
	if err != nil {
		t.Fatal(err)
	}
	crossing, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(crossing) > 0 {
		t.Errorf("foreign keys that could lead into another organisation: %v %v", crossing, err)
	}
}

// History and audit can be added to and read, never changed.
func TestRecordsCannotBeAltered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	app := connect(t, b.AppURL)
	for _, table := range []string{"audit_events", "objective_history", "check_ins", "messages"} {
		for _, sql := range []string{"DELETE FROM " + table, "TRUNCATE " + table, "UPDATE " + table + " SET organization_id = organization_id"} {
			if _, err := app.Exec(t.Context(), sql); err == nil || !strings.Contains(err.Error(), "permission denied") {
				t.Errorf("%s: %v", sql, err)
			}
		}
	}
}
