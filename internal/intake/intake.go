// Package intake checks the files that people bring, and runs them: what package exchange reads of a file becomes objectives, key results and check-ins.
//
// The work is an event of the outbox. It goes in steps, each a short transaction that holds the import's row and says how far it has come, so it goes on wherever a program ended. Until the last
// one of them nothing is written but what the check gathers. Then either everything is written in one transaction, or, where somebody asked for the good rows, page after page.
package intake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/exchange"
	"github.com/kakeai/kakeai/internal/outbox"
)

// Kind is the kind of the event that has a file worked on; its target is the import's work_id. It ends in ".send" because it takes long, and so is claimed apart from what is to happen at once.
const Kind = "import.work.send"

// The states of an import.
const (
	Uploading = "uploading"
	Uploaded  = "uploaded"
	Checking  = "checking"
	Checked   = "checked"
	Running   = "running"
	Done      = "done"
	Cancelled = "cancelled"
	Failed    = "failed"
)

// The phases of the work on one, in their order.
const (
	reading    = "reading"
	objectives = "objectives"
	alignment  = "alignment"
	checkIns   = "check_ins"
	results    = "results"
	applying   = "applying"
)

// What becomes of a row or a thing.
const (
	create  = "create"
	update  = "update"
	same    = "same"
	refused = "refused"
)

// The kinds of things.
const (
	objectiveKind = "objective"
	keyResultKind = "key_result"
	checkInKind   = "check_in"
)

// Why an import failed, or was not run.
const (
	FailureRows       = "rows-refused"   // some rows are refused, and nobody asked for the good ones
	FailureNotAllowed = "not-allowed"    // whoever pressed may not any more
	FailureGivenUp    = "given-up"       // it failed again and again; the log says why
	FailureCycles     = "cycles-closed"  // a cycle was closed while it ran
	FailureLoop       = "alignment-loop" // somebody changed the alignment while it ran
)

const (
	rowsAtOnce       = 200
	objectivesAtOnce = 100
	checkInsAtOnce   = 200
	judgedAtOnce     = 1000
	appliedAtOnce    = 200

	// stay is for how long one event is worked on before it makes room for others.
	stay = 40 * time.Second
	// wholeLimit is for how long all of a file may take to be written in one transaction.
	wholeLimit = 10 * time.Minute
)

// Counts are what came of a file: how many rows of each result, and how many things of each kind become what.
type Counts struct {
	Rows       map[string]int32 `json:"rows"`
	Objectives map[string]int32 `json:"objectives"`
	KeyResults map[string]int32 `json:"key_results"`
	CheckIns   map[string]int32 `json:"check_ins"`
}

// Worker is an outbox.Sender that works on files. One process works on one file at a time.
type Worker struct {
	store *db.Store
	log   *slog.Logger
	busy  chan struct{}
}

// NewWorker returns a Worker, which does nothing by itself.
func NewWorker(store *db.Store, log *slog.Logger) *Worker {
	return &Worker{store: store, log: log, busy: make(chan struct{}, 1)}
}

var (
	errMoved     = errors.New("intake: something has changed since it was checked")
	errCancelled = errors.New("intake: nobody wants this any more")
	errLoop      = errors.New("intake: the alignment would close a loop")
	errClosed    = errors.New("intake: a cycle takes no more objectives")
	errGone      = errors.New("intake: whoever asked for it may not any more")
)

// Send works on a file for a while.
func (w *Worker) Send(ctx context.Context, e outbox.Event) (outbox.Fold, error) {
	select {
	case w.busy <- struct{}{}:
		defer func() { <-w.busy }()
	default:
		return nil, &outbox.LaterError{After: time.Second, Uncounted: true, Err: errors.New("intake: another file is being worked on")}
	}
	until := time.Now().Add(stay)
	for {
		more, err := w.Step(ctx, e.Organization, e.Target)
		switch {
		case errors.Is(err, errMoved):
			return nil, &outbox.LaterError{After: time.Second, Err: err}
		case errors.Is(err, db.ErrBusy), errors.Is(err, db.ErrOverloaded), errors.Is(err, db.ErrUnavailable): // such as another process that is still writing this very file
			return nil, &outbox.LaterError{After: 5 * time.Second, Uncounted: true, Err: err}
		case err != nil:
			return nil, err
		case !more:
			return nil, nil //nolint:nilnil // nothing is left to be done
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case time.Now().After(until):
			return nil, &outbox.LaterError{Uncounted: true, Err: errors.New("intake: there is more to do")}
		}
	}
}

