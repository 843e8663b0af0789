package snapshot

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// section is one list of the file: how its rows are read from the database, kept in memory and read from the file.
type section struct {
	name   string
	load   func(ctx context.Context, q *db.Queries, organization uuid.UUID, emit func(row any) error) error
	keep   func(s *Snapshot, row any)
	decode func(raw []byte) (any, error)
	rows   func(s *Snapshot, emit func(row any) error) error
	count  func(s *Snapshot) int
	at     func(s *Snapshot, i int) any
	shared func(a, b *Snapshot) bool // the two have one and the same list
}

// sections are the lists of the file, in its order, which is also one in which they can be written: what a row refers to comes before it.
func sections() []section {
	return slices.Concat(okrSections(), alignmentSections(), communicationSections(), exchangeSections())
}

// userOf leaves out which sessions have ended: sessions are of this installation.
func userOf(u db.User) User {
	return User{ID: u.ID, Email: u.Email, Name: u.Name, Locale: u.Locale, TimeZone: u.TimeZone, PasswordHash: u.PasswordHash, CreatedAt: u.CreatedAt, ChangedAt: u.ChangedAt}
}

func okrSections() []section {
	return []section{
		list("users", func(s *Snapshot) *[]User { return &s.Users }, byID(
			func(u User) uuid.UUID { return u.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]User, error) {
				rows, err := q.ListPeopleAfter(ctx, db.ListPeopleAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, userOf), err
			})),
		list("memberships", func(s *Snapshot) *[]Membership { return &s.Memberships }, byID(
			func(m Membership) uuid.UUID { return m.UserID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]Membership, error) {
				rows, err := q.ListMembershipsAfter(ctx, db.ListMembershipsAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(m db.Membership) Membership { return Membership(m) }), err
			})),
		list("teams", func(s *Snapshot) *[]Team { return &s.Teams }, byID(func(t Team) uuid.UUID { return t.ID }, teamsAfter)),
		list("cycles", func(s *Snapshot) *[]Cycle { return &s.Cycles }, byID(
			func(c Cycle) uuid.UUID { return c.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]Cycle, error) {
				rows, err := q.ListCyclesByIDAfter(ctx, db.ListCyclesByIDAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(c db.Cycle) Cycle { return Cycle(c) }), err
			})),
		list("objectives", func(s *Snapshot) *[]Objective { return &s.Objectives }, byID(func(o Objective) uuid.UUID { return o.ID }, objectivesAfter)),
		list("check_ins", func(s *Snapshot) *[]CheckIn { return &s.CheckIns }, byID(
			func(c CheckIn) uuid.UUID { return c.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]CheckIn, error) {
				rows, err := q.ListCheckInsByIDAfter(ctx, db.ListCheckInsByIDAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(c db.CheckIn) CheckIn { return CheckIn(c) }), err
			})),
		list("objective_history", func(s *Snapshot) *[]ObjectiveHistory { return &s.History }, loadHistory),
		list("comments", func(s *Snapshot) *[]Comment { return &s.Comments }, byID(
			func(c Comment) uuid.UUID { return c.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]Comment, error) {
				rows, err := q.ListCommentsByIDAfter(ctx, db.ListCommentsByIDAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(c db.Comment) Comment { return Comment(c) }), err
			})),
		list("dialogues", func(s *Snapshot) *[]Dialogue { return &s.Dialogues }, byID(
			func(d Dialogue) uuid.UUID { return d.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]Dialogue, error) {
				rows, err := q.ListDialoguesByIDAfter(ctx, db.ListDialoguesByIDAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(d db.Dialogue) Dialogue { return Dialogue(d) }), err
			})),
		list("jobs", func(s *Snapshot) *[]AIJob { return &s.Jobs }, byID(
			func(j AIJob) uuid.UUID { return j.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]AIJob, error) {
				rows, err := q.ListJobsByIDAfter(ctx, db.ListJobsByIDAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(j db.AIJob) AIJob { return AIJob(j) }), err
			})),
		list("messages", func(s *Snapshot) *[]Message { return &s.Messages }, byID(
			func(m Message) uuid.UUID { return m.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]Message, error) {
				rows, err := q.ListMessagesByIDAfter(ctx, db.ListMessagesByIDAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(m db.Message) Message { return Message(m) }), err
			})),
		list("suggestions", func(s *Snapshot) *[]Suggestion { return &s.Suggestions }, byID(
			func(g Suggestion) uuid.UUID { return g.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]Suggestion, error) {
				rows, err := q.ListSuggestionsByIDAfter(ctx, db.ListSuggestionsByIDAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(g db.Suggestion) Suggestion { return Suggestion(g) }), err
			})),
		list("audit_events", func(s *Snapshot) *[]AuditEvent { return &s.AuditEvents }, byID(
			func(e AuditEvent) uuid.UUID { return e.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]AuditEvent, error) {
				rows, err := q.ListAuditEventsAfter(ctx, db.ListAuditEventsAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(e db.AuditEvent) AuditEvent { return AuditEvent(e) }), err
			})),
	}
}

