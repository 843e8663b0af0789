package main

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/okr"
)

// Organization is a tenant.
type Organization struct {
	ID       uuid.UUID `gorm:"primaryKey"`
	TimeZone string
	Cadence  okr.Cadence
}

// User is a person.
type User struct {
	ID   uuid.UUID `gorm:"primaryKey"`
	Name string
}

// Membership is a person in an organisation.
type Membership struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	UserID         uuid.UUID `gorm:"primaryKey"`
	User           User
	Role           auth.Role
	SuspendedAt    *time.Time
}

// Session is a sign-in.
type Session struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	TokenHash      []byte    `gorm:"primaryKey"`
	Organization   Organization
	UserID         uuid.UUID
	Membership     Membership `gorm:"foreignKey:OrganizationID,UserID;references:OrganizationID,UserID"`
	ExpiresAt      time.Time
}

// TeamMember is a member of a team.
type TeamMember struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	TeamID         uuid.UUID `gorm:"primaryKey"`
	UserID         uuid.UUID `gorm:"primaryKey"`
	Role           auth.TeamRole
}

// Cycle is a quarter.
type Cycle struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	ID             uuid.UUID `gorm:"primaryKey"`
	Name           string
	StartsOn       time.Time
	EndsOn         time.Time
	State          okr.CycleState
	Revision       int64
	CreatedAt      time.Time
	ChangedAt      time.Time
}

// Objective is an objective with what belongs to it.
type Objective struct {
	OrganizationID    uuid.UUID `gorm:"primaryKey"`
	ID                uuid.UUID `gorm:"primaryKey"`
	CycleID           uuid.UUID
	Cycle             Cycle `gorm:"foreignKey:OrganizationID,CycleID;references:OrganizationID,ID"`
	TeamID            *uuid.UUID
	OwnerID           uuid.UUID
	Owner             User
	ParentObjectiveID *uuid.UUID
	ParentKeyResultID *uuid.UUID
	Title             string
	Description       *string
	Kind              okr.Commitment
	Visibility        okr.Visibility
	State             okr.ObjectiveState
	Score             *decimal.Decimal
	ArchivedAt        *time.Time
	Revision          int64
	CreatedAt         time.Time
	ChangedAt         time.Time
	ChangedBy         uuid.UUID
	Changer           User        `gorm:"foreignKey:ChangedBy"`
	KeyResults        []KeyResult `gorm:"foreignKey:OrganizationID,ObjectiveID;references:OrganizationID,ID"`
}

// KeyResult is a key result with its steps.
type KeyResult struct {
	OrganizationID    uuid.UUID `gorm:"primaryKey"`
	ID                uuid.UUID `gorm:"primaryKey"`
	ObjectiveID       uuid.UUID
	Position          int32
	Title             string
	Description       *string
	OwnerID           *uuid.UUID
	Owner             *User
	Kind              okr.KeyResultKind
	Unit              string
	Baseline          *decimal.Decimal
	Target            *decimal.Decimal
	Stretch           *decimal.Decimal
	AtLeast           *decimal.Decimal
	AtMost            *decimal.Decimal
	Tolerance         *decimal.Decimal
	Weight            decimal.Decimal
	ArchivedAt        *time.Time
	CurrentCheckInID  *uuid.UUID
	CurrentValue      *decimal.Decimal
	CurrentDoneSteps  uuids `gorm:"type:uuid[]"`
	CurrentConfidence *int16
	CurrentAt         *time.Time
	Steps             []MilestoneStep `gorm:"foreignKey:OrganizationID,KeyResultID;references:OrganizationID,ID"`
}

// MilestoneStep is a step of a milestone.
type MilestoneStep struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	ID             uuid.UUID `gorm:"primaryKey"`
	KeyResultID    uuid.UUID
	Position       int32
	Title          string
	Weight         decimal.Decimal
}

// Suggestion is a proposed change.
type Suggestion struct {
	OrganizationID    uuid.UUID `gorm:"primaryKey"`
	ID                uuid.UUID `gorm:"primaryKey"`
	ObjectiveID       uuid.UUID
	ObjectiveRevision int64
	State             string
	DecidedAt         *time.Time
}

// ObjectiveHistory is the content of one revision.
type ObjectiveHistory struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	ObjectiveID    uuid.UUID `gorm:"primaryKey"`
	Revision       int64     `gorm:"primaryKey"`
	Action         string
	Content        document
	ChangedAt      time.Time
	ChangedBy      uuid.UUID
}

// TableName is not the plural that GORM would take.
func (ObjectiveHistory) TableName() string { return "objective_history" }

// AuditEvent says who did what.
type AuditEvent struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	ID             uuid.UUID `gorm:"primaryKey"`
	Action         string
	TargetKind     string
	TargetID       uuid.UUID
	TargetRevision int64
	ActorID        uuid.UUID
	RequestID      string
	Address        string
}

// OutboxEvent tells others.
type OutboxEvent struct {
	OrganizationID uuid.UUID `gorm:"primaryKey"`
	ID             uuid.UUID `gorm:"primaryKey"`
	Kind           string
	TargetID       uuid.UUID
	TargetRevision int64
}

// uuids is an array of them, which database/sql hands over as text.
type uuids []uuid.UUID

// Scan reads PostgreSQL's text of an array.
func (u *uuids) Scan(source any) error {
	text, ok := source.(string)
	if !ok {
		return fmt.Errorf("an array of UUIDs came as %T", source)
	}
	*u = nil
	for element := range strings.SplitSeq(strings.Trim(text, "{}"), ",") {
		if element == "" {
			continue
		}
		id, err := uuid.Parse(element)
		if err != nil {
			return err
		}
		*u = append(*u, id)
	}
	return nil
}

// Value hands them to the driver as text.
func (u uuids) Value() (driver.Value, error) {
	texts := make([]string, 0, len(u))
	for _, id := range u {
		texts = append(texts, id.String())
	}
	return "{" + strings.Join(texts, ",") + "}", nil
}

// document is JSON.
type document json.RawMessage

// Value hands it to the driver as text.
func (d document) Value() (driver.Value, error) { return string(d), nil }
