package intake

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/queue"
)

// applyWhole writes all of a file in one transaction. Whoever cancels does not wait for it: the import's row is free until the end, and is looked at after each page.
func (w *Worker) applyWhole(outside context.Context, scope db.Scope, work uuid.UUID) error {
	var written atomic.Int32
	defer w.report(outside, scope, work, &written)()
	return w.store.WriteWhole(outside, scope, wholeLimit, func(ctx context.Context, q *db.Queries) error {
		written.Store(0)
		depth, key, deepest := int32(0), "", int32(0)
		for first := true; ; first = false {
			if errors.Is(context.Cause(outside), queue.ErrStopping) {
				return queue.ErrStopping
			}
			i, err := q.GetImportOfWork(ctx, db.GetImportOfWorkParams{OrganizationID: scope.Organization, WorkID: work})
			if errors.Is(err, pgx.ErrNoRows) {
				return errCancelled
			}
			if err != nil {
				return err
			}
			j, err := newJob(ctx, q, i)
			if err != nil {
				return err
			}
			if first {
				if deepest, err = j.prepare(ctx); err != nil {
					return err
				}
			}
			page, err := j.applicable(ctx, depth, key)
			if err != nil {
				return err
			}
			if err := db.PlanAnew(ctx, q); err != nil {
				return err
			}
			if len(page) > 0 {
				if err := j.applyObjectives(ctx, page); err != nil {
					return err
				}
				key = page[len(page)-1].Key
				written.Add(int32(len(page))) //nolint:gosec // of one page
				continue
			}
			if depth++; depth > deepest {
				break
			}
			key = ""
		}
		return w.applyAllCheckIns(ctx, q, scope.Organization, work, &written)
	})
}

// reportEvery is how often it is said how much of a file is written.
const reportEvery = time.Second

// report says so, in transactions of its own, until the function that it returns is called. What is written waits for none of them: where there is no connection, or the import's row is held, the next
// one says it.
func (w *Worker) report(ctx context.Context, scope db.Scope, work uuid.UUID, written *atomic.Int32) (end func()) {
	ended, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		said := int32(0)
		next := time.NewTicker(reportEvery)
		defer next.Stop()
		for {
			select {
			case <-ended:
				return
			case <-next.C:
			}
			now := written.Load()
			if now == said {
				continue
			}
			err := w.store.Write(ctx, scope, func(ctx context.Context, q *db.Queries) error {
				return q.ReportImport(ctx, db.ReportImportParams{OrganizationID: scope.Organization, WorkID: work, PhaseDone: now})
			})
			if err == nil {
				said = now
			}
		}
	}()
	return func() {
		close(ended)
		<-gone
	}
}

func (w *Worker) applyAllCheckIns(ctx context.Context, q *db.Queries, organization, work uuid.UUID, written *atomic.Int32) error {
	for key := ""; ; {
		i, err := q.GetImportOfWork(ctx, db.GetImportOfWorkParams{OrganizationID: organization, WorkID: work})
		if errors.Is(err, pgx.ErrNoRows) {
			return errCancelled
		}
		if err != nil {
			return err
		}
		j := &job{q: q, i: i, work: work, actor: db.GetActorOfJobRow{UserID: i.ChangedBy}}
		keys, err := j.q.ListImportCheckInsAfter(ctx, db.ListImportCheckInsAfterParams{OrganizationID: organization, WorkID: work, AfterKey: key, PageSize: appliedAtOnce})
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			return end(ctx, q, i, Done, "")
		}
		if err := db.PlanAnew(ctx, j.q); err != nil {
			return err
		}
		if err := j.applyCheckIns(ctx, keys); err != nil {
			return err
		}
		key = keys[len(keys)-1]
		written.Add(int32(len(keys))) //nolint:gosec // of one page
	}
}

// prepare keeps the cycles open that new objectives go to, and says how many levels of alignment there are.
func (j *job) prepare(ctx context.Context) (deepest int32, err error) {
	closed, err := j.q.LockCyclesOfImport(ctx, db.LockCyclesOfImportParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, History: j.administers()})
	if err != nil {
		return 0, err
	}
	if closed > 0 {
		return 0, errClosed
	}
	return j.q.GetImportDepth(ctx, db.GetImportDepthParams{OrganizationID: j.i.OrganizationID, WorkID: j.work})
}

// applicable are the next objectives of a level: what they contribute to is there before them, its key results included.
func (j *job) applicable(ctx context.Context, depth int32, key string) ([]db.ListImportApplicableAfterRow, error) {
	return j.q.ListImportApplicableAfter(ctx, db.ListImportApplicableAfterParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Depth: depth, AfterKey: key, PageSize: appliedAtOnce})
}

