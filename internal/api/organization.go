package api

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/db"
)

func settingsView(o db.Organization) OrganizationSettings {
	return OrganizationSettings{ID: o.ID, Name: o.Name, Locale: Locale(o.Locale), TimeZone: o.TimeZone, Cadence: Cadence(o.Cadence), GraceDays: int(o.GraceDays),
		AiEnabled: o.AIEnabled, AiMonthlyTokens: nullOr(o.AIMonthlyTokens), Revision: o.Revision, ChangedAt: o.ChangedAt}
}

// nullOr is a value that is null rather than missing.
func nullOr[T any](v *T) nullable.Nullable[T] {
	if v == nil {
		return nullable.NewNullNullable[T]()
	}
	return nullable.NewNullableWithValue(*v)
}

// GetOrganization shows what the organisation has settled on.
func (s *Server) GetOrganization(ctx context.Context, _ GetOrganizationRequestObject) (GetOrganizationResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetOrganizationResponseObject, error) {
		o, err := q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: a.OrganizationID})
		return GetOrganization200Response{Body: settingsView(o), Headers: GetOrganization200ResponseHeaders{ETag: etag(o.Revision)}}, err
	})
}

// UpdateOrganization changes settings that are still at the revision the client read.
func (s *Server) UpdateOrganization(ctx context.Context, request UpdateOrganizationRequestObject) (UpdateOrganizationResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateOrganizationResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if refused := checkSettings(request.Body); len(refused) > 0 {
			return nil, invalid(refused...)
		}
		before, err := q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: a.OrganizationID})
		if err != nil {
			return nil, err
		}
		changed, err := q.UpdateOrganizationIfRevision(ctx, settingsChange(a, request.Body, from))
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, staleOrganization(ctx, q, a, from)
		}
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "organization.updated", targetKind: "organization", target: changed.ID, targetRevision: &changed.Revision,
			detail: map[string]any{"changes": settingsChanges(before, changed)}})
		return UpdateOrganization200Response{Body: settingsView(changed), Headers: UpdateOrganization200ResponseHeaders{ETag: etag(changed.Revision)}}, err
	})
}

func checkSettings(body *OrganizationPatch) []FieldProblem {
	var refused []FieldProblem
	if body.Name != nil && strings.TrimSpace(*body.Name) == "" {
		refused = append(refused, FieldProblem{Pointer: "/name", Code: "required", Detail: "A name has something in it."})
	}
	if body.TimeZone != nil {
		refused = append(refused, checkZone(*body.TimeZone)...)
	}
	return refused
}

func settingsChange(a actor, body *OrganizationPatch, from precondition) db.UpdateOrganizationIfRevisionParams {
	change := db.UpdateOrganizationIfRevisionParams{OrganizationID: a.OrganizationID, Revision: from.revision, Name: body.Name, Locale: (*string)(body.Locale), TimeZone: body.TimeZone,
		Cadence: (*string)(body.Cadence), AIEnabled: body.AiEnabled}
	if body.GraceDays != nil {
		days := int32(*body.GraceDays) //nolint:gosec // at most 90
		change.GraceDays = &days
	}
	change.SetAIMonthlyTokens, change.AIMonthlyTokens = nullableField(body.AiMonthlyTokens)
	return change
}

// fieldChange is what the audit keeps of a field that was changed.
type fieldChange struct {
	Field  string `json:"field"`
	Before any    `json:"before"`
	After  any    `json:"after"`
}

// changesOf are those of the fields that differ, in their order.
func changesOf(fields ...fieldChange) []fieldChange {
	changes := []fieldChange{}
	for _, f := range fields {
		if f.Before != f.After {
			changes = append(changes, f)
		}
	}
	return changes
}

func settingsChanges(before, after db.Organization) []fieldChange {
	return changesOf(
		fieldChange{"name", before.Name, after.Name},
		fieldChange{"locale", before.Locale, after.Locale},
		fieldChange{"time_zone", before.TimeZone, after.TimeZone},
		fieldChange{"cadence", before.Cadence, after.Cadence},
		fieldChange{"grace_days", before.GraceDays, after.GraceDays},
		fieldChange{"ai_enabled", before.AIEnabled, after.AIEnabled},
		fieldChange{"ai_monthly_tokens", orNull(before.AIMonthlyTokens), orNull(after.AIMonthlyTokens)},
	)
}

// staleOrganization says who led the settings to the present revision, as far as the audit knows.
func staleOrganization(ctx context.Context, q *db.Queries, a actor, from precondition) error {
	present, err := q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: a.OrganizationID})
	if err != nil {
		return err
	}
	by, err := lastChangedBy(ctx, q, a, present.ID)
	if err != nil {
		return err
	}
	return from.stale(settingsView(present), present.Revision, by, present.ChangedAt)
}

// GetAIBudget tells which coach answers, and what is left of the month's tokens.
func (s *Server) GetAIBudget(ctx context.Context, _ GetAIBudgetRequestObject) (GetAIBudgetResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetAIBudgetResponseObject, error) {
		b, err := ai.ReadBudget(ctx, q, a.OrganizationID)
		if err != nil {
			return nil, err
		}
		view := AIBudget{Enabled: b.Enabled, AnsweredLast: nullOr(b.Source), Model: nullable.NewNullNullable[string](), Month: openapi_types.Date{Time: b.Month}, BeginsAnewOn: openapi_types.Date{Time: b.Month.AddDate(0, 1, 0)},
			MonthlyTokens: nullOr(b.Bound), InputTokens: b.InputTokens, OutputTokens: b.OutputTokens, UsedTokens: b.Used(), HeldTokens: b.Held(), LeftTokens: nullable.NewNullNullable[int64](),
			CallTokens: ai.CallTokens, Calls: b.Calls, Exhausted: b.Exhausted()}
		if s.options.Model != "" {
			view.Model = nullable.NewNullableWithValue(s.options.Model)
		}
		if b.Bound != nil {
			view.LeftTokens = nullable.NewNullableWithValue(b.Left())
		}
		return GetAIBudget200Response{Body: view}, nil
	})
}

// lastChangedBy returns who did the last that the audit knows of a thing; nil where it is silent.
func lastChangedBy(ctx context.Context, q *db.Queries, a actor, target uuid.UUID) (*Person, error) {
	events, err := q.ListAuditEventsOfTargetBefore(ctx, db.ListAuditEventsOfTargetBeforeParams{OrganizationID: a.OrganizationID, TargetID: target, BeforeID: uuid.Max, PageSize: 1})
	if err != nil || len(events) == 0 || events[0].ActorID == nil {
		return nil, err
	}
	names, err := namesOf(ctx, q, a, *events[0].ActorID)
	by := person(*events[0].ActorID, names)
	return &by, err
}
