package main

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// What the tour sends and reads, as internal/api/openapi.yaml describes it. They are written down again, rather than taken from the
// server's generated code, so that the tour knows no more than any client does.
type (
	page[T any] struct {
		Items      []T    `json:"items"`
		NextCursor string `json:"next_cursor"`
	}
	problem struct {
		Type      string          `json:"type"`
		Title     string          `json:"title"`
		Status    int             `json:"status"`
		Detail    string          `json:"detail"`
		RequestID string          `json:"request_id"`
		Errors    []fieldProblem  `json:"errors"`
		Present   json.RawMessage `json:"present"`
		ChangedBy *person         `json:"changed_by"`
		ChangedAt *time.Time      `json:"changed_at"`
	}
	fieldProblem struct {
		Pointer string `json:"pointer"`
		Code    string `json:"code"`
		Detail  string `json:"detail"`
	}
	person struct {
		ID   uuid.UUID `json:"id"`
		Name string    `json:"name"`
	}
)

type (
	signIn struct {
		Email          string     `json:"email"`
		Password       string     `json:"password"`
		OrganizationID *uuid.UUID `json:"organization_id,omitempty"`
	}
	signedIn struct {
		Token string `json:"token"`
	}
	session struct {
		User         person       `json:"user"`
		Organization organization `json:"organization"`
		Role         string       `json:"role"`
		TeamIDs      []uuid.UUID  `json:"team_ids"`
		LeadTeamIDs  []uuid.UUID  `json:"lead_team_ids"`
	}
	organization struct {
		ID       uuid.UUID `json:"id"`
		Name     string    `json:"name"`
		TimeZone string    `json:"time_zone"`
	}
	team struct {
		ID   uuid.UUID `json:"id"`
		Name string    `json:"name"`
	}
	cycle struct {
		ID       uuid.UUID `json:"id"`
		Name     string    `json:"name"`
		StartsOn string    `json:"starts_on"`
		EndsOn   string    `json:"ends_on"`
		State    string    `json:"state"`
	}
)

type (
	objective struct {
		ID          uuid.UUID   `json:"id"`
		Revision    int64       `json:"revision"`
		Title       string      `json:"title"`
		State       string      `json:"state"`
		Archived    bool        `json:"archived"`
		Progress    progress    `json:"progress"`
		Health      string      `json:"health"`
		AnyOffTrack bool        `json:"any_off_track"`
		KeyResults  []keyResult `json:"key_results"`
		MayEdit     bool        `json:"may_edit"`
		ChangedBy   person      `json:"changed_by"`
	}
	progress struct {
		Value     decimal.Decimal `json:"value"`
		Percent   int             `json:"percent"`
		Pending   bool            `json:"pending"`
		Overshoot decimal.Decimal `json:"overshoot"`
	}
	// keyResult is the same whether it is written, suggested or read; where it stands is only ever read.
	keyResult struct {
		ID        *uuid.UUID       `json:"id,omitempty"`
		Title     string           `json:"title"`
		Kind      string           `json:"kind"`
		Unit      string           `json:"unit,omitempty"`
		Baseline  *decimal.Decimal `json:"baseline,omitempty"`
		Target    *decimal.Decimal `json:"target,omitempty"`
		Stretch   *decimal.Decimal `json:"stretch,omitempty"`
		AtLeast   *decimal.Decimal `json:"at_least,omitempty"`
		AtMost    *decimal.Decimal `json:"at_most,omitempty"`
		Tolerance *decimal.Decimal `json:"tolerance,omitempty"`
		Steps     []milestoneStep  `json:"steps,omitempty"`
		Weight    *decimal.Decimal `json:"weight,omitempty"`
		Pending   bool             `json:"pending,omitempty"`
		Progress  *decimal.Decimal `json:"progress,omitempty"`
		Percent   int              `json:"percent,omitempty"`
	}
	milestoneStep struct {
		ID     *uuid.UUID       `json:"id,omitempty"`
		Title  string           `json:"title"`
		Weight *decimal.Decimal `json:"weight,omitempty"`
	}
	objectiveCreate struct {
		CycleID    uuid.UUID   `json:"cycle_id"`
		TeamID     *uuid.UUID  `json:"team_id,omitempty"`
		Title      string      `json:"title"`
		KeyResults []keyResult `json:"key_results,omitempty"`
	}
	objectivePatch struct {
		Revision int64  `json:"revision"`
		Title    string `json:"title"`
	}
	objectiveMove struct {
		Revision int64 `json:"revision"`
	}
	historyEntry struct {
		Revision  int64     `json:"revision"`
		Action    string    `json:"action"`
		ChangedAt time.Time `json:"changed_at"`
		ChangedBy person    `json:"changed_by"`
	}
	checkInCreate struct {
		Value       *decimal.Decimal `json:"value,omitempty"`
		DoneStepIDs []uuid.UUID      `json:"done_step_ids,omitempty"`
		Confidence  int              `json:"confidence"`
		Note        string           `json:"note,omitempty"`
		CorrectsID  *uuid.UUID       `json:"corrects_id,omitempty"`
	}
	checkIn struct {
		ID            uuid.UUID  `json:"id"`
		CorrectsID    *uuid.UUID `json:"corrects_id"`
		CorrectedByID *uuid.UUID `json:"corrected_by_id"`
		CheckedAt     time.Time  `json:"checked_at"`
		Author        person     `json:"author"`
	}
)

type (
	titled struct {
		Title string `json:"title"`
	}
	text struct {
		Body string `json:"body"`
	}
	dialogue struct {
		ID uuid.UUID `json:"id"`
	}
	message struct {
		Author            *person    `json:"author"`
		Source            string     `json:"source"`
		JobID             *uuid.UUID `json:"job_id"`
		ObjectiveRevision int64      `json:"objective_revision"`
		Body              string     `json:"body"`
		Findings          []finding  `json:"findings"`
	}
	finding struct {
		Check    string `json:"check"`
		Severity string `json:"severity"`
		Pointer  string `json:"pointer"`
		Reason   string `json:"reason"`
		Better   string `json:"better"`
	}
	jobCreate struct {
		Kind string `json:"kind"`
	}
	job struct {
		ID         uuid.UUID  `json:"id"`
		State      string     `json:"state"`
		Failure    string     `json:"failure"`
		CreatedAt  time.Time  `json:"created_at"`
		FinishedAt *time.Time `json:"finished_at"`
	}
	suggestion struct {
		ID                uuid.UUID         `json:"id"`
		ObjectiveRevision int64             `json:"objective_revision"`
		Content           suggestionContent `json:"content"`
		State             string            `json:"state"`
	}
	suggestionContent struct {
		KeyResults []keyResult `json:"key_results"`
	}
	decision   struct{}
	auditEvent struct {
		Action         string          `json:"action"`
		TargetRevision int64           `json:"target_revision"`
		Actor          *person         `json:"actor"`
		Detail         json.RawMessage `json:"detail"`
		HappenedAt     time.Time       `json:"happened_at"`
	}
)
