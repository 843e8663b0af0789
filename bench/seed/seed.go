// Package seed fills a database with organisations of a given size, as their owner and by COPY.
package seed

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/bench/peers/answer"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// Plan is an organisation's size.
type Plan struct {
	People     int
	Objectives int    // spread evenly over the people; each has a metric, a threshold and a milestone of three steps, and two check-ins
	SignedIn   int    // of the people: the first so many have a session
	Dialogues  int    // the first so many objectives have one
	Password   string // of everybody; empty for people who cannot sign in with one
}

// Rows is what the organisation comes to, records aside: its own row, people, memberships, teams, members of teams, the cycle, objectives, key results
// and steps.
func (p Plan) Rows() int {
	const perPerson, perObjective = 3, 1 + 3 + 3
	return 1 + perPerson*p.People + (p.People+teamSize-1)/teamSize + 1 + perObjective*p.Objectives
}

const teamSize = 20

// Member is somebody who is signed in.
type Member struct {
	ID         uuid.UUID
	Email      string
	Token      auth.Token
	Objectives []uuid.UUID // their own: drafts at revision 1, which they may edit
	Dialogues  []uuid.UUID // about their objectives
}

// Organization is what a Plan led to.
type Organization struct {
	ID      uuid.UUID
	Owner   uuid.UUID // where Populate has made it
	Members []Member  // those who are signed in
}

// Load makes an organisation. It commits at the end and leaves statistics and visibility to Settle.
func Load(ctx context.Context, owner *pgx.Conn, p Plan) (Organization, error) {
	db.RegisterTypes(owner.TypeMap())
	o := Organization{ID: db.NewID()}
	b := &builder{organization: o.ID, now: time.Now().UTC().Truncate(time.Microsecond), cycle: db.NewID()}
	if p.Password != "" {
		hash, err := auth.NewPasswords(1, auth.PasswordPatience).Hash(ctx, p.Password) // one for all, since each takes as long as a sign-in
		if err != nil {
			return o, fmt.Errorf("seed: %w", err)
		}
		b.password = &hash
	}
	b.members(p, &o)
	b.objectives(p, &o)
	err := pgx.BeginFunc(ctx, owner, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO organizations (id, name) VALUES ($1, $2)", o.ID, "Organisation of "+fmt.Sprint(p.Objectives)); err != nil {
			return err
		}
		for _, t := range b.tables() {
			if _, err := tx.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
		return nil
	})
	if err != nil {
		return o, fmt.Errorf("seed: %w", err)
	}
	return o, nil
}

// Settle leaves the tables as a server has them that has been running for a while. superuser is in the database that was loaded.
func Settle(ctx context.Context, superuser *pgx.Conn) error {
	for _, statement := range []string{"VACUUM (ANALYZE)", "CHECKPOINT"} {
		if _, err := superuser.Exec(ctx, statement); err != nil {
			return fmt.Errorf("seed: %s: %w", statement, err)
		}
	}
	return nil
}

type table struct {
	name    string
	columns []string
	rows    [][]any
}

// builder collects the rows of one organisation.
type builder struct {
	organization, cycle uuid.UUID
	now                 time.Time
	password            *string // as it is kept

	people []uuid.UUID
	teams  []uuid.UUID

	users, memberships, sessions, teamRows, teamMembers      [][]any
	objectiveRows, keyResults, steps, checkIns, history, log [][]any
	dialogues                                                [][]any
}

func (b *builder) tables() []table {
	return []table{
		{"users", []string{"id", "email", "name", "password_hash"}, b.users},
		{"memberships", []string{"organization_id", "user_id", "role"}, b.memberships},
		{"sessions", []string{"organization_id", "token_hash", "id", "user_id", "user_agent", "address", "expires_at"}, b.sessions},
		{"teams", []string{"organization_id", "id", "name", "changed_by"}, b.teamRows},
		{"team_members", []string{"organization_id", "team_id", "user_id", "role"}, b.teamMembers},
		{"cycles", []string{"organization_id", "id", "name", "starts_on", "ends_on", "state", "changed_by"}, [][]any{
			{b.organization, b.cycle, "This quarter", b.now.AddDate(0, 0, -45), b.now.AddDate(0, 0, 45), "active", b.people[0]}}},
		{"objectives", []string{"organization_id", "id", "cycle_id", "team_id", "owner_id", "title", "description", "created_by", "changed_by"}, b.objectiveRows},
		{"key_results", []string{"organization_id", "id", "objective_id", "position", "title", "kind", "unit", "baseline", "target", "at_least",
			"current_check_in_id", "current_value", "current_confidence", "current_at"}, b.keyResults},
		{"milestone_steps", []string{"organization_id", "id", "key_result_id", "position", "title"}, b.steps},
		{"check_ins", []string{"organization_id", "id", "key_result_id", "value", "progress", "confidence", "checked_at", "created_by"}, b.checkIns},
		{"objective_history", []string{"organization_id", "objective_id", "revision", "action", "content", "changed_at", "changed_by"}, b.history},
		{"dialogues", []string{"organization_id", "id", "objective_id", "title", "created_by"}, b.dialogues},
		{"audit_events", []string{"organization_id", "id", "action", "target_kind", "target_id", "target_revision", "actor_id"}, b.log},
	}
}

