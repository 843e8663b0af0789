package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"gorm.io/gorm"

	"github.com/kakeai/kakeai/bench/peers/answer"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// FeedEntry is something that happened to an objective.
type FeedEntry struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	ID             uuid.UUID `gorm:"primaryKey"`
	ObjectiveID    uuid.UUID
	Objective      Objective `gorm:"foreignKey:OrganizationID,ObjectiveID;references:OrganizationID,ID"`
	Action         string
	ActorID        *uuid.UUID
	Actor          *User
	Detail         document
	HappenedAt     time.Time
}

// Team is a team.
type Team struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	ID             uuid.UUID `gorm:"primaryKey"`
	Name           string
	ArchivedAt     *time.Time
}

// FigureCount is what a change added to the sums of a group.
type FigureCount struct {
	OrganizationID    uuid.UUID `gorm:"primaryKey"`
	CycleID           uuid.UUID `gorm:"primaryKey"`
	GroupID           uuid.UUID `gorm:"primaryKey"`
	Day               int32     `gorm:"primaryKey"`
	ID                uuid.UUID `gorm:"primaryKey"`
	Objectives        int32
	Restricted        int32
	Pending           int32
	LeftOnTrack       int32
	WentOffTrack      int32
	KeyResultOffTrack int32
	Outdated          int32
	Progress          decimal.Decimal
	Overshoot         decimal.Decimal
}

// CycleFigure is what the sums of a cycle were computed with.
type CycleFigure struct {
	OrganizationID  uuid.UUID `gorm:"primaryKey"`
	CycleID         uuid.UUID `gorm:"primaryKey"`
	StartsOn        time.Time
	EndsOn          time.Time
	TimeZone        string
	Cadence         string
	RebuildingAfter *uuid.UUID
}

// ObjectiveFigure is what an objective adds.
type ObjectiveFigure struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	ObjectiveID    uuid.UUID `gorm:"primaryKey"`
	Objective      Objective `gorm:"foreignKey:OrganizationID,ObjectiveID;references:OrganizationID,ID"`
	CycleID        uuid.UUID
	GroupID        uuid.UUID
	Counted        bool
	Restricted     bool
	OutdatedFrom   *int32
}

// overview answers the dashboard of a member or a team lead, all of it as of one moment.
func overview(database *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		bearer, _ := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer ")
		token, err := auth.ParseToken(bearer)
		if err != nil {
			c.JSON(http.StatusUnauthorized, gin.H{"error": err.Error()})
			return
		}
		var d answer.Dashboard
		var a answer.Actor
		err = database.WithContext(c.Request.Context()).Transaction(func(tx *gorm.DB) error {
			if err := tx.Exec("SELECT set_config('kakeai.organization_id', ?, true)", token.Organization.String()).Error; err != nil {
				return err
			}
			if a, _, err = actorOf(tx, token); err != nil {
				return err
			}
			return (&dashboard{tx: tx, a: a, organization: token.Organization, Dashboard: &d}).read()
		}, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
		if err != nil {
			fail(c, err)
			return
		}
		c.JSON(http.StatusOK, d.View(a))
	}
}

type dashboard struct {
	*answer.Dashboard
	tx           *gorm.DB
	a            answer.Actor
	organization uuid.UUID
	groups       []uuid.UUID // the whole, what is of no team, and the actor's teams
}

// of is a query of the organisation's rows.
func (d *dashboard) of(table string) *gorm.DB {
	return d.tx.Where(table+".organization_id = ?", d.organization)
}

