package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/kakeai/kakeai/bench/peers/answer"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

type patch struct {
	Revision int64   `json:"revision" binding:"required,min=1"`
	Title    *string `json:"title" binding:"omitempty,min=1,max=300"`
}

var (
	errSignedOut  = errors.New("sign in first")
	errNotAllowed = errors.New("not yours to change")
	errStale      = errors.New("changed meanwhile")
)

func edit(database *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		id, err := uuid.Parse(c.Param("id"))
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		var body patch
		if err := c.ShouldBindJSON(&body); err != nil {
			c.JSON(http.StatusUnprocessableEntity, gin.H{"error": err.Error()})
			return
		}
		bearer, _ := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer ")
		token, err := auth.ParseToken(bearer)
		if err != nil {
			c.JSON(http.StatusUnauthorized, gin.H{"error": err.Error()})
			return
		}
		var o *Objective
		var a answer.Actor
		var names map[uuid.UUID]string
		err = database.WithContext(c.Request.Context()).Transaction(func(tx *gorm.DB) error {
			if err := tx.Exec("SELECT set_config('kakeai.organization_id', ?, true)", token.Organization.String()).Error; err != nil {
				return err
			}
			var name string
			if a, name, err = actorOf(tx, token, held); err != nil {
				return err
			}
			if o, err = visible(tx, token.Organization, a, id); err != nil {
				return err
			}
			names = map[uuid.UUID]string{o.OwnerID: o.Owner.Name, a.ID: name}
			if !a.MayEdit(o.row()) {
				return errNotAllowed
			}
			if err := change(tx, o, a, body); err != nil {
				return err
			}
			return record(tx, o, a, c.ClientIP())
		})
		if err != nil {
			fail(c, err)
			return
		}
		c.JSON(http.StatusOK, o.whole(names).View(a))
	}
}

func fail(c *gin.Context, err error) {
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, errSignedOut):
		status = http.StatusUnauthorized
	case errors.Is(err, errNotAllowed):
		status = http.StatusForbidden
	case errors.Is(err, gorm.ErrRecordNotFound):
		status = http.StatusNotFound
	case errors.Is(err, errStale):
		status = http.StatusConflict
	}
	c.JSON(status, gin.H{"error": err.Error()})
}

// held has a statement hold session and membership until the transaction ends.
func held(tx *gorm.DB) *gorm.DB {
	return tx.Clauses(clause.Locking{Strength: "SHARE", Table: clause.Table{Name: `"sessions", "Membership"`, Raw: true}})
}

// actorOf reads session, membership, person and organisation in one statement, and their teams in another.
func actorOf(tx *gorm.DB, token auth.Token, scopes ...func(*gorm.DB) *gorm.DB) (a answer.Actor, name string, err error) {
	var s Session
	err = tx.Scopes(scopes...).InnerJoins("Membership", tx.Where("suspended_at IS NULL")).InnerJoins("Membership.User").InnerJoins("Organization").
		Where("sessions.organization_id = ? AND sessions.token_hash = ? AND sessions.expires_at > now()", token.Organization, token.Hash()).
		Take(&s).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return a, "", errSignedOut
	}
	if err != nil {
		return a, "", err
	}
	var teams []TeamMember
	if err := tx.Where("organization_id = ? AND user_id = ?", token.Organization, s.UserID).Find(&teams).Error; err != nil {
		return a, "", err
	}
	a = answer.Actor{ID: s.UserID, Role: s.Membership.Role, Cadence: s.Organization.Cadence, TimeZone: s.Organization.TimeZone, Now: time.Now()}
	for _, t := range teams {
		a.TeamIDs = append(a.TeamIDs, t.TeamID)
		if t.Role == auth.TeamLead {
			a.LeadTeamIDs = append(a.LeadTeamIDs, t.TeamID)
		}
	}
	return a, s.Membership.User.Name, nil
}

// visible reads an objective that the actor may see: with its cycle and owner in one statement, its key results and their steps in one each.
func visible(tx *gorm.DB, organization uuid.UUID, a answer.Actor, id uuid.UUID) (*Objective, error) {
	var o Objective
	inOrder := func(tx *gorm.DB) *gorm.DB { return tx.Order("position, id") }
	query := tx.InnerJoins("Cycle").InnerJoins("Owner").Preload("KeyResults", inOrder).Preload("KeyResults.Steps", inOrder).Preload("KeyResults.Owner").
		Where("objectives.organization_id = ? AND objectives.id = ?", organization, id)
	if !a.Administers() {
		query = query.Where("objectives.visibility = 'organization' OR objectives.owner_id = ? OR (objectives.visibility = 'team' AND objectives.team_id IN ?) OR "+
			"(objectives.visibility = 'private' AND objectives.team_id IN ?)", a.ID, a.TeamIDs, a.LeadTeamIDs)
	}
	return &o, query.Take(&o).Error
}

