package snapshot

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/okr"
)

// The rows of the file. Each has the fields of internal/db's row of the same table, in the same order, so that one is converted into the
// other without a copy by hand: a column that a migration adds does not compile until it stands here too, and so cannot be forgotten in an
// export. The names in the tags are the columns'.

// Organization is a row of organizations.
type Organization struct {
	ID        uuid.UUID   `json:"id"`
	Name      string      `json:"name"`
	Locale    string      `json:"locale"`
	TimeZone  string      `json:"time_zone"`
	Cadence   okr.Cadence `json:"cadence"`
	GraceDays int32       `json:"grace_days"`
	Revision  int64       `json:"revision"`
	CreatedAt time.Time   `json:"created_at"`
	ChangedAt time.Time   `json:"changed_at"`

	AIEnabled       bool   `json:"ai_enabled"`
	AIMonthlyTokens *int64 `json:"ai_monthly_tokens"`
}

// User is a row of users: a member as a person. PasswordHash is nil unless it was asked for, and for whoever has no password.
type User struct {
	ID           uuid.UUID `json:"id"`
	Email        string    `json:"email"`
	Name         string    `json:"name"`
	Locale       string    `json:"locale"`
	TimeZone     string    `json:"time_zone"`
	PasswordHash *string   `json:"password_hash"`
	CreatedAt    time.Time `json:"created_at"`
	ChangedAt    time.Time `json:"changed_at"`
}

// Membership is a row of memberships.
type Membership struct {
	OrganizationID uuid.UUID  `json:"organization_id"`
	UserID         uuid.UUID  `json:"user_id"`
	Role           auth.Role  `json:"role"`
	SuspendedAt    *time.Time `json:"suspended_at"`
	Revision       int64      `json:"revision"`
	CreatedAt      time.Time  `json:"created_at"`
	ChangedAt      time.Time  `json:"changed_at"`
}

// TeamRow is a row of teams.
type TeamRow struct {
	OrganizationID uuid.UUID  `json:"organization_id"`
	ID             uuid.UUID  `json:"id"`
	Name           string     `json:"name"`
	Description    *string    `json:"description"`
	ArchivedAt     *time.Time `json:"archived_at"`
	Revision       int64      `json:"revision"`
	CreatedAt      time.Time  `json:"created_at"`
	ChangedAt      time.Time  `json:"changed_at"`
	ChangedBy      uuid.UUID  `json:"changed_by"`
}

// TeamMember is a row of team_members.
type TeamMember struct {
	OrganizationID uuid.UUID     `json:"organization_id"`
	TeamID         uuid.UUID     `json:"team_id"`
	UserID         uuid.UUID     `json:"user_id"`
	Role           auth.TeamRole `json:"role"`
	CreatedAt      time.Time     `json:"created_at"`
}

// Team is a team with who is in it, in the order of their ids.
type Team struct {
	TeamRow

	Members []TeamMember `json:"members"`
}

// Cycle is a row of cycles.
type Cycle struct {
	OrganizationID uuid.UUID      `json:"organization_id"`
	ID             uuid.UUID      `json:"id"`
	Name           string         `json:"name"`
	StartsOn       time.Time      `json:"starts_on,format:DateOnly"`
	EndsOn         time.Time      `json:"ends_on,format:DateOnly"`
	State          okr.CycleState `json:"state"`
	Revision       int64          `json:"revision"`
	CreatedAt      time.Time      `json:"created_at"`
	ChangedAt      time.Time      `json:"changed_at"`
	ChangedBy      uuid.UUID      `json:"changed_by"`
}