// entitySections are the lists of what people edit: what a change compares.
const entitySections = 5

// list makes a section of a list of R.
func list[R any](name string, in func(*Snapshot) *[]R, load func(ctx context.Context, q *db.Queries, organization uuid.UUID, emit func(R) error) error) section {
	return section{
		name: name,
		load: func(ctx context.Context, q *db.Queries, organization uuid.UUID, emit func(any) error) error {
			if err := load(ctx, q, organization, func(row R) error { return emit(row) }); err != nil {
				return fmt.Errorf("snapshot: read %s: %w", name, err)
			}
			return nil
		},
		keep: func(s *Snapshot, row any) { rows := in(s); *rows = append(*rows, row.(R)) }, //nolint:forcetypeassert // load and decode of the same section make no other
		decode: func(raw []byte) (any, error) {
			var row R
			err := json.Unmarshal(raw, &row, jsonOptions())
			return row, err
		},
		rows: func(s *Snapshot, emit func(any) error) error {
			for _, row := range *in(s) {
				if err := emit(row); err != nil {
					return err
				}
			}
			return nil
		},
		count: func(s *Snapshot) int { return len(*in(s)) },
		at:    func(s *Snapshot, i int) any { return (*in(s))[i] },
		shared: func(a, b *Snapshot) bool {
			return len(*in(a)) == len(*in(b)) && (len(*in(a)) == 0 || &(*in(a))[0] == &(*in(b))[0])
		},
	}
}

// pageSize bounds what one statement returns, and with it what an export holds in memory.
const pageSize = 1000

// byID walks through a table in the order of its ids.
func byID[R any](id func(R) uuid.UUID, page func(ctx context.Context, q *db.Queries, organization, after uuid.UUID) ([]R, error)) func(context.Context, *db.Queries, uuid.UUID, func(R) error) error {
	return func(ctx context.Context, q *db.Queries, organization uuid.UUID, emit func(R) error) error {
		for after := uuid.Nil; ; {
			rows, err := page(ctx, q, organization, after)
			if err != nil || len(rows) == 0 {
				return err
			}
			for _, row := range rows {
				if err := emit(row); err != nil {
					return err
				}
			}
			after = id(rows[len(rows)-1])
		}
	}
}

func converted[D, R any](rows []D, convert func(D) R) []R {
	all := make([]R, len(rows))
	for i, row := range rows {
		all[i] = convert(row)
	}
	return all
}

func loadHistory(ctx context.Context, q *db.Queries, organization uuid.UUID, emit func(ObjectiveHistory) error) error {
	from := db.ListHistoryAfterParams{OrganizationID: organization, PageSize: pageSize}
	for {
		rows, err := q.ListHistoryAfter(ctx, from)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			if err := emit(ObjectiveHistory(row)); err != nil {
				return err
			}
		}
		last := rows[len(rows)-1]
		from.AfterID, from.AfterRevision = last.ObjectiveID, last.Revision
	}
}

// aggregatesAtOnce are read with what belongs to them: with fewer, an export would ask more often; with more, it would hold more.
const aggregatesAtOnce = 200