// change makes the edit if the objective is still at the revision, and leaves in o what has become of it.
func change(tx *gorm.DB, o *Objective, a answer.Actor, body patch) error {
	fields := map[string]any{
		"revision": gorm.Expr("revision + 1"), "changed_by": a.ID,
		"changed_at": gorm.Expr("greatest(clock_timestamp(), changed_at + interval '1 microsecond')"),
	}
	if body.Title != nil {
		fields["title"] = *body.Title
	}
	result := tx.Model(o).Omit(clause.Associations).Clauses(clause.Returning{Columns: []clause.Column{{Name: "title"}, {Name: "revision"}, {Name: "changed_at"}, {Name: "changed_by"}}}).
		Where("revision = ?", body.Revision).Updates(fields)
	if result.Error == nil && result.RowsAffected == 0 {
		return errStale
	}
	return result.Error
}

func record(tx *gorm.DB, o *Objective, a answer.Actor, address string) error {
	content, err := json.Marshal(o.whole(nil).Content())
	if err != nil {
		return err
	}
	if err := tx.Create(&ObjectiveHistory{OrganizationID: o.OrganizationID, ObjectiveID: o.ID, Revision: o.Revision, Action: "objective.updated",
		Content: content, ChangedAt: o.ChangedAt, ChangedBy: a.ID}).Error; err != nil {
		return err
	}
	if err := tx.Model(&Suggestion{}).Where("organization_id = ? AND objective_id = ? AND state = 'open' AND objective_revision < ?", o.OrganizationID, o.ID, o.Revision).
		Updates(map[string]any{"state": "superseded", "decided_at": gorm.Expr("clock_timestamp()")}).Error; err != nil {
		return err
	}
	event := db.NewID()
	if err := tx.Create(&AuditEvent{OrganizationID: o.OrganizationID, ID: event, Action: "objective.updated", TargetKind: "objective", TargetID: o.ID,
		TargetRevision: o.Revision, ActorID: a.ID, RequestID: event.String(), Address: address}).Error; err != nil {
		return err
	}
	return tx.Create(&OutboxEvent{OrganizationID: o.OrganizationID, ID: event, Kind: "objective.updated", TargetID: o.ID, TargetRevision: o.Revision}).Error
}

func (o *Objective) row() db.Objective {
	return db.Objective{OrganizationID: o.OrganizationID, ID: o.ID, CycleID: o.CycleID, TeamID: o.TeamID, OwnerID: o.OwnerID,
		ParentObjectiveID: o.ParentObjectiveID, ParentKeyResultID: o.ParentKeyResultID, Title: o.Title, Description: o.Description, Kind: o.Kind,
		Visibility: o.Visibility, State: o.State, Score: o.Score, ArchivedAt: o.ArchivedAt, Revision: o.Revision, CreatedAt: o.CreatedAt,
		ChangedAt: o.ChangedAt, ChangedBy: o.ChangedBy}
}

func (o *Objective) whole(names map[uuid.UUID]string) answer.Objective {
	w := answer.Objective{Objective: o.row(), Names: names, Cycle: db.Cycle{StartsOn: o.Cycle.StartsOn, EndsOn: o.Cycle.EndsOn, State: o.Cycle.State},
		KeyResults: make([]answer.KeyResult, 0, len(o.KeyResults))}
	for _, k := range o.KeyResults {
		row := answer.KeyResult{KeyResult: db.KeyResult{ID: k.ID, Title: k.Title, Description: k.Description, OwnerID: k.OwnerID, Kind: k.Kind, Unit: k.Unit,
			Baseline: k.Baseline, Target: k.Target, Stretch: k.Stretch, AtLeast: k.AtLeast, AtMost: k.AtMost, Tolerance: k.Tolerance, Weight: k.Weight,
			ArchivedAt: k.ArchivedAt, CurrentCheckInID: k.CurrentCheckInID, CurrentValue: k.CurrentValue, CurrentDoneSteps: k.CurrentDoneSteps,
			CurrentConfidence: k.CurrentConfidence, CurrentAt: k.CurrentAt}}
		if k.Owner != nil && names != nil {
			names[k.Owner.ID] = k.Owner.Name
		}
		for _, s := range k.Steps {
			row.Steps = append(row.Steps, db.MilestoneStep{ID: s.ID, Title: s.Title, Weight: s.Weight})
		}
		w.KeyResults = append(w.KeyResults, row)
	}
	return w
}
