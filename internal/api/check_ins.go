package api

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

func checkInView(i db.CheckIn, correctedBy *uuid.UUID, names map[uuid.UUID]string) CheckIn {
	return CheckIn{ID: i.ID, KeyResultID: i.KeyResultID, Value: i.Value, DoneStepIds: i.DoneStepIDs, Progress: i.Progress, Percent: okr.Percent(i.Progress),
		Confidence: int(i.Confidence), Note: i.Note, CorrectsID: i.CorrectsID, CorrectedByID: correctedBy, CheckedAt: i.CheckedAt, CreatedAt: i.CreatedAt,
		Author: person(i.CreatedBy, names)}
}

// ListCheckIns lists a key result's check-ins, the latest first.
func (s *Server) ListCheckIns(ctx context.Context, request ListCheckInsRequestObject) (ListCheckInsResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/key-results/"+request.KeyResultID.String()+"/check-ins", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	before := position{at: endOfTime(), id: uuid.Max}
	if !l.begins {
		before = l.from
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListCheckInsResponseObject, error) {
		_, err := q.GetVisibleKeyResult(ctx, db.GetVisibleKeyResultParams{OrganizationID: a.OrganizationID, ID: request.KeyResultID, ActorID: a.UserID,
			SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		if err != nil {
			return nil, err
		}
		rows, err := q.ListCheckInsBefore(ctx, db.ListCheckInsBeforeParams{OrganizationID: a.OrganizationID, KeyResultID: request.KeyResultID,
			BeforeAt: before.at, BeforeID: before.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ListCheckInsBeforeRow) position { return position{at: r.CheckIn.CheckedAt, id: r.CheckIn.ID} })
		names, err := namesOf(ctx, q, a, converted(rows, func(r db.ListCheckInsBeforeRow) uuid.UUID { return r.CheckIn.CreatedBy })...)
		if err != nil {
			return nil, err
		}
		items := make([]CheckIn, 0, len(rows))
		for _, r := range rows {
			items = append(items, checkInView(r.CheckIn, r.CorrectedByID, names))
		}
		return ListCheckIns200Response{Body: CheckInPage{Items: items, NextCursor: next}, Headers: ListCheckIns200ResponseHeaders{Link: link}}, nil
	})
}

// endOfTime is behind every check-in there can be.
func endOfTime() time.Time { return time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC) }