// ObjectiveRow is a row of objectives.
type ObjectiveRow struct {
	OrganizationID    uuid.UUID          `json:"organization_id"`
	ID                uuid.UUID          `json:"id"`
	CycleID           uuid.UUID          `json:"cycle_id"`
	TeamID            *uuid.UUID         `json:"team_id"`
	OwnerID           uuid.UUID          `json:"owner_id"`
	ParentObjectiveID *uuid.UUID         `json:"parent_objective_id"`
	ParentKeyResultID *uuid.UUID         `json:"parent_key_result_id"`
	Title             string             `json:"title"`
	Description       *string            `json:"description"`
	Kind              okr.Commitment     `json:"kind"`
	Visibility        okr.Visibility     `json:"visibility"`
	State             okr.ObjectiveState `json:"state"`
	Score             *decimal.Decimal   `json:"score"`
	ArchivedAt        *time.Time         `json:"archived_at"`
	Revision          int64              `json:"revision"`
	CreatedAt         time.Time          `json:"created_at"`
	CreatedBy         uuid.UUID          `json:"created_by"`
	ChangedAt         time.Time          `json:"changed_at"`
	ChangedBy         uuid.UUID          `json:"changed_by"`
	CarriedFromID     *uuid.UUID         `json:"carried_from_id"`
	AlignmentFlagged  bool               `json:"alignment_flagged"`
}

// KeyResultRow is a row of key_results.
type KeyResultRow struct {
	OrganizationID    uuid.UUID         `json:"organization_id"`
	ID                uuid.UUID         `json:"id"`
	ObjectiveID       uuid.UUID         `json:"objective_id"`
	Position          int32             `json:"position"`
	Title             string            `json:"title"`
	Description       *string           `json:"description"`
	OwnerID           *uuid.UUID        `json:"owner_id"`
	Kind              okr.KeyResultKind `json:"kind"`
	Unit              string            `json:"unit"`
	Baseline          *decimal.Decimal  `json:"baseline"`
	Target            *decimal.Decimal  `json:"target"`
	Stretch           *decimal.Decimal  `json:"stretch"`
	AtLeast           *decimal.Decimal  `json:"at_least"`
	AtMost            *decimal.Decimal  `json:"at_most"`
	Tolerance         *decimal.Decimal  `json:"tolerance"`
	Weight            decimal.Decimal   `json:"weight"`
	ArchivedAt        *time.Time        `json:"archived_at"`
	CurrentCheckInID  *uuid.UUID        `json:"current_check_in_id"`
	CurrentValue      *decimal.Decimal  `json:"current_value"`
	CurrentDoneSteps  []uuid.UUID       `json:"current_done_steps"`
	CurrentConfidence *int16            `json:"current_confidence"`
	CurrentAt         *time.Time        `json:"current_at"`
	CarriedFromID     *uuid.UUID        `json:"carried_from_id"`
}

// MilestoneStep is a row of milestone_steps.
type MilestoneStep struct {
	OrganizationID uuid.UUID       `json:"organization_id"`
	ID             uuid.UUID       `json:"id"`
	KeyResultID    uuid.UUID       `json:"key_result_id"`
	Position       int32           `json:"position"`
	Title          string          `json:"title"`
	Weight         decimal.Decimal `json:"weight"`
}

// KeyResult is a key result with its steps, in their order.
type KeyResult struct {
	KeyResultRow

	Steps []MilestoneStep `json:"steps"`
}

// Objective is an objective with its key results, archived ones too, in their order: one entity with one revision.
type Objective struct {
	ObjectiveRow

	KeyResults []KeyResult `json:"key_results"`
}

// CheckIn is a row of check_ins.
type CheckIn struct {
	OrganizationID uuid.UUID        `json:"organization_id"`
	ID             uuid.UUID        `json:"id"`
	KeyResultID    uuid.UUID        `json:"key_result_id"`
	Value          *decimal.Decimal `json:"value"`
	DoneStepIDs    []uuid.UUID      `json:"done_step_ids"`
	Progress       decimal.Decimal  `json:"progress"`
	Confidence     int16            `json:"confidence"`
	Note           *string          `json:"note"`
	CorrectsID     *uuid.UUID       `json:"corrects_id"`
	CheckedAt      time.Time        `json:"checked_at"`
	CreatedAt      time.Time        `json:"created_at"`
	CreatedBy      uuid.UUID        `json:"created_by"`
}