// applyPage writes the next page of what is good. after_position is the level. What is written counts as the same as in the file from then on, so nothing is written twice.
func (j *job) applyPage(ctx context.Context) (more bool, err error) {
	deepest, err := j.prepare(ctx)
	if err != nil {
		return false, err
	}
	if err := db.PlanAnew(ctx, j.q); err != nil {
		return false, err
	}
	if depth := j.i.AfterPosition; depth <= deepest {
		return true, j.applyObjectivePage(ctx, depth)
	}
	keys, err := j.q.ListImportCheckInsAfter(ctx, db.ListImportCheckInsAfterParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, PageSize: appliedAtOnce})
	if err != nil {
		return false, err
	}
	if len(keys) == 0 {
		return false, end(ctx, j.q, j.i, Done, "")
	}
	if err := j.applyCheckIns(ctx, keys); err != nil {
		return false, err
	}
	if err := j.q.MarkImportEntities(ctx, db.MarkImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: checkInKind, Keys: keys}); err != nil {
		return false, err
	}
	return true, j.advance(ctx, applying, j.i.AfterPosition, "", len(keys))
}

func (j *job) applyObjectivePage(ctx context.Context, depth int32) error {
	page, err := j.applicable(ctx, depth, j.i.AfterKey)
	if err != nil {
		return err
	}
	if len(page) == 0 {
		return j.advance(ctx, applying, depth+1, "", 0)
	}
	if err := j.applyObjectives(ctx, page); err != nil {
		return err
	}
	keys := make([]string, len(page))
	for n, p := range page {
		keys[n] = p.Key
	}
	if err := j.q.MarkImportEntities(ctx, db.MarkImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: objectiveKind, Keys: keys}); err != nil {
		return err
	}
	return j.advance(ctx, applying, depth, keys[len(keys)-1], len(keys))
}

// applyObjectives writes objectives with their key results, and what that leaves behind.
func (j *job) applyObjectives(ctx context.Context, page []db.ListImportApplicableAfterRow) error {
	keys := make([]string, len(page))
	var updated []string
	for n, p := range page {
		keys[n] = p.Key
		if p.Change == update {
			updated = append(updated, p.Key)
		}
	}
	at, err := j.q.GetServerTime(ctx)
	if err != nil {
		return err
	}
	if err := j.q.RememberImported(ctx, db.RememberImportedParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Source: j.i.Source, Keys: keys}); err != nil {
		return err
	}
	_, err = j.q.CreateImportedObjectives(ctx, db.CreateImportedObjectivesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, At: at, ActorID: j.i.ChangedBy, Keys: keys})
	if err != nil {
		return err
	}
	if len(updated) > 0 {
		if err := j.updateObjectives(ctx, updated, db.UpdateImportedObjectivesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, At: at, ActorID: j.i.ChangedBy, Keys: updated}); err != nil {
			return err
		}
	}
	if err := j.q.PutImportedKeyResults(ctx, db.PutImportedKeyResultsParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Keys: keys}); err != nil {
		return err
	}
	if err := j.q.DeleteUnplannedSteps(ctx, db.DeleteUnplannedStepsParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Keys: keys}); err != nil {
		return err
	}
	if err := j.q.PutImportedSteps(ctx, db.PutImportedStepsParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Keys: keys}); err != nil {
		return err
	}
	return j.q.RecordImportedObjectives(ctx, db.RecordImportedObjectivesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, ImportID: j.i.ID, ActorID: j.i.ChangedBy, Keys: keys})
}

// updateObjectives changes those that are still as they were when they were planned, and sees that no alignment closes a loop.
func (j *job) updateObjectives(ctx context.Context, keys []string, p db.UpdateImportedObjectivesParams) error {
	n, err := j.q.UpdateImportedObjectives(ctx, p)
	if err != nil {
		return err
	}
	if n < int64(len(keys)) {
		return errMoved
	}
	for some := range slices.Chunk(keys, 500) {
		entities, err := j.q.ListImportEntities(ctx, db.ListImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: objectiveKind, Keys: some})
		if err != nil {
			return err
		}
		for _, e := range entities {
			var c db.ObjectiveContent
			if err := json.Unmarshal(e.Plan, &c); err != nil {
				return err
			}
			if e.AlignedTo == "" || c.ParentObjectiveID == nil {
				continue
			}
			if err := j.climb(ctx, e.EntityID, c.ParentObjectiveID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (j *job) climb(ctx context.Context, from uuid.UUID, up *uuid.UUID) error {
	for step := 0; up != nil; step++ {
		if *up == from || step > maxAncestors {
			return errLoop
		}
		row, err := j.q.GetObjectiveParentForShare(ctx, db.GetObjectiveParentForShareParams{OrganizationID: j.i.OrganizationID, ID: *up})
		if err != nil {
			return err
		}
		up = row.ParentObjectiveID
	}
	return nil
}

// applyCheckIns adds check-ins, and makes the latest of each key result current.
func (j *job) applyCheckIns(ctx context.Context, keys []string) error {
	_, err := j.q.LockKeyResultsOfImport(ctx, db.LockKeyResultsOfImportParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Keys: keys})
	if err != nil {
		return err
	}
	err = j.q.CreateImportedCheckIns(ctx, db.CreateImportedCheckInsParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, ImportID: j.i.ID, Source: j.i.Source, ActorID: j.i.ChangedBy, Keys: keys})
	if err != nil {
		return err
	}
	return j.q.SetImportedCurrentCheckIns(ctx, db.SetImportedCurrentCheckInsParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Keys: keys})
}
