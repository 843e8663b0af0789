package intake

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/exchange"
	"github.com/kakeai/kakeai/internal/okr"
)

// unsaidConfidence is the confidence of a check-in whose file has none: the middle.
const unsaidConfidence = 5

// checkInPlan is a check-in as it will be written.
type checkInPlan struct {
	KeyResultID uuid.UUID        `json:"key_result_id"`
	ObjectiveID uuid.UUID        `json:"objective_id"`
	Value       *decimal.Decimal `json:"value"`
	DoneStepIDs string           `json:"done_step_ids"` // as PostgreSQL writes an array
	Progress    decimal.Decimal  `json:"progress"`
	Confidence  int              `json:"confidence"`
	Note        *string          `json:"note"`
	CheckedAt   time.Time        `json:"checked_at"`
	CreatedBy   uuid.UUID        `json:"created_by"`
}

// planCheckIns decides on the next check-ins.
func (j *job) planCheckIns(ctx context.Context) error {
	entities, err := j.q.ListImportEntitiesAfter(ctx, db.ListImportEntitiesAfterParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: checkInKind, AfterKey: j.i.AfterKey, PageSize: checkInsAtOnce})
	if err != nil {
		return err
	}
	if len(entities) > 0 {
		if err := j.planCheckInPage(ctx, entities); err != nil {
			return err
		}
	}
	if len(entities) < checkInsAtOnce {
		return j.advance(ctx, results, 0, "", 0)
	}
	return j.advance(ctx, checkIns, 0, entities[len(entities)-1].Key, len(entities))
}

func (j *job) planCheckInPage(ctx context.Context, entities []db.ImportEntity) error {
	intents := make([]exchange.CheckInIntent, len(entities))
	var keys, emails []string
	for n, e := range entities {
		if err := json.Unmarshal(e.Intent, &intents[n]); err != nil {
			return err
		}
		keys = append(keys, e.ParentKey)
		emails = appendSaid(emails, &intents[n].By)
	}
	keyResults, err := j.references(ctx, keyResultKind, keys)
	if err != nil {
		return err
	}
	keys = nil
	for _, k := range keyResults.inFile {
		keys = append(keys, k.ParentKey)
	}
	of, err := j.references(ctx, objectiveKind, keys)
	if err != nil {
		return err
	}
	people, err := j.people(ctx, emails)
	if err != nil {
		return err
	}
	found := problems{}
	p := db.PlanImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: checkInKind}
	contents := map[string]db.ObjectiveContent{}
	for n, e := range entities {
		refuse := func(f exchange.Field, code, detail string) { found.add(e.Position, j.problem(f, code, detail)) }
		plan, change := []byte("null"), refused
		k, ok := keyResults.inFile[e.ParentKey]
		o := of.inFile[k.ParentKey]
		switch {
		case !ok:
			refuse(exchange.KeyResult, "not-found", "Its key result is not in this file.")
		case k.Change == refused || o.Change == refused || o.Plan == nil: // the row says so by itself
		case e.Known:
			change = same
		default:
			content, ok := contents[o.Key]
			if !ok {
				if err := json.Unmarshal(o.Plan, &content); err != nil {
					return err
				}
				contents[o.Key] = content
			}
			if made, ok := j.planCheckIn(intents[n], content, k.EntityID, people, refuse); ok {
				made.ObjectiveID = o.EntityID
				change = create
				if plan, err = json.Marshal(made); err != nil {
					return err
				}
			}
		}
		p.Keys, p.Changes, p.FromRevisions = append(p.Keys, e.Key), append(p.Changes, change), append(p.FromRevisions, 0)
		p.Plans, p.EntityIDs = append(p.Plans, string(plan)), append(p.EntityIDs, e.EntityID)
	}
	if err := j.write(ctx, found); err != nil {
		return err
	}
	return j.q.PlanImportEntities(ctx, p)
}

func (j *job) planCheckIn(in exchange.CheckInIntent, o db.ObjectiveContent, keyResult uuid.UUID, people map[string]uuid.UUID, refuse func(f exchange.Field, code, detail string)) (checkInPlan, bool) {
	at := slices.IndexFunc(o.KeyResults, func(k db.KeyResultContent) bool { return k.ID == keyResult })
	if at < 0 {
		return checkInPlan{}, false
	}
	ok := true
	no := func(f exchange.Field, code, detail string) {
		ok = false
		refuse(f, code, detail)
	}
	k := o.KeyResults[at]
	plan := checkInPlan{KeyResultID: keyResult, Value: rounded(in.Value), Confidence: unsaidConfidence, Note: in.Note, CheckedAt: j.i.CreatedAt, CreatedBy: j.actor.UserID}
	if !j.administers() {
		no(exchange.Value, "not-allowed", "Only admins bring check-ins. Leave their columns out, and check in by hand.")
	}
	if !o.State.Counts() {
		no(exchange.Value, "wrong-state", "Check-ins are for objectives that are approved or closed; this one is "+string(o.State)+". Choose approved for the import, or leave the columns of check-ins out.")
	}
	if in.Confidence != nil {
		plan.Confidence = *in.Confidence
	}
	if in.At != nil {
		plan.CheckedAt = *in.At
		if in.At.After(j.i.ChangedAt.Add(24 * time.Hour)) {
			no(exchange.CheckedAt, "in-the-future", "The check-in is not there yet.")
		}
	}
	if in.By != "" {
		by, known := people[in.By]
		if !known {
			no(exchange.CheckedBy, "not-found", fmt.Sprintf("No member has the address %s.", in.By))
		}
		plan.CreatedBy = by
	}
	done := make([]uuid.UUID, 0, len(in.Done))
	texts := make([]string, 0, len(in.Done))
	for _, number := range in.Done {
		if number > len(k.Steps) {
			no(exchange.DoneSteps, okr.CodeStepUnknown, fmt.Sprintf("The key result has %d steps.", len(k.Steps)))
			continue
		}
		done, texts = append(done, k.Steps[number-1].ID), append(texts, k.Steps[number-1].ID.String())
	}
	plan.DoneStepIDs = "{" + strings.Join(texts, ",") + "}"
	definition := definitionOf(k)
	for _, r := range definition.ValidateCheckIn(okr.CheckIn{Value: plan.Value, Done: done, Confidence: plan.Confidence}) {
		field := exchange.Value
		switch {
		case strings.HasPrefix(r.Pointer, "/done"):
			field = exchange.DoneSteps
		case r.Pointer == "/confidence":
			field = exchange.Confidence
		}
		no(field, r.Code, r.Detail)
	}
	if plan.Value != nil && tooLarge(*plan.Value, numberDigits) {
		no(exchange.Value, okr.CodeNumberOutOfRange, fmt.Sprintf("A number has at most %d digits before the point.", numberDigits))
	}
	if !ok {
		return plan, false
	}
	plan.Progress = definition.Progress(plan.Value, done)
	return plan, true
}