// CreateCheckIn adds a check-in and makes the latest one current. It holds the objective's definition still and the key result for itself, so that
// check-ins to other key results of the same objective do not wait for it.
func (s *Server) CreateCheckIn(ctx context.Context, request CreateCheckInRequestObject) (CreateCheckInResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateCheckInResponseObject, error) {
		row, err := q.LockVisibleKeyResult(ctx, db.LockVisibleKeyResultParams{OrganizationID: a.OrganizationID, ID: request.KeyResultID, ActorID: a.UserID,
			SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		if err != nil {
			return nil, err
		}
		mine := row.KeyResult.OwnerID != nil && *row.KeyResult.OwnerID == a.UserID
		if !a.writes() || !mine && len(a.capacities(row.Objective)) == 0 {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if err := mayCheckIn(a, row); err != nil {
			return nil, err
		}
		if request.Body.OccurrenceID != nil {
			if err := attended(ctx, q, a, *request.Body.OccurrenceID); err != nil {
				return nil, err
			}
		}
		made, err := checkIn(ctx, q, a, row, request.Body)
		if err != nil {
			return nil, err
		}
		return CreateCheckIn201Response{Body: checkInView(made, nil, map[uuid.UUID]string{a.UserID: a.Name})}, nil
	})
}

func mayCheckIn(a actor, row db.LockVisibleKeyResultRow) error {
	if row.Objective.ArchivedAt != nil || row.KeyResult.ArchivedAt != nil {
		return wrongState("It is archived.", nil)
	}
	if row.Objective.State != okr.ObjectiveApproved {
		return wrongState("Check-ins are for approved objectives; this one is "+string(row.Objective.State)+".", nil)
	}
	if !okr.MayCheckIn(row.Cycle.State, row.Cycle.EndsOn, int(a.GraceDays), okr.Today(a.Now, a.zone())) {
		return wrongState("Its cycle takes no check-ins: it is "+string(row.Cycle.State)+", and ends on "+row.Cycle.EndsOn.Format(time.DateOnly)+".", nil)
	}
	return nil
}

func checkIn(ctx context.Context, q *db.Queries, a actor, row db.LockVisibleKeyResultRow, body *CheckInCreate) (db.CheckIn, error) {
	key := db.LockKeyResultParams{OrganizationID: a.OrganizationID, ID: row.KeyResult.ID}
	locked, err := q.LockKeyResult(ctx, key)
	if err != nil {
		return db.CheckIn{}, err
	}
	if locked.ArchivedAt != nil {
		return db.CheckIn{}, wrongState("It is archived.", nil) // while this waited for the objective
	}
	k := keyResultRows{KeyResult: locked}
	if locked.Kind == okr.Milestone {
		if k.steps, err = q.ListMilestoneSteps(ctx, db.ListMilestoneStepsParams{OrganizationID: a.OrganizationID, KeyResultID: locked.ID}); err != nil {
			return db.CheckIn{}, err
		}
	}
	done := []uuid.UUID{}
	if body.DoneStepIds != nil {
		done = *body.DoneStepIds
	}
	definition := k.definition()
	refused := definition.ValidateCheckIn(okr.CheckIn{Value: body.Value, Done: done, Confidence: body.Confidence})
	fields := fieldProblems("", refused)
	for i := range fields {
		fields[i].Pointer = doneStepIDs(fields[i].Pointer)
	}
	standsAt, problem, err := correctedAt(ctx, q, a, locked.ID, body.CorrectsID)
	if err != nil {
		return db.CheckIn{}, err
	}
	if problem != nil {
		fields = append(fields, *problem)
	}
	if len(fields) > 0 {
		return db.CheckIn{}, invalid(fields...)
	}
	made, err := q.CreateCheckIn(ctx, db.CreateCheckInParams{OrganizationID: a.OrganizationID, ID: db.NewID(), KeyResultID: locked.ID, Value: body.Value,
		DoneStepIDs: done, Progress: definition.Progress(body.Value, done), Confidence: int16(body.Confidence), //nolint:gosec // 0 to 10
		Note: body.Note, CorrectsID: body.CorrectsID, CheckedAt: standsAt, ActorID: a.UserID})
	if err != nil {
		return db.CheckIn{}, err
	}
	if _, err := q.SetCurrentCheckIn(ctx, db.SetCurrentCheckInParams{OrganizationID: a.OrganizationID, KeyResultID: locked.ID}); err != nil {
		return db.CheckIn{}, err
	}
	if body.OccurrenceID != nil {
		err := q.RecordMeetingCheckIn(ctx, db.RecordMeetingCheckInParams{OrganizationID: a.OrganizationID, OccurrenceID: *body.OccurrenceID, CheckInID: made.ID})
		if err != nil {
			return db.CheckIn{}, err
		}
	}
	action := "check_in.created"
	if body.CorrectsID != nil {
		action = "check_in.corrected"
	}
	return made, record(ctx, q, a, event{action: action, targetKind: "key_result", target: locked.ID,
		detail: map[string]any{"check_in_id": made.ID, "objective_id": row.Objective.ID, "corrects_id": body.CorrectsID}})
}

// doneStepIDs translates the domain's pointer for done steps to the name that the API has for them.
func doneStepIDs(pointer string) string {
	const domain = "/done"
	if len(pointer) >= len(domain) && pointer[:len(domain)] == domain {
		return "/done_step_ids" + pointer[len(domain):]
	}
	return pointer
}

// correctedAt is the time that a correction stands at: that of the check-in it puts right. Nil for what is no correction.
func correctedAt(ctx context.Context, q *db.Queries, a actor, keyResult uuid.UUID, corrects *uuid.UUID) (*time.Time, *FieldProblem, error) {
	if corrects == nil {
		return nil, nil, nil
	}
	wrong, err := q.GetCheckIn(ctx, db.GetCheckInParams{OrganizationID: a.OrganizationID, KeyResultID: keyResult, ID: *corrects})
	if errors.Is(err, pgx.ErrNoRows) {
		refused := notThere("/corrects_id", "check-in of this key result")
		return nil, &refused, nil
	}
	return &wrong.CheckedAt, nil, err
}
