package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
	"github.com/kakeai/kakeai/internal/okr"
)

// teller writes one organisation's story. It first lays out what happens when, then has it happen in the order of time, so that
// every change meets what the ones before it left.
type teller struct {
	organization
	calendar
	tx       pgx.Tx
	q        *db.Queries
	plan     []happening
	told     map[string]*toldObjective
	followed map[uuid.UUID]bool // key results with a check-in
	events   int
	past     past
}

type happening struct {
	at   time.Time
	tell func(ctx context.Context, at time.Time) error
}

// toldObjective is an objective as it stands while the story is being told.
type toldObjective struct {
	objective // its content at this revision
	number    int
	id        uuid.UUID
	drafted   time.Time
	status    okr.Status
	revision  int64
	score     *decimal.Decimal
	open      map[uuid.UUID]bool // suggestions
}

func tell(ctx context.Context, tx pgx.Tx, o organization, now time.Time) error {
	c, err := newCalendar(o.timeZone, now)
	if err != nil {
		return err
	}
	t := &teller{
		organization: o, calendar: c, tx: tx, q: db.New(tx),
		told: map[string]*toldObjective{}, followed: map[uuid.UUID]bool{}, past: past{},
	}
	for _, lay := range []func() error{t.layFoundation, t.layCycles, t.layObjectives, t.layDialogues, t.layMeetings, t.layBroadcasts} {
		if err := lay(); err != nil {
			return err
		}
	}
	slices.SortStableFunc(t.plan, func(a, b happening) int { return a.at.Compare(b.at) })
	for _, h := range t.plan {
		if err := h.tell(ctx, h.at); err != nil {
			return fmt.Errorf("%s: %w", h.at.Format(time.DateTime), err)
		}
	}
	if err := t.setCurrent(ctx); err != nil {
		return err
	}
	if err := t.past.write(ctx, tx, o.id()); err != nil {
		return err
	}
	if err := t.q.MarkEventsDelivered(ctx, db.MarkEventsDeliveredParams{OrganizationID: o.id(), Before: now.Add(-newsAge)}); err != nil {
		return err
	}
	return figures.Retell(ctx, t.q, o.id(), now)
}

// lay plans what happens at a time, unless that is still to come.
func (t *teller) lay(at time.Time, tell func(ctx context.Context, at time.Time) error) {
	if !at.After(t.now) {
		t.plan = append(t.plan, happening{at, tell})
	}
}

// sequence resolves moments one after another, each later than the one before: two may fall on one day where a weekend is skipped.
type sequence struct {
	calendar
	cycle cycle
	gap   time.Duration // at least so much
	last  time.Time
}

// pause is what people leave between two things.
const pause = 7 * time.Minute

func (s *sequence) next(m moment) (time.Time, error) {
	at, err := s.resolve(m, s.cycle)
	if err != nil {
		return time.Time{}, err
	}
	if earliest := s.last.Add(s.gap); at.Before(earliest) {
		at = earliest
	}
	s.last = at
	return at, nil
}

// layFoundation has the organisation, its members and teams stand before anything else happens.
func (t *teller) layFoundation() error {
	at, err := t.resolve(start(-60, "09:00"), lastCycle)
	if err != nil {
		return err
	}
	t.lay(at, func(ctx context.Context, at time.Time) error {
		err := t.q.CreateOrganization(ctx, db.CreateOrganizationParams{
			OrganizationID: t.id(), Name: t.title, Locale: t.locale, TimeZone: t.timeZone, Cadence: string(okr.Weekly), GraceDays: okr.DefaultGraceDays,
		})
		if err != nil {
			return err
		}
		t.past.add("organizations", t.id(), at)
		return t.record(ctx, at, event{action: "organization.created", kind: "organization", target: t.id()})
	})
	for i, m := range t.members {
		t.lay(at.Add(time.Duration(i+1)*time.Minute), func(ctx context.Context, at time.Time) error { return t.join(ctx, at, m) })
	}
	for i, team := range t.teams {
		t.lay(at.Add(time.Duration(i+1)*time.Hour), func(ctx context.Context, at time.Time) error { return t.found(ctx, at, team) })
	}
	return nil
}

func (t *teller) join(ctx context.Context, at time.Time, m member) error {
	err := t.q.CreateMembership(ctx, db.CreateMembershipParams{OrganizationID: t.id(), UserID: m.id(), Role: string(m.role)})
	if err != nil {
		return err
	}
	t.past.add("memberships", m.id(), at)
	return t.record(ctx, at, event{action: "member.added", kind: "member", target: m.id(), detail: map[string]any{"role": m.role}})
}

