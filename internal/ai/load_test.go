package ai

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kakeai/kakeai/internal/db"
)

func openOne(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func queryOn[T any](t *testing.T, pool *pgxpool.Pool, sql string, args ...any) T {
	t.Helper()
	rows, err := pool.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatal(err)
	}
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func (b bundle) load(job db.AIJob, now time.Time) Request {
	b.t.Helper()
	request, _, err := loadRequest(b.t.Context(), b.store, job, now)
	if err != nil {
		b.t.Fatal(err)
	}
	return request
}

// another adds an objective of the same cycle.
func (b bundle) another(title, visibility string, owner uuid.UUID, team *uuid.UUID) uuid.UUID {
	b.t.Helper()
	id := db.NewID()
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, team_id, owner_id, title, visibility, created_by, changed_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $5, $5)`, b.organization, id, b.cycle, team, owner, title, visibility)
	return id
}

func TestRequestHoldsTheGraphOfItsObjective(t *testing.T) {
	b := setup(t)
	ren := b.newUser()
	b.exec("UPDATE users SET name = 'Ren' WHERE id = $1", ren)
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.organization, ren)
	b.exec("UPDATE key_results SET owner_id = $2 WHERE id = $1", b.metric, ren)
	b.exec(`INSERT INTO key_results (organization_id, id, objective_id, position, title, kind, at_most, archived_at)
		VALUES ($1, gen_random_uuid(), $2, 2, 'Given up', 'threshold', 1, now())`, b.organization, b.objective)
	parent := b.another("Grow", "organization", ren, nil)
	b.exec("UPDATE objectives SET parent_objective_id = $2 WHERE id = $1", b.objective, parent)
	b.another("Mine", "organization", b.member, nil)
	b.another("The team's", "organization", ren, &b.team)
	b.another("Mine and the team's", "organization", b.member, &b.team)
	b.another("Somebody else's", "organization", ren, nil)
	b.exec("UPDATE objectives SET archived_at = now() WHERE id = $1", b.another("Archived", "organization", b.member, nil))
	b.exec(`INSERT INTO messages (organization_id, id, dialogue_id, source, body) VALUES ($1, $2, $3, 'rules', 'Which figure shows it?')`,
		b.organization, db.NewID(), b.dialogue)
	b.say(b.tenant, "解約率です")

	// Half past midnight in Tokyo, and still the day before in UTC.
	request := b.load(b.enqueue(b.tenant, Feedback), time.Date(2027, 2, 28, 15, 30, 0, 0, time.UTC))

	o := request.Objective
	if request.Kind != Feedback || o.ID != b.objective || o.Revision != 7 || o.Title != "Keep customers" || o.Description != "" ||
		o.Kind != "committed" || o.State != "draft" || o.OwnerName != "Aoi" || o.TeamName != "Support" {
		t.Errorf("the objective is %+v", o)
	}
	if o.Cycle.Name != "2027 Q1" || o.Cycle.StartsOn.Format(time.DateOnly) != "2027-01-01" || o.Cycle.EndsOn.Format(time.DateOnly) != "2027-03-31" {
		t.Errorf("the cycle is %+v", o.Cycle)
	}
	if len(o.KeyResults) != 2 || o.KeyResults[0].ID != b.metric || o.KeyResults[1].ID != b.milestone {
		t.Fatalf("the key results are %+v", o.KeyResults)
	}
	metric, milestone := o.KeyResults[0], o.KeyResults[1]
	if metric.Kind != "metric" || metric.OwnerName != "Ren" || !metric.Baseline.Equal(*number("5.2")) || !metric.Current.Equal(*number("4.5")) ||
		*metric.Confidence != 6 || metric.CheckedInAt == nil || metric.AtLeast != nil || len(metric.Steps) != 0 {
		t.Errorf("the metric is %+v", metric)
	}
	if len(milestone.Steps) != 1 || milestone.Steps[0].ID != b.step || milestone.Steps[0].Title != "Design" || milestone.OwnerName != "" || milestone.Current != nil {
		t.Errorf("the milestone is %+v", milestone)
	}
	if request.Parent == nil || *request.Parent != (Reference{parent, "Grow"}) {
		t.Errorf("the parent is %+v", request.Parent)
	}
	if titles := titlesOf(request.Neighbours); !slices.Equal(titles, []string{"Mine", "The team's", "Mine and the team's"}) {
		t.Errorf("the neighbours are %q", titles)
	}
	want := []Message{{false, "Aoi", "Please make this objective measurable"}, {true, "", "Which figure shows it?"}, {false, "Aoi", "解約率です"}}
	if !slices.Equal(request.Messages, want) {
		t.Errorf("the messages are %+v", request.Messages)
	}
	if request.Language != "ja" || request.Today.Format(time.DateTime+" -07") != "2027-03-01 00:00:00 +09" {
		t.Errorf("language %s, today %s", request.Language, request.Today)
	}
}

func titlesOf(references []Reference) []string {
	var titles []string
	for _, r := range references {
		titles = append(titles, r.Title)
	}
	return titles
}

func TestRequestHoldsOnlyWhatTheMemberMaySee(t *testing.T) {
	b := setup(t)
	ren := b.newUser()
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.organization, ren)
	secret := b.another("Secret", "private", ren, nil)
	b.exec("UPDATE objectives SET parent_objective_id = $2 WHERE id = $1", b.objective, secret)
	b.another("Secret of the team", "private", ren, &b.team)
	b.another("For the team", "team", ren, &b.team)
	job := b.enqueue(b.tenant, Draft)
	check := func(who string, parent bool, neighbours ...string) {
		t.Helper()
		request := b.load(job, time.Now())
		if titles := titlesOf(request.Neighbours); (request.Parent != nil) != parent || !slices.Equal(titles, neighbours) {
			t.Errorf("%s sees the parent %v and the neighbours %q", who, request.Parent, titles)
		}
	}
	check("a stranger to the team", false)
	b.exec("INSERT INTO team_members (organization_id, team_id, user_id, role) VALUES ($1, $2, $3, 'member')", b.organization, b.team, b.member)
	check("a member of it", false, "For the team")
	b.exec("UPDATE team_members SET role = 'lead' WHERE user_id = $1", b.member)
	check("its lead", false, "Secret of the team", "For the team")
	b.exec("UPDATE memberships SET role = 'admin' WHERE user_id = $1", b.member)
	check("an admin", true, "Secret of the team", "For the team")
}

func TestRequestIsBounded(t *testing.T) {
	b := setup(t)
	for i := range 60 {
		b.another(fmt.Sprint("Objective ", i), "organization", b.member, &b.team)
	}
	for i := range 30 {
		b.say(b.tenant, fmt.Sprint("Message ", i))
	}
	b.say(b.tenant, strings.Repeat("長", 100_000))
	request := b.load(b.enqueue(b.tenant, Draft), time.Now())
	if len(request.Neighbours) != 50 || len(request.Messages) != 20 || request.Messages[0].Text != "Message 11" {
		t.Errorf("%d neighbours, %d messages from %q on", len(request.Neighbours), len(request.Messages), request.Messages[0].Text)
	}
	if text := request.Messages[19].Text; text != strings.Repeat("長", maxLoadedMessage)+cutMark {
		t.Errorf("the longest message has %d bytes", len(text))
	}
}

func TestDialogueOfAnotherObjectiveIsNoTarget(t *testing.T) {
	b := setup(t)
	job := b.enqueue(b.tenant, Draft)
	b.exec("UPDATE ai_jobs SET objective_id = $2 WHERE id = $1", job.ID, b.another("Another", "organization", b.member, nil))
	if _, _, err := loadRequest(t.Context(), b.store, b.job(job.ID), time.Now()); !errors.Is(err, TargetGone) {
		t.Errorf("got %v", err)
	}
}

func TestAnswerIsInTheLanguageOfTheMember(t *testing.T) {
	t.Parallel()
	member := func(text string) Message { return Message{Text: text} }
	coach := func(text string) Message { return Message{FromCoach: true, Text: text} }
	for _, c := range []struct {
		name     string
		messages []Message
		locale   string
		want     string
	}{
		{"no message", nil, "ja", "ja"},
		{"only the coach's", []Message{coach("Which figure shows it?")}, "ja", "ja"},
		{"Japanese", []Message{member("解約率を下げたい")}, "en", "ja"},
		{"Japanese with English words", []Message{member("NPS を 40 points にする goal です")}, "en", "ja"},
		{"English", []Message{member("Please add a target")}, "ja", "en"},
		{"English by somebody whose locale it is", []Message{member("ok")}, "en", "en"},
		{"too short to tell", []Message{member("NPS 40")}, "ja", "ja"},
		{"neither", []Message{member("👍 40%")}, "ja", "ja"},
		{"the latest counts", []Message{member("解約率を下げたい"), member("Please add a target"), coach("わかりました")}, "ja", "en"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := languageOf(c.messages, c.locale); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// plan is how PostgreSQL runs a query as the application once it has stopped planning for single parameters: run has the query
// prepared, args are what it is then called with.
func (b bundle) plan(name string, run db.Work, args ...any) string {
	b.t.Helper()
	var literals []string
	for _, arg := range args {
		literals = append(literals, fmt.Sprintf("'%v'", arg))
	}
	var lines []string
	ctx := b.t.Context()
	err := pgx.BeginFunc(ctx, openOne(b.t, b.base.AppURL), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL kakeai.organization_id = '"+b.organization.String()+"'"); err != nil {
			return err
		}
		if err := run(ctx, db.New(tx)); err != nil {
			return err
		}
		var prepared string
		if err := tx.QueryRow(ctx, "SELECT p.name FROM pg_prepared_statements AS p WHERE p.statement LIKE '-- name: ' || $1 || ' %'", name).Scan(&prepared); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, fmt.Sprintf("EXPLAIN EXECUTE %s (%s)", prepared, strings.Join(literals, ", ")), pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