func (b *builder) members(p Plan, o *Organization) {
	for i := range p.People {
		id := db.NewID()
		b.people = append(b.people, id)
		email := id.String() + "@example.com"
		b.users = append(b.users, []any{id, email, fmt.Sprintf("Person %d", i), b.password})
		b.memberships = append(b.memberships, []any{b.organization, id, string(auth.Member)})
		role := auth.TeamMember
		if i%teamSize == 0 {
			role = auth.TeamLead
			b.teams = append(b.teams, db.NewID())
			b.teamRows = append(b.teamRows, []any{b.organization, b.teams[i/teamSize], fmt.Sprintf("Team %d", i/teamSize), id})
		}
		b.teamMembers = append(b.teamMembers, []any{b.organization, b.teams[i/teamSize], id, string(role)})
		if i < p.SignedIn {
			token := auth.NewToken(b.organization)
			b.sessions = append(b.sessions, []any{b.organization, token.Hash(), db.NewID(), id, "bench", "127.0.0.1", b.now.AddDate(0, 1, 0)})
			o.Members = append(o.Members, Member{ID: id, Email: email, Token: token})
		}
	}
}

func (b *builder) objectives(p Plan, o *Organization) {
	for i := range p.Objectives {
		id, person := db.NewID(), i%p.People
		owner, team := b.people[person], b.teams[person/teamSize]
		title := fmt.Sprintf("Customers stay because support answers first, part %d", i)
		description := "Half of those who left named slow answers. We will know that we are there when nobody asks twice."
		b.objectiveRows = append(b.objectiveRows, []any{b.organization, id, b.cycle, team, owner, title, description, owner, owner})
		o2 := answer.Objective{Objective: db.Objective{Title: title, Description: &description, Kind: okr.Committed, Visibility: okr.VisibleToOrganization,
			State: okr.ObjectiveDraft, OwnerID: owner, TeamID: &team, CycleID: b.cycle}, KeyResults: b.keyResultsOf(id, owner)}
		content, err := json.Marshal(o2.Content())
		if err != nil {
			panic(err) // strings, numbers and ids
		}
		b.history = append(b.history, []any{b.organization, id, 1, "objective.created", content, b.now, owner})
		b.log = append(b.log, []any{b.organization, db.NewID(), "objective.created", "objective", id, 1, owner})
		if person < p.SignedIn {
			o.Members[person].Objectives = append(o.Members[person].Objectives, id)
		}
		if i < p.Dialogues {
			dialogue := db.NewID()
			b.dialogues = append(b.dialogues, []any{b.organization, dialogue, id, "How good is this?", owner})
			if person < p.SignedIn {
				o.Members[person].Dialogues = append(o.Members[person].Dialogues, dialogue)
			}
		}
	}
}

func (b *builder) keyResultsOf(objective, owner uuid.UUID) []answer.KeyResult {
	number := func(n int64) *decimal.Decimal { d := decimal.NewFromInt(n); return &d }
	metric := db.KeyResult{Title: "NPS", Kind: okr.Metric, Unit: "points", Baseline: number(20), Target: number(45), CurrentValue: number(30)}
	threshold := db.KeyResult{Title: "First answers within an hour", Kind: okr.Threshold, Unit: "%", AtLeast: number(95), CurrentValue: number(90)}
	milestone := db.KeyResult{Title: "The new desk is open", Kind: okr.Milestone}
	all := make([]answer.KeyResult, 0, 3)
	for position, k := range []db.KeyResult{metric, threshold, milestone} {
		k.ID, k.Weight = db.NewID(), decimal.NewFromInt(1)
		var checkIn, confidence, at any
		if k.CurrentValue != nil {
			id := db.NewID()
			checkIn, confidence, at = id, 7, b.now
			b.checkIns = append(b.checkIns, []any{b.organization, id, k.ID, k.CurrentValue, "0.4", 7, b.now, owner})
		}
		b.keyResults = append(b.keyResults, []any{b.organization, k.ID, objective, position, k.Title, string(k.Kind), k.Unit, k.Baseline, k.Target, k.AtLeast,
			checkIn, k.CurrentValue, confidence, at})
		whole := answer.KeyResult{KeyResult: k}
		if k.Kind == okr.Milestone {
			for i, title := range []string{"The design is agreed", "The room is ready", "The people are there"} {
				step := db.MilestoneStep{ID: db.NewID(), Title: title, Weight: decimal.NewFromInt(1)}
				b.steps = append(b.steps, []any{b.organization, step.ID, k.ID, i, title})
				whole.Steps = append(whole.Steps, step)
			}
		}
		all = append(all, whole)
	}
	return all
}
