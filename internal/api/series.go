package api

import (
	"context"
	"slices"

	"github.com/google/uuid"
	openapi_types "github.com/oapi-codegen/runtime/types"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// seriesPoints is how many check-ins of a key result are drawn.
const seriesPoints = 60

// GetObjectiveSeries shows how an objective's key results have moved.
func (s *Server) GetObjectiveSeries(ctx context.Context, request GetObjectiveSeriesRequestObject) (GetObjectiveSeriesResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetObjectiveSeriesResponseObject, error) {
		o, err := wholeObjective(ctx, q, a, request.ObjectiveID)
		if err != nil {
			return nil, err
		}
		ids := []uuid.UUID{}
		for _, k := range o.keyResults {
			if k.ArchivedAt == nil {
				ids = append(ids, k.ID)
			}
		}
		rows, err := q.ListCheckInSeries(ctx, db.ListCheckInSeriesParams{OrganizationID: a.OrganizationID, KeyResultIDs: ids, Each: seriesPoints + 1})
		if err != nil {
			return nil, err
		}
		return GetObjectiveSeries200Response{Body: o.series(a, rows)}, nil
	})
}

func (o objectiveRows) series(a actor, rows []db.ListCheckInSeriesRow) ObjectiveSeries {
	pace := okr.NewPace(o.cycle.StartsOn, o.cycle.EndsOn)
	elapsed := pace.Elapsed(pace.Day(okr.Today(a.Now, a.zone())))
	v := ObjectiveSeries{ObjectiveID: o.objective.ID, StartsOn: openapi_types.Date{Time: o.cycle.StartsOn}, EndsOn: openapi_types.Date{Time: o.cycle.EndsOn}, Elapsed: elapsed,
		KeyResults: []KeyResultSeries{}}
	for _, k := range o.keyResults {
		if k.ArchivedAt != nil {
			continue
		}
		s := KeyResultSeries{KeyResultID: k.ID, Baseline: k.Baseline, Target: k.Target, Points: []SeriesPoint{}}
		if k.Baseline != nil && k.Target != nil {
			s.ExpectedValue = new(expectedValue(*k.Baseline, *k.Target, elapsed))
		}
		definition := k.definition()
		for _, r := range rows {
			switch {
			case r.KeyResultID != k.ID:
			case len(s.Points) == seriesPoints:
				s.More = true
			default:
				s.Points = append(s.Points, SeriesPoint{CheckInID: r.ID, At: r.CheckedAt, Value: r.Value, Progress: definition.Progress(r.Value, r.DoneStepIDs),
					Expected: pace.Elapsed(pace.Day(okr.Today(r.CheckedAt, a.zone()))), Confidence: int(r.Confidence)})
			}
		}
		slices.Reverse(s.Points)
		v.KeyResults = append(v.KeyResults, s)
	}
	return v
}

// expectedValue lies between baseline and target as far as the cycle has come, with as many digits as values have.
func expectedValue(baseline, target, elapsed decimal.Decimal) decimal.Decimal {
	return baseline.Add(target.Sub(baseline).Mul(elapsed)).Round(okr.MaxFractionDigits)
}