// ObjectiveHistory is a row of objective_history: the content that one revision led to.
type ObjectiveHistory struct {
	OrganizationID uuid.UUID       `json:"organization_id"`
	ObjectiveID    uuid.UUID       `json:"objective_id"`
	Revision       int64           `json:"revision"`
	Action         string          `json:"action"`
	Note           *string         `json:"note"`
	Content        json.RawMessage `json:"content"`
	ChangedAt      time.Time       `json:"changed_at"`
	ChangedBy      uuid.UUID       `json:"changed_by"`
}

// Comment is a row of comments.
type Comment struct {
	OrganizationID uuid.UUID  `json:"organization_id"`
	ID             uuid.UUID  `json:"id"`
	ObjectiveID    uuid.UUID  `json:"objective_id"`
	AuthorID       uuid.UUID  `json:"author_id"`
	Body           string     `json:"body"`
	Revision       int64      `json:"revision"`
	CreatedAt      time.Time  `json:"created_at"`
	ChangedAt      time.Time  `json:"changed_at"`
	DeletedAt      *time.Time `json:"deleted_at"`
}

// Dialogue is a row of dialogues.
type Dialogue struct {
	OrganizationID uuid.UUID `json:"organization_id"`
	ID             uuid.UUID `json:"id"`
	ObjectiveID    uuid.UUID `json:"objective_id"`
	Title          string    `json:"title"`
	CreatedAt      time.Time `json:"created_at"`
	CreatedBy      uuid.UUID `json:"created_by"`
}

// AIJob is a row of ai_jobs.
type AIJob struct {
	OrganizationID uuid.UUID  `json:"organization_id"`
	ID             uuid.UUID  `json:"id"`
	Contract       int16      `json:"contract"`
	Kind           string     `json:"kind"`
	ObjectiveID    uuid.UUID  `json:"objective_id"`
	DialogueID     uuid.UUID  `json:"dialogue_id"`
	RequestedBy    uuid.UUID  `json:"requested_by"`
	State          string     `json:"state"`
	Attempt        int16      `json:"attempt"`
	MaxAttempts    int16      `json:"max_attempts"`
	LeaseNumber    int64      `json:"lease_number"`
	LeaseExpiresAt *time.Time `json:"lease_expires_at"`
	AvailableAt    time.Time  `json:"available_at"`
	Failure        *string    `json:"failure"`
	CreatedAt      time.Time  `json:"created_at"`
	StartedAt      *time.Time `json:"started_at"`
	FinishedAt     *time.Time `json:"finished_at"`
	Coach          string     `json:"coach"`
}

// Message is a row of messages.
type Message struct {
	OrganizationID    uuid.UUID       `json:"organization_id"`
	ID                uuid.UUID       `json:"id"`
	DialogueID        uuid.UUID       `json:"dialogue_id"`
	AuthorID          *uuid.UUID      `json:"author_id"`
	Source            *string         `json:"source"`
	JobID             *uuid.UUID      `json:"job_id"`
	ObjectiveRevision *int64          `json:"objective_revision"`
	Body              string          `json:"body"`
	Findings          json.RawMessage `json:"findings"`
	CreatedAt         time.Time       `json:"created_at"`
}

// Suggestion is a row of suggestions.
type Suggestion struct {
	OrganizationID    uuid.UUID       `json:"organization_id"`
	ID                uuid.UUID       `json:"id"`
	ObjectiveID       uuid.UUID       `json:"objective_id"`
	ObjectiveRevision int64           `json:"objective_revision"`
	DialogueID        uuid.UUID       `json:"dialogue_id"`
	MessageID         uuid.UUID       `json:"message_id"`
	Source            string          `json:"source"`
	Content           json.RawMessage `json:"content"`
	State             string          `json:"state"`
	DecidedBy         *uuid.UUID      `json:"decided_by"`
	DecidedAt         *time.Time      `json:"decided_at"`
	Note              *string         `json:"note"`
	CreatedAt         time.Time       `json:"created_at"`
}