// GiveUp says that a file could not be worked on.
func (w *Worker) GiveUp(ctx context.Context, q *db.Queries, e outbox.Event, _ error) error {
	i, err := q.GetImportOfWork(ctx, db.GetImportOfWorkParams{OrganizationID: e.Organization, WorkID: e.Target})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return end(ctx, q, i, Failed, FailureGivenUp)
}

// Step does the next step of a piece of work, and reports whether there is another.
func (w *Worker) Step(ctx context.Context, organization, work uuid.UUID) (more bool, err error) {
	scope := db.Scope{Organization: organization, Class: db.Background}
	whole := false
	err = w.store.Write(ctx, scope, func(ctx context.Context, q *db.Queries) error {
		more, whole = false, false
		i, err := q.LockImportOfWork(ctx, db.LockImportOfWorkParams{OrganizationID: organization, WorkID: work})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if i.Phase == applying && !i.GoodRowsOnly {
			whole = true
			return nil
		}
		j, err := newJob(ctx, q, i)
		if errors.Is(err, errGone) {
			return end(ctx, q, i, Failed, FailureNotAllowed)
		}
		if err != nil {
			return err
		}
		more, err = j.step(ctx)
		return err
	})
	if err == nil && whole {
		err = w.applyWhole(ctx, scope, work)
	}
	return more, w.settle(ctx, scope, work, err)
}

// settle decides what becomes of work whose step failed in a way that only another check, or nothing, will mend.
func (w *Worker) settle(ctx context.Context, scope db.Scope, work uuid.UUID, failed error) error {
	failure := ""
	var taken *db.ConstraintError
	switch {
	case failed == nil, errors.Is(failed, errCancelled):
		return nil
	case errors.Is(failed, errLoop):
		failure = FailureLoop
	case errors.Is(failed, errClosed):
		failure = FailureCycles
	case errors.Is(failed, errGone):
		failure = FailureNotAllowed
	case errors.Is(failed, errMoved), errors.As(failed, &taken) && taken.Conflict:
	default:
		return failed
	}
	err := w.store.Write(ctx, scope, func(ctx context.Context, q *db.Queries) error {
		i, err := q.LockImportOfWork(ctx, db.LockImportOfWorkParams{OrganizationID: scope.Organization, WorkID: work})
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return err
		case failure != "":
			return end(ctx, q, i, Failed, failure)
		}
		if err := q.DeleteEntitiesOfWork(ctx, db.DeleteEntitiesOfWorkParams{OrganizationID: i.OrganizationID, WorkID: work}); err != nil {
			return err
		}
		return q.AdvanceImport(ctx, db.AdvanceImportParams{OrganizationID: i.OrganizationID, WorkID: work, Phase: reading, PhaseTotal: i.RowCount, Counts: json.RawMessage("{}")})
	})
	if err == nil && failure == "" {
		return errMoved
	}
	return err
}

// job is a step's view of the import it belongs to.
type job struct {
	q     *db.Queries
	i     db.Import
	work  uuid.UUID
	actor db.GetActorOfJobRow
	rows  *exchange.Reader
	zone  *time.Location
}