func (d *dashboard) read() error {
	for _, part := range []func() error{d.cycles, d.recent, d.teams, d.mine, d.figures, d.few, d.missing} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (d *dashboard) cycles() error {
	var coming, gone []Cycle
	today := d.a.Today()
	if err := d.of("cycles").Where("ends_on >= ?", today).Order("ends_on, id DESC").Limit(20).Find(&coming).Error; err != nil {
		return err
	}
	if err := d.of("cycles").Where("ends_on < ?", today).Order("ends_on DESC, id").Limit(10).Find(&gone).Error; err != nil {
		return err
	}
	slices.Reverse(gone)
	for _, c := range append(gone, coming...) {
		d.Cycles = append(d.Cycles, db.Cycle{ID: c.ID, Name: c.Name, StartsOn: c.StartsOn, EndsOn: c.EndsOn, State: c.State, Revision: c.Revision, CreatedAt: c.CreatedAt, ChangedAt: c.ChangedAt})
	}
	if d.Cycle = answer.Choose(d.Cycles, today); d.Cycle == nil {
		return errors.New("no cycle is under way")
	}
	return nil
}

// recent looks at the latest entries; who may see their objectives is decided here, since each is read anyway.
func (d *dashboard) recent() error {
	var entries []FeedEntry
	if err := d.of("feed_entries").InnerJoins("Objective", d.tx.Select("title", "visibility", "owner_id", "team_id")).Joins("Actor").
		Order("feed_entries.id DESC").Limit(answer.RecentScan).Find(&entries).Error; err != nil {
		return err
	}
	for _, e := range entries {
		r := db.ListFeedBeforeRow{ID: e.ID, ObjectiveID: e.ObjectiveID, Title: e.Objective.Title, Action: e.Action, ActorID: e.ActorID, Detail: json.RawMessage(e.Detail), HappenedAt: e.HappenedAt, Shown: sees(d.a, e.Objective)}
		if e.Actor != nil {
			r.ActorName = &e.Actor.Name
		}
		d.Recent = append(d.Recent, r)
	}
	return nil
}

// sees is whether somebody who does not administer may see an objective.
func sees(a answer.Actor, o Objective) bool {
	among := func(teams []uuid.UUID) bool { return o.TeamID != nil && slices.Contains(teams, *o.TeamID) }
	return o.Visibility == okr.VisibleToOrganization || o.OwnerID == a.ID || o.Visibility == okr.VisibleToTeam && among(a.TeamIDs) || o.Visibility == okr.VisiblePrivate && among(a.LeadTeamIDs)
}

func (d *dashboard) teams() error {
	var teams []Team
	if err := d.of("teams").Where("id IN ? AND archived_at IS NULL", d.a.TeamIDs).Order("lower(name), id").Limit(answer.ShownTeams + 1).Find(&teams).Error; err != nil {
		return err
	}
	d.MoreTeams = len(teams) > answer.ShownTeams
	d.groups = []uuid.UUID{uuid.Nil, uuid.Max}
	for _, t := range teams[:min(len(teams), answer.ShownTeams)] {
		d.Teams = append(d.Teams, db.ListTeamsByIDRow{ID: t.ID, Name: t.Name})
		d.groups = append(d.groups, t.ID)
	}
	return nil
}

// mine are the actor's own, which they always see.
func (d *dashboard) mine() error {
	var all []Objective
	inOrder := func(tx *gorm.DB) *gorm.DB { return tx.Order("position, id") }
	if err := d.of("objectives").InnerJoins("Cycle").InnerJoins("Owner").InnerJoins("Changer").Preload("KeyResults", inOrder).Preload("KeyResults.Steps", inOrder).Preload("KeyResults.Owner").
		Where("objectives.owner_id = ? AND objectives.cycle_id = ? AND objectives.archived_at IS NULL", d.a.ID, d.Cycle.ID).
		Order("objectives.id").Limit(answer.ShownObjectives + 1).Find(&all).Error; err != nil {
		return err
	}
	d.More = len(all) > answer.ShownObjectives
	for _, o := range all[:min(len(all), answer.ShownObjectives)] {
		d.Mine = append(d.Mine, o.whole(map[uuid.UUID]string{o.OwnerID: o.Owner.Name, o.ChangedBy: o.Changer.Name}))
	}
	return nil
}

func (d *dashboard) figures() error {
	var sums []db.SumFiguresRow
	if err := d.of("figure_counts").Model(&FigureCount{}).
		Select("group_id, sum(objectives)::int AS objectives, sum(restricted)::int AS restricted, sum(pending)::int AS pending, sum(left_on_track)::int AS left_on_track, "+
			"sum(went_off_track)::int AS went_off_track, sum(key_result_off_track)::int AS key_result_off_track, sum(outdated)::int AS outdated, sum(progress) AS progress, sum(overshoot) AS overshoot").
		Where("cycle_id = ? AND group_id IN ? AND day <= ?", d.Cycle.ID, d.groups, max(answer.Day(*d.Cycle, d.a.Today()), 0)).
		Group("group_id").Find(&sums).Error; err != nil {
		return err
	}
	d.Sums = make(map[uuid.UUID]db.SumFiguresRow, len(sums))
	for _, s := range sums {
		d.Sums[s.GroupID] = s
	}
	var basis CycleFigure
	switch err := d.of("cycle_figures").Where("cycle_id = ?", d.Cycle.ID).Take(&basis).Error; {
	case err == nil:
		d.Basis = &db.CycleFigure{StartsOn: basis.StartsOn, EndsOn: basis.EndsOn, TimeZone: basis.TimeZone, Cadence: basis.Cadence, RebuildingAfter: basis.RebuildingAfter}
	case !errors.Is(err, gorm.ErrRecordNotFound):
		return err
	}
	var waiting []time.Time
	err := d.of("outbox_events").Model(&OutboxEvent{}).Where("state = 'waiting' AND NOT outgoing AND available_at <= now()").Order("available_at").Limit(1).Pluck("created_at", &waiting).Error
	if len(waiting) > 0 {
		d.Waiting = &waiting[0]
	}
	return err
}

// few finds the groups whose numbers would give away an objective that the actor may not see.
func (d *dashboard) few() error {
	var restricted []uuid.UUID
	counted := func() *gorm.DB {
		return d.of("objective_figures").Model(&ObjectiveFigure{}).Where("objective_figures.cycle_id = ? AND objective_figures.counted", d.Cycle.ID)
	}
	if err := counted().Where("restricted").Order("group_id").Limit(answer.RestrictedSeen+1).Pluck("group_id", &restricted).Error; err != nil {
		return err
	}
	d.Restricted = len(restricted)
	candidates := slices.Concat(restricted[:min(len(restricted), answer.RestrictedSeen)], d.groups)
	var small []struct {
		GroupID    uuid.UUID
		Visibility okr.Visibility
		OwnerID    uuid.UUID
		TeamID     *uuid.UUID
	}
	if err := d.tx.Table("unnest(?::uuid[]) AS c (group_id)", array(candidates)).Select("DISTINCT c.group_id, o.id, o.visibility, o.owner_id, o.team_id").
		Joins("CROSS JOIN LATERAL (?) AS f", counted().Where("objective_figures.group_id = c.group_id").Select("objective_id").Order("objective_id").Limit(3)).
		Joins("JOIN objectives AS o ON o.organization_id = ? AND o.id = f.objective_id", d.organization).Find(&small).Error; err != nil {
		return err
	}
	all, hidden := map[uuid.UUID]int{}, map[uuid.UUID]bool{}
	for _, o := range small {
		all[o.GroupID]++
		hidden[o.GroupID] = hidden[o.GroupID] || !sees(d.a, Objective{Visibility: o.Visibility, OwnerID: o.OwnerID, TeamID: o.TeamID})
	}
	d.Few = map[uuid.UUID]int{}
	for group, n := range all {
		if n < 3 && hidden[group] {
			d.Few[group] = n
		}
	}
	return nil
}

// missing is for those who lead teams.
func (d *dashboard) missing() error {
	if len(d.a.LeadTeamIDs) == 0 {
		return nil
	}
	if err := d.tx.Table("(?) AS m", d.of("team_members").Model(&TeamMember{}).Distinct("user_id").Where("team_id IN ?", d.a.LeadTeamIDs).Order("user_id").Limit(answer.MissingScan)).
		Select("m.user_id, u.name, s.suspended_at IS NULL AND s.role <> 'viewer' AND NOT EXISTS (?) AS missing",
			d.of("objectives").Model(&Objective{}).Select("1").Where("objectives.owner_id = m.user_id AND objectives.cycle_id = ? AND objectives.archived_at IS NULL", d.Cycle.ID)).
		Joins("JOIN memberships AS s ON s.organization_id = ? AND s.user_id = m.user_id", d.organization).Joins("JOIN users AS u ON u.id = m.user_id").
		Order("m.user_id").Find(&d.Members).Error; err != nil {
		return err
	}
	var late []ObjectiveFigure
	if err := d.of("objective_figures").InnerJoins("Objective").InnerJoins("Objective.Owner").
		Where("objective_figures.cycle_id = ? AND objective_figures.group_id IN ? AND objective_figures.outdated_from <= ?", d.Cycle.ID, d.a.LeadTeamIDs, answer.Day(*d.Cycle, d.a.Today())).
		Order("outdated_from, objective_id").Limit(answer.ShownMissing + 1).Find(&late).Error; err != nil {
		return err
	}
	for _, l := range late {
		d.Late = append(d.Late, db.ListOutdatedOfTeamsAfterRow{ObjectiveID: l.ObjectiveID, OutdatedFrom: l.OutdatedFrom, Title: l.Objective.Title, OwnerID: l.Objective.OwnerID, OwnerName: l.Objective.Owner.Name, TeamID: l.Objective.TeamID})
	}
	return nil
}

// array is PostgreSQL's text of one.
func array(ids []uuid.UUID) string {
	text := make([]string, len(ids))
	for i, id := range ids {
		text[i] = id.String()
	}
	return "{" + strings.Join(text, ",") + "}"
}