// AuditEvent is a row of audit_events.
type AuditEvent struct {
	OrganizationID uuid.UUID       `json:"organization_id"`
	ID             uuid.UUID       `json:"id"`
	Action         string          `json:"action"`
	TargetKind     string          `json:"target_kind"`
	TargetID       uuid.UUID       `json:"target_id"`
	TargetRevision *int64          `json:"target_revision"`
	ActorID        *uuid.UUID      `json:"actor_id"`
	Detail         json.RawMessage `json:"detail"`
	RequestID      *string         `json:"request_id"`
	Address        *string         `json:"address"`
	HappenedAt     time.Time       `json:"happened_at"`
}

// NotificationPreference is a row of notification_preferences.
type NotificationPreference struct {
	OrganizationID uuid.UUID `json:"organization_id"`
	UserID         uuid.UUID `json:"user_id"`
	Kind           string    `json:"kind"`
	Inbox          bool      `json:"inbox"`
	Mail           string    `json:"mail"`
}

// Broadcast is a row of broadcasts.
type Broadcast struct {
	OrganizationID uuid.UUID   `json:"organization_id"`
	ID             uuid.UUID   `json:"id"`
	Title          string      `json:"title"`
	Body           string      `json:"body"`
	Audience       string      `json:"audience"`
	TeamIDs        []uuid.UUID `json:"team_ids"`
	UserIDs        []uuid.UUID `json:"user_ids"`
	ByMail         bool        `json:"by_mail"`
	State          string      `json:"state"`
	ScheduledAt    *time.Time  `json:"scheduled_at"`
	ReachedUserID  uuid.UUID   `json:"reached_user_id"`
	SentAt         *time.Time  `json:"sent_at"`
	Revision       int64       `json:"revision"`
	CreatedAt      time.Time   `json:"created_at"`
	CreatedBy      uuid.UUID   `json:"created_by"`
	ChangedAt      time.Time   `json:"changed_at"`
	ChangedBy      uuid.UUID   `json:"changed_by"`
}

// Meeting is a row of meetings.
type Meeting struct {
	OrganizationID  uuid.UUID  `json:"organization_id"`
	ID              uuid.UUID  `json:"id"`
	Title           string     `json:"title"`
	Description     *string    `json:"description"`
	Place           *string    `json:"place"`
	TeamID          *uuid.UUID `json:"team_id"`
	OrganizerID     uuid.UUID  `json:"organizer_id"`
	TimeZone        string     `json:"time_zone"`
	StartsAtLocal   time.Time  `json:"starts_at_local,format:'2006-01-02T15:04:05.999999'"`
	DurationMinutes int32      `json:"duration_minutes"`
	Recurrence      *string    `json:"recurrence"`
	SurveyAnonymous bool       `json:"survey_anonymous"`
	SurveyResults   string     `json:"survey_results"`
	RemindMinutes   int32      `json:"remind_minutes"`
	CancelledAt     *time.Time `json:"cancelled_at"`
	Revision        int64      `json:"revision"`
	CreatedAt       time.Time  `json:"created_at"`
	CreatedBy       uuid.UUID  `json:"created_by"`
	ChangedAt       time.Time  `json:"changed_at"`
	ChangedBy       uuid.UUID  `json:"changed_by"`
}

// MeetingAttendee is a row of meeting_attendees.
type MeetingAttendee struct {
	OrganizationID uuid.UUID  `json:"organization_id"`
	MeetingID      uuid.UUID  `json:"meeting_id"`
	UserID         uuid.UUID  `json:"user_id"`
	Response       string     `json:"response"`
	RespondedAt    *time.Time `json:"responded_at"`
}

// MeetingAgendaItem is a row of meeting_agenda_items.
type MeetingAgendaItem struct {
	OrganizationID uuid.UUID  `json:"organization_id"`
	ID             uuid.UUID  `json:"id"`
	MeetingID      uuid.UUID  `json:"meeting_id"`
	Position       int32      `json:"position"`
	Title          string     `json:"title"`
	Minutes        *int32     `json:"minutes"`
	ObjectiveID    *uuid.UUID `json:"objective_id"`
}