func newJob(ctx context.Context, q *db.Queries, i db.Import) (*job, error) {
	actor, err := q.GetActorOfJobForShare(ctx, db.GetActorOfJobForShareParams{OrganizationID: i.OrganizationID, UserID: i.ChangedBy})
	if errors.Is(err, pgx.ErrNoRows) || err == nil && !actor.Role.AtLeast(auth.Member) {
		return nil, errGone
	}
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(actor.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	mark := i.DecimalMark
	if i.Format == "xlsx" && mark == exchange.MarkComma {
		mark = exchange.MarkAuto // numbers of a workbook come with a point, whatever its texts have
	}
	j := &job{q: q, i: i, work: *i.WorkID, actor: db.GetActorOfJobRow(actor), zone: zone}
	j.rows = exchange.NewReader(Mapping(i), exchange.Options{Mark: mark, Order: i.DateOrder, Zone: zone, Cycle: idText(i.CycleID), Exact: i.Layout == exchange.Own, Plain: i.Format == "json"})
	return j, nil
}

// Mapping is what an import's columns mean.
func Mapping(i db.Import) []exchange.Field {
	mapping := make([]exchange.Field, len(i.Mapping))
	for n, f := range i.Mapping {
		mapping[n] = exchange.Field(f)
	}
	return mapping
}

func idText(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

func (j *job) administers() bool { return j.actor.Role.AtLeast(auth.Admin) }

func (j *job) leads(team *uuid.UUID) bool {
	return team != nil && slices.Contains(j.actor.LeadTeamIDs, *team)
}

func (j *job) step(ctx context.Context) (more bool, err error) {
	switch j.i.Phase {
	case reading:
		return true, j.read(ctx)
	case objectives:
		return true, j.planObjectives(ctx)
	case alignment:
		return true, j.align(ctx)
	case checkIns:
		return true, j.planCheckIns(ctx)
	case results:
		return j.judge(ctx)
	}
	return j.applyPage(ctx)
}

// advance says how far the work has come: gone is how many things of the phase this step has gone through.
func (j *job) advance(ctx context.Context, phase string, position int32, key string, gone int) error {
	done, total := j.i.PhaseDone+int32(gone), j.i.PhaseTotal //nolint:gosec // of one page
	if phase != j.i.Phase {
		position, key, done = 0, "", 0
		var err error
		if total, err = j.total(ctx, phase); err != nil {
			return err
		}
	}
	progress := position
	if phase != reading && phase != results { // positions are no rows then
		progress = j.i.Progress
	}
	return j.q.AdvanceImport(ctx, db.AdvanceImportParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Phase: phase, AfterPosition: position, AfterKey: key, Progress: progress,
		PhaseDone: done, PhaseTotal: total, Counts: j.i.Counts})
}

// total is how many things a phase has to go through.
func (j *job) total(ctx context.Context, phase string) (int32, error) {
	switch phase {
	case objectives, alignment:
		return j.q.CountImportThings(ctx, db.CountImportThingsParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: objectiveKind})
	case checkIns:
		return j.q.CountImportThings(ctx, db.CountImportThingsParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: checkInKind})
	case applying:
		var c Counts
		err := json.Unmarshal(j.i.Counts, &c)
		return c.Objectives[create] + c.Objectives[update] + c.CheckIns[create], err
	}
	return j.i.RowCount, nil
}

// problems gathers reasons by row.
type problems map[int32][]exchange.Problem

func (p problems) add(position int32, all ...exchange.Problem) {
	p[position] = append(p[position], all...)
}

// write adds the reasons to those that the rows have.
func (j *job) write(ctx context.Context, p problems) error {
	if len(p) == 0 {
		return nil
	}
	params := db.AddImportProblemsParams{OrganizationID: j.i.OrganizationID, ImportID: j.i.ID}
	for position, all := range p {
		text, err := json.Marshal(all)
		if err != nil {
			return err
		}
		params.Positions, params.Problems = append(params.Positions, position), append(params.Problems, string(text))
	}
	return j.q.AddImportProblems(ctx, params)
}

// problem is a reason that the row itself does not tell, put beside the column that it comes from.
func (j *job) problem(f exchange.Field, code, detail string) exchange.Problem {
	column := j.rows.Column(f)
	if column < 0 {
		for _, item := range map[exchange.Field][]exchange.Field{exchange.Owner: {exchange.ItemOwner}, exchange.KeyResultOwner: {exchange.ItemOwner},
			exchange.ParentObjective: {exchange.ItemParent}, exchange.Objective: {exchange.Item}, exchange.KeyResult: {exchange.Item}}[f] {
			if c := j.rows.Column(item); c >= 0 {
				column, f = c, item
			}
		}
	}
	return exchange.Problem{Column: column, Field: f, Code: code, Detail: detail}
}

// judge decides on the next rows, and after the last on the file.
func (j *job) judge(ctx context.Context) (more bool, err error) {
	rows, err := j.q.ListImportRowKeysAfter(ctx, db.ListImportRowKeysAfterParams{OrganizationID: j.i.OrganizationID, ImportID: j.i.ID, AfterPosition: j.i.AfterPosition, PageSize: judgedAtOnce})
	if err != nil {
		return false, err
	}
	if len(rows) > 0 {
		if err := j.judgeRows(ctx, rows); err != nil {
			return false, err
		}
	}
	if len(rows) == judgedAtOnce {
		return true, j.advance(ctx, results, rows[len(rows)-1].Position, "", len(rows))
	}
	counts, err := j.count(ctx)
	if err != nil {
		return false, err
	}
	if j.i.Counts, err = json.Marshal(counts); err != nil {
		return false, err
	}
	switch {
	case j.i.State == Checking:
		return false, end(ctx, j.q, j.i, Checked, "")
	case counts.Rows[refused] > 0 && !j.i.GoodRowsOnly:
		return false, end(ctx, j.q, j.i, Checked, FailureRows)
	}
	return true, j.advance(ctx, applying, 0, "", 0)
}