func (t *teller) found(ctx context.Context, at time.Time, team team) error {
	id, by := t.teamID(team), t.organizer.id()
	_, err := t.q.CreateTeam(ctx, db.CreateTeamParams{
		OrganizationID: t.id(), ID: id, Name: team.title, Description: optional(team.description), ActorID: by,
	})
	if err != nil {
		return err
	}
	t.past.add("teams", id, at)
	if err := t.record(ctx, at, event{action: "team.created", kind: "team", target: id, revision: 1, by: by}); err != nil {
		return err
	}
	for _, p := range append([]person{team.lead}, team.others...) {
		role := auth.TeamMember
		if p == team.lead {
			role = auth.TeamLead
		}
		err := t.q.PutTeamMember(ctx, db.PutTeamMemberParams{OrganizationID: t.id(), TeamID: id, UserID: p.id(), Role: string(role)})
		if err != nil {
			return err
		}
		err = t.record(ctx, at, event{action: "team.member_put", kind: "team", target: id, by: by,
			detail: map[string]any{"user_id": p.id(), "role": role}})
		if err != nil {
			return err
		}
	}
	t.past.add("team_members", id, at)
	return nil
}

func (t *teller) layCycles() error {
	for _, c := range t.cycles {
		s := sequence{calendar: t.calendar, cycle: c, gap: pause}
		moves := []struct {
			to okr.CycleState
			at moment
		}{
			{okr.CyclePreparation, start(-45, "10:00")},
			{okr.CycleActive, start(-1, "18:30")},
			{okr.CycleClosed, end(0, "18:00")},
		}
		revision := int64(0)
		for _, move := range moves {
			if move.to == okr.CycleClosed && c == presentCycle {
				continue
			}
			at, err := s.next(move.at)
			if err != nil {
				return err
			}
			before := revision
			revision++
			t.lay(at, func(ctx context.Context, at time.Time) error { return t.moveCycle(ctx, at, c, before, move.to) })
		}
	}
	return nil
}

func (t *teller) moveCycle(ctx context.Context, at time.Time, c cycle, revision int64, to okr.CycleState) error {
	id, by, action := t.cycleID(c), t.organizer.id(), "cycle.created"
	if revision == 0 {
		q := t.quarters[c]
		_, err := t.q.CreateCycle(ctx, db.CreateCycleParams{
			OrganizationID: t.id(), ID: id, Name: t.cycleTitle(q), StartsOn: q.startsOn, EndsOn: q.endsOn, ActorID: by,
		})
		if err != nil {
			return err
		}
		t.past.add("cycles", id, at)
	} else {
		action = "cycle.updated"
		_, err := t.q.UpdateCycleIfRevision(ctx, db.UpdateCycleIfRevisionParams{
			OrganizationID: t.id(), ID: id, Revision: revision, SetState: true, State: string(to), ActorID: by,
		})
		if err != nil {
			return err
		}
		t.past.change("cycles", id, at)
	}
	return t.record(ctx, at, event{action: action, kind: "cycle", target: id, revision: revision + 1, by: by,
		detail: map[string]any{"state": to}})
}

// event is what a change other than an objective's own leaves behind. Zero fields are absent.
type event struct {
	action   string
	kind     string
	target   uuid.UUID
	revision int64
	by       uuid.UUID
	detail   map[string]any
}

func (t *teller) record(ctx context.Context, at time.Time, e event) error {
	detail, err := detailJSON(e.detail)
	if err != nil {
		return err
	}
	id := t.nextEvent(at)
	return t.q.RecordEvent(ctx, db.RecordEventParams{
		OrganizationID: t.id(), EventID: id, Action: e.action, TargetKind: e.kind, TargetID: e.target,
		TargetRevision: optional(e.revision), ActorID: optional(e.by), Detail: detail,
	})
}

// nextEvent numbers events in the order of time, which is the order they are listed in.
func (t *teller) nextEvent(at time.Time) uuid.UUID {
	t.events++
	id := t.newID(eventKind, t.events)
	t.past.set("audit_events", "happened_at", id, at)
	t.past.set("outbox_events", "created_at", id, at)
	return id
}

func detailJSON(detail map[string]any) (json.RawMessage, error) {
	if detail == nil {
		return json.RawMessage("{}"), nil
	}
	return json.Marshal(detail)
}

func (t *teller) teamID(team team) uuid.UUID {
	return t.newID(teamKind, team.number)
}

// cycleID keeps the order of ids the order of time.
func (t *teller) cycleID(c cycle) uuid.UUID {
	return t.newID(cycleKind, map[cycle]int{lastCycle: 1, presentCycle: 2}[c])
}

// optional is nil for a zero value.
func optional[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}