// MeetingMaterial is a row of meeting_materials.
type MeetingMaterial struct {
	OrganizationID uuid.UUID `json:"organization_id"`
	ID             uuid.UUID `json:"id"`
	MeetingID      uuid.UUID `json:"meeting_id"`
	Position       int32     `json:"position"`
	Url            string    `json:"url"`      //nolint:revive,staticcheck // as sqlc names it
	UrlHash        []byte    `json:"url_hash"` //nolint:revive,staticcheck // the same
	Title          *string   `json:"title"`
}

// SurveyQuestion is a row of survey_questions.
type SurveyQuestion struct {
	OrganizationID uuid.UUID  `json:"organization_id"`
	ID             uuid.UUID  `json:"id"`
	MeetingID      uuid.UUID  `json:"meeting_id"`
	Position       int32      `json:"position"`
	Kind           string     `json:"kind"`
	Title          string     `json:"title"`
	Choices        []string   `json:"choices"`
	Required       bool       `json:"required"`
	RetiredAt      *time.Time `json:"retired_at"`
}

// MeetingOccurrence is a row of meeting_occurrences.
type MeetingOccurrence struct {
	OrganizationID   uuid.UUID  `json:"organization_id"`
	ID               uuid.UUID  `json:"id"`
	MeetingID        uuid.UUID  `json:"meeting_id"`
	RecurrenceAt     time.Time  `json:"recurrence_at"`
	StartsAt         time.Time  `json:"starts_at"`
	EndsAt           time.Time  `json:"ends_at"`
	Moved            bool       `json:"moved"`
	CancelledAt      *time.Time `json:"cancelled_at"`
	Minutes          *string    `json:"minutes"`
	Decisions        []string   `json:"decisions"`
	RemindedAt       *time.Time `json:"reminded_at"`
	SurveyAskedAt    *time.Time `json:"survey_asked_at"`
	SurveyRemindedAt *time.Time `json:"survey_reminded_at"`
	Revision         int64      `json:"revision"`
	ChangedAt        time.Time  `json:"changed_at"`
	ChangedBy        uuid.UUID  `json:"changed_by"`
}

// SurveyParticipant is a row of survey_participants.
type SurveyParticipant struct {
	OrganizationID uuid.UUID `json:"organization_id"`
	OccurrenceID   uuid.UUID `json:"occurrence_id"`
	UserID         uuid.UUID `json:"user_id"`
}

// SurveyAnswer is a row of survey_answers. An anonymous one has AnswerKey in the place of UserID, and its id is random.
type SurveyAnswer struct {
	OrganizationID uuid.UUID  `json:"organization_id"`
	ID             uuid.UUID  `json:"id"`
	OccurrenceID   uuid.UUID  `json:"occurrence_id"`
	QuestionID     uuid.UUID  `json:"question_id"`
	UserID         *uuid.UUID `json:"user_id"`
	AnswerKey      []byte     `json:"answer_key"`
	Scale          *int16     `json:"scale"`
	Choice         *int16     `json:"choice"`
	Body           *string    `json:"body"`
}

// FollowUp is a row of follow_ups.
type FollowUp struct {
	OrganizationID uuid.UUID  `json:"organization_id"`
	ID             uuid.UUID  `json:"id"`
	OccurrenceID   uuid.UUID  `json:"occurrence_id"`
	AssigneeID     uuid.UUID  `json:"assignee_id"`
	Title          string     `json:"title"`
	DueOn          *time.Time `json:"due_on,format:DateOnly"`
	DoneAt         *time.Time `json:"done_at"`
	Revision       int64      `json:"revision"`
	CreatedAt      time.Time  `json:"created_at"`
	CreatedBy      uuid.UUID  `json:"created_by"`
	ChangedAt      time.Time  `json:"changed_at"`
	ChangedBy      uuid.UUID  `json:"changed_by"`
}

// MeetingCheckIn is a row of meeting_check_ins.
type MeetingCheckIn struct {
	OrganizationID uuid.UUID `json:"organization_id"`
	OccurrenceID   uuid.UUID `json:"occurrence_id"`
	CheckInID      uuid.UUID `json:"check_in_id"`
}