func (j *job) judgeRows(ctx context.Context, rows []db.ListImportRowKeysAfterRow) error {
	of := map[name]db.ListImportChangesRow{}
	for kind, key := range map[string]func(r db.ListImportRowKeysAfterRow) string{
		objectiveKind: func(r db.ListImportRowKeysAfterRow) string { return r.ObjectiveKey },
		keyResultKind: func(r db.ListImportRowKeysAfterRow) string { return r.KeyResultKey },
		checkInKind:   func(r db.ListImportRowKeysAfterRow) string { return r.CheckInKey },
	} {
		var keys []string
		for _, r := range rows {
			if k := key(r); k != "" {
				keys = append(keys, k)
			}
		}
		slices.Sort(keys)
		changes, err := j.q.ListImportChanges(ctx, db.ListImportChangesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work, Kind: kind, Keys: slices.Compact(keys)})
		if err != nil {
			return err
		}
		for _, c := range changes {
			of[name{kind, c.Key}] = c
		}
	}
	p := db.SetImportResultsParams{OrganizationID: j.i.OrganizationID, ImportID: j.i.ID}
	for _, r := range rows {
		result, problem, err := resultOf(r, of)
		if err != nil {
			return err
		}
		p.Positions, p.Results, p.Problems = append(p.Positions, r.Position), append(p.Results, result), append(p.Problems, problem)
	}
	return j.q.SetImportResults(ctx, p)
}

// resultOf is what becomes of a row, and the reason if it is refused for what it belongs to.
func resultOf(r db.ListImportRowKeysAfterRow, of map[name]db.ListImportChangesRow) (result, problem string, err error) {
	if r.HasProblems {
		return refused, "", nil
	}
	result = same
	for _, n := range []name{{objectiveKind, r.ObjectiveKey}, {keyResultKind, r.KeyResultKey}, {checkInKind, r.CheckInKey}} {
		if n.key == "" {
			continue
		}
		c, ok := of[n]
		switch {
		case !ok, c.Change == refused:
			detail := "What it belongs to is not in this file."
			if ok && c.Position != r.Position {
				detail = fmt.Sprintf("What it belongs to is refused: see row %d.", c.Position)
			}
			text, err := json.Marshal([]exchange.Problem{{Column: -1, Code: "belongs-to-refused", Detail: detail}})
			return refused, string(text), err
		case c.Change == create, c.Change == update && result == same:
			result = c.Change
		}
	}
	return result, "", nil
}

func (j *job) count(ctx context.Context) (Counts, error) {
	c := Counts{Rows: map[string]int32{}, Objectives: map[string]int32{}, KeyResults: map[string]int32{}, CheckIns: map[string]int32{}}
	rows, err := j.q.CountImportResults(ctx, db.CountImportResultsParams{OrganizationID: j.i.OrganizationID, ImportID: j.i.ID})
	if err != nil {
		return c, err
	}
	for _, r := range rows {
		c.Rows[r.Result] = r.Rows
	}
	things, err := j.q.CountImportEntities(ctx, db.CountImportEntitiesParams{OrganizationID: j.i.OrganizationID, WorkID: j.work})
	for _, t := range things {
		switch t.Kind {
		case objectiveKind:
			c.Objectives[t.Change] = t.Entities
		case keyResultKind:
			c.KeyResults[t.Change] = t.Entities
		case checkInKind:
			c.CheckIns[t.Change] = t.Entities
		}
	}
	return c, err
}

// end ends the work on a file, and audits it.
func end(ctx context.Context, q *db.Queries, i db.Import, state, failure string) error {
	params := db.EndImportWorkParams{OrganizationID: i.OrganizationID, WorkID: *i.WorkID, State: state, Counts: i.Counts}
	if failure != "" {
		params.Failure = &failure
	}
	n, err := q.EndImportWork(ctx, params)
	if err != nil {
		return err
	}
	if n == 0 {
		return errCancelled
	}
	action := map[string]string{Checked: "import.checked", Done: "import.done", Failed: "import.failed"}[state]
	revision := i.Revision + 1
	return q.RecordEvent(ctx, db.RecordEventParams{OrganizationID: i.OrganizationID, EventID: db.NewID(), Action: action, TargetKind: "import", TargetID: i.ID, TargetRevision: &revision,
		ActorID: &i.ChangedBy, Detail: i.Counts})
}