func teamsAfter(ctx context.Context, q *db.Queries, organization, after uuid.UUID) ([]Team, error) {
	rows, err := q.ListTeamsAfter(ctx, db.ListTeamsAfterParams{OrganizationID: organization, AfterID: after, PageSize: aggregatesAtOnce})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	teams := make([]Team, len(rows))
	ids := make([]uuid.UUID, len(rows))
	at := make(map[uuid.UUID]*Team, len(rows))
	for i, row := range rows {
		teams[i] = Team{TeamRow: TeamRow(row), Members: []TeamMember{}}
		ids[i], at[row.ID] = row.ID, &teams[i]
	}
	from := db.ListMembersOfTeamsAfterParams{OrganizationID: organization, IDs: ids, PageSize: pageSize}
	for {
		members, err := q.ListMembersOfTeamsAfter(ctx, from)
		if err != nil || len(members) == 0 {
			return teams, err
		}
		for _, m := range members {
			team := at[m.TeamID]
			team.Members = append(team.Members, TeamMember(m))
		}
		last := members[len(members)-1]
		from.AfterTeamID, from.AfterID = last.TeamID, last.UserID
	}
}

func objectivesAfter(ctx context.Context, q *db.Queries, organization, after uuid.UUID) ([]Objective, error) {
	rows, err := q.ListObjectivesAfter(ctx, db.ListObjectivesAfterParams{OrganizationID: organization, AfterID: after, PageSize: aggregatesAtOnce})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	objectives := make([]Objective, len(rows))
	ids := make([]uuid.UUID, len(rows))
	at := make(map[uuid.UUID]*Objective, len(rows))
	for i, row := range rows {
		objectives[i] = Objective{ObjectiveRow: ObjectiveRow(row), KeyResults: []KeyResult{}}
		ids[i], at[row.ID] = row.ID, &objectives[i]
	}
	from := db.ListKeyResultsOfObjectivesAfterParams{OrganizationID: organization, ObjectiveIDs: ids, AfterPosition: -1, PageSize: pageSize}
	for {
		keyResults, err := q.ListKeyResultsOfObjectivesAfter(ctx, from)
		if err != nil {
			return nil, err
		}
		if len(keyResults) == 0 {
			return objectives, nil
		}
		whole, err := withSteps(ctx, q, organization, keyResults)
		if err != nil {
			return nil, err
		}
		for _, k := range whole {
			objective := at[k.ObjectiveID]
			objective.KeyResults = append(objective.KeyResults, k)
		}
		last := keyResults[len(keyResults)-1]
		from.AfterObjectiveID, from.AfterPosition, from.AfterID = last.ObjectiveID, last.Position, last.ID
	}
}

func withSteps(ctx context.Context, q *db.Queries, organization uuid.UUID, rows []db.KeyResult) ([]KeyResult, error) {
	keyResults := make([]KeyResult, len(rows))
	ids := make([]uuid.UUID, len(rows))
	at := make(map[uuid.UUID]*KeyResult, len(rows))
	for i, row := range rows {
		keyResults[i] = KeyResult{KeyResultRow: KeyResultRow(row), Steps: []MilestoneStep{}}
		ids[i], at[row.ID] = row.ID, &keyResults[i]
	}
	from := db.ListStepsOfKeyResultsAfterParams{OrganizationID: organization, KeyResultIDs: ids, AfterPosition: -1, PageSize: pageSize}
	for {
		steps, err := q.ListStepsOfKeyResultsAfter(ctx, from)
		if err != nil || len(steps) == 0 {
			return keyResults, err
		}
		for _, step := range steps {
			k := at[step.KeyResultID]
			k.Steps = append(k.Steps, MilestoneStep(step))
		}
		last := steps[len(steps)-1]
		from.AfterKeyResultID, from.AfterPosition, from.AfterID = last.KeyResultID, last.Position, last.ID
	}
}

// load reads an organisation whole. The error is ErrNotThere if there is none.
func load(ctx context.Context, q *db.Queries, organization uuid.UUID) (*Snapshot, error) {
	return loadSections(ctx, q, organization, sections())
}

func loadSections(ctx context.Context, q *db.Queries, organization uuid.UUID, wanted []section) (*Snapshot, error) {
	row, err := organizationOf(ctx, q, organization)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Organization: row}
	for _, part := range wanted {
		err := part.load(ctx, q, organization, func(row any) error { part.keep(s, row); return nil })
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}
